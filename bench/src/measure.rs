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
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use play::{Job, Rng, Via};
use reports::{Digest, Phase, Sample, Verdict};

pub use protocol::Protocol;

use crate::failure::{Failure, if_supported};
use crate::playout_ids::{self, PlayoutIds};
use crate::protocol::Ran;
use crate::subject::{Subject, filled};
use crate::verify::sums::{Sums, unlike};

/// Jobs of a set size that a sample may have: each costs the harness a little that is not measured.
const MOST_JOBS: u64 = 2_000;

/// Rates of two samples in a row that differ by less than this share count as warmed up.
const STEADY: f64 = 0.05;

/// A sample that is quicker than another by this factor is doubtful.
const QUICKER: f64 = 1.1;

/// The mark of rows if the system does not tell CPU time.
const BY_CLOCK: &str = "elapsed time, as CPU time is not known";

/// The mark of rows of a process whose rates never became steady.
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
    ids: PlayoutIds,
    /// The proof that its samples are compared with; `None` if nothing was proven.
    proof: Option<Proof>,
    /// Playouts that the reference loop plays in a nanosecond, once it is known.
    reference_rate: Option<f64>,
    /// The jobs and results of the last process.
    played: Vec<(Job, Ran)>,
    waits: Waits,
    /// It failed and is out.
    out: bool,
}

/// The proven playouts that samples are compared with.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The playouts that were proven.
    pub sums: Sums,
    /// Natural logarithm of the probability below which a difference is no chance.
    pub limit: f64,
}

/// A column and the process that plays it in this visit.
pub struct Entrant<'s> {
    /// The loaded game.
    pub subject: &'s mut dyn Subject,
    /// The column.
    pub column: &'s mut Column,
    visit: Visit,
}

/// The work of a process so far.
#[derive(Default)]
struct Visit {
    samples: u32,
    wall: Duration,
    unsteady: bool,
    played: Vec<(Job, Ran)>,
}

/// The share of the time of its samples in which a column was idle.
#[derive(Default)]
struct Waits {
    samples: u32,
    wall_ns: u64,
    idle_ns: u64,
}

impl Waits {
    fn add(&mut self, ran: &Ran) {
        self.samples += 1;
        self.wall_ns += ran.wall_ns;
        self.idle_ns += ran.idle_ns;
    }

    /// The share, where it is so much that others may have worked for it: half of one process's
    /// samples, or a quarter of several processes', in which a pause of the machine does not weigh
    /// so much.
    fn suspicious(&self, protocol: &Protocol) -> Option<f64> {
        let share = self.idle_ns as f64 / self.wall_ns.max(1) as f64;
        let most = match self.samples / protocol.rounds.max(1) {
            0 => return None,
            processes if processes < protocol::FEWEST_PROCESSES => 0.5,
            _ => 0.25,
        };
        (share > most).then_some(share)
    }
}

/// The elapsed time of measuring, by purpose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeSpent {
    /// Calibration, warm-up, and samples played again.
    pub warming: Duration,
    /// Samples.
    pub sampling: Duration,
}

/// The measurements of a column of a game so far.
#[derive(Clone, Debug, Default)]
pub struct Done {
    /// Rounds that there are samples of.
    rounds: BTreeSet<u32>,
    /// Elapsed time of the samples of each process.
    processes: BTreeMap<u32, Duration>,
    /// The playouts of each row: the first id, and how many.
    played: Vec<(u64, u64)>,
    /// Elapsed time of samples and warm-up: of what has rows, so that a run that goes on knows it.
    spent: Duration,
    /// The sums of the samples.
    sums: Sums,
}

impl Done {
    /// The measurements in these rows of one column.
    pub fn of<'r>(rows: impl IntoIterator<Item = &'r Sample>) -> Done {
        let mut done = Done::default();
        for row in rows.into_iter().filter(|row| row.phase != Phase::None) {
            done.add(row);
            if let Some(sums) = Sums::of_row(row).filter(|_| row.phase == Phase::Sample) {
                done.sums.add(&sums);
            }
        }
        done
    }

    fn add(&mut self, row: &Sample) {
        self.played.push((row.first, row.playouts));
        self.spent += Duration::from_nanos(row.wall_ns);
        if row.phase == Phase::Sample {
            self.rounds.insert(row.round);
            *self.processes.entry(row.process).or_default() += Duration::from_nanos(row.wall_ns);
        }
    }

    /// True if no process needs to be started for this column: it took too long already, and there
    /// are as many as an interval needs.
    fn is_over(&self, protocol: &Protocol) -> bool {
        self.spent > protocol.longest && self.processes.len() >= protocol::FEWEST_PROCESSES as usize
    }
}

impl Column {
    /// A column whose `row` carries everything that is the same in all its samples, the loop that
    /// it asks for, and what has been measured of it already.
    pub fn new(row: Sample, via: Via, cap: u32, done: Done) -> Column {
        let whose = format!("{:?}", (&row.game, &row.engine, row.via, row.threads, row.job));
        let mut ids = PlayoutIds::of_samples(row.seed, &format!("{whose} {}", row.control));
        for &(first, count) in &done.played {
            ids.leave_out(first, count);
        }
        let played = Vec::new();
        Column {
            row,
            cap,
            via,
            count: None,
            least: 1,
            done,
            ids,
            proof: None,
            reference_rate: None,
            played,
            waits: Waits::default(),
            out: false,
        }
    }

    /// The same, with samples that are held against this proof.
    #[must_use]
    pub fn held_to(self, proof: Option<Proof>) -> Column {
        Column { proof, ..self }
    }

    /// The sums of all samples.
    pub fn sums(&self) -> &Sums {
        &self.done.sums
    }

    /// True if it failed and was left out.
    pub fn is_out(&self) -> bool {
        self.out
    }

    /// A failure if these playouts and those of the proof cannot be of one distribution.
    fn hold_to_proof(&self, sums: &Sums, what: &str) -> Result<(), Failure> {
        let Some(Proof { sums: proven, limit }) = &self.proof else { return Ok(()) };
        match unlike(sums, proven, self.cap, *limit) {
            None => Ok(()),
            Some(how) => Err(Failure::new(
                Verdict::Wrong,
                format!("what was measured is not what was proven: {what} and the proof, {how}"),
            )),
        }
    }

    /// True if this visit has anything to measure of the column.
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
            None => wanted.min(playout_ids::MOST),
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
        let count = self.column.playouts(count);
        let job = self.column.ids.job(count, self.column.cap);
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

    /// True if one sample takes so long that there is no time to look whether the rate is steady.
    fn is_slow(&self, protocol: &Protocol) -> bool {
        let samples = (self.column.done.rounds.len() as u32).max(1);
        self.column.done.spent / samples > protocol.sample * 8
    }

    /// Plays a sample of the process before in parts of random lengths, on other threads too, which
    /// must give what it gave, and a part of it by the reference where the playouts are promised to
    /// be the same; the rates of the long parts. Samples that take long are played again once only.
    fn play_again(&mut self, protocol: &Protocol, process: u32) -> Result<Vec<f64>, Failure> {
        let played = std::mem::take(&mut self.column.played);
        let mut rng = self.rng(0xa9a1, process);
        let Some((job, before)) = doubtful(&played, &mut rng) else { return Ok(Vec::new()) };
        let long = Duration::from_nanos(before.wall_ns) > protocol.sample * 2;
        if long && process > 1 {
            return Ok(Vec::new());
        }
        let short = self.affordable_by_reference(protocol);
        let parts = split(job, self.column.row.job.unwrap_or(1), short, &mut rng);
        let mut answers = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            answers.push(self.play_on_other_threads(part, number, &mut rng)?);
        }
        // The second part of three is the short one.
        if let [_, middle, _] = &parts[..] {
            self.play_by_reference(middle, &answers[1])?;
        }
        let is_long = |number: &usize| parts.len() < 3 || *number != 1;
        let rates = (0..parts.len()).filter(is_long).map(|n| answers[n].rate()).collect();
        let again = Ran::sum(answers).map_err(|why| Failure::new(Verdict::Wrong, why))?;
        match again.and_then(|again| before.difference(&again)) {
            None => Ok(rates),
            Some(how) => Err(Failure::new(
                Verdict::Wrong,
                format!(
                    "asked for the playouts {} to {} again in {} parts, it played something \
                     else: {how}",
                    job.first,
                    job.first + job.count - 1,
                    parts.len()
                ),
            )),
        }
    }

    /// Plays the part of this number of a job. One long part of several is played on another number
    /// of threads if there are several, else the short one.
    fn play_on_other_threads(
        &mut self,
        part: &Job,
        number: usize,
        rng: &mut Rng,
    ) -> Result<Ran, Failure> {
        let own = self.column.row.threads;
        let threads = match own {
            1 if number == 1 => 2,
            2.. if number == 0 => 1 + rng.below(own - 1),
            _ => own,
        };
        if threads == own || self.column.row.job.is_some() {
            return self.play(part);
        }
        match if_supported(self.subject.run(part, self.column.via, threads))? {
            Some(ran) => Ok(ran),
            None => self.play(part),
        }
    }

    /// The number of playouts that the reference loop plays in half the time of a sample; few as
    /// long as its speed is not known.
    fn affordable_by_reference(&self, protocol: &Protocol) -> u64 {
        let rate = self.column.reference_rate;
        rate.map_or(2, |rate| (rate * protocol.sample.as_nanos() as f64 / 2.0) as u64)
    }

    /// Asks the reference loop for playouts that were played, where they are promised to be the
    /// same.
    fn play_by_reference(&mut self, job: &Job, played: &Ran) -> Result<(), Failure> {
        let via = self.column.via;
        if via == Via::Reference || !self.subject.plays_like_reference(via) {
            return Ok(());
        }
        let answer = self.subject.run(job, Via::Reference, 1);
        let Some(reference) = if_supported(answer)? else { return Ok(()) };
        self.column.reference_rate = Some(reference.rate());
        match reference.difference(played) {
            None => Ok(()),
            Some(how) => Err(Failure::new(
                Verdict::Wrong,
                format!(
                    "the playouts {} to {} that were measured are not those of the reference, as \
                     promised: {how}",
                    job.first,
                    job.first + job.count - 1
                ),
            )),
        }
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
        let tally = ran.tally().map_err(|fault| Failure::new(Verdict::Wrong, fault))?;
        let sums = Sums::from(&tally);
        self.column.hold_to_proof(&sums, &format!("the sample of round {round}"))?;
        self.column.done.sums.add(&sums);
        let mut row = Sample { process, round, slot, ..row };
        self.visit.samples += 1;
        self.visit.wall += Duration::from_nanos(ran.wall_ns);
        if self.visit.unsteady {
            row.warnings.push(UNSTEADY.to_owned());
        }
        // Where each playout is asked for by itself, waiting for the question is no sign of
        // anything.
        if row.threads == 1 && row.job.is_none() {
            self.column.waits.add(&ran);
            if let Some(share) = self.column.waits.suspicious(protocol)
                && row.verdict == Verdict::Ok
            {
                row.verdict = Verdict::Unchecked;
                row.reason = format!(
                    "its process was idle for {:.0} % of the time: what others did for it \
                     meanwhile is not in its CPU time",
                    100.0 * share
                );
            }
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
        if self.column.row.job.is_some() || matches!(self.column.via, Via::Reference | Via::Listed)
        {
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

/// True if two rates in a row are those of a process that is warm.
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

/// Cuts a job into two long parts of random lengths with a short one of about so many playouts
/// between them, each of whole jobs of this size; into fewer where there are too few.
fn split(job: &Job, size: u64, short: u64, rng: &mut Rng) -> Vec<Job> {
    let size = size.max(1);
    let jobs = job.count / size;
    let middle = short.div_ceil(size).min(jobs / 3);
    let cuts = u32::try_from(jobs.saturating_sub(middle + 1)).unwrap_or(u32::MAX);
    if cuts == 0 {
        return vec![*job];
    }
    let head = 1 + u64::from(rng.below(cuts));
    let ends = [head, head + middle, jobs].map(|jobs| jobs * size);
    let part = |first: u64, end: u64| Job { first: job.first + first, count: end - first, ..*job };
    let parts = [part(0, ends[0]), part(ends[0], ends[1]), part(ends[1], job.count)];
    parts.into_iter().filter(|part| part.count > 0).collect()
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
    if ran.by_clock {
        row.warnings.push(BY_CLOCK.to_owned());
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
        if entrant.column.out {
            continue;
        }
        let mut found = entrant.column.hold_to_proof(&entrant.column.done.sums, "all samples");
        // After the last process there is no other, so that it is asked itself.
        if found.is_ok() && process + 1 == protocol.processes && !stop() {
            found = entrant.play_again(protocol, process + 1).map(|_| ());
        }
        if let Err(failure) = found {
            emit(&entrant.column.give_up(failure));
        }
    }
    TimeSpent { warming, sampling: start.elapsed().saturating_sub(warming) }
}

/// The numbers below `count` in random order.
pub fn shuffled(count: usize, rng: &mut Rng) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    rng.shuffle(&mut order);
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
