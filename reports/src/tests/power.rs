//! The test that the detectable deviation of a proof stands in every notation.

use reports::{Detects, Options, Run, Sample, artefacts};

use crate::tests::made::{self, GAMES};

/// Two games on two engines; `of` says what the proof of each detects.
fn run(of: impl Fn(&str, &str) -> Option<Detects>) -> Run {
    let mut rows: Vec<Sample> = Vec::new();
    for game in &GAMES[..2] {
        for engine in ["rbg", "ludeme"] {
            let samples = made::samples(game, engine, "lud", 1e6, 3, 0.02).into_iter();
            rows.extend(samples.map(|row| Sample { detects: of(game.0, engine), ..row }));
        }
    }
    Run::from_samples(rows)
}

/// A file of its report.
fn file(run: &Run, name: &str) -> String {
    let options = Options { baseline: Some("rbg".to_owned()), ..Options::default() };
    let files = artefacts(run, &options).unwrap();
    let (_, bytes) = files.into_iter().find(|(file, _)| file == name).unwrap();
    String::from_utf8(bytes).unwrap()
}

const WORST: &str = "The proofs would have seen deviations of mean plies and payoffs of 2.5 % or \
                     more (worst: Tic-Tac-Toe (5x5) on ludeme), with a probability of 95 %.";

#[test]
fn the_worst_row_is_named_in_every_notation_and_each_figure_has_its_own() {
    let run = run(|game, engine| {
        Some(match (game, engine) {
            ("tic-tac-toe-5x5", "ludeme") => Detects::of_shares(0.0041, 0.025, "rbg"),
            (_, "ludeme") => Detects::of_shares(f64::INFINITY, f64::INFINITY, "it stands alone"),
            _ => Detects::of_shares(0.001, 0.002, "ludeme"),
        })
    });
    let blind = "Of 1 figure no comparison could have shown a deviation.";
    let text = file(&run, "table.md");
    assert!(text.contains(&format!("\n{WORST} {blind}\n")), "{text}");
    let latex = file(&run, "table.tex");
    assert!(latex.contains(&WORST.replace(" %", "\\,\\%")), "{latex}");

    let csv = file(&run, "table.csv");
    let fields = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
    let head = fields(csv.lines().next().unwrap());
    let at = head.iter().position(|name| name == "detects_plies").unwrap();
    let lines: Vec<Vec<String>> = csv.lines().skip(1).map(fields).collect();
    let of = |game: &str, engine: &str| {
        let line = lines.iter().find(|line| line[0] == game && line[4] == engine).unwrap();
        line[at..at + 3].join(" ")
    };
    assert_eq!(of("tic-tac-toe-5x5", "ludeme"), "0.0041 0.025 rbg");
    assert_eq!(of("tic-tac-toe-3x3", "ludeme"), "  it stands alone");

    let page = file(&run, "report.html");
    for words in [
        "a deviation of 0.41 % of the mean length, or 2.5 % of the range of payoffs, with a \
         probability of 95 % (beside rbg)",
        "no deviation: it stands alone",
        WORST,
    ] {
        assert!(page.contains(words), "{words}");
    }
}

#[test]
fn of_old_files_nothing_is_said() {
    let text = file(&run(|_, _| None), "table.md");
    assert!(!text.contains("would have seen"), "{text}");
}
