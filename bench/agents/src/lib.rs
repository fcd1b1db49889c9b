#![doc = include_str!("../README.md")]

mod agent;
mod flat;
mod follow;
mod game;
mod hyperplay;
mod ismcts;
mod meter;
mod params;
mod random;
mod reason;
mod sampler;
mod tree;
mod uct;

pub use agent::{Agent, Budget, Choice, Estimate, Fault, Observation, ObservedPly};
pub use flat::Flat;
pub use follow::Followed;
pub use game::{Played, Ply, digest, play_out};
pub use hyperplay::HyperPlay;
pub use ismcts::Ismcts;
pub use params::Parameter;
pub use random::Random;
pub use reason::{
    Assumptions, Odds, PitPrior, Reason, Shape, SquareOdds, WumpusWorld, odds, odds_in,
};
pub use uct::Uct;

use params::Params;

/// Makes an agent of its name and parameters; an error says what is wrong with these.
type Constructor = fn(&str, &Params<'_>) -> Result<Box<dyn Agent>, String>;

/// An agent that can be asked for by name; [`parameters`] tells what can be set.
#[derive(Clone, Copy, Debug)]
pub struct AgentKind {
    /// Its name.
    pub name: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// True if it needs the position, and so plays games of full information only.
    full: bool,
    /// Its constructor, from the name with parameters, as it was written, and these parameters.
    new: Constructor,
}

impl AgentKind {
    /// True if it plays games in which something is hidden, or games in which nothing is.
    pub fn can_play(&self, hidden: bool) -> bool {
        !(self.full && hidden)
    }
}

/// Every agent, in the order in which they are listed.
pub const AGENTS: &[AgentKind] = &[
    AgentKind {
        name: "random",
        about: "a legal action, all equally likely",
        full: false,
        new: |_, _| Ok(Box::new(Random)),
    },
    AgentKind {
        name: "flat",
        about: "playouts of every action, full information",
        full: true,
        new: |name, params| Ok(Box::new(Flat::new(name, params)?)),
    },
    AgentKind {
        name: "uct",
        about: "Monte Carlo tree search, full information",
        full: true,
        new: |name, params| Ok(Box::new(Uct::new(name, params)?)),
    },
    AgentKind {
        name: "hyperplay",
        about: "sampled states that fit vote",
        full: false,
        new: |name, params| Ok(Box::new(HyperPlay::new(name, params)?)),
    },
    AgentKind {
        name: "ismcts",
        about: "one tree over what the role knows",
        full: false,
        new: |name, params| Ok(Box::new(Ismcts::new(name, params)?)),
    },
    AgentKind {
        name: "reason",
        about: "exact odds, rollouts, rules of thumb, Wumpus worlds only",
        full: false,
        new: |name, params| Ok(Box::new(Reason::new(name, params)?)),
    },
];

/// The agent of that name, new. Parameters follow a colon: `uct:c=0.7,plies=200`.
pub fn by_name(text: &str) -> Result<Box<dyn Agent>, String> {
    Ok(made(text)?.0)
}

/// The parameters that the agent of that name has, with what they are where none is given.
pub fn parameters(name: &str) -> Result<Vec<Parameter>, String> {
    Ok(made(name)?.1)
}

fn made(text: &str) -> Result<(Box<dyn Agent>, Vec<Parameter>), String> {
    let (name, params) = Params::parse(text)?;
    let kind = AGENTS.iter().find(|kind| kind.name == name).ok_or_else(|| {
        let names: Vec<&str> = AGENTS.iter().map(|kind| kind.name).collect();
        let hint = text::did_you_mean(name, names.iter().copied());
        format!("no agent `{name}`{hint} (there are {})", names.join(", "))
    })?;
    let agent = (kind.new)(text, &params)?;
    params.finish()?;
    Ok((agent, params.known()))
}
