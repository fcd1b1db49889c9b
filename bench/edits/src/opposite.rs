//! Words of rule files with their opposites, which authors take for each other.

use play::Language;

/// Ludemes and their constants with their opposites.
const LUDEMES: &[(&str, &str)] = &[
    ("N", "S"),
    ("E", "W"),
    ("NE", "SW"),
    ("NW", "SE"),
    ("FL", "FR"),
    ("Forward", "Backward"),
    ("Leftward", "Rightward"),
    ("Top", "Bottom"),
    ("Left", "Right"),
    ("Orthogonal", "Diagonal"),
    ("Rows", "Columns"),
    ("Win", "Loss"),
    ("Mover", "Next"),
    ("P1", "P2"),
    ("Own", "Enemy"),
    ("Friend", "Enemy"),
    ("Empty", "Occupied"),
    ("From", "To"),
    ("True", "False"),
    ("and", "or"),
    ("min", "max"),
    ("<", ">"),
    ("<=", ">="),
    ("=", "!="),
    ("+", "-"),
    ("min:", "max:"),
];

/// Operators of RBG with their opposites.
const RBG: &[(&str, &str)] = &[("==", "!="), ("<", ">"), ("<=", ">="), ("?", "!")];

/// Operators of RG with their opposites.
const RG: &[(&str, &str)] = &[
    ("==", "!="),
    ("<", ">"),
    ("<=", ">="),
    ("<", "<="),
    (">", ">="),
    ("+", "-"),
    ("&&", "||"),
    ("then", "else"),
    ("min", "max"),
];

/// Connectives of GDL.
const KIF: &[(&str, &str)] = &[("or", "and")];

/// Names that authors give, where both are in the file.
const NAMES: &[(&str, &str)] = &[
    ("white", "black"),
    ("red", "blue"),
    ("red", "green"),
    ("x", "o"),
    ("w", "b"),
    ("xplayer", "oplayer"),
    ("first", "second"),
    ("one", "two"),
    ("left", "right"),
    ("up", "down"),
    ("north", "south"),
    ("east", "west"),
    ("northeast", "southwest"),
    ("northwest", "southeast"),
    ("forward", "back"),
    ("above", "below"),
    ("row", "column"),
    ("rank", "file"),
    ("X", "Y"),
    ("?x", "?y"),
    ("?f", "?r"),
    ("me", "other"),
    ("mine", "theirs"),
    ("us", "them"),
    ("attacker", "defender"),
    ("wolf", "sheep"),
];

/// The opposites of a word in a file of which `is_there` says the names.
pub(crate) fn opposites(
    word: &str,
    language: Language,
    is_there: impl Fn(&str) -> bool,
) -> Vec<&'static str> {
    let of = |&(one, other): &(&'static str, &'static str)| {
        if word == one { Some(other) } else { (word == other).then_some(one) }
    };
    let fixed = match language {
        Language::Lud => LUDEMES,
        Language::Kif => KIF,
        Language::Rg => RG,
        _ => RBG,
    };
    let names = NAMES.iter().filter_map(of).filter(|name| is_there(name));
    fixed.iter().filter_map(of).chain(names).collect()
}
