//! The page in a real browser: sorting, filtering and the figure shown, as its script does them.
//!
//! Without a Chromium on this machine the browser's part is skipped, and says so.

mod made;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use reports::{Options, Run, artefacts};

/// Writes a page where a person can look at it, and returns its place and text.
fn page(name: &str, rows: Vec<reports::Sample>) -> (PathBuf, String) {
    let mut run = Run::from_samples(rows);
    run.machine = Some("cpu: Example 9000 <fast>, 2 cores\n".to_owned());
    let options = Options { baseline: Some("ludeme".to_owned()), ..Options::default() };
    let files = artefacts(&run, &options).unwrap();
    let (_, bytes) = files.into_iter().find(|(name, _)| *name == "report.html").unwrap();
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("page");
    std::fs::create_dir_all(&dir).unwrap();
    let path = dir.join(format!("{name}.html"));
    std::fs::write(&path, &bytes).unwrap();
    (path, String::from_utf8(bytes).unwrap())
}

#[test]
fn it_needs_nothing_but_itself() {
    let (_, text) = page("every-verdict", made::every_verdict());
    for outside in ["http://", "https://", "src=", "<link", "@import", "url("] {
        let text = text.replace("http://www.w3.org/2000/svg", "");
        assert!(!text.contains(outside), "the page refers to {outside}");
    }
    assert!(text.contains("Example 9000 &lt;fast&gt;"));
    assert!(text.contains("Loops | and *stars*"), "titles stand as they are");
    assert_eq!(text.matches("<script").count(), 2, "no text of a row opens a script");
}

#[test]
fn the_rows_can_be_had_back() {
    let rows = made::every_verdict();
    let (_, text) = page("rows", rows.clone());
    let link = text.split_once("href=\"data:text/csv;charset=utf-8,").unwrap().1;
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

/// A browser on this machine.
fn browser() -> Option<&'static str> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let found = names.into_iter().find(|name| {
        let mut version = Command::new(name);
        version.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        version.status().is_ok_and(|status| status.success())
    });
    if found.is_none() {
        eprintln!("skipped: no Chromium on this machine");
    }
    found
}

/// The ids of the games that the page shows, in order, and its whole text after the script has run.
fn shown(browser: &str, page: &Path, view: &str) -> (Vec<String>, String) {
    let profile = tempfile::tempdir().unwrap();
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--disable-quic", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("file://{}#{view}", page.display()))
        .stderr(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let rows = text.split("<tr data-game=\"").skip(1);
    let rows = rows.filter(|row| !row.split('>').next().unwrap_or_default().contains("hidden"));
    let ids = rows.map(|row| row.split('"').next().unwrap_or_default().to_owned());
    (ids.collect(), text)
}

#[test]
fn the_script_sorts_filters_and_converts() {
    let Some(browser) = browser() else { return };
    let (path, _) = page("fourteen", made::fourteen());
    let (plain, _) = shown(browser, &path, "");
    assert_eq!(plain, made::GAMES.map(|game| game.0.to_owned()), "the order of the suite");

    // Figures sort as numbers: by what is measured, not by what is printed.
    let (sorted, _) = shown(browser, &path, "sort=prover&down=1");
    let mut expected: Vec<(f64, &str)> =
        made::RATES.iter().zip(&made::GAMES).map(|(rates, game)| (rates[3], game.0)).collect();
    expected.sort_by(|a, b| b.0.total_cmp(&a.0));
    assert_eq!(sorted, expected.iter().map(|e| e.1.to_owned()).collect::<Vec<_>>());
    let (upwards, _) = shown(browser, &path, "sort=prover");
    assert_eq!(upwards, sorted.into_iter().rev().collect::<Vec<_>>());

    let (found, _) = shown(browser, &path, "find=tic");
    assert_eq!(found, ["tic-tac-toe-3x3", "tic-tac-toe-5x5"]);
    let (none, _) = shown(browser, &path, "find=tic+hex");
    assert!(none.is_empty());

    let (_, ratios) = shown(browser, &path, "unit=ratio");
    assert!(ratios.contains(">1.00×</button>"), "the baseline is once itself");
    let (_, hidden) = shown(browser, &path, "hide=propnet");
    let head = hidden.split("data-name=\"propnet\"").nth(1).unwrap();
    assert!(head.starts_with(" hidden"), "{}", &head[..40]);
}

#[test]
fn the_script_finds_verdicts() {
    let Some(browser) = browser() else { return };
    let (path, _) = page("verdicts", made::every_verdict());
    let (wrong, _) = shown(browser, &path, "verdict=WRONG");
    assert_eq!(wrong.len(), 1);
    // What has no figure stands last in both directions.
    for view in ["sort=bitboard", "sort=bitboard&down=1"] {
        assert_eq!(shown(browser, &path, view).0[0], "tic-tac-toe-3x3", "{view}");
    }
}
