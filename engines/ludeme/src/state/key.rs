//! What the future of a game can depend on.

use play::MAX_PLAYERS;

use super::{Ghost, Head, Stacks, State};
use crate::lower::Past;
use crate::set::Set;

/// A state up to what nothing to come can tell apart: [`State::key`].
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Key<const W: usize> {
    head: Head,
    what: Box<[u16]>,
    count: Box<[u16]>,
    /// Height of each stack, then all pieces in stacks with what else is known of them.
    stacks: Box<[i32]>,
    extra: Box<[[i32; 3]]>,
    order: Vec<Vec<u16>>,
    ghosts: Box<[Ghost]>,
    lists: [Box<[i32]>; 3],
    pending: Set<W>,
    remembered: Vec<Vec<i32>>,
    payoffs: Option<Box<[i32; MAX_PLAYERS]>>,
    history: Box<[u8]>,
    dice: Box<[i32]>,
    visited: Set<W>,
    positions: Box<[u64]>,
    sites_and_texts: [Box<[u16]>; 4],
}

impl<const W: usize> State<W> {
    /// States with equal keys have the same future, by what the rules can ask of the past. The
    /// limits to the number of moves and turns are not part of it where the rules do not ask for
    /// these numbers.
    pub(crate) fn key(&self, past: Past) -> Key<W> {
        // All fields are named: one that is added has to find its place here.
        let State {
            head,
            sets: _, // follow from the sites
            what,
            count,
            extra,
            stacks: Stacks { height, pool: _, free: _, top: _ }, // the order of the pool is nothing
            order,
            ghosts,
            scores,
            player_values,
            vars,
            pending,
            remembered,
            start: _, // never changes
            payoffs,
            history,
            scratch: _, // empty between moves
            dice,
            to_clear,
            visited,
            positions,
            proposals,
            votes,
            between,
            log: _,    // nobody asks between moves
            listed: _, // follows from the rest
            made: _,   // follows from the rest, or from chance, and then states are not compared
            chosen: _, // nothing is, in games that are compared
            senses: _, // rules that ask what is hidden are not played
            spare: _,  // memory alone
        } = self;
        let mut stacked: Vec<i32> = height.iter().map(|&h| i32::from(h)).collect();
        for site in 0..height.len() {
            for level in 0..self.height(site) {
                let extra = self.extra(site, Some(level));
                let what = self.what_at(site, level) as i32;
                stacked.extend([what, extra.state, extra.rotation, extra.value]);
            }
        }
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
        }
        Key {
            head,
            what: what[..].into(),
            count: count[..].into(),
            stacks: stacked.into(),
            extra: extra.iter().map(|e| [e.state, e.rotation, e.value]).collect(),
            order: order.clone(),
            ghosts: ghosts[..].into(),
            lists: [scores[..].into(), player_values[..].into(), vars[..].into()],
            dice: dice.as_slice().into(),
            visited: *visited,
            positions: positions.as_slice().into(),
            sites_and_texts: [to_clear, proposals, votes, between]
                .map(|list| list.as_slice().into()),
            pending: *pending,
            remembered: remembered.clone(),
            payoffs: payoffs.clone(),
            history: if forgets { Box::default() } else { history[..].into() },
        }
    }
}
