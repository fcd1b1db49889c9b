//! The pieces of both sides, and what a move does to them.

use play::Encoding;
use play::picture::{Ground, Picture, Piece};

use crate::bits::Bits;
use crate::grid::{Grid, Ranks};

pub(super) type Board = Grid<Ranks, 1, 8, 8>;

/// Kinds of pieces, as indices.
pub(super) const PAWN: usize = 0;
pub(super) const KNIGHT: usize = 1;
pub(super) const BISHOP: usize = 2;
pub(super) const ROOK: usize = 3;
pub(super) const QUEEN: usize = 4;
pub(super) const KING: usize = 5;

/// The pieces that pawns become, in the order in which promotions are numbered.
pub(super) const PROMOTIONS: [u8; 4] = [QUEEN as u8, ROOK as u8, BISHOP as u8, KNIGHT as u8];

/// The letters of the kinds.
pub(super) const LETTERS: [char; 6] = ['p', 'n', 'b', 'r', 'q', 'k'];

/// Their names.
const NAMES: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];

/// The squares of kings before they castle, and of rooks.
pub(super) const KINGS: u64 = Board::named("e1 e8").words[0];
pub(super) const ROOKS: u64 = Board::named("a1 h1 a8 h8").words[0];

/// A board with pieces, and what it does not show: castling and en passant. White is side 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Men {
    /// The squares of each kind of piece, of both sides.
    pub(super) kinds: [u64; 6],
    /// The squares of each side's pieces.
    pub(super) sides: [u64; 2],
    /// The rooks that have not moved and whose king has not.
    pub(super) castling: u64,
    /// The square that a pawn passed with a double step one ply ago.
    pub(super) passed: u64,
}

/// A move; castling is that of the king.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Action {
    pub(super) from: u8,
    pub(super) to: u8,
    /// The kind that a pawn becomes, or [`PAWN`].
    pub(super) becomes: u8,
}

impl Action {
    /// From-square and to-square, and the letter of the kind that a pawn becomes.
    pub(super) fn label(self) -> String {
        let squares = Board::name(self.from.into()) + &Board::name(self.to.into());
        match usize::from(self.becomes) {
            PAWN => squares,
            kind => squares + &LETTERS[kind].to_string(),
        }
    }

    /// The place of its label among the actions of [`encoding`].
    #[inline]
    pub(super) fn code(self) -> u32 {
        let (from, to) = (u32::from(self.from), u32::from(self.to));
        if usize::from(self.becomes) == PAWN {
            return from * 64 + to;
        }
        // To the last rank or to the first, by files, and what it becomes, from the knight on.
        let files = (to / 8 / 7 * 8 + from % 8) * 8 + to % 8;
        64 * 64 + files * 4 + u32::from(self.becomes) - KNIGHT as u32
    }
}

/// A plane for each side and kind, and moves, after which come promotions.
pub(super) fn encoding() -> Encoding {
    let kinds = LETTERS.iter().map(char::to_ascii_uppercase).chain(LETTERS);
    let mut encoding = Encoding::moves(Board::names(), &[]);
    encoding.kinds = kinds.map(String::from).collect();
    for (last, before) in [(0, 1), (7, 6)] {
        for (from, to) in (0..8).flat_map(|from| (0..8).map(move |to| (from, to))) {
            let squares = Board::name(Board::at(from, before)) + &Board::name(Board::at(to, last));
            let kinds = LETTERS[KNIGHT..=QUEEN].iter();
            encoding.actions.extend(kinds.map(|letter| format!("{squares}{letter}")));
        }
    }
    encoding
}

/// The properties of a move that games count.
#[derive(Clone, Copy)]
pub(super) struct MoveEffect {
    pub(super) captured: bool,
    pub(super) by_pawn: bool,
}

impl Men {
    /// The start of a game.
    pub(super) const START: Men = {
        Men {
            kinds: [
                0x00ff_0000_0000_ff00,
                Board::named("b1 g1 b8 g8").words[0],
                Board::named("c1 f1 c8 f8").words[0],
                ROOKS,
                Board::named("d1 d8").words[0],
                KINGS,
            ],
            sides: [0xffff, 0xffff << 48],
            castling: ROOKS,
            passed: 0,
        }
    };

    /// The occupied squares.
    #[inline(always)]
    pub(super) const fn occupied(&self) -> u64 {
        self.sides[0] | self.sides[1]
    }

    /// Makes a move of a side.
    #[inline(always)]
    pub(super) fn play(&mut self, side: usize, action: Action) -> MoveEffect {
        let (from, to) = (1u64 << (action.from % 64), 1u64 << (action.to % 64));
        let moved = from | to;
        let mut captured = self.sides[1 - side % 2] & to;
        let by_pawn = self.kinds[PAWN] & from != 0;
        let by_king = self.kinds[KING] & from != 0;
        let passed = std::mem::take(&mut self.passed);
        self.sides[side % 2] ^= moved;
        for squares in &mut self.kinds {
            let mine = *squares >> (action.from % 64) & 1;
            *squares = *squares & !moved | to & mine.wrapping_neg();
        }
        if by_pawn {
            if to == passed {
                captured = if side == 0 { to >> 8 } else { to << 8 };
                self.kinds[PAWN] &= !captured;
            } else if action.from.abs_diff(action.to) == 16 {
                self.passed = 1 << (action.from.midpoint(action.to) % 64);
            } else if usize::from(action.becomes) != PAWN {
                self.kinds[PAWN] &= !to;
                self.kinds[usize::from(action.becomes) % 6] |= to;
            }
        } else if by_king && action.from.abs_diff(action.to) == 2 {
            let rook = if to > from { to << 1 | from << 1 } else { to >> 2 | from >> 1 };
            self.kinds[ROOK] ^= rook;
            self.sides[side % 2] ^= rook;
        }
        self.sides[1 - side % 2] &= !captured;
        // A king's square stands for both of its rooks.
        let kings = moved & KINGS;
        self.castling &= !(moved | kings << 3 | kings >> 4);
        MoveEffect { captured: captured != 0, by_pawn }
    }

    /// Writes the planes of [`encoding`].
    #[inline]
    pub(super) fn write_planes(&self, planes: &mut [u8]) {
        let sets = self.sides.into_iter().flat_map(|side| self.kinds.map(|kind| kind & side));
        for (set, plane) in sets.zip(planes.chunks_exact_mut(64)) {
            Board::write_plane(Bits::from_words([set]), plane);
        }
    }

    /// A drawing, white's pieces in capitals.
    pub(super) fn picture(&self) -> Picture {
        Board::picture(false, |square| {
            let kind = self.kinds.iter().position(|squares| squares >> square & 1 == 1);
            match kind.map(|kind| LETTERS[kind]) {
                None => '.',
                Some(letter) if self.sides[0] >> square & 1 == 1 => letter.to_ascii_uppercase(),
                Some(letter) => letter,
            }
        })
        .with_signs(|sign| {
            let kind = LETTERS.iter().position(|&letter| letter == sign.to_ascii_lowercase())?;
            let player = u8::from(sign.is_ascii_lowercase());
            Some((vec![Piece::of(player, NAMES[kind])], Ground::Plain))
        })
    }
}

impl Men {
    /// The pieces and the side to move of a position in Forsyth-Edwards notation, as far as they
    /// make sense on this board: with rooks that may castle, and a pawn that has passed the square
    /// of the fourth field.
    pub(super) fn from_fen(fen: &str) -> Option<(Men, usize)> {
        let mut fields = fen.split_whitespace();
        let mut men = Men { kinds: [0; 6], sides: [0; 2], castling: 0, passed: 0 };
        let rows: String = fields.next()?.chars().map(emptied).collect::<Option<_>>()?;
        let drawn = Board::drawn(&rows, SIGNS)?;
        for (place, set) in drawn.into_iter().enumerate() {
            men.kinds[place / 2] |= set.words[0];
            men.sides[place % 2] |= set.words[0];
        }
        let side = match fields.next()? {
            "w" => 0,
            "b" => 1,
            _ => return None,
        };
        for letter in fields.next()?.chars().filter(|&letter| letter != '-') {
            let place = "KQkq".find(letter)?;
            let king = Board::named(["e1", "e8"][place / 2]).words[0];
            let rook = Board::named(["h1", "a1", "h8", "a8"][place]).words[0];
            let own = men.sides[place / 2];
            if men.kinds[KING] & own & king == 0 || men.kinds[ROOK] & own & rook == 0 {
                return None;
            }
            men.castling |= rook;
        }
        let passant = fields.next()?;
        if passant != "-" {
            let squares = Board::rank([5, 2][side]).iter();
            let square = squares.into_iter().find(|&square| Board::name(square) == passant)?;
            let pawn = if side == 0 { square - 8 } else { square + 8 };
            if men.kinds[PAWN] & men.sides[1 - side] & 1 << pawn == 0 {
                return None;
            }
            men.passed = 1 << square;
        }
        Some((men, side))
    }

    /// True if each side has one king.
    pub(super) fn has_kings(&self) -> bool {
        self.sides.into_iter().all(|side| (self.kinds[KING] & side).is_power_of_two())
    }
}

/// The signs of the pieces, those of white before those of black.
const SIGNS: [char; 12] = ['P', 'p', 'N', 'n', 'B', 'b', 'R', 'r', 'Q', 'q', 'K', 'k'];

/// A number of empty squares as so many signs.
fn emptied(sign: char) -> Option<String> {
    match sign.to_digit(10) {
        None => Some(sign.to_string()),
        Some(empty @ 1..=8) => Some(".".repeat(empty as usize)),
        Some(_) => None,
    }
}

/// The squares of a set.
pub(super) fn squares(set: u64) -> impl Iterator<Item = u32> {
    Bits::<1>::from_words([set]).iter()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    #[test]
    fn the_start_is_the_usual_one() {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        assert_eq!(Men::from_fen(fen), Some((Men::START, 0)));
    }

    #[test]
    fn what_is_no_position_is_none() {
        for fen in ["", "8/8", "9/8/8/8/8/8/8/8 w - -", "8/8/8/8/8/8/8/8 x - -", "k7/8 w - -"] {
            assert_eq!(Men::from_fen(fen), None, "{fen}");
        }
        for fields in ["w - - 0", "w KQ - 0", "w - e6", "w - z9"] {
            let fen = format!("4k3/8/8/8/8/8/8/4K3 {fields}");
            assert_eq!(Men::from_fen(&fen).is_some(), fields == "w - - 0", "{fields}");
        }
        let (men, _) = Men::from_fen("8/8/8/8/8/8/8/4K3 w - -").unwrap();
        assert!(!men.has_kings() && Men::START.has_kings());
    }
}
