//! `check`: what is wrong with rule files, and which engines refuse what is not wrong.
//!
//! What the front end lets pass is loaded as `bench` loads it: by every engine of our own that
//! reads the language, each in a worker with the limits that a run has by default.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use play::Rules;
use reports::Verdict;
use serde::Serialize;
use text::{Diagnostic, Source, Span};

use super::Outcome;
use super::json::{self, Json};
use super::select::there;
use crate::client::Bounds;
use crate::engine_set::{self, EngineSet};
use crate::entry::read_rules;
use crate::output;

#[derive(Args, Clone, Debug)]
pub(super) struct CheckArgs {
    /// Rule files: .lud, .kif (or .gdl), .rbg, .rg (or .hrg)
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
    /// The reason why it was not checked.
    reason: Option<&'a str>,
}

/// An engine that does not play a file in which nothing is wrong.
#[derive(Serialize)]
struct Refusal<'a> {
    file: &'a str,
    engine: String,
    status: Verdict,
    reason: String,
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
    let Some(findings) = Findings::of(&rules)? else {
        let reason = Some("there is no front end for its language yet");
        let (file, language) = (rules.source.name(), Some(rules.language.name()));
        json::record("file", FileRecord { file, language, errors: 0, warnings: 0, reason })?;
        return Ok(false);
    };
    for diagnostic in &findings.diagnostics {
        json::record("diagnostic", DiagnosticRecord::new(&rules.source, diagnostic))?;
    }
    for refusal in &findings.refusals {
        json::record("refusal", refusal)?;
    }
    let (file, language) = (rules.source.name(), Some(rules.language.name()));
    let Findings { errors, warnings, .. } = findings;
    json::record("file", FileRecord { file, language, errors, warnings, reason: None })?;
    Ok(errors == 0)
}

/// The findings about a file.
struct Findings<'a> {
    /// In the order of the text.
    diagnostics: Vec<Diagnostic>,
    refusals: Vec<Refusal<'a>>,
    /// Number of errors, one more if no engine plays the file. If some engine does, each other one
    /// is a warning instead.
    errors: usize,
    warnings: usize,
}

impl<'a> Findings<'a> {
    /// Checks a file; `None` if there is no front end for its language.
    fn of(rules: &'a Rules) -> Result<Option<Findings<'a>>> {
        let Some(mut diagnostics) = roster::check(rules) else { return Ok(None) };
        diagnostics.sort_by_key(|d| (d.span, std::cmp::Reverse(d.severity)));
        let mut errors = diagnostics.iter().filter(|d| d.is_error()).count();
        let mut warnings = diagnostics.len() - errors;
        let mut refusals = Vec::new();
        if errors == 0 {
            let engine_set = EngineSet::own(&[])?;
            let reads = |languages: &[String]| languages.iter().any(|l| l == rules.language.name());
            let engines = engine_set.programs().iter().filter(|p| reads(&p.languages));
            let mut played = false;
            for program in engines {
                match engine_set::load(program, rules, &Bounds::default()) {
                    Ok(_) => played = true,
                    Err(failure) => refusals.push(Refusal {
                        file: rules.source.name(),
                        engine: program.engine.clone(),
                        status: failure.verdict,
                        reason: failure.reason,
                    }),
                }
            }
            *(if played { &mut warnings } else { &mut errors }) += refusals.len();
        }
        Ok(Some(Findings { diagnostics, refusals, errors, warnings }))
    }
}

/// Prints what there is to say; false if there are errors.
fn check_one(rules: &Rules, colour: bool, most: usize) -> Result<bool> {
    let name = rules.source.name();
    let Some(Findings { diagnostics, refusals, errors, warnings }) = Findings::of(rules)? else {
        outln!("{name}: there is no front end for .{} yet\n", rules.language)?;
        return Ok(false);
    };
    for diagnostic in diagnostics.iter().take(most) {
        output::raw(&format!("{}\n\n", output::diagnostic(diagnostic, &rules.source, colour)))?;
    }
    if diagnostics.len() > most {
        outln!("... and {} more (--most shows them)\n", diagnostics.len() - most)?;
    }
    for Refusal { engine, status, reason, .. } in &refusals {
        outln!("{name}: {engine} does not play it: {status}: {reason}\n")?;
    }
    let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    outln!("{name}: {}, {}", count(errors, "error"), count(warnings, "warning"))?;
    Ok(errors == 0)
}
