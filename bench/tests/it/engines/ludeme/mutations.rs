//! Descriptions of the catalogue with small random changes: whatever they say, they get an answer,
//! and what can still be played is played alike by the fast paths and the reference.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use ludeme::{LudemeEngine, front};
use play::{CompileError, Engine, Job, Language, Limits, Promise, Rng, Rules, Via};

use super::files::{catalogue, descriptions};

/// Ludemes that the catalogue has little of: hops and turns of several captures, sowing, dice,
/// stacks, products of moves, tests afterwards.
const OTHERS: [&str; 4] = [
    r#"(game "Leaps" (players 2)
    (equipment { (board (square 6))
        (piece "Man" Each (or
            (move Hop
                (between if:(is Enemy (who at:(between))) (apply (remove (between) at:EndOfTurn)))
                (to if:(is Empty (to))) (then (if (can Move (hop (from (last To))
                    (between if:(is Enemy (who at:(between)))) (to if:(is Empty (to)))))
                    (moveAgain))))
            (move Step Forward (to if:(is Empty (to)))))) })
    (rules (start { (place "Man1" (sites Bottom)) (place "Man2" (sites Top)) })
        (play (max Moves (forEach Piece)))
        (end (if (no Moves Next) (result Mover Win)))))"#,
    r#"(game "Seeds" (players 2)
    (equipment { (mancalaBoard 2 4 store:None { (track "T" "0,E,N,W" loop:True) })
        (piece "Seed" Shared)
        (map "P" { (pair P1 FirstSite) }) })
    (rules (start (set Count 3 to:(sites Track)))
        (play (move Select (from (sites Bottom) if:(< 0 (count at:(from))))
            (then (sow apply:(if (= 2 (count at:(to)))
                (fromTo (from (to)) (to (mover)) count:2))))))
        (end (if (no Moves Mover) (result Next Win)))))"#,
    r#"(game "Dice" (players 2)
    (equipment { (board (rectangle 1 9)) (dice d:3 num:2)
        (piece "Runner" Each (forEach Die if:(!= (pips) 0)
            (move (from) (to (+ (from) (pips)) if:(is Empty (to))))
            (then (if (not (all DiceUsed)) (moveAgain))))) })
    (rules (start { (place "Runner1" 0) (place "Runner2" 1) })
        (play (if (is Prev Mover) (forEach Piece) (do (roll) next:(forEach Piece))))
        (end (if (is In (last To) (sites Right)) (result Mover Win)))))"#,
    r#"(game "Towers" (players 2)
    (equipment { (board (square 4)) (hand Each) (piece "Disc" Each) (piece "King" Each) })
    (rules (start { (place Stack "Disc1" {0 1} count:2) (place "King2" 15)
        (place "Disc1" (handSite P1)) })
        (play (do (or (forEach Piece (move Step (to if:(< (size Stack at:(to)) 3)) stack:True))
                (move (from (handSite Mover)) (to (sites Empty))))
            ifAfterwards:(not (is Threatened (id "King" Mover)))))
        (end (if (is Line 3) (result Mover Win)))))"#,
];

/// All descriptions of the catalogue, sorted by name, the small games and matches of `tests/cases`,
/// and some more.
fn originals() -> Vec<Rules> {
    let mut rules = catalogue();
    let small =
        descriptions(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../engines/ludeme/tests/cases"));
    let mut small: Vec<Rules> = small.iter().flat_map(with_options).collect();
    small.iter_mut().for_each(super::matches::add_games);
    rules.append(&mut small);
    rules.extend(OTHERS.iter().map(|text| Rules::new(Language::Lud, "other.lud", *text)));
    rules
}

/// A description with each of the options that it offers.
fn with_options(rules: &Rules) -> Vec<Rules> {
    let blocks = front::options(rules).blocks;
    let options = blocks.iter().flat_map(|block| {
        block.items.iter().map(|item| format!("{}/{}", block.heading, item.name))
    });
    let mut all: Vec<Rules> =
        options.map(|option| Rules { options: vec![option], ..rules.clone() }).collect();
    if all.is_empty() {
        all.push(rules.clone());
    }
    all
}

/// Pieces of text that mutations put in: brackets, names, macros, options and what else may upset a
/// reader.
const SCRAPS: [&str; 24] = [
    "(",
    ")",
    "{",
    "}",
    "\"",
    " ",
    ",",
    ":",
    "//",
    "((",
    "()",
    "{}",
    "#1",
    "~",
    "<A>",
    "0..99999",
    "-1",
    "é",
    "Mover",
    "(sites Empty)",
    "if:(is Full)",
    "(\"A\" (\"A\"))",
    "(define \"A\" (or (\"A\") #1 #1))",
    "(option \"O\" <A> args:{ <x> } { (item \"a\" <\"A\"> \"\")* })",
];

/// A text with some small changes, at most so many.
fn mutate(text: &str, most: u32, rng: &mut Rng) -> String {
    let mut text = text.to_owned();
    for _ in 0..=rng.below(most) {
        let place = |rng: &mut Rng, text: &str| {
            let mut at = rng.below(text.len() as u32 + 1) as usize;
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let (a, b) = (place(rng, &text), place(rng, &text));
        // Most changes are local: far ones leave little of the description.
        let mut near = (a + rng.below(12) as usize).min(text.len());
        while !text.is_char_boundary(near) {
            near -= 1;
        }
        match rng.below(6) {
            0 => text.replace_range(a..near.max(a), ""),
            1 | 2 => text.insert_str(a, SCRAPS[rng.below(SCRAPS.len() as u32) as usize]),
            3 => {
                let piece = text[a..near.max(a)].to_owned();
                text.insert_str(b, &piece);
            }
            4 => {
                // A word in the place of another one.
                let words: Vec<(usize, &str)> = text
                    .match_indices(|c: char| c.is_alphabetic())
                    .filter(|(at, _)| !text[..*at].ends_with(char::is_alphabetic))
                    .map(|(at, _)| {
                        let end = text[at..].find(|c: char| !c.is_alphabetic());
                        (at, &text[at..end.map_or(text.len(), |end| at + end)])
                    })
                    .collect();
                if !words.is_empty() {
                    let (at, old) = words[rng.below(words.len() as u32) as usize];
                    let (_, new) = words[rng.below(words.len() as u32) as usize];
                    let (range, new) = (at..at + old.len(), new.to_owned());
                    text.replace_range(range, &new);
                }
            }
            _ => {
                let (from, to) = (a.min(b), a.max(b));
                if rng.below(8) == 0 {
                    let piece = text[from..to].to_owned();
                    text.insert_str(to, &piece);
                } else {
                    text.replace_range(from..near.max(from), ")");
                }
            }
        }
    }
    text
}

/// A description with another text.
fn mutant(original: &Rules, text: String) -> Rules {
    let (options, parts) = (original.options.clone(), original.parts.clone());
    Rules { options, parts, ..Rules::new(Language::Lud, original.source.name(), text) }
}

#[test]
fn thousands_of_mutations_are_answered() {
    let originals = originals();
    let mut rng = Rng::stream(2, 1);
    let (mut accepted, mut refused) = (0, 0);
    for round in 0..2000 {
        let original = &originals[round % originals.len()];
        let text = mutate(original.source.text(), 4, &mut rng);
        let rules = mutant(original, text);
        let diagnostics = match front::parse(&rules) {
            Ok(parsed) => {
                accepted += 1;
                parsed.warnings
            }
            Err(error) => {
                refused += 1;
                assert!(!error.diagnostics().is_empty(), "{}", rules.source.text());
                error.diagnostics().to_vec()
            }
        };
        for diagnostic in diagnostics {
            // A place in the text, and something to say: rendering all would take most of the time.
            assert!(diagnostic.span.end as usize <= rules.source.text().len());
            assert!(!diagnostic.message.is_empty());
            if round % 20 == 0 {
                assert!(diagnostic.render(&rules.source).contains(rules.source.name()));
            }
        }
    }
    assert!(accepted > 100 && refused > 1000, "{accepted} accepted, {refused} refused");
}

/// The outcomes of mutated descriptions.
#[derive(Default, Debug)]
struct Outcome {
    invalid: u32,
    unsupported: u32,
    too_large: u32,
    played: u32,
    slowest_compile: (Duration, String),
    slowest_play: (Duration, String),
}

/// Compiles mutated descriptions and plays what can be played, on both ways. Each is written to
/// `at` before, so that one that ends the process can be found.
fn compile_and_play(rounds: usize, seed: u64, at: Option<&Path>) -> Outcome {
    let originals = originals();
    let mut rng = Rng::stream(seed, 2);
    let mut outcome = Outcome::default();
    for round in 0..rounds {
        let original = &originals[round % originals.len()];
        let text = mutate(original.source.text(), 2, &mut rng);
        if let Some(path) = at {
            fs::write(path, &text).expect("a writable folder");
        }
        let rules = mutant(original, text);
        let start = Instant::now();
        let compiled = LudemeEngine.compile(&rules, &Limits::default());
        note(&mut outcome.slowest_compile, start, &rules);
        let game = match compiled {
            Ok(compiled) => compiled.game,
            Err(CompileError::Invalid(all)) => {
                assert!(!all.is_empty(), "{}", rules.source.text());
                outcome.invalid += 1;
                continue;
            }
            Err(CompileError::Unsupported(all)) => {
                assert!(!all.is_empty(), "{}", rules.source.text());
                outcome.unsupported += 1;
                continue;
            }
            Err(_) => {
                outcome.too_large += 1;
                continue;
            }
        };
        outcome.played += 1;
        let job = Job { seed: round as u64, first: 0, count: 2, cap: 12 };
        let start = Instant::now();
        let (fast, reference) = (game.run(&job, Via::Fast), game.run(&job, Via::Reference));
        note(&mut outcome.slowest_play, start, &rules);
        match game.facts().fast.promise {
            Promise::SamePlayouts => assert_eq!(fast, reference, "{}", rules.source.text()),
            Promise::SameDistribution(_) => assert_eq!(fast.playouts, reference.playouts),
        }
    }
    outcome
}

fn note(slowest: &mut (Duration, String), start: Instant, rules: &Rules) {
    let took = start.elapsed();
    if took > slowest.0 {
        *slowest = (took, rules.source.text().to_owned());
    }
}

#[test]
fn hundreds_of_mutations_are_compiled_and_played() {
    let outcome = compile_and_play(250, 1, None);
    assert!(outcome.played > 25 && outcome.invalid > 75, "{outcome:?}");
}

/// `MUTATIONS=100000 cargo test --release -p bench --test it engines::ludeme::mutations:: --
/// --ignored --nocapture`
#[test]
#[ignore = "takes minutes"]
fn many_mutations_are_compiled_and_played() {
    let number = |name: &str, default| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let (rounds, seed) = (number("MUTATIONS", 100_000), number("SEED", 1));
    let at = std::env::temp_dir().join(format!("mutation-{seed}.lud"));
    let outcome = compile_and_play(rounds as usize, seed, Some(&at));
    let Outcome { invalid, unsupported, too_large, played, slowest_compile, slowest_play } =
        outcome;
    println!(
        "{rounds} mutations: {invalid} invalid, {unsupported} unsupported, {too_large} too large, \
         {played} played"
    );
    println!("slowest to compile: {:?}\n{}", slowest_compile.0, slowest_compile.1);
    println!("slowest to play: {:?}\n{}", slowest_play.0, slowest_play.1);
    // Where the system tells it: the most memory that was in use.
    if let Ok(status) = fs::read_to_string("/proc/self/status") {
        let peak = status.lines().find(|line| line.starts_with("VmHWM"));
        println!("{}", peak.unwrap_or_default());
    }
    let longest = slowest_compile.0.max(slowest_play.0);
    assert!(longest < Duration::from_mins(1), "a hang: {longest:?}");
}
