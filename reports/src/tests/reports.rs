//! Whole reports: what is written for known rows, and that it is the same every time.

use crate::tests::made;
use expect_test::expect;
use reports::render::{
    Document, TerminalOptions, comparison_csv, comparison_text, ranking_text, table_csv,
    table_markdown, table_terminal,
};
use reports::{
    Options, Order, Run, Sample, SampleWriter, Table, Verdict, Via, artefacts, compare, write_all,
};

fn every_verdict() -> Run {
    let mut run = Run::from_samples(made::every_verdict());
    run.machine = Some("cpu: Example 9000, 2 cores\ngovernor: performance\n".to_owned());
    run
}

#[test]
fn markdown() {
    let run = every_verdict();
    let table = run.table();
    let speedups = table.speedups(Some("ludeme")).unwrap();
    let document = Document {
        table: &table,
        speedups: &speedups,
        curves: &[],
        machine: run.machine.as_deref(),
        warnings: &run.warnings,
    };
    expect![[r#"
        # Playouts per CPU second

        3 games, 13 pairs of game and engine: 4 ok, 1 unchecked, 1 capped, 1 unsupported, 1 invalid, 1 too large, 1 timeout, 1 crashed, 1 disputed, 1 WRONG.

        | game | mean plies | bitboard | ludeme | propnet | prover | python | rbg |
        |---|---:|---:|---:|---:|---:|---:|---:|
        | Tic-Tac-Toe (3x3) | 9.50001 ± 0.00045 | 25.3 M (25.2–25.4) | 3.06 M (3.04–3.09) | – | 21.3 k (20.7–21.8) † | 39.2 unchecked | – |
        | Chess | 9.508 ± 0.079 | unsupported \[1\] | 804 (796–810) | too large \[2\] | WRONG \[3\] | – | invalid \[4\] |
        | Loops \| and \*stars\* | – | – | capped \[5\] | crashed \[6\] | timeout \[7\] | – | disputed \[8\] |

        1 of 5 cells were contended (†): the worker had less than 90 % of its cores' time, which makes the figure doubtful; measure again on an idle machine.

        ## Speed-up over ludeme

        | game | bitboard | prover | python |
        |---|---:|---:|---:|
        | Tic-Tac-Toe (3x3) | 8.27× (8.20–8.32) | 0.00695× (0.00671–0.00713) † | 0.0000129× |
        | geometric mean | 8.27× (8.20–8.32), 1 game | 0.00695× (0.00671–0.00713), 1 game | 0.0000129×, 1 game |

        ## Beside the published figures

        | row of the paper | Ludii | GDL | Ludii / GDL, printed | computed | bitboard | ludeme | propnet | prover | python | rbg |
        |---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
        | table1/Tic-Tac-Toe (3x3) | 641,445 | 85,319 | 7.52 | 7.52 | 25.3 M (25.2–25.4) | 3.06 M (3.04–3.09) | – | 21.3 k (20.7–21.8) † | 39.2 unchecked | – |
        | table1/Chess | 1,075 | 0.06 | 17916.67 | 17916.67 | unsupported | 804 (796–810) | too large | WRONG | – | invalid |

        Ludii and GDL are as printed in Piette et al., measured there on one core of a Xeon E5-2680 v2 at 2.80 GHz; the other columns were measured here, so a ratio between the two sides would compare machines as well.
        table1/Chess: GDL figure is of the prover; the propnet did not fit into memory.

        ## The paper's claim, tested

        Piette, Soemers, Stephenson, Sironi, Winands and Browne (Ludii – The Ludemic General Game System, ECAI 2020) report that Ludii, which plays games written in ludemes, outperforms GGP-base's propositional network, which plays the same games written in GDL. By their figures Ludii is faster on 29 of 29 rows; 14.6× as fast in the geometric mean, from 1.22× (Knight's Tour (8x8)) to 17,900× (Chess: GDL figure is of the prover; the propnet did not fit into memory). On the 2 of these rows that this run has, Ludii is faster on 2 of 2 rows; 367× as fast in the geometric mean.

        The claim between the engines of this run, which were measured side by side:

        - It holds in the mean for ludeme over prover: faster on 1 of 1 row; 144× (140–149) as fast in the geometric mean.

        Is it the language, or the engine?

        - The games and languages are the paper's, yet ludeme over prover is 19.1× (18.7–19.8) the printed ratio, on 1 row; the speed of the machine all but cancels in that factor, so it is mainly the engines that differ.
        - Ludemes come out ahead of every engine of GDL here that can be told apart from them.

        Against the printed figures, which come from another machine (a Xeon E5-2680 v2 at 2.80 GHz) and from versions of 2019, so that only large factors mean anything:

        - ludeme over Ludii, printed: 1.89× (1.88–1.90) in the geometric mean of 2 rows, slower on 1 row: Chess 0.748×.
        - prover over GGP-base, printed: 0.249× (0.243–0.255) in the geometric mean of 1 row, slower on 1 row: Tic-Tac-Toe (3x3) 0.249×.

        The rows of this run do not tell which engines carry results over from one playout to the next, so ratios may compare unlike things.

        † The worker had less than 90 % of its cores' time: something else was running. Measure again on an idle machine.

        | ratio | rows | faster | slower | undecided | geometric mean | least | greatest |
        |---|---:|---:|---:|---:|---:|---:|---:|
        | Ludii / GGP-base (printed, whole paper) | 29 | 29 | 0 | 0 | 14.6× | 1.22× | 17,900× |
        | Ludii / GGP-base (printed, rows of this run) | 2 | 2 | 0 | 0 | 367× | 7.52× | 17,900× |
        | ludeme / prover | 1 | 1 | 0 | 0 | 144× (140–149) | 144× (140–149) | 144× (140–149) |
        | ludeme / Ludii, printed | 2 | 1 | 1 | 0 | 1.89× (1.88–1.90) | 0.748× (0.741–0.754) | 4.77× (4.74–4.81) |
        | prover / GGP-base, printed | 1 | 0 | 1 | 0 | 0.249× (0.243–0.255) | 0.249× (0.243–0.255) | 0.249× (0.243–0.255) |

        ## Time to compile / to the end of the first playout / peak memory of the worker / size of a position

        | game | bitboard | ludeme | propnet | prover | python | rbg |
        |---|---:|---:|---:|---:|---:|---:|
        | Tic-Tac-Toe (3x3) | 1.00 ms / – / 9.00 MiB / 64 B | 1.00 ms / – / 9.00 MiB / 64 B | – | 1.00 ms / – / 9.00 MiB / 64 B | 1.00 ms / – / – / 64 B | – |
        | Chess | – | 1.00 ms / – / 9.00 MiB / 64 B | – | 1.00 ms / 12.8 s / 9.00 MiB / 64 B | – | – |
        | Loops \| and \*stars\* | – | 1.00 ms / – / 9.00 MiB / 64 B | 1.00 ms / – / 9.00 MiB / 64 B | – | – | – |

        ## Description size in tokens

        | game | .gdl | .lud |
        |---|---:|---:|
        | Tic-Tac-Toe (3x3) | 380 | 38 |
        | Chess | 380 | 38 |
        | Loops \| and \*stars\* | 380 | 38 |

        ## Why a pair is not `ok`

        1. Chess on bitboard: unsupported: no hand-coded game of this name
        2. Chess on propnet: too large: grounding passed 5,000,000 rules (limit)
        3. Chess on prover: WRONG

           ```text
           after e2e4 e7e5:
             prover has 28 moves, ludeme 29
             missing: `e1e2`
           ```
        4. Chess on rbg: invalid: chess.rbg:3:7: expected \`-&gt;\`
        5. Loops \| and \*stars\* on ludeme: capped: every playout ran into the cap of 1,000 plies
        6. Loops \| and \*stars\* on propnet: crashed: the worker died of signal 11 in round 2
        7. Loops \| and \*stars\* on prover: timeout: no playout within 10 s
        8. Loops \| and \*stars\* on rbg: disputed: after a1: rbg has 3 moves, python 4, and nothing decides between them

        ## Warnings

        - busy machine: Tic-Tac-Toe (3x3) on prover

        ## Machine

        ```text
        cpu: Example 9000, 2 cores
        governor: performance
        ```

        ## How to read this

        - A figure is playouts per second of CPU time: all playouts over all seconds of the samples after warm-up, for one core whatever the number of threads. k is a thousand, M a million.
        - In brackets stands the 95 % interval of a bootstrap over rounds (2,000 resamples). It tells the noise of this run on this machine, nothing about another machine.
        - A figure stands only beside a verdict. Pairs that are neither `ok` nor `unchecked` have none and are left out of every ratio, mean and chart; `unchecked` says that nothing was there to check against. A dash is a pair that does not exist: the game is not written in a language of that engine.
        - † The worker had less than 90 % of its cores' time: something else was running. Measure again on an idle machine.
        - A speed-up is formed between what was measured together: inside the processes that both engines share, or inside the rounds where there is one process. Its geometric mean is over games; the interval of the mean tells the noise of measuring these games, not the luck of having chosen them.
        - Mean plies come from the engine with the most playouts, with their standard error; forced passes are not counted.
        - Everything here is computed from `measurements.csv`, which has every sample.
    "#]].assert_eq(&table_markdown(&document));
}

#[test]
fn csv() {
    let table = every_verdict().table();
    let speedups = table.speedups(Some("ludeme")).unwrap();
    expect![[r#"
        game,title,paper,players,engine,language,via,method,tabled,control,threads,job,verdict,reason,playouts_per_cpu_s,playouts_per_cpu_s_low,playouts_per_cpu_s_high,playouts_per_wall_s,playouts_per_wall_s_low,playouts_per_wall_s_high,plies_per_cpu_s,plies_per_cpu_s_low,plies_per_cpu_s_high,mean_plies,mean_plies_error,mean_payoffs,mean_payoffs_error,speedup,speedup_low,speedup_high,speedup_over,speedup_comparable,published_ludii_per_s,published_gdl_per_s,published_ratio,over_published,playouts,capped,stuck,samples,processes,rounds,cpu_s,wall_s,utilisation,contended,compile_ns,first_playout_ns,peak_bytes,state_bytes,tokens,rules,options,build,warnings
        tic-tac-toe-3x3,Tic-Tac-Toe (3x3),table1/Tic-Tac-Toe (3x3),2,bitboard,native,fast,,false,false,1,,ok,,25300200,25213400,25374700,25174300,25087900,25248500,240352000,239532000,241063000,9.50001,0.000446322,,,8.27315,8.19646,8.31986,ludeme,true,641445,85319,7.52,,20080000,0,0,4,1,4,0.79367,0.797638,0.995025,false,1000629,,9437184,64,,,,,
        tic-tac-toe-3x3,Tic-Tac-Toe (3x3),table1/Tic-Tac-Toe (3x3),2,ludeme,lud,fast,,false,false,1,,ok,,3058110,3039390,3088290,3042900,3024270,3072920,29051900,28875300,29338400,9.49995,0.00127,,,,,,,,641445,85319,7.52,4.76753,2480000,0,0,4,1,4,0.810958,0.815013,0.995025,false,1000629,,9437184,64,38,,,,
        tic-tac-toe-3x3,Tic-Tac-Toe (3x3),table1/Tic-Tac-Toe (3x3),2,prover,gdl,fast,,false,false,1,,ok,,21256.2,20718.3,21755.4,10575.2,10307.6,10823.6,201960,196843,206610,9.50123,0.0153231,,,0.00695075,0.00670866,0.00712685,ludeme,true,641445,85319,7.52,0.249137,17040,0,0,4,1,4,0.80165,1.61132,0.497512,true,1000629,,9437184,64,380,,,,busy machine
        tic-tac-toe-3x3,Tic-Tac-Toe (3x3),table1/Tic-Tac-Toe (3x3),2,python,native,fast,,false,false,1,,unchecked,,39.1611,,,38.9663,,,372.03,,,9.5,,,,1.2878e-5,,,ludeme,true,641445,85319,7.52,,8,0,0,1,1,1,0.204284,0.205306,0.995025,false,1000629,,,64,,,,,
        chess,Chess,table1/Chess,2,bitboard,native,fast,,false,false,1,,unsupported,no hand-coded game of this name,,,,,,,,,,,,,,,,,,,1075,0.06,17916.7,,,,,,,,,,,,,,,,,,,,
        chess,Chess,table1/Chess,2,ludeme,lud,fast,,false,false,1,,ok,,804.495,796.224,810.434,800.492,792.263,806.402,7648.87,7591,7688.58,9.50767,0.0791186,,,,,,,,1075,0.06,17916.7,0.748367,652,0,0,4,1,4,0.810447,0.814499,0.995025,false,1000185,,9437184,64,38,,,,
        chess,Chess,table1/Chess,2,propnet,gdl,fast,,false,false,1,,too large,"grounding passed 5,000,000 rules (limit)",,,,,,,,,,,,,,,,,,,1075,0.06,17916.7,,,,,,,,,,,,,,,,,,,,
        chess,Chess,table1/Chess,2,prover,gdl,fast,,false,false,1,,WRONG,"after e2e4 e7e5:\n  prover has 28 moves, ludeme 29\n  missing: `e1e2`",,,,,,,,,,,,,,,,,,,1075,0.06,17916.7,,,,,,,,,,,,1000185,12787259726,9437184,64,380,,,,
        chess,Chess,table1/Chess,2,rbg,rbg,fast,,false,false,1,,invalid,chess.rbg:3:7: expected `->`,,,,,,,,,,,,,,,,,,,1075,0.06,17916.7,,,,,,,,,,,,,,,,,,,,
        loops,Loops | and *stars*,,2,ludeme,lud,fast,,false,false,1,,capped,"every playout ran into the cap of 1,000 plies",,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,1000703,,9437184,64,38,,,,
        loops,Loops | and *stars*,,2,propnet,gdl,fast,,false,false,1,,crashed,the worker died of signal 11 in round 2,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,1000703,,9437184,64,380,,,,
        loops,Loops | and *stars*,,2,prover,gdl,fast,,false,false,1,,timeout,no playout within 10 s,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,
        loops,Loops | and *stars*,,2,rbg,rbg,fast,,false,false,1,,disputed,"after a1: rbg has 3 moves, python 4, and nothing decides between them",,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,
    "#]].assert_eq(&table_csv(&table, &speedups));
}

#[test]
fn terminal() {
    let table = every_verdict().table();
    expect![[r#"
        ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
         playouts / CPU s                  plies       bitboard         ludeme     propnet           prover   python        rbg
        ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
         Tic-Tac-Toe (3x3)     9.50001 ± 0.00045   25.3 M ±0.3%   3.06 M ±1.0%           –   21.3 k ±2.5% †   39.2 ?          –
         Chess                     9.508 ± 0.079    unsupported      804 ±1.0%   too large            WRONG        –    invalid
         Loops | and *stars*                                  –         capped     crashed          timeout        –   disputed
        ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
        13 pairs: 4 ok, 1 unchecked, 1 capped, 1 unsupported, 1 invalid, 1 too large, 1 timeout, 1 crashed, 1 disputed, 1 WRONG
        Tic-Tac-Toe (3x3) on python: unchecked
        Chess on bitboard: unsupported: no hand-coded game of this name
        Chess on propnet: too large: grounding passed 5,000,000 rules (limit)
        Chess on prover: WRONG: after e2e4 e7e5:
        Chess on rbg: invalid: chess.rbg:3:7: expected `->`
        Loops | and *stars* on ludeme: capped: every playout ran into the cap of 1,000 plies
        Loops | and *stars* on propnet: crashed: the worker died of signal 11 in round 2
        Loops | and *stars* on prover: timeout: no playout within 10 s
        Loops | and *stars* on rbg: disputed: after a1: rbg has 3 moves, python 4, and nothing decides between them
        1 of 5 cells were contended (†): the worker had less than 90 % of its cores' time, which makes the figure doubtful; measure again on an idle machine.
    "#]].assert_eq(&table_terminal(&table, TerminalOptions::default()));
}

#[test]
fn a_narrow_terminal_gets_shorter_fields_and_colour_only_on_request() {
    let table = Run::from_samples(made::fourteen()).table();
    let plain = table_terminal(&table, TerminalOptions { width: Some(80), colour: false });
    assert!(plain.lines().all(|line| line.chars().count() <= 80), "too wide:\n{plain}");
    expect![[r#"
        ───────────────────────────────────────────────────────────────────────
         playouts / CPU s       plies   bitboard   ludeme     propnet   prover
        ───────────────────────────────────────────────────────────────────────
         Tic-Tac-Toe (3x3)       7.63     25.3 M   3.06 M       410 k   21.3 k
         Tic-Tac-Toe (5x5)      23.72     9.13 M   1.20 M       140 k   1.90 k
         Connect 4 (6x7)        21.32     8.87 M    611 k      87.9 k      811
         Connect 4 (12x9)       26.20     5.90 M    419 k      71.6 k      636
         Hex (9x9)              71.10     1.09 M    131 k   too large     44.8
         Breakthrough (6x6)     28.10     1.40 M   92.6 k      55.4 k   1.10 k
         Breakthrough (8x8)     64.15      474 k   30.9 k      24.1 k      213
         Knightthrough (8x8)    33.70      622 k   39.8 k      40.8 k      727
         Reversi (8x8)          60.40      390 k    WRONG      2.29 k     7.33
         Amazons (10x10)       136.50      159 k   21.9 k      1.59 k    0.550
         8 Queens                5.40     14.0 M   1.91 M       312 k   4.80 k
         Lights Out (5x5)       20.00     8.11 M    219 k      70.3 k   1.39 k
         Towers of Hanoi 3      29.90     6.63 M    539 k      98.8 k   6.70 k
         8 Puzzle               60.00     4.39 M    102 k      6.10 k   1.69 k
        ───────────────────────────────────────────────────────────────────────
        56 pairs: 54 ok, 1 too large, 1 WRONG
        Hex (9x9) on propnet: too large: grounding passed 5,000,000 rules (limit), most…
        Reversi (8x8) on ludeme: WRONG: after d3 c5: 7 legal moves, bitboard has 8
        Intervals have no room here; table.md has them.
    "#]]
    .assert_eq(&plain);
    let crowded = table_terminal(
        &Run::from_samples(made::every_verdict()).table(),
        TerminalOptions { width: Some(60), colour: false },
    );
    let grid = crowded
        .split_inclusive('\n')
        .take_while(|line| !line.starts_with("13 pairs"))
        .collect::<String>();
    assert!(
        grid.lines().count() > 5 && grid.lines().all(|line| line.chars().count() <= 60),
        "too wide:\n{grid}"
    );
    let coloured = table_terminal(&table, TerminalOptions { width: Some(80), colour: true });
    assert_ne!(coloured, plain);
    let mut parts = coloured.split('\u{1b}');
    let mut stripped = parts.next().unwrap().to_owned();
    stripped.extend(parts.map(|part| part.split_once('m').unwrap().1));
    let stripped: String = stripped.lines().map(|line| line.trim_end().to_owned() + "\n").collect();
    assert_eq!(stripped, plain, "colour changes nothing but colour");
}

fn write_run(dir: &std::path::Path, rows: &[Sample]) {
    let mut writer = SampleWriter::create(&dir.join("measurements.csv")).unwrap();
    for row in rows {
        writer.write(row).unwrap();
    }
}

#[test]
fn a_folder_is_regenerated_to_the_same_bytes() {
    let dir = tempfile::tempdir().unwrap();
    write_run(dir.path(), &made::every_verdict());
    std::fs::write(dir.path().join("machine.txt"), "cpu: Example 9000\n").unwrap();
    let options = Options { baseline: Some("ludeme".to_owned()), order: Order::Measured };
    let read = |written: &reports::Written| -> Vec<(String, Vec<u8>)> {
        let name =
            |path: &std::path::PathBuf| path.file_name().unwrap().to_string_lossy().into_owned();
        written.files.iter().map(|path| (name(path), std::fs::read(path).unwrap())).collect()
    };
    let first = read(&write_all(dir.path(), &options).unwrap());
    let names: Vec<&str> = first.iter().map(|(name, _)| &**name).collect();
    assert_eq!(
        names,
        [
            "table.csv",
            "table.md",
            "table.tex",
            "report.html",
            "claim.md",
            "rates.svg",
            "rates.png",
            "ratios.svg",
            "ratios.png",
            "profile.svg",
            "profile.png",
            "compile.svg",
            "compile.png",
            "tokens.svg",
            "tokens.png",
            "verdicts.svg",
            "verdicts.png"
        ]
    );
    assert!(first.iter().all(|(_, bytes)| !bytes.is_empty()));

    std::fs::write(dir.path().join("table.md"), "an old report").unwrap();
    assert_eq!(read(&write_all(dir.path(), &options).unwrap()), first);

    // In another folder too: nothing depends on where the rows lie.
    let other = tempfile::tempdir().unwrap();
    for name in ["measurements.csv", "machine.txt"] {
        std::fs::copy(dir.path().join(name), other.path().join(name)).unwrap();
    }
    assert_eq!(read(&write_all(other.path(), &options).unwrap()), first);

    let mut left: Vec<String> = std::fs::read_dir(dir.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    left.sort();
    let mut expected: Vec<&str> =
        names.into_iter().chain(["measurements.csv", "machine.txt"]).collect();
    expected.sort_unstable();
    assert_eq!(left, expected, "no temporary file stays behind");
}

#[test]
fn a_torn_run_is_reported_with_a_warning_in_the_text() {
    let dir = tempfile::tempdir().unwrap();
    write_run(dir.path(), &made::every_verdict());
    let path = dir.path().join("measurements.csv");
    let text = std::fs::read_to_string(&path).unwrap();
    let lines = text.lines().count();
    std::fs::write(&path, text + "tic-tac-toe-3x3,\"Tic-").unwrap();
    let written = write_all(dir.path(), &Options::default()).unwrap();
    let warning = format!(
        "measurements.csv:{}: the last line is torn (it does not end in a line break, as after a run was killed while writing) and was ignored",
        lines + 1
    );
    assert_eq!(written.warnings, [&*warning]);
    let markdown = std::fs::read_to_string(dir.path().join("table.md")).unwrap();
    assert!(markdown.contains(&format!("- {warning}")), "{markdown}");
}

#[test]
fn requests_that_cannot_be_answered_say_what_can() {
    let run = every_verdict();
    let options = Options { baseline: Some("ludii".to_owned()), ..Options::default() };
    expect![[r#"baseline "ludii" is not in this run; it has: bitboard, ludeme, propnet, prover, python, rbg"#]].assert_eq(&artefacts(&run, &options).unwrap_err().to_string());
    expect!["there are no rows to report on"].assert_eq(
        &artefacts(&Run::from_samples(Vec::new()), &Options::default()).unwrap_err().to_string(),
    );
    let empty = tempfile::tempdir().unwrap();
    let missing = write_all(empty.path(), &Options::default()).unwrap_err().to_string();
    assert!(missing.contains("measurements.csv: "), "{missing}");
}

#[test]
fn figures_exist_only_under_a_verdict_that_allows_them() {
    let table = every_verdict().table();
    let mut seen: Vec<Verdict> = table.cells().map(|(.., cell)| cell.verdict()).collect();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, Verdict::ALL, "the run has every verdict");
    for (row, column, cell) in table.cells() {
        let measured = cell.figures().is_some();
        assert_eq!(
            measured,
            cell.verdict().is_ranked(),
            "{} {}",
            table.games()[row].id,
            table.columns()[column].label()
        );
    }
}

#[test]
fn a_wrong_pair_is_wrong_in_every_column_and_other_failures_stay_in_theirs() {
    let game = &made::GAMES[0];
    let fast = made::samples(game, "ludeme", "lud", 1e6, 3, 0.01);
    let mut reference = fast.clone();
    for row in &mut reference {
        row.via = Via::Reference;
    }
    let verdicts = |rows: &[Sample]| -> Vec<(String, Verdict)> {
        let table = Table::new(rows, Order::Measured);
        table
            .cells()
            .map(|(_, column, cell)| (table.columns()[column].label(), cell.verdict()))
            .collect()
    };
    let with = |verdict: Verdict| {
        let mut rows = [fast.clone(), reference.clone()].concat();
        rows.last_mut().unwrap().verdict = verdict;
        rows.last_mut().unwrap().reason = "why".to_owned();
        rows
    };
    let label = |text: &str| text.to_owned();
    assert_eq!(
        verdicts(&with(Verdict::Wrong)),
        [(label("ludeme"), Verdict::Wrong), (label("ludeme (reference)"), Verdict::Wrong)]
    );
    assert_eq!(
        verdicts(&with(Verdict::Timeout)),
        [(label("ludeme"), Verdict::Ok), (label("ludeme (reference)"), Verdict::Timeout)]
    );
    // A pair that did not compile has one row, and fails in each column of its engine.
    let mut rows = [fast.clone(), reference.clone()].concat();
    rows.push(made::failed(&made::GAMES[1], "ludeme", "lud", Verdict::Unsupported, "why"));
    let table = Table::new(&rows, Order::Measured);
    assert_eq!(table.cell(1, 1).unwrap().verdict(), Verdict::Unsupported);
    assert_eq!(table.cells().count(), 4);
    // Of several failures the worst counts, and of equals the first.
    let failure = |verdict, reason| made::failed(&made::GAMES[1], "ludeme", "lud", verdict, reason);
    rows.extend(
        [(Verdict::Crashed, "a"), (Verdict::Crashed, "b"), (Verdict::Timeout, "c")]
            .map(|(verdict, reason)| failure(verdict, reason)),
    );
    let table = Table::new(&rows, Order::Measured);
    let cell = table.cell(1, 0).unwrap();
    assert_eq!((cell.verdict(), cell.reason()), (Verdict::Crashed, "a"));
}

#[test]
fn warm_up_is_not_counted_and_threads_share_cpu_seconds() {
    let mut rows = made::samples(&made::GAMES[2], "bitboard", "native", 1e6, 4, 0.0);
    for row in &mut rows {
        row.threads = 2;
        row.wall_ns = row.cpu_ns / 2;
    }
    let table = Table::new(&rows, Order::Measured);
    assert_eq!(table.columns()[0].label(), "bitboard ×2");
    let figures = table.figures(0, 0).unwrap();
    // The warm-up row ran at 0.6 of this rate.
    assert!((figures.per_cpu_second.value - 1e6).abs() < 10.0, "{figures:?}");
    assert!((figures.per_wall_second.value - 2e6).abs() < 20.0, "{figures:?}");
    assert!((figures.utilisation - 1.0).abs() < 1e-6 && !figures.is_contended());
    assert_eq!((figures.samples, figures.rounds(), figures.playouts), (4, 4, 800_000));
}

#[test]
fn ranking() {
    let run = Run::from_samples(made::fourteen());
    let ranking = reports::rank::rank(&run.table(), &[]).unwrap();
    // Two games have a pair without figures, and count for the others.
    assert_eq!(ranking.games.len(), 14);
    let order: Vec<String> = ranking.places.iter().map(|place| place.column.label()).collect();
    assert_eq!(order, ["bitboard", "ludeme", "propnet", "prover"]);
    let games: Vec<usize> = ranking.places.iter().map(|place| place.games).collect();
    assert_eq!(games, [14, 13, 13, 14]);
    assert_eq!(ranking.places[0].wins, 14);
    assert!((ranking.places[3].factor.value - 1.0).abs() < 1e-12);
    assert!(ranking_text(&ranking).contains("Not every engine has a figure for each game"));
    let two = ["bitboard".to_owned(), "prover".to_owned()];
    let ranking = reports::rank::rank(&run.table(), &two).unwrap();
    assert!(ranking_text(&ranking).contains("Geometric means over 14 shared games"));
    // Where all have all games, the factor is the geometric mean of the speed-ups.
    let table = run.table();
    let speedups = table.speedups(Some("prover")).unwrap();
    let mean = speedups.own[table.find_column("bitboard").unwrap()].unwrap().mean.value;
    let factor = ranking.places[0].factor.value;
    assert!((factor / mean - 1.0).abs() < 0.01, "{factor} {mean}");
    let error = reports::rank::rank(&run.table(), &["ludem".to_owned()]).unwrap_err();
    let error = error.to_string();
    assert!(error.contains("it has: bitboard, ludeme"), "{error}");
    assert!(error.ends_with("did you mean `ludeme`?"), "{error}");
    let error = reports::rank::rank(&run.table(), &["ludeme".to_owned()]).unwrap_err();
    assert!(error.to_string().contains("two engines"), "{error}");
}

#[test]
fn absurd_counts_are_no_panic() {
    let mut rows = made::samples(&made::GAMES[0], "bitboard", "native", 1e6, 3, 0.0);
    rows.extend(made::samples(&made::GAMES[0], "ludeme", "lud", 1e6, 3, 0.0));
    for row in &mut rows {
        row.round = 0;
        (row.playouts, row.plies, row.plies_squared) = (u64::MAX, u64::MAX, Some(u64::MAX));
        (row.wall_ns, row.cpu_ns, row.threads) = (u64::MAX, 1, u32::MAX);
        (row.compile_ns, row.peak_bytes, row.state_bytes) =
            (Some(u64::MAX), Some(u64::MAX), Some(0));
    }
    let files = artefacts(&Run::from_samples(rows), &Options::default()).unwrap();
    assert!(files.iter().all(|(_, bytes)| !bytes.is_empty()));
}

#[test]
fn speedups_use_shared_rounds_and_never_two_hosts() {
    let game = &made::GAMES[0];
    let base = made::samples(game, "prover", "gdl", 1e3, 4, 0.05);
    let mut other = made::samples(game, "bitboard", "native", 1e6, 4, 0.05);
    let ratio = |base: &[Sample], other: &[Sample]| {
        let table = Table::new(&[base, other].concat(), Order::Measured);
        table.speedups(Some("prover")).unwrap().ratios[0][0]
    };
    let all = ratio(&base, &other).unwrap();
    assert!((all.value / 1000.0 - 1.0).abs() < 0.06, "{all:?}");

    // Without the last round of one side, that round leaves the ratio on both sides.
    let shorter = ratio(&base, &other[..other.len() - 1]).unwrap();
    let both = ratio(&base[..base.len() - 1], &other[..other.len() - 1]).unwrap();
    assert_eq!(shorter, both);
    assert_ne!(shorter, all);

    for row in &mut other {
        row.host = "elsewhere".to_owned();
    }
    assert_eq!(ratio(&base, &other), None);
}

#[test]
fn means_over_games_say_over_how_many() {
    let [a, b, c] = [&made::GAMES[0], &made::GAMES[1], &made::GAMES[2]];
    let rows = [
        made::samples(a, "base", "lud", 1e3, 3, 0.0),
        made::samples(b, "base", "lud", 1e3, 3, 0.0),
        made::samples(c, "base", "lud", 1e3, 3, 0.0),
        made::samples(a, "all", "lud", 2e3, 3, 0.0),
        made::samples(b, "all", "lud", 8e3, 3, 0.0),
        made::samples(c, "all", "lud", 4e3, 3, 0.0),
        made::samples(a, "some", "lud", 5e3, 3, 0.0),
        made::samples(b, "some", "lud", 5e3, 3, 0.0),
        vec![made::failed(c, "some", "lud", Verdict::Wrong, "plays another game")],
        vec![made::failed(a, "none", "lud", Verdict::Unsupported, "nothing works")],
    ]
    .concat();
    let table = Table::new(&rows, Order::Measured);
    let speedups = table.speedups(Some("base")).unwrap();
    let column = |name| table.find_column(name).unwrap();
    let close = |summary: &Option<reports::table::Summary>, mean: f64, games: usize| {
        let summary = summary.as_ref().unwrap();
        assert!((summary.mean.value / mean - 1.0).abs() < 1e-6, "{summary:?} is not {mean}");
        assert_eq!(summary.games, games);
    };
    close(&speedups.own[column("all")], 4.0, 3);
    close(&speedups.own[column("some")], 5.0, 2);
    close(&speedups.common[column("all")], 4.0, 2);
    close(&speedups.common[column("some")], 5.0, 2);
    assert_eq!(speedups.own[column("none")], None);
    assert_eq!(speedups.own[column("base")], None);
    assert!(!speedups.is_uniform());
    // The widest columns are `base` and `all`; the slower of them.
    assert_eq!(table.default_baseline(), Some(column("base")));
}

#[test]
fn games_stand_in_the_papers_order_on_request() {
    let mut rows = Vec::new();
    for game in [&made::GAMES[2], &made::GAMES[13], &made::GAMES[9]] {
        rows.extend(made::samples(game, "bitboard", "native", 1e6, 2, 0.0));
    }
    let ids = |order| -> Vec<String> {
        Table::new(&rows, order).games().iter().map(|game| game.id.clone()).collect()
    };
    assert_eq!(ids(Order::Measured), ["connect-4-6x7", "8-puzzle", "amazons-10x10"]);
    assert_eq!(ids(Order::Published), ["8-puzzle", "amazons-10x10", "connect-4-6x7"]);
    rows[0].paper = vec!["table1/Connect Four".to_owned()];
    let run = Run::from_samples(rows);
    assert_eq!(run.warnings, ["no published row is called \"table1/Connect Four\""]);
}

#[test]
fn the_same_playouts_with_other_ends_are_warned_of() {
    let once = made::samples(&made::GAMES[0], "ludeme", "lud", 1e3, 2, 0.0);
    let mut again = once.clone();
    for row in &mut again {
        row.threads = 2;
    }
    assert_eq!(
        Run::from_samples([once.clone(), again.clone()].concat()).warnings,
        Vec::<String>::new()
    );
    again[1].digest.0 ^= 1;
    assert_eq!(
        Run::from_samples([once, again].concat()).warnings,
        [
            "ludeme played the same playouts of tic-tac-toe-3x3 twice with different ends: its figures are not reproducible"
        ]
    );
}

#[test]
fn two_runs_are_compared_cell_by_cell() {
    let [a, b] = [&made::GAMES[0], &made::GAMES[1]];
    let before = [
        made::samples(a, "bitboard", "native", 1e6, 6, 0.02),
        made::samples(a, "ludeme", "lud", 1e5, 6, 0.02),
        made::samples(a, "prover", "gdl", 1e3, 6, 0.02),
        made::samples(b, "bitboard", "native", 3e5, 6, 0.02),
    ]
    .concat();
    let after = [
        made::samples(a, "bitboard", "native", 2e6, 6, 0.02),
        made::samples(a, "ludeme", "lud", 1.001e5, 6, 0.02),
        vec![made::failed(a, "prover", "gdl", Verdict::Wrong, "after a1: 7 moves, not 8")],
        made::samples(a, "propnet", "gdl", 1e4, 6, 0.02),
    ]
    .concat();
    let (before, after) = (Run::from_samples(before), Run::from_samples(after));
    let comparison = compare(&before, &after);
    expect![[r#"
        ────────────────────────────────────────────────────────────────────────────────
         game              engine     before    after       after / before
        ────────────────────────────────────────────────────────────────────────────────
         tic-tac-toe-3x3   bitboard   1.01 M   2.01 M    2.00× (1.99–2.01)   faster
         tic-tac-toe-3x3   ludeme     99.1 k   99.2 k   1.00× (0.987–1.01)
         tic-tac-toe-3x3   prover        999    WRONG                    –   ok → WRONG
        ────────────────────────────────────────────────────────────────────────────────
        only before: tic-tac-toe-5x5 on bitboard
        only after: tic-tac-toe-3x3 on propnet
        geometric mean of 2 pairs: 1.41× (1.40–1.42)
        warning: 3 of 3 cells were measured by one process in a run, so what differs from process to process is not in their intervals: small differences may be chance
        Called faster or slower is what remains significant at 5 % over all 2 cells (Holm's correction). Intervals are each cell's own and tell the noise inside the runs; what changed on the machine between the runs is not in them.
    "#]].assert_eq(&comparison_text(&comparison));
    expect![[r#"
        game,engine,via,tabled,threads,job,verdict_a,verdict_b,playouts_per_cpu_s_a,playouts_per_cpu_s_b,contended_a,contended_b,ratio,ratio_low,ratio_high,p_value,significant,in_a,in_b
        tic-tac-toe-3x3,bitboard,fast,false,1,,ok,ok,1005910,2011810,false,false,2,1.98561,2.01334,3.77851e-11,true,present,present
        tic-tac-toe-3x3,ludeme,fast,false,1,,ok,ok,99135.5,99234.6,false,false,1.001,0.987282,1.01355,0.86509,false,present,present
        tic-tac-toe-3x3,prover,fast,false,1,,ok,WRONG,998.938,,false,false,,,,,false,present,present
        tic-tac-toe-5x5,bitboard,fast,false,1,,,,,,,,,,,,,present,absent
        tic-tac-toe-3x3,propnet,fast,false,1,,,,,,,,,,,,,absent,present
    "#]].assert_eq(&comparison_csv(&comparison));
    let [bitboard, ludeme, prover] = &comparison.changes[..] else { panic!("{comparison:?}") };
    assert!(bitboard.is_significant() && !bitboard.is_regression(0.1) && !bitboard.is_worse());
    assert!(!ludeme.is_significant());
    assert!(prover.is_worse() && prover.ratio.is_none());

    let back = compare(&after, &before);
    assert!(back.changes[0].is_regression(0.1) && back.changes[0].is_regression(0.4));
    assert!(!back.changes[0].is_regression(0.6), "half the rate is no loss of more than 60 %");
}
