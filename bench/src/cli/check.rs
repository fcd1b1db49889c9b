//! `check`: diagnostics only.

use std::io::IsTerminal;
use std::path::PathBuf;

use clap::Args;
use play::Rules;

use super::Outcome;
use crate::entry::read_rules;

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

pub(super) fn check(args: &CheckArgs) -> Outcome {
    let colour = std::io::stdout().is_terminal();
    let mut failed = false;
    for file in &args.files {
        match read_rules(file, &args.options) {
            Ok(rules) => failed |= !check_one(&rules, colour, args.most),
            Err(error) => {
                println!("error: {error:#}\n");
                failed = true;
            }
        }
    }
    if failed { Outcome::Failed } else { Outcome::Fine }
}

/// Prints what there is to say; false if there are errors.
fn check_one(rules: &Rules, colour: bool, most: usize) -> bool {
    let name = rules.source.name();
    let Some(mut diagnostics) = roster::check(rules) else {
        println!("{name}: there is no front end for .{} yet\n", rules.language);
        return false;
    };
    diagnostics.sort_by_key(|d| (d.span, std::cmp::Reverse(d.severity)));
    for diagnostic in diagnostics.iter().take(most) {
        let shown = if colour {
            diagnostic.render_coloured(&rules.source)
        } else {
            diagnostic.render(&rules.source)
        };
        println!("{shown}\n");
    }
    if diagnostics.len() > most {
        println!("... and {} more (--most shows them)\n", diagnostics.len() - most);
    }
    let errors = diagnostics.iter().filter(|d| d.is_error()).count();
    let warnings = diagnostics.len() - errors;
    let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    println!("{name}: {}, {}", count(errors, "error"), count(warnings, "warning"));
    errors == 0
}
