//! Rules for which there is code, and what it leaves to the evaluator.

use kernel::ir::FunctionId;

use super::{Bool, EffectId, Hop, Int, Ints, Iter, Leaf, Moves, Region};

/// Rules for which there is code.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Compiled<T> {
    /// The function.
    pub(crate) function: FunctionId,
    /// What it was made from.
    pub(crate) rules: T,
    /// What it calls the evaluator for.
    pub(crate) parts: Parts,
    /// Whether moves are tested before they are taken.
    pub(crate) tests: bool,
    /// The function that gathers all that there is to know of its moves, where there is one.
    pub(crate) gather: Option<FunctionId>,
    /// What that calls the evaluator for.
    pub(crate) gathered: Parts,
    /// By the sources of moves gathered, the function that makes one, where there is one.
    pub(crate) makes: Vec<Option<FunctionId>>,
    /// The function of a whole ply, where moves are gathered.
    pub(crate) ply: Option<FunctionId>,
    /// Which of these sources may have moves with the same ends.
    pub(crate) clashes: Clashes,
}

/// Pairs of sources whose moves may have the same ends.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Clashes(pub(crate) Vec<Vec<usize>>);

impl Clashes {
    /// Whether there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(Vec::is_empty)
    }

    /// Those of a source.
    pub(crate) fn of(&self, source: usize) -> impl Iterator<Item = usize> {
        self.0.get(source).into_iter().flatten().copied()
    }
}

impl<T> Compiled<T> {
    pub(crate) fn new(function: FunctionId, rules: T, parts: Parts) -> Compiled<T> {
        let tests = parts.tests();
        Compiled {
            function,
            rules,
            parts,
            tests,
            gather: None,
            gathered: Parts::default(),
            makes: Vec::new(),
            ply: None,
            clashes: Clashes::default(),
        }
    }
}

/// Parts of rules that code calls the evaluator for, by number.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Parts {
    pub(crate) sources: Vec<Source>,
    pub(crate) moves: Vec<Moves>,
    pub(crate) bools: Vec<Bool>,
    pub(crate) ints: Vec<Int>,
    pub(crate) regions: Vec<Region>,
    pub(crate) lists: Vec<Ints>,
    /// How many of the generators are run only where pieces of stacks are gone and still listed.
    pub(crate) of_ghosts: usize,
}

/// Numbers gathered with a hop: its path, the place of the first piece jumped over, how many there are,
/// and on how many there is an effect.
pub(crate) const OF_HOP: usize = 4;

/// A generator whose moves code gives.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Source {
    pub(crate) kind: SourceKind,
    /// What they have to go through, outermost first.
    pub(crate) wrappers: Vec<Wrapper>,
    /// What is bound around it, outermost first.
    pub(crate) binders: Vec<Binder>,
    /// Variables that are gathered with its moves, those of hops left out.
    pub(crate) gathered: Vec<Iter>,
    /// The component that moves, where that is known.
    pub(crate) component: Option<u16>,
    /// Whether its moves have a piece, or another number in its place.
    pub(crate) piece: bool,
    /// Whether what is gathered is enough to make its moves.
    pub(crate) known: bool,
}

/// What binds variables around a generator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Binder {
    /// The piece that moves: `From`, and `Level`, which is 0.
    Piece,
    /// A piece of a stack: `From` and `Level`.
    Level,
    /// A site: `Site` and `To`.
    Site,
    Value,
    Player,
    /// A site in some direction: `To`, where a move goes, and `Between`.
    Direction,
    /// Something else.
    Other,
}

/// Generators whose moves code gives.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum SourceKind {
    Leaf(Box<Leaf>),
    Hop(Box<Hop>),
}

/// What a move goes through before it is taken.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Wrapper {
    /// The test of what holds afterwards, by its number among the conditions, with the variables kept
    /// under a number, and how many binders were around it.
    After { condition: usize, saved: usize, binders: usize },
    /// Further consequences.
    Then(Vec<EffectId>),
}

impl Parts {
    /// Whether moves are tested before they are taken.
    fn tests(&self) -> bool {
        self.sources.iter().flat_map(|s| &s.wrappers).any(|w| matches!(w, Wrapper::After { .. }))
    }

    /// Whether code gives all moves by itself, and gathers all that there is to know of them.
    pub(crate) fn gathers(&self) -> bool {
        self.moves.len() == self.of_ghosts && self.sources.iter().all(|source| source.known)
    }

    /// Adds a part, and gives its number.
    pub(crate) fn add<T>(list: &mut Vec<T>, part: T) -> i32 {
        list.push(part);
        list.len() as i32 - 1
    }
}
