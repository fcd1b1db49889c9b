//! All states of a small cave that fit what was perceived, each with its probability.

use super::known::NO_CAVE;
use crate::ObservedPly;

/// Percepts, a bit each.
pub(super) type Told = u64;

/// States of a cave counted at most.
pub(super) const MAX_STATES: f64 = 2e6;

/// Something that takes the outcomes of a ply: a state, the probability of it, and what is
/// perceived then.
pub(super) type Sink<'s, S> = &'s mut dyn FnMut(S, f64, Told);

/// The rules of a cave whose states can be listed.
pub(super) trait World {
    /// The whole cave, with those who are in it.
    type State: Clone + Ord;
    /// A ply of the explorer.
    type Act;

    /// The words for percepts, in the order of their bits.
    fn words(&self) -> &[String];

    /// The states at the start, with weights; an error if there are too many of them.
    fn starts(&self, first: Told) -> Result<Vec<(Self::State, f64)>, String>;

    /// What is perceived at the start.
    fn first(&self, state: &Self::State) -> Told;

    /// The place of the explorer.
    fn at(&self, state: &Self::State) -> usize;

    /// The ply of a label; `None` if there is no such ply.
    fn act(&self, label: &str) -> Option<Self::Act>;

    /// All outcomes of a ply.
    fn outcomes(&self, state: &Self::State, act: &Self::Act, sink: Sink<'_, Self::State>);

    /// True if others choose at the same time, so that percepts of a turn may come after a ply of
    /// one's own.
    fn is_simultaneous(&self) -> bool {
        false
    }
}

/// States that fit, each once, with weights.
#[derive(Clone, Debug)]
pub(super) struct Belief<S> {
    pub(super) states: Vec<(S, f64)>,
    /// The places where the explorer was, in their order.
    pub(super) trail: Vec<usize>,
}

impl<S: Clone + Ord> Belief<S> {
    /// What a past leaves possible. The error says what does not belong to such a cave. If the last
    /// turn may not be over, a last ply of which nothing was perceived is left out.
    pub(super) fn of<W: World<State = S>>(
        world: &W,
        past: &[ObservedPly],
        is_over: bool,
    ) -> Result<Belief<S>, String> {
        let (first, plies) = turns(past, is_over || !world.is_simultaneous());
        let first = told(world, &first)?;
        let mut states = world.starts(first)?;
        states.retain(|(state, _)| world.first(state) == first);
        let mut belief = Belief { states, trail: Vec::new() };
        belief.note(world);
        for (own, percepts) in plies {
            belief.follow(world, &own, &percepts)?;
        }
        belief.fits()
    }

    /// Goes on by a ply and what was perceived of it.
    pub(super) fn follow<W: World<State = S>>(
        &mut self,
        world: &W,
        own: &str,
        percepts: &[String],
    ) -> Result<(), String> {
        let told = told(world, percepts)?;
        let act = world.act(own).ok_or_else(|| format!("`{own}` is no ply of this world"))?;
        let mut next: Vec<(S, f64)> = Vec::new();
        for (state, weight) in &self.states {
            world.outcomes(state, &act, &mut |state, chance, percepts| {
                if percepts == told && chance > 0.0 {
                    next.push((state, weight * chance));
                }
            });
        }
        next.sort_by(|(a, _), (b, _)| a.cmp(b));
        next.dedup_by(|(state, weight), (first, sum)| {
            let same = state == first;
            *sum += if same { *weight } else { 0.0 };
            same
        });
        self.states = next;
        self.note(world);
        Ok(())
    }

    /// Notes the place of the explorer, which all states agree on.
    fn note<W: World<State = S>>(&mut self, world: &W) {
        self.trail.extend(self.states.first().map(|(state, _)| world.at(state)));
    }

    /// The place of the explorer.
    pub(super) fn at(&self) -> usize {
        self.trail.last().copied().unwrap_or_default()
    }

    /// Itself, if any state is left.
    pub(super) fn fits(self) -> Result<Belief<S>, String> {
        let any = !self.states.is_empty();
        if any { Ok(self) } else { Err(NO_CAVE.to_owned()) }
    }

    /// The probability of something.
    pub(super) fn chance(&self, is_so: impl Fn(&S) -> bool) -> f64 {
        let with = self.states.iter().filter(|(state, _)| is_so(state)).map(|(_, w)| w);
        with.sum::<f64>() / self.states.iter().map(|(_, weight)| weight).sum::<f64>()
    }
}

/// The percepts of the start, and each ply of one's own with all that was perceived until the next.
pub(super) fn turns(
    past: &[ObservedPly],
    is_over: bool,
) -> (Vec<String>, Vec<(String, Vec<String>)>) {
    let (mut first, mut plies) = (Vec::new(), Vec::<(String, Vec<String>)>::new());
    for ply in past {
        match (&ply.own, plies.last_mut()) {
            (Some(own), _) => plies.push((own.clone(), ply.percepts.clone())),
            (None, Some((_, percepts))) => percepts.extend(ply.percepts.iter().cloned()),
            (None, None) => first.extend(ply.percepts.iter().cloned()),
        }
    }
    // Nothing is perceived before all have chosen.
    if !is_over && plies.last().is_some_and(|(_, percepts)| percepts.is_empty()) {
        plies.pop();
    }
    (first, plies)
}

/// The bits of percepts.
fn told<W: World>(world: &W, percepts: &[String]) -> Result<Told, String> {
    let words = world.words();
    percepts.iter().try_fold(0, |told, percept| {
        let bit = words.iter().position(|word| word == percept).ok_or_else(|| {
            let hint = text::did_you_mean(percept, words.iter().map(String::as_str));
            format!("`{percept}` is no percept of this world{hint}")
        })?;
        Ok(told | 1 << bit)
    })
}

/// The number of ways to choose so many of `n`.
pub(super) fn choices(n: usize, chosen: usize) -> f64 {
    (0..chosen).map(|i| n.saturating_sub(i) as f64 / (i + 1) as f64).product()
}

/// All sets of so many places, as bits.
pub(super) fn subsets(places: &[usize], chosen: usize, each: &mut dyn FnMut(u64)) {
    fn go(places: &[usize], chosen: usize, set: u64, each: &mut dyn FnMut(u64)) {
        if chosen == 0 {
            return each(set);
        }
        for (i, &place) in places.iter().enumerate() {
            go(&places[i + 1..], chosen - 1, set | 1 << place, each);
        }
    }
    go(places, chosen, 0, each);
}

/// An error if there are more states than are counted.
pub(super) fn check_number(states: f64) -> Result<(), String> {
    if states <= MAX_STATES {
        return Ok(());
    }
    Err(format!(
        "some {states:.0} caves are possible at the start, and {MAX_STATES:.0} are counted at \
         most; assume a number of pits, or fewer of them"
    ))
}
