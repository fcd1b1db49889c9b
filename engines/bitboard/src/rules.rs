//! The interface for the author of a hand-coded game.

pub(crate) mod handmade;

use std::hash::Hash;
use std::hint::cold_path;
use std::sync::Arc;

use play::picture::Picture;
use play::{
    Chance, Encoding, End, Ending, Job, Lockstep, LockstepJob, Method, Percepts, Player, Rng,
    Scores, Symmetry, Tally, Turn,
};

use crate::form::{self, Form, Formed, Sites};
use cpu::Cpu;
use handmade::Handmade;

/// The rules of one game, twice: plainly, for tools and for the reference, and as a playout without
/// lists. The conformance kit holds the second against the first.
///
/// What chance does comes after the start and after each action, see [`Rules::happen`].
pub(crate) trait Rules: Send + Sync + 'static {
    /// Everything that changes during a playout.
    type State: Copy + Hash + Eq + Send + Sync;
    /// One legal action of a state.
    type Action: Copy + Eq + Send;
    /// The board whose squares are the sites of the encoding, and stand in labels.
    type Board: Sites;

    /// The forms of all actions, in the order of their codes. None where the game has labels of its
    /// own, with an encoding of its own or without one.
    const FORMS: &'static [Form] = &[];

    /// The kinds of content of a site, in the order of [`Rules::planes`].
    const KINDS: &'static [&'static str] = &["x", "o"];

    /// The player whose men each kind is, -1 for nobody; of `x` and `o` that is known.
    const OWNERS: &'static [i8] = &[];

    /// How the board is turned so that the second player sees it as the first does, if it can be.
    const SYMMETRY: Option<Symmetry> = None;

    /// Number of players.
    const PLAYERS: u8 = 2;

    /// True if the players choose at the same time, each before seeing what the others chose.
    const SIMULTANEOUS: bool = false;

    /// True if chance has a say, see [`Rules::happen`].
    const CHANCE: bool = false;

    /// True if players do not see everything; what they do see then is in [`Rules::perceive_start`]
    /// and [`Rules::perceive`].
    const HIDDEN: bool = false;

    /// The method by which [`Rules::playout`] and lanes get from one position to the next.
    const METHOD: Method = Method::Counted;

    /// True if playouts gain by vector instructions, see [`COMPILED_FOR`](cpu::Task::COMPILED_FOR).
    const VECTORS: bool = false;

    /// True if they gain by AVX-512, see [`COMPILED_FOR`](cpu::Task::COMPILED_FOR).
    const WIDE: bool = false;

    /// The state that a playout starts from, before anything has happened by chance.
    fn start(&self) -> Self::State;

    /// The state with men in rows from the top, `/` between them, such as `x` for the first player
    /// and `o` for the second, and so many counted plies; `None` where the game reads no such rows,
    /// or they are none of its board.
    fn placed(&self, _rows: &str, _mover: u8, _count: u32) -> Option<Self::State> {
        None
    }

    /// Lets chance do what it does to the start, or to a state after an action. [`Rules::playout`]
    /// asks for the same outcomes in the same order, each where [`Rules::apply`] would be followed
    /// by this.
    fn happen<C: Chance + ?Sized>(&self, _state: &mut Self::State, _chance: &mut C) {}

    /// Says who moves and appends the legal actions to the empty list, in the order in which
    /// [`Rules::playout`] numbers them.
    fn expand(&self, state: &Self::State, legal: &mut Vec<Self::Action>) -> Turn;

    /// Applies a legal action.
    fn apply(&self, state: &mut Self::State, action: Self::Action);

    /// Writes the percepts of each player in the state that a playout starts from. Only asked where
    /// [`Rules::HIDDEN`] is set, and never in playouts.
    fn perceive_start(&self, _start: &Self::State, _percepts: &mut Percepts) {}

    /// Writes the percepts of each player after an action, given the states before it and after it,
    /// the events of chance included. On the same terms.
    fn perceive(
        &self,
        _before: &Self::State,
        _action: Self::Action,
        _after: &Self::State,
        _percepts: &mut Percepts,
    ) {
    }

    /// All that players can perceive, in any order. Only asked where [`Rules::HIDDEN`] is set, and
    /// where there are [`Rules::FORMS`].
    fn percepts(&self) -> Vec<String> {
        Vec::new()
    }

    /// The scores of a state that is over.
    fn scores(&self, state: &Self::State) -> Scores;

    /// The action as one of [`Rules::FORMS`]. Only asked where there are some.
    #[inline]
    fn form(&self, _state: &Self::State, _action: Self::Action) -> Formed {
        Formed::word(0)
    }

    /// The action in neutral notation.
    fn label(&self, state: &Self::State, action: Self::Action) -> String {
        form::label::<Self::Board>(Self::FORMS, self.form(state, action))
    }

    /// True if the action only hands on the turn.
    fn is_pass(&self, _action: Self::Action) -> bool {
        false
    }

    /// The state as a picture.
    fn picture(&self, state: &Self::State) -> Picture;

    /// The state drawn in text: that of its picture, but where a game draws itself otherwise.
    fn draw(&self, state: &Self::State) -> String {
        self.picture(state).text()
    }

    /// See [`Mechanics::encoding`]: that of [`Rules::FORMS`], if there are some.
    fn encoding(&self) -> Option<Encoding> {
        if Self::FORMS.is_empty() {
            return None;
        }
        let actions = form::labels::<Self::Board>(Self::FORMS);
        if Self::HIDDEN {
            return Some(Encoding::perceived(actions, self.percepts()));
        }
        let (sites, symmetry) = (Self::Board::names(), Self::SYMMETRY);
        let encoding = Encoding { sites, actions, symmetry, ..Encoding::default() };
        let encoding = encoding.with_kinds(Self::KINDS);
        Some(match Self::OWNERS {
            [] => encoding,
            owners => encoding.with_owners(owners),
        })
    }

    /// The place of an action's label among all labels of [`Rules::encoding`].
    #[inline]
    fn code(&self, state: &Self::State, action: Self::Action) -> u32 {
        if Self::FORMS.is_empty() {
            return u32::MAX;
        }
        form::code::<Self::Board>(Self::FORMS, self.form(state, action))
    }

    /// Writes the planes of [`Rules::encoding`], every byte of them.
    fn planes(&self, _state: &Self::State, _planes: &mut [u8]) {}

    /// Positions that go on together, where the game has a quicker way than listing: see
    /// [`PlacementRules`](crate::placement_lockstep::PlacementRules).
    fn lockstep(_game: &Arc<Handmade<Self>>, _job: &LockstepJob) -> Option<Box<dyn Lockstep>>
    where
        Self: Sized,
    {
        None
    }

    /// Plays one playout: for each ply one draw below the number of legal actions, numbered in the
    /// order of [`Rules::expand`]. A playout that is not over after `cap` plies is [`capped`]. What
    /// is drawn after the end does not matter, since the stream belongs to this playout alone. To
    /// be overridden where the start needs other code than [`Rules::play_on`]. Must be
    /// `#[inline(always)]`, see [`cpu::Task`].
    #[inline(always)]
    fn playout<C: Cpu>(&self, cpu: C, rng: &mut Rng, cap: u32) -> End {
        let mut start = self.start();
        self.happen(&mut start, rng);
        match self.play_on(cpu, start, rng, cap) {
            Some(end) => end,
            // A game that plays on from no state has to have a playout of its own.
            None => End { plies: 0, ending: Ending::Stuck },
        }
    }

    /// Plays on from a state as [`Rules::playout`] does from the start, with plies counted from
    /// here; `None` where the game has no such way, and lists. Must be `#[inline(always)]`.
    #[inline(always)]
    fn play_on<C: Cpu>(
        &self,
        _cpu: C,
        _state: Self::State,
        _rng: &mut Rng,
        _cap: u32,
    ) -> Option<End> {
        None
    }

    /// Plays a job, each playout with the result of [`Rules::playout`]; to be overridden where
    /// several at once are quicker than one after another. Must be `#[inline(always)]`.
    #[inline(always)]
    fn play<C: Cpu>(&self, cpu: C, job: &Job, results: &mut Results) {
        for id in job.ids() {
            results.note(id, self.playout(cpu, &mut Rng::stream(job.seed, id), job.cap));
        }
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

/// Draws like [`Rng::below`], with the rare case out of the way, so that loops are short enough to
/// be unrolled.
#[inline(always)]
pub(crate) fn draw(rng: &mut Rng, n: u32) -> u32 {
    let product = u128::from(rng.next_u64()) * u128::from(n);
    let mut drawn = (product >> 64) as u32;
    if (product as u64) < u64::from(n) {
        (*rng, drawn) = drawn_again(rng.clone(), n, product);
    }
    drawn
}

/// Draws below two: what [`draw`] gives, for which every number is fair.
#[inline(always)]
pub(crate) fn coin(rng: &mut Rng) -> u32 {
    (rng.next_u64() >> 63) as u32
}

/// The draw whose product this is, or another where that one would make some numbers more frequent.
#[cold]
#[inline(never)]
fn drawn_again(mut rng: Rng, n: u32, product: u128) -> (Rng, u32) {
    let wide = u64::from(n);
    let fair = product as u64 >= wide.wrapping_neg() % wide;
    let drawn = if fair { (product >> 64) as u32 } else { rng.below(n) };
    (rng, drawn)
}

/// Draws below `n`, which often is `usual`: on that guess the draw need not wait for `n`, and a
/// wrong guess costs no more than the wait. Where `n` comes from the last ply, this takes a
/// multiplication out of the chain of what waits for what.
#[inline(always)]
pub(crate) fn below(rng: &mut Rng, n: u32, usual: u32) -> u32 {
    if n == usual {
        draw(rng, usual)
    } else {
        cold_path();
        draw(rng, n)
    }
}

/// The results of the playouts of a job.
pub(crate) struct Results {
    tally: Tally,
    /// Outcomes counted beside the tally, found by the low bits of the first player's score: a
    /// search that the processor cannot predict costs as much as a short playout.
    outcomes: [(Scores, u64); SLOTS],
    /// The number of times that the first of two players won what the other lost, from minus
    /// [`STAKES`] on.
    won: [u64; 2 * STAKES as usize],
}

/// Beyond what is mostly won or lost in games for stakes.
const STAKES: i32 = 32;

/// Slots for outcomes: enough that payoffs of different sign, as games for stakes have them, mostly
/// find one each.
const SLOTS: usize = 64;

impl Results {
    pub(crate) fn new() -> Results {
        Results {
            tally: Tally::default(),
            outcomes: [(Scores::DRAW, 0); SLOTS],
            won: [0; 2 * STAKES as usize],
        }
    }

    /// Counts a playout.
    #[inline(always)]
    pub(crate) fn note(&mut self, id: u64, end: End) {
        self.tally.note(id, end);
        if let Ending::Over(scores) = end.ending {
            let slot = &mut self.outcomes[scores.get(Player(0)) as usize % SLOTS];
            if slot.0 != scores {
                move_out(slot, &mut self.tally);
                slot.0 = scores;
            }
            slot.1 += 1;
        }
    }

    /// Counts a playout of two players in which the first one wins what the other loses. Where a
    /// playout takes few nanoseconds, to compare the scores of all players there may be would take
    /// as long.
    #[inline(always)]
    pub(crate) fn note_won(&mut self, id: u64, plies: u32, won: i32, cap: u32) {
        if plies > cap {
            self.tally.note(id, capped(cap));
            return;
        }
        let scores = Scores::two(won, -won);
        self.tally.note(id, over(plies, scores));
        match self.won.get_mut((won + STAKES) as usize) {
            Some(count) => *count += 1,
            None => self.tally.count(scores, 1),
        }
    }

    /// The same of as many playouts as there are, with ids from `first` on, in none of which more
    /// than `MOST` is won, which is below [`STAKES`], and none of which is capped.
    #[inline(always)]
    pub(crate) fn note_hands<const N: usize, const MOST: i64>(
        &mut self,
        first: u64,
        plies: &[u64; N],
        won: &[i64; N],
    ) {
        for hand in 0..N {
            let own = won[hand] as i32;
            self.tally.note(first + hand as u64, over(plies[hand] as u32, Scores::two(own, -own)));
        }
        for stake in -MOST..=MOST {
            let count: u64 = won.iter().map(|&own| u64::from(own == stake)).sum();
            self.won[(stake + i64::from(STAKES)) as usize] += count;
        }
    }

    /// Adds playouts that were counted elsewhere.
    pub(crate) fn add(&mut self, tally: &Tally) {
        self.tally += tally;
    }

    pub(crate) fn into_tally(mut self) -> Tally {
        for slot in &mut self.outcomes {
            move_out(slot, &mut self.tally);
        }
        for (won, count) in (-STAKES..).zip(self.won) {
            if count > 0 {
                self.tally.count(Scores::two(won, -won), count);
            }
        }
        self.tally
    }
}

/// Counts what a slot has in the tally and empties it.
fn move_out(slot: &mut (Scores, u64), tally: &mut Tally) {
    if slot.1 > 0 {
        tally.count(slot.0, std::mem::take(&mut slot.1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_those_of_the_generator() {
        let (mut one, mut other) = (Rng::stream(8, 1), Rng::stream(8, 1));
        for round in 0..2000 {
            let n = 1 + (round * 2_147_483) % 4_000_000_000;
            assert_eq!(draw(&mut one, n), other.below(n));
            assert_eq!(coin(&mut one), other.below(2));
            assert_eq!(one, other);
        }
    }

    #[test]
    fn draws_that_are_not_fair_are_drawn_again() {
        let rng = Rng::stream(8, 2);
        // 2^64 is 1 modulo 3, so that of the products with 3 only 0 is one too many, and 0 modulo
        // 4, so that none is.
        let cases = [(3, 0, true), (3, 3, false), (3, (1 << 64) + 2, false), (4, 0, false)];
        for (n, product, again) in cases {
            let (after, drawn) = drawn_again(rng.clone(), n, product);
            let mut next = rng.clone();
            let expected = if again { next.below(n) } else { (product >> 64) as u32 };
            assert_eq!((after, drawn), (next, expected), "{n} {product}");
        }
    }
}
