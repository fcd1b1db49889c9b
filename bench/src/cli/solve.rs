//! `solve`: the solutions of a deduction puzzle.

use std::path::PathBuf;

use clap::Args;

use super::Outcome;
use super::select::there;
use crate::entry::read_rules;

#[derive(Args, Clone, Debug)]
pub(super) struct SolveArgs {
    /// A description of a deduction puzzle, with `(play (satisfy ..))`: .lud
    file: PathBuf,
    /// An option of the rules, such as "Challenge/2"; may be given several times
    #[arg(long = "option", value_name = "OPTION")]
    options: Vec<String>,
    /// Solutions after which the search stops
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,
    /// Assignments tried after which the search stops
    #[arg(long, default_value_t = 10_000_000, value_name = "NUMBER")]
    tries: u64,
}

/// Prints the first two solutions and how many there are. Without a solution it has failed.
pub(super) fn solve(args: &SolveArgs) -> anyhow::Result<Outcome> {
    there(&args.file)?;
    let rules = read_rules(&args.file, &args.options)?;
    let Some(solved) = roster::solve(&rules, args.limit, args.tries) else {
        anyhow::bail!("a .{} file has no constraints to satisfy; a .lud file may", rules.language);
    };
    let solutions = match solved {
        Ok(solutions) => solutions,
        Err(error) => {
            if error.diagnostics().is_empty() {
                anyhow::bail!("{}", error.one_line(&rules.source));
            }
            for diagnostic in error.diagnostics() {
                errln!("{}\n", diagnostic.render(&rules.source));
            }
            return Ok(Outcome::Failed);
        }
    };
    for drawn in &solutions.drawn {
        outln!("{drawn}\n")?;
    }
    let said = match (solutions.found, solutions.complete) {
        (0, true) => "no solution".to_owned(),
        (1, true) => "one solution: it is unique".to_owned(),
        (found, true) => format!("{found} solutions: it is not unique"),
        (0, false) => {
            format!("no solution among {} assignments; --tries tries more", solutions.tried)
        }
        (found, false) => {
            let option = if found == args.limit { "--limit" } else { "--tries" };
            let found = match found {
                1 => "one solution or more".to_owned(),
                found => format!("{found} solutions or more: it is not unique"),
            };
            format!("{found}; a larger {option} finds all that there are")
        }
    };
    outln!("{}: {said} ({} assignments tried)", rules.source.name(), solutions.tried)?;
    if solutions.tested > 0 {
        outln!(
            "{} constraints were tested one by one, and taken to stay broken once they are",
            solutions.tested
        )?;
    }
    Ok(if solutions.found > 0 { Outcome::Fine } else { Outcome::Failed })
}
