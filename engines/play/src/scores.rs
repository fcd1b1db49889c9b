use std::fmt;

/// More players than any published game description has.
pub const MAX_PLAYERS: usize = 16;

/// A player, counted from 0 in the order that the rules name them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Player(pub u8);

/// The party that acts in a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Turn {
    /// The playout has ended; [`Scores`] are defined.
    Over,
    /// This player chooses one of the legal actions. Players who move at the same time choose in
    /// turn, and the last choice fires the transition.
    Move(Player),
}

/// The payoff of each player at the end: integers of any sign, so that sums are exact. Where the
/// rules name only the result, a win is 100, a draw 50 and a loss 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Scores {
    players: u8,
    /// In the order of the players; 0 beyond them.
    all: [i32; MAX_PLAYERS],
}

impl Scores {
    /// Player 0 won, player 1 lost.
    pub const FIRST: Scores = Scores::two(100, 0);
    /// Player 1 won, player 0 lost.
    pub const SECOND: Scores = Scores::two(0, 100);
    /// Two players drew.
    pub const DRAW: Scores = Scores::two(50, 50);

    /// The scores of all players in order; players beyond [`MAX_PLAYERS`] are left out.
    pub fn new(scores: impl IntoIterator<Item = impl Into<i32>>) -> Scores {
        let (mut players, mut all) = (0, [0; MAX_PLAYERS]);
        for (place, score) in all.iter_mut().zip(scores) {
            *place = score.into();
            players += 1;
        }
        Scores { players, all }
    }

    /// The score of a game for one.
    pub const fn single(score: i32) -> Scores {
        let mut all = [0; MAX_PLAYERS];
        all[0] = score;
        Scores { players: 1, all }
    }

    /// The scores of a game for two.
    pub const fn two(first: i32, second: i32) -> Scores {
        let mut all = [0; MAX_PLAYERS];
        all[0] = first;
        all[1] = second;
        Scores { players: 2, all }
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
    pub fn get(self, player: Player) -> i32 {
        self.all.get(usize::from(player.0)).copied().unwrap_or(0)
    }

    /// All scores in the order of the players.
    pub fn iter(self) -> impl ExactSizeIterator<Item = i32> {
        self.all.into_iter().take(usize::from(self.players))
    }

    /// Writes all scores in the order of the players.
    #[inline]
    pub fn write_to(self, out: &mut [i32]) {
        out.iter_mut().zip(self.iter()).for_each(|(out, score)| *out = score);
    }

    /// 64 bits that tell scores apart. Part of digests and fingerprints, so the formula is the
    /// worker protocol's.
    #[inline]
    pub fn bits(self) -> u64 {
        self.iter().fold(u64::from(self.players), |bits, score| {
            (bits ^ u64::from(score as u32)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        })
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
                f.write_str("/")?;
            }
            write!(f, "{score}")?;
        }
        Ok(())
    }
}
