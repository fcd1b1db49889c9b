//! Nature and hidden information (GDL-II): all engines of the language see the same facts, play the
//! same games, and chance falls as it must.

use super::common::{EVALUATORS, compile, kif};
use gdl::ProverEngine;
use play::{Engine, Game, Job, Limits, Via, kit};
use propnet::PropnetEngine;

/// Nature deals one of three cards each; the first player bets or checks, the second calls or folds
/// a bet. Everybody sees their own card, and what was done.
const CARDS: &str = "
    (role alice) (role random) (role bob)
    (card jack) (card queen) (card king) (over king queen) (over king jack) (over queen jack)
    (init (phase deal))
    (<= (legal random (deal ?a ?b)) (true (phase deal)) (card ?a) (card ?b) (distinct ?a ?b))
    (<= (legal random noop) (not (true (phase deal))))
    (<= (legal alice (do ?x)) (true (phase bet)) (choice alice ?x))
    (<= (legal alice noop) (not (true (phase bet))))
    (<= (legal bob (do ?x)) (true (phase answer)) (choice bob ?x))
    (<= (legal bob noop) (not (true (phase answer))))
    (choice alice bet) (choice alice check) (choice bob call) (choice bob fold)
    (<= (next (hand alice ?a)) (does random (deal ?a ?b)))
    (<= (next (hand bob ?b)) (does random (deal ?a ?b)))
    (<= (next (hand ?p ?c)) (true (hand ?p ?c)))
    (<= (next (phase bet)) (true (phase deal)))
    (<= (next (phase answer)) (does alice (do bet)))
    (<= (next (done showdown)) (does alice (do check)))
    (<= (next (done showdown)) (does bob (do call)))
    (<= (next (done folded)) (does bob (do fold)))
    (<= (sees ?p (holds ?c)) (does random (deal ?a ?b)) (or (mine alice ?p ?a ?c) \
    (mine bob ?p ?b ?c)))
    (<= (mine ?p ?p ?c ?c) (role ?p) (card ?c))
    (<= (sees ?p (did ?q ?x)) (role ?p) (distinct ?p random) (does ?q (do ?x)))
    (<= terminal (true (done ?how)))
    (<= best (true (hand alice ?a)) (true (hand bob ?b)) (over ?a ?b))
    (<= wins (true (done folded)))
    (<= wins (true (done showdown)) best)
    (<= (goal alice 100) wins) (<= (goal alice 0) (not wins))
    (<= (goal bob 100) (not wins)) (<= (goal bob 0) wins)";

/// Nature hides the car, then opens a door that hides none and was not chosen; the candidate stays
/// or switches. The candidate chooses at the same time as nature hides.
const DOORS: &str = "
    (role candidate) (role random) (door 1) (door 2) (door 3) (init (step 1))
    (<= (legal random (hide ?d)) (true (step 1)) (door ?d))
    (<= (legal random (open ?d)) (true (step 2)) (door ?d)
        (not (true (car ?d))) (not (true (chosen ?d))))
    (<= (legal random noop) (true (step 3)))
    (<= (legal candidate (choose ?d)) (true (step 1)) (door ?d))
    (<= (legal candidate noop) (true (step 2)))
    (<= (legal candidate stay) (true (step 3)))
    (<= (legal candidate switch) (true (step 3)))
    (<= (next (car ?d)) (does random (hide ?d))) (<= (next (car ?d)) (true (car ?d)))
    (<= (next (chosen ?d)) (does candidate (choose ?d)))
    (<= (next (chosen ?d)) (true (chosen ?d)) (not (does candidate switch)))
    (<= (next (chosen ?d)) (does candidate switch) (door ?d)
        (not (true (open ?d))) (not (true (chosen ?d))))
    (<= (next (open ?d)) (does random (open ?d))) (<= (next (open ?d)) (true (open ?d)))
    (<= (next (step ?n)) (true (step ?m)) (after ?m ?n)) (after 1 2) (after 2 3) (after 3 4)
    (<= (sees candidate (opened ?d)) (does random (open ?d)))
    (<= (sees candidate (car ?d)) (true (step 3)) (true (car ?d)))
    (<= terminal (true (step 4)))
    (<= right (true (car ?d)) (true (chosen ?d)))
    (<= (goal candidate 100) right) (<= (goal candidate 0) (not right))";

fn game(engine: &dyn Engine, text: &str) -> Box<dyn Game> {
    compile(engine, &kif("chance.kif", text), &Limits::default()).unwrap()
}

#[test]
fn all_engines_play_games_of_chance_alike() {
    for (text, players) in [(CARDS, 2), (DOORS, 1)] {
        let [one, many] = EVALUATORS.map(|evaluator| game(&PropnetEngine { evaluator }, text));
        let games = [one, many, game(&ProverEngine, text)];
        for game in &games {
            let facts = game.facts();
            assert_eq!((facts.players, facts.chance, facts.hidden), (players, true, true));
            assert!(!facts.simultaneous, "nature is no player");
            let report = kit::check(&**game, &kit::Effort { playouts: 200, ..Default::default() });
            assert!(report.faults.is_empty(), "{:?}", report.faults);
            assert_eq!(report.fast, Some(kit::Agreement::Identical));
        }
        // Nature's actions have no order in common, so what is compared is how often what happens.
        let job = Job { seed: 4, first: 0, count: 10_000, cap: 9 };
        let [ours, same, theirs] = [0, 1, 2].map(|i| games[i].run(&job, Via::Fast));
        assert_eq!(ours, same);
        assert_eq!(kit::differs(&ours, &theirs), None);
    }
}

/// Exact values: of the deals half are won at a showdown, and the bet that is met is folded half
/// the time; whoever stays or switches by a coin is right half the time.
#[test]
fn chance_is_uniform() {
    for (text, plies, score) in [(CARDS, 1.5, 62.5), (DOORS, 2.0, 50.0)] {
        let [one, many] = EVALUATORS.map(|evaluator| PropnetEngine { evaluator });
        for engine in [&one as &dyn Engine, &many, &ProverEngine] {
            let count = 20_000;
            let tally =
                game(engine, text).run(&Job { seed: 9, first: 0, count, cap: 9 }, Via::Fast);
            assert_eq!((tally.capped, tally.stuck), (0, 0));
            let (mean, error) = tally.mean_plies();
            assert!((mean - plies).abs() <= 5.0 * error, "{} {mean} +- {error}", engine.id());
            let mean = tally.score_sums()[0] as f64 / count as f64;
            let error = 50.0 / (count as f64).sqrt();
            assert!((mean - score).abs() <= 5.0 * error, "{} {mean} +- {error}", engine.id());
        }
    }
}

#[test]
fn what_players_perceive_is_part_of_the_game_tree_and_of_no_playout() {
    let blind: String = CARDS.lines().filter(|line| !line.contains("(sees ")).collect();
    let [seeing, blind] = [CARDS, &blind].map(|text| game(&PropnetEngine::default(), text));
    assert!(seeing.facts().hidden && !blind.facts().hidden);
    let print = |game: &dyn Game| {
        play::tree::fingerprint(&*game.open(&mut play::NoChance), 4, &mut 20_000).unwrap()
    };
    assert_ne!(print(&*seeing), print(&*blind));
    let job = Job { seed: 2, first: 0, count: 500, cap: 9 };
    assert_eq!(seeing.run(&job, Via::Fast), blind.run(&job, Via::Fast));
    assert_eq!(seeing.run(&job, Via::Reference), blind.run(&job, Via::Reference));
}
