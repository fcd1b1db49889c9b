//! Keys of states, equal for states with the same future.

use play::MAX_PLAYERS;

use super::lists::{Lists, Residue};
use super::{Head, StalePiece, State};
use crate::ir::HistoryDependence;

/// The parts of a state on which its future depends: see [`State::key`].
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Key {
    head: Head,
    /// The pending sites, the visited sites, and those with hidden properties.
    bits: Box<[u64]>,
    /// All numbers but the pool of levels, whose order has no meaning.
    cells: Box<[i32]>,
    /// All pieces in stacks with their further layers.
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
    /// The key of the state, which omits all that the rules cannot read of the past. States with
    /// equal keys have the same future. The limits to the number of moves and turns are left out
    /// unless the rules read these numbers.
    pub(crate) fn key(&self, past: HistoryDependence) -> Key {
        // All fields are named, so a new field has to be considered here.
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
            spare: _,   // memory alone
            scratch: _, // empty between moves
            log: _,     // nobody asks between moves
            listed: _, // follows from the rest, but where chance decides what is legal: see `Ludemes::key`
            draws: _,  // of games of chance alone: see there
            senses: _, // rules that ask have sets of their own; of what players perceive see there
            domains: _, // they follow from the sites
        } = self;
        let mut head = *head;
        if let Some(bound) = past.moves {
            head.moves = head.moves.min(bound);
        }
        // A run of passes may end the game, so nothing is forgotten then.
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
        // It is only read while a move is made.
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
