//! `plan`: a run shared among tasks, as a Slurm job array.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Args, Parser};

use super::select::{self, Usage};
use super::{Cli, Command, Outcome, run};
use crate::run_config;

#[derive(Args, Clone, Debug)]
pub(super) struct PlanArgs {
    /// Tasks to share the run among; a game is never divided
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    shards: u32,
    /// Folder for the job and the parts, seen by all machines
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Time limit of a task, as Slurm writes it
    #[arg(long, default_value = "12:00:00", value_name = "TIME")]
    time: String,
    /// Memory of a task, as Slurm writes it
    #[arg(long, default_value = "16G", value_name = "SIZE")]
    memory: String,
    /// What to run: the options of `ggpbench run`
    #[arg(last = true, value_name = "OPTIONS")]
    options: Vec<String>,
}

pub(super) fn plan(args: &PlanArgs) -> Result<Outcome> {
    let (games, seed) = shared(&args.options)?;
    let shards = (args.shards as usize).min(games.len().max(1));
    if shards < args.shards as usize {
        errln!("note: {} games make {shards} shards", games.len());
    }
    let script = args.out.join("job.sbatch");
    if script.exists() {
        return Err(
            Usage(format!("{} is there already; choose another folder", script.display())).into()
        );
    }
    std::fs::create_dir_all(&args.out)
        .with_context(|| format!("cannot create {}", args.out.display()))?;
    // Tasks start in the folder of the submission on other machines: only whole paths hold there.
    let folder = args.out.canonicalize().with_context(|| args.out.display().to_string())?;
    let program = std::env::current_exe().context("cannot tell where this program is")?;
    let text = job(&program, &folder, shards, seed, args);
    std::fs::write(&script, text).with_context(|| format!("cannot write {}", script.display()))?;
    outln!("{} games in {shards} shards. Start them by\n", games.len())?;
    outln!("  sbatch {}\n", script.display())?;
    outln!("or, without Slurm, by\n")?;
    outln!("  seq {shards} | parallel --jobs 1 SHARD={{}} bash {}\n", script.display())?;
    outln!("and when all have ended, join them by\n")?;
    outln!("  ggpbench merge --out {0}/all {0}/part-*", args.out.display())?;
    Ok(Outcome::Fine)
}

/// The games that `ggpbench run` with these options has, and the seed that all tasks are given;
/// mistakes are better found now than by each task.
fn shared(options: &[String]) -> Result<(Vec<String>, u64)> {
    let words = ["ggpbench", "run"].into_iter().map(str::to_owned).chain(options.iter().cloned());
    let cli = Cli::try_parse_from(words).map_err(|error| Usage(error.to_string()))?;
    let Some(Command::Run(run_args)) = cli.command else {
        return Err(Usage("only `run` can be shared among tasks".to_owned()).into());
    };
    let fixed = [
        ("--out", run_args.measuring.out.is_some()),
        ("--shard", run_args.shard.is_some()),
        ("--resume", run_args.resume.is_some()),
    ];
    if let Some((name, _)) = fixed.iter().find(|(_, given)| *given) {
        return Err(Usage(format!("{name} is for the plan to give")).into());
    }
    let engine_set = run_args.engines.engine_set_of(run_args.suite.as_deref())?;
    let engines = engine_set.programs().iter().map(|program| program.engine.as_str());
    select::check_baseline(run_args.measuring.baseline.as_deref(), engines)?;
    let games = run::chosen(&run_args)?.into_iter().map(|entry| entry.id).collect();
    Ok((games, run_args.measuring.seed))
}

fn job(program: &Path, folder: &Path, shards: usize, seed: u64, args: &PlanArgs) -> String {
    let mut out = String::new();
    let program = program.to_string_lossy();
    let program = quoted(&program);
    let mut options = String::new();
    for option in &run_config::with_seed(&args.options, seed) {
        let _ = write!(options, " {}", quoted(option));
    }
    let _ = write!(
        out,
        r#"#!/bin/bash
#SBATCH --job-name=ggpbench
#SBATCH --array=1-{shards}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=2
#SBATCH --exclusive=user
#SBATCH --mem={memory}
#SBATCH --time={time}
#SBATCH --requeue
#SBATCH --output={log}/log-%a.txt
#SBATCH --open-mode=append
# One shard of a run; without Slurm, SHARD says which. A task that starts again goes on where it
# was.
set -u
shard=${{SLURM_ARRAY_TASK_ID:-${{SHARD:?the number of the shard}}}}
part={folder}/part-$shard
if [ -e "$part/{record}" ]; then
  exec {program} run --resume "$part" --quiet
fi
exec {program} run{options} --quiet --shard "$shard/{shards}" --out "$part"
"#,
        memory = args.memory,
        time = args.time,
        log = folder.display(),
        folder = quoted(&folder.to_string_lossy()),
        record = run_config::FILE_NAME,
    );
    out
}

/// A word for a shell; the names and options that reach it came by a command line, so no NUL is in
/// them.
fn quoted(word: &str) -> Cow<'_, str> {
    shlex::try_quote(word).unwrap_or_else(|_| word.replace('\0', "").into())
}

#[cfg(test)]
mod tests {
    use super::{quoted, shared};

    #[test]
    fn words_survive_a_shell() {
        for word in ["--suite", "a b", "it's", "", "$HOME", "a\nb"] {
            assert_eq!(shlex::split(&quoted(word)), Some(vec![word.to_owned()]));
        }
    }

    #[test]
    fn mistakes_are_found_before_the_tasks_start() {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(
            shared(&words("hex-9x9 hanoi-3 --seed 3")).unwrap(),
            (vec!["hex-9x9".to_owned(), "hanoi-3".to_owned()], 3)
        );
        for wrong in [
            "hex-9x8",
            "--suite smok",
            "--engines ludemes",
            "--out x",
            "--shard 1/2",
            "--baseline rgb",
        ] {
            assert!(shared(&words(wrong)).is_err(), "{wrong}");
        }
    }
}
