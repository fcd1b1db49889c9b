//! Leaf counts of the tree of moves as the public tool counts them: the keeper's moves cost
//! nothing, those of players and of chance one ply each; equal results of a move of chance count
//! once.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::automaton::Mover;
use crate::compile::Kind;
use crate::compiled::{CompiledGame, Standing};
use crate::limits::MAX_KEEPER_MOVES;
use crate::reference::{MoveNumber, Reference};
use crate::search::Fault;
use crate::state::State;

/// Counts at depths 1 to `depth`.
pub(crate) fn counts<W: Walked>(game: &W, depth: u32) -> Result<Vec<u64>, Fault> {
    (1..=depth).map(|depth| count(game, &mut game.begin(), depth)).collect()
}

/// The leaves so many plies below a state.
fn count<W: Walked>(game: &W, state: &mut W::State, depth: u32) -> Result<u64, Fault> {
    let moves = game.advance(state)?;
    let is_random = game.is_random(state);
    if depth == 1 && !is_random {
        return Ok(u64::from(moves));
    }
    let made: Vec<u32> = if is_random { game.distinct(state) } else { (0..moves).collect() };
    if depth == 1 {
        return Ok(made.len() as u64);
    }
    made.into_iter().map(|number| count(game, &mut game.made(state, number), depth - 1)).sum()
}

/// The moves, of so many, whose results differ from each other: of equal ones the first. Results
/// that are not known differ from all.
fn differing(count: u32, result: impl Fn(u32) -> Option<State>) -> Vec<u32> {
    let mut results = FxHashSet::default();
    let mut is_new = |made: State| results.insert((made.node, made.cells));
    (0..count).filter(|&number| result(number).is_none_or(&mut is_new)).collect()
}

/// A game whose tree is counted.
pub(crate) trait Walked {
    type State;

    /// The state before anybody has moved, the keeper included.
    fn begin(&self) -> Self::State;

    /// Makes the keeper's moves; the number of moves of who is to move behind them.
    fn advance(&self, state: &mut Self::State) -> Result<u32, Fault>;

    /// True if chance is to move.
    fn is_random(&self, state: &Self::State) -> bool;

    /// The moves whose results differ from each other: of equal ones the first.
    fn distinct(&self, state: &Self::State) -> Vec<u32>;

    /// The state behind a move.
    fn made(&self, state: &Self::State, number: u32) -> Self::State;
}

impl Walked for Reference {
    type State = State;

    fn begin(&self) -> State {
        self.begin()
    }

    fn advance(&self, state: &mut State) -> Result<u32, Fault> {
        for _ in 0..MAX_KEEPER_MOVES {
            let moves = self.list(state)?;
            if self.rules.mover(&state.cells) != Some(Mover::Keeper) {
                let number = moves.len() as u32;
                state.moves = Some(Arc::new(moves));
                return Ok(number);
            }
            match moves.as_slice() {
                [] => return Ok(0),
                [only] => state.make(only),
                _ => return Err(Fault::KeeperChooses),
            }
        }
        Err(Fault::KeeperLoops)
    }

    fn is_random(&self, state: &State) -> bool {
        self.rules.mover(&state.cells) == Some(Mover::Random)
    }

    fn distinct(&self, state: &State) -> Vec<u32> {
        differing(self.listed(state).len() as u32, |number| Some(self.made(state, number)))
    }

    fn made(&self, state: &State, number: u32) -> State {
        let moves = self.listed(state);
        let mut made = State::new(state.node, state.cells.clone());
        made.make(&moves[number as usize]);
        made
    }
}

/// By code, where there is code for a turn.
impl Walked for CompiledGame {
    type State = Standing;

    fn begin(&self) -> Standing {
        self.standing(self.reference.begin())
    }

    fn advance(&self, standing: &mut Standing) -> Result<u32, Fault> {
        for _ in 0..MAX_KEEPER_MOVES {
            match standing {
                Standing::Coded { position, .. } => match self.code.turn(position).kind() {
                    Kind::Step if !self.code.step(position) => return Ok(0),
                    Kind::Step => {}
                    Kind::Choice | Kind::Chance => match self.code.list(position) {
                        Some(list) => return Ok(list.count),
                        None => *standing = Standing::Searched(self.searched(position)),
                    },
                    Kind::Searched => *standing = Standing::Searched(self.searched(position)),
                },
                Standing::Searched(state) => {
                    let moves = self.reference.list(state)?;
                    match (self.reference.rules.mover(&state.cells), moves.as_slice()) {
                        (Some(Mover::Keeper), []) => return Ok(0),
                        (Some(Mover::Keeper), [only]) => {
                            state.make(only);
                            *standing = self.standing(state.clone());
                        }
                        (Some(Mover::Keeper), _) => return Err(Fault::KeeperChooses),
                        _ => {
                            let number = moves.len() as u32;
                            state.moves = Some(Arc::new(moves));
                            return Ok(number);
                        }
                    }
                }
            }
        }
        Err(Fault::KeeperLoops)
    }

    fn is_random(&self, standing: &Standing) -> bool {
        match standing {
            Standing::Coded { position, .. } => {
                matches!(self.code.turn(position).kind(), Kind::Chance)
            }
            Standing::Searched(state) => Walked::is_random(&self.reference, state),
        }
    }

    /// Code leaves variables alone that do not matter any more, so the search says which results
    /// are equal.
    fn distinct(&self, standing: &Standing) -> Vec<u32> {
        let (position, count) = match standing {
            Standing::Coded { position, .. } => {
                (position, self.code.list(&mut position.clone()).map_or(0, |list| list.count))
            }
            Standing::Searched(state) => return self.reference.distinct(state),
        };
        let state = self.searched(position);
        let listed = self.reference.listed(&state);
        differing(count, |number| {
            let tags = self.tags(position, MoveNumber(number)).tags;
            let same = listed.iter().position(|listed| listed.tags == tags)?;
            Some(self.reference.made(&state, same as u32))
        })
    }

    fn made(&self, standing: &Standing, number: u32) -> Standing {
        match standing {
            Standing::Coded { position, .. } => {
                let mut position = position.clone();
                self.code.make(&mut position, number);
                Standing::of_code(position)
            }
            Standing::Searched(state) => self.standing(self.reference.made(state, number)),
        }
    }
}
