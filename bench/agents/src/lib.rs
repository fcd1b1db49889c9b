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

pub use agent::{Agent, Budget, Choice, Fault, Observation, ObservedPly};
pub use flat::Flat;
pub use follow::Followed;
pub use game::{Played, Ply, play_out};
pub use hyperplay::HyperPlay;
pub use ismcts::Ismcts;
pub use params::Parameter;
pub use random::Random;
pub use reason::{Odds, Reason, SquareOdds, odds, odds_in};
pub use uct::Uct;

use params::Params;

/// Names of the agents, each with what it is in a few words; [`parameters`] tells what can be set.
pub const AGENTS: [(&str, &str); 6] = [
    ("random", "a legal action, all equally likely"),
    ("flat", "playouts of every action, full information"),
    ("uct", "Monte Carlo tree search, full information"),
    ("hyperplay", "sampled states that fit vote"),
    ("ismcts", "one tree over what the role knows"),
    ("reason", "exact odds and rollouts, Wumpus worlds only"),
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
    let agent: Box<dyn Agent> = match name {
        "random" => Box::new(Random),
        "flat" => Box::new(Flat::new(text, &params)?),
        "uct" => Box::new(Uct::new(text, &params)?),
        "hyperplay" => Box::new(HyperPlay::new(text, &params)?),
        "ismcts" => Box::new(Ismcts::new(text, &params)?),
        "reason" => Box::new(Reason::new(text, &params)?),
        _ => {
            let names: Vec<&str> = AGENTS.iter().map(|&(name, _)| name).collect();
            let hint = text::did_you_mean(name, names.iter().copied());
            return Err(format!("no agent `{name}`{hint} (there are {})", names.join(", ")));
        }
    };
    params.finish()?;
    Ok((agent, params.known()))
}
