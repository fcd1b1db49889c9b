use std::fmt;

use play::{Game, Player};

use super::known::Known;
use super::pits::Pits;
use super::words::PlyLabels;
use crate::ObservedPly;

/// The probabilities that an explorer of a Wumpus world can work out for each square.
#[derive(Clone, Debug, PartialEq)]
pub struct Odds {
    /// Rows and columns.
    pub size: usize,
    /// The squares, from a1 along the rows.
    pub squares: Vec<SquareOdds>,
    /// The explorer's square, as an index.
    pub at: usize,
}

/// The probabilities of one square.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SquareOdds {
    /// Probability of a pit.
    pub pit: f64,
    /// Probability that the wumpus is there, dead or alive.
    pub wumpus: f64,
    /// Probability that the gold lies there.
    pub gold: f64,
    /// Probability that entering it is death.
    pub death: f64,
    /// True if the explorer has been there.
    pub visited: bool,
}

/// The odds of every square of a Wumpus world of this size, after what its explorer did and
/// perceived, in the labels and percepts of `games/catalogue/wumpus-4x4`. The error says what does
/// not belong to such a world.
///
/// They are exact: caves that fit are counted, each weighted by its probability before anything was
/// known. Pits, wumpus and gold are independent of each other there, and each percept speaks of one
/// of them, so they stay independent.
///
/// A simpler count is in use: all ways to place a given number `n` of pits that fit are taken to be
/// equally likely, and the odds of a square are the share of them that has a pit there. That is
/// right where a cave is known to have just `n` pits. Where each square has a pit with probability
/// 1/5 independently, a way with one pit more is a quarter as likely ((1/5) / (4/5)), and ways of
/// all numbers are possible. Say there are breezes at b1 and a2 and none at a1: b2 has a pit with
/// probability 25/29, a3 and c1 each with 9/29. The count says 12/13 for b2 if `n` is 2 and 44/53
/// if it is 4, as in it the pits far from all breezes are those left over.
pub fn odds(size: usize, past: &[ObservedPly]) -> Result<Odds, String> {
    Known::of(size, past).map(|known| Odds::new(&known))
}

/// [`odds`] in a game that is a Wumpus world of any size, whatever its labels are: both are found
/// out by trying, in caves that are not the one that is played.
pub fn odds_in(game: &dyn Game, player: Player, past: &[ObservedPly]) -> Result<Odds, String> {
    let words = PlyLabels::learn(game, player, 0, 0)?;
    odds(words.size, &words.plain(past))
}

impl Odds {
    pub(super) fn new(known: &Known) -> Odds {
        let pits = Pits::new(known).odds();
        let lairs = known.lairs() as f64;
        let lodes = known.lode.iter().filter(|&&can| can).count() as f64;
        let share = |can: bool, of: f64| if can { 1.0 / of } else { 0.0 };
        let square = |(square, &pit): (usize, &f64)| SquareOdds {
            pit,
            wumpus: share(known.wumpus[square], lairs),
            gold: share(known.lode[square] && !known.gold, lodes),
            death: 1.0 - (1.0 - pit) * (1.0 - known.living(square)),
            visited: known.visited[square],
        };
        let squares = pits.iter().enumerate().map(square).collect();
        Odds { size: known.grid.size, squares, at: known.at }
    }
}

impl fmt::Display for Odds {
    /// A table each of pits, wumpus, gold and death, in per cent: rows and columns as the cave
    /// lies, the explorer's square in brackets, visited squares with a dot.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        type Column = fn(&SquareOdds) -> f64;
        let tables: [(&str, Column); 4] = [
            ("pit", |square| square.pit),
            ("wumpus", |square| square.wumpus),
            ("gold", |square| square.gold),
            ("death", |square| square.death),
        ];
        for (i, (title, value)) in tables.into_iter().enumerate() {
            let gap = if i > 0 { "\n" } else { "" };
            writeln!(f, "{gap}{title}, %")?;
            for row in (0..self.size).rev() {
                write!(f, "{:>2} ", row + 1)?;
                for column in 0..self.size {
                    let at = row * self.size + column;
                    let square = &self.squares[at];
                    let (open, close) = match (at == self.at, square.visited) {
                        (true, _) => ('[', ']'),
                        (false, true) => (' ', '.'),
                        (false, false) => (' ', ' '),
                    };
                    write!(f, "{open}{:>5.1}{close}", 100.0 * value(square))?;
                }
                writeln!(f)?;
            }
            write!(f, "   ")?;
            for column in 0..self.size {
                write!(f, "{:>6} ", char::from(b'a' + column as u8))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
