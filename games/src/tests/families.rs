//! Families: at every size a game, and at the catalogue's sizes the catalogue's game.

use std::fs;

use games::{Catalogue, Family};
use play::Language;

fn embedded() -> (Vec<Family>, Catalogue) {
    let families = Family::embedded().unwrap_or_else(|error| panic!("{error}"));
    (families, Catalogue::embedded().unwrap_or_else(|error| panic!("{error}")))
}

/// The words of a text without its comments.
fn words(language: Language, text: &str) -> Vec<String> {
    let comment = if language == Language::Kif { ";" } else { "//" };
    let code = text.lines().map(|line| line.split(comment).next().unwrap_or_default());
    // Brackets and commas stand with or without blanks around them.
    let loose = code.collect::<Vec<_>>().join(" ").replace(['\t', '\n'], " ");
    let spaced = loose.replace('(', " ( ").replace(')', " ) ").replace(',', " , ");
    spaced.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn families_are_the_games_of_the_catalogue_at_its_sizes() {
    let (families, catalogue) = embedded();
    let mut compared = 0;
    for family in &families {
        for (n, id) in family.recorded() {
            let (game, same) = (family.at(n, &catalogue).unwrap(), catalogue.get(id).unwrap());
            assert_eq!(game.players, same.players, "players of {id}");
            assert_eq!(
                (&game.perft, &game.playouts),
                (&same.perft, &same.playouts),
                "numbers of {id}"
            );
            assert!(game.cap <= same.cap, "{id}: the family's cap is {}", game.cap);
            assert_eq!(
                game.descriptions.keys().collect::<Vec<_>>(),
                same.descriptions.keys().collect::<Vec<_>>(),
                "languages of the family `{}` and of the catalogue's {id}",
                family.id
            );
            for (language, description) in &game.descriptions {
                let (one, other) = (&description.text, &same.descriptions[language].text);
                assert_eq!(words(*language, one), words(*language, other), "{id} in {language}");
                compared += 1;
            }
        }
    }
    assert!(compared >= 42, "{compared} descriptions compared");
}

#[test]
fn every_size_of_a_study_makes_a_game() {
    let (families, catalogue) = embedded();
    assert!(families.len() >= 14, "only {} families", families.len());
    for family in &families {
        assert!(family.sizes.len() >= 4, "{} has too few sizes for a curve", family.id);
        for &n in &family.sizes {
            let game = family.at(n, &catalogue).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(game.id, format!("{}-{n}", family.id));
            assert!(game.title.contains(&n.to_string()), "{}: no {n} in {}", game.id, game.title);
            let languages = game.descriptions.len();
            assert!(languages >= 3, "{} is in {languages} languages, expected 3", game.id);
        }
        let none = family.at(27, &catalogue).unwrap_err().to_string();
        assert!(none.contains("expected") && none.contains("to 26"), "{none}");
    }
}

#[test]
fn modules_go_with_the_sizes_that_have_one() {
    let (families, catalogue) = embedded();
    let module = |id: &str, n: u32| {
        let family = families.iter().find(|family| family.id == id).unwrap();
        let game = family.at(n, &catalogue).unwrap_or_else(|error| panic!("{error}"));
        game.descriptions.get(&Language::Bitboard).map(|module| module.text.clone())
    };
    assert_eq!(module("wumpus", 2).as_deref(), Some("wumpus-2x2"));
    assert_eq!(module("wumpus", 8).as_deref(), Some("wumpus-8x8"));
    assert_eq!(module("wumpus", 9), None, "no template gives a name there");
    assert_eq!(module("goofspiel", 7).as_deref(), Some("goofspiel-7"));
    assert_eq!(module("wumpus-hunt-three", 2).as_deref(), Some("wumpus-hunt-3-arrows2"));
    assert_eq!(module("wumpus-hunt-three", 4), None);
    assert_eq!(module("hex", 9).as_deref(), Some("hex-9x9"), "the catalogue's");
    assert_eq!(module("hex", 5), None);
}

#[test]
fn positions_are_filled_in_at_every_size() {
    let (families, catalogue) = embedded();
    let mut filled = 0;
    for family in &families {
        for &n in &family.sizes {
            let game = family.at(n, &catalogue).unwrap_or_else(|error| panic!("{error}"));
            let Some(setup) = &game.setup else { continue };
            let side = n as usize;
            let rows = setup.start.lines().collect::<Vec<_>>();
            assert!(rows.len() == side && rows.iter().all(|row| row.len() == side), "{}", game.id);
            let placed = format!("x{}", &setup.start[1..]) + "\no";
            let at = game.at(&placed).unwrap_or_else(|why| panic!("{}: {why}", game.id));
            for (language, rules) in &at.descriptions {
                assert_ne!(rules.text, game.descriptions[language].text, "{}", game.id);
                filled += 1;
            }
        }
    }
    assert!(filled >= 52, "{filled}");
}

#[test]
fn faulty_folders_say_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let family = folder.path().join("dots");
    fs::create_dir(&family).unwrap();
    let manifest = r#"title = "Dots"
instance = "Dots {{ n }}"
size = "dots"
players = 2
cap = "n * m"
sizes = [3, 5]
least = 2
rules = "Dots."
[descriptions]
lud = "rules.lud"
"#;
    let load = |text: &str| {
        fs::write(family.join("family.toml"), text).unwrap();
        Family::from_dir(folder.path())
    };
    let refused = |text: &str| load(text).unwrap_err().to_string();
    assert!(refused(manifest).contains("`rules.lud`"), "{}", refused(manifest));
    fs::write(family.join("rules.lud"), "(game {{ n }} {{ k }})").unwrap();
    assert!(refused(&manifest.replace("[3, 5]", "[5, 3]")).contains("must ascend, from 2 to 26"));
    assert!(refused(&manifest.replace("[3, 5]", "[1, 5]")).contains("must ascend, from 2 to 26"));
    assert!(refused(&manifest.replace("players = 2", "players = 0")).contains("`players` is 0"));
    assert!(refused(&manifest.replace("lud =", "cpp =")).contains("cpp"));
    assert!(refused(&manifest.replace("least", "last")).contains("line 7"));
    let catalogue = Catalogue::embedded().unwrap();
    let at = |text: &str| load(text).unwrap()[0].at(3, &catalogue).unwrap_err().to_string();
    assert!(at(manifest).contains("rules.lud:1: undefined value"), "{}", at(manifest));
    fs::write(family.join("rules.lud"), "(game {{ n }})").unwrap();
    let message = at(manifest);
    assert!(message.contains("dots/family.toml:5: the cap of `dots`"), "{message}");
    assert!(at(&manifest.replace("n * m", "n - 3")).contains("`n - 3` is 0 at size 3"));
    let fine = manifest.replace("n * m", "n");
    for (more, what) in [
        ("[parameters]\nn = [1]\n", "cannot be called `n`"),
        ("[parameters]\nlives = []\n", "`lives` has no values"),
        ("[parameters]\nplayers = [3, 2]\n", "the first value of `players` is not 2"),
        ("[parameters]\nplayers = [2, 1]\n", "`players` is not 2 to "),
        ("[parameters]\nplayers = [2, 99]\n", "`players` is not 2 to "),
    ] {
        assert!(refused(&format!("{fine}{more}")).contains(what), "{what}");
    }
    let teams = fine.replace("least", "teams = [[1, 3]]\nleast");
    assert!(refused(&teams).contains("`teams` has player 3, of 2"), "{}", refused(&teams));
    let twice = refused(&teams.replace("1, 3", "1, 1"));
    assert!(twice.contains("player 1 twice"), "{twice}");
    let unknown = at(&format!("{}[catalogue]\n3 = \"dots-3\"\n", manifest.replace("n * m", "n")));
    assert!(unknown.contains("dots/family.toml: [catalogue]: no game `dots-3`"), "{unknown}");
}

#[test]
fn parameters_change_the_game_and_leave_the_catalogue() {
    let (families, catalogue) = embedded();
    let hunt = families.iter().find(|family| family.id == "wumpus-hunt").unwrap();
    assert_eq!(hunt.parameters().collect::<Vec<_>>(), [("alive", &[1, 2][..])]);
    let usual = hunt.at(1, &catalogue).unwrap();
    assert_eq!(usual.teams, [[0, 1]]);
    assert!(usual.playouts.is_some());
    let same = hunt.with("alive", 1).unwrap().at(1, &catalogue).unwrap();
    assert_eq!(same, usual);
    let both = hunt.with("alive", 2).unwrap().at(1, &catalogue).unwrap();
    assert_eq!(both.id, "wumpus-hunt-alive2-1");
    assert_eq!(both.playouts, None, "the numbers of another game");
    assert_eq!(both.descriptions[&Language::Bitboard].text, "wumpus-hunt-alive2");
    for (language, description) in &both.descriptions {
        assert_ne!(description.text, usual.descriptions[language].text, "{language}");
    }
    let line = families.iter().find(|family| family.id == "tic-tac-toe").unwrap();
    assert_eq!(line.at(5, &catalogue).unwrap().players, 2);
    let three = line.with("players", 3).unwrap().at(5, &catalogue).unwrap();
    assert_eq!((&*three.id, three.players), ("tic-tac-toe-players3-5", 3));
    assert!(three.title.contains("three players") && three.rules.contains("three players"));
    let three = hunt.with("alive", 3).unwrap_err().to_string();
    assert!(three.contains("expected one of 1, 2"), "{three}");
    let unknown = hunt.with("alife", 1).unwrap_err().to_string();
    assert!(unknown.contains("did you mean `alive`?"), "{unknown}");
}
