//! Playouts of games with composite moves: a move is drawn by its number among those that may be legal,
//! tested, and only then made.

use play::{End, Ending, Job, Rng, Tally};

use crate::buffer::Buffer;
use crate::compile::Gathered;
use crate::eval::{Action, Brief, Count, Door, Listed, Lots, Mode, Move};
use crate::game::Game;
use crate::state::State;

/// What a player does in a turn.
enum Choice {
    /// The only thing that there is to do is to pass.
    Forced(Move),
    Free(Move),
}

impl<const W: usize> Game<W> {
    /// Plays a job.
    pub(crate) fn run_drawn(&self, job: &Job) -> Tally {
        let mut tally = Tally::default();
        let mut listed = Listed::default();
        let mut state = self.initial.clone();
        for id in job.ids() {
            let mut rng = Rng::stream(job.seed, id);
            self.restart(&mut state, Some(&Door::new(&mut rng)));
            tally.record(id, self.playout_drawn(&mut state, &mut listed, &mut rng, job.cap));
        }
        tally
    }

    /// Plays a job of a game whose moves are actions, all of them listed at every ply.
    pub(crate) fn run_listed(&self, job: &Job) -> Tally {
        let mut tally = Tally::default();
        let (mut moves, mut legal) = (Gathered::default(), Vec::new());
        let mut state = self.initial.clone();
        for id in job.ids() {
            let mut rng = Rng::stream(job.seed, id);
            self.restart(&mut state, Some(&Door::new(&mut rng)));
            let end = self.playout_listed(&mut state, &mut moves, &mut legal, &mut rng, job.cap);
            tally.record(id, end);
        }
        tally
    }

    fn playout_listed(
        &self,
        state: &mut State,
        moves: &mut Gathered,
        legal: &mut Vec<Action>,
        rng: &mut Rng,
        cap: u32,
    ) -> End {
        let (mut plies, mut passes) = (0, 0);
        while !state.head.over {
            let gathered = self.gather(state, moves);
            let repeated = match gathered {
                Some(count) if self.overlaps => self.repeated(state, moves, count),
                _ => Buffer::new(),
            };
            let number = match gathered {
                Some(count) => count - repeated.len() as u32,
                None => {
                    legal.clear();
                    self.legal(state, legal);
                    legal.len() as u32
                }
            };
            let action = |at: u32, legal: &[Action]| match gathered {
                Some(0) => Action::PASS,
                Some(_) => self.gathered_action(state, moves, beside(at, &repeated)),
                None => legal.get(at as usize).copied().unwrap_or(Action::PASS),
            };
            let forced = number == 0 || number == 1 && self.is_pass(action(0, legal));
            if forced {
                passes += 1;
            } else {
                passes = 0;
            }
            if plies == cap && !forced || passes > play::MAX_FORCED_PASSES {
                return End { plies, ending: Ending::Capped };
            }
            let at = if forced { 0 } else { rng.below(number) };
            let action = action(at, legal);
            plies += u32::from(!forced);
            self.play(state, action);
        }
        End { plies, ending: Ending::Over(self.scores_of(state)) }
    }

    fn playout_drawn(
        &self,
        state: &mut State,
        listed: &mut Listed,
        rng: &mut Rng,
        cap: u32,
    ) -> End {
        let (mut plies, mut passes) = (0, 0);
        while !state.head.over {
            let chosen = if self.tests_moves {
                self.draw_tested(state, listed, rng, plies == cap)
            } else {
                self.draw_known(state, listed, rng, plies == cap)
            };
            let made = match chosen {
                None => return End { plies, ending: Ending::Capped },
                Some(Choice::Forced(pass)) => {
                    passes += 1;
                    if passes > play::MAX_FORCED_PASSES {
                        return End { plies, ending: Ending::Capped };
                    }
                    pass
                }
                Some(Choice::Free(made)) => {
                    plies += 1;
                    passes = 0;
                    made
                }
            };
            self.by_chance(rng, |lots| self.advance(state, &made, lots));
        }
        End { plies, ending: Ending::Over(self.scores_of(state)) }
    }

    /// Runs with the source of chance, where anything is left to it.
    fn by_chance<T>(&self, rng: &mut Rng, run: impl FnOnce(Option<&dyn Lots>) -> T) -> T {
        if self.chance { run(Some(&Door::new(rng))) } else { run(None) }
    }

    /// Draws one of the moves that differ, as the reference does; nothing at the end of a playout that is
    /// not allowed any further ply. Where all moves differ they are counted, not listed.
    fn draw_known(
        &self,
        state: &mut State,
        listed: &mut Listed,
        rng: &mut Rng,
        ends: bool,
    ) -> Option<Choice> {
        if let Some(choice) = self.draw_gathered(state, listed, rng, ends) {
            return choice;
        }
        let lists = self.overlaps || self.chance || self.selects;
        let (count, pass) = if lists {
            self.by_chance(rng, |lots| self.briefs(state, lots, listed));
            (listed.list.len() as u32, listed.list.iter().all(Brief::is_pass))
        } else {
            let Count { number, pass } = self.count(state, &listed.notes);
            (number.into(), pass)
        };
        let forced = count == 0 || count == 1 && pass;
        if ends && !forced {
            return None;
        }
        let at = if forced { 0 } else { rng.below(count) };
        let brief = match listed.list.get(at as usize).filter(|_| lists) {
            Some(&brief) => brief,
            None if count == 0 => Brief::PASS,
            None => Brief { number: at as u16, ..Brief::PASS },
        };
        let mode = Mode::Known;
        let made = self.by_chance(rng, |lots| self.one_made(state, mode, listed, brief, lots))?;
        Some(if forced { Choice::Forced(made) } else { Choice::Free(made) })
    }

    /// Draws among all moves that may be legal until one is, and is none that came before.
    fn draw_tested(
        &self,
        state: &mut State,
        listed: &mut Listed,
        rng: &mut Rng,
        ends: bool,
    ) -> Option<Choice> {
        if let Some(choice) = self.draw_gathered(state, listed, rng, ends) {
            return choice;
        }
        self.by_chance(rng, |lots| self.candidates(state, Mode::Drawing, lots, listed));
        let drawn = loop {
            if listed.list.is_empty() {
                break (Brief::PASS, Move::pass());
            }
            let at = rng.below(listed.list.len() as u32) as usize;
            let brief = listed.list.swap_remove(at);
            let mode = Mode::Drawn;
            let made = self.by_chance(rng, |lots| self.one_made(state, mode, listed, brief, lots));
            if let Some(made) = made
                && !self.comes_again(state, listed, (brief, &made))
            {
                break (brief, made);
            }
        };
        let (brief, made) = drawn;
        // Nobody chooses to pass where there is nothing else.
        let mut other = |&brief: &Brief| {
            !brief.is_pass() && self.one_made(state, Mode::Drawn, listed, brief, None).is_some()
        };
        if brief.is_pass() && !listed.list.iter().any(&mut other) {
            return Some(Choice::Forced(made));
        }
        (!ends).then_some(Choice::Free(made))
    }

    /// As [`Game::draw_known`] and [`Game::draw_tested`], where code gathers the moves; `None` if it does
    /// not.
    #[allow(clippy::option_option)] // whether it can be done, and whether the playout goes on
    fn draw_gathered(
        &self,
        state: &mut State,
        listed: &mut Listed,
        rng: &mut Rng,
        ends: bool,
    ) -> Option<Option<Choice>> {
        let count = self.gather(state, &mut listed.moves)?;
        let moves = &listed.moves;
        if !self.tests_moves {
            let repeated =
                if self.overlaps { self.repeated(state, moves, count) } else { Buffer::new() };
            let number = count - repeated.len() as u32;
            let forced = count == 0 || number == 1 && self.is_gathered_pass(state, moves, 0);
            if ends && !forced {
                return Some(None);
            }
            let at = if forced { 0 } else { rng.below(number) };
            let at = beside(at, &repeated);
            let made = match count {
                0 => Move::pass(),
                _ => self.make_gathered(state, moves, at, Mode::Known)?,
            };
            return Some(Some(if forced { Choice::Forced(made) } else { Choice::Free(made) }));
        }
        // The moves that have not been drawn; `None` for all.
        let mut left: Option<Buffer<u32>> = None;
        let made = loop {
            let number = left.as_ref().map_or(count, |left| left.len() as u32);
            if number == 0 {
                break Move::pass();
            }
            let place = rng.below(number);
            let at = match &mut left {
                Some(left) => left.swap_remove(place as usize),
                None => place,
            };
            let made = self.make_gathered(state, moves, at, Mode::Drawn);
            let made = made.filter(|made| !self.is_gathered_before(state, moves, at, made));
            if left.is_none() && made.as_ref().is_none_or(Move::is_pass) {
                let mut all: Buffer<u32> = (0..count).collect();
                all.swap_remove(at as usize);
                left = Some(all);
            }
            if let Some(made) = made {
                break made;
            }
        };
        // Nobody chooses to pass where there is nothing else.
        let other = |&at: &u32| {
            !self.is_gathered_pass(state, moves, at)
                && self.make_gathered(state, moves, at, Mode::Drawn).is_some()
        };
        if made.is_pass() && !left.iter().flat_map(|left| left.iter()).any(other) {
            return Some(Some(Choice::Forced(made)));
        }
        Some((!ends).then_some(Choice::Free(made)))
    }

    /// Whether a move that was drawn leads to the same state as one before it.
    fn is_gathered_before(&self, state: &State, moves: &Gathered, at: u32, made: &Move) -> bool {
        self.overlaps
            && self.rivals(state, moves, at).any(|other| {
                let other = self.make_gathered(state, moves, other, Mode::Drawn);
                other.is_some_and(|other| {
                    self.are_same(state, &mut (&other, None), (made, &mut None))
                })
            })
    }
}

/// The number of a move among all, by its number among those that are not left out; these are in order.
fn beside(number: u32, left_out: &[u32]) -> u32 {
    left_out.iter().fold(number, |number, &other| number + u32::from(other <= number))
}
