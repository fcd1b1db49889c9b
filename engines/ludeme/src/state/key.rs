//! What the future of a game can depend on.

use play::MAX_PLAYERS;

use super::lists::{Lists, Residue};
use super::{Head, StalePiece, State};
use crate::ir::HistoryDependence;

/// A state up to what nothing to come can tell apart: [`State::key`].
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Key {
    head: Head,
    /// The pending sites, those visited, and what is hidden.
    bits: Box<[u64]>,
    /// All numbers but the pool of levels, whose order is nothing.
    cells: Box<[i32]>,
    /// All pieces in stacks with what else is known of them.
    stacks: Box<[[i32; 4]]>,
    short: [Vec<u16>; 5],
    stale_pieces: Box<[StalePiece]>,
    residues: Box<[Residue]>,
    order: Vec<Vec<u16>>,
    remembered: Vec<Vec<i32>>,
    payoffs: Option<[i32; MAX_PLAYERS]>,
    history: Box<[u8]>,
    positions: Box<[u64]>,
}

impl State {
    /// States with equal keys have the same future, by what the rules can ask of the past. The
    /// limits to the number of moves and turns are not part of it where the rules do not ask for
    /// these numbers.
    pub(crate) fn key(&self, past: HistoryDependence) -> Key {
        // All fields are named: one that is added has to find its place here.
        let State {
            head,
            at,
            bits, // all others follow from the sites, or never change
            cells,
            lists:
                Lists {
                    short,
                    stale_pieces,
                    residues,
                    chosen: _,
                    payoffs,
                    order,
                    remembered,
                    pending,
                    hidden: _,
                },
            history,
            positions,
            watched: _,
            written: _, // how it came about
            followed: _,
            spare: _,   // memory alone
            scratch: _, // empty between moves
            log: _,     // nobody asks between moves
            listed: _,  // follows from the rest
            draws: _,   // states of games of chance are not compared
            senses: _,  // rules that ask have sets of their own
            domains: _, // they follow from the sites
        } = self;
        let mut head = *head;
        if let Some(known) = past.moves {
            head.moves = head.moves.min(known);
        }
        // A run of passes may end the game: then all that was is kept.
        let forgets = !past.turns && !head.passed;
        if forgets {
            (head.turn_number, head.moves_this_turn, head.counter) = (0, 0, 0);
        } else {
            head.moves = self.head.moves;
        }
        if !past.last {
            (head.last_from, head.last_to) = (-1, -1);
            let record = &mut head.record;
            (record.from_after, record.to_after) = (-1, -1);
            (record.from_now, record.to_now) = (-1, -1);
        }
        // It is asked while a move is made.
        head.record.named_next = false;
        let fixed = if self.stacking() { at.top } else { cells.len() };
        Key {
            head,
            bits: bits[pending * at.words..].into(),
            cells: cells[..fixed].into(),
            stacks: self.levels().collect(),
            short: short.clone(),
            stale_pieces: stale_pieces[..].into(),
            residues: residues[..].into(),
            order: order.clone(),
            remembered: remembered.clone(),
            payoffs: *payoffs,
            history: if forgets { Box::default() } else { history[..].into() },
            positions: positions[..].into(),
        }
    }
}
