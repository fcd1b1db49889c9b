//! Code made for rules, and the parts of rules that it leaves to the evaluator.

use std::fmt::{self, Write as _};

use kernel::ir::FunctionId;

use super::{Bool, EffectId, Hop, ITERS, Int, Ints, Iter, Leaf, LeafKind, Moves, Region, Walk};

/// The code of a generator or a condition.
#[derive(Clone, Debug)]
pub(crate) struct Compiled {
    /// The function.
    pub(crate) function: FunctionId,
    /// The parts of rules that the function calls the evaluator for.
    pub(crate) parts: EvaluatedParts,
    /// True if moves are tested before they are taken.
    pub(crate) tests: bool,
    /// The function that gathers the moves, with all that has to be known to make them; `None` if
    /// there is none.
    pub(crate) gather: Option<FunctionId>,
    /// The parts of rules that `gather` calls the evaluator for.
    pub(crate) gathered: EvaluatedParts,
    /// By source of gathered moves, the function that makes one of its moves, if there is one.
    pub(crate) makes: Vec<Option<FunctionId>>,
    /// By source of gathered moves, the functions that test a move that has been made; `None` for
    /// sources without tests. `None` altogether if the evaluator tests moves, in copies of states.
    pub(crate) tries: Option<Vec<Option<MoveTests>>>,
    /// The function that makes and tests one of the gathered moves. It exists if moves are tested
    /// and positions are listed.
    pub(crate) trial: Option<FunctionId>,
    /// True if the evaluator may be asked while moves are gathered.
    pub(crate) asks: bool,
    /// True if effects are carried out before moves are looked for.
    pub(crate) does_first: bool,
    /// The set of sites that stands for all moves; `None` if moves have origins other than their
    /// destinations, or more sources than one set.
    pub(crate) only_here: Option<OnlyHere>,
    /// The functions that compute the sites and the piece of all moves, if each goes from a site to
    /// itself, and they are listed in the order of the sites. Known where positions are listed.
    pub(crate) in_order: Option<(FunctionId, Option<FunctionId>)>,
    /// The first numbers of the gathered entries, if these are always the same entries, each with
    /// all its moves or with none.
    pub(crate) fixed: Box<[i32]>,
    /// Pairs of these sources whose moves may have the same ends.
    pub(crate) clashes: DuplicatePairs,
    /// The same pairs if dice that have been used stay used.
    pub(crate) clashes_beside_dice: DuplicatePairs,
}

/// Moves to the sites of one set, each with its destination as its origin.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct OnlyHere {
    /// True if the moves are listed from the last site down.
    pub(crate) descending: bool,
    /// The functions that compute the sites and the piece that is placed there, if any is. `None`
    /// if more has to be known of the moves.
    pub(crate) found: Option<(FunctionId, Option<FunctionId>)>,
}

/// Functions that test a move once it has been made.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct MoveTests {
    /// Computes whether the move is legal.
    pub(crate) test: FunctionId,
    /// Carries out the consequences that wait for the test, if there are any.
    pub(crate) rest: Option<FunctionId>,
}

/// Pairs of sources whose moves may have the same ends.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct DuplicatePairs(pub(crate) Vec<Vec<usize>>);

impl DuplicatePairs {
    /// True if no two sources may have moves with the same ends.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(Vec::is_empty)
    }

    /// The sources whose moves may have the same ends as those of a source.
    pub(crate) fn of(&self, source: usize) -> impl Iterator<Item = usize> {
        self.0.get(source).into_iter().flatten().copied()
    }
}

impl Compiled {
    pub(crate) fn new(function: FunctionId, parts: EvaluatedParts) -> Compiled {
        let tests = parts.tests();
        Compiled {
            function,
            parts,
            tests,
            gather: None,
            gathered: EvaluatedParts::default(),
            makes: Vec::new(),
            tries: None,
            trial: None,
            asks: false,
            does_first: false,
            only_here: None,
            in_order: None,
            fixed: Box::default(),
            clashes: DuplicatePairs::default(),
            clashes_beside_dice: DuplicatePairs::default(),
        }
    }
}

impl Moves {
    /// The code of these moves, if it gathers all that has to be known to make them.
    pub(crate) fn gathered<'c>(&self, table: &'c [Compiled]) -> Option<&'c Compiled> {
        let Moves::Compiled(code, _) = self else { return None };
        Some(&table[code.0 as usize]).filter(|compiled| compiled.gather.is_some())
    }
}

impl Source {
    /// True if it has one move at most to each site, from the site to itself, in the order of the
    /// sites.
    pub(crate) fn adds_in_order(&self) -> bool {
        let adds_one_piece = match &self.kind {
            SourceKind::Leaf(leaf) => {
                matches!(&leaf.kind, LeafKind::Add { pieces, .. } if pieces.len() == 1)
            }
            _ => false,
        };
        adds_one_piece && self.binders.is_empty()
    }
}

/// Parts of rules that code calls the evaluator for, by number.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct EvaluatedParts {
    pub(crate) sources: Vec<Source>,
    /// Origins of moves that are gathered together, by destination: for each group of moves a row
    /// of as many sites as a set has room for.
    pub(crate) origins: Vec<i32>,
    pub(crate) moves: Vec<Moves>,
    pub(crate) bools: Vec<Bool>,
    pub(crate) ints: Vec<Int>,
    pub(crate) regions: Vec<Region>,
    pub(crate) lists: Vec<Ints>,
    /// The choice of the moves that begin the longest turns, if code gathers all moves and the
    /// evaluator chooses.
    pub(crate) longest: Option<Longest>,
    /// Number of the generators in `moves` that give no moves left to the evaluator: those that are
    /// run only if pieces of stacks are gone and still listed, and those of which the evaluator is
    /// only asked which part has moves.
    pub(crate) not_left: usize,
}

/// A choice among moves: those count that begin the longest turns, or capture most.
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
    /// Tests and consequences of its moves, outermost first.
    pub(crate) wrappers: Vec<Wrapper>,
    /// Constructs around it that bind variables, outermost first.
    pub(crate) binders: Vec<Binder>,
    /// The choices that it stands in, each with the number of its part: only one part of a choice
    /// has moves.
    pub(crate) parts: Vec<(u32, u32)>,
    /// The same of choices that are made anew in each round of the loops around them, if that is
    /// kept.
    pub(crate) parts_of_round: Vec<(u32, u32)>,
    /// Variables that are gathered with its moves, those of hops left out.
    pub(crate) gathered: Vec<Iter>,
    /// The component that moves, if it is the same for all moves.
    pub(crate) component: Option<u16>,
    /// The player whose turn it is while moves are found and made, if that is not the mover.
    pub(crate) turn_of: Option<Int>,
    /// True if its moves have a piece, or another number in its place.
    pub(crate) piece: bool,
    /// True if the gathered numbers are enough to make the moves.
    pub(crate) known: bool,
}

/// A construct around a generator that binds variables.
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

/// The value of a variable when a move is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// A constant.
    To(i32),
    Origin,
    Destination,
    /// A number that was gathered with the move.
    Extra(usize),
}

impl Source {
    /// The values of the variables that the outermost `binders` constructs bind.
    pub(crate) fn bound(&self, binders: usize) -> [Bound; ITERS] {
        const NOTHING: Bound = Bound::To(-1);
        let mut variables = [NOTHING; ITERS];
        let mut bind = |iter: Iter, value: Bound| variables[iter as usize] = value;
        let gathered = |iter: Iter| self.extra(iter).unwrap_or(NOTHING);
        for binder in &self.binders[..binders] {
            match binder {
                Binder::Piece | Binder::Level | Binder::Top => {
                    bind(Iter::From, self.extra(Iter::From).unwrap_or(Bound::Origin));
                    let alone = *binder == Binder::Piece;
                    bind(Iter::Level, if alone { Bound::To(0) } else { gathered(Iter::Level) });
                }
                Binder::Direction => {
                    bind(Iter::To, Bound::Destination);
                    bind(Iter::Between, gathered(Iter::Between));
                }
                Binder::Site => {
                    bind(Iter::Site, gathered(Iter::Site));
                    bind(Iter::To, gathered(Iter::Site));
                }
                Binder::Value => bind(Iter::Value, gathered(Iter::Value)),
                Binder::Dice => {
                    bind(Iter::Pips, gathered(Iter::Pips));
                    bind(Iter::Dice, gathered(Iter::Dice));
                }
                Binder::Player => bind(Iter::Player, gathered(Iter::Player)),
                Binder::Other => {}
            }
        }
        variables
    }

    /// The values of the variables that all constructs around it and the generator itself bind.
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

    /// The gathered number that a variable has as its value, if it is gathered.
    pub(crate) fn extra(&self, iter: Iter) -> Option<Bound> {
        let index = self.gathered.iter().position(|&gathered| gathered == iter)?;
        Some(Bound::Extra(self.kind.numbers() + index))
    }

    /// The consequences of its moves, innermost first.
    pub(crate) fn then(&self) -> impl Iterator<Item = EffectId> {
        self.then_before_test().chain(self.then_after_test())
    }

    /// The consequences that are carried out before the move is tested.
    pub(crate) fn then_before_test(&self) -> impl Iterator<Item = EffectId> {
        let own = match &self.kind {
            SourceKind::Leaf(leaf) => &leaf.then[..],
            SourceKind::Hop(_) | SourceKind::Single(_) => &[],
        };
        own.iter().copied().chain(consequences(&self.wrappers[self.tested()..]))
    }

    /// The consequences that are carried out after the test, in order.
    pub(crate) fn then_after_test(&self) -> impl Iterator<Item = EffectId> {
        consequences(&self.wrappers[..self.tested()])
    }

    /// Number of wrappers down to the innermost test.
    fn tested(&self) -> usize {
        let is_test = |wrapper: &Wrapper| matches!(wrapper, Wrapper::After { .. });
        self.wrappers.iter().rposition(is_test).map_or(0, |last| last + 1)
    }
}

/// The consequences that moves are given, innermost first.
pub(crate) fn consequences(wrappers: &[Wrapper]) -> impl Iterator<Item = EffectId> {
    let then = |wrapper: &Wrapper| match wrapper {
        Wrapper::Then(then) => then.clone(),
        Wrapper::After { .. } | Wrapper::Dice(_) | Wrapper::First(..) => Vec::new(),
    };
    wrappers.iter().rev().flat_map(then)
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
    /// Number of numbers gathered with its moves beside variables.
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

    /// The site where all its moves begin, if that is one number.
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

/// A test or an addition that a move passes before it is taken.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Wrapper {
    /// A test of a condition after the move: its number among the conditions, the number under
    /// which variables are kept for it, and the number of binders around it.
    After { condition: usize, saved: usize, binders: usize },
    /// Further consequences.
    Then(Vec<EffectId>),
    /// The use of dice, with the condition under which all dice may be thrown again if they show
    /// the same.
    Dice(Bool),
    /// Effects carried out before, on which it depends which moves there are, and the number of
    /// binders around them.
    First(Box<Moves>, usize),
}

impl Wrapper {
    /// True if it reads the value that a binder gives to a variable before the move itself binds
    /// the same variable.
    pub(crate) fn asks_for(&self, binder: usize) -> bool {
        match self {
            Wrapper::After { binders, .. } | Wrapper::First(_, binders) => *binders > binder,
            Wrapper::Then(_) | Wrapper::Dice(_) => false,
        }
    }
}

impl EvaluatedParts {
    /// True if moves are tested before they are taken.
    pub(crate) fn tests(&self) -> bool {
        self.sources.iter().flat_map(|s| &s.wrappers).any(|w| matches!(w, Wrapper::After { .. }))
    }

    /// True if code gives all moves by itself, and gathers all that has to be known to make them.
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
        // A function of its own is code, so it is left to nobody.
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

    /// Adds a part, and returns its number.
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
