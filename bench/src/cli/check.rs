//! `check`: diagnostics only.

use std::io::IsTerminal;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use play::Rules;

use super::Outcome;
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
}

pub(super) fn check(args: &CheckArgs) -> Result<Outcome> {
    let colour = std::io::stdout().is_terminal();
    let mut failed = false;
    for file in &args.files {
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

/// Prints what there is to say; false if there are errors.
fn check_one(rules: &Rules, colour: bool, most: usize) -> Result<bool> {
    let name = rules.source.name();
    let Some(mut diagnostics) = roster::check(rules) else {
        outln!("{name}: there is no front end for .{} yet\n", rules.language)?;
        return Ok(false);
    };
    diagnostics.sort_by_key(|d| (d.span, std::cmp::Reverse(d.severity)));
    for diagnostic in diagnostics.iter().take(most) {
        if colour {
            // What it quotes was made printable by the renderer; the colours are ours.
            output::raw(&format!("{}\n\n", diagnostic.render_coloured(&rules.source)))?;
        } else {
            outln!("{}\n", diagnostic.render(&rules.source))?;
        }
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
