//! Leaf counts of the tree of moves, with the reference's rules: the keeper's moves are free, and
//! lines that end earlier count nothing.

use play::Limits;

use crate::moves::Moves;
use crate::program::Program;
use crate::scratch::Scratch;
use crate::state::State;

/// Counts at depths 1 to `depth`; shorter if no moves are left.
pub(crate) fn counts<const W: usize>(
    program: &Program<W>,
    limits: &Limits,
    depth: u32,
) -> Vec<u64> {
    let mut scratch = Scratch::new(limits.work);
    let mut start = program.begin();
    program.settle(&mut start, &mut scratch);
    (1..=depth)
        .map(|depth| {
            let mut levels: Vec<(State<W>, Moves<W>)> =
                (0..depth).map(|_| (start.clone(), Moves::new())).collect();
            count(program, &mut start.clone(), &mut levels, &mut scratch)
        })
        .collect()
}

fn count<const W: usize>(
    program: &Program<W>,
    state: &mut State<W>,
    levels: &mut [(State<W>, Moves<W>)],
    scratch: &mut Scratch<W>,
) -> u64 {
    if state.mover == 0 {
        return 0;
    }
    let Some(((next, moves), rest)) = levels.split_first_mut() else { return 1 };
    program.list(state, scratch, moves);
    if rest.is_empty() {
        return u64::from(moves.count());
    }
    let mut sum = 0;
    for n in 0..moves.count() {
        if let Some(chosen) = moves.get(n) {
            next.clone_from(state);
            program.make(chosen, next, scratch);
            sum += count(program, next, rest, scratch);
        }
    }
    sum
}
