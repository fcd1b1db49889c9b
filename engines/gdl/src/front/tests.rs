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

#[test]
fn lines_end_in_any_of_the_three_ways() {
    let sheet = with(
        "; a comment, and a rule behind it\n(<= (goal ?p 0) ; another\n (role ?p))\n\
         (<= (goal white ?x) (rule 1))",
    );
    let of = |sheet: &str| {
        let source = Source::new("x.kif", sheet);
        let found = check(&source).diagnostics;
        let lines: Vec<String> = found.iter().map(|d| d.one_line(&source)).collect();
        lines
    };
    let expected = of(&sheet);
    assert!(expected.iter().any(|line| line.starts_with("x.kif:10:17: error")), "{expected:?}");
    for other in text::cases::other_line_ends(&sheet) {
        assert_eq!(of(&other), expected, "{other:?}");
        assert_eq!(said(&other), said(&sheet));
    }
}

#[test]
fn other_encodings_are_all_that_is_said_of_a_sheet() {
    let sheet = with("");
    let wide: Vec<u8> = sheet.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let source = Source::new("x.kif", String::from_utf8_lossy(&wide));
    let checked = check(&source);
    assert!(checked.program.is_none());
    assert_eq!(checked.diagnostics.len(), 1);
    assert!(checked.diagnostics[0].message.contains("UTF-16"));
}

#[test]
fn what_a_larger_language_has_is_not_invalid() {
    let accepted = |lines: &str| check(&Source::new("x.kif", with(lines))).accepted();
    let knows = "(<= (goal black 100) (knows black (cell 1 1 x)))";
    let kind = |lines: &str| accepted(lines).map_or_else(|error| error.kind(), |_| "accepted");
    assert_eq!(kind(knows), "unsupported");
    assert_eq!(kind(&format!("{knows} (goal black ?x)")), "invalid");
    assert_eq!(kind("(knows a) (<= (goal black 100) (knows a))"), "accepted");
}
