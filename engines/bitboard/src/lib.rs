#![doc = include_str!("../README.md")]

mod alquerque_board;
mod bits;
mod choice;
#[cfg(test)]
mod encoding_tests;
mod floor;
mod form;
mod games;
mod grid;
mod interleaved;
mod lanes;
mod lines;
mod modules;
mod pictures;
mod placement_lockstep;
mod points;
mod rays;
mod rules;
mod select;
mod sides;
mod turns;
mod without_replacement;

use play::{CompileError, Compiled, Engine, EngineId, Language, Limits, Rules};

pub use cpu::Level;
pub use floor::Link;
use modules::{MODULES, NAMED, SET_UP};

/// The engine of hand-coded games. Its rules are the name of a module, for which see [`modules()`].
#[derive(Clone, Copy, Debug)]
pub struct BitboardEngine {
    level: Level,
}

impl BitboardEngine {
    /// With the best instructions of this machine.
    pub fn new() -> BitboardEngine {
        BitboardEngine::on(Level::best())
    }

    /// With the instructions of a level; the results are the same on every level.
    pub fn on(level: Level) -> BitboardEngine {
        BitboardEngine { level }
    }
}

impl Default for BitboardEngine {
    fn default() -> BitboardEngine {
        BitboardEngine::new()
    }
}

impl Engine for BitboardEngine {
    fn id(&self) -> EngineId {
        "bitboard"
    }

    fn languages(&self) -> &[Language] {
        &[Language::Bitboard]
    }

    fn lineage(&self) -> &'static str {
        "hand-coded"
    }

    /// Looks the module up. Limits do not matter, since nothing is built. A name that there is not,
    /// a description in a language, and options are [`CompileError::Unavailable`].
    fn compile(&self, rules: &Rules, _limits: &Limits) -> Result<Compiled, CompileError> {
        if rules.language != Language::Bitboard {
            let text = format!("hand-coded games cannot be made from a .{} file", rules.language);
            return Err(CompileError::Unavailable(text));
        }
        if let Some(option) = rules.options.first() {
            let text = format!("hand-coded games have no options such as `{option}`");
            return Err(CompileError::Unavailable(text));
        }
        let name = rules.source.text().trim();
        if let Some((name, position)) = name.split_once(char::is_whitespace) {
            return self.set_up(name, position.trim());
        }
        let module = MODULES.iter().find(|module| module.name == name);
        let game = match module {
            Some(module) => Some((module.build)(self.level)),
            None => NAMED.iter().find_map(|named| (named.build)(name, self.level)),
        };
        match game {
            Some(game) => Ok(Compiled { game, warnings: Vec::new() }),
            None => Err(CompileError::Unavailable(unknown(name))),
        }
    }
}

impl BitboardEngine {
    /// The game of a name from a position.
    fn set_up(&self, name: &str, position: &str) -> Result<Compiled, CompileError> {
        let Some(set_up) = SET_UP.iter().find(|set_up| set_up.name == name) else {
            let is_known = modules().any(|module| module == name);
            let text = format!("the hand-coded `{name}` begins at no other position");
            return Err(CompileError::Unavailable(if is_known { text } else { unknown(name) }));
        };
        match (set_up.build)(position, self.level) {
            Some(game) => Ok(Compiled { game, warnings: Vec::new() }),
            None => {
                let position: String = position.chars().take(2 * LONGEST_NAME).collect();
                Err(CompileError::Unavailable(format!("no position of `{name}`: {position}")))
            }
        }
    }
}

/// The names of all modules, in their order. Some games have more names, which say their settings,
/// see [`shapes()`].
pub fn modules() -> impl Iterator<Item = &'static str> {
    MODULES.iter().map(|module| module.name)
}

/// The forms of names that say the settings of a game, such as
/// `wumpus-hunt[-1|-3][-arrows2|-arrows3][-gold][-alive2|-alive3][-silent]`: parts in brackets may
/// be left out.
pub fn shapes() -> impl Iterator<Item = &'static str> {
    NAMED.iter().map(|named| named.shape)
}

/// Names longer than this were not meant for a module and are cut in messages.
const LONGEST_NAME: usize = 40;

/// The message for a name that there is not, with up to three that it may have been meant to be.
fn unknown(name: &str) -> String {
    let cut: String = name.chars().take(LONGEST_NAME).collect();
    let lower = cut.to_lowercase();
    if let Some(named) = NAMED.iter().find(|named| lower.starts_with(named.stem)) {
        return format!("no hand-coded game is called `{cut}`: expected {}", named.shape);
    }
    let mut near: Vec<(usize, &str)> = modules()
        .map(|module| (strsim::damerau_levenshtein(&lower, module), module))
        .filter(|&(distance, module)| distance <= module.len().div_ceil(3))
        .collect();
    near.sort_unstable();
    let near: Vec<String> = near.iter().take(3).map(|(_, module)| format!("`{module}`")).collect();
    match near.as_slice() {
        [] => format!("no hand-coded game is called `{cut}`"),
        near => {
            format!("no hand-coded game is called `{cut}`: did you mean {}?", near.join(" or "))
        }
    }
}
