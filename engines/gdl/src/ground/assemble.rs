//! From facts and instances to a [`GroundProgram`].

use std::cmp::Ordering;

use rustc_hash::FxHashMap;

use super::facts::Known;
use super::{Effort, Grounding};
use crate::datalog::base::Base;
use crate::datalog::flat::FlatId;
use crate::front::goal_value;
use crate::ground::program::{
    AtomId, GroundBase, GroundGoal, GroundMove, GroundPercept, GroundProgram, GroundRole,
    GroundRules,
};
use crate::program::{Program, RelId};
use crate::terms::{TermId, Terms};

struct Assembler<'a> {
    program: &'a Program,
    base: &'a Base,
    known: &'a Known,
    /// By flat relation: the atom of its first fact.
    first: Vec<u32>,
    terms: Terms,
}

/// A fact: its relation, its row, its number, and the terms that are its arguments.
type Fact<'a> = (FlatId, &'a [u32], AtomId, Vec<TermId>);

/// Names what rules are about.
pub(super) fn assemble(
    program: &Program,
    base: &Base,
    known: &Known,
    rules: GroundRules,
    effort: Effort,
) -> Grounding {
    let (first, terms) = (known.first_atoms(base), Terms::default());
    let mut assembler = Assembler { program, base, known, first, terms };
    let roles = program.roles.iter().map(|&role| GroundRole {
        name: program.symbols.lower(role).to_owned(),
        nature: program.is_nature(role),
    });
    let (bases, propositions) = assembler.bases().into_iter().unzip();
    let terminal = assembler.facts(RelId::TERMINAL).first().map(|fact| fact.2);
    let program = GroundProgram {
        atoms: assembler.first[known.facts.len()],
        rules,
        roles: roles.collect(),
        bases,
        moves: assembler.moves(),
        goals: assembler.goals(),
        terminal,
        percepts: assembler.percepts(),
    };
    Grounding { program, terms: assembler.terms, propositions, effort }
}

impl<'a> Assembler<'a> {
    /// The facts of a relation, sorted by their arguments.
    fn facts(&mut self, relation: RelId) -> Vec<Fact<'a>> {
        let mut facts = Vec::new();
        let Assembler { base, known, .. } = *self;
        for id in base.flat.of(relation) {
            for (atom, row) in (self.first[id.index()]..).zip(known.facts[id.index()].rows()) {
                let arguments = base.arguments(&known.pool, id, row, &mut self.terms);
                facts.push((id, row, AtomId(atom), arguments));
            }
        }
        facts.sort_by(|a, b| {
            let pairs = a.3.iter().zip(&b.3);
            pairs.fold(Ordering::Equal, |order, (&a, &b)| order.then_with(|| self.compare(a, b)))
        });
        facts
    }

    fn role(&self, term: TermId) -> Option<usize> {
        let name = self.terms.functor(term);
        let is_name = self.terms.args(term).is_empty();
        self.program.roles.iter().position(|&role| is_name && role == name)
    }

    fn bases(&mut self) -> Vec<(GroundBase, TermId)> {
        let base = self.base;
        let next = self.facts(RelId::NEXT).into_iter().map(|(id, row, atom, _)| ((id, row), atom));
        let next: FxHashMap<(FlatId, &[u32]), AtomId> = next.collect();
        let facts = self.facts(RelId::TRUE);
        let of = |(id, row, now, arguments): Fact<'_>| {
            let init = &base.statics.relations[base.flat.counterpart(id, RelId::INIT).index()];
            let base = GroundBase {
                now,
                next: next.get(&(base.flat.counterpart(id, RelId::NEXT), row)).copied(),
                initially: init.as_ref().is_some_and(|extent| extent.contains(row)),
                text: self.terms.show(&self.program.symbols, arguments[0]),
            };
            (base, arguments[0])
        };
        facts.into_iter().map(of).collect()
    }

    fn moves(&mut self) -> Vec<GroundMove> {
        let Assembler { program, base, .. } = *self;
        let facts = self.facts(RelId::LEGAL);
        let of = |(id, _, legal, arguments): Fact<'_>| {
            let (role, action) = (self.role(arguments[0])?, arguments[1]);
            let does = self.first[base.flat.counterpart(id, RelId::DOES).index()];
            Some(GroundMove {
                role,
                does: AtomId(does + legal.0 - self.first[id.index()]),
                legal,
                pass: program.is_pass(&self.terms, program.roles[role], action),
                label: self.terms.label(&program.symbols, action),
                text: self.terms.show(&program.symbols, action),
            })
        };
        let mut moves: Vec<GroundMove> = facts.into_iter().filter_map(of).collect();
        moves.sort_by_key(|m| m.role);
        moves
    }

    /// Orders terms as a reader would: by name, numbers by value, then by arguments.
    fn compare(&self, a: TermId, b: TermId) -> Ordering {
        if a == b {
            return Ordering::Equal;
        }
        let (terms, symbols) = (&self.terms, &self.program.symbols);
        let (f, g) = (terms.functor(a), terms.functor(b));
        let by_name = || {
            let (f, g) = (symbols.lower(f), symbols.lower(g));
            // Numbers by their value, and all of them before other words that begin with a digit.
            let rank = |name: &str| match name.parse::<u64>() {
                Ok(number) => (1, number),
                Err(_) => (if name < "0" { 0 } else { 2 }, 0),
            };
            rank(f).cmp(&rank(g)).then_with(|| f.cmp(g))
        };
        let (args_a, args_b) = (terms.args(a), terms.args(b));
        by_name().then(args_a.len().cmp(&args_b.len())).then_with(|| {
            let pairs = args_a.iter().zip(args_b);
            pairs.fold(Ordering::Equal, |so_far, (&x, &y)| so_far.then_with(|| self.compare(x, y)))
        })
    }

    fn goals(&mut self) -> Vec<GroundGoal> {
        let facts = self.facts(RelId::GOAL);
        let of = |(_, _, atom, arguments): Fact<'_>| {
            let is_constant = self.terms.args(arguments[1]).is_empty();
            let name = self.program.symbols.name(self.terms.functor(arguments[1]));
            Some(GroundGoal {
                role: self.role(arguments[0])?,
                value: goal_value(name).filter(|_| is_constant)?,
                atom,
            })
        };
        let mut goals: Vec<GroundGoal> = facts.into_iter().filter_map(of).collect();
        goals.sort_by_key(|g| (g.role, g.value));
        goals
    }

    fn percepts(&mut self) -> Vec<GroundPercept> {
        let facts = self.facts(RelId::SEES);
        let of = |(_, _, atom, arguments): Fact<'_>| {
            let role = self.role(arguments[0])?;
            let is_player = !self.program.is_nature(self.program.roles[role]);
            Some(GroundPercept {
                role: is_player.then_some(role)?,
                atom,
                text: self.terms.words(&self.program.symbols, arguments[1]),
            })
        };
        facts.into_iter().filter_map(of).collect()
    }
}
