//! The commands of `ggpbench`. All print by way of `output`.
#![warn(clippy::print_stdout, clippy::print_stderr)]

mod analyse;
mod check;
mod compare;
mod completions;
mod conform;
mod constructs;
mod contest;
mod draw;
mod engine_check;
mod expand;
mod inspect;
mod json;
mod keeper;
mod languages;
mod list;
mod ludemes;
mod man;
mod merge;
mod mutate;
mod odds;
mod peers;
mod perft;
mod plan;
mod play;
mod rank;
mod record;
mod replay;
mod report;
mod rows;
mod run;
mod select;
mod solve;
#[cfg(test)]
mod tests;
mod universal;
mod verify;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use clap_complete::Shell;

use reports::{Verdict, Via as Way};

use crate::measure::Protocol;
use crate::output::{self, OutputError};
use crate::playout_ids;
use crate::shard::Shard;
use crate::verify::fails;

/// The way in which a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Fine: exit code 0.
    Fine,
    /// Something failed or was wrong: exit code 1.
    Failed,
}

impl Outcome {
    /// Fine unless an engine is wrong, died or hung, or rules are faulty. That an engine lacks
    /// something or meets a limit is an answer.
    fn of(verdicts: impl IntoIterator<Item = Verdict>) -> Outcome {
        if fails(verdicts) { Outcome::Failed } else { Outcome::Fine }
    }
}

#[derive(Parser, Debug)]
#[command(
    name = "ggpbench",
    version,
    about = "Compares game description languages and the engines that run them",
    long_about = "Plays the same games, described in several languages, on several engines; \
proves that they play the same game; measures random playouts per second; writes tables, CSV and \
charts.\n\n\
Without a command, `run` verifies and measures the suite `core`.",
    after_help = "Examples:\n  \
ggpbench                                   verify and measure fourteen games, quickly\n  \
ggpbench run --suite smoke                 four small games\n  \
ggpbench run connect-4-6x7 --engines ludeme,propnet --protocol 10s\n  \
ggpbench bench mygame.lud mygame.kif       rule files of your own\n  \
ggpbench check mygame.lud                  what is wrong with it?\n  \
ggpbench play reversi-8x8                  play against a random player\n\n\
Exit codes: 0 fine, 1 something failed or was WRONG, 2 usage, 130 stopped by a second Ctrl-C, \
141 the reader of the output left.\n\
An engines.toml in the working directory names programs that are run as engines; a line on \
standard error\nsays so, and --engines-file /dev/null leaves them out."
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Verify and measure games of the catalogue (the default)
    #[command(after_help = "Examples:\n  \
ggpbench run --suite smoke\n  \
ggpbench run hex-9x9 reversi-8x8 --engines bitboard,ludeme --protocol 5s --out runs/hex\n  \
ggpbench run --protocol paper --threads 2\n  \
ggpbench run --suite smoke --threads 1,2,4,8\n  \
ggpbench run --suite smoke --job 1,8,64,512,4096\n  \
ggpbench run --resume runs/hex")]
    Run(RunArgs),
    /// Measure how cost grows with the size of the board
    #[command(after_help = "The families are Hex, Breakthrough and others, at any size \
(`ggpbench list`); their rules are made from templates.\n\nExamples:\n  ggpbench study\n  \
ggpbench study hex breakthrough --engines ludeme,rbg,propnet --protocol 2s --out runs/growth\n  \
ggpbench study hex --sizes 3,5,7,9,11,13,15")]
    Study(StudyArgs),
    /// List the games, engines, suites and families, the agents, or the options of a rule file
    #[command(after_help = "Examples:\n  ggpbench list\n  ggpbench list --agents\n  \
ggpbench list mygame.lud --options")]
    List(list::ListArgs),
    /// Prove that the engines play the same games, and print a matrix
    #[command(after_help = "Examples:\n  ggpbench verify\n  ggpbench verify hex-9x9 --seconds 20 \
            --details\n  ggpbench verify connect-4-6x7 --position \"d1 d2\"")]
    Verify(verify::VerifyArgs),
    /// Count the leaves of a game tree
    #[command(after_help = "In games of chance, each outcome behind a ply is a leaf of its own; \
chance before the first ply has the first outcome of each draw.\n\nExamples:\n  \
ggpbench perft connect-4-6x7 --depth 7\n  \
ggpbench perft mygame.kif --depth 4 --engines propnet\n  \
ggpbench perft mygame.lud --option \"Board Size/8x8\"\n  \
ggpbench perft connect-4-6x7 --position \"d1 d2 d3\"\n  \
ggpbench perft chess --depth 3 --position \"8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1\"\n  \
ggpbench perft chess --depth 3 --position kiwipete")]
    Perft(perft::PerftArgs),
    /// Verify and measure rule files of your own
    #[command(
        after_help = "Files with the same name and different extensions are one game in several \
languages, and are compared.\n\nExamples:\n  ggpbench bench mygame.kif\n  \
ggpbench bench mygame.lud mygame.kif --protocol 5s --out runs/mygame"
    )]
    Bench(BenchArgs),
    /// Say what is wrong with rule files, without playing them
    #[command(after_help = "Example:\n  ggpbench check mygame.lud other.kif")]
    Check(check::CheckArgs),
    /// Print a description with its options chosen and its macros replaced
    #[command(after_help = "Example:\n  ggpbench expand mygame.lud --option \"Board Size/8x8\" > \
            plain.lud\n  ggpbench expand --modern old.lud > new.lud")]
    Expand(expand::ExpandArgs),
    /// Find the solutions of a deduction puzzle, and say whether there is only one
    #[command(after_help = "Examples:\n  ggpbench solve mypuzzle.lud\n  \
ggpbench solve games/catalogue/queens-8/rules.lud --limit 1000")]
    Solve(solve::SolveArgs),
    /// Look up ludemes: how they are written, what they mean, and whether they are played
    #[command(after_help = "Without a word, all are listed, a line each.\n\nExamples:\n  \
ggpbench ludemes\n  ggpbench ludemes satisfy\n  ggpbench ludemes is line")]
    Ludemes(ludemes::LudemesArgs),
    /// Look up constructs of Regular Games (HRG and RG): how they are written, and what they mean
    #[command(after_help = "Without a word, all are listed, a line each.\n\nExamples:\n  \
ggpbench constructs\n  ggpbench constructs branch in\n  ggpbench constructs percept")]
    Constructs(constructs::ConstructsArgs),
    /// Say what a game is like, from random games: length, choices, ends, balance, luck, size
    #[command(
        after_help = "bench/README.md defines the figures. Of the engines that read a game, \
the first one that loads it plays.\n\nExamples:\n  ggpbench analyse connect-4-6x7 kuhn-poker\n  \
ggpbench analyse mygame.lud --option \"Board Size/8x8\" --playouts 2000 --plies 200000\n  \
ggpbench analyse rules/ --csv figures.csv"
    )]
    Analyse(analyse::AnalyseArgs),
    /// Check a folder of rule files: each loaded, played and compared on every engine that reads it
    #[command(
        after_help = "Writes a row for each file and engine, as they come; the same command \
goes on after a stop, and does files again that have changed.\n\nExamples:\n  \
ggpbench conform rules/\n  \
ggpbench conform rules/ --traces recorded/ --jobs 2 --seconds 20 --out runs/rules\n  \
ggpbench conform rules/ --engines prover,propnet --again timeout,crashed"
    )]
    Conform(conform::ConformArgs),
    /// Check that a program speaks the worker protocol, and say precisely where it does not
    #[command(after_help = "Examples:\n  \
ggpbench engine-check -- python3 engines/example/tic_tac_toe.py\n  \
ggpbench engine-check mygame.kif -- ./my-engine --worker")]
    EngineCheck(engine_check::EngineCheckArgs),
    /// Install other people's systems as engines, and say which there are
    #[command(
        after_help = "They are installed into $GGPBENCH_PEERS, or ggpbench/peers in your cache \
folder, and take part where `--engines` names them or `--peers` is given.\n\nExamples:\n  \
ggpbench peers list\n  ggpbench peers install openspiel\n  \
ggpbench peers install ludii --jar Ludii.jar\n  ggpbench peers check openspiel"
    )]
    Peers(peers::PeersArgs),
    /// Show what engines make of a description: sizes after each step, and a graph
    #[command(after_help = "Examples:\n  ggpbench inspect connect-4-6x7\n  \
ggpbench inspect mygame.kif --engines propnet --dot mygame.dot")]
    Inspect(inspect::InspectArgs),
    /// Compare the description languages by the descriptions of the same games: size, reach, change,
    /// mistakes, and more
    #[command(
        after_help = "A file of facts is written for each part, and the report that follows \
from them.\n\nExamples:\n  ggpbench languages --out runs/languages\n  \
ggpbench languages hex-9x9 breakthrough-8x8 --parts size --out runs/two\n  \
ggpbench languages --again --out runs/languages"
    )]
    Languages(languages::LanguagesArgs),
    /// Make children of a rule file, by random edits and by parts of other files
    #[command(after_help = "The same file, seed, number and other files give the same child.\n\n\
Examples:\n  ggpbench mutate mygame.lud --children 3 --edits 2\n  \
ggpbench mutate mygame.kif --with other.kif another.kif --viable --out children\n  \
ggpbench mutate mygame.lud --seed 7 --first 42 --children 1")]
    Mutate(mutate::MutateArgs),
    /// Play a game, at the terminal or on a page, against any agent
    #[command(after_help = "Examples:\n  ggpbench play reversi-8x8\n  \
ggpbench play connect-4-6x7 --against uct --time 1s\n  \
ggpbench play chess --against uct --web\n  \
ggpbench play mygame.lud --you 2 --record mine.jsonl\n  ggpbench play hex-9x9 --you none --seed 7")]
    Play(play::PlayArgs),
    /// Draw a position: as text, or as a picture (SVG or PNG)
    #[command(after_help = "Without --svg, --png and --out it is text.\n\nExamples:\n  \
ggpbench draw nine-mens-morris --plies 12 --out mills.svg\n  \
ggpbench draw chess --position kiwipete --legal --png --out kiwipete.png\n  \
ggpbench draw mygame.kif --engine prover --svg > start.svg")]
    Draw(draw::DrawArgs),
    /// Play games by agents, and write them as trials
    #[command(after_help = "bench/trials.md documents the format.\n\nExamples:\n  \
ggpbench record tic-tac-toe-3x3 --out random.jsonl\n  \
ggpbench record connect-4-6x7 -n 20 --agents uct random --iterations 200 --out games.jsonl")]
    Record(record::RecordArgs),
    /// Play recorded games again, of our own or of anybody's, and compare
    #[command(
        after_help = "Of trials, labels, percepts, turns and scores are compared. Records in PGN, \
SGF and PDN, matches of GGP servers and trials of Ludii are followed on every engine of their game: \
the first illegal move, and a wrong end or result, are shown with their places.\nExit code 1 if \
something differs or cannot be read, or nothing can be followed.\n\nExamples:\n  \
ggpbench replay random.jsonl\n  ggpbench replay random.jsonl --engine propnet\n  \
ggpbench replay games.jsonl --trial 3 --step\n  \
ggpbench replay chess.pgn games/\n  \
ggpbench replay match.json --game ticTacToe.kif"
    )]
    Replay(replay::ReplayArgs),
    /// Agents against each other: payoffs, wins, ratings with intervals
    #[command(
        name = "match",
        after_help = "At games for one, each agent plays alone, all with the same seeds.\n\n\
            Examples:\n  \
ggpbench match uct random --games 10\n  \
ggpbench match uct flat random --game connect-4-6x7 breakthrough-6x6 --iterations 200\n  \
ggpbench match uct 'program:python3 engines/example/agent.py' --time 50ms --jobs 2 --out runs/match"
    )]
    Match(contest::MatchArgs),
    /// Show the odds of pits, wumpus and gold in a Wumpus world, after what its explorer perceived
    #[command(
        after_help = "Labels and percepts are those of the game wumpus-4x4.\n\nExamples:\n  \
ggpbench odds 'forward: breeze' 'left: breeze' 'left: breeze' 'forward:'\n  ggpbench odds \
--trials games.jsonl --trial 2 --ply 5"
    )]
    Odds(odds::OddsArgs),
    /// Write all tables and charts of a run again from its measurements.csv
    #[command(
        after_help = "Example:\n  ggpbench report runs/2026-01-31T12-00-00 --baseline ludeme"
    )]
    Report(report::ReportArgs),
    /// Compare two runs, cell by cell
    #[command(after_help = "Example:\n  ggpbench compare runs/before runs/after --threshold 10")]
    Compare(compare::CompareArgs),
    /// Rank the engines of a run over the games that two or more of them play
    #[command(after_help = "Examples:\n  ggpbench rank runs/2026-01-31T12-00-00\n  \
ggpbench rank runs/table1 --engines ludeme,propnet,rbg")]
    Rank(rank::RankArgs),
    /// Share a run among the tasks of a Slurm job array or of GNU parallel
    #[command(
        after_help = "Writes the folder of the run with `job.sbatch`, and prints how to start it \
and how to join the parts.\n\nExamples:\n  ggpbench plan --shards 4 --out runs/table1 -- --suite \
table1\n  \
ggpbench plan --shards 29 --out runs/paper --time 2-00:00:00 -- --suite table1 --protocol paper"
    )]
    Plan(plan::PlanArgs),
    /// Join the parts of a run that several tasks or machines shared
    #[command(after_help = "Example:\n  ggpbench merge --out runs/table1/all runs/table1/part-1 \
            runs/table1/part-2")]
    Merge(merge::MergeArgs),
    /// Write a game as a graph with one token, in ludemes and GDL, and prove that it is the same
    /// game
    #[command(after_help = "Any finite deterministic game of full information can be written so \
(theorem 1 of the Ludii paper); games of chance and hidden information as a tree in which nature draws.\
\n\nExamples:\n  ggpbench universal tic-tac-toe-3x3 --out \
runs/graphs\n  ggpbench universal kuhn-poker\n  \
ggpbench universal mygame.kif --tree --nodes 5000\n  \
ggpbench universal --table --csv table.csv")]
    Universal(universal::UniversalArgs),
    /// Print a completion script for a shell
    #[command(after_help = "Example:\n  ggpbench completions bash > \
            ~/.local/share/bash-completion/completions/ggpbench")]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page, or write those of all commands into a folder
    #[command(after_help = "Examples:\n  ggpbench man > ggpbench.1\n  \
ggpbench man --out ~/.local/share/man/man1")]
    Man(man::ManArgs),
    /// Serve one engine over the worker protocol
    #[command(hide = true)]
    Worker {
        /// Name of the engine
        engine: String,
    },
    /// Refuse every request of the worker protocol, for this reason
    #[command(hide = true)]
    Unavailable {
        /// The reason
        reason: String,
    },
    /// Limit the memory of this process and become another program
    #[command(hide = true)]
    Limit {
        /// Address space in bytes; 0 for no limit
        bytes: u64,
        /// The only core to run on
        #[arg(long)]
        core: Option<usize>,
        /// Control group to join
        #[arg(long)]
        group: Option<PathBuf>,
        /// Program and arguments
        #[arg(last = true, required = true)]
        command: Vec<String>,
    },
    /// Run a program below this process, with all that it starts, and end as it does
    #[command(hide = true)]
    Supervise {
        /// Program and arguments
        #[arg(last = true, required = true)]
        command: Vec<String>,
    },
}

/// How to measure and where to write.
#[derive(Args, Clone, Debug)]
struct Measuring {
    /// How long to measure: `quick` (a third of a second a pair), `paper` (ten minutes a pair), or
    /// seconds a pair, such as `5s`; the time is shared by several processes of each pair
    #[arg(long, default_value = "quick", value_name = "PROTOCOL")]
    protocol: Protocol,
    /// Worker processes of a pair, if not those of the protocol; the interval is made of the spread
    /// between them
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    processes: Option<u32>,
    /// Samples of each process, if not those of the protocol
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    rounds: Option<u32>,
    /// Go on with more processes until each interval is this narrow, such as `2%` to either side;
    /// at most ten times as many as the protocol has
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    until: Option<f64>,
    /// Ways of playing to measure, separated by commas: `fast`, `reference` (the generic loop over
    /// listed actions), `batch` (side by side, where the engine can), `listed` (whichever loop
    /// lists all legal actions of every position, as published figures were measured),
    /// `interpreted` (without machine code, where the engine makes it), `uct` (searches, a playout
    /// a simulation)
    #[arg(long, value_delimiter = ',', default_value = "fast,batch", value_name = "WAYS")]
    via: Vec<Way>,
    /// Also measure without machine code, where the engine makes it: what a language costs, beside
    /// what its compiler gains; the same as one more way, `interpreted`
    #[arg(long)]
    no_native: bool,
    /// Simulations of each search of `--via uct`
    #[arg(long, default_value_t = 1000, value_name = "NUMBER",
          value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    simulations: u32,
    /// Measure each column twice: the ratio of the two is a control that must hold 1 (A/A test)
    #[arg(long)]
    control: bool,
    /// Run workers on this core only (those with one thread)
    #[arg(long, value_name = "NUMBER")]
    core: Option<usize>,
    /// Threads that share the playouts of a pair; several numbers, separated by commas, make a
    /// curve
    #[arg(long, default_value = "1", value_delimiter = ',', value_name = "NUMBERS",
          value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Vec<u32>,
    /// Playouts that an engine is given at once, if not a whole sample; several numbers make a
    /// curve
    #[arg(long, value_delimiter = ',', value_name = "NUMBERS",
          value_parser = clap::value_parser!(u64).range(1..=1 << 32))]
    job: Vec<u64>,
    /// Seed of everything drawn, which repeats a run [default: one that nobody can know beforehand]
    #[arg(long, default_value_t = playout_ids::random_seed(), hide_default_value = true)]
    seed: u64,
    /// Folder for the results [default: runs/<date and time>]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Engine that speed-ups are over; if none is named, the slowest of those with the most games
    #[arg(long, value_name = "ENGINE")]
    baseline: Option<String>,
    /// Skip the proof; figures are then marked `unchecked`
    #[arg(long)]
    no_verify: bool,
    /// Print no progress
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    json: json::Json,
}

impl Measuring {
    /// The ways of playing to measure, in the order of columns.
    fn ways(&self) -> Vec<Way> {
        let mut ways = self.via.clone();
        if self.no_native && !ways.contains(&Way::Interpreted) {
            ways.push(Way::Interpreted);
        }
        ways
    }

    /// Simulations of the searches that are to be measured, and 0 if playouts are.
    fn simulations_of_pairs(&self) -> Vec<u32> {
        let ways = self.ways();
        let searches = ways.contains(&Way::Uct);
        let playouts = ways.iter().any(|way| *way != Way::Uct);
        let kinds = [(playouts, 0), (searches, self.simulations)];
        kinds.into_iter().filter_map(|(wanted, of_each)| wanted.then_some(of_each)).collect()
    }
}

/// A share given in per cent, such as `2%` or `2`.
fn percent(text: &str) -> Result<f64, String> {
    match text.trim_end_matches('%').parse::<f64>() {
        Ok(percent) if percent > 0.0 && percent < 100.0 => Ok(percent / 100.0),
        _ => Err("expected a number of per cent, such as 2%".to_owned()),
    }
}

/// The options that a run is begun with, and goes on with: all options of `run` but `--quiet` and
/// `--json`.
const BEGUN_WITH: [&str; 26] = [
    "games",
    "suite",
    "shard",
    "position",
    "catalogue",
    "no_builtin",
    "names",
    "externals",
    "peers",
    "memory",
    "patience",
    "protocol",
    "rounds",
    "via",
    "no_native",
    "simulations",
    "threads",
    "job",
    "seed",
    "out",
    "baseline",
    "no_verify",
    "processes",
    "until",
    "control",
    "core",
];

#[derive(Args, Clone, Debug)]
struct RunArgs {
    /// Games of the catalogue, by id [default: those of --suite, of the folder of --games, or else
    /// of the suite `core`]
    games: Vec<String>,
    /// A named list of games: see `ggpbench list`
    #[arg(long, conflicts_with = "games")]
    suite: Option<String>,
    /// Measure only a share of the games, such as 1/4, the first of four: see `ggpbench plan`
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Go on with the run in this folder, as it was begun, where it was stopped or killed
    #[arg(long, value_name = "DIR", conflicts_with_all = BEGUN_WITH)]
    resume: Option<PathBuf>,
    #[command(flatten)]
    at: select::At,
    #[command(flatten)]
    place: select::CatalogueArgs,
    #[command(flatten)]
    engines: select::Engines,
    #[command(flatten)]
    measuring: Measuring,
}

#[derive(Args, Clone, Debug)]
struct StudyArgs {
    /// Families, by id [default: all]
    families: Vec<String>,
    /// Sizes, if not those that a family names itself
    #[arg(long, value_delimiter = ',')]
    sizes: Vec<u32>,
    /// A parameter of the families besides the size, such as alive=2; may be given several times
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = select::parameter)]
    parameters: Vec<(String, u32)>,
    /// Families to use instead of the built-in ones: a folder of family folders
    #[arg(long = "families", id = "folder", value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Games of your own besides the built-in ones, which the `[catalogue]` of a family may name: a
    /// folder of game folders
    #[arg(long = "games", id = "catalogue", value_name = "DIR")]
    catalogue: Option<PathBuf>,
    #[command(flatten)]
    engines: select::Engines,
    #[command(flatten)]
    measuring: Measuring,
}

#[derive(Args, Clone, Debug)]
struct BenchArgs {
    #[command(flatten)]
    files: select::Files,
    #[command(flatten)]
    at: select::At,
    #[command(flatten)]
    engines: select::Engines,
    #[command(flatten)]
    measuring: Measuring,
}

/// Exit code of a command that failed, or found that something is wrong.
const FAILED: u8 = 1;

/// Exit code of a command line that asks for what there is not. Clap has the same.
const USAGE: u8 = 2;

/// Exit code where a second Ctrl-C did not wait for the end of a run, as shells give it for that
/// signal.
const INTERRUPTED: u8 = 128 + 2;

/// The exit code that a shell reports of a program that the signal of a broken pipe ended. It is
/// not 0, because a reader that leaves early must not turn a failure that was not printed yet into
/// a success.
const READER_LEFT: u8 = 128 + 13;

/// Parses the command line, runs the command and gives the exit code.
pub fn main() -> ExitCode {
    crate::client::this_is_the_command();
    match completions::answer() {
        Ok(false) => {}
        Ok(true) => return ExitCode::SUCCESS,
        Err(error) => {
            errln!("{}", error.to_string().trim_end());
            return ExitCode::from(FAILED);
        }
    }
    let ended = carry_out().and_then(|outcome| {
        json::end(json::code(outcome), None)?;
        Ok(output::flush().map(|()| json::code(outcome))?)
    });
    ExitCode::from(ended.unwrap_or_else(|error| {
        if error.downcast_ref().is_some_and(OutputError::is_broken_pipe) {
            return READER_LEFT;
        }
        let text = output::chain(&error);
        errln!("error: {text}");
        let code = if error.is::<select::Usage>() { USAGE } else { FAILED };
        // Where this cannot be written either, standard error has said why.
        let _ = json::end(code, Some(&text)).and_then(|()| output::flush());
        code
    }))
}

/// The variable that says from which level on entries of the log are written to standard error.
const LOG: &str = "GGPBENCH_LOG";

/// Has entries of the log written, if the environment asks for any: `debug` tells how each game is
/// played.
fn write_log() -> anyhow::Result<()> {
    let Ok(level) = std::env::var(LOG) else { return Ok(()) };
    let level: log::LevelFilter = level.parse().map_err(|_| {
        let levels = "off, error, warn, info, debug or trace";
        select::Usage(format!("{LOG} is `{level}`, which is no level: it may be {levels}"))
    })?;
    let mut logger = env_logger::Builder::new();
    logger.filter_module("ggpbench", level).format(|out, record| {
        writeln!(out, "{}: {}", record.level().as_str().to_lowercase(), record.args())
    });
    // A process has one log: where a test calls the command again, it stays.
    logger.try_init().or(Ok(()))
}

fn carry_out() -> anyhow::Result<Outcome> {
    write_log()?;
    let parsed = Cli::command()
        .try_get_matches()
        .and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, matches)));
    let (cli, matches) = match parsed {
        Ok(parsed) => parsed,
        Err(mistake) if mistake.use_stderr() => mistake.exit(),
        // `--help` and `--version`.
        Err(answer) => {
            answer.print().map_err(OutputError::from)?;
            return Ok(Outcome::Fine);
        }
    };
    if let Some((name, options)) = matches.subcommand()
        && matches!(options.try_get_one::<bool>("json"), Ok(Some(true)))
    {
        json::begin(name)?;
    }
    // `ggpbench` alone is `ggpbench run` with all its defaults.
    let command =
        cli.command.unwrap_or_else(|| match Cli::parse_from(["ggpbench", "run"]).command {
            Some(command) => command,
            None => unreachable!("`run` is a command"),
        });
    match command {
        Command::Run(args) => run::run(&args),
        Command::Bench(args) => run::bench(&args),
        Command::Study(args) => run::study(&args),
        Command::List(args) => list::list(&args),
        Command::Verify(args) => verify::verify(&args),
        Command::Perft(args) => perft::perft(&args),
        Command::Check(args) => check::check(&args),
        Command::Analyse(args) => analyse::analyse(&args),
        Command::Expand(args) => expand::expand(&args),
        Command::Solve(args) => solve::solve(&args),
        Command::Ludemes(args) => ludemes::ludemes(&args),
        Command::Constructs(args) => constructs::constructs(&args),
        Command::Conform(args) => conform::conform(&args),
        Command::EngineCheck(args) => engine_check::engine_check(&args),
        Command::Inspect(args) => inspect::inspect(&args),
        Command::Languages(args) => languages::languages(&args),
        Command::Mutate(args) => mutate::mutate(&args),
        Command::Play(args) => play::play(&args),
        Command::Draw(args) => draw::draw(&args),
        Command::Record(args) => record::record(&args),
        Command::Replay(args) => replay::replay(&args),
        Command::Match(args) => contest::contest(&args),
        Command::Odds(args) => odds::odds(&args),
        Command::Peers(args) => peers::peers(&args),
        Command::Report(args) => report::report(&args),
        Command::Compare(args) => compare::compare(&args),
        Command::Rank(args) => rank::rank(&args),
        Command::Plan(args) => plan::plan(&args),
        Command::Merge(args) => merge::merge(&args),
        Command::Universal(args) => universal::universal(&args),
        Command::Completions { shell } => completions::completions(shell),
        Command::Man(args) => man::man(&args),
        Command::Worker { engine } => worker(&engine),
        Command::Unavailable { reason } => {
            let (input, output) = (std::io::stdin().lock(), std::io::stdout().lock());
            crate::worker::refuse_all(&reason, input, output)?;
            Ok(Outcome::Fine)
        }
        Command::Limit { bytes, core, group, command } => {
            if let Some(group) = group {
                crate::process::join(&group);
            }
            limit(bytes, core, &command)
        }
        Command::Supervise { command } => match crate::process::supervise(&command)? {},
    }
}

fn worker(id: &str) -> anyhow::Result<Outcome> {
    let engine = select::own_engine(id)?;
    crate::worker::serve(&*engine, std::io::stdin().lock(), std::io::stdout().lock())?;
    Ok(Outcome::Fine)
}

fn limit(bytes: u64, core: Option<usize>, command: &[String]) -> anyhow::Result<Outcome> {
    use std::os::unix::process::CommandExt;

    use nix::sys::resource::{Resource, setrlimit};
    if bytes > 0 {
        setrlimit(Resource::RLIMIT_AS, bytes, bytes)?;
    }
    #[cfg(target_os = "linux")]
    if let Some(core) = core {
        let mut cores = nix::sched::CpuSet::new();
        cores.set(core)?;
        nix::sched::sched_setaffinity(nix::unistd::Pid::from_raw(0), &cores)?;
    }
    // A crash is reported; its image would only fill the disk.
    setrlimit(Resource::RLIMIT_CORE, 0, 0)?;
    // A worker in the middle of a long answer does not see that the harness was killed.
    #[cfg(target_os = "linux")]
    nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGKILL)?;
    let Some((program, arguments)) = command.split_first() else { return Ok(Outcome::Failed) };
    // Returns only if it failed.
    Err(std::process::Command::new(program).args(arguments).exec().into())
}
