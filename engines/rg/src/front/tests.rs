use expect_test::expect_file;

use super::*;
use crate::automaton::{GOALS, PLAYER, VISIBLE};
use crate::symbols::Symbol;
use crate::tests::shared;

/// All RG files of the corpus.
fn all() -> Vec<Source> {
    let mut sources = [shared("rg"), shared("rg-micro")].concat();
    sources.retain(|source| !is_high_level(source));
    sources
}

/// The text of all diagnostics of a description.
fn said(source: &Source) -> String {
    let (_, mut diagnostics) = read(source);
    // What all cases begin with is not read by each.
    let head = if source.text().starts_with(HEAD) { HEAD.len() } else { 0 };
    diagnostics.retain(|found| found.code != "unread" || found.span.start as usize >= head);
    let shown: Vec<String> = diagnostics.iter().map(|d| d.render(source)).collect();
    shown.join("\n")
}

/// Panics if a number in an automaton is out of range.
fn verify(automaton: &Automaton) {
    let is_value = |symbol: Symbol| symbol.index() < automaton.values;
    for set in &automaton.sets {
        assert_eq!(set.places.len(), automaton.values);
        assert!(set.members.iter().all(|&member| is_value(member) && set.contains(member)));
    }
    let constants = automaton.constants.iter().map(|it| (&it.shape, &it.cells));
    let variables = automaton.variables.iter().map(|it| (&it.shape, &it.start));
    for (shape, cells) in constants.chain(variables) {
        assert_eq!(cells.len(), automaton.cells(shape));
        assert!(cells.iter().all(|&cell| is_value(Symbol(u32::from(cell)))));
    }
    assert_eq!(automaton.artificial.len(), automaton.values);
    assert!(automaton.players.iter().all(|&player| is_value(player)));
    let slots = [GOALS, PLAYER, VISIBLE].map(|slot| automaton.name(automaton.variables[slot].name));
    assert_eq!(slots, ["goals", "player", "visible"]);
    let ends =
        [automaton.begin, automaton.end].map(|node| automaton.name(automaton.nodes[node].name));
    assert_eq!(ends, ["begin", "end"]);
}

#[test]
fn the_corpus_is_accepted_but_for_what_is_wrong() {
    for source in all() {
        let automaton = read(&source).0;
        let sound = automaton.is_some();
        automaton.iter().for_each(verify);
        let wrong = source.name().starts_with('e');
        assert_eq!(sound, !wrong, "{}\n{}", source.name(), said(&source));
        assert_eq!(sound, !said(&source).contains("error["), "{}", said(&source));
    }
}

/// All of an automaton but its names and places.
fn game(automaton: Automaton) -> String {
    let edges = automaton
        .nodes
        .iter()
        .map(|node| node.edges.iter().map(|edge| (edge.to, &edge.label)).collect::<Vec<_>>());
    let cells = automaton.constants.iter().map(|it| (&it.shape, &it.cells));
    let starts = automaton.variables.iter().map(|it| (&it.shape, &it.start));
    let parts = (edges.collect::<Vec<_>>(), cells.chain(starts).collect::<Vec<_>>());
    format!("{parts:?} {:?} {:?}", automaton.sets, automaton.artificial)
}

/// A printed text reads back to declarations that print the same, and to an equal game.
#[test]
fn printed_declarations_read_back() {
    for source in all() {
        let mut diagnostics = Vec::new();
        let printed = print(&rg::parse(&source, &mut diagnostics));
        if !diagnostics.is_empty() {
            continue;
        }
        let copy = Source::new(source.name(), printed.clone());
        assert_eq!(print(&rg::parse(&copy, &mut diagnostics)), printed, "{}", source.name());
        assert_eq!(read(&source).0.map(game), read(&copy).0.map(game), "{printed}");
    }
}

#[test]
fn printed_text_is_tidy() {
    let text = "begin,end:player=keeper;var m:Player->Player->Score={:{:0},a:{b:1,:0}};begin,x:;
        @artificialTag t u;type Score={0,1};type Player={a,b};x,y:$t;x,end:? x->y;x,x:m[a][b]!=
        Score(1);const c:Score=0;y,z:m[a][b]={0}(*);@unique x;z,y:$$c;";
    let text = print(&rg::parse(&Source::new("t.rg", text), &mut Vec::new()));
    expect_test::expect![[r#"
        type Score = { 0, 1 };
        type Player = { a, b };

        const c: Score = 0;

        var m: Player -> Player -> Score = { :{ :0 }, a: { b: 1, :0 } };

        begin, end: player = keeper;
        begin, x:;
        x, y: $ t;
        x, end: ? x -> y;
        x, x: m[a][b] != Score(1);
        y, z: m[a][b] = { 0 }(*);
        z, y: $$ c;

        @artificialTag t u;
    "#]]
    .assert_eq(&text);
}

const HEAD: &str = "type Player = { white, black };
type Score = { 0, 50, 100 };
type Cell = { a1, a2, none };
type Piece = { empty, pawn };
const next: Cell -> Cell = { a1: a2, :none };
var board: Cell -> Piece = { :empty };
var pos: Cell = a1;
begin, end: player = keeper;
";

#[test]
fn faults_are_explained() {
    let answered = text::cases::answered(include_str!("diagnostics.txt"), |text| {
        let text =
            text.strip_prefix('@').map_or_else(|| text.to_owned(), |rest| [HEAD, rest].concat());
        said(&Source::new("t.rg", text))
    });
    expect_file!["diagnostics.txt"].assert_eq(&answered);
}

/// Messages stay short, and so does the work.
#[test]
fn faults_in_every_byte_are_said_in_few_words() {
    let deep = |open: &str, middle: &str, close: &str| {
        [&open.repeat(200_000), middle, &close.repeat(200_000)].concat()
    };
    for text in [
        ")".repeat(200_000),
        "a, b: x = y; ".repeat(100_000),
        deep("a -> ", "b", ";"),
        ["type t = ", &deep("{", "a", "}")].concat(),
        ["begin, end: x = ", &deep("t(", "a", ")"), ";"].concat(),
        ["begin, end: x", &"[a]".repeat(200_000), " = 1;"].concat(),
        ["const c: P = ", &deep("{:", "a", "}"), ";"].concat(),
        (0..100_000).map(|at| format!("type t{at} = t{};", at + 1)).collect(),
        (0..100_000).map(|at| format!("type t{at} = {{a{at}}};")).collect(),
        (0..50_000).map(|at| format!("type t{at} = {{s{at}}};")).collect(),
        (0..70_000).map(|at| format!("begin, end: $ t{at};")).collect(),
        [
            HEAD,
            "type A = Cell -> Cell -> Cell -> Cell -> Cell -> Cell -> Cell;",
            "type B = Cell -> Cell -> Cell -> Cell -> A; type C = Cell -> Cell -> B;",
        ]
        .concat(),
        [HEAD, &"begin, x: board[q] = next[pos[a1]]; ".repeat(30_000)].concat(),
    ] {
        let said = said(&Source::new("t.rg", text));
        assert!(
            !said.is_empty() && said.len() < 200_000,
            "{} bytes: {}",
            said.len(),
            &said[..2000]
        );
    }
}

#[test]
fn lines_end_in_any_of_the_three_ways() {
    let text = "// a comment\ntype Player = { a, b }; // another\n// and a fault below\n\
        begin, end: $ $;\n";
    let said = |text: &str| said(&Source::new("t.rg", text));
    assert!(said(text).contains("t.rg:4:"), "{}", said(text));
    for other in text::cases::other_line_ends(text) {
        assert_eq!(said(&other), said(text), "{other:?}");
    }
    assert_eq!(
        said(&format!("\u{feff}{}", &text[13..])).lines().count(),
        said(&text[13..]).lines().count()
    );
}

#[test]
fn other_encodings_are_all_that_is_said() {
    let text = "type Player = { a, b };";
    let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    for name in ["t.rg", "t.hrg"] {
        let (_, diagnostics) = read(&Source::new(name, String::from_utf8_lossy(&wide)));
        assert_eq!(diagnostics.len(), 1);
        assert!(diagnostics[0].message.contains("UTF-16"));
    }
}
