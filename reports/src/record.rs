//! The record of the start of a run, `run.toml` beside its rows, and the commands that measure it
//! again.

use std::path::Path;

use serde::Deserialize;

use crate::Error;
use crate::table::{Column, GameRow};
use crate::text::printable;

/// Name of the file inside a run's folder.
pub const FILE_NAME: &str = "run.toml";

/// Options of `run`, `bench` and `study` that take no value.
const FLAGS: [&str; 7] =
    ["--control", "--json", "--no-builtin", "--no-native", "--no-verify", "--quiet", "-q"];

/// Options that a command for one cell gives itself, or that say where to write and what to show.
const REPLACED: [&str; 16] = [
    "--suite",
    "--engines",
    "--via",
    "--no-native",
    "--threads",
    "--job",
    "--seed",
    "--sizes",
    "--control",
    "--baseline",
    "--out",
    "--shard",
    "--resume",
    "--json",
    "--quiet",
    "-q",
];

/// Options that only say where to write and how much to print.
const PLACE: [&str; 6] = ["--out", "--shard", "--resume", "--json", "--quiet", "-q"];

/// The command line that a run was begun with.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Record {
    /// Its words, without the program's name: `run`, `bench` or `study` comes first.
    pub arguments: Vec<String>,
}

/// A command line taken apart.
struct CommandLine<'r> {
    command: &'r str,
    /// Games, families or rule files.
    operands: Vec<&'r str>,
    /// Options by name, each with its value where it takes one.
    options: Vec<(&'r str, Option<&'r str>)>,
}

impl Record {
    /// Reads the record of a run's folder; `None` where there is none, as in old and in merged
    /// runs.
    ///
    /// # Errors
    /// A file that cannot be read, or that holds no command line.
    pub fn read(dir: &Path) -> Result<Option<Self>, Error> {
        let path = dir.join(FILE_NAME);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text.replace("\r\n", "\n").replace('\r', "\n"),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::io(&path)(error)),
        };
        let record = toml::from_str(&text).map_err(|error| {
            let before = error.span().map_or("", |span| text.get(..span.start).unwrap_or_default());
            let line = 1 + before.matches('\n').count() as u64;
            Error::malformed(&path, line, error.message())
        })?;
        Ok(Some(record))
    }

    /// The command that begins the whole run again, in a new folder. `None` where the record holds
    /// none that could be shown and typed.
    pub fn command(&self) -> Option<String> {
        let line = self.parse()?;
        let mut words = vec![line.command.to_owned()];
        words.extend(line.operands.iter().map(|&operand| operand.to_owned()));
        words.extend(line.kept(&PLACE));
        typed(words)
    }

    /// The name of the run for people: the command without its options, but for the suite. `None`
    /// as for [`Record::command`].
    pub fn name(&self) -> Option<String> {
        let line = self.parse()?;
        let mut words = vec![line.command.to_owned()];
        words.extend(line.operands.iter().map(|&operand| operand.to_owned()));
        if let Some((name, Some(suite))) = line.options.iter().find(|(name, _)| *name == "--suite")
        {
            words.extend([*name, *suite].map(str::to_owned));
        }
        typed(words)
    }

    /// The command that measures one cell of the run again, on its own: the same files or
    /// catalogue, the same options and protocol, and the cell's engine, loop, threads, job and
    /// seed. It holds in the folder where the run was begun.
    ///
    /// `None` where the record does not fit the cell.
    pub fn command_for(&self, game: &GameRow, column: &Column, seed: u64) -> Option<String> {
        let line = self.parse()?;
        let mut words = vec![line.command.to_owned()];
        match line.command {
            "run" => words.push(game.id.clone()),
            "study" => {
                let (family, size) = game.size.as_ref()?;
                words.extend([family.clone(), "--sizes".to_owned(), size.to_string()]);
            }
            "bench" => {
                // Files with the same stem are one game in several languages.
                let is_of_game = |file: &&str| {
                    let stem = Path::new(file).file_stem().map(|stem| stem.to_string_lossy());
                    stem.is_some_and(|stem| printable(&stem) == game.id)
                };
                let files: Vec<&str> = line.operands.iter().copied().filter(is_of_game).collect();
                if files.is_empty() {
                    return None;
                }
                words.extend(files.into_iter().map(str::to_owned));
            }
            _ => return None,
        }
        if words.iter().skip(1).any(|word| word.starts_with('-') && word != "--sizes") {
            return None;
        }
        words.extend(["--engines".to_owned(), column.engine.clone()]);
        words.extend(settings(column, seed));
        words.extend(line.kept(&REPLACED));
        typed(words)
    }

    fn parse(&self) -> Option<CommandLine<'_>> {
        let mut words = self.arguments.iter().map(String::as_str);
        let command = words.next().filter(|word| ["run", "bench", "study"].contains(word))?;
        let (mut operands, mut options) = (Vec::new(), Vec::new());
        while let Some(word) = words.next() {
            if word == "--" {
                operands.extend(words.by_ref());
            } else if !word.starts_with('-') || word == "-" {
                operands.push(word);
            } else if FLAGS.contains(&word) {
                options.push((word, None));
            } else if let Some((name, value)) = word.split_once('=') {
                options.push((name, Some(value)));
            } else {
                options.push((word, Some(words.next()?)));
            }
        }
        Some(CommandLine { command, operands, options })
    }
}

impl CommandLine<'_> {
    /// The options, but for some, as words.
    fn kept(&self, but: &[&str]) -> Vec<String> {
        let kept = self.options.iter().filter(|(name, _)| !but.contains(name));
        kept.flat_map(|&(name, value)| match value {
            // A value such as `-1` would be taken for an option of its own.
            Some(value) if value.starts_with('-') => vec![format!("{name}={value}")],
            Some(value) => vec![name.to_owned(), value.to_owned()],
            None => vec![name.to_owned()],
        })
        .collect()
    }
}

/// The options that the rows of a column were measured with, as far as they tell.
pub fn settings(column: &Column, seed: u64) -> Vec<String> {
    let mut words = vec!["--via".to_owned(), column.via.word().to_owned()];
    let mut option = |name: &str, value: String| words.extend([name.to_owned(), value]);
    if column.threads != 1 {
        option("--threads", column.threads.to_string());
    }
    if let Some(job) = column.job {
        option("--job", job.to_string());
    }
    option("--seed", seed.to_string());
    if column.control {
        words.push("--control".to_owned());
    }
    words
}

/// The words as a shell takes them, after the program's name. `None` where a word holds what no
/// page may show.
fn typed(words: Vec<String>) -> Option<String> {
    let words = std::iter::once("ggpbench").chain(words.iter().map(String::as_str));
    let line = shlex::try_join(words).ok()?;
    (printable(&line) == line).then_some(line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::Via;

    fn record(line: &str) -> Record {
        Record { arguments: shlex::split(line).unwrap() }
    }

    fn game(id: &str) -> GameRow {
        let (id, title) = (id.to_owned(), id.to_owned());
        GameRow { id, title, paper: Vec::new(), players: 2, size: None }
    }

    fn column(engine: &str) -> Column {
        let engine = engine.to_owned();
        Column { engine, via: Via::Fast, threads: 1, job: None, tabled: false, control: false }
    }

    #[test]
    fn a_run_is_known_by_what_was_asked_for() {
        let name = |line: &str| record(line).name().unwrap();
        assert_eq!(name("run --engines a,b --suite=table1 --out x"), "ggpbench run --suite table1");
        assert_eq!(name("run hex-9x9 --protocol 2s"), "ggpbench run hex-9x9");
        assert_eq!(name("bench 'my game.lud' --quiet"), "ggpbench bench 'my game.lud'");
        assert_eq!(name("run"), "ggpbench run");
        assert_eq!(record("verify hex-9x9").name(), None);
    }

    fn again(line: &str, id: &str) -> Option<String> {
        record(line).command_for(&game(id), &column("rbg"), 7)
    }

    #[test]
    fn a_game_of_the_catalogue() {
        assert_eq!(
            again("run --suite smoke --protocol=5s --out runs/x -q --seed 3", "hex-9x9").unwrap(),
            "ggpbench run hex-9x9 --engines rbg --via fast --seed 7 --protocol 5s"
        );
        assert_eq!(
            again(
                "run --games 'my games' --no-builtin --json --until 2% hex go --threads 1,2",
                "go"
            )
            .unwrap(),
            "ggpbench run go --engines rbg --via fast --seed 7 --games 'my games' --no-builtin \
             --until '2%'"
        );
    }

    #[test]
    fn files_of_ones_own() {
        let line = "bench 'a/my game.lud' b.kif 'c/my game.kif' --option 'Size/5x5' --cap 50";
        assert_eq!(
            again(line, "my game").unwrap(),
            "ggpbench bench 'a/my game.lud' 'c/my game.kif' --engines rbg --via fast --seed 7 \
             --option Size/5x5 --cap 50"
        );
        assert_eq!(again(line, "c"), None, "no file has this stem");
        assert_eq!(again("bench -- -x.lud", "-x"), None, "a word that reads as an option");
    }

    #[test]
    fn a_size_of_a_family() {
        let mut hex = game("hex-5");
        assert_eq!(record("study").command_for(&hex, &column("rbg"), 1), None);
        hex.size = Some(("hex".to_owned(), 5));
        let column = Column { threads: 2, job: Some(64), via: Via::Batch, ..column("rbg") };
        assert_eq!(
            record("study hex go --sizes 3,5 --families=f").command_for(&hex, &column, 1).unwrap(),
            "ggpbench study hex --sizes 5 --engines rbg --via batch --threads 2 --job 64 --seed 1 \
             --families f"
        );
    }

    #[test]
    fn the_whole_run() {
        let line = "run --suite smoke --out runs/1 --shard 1/4 --quiet --threads 1,2";
        assert_eq!(record(line).command().unwrap(), "ggpbench run --suite smoke --threads '1,2'");
    }

    #[test]
    fn what_cannot_be_typed_is_not_shown() {
        for line in ["", "merge a b", "run --protocol"] {
            assert_eq!(again(line, "go"), None, "{line}");
            assert_eq!(record(line).command(), None, "{line}");
        }
        let escape = Record { arguments: vec!["run".into(), "--games=\u{1b}[2J".into()] };
        assert_eq!(escape.command(), None);
        assert_eq!(Record { arguments: vec!["run".into(), "a\0".into()] }.command(), None);
    }
}
