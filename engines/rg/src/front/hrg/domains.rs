//! Domains to sets, and ranges to their values.

use text::Span;

use super::context::{Context, Set, SetId};
use super::terms::{Term, View};
use super::tree::{Pattern, Range, RangeValues, is_upper};
use crate::limits::{MAX_DEPTH, MAX_MEMBERS, MAX_SYMBOLS};
use crate::symbols::Symbol;
use crate::syntax::Name;

/// The work on domains.
struct Domains<'c, 'a> {
    context: &'c mut Context<'a>,
    /// The domains that were begun.
    begun: Vec<bool>,
    /// Those of them that wait for a domain that they name.
    waiting: Vec<SetId>,
    /// The number of members of all domains so far.
    total: usize,
}

/// Finds the members of all domains and built-in types.
pub(super) fn resolve(context: &mut Context<'_>) {
    let domains = &context.program.domains;
    let set = |name: Name, context: &Context<'_>| Set {
        text: context.text(name).to_owned(),
        ..Set::default()
    };
    context.sets = domains.iter().map(|domain| set(domain.0, context)).collect();
    let begun = vec![false; domains.len()];
    let mut work = Domains { context, begun, waiting: Vec::new(), total: 0 };
    (0..domains.len()).for_each(|domain| work.fill(domain));
    let context = work.context;
    let mut players = Vec::new();
    for (name, example) in [("Player", "first | second"), ("Score", "0 | 50 | 100")] {
        match context.set_of(name) {
            Some(set) if name == "Score" || context.sets[set].broken => {}
            Some(set) => players = context.sets[set].members.iter().map(|m| m.1).collect(),
            None => {
                let names = domains.iter().map(|domain| context.text(domain.0));
                let near = text::near_miss(name, names);
                let help = near.map_or_else(
                    || format!("add `domain {name} = {example}`"),
                    |near| format!("is `{near}` meant to be it?"),
                );
                let span = context.program.graphs.first().map_or(Span::at(0), |g| g.name.span);
                let message = format!("there is no domain `{name}`");
                context.fault("missing-domain", span, [&message, "expected it before", &help]);
            }
        }
    }
    let broken = players.is_empty();
    for (name, members, players) in
        [("Bool", ["0", "1"], Vec::new()), ("PlayerOrSystem", ["keeper", "random"], players)]
    {
        let symbol = context.terms.symbols.intern(name);
        if context.set_names.contains_key(&symbol) {
            continue;
        }
        let broken = broken && name != "Bool";
        let mut set = Set { text: name.to_owned(), broken, ..Set::default() };
        let members = members.map(|member| context.terms.symbols.intern(member));
        let members = members.map(|symbol| Name { symbol, span: Span::at(0) });
        context.fill_set(&mut set, players.into_iter().chain(members));
        context.set_names.insert(symbol, context.sets.len());
        context.sets.push(set);
    }
}

impl Domains<'_, '_> {
    /// Finds the members of a domain, after those of all domains that it names.
    fn fill(&mut self, domain: SetId) {
        if std::mem::replace(&mut self.begun[domain], true) {
            return;
        }
        self.waiting.push(domain);
        let mut whole = true;
        for (form, ranges) in &self.context.program.domains[domain].1 {
            let other = match form {
                Pattern::Bind(name) | Pattern::Literal(name) => {
                    self.context.set_names.get(&name.symbol).map(|set| (*set, *name))
                }
                _ => None,
            };
            whole &= match other {
                Some((other, name)) => self.add_all(domain, other, name),
                None => self.add_form(domain, form, ranges),
            }
            .is_some();
        }
        self.waiting.pop();
        self.context.sets[domain].broken = !whole;
    }

    /// Adds all members of another domain.
    fn add_all(&mut self, domain: SetId, other: SetId, name: Name) -> Option<()> {
        if let Some(from) = self.waiting.iter().position(|waiting| *waiting == other) {
            let cycle = self.waiting[from..].iter().chain([&other]);
            let cycle: Vec<&str> = cycle.map(|set| self.context.sets[*set].text.as_str()).collect();
            let message = format!("a domain contains itself: {}", cycle.join(" > "));
            let help = "delete it here";
            self.context.fault("cycle", name.span, [&message, "expected a symbol", help]);
            return None;
        }
        if self.waiting.len() > MAX_DEPTH {
            let help = "list the elements themselves";
            self.context.exceeded(name.span, MAX_DEPTH, "domains in each other", help);
            return None;
        }
        self.fill(other);
        for place in 0..self.context.sets[other].members.len() {
            let term = self.context.sets[other].members[place].0;
            self.add(domain, term, name.span)?;
        }
        (!self.context.sets[other].broken).then_some(())
    }

    /// Adds a member, unless it is there.
    fn add(&mut self, domain: SetId, term: Term, span: Span) -> Option<()> {
        let symbol = self.context.terms.symbol(term)?;
        let set = &mut self.context.sets[domain];
        if set.symbols.insert(symbol) {
            set.members.push((term, Name { symbol, span }));
            self.total += 1;
        }
        let (help, members) = ("make the ranges smaller", set.members.len());
        if members > MAX_SYMBOLS {
            self.context.exceeded(span, MAX_SYMBOLS, "elements of a domain", help);
        } else if self.total > MAX_MEMBERS {
            self.context.exceeded(span, MAX_MEMBERS, "elements of all domains", help);
        } else {
            return Some(());
        }
        None
    }

    /// Adds an element, or all elements of a form, with the first argument slowest.
    fn add_form(&mut self, domain: SetId, form: &Pattern, ranges: &[Range]) -> Option<()> {
        let Pattern::Compound(_, arguments, span) = form else {
            let (Pattern::Bind(name) | Pattern::Literal(name)) = form else {
                let message = "`_` is no element";
                self.context.fault("wildcard", form.span(), [message, "expected a name", ""]);
                return None;
            };
            let term = self.context.terms.atom(name.symbol);
            return self.add(domain, term, name.span);
        };
        let place = |range: &Range| {
            arguments.iter().position(
                |argument| matches!(argument, Pattern::Bind(name) if name.symbol == range.name.symbol),
            )
        };
        let mut choices = self.context.choices(ranges)?;
        choices.retain(|choice| place(&ranges[choice.range]).is_some());
        choices.sort_by_key(|choice| place(&ranges[choice.range]));
        let mut combinations = Combinations::new(choices);
        while combinations.bind(self.context, *span)? {
            let key = self.context.key(form);
            self.context.bindings.clear();
            self.add(domain, key?, *span)?;
        }
        Some(())
    }
}

/// The values of a range, which has a number.
pub(super) struct Choice {
    name: Symbol,
    range: usize,
    values: Vec<Term>,
}

/// All combinations of values of ranges, the last range fastest.
pub(super) struct Combinations {
    choices: Vec<Choice>,
    /// The places of the next combination, if there is one.
    places: Option<Vec<usize>>,
}

impl Combinations {
    pub(super) fn new(choices: Vec<Choice>) -> Combinations {
        let places = Some(vec![0; choices.len()]);
        Combinations { choices, places }
    }

    /// Binds the names to the next combination; false if there is none.
    pub(super) fn bind(&mut self, context: &mut Context<'_>, span: Span) -> Option<bool> {
        context.spend(1, span)?;
        let Some(places) = &mut self.places else { return Some(false) };
        for (choice, place) in self.choices.iter().zip(places.iter()) {
            context.bindings.push((choice.name, choice.values[*place]));
        }
        if !advance(places, |place| self.choices[place].values.len()) {
            self.places = None;
        }
        Some(true)
    }
}

/// Goes to the next combination, with the last place fastest; false behind the last one.
pub(super) fn advance(places: &mut [usize], count: impl Fn(usize) -> usize) -> bool {
    for place in (0..places.len()).rev() {
        places[place] += 1;
        if places[place] < count(place) {
            return true;
        }
        places[place] = 0;
    }
    false
}

impl Context<'_> {
    /// The values of ranges, or a message on what they cannot be.
    pub(super) fn choices(&mut self, ranges: &[Range]) -> Option<Vec<Choice>> {
        let distinct = self.distinct("range", ranges.iter().map(|range| range.name));
        let mut sound = distinct.len() == ranges.len();
        let mut choices = Vec::new();
        for (place, range) in ranges.iter().enumerate() {
            if !is_upper(self.text(range.name)) {
                let message = format!("`{}` is no variable", self.text(range.name));
                let label = "expected a name that begins with an upper-case letter";
                self.fault("lower-case", range.name.span, [&message, label, ""]);
                sound = false;
            }
            let values = match &range.values {
                RangeValues::Names(names) => {
                    names.iter().map(|name| self.terms.atom(name.symbol)).collect()
                }
                RangeValues::Numbers(low, high) if low > high => {
                    let label = format!("expected the lower number first: `{high}..{low}`");
                    self.fault("empty-range", range.span, ["an empty range", &label, ""]);
                    return None;
                }
                RangeValues::Numbers(low, high) => {
                    if (high - low) as usize >= MAX_SYMBOLS {
                        self.exceeded(range.span, MAX_SYMBOLS, "numbers in a range", "");
                        return None;
                    }
                    self.spend((high - low) as usize, range.span)?;
                    (*low..=*high).map(|number| self.terms.integer(number.into())).collect()
                }
            };
            choices.push(Choice { name: range.name.symbol, range: place, values });
        }
        sound.then_some(choices)
    }

    /// The value that a form stands for, with names replaced by their values.
    pub(super) fn key(&mut self, form: &Pattern) -> Option<Term> {
        match form {
            Pattern::Any(span) => {
                let help = "write `_` alone, or a variable with `where X in 0..3`";
                self.fault("wildcard", *span, ["`_` has no value here", "expected a name", help]);
                None
            }
            Pattern::Literal(name) => Some(self.terms.atom(name.symbol)),
            Pattern::Bind(name) => {
                let value = self.bound(name.symbol);
                if value.is_none() {
                    let known: Vec<_> = self.bindings.iter().map(|binding| binding.0).collect();
                    let help = format!("add `where {} in 0..3` behind it", self.text(*name));
                    self.unknown(*name, ["missing-range", "range of"], known, &help);
                }
                value
            }
            Pattern::Compound(name, parts, span) => {
                let parts: Option<Vec<Term>> = parts.iter().map(|part| self.key(part)).collect();
                self.compound(*name, &parts?, *span)
            }
        }
    }

    /// The value that stands for a name.
    pub(super) fn bound(&self, symbol: Symbol) -> Option<Term> {
        let bindings = self.bindings[self.base..].iter().rev();
        bindings.into_iter().find(|binding| binding.0 == symbol).map(|binding| binding.1)
    }

    /// A constructor with arguments, or a message that there can be none.
    pub(super) fn compound(&mut self, name: Name, terms: &[Term], span: Span) -> Option<Term> {
        if terms.iter().any(|term| matches!(self.terms.view(*term), View::Map(..))) {
            let help = "write an element of a domain";
            self.fault("type", span, ["a map in a constructor", "expected symbols", help]);
            return None;
        }
        let term = self.terms.compound(name.symbol, terms);
        if term.is_none() {
            let message = format!("the name of this `{}` gets too long", self.text(name));
            let help = "use shorter names, or nest constructors less deep";
            self.fault("too-large", span, [&message, "expected fewer arguments", help]);
        }
        term
    }
}
