//! The paper's claim on made-up runs whose ratios are known.

use crate::tests::made;
use std::cmp::Ordering;

use expect_test::expect;
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
    expect![[r#"
        # The paper's claim, tested

        Piette, Soemers, Stephenson, Sironi, Winands and Browne (Ludii – The Ludemic General Game System, ECAI 2020) report that Ludii, which plays games written in ludemes, outperforms GGP-base's propositional network, which plays the same games written in GDL. By their figures Ludii is faster on 29 of 29 rows; 14.6× as fast in the geometric mean, from 1.22× (Knight's Tour (8x8)) to 17,900× (Chess: GDL figure is of the prover; the propnet did not fit into memory). On the 3 of these rows that this run has, Ludii is faster on 3 of 3 rows; 7.13× as fast in the geometric mean.

        The claim between the engines of this run, which were measured side by side:

        - It is turned round for tree over fast: faster on 0 of 3 rows, slower on 3; 0.0431× (0.0429–0.0433) as fast in the geometric mean.
        - It holds in the mean for tree over slow: faster on 3 of 3 rows; 43.1× (43.0–43.3) as fast in the geometric mean.

        Is it the language, or the engine?

        - From the same GDL descriptions fast plays 1,000× (997–1,000) as many playouts as slow, on 3 rows.
        - The games and languages are the paper's, yet tree over fast is 0.00604× (0.00602–0.00607) the printed ratio, on 3 rows; the speed of the machine all but cancels in that factor, so it is mainly the engines that differ.
        - Which language comes out ahead depends on the engine of GDL that is taken: figures like these compare engines, and do not show one language to be faster than the other.

        Against the printed figures, which come from another machine (a Xeon E5-2680 v2 at 2.80 GHz) and from versions of 2019, so that only large factors mean anything:

        - fast over GGP-base, printed: 44.3× (44.2–44.4) in the geometric mean of 3 rows, slower on no row.
        - slow over GGP-base, printed: 0.0443× (0.0441–0.0444) in the geometric mean of 3 rows, slower on 3 rows: Lights Out (5x5) 0.0848×, Tic-Tac-Toe (3x3) 0.0117×, Tic-Tac-Toe (5x5) 0.0873×.
        - tree over Ludii, printed: 0.268× (0.267–0.269) in the geometric mean of 3 rows, slower on 3 rows: Lights Out (5x5) 0.609×, Tic-Tac-Toe (3x3) 0.623×, Tic-Tac-Toe (5x5) 0.0505×.

        The rows of this run do not tell which engines carry results over from one playout to the next, so ratios may compare unlike things.

        | ratio | rows | faster | slower | undecided | geometric mean | least | greatest |
        |---|---:|---:|---:|---:|---:|---:|---:|
        | Ludii / GGP-base (printed, whole paper) | 29 | 29 | 0 | 0 | 14.6× | 1.22× | 17,900× |
        | Ludii / GGP-base (printed, rows of this run) | 3 | 3 | 0 | 0 | 7.13× | 2.79× | 17.3× |
        | tree / fast | 3 | 0 | 3 | 0 | 0.0431× (0.0429–0.0433) | 0.00996× (0.00989–0.0101) | 0.400× (0.396–0.404) |
        | tree / slow | 3 | 3 | 0 | 0 | 43.1× (43.0–43.3) | 10.0× (9.93–10.1) | 400× (397–404) |
        | fast / slow | 3 | 3 | 0 | 0 | 1,000× (997–1,000) | 997× (987–1,010) | 1,000× (1,000–1,010) |
        | fast / GGP-base, printed | 3 | 3 | 0 | 0 | 44.3× (44.2–44.4) | 11.7× (11.7–11.8) | 87.7× (87.0–88.2) |
        | slow / GGP-base, printed | 3 | 0 | 3 | 0 | 0.0443× (0.0441–0.0444) | 0.0117× (0.0117–0.0118) | 0.0873× (0.0867–0.0879) |
        | tree / Ludii, printed | 3 | 0 | 3 | 0 | 0.268× (0.267–0.269) | 0.0505× (0.0502–0.0509) | 0.623× (0.619–0.628) |

        ## Row by row

        | row of the paper | Ludii / GGP-base (printed) | tree / fast | tree / slow | fast / GGP-base, printed | slow / GGP-base, printed | tree / Ludii, printed |
        |---|---:|---:|---:|---:|---:|---:|
        | Lights Out (5x5) | 2.79× | 0.0201× (0.0199–0.0202) | 20.0× (19.9–20.1) | 84.6× (84.2–85.0) | 0.0848× (0.0842–0.0854) | 0.609× (0.605–0.611) |
        | Tic-Tac-Toe (3x3) | 7.52× | 0.400× (0.396–0.404) | 400× (397–404) | 11.7× (11.7–11.8) | 0.0117× (0.0117–0.0118) | 0.623× (0.619–0.628) |
        | Tic-Tac-Toe (5x5) | 17.3× | 0.00996× (0.00989–0.0101) | 10.0× (9.93–10.1) | 87.7× (87.0–88.2) | 0.0873× (0.0867–0.0879) | 0.0505× (0.0502–0.0509) |
        | geometric mean | 7.13× | 0.0431× (0.0429–0.0433) | 43.1× (43.0–43.3) | 44.3× (44.2–44.4) | 0.0443× (0.0441–0.0444) | 0.268× (0.267–0.269) |
    "#]].assert_eq(&claim_markdown(&Table::new(&rows, Order::Measured)).unwrap());
}
