//! Takes bodies with `or`, `and` and nested `not` apart into cases that are plain conjunctions
//! (disjunctive normal form), and equations `(not (distinct t u))` away by unification.

use text::{Diagnostic, Span};

use crate::limits::{MAX_BINDINGS, MAX_CASES, MAX_TERM_NODES};
use crate::program::{Atom, Literal, Term, TermKind, Var};

/// The body of a rule as written.
#[derive(Clone, Debug)]
pub(super) enum Formula {
    Atom(Atom),
    Distinct(Term, Term),
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
}

#[derive(Clone, Copy)]
enum Part<'a> {
    Positive(&'a Atom),
    Negative(&'a Atom),
    Distinct(&'a Term, &'a Term),
    Equal(&'a Term, &'a Term),
}

type Conjunction<'a> = Vec<Part<'a>>;

/// The cases of the rule `head <= formulas`, each with its own head, since unification may have
/// changed it. Empty where the body contradicts itself.
pub(super) fn cases(
    head: &Atom,
    formulas: Vec<Formula>,
    rule: Span,
    max_literals: usize,
) -> Result<Vec<(Atom, Vec<Literal>)>, Box<Diagnostic>> {
    let too_many = |what: String| {
        Box::new(
            Diagnostic::error("too-many-cases", rule, "this rule has too many cases")
                .label(what)
                .help("give the inner `or` a relation of its own"),
        )
    };
    let all = Formula::And(formulas);
    let mut budget = max_literals;
    let conjunctions = expand(&all, true, &mut budget)
        .ok_or_else(|| too_many(format!("more than {MAX_CASES} after `or` is taken apart")))?;
    let mut out = Vec::with_capacity(conjunctions.len());
    for conjunction in conjunctions {
        match case(head, &conjunction) {
            Ok(Some(case)) => out.push(case),
            Ok(None) => {}
            Err(TooLarge) => return Err(too_many("equations make its terms too large".to_owned())),
        }
    }
    Ok(out)
}

/// Disjunctive normal form of `formula`, or of its negation; `None` where it is too large.
fn expand<'a>(
    formula: &'a Formula,
    positive: bool,
    budget: &mut usize,
) -> Option<Vec<Conjunction<'a>>> {
    match formula {
        Formula::Atom(atom) => {
            let part = if positive { Part::Positive(atom) } else { Part::Negative(atom) };
            Some(vec![vec![part]])
        }
        Formula::Distinct(a, b) => {
            let part = if positive { Part::Distinct(a, b) } else { Part::Equal(a, b) };
            Some(vec![vec![part]])
        }
        Formula::Not(inner) => expand(inner, !positive, budget),
        Formula::And(parts) if positive => product(parts, positive, budget),
        Formula::Or(parts) if !positive => product(parts, positive, budget),
        Formula::And(parts) | Formula::Or(parts) => {
            let mut all = Vec::new();
            for part in parts {
                all.extend(expand(part, positive, budget)?);
                if all.len() > MAX_CASES {
                    return None;
                }
            }
            Some(all)
        }
    }
}

fn product<'a>(
    parts: &'a [Formula],
    positive: bool,
    budget: &mut usize,
) -> Option<Vec<Conjunction<'a>>> {
    let mut all: Vec<Conjunction<'a>> = vec![Vec::new()];
    for part in parts {
        let choices = expand(part, positive, budget)?;
        if let [only] = &choices[..] {
            // The usual case: no copies.
            for conjunction in &mut all {
                *budget = budget.checked_sub(only.len())?;
                conjunction.extend_from_slice(only);
            }
            continue;
        }
        if all.len() * choices.len() > MAX_CASES {
            return None;
        }
        let mut next = Vec::with_capacity(all.len() * choices.len());
        for conjunction in &all {
            for choice in &choices {
                *budget = budget.checked_sub(conjunction.len() + choice.len())?;
                next.push([&conjunction[..], &choice[..]].concat());
            }
        }
        all = next;
    }
    Some(all)
}

struct TooLarge;

fn case(head: &Atom, conjunction: &[Part<'_>]) -> Result<Option<(Atom, Vec<Literal>)>, TooLarge> {
    let mut bindings = Bindings::default();
    for part in conjunction {
        if let Part::Equal(a, b) = part
            && !bindings.unify(a, b)?
        {
            return Ok(None);
        }
    }
    let mut body = Vec::with_capacity(conjunction.len());
    for part in conjunction {
        body.push(match part {
            Part::Positive(atom) => Literal::Positive(bindings.atom(atom)?),
            Part::Negative(atom) => Literal::Negative(bindings.atom(atom)?),
            Part::Distinct(a, b) => Literal::Distinct(bindings.term(a)?, bindings.term(b)?),
            Part::Equal(..) => continue,
        });
    }
    Ok(Some((bindings.atom(head)?, body)))
}

/// A substitution in triangular form: terms may hold bound variables.
#[derive(Default)]
struct Bindings(Vec<(Var, Term)>);

impl Bindings {
    fn get(&self, var: Var) -> Option<&Term> {
        self.0.iter().find(|(v, _)| *v == var).map(|(_, t)| t)
    }

    fn atom(&self, atom: &Atom) -> Result<Atom, TooLarge> {
        if self.0.is_empty() {
            return Ok(atom.clone());
        }
        let args = atom.args.iter().map(|a| self.term(a)).collect::<Result<_, _>>()?;
        Ok(Atom { relation: atom.relation, args, span: atom.span })
    }

    fn term(&self, term: &Term) -> Result<Term, TooLarge> {
        if self.0.is_empty() {
            return Ok(term.clone());
        }
        self.substitute(term, &mut MAX_TERM_NODES.clone(), 0)
    }

    fn substitute(&self, term: &Term, nodes: &mut usize, depth: usize) -> Result<Term, TooLarge> {
        *nodes = nodes.checked_sub(1).ok_or(TooLarge)?;
        if depth > text::MAX_DEPTH {
            return Err(TooLarge);
        }
        let kind = match &term.kind {
            TermKind::Variable(var) => match self.get(*var) {
                Some(bound) => self.substitute(bound, nodes, depth + 1)?.kind,
                None => TermKind::Variable(*var),
            },
            TermKind::Constant(symbol) => TermKind::Constant(*symbol),
            TermKind::Compound(functor, args) => {
                let args: Result<Box<[Term]>, TooLarge> =
                    args.iter().map(|a| self.substitute(a, nodes, depth + 1)).collect();
                TermKind::Compound(*functor, args?)
            }
        };
        Ok(Term { kind, span: term.span })
    }

    /// True if the terms can be made equal; they then are.
    fn unify(&mut self, a: &Term, b: &Term) -> Result<bool, TooLarge> {
        let (a, b) = (self.term(a)?, self.term(b)?);
        match (&a.kind, &b.kind) {
            (TermKind::Variable(x), TermKind::Variable(y)) if x == y => Ok(true),
            (TermKind::Variable(_), _) | (_, TermKind::Variable(_))
                if self.0.len() >= MAX_BINDINGS =>
            {
                Err(TooLarge)
            }
            (TermKind::Variable(var), _) => Ok(self.bind(*var, b)),
            (_, TermKind::Variable(var)) => Ok(self.bind(*var, a)),
            (TermKind::Compound(f, xs), TermKind::Compound(g, ys)) => {
                if f != g || xs.len() != ys.len() {
                    return Ok(false);
                }
                for (x, y) in xs.iter().zip(ys) {
                    if !self.unify(x, y)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (x, y) => Ok(x == y),
        }
    }

    /// Binds unless the variable occurs in the term, which no finite term satisfies.
    fn bind(&mut self, var: Var, term: Term) -> bool {
        let mut occurs = false;
        term.for_each_variable(&mut |v, _| occurs |= v == var);
        if !occurs {
            self.0.push((var, term));
        }
        !occurs
    }
}
