//! A game whose moves are found by the search alone. Code is checked against it, and leaves to it
//! what it does not cover.

use play::picture::Picture;
use play::{Chance, Ending, Facts, Mechanics, Player, Scores, Turn};

use crate::moves::{Chosen, Moves};
use crate::place::Change;
use crate::playout::Playout;
use crate::program::{EdgeKind, Program};
use crate::scratch::Scratch;
use crate::show::Notation;
use crate::state::State;

/// The rules of a game, and the search for its moves.
pub(crate) struct SearchedGame<const W: usize> {
    pub(crate) program: Program<W>,
    pub(crate) show: Notation,
    pub(crate) facts: Facts,
    /// The state that every play begins with, in which the first player is to move.
    pub(crate) start: State<W>,
    /// Steps that one search may take.
    pub(crate) budget: u64,
    /// The greatest values of the scores.
    pub(crate) bounds: Vec<i32>,
}

/// A state with its moves, if they have been listed.
pub(crate) struct SearchedPosition<const W: usize> {
    pub(crate) state: State<W>,
    pub(crate) room: Option<Box<SearchBuffers<W>>>,
}

/// Memory for the moves of a state, and for searches.
pub(crate) struct SearchBuffers<const W: usize> {
    pub(crate) scratch: Scratch<W>,
    pub(crate) moves: Moves<W>,
    /// True if `moves` are those of the state.
    valid: bool,
    /// A state on which moves are tried.
    spare: Option<State<W>>,
}

impl<const W: usize> SearchBuffers<W> {
    pub(crate) fn new(budget: u64) -> SearchBuffers<W> {
        SearchBuffers {
            scratch: Scratch::new(budget),
            moves: Moves::new(),
            valid: false,
            spare: None,
        }
    }
}

impl<const W: usize> SearchedPosition<W> {
    pub(crate) fn new(state: State<W>) -> SearchedPosition<W> {
        SearchedPosition { state, room: None }
    }

    /// The state, to be changed; its moves must be listed again.
    pub(crate) fn state_mut(&mut self) -> &mut State<W> {
        if let Some(room) = &mut self.room {
            room.valid = false;
        }
        &mut self.state
    }
}

impl<const W: usize> Clone for SearchedPosition<W> {
    /// Copies no moves, which are listed again when needed.
    fn clone(&self) -> SearchedPosition<W> {
        SearchedPosition::new(self.state.clone())
    }

    fn clone_from(&mut self, other: &SearchedPosition<W>) {
        self.state_mut().clone_from(&other.state);
    }
}

/// A move, by its number in the order of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MoveNumber(u32);

/// The legal moves of a position in short.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Legal {
    /// This number of moves, at least one.
    Choice(u32),
    /// A lone move that is a pass.
    Pass,
    /// No moves: the play is over.
    Nothing,
    /// Unknown, because the search was given up.
    Lost,
}

impl<const W: usize> SearchedGame<W> {
    /// The moves of the state, listed now if they have not been.
    pub(crate) fn moves<'p>(
        &self,
        position: &'p mut SearchedPosition<W>,
    ) -> (&'p mut State<W>, &'p mut SearchBuffers<W>) {
        let room = position.room.get_or_insert_with(|| Box::new(SearchBuffers::new(self.budget)));
        if !room.valid {
            self.program.list(&mut position.state, &mut room.scratch, &mut room.moves);
            room.valid = true;
        }
        (&mut position.state, room)
    }

    /// The legal moves of the player to move in short.
    pub(crate) fn legal(&self, position: &mut SearchedPosition<W>) -> Legal {
        if position.state.lost {
            return Legal::Lost;
        }
        if position.state.mover == 0 {
            return Legal::Nothing;
        }
        let (state, room) = self.moves(position);
        match room.moves.count() {
            _ if state.lost => Legal::Lost,
            0 => Legal::Nothing,
            1 if self.passes(state, room) => Legal::Pass,
            count => Legal::Choice(count),
        }
    }

    /// Makes the move of a number.
    pub(crate) fn make(&self, position: &mut SearchedPosition<W>, number: u32) {
        let (state, room) = self.moves(position);
        if let Some(chosen) = room.moves.get(number) {
            self.program.make(chosen, state, &mut room.scratch);
        }
        room.valid = false;
    }

    /// Makes the moves of the keeper, until a player is to move or the keeper cannot move.
    pub(crate) fn settle(&self, position: &mut SearchedPosition<W>) {
        let room = position.room.get_or_insert_with(|| Box::new(SearchBuffers::new(self.budget)));
        room.valid = false;
        self.program.settle(&mut position.state, &mut room.scratch);
    }

    /// The labels of all moves of a state.
    pub(crate) fn all_labels(&self, state: State<W>) -> Vec<String> {
        let mut position = SearchedPosition::new(state);
        let (_, room) = self.moves(&mut position);
        self.show.labels(&self.program, &room.moves)
    }

    /// The scores that the variables of the players, the first ones, represent.
    pub(crate) fn scores_of(&self, vars: &[i32]) -> Scores {
        let share = |(&value, &bound): (&i32, &i32)| {
            (i64::from(value) * 100 / i64::from(bound.max(1))) as i32
        };
        Scores::new(vars.iter().zip(&self.bounds).map(share))
    }

    /// True if a lone legal move hands on the turn and changes nothing else.
    pub(crate) fn passes(&self, state: &State<W>, room: &mut SearchBuffers<W>) -> bool {
        let Some(chosen) = room.moves.get(0).filter(Chosen::is_bare) else { return false };
        let EdgeKind::Switch(next) = self.program.edges[chosen.last.edge as usize].kind else {
            return false;
        };
        if next == state.mover {
            return false;
        }
        let after = match &mut room.spare {
            Some(spare) => {
                spare.clone_from(state);
                spare
            }
            none => none.insert(state.clone()),
        };
        self.program.make(chosen, after, &mut room.scratch);
        // If the keeper cannot move, no player gets the turn, and that move ends the play.
        let handed_on = after.mover != 0 && after.mover != state.mover;
        handed_on && after.board == state.board && after.vars == state.vars
    }

    /// One ply of a playout, or a forced pass.
    pub(crate) fn ply(
        &self,
        playout: &mut Playout<'_>,
        state: &mut State<W>,
        room: &mut SearchBuffers<W>,
    ) -> Option<Ending> {
        if !state.lost
            && let Some((edge, place)) = self.program.lone(state, &mut room.scratch)
        {
            let cells = place.bits();
            let count = cells.len();
            // A lone move may be a pass; the slower way finds out.
            if count > 1 && !state.lost {
                if !playout.ply() {
                    return Some(Ending::Capped);
                }
                let cell = cells.nth(playout.rng.below(count))?;
                let chosen = Chosen::bare(Change { edge, cell });
                self.program.make(chosen, state, &mut room.scratch);
                return None;
            }
        }
        if !state.lost {
            self.program.list(state, &mut room.scratch, &mut room.moves);
        }
        if state.lost {
            return Some(Ending::Stuck);
        }
        let count = room.moves.count();
        let number = match count {
            0 => return Some(Ending::Over(self.scores_of(&state.vars))),
            1 if self.passes(state, room) => {
                if !playout.pass() {
                    return Some(Ending::Capped);
                }
                0
            }
            _ => {
                if !playout.ply() {
                    return Some(Ending::Capped);
                }
                playout.rng.below(count)
            }
        };
        if let Some(chosen) = room.moves.get(number) {
            self.program.make(chosen, state, &mut room.scratch);
        }
        None
    }
}

impl<const W: usize> Mechanics for SearchedGame<W> {
    type State = SearchedPosition<W>;
    type Action = MoveNumber;

    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn initial<C: Chance + ?Sized>(&self, _chance: &mut C) -> SearchedPosition<W> {
        SearchedPosition::new(self.start.clone())
    }

    fn restart<C: Chance + ?Sized>(&self, position: &mut SearchedPosition<W>, _chance: &mut C) {
        position.state_mut().clone_from(&self.start);
    }

    /// Moves are numbered in the order of the search. A state whose search was given up has no
    /// moves, and is not over.
    fn expand(&self, position: &mut SearchedPosition<W>, legal: &mut Vec<MoveNumber>) -> Turn {
        let mover = Turn::Move(Player(position.state.mover.saturating_sub(1)));
        if position.state.lost {
            return mover;
        }
        if position.state.mover == 0 {
            return Turn::Over;
        }
        let (state, room) = self.moves(position);
        let count = room.moves.count();
        if count == 0 && !state.lost {
            return Turn::Over;
        }
        legal.extend((0..count).map(MoveNumber));
        mover
    }

    fn apply<C: Chance + ?Sized>(
        &self,
        position: &mut SearchedPosition<W>,
        action: MoveNumber,
        _: &mut C,
    ) {
        self.make(position, action.0);
    }

    fn scores(&self, position: &SearchedPosition<W>) -> Scores {
        self.scores_of(&position.state.vars)
    }

    fn label(&self, position: &SearchedPosition<W>, action: MoveNumber) -> String {
        let mut all = self.all_labels(position.state.clone()).into_iter();
        all.nth(action.0 as usize).unwrap_or_default()
    }

    fn is_pass(&self, position: &SearchedPosition<W>, action: MoveNumber) -> bool {
        action.0 == 0 && self.legal(&mut position.clone()) == Legal::Pass
    }

    fn draw(&self, position: &SearchedPosition<W>) -> String {
        self.show.draw(&position.state)
    }

    fn picture(&self, position: &SearchedPosition<W>) -> Picture {
        self.show.picture(&position.state)
    }
}
