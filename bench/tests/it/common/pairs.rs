//! The games of the catalogue on the engines that play them, compiled once for all tests.

use std::sync::{LazyLock, OnceLock};

use games::{Catalogue, GameEntry};
use play::{Engine, Game, Limits, Rules};

static CATALOGUE: LazyLock<Catalogue> =
    LazyLock::new(|| Catalogue::embedded().unwrap_or_else(|error| panic!("{error}")));
static ENGINES: LazyLock<Vec<Box<dyn Engine>>> = LazyLock::new(roster::engines);
static PAIRS: LazyLock<Vec<Pair>> = LazyLock::new(|| {
    let mut pairs = Vec::new();
    for entry in CATALOGUE.games() {
        for engine in ENGINES.iter() {
            let rules = engine.languages().iter().find_map(|language| entry.rules_in(*language));
            pairs.extend(rules.map(|rules| Pair {
                entry,
                engine: &**engine,
                rules,
                game: OnceLock::new(),
            }));
        }
    }
    pairs
});

/// A game of the catalogue and an engine that reads one of its descriptions.
pub(crate) struct Pair {
    pub(crate) entry: &'static GameEntry,
    pub(crate) engine: &'static dyn Engine,
    pub(crate) rules: Rules,
    game: OnceLock<Box<dyn Game>>,
}

impl Pair {
    /// The compiled game. The first caller compiles it.
    pub(crate) fn game(&self) -> &dyn Game {
        &**self.game.get_or_init(|| {
            let compiled = self.engine.load(&self.rules, &Limits::default());
            compiled.unwrap_or_else(|error| panic!("{}", error.one_line(&self.rules.source))).game
        })
    }

    /// The pair in a message.
    pub(crate) fn name(&self) -> String {
        format!("{} on {}", self.entry.id, self.engine.id())
    }
}

/// All pairs, by game in the order of the catalogue.
pub(crate) fn pairs() -> &'static [Pair] {
    &PAIRS
}

/// The pair of a game and an engine, which plays it.
pub(crate) fn pair(game: &str, engine: &str) -> &'static Pair {
    let found = PAIRS.iter().find(|pair| pair.entry.id == game && pair.engine.id() == engine);
    found.unwrap_or_else(|| panic!("{engine} does not play {game}"))
}
