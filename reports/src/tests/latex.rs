//! `table.tex`: what it says, and that TeX sets it inside the page.

use crate::tests::made;
use std::process::Command;

use expect_test::expect;
use reports::{Options, Run, Sample, artefacts};

/// The `table.tex` of a run on a machine.
fn latex(rows: Vec<Sample>) -> String {
    let mut run = Run::from_samples(rows);
    run.machine = Some(
        "cpu: Example_9000 @ 3 GHz\ncores available: 2\ngit revision: abc123\ncompiler: rustc 1.95.0 (1 2026)\nseed: 1\n"
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
    expect![[r#"
        % Made by ggpbench from measurements.csv. Needs \usepackage{booktabs} and, for what is cited,
        % reports/published/references.bib of the repository of ggpbench.
        \begin{table*}[tp]
        \centering\small
        \setlength{\tabcolsep}{3pt}
        \caption{Playouts per CPU second on one core; k is a thousand, M a million. $\pm$ is the larger half of the 95\,\% interval, in per cent. A dash is a game that the engine does not play in this way. \textdagger{} The worker had less than 90\,\% of its cores' time: something else was running. Measure again on an idle machine. Unchecked: there was nothing to check the engine by. Each figure is of 1 process in 1 to 4 samples, 802 ms of CPU time in the median, after warm-up; 95\,\% intervals of a bootstrap over rounds. Machine Example\_9000 @ 3 GHz (2 cores available), ggpbench revision abc123, rustc 1.95.0, seed 1.}
        \label{tab:playouts}
        \vspace{4pt}
        \begin{tabular}{@{}lr@{ }lr@{ }lr@{ }lr@{ }lr@{ }lr@{ }lr@{ }l@{}}
        \toprule
        game & \multicolumn{2}{c}{plies} & \multicolumn{2}{c}{bitboard} & \multicolumn{2}{c}{ludeme} & \multicolumn{2}{c}{propnet} & \multicolumn{2}{c}{prover} & \multicolumn{2}{c}{python} & \multicolumn{2}{c}{rbg} \\
        \midrule
        Tic-Tac-Toe (3x3) & \multicolumn{2}{r}{9.5} & 25.3\,M & $\pm$0.3 & 3.06\,M & $\pm$1.0 & \multicolumn{2}{r}{--} & 21.3\,k & $\pm$2.5 \textdagger{} & 39.2 & unchecked & \multicolumn{2}{r}{--} \\
        Chess & \multicolumn{2}{r}{9.5} & \multicolumn{2}{r}{unsupported} & 804 & $\pm$1.0 & \multicolumn{2}{r}{too large} & \multicolumn{2}{r}{WRONG} & \multicolumn{2}{r}{--} & \multicolumn{2}{r}{invalid} \\
        Loops \textbar{} and {*}stars{*} & \multicolumn{2}{r}{--} & \multicolumn{2}{r}{--} & \multicolumn{2}{r}{capped} & \multicolumn{2}{r}{crashed} & \multicolumn{2}{r}{timeout} & \multicolumn{2}{r}{--} & \multicolumn{2}{r}{disputed} \\
        \bottomrule
        \end{tabular}
        \end{table*}
        % Chess on bitboard: unsupported: no hand-coded game of this name
        % Chess on propnet: too large: grounding passed 5,000,000 rules (limit)
        % Chess on prover: WRONG: after e2e4 e7e5:
        % Chess on rbg: invalid: chess.rbg:3:7: expected `->`
        % Loops | and *stars* on ludeme: capped: every playout ran into the cap of 1,000 plies
        % Loops | and *stars* on propnet: crashed: the worker died of signal 11 in round 2
        % Loops | and *stars* on prover: timeout: no playout within 10 s
        % Loops | and *stars* on rbg: disputed: after a1: rbg has 3 moves, python 4, and nothing decides between them
        \begin{table*}[tp]
        \centering\small
        \setlength{\tabcolsep}{3pt}
        \caption{Playouts per CPU second over those of ludeme, from what was measured together. $\pm$ is the larger half of the 95\,\% interval, in per cent. The mean's interval is the noise of measuring, not the choice of games. Measured as in Table~\ref{tab:playouts}. \textdagger{} The worker had less than 90\,\% of its cores' time: something else was running. Measure again on an idle machine.}
        \label{tab:speedup}
        \vspace{4pt}
        \begin{tabular}{@{}lr@{ }lr@{ }lr@{ }l@{}}
        \toprule
        game & \multicolumn{2}{c}{bitboard} & \multicolumn{2}{c}{prover} & \multicolumn{2}{c}{python} \\
        \midrule
        Tic-Tac-Toe (3x3) & 8.27 & $\pm$0.9 & 0.00695 & $\pm$3.5 \textdagger{} & \multicolumn{2}{r}{0.0000129} \\
        \midrule
        geometric mean & 8.27 & $\pm$0.9 & 0.00695 & $\pm$3.5 & \multicolumn{2}{r}{0.0000129} \\
        number of games & \multicolumn{2}{r}{1} & \multicolumn{2}{r}{1} & \multicolumn{2}{r}{1} \\
        \bottomrule
        \end{tabular}
        \end{table*}
        \begin{table*}[tp]
        \centering\small
        \setlength{\tabcolsep}{3pt}
        \caption{The claim of Piette et al.~\cite{piette2020ludii}, tested: playouts per second of Ludii and GGP-base as printed there, their ratio, and the ratios of engines measured here. $\pm$ is the larger half of the 95\,\% interval, in per cent. Measured as in Table~\ref{tab:playouts}. \textdagger{} The worker had less than 90\,\% of its cores' time: something else was running. Measure again on an idle machine.}
        \label{tab:claim}
        \vspace{4pt}
        \begin{tabular}{@{}lr@{ }lr@{ }lr@{ }lr@{ }l@{}}
        \toprule
        row of the paper & \multicolumn{2}{c}{Ludii,} & \multicolumn{2}{c}{GGP-base,} & \multicolumn{2}{c}{Ludii /} & \multicolumn{2}{c}{ludeme /} \\
         & \multicolumn{2}{c}{printed} & \multicolumn{2}{c}{printed} & \multicolumn{2}{c}{GGP-base,} & \multicolumn{2}{c}{prover} \\
         & \multicolumn{2}{c}{} & \multicolumn{2}{c}{} & \multicolumn{2}{c}{printed} & \multicolumn{2}{c}{} \\
        \midrule
        Tic-Tac-Toe (3x3) & \multicolumn{2}{r}{641,445} & \multicolumn{2}{r}{85,319} & \multicolumn{2}{r}{7.52} & 144 & $\pm$3.6 \textdagger{} \\
        Chess & \multicolumn{2}{r}{1,075} & \multicolumn{2}{r}{0.06} & \multicolumn{2}{r}{17,900} & \multicolumn{2}{r}{--} \\
        \midrule
        geometric mean & \multicolumn{2}{r}{} & \multicolumn{2}{r}{} & \multicolumn{2}{r}{367} & 144 & $\pm$3.6 \\
        faster / slower / undecided & \multicolumn{2}{r}{} & \multicolumn{2}{r}{} & \multicolumn{2}{r}{2 / 0 / 0} & \multicolumn{2}{r}{1 / 0 / 0} \\
        \bottomrule
        \end{tabular}
        \end{table*}
        \begin{table*}[tp]
        \centering\small
        \setlength{\tabcolsep}{3pt}
        \caption{Playouts per CPU second here over those that Piette et al.~\cite{piette2020ludii} print for the system of the same language, on another machine and with versions of 2019: only large factors mean anything. $\pm$ is the larger half of the 95\,\% interval, in per cent. Measured as in Table~\ref{tab:playouts}. \textdagger{} The worker had less than 90\,\% of its cores' time: something else was running. Measure again on an idle machine.}
        \label{tab:printed}
        \vspace{4pt}
        \begin{tabular}{@{}lr@{ }lr@{ }l@{}}
        \toprule
        row of the paper & \multicolumn{2}{c}{ludeme /} & \multicolumn{2}{c}{prover /} \\
         & \multicolumn{2}{c}{Ludii} & \multicolumn{2}{c}{GGP-base} \\
        \midrule
        Tic-Tac-Toe (3x3) & 4.77 & $\pm$1.0 & 0.249 & $\pm$2.5 \textdagger{} \\
        Chess & 0.748 & $\pm$1.0 & \multicolumn{2}{r}{--} \\
        \midrule
        geometric mean & 1.89 & $\pm$0.7 & 0.249 & $\pm$2.5 \\
        faster / slower / undecided & \multicolumn{2}{r}{1 / 1 / 0} & \multicolumn{2}{r}{0 / 1 / 0} \\
        \bottomrule
        \end{tabular}
        \end{table*}
    "#]].assert_eq(&text);
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
