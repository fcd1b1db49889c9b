//! Many playouts side by side.
//!
//! A game says what a lane does in a step, in plain code without branches; the frame does it for
//! all lanes in one loop over arrays, from which the compiler makes vector instructions where the
//! level has them. The state of a lane is some words, and word `i` of all lanes is one array. A
//! lane whose playout has ended begins the next one.

mod dice;
mod ends;

use play::{Adapted, End, Game, Job, Mechanics, Rng, Tally, Turn, one_by_one};

pub(crate) use dice::{Dice, nth_bit};
use ends::{Batch, Ended, Ends, Listed};

use crate::rules::handmade::{Handmade, SideBySide, instructions};
use crate::rules::{Results, Rules, capped};
use cpu::{Cpu, Instructions, Level, Portable, Task};

/// A game for two that can be played in lanes of `W` words.
pub(crate) trait Lanes<const W: usize>: Rules {
    /// The words of a lane that plays on from a state, which is not over; `None` where no step
    /// begins: in the middle of one, and where a step is a whole playout.
    fn words(&self, state: &Self::State) -> Option<[u64; W]>;

    /// Makes a step of a lane: draws as [`Rules::playout`] draws. It must come to an end whatever
    /// the words are, since lanes without a playout go on, too. Must be `#[inline(always)]`, and
    /// without branches but those that become selections.
    fn step(&self, words: &mut [u64; W], dice: &mut Dice) -> Step;
}

/// The result of a step.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    /// Plies made, the last of the playout included and none behind it.
    pub(crate) plies: u64,
    /// [`GOES_ON`], or how the playout has ended.
    pub(crate) outcome: u64,
}

/// The playout is not over.
pub(crate) const GOES_ON: u64 = 0;
/// The first player has won.
pub(crate) const FIRST: u64 = 1;
/// The second player has won.
pub(crate) const SECOND: u64 = 2;
/// Nobody has won.
pub(crate) const DRAW: u64 = 3;

/// For the frame alone: the playout is to be played again, one at a time.
const AGAIN: u64 = 4;
/// For the frame alone: the playout has come to the ply cap.
const CAPPED: u64 = 5;

impl Step {
    /// A ply of the first player and, if that has not won, one of the second, after which the game
    /// may be a draw.
    #[inline(always)]
    pub(crate) fn two_plies(first_won: bool, second_won: bool, draw: bool) -> Step {
        let rest = if draw { DRAW } else { GOES_ON };
        let rest = if second_won { SECOND } else { rest };
        let plies = if first_won { 1 } else { 2 };
        Step { plies, outcome: if first_won { FIRST } else { rest } }
    }
}

/// Wraps rules as a game that is played in lanes, where the level has them.
pub(crate) fn boxed<R: Lanes<W>, const W: usize>(rules: R, level: Level) -> Box<dyn Game> {
    let way = SideBySide { lanes: LANES as u64, play: play::<R, W>, play_on: play_on::<R, W> };
    // With fewer lanes, and without an instruction that counts the bits of each, one at a time is
    // about as quick.
    let pays = level.has(Instructions::Avx512Popcnt);
    Adapted::boxed(Handmade::new(rules, level, pays.then_some(way)))
}

/// Plays a job in lanes, with the results of the same job one at a time.
pub(crate) fn play<R: Lanes<W>, const W: usize>(rules: &R, job: &Job, level: Level) -> Tally {
    let mut ended = Ended::default();
    let alone = |id| alone(rules, job, id);
    let first = rules.words(&rules.start()).map(First::Step);
    level.call(LaneTask { rules, job, first, alone: &alone, ends: &mut ended });
    ended.into_tally()
}

/// Plays a job from a state, as [`Mechanics::playouts`] does: in lanes, where they can begin there
/// or a ply later. Fewer playouts than lanes are played one at a time, since all lanes take a step
/// as long as one has something to play.
pub(crate) fn play_on<R: Lanes<W>, const W: usize>(
    game: &Handmade<R>,
    from: &R::State,
    job: &Job,
    ends: &mut Vec<End>,
) {
    let first = if job.count < LANES as u64 { None } else { First::of(&game.rules, from) };
    if first.is_none() {
        return one_by_one(game, from, job, ends);
    }
    let alone = |id| {
        let mut rng = Rng::stream(job.seed, id);
        game.playout(&mut from.clone(), &mut Vec::new(), &mut rng, job.cap)
    };
    let start = ends.len();
    ends.resize(start + job.count as usize, capped(job.cap));
    let mut listed = Listed { first: job.first, ends: &mut ends[start..] };
    let rules = &game.rules;
    game.level.call(LaneTask { rules, job, first, alone: &alone, ends: &mut listed });
}

/// The start of a playout in a lane.
enum First<const W: usize> {
    /// With a step from these words.
    Step([u64; W]),
    /// With one ply: the words after each action, in the order of the list; `None` where the
    /// playout is over then.
    Ply(Vec<Option<[u64; W]>>),
}

impl<const W: usize> First<W> {
    /// The starts of lanes that play on from a state; `None` if they cannot.
    fn of<R: Lanes<W>>(rules: &R, state: &R::State) -> Option<First<W>> {
        let mut legal = Vec::new();
        if rules.expand(state, &mut legal) == Turn::Over {
            return None;
        }
        if let Some(words) = rules.words(state) {
            return Some(First::Step(words));
        }
        let mut after = Vec::new();
        for action in legal {
            let mut state = *state;
            rules.apply(&mut state, action);
            let over = rules.expand(&state, &mut Vec::new()) == Turn::Over;
            after.push(if over { None } else { Some(rules.words(&state)?) });
        }
        Some(First::Ply(after))
    }

    /// The plies that are made before the first step, and the words for that, given the generator;
    /// `None` where the playout is over by then, or a draw is in doubt.
    #[inline(always)]
    fn draw(&self, state: &mut [u64; 4]) -> Option<(u64, [u64; W])> {
        match self {
            First::Step(words) => Some((0, *words)),
            First::Ply(after) => {
                let mut dice = Dice { state: *state, doubtful: false };
                let drawn = dice.below_alone(after.len() as u32);
                *state = dice.state;
                let words = after.get(drawn as usize).copied().flatten();
                words.filter(|_| !dice.doubtful).map(|words| (1, words))
            }
        }
    }
}

/// Lanes: enough vectors that the chains of some fill the gaps of others, few enough for the first
/// level of the cache.
const LANES: usize = 64;

/// A job in lanes of `W` words.
struct LaneTask<'a, R, E, const W: usize> {
    rules: &'a R,
    job: &'a Job,
    /// `None` where a step is a whole playout.
    first: Option<First<W>>,
    /// Plays a playout that is not played in a lane: a draw in it may have to be repeated.
    alone: &'a dyn Fn(u64) -> End,
    ends: &'a mut E,
}

impl<R: Lanes<W>, E: Ends, const W: usize> Task for LaneTask<'_, R, E, W> {
    type Output = ();

    const COMPILED_FOR: &'static [Instructions] = instructions(true, true);

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) {
        let LaneTask { rules, job, first, alone, ends } = self;
        match first {
            Some(first) => refilled(rules, job, &first, alone, ends),
            None => whole(
                job,
                ends,
                #[inline(always)]
                |dice| rules.step(&mut [0; W], dice),
                alone,
            ),
        }
    }
}

/// Plays a job of playouts of many steps: where one ends, the next begins.
#[inline(always)]
fn refilled<R: Lanes<W>, const W: usize>(
    rules: &R,
    job: &Job,
    first: &First<W>,
    alone: &dyn Fn(u64) -> End,
    ends: &mut impl Ends,
) {
    let cap = u64::from(job.cap);
    let mut words = [[0; LANES]; W];
    let mut states = [[0; LANES]; 4];
    let mut batch = Batch::default();
    let mut waiting = Waiting::new(job);
    let (mut idle, mut busy) = (u64::MAX, 0u64);
    loop {
        for lane in bits(idle) {
            busy &= !(1 << lane);
            while let Some((id, mut state)) = waiting.next() {
                let Some((plies, own)) = first.draw(&mut state) else {
                    ends.record(id, alone(id));
                    continue;
                };
                busy |= 1 << lane;
                batch.ids[lane] = id;
                batch.plies[lane] = plies;
                put(&mut states, lane, state);
                put(&mut words, lane, own);
                break;
            }
        }
        if busy == 0 {
            return;
        }
        for lane in 0..LANES {
            let mut own = words.each_ref().map(|word| word[lane]);
            let state = states.each_ref().map(|word| word[lane]);
            let mut dice = Dice { state, doubtful: false };
            let step = rules.step(&mut own, &mut dice);
            put(&mut words, lane, own);
            put(&mut states, lane, dice.state);
            let plies = batch.plies[lane] + step.plies;
            batch.plies[lane] = plies;
            let outcome = if plies > cap { CAPPED } else { step.outcome };
            batch.outcomes[lane] = if dice.doubtful { AGAIN } else { outcome };
        }
        let mut done = 0;
        for lane in 0..LANES {
            done |= u64::from(batch.outcomes[lane] != GOES_ON) << lane;
        }
        idle = done & busy;
        for lane in bits(idle) {
            let id = batch.ids[lane];
            match batch.outcomes[lane] {
                AGAIN => ends.record(id, alone(id)),
                CAPPED => ends.record(id, capped(job.cap)),
                outcome => ends.push(id, batch.plies[lane], outcome),
            }
        }
    }
}

/// Plays a job one playout after another, with the results of [`Rules::playout`] on the streams:
/// only these are made, and the ends counted, side by side. For playouts so short that either takes
/// as long.
#[inline(always)]
pub(crate) fn play_one_by_one<R: Rules>(
    rules: &R,
    job: &Job,
    results: &mut Results,
    playout: impl Fn(&mut Dice) -> Step,
) {
    let mut ended = Ended::default();
    whole(job, &mut ended, playout, &|id| alone(rules, job, id));
    results.add(&ended.into_tally());
}

/// Plays a job of hands at poker side by side, with the results of [`Rules::playout`]: each a
/// number of plies, and what the first player won of the other, `MOST` at most.
#[inline(always)]
pub(crate) fn play_hands<R: Rules, const MOST: i64>(
    rules: &R,
    job: &Job,
    results: &mut Results,
    hand: impl Fn(&mut Dice) -> (u64, i64),
) {
    let mut ids = job.ids();
    while ids.end - ids.start >= LANES as u64 {
        let mut states = [[0; LANES]; 4];
        for lane in 0..LANES {
            put(&mut states, lane, Dice::stream(job.seed, ids.start + lane as u64));
        }
        let (mut plies, mut won) = ([0; LANES], [0; LANES]);
        let mut odd = 0;
        for lane in 0..LANES {
            let state = states.each_ref().map(|word| word[lane]);
            let mut dice = Dice { state, doubtful: false };
            (plies[lane], won[lane]) = hand(&mut dice);
            odd |= u64::from(dice.doubtful || plies[lane] > u64::from(job.cap));
        }
        let end = ids.start + LANES as u64;
        if odd == 0 {
            results.note_hands::<LANES, MOST>(ids.start, &plies, &won);
        } else {
            for id in ids.start..end {
                results.note(id, alone(rules, job, id));
            }
        }
        ids.start = end;
    }
    for id in ids {
        results.note(id, alone(rules, job, id));
    }
}

/// Plays a job of playouts that are one step each.
#[inline(always)]
fn whole(
    job: &Job,
    ends: &mut impl Ends,
    playout: impl Fn(&mut Dice) -> Step,
    alone: &dyn Fn(u64) -> End,
) {
    let mut ids = job.ids();
    while ids.end - ids.start >= LANES as u64 {
        let mut states = [[0; LANES]; 4];
        for lane in 0..LANES {
            put(&mut states, lane, Dice::stream(job.seed, ids.start + lane as u64));
        }
        let mut batch = Batch::default();
        let mut odd = 0;
        for lane in 0..LANES {
            let state = states.each_ref().map(|word| word[lane]);
            let mut dice = Dice { state, doubtful: false };
            let step = playout(&mut dice);
            batch.ids[lane] = ids.start + lane as u64;
            batch.plies[lane] = step.plies;
            batch.outcomes[lane] = step.outcome;
            odd |= u64::from(dice.doubtful || step.plies > u64::from(job.cap));
        }
        if odd == 0 {
            ends.note(&batch);
        } else {
            for id in batch.ids {
                ends.record(id, alone(id));
            }
        }
        ids.start += LANES as u64;
    }
    for id in ids {
        ends.record(id, alone(id));
    }
}

/// A playout that is not played in a lane: a draw in it may have to be repeated.
#[cold]
fn alone<R: Rules>(rules: &R, job: &Job, id: u64) -> End {
    rules.playout(Portable, &mut Rng::stream(job.seed, id), job.cap)
}

/// The numbers of the set bits, ascending.
#[inline(always)]
fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        bit
    })
}

/// Puts words into a lane.
#[inline(always)]
fn put<const W: usize>(words: &mut [[u64; LANES]; W], lane: usize, own: [u64; W]) {
    for (word, own) in words.iter_mut().zip(own) {
        word[lane] = own;
    }
}

/// The playouts that have not begun, with generators for the next ones: it is quicker to make those
/// for all lanes at once.
struct Waiting {
    seed: u64,
    next: u64,
    end: u64,
    states: [[u64; LANES]; 4],
    /// Of these generators, how many have been given away.
    given: usize,
}

impl Waiting {
    fn new(job: &Job) -> Waiting {
        let ids = job.ids();
        Waiting {
            seed: job.seed,
            next: ids.start,
            end: ids.end,
            states: [[0; LANES]; 4],
            given: LANES,
        }
    }

    /// The next playout and the state of its generator.
    #[inline(always)]
    fn next(&mut self) -> Option<(u64, [u64; 4])> {
        if self.next == self.end {
            return None;
        }
        if self.given == LANES {
            for lane in 0..LANES {
                let state = Dice::stream(self.seed, self.next.wrapping_add(lane as u64));
                put(&mut self.states, lane, state);
            }
            self.given = 0;
        }
        let state = self.states.each_ref().map(|word| word[self.given % LANES]);
        let id = self.next;
        self.next += 1;
        self.given += 1;
        Some((id, state))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::connect_four::ConnectFour;
    use crate::games::hidden::kuhn_poker::KuhnPoker;
    use crate::games::race::{Knight, Pawn, Race};
    use crate::games::reversi::Reversi;
    use crate::games::tic_tac_toe::TicTacToe;
    use play::Scores;

    /// The playouts of a job one by one.
    fn each_alone<R: Rules>(rules: &R, job: &Job) -> Tally {
        let mut tally = Tally::default();
        for id in job.ids() {
            let mut rng = Rng::stream(job.seed, id);
            tally.record(id, rules.playout(Portable, &mut rng, job.cap));
        }
        tally
    }

    /// Fewer playouts than lanes, as many, a few more, many; caps within playouts, and none.
    fn check<R: Lanes<W>, const W: usize>(rules: &R) {
        let jobs = [(0, 400), (1, 400), (63, 400), (64, 400), (65, 400), (700, 400)]
            .into_iter()
            .chain([0, 1, 2, 5, 8, 9, 20, 21, 42, 60, 61].map(|cap| (150, cap)));
        for (count, cap) in jobs {
            let job = Job { seed: 5, first: 1000, count, cap };
            let expected = each_alone(rules, &job);
            for level in Level::available() {
                let tally = play(rules, &job, level);
                assert_eq!(tally, expected, "{count} playouts, cap {cap}, {level:?}");
            }
        }
    }

    /// From each position of some random playouts, the end included: in lanes, and one at a time.
    fn check_from_states<R: Lanes<W>, const W: usize>(rules: impl Fn() -> R) {
        for (level, id) in Level::available().flat_map(|l| [0, 1, 2].map(|id| (l, id))) {
            let game = Handmade::new(rules(), level, None);
            let (mut rng, mut state) = (Rng::stream(7, id), game.rules.start());
            let mut begun = 0;
            loop {
                for (count, cap) in [(LANES as u64, 400), (65, 400), (150, 7), (150, 0)] {
                    let job = Job { seed: 5, first: 1 << 40, count, cap };
                    let (mut ends, mut expected) = (vec![capped(3)], vec![capped(3)]);
                    play_on(&game, &state, &job, &mut ends);
                    one_by_one(&game, &state, &job, &mut expected);
                    assert_eq!(ends, expected, "cap {cap}, {level:?}");
                }
                begun += u32::from(First::of(&game.rules, &state).is_some());
                let mut legal = Vec::new();
                if game.rules.expand(&state, &mut legal) == Turn::Over {
                    break;
                }
                game.rules.apply(&mut state, legal[rng.below(legal.len() as u32) as usize]);
            }
            assert!(begun > 5, "{begun} positions in lanes");
        }
    }

    #[test]
    fn lanes_play_on_from_states_as_one_by_one() {
        check_from_states::<_, 2>(|| ConnectFour::<1, 7, 6>);
        check_from_states::<_, 2>(|| Race::<Pawn, 8, 8>::NEW);
        check_from_states::<_, 2>(|| Race::<Knight, 8, 8>::NEW);
        check_from_states::<_, 3>(|| Reversi);
    }

    #[test]
    fn lanes_play_what_is_played_one_by_one_on_every_level() {
        check::<_, 0>(&TicTacToe::<3>);
        check::<_, 2>(&ConnectFour::<1, 7, 6>);
        check::<_, 2>(&Race::<Pawn, 6, 6>::NEW);
        check::<_, 2>(&Race::<Pawn, 8, 8>::NEW);
        check::<_, 2>(&Race::<Knight, 8, 8>::NEW);
        check::<_, 3>(&Reversi);
    }

    #[test]
    fn hands_at_poker_are_those_that_are_played_one_by_one_on_every_level() {
        for (count, cap) in
            [(0, 3), (63, 3), (64, 3), (200, 3), (5000, 3), (200, 2), (200, 1), (200, 0)]
        {
            let job = Job { seed: 6, first: 1000, count, cap };
            let expected = each_alone(&KuhnPoker, &job);
            for level in Level::available() {
                let game = crate::rules::handmade::boxed(KuhnPoker, level);
                let tally = game.run(&job, play::Via::Fast);
                assert_eq!(tally, expected, "{count} playouts, cap {cap}, {level:?}");
            }
        }
    }

    /// A game that doubts many draws.
    struct Wary<R>(R);

    impl<R: Rules> Rules for Wary<R> {
        type State = R::State;
        type Action = R::Action;
        type Board = R::Board;

        const PLAYERS: u8 = R::PLAYERS;

        fn start(&self) -> R::State {
            self.0.start()
        }
        fn expand(&self, state: &R::State, legal: &mut Vec<R::Action>) -> Turn {
            self.0.expand(state, legal)
        }
        fn apply(&self, state: &mut R::State, action: R::Action) {
            self.0.apply(state, action);
        }
        fn scores(&self, state: &R::State) -> Scores {
            self.0.scores(state)
        }
        fn label(&self, state: &R::State, action: R::Action) -> String {
            self.0.label(state, action)
        }
        fn picture(&self, state: &R::State) -> play::Picture {
            self.0.picture(state)
        }
        fn playout<C: Cpu>(&self, cpu: C, rng: &mut Rng, cap: u32) -> End {
            self.0.playout(cpu, rng, cap)
        }
    }

    impl<R: Lanes<W>, const W: usize> Lanes<W> for Wary<R> {
        fn words(&self, state: &R::State) -> Option<[u64; W]> {
            self.0.words(state)
        }
        fn step(&self, words: &mut [u64; W], dice: &mut Dice) -> Step {
            dice.doubtful |= dice.state[0].is_multiple_of(32);
            // What is in a lane that is in doubt is of no account.
            let step = self.0.step(words, dice);
            Step { plies: step.plies + u64::from(dice.doubtful), ..step }
        }
    }

    #[test]
    fn playouts_with_doubtful_draws_are_played_again() {
        check::<_, 0>(&Wary(TicTacToe::<3>));
        check::<_, 2>(&Wary(ConnectFour::<1, 7, 6>));
    }
}
