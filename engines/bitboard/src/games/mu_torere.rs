//! Mu Torere.

use play::picture::Picture;
use play::{End, Player, Rng, Scores, Turn};

use crate::bits::Bits;
use crate::grid::{Grid, Ranks};
use crate::points::Steps;
use crate::rules::{Rules, capped, over};
use crate::sides::Sides;
use cpu::Cpu;

/// Mu Torere: four stones each on a ring of eight points and one in the middle. A stone steps to
/// the empty point, into the middle only from beside an enemy; a player who cannot step loses.
pub(crate) struct MuTorere;

/// The squares that name the points.
type Board = Grid<Ranks, 1, 3, 3>;

/// The ring.
const RING: u64 = 0xff;

/// The number of the point in the middle, behind those of the ring.
const MIDDLE: u8 = 8;

/// The names of the points, as squares around the middle.
const NAMES: [&str; 9] = ["b1", "a1", "a2", "a3", "b3", "c3", "c2", "c1", "b2"];

/// First the eight steps into the middle, so that those from a set of points are that set.
static STEPS: Steps = Steps::new(&{
    let (mut lines, mut i) = ([(0, 0); 16], 0);
    while i < 8 {
        lines[i as usize] = (i, MIDDLE);
        lines[8 + i as usize] = (i, (i + 1) % 8);
        i += 1;
    }
    lines
});

/// The legal steps of the player with the first stones.
#[inline(always)]
fn legal(own: Bits<1>, other: Bits<1>) -> Bits<1> {
    let ring = other.words[0] & RING;
    let beside = ring << 1 | ring >> 7 | ring >> 1 | ring << 7;
    STEPS.between(own, !(own | other)) & Bits::from_words([beside | !RING])
}

impl Rules for MuTorere {
    type State = Sides<1>;
    /// The number of a step.
    type Action = u32;

    fn start(&self) -> Sides<1> {
        Sides::new(Bits::from_words([0x0f]), Bits::from_words([0xf0]))
    }

    fn placed(&self, rows: &str, mover: u8, _: u32) -> Option<Sides<1>> {
        let point = |square| NAMES.iter().position(|name| *name == Board::name(square));
        let points = |set: Bits<1>| set.iter().filter_map(point).map(Bits::of_index);
        let men = Board::drawn(rows, ['x', 'o'])?;
        Sides::placed(men.map(|men| points(men).fold(Bits::EMPTY, |all, one| all | one)), mover)
    }

    fn expand(&self, state: &Sides<1>, steps: &mut Vec<u32>) -> Turn {
        let [own, other] = state.own_and_other();
        steps.extend(legal(own, other).iter());
        if steps.is_empty() { Turn::Over } else { Turn::Move(state.mover()) }
    }

    fn apply(&self, state: &mut Sides<1>, step: u32) {
        let [own, other] = state.own_and_other();
        state.become_and_pass(own ^ STEPS.points(step), other);
    }

    fn scores(&self, state: &Sides<1>) -> Scores {
        Scores::win(Player(1 - state.mover().0))
    }

    fn label(&self, _: &Sides<1>, step: u32) -> String {
        let name = |point: u32| NAMES[point as usize];
        let (from, to) = STEPS.ends(step);
        [name(from), name(to)].concat()
    }

    fn picture(&self, state: &Sides<1>) -> Picture {
        let point = |name: &str| NAMES.iter().position(|known| *known == name);
        let men = state.men.map(|men| {
            let squares = (0..9).filter(|&point| men.contains(point)).map(|p| NAMES[p as usize]);
            squares.fold(Bits::EMPTY, |all, name| all | Board::named(name))
        });
        // All meet in the middle, and neighbours on the ring.
        Board::sides(false, men).on_lines(|a, b| match (point(&a.name), point(&b.name)) {
            (Some(a), Some(b)) => a.max(b) == MIDDLE.into() || [1, 7].contains(&a.abs_diff(b)),
            _ => false,
        })
    }

    #[inline(always)]
    fn play_on<C: Cpu>(&self, cpu: C, state: Sides<1>, rng: &mut Rng, cap: u32) -> Option<End> {
        Some(play_from(cpu, state, rng, cap))
    }
}

/// Plays on until somebody cannot.
#[inline(always)]
fn play_from<C: Cpu>(cpu: C, state: Sides<1>, rng: &mut Rng, cap: u32) -> End {
    let mut men = state.men;
    let mut waits = state.mover() == Player(1);
    let mut plies = 0;
    loop {
        for mover in 0..2 {
            // The first player, where the second begins.
            if std::mem::take(&mut waits) {
                continue;
            }
            let legal = legal(men[mover], men[1 - mover]);
            if legal.is_empty() {
                return over(plies, Scores::win(Player(1 - mover as u8)));
            }
            if plies == cap {
                return capped(cap);
            }
            plies += 1;
            STEPS.random(cpu, rng, legal, &mut men[mover]);
        }
    }
}
