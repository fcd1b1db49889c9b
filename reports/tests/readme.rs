//! The tables of the top README are those of the committed runs that they name.

use std::path::Path;

use reports::render::published_markdown;
use reports::{Order, Run};

const BEGIN: &str = "<!-- results of ";
const END: &str = "<!-- end of results -->";

/// The text with each table between its marks made anew from the run that the first mark names, and
/// how many there are.
fn spliced(text: &str, root: &Path) -> (String, usize) {
    let mut parts = text.split(BEGIN);
    let mut out = parts.next().unwrap_or_default().to_owned();
    let mut tables = 0;
    for part in parts {
        let (folder, rest) = part.split_once(" -->").expect("the mark is closed");
        let (_, after) = rest.split_once(END).expect("the table has an end");
        let run = Run::load(&root.join(folder)).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(run.warnings, [""; 0], "{folder}");
        let table = published_markdown(&run.table_in(Order::Published));
        let table = table.unwrap_or_else(|| panic!("{folder} has no published row"));
        out += &format!("{BEGIN}{folder} -->\n{table}{END}{after}");
        tables += 1;
    }
    (out, tables)
}

/// `UPDATE_EXPECT=1 cargo test -p reports --test readme` writes them anew.
#[test]
fn the_results_of_the_readme_are_those_of_the_committed_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let path = root.join("README.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (expected, tables) = spliced(&text, &root);
    assert!(tables > 0, "the README shows no results");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(&path, &expected).unwrap();
        return;
    }
    for (line, (is, should)) in text.lines().zip(expected.lines()).enumerate() {
        assert_eq!(is, should, "README.md:{}: not what the run says", line + 1);
    }
    assert_eq!(text, expected);
}
