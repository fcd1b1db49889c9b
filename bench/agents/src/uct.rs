use play::{ActionValue, Search, SearchSettings};

use crate::meter::Meter;
use crate::params::Params;
use crate::tree::{Tree, Value, View, means, most_visited};
use crate::{Agent, Budget, Choice, Fault, Observation};

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
/// leaf, and `megabytes` bounds the tree.
///
/// Full information only.
#[derive(Clone, Debug)]
pub struct Uct {
    name: String,
    c: f64,
    plies: u32,
    leaves: u32,
    megabytes: usize,
}

impl Uct {
    pub(crate) fn new(name: &str, params: &Params<'_>) -> Result<Uct, String> {
        let c = params.number("c", 0.7, 0.0..=100.0)?;
        let plies = params.number("plies", 1000, 1..=1_000_000)?;
        let leaves = params.number("leaves", 1, 1..=10_000)?;
        let megabytes = params.number("megabytes", 256, 1..=1_000_000)?;
        Ok(Uct { name: name.to_owned(), c, plies, leaves, megabytes })
    }
}

/// The choice of a search over the engine's own states.
fn choose_by(search: &mut dyn Search, obs: &Observation<'_>, budget: Budget) -> Choice {
    let mut meter = Meter::start(budget);
    while let Some(count) = meter.next_several() {
        search.simulate(count);
    }
    let value = |value: ActionValue| {
        let visits = u32::try_from(value.visits).unwrap_or(u32::MAX);
        Value { visits, mean: value.mean }
    };
    let values: Vec<Value> = search.values().into_iter().map(value).collect();
    choice_of(&values, meter.done, obs)
}

/// The action that most simulations tried; any if there was no time for one.
fn choice_of(values: &[Value], simulations: u64, obs: &Observation<'_>) -> Choice {
    let action = match simulations {
        0 => obs.rng().below(obs.legal.len() as u32) as usize,
        _ => most_visited(values),
    };
    Choice { action, simulations, values: means(values) }
}

impl Agent for Uct {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(&mut self, obs: &Observation<'_>, budget: Budget) -> Result<Choice, Fault> {
        let position = obs.full_position(&self.name)?;
        let settings = SearchSettings {
            seed: obs.rng().next_u64(),
            exploration: self.c,
            cap: self.plies,
            leaves: self.leaves,
            bytes: self.megabytes << 20,
        };
        if let Some(mut search) = position.search(settings) {
            return Ok(choose_by(&mut *search, obs, budget));
        }
        let facts = obs.game.facts();
        let view = if facts.chance { View::Labels } else { View::Numbers };
        let mut tree = Tree::new(view, facts.players, self.c, self.plies);
        let mut rng = obs.rng();
        let mut meter = Meter::start(budget);
        while meter.next() {
            tree.simulate(position.copy(), &mut rng);
        }
        Ok(choice_of(&tree.values(obs.player, position), meter.done, obs))
    }
}
