//! Terms of rules, ready for matching.

use smallvec::SmallVec;

use crate::program::{Atom, Term, TermKind, Var};
use crate::symbols::Symbol;
use crate::terms::{TermId, Terms};

/// A place in a tuple: the number of the argument, then of the argument of that, and so on.
pub(super) type Path = SmallVec<[u32; 4]>;

/// A compound term at a place of a tuple.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Shape {
    pub(super) path: Path,
    pub(super) functor: Symbol,
    pub(super) arity: usize,
}

/// A term of a rule.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Pattern {
    /// Whatever the variable stands for.
    Variable(Var),
    /// A term without variables.
    Ground(TermId),
    /// A compound term with variables inside.
    Compound(Symbol, Box<[Pattern]>),
}

impl Pattern {
    pub(super) fn new(term: &Term, terms: &mut Terms) -> Pattern {
        match &term.kind {
            TermKind::Variable(var) => Pattern::Variable(*var),
            TermKind::Constant(symbol) => Pattern::Ground(terms.constant(*symbol)),
            TermKind::Compound(functor, args) => {
                let args: Box<[Pattern]> = args.iter().map(|a| Pattern::new(a, terms)).collect();
                let ground: Option<Vec<TermId>> = args
                    .iter()
                    .map(|a| if let Pattern::Ground(id) = a { Some(*id) } else { None })
                    .collect();
                match ground {
                    Some(ids) => Pattern::Ground(terms.compound(*functor, &ids)),
                    None => Pattern::Compound(*functor, args),
                }
            }
        }
    }

    /// Calls `f` for every variable.
    pub(super) fn variables(&self, f: &mut impl FnMut(Var)) {
        match self {
            Pattern::Variable(var) => f(*var),
            Pattern::Ground(_) => {}
            Pattern::Compound(_, args) => args.iter().for_each(|a| a.variables(f)),
        }
    }

    /// The term that it stands for, given the variables.
    pub(super) fn instance(&self, slots: &[u32], terms: &mut Terms) -> TermId {
        match self {
            Pattern::Variable(var) => TermId(slots[var.index()]),
            Pattern::Ground(id) => *id,
            Pattern::Compound(functor, args) => {
                let ids: SmallVec<[TermId; 8]> =
                    args.iter().map(|a| a.instance(slots, terms)).collect();
                terms.compound(*functor, &ids)
            }
        }
    }

    /// Whether it stands for this term, given the variables.
    fn is(&self, slots: &[u32], id: TermId, terms: &Terms) -> bool {
        match self {
            Pattern::Variable(var) => slots[var.index()] == id.0,
            Pattern::Ground(own) => *own == id,
            Pattern::Compound(functor, args) => {
                let theirs = terms.args(id);
                terms.functor(id) == *functor
                    && theirs.len() == args.len()
                    && args.iter().zip(theirs).all(|(a, &t)| a.is(slots, t, terms))
            }
        }
    }

    /// Whether the two stand for the same term, given the variables.
    pub(super) fn same(&self, other: &Pattern, slots: &[u32], terms: &Terms) -> bool {
        match (self, other) {
            (Pattern::Variable(var), _) => other.is(slots, TermId(slots[var.index()]), terms),
            (Pattern::Ground(id), _) => other.is(slots, *id, terms),
            (_, Pattern::Variable(_) | Pattern::Ground(_)) => other.same(self, slots, terms),
            (Pattern::Compound(f, a), Pattern::Compound(g, b)) => {
                f == g
                    && a.len() == b.len()
                    && a.iter().zip(b).all(|(x, y)| x.same(y, slots, terms))
            }
        }
    }
}

/// What stands at a place where no further structure is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Leaf {
    Variable(Var),
    Ground(TermId),
}

/// An atom of a rule body, taken apart into places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct AtomPattern {
    pub(super) relation: usize,
    pub(super) args: Box<[Pattern]>,
    pub(super) shapes: Vec<Shape>,
    pub(super) leaves: Vec<(Path, Leaf)>,
}

impl AtomPattern {
    pub(super) fn new(atom: &Atom, terms: &mut Terms) -> AtomPattern {
        let args = atom.args.iter().map(|a| Pattern::new(a, terms)).collect();
        AtomPattern::of(atom.relation.index(), args)
    }

    pub(super) fn of(relation: usize, args: Box<[Pattern]>) -> AtomPattern {
        let (mut shapes, mut leaves) = (Vec::new(), Vec::new());
        for (i, arg) in args.iter().enumerate() {
            take_apart(arg, &Path::from_slice(&[i as u32]), &mut shapes, &mut leaves);
        }
        AtomPattern { relation, args, shapes, leaves }
    }

    pub(super) fn variables(&self, f: &mut impl FnMut(Var)) {
        self.args.iter().for_each(|a| a.variables(f));
    }

    /// The tuple that it stands for, given the variables.
    pub(super) fn instance(&self, slots: &[u32], terms: &mut Terms, tuple: &mut Vec<u32>) {
        tuple.clear();
        tuple.extend(self.args.iter().map(|a| a.instance(slots, terms).0));
    }
}

fn take_apart(
    pattern: &Pattern,
    path: &Path,
    shapes: &mut Vec<Shape>,
    leaves: &mut Vec<(Path, Leaf)>,
) {
    match pattern {
        Pattern::Variable(var) => leaves.push((path.clone(), Leaf::Variable(*var))),
        Pattern::Ground(id) => leaves.push((path.clone(), Leaf::Ground(*id))),
        Pattern::Compound(functor, args) => {
            shapes.push(Shape { path: path.clone(), functor: *functor, arity: args.len() });
            for (i, arg) in args.iter().enumerate() {
                let mut inner = path.clone();
                inner.push(i as u32);
                take_apart(arg, &inner, shapes, leaves);
            }
        }
    }
}
