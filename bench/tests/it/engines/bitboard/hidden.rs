//! Games of hidden information: their values, what players perceive, and games played by hand.

mod by_hand;
mod hunts;
mod solver;

use bitboard::modules;
use play::{Job, Player, Position, Script, Turn, Via};

use crate::engines::bitboard::common::game;
use solver::{Strategy, Tree};

/// The modules that are games of hidden information.
const HIDDEN: [&str; 11] = [
    "goofspiel-5",
    "hunt-the-wumpus",
    "kuhn-poker",
    "leduc-poker",
    "liars-dice",
    "mastermind-4x6",
    "minesweeper-8x8",
    "phantom-tic-tac-toe",
    "wumpus-4x4",
    "wumpus-hunt",
    "wumpus-ludii",
];

#[test]
fn the_facts_say_what_is_hidden_and_left_to_chance() {
    for module in modules() {
        let family = |name: &str| module.starts_with(name);
        let hidden = HIDDEN.contains(&module) || family("goofspiel-") || family("wumpus-");
        assert_eq!(game(module).facts().hidden, hidden, "{module}");
    }
    for module in HIDDEN {
        let game = game(module);
        let facts = game.facts();
        let certain = ["goofspiel-5", "phantom-tic-tac-toe", "wumpus-ludii"];
        assert_eq!(facts.chance, !certain.contains(&module), "{module}");
        let at_once = ["goofspiel-5", "wumpus-hunt"];
        assert_eq!(facts.simultaneous, at_once.contains(&module), "{module}");
    }
}

/// Expected plies and payoff of the first player below a position, all choices uniform.
fn expectation(position: &dyn Position) -> [f64; 2] {
    if position.turn() == Turn::Over {
        return [0.0, f64::from(position.scores().unwrap().get(Player(0)))];
    }
    let mut sum = [0.0; 2];
    for action in 0..position.actions() {
        let mut script = Script::default();
        loop {
            script.rewind();
            let mut child = position.copy();
            child.play(action, &mut script).unwrap();
            let [plies, payoff] = expectation(&*child);
            let share = script.probability() / position.actions() as f64;
            sum = [sum[0] + share * (1.0 + plies), sum[1] + share * payoff];
            if !script.advance() {
                break;
            }
        }
    }
    sum
}

#[test]
fn whole_trees_have_the_means_of_playouts() {
    // Plies and payoffs: by hand for Kuhn poker and Goofspiel, exact fractions of a program on
    // texts and plain lists for the others.
    let cases = [
        ("kuhn-poker", 2.25, 0.125),
        ("leduc-poker", 65.0 / 16.0, -5.0 / 64.0),
        ("liars-dice", 1_118_273.0 / 332_640.0, -7.0 / 216.0),
        ("goofspiel-3", 6.0, 0.0),
        ("goofspiel-4", 8.0, 0.0),
    ];
    for (module, plies, payoff) in cases {
        let game = game(module);
        let (mut script, mut sum) = (Script::default(), [0.0; 2]);
        loop {
            script.rewind();
            let start = game.open(&mut script);
            let share = script.probability();
            sum = [0, 1].map(|i| sum[i] + share * expectation(&*start)[i]);
            if !script.advance() {
                break;
            }
        }
        assert!((sum[0] - plies).abs() < 1e-9, "{module}: {} plies", sum[0]);
        assert!((sum[1] - payoff).abs() < 1e-9, "{module}: payoff {}", sum[1]);
        let job = Job { seed: 3, first: 0, count: 200_000, cap: 20 };
        let tally = game.run(&job, Via::Fast);
        let (mean, error) = tally.mean_plies();
        assert!((mean - plies).abs() <= 5.0 * error, "{module}: {mean} plies");
        let (mean, error) = tally.mean_scores()[0];
        assert!((mean - payoff).abs() < 5.0 * error, "{module}: payoff {mean}");
    }
}

#[test]
fn information_sets_are_as_many_as_percepts_can_tell_apart() {
    // A percept too many, such as the other's card, would split them; one too few would join them.
    let cases = [
        ("kuhn-poker", 12, "three cards, and nothing, check, bet or check and bet before"),
        ("leduc-poker", 288, "3 cards x 3 histories, then 3 open cards x 5 rounds of bets; twice"),
        ("liars-dice", 24_576, "6 faces x 2048 even or odd sets of bids; twice"),
    ];
    for (module, sets, why) in cases {
        let tree = Tree::new(&*game(module));
        assert_eq!(tree.sets.len(), sets, "{module}: {why}");
    }
    // Goofspiel: own cards and what was told, for all orders of both players' cards.
    let mut sets = std::collections::BTreeSet::new();
    let orders = [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]];
    for own in orders {
        for other in orders {
            for rounds in 0..3 {
                let told = |round: usize| own[round].cmp(&other[round]) as i8;
                let known: Vec<_> = (0..rounds).map(|round| (own[round], told(round))).collect();
                sets.insert(known);
            }
        }
    }
    assert_eq!(Tree::new(&*game("goofspiel-3")).sets.len(), 2 * sets.len());
}

/// The equilibria of Kuhn poker, which differ in how often the first player bets the jack: up to
/// 1/3.
fn kuhn(tree: &Tree, alpha: f64) -> Strategy {
    let third = 1.0 / 3.0;
    let put_in = |set: &solver::Set| {
        let card = set.memory.split(';').next().unwrap();
        match (set.player, set.labels[1].as_str(), card) {
            (0, "bet", "jack") => alpha,
            (0, "bet", "queen") => 0.0,
            (0, "bet", "king") => 3.0 * alpha,
            (0, "call", "queen") => alpha + third,
            (1, "bet", "jack") => third,
            (1, "bet", "queen") => 0.0,
            (1, "call", "queen") => third,
            (_, "call", "jack") => 0.0,
            (_, _, "king") => 1.0,
            other => panic!("{other:?}"),
        }
    };
    tree.sets.iter().map(|set| [1.0 - put_in(set), put_in(set)].to_vec()).collect()
}

#[test]
fn kuhn_poker_has_its_published_equilibria() {
    let tree = Tree::new(&*game("kuhn-poker"));
    for alpha in [0.0, 0.1, 1.0 / 3.0] {
        let strategy = kuhn(&tree, alpha);
        assert!((tree.value(&strategy) + 1.0 / 18.0).abs() < 1e-12, "{alpha}");
        for player in 0..2 {
            let value = tree.value_of_best_response(player, &strategy);
            assert!((value + 1.0 / 18.0).abs() < 1e-12, "{alpha}, {player}: {value}");
        }
    }
    // Beyond them the second player gains.
    let strategy = kuhn(&tree, 0.2);
    let mut bold = strategy.clone();
    for (set, choice) in tree.sets.iter().zip(&mut bold) {
        if set.player == 0 && set.memory == "jack;" {
            *choice = vec![0.0, 1.0];
        }
    }
    assert!(tree.value_of_best_response(1, &bold) < -0.1);
}

#[test]
fn solved_games_have_their_published_values() {
    let cases = [
        ("kuhn-poker", -1.0 / 18.0, 500),
        ("leduc-poker", -0.0856, 400),
        ("goofspiel-4", 0.0, 200),
    ];
    for (module, value, rounds) in cases {
        let tree = Tree::new(&*game(module));
        let strategy = tree.solve(rounds);
        // What each could win against it brackets the value.
        let best = [0, 1].map(|player| tree.value_of_best_response(player, &strategy));
        assert!(best[0] >= best[1] - 1e-9, "{module}: {best:?}");
        assert!(best[0] - best[1] < 0.01, "{module} after {rounds} rounds: {best:?}");
        let ours = tree.value(&strategy);
        assert!((ours - value).abs() < 0.0006, "{module}: {ours} within {best:?}");
        assert!(best[1] < value + 0.0001 && value - 0.0001 < best[0], "{module}: {best:?}");
    }
}

#[test]
fn minesweeper_tells_how_many_bombs_are_beside_what_opens() {
    // The bombs lie on a1 to h1, a2 and b2.
    let minesweeper = game("minesweeper-8x8");
    let mut position = minesweeper.open(&mut Script::new([0; 10]));
    for (square, told) in [("d2", &["3"][..]), ("a3", &["2"]), ("d8", &["0", "1", "2", "3", "4"])] {
        let mut actions = 0..position.actions();
        let action = actions.find(|&a| position.label(a) == square).expect("a covered square");
        position.play(action, &mut Script::default()).unwrap();
        assert_eq!(position.percepts().of(Player(0)), told, "{square}");
    }
}
