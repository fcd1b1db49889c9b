use std::hash::Hash;
use std::ops::RangeInclusive;
use std::sync::Arc;

use crate::bounds::Bounds;
use crate::chance::{Chance, NoChance};
use crate::encoding::Encoding;
use crate::game::{Facts, Stage};
use crate::job::Job;
use crate::lockstep::{Lockstep, LockstepJob};
use crate::percepts::Percepts;
use crate::picture::Picture;
use crate::rng::Rng;
use crate::scores::{Scores, Turn};
use crate::site_list::SiteTurn;
use crate::site_rows::SiteRows;
use crate::strategy::Strategy;
use crate::tally::{End, Tally};

/// The rules of one game, as the author of an engine writes them. [`Adapted`](crate::Adapted) turns
/// it into a [`Game`](crate::Game).
///
/// `expand` is one call because the terminal test and the list of actions come from the same work
/// in most engines. Overriding [`Mechanics::run`] or [`Mechanics::run_batch`] is a claim that
/// playouts are drawn from the same distribution as by the reference loop; the kit checks it.
pub trait Mechanics: Send + Sync + 'static {
    /// Everything that changes during a playout.
    type State: Clone + Send;
    /// One legal action of a state.
    type Action: Copy + Eq + Send;

    /// The facts that are known of the game.
    fn facts(&self) -> &Facts;

    /// The state that a playout starts from.
    fn initial<C: Chance + ?Sized>(&self, chance: &mut C) -> Self::State;

    /// Like [`Mechanics::initial`], with the same questions to chance, in the place of a state of
    /// this game that is no longer needed: engines whose states own memory use it again.
    fn restart<C: Chance + ?Sized>(&self, state: &mut Self::State, chance: &mut C) {
        *state = self.initial(chance);
    }

    /// Says who moves and appends the distinct legal actions to `legal`, which is empty;
    /// [`Turn::Over`] appends nothing. `state` is mutable for caches only.
    fn expand(&self, state: &mut Self::State, legal: &mut Vec<Self::Action>) -> Turn;

    /// True if [`Mechanics::apply`] asks that `expand` has been called on the very state, since
    /// that changes it; elsewhere an equal state will do.
    const APPLIES_AFTER_EXPAND: bool = false;

    /// Applies an action that `expand` listed for this very state.
    fn apply<C: Chance + ?Sized>(
        &self,
        state: &mut Self::State,
        action: Self::Action,
        chance: &mut C,
    );

    /// Applies actions in games without chance, each listed for the state that those before it lead
    /// to: for searches, which know the actions of a path before they come to its end.
    fn apply_all(&self, state: &mut Self::State, actions: &[Self::Action]) {
        actions.iter().for_each(|&action| self.apply(state, action, &mut NoChance));
    }

    /// Applies an action as [`Mechanics::apply`] does, with the same questions to chance, and says
    /// what each player perceives of it. Only called where [`Facts::hidden`] is set, and never in
    /// playouts: percepts that nobody reads cost nothing.
    fn apply_perceived<C: Chance + ?Sized>(
        &self,
        state: &mut Self::State,
        action: Self::Action,
        chance: &mut C,
        _percepts: &mut Percepts,
    ) {
        self.apply(state, action, chance);
    }

    /// Writes the percepts that each player has of the state that a playout starts from, if the
    /// rules tell something before the first ply. Only called where [`Facts::hidden`] is set.
    fn start_percepts(&self, _state: &Self::State, _percepts: &mut Percepts) {}

    /// The scores of a state for which `expand` said [`Turn::Over`].
    fn scores(&self, state: &Self::State) -> Scores;

    /// The action in neutral notation, see [`Position::label`](crate::Position::label).
    fn label(&self, state: &Self::State, action: Self::Action) -> String;

    /// The labels of all legal actions of a state, in their order. To be overridden where what
    /// tells actions apart is better worked out once than for each of them.
    fn labels(&self, state: &Self::State, legal: &[Self::Action]) -> Vec<String> {
        let mut labels = Vec::with_capacity(legal.len());
        for &action in legal {
            labels.push(self.label(state, action));
        }
        labels
    }

    /// True if the action does nothing but hand on the turn. Where such an action is the only legal
    /// one it is forced, and no ply.
    fn is_pass(&self, _state: &Self::State, _action: Self::Action) -> bool {
        false
    }

    /// The state drawn in text.
    fn draw(&self, state: &Self::State) -> String;

    /// The state as a picture, see [`Position::picture`](crate::Position::picture). To be
    /// overridden by all that can say more than the text of [`Mechanics::draw`].
    fn picture(&self, state: &Self::State) -> Picture {
        Picture::card(&self.draw(state))
    }

    /// Plays on from a state to the end, or so many plies, the quickest way: the playout of
    /// [`reference::playout_from`], draw for draw, or one of the same distribution where
    /// [`Facts::fast`] says so. What is left in the state does not matter; `legal` is memory for a
    /// list of actions.
    fn playout(
        &self,
        state: &mut Self::State,
        legal: &mut Vec<Self::Action>,
        rng: &mut Rng,
        cap: u32,
    ) -> End {
        reference::playout_from(self, state, rng, cap, legal)
    }

    /// Plays a job from a state in the place of the start, and appends how each playout ended, in
    /// the order of the ids: those that [`Mechanics::playout`] plays on copies, one after another.
    /// To be overridden where many from one state are quicker side by side.
    fn playouts(&self, from: &Self::State, job: &Job, ends: &mut Vec<End>) {
        one_by_one(self, from, job, ends);
    }

    /// The number of playouts, each from a state of its own, that [`Mechanics::play_each`] plays
    /// quicker than [`Mechanics::playout`] one by one: the fewest, and the most that are worth to
    /// be played together. `None` if it never does.
    fn side_by_side(&self) -> Option<RangeInclusive<usize>> {
        None
    }

    /// Plays each playout by itself, as [`Mechanics::playout`] does, and appends how each ended, in
    /// their order. What is left in the states does not matter.
    fn play_each(&self, all: &mut [Continuation<Self::State>], ends: &mut Vec<End>) {
        each_by_itself(self, all, ends);
    }

    /// Plays a job the quickest way, one playout at a time.
    fn run(&self, job: &Job) -> Tally {
        reference::run(self, job)
    }

    /// Plays a job by the loop that fast paths are checked against, [`reference::run`]. To be
    /// overridden where [`Mechanics::expand`] and [`Mechanics::apply`] are fast paths themselves:
    /// by that loop over other mechanics of the same game, which list and apply without them.
    /// [`Facts::listed`] says so.
    fn run_reference(&self, job: &Job) -> Tally {
        reference::run(self, job)
    }

    /// Plays a job side by side; only called where [`Facts::batch`] is set.
    fn run_batch(&self, job: &Job) -> Tally {
        self.run(job)
    }

    /// Plays a job as [`Mechanics::run`] does, without machine code made for the game; only called
    /// where [`Facts::interpreted`] is set.
    fn run_interpreted(&self, job: &Job) -> Tally {
        self.run(job)
    }

    /// The bounds of exploring all positions of the game; `None` if states have no
    /// [`Mechanics::key`].
    fn bounds(&self) -> Option<Bounds> {
        None
    }

    /// The bounds of the table of all positions by which [`Lockstep`] goes on; chance and percepts
    /// are part of it, so there may be some where there are no [`Mechanics::bounds`]. In games of
    /// hidden information states with equal keys must have the same percepts from there on.
    fn table_bounds(&self) -> Option<Bounds> {
        self.bounds()
    }

    /// The key that tells a state from others: states with equal keys have the same future, and are
    /// written in the same numbers. Only called where there are [`Mechanics::bounds`] or
    /// [`Mechanics::table_bounds`].
    fn key(&self, _state: &Self::State) -> impl Hash + Eq + use<Self> {}

    /// See [`Game::stages`](crate::Game::stages).
    fn stages(&self) -> &[Stage] {
        &[]
    }

    /// See [`Game::strategies`](crate::Game::strategies).
    fn strategies(&self) -> Vec<Strategy> {
        Vec::new()
    }

    /// See [`Game::dot`](crate::Game::dot).
    fn dot(&self, _most: usize) -> Option<Result<String, usize>> {
        None
    }

    /// See [`Game::ir`](crate::Game::ir).
    fn ir(&self) -> Option<String> {
        None
    }

    /// The encoding of positions and actions as numbers, for programs that learn; optional. If
    /// [`Facts::hidden`] is set, it must have [`Encoding::perceived`], since planes tell
    /// everything.
    fn encoding(&self) -> Option<Encoding> {
        None
    }

    /// The code of an action that `expand` listed for this very state: the place of its label in
    /// [`Encoding::actions`]. `u32::MAX` has it looked up by its label, which takes longer. Only
    /// called where there is an [`Encoding`].
    fn code(&self, _state: &Self::State, _action: Self::Action) -> u32 {
        u32::MAX
    }

    /// Adds the keys of the actions that `expand` listed for this very state to an empty list, and
    /// returns true: actions with equal keys have the same [`Mechanics::plain_label`] in all states.
    /// So positions that go on together write each label once and remember its code. False if there
    /// are none; then each label is written whenever its action is listed.
    fn label_keys(
        &self,
        _state: &Self::State,
        _legal: &[Self::Action],
        _keys: &mut Vec<u64>,
    ) -> bool {
        false
    }

    /// The label of a listed action by itself. If those of all listed actions differ, they are the
    /// [`Mechanics::labels`]; only else these may differ from them. Only called where there are
    /// [`Mechanics::label_keys`].
    fn plain_label(&self, state: &Self::State, action: Self::Action) -> String {
        self.label(state, action)
    }

    /// Writes the legal actions as a set of sites over others, if each of them is an action on
    /// another site and they come in the order of the sites; `None` where they are anything else, or
    /// no action is legal. Only called where nothing is hidden or left to chance.
    fn expand_sites(&self, _state: &mut Self::State, _sites: &mut Vec<u64>) -> Option<SiteTurn> {
        None
    }

    /// The action of a family on a site, by its place in the list: what `expand` would list there.
    /// Only called after [`Mechanics::expand_sites`], and then `Some`.
    fn site_action(&self, _family_site_place: [u32; 3]) -> Option<Self::Action> {
        None
    }

    /// Applies an action on a site, and lists what is legal then as [`Mechanics::expand_sites`]
    /// does. To be overridden where both together are quicker.
    fn apply_to_sites(
        &self,
        state: &mut Self::State,
        action: Self::Action,
        sites: &mut Vec<u64>,
    ) -> Option<SiteTurn> {
        self.apply(state, action, &mut NoChance);
        self.expand_sites(state, sites)
    }

    /// The game with positions in rows, no row at first, if in every position that is not over the
    /// legal actions are those that [`Mechanics::expand_sites`] writes, or a forced pass, and the
    /// engine plays many such positions quicker side by side. Only called where there is an
    /// [`Encoding`].
    fn site_rows(self: &Arc<Self>) -> Option<Box<dyn SiteRows>> {
        None
    }

    /// Writes what lies where: for each kind and site of the [`Encoding`], kind after kind, 1 if
    /// one lies there, else 0. Every byte is written. Only called where there is an [`Encoding`]
    /// and nothing is hidden.
    fn planes(&self, _state: &Self::State, _planes: &mut [u8]) {}

    /// Positions that go on together, where the engine has a quicker way for them than to list and
    /// code the actions of each; the kit holds it to that way's results. Only called where there is
    /// an [`Encoding`].
    fn lockstep(self: &Arc<Self>, _job: &LockstepJob) -> Option<Box<dyn Lockstep>> {
        None
    }
}

/// A playout that goes on from a state of its own.
pub struct Continuation<S> {
    /// The state in which the playout begins.
    pub state: S,
    /// The stream of its draws.
    pub rng: Rng,
    /// The most plies that it may have.
    pub cap: u32,
}

/// Plays [`Mechanics::play_each`] by [`Mechanics::playout`].
pub fn each_by_itself<M: Mechanics + ?Sized>(
    mechanics: &M,
    all: &mut [Continuation<M::State>],
    ends: &mut Vec<End>,
) {
    let mut legal = Vec::new();
    for Continuation { state, rng, cap } in all {
        ends.push(mechanics.playout(state, &mut legal, rng, *cap));
    }
}

/// Plays [`Mechanics::playouts`] by [`Mechanics::playout`].
pub fn one_by_one<M: Mechanics + ?Sized>(
    mechanics: &M,
    from: &M::State,
    job: &Job,
    ends: &mut Vec<End>,
) {
    let (mut state, mut legal) = (from.clone(), Vec::new());
    for id in job.ids() {
        if id > job.first {
            state.clone_from(from);
        }
        let mut rng = Rng::stream(job.seed, id);
        ends.push(mechanics.playout(&mut state, &mut legal, &mut rng, job.cap));
    }
}

/// The generic playout loop: list the legal actions, draw a number, apply. Slow, plain, and the
/// truth that every fast path is checked against.
pub mod reference {
    use crate::job::Job;
    use crate::mechanics::Mechanics;
    use crate::position::MAX_FORCED_PASSES;
    use crate::rng::Rng;
    use crate::scores::Turn;
    use crate::tally::{End, Ending, Tally};

    /// Plays one playout. Every choice is uniform over the distinct legal actions and takes exactly
    /// one bounded draw, also where there is only one action; forced passes take none and are no
    /// plies.
    pub fn playout<M: Mechanics + ?Sized>(
        mechanics: &M,
        rng: &mut Rng,
        cap: u32,
        legal: &mut Vec<M::Action>,
    ) -> End {
        let mut state = mechanics.initial(rng);
        playout_from(mechanics, &mut state, rng, cap, legal)
    }

    /// Plays on from a state as [`playout`] does; the plies are those from here. One piece of code
    /// for each game, whoever calls it: beside a playout a call is nothing.
    #[inline(never)]
    pub fn playout_from<M: Mechanics + ?Sized>(
        mechanics: &M,
        state: &mut M::State,
        rng: &mut Rng,
        cap: u32,
        legal: &mut Vec<M::Action>,
    ) -> End {
        let mut plies = 0;
        loop {
            match next_ply(mechanics, state, rng, cap - plies, legal) {
                Ok(action) => mechanics.apply(state, action, rng),
                Err(ending) => return End { plies, ending },
            }
            plies += 1;
        }
    }

    /// Makes the forced passes before the next ply, and draws the action of that ply. Fails with
    /// how a playout ends here that has so many plies left.
    #[inline]
    pub fn next_ply<M: Mechanics + ?Sized>(
        mechanics: &M,
        state: &mut M::State,
        rng: &mut Rng,
        left: u32,
        legal: &mut Vec<M::Action>,
    ) -> Result<M::Action, Ending> {
        let mut passes = 0;
        loop {
            legal.clear();
            if mechanics.expand(state, legal) == Turn::Over {
                return Err(Ending::Over(mechanics.scores(state)));
            }
            match legal[..] {
                [] => return Err(Ending::Stuck),
                [only] if mechanics.is_pass(state, only) => {
                    passes += 1;
                    if passes > MAX_FORCED_PASSES {
                        return Err(Ending::Capped);
                    }
                    mechanics.apply(state, only, rng);
                }
                _ if left == 0 => return Err(Ending::Capped),
                _ => return Ok(legal[rng.below(legal.len() as u32) as usize]),
            }
        }
    }

    /// Plays a job, one playout after another.
    pub fn run<M: Mechanics + ?Sized>(mechanics: &M, job: &Job) -> Tally {
        let mut tally = Tally::default();
        let mut legal = Vec::new();
        let mut memory = None;
        for id in job.ids() {
            let mut rng = Rng::stream(job.seed, id);
            let state = match &mut memory {
                Some(state) => {
                    mechanics.restart(state, &mut rng);
                    state
                }
                None => memory.insert(mechanics.initial(&mut rng)),
            };
            tally.record(id, playout_from(mechanics, state, &mut rng, job.cap, &mut legal));
        }
        tally
    }
}
