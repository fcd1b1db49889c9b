//! Tant Fant and Three Men's Morris: three stones each that step on 3x3 points and want to be in a
//! row.

use play::picture::Picture;
use play::{End, Player, Rng, Scores, Turn};

use crate::bits::Bits;
use crate::grid::{Grid, Ranks};
use crate::pictures::on_alquerque;
use crate::points::{SETS, Steps, number};
use crate::rules::{Rules, capped, draw, over};
use crate::select::Select;
use crate::sides::Sides;
use cpu::Cpu;

/// Three stones each on points that are joined along files, ranks and the long diagonals. With
/// `PLACED` the stones begin off the board and are put on it in turn, and every row wins; otherwise
/// they begin on the outer ranks, and all rows win but the one that they began on.
///
/// A player without a step has lost already: three stones block three others only in a row of
/// theirs, and never in the one that they began on.
pub(crate) struct ThreeInARow<const PLACED: bool>;

type Board = Grid<Ranks, 1, 3, 3>;

static STEPS: Steps = Steps::new(&[
    (0, 1),
    (1, 2),
    (3, 4),
    (4, 5),
    (6, 7),
    (7, 8),
    (0, 3),
    (3, 6),
    (1, 4),
    (4, 7),
    (2, 5),
    (5, 8),
    (0, 4),
    (4, 8),
    (2, 4),
    (4, 6),
]);

/// Stones of each player.
const STONES: u32 = 3;

/// The ranks that the stones begin on where they begin on the board.
const HOMES: [Bits<1>; 2] = [Board::rank(0), Board::rank(2)];

/// For each set of stones whether they are in a row.
const ROWS: [bool; SETS] = {
    let diagonals = [Board::named("a1 b2 c3"), Board::named("c1 b2 a3")];
    let (mut rows, mut i) = ([false; SETS], 0);
    while i < 3 {
        rows[number(Board::file(i))] = true;
        rows[number(Board::rank(i))] = true;
        i += 1;
    }
    rows[number(diagonals[0])] = true;
    rows[number(diagonals[1])] = true;
    rows
};

impl<const PLACED: bool> ThreeInARow<PLACED> {
    /// For each player and set of stones whether they win.
    const WINS: [[bool; SETS]; 2] = {
        let mut wins = [ROWS; 2];
        if !PLACED {
            wins[0][number(HOMES[0])] = false;
            wins[1][number(HOMES[1])] = false;
        }
        wins
    };

    #[inline(always)]
    fn wins(player: usize, stones: Bits<1>) -> bool {
        Self::WINS[player % 2][number(stones)]
    }

    fn winner(state: &Sides<1>) -> Option<Player> {
        (0..2).find(|&player| Self::wins(player, state.men[player])).map(|p| Player(p as u8))
    }

    /// True if stones are yet to be put.
    fn puts(state: &Sides<1>) -> bool {
        state.occupied().len() < 2 * STONES
    }
}

/// Puts a stone on a point, or makes a step, by their numbers.
type Action = u32;

impl<const PLACED: bool> Rules for ThreeInARow<PLACED> {
    type State = Sides<1>;
    type Action = Action;

    fn start(&self) -> Sides<1> {
        if PLACED { Sides::new(Bits::EMPTY, Bits::EMPTY) } else { Sides::new(HOMES[0], HOMES[1]) }
    }

    /// Stones are put in turn.
    fn placed(&self, rows: &str, mover: u8, _: u32) -> Option<Sides<1>> {
        let men = Board::drawn(rows, ['x', 'o'])?;
        let [first, second] = men.map(Bits::len);
        let is_full = [first, second] == [STONES; 2];
        let is_put = PLACED && first < STONES + 1 && first == second + u32::from(mover);
        (is_full || is_put).then(|| Sides::placed(men, mover))?
    }

    fn expand(&self, state: &Sides<1>, legal: &mut Vec<Action>) -> Turn {
        if Self::winner(state).is_some() {
            return Turn::Over;
        }
        let empty = Board::BOARD.without(state.occupied());
        if Self::puts(state) {
            legal.extend(empty.iter());
        } else {
            legal.extend(STEPS.between(state.own_and_other()[0], empty).iter());
        }
        Turn::Move(state.mover())
    }

    fn apply(&self, state: &mut Sides<1>, action: Action) {
        if Self::puts(state) {
            state.place(action);
        } else {
            let [own, other] = state.own_and_other();
            state.become_and_pass(own ^ STEPS.points(action), other);
        }
    }

    fn scores(&self, state: &Sides<1>) -> Scores {
        Self::winner(state).map_or(Scores::DRAW, Scores::win)
    }

    fn label(&self, state: &Sides<1>, action: Action) -> String {
        if Self::puts(state) {
            return Board::name(action);
        }
        let (from, to) = STEPS.ends(action);
        Board::name(from) + &Board::name(to)
    }

    fn picture(&self, state: &Sides<1>) -> Picture {
        Board::sides(false, state.men).on_lines(on_alquerque)
    }

    #[inline(always)]
    fn play_on<C: Cpu>(&self, cpu: C, state: Sides<1>, rng: &mut Rng, cap: u32) -> Option<End> {
        Some(match Self::winner(&state) {
            Some(winner) => over(0, Scores::win(winner)),
            None => Self::play_from(cpu, state, rng, cap),
        })
    }
}

impl<const PLACED: bool> ThreeInARow<PLACED> {
    /// Plays on from a state that is not over.
    #[inline(always)]
    fn play_from<C: Cpu>(cpu: C, state: Sides<1>, rng: &mut Rng, cap: u32) -> End {
        let mut men = state.men;
        let mut waits = state.mover() == Player(1);
        let before = if PLACED { state.occupied().len() } else { 0 };
        let mut plies = 0;
        loop {
            for mover in 0..2 {
                // The first player, where the second begins.
                if std::mem::take(&mut waits) {
                    continue;
                }
                if plies == cap {
                    return capped(cap);
                }
                let empty = Board::BOARD.without(men[0] | men[1]);
                if PLACED && before + plies < 2 * STONES {
                    let room = Board::SQUARES - before - plies;
                    men[mover] |= empty.select_bit(cpu, draw(rng, room));
                } else {
                    let legal = STEPS.between(men[mover], empty);
                    STEPS.random(cpu, rng, legal, &mut men[mover]);
                }
                plies += 1;
                if Self::wins(mover, men[mover]) {
                    return over(plies, Scores::win(Player(mover as u8)));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// True if stones that whoever is not to move has block all others without having won.
    fn blocks<const PLACED: bool>(own: Bits<1>, other: Bits<1>, mover: usize) -> bool {
        let empty = Board::BOARD.without(own | other);
        STEPS.between(own, empty).is_empty() && !ThreeInARow::<PLACED>::wins(1 - mover, other)
    }

    #[test]
    fn who_has_no_step_has_lost() {
        let threes = || (0..512).map(|set| Bits::from_words([set])).filter(|set| set.len() == 3);
        let mut blocked = 0;
        for own in threes() {
            for other in threes().filter(|other| !other.intersects(own)) {
                let empty = Board::BOARD.without(own | other);
                blocked += u32::from(STEPS.between(own, empty).is_empty());
                for mover in 0..2 {
                    assert!(!blocks::<true>(own, other, mover), "{own:?} {other:?}");
                    assert!(!blocks::<false>(own, other, mover), "{own:?} {other:?}");
                }
            }
        }
        assert_eq!(blocked, 8);
    }
}
