use std::collections::BTreeSet;

use expect_test::expect_file;
use play::Limits;

use super::tree::{Block, Statement, StatementKind};
use super::*;
use crate::front::{is_high_level, print, read};
use crate::tests::shared;

/// All HRG files of the corpus.
fn all() -> Vec<Source> {
    let mut sources = [shared("rg"), shared("rg-micro")].concat();
    sources.retain(is_high_level);
    sources
}

/// All that is said of a text, by the expansion and by the checks behind it.
fn said(source: &Source) -> String {
    let (_, mut diagnostics) = read(source);
    // What all cases begin with is not read by each.
    let head = if source.text().starts_with(HEAD) { HEAD.len() } else { 0 };
    diagnostics.retain(|found| found.code != "unread" || found.span.start as usize >= head);
    let shown: Vec<String> = diagnostics.iter().map(|d| d.render(source)).collect();
    shown.join("\n")
}

/// The places where the faulty small files of the corpus are wrong, in their order.
const FAULTS: [&str; 20] = [
    "3:7", "3:17", "5:33", "3:35", "3:32", "3:28", "4:1", "5:11", "6:11", "3:29", "4:28", "4:34",
    "4:8", "3:51", "4:1", "4:46", "3:5", "5:11", "4:46", "4:9",
];

#[test]
fn the_corpus_is_accepted_but_for_what_is_wrong() {
    let (wrong, sound): (Vec<Source>, Vec<Source>) = all()
        .into_iter()
        .partition(|source| source.name().starts_with(['e', 'f']) && source.text().len() < 200);
    for (source, place) in wrong.iter().zip(FAULTS) {
        let errors: Vec<String> = read(source).1.iter().map(|d| d.one_line(source)).collect();
        let found = matches!(&errors[..], [error] if error.contains(&format!(":{place}: error[")));
        assert!(found, "{errors:#?}");
    }
    assert!(wrong.is_empty() || wrong.len() == FAULTS.len());
    for source in sound {
        assert!(read(&source).0.is_some(), "{}", said(&source));
    }
}

/// The printed expansion of a text reads back to an automaton of equal size.
#[test]
fn printed_expansions_read_back() {
    for source in all() {
        let Some(declarations) = expand(&source, &Bounds::default(), &mut Vec::new()) else {
            continue;
        };
        let copy = Source::new("copy.rg", print(&declarations));
        let size = |source: &Source| {
            let automaton = read(source).0.unwrap_or_else(|| panic!("{}", said(source)));
            let edges: usize = automaton.nodes.iter().map(|node| node.edges.len()).sum();
            (automaton.values, automaton.sets.len(), automaton.variables.len(), edges)
        };
        assert_eq!(size(&source), size(&copy), "{}", source.name());
    }
}

const HEAD: &str = "domain Player = white | black
domain Score = 0 | 50 | 100
domain N = K(V) where V in 0..3
domain NOrNil = nil | N
next : N -> NOrNil
next(K(V)) = if K(V + 1) in N then K(V + 1) else nil
board : N -> NOrNil
pos : N
";

/// The text of a case: behind `@` come graphs for a small game, and behind `!` statements of it.
fn case(text: &str) -> Source {
    let whole = match (text.strip_prefix('@'), text.strip_prefix('!')) {
        (Some(rest), _) => [HEAD, rest].concat(),
        (_, Some(rest)) => format!("{HEAD}graph rules() {{\n{rest}\nend() }}"),
        _ => text.to_owned(),
    };
    Source::new("t.hrg", whole)
}

#[test]
fn faults_are_explained() {
    let answered = text::cases::answered(include_str!("diagnostics.txt"), |text| {
        let source = case(text);
        assert!(
            expand(&source, &Bounds::default(), &mut Vec::new()).is_none()
                || !said(&source).is_empty(),
            "{text}"
        );
        said(&source)
    });
    expect_file!["diagnostics.txt"].assert_eq(&answered);
}

#[test]
fn statements_become_edges() {
    let answered = text::cases::answered(include_str!("expansions.txt"), |text| {
        let source = case(text);
        let declarations = expand(&source, &Bounds::default(), &mut Vec::new());
        let printed = print(&declarations.unwrap_or_else(|| panic!("{}", said(&source))));
        // What every case has in common says nothing.
        let common = print(&expand(&case("!"), &Bounds::default(), &mut Vec::new()).unwrap());
        let lines = printed.lines().filter(|line| !common.lines().any(|other| other == *line));
        lines.collect::<Vec<_>>().join("\n")
    });
    expect_file!["expansions.txt"].assert_eq(&answered);
}

/// A `while` draws no warning if only one way leads on from the node at which it begins.
#[test]
fn a_while_that_begins_no_arm_of_several_is_no_mistake() {
    let round = "while pos == K(0) { pos = N(*) }";
    for body in [
        format!("branch {{ {round} }}"),
        format!("branch {{ pos = K(1) {round} }} or {{ loop {{ {round} break() }} }}"),
        format!("branch {{ if pos == K(1) {{ {round} }} }} or {{ }}"),
        format!("while pos == K(1) {{ branch {{ pos = K(2) }} or {{ pos = K(3) }} }} {round}"),
        format!("branch {{ branch {{ }} or {{ }} {round} }} or {{ }}"),
    ] {
        assert_eq!(said(&case(&format!("!{body}"))), "", "{body}");
    }
}

/// The name that the language reference has for a statement.
fn name_of(kind: &StatementKind) -> &'static str {
    match kind {
        StatementKind::Assign(..) => "=",
        StatementKind::AssignAny(..) => "(*)",
        StatementKind::Call(..) => "call",
        StatementKind::Check(..) => "check",
        StatementKind::Jump(jump) => jump,
        StatementKind::Branch(..) => "branch",
        StatementKind::BranchIn(..) => "branch in",
        StatementKind::Repeat(..) => "repeat",
        StatementKind::RepeatIn(..) => "repeat in",
        StatementKind::Loop(..) => "loop",
        StatementKind::While(..) => "while",
        StatementKind::If(..) => "if",
        StatementKind::Tag(_, false) => "$",
        StatementKind::Tag(_, true) => "$_",
        StatementKind::TagVariable(..) => "$$",
    }
}

/// The number of names that [`name_of`] gives, with those of jumps.
const STATEMENTS: usize = 14 + parse::JUMPS.len();

#[test]
fn the_language_reference_shows_each_statement() {
    let mut shown = BTreeSet::new();
    for construct in crate::guide::constructs("").iter().filter(|it| it.kind == "statement") {
        let source = construct.rules().source;
        let mut symbols = Symbols::default();
        let tokens = lex(&source, &mut symbols, &mut Vec::new());
        let (end, mut said) = (Span::at(source.text().len()), Vec::new());
        let mut cursor = Cursor::new(&tokens, end, &mut symbols, &mut said);
        let program = parse::program(&mut cursor, source.text()).expect("an example");
        let rules = program.graphs.last().expect("the rules");
        shown.extend(rules.body.statements.iter().map(|statement| name_of(&statement.kind)));
        fn inner(statement: &Statement) -> Vec<&Block> {
            match &statement.kind {
                StatementKind::Branch(arms) => arms.iter().collect(),
                StatementKind::RepeatIn(_, _, block) | StatementKind::Loop(block) => vec![block],
                StatementKind::If(arms, _) => arms.iter().map(|arm| &arm.1).collect(),
                _ => Vec::new(),
            }
        }
        let mut blocks: Vec<&Block> = rules.body.statements.iter().flat_map(inner).collect();
        while let Some(block) = blocks.pop() {
            shown.extend(block.statements.iter().map(|statement| name_of(&statement.kind)));
            blocks.extend(block.statements.iter().flat_map(inner));
        }
    }
    assert_eq!(shown.len(), STATEMENTS, "{shown:?}");
    for name in shown {
        assert!(crate::guide::constructs(name).iter().any(|it| it.name == name), "{name}");
    }
}

/// The expansion of a short text is bounded by the limits of a compilation.
#[test]
fn expansions_are_smaller_where_little_is_allowed() {
    let small = Bounds::within(&Limits { work: 20_000, bytes: 64 << 20 });
    for text in [
        "!repeat 100000 { pos = K(0) }",
        "@domain P = C(A, B) where A in 0..249, B in 0..199
        domain Q = D(A, B) where A in 0..249, B in 0..199
        graph rules() { end() }",
        "@domain P = C(A, B) where A in 0..199, B in 0..199
        f : P -> P
        f(C(A, B)) = C((A + B + A + B + A + B + A + B + A + B + A + B) % 9, B)
        graph rules() { end() }",
    ] {
        let source = case(text);
        let expanded = |bounds| expand(&source, &bounds, &mut Vec::new());
        assert!(expanded(Bounds::default()).is_some() && expanded(small).is_none(), "{text}");
    }
}

/// Texts that ask for much stay cheap, and messages about them short.
#[test]
fn texts_that_ask_for_much_are_refused_in_few_words() {
    let many = |count: usize, of: &dyn Fn(usize) -> String| (0..count).map(of).collect::<String>();
    let deep = |open: &str, middle: &str, close: &str| {
        [&open.repeat(50_000), middle, &close.repeat(50_000)].concat()
    };
    let rules = |body: &str| format!("{HEAD}graph rules() {{ {body} end() }}");
    let function =
        |body: &str| rules("").replace("graph", &format!("f : N -> N f(X) = {body} graph"));
    let head = |rest: &str| [HEAD, rest].concat();
    let pairs = "domain P = C(A, B) where A in 0..99, B in 0..99 ";
    let doubling = |at: usize| format!("graph g{at}() {{ g{0}() g{0}() }} ", at + 1);
    for text in [
        ")".repeat(100_000),
        rules(&deep("loop { ", "", "}")),
        rules(&deep("if pos == pos {} else ", "{", "}")),
        rules(&["pos = ", &deep("board[", "pos", "]")].concat()),
        rules(&["check(", &deep("not(", "pos == pos", ")"), ")"].concat()),
        rules(&"check(a < b) x = y $$ z ".repeat(10_000)),
        rules(&"repeat 4000000000 { check(false()) nowhere() }".repeat(3)),
        rules(&["pos = board", &"(pos)".repeat(50_000)].concat()),
        function(&deep("(", "X", ")")),
        function(&["K(0", &" + 1".repeat(50_000), ")"].concat()),
        function("f(K(1))"),
        function("if X == 9 then K(0) else K(f(K(X)))"),
        function(&["if X == K(9) then f(X) else ".repeat(50_000), "K(9)".to_owned()].concat()),
        function(&["g(".repeat(99), ")".repeat(99)].concat().replace("()", "(X)"))
            + " g : N -> N g(X) = T(X, X)",
        head("domain P = C(A, B, D) where A in 0..999, B in 0..999, D in 0..999"),
        head("domain P = C(A) where A in 0..4000000000"),
        head(&[pairs, "f : P -> P -> N f(_, _) = K(0)"].concat()),
        head("v : N = { K(A) = K(B) where A in 0..9999, B in 0..9999 }"),
        head(&["v : N -> N = ", &deep("{:", "K(0)", "}")].concat()),
        ["v : ", &"N -> ".repeat(50_000), "N"].concat(),
        many(10_000, &|at| format!("domain D{at} = D{} | d{at}\n", at + 1)),
        many(10_000, &|at| format!("f{at} : N -> N f{at}(K(X)) = f{}(K(Y))\n", at + 1)),
        many(10_000, &doubling),
        many(60, &doubling) + "graph g60() { }" + &rules("g0()"),
        many(999, &|at| format!("graph g{at}() {{ g{}() }}", at + 1)) + &rules("g0()"),
        head(&many(10_000, &|at| format!("f{at} : N -> N f{at}(_) = f{at}\n"))),
        head(&["f : N -> N -> N\n", &"f(_, K(0)) = K(7)\n".repeat(10_000)].concat()),
    ] {
        let said = said(&Source::new("t.hrg", text));
        assert!(said.contains("error["), "{said:.2000}");
        assert!(said.len() < 100_000, "{} bytes: {said:.2000}", said.len());
    }
}
