//! What the front end says about sheets with faults, as a person sees it.

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
