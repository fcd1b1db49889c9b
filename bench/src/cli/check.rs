//! `check`: diagnostics only.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use play::Rules;
use serde::Serialize;
use text::{Diagnostic, Source, Span};

use super::Outcome;
use super::json::{self, Json};
use super::select::there;
use crate::entry::read_rules;
use crate::output;

#[derive(Args, Clone, Debug)]
pub(super) struct CheckArgs {
    /// Rule files: .lud, .kif (or .gdl), .rbg
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// An option of the rules, such as "Board Size/8x8"; may be given several times
    #[arg(long = "option", value_name = "OPTION")]
    options: Vec<String>,
    /// Most messages shown for a file
    #[arg(long, default_value_t = 20)]
    most: usize,
    #[command(flatten)]
    json: Json,
}

/// A file, after its diagnostics.
#[derive(Serialize)]
struct FileRecord<'a> {
    file: &'a str,
    language: Option<&'static str>,
    errors: usize,
    warnings: usize,
    /// Why it was not checked.
    reason: Option<&'a str>,
}

#[derive(Serialize)]
struct DiagnosticRecord<'a> {
    file: &'a str,
    severity: &'static str,
    code: &'a str,
    message: &'a str,
    label: &'a str,
    #[serde(flatten)]
    place: Place,
    notes: Vec<NoteRecord<'a>>,
    help: &'a [String],
}

#[derive(Serialize)]
struct NoteRecord<'a> {
    text: &'a str,
    #[serde(flatten)]
    place: Place,
}

/// Lines and columns, in characters, from 1; the end is behind the last character.
#[derive(Serialize)]
struct Place {
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
}

impl Place {
    fn of(source: &Source, span: Span) -> Place {
        let range = span.range();
        let start = source.position(range.start as u32);
        let end = source.position(range.end as u32);
        Place { line: start.line, column: start.column, end_line: end.line, end_column: end.column }
    }
}

impl<'a> DiagnosticRecord<'a> {
    fn new(source: &'a Source, diagnostic: &'a Diagnostic) -> DiagnosticRecord<'a> {
        let notes = diagnostic.notes.iter();
        DiagnosticRecord {
            file: source.name(),
            severity: if diagnostic.is_error() { "error" } else { "warning" },
            code: diagnostic.code,
            message: &diagnostic.message,
            label: &diagnostic.label,
            place: Place::of(source, diagnostic.span),
            notes: notes
                .map(|note| NoteRecord { text: &note.text, place: Place::of(source, note.span) })
                .collect(),
            help: &diagnostic.help,
        }
    }
}

pub(super) fn check(args: &CheckArgs) -> Result<Outcome> {
    let colour = output::has_colour();
    args.files.iter().try_for_each(|file| there(file))?;
    let mut failed = false;
    for file in &args.files {
        if args.json.json {
            failed |= !check_as_records(file, &args.options)?;
            continue;
        }
        match read_rules(file, &args.options) {
            Ok(rules) => failed |= !check_one(&rules, colour, args.most)?,
            Err(error) => {
                outln!("error: {}\n", output::chain(&error))?;
                failed = true;
            }
        }
    }
    Ok(if failed { Outcome::Failed } else { Outcome::Fine })
}

/// Prints all diagnostics of a file as records; false if there are errors.
fn check_as_records(path: &std::path::Path, options: &[String]) -> Result<bool> {
    let rules = match read_rules(path, options) {
        Ok(rules) => rules,
        Err(error) => {
            let (file, reason) = (path.to_string_lossy(), output::chain(&error));
            let unread = FileRecord {
                file: &file,
                language: None,
                errors: 1,
                warnings: 0,
                reason: Some(&reason),
            };
            json::record("file", unread)?;
            return Ok(false);
        }
    };
    let checked = roster::check(&rules);
    let reason = checked.is_none().then_some("there is no front end for its language yet");
    let mut diagnostics = checked.unwrap_or_default();
    diagnostics.sort_by_key(|d| (d.span, std::cmp::Reverse(d.severity)));
    for diagnostic in &diagnostics {
        json::record("diagnostic", DiagnosticRecord::new(&rules.source, diagnostic))?;
    }
    let errors = diagnostics.iter().filter(|d| d.is_error()).count();
    let (file, language) = (rules.source.name(), Some(rules.language.name()));
    let warnings = diagnostics.len() - errors;
    json::record("file", FileRecord { file, language, errors, warnings, reason })?;
    Ok(errors == 0 && reason.is_none())
}

/// Prints what there is to say; false if there are errors.
fn check_one(rules: &Rules, colour: bool, most: usize) -> Result<bool> {
    let name = rules.source.name();
    let Some(mut diagnostics) = roster::check(rules) else {
        outln!("{name}: there is no front end for .{} yet\n", rules.language)?;
        return Ok(false);
    };
    diagnostics.sort_by_key(|d| (d.span, std::cmp::Reverse(d.severity)));
    for diagnostic in diagnostics.iter().take(most) {
        output::raw(&format!("{}\n\n", output::diagnostic(diagnostic, &rules.source, colour)))?;
    }
    if diagnostics.len() > most {
        outln!("... and {} more (--most shows them)\n", diagnostics.len() - most)?;
    }
    let errors = diagnostics.iter().filter(|d| d.is_error()).count();
    let warnings = diagnostics.len() - errors;
    let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    outln!("{name}: {}, {}", count(errors, "error"), count(warnings, "warning"))?;
    Ok(errors == 0)
}
