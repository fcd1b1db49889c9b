//! Leaf counts against published ones and against counts that follow from the rules by arithmetic.

use bitboard::modules;
use play::NoChance;
use play::tree::perft;

use crate::engines::bitboard::common::game;

/// Module, leaf counts at depth 1, 2, ..., and where they are from.
const COUNTS: &[(&str, &[u64], &str)] = &[
    (
        "tic-tac-toe-3x3",
        &[9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0],
        "published; the last are 127,872 of the 255,168 games",
    ),
    ("tic-tac-toe-5x5", &[25, 600, 13_800, 303_600], "falling factorials: no line before ply 9"),
    (
        "connect-4-6x7",
        &[7, 49, 343, 2401, 16807, 117649, 823536, 5673234],
        "published (J. Tromp's and the RBG authors' counts)",
    ),
    (
        "connect-4-12x9",
        &[12, 144, 1728, 20_736, 248_832, 2_985_984],
        "powers of 12: no file is full and nobody has four before ply 7",
    ),
    ("ashtapada", &[16, 256, 7936], "brute force on plain arrays, after a first throw of eight"),
    (
        "backgammon",
        &[7, 1080, 6754, 1_058_054],
        "brute force on plain arrays, with the dice 1 and 2 first, and all 36 rolls after them",
    ),
    (
        "minesweeper-8x8",
        &[64, 567, 4464],
        "brute force on plain sets, with the bombs on the first ten squares",
    ),
    ("hnefatafl-11x11", &[116, 6788, 806_344], "brute force on plain arrays"),
    ("ploy", &[53, 2659, 133_923], "brute force on plain arrays"),
    ("oware", &[6, 36, 190, 1014, 5219, 27_332, 139_157], "brute force on plain arrays"),
    ("go-9x9", &[82, 6643, 531_522], "brute force on plain arrays"),
    ("hex-11x11", &[121, 14_520, 1_727_880], "falling factorials"),
    ("hex-9x9", &[81, 6480, 511_920], "falling factorials"),
    ("breakthrough-6x6", &[16, 256, 4308, 71478, 1_248_290], "RBG's interpreter"),
    ("breakthrough-8x8", &[22, 484, 11132, 256_036, 6_182_818], "RBG's interpreter"),
    ("knightthrough-8x8", &[40, 1600, 63520, 2_521_306], "RBG's interpreter"),
    (
        "reversi-8x8",
        &[4, 12, 56, 244, 1396, 8200, 55092, 390_216],
        "published; nobody passes before ply 9",
    ),
    (
        "amazons-10x10",
        &[80, 2176, 168_420, 4_307_152],
        "RBG's interpreter; every other one is published for whole turns",
    ),
    (
        "queens-8",
        &[64, 2576, 61_920, 829_632],
        "k! times the published ways to place k peaceful queens: 64, 1288, 10320, 34568",
    ),
    ("lights-out-5x5", &[25, 625, 15_625], "powers of 25"),
    ("queens-16", &[256, 52_640], "an independent program"),
    ("knights-tour-8x8", &[2, 10, 50, 268, 1268, 5852, 27_168], "an independent program"),
    ("peg-solitaire", &[4, 12, 60, 400, 2960, 24_600, 221_072], "an independent program"),
    ("futoshiki-4x4", &[44, 1560, 44_004], "an independent program"),
    ("futoshiki-5x5", &[90, 7060, 479_550], "an independent program"),
    ("futoshiki-6x6", &[126, 14_350], "an independent program"),
    ("sudoku-9x9", &[179, 30_016], "an independent program"),
    ("nonogram-5x5", &[25, 508, 8400, 113_160], "an independent program"),
    ("nonogram-10x10", &[99, 9230], "an independent program"),
    (
        "chess",
        &[20, 400, 8902, 197_281],
        "published; deeper ones and other positions stand with the module",
    ),
    ("skirmish-8x8", &[20, 400, 8902, 197_742], "RBG's interpreter; chess without check"),
    ("gomoku-15x15", &[225, 50_400, 11_239_200], "falling factorials"),
    ("connect-6-19x19", &[361, 129_960], "falling factorials"),
    ("yavalath", &[61, 3660, 215_940], "falling factorials: nobody has three before ply 5"),
    ("mu-torere", &[2, 2, 2, 6, 8, 12, 28, 34, 52, 128], "an independent program"),
    ("tant-fant", &[5, 14, 60, 266, 1044, 3864, 15_048, 59_048, 227_100], "an independent program"),
    (
        "three-mens-morris",
        &[9, 72, 504, 3024, 15_120, 54_720, 199_296],
        "an independent program; the first six are those of Tic-Tac-Toe",
    ),
    (
        "wolf-and-sheep-8x8",
        &[2, 14, 56, 344, 1032, 6264, 23_387, 141_427, 442_493],
        "brute force on plain arrays; with the wolf's start chosen freely it gives RBG's counts",
    ),
    (
        "tron-10x10",
        &[4, 16, 64, 256, 576, 2304, 4624, 18_496, 26_896],
        "brute force on plain arrays",
    ),
    ("alquerque", &[4, 5, 6, 12, 19, 64, 236, 949, 3992, 18_140], "brute force on plain arrays"),
    ("fanorona", &[5, 17, 64, 327, 1418, 6510], "brute force on plain arrays"),
    ("dara", &[30, 870, 24_360], "falling factorials: nobody has four in a row before ply 7"),
    (
        "nine-mens-morris",
        &[24, 552, 12_144, 255_024],
        "RBG's interpreter; nobody takes before ply 6",
    ),
    ("kuhn-poker", &[2, 4, 2, 0], "by hand: only check and bet has a third ply"),
    (
        "leduc-poker",
        &[2, 11, 27, 61, 88, 76, 36, 8, 0],
        "brute force on texts, all four open cards being counted",
    ),
    (
        "liars-dice",
        &[12, 78, 286, 715, 1287, 1716, 1716, 1287, 715, 286, 78, 13, 1, 0],
        "binomials: sequences of rising bids, with or without a call",
    ),
    (
        "phantom-tic-tac-toe",
        &[9, 81, 648, 5112, 36_288, 233_352, 1_357_344],
        "brute force on plain sets",
    ),
    (
        "mastermind-4x6",
        &[6, 36, 216, 1296, 7770, 46_620, 279_720],
        "powers of six, less the code after the first row",
    ),
    (
        "wumpus-ludii",
        &[4, 16, 54, 186, 614, 1687, 5461, 13_195, 42_411],
        "brute force on plain sets",
    ),
    (
        "wumpus-hunt",
        &[8, 64, 228, 1312, 4424, 23_184],
        "brute force on plain sets, with the wumpus on b1 and a pit on c1 of 3x3 squares",
    ),
    (
        "hunt-the-wumpus",
        &[281],
        "brute force on plain lists, with all in the rooms 1 to 6, a miss being counted four times",
    ),
    ("goofspiel-2", &[2, 4, 4, 4, 0], "factorials: each player has one card less a round"),
    ("goofspiel-3", &[3, 9, 18, 36, 36, 36, 0], "the same"),
    ("goofspiel-4", &[4, 16, 48, 144, 288, 576, 576, 576, 0], "the same"),
    ("goofspiel-5", &[5, 25, 100, 400, 1200, 3600, 7200, 14_400, 14_400, 14_400, 0], "the same"),
    ("goofspiel-6", &[6, 36, 180, 900, 3600, 14_400, 43_200], "the same"),
    ("goofspiel-7", &[7, 49, 294, 1764, 8820, 44_100], "the same"),
    ("goofspiel-8", &[8, 64, 448, 3136, 18_816, 112_896], "the same"),
    (
        "wumpus-2x2",
        &[6, 23, 99, 426, 1825, 7773, 32_885],
        "brute force on plain sets, with the wumpus on b1 and without a pit",
    ),
    ("wumpus-3x3", &[6, 23, 99, 426, 1825, 7773, 32_881], "the same"),
    ("wumpus-4x4", &[6, 23, 99, 426, 1825, 7773, 32_881], "the same"),
    ("wumpus-5x5", &[6, 23, 99, 426, 1825, 7773, 32_881], "the same"),
    ("wumpus-6x6", &[6, 23, 99, 426, 1825, 7773, 32_881], "the same"),
    ("wumpus-7x7", &[6, 23, 99, 426, 1825, 7773, 32_881], "the same"),
    ("wumpus-8x8", &[6, 23, 99, 426, 1825, 7773, 32_881], "the same"),
    (
        "english-draughts",
        &[7, 49, 302, 1469, 7361, 36_768, 179_255, 838_248],
        "RBG's interpreter, capture by capture",
    ),
];

fn counted(module: &str, depth: usize) -> Vec<u64> {
    let game = game(module);
    let chance = game.facts().chance;
    perft(&*game.open(&mut NoChance), depth as u32, 10_000_000, chance).unwrap()
}

#[test]
fn leaf_counts_are_the_published_ones() {
    for &(module, counts, source) in COUNTS {
        assert_eq!(counted(module, counts.len()), counts, "{module}, {source}");
    }
}

#[test]
fn the_hole_of_the_8_puzzle_walks_freely() {
    // Walks of n steps from the corner of a 3x3 grid, counted square by square.
    let mut walks = [0u64; 9];
    walks[2] = 1;
    let mut expected: Vec<u64> = Vec::new();
    for _ in 0..12 {
        let beside = |a: usize, b: usize| (a % 3).abs_diff(b % 3) + (a / 3).abs_diff(b / 3) == 1;
        walks = std::array::from_fn(|to| {
            (0..9).filter(|&from| beside(from, to)).map(|from| walks[from]).sum()
        });
        expected.push(walks.iter().sum());
    }
    assert_eq!(counted("8-puzzle", 12), expected);
}

#[test]
fn the_towers_of_hanoi_obey_a_naive_model() {
    /// Leaves at each depth; discs are numbers on piles.
    fn count(piles: &mut [Vec<u8>; 3], leaves: &mut [u64]) {
        if leaves.is_empty() || piles[2].len() == 3 {
            return;
        }
        for from in 0..3 {
            for to in 0..3 {
                let Some(&disc) = piles[from].last() else { continue };
                if from == to || piles[to].last().is_some_and(|&other| other < disc) {
                    continue;
                }
                piles[from].pop();
                piles[to].push(disc);
                leaves[0] += 1;
                count(piles, &mut leaves[1..]);
                piles[to].pop();
                piles[from].push(disc);
            }
        }
    }
    let mut expected = vec![0; 10];
    count(&mut [vec![3, 2, 1], vec![], vec![]], &mut expected);
    assert_eq!(counted("hanoi-3", 10), expected);
}

#[test]
fn every_module_is_counted() {
    let elsewhere = ["8-puzzle", "hanoi-3"];
    for module in modules() {
        let here = COUNTS.iter().any(|&(name, _, _)| name == module);
        assert!(here || elsewhere.contains(&module), "{module}");
    }
}
