//! Positions one after the other, for searches and whoever else does not play whole playouts: what
//! is legal is listed by code, and a move is made by the code that makes it in a playout.

use play::Pool;

use crate::compile::{CompiledPlayout, Purpose, RunBuffers};
use crate::game::Game;
use crate::lower::Feature;
use crate::moves::MoveId;
use crate::state::State;

/// What has become of a move that was to be made, and the next ones to be written as a set of sites.
pub(crate) enum MadeToSites {
    /// Code does not make it, and nothing has been done.
    Not,
    /// It has been made, and the next ones are to be listed, if the game is not over.
    Made,
    /// It has been made, and the next ones are the set: their generator and their piece.
    Listed((u16, i16)),
}

/// A game with code that lists moves and makes one of them.
pub(crate) struct Positions {
    game: Game,
    buffers: Pool<Box<RunBuffers>>,
}

impl Positions {
    /// Makes the code; `None` where there is none for the game.
    pub(crate) fn new(game: &Game) -> Option<Positions> {
        let game = game.compiled(Purpose::Positions)?;
        Some(Positions { game, buffers: Pool::default() })
    }

    /// The game, whose evaluator has code for the parts of the rules.
    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    /// Does something with memory for code.
    pub(crate) fn with_buffers<T>(&self, run: impl FnOnce(&mut RunBuffers) -> T) -> T {
        self.buffers.with(Box::default, |buffers| run(buffers))
    }

    /// Adds the legal moves that differ to an empty list, as [`Game::list_legal`] does; `None`
    /// where code does not find them.
    pub(crate) fn list(&self, state: &mut State, list: &mut Vec<MoveId>) -> Option<()> {
        self.by_code(state, |playout| {
            playout.gather()?;
            playout.list(list)
        })?;
        if list.is_empty() {
            list.push(MoveId::PASS);
        }
        Some(())
    }

    /// Makes legal moves one after the other, with all that follows from them, as far as code finds
    /// them: how many.
    pub(crate) fn make(&self, state: &mut State, ids: &[MoveId]) -> usize {
        let made = self.by_code(state, |playout| Some(playout.make_all(ids)));
        match made {
            None => 0,
            Some((made, None)) => made,
            Some((made, Some(next))) => {
                self.game.advance(state, &next, None);
                made + 1
            }
        }
    }

    /// Writes the legal moves over a set of sites, if they are all of one generator and one piece,
    /// one on each site: their numbers. `None` where they are anything else.
    pub(crate) fn sites(&self, state: &mut State, sites: &mut Vec<u64>) -> Option<(u16, i16)> {
        self.by_code(state, |playout| {
            playout.gather()?;
            playout.sites(sites)
        })
    }

    /// Makes a legal move, and then does as [`Positions::sites`].
    pub(crate) fn make_to_sites(
        &self,
        state: &mut State,
        id: MoveId,
        sites: &mut Vec<u64>,
    ) -> MadeToSites {
        let made = self.by_code(state, |playout| Some(playout.make_to_sites(id, sites)));
        match made {
            Some((1, _, listed)) => listed.map_or(MadeToSites::Made, MadeToSites::Listed),
            Some((_, Some(next), _)) => {
                self.game.advance(state, &next, None);
                MadeToSites::Made
            }
            _ => MadeToSites::Not,
        }
    }

    /// Runs code in a state, where it finds all moves and nothing is left to chance.
    fn by_code<T>(
        &self,
        state: &mut State,
        run: impl FnOnce(&mut CompiledPlayout<'_>) -> Option<T>,
    ) -> Option<T> {
        if self.game.has(Feature::Chance) || self.game.simultaneous {
            return None;
        }
        self.buffers.with(Box::default, |buffers| {
            let program = self.game.begins_code(state, buffers)?;
            run(&mut CompiledPlayout::new(&self.game, program, state, buffers))
        })
    }
}
