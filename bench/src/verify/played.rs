//! Playouts of one way of playing, and what they cost.

use std::time::{Duration, Instant};

use play::{Tally, Via};
use reports::Verdict;

use super::effort::Effort;
use crate::failure::Failure;
use crate::playout_ids::PlayoutIds;
use crate::subject::Subject;

/// Most playouts of one kind of evidence, unless power asks for more.
pub(crate) const MOST_PLAYOUTS: u64 = 1 << 20;

/// Longest that a single answer is meant to take: workers are killed that take too long.
pub(crate) const LONGEST_ANSWER: Duration = Duration::from_secs(5);

/// The most elapsed time of evidence, as a multiple of its CPU time, on a busy machine.
const PATIENCE: u32 = 8;

/// A sample of a way that can be made larger.
#[derive(Clone, Debug)]
pub(crate) struct Played {
    pub(crate) tally: Tally,
    /// CPU time of all of it.
    pub(crate) cpu: Duration,
    /// Of two ways of one engine other ones, so that these are independent.
    pub(super) ids: PlayoutIds,
}

impl Played {
    /// Nothing yet of a way of an engine, under a seed; `purpose` tells samples of the same way
    /// apart.
    pub(crate) fn nothing(engine: &str, via: Via, purpose: &str, seed: u64) -> Played {
        let whose = format!("{engine} {} {purpose}", via.name());
        let ids = PlayoutIds::of_proof(seed, &whose);
        Played { tally: Tally::default(), cpu: Duration::ZERO, ids }
    }

    /// Plays as many playouts as fit into the time, at least two. CPU time counts, so that a busy
    /// machine does not make a proof shorter.
    pub(crate) fn for_time(
        subject: &mut dyn Subject,
        via: Via,
        effort: &Effort,
    ) -> Result<Played, Failure> {
        let start = Instant::now();
        let mut played = Played::nothing(subject.name(), via, "", effort.seed);
        let mut count = 1;
        let goes_on = |played: &Played| {
            played.cpu < effort.time
                && start.elapsed() < effort.time * PATIENCE
                && played.tally.playouts < MOST_PLAYOUTS
        };
        while played.tally.playouts < 2 || goes_on(&played) {
            let took = played.add(subject, via, count, effort)?;
            if took * 4 < effort.time.min(LONGEST_ANSWER) {
                // Lanes cost nothing; where they do, the time is kept all the same.
                let within = effort.time.as_secs_f64() / (4.0 * took.as_secs_f64().max(1e-9));
                let filled = ((count as f64 * within) as u64).min(subject.lanes());
                count = (count * 2).max(filled);
            }
        }
        Ok(played)
    }

    /// Plays on until there are so many playouts, or this CPU time is spent; what was spent.
    pub(crate) fn grow(
        &mut self,
        subject: &mut dyn Subject,
        via: Via,
        until: u64,
        time: Duration,
        effort: &Effort,
    ) -> Result<Duration, Failure> {
        let start = Instant::now();
        let mut spent = Duration::ZERO;
        while self.tally.playouts < until
            && spent < time
            && start.elapsed() < time.saturating_mul(PATIENCE)
        {
            let within = time.saturating_sub(spent).min(LONGEST_ANSWER / 4).as_secs_f64();
            let affordable = ((self.rate() * within) as u64).max(1);
            let count = (until - self.tally.playouts).min(affordable);
            spent += self.add(subject, via, count, effort)?;
        }
        Ok(spent)
    }

    /// Playouts a second of CPU time.
    pub(crate) fn rate(&self) -> f64 {
        self.tally.playouts as f64 / self.cpu.as_secs_f64().max(1e-9)
    }

    fn add(
        &mut self,
        subject: &mut dyn Subject,
        via: Via,
        count: u64,
        effort: &Effort,
    ) -> Result<Duration, Failure> {
        let ran = subject.run(&self.ids.job(count, effort.cap), via, 1)?;
        let part = ran.tally().map_err(|fault| Failure::new(Verdict::Crashed, fault))?;
        self.tally += &part;
        let took = Duration::from_nanos(ran.cpu_ns);
        self.cpu += took;
        Ok(took)
    }
}
