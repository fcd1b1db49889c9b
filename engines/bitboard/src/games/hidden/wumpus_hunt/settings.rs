//! The settings that descriptions of the hunt leave open, and names for them.

/// The settings in which hunts differ besides the number of hunters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Settings {
    /// Arrows of each hunter.
    pub(super) arrows: u8,
    /// True if gold is to be brought back, instead of the wumpus to be shot.
    pub(super) gold: bool,
    /// The number of hunters who must live for all to win.
    pub(super) alive: u8,
    /// True if hunters hear of each other.
    pub(super) talk: bool,
}

impl Settings {
    /// The settings that hold if a name does not say otherwise.
    pub(super) const USUAL: Settings = Settings { arrows: 1, gold: false, alive: 1, talk: true };
}

/// The beginning of all names.
const STEM: &str = "wumpus-hunt";

/// Hunters where the name does not say.
const USUAL_HUNTERS: u8 = 2;

const MOST_HUNTERS: u8 = 3;

const MOST_ARROWS: u8 = 3;

/// The number of hunters and the settings that a name says, see [`super::NAMES_OF_HUNTS`].
pub(super) fn parsed(name: &str) -> Option<(u8, Settings)> {
    let rest = &mut name.strip_prefix(STEM)?;
    let usual = Settings::USUAL;
    let hunters = number(rest, "-", USUAL_HUNTERS, 1..=MOST_HUNTERS)?;
    let arrows = number(rest, "-arrows", usual.arrows, 1..=MOST_ARROWS)?;
    let gold = word(rest, "-gold");
    let alive = number(rest, "-alive", usual.alive, 1..=hunters)?;
    // Who is alone has nobody to talk to.
    let silent = hunters > 1 && word(rest, "-silent");
    let settings = Settings { arrows, gold, alive, talk: !silent };
    rest.is_empty().then_some((hunters, settings))
}

/// Takes a word from the front, if it is there.
fn word(rest: &mut &str, word: &str) -> bool {
    let after = rest.strip_prefix(word);
    *rest = after.unwrap_or(rest);
    after.is_some()
}

/// Takes a word and the digit after it from the front; `usual` where it is not there, `None` where
/// the number is none that there may be, or need not be said.
fn number(
    rest: &mut &str,
    word: &str,
    usual: u8,
    possible: std::ops::RangeInclusive<u8>,
) -> Option<u8> {
    let Some(after) = rest.strip_prefix(word) else { return Some(usual) };
    let Some(digit) = after.bytes().next().filter(u8::is_ascii_digit) else { return Some(usual) };
    *rest = &after[1..];
    Some(digit - b'0').filter(|number| possible.contains(number) && *number != usual)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_differs_from_the_usual() {
        let usual = Settings::USUAL;
        let cases = [
            ("wumpus-hunt", 2, usual),
            ("wumpus-hunt-1-arrows2", 1, Settings { arrows: 2, ..usual }),
            ("wumpus-hunt-gold-alive2", 2, Settings { gold: true, alive: 2, ..usual }),
            (
                "wumpus-hunt-3-arrows3-gold-alive3-silent",
                3,
                Settings { arrows: 3, gold: true, alive: 3, talk: false },
            ),
            ("wumpus-hunt-silent", 2, Settings { talk: false, ..usual }),
        ];
        for (name, hunters, settings) in cases {
            assert_eq!(parsed(name), Some((hunters, settings)), "{name}");
        }
        for name in [
            "wumpus-hunt-2",
            "wumpus-hunt-0",
            "wumpus-hunt-4",
            "wumpus-hunt-11",
            "wumpus-hunt-arrows1",
            "wumpus-hunt-arrows4",
            "wumpus-hunt-arrows",
            "wumpus-hunt-alive3",
            "wumpus-hunt-1-alive2",
            "wumpus-hunt-1-silent",
            "wumpus-hunt-silent-gold",
            "wumpus-hunt-gold-",
            "wumpus-hunt-ä",
            "wumpus",
        ] {
            assert_eq!(parsed(name), None, "{name}");
        }
    }
}
