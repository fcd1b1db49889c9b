//! The state of a game during a playout, and the primitive actions that change it.
//!
//! A state is flat: words of sets of sites (empty ones, those of each owner, those of each
//! component), and numbers (`cells`) by site and by player at offsets that the [`Layout`] fixes
//! when the game is compiled. Parts without a fixed length lie in a few lists. The pieces on the
//! sites are kept both by site and as sets, so that both questions are answered without a scan.

mod actions;
mod bodies;
mod contents;
mod domains;
mod hash;
mod hidden;
mod key;
mod layout;
mod list_access;
mod lists;
mod senses;
mod trial;

use crate::buffer::Buffer;
use std::sync::Mutex;

use play::MAX_PLAYERS;

pub(crate) use bodies::Bodies;
pub(crate) use domains::{Domains, KeptDomains, Tallies};
pub(crate) use layout::{EMPTY, Extra, Layers, Layout, Occupancy, Sizes};
pub(crate) use lists::{List, StalePiece};
pub(crate) use senses::Senses;
pub(crate) use trial::Trial;

use sites::SetView;

use crate::moves::{Act, MoveId};
use crate::set::Set;
use layout::{LEVEL, Offsets};
use lists::Lists;

/// The mover, the player to move after, and the mover before; numbers from 1, 0 for nobody.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Turns {
    pub(crate) mover: u8,
    pub(crate) next: u8,
    pub(crate) prev: u8,
}

/// Values of a piece that an action sets. Values that are `None` stay as they are, or are 0 on a
/// new piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct PieceValues {
    pub(crate) state: Option<i32>,
    pub(crate) rotation: Option<i32>,
    pub(crate) value: Option<i32>,
}

impl PieceValues {
    fn onto(self, old: Extra) -> Extra {
        Extra {
            state: self.state.unwrap_or(old.state),
            rotation: self.rotation.unwrap_or(old.rotation),
            value: self.value.unwrap_or(old.value),
        }
    }
}

/// The part of a state that is neither sites nor lists.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Head {
    pub(crate) turns: Turns,
    /// Players without a result, as bits.
    pub(crate) active: u32,
    pub(crate) over: bool,
    /// True if the last move was a pass.
    pub(crate) passed: bool,
    /// Recorded winner: a player, 0 for none, players + 1 for a tie, -1 for an aborted game.
    pub(crate) winner: i8,
    pub(crate) winners: u8,
    pub(crate) losers: u8,
    /// Twice the rank of each player from 1, 0 while undecided.
    pub(crate) ranks: [u8; MAX_PLAYERS + 1],
    /// Phase of each player.
    pub(crate) phase: [u8; MAX_PLAYERS + 1],
    /// Origin and destination of the last move, -1 for none.
    pub(crate) last_from: i16,
    pub(crate) last_to: i16,
    /// Moves made, set-up excluded.
    pub(crate) moves: u32,
    pub(crate) turn_number: u32,
    pub(crate) moves_this_turn: u32,
    pub(crate) counter: i32,
    /// Stalemate flags of players, as bits.
    pub(crate) stalemated: u32,
    /// Trigger flags of players, as bits.
    pub(crate) triggered: u32,
    /// A pending value that is no site, such as that of a plain `(set Pending)`.
    pub(crate) pending_number: Option<i32>,
    /// Parts that only some games use.
    pub(crate) record: Record,
}

/// Parts of the head that are kept only if the rules read them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Record {
    /// Destination and origin of the last action that has one, -1 for none.
    pub(crate) to_after: i16,
    pub(crate) from_after: i16,
    /// The same for the move that is being made.
    pub(crate) to_now: i16,
    pub(crate) from_now: i16,
    /// Levels of the last move.
    pub(crate) level_from: i16,
    pub(crate) level_to: i16,
    /// True if the move that is being made has named the next player.
    pub(crate) named_next: bool,
    /// True if the last throw of all dice showed the same face everywhere.
    pub(crate) all_equal: bool,
    /// Sum of the dice.
    pub(crate) pips: i32,
    /// Number of turns that this position lies ahead of a played one, if the rules look ahead.
    pub(crate) ahead: u32,
    /// The reasons why this position is only supposed, a bit each, if the rules look for the
    /// results of moves.
    pub(crate) supposed: u8,
    /// True if the rules looked ahead to a turn that did not end within the bounds.
    pub(crate) endless: bool,
    /// Hash of the stored position.
    pub(crate) stored: u64,
    /// The text decided on.
    pub(crate) decided: Option<u16>,
    /// The seat of each colour.
    pub(crate) seats: [u8; MAX_PLAYERS + 1],
}

/// A state of a game.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) head: Head,
    /// The offsets of the numbers.
    at: Offsets,
    /// Sets of sites, one after the other: see [`Layout`].
    bits: Vec<u64>,
    /// Numbers: see [`Offsets`].
    cells: Vec<i32>,
    lists: Lists,
    /// Mover of every move, doubled, plus 1 for a pass; mover 0 for pieces placed at the start.
    pub(crate) history: Vec<u8>,
    /// Hashes of earlier positions, if the rules read them.
    positions: Vec<u64>,
    /// States in which moves were tried, to be reused.
    #[allow(clippy::vec_box)] // a pointer goes in and out, not the state
    spare: Mutex<Vec<Box<State>>>,
    /// Memory for the actions of a move, empty between moves.
    pub(crate) scratch: Buffer<Act>,
    /// All actions carried out, if anybody wants to know them.
    pub(crate) log: Option<Buffer<Act>>,
    /// The legal moves by their numbers, if they have been listed.
    pub(crate) listed: Vec<MoveId>,
    /// Outcomes of chance that were drawn for the listed moves.
    pub(crate) draws: Vec<u32>,
    /// The percepts of players; `None` in playouts.
    pub(crate) senses: Option<Box<Senses>>,
    /// The candidates of a deduction puzzle, if they are kept up to date: moves of such a state are
    /// listed and made with them alone.
    pub(crate) domains: Option<Box<KeptDomains>>,
}

impl State {
    /// A state without pieces. `real` are the sites that exist.
    pub(crate) fn new(layout: &Layout, real: &Set) -> State {
        let players = layout.sizes.players;
        let at = layout.at;
        let mut cells = vec![0; layout.numbers()];
        cells[at.values..at.values + players + 2].fill(-1);
        cells[at.vars..at.vars + layout.sizes.vars].fill(-1);
        let mut bits = vec![0; layout.all_sets() * at.words];
        let in_state_0 = (at.states > 0).then_some(at.first_state);
        for set in [EMPTY].into_iter().chain(in_state_0) {
            real.iter().for_each(|site| bits[set * at.words + site / 64] |= 1 << (site % 64));
        }
        State {
            head: Head {
                turns: Turns { mover: 1, next: if players == 1 { 1 } else { 2 }, prev: 0 },
                active: (1u32 << (players + 1)) - 2,
                over: false,
                passed: false,
                winner: 0,
                winners: 0,
                losers: 0,
                ranks: [0; MAX_PLAYERS + 1],
                phase: [0; MAX_PLAYERS + 1],
                last_from: -1,
                last_to: -1,
                moves: 0,
                turn_number: 1,
                moves_this_turn: 0,
                counter: -1,
                stalemated: 0,
                triggered: 0,
                pending_number: None,
                record: Record {
                    to_after: -1,
                    from_after: -1,
                    to_now: -1,
                    from_now: -1,
                    level_from: 0,
                    level_to: 0,
                    named_next: false,
                    all_equal: false,
                    pips: 0,
                    ahead: 0,
                    supposed: 0,
                    endless: false,
                    stored: 0,
                    decided: None,
                    seats: std::array::from_fn(|p| p as u8),
                },
            },
            at,
            bits,
            cells,
            lists: Lists::new(layout),
            history: Vec::new(),
            positions: Vec::new(),
            spare: Mutex::default(),
            scratch: Buffer::new(),
            log: None,
            listed: Vec::new(),
            draws: Vec::new(),
            senses: None,
            domains: None,
        }
    }

    /// Number of sites of all containers.
    #[inline(always)]
    pub(crate) fn sites(&self) -> usize {
        self.at.sites
    }

    #[inline(always)]
    fn stacking(&self) -> bool {
        self.at.height != 0
    }

    #[inline(always)]
    fn counting(&self) -> bool {
        self.at.count != 0
    }

    /// Writes a number.
    #[inline(always)]
    fn write(&mut self, offset: usize, value: i32) {
        self.cells[offset] = value;
    }

    /// A set by its index: empty sites, those of an owner, those of a component; see [`Layout`].
    #[inline(always)]
    pub(crate) fn set(&self, index: usize) -> Set {
        self.view(index).into()
    }

    /// The same set, in the memory of the state.
    #[inline(always)]
    pub(crate) fn view(&self, index: usize) -> SetView<'_> {
        let n = self.at.words;
        SetView(self.bits.get(index * n..(index + 1) * n).unwrap_or_default())
    }

    /// The set of sites of an owner.
    #[inline(always)]
    pub(crate) fn owned(&self, owner: usize) -> Set {
        // Rules may ask for any number.
        if owner < self.at.values - self.at.scores {
            self.set(Layout::owner_set(owner))
        } else {
            Set::EMPTY
        }
    }

    /// True if a site is empty; sites beyond the board are not.
    #[inline(always)]
    pub(crate) fn is_empty(&self, site: usize) -> bool {
        site < 64 * self.at.words && self.bits[site / 64] >> (site % 64) & 1 != 0
    }

    /// Adds a site, which must exist, to a set or removes it.
    #[inline(always)]
    fn put(&mut self, set: usize, site: usize, member: bool) {
        let word_index = set * self.at.words + site / 64;
        let bit = 1 << (site % 64);
        if let Some(word) = self.bits.get_mut(word_index) {
            *word = if member { *word | bit } else { *word & !bit };
        }
    }

    fn clear_set(&mut self, set: usize) {
        self.bits[set * self.at.words..(set + 1) * self.at.words].fill(0);
    }

    /// The pending sites.
    #[inline(always)]
    pub(crate) fn pending(&self, layout: &Layout) -> Set {
        self.set(layout.pending())
    }

    /// Makes a site pending; a site out of range has no effect.
    pub(crate) fn pend(&mut self, layout: &Layout, site: usize) {
        if site < 64 * self.at.words {
            self.put(layout.pending(), site, true);
        }
    }

    /// Makes no site pending.
    #[inline(always)]
    pub(crate) fn forget_pending(&mut self, layout: &Layout) {
        self.clear_set(layout.pending());
    }

    /// Sites visited in this turn, if the rules read them.
    pub(crate) fn visited(&self, layout: &Layout) -> Set {
        self.set(layout.visited())
    }

    /// Adds a site, if it is one, to those visited in this turn.
    pub(crate) fn visit(&mut self, layout: &Layout, site: i16) {
        if let Some(site) = usize::try_from(site).ok().filter(|&s| s < 64 * self.at.words) {
            self.put(layout.visited(), site, true);
        }
    }

    /// Begins a turn, in which no site has been visited.
    pub(crate) fn forget_visits(&mut self, layout: &Layout) {
        self.clear_set(layout.visited());
    }

    /// Sites of a component after the set-up, if the rules read them.
    pub(crate) fn start(&self, layout: &Layout, component: usize) -> Set {
        self.set(layout.start(component))
    }

    /// Stores the sites of the pieces among these sites as those of the start.
    pub(crate) fn keep_start(&mut self, layout: &Layout, within: &Set) {
        for component in 1..layout.owner.len() {
            let sites: Set = self.set(usize::from(layout.piece_set[component]));
            let sites = sites & within;
            sites.iter().for_each(|s| self.put(layout.start(component), s, true));
        }
    }

    /// Number of words of a set.
    #[inline(always)]
    pub(crate) fn set_words(&self) -> usize {
        self.at.words
    }

    /// All words of sets, to compare states.
    pub(crate) fn words(&self) -> &[u64] {
        &self.bits
    }

    /// Adds a move of the mover to the record of the game.
    #[inline]
    pub(crate) fn record_move(&mut self, pass: bool) {
        self.head.moves += 1;
        self.history.push(self.head.turns.mover << 1 | u8::from(pass));
        self.head.passed = pass;
    }

    /// Scores by player, from nobody to everybody.
    pub(crate) fn scores(&self) -> &[i32] {
        &self.cells[self.at.scores..self.at.values]
    }

    /// Sets the score of a player, if the player exists.
    pub(crate) fn set_score(&mut self, player: usize, score: i32) {
        if player < self.scores().len() {
            self.write(self.at.scores + player, score);
        }
    }

    /// Values by player, from nobody to everybody.
    pub(crate) fn player_values(&self) -> &[i32] {
        &self.cells[self.at.values..self.at.vars]
    }

    /// Variables.
    pub(crate) fn vars(&self) -> &[i32] {
        &self.cells[self.at.vars..self.at.dice]
    }

    /// Sets a variable.
    #[inline]
    pub(crate) fn set_var(&mut self, var: usize, value: i32) {
        self.write(self.at.vars + var, value);
    }

    /// The numbers that the dice show, 0 for used dice.
    pub(crate) fn dice(&self) -> &[i32] {
        let end = if self.stacking() { self.at.height } else { self.at.pool };
        &self.cells[self.at.dice..end]
    }

    /// Makes a die show a number, if the die exists.
    pub(crate) fn set_die(&mut self, die: usize, value: i32) {
        if die < self.dice().len() {
            self.write(self.at.dice + die, value);
        }
    }

    /// Hashes of earlier positions, if the rules read them.
    pub(crate) fn positions(&self) -> &[u64] {
        &self.positions
    }

    /// True if two states are the same in everything but the record of the last move.
    pub(crate) fn same(&self, other: &State) -> bool {
        let head = |state: &State| {
            let record = Record {
                to_after: 0,
                from_after: 0,
                to_now: 0,
                from_now: 0,
                level_from: 0,
                level_to: 0,
                ..state.head.record
            };
            Head { last_from: 0, last_to: 0, record, ..state.head }
        };
        let [pending, other_pending] = [self, other].map(|state| {
            let (from, to) = (state.lists.pending * state.at.words, state.at.words);
            &state.bits[from..from + to]
        });
        let [hidden, other_hidden] = [self, other].map(|state| {
            let first = state.lists.hidden;
            first.map(|set| &state.bits[set * state.at.words..])
        });
        // The pool of levels lies behind, and its order does not matter.
        let fixed = if self.stacking() { self.at.top } else { self.at.pool };
        self.cells[..fixed] == other.cells[..fixed]
            && head(self) == head(other)
            && self.levels().eq(other.levels())
            && pending == other_pending
            && hidden == other_hidden
            && self.lists.same(&other.lists)
    }

    /// The components of all pieces in stacks with their further layers, site by site from the top.
    fn levels(&self) -> impl Iterator<Item = [i32; LEVEL - 1]> + '_ {
        let sites = if self.stacking() { self.at.sites } else { 0 };
        (0..sites).flat_map(move |site| self.stack(site))
    }

    /// The levels of the stack on a site.
    fn stack(&self, site: usize) -> impl Iterator<Item = [i32; LEVEL - 1]> + '_ {
        let mut offset = self.cells[self.at.top + site] as usize;
        (0..self.height(site)).map(move |_| {
            let level = &self.cells[offset..offset + LEVEL];
            offset = level[1] as usize;
            [level[0], level[2], level[3], level[4]]
        })
    }

    /// Bytes that the state takes, lists included.
    pub(crate) fn bytes(&self) -> usize {
        std::mem::size_of::<State>()
            + std::mem::size_of_val(&self.bits[..])
            + std::mem::size_of_val(&self.cells[..])
            + self.lists.bytes()
    }

    /// All numbers, for code.
    #[inline(always)]
    pub(crate) fn cells(&self) -> &[i32] {
        &self.cells
    }

    /// All numbers and words of sets, to be written by code.
    #[inline(always)]
    pub(crate) fn memory_mut(&mut self) -> (&mut [i32], &mut [u64]) {
        (&mut self.cells, &mut self.bits)
    }
}
