//! Entries that can be played: a game of the catalogue, or rule files of the user's own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use games::{Catalogue, Family, FamilyError};
use play::{Language, Rules};
use reports::text::printable;
use text::Source;

use crate::protocol::Searches;
use crate::verify::Expected;

/// A game in one or more languages, with what is recorded about it.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its id: the folder in the catalogue, or the stem of the user's file.
    pub id: String,
    /// Its name for people.
    pub title: String,
    /// Rows of published tables that it stands for.
    pub paper: Vec<String>,
    /// The family and the size, where it is one size of several.
    pub size: Option<(String, u32)>,
    /// Players who have one result together, counted from 0.
    pub teams: Vec<Vec<u8>>,
    /// Ply cap.
    pub cap: u32,
    /// The descriptions, in the order of languages.
    pub descriptions: Vec<Rules>,
    /// The recorded facts about it.
    pub expected: Expected,
    /// Recorded games, as the labels of their plies, from whose positions searches begin.
    pub recorded: Vec<Vec<String>>,
}

/// Points by which mean scores may miss recorded ones beside sampling error: those that were
/// sampled, and those that were computed, which are rounded.
const SCORE_TOLERANCE: [f64; 2] = [0.5, 0.01];

impl Entry {
    /// A game of the catalogue.
    pub fn of_catalogue(game: &games::GameEntry) -> Entry {
        let languages = game.descriptions.keys();
        let descriptions = languages.filter_map(|&language| game.rules_in(language)).collect();
        let expected = Expected {
            players: Some(game.players),
            perft: game.perft.as_ref().map(|p| p.counts.clone()).unwrap_or_default(),
            mean_plies: game.playouts.as_ref().map(|p| (p.mean_plies, p.tolerance)),
            mean_scores: game.playouts.as_ref().and_then(|p| p.mean_scores.clone()),
            score_tolerance: SCORE_TOLERANCE
                [usize::from(game.playouts.as_ref().is_some_and(|p| p.exact))],
        };
        Entry {
            id: game.id.clone(),
            title: game.title.clone(),
            paper: game.paper.iter().map(ToString::to_string).collect(),
            size: None,
            teams: game.teams.clone(),
            cap: game.cap,
            descriptions,
            expected,
            recorded: game.recorded.as_ref().map(|r| r.games.clone()).unwrap_or_default(),
        }
    }

    /// Searches of so many simulations, which begin where recorded games have been, too; those of
    /// none are no searches.
    pub fn searches(&self, simulations: u32) -> Searches<'_> {
        let recorded = if simulations > 0 { &self.recorded[..] } else { &[] };
        Searches { simulations, recorded }
    }

    /// A game of a family, at a size.
    pub fn of_family(
        family: &Family,
        size: u32,
        catalogue: &Catalogue,
    ) -> Result<Entry, FamilyError> {
        let game = family.at(size, catalogue)?;
        Ok(Entry { size: Some((family.id.clone(), size)), ..Entry::of_catalogue(&game) })
    }

    /// Rule files of the user's own. Files with the same stem are one game in several languages.
    pub fn of_files(files: &[PathBuf], options: &[String], cap: u32) -> Result<Vec<Entry>> {
        let mut by_stem: BTreeMap<String, Entry> = BTreeMap::new();
        for path in files {
            let rules = read_rules(path, options)?;
            let stem =
                path.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned());
            let entry = by_stem.entry(stem.clone()).or_insert_with(|| Entry {
                id: stem.clone(),
                title: stem,
                paper: Vec::new(),
                size: None,
                teams: Vec::new(),
                cap,
                descriptions: Vec::new(),
                expected: Expected::default(),
                recorded: Vec::new(),
            });
            if let Some(other) = entry.descriptions.iter().find(|d| d.language == rules.language) {
                bail!(
                    "{} and {} have the same name and language; rename one of them",
                    other.source.name(),
                    path.display()
                );
            }
            entry.descriptions.push(rules);
        }
        Ok(by_stem.into_values().collect())
    }
}

/// Largest rule file that is read; the largest public one is under 2 MB.
const LARGEST_FILE: u64 = 64 << 20;

/// Reads a rule file; its language is told by its extension.
pub fn read_rules(path: &Path, options: &[String]) -> Result<Rules> {
    let extension = path.extension().map_or_else(String::new, |e| e.to_string_lossy().into_owned());
    let Some(language) = Language::of_extension(&extension) else {
        bail!(
            "{}: no language has the extension `.{extension}`; expected .lud, .kif, .rbg, .rg or .hrg",
            path.display()
        );
    };
    let text = text_of(&read_bounded(path)?);
    // The name stands in messages.
    let name = printable(&path.display().to_string()).to_string();
    let mut rules = Rules::new(language, name, text);
    rules.options = options.to_vec();
    read_parts(&mut rules, path)?;
    Ok(rules)
}

/// Reads the files with the games of a match, which lie beside it. Of one that is not there the
/// engine says that it is missing.
pub(crate) fn read_parts(rules: &mut Rules, path: &Path) -> Result<()> {
    for name in roster::parts(rules) {
        // The name is the author's: it must not lead out of the folder.
        let plain = Path::new(&name).components().count() == 1 && !name.contains(['/', '\\']);
        let file = path.with_file_name(format!("{name}.{}", rules.language));
        if plain && file.is_file() {
            let source =
                Source::new(format!("{name}.{}", rules.language), text_of(&read_bounded(&file)?));
            rules.parts.insert(name, source);
        }
    }
    Ok(())
}

/// The bytes of a rule file that is not too large.
pub(crate) fn read_bounded(path: &Path) -> Result<Vec<u8>> {
    let size =
        std::fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?;
    if size.len() > LARGEST_FILE {
        bail!("{} has {} bytes; at most {LARGEST_FILE} are read", path.display(), size.len());
    }
    std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// The text of a rule file. Public ones hold the odd byte of another encoding, in comments mostly.
pub(crate) fn text_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
