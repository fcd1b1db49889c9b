//! The words of a game, where a description says others.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

/// The words of a game for what its description calls otherwise. Each description of a game says
/// actions and percepts in the way of its language; by these tables all of them say the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words {
    /// True if these are words that all descriptions of the game say, so that two engines which
    /// name an action otherwise play differently.
    pub shared: bool,
    /// True if labels are to tell moves apart in all positions alike, in languages where they have
    /// what tells two moves apart only where both are legal.
    pub full: bool,
    /// The words for labels of actions.
    pub actions: Wording,
    /// The words for percepts. A percept without a word is perceived by nobody.
    pub percepts: Wording,
}

impl Words {
    /// True if the description says the words of the game itself.
    pub fn are_its_own(&self) -> bool {
        self.actions.is_empty() && self.percepts.is_empty()
    }
}

/// A table of texts with the words that stand for them: entries in order, each a text as the
/// description says it and the word for it.
///
/// A text may be a pattern: `{x}`, with any lower-case letter, stands for one letter from `a` to
/// `z`, and `{X}` for one whole number; a placeholder that occurs again stands for the same, and
/// `{x+1}` for the letter, or the number, after it. In the word a placeholder in the other case
/// stands for the number of the letter, from 1, or the letter of the number. So `hand{P}{x}{Y}` is
/// a pattern, and `{x}{Y}` a word for it. Texts that are no patterns go before those that are, and
/// no text may fit two patterns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wording {
    entries: Vec<(String, String)>,
    /// The entries that are no patterns, by their texts.
    exact: BTreeMap<String, usize>,
    /// The entries that are, each with its text and its word read.
    patterns: Vec<(usize, Vec<Atom>, Vec<Atom>)>,
}

/// Something that is wrong with an entry of a [`Wording`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordingFault {
    /// The number of the entry, from 0.
    pub entry: usize,
    /// The fault, for a message.
    pub why: String,
}

impl fmt::Display for WordingFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)
    }
}

impl std::error::Error for WordingFault {}

/// Most patterns of a table, each of which is compared with all others.
const MOST_PATTERNS: usize = 256;

impl Wording {
    /// The table of these entries.
    pub fn new<T: Into<String>>(
        entries: impl IntoIterator<Item = (T, T)>,
    ) -> Result<Wording, WordingFault> {
        let mut wording = Wording::default();
        for (entry, (text, word)) in entries.into_iter().enumerate() {
            let (text, word) = (text.into(), word.into());
            let added = wording.add(entry, &text, &word);
            added.map_err(|why| WordingFault { entry, why })?;
            wording.entries.push((text, word));
        }
        Ok(wording)
    }

    fn add(&mut self, entry: usize, text: &str, word: &str) -> Result<(), String> {
        let (left, right) = (read(text)?, read(word)?);
        if text.is_empty() {
            return Err("an empty text is said by no description".to_owned());
        }
        let holes = holes(&left)?;
        for name in self::holes(&right)?.keys() {
            if !holes.contains_key(name) {
                return Err(format!("`{word}` has a placeholder `{name}`, and `{text}` has none"));
            }
        }
        if let Some(same) = self.exact.get(text).filter(|_| holes.is_empty()) {
            return Err(format!("`{text}` is `{}` already", self.entries[*same].1));
        }
        if holes.is_empty() {
            self.exact.insert(text.to_owned(), entry);
            return Ok(());
        }
        if left.windows(2).any(|pair| pair[0].is_number() && pair[1].is_number()) {
            return Err(format!("nobody can tell where a number of `{text}` ends"));
        }
        if self.patterns.len() == MOST_PATTERNS {
            return Err(format!("there are more than {MOST_PATTERNS} patterns"));
        }
        let other = self.patterns.iter().find(|(_, other, _)| Fit::of(&left, other).is_some());
        if let Some((other, ..)) = other {
            let other = &self.entries[*other].0;
            return Err(format!("a text may fit both `{text}` and `{other}`"));
        }
        self.patterns.push((entry, left, right));
        Ok(())
    }

    /// True if it has no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entries in order: each text with the word for it.
    pub fn entries(&self) -> &[(String, String)] {
        &self.entries
    }

    /// The word for a text, which is the text itself where the table has none.
    pub fn word<'t>(&'t self, text: &'t str) -> Cow<'t, str> {
        self.find(text).map_or(Cow::Borrowed(text), |(_, word)| word)
    }

    /// The number of the entry that a text fits.
    pub fn entry_of(&self, text: &str) -> Option<usize> {
        self.find(text).map(|(entry, _)| entry)
    }

    fn find(&self, text: &str) -> Option<(usize, Cow<'_, str>)> {
        if let Some(&entry) = self.exact.get(text) {
            return Some((entry, Cow::Borrowed(&self.entries[entry].1)));
        }
        if self.patterns.is_empty() {
            return None;
        }
        let said = plain(text);
        self.patterns.iter().find_map(|(entry, left, right)| {
            let fit = Fit::of(left, &said)?;
            Some((*entry, Cow::Owned(fit.write(right)?)))
        })
    }
}

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Atom {
    Sign(char),
    /// A whole number without leading zeros, as long as it is.
    Number(i64),
    /// A placeholder by its letter, and what is added to it.
    Hole {
        name: char,
        plus: i64,
    },
}

impl Atom {
    fn is_number(self) -> bool {
        match self {
            Atom::Sign(sign) => sign.is_ascii_digit(),
            Atom::Number(_) => true,
            Atom::Hole { name, .. } => name.is_ascii_uppercase(),
        }
    }
}

/// Longest number, in digits; longer ones are signs.
const LONGEST_NUMBER: usize = 9;

/// The parts of a text without placeholders.
fn plain(text: &str) -> Vec<Atom> {
    let mut atoms = Vec::new();
    let mut rest = text;
    while let Some(sign) = rest.chars().next() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let number = &rest[..digits];
        if digits > 0 && digits <= LONGEST_NUMBER && (digits == 1 || !number.starts_with('0')) {
            atoms.extend(number.parse().map(Atom::Number));
            rest = &rest[digits..];
            continue;
        }
        // A number that is none has to end before the next part.
        let length = if digits > 0 { digits } else { sign.len_utf8() };
        atoms.extend(rest[..length].chars().map(Atom::Sign));
        rest = &rest[length..];
    }
    atoms
}

/// The parts of a text that may be a pattern.
fn read(text: &str) -> Result<Vec<Atom>, String> {
    let mut atoms = Vec::new();
    let mut rest = text;
    while let Some(open) = rest.find(['{', '}']) {
        atoms.extend(plain(&rest[..open]));
        let inner = rest[open..].strip_prefix('{').and_then(|inner| inner.split_once('}'));
        let Some((inner, behind)) = inner else {
            return Err(format!("a brace without the other one in `{text}`"));
        };
        let at = inner.find(['+', '-']).unwrap_or(inner.len());
        let (name, plus) = inner.split_at(at);
        let plus = if plus.is_empty() { Ok(0) } else { plus.parse::<i16>().map(i64::from) };
        match (name.as_bytes(), plus) {
            ([name], Ok(plus)) if name.is_ascii_alphabetic() => {
                atoms.push(Atom::Hole { name: char::from(*name), plus });
            }
            _ => {
                return Err(format!(
                    "`{{{inner}}}` is no placeholder: expected a letter, as in {{x}}, {{X}} or \
                     {{x+1}}"
                ));
            }
        }
        rest = behind;
    }
    atoms.extend(plain(rest));
    Ok(atoms)
}

/// The placeholders of a text by their lower-case letters, with true for those of numbers.
fn holes(atoms: &[Atom]) -> Result<BTreeMap<char, bool>, String> {
    let mut holes = BTreeMap::new();
    for atom in atoms {
        let &Atom::Hole { name, .. } = atom else { continue };
        let number = name.is_ascii_uppercase();
        if *holes.entry(name.to_ascii_lowercase()).or_insert(number) != number {
            let (letter, number) = (name.to_ascii_lowercase(), name.to_ascii_uppercase());
            return Err(format!("`{{{letter}}}` and `{{{number}}}` are one placeholder"));
        }
    }
    Ok(holes)
}

/// Letters of placeholders.
const LETTERS: usize = 26;

/// The values of placeholders with which two texts are the same: each is that of another one, or of
/// the last one here, which is 0, and something more.
struct Fit {
    of: [usize; 2 * LETTERS + 1],
    plus: [i64; 2 * LETTERS + 1],
}

impl Fit {
    /// The values with which two texts are the same; `None` if they never are. Placeholders of one
    /// have nothing to do with those of the other.
    fn of(one: &[Atom], other: &[Atom]) -> Option<Fit> {
        if one.len() != other.len() {
            return None;
        }
        let mut fit = Fit { of: std::array::from_fn(|at| at), plus: [0; 2 * LETTERS + 1] };
        one.iter().zip(other).all(|(&a, &b)| fit.is_same(a, b)).then_some(fit)
    }

    fn is_same(&mut self, one: Atom, other: Atom) -> bool {
        let kind = |atom: Atom| match atom {
            Atom::Sign('a'..='z') => 0,
            Atom::Hole { name, .. } if name.is_ascii_lowercase() => 0,
            Atom::Number(_) | Atom::Hole { .. } => 1,
            Atom::Sign(_) => 2,
        };
        let value = |atom: Atom, first: usize| match atom {
            Atom::Sign(sign) => (2 * LETTERS, i64::from(u32::from(sign)) - LETTER_0),
            Atom::Number(number) => (2 * LETTERS, number),
            Atom::Hole { name, plus } => (first + letter(name), plus),
        };
        if kind(one) != kind(other) {
            return false;
        }
        let ((a, more), (b, and)) = (value(one, 0), value(other, LETTERS));
        self.join(a, more, b, and)
    }

    /// What a placeholder is, as something more than another one that is free.
    fn root(&self, mut at: usize) -> (usize, i64) {
        let mut plus = 0;
        while self.of[at] != at {
            plus += self.plus[at];
            at = self.of[at];
        }
        (at, plus)
    }

    /// Takes it that one and so much are the other and so much; false if that cannot be.
    fn join(&mut self, one: usize, more: i64, other: usize, and: i64) -> bool {
        let ((a, from), (b, to)) = (self.root(one), self.root(other));
        let apart = to + and - from - more;
        if a == b {
            return apart == 0;
        }
        // What is 0 stays free.
        if a == 2 * LETTERS {
            (self.of[b], self.plus[b]) = (a, -apart);
        } else {
            (self.of[a], self.plus[a]) = (b, apart);
        }
        true
    }

    /// A word with the values in it; `None` if one of them has no letter, or is less than 0.
    fn write(&self, word: &[Atom]) -> Option<String> {
        let mut text = String::new();
        for &atom in word {
            match atom {
                Atom::Sign(sign) => text.push(sign),
                Atom::Number(number) => text += &number.to_string(),
                Atom::Hole { name, plus } => {
                    let value = self.root(letter(name)).1 + plus;
                    if name.is_ascii_uppercase() {
                        text += &u64::try_from(value).ok()?.to_string();
                    } else {
                        let sign = u32::try_from(value + LETTER_0).ok().and_then(char::from_u32);
                        text.push(sign.filter(char::is_ascii_lowercase)?);
                    }
                }
            }
        }
        Some(text)
    }
}

/// What comes before the letter that counts as 1.
const LETTER_0: i64 = 'a' as i64 - 1;

/// The place of a letter in the alphabet, from 0; upper case is lower case.
fn letter(name: char) -> usize {
    usize::from(name.to_ascii_lowercase() as u8 - b'a')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wording(entries: &[(&str, &str)]) -> Wording {
        Wording::new(entries.iter().copied()).unwrap_or_else(|fault| panic!("{fault}"))
    }

    fn fault(entries: &[(&str, &str)]) -> (usize, String) {
        let fault = Wording::new(entries.iter().copied()).expect_err("it is faulty");
        (fault.entry, fault.why)
    }

    #[test]
    fn texts_and_patterns_have_words() {
        let words = wording(&[
            ("a1", "check"),
            ("hand{P}{x}{Y}", "{x}{Y}"),
            ("{x}{Y}{x}{Y+1}", "north"),
            ("{x}{Y}{x+1}{Y}", "east"),
            ("{x}{Y}=n{N},{x}{Y}", "{x}{Y}{N}"),
            ("card {N}", "{n}"),
            ("{x}", "{X-1}"),
        ]);
        for (text, word) in [
            ("a1", "check"),
            ("hand1e1", "e1"),
            ("hand12c10", "c10"),
            ("d9d10", "north"),
            ("d9e9", "east"),
            ("z9a9", "z9a9"),
            ("d9f9", "d9f9"),
            ("c4=n2,c4", "c42"),
            ("c4=n2,c5", "c4=n2,c5"),
            ("card 3", "c"),
            ("card 27", "card 27"),
            ("card 03", "card 03"),
            ("a", "0"),
            ("A", "A"),
            ("ä1 pass", "ä1 pass"),
            ("", ""),
        ] {
            assert_eq!(words.word(text), word, "{text}");
        }
        assert_eq!(words.entry_of("d9e9"), Some(3));
        assert_eq!(words.entry_of("d9f9"), None);
    }

    #[test]
    fn faulty_entries_are_refused_with_their_numbers() {
        for (entries, entry, why) in [
            (&[("a", "b"), ("{x", "y")][..], 1, "a brace without the other one in `{x`"),
            (&[("x}", "y")], 0, "a brace without the other one in `x}`"),
            (&[("{xy}", "a")], 0, "`{xy}` is no placeholder"),
            (&[("{x+}", "a")], 0, "`{x+}` is no placeholder"),
            (&[("{x}", "{y}")], 0, "`{y}` has a placeholder `y`, and `{x}` has none"),
            (&[("{x} {X}", "a")], 0, "`{x}` and `{X}` are one placeholder"),
            (&[("{X}{Y}", "a")], 0, "nobody can tell where a number of `{X}{Y}` ends"),
            (&[("1{Y}", "a")], 0, "nobody can tell where a number of `1{Y}` ends"),
            (&[("a", "b"), ("a", "c")], 1, "`a` is `b` already"),
            (&[("", "b")], 0, "an empty text"),
            (&[("{x}1", "b"), ("a{X}", "c")], 1, "a text may fit both `a{X}` and `{x}1`"),
            (&[("{x}{Y}{x}{Z}", ""), ("{x}{Y}{z}{Y+1}", "")], 1, "a text may fit both"),
        ] {
            let (at, found) = fault(entries);
            assert!(at == entry && found.starts_with(why), "{entries:?}: entry {at}, {found}");
        }
        // What differs somewhere is no text of both.
        wording(&[("{x}{Y}{x}{Y+1}", "n"), ("{x}{Y}{x+1}{Y}", "e"), ("{x}{Y}{z}", "")]);
    }
}
