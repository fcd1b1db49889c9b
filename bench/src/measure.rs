//! Measuring: several worker processes a column, interleaved over the whole run.
//!
//! What varies from process to process (layout of memory, the frequency of the core, who else is on
//! the machine) is in the figures of several processes and in no number of samples of one, so the
//! interval is made of the spread between processes (Kalibera and Jones, "Rigorous benchmarking in
//! reasonable time", 2013). A *visit* starts a process for every column of a game, warms each up
//! for itself, and takes samples of all of them in rounds, in shuffled order, so that drift of the
//! machine falls on all. Every sample plays fresh playout ids; one sample of the process before is
//! played again, in another split, and must be the same. Rows go to the caller as they come. Rows
//! of an earlier part of the same run ([`Done`]) are not measured again.

mod protocol;

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use play::{Job, Rng, Via};
use reports::{Digest, Phase, Sample, Verdict};

pub use protocol::Protocol;

use crate::failure::Failure;
use crate::protocol::Ran;
use crate::subject::{Subject, filled};

/// Jobs of a set size that a sample may have: each costs the harness a little that is not measured.
const MOST_JOBS: u64 = 2_000;

/// Rates of two samples in a row that differ by less than this share count as warmed up.
const STEADY: f64 = 0.05;

/// A sample that is quicker than another by this factor is doubtful.
const QUICKER: f64 = 1.1;

/// What rows of a process are marked with whose rates never became steady.
pub const UNSTEADY: &str = "not steady after warm-up";

/// A column of a game over the whole run: what is measured, and how far it is.
pub struct Column {
    /// The row to fill: names, verdict and facts of the pair, and the column: way, threads, jobs.
    pub row: Sample,
    cap: u32,
    /// The loop to ask for.
    via: Via,
    /// Playouts a sample, once it is calibrated.
    count: Option<u64>,
    /// Fewer leave lanes empty that could be full.
    least: u64,
    done: Done,
    /// What the last process played.
    played: Vec<(Job, Ran)>,
    /// It failed and is out.
    out: bool,
}

/// A column and the process that plays it in this visit.
pub struct Entrant<'s> {
    /// The loaded game.
    pub subject: &'s mut dyn Subject,
    /// The column.
    pub column: &'s mut Column,
    visit: Visit,
}

/// What a process has done.
#[derive(Default)]
struct Visit {
    samples: u32,
    wall: Duration,
    idle: Duration,
    unsteady: bool,
    played: Vec<(Job, Ran)>,
}

/// Where the time of measuring went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeSpent {
    /// Calibration, warm-up, and samples played again.
    pub warming: Duration,
    /// Samples.
    pub sampling: Duration,
}

/// What has been measured of a column of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Rounds that there are samples of.
    rounds: BTreeSet<u32>,
    /// Elapsed time of the samples of each process.
    processes: BTreeMap<u32, Duration>,
    /// The first playout id that no row has used.
    next: u64,
    /// Elapsed time of samples and warm-up: of what has rows, so that a run that goes on knows it.
    spent: Duration,
}

impl Done {
    /// What these rows of one column say.
    pub fn of<'r>(rows: impl IntoIterator<Item = &'r Sample>) -> Done {
        let mut done = Done::default();
        for row in rows.into_iter().filter(|row| row.phase != Phase::None) {
            done.add(row);
        }
        done
    }

    fn add(&mut self, row: &Sample) {
        self.next = self.next.max(row.first.saturating_add(row.playouts));
        self.spent += Duration::from_nanos(row.wall_ns);
        if row.phase == Phase::Sample {
            self.rounds.insert(row.round);
            *self.processes.entry(row.process).or_default() += Duration::from_nanos(row.wall_ns);
        }
    }

    /// Whether no process needs to be started for this column: it took too long already, and there
    /// are as many as an interval needs.
    fn is_over(&self, protocol: &Protocol) -> bool {
        self.spent > protocol.longest && self.processes.len() >= protocol::FEWEST_PROCESSES as usize
    }
}

impl Column {
    /// A column whose `row` carries everything that is the same in all its samples, the loop that
    /// it asks for, and what has been measured of it already.
    pub fn new(row: Sample, via: Via, cap: u32, done: Done) -> Column {
        let played = Vec::new();
        Column { row, cap, via, count: None, least: 1, done, played, out: false }
    }

    /// Whether this visit has anything to measure of the column.
    pub fn wants(&self, protocol: &Protocol, process: u32) -> bool {
        let mut rounds = protocol.rounds_of(process);
        let missing = rounds.any(|round| !self.done.rounds.contains(&round));
        let late = self.done.processes.get(&process).is_some_and(|wall| *wall > protocol.most());
        missing && !late && !self.out && !self.done.is_over(protocol)
    }

    /// Leaves the column out from now on.
    pub fn leave_out(&mut self) {
        self.out = true;
    }

    /// Leaves the column out from now on, and makes the row that says why.
    pub fn give_up(&mut self, failure: Failure) -> Sample {
        self.out = true;
        failed(&self.row, failure)
    }

    /// Playouts of the next sample: whole jobs, where their size is set.
    fn playouts(&self, wanted: u64) -> u64 {
        match self.row.job {
            Some(size) => size.saturating_mul(wanted.div_ceil(size).min(MOST_JOBS)),
            None => wanted,
        }
    }
}

impl<'s> Entrant<'s> {
    /// A column with a process that has just loaded its game.
    pub fn new(subject: &'s mut dyn Subject, column: &'s mut Column) -> Entrant<'s> {
        Entrant { subject, column, visit: Visit::default() }
    }

    fn play(&mut self, job: &Job) -> Result<Ran, Failure> {
        let (via, threads) = (self.column.via, self.column.row.threads);
        match self.column.row.job {
            Some(size) => self.subject.run_in_jobs(job, size, via, threads),
            None => self.subject.run(job, via, threads),
        }
    }

    /// Plays fresh ids and makes their row.
    fn sample(&mut self, phase: Phase, count: u64) -> Result<(Sample, Job, Ran), Failure> {
        let column = &self.column;
        let (seed, first, cap) = (column.row.seed, column.done.next, column.cap);
        let job = Job { seed, first, count: column.playouts(count), cap };
        let ran = self.play(&job)?;
        let mut row = Sample { phase, ..self.column.row.clone() };
        fill(&mut row, &job, &ran);
        Ok((row, job, ran))
    }

    /// Doubles the batch until it is long enough and fills the lanes. Everything run on the way is
    /// handed out as warm-up.
    fn calibrate(
        &mut self,
        protocol: &Protocol,
        process: u32,
        emit: &mut dyn FnMut(&Sample),
    ) -> Result<f64, Failure> {
        let mut count = 1;
        let mut once_more = true;
        loop {
            let ran = self.warm(process, count, emit)?;
            let wall = Duration::from_nanos(ran.wall_ns);
            let full = self.column.row.job.is_some() && self.column.playouts(count) < count;
            if wall * 2 < protocol.sample && !full {
                count = scaled(count, wall, protocol.sample).min(count * 16);
                continue;
            }
            if let Some(more) = filling(count, self.full(), wall, protocol.most()) {
                count = more;
                continue;
            }
            // The first job that is played in lanes may have laid them out.
            if count < self.full() && std::mem::take(&mut once_more) {
                continue;
            }
            self.column.least = count.min(self.full());
            self.column.count = Some(count);
            self.recalibrate(wall, count, protocol);
            return Ok(ran.rate());
        }
    }

    /// Plays a batch for nothing but to warm up.
    fn warm(
        &mut self,
        process: u32,
        count: u64,
        emit: &mut dyn FnMut(&Sample),
    ) -> Result<Ran, Failure> {
        let (row, _, ran) = self.sample(Phase::Warmup, count)?;
        let row = Sample { process, ..row };
        self.column.done.add(&row);
        emit(&row);
        Ok(ran)
    }

    /// Warms the process up: calibrates, or plays again what the process before it played, and goes
    /// on until two rates in a row agree, or the protocol has no more time for it.
    fn warm_up(
        &mut self,
        protocol: &Protocol,
        process: u32,
        emit: &mut dyn FnMut(&Sample),
    ) -> Result<(), Failure> {
        let mut last = match self.column.count {
            None => Some(self.calibrate(protocol, process, emit)?),
            Some(_) => match self.play_again(protocol, process)?[..] {
                [first, second] if are_steady(first, second) => return Ok(()),
                [.., rate] => Some(rate),
                [] => None,
            },
        };
        for _ in 0..protocol.warmups {
            let count = self.column.count.unwrap_or(1);
            if last.is_some() && self.is_slow(protocol) {
                return Ok(());
            }
            let ran = self.warm(process, count, emit)?;
            self.recalibrate(Duration::from_nanos(ran.wall_ns), count, protocol);
            if last.is_some_and(|last| are_steady(last, ran.rate())) {
                return Ok(());
            }
            last = Some(ran.rate());
        }
        self.visit.unsteady = protocol.warmups > 1;
        Ok(())
    }

    /// Whether one sample takes so long that there is no time to look whether the rate is steady.
    fn is_slow(&self, protocol: &Protocol) -> bool {
        let samples = (self.column.done.rounds.len() as u32).max(1);
        self.column.done.spent / samples > protocol.sample * 8
    }

    /// Plays a sample of the process before in two parts of random lengths, which must give what it
    /// gave; their rates. Samples that take long are played again once only.
    fn play_again(&mut self, protocol: &Protocol, process: u32) -> Result<Vec<f64>, Failure> {
        let played = std::mem::take(&mut self.column.played);
        let mut rng = self.rng(0xa9a1, process);
        let Some((job, before)) = doubtful(&played, &mut rng) else { return Ok(Vec::new()) };
        let long = Duration::from_nanos(before.wall_ns) > protocol.sample * 2;
        if long && process > 1 {
            return Ok(Vec::new());
        }
        let parts = self.play_in_parts(job, &mut rng)?;
        let rates = parts.iter().map(Ran::rate).collect();
        let again = Ran::sum(parts).map_err(|why| Failure::new(Verdict::Wrong, why))?;
        match again.and_then(|again| before.difference(&again)) {
            None => Ok(rates),
            Some(how) => Err(Failure::new(
                Verdict::Wrong,
                format!(
                    "asked for the playouts {} to {} again in two parts, it played something \
                     else: {how}",
                    job.first,
                    job.first + job.count - 1
                ),
            )),
        }
    }

    /// Plays a job in two parts, each of whole jobs where their size is set.
    fn play_in_parts(&mut self, job: &Job, rng: &mut Rng) -> Result<Vec<Ran>, Failure> {
        let size = self.column.row.job.unwrap_or(1).max(1);
        let jobs = u32::try_from((job.count / size).saturating_sub(1)).unwrap_or(u32::MAX);
        if jobs == 0 {
            return Ok(vec![self.play(job)?]);
        }
        let head = size * (1 + u64::from(rng.below(jobs)));
        let rest = Job { first: job.first + head, count: job.count - head, ..*job };
        Ok(vec![self.play(&Job { count: head, ..*job })?, self.play(&rest)?])
    }

    fn rng(&self, purpose: u64, process: u32) -> Rng {
        let seed = self.column.row.seed ^ name_hash(&self.column.row.game);
        Rng::stream(seed ^ purpose, u64::from(process))
    }

    /// Takes the sample of a round and makes its row.
    fn measure(
        &mut self,
        protocol: &Protocol,
        process: u32,
        round: u32,
        slot: u32,
    ) -> Result<Sample, Failure> {
        let count = self.column.count.unwrap_or(1);
        let (row, job, ran) = self.sample(Phase::Sample, count)?;
        let mut row = Sample { process, round, slot, ..row };
        self.visit.samples += 1;
        self.visit.wall += Duration::from_nanos(ran.wall_ns);
        self.visit.idle += Duration::from_nanos(ran.idle_ns);
        if self.visit.unsteady {
            row.warnings.push(UNSTEADY.to_owned());
        }
        // Where each playout is asked for by itself, waiting for the question is no sign of
        // anything.
        let alone = row.threads == 1 && row.job.is_none() && self.visit.samples == protocol.rounds;
        if alone && self.visit.idle * 2 > self.visit.wall && row.verdict == Verdict::Ok {
            row.verdict = Verdict::Unchecked;
            row.reason = format!(
                "its process was idle for {:.0} % of the time: what others did for it meanwhile \
                 is not \
                 in its CPU time",
                100.0 * self.visit.idle.as_secs_f64() / self.visit.wall.as_secs_f64()
            );
        }
        self.visit.played.push((job, ran));
        self.column.done.add(&row);
        // The machine may have changed speed since calibration.
        let wall = Duration::from_nanos(row.wall_ns);
        if wall * 2 < protocol.sample || wall > protocol.sample * 2 {
            self.recalibrate(wall, count, protocol);
        }
        Ok(row)
    }

    /// Playouts that fill all lanes for most of a job.
    fn full(&self) -> u64 {
        if self.column.row.job.is_some() || self.column.via == Via::Reference {
            return 1;
        }
        match filled(self.subject.lanes()) {
            1 => 1,
            full => full * u64::from(self.column.row.threads.max(1)),
        }
    }

    /// Sets the batch by how long the last one, of so many playouts, took.
    fn recalibrate(&mut self, took: Duration, count: u64, protocol: &Protocol) {
        self.column.count = Some(scaled(count, took, protocol.sample).max(self.column.least));
    }
}

/// The row that says why there are no figures of a pair or a column.
pub fn failed(blank: &Sample, failure: Failure) -> Sample {
    let Failure { verdict, reason } = failure;
    Sample { phase: Phase::None, verdict, reason, ..blank.clone() }
}

/// Whether two rates in a row are those of a process that is warm.
fn are_steady(one: f64, next: f64) -> bool {
    (next / one - 1.0).abs() < STEADY
}

/// A batch that fills more lanes than the last one of `count` did, and takes no longer than `most`;
/// `None` if there is none worth trying. Lanes only ever make batches shorter than in proportion.
fn filling(count: u64, full: u64, took: Duration, most: Duration) -> Option<u64> {
    let within = (count as f64 * most.as_secs_f64() / took.as_secs_f64().max(1e-9)) as u64;
    let next = within.min(full);
    (next > count && (next == full || next / 2 >= count)).then_some(next)
}

/// The number of playouts that would have taken `target`.
fn scaled(count: u64, took: Duration, target: Duration) -> u64 {
    let factor = target.as_secs_f64() / took.as_secs_f64().max(1e-9);
    ((count as f64 * factor).ceil() as u64).max(1)
}

/// The sample to play again: the quickest, where it is quicker than the others for no known reason,
/// else any.
fn doubtful<'p>(played: &'p [(Job, Ran)], rng: &mut Rng) -> Option<&'p (Job, Ran)> {
    let rate = |played: &(Job, Ran)| played.1.rate();
    let quickest = played.iter().max_by(|a, b| rate(a).total_cmp(&rate(b)))?;
    let slowest = played.iter().map(rate).fold(f64::INFINITY, f64::min);
    if rate(quickest) > QUICKER * slowest {
        return Some(quickest);
    }
    played.get(rng.below(played.len() as u32) as usize)
}

fn fill(row: &mut Sample, job: &Job, ran: &Ran) {
    row.first = job.first;
    row.playouts = ran.playouts;
    row.plies = ran.plies;
    row.plies_squared = Some(ran.plies_squared);
    row.capped = ran.capped;
    row.stuck = ran.stuck;
    row.payoffs = ran.payoffs();
    row.wall_ns = ran.wall_ns.max(1);
    row.cpu_ns = ran.cpu_ns.max(1);
    row.digest = Digest(u64::from_str_radix(&ran.digest, 16).unwrap_or(0));
    if ran.peak_bytes > 0 {
        row.peak_bytes = Some(ran.peak_bytes.max(row.peak_bytes.unwrap_or(0)));
    }
    if ran.capped == ran.playouts && row.verdict.is_ranked() {
        row.verdict = Verdict::Capped;
        row.reason = format!("every playout reached the cap of {} plies", job.cap);
    }
    // Less CPU than wall time: something else had the core.
    if row.threads == 1 && ran.cpu_ns * 10 < ran.wall_ns * 9 {
        row.warnings.push(reports::table::CONTENDED.to_owned());
    }
}

/// One visit to a game: warms up a process for each column that wants one, and takes its samples in
/// rounds. `emit` gets every row as it comes, warm-up included; a column that fails on the way gets
/// a row that says why, and the others go on.
pub fn visit(
    entrants: &mut [Entrant<'_>],
    protocol: &Protocol,
    process: u32,
    emit: &mut dyn FnMut(&Sample),
    stop: &dyn Fn() -> bool,
) -> TimeSpent {
    let start = Instant::now();
    let Some(mut rng) = entrants.first().map(|entrant| entrant.rng(0, process)) else {
        return TimeSpent::default();
    };
    for i in shuffled(entrants.len(), &mut rng) {
        let entrant = &mut entrants[i];
        if stop() {
            break;
        }
        if entrant.column.wants(protocol, process)
            && let Err(failure) = entrant.warm_up(protocol, process, emit)
        {
            emit(&entrant.column.give_up(failure));
        }
    }
    let warming = start.elapsed();
    for round in protocol.rounds_of(process) {
        for (slot, i) in shuffled(entrants.len(), &mut rng).into_iter().enumerate() {
            if stop() {
                break;
            }
            let entrant = &mut entrants[i];
            let late = entrant.visit.samples > 0 && entrant.visit.wall > protocol.most();
            if late || entrant.column.done.rounds.contains(&round) || entrant.column.out {
                continue;
            }
            match entrant.measure(protocol, process, round, slot as u32) {
                Ok(row) => emit(&row),
                Err(failure) => emit(&entrant.column.give_up(failure)),
            }
        }
    }
    for entrant in entrants {
        entrant.column.played = std::mem::take(&mut entrant.visit.played);
        // After the last process there is no other, so that it is asked itself.
        if process + 1 == protocol.processes
            && !stop()
            && !entrant.column.out
            && let Err(failure) = entrant.play_again(protocol, process + 1)
        {
            emit(&entrant.column.give_up(failure));
        }
    }
    TimeSpent { warming, sampling: start.elapsed().saturating_sub(warming) }
}

/// The numbers below `count` in random order.
pub fn shuffled(count: usize, rng: &mut Rng) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    for i in (1..order.len()).rev() {
        order.swap(i, rng.below(i as u32 + 1) as usize);
    }
    order
}

fn name_hash(name: &str) -> u64 {
    name.bytes().fold(0, |h, b| play::mix(h ^ u64::from(b)))
}

/// Waits until the machine is idle enough to measure on, at most so long; true if it is.
pub fn settle_machine(patience: Duration) -> bool {
    let start = Instant::now();
    loop {
        match crate::machine::busy_cores(Duration::from_millis(250)) {
            Some(busy) if busy > 0.1 => {}
            _ => return true,
        }
        if start.elapsed() > patience {
            return false;
        }
    }
}

#[cfg(test)]
mod tests {
    use play::Scores;
    use play::kit::Effort;

    use super::*;
    use crate::protocol::{KitFindings, View};

    /// An engine with lanes: each pass over them takes as long, however many are used, and there is
    /// one pass more than the playouts need.
    struct Laned {
        lanes: u64,
        pass: Duration,
        /// Taken by the first job of several playouts.
        layout: Duration,
    }

    impl Subject for Laned {
        fn name(&self) -> &'static str {
            "laned"
        }

        fn players(&self) -> u8 {
            1
        }

        fn chance(&self) -> bool {
            false
        }

        fn lanes(&self) -> u64 {
            self.lanes
        }

        fn perft(&mut self, _: u32, _: u64) -> Result<Option<Vec<u64>>, Failure> {
            Ok(None)
        }

        fn fingerprint(&mut self, _: u32, _: u64) -> Result<Option<u64>, Failure> {
            Ok(None)
        }

        fn look(&mut self, _: &[usize], _: u32, _: u64) -> Result<View, Failure> {
            Err(Failure::new(Verdict::Unsupported, "not looked at"))
        }

        fn run(&mut self, job: &Job, via: Via, _: u32) -> Result<Ran, Failure> {
            let lanes = if via == Via::Reference { 1 } else { self.lanes };
            let mut tally = play::Tally::default();
            (tally.playouts, tally.plies) = (job.count, job.count);
            tally.count(Scores::new([100]), job.count);
            let mut took = self.pass.as_nanos() as u64 * (job.count.div_ceil(lanes) + 1);
            if job.count > 20 {
                took += std::mem::take(&mut self.layout).as_nanos() as u64;
            }
            Ok(Ran::new(&tally, took, took, 0))
        }

        fn raw_perft(&mut self, _: u32, _: u64) -> Result<Option<Vec<u64>>, Failure> {
            Ok(None)
        }

        fn raw_run(&mut self, job: &Job) -> Result<Ran, Failure> {
            self.run(job, Via::Reference, 1)
        }

        fn kit(&mut self, _: &Effort) -> Result<Option<KitFindings>, Failure> {
            Ok(None)
        }
    }

    /// Playouts and seconds of the samples, without the warm-up.
    fn samples(lanes: u64, pass: Duration, via: reports::Via) -> Vec<(u64, f64)> {
        samples_of(Laned { lanes, pass, layout: Duration::ZERO }, via)
    }

    fn samples_of(mut subject: Laned, via: reports::Via) -> Vec<(u64, f64)> {
        let row = Sample { via, ..Sample::failure("game", "laned", Verdict::Ok, "") };
        let way = if via == reports::Via::Reference { Via::Reference } else { Via::Fast };
        let mut column = Column::new(row, way, 10, Done::default());
        let mut samples = Vec::new();
        for process in 0..Protocol::QUICK.processes {
            let mut emit = |row: &Sample| {
                if row.phase == Phase::Sample {
                    samples.push((row.playouts, row.wall_ns as f64 / 1e9));
                }
                assert_ne!(row.phase, Phase::None, "{}", row.reason);
            };
            let mut entrants = [Entrant::new(&mut subject, &mut column)];
            visit(&mut entrants, &Protocol::QUICK, process, &mut emit, &|| false);
        }
        samples
    }

    #[test]
    fn lanes_are_filled_although_one_playout_is_long_enough_for_a_sample() {
        // One playout takes 0.12 s, and so do 512.
        let samples = samples(512, Duration::from_millis(60), reports::Via::Fast);
        assert!(samples.iter().all(|s| s.0 == filled(512)), "{samples:?}");
        assert_eq!(samples.len(), 10);
    }

    #[test]
    fn lanes_are_filled_although_it_takes_long_to_lay_them_out() {
        let (pass, layout) = (Duration::from_millis(25), Duration::from_secs(2));
        let samples = samples_of(Laned { lanes: 512, pass, layout }, reports::Via::Fast);
        assert!(samples.iter().all(|s| s.0 >= filled(512)), "{samples:?}");
        assert_eq!(samples.len(), 10);
    }

    #[test]
    fn as_many_lanes_are_filled_as_the_longest_sample_has_time_for() {
        let most = Protocol::QUICK.most().as_secs_f64();
        let samples = samples(512, Duration::from_millis(190), reports::Via::Fast);
        // Three passes and the one that is always there fit into 4 s / 5.
        assert!(samples.iter().all(|s| s.0 > 512 && s.1 <= most), "{samples:?}");
        assert!(samples.len() >= Protocol::QUICK.processes as usize);
    }

    #[test]
    fn samples_without_lanes_are_as_long_as_the_protocol_says() {
        for (lanes, via) in [(1, reports::Via::Fast), (512, reports::Via::Reference)] {
            let samples = samples(lanes, Duration::from_millis(50), via);
            assert!(samples.iter().all(|s| s.0 <= 3 && s.1 <= 0.22), "{samples:?}");
        }
        // Samples that hold far more than the lanes are not shortened either.
        let samples = samples(64, Duration::from_micros(1), reports::Via::Fast);
        assert!(samples.iter().all(|s| s.0 > filled(64) && s.1 > 0.025), "{samples:?}");
    }
}
