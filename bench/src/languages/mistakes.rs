//! The part `mistakes`: slips planted into descriptions, and who notices them.

use std::collections::BTreeMap;
use std::ops::Range;

use anyhow::Result;
use edits::{Slip, SlipKind, Slips};
use play::{CompileError, Compiled, Rules};
use reports::languages::mistakes::Row;
use text::{Diagnostic, Severity, Source};

use super::{Original, Setting, described, soonest_engine};
use crate::behaviour::{Budget, Difference, Fault, guarded, load};
use crate::clock;
use crate::entry::Entry;

/// What a slip is held against its original by.
fn budget(entry: &Entry, seed: u64) -> Budget {
    Budget { seed, cap: entry.cap, nodes: 400, walks: 6, plies: 300, playouts: 100 }
}

/// The rows of all descriptions.
pub(super) fn collect(setting: &Setting<'_>) -> Result<String> {
    let rows = setting.each(setting.games, |entry| {
        described(entry).flat_map(|rules| of_description(setting, entry, rules)).collect::<Vec<_>>()
    });
    Ok(reports::languages::text(&rows.concat())?)
}

/// The rows of a description, one for each kind of slip.
fn of_description(setting: &Setting<'_>, entry: &Entry, rules: &Rules) -> Vec<Row> {
    let language = rules.language.name();
    let new = |kind: &str| Row {
        game: entry.id.clone(),
        language: language.to_owned(),
        kind: kind.to_owned(),
        ..Row::default()
    };
    let begun = clock::thread_cpu_ns();
    let original = soonest_engine(rules.language)
        .and_then(|engine| Original::new(engine, rules, budget(entry, setting.seed)));
    let original = match original {
        Ok(original) => original,
        Err(reason) => return vec![Row { reason, ..new("") }],
    };
    let loaded = clock::thread_cpu_ns();
    let slips = Slips::new(rules.source.text(), rules.language);
    let mut fates = BTreeMap::new();
    let mut rows: BTreeMap<SlipKind, Row> = BTreeMap::new();
    for number in 0..u64::from(setting.samples) {
        let Some(slip) = slips.slip(setting.seed, number) else { continue };
        let row = rows.entry(slip.kind).or_insert_with(|| new(slip.kind.name()));
        row.slips += 1;
        // Few descriptions are so long that no two of a thousand slips make the same text.
        let text = slip.text.clone();
        let fate = fates.entry(text).or_insert_with(|| Fate::of(&original, rules, &slip.text));
        fate.count(&slip, row);
        if let Fate::Panic(panic) = fate {
            let (id, seed, kind) = (&entry.id, setting.seed, slip.kind.name());
            let what = format!("{id}.{language}: slip {number} of seed {seed} ({kind}): {panic}");
            errln!("PANIC: {what}: {:?} for {:?}", slip.is, slip.was);
            row.panics += 1;
            row.reason = what;
        }
    }
    let [first, rest] = [loaded - begun, clock::thread_cpu_ns() - loaded].map(|ns| ns / 1_000_000);
    let times = format!("{first} ms for the original, {rest} ms for slips");
    log::debug!(target: "ggpbench::languages", "{}.{language}: {times}", entry.id);
    rows.into_values().collect()
}

/// What becomes of a text.
enum Fate {
    /// Refused, with these messages.
    Refused(Vec<Diagnostic>),
    /// Compiling takes more than the limits allow.
    TooLarge,
    /// Compiled with these warnings, and played.
    Played(Vec<Diagnostic>, Result<Option<Difference>, Fault>),
    /// The engine panicked, with this text.
    Panic(String),
}

impl Fate {
    /// Loads and plays a text in the place of that of the rules.
    fn of(original: &Original, rules: &Rules, text: &str) -> Fate {
        let source = Source::new(rules.source.name(), text.to_owned());
        let rules = Rules { source, ..rules.clone() };
        let played = load(&*original.engine, &rules).and_then(|loaded| match loaded {
            Err(CompileError::TooLarge(_) | CompileError::Beyond(_)) => Ok(Fate::TooLarge),
            Err(error) => Ok(Fate::Refused(error.diagnostics().to_vec())),
            Ok(Compiled { game, warnings }) => {
                let found = guarded(|| original.behaviour.difference(&*game, &original.budget));
                found.map(|found| Fate::Played(warnings, found))
            }
        });
        played.unwrap_or_else(Fate::Panic)
    }

    /// Counts a slip that makes the text.
    fn count(&self, slip: &Slip, row: &mut Row) {
        let source = Source::new("", slip.text.clone());
        match self {
            Fate::Refused(messages) => refused(&source, slip, messages, row),
            Fate::TooLarge => row.limits += 1,
            Fate::Panic(_) => {}
            Fate::Played(warnings, found) => {
                let place = Place::of(slip, &source);
                let here: Vec<&Diagnostic> =
                    warnings.iter().filter(|it| place.has(&source, it)).collect();
                row.warned += u32::from(!here.is_empty());
                if !here.is_empty() {
                    suggestions(slip, &here, row);
                }
                *match found {
                    Err(_) => &mut row.late,
                    Ok(None) => &mut row.unnoticed,
                    Ok(Some(Difference::Kind | Difference::Start)) => &mut row.at_start,
                    Ok(Some(Difference::Tree)) => &mut row.in_tree,
                    Ok(Some(Difference::Walk)) => &mut row.on_walk,
                    Ok(Some(Difference::Playouts)) => &mut row.in_playouts,
                } += 1;
            }
        }
    }
}

/// The place of a slip, as messages may name it.
struct Place {
    /// Its lines, from 1.
    lines: Range<u32>,
    /// The brackets directly around it.
    clause: Range<usize>,
}

impl Place {
    fn of(slip: &Slip, source: &Source) -> Place {
        let line = |offset: usize| source.position(offset as u32).line;
        let lines = line(slip.place.start)..line(slip.place.end) + 1;
        Place { lines, clause: slip.clause.clone() }
    }

    /// True if a message begins on a line of the slip.
    fn has_line(&self, source: &Source, diagnostic: &Diagnostic) -> bool {
        self.lines.contains(&source.position(diagnostic.span.start).line)
    }

    /// True if a message begins on a line of the slip, or within the brackets around it.
    fn has(&self, source: &Source, diagnostic: &Diagnostic) -> bool {
        let start = diagnostic.span.range().start;
        self.has_line(source, diagnostic) || (self.clause.start..=self.clause.end).contains(&start)
    }
}

/// Counts a slip that is refused, by the places and the suggestions of the messages.
fn refused(source: &Source, slip: &Slip, diagnostics: &[Diagnostic], row: &mut Row) {
    let place = Place::of(slip, source);
    let errors: Vec<&Diagnostic> =
        diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
    let first = errors.iter().min_by_key(|diagnostic| diagnostic.span);
    let is_placed = first.is_some_and(|first| place.has(source, first));
    *(if is_placed { &mut row.placed } else { &mut row.elsewhere }) += 1;
    row.on_line += u32::from(first.is_some_and(|first| place.has_line(source, first)));
    row.among += u32::from(errors.iter().any(|error| place.has(source, error)));
    suggestions(slip, &errors, row);
}

/// Counts what messages about a slip suggest.
fn suggestions(slip: &Slip, messages: &[&Diagnostic], row: &mut Row) {
    if !slip.kind.is_of_word() {
        return;
    }
    let bare = |word: &str| word.trim_matches(['"', ':', '?']).to_owned();
    let was = bare(&slip.was);
    let is_right = |word: &&str| bare(word) == was || word.split(' ').any(|part| bare(part) == was);
    let texts = messages.iter().flat_map(|it| [&it.message, &it.label].into_iter().chain(&it.help));
    let suggested: Vec<&str> = texts.filter_map(|text| suggestion(text)).collect();
    row.words += 1;
    row.suggested += u32::from(!suggested.is_empty());
    row.suggested_right += u32::from(suggested.iter().any(is_right));
}

/// The word that a message suggests.
fn suggestion(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("did you mean ")?;
    let (_, rest) = rest.split_once(['`', '"'])?;
    rest.split_once(['`', '"']).map(|(word, _)| word)
}

#[cfg(test)]
mod tests {
    use text::Span;

    use super::*;

    #[test]
    fn messages_are_placed_by_lines_and_brackets() {
        let text = "(a b)\n(c\n (d e))";
        let source = Source::new("t", text);
        let slip = Slip {
            kind: SlipKind::Misspelt,
            original: 13..14,
            place: 13..14,
            clause: 10..15,
            was: "x".to_owned(),
            is: "e".to_owned(),
            text: text.to_owned(),
        };
        let row = |start: usize, help: &str| {
            let mut row = Row::default();
            let error = Diagnostic::error("e", Span::at(start), "m").help(help);
            refused(&source, &slip, &[error], &mut row);
            row
        };
        let here = row(13, "did you mean `x`?");
        assert_eq!((here.placed, here.on_line, here.among), (1, 1, 1));
        assert_eq!((here.suggested, here.suggested_right, here.words), (1, 1, 1));
        let there = row(1, "did you mean \"y\"?");
        assert_eq!((there.placed, there.elsewhere, there.among), (0, 1, 0));
        assert_eq!((there.suggested, there.suggested_right), (1, 0));
        assert_eq!(row(6, "nothing").elsewhere, 1);
        assert_eq!(row(6, "nothing").suggested, 0);
    }

    #[test]
    fn slips_that_make_the_same_text_have_places_of_their_own() {
        // One of three clauses was left out, which two of them leave alike: messages have lines of
        // the text that is left.
        let text = "(a)\n(b)\n";
        let slip = |at: usize| Slip {
            kind: SlipKind::Dropped,
            original: at..at + 4,
            place: at..at,
            clause: at..at,
            was: "(b)\n".to_owned(),
            is: String::new(),
            text: text.to_owned(),
        };
        let mut row = Row::default();
        let fate = Fate::Refused(vec![Diagnostic::error("e", Span::at(4), "m")]);
        for at in [4, 8] {
            fate.count(&slip(at), &mut row);
        }
        assert_eq!((row.placed, row.on_line, row.elsewhere), (1, 1, 1), "{row:?}");
    }

    #[test]
    fn slips_of_a_game_are_noticed_or_not() {
        let catalogue = games::Catalogue::embedded().expect("it is sound");
        let game = catalogue.get("tic-tac-toe-3x3").expect("it is there");
        let entry = Entry::of_catalogue(game);
        for rules in described(&entry) {
            let engine = soonest_engine(rules.language).expect("there is one");
            let original = Original::new(engine, rules, budget(&entry, 1)).expect("it is played");
            let mut row = Row::default();
            let slips = Slips::new(rules.source.text(), rules.language);
            for number in 0..24 {
                let slip = slips.slip(1, number).expect("there are slips");
                let fate = Fate::of(&original, rules, &slip.text);
                assert!(!matches!(fate, Fate::Panic(_)), "{slip:?}");
                fate.count(&slip, &mut row);
            }
            let Row { placed, elsewhere, late, unnoticed, .. } = row;
            assert_eq!(placed + elsewhere + late + row.differs() + unnoticed + row.limits, 24);
            assert!(placed > 0, "{row:?}");
        }
    }
}
