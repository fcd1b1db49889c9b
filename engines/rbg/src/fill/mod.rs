//! Playouts of games in which every ply puts a piece on a free cell, for good.
//!
//! Nothing ever becomes free again, so what a search would find anew at every ply can be kept: the
//! free cells with their numbers ([`Free`]), the pieces of each line side by side in a word
//! ([`Rails`]), and what hangs together with what ([`Links`]). What the keeper does after a ply
//! depends on a few tests of the cell alone, so it is looked up by what they say. Cells are drawn
//! by their numbers, as the search numbers moves.

mod columns;
mod free;
mod links;
mod rails;

use crate::bits::Bits;
use crate::description::{Piece, Var};
use crate::playout::Playout;
use crate::state::State;

pub(crate) use columns::Columns;
pub(crate) use free::{Free, MOST_WORDS};
pub(crate) use links::{Joined, Links};
pub(crate) use rails::{Railed, Rails, Run, Runs};

/// Tests of a turn: what they say is a number of so many bits.
pub(crate) const MOST_TESTS: usize = 6;
/// No turn: the play is over.
pub(crate) const OVER: u16 = u16::MAX;

/// A game of this form.
#[derive(Debug)]
pub(crate) struct Fill {
    /// What a cell holds that is free.
    pub(crate) empty: Piece,
    pub(crate) turns: Vec<Turn>,
    /// The turn that begins at each layer, if it is one.
    pub(crate) turn_of: Vec<Option<u16>>,
    /// What is put: turns name pieces by their places here.
    pub(crate) pieces: Vec<Piece>,
    /// What follows, for each turn by what its tests say.
    pub(crate) outcomes: Vec<Outcome>,
    pub(crate) assignments: Vec<(Var, i32)>,
    /// Where pieces fall.
    pub(crate) columns: Option<Columns>,
    pub(crate) rails: Rails,
    pub(crate) links: Option<Links>,
}

/// A player chooses a cell, and a piece is put there.
#[derive(Debug)]
pub(crate) struct Turn {
    pub(crate) mover: u8,
    /// The place of the piece in [`Fill::pieces`], and where its words begin.
    pub(crate) piece: u8,
    pub(crate) first_word: u8,
    /// Where its outcomes begin.
    pub(crate) outcomes: u32,
    /// The cells that may be chosen if they are free, as words.
    pub(crate) cells: Vec<u64>,
}

/// What the keeper does after a ply.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcome {
    /// The next turn, or [`OVER`].
    pub(crate) next: u16,
    /// Its assignments, from one number to another.
    pub(crate) from: u32,
    pub(crate) to: u32,
}

/// A position.
#[derive(Clone, Debug)]
pub(crate) struct Filled {
    turn: u16,
    free: Free,
    /// How many cells of each column hold a piece.
    heights: Vec<u8>,
    /// The words of the rails, piece by piece; so many are in use.
    railed: Box<Railed>,
    words: usize,
    joined: Joined,
}

impl Filled {
    /// Becomes another position of the same game, without allocating.
    fn copy_from(&mut self, other: &Filled) {
        self.turn = other.turn;
        self.free = other.free;
        self.heights.copy_from_slice(&other.heights);
        self.railed[..self.words].copy_from_slice(&other.railed[..self.words]);
        self.joined.copy_from(&other.joined);
    }
}

impl Fill {
    /// How large it is, about.
    pub(crate) fn bytes(&self) -> u64 {
        let tables = size_of_val(&*self.outcomes) + size_of_val(&*self.turn_of);
        let turns = self.turns.len() * (size_of::<Turn>() + 8 * MOST_WORDS);
        let columns = self.columns.as_ref().map_or(0, Columns::bytes);
        let links = self.links.as_ref().map_or(0, Links::bytes);
        (tables + turns) as u64 + columns + self.rails.bytes() + links
    }

    /// A state as such a position, if it is one of which all that follows is of this form.
    pub(crate) fn begin<const W: usize>(&self, state: &State<W>) -> Option<Filled> {
        let turn = (*self.turn_of.get(state.layer as usize)?)?;
        if self.turns[usize::from(turn)].mover != state.mover || state.lost {
            return None;
        }
        let empty = state.bits[usize::from(self.empty)];
        let (mut open, mut heights) = (empty, Vec::new());
        if let Some(columns) = &self.columns {
            heights = columns.heights(|cell| empty.contains(cell))?;
            open = Bits::EMPTY;
            columns.tops().for_each(|top| open.insert(top));
            open = open.and(empty);
        }
        // No turn may leave out a cell that others choose from.
        let has_all = |turn: &Turn| open.0.iter().zip(&turn.cells).all(|(a, b)| a & !b == 0);
        if !self.turns.iter().all(has_all) {
            return None;
        }
        let mut filled = Filled {
            turn,
            free: Free::new(&open.0)?,
            heights,
            railed: Box::new([0; rails::MOST_RAILS]),
            words: self.rails.all_words(self.pieces.len()),
            joined: Joined::new(self.links.as_ref()),
        };
        for (slot, &piece) in self.pieces.iter().enumerate() {
            for cell in state.bits[usize::from(piece)].iter() {
                let first = self.rails.first_word(slot);
                self.rails.put(&mut filled.railed, slot as u8, first, cell);
                if let Some(links) = &self.links {
                    filled.joined.put(links, slot, cell);
                }
            }
        }
        Some(filled)
    }

    /// Plays on from a position to the end, which the variables then tell of, or to the cap:
    /// whether it is the end.
    pub(crate) fn playout(
        &self,
        start: &Filled,
        filled: &mut Filled,
        vars: &mut [i32],
        playout: &mut Playout<'_>,
    ) -> bool {
        filled.copy_from(start);
        match filled.free.words() {
            1 => self.run_of::<1>(filled, vars, playout),
            2..=4 => self.run_of::<4>(filled, vars, playout),
            _ => self.run_of::<MOST_WORDS>(filled, vars, playout),
        }
    }

    /// On boards of up to `N` words. What a game has nothing of is left out of its loop.
    fn run_of<const N: usize>(
        &self,
        filled: &mut Filled,
        vars: &mut [i32],
        playout: &mut Playout<'_>,
    ) -> bool {
        match (&self.columns, &self.links) {
            (None, None) => self.run::<N, false, false>(filled, vars, playout),
            (Some(_), None) => self.run::<N, true, false>(filled, vars, playout),
            (None, Some(_)) => self.run::<N, false, true>(filled, vars, playout),
            (Some(_), Some(_)) => self.run::<N, true, true>(filled, vars, playout),
        }
    }

    #[inline(always)]
    fn run<const N: usize, const FALLING: bool, const LINKED: bool>(
        &self,
        filled: &mut Filled,
        vars: &mut [i32],
        playout: &mut Playout<'_>,
    ) -> bool {
        // A generator of its own stays in registers.
        let mut rng = playout.rng.clone();
        let (free, railed) = (&mut filled.free, &mut *filled.railed);
        let (mut turn, mut plies) = (usize::from(filled.turn), playout.plies);
        let over = loop {
            let this = &self.turns[turn];
            let count = free.count();
            if count == 0 {
                break true;
            }
            if plies == playout.cap {
                break false;
            }
            plies += 1;
            let chosen = free.nth::<N>(rng.below(count));
            let mut cell = chosen;
            let mut full = true;
            if FALLING && let Some(columns) = &self.columns {
                (cell, full) = columns.fall(&mut filled.heights, chosen);
            }
            if full {
                free.remove::<N>(chosen);
            }
            let mut says = self.rails.put(railed, this.piece, this.first_word, cell);
            if LINKED && let Some(links) = &self.links {
                says |= filled.joined.put(links, usize::from(this.piece), cell);
            }
            let outcome = &self.outcomes[this.outcomes as usize + usize::from(says)];
            for &(var, value) in &self.assignments[outcome.from as usize..outcome.to as usize] {
                vars[usize::from(var)] = value;
            }
            if outcome.next == OVER {
                break true;
            }
            turn = usize::from(outcome.next);
        };
        playout.plies = plies;
        *playout.rng = rng;
        over
    }
}
