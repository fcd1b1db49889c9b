//! Playouts of games whose moves are listed or gathered at every ply: a move is drawn by its number among
//! those that may be legal, tested, and only then made.

use play::{End, Ending, Job, Rng, Tally};

use crate::buffer::Buffer;
use crate::compile::{Found, Ply, Room, Runner};
use crate::eval::{Action, Brief, Count, Door, Listed, Lots, Mode, Move};
use crate::game::Game;
use crate::state::State;

/// What a player does in a turn.
struct Choice {
    made: Move,
    /// Whether the only thing that there is to do is to pass.
    forced: bool,
}

impl<const W: usize> Game<W> {
    /// Plays a job of a game with composite moves.
    pub(crate) fn run_drawn(&self, job: &Job) -> Tally {
        let (mut room, mut listed) = (Room::default(), Listed::default());
        self.run_turns(job, |state, rng, ends| {
            if let Some(made) = self.run_gathered(state, &mut room, rng, ends) {
                return made;
            }
            let choice = if self.tests_moves {
                self.draw_tested(state, &mut listed, rng, ends)?
            } else {
                self.draw_known(state, &mut listed, rng, ends)?
            };
            self.by_chance(rng, |lots| self.advance(state, &choice.made, lots));
            Some(choice.forced)
        })
    }

    /// Plays a job of a game whose moves are actions, all of them listed at every ply.
    pub(crate) fn run_listed(&self, job: &Job) -> Tally {
        let (mut room, mut legal) = (Room::default(), Vec::new());
        self.run_turns(job, |state, rng, ends| {
            if let Some(made) = self.run_gathered(state, &mut room, rng, ends) {
                return made;
            }
            legal.clear();
            self.legal(state, &mut legal);
            let forced = legal.len() == 1 && self.is_pass(legal[0]);
            if ends && !forced {
                return None;
            }
            let at = if forced { 0 } else { rng.below(legal.len() as u32) };
            self.play(state, legal[at as usize]);
            Some(forced)
        })
    }

    /// Plays a ply whose moves code gathers, as [`Game::run_turns`] has it; `None` if it does not.
    #[allow(clippy::option_option)] // whether it can be done, and whether the playout goes on
    fn run_gathered(
        &self,
        state: &mut State,
        room: &mut Room<W>,
        rng: &mut Rng,
        ends: bool,
    ) -> Option<Option<bool>> {
        if self.tests_moves {
            let runner = self.runner(state, room)?.gather()?;
            let Some(Choice { made, forced }) = self.draw_among(&runner, rng, ends) else {
                return Some(None);
            };
            self.advance(runner.state, &made, None);
            return Some(Some(forced));
        }
        let mut runner = self.runner(state, room)?;
        let (at, forced) = match runner.play(rng, ends) {
            Ply::TooMany => return None,
            Ply::Capped => return Some(None),
            Ply::Made(forced) => return Some(Some(forced)),
            Ply::Drawn(at, forced) => (at, forced),
        };
        if self.composite {
            let made = match at {
                Some(at) => self.make_found(runner.state, &runner.found(), at, Mode::Known)?,
                None => Move::pass(),
            };
            self.advance(runner.state, &made, None);
        } else {
            let action = at.map_or(Action::PASS, |at| runner.found().action(at));
            self.play(runner.state, action);
        }
        Some(Some(forced))
    }

    /// Plays a job. A turn draws a move and makes it, and says whether it was forced; `None` if it was
    /// not, at the end of a playout that is not allowed any further ply.
    fn run_turns(
        &self,
        job: &Job,
        mut turn: impl FnMut(&mut State, &mut Rng, bool) -> Option<bool>,
    ) -> Tally {
        let mut tally = Tally::default();
        let mut state = self.initial.clone();
        for id in job.ids() {
            let mut rng = Rng::stream(job.seed, id);
            self.restart(&mut state, Some(&Door::new(&mut rng)));
            let (mut plies, mut passes) = (0, 0);
            let ending = loop {
                if state.head.over {
                    break Ending::Over(self.scores_of(&state));
                }
                match turn(&mut state, &mut rng, plies == job.cap) {
                    Some(false) => (plies, passes) = (plies + 1, 0),
                    Some(true) if passes < play::MAX_FORCED_PASSES => passes += 1,
                    _ => break Ending::Capped,
                }
            };
            tally.record(id, End { plies, ending });
        }
        tally
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
        Some(Choice { made, forced })
    }

    /// Draws among all moves that may be legal until one is, and is none that came before.
    fn draw_tested(
        &self,
        state: &mut State,
        listed: &mut Listed,
        rng: &mut Rng,
        ends: bool,
    ) -> Option<Choice> {
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
        let forced = brief.is_pass() && !listed.list.iter().any(&mut other);
        (forced || !ends).then_some(Choice { made, forced })
    }

    /// As [`Game::draw_tested`], where code has gathered the moves.
    fn draw_among(&self, runner: &Runner<'_, W>, rng: &mut Rng, ends: bool) -> Option<Choice> {
        let (found, state) = (runner.found(), &*runner.state);
        let count = found.count();
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
            let made = self.make_found(state, &found, at, Mode::Drawn);
            let made = made.filter(|made| !self.comes_before(state, &found, at, made));
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
            !found.is_pass(at) && self.make_found(state, &found, at, Mode::Drawn).is_some()
        };
        let forced = made.is_pass() && !left.iter().flat_map(|left| left.iter()).any(other);
        (forced || !ends).then_some(Choice { made, forced })
    }

    /// Draws one of the moves gathered that differ, by its number among all, if there are any, and says
    /// whether it is forced; `None` as [`Game::draw_known`].
    pub(crate) fn draw_found(
        &self,
        state: &State,
        found: &Found<'_, W>,
        rng: &mut Rng,
        ends: bool,
    ) -> Option<(Option<u32>, bool)> {
        let repeated = if self.overlaps { self.repeated(state, found) } else { Buffer::new() };
        let number = found.count() - repeated.len() as u32;
        let forced = number == 0 || number == 1 && found.is_pass(0);
        if ends && !forced {
            return None;
        }
        let at = if forced { 0 } else { rng.below(number) };
        Some(((number > 0).then(|| beside(at, &repeated)), forced))
    }

    /// Whether a move that was drawn leads to the same state as one before it.
    fn comes_before(&self, state: &State, found: &Found<'_, W>, at: u32, made: &Move) -> bool {
        self.overlaps
            && found.rivals(at).any(|other| {
                let other = self.make_found(state, found, other, Mode::Drawn);
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
