//! The tables of documents are those of the committed runs that they name.

use std::path::Path;

use reports::render::{claim_ratios_markdown, claim_summary_markdown, published_markdown};
use reports::rows::{Sample, Via};
use reports::{Order, Run, Table};

/// What may stand between marks: the word of the mark, which samples it is about, and what makes the
/// text.
type Part = (&'static str, fn(&Sample) -> bool, fn(&Table) -> Option<String>);

/// Without the ways to play that only tell what a compiler gains.
fn compiled(sample: &Sample) -> bool {
    sample.via != Via::Interpreted
}

/// The documents that show something of runs, with what they show.
const DOCUMENTS: [(&str, &[Part]); 2] = [
    ("README.md", &[("ratios", compiled, claim_ratios_markdown)]),
    (
        "reports/runs/README.md",
        &[("results", |_| true, published_markdown), ("claim", |_| true, claim_summary_markdown)],
    ),
];

/// The text with what stands between each pair of marks made anew from the run that the first mark
/// names, and how many there are.
fn spliced(text: &str, root: &Path, (word, is_shown, made): Part) -> (String, usize) {
    let (begin, end) = (format!("<!-- {word} of "), format!("<!-- end of {word} -->"));
    let mut parts = text.split(&begin);
    let mut out = parts.next().unwrap_or_default().to_owned();
    let mut count = 0;
    for part in parts {
        let (folder, rest) = part.split_once(" -->").expect("the mark is closed");
        let (_, after) = rest.split_once(&end).expect("the part has an end");
        let mut run = Run::load(&root.join(folder)).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(run.warnings, [""; 0], "{folder}");
        run.samples.retain(is_shown);
        let made = made(&run.table_in(Order::Published));
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
