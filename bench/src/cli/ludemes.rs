//! `ludemes`: the language reference.

use clap::Args;

use super::Outcome;
use super::select::Usage;

#[derive(Args, Clone, Debug)]
pub(super) struct LudemesArgs {
    /// Words of the name of a ludeme, such as `is line`, in any case; all ludemes without
    words: Vec<String>,
}

/// Ludemes shown with their forms and an example; more are listed a line each.
const MOST_IN_FULL: usize = 12;

pub(super) fn ludemes(args: &LudemesArgs) -> anyhow::Result<Outcome> {
    let wanted = args.words.join(" ");
    let found = roster::ludemes(&wanted);
    if found.is_empty() {
        let all = roster::ludemes("");
        let hint = text::did_you_mean(&wanted, all.iter().map(|entry| entry.name));
        return Err(Usage(format!(
            "no ludeme is called `{wanted}`{hint}; `ggpbench ludemes` lists all, and part of a \
             name will do"
        ))
        .into());
    }
    if found.len() <= MOST_IN_FULL {
        for entry in &found {
            let gives =
                if entry.gives.is_empty() { String::new() } else { format!(", {}", entry.gives) };
            outln!("{}{gives}: {}", entry.name, entry.status.words())?;
            if !entry.meaning.is_empty() {
                outln!("  {}", entry.meaning)?;
            }
            for usage in &entry.usages {
                outln!("  {usage}")?;
            }
            if !entry.example.is_empty() {
                outln!("  for example: {}", entry.example)?;
            }
            if entry.status.words() != "not yet" {
                let (uses, all) = (entry.uses, roster::public_files());
                outln!("  used by {uses} of {all} public descriptions")?;
            }
            outln!()?;
        }
        return Ok(Outcome::Fine);
    }
    let width = found.iter().map(|entry| entry.name.len()).max().unwrap_or(0);
    for entry in &found {
        outln!("{:width$}  {:10}  {}", entry.name, entry.status.words(), entry.meaning)?;
    }
    let count = |status: &str| found.iter().filter(|e| e.status.words() == status).count();
    outln!(
        "\n{} ludemes: {} play, {} are read only, {} are not there yet",
        found.len(),
        count("plays"),
        count("reads only"),
        count("not yet")
    )?;
    Ok(Outcome::Fine)
}
