//! `mutate`: children of a rule file, by random edits and crossovers.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use edits::{Child, Donors, Edit, comment_mark};
use play::{Language, Rules};
use reports::text::{clipped, printable};
use serde::Serialize;

use super::Outcome;
use super::json::{self, Json};
use super::select::{Usage, there};
use crate::entry::read_rules;
use crate::languages::engine_for;
use crate::output;
use crate::viability;

#[derive(Args, Clone, Debug)]
pub(super) struct MutateArgs {
    /// A rule file: .lud, .kif (or .gdl), .rbg, .rg (or .hrg)
    file: PathBuf,
    /// Rule files in the same language whose parts its children may get
    #[arg(long = "with", value_name = "FILES", num_args = 1..)]
    with: Vec<PathBuf>,
    /// Number of children
    #[arg(long, short = 'n', default_value_t = 10, value_name = "NUMBER",
          value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    children: u32,
    /// Edits between the file and each child
    #[arg(long, default_value_t = 1, value_name = "NUMBER",
          value_parser = clap::value_parser!(u32).range(1..=1000))]
    edits: u32,
    /// Seed of everything drawn: the same seed gives the same children
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of the first child
    #[arg(long, default_value_t = 0, value_name = "NUMBER",
          value_parser = clap::value_parser!(u64).range(..=1 << 60))]
    first: u64,
    /// Leave out children that are no games: random playouts must end by the rules, with different
    /// payoffs, after 10 to 500 plies on average
    #[arg(long)]
    viable: bool,
    /// Folder for the children, a file each [default: standard output]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    json: Json,
}

/// With `--viable`, so many children are tried for each one that is wanted.
const TRIES: u64 = 1000;

#[derive(Serialize)]
struct ChildRecord<'a> {
    file: &'a str,
    seed: u64,
    number: u64,
    edits: Vec<EditRecord<'a>>,
    /// The file that it was written to.
    written: Option<String>,
    text: &'a str,
}

#[derive(Serialize)]
struct EditRecord<'a> {
    kind: &'a str,
    was: &'a str,
    is: &'a str,
}

pub(super) fn mutate(args: &MutateArgs) -> Result<Outcome> {
    args.with.iter().chain([&args.file]).try_for_each(|file| there(file))?;
    let parent = read_rules(&args.file, &[])?;
    let donors = donors(args, parent.language)?;
    let engine = engine_for(parent.language).map_err(Usage)?;
    if let Some(folder) = &args.out {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let wanted = u64::from(args.children);
    let most = if args.viable { wanted.saturating_mul(TRIES) } else { wanted };
    let (mut made, mut panics) = (0, 0);
    for number in args.first..args.first.saturating_add(most) {
        let Some(child) = donors.child(parent.source.text(), args.edits, args.seed, number) else {
            continue;
        };
        let seen =
            args.viable.then(|| viability::of_text(&*engine, &parent, &child.text, args.seed));
        match seen.transpose() {
            Ok(Some(seen)) if !seen.is_viable() => continue,
            Ok(_) => show(args, &parent, number, &child)?,
            Err(panic) => {
                errln!("child {number} of seed {}: {panic}", args.seed);
                panics += 1;
                continue;
            }
        }
        made += 1;
        if made == wanted {
            break;
        }
    }
    if made < wanted {
        let found = if args.viable { "viable children were found" } else { "children were made" };
        errln!("{}: {made} of {wanted} {found} in {most} tries", parent.source.name());
    }
    Ok(if made < wanted || panics > 0 { Outcome::Failed } else { Outcome::Fine })
}

/// The files that parts are taken from.
fn donors(args: &MutateArgs, language: Language) -> Result<Donors> {
    let rules: Vec<Rules> =
        args.with.iter().map(|file| read_rules(file, &[])).collect::<Result<_>>()?;
    if let Some(other) = rules.iter().find(|rules| rules.language != language) {
        let name = other.source.name();
        return Err(Usage(format!(
            "{name} is a .{} file: --with takes files in the language of {}, .{language}",
            other.language,
            args.file.display(),
        ))
        .into());
    }
    Ok(Donors::new(language, rules.iter().map(|rules| rules.source.text())))
}

/// Prints or writes a child, with a comment that says how to make it again.
fn show(args: &MutateArgs, parent: &Rules, number: u64, child: &Child) -> Result<()> {
    let head = head(args, number, child);
    let text = format!("{} {head}\n{}", comment_mark(parent.language), child.text);
    let written = match &args.out {
        Some(folder) => {
            let path = folder.join(file_name(&args.file, args.seed, number));
            reports::replace(&path, |out| out.write_all(text.as_bytes()))
                .with_context(|| format!("cannot write {}", path.display()))?;
            Some(path.display().to_string())
        }
        None => None,
    };
    if args.json.json {
        let edits = child.edits.iter().map(|Edit { kind, was, is }| EditRecord { kind, was, is });
        let (file, seed, edits) = (parent.source.name(), args.seed, edits.collect());
        let record = ChildRecord { file, seed, number, edits, written, text: &child.text };
        json::record("child", record)?;
    } else if let Some(path) = written {
        outln!("{path}: {head}")?;
    } else {
        output::raw(&format!("{}\n\n", text.trim_end()))?;
    }
    Ok(())
}

/// The name of a child's file.
fn file_name(parent: &Path, seed: u64, number: u64) -> String {
    let part = |part: Option<&std::ffi::OsStr>| {
        part.map_or_else(String::new, |part| part.to_string_lossy().into_owned())
    };
    format!("{}-{seed}-{number}.{}", part(parent.file_stem()), part(parent.extension()))
}

/// What a child is made of, on one line.
fn head(args: &MutateArgs, number: u64, child: &Child) -> String {
    let one_line = |text: &str| {
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        clipped(&printable(&words), 40)
    };
    let edit = |edit: &Edit| match (&*edit.was, &*edit.is) {
        (was, "") => format!("{} `{}`", edit.kind, one_line(was)),
        ("", is) => format!("{} `{}`", edit.kind, one_line(is)),
        (was, is) => format!("{} `{}` by `{}`", edit.kind, one_line(was), one_line(is)),
    };
    let edits: Vec<String> = child.edits.iter().map(edit).collect();
    format!("Child {number} of seed {}: {}", args.seed, edits.join("; "))
}
