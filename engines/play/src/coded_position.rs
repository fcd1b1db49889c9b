//! A position with its legal actions and their codes, forced passes played: what lock-step shows.

use std::hash::BuildHasher;
use std::sync::Arc;

use rustc_hash::FxBuildHasher;

use crate::any_state::AnyState;
use crate::chance::Chance;
use crate::code_book::CodeBook;
use crate::lockstep::Progress;
use crate::numbers::{Numbers, PerceivedSites};
use crate::percepts::Percepts;
use crate::position::MAX_FORCED_PASSES;
use crate::scores::{Player, Turn};

/// One position of a game.
pub(crate) struct CodedPosition {
    pub(crate) state: Box<dyn AnyState>,
    /// The codes of the legal actions, in their order; none where it does not go on.
    pub(crate) codes: Vec<u32>,
    turn: Turn,
    pub(crate) progress: Progress,
    is_hidden: bool,
    /// Empty where nothing is hidden.
    seen: PerceivedSites,
}

/// Memory that positions share as they go on.
#[derive(Clone)]
pub(crate) struct CodingBuffers {
    /// The percepts of a ply, until they are noted.
    told: Percepts,
    book: CodeBook,
}

impl CodingBuffers {
    pub(crate) fn new(numbers: &Numbers) -> CodingBuffers {
        CodingBuffers {
            told: Percepts::on_sites(Arc::clone(&numbers.sites)),
            book: CodeBook::new(numbers.encoding.actions.len()),
        }
    }
}

impl Clone for CodedPosition {
    fn clone(&self) -> CodedPosition {
        let CodedPosition { state, codes, turn, progress, is_hidden, seen } = self;
        let (state, codes, seen) = (state.copy(), codes.clone(), seen.clone());
        let (turn, progress, is_hidden) = (*turn, *progress, *is_hidden);
        CodedPosition { state, codes, turn, progress, is_hidden, seen }
    }
}

impl CodedPosition {
    /// One that is over, to [begin](CodedPosition::begin) in, with any state of the game.
    pub(crate) fn new(state: Box<dyn AnyState>, numbers: &Numbers) -> CodedPosition {
        CodedPosition {
            codes: Vec::new(),
            turn: Turn::Over,
            progress: Progress::Over,
            is_hidden: state.facts().hidden,
            seen: PerceivedSites::new(numbers, state.facts().perceiving()),
            state,
        }
    }

    /// Begins a playout, which may be at the cap at once.
    pub(crate) fn begin(
        &mut self,
        numbers: &Numbers,
        chance: &mut dyn Chance,
        at_cap: bool,
        buffers: &mut CodingBuffers,
    ) {
        self.state.restart(chance);
        if self.is_hidden {
            self.seen.clear();
            buffers.told.clear();
            self.state.start_percepts(&mut buffers.told);
            self.seen.note(&buffers.told);
        }
        self.look(numbers, chance, at_cap, buffers);
    }

    /// Plays the legal action of a place in the list, after which the cap may be reached.
    pub(crate) fn play(
        &mut self,
        numbers: &Numbers,
        place: usize,
        chance: &mut dyn Chance,
        at_cap: bool,
        buffers: &mut CodingBuffers,
    ) {
        if let (Turn::Move(player), true) = (self.turn, self.is_hidden) {
            self.seen.chose(numbers, player, self.codes[place] as usize);
        }
        self.apply(place, chance, buffers);
        self.look(numbers, chance, at_cap, buffers);
    }

    /// Plays a ply or a forced pass.
    fn apply(&mut self, place: usize, chance: &mut dyn Chance, buffers: &mut CodingBuffers) {
        if !self.is_hidden {
            return self.state.apply(place, chance, None);
        }
        buffers.told.clear();
        self.state.apply(place, chance, Some(&mut buffers.told));
        self.seen.note(&buffers.told);
    }

    /// Lists and codes what is legal, forced passes played.
    fn look(
        &mut self,
        numbers: &Numbers,
        chance: &mut dyn Chance,
        at_cap: bool,
        buffers: &mut CodingBuffers,
    ) {
        self.list(chance, at_cap, buffers);
        self.codes.clear();
        if self.progress == Progress::Going {
            numbers.codes_by_keys(&*self.state, &mut buffers.book, &mut self.codes);
            if self.seen.is_lost || self.codes.contains(&u32::MAX) {
                self.codes.clear();
                self.progress = Progress::Uncoded;
            }
        }
    }

    fn list(&mut self, chance: &mut dyn Chance, at_cap: bool, buffers: &mut CodingBuffers) {
        for passes in 0..=MAX_FORCED_PASSES {
            self.turn = self.state.list();
            self.progress = match (self.turn, self.state.actions()) {
                (Turn::Over, _) => Progress::Over,
                (_, 0) => Progress::Stuck,
                (_, 1) if self.state.is_pass(0) => {
                    if passes == MAX_FORCED_PASSES {
                        break;
                    }
                    self.apply(0, chance, buffers);
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

    /// A hash by which positions are told apart that have another future, or show something else.
    pub(crate) fn key_hash(&self) -> u64 {
        FxBuildHasher.hash_one((self.state.key_hash(), &self.seen))
    }

    /// True if another position has the same future, and shows the same.
    pub(crate) fn is_like(&self, other: &CodedPosition) -> bool {
        self.seen == other.seen && self.state.has_key_of(other.state.state())
    }

    /// The place in the list of the legal action that has a code.
    #[inline]
    pub(crate) fn place(&self, code: i32) -> Option<usize> {
        self.codes.iter().position(|&legal| i64::from(legal) == i64::from(code))
    }

    /// Writes what whoever chooses sees.
    #[inline]
    pub(crate) fn write_planes(&self, numbers: &Numbers, planes: &mut [u8]) {
        if !self.is_hidden {
            self.state.planes(planes);
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
