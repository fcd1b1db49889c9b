//! Small random games in GDL and ludemes: the kit finds no fault in any engine that plays them. It
//! is the kit that these test, as much as the engines: games without an end, with passes for ever,
//! players who cannot move, choices at the same time and chance are all valid, and rare among games
//! that somebody wrote.

use std::collections::BTreeSet;

use play::kit::{Effort, check};
use play::{CompileError, Job, Language, Limits, Rng, Rules, Via};

/// The number of games of each language.
const GAMES: u64 = 40;

/// Enough for each of them.
const LIMITS: Limits = Limits { bytes: 256 << 20, work: 5_000_000 };

fn one<'a>(rng: &mut Rng, of: &[&'a str]) -> &'a str {
    of[rng.below(of.len() as u32) as usize]
}

/// True once in so many times.
fn once_in(rng: &mut Rng, times: u32) -> bool {
    rng.below(times) == 0
}

/// A sheet about up to five facts, which one to three players and now and then nature change, all
/// at once or in turn, for a number of steps or for as long as it may last.
fn sheet(rng: &mut Rng) -> String {
    let facts = 2 + rng.below(4);
    let players = 1 + rng.below(3);
    let mut roles: Vec<String> = (0..players).map(|role| format!("p{role}")).collect();
    if once_in(rng, 4) {
        roles.push("random".to_owned());
    }
    let actions = 1 + rng.below(4);
    let takes_turns = rng.below(2) == 0;
    // Some share the label that boards have for them, and some are words of their own.
    let action = |number: u32| match number {
        0 => "wait".to_owned(),
        1 => "(put a 1)".to_owned(),
        2 => "(take a 1)".to_owned(),
        _ => format!("(act {number})"),
    };
    let fact = |rng: &mut Rng| {
        let known = format!("(true (f {}))", rng.below(facts));
        if rng.below(2) == 0 { known } else { format!("(not {known})") }
    };
    let some_facts = |rng: &mut Rng, most: u32| {
        let count = rng.below(most + 1);
        (0..count).map(|_| fact(rng)).collect::<Vec<String>>().join(" ")
    };
    let mut sheet = String::new();
    let mut add = |line: String| sheet += &(line + "\n");
    for role in &roles {
        add(format!("(role {role})"));
    }
    for number in 0..facts {
        if rng.below(2) == 0 {
            add(format!("(init (f {number}))"));
        }
    }
    if takes_turns {
        add("(init (control p0))".to_owned());
        for number in 0..players {
            let next = (number + 1) % players;
            add(format!("(<= (next (control p{next})) (true (control p{number})))"));
        }
    }
    for role in &roles {
        let waits = takes_turns && role != "random";
        let turn = if waits { format!("(true (control {role}))") } else { String::new() };
        for number in 0..actions {
            add(format!("(<= (legal {role} {}) {turn} {})", action(number), some_facts(rng, 1)));
        }
        if waits {
            add(format!("(<= (legal {role} noop) (not (true (control {role}))))"));
        } else if !once_in(rng, 8) {
            add(format!("(legal {role} noop)"));
        }
    }
    for number in 0..facts {
        for _ in 0..=rng.below(3) {
            let role = &roles[rng.below(roles.len() as u32) as usize];
            let does = match rng.below(3) {
                0 => String::new(),
                1 => format!("(not (does {role} {}))", action(rng.below(actions))),
                _ => format!("(does {role} {})", action(rng.below(actions))),
            };
            add(format!("(<= (next (f {number})) {} {} {does})", fact(rng), some_facts(rng, 1)));
        }
    }
    let steps = 2 + rng.below(9);
    if !once_in(rng, 4) {
        add("(init (step 0))".to_owned());
        for step in 0..steps {
            add(format!("(<= (next (step {})) (true (step {step})))", step + 1));
        }
        add(format!("(<= terminal (true (step {steps})))"));
    }
    add(format!("(<= terminal {} {} {})", fact(rng), fact(rng), some_facts(rng, 2)));
    for role in &roles {
        let won = format!("{} {}", fact(rng), some_facts(rng, 1));
        add(format!("(<= (won {role}) {won})"));
        add(format!("(<= (goal {role} 100) (won {role}))"));
        add(format!("(<= (goal {role} {}) (not (won {role})))", 10 * rng.below(10)));
    }
    sheet
}

/// A description of two or three players on a board of a few sites.
fn ludemes(rng: &mut Rng) -> String {
    let board = one(
        rng,
        &[
            "(square 3)",
            "(square 4)",
            "(rectangle 1 6)",
            "(rectangle 2 4)",
            "(hex 2)",
            "(tri 3)",
            "(concentric {1 4})",
        ],
    );
    let elements = one(rng, &["", "", "use:Vertex"]);
    let empty = "(to if:(is Empty (to)))";
    let capture = "(to if:(not (is Friend (who at:(to)))) (apply (remove (to))))";
    let over = "(between if:(is Enemy (who at:(between))) (apply (remove (between))))";
    let step = format!("(move Step {empty})");
    let hop = format!("(move Hop {over} {empty})");
    let again = format!("(move Hop {over} {empty} (then (if (can Move {hop}) (moveAgain))))");
    let both = format!("(or {step} {hop})");
    let strikes = format!("(move Step {capture})");
    let dice = format!("(if (is Even (pips)) {step} {strikes})");
    let rolls = once_in(rng, 5);
    let piece = if rolls {
        &dice
    } else {
        one(rng, &[&step, &hop, &again, &both, &strikes, "(move Slide)", ""])
    };
    let add = one(
        rng,
        &[
            "(move Add (to (sites Empty)))",
            "(move Add (to (sites Empty)) (then (if (is Line 3) (moveAgain))))",
            "(move Add (to (sites Empty)) count:2)",
            "(do (move Add (to (sites Empty))) ifAfterwards:(not (is Line 3)))",
        ],
    );
    let select = "(move Select (from (sites Occupied by:Mover)) (then (remove (last From))))";
    let plays = [
        "(forEach Piece)".to_owned(),
        add.to_owned(),
        format!("(or {add} (forEach Piece))"),
        "(or (forEach Piece) (move Pass))".to_owned(),
        format!("(if (is Even (count Moves)) {add} (forEach Piece))"),
        format!("(priority {{ (forEach Piece) {add} }})"),
        "(max Moves (forEach Piece))".to_owned(),
        format!("(or {select} {add})"),
        "(do (forEach Piece) ifAfterwards:(not (is Line 3)))".to_owned(),
        "(move Pass)".to_owned(),
    ];
    let plays: Vec<&str> = plays.iter().map(String::as_str).collect();
    let play = one(rng, &plays);
    let play = if rolls { format!("(do (roll) next:{play})") } else { play.to_owned() };
    let ends = [
        "(if (is Line 3) (result Mover Win))",
        "(if (no Moves Next) (result Mover Win))",
        "(if (no Moves Mover) (result Mover Loss))",
        "(if (no Pieces Next) (result Mover Win))",
        "(if (all Passed) (result Mover Draw))",
        "(if (is In (last To) (sites Top)) (result Next Win))",
        "(if (<= 12 (count Moves)) (result Mover Draw))",
        "(if (= 0 (count Sites in:(sites Empty))) (result Mover Draw))",
    ];
    let count = 1 + rng.below(3);
    let ends: Vec<&str> = (0..count).map(|_| one(rng, &ends)).collect();
    let meta = one(rng, &["", "", "", "(meta (no Repeat))", "(meta (swap))"]);
    let players = 2 + u32::from(once_in(rng, 4));
    let start = one(
        rng,
        &[
            r#"(start { (place "Disc1" 0) (place "Disc2" 2) })"#,
            r#"(start { (place "Disc1" (sites Bottom)) (place "Disc2" (sites Top)) })"#,
            r#"(start { (place "Disc1" {0 1}) (place Random {"Disc2"} count:2) })"#,
            "",
        ],
    );
    let equipment = if rolls { "(dice d:3 num:1)" } else { "" };
    format!(
        r#"(game "Random" (players {players})
            (equipment {{ (board {board} {elements}) {equipment} (piece "Disc" Each {piece}) }})
            (rules {meta} {start} (play {play}) (end {{ {} }})))"#,
        ends.join(" ")
    )
}

/// The features of some games that were played, which say what the kit was tried on.
#[derive(Default)]
struct Met {
    played: u64,
    kinds: BTreeSet<&'static str>,
}

/// Puts games of a language through the kit on each engine.
fn put_through_the_kit(language: Language, describe: fn(&mut Rng) -> String) -> Met {
    let mut met = Met::default();
    let engines = roster::engines();
    let engines: Vec<_> =
        engines.iter().filter(|engine| engine.languages().contains(&language)).collect();
    for number in 0..GAMES {
        let text = describe(&mut Rng::stream(0x7a6d, number));
        let rules = Rules::new(language, format!("random-{number}.{language}"), text);
        for engine in &engines {
            let game = match engine.compile(&rules, &LIMITS) {
                Ok(compiled) => compiled.game,
                Err(CompileError::Unsupported(_)) => continue,
                Err(error) => {
                    panic!("{}: {}", error.one_line(&rules.source), rules.source.text())
                }
            };
            let effort = Effort { seed: number, walks: 2, playouts: 60, cap: 40 };
            let report = check(&*game, &effort);
            let who = format!("{} on {}", engine.id(), rules.source.text());
            assert!(report.faults.is_empty(), "{who}: {}", report.faults.join("\n"));
            let job = Job { seed: number, first: 0, count: 60, cap: 40 };
            let tally = game.run(&job, Via::Reference);
            let facts = game.facts();
            met.played += 1;
            met.kinds.extend(
                [("stuck", tally.stuck), ("capped", tally.capped)]
                    .iter()
                    .filter_map(|&(kind, count)| (count > 0).then_some(kind)),
            );
            met.kinds.extend(facts.chance.then_some("chance"));
            met.kinds.extend(facts.simultaneous.then_some("simultaneous"));
            met.kinds.insert(facts.fast.method.name());
        }
    }
    met
}

#[test]
fn random_sheets_are_sound_on_every_engine() {
    let met = put_through_the_kit(Language::Kif, sheet);
    assert_eq!(met.played % GAMES, 0, "an engine left a sheet out");
    for kind in ["stuck", "capped", "chance", "simultaneous", "tabled"] {
        assert!(met.kinds.contains(kind), "no game is {kind}: {:?}", met.kinds);
    }
}

#[test]
fn random_games_of_ludemes_are_sound() {
    let met = put_through_the_kit(Language::Lud, ludemes);
    assert!(met.played > GAMES * 2 / 3, "only {} were played", met.played);
    for kind in ["capped", "chance", "counted", "tabled", "sampled"] {
        assert!(met.kinds.contains(kind), "no game is {kind}: {:?}", met.kinds);
    }
}
