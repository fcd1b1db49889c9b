//! Entries that can be played: a game of the catalogue, or rule files of the user's own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use games::{Catalogue, Family, FamilyError};
use play::{Language, Rules};
use reports::text::printable;
use text::Source;

use crate::position::labels;
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
    /// Its rules in words; empty of rule files of the user's own.
    pub in_words: String,
    /// Ply cap.
    pub cap: u32,
    /// The descriptions, in the order of languages.
    pub descriptions: Vec<Rules>,
    /// The recorded facts about it.
    pub expected: Expected,
    /// Recorded games, as the labels of their plies, from whose positions searches begin.
    pub recorded: Vec<Vec<String>>,
    /// The position at which it begins, as it was given; `None` for that of its rules.
    pub position: Option<String>,
    /// The game of the catalogue, if its manifest names a notation of positions.
    pub setup: Option<Box<games::GameEntry>>,
}

/// Characters of a position that a title has.
const LONGEST_POSITION: usize = 60;

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
            in_words: game.rules.clone(),
            cap: game.cap,
            descriptions,
            expected,
            recorded: game.recorded.as_ref().map(|r| r.games.clone()).unwrap_or_default(),
            position: None,
            setup: game.setup.is_some().then(|| Box::new(game.clone())),
        }
    }

    /// The game from a position on: by the name that its manifest has for it, in the notation that
    /// this names, or by the labels of the plies that lead to it. What is recorded of the game is
    /// not known of it, but for leaf counts of this very position. The error says what is wrong
    /// with the text.
    pub fn at(self, position: &str) -> Result<Entry, String> {
        let named = |game: &games::GameEntry| game.position_named(position).map(str::to_owned);
        if let Some(known) = self.setup.as_deref().and_then(named) {
            return self.at(&known);
        }
        if let Some(entry) = self.in_notation(position) {
            return entry;
        }
        let notation = self.setup.as_ref().and_then(|game| game.setup.as_ref());
        let (title, given) = (self.title_at(position), Some(position.to_owned()));
        let plies = labels(position)?;
        if plies.first().is_some_and(|word| word.contains(['/', ':'])) {
            let shape = notation.map(|setup| setup.notation.shape());
            let or = shape.map_or_else(String::new, |shape| format!(", or {shape}"));
            return Err(format!("{} takes the labels of plies here{or}", self.title));
        }
        let mut entry = self;
        entry.descriptions.iter_mut().for_each(|rules| rules.start.clone_from(&plies));
        let Expected { players, .. } = entry.expected;
        Ok(Entry {
            title,
            paper: Vec::new(),
            expected: Expected { players, ..Expected::default() },
            recorded: Vec::new(),
            position: given,
            setup: None,
            ..entry
        })
    }

    /// The same where the text has the form of the notation that the manifest names; `None` where
    /// it has not, or none is named.
    pub(crate) fn in_notation(&self, position: &str) -> Option<Result<Entry, String>> {
        let game = self.setup.as_deref()?;
        game.setup.as_ref().filter(|notation| notation.is_meant(position))?;
        Some(game.at(position).map(|game| {
            let mut entry = Entry::of_catalogue(&game);
            for rules in &mut entry.descriptions {
                let same = self.descriptions.iter().find(|own| own.language == rules.language);
                rules.options = same.map_or_else(Vec::new, |own| own.options.clone());
            }
            let (title, given) = (self.title_at(position), Some(position.to_owned()));
            Entry { title, position: given, cap: self.cap, ..entry }
        }))
    }

    fn title_at(&self, position: &str) -> String {
        let mut shown = position.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some((cut, _)) = shown.char_indices().nth(LONGEST_POSITION) {
            shown.truncate(cut);
            shown += "...";
        }
        format!("{} at {shown}", self.title)
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
        Ok(Entry { size: Some((family.name(), size)), ..Entry::of_catalogue(&game) })
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
                in_words: String::new(),
                cap,
                descriptions: Vec::new(),
                expected: Expected::default(),
                recorded: Vec::new(),
                position: None,
                setup: None,
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

/// Reads the files with the games of a match, which lie beside it, or in a folder [`SUBGAMES`] of
/// the library. Of one that is not there the engine says that it is missing.
pub(crate) fn read_parts(rules: &mut Rules, path: &Path) -> Result<()> {
    for name in roster::parts(rules) {
        // The name is the author's: it must not lead out of the folder.
        let plain = Path::new(&name).components().count() == 1 && !name.contains(['/', '\\']);
        let file_name = format!("{name}.{}", rules.language);
        if let Some(file) = part_file(path, &file_name).filter(|_| plain) {
            let source = Source::new(file_name, text_of(&read_bounded(&file)?));
            rules.parts.insert(name, source);
        }
    }
    Ok(())
}

/// The folder of a library that has the games which are only played in matches.
const SUBGAMES: &str = "subgame";
/// So many folders above that of a match may have a folder of such games,
const MOST_ABOVE: usize = 8;
/// and so many files and folders in it are looked at.
const MOST_ENTRIES: usize = 10_000;

/// The file of a game of a match: beside it, else in a folder [`SUBGAMES`], in any depth, of the
/// folder of the match or of the next one above that has one with the file.
fn part_file(path: &Path, file_name: &str) -> Option<PathBuf> {
    let beside = path.with_file_name(file_name);
    if beside.is_file() {
        return Some(beside);
    }
    let path = std::path::absolute(path).ok()?;
    let above = path.ancestors().skip(1).take(MOST_ABOVE);
    above.map(|folder| folder.join(SUBGAMES)).find_map(|folder| find_within(folder, file_name))
}

/// The file of this name in a folder or one inside: the first in the order of their names, of those
/// in the fewest folders.
fn find_within(folder: PathBuf, file_name: &str) -> Option<PathBuf> {
    let mut folders = vec![folder];
    let mut seen = 0;
    while !folders.is_empty() {
        let file = folders.iter().map(|folder| folder.join(file_name)).find(|file| file.is_file());
        if file.is_some() {
            return file;
        }
        let mut inside: Vec<PathBuf> = Vec::new();
        for entry in folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten() {
            seen += 1;
            if seen > MOST_ENTRIES {
                return None;
            }
            // Links are not followed: they may lead round.
            inside.extend(
                entry.ok().filter(|e| e.file_type().is_ok_and(|t| t.is_dir())).map(|e| e.path()),
            );
        }
        inside.sort();
        folders = inside;
    }
    None
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_a_match_lie_beside_it_or_among_the_subgames_of_the_library() {
        let library = tempfile::tempdir().expect("a folder");
        let root = library.path();
        let write = |name: &str, text: &str| {
            let file = root.join(name);
            std::fs::create_dir_all(file.parent().expect("it has one")).expect("a folder");
            std::fs::write(file, text).expect("a file");
        };
        let games = ["Beside", "Library", "Deep", "Both", "Missing", "../Out"];
        let games: String = games.iter().map(|name| format!("(subgame {name:?})")).collect();
        write(
            "board/race/M.lud",
            &format!(
                "(match \"M\" (players 2) (games {{{games}}}) (end (if True (result P1 Win))))"
            ),
        );
        write("board/race/Beside.lud", "b");
        write("board/race/Both.lud", "beside");
        write("subgame/Both.lud", "library");
        write("subgame/Library.lud", "l");
        write("subgame/board/race/Deep.lud", "d");
        write("board/Out.lud", "o");
        let rules = read_rules(&root.join("board/race/M.lud"), &[]).expect("it is there");
        let parts: Vec<(&str, &str)> =
            rules.parts.iter().map(|(name, part)| (name.as_str(), part.text())).collect();
        assert_eq!(parts, [("Beside", "b"), ("Both", "beside"), ("Deep", "d"), ("Library", "l")]);
    }
}
