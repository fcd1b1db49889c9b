//! The configuration that a run was begun with, kept beside its rows: `run.toml`.
//!
//! It lets a run that was stopped go on as it began (`ggpbench run --resume DIR`), and tells
//! whether the parts of a run that several machines shared belong together (`ggpbench merge`).

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};
use play::Rules;
use serde::{Deserialize, Serialize};

use crate::entry::Entry;
use crate::{identity, machine};

/// Name of the file inside a run's folder.
pub const FILE_NAME: &str = "run.toml";

/// The configuration that a run was begun with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunConfig {
    /// The command line without the program's name.
    pub arguments: Vec<String>,
    /// The revision that the binary was built from.
    pub revision: String,
    /// The machine.
    pub host: String,
    /// Ids of all games of the run, those that other shards measure included, in their order.
    pub games: Vec<String>,
    /// Hash of each description of each game, by `<game>.<language>`; empty in old records.
    #[serde(default)]
    pub rules: BTreeMap<String, String>,
}

impl RunConfig {
    /// A run of these games under this seed that begins now, here.
    pub fn now(entries: &[Entry], seed: u64) -> RunConfig {
        let mut arguments: Vec<String> = std::env::args().skip(1).collect();
        if arguments.is_empty() {
            arguments.push("run".to_owned()); // what no command means
        }
        let options = with_seed(&arguments[1..], seed);
        arguments.truncate(1);
        arguments.extend(options);
        let rules = entries.iter().flat_map(|entry| {
            let rules = entry.descriptions.iter();
            rules.map(move |rules| (description(entry, rules), identity::of_rules(rules)))
        });
        RunConfig {
            arguments,
            revision: machine::REVISION.to_owned(),
            host: machine::host(),
            games: entries.iter().map(|entry| entry.id.clone()).collect(),
            rules: rules.collect(),
        }
    }

    /// Hash of a description of a game of the run.
    pub fn rules_of(&self, entry: &Entry, rules: &Rules) -> &str {
        self.rules.get(&description(entry, rules)).map_or("", String::as_str)
    }

    /// Writes the record; the file is there as a whole or not at all.
    pub fn write(&self, folder: &Path) -> Result<()> {
        let note = "# What this run was begun with. `ggpbench run --resume` on this folder goes \
            on with it.\n";
        let text = note.to_owned() + &toml::to_string(self)?;
        let path = folder.join(FILE_NAME);
        reports::replace(&path, |out| out.write_all(text.as_bytes()))
            .with_context(|| format!("cannot write {}", path.display()))
    }

    /// Reads the record of a run's folder.
    pub fn read(folder: &Path) -> Result<RunConfig> {
        let path = folder.join(FILE_NAME);
        let text = std::fs::read_to_string(&path).with_context(|| {
            format!("cannot read {}: is this the folder of a run?", path.display())
        })?;
        toml::from_str(&text::with_line_feeds(text))
            .with_context(|| format!("{} is damaged", path.display()))
    }

    /// An error unless this run may go on as `now`: figures of two builds, two machines or two
    /// games do not belong into one table.
    pub fn may_go_on(&self, now: &RunConfig) -> Result<()> {
        if self.revision != now.revision {
            bail!(
                "the run was begun by revision {} and this is {}; build that revision, or begin a \
                 new run",
                self.revision,
                now.revision
            );
        }
        if self.host != now.host {
            bail!(
                "the run was begun on {} and this is {}; go on there, or begin a new run",
                self.host,
                now.host
            );
        }
        if self.games != now.games {
            bail!("its games are not those that it began with; begin a new run");
        }
        for (description, hash) in &self.rules {
            if now.rules.get(description) != Some(hash) {
                bail!(
                    "the rules of {description} have changed since the run began, and its figures \
                     would be \
                     of two games; put the old rules back, or begin a new run"
                );
            }
        }
        Ok(())
    }
}

/// The options of a command that name its seed, also where the choice was left to us.
pub(crate) fn with_seed(options: &[String], seed: u64) -> Vec<String> {
    let mut named = options.iter().take_while(|word| *word != "--");
    if named.any(|word| word == "--seed" || word.starts_with("--seed=")) {
        return options.to_vec();
    }
    [&["--seed".to_owned(), seed.to_string()], options].concat()
}

/// The name of a description of a game in the record.
fn description(entry: &Entry, rules: &Rules) -> String {
    format!("{}.{}", entry.id, rules.language)
}

#[cfg(test)]
mod tests {
    use super::with_seed;

    #[test]
    fn a_seed_that_was_left_out_is_in_the_record() {
        let line = |line: &str| {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            with_seed(&words, 7).join(" ")
        };
        assert_eq!(line(""), "--seed 7");
        assert_eq!(line("hex-9x9 --json"), "--seed 7 hex-9x9 --json");
        assert_eq!(line("hex-9x9 --seed 3"), "hex-9x9 --seed 3");
        assert_eq!(line("--seed=3"), "--seed=3");
        assert_eq!(line("-- --seed"), "--seed 7 -- --seed");
    }
}
