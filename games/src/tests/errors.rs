//! The messages about catalogues that are not right: all faults, with places and advice.

use std::fs;
use std::path::Path;

use expect_test::{Expect, expect};
use games::Catalogue;
use tempfile::TempDir;

const GOOD: &str = r#"title = "Nim"
players = 2
cap = 10
paper = ["table9/Nim"]
rules = "Take one or two."
sources = "Common knowledge."

[descriptions]
kif = "rules.kif"
bitboard = "nim"

[perft]
counts = [2, 4, 0]
source = "by hand"

[playouts]
mean_plies = 2.5
tolerance = 0.1
mean_scores = [50, 50.0]
source = "by hand"
"#;

/// A catalogue with these files in a temporary folder.
fn catalogue(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// Checks what is said about a catalogue with these files.
fn check(files: &[(&str, &str)], expected: &Expect) {
    let folder = catalogue(files);
    let error = Catalogue::from_dir(folder.path()).expect_err("the catalogue is broken");
    let shown = folder.path().display().to_string();
    expected.assert_eq(&error.to_string().replace(&shown, "CATALOGUE"));
}

/// Checks what is said about one game with this manifest and a good rule file.
fn check_manifest(manifest: &str, expected: &Expect) {
    check(&[("nim/game.toml", manifest), ("nim/rules.kif", "(role x)")], expected);
}

#[test]
fn a_good_folder_loads() {
    let folder = catalogue(&[
        ("nim/game.toml", GOOD),
        ("nim/rules.kif", "(role x)"),
        ("nim/.rules.kif.swp", "an editor's"),
    ]);
    let catalogue = Catalogue::from_dir(folder.path()).unwrap();
    let game = catalogue.get("nim").unwrap();
    assert_eq!(game.paper[0].to_string(), "table9/Nim");
    assert_eq!(game.perft.as_ref().unwrap().counts, [2, 4, 0]);
    assert_eq!(game.playouts.as_ref().unwrap().mean_scores.as_deref(), Some(&[50.0, 50.0][..]));
}

#[test]
fn unknown_and_missing_keys() {
    let manifest = GOOD.replace("players", "player").replace("tolerance", "tolerence");
    check_manifest(
        &manifest,
        &expect![[r#"
            error[missing-key]: the manifest lacks `players`
             --> CATALOGUE/nim/game.toml:1:1
              |
            1 | title = "Nim"
              | ^

            error[unknown-key]: the manifest has no key `player`
             --> CATALOGUE/nim/game.toml:2:1
              |
            2 | player = 2
              | ^^^^^^ expected `title`, `players`, `cap`, `teams`, `paper`, `rules`, `sources`, `descriptions`, `words`, `perft`, `playouts`, `recorded`, `setup` or `unsaid`
              |
              = help: did you mean `players`?

            error[missing-key]: [playouts] lacks `tolerance`
              --> CATALOGUE/nim/game.toml:16:1
               |
            16 | [playouts]
               | ^^^^^^^^^^

            error[unknown-key]: [playouts] has no key `tolerence`
              --> CATALOGUE/nim/game.toml:18:1
               |
            18 | tolerence = 0.1
               | ^^^^^^^^^ expected `mean_plies`, `exact`, `tolerance`, `mean_scores` or `source`
               |
               = help: did you mean `tolerance`?"#]],
    );
}

#[test]
fn wrong_types_and_ranges() {
    let manifest = GOOD
        .replace("players = 2", "players = 17")
        .replace("cap = 10", "cap = 0")
        .replace("\"Common knowledge.\"", "[1, 2]")
        .replace("\"Take one or two.\"", "\"  \"")
        .replace("[2, 4, 0]", "[2, \"four\", 0, 7]")
        .replace("mean_plies = 2.5", "mean_plies = nan");
    check_manifest(
        &manifest,
        &expect![[r#"
            error[out-of-range]: 17 is out of range
             --> CATALOGUE/nim/game.toml:2:11
              |
            2 | players = 17
              |           ^^ expected 1 to 16

            error[out-of-range]: 0 is out of range
             --> CATALOGUE/nim/game.toml:3:7
              |
            3 | cap = 0
              |       ^ expected 1 to 4294967295

            error[blank]: this text is blank
             --> CATALOGUE/nim/game.toml:5:9
              |
            5 | rules = "  "
              |         ^^^^ write something

            error[wrong-type]: expected a string, found an array
             --> CATALOGUE/nim/game.toml:6:11
              |
            6 | sources = [1, 2]
              |           ^^^^^^ not a string

            error[wrong-type]: expected an integer, found a string
              --> CATALOGUE/nim/game.toml:13:14
               |
            13 | counts = [2, "four", 0, 7]
               |              ^^^^^^ not an integer

            error[bad-perft]: 7 leaves are impossible here
              --> CATALOGUE/nim/game.toml:13:25
               |
            13 | counts = [2, "four", 0, 7]
               |                         ^ a game that has ended does not go on

            error[out-of-range]: nan is out of range
              --> CATALOGUE/nim/game.toml:17:14
               |
            17 | mean_plies = nan
               |              ^^^ expected 1 to 4294967295"#]],
    );
}

#[test]
fn implausible_statistics() {
    let manifest = GOOD
        .replace("mean_plies = 2.5", "mean_plies = 11")
        .replace("tolerance = 0.1", "tolerance = 0")
        .replace("[50, 50.0]", "[50, 50, 3e9]")
        .replace("[2, 4, 0]", "[0]");
    check_manifest(
        &manifest,
        &expect![[r#"
        error[bad-perft]: 0 leaves are impossible here
          --> CATALOGUE/nim/game.toml:13:11
           |
        13 | counts = [0]
           |           ^ a game has at least one first action

        error[out-of-range]: 11 is out of range
          --> CATALOGUE/nim/game.toml:17:14
           |
        17 | mean_plies = 11
           |              ^^ expected 1 to 10

        error[bad-tolerance]: a sampled mean is uncertain
          --> CATALOGUE/nim/game.toml:18:13
           |
        18 | tolerance = 0
           |             ^ expected more than 0
           |
           = help: four standard errors are usual; computed means say `exact = true`

        error[wrong-count]: 3 mean scores for 2 players
          --> CATALOGUE/nim/game.toml:19:15
           |
        19 | mean_scores = [50, 50, 3e9]
           |               ^^^^^^^^^^^^^ expected one for each player

        error[out-of-range]: 3e9 is out of range
          --> CATALOGUE/nim/game.toml:19:24
           |
        19 | mean_scores = [50, 50, 3e9]
           |                        ^^^ expected -2147483648 to 2147483647"#]],
    );
}

#[test]
fn files_and_languages() {
    let manifest = GOOD
        .replace(
            "kif = \"rules.kif\"",
            "kif = \"rule.kif\"\nludo = \"rules.ludo\"\nrbg = \"notes.txt\"",
        )
        .replace("bitboard = \"nim\"", "bitboard = \"Nim Heaps\"\nlud = \"../nim/rules.lud\"");
    check(
        &[
            ("nim/game.toml", &manifest),
            ("nim/rules.kif", "(role x)"),
            ("nim/notes.txt", "remember the milk"),
            ("nim/old/rules.kif", "(role x)"),
        ],
        &expect![[r#"
            error[unused-file]: the folder `old` is not used
             --> CATALOGUE/nim/game.toml:8:1
              |
            8 | [descriptions]
              | ^^^^^^^^^^^^^^ not named here
              |
              = help: the folder of a game holds files only

            error[unused-file]: the file `rules.kif` is not used
             --> CATALOGUE/nim/game.toml:8:1
              |
            8 | [descriptions]
              | ^^^^^^^^^^^^^^ not named here
              |
              = help: name it under [descriptions], or remove it

            error[missing-file]: there is no file `rule.kif` here
             --> CATALOGUE/nim/game.toml:9:7
              |
            9 | kif = "rule.kif"
              |       ^^^^^^^^^^ not in `CATALOGUE/nim`
              |
              = help: did you mean `rules.kif`?

            error[unknown-language]: no language `ludo`
              --> CATALOGUE/nim/game.toml:10:1
               |
            10 | ludo = "rules.ludo"
               | ^^^^ expected `lud`, `kif`, `rbg`, `rg` or `bitboard`
               |
               = help: did you mean `lud`?

            error[wrong-extension]: `notes.txt` is no `rbg` file by its name
              --> CATALOGUE/nim/game.toml:11:7
               |
            11 | rbg = "notes.txt"
               |       ^^^^^^^^^^^ expected a name that ends in `.rbg`

            error[bad-module]: `Nim Heaps` is no name of a hand-written module
              --> CATALOGUE/nim/game.toml:12:12
               |
            12 | bitboard = "Nim Heaps"
               |            ^^^^^^^^^^^ expected lower-case letters, digits and single hyphens

            error[missing-file]: there is no file `../nim/rules.lud` here
              --> CATALOGUE/nim/game.toml:13:7
               |
            13 | lud = "../nim/rules.lud"
               |       ^^^^^^^^^^^^^^^^^^ not in `CATALOGUE/nim`"#]],
    );
}

#[test]
fn broken_toml() {
    let manifest = GOOD.replace("cap = 10", "cap = ten").replace("[perft]", "[perft");
    check_manifest(
        &manifest,
        &expect![[r#"
            error[toml-syntax]: invalid boolean, expected `true`
             --> CATALOGUE/nim/game.toml:3:7
              |
            3 | cap = ten
              |       ^^^

            error[toml-syntax]: unclosed table, expected `]`
              --> CATALOGUE/nim/game.toml:12:7
               |
            12 | [perft
               |       ^"#]],
    );
    check_manifest(
        &GOOD.replace("cap = 10", "cap = 10\ncap = 11"),
        &expect![[r#"
        error[toml-syntax]: duplicate key
         --> CATALOGUE/nim/game.toml:4:1
          |
        4 | cap = 11
          | ^^^"#]],
    );
}

#[test]
fn blank_files_and_tables() {
    let blank = GOOD.replace("[perft]\ncounts = [2, 4, 0]", "[perft]\ncounts = []");
    check(
        &[("nim/game.toml", &blank), ("nim/rules.kif", " \n")],
        &expect![[r#"
        error[blank]: `rules.kif` is blank
         --> CATALOGUE/nim/game.toml:9:7
          |
        9 | kif = "rules.kif"
          |       ^^^^^^^^^^^

        error[blank]: this array is empty
          --> CATALOGUE/nim/game.toml:13:10
           |
        13 | counts = []
           |          ^^ list something, or leave the key out"#]],
    );
    let nothing = GOOD.replace("kif = \"rules.kif\"\nbitboard = \"nim\"\n", "");
    check(
        &[("nim/game.toml", &nothing)],
        &expect![[r#"
        error[blank]: the game has no description
         --> CATALOGUE/nim/game.toml:8:1
          |
        8 | [descriptions]
          | ^^^^^^^^^^^^^^
          |
          = help: name at least one rule file, such as `lud = "rules.lud"`"#]],
    );
}

#[test]
fn two_games_cannot_claim_the_same_row() {
    let second = GOOD.replace("title = \"Nim\"", "title = \"Nim again\"");
    check(
        &[
            ("nim/game.toml", GOOD),
            ("nim/rules.kif", "(role x)"),
            ("nim-2/game.toml", &second),
            ("nim-2/rules.kif", "(role x)"),
        ],
        &expect![[r#"
            error[repeated]: the row `table9/Nim` is taken
             --> CATALOGUE/nim-2/game.toml:4:10
              |
            4 | paper = ["table9/Nim"]
              |          ^^^^^^^^^^^^ `nim` has it already"#]],
    );
}

#[test]
fn folders_that_are_no_games() {
    check(
        &[
            ("README.md", "hello"),
            ("Nim_2/game.toml", GOOD),
            ("empty/rules.kif", "(role x)"),
            ("nim/game.toml", "title = 3"),
        ],
        &expect![[r#"
            error[bad-id]: `Nim_2` cannot be the id of a game
             --> CATALOGUE/Nim_2:1:1
              |
            1 |
              | ^
              |
              = help: expected lower-case letters, digits and single hyphens

            error[stray-file]: `README.md` belongs to no game
             --> CATALOGUE/README.md:1:1
              |
            1 |
              | ^
              |
              = help: a catalogue holds nothing but one folder for each game

            error[no-manifest]: cannot read `game.toml`: No such file or directory (os error 2)
             --> CATALOGUE/empty/game.toml:1:1
              |
            1 |
              | ^
              |
              = help: every folder of a catalogue is a game and says so in its manifest

            error[missing-key]: the manifest lacks `players`
             --> CATALOGUE/nim/game.toml:1:1
              |
            1 | title = 3
              | ^

            error[missing-key]: the manifest lacks `cap`
             --> CATALOGUE/nim/game.toml:1:1
              |
            1 | title = 3
              | ^

            error[missing-key]: the manifest lacks `rules`
             --> CATALOGUE/nim/game.toml:1:1
              |
            1 | title = 3
              | ^

            error[missing-key]: the manifest lacks `sources`
             --> CATALOGUE/nim/game.toml:1:1
              |
            1 | title = 3
              | ^

            error[missing-key]: the manifest lacks `descriptions`
             --> CATALOGUE/nim/game.toml:1:1
              |
            1 | title = 3
              | ^

            error[wrong-type]: expected a string, found an integer
             --> CATALOGUE/nim/game.toml:1:9
              |
            1 | title = 3
              |         ^ not a string"#]],
    );
}

#[test]
fn catalogues_that_are_not_there() {
    check(
        &[],
        &expect![[r#"
        error[empty-catalogue]: there is no game here
         --> CATALOGUE:1:1
          |
        1 |
          | ^
          |
          = help: a catalogue is a folder with one folder for each game"#]],
    );
    let error = Catalogue::from_dir(Path::new("no/such/folder")).unwrap_err().to_string();
    assert!(error.contains("cannot read the catalogue"), "{error}");
}

#[test]
fn text_that_is_not_utf8() {
    let folder = catalogue(&[("nim/game.toml", GOOD)]);
    fs::write(folder.path().join("nim/rules.kif"), b"(role \xff)").unwrap();
    let error = Catalogue::from_dir(folder.path()).unwrap_err().to_string();
    assert!(error.contains("cannot read `rules.kif`: byte 6 is not UTF-8 text"), "{error}");
}

#[test]
fn faulty_reasons() {
    let manifest =
        format!("{GOOD}\n[unsaid]\nkif = \"chance\"\nrbg = \"chanse\"\nlud = \"memory\"\n");
    check_manifest(
        &manifest,
        &expect![[r#"
            error[unused-reason]: `kif` is no language that the game lacks
              --> CATALOGUE/nim/game.toml:23:1
               |
            23 | kif = "chance"
               | ^^^ expected `lud`, `rbg` or `rg`

            error[unknown-reason]: `chanse` is no reason why a language is missing
              --> CATALOGUE/nim/game.toml:24:7
               |
            24 | rbg = "chanse"
               |       ^^^^^^^^ expected `chance`, `hidden`, `simultaneous`, `memory`, `numbers` or `unwritten`
               |
               = help: did you mean `chance`?"#]],
    );
}

#[test]
fn faulty_words() {
    let words = |words: &str| GOOD.replace("[perft]", &format!("{words}\n\n[perft]"));
    for (manifest, expected) in [
        (
            "[words.lud.actions]\na1 = \"take one\"\n[words.kif]\nfulll = true",
            expect![[r#"
                error[unused-words]: words for `lud`, in which the game is not described
                  --> CATALOGUE/nim/game.toml:12:8
                   |
                12 | [words.lud.actions]
                   |        ^^^ expected `kif` or `bitboard`

                error[unknown-key]: a table of [words] has no key `fulll`
                  --> CATALOGUE/nim/game.toml:15:1
                   |
                15 | fulll = true
                   | ^^^^^ expected `full`, `shared`, `actions` or `percepts`
                   |
                   = help: did you mean `full`?"#]],
        ),
        (
            "[words.kif.actions]\n\"{x}1\" = \"take {x}\"\n\"a{Y}\" = \"take {Y}\"\nb2 = \" \"",
            expect![[r#"
                error[bad-words]: a text may fit both `{x}1` and `a{Y}`
                  --> CATALOGUE/nim/game.toml:13:1
                   |
                13 | "{x}1" = "take {x}"
                   | ^^^^^^

                error[blank]: an action needs a word
                  --> CATALOGUE/nim/game.toml:15:6
                   |
                15 | b2 = " "
                   |      ^^^"#]],
        ),
        (
            "[words.bitboard]\nfull = true\nactions.\"{x\" = \"b\"\npercepts.a = 3",
            expect![[r#"
                error[unused-words]: `full` changes nothing in `bitboard`
                  --> CATALOGUE/nim/game.toml:13:8
                   |
                13 | full = true
                   |        ^^^^ labels can be full in `kif` or `rbg`

                error[bad-words]: a brace without the other one in `{x`
                  --> CATALOGUE/nim/game.toml:14:9
                   |
                14 | actions."{x" = "b"
                   |         ^^^^

                error[wrong-type]: expected a string, found an integer
                  --> CATALOGUE/nim/game.toml:15:14
                   |
                15 | percepts.a = 3
                   |              ^ not a string"#]],
        ),
        (
            "[words.kif]",
            expect![[r#"
            error[blank]: no words are given here
              --> CATALOGUE/nim/game.toml:12:8
               |
            12 | [words.kif]
               |        ^^^
               |
               = help: name `actions` or `percepts`, or leave the table out"#]],
        ),
    ] {
        check_manifest(&words(manifest), &expected);
    }
    // Words are no fault.
    let good = words("[words.kif]\nfull = true\nactions.a1 = \"one\"\npercepts.a1 = \"\"");
    let folder = catalogue(&[("nim/game.toml", &good), ("nim/rules.kif", "(role x)")]);
    let catalogue = Catalogue::from_dir(folder.path()).unwrap();
    let rules = catalogue.get("nim").unwrap().rules_in(play::Language::Kif).unwrap();
    assert!(rules.words.shared && rules.words.full);
    assert_eq!(rules.words.actions.word("a1"), "one");
    assert_eq!(rules.words.percepts.word("a1"), "");
}
