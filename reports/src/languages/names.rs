//! The languages, for people and charts.

/// The languages by their short names, and their names for people, in the order of columns. The
/// first is what others are compared with.
pub(super) const LANGUAGES: [(&str, &str); 4] =
    [("lud", "ludemes"), ("kif", "GDL"), ("rbg", "RBG"), ("rg", "Regular Games")];

/// The language of games that are coded by hand, and the engine of this repository for them.
pub(super) const BY_HAND: &str = "bitboard";

/// The name of a language for people.
pub(super) fn shown(language: &str) -> &str {
    match LANGUAGES.iter().find(|(name, _)| *name == language) {
        Some((_, shown)) => shown,
        None if language == BY_HAND => "hand-coded",
        None => language,
    }
}

/// The engine of this repository whose mark in charts a language has.
pub(super) fn engine(language: &str) -> &'static str {
    match language {
        "lud" => "ludeme",
        "kif" => "propnet",
        "rbg" => "rbg",
        "rg" => "rg",
        _ => "",
    }
}
