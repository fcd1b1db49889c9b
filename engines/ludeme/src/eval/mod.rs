//! The plain evaluation of rules, node by node, as the language specifies them: the reference that
//! the fast paths are checked against, and the way to play whatever no fast path knows.

// What takes the moves that generators give, and where chance comes from.
mod adapters;
mod chance;
mod made;
mod visitors;

// Conditions: `(is ..)`, `(all ..)`, `(no ..)`, logic and comparisons.
mod angles;
mod bools;
mod graphs;
mod lines;
mod loops;
mod paths;
mod patterns;
mod stack_lines;
mod tile_paths;

// Numbers and lists of numbers.
mod counts;
mod crossings;
mod ints;
mod lists;
mod tracks;

// Regions and groups of sites.
mod elements;
mod groups;
mod regions;

// Generators of moves. `moves` goes through the rules; `leaves` has moves that are known by their
// ends, `composite` and `nested` have those that are put together from others.
mod captures;
mod composite;
mod falls;
mod hops;
mod leaves;
mod longest;
mod moves;
mod nested;
mod outlook;
mod tiles;
mod track_slides;

// What moves do.
mod control;
mod effects;
mod notes;
mod sow;

// Families of ludemes that cut across these sorts.
mod cards;
mod dice;
mod puzzles;

pub(crate) use adapters::{Counting, Mapped, Test, Tested};
pub(crate) use chance::{ChanceSource, HarnessChance, MaybeChance, Recorder, Replayed};
pub(crate) use dice::combined_dice;
pub(crate) use made::Listed;
pub(crate) use visitors::{Legality, Listing, MoveVisitor, NthMove};

use crate::game::Game;
use crate::ir::{Bool, CodeId, ITERS, Int, Iter, Owners, Pieces, Place, Role};
use crate::set::Set;
use crate::state::{EMPTY, State, Trial, Turns};

/// Code that stands for generators and conditions of the rules.
pub(crate) trait CompiledRules {
    /// Runs the code of a generator; true if the visitor stopped it.
    fn run_generator(&self, eval: &mut Eval<'_>, code: CodeId, out: &mut dyn MoveVisitor) -> bool;

    /// Runs the code of a condition.
    fn run_condition(&self, eval: &mut Eval<'_>, code: CodeId) -> bool;
}

/// The variables around a move that is made, and the source of chance.
#[derive(Clone, Copy)]
pub(crate) struct Around<'g> {
    pub(crate) iters: [i32; ITERS],
    pub(crate) chance: MaybeChance<'g>,
    /// Inside a test whether the next player has moves, or for threats: such tests do not nest.
    pub(crate) tests: (bool, bool),
}

impl Around<'_> {
    /// Nothing is bound, and nothing left to chance.
    pub(crate) const NOTHING: Around<'static> =
        Around { iters: [-1; ITERS], chance: None, tests: (false, false) };
}

/// Evaluates rules in one state.
pub(crate) struct Eval<'g> {
    pub(crate) game: &'g Game,
    pub(crate) state: &'g State,
    /// The turn, which tests may change for a while.
    pub(crate) turns: Turns,
    /// Stalemate flags; tests may set them.
    pub(crate) stalemated: u32,
    iters: [i32; ITERS],
    /// The region iterated over.
    iterated: Set,
    /// Inside a test whether the next player has moves.
    looking_ahead: bool,
    /// Inside a test for threats.
    threatening: bool,
    /// The source of chance; without one, every outcome is the first.
    chance: MaybeChance<'g>,
    /// A turn that was looked through for the longest did not end in sight.
    pub(crate) endless: bool,
    /// Set while turns are looked through for the longest.
    lookahead: Option<longest::Lookahead<'g>>,
    /// Legal moves are listed with all that they do, or a part of one is tried for somebody who
    /// listens: what they tell players is wanted, too.
    pub(crate) lists: bool,
}

impl<'g> Eval<'g> {
    /// Nothing is bound.
    #[inline]
    pub(crate) fn new(game: &'g Game, state: &'g State) -> Eval<'g> {
        Eval {
            game,
            state,
            turns: state.head.turns,
            stalemated: state.head.stalemated,
            iters: [-1; ITERS],
            iterated: Set::EMPTY,
            looking_ahead: false,
            threatening: false,
            chance: None,
            endless: false,
            lookahead: None,
            lists: false,
        }
    }

    /// Takes over what is bound around, and where chance comes from.
    pub(crate) fn amid(mut self, around: Around<'g>) -> Eval<'g> {
        self.iters = around.iters;
        self.chance = around.chance;
        (self.looking_ahead, self.threatening) = around.tests;
        self
    }

    /// The number of outcomes drawn for the list of moves.
    pub(super) fn drawn(&self) -> u32 {
        self.chance.map_or(0, |chance| chance.drawn() as u32)
    }

    /// The source of chance for moves that are only tried.
    fn chance_aside(&self) -> MaybeChance<'g> {
        self.chance.and_then(|chance| chance.aside().or(Some(chance)))
    }

    /// An outcome in `0..n`.
    fn below(&self, n: u32) -> u32 {
        self.chance.map_or(0, |chance| chance.below(n).min(n - 1))
    }

    /// A copy of the state to try things in, with the turn as it is here.
    pub(super) fn trial(&self) -> Trial<'g> {
        let mut after = self.state.trial();
        after.head.turns = self.turns;
        after
    }

    /// The same position of evaluation in another state.
    fn within<'s>(&self, state: &'s State) -> Eval<'s>
    where
        'g: 's,
    {
        Eval { state, lists: self.listens(), iterated: self.iterated.clone(), ..*self }
    }

    /// True if it is asked whether a piece is threatened.
    pub(crate) fn is_threatening(&self) -> bool {
        self.threatening
    }

    /// The values of all variables.
    #[inline]
    pub(crate) fn variables(&self) -> [i32; ITERS] {
        self.iters
    }

    /// Binds all variables.
    #[inline]
    pub(crate) fn set_variables(&mut self, iters: [i32; ITERS]) {
        self.iters = iters;
    }

    #[inline]
    pub(crate) fn get(&self, iter: Iter) -> i32 {
        self.iters[iter as usize]
    }

    #[inline]
    pub(crate) fn set(&mut self, iter: Iter, value: i32) {
        self.iters[iter as usize] = value;
    }

    /// Runs with a variable bound, and restores it.
    #[inline]
    pub(crate) fn with<T>(
        &mut self,
        iter: Iter,
        value: i32,
        run: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let old = self.get(iter);
        self.set(iter, value);
        let result = run(self);
        self.set(iter, old);
        result
    }

    /// Binds a site, and tests a condition on it; without a condition any site will do.
    #[inline]
    fn holds_on(&mut self, condition: Option<&Bool>, iter: Iter, site: u16) -> bool {
        self.set(iter, i32::from(site));
        condition.is_none_or(|condition| self.test(condition))
    }

    /// The empty sites.
    #[inline(always)]
    pub(super) fn empty(&self) -> Set {
        self.state.set(EMPTY)
    }

    fn players(&self) -> usize {
        self.game.world.players
    }

    /// A site number as an index; none for negative numbers.
    #[inline]
    pub(crate) fn site(&mut self, int: &Int) -> Option<usize> {
        usize::try_from(self.int(int)).ok()
    }

    /// The sites of a place; a number that no site has is none.
    pub(crate) fn place(&mut self, place: &Place) -> Set {
        match place {
            Place::Site(site) => self.site(site).into_iter().collect(),
            Place::Region(region) => self.region(region),
        }
    }

    /// The team of a player; without teams, the player.
    fn team(&self, player: usize) -> usize {
        self.game.team(self.state, player)
    }

    /// The players of a team, as bits.
    fn members(&self, team: usize) -> u32 {
        let players = 1..=self.players();
        players.filter(|&p| self.team(p) == team).fold(0, |bits, p| bits | 1 << p)
    }

    /// The owners that a role means, as bits.
    pub(crate) fn role_owners(&self, role: Role) -> u32 {
        let players = self.players() as u32;
        let all = (1u32 << (players + 1)) - 2;
        let mover = 1u32 << self.turns.mover;
        let own_team = || self.members(self.team(usize::from(self.turns.mover)));
        let teams = self.game.world.teams.is_some();
        match role {
            Role::Neutral => 1,
            Role::Player(p) => 1 << p,
            Role::Team(t) if teams => self.members(usize::from(t)),
            Role::Team(t) => 1 << (t & 31),
            Role::TeamMover | Role::Friend if teams => own_team(),
            Role::TeamMover | Role::Friend => mover,
            Role::All => all | 1 | 1 << (players + 1),
            Role::Shared | Role::Each => 1 << (players + 1),
            Role::Iterated => bit(self.get(Iter::Player)),
            Role::Mover => mover,
            Role::Next => 1 << self.turns.next,
            Role::Prev => 1 << self.turns.prev,
            Role::NonMover => (all | 1) & !mover,
            Role::Enemy if teams => all & !own_team(),
            Role::Enemy => all & !mover,
            Role::Ally if teams => own_team() & !mover,
            Role::Ally => 0,
        }
    }

    fn owners(&mut self, owners: &Owners) -> u32 {
        match owners {
            Owners::Role(role) => self.role_owners(*role),
            Owners::Number(number) => bit(self.int(number)),
        }
    }

    /// The sites of some pieces; of stacks, those with such a piece on top.
    pub(crate) fn pieces(&mut self, pieces: &Pieces) -> Set {
        let owners = self.owners(&pieces.owners);
        let state = self.state;
        match &pieces.components {
            None => owned(owners, |owner| state.owned(owner)),
            Some(allowed) => {
                let layout = &self.game.layout;
                let fits = |c: &usize| {
                    allowed.get(*c) == Some(&true) && owners >> layout.owner[*c] & 1 != 0
                };
                let components = (1..layout.owner.len()).filter(fits);
                components
                    .fold(Set::EMPTY, |all, c| all | state.set(usize::from(layout.piece_set[c])))
            }
        }
    }

    /// True if a component at a site belongs to some pieces.
    fn is_piece(&self, what: usize, owners: u32, pieces: &Pieces) -> bool {
        what != 0
            && owners >> self.game.layout.owner[what] & 1 != 0
            && pieces.components.as_ref().is_none_or(|c| c[what])
    }
}

/// Union of the sets of the owners in `bits`.
fn owned(bits: u32, set: impl Fn(usize) -> Set) -> Set {
    let mut rest = bits;
    let mut all = Set::EMPTY;
    while rest != 0 {
        all |= set(rest.trailing_zeros() as usize);
        rest &= rest - 1;
    }
    all
}

/// The bit of a player number; none out of range.
fn bit(number: i32) -> u32 {
    if (0..32).contains(&number) { 1 << number } else { 0 }
}
