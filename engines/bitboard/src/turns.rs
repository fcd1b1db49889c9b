//! Random playouts of games in which a side may play several plies in a row.

use play::{End, Rng};

use cpu::Cpu;

/// A position in which one of two sides has a turn of one ply or more.
pub(crate) trait Turns {
    /// Plays random plies of a side until its turn ends; gives the end of the game if this is it.
    fn random_turn<const SIDE: usize, C: Cpu>(
        &mut self,
        cpu: C,
        rng: &mut Rng,
        plies: &mut u32,
        cap: u32,
    ) -> Option<End>;
}

/// Plays turns of both sides until the game ends, from a state in which this side moves, perhaps
/// amidst its turn.
#[inline(always)]
pub(crate) fn play_on<C: Cpu>(
    mut state: impl Turns,
    mover: u8,
    cpu: C,
    rng: &mut Rng,
    cap: u32,
) -> End {
    let mut plies = 0;
    if mover == 1
        && let Some(end) = state.random_turn::<1, C>(cpu, rng, &mut plies, cap)
    {
        return end;
    }
    loop {
        if let Some(end) = state.random_turn::<0, C>(cpu, rng, &mut plies, cap) {
            return end;
        }
        if let Some(end) = state.random_turn::<1, C>(cpu, rng, &mut plies, cap) {
            return end;
        }
    }
}
