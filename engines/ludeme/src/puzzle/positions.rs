//! Positions of a puzzle one after the other, for searches and all others who do not play whole
//! playouts. A state keeps the candidates that the given values leave, moves are listed by them,
//! and they are updated after a move as in a playout.

use cpu::{Cpu, Instructions, Level, Task};
use play::{End, Rng};

use super::Plan;
use super::playout::{BITS, StopReason, give};
use super::steps::{Steps, draw};
use super::tested::Finish;
use crate::buffer::Buffer;
use crate::eval::Listed;
use crate::game::Game;
use crate::lower::Feature;
use crate::moves::{Act, Move, MoveId};
use crate::state::{Domains, KeptDomains, State};

/// By candidate the move that gives it, as it is listed at the start.
pub(super) fn moves(game: &Game, steps: &Steps) -> Box<[MoveId]> {
    let mut listed = Listed::default();
    game.list_all(&mut game.initial.clone(), false, None, &mut listed);
    let mut moves = vec![MoveId::PASS; steps.candidates()];
    listed.list.into_iter().for_each(|id| moves[steps.number_of(&id) as usize] = id);
    moves.into()
}

/// True if a given value has no effect that could be read, except the piece on its site and the
/// last move.
pub(super) fn are_plain(game: &Game) -> bool {
    let add = Act::Add { site: 0, what: 0, state: None };
    let asked =
        game.has(Feature::AsksActions) || game.has(Feature::AsksBetween) || game.facts.hidden;
    game.is_state_alone(add) && !asked && game.world.dice.is_none()
}

impl Plan {
    /// Bytes of the candidates of a state.
    pub(crate) fn kept_bytes(&self) -> usize {
        self.start.bytes()
    }

    /// Adds the set of candidates to a state at the start.
    pub(crate) fn begin(&self, state: &mut State) {
        match &mut state.domains {
            Some(kept) => (**kept).clone_from(&self.start),
            none => *none = Some(Box::new(self.start.clone())),
        }
    }

    /// Adds the legal moves of a state with a set of candidates to an empty list, as
    /// [`Game::list_legal`] does.
    pub(crate) fn list(&self, game: &Game, state: &mut State, legal: &mut Vec<MoveId>) {
        state.head.stalemated &= !(1 << state.head.turns.mover);
        let Some(kept) = &state.domains else { return };
        let set = &kept.domains.set[..];
        let left = set.iter().map(|word| word.count_ones() as usize);
        legal.reserve(left.sum());
        let is_exact = self.is_exact();
        for (base, &word) in (0..).step_by(64).zip(set) {
            let mut word = word;
            while word != 0 {
                let candidate = base + word.trailing_zeros();
                word &= word - 1;
                if is_exact || self.is_possible(game, state, candidate) {
                    legal.push(self.listed(kept, candidate));
                }
            }
        }
        if legal.is_empty() {
            legal.push(MoveId::PASS);
        }
    }

    /// The move that gives a candidate, as it is listed now. The rules offer each value on all
    /// variables without one, so numbers before it are missing: for each lesser value all variables
    /// that have been given a value, and for its own value those before its site.
    #[inline]
    fn listed(&self, kept: &KeptDomains, candidate: u32) -> MoveId {
        let id = self.moves[candidate as usize];
        let lesser = self.steps.lesser_values(&id);
        let gone = lesser * kept.domains.given as u16 + kept.given_before[id.to as usize];
        MoveId { number: id.number - gone, ..id }
    }

    /// Makes a legal move in a state with a set of candidates, as [`Game::advance`] does.
    pub(crate) fn make(&self, game: &Game, state: &mut State, id: MoveId) {
        if id.is_pass() {
            // A pass is legal only if no value can be given.
            state.head.stalemated |= 1 << state.head.turns.mover;
            return game.advance(state, &Move::pass(), None);
        }
        game.begin_move(state, false);
        let add = Act::Add { site: id.to as u16, what: id.piece as u16, state: None };
        state.act(&game.layout, add);
        let head = &mut state.head;
        (head.last_from, head.last_to) = (id.from, id.to);
        head.record.named_next = false;
        (head.record.from_now, head.record.to_now) = (-1, -1);
        let holding = self.give(state, id);
        game.run_end_rules_from(state, holding);
        game.end_ply(state, (id.from, id.to));
    }

    /// Updates the candidates after a move. Returns the end rule that holds then, if it is known:
    /// see [`Game::run_end_rules_from`].
    fn give(&self, state: &mut State, id: MoveId) -> Option<usize> {
        let KeptDomains { domains, given_before } = state.domains.as_deref_mut()?;
        let candidate = self.steps.number_of(&id);
        let solved = give(&self.steps, self.completion.as_ref(), domains, candidate);
        given_before[id.to as usize + 1..].iter_mut().for_each(|given| *given += 1);
        let (stuck, head) = (domains.set.iter().all(|&word| word == 0), &mut state.head);
        let is_stuck = || {
            // Rules may read this flag.
            head.stalemated &= !(1 << head.turns.next);
            head.stalemated |= u32::from(stuck) << head.turns.next;
            stuck
        };
        self.is_exact().then(|| self.ends.holding(solved, is_stuck))
    }

    /// Plays on from a state, for at most a number of plies: by drawing candidates if the state has
    /// the set and all constraints have forms. `finish` plays a state on by listing its moves.
    pub(crate) fn play_on(
        &self,
        game: &Game,
        state: &mut State,
        rng: &mut Rng,
        cap: u32,
        finish: Finish<'_>,
    ) -> End {
        let goes_on = self.is_exact() && !state.head.over;
        let Some(kept) = state.domains.as_deref_mut().filter(|_| goes_on) else {
            return finish(state, rng, cap);
        };
        let domains = &mut kept.domains;
        let mut given = Buffer::new();
        let reason =
            Level::best().call(PlayOn { plan: self, domains, given: &mut given, rng, cap });
        let known = self.known_end(reason, given.len(), domains.given);
        known.unwrap_or_else(|| self.end(game, state, (reason, &given), rng, cap, finish))
    }
}

/// A playout that continues from a position, with the candidates that it gives.
struct PlayOn<'a> {
    plan: &'a Plan,
    domains: &'a mut Domains<Vec<u64>>,
    given: &'a mut Buffer<u32>,
    rng: &'a mut Rng,
    cap: u32,
}

impl Task for PlayOn<'_> {
    type Output = StopReason;

    const COMPILED_FOR: &'static [Instructions] = BITS;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> StopReason {
        let PlayOn { plan, domains, given, rng, cap } = self;
        loop {
            // Nothing is drawn for a playout that is cut off, because others may continue with the
            // stream.
            if given.len() == cap as usize && domains.set.iter().any(|&word| word != 0) {
                return StopReason::Capped;
            }
            let Some(candidate) = draw(cpu, &domains.set, rng) else {
                return StopReason::Stuck;
            };
            given.push(candidate);
            if give(&plan.steps, plan.completion.as_ref(), domains, candidate) {
                return StopReason::Solved;
            }
        }
    }
}
