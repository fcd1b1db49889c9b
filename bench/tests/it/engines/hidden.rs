//! Games of hidden information in all their languages: the engines play the same trees, chance and
//! percepts included, at every size of a family.

use std::collections::BTreeMap;

use games::{Catalogue, Family, GameEntry};
use play::tree::fingerprint;
use play::{Chance, Game, Job, Limits, Player, Position, Rng, Script, Turn, Via, kit, settle};

/// An engine for each language that these games have.
const ENGINES: [&str; 3] = ["bitboard", "ludeme", "propnet"];

fn games(entry: &GameEntry) -> [Box<dyn Game>; 3] {
    ENGINES.map(|name| game(entry, name).expect("in all three languages"))
}

/// The game on an engine; `None` if it is not in its language.
fn game(entry: &GameEntry, name: &str) -> Option<Box<dyn Game>> {
    let engine = roster::engine(name).unwrap();
    let rules = entry.rules_in(engine.languages()[0])?;
    let compiled = engine.compile(&rules, &Limits::default());
    Some(compiled.unwrap_or_else(|error| panic!("{} on {name}: {error:?}", entry.id)).game)
}

fn at_size(family: &str, n: u32) -> GameEntry {
    with(family, n, None)
}

/// A game of a family with another value of a parameter.
fn with(family: &str, n: u32, parameter: Option<(&str, u32)>) -> GameEntry {
    let families = Family::embedded().unwrap();
    let family = families.iter().find(|other| other.id == family).unwrap();
    let chosen = parameter.map(|(name, value)| family.with(name, value).unwrap());
    chosen.as_ref().unwrap_or(family).at(n, &Catalogue::embedded().unwrap()).unwrap()
}

/// The fingerprints of all that chance can make of the start, with their probabilities in
/// billionths.
fn starts(game: &dyn Game, depth: u32) -> BTreeMap<u64, u64> {
    let (mut all, mut script) = (BTreeMap::<u64, f64>::new(), Script::default());
    loop {
        script.rewind();
        let mut position = game.open(&mut script);
        assert!(settle(&mut *position, &mut script));
        let print = fingerprint(&*position, depth, &mut 1_000_000).expect("small");
        *all.entry(print).or_default() += script.probability();
        if !script.advance() {
            break;
        }
    }
    all.into_iter().map(|(print, share)| (print, (share * 1e9).round() as u64)).collect()
}

/// The starts are the same in all languages; there are so many that differ within the depth.
fn same_starts(entry: &GameEntry, depth: u32, different: std::ops::RangeInclusive<usize>) {
    let [one, two, three] = games(entry).map(|game| starts(&*game, depth));
    assert!(different.contains(&one.len()), "{}: {} starts", entry.id, one.len());
    assert!(one == two, "{}: bitboard and ludeme", entry.id);
    assert!(one == three, "{}: bitboard and propnet", entry.id);
}

/// Chance that is drawn.
struct Drawn(Rng);

impl Chance for Drawn {
    fn below(&mut self, n: u32) -> u32 {
        self.0.below(n)
    }
}

/// Plies of a walk that are looked at one by one.
const LOOKS: u32 = 8;

/// The number of times that each view occurred on the way of random walks: whose turn, how many
/// actions, percepts and scores, up to every ply of the first [`LOOKS`] and to the end.
fn sights(game: &dyn Game, walks: u64) -> Vec<BTreeMap<u64, f64>> {
    let mut counts = vec![BTreeMap::new(); LOOKS as usize + 2];
    for walk in 0..walks {
        let (mut choices, mut chance) = (Rng::stream(2, walk), Drawn(Rng::stream(3, walk)));
        let mut position = game.open(&mut chance);
        let mut seen = 0;
        for ply in 0.. {
            assert!(settle(&mut *position, &mut chance));
            seen = look(&*position, seen);
            let over = position.turn() == Turn::Over;
            if ply <= LOOKS || over {
                let slot = if over { LOOKS as usize + 1 } else { ply as usize };
                *counts[slot].entry(seen).or_default() += 1.0;
            }
            if over {
                break;
            }
            let action = choices.below(position.actions() as u32) as usize;
            position.play(action, &mut chance).unwrap();
        }
    }
    counts
}

/// A hash of all views before, and of this one.
fn look(position: &dyn Position, before: u64) -> u64 {
    let turn = match position.turn() {
        Turn::Move(Player(player)) => u64::from(player) + 1,
        Turn::Over => 0,
    };
    let scores = position.scores().map_or(0, play::Scores::bits);
    [turn, position.actions() as u64, position.percepts().bits(), scores]
        .into_iter()
        .fold(before, |h, part| (h ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29))
}

fn same_walks(entry: &GameEntry, walks: u64) {
    let games = games(entry);
    let [one, others @ ..] = &games;
    let (expected, job) = (sights(&**one, walks), Job { seed: 5, first: 0, count: 1000, cap: 200 });
    let tally = one.run(&job, Via::Fast);
    assert_eq!((tally.capped, tally.stuck), (0, 0), "{}", entry.id);
    for (name, other) in ENGINES[1..].iter().zip(others) {
        let (facts, same) = (other.facts(), one.facts());
        assert_eq!(facts.players, same.players, "{} on {name}", entry.id);
        assert_eq!(
            (facts.hidden, facts.chance, facts.simultaneous),
            (same.hidden, same.chance, same.simultaneous),
            "{} on {name}",
            entry.id
        );
        for (ply, (a, b)) in expected.iter().zip(sights(&**other, walks)).enumerate() {
            assert!(!kit::unlike_counts(a, &b), "{} on {name}, ply {ply}", entry.id);
        }
        assert_eq!(kit::differs(&tally, &other.run(&job, Via::Fast)), None, "{}", entry.id);
    }
}

#[test]
fn a_small_cave_of_wumpus_world_is_the_same_in_all_languages() {
    // Pits on some of three squares, the wumpus and the gold on one of them each; not all of it
    // shows in so few plies.
    same_starts(&at_size("wumpus", 2), 3, 8..=8 * 3 * 3);
}

#[test]
fn caves_of_wumpus_world_are_the_same_at_every_size() {
    for n in [2, 3, 5, 8] {
        same_walks(&at_size("wumpus", n), 300);
    }
}

#[test]
fn hands_of_goofspiel_are_the_same_at_every_size() {
    for n in 2..=8 {
        let entry = at_size("goofspiel", n);
        same_starts(&entry, if n < 4 { 2 * n } else { 4 }, 1..=1);
        same_walks(&entry, 100);
    }
}

#[test]
fn hunts_are_the_same_in_all_languages_whatever_their_settings() {
    let catalogue = Catalogue::embedded().unwrap();
    for id in ["wumpus-hunt", "wumpus-hunt-solo", "wumpus-hunt-gold"] {
        let entry = catalogue.get(id).unwrap();
        same_walks(entry, 300);
    }
}

/// Arrows and survivors of hunts, and the gold that pays when it is grabbed, ply by ply on an
/// engine for each language that the game has.
#[test]
fn parameters_are_the_same_in_all_languages() {
    for (family, n, parameter) in [
        ("wumpus-hunt", 1, Some(("alive", 2))),
        ("wumpus-hunt", 2, None),
        ("wumpus-hunt", 3, Some(("alive", 2))),
        ("wumpus-hunt", 4, None),
        ("wumpus-hunt-solo", 1, None),
        ("wumpus-hunt-solo", 3, None),
        ("wumpus-hunt-three", 1, None),
        ("wumpus-hunt-three", 2, Some(("alive", 2))),
        ("wumpus-hunt-three", 1, Some(("alive", 3))),
        ("wumpus", 2, Some(("grabbed", 1))),
        ("wumpus", 4, Some(("grabbed", 1))),
    ] {
        let entry = with(family, n, parameter);
        let names = ["bitboard", "ludeme", "propnet", "rg"];
        let games = names.map(|name| game(&entry, name));
        let there =
            names.iter().zip(&games).filter_map(|(name, game)| Some((name, game.as_ref()?)));
        let seen: Vec<_> = there.map(|(name, game)| (name, sights(&**game, 300))).collect();
        assert!(seen.len() >= 3, "{} on {} engines", entry.id, seen.len());
        let (first, expected) = &seen[0];
        for (name, seen) in &seen[1..] {
            for (ply, (a, b)) in expected.iter().zip(seen).enumerate() {
                let unlike = kit::unlike_counts(a, b);
                assert!(!unlike, "{} on {first} and {name}, ply {ply}", entry.id);
            }
        }
    }
}
