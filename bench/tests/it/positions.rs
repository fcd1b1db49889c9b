//! Games that begin at a position: on all engines, in all commands that take one.

use std::path::Path;

use bench::entry::Entry;
use play::{Game, Limits, NoChance, Position, Via, settle, tree};

use crate::cli::{engines_of, ggpbench};
use crate::common::pairs::pair;
use crate::common::{ggpbench as run_in, stderr, stdout};
use crate::drawings::is_told_by_drawings;

/// The game of the catalogue from a position on each engine that plays it.
fn on_all_engines(id: &str, position: &str) -> Vec<(&'static str, Box<dyn Game>)> {
    on_engines(id, position, |_| true)
}

/// The same on some of them.
fn on_engines(
    id: &str,
    position: &str,
    wanted: impl Fn(&str) -> bool,
) -> Vec<(&'static str, Box<dyn Game>)> {
    let catalogue = games::Catalogue::embedded().unwrap();
    of_game(catalogue.get(id).unwrap(), Some(position), wanted)
}

/// The same of a game of any catalogue, from its start if there is no position.
pub(crate) fn of_game(
    game: &games::GameEntry,
    position: Option<&str>,
    wanted: impl Fn(&str) -> bool,
) -> Vec<(&'static str, Box<dyn Game>)> {
    let (id, mut entry) = (&game.id, Entry::of_catalogue(game));
    if let Some(position) = position {
        entry = entry.at(position).unwrap_or_else(|why| panic!("{id} at {position}: {why}"));
    }
    let mut all = Vec::new();
    for engine in roster::engines().into_iter().filter(|engine| wanted(engine.id())) {
        let reads = |language| engine.languages().contains(&language);
        let Some(rules) = entry.descriptions.iter().find(|rules| reads(rules.language)) else {
            continue;
        };
        match engine.load(rules, &Limits::default()) {
            Ok(compiled) => all.push((engine.id(), compiled.game)),
            Err(error) => {
                let said: Vec<String> =
                    error.diagnostics().iter().map(|d| d.render(&rules.source)).collect();
                let line = error.one_line(&rules.source);
                panic!("{id} at {position:?} on {}: {line}\n{}", engine.id(), said.join("\n"));
            }
        }
    }
    all
}

pub(crate) fn start_of(game: &dyn Game) -> Box<dyn Position> {
    let mut start = game.open(&mut NoChance);
    settle(&mut *start, &mut NoChance);
    start
}

/// All that tells a position from others, in few words.
fn looks(position: &dyn Position, depth: u32) -> (Option<u64>, Vec<String>, String) {
    let mut labels = position.labels();
    labels.sort();
    (tree::fingerprint(position, depth, &mut 2_000_000), labels, position.draw())
}

#[test]
fn plies_lead_to_the_same_position_on_every_engine() {
    for (id, plies) in [("connect-4-6x7", "d1 d2 d3"), ("tic-tac-toe-3x3", "b2, a1 'c2'")] {
        let games = on_all_engines(id, plies);
        assert_eq!(games.len(), engines_of(id).len());
        for (engine, game) in &games {
            let mut position = start_of(pair(id, engine).game());
            for label in bench::position::labels(plies).unwrap() {
                let action = position.labels().iter().position(|legal| *legal == label);
                position.play(action.expect("it is legal"), &mut NoChance).unwrap();
                settle(&mut *position, &mut NoChance);
            }
            let expected = looks(&*position, 2);
            assert_eq!(looks(&*start_of(&**game), 2), expected, "{id} on {engine}");
        }
    }
}

#[test]
fn commands_begin_at_a_position() {
    let folder = tempfile::tempdir().unwrap();
    let fine = |arguments: &[&str]| {
        let output = run_in(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
        stdout(&output)
    };
    let at = ["--position", "b2 a1"];
    let game = "tic-tac-toe-3x3";
    let perft = fine(&[&["perft", game, "--depth", "2"], &at[..]].concat());
    assert_eq!(perft.matches(" 42 ").count(), engines_of(game).len(), "{perft}");
    let inspect = fine(&[&["inspect", game, "--engines", "bitboard"], &at[..]].concat());
    assert!(inspect.contains("at the position b2 a1") && inspect.contains("1 o . ."), "{inspect}");
    fine(&[&["record", game, "-n", "3", "--out", "t.jsonl"], &at[..]].concat());
    let text = std::fs::read_to_string(folder.path().join("t.jsonl")).unwrap();
    assert!(text.contains("\"position\":\"b2 a1\""), "{text}");
    assert!(fine(&["replay", "t.jsonl", "--engine", "ludeme"]).contains("3 of 3 trials"));
    let labels = fine(&[&["record", game, "-n", "1", "--format", "labels"], &at[..]].concat());
    assert!(labels.starts_with("b2 a1 "), "{labels}");
    let random = ["match", "random", "flat", "--games", "2", "--iterations", "5", "--quiet"];
    fine(&[&random[..], &["--game", game], &at[..]].concat());
    std::fs::write(folder.path().join("position"), "b2\na1\n").unwrap();
    let file = fine(&["perft", game, "--depth", "2", "--position", "@position"]);
    assert_eq!(file.matches(" 42 ").count(), engines_of(game).len(), "{file}");
}

#[test]
fn leaves_are_compared_with_those_that_the_manifest_lists() {
    for position in ["Kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -"]
    {
        let perft =
            ["perft", "chess", "--engines", "bitboard", "--depth", "2", "--position", position];
        let text = stdout(&ggpbench(&perft));
        assert!(text.contains("2039") && text.matches("agrees").count() == 2, "{text}");
    }
}

#[test]
fn engines_and_programs_are_proven_and_measured_from_a_position() {
    let folder = tempfile::tempdir().unwrap();
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engines/example/tic_tac_toe.py");
    let program = program.display();
    let engines = format!(
        "[[engine]]\nname = \"example\"\ncommand = [\"python3\", \"{program}\"]\n\
         languages = [\"bitboard\"]\n\
         [[engine]]\nname = \"firm\"\ncommand = [\"sh\", \"-c\", \"python3 {program} | \
         sed -u 's/, .start.: 1//'\"]\nlanguages = [\"bitboard\"]\n"
    );
    std::fs::write(folder.path().join("engines.toml"), engines).unwrap();
    let begin = |command: &[&str]| {
        let more = ["tic-tac-toe-3x3", "--position", "b2", "--engines", "bitboard,rg,example,firm"];
        run_in(folder.path(), &[command, &more[..]].concat())
    };
    let output = begin(&["verify", "--seconds", "0.1", "--json"]);
    let text = stdout(&output);
    assert_eq!(text.matches("\"verdict\":\"ok\"").count(), 3, "{text}");
    assert!(text.contains("it begins at no position but the first"), "{text}");
    let output = begin(&["run", "--protocol", "0.05s", "--quiet", "--via", "fast,listed"]);
    let text = stdout(&output);
    assert!(text.contains("at b2") && !text.contains("WRONG"), "{text}{}", stderr(&output));
}

#[test]
fn what_is_wrong_with_a_position_is_said() {
    let told = |arguments: &[&str]| {
        let output = ggpbench(arguments);
        (output.status.code(), stdout(&output) + &stderr(&output))
    };
    let (code, text) = told(&["perft", "connect-4-6x7", "--position", "d1 d2 d33"]);
    let why = "invalid: ply 3 of the position, `d33`, is not legal; did you mean `d3`? (7 legal: \
               a1, b1, c1, d3, e1, f1, g1)";
    assert_eq!(code, Some(1));
    assert_eq!(text.matches(why).count(), engines_of("connect-4-6x7").len(), "{text}");
    for (arguments, why) in [
        (&["verify", "hanoi-3", "hex-9x9", "--position", "a1"][..], "of one game, and 2 are named"),
        (&["perft", "hex-9x9", "--position", "a1 'b2"], "--position: there is no other ' for this"),
        (
            &["perft", "hex-9x9", "--position", "8/8 w"],
            "takes the labels of plies here, or a drawing",
        ),
        (
            &["perft", "chess", "--position", "8/8 w - -"],
            "FEN: 2 ranks, expected 8\n  8/8 w - -\n  ^",
        ),
        (&["perft", "chess", "--position", "W:W1:B2"], "or FEN, such as"),
        (&["perft", "hex-9x9", "--position", "@nowhere"], "nowhere: No such file"),
    ] {
        let (code, text) = told(arguments);
        assert!(code == Some(2) && text.contains(why), "{arguments:?}: {code:?} {text}");
    }
    let (_, text) = told(&["play", "hanoi-3", "--position", "nowhere"]);
    assert!(text.contains("ply 1 of the position, `nowhere`, is not legal"), "{text}");
}

#[test]
fn games_of_chance_begin_where_the_plies_were_legal() {
    let output = ggpbench(&["verify", "kuhn-poker", "--position", "bet", "--seconds", "0.2"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
}

/// Depths to which leaves are counted, by how fast engines are.
fn depth_of(engine: &str) -> usize {
    match engine {
        "bitboard" | "ludeme" | "rbg" => 3,
        _ => 2,
    }
}

/// The engines that make machine code, which takes most of the time of a compilation.
const WITH_CODE: [&str; 3] = ["ludeme", "rbg", "rg"];

#[test]
fn rules_filled_in_with_the_start_are_the_rules() {
    let catalogue = games::Catalogue::embedded().unwrap();
    let mut compared = 0;
    for (number, game) in catalogue.games().iter().enumerate() {
        let Some(setup) = &game.setup else { continue };
        // Networks are made of the rules that the prover plays. All engines read the same positions
        // from drawings of random games (`drawings`): where a drawing says all, the start is compared
        // on one engine with code in turn.
        let drawn = is_told_by_drawings(game);
        let in_turn = WITH_CODE[number % WITH_CODE.len()];
        let wanted = |engine: &str| {
            let passed_over = drawn && engine != in_turn && WITH_CODE.contains(&engine);
            !passed_over && !engine.starts_with("propnet")
        };
        for (engine, one) in on_engines(&game.id, &setup.start, wanted) {
            let whole = start_of(pair(&game.id, engine).game());
            // One ply on large boards, of which there are many.
            let depth = if whole.actions() > 60 { 1 } else { depth_of(engine) as u32 - 1 };
            let [mut one, mut whole] = [start_of(&*one), whole].map(|start| looks(&*start, depth));
            if !["bitboard", "ludeme"].contains(&engine) {
                // Others draw variables, too, some of which have no say yet.
                (one.2, whole.2) = (String::new(), String::new());
            }
            assert_eq!(one, whole, "{} on {engine}", game.id);
            compared += 1;
        }
    }
    assert!(compared >= 95, "{compared}");
}

#[test]
fn leaf_counts_of_known_positions_are_those_of_all_engines() {
    let catalogue = games::Catalogue::embedded().unwrap();
    let chess = catalogue.get("chess").unwrap();
    let positions = &chess.perft.as_ref().unwrap().positions;
    assert!(positions.len() >= 6, "{}", positions.len());
    for (number, known) in positions.iter().enumerate() {
        // Networks are made of the rules that the prover plays, and code takes seconds to make.
        let wanted = |engine: &str| match engine {
            "ludeme" | "rbg" => number % 3 == 0,
            engine => !engine.starts_with("propnet"),
        };
        for (engine, game) in on_engines("chess", &known.position, wanted) {
            let depth = depth_of(engine);
            let counted = tree::perft(&*start_of(&*game), depth as u32, 10_000_000, false).unwrap();
            assert_eq!(counted, known.counts[..depth], "{} on {engine}", known.name);
        }
    }
}

/// Drawings that no play leads to, with more men of one side, and the other to move.
const DRAWINGS: [(&str, &str); 10] = [
    ("breakthrough-6x6", "oooooo/ooo.oo/...o../..x.../xx..../xxx.xx/o"),
    (
        "breakthrough-8x8",
        "oooooooo/......../...x..../....o.../......../......../......../xxxxxx../o",
    ),
    (
        "knightthrough-8x8",
        "ooo...oo/......../...x..../....o.../......../......../......../xxxxxx../x",
    ),
    ("reversi-8x8", "......../......../..xxx.../...xo.../...ox.../......../......../......../o"),
    ("tic-tac-toe-3x3", "x.x/.o./.../x"),
    ("tic-tac-toe-5x5", "xx.../oo.../xx.../...../...../o"),
    ("connect-4-6x7", "......./......./......./...x.../..xo.../..xox../o"),
    ("connect-4-12x9", "o"),
    ("gomoku-15x15", "o"),
    ("hex-9x9", "x"),
];

/// A drawing that is whole; of larger boards a few men in a corner, given who moves.
fn whole(id: &str, drawing: &str) -> String {
    let (files, ranks) = match id {
        "connect-4-12x9" => (12, 9),
        "gomoku-15x15" => (15, 15),
        "hex-9x9" => (9, 9),
        _ => return drawing.to_owned(),
    };
    let empty = ".".repeat(files);
    let rows = vec![empty.clone(); ranks - 2].join("/");
    format!("{rows}/..xo{}/x.xx{}/{drawing}", &empty[4..], &empty[4..])
}

#[test]
fn drawings_are_positions_on_all_engines() {
    let job = play::Job { seed: 5, first: 0, count: 60, cap: 300 };
    for (id, drawing) in DRAWINGS {
        let drawing = whole(id, drawing);
        // Networks of large boards take long to make, and are made of the prover's rules.
        let is_small = drawing.len() < 80;
        let wanted = |engine: &str| is_small || !engine.starts_with("propnet");
        let all = on_engines(id, &drawing, wanted);
        assert!(all.len() >= 4, "{id} on {} engines", all.len());
        let mut first: Option<(u64, Vec<String>)> = None;
        for (engine, game) in &all {
            let start = start_of(&**game);
            let (print, labels, drawn) = looks(&*start, 1);
            let looked = (print.unwrap(), labels);
            assert_eq!(first.get_or_insert_with(|| looked.clone()), &looked, "{id} on {engine}");
            if *engine == "bitboard" {
                let rows: Vec<String> = drawn.lines().map(str::to_owned).collect();
                let mover = &drawing[drawing.len() - 1..];
                let again = rows.join("\n") + "\n" + mover;
                let again = on_engines(id, &again, |engine| engine == "bitboard");
                assert_eq!(looks(&*start_of(&*again[0].1), 1).2, drawn, "{id}");
            }
            let same = game.facts().fast.promise == play::Promise::SamePlayouts;
            let run = |via| game.run(&job, via);
            assert!(!same || run(Via::Fast) == run(Via::Reference), "{id} on {engine}");
        }
    }
}
