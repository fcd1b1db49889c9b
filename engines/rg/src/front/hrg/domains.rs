//! Domains to sets, and ranges to their values.

use text::Span;

use super::context::{Context, Set, SetId};
use super::terms::Term;
use super::tree::{Pattern, RangeValues, Ranges};
use crate::limits::{MAX_DEPTH, MAX_SYMBOLS};
use crate::symbols::Symbol;
use crate::syntax::Name;

/// Finds the members of all domains and built-in types.
pub(super) fn resolve(context: &mut Context<'_>) {
    let domains = &context.program.domains;
    let texts = domains.iter().map(|domain| context.text(domain.0).to_owned());
    context.sets = texts.map(|text| Set { text, ..Set::default() }).collect();
    (0..domains.len()).for_each(|domain| context.fill(domain));
    let span = context.program.graphs.first().map_or(Span::at(0), |graph| graph.name.span);
    let [player, score, truth, system, zero, one, keeper, random] =
        ["Player", "Score", "Bool", "PlayerOrSystem", "0", "1", "keeper", "random"]
            .map(|name| Name { symbol: context.terms.symbols.intern(name), span });
    for (name, example) in [(player, "first | second"), (score, "0 | 50 | 100")] {
        if !context.set_names.contains_key(&name.symbol) {
            let help = format!("add `domain {} = {example}`", context.text(name));
            let known = domains.iter().map(|domain| domain.0.symbol);
            context.unknown(name, ["missing-domain", "domain"], known, &help);
        }
    }
    let players = context.set_names.get(&player.symbol).map(|set| &context.sets[*set]);
    let broken = players.is_none_or(|set| set.broken);
    let mut system_members: Vec<Name> =
        players.into_iter().flat_map(|set| set.members.iter().map(|member| member.1)).collect();
    system_members.extend([keeper, random]);
    for (name, members, broken) in
        [(truth, vec![zero, one], false), (system, system_members, broken)]
    {
        if !context.set_names.contains_key(&name.symbol) {
            let set = context.add_set(context.text(name).to_owned(), members);
            context.sets[set].broken = broken;
            context.set_names.insert(name.symbol, set);
        }
    }
}

impl Context<'_> {
    /// Finds the members of a domain, after those of all domains that it names.
    fn fill(&mut self, domain: SetId) {
        if std::mem::replace(&mut self.sets[domain].begun, true) {
            return;
        }
        self.waiting.push(domain);
        let mut whole = true;
        for (form, ranges) in &self.program.domains[domain].1 {
            let name = match form {
                Pattern::Bind(name) | Pattern::Literal(name) => Some(*name),
                _ => None,
            };
            let other = name.and_then(|name| self.set_names.get(&name.symbol).copied());
            whole &= match (name, other) {
                (Some(name), Some(other)) => self.add_all(domain, other, name),
                (Some(name), None) => {
                    let term = self.terms.atom(name.symbol);
                    self.add(domain, term, name.span)
                }
                _ => self.add_form(domain, form, ranges),
            }
            .is_some();
        }
        self.waiting.pop();
        self.sets[domain].broken = !whole;
    }

    /// Adds all members of another domain.
    fn add_all(&mut self, domain: SetId, other: SetId, name: Name) -> Option<()> {
        if let Some(from) = self.waiting.iter().position(|waiting| *waiting == other) {
            let cycle = self.waiting[from..].iter().chain([&other]);
            let cycle: Vec<&str> = cycle.map(|set| self.sets[*set].text.as_str()).collect();
            let message = format!("a domain contains itself: {}", cycle.join(" > "));
            self.fault("cycle", name.span, [&message, "expected a symbol", "delete it here"]);
            return None;
        }
        if self.waiting.len() > MAX_DEPTH {
            let help = "list the elements themselves";
            self.exceeded(name.span, MAX_DEPTH, "domains in each other", help);
            return None;
        }
        self.fill(other);
        for place in 0..self.sets[other].members.len() {
            self.add(domain, self.sets[other].members[place].0, name.span)?;
        }
        (!self.sets[other].broken).then_some(())
    }

    /// Adds a member, unless it is there.
    fn add(&mut self, domain: SetId, term: Term, span: Span) -> Option<()> {
        let symbol = self.terms.symbol(term)?;
        let set = &mut self.sets[domain];
        if set.symbols.insert(symbol) {
            set.members.push((term, Name { symbol, span }));
            self.members += 1;
        }
        let (most, what) = if self.sets[domain].members.len() > MAX_SYMBOLS {
            (MAX_SYMBOLS, "elements of a domain")
        } else if self.members > self.bounds.members {
            (self.bounds.members, "elements of all domains")
        } else {
            return Some(());
        };
        self.exceeded(span, most, what, "make the ranges smaller");
        None
    }

    /// Adds all elements of a form, with the first argument slowest.
    fn add_form(&mut self, domain: SetId, form: &Pattern, ranges: &Ranges) -> Option<()> {
        let Pattern::Compound(_, arguments, span) = form else { return self.key(form).map(|_| ()) };
        let place = |name: Symbol| {
            let is = |form: &Pattern| matches!(form, Pattern::Bind(other) if other.symbol == name);
            arguments.iter().position(is)
        };
        let mut choices = self.choices(ranges)?;
        choices.retain(|choice| place(choice.0).is_some());
        choices.sort_by_key(|choice| place(choice.0));
        self.combinations(&choices, *span, |context| {
            let key = context.key(form)?;
            context.add(domain, key, *span)
        })
    }

    /// Does something for all combinations of values of names, with the last name fastest.
    pub(super) fn combinations(
        &mut self,
        choices: &[(Symbol, Vec<Term>)],
        span: Span,
        mut each: impl FnMut(&mut Self) -> Option<()>,
    ) -> Option<()> {
        let counts = choices.iter().map(|choice| choice.1.len());
        let top = self.bindings.len();
        (0..counts.fold(1_usize, usize::saturating_mul)).try_for_each(|mut number| {
            self.spend(1, span)?;
            for (name, values) in choices.iter().rev() {
                self.bindings.push((*name, values[number % values.len()]));
                number /= values.len();
            }
            let done = each(self);
            self.bindings.truncate(top);
            done
        })
    }

    /// The names of ranges with their values, or a message on what they cannot be.
    pub(super) fn choices(&mut self, ranges: &Ranges) -> Option<Vec<(Symbol, Vec<Term>)>> {
        let distinct = self.distinct("range", ranges.iter().map(|range| range.0));
        let mut choices = Vec::new();
        for (name, values) in ranges {
            let values = match values {
                RangeValues::Names(names) => {
                    names.iter().map(|name| self.terms.atom(name.symbol)).collect()
                }
                RangeValues::Numbers(low, high) if low > high => {
                    let label = format!("expected the lower number first: `{high}..{low}`");
                    self.fault("empty-range", name.span, ["an empty range", &label, ""]);
                    return None;
                }
                RangeValues::Numbers(low, high) => {
                    self.spend((high - low) as usize, name.span)?;
                    (*low..=*high).map(|number| self.terms.integer(number.into())).collect()
                }
            };
            choices.push((name.symbol, values));
        }
        (distinct.len() == ranges.len()).then_some(choices)
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
                    let text = self.text(*name);
                    let message = format!("`{text}` has no range");
                    let help = format!("add `where {text} in 0..3`, or more to the others");
                    let texts = [&message, "expected a variable with a range", &help];
                    self.fault("missing-range", name.span, texts);
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
        let mut bindings = self.bindings[self.base..].iter().rev();
        bindings.find(|binding| binding.0 == symbol).map(|binding| binding.1)
    }

    /// A constructor with arguments, or a message that it gets too long.
    pub(super) fn compound(&mut self, name: Name, terms: &[Term], span: Span) -> Option<Term> {
        let term = self.terms.compound(name.symbol, terms);
        if term.is_none() {
            let message = format!("the name of this `{}` gets too long", self.text(name));
            let help = "use shorter names, or nest constructors less deep";
            self.fault("too-large", span, [&message, "expected fewer arguments", help]);
        }
        term
    }
}
