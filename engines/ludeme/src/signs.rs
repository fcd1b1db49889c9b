//! Signs of pieces and lines of text, for drawings and pictures of states.

use crate::game::Game;
use crate::state::State;
use crate::world::{AMOUNT, POT};

/// Stakes and, in games of chance, the variables of the rules, which may be dice, too.
pub(crate) fn stakes(game: &Game, state: &State) -> Vec<String> {
    let variables = || game.names.vars.iter().zip(state.vars());
    let money = |prefix: &str| -> Vec<String> {
        let values = variables().filter(|(name, _)| name.starts_with(prefix));
        values.map(|(_, value)| value.to_string()).collect()
    };
    let is_named = |name: &str| game.facts.chance && !name.is_empty() && !name.starts_with('\0');
    let named = variables().filter(|(name, _)| is_named(name));
    let named = named.map(|(name, value)| format!("{name} {value}")).collect();
    let lines = [("stakes: ", money(AMOUNT), " "), ("pot: ", money(POT), " "), ("", named, ", ")];
    let lines = lines.into_iter().filter(|(_, values, _)| !values.is_empty());
    lines.map(|(title, values, between)| format!("{title}{}", values.join(between))).collect()
}

/// A letter for each component: upper case for player 1 and for nobody, lower case for the others,
/// and another letter of the name (or of the alphabet) if the first is taken.
pub(crate) fn symbols(game: &Game) -> Vec<char> {
    let mut symbols = vec!['.'];
    for component in game.world.components.iter().skip(1) {
        let case = |c: char| {
            if component.owner <= 1 { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
        };
        // Pieces that differ only in a number are shown by the number.
        let digit = component.name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let digits = component.name[digit..].chars().filter(|_| game.world.players == 1);
        let letters = component.name.chars().filter(char::is_ascii_alphabetic);
        // The letter of knights in chess, where the king has the first letter.
        let usual = component.name.starts_with("Knight").then_some('n');
        let found = digits
            .chain(usual.into_iter().chain(letters).map(case))
            .chain(('a'..='z').map(case))
            .chain('a'..='z')
            .chain('A'..='Z')
            .find(|c| !symbols.contains(c));
        symbols.push(found.unwrap_or('?'));
    }
    symbols
}

/// The text of a site: all pieces of a small stack from the bottom, or a piece with a count.
pub(crate) fn stack(state: &State, site: usize, symbols: &[char]) -> String {
    let height = state.height(site);
    if height <= 1 {
        return format!("{}{}", symbols[state.what(site)], counted(state.count(site)));
    }
    if height > 3 {
        return format!("{}{height}", symbols[state.what(site)]);
    }
    (0..height).map(|level| symbols[state.what_at(site, level)]).collect()
}

/// The number of pieces behind a sign, if there are several.
pub(crate) fn counted(count: i32) -> String {
    if count > 1 { count.to_string() } else { String::new() }
}
