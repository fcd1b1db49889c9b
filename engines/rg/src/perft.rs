//! Leaf counts of the tree of moves as the public tool counts them: the keeper's moves cost
//! nothing, those of players and of chance one ply each; equal results of a move of chance count
//! once.

use crate::automaton::Mover;
use crate::reference::Reference;
use crate::search::Fault;
use crate::state::State;

/// Counts at depths 1 to `depth`.
pub(crate) fn counts(game: &Reference, depth: u32) -> Result<Vec<u64>, Fault> {
    (1..=depth).map(|depth| count(game, &mut game.begin(), depth)).collect()
}

fn count(game: &Reference, state: &mut State, depth: u32) -> Result<u64, Fault> {
    if depth == 0 {
        return Ok(1);
    }
    // The keeper's moves first: nothing is left to chance among them.
    let mut moves = game.list(state)?;
    while game.rules.mover(&state.cells) == Some(Mover::Keeper) {
        match moves.as_slice() {
            [] => return Ok(0),
            [only] => state.make(only),
            _ => return Err(Fault::KeeperChooses),
        }
        moves = game.list(state)?;
    }
    if depth == 1 && game.rules.mover(&state.cells) != Some(Mover::Random) {
        return Ok(moves.len() as u64);
    }
    let mut results: Vec<State> = Vec::new();
    let is_random = game.rules.mover(&state.cells) == Some(Mover::Random);
    for chosen in &moves {
        let mut next = state.clone();
        next.make(chosen);
        let is_known = |known: &State| known.node == next.node && known.cells == next.cells;
        if !is_random || !results.iter().any(is_known) {
            results.push(next);
        }
    }
    results.iter_mut().map(|next| count(game, next, depth - 1)).sum()
}
