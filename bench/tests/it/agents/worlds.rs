//! The Wumpus worlds of the catalogue, and what can be told of their squares and rooms.

use agents::{Assumptions, Budget, ObservedPly, Odds, PitPrior, Shape, odds_in, play_out};
use play::{Game, Player, Rng, Turn, mix, settle};

use crate::agents::games::{agent, mean};
use crate::agents::reason::past;
use crate::common::compile;

fn odds_of(game: &dyn Game, text: &str) -> Odds {
    odds_in(game, Player(0), &past(text), &Assumptions::default()).unwrap()
}

fn is(found: f64, expected: f64, what: &str) {
    assert!((found - expected).abs() < 1e-9, "{what}: {found}, not {expected}");
}

/// Payoffs of an agent in so many caves.
fn payoffs(game: &dyn Game, name: &str, caves: u64) -> Vec<f64> {
    let payoff = |seed| {
        let mut players: Vec<_> = (0..game.facts().players).map(|_| agent(name)).collect();
        let played = play_out(game, &mut players, Budget::Iterations(100), mix(seed), 1000);
        assert_eq!(played.fault, None, "cave {seed}");
        f64::from(played.scores.expect("it ends").iter().next().expect("a player"))
    };
    (0..caves).map(payoff).collect()
}

#[test]
fn every_world_is_played_and_beaten_by_reasoning() {
    // The least mean payoff that is asked of it.
    for (id, least, caves) in [
        ("wumpus-4x4", 100.0, 60),
        ("wumpus-ludii", 100.0, 5),
        ("wumpus-hunt-solo", 40.0, 100),
        ("hunt-the-wumpus", 75.0, 40),
        ("wumpus-hunt", 30.0, 40),
    ] {
        let game = compile("bitboard", id);
        let (reason, error) = mean(&payoffs(&*game, "reason", caves));
        let (random, _) = mean(&payoffs(&*game, "random", 200));
        println!("{id}: reason {reason:.1} with standard error {error:.1}, random {random:.1}");
        assert!(reason >= least, "{id}: {reason}");
        assert!(reason - 3.0 * error > random, "{id}: {reason} and {random}");
    }
}

/// Plays at random and asks for the odds before each ply: the cave that is played is always among
/// those that fit, and as many steps are deadly as the odds say.
#[test]
fn odds_hold_in_every_world() {
    for (id, games) in [
        ("wumpus-4x4", 40),
        ("wumpus-ludii", 20),
        ("wumpus-hunt-solo", 60),
        ("wumpus-hunt", 20),
        ("wumpus-hunt-gold", 1),
        ("hunt-the-wumpus", 12),
    ] {
        let game = compile("bitboard", id);
        let (mut expected, mut variance, mut deaths) = (0.0, 0.0, 0.0);
        for seed in 0..games {
            for (risk, dead) in walk(&*game, seed) {
                expected += risk;
                variance += risk * (1.0 - risk);
                deaths += f64::from(u8::from(dead));
            }
        }
        println!("{id}: {expected:.2} deaths expected, {deaths} happened");
        let off = (deaths - expected).abs();
        // The printed cave is always the same one.
        assert!(id == "wumpus-ludii" || off <= 4.0 * variance.sqrt() + 1.0, "{id}: {off}");
    }
}

/// The steps of the first player of a random game: the probability of death, and whether it came.
fn walk(game: &dyn Game, seed: u64) -> Vec<(f64, bool)> {
    let mut rng = Rng::stream(seed, 1);
    let mut position = game.open(&mut rng);
    settle(&mut *position, &mut rng);
    let players = game.facts().players;
    let mut past: Vec<ObservedPly> = Vec::new();
    past.extend(ObservedPly::of(0, None, &position.percepts().all(players)));
    let mut risks = Vec::new();
    while let Turn::Move(player) = position.turn() {
        let labels = position.labels();
        // Some worlds have many more shots than steps.
        let steps: Vec<&String> = labels.iter().filter(|one| !one.starts_with("shoot")).collect();
        let label = match rng.below(3) {
            0 => labels[rng.below(labels.len() as u32) as usize].clone(),
            _ => steps[rng.below(steps.len() as u32) as usize].clone(),
        };
        let risk = (player == Player(0)).then(|| {
            let odds = odds_in(game, Player(0), &past, &Assumptions::default());
            let odds = odds.unwrap_or_else(|what| panic!("{past:?}: {what}"));
            target(&odds, &label).map(|at| odds.squares[at].death)
        });
        let action = labels.iter().position(|one| *one == label).unwrap();
        position.play(action, &mut rng).unwrap();
        settle(&mut *position, &mut rng);
        let percepts = position.percepts().all(players);
        let own = (player == Player(0)).then_some(label.as_str());
        past.extend(ObservedPly::of(0, own, &percepts));
        let told = |word: &str| percepts[0].iter().any(|percept| percept == word);
        let dead = ["dead", "pit", "eaten", "fell"].into_iter().any(told);
        // Where all choose at once, the end is told after the last of them.
        if let Some(Some(risk)) = risk {
            risks.push((risk, dead));
        } else if let (true, true, Some(last)) = (dead, players > 1, risks.last_mut()) {
            last.1 = true;
        }
        if dead || past.len() > 8 {
            break;
        }
    }
    risks
}

/// The square or room that a step leads to.
fn target(odds: &Odds, label: &str) -> Option<usize> {
    let Shape::Squares { columns, rows } = odds.shape else {
        return label.strip_prefix("move ")?.parse::<usize>().ok().map(|room| room - 1);
    };
    let (row, column) = (odds.at / columns, odds.at % columns);
    match label {
        "north" if row + 1 < rows => Some(odds.at + columns),
        "east" if column + 1 < columns => Some(odds.at + 1),
        "south" if row > 0 => Some(odds.at - columns),
        "west" if column > 0 => Some(odds.at - 1),
        _ => None,
    }
}

#[test]
fn hunts_agree_with_counting_all_caves() {
    let game = compile("bitboard", "wumpus-hunt-solo");
    for (text, stench, breeze) in
        [("-", false, false), ("- stench", true, false), ("- breeze stench", true, true)]
    {
        let odds = odds_of(&*game, text);
        assert_eq!(odds.shape, Shape::Squares { columns: 4, rows: 4 });
        let (mut total, mut pit, mut wumpus) = (0.0, [0.0; 16], [0.0; 16]);
        for (columns, rows) in [(3, 3), (3, 4), (4, 3), (4, 4)] {
            let inside = |at: usize| at > 0 && at % 4 < columns && at / 4 < rows;
            let squares: Vec<usize> = (0..16).filter(|&at| inside(at)).collect();
            let one = 1.0 / squares.len() as f64;
            for &lair in &squares {
                for first in squares.iter().copied().filter(|&at| at != lair) {
                    let free = (squares.len() - 1) as f64;
                    // One pit, or a first and a second one.
                    let seconds = squares.iter().copied().filter(|&at| at != lair && at != first);
                    let ways = seconds.map(|second| (Some(second), 0.5 / free / (free - 1.0)));
                    for (second, weight) in ways.chain([(None, 0.5 / free)]) {
                        let has_pit = |at: usize| at == first || Some(at) == second;
                        let near = |is_so: &dyn Fn(usize) -> bool| is_so(1) || is_so(4);
                        let fits = near(&|at| at == lair) == stench && near(&has_pit) == breeze;
                        let weight = if fits { weight * one } else { 0.0 };
                        total += weight;
                        wumpus[lair] += weight;
                        (0..16).filter(|&at| has_pit(at)).for_each(|at| pit[at] += weight);
                    }
                }
            }
        }
        for at in 0..16 {
            is(odds.squares[at].pit, pit[at] / total, text);
            is(odds.squares[at].wumpus, wumpus[at] / total, text);
        }
    }
}

#[test]
fn rooms_share_what_is_not_beside_the_first() {
    let game = compile("bitboard", "hunt-the-wumpus");
    let room = |number: usize| format!("room {number}");
    let of = |percepts: &[&str]| {
        let percepts = percepts.iter().map(|&percept| percept.to_owned());
        let past = [ObservedPly { own: None, percepts: percepts.chain([room(1)]).collect() }];
        odds_in(&*game, Player(0), &past, &Assumptions::default()).unwrap()
    };
    // Nothing is in room 1 and its neighbours 2, 5 and 8: five things are in 16 rooms.
    let calm = of(&[]);
    for beside in [1, 2, 5, 8] {
        is(calm.squares[beside - 1].pit + calm.squares[beside - 1].bats, 0.0, "beside");
    }
    is(calm.squares[2].pit, 2.0 / 16.0, "a pit");
    is(calm.squares[2].bats, 2.0 / 16.0, "bats");
    is(calm.squares[2].wumpus, 1.0 / 16.0, "the wumpus");
    is(of(&["stench"]).squares[4].wumpus, 1.0 / 3.0, "the wumpus by a stench");
    assert!(calm.to_string().contains("[    1]"), "{calm}");
    // Other numbers of pits.
    let assumed = Assumptions { pits: Some(PitPrior::Exactly(1)), ..Assumptions::default() };
    let first = [ObservedPly { own: None, percepts: vec![room(1)] }];
    let fewer = odds_in(&*game, Player(0), &first, &assumed).unwrap();
    is(fewer.squares[2].pit, 1.0 / 16.0, "one pit");
    let nowhere = odds_in(&*game, Player(0), &[], &Assumptions::default());
    assert!(nowhere.unwrap_err().contains("first room"));
    let assumed = Assumptions { pits: Some(PitPrior::Exactly(9)), ..Assumptions::default() };
    let many = odds_in(&*game, Player(0), &first, &assumed).unwrap_err();
    assert!(many.contains("caves are possible"), "{many}");
}
