//! Owners and kinds of pieces from their names, for languages in which a piece is but a name.

use super::Piece;
use crate::scores::Player;

/// The letters of chessmen, with their kinds.
const LETTERS: [(char, &str); 6] =
    [('p', "pawn"), ('n', "knight"), ('b', "bishop"), ('r', "rook"), ('q', "queen"), ('k', "king")];

/// Words that say that a piece is a plain one, and no more.
const PLAIN: [&str; 5] = ["piece", "man", "men", "marker", "token"];

/// Reads names of pieces such as `whitePawn`, `wp`, `x`, `white king` and `seed3`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Words {
    /// The players' names in lower case.
    players: Vec<String>,
}

impl Words {
    /// With the names of the players, in their order.
    pub fn new(players: impl IntoIterator<Item = impl AsRef<str>>) -> Words {
        Words { players: players.into_iter().map(|name| name.as_ref().to_lowercase()).collect() }
    }

    /// The piece of a name.
    pub fn piece(&self, name: &str) -> Piece {
        let (mut owner, mut rest) = (None, Vec::new());
        for word in words(name) {
            match self.owner(&word).filter(|_| owner.is_none()) {
                Some((player, left)) => {
                    owner = Some(player);
                    rest.extend((!left.is_empty()).then_some(left));
                }
                None => rest.push(word),
            }
        }
        let kind = match rest.join(" ") {
            kind if owner.is_some() && (kind.is_empty() || PLAIN.contains(&&*kind)) => {
                "disc".to_owned()
            }
            kind => kind,
        };
        if owner.is_none() && self.players.len() == 2 {
            match kind.as_str() {
                "x" => return Piece::of(0, "disc"),
                "o" => return Piece::of(1, "disc"),
                _ => {}
            }
        }
        Piece::new(owner, kind)
    }

    /// The player that a word names, and what it says beyond that.
    fn owner(&self, word: &str) -> Option<(Player, String)> {
        let numbered = || self.players.iter().zip(0..).map(|(name, player)| (name, Player(player)));
        for (name, player) in numbered() {
            // One of the `attackers` is an `attacker`.
            let one = name.strip_suffix('s').filter(|one| *one == word).unwrap_or(name);
            if let Some(rest) = word.strip_prefix(one).filter(|_| one.len() > 1) {
                return Some((player, named(rest)));
            }
        }
        let initial = word.chars().next()?;
        let mut alike = numbered().filter(|(name, _)| name.starts_with(initial));
        let (Some((_, player)), None) = (alike.next(), alike.next()) else { return None };
        match word.len() {
            1 => Some((player, String::new())),
            2 => Some((player, LETTERS.iter().find(|of| word.ends_with(of.0))?.1.to_owned())),
            _ => {
                let rest = &word[initial.len_utf8()..];
                let is_kind = LETTERS.iter().any(|of| of.1 == rest) || PLAIN.contains(&rest);
                is_kind.then(|| (player, rest.to_owned()))
            }
        }
    }
}

/// A kind by its letter or its name.
fn named(kind: &str) -> String {
    let mut letters = kind.chars();
    let letter = letters.next().filter(|_| letters.next().is_none());
    let known = letter.and_then(|letter| LETTERS.iter().find(|of| of.0 == letter));
    known.map_or_else(|| kind.to_owned(), |of| of.1.to_owned())
}

/// The words of a name in lower case: what stands between other signs than letters and digits,
/// parted before capitals and between letters and digits.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = ' ';
    for sign in name.chars() {
        let begins = !before.is_alphanumeric()
            || before.is_lowercase() && sign.is_uppercase()
            || before.is_numeric() != sign.is_numeric();
        if sign.is_alphanumeric() {
            if begins || words.is_empty() {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.extend(sign.to_lowercase());
            }
        }
        before = sign;
    }
    words
}

/// The number that ends a name of one word, as `seed3` and `7`.
pub fn number_of(name: &str) -> Option<u32> {
    let start = name.trim_end_matches(|sign: char| sign.is_ascii_digit()).len();
    name[start..].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_who_owns_a_piece_and_what_it_is() {
        let read = |players: [&str; 2], name: &str| {
            let Piece { owner, kind, .. } = Words::new(players).piece(name);
            format!("{} {kind}", owner.map_or("-".to_owned(), |player| player.0.to_string()))
        };
        for (name, meant) in [
            ("wp", "0 pawn"),
            ("whitePawn", "0 pawn"),
            ("white_king", "0 king"),
            ("bknight", "1 knight"),
            ("black", "1 disc"),
            ("b", "1 disc"),
            ("wall", "- wall"),
            ("x", "0 disc"),
            ("box", "- box"),
            ("seed3", "- seed 3"),
            ("", "- "),
        ] {
            assert_eq!(read(["white", "black"], name), meant, "{name}");
        }
        assert_eq!(read(["attackers", "defenders"], "defender"), "1 disc");
        assert_eq!(read(["xplayer", "oplayer"], "o"), "1 disc");
        assert_eq!(read(["first", "second"], "x"), "0 disc");
    }
}
