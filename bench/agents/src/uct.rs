use play::{Search, SearchSettings};

use crate::meter::Meter;
use crate::params::Params;
use crate::tree::{Grown, estimates, most_visited};
use crate::{Agent, Budget, Choice, Fault, Followed, Observation};

/// UCT (Kocsis and Szepesvari 2006): Monte Carlo tree search with UCB1 at the nodes, random
/// playouts below them, and every player out for the own payoff. The most visited action is chosen.
///
/// In games with chance the search is open-loop: nodes are sequences of actions, and chance is
/// drawn anew in each simulation (Perez Liebana, Dieskau, Hunermund, Mostaghim and Lucas 2015).
/// Choices made at the same time are searched in turn, as if the later player saw the earlier
/// one's.
///
/// `c` weights exploration; with little, an action whose first few payoffs happen to be low is
/// dropped for long (UCB1's own is the square root of 2). `leaves` playouts are made from each
/// leaf, side by side where the engine can, and `megabytes` bounds the tree.
///
/// With `reuse=on` the tree goes on from ply to ply: what was found below the actions that were
/// played is kept. Games with chance have a new tree at each ply.
///
/// Full information only.
pub struct Uct {
    name: String,
    c: f64,
    plies: u32,
    leaves: u32,
    megabytes: usize,
    reuse: bool,
    /// The tree of the last ply, and the position at its root.
    tree: Option<(Followed, Box<dyn Search>)>,
}

impl Uct {
    pub(crate) fn new(name: &str, params: &Params<'_>) -> Result<Uct, String> {
        let c = params.number("c", 0.7, 0.0..=100.0)?;
        let plies = params.number("plies", 1000, 1..=1_000_000)?;
        let leaves = params.number("leaves", 1, 1..=10_000)?;
        let megabytes = params.number("megabytes", 256, 1..=1_000_000)?;
        let reuse = params.word("reuse", &["on", "off"])? == 0;
        Ok(Uct { name: name.to_owned(), c, plies, leaves, megabytes, reuse, tree: None })
    }

    /// The tree that is kept, brought to where the game is; `None` if the engine has no such trees,
    /// or does not lead there.
    fn go_on(
        &mut self,
        obs: &Observation<'_>,
        settings: SearchSettings,
    ) -> Option<&mut dyn Search> {
        let (mut followed, before) = match self.tree.take() {
            Some((followed, search)) => (followed, Some(search)),
            None => (Followed::start(obs.game), None),
        };
        let search = match (before, followed.go_on(obs.game, obs.moves).ok()?) {
            (Some(mut search), Some(actions)) => {
                for action in actions {
                    search.advance(action);
                }
                search
            }
            _ => followed.position().search(settings)?,
        };
        Some(&mut *self.tree.insert((followed, search)).1)
    }
}

impl Agent for Uct {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(&mut self, obs: &Observation<'_>, budget: Budget) -> Result<Choice, Fault> {
        let position = obs.full_position(&self.name)?;
        let facts = obs.game.facts();
        let reuse = self.reuse && !facts.chance;
        let settings = SearchSettings {
            // One seed for a tree that is kept: its simulations are numbered.
            seed: if reuse { obs.seed } else { obs.rng().next_u64() },
            exploration: self.c,
            cap: self.plies,
            leaves: self.leaves,
            bytes: self.megabytes << 20,
        };
        let mut meter = Meter::start(budget);
        let values = if reuse && let Some(search) = self.go_on(obs, settings) {
            meter.spend(|count| search.simulate(count));
            search.values()
        } else {
            let mut grown = Grown::below(position, facts, settings);
            meter.spend(|count| grown.simulate(count));
            grown.values()
        };
        // Any action if there was no time for a simulation.
        let action = if values.iter().any(|value| value.visits > 0) {
            most_visited(&values)
        } else {
            obs.rng().below(obs.legal.len() as u32) as usize
        };
        Ok(Choice { action, simulations: meter.done, values: estimates(&values) })
    }
}
