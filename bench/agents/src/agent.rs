use std::fmt;
use std::time::Duration;

use play::{Game, Player, Position, Rng, mix};

/// Plays one role of a game. An agent may keep what it thinks between its plies of one game: it
/// knows a new game by the empty past of its first ply, or by a past that is not the old one's.
pub trait Agent: Send {
    /// Its name in tables and records.
    fn name(&self) -> String;

    /// Chooses one of the legal actions of `obs`, of which there is at least one.
    fn choose(&mut self, obs: &Observation<'_>, budget: Budget) -> Result<Choice, Fault>;

    /// The counts of the agent since it was made, by name: such as plies at which it found no state
    /// of the game that fits what it perceived.
    fn counts(&self) -> Vec<(&'static str, u64)> {
        Vec::new()
    }
}

/// The knowledge of a role when it is to act.
#[derive(Clone, Copy)]
pub struct Observation<'a> {
    /// The rules, which everybody knows.
    pub game: &'a dyn Game,
    /// The role.
    pub player: Player,
    /// Labels of its legal actions, in the order of their numbers.
    pub legal: &'a [String],
    /// Its own actions and its percepts so far, from the start of the game.
    pub past: &'a [ObservedPly],
    /// The position; only in games of full information.
    pub position: Option<&'a dyn Position>,
    /// Labels of all plies so far, forced passes left out; empty in games of hidden information.
    pub moves: &'a [String],
    /// Seed for what the agent does at random: another one for each game and role.
    pub seed: u64,
}

impl<'a> Observation<'a> {
    /// The seed of what a role does at random in a game of this seed.
    pub fn seed_of(seed: u64, player: Player) -> u64 {
        mix(seed ^ mix(u64::from(player.0) + 1))
    }

    /// The stream of what the agent does at random at this ply.
    pub(crate) fn rng(&self) -> Rng {
        Rng::stream(self.seed, self.past.len() as u64)
    }

    /// The position, for an agent that cannot do without it.
    pub(crate) fn full_position(&self, agent: &str) -> Result<&'a dyn Position, Fault> {
        self.position.ok_or_else(|| {
            let which = "where information is hidden take `hyperplay` or `ismcts`";
            Fault(format!("agent `{agent}` plays games of full information only: {which}"))
        })
    }
}

/// The knowledge of a role about one ply (or, as the first of all, about the start of the game).
/// Plies of others of which it perceived nothing leave nothing: it does not know that they were.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObservedPly {
    /// Its own action, if it was its ply.
    pub own: Option<String>,
    /// Its percepts, sorted.
    pub percepts: Vec<String>,
}

impl ObservedPly {
    /// The knowledge of the role of this number about a ply (or the start), given its own action,
    /// if it was its ply, and the percepts of all roles; `None` if it does not know of the ply.
    pub fn of(role: usize, own: Option<&str>, percepts: &[Vec<String>]) -> Option<ObservedPly> {
        let own = own.map(str::to_owned);
        let mut percepts = percepts.get(role).cloned().unwrap_or_default();
        percepts.sort_unstable();
        (own.is_some() || !percepts.is_empty()).then_some(ObservedPly { own, percepts })
    }
}

/// The budget of an agent for one ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Budget {
    /// So many simulations, or whatever else the agent counts.
    Iterations(u64),
    /// So much CPU time of the thread.
    Time(Duration),
}

/// The choice of an agent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Choice {
    /// The number of the action.
    pub action: usize,
    /// Simulations played while thinking.
    pub simulations: u64,
    /// The agent's estimates of some of its actions.
    pub values: Vec<Estimate>,
}

/// An agent's estimate of one of its actions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// The number of the action.
    pub action: usize,
    /// The mean payoff that the agent expects.
    pub value: f64,
    /// The number of simulations that began with the action; 0 where the agent counts none.
    pub visits: u64,
}

/// The simulations that began with one action.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tried {
    /// Their number.
    pub(crate) visits: u64,
    /// The sum of their weights.
    pub(crate) weight: f64,
    /// The weighted sum of their payoffs.
    pub(crate) sum: f64,
}

impl Tried {
    fn mean(&self) -> Option<f64> {
        (self.weight > 0.0).then_some(self.sum / self.weight)
    }
}

impl Choice {
    /// Itself, if there is such an action.
    pub fn legal_in(self, obs: &Observation<'_>) -> Result<Choice, Fault> {
        let legal = obs.legal.len();
        if self.action < legal {
            return Ok(self);
        }
        Err(Fault(format!("action {} of {legal}", self.action)))
    }

    /// Of actions that were tried by playouts the one with the best mean payoff; any if there was
    /// no time for a playout.
    pub(crate) fn by_mean(
        tried: &[Tried],
        simulations: u64,
        obs: &Observation<'_>,
        rng: &mut Rng,
    ) -> Choice {
        let action = match simulations {
            0 => rng.below(obs.legal.len() as u32) as usize,
            _ => greatest(tried.iter().map(|arm| arm.mean().unwrap_or(f64::NEG_INFINITY))),
        };
        let values = tried.iter().enumerate().filter_map(|(action, arm)| {
            Some(Estimate { action, value: arm.mean()?, visits: arm.visits })
        });
        Choice { action, simulations, values: values.collect() }
    }
}

/// The reason why an agent chose nothing: its game is lost, the match goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault(pub String);

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The place of the greatest number; of equal ones the first. 0 of none.
pub(crate) fn greatest(values: impl IntoIterator<Item = f64>) -> usize {
    let mut best = (0, f64::NEG_INFINITY);
    for (i, value) in values.into_iter().enumerate() {
        if value > best.1 {
            best = (i, value);
        }
    }
    best.0
}
