//! Actions: which a role has, in which order, what they are, and which of them are passes.

use std::ops::Range;

use smallvec::SmallVec;

use crate::datalog::base::{Argument, Base};
use crate::datalog::flat::FlatId;
use crate::datalog::layout::{Dense, Layout, Layouts};
use crate::datalog::shapes::Shape;
use crate::datalog::store::Store;
use crate::program::{Program, RelId, Term, TermKind};
use crate::symbols::Symbol;
use crate::terms::Terms;

/// Possible tuples of a relation of `legal` up to which its actions are read from its bits.
const MAX_BY_BITS: u32 = 1 << 15;

/// An action that is legal in a state: a tuple of one of the flat relations of `legal`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Action {
    pub(super) relation: u32,
    /// The number of the tuple among all possible ones, where the relation is numbered; else the
    /// place of its row in the state.
    pub(super) tuple: u32,
}

/// Values of a row.
pub(super) type Row = SmallVec<[u32; 8]>;

/// The location in the store of a fact about a role and another argument.
#[derive(Clone, Debug)]
pub(super) struct Access {
    pub(super) id: FlatId,
    pub(super) slot: usize,
    pub(super) role: Argument,
    pub(super) second: Argument,
}

/// A flat relation of `legal`.
#[derive(Clone, Debug)]
pub(super) struct Legal {
    pub(super) access: Access,
    /// The flat relation of `does` of the same shape.
    pub(super) does: usize,
    pub(super) passes: Passes,
    /// The numbering by which actions are listed, if not in the order of their derivation: the
    /// order is the state's own then, however it was reached.
    numbered: Option<Numbered>,
}

/// The numbers of the tuples of a relation.
#[derive(Clone, Debug)]
struct Numbered {
    dense: Dense,
    /// The first word of its bits, where actions are read from them; else the rows are sorted.
    word: Option<usize>,
    /// The numbers of each role.
    of_role: Vec<Range<usize>>,
}

/// True if the actions of a relation are read from its bits, so that its rows are not needed.
pub(super) fn by_bits(layout: &Layout) -> bool {
    layout.bits.as_ref().is_some_and(|(dense, _)| dense.size <= MAX_BY_BITS)
}

impl Numbered {
    fn new(layout: &Layout, role: Argument, roles: &[u32]) -> Option<Numbered> {
        let (dense, word) = layout.bits.clone()?;
        let word = by_bits(layout).then_some(word as usize);
        let all = 0..dense.size as usize;
        let of_role = |value: u32| match role {
            Argument::Value(of_all) if of_all == value => all.clone(),
            Argument::Column(0) => {
                let Some(first) = dense.columns.first() else { return 0..0 };
                let each = first.multiplier as usize;
                match value.wrapping_sub(first.low) {
                    offset if offset < first.size => {
                        let start = offset as usize * each;
                        start..start + each
                    }
                    _ => 0..0,
                }
            }
            _ => 0..0,
        };
        let of_role = roles.iter().map(|&value| of_role(value)).collect();
        Some(Numbered { dense, word, of_role })
    }
}

impl Legal {
    pub(super) fn new(
        program: &Program,
        base: &Base,
        layouts: &Layouts,
        access: Access,
        does: usize,
        roles: &[u32],
    ) -> Legal {
        let passes = Passes::new(program, base, &access);
        let numbered = Numbered::new(&layouts.relations[access.slot], access.role, roles);
        Legal { access, does, passes, numbered }
    }

    /// True if the order of its actions is the state's own.
    pub(super) fn is_numbered(&self) -> bool {
        self.numbered.is_some()
    }

    /// Calls `found` for each action of the role with this place and value.
    pub(super) fn each(
        &self,
        store: &Store,
        layouts: &Layouts,
        (role, value): (usize, u32),
        found: &mut impl FnMut(u32),
    ) {
        if store.relations[self.access.slot].len == 0 {
            return;
        }
        if let Some(numbered) = &self.numbered {
            let range = numbered.of_role[role].clone();
            if let Some(word) = numbered.word {
                return store.numbers(word, range, found);
            }
            let rows = store.rows(layouts, self.access.slot);
            let numbers = rows.filter_map(|(_, row)| numbered.dense.number(row));
            let mut numbers: SmallVec<[u32; 64]> =
                numbers.filter(|number| range.contains(number)).map(|n| n as u32).collect();
            numbers.sort_unstable();
            return numbers.into_iter().for_each(found);
        }
        let rows = store.rows(layouts, self.access.slot);
        let own = rows.filter(|(_, row)| self.access.role.of(row) == Some(value));
        own.for_each(|(place, _)| found(place));
    }

    /// The values of an action.
    pub(super) fn row(&self, store: &Store, layouts: &Layouts, tuple: u32) -> Row {
        match &self.numbered {
            Some(numbered) => numbered.dense.tuple(tuple).collect(),
            None => store.row(layouts, self.access.slot, tuple).into(),
        }
    }
}

/// The actions of a flat relation of `legal` that only hand on the turn, see [`Program::is_pass`].
#[derive(Clone, Debug)]
pub(super) enum Passes {
    /// None.
    Never,
    /// The constants with these values: by role, and sorted.
    Some(Vec<Vec<u32>>),
    /// It has to be found out action by action.
    Ask,
}

impl Passes {
    fn new(program: &Program, base: &Base, legal: &Access) -> Passes {
        match &base.flat.relations[legal.id.index()].shapes[1] {
            &Shape::Exactly(symbol) => Passes::of(program, base, &[symbol]),
            &Shape::Constant(node) => {
                let constants: Vec<Symbol> = base.flat.shapes.constants(node).iter().collect();
                // Sheets made by machines have thousands of constant actions; few are ever asked
                // for.
                if constants.len() > 64 {
                    return Passes::Ask;
                }
                Passes::of(program, base, &constants)
            }
            Shape::Compound(functor, args) => {
                let literals = program.rules.iter().flat_map(|rule| &rule.body);
                let does = literals.filter_map(|literal| literal.atom());
                let mut does = does.filter(|atom| atom.relation == RelId::DOES);
                if does.any(|atom| matches_all(&atom.args, *functor, args.len())) {
                    Passes::Never
                } else {
                    Passes::Ask
                }
            }
            Shape::Anything => Passes::Ask,
        }
    }

    fn of(program: &Program, base: &Base, constants: &[Symbol]) -> Passes {
        let mut terms = Terms::default();
        let by_role = program.roles.iter().map(|&role| {
            let mut passes: Vec<u32> = constants
                .iter()
                .filter(|&&c| {
                    let action = terms.constant(c);
                    program.is_pass(&terms, role, action)
                })
                .map(|&c| base.universe.value(c))
                .collect();
            passes.sort_unstable();
            passes
        });
        Passes::Some(by_role.collect())
    }
}

/// True if a `does` literal matches all actions with this functor, whoever takes them.
fn matches_all(args: &[Term], functor: Symbol, arity: usize) -> bool {
    let variable = |term: &Term| match term.kind {
        TermKind::Variable(var) => Some(var),
        _ => None,
    };
    let Some(role) = variable(&args[0]) else { return false };
    let mut all = vec![role];
    match &args[1].kind {
        TermKind::Variable(action) => all.push(*action),
        TermKind::Compound(f, inner) if *f == functor && inner.len() == arity => {
            let Some(inner) = inner.iter().map(variable).collect::<Option<Vec<_>>>() else {
                return false;
            };
            all.extend(inner);
        }
        _ => return false,
    }
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    all.len() == count
}
