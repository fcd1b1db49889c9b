//! `constructs`: the language reference of Regular Games.

use clap::Args;

use super::Outcome;
use super::select::Usage;

#[derive(Args, Clone, Debug)]
pub(super) struct ConstructsArgs {
    /// Words of the name of a construct, such as `branch in`, in any case, or of its meaning; all
    /// constructs without
    words: Vec<String>,
}

/// Constructs shown with their forms and an example; more are listed a line each.
const MOST_IN_FULL: usize = 12;

pub(super) fn constructs(args: &ConstructsArgs) -> anyhow::Result<Outcome> {
    let wanted = args.words.join(" ");
    let found = roster::constructs(&wanted);
    if found.is_empty() {
        let all = roster::constructs("");
        let hint = text::did_you_mean(&wanted, all.iter().map(|construct| construct.name));
        return Err(Usage(format!(
            "no construct of Regular Games is called `{wanted}`{hint} (`ggpbench constructs` lists \
             all, and `ggpbench ludemes` has those of ludemes)"
        ))
        .into());
    }
    if found.len() <= MOST_IN_FULL {
        for construct in &found {
            outln!("{}: a {} of {}", construct.name, construct.kind, construct.form)?;
            for usage in &construct.usages {
                outln!("  {usage}")?;
            }
            outln!("  {}", construct.meaning)?;
            let example = &construct.example;
            if !example.is_empty() {
                let joint = if example.contains('\n') { "\n    " } else { " " };
                outln!("  for example:{joint}{}", example.replace('\n', "\n    "))?;
            }
            outln!()?;
        }
        return Ok(Outcome::Fine);
    }
    let width = found.iter().map(|construct| construct.name.len()).max().unwrap_or(0);
    for construct in &found {
        let first = construct.meaning.split_inclusive(". ").next().unwrap_or_default().trim_end();
        outln!("{:width$}  {:3} {:11}  {first}", construct.name, construct.form, construct.kind)?;
    }
    Ok(Outcome::Fine)
}
