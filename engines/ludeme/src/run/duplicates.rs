//! Moves with the same ends that lead to the same state count once.

use crate::buffer::Buffer;
use crate::eval::{Around, Legality, Listed};
use crate::game::Game;
use crate::moves::Move;
use crate::state::{State, Trial};

impl Game {
    /// Takes moves off a list that lead to the same state as one before them.
    pub(super) fn drop_duplicates(&self, state: &mut State, listed: &mut Listed) {
        if !self.overlaps {
            return;
        }
        let Listed { list, draws, .. } = listed;
        let mut order: Buffer<(u64, usize)> =
            list.iter().enumerate().map(|(place, id)| (id.ends(), place)).collect();
        order.sort_unstable();
        let mut dropped: Buffer<u16> = Buffer::new();
        for group in order.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1) {
            let ids = group.iter().map(|&(_, place)| list[place]);
            let made = ids.filter_map(|id| {
                let made = self.make_listed(state, draws, id, Legality::Known, None)?;
                Some((id.number, made))
            });
            let (numbers, moves): (Buffer<u16>, Buffer<Move>) = made.unzip();
            let kept = self.distinct(state, &moves);
            dropped.extend((0..numbers.len()).filter(|i| !kept.contains(i)).map(|i| numbers[i]));
        }
        if !dropped.is_empty() {
            dropped.sort_unstable();
            list.retain(|id| dropped.binary_search(&id.number).is_err());
        }
    }

    /// The moves of a list that lead to other states than those before them, by their places in it.
    pub(crate) fn distinct(&self, state: &State, all: &[Move]) -> Buffer<usize> {
        let ends = |made: &Move| (made.from, made.to, made.sort);
        let mut places = Buffer::new();
        let mut afters: Buffer<Option<Box<State>>> = Buffer::new();
        for (place, made) in all.iter().enumerate() {
            let mut after = None;
            let known = places.iter().zip(afters.iter_mut()).any(|(&other, kept)| {
                let other: &Move = &all[other];
                ends(other) == ends(made) && {
                    do_the_same(other, made) || {
                        let after = after.get_or_insert_with(|| self.tried(state, made));
                        kept.get_or_insert_with(|| self.tried(state, other).keep()).same(after)
                    }
                }
            });
            if !known {
                afters.push(after.map(Trial::keep));
                places.push(place);
            }
        }
        // The states may be tried in again.
        afters.into_iter().flatten().for_each(|after| drop(Trial::again(after, state)));
        places
    }

    /// True if two moves lead to the same state; that after the second is kept for the next
    /// comparison.
    pub(crate) fn are_same<'s>(
        &self,
        state: &'s State,
        one: &Move,
        (other, after): (&Move, &mut Option<Trial<'s>>),
    ) -> bool {
        do_the_same(one, other) || {
            let after = after.get_or_insert_with(|| self.tried(state, other));
            self.tried(state, one).same(after)
        }
    }

    /// The state after a move.
    fn tried<'s>(&self, state: &'s State, made: &Move) -> Trial<'s> {
        let mut after = state.trial();
        self.carry_out_move(&mut after, made, Around::NOTHING);
        after
    }
}

/// True if it is known of two moves that they lead to the same state, without making them.
fn do_the_same(one: &Move, other: &Move) -> bool {
    one.acts == other.acts && one.then == other.then
}
