//! Replaying recorded games: what agrees, what differs and where, and records that are no records.

use std::io::Read;
use std::path::{Path, PathBuf};

use ludeme::LudemeEngine;
use play::{
    Course, Drawn, Engine, Game, Language, Limits, Replay, ReplayError, Rng, Rules, settle,
};

use super::common::compiled;
use super::files::{catalogue, shared};

const THREE: &str = r#"(game "Three" (players 2)
    (equipment {(board (rectangle 1 3)) (piece "Disc" Each)})
    (rules
        (play (move Add (to (sites Empty))))
        (end (if (is Full) (result Mover Draw)))))"#;

const RECORD: &str = r#"{"game":"three.lud","players":2}
{"trial":1,"start":"m1 ph0"}
{"p":0,"mover":1,"n":3,"legal":"0>0 1>1 2>2","play":"1>1","state":"m2 ph0 1:1"}
{"p":1,"mover":2,"n":2,"legal":"0>0 2>2","play":"0>0","state":"m1 ph0 0:2 1:1"}
{"p":2,"mover":1,"n":1,"legal":"2>2","play":"2>2","state":"m0 ph0 0:2 1:1 2:1"}
{"end":"over","plies":3,"winner":0,"ranking":[1.5,1.5]}
"#;

/// Two dice are thrown before every turn, and each can be used for a step of one piece.
const DICE: &str = r#"(game "Dice" (players 2)
    (equipment {(board (rectangle 1 9)) (dice d:3 num:2)
        (piece "Runner" P1 (forEach Die if:(!= (pips) 0)
            (move (from) (to (+ (from) (pips)) if:(is Empty (to))))
            (then (if (not (all DiceUsed)) (moveAgain)))))
        (piece "Sleeper" P2)})
    (rules
        (start {(place "Runner1" 0) (place "Sleeper2" 8)})
        (play (if (is Prev Mover) (forEach Piece) (do (roll) next:(forEach Piece))))
        (end (if (is In (last To) (sites Right)) (result P1 Win)))))"#;

const THROWN: &str = r#"{"game":"dice.lud","players":2}
{"trial":1,"start":"m1 ph0 0:3 8:4 | dice=1,1"}
{"p":0,"mover":1,"roll":"2,3","n":2,"legal":"0>2 0>3","play":"0>3","state":"m1 ph0 3:3 8:4 | dice=2,0"}
{"p":1,"mover":1,"n":1,"legal":"3>5","play":"3>5","state":"m2 ph0 5:3 8:4 | dice=0,0"}
{"p":2,"mover":2,"roll":"1,1","n":1,"legal":"pass","play":"pass","state":"m1 ph0 5:3 8:4 | dice=1,1"}
{"end":"cut","plies":3,"winner":null,"ranking":null}
"#;

/// Both choose a cell at once; then each puts a disc on the first, where only one has room. The
/// second is filled when both have moved, once for each.
const AT_ONCE: &str = r#"(game "At Once" (players 2) (mode Simultaneous)
    (equipment {(board (rectangle 1 2)) (piece "Disc" Each)})
    (rules
        (play
            (or (move Select (from (sites Board)) P1 (then (add (piece "Disc1") (to 0))))
                (move Select (from 1) P2 (then (add (piece "Disc2") (to 0))))
                (then (if (is Occupied 0) (add (piece "Disc2") (to 1))) applyAfterAllMoves:True)))
        (end (if (is Full) (result P1 Win)))))"#;

const CHOSEN: &str = r#"{"game":"at-once.lud","players":2,"simultaneous":true}
{"trial":1,"start":"m1 ph0"}
{"p":0,"mover":0,"n":3,"legal":"p1:0>0 p1:1>1 p2:1>1","play":"p1:1>1 p2:1>1","state":"m0 ph0 0:1 1:2"}
{"end":"over","plies":1,"winner":1,"ranking":[1.0,2.0]}
"#;

/// Two stones start on two of three cells; each move draws a value for its stone while moves are
/// listed, in the order in which the stones were put where they are. A cell that is drawn again
/// when the game begins is drawn once more.
const LOTS: &str = r#"(game "Lots" (players 2)
    (equipment {(board (rectangle 1 7))
        (piece "Stone" P1 (move (from)
            (to (+ (from) 1) if:(is Empty (to))
                (apply (set Value at:(from) (value Random (range 1 4)))))))})
    (rules
        (start (place "Stone1" (sites Random (sites {0 2 4}) num:2)))
        (play (forEach Piece))
        (end (if (is Full) (result Mover Draw)))))"#;

const DRAWN: &str = r#"{"game":"lots.lud","players":2}
{"trial":1,"start":"m1 ph0 0:1 4:1","drawn":"3:2 3:2 3:0"}
{"p":0,"mover":1,"drawn":"4:0 4:3","n":2,"legal":"0>1 4>5","play":"0>1","state":"m2 ph0 1:1v1 4:1"}
{"p":1,"mover":2,"n":1,"legal":"pass","play":"pass","state":"m1 ph0 1:1v1 4:1"}
{"p":2,"mover":1,"drawn":"4:1 4:2","n":2,"legal":"1>2 4>5","play":"1>2","state":"m2 ph0 2:1v3 4:1"}
{"end":"cut","plies":3,"winner":null,"ranking":null}
"#;

/// Two seeds go into holes that are empty.
const SEEDS: &str = r#"(game "Seeds" (players 2)
    (equipment {(mancalaBoard 2 4 store:None {(track "T" "0,E,N,W" loop:True)})
        (piece "Seed" Shared)})
    (rules
        (start (set Count 3 to:(sites {0 1})))
        (play (move Select (from (sites {0}))
            (then (sow numPerHole:(if (is Empty (to)) 2 1)))))
        (end (if (is Full) (result Mover Draw)))))"#;

const SOWN: &str = r#"{"game":"seeds.lud","players":2}
{"trial":1,"start":"m1 ph0 0:1x3 1:1x3"}
{"p":0,"mover":1,"n":1,"legal":"0>0","play":"0>0","state":"m2 ph0 1:1x4 2:1x2"}
{"end":"cut","plies":1,"winner":null,"ranking":null}
"#;

/// Several parts before a `next:`: each goes behind as many actions as the part before it has.
const PARTS: &str = r#"(game "Parts" (players 2)
    (equipment {(board (rectangle 1 4)) (piece "Disc" Each)})
    (rules
        (play (move Add (to (sites Empty))
            (then (do (forEach Site (sites Board) (remember Value (site))) next:(moveAgain)))))
        (end (if (is Full) (result Mover Draw)))))"#;

const ORDERED: &str = r#"{"game":"parts.lud","players":2}
{"trial":1,"start":"m1 ph0"}
{"p":0,"mover":1,"n":4,"legal":"0>0 1>1 2>2 3>3","play":"1>1","state":"m1 ph0 1:1 | rem=0,3,2,1"}
{"end":"cut","plies":1,"winner":null,"ranking":null}
"#;

/// On a board of points a cell is another element: a disc there stands on no point; hands are
/// cells.
const ELEMENTS: &str = r#"(game "Elements" (players 2)
    (equipment {(board (square 2) use:Vertex) (piece "Disc" Each) (hand Each)})
    (rules
        (play (move Add (to (intersection (sites Empty) (sites Board)))
            (then (and (add (piece "Disc1") (to Cell 0)) (add (piece "Disc1") (to Cell 4))))))
        (end (if (is Full) (result Mover Draw)))))"#;

const HELD: &str = r#"{"game":"elements.lud","players":2}
{"trial":1,"start":"m1 ph0"}
{"p":0,"mover":1,"n":4,"legal":"0>0 1>1 2>2 3>3","play":"1>1","state":"m2 ph0 1:1 4:1"}
{"end":"cut","plies":1,"winner":null,"ranking":null}
"#;

fn replay_of(rules: &str, record: &str) -> Result<Replay, ReplayError> {
    let rules = Rules::new(Language::Lud, "game.lud", rules);
    LudemeEngine.replay(&rules, record, &Limits::default())
}

#[test]
fn a_true_record_agrees() {
    let replay = replay_of(THREE, RECORD).unwrap();
    assert!(replay.agrees(), "{replay:?}");
    assert_eq!((replay.trials, replay.plies), (1, 3));
    let others = [
        (DICE, THROWN),
        (AT_ONCE, CHOSEN),
        (LOTS, DRAWN),
        (SEEDS, SOWN),
        (PARTS, ORDERED),
        (ELEMENTS, HELD),
    ];
    for (rules, record) in others {
        let replay = replay_of(rules, record).unwrap();
        assert!(replay.agrees(), "{replay:?}");
    }
}

#[test]
fn every_part_of_a_record_is_compared() {
    let parts = [
        ("start", "\"m1 ph0\"", "\"m2 ph0\"", 0),
        ("legal", "0>0 1>1 2>2", "0>0 1>1", 0),
        ("legal", "\"n\":3,\"legal\":\"0>0 1>1 2>2", "\"n\":401,\"legal\":\"#0", 0),
        ("play", "\"play\":\"0>0\"", "\"play\":\"1>1\"", 1),
        ("state", "m1 ph0 0:2 1:1", "m1 ph0 0:1 1:1", 1),
        ("state", "m0 ph0", "m2 ph0", 2),
        ("end", "[1.5,1.5]", "[1,2]", 3),
        ("end", "\"end\":\"over\"", "\"end\":\"cut\"", 3),
    ];
    for (what, old, new, ply) in parts {
        let record = RECORD.replacen(old, new, 1);
        assert_ne!(record, RECORD, "{old}");
        let replay = replay_of(THREE, &record).unwrap();
        let difference = replay.difference.as_ref().expect(what);
        assert_eq!((difference.what, difference.trial, difference.ply), (what, 1, ply), "{new}");
        assert!(!replay.agrees());
    }
}

#[test]
fn a_throw_that_does_not_explain_the_moves_is_a_difference() {
    for thrown in ["1,3", "2,2", "3,3", "-,3"] {
        let record = THROWN.replacen("2,3", thrown, 1);
        let difference = replay_of(DICE, &record).unwrap().difference.expect(thrown);
        assert_eq!((difference.what, difference.ply), ("legal", 0), "{thrown}");
    }
}

#[test]
fn what_is_no_record_is_refused() {
    for record in ["{", "{\"trial\":1}\nnothing", "[1"] {
        let result = replay_of(THREE, record);
        assert!(matches!(result, Err(ReplayError::Malformed(_))), "{record}: {result:?}");
    }
    // Lines that say too little are compared as far as they go, and do no harm.
    for record in
        ["{}", "{\"p\":0}", "{\"end\":0}", "{\"start\":5}", "{\"start\":\"m1 ph0\"}\n{\"p\":0}"]
    {
        assert!(!replay_of(THREE, record).unwrap().agrees(), "{record}");
    }
    assert!(matches!(replay_of("(game)", RECORD), Err(ReplayError::Compile(_))));
}

fn record_of(file: &Path) -> String {
    let name = |ending: &str| PathBuf::from(format!("{}{ending}", file.display()));
    if let Ok(text) = std::fs::read_to_string(name(".trace.jsonl")) {
        return text;
    }
    let packed = std::fs::File::open(name(".trace.jsonl.gz")).unwrap();
    let mut text = String::new();
    flate2::read::GzDecoder::new(packed).read_to_string(&mut text).unwrap();
    text
}

fn agrees(rules: &Path, record: &Path) -> u64 {
    let text = std::fs::read_to_string(rules).unwrap();
    let name = rules.display().to_string();
    let rules = Rules::new(Language::Lud, name.clone(), text);
    let replay = LudemeEngine.replay(&rules, &record_of(record), &Limits::default());
    let replay = replay.unwrap_or_else(|error| panic!("{name}: {error:?}"));
    assert!(replay.agrees(), "{name}: {:?}", replay.difference);
    replay.plies
}

/// One game for each kind of mechanics.
#[test]
fn recorded_games_agree() {
    let Some(corpus) = shared("corpus") else { return };
    let games = [
        "board/race/escape/Backgammon",     // dice, stacks, doubles
        "board/race/escape/Paumecary",      // a throw that a double hides
        "board/sow/two_rows/Awari",         // sowing, captures backwards
        "board/war/leaping/lines/Felli",    // jumps
        "board/space/line/Order and Chaos", // any piece
        "board/space/line/Pentago",         // turning parts
        "puzzle/planning/Peg Solitaire",    // alone
        "board/space/line/Quixo",           // pushing
    ];
    let mut found = 0;
    for game in games {
        let rules = corpus.join("lud").join(format!("{game}.lud"));
        if rules.exists() {
            assert!(agrees(&rules, &corpus.join("lud-traces").join(game)) > 0);
            found += 1;
        }
    }
    assert!(found >= 2, "only {found} of the games are there");
}

/// The descriptions that tutorials and papers print.
#[test]
fn printed_descriptions_agree() {
    let Some(corpus) = shared("corpus") else { return };
    let steps = (4..=7).map(|step| format!("Amazons step {step}"));
    for name in steps.chain(["Wumpus World".to_owned()]) {
        let file = corpus.join("seeds").join(&name);
        assert!(agrees(&corpus.join("seeds").join(format!("{name}.lud")), &file) > 0);
    }
}

/// A game played at random, up to so many plies.
fn course(game: &dyn Game, seed: u64, plies: usize) -> Course {
    let mut chance = Drawn::new(Rng::stream(seed, 1));
    let mut choice = Rng::stream(seed, 2);
    let mut position = game.open(&mut chance);
    let mut moves = Vec::new();
    while settle(&mut *position, &mut chance) && position.actions() > 0 && moves.len() < plies {
        let action = choice.below(position.actions() as u32) as usize;
        moves.push(position.label(action));
        position.play(action, &mut chance).expect("a legal action");
    }
    Course { moves, chance: chance.outcomes }
}

fn recorded(rules: &Rules, plies: usize) -> (Vec<Course>, String) {
    let game = compiled(rules.source.name(), rules.source.text());
    let courses: Vec<Course> = (1..=3).map(|seed| course(&*game, seed, plies)).collect();
    let record = LudemeEngine.record(rules, &courses, &Limits::default());
    (courses, record.unwrap_or_else(|e| panic!("{}: {e:?}", rules.source.name())))
}

#[test]
fn what_is_written_is_what_is_read() {
    let dice = Rules::new(Language::Lud, "dice.lud", DICE);
    let mut games = 0;
    for rules in catalogue().into_iter().chain([dice]) {
        let name = rules.source.name();
        if compiled(name, rules.source.text()).facts().simultaneous {
            continue;
        }
        games += 1;
        let (_, record) = recorded(&rules, 20);
        let replay = LudemeEngine.replay(&rules, &record, &Limits::default()).expect("a record");
        assert_eq!(replay.difference, None, "{name}\n{record}");
        assert_eq!((replay.trials, replay.agreed), (3, 3), "{name}");
    }
    assert!(games > 40, "only {games} games");
}

/// A game in a corner of a board, with groups that are counted and groups that are captured, is the
/// same on boards with machine code, without it, and of more than ten thousand cells.
#[test]
fn games_in_a_corner_are_the_same_on_boards_of_all_sizes() {
    let played = |rows: usize| {
        let cells = (rows - 3..rows).flat_map(|row| (17..20).map(move |column| row * 20 + column));
        let corner = cells.map(|cell| cell.to_string()).collect::<Vec<_>>().join(" ");
        let text = format!(
            "(game \"Corner\" (players 2) (equipment {{ (board (rectangle {rows} 20)) (piece \"Disc\" Each) }}) \
             (rules (play (move Add (to (sites {{{corner}}}) if:(is Empty (to))) (then (enclose \
             (from (last To)) Orthogonal (between if:(is Enemy (who at:(between))) (apply (remove \
             (between)))))))) (end {{ (if (>= (max (sizes Group Orthogonal Mover)) 4) (result Mover \
             Win)) (if (no Moves Next) (result Mover Loss)) }})))"
        );
        let (_, record) = recorded(&Rules::new(Language::Lud, "corner.lud", text), 40);
        let facts = record.lines().map(|line| {
            let line: serde_json::Value = serde_json::from_str(line).expect("a line of JSON");
            ["mover", "n", "end", "plies", "winner"].map(|key| line[key].to_string()).join(" ")
        });
        facts.collect::<Vec<_>>()
    };
    let small = played(9);
    assert!(small.len() > 20 && small.iter().any(|line| line.contains("over")), "{small:?}");
    assert_eq!(played(45), small);
    assert_eq!(played(560), small);
}

#[test]
fn boards_of_thousands_of_sites_are_recorded_and_replayed() {
    let large = "(game \"Large\" (players 2) (equipment { (board (rectangle 50 60) use:Vertex) \
        (piece \"Disc\" Each) }) (rules (play (move Add (to (sites {0 99 2999})))) \
        (end (if (is Full) (result Mover Win)))))";
    let rules = Rules::new(Language::Lud, "large.lud", large);
    let (_, record) = recorded(&rules, 5);
    let replay = LudemeEngine.replay(&rules, &record, &Limits::default()).expect("a record");
    assert_eq!((replay.difference, replay.agreed), (None, 3), "{record}");
}

#[test]
fn chance_stands_where_it_was_asked_for() {
    let (courses, record) = recorded(&Rules::new(Language::Lud, "dice.lud", DICE), 8);
    let drawn = courses[0].chance.iter().map(|outcome| format!("3:{outcome}"));
    let first: Vec<String> = drawn.take(2).collect();
    let throw = format!("\"drawn\":[\"{}\",\"{}\"]", first[0], first[1]);
    assert!(record.contains(&throw), "{throw} in\n{record}");
}

#[test]
fn games_that_were_not_played_so_are_not_written() {
    let written = |text: &str, moves: &[&str]| {
        let moves = moves.iter().map(|&label| label.to_owned()).collect();
        let courses = [Course { moves, chance: Vec::new() }];
        let rules = Rules::new(Language::Lud, "g.lud", text);
        LudemeEngine.record(&rules, &courses, &Limits::default())
    };
    let lines = |moves: &[&str]| written(THREE, moves).expect("a record").lines().count();
    assert_eq!((lines(&[]), lines(&["b1"]), lines(&["b1", "a1", "c1"])), (3, 4, 6));
    for (moves, what) in [
        (&["b1", "b1"][..], "`b1` is no move at ply 1"),
        (&["b1", "a1", "c1", "a1"], "`a1` comes after its end"),
    ] {
        match written(THREE, moves) {
            Err(ReplayError::Malformed(message)) => assert!(message.contains(what), "{message}"),
            other => panic!("{other:?}"),
        }
    }
    assert!(matches!(written(AT_ONCE, &[]), Err(ReplayError::Unsupported(_))));
}

/// What can be played can be recorded and replayed; what is larger is refused with its place, its
/// size and the limit.
#[test]
fn large_boards_are_refused_with_a_reason() {
    let wide = |equipment: &str, then: &str| {
        format!(
            "(game \"Wide\" (players 2) (equipment {{ {equipment} (piece \"Disc\" Each) }})\n\
             (rules (play (move Add (to (sites Empty)) {then})) (end (if (is Full) (result Mover \
             Win)))))"
        )
    };
    let board = |graph: &str| wide(&format!("(board {graph})"), "");
    let asks_edge = "(then (if (is Empty Edge 3) (addScore Mover 1)))";
    for (rules, place, reason) in [
        (board("(square 190)"), "1:46", "more than 32,767 vertices"),
        (wide("(board (square 10)) (hand Each size:20000)", ""), "1:39", "40,100 sites: 100 of"),
        (
            wide("(board (square 40) use:Vertex) (hand Each size:14100)", asks_edge),
            "1:39",
            "3,120 for its other",
        ),
    ] {
        let Err(ReplayError::Compile(error)) = replay_of(&rules, "{}") else {
            panic!("{rules}");
        };
        assert_eq!(error.kind(), "too large");
        let text =
            error.diagnostics()[0].render(&Rules::new(Language::Lud, "wide.lud", rules).source);
        let limit = "at most 32,767 sites";
        for part in [reason, limit, &format!("wide.lud:{place}"), "^^^", "make the board smaller"] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
