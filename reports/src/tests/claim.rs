//! The paper's claim on made-up runs whose ratios are known.

use crate::tests::made;
use std::cmp::Ordering;

use expect_test::expect_file;
use reports::claim::{Claim, Contest, Score, claim};
use reports::render::claim_markdown;
use reports::{Bound, Method, Order, Sample, Table, Via};

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
    close(slow.mean.unwrap().mean.value, 20.0);
    close(claim.engines[0].mean.unwrap().mean.value, 1000.0);
    // The cube root of 2.79 * 7.52 * 17.29.
    close(claim.printed.mean.unwrap().mean.value, 7.13);
    let (shift, rows) = slow.shift.unwrap();
    close(shift.value, 20.0 / 7.13);
    assert_eq!(rows, 3);
    // 2e4 / 32,889 and so on.
    close(claim.over_printed[2].ratios[0].unwrap().ratio.value, 0.608);
    assert_eq!(claim.over_printed[2].score(), Score { slower: 3, ..Score::default() });
}

/// `tree` beside `slow`, with these pairs of engine and game tabled.
fn tabled(slow: f64, is_tabled: fn(&str, &str) -> bool) -> Vec<Sample> {
    let mut rows = rows(&[("tree", "lud", [2e4, 4e4, 1e4]), ("slow", "kif", [1e3, 1e3, slow])]);
    for row in &mut rows {
        let tabled = is_tabled(&row.engine, &row.game);
        row.method = Some(if tabled { Method::Tabled } else { Method::Counted });
    }
    rows
}

#[test]
fn a_slower_tabled_side_is_counted_as_a_bound() {
    let rows = tabled(1e3, |engine, game| match game {
        "tic-tac-toe-3x3" => true,
        "tic-tac-toe-5x5" => engine == "slow",
        _ => false,
    });
    let claim = tested(&rows);
    let [contest] = &claim.languages[..] else { panic!("{claim:?}") };
    assert_eq!(contest.score(), Score { faster: 2, at_least: 1, ..Score::default() });
    let bounds: Vec<Bound> = contest.ratios.iter().flatten().map(|ratio| ratio.bound).collect();
    assert_eq!(bounds, [Bound::Exact, Bound::Exact, Bound::AtLeast]);
    // The row stands in the mean, which is a bound for that.
    let mean = contest.mean.unwrap();
    assert_eq!((mean.bound, mean.games), (Bound::AtLeast, 3));
    assert!((mean.mean.value / 20.0 - 1.0).abs() < 0.02, "{mean:?}");
    assert_eq!(contest.verdict(), Some(Ordering::Greater));
    // The paper's systems play all playouts.
    let [slow, tree] = &claim.over_printed[..] else { panic!("{claim:?}") };
    assert_eq!(slow.score(), Score { slower: 1, at_most: 2, ..Score::default() });
    assert_eq!(tree.score(), Score { slower: 2, at_most: 1, ..Score::default() });

    let text = claim_markdown(&Table::new(&rows, Order::Measured)).unwrap();
    let said = "faster on 2 of 2 rows, faster on 1 more by a bound ‡; at least 20.0×";
    assert!(text.contains(said), "{text}");
    assert!(text.contains("as fast in the geometric mean of 3 rows."), "{text}");
    assert!(text.contains("Ludemes come out ahead with tree beside slow."), "{text}");
    assert!(text.contains("| ≥ 10.0× ("), "{text}");
    assert!(!text.contains("every engine") && !text.contains("each engine"), "{text}");
}

#[test]
fn a_faster_tabled_side_wins_nothing_and_is_in_no_mean() {
    let rows = tabled(1e6, |engine, game| engine == "slow" && game == "tic-tac-toe-5x5");
    let claim = tested(&rows);
    let [contest] = &claim.languages[..] else { panic!("{claim:?}") };
    assert_eq!(contest.score(), Score { faster: 2, open: 1, ..Score::default() });
    let mean = contest.mean.unwrap();
    assert_eq!((mean.bound, mean.games), (Bound::Exact, 2));
    let text = claim_markdown(&Table::new(&rows, Order::Measured)).unwrap();
    assert!(text.contains("faster on 2 of 2 rows, open on 1 ‡; 28.3×"), "{text}");
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
