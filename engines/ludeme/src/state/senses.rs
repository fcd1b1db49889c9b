//! The part of a state for players who perceive moves.

use super::layout::{Layout, Occupancy};
use crate::moves::{Act, NoteContent};

/// The part of a state for players who perceive moves.
#[derive(Debug, Default)]
pub(crate) struct Senses {
    /// True if a move is being made whose percepts are collected.
    pub(crate) listening: bool,
    /// The notes of that move: the players who are told, as bits, the speaker, and the content.
    pub(crate) told: Vec<(u32, Option<u8>, NoteContent)>,
    /// The hidden properties of each site, player after player, as bits of
    /// [`HiddenData`](crate::percepts::HiddenData).
    pub(crate) hidden: Vec<u8>,
    /// Number of players.
    pub(crate) players: usize,
}

impl Clone for Senses {
    /// A copied state does not listen, because moves tried in it are not made for players.
    fn clone(&self) -> Senses {
        let Senses { hidden, players, .. } = self;
        Senses { hidden: hidden.clone(), players: *players, ..Senses::default() }
    }
}

impl Senses {
    /// The properties of a site that are hidden from a player, counted from 0.
    pub(crate) fn of(&self, site: usize, player: usize) -> u8 {
        self.hidden.get(site * self.players + player).copied().unwrap_or(0)
    }

    pub(crate) fn hide(&mut self, site: usize, kinds: u8, players: u32, on: bool) {
        for player in (0..self.players).filter(|p| players >> (p + 1) & 1 != 0) {
            if let Some(hidden) = self.hidden.get_mut(site * self.players + player) {
                *hidden = if on { *hidden | kinds } else { *hidden & !kinds };
            }
        }
    }

    /// Updates the hidden properties for an action that has just been carried out.
    pub(crate) fn follow(&mut self, act: Act, what: &[i32], layout: &Layout) {
        if !self.listening {
            return;
        }
        match act {
            Act::Tell { players, speaker, words } => self.told.push((players, speaker, words)),
            Act::Hide { site, kinds, players, on } => {
                self.hide(usize::from(site), kinds, players, on);
            }
            // Hidden properties of a piece move with it. Pieces of stacks become visible.
            Act::MoveTop { from, to, .. }
            | Act::MoveStack { from, to }
            | Act::MoveLevel { from, to, .. }
                if from != to =>
            {
                let (from, to) = (usize::from(from), usize::from(to));
                let flat = layout.occupancy != Occupancy::Stacking;
                let emptied = what.get(from) == Some(&0);
                for player in 0..self.players {
                    let (from, to) = (from * self.players + player, to * self.players + player);
                    if from.max(to) >= self.hidden.len() {
                        continue;
                    }
                    self.hidden[to] = if flat { self.hidden[from] } else { 0 };
                    if emptied {
                        self.hidden[from] = 0;
                    }
                }
            }
            _ => {}
        }
    }
}
