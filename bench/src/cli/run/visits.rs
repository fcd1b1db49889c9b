//! The order of a run: every game is verified, and then visited once for each process of its
//! columns. The first visits come in the order of the suite, which is that of the rows; the others
//! in random order, so that what changes on the machine while the run lasts falls on all games
//! alike.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::Result;
use play::{Rng, Rules, Via};
use rayon::prelude::*;
use reports::rows::without_overtaken;
use reports::{Detects, Method, Phase, Run, Sample, SampleWriter, Verdict};

use super::records::{SampleRecord, VerifiedRecord};
use super::{Measuring, STOP};
use crate::cli::json;
use crate::client::{Bounds, Program, Worker};
use crate::entry::Entry;
use crate::failure::Failure;
use crate::measure::{self, Column, Done, Entrant, Proof, Protocol, TimeSpent};
use crate::protocol::Loaded;
use crate::run_config::RunConfig;
use crate::subject::Subject;
use crate::ui::Ui;
use crate::verify::samples::{Measured, judge};
use crate::verify::sums::{self, Sums};
use crate::verify::{Effort, Goal, Phases, Ruling, WayProof, verify};
use crate::{engine_set, identity, machine};

/// The most processes that are started until intervals are narrow, as a multiple of those of the
/// protocol.
const MOST_TIMES: u32 = 10;

/// The games to verify and measure, and the protocol.
pub(super) struct Plan<'a> {
    games: Vec<Game<'a>>,
    protocol: Protocol,
    how: &'a Measuring,
}

/// A game with the engines that read it.
struct Game<'a> {
    entry: &'a Entry,
    pairs: Vec<Pair<'a>>,
    /// All rows so far, those of an earlier part of the run included.
    rows: Vec<Sample>,
    /// Natural logarithm of the probability below which a difference of samples is no chance.
    limit: f64,
}

/// A game on an engine.
struct Pair<'a> {
    program: &'a Program,
    rules: &'a Rules,
    /// Simulations of each search, where searches are measured and not playouts; else 0. What is
    /// proven of playouts is not proven of searches, so that these are a pair of their own.
    simulations: u32,
    /// A row with everything that is the same in all columns and visits.
    blank: Sample,
    /// The playouts that were proven.
    proof: Option<Sums>,
    /// The deviations that the proof would have seen.
    proven: Vec<WayProof>,
    /// Known once the game was loaded.
    columns: Option<Vec<Column>>,
    /// It failed as a whole, and has the row that says so.
    out: bool,
}

impl<'a> Plan<'a> {
    /// The games with the engines that read each; `whole` tells their rules apart, and `earlier`
    /// are the rows of a run that goes on.
    pub(super) fn new(
        all: Vec<(&'a Entry, Vec<(&'a Program, &'a Rules)>)>,
        whole: &RunConfig,
        protocol: &Protocol,
        how: &'a Measuring,
        earlier: &[Sample],
    ) -> Plan<'a> {
        let games = all.into_iter().map(|(entry, pairs)| {
            let rows: Vec<Sample> =
                earlier.iter().filter(|row| row.game == entry.id).cloned().collect();
            let searched = |&(program, rules): &(&'a Program, &'a Rules)| {
                let kinds = how.simulations_of_pairs();
                kinds.into_iter().map(move |simulations| (program, rules, simulations))
            };
            let pairs = pairs.iter().flat_map(searched).map(|(program, rules, simulations)| {
                let blank = blank_row(entry, program, rules, whole, (how, simulations));
                let mut pair = Pair {
                    program,
                    rules,
                    simulations,
                    blank,
                    proof: None,
                    proven: Vec::new(),
                    columns: None,
                    out: false,
                };
                let own: Vec<&Sample> = rows.iter().filter(|row| pair.has(row)).collect();
                // Of a pair that was not to be had at all there is nothing but the reason.
                let failed = !own.is_empty() && own.iter().all(|row| row.phase == Phase::None);
                pair.out = failed && without_overtaken(own).into_iter().all(is_decided);
                pair
            });
            Game { entry, pairs: pairs.collect(), rows: rows.clone(), limit: 0.0 }
        });
        let mut plan = Plan { games: games.collect(), protocol: *protocol, how };
        let limit = sums::limit(plan.comparisons());
        plan.games.iter_mut().for_each(|game| game.limit = limit);
        plan
    }

    /// The time of all samples, if nothing fails: warming up and proofs come on top.
    pub(super) fn sampling(&self) -> Duration {
        let columns: usize = self.games.iter().map(|game| self.most_columns(game)).sum();
        self.protocol.sampling().saturating_mul(u32::try_from(columns).unwrap_or(u32::MAX))
    }

    /// Columns of a game, if each engine has every way of playing.
    fn most_columns(&self, game: &Game<'_>) -> usize {
        let how = self.how;
        let ways: usize = game.pairs.iter().map(|pair| pair.ways(how).count()).sum();
        ways * how.threads.len() * how.job.len().max(1) * if how.control { 2 } else { 1 }
    }

    /// Most processes of a column.
    fn most_processes(&self) -> u32 {
        let times = if self.how.until.is_some() { MOST_TIMES } else { 1 };
        self.protocol.processes.saturating_mul(times)
    }

    /// The most comparisons of samples that the whole run makes: each sample with the proof, all of
    /// a column after each process, and every two columns of a game.
    fn comparisons(&self) -> u64 {
        let of_column = u64::from(self.most_processes()) * (1 + u64::from(self.protocol.rounds));
        let of_game = |game: &Game<'_>| {
            let columns = self.most_columns(game) as u64;
            columns * of_column + columns * columns.saturating_sub(1) / 2
        };
        self.games.iter().map(of_game).sum()
    }

    /// Verifies all games that are not done, several at a time: nothing is measured yet. Says where
    /// the time went, summed over what was done at the same time.
    pub(super) fn verify(&mut self, bounds: &Bounds) -> Result<Phases> {
        let (protocol, how) = (self.protocol, self.how);
        let ui = Ui::new("verify", self.games.len() as u64, how.quiet);
        let verified = self.games.par_iter_mut().map(|game| {
            if STOP.load(Ordering::SeqCst) || game.is_done(&protocol) {
                ui.step(1, &game.entry.id);
                return Phases::default();
            }
            let phases = game.verify(bounds, how);
            let words: Vec<String> =
                game.pairs.iter().map(|p| format!("{} {}", p.name(), p.blank.verdict)).collect();
            ui.step(1, &format!("{}: {}", game.entry.id, words.join(", ")));
            for pair in game.pairs.iter().filter(|p| !p.blank.verdict.is_ranked()) {
                ui.line(&format!(
                    "{} {}: {}: {}",
                    game.entry.id,
                    pair.name(),
                    pair.blank.verdict,
                    pair.blank.reason
                ));
            }
            phases
        });
        let phases = verified.reduce(Phases::default, Phases::plus);
        ui.finish();
        if how.json.json {
            self.print_verdicts()?;
        }
        Ok(phases)
    }

    /// Prints what was proven, game by game, for scripts.
    fn print_verdicts(&self) -> Result<()> {
        for game in &self.games {
            for Pair { program, blank, .. } in &game.pairs {
                let verified = VerifiedRecord {
                    game: &game.entry.id,
                    engine: &program.engine,
                    verdict: blank.verdict,
                    reason: &blank.reason,
                };
                json::record("verified", verified)?;
            }
        }
        Ok(())
    }

    /// Measures; says where the time went.
    pub(super) fn measure(
        &mut self,
        bounds: &Bounds,
        writer: &mut SampleWriter,
    ) -> Result<Vec<(&'static str, Duration)>> {
        let (protocol, how) = (self.protocol, self.how);
        let pairs: usize = self.games.iter().map(|game| game.pairs.len()).sum();
        let ui = Ui::new("measure", pairs as u64 * u64::from(protocol.processes), how.quiet);
        let mut trouble = None;
        let mut loading = Duration::ZERO;
        let mut spent = TimeSpent::default();
        let mut emit = |row: &Sample| {
            let written = writer.write(row).map_err(anyhow::Error::from);
            let written = written.and_then(|()| {
                if how.json.json {
                    json::record("sample", SampleRecord::from(row))?;
                }
                Ok(())
            });
            if let Err(error) = written {
                trouble.get_or_insert(error);
                STOP.store(true, Ordering::SeqCst);
            }
        };
        for process in 0..self.most_processes() {
            let mut order: Vec<usize> = (0..self.games.len()).collect();
            if process > 0 {
                let mut rng = Rng::stream(how.seed ^ 0x7151, u64::from(process));
                order = measure::shuffled(order.len(), &mut rng);
            }
            if let Some(narrow) = how.until.filter(|_| process >= protocol.processes) {
                order.retain(|&number| self.games[number].is_wide(narrow));
                let pairs: usize = order.iter().map(|&number| self.games[number].pairs.len()).sum();
                ui.expect_more(pairs as u64);
            }
            for number in order {
                let game = &mut self.games[number];
                let start = Instant::now();
                let visit = game.visit(process, &protocol, how, bounds, &mut emit);
                spent.warming += visit.warming;
                spent.sampling += visit.sampling;
                loading += start.elapsed().saturating_sub(visit.warming + visit.sampling);
                let message = format!("{}, process {}", game.entry.title, process + 1);
                ui.step(game.pairs.len() as u64, &message);
                if process + 1 == protocol.processes {
                    ui.line(&summary(&game.rows));
                }
                if STOP.load(Ordering::SeqCst) {
                    break;
                }
            }
            if STOP.load(Ordering::SeqCst) {
                break;
            }
        }
        for game in &mut self.games {
            game.compare_columns(how, &mut emit);
        }
        ui.finish();
        match trouble {
            Some(error) => Err(error),
            None => Ok(vec![
                ("starting processes and loading", loading),
                ("warming up and playing again", spent.warming),
                ("taking samples", spent.sampling),
            ]),
        }
    }
}

impl Game<'_> {
    /// True if nothing is left to measure.
    fn is_done(&self, protocol: &Protocol) -> bool {
        self.pairs.iter().all(|pair| {
            let columns = self.columns_so_far(pair);
            let wants =
                |column: &Column| (0..protocol.processes).any(|p| column.wants(protocol, p));
            pair.out || (!columns.is_empty() && !columns.iter().any(wants))
        })
    }

    /// The columns of a pair that there are rows of.
    fn columns_so_far(&self, pair: &Pair<'_>) -> Vec<Column> {
        let own = self.rows.iter().filter(|row| pair.has(row));
        let mut columns: Vec<Column> = Vec::new();
        for row in own {
            if !columns.iter().any(|column| is_same_column(&column.row, row)) {
                columns.push(self.column(row.clone(), Via::Fast));
            }
        }
        columns
    }

    /// A column with what has been measured of it already. A failure of an earlier part of the run
    /// that may have been an accident does not keep it from being measured.
    fn column(&self, row: Sample, via: Via) -> Column {
        let same = |other: &&Sample| other.engine == row.engine && is_same_column(other, &row);
        let rows: Vec<&Sample> = self.rows.iter().filter(same).collect();
        let failed = without_overtaken(rows.iter().copied()).into_iter().any(is_decided);
        let mut column = Column::new(row, via, self.entry.cap, Done::of(rows));
        if failed {
            column.leave_out();
        }
        column
    }

    fn verify(&mut self, bounds: &Bounds, how: &Measuring) -> Phases {
        let kinds = how.simulations_of_pairs().into_iter();
        let phases = kinds.map(|simulations| self.verify_pairs(simulations, bounds, how));
        phases.reduce(Phases::plus).unwrap_or_default()
    }

    /// Verifies the pairs that make searches of so many simulations, or those that play playouts.
    fn verify_pairs(&mut self, simulations: u32, bounds: &Bounds, how: &Measuring) -> Phases {
        let start = Instant::now();
        let mut subjects: Vec<Box<dyn Subject>> = Vec::new();
        let mut numbers = Vec::new();
        let mut ways = Vec::new();
        for (number, pair) in self.pairs.iter_mut().enumerate() {
            if pair.simulations != simulations {
                continue;
            }
            ways.extend(pair.ways(how).flat_map(asked_for));
            match pair.loader(self.entry)(bounds) {
                Ok(worker) => {
                    subjects.push(Box::new(worker));
                    numbers.push(number);
                }
                Err(failure) => pair.judge(failure.verdict, failure.reason),
            }
        }
        let loading = start.elapsed();
        let effort = Effort::quick(how.seed, self.entry.cap);
        let goal = Goal { ways: ways.into_iter().collect(), ..effort.goal };
        let expected = match simulations {
            0 => self.entry.expected.clone(),
            _ => self.entry.expected.of_searches(),
        };
        let proof = verify(&mut subjects, &expected, &Effort { goal, ..effort });
        for (number, engine) in numbers.into_iter().zip(proof.engines) {
            let pair = &mut self.pairs[number];
            pair.judge(engine.verdict, engine.reason);
            if let Some(evidence) = engine.evidence {
                pair.proof = Some((&evidence.tally).into());
                pair.proven = evidence.ways;
            }
        }
        Phases { loading, ..Phases::default() }.plus(proof.phases)
    }

    /// Compares what was measured of all columns that are `ok`, and leaves out those that are not
    /// what others are.
    fn compare_columns(&mut self, how: &Measuring, emit: &mut dyn FnMut(&Sample)) {
        for simulations in how.simulations_of_pairs() {
            self.compare_columns_of(simulations, emit);
        }
    }

    /// The same of the pairs with searches of so many simulations, or of those that play playouts.
    fn compare_columns_of(&mut self, simulations: u32, emit: &mut dyn FnMut(&Sample)) {
        let mut compared: Vec<(&str, &mut Column)> = Vec::new();
        let of_kind = |pair: &&mut Pair<'_>| !pair.out && pair.simulations == simulations;
        for pair in self.pairs.iter_mut().filter(of_kind) {
            for column in pair.columns.iter_mut().flatten() {
                let is_ok = |row: &Sample| {
                    let same = row.engine == column.row.engine && is_same_column(row, &column.row);
                    same && row.phase == Phase::Sample && row.verdict == Verdict::Ok
                };
                if !column.is_out() && self.rows.iter().any(is_ok) {
                    compared.push((&pair.program.lineage, column));
                }
            }
        }
        let names: Vec<String> = compared.iter().map(|(_, column)| name_of(&column.row)).collect();
        let measured: Vec<Measured<'_>> = compared
            .iter()
            .zip(&names)
            .map(|((lineage, column), name)| Measured { name, lineage, sums: column.sums() })
            .collect();
        let rulings = judge(&measured, self.entry.cap, self.limit);
        for ((_, column), ruling) in compared.into_iter().zip(rulings) {
            let failure = match ruling {
                Ruling::Sound => continue,
                Ruling::Wrong(reason) => Failure::new(Verdict::Wrong, reason),
                Ruling::Disputed(reason) => Failure::new(Verdict::Disputed, reason),
            };
            let row = column.give_up(failure);
            emit(&row);
            self.rows.push(row);
        }
    }

    /// True if an interval reaches further than this share to either side of its figure.
    fn is_wide(&self, narrow: f64) -> bool {
        let table = Run::from_samples(self.rows.clone()).table();
        table.cells().any(|(.., cell)| {
            cell.figures().is_some_and(|figures| {
                let rate = figures.per_cpu_second;
                rate.interval.is_none() || rate.high() - rate.low() > 2.0 * narrow * rate.value
            })
        })
    }

    /// Starts a process for each column that wants one, and measures all in rounds.
    fn visit(
        &mut self,
        process: u32,
        protocol: &Protocol,
        how: &Measuring,
        bounds: &Bounds,
        write: &mut dyn FnMut(&Sample),
    ) -> TimeSpent {
        let mut rows = Vec::new();
        let mut emit = |row: &Sample| {
            write(row);
            rows.push(row.clone());
        };
        // The process that told which columns there are is that of the first.
        let mut told: BTreeMap<usize, Worker> = BTreeMap::new();
        for number in 0..self.pairs.len() {
            let pair = &self.pairs[number];
            if pair.out || pair.columns.is_some() {
                continue;
            }
            // A wrong engine is not measured: its figures could not be shown.
            let loaded = if pair.blank.verdict.is_ranked() {
                let core = bounds.core.filter(|_| pair.blank.threads == 1);
                pair.loader(self.entry)(&Bounds { core, ..*bounds })
            } else {
                Err(Failure::new(pair.blank.verdict, pair.blank.reason.clone()))
            };
            match loaded {
                Ok(worker) => {
                    let columns = columns(pair, how, worker.loaded());
                    let proof = pair
                        .proof
                        .as_ref()
                        .map(|sums| Proof { sums: sums.clone(), limit: self.limit });
                    let columns = columns
                        .into_iter()
                        .map(|(row, via)| self.column(row, via).held_to(proof.clone()));
                    let columns = columns.collect();
                    self.pairs[number].columns = Some(columns);
                    told.insert(number, worker);
                }
                Err(failure) => {
                    emit(&measure::failed(&pair.blank, failure));
                    self.pairs[number].out = true;
                }
            }
        }
        let mut workers: Vec<(Worker, &mut Column)> = Vec::new();
        for (number, pair) in self.pairs.iter_mut().enumerate().filter(|(_, pair)| !pair.out) {
            let load = pair.loader(self.entry);
            for column in pair.columns.iter_mut().flatten() {
                if !column.wants(protocol, process) || STOP.load(Ordering::SeqCst) {
                    continue;
                }
                // A process for each column, so that peak memory is that column's own.
                let core = bounds.core.filter(|_| column.row.threads == 1);
                let worker = match told.remove(&number) {
                    Some(worker) if column.row.threads == pair.blank.threads => Ok(worker),
                    _ => load(&Bounds { core, ..*bounds }),
                };
                match worker {
                    Ok(worker) => {
                        describe_load(&mut column.row, &worker);
                        workers.push((worker, column));
                    }
                    Err(failure) => emit(&column.give_up(failure)),
                }
            }
        }
        let mut entrants: Vec<Entrant<'_>> =
            workers.iter_mut().map(|(worker, column)| Entrant::new(worker, column)).collect();
        let stop = || STOP.load(Ordering::SeqCst);
        let spent = measure::visit(&mut entrants, protocol, process, &mut emit, &stop);
        drop(workers);
        self.rows.extend(rows);
        spent
    }
}

impl<'a> Pair<'a> {
    /// True if a row is one of the pair's.
    fn has(&self, row: &Sample) -> bool {
        row.engine == self.program.engine
            && (row.via == reports::Via::Uct) == (self.simulations > 0)
    }

    /// Starts workers that play its playouts, or make its searches.
    fn loader(&self, entry: &'a Entry) -> impl Fn(&Bounds) -> Result<Worker, Failure> + use<'a> {
        let (program, rules) = (self.program, self.rules);
        let searches = entry.searches(self.simulations);
        move |bounds| engine_set::load_searches(program, rules, searches, bounds)
    }

    /// Its name in messages.
    fn name(&self) -> String {
        match self.simulations {
            0 => self.program.engine.clone(),
            _ => format!("{} (uct)", self.program.engine),
        }
    }

    /// The ways to measure it in.
    fn ways(&self, how: &Measuring) -> impl Iterator<Item = reports::Via> + use<> {
        let searches = self.simulations > 0;
        how.ways().into_iter().filter(move |&way| (way == reports::Via::Uct) == searches)
    }

    fn judge(&mut self, verdict: Verdict, reason: String) {
        (self.blank.verdict, self.blank.reason) = (verdict, reason);
    }

    /// The deviations of a way that the proof would have seen; `None` without a proof.
    fn detects(&self, via: Via) -> Option<Detects> {
        let WayProof { detects, by, .. } = self.proven.iter().find(|way| way.via == via)?;
        let [plies, payoffs] = match detects {
            Some(detects) => [detects.plies, detects.payoffs],
            None => [f64::INFINITY; 2],
        };
        Some(Detects::of_shares(plies, payoffs, by))
    }
}

/// The loops of an engine that a column may ask for.
fn asked_for(way: reports::Via) -> Vec<Via> {
    match way {
        reports::Via::Fast | reports::Via::Uct => vec![Via::Fast],
        reports::Via::Listed => vec![Via::Fast, Via::Reference, Via::Listed],
        reports::Via::Reference => vec![Via::Reference],
        reports::Via::Batch => vec![Via::Batch],
        reports::Via::Interpreted => vec![Via::Interpreted],
    }
}

/// The columns to measure an engine in, as rows that say so, with the loop that each asks for.
fn columns(pair: &Pair<'_>, how: &Measuring, loaded: Option<&Loaded>) -> Vec<(Sample, Via)> {
    let blank = &pair.blank;
    let method = |via| loaded.and_then(|loaded| loaded.method_of(via).parse::<Method>().ok());
    let has = |via| loaded.is_some_and(|loaded| loaded.has(via));
    let mut columns = Vec::new();
    for way in pair.ways(how) {
        let via = match way {
            reports::Via::Fast | reports::Via::Uct => Via::Fast,
            reports::Via::Listed if method(Via::Fast) == Some(Method::Listed) => Via::Fast,
            reports::Via::Listed if has(Via::Listed) => Via::Listed,
            reports::Via::Reference | reports::Via::Listed => Via::Reference,
            reports::Via::Batch if has(Via::Batch) => Via::Batch,
            reports::Via::Interpreted if has(Via::Interpreted) => Via::Interpreted,
            reports::Via::Batch | reports::Via::Interpreted => continue,
        };
        let method = match via {
            Via::Reference | Via::Listed => Some(Method::Listed),
            via => method(via),
        };
        for &threads in &how.threads {
            let jobs: Vec<Option<u64>> = match how.job[..] {
                [] => vec![None],
                _ => how.job.iter().map(|&job| Some(job)).collect(),
            };
            for job in jobs {
                for control in [false, true] {
                    if !control || how.control {
                        let row = Sample { via: way, method, threads, job, ..blank.clone() };
                        let detects = pair.detects(via);
                        columns.push((Sample { control, detects, ..row }, via));
                    }
                }
            }
        }
    }
    columns
}

/// The name in messages of the column of a row.
fn name_of(row: &Sample) -> String {
    let mut name = row.engine.clone();
    if row.via != reports::Via::Fast {
        let _ = write!(name, " ({})", row.via);
    }
    if row.threads != 1 {
        let _ = write!(name, " on {} threads", row.threads);
    }
    if let Some(job) = row.job {
        let _ = write!(name, " in jobs of {job}");
    }
    if row.control {
        name += " (control)";
    }
    name
}

/// True if a row says that there is nothing to measure, and trying again would not help.
fn is_decided(row: &Sample) -> bool {
    row.phase == Phase::None && !row.verdict.may_be_accident()
}

/// True if rows of an engine are of the same column.
fn is_same_column(one: &Sample, other: &Sample) -> bool {
    (one.via, one.threads, one.job, one.control)
        == (other.via, other.threads, other.job, other.control)
}

fn describe_load(row: &mut Sample, worker: &Worker) {
    worker.rng().clone_into(&mut row.rng);
    if let Some(loaded) = worker.loaded() {
        row.players = u32::from(loaded.players);
        row.compile_ns = Some(loaded.compile_ns);
        row.state_bytes = (loaded.state_bytes > 0).then_some(loaded.state_bytes);
        row.peak_bytes = (loaded.peak_bytes > 0).then_some(loaded.peak_bytes);
    }
}

fn blank_row(
    entry: &Entry,
    program: &Program,
    rules: &Rules,
    whole: &RunConfig,
    (how, simulations): (&Measuring, u32),
) -> Sample {
    let mut row = Sample::failure(&entry.id, &program.engine, Verdict::Unchecked, "not verified");
    row.title.clone_from(&entry.title);
    row.paper.clone_from(&entry.paper);
    row.players = u32::from(entry.expected.players.unwrap_or(0));
    rules.language.name().clone_into(&mut row.language);
    row.tokens = roster::tokens(rules);
    whole.rules_of(entry, rules).clone_into(&mut row.rules);
    row.options.clone_from(&rules.options);
    row.build = identity::of_program(program);
    row.threads = how.threads.first().copied().unwrap_or(1);
    row.job = how.job.first().copied();
    // What fails as a whole fails in the first column that every engine has.
    let ways = how.ways();
    let optional = [reports::Via::Batch, reports::Via::Interpreted, reports::Via::Uct];
    let every = |way: &&reports::Via| !optional.contains(way);
    row.via = ways.iter().find(every).or(ways.first()).copied().unwrap_or(row.via);
    if simulations > 0 {
        (row.via, row.simulations) = (reports::Via::Uct, Some(u64::from(simulations)));
    }
    if let Some((family, size)) = &entry.size {
        row.family.clone_from(family);
        row.size = Some(u64::from(*size));
    }
    row.seed = how.seed;
    row.host = machine::host();
    if machine::is_debug_build() {
        row.warnings.push("debug build".to_owned());
    }
    row
}

/// One line for a game that has been measured. Between an engine and its figure the spaces are none
/// to break at.
fn summary(rows: &[Sample]) -> String {
    let table = Run::from_samples(rows.to_vec()).table();
    let mut out =
        table.games().first().map_or_else(String::new, |game| format!("{:<22}", game.title));
    for (number, column) in table.columns().iter().enumerate() {
        let Some(cell) = table.cell(0, number) else { continue };
        let figure = table.figures(0, number).map_or_else(
            || cell.verdict().to_string(),
            |f| reports::format::readable(f.per_cpu_second.value),
        );
        let part = format!("{} {figure:>8}", column.label()).replace(' ', "\u{a0}");
        let _ = write!(out, "  {part}");
    }
    out
}
