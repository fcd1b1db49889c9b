//! The reports of the front end about sheets with faults, as a person sees them.

use expect_test::expect_file;

use super::*;

/// Renders all diagnostics of a sheet.
fn said(sheet: &str) -> String {
    let source = Source::new("x.kif", sheet);
    let shown: Vec<String> = check(&source).diagnostics.iter().map(|d| d.render(&source)).collect();
    shown.join("\n\n")
}

/// A sheet that lacks nothing, with more lines.
fn with(lines: &str) -> String {
    format!(
        "(role white) (role black)\n(init (cell 1 1 b))\n(<= (legal ?p noop) (role ?p))\n\
         (<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)))\n(<= terminal (true (cell 1 1 x)))\n\
         (goal white 50) (goal black 50)\n{lines}"
    )
}

#[test]
fn faults_are_explained() {
    let answered = text::cases::answered(include_str!("diagnostics.txt"), |text| {
        text.strip_prefix('@').map_or_else(|| said(text), |lines| said(&with(lines)))
    });
    expect_file!["diagnostics.txt"].assert_eq(&answered);
}

#[test]
fn too_many_cases_are_refused() {
    let or = "(or (true (cell 1 1 b)) (true (cell 1 2 b)) (true (cell 1 3 b)))";
    let body = [or; 9].join(" ");
    let source = Source::new("x.kif", with(&format!("(<= terminal {body})")));
    let codes: Vec<&str> = check(&source).diagnostics.iter().map(|d| d.code).collect();
    assert!(codes.contains(&"too-many-cases"), "{codes:?}");
}

#[test]
fn messages_are_bounded() {
    let lines: String = (0..5000).map(|i| format!("(<= (a{i} ?x) (b{i} ?y))\n")).collect();
    let source = Source::new("x.kif", with(&lines));
    let checked = check(&source);
    assert!(checked.program.is_none());
    assert_eq!(checked.diagnostics.len(), 100);
}

/// The test that reports stay short, and so does the work: all that is shown is cut from the text.
#[test]
fn faults_in_every_byte_are_said_in_few_words() {
    let sheets = [
        with(&")".repeat(200_000)),
        ")".repeat(200_000) + "(p)",
        "(<=)".repeat(50_000),
        with(&"(<= (p ?x) (not (q ?y)))".repeat(10_000)),
        with(&format!("(<= (p ?x) {})", "(unknown ?y)".repeat(10_000))),
    ];
    for sheet in sheets {
        let said = said(&sheet);
        assert!(said.len() < 200_000, "{} bytes: {}", said.len(), &said[..2000]);
    }
}

#[test]
fn code_ends_before_what_only_closes() {
    for (text, end) in [("(a) ; b)\n))\n", 2), ("(a", 2), (")\n)", 0), ("", 0), ("(é ; )", 3)] {
        assert_eq!(build::end_of_code(text), end, "{text}");
    }
}
