//! `table.tex`: what it says, and that TeX sets it inside the page.

use crate::tests::made;
use std::process::Command;

use expect_test::expect_file;
use reports::{Options, Run, Sample, artefacts};

/// The `table.tex` of a run on a machine.
fn latex(rows: Vec<Sample>) -> String {
    let mut run = Run::from_samples(rows);
    run.machine = Some(
        "cpu: Example_9000 @ 3 GHz\ncores available: 2\ngit revision: abc123\n\
         compiler: rustc 1.95.0 (1 2026)\nseed: 1\n"
            .to_owned(),
    );
    let files = artefacts(&run, &Options::default()).unwrap();
    let (_, bytes) = files.into_iter().find(|(name, _)| name == "table.tex").unwrap();
    String::from_utf8(bytes).unwrap()
}

/// Compiles it by the script that the README names; `false` where there is no TeX.
fn compiles(name: &str, text: &str) -> bool {
    let folder = made::folder().join("latex").join(name);
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("table.tex"), text).unwrap();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/latex-test");
    let output = Command::new(script).arg(&folder).output().unwrap();
    let (said, errors) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{name}: {said}{errors}");
    eprint!("{said}");
    said.contains("fine: ")
}

#[test]
fn tables_fit_the_page_whatever_the_names_are() {
    let hostile = |text: &str| -> Vec<Sample> {
        let mut rows = made::samples(&made::GAMES[0], "ludeme", "lud", 1e5, 3, 0.01);
        rows.extend(made::samples(&made::GAMES[0], "rbg", "rbg", 1e4, 3, 0.01));
        for row in &mut rows {
            row.title = text.to_owned();
            row.engine = format!("{}{text}", row.engine);
        }
        rows
    };
    // A title of every sign that a keyboard has, one of letters from everywhere, and a long one.
    let signs: String = (' '..='~').filter(|c| !c.is_alphanumeric()).collect();
    let runs = [
        ("every-verdict", made::every_verdict()),
        ("forty-three", made::forty_three()),
        ("signs", hostile(&signs)),
        ("commands", hostile("[3pt] *\\input{x} ^^M % \\end{tabular} $&#_~")),
        ("letters", hostile("Mū Tōrere ÅÉßøž – 日本 ð Жё … ☃")),
        ("long", hostile(&"supercalifragilistic ".repeat(12))),
    ];
    for (name, rows) in runs {
        if !compiles(name, &latex(rows)) {
            return;
        }
    }
    // The script finds what is too wide.
    let wide = latex(made::fourteen()).replace("Amazons", &"Amazons ".repeat(40));
    let caught = std::panic::catch_unwind(|| compiles("wide", &wide));
    assert!(caught.is_err(), "a table that is too wide passed");
}

#[test]
fn captions_say_how_it_was_measured_and_explain_every_mark() {
    let text = latex(made::every_verdict());
    expect_file!["snapshots/latex-captions.tex"].assert_eq(&text);
}

#[test]
fn many_engines_are_shared_among_parts_that_each_name_the_games() {
    let text = latex(made::forty_three());
    let parts: Vec<&str> = text.split("\\begin{table*}").skip(1).collect();
    let of_rates: Vec<&&str> = parts.iter().filter(|part| part.contains("tab:playouts")).collect();
    assert!(of_rates.len() > 1);
    let shown = |engine: &str| parts.iter().filter(|part| part.contains(engine)).count();
    for engine in ["bitboard", "ludeme-jit", "python", "rbg"] {
        assert!(shown(engine) > 0, "{engine} is in no part");
    }
    assert!(
        of_rates
            .iter()
            .all(|part| part.lines().filter(|line| line.ends_with("\\\\")).count() <= 52)
    );
}
