//! States in which moves are tried. They follow a state by a log of its writes.
//!
//! A large state is not copied for a trial. Its follower was equal to it once; since then both have
//! written to some places, and both have logged them. An update of just these places makes them
//! equal again: the writes of the state are repeated in the follower, and those of the trial are
//! rolled back. A follower can be followed itself, so trials nest. If no log is kept the follower
//! becomes a copy, in the memory that it has: for small states that is faster.

use crate::buffer::{Buffer, pooled};
use std::ops::{Deref, DerefMut};

use super::State;
use super::log::{CUT, Followed, LIST, Log, WORD};

/// A state to try moves in.
pub(crate) struct Trial<'a> {
    /// Taken out when the trial is dropped.
    state: Option<Box<State>>,
    home: &'a State,
}

pooled!(Option<Box<State>>);

impl Trial<'_> {
    /// The state without its trial, for [`Trial::again`].
    pub(crate) fn keep(mut self) -> Box<State> {
        self.state.take().expect("a trial has a state until it is dropped")
    }

    /// The trial whose state was kept.
    pub(crate) fn again(kept: Box<State>, home: &State) -> Trial<'_> {
        Trial { state: Some(kept), home }
    }
}

impl Deref for Trial<'_> {
    type Target = State;

    fn deref(&self) -> &State {
        self.state.as_ref().expect("a trial has a state until it is dropped")
    }
}

impl DerefMut for Trial<'_> {
    fn deref_mut(&mut self) -> &mut State {
        self.state.as_mut().expect("a trial has a state until it is dropped")
    }
}

impl Drop for Trial<'_> {
    fn drop(&mut self) {
        if let Some(state) = self.state.take()
            && let Ok(mut spare) = self.home.spare.lock()
        {
            spare.push(state);
        }
    }
}

impl State {
    /// A state equal to this one, to try moves in.
    pub(crate) fn trial(&self) -> Trial<'_> {
        let spare = self.spare.lock().ok().and_then(|mut spare| spare.pop());
        let mut state = spare.unwrap_or_else(|| Box::new(self.clone()));
        state.follow(self);
        Trial { state: Some(state), home: self }
    }

    /// True if a copy of the state takes longer than a log of its writes.
    pub(crate) fn is_large(&self) -> bool {
        self.bytes() > 4096
    }

    /// Begins a log, so that states in which moves are tried need not be copied.
    pub(crate) fn write_down(&mut self) {
        self.written.on = true;
        self.watched = true;
    }

    /// Makes this state equal to one that it was copied from earlier.
    fn follow(&mut self, from: &State) {
        let Followed { theirs, own, .. } = self.followed;
        let common_log = from.written.on
            && theirs.epoch == from.written.epoch
            && own.epoch == self.written.epoch
            && from.written.entries.len() - theirs.entry + self.written.entries.len() - own.entry
                <= self.worth_following();
        if common_log {
            // Copied places are logged in turn, for the followers of this state.
            let tried = own.entry..self.written.entries.len();
            for &entry in &from.written.entries[theirs.entry..] {
                self.bring(entry, from);
            }
            for i in tried {
                // If the log has begun anew in the meantime, the whole state is copied below.
                let Some(&entry) = self.written.entries.get(i) else { break };
                self.bring(entry, from);
            }
        }
        if common_log && own.epoch == self.written.epoch {
            self.head = from.head;
            let Followed { history, positions, .. } = self.followed;
            if history < self.history.len() {
                self.history.truncate(history);
                self.written.cut_history(history);
            }
            if positions < self.positions.len() {
                self.positions.truncate(positions);
                self.written.cut_positions(positions);
            }
            self.history.extend_from_slice(&from.history[history..]);
            self.positions.extend_from_slice(&from.positions[positions..]);
        } else {
            self.clone_from(from);
        }
        if self.spare.get_mut().is_ok_and(|spare| spare.is_empty()) {
            // Without a follower the log is of no use.
            self.written.entries.clear();
        }
        self.followed = Followed {
            theirs: from.written.here(),
            own: self.written.here(),
            history: self.history.len(),
            positions: self.positions.len(),
        };
    }

    /// Number of entries beyond which a copy of the whole state is faster, because it moves many
    /// places at once.
    fn worth_following(&self) -> usize {
        64 + (self.cells.len() + 2 * self.bits.len()) / 8
    }

    /// Copies the place of an entry of a log.
    #[inline]
    fn bring(&mut self, entry: u32, from: &State) {
        let place = (entry & !CUT) as usize;
        if entry & CUT == CUT {
            let Followed { history, positions, .. } = &mut self.followed;
            let common = if place & 1 == 0 { history } else { positions };
            *common = (*common).min(place >> 1);
            return;
        }
        if entry & WORD != 0 {
            if let (Some(to), Some(&from)) = (self.bits.get_mut(place), from.bits.get(place)) {
                *to = from;
            }
        } else if entry & LIST == 0 {
            if place >= self.cells.len() {
                self.cells.resize(from.cells.len().max(place + 1), 0);
            }
            self.cells[place] = from.cells.get(place).copied().unwrap_or(0);
        } else {
            self.lists.copy(place, &from.lists);
        }
        self.written.push(entry);
    }
}

impl Clone for State {
    fn clone(&self) -> State {
        State {
            head: self.head,
            at: self.at,
            bits: self.bits.clone(),
            cells: self.cells.clone(),
            lists: {
                let mut lists = super::lists::Lists::default();
                lists.copy_all(&self.lists);
                lists
            },
            history: with_room(&self.history),
            positions: self.positions.clone(),
            watched: self.watched,
            written: Log { on: self.written.on, ..Log::default() },
            followed: Followed::default(),
            spare: std::sync::Mutex::default(),
            scratch: Buffer::new(),
            log: None,
            listed: self.listed.clone(),
            draws: self.draws.clone(),
            senses: self.senses.clone(),
            domains: self.domains.clone(),
        }
    }

    /// Copies into the memory of `self`. Followers of this state have to begin anew.
    fn clone_from(&mut self, from: &State) {
        self.head = from.head;
        self.at = from.at;
        refill(&mut self.bits, &from.bits);
        refill(&mut self.cells, &from.cells);
        self.lists.copy_all(&from.lists);
        refill(&mut self.history, &from.history);
        refill(&mut self.positions, &from.positions);
        self.written.begin();
        self.log = None;
        self.listed.clone_from(&from.listed);
        self.draws.clone_from(&from.draws);
        self.senses.clone_from(&from.senses);
        self.domains.clone_from(&from.domains);
    }
}

/// A copy of a record of moves with room for those of most playouts.
fn with_room(history: &[u8]) -> Vec<u8> {
    let mut copy = Vec::with_capacity(history.len() + 1024);
    copy.extend_from_slice(history);
    copy
}

/// Copies a list into another of the same or any length.
#[inline]
fn refill<T: Copy>(list: &mut Vec<T>, from: &[T]) {
    if list.len() == from.len() {
        list.copy_from_slice(from);
    } else {
        list.clear();
        list.extend_from_slice(from);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::log::MOST_ENTRIES;
    use super::*;
    use crate::set::Set;
    use crate::state::{Layers, Layout, List, Occupancy, PieceValues, Sizes};

    fn layout(occupancy: Occupancy) -> Layout {
        let layers = Layers { state: true, ..Layers::default() };
        let sizes = Sizes { players: 2, sites: 8, words: 1, vars: 2, lists: 2, ..Sizes::default() };
        Layout::new(&[0, 1, 2, 2], occupancy, layers, &[1, 2, 3], Sizes { hashed: true, ..sizes })
    }

    /// Changes a state in one of many ways.
    fn change(state: &mut State, layout: &Layout, [kind, a, b]: [u8; 3]) {
        let (from, to) = (usize::from(a % 8), usize::from(b % 8));
        let piece = 1 + usize::from(b % 3);
        match kind % 14 {
            0 | 1 => {
                let given = PieceValues { state: Some(i32::from(b)), ..PieceValues::default() };
                state.add(layout, from, piece, 1, given);
            }
            2 => state.remove(layout, from),
            3 => state.move_top(layout, from, to, a & 8 != 0),
            4 => state.move_stack(layout, from, to),
            5 => state.promote(layout, from, piece),
            6 => state.clear_captured(layout, from, to),
            7 => state.pend(layout, from),
            8 => state.forget_pending(layout),
            9 => state.list_mut([List::ToClear, List::Between][to % 2]).push(a.into()),
            10 => state.remember(layout, to % 2, a.into()),
            11 => state.history.push(a),
            12 => state.remember_hash(u64::from(a)),
            _ if a < 40 => state.forget_positions(),
            _ => state.set_score(to, i32::from(a)),
        }
        state.head.moves += 1;
    }

    fn check(layout: &Layout, trial: &State, state: &State) {
        assert!(trial.same(state) && trial.head == state.head);
        assert_eq!(trial.words(), state.words());
        assert_eq!((&trial.history, trial.positions()), (&state.history, state.positions()));
        assert_eq!(trial.list(List::Between), state.list(List::Between));
        let order = |state: &State| {
            (0..4).flat_map(|component| state.order(layout, component)).collect::<Vec<_>>()
        };
        assert_eq!(order(trial), order(state));
        assert_eq!(trial.position_hash(), state.position_hash());
    }

    /// Goes through changes; some of them are made in trials, and in trials inside of those.
    fn go(
        state: &mut State,
        layout: &Layout,
        changes: &mut std::slice::Iter<'_, [u8; 3]>,
        depth: u8,
    ) {
        while let Some(&[kind, a, b]) = changes.next() {
            match kind >> 6 {
                0 if depth > 0 => return,
                1 if depth < 3 => {
                    let before = state.clone();
                    let mut trial = state.trial();
                    check(layout, &trial, &before);
                    go(&mut trial, layout, changes, depth + 1);
                    drop(trial);
                    check(layout, state, &before);
                }
                _ => change(state, layout, [kind & 63, a, b]),
            }
        }
    }

    proptest! {
        #[test]
        fn trials_begin_as_what_they_follow(changes: Vec<[u8; 3]>, occupancy in 0..3) {
            let flavours = [Occupancy::Flat, Occupancy::Counting, Occupancy::Stacking];
            let layout = layout(flavours[occupancy as usize]);
            let mut state = State::new(&layout, &Set::<1>::below(8));
            state.write_down();
            go(&mut state, &layout, &mut changes.iter(), 0);
        }
    }

    #[test]
    fn a_log_begins_anew_when_it_is_long() {
        let layout = layout(Occupancy::Flat);
        let mut state = State::new(&layout, &Set::<1>::below(8));
        state.write_down();
        drop(state.trial());
        for round in 0..3 * MOST_ENTRIES as u32 {
            change(&mut state, &layout, [round as u8, (round / 5) as u8, (round / 7) as u8]);
            if round % 3000 == 0 {
                let mut trial = state.trial();
                check(&layout, &trial, &state);
                (0..round % 5000).for_each(|i| change(&mut trial, &layout, [i as u8, 3, 4]));
            }
        }
        check(&layout, &state.trial(), &state);
        assert!(state.written.epoch > 0);
    }
}
