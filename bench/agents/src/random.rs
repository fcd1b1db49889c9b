use crate::{Agent, Budget, Choice, Fault, Observation};

/// Chooses among the legal actions, all equally likely.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl Agent for Random {
    fn name(&self) -> String {
        "random".to_owned()
    }

    fn choose(&mut self, obs: &Observation<'_>, _: Budget) -> Result<Choice, Fault> {
        let mut rng = obs.rng();
        let action = rng.below(obs.legal.len() as u32) as usize;
        Ok(Choice { action, ..Choice::default() })
    }
}
