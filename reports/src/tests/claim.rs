//! The paper's claim on made-up runs whose ratios are known.

use crate::tests::made;
use std::cmp::Ordering;

use expect_test::expect_file;
use reports::claim::{Claim, Contest, Score, claim};
use reports::render::claim_markdown;
use reports::{Method, Order, Sample, Table, Via};

/// Lights Out, Tic-Tac-Toe (3x3) and (5x5); Ludii over GDL is 2.79, 7.52 and 17.29 in print.
fn games() -> [&'static made::Game; 3] {
    [&made::GAMES[11], &made::GAMES[0], &made::GAMES[1]]
}

/// Engines with their languages, at these rates on the three games.
fn rows(engines: &[(&str, &str, [f64; 3])]) -> Vec<Sample> {
    let of = |&(engine, language, rates): &(&str, &str, [f64; 3])| -> Vec<Sample> {
        let pairs = games().into_iter().zip(rates);
        pairs
            .flat_map(|(game, rate)| made::samples(game, engine, language, rate, 6, 0.01))
            .collect()
    };
    engines.iter().flat_map(of).collect()
}

fn tested(rows: &[Sample]) -> Claim {
    claim(&Table::new(rows, Order::Measured)).unwrap()
}

fn name(contest: &Contest) -> String {
    format!("{} / {}", contest.above, contest.below)
}

#[test]
fn every_pair_of_languages_and_of_engines_has_its_ratio() {
    let claim = tested(&rows(&[
        ("fast", "kif", [1e6, 1e6, 1e6]),
        ("slow", "kif", [1e3, 1e3, 1e3]),
        ("tree", "lud", [2e4, 4e4, 1e4]),
        ("bits", "native", [1e7, 1e7, 1e7]),
        ("board", "rbg", [1e4, 1e4, 1e4]),
    ]));
    let names = |contests: &[Contest]| contests.iter().map(name).collect::<Vec<_>>();
    assert_eq!(names(&claim.languages), ["tree / board", "tree / fast", "tree / slow"]);
    assert_eq!(names(&claim.engines), ["fast / slow"]);
    // RBG's printed figure is of another game.
    let over = ["fast / GGP-base, printed", "slow / GGP-base, printed", "tree / Ludii, printed"];
    assert_eq!(names(&claim.over_printed), over);

    let [board, fast, slow] = &claim.languages[..] else { panic!("{claim:?}") };
    assert_eq!(slow.score(), Score { faster: 3, ..Score::default() });
    assert_eq!(fast.score(), Score { slower: 3, ..Score::default() });
    // The rates are as far apart as their noise allows to be told.
    assert_eq!(board.score(), Score { faster: 2, undecided: 1, ..Score::default() });
    assert_eq!(slow.verdict(), Some(Ordering::Greater));
    assert_eq!(fast.verdict(), Some(Ordering::Less));
    let close = |value: f64, expected: f64| {
        assert!((value / expected - 1.0).abs() < 0.02, "{value} is not {expected}");
    };
    close(slow.mean.unwrap().value, 20.0);
    close(claim.engines[0].mean.unwrap().value, 1000.0);
    // The cube root of 2.79 * 7.52 * 17.29.
    close(claim.printed.mean.unwrap().value, 7.13);
    let (shift, rows) = slow.shift.unwrap();
    close(shift.value, 20.0 / 7.13);
    assert_eq!(rows, 3);
    // 2e4 / 32,889 and so on.
    close(claim.over_printed[2].ratios[0].unwrap().ratio.value, 0.608);
    assert_eq!(claim.over_printed[2].score(), Score { slower: 3, ..Score::default() });
}

#[test]
fn what_is_tabled_on_one_side_is_shown_and_not_counted() {
    let mut rows = rows(&[("tree", "lud", [2e4, 4e4, 1e4]), ("slow", "kif", [1e3, 1e3, 1e3])]);
    for row in &mut rows {
        row.method = Some(Method::Counted);
        if row.game.starts_with("tic-tac-toe-3x3") {
            row.method = Some(Method::Tabled);
        }
        if row.game.starts_with("tic-tac-toe-5x5") && row.engine == "slow" {
            row.method = Some(Method::Tabled);
        }
    }
    let claim = tested(&rows);
    let [contest] = &claim.languages[..] else { panic!("{claim:?}") };
    assert_eq!(contest.score(), Score { faster: 2, left_out: 1, ..Score::default() });
    let ratios: Vec<bool> = contest.ratios.iter().flatten().map(|ratio| ratio.comparable).collect();
    assert_eq!(ratios, [true, true, false]);
    // The paper's systems play every playout, so both tabled rows of one and the one of the other
    // are left out.
    let left_out: Vec<usize> =
        claim.over_printed.iter().map(|contest| contest.score().left_out).collect();
    assert_eq!(left_out, [2, 1]);
}

#[test]
fn loops_are_compared_with_their_like_only() {
    let mut rows = rows(&[("tree", "lud", [2e4, 4e4, 1e4]), ("slow", "kif", [1e3, 1e3, 1e3])]);
    for row in rows.iter_mut().filter(|row| row.engine == "tree") {
        row.via = Via::Listed;
    }
    assert_eq!(tested(&rows).languages, []);
    let mut columns = rows.clone();
    columns.retain(|row| row.engine == "slow");
    for row in &mut columns {
        row.control = true;
    }
    assert_eq!(claim(&Table::new(&columns, Order::Measured)).unwrap().over_printed, []);
}

#[test]
fn without_a_published_row_there_is_no_claim() {
    let mut rows = rows(&[("tree", "lud", [2e4, 4e4, 1e4])]);
    for row in &mut rows {
        row.paper.clear();
    }
    let table = Table::new(&rows, Order::Measured);
    assert_eq!(claim(&table), None);
    assert_eq!(claim_markdown(&table), None);
}

#[test]
fn in_words() {
    let rows = rows(&[
        ("fast", "kif", [1e6, 1e6, 1e6]),
        ("slow", "kif", [1e3, 1e3, 1e3]),
        ("tree", "lud", [2e4, 4e5, 1e4]),
    ]);
    expect_file!["snapshots/claim-in-words.txt"]
        .assert_eq(&claim_markdown(&Table::new(&rows, Order::Measured)).unwrap());
}
