use play::settle;

use crate::meter::Meter;
use crate::params::Params;
use crate::payoffs::{Range, greatest};
use crate::{Agent, Budget, Choice, Fault, Observation};

/// Flat Monte Carlo: each legal action is followed by random playouts, and the one with the best
/// mean payoff is chosen (Abramson 1990, *Expected-outcome*). Playouts are shared out evenly, or by
/// UCB1 (Auer, Cesa-Bianchi and Fischer 2002), which spends more of them on what looks good.
///
/// Full information only.
#[derive(Clone, Debug)]
pub struct Flat {
    name: String,
    /// Weight of exploration in UCB1; `None` shares out evenly.
    ucb: Option<f64>,
    plies: u32,
}

impl Flat {
    pub(crate) fn new(name: &str, params: &Params<'_>) -> Result<Flat, String> {
        let ucb = params.word("share", &["even", "ucb1"])? == 1;
        let c = params.number("c", 0.7, 0.0..=100.0)?;
        let plies = params.number("plies", 1000, 1..=1_000_000)?;
        Ok(Flat { name: name.to_owned(), ucb: ucb.then_some(c), plies })
    }
}

impl Agent for Flat {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(&mut self, obs: &Observation<'_>, budget: Budget) -> Result<Choice, Fault> {
        let position = obs.full_position(&self.name)?;
        let mut rng = obs.rng();
        let mut meter = Meter::start(budget);
        let mut range = Range::new(obs.game.facts().players);
        let me = usize::from(obs.player.0);
        // Visits and sum of payoffs of each action.
        let mut arms = vec![(0.0, 0.0); obs.legal.len()];
        // An order of its own each time, since budgets may end amidst a round.
        let first = rng.below(arms.len() as u32) as usize;
        while meter.next() {
            let round = meter.done - 1;
            let action = match self.ucb {
                Some(c) if round >= arms.len() as u64 => {
                    let bound = |&(visits, sum): &(f64, f64)| {
                        range.scale(me, sum / visits) + c * ((round as f64).ln() / visits).sqrt()
                    };
                    greatest(arms.iter().map(bound))
                }
                _ => (first + round as usize) % arms.len(),
            };
            let mut after = position.copy();
            let end = match after.play(action, &mut rng) {
                Ok(()) => {
                    settle(&mut *after, &mut rng);
                    after.playout(&mut rng, self.plies)
                }
                Err(illegal) => return Err(Fault(illegal.to_string())),
            };
            let payoffs = range.payoffs(end);
            arms[action].0 += 1.0;
            arms[action].1 += payoffs.get(me).copied().unwrap_or(0.0);
        }
        Ok(Choice::by_mean(&arms, meter.done, obs, &mut rng))
    }
}
