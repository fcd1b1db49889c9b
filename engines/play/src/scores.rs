use std::fmt;

/// More players than any published game description has.
pub const MAX_PLAYERS: usize = 16;

/// A player, counted from 0 in the order that the rules name them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Player(pub u8);

/// Who acts in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Turn {
    /// The playout has ended; [`Scores`] are defined.
    Over,
    /// This player chooses one of the legal actions. Players who move at the same time choose in
    /// turn, and the last choice fires the transition.
    Move(Player),
}

/// What each player gets at the end: integers 0..=100 (win 100, draw 50, loss 0), so sums are exact.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Scores {
    players: u8,
    /// One byte a player, the first in the lowest.
    packed: u128,
}

impl Scores {
    /// Player 0 won, player 1 lost.
    pub const FIRST: Scores = Scores { players: 2, packed: 100 };
    /// Player 1 won, player 0 lost.
    pub const SECOND: Scores = Scores { players: 2, packed: 100 << 8 };
    /// Two players drew.
    pub const DRAW: Scores = Scores { players: 2, packed: 0x3232 };

    /// The scores of all players in order; each is cut to 0..=100, players beyond
    /// [`MAX_PLAYERS`] are left out.
    pub fn new(scores: impl IntoIterator<Item = u8>) -> Scores {
        let mut all = Scores { players: 0, packed: 0 };
        for score in scores.into_iter().take(MAX_PLAYERS) {
            all.packed |= u128::from(score.min(100)) << (8 * u32::from(all.players));
            all.players += 1;
        }
        all
    }

    /// The score of a game for one.
    pub const fn single(score: u8) -> Scores {
        Scores { players: 1, packed: if score > 100 { 100 } else { score as u128 } }
    }

    /// Of two players, this one won.
    pub const fn win(player: Player) -> Scores {
        if player.0 == 0 { Scores::FIRST } else { Scores::SECOND }
    }

    /// Number of players.
    pub fn players(self) -> usize {
        usize::from(self.players)
    }

    /// Score of one player; 0 for players there are not.
    pub fn get(self, player: Player) -> u8 {
        if player.0 < self.players { (self.packed >> (8 * u32::from(player.0))) as u8 } else { 0 }
    }

    /// All scores in the order of the players.
    pub fn iter(self) -> impl ExactSizeIterator<Item = u8> {
        (0..self.players).map(move |p| self.get(Player(p)))
    }

    /// 64 bits that tell scores apart.
    pub(crate) fn bits(self) -> u64 {
        (self.packed as u64)
            ^ ((self.packed >> 64) as u64).rotate_left(29)
            ^ u64::from(self.players)
    }
}

impl fmt::Debug for Scores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl fmt::Display for Scores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, score) in self.iter().enumerate() {
            if i > 0 {
                f.write_str("-")?;
            }
            write!(f, "{score}")?;
        }
        Ok(())
    }
}
