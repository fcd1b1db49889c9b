//! The page: what it says, that it needs nothing but itself, and what it does in a real browser.
//!
//! The browser's part is the script `page-test`; without a Chromium or Python on this machine it is
//! skipped, and says so.

use crate::tests::made;
use std::path::{Path, PathBuf};
use std::process::Command;

use expect_test::{expect, expect_file};
use reports::table::CONTENDED;
use reports::{Method, Options, Phase, Record, Run, Sample, Verdict, Via, artefacts};

/// The page of these rows.
fn page_of(run: &Run, baseline: Option<&str>) -> String {
    let options = Options { baseline: baseline.map(str::to_owned), ..Options::default() };
    let files = artefacts(run, &options).unwrap();
    let (_, bytes) = files.into_iter().find(|(name, _)| *name == "report.html").unwrap();
    String::from_utf8(bytes).unwrap()
}

/// Writes a page where a person can look at it, and returns its place and text.
fn page(name: &str, rows: Vec<Sample>, baseline: Option<&str>) -> (PathBuf, String) {
    let mut run = Run::from_samples(rows);
    run.machine = Some("cpu: Example 9000 <fast>, 2 cores\n".to_owned());
    let text = page_of(&run, baseline);
    let dir = made::folder().join("page");
    std::fs::create_dir_all(&dir).unwrap();
    let path = dir.join(format!("{name}.html"));
    std::fs::write(&path, &text).unwrap();
    (path, text)
}

/// The first screen as text: a question, then its answer.
fn answers(text: &str) -> String {
    let list = text.split_once("<dl class=\"answers\">").unwrap().1.split_once("</dl>").unwrap().0;
    let mut out = String::new();
    for part in list.split("<dt>").skip(1) {
        let (question, rest) = part.split_once("</dt><dd>").unwrap();
        let answer = rest.split_once("</dd>").unwrap().0;
        out.push_str(&format!("{question}\n  {}\n", plain(answer)));
    }
    out
}

/// The value under a name in the panel of a cell, as it is typed or read.
fn fact(text: &str, panel: &str, name: &str) -> Option<String> {
    let panel = text.split_once(&format!("aria-label=\"{panel}\"")).unwrap().1;
    let panel = panel.split_once("</article>").unwrap().0;
    let fact = panel.split_once(&format!("<dt>{name}</dt><dd>"))?.1.split_once("</dd>").unwrap().0;
    Some(plain(&fact.replace("<code class=\"command\">", "").replace("</code>", "")))
}

/// Text of the page without its entities.
fn plain(text: &str) -> String {
    let signs = [("&#x2f;", "/"), ("&#x27;", "'"), ("&quot;", "\""), ("&lt;", "<"), ("&amp;", "&")];
    signs.iter().fold(text.to_owned(), |text, (entity, sign)| text.replace(entity, sign))
}

/// Rows that vary something: sizes of a family, threads and jobs.
fn varied() -> Vec<Sample> {
    let mut rows = Vec::new();
    for (at, id) in ["hex-4", "hex-5", "hex-6", "hex-7"].into_iter().enumerate() {
        let size = at as u64 + 4;
        let game = made::Game(id, "Hex <b>", "", 2, (size * size) as f64);
        let family = |row: Sample| Sample { family: "hex".to_owned(), size: Some(size), ..row };
        let rate = 1e8 / (size.pow(3) as f64);
        rows.extend(made::samples(&game, "ludeme", "lud", rate, 4, 0.02).into_iter().map(family));
        rows.extend(
            made::samples(&game, "rbg", "rbg", 2.0 * rate, 4, 0.02).into_iter().map(family),
        );
        for threads in [2, 4] {
            let shared = made::samples(&game, "rbg", "rbg", 1.8 * rate, 4, 0.02);
            let shared = shared.into_iter().map(|row| {
                let wall_ns = row.wall_ns / u64::from(threads);
                Sample { threads, wall_ns, ..family(row) }
            });
            rows.extend(shared);
        }
    }
    rows
}

#[test]
fn it_needs_nothing_but_itself() {
    let (_, text) = page("every-verdict", made::every_verdict(), Some("ludeme"));
    for outside in ["http://", "https://", "src=", "<link", "@import", "url("] {
        let text = text.replace("http://www.w3.org/2000/svg", "");
        assert!(!text.contains(outside), "the page refers to {outside}");
    }
    assert!(text.contains("Example 9000 &lt;fast&gt;"));
    assert!(text.contains("Loops | and *stars*"), "titles stand as they are");
    assert_eq!(text.matches("<script").count(), 1, "no text of a row opens a script");
    let handlers = ["onclick", "onerror", "onload", "javascript:"];
    assert!(!handlers.iter().any(|handler| text.contains(handler)));
}

#[test]
fn the_rows_can_be_had_back() {
    let rows = made::every_verdict();
    let (_, text) = page("rows", rows.clone(), None);
    let link = text.split_once("href=\"data:text&#x2f;csv;charset=utf-8,").unwrap().1;
    let link = link.split_once('"').unwrap().0;
    let mut bytes = Vec::new();
    let mut rest = link.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let (byte, after) = match byte {
            b'%' => {
                let digits = std::str::from_utf8(&after[..2]).unwrap();
                (u8::from_str_radix(digits, 16).unwrap(), &after[2..])
            }
            byte => (byte, after),
        };
        bytes.push(byte);
        rest = after;
    }
    let loaded = reports::rows::read_text(&String::from_utf8(bytes).unwrap(), Path::new("page"));
    assert_eq!(loaded.unwrap().samples, rows);
}

#[test]
fn the_first_screen_says_who_is_faster_by_how_much_and_whether_it_is_proven() {
    let (_, text) = page("fourteen", made::fourteen(), Some("ludeme"));
    expect_file!["snapshots/page-answers.txt"].assert_eq(&answers(&text));
    let (_, text) = page("every-verdict", made::every_verdict(), Some("ludeme"));
    expect_file!["snapshots/page-answers-of-every-verdict.txt"].assert_eq(&answers(&text));
}

#[test]
fn it_claims_no_more_than_the_rows_show() {
    let said = |rows: Vec<Sample>| answers(&page_of(&Run::from_samples(rows), None));
    let of = |engine: &str, language: &str, rate: f64| {
        made::samples(&made::GAMES[0], engine, language, rate, 6, 0.05)
    };
    // Two engines whose rates differ by less than their noise.
    let level = said([of("ludeme", "lud", 1.0e6), of("rbg", "rbg", 1.001e6)].concat());
    assert!(
        level.contains("ludeme and rbg are") || level.contains("rbg and ludeme are"),
        "{level}"
    );
    assert!(level.contains("no difference"), "{level}");
    // A yardstick that reads no description is no answer to which description is faster.
    let rows = [of("bitboard", "bitboard", 9e6), of("ludeme", "lud", 1e6), of("rbg", "rbg", 4e6)];
    let hand = said(rows.concat());
    assert!(
        hand.contains(
            "bitboard is coded by hand; of the engines that read a description of \
        the rules, rbg is the fastest"
        ),
        "{hand}"
    );
    // Tabled playouts do not win against others.
    let tabled = of("prover", "kif", 9e9)
        .into_iter()
        .map(|row| Sample { method: Some(Method::Tabled), ..row });
    let rows = [of("ludeme", "lud", 1e6), of("rbg", "rbg", 4e6), tabled.collect()];
    let apart = said(rows.concat());
    assert!(apart.starts_with("Who is faster?\n  rbg is the fastest of 2 engines"), "{apart}");
    assert!(apart.contains("Left out: prover (tabled)"), "{apart}");
    // One engine, or no figure at all.
    assert!(said(of("ludeme", "lud", 1e6)).contains("Nothing can be said: no two engines"));
    let failed = made::failed(&made::GAMES[0], "rbg", "rbg", Verdict::Crashed, "it died");
    assert!(said(vec![failed]).contains("Nothing can be said: no engine has a figure."));
}

#[test]
fn a_tabled_figure_neither_wins_a_game_nor_loses_it() {
    let of = |engine: &str, rate: f64, method: Method| -> Vec<Sample> {
        let rows = made::samples(&made::GAMES[12], engine, "lud", rate, 6, 0.01);
        rows.into_iter().map(|row| Sample { method: Some(method), ..row }).collect()
    };
    // Whose figure is set as the best, and what the first screen says of it.
    let best = |rows: Vec<Sample>| -> (Vec<String>, String) {
        let text = page_of(&Run::from_samples(rows), None);
        let best = text.split("class=\"ok best\" data-label=\"").skip(1);
        let best = best.map(|part| part.split('"').next().unwrap().to_owned());
        (best.collect(), answers(&text))
    };
    // The slowest of the row is alone in playing every playout.
    let hanoi = [of("rbg", 1e6, Method::Counted), of("ludeme", 1.4e7, Method::Tabled)];
    let (winners, said) = best(hanoi.concat());
    assert_eq!(winners, [""; 0], "{said}");
    // Two play: the quicker wins, unless what a third one finds in its table came sooner.
    let two = [of("rbg", 1e6, Method::Counted), of("propnet", 3e6, Method::Counted)].concat();
    let (winners, said) = best([two.clone(), of("ludeme", 2e6, Method::Tabled)].concat());
    assert_eq!(winners, ["propnet"; 2], "of playouts and of plies");
    assert!(said.contains("propnet is at least 1.50×"), "{said}");
    let (winners, said) = best([two, of("ludeme", 9e6, Method::Tabled)].concat());
    assert_eq!(winners, [""; 0]);
    assert!(
        said.contains("Left out: ludeme (tabled) (whether it plays as fast is open)"),
        "{said}"
    );
}

#[test]
fn contended_has_one_meaning() {
    let of = |game: usize| made::samples(&made::GAMES[game], "rbg", "rbg", 1e6, 4, 0.01);
    let mut rows = [of(0), of(1), of(2)].concat();
    let is_busy = |row: &Sample| row.game == made::GAMES[0].0 || row.phase == Phase::Warmup;
    for row in rows.iter_mut().filter(|row| is_busy(row)) {
        row.wall_ns = 2 * row.cpu_ns;
        row.warnings = vec![CONTENDED.to_owned()];
    }
    let text = page_of(&Run::from_samples(rows), None);
    let said = answers(&text);
    assert!(said.contains("1 of 3 cells were contended (†)"), "{said}");
    assert!(said.contains("Warnings: contended (†) (1 cell in 1 game)."), "{said}");
}

#[test]
fn it_names_the_project_the_run_its_day_and_the_baseline() {
    let mut run = Run::from_samples(made::fourteen());
    let words = ["run", "--engines", "ludeme", "--suite=<table1>"];
    run.record = Some(Record { arguments: words.map(str::to_owned).into() });
    run.machine = Some("date: 2026-11-28 21:40:00 UTC\ncpu: Example 9000\n".to_owned());
    let heading = |run: &Run, baseline| {
        let text = page_of(run, baseline);
        let heading = text.split_once("<h1>").unwrap().1.split_once("</h1>").unwrap().0.to_owned();
        (heading, answers(&text))
    };
    let (title, said) = heading(&run, None);
    let expected = "ggpbench run --suite &#x27;&lt;table1&gt;&#x27; \
                    <small>begun 2026-11-28 21:40:00 UTC, 14 games";
    assert!(title.starts_with(expected), "{title}");
    let default = "The baseline of speed-ups is prover: of the engines with the most games the \
                   slowest (--baseline names another).";
    assert!(said.contains(default), "{said}");
    let (_, said) = heading(&run, Some("ludeme"));
    assert!(said.contains("The baseline of speed-ups is ludeme, as --baseline asks."), "{said}");
    (run.record, run.machine) = (None, None);
    assert!(heading(&run, None).0.starts_with("ggpbench <small>14 games"));
}

#[test]
fn a_terminal_ends_with_who_how_much_and_how_certain() {
    let run = Run::from_samples(made::fourteen());
    let table = run.table();
    let lines = reports::render::answer(&table, &table.speedups(None).unwrap());
    assert_eq!(lines.len(), 3);
    expect_file!["snapshots/terminal-answer.txt"].assert_eq(&(lines.join("\n") + "\n"));
}

#[test]
fn a_figure_says_how_to_measure_it_again() {
    let mut rows = made::samples(&made::GAMES[4], "rbg", "rbg", 1e5, 3, 0.02);
    rows.iter_mut().for_each(|row| (row.game, row.seed) = ("my hex".to_owned(), 9));
    let batch = rows.iter().cloned().map(|row| Sample { via: Via::Batch, threads: 2, ..row });
    let rows: Vec<Sample> = rows.iter().cloned().chain(batch).collect();
    let mut run = Run::from_samples(rows);
    let again = |run: &Run, panel: &str| fact(&page_of(run, None), panel, "measure it again");
    expect![
        "The run has no record of the command that began it; of this cell the rows tell \
        --engines rbg --via fast --seed 9"
    ]
    .assert_eq(&again(&run, "Hex (9x9) on rbg").unwrap());

    let words =
        ["bench", "a/my hex.rbg", "b.lud", "--option", "Size/9", "--protocol=2s", "--out", "x"];
    run.record = Some(Record { arguments: words.map(str::to_owned).into() });
    expect![
        "ggpbench bench 'a/my hex.rbg' --engines rbg --via batch --threads 2 --seed 9 \
        --option Size/9 --protocol 2s"
    ]
    .assert_eq(&again(&run, "Hex (9x9) on rbg (batch) ×2").unwrap());
}

#[test]
fn a_length_that_never_varies_has_no_error() {
    let mut rows = made::samples(&made::GAMES[13], "rbg", "rbg", 1e5, 4, 0.02);
    for row in &mut rows {
        (row.plies, row.plies_squared) = (60 * row.playouts, None);
    }
    rows[2].playouts += 1;
    rows[2].plies += 60;
    let text = page_of(&Run::from_samples(rows), None);
    assert_eq!(fact(&text, "8 Puzzle on rbg", "mean plies").unwrap(), "60");
}

#[test]
fn it_does_what_it_says_in_a_browser() {
    let pages =
        [page("fourteen", made::fourteen(), Some("ludeme")).0, page("varied", varied(), None).0];
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("page-test");
    let output = match Command::new("python3").arg(script).args(pages).output() {
        Ok(output) => output,
        Err(error) => return eprintln!("skipped: python3: {error}"),
    };
    let said = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    if output.status.code() == Some(77) {
        return eprintln!("{}", errors.trim());
    }
    assert!(output.status.success(), "{said}{errors}");
}
