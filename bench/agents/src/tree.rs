use play::{
    ActionValue, Facts, OpenLoopSearch, Player, Position, Search, SearchSettings,
    grow_open_loop_through, grow_through,
};

use crate::agent::{Estimate, greatest};

/// Bytes of a tree that is to be its root alone.
pub(crate) const ROOT_ALONE: usize = 1;

/// A search below a position that is known, over the engine's own states where it has such trees.
pub(crate) enum Grown<'p> {
    /// Of a game without chance: nodes are positions.
    Closed(Box<dyn Search + 'p>),
    /// Of a game of chance: nodes are sequences of actions, from this root.
    Open(Box<dyn OpenLoopSearch<'p> + 'p>, Box<dyn Position + 'p>),
}

impl<'p> Grown<'p> {
    /// A tree with this position as its root.
    pub(crate) fn below(
        position: &(dyn Position + 'p),
        facts: &Facts,
        settings: SearchSettings,
    ) -> Grown<'p> {
        if facts.chance {
            return Grown::Open(open_loop(position, facts, settings, None), position.copy());
        }
        let through = || grow_through(position, facts.players, settings);
        Grown::Closed(position.search(settings).unwrap_or_else(through))
    }

    /// Makes so many simulations more.
    pub(crate) fn simulate(&mut self, count: u64) {
        match self {
            Grown::Closed(search) => search.simulate(count),
            Grown::Open(search, root) => search.simulate(&**root, count),
        }
    }

    /// The statistics of each legal action of the position.
    pub(crate) fn values(&mut self) -> Vec<ActionValue> {
        match self {
            Grown::Closed(search) => search.values(),
            Grown::Open(search, root) => search.values(&**root),
        }
    }
}

/// A tree of what this player does and perceives, or without a player of sequences of actions.
pub(crate) fn open_loop<'p>(
    position: &(dyn Position + 'p),
    facts: &Facts,
    settings: SearchSettings,
    observer: Option<Player>,
) -> Box<dyn OpenLoopSearch<'p> + 'p> {
    let through = || grow_open_loop_through(facts.players, settings, observer);
    position.search_open_loop(settings, observer).unwrap_or_else(through)
}

/// The action with most visits, of equal ones that with the greatest mean: a mean of few visits is
/// worth little.
pub(crate) fn most_visited(values: &[ActionValue]) -> usize {
    let most = values.iter().map(|value| value.visits).max().unwrap_or(0);
    let mean =
        |value: &ActionValue| if value.visits == most { value.mean } else { f64::NEG_INFINITY };
    greatest(values.iter().map(mean))
}

/// The estimates of the actions that were tried, for [`Choice::values`](crate::Choice::values).
pub(crate) fn estimates(values: &[ActionValue]) -> Vec<Estimate> {
    let tried = values.iter().enumerate().filter(|(_, value)| value.visits > 0);
    let estimate =
        |(action, &ActionValue { visits, mean })| Estimate { action, value: mean, visits };
    tried.map(estimate).collect()
}
