//! Named lists of games: `bench/suites/<name>.toml`.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use games::{Catalogue, GameEntry};
use include_dir::{Dir, include_dir};
use serde::Deserialize;
use text::did_you_mean;

static SUITES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/suites");

/// A named list of games.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Suite {
    /// Its purpose, in one line.
    pub(crate) about: String,
    /// Ids of games in the catalogue.
    #[serde(default)]
    games: Vec<String>,
    /// Instead: all games that stand for a row of this published table, in its order.
    paper: Option<String>,
    /// Sizes of families besides, by the id of the family.
    #[serde(default)]
    pub(crate) families: BTreeMap<String, Vec<u32>>,
    /// True if other people's systems take part.
    #[serde(default)]
    pub(crate) peers: bool,
}

impl Suite {
    /// The games, in the order of the suite; without any choice all of them.
    pub(crate) fn games<'c>(&self, catalogue: &'c Catalogue) -> Result<Vec<&'c GameEntry>> {
        let all = catalogue.games().iter();
        Ok(match &self.paper {
            Some(table) => {
                all.filter(|game| game.paper.iter().any(|row| row.table == *table)).collect()
            }
            None if self.games.is_empty() => all.collect(),
            None => self.games.iter().map(|id| catalogue.get(id)).collect::<Result<_, _>>()?,
        })
    }
}

/// Names of all suites, sorted.
pub(crate) fn names() -> Vec<&'static str> {
    let mut names: Vec<&str> =
        SUITES.files().filter_map(|f| f.path().file_stem()?.to_str()).collect();
    names.sort_unstable();
    names
}

/// The suite of that name.
pub(crate) fn get(name: &str) -> Result<Suite> {
    let Some(file) = SUITES.get_file(format!("{name}.toml")) else {
        let hint = did_you_mean(name, names());
        bail!("no suite `{name}`{hint} (there are {})", names().join(", "));
    };
    Ok(toml::from_str(file.contents_utf8().unwrap_or_default())?)
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_suite_names_games_of_the_catalogue() {
        let catalogue = games::Catalogue::embedded().expect("the catalogue is sound");
        for name in super::names() {
            let suite = super::get(name).expect("suites are sound");
            assert!(!suite.about.is_empty());
            assert!(!suite.games(&catalogue).expect(name).is_empty(), "suite {name} is empty");
        }
        assert!(super::get("smok").unwrap_err().to_string().contains("did you mean `smoke`"));
    }
}
