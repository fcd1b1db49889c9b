//! Agents that think on an engine of their own, while another one keeps the rules.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use agents::{Agent, Budget, Choice, Estimate, Fault, Followed, Observation};
use play::Game;

/// A game on each engine that agents think on, by the engine's name.
#[derive(Clone, Default)]
pub struct EngineGames(Arc<BTreeMap<String, Box<dyn Game>>>);

impl EngineGames {
    /// These games.
    pub fn new(games: BTreeMap<String, Box<dyn Game>>) -> EngineGames {
        EngineGames(Arc::new(games))
    }

    /// True if there is one of that engine.
    pub(crate) fn has(&self, engine: &str) -> bool {
        self.0.contains_key(engine)
    }

    fn get(&self, engine: &str) -> Option<&dyn Game> {
        self.0.get(engine).map(|game| &**game)
    }
}

impl fmt::Debug for EngineGames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}

/// An agent that sees the game as its own engine plays it. Where nothing is hidden its position
/// follows the labels of all plies; where something is, the agent itself works out from labels and
/// percepts where it may be.
pub(super) struct OnOwnEngine {
    agent: Box<dyn Agent>,
    engine: String,
    games: EngineGames,
    followed: Option<Followed>,
}

impl OnOwnEngine {
    /// An agent on one of these games.
    pub(super) fn new(agent: Box<dyn Agent>, engine: &str, games: &EngineGames) -> OnOwnEngine {
        OnOwnEngine { agent, engine: engine.to_owned(), games: games.clone(), followed: None }
    }
}

impl Agent for OnOwnEngine {
    fn name(&self) -> String {
        self.agent.name()
    }

    fn choose(&mut self, obs: &Observation<'_>, budget: Budget) -> Result<Choice, Fault> {
        let lost = |what: String| {
            Fault(format!("the engine `{}` does not follow the game: {what}", self.engine))
        };
        let game = self.games.get(&self.engine).ok_or_else(|| lost("it has none".to_owned()))?;
        if obs.position.is_none() {
            return self.agent.choose(&Observation { game, ..*obs }, budget);
        }
        let followed = self.followed.get_or_insert_with(|| Followed::start(game));
        followed.go_on(game, obs.moves).map_err(lost)?;
        let legal = followed.position().labels();
        let number = |label: &String| obs.legal.iter().position(|other| other == label);
        let numbers: Vec<Option<usize>> = legal.iter().map(number).collect();
        let unknown = legal.iter().zip(&numbers).find(|(_, number)| number.is_none());
        if let Some((label, _)) = unknown {
            return Err(lost(format!("it lists `{label}`, which is not legal")));
        }
        if legal.len() != obs.legal.len() {
            return Err(lost(format!("it lists {} actions of {}", legal.len(), obs.legal.len())));
        }
        let own = Observation { game, position: Some(followed.position()), legal: &legal, ..*obs };
        let choice = self.agent.choose(&own, budget)?;
        let number = |own: usize| numbers.get(own).copied().flatten().unwrap_or(usize::MAX);
        let values = choice.values.iter();
        let values = values.map(|&of| Estimate { action: number(of.action), ..of }).collect();
        Ok(Choice { action: number(choice.action), values, ..choice })
    }

    fn counts(&self) -> Vec<(&'static str, u64)> {
        self.agent.counts()
    }
}
