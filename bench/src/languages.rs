//! Description languages compared: the facts of each part, collected from descriptions of the same
//! games. [`reports::languages`] has the rows of the parts, and says what they show.

mod batches;
mod change;
mod evolution;
mod growth;
mod mistakes;
mod reach;
mod size;

use anyhow::Result;
use games::Catalogue;
use play::{Engine, Language, Rules};
use rayon::prelude::*;

use crate::behaviour::{self, Behaviour, Budget};
use crate::client::Bounds;
use crate::engine_set::EngineSet;
use crate::entry::Entry;

/// What all parts are made of.
pub struct Setting<'s> {
    /// The catalogue that the games are of, for what manifests say of them.
    pub catalogue: &'s Catalogue,
    /// The games.
    pub games: &'s [Entry],
    /// The engines that take part.
    pub engines: &'s EngineSet,
    /// The bounds of their workers.
    pub bounds: Bounds,
    /// The seed of everything drawn.
    pub seed: u64,
    /// Changed files that are tried of each description.
    pub samples: u32,
    /// Told whenever something is done.
    pub step: &'s (dyn Fn() + Sync),
}

/// A part of the comparison.
pub struct Part {
    /// Its name, which is one of [`reports::languages::PARTS`].
    pub name: &'static str,
    /// The text of its file.
    pub collect: fn(&Setting<'_>) -> Result<String>,
}

/// All parts, in the order of the report.
pub const PARTS: [Part; 7] = [
    Part { name: "size", collect: size::collect },
    Part { name: "change", collect: change::collect },
    Part { name: "reach", collect: reach::collect },
    Part { name: "mistakes", collect: mistakes::collect },
    Part { name: "evolution", collect: evolution::collect },
    Part { name: "growth", collect: growth::collect },
    Part { name: "batches", collect: batches::collect },
];

/// The engine of our own that changed descriptions of a language are played on.
pub(crate) fn engine_for(language: Language) -> Result<Box<dyn Engine>, String> {
    first_reading(roster::engines(), language)
}

/// The engine of our own that compiles descriptions of a language with the least work, and refuses
/// the same: it comes last in the list of engines.
fn soonest_engine(language: Language) -> Result<Box<dyn Engine>, String> {
    let mut engines = roster::engines();
    engines.reverse();
    first_reading(engines, language)
}

/// The first of some engines that reads a language.
fn first_reading(
    engines: Vec<Box<dyn Engine>>,
    language: Language,
) -> Result<Box<dyn Engine>, String> {
    let found = engines.into_iter().find(|own| own.languages().contains(&language));
    found.ok_or_else(|| format!("no engine reads .{language}"))
}

/// The descriptions of a game that are written in a language, not coded by hand.
fn described(entry: &Entry) -> impl Iterator<Item = &Rules> {
    entry.descriptions.iter().filter(|rules| rules.language != Language::Bitboard)
}

/// A description that others are held against, on one engine.
struct Original {
    engine: Box<dyn Engine>,
    budget: Budget,
    behaviour: Behaviour,
}

impl Original {
    /// The original on an engine; an error says why nothing can be compared with it.
    fn new(engine: Box<dyn Engine>, rules: &Rules, budget: Budget) -> Result<Original, String> {
        let loaded = behaviour::load(&*engine, rules)?;
        let compiled = loaded.map_err(|error| error.one_line(&rules.source))?;
        let behaviour = behaviour::guarded(|| Behaviour::of(&*compiled.game, &budget))?;
        Ok(Original { engine, budget, behaviour })
    }
}

impl Setting<'_> {
    /// What a function makes of each item, in their order, on all cores.
    fn each<T: Sync, R: Send>(&self, items: &[T], of: impl Fn(&T) -> R + Sync) -> Vec<R> {
        items
            .par_iter()
            .map(|item| {
                let made = of(item);
                (self.step)();
                made
            })
            .collect()
    }
}
