//! The parts of a rule file that its author leaves out, doubles or exchanges as wholes: clauses and
//! arguments.

use std::ops::Range;

use play::Language;

use crate::piece::{DIRECTIVE, LINE, Piece};

/// A clause or an argument.
#[derive(Clone, Debug)]
pub(crate) struct Unit<'t> {
    /// Its bytes.
    pub(crate) place: Range<usize>,
    /// Its bytes with the separator that goes when it is left out.
    pub(crate) cut: Range<usize>,
    /// True if it is brackets, or a line.
    pub(crate) is_group: bool,
    /// The mark between it and the next one, or nothing.
    pub(crate) separator: &'t str,
}

/// The separators of a language, the loosest first.
fn separators(language: Language) -> &'static [&'static [&'static str]] {
    match language {
        Language::Kif | Language::Lud => &[],
        Language::Rg => &[&[",", ";"], &["|"], &["||"], &["&&"]],
        _ => &[&[",", ";"], &["+"]],
    }
}

/// True of a word that is no mark.
pub(crate) fn is_word(piece: &Piece, text: &str) -> bool {
    let begins_word = |c: char| c.is_alphanumeric() || "?\"_".contains(c);
    piece.brackets.is_none()
        && text[piece.place.clone()].starts_with(begins_word)
        // A mark of RBG and RG, and a variable without a name.
        && &text[piece.place.clone()] != "?"
}

/// The clauses or arguments between brackets, or outside of all of them.
pub(crate) fn units<'t>(
    text: &'t str,
    language: Language,
    brackets: Option<(&str, &str)>,
    pieces: &[Piece],
) -> Vec<Unit<'t>> {
    let of = |piece: &Piece| &text[piece.place.clone()];
    let after_equals = || pieces.iter().position(|piece| of(piece) == "=").map_or(0, |at| at + 1);
    let head = match (language, brackets) {
        (Language::Kif | Language::Lud, Some(("(", _))) => 1,
        (_, Some(LINE | DIRECTIVE)) => after_equals(),
        _ => 0,
    };
    let pieces = pieces.get(head..).unwrap_or_default();
    let has = |class: &&&[&'static str]| pieces.iter().any(|piece| class.contains(&of(piece)));
    match separators(language).iter().find(has) {
        Some(class) => separated(text, pieces, class),
        None => joined(text, language, pieces),
    }
}

/// The units between separators.
fn separated<'t>(text: &'t str, pieces: &[Piece], class: &[&str]) -> Vec<Unit<'t>> {
    let of = |piece: &Piece| &text[piece.place.clone()];
    let ends = (0..pieces.len()).filter(|&at| class.contains(&of(&pieces[at])));
    let mut units = Vec::new();
    let mut start = 0;
    for end in ends.chain([pieces.len()]) {
        if let [first, ..] = &pieces[start..end] {
            let place = first.place.start..pieces[end - 1].place.end;
            let (before, after) = (start.checked_sub(1).map(|at| &pieces[at]), pieces.get(end));
            let cut = match (before, after) {
                (_, Some(after)) => place.start..after.place.end,
                (Some(before), None) => before.place.start..place.end,
                (None, None) => place.clone(),
            };
            units.push(Unit {
                place,
                cut,
                is_group: false,
                separator: after.or(before).map_or("", of),
            });
        }
        start = end + 1;
    }
    units
}

/// The units that stand side by side: words and brackets, those of ludemes with their keywords, and
/// calls.
fn joined<'t>(text: &'t str, language: Language, pieces: &[Piece]) -> Vec<Unit<'t>> {
    let has_calls = !matches!(language, Language::Kif | Language::Lud);
    let mut units: Vec<Unit<'t>> = Vec::new();
    let mut keyword: Option<usize> = None;
    for piece in pieces {
        let is_group = piece.brackets.is_some();
        let start = keyword.take().unwrap_or(piece.place.start);
        let is_call = |before: &&mut Unit<'_>| !before.is_group && before.place.end == start;
        let begins_call = has_calls && piece.brackets.is_some_and(|(begin, _)| begin == "(");
        if let Some(before) = units.last_mut().filter(is_call).filter(|_| begins_call) {
            before.place.end = piece.place.end;
            before.cut = before.place.clone();
        } else if !is_group && language == Language::Lud && text[piece.place.clone()].ends_with(':')
        {
            keyword = Some(start);
        } else if is_group || is_word(piece, text) {
            let place = start..piece.place.end;
            units.push(Unit { cut: place.clone(), place, is_group, separator: "" });
        }
    }
    units
}
