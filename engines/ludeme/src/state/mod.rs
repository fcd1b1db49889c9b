//! What changes during a playout, and the primitive actions that change it.
//!
//! The pieces on the sites are kept twice: by site (`what`, `count`, further layers where the rules
//! use them) and as sets of sites (empty ones, those of each owner, those of each component), so
//! that both questions are answered without a scan. All parts are flat arrays whose sizes are fixed
//! by the rules; starting a playout copies them from the initial state.

mod actions;
mod key;

use std::ops::{Deref, DerefMut};
use std::sync::Mutex;

use play::MAX_PLAYERS;

use crate::eval::{Act, Brief, Move};
use crate::percepts::Senses;
use crate::set::Set;

/// How sites hold pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Flavour {
    /// One piece a site.
    Flat,
    /// A number of equal pieces a site.
    Counting,
    /// A stack of pieces a site.
    Stacking,
}

/// The layers beside the component that sites have, where the rules use them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Layers {
    pub(crate) state: bool,
    pub(crate) rotation: bool,
    pub(crate) value: bool,
}

/// How a state is laid out: fixed by the equipment and by what the rules use.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// How sites hold pieces.
    pub(crate) flavour: Flavour,
    /// Layers kept.
    pub(crate) layers: Layers,
    /// Owner of each component, 0 being the empty one.
    pub(crate) owner: Box<[u8]>,
    /// Number of players.
    pub(crate) players: usize,
    /// Index of the set of sites of each component.
    pub(crate) piece_set: Box<[u16]>,
    /// Number of sets.
    pub(crate) sets: usize,
    /// Whether the order in which pieces of a component were placed is kept.
    pub(crate) ordered: bool,
}

/// Index of the set of empty sites; that of owner `o` is `1 + o`.
pub(crate) const EMPTY: usize = 0;

impl Layout {
    /// A layout for components with these owners.
    pub(crate) fn new(
        owner: &[u8],
        players: usize,
        flavour: Flavour,
        layers: Layers,
        ordered: bool,
    ) -> Layout {
        let owners = players + 2;
        let mut sets = 1 + owners;
        let piece_set = owner
            .iter()
            .enumerate()
            .map(|(c, &o)| {
                // The only component of an owner shares the owner's set.
                let alone = owner.iter().skip(1).filter(|&&other| other == o).count() == 1;
                if c > 0 && alone {
                    1 + u16::from(o)
                } else {
                    sets += 1;
                    sets as u16 - 1
                }
            })
            .collect();
        Layout { flavour, layers, owner: owner.into(), players, piece_set, sets, ordered }
    }

    /// Index of the set of sites of an owner.
    #[inline(always)]
    pub(crate) fn owner_set(owner: usize) -> usize {
        1 + owner
    }
}

/// Who moves, who is to move after, who moved before; numbers from 1, 0 for nobody.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Turns {
    pub(crate) mover: u8,
    pub(crate) next: u8,
    pub(crate) prev: u8,
}

/// What a site holds beside the component and its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Extra {
    pub(crate) state: i32,
    pub(crate) rotation: i32,
    pub(crate) value: i32,
}

/// A piece in a stack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Level {
    what: u16,
    /// The level below, or [`NONE`].
    below: u32,
    extra: Extra,
}

const NONE: u32 = u32::MAX;

/// Stacks of all sites in one pool of levels.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Stacks {
    pool: Vec<Level>,
    free: Vec<u32>,
    top: Vec<u32>,
    height: Vec<u16>,
}

/// A piece of a stack that is gone and still listed, and so may still be asked to move: the reference
/// lists the pieces of each owner by site and level, and in some actions it crosses out another level
/// than the one that goes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Ghost {
    pub(crate) what: u16,
    pub(crate) site: u16,
    pub(crate) level: u16,
}

/// The part of a state that is neither sites nor lists.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Head {
    pub(crate) turns: Turns,
    /// Players without a result, as bits.
    pub(crate) active: u32,
    pub(crate) over: bool,
    /// Whether the last move was a pass.
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
    /// What only some games keep track of.
    pub(crate) record: Record,
}

/// What states of games with composite moves know besides; others leave it alone.
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
    /// Whether the move that is being made has named the next player.
    pub(crate) named_next: bool,
    /// Whether the last throw of all dice showed the same face everywhere.
    pub(crate) all_equal: bool,
    /// Sum of the dice.
    pub(crate) pips: i32,
    /// Turns that this position lies ahead of one that is played, where the rules look ahead.
    pub(crate) ahead: u32,
    /// A turn did not end in sight when the rules looked ahead.
    pub(crate) endless: bool,
    /// Hash of the position stored.
    pub(crate) stored: u64,
    /// The text decided on.
    pub(crate) decided: Option<u16>,
    /// The seat of each colour.
    pub(crate) seats: [u8; MAX_PLAYERS + 1],
}

/// A state of a game.
#[derive(Debug)]
pub(crate) struct State<const W: usize> {
    pub(crate) head: Head,
    /// Sets of sites: empty, by owner, by component; see [`Layout`].
    pub(crate) sets: Vec<Set<W>>,
    /// Component on each site; of a stack, the top one.
    pub(crate) what: Vec<u16>,
    /// Pieces on each site, where they are counted.
    pub(crate) count: Vec<u16>,
    /// Further layers, where there are any.
    pub(crate) extra: Vec<Extra>,
    stacks: Stacks,
    /// Sites of each component in the order of placing, where it is kept.
    pub(crate) order: Vec<Vec<u16>>,
    /// Pieces of stacks that are gone and still listed.
    pub(crate) ghosts: Vec<Ghost>,
    pub(crate) scores: Vec<i32>,
    pub(crate) player_values: Vec<i32>,
    pub(crate) vars: Vec<i32>,
    pub(crate) pending: Set<W>,
    pub(crate) remembered: Vec<Vec<i32>>,
    /// Sites of each component after the set-up, where the rules ask for them.
    pub(crate) start: Vec<Set<W>>,
    /// Scores given in the place of ranks.
    pub(crate) payoffs: Option<Box<[i32; MAX_PLAYERS]>>,
    /// Mover of every move, doubled, plus 1 for a pass; mover 0 for pieces placed at the start.
    pub(crate) history: Vec<u8>,
    /// Memory for the actions of a move, empty between moves.
    pub(crate) scratch: Vec<Act>,
    /// What each die shows, 0 once it is used.
    pub(crate) dice: Vec<i32>,
    /// Sites to be cleared when the turn ends.
    pub(crate) to_clear: Vec<u16>,
    /// Sites visited in this turn, where the rules ask for them.
    pub(crate) visited: Set<W>,
    /// Hashes of earlier positions, where the rules ask for them.
    pub(crate) positions: Vec<u64>,
    pub(crate) proposals: Vec<u16>,
    pub(crate) votes: Vec<u16>,
    /// Sites that the last move passed over.
    pub(crate) between: Vec<u16>,
    /// All actions carried out, where somebody wants to know them.
    pub(crate) log: Option<Vec<Act>>,
    /// The legal moves with all that they do, where chance decides what is legal.
    pub(crate) made: Vec<Move>,
    /// The legal moves by their numbers, once somebody has asked for them.
    pub(crate) listed: Vec<Brief>,
    /// What players have chosen so far, where all choose at once.
    pub(crate) chosen: Vec<Move>,
    /// What players perceive; `None` in playouts.
    pub(crate) senses: Option<Box<Senses>>,
    /// Memory for states in which moves are tried.
    spare: Mutex<Vec<Box<State<W>>>>,
}

/// A copy of a state to try moves in.
pub(crate) struct Trial<'a, const W: usize> {
    /// Taken out when it is dropped.
    state: Option<Box<State<W>>>,
    home: &'a Mutex<Vec<Box<State<W>>>>,
}

impl<const W: usize> Deref for Trial<'_, W> {
    type Target = State<W>;

    fn deref(&self) -> &State<W> {
        self.state.as_ref().expect("a trial has a state until it is dropped")
    }
}

impl<const W: usize> DerefMut for Trial<'_, W> {
    fn deref_mut(&mut self) -> &mut State<W> {
        self.state.as_mut().expect("a trial has a state until it is dropped")
    }
}

impl<const W: usize> Drop for Trial<'_, W> {
    fn drop(&mut self) {
        if let (Some(state), Ok(mut spare)) = (self.state.take(), self.home.lock()) {
            spare.push(state);
        }
    }
}

impl<const W: usize> Clone for State<W> {
    fn clone(&self) -> State<W> {
        State {
            head: self.head,
            sets: self.sets.clone(),
            what: self.what.clone(),
            count: self.count.clone(),
            extra: self.extra.clone(),
            stacks: self.stacks.clone(),
            order: self.order.clone(),
            ghosts: self.ghosts.clone(),
            scores: self.scores.clone(),
            player_values: self.player_values.clone(),
            vars: self.vars.clone(),
            pending: self.pending,
            remembered: self.remembered.clone(),
            start: self.start.clone(),
            payoffs: self.payoffs.clone(),
            history: self.history.clone(),
            scratch: Vec::new(),
            dice: self.dice.clone(),
            to_clear: self.to_clear.clone(),
            visited: self.visited,
            positions: self.positions.clone(),
            proposals: self.proposals.clone(),
            votes: self.votes.clone(),
            between: self.between.clone(),
            log: None,
            made: self.made.clone(),
            listed: self.listed.clone(),
            chosen: self.chosen.clone(),
            senses: self.senses.clone(),
            spare: Mutex::default(),
        }
    }

    /// Copies into the memory that is there.
    fn clone_from(&mut self, from: &State<W>) {
        self.restart(from);
        self.order.clone_from(&from.order);
        self.ghosts.clone_from(&from.ghosts);
        self.scores.clone_from(&from.scores);
        self.player_values.clone_from(&from.player_values);
        self.vars.clone_from(&from.vars);
        self.pending = from.pending;
        self.remembered.clone_from(&from.remembered);
        self.start.clone_from(&from.start);
        self.payoffs.clone_from(&from.payoffs);
        self.dice.clone_from(&from.dice);
        self.to_clear.clone_from(&from.to_clear);
        self.visited = from.visited;
        self.positions.clone_from(&from.positions);
        self.proposals.clone_from(&from.proposals);
        self.votes.clone_from(&from.votes);
        self.between.clone_from(&from.between);
        self.log = None;
        self.made.clone_from(&from.made);
        self.listed.clone_from(&from.listed);
        self.chosen.clone_from(&from.chosen);
        self.senses.clone_from(&from.senses);
    }
}

/// Copies a list into one of the same length, or of any.
#[inline]
fn refill<T: Copy>(list: &mut Vec<T>, from: &[T]) {
    if list.len() == from.len() {
        list.copy_from_slice(from);
    } else {
        list.clear();
        list.extend_from_slice(from);
    }
}

impl<const W: usize> State<W> {
    /// Copies what every move changes from a state of the same game; the lists that only some rules
    /// change stay as they are.
    #[inline]
    pub(crate) fn restart(&mut self, from: &State<W>) {
        self.head = from.head;
        refill(&mut self.sets, &from.sets);
        refill(&mut self.what, &from.what);
        self.history.clear();
        self.history.extend_from_slice(&from.history);
        if !from.count.is_empty() {
            refill(&mut self.count, &from.count);
        }
        if !from.extra.is_empty() {
            refill(&mut self.extra, &from.extra);
        }
        if !from.stacks.top.is_empty() {
            refill(&mut self.stacks.pool, &from.stacks.pool);
            refill(&mut self.stacks.free, &from.stacks.free);
            refill(&mut self.stacks.top, &from.stacks.top);
            refill(&mut self.stacks.height, &from.stacks.height);
        }
    }
}

impl<const W: usize> State<W> {
    /// A copy to try moves in, in memory that is used again.
    pub(crate) fn trial(&self) -> Trial<'_, W> {
        let spare = self.spare.lock().ok().and_then(|mut spare| spare.pop());
        let state = match spare {
            Some(mut state) => {
                State::clone_from(&mut state, self);
                state
            }
            None => Box::new(self.clone()),
        };
        Trial { state: Some(state), home: &self.spare }
    }

    /// Copies what stands on the sites, what is pending and the head from a state of the same game
    /// that keeps no order of placing; everything else stays as it is.
    #[inline]
    pub(crate) fn copy_sites(&mut self, from: &State<W>) {
        self.head = from.head;
        self.pending = from.pending;
        refill(&mut self.sets, &from.sets);
        refill(&mut self.what, &from.what);
        refill(&mut self.count, &from.count);
        refill(&mut self.extra, &from.extra);
        if !from.stacks.top.is_empty() {
            self.stacks.clone_from(&from.stacks);
        }
    }
}

/// Values of a piece that an action sets; those not given stay as they are, or are 0 on a new piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Given {
    pub(crate) state: Option<i32>,
    pub(crate) rotation: Option<i32>,
    pub(crate) value: Option<i32>,
}

impl Given {
    fn onto(self, old: Extra) -> Extra {
        Extra {
            state: self.state.unwrap_or(old.state),
            rotation: self.rotation.unwrap_or(old.rotation),
            value: self.value.unwrap_or(old.value),
        }
    }
}

impl<const W: usize> State<W> {
    /// A state with nothing on any of `sites` sites.
    pub(crate) fn new(
        layout: &Layout,
        sites: usize,
        real: &Set<W>,
        vars: usize,
        lists: usize,
    ) -> State<W> {
        let players = layout.players;
        let mut sets = vec![Set::EMPTY; layout.sets];
        sets[EMPTY] = *real;
        let layers = layout.layers.state || layout.layers.rotation || layout.layers.value;
        let stacking = layout.flavour == Flavour::Stacking;
        let per_site = |used: bool| if used { sites } else { 0 };
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
                    endless: false,
                    stored: 0,
                    decided: None,
                    seats: std::array::from_fn(|p| p as u8),
                },
            },
            sets,
            what: vec![0; sites],
            count: vec![0; per_site(layout.flavour == Flavour::Counting)],
            extra: vec![Extra::default(); per_site(layers && !stacking)],
            stacks: Stacks {
                pool: Vec::new(),
                free: Vec::new(),
                top: vec![NONE; per_site(stacking)],
                height: vec![0; per_site(stacking)],
            },
            order: vec![Vec::new(); if layout.ordered { layout.owner.len() } else { 0 }],
            ghosts: Vec::new(),
            scores: vec![0; players + 2],
            player_values: vec![-1; players + 2],
            vars: vec![-1; vars],
            pending: Set::EMPTY,
            remembered: vec![Vec::new(); lists],
            start: Vec::new(),
            payoffs: None,
            history: Vec::new(),
            scratch: Vec::new(),
            dice: Vec::new(),
            to_clear: Vec::new(),
            visited: Set::EMPTY,
            positions: Vec::new(),
            proposals: Vec::new(),
            votes: Vec::new(),
            between: Vec::new(),
            log: None,
            made: Vec::new(),
            listed: Vec::new(),
            chosen: Vec::new(),
            senses: None,
            spare: Mutex::default(),
        }
    }

    /// Whether two states are the same in everything but the record of the last move.
    pub(crate) fn same(&self, other: &State<W>) -> bool {
        let head = |state: &State<W>| {
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
        head(self) == head(other)
            && self.what == other.what
            && self.count == other.count
            && self.extra == other.extra
            && self.stacks_equal(other)
            && self.ghosts == other.ghosts
            && self.scores == other.scores
            && self.player_values == other.player_values
            && self.vars == other.vars
            && self.pending == other.pending
            && self.remembered == other.remembered
            && self.dice == other.dice
            && self.to_clear == other.to_clear
            && (&self.proposals, &self.votes) == (&other.proposals, &other.votes)
            && self.chosen == other.chosen
    }

    /// The exact position as one number: everything on the sites, and the variable without a name.
    pub(crate) fn position_hash(&self) -> u64 {
        use std::hash::{Hash, Hasher};
        let mut hasher = rustc_hash::FxHasher::default();
        if self.stacks.top.is_empty() {
            self.what.hash(&mut hasher);
            self.count.hash(&mut hasher);
            for extra in &self.extra {
                (extra.state, extra.rotation, extra.value).hash(&mut hasher);
            }
        } else {
            for site in 0..self.what.len() {
                self.stacks.height[site].hash(&mut hasher);
                for level in 0..self.height(site) {
                    let extra = self.extra(site, Some(level));
                    (self.what_at(site, level), extra.state, extra.rotation, extra.value)
                        .hash(&mut hasher);
                }
            }
        }
        self.vars.first().hash(&mut hasher);
        self.head.record.seats.hash(&mut hasher);
        hasher.finish()
    }

    /// The position and everything about turns, as one number.
    pub(crate) fn situation_hash(&self, scored: bool) -> u64 {
        use std::hash::{Hash, Hasher};
        let mut hasher = rustc_hash::FxHasher::default();
        let head = &self.head;
        let turns = head.turns;
        self.position_hash().hash(&mut hasher);
        (turns.mover, turns.next, turns.prev, head.active).hash(&mut hasher);
        (head.triggered, head.stalemated, head.moves_this_turn).hash(&mut hasher);
        head.pending_number.hash(&mut hasher);
        self.pending.iter().for_each(|s| s.hash(&mut hasher));
        if scored {
            self.scores.hash(&mut hasher);
        }
        let passes = self.history.iter().rev().take_while(|&&h| h & 1 != 0).count();
        passes.hash(&mut hasher);
        hasher.finish()
    }

    fn stacks_equal(&self, other: &State<W>) -> bool {
        self.stacks.height == other.stacks.height
            && (0..self.stacks.height.len()).all(|site| {
                (0..self.height(site)).all(|level| {
                    self.what_at(site, level) == other.what_at(site, level)
                        && self.extra(site, Some(level)) == other.extra(site, Some(level))
                })
            })
    }

    /// Bytes that the state takes, lists included.
    pub(crate) fn bytes(&self) -> usize {
        std::mem::size_of::<State<W>>()
            + std::mem::size_of_val(&self.sets[..])
            + std::mem::size_of_val(&self.what[..])
            + std::mem::size_of_val(&self.count[..])
            + std::mem::size_of_val(&self.extra[..])
            + std::mem::size_of_val(&self.stacks.top[..])
            + std::mem::size_of_val(&self.stacks.height[..])
            + std::mem::size_of_val(&self.stacks.pool[..])
            + std::mem::size_of_val(&self.ghosts[..])
            + std::mem::size_of_val(&self.scores[..])
            + std::mem::size_of_val(&self.player_values[..])
            + std::mem::size_of_val(&self.vars[..])
    }

    /// The component on a site, the top one of a stack; 0 off the board.
    #[inline(always)]
    pub(crate) fn what(&self, site: usize) -> usize {
        self.what.get(site).map_or(0, |&what| usize::from(what))
    }

    /// The component at a level of a site; levels of sites without stacks do not matter.
    pub(crate) fn what_at(&self, site: usize, level: usize) -> usize {
        if self.stacks.top.is_empty() {
            return self.what(site);
        }
        self.level(site, level).map_or(0, |l| usize::from(self.stacks.pool[l as usize].what))
    }

    /// Further layers of a site, of the top piece in stacks.
    pub(crate) fn extra(&self, site: usize, level: Option<usize>) -> Extra {
        if self.stacks.top.is_empty() {
            return self.extra.get(site).copied().unwrap_or_default();
        }
        let height = usize::from(self.stacks.height.get(site).copied().unwrap_or(0));
        let level = level.unwrap_or(height.wrapping_sub(1));
        self.level(site, level).map_or_else(Extra::default, |l| self.stacks.pool[l as usize].extra)
    }

    /// Pieces on a site: a height, a count, or 0 and 1.
    pub(crate) fn count(&self, site: usize) -> i32 {
        if let Some(&height) = self.stacks.height.get(site) {
            return i32::from(height);
        }
        match self.count.get(site) {
            Some(&count) => i32::from(count),
            None => i32::from(self.what(site) != 0),
        }
    }

    /// Height of the stack on a site; where there are no stacks, 1 or 0.
    pub(crate) fn height(&self, site: usize) -> usize {
        match self.stacks.height.get(site) {
            Some(&height) => usize::from(height),
            None => usize::from(self.what(site) != 0),
        }
    }

    /// The pool index of a level counted from the bottom.
    fn level(&self, site: usize, level: usize) -> Option<u32> {
        let height = usize::from(*self.stacks.height.get(site)?);
        let mut at = *self.stacks.top.get(site)?;
        // Rules may ask for any level.
        let above = height.checked_sub(level)?.checked_sub(1)?;
        for _ in 0..above {
            at = self.stacks.pool[at as usize].below;
        }
        Some(at)
    }

    /// The set of sites of an owner.
    #[inline(always)]
    pub(crate) fn owned(&self, owner: usize) -> Set<W> {
        self.sets.get(Layout::owner_set(owner)).copied().unwrap_or_default()
    }
}
