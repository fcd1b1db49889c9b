//! The conformance kit: what every game on every engine must keep, whatever its rules. An author
//! calls [`check`] for one line a game; `ggpbench verify` runs it for every pair.

use std::collections::{BTreeMap, BTreeSet};

use crate::engine::{Game, Job, Via};
use crate::position::{Position, settle};
use crate::rng::Rng;
use crate::scores::{Scores, Turn};
use crate::tally::Tally;

/// How much to check.
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

/// What [`check`] found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Breaches of the contract, each in one sentence; empty is good.
    pub faults: Vec<String>,
    /// Plies walked; a kit that walked none has shown nothing.
    pub plies: u64,
    /// How the fast path relates to the reference.
    pub fast: Option<Agreement>,
    /// How the batch path relates to the fast one.
    pub batch: Option<Agreement>,
}

/// In which sense two ways of playing agree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Agreement {
    /// Every playout is the same.
    Identical,
    /// Playouts differ, but are drawn from the same distribution as far as the test can see.
    SameDistribution,
}

/// Deviations beyond this many standard errors are faults: a false alarm in 10^8 tests or so.
pub const SIGMAS: f64 = 6.0;

/// Runs the kit.
pub fn check(game: &dyn Game, effort: &Effort) -> Report {
    let mut report = Report::default();
    for walk in 0..effort.walks {
        walk_one(game, effort, walk, &mut report);
    }
    if report.plies == 0 {
        report.faults.push("no ply was ever played".to_owned());
    }
    check_runs(game, effort, &mut report);
    report
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
    check_sampler(position, rng, &mut fault);
}

/// Chi-squared test of the fast path's way to draw an action, where it has its own.
fn check_sampler(position: &dyn Position, rng: &mut Rng, fault: &mut dyn FnMut(String)) {
    let actions = position.actions();
    if actions == 0 || position.sample(rng).is_none() {
        return;
    }
    let draws = (100 * actions).max(4000);
    let mut counts = vec![0u64; actions];
    for _ in 0..draws {
        match position.sample(rng) {
            Some(action) if action < actions => counts[action] += 1,
            other => return fault(format!("the sampler drew {other:?} of {actions} actions")),
        }
    }
    let expected = draws as f64 / actions as f64;
    let chi: f64 = counts.iter().map(|&c| (c as f64 - expected).powi(2) / expected).sum();
    if chi_squared_sigmas(chi, actions - 1) > SIGMAS {
        fault(format!("the sampler is not uniform: {counts:?}"));
    }
}

fn check_runs(game: &dyn Game, effort: &Effort, report: &mut Report) {
    let Effort { seed, playouts, cap, .. } = *effort;
    let job = Job { seed, first: 0, count: playouts, cap };
    let fast = game.run(&job, Via::Fast);
    if fast.playouts != playouts {
        report.faults.push(format!("{} playouts of {playouts} asked for", fast.playouts));
    }
    if fast != game.run(&job, Via::Fast) {
        report.faults.push("the same job gave another tally the second time".to_owned());
    }
    let head = Job { count: playouts / 3, ..job };
    let tail = Job { first: playouts / 3, count: playouts - playouts / 3, ..job };
    let mut parts = game.run(&tail, Via::Fast);
    parts += &game.run(&head, Via::Fast);
    if fast != parts {
        report.faults.push("a job split in two gave another tally".to_owned());
    }
    // Other ids, so that two samples of the same distribution are independent where they differ.
    let reference = game.run(&job, Via::Reference);
    report.fast = agreement(&fast, &reference, "the fast path", "the reference", report);
    if game.facts().batch.is_some() {
        let batch = game.run(&job, Via::Batch);
        report.batch = agreement(&batch, &fast, "the batch path", "the fast path", report);
    }
}

fn agreement(
    a: &Tally,
    b: &Tally,
    a_name: &str,
    b_name: &str,
    report: &mut Report,
) -> Option<Agreement> {
    if a == b {
        return Some(Agreement::Identical);
    }
    match differs(a, b) {
        None => Some(Agreement::SameDistribution),
        Some(how) => {
            report.faults.push(format!("{a_name} and {b_name} differ: {how}"));
            None
        }
    }
}

/// How two independent tallies differ beyond what chance explains ([`SIGMAS`]); `None` if they do
/// not. Compares mean plies, the shares of capped and stuck playouts, and the outcomes.
pub fn differs(a: &Tally, b: &Tally) -> Option<String> {
    let ((mean_a, error_a), (mean_b, error_b)) = (a.mean_plies(), b.mean_plies());
    // A rare short or long playout that a sample happens to lack is not in its own spread.
    let floor = |tally: &Tally, mean: f64| mean / tally.playouts.max(1) as f64;
    let error = error_a.max(floor(a, mean_a)).hypot(error_b.max(floor(b, mean_b)));
    if (mean_a - mean_b).abs() > SIGMAS * error.max(1e-9) {
        return Some(format!("mean plies {mean_a:.4} and {mean_b:.4} (standard error {error:.4})"));
    }
    // Outcomes as a 2 x k table; rare ones are put together, for which the test would not hold.
    let mut table: BTreeMap<Option<Scores>, [u64; 2]> = BTreeMap::new();
    let (outcomes_a, outcomes_b) = (a.outcomes(), b.outcomes());
    let scores: BTreeSet<Scores> = outcomes_a.keys().chain(outcomes_b.keys()).copied().collect();
    for score in scores {
        let pair = [&outcomes_a, &outcomes_b].map(|o| o.get(&score).copied().unwrap_or(0));
        let key = (pair[0] + pair[1] >= 20).then_some(score);
        let entry = table.entry(key).or_default();
        *entry = [entry[0] + pair[0], entry[1] + pair[1]];
    }
    let mut rows: Vec<[u64; 2]> = table.into_values().collect();
    rows.push([a.capped, b.capped]);
    rows.push([a.stuck, b.stuck]);
    let totals = [a.playouts as f64, b.playouts as f64];
    let all = totals[0] + totals[1];
    let mut chi = 0.0;
    let mut cells = 0;
    for row in rows.iter().filter(|row| row[0] + row[1] > 0) {
        cells += 1;
        for side in 0..2 {
            let expected = (row[0] + row[1]) as f64 * totals[side] / all;
            chi += (row[side] as f64 - expected).powi(2) / expected.max(1e-9);
        }
    }
    (cells > 1 && chi_squared_sigmas(chi, cells - 1) > SIGMAS)
        .then(|| format!("outcomes {outcomes_a:?} and {outcomes_b:?}"))
}

/// Turns a chi-squared statistic into standard deviations of a normal one (Wilson and Hilferty 1931).
pub fn chi_squared_sigmas(chi: f64, freedom: usize) -> f64 {
    if freedom == 0 {
        return 0.0;
    }
    let k = freedom as f64;
    let v = 2.0 / (9.0 * k);
    ((chi / k).cbrt() - (1.0 - v)) / v.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Chance;
    use crate::engine::Facts;
    use crate::mechanics::{Adapted, Mechanics};
    use crate::scores::Player;
    use crate::toy::Toy;
    use crate::{End, Ending};

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
        BiasedSampler,
        DuplicateLabels,
        LateEnd,
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
        fn sample(&self, _: &mut (u8, u8), rng: &mut Rng) -> Option<u8> {
            Some(match self.fault {
                Fault::BiasedSampler => rng.below(5).min(3) as u8,
                _ => 3 - rng.below(4) as u8,
            })
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

    fn faults(fault: Fault) -> Report {
        let game = Adapted::new(Faulty { facts: Facts { players: 2, ..Facts::default() }, fault });
        check(&game, &Effort { playouts: 20_000, ..Effort::default() })
    }

    #[test]
    fn planted_faults_are_caught() {
        let sound = faults(Fault::None);
        assert!(sound.faults.is_empty(), "{:?}", sound.faults);
        assert_eq!(sound.fast, Some(Agreement::SameDistribution));
        for (fault, words) in [
            (Fault::BiasedRun, "the fast path and the reference differ: outcomes"),
            (Fault::BiasedSampler, "the sampler is not uniform"),
            (Fault::DuplicateLabels, "two legal actions share a label"),
            (Fault::LateEnd, "mean plies"),
        ] {
            let report = faults(fault);
            assert!(
                report.faults.iter().any(|f| f.contains(words)),
                "{words}: {:?}",
                report.faults
            );
        }
    }
}
