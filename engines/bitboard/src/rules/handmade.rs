//! The game that is made of rules.

use std::hash::Hash;
use std::sync::Arc;

use play::picture::Picture;
use play::{
    Adapted, Bounds, BuildFact, Chance, Encoding, End, Facts, Game, Job, Lockstep, LockstepJob,
    Mechanics, Percepts, PlayoutMode, Promise, Rng, Scores, Tally, Turn, one_by_one, reference,
};

use super::{Results, Rules};
use cpu::{Cpu, Instructions, Level, Task};

/// Wraps rules as a game that is played with the instructions of a level.
pub(crate) fn boxed<R: Rules>(rules: R, level: Level) -> Box<dyn Game> {
    Adapted::boxed(Handmade::new(rules, level, None))
}

/// Wraps rules as a game that begins at a state.
pub(crate) fn from_state<R: Rules>(rules: R, start: R::State, level: Level) -> Box<dyn Game> {
    let game = Handmade::new(rules, level, None);
    Adapted::boxed(Handmade { start, is_placed: true, ..game })
}

/// Wraps rules as a game that begins at a position: rows from the top, the number of the player to
/// move, and that of counted plies; `None` if that is no position of the game.
pub(crate) fn from_position<R: Rules>(rules: R, text: &str, level: Level) -> Option<Box<dyn Game>> {
    let mut words = text.split_whitespace();
    let (rows, mover) = (words.next()?, words.next()?.parse().ok()?);
    let count = words.next().map_or(Some(0), |count| count.parse().ok())?;
    let start = rules.placed(rows, mover, count)?;
    Some(from_state(rules, start, level))
}

type PlayOn<R> = fn(&Handmade<R>, &<R as Rules>::State, &Job, &mut Vec<End>);

/// A way to play many playouts of a job side by side.
pub(crate) struct SideBySide<R: Rules> {
    /// The number of lanes.
    pub(crate) lanes: u64,
    /// Plays a job.
    pub(crate) play: fn(&R, &Job, Level) -> Tally,
    /// Plays a job from a state, as [`Mechanics::playouts`] does.
    pub(crate) play_on: PlayOn<R>,
}

/// Rules on a level of instructions.
pub(crate) struct Handmade<R: Rules> {
    pub(crate) rules: R,
    /// The state that playouts start from, before anything has happened by chance.
    start: R::State,
    /// True if somebody chose that state, [`Rules::start`] or another one; chance has done to it what
    /// it does. Such games are of the same type as all others, since a type of their own would
    /// double what is compiled.
    is_placed: bool,
    facts: Facts,
    pub(crate) level: Level,
    side_by_side: Option<SideBySide<R>>,
}

impl<R: Rules> Handmade<R> {
    pub(crate) fn new(rules: R, level: Level, side_by_side: Option<SideBySide<R>>) -> Handmade<R> {
        let mode = PlayoutMode { method: R::METHOD, promise: Promise::SamePlayouts };
        let facts = Facts {
            players: R::PLAYERS,
            simultaneous: R::SIMULTANEOUS,
            chance: R::CHANCE,
            hidden: R::HIDDEN,
            state_bytes: size_of::<R::State>(),
            fast: mode,
            batch: side_by_side.is_some().then_some(mode),
            build: side_by_side.iter().map(|way| (BuildFact::Lanes, way.lanes)).collect(),
            ..Facts::default()
        };
        Handmade { start: rules.start(), is_placed: false, rules, facts, level, side_by_side }
    }
}

impl<R: Rules> Mechanics for Handmade<R> {
    type State = R::State;
    type Action = R::Action;

    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn initial<C: Chance + ?Sized>(&self, chance: &mut C) -> R::State {
        let mut state = self.start;
        if !self.is_placed {
            self.rules.happen(&mut state, chance);
        }
        state
    }

    fn expand(&self, state: &mut R::State, legal: &mut Vec<R::Action>) -> Turn {
        self.rules.expand(state, legal)
    }

    fn apply<C: Chance + ?Sized>(&self, state: &mut R::State, action: R::Action, chance: &mut C) {
        self.rules.apply(state, action);
        self.rules.happen(state, chance);
    }

    fn apply_perceived<C: Chance + ?Sized>(
        &self,
        state: &mut R::State,
        action: R::Action,
        chance: &mut C,
        percepts: &mut Percepts,
    ) {
        let before = *state;
        self.apply(state, action, chance);
        self.rules.perceive(&before, action, state, percepts);
    }

    fn start_percepts(&self, state: &R::State, percepts: &mut Percepts) {
        self.rules.perceive_start(state, percepts);
    }

    fn scores(&self, state: &R::State) -> Scores {
        self.rules.scores(state)
    }

    fn label(&self, state: &R::State, action: R::Action) -> String {
        self.rules.label(state, action)
    }

    fn is_pass(&self, _: &R::State, action: R::Action) -> bool {
        self.rules.is_pass(action)
    }

    fn draw(&self, state: &R::State) -> String {
        self.rules.draw(state)
    }

    fn picture(&self, state: &R::State) -> Picture {
        self.rules.picture(state)
    }

    fn encoding(&self) -> Option<Encoding> {
        self.rules.encoding()
    }

    #[inline]
    fn code(&self, state: &R::State, action: R::Action) -> u32 {
        self.rules.code(state, action)
    }

    #[inline]
    fn planes(&self, state: &R::State, planes: &mut [u8]) {
        self.rules.planes(state, planes);
    }

    fn bounds(&self) -> Option<Bounds> {
        Some(Bounds::SMALL)
    }

    fn key(&self, state: &R::State) -> impl Hash + Eq + use<R> {
        *state
    }

    fn lockstep(self: &Arc<Self>, job: &LockstepJob) -> Option<Box<dyn Lockstep>> {
        if self.is_placed { None } else { R::lockstep(self, job) }
    }

    // One piece of code for each game, whoever calls it.
    #[inline(never)]
    fn playout(
        &self,
        state: &mut R::State,
        legal: &mut Vec<R::Action>,
        rng: &mut Rng,
        cap: u32,
    ) -> End {
        let played = self.level.call(Continuation { rules: &self.rules, state: *state, rng, cap });
        played.unwrap_or_else(|| reference::playout_from(self, state, rng, cap, legal))
    }

    fn playouts(&self, from: &R::State, job: &Job, ends: &mut Vec<End>) {
        match &self.side_by_side {
            Some(way) => (way.play_on)(self, from, job, ends),
            None => one_by_one(self, from, job, ends),
        }
    }

    fn run(&self, job: &Job) -> Tally {
        if self.is_placed {
            let played = self.level.try_call(FromStart { game: self, job });
            return played.ok().flatten().unwrap_or_else(|| self.run_from_start(job));
        }
        self.level.call(Playouts { rules: &self.rules, job })
    }

    fn run_batch(&self, job: &Job) -> Tally {
        match &self.side_by_side {
            Some(way) => (way.play)(&self.rules, job, self.level),
            None => self.run(job),
        }
    }
}

impl<R: Rules> Handmade<R> {
    /// Plays a job from the start, one playout after another, as from any state.
    fn run_from_start(&self, job: &Job) -> Tally {
        let (mut tally, mut ends) = (Tally::default(), Vec::new());
        for part in job.in_parts(AT_ONCE) {
            ends.clear();
            self.playouts(&self.start, &part, &mut ends);
            for (id, &end) in part.ids().zip(&ends) {
                tally.record(id, end);
            }
        }
        tally
    }
}

/// Playouts whose ends are kept until all of them are counted.
const AT_ONCE: u64 = 1024;

/// The instructions that playouts are compiled for: of these sets those that they gain by.
pub(crate) const fn instructions(vectors: bool, wide: bool) -> &'static [Instructions] {
    use Instructions::{Avx2, Avx512Popcnt, Bmi2};

    match (vectors, wide) {
        (false, false) => &[Bmi2],
        (true, false) => &[Bmi2, Avx2],
        (false, true) => &[Bmi2, Avx512Popcnt],
        (true, true) => &[Bmi2, Avx2, Avx512Popcnt],
    }
}

/// A job, its playouts in the way that the rules choose.
struct Playouts<'a, R> {
    rules: &'a R,
    job: &'a Job,
}

impl<R: Rules> Task for Playouts<'_, R> {
    type Output = Tally;

    const COMPILED_FOR: &'static [Instructions] = instructions(R::VECTORS, R::WIDE);

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Tally {
        let mut results = Results::new();
        self.rules.play(cpu, self.job, &mut results);
        results.into_tally()
    }
}

/// A job from a state that somebody chose, in the way that the rules have for playing on; nothing
/// where they have none.
struct FromStart<'a, R: Rules> {
    game: &'a Handmade<R>,
    job: &'a Job,
}

impl<R: Rules> Task for FromStart<'_, R> {
    type Output = Option<Tally>;

    const COMPILED_FOR: &'static [Instructions] = instructions(R::VECTORS, R::WIDE);

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Option<Tally> {
        let FromStart { game: Handmade { rules, start, .. }, job } = self;
        let mut results = Results::new();
        for id in job.ids() {
            let rng = &mut Rng::stream(job.seed, id);
            // A call where the playout is long: then it is compiled once, for this as for positions.
            let end = cpu.call(Continuation { rules, state: *start, rng, cap: job.cap })?;
            results.note(id, end);
        }
        Some(results.into_tally())
    }
}

/// A playout from a state, in the way that the rules have for it.
struct Continuation<'a, R: Rules> {
    rules: &'a R,
    state: R::State,
    rng: &'a mut Rng,
    cap: u32,
}

impl<R: Rules> Task for Continuation<'_, R> {
    type Output = Option<End>;

    const COMPILED_FOR: &'static [Instructions] = instructions(R::VECTORS, R::WIDE);

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Option<End> {
        self.rules.play_on(cpu, self.state, self.rng, self.cap)
    }
}

#[cfg(test)]
mod tests {
    use play::Via;

    use super::*;
    use crate::games::connect_four::ConnectFour;
    use crate::games::lights_out::LightsOut;

    /// A game placed at its own start is that game, on every level and in all ways.
    fn check<R: Rules>(rules: impl Fn() -> R) {
        let job = Job { seed: 3, first: 5, count: AT_ONCE + 100, cap: 30 };
        for level in Level::available() {
            let (whole, start) = (boxed(rules(), level), rules().start());
            let placed = from_state(rules(), start, level);
            for via in Via::ALL {
                assert_eq!(placed.run(&job, via), whole.run(&job, via), "{via:?} on {level:?}");
            }
            let game = Handmade { is_placed: true, ..Handmade::new(rules(), level, None) };
            assert_eq!(game.run_from_start(&job), whole.run(&job, Via::Fast), "{level:?}");
        }
    }

    #[test]
    fn games_placed_at_their_start_are_these_games() {
        check(|| ConnectFour::<1, 7, 6>);
        check(|| LightsOut::<5, 20>);
    }
}
