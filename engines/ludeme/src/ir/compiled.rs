//! The code that there is for rules, and what it leaves to the evaluator.

use std::fmt::{self, Write as _};

use kernel::ir::FunctionId;

use super::{Bool, EffectId, Hop, ITERS, Int, Ints, Iter, Leaf, LeafKind, Moves, Region, Walk};

/// The code of a generator or a condition.
#[derive(Clone, Debug)]
pub(crate) struct Compiled {
    /// The function.
    pub(crate) function: FunctionId,
    /// What it calls the evaluator for.
    pub(crate) parts: Parts,
    /// True if moves are tested before they are taken.
    pub(crate) tests: bool,
    /// The function that gathers all that there is to know of its moves, where there is one.
    pub(crate) gather: Option<FunctionId>,
    /// What that calls the evaluator for.
    pub(crate) gathered: Parts,
    /// By the sources of moves gathered, the function that makes one, where there is one.
    pub(crate) makes: Vec<Option<FunctionId>>,
    /// Where moves are tested, by the same sources what tests a move that has been made; `None` for
    /// sources without tests.
    pub(crate) tries: Option<Vec<Option<MoveTests>>>,
    /// Where moves are tested and positions listed, the function that makes and tests one of those
    /// gathered.
    pub(crate) trial: Option<FunctionId>,
    /// True if the evaluator may be asked while they are gathered.
    pub(crate) asks: bool,
    /// True if something is done before they are looked for.
    pub(crate) does_first: bool,
    /// What it gathers where that is no more than one set of sites, and each move goes where it
    /// comes from.
    pub(crate) only_here: Option<OnlyHere>,
    /// The first numbers of the entries, where these are always the same ones, each with as many
    /// moves as there are or none.
    pub(crate) fixed: Box<[i32]>,
    /// Which of these sources may have moves with the same ends.
    pub(crate) clashes: DuplicatePairs,
    /// The same where dice that have been used stay used.
    pub(crate) clashes_beside_dice: DuplicatePairs,
}

/// Moves to the sites of one set, each from where it goes to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct OnlyHere {
    /// True if the last site comes first.
    pub(crate) descending: bool,
    /// The functions that give the sites and the piece that is placed there, if any is, where
    /// there is no more to know of the moves.
    pub(crate) found: Option<(FunctionId, Option<FunctionId>)>,
}

/// Functions that test a move once it has been made.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct MoveTests {
    /// Says whether it is legal.
    pub(crate) test: FunctionId,
    /// Carries out the consequences that wait for the test, if there are any.
    pub(crate) rest: Option<FunctionId>,
}

/// Pairs of sources whose moves may have the same ends.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct DuplicatePairs(pub(crate) Vec<Vec<usize>>);

impl DuplicatePairs {
    /// True if there are none.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(Vec::is_empty)
    }

    /// Those of a source.
    pub(crate) fn of(&self, source: usize) -> impl Iterator<Item = usize> {
        self.0.get(source).into_iter().flatten().copied()
    }
}

impl Compiled {
    pub(crate) fn new(function: FunctionId, parts: Parts) -> Compiled {
        let tests = parts.tests();
        Compiled {
            function,
            parts,
            tests,
            gather: None,
            gathered: Parts::default(),
            makes: Vec::new(),
            tries: None,
            trial: None,
            asks: false,
            does_first: false,
            only_here: None,
            fixed: Box::default(),
            clashes: DuplicatePairs::default(),
            clashes_beside_dice: DuplicatePairs::default(),
        }
    }
}

impl Moves {
    /// Their code in a table, if it gathers all that there is to know of them.
    pub(crate) fn gathered<'c>(&self, table: &'c [Compiled]) -> Option<&'c Compiled> {
        let Moves::Compiled(code, _) = self else { return None };
        Some(&table[code.0 as usize]).filter(|compiled| compiled.gather.is_some())
    }
}

/// Parts of rules that code calls the evaluator for, by number.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Parts {
    pub(crate) sources: Vec<Source>,
    /// Where moves that are gathered together come from, by where they end; a row of as many sites
    /// as a set has room for, for each group of them.
    pub(crate) origins: Vec<i32>,
    pub(crate) moves: Vec<Moves>,
    pub(crate) bools: Vec<Bool>,
    pub(crate) ints: Vec<Int>,
    pub(crate) regions: Vec<Region>,
    pub(crate) lists: Vec<Ints>,
    /// The generator of whose moves only those count that begin the longest turns, where code
    /// gathers all.
    pub(crate) longest: Option<Longest>,
    /// How many of the generators give no moves that code leaves to the evaluator: those that are
    /// run only where pieces of stacks are gone and still listed, and those of which the evaluator
    /// is asked which part has moves.
    pub(crate) not_left: usize,
}

/// Which of some moves count: those that begin the longest turns, or capture most.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Longest {
    pub(crate) captures: bool,
    pub(crate) with_value: Bool,
}

/// Numbers gathered with a hop: its path, the place of the first piece jumped over, how many there
/// are, and on how many there is an effect.
const OF_HOP: usize = 4;

/// A generator whose moves code gives.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Source {
    pub(crate) kind: SourceKind,
    /// What they have to go through, outermost first.
    pub(crate) wrappers: Vec<Wrapper>,
    /// What is bound around it, outermost first.
    pub(crate) binders: Vec<Binder>,
    /// The parts of choices that it is in, by the numbers of these: of a choice only one part has
    /// moves.
    pub(crate) parts: Vec<(u32, u32)>,
    /// Those of choices that are made anew in each round of the loops around it, where that is
    /// kept.
    pub(crate) parts_of_round: Vec<(u32, u32)>,
    /// Variables that are gathered with its moves, those of hops left out.
    pub(crate) gathered: Vec<Iter>,
    /// The component that moves, where that is known.
    pub(crate) component: Option<u16>,
    /// The player whose turn it is while its moves are found and worked out, if not the mover.
    pub(crate) turn_of: Option<Int>,
    /// True if its moves have a piece, or another number in its place.
    pub(crate) piece: bool,
    /// True if what is gathered is enough to make its moves.
    pub(crate) known: bool,
}

/// What binds variables around a generator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Binder {
    /// The piece that moves: `From`, and `Level`, which is 0.
    Piece,
    /// A piece of a stack: `From` and `Level`.
    Level,
    /// The piece on top of a stack: `From` and `Level`.
    Top,
    /// A site: `Site` and `To`.
    Site,
    Value,
    /// Dice: `Pips` and `Dice`.
    Dice,
    Player,
    /// A site in some direction: `To`, where a move goes, and `Between`.
    Direction,
    /// Something else.
    Other,
}

/// What a variable is bound to where a move is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// Always this.
    To(i32),
    Origin,
    Destination,
    /// A number that was gathered with the move.
    Extra(usize),
}

impl Source {
    /// What the first so many binders around it bind variables to.
    pub(crate) fn bound(&self, binders: usize) -> [Bound; ITERS] {
        const NOTHING: Bound = Bound::To(-1);
        let mut variables = [NOTHING; ITERS];
        let mut bind = |iter: Iter, to: Bound| variables[iter as usize] = to;
        let known = |iter: Iter| self.extra(iter).unwrap_or(NOTHING);
        for binder in &self.binders[..binders] {
            match binder {
                Binder::Piece | Binder::Level | Binder::Top => {
                    bind(Iter::From, self.extra(Iter::From).unwrap_or(Bound::Origin));
                    let alone = *binder == Binder::Piece;
                    bind(Iter::Level, if alone { Bound::To(0) } else { known(Iter::Level) });
                }
                Binder::Direction => {
                    bind(Iter::To, Bound::Destination);
                    bind(Iter::Between, known(Iter::Between));
                }
                Binder::Site => {
                    bind(Iter::Site, known(Iter::Site));
                    bind(Iter::To, known(Iter::Site));
                }
                Binder::Value => bind(Iter::Value, known(Iter::Value)),
                Binder::Dice => {
                    bind(Iter::Pips, known(Iter::Pips));
                    bind(Iter::Dice, known(Iter::Dice));
                }
                Binder::Player => bind(Iter::Player, known(Iter::Player)),
                Binder::Other => {}
            }
        }
        variables
    }

    /// What all binders and itself bind variables to.
    pub(crate) fn bound_inside(&self) -> [Bound; ITERS] {
        let mut variables = self.bound(self.binders.len());
        let ends = [(Iter::From, Bound::Origin), (Iter::To, Bound::Destination)];
        for (iter, end) in ends.into_iter().filter(|(iter, _)| self.kind.binds().contains(iter)) {
            variables[iter as usize] = end;
        }
        if let Some(between) = self.extra(Iter::Between) {
            variables[Iter::Between as usize] = between;
        }
        variables
    }

    /// Numbers gathered with its moves.
    pub(crate) fn numbers(&self) -> usize {
        self.kind.numbers() + self.gathered.len()
    }

    /// Where a variable is among what is gathered, if it is.
    pub(crate) fn extra(&self, iter: Iter) -> Option<Bound> {
        let at = self.gathered.iter().position(|&known| known == iter)?;
        Some(Bound::Extra(self.kind.numbers() + at))
    }

    /// The consequences of its moves, innermost first.
    pub(crate) fn then(&self) -> impl Iterator<Item = EffectId> {
        self.then_before_test().chain(self.then_after_test())
    }

    /// Of the consequences, those that are there when the move is tested.
    pub(crate) fn then_before_test(&self) -> impl Iterator<Item = EffectId> {
        let own = match &self.kind {
            SourceKind::Leaf(leaf) => &leaf.then[..],
            SourceKind::Hop(_) | SourceKind::Single(_) => &[],
        };
        own.iter().copied().chain(consequences(&self.wrappers[self.tested()..]))
    }

    /// The others, in order.
    pub(crate) fn then_after_test(&self) -> impl Iterator<Item = EffectId> {
        consequences(&self.wrappers[..self.tested()])
    }

    /// Of what its moves go through, how much is a test or around one.
    fn tested(&self) -> usize {
        let is_test = |wrapper: &Wrapper| matches!(wrapper, Wrapper::After { .. });
        self.wrappers.iter().rposition(is_test).map_or(0, |last| last + 1)
    }
}

/// The consequences that moves are given, innermost first.
pub(crate) fn consequences(wrappers: &[Wrapper]) -> impl Iterator<Item = EffectId> {
    let of = |wrapper: &Wrapper| match wrapper {
        Wrapper::Then(then) => then.clone(),
        Wrapper::After { .. } | Wrapper::Dice(_) | Wrapper::First(..) => Vec::new(),
    };
    wrappers.iter().rev().flat_map(of)
}

/// Generators whose moves code gives.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum SourceKind {
    Leaf(Box<Leaf>),
    Hop(Box<Hop>),
    /// One move without ends, which the evaluator makes.
    Single(Box<Moves>),
}

impl SourceKind {
    /// Numbers gathered with its moves beside variables.
    pub(crate) fn numbers(&self) -> usize {
        match self {
            SourceKind::Leaf(_) | SourceKind::Single(_) => 0,
            SourceKind::Hop(_) => OF_HOP,
        }
    }

    /// True if its moves are passes.
    pub(crate) fn is_pass(&self) -> bool {
        matches!(self, SourceKind::Leaf(leaf) if matches!(leaf.kind, LeafKind::Pass))
    }

    /// The site where all its moves begin, where that is one number.
    pub(crate) fn origin(&self) -> Option<&Int> {
        match self {
            SourceKind::Leaf(leaf) => leaf.origin(),
            SourceKind::Hop(hop) => Some(&hop.from),
            SourceKind::Single(_) => None,
        }
    }

    /// The variables that the generator binds to the ends of its moves.
    pub(crate) fn binds(&self) -> &'static [Iter] {
        match self {
            SourceKind::Leaf(leaf) => leaf.binds(),
            SourceKind::Hop(_) => &[Iter::From, Iter::To],
            SourceKind::Single(_) => &[],
        }
    }
}

/// What a move goes through before it is taken.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Wrapper {
    /// The test of what holds afterwards, by its number among the conditions, with the variables
    /// kept under a number, and how many binders were around it.
    After { condition: usize, saved: usize, binders: usize },
    /// Further consequences.
    Then(Vec<EffectId>),
    /// The use of dice, with the condition that all may be thrown again where they show the same.
    Dice(Bool),
    /// What is done before, on which it depends what moves there are, and how many binders were
    /// around it.
    First(Box<Moves>, usize),
}

impl Wrapper {
    /// True if it asks for what a binder binds, as it was before a move bound the same variable.
    pub(crate) fn asks_for(&self, binder: usize) -> bool {
        match self {
            Wrapper::After { binders, .. } | Wrapper::First(_, binders) => *binders > binder,
            Wrapper::Then(_) | Wrapper::Dice(_) => false,
        }
    }
}

impl Parts {
    /// True if moves are tested before they are taken.
    pub(crate) fn tests(&self) -> bool {
        self.sources.iter().flat_map(|s| &s.wrappers).any(|w| matches!(w, Wrapper::After { .. }))
    }

    /// True if code gives all moves by itself, and gathers all that there is to know of them.
    pub(crate) fn gathers(&self) -> bool {
        self.moves.len() == self.not_left && self.sources.iter().all(|source| source.known)
    }

    /// Names of the nodes that code leaves to the evaluator.
    pub(crate) fn left(&self) -> impl Iterator<Item = String> {
        let left = if self.moves.len() > self.not_left { &self.moves[..] } else { &[] };
        let single = self.sources.iter().filter_map(|source| match &source.kind {
            SourceKind::Single(moves) => Some(&**moves),
            SourceKind::Leaf(_) | SourceKind::Hop(_) => None,
        });
        // What is a function of its own is left to nobody.
        let is_coded = |moves: &&Moves| matches!(moves, Moves::Compiled(..));
        let moves = left.iter().chain(single).filter(move |moves| !is_coded(moves));
        let bools = self.bools.iter().filter(|test| !matches!(test, Bool::Compiled(..)));
        moves
            .map(|moves| format!("moves `{}`", node_name(moves)))
            .chain(bools.map(|test| format!("condition `{}`", node_name(test))))
            .chain(self.ints.iter().map(|int| format!("number `{}`", node_name(int))))
            .chain(self.regions.iter().map(|region| format!("region `{}`", node_name(region))))
            .chain(self.lists.iter().map(|list| format!("list `{}`", node_name(list))))
    }

    /// True if the moves of a source are passes.
    pub(crate) fn is_pass(&self, source: i32) -> bool {
        let source = usize::try_from(source).ok().and_then(|s| self.sources.get(s));
        source.is_some_and(|source| source.kind.is_pass())
    }

    /// The sources of passes.
    pub(crate) fn passes(&self) -> Vec<i32> {
        let sources = (0..).zip(&self.sources);
        sources.filter(|(_, source)| source.kind.is_pass()).map(|(number, _)| number).collect()
    }

    /// Adds a part, and gives its number.
    pub(crate) fn add<T>(list: &mut Vec<T>, part: T) -> i32 {
        list.push(part);
        list.len() as i32 - 1
    }
}

/// The name of a node of the rules, without what is in it.
fn node_name(node: &impl fmt::Debug) -> String {
    struct Name(String);
    impl fmt::Write for Name {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            let name = text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            self.0.push_str(name);
            if name.len() == text.len() { Ok(()) } else { Err(fmt::Error) }
        }
    }
    let mut name = Name(String::new());
    // It fails behind the name, where no more is wanted.
    let _ = write!(name, "{node:?}");
    name.0
}
