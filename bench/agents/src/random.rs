use play::Rng;

use crate::{Agent, Budget, Choice, Fault, Sight};

/// Chooses among the legal actions, all equally likely.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl Agent for Random {
    fn name(&self) -> String {
        "random".to_owned()
    }

    fn choose(&mut self, sight: &Sight<'_>, _: Budget) -> Result<Choice, Fault> {
        let mut rng = Rng::stream(sight.seed, sight.past.len() as u64);
        let action = rng.below(sight.legal.len() as u32) as usize;
        Ok(Choice { action, ..Choice::default() })
    }
}
