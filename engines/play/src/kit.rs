//! The conformance kit: what every game on every engine must keep, whatever its rules. An author
//! calls [`check`] for one line a game; `ggpbench verify` runs it for every pair.

mod comparison;
mod from_positions;
mod lockstep;
mod power;

use std::collections::BTreeSet;
use std::fmt;

use crate::game::{Game, Via};
use crate::job::Job;
use crate::method::Promise;
use crate::position::{Position, settle};
use crate::rng::Rng;
use crate::scores::Turn;
use crate::tally::Tally;

pub use comparison::{
    Comparison, chi_squared_sigmas, compare, compare_followed_up, differs, unlike_counts,
};
pub use power::{
    Contrast, Detects, FOLLOW_UP, SIGMAS, SUSPICION, contrasts, is_suspicious, payoff_range,
    percent,
};

/// The effort of a check.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Seed of everything drawn.
    pub seed: u64,
    /// Playouts walked position by position.
    pub walks: u64,
    /// Playouts that the ways of playing are compared on.
    pub playouts: u64,
    /// Ply cap.
    pub cap: u32,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { seed: 1, walks: 4, playouts: 2000, cap: 10_000 }
    }
}

/// The results of [`check`].
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Breaches of the contract, each in one sentence; empty is good.
    pub faults: Vec<String>,
    /// Plies walked; a kit that walked none has shown nothing of the rules.
    pub plies: u64,
    /// Playouts on which the ways of playing were compared.
    pub playouts: u64,
    /// The relation of the fast path to the reference; `None` if it breaks its promise.
    pub fast: Option<Agreement>,
    /// The same of the batch path, where it is something of its own.
    pub batch: Option<Agreement>,
    /// The same of the path without machine code, where there is one.
    pub interpreted: Option<Agreement>,
}

/// In which sense two ways of playing agree.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Agreement {
    /// Every playout is the same.
    Identical,
    /// Playouts differ, for this reason, but show no sign of another distribution.
    SameDistribution {
        /// The reason why they differ.
        reason: &'static str,
        /// The deviations that would have shown; `None` if the ply cap cut playouts.
        detects: Option<Detects>,
    },
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Agreement::Identical => f.write_str("identical"),
            Agreement::SameDistribution { reason, detects: None } => {
                write!(f, "same distribution ({reason}), as far as the ply cap lets it show")
            }
            Agreement::SameDistribution { reason, detects: Some(detects) } => {
                write!(f, "same distribution ({reason}), detects {detects}")
            }
        }
    }
}

pub use crate::position::play_listed;

/// Runs the kit.
pub fn check(game: &dyn Game, effort: &Effort) -> Report {
    let mut report = Report::default();
    let generator = &mut Rng::stream(0x6b17, 0);
    report.faults.extend(biased_draws(&mut |n| generator.below(n)));
    for walk in 0..effort.walks {
        walk_one(game, effort, walk, &mut report);
    }
    lockstep::check(game, effort, &mut report);
    if effort.walks > 0 {
        from_positions::check(game, effort, &mut report);
    }
    check_runs(game, effort, &mut report);
    report
}

/// Bounds for which a generator's draws are tested: some divide powers of two, some nearly do, and
/// some are greater than what 8 or 16 bits can tell apart.
const BOUNDS: [u32; 10] = [2, 3, 7, 10, 96, 255, 257, 300, 1000, 70_000];

/// The fault of bounded draws, if a chi-squared test for one of several bounds finds any.
fn biased_draws(draw: &mut dyn FnMut(u32) -> u32) -> Option<String> {
    BOUNDS.into_iter().find_map(|bound| {
        // The remainder tells the lowest bits apart, the quotient the highest.
        let cells = bound.min(512);
        let draws = 40 * u64::from(cells);
        let mut counts = [vec![0u64; cells as usize], vec![0u64; cells as usize]];
        for _ in 0..draws {
            let number = draw(bound);
            if number >= bound {
                return Some(format!("the generator drew {number} below {bound}"));
            }
            counts[0][(number % cells) as usize] += 1;
            counts[1][(u64::from(number) * u64::from(cells) / u64::from(bound)) as usize] += 1;
        }
        let skewed = counts.iter().enumerate().any(|(way, counts)| {
            let width = |cell: u32| match way {
                0 => (bound - cell).div_ceil(cells),
                _ => {
                    let start = |c: u32| (u64::from(c) * u64::from(bound)).div_ceil(cells.into());
                    (start(cell + 1) - start(cell)) as u32
                }
            };
            let chi: f64 = (0..cells)
                .zip(counts)
                .map(|(cell, &count)| {
                    let expected = draws as f64 * f64::from(width(cell)) / f64::from(bound);
                    (count as f64 - expected).powi(2) / expected
                })
                .sum();
            chi_squared_sigmas(chi, cells as usize - 1) > SIGMAS
        });
        skewed.then(|| {
            format!("the generator's draws below {bound} are biased: draw from 64 random bits")
        })
    })
}

fn walk_one(game: &dyn Game, effort: &Effort, walk: u64, report: &mut Report) {
    let mut rng = Rng::stream(effort.seed, walk);
    let mut position = game.open(&mut rng);
    for ply in 0..effort.cap {
        if !settle(&mut *position, &mut rng) {
            return;
        }
        // Dense at the start, then at powers of two: the checks cost more than the walk.
        if ply < 10 || ply.is_power_of_two() {
            check_position(game, &*position, &mut rng, report);
        }
        let actions = position.actions();
        if position.turn() == Turn::Over || actions == 0 || !report.faults.is_empty() {
            return;
        }
        let action = rng.below(actions as u32) as usize;
        if let Err(error) = position.play(action, &mut rng) {
            report.faults.push(format!("a legal action was refused: {error}"));
            return;
        }
        report.plies += 1;
    }
}

fn check_position(game: &dyn Game, position: &dyn Position, rng: &mut Rng, report: &mut Report) {
    let players = game.facts().players;
    let mut fault = |text: String| report.faults.push(format!("{text}, in\n{}", position.draw()));
    let labels = position.labels();
    match position.turn() {
        Turn::Over => {
            if !labels.is_empty() {
                fault("actions are legal though the game is over".to_owned());
            }
            match position.scores() {
                Some(scores) if scores.players() == usize::from(players) => {}
                scores => fault(format!("scores {scores:?} of a game for {players}")),
            }
        }
        Turn::Move(player) => {
            if player.0 >= players {
                fault(format!("player {} moves in a game for {players}", player.0 + 1));
            }
            if let Some(scores) = position.scores() {
                fault(format!("scores {scores} though the game goes on"));
            }
        }
    }
    if let Some(empty) = labels.iter().position(String::is_empty) {
        fault(format!("action {empty} has no label"));
    }
    if labels.iter().collect::<BTreeSet<_>>().len() < labels.len() {
        fault(format!("two legal actions share a label: {labels:?}"));
    }
    if position.copy().play(labels.len(), rng).is_ok() {
        fault("an action that is not legal was played".to_owned());
    }
    let drawn = position.draw();
    for action in 0..labels.len().min(3) {
        let mut copy = position.copy();
        let _ = copy.play(action, rng);
        let after = position.labels();
        if after != labels || position.draw() != drawn {
            fault(format!("playing {} on a copy changed the original", labels[action]));
        }
    }
}

/// The first id of the playouts that a kit of this seed asks for. It may lie anywhere below 2^48,
/// as those of proofs and samples do: what is wrong with great ids does not show in small ones.
fn first_id(seed: u64) -> u64 {
    Rng::stream(seed, u64::MAX).next_u64() >> 16
}

/// Playouts that are asked for again, whole and in parts.
const AGAIN: u64 = 2000;

fn check_runs(game: &dyn Game, effort: &Effort, report: &mut Report) {
    let Effort { seed, playouts, cap, .. } = *effort;
    report.playouts = playouts;
    let job = Job { seed, first: first_id(seed), count: playouts.min(AGAIN), cap };
    let some = game.run(&job, Via::Fast);
    if some.playouts != job.count {
        report.faults.push(format!("{} playouts of {} asked for", some.playouts, job.count));
    }
    if some != game.run(&job, Via::Fast) {
        report.faults.push("the same job gave another tally the second time".to_owned());
    }
    let head = Job { count: job.count / 3, ..job };
    let tail = Job { first: job.first + head.count, count: job.count - head.count, ..job };
    let mut parts = game.run(&tail, Via::Fast);
    parts += &game.run(&head, Via::Fast);
    if some != parts {
        report.faults.push("a job split in two gave another tally".to_owned());
    }
    let job = Job { count: playouts, ..job };
    let reference = game.run(&job, Via::Reference);
    let mut agreement = |via| {
        let mode = game.facts().mode(via)?;
        keeps(game, &job, (via, mode.promise), &reference, report)
    };
    let [fast, batch, interpreted] = [Via::Fast, Via::Batch, Via::Interpreted].map(&mut agreement);
    agreement(Via::Listed);
    (report.fast, report.batch, report.interpreted) = (fast, batch, interpreted);
}

/// The agreement that playouts of this kind keep with the reference; `None`, and an entry in the
/// report, if the promise is broken.
fn keeps(
    game: &dyn Game,
    job: &Job,
    (via, promise): (Via, Promise),
    reference: &Tally,
    report: &mut Report,
) -> Option<Agreement> {
    let tally = game.run(job, via);
    if tally == *reference {
        return Some(Agreement::Identical);
    }
    let way = via.name();
    match promise {
        Promise::SamePlayouts => {
            let place = first_unlike(game, job, via);
            report.faults.push(format!(
                "the {way} path and the reference do not play the same playouts, as promised: \
                 {place}"
            ));
            None
        }
        Promise::SameDistribution(reason) => match compare(&tally, reference) {
            Comparison::Differs(how) => {
                report.faults.push(format!("the {way} path and the reference differ: {how}"));
                None
            }
            alike => {
                let detects = alike.detects();
                Some(Agreement::SameDistribution { reason, detects })
            }
        },
    }
}

/// The first playout of a job that is not the reference's, by bisection: tallies are sums.
fn first_unlike(game: &dyn Game, job: &Job, via: Via) -> String {
    let mut job = *job;
    let pair = |job: &Job| (game.run(job, via), game.run(job, Via::Reference));
    while job.count > 1 {
        let head = Job { count: job.count / 2, ..job };
        let tail = Job { first: job.first + head.count, count: job.count - head.count, ..job };
        let unlike = |half: &Job| {
            let (own, reference) = pair(half);
            own != reference
        };
        if unlike(&head) {
            job = head;
        } else if unlike(&tail) {
            job = tail;
        } else {
            let Job { seed, first, count, .. } = job;
            return format!(
                "it shows where ids {first} to {} of seed {seed} are one job, and not in its \
                 halves",
                first + count - 1
            );
        }
    }
    let (own, reference) = pair(&job);
    format!(
        "playout {} of seed {} takes {}, by the reference {}",
        job.first,
        job.seed,
        describe_one(&own),
        describe_one(&reference)
    )
}

/// A tally of one playout in words.
fn describe_one(tally: &Tally) -> String {
    let ending = match tally.outcomes().first_key_value() {
        Some((scores, _)) => format!("ends {scores}"),
        None if tally.stuck > 0 => "is stuck".to_owned(),
        None => "reaches the cap".to_owned(),
    };
    format!("{} plies and {ending}", tally.plies)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adapted::Adapted;
    use crate::chance::Chance;
    use crate::game::Facts;
    use crate::mechanics::{Mechanics, one_by_one};
    use crate::method::PlayoutMode;
    use crate::scores::{Player, Scores};
    use crate::tally::{End, Ending};
    use crate::toy::Toy;

    #[test]
    fn a_sound_game_passes() {
        let game = Toy::parse("1(2(=100,0 =0,100 1[=50,50]) *(=0,100 2(=100,0)))").unwrap().boxed();
        let report = check(&*game, &Effort::default());
        assert!(report.faults.is_empty(), "{:?}", report.faults);
        assert_eq!(report.fast, Some(Agreement::Identical));
    }

    /// Choose 1 of 4, twice; then the sum decides. With faults to plant.
    struct Faulty {
        facts: Facts,
        fault: Fault,
    }

    #[derive(PartialEq, Clone, Copy)]
    enum Fault {
        None,
        BiasedRun,
        DuplicateLabels,
        LateEnd,
        MixedStreams,
    }

    impl Mechanics for Faulty {
        type State = (u8, u8);
        type Action = u8;

        fn facts(&self) -> &Facts {
            &self.facts
        }
        fn initial<C: Chance + ?Sized>(&self, _: &mut C) -> (u8, u8) {
            (0, 0)
        }
        fn expand(&self, state: &mut (u8, u8), legal: &mut Vec<u8>) -> Turn {
            if state.0 == 2 {
                return Turn::Over;
            }
            legal.extend(0..4);
            Turn::Move(Player(state.0))
        }
        fn apply<C: Chance + ?Sized>(&self, state: &mut (u8, u8), action: u8, _: &mut C) {
            *state = (state.0 + 1, state.1 + action);
        }
        fn scores(&self, state: &(u8, u8)) -> Scores {
            Scores::win(Player(u8::from(state.1 < 3)))
        }
        fn label(&self, _: &(u8, u8), action: u8) -> String {
            if self.fault == Fault::DuplicateLabels { "a1".into() } else { format!("a{action}") }
        }
        fn draw(&self, state: &(u8, u8)) -> String {
            format!("{state:?}")
        }
        fn playouts(&self, from: &(u8, u8), job: &Job, ends: &mut Vec<End>) {
            let before = ends.len();
            one_by_one(self, from, job, ends);
            if self.fault == Fault::MixedStreams {
                ends[before..].reverse();
            }
        }
        fn run(&self, job: &Job) -> Tally {
            let mut tally = Tally::default();
            for id in job.ids() {
                let mut rng = Rng::stream(job.seed, id);
                let mut draw = || match self.fault {
                    Fault::BiasedRun => rng.below(5).min(3),
                    _ => 3 - rng.below(4),
                };
                let sum = draw() + draw();
                let plies = 2 + u32::from(self.fault == Fault::LateEnd && sum == 6);
                let winner = Player(u8::from(sum < 3));
                tally.record(id, End { plies, ending: Ending::Over(Scores::win(winner)) });
            }
            tally
        }
    }

    const DISTRIBUTION: Promise = Promise::SameDistribution("it counts down");

    fn faults(fault: Fault, promise: Promise) -> Report {
        let fast = PlayoutMode { promise, ..PlayoutMode::default() };
        let facts = Facts { players: 2, fast, ..Facts::default() };
        let game = Adapted::new(Faulty { facts, fault });
        check(&game, &Effort { playouts: 20_000, ..Effort::default() })
    }

    #[test]
    fn planted_faults_are_caught() {
        let sound = faults(Fault::None, DISTRIBUTION);
        assert!(sound.faults.is_empty(), "{:?}", sound.faults);
        let Some(Agreement::SameDistribution { reason, detects: Some(detects) }) = sound.fast
        else {
            panic!("{:?}", sound.fast);
        };
        assert_eq!(reason, "it counts down");
        assert!((0.0001..0.05).contains(&detects.worst()), "{detects}");
        for (fault, words) in [
            (Fault::BiasedRun, "the fast path and the reference differ: outcomes"),
            (Fault::DuplicateLabels, "two legal actions share a label"),
            (Fault::LateEnd, "mean plies"),
            (Fault::MixedStreams, "are not those one by one"),
        ] {
            let report = faults(fault, DISTRIBUTION);
            assert!(
                report.faults.iter().any(|f| f.contains(words)),
                "{words}: {:?}",
                report.faults
            );
        }
    }

    #[test]
    fn a_promise_to_play_the_same_playouts_is_kept_or_broken() {
        let report = faults(Fault::None, Promise::SamePlayouts);
        assert_eq!(report.fast, None);
        let fault = &report.faults[0];
        assert!(fault.contains("do not play the same playouts, as promised: playout "), "{fault}");
        assert!(fault.contains(" plies and ends "), "{fault}");
    }

    #[test]
    fn draws_from_few_bits_are_biased() {
        let mut sound = Rng::stream(3, 3);
        assert_eq!(biased_draws(&mut |n| sound.below(n)), None);
        for bits in [8, 16] {
            let mut rng = Rng::stream(3, 4);
            let mut draw = |n: u32| (rng.next_u64() >> (64 - bits)) as u32 % n;
            assert!(biased_draws(&mut draw).is_some(), "{bits} bits");
        }
        let mut rng = Rng::stream(3, 5);
        assert!(biased_draws(&mut |n| rng.below(n.max(2) - 1)).is_some());
    }
}
