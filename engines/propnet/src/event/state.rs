//! States that are kept: what positions and searches list the moves of, and go on from step by
//! step.

use smallvec::SmallVec;

use crate::event::cells::{Cells, Number, Wide};
use crate::event::compile::EventNetwork;
use crate::event::memory::{Scratch, Values};
use crate::plain_evaluator::{MoveId, PlainEvaluator};
use cpu::{Cpu, Task};

/// A state of the game with the values of the network in it, which each step changes where they
/// change.
#[derive(Debug)]
pub(crate) struct EventState {
    pub(crate) values: Values<Wide>,
    pub(super) chosen: SmallVec<[MoveId; 4]>,
}

impl Clone for EventState {
    fn clone(&self) -> EventState {
        EventState { values: self.values.clone(), chosen: self.chosen.clone() }
    }

    fn clone_from(&mut self, other: &EventState) {
        self.values.clone_from(&other.values);
        self.chosen.clone_from(&other.chosen);
    }
}

impl EventState {
    /// The choices of the first roles.
    pub(crate) fn chosen(&self) -> &[MoveId] {
        &self.chosen
    }
}

impl<N: Number> EventNetwork<N> {
    /// The initial state, before anybody has chosen.
    pub(crate) fn start(&self) -> EventState {
        let (propagation, told) = (self.net.initial().clone(), Vec::new());
        EventState { values: Values { propagation, told }, chosen: SmallVec::new() }
    }

    /// True if some role has nothing to do: the rules leave it undefined how to go on.
    fn is_stuck(&self, state: &EventState) -> bool {
        self.actors.iter().any(|actor| self.count(actor, &state.values.propagation) == 0)
    }

    /// Adds the moves from which the next role chooses; which role that is, or `None` if the game
    /// is over. There are none if some role has nothing to do.
    pub(crate) fn expand(&self, state: &EventState, legal: &mut Vec<MoveId>) -> Option<usize> {
        let propagation = &state.values.propagation;
        if self.is_over(propagation) {
            return None;
        }
        let role = state.chosen.len();
        match &self.solos[self.turn(propagation)] {
            Some(solo) => {
                let words = &self.net.leaves(propagation)[solo.words.clone()];
                if role == solo.role {
                    list(words, solo.first, legal);
                } else if role > 0 || words.iter().any(|&word| word != 0) {
                    legal.push(self.actors[role].idle);
                }
            }
            None if role == 0 && self.is_stuck(state) => {}
            None => self.list(state, role, legal),
        }
        Some(role)
    }

    /// Adds the legal moves of a role in order, whoever's turn it is.
    pub(crate) fn list(&self, state: &EventState, role: usize, legal: &mut Vec<MoveId>) {
        let propagation = &state.values.propagation;
        let leaves = self.net.leaves(propagation);
        for choices in self.actors[role].choices.iter().filter(|c| propagation.holds(c.guard)) {
            list(&leaves[choices.words.clone()], choices.first, legal);
        }
    }

    /// The number of a legal move among those from which the next role chooses, and how many there
    /// are.
    pub(crate) fn number(&self, state: &EventState, action: MoveId) -> (u32, u32) {
        let (propagation, role) = (&state.values.propagation, state.chosen.len());
        let leaves = self.net.leaves(propagation);
        if let Some(solo) = &self.solos[self.turn(propagation)] {
            let words = &leaves[solo.words.clone()];
            return if role == solo.role {
                number(words, action.saturating_sub(solo.first))
            } else {
                (0, 1)
            };
        }
        let (mut before, mut count) = (0, 0);
        for choices in self.actors[role].choices.iter().filter(|c| propagation.holds(c.guard)) {
            let words = &leaves[choices.words.clone()];
            let (own, all) = number(words, action.saturating_sub(choices.first));
            before += own;
            count += all;
        }
        (before, count)
    }

    /// True if a proposition holds.
    pub(crate) fn base(&self, state: &EventState, base: usize) -> bool {
        state.values.propagation.cells.is_on(self.bases[base].node)
    }
}

/// Adds the moves whose bits are set, which are those from `first` on.
fn list(words: &[u64], first: MoveId, legal: &mut Vec<MoveId>) {
    for (at, &word) in (0..).zip(words) {
        let mut bits = word;
        while bits != 0 {
            legal.push(first + at * 64 + bits.trailing_zeros());
            bits &= bits - 1;
        }
    }
}

/// The number of bits that are set before one, and the number of all.
fn number(words: &[u64], bit: u32) -> (u32, u32) {
    let (mut before, mut all) = (0, 0);
    for (at, word) in (0..).zip(words) {
        let end = bit.saturating_sub(64 * at).min(64);
        // The lowest bits, of which there may be 64.
        let lowest = 1u64.checked_shl(end).map_or(u64::MAX, |bit| bit - 1);
        before += (word & lowest).count_ones();
        all += word.count_ones();
    }
    (before, all)
}

/// A step from a state to the next.
pub(crate) struct Advance<'a, N: Number> {
    pub(crate) fast: &'a EventNetwork<N>,
    pub(crate) plain: &'a PlainEvaluator,
    pub(crate) values: &'a mut Values<Wide>,
    pub(crate) scratch: &'a mut Scratch,
    pub(crate) joint: &'a [MoveId],
}

impl<N: Number> Task for Advance<'_, N> {
    type Output = ();

    #[inline(always)]
    fn run<K: Cpu>(self, cpu: K) {
        let Advance { fast, plain, values, scratch, joint } = self;
        fast.advance(cpu, plain, values, scratch, joint);
    }
}
