//! The catalogue's rulesheets: the conformance kit, and the same games as the prover plays.

use super::common::{EVALUATORS, catalogue, compile};
use super::together::{same_trees, walk};
use gdl::ProverEngine;
use play::{BuildFact, Game, Job, Limits, Rules, Via, kit};
use propnet::{Evaluator, PropnetEngine};

/// Sheets longer than this, such as that of chess, ground into tens of thousands of rules.
const LONG: usize = 8000;

/// The sheets that are long, or those that are not.
fn sheets(long: bool) -> Vec<Rules> {
    let mut sheets = catalogue();
    sheets.retain(|rules| (rules.source.text().len() > LONG) == long);
    sheets
}

/// Every second sheet: halves are checked side by side.
fn half(odd: bool) -> Vec<Rules> {
    let all = sheets(false).into_iter().enumerate();
    all.filter(|(at, _)| (at % 2 == 1) == odd).map(|(_, rules)| rules).collect()
}

/// Every playout of the fast path is the one that the reference plays, draw for draw, and the game
/// is the one that the prover plays.
#[test]
fn the_kit_and_the_prover_find_no_fault() {
    half(false).iter().for_each(check);
}

#[test]
fn the_kit_and_the_prover_find_no_fault_in_the_other_half() {
    half(true).iter().for_each(check);
}

/// Whichever evaluator is picked, the playouts are the same; so are those of a table of positions.
#[test]
fn what_is_picked_for_a_job_does_not_show() {
    for rules in sheets(false) {
        let name = rules.source.name();
        if !["connect-4-6x7", "hanoi-3", "tic-tac-toe-3x3"].contains(&name) {
            continue;
        }
        let games = [Evaluator::Quickest, Evaluator::Event].map(|evaluator| {
            compile(&PropnetEngine { evaluator }, &rules, &Limits::default()).unwrap()
        });
        let from = games[0].facts().built(BuildFact::SideBySideFrom).unwrap();
        assert!((8..1500).contains(&from), "{name}: {from}");
        for count in [from - 1, from, 2500] {
            let job = Job { seed: 8, first: 3, count, cap: 40 };
            let expected = games[0].run(&job, Via::Reference);
            for game in &games {
                assert_eq!(game.run(&job, Via::Fast), expected, "{name}, {count}");
            }
        }
    }
}

#[test]
#[ignore = "a minute; cargo test --release -p bench --test it propnet::catalogue -- --ignored"]
fn long_sheets_pass_the_same_tests() {
    let sheets = sheets(true);
    assert!(!sheets.is_empty(), "no sheet is long");
    sheets.iter().for_each(check);
}

fn check(rules: &Rules) {
    let games = EVALUATORS
        .map(|evaluator| compile(&PropnetEngine { evaluator }, rules, &Limits::default()).unwrap());
    check_by_the_kit(rules.source.name(), &games);
    compare_with_the_prover(rules, &*games[0]);
}

fn check_by_the_kit(name: &str, games: &[Box<dyn Game>; 2]) {
    // A network that is this large takes half of the time of all others for a tenth of their
    // playouts.
    let large = games[1].facts().state_bytes > 1000;
    let playouts = if large { 4 } else { 12 };
    for (game, evaluator) in games.iter().zip(EVALUATORS) {
        let effort = kit::Effort { playouts, walks: 1, ..kit::Effort::default() };
        let report = kit::check(&**game, &effort);
        assert!(report.faults.is_empty(), "{name}, {evaluator:?}: {:?}", report.faults);
        assert_eq!(report.fast, Some(kit::Agreement::Identical), "{name}, {evaluator:?}");
    }
    // Enough playouts for every lane to play several, at a cap that cuts some of them off.
    let count = if large { 540 } else { 1200 };
    let job = Job { seed: 5, first: 70, count, cap: 23 };
    let [one, many] = [&games[0], &games[1]].map(|game| game.run(&job, Via::Fast));
    assert_eq!(one, many, "{name}");
}

fn compare_with_the_prover(rules: &Rules, ours: &dyn Game) {
    if ours.facts().chance {
        // Engines number what chance does each in its own order; `hidden` compares distributions.
        return;
    }
    let name = rules.source.name();
    let theirs = compile(&ProverEngine, rules, &Limits::default()).unwrap();
    let depth = same_trees(ours, &*theirs, 5, 1000).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert!(depth > 0, "{name}: nothing was compared");
    let plies = walk(ours, &*theirs, 5, 80).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert!(plies > 1, "{name}: a walk of {plies}");
}
