//! Playouts are the same with all instructions that this machine has, with numbers of all widths,
//! and however players share their move sets.

use std::fmt::Write;

use play::{BuildFact, Job, Limits, Mechanics, Via};
use propnet::{Evaluator, Level, PropnetEngine, PropnetGame};

use super::common::{EVALUATORS, compile, kif};

/// Two roles at once, a wide choice, nature, a recursion, and an end that is not always reached. On
/// many cells some are mines, which end it, too.
fn marks_at_once(cells: u32) -> String {
    let mut sheet = "(role a) (role b) (role random)
        (next_to 1 2) (next_to 2 3) (next_to 3 4) (next_to 4 5) (next_to 5 1) (next_to 5 6)
        (next_to 6 7) (next_to 7 8) (next_to 8 9) (next_to 9 10) (next_to 10 6)
        (<= (legal ?r (mark ?x)) (role ?r) (distinct ?r random) (cell ?x) (not (true (full ?x))))
        (<= (legal a noop) (true (full 1))) (<= (legal b noop) (true (full 1)))
        (<= (legal random (clear ?x)) (cell ?x))
        (<= (next (full ?x)) (does ?r (mark ?x)) (not (does random (clear ?x))))
        (<= (next (full ?x)) (true (full ?x)) (not (does random (clear ?x))))
        (reach 1) (<= (reach ?y) (reach ?x) (true (full ?y)) (next_to ?x ?y))
        (<= terminal (reach 10)) (<= terminal (mine ?x) (true (full ?x))) (mine 0)
        (<= (goal a 100) (true (full 1))) (<= (goal b 100) (not (true (full 1))))"
        .to_owned();
    for cell in 1..=cells {
        let mine = if cell % 100 == 0 { "mine" } else { "cell" };
        write!(sheet, "(cell {cell}) ({mine} {cell})").expect("a string takes all");
    }
    sheet
}

#[test]
fn every_level_and_width_plays_the_same() {
    for (cells, wide, counts) in [(10, false, &[1, 50, 700, 2500][..]), (14_000, true, &[50, 200])]
    {
        let source = kif("marks-at-once.kif", &marks_at_once(cells)).source;
        let games = EVALUATORS
            .map(|evaluator| PropnetGame::new(&source, evaluator, &Limits::default()).unwrap().0);
        for (game, numbered) in games.iter().zip([BuildFact::EventNodes, BuildFact::BatchSlots]) {
            let count = game.facts().built(numbered).unwrap();
            assert_eq!(count > 1 << 16, wide, "{count} {numbered}");
        }
        for &count in counts {
            let job = Job { seed: 4, first: 10, count, cap: 30 };
            let expected = games[0].run_on(Level::Portable, &job);
            assert_eq!(expected.playouts, count);
            assert!(count < 200 || expected.capped > 0 && expected.capped < count);
            for level in Level::available() {
                for (game, evaluator) in games.iter().zip(EVALUATORS) {
                    let tally = game.run_on(level, &job);
                    assert_eq!(tally, expected, "{evaluator:?} on {level:?}, {count} on {cells}");
                }
            }
        }
    }
}

#[test]
fn players_who_share_a_move_set_play_the_same() {
    let marks = include_str!("../../../../../engines/propnet/tests/marks.kif");
    // With somebody who only looks on all have move sets of their own.
    for (more, move_sets) in [("", 1), ("(role c) (legal c noop)", 3)] {
        let rules = kif("marks.kif", &format!("{marks} {more}"));
        let engine = PropnetEngine { evaluator: Evaluator::Batch };
        let game = compile(&engine, &rules, &Limits::default()).unwrap();
        assert_eq!(game.facts().built(BuildFact::BatchMoveSets), Some(move_sets));
        for (count, cap) in [(1, 30), (700, 30), (700, 5)] {
            let job = Job { seed: 3, first: 20, count, cap };
            assert_eq!(game.run(&job, Via::Fast), game.run(&job, Via::Reference), "{job:?}");
        }
    }
}
