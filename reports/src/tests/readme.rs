//! The tables of documents are those of the committed runs that they name.

use std::path::Path;

use reports::languages::sections;
use reports::render::{
    claim_outcome_markdown, claim_summary_markdown, findings_markdown, published_markdown,
    searches_markdown, sections_markdown,
};
use reports::{Order, Run, Table};

/// A part of a document between marks: the word of the mark, and the function that makes the text.
type Part = (&'static str, fn(&Path) -> Option<String>);

/// The documents that show something of runs, with what they show.
const DOCUMENTS: [(&str, &[Part]); 2] = [
    ("README.md", &[("outcome", |run| claim_outcome_markdown(&table(run)))]),
    (
        "reports/runs/README.md",
        &[
            ("results", |run| published_markdown(&table(run))),
            ("claim", |run| claim_summary_markdown(&table(run))),
            ("searches", |run| searches_markdown(&table(run))),
            ("outcome", |run| claim_outcome_markdown(&table(run))),
            ("findings", |run| Some(findings_markdown(&sections(run).unwrap()))),
        ],
    ),
];

/// The table of a run without warnings.
fn table(run: &Path) -> Table {
    let loaded = Run::load(run).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(loaded.warnings, [""; 0], "{}", run.display());
    loaded.table_in(Order::Published)
}

/// The text with what stands between each pair of marks made anew from the run that the first mark
/// names, and how many there are.
fn spliced(text: &str, root: &Path, (word, made): Part) -> (String, usize) {
    let (begin, end) = (format!("<!-- {word} of "), format!("<!-- end of {word} -->"));
    let mut parts = text.split(&begin);
    let mut out = parts.next().unwrap_or_default().to_owned();
    let mut count = 0;
    for part in parts {
        let (folder, rest) = part.split_once(" -->").expect("the mark is closed");
        let (_, after) = rest.split_once(&end).expect("the part has an end");
        let made = made(&root.join(folder));
        let made = made.unwrap_or_else(|| panic!("{folder} has no published row"));
        out += &format!("{begin}{folder} -->\n{made}{end}{after}");
        count += 1;
    }
    (out, count)
}

/// `UPDATE_EXPECT=1 cargo test -p reports --lib tests::readme::` writes them anew.
#[test]
fn the_results_in_documents_are_those_of_the_committed_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for (document, parts) in DOCUMENTS {
        let path = root.join(document);
        let text = std::fs::read_to_string(&path).unwrap();
        let expected = parts.iter().fold(text.clone(), |text, &part| {
            let (text, count) = spliced(&text, &root, part);
            assert!(count > 0, "{document} shows no {}", part.0);
            text
        });
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&path, &expected).unwrap();
            continue;
        }
        for (line, (is, should)) in text.lines().zip(expected.lines()).enumerate() {
            assert_eq!(is, should, "{document}:{}: not what the run says", line + 1);
        }
        assert_eq!(text, expected);
    }
}

#[test]
fn the_report_of_languages_is_that_of_its_facts() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("runs/languages");
    let path = dir.join("languages.md");
    let made = sections_markdown(&sections(&dir).unwrap());
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), made, "ggpbench languages --again");
}

/// The first screen shows the outcome of both ways of measuring, for somebody who reads no further.
#[test]
fn the_first_screen_has_what_was_measured_by_listing_and_by_the_fastest_way() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let text = std::fs::read_to_string(root.join("README.md")).unwrap();
    let found = text.split_once("## What it finds").unwrap().1.split_once("\n## ").unwrap().0;
    for (run, engine) in [("listed", "ludeme (listed) over "), ("table1", "ludeme over ")] {
        let mark = format!("<!-- outcome of reports/runs/{run} -->");
        let part = found.split_once(&mark).expect(run).1.split_once("<!-- end").unwrap().0;
        for other in ["propnet", "prover"] {
            let line = part.lines().find(|line| line.contains(&format!("{engine}{other}")));
            let line = line.unwrap_or_else(|| panic!("{run} does not tell of {other}"));
            assert!(line.contains(" rows") && line.contains("× ("), "{line}");
        }
    }
    assert!(text.split_whitespace().count() <= 900, "README.md has a limit of 900 words");
}
