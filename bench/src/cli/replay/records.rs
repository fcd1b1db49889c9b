//! `replay` of games that other programs and people recorded, on every engine of each game.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use comfy_table::Table;
use comfy_table::presets::NOTHING;
use play::{Engine, EngineId, Game, Rules};
use rayon::prelude::*;
use serde::Serialize;
use text::{Diagnostic, Source, Span};

use super::super::Outcome;
use super::super::json;
use super::super::keeper::{Kept, keep};
use super::super::select::{DEFAULT_CAP, Usage, entry_of, own_engine, sizes};
use super::ReplayArgs;
use crate::entry::{Entry as GameEntry, read_bounded, text_of};
use crate::game_record::{
    self, Conventions, Course, Finding, Format, GameRecord, Named, SetUp, follow, follow_trace,
};
use crate::output;

/// Most differences that are shown.
const MOST_SHOWN: usize = 100;

/// Most files and folders below a folder that are looked at.
const MOST_FILES: usize = 1_000_000;

/// Most characters of a position that a message has.
const MOST_OF_POSITION: usize = 200;

/// The kinds of findings, from good to bad.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    Ended,
    Stopped,
    EndedEarlier,
    NotFollowed,
    Unreadable,
    Wrong,
}

impl Kind {
    const ALL: [Kind; 6] = [
        Kind::Ended,
        Kind::Stopped,
        Kind::EndedEarlier,
        Kind::NotFollowed,
        Kind::Unreadable,
        Kind::Wrong,
    ];

    fn of(finding: &Finding) -> Kind {
        match finding {
            Finding::Ended { .. } => Kind::Ended,
            Finding::Stopped { .. } => Kind::Stopped,
            Finding::EndedEarlier { .. } => Kind::EndedEarlier,
            Finding::NotFollowed(_) => Kind::NotFollowed,
            Finding::Wrong { .. } => Kind::Wrong,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Ended => "ended",
            Kind::Stopped => "stopped",
            Kind::EndedEarlier => "ended earlier",
            Kind::NotFollowed => "not followed",
            Kind::Unreadable => "unreadable",
            Kind::Wrong => "WRONG",
        })
    }
}

/// The finding of an engine about a game of a file.
#[derive(Serialize)]
pub(super) struct Replayed<'a> {
    pub(super) file: &'a str,
    pub(super) line: u64,
    pub(super) column: u64,
    pub(super) game: &'a str,
    /// Nothing where the game was not followed on any.
    pub(super) engine: Option<&'a str>,
    pub(super) finding: String,
    pub(super) plies: Option<u64>,
    pub(super) reason: Option<String>,
}

/// The sums over all files.
#[derive(Serialize, Default)]
struct Sums {
    files: usize,
    games: usize,
    ended: usize,
    stopped: usize,
    ended_earlier: usize,
    not_followed: usize,
    unreadable: usize,
    wrong: usize,
}

impl Sums {
    fn add(&mut self, kind: Kind) {
        self.games += 1;
        *match kind {
            Kind::Ended => &mut self.ended,
            Kind::Stopped => &mut self.stopped,
            Kind::EndedEarlier => &mut self.ended_earlier,
            Kind::NotFollowed => &mut self.not_followed,
            Kind::Unreadable => &mut self.unreadable,
            Kind::Wrong => &mut self.wrong,
        } += 1;
    }
}

/// The files of recorded games at a path: itself, or those below a folder in the order of their
/// names. Links are not followed.
pub(super) fn files_at(path: &Path) -> Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let (mut open, mut files, mut seen) = (vec![path.to_owned()], Vec::new(), 0);
    while let Some(folder) = open.pop() {
        let entries = std::fs::read_dir(&folder);
        for entry in entries.with_context(|| format!("cannot read {}", folder.display()))? {
            let entry = entry.with_context(|| format!("cannot read {}", folder.display()))?;
            seen += 1;
            if seen > MOST_FILES {
                let most = format!("{} holds more than {MOST_FILES} files", path.display());
                return Err(Usage(most).into());
            }
            let kind = entry.file_type();
            let is = |is: fn(&std::fs::FileType) -> bool| kind.as_ref().is_ok_and(is);
            if is(std::fs::FileType::is_dir) {
                open.push(entry.path());
            } else if is(std::fs::FileType::is_file) && Format::of(&entry.path()).is_some() {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
}

/// What an engine follows records by.
enum By {
    Game(Box<dyn Game>),
    Rules(Box<dyn Engine>, Box<Rules>),
}

/// A game on all engines that follow its records.
struct Judges {
    id: String,
    cap: u32,
    engines: Vec<(EngineId, Result<By, String>)>,
}

/// What tells games apart: the folder of the record if that has the rules, the name, the options,
/// and if it is followed as a trace.
type Key = (PathBuf, Named, Vec<String>, bool);

/// The games that records are of, each loaded once; of one that cannot be, the reason.
type Known = BTreeMap<Key, Result<Judges, String>>;

/// Replays the games of files on all engines, or on the one that is named.
pub(super) fn replay_records(args: &ReplayArgs, files: &[PathBuf]) -> Result<Outcome> {
    if args.show || args.step {
        let message = "--show and --step draw trials; of other records `replay` draws nothing";
        return Err(Usage(message.to_owned()).into());
    }
    if let Some(engine) = &args.engine {
        own_engine(engine)?;
    }
    let mut report = Report { args, shown: 0, sums: Sums::default(), table: BTreeMap::new() };
    let mut known = Known::default();
    for file in files {
        report.sums.files += 1;
        report.file(file, &mut known)?;
    }
    report.end()
}

struct Report<'a> {
    args: &'a ReplayArgs,
    /// Differences that were shown.
    shown: usize,
    sums: Sums,
    /// The numbers of findings of each kind by engine.
    table: BTreeMap<EngineId, BTreeMap<String, usize>>,
}

impl Report<'_> {
    fn file(&mut self, path: &Path, known: &mut Known) -> Result<()> {
        let Some(format) = Format::of(path) else { return Ok(()) };
        let name = path.display().to_string();
        let text = match read_bounded(path) {
            Ok(bytes) => text_of(&bytes),
            Err(error) => {
                let fault = Diagnostic::error("unreadable", Span::at(0), output::chain(&error));
                return self.unreadable(&Source::new(name, ""), &fault);
            }
        };
        let source = Source::new(name, text);
        let with = Conventions { white_first: self.args.white_first };
        let records = game_record::read(&source, format, with);
        if records.is_empty() {
            let none = Diagnostic::error("syntax", Span::at(0), "no game in this file");
            return self.unreadable(&source, &none);
        }
        let wanted = |number: u64| self.args.trial.is_none_or(|trial| trial == number);
        let records = (1..).zip(records).filter(|(number, _)| wanted(*number));
        let records: Vec<Result<GameRecord, Diagnostic>> = records.map(|(_, r)| r).collect();
        let folder = path.parent().unwrap_or(Path::new(""));
        for record in records.iter().flatten().filter(|record| record.set_up.is_none()) {
            let key = key(self.args, record, folder);
            if let Entry::Vacant(vacant) = known.entry(key) {
                let judges = judges(self.args, record, folder);
                if let Ok(judges) = &judges {
                    refused(judges);
                }
                vacant.insert(judges);
            }
        }
        let (args, known) = (self.args, &*known);
        let follow = |record: &GameRecord| match known.get(&key(args, record, folder)) {
            Some(judges) if record.set_up.is_none() => followed(judges, &source, record),
            // A position of its own is a game of its own, which no other record is of.
            _ => followed(&judges(args, record, folder), &source, record),
        };
        let found: Vec<_> = records.par_iter().map(|record| record.as_ref().map(follow)).collect();
        for (record, found) in records.iter().zip(found) {
            match (record, found) {
                (Ok(record), Ok(Ok((id, findings)))) => {
                    self.game(&source, record, &id, &findings)?;
                }
                (Ok(record), Ok(Err(why))) => self.unknown(&source, record, &why)?,
                (Err(fault), _) | (_, Err(fault)) => self.unreadable(&source, fault)?,
            }
        }
        Ok(())
    }

    /// The findings of all engines about a game.
    fn game(
        &mut self,
        source: &Source,
        record: &GameRecord,
        id: &str,
        findings: &[(EngineId, Finding)],
    ) -> Result<()> {
        let worst = findings.iter().map(|(_, finding)| Kind::of(finding)).max();
        self.sums.add(worst.unwrap_or(Kind::NotFollowed));
        for (engine, finding) in findings {
            let kind = Kind::of(finding).to_string();
            *self.table.entry(engine).or_default().entry(kind).or_default() += 1;
        }
        if self.args.json.json {
            for (engine, finding) in findings {
                print_record(source, record.span, id, Some(engine), finding)?;
            }
            return Ok(());
        }
        let mut said: Vec<(&Finding, Vec<EngineId>)> = Vec::new();
        for (engine, finding) in findings {
            match said.iter_mut().find(|(known, _)| *known == finding) {
                Some((_, engines)) => engines.push(engine),
                None => said.push((finding, vec![engine])),
            }
        }
        for (finding, engines) in said {
            let engines = engines.join(", ");
            match finding {
                Finding::Wrong { diagnostic, .. } | Finding::EndedEarlier { diagnostic, .. } => {
                    self.show(source, diagnostic, &format!("on {engines}"))?;
                }
                Finding::NotFollowed(why) => {
                    let place = source.position(record.span.start);
                    outln!("{}:{place}: not followed on {engines}: {why}", source.name())?;
                }
                Finding::Ended { .. } | Finding::Stopped { .. } => {}
            }
        }
        Ok(())
    }

    /// A game that is not there to be followed.
    fn unknown(&mut self, source: &Source, record: &GameRecord, why: &str) -> Result<()> {
        self.sums.add(Kind::NotFollowed);
        if self.args.json.json {
            let finding = Finding::NotFollowed(why.to_owned());
            return print_record(source, record.span, "", None, &finding);
        }
        let place = source.position(record.span.start);
        Ok(outln!("{}:{place}: not followed: {why}", source.name())?)
    }

    fn unreadable(&mut self, source: &Source, fault: &Diagnostic) -> Result<()> {
        self.sums.add(Kind::Unreadable);
        if self.args.json.json {
            let place = source.position(fault.span.start);
            return Ok(json::record(
                "replayed",
                Replayed {
                    file: source.name(),
                    line: place.line.into(),
                    column: place.column.into(),
                    game: "",
                    engine: None,
                    finding: Kind::Unreadable.to_string(),
                    plies: None,
                    reason: Some(fault.message.clone()),
                },
            )?);
        }
        self.show(source, fault, "")
    }

    fn show(&mut self, source: &Source, diagnostic: &Diagnostic, engines: &str) -> Result<()> {
        self.shown += 1;
        if self.shown > MOST_SHOWN {
            return Ok(());
        }
        let text = output::diagnostic(diagnostic, source, output::has_colour());
        output::raw(&format!("{text}\n"))?;
        Ok(outln!("{engines}\n")?)
    }

    fn end(self) -> Result<Outcome> {
        let Report { args, shown, sums, table, .. } = self;
        let followed = sums.ended + sums.stopped + sums.ended_earlier;
        let fine = sums.wrong == 0 && sums.unreadable == 0 && followed > 0;
        let outcome = if fine { Outcome::Fine } else { Outcome::Failed };
        if args.json.json {
            json::record("replays", sums)?;
            return Ok(outcome);
        }
        if shown > MOST_SHOWN {
            outln!("... and {} more; --json has all\n", shown - MOST_SHOWN)?;
        }
        let mut lines = Table::new();
        let kinds = Kind::ALL.iter().filter(|kind| **kind != Kind::Unreadable);
        let kinds: Vec<String> = kinds.map(Kind::to_string).collect();
        let header = ["engine".to_owned(), "games".to_owned()];
        lines.load_style(NOTHING).set_header(header.into_iter().chain(kinds.clone()));
        for engine in roster::engines().iter().map(|engine| engine.id()) {
            let Some(of) = table.get(engine) else { continue };
            let counts = kinds.iter().map(|kind| of.get(kind).copied().unwrap_or_default());
            let counts: Vec<usize> = counts.collect();
            let all = [engine.to_owned(), counts.iter().sum::<usize>().to_string()];
            lines.add_row(all.into_iter().chain(counts.iter().map(usize::to_string)));
        }
        if !table.is_empty() {
            output::table(&mut lines)?;
        }
        outln!("{}", in_words(&sums))?;
        if followed + sums.wrong == 0 {
            errln!("error: no game was followed");
        }
        Ok(outcome)
    }
}

fn in_words(sums: &Sums) -> String {
    let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    format!(
        "{} in {}: {} followed to the end, {} stopped early, {} ended earlier, {} not followed, {} \
         unreadable, {} wrong",
        count(sums.games, "game"),
        count(sums.files, "file"),
        sums.ended,
        sums.stopped,
        sums.ended_earlier,
        sums.not_followed,
        sums.unreadable,
        sums.wrong
    )
}

/// Prints the record of a finding.
fn print_record(
    source: &Source,
    span: Span,
    game: &str,
    engine: Option<&str>,
    finding: &Finding,
) -> Result<()> {
    let (plies, reason, span) = match finding {
        Finding::Ended { plies, remark } => (Some(*plies), remark.clone(), span),
        Finding::Stopped { plies } => (Some(*plies), None, span),
        Finding::EndedEarlier { plies, diagnostic } | Finding::Wrong { plies, diagnostic } => {
            let all = std::iter::once(&diagnostic.message).chain(&diagnostic.help);
            let all: Vec<&str> = all.map(String::as_str).collect();
            (Some(*plies), Some(all.join("; ")), diagnostic.span)
        }
        Finding::NotFollowed(why) => (None, Some(why.clone()), span),
    };
    let place = source.position(span.start);
    let finding = Kind::of(finding).to_string();
    let (line, column, file) = (place.line.into(), place.column.into(), source.name());
    let replayed = Replayed { file, line, column, game, engine, finding, plies, reason };
    Ok(json::record("replayed", replayed)?)
}

/// Says which engines do not play a game.
fn refused(judges: &Judges) {
    for (engine, loaded) in &judges.engines {
        if let Err(why) = loaded {
            errln!("note: {engine} does not play {}: {why}", judges.id);
        }
    }
}

/// What tells the games of records apart, so that each is loaded once.
fn key(args: &ReplayArgs, record: &GameRecord, folder: &Path) -> Key {
    let named = args.game.clone().map_or_else(|| record.game.clone(), Named::Id);
    let folder = if matches!(named, Named::File(_)) { folder } else { Path::new("") };
    let (options, traced) = match &record.course {
        Course::Moves(_) => (Vec::new(), false),
        Course::Trace { options, .. } => (options.clone(), true),
    };
    (folder.to_owned(), named, options, traced)
}

/// The game of a record, on each engine that follows it.
fn judges(args: &ReplayArgs, record: &GameRecord, folder: &Path) -> Result<Judges, String> {
    let options = match &record.course {
        Course::Moves(_) => &[][..],
        Course::Trace { options, .. } => options,
    };
    let entry = match &args.game {
        Some(game) => named(args, game, options),
        None => entry(args, &record.game, options, folder),
    }?;
    let entry = match &record.set_up {
        Some(set_up) => at(&entry, set_up)?,
        None => entry,
    };
    let wanted = |id: &str| args.engine.as_deref().is_none_or(|engine| engine == id);
    let mut engines = Vec::new();
    for engine in roster::engines().into_iter().filter(|engine| wanted(engine.id())) {
        let id = engine.id();
        let reads = |rules: &&Rules| engine.languages().contains(&rules.language);
        let by = match &record.course {
            Course::Trace { language, .. } => {
                let rules = entry.descriptions.iter().find(|rules| rules.language == *language);
                let Some(rules) = rules.filter(reads).cloned() else { continue };
                Ok(By::Rules(engine, Box::new(rules)))
            }
            Course::Moves(_) if !entry.descriptions.iter().any(|rules| reads(&rules)) => continue,
            Course::Moves(_) => match keep(&entry, Some(id)) {
                Ok(Kept { game, .. }) => Ok(By::Game(game)),
                Err(error) => Err(output::chain(&error)),
            },
        };
        engines.push((id, by));
    }
    if engines.iter().all(|(_, by)| by.is_err()) {
        return Err(format!("no engine follows records of {} in this format", entry.id));
    }
    Ok(Judges { id: entry.id, cap: entry.cap, engines })
}

fn named(args: &ReplayArgs, name: &str, options: &[String]) -> Result<GameEntry, String> {
    entry_of(name, &args.place, options, DEFAULT_CAP).map_err(|error| output::chain(&error))
}

/// The game that a record names.
fn entry(
    args: &ReplayArgs,
    game: &Named,
    options: &[String],
    folder: &Path,
) -> Result<GameEntry, String> {
    match game {
        Named::Id(id) => named(args, id, options),
        Named::Sized(family, side) => {
            let id = format!("{family}-{side}x{side}");
            named(args, &id, options).or_else(|why| {
                let catalogue = args.place.load().map_err(|error| output::chain(&error))?;
                let sized = sizes(&[(*family).to_owned()], (&[*side], &[]), None, &catalogue);
                sized.ok().and_then(|mut all| all.pop()).ok_or(why)
            })
        }
        Named::File(name) => {
            let plain = Path::new(name).components().count() == 1 && !name.contains(['/', '\\']);
            let path = folder.join(name);
            if plain && path.is_file() {
                return named(args, &path.display().to_string(), options);
            }
            let id = Path::new(name).file_stem().unwrap_or_default().to_string_lossy();
            named(args, &id, options).map_err(|_| {
                format!("its rules `{name}` do not lie beside it; `--game FILE` names them")
            })
        }
        Named::Unknown(what) => Err(format!("it is {what}; `--game ID` names a game")),
    }
}

/// The game from the position of a record on.
fn at(game: &GameEntry, set_up: &SetUp) -> Result<GameEntry, String> {
    let unsaid = || Err(format!("the manifest of {} has no notation for it", game.id));
    game.in_notation(&set_up.text).unwrap_or_else(unsaid).map_err(|why| {
        let shown: String = set_up.text.chars().take(MOST_OF_POSITION).collect();
        let why = why.lines().next().unwrap_or_default();
        format!("it begins from a position of its own, {shown}: {why}")
    })
}

/// The findings of all engines about a record, with the name of its game.
fn followed(
    judges: &Result<Judges, String>,
    source: &Source,
    record: &GameRecord,
) -> Result<(String, Vec<(EngineId, Finding)>), String> {
    let judges = judges.as_ref().map_err(String::clone)?;
    let all = judges.engines.iter().filter_map(|(id, by)| {
        let finding = match (by.as_ref().ok()?, &record.course) {
            (By::Game(game), Course::Moves(moves)) => {
                follow(&**game, judges.cap, source, record, moves)
            }
            (By::Rules(engine, rules), Course::Trace { text, steps, .. }) => {
                follow_trace(&**engine, rules, record, text, steps)
            }
            _ => return None,
        };
        Some((*id, finding))
    });
    Ok((judges.id.clone(), all.collect()))
}
