//! The prover as an engine: the conformance kit on sheets of our own, exact counts where there are
//! any, and what it does with rules that leave something undefined.

use gdl::ProverEngine;
use play::kit::{Agreement, Effort, Report};
use play::{
    CompileError, Compiled, Engine, Game, Job, Language, Limits, NoChance, Rng, Rules, Scores,
    Turn, Via,
};

const TIC_TAC_TOE: &str = "
    (role x) (role o) (opp x o) (opp o x)
    (num 1) (num 2) (num 3) (init (control x))
    (<= (taken ?m ?n) (true (cell ?m ?n ?p)))
    (<= (legal ?p (mark ?m ?n)) (true (control ?p)) (num ?m) (num ?n) (not (taken ?m ?n)))
    (<= (legal ?p noop) (opp ?p ?q) (true (control ?q)))
    (<= (next (cell ?m ?n ?p)) (does ?p (mark ?m ?n)))
    (<= (next (cell ?m ?n ?p)) (true (cell ?m ?n ?p)))
    (<= (next (control ?q)) (true (control ?p)) (opp ?p ?q))
    (<= (line ?p) (num ?m) (true (cell ?m 1 ?p)) (true (cell ?m 2 ?p)) (true (cell ?m 3 ?p)))
    (<= (line ?p) (num ?n) (true (cell 1 ?n ?p)) (true (cell 2 ?n ?p)) (true (cell 3 ?n ?p)))
    (<= (line ?p) (true (cell 1 1 ?p)) (true (cell 2 2 ?p)) (true (cell 3 3 ?p)))
    (<= (line ?p) (true (cell 3 1 ?p)) (true (cell 2 2 ?p)) (true (cell 1 3 ?p)))
    (<= open (num ?m) (num ?n) (not (taken ?m ?n)))
    (<= terminal (or (line ?p) (not open)))
    (<= terminal (not open))
    (<= (goal ?p 100) (line ?p))
    (<= (goal ?p 0) (opp ?p ?q) (line ?q))
    (<= (goal ?p 50) (role ?p) (not (line x)) (not (line o)))";

/// Two players show a coin at the same time, three times; equal coins score for the first.
const PENNIES: &str = "
    (role even) (role odd) (init (round 0)) (init (score 0))
    (coin heads) (coin tails) (succ 0 1) (succ 1 2) (succ 2 3)
    (<= (legal ?p (show ?c)) (role ?p) (coin ?c))
    (<= same (does even ?a) (does odd ?a))
    (<= (next (round ?m)) (true (round ?n)) (succ ?n ?m))
    (<= (next (score ?m)) same (true (score ?n)) (succ ?n ?m))
    (<= (next (score ?n)) (not same) (true (score ?n)))
    (<= terminal (true (round 3)))
    (worth 0 0 100) (worth 1 30 70) (worth 2 70 30) (worth 3 100 0)
    (<= (goal even ?g) (true (score ?n)) (worth ?n ?g ?h))
    (<= (goal odd ?h) (true (score ?n)) (worth ?n ?g ?h))";

/// Nature throws a die of three; the player guesses until right.
const DICE: &str = "
    (role guesser) (role random) (face 1) (face 2) (face 3) (init (thrown none))
    (<= (legal random (throw ?f)) (face ?f))
    (<= (legal guesser (guess ?f)) (face ?f) (not (true (thrown none))))
    (<= (legal guesser noop) (true (thrown none)))
    (<= (next (thrown ?f)) (does random (throw ?f)))
    (<= (next right) (does guesser (guess ?f)) (true (thrown ?f)))
    (<= terminal (true right))
    (goal guesser 100)
    (<= (sees guesser ?f) (does random (throw ?f)))";

fn rules(sheet: &str) -> Rules {
    Rules::new(Language::Kif, "t.kif", sheet)
}

fn compile(sheet: &str) -> Compiled {
    let rules = rules(sheet);
    ProverEngine.compile(&rules, &Limits::default()).unwrap_or_else(|error| {
        let shown: Vec<String> =
            error.diagnostics().iter().map(|d| d.render(&rules.source)).collect();
        panic!("{error:?}\n{}", shown.join("\n"))
    })
}

fn sound(game: &dyn Game) -> Report {
    let report = play::kit::check(game, &Effort { playouts: 300, ..Effort::default() });
    assert!(report.faults.is_empty(), "{}", report.faults.join("\n"));
    assert_eq!(report.fast, Some(Agreement::Identical));
    report
}

fn tally(game: &dyn Game, count: u64) -> play::Tally {
    game.run(&Job { seed: 3, first: 0, count, cap: 1000 }, Via::Fast)
}

#[test]
fn turns_are_taken_and_counted() {
    let Compiled { game, warnings } = compile(TIC_TAC_TOE);
    assert!(warnings.iter().all(|w| w.code == "duplicate"), "{warnings:?}");
    assert!(sound(&*game).plies > 10);
    let counts = play::tree::perft(&*game.open(&mut NoChance), 5, 1_000_000, false).unwrap();
    assert_eq!(counts, [9, 72, 504, 3024, 15120]);
    let facts = game.facts();
    assert_eq!(
        (facts.players, facts.chance, facts.simultaneous, facts.hidden),
        (2, false, false, false)
    );
    // Exact mean, from all games there are; the deviation of one playout is 1.4 plies.
    let (mean, error) = tally(&*game, 4000).mean_plies();
    assert!((mean - 7.626_190).abs() < 5.0 * error, "{mean} +- {error}");
}

#[test]
fn labels_boards_and_passes_are_neutral() {
    let game = compile(TIC_TAC_TOE).game;
    let mut position = game.open(&mut NoChance);
    let mut labels: Vec<String> = (0..position.actions()).map(|a| position.label(a)).collect();
    labels.sort();
    assert_eq!(labels, ["11", "12", "13", "21", "22", "23", "31", "32", "33"]);
    let play = |position: &mut Box<dyn play::Position + '_>, label: &str| {
        let action = (0..position.actions()).find(|&a| position.label(a) == label).unwrap();
        position.play(action, &mut NoChance).unwrap();
    };
    for label in ["31", "pass", "pass", "12", "13", "pass"] {
        play(&mut position, label);
    }
    assert!(position.actions() == 1 && position.is_pass(0));
    expect_test::expect![[r#"
        3 x . .
        2 o . .
        1 . . x
          1 2 3
        (control o)"#]]
    .assert_eq(&position.draw());
}

#[test]
fn simultaneous_choices_fire_together() {
    let game = compile(PENNIES).game;
    sound(&*game);
    assert!(game.facts().simultaneous);
    let tally = tally(&*game, 8000);
    assert_eq!((tally.mean_plies().0, tally.stuck), (6.0, 0));
    // Three fair matches: 1/8, 3/8, 3/8, 1/8.
    let share = |scores: [u8; 2]| tally.outcomes()[&Scores::new(scores)] as f64 / 8000.0;
    for (scores, expected) in [([0, 100], 0.125), ([30, 70], 0.375), ([70, 30], 0.375)] {
        assert!((share(scores) - expected).abs() < 0.03, "{scores:?}: {}", share(scores));
    }
}

#[test]
fn nature_chooses_by_chance_and_is_no_player() {
    let Compiled { game, .. } = compile(DICE);
    let facts = game.facts();
    assert_eq!((facts.players, facts.chance, facts.hidden), (1, true, true));
    sound(&*game);
    // Each guess is right one time in three.
    let (mean, error) = tally(&*game, 8000).mean_plies();
    assert!((mean - 3.0).abs() < 6.0 * error, "{mean} +- {error}");
}

#[test]
fn actions_that_share_a_label_are_told_apart() {
    let game = compile(
        "(role r) (init start) (legal r (take a 1)) (legal r (drop a 1)) (legal r (drop b 1))
         (<= (next done) (does r (drop ?x ?y))) (<= (next done) (does r (take ?x ?y)))
         (<= terminal (true done)) (goal r 100)",
    )
    .game;
    sound(&*game);
    let position = game.open(&mut NoChance);
    let mut labels: Vec<String> = (0..position.actions()).map(|a| position.label(a)).collect();
    labels.sort();
    assert_eq!(labels, ["(drop a 1)", "(take a 1)", "b1"]);
}

#[test]
fn a_role_without_actions_leaves_the_state_undefined() {
    let Compiled { game, warnings } = compile(
        "(role a) (role b) (init (at 0)) (<= (legal a go) (true (at ?n)))
         (<= (legal b go) (true (at 0))) (<= (next (at 1)) (does a go))
         (<= terminal (true (at 2))) (goal a 100) (goal b 100)",
    );
    assert!(warnings.iter().any(|w| w.code == "no-legal-action"), "{warnings:?}");
    let tally = tally(&*game, 10);
    // What `b` does changes nothing, so it is a pass and no ply.
    assert_eq!((tally.stuck, tally.plies), (10, 10));
    let mut position = game.open(&mut NoChance);
    for _ in 0..2 {
        position.play(0, &mut NoChance).unwrap();
    }
    assert_eq!((position.turn(), position.actions()), (Turn::Move(play::Player(0)), 0));
}

#[test]
fn goals_that_are_missing_or_several_are_scored_and_remarked() {
    let Compiled { game, warnings } = compile(
        "(role a) (role b) (init (at 0)) (<= (legal ?r go) (role ?r))
         (<= (next (at 1)) (does a go)) (<= terminal (true (at 1)))
         (goal a 40) (<= (goal a 70) (true (at 1))) (<= (goal b 10) (true (at 0)))",
    );
    assert!(warnings.iter().any(|w| w.code == "undefined-goal"), "{warnings:?}");
    assert_eq!(tally(&*game, 5).outcomes()[&Scores::new([70, 0])], 5);
}

#[test]
fn roles_may_be_derived() {
    let Compiled { game, warnings } = compile(
        "(player red) (player blue) (<= (role ?p) (player ?p)) (init on)
         (<= (legal ?p go) (role ?p)) (<= (next off) (does red go))
         (<= terminal (true off)) (<= (goal ?p 50) (role ?p))",
    );
    assert!(warnings.iter().any(|w| w.code == "derived-role"), "{warnings:?}");
    assert_eq!(game.facts().players, 2);
    sound(&*game);
}

#[test]
fn evaluation_without_end_is_cut_off() {
    // Every state counts on by itself; nothing of it is needed as a whole, nor ends on demand.
    let sheet = "(role r) (init (at zero)) (<= (legal r go) (true (at ?n)))
         (<= (number zero) (true (at ?n))) (<= (number (s ?n)) (number ?n))
         (<= (next (at ?n)) (number ?n)) (<= terminal (true over)) (goal r 0)";
    let limits = Limits { work: 20_000_000, ..Limits::default() };
    let Compiled { game, .. } = ProverEngine.compile(&rules(sheet), &limits).unwrap();
    let tally = game.run(&Job { seed: 1, first: 0, count: 2, cap: 50 }, Via::Fast);
    assert_eq!(tally.stuck, 2);
    // The same before the first state.
    let sheet = "(role r) (<= (init (at ?n)) (number ?n)) (number zero)
         (<= (number (s ?n)) (number ?n)) (legal r go) (<= terminal (true over)) (goal r 0)";
    let error = ProverEngine.compile(&rules(sheet), &limits).unwrap_err();
    assert!(matches!(error, CompileError::TooLarge(_)), "{error:?}");
}

#[test]
fn the_same_seed_plays_the_same_game_twice_compiled() {
    let [a, b] = [compile(TIC_TAC_TOE).game, compile(TIC_TAC_TOE).game];
    assert_eq!(tally(&*a, 500), tally(&*b, 500));
}

#[test]
fn walks_end_where_playouts_do() {
    let game = compile(PENNIES).game;
    let mut rng = Rng::stream(9, 9);
    let mut position = game.open(&mut rng);
    let mut plies = 0;
    while position.turn() != Turn::Over {
        let action = rng.below(position.actions() as u32) as usize;
        position.play(action, &mut rng).unwrap();
        plies += 1;
    }
    assert_eq!(plies, 6);
    assert_eq!(position.scores().unwrap().iter().sum::<i32>(), 100);
}
