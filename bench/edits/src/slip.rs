//! Slips: typical mistakes of authors, planted into a rule file one at a time.

use std::collections::BTreeSet;
use std::ops::Range;

use play::{Language, Rng};

use crate::opposite::opposites;
use crate::piece::{Piece, pieces};
use crate::unit::{Unit, is_word, units};

/// The kind of a slip.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum SlipKind {
    /// A clause or an argument is left out.
    Dropped,
    /// A clause or an argument stands twice.
    Doubled,
    /// Two neighbouring clauses or arguments are exchanged.
    Swapped,
    /// Another name of the file, of the same sort, stands in the place of a name.
    WrongName,
    /// A name has one wrong letter, one too few, one too many, or two exchanged, and is no other
    /// word of the file.
    Misspelt,
    /// A number is one too great or too small.
    WrongNumber,
    /// A word stands in the place of its opposite: a direction, a player, a sign, a connective.
    Opposite,
    /// A bracket is missing.
    MissingBracket,
}

impl SlipKind {
    /// All of them.
    pub const ALL: [SlipKind; 8] = [
        SlipKind::Dropped,
        SlipKind::Doubled,
        SlipKind::Swapped,
        SlipKind::WrongName,
        SlipKind::Misspelt,
        SlipKind::WrongNumber,
        SlipKind::Opposite,
        SlipKind::MissingBracket,
    ];

    /// Its name, in two words at most.
    pub fn name(self) -> &'static str {
        match self {
            SlipKind::Dropped => "dropped",
            SlipKind::Doubled => "doubled",
            SlipKind::Swapped => "swapped",
            SlipKind::WrongName => "wrong name",
            SlipKind::Misspelt => "misspelt",
            SlipKind::WrongNumber => "wrong number",
            SlipKind::Opposite => "opposite",
            SlipKind::MissingBracket => "missing bracket",
        }
    }

    /// True if one word stands in the place of another.
    pub fn is_of_word(self) -> bool {
        use SlipKind::{Misspelt, Opposite, WrongName, WrongNumber};
        matches!(self, Misspelt | Opposite | WrongName | WrongNumber)
    }
}

/// A mistake in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slip {
    /// Its kind.
    pub kind: SlipKind,
    /// The bytes of the original that were replaced.
    pub original: Range<usize>,
    /// The bytes of the new text in their place.
    pub place: Range<usize>,
    /// The bytes of the new text of the brackets directly around the slip, or those whose bracket
    /// is missing; the place itself outside of all brackets.
    pub clause: Range<usize>,
    /// What was there.
    pub was: String,
    /// What is there now.
    pub is: String,
    /// The new text.
    pub text: String,
}

/// Clauses and arguments of more lines are not left out, doubled or exchanged by mistake.
const MOST_LINES: usize = 3;
/// Tries to find a change that changes something.
const TRIES: u32 = 20;

/// A replacement of bytes, and the brackets around them.
struct Change {
    place: Range<usize>,
    by: String,
    clause: Range<usize>,
}

/// A word with the brackets around it.
struct Word<'t> {
    text: &'t str,
    place: Range<usize>,
    clause: Range<usize>,
}

/// The slips of a text.
pub struct Slips<'t> {
    text: &'t str,
    language: Language,
    /// Clauses and arguments side by side, and the brackets around them.
    families: Vec<(Range<usize>, Vec<Unit<'t>>)>,
    names: Vec<Word<'t>>,
    numbers: Vec<Word<'t>>,
    /// All words and marks.
    all: Vec<Word<'t>>,
    /// Brackets, and what is between them.
    brackets: Vec<(Range<usize>, Range<usize>)>,
    /// All names of the file.
    known: BTreeSet<&'t str>,
    kinds: Vec<SlipKind>,
}

impl<'t> Slips<'t> {
    /// The slips of a text.
    pub fn new(text: &'t str, language: Language) -> Slips<'t> {
        let mut slips = Slips {
            text,
            language,
            families: Vec::new(),
            names: Vec::new(),
            numbers: Vec::new(),
            all: Vec::new(),
            brackets: Vec::new(),
            known: BTreeSet::new(),
            kinds: Vec::new(),
        };
        slips.gather(None, &pieces(text, language));
        slips.known = slips.names.iter().map(|word| word.text).collect();
        let kinds = SlipKind::ALL.into_iter();
        slips.kinds =
            kinds.filter(|&kind| slips.of_kind(kind, &mut Rng::stream(0, 0)).is_some()).collect();
        slips
    }

    /// Gathers what is between brackets, or outside of all of them.
    fn gather(&mut self, around: Option<&Piece>, inner: &[Piece]) {
        let text = self.text;
        let clause = |place: &Range<usize>| around.map_or(place.clone(), |it| it.place.clone());
        let brackets = around.and_then(|piece| piece.brackets);
        let mut family = units(text, self.language, brackets, inner);
        family.retain(|unit| text[unit.place.clone()].lines().count() <= MOST_LINES);
        if !family.is_empty() && (around.is_some() || inner.len() > 1) {
            self.families.push((around.map_or(0..0, |it| it.place.clone()), family));
        }
        for piece in inner {
            let word = || {
                let place = piece.place.clone();
                Word { text: &text[place.clone()], clause: clause(&place), place }
            };
            match piece.brackets {
                Some((begin, end)) => {
                    let Range { start, end: behind } = piece.place;
                    if !end.is_empty() {
                        self.brackets.push((start..start + begin.len(), piece.place.clone()));
                        if piece.is_closed {
                            self.brackets.push((behind - end.len()..behind, piece.place.clone()));
                        }
                    }
                    self.gather(Some(piece), &piece.inner);
                }
                None => {
                    if word().text.parse::<i64>().is_ok() {
                        self.numbers.push(word());
                    } else if is_word(piece, text) {
                        self.names.push(word());
                    }
                    self.all.push(word());
                }
            }
        }
    }

    /// The slip with a number: the kinds that the text has come in turn, the rest is drawn. The
    /// same for the same text, seed and number. `None` if the text has no slip at all.
    pub fn slip(&self, seed: u64, number: u64) -> Option<Slip> {
        let kind = self.kinds.get(number as usize % self.kinds.len().max(1))?;
        self.of_kind(*kind, &mut Rng::stream(seed, number))
    }

    /// A slip of a kind, drawn at random; `None` if the text has none, or none was found.
    pub fn of_kind(&self, kind: SlipKind, rng: &mut Rng) -> Option<Slip> {
        (0..TRIES).find_map(|_| {
            let change = match kind {
                SlipKind::Dropped => self.dropped(rng),
                SlipKind::Doubled => self.doubled(rng),
                SlipKind::Swapped => self.swapped(rng),
                SlipKind::WrongName => self.wrong_name(rng),
                SlipKind::Misspelt => self.misspelt(rng),
                SlipKind::WrongNumber => self.wrong_number(rng),
                SlipKind::Opposite => self.opposite(rng),
                SlipKind::MissingBracket => {
                    let (place, clause) = pick(&self.brackets, rng)?.clone();
                    Some(Change { place, by: String::new(), clause })
                }
            }?;
            self.slip_of(kind, change)
        })
    }

    /// The slip that a change is; `None` if it changes nothing.
    fn slip_of(&self, kind: SlipKind, Change { place, by, clause }: Change) -> Option<Slip> {
        let was = self.text[place.clone()].to_owned();
        let mut text = self.text.to_owned();
        text.replace_range(place.clone(), &by);
        let end = place.start + by.len();
        let clause =
            clause.start.min(place.start)..(clause.end + by.len()).saturating_sub(was.len());
        let clause = clause.start..clause.end.max(end);
        (was != by).then(|| Slip {
            kind,
            original: place.clone(),
            place: place.start..end,
            clause,
            was,
            is: by,
            text,
        })
    }

    /// Clauses and arguments, each as likely as any other.
    fn unit(&self, rng: &mut Rng) -> Option<(&Range<usize>, &[Unit<'t>], usize)> {
        let count: usize = self.families.iter().map(|(_, family)| family.len()).sum();
        let mut number = draw(count, rng)?;
        self.families.iter().find_map(|(clause, family)| {
            let here = (number < family.len()).then_some((clause, &family[..], number));
            number = number.wrapping_sub(family.len());
            here
        })
    }

    fn dropped(&self, rng: &mut Rng) -> Option<Change> {
        let (clause, family, at) = self.unit(rng)?;
        Some(Change {
            place: family[at].cut.clone(),
            by: String::new(),
            clause: around(clause, &family[at].cut),
        })
    }

    fn doubled(&self, rng: &mut Rng) -> Option<Change> {
        let (clause, family, at) = self.unit(rng)?;
        let Unit { place, separator, .. } = &family[at];
        let line = self.text[..place.start].rfind('\n').map_or(0, |at| at + 1);
        let indent = &self.text[line..place.start];
        let gap = if indent.trim().is_empty() { format!("\n{indent}") } else { " ".to_owned() };
        let by = [*separator, &*gap, &self.text[place.clone()]].concat();
        Some(Change { place: place.end..place.end, by, clause: around(clause, place) })
    }

    fn swapped(&self, rng: &mut Rng) -> Option<Change> {
        let (clause, family, at) = self.unit(rng)?;
        let [one, other] = family.get(at..at + 2)? else { return None };
        // Words of a line of RG are no arguments of each other.
        let are_words = one.separator.is_empty() && !(one.is_group && other.is_group);
        if self.language == Language::Rg && are_words {
            return None;
        }
        let place = one.place.start..other.place.end;
        let between = one.place.end..other.place.start;
        let by = [&other.place, &between, &one.place].map(|part| &self.text[part.clone()]).concat();
        Some(Change { clause: around(clause, &place), place, by })
    }

    fn wrong_name(&self, rng: &mut Rng) -> Option<Change> {
        let word = pick(&self.names, rng)?;
        let is_like = |name: &&&str| **name != word.text && sort(name) == sort(word.text);
        let names: Vec<&&str> = self.known.iter().filter(is_like).collect();
        Some(word.becomes((*pick(&names, rng)?).to_string()))
    }

    fn misspelt(&self, rng: &mut Rng) -> Option<Change> {
        let word = pick(&self.names, rng)?;
        let mut letters: Vec<char> = word.text.chars().collect();
        let among: Vec<usize> =
            (0..letters.len()).filter(|&at| letters[at].is_alphabetic()).collect();
        let at = *pick(&among, rng)?;
        let letter = char::from(b'a' + rng.below(26) as u8);
        match rng.below(4) {
            0 if among.len() > 1 => drop(letters.remove(at)),
            1 => letters.insert(at, letters[at]),
            2 if letters.get(at + 1).is_some_and(|c| c.is_alphabetic()) => letters.swap(at, at + 1),
            _ => letters[at] = letter,
        }
        let by: String = letters.into_iter().collect();
        (!self.known.contains(&*by)).then(|| word.becomes(by))
    }

    fn wrong_number(&self, rng: &mut Rng) -> Option<Change> {
        let word = pick(&self.numbers, rng)?;
        let number: i64 = word.text.parse().ok()?;
        let by =
            if number > 0 && rng.below(2) == 0 { number - 1 } else { number.checked_add(1)? };
        Some(word.becomes(by.to_string()))
    }

    fn opposite(&self, rng: &mut Rng) -> Option<Change> {
        let of = |word: &&Word<'_>| {
            opposites(word.text, self.language, |name| self.known.contains(name))
        };
        let words: Vec<&Word<'_>> = self.all.iter().filter(|word| !of(word).is_empty()).collect();
        let word = pick(&words, rng)?;
        Some(word.becomes((*pick(&of(word), rng)?).to_owned()))
    }
}

impl Word<'_> {
    fn becomes(&self, by: String) -> Change {
        Change { place: self.place.clone(), by, clause: self.clause.clone() }
    }
}

/// The brackets around a place, which is itself where there are none.
fn around(clause: &Range<usize>, place: &Range<usize>) -> Range<usize> {
    if clause.is_empty() { place.clone() } else { clause.clone() }
}

/// The sort of a name by its look: variables of GDL, strings, names that begin with a capital.
fn sort(name: &str) -> u8 {
    match name.chars().next() {
        Some('?') => 0,
        Some('"') => 1,
        Some(first) if first.is_uppercase() => 2,
        _ if name.ends_with(':') => 3,
        _ => 4,
    }
}

/// A number below another; `None` if there is none.
pub(crate) fn draw(below: usize, rng: &mut Rng) -> Option<usize> {
    let below = u32::try_from(below).ok().filter(|&below| below > 0)?;
    Some(rng.below(below) as usize)
}

/// One of several, each as likely.
pub(crate) fn pick<'p, T>(from: &'p [T], rng: &mut Rng) -> Option<&'p T> {
    from.get(draw(from.len(), rng)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LUD: &str = "(game \"A\"\n  (board (square 3))\n  (if (is In (to) (sites Top)) N \
                       at:(last To)))";
    const KIF: &str = "(role x) (role o)\n(<= (next (cell ?m ?n b))\n  (true (cell ?n ?m b))\n  \
                       (or (f 1) (f 2)))";
    const RBG: &str = "#pieces = e, w, b\n#rules = ->w (up + down) [$ n == 1] {? left} ->b right";
    const RG: &str =
        "domain A = x | o\ngraph rules() {\n  at = f[x][o]\n  check(at == 1 && b == 2)\n}";

    fn some(text: &str, language: Language, kind: SlipKind) -> BTreeSet<(String, String)> {
        let slips = Slips::new(text, language);
        let all = (0..400).filter_map(|number| slips.of_kind(kind, &mut Rng::stream(1, number)));
        all.map(|slip| {
            let mut again = slip.text.clone();
            again.replace_range(slip.place.clone(), &slip.was);
            assert_eq!(again, text, "{slip:?}");
            assert_eq!(slip.text[slip.place.clone()], slip.is);
            assert_eq!(text[slip.original.clone()], slip.was);
            assert!(slip.clause.start <= slip.place.start && slip.place.end <= slip.clause.end);
            assert!(slip.text.get(slip.clause.clone()).is_some());
            (slip.was, slip.is)
        })
        .collect()
    }

    fn has(text: &str, language: Language, kind: SlipKind, pairs: &[(&str, &str)]) {
        let found = some(text, language, kind);
        for &(was, is) in pairs {
            assert!(found.contains(&(was.to_owned(), is.to_owned())), "{was} {is}: {found:#?}");
        }
    }

    #[test]
    fn clauses_and_arguments_go_with_their_separators() {
        let dropped = SlipKind::Dropped;
        has(LUD, Language::Lud, dropped, &[("at:(last To)", ""), ("In", ""), ("(to)", "")]);
        has(KIF, Language::Kif, dropped, &[("(role o)", ""), ("?m", ""), ("(f 1)", "")]);
        has(
            RBG,
            Language::Rbg,
            dropped,
            &[("e,", ""), (", b", ""), ("up +", ""), ("{? left}", "")],
        );
        let lines = [("at = f[x][o]", ""), ("| o", ""), ("[x]", ""), ("&& b == 2", "")];
        has(RG, Language::Rg, dropped, &lines);
        // Not the whole game, nor a head.
        assert!(!some(KIF, Language::Kif, dropped).iter().any(|(was, _)| was == "role"));
        assert!(!some(LUD, Language::Lud, dropped).iter().any(|(was, _)| was.contains("game")));
    }

    #[test]
    fn what_is_doubled_or_swapped_keeps_its_layout() {
        let doubled = SlipKind::Doubled;
        has(LUD, Language::Lud, doubled, &[("", "\n  (board (square 3))"), ("", " In")]);
        has(RBG, Language::Rbg, doubled, &[("", ", w"), ("", "+ down")]);
        has(RG, Language::Rg, doubled, &[("", "\n  at = f[x][o]"), ("", "&& b == 2")]);
        has(
            KIF,
            Language::Kif,
            SlipKind::Swapped,
            &[("?m ?n", "?n ?m"), ("(f 1) (f 2)", "(f 2) (f 1)")],
        );
        has(RG, Language::Rg, SlipKind::Swapped, &[("[x][o]", "[o][x]"), ("x | o", "o | x")]);
        has(RBG, Language::Rbg, SlipKind::Swapped, &[("e, w", "w, e")]);
    }

    #[test]
    fn words_are_mistaken_for_words_of_their_sort() {
        has(KIF, Language::Kif, SlipKind::WrongName, &[("?m", "?n"), ("x", "o"), ("true", "role")]);
        assert!(
            !some(KIF, Language::Kif, SlipKind::WrongName).contains(&("?m".into(), "b".into()))
        );
        has(LUD, Language::Lud, SlipKind::WrongName, &[("Top", "To"), ("is", "to")]);
        has(LUD, Language::Lud, SlipKind::WrongNumber, &[("3", "2"), ("3", "4")]);
        has(LUD, Language::Lud, SlipKind::Opposite, &[("N", "S"), ("Top", "Bottom")]);
        has(KIF, Language::Kif, SlipKind::Opposite, &[("x", "o"), ("or", "and")]);
        has(RBG, Language::Rbg, SlipKind::Opposite, &[("up", "down"), ("==", "!="), ("?", "!")]);
        has(RG, Language::Rg, SlipKind::Opposite, &[("&&", "||"), ("==", "!=")]);
        for (was, is) in some(LUD, Language::Lud, SlipKind::Misspelt) {
            let length = was.chars().count().abs_diff(is.chars().count());
            assert!(length <= 1 && !LUD.split(['(', ' ']).any(|word| word == is), "{was} {is}");
        }
    }

    #[test]
    fn a_missing_bracket_has_its_brackets_as_clause() {
        let slips = Slips::new("(a (b c)\n d)", Language::Kif);
        for number in 0..20 {
            let slip = slips.of_kind(SlipKind::MissingBracket, &mut Rng::stream(1, number));
            let slip = slip.expect("there are some");
            let inner = (3..8).contains(&slip.original.start);
            let clause = if inner { 3..7 } else { 0..11 };
            assert_eq!(slip.clause, clause, "{slip:?}");
        }
    }

    #[test]
    fn slips_come_again_and_all_kinds_in_turn() {
        let slips = Slips::new(KIF, Language::Kif);
        let some = |seed| (0..40).map(|number| slips.slip(seed, number)).collect::<Vec<_>>();
        assert_eq!(some(1), some(1));
        assert_ne!(some(1), some(2));
        for (slip, kind) in some(1).iter().zip(SlipKind::ALL) {
            assert_eq!(slip.as_ref().map(|slip| slip.kind), Some(kind));
        }
        assert_eq!(Slips::new("", Language::Kif).slip(1, 0), None);
    }
}
