use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::path::Path;

use include_dir::{Dir, include_dir};
use text::{Diagnostic, Source, Span, near_miss};

use crate::entry::GameEntry;
use crate::folder::{Folder, Kind};
use crate::manifest::{self, ID_SHAPE, Manifest, is_id};
use crate::order::catalogue_order;
use crate::problem::{CatalogueError, Problem};

static EMBEDDED: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/catalogue");

/// A checked set of games.
#[derive(Clone, PartialEq, Debug)]
pub struct Catalogue {
    games: Vec<GameEntry>,
}

impl Catalogue {
    /// The catalogue that is built into the program.
    ///
    /// Fails only if the program was built from a broken catalogue, which a test rules out.
    pub fn embedded() -> Result<Catalogue, CatalogueError> {
        load(&[built_in()])
    }

    /// A catalogue on disk: a folder with one folder for each game. Hidden files are ignored; all
    /// other files must be used.
    ///
    /// Fails with everything that is wrong with it, not only the first error.
    pub fn from_dir(path: impl AsRef<Path>) -> Result<Catalogue, CatalogueError> {
        load(&[Folder::disk(path.as_ref().to_owned())])
    }

    /// The built-in games and those of a catalogue on disk together. Where both have a game of the
    /// same id, the one on disk takes its place; titles and rows of published tables still stand
    /// for one game each.
    ///
    /// Fails as [`Catalogue::from_dir`] does.
    pub fn embedded_and(path: impl AsRef<Path>) -> Result<Catalogue, CatalogueError> {
        load(&[built_in(), Folder::disk(path.as_ref().to_owned())])
    }

    /// All games: those of the published tables in their order, then the others by id.
    pub fn games(&self) -> &[GameEntry] {
        &self.games
    }

    /// The game with this id; failing that, ids that may have been meant.
    pub fn get(&self, id: &str) -> Result<&GameEntry, UnknownGame> {
        self.games.iter().find(|game| game.id == id).ok_or_else(|| {
            let ids = || self.games.iter().map(|game| game.id.as_str());
            // A slip of the pen first; failing that, ids that contain what was asked for.
            let close = near_miss(id, ids()).map(|near| vec![near.to_owned()]);
            let asked = squash(id);
            let meant = close.unwrap_or_else(|| {
                let contains = |game: &&str| asked.len() >= 3 && squash(game).contains(&asked);
                ids().filter(contains).map(str::to_owned).collect()
            });
            UnknownGame { id: id.to_owned(), meant }
        })
    }
}

/// Letters and digits only, in lower case, so that `Connect4` finds `connect-4-6x7`.
fn squash(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// There is no game with the id that was asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownGame {
    /// The id that was asked for.
    pub id: String,
    /// Ids that may have been meant, in the order of the catalogue.
    pub meant: Vec<String>,
}

impl fmt::Display for UnknownGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no game `{}` in the catalogue", self.id)?;
        match self.meant.as_slice() {
            [] => Ok(()),
            meant => write!(f, "; did you mean `{}`?", meant.join("` or `")),
        }
    }
}

impl Error for UnknownGame {}

fn built_in() -> Folder {
    Folder::embedded(&EMBEDDED, "games/catalogue")
}

/// The games of all folders; a game takes the place of one with the same id in a folder before.
fn load(roots: &[Folder]) -> Result<Catalogue, CatalogueError> {
    let mut problems = Vec::new();
    let mut manifests: Vec<Manifest> = Vec::new();
    for root in roots {
        let before = problems.len();
        let read = read_folder(root, &mut problems);
        if read.is_empty() && problems.len() == before {
            let diagnostic =
                Diagnostic::error("empty-catalogue", Span::at(0), "there is no game here")
                    .help("a catalogue is a folder with one folder for each game");
            problems.push(whole(root.shown(), diagnostic));
        }
        manifests.retain(|old| read.iter().all(|new| new.entry.id != old.entry.id));
        manifests.extend(read);
    }
    find_repetitions(&manifests, &mut problems);
    if !problems.is_empty() {
        return Err(CatalogueError { problems });
    }
    let mut games: Vec<GameEntry> = manifests.into_iter().map(|manifest| manifest.entry).collect();
    games.sort_by(catalogue_order);
    Ok(Catalogue { games })
}

fn read_folder(root: &Folder, problems: &mut Vec<Problem>) -> Vec<Manifest> {
    match root.children() {
        Err(why) => {
            let message = format!("cannot read the catalogue: {why}");
            let diagnostic = Diagnostic::error("unreadable", Span::at(0), message);
            problems.push(whole(root.shown(), diagnostic));
            Vec::new()
        }
        Ok(children) => children
            .into_iter()
            .filter_map(|(name, kind)| read_child(root, &name, kind, problems))
            .collect(),
    }
}

fn read_child(
    root: &Folder,
    name: &str,
    kind: Kind,
    problems: &mut Vec<Problem>,
) -> Option<Manifest> {
    let mut fail = |code, message: String, help: &str| {
        let diagnostic = Diagnostic::error(code, Span::at(0), message).help(help);
        problems.push(whole(&root.shown_child(name), diagnostic));
    };
    if kind != Kind::Folder {
        fail(
            "stray-file",
            format!("`{name}` belongs to no game"),
            "a catalogue holds nothing but one folder for each game",
        );
        return None;
    }
    if !is_id(name) {
        fail("bad-id", format!("`{name}` cannot be the id of a game"), ID_SHAPE);
        return None;
    }
    manifest::read(name, &root.folder(name)?, problems)
}

/// Titles and rows of published tables stand for one game each.
fn find_repetitions(manifests: &[Manifest], problems: &mut Vec<Problem>) {
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    for manifest in manifests {
        let title = (format!("the title `{}`", manifest.entry.title), manifest.title_span);
        let rows = manifest.entry.paper.iter().zip(&manifest.paper_spans);
        let rows = rows.map(|(row, &span)| (format!("the row `{row}`"), span));
        for (claim, span) in std::iter::once(title).chain(rows) {
            if let Some(first) = seen.get(claim.as_str()) {
                let message = format!("{claim} is taken");
                let diagnostic = Diagnostic::error("repeated", span, message)
                    .label(format!("`{first}` has it already"));
                problems.push(Problem { source: manifest.source.clone(), diagnostic });
            } else {
                seen.insert(claim, &manifest.entry.id);
            }
        }
    }
}

/// A problem with a file or folder as a whole, not with a place in it.
fn whole(shown: &str, diagnostic: Diagnostic) -> Problem {
    Problem { source: Source::new(shown, ""), diagnostic }
}
