//! Positions of games: rules filled in, and faulty manifests.

use std::fs;

use games::Catalogue;
use games::setup::{Notation, PdnFen};

#[test]
fn positions_of_the_catalogue_fill_in_the_rules() {
    let catalogue = Catalogue::embedded().unwrap();
    let mut filled = 0;
    for game in catalogue.games() {
        let Some(setup) = &game.setup else { continue };
        let at = |position: &str| {
            assert!(setup.is_meant(position), "{position} of {}", game.id);
            game.at(position).unwrap_or_else(|why| panic!("{} at {position}: {why}", game.id))
        };
        let start = at(&setup.start);
        assert_eq!(
            start.perft,
            game.perft.clone().map(|p| games::Perft { positions: Vec::new(), ..p })
        );
        assert!(start.descriptions.keys().eq(setup.pieces.keys()), "languages of {}", game.id);
        for known in game.perft.iter().flat_map(|perft| &perft.positions) {
            let entry = at(&known.position);
            assert_eq!(entry.perft.unwrap().counts, known.counts, "{}", known.name);
            for (language, rules) in &entry.descriptions {
                assert_ne!(rules.text, start.descriptions[language].text, "{}", known.name);
                filled += 1;
            }
        }
    }
    assert!(filled >= 30, "{filled}");
}

#[test]
fn labels_are_no_positions_by_their_form() {
    let catalogue = Catalogue::embedded().unwrap();
    for (id, text, is_meant) in [
        ("tic-tac-toe-3x3", "b2\na1\n", false),
        ("tic-tac-toe-3x3", "b2 a1", false),
        ("tic-tac-toe-3x3", "8/8 w", false),
        ("tic-tac-toe-3x3", "xox/oxo/oxo", true),
        ("tic-tac-toe-3x3", "3 w . .\n2 . . .\n1 . . .", true),
        ("tic-tac-toe-3x3", "3 x o x\n2 . . .\n1 . . .", true),
        ("chess", "e2e4 e7e5", false),
        ("ploy", "c1c2\nc9c8", false),
        ("ploy", "t0/../..", true),
        ("queens-8", "Q......./........", true),
        ("8-puzzle", "123\n456\n78.", true),
        ("sudoku-9x9", "a81\nb82", false),
        ("chess", "8/8", true),
        ("english-draughts", "c3d4", false),
        ("english-draughts", "W:W1", true),
    ] {
        let setup = catalogue.get(id).unwrap().setup.as_ref().unwrap();
        assert_eq!(setup.is_meant(text), is_meant, "{id}: {text}");
    }
}

#[test]
fn a_position_of_draughts_fills_in_its_men() {
    let catalogue = Catalogue::embedded().unwrap();
    let game = catalogue.get("english-draughts").unwrap();
    let text = |position: &str| {
        let at = game.at(position).unwrap();
        at.descriptions.into_values().map(|rules| rules.text).collect::<Vec<_>>().join("\n")
    };
    let rules = text("W:W18,K24:B12,K25");
    for words in [
        "(place \"Man2\" coord:\"E5\")",
        "(place \"King2\" coord:\"B6\")",
        "(init (cell g 7 dark king))",
        "(init (control light))",
        "[e,e,e,e,e,e,dk,e]",
        "P(1, 3) = M(dark)",
    ] {
        assert!(rules.contains(words), "no {words} in\n{rules}");
    }
    assert_eq!(PdnFen::read("W:W18:B12").unwrap().to_string(), "W:W18:B12");
    let Notation::Pdn = game.setup.as_ref().unwrap().notation else { panic!("no PDN") };
}

/// What is said about a game with this `[setup]`, and rules `a (b) a`.
fn told(setup: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("nim");
    fs::create_dir(&game).unwrap();
    fs::write(game.join("rules.kif"), "a (b) a").unwrap();
    let manifest = format!(
        "title = \"Nim\"\nplayers = 2\ncap = 10\nrules = \"None.\"\nsources = \"None.\"\n\
         [descriptions]\nkif = \"rules.kif\"\n[setup]\n{setup}"
    );
    fs::write(game.join("game.toml"), manifest).unwrap();
    match Catalogue::from_dir(folder.path()) {
        Ok(catalogue) => {
            let at = catalogue.get("nim").unwrap().at("B:W32:B1");
            at.map_or_else(|why| why, |game| game.descriptions.into_values().next().unwrap().text)
        }
        Err(error) => error.to_string(),
    }
}

#[test]
fn faulty_setups_say_what_is_wrong() {
    let pdn = "notation = \"pdn\"\nstart = \"B:W32:B1\"\n";
    let piece = |from: &str, more: &str| format!("{pdn}[[setup.kif]]\nfrom = \"{from}\"\n{more}");
    for (setup, words) in [
        (piece("(b)", "text = \"{{ mover }}{{ piece }}\""), "a 0(b) a"),
        (piece("(", "to = \") a\"\ntext = \"{{ drawing }}\""), "a .w....../"),
        (piece("a", "text = \"c\""), "the text `from` stands 2 times in the rules, expected once"),
        (piece("c", "text = \"c\""), "stands 0 times"),
        (piece("(b)", "to = \"(b)\"\ntext = \"c\""), "the text `to` does not stand behind `from`"),
        (piece("(b)", "text = \"{{ men }\""), "[[setup.kif]]:1: "),
        (piece("(b)", "text = \"{{ man }}\""), "[[setup.kif]]:1: undefined value"),
        (piece("(b)", ""), "a piece of the rules lacks `text`"),
        ("notation = \"pgn\"\nstart = \"a\"".to_owned(), "expected `fen`, `pdn` or `drawing`"),
        ("notation = \"pdn\"\nstart = \"W1\"".to_owned(), "PDN: expected `B:` or `W:`"),
        (format!("{pdn}lud = []"), "a setup for `lud`, in which the game is not described"),
        ("notation = \"drawing\"\nstart = \"a\"".to_owned(), "[setup] lacks `signs`"),
        (format!("{pdn}kif = {{ each = \"{{}}\", xo = \"a\" }}"), "`xo` is no sign"),
        (format!("{pdn}kif = {{ b = 1 }}"), "expected a string, found an integer"),
        (format!("{pdn}kif = {{ b = \"a\" }}"), "[setup.kif]: no word for `w`"),
    ] {
        let told = told(&setup);
        assert!(told.contains(words), "{setup}\n\n{told}");
    }
}
