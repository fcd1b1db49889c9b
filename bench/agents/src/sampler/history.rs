//! Histories of a game and whether they fit what a role did and perceived.

use play::{Chance, Game, Player, Position, Rng, Turn, settle};

use crate::ObservedPly;

/// Plies of others in a row of which a role may have perceived nothing, at most.
const MAX_UNSEEN: u32 = 1000;

/// The knowledge of a role about the game so far.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    pub(super) game: &'a dyn Game,
    pub(super) player: Player,
    pub(super) past: &'a [ObservedPly],
    pub(super) legal: &'a [String],
}

impl<'a> Known<'a> {
    /// The plies of the past that are matched after a ply (or the start) at which the role
    /// perceived this, if `at` observed plies were matched before; `None` if it contradicts. Plies
    /// of others of which it perceived nothing are not in its past, and fit anywhere.
    pub(super) fn after(&self, at: usize, own: bool, position: &dyn Position) -> Option<usize> {
        let seen = position.percepts().of(self.player);
        if !own && seen.is_empty() {
            return Some(at);
        }
        let ply = self.past.get(at)?;
        (ply.own.is_some() == own && ply.percepts == seen).then_some(at + 1)
    }

    /// The number of the action that the role chose next.
    pub(super) fn chosen(&self, at: usize, position: &dyn Position) -> Option<usize> {
        let label = self.past.get(at)?.own.as_ref()?;
        position.labels().iter().position(|one| one == label)
    }

    /// For each action legal now its number in this position, if just these are legal.
    pub(super) fn order(&self, position: &dyn Position) -> Option<Vec<usize>> {
        let labels = position.labels();
        if labels == self.legal {
            return Some((0..labels.len()).collect());
        }
        if labels.len() != self.legal.len() {
            return None;
        }
        self.legal.iter().map(|label| labels.iter().position(|one| one == label)).collect()
    }

    /// Plays a history as far as it fits.
    pub(super) fn follow(&self, choices: &mut Choices<'_>, spent: &mut u64) -> Walk<'a> {
        let mut position = self.game.open(choices);
        settle(&mut *position, choices);
        *spent += 1;
        let mut walk = Walk { position, matched: 0, marks: vec![0], order: None };
        let Some(at) = self.after(0, false, &*walk.position) else { return walk };
        walk.matched = at;
        let mut unseen = 0;
        while let Turn::Move(player) = walk.position.turn() {
            let own = player == self.player;
            if own && walk.matched == self.past.len() {
                walk.order = self.order(&*walk.position);
                break;
            }
            if choices.at > walk.marks.last().copied().unwrap_or(0) {
                walk.marks.push(choices.at);
            }
            let actions = walk.position.actions();
            let action = if own {
                self.chosen(walk.matched, &*walk.position)
            } else {
                unseen += 1;
                (actions > 0 && unseen < MAX_UNSEEN).then(|| choices.below(actions as u32) as usize)
            };
            let Some(action) = action else { break };
            if walk.position.play(action, choices).is_err() {
                break;
            }
            settle(&mut *walk.position, choices);
            *spent += 1;
            let Some(at) = self.after(walk.matched, own, &*walk.position) else { break };
            unseen = if at > walk.matched { 0 } else { unseen };
            walk.matched = at;
        }
        walk
    }

    /// Plays a history on over contradictions, with the role's own actions wherever they are legal:
    /// where it leads to a position with the actions that are legal now, it is a partial fit. Gives
    /// the number of observed plies that are not matched.
    pub(super) fn follow_loosely(&self, choices: &mut Choices<'_>) -> Option<(usize, Walk<'a>)> {
        let mut position = self.game.open(choices);
        settle(&mut *position, choices);
        let mut at = self.after(0, false, &*position).unwrap_or(0);
        let mut misses = 0;
        for _ in 0..MAX_UNSEEN {
            let Turn::Move(player) = position.turn() else { return None };
            let own = player == self.player;
            if own {
                let others = self.past[at..].iter().take_while(|ply| ply.own.is_none());
                let skipped = others.count();
                misses += skipped;
                at += skipped;
            }
            if own && at == self.past.len() {
                let order = Some(self.order(&*position)?);
                return Some((misses, Walk { position, matched: at, marks: Vec::new(), order }));
            }
            let action = if own {
                self.chosen(at, &*position)?
            } else if position.actions() > 0 {
                choices.below(position.actions() as u32) as usize
            } else {
                return None;
            };
            position.play(action, choices).ok()?;
            settle(&mut *position, choices);
            match self.after(at, own, &*position) {
                Some(next) => at = next,
                None => {
                    misses += 1;
                    at += usize::from(own);
                }
            }
        }
        None
    }
}

/// A history played as far as it fits.
pub(super) struct Walk<'g> {
    pub(super) position: Box<dyn Position + 'g>,
    /// Observed plies matched.
    pub(super) matched: usize,
    /// The number of choices before each ply, if there were any since the mark before.
    pub(super) marks: Vec<usize>,
    /// If it fits to the end: for each action legal now its number in the position.
    pub(super) order: Option<Vec<usize>>,
}

/// Choices of chance and of others in their order, each with the number of its options: together
/// with what the role itself did, a complete history.
pub(super) type Trace = Vec<(u32, u32)>;

/// Gives recorded choices as long as there are any that fit, then random ones, and records them.
pub(super) struct Choices<'r> {
    pub(super) trace: Trace,
    /// Choices given so far.
    pub(super) at: usize,
    rng: &'r mut Rng,
}

impl<'r> Choices<'r> {
    pub(super) fn new(trace: Trace, rng: &'r mut Rng) -> Choices<'r> {
        Choices { trace, at: 0, rng }
    }

    /// The history as played.
    pub(super) fn into_trace(mut self) -> Trace {
        self.trace.truncate(self.at);
        self.trace
    }
}

impl Chance for Choices<'_> {
    fn below(&mut self, n: u32) -> u32 {
        if self.trace.get(self.at).is_none_or(|&(_, options)| options != n) {
            self.trace.truncate(self.at);
            self.trace.push((self.rng.below(n), n));
        }
        self.at += 1;
        self.trace[self.at - 1].0
    }
}
