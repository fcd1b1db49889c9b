//! Text from foreign files and workers: whatever it is, it reaches no terminal, table or page but
//! as text.

use crate::tests::made;
use std::path::Path;

use proptest::prelude::*;
use reports::chart::{self, Data, Picture};
use reports::render::{
    Document, TerminalOptions, comparison_csv, comparison_text, page_html, ranking_text, table_csv,
    table_latex, table_markdown, table_terminal,
};
use reports::rows::{COLUMNS, read_file};
use reports::text::printable_lines;
use reports::{Record, Run, Sample, SampleWriter, Verdict, compare};

/// Texts that mean something to a terminal, a spreadsheet or a notation, among any others.
fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[=+@'\t\r-]{1,3}[a-z0-9()!\u{1b}\n]{0,6}",
        Just("<img src=x onerror=alert(1)>".to_owned()),
        Just("\u{1b}]0;title\u{7}\u{1b}[2J\u{9b}31m".to_owned()),
        Just("a|b`c`[d](http://e)**f**\n\n# g\n% h".to_owned()),
        Just("\\input{x} $x$ \\u{1b} \u{202e}cba\u{2028}".to_owned()),
        Just("</script><script>alert(1)</script>".to_owned()),
    ]
}

/// A run of two games and two engines in which every text is one of these.
fn rows(texts: &[String; 8]) -> Vec<Sample> {
    let [game, title, engine, reason, warning, host, build, option] = texts.clone();
    let mut rows = made::samples(&made::GAMES[0], "ludeme", "lud", 1e5, 3, 0.01);
    let mut others = made::samples(&made::GAMES[0], "rbg", "rbg", 1e4, 3, 0.01);
    others.extend(made::samples(&made::GAMES[1], "rbg", "rbg", 1e4, 3, 0.01));
    for row in &mut others {
        row.engine = format!("e{engine}");
        row.warnings = vec![warning.clone()];
        row.rng.clone_from(&title);
    }
    rows.extend(others);
    rows.push(made::failed(&made::GAMES[1], "ludeme", "lud", Verdict::Crashed, "why"));
    for row in &mut rows {
        if !row.reason.is_empty() {
            row.reason = format!("r{reason}");
        }
        row.game = format!("{}{game}", row.game);
        row.title.clone_from(&title);
        row.paper.clear();
        row.host.clone_from(&host);
        row.build.clone_from(&build);
        row.options = vec![option.clone()];
        row.language = format!("l{reason}");
    }
    rows
}

/// True if there is no character that moves others or is not to be seen, but for tabs and line
/// breaks.
fn is_clean(text: &str) -> bool {
    printable_lines(text) == text
}

/// True if no field of a CSV file would be run by a spreadsheet.
fn is_safe_csv(text: &str) -> bool {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    let fields: Vec<String> = reader
        .records()
        .flat_map(|record| record.unwrap().iter().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    let is_formula = |field: &String| {
        field.starts_with(['=', '+', '-', '@', '\t', '\r']) && field.parse::<f64>().is_err()
    };
    is_clean(text) && !fields.iter().any(is_formula)
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 24,
        max_shrink_iters: 20,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn no_text_reaches_a_report_but_as_text(texts in prop::array::uniform8(texts())) {
        let mut run = Run::from_samples(rows(&texts));
        let table = run.table();
        let speedups = table.speedups(None).unwrap();
        let document = Document {
            table: &table,
            speedups: &speedups,
            curves: &[],
            machine: Some(&texts[0]),
            warnings: &run.warnings,
        };
        let csv = table_csv(&table, &speedups);
        prop_assert!(is_safe_csv(&csv), "{csv}");
        let command = ["bench", &texts[0], "--games", &texts[1]];
        run.record = Some(Record { arguments: command.map(str::to_owned).into() });
        let data = Data { table: &table, speedups: &speedups, curves: &[] };
        // Of charts those that write texts in different ways.
        let pictures: Vec<Picture> = chart::ALL
            .iter()
            .filter(|chart| ["rates", "compile", "verdicts"].contains(&chart.name))
            .flat_map(|chart| chart.draw(&data).unwrap())
            .collect();
        prop_assert_eq!(pictures.len(), 3);
        for picture in &pictures {
            prop_assert!(is_clean(&picture.svg) && !picture.svg.contains("<img"));
        }
        let html = page_html(&document, &pictures, &run).unwrap();
        prop_assert!(is_clean(&html));
        prop_assert_eq!(html.matches("<script").count(), 1);
        prop_assert!(!html.contains("<img"));
        let latex = table_latex(&document);
        prop_assert!(is_clean(&latex));
        let mut set = latex.lines().filter(|line| !line.starts_with('%'));
        prop_assert!(!set.any(|line| line.contains("\\input")), "{latex}");
        let markdown = table_markdown(&document);
        prop_assert!(is_clean(&markdown), "{markdown}");
        // Not in code blocks either: not everything that shows Markdown knows them.
        prop_assert!(!markdown.contains("<img") && !markdown.contains("<script"), "{markdown}");
        prop_assert!(is_clean(&table_terminal(&table, TerminalOptions::default())));
        if let Ok(ranking) = reports::rank::rank(&table, &[]) {
            prop_assert!(is_clean(&ranking_text(&ranking)));
        }
        let mut other = run.clone();
        other.machine = Some(format!("cpu: {}\n", texts[1]));
        run.machine = Some(format!("cpu: x{}\n", texts[2]));
        let comparison = compare(&run, &other);
        prop_assert!(is_clean(&comparison_text(&comparison)));
        prop_assert!(is_safe_csv(&comparison_csv(&comparison)));
    }

    #[test]
    fn rows_are_safe_lines_and_are_read_back(texts in prop::array::uniform8(texts())) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("measurements.csv");
        // Items of lists are kept as printable text.
        let rows: Vec<Sample> = rows(&texts)
            .into_iter()
            .map(|row| Sample { warnings: Vec::new(), options: Vec::new(), ..row })
            .collect();
        let mut writer = SampleWriter::create(&path).unwrap();
        for row in &rows {
            writer.write(row).unwrap();
        }
        let text = std::fs::read_to_string(&path).unwrap();
        prop_assert_eq!(text.lines().count(), rows.len() + 1);
        prop_assert!(is_safe_csv(&text));
        prop_assert_eq!(read_file(&path).unwrap().samples, rows);
    }
}

#[test]
fn an_error_names_a_hostile_field_without_its_signs() {
    let text = format!("{}\n", COLUMNS.join(",")).replace("title", "\u{1b}[2J");
    let error = reports::rows::read_text(&text, Path::new("m.csv")).unwrap_err().to_string();
    assert!(is_clean(&error), "{error:?}");
}
