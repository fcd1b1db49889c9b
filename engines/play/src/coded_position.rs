//! A position with its legal actions and their codes, forced passes played: what lock-step shows.

use crate::chance::Chance;
use crate::lockstep::Progress;
use crate::mechanics::Mechanics;
use crate::numbers::{Numbers, PerceivedSites};
use crate::percepts::Percepts;
use crate::position::MAX_FORCED_PASSES;
use crate::scores::{Player, Turn};

/// One position of a game.
pub(crate) struct CodedPosition<M: Mechanics> {
    pub(crate) state: M::State,
    pub(crate) legal: Vec<M::Action>,
    /// The codes of the legal actions, in their order; none where it does not go on.
    pub(crate) codes: Vec<u32>,
    turn: Turn,
    pub(crate) progress: Progress,
    /// Empty where nothing is hidden.
    pub(crate) seen: PerceivedSites,
}

impl<M: Mechanics> Clone for CodedPosition<M> {
    fn clone(&self) -> CodedPosition<M> {
        let CodedPosition { state, legal, codes, turn, progress, seen } = self;
        let (state, legal) = (state.clone(), legal.clone());
        let (codes, seen) = (codes.clone(), seen.clone());
        CodedPosition { state, legal, codes, turn: *turn, progress: *progress, seen }
    }
}

impl<M: Mechanics> CodedPosition<M> {
    /// One that is over, to [begin](CodedPosition::begin) in.
    pub(crate) fn new<C: Chance + ?Sized>(
        mechanics: &M,
        numbers: &Numbers,
        chance: &mut C,
    ) -> CodedPosition<M> {
        CodedPosition {
            state: mechanics.initial(chance),
            legal: Vec::new(),
            codes: Vec::new(),
            turn: Turn::Over,
            progress: Progress::Over,
            seen: PerceivedSites::new(numbers, mechanics.facts().perceiving()),
        }
    }

    /// Begins a playout, which may be at the cap at once.
    pub(crate) fn begin<C: Chance + ?Sized>(
        &mut self,
        mechanics: &M,
        numbers: &Numbers,
        chance: &mut C,
        at_cap: bool,
        told: &mut Percepts,
    ) {
        mechanics.restart(&mut self.state, chance);
        if mechanics.facts().hidden {
            self.seen.clear();
            told.clear();
            mechanics.start_percepts(&self.state, told);
            self.seen.note(told);
        }
        self.look(mechanics, numbers, chance, at_cap, told);
    }

    /// Plays the legal action of a place in the list, after which the cap may be reached.
    #[inline]
    pub(crate) fn play<C: Chance + ?Sized>(
        &mut self,
        mechanics: &M,
        numbers: &Numbers,
        place: usize,
        chance: &mut C,
        at_cap: bool,
        told: &mut Percepts,
    ) {
        let (action, code) = (self.legal[place], self.codes[place] as usize);
        if let (Turn::Move(player), true) = (self.turn, mechanics.facts().hidden) {
            self.seen.chose(numbers, player, code);
        }
        self.apply(mechanics, action, chance, told);
        self.look(mechanics, numbers, chance, at_cap, told);
    }

    /// Plays a ply or a forced pass.
    #[inline]
    fn apply<C: Chance + ?Sized>(
        &mut self,
        mechanics: &M,
        action: M::Action,
        chance: &mut C,
        told: &mut Percepts,
    ) {
        let CodedPosition { state, seen, .. } = self;
        if !mechanics.facts().hidden {
            mechanics.apply(state, action, chance);
            return;
        }
        told.clear();
        mechanics.apply_perceived(state, action, chance, told);
        seen.note(told);
    }

    /// Lists and codes what is legal, forced passes played.
    #[inline]
    fn look<C: Chance + ?Sized>(
        &mut self,
        mechanics: &M,
        numbers: &Numbers,
        chance: &mut C,
        at_cap: bool,
        told: &mut Percepts,
    ) {
        self.list(mechanics, chance, at_cap, told);
        self.codes.clear();
        if self.progress == Progress::Going {
            numbers.codes(mechanics, &self.state, &self.legal, &mut self.codes);
            if self.codes.contains(&u32::MAX) {
                self.codes.clear();
                self.progress = Progress::Uncoded;
            }
        }
    }

    #[inline]
    fn list<C: Chance + ?Sized>(
        &mut self,
        mechanics: &M,
        chance: &mut C,
        at_cap: bool,
        told: &mut Percepts,
    ) {
        for passes in 0..=MAX_FORCED_PASSES {
            self.legal.clear();
            self.turn = mechanics.expand(&mut self.state, &mut self.legal);
            self.progress = match (self.turn, &self.legal[..]) {
                (Turn::Over, _) => Progress::Over,
                (_, []) => Progress::Stuck,
                (_, &[only]) if mechanics.is_pass(&self.state, only) => {
                    if passes == MAX_FORCED_PASSES {
                        break;
                    }
                    self.apply(mechanics, only, chance, told);
                    continue;
                }
                _ if at_cap => Progress::Capped,
                _ => Progress::Going,
            };
            return;
        }
        self.progress = Progress::Capped;
    }

    /// The player who chooses, or -1.
    pub(crate) fn turn(&self) -> i8 {
        match self.turn {
            Turn::Move(player) if self.progress == Progress::Going => player.0 as i8,
            _ => -1,
        }
    }

    /// The place in the list of the legal action that has a code.
    #[inline]
    pub(crate) fn place(&self, code: i32) -> Option<usize> {
        self.codes.iter().position(|&legal| i64::from(legal) == i64::from(code))
    }

    /// Writes what whoever chooses sees.
    #[inline]
    pub(crate) fn write_planes(&self, mechanics: &M, numbers: &Numbers, planes: &mut [u8]) {
        if !mechanics.facts().hidden {
            mechanics.planes(&self.state, planes);
        } else if let Ok(player) = u8::try_from(self.turn()) {
            self.seen.write(numbers, Player(player), planes);
        } else {
            planes.fill(0);
        }
    }

    /// Writes what is legal into a row that shows nothing else.
    #[inline]
    pub(crate) fn write_mask(&self, mask: &mut [u8]) {
        write_mask(&self.codes, mask);
    }
}

/// Writes codes of legal actions into a row that shows nothing else.
#[inline]
pub(crate) fn write_mask(codes: &[u32], mask: &mut [u8]) {
    for &code in codes {
        if let Some(entry) = mask.get_mut(code as usize) {
            *entry = 1;
        }
    }
}
