//! Domains to sets.

use text::{Diagnostic, Span};

use super::context::{Context, Set, SetId};
use super::expressions::is_upper;
use super::terms::Term;
use super::tree::{Element, Range, RangeValues};
use crate::limits::{MAX_DEPTH, MAX_MEMBERS, MAX_SYMBOLS};
use crate::syntax::Name;

/// How far a domain is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    New,
    Begun,
    Done,
}

/// The work on domains.
struct Domains<'c, 'a> {
    context: &'c mut Context<'a>,
    progress: Vec<Progress>,
    /// The domains that wait for an element of theirs.
    begun: Vec<SetId>,
    /// The members of all domains so far.
    total: usize,
}

/// Finds the members of all domains and built-in types.
pub(super) fn resolve(context: &mut Context<'_>) {
    let program = context.program;
    for (index, domain) in program.domains.iter().enumerate() {
        let before = context.set_names.get(&domain.name.symbol).map(|d| program.domains[*d].name);
        context.declare(domain.name, "domain", before);
        context.set_names.entry(domain.name.symbol).or_insert(index);
        let text = context.text(domain.name).to_owned();
        context.sets.push(Set { text, declared: true, ..Set::default() });
    }
    let progress = vec![Progress::New; program.domains.len()];
    let mut domains = Domains { context, progress, begun: Vec::new(), total: 0 };
    for set in 0..program.domains.len() {
        domains.fill(set);
    }
    built_in(context);
}

/// Adds the types that every game has, and reports those that the description must declare.
fn built_in(context: &mut Context<'_>) {
    for name in ["Player", "Score"] {
        if context.built_in(name).is_none() {
            let span = context.program.graphs.first().map_or(Span::at(0), |graph| graph.name.span);
            let near = context.program.domains.iter().map(|domain| context.text(domain.name));
            let help = match text::near_miss(name, near) {
                Some(near) => format!("is `{near}` meant to be it?"),
                None if name == "Player" => "add `domain Player = first | second`".to_owned(),
                None => "add `domain Score = 0 | 50 | 100`".to_owned(),
            };
            let message = format!("there is no domain `{name}`");
            context.fault("missing-domain", span, [&message, "expected before it", &help]);
        }
    }
    let players = context.built_in("Player").map_or(&[][..], |set| &context.sets[set].members);
    let players: Vec<Name> = players.iter().map(|(_, name)| *name).collect();
    let broken = context.built_in("Player").is_none_or(|set| context.sets[set].broken);
    for (name, members) in [("Bool", ["0", "1"]), ("PlayerOrSystem", ["keeper", "random"])] {
        let symbol = context.terms.symbols.intern(name);
        if context.set_names.contains_key(&symbol) {
            continue;
        }
        let mut set = Set { text: name.to_owned(), ..Set::default() };
        let players = if name == "Bool" { &[][..] } else { &players };
        set.broken = name != "Bool" && broken;
        let others = members
            .map(|member| Name { symbol: context.terms.symbols.intern(member), span: Span::at(0) });
        for name in players.iter().copied().chain(others) {
            if set.symbols.insert(name.symbol) {
                set.members.push((context.terms.atom(name.symbol), name));
            }
        }
        context.set_names.insert(symbol, context.sets.len());
        context.sets.push(set);
    }
}

impl Domains<'_, '_> {
    /// Finds the members of a domain, after those of all domains that it names.
    fn fill(&mut self, set: SetId) {
        if self.progress[set] != Progress::New {
            return;
        }
        self.progress[set] = Progress::Begun;
        self.begun.push(set);
        let program = self.context.program;
        let mut whole = true;
        for element in &program.domains[set].elements {
            let added = match element {
                Element::Name(name) => match self.context.set_names.get(&name.symbol).copied() {
                    Some(other) => self.add_all(set, other, *name),
                    None => {
                        let term = self.context.terms.atom(name.symbol);
                        self.add(set, term, name.span)
                    }
                },
                Element::Compound { constructor, arguments, ranges, span } => {
                    self.add_product(set, *constructor, arguments, ranges, *span)
                }
            };
            whole &= added.is_some();
        }
        self.begun.pop();
        self.progress[set] = Progress::Done;
        self.context.sets[set].broken = !whole;
    }

    /// Adds all members of another domain.
    fn add_all(&mut self, set: SetId, other: SetId, name: Name) -> Option<()> {
        if self.progress[other] == Progress::Begun {
            let from = self.begun.iter().position(|begun| *begun == other).unwrap_or(0);
            let cycle: Vec<&str> = self.begun[from..]
                .iter()
                .map(|set| self.context.sets[*set].text.as_str())
                .collect();
            let message = format!(
                "a domain contains itself: {}",
                [&cycle[..], &cycle[..1]].concat().join(" > ")
            );
            self.context.fault(
                "cycle",
                name.span,
                [&message, "expected a symbol", "delete it here"],
            );
            return None;
        }
        if self.begun.len() > MAX_DEPTH {
            let message = format!("domains contain each other more than {MAX_DEPTH} deep");
            let help = "list the elements themselves";
            self.context.fault("too-deep", name.span, [&message, "expected a symbol", help]);
            return None;
        }
        self.fill(other);
        for place in 0..self.context.sets[other].members.len() {
            let term = self.context.sets[other].members[place].0;
            self.add(set, term, name.span)?;
        }
        (!self.context.sets[other].broken).then_some(())
    }

    /// Adds a member, unless it is there.
    fn add(&mut self, set: SetId, term: Term, span: Span) -> Option<()> {
        let symbol = self.context.terms.symbol(term);
        if self.context.sets[set].symbols.insert(symbol) {
            self.context.sets[set].members.push((term, Name { symbol, span }));
            self.total += 1;
        }
        let count = self.context.sets[set].members.len();
        if count > MAX_SYMBOLS || self.total > MAX_MEMBERS {
            let [limit, what] = if count > MAX_SYMBOLS {
                [MAX_SYMBOLS.to_string(), "a domain".to_owned()]
            } else {
                [MAX_MEMBERS.to_string(), "all domains together".to_owned()]
            };
            let message = format!("{what} of more than {limit} elements");
            let help = "make the ranges smaller";
            self.context.fault("too-large", span, [&message, "expected fewer elements", help]);
            return None;
        }
        Some(())
    }

    /// Adds a constructor with all combinations of arguments, the first of them slowest.
    fn add_product(
        &mut self,
        set: SetId,
        constructor: Name,
        arguments: &[Name],
        ranges: &[Range],
        span: Span,
    ) -> Option<()> {
        if !is_upper(self.context.text(constructor)) {
            self.context.lower.insert(constructor.symbol);
        }
        let values = self.context.range_values(ranges)?;
        let mut choices: Vec<Vec<Term>> = Vec::new();
        for argument in arguments {
            if !is_upper(self.context.text(*argument)) {
                choices.push(vec![self.context.terms.atom(argument.symbol)]);
                continue;
            }
            let Some(place) = ranges.iter().position(|r| r.name.symbol == argument.symbol) else {
                let text = self.context.text(*argument).to_owned();
                let known: Vec<_> = ranges.iter().map(|range| range.name.symbol).collect();
                let help = format!("add `where {text} in 0..3` with the numbers that you mean");
                self.context.unknown(*argument, ["missing-range", "range of"], known, &help);
                return None;
            };
            choices.push(values[place].clone());
        }
        let mut places = vec![0; choices.len()];
        loop {
            let arguments: Vec<Term> =
                places.iter().zip(&choices).map(|(place, choices)| choices[*place]).collect();
            self.context.spend(1, span)?;
            let term = self.context.compound(constructor, &arguments, span)?;
            self.add(set, term, span)?;
            if !advance(&mut places, |place| choices[place].len()) {
                return Some(());
            }
        }
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
    /// The values of ranges, or a message on names that cannot be.
    pub(super) fn range_values(&mut self, ranges: &[Range]) -> Option<Vec<Vec<Term>>> {
        let mut all = Vec::new();
        let mut sound = true;
        for (place, range) in ranges.iter().enumerate() {
            if let Some(before) =
                ranges[..place].iter().find(|r| r.name.symbol == range.name.symbol)
            {
                self.declare(range.name, "range", Some(before.name));
                sound = false;
            }
            if !is_upper(self.text(range.name)) {
                let message = format!("`{}` is no variable", self.text(range.name));
                let label = "expected a name that begins with an upper-case letter";
                self.fault("lower-case", range.name.span, [&message, label, ""]);
                sound = false;
            }
            all.push(match &range.values {
                RangeValues::Names(names) => {
                    names.iter().map(|name| self.terms.atom(name.symbol)).collect()
                }
                RangeValues::Numbers(low, high) if low > high => {
                    let label = format!("expected the lower number first: `{high}..{low}`");
                    self.fault("empty-range", range.span, ["an empty range", &label, ""]);
                    return None;
                }
                RangeValues::Numbers(low, high) => {
                    let count = (high - low) as usize + 1;
                    if count > MAX_SYMBOLS {
                        let message = format!("a range of more than {MAX_SYMBOLS} numbers");
                        let label = "expected fewer numbers";
                        self.fault("too-large", range.span, [&message, label, ""]);
                        return None;
                    }
                    self.spend(count, range.span)?;
                    (*low..=*high).map(|number| self.terms.integer(i64::from(number))).collect()
                }
            });
        }
        sound.then_some(all)
    }

    /// A constructor with arguments, or a message that its name is too long.
    pub(super) fn compound(
        &mut self,
        constructor: Name,
        arguments: &[Term],
        span: Span,
    ) -> Option<Term> {
        if arguments.iter().any(|argument| self.terms.is_map(*argument)) {
            let message = "a map in the place of an argument";
            self.report(Diagnostic::error("not-a-symbol", span, message).label("expected symbols"));
            return None;
        }
        let term = self.terms.compound(constructor.symbol, arguments);
        if term.is_none() {
            let message = format!("the name of this `{}` gets too long", self.text(constructor));
            let help = "use shorter names, or nest constructors less deep";
            self.fault("too-large", span, [&message, "expected fewer arguments", help]);
        }
        term
    }
}
