//! The agent of Wumpus worlds.

use agents::{
    Agent, Budget, Choice, Fault, Observation, ObservedPly, Odds, odds, odds_in, play_out,
};
use play::{Player, mix};

use crate::agents::games::{agent, mean, wumpus::Wumpus};

/// A past from text: plies separated by commas, each with its percepts after it, the start first
/// (`-`).
fn past(text: &str) -> Vec<ObservedPly> {
    let ply = |text: &str| {
        let mut words = text.split_whitespace().map(str::to_owned);
        let own = words.next().filter(|word| word != "-");
        ObservedPly { own, percepts: words.collect() }
    };
    let all = text.split(',').map(ply);
    all.filter(|ply| ply.own.is_some() || !ply.percepts.is_empty()).collect()
}

fn odds_of(text: &str) -> Odds {
    odds(4, &past(text)).unwrap()
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
        let visited = |square: usize| odds.squares[square].visited;
        let breezy = |square: usize| (square == at("b1") && n > 1) || (square == at("a3") && n > 7);
        let beside = |a: usize, b: usize| (a % 4).abs_diff(b % 4) + (a / 4).abs_diff(b / 4) == 1;
        let (mut total, mut with) = (0.0, [0.0; 16]);
        for pits in (0u32..1 << 16).filter(|pits| pits & 1 == 0) {
            let pit = |square: usize| pits >> square & 1 == 1;
            let fits = (0..16).filter(|&square| visited(square)).all(|square| {
                let breeze = (0..16).any(|other| beside(square, other) && pit(other));
                !pit(square) && breeze == breezy(square)
            });
            if fits {
                let weight = 0.25f64.powi(pits.count_ones() as i32);
                total += weight;
                (0..16).filter(|&s| pit(s)).for_each(|s| with[s] += weight);
            }
        }
        for (square, with) in with.iter().enumerate() {
            let found = odds.squares[square].pit;
            assert!((found - with / total).abs() < 1e-12, "{text}: {square}: {found}");
        }
    }
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
    assert!(odds(4, &past("- cold")).unwrap_err().contains("`cold`"));
    assert!(odds(4, &past("-, jump")).unwrap_err().contains("`jump`"));
    assert!(odds(1, &[]).unwrap_err().contains("expected 2 to 26"));
    assert!(odds(2, &past("-, forward, forward")).unwrap_err().contains("larger"));
    let none = odds(2, &past("-, forward, left, forward, left, forward"));
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
    assert_eq!(odds_in(&*Wumpus::boxed(4), Player(0), &plain).unwrap(), expected);
    let numbers = past("-, 5 stench, 3 scream stench");
    assert_eq!(odds_in(&*Wumpus::with_numbers(), Player(0), &numbers).unwrap(), expected);
    assert_eq!(odds_in(&*Wumpus::boxed(7), Player(0), &plain).unwrap().size, 7);
}
