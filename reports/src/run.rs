//! A run: a folder with rows and the machine they were measured on.

mod plausible;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::record::Record;
use crate::rows::{self, Digest, Loaded, Phase, Sample};
use crate::table::{Order, Table};
use crate::text::printable;
use crate::{Error, published};

/// The folder with a picture of the start of each game, `ID.svg`.
const BOARDS: &str = "boards";

/// The largest picture that a page takes, in bytes.
const MAX_BOARD: u64 = 300_000;

/// The file of a run's folder for the picture of the start of a game; `None` for games whose names
/// are not those of one file in one folder everywhere.
pub fn board_file(dir: &Path, game: &str) -> Option<PathBuf> {
    let is_name = !game.starts_with('.')
        && (1..=120).contains(&game.len())
        && game.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    is_name.then(|| dir.join(BOARDS).join(format!("{game}.svg")))
}

/// The pictures of the games of some rows, as far as there are any that can be read.
fn boards(dir: &Path, samples: &[Sample]) -> BTreeMap<String, String> {
    let games: BTreeSet<&str> = samples.iter().map(|sample| sample.game.as_str()).collect();
    let read = |game: &str| {
        let path = board_file(dir, game)?;
        let size = std::fs::metadata(&path).ok()?.len();
        let svg = (size <= MAX_BOARD).then(|| std::fs::read_to_string(&path).ok())??;
        Some((game.to_owned(), svg))
    };
    games.into_iter().filter_map(read).collect()
}

/// Name of the file that describes the machine.
pub const MACHINE_FILE: &str = "machine.txt";

/// The rows of one run, with what else its folder tells.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// The rows, in file order.
    pub samples: Vec<Sample>,
    /// The text of `machine.txt`, if there is one.
    pub machine: Option<String>,
    /// The record of its start, if the folder has one.
    pub record: Option<Record>,
    /// The warnings of the reader, with file and line.
    pub warnings: Vec<String>,
    /// The warnings that say that the rows are not as they were measured: changed, doubled or lost.
    pub faults: Vec<String>,
    /// True if checksums vouch for the rows; older runs have none.
    pub has_checksums: bool,
    /// The picture of the start of each game by its id, as SVG; none in older runs.
    pub boards: BTreeMap<String, String>,
}

impl Run {
    /// Reads a run's folder.
    pub fn load(dir: &Path) -> Result<Self, Error> {
        let path = dir.join(rows::FILE_NAME);
        let Loaded { samples, lines, has_checksums, mut faults, mut warnings } =
            rows::read_file(&path)?;
        if samples.is_empty() {
            warnings.push(format!("{}: no rows", path.display()));
        }
        let machine = dir.join(MACHINE_FILE);
        let machine = match std::fs::read_to_string(&machine) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => return Err(Error::io(&machine)(error)),
        };
        // The figures do not need it.
        let record = Record::read(dir).unwrap_or_else(|error| {
            warnings.push(error.to_string());
            None
        });
        let found = plausible::findings(lines.into_iter().zip(&samples));
        let told = |(line, what): (u64, String)| format!("{}:{line}: {what}", rows::FILE_NAME);
        faults.extend(found.doubles.into_iter().map(told));
        warnings.extend(faults.iter().cloned());
        warnings.extend(found.oddities.into_iter().map(told));
        let boards = boards(dir, &samples);
        let mut run = Self { samples, machine, record, warnings, faults, has_checksums, boards };
        run.check();
        Ok(run)
    }

    /// A run that is still in memory.
    pub fn from_samples(samples: Vec<Sample>) -> Self {
        let mut run = Self {
            samples,
            machine: None,
            record: None,
            warnings: Vec::new(),
            faults: Vec::new(),
            has_checksums: false,
            boards: BTreeMap::new(),
        };
        run.check();
        run
    }

    /// The note on a run whose rows no checksums vouch for.
    pub fn note(&self) -> Option<&'static str> {
        let note = "there are no checksums of measurements.csv, so nothing vouches for its rows";
        (!self.has_checksums).then_some(note)
    }

    /// The aggregated table, games in the order of the suite.
    pub fn table(&self) -> Table {
        Table::new(&self.samples, Order::Measured)
    }

    /// The aggregated table in another order.
    pub fn table_in(&self, order: Order) -> Table {
        Table::new(&self.samples, order)
    }

    /// Adds warnings of what is odd about the rows as a whole.
    fn check(&mut self) {
        let papers: BTreeSet<&String> =
            self.samples.iter().flat_map(|sample| &sample.paper).collect();
        let unknown = papers.into_iter().filter(|paper| published::position(paper).is_none());
        let unknown = unknown.map(|paper| format!("no published row is called {paper:?}"));

        // The same playouts of the same engine must end the same way, whenever and on however many
        // threads they ran.
        let mut digests: BTreeMap<_, Digest> = BTreeMap::new();
        let mut unsteady: BTreeSet<(&str, &str)> = BTreeSet::new();
        for sample in self.samples.iter().filter(|sample| sample.phase != Phase::None) {
            let batch = (
                &sample.game,
                &sample.engine,
                sample.via,
                sample.seed,
                sample.first,
                sample.playouts,
            );
            if *digests.entry(batch).or_insert(sample.digest) != sample.digest {
                unsteady.insert((&sample.game, &sample.engine));
            }
        }
        let unsteady = unsteady.into_iter().map(|(game, engine)| {
            let what = format!(
                "{engine} played the same playouts of {game} twice with different \
                ends: its figures are not reproducible"
            );
            printable(&what).into_owned()
        });
        let mixed = mixtures(&self.samples);
        let warnings: Vec<String> = unknown.chain(unsteady).chain(mixed).collect();
        self.warnings.extend(warnings);
    }
}

/// Pairs whose rows are of several rules or builds, as where a file changed before a run went on:
/// their figures mix what should be apart.
fn mixtures(samples: &[Sample]) -> Vec<String> {
    let mut hashes: BTreeMap<_, BTreeSet<&str>> = BTreeMap::new();
    for sample in samples {
        for (what, hash) in [("rules", &sample.rules), ("builds", &sample.build)] {
            if !hash.is_empty() {
                hashes.entry((&sample.game, &sample.engine, what)).or_default().insert(hash);
            }
        }
    }
    let mixed = hashes.into_iter().filter(|(_, hashes)| hashes.len() > 1);
    let warning = |((game, engine, what), hashes): ((&String, &String, &str), BTreeSet<&str>)| {
        let list: Vec<&str> = hashes.into_iter().collect();
        let list = list.join(", ");
        printable(&format!(
            "{engine} on {game} has rows of several {what} ({list}): its figures mix them"
        ))
        .into_owned()
    };
    mixed.map(warning).collect()
}
