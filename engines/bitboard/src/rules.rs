//! What the author of a hand-coded game writes, and how it becomes a game.

use std::hint::cold_path;

use play::{
    Adapted, Chance, End, Ending, Facts, Game, Job, Mechanics, Player, Rng, Scores, Tally, Turn,
};

use crate::cpu::{Cpu, Level, Task};
use crate::lanes::{self, Lanes};

/// The rules of one game, twice: plainly, for tools and for the reference, and as a playout without
/// lists. The conformance kit holds the second against the first.
///
/// What chance does comes after the start and after each action, see [`Rules::happen`].
pub(crate) trait Rules: Send + Sync + 'static {
    /// Everything that changes during a playout.
    type State: Copy + Send;
    /// One legal action of a state.
    type Action: Copy + Eq + Send;

    /// Number of players.
    const PLAYERS: u8;

    /// Whether the players choose at the same time, each before seeing what the others chose.
    const SIMULTANEOUS: bool = false;

    /// Whether chance has a say, see [`Rules::happen`].
    const CHANCE: bool = false;

    /// Whether playouts gain by vector instructions, see [`Task::VECTORS`].
    const VECTORS: bool = false;

    /// Whether [`Rules::pair`] is quicker than two playouts one after the other.
    const PAIRED: bool = false;

    /// The state that a playout starts from, before anything has happened by chance.
    fn start(&self) -> Self::State;

    /// Lets chance do what it does to the start, or to a state after an action. [`Rules::playout`]
    /// asks for the same outcomes in the same order, each where [`Rules::apply`] would be followed by
    /// this.
    fn happen<C: Chance + ?Sized>(&self, _state: &mut Self::State, _chance: &mut C) {}

    /// Says who moves and appends the legal actions to the empty list, in the order in which
    /// [`Rules::playout`] numbers them.
    fn expand(&self, state: &Self::State, legal: &mut Vec<Self::Action>) -> Turn;

    /// Applies a legal action.
    fn apply(&self, state: &mut Self::State, action: Self::Action);

    /// The scores of a state that is over.
    fn scores(&self, state: &Self::State) -> Scores;

    /// The action in neutral notation.
    fn label(&self, state: &Self::State, action: Self::Action) -> String;

    /// Whether the action only hands on the turn.
    fn is_pass(&self, _action: Self::Action) -> bool {
        false
    }

    /// The state drawn in text.
    fn draw(&self, state: &Self::State) -> String;

    /// Plays one playout: for each ply one draw below the number of legal actions, numbered in the
    /// order of [`Rules::expand`]. A playout that is not over after `cap` plies is [`capped`]. What is
    /// drawn after the end does not matter, since the stream belongs to this playout alone. Must be
    /// `#[inline(always)]`, see [`Task`].
    fn playout<C: Cpu>(&self, cpu: C, rng: &mut Rng, cap: u32) -> End;

    /// Plays two playouts, each with the result of [`Rules::playout`]. Must be `#[inline(always)]`.
    #[inline(always)]
    fn pair<C: Cpu>(&self, cpu: C, rngs: &mut [Rng; 2], cap: u32) -> [End; 2] {
        rngs.each_mut().map(|rng| self.playout(cpu, rng, cap))
    }
}

/// The end of a playout by the rules.
#[inline(always)]
pub(crate) const fn over(plies: u32, scores: Scores) -> End {
    End { plies, ending: Ending::Over(scores) }
}

/// The end of a playout at the ply cap.
#[inline(always)]
pub(crate) const fn capped(cap: u32) -> End {
    End { plies: cap, ending: Ending::Capped }
}

/// The end of a playout that was found to be over after some plies, which may be more than the cap.
#[inline(always)]
pub(crate) const fn over_unless_capped(plies: u32, scores: Scores, cap: u32) -> End {
    if plies > cap { capped(cap) } else { over(plies, scores) }
}

/// Draws below `n`, which often is `usual`: on that guess the draw need not wait for `n`, and a wrong
/// guess costs no more than the wait. Where `n` comes from the last ply, this takes a multiplication
/// out of the chain of what waits for what.
#[inline(always)]
pub(crate) fn below(rng: &mut Rng, n: u32, usual: u32) -> u32 {
    if n == usual {
        rng.below(usual)
    } else {
        cold_path();
        rng.below(n)
    }
}

/// Wraps rules as a game that is played with the instructions of a level.
pub(crate) fn boxed<R: Rules>(rules: R, level: Level) -> Box<dyn Game> {
    Adapted::boxed(Handmade::new(rules, level, None))
}

/// The same of rules that can be played in lanes, which are used where the level has them.
pub(crate) fn boxed_in_lanes<R: Lanes<W>, const W: usize>(rules: R, level: Level) -> Box<dyn Game> {
    let side_by_side = lanes::play::<R, W> as SideBySide<R>;
    Adapted::boxed(Handmade::new(rules, level, Some(side_by_side).filter(|_| level.is_wide())))
}

/// Plays a job in lanes.
type SideBySide<R> = fn(&R, &Job, Level) -> Tally;

/// Rules on a level of instructions.
struct Handmade<R> {
    rules: R,
    facts: Facts,
    level: Level,
    side_by_side: Option<SideBySide<R>>,
}

impl<R: Rules> Handmade<R> {
    fn new(rules: R, level: Level, side_by_side: Option<SideBySide<R>>) -> Handmade<R> {
        let facts = Facts {
            players: R::PLAYERS,
            simultaneous: R::SIMULTANEOUS,
            chance: R::CHANCE,
            state_bytes: size_of::<R::State>(),
            batch: side_by_side.is_some(),
            ..Facts::default()
        };
        Handmade { rules, facts, level, side_by_side }
    }
}

impl<R: Rules> Mechanics for Handmade<R> {
    type State = R::State;
    type Action = R::Action;

    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn initial<C: Chance + ?Sized>(&self, chance: &mut C) -> R::State {
        let mut state = self.rules.start();
        self.rules.happen(&mut state, chance);
        state
    }

    fn expand(&self, state: &mut R::State, legal: &mut Vec<R::Action>) -> Turn {
        self.rules.expand(state, legal)
    }

    fn apply<C: Chance + ?Sized>(&self, state: &mut R::State, action: R::Action, chance: &mut C) {
        self.rules.apply(state, action);
        self.rules.happen(state, chance);
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

    fn run(&self, job: &Job) -> Tally {
        self.level.run(Playouts { rules: &self.rules, job })
    }

    fn run_batch(&self, job: &Job) -> Tally {
        match self.side_by_side {
            Some(play) => play(&self.rules, job, self.level),
            None => self.run(job),
        }
    }
}

/// Outcomes counted beside the tally, found by the low bits of the first player's score: a search
/// that the processor cannot predict costs as much as a short playout.
const SLOTS: usize = 16;

/// A job, one playout after another.
struct Playouts<'a, R> {
    rules: &'a R,
    job: &'a Job,
}

impl<R: Rules> Task for Playouts<'_, R> {
    type Output = Tally;

    const VECTORS: bool = R::VECTORS;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Tally {
        let mut tally = Tally::default();
        let mut outcomes = [(Scores::DRAW, 0); SLOTS];
        let stream = |id| Rng::stream(self.job.seed, id);
        let mut ids = self.job.ids();
        while let Some(id) = ids.next() {
            if R::PAIRED
                && let Some(other) = ids.next()
            {
                let ends = self.rules.pair(cpu, &mut [id, other].map(stream), self.job.cap);
                note(&mut tally, &mut outcomes, id, ends[0]);
                note(&mut tally, &mut outcomes, other, ends[1]);
            } else {
                let end = self.rules.playout(cpu, &mut stream(id), self.job.cap);
                note(&mut tally, &mut outcomes, id, end);
            }
        }
        for slot in &mut outcomes {
            move_out(slot, &mut tally);
        }
        tally
    }
}

/// Counts a playout in the tally, its scores in their slot.
#[inline(always)]
fn note(tally: &mut Tally, outcomes: &mut [(Scores, u64); SLOTS], id: u64, end: End) {
    tally.note(id, end);
    if let Ending::Over(scores) = end.ending {
        let slot = &mut outcomes[usize::from(scores.get(Player(0))) % SLOTS];
        if slot.0 != scores {
            move_out(slot, tally);
            slot.0 = scores;
        }
        slot.1 += 1;
    }
}

/// Counts what a slot has in the tally and empties it.
fn move_out(slot: &mut (Scores, u64), tally: &mut Tally) {
    if slot.1 > 0 {
        tally.count(slot.0, std::mem::take(&mut slot.1));
    }
}
