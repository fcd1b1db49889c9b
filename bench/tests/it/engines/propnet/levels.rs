//! Playouts are the same with all instructions that this machine has, with numbers of all widths,
//! and however players share their move sets.

use std::fmt::Write;

use play::{BuildFact, Continuation, Ending, Job, Limits, Mechanics, Method, NoChance, Rng, Via};
use propnet::{Evaluator, Level, PropnetEngine, PropnetGame, PropnetState};

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
            let expected = games[0].run_on(Level::PORTABLE, &job);
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

#[test]
fn playouts_from_states_are_the_same_on_every_level_and_width() {
    for (cells, counts) in [(10, &[1, 50, 700, 2500][..]), (14_000, &[50])] {
        let source = kif("marks-at-once.kif", &marks_at_once(cells)).source;
        let [event, batch] = EVALUATORS
            .map(|evaluator| PropnetGame::new(&source, evaluator, &Limits::default()).unwrap().0);
        let mut rng = Rng::stream(8, 0);
        let mut from = [event.initial(&mut rng.clone()), batch.initial(&mut rng)];
        for ply in 0..5 {
            for &count in counts {
                let job = Job { seed: 4, first: 10, count, cap: 30 };
                let mut expected = Vec::new();
                event.playouts(&from[0], &job, &mut expected);
                assert_eq!(expected.len() as u64, count);
                for level in Level::available() {
                    let mut ends = Vec::new();
                    batch.playouts_on(level, &from[1], &job, &mut ends);
                    assert!(ends == expected, "{level:?}, {count} on {cells} after {ply}");
                }
            }
            for &count in counts {
                let each = |state: &PropnetState| {
                    let caps = [30, 4, 0].into_iter().cycle().take(count as usize);
                    let playout = |(id, cap)| {
                        let rng = Rng::stream(5, id);
                        Continuation { state: state.clone(), rng, cap }
                    };
                    (0..).zip(caps).map(playout).collect::<Vec<_>>()
                };
                let mut expected = Vec::new();
                event.play_each(&mut each(&from[0]), &mut expected);
                for level in Level::available() {
                    let mut ends = Vec::new();
                    batch.play_each_on(level, &mut each(&from[1]), &mut ends);
                    assert!(ends == expected, "{level:?}, {count} by themselves after {ply}");
                }
            }
            // In the middle of a joint move after every second ply.
            let mut legal = Vec::new();
            event.expand(&mut from[0], &mut legal);
            let action = legal[rng.below(legal.len() as u32) as usize];
            event.apply(&mut from[0], action, &mut rng.clone());
            batch.apply(&mut from[1], action, &mut rng);
        }
    }
}

/// One marks cells and stops; then three pass, until so many steps have been counted.
fn passes_after_marks(steps: u32) -> String {
    let mut sheet = "(role a) (role b) (role c) (init marking)
        (<= (legal a (mark ?x)) (true marking) (cell ?x) (not (true (full ?x))))
        (<= (legal a stop) (true marking)) (<= (legal a noop) (not (true marking)))
        (legal b noop) (legal c noop)
        (<= (next marking) (true marking) (not (does a stop)))
        (<= (next (full ?x)) (does a (mark ?x))) (<= (next (full ?x)) (true (full ?x)))
        (<= (goal a 100) (true (full 1))) (<= (goal a 0) (not (true (full 1))))
        (goal b 50) (goal c 50) (<= counts (does a stop)) (<= counts (not (true marking)))
        (<= (carry 0) counts)"
        .to_owned();
    // More positions than a table holds.
    (1..=18).for_each(|cell| write!(sheet, "(cell {cell})").expect("a string takes all"));
    let mut all = String::new();
    for bit in 0..12 {
        write!(
            sheet,
            "(<= (next (bit {bit})) (true (bit {bit})) (not (carry {bit})))
             (<= (next (bit {bit})) (carry {bit}) (not (true (bit {bit}))))
             (<= (carry {}) (carry {bit}) (true (bit {bit})))",
            bit + 1
        )
        .expect("a string takes all");
        let set = steps >> bit & 1 == 1;
        let literal = format!("(true (bit {bit}))");
        all += &if set { literal } else { format!("(not {literal})") };
    }
    write!(sheet, "(<= terminal {all})").expect("a string takes all");
    sheet
}

#[test]
fn forced_passes_count_from_the_state_that_playouts_begin_in() {
    // Passes that the last roles have still to take in the first step, or that the first ones have
    // taken.
    for (steps, after, capped) in [
        (3333, 0, false),
        (3334, 0, true),
        (3335, 4, false),
        (3336, 4, true),
        (3334, 3, false),
        (3335, 3, true),
    ] {
        let source = kif("passes.kif", &passes_after_marks(steps)).source;
        let games = EVALUATORS
            .map(|evaluator| PropnetGame::new(&source, evaluator, &Limits::default()).unwrap().0);
        let ends = games.map(|game| {
            assert_eq!(game.facts().fast.method, Method::Counted, "a table would pass");
            let (mut state, mut legal) = (game.initial(&mut NoChance), Vec::new());
            game.expand(&mut state, &mut legal);
            let stop = legal.iter().find(|&&action| game.label(&state, action) == "stop");
            game.apply(&mut state, *stop.expect("it is legal"), &mut NoChance);
            for _ in 0..after {
                legal.clear();
                game.expand(&mut state, &mut legal);
                game.apply(&mut state, legal[0], &mut NoChance);
            }
            let mut ends = Vec::new();
            game.playouts(&state, &Job { seed: 1, first: 0, count: 70, cap: 9 }, &mut ends);
            ends
        });
        assert!(ends[0] == ends[1], "{steps} {after}: {:?}, {:?}", ends[0][0], ends[1][0]);
        assert_eq!(ends[0][0].ending == Ending::Capped, capped, "{steps} {after}");
    }
}
