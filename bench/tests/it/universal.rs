//! Games written as a graph with one token, in ludemes and GDL.

use crate::common::{ggpbench, stderr, stdout};
use bench::universal::{
    Bounds, EdgeLabel, Graph, Refusal, Walked, check, explore, extensive, kif, kif_label, lud,
    lud_label, random_tree,
};
use play::toy::Toy;
use play::{Game, Language, Limits, Rules};

const TREE: Bounds = Bounds { nodes: 2000, tree: true, walk: 1_000_000 };
const GRAPH: Bounds = Bounds { nodes: 10_000, tree: false, walk: 1_000_000 };

/// The games made of a graph, in both languages, as our engines play them.
fn made(graph: &Graph, title: &str) -> [(Box<dyn Game>, EdgeLabel); 2] {
    [
        (compiled(Language::Lud, "ludeme", &lud(graph, title).unwrap()), lud_label),
        (compiled(Language::Kif, "prover", &kif(graph, title).unwrap()), kif_label),
    ]
}

fn compiled(language: Language, engine: &str, text: &str) -> Box<dyn Game> {
    let rules = Rules::new(language, "made", text);
    let compiled = roster::engine(engine).unwrap().compile(&rules, &Limits::default());
    compiled.unwrap_or_else(|e| panic!("{}\n{text}", e.one_line(&rules.source))).game
}

/// Explores, makes, and checks both.
fn whole(game: &dyn Game, bounds: Bounds, title: &str) -> Graph {
    let graph = explore(game, bounds).unwrap();
    for (made, label) in made(&graph, title) {
        let checked = check(game, &*made, &graph, label, bounds.walk).unwrap_or_else(|why| {
            panic!("{title}: {why}\n{}\n{}", lud(&graph, "t").unwrap(), kif(&graph, "t").unwrap())
        });
        assert_eq!(checked.tree, Walked::Whole, "{title}");
        assert_eq!((checked.nodes, checked.edges), (graph.nodes.len(), graph.edges()), "{title}");
    }
    graph
}

#[test]
fn trees_of_all_shapes_are_the_same_games() {
    for tree in [
        "=100",                                      // over at once
        "=0,100",                                    // over at once, for two
        "1(=100)",                                   // one action
        "2(=100,0 =0,100)",                          // the second begins
        "1(1(2(2(=1,2 =3,4) =50,50) =100,0) =7,70)", // several times in a row
        "3(1(=0,0,100 =1,2,3) 2(3(=9,9,9)))",        // three, the third begins
        "1(2[1(=100,0 =0,100)] =50,50)",             // a forced pass
        "2(4(=1,2,3,4) 1(3(=4,3,2,1 =0,0,0,100)))",
        "1(=100,0 =100,0 =100,0)", // all the same
    ] {
        let game = Toy::parse(tree).unwrap().boxed();
        whole(&*game, TREE, tree);
        whole(&*game, GRAPH, tree);
    }
}

#[test]
fn random_trees_are_the_same_games() {
    let mut negative = false;
    for id in 0..16 {
        let graph = whole(&*random_tree(7, id), TREE, &format!("tree {id}"));
        let scores = graph.nodes.iter().filter_map(|node| node.scores);
        negative |= scores.flat_map(|s| s.iter().collect::<Vec<_>>()).any(|s| s < 0);
    }
    assert!(negative, "payoffs of both signs");
}

/// The graph of Tic-Tac-Toe in a language, and the game.
fn tic_tac_toe(language: Language, engine: &str) -> (Graph, Box<dyn Game>) {
    let catalogue = games::Catalogue::embedded().unwrap();
    let rules = catalogue.get("tic-tac-toe-3x3").unwrap().rules_in(language).unwrap();
    let game = roster::engine(engine).unwrap().compile(&rules, &Limits::default()).unwrap().game;
    let graph = explore(&*game, GRAPH).unwrap();
    assert_eq!((graph.nodes.len(), graph.tree), (5478, Some(549_946)), "{engine}");
    assert!(graph.proven, "{engine}");
    (graph, game)
}

#[test]
fn tic_tac_toe_is_the_same_graph_in_all_languages() {
    for (language, engine) in
        [(Language::Kif, "propnet"), (Language::Lud, "ludeme"), (Language::Rbg, "rbg")]
    {
        tic_tac_toe(language, engine);
    }
    let (graph, game) = tic_tac_toe(Language::Bitboard, "bitboard");
    for (made, label) in made(&graph, "bitboard") {
        let checked = check(&*game, &*made, &graph, label, 20_000).unwrap();
        assert_eq!(checked.nodes, 5478);
        assert!(matches!(checked.tree, Walked::Depth(depth) if depth > 2), "{:?}", checked.tree);
    }
}

#[test]
fn games_with_cycles_have_a_graph_and_an_infinite_tree() {
    let catalogue = games::Catalogue::embedded().unwrap();
    let rules = catalogue.get("mu-torere").unwrap().rules_in(Language::Bitboard).unwrap();
    let game =
        roster::engine("bitboard").unwrap().compile(&rules, &Limits::default()).unwrap().game;
    let graph = explore(&*game, GRAPH).unwrap();
    assert_eq!(graph.tree, None);
    for (made, label) in made(&graph, "mu-torere") {
        let checked = check(&*game, &*made, &graph, label, 20_000).unwrap();
        assert_eq!(checked.nodes, graph.nodes.len());
        assert!(matches!(checked.tree, Walked::Depth(depth) if depth > 2));
    }
}

#[test]
fn what_the_theorem_does_not_cover_is_refused_with_the_reason() {
    let refused =
        |tree: &str, bounds| explore(&*Toy::parse(tree).unwrap().boxed(), bounds).expect_err(tree);
    assert_eq!(refused("1(*(=1 =2))", TREE), Refusal::Chance);
    assert_eq!(refused("1(=1 1(1() =1))", TREE), Refusal::Stuck("n2 n3".to_owned()));
    let few = Bounds { nodes: 3, ..TREE };
    assert_eq!(refused("1(=1 =2 =3)", few), Refusal::TooMany { found: 3, tree: true });
    assert!(explore(&*Toy::parse("1(=1 =2)").unwrap().boxed(), few).is_ok());
    for (refusal, words) in [
        (Refusal::Chance, "nature"),
        (Refusal::Hidden, "full information"),
        (Refusal::TooMany { found: 3, tree: true }, "--nodes"),
    ] {
        assert!(refusal.to_string().contains(words), "{refusal}");
    }
    let arguments = ["universal", "chess", "--nodes", "50", "--engines", "bitboard"];
    let many = ggpbench(&std::env::temp_dir(), &arguments);
    assert_eq!(many.status.code(), Some(1));
    assert!(stderr(&many).contains("50 were found"), "{}", stderr(&many));
}

/// Grows the tree of a game of chance or hidden information, makes both descriptions, and compares
/// all histories with their odds.
fn extensively(game: &dyn Game, title: &str) -> (extensive::Tree, usize) {
    let tree = extensive::grow(game, 10_000).unwrap();
    let mut histories = 0;
    for (language, engine, text) in [
        (Language::Lud, "ludeme", extensive::lud(&tree, title).unwrap()),
        (Language::Kif, "prover", extensive::kif(&tree, title).unwrap()),
    ] {
        let made = compiled(language, engine, &text);
        assert_eq!(made.facts().hidden, game.facts().hidden, "{title}");
        histories = extensive::check(game, &*made, &tree, language)
            .unwrap_or_else(|why| panic!("{title} in {language}: {why}\n{text}"));
    }
    (tree, histories)
}

#[test]
fn games_of_chance_are_trees_in_which_nature_draws() {
    for tree in [
        "*(1(=100 =0) 1(=50))",
        "1(*(=100,0 =0,100 =50,50) 2(=7,70))",
        // Unlike odds: 1/2, 1/4, 1/4, and one of them at once.
        "2(*(1(=1,2 =3,4) *(=5,6 2(=7,8))) =9,9)",
    ] {
        extensively(&*Toy::parse(tree).unwrap().boxed(), tree);
    }
}

#[test]
fn games_of_hidden_information_are_trees_in_which_players_perceive() {
    let catalogue = games::Catalogue::embedded().unwrap();
    let rules = catalogue.get("kuhn-poker").unwrap().rules_in(Language::Bitboard).unwrap();
    let engine = roster::engine("bitboard").unwrap();
    let game = engine.compile(&rules, &Limits::default()).unwrap().game;
    let (tree, histories) = extensively(&*game, "kuhn-poker");
    // Six deals, each with 9 histories of which 5 are ends.
    assert_eq!((tree.nodes.len(), tree.leaves(), tree.depth(), histories), (54, 30, 3, 30));
    assert_eq!((tree.actions.len(), tree.percepts.len()), (4, 7));
    let mut faulty = tree.clone();
    let king = faulty.percepts.iter().position(|percept| percept == "king").unwrap();
    let told = faulty.nodes.iter_mut().flat_map(|node| &mut node.told);
    told.for_each(|own| own.retain(|percept| *percept != king));
    let text = extensive::kif(&faulty, "faulty").unwrap();
    let made = compiled(Language::Kif, "prover", &text);
    let why = extensive::check(&*game, &*made, &tree, Language::Kif).unwrap_err();
    assert!(why.contains("the odds of"), "{why}");
}

/// A check that cannot fail shows nothing.
#[test]
fn a_fault_in_what_was_made_is_found() {
    let game = Toy::parse("1(2(=100,0 =0,100) =50,50 2(=7,70 =1,2))").unwrap().boxed();
    let graph = explore(&*game, TREE).unwrap();
    let faulty = |change: &dyn Fn(&mut Graph), words: &str| {
        let mut changed = graph.clone();
        change(&mut changed);
        for (made, label) in made(&changed, "faulty") {
            let why = check(&*game, &*made, &graph, label, 1000).expect_err(words);
            assert!(why.contains(words), "{why}");
        }
    };
    let end = graph.nodes.iter().position(|n| n.scores == Some(play::Scores::two(7, 70))).unwrap();
    faulty(
        &|g| g.nodes[end].scores = Some(play::Scores::two(8, 70)),
        "the scores are 8/70, not 7/70",
    );
    faulty(&|g| g.nodes[1].turn = Some(0), "player 1 is to move, not player 2");
    faulty(&|g| drop(g.nodes[3].edges.pop()), "there are 1 actions, not 2");
    // Equal positions that are not: the walk along the tree sees it.
    let mut merged = graph.clone();
    merged.nodes[3].edges = merged.nodes[1].edges.clone();
    assert!(bench::universal::merged_soundly(&*game, &merged, 1000).is_err());
}

#[test]
fn hostile_names_stay_in_their_comments_and_strings() {
    let game = Toy::parse("1(=100,0 2(=0,100 =50,50))").unwrap().boxed();
    let mut graph = explore(&*game, TREE).unwrap();
    let hostile = "x\") (result P1 Win)\n)))) \r;\u{2028}// <a:b> {\"}";
    for (_, label) in graph.nodes.iter_mut().flat_map(|node| &mut node.edges) {
        *label = hostile.to_owned();
    }
    let plain = explore(&*game, TREE).unwrap();
    for (made, label) in made(&graph, hostile) {
        check(&*game, &*made, &plain, label, 1000).unwrap();
    }
    for text in [lud(&graph, hostile).unwrap(), kif(&graph, hostile).unwrap()] {
        assert!(text.contains("x%22%29") && !text.contains("x\""), "{text}");
    }
}

/// A graph of ten thousand vertices loads.
#[test]
fn large_graphs_load() {
    // A start with 99 actions, 99 times.
    let leaf = "=100,0 ".repeat(99);
    let tree = format!("1({})", format!("2({leaf}) ").repeat(99));
    let game = Toy::parse(&tree).unwrap().boxed();
    let graph = explore(&*game, Bounds { nodes: 10_000, ..TREE }).unwrap();
    assert_eq!(graph.nodes.len(), 1 + 99 + 99 * 99);
    let made = compiled(Language::Lud, "ludeme", &lud(&graph, "large").unwrap());
    assert_eq!(made.open(&mut play::NoChance).actions(), 99);
}

#[test]
fn simultaneous_choices_become_choices_in_turn() {
    let rules = Rules::new(Language::Kif, "coin", crate::common::COIN);
    let game = roster::engine("prover").unwrap().compile(&rules, &Limits::default()).unwrap().game;
    let graph = whole(&*game, TREE, "coin");
    assert!(graph.serialised);
    assert_eq!((graph.nodes.len(), graph.leaves(), graph.depth), (7, 4, 2));
}

/// Two players fill a row of three sites.
const ROW: &str = r#"(game "Row" (players 2)
    (equipment {(board (rectangle 1 3)) (piece "Disc" Each)})
    (rules (play (move Add (to (sites Empty)))) (end (if (is Full) (result Mover Win)))))"#;

#[test]
fn the_command_writes_both_texts_and_says_how_large_they_are() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("row.lud"), ROW).unwrap();
    let files = || {
        let made = std::fs::read_dir(folder.path().join("made")).unwrap();
        let mut names: Vec<_> = made.map(|file| file.unwrap().file_name()).collect();
        names.sort();
        names
    };
    // 1, 3, 6 and 3 positions with as many discs; 1, 3, 6 and 6 sequences of as many actions.
    for (more, nodes) in [(&[][..], "13"), (&["--tree"][..], "16")] {
        let arguments = ["universal", "row.lud", "--out", "made", "--csv", "table.csv"];
        let output = ggpbench(folder.path(), &[&arguments[..], more].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        assert_eq!(files(), ["row.kif", "row.lud"]);
        let table = std::fs::read_to_string(folder.path().join("table.csv")).unwrap();
        let mut rows = csv::Reader::from_reader(table.as_bytes());
        let header = rows.headers().unwrap().clone();
        let row = rows.records().next().unwrap().unwrap();
        let of = |column: &str| row.get(header.iter().position(|h| h == column).unwrap()).unwrap();
        assert_eq!([of("game"), of("nodes")], ["row", nodes], "{table}");
        for language in ["lud", "kif"] {
            let verified = of(&format!("{language} verified"));
            assert_eq!(verified, format!("{nodes} nodes, whole tree"), "{table}");
            assert!(stdout(&output).contains(of(&format!("tokens .{language}"))), "{table}");
        }
    }
    let output = ggpbench(folder.path(), &["universal", "row.lud", "--nodes", "3"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("--nodes"), "{}", stderr(&output));
}
