//! Wolf and Sheep, also known as Fox and Hounds, on 8x8.

use play::picture::Picture;
use play::{Encoding, End, Player, Rng, Scores, Turn};

use crate::bits::Bits;
use crate::choice::Choice;
use crate::grid::{Grid, Ranks};
use crate::pictures::kinds;
use crate::rules::{Rules, capped, draw, over};
use crate::sides::Sides;
use cpu::Cpu;

/// A wolf that steps diagonally against four sheep that step diagonally forward. The wolf wins on
/// the sheep's first rank; whoever cannot move loses.
pub(crate) struct WolfAndSheep;

type Board = Grid<Ranks, 1, 8, 8>;

/// The start of the wolf, and that of the sheep.
const START: [Bits<1>; 2] = [Board::named("d8"), Board::named("a1 c1 e1 g1")];

/// The wolf's goal.
const HOME: Bits<1> = Board::rank(0);

/// The directions of steps, of which the wolf has all and the sheep the first two.
const STEPS: [(i32, i32); 4] = [(-1, 1), (1, 1), (-1, -1), (1, -1)];

/// The kind of step, and the square that it leads to.
type Action = (usize, u32);

/// The free squares that the wolf's four steps lead to.
#[inline(always)]
fn wolf_steps(wolf: Bits<1>, sheep: Bits<1>) -> Choice<4, 1> {
    Choice::new(
        [
            Board::step::<-1, 1>(wolf),
            Board::step::<1, 1>(wolf),
            Board::step::<-1, -1>(wolf),
            Board::step::<1, -1>(wolf),
        ]
        .map(|to| to.without(sheep)),
    )
}

/// The free squares that the sheep's two steps lead to.
#[inline(always)]
fn sheep_steps(wolf: Bits<1>, sheep: Bits<1>) -> Choice<2, 1> {
    Choice::new(
        [Board::step::<-1, 1>(sheep), Board::step::<1, 1>(sheep)]
            .map(|to| to.without(sheep | wolf)),
    )
}

/// The differences of square numbers by a sheep's steps.
const STRIDES: [u32; 2] = [
    Board::stride(STEPS[0].0, STEPS[0].1).unsigned_abs(),
    Board::stride(STEPS[1].0, STEPS[1].1).unsigned_abs(),
];

impl WolfAndSheep {
    /// Whoever has won.
    fn winner(state: &Sides<1>) -> Option<Player> {
        let [wolf, sheep] = state.men;
        if wolf.intersects(HOME) {
            return Some(Player(0));
        }
        let steps = match state.mover() {
            Player(0) => wolf_steps(wolf, sheep).count(),
            Player(_) => sheep_steps(wolf, sheep).count(),
        };
        (steps == 0).then(|| Player(1 - state.mover().0))
    }
}

impl Rules for WolfAndSheep {
    type State = Sides<1>;
    type Action = Action;

    fn start(&self) -> Sides<1> {
        Sides::new(START[0], START[1])
    }

    fn placed(&self, rows: &str, mover: u8, _: u32) -> Option<Sides<1>> {
        Sides::placed(Board::drawn(rows, ['x', 'o'])?, mover)
    }

    fn expand(&self, state: &Sides<1>, legal: &mut Vec<Action>) -> Turn {
        if Self::winner(state).is_some() {
            return Turn::Over;
        }
        let [wolf, sheep] = state.men;
        match state.mover() {
            Player(0) => legal.extend(wolf_steps(wolf, sheep).iter()),
            Player(_) => legal.extend(sheep_steps(wolf, sheep).iter()),
        }
        Turn::Move(state.mover())
    }

    fn apply(&self, state: &mut Sides<1>, (kind, to): Action) {
        let (files, ranks) = STEPS[kind];
        let to = Bits::single(to);
        let from = to.shifted(-Board::stride(files, ranks));
        let [own, other] = state.own_and_other();
        state.become_and_pass(own ^ (from | to), other);
    }

    fn scores(&self, state: &Sides<1>) -> Scores {
        Self::winner(state).map_or(Scores::DRAW, Scores::win)
    }

    fn label(&self, _: &Sides<1>, (kind, to): Action) -> String {
        let (files, ranks) = STEPS[kind];
        Board::name((to as i32 - Board::stride(files, ranks)) as u32) + &Board::name(to)
    }

    fn picture(&self, state: &Sides<1>) -> Picture {
        Board::sides(false, state.men)
            .with_signs(kinds(&[('x', Some(0), "wolf"), ('o', Some(1), "sheep")]))
    }

    fn encoding(&self) -> Option<Encoding> {
        Some(Encoding::moves(Board::names(), &["x", "o"]))
    }

    #[inline]
    fn code(&self, _: &Sides<1>, (kind, to): Action) -> u32 {
        let (files, ranks) = STEPS[kind];
        (to as i32 - Board::stride(files, ranks)) as u32 * Board::SQUARES + to
    }

    #[inline]
    fn planes(&self, state: &Self::State, planes: &mut [u8]) {
        Board::write_sides(state.men, planes);
    }

    #[inline(always)]
    fn play_on<C: Cpu>(&self, cpu: C, state: Sides<1>, rng: &mut Rng, cap: u32) -> Option<End> {
        if state.men[0].intersects(HOME) {
            return Some(over(0, Scores::FIRST));
        }
        Some(chase(cpu, state, rng, cap))
    }
}

/// Plays on from a state in which the wolf is not home.
#[inline(always)]
fn chase<C: Cpu>(cpu: C, state: Sides<1>, rng: &mut Rng, cap: u32) -> End {
    let [mut wolf, mut sheep] = state.men;
    let mut waits = state.mover() == Player(1);
    let mut plies = 0;
    loop {
        // The wolf does, where the sheep begin.
        if !std::mem::take(&mut waits) {
            let steps = wolf_steps(wolf, sheep);
            if steps.count() == 0 {
                return over(plies, Scores::SECOND);
            }
            if plies == cap {
                return capped(cap);
            }
            plies += 1;
            (_, wolf) = steps.nth(cpu, draw(rng, steps.count()));
        }
        let steps = sheep_steps(wolf, sheep);
        if wolf.intersects(HOME) || steps.count() == 0 {
            return over(plies, Scores::FIRST);
        }
        if plies == cap {
            return capped(cap);
        }
        plies += 1;
        let (kind, to) = steps.nth(cpu, draw(rng, steps.count()));
        sheep ^= to | to.down(STRIDES[kind % 2]);
    }
}
