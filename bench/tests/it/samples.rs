//! Tests that the measured game is the proven game: engines that play by the rules where they are
//! proven and otherwise where they are measured are found.
//!
//! Times are made up, a microsecond or more a playout, so that nothing depends on the machine.

use bench::failure::Failure;
use bench::measure::{Column, Done, Entrant, Proof, Protocol, visit};
use bench::playout_ids::PlayoutIds;
use bench::protocol::{KitFindings, Ran, View};
use bench::subject::{Local, Subject};
use bench::verify::sums::Sums;
use play::{End, Ending, Game, Job, Scores, Tally, Via};
use reports::{Phase, Sample, Verdict};

use crate::common;

/// The fault of an engine where it is measured.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Fault {
    None,
    /// The first player wins after five plies in jobs of many playouts.
    NothingInSamples,
    /// A cap of seven plies in jobs of many playouts.
    CapInSamples,
    /// Playouts end after six plies with more than two threads.
    CutOnManyThreads,
    /// One of 1,000 results is wrong with more than two threads.
    RareOnManyThreads,
    /// One of 500 results is wrong in jobs of more than so many playouts.
    RareInLongJobs,
    /// Playouts end after six plies from the sixth question on.
    AfterSomeQuestions,
    /// Draws are wins in all processes but the first.
    SecondProcess,
    /// One of 1,000 results is wrong by the fast way.
    RareByFastWay,
    /// One of 1,000 playouts is two plies short by the fast way.
    ShortByFastWay,
    /// Results are exchanged in one of 100 playouts by the fast way.
    ExchangedByFastWay,
}

struct Cheat<'g> {
    sound: Local<'g>,
    fault: Fault,
    process: u32,
    questions: u32,
}

impl Cheat<'_> {
    /// Plays a job, and changes how one playout of so many ends.
    fn altered(
        &mut self,
        job: &Job,
        one_in: u64,
        alter: impl Fn(u32, Scores) -> (u32, Scores),
    ) -> Result<Tally, Failure> {
        let (mut tally, mut from) = (Tally::default(), job.first);
        let ids: Vec<u64> = job.ids().filter(|&id| play::mix(id).is_multiple_of(one_in)).collect();
        for id in ids {
            tally += &self.sound_tally(&Job { first: from, count: id - from, ..*job })?;
            let one = self.sound_tally(&Job { first: id, count: 1, ..*job })?;
            from = id + 1;
            let Some(&scores) = one.outcomes().keys().next() else {
                tally += &one;
                continue;
            };
            let (plies, scores) = alter(one.plies as u32, scores);
            tally.record(id, End { plies, ending: Ending::Over(scores) });
        }
        let rest = Job { first: from, count: job.first + job.count - from, ..*job };
        tally += &self.sound_tally(&rest)?;
        Ok(tally)
    }

    fn sound_tally(&mut self, job: &Job) -> Result<Tally, Failure> {
        let tally = self.sound.run(job, Via::Fast, 1)?.tally();
        tally.map_err(|fault| Failure::new(Verdict::Crashed, fault))
    }

    fn with_wrong_results(&mut self, job: &Job, one_in: u64) -> Result<Tally, Failure> {
        let other = |s| if s == Scores::FIRST { Scores::SECOND } else { Scores::FIRST };
        self.altered(job, one_in, |plies, scores| (plies, other(scores)))
    }

    /// Six plies of each playout, and a draw where there is no end yet.
    fn cut(&mut self, job: &Job) -> Result<Tally, Failure> {
        let mut tally = self.sound_tally(&Job { cap: job.cap.min(6), ..*job })?;
        let capped = std::mem::take(&mut tally.capped);
        tally.count(Scores::DRAW, capped);
        Ok(tally)
    }
}

impl Subject for Cheat<'_> {
    fn name(&self) -> &str {
        self.sound.name()
    }

    fn players(&self) -> u8 {
        self.sound.players()
    }

    fn chance(&self) -> bool {
        self.sound.chance()
    }

    fn lanes(&self) -> u64 {
        1
    }

    fn perft(&mut self, depth: u32, budget: u64) -> Result<Option<Vec<u64>>, Failure> {
        self.sound.perft(depth, budget)
    }

    fn fingerprint(&mut self, depth: u32, budget: u64) -> Result<Option<u64>, Failure> {
        self.sound.fingerprint(depth, budget)
    }

    fn look_at(
        &mut self,
        path: &[usize],
        chance: &[u64],
        depth: u32,
        budget: u64,
    ) -> Result<View, Failure> {
        self.sound.look_at(path, chance, depth, budget)
    }

    fn run(&mut self, job: &Job, via: Via, threads: u32) -> Result<Ran, Failure> {
        self.questions += 1;
        let fast = via == Via::Fast;
        let tally = match self.fault {
            Fault::NothingInSamples if job.count >= 200 => {
                let mut tally = Tally::default();
                let end = End { plies: 5, ending: Ending::Over(Scores::FIRST) };
                job.ids().for_each(|id| tally.record(id, end));
                tally
            }
            Fault::CapInSamples if job.count >= 200 => self.sound_tally(&Job { cap: 7, ..*job })?,
            Fault::CutOnManyThreads if threads > 2 => self.cut(job)?,
            Fault::RareOnManyThreads if threads > 2 => self.with_wrong_results(job, 1000)?,
            Fault::RareInLongJobs if job.count > 9000 => self.with_wrong_results(job, 500)?,
            Fault::AfterSomeQuestions if self.questions >= 6 => self.cut(job)?,
            Fault::SecondProcess if self.process > 0 => self.altered(job, 1, |plies, scores| {
                (plies, if scores == Scores::DRAW { Scores::FIRST } else { scores })
            })?,
            Fault::RareByFastWay if fast => self.with_wrong_results(job, 1000)?,
            Fault::ShortByFastWay if fast => {
                self.altered(job, 1000, |plies, scores| (plies - 2, scores))?
            }
            Fault::ExchangedByFastWay if fast => self.altered(job, 100, |plies, scores| {
                let [a, b] = [0, 1].map(|player| scores.get(play::Player(player)));
                (plies, Scores::new([b, a]))
            })?,
            _ => self.sound_tally(job)?,
        };
        let took = job.count * if fast { 2_000 } else { 10_000 };
        Ok(Ran::new(&tally, took, took, 0))
    }

    fn raw_perft(&mut self, depth: u32, budget: u64) -> Result<Option<Vec<u64>>, Failure> {
        self.sound.raw_perft(depth, budget)
    }

    fn raw_run(&mut self, job: &Job) -> Result<Ran, Failure> {
        self.sound.raw_run(job)
    }

    fn kit(&mut self, _: &play::kit::Effort) -> Result<Option<KitFindings>, Failure> {
        Ok(None)
    }
}

/// Playouts that a default run proves of an engine, at least.
const PROVEN: u64 = 20_000;

/// Measures by the quick protocol, after a proof by the sound engine: the row that says what is
/// wrong, and how many samples there are.
fn measured(game: &dyn Game, fault: Fault, threads: u32) -> (Option<Sample>, usize) {
    let seed = 5;
    let row = Sample { seed, threads, ..Sample::failure("game", "engine", Verdict::Ok, "") };
    let job = PlayoutIds::of_proof(seed, "engine").job(PROVEN, 100);
    let proven = Local::new("engine", game).run(&job, Via::Fast, 1).unwrap().tally().unwrap();
    // A run of a hundred columns, with eleven comparisons each.
    let proof = Proof { sums: Sums::from(&proven), limit: (1e-6f64 / 1100.0).ln() };
    let mut column = Column::new(row, Via::Fast, 100, Done::default()).held_to(Some(proof));
    let (mut failed, mut samples) = (None, 0);
    for process in 0..Protocol::QUICK.processes {
        let sound = Local::new("engine", game);
        let mut cheat = Cheat { sound, fault, process, questions: 0 };
        let mut emit = |row: &Sample| match row.phase {
            Phase::None => failed = Some(row.clone()),
            Phase::Sample => samples += 1,
            Phase::Warmup => {}
        };
        let mut entrants = [Entrant::new(&mut cheat, &mut column)];
        visit(&mut entrants, &Protocol::QUICK, process, &mut emit, &|| false);
    }
    (failed, samples)
}

#[test]
fn what_plays_otherwise_where_it_is_measured_is_found() {
    let game = common::compile("bitboard", "tic-tac-toe-3x3");
    let mut missed = Vec::new();
    for (fault, threads, words) in [
        (Fault::NothingInSamples, 1, "round 0 and the proof, mean plies 5.0000 ± 0.0000 of 15"),
        (Fault::CapInSamples, 1, "what was measured is not what was proven: the sample of round 0"),
        (Fault::CutOnManyThreads, 4, "what was measured is not what was proven"),
        (Fault::RareOnManyThreads, 4, "again in 3 parts, it played something else"),
        (Fault::RareInLongJobs, 1, "again in 3 parts, it played something else"),
        (Fault::AfterSomeQuestions, 1, "and the proof, "),
        (Fault::SecondProcess, 1, "it played something else"),
        (Fault::RareByFastWay, 1, "that were measured are not those of the reference"),
        (Fault::ShortByFastWay, 1, "that were measured are not those of the reference"),
        (Fault::ExchangedByFastWay, 1, "that were measured are not those of the reference"),
    ] {
        let found = match measured(&*game, fault, threads).0 {
            Some(Sample { verdict: Verdict::Wrong, reason, .. }) => reason,
            other => format!("{other:?}"),
        };
        if !found.contains(words) {
            missed.push(format!("{fault:?}: {found}"));
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn what_plays_by_the_rules_is_not_blamed() {
    let game = common::compile("bitboard", "tic-tac-toe-3x3");
    for threads in [1, 4] {
        let (failed, samples) = measured(&*game, Fault::None, threads);
        assert!(failed.is_none(), "{failed:?}");
        assert_eq!(samples, 10);
    }
}
