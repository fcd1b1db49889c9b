//! From facts and instances to a [`GroundProgram`].

use std::cmp::Ordering;

use crate::front::goal_value;
use crate::ground::fixpoint::Fixpoint;
use crate::ground::program::{
    AtomId, GroundBase, GroundGoal, GroundMove, GroundPercept, GroundProgram, GroundRole,
    GroundRules,
};
use crate::program::RelId;
use crate::symbols::{Symbol, Symbols};
use crate::terms::{TermId, Terms};

struct Assembler<'a> {
    fixpoint: &'a Fixpoint<'a>,
    /// By relation, the atom of its first fact; `None` if its facts are no atoms.
    first: Vec<Option<u32>>,
}

/// Numbers the atoms and writes down the rules.
pub(super) fn assemble(fixpoint: &Fixpoint<'_>) -> GroundProgram {
    let program = fixpoint.program;
    let mut atoms = 0;
    let mut first = Vec::new();
    for (relation, facts) in fixpoint.facts.relations.iter().enumerate() {
        let recorded = fixpoint.clauses.relations[relation].recorded;
        first.push(recorded.then_some(atoms));
        if recorded {
            atoms += facts.len();
        }
    }
    let assembler = Assembler { fixpoint, first };
    let roles = program.roles.iter().map(|&role| GroundRole {
        name: program.symbols.lower(role).to_owned(),
        nature: program.is_nature(role),
    });
    GroundProgram {
        atoms,
        rules: assembler.rules(),
        roles: roles.collect(),
        bases: assembler.bases(),
        moves: assembler.moves(),
        goals: assembler.goals(),
        terminal: assembler.find(RelId::TERMINAL, &[]),
        percepts: assembler.percepts(),
    }
}

impl Assembler<'_> {
    fn tuples(&self, relation: RelId) -> impl Iterator<Item = &[u32]> + '_ {
        self.fixpoint.facts.relations[relation.index()].iter()
    }

    fn atom(&self, relation: usize, number: u32) -> Option<AtomId> {
        self.first[relation].map(|first| AtomId(first + number))
    }

    fn find(&self, relation: RelId, tuple: &[u32]) -> Option<AtomId> {
        let number = self.fixpoint.facts.relations[relation.index()].find(tuple)?;
        self.atom(relation.index(), number)
    }

    fn terms(&self) -> &Terms {
        &self.fixpoint.facts.terms
    }

    fn symbols(&self) -> &Symbols {
        &self.fixpoint.program.symbols
    }

    fn role(&self, term: u32) -> Option<usize> {
        let terms = self.terms();
        let name: Symbol = terms.functor(TermId(term));
        let is_name = terms.args(TermId(term)).is_empty();
        self.fixpoint.program.roles.iter().position(|&role| is_name && role == name)
    }

    fn rules(&self) -> GroundRules {
        let mut rules = GroundRules::default();
        for &(relation, number) in &self.fixpoint.asserted {
            if let Some(head) = self.atom(relation, number) {
                rules.push(head, []);
            }
        }
        // Atoms of negative literals, where they can hold at all.
        let facts = &self.fixpoint.facts.relations;
        let possible: Vec<Vec<Option<u32>>> = (facts.iter().zip(&self.fixpoint.mentioned))
            .map(|(facts, mentioned)| mentioned.iter().map(|tuple| facts.find(tuple)).collect())
            .collect();
        for (clause, instances) in self.fixpoint.clauses.all.iter().zip(&self.fixpoint.instances) {
            let kept: Vec<usize> =
                clause.positive.iter().filter(|p| p.kept).map(|p| p.atom.relation).collect();
            for instance in instances.iter() {
                let Some(head) = self.atom(clause.head.relation, instance[0]) else { continue };
                let positive = kept
                    .iter()
                    .zip(&instance[1..])
                    .filter_map(|(&relation, &number)| self.atom(relation, number))
                    .map(AtomId::positive);
                let negative = clause
                    .negated
                    .iter()
                    .zip(&instance[1 + kept.len()..])
                    .filter_map(|(atom, &number)| {
                        let fact = possible[atom.relation][number as usize]?;
                        self.atom(atom.relation, fact)
                    })
                    .map(AtomId::negative);
                rules.push(head, positive.chain(negative));
            }
        }
        rules
    }

    fn bases(&self) -> Vec<GroundBase> {
        let init = &self.fixpoint.facts.relations[RelId::INIT.index()];
        self.tuples(RelId::TRUE)
            .filter_map(|tuple| {
                Some(GroundBase {
                    now: self.find(RelId::TRUE, tuple)?,
                    next: self.find(RelId::NEXT, tuple),
                    initially: init.find(tuple).is_some(),
                    text: self.terms().show(self.symbols(), TermId(tuple[0])),
                })
            })
            .collect()
    }

    fn moves(&self) -> Vec<GroundMove> {
        let program = self.fixpoint.program;
        let mut all: Vec<(usize, &[u32])> = self
            .tuples(RelId::LEGAL)
            .filter_map(|tuple| self.role(tuple[0]).map(|role| (role, tuple)))
            .collect();
        all.sort_by(|(role_a, a), (role_b, b)| {
            role_a.cmp(role_b).then_with(|| self.compare(TermId(a[1]), TermId(b[1])))
        });
        all.into_iter()
            .filter_map(|(role, tuple)| {
                let action = TermId(tuple[1]);
                Some(GroundMove {
                    role,
                    does: self.find(RelId::DOES, tuple)?,
                    legal: self.find(RelId::LEGAL, tuple)?,
                    pass: program.is_pass(self.terms(), program.roles[role], action),
                    label: self.terms().label(self.symbols(), action),
                    text: self.terms().show(self.symbols(), action),
                })
            })
            .collect()
    }

    /// Orders terms as a reader would: by name, numbers by value, then by arguments.
    fn compare(&self, a: TermId, b: TermId) -> Ordering {
        if a == b {
            return Ordering::Equal;
        }
        let (terms, symbols) = (self.terms(), self.symbols());
        let (f, g) = (terms.functor(a), terms.functor(b));
        let by_name = || {
            let (f, g) = (symbols.lower(f), symbols.lower(g));
            match (f.parse::<u64>(), g.parse::<u64>()) {
                (Ok(x), Ok(y)) => x.cmp(&y).then_with(|| f.cmp(g)),
                _ => f.cmp(g),
            }
        };
        let (args_a, args_b) = (terms.args(a), terms.args(b));
        by_name().then(args_a.len().cmp(&args_b.len())).then_with(|| {
            let pairs = args_a.iter().zip(args_b);
            pairs.fold(Ordering::Equal, |so_far, (&x, &y)| so_far.then_with(|| self.compare(x, y)))
        })
    }

    fn goals(&self) -> Vec<GroundGoal> {
        let mut goals: Vec<GroundGoal> = self
            .tuples(RelId::GOAL)
            .filter_map(|tuple| {
                let value = TermId(tuple[1]);
                let is_constant = self.terms().args(value).is_empty();
                let name = self.symbols().name(self.terms().functor(value));
                Some(GroundGoal {
                    role: self.role(tuple[0])?,
                    value: goal_value(name).filter(|_| is_constant)?,
                    atom: self.find(RelId::GOAL, tuple)?,
                })
            })
            .collect();
        goals.sort_by_key(|g| (g.role, g.value));
        goals
    }

    fn percepts(&self) -> Vec<GroundPercept> {
        let program = self.fixpoint.program;
        self.tuples(RelId::SEES)
            .filter_map(|tuple| {
                let role = self.role(tuple[0])?;
                let is_player = !program.is_nature(program.roles[role]);
                Some(GroundPercept {
                    role: is_player.then_some(role)?,
                    atom: self.find(RelId::SEES, tuple)?,
                    text: self.terms().words(self.symbols(), TermId(tuple[1])),
                })
            })
            .collect()
    }
}
