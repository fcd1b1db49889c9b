//! The catalogue as it is: complete, the same embedded and on disk, in the order of the tables.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use games::{Catalogue, GameEntry};
use play::Language;

/// The languages in which every game of the first published table is written.
const LANGUAGES: [Language; 2] = [Language::Kif, Language::Bitboard];

/// Games whose trees have no counts: chance lays out the start or has many outcomes later, and how
/// many of them an engine asks for is its own affair.
const UNCOUNTED: [&str; 7] = [
    "backgammon",
    "hunt-the-wumpus",
    "leduc-poker",
    "wumpus-4x4",
    "wumpus-hunt",
    "wumpus-hunt-gold",
    "wumpus-hunt-solo",
];

fn embedded() -> Catalogue {
    Catalogue::embedded().unwrap_or_else(|error| panic!("the embedded catalogue:\n{error}"))
}

#[test]
fn the_embedded_catalogue_loads_and_is_complete() {
    let catalogue = embedded();
    assert!(catalogue.games().len() >= 34, "only {} games", catalogue.games().len());
    for game in catalogue.games() {
        if game.paper.iter().any(|row| row.table == "table1") {
            for language in LANGUAGES {
                let rules = game.rules_in(language);
                assert!(rules.is_some(), "{} lacks {language}", game.id);
            }
        }
        let uncounted = UNCOUNTED.contains(&game.id.as_str());
        let id = &game.id;
        assert!(
            game.perft.is_some() || uncounted,
            "{id} lacks `[perft]` in its game.toml: see games/README.md, or UNCOUNTED"
        );
        assert!(game.perft.is_none() || !uncounted, "{id} has `[perft]`, and is in UNCOUNTED");
        assert!(
            game.playouts.is_some(),
            "{id} lacks `[playouts]` in its game.toml: see games/README.md"
        );
    }
}

#[test]
fn the_folder_on_disk_is_the_embedded_catalogue() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("catalogue");
    let on_disk = Catalogue::from_dir(&folder).unwrap();
    // Paths differ, as they show where the texts come from.
    let plain = |catalogue: Catalogue| -> Vec<GameEntry> {
        let mut games = catalogue.games().to_vec();
        for description in games.iter_mut().flat_map(|game| game.descriptions.values_mut()) {
            let name = Path::new(&description.name).file_name().unwrap();
            description.name = name.to_str().unwrap().to_owned();
        }
        games
    };
    assert_eq!(plain(on_disk), plain(embedded()));
}

#[test]
fn descriptions_are_named_after_their_files() {
    let catalogue = embedded();
    let game = catalogue.get("hex-9x9").unwrap();
    let name = |language| game.rules_in(language).unwrap().source.name().to_owned();
    assert_eq!(name(Language::Kif), "games/catalogue/hex-9x9/rules.kif");
    assert_eq!(name(Language::Rbg), "games/catalogue/hex-9x9/rules.rbg");
    assert_eq!(name(Language::Bitboard), "games/catalogue/hex-9x9/game.toml");
    assert_eq!(game.rules_in(Language::Bitboard).unwrap().source.text(), "hex-9x9");
    // Its players choose at once, which RBG does not know.
    assert!(catalogue.get("tron-10x10").unwrap().rules_in(Language::Rbg).is_none());
}

#[test]
fn games_stand_in_the_order_of_the_published_tables() {
    let catalogue = embedded();
    let titles: Vec<&str> = catalogue.games().iter().map(|game| game.title.as_str()).collect();
    let position = |title: &str| {
        titles.iter().position(|t| *t == title).unwrap_or_else(|| panic!("{title} is missing"))
    };
    let expected = [
        "8 Puzzle",
        "8 Queens",
        "16 Queens",
        "Futoshiki (4x4)",
        "Futoshiki (5x5)",
        "Futoshiki (6x6)",
        "Knight's Tour (8x8)",
        "Lights Out (5x5)",
        "Nonogram (5x5)",
        "Nonogram (10x10)",
        "Peg Solitaire",
        "Sudoku",
        "Towers of Hanoi 3",
        "Amazons (10x10)",
        "Breakthrough (6x6)",
        "Breakthrough (8x8)",
        "Chess",
        "Connect 4 (6x7)",
        "Connect 4 (12x9)",
        "English Draughts",
        "Gomoku (15x15)",
        "Hex (9x9)",
        "Knightthrough (8x8)",
        "Reversi (8x8)",
        "Skirmish (8x8)",
        "Tic-Tac-Toe (3x3)",
        "Tic-Tac-Toe (5x5)",
        "Tron (10x10)",
        "Wolf and Sheep (8x8)",
    ];
    let positions: Vec<usize> = expected.into_iter().map(position).collect();
    assert!(positions.is_sorted(), "{titles:?}");
}

/// Against the published tables themselves, which lie with the reports.
#[test]
fn paper_rows_exist_and_are_ordered() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../reports/published/ludii-paper.csv");
    let text = fs::read_to_string(file).unwrap();
    let mut lines = text.lines();
    assert!(lines.next().unwrap().starts_with("table,row,"));
    // No name of a table or a game has a comma or a quote.
    let rows: Vec<String> =
        lines.map(|line| line.splitn(3, ',').take(2).collect::<Vec<_>>().join("/")).collect();
    assert!(rows.len() >= 43, "only {} published rows found", rows.len());
    let catalogue = embedded();
    let mut last = 0;
    for paper in catalogue.games().iter().filter_map(|game| game.paper.first()) {
        let place = rows.iter().position(|row| *row == paper.to_string());
        let place = place.unwrap_or_else(|| panic!("no published row `{paper}`"));
        assert!(place >= last, "`{paper}` is out of order");
        last = place;
    }
}

#[test]
fn unknown_games_bring_suggestions() {
    let catalogue = embedded();
    let message = |id: &str| catalogue.get(id).unwrap_err().to_string();
    assert_eq!(
        message("brekthrough-8x8"),
        "no game `brekthrough-8x8` in the catalogue; did you mean `breakthrough-8x8`?"
    );
    assert_eq!(
        message("Connect4"),
        "no game `Connect4` in the catalogue; did you mean `connect-4-6x7` or `connect-4-12x9`?"
    );
    assert_eq!(message("parcheesi"), "no game `parcheesi` in the catalogue");
}

#[test]
fn recorded_numbers_are_plausible() {
    for game in embedded().games() {
        if let Some(perft) = &game.perft {
            assert!(perft.counts.len() >= 4, "{}: too few counts to prove anything", game.id);
        }
        let playouts = game.playouts.as_ref().unwrap_or_else(|| {
            panic!("{} lacks `[playouts]` in its game.toml: see games/README.md", game.id)
        });
        // Two players share 100, play for what the other loses, or win together.
        if let (2, Some(scores)) = (game.players, &playouts.mean_scores) {
            let sum: f64 = scores.iter().sum();
            let shared = [100.0, 0.0].iter().any(|whole| (sum - whole).abs() < 0.01);
            let together = (scores[0] - scores[1]).abs() < 1e-9;
            assert!(shared || together, "{}: mean scores add up to {sum}", game.id);
        }
        // Long playouts vary more in length, and a plain simulator plays fewer of them.
        let allowed = match playouts.mean_plies {
            500.0.. => 0.01,
            150.0.. => 0.005,
            _ => 0.002,
        };
        assert!(
            playouts.tolerance < allowed * playouts.mean_plies,
            "{}: too uncertain to catch a fault",
            game.id
        );
    }
}

/// Coordinates in the rules are neutral notation, so that labels of languages can be matched; where
/// both choose at once, which takes no `noop`, they steer.
#[test]
fn gdl_rules_name_squares_by_file_and_rank() {
    let actions: BTreeSet<&str> =
        ["mark", "drop", "place", "move", "fire", "press", "write", "fill"].into();
    for game in embedded().games() {
        let Some(rules) = game.rules_in(Language::Kif) else { continue };
        let text = rules.source.text();
        // Games of hidden information name actions in the words of their rules.
        if text.contains("(sees ") {
            continue;
        }
        let used: Vec<_> =
            actions.iter().filter(|verb| text.contains(&format!("({verb} ?"))).collect();
        let simultaneous = text.contains("(steer ?d)");
        assert!(!used.is_empty() || simultaneous, "{} has no action with a square", game.id);
        assert_eq!(text.contains("noop"), game.players > 1 && !simultaneous, "{}", game.id);
    }
}

#[test]
fn recorded_games_are_lines_of_labels() {
    let catalogue = Catalogue::embedded().unwrap();
    let recorded = catalogue.get("hanoi-3").unwrap().recorded.as_ref().unwrap();
    assert_eq!(recorded.games.len(), 4);
    assert_eq!(recorded.games[0], ["a1c1", "a1b1", "c1b1", "a1c1", "b1a1", "b1c1", "a1c1"]);
    assert!(recorded.source.contains("ggpbench record hanoi-3"), "{}", recorded.source);
    assert_eq!(catalogue.get("go-9x9").unwrap().recorded, None);
}
