//! Conformance of whole folders of rule files: every file on every engine that reads its language.
//!
//! A file is loaded, checked, played, compared with what other systems recorded and with the other
//! engines; each engine in a process of its own with limits of time and memory. What came of it
//! is one [`Row`] for each pair of file and engine.

mod cell;
mod judge;
mod oracle;
mod records;
mod row;
mod summary;
mod table;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use play::{Language, Rules};
use reports::text::printable;

pub use oracle::{Figures, Oracle};
pub use records::{Mistakes, Records};
pub use row::{Record, Row};
pub use summary::summary;
pub use table::Rows;

use crate::client::Bounds;
use crate::engine_set::EngineSet;
use crate::entry::{read_bounded, read_parts, text_of};
use crate::identity;

/// The settings of checking a file.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Limits of a worker. The time is for a single answer: compiling the rules, or replaying all
    /// recorded games.
    pub bounds: Bounds,
    /// Time for each of: playouts, fingerprints, and walks with another engine.
    pub play: Duration,
    /// Ply cap.
    pub cap: u32,
    /// Seed of everything drawn.
    pub seed: u64,
}

/// The records and figures of other systems for the files.
#[derive(Debug, Default)]
pub struct Known {
    /// Games that they recorded.
    pub records: Records,
    /// Figures that they gave.
    pub oracle: Oracle,
    /// The records and figures that are known to be wrong.
    pub mistakes: Mistakes,
}

/// A rule file in a folder, with the options that it is played with.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RuleFile {
    /// Its path below the folder, parts joined by `/`, and its options in brackets behind it; made
    /// printable.
    pub name: String,
    /// Its path in the file system.
    pub path: PathBuf,
    /// Its language, by its extension.
    pub language: Language,
    /// The options that are chosen; the defaults are not named.
    pub options: Vec<String>,
}

/// The options that files are played with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choices {
    /// The defaults alone.
    Defaults,
    /// These together, in all files that have each of them; other files are left out.
    Named(Vec<String>),
    /// The defaults, and beside them each other item by itself, in so many ways at most a file.
    All(usize),
}

/// The files with the options that they are played with, sorted by name.
pub fn with_options(files: Vec<RuleFile>, choices: &Choices) -> Vec<RuleFile> {
    let most = match choices {
        Choices::Defaults => return files,
        Choices::Named(_) => 1,
        Choices::All(most) => *most,
    };
    let mut all = Vec::new();
    for file in files {
        let there = read_bounded(&file.path).ok().and_then(|bytes| {
            roster::choices(&Rules::new(file.language, file.name.clone(), text_of(&bytes)))
        });
        let there = there.unwrap_or_default();
        let ways: Vec<Vec<String>> = match choices {
            Choices::Defaults => Vec::new(),
            Choices::Named(names) => {
                // By the names of the file, which blanks at their ends are no part of.
                let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
                let plain = |name: &str| name.splitn(2, '/').map(words).collect::<Vec<_>>();
                let find = |name: &String| {
                    let found = there.iter().find(|choice| plain(&choice.name) == plain(name));
                    found.map(|choice| choice.name.clone())
                };
                names.iter().map(find).collect::<Option<_>>().into_iter().collect()
            }
            Choices::All(_) => {
                let others = there.iter().filter(|choice| !choice.holds);
                let others = others.map(|choice| vec![choice.name.clone()]);
                std::iter::once(Vec::new()).chain(others).collect()
            }
        };
        all.extend(ways.into_iter().take(most).map(|options| file.choosing(options)));
    }
    all.sort();
    all
}

impl RuleFile {
    /// The file with some options chosen.
    fn choosing(&self, options: Vec<String>) -> RuleFile {
        let name = match &options[..] {
            [] => self.name.clone(),
            options => format!("{} [{}]", self.name, printable(&options.join("; "))),
        };
        RuleFile { name, options, ..self.clone() }
    }

    /// The path of its records below their folder, without an ending: that of the file itself, and
    /// below it a folder for each option.
    fn record_path(&self) -> PathBuf {
        let Some(chosen) = self.options.first() else { return PathBuf::from(&self.name) };
        let path = self.name.split(" [").next().unwrap_or_default();
        let options = self.options[1..].iter().fold(chosen.clone(), |all, one| all + "; " + one);
        // The names are the author's: they must not lead out of the folder.
        let options = options.replace("..", "_");
        let options = options.trim_start_matches('/');
        Path::new(path).with_extension("").join(options).with_added_extension("lud")
    }
}

/// The rule files below a folder, sorted by name. Hidden folders are left out, and links to folders
/// are not followed.
pub fn rule_files(folder: &Path) -> Result<Vec<RuleFile>> {
    let mut files = Vec::new();
    let mut folders = vec![(folder.to_owned(), String::new())];
    while let Some((folder, prefix)) = folders.pop() {
        let entries = std::fs::read_dir(&folder)
            .with_context(|| format!("cannot read the folder {}", folder.display()))?;
        for entry in entries {
            let entry = entry.with_context(|| format!("cannot read {}", folder.display()))?;
            let part = printable(&entry.file_name().to_string_lossy()).to_string();
            if part.starts_with('.') {
                continue;
            }
            let (path, name) = (entry.path(), format!("{prefix}{part}"));
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push((path, format!("{name}/")));
            } else if let Some(extension) = path.extension()
                && let Some(language) = Language::of_extension(&extension.to_string_lossy())
            {
                files.push(RuleFile { name, path, language, options: Vec::new() });
            }
        }
    }
    files.sort();
    Ok(files)
}

/// A file that was read, or why it was not.
pub(crate) struct Text {
    rules: Result<Rules, String>,
    sha256: String,
}

impl Text {
    fn read(file: &RuleFile) -> Text {
        match read_bounded(&file.path) {
            Ok(bytes) => {
                let sha256 = identity::sha256(&bytes);
                let mut rules = Rules::new(file.language, file.name.clone(), text_of(&bytes));
                rules.options.clone_from(&file.options);
                let rules = read_parts(&mut rules, &file.path).map(|()| rules);
                Text { rules: rules.map_err(|error| error.to_string()), sha256 }
            }
            // The whole chain of reasons names paths of this machine.
            Err(error) => Text {
                rules: Err(format!("cannot be read: {}", error.root_cause())),
                sha256: String::new(),
            },
        }
    }
}

/// Checks files on all engines that read them, several at a time, and adds the rows to the table as
/// they come. Files whose rows are there already, of the same text, are left alone. `progress` is
/// told the rows of each file, none for a file that was left alone.
pub fn run(
    files: &[RuleFile],
    engine_set: &EngineSet,
    known: &Known,
    settings: &Settings,
    jobs: usize,
    rows: &mut Rows,
    progress: &(dyn Fn(&str, &[Row]) + Sync),
) -> Result<()> {
    let rows = Mutex::new(rows);
    let next = AtomicUsize::new(0);
    let trouble = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::SeqCst)) {
                    if let Err(error) = one(file, engine_set, known, settings, &rows, progress) {
                        next.store(files.len(), Ordering::SeqCst);
                        if let Ok(mut trouble) = trouble.lock() {
                            trouble.get_or_insert(error);
                        }
                    }
                }
            });
        }
    });
    match trouble.into_inner() {
        Ok(Some(error)) => Err(error),
        _ => Ok(()),
    }
}

fn one(
    file: &RuleFile,
    engine_set: &EngineSet,
    known: &Known,
    settings: &Settings,
    rows: &Mutex<&mut Rows>,
    progress: &(dyn Fn(&str, &[Row]) + Sync),
) -> Result<()> {
    let poisoned = || anyhow::anyhow!("another job broke down");
    let engines: Vec<_> = engine_set
        .programs()
        .iter()
        .filter(|p| p.languages.iter().any(|l| l == file.language.name()))
        .collect();
    let text = Text::read(file);
    let names: Vec<&str> = engines.iter().map(|p| p.engine.as_str()).collect();
    if rows.lock().map_err(|_| poisoned())?.has(&file.name, &text.sha256, &names) {
        progress(&file.name, &[]);
        return Ok(());
    }
    let found = judge::judge(file, &text, &engines, known, settings);
    rows.lock().map_err(|_| poisoned())?.add(&found)?;
    progress(&file.name, &found);
    Ok(())
}
