//! Copies of a state in which moves are tried. Their memory is used again by later trials.

use crate::buffer::{Buffer, pooled};
use std::ops::{Deref, DerefMut};

use super::State;

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
        let state = match spare {
            Some(mut state) => {
                (*state).clone_from(self);
                state
            }
            None => Box::new(self.clone()),
        };
        Trial { state: Some(state), home: self }
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
            spare: std::sync::Mutex::default(),
            scratch: Buffer::new(),
            log: None,
            listed: self.listed.clone(),
            draws: self.draws.clone(),
            senses: self.senses.clone(),
            domains: self.domains.clone(),
        }
    }

    /// Copies into the memory of `self`.
    fn clone_from(&mut self, from: &State) {
        self.head = from.head;
        self.at = from.at;
        refill(&mut self.bits, &from.bits);
        refill(&mut self.cells, &from.cells);
        self.lists.copy_all(&from.lists);
        refill(&mut self.history, &from.history);
        refill(&mut self.positions, &from.positions);
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
