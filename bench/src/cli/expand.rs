//! `expand`: a description as its engine reads it.

use std::io::IsTerminal;
use std::path::PathBuf;

use clap::Args;

use super::Outcome;
use super::select::there;
use crate::entry::read_rules;
use crate::output;

#[derive(Args, Clone, Debug)]
pub(super) struct ExpandArgs {
    /// A rule file in a language with macros and options: .lud
    file: PathBuf,
    /// An option of the rules, such as "Board Size/8x8"; may be given several times
    #[arg(long = "option", value_name = "OPTION")]
    options: Vec<String>,
    /// Rewrite a .lud file in the syntax of 2019 as it is written today, and say what was changed
    #[arg(long)]
    modern: bool,
}

/// Prints the expanded text to standard output, and what is wrong to standard error.
pub(super) fn expand(args: &ExpandArgs) -> anyhow::Result<Outcome> {
    there(&args.file)?;
    let rules = read_rules(&args.file, &args.options)?;
    let (text, diagnostics) = if args.modern {
        let Some((text, changes, diagnostics)) = roster::modernised(&rules) else {
            anyhow::bail!("the syntax of .{} files has not changed", rules.language);
        };
        for change in &changes {
            let (name, at) = (rules.source.name(), rules.source.position(change.span.start));
            errln!("{name}:{at}: {} is {} today", change.then, change.now);
        }
        if changes.is_empty() {
            errln!("{}: nothing to change", rules.source.name());
        }
        (text, diagnostics)
    } else {
        let Some(expanded) = roster::expand(&rules) else {
            anyhow::bail!("a .{} file has nothing to expand", rules.language);
        };
        expanded
    };
    for diagnostic in &diagnostics {
        let text = output::diagnostic(diagnostic, &rules.source, output::error_has_colour());
        output::error_raw(&format!("{text}\n"));
    }
    // A terminal obeys control characters; a file or a program gets the text as it is.
    if std::io::stdout().is_terminal() {
        outln!("{text}")?;
    } else {
        output::raw(&format!("{text}\n"))?;
    }
    let failed = diagnostics.iter().any(text::Diagnostic::is_error);
    Ok(if failed { Outcome::Failed } else { Outcome::Fine })
}
