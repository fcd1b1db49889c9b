//! Rule texts that nobody wrote: how far each gets on the way from a text to a game.

use play::{Engine, Game, Rules};
use text::Source;

use crate::behaviour::{Budget, guarded, load, playouts};

/// Plies that random playouts of a game last on average.
pub(crate) const LENGTHS: std::ops::RangeInclusive<f64> = 10.0..=500.0;

/// How far a text gets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Stage {
    /// The front end refuses it.
    Refused,
    /// The front end accepts it, but compiling takes more than the limits allow, or the engine
    /// lacks something that it uses.
    Read,
    /// It is compiled.
    Compiled,
    /// All random playouts end by the rules within the ply cap.
    Ended,
}

/// What is seen of a text.
pub(crate) struct Viability {
    /// How far it gets.
    pub(crate) stage: Stage,
    /// The game, if it is compiled.
    pub(crate) game: Option<Box<dyn Game>>,
    /// True if playouts end with different payoffs.
    pub(crate) is_varied: bool,
    /// True if playouts last as long as games do.
    pub(crate) is_lengthy: bool,
    /// The mean number of plies.
    pub(crate) plies: f64,
}

impl Viability {
    /// True if it is a game that ends by the rules, in more than one way, after some plies.
    pub(crate) fn is_viable(&self) -> bool {
        self.stage == Stage::Ended && self.is_varied && self.is_lengthy
    }
}

/// The playouts that a text is judged by.
pub(crate) fn budget(seed: u64) -> Budget {
    Budget { seed, cap: 1000, nodes: 0, walks: 0, plies: 4000, playouts: 20 }
}

/// How far a text gets in the place of other rules; an error is the text of a panic.
pub(crate) fn of_text(
    engine: &dyn Engine,
    rules: &Rules,
    text: &str,
    seed: u64,
) -> Result<Viability, String> {
    let source = Source::new(rules.source.name(), text);
    let rules = Rules { source, ..rules.clone() };
    let mut seen = Viability {
        stage: Stage::Refused,
        game: None,
        is_varied: false,
        is_lengthy: false,
        plies: 0.0,
    };
    let game = match load(engine, &rules)? {
        Ok(compiled) => compiled.game,
        Err(error) => {
            if matches!(error.kind(), "too large" | "unsupported") {
                seen.stage = Stage::Read;
            }
            return Ok(seen);
        }
    };
    let tally = guarded(|| playouts(&*game, &budget(seed)))?;
    seen.stage = if tally.stuck + tally.capped > 0 { Stage::Compiled } else { Stage::Ended };
    seen.is_varied = tally.outcomes().len() > 1;
    seen.plies = tally.plies as f64 / tally.playouts.max(1) as f64;
    seen.is_lengthy = LENGTHS.contains(&seen.plies);
    seen.game = Some(game);
    Ok(seen)
}
