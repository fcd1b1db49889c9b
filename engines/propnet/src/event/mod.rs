//! The event-driven evaluator: it goes from state to state and visits only what changes.

mod cells;
mod compile;
mod effects;
mod fan_outs;
mod literals;
mod memory;
mod net;
mod on_demand;
mod play;
mod program;
mod state;
mod turns;

use ::play::{BuildFact, Chance, End, Job, Rng, Scores, Tally};

use compile::{Blueprint, EventNetwork};
use play::Rules;
use state::Advance;

pub(crate) use effects::base_literals;
pub(crate) use state::EventState;

use crate::costs::Costs;
use crate::guards::Group;
use crate::network::{Goal, Network};
use crate::plain_evaluator::{MoveId, PlainEvaluator, Role};
use crate::trial::Trial;
use cpu::Level;

/// A network laid out for change propagation, with numbers as narrow as they can be.
pub(crate) enum Event {
    /// Up to 2^16 nodes.
    Narrow(Box<EventNetwork<u16>>),
    /// Any number.
    Wide(Box<EventNetwork<u32>>),
}

/// Does the same with either.
macro_rules! with {
    ($event:expr, $fast:ident => $result:expr) => {
        match $event {
            Event::Narrow($fast) => $result,
            Event::Wide($fast) => $result,
        }
    };
}

impl Event {
    /// Lays out a network; also what it costs to find what is next, see [`Costs`]. `groups` cover
    /// its moves in order.
    pub(crate) fn new(
        network: &Network,
        plain: &PlainEvaluator,
        trial: &Trial,
        groups: &[Group],
        costs: &Costs,
    ) -> (Event, f64) {
        let blueprint = Blueprint::new(network, plain, trial, groups, costs.told);
        let next = blueprint.next;
        let event = if blueprint.nodes() <= 1 << 16 {
            Event::Narrow(Box::new(blueprint.build()))
        } else {
            Event::Wide(Box::new(blueprint.build()))
        };
        (event, next)
    }

    /// Plays a job.
    pub(crate) fn run(
        &self,
        level: Level,
        plain: &PlainEvaluator,
        goals: &[Goal],
        job: &Job,
    ) -> Tally {
        let rules = Rules { plain, goals };
        with!(self, fast => fast.run(level, rules, job))
    }

    /// Plays on from a state.
    pub(crate) fn play_on(
        &self,
        level: Level,
        (plain, goals): (&PlainEvaluator, &[Goal]),
        from: &EventState,
        rng: &mut Rng,
        cap: u32,
    ) -> End {
        let rules = Rules { plain, goals };
        with!(self, fast => fast.play_on(level, rules, from, rng, cap))
    }

    /// The initial state, before anybody has chosen.
    pub(crate) fn start(&self) -> EventState {
        with!(self, fast => fast.start())
    }

    /// Makes a state the initial one, before anybody has chosen.
    pub(crate) fn restart(&self, state: &mut EventState) {
        with!(self, fast => state.values.propagation.clone_from(fast.net.initial()));
        state.values.told.clear();
        state.chosen.clear();
    }

    /// Adds the moves from which the next role chooses, in order; which role that is, or `None` if
    /// the game is over. There are none if some role has nothing to do.
    pub(crate) fn expand(&self, state: &EventState, legal: &mut Vec<MoveId>) -> Option<usize> {
        with!(self, fast => fast.expand(state, legal))
    }

    /// The legal moves of a role in order, whoever's turn it is.
    pub(crate) fn legal(&self, state: &EventState, role: usize) -> Vec<MoveId> {
        let mut legal = Vec::new();
        with!(self, fast => fast.list(state, role, &mut legal));
        legal
    }

    /// The number of a move among those from which the next role chooses, and how many there are.
    pub(crate) fn number(&self, state: &EventState, action: MoveId) -> (u32, u32) {
        with!(self, fast => fast.number(state, action))
    }

    /// The next role chooses; the choice of the last fires the transition.
    pub(crate) fn choose(
        &self,
        level: Level,
        plain: &PlainEvaluator,
        state: &mut EventState,
        action: MoveId,
    ) {
        let EventState { values, chosen } = state;
        chosen.push(action);
        if chosen.len() == plain.roles.all.len() {
            with!(self, fast => fast.with_scratch(|scratch| {
                level.call(Advance { fast, plain, values, scratch, joint: chosen });
            }));
            chosen.clear();
        }
    }

    /// Lets nature choose, where it is its turn; `made` hears of what it chose.
    pub(crate) fn choose_nature<C: Chance + ?Sized>(
        &self,
        level: Level,
        plain: &PlainEvaluator,
        state: &mut EventState,
        chance: &mut C,
        mut made: impl FnMut(MoveId),
    ) {
        while let Some(Role { player: None, .. }) = plain.roles.all.get(state.chosen.len()) {
            let mut legal = Vec::new();
            if self.expand(state, &mut legal).is_none() || legal.is_empty() {
                return;
            }
            let action = legal[chance.below(legal.len() as u32) as usize];
            made(action);
            self.choose(level, plain, state, action);
            if state.chosen.is_empty() {
                return;
            }
        }
    }

    /// The payoffs of the players in a state that is over.
    pub(crate) fn scores(
        &self,
        plain: &PlainEvaluator,
        goals: &[Goal],
        state: &EventState,
    ) -> Scores {
        let (rules, propagation) = (Rules { plain, goals }, &state.values.propagation);
        with!(self, fast => fast.with_scratch(|scratch| fast.scores(rules, propagation, scratch)))
    }

    /// True if a proposition holds.
    pub(crate) fn base(&self, state: &EventState, base: usize) -> bool {
        with!(self, fast => fast.base(state, base))
    }

    /// The sizes of the compiled network, by name.
    pub(crate) fn statistics(&self) -> Vec<(BuildFact, u64)> {
        with!(self, fast => fast.statistics())
    }

    /// Bytes of the state of one playout.
    pub(crate) fn state_bytes(&self) -> usize {
        with!(self, fast => fast.state_bytes())
    }
}
