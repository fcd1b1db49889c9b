//! The agent of Wumpus worlds.

use agents::{
    Agent, Assumptions, Budget, Choice, Fault, Observation, ObservedPly, Odds, PitPrior, Shape,
    WumpusWorld, odds, odds_in, play_out,
};
use play::{Player, mix};

use crate::agents::games::{agent, mean, wumpus::Wumpus};

/// A past from text: plies separated by commas, each with its percepts after it, the start first
/// (`-`).
pub(crate) fn past(text: &str) -> Vec<ObservedPly> {
    let ply = |text: &str| {
        let mut words = text.split_whitespace().map(str::to_owned);
        let own = words.next().filter(|word| word != "-");
        ObservedPly { own, percepts: words.collect() }
    };
    let all = text.split(',').map(ply);
    all.filter(|ply| ply.own.is_some() || !ply.percepts.is_empty()).collect()
}

fn world(size: usize) -> WumpusWorld {
    WumpusWorld::new(size, &Assumptions::default())
}

fn odds_of(text: &str) -> Odds {
    odds(&world(4), &past(text)).unwrap()
}

/// The odds where there are just so many pits.
fn odds_with(pits: usize, text: &str) -> Odds {
    odds(&WumpusWorld { pits: PitPrior::Exactly(pits), ..world(4) }, &past(text)).unwrap()
}

/// The index of a square of a 4x4 cave.
fn at(square: &str) -> usize {
    let bytes = square.as_bytes();
    usize::from(bytes[0] - b'a') + 4 * usize::from(bytes[1] - b'1')
}

fn is(found: f64, numerator: u32, denominator: u32) {
    let expected = f64::from(numerator) / f64::from(denominator);
    assert!((found - expected).abs() < 1e-12, "{found}, not {numerator}/{denominator}");
}

#[test]
fn a_breeze_at_the_start() {
    // At least one of a2 and b1 has a pit: (1/5) / (1 - (4/5)^2) = 5/9 each. No stench: the wumpus
    // is in one of the 13 squares that are neither a1 nor beside it. The gold is in one of 15.
    let odds = odds_of("- breeze");
    for square in ["a2", "b1"] {
        is(odds.squares[at(square)].pit, 5, 9);
        is(odds.squares[at(square)].wumpus, 0, 1);
        is(odds.squares[at(square)].death, 5, 9);
    }
    let far = odds.squares[at("b2")];
    is(far.pit, 1, 5);
    is(far.wumpus, 1, 13);
    is(far.gold, 1, 15);
    // 1 - (4/5) (12/13)
    is(far.death, 17, 65);
    assert!(odds.squares[0].visited && odds.squares[0].death == 0.0);
}

#[test]
fn two_breezes_that_share_a_square() {
    // Breezes at b1 and a2: b2 has a pit (1/5), or both a3 and c1 have (4/5 (1/5)^2 = 4/125);
    // together 29/125. So b2: 25/29; a3: (1/5 1/5 + 4/125) / (29/125) = 9/29. (The position of
    // Russell and Norvig's chapter on uncertainty, who round to 0.86 and 0.31.)
    let odds =
        odds_of("-, forward breeze, left breeze, left breeze, forward, right, forward breeze");
    assert_eq!(odds.at, at("a2"));
    is(odds.squares[at("b2")].pit, 25, 29);
    is(odds.squares[at("a3")].pit, 9, 29);
    is(odds.squares[at("c1")].pit, 9, 29);
    is(odds.squares[at("d4")].pit, 1, 5);
    is(odds.squares[at("d4")].gold, 1, 13);
}

/// Where a number of pits is known, all ways to place them are equally likely.
#[test]
fn a_number_of_pits_is_another_world_than_a_chance() {
    // A breeze at b1 and none at a1: one of b2 and c1 has a pit, of 13 squares that may have one.
    let text = "-, forward breeze";
    for (pits, beside, far) in [(2, (12, 23), (2, 23)), (3, (66, 121), (21, 121))] {
        let odds = odds_with(pits, text);
        for square in ["b2", "c1"] {
            is(odds.squares[at(square)].pit, beside.0, beside.1);
        }
        for square in ["a3", "d4", "c2"] {
            is(odds.squares[at(square)].pit, far.0, far.1);
        }
        is(odds.squares.iter().map(|square| square.pit).sum(), pits as u32, 1);
    }
    let table = odds_with(2, text).to_string();
    assert!(table.contains(" 2    0.0   52.2    8.7    8.7 "), "{table}");
    let table = odds_with(3, text).to_string();
    assert!(table.contains(" 2    0.0   54.5   17.4   17.4 "), "{table}");
    let by_chance = odds_of(text);
    is(by_chance.squares[at("b2")].pit, 5, 9);
    is(by_chance.squares[at("d4")].pit, 1, 5);
    // As many pits as squares, or none.
    is(odds_with(13, text).squares[at("d4")].pit, 1, 1);
    is(odds_with(0, "-, forward").squares[at("d4")].pit, 0, 1);
    for pits in [0, 14] {
        let world = WumpusWorld { pits: PitPrior::Exactly(pits), ..world(4) };
        assert!(odds(&world, &past(text)).unwrap_err().contains("no cave"), "{pits}");
    }
    let world = WumpusWorld { pits: PitPrior::Exactly(16), ..world(4) };
    assert!(odds(&world, &past(text)).unwrap_err().contains("15 at most"));
}

#[test]
fn arrows_are_counted() {
    let twice = past("-, shoot, left, shoot");
    assert!(odds(&world(4), &twice).unwrap_err().contains("no arrow is left"));
    // Along the row and the column of a1, it is not.
    let odds = odds(&WumpusWorld { arrows: 2, ..world(4) }, &twice).unwrap();
    is(odds.squares[at("b2")].wumpus, 1, 9);
}

#[test]
fn a_shot_tells_where_the_wumpus_is() {
    // No stench at a1, one at b1: the wumpus is at c1 or b2.
    let before = odds_of("-, forward stench");
    is(before.squares[at("c1")].wumpus, 1, 2);
    is(before.squares[at("b2")].death, 1, 2);
    is(before.squares[at("c2")].wumpus, 0, 1);
    // The arrow flies over c1 and d1 and misses: it is at b2, and c1 is safe.
    let missed = odds_of("-, forward stench, shoot stench");
    is(missed.squares[at("b2")].death, 1, 1);
    is(missed.squares[at("c1")].death, 0, 1);
    // It hits: a dead wumpus at c1 harms nobody.
    let hit = odds_of("-, forward stench, shoot scream stench");
    is(hit.squares[at("c1")].wumpus, 1, 1);
    is(hit.squares[at("c1")].death, 0, 1);
    is(hit.squares[at("b2")].death, 0, 1);
}

#[test]
fn gold_is_where_it_was_not_looked_for() {
    is(odds_of("-, forward").squares[at("d4")].gold, 1, 14);
    let found = odds_of("-, forward glitter");
    is(found.squares[at("b1")].gold, 1, 1);
    is(found.squares[at("d4")].gold, 0, 1);
    is(odds_of("-, forward glitter, grab").squares[at("b1")].gold, 0, 1);
}

/// Frontier elimination against counting all caves.
#[test]
fn odds_agree_with_counting_all_caves() {
    let plies = [
        "-",
        "forward breeze",
        "left breeze",
        "left breeze",
        "forward",
        "right",
        "forward",
        "forward breeze stench",
        "right breeze stench",
        "shoot breeze stench",
    ];
    for n in 1..=plies.len() {
        let text = plies[..n].join(",");
        let odds = odds_of(&text);
        let breezy = |square: usize| (square == at("b1") && n > 1) || (square == at("a3") && n > 7);
        for number in 2..5 {
            let counted = count(&odds, &breezy, |pits| f64::from(u8::from(pits == number)));
            let found = odds_with(number as usize, &text);
            for (square, expected) in counted.into_iter().enumerate() {
                let found = found.squares[square].pit;
                assert!((found - expected).abs() < 1e-12, "{text}: {number}: {square}: {found}");
            }
        }
        let counted = count(&odds, &breezy, |pits| 0.25f64.powi(pits as i32));
        for (square, expected) in counted.into_iter().enumerate() {
            let found = odds.squares[square].pit;
            assert!((found - expected).abs() < 1e-12, "{text}: {square}: {found}");
        }
    }
}

/// The share of the weight of all caves in which each square has a pit, of those that fit.
fn count(odds: &Odds, breezy: &dyn Fn(usize) -> bool, weight: impl Fn(u32) -> f64) -> [f64; 16] {
    let visited = |square: usize| odds.squares[square].visited;
    let beside = |a: usize, b: usize| (a % 4).abs_diff(b % 4) + (a / 4).abs_diff(b / 4) == 1;
    let (mut total, mut with) = (0.0, [0.0; 16]);
    for pits in (0u32..1 << 16).filter(|pits| pits & 1 == 0) {
        let pit = |square: usize| pits >> square & 1 == 1;
        let fits = (0..16).filter(|&square| visited(square)).all(|square| {
            let breeze = (0..16).any(|other| beside(square, other) && pit(other));
            !pit(square) && breeze == breezy(square)
        });
        if fits {
            let weight = weight(pits.count_ones());
            total += weight;
            (0..16).filter(|&s| pit(s)).for_each(|s| with[s] += weight);
        }
    }
    with.map(|with| with / total)
}

#[test]
fn the_table_reads_as_the_cave_lies() {
    let text = odds_of("- breeze").to_string();
    let expected = "\
pit, %
 4   20.0   20.0   20.0   20.0 
 3   20.0   20.0   20.0   20.0 
 2   55.6   20.0   20.0   20.0 
 1 [  0.0]  55.6   20.0   20.0 
        a      b      c      d 
";
    assert!(text.starts_with(expected), "{text}");
    assert_eq!(text.matches(", %").count(), 4, "{text}");
}

#[test]
fn what_is_no_wumpus_world_is_refused() {
    assert!(odds(&world(4), &past("- cold")).unwrap_err().contains("`cold`"));
    assert!(odds(&world(4), &past("-, jump")).unwrap_err().contains("`jump`"));
    assert!(odds(&world(1), &[]).unwrap_err().contains("expected 2 to 26"));
    assert!(odds(&world(2), &past("-, forward, forward")).unwrap_err().contains("larger"));
    let none = odds(&world(2), &past("-, forward, left, forward, left, forward"));
    assert!(none.unwrap_err().contains("no cave"));
    let game = crate::agents::games::kuhn::Kuhn::boxed();
    let mut players = vec![agent("reason"), agent("random")];
    let fault = play_out(&*game, &mut players, Budget::Iterations(1), 1, 10).fault.unwrap().1;
    assert!(fault.0.contains("Wumpus worlds only"), "{fault}");
}

/// Payoffs of an agent in so many caves.
fn payoffs(name: &str, size: i32, budget: Budget, caves: u64) -> Vec<f64> {
    let game = Wumpus::boxed(size);
    let payoff = |seed| {
        let mut players = vec![agent(name)];
        let played = play_out(&*game, &mut players, budget, mix(seed), 1000);
        assert_eq!(played.fault, None, "cave {seed}");
        f64::from(played.scores.unwrap().iter().next().unwrap())
    };
    (0..caves).map(payoff).collect()
}

#[test]
fn reasoning_pays_and_beats_the_others() {
    let (reason, error) = mean(&payoffs("reason", 4, Budget::Iterations(200), 200));
    println!("reason: {reason} with standard error {error}");
    assert!(reason > 100.0 && reason > 3.0 * error, "{reason} with standard error {error}");
    for (name, caves) in [("random", 200), ("hyperplay", 5), ("ismcts", 5)] {
        let (other, error) = mean(&payoffs(name, 4, Budget::Iterations(200), caves));
        println!("{name}: {other} with standard error {error}");
        assert!(other < reason, "{name}: {other} with standard error {error}");
    }
}

#[test]
fn other_sizes_are_measured() {
    for size in [3, 6, 9] {
        let (mean, error) = mean(&payoffs("reason", size, Budget::Iterations(100), 10));
        assert!(mean > -500.0, "{size}: {mean} with standard error {error}");
    }
}

#[test]
fn the_same_seed_gives_the_same_game() {
    let of = |seed| {
        let mut players = vec![agent("reason")];
        let played = play_out(&*Wumpus::boxed(4), &mut players, Budget::Iterations(50), seed, 200);
        played.plies.into_iter().map(|ply| ply.label).collect::<Vec<_>>()
    };
    assert!((0..20).all(|seed| of(seed) == of(seed)));
    assert!((0..20).any(|seed| of(seed) != of(seed + 1)));
}

/// Plays as one agent, while another one looks on and chooses for itself.
struct Shadowed(Box<dyn Agent>, Box<dyn Agent>);

impl Agent for Shadowed {
    fn name(&self) -> String {
        self.0.name()
    }

    fn choose(&mut self, obs: &Observation<'_>, budget: Budget) -> Result<Choice, Fault> {
        self.1.choose(obs, Budget::Iterations(1))?;
        let missed = |(what, plies): &(&str, u64)| what.contains("no state") && *plies > 0;
        assert!(!self.1.counts().iter().any(missed), "{:?}", obs.past);
        self.0.choose(obs, budget)
    }
}

#[test]
fn a_bag_of_caves_keeps_up_with_an_explorer() {
    let mut plies = 0;
    for seed in 0..10 {
        let mut players: Vec<Box<dyn Agent>> = vec![Box::new(Shadowed(
            agent("reason"),
            agent("hyperplay:samples=10,effort=200000,exact=0"),
        ))];
        let game = Wumpus::boxed(4);
        let played = play_out(&*game, &mut players, Budget::Iterations(0), mix(seed), 1000);
        assert_eq!(played.fault, None);
        plies += played.plies.len();
    }
    assert!(plies > 50, "{plies}");
}

#[test]
fn plies_may_have_other_labels() {
    for seed in 0..20 {
        let [plain, numbers] = [Wumpus::boxed(4), Wumpus::with_numbers()].map(|game| {
            let mut players = vec![agent("reason")];
            let played = play_out(&*game, &mut players, Budget::Iterations(20), mix(seed), 1000);
            assert_eq!(played.fault, None);
            played.scores.unwrap()
        });
        assert_eq!(plain, numbers, "{seed}");
    }
}

#[test]
fn odds_are_had_without_knowing_size_and_labels() {
    let expected = odds_of("-, forward stench, shoot scream stench");
    let plain = past("-, forward stench, shoot scream stench");
    let odds_in = |game: &dyn play::Game, past: &[ObservedPly]| {
        odds_in(game, Player(0), past, &Assumptions::default()).unwrap()
    };
    assert_eq!(odds_in(&*Wumpus::boxed(4), &plain), expected);
    let numbers = past("-, 5 stench, 3 scream stench");
    assert_eq!(odds_in(&*Wumpus::with_numbers(), &numbers), expected);
    let shape = odds_in(&*Wumpus::boxed(7), &plain).shape;
    assert_eq!(shape, Shape::Squares { columns: 7, rows: 7 });
}
