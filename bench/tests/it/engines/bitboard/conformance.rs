//! Every module keeps the contract of `play`, on every level of instructions and at every ply cap.

use bitboard::{Level, modules};
use play::kit::{self, Agreement, Effort};
use play::{Job, Via};

use crate::engines::bitboard::common::{game, game_on};

#[test]
fn the_kit_finds_no_fault_and_every_fast_path_identical_to_the_reference() {
    for module in modules() {
        let effort = Effort { walks: 12, playouts: 1000, ..Effort::default() };
        let game = game(module);
        let report = kit::check(&*game, &effort);
        assert!(report.faults.is_empty(), "{module}: {:#?}", report.faults);
        assert_eq!(report.fast, Some(Agreement::Identical), "{module}");
        assert_eq!(report.batch, game.facts().batch.map(|_| Agreement::Identical), "{module}");
    }
}

#[test]
fn results_are_the_same_on_every_level() {
    for module in modules() {
        let job = Job { seed: 5, first: 77, count: 1200, cap: 10_000 };
        let plain = game_on(Level::PORTABLE, module).run(&job, Via::Fast);
        assert_eq!(plain.playouts, job.count);
        for level in Level::available() {
            let game = game_on(level, module);
            let fast = (level != Level::PORTABLE).then_some(Via::Fast);
            let batch = game.facts().batch.map(|_| Via::Batch);
            for via in fast.into_iter().chain(batch) {
                let tally = game.run(&job, via);
                assert_eq!(tally, plain, "{module} on {level:?}, {}", via.name());
            }
        }
    }
}

#[test]
fn a_ply_cap_ends_fast_playouts_where_it_ends_the_reference() {
    for module in modules() {
        let game = game(module);
        let mut seen = (0, 0);
        for cap in
            (0..12).chain([13, 16, 20, 21, 25, 30, 31, 42, 59, 60, 61, 70, 81, 130, 131, 400])
        {
            let job = Job { seed: 9, first: 0, count: 200, cap };
            let tally = game.run(&job, Via::Fast);
            assert_eq!(tally, game.run(&job, Via::Reference), "{module} at cap {cap}");
            assert_eq!(tally.stuck, 0, "{module}");
            seen = (seen.0 + tally.capped, seen.1 + tally.playouts - tally.capped);
        }
        assert!(seen.0 > 0 && seen.1 > 0, "{module}: {seen:?} capped and over");
    }
}
