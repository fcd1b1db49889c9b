//! The comparison of languages, from the committed runs of the repository.

use std::path::Path;

use reports::Run;
use reports::languages::{file_name, sections, speed, text};
use reports::render::sections_markdown;
use reports::render::{TerminalOptions, sections_html, sections_latex, sections_terminal};

use crate::tests::made;
use crate::tests::picture::Drawing;

/// The folders of runs that have listed moves, playouts, searches and other systems.
const RUNS: [&str; 4] = ["listed", "search", "peers", "table1"];

#[test]
fn the_committed_runs_show_speed_in_four_ways_and_referee_what_papers_print() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("runs");
    let runs = RUNS.map(|name| Run::load(&root.join(name)).unwrap());
    let rows = speed::rows_of(&runs);
    let dir = made::folder().join("languages");
    std::fs::create_dir_all(&dir).unwrap();
    std::fs::write(dir.join(file_name("speed")), text(&rows).unwrap()).unwrap();
    let sections = sections(&dir).unwrap();
    let titles: Vec<&str> = sections.iter().map(|section| section.title).collect();
    assert_eq!(titles, ["Speed, four ways", "Printed comparisons, repeated"]);
    let markdown = sections_markdown(&sections);
    for way in ["playouts, over games by hand", "search, over games by hand"] {
        assert!(markdown.contains(way), "{way}: {markdown}");
    }
    assert!(markdown.contains("about 37 times"), "{markdown}");
    std::fs::write(dir.join("languages.md"), markdown).unwrap();
    std::fs::write(dir.join("languages.html"), sections_html(&sections)).unwrap();
    assert!(sections_latex(&sections).contains("\\label{tab:ways}"));
    let narrow = TerminalOptions { width: Some(80), colour: false };
    let terminal = sections_terminal(&sections, narrow);
    assert!(terminal.contains("SPEED, FOUR WAYS"), "{terminal}");
    let picture = sections[0].pictures.first().expect("a chart of the ways");
    std::fs::write(dir.join("ways.svg"), &picture.svg).unwrap();
    std::fs::write(dir.join("ways.png"), &picture.png).unwrap();
    let drawing = Drawing::read(&picture.svg);
    drawing.check_layout("ways");
    drawing.check_pixels("ways", &picture.png);
}
