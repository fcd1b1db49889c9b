//! Chess.

use std::hint::cold_path;

use play::picture::Picture;
use play::{Encoding, End, Player, Rng, Scores, Turn};

use crate::rays::{self, look, slides};
use crate::rules::{Rules, capped, draw, over};
use crate::turns::{self, Turns};
use cpu::{Cpu, Eight, Portable};

use super::men::{self, Action, BISHOP, Board, KING, KNIGHT, Men, PAWN, QUEEN, ROOK, squares};
use super::moves::{AHEAD, Bounds, Moves, all_sliders, around, hop, hops, sliders};

/// Chess with castling, en passant and promotion; drawn by stalemate, after 100 plies without a
/// capture or a pawn's move, and when neither side could mate: two kings, with one knight or bishop
/// at most. There is no rule of repetition.
pub(crate) struct Chess {
    start: State,
}

impl Chess {
    /// From the usual start.
    pub(crate) const USUAL: Chess = Chess { start: State::START };

    /// From a position in Forsyth-Edwards notation.
    pub(crate) fn from_fen(fen: &str) -> Option<Chess> {
        let (men, side) = Men::from_fen(fen)?;
        let quiet = fen.split_whitespace().nth(4).map_or(Some(0), |plies| plies.parse().ok())?;
        let start = State { men, mover: side as u8, quiet };
        (quiet <= QUIET && start.men.has_kings()).then_some(Chess { start })
    }
}

/// Plies without a capture or a pawn's move that make a draw.
const QUIET: u8 = 100;

/// The squares that a castling king passes and reaches, with the rooks, on either wing of both
/// sides.
const PATHS: [(u64, u64); 4] = [
    (Board::named("h1").words[0], Board::named("f1 g1").words[0]),
    (Board::named("a1").words[0], Board::named("d1 c1").words[0]),
    (Board::named("h8").words[0], Board::named("f8 g8").words[0]),
    (Board::named("a8").words[0], Board::named("d8 c8").words[0]),
];

/// The pieces, whoever moves, and the plies since the last capture or pawn's move.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct State {
    men: Men,
    mover: u8,
    quiet: u8,
}

/// The bounds that the rules about check put on a side's moves; true if its king is in check. The
/// king may go where nothing would attack it; other pieces must stay on the line on which they
/// shield it, and must capture or block whatever gives check.
#[inline(always)]
fn bounds<const SIDE: usize, C: Cpu>(cpu: C, men: &Men) -> (Bounds, bool) {
    let (own, enemies) = (men.sides[SIDE], men.sides[1 - SIDE]);
    let occupied = own | enemies;
    let king = men.kinds[KING] & own;
    // Sliding pieces see through the king, who cannot flee along the line of a check.
    let seen = slides(cpu, all_sliders(cpu, men, 1 - SIDE), !(occupied ^ king));
    let pawns = men.kinds[PAWN] & enemies;
    let [_, left, right] = AHEAD[1 - SIDE];
    let attacked = around(men.kinds[KING] & enemies)
        | rays::step(pawns, left)
        | rays::step(pawns, right)
        | (seen | hops(cpu, men.kinds[KNIGHT] & enemies)).any();
    let mut bounds = Bounds { king_targets: !attacked, ..Bounds::NONE };
    // What a piece on the king's square saw in a direction, and a slider sees the other way.
    let pinned = slides(cpu, cpu.all(king), !occupied) & seen.exchanged() & cpu.all(own);
    let all = pinned.any();
    if all != 0 {
        cold_path();
        bounds.pinned = cpu.all(all).minus(pinned | pinned.exchanged()).words();
    }
    let in_check = attacked & king != 0;
    if in_check {
        cold_path();
        (bounds.targets, bounds.castling) = (answers::<SIDE>(men, king), 0);
    } else if men.castling != 0 {
        bounds.castling = castling(attacked);
    }
    if men.passed != 0 {
        cold_path();
        bounds.passants = passants::<SIDE>(men, king.trailing_zeros());
    }
    (bounds, in_check)
}

/// The rooks towards which no square on the king's way is attacked.
#[inline(always)]
fn castling(attacked: u64) -> u64 {
    let safe = PATHS.map(|(rook, path)| if attacked & path == 0 { rook } else { 0 });
    safe[0] | safe[1] | safe[2] | safe[3]
}

/// The squares on which a piece ends the check of a king, if any does.
#[inline(always)]
fn answers<const SIDE: usize>(men: &Men, king: u64) -> u64 {
    let enemies = men.sides[1 - SIDE];
    let mut checkers = leapers::<SIDE>(men, king);
    let mut answers = checkers;
    for d in 0..8 {
        let (seen, first) = look(king.trailing_zeros(), d, men.occupied());
        if first & enemies & sliders(men, d) != 0 {
            checkers |= first;
            answers |= seen;
        }
    }
    if checkers.is_power_of_two() { answers } else { 0 }
}

/// The enemy knights and pawns that attack a side's king.
#[inline(always)]
fn leapers<const SIDE: usize>(men: &Men, king: u64) -> u64 {
    let [_, left, right] = AHEAD[SIDE];
    let pawns = rays::step(king, left) | rays::step(king, right);
    let mut leapers = pawns & men.kinds[PAWN];
    for i in 0..8 {
        leapers |= hop(king, i) & men.kinds[KNIGHT];
    }
    leapers & men.sides[1 - SIDE]
}

/// The pawns of a side that may capture en passant, which takes two pawns off their rank at once:
/// each is tried.
#[inline(always)]
fn passants<const SIDE: usize>(men: &Men, king: u32) -> u64 {
    let [_, left, right] = AHEAD[1 - SIDE];
    let beside = rays::step(men.passed, left) | rays::step(men.passed, right);
    let mut pawns = men.kinds[PAWN] & men.sides[SIDE] & beside;
    let to = men.passed.trailing_zeros() as u8;
    for from in squares(pawns) {
        let mut after = *men;
        let from = from as u8;
        after.play(SIDE, Action { from, to, becomes: PAWN as u8 });
        let attacked = leapers::<SIDE>(&after, 1 << (king % 64)) != 0
            || (0..8).any(|d| {
                let (_, first) = look(king, d, after.occupied());
                first & after.sides[1 - SIDE] & sliders(&after, d) != 0
            });
        if attacked {
            pawns &= !(1 << from);
        }
    }
    pawns
}

/// True if neither side has enough to mate with.
#[inline(always)]
fn is_bare(men: &Men) -> bool {
    let minor = men.kinds[KNIGHT] | men.kinds[BISHOP];
    men.kinds[PAWN] | men.kinds[ROOK] | men.kinds[QUEEN] == 0 && minor & minor.wrapping_sub(1) == 0
}

impl State {
    const START: State = State { men: Men::START, mover: 0, quiet: 0 };

    /// True if the rules end the game although there are moves.
    #[inline(always)]
    fn is_drawn(&self) -> bool {
        self.quiet >= QUIET || is_bare(&self.men)
    }

    /// Makes a move of a side.
    #[inline(always)]
    fn play(&mut self, side: usize, action: Action) {
        let deed = self.men.play(side, action);
        self.quiet = if deed.captured || deed.by_pawn { 0 } else { self.quiet + 1 };
    }

    /// The moves of whoever has to move, and whether that king is in check.
    fn moves(&self) -> (Vec<Action>, bool) {
        moves(&self.men, self.mover.into())
    }
}

impl Turns for State {
    /// One ply.
    #[inline(always)]
    fn random_turn<const SIDE: usize, C: Cpu>(
        &mut self,
        cpu: C,
        rng: &mut Rng,
        plies: &mut u32,
        cap: u32,
    ) -> Option<End> {
        let (bounds, in_check) = bounds::<SIDE, C>(cpu, &self.men);
        let moves = Moves::<SIDE>::new(cpu, &self.men, &bounds);
        let count = moves.count();
        if count == 0 {
            return Some(over(*plies, unmovable(SIDE, in_check)));
        }
        if self.is_drawn() {
            return Some(over(*plies, Scores::DRAW));
        }
        if *plies == cap {
            return Some(capped(cap));
        }
        *plies += 1;
        self.play(SIDE, moves.nth(cpu, draw(rng, count)));
        None
    }
}

/// The moves of a side, and whether its king is in check.
fn moves(men: &Men, side: usize) -> (Vec<Action>, bool) {
    if side == 0 {
        let (bounds, in_check) = bounds::<0, Portable>(Portable, men);
        (Moves::<0>::new(Portable, men, &bounds).iter().collect(), in_check)
    } else {
        let (bounds, in_check) = bounds::<1, Portable>(Portable, men);
        (Moves::<1>::new(Portable, men, &bounds).iter().collect(), in_check)
    }
}

/// The scores when a side has no move.
fn unmovable(side: usize, in_check: bool) -> Scores {
    if in_check { Scores::win(Player(1 - side as u8)) } else { Scores::DRAW }
}

impl Rules for Chess {
    type State = State;
    type Action = Action;

    const WIDE: bool = true;

    fn start(&self) -> State {
        self.start
    }

    fn expand(&self, state: &State, legal: &mut Vec<Action>) -> Turn {
        if !state.is_drawn() {
            legal.extend(state.moves().0);
        }
        if legal.is_empty() { Turn::Over } else { Turn::Move(Player(state.mover)) }
    }

    fn apply(&self, state: &mut State, action: Action) {
        state.play(state.mover.into(), action);
        state.mover = 1 - state.mover;
    }

    fn scores(&self, state: &State) -> Scores {
        match state.moves() {
            (moves, in_check) if moves.is_empty() => unmovable(state.mover.into(), in_check),
            _ => Scores::DRAW,
        }
    }

    fn label(&self, _: &State, action: Action) -> String {
        action.label()
    }

    fn picture(&self, state: &State) -> Picture {
        state.men.picture()
    }

    fn encoding(&self) -> Option<Encoding> {
        Some(men::encoding())
    }

    #[inline]
    fn code(&self, _: &State, action: Action) -> u32 {
        action.code()
    }

    #[inline]
    fn planes(&self, state: &Self::State, planes: &mut [u8]) {
        state.men.write_planes(planes);
    }

    #[inline(always)]
    fn play_on<C: Cpu>(&self, cpu: C, state: State, rng: &mut Rng, cap: u32) -> Option<End> {
        Some(turns::play_on(state, state.mover, cpu, rng, cap))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions with their published leaf counts at depth 1, 2, ... (the chess programming wiki's,
    /// which many programs agree on); no count is reached by a draw by rule.
    const POSITIONS: [(&str, &[u64]); 6] = [
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
            &[20, 400, 8902, 197_281, 4_865_609, 119_060_324],
        ),
        (
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -",
            &[48, 2039, 97_862, 4_085_603, 193_690_690],
        ),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - -", &[14, 191, 2812, 43_238, 674_624, 11_030_083]),
        (
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq -",
            &[6, 264, 9467, 422_333, 15_833_292],
        ),
        (
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ -",
            &[44, 1486, 62_379, 2_103_487, 89_941_194],
        ),
        (
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - -",
            &[46, 2079, 89_890, 3_894_594, 164_075_551],
        ),
    ];

    fn leaves(men: &Men, side: usize, depth: usize) -> u64 {
        let (moves, _) = moves(men, side);
        if depth == 1 {
            return moves.len() as u64;
        }
        let after = |&action: &Action| {
            let mut after = *men;
            after.play(side, action);
            leaves(&after, 1 - side, depth - 1)
        };
        moves.iter().map(after).sum()
    }

    /// Counts every position as deep as about `budget` leaves allow.
    fn check(budget: u64) {
        for (fen, counts) in POSITIONS {
            let (men, side) = Men::from_fen(fen).unwrap();
            for (depth, &count) in (1..).zip(counts).take_while(|&(_, &count)| count <= budget) {
                assert_eq!(leaves(&men, side, depth), count, "{fen} at depth {depth}");
            }
        }
    }

    #[test]
    fn leaf_counts_are_the_published_ones() {
        check(200_000);
    }

    #[test]
    #[ignore = "minutes; cargo test --release -p bitboard -- --ignored leaf_counts"]
    fn deep_leaf_counts_are_the_published_ones() {
        check(200_000_000);
    }

    #[test]
    fn only_kings_with_one_minor_piece_at_most_are_bare() {
        let bare = |fen: &str| is_bare(&Men::from_fen(fen).unwrap().0);
        for fen in ["4k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/2B1K3", "1n2k3/8/8/8/8/8/8/4K3"] {
            assert!(bare(&format!("{fen} w - -")), "{fen}");
        }
        for fen in ["2b1k3/8/8/8/8/8/8/2B1K3", "4k3/8/8/8/8/8/P7/4K3", "4k3/8/8/8/8/8/8/R3K3"] {
            assert!(!bare(&format!("{fen} w - -")), "{fen}");
        }
    }
}
