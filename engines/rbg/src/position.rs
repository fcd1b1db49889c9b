//! Positions between two moves, in the form of code and in that of the search.

use std::num::NonZeroU32;

use crate::bits::Bits;
use crate::bytecode::{Event, SetPosition, Step, Stop};
use crate::searched::{Legal, SearchedPosition};
use crate::state::{Standing, State};

/// A position that is continued move by move: a few sets while code moves, a state with a board
/// while the search does.
pub(crate) struct Position<const W: usize> {
    /// The point at which the play is, in either form.
    pub(crate) standing: Standing,
    form: Form,
    sets: SetPosition,
    searched: Option<Box<SearchedPosition<W>>>,
    /// The legal moves in short, if code has told them.
    pub(crate) known: Option<Known>,
}

/// The form of a position that is up to date.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    Sets,
    Searched,
    Both,
}

/// The answer of code about the moves of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Known {
    Legal(Legal),
    /// The search has to find the moves.
    Left,
}

impl Known {
    /// The answer that follows from the event at which the code has stopped.
    pub(crate) fn of(stop: &Stop) -> Known {
        Known::Legal(match stop.event {
            Event::Over => Legal::Nothing,
            Event::Stuck => Legal::Lost,
            Event::Capped if stop.lone_passes => Legal::Pass,
            Event::Capped => Legal::Choice(stop.moves),
            Event::Left => return Known::Left,
        })
    }
}

/// A move by its number in the order of the search, with the number of moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Move {
    Choice {
        number: u32,
        of: NonZeroU32,
    },
    /// The only move, which is a pass.
    Pass,
}

impl Move {
    /// All of a number of moves.
    pub(crate) fn all(count: u32) -> impl Iterator<Item = Move> {
        let of = NonZeroU32::new(count).unwrap_or(NonZeroU32::MIN);
        (0..count).map(move |number| Move::Choice { number, of })
    }

    pub(crate) fn number(self) -> u32 {
        match self {
            Move::Choice { number, .. } => number,
            Move::Pass => 0,
        }
    }

    /// The step of code that makes it.
    pub(crate) fn step(self) -> Step {
        match self {
            Move::Choice { number, of } => Step::Choice { number, of: of.get() },
            Move::Pass => Step::Pass,
        }
    }
}

impl<const W: usize> Position<W> {
    /// A position of sets, if code works on them, else of a state.
    pub(crate) fn new(state: &State<W>, sets: Option<&SetPosition>) -> Position<W> {
        let (standing, known) = (state.standing().or_over(), None);
        match sets.cloned() {
            Some(sets) => Position { standing, form: Form::Sets, sets, searched: None, known },
            None => {
                let searched = Some(Box::new(SearchedPosition::new(state.clone())));
                let sets = SetPosition::empty();
                Position { standing, form: Form::Searched, sets, searched, known }
            }
        }
    }

    /// The sets, brought up to date.
    fn bring_sets(&mut self) {
        if let (Form::Searched, Some(searched)) = (self.form, &self.searched) {
            self.sets.load(&searched.state);
            self.form = Form::Both;
        }
    }

    /// The sets, to be made those of another position.
    pub(crate) fn sets_mut(&mut self) -> &mut SetPosition {
        self.bring_sets();
        self.form = Form::Sets;
        &mut self.sets
    }

    /// The position in the form of the search, brought up to date. Any state is memory for a new
    /// one.
    pub(crate) fn searched(&mut self, any: &State<W>) -> &mut SearchedPosition<W> {
        let new = || Box::new(SearchedPosition::new(any.clone()));
        let searched = self.searched.get_or_insert_with(new);
        if self.form == Form::Sets {
            let state = searched.state_mut();
            self.sets.store(state);
            state.stand(self.standing);
            self.form = Form::Both;
        }
        searched
    }

    /// Takes over the point of the play from the search.
    pub(crate) fn moved(&mut self) {
        if let Some(searched) = &self.searched {
            self.standing = searched.state.standing().or_over();
            self.form = Form::Searched;
            self.known = None;
        }
    }

    /// The state of the position, as a copy. Any state is memory for a new one.
    pub(crate) fn state(&self, any: &State<W>) -> State<W> {
        let mut state = any.clone();
        self.write_state(&mut state);
        state
    }

    /// Writes the state of the position over another one of the game.
    pub(crate) fn write_state(&self, state: &mut State<W>) {
        match (&self.searched, self.form) {
            (Some(searched), Form::Searched | Form::Both) => state.clone_from(&searched.state),
            _ => {
                self.sets.store(state);
                state.stand(self.standing);
            }
        }
    }

    /// Values of the variables, with or without other numbers behind them.
    pub(crate) fn vars(&self) -> &[i32] {
        match (&self.searched, self.form) {
            (Some(searched), Form::Searched) => &searched.state.vars,
            _ => self.sets.vars(),
        }
    }

    /// The cells of each piece.
    pub(crate) fn pieces(&self) -> impl Iterator<Item = Bits<W>> {
        let (bits, sets) = match (&self.searched, self.form) {
            (Some(searched), Form::Searched) => (&searched.state.bits[..], None),
            _ => (&[][..], Some(self.sets.sets())),
        };
        bits.iter().copied().chain(sets.into_iter().flatten())
    }

    /// The key that distinguishes the position from others of the game.
    pub(crate) fn key(&self) -> Key {
        let pieces = self.pieces().flat_map(|set| set.words).collect();
        let vars = self.vars();
        // Variables of value 0 at the end may be missing.
        let used = vars.iter().rposition(|&value| value != 0).map_or(0, |last| last + 1);
        Key { pieces, vars: vars[..used].into(), standing: self.standing }
    }
}

/// A position as values to compare.
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pieces: Box<[u64]>,
    vars: Box<[i32]>,
    standing: Standing,
}

impl<const W: usize> Clone for Position<W> {
    fn clone(&self) -> Position<W> {
        let Position { standing, form, known, .. } = *self;
        let (form, searched) = match form {
            Form::Searched => (form, self.searched.clone()),
            // The other form is made again when needed.
            Form::Sets | Form::Both => (Form::Sets, None),
        };
        Position { standing, form, sets: self.sets.clone(), searched, known }
    }

    /// Does not allocate.
    fn clone_from(&mut self, other: &Position<W>) {
        (self.standing, self.known) = (other.standing, other.known);
        self.sets.copy_from(&other.sets);
        self.form = Form::Sets;
        if let (Form::Searched, Some(from)) = (other.form, &other.searched) {
            self.form = Form::Searched;
            match &mut self.searched {
                Some(own) => own.clone_from(from),
                none => *none = Some(from.clone()),
            }
        }
    }
}
