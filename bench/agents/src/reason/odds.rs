use std::fmt;

use play::{Game, Player};

use super::belief::Belief;
use super::hunt::{self, Hunt};
use super::known::{Assumptions, Known, WumpusWorld};
use super::learn::Kind;
use super::pits::{Pits, known};
use super::rooms::{self, Rooms};
use crate::ObservedPly;

/// The probabilities that an explorer of a Wumpus world can work out for each square or room.
#[derive(Clone, Debug, PartialEq)]
pub struct Odds {
    /// The places that there are.
    pub shape: Shape,
    /// The squares, from a1 along the rows, or the rooms.
    pub squares: Vec<SquareOdds>,
    /// The explorer's square, as an index.
    pub at: usize,
    /// The tables that there are, in their order.
    facts: &'static [Fact],
}

/// The places of a cave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Squares; of a cave of unknown size, those of the largest.
    Squares {
        /// The number of columns.
        columns: usize,
        /// The number of rows.
        rows: usize,
    },
    /// Rooms with tunnels.
    Rooms,
}

/// A table: its title, and what it has of each place.
type Fact = (&'static str, fn(&SquareOdds) -> f64);

const PIT: Fact = ("pit", |square| square.pit);
const WUMPUS: Fact = ("wumpus", |square| square.wumpus);
const GOLD: Fact = ("gold", |square| square.gold);
const DEATH: Fact = ("death", |square| square.death);
const BATS: Fact = ("bats", |square| square.bats);
const INSIDE: Fact = ("in the cave", |square| square.inside);

/// The probabilities of one square or room.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SquareOdds {
    /// Probability that the cave has it.
    pub inside: f64,
    /// Probability of a pit.
    pub pit: f64,
    /// Probability of bats.
    pub bats: f64,
    /// Probability that the wumpus is there, dead or alive.
    pub wumpus: f64,
    /// Probability that the gold lies there.
    pub gold: f64,
    /// Probability that entering it is death.
    pub death: f64,
    /// True if the explorer has been there.
    pub visited: bool,
}

/// The odds of every square of a Wumpus world, after what its explorer did and perceived, in the
/// labels and percepts of `games/catalogue/wumpus-4x4`. The error says what does not belong to such
/// a world.
///
/// They are exact: caves that fit are counted, each weighted by its probability before anything was
/// known. Pits, wumpus and gold are independent of each other there, and each percept speaks of one
/// of them, so they stay independent.
///
/// Two formulas for pits are in use, and [`PitPrior`](super::PitPrior) chooses one.
/// - By `Each`, each square has a pit with a probability of its own, 1/5 in the catalogue. A cave
///   with one pit more is a quarter as likely ((1/5) / (4/5)), and squares far from all breezes
///   keep their 1/5.
/// - By `Exactly`, there are just `n` pits, and all ways to place them are equally likely. The odds
///   of a square are the share of the ways that fit and have a pit there. What a breeze needs is
///   missing elsewhere: squares far from all breezes share the pits that are left over.
///
/// They differ wherever a breeze was felt, or was not: after a breeze at b1 and none at a1 in a
/// cave of 4x4, b2 and c1 have 5/9 (55.6 %) by `Each(0.2)`, and all others that are unknown 1/5; by
/// `Exactly(2)` it is 12/23 (52.2 %) and 2/23 (8.7 %), by `Exactly(3)` 66/121 (54.5 %) and 21/121
/// (17.4 %). Each is right in a world with such pits, and wrong in the other.
pub fn odds(world: &WumpusWorld, past: &[ObservedPly]) -> Result<Odds, String> {
    known(world, past).map(|known| Odds::new(&known))
}

/// The odds in a game that is a Wumpus world of any sort: one that [`odds`] speaks of, a hunt in a
/// cave of squares or in one of rooms. Labels, size, arrows and tunnels are found out by trying, in
/// caves that are not the one that is played; what cannot be found out is as in the catalogue, or
/// as it is assumed.
///
/// In hunts the states of the cave that fit are counted one by one, up to two million of them.
/// Others who choose at the same time are taken to choose at random.
pub fn odds_in(
    game: &dyn Game,
    player: Player,
    past: &[ObservedPly],
    assumed: &Assumptions,
) -> Result<Odds, String> {
    Ok(match Kind::of(game, player, 0, assumed, 0)? {
        Kind::Explorer(words) => odds(&WumpusWorld::new(words.size, assumed), &words.plain(past))?,
        Kind::Hunt(hunt) => Odds::of_hunt(&hunt, &Belief::of(&hunt, past, false)?),
        Kind::Rooms(rooms) => Odds::of_rooms(&rooms, &Belief::of(&rooms, past, true)?),
    })
}

impl Odds {
    pub(super) fn new(known: &Known) -> Odds {
        let pits = Pits::new(known).odds();
        let lairs = known.lairs() as f64;
        let lodes = known.lode.iter().filter(|&&can| can).count() as f64;
        let share = |can: bool, of: f64| if can { 1.0 / of } else { 0.0 };
        let square = |(square, &pit): (usize, &f64)| SquareOdds {
            inside: 1.0,
            pit,
            wumpus: share(known.wumpus[square], lairs),
            gold: share(known.lode[square] && !known.gold, lodes),
            death: 1.0 - (1.0 - pit) * (1.0 - known.living(square)),
            visited: known.visited[square],
            ..SquareOdds::default()
        };
        let squares = pits.iter().enumerate().map(square).collect();
        let (columns, rows) = (known.grid.size, known.grid.size);
        let facts = &[PIT, WUMPUS, GOLD, DEATH];
        Odds { shape: Shape::Squares { columns, rows }, squares, at: known.at, facts }
    }

    pub(super) fn of_hunt(hunt: &Hunt, belief: &Belief<hunt::Cave>) -> Odds {
        let (columns, rows) = (hunt.columns(), hunt.rows());
        let mut squares = vec![SquareOdds::default(); columns * rows];
        let total: f64 = belief.states.iter().map(|(_, weight)| weight).sum();
        for (cave, weight) in &belief.states {
            let share = weight / total;
            let lies = !cave.hunters.iter().any(|hunter| hunter.gold);
            for (at, square) in squares.iter_mut().enumerate() {
                let of = |is_so: bool| if is_so { share } else { 0.0 };
                square.inside += of(hunt.has(cave, at));
                square.pit += of(cave.pits >> at & 1 == 1);
                square.wumpus += of(usize::from(cave.wumpus) == at);
                square.gold += of(lies && usize::from(cave.gold) == at);
                square.death += of(cave.kills(at));
            }
        }
        belief.trail.iter().for_each(|&at| squares[at].visited = true);
        let facts: &'static [Fact] = match (hunt.sizes.len() > 1, hunt.gold) {
            (true, true) => &[INSIDE, PIT, WUMPUS, GOLD, DEATH],
            (true, false) => &[INSIDE, PIT, WUMPUS, DEATH],
            (false, true) => &[PIT, WUMPUS, GOLD, DEATH],
            (false, false) => &[PIT, WUMPUS, DEATH],
        };
        Odds { shape: Shape::Squares { columns, rows }, squares, at: belief.at(), facts }
    }

    pub(super) fn of_rooms(rooms: &Rooms, belief: &Belief<rooms::Cave>) -> Odds {
        let mut squares = vec![SquareOdds::default(); rooms.tunnels.len()];
        let total: f64 = belief.states.iter().map(|(_, weight)| weight).sum();
        for (cave, weight) in &belief.states {
            let share = weight / total;
            for (room, square) in squares.iter_mut().enumerate() {
                let is_in = |set: u32| if set >> room & 1 == 1 { share } else { 0.0 };
                square.inside += share;
                square.pit += is_in(cave.pits);
                square.bats += is_in(cave.bats);
                square.wumpus += is_in(1 << cave.wumpus);
                square.death += share * rooms.death(cave, room);
            }
        }
        belief.trail.iter().for_each(|&room| squares[room].visited = true);
        let facts = &[PIT, BATS, WUMPUS, DEATH];
        Odds { shape: Shape::Rooms, squares, at: belief.at(), facts }
    }

    /// The brackets around the values of a place.
    fn brackets(&self, at: usize) -> (char, char) {
        match (at == self.at, self.squares[at].visited) {
            (true, _) => ('[', ']'),
            (false, true) => (' ', '.'),
            (false, false) => (' ', ' '),
        }
    }

    fn squares(&self, f: &mut fmt::Formatter<'_>, columns: usize, rows: usize) -> fmt::Result {
        for (i, (title, value)) in self.facts.iter().enumerate() {
            let gap = if i > 0 { "\n" } else { "" };
            writeln!(f, "{gap}{title}, %")?;
            for row in (0..rows).rev() {
                write!(f, "{:>2} ", row + 1)?;
                for at in row * columns..(row + 1) * columns {
                    let (open, close) = self.brackets(at);
                    write!(f, "{open}{:>5.1}{close}", 100.0 * value(&self.squares[at]))?;
                }
                writeln!(f)?;
            }
            write!(f, "   ")?;
            for column in 0..columns {
                write!(f, "{:>6} ", char::from(b'a' + column as u8))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }

    fn rooms(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "room, %")?;
        self.facts.iter().try_for_each(|(title, _)| write!(f, " {title:>6}"))?;
        writeln!(f)?;
        for (at, room) in self.squares.iter().enumerate() {
            let (open, close) = self.brackets(at);
            write!(f, "{open}{:>5}{close}", at + 1)?;
            for (_, value) in self.facts {
                write!(f, " {:>6.1}", 100.0 * value(room))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl fmt::Display for Odds {
    /// A table of each fact, in per cent: rows and columns as the cave lies. Of rooms one table, a
    /// row each. The explorer's place is in brackets, visited ones have a dot.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.shape {
            Shape::Squares { columns, rows } => self.squares(f, columns, rows),
            Shape::Rooms => self.rooms(f),
        }
    }
}
