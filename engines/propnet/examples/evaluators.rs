//! Plays rule files and prints playouts per CPU second:
//! `evaluators [--work=STEPS] [--only=A|B|Q] [--count=PLAYOUTS] [--kit] [-v] [--table[=FIGURES]]
//! FILE...`
//!
//! Evaluators A and B are measured each by itself; `Q`, which picks the quicker one, if it is asked
//! for. Jobs grow until one takes long enough, or all have the count given. With `--kit` the
//! conformance kit is run first, with `-v` the sizes of what was built are shown.
//!
//! `--table` prints a row of a table for each file: all three and the prover, the gates, the time
//! to ground and to compile, and the peak of memory of the networks. Lines `FILE,PROPNET,PROVER` of
//! other systems' playouts per second add ratios to them.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use gdl::ProverEngine;
use play::{Adapted, BuildFact, Engine, Game, Job, Language, Limits, Rules, Tally, Via, kit};
use propnet::{Evaluator, PropnetGame};
use text::Source;

const EVALUATORS: [(char, Evaluator); 3] =
    [('A', Evaluator::Event), ('B', Evaluator::Batch), ('Q', Evaluator::Quickest)];

struct Options {
    limits: Limits,
    only: String,
    count: Option<u64>,
    kit: bool,
    verbose: bool,
    /// Figures of another propnet and another prover by file.
    table: Option<BTreeMap<String, [f64; 2]>>,
}

fn main() {
    let mut options = Options {
        limits: Limits::default(),
        only: "AB".to_owned(),
        count: None,
        kit: false,
        verbose: false,
        table: None,
    };
    let mut files = Vec::new();
    for argument in std::env::args().skip(1) {
        match argument.split_once('=').unwrap_or((argument.as_str(), "")) {
            ("--work", work) => options.limits.work = work.parse().expect("a number of steps"),
            ("--count", n) => options.count = Some(n.parse().expect("a number of playouts")),
            ("--only", letters) => letters.clone_into(&mut options.only),
            ("--kit", _) => options.kit = true,
            ("-v", _) => options.verbose = true,
            ("--table", path) => options.table = Some(figures(path)),
            _ => files.push(argument),
        }
    }
    if options.table.is_some() {
        println!(
            "| game | A | B | Q | prover | gates | batch gates | grounding | compiling | MiB |"
        );
        println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    }
    for path in files {
        let text = std::fs::read_to_string(&path).expect("a readable file");
        let source = Source::new(path.clone(), text);
        if let Some(figures) = &options.table {
            row(&options, &source, figures.get(&path).copied());
            continue;
        }
        for (letter, evaluator) in EVALUATORS.into_iter().filter(|e| options.only.contains(e.0)) {
            match Measured::new(&options, &source, evaluator) {
                Ok(measured) => measured.print(letter, options.verbose),
                Err(error) => println!("{path}: {error}"),
            }
        }
    }
}

/// Lines of a file and two figures each; none without a path.
fn figures(path: &str) -> BTreeMap<String, [f64; 2]> {
    if path.is_empty() {
        return BTreeMap::new();
    }
    let text = std::fs::read_to_string(path).expect("readable figures");
    let line = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let [file, propnet, prover] = cells[..] else { panic!("a file and two figures: {line}") };
        let figure = |cell: &str| cell.parse().expect("a number");
        (file.to_owned(), [figure(propnet), figure(prover)])
    };
    text.lines().map(line).collect()
}

/// A row of the table.
fn row(options: &Options, source: &Source, others: Option<[f64; 2]>) {
    // From here on the peak is that of this file.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let measured = EVALUATORS.map(|(_, evaluator)| Measured::new(options, source, evaluator));
    let [Ok(a), Ok(b), Ok(q)] = &measured else {
        println!("| {} | does not compile |", name(source));
        return;
    };
    let peak = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = peak.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    let rules = Rules::new(Language::Kif, source.name(), source.text());
    let prover = ProverEngine.compile(&rules, &options.limits).map(|c| rate(&*c.game, None).0);
    let figure = |rate: f64, other: usize| match others {
        Some(others) => format!("{rate:.0} ({:.1}x)", rate / others[other]),
        None => format!("{rate:.0}"),
    };
    println!(
        "| {} | {} | {} | {} | {} | {} | {} | {:.1?} | {:.1?} | {} |",
        name(source),
        figure(a.rate, 0),
        figure(b.rate, 0),
        figure(q.rate, 0),
        prover.map_or("-".to_owned(), |rate| figure(rate, 1)),
        a.built(BuildFact::Gates),
        b.built(BuildFact::BatchGates),
        grounding(source, &options.limits),
        a.compiled,
        peak.map_or("-".to_owned(), |kib| (kib >> 10).to_string()),
    );
}

/// The time to ground a sheet.
fn grounding(source: &Source, limits: &Limits) -> Duration {
    let program = gdl::check(source).program.expect("a well-formed sheet");
    let start = Instant::now();
    gdl::ground::ground(&program, limits).expect("a sheet that grounds");
    start.elapsed()
}

fn name(source: &Source) -> &str {
    source.name().trim_end_matches("/rules.kif").rsplit('/').next().unwrap_or_default()
}

/// The measurements of a file with one evaluator.
struct Measured {
    name: String,
    /// Playouts per CPU second.
    rate: f64,
    compiled: Duration,
    /// Of the last job.
    tally: Tally,
    build: Vec<(BuildFact, u64)>,
    stages: Vec<String>,
}

impl Measured {
    fn new(options: &Options, source: &Source, evaluator: Evaluator) -> Result<Measured, String> {
        let start = Instant::now();
        let game = match PropnetGame::new(source, evaluator, &options.limits) {
            Ok((game, _)) => Adapted::new(game),
            Err(error) => return Err(error.one_line(source)),
        };
        let compiled = start.elapsed();
        if options.kit {
            let effort = kit::Effort { playouts: 200, ..kit::Effort::default() };
            let report = kit::check(&game, &effort);
            println!("{}: fast {:?}", source.name(), report.fast);
            for fault in report.faults {
                println!("  {fault}");
            }
        }
        let (rate, tally) = rate(&game, options.count);
        Ok(Measured {
            name: name(source).to_owned(),
            rate,
            compiled,
            tally,
            build: game.facts().build.clone(),
            stages: game.stages().iter().map(|stage| format!("{stage:?}")).collect(),
        })
    }

    /// A figure of what was built.
    fn built(&self, what: BuildFact) -> u64 {
        self.build.iter().find(|(fact, _)| *fact == what).map_or(0, |&(_, figure)| figure)
    }

    fn print(&self, letter: char, verbose: bool) {
        let (tally, playouts) = (&self.tally, self.tally.playouts.max(1) as f64);
        println!(
            "{:24} {letter} {:>10.0}/s  mean plies {:8.3} capped {} stuck {} scores {:?} compile \
             {:.1?}",
            self.name,
            self.rate,
            tally.mean_plies().0,
            tally.capped,
            tally.stuck,
            tally.score_sums().iter().map(|&s| s as f64 / playouts).collect::<Vec<_>>(),
            self.compiled,
        );
        if verbose {
            println!("{:24} {:?}", "", self.build);
            self.stages.iter().for_each(|stage| println!("{:24} {stage}", ""));
        }
    }
}

/// Playouts per CPU second, and the last job. Jobs grow, unless they have this count.
fn rate(game: &dyn Game, fixed: Option<u64>) -> (f64, Tally) {
    let (mut count, mut first) = (fixed.unwrap_or(1), 0);
    let (mut played, mut spent) = (0, 0.0);
    loop {
        let job = Job { seed: 7, first, count, cap: 10_000 };
        let play = || {
            let start = Instant::now();
            let before = cpu(start);
            let tally = game.run(&job, Via::Fast);
            (tally, cpu(start) - before)
        };
        // The first long job may have to find out things.
        if first == 0 {
            play();
        }
        let (tally, seconds) = play();
        played += count;
        spent += seconds;
        if spent >= 0.3 || played >= 1 << 40 {
            return (played as f64 / spent, tally);
        }
        if fixed.is_none() {
            count *= if seconds < 0.05 { 8 } else { 2 };
            (played, spent) = (0, 0.0);
        } else {
            first += count;
        }
    }
}

/// CPU time of this thread in seconds, where the kernel tells; else the wall clock since `start`.
fn cpu(start: Instant) -> f64 {
    let ticks = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = ticks.and_then(|t| t.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| start.elapsed().as_secs_f64(), |ns| ns / 1e9)
}
