//! English draughts, jump by jump.

use play::picture::Picture;
use play::{Encoding, End, Player, Rng, Scores, Turn};

use crate::bits::Bits;
use crate::choice::Choice;
use crate::grid::{Grid, Ranks};
use crate::pictures::kinds;
use crate::rules::{Rules, capped, draw, over};
use crate::turns::{self, Turns};
use cpu::Cpu;

/// English draughts in which each jump is a ply, and the piece that jumped goes on as long as it
/// can. A man that reaches the far rank becomes a king and stops. Jumps are mandatory; who cannot
/// move loses.
pub(crate) struct Draughts {
    start: State,
}

impl Draughts {
    /// From the usual start.
    pub(crate) const USUAL: Draughts = Draughts { start: START };

    /// From a position: rows from the top, men of the dark and the light side `b` and `w`, kings
    /// in capitals, then the number of the player to move.
    pub(crate) fn from_position(text: &str) -> Option<Draughts> {
        let (rows, mover) = text.split_once(' ')?;
        let [dark, light, dark_kings, light_kings] = Board::drawn(rows, ['b', 'w', 'B', 'W'])?;
        let pieces = [dark | dark_kings, light | light_kings];
        let all = pieces[0] | pieces[1];
        let is_sound =
            all.without(GROUND).is_empty() && (dark & FAR[0] | light & FAR[1]).is_empty();
        let mover = mover.parse().ok().filter(|&mover| mover < 2 && is_sound)?;
        let kings = dark_kings | light_kings;
        Some(Draughts { start: State { pieces, kings, mover, ..START } })
    }
}

type Board = Grid<Ranks, 1, 8, 8>;

/// The squares that are played on. A step beyond an edge lands on a square of the other colour, or
/// on none: so steps need no care for edges.
const GROUND: Bits<1> = Bits::from_words([0xaa55_aa55_aa55_aa55]);

/// Plies in a row of kings that take nothing after which the game is drawn.
const IDLE: u32 = 20;

/// The differences of square numbers by steps to the upper left and upper right; the other two go
/// back.
const STRIDES: [u32; 2] = [7, 9];

/// The far rank of each side.
const FAR: [Bits<1>; 2] = [Board::rank(7), Board::rank(0)];

/// The board, whoever moves, and what the draw depends on.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct State {
    /// Men and kings of the dark and of the light side.
    pieces: [Bits<1>; 2],
    /// Kings of both.
    kings: Bits<1>,
    /// The piece that has to go on jumping, if there is one.
    jumper: Bits<1>,
    mover: u8,
    idle: u8,
}

const START: State = State {
    pieces: [
        GROUND.and(Board::rank(0).or(Board::rank(1)).or(Board::rank(2))),
        GROUND.and(Board::rank(5).or(Board::rank(6)).or(Board::rank(7))),
    ],
    kings: Bits::EMPTY,
    jumper: Bits::EMPTY,
    mover: 0,
    idle: 0,
};

/// The direction of a step, whether it jumps, and the square that it leads to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Action {
    direction: u8,
    jumps: bool,
    to: u8,
}

impl Action {
    /// The square that it leads from.
    fn from(self) -> u32 {
        let to = Bits::single(self.to.into());
        let over = back(to, usize::from(self.direction));
        let from = if self.jumps { back(over, usize::from(self.direction)) } else { over };
        from.first_index() as u32
    }
}

/// The squares that steps in a direction lead to: upper left, upper right, lower right, lower left.
#[inline(always)]
fn ahead(set: Bits<1>, direction: usize) -> Bits<1> {
    let stride = STRIDES[direction % 2];
    if direction < 2 { set.up(stride) } else { set.down(stride) }
}

/// The squares that steps in a direction come from.
#[inline(always)]
fn back(set: Bits<1>, direction: usize) -> Bits<1> {
    let stride = STRIDES[direction % 2];
    if direction < 2 { set.down(stride) } else { set.up(stride) }
}

/// The pieces among these that may step in a direction: all kings, and a side's men forward.
#[inline(always)]
fn heading<const SIDE: usize>(pieces: Bits<1>, kings: Bits<1>, direction: usize) -> Bits<1> {
    if (direction < 2) == (SIDE == 0) { pieces } else { pieces & kings }
}

/// The squares that jumps of `pieces` in the four directions lead to.
#[inline(always)]
fn jumps<const SIDE: usize>(
    pieces: Bits<1>,
    kings: Bits<1>,
    enemies: Bits<1>,
    empty: Bits<1>,
) -> [Bits<1>; 4] {
    std::array::from_fn(|d| ahead(ahead(heading::<SIDE>(pieces, kings, d), d) & enemies, d) & empty)
}

/// The squares that single steps of `pieces` lead to.
#[inline(always)]
fn walks<const SIDE: usize>(pieces: Bits<1>, kings: Bits<1>, empty: Bits<1>) -> [Bits<1>; 4] {
    std::array::from_fn(|d| ahead(heading::<SIDE>(pieces, kings, d), d) & empty)
}

#[inline(always)]
fn any(squares: [Bits<1>; 4]) -> bool {
    !(squares[0] | squares[1] | squares[2] | squares[3]).is_empty()
}

impl State {
    /// The moves of whoever has to move, who is `SIDE`, and whether they jump.
    #[inline(always)]
    fn choice<const SIDE: usize>(&self) -> (Choice<4, 1>, bool) {
        let (own, enemies) = (self.pieces[SIDE], self.pieces[1 - SIDE]);
        let empty = GROUND.without(own | enemies);
        let movers = if self.jumper.is_empty() { own } else { self.jumper };
        let jumps = jumps::<SIDE>(movers, self.kings, enemies, empty);
        if any(jumps) {
            (Choice::new(jumps), true)
        } else {
            (Choice::new(walks::<SIDE>(own, self.kings, empty)), false)
        }
    }

    /// Makes a move of `SIDE` and says whether the same piece has to go on.
    #[inline(always)]
    fn play<const SIDE: usize>(&mut self, direction: usize, jump: bool, to: Bits<1>) -> bool {
        let over = back(to, direction);
        let from = if jump { back(over, direction) } else { over };
        let is_king = self.kings.intersects(from);
        self.pieces[SIDE] ^= from | to;
        self.kings = self.kings.without(from);
        if jump {
            self.pieces[1 - SIDE] = self.pieces[1 - SIDE].without(over);
            self.kings = self.kings.without(over);
        }
        let crowned = !is_king && to.intersects(FAR[SIDE]);
        if is_king || crowned {
            self.kings |= to;
        }
        self.idle = if is_king && !jump { self.idle + 1 } else { 0 };
        self.jumper = Bits::EMPTY;
        if !jump || crowned {
            return false;
        }
        let (own, enemies) = (self.pieces[SIDE], self.pieces[1 - SIDE]);
        let empty = GROUND.without(own | enemies);
        let goes_on = any(jumps::<SIDE>(to, self.kings, enemies, empty));
        if goes_on {
            self.jumper = to;
        }
        goes_on
    }

    /// The moves of whoever has to move.
    fn moves(&self) -> (Choice<4, 1>, bool) {
        if self.mover == 0 { self.choice::<0>() } else { self.choice::<1>() }
    }
}

impl Turns for State {
    /// One ply in most turns.
    #[inline(always)]
    fn random_turn<const SIDE: usize, C: Cpu>(
        &mut self,
        cpu: C,
        rng: &mut Rng,
        plies: &mut u32,
        cap: u32,
    ) -> Option<End> {
        loop {
            let (choice, jump) = self.choice::<SIDE>();
            if choice.count() == 0 {
                return Some(over(*plies, Scores::win(Player(1 - SIDE as u8))));
            }
            if u32::from(self.idle) == IDLE {
                return Some(over(*plies, Scores::DRAW));
            }
            if *plies == cap {
                return Some(capped(cap));
            }
            *plies += 1;
            let (direction, to) = choice.nth(cpu, draw(rng, choice.count()));
            if !self.play::<SIDE>(direction, jump, to) {
                return None;
            }
        }
    }
}

impl Rules for Draughts {
    type State = State;
    type Action = Action;

    fn start(&self) -> State {
        self.start
    }

    fn expand(&self, state: &State, legal: &mut Vec<Action>) -> Turn {
        let (choice, jumps) = state.moves();
        if choice.count() == 0 || u32::from(state.idle) == IDLE {
            return Turn::Over;
        }
        legal.extend(choice.iter().map(|(direction, to)| Action {
            direction: direction as u8,
            jumps,
            to: to as u8,
        }));
        Turn::Move(Player(state.mover))
    }

    fn apply(&self, state: &mut State, Action { direction, jumps, to }: Action) {
        let (direction, to) = (direction.into(), Bits::single(to.into()));
        let goes_on = match state.mover {
            0 => state.play::<0>(direction, jumps, to),
            _ => state.play::<1>(direction, jumps, to),
        };
        if !goes_on {
            state.mover = 1 - state.mover;
        }
    }

    fn scores(&self, state: &State) -> Scores {
        if state.moves().0.count() > 0 {
            Scores::DRAW
        } else {
            Scores::win(Player(1 - state.mover))
        }
    }

    fn label(&self, _: &State, action: Action) -> String {
        Board::name(action.from()) + &Board::name(action.to.into())
    }

    fn picture(&self, state: &State) -> Picture {
        Board::picture(false, |square| {
            let men = match state.pieces.map(|side| side.contains(square)) {
                [true, _] => 'x',
                [_, true] => 'o',
                _ => '.',
            };
            if state.kings.contains(square) { men.to_ascii_uppercase() } else { men }
        })
        .with_signs(kinds(&[('X', Some(0), "crowned disc"), ('O', Some(1), "crowned disc")]))
    }

    fn encoding(&self) -> Option<Encoding> {
        Some(Encoding::moves(Board::names(), &["x", "o", "X", "O"]))
    }

    #[inline]
    fn code(&self, _: &State, action: Action) -> u32 {
        action.from() * Board::SQUARES + u32::from(action.to)
    }

    #[inline]
    fn planes(&self, state: &Self::State, planes: &mut [u8]) {
        let [first, second] = state.pieces;
        let kings = state.kings;
        let kinds = [first.without(kings), second.without(kings), first & kings, second & kings];
        for (set, plane) in kinds.into_iter().zip(planes.chunks_exact_mut(64)) {
            Board::write_plane(set, plane);
        }
    }

    #[inline(always)]
    fn play_on<C: Cpu>(&self, cpu: C, state: State, rng: &mut Rng, cap: u32) -> Option<End> {
        Some(turns::play_on(state, state.mover, cpu, rng, cap))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_stay_on_the_ground_without_masks() {
        assert_eq!(GROUND, {
            let squares = (0..64).filter(|s| (s % 8 + s / 8) % 2 == 0);
            squares.fold(Bits::EMPTY, |set, square| set | Bits::single(square))
        });
        let masked = [
            Board::step::<-1, 1>(GROUND),
            Board::step::<1, 1>(GROUND),
            Board::step::<1, -1>(GROUND),
            Board::step::<-1, -1>(GROUND),
        ];
        assert_eq!([0, 1, 2, 3].map(|d| ahead(GROUND, d) & GROUND), masked);
        let twice = [
            Board::step::<-1, 1>(masked[0]),
            Board::step::<1, 1>(masked[1]),
            Board::step::<1, -1>(masked[2]),
            Board::step::<-1, -1>(masked[3]),
        ];
        let jumped = [0, 1, 2, 3].map(|d| ahead(ahead(GROUND, d) & GROUND, d) & GROUND);
        assert_eq!(jumped, twice);
    }
}
