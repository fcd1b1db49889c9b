//! Rules without compound terms: every relation becomes as many *flat relations* as there are ways
//! to fill its arguments, each with one column a constant; `(true (cell ?f ?r ?p))` becomes a
//! relation of three columns. Rules are specialised accordingly. Only where terms nest in
//! themselves, or there are too many ways, a column holds whole terms.

use rustc_hash::FxHashMap;

use super::shapes::{NodeId, Shape, Shapes};
use crate::program::RelId;
use crate::symbols::Symbol;

/// A flat relation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct FlatId(pub(crate) u32);

impl FlatId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The properties of a flat relation.
#[derive(Clone, Debug)]
pub(crate) struct FlatRelation {
    pub(crate) relation: RelId,
    /// The shapes by which the arguments of the relation are made from the columns, in order.
    pub(crate) shapes: Box<[Shape]>,
    /// By column: the position whose constants it holds; `None` for whole terms.
    pub(crate) columns: Vec<Option<NodeId>>,
}

/// A term in a column.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum FlatTerm {
    Var(u32),
    Const(Symbol),
    /// A compound term in a column for whole terms.
    Pattern(Symbol, Box<[FlatTerm]>),
}

/// A flat relation with what stands in its columns.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct FlatAtom {
    pub(crate) relation: FlatId,
    pub(crate) columns: Vec<FlatTerm>,
}

/// A condition of a flat rule.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum FlatLiteral {
    Positive(FlatAtom),
    Negative(FlatAtom),
    /// At least one of the pairs differs.
    Differ(Vec<(FlatTerm, FlatTerm)>),
}

/// A rule over flat relations.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct FlatRule {
    pub(crate) head: FlatAtom,
    pub(crate) body: Vec<FlatLiteral>,
    /// Variables are numbered below this.
    pub(crate) variables: u32,
}

/// A program over flat relations.
pub(crate) struct FlatProgram {
    pub(crate) relations: Vec<FlatRelation>,
    pub(crate) rules: Vec<FlatRule>,
    /// By rule: the rule of the program that it was, in their order.
    pub(crate) origins: Vec<usize>,
    pub(crate) facts: Vec<FlatAtom>,
    /// By relation, where its flat relations begin; one entry more than relations.
    pub(super) first: Vec<u32>,
    /// The argument domains of the relations.
    pub(crate) shapes: Shapes,
}

impl FlatProgram {
    /// The flat relations of a relation.
    pub(crate) fn of(&self, relation: RelId) -> impl Iterator<Item = FlatId> + use<> {
        (self.first[relation.index()]..self.first[relation.index() + 1]).map(FlatId)
    }

    /// The flat relations that are of the program's.
    pub(crate) fn named(&self) -> &[FlatRelation] {
        &self.relations[..self.first[self.first.len() - 1] as usize]
    }

    /// Adds a relation that is none of the program's, for a part of the condition of a rule.
    pub(crate) fn add_part(&mut self, columns: Vec<Option<NodeId>>) -> FlatId {
        // Nothing looks for it by the relation that it is of.
        self.relations.push(FlatRelation {
            relation: RelId::BASE,
            shapes: Box::default(),
            columns,
        });
        FlatId(self.relations.len() as u32 - 1)
    }

    /// The flat relation of `to` that has the same shape as `id` has in another relation that
    /// shares its arguments.
    pub(crate) fn counterpart(&self, id: FlatId, to: RelId) -> FlatId {
        let from = self.relations[id.index()].relation;
        FlatId(id.0 - self.first[from.index()] + self.first[to.index()])
    }
}

/// The relations that playing needs.
pub(crate) const PLAYED: [RelId; 6] =
    [RelId::INIT, RelId::LEGAL, RelId::NEXT, RelId::TERMINAL, RelId::GOAL, RelId::SEES];

impl FlatTerm {
    /// Calls `f` for every occurrence of a variable.
    pub(crate) fn for_each_variable(&self, f: &mut dyn FnMut(u32)) {
        match self {
            FlatTerm::Var(var) => f(*var),
            FlatTerm::Const(_) => {}
            FlatTerm::Pattern(_, args) => args.iter().for_each(|a| a.for_each_variable(f)),
        }
    }

    fn renumber(&mut self, numbers: &mut FxHashMap<u32, u32>) {
        match self {
            FlatTerm::Var(var) => {
                let next = numbers.len() as u32;
                *var = *numbers.entry(*var).or_insert(next);
            }
            FlatTerm::Const(_) => {}
            FlatTerm::Pattern(_, args) => args.iter_mut().for_each(|a| a.renumber(numbers)),
        }
    }
}

impl FlatLiteral {
    /// The atom that is to hold.
    pub(crate) fn positive(&self) -> Option<&FlatAtom> {
        if let FlatLiteral::Positive(atom) = self { Some(atom) } else { None }
    }

    /// Calls `f` for every term.
    pub(crate) fn for_each_term<'a>(&'a self, f: &mut dyn FnMut(&'a FlatTerm)) {
        match self {
            FlatLiteral::Positive(atom) | FlatLiteral::Negative(atom) => {
                atom.columns.iter().for_each(f);
            }
            FlatLiteral::Differ(pairs) => pairs.iter().for_each(|(a, b)| {
                f(a);
                f(b);
            }),
        }
    }

    /// Its variables, as often as they stand there.
    pub(crate) fn variables(&self) -> Vec<u32> {
        let mut all = Vec::new();
        self.for_each_term(&mut |term| term.for_each_variable(&mut |var| all.push(var)));
        all
    }
}

impl FlatAtom {
    /// Its variables, as often as they stand there.
    pub(crate) fn variables(&self) -> Vec<u32> {
        let mut all = Vec::new();
        self.columns.iter().for_each(|term| term.for_each_variable(&mut |var| all.push(var)));
        all
    }
}

impl FlatRule {
    /// Numbers the variables from 0 in the order of their first occurrence.
    pub(super) fn number(&mut self) {
        let mut numbers = FxHashMap::default();
        for literal in &mut self.body {
            match literal {
                FlatLiteral::Positive(atom) | FlatLiteral::Negative(atom) => {
                    atom.columns.iter_mut().for_each(|c| c.renumber(&mut numbers));
                }
                FlatLiteral::Differ(pairs) => {
                    for (a, b) in pairs {
                        a.renumber(&mut numbers);
                        b.renumber(&mut numbers);
                    }
                }
            }
        }
        self.head.columns.iter_mut().for_each(|c| c.renumber(&mut numbers));
        self.variables = numbers.len() as u32;
    }
}
