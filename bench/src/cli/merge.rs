//! `merge`: the parts of a run that was shared among tasks, as one run.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use reports::text::printable;
use reports::{Phase, Run, Sample, SampleWriter};

use super::select::there;
use super::{Outcome, rows};
use crate::boards;
use crate::run_config::RunConfig;

#[derive(Args, Clone, Debug)]
pub(super) struct MergeArgs {
    /// Folders of the parts
    #[arg(required = true, value_name = "PARTS")]
    parts: Vec<PathBuf>,
    /// Folder for the whole
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Engine that speed-ups are over; if none is named, the slowest of those with the most games
    #[arg(long, value_name = "ENGINE")]
    baseline: Option<String>,
}

struct Part {
    folder: PathBuf,
    config: RunConfig,
    run: Run,
}

pub(super) fn merge(args: &MergeArgs) -> Result<Outcome> {
    let parts: Vec<Part> = args.parts.iter().map(|folder| load(folder)).collect::<Result<_>>()?;
    let first = &parts[0];
    for part in &parts[1..] {
        belongs(first, part)?;
    }
    let mut rows: Vec<&Sample> = parts.iter().flat_map(|part| &part.run.samples).collect();
    check(&parts.iter().map(|part| (&*part.folder, &part.run)).collect::<Vec<_>>())?;
    // Games in the order of the suite; what a part measured stays in its order.
    let place: BTreeMap<&str, usize> =
        first.config.games.iter().enumerate().map(|(n, id)| (id.as_str(), n)).collect();
    rows.sort_by_key(|row| place.get(row.game.as_str()).copied().unwrap_or(usize::MAX));

    std::fs::create_dir_all(&args.out)
        .with_context(|| format!("cannot create {}", args.out.display()))?;
    let path = args.out.join(reports::rows::FILE_NAME);
    let mut writer = SampleWriter::create(&path)?;
    for row in &rows {
        writer.write(row)?;
    }
    // The whole vouches for no more than its parts.
    if parts.iter().any(|part| !part.run.has_checksums) {
        let checksums = reports::rows::checksums_of(&path);
        std::fs::remove_file(&checksums)
            .with_context(|| format!("cannot remove {}", checksums.display()))?;
    }
    let machine = args.out.join(reports::run::MACHINE_FILE);
    std::fs::write(&machine, machines(&parts))
        .with_context(|| format!("cannot write {}", machine.display()))?;
    let boards: Vec<_> = parts.iter().map(|part| &part.run.boards).collect();
    boards::merge(&args.out, &boards);
    // The report tells by it how to measure again.
    let arguments = without_place(&first.config.arguments).into_iter().map(str::to_owned).collect();
    RunConfig { arguments, ..first.config.clone() }.write(&args.out)?;
    let options =
        reports::Options { baseline: args.baseline.clone(), ..reports::Options::default() };
    let written = reports::write_all(&args.out, &options)?;
    rows::tell(&args.out, &written.run);
    let games: BTreeSet<&str> = rows.iter().map(|row| row.game.as_str()).collect();
    let missing: Vec<&str> =
        first.config.games.iter().map(String::as_str).filter(|id| !games.contains(id)).collect();
    outln!(
        "{} parts, {} games, {} rows in {}",
        parts.len(),
        games.len(),
        rows.len(),
        args.out.display()
    )?;
    if missing.is_empty() {
        return Ok(Outcome::Fine);
    }
    errln!("error: no part has {}", missing.join(", "));
    Ok(Outcome::Failed)
}

fn load(folder: &Path) -> Result<Part> {
    there(folder)?;
    let config = RunConfig::read(folder)?;
    let run = Run::load(folder)?;
    rows::refuse_faults(folder, &run)?;
    Ok(Part { folder: folder.to_owned(), config, run })
}

/// Refuses a part of another run.
fn belongs(first: &Part, part: &Part) -> Result<()> {
    let (a, b) = (first.folder.display(), part.folder.display());
    if first.config.revision != part.config.revision {
        bail!(
            "{a} and {b} were measured by different builds: {} and {}",
            first.config.revision,
            part.config.revision
        );
    }
    if first.config.games != part.config.games {
        bail!("{a} and {b} are not parts of the same run: their lists of games differ");
    }
    let settings = [first, part].map(|part| without_place(&part.config.arguments));
    if settings[0] != settings[1] {
        bail!(
            "{a} and {b} were not measured in the same way: `{}` and `{}`",
            settings[0].join(" "),
            settings[1].join(" ")
        );
    }
    Ok(())
}

/// A command line but for what differs from part to part.
fn without_place(arguments: &[String]) -> Vec<&str> {
    let mut kept = Vec::new();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        if word == "--out" || word == "--shard" {
            words.next();
        } else if !word.starts_with("--out=") && !word.starts_with("--shard=") {
            kept.push(word.as_str());
        }
    }
    kept
}

/// Refuses samples that there are twice, games that were measured on several machines (a ratio
/// between figures of different machines says nothing about the engines), and engines that played
/// other rules, or were another program, in another part.
fn check(parts: &[(&Path, &Run)]) -> Result<()> {
    let mut hosts: BTreeMap<&str, (&str, &Path)> = BTreeMap::new();
    let mut seen: BTreeMap<_, usize> = BTreeMap::new();
    let mut hashes: BTreeMap<_, (&str, usize)> = BTreeMap::new();
    for (number, (folder, run)) in parts.iter().enumerate() {
        for row in &run.samples {
            let (host, at) = *hosts.entry(&row.game).or_insert((&row.host, folder));
            if host != row.host {
                bail!(
                    "{} was measured on {} ({}) and on {} ({}); a ratio may not mix machines: \
                     leave one of them out",
                    printable(&row.game),
                    printable(host),
                    at.display(),
                    printable(&row.host),
                    folder.display()
                );
            }
            let pair = (&row.game, &row.engine);
            let hashed = [("other rules", &row.rules), ("another build", &row.build)];
            for (what, hash) in hashed.into_iter().filter(|(_, hash)| !hash.is_empty()) {
                let (first, at) = *hashes.entry((what, pair)).or_insert((hash, number));
                // Inside a part the rows are as they were measured.
                if first != hash && at != number {
                    bail!(
                        "{} on {} is of {what} in {} ({}) than in {} ({}): leave one of them out",
                        printable(&row.game),
                        printable(&row.engine),
                        folder.display(),
                        printable(hash),
                        parts[at].0.display(),
                        printable(first)
                    );
                }
            }
            if row.phase == Phase::Warmup {
                continue;
            }
            let column = (row.via, row.control, row.threads, row.job);
            let when = (row.phase, row.process, row.round, row.first);
            // The reader has refused what would count twice inside a part.
            if let Some(other) = seen.insert((pair, column, when), number)
                && other != number
            {
                bail!(
                    "round {} of {} on {} is in {} and in {}",
                    row.round,
                    printable(&row.game),
                    printable(&row.engine),
                    parts[other].0.display(),
                    folder.display()
                );
            }
        }
    }
    Ok(())
}

/// The descriptions of all machines, each once.
fn machines(parts: &[Part]) -> String {
    let mut out = String::new();
    let mut described = BTreeSet::new();
    for part in parts {
        if !described.insert(&part.config.host) {
            continue;
        }
        if !out.is_empty() {
            out.push('\n');
        }
        let _ = write!(out, "{}", part.run.machine.as_deref().unwrap_or_default());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A part with one sample; `edit` changes it.
    fn part(edit: impl Fn(&mut Sample)) -> Run {
        let mut row = Sample::failure("hex-9x9", "ludeme", reports::Verdict::Ok, "");
        row.phase = Phase::Sample;
        (row.playouts, row.plies, row.wall_ns, row.cpu_ns) = (10, 90, 100, 100);
        (row.rules, row.build) = ("aa".to_owned(), "bb".to_owned());
        edit(&mut row);
        Run::from_samples(vec![row])
    }

    /// The refusal of a first part and one that differs from it as `edit` makes it.
    fn refusal(edit: impl Fn(&mut Sample)) -> Option<String> {
        let (one, other) = (part(|_| ()), part(edit));
        let parts = [(Path::new("part-1"), &one), (Path::new("part-2"), &other)];
        check(&parts).err().map(|error| error.to_string())
    }

    #[test]
    fn parts_that_do_not_go_together_are_refused() {
        assert_eq!(
            refusal(|_| ()).unwrap(),
            "round 0 of hex-9x9 on ludeme is in part-1 and in part-2"
        );
        assert_eq!(refusal(|row| row.process = 1), None);
        assert_eq!(refusal(|row| row.control = true), None);
        let rules = refusal(|row| (row.process, row.rules) = (1, "ab".to_owned())).unwrap();
        assert_eq!(
            rules,
            "hex-9x9 on ludeme is of other rules in part-2 (ab) than in part-1 (aa): leave one of \
             them out"
        );
        let build = refusal(|row| (row.process, row.build) = (1, "bc".to_owned())).unwrap();
        assert!(build.contains("of another build in part-2 (bc) than"), "{build}");
        // An old part tells no hashes.
        assert_eq!(refusal(|row| (row.process, row.rules) = (1, String::new())), None);
    }
}
