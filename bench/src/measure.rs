//! Measuring: interleaved rounds of calibrated batches, with warm-up kept apart.
//!
//! All engines of a game are measured in every round, in shuffled order, so that drift of the machine
//! falls on all of them; each round plays fresh playout ids. Rows go to the caller as they come.
//! Rows of an earlier part of the same run ([`Done`]) are not measured again.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use play::{Job, Rng, Via};
use reports::{Digest, Phase, Sample, Verdict};

use crate::protocol::Ran;
use crate::subject::{Failure, Subject, filled};

/// How long and how often to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Protocol {
    /// Length that a sample is calibrated to.
    pub sample: Duration,
    /// Samples of each pair, one a round.
    pub rounds: u32,
    /// A pair whose single playouts exceed the sample stops after this long, once it has
    /// [`FEWEST_ROUNDS`] samples.
    pub longest: Duration,
    /// Most samples spent on warming up, calibration apart.
    pub warmups: u32,
}

/// Rounds below which there is no interval worth printing.
pub const FEWEST_ROUNDS: u32 = 3;

/// Jobs of a set size that a sample may have: each is a question and an answer of a worker, which is
/// not measured but takes its time.
const MOST_JOBS: u64 = 2_000;

/// Rates of two samples in a row that differ by less than this share count as warmed up.
const STEADY: f64 = 0.05;

impl Protocol {
    /// A few minutes for a whole table: ten samples of 100 ms a pair.
    pub const QUICK: Protocol = Protocol {
        sample: Duration::from_millis(110),
        rounds: 10,
        longest: Duration::from_secs(4),
        warmups: 3,
    };

    /// The paper's ten minutes a cell, in sixty samples of ten seconds.
    pub const PAPER: Protocol = Protocol {
        sample: Duration::from_secs(10),
        rounds: 60,
        longest: Duration::from_mins(10),
        warmups: 3,
    };

    /// So many seconds of samples for each pair.
    pub fn seconds(seconds: f64) -> Protocol {
        let total = Duration::from_secs_f64(seconds.clamp(0.05, 1e6));
        let rounds = (total.as_millis() / 100).clamp(u128::from(FEWEST_ROUNDS), 30) as u32;
        Protocol { sample: total / rounds, rounds, longest: total * 2, warmups: 3 }
    }

    /// Longest sample that leaves time for as many as are needed.
    fn most(&self) -> Duration {
        self.longest / FEWEST_ROUNDS
    }
}

impl std::str::FromStr for Protocol {
    type Err = String;

    fn from_str(s: &str) -> Result<Protocol, String> {
        match s {
            "quick" => Ok(Protocol::QUICK),
            "paper" => Ok(Protocol::PAPER),
            _ => match s.trim_end_matches('s').parse::<f64>() {
                Ok(seconds) if seconds > 0.0 => Ok(Protocol::seconds(seconds)),
                _ => Err("expected `quick`, `paper` or a number of seconds a cell".to_owned()),
            },
        }
    }
}

/// A column to measure: a loaded game and a way to play it.
pub struct Entrant<'s> {
    /// The loaded game.
    pub subject: &'s mut dyn Subject,
    /// The row to fill: names, verdict and facts of the pair, and the column: way, threads, jobs.
    pub row: Sample,
    /// Ply cap.
    pub cap: u32,
    state: Progress,
}

/// Where an entrant is.
struct Progress {
    /// Playouts a sample.
    count: u64,
    /// Fewer leave lanes empty that could be full.
    least: u64,
    done: Done,
    out: bool,
}

/// What has been measured of a column of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Rounds that there are samples of.
    rounds: BTreeSet<u32>,
    /// The first playout id that no row has used.
    next: u64,
    /// Elapsed time of the samples.
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
        if row.phase == Phase::Sample {
            self.rounds.insert(row.round);
            self.spent += Duration::from_nanos(row.wall_ns);
        }
    }

    /// Whether nothing is left to measure.
    fn all(&self, protocol: &Protocol) -> bool {
        let long_enough =
            self.spent > protocol.longest && self.rounds.len() >= FEWEST_ROUNDS as usize;
        long_enough || self.rounds.len() >= protocol.rounds as usize
    }
}

impl<'s> Entrant<'s> {
    /// An entrant whose `row` carries everything that is the same in all its samples, and what has
    /// been measured of it already.
    pub fn new(subject: &'s mut dyn Subject, row: Sample, cap: u32, done: Done) -> Entrant<'s> {
        Entrant { subject, row, cap, state: Progress { count: 1, least: 1, done, out: false } }
    }

    /// Runs one batch and makes its row.
    fn sample(&mut self, phase: Phase, round: u32, slot: u32) -> Result<Sample, Failure> {
        let (seed, first) = (self.row.seed, self.state.done.next);
        let job = Job { seed, first, count: self.count(), cap: self.cap };
        let ran = self.run(&job)?;
        let mut row = Sample { phase, round, slot, ..self.row.clone() };
        fill(&mut row, &job, &ran);
        self.state.done.add(&row);
        Ok(row)
    }

    /// Playouts of the next sample: whole jobs, where their size is set.
    fn count(&self) -> u64 {
        match self.row.job {
            Some(size) => size.saturating_mul(self.state.count.div_ceil(size).min(MOST_JOBS)),
            None => self.state.count,
        }
    }

    /// Plays a sample, in jobs of the size that is set.
    fn run(&mut self, whole: &Job) -> Result<Ran, Failure> {
        let size = self.row.job.unwrap_or(whole.count).max(1);
        let mut sum: Option<Ran> = None;
        let end = whole.first + whole.count;
        for first in (whole.first..end).step_by(usize::try_from(size).unwrap_or(usize::MAX)) {
            let job = Job { first, count: size.min(end - first), ..*whole };
            let ran = self.subject.run(&job, way(self.row.via), self.row.threads)?;
            sum = Some(match sum {
                None => ran,
                Some(sum) => sum.and(&ran).map_err(|why| Failure::new(Verdict::Crashed, why))?,
            });
        }
        sum.ok_or_else(|| Failure::new(Verdict::Crashed, "a sample without playouts"))
    }

    /// Doubles the batch until it is long enough and fills the lanes, then repeats it until two
    /// rates in a row agree. Everything run on the way is handed out as warm-up.
    fn warm_up(
        &mut self,
        protocol: &Protocol,
        emit: &mut dyn FnMut(&Sample),
    ) -> Result<(), Failure> {
        let mut last_rate = None;
        let mut warmups = 0;
        let mut once_more = true;
        loop {
            let row = self.sample(Phase::Warmup, 0, 0)?;
            emit(&row);
            let wall = Duration::from_nanos(row.wall_ns);
            let full = self.row.job.is_some() && self.count() < self.state.count;
            if wall * 2 < protocol.sample && !full {
                self.state.count =
                    scaled(self.state.count, wall, protocol.sample).min(self.state.count * 16);
                continue;
            }
            if let Some(more) = filling(self.state.count, self.full(), wall, protocol.most()) {
                self.state.count = more;
                continue;
            }
            // The first job that is played in lanes may have laid them out.
            if self.state.count < self.full() && std::mem::take(&mut once_more) {
                continue;
            }
            self.state.least = self.state.count.min(self.full());
            let rate = row.playouts as f64 / row.cpu_ns as f64;
            let steady = last_rate.is_some_and(|last: f64| (rate / last - 1.0).abs() < STEADY);
            warmups += 1;
            self.recalibrate(wall, protocol.sample);
            if steady || warmups >= protocol.warmups || wall > protocol.sample * 4 {
                return Ok(());
            }
            last_rate = Some(rate);
        }
    }

    /// Playouts that fill all lanes for most of a job.
    fn full(&self) -> u64 {
        if self.row.job.is_some() || self.row.via == reports::Via::Reference {
            return 1;
        }
        match filled(self.subject.lanes()) {
            1 => 1,
            full => full * u64::from(self.row.threads.max(1)),
        }
    }

    /// Sets the batch by how long the last one took.
    fn recalibrate(&mut self, took: Duration, target: Duration) {
        self.state.count = scaled(self.state.count, took, target).max(self.state.least);
    }
}

/// A batch that fills more lanes than the last one of `count` did, and takes no longer than `most`;
/// `None` if there is none worth trying. Lanes only ever make batches shorter than in proportion.
fn filling(count: u64, full: u64, took: Duration, most: Duration) -> Option<u64> {
    let within = (count as f64 * most.as_secs_f64() / took.as_secs_f64().max(1e-9)) as u64;
    let next = within.min(full);
    (next > count && (next == full || next / 2 >= count)).then_some(next)
}

/// The way of playing that a row names.
fn way(via: reports::Via) -> Via {
    match via {
        reports::Via::Fast => Via::Fast,
        reports::Via::Reference | reports::Via::Listed => Via::Reference,
        reports::Via::Batch => Via::Batch,
    }
}

/// The number of playouts that would have taken `target`.
fn scaled(count: u64, took: Duration, target: Duration) -> u64 {
    let factor = target.as_secs_f64() / took.as_secs_f64().max(1e-9);
    ((count as f64 * factor).ceil() as u64).max(1)
}

fn fill(row: &mut Sample, job: &Job, ran: &Ran) {
    row.first = job.first;
    row.playouts = ran.playouts;
    row.plies = ran.plies;
    row.plies_squared = Some(ran.plies_squared);
    row.capped = ran.capped;
    row.stuck = ran.stuck;
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
        row.warnings.push("contended".to_owned());
    }
}

/// Measures all entrants of one game. `emit` gets every row as it comes, warm-up included; a pair
/// that fails on the way gets a row that says why, and the others go on.
pub fn measure(
    entrants: &mut [Entrant<'_>],
    protocol: &Protocol,
    emit: &mut dyn FnMut(&Sample),
    stop: &dyn Fn() -> bool,
) {
    for entrant in entrants.iter_mut() {
        if stop() {
            return;
        }
        if entrant.state.done.all(protocol) {
            continue;
        }
        if let Err(failure) = entrant.warm_up(protocol, emit) {
            give_up(entrant, failure, emit);
        }
    }
    let shuffle_seed = entrants.first().map_or(0, |e| e.row.seed ^ name_hash(&e.row.game));
    for round in 0..protocol.rounds {
        let mut order: Vec<usize> = (0..entrants.len()).collect();
        let mut rng = Rng::stream(shuffle_seed, u64::from(round));
        for i in (1..order.len()).rev() {
            order.swap(i, rng.below(i as u32 + 1) as usize);
        }
        for (slot, &i) in order.iter().enumerate() {
            if stop() {
                return;
            }
            let entrant = &mut entrants[i];
            let Progress { done, out, .. } = &entrant.state;
            if *out || done.rounds.contains(&round) || done.all(protocol) {
                continue;
            }
            match entrant.sample(Phase::Sample, round, slot as u32) {
                Ok(row) => {
                    emit(&row);
                    // The machine may have changed speed since calibration.
                    let wall = Duration::from_nanos(row.wall_ns);
                    if wall * 2 < protocol.sample || wall > protocol.sample * 2 {
                        entrant.recalibrate(wall, protocol.sample);
                    }
                }
                Err(failure) => give_up(entrant, failure, emit),
            }
        }
    }
}

fn give_up(entrant: &mut Entrant<'_>, failure: Failure, emit: &mut dyn FnMut(&Sample)) {
    entrant.state.out = true;
    emit(&Sample {
        phase: Phase::None,
        verdict: failure.verdict,
        reason: failure.reason,
        ..entrant.row.clone()
    });
}

fn name_hash(name: &str) -> u64 {
    name.bytes().fold(0, |h, b| play::mix(h ^ u64::from(b)))
}

/// Waits until the machine is idle enough to measure on, at most so long; true if it is.
pub fn settle_machine(patience: Duration) -> bool {
    let start = Instant::now();
    loop {
        match crate::machine::running_tasks() {
            Some(running) if running > 1 => {}
            _ => return true,
        }
        if start.elapsed() > patience {
            return false;
        }
        std::thread::sleep(Duration::from_millis(100));
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
        let mut entrants = [Entrant::new(&mut subject, row, 10, Done::default())];
        let mut samples = Vec::new();
        let mut emit = |row: &Sample| {
            if row.phase == Phase::Sample {
                samples.push((row.playouts, row.wall_ns as f64 / 1e9));
            }
        };
        measure(&mut entrants, &Protocol::QUICK, &mut emit, &|| false);
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
        let samples = samples(512, Duration::from_millis(300), reports::Via::Fast);
        // Three passes and the one that is always there fit into 4 s / 3.
        assert!(samples.iter().all(|s| s.0 > 512 && s.1 <= most), "{samples:?}");
        assert!(samples.len() >= FEWEST_ROUNDS as usize);
    }

    #[test]
    fn samples_without_lanes_are_as_long_as_the_protocol_says() {
        for (lanes, via) in [(1, reports::Via::Fast), (512, reports::Via::Reference)] {
            let samples = samples(lanes, Duration::from_millis(50), via);
            assert!(samples.iter().all(|s| s.0 <= 3 && s.1 <= 0.22), "{samples:?}");
        }
        // Samples that hold far more than the lanes are not shortened either.
        let samples = samples(64, Duration::from_micros(1), reports::Via::Fast);
        assert!(samples.iter().all(|s| s.0 > filled(64) && s.1 > 0.05), "{samples:?}");
    }
}
