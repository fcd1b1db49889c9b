//! Tables in terminals of any width.

use crate::tests::made;
use std::collections::BTreeSet;

use reports::render::{Sheet, TerminalOptions, Tone, table_terminal};
use reports::text::wrapped;
use reports::{Method, Order, Run, Sample, Table};

fn at(width: u16) -> TerminalOptions {
    TerminalOptions { width: Some(width), colour: false }
}

/// Every game of the default run, some of them tabled by some engines.
fn tabled() -> Vec<Sample> {
    let mut rows = made::fourteen();
    for row in &mut rows {
        let is_tabled =
            row.engine == "prover" || row.engine == "ludeme" && row.game == "tic-tac-toe-3x3";
        row.method = Some(if is_tabled { Method::Tabled } else { Method::Counted });
    }
    rows
}

#[test]
fn no_line_is_too_long_and_no_word_is_broken() {
    let many = made::forty_three();
    let runs = [made::every_verdict(), made::fourteen(), tabled(), many];
    for rows in runs {
        let table = Table::new(&rows, Order::Measured);
        // What stands in a line of its own anywhere may stand anywhere.
        let wide = table_terminal(&table, TerminalOptions::default());
        let compact = without_intervals(&table);
        let words: BTreeSet<&str> =
            wide.split_whitespace().chain(compact.split_whitespace()).collect();
        for width in (40..=200).step_by(4) {
            let text = table_terminal(&table, at(width));
            for line in text.lines() {
                let columns = line.chars().count();
                assert!(columns <= usize::from(width), "{columns} > {width}: {line}");
            }
            for word in text.split_whitespace().filter(|word| !word.starts_with('─')) {
                let known = words.contains(word) || word.ends_with('…');
                assert!(known, "at {width} columns there is a word {word:?}");
            }
            // Whatever is cut or split, no pair is lost.
            for column in table.columns() {
                assert!(text.contains(&column.engine), "{} is lost at {width}", column.engine);
            }
        }
    }
}

/// The table without intervals, in one block: one column less than it has with them is too few for
/// it.
fn without_intervals(table: &Table) -> String {
    let whole = table_terminal(table, TerminalOptions::default());
    let grid = whole.lines().take_while(|line| !line.contains(" pairs: "));
    let widest = grid.map(|line| line.chars().count()).max().unwrap_or(0);
    table_terminal(table, at(widest as u16 - 1))
}

#[test]
fn tabled_figures_stand_marked_in_the_column_of_their_engine() {
    let table = Run::from_samples(tabled()).table();
    let labels: Vec<String> = table.ways().iter().map(|way| way.column.label()).collect();
    assert_eq!(labels, ["bitboard", "ludeme", "propnet", "prover (tabled)"]);
    let text = table_terminal(&table, TerminalOptions::default());
    let marked: Vec<&str> = text.lines().filter(|line| line.contains('‡')).collect();
    let [row, note] = marked[..] else { panic!("{marked:?}") };
    assert!(row.contains("Tic-Tac-Toe (3x3)") && note.starts_with("‡ Tabled"));

    // Where an engine has figures of both kinds for one game, its columns stay apart.
    let mut rows = tabled();
    let mut again: Vec<Sample> = made::samples(&made::GAMES[1], "ludeme", "lud", 1e5, 3, 0.01);
    for row in &mut again {
        row.method = Some(Method::Tabled);
        row.process = 1;
    }
    rows.extend(again);
    let table = Table::new(&rows, Order::Measured);
    let labels: Vec<String> = table.ways().iter().map(|way| way.column.label()).collect();
    assert_eq!(labels, ["bitboard", "ludeme", "ludeme (tabled)", "propnet", "prover (tabled)"]);
}

#[test]
fn a_sheet_is_split_between_columns_and_names_are_cut_last() {
    let mut sheet = Sheet::new("game", ["one", "two", "three"].map(str::to_owned));
    sheet.push("a game of many words", ["1", "2", "3"].map(|text| (text.to_owned(), Tone::Plain)));
    assert!(sheet.fits(Some(60)) && !sheet.fits(Some(30)));
    let blocks = sheet.draw(at(30));
    assert_eq!(blocks.matches("a game of many words").count(), 3, "{blocks}");
    let narrow = sheet.draw(at(16));
    assert_eq!(narrow.matches("…\n").count() + narrow.matches("… ").count(), 3, "{narrow}");
    assert!(narrow.lines().all(|line| line.chars().count() <= 16), "{narrow}");
    // A line with too few figures has gaps.
    sheet.push("short", []);
    assert!(sheet.draw(at(16)).contains("short"));
    assert!(Sheet::new("", []).draw(at(1)).lines().count() > 0);
}

#[test]
fn wrapping_loses_nothing() {
    let text = table_terminal(&Run::from_samples(tabled()).table(), TerminalOptions::default());
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    for width in 0..120 {
        assert_eq!(words(&wrapped(&text, width)), words(&text));
    }
}
