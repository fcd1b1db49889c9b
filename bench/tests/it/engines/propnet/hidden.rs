//! The games of hidden information of the catalogue, in GDL-II: all engines of the language play
//! the same trees, percepts and all.

use gdl::ProverEngine;
use play::tree::fingerprint;
use play::{Engine, Game, Job, Limits, NoChance, Rules, Script, Via, kit, settle};
use propnet::{Evaluator, PropnetEngine};

use super::common::{compile, kif, sheet};
use super::together::{same_trees, walk};

const GAMES: [&str; 12] = [
    "goofspiel-5",
    "hunt-the-wumpus",
    "kuhn-poker",
    "leduc-poker",
    "liars-dice",
    "mastermind-4x6",
    "phantom-tic-tac-toe",
    "wumpus-4x4",
    "wumpus-hunt",
    "wumpus-hunt-gold",
    "wumpus-hunt-solo",
    "wumpus-ludii",
];

const ENGINES: [&dyn Engine; 3] = [
    &PropnetEngine { evaluator: Evaluator::Event },
    &PropnetEngine { evaluator: Evaluator::Batch },
    &ProverEngine,
];

fn games(rules: &Rules) -> [Box<dyn Game>; 3] {
    ENGINES.map(|engine| compile(engine, rules, &Limits::default()).unwrap())
}

/// With a player in the place of nature, who has a name for everything, the trees can be walked
/// side by side, however many ways there are for chance to fall.
#[test]
fn engines_agree_on_what_is_perceived() {
    for name in GAMES {
        let rules = sheet(name);
        let certain = kif(name, &rules.source.text().replace("random", "fate"));
        let [one, many, slow] = games(&certain);
        assert!(one.facts().hidden && slow.facts().hidden && !one.facts().chance, "{name}");
        for other in [&many, &slow] {
            let depth =
                same_trees(&*one, &**other, 9, 1000).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert!(depth > 0, "{name}: nothing was compared");
            for seed in 0..8 {
                walk(&*one, &**other, seed, 150).unwrap_or_else(|e| panic!("{name}: {e}"));
            }
        }
    }
}

/// The fingerprints of all that chance can make of the start, each with its probability in
/// billionths.
fn starts(game: &dyn Game, depth: u32) -> Vec<(u64, u64)> {
    let (mut all, mut script) = (Vec::new(), Script::default());
    loop {
        script.rewind();
        let mut position = game.open(&mut script);
        assert!(settle(&mut *position, &mut script));
        let probability = (script.probability() * 1e9).round() as u64;
        let print = fingerprint(&*position, depth, &mut 1_000_000).expect("small");
        all.push((print, probability));
        if !script.advance() {
            break;
        }
    }
    all.sort_unstable();
    all
}

#[test]
fn chance_falls_alike_from_the_start() {
    let games_and_depths = [
        ("kuhn-poker", 9, 6),
        ("leduc-poker", 2, 30),
        ("liars-dice", 1, 36),
        ("goofspiel-5", 3, 1),
        ("phantom-tic-tac-toe", 3, 1),
        ("wumpus-ludii", 4, 1),
    ];
    for (name, depth, outcomes) in games_and_depths {
        let [one, many, slow] = games(&sheet(name)).map(|game| starts(&*game, depth));
        assert_eq!(one.len(), outcomes, "{name}");
        assert!(one == many && one == slow, "{name}");
    }
}

#[test]
fn games_of_hidden_information_pass_the_kit() {
    for name in GAMES {
        let rules = sheet(name);
        let games = games(&rules);
        for game in &games {
            let effort = kit::Effort { playouts: 60, walks: 2, ..kit::Effort::default() };
            let report = kit::check(&**game, &effort);
            assert!(report.faults.is_empty(), "{name}: {:?}", report.faults);
            assert_eq!(report.fast, Some(kit::Agreement::Identical), "{name}");
        }
        let job = Job { seed: 11, first: 0, count: 2000, cap: 200 };
        let [one, many, slow] = games.map(|game| game.run(&job, Via::Fast));
        assert_eq!(one, many, "{name}");
        assert_eq!(kit::differs(&one, &slow), None, "{name}");
        assert_eq!((one.stuck, slow.stuck), (0, 0), "{name}");
    }
}

/// The percepts of a player on a line of play are the words of the rules, ply by ply, in games
/// whose percepts say it all.
#[test]
fn percepts_are_told_in_the_words_of_the_rules() {
    /// A game, the labels of a line of play, and what is perceived after each.
    type Line<'l> = (&'l str, &'l [&'l str], &'l [&'l [&'l str]]);
    let lines: [Line<'_>; 3] = [
        (
            "wumpus-ludii",
            &["a1a2", "a4", "a2b2", "b2b3"],
            &[&["stench"], &["scream"], &[], &["breeze", "gold", "stench"]],
        ),
        ("wumpus-ludii", &["a1b1", "b1c1"], &[&["breeze"], &["pit"]]),
        ("phantom-tic-tac-toe", &["a1", "a1", "b1"], &[&["placed"], &[], &["moved"]]),
    ];
    for (name, plies, expected) in lines {
        for game in games(&sheet(name)) {
            let mut position = game.open(&mut NoChance);
            for (ply, expected) in plies.iter().zip(expected) {
                settle(&mut *position, &mut NoChance);
                let labels = position.labels();
                let action = labels.iter().position(|label| label == ply).expect(ply);
                position.play(action, &mut NoChance).unwrap();
                settle(&mut *position, &mut NoChance);
                assert_eq!(position.percepts().of(play::Player(0)), *expected, "{name}: {ply}");
            }
        }
    }
}

/// Payoffs are integers of any sign, of several the highest, 0 where there is none that can be
/// scored.
#[test]
fn payoffs_have_any_sign() {
    let rules = kif(
        "payoffs.kif",
        "(role a) (role b) (role c) (way 1) (way 2) (init (step 0))
         (<= (legal ?p (go ?w)) (role ?p) (way ?w))
         (<= (next (went ?p ?w)) (does ?p (go ?w)))
         (<= (goal a -7) (true (went a ?w))) (<= (goal a -1000) (true (went a 1)))
         (<= (goal a 250) (true (went a 2)))
         (<= (goal b -3) (true (went b 1))) (<= (goal b many) (true (went b ?w)))
         (<= (goal c -2147483648) (true (went c 1))) (<= (goal c 2147483647) (true (went c 2)))
         (<= terminal (true (went a ?w)))",
    );
    for game in games(&rules) {
        let mut met = std::collections::BTreeSet::new();
        for way in 0..8 {
            let mut position = game.open(&mut NoChance);
            for role in 0..3 {
                let label = (1 + (way >> role & 1)).to_string();
                let action = position.labels().iter().position(|l| *l == label).unwrap();
                position.play(action, &mut NoChance).unwrap();
            }
            met.insert(position.scores().unwrap().iter().collect::<Vec<i32>>());
        }
        let all = [-7, 250].map(|a| [-3, 0].map(|b| [i32::MIN, i32::MAX].map(|c| vec![a, b, c])));
        assert_eq!(met, all.into_iter().flatten().flatten().collect());
        // Of 400 playouts about half go each way; the batch evaluator adds the same payoffs.
        let job = Job { seed: 1, first: 0, count: 400, cap: 9 };
        let tally = game.run(&job, Via::Fast);
        assert_eq!(tally, game.run(&job, Via::Reference));
        let [a, b] = [tally.score_sums()[0], tally.score_sums()[1]];
        assert!((a + 7 * 400) % 257 == 0 && a.abs_diff(400 * 243 / 2) < 257 * 60, "{a}");
        assert!(b % 3 == 0 && b.abs_diff(-600) < 180, "{b}");
    }
}

/// A role that is no player perceives nothing.
#[test]
fn nature_and_strangers_perceive_nothing() {
    let rules = kif(
        "nobody.kif",
        "(role you) (role random) (coin heads) (coin tails) (init (step 0))
         (<= (legal ?p (show ?c)) (role ?p) (coin ?c))
         (<= (next (shown ?c)) (does random (show ?c)))
         (<= (sees ?p (Coin (is ?c) at last)) (role ?p) (does random (show ?c)))
         (<= (sees spy ?c) (does random (show ?c))) (sees random TRUE)
         (<= terminal (true (shown ?c))) (goal you 1)",
    );
    for game in games(&rules) {
        let mut position = game.open(&mut NoChance);
        position.play(0, &mut NoChance).unwrap();
        let told = position.percepts().all(3);
        let [one, nobody @ ..] = &told[..] else { panic!("three lists") };
        assert!(one.len() == 1 && one[0].starts_with("coin is ") && one[0].ends_with(" at last"));
        assert!(nobody.iter().all(Vec::is_empty), "{told:?}");
    }
}
