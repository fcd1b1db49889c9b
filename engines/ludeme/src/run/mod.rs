//! The game loop: set-up, legal moves, what happens when a move is made, and how games end.

mod ending;
mod setup;

use play::Turn;

use crate::eval::{Act, Action, Eval};
use crate::fast::order_key;
use crate::game::Game;
use crate::ir::{EffectId, Layer, Leaf, LeafKind};
use crate::set::Set;
use crate::state::{Given, Layout, State};

/// Moves after which a game is a draw, whatever its rules say.
const MOVE_LIMIT: u32 = 10_000;

/// Turns of a player after which a game is a draw.
const TURN_LIMIT: u32 = 1250;

impl<const W: usize> Game<W> {
    /// The player after another in the order of play who has no result yet.
    #[inline]
    pub(crate) fn following(&self, state: &State<W>, player: u8) -> u8 {
        let players = self.world.players as u8;
        let mut next = player;
        for _ in 0..players {
            next = if next >= players { 1 } else { next + 1 };
            if state.head.active >> next & 1 != 0 {
                return next;
            }
        }
        next
    }

    /// The generator that a move was made by; `None` for a forced pass.
    pub(crate) fn leaf(&self, action: Action) -> Option<&Leaf> {
        self.leaves.get(usize::from(action.leaf)).and_then(Option::as_ref)
    }

    /// Whether a move is a pass.
    pub(crate) fn is_pass(&self, action: Action) -> bool {
        self.leaf(action).is_none_or(|leaf| matches!(leaf.kind, LeafKind::Pass))
    }

    /// Lists the legal moves, each once, and says who moves.
    pub(crate) fn legal(&self, state: &mut State<W>, legal: &mut Vec<Action>) -> Turn {
        let head = &mut state.head;
        if head.over {
            return Turn::Over;
        }
        let mover = head.turns.mover;
        head.stalemated &= !(1 << mover);
        let phase = usize::from(head.phase[usize::from(mover)]);
        let mut eval = Eval::new(self, state);
        eval.generate(&self.phases[phase].play, legal);
        if self.overlaps {
            self.remove_duplicates(state, legal);
        }
        if self.ordered {
            legal.sort_by_key(|action| order_key(self, action));
        }
        if legal.is_empty() {
            legal.push(Action::PASS);
        }
        Turn::Move(play::Player(mover.saturating_sub(1)))
    }

    /// Of moves with the same origin and destination only those are kept that lead to different
    /// states.
    fn remove_duplicates(&self, state: &State<W>, legal: &mut Vec<Action>) {
        let mut order: Vec<usize> = (0..legal.len()).collect();
        order.sort_by_key(|&i| (legal[i].from, legal[i].to, i));
        let mut dropped = vec![false; legal.len()];
        let same =
            |a: usize, b: usize| (legal[a].from, legal[a].to) == (legal[b].from, legal[b].to);
        for group in order.chunk_by(|&a, &b| same(a, b)).filter(|g| g.len() > 1) {
            let mut kept: Vec<State<W>> = Vec::new();
            for &i in group {
                let mut after = state.clone();
                if let Some(leaf) = self.leaf(legal[i]) {
                    self.make(&mut after, leaf, legal[i]);
                }
                if kept.iter().any(|k| k.same(&after)) {
                    dropped[i] = true;
                } else {
                    kept.push(after);
                }
            }
        }
        let mut at = 0;
        legal.retain(|_| {
            at += 1;
            !dropped[at - 1]
        });
    }

    /// Makes a legal move and does everything that follows from it.
    pub(crate) fn play(&self, state: &mut State<W>, action: Action) {
        let mover = state.head.turns.mover;
        let pass = self.is_pass(action);
        if pass && state.head.stalemated >> mover & 1 == 0 {
            let phase = usize::from(state.head.phase[usize::from(mover)]);
            let can = Eval::new(self, state).any_move(&self.phases[phase].play);
            state.head.stalemated |= u32::from(!can) << mover;
        }
        self.before_move(state, mover, pass);
        match self.leaf(action) {
            Some(leaf) => self.make(state, leaf, action),
            None => (state.head.last_from, state.head.last_to) = (-1, -1),
        }
        self.run_end_rules(state);
        self.after_end_rules(state);
    }

    /// Enters a move into the record.
    #[inline]
    pub(crate) fn before_move(&self, state: &mut State<W>, mover: u8, pass: bool) {
        state.head.pending_number = None;
        if self.pends {
            state.pending = Set::EMPTY;
        }
        state.head.moves += 1;
        state.history.push(mover << 1 | u8::from(pass));
        state.head.passed = pass;
    }

    /// Carries out a move with its consequences, without ending it.
    pub(crate) fn make(&self, state: &mut State<W>, leaf: &Leaf, action: Action) {
        let mut acts = std::mem::take(&mut state.scratch);
        let start = acts.len();
        let mut eval = Eval::new(self, state);
        eval.rebind(action);
        eval.acts(leaf, action, &mut acts);
        self.carry_out(state, &mut acts, start);
        (state.head.last_from, state.head.last_to) = (action.from, action.to);
        for &effect in &leaf.then {
            self.consequence(state, effect, &mut acts);
        }
        state.scratch = acts;
    }

    /// Evaluates an effect and carries it out, after a move has been made.
    pub(crate) fn follow_up(&self, state: &mut State<W>, effect: EffectId) {
        let mut acts = std::mem::take(&mut state.scratch);
        self.consequence(state, effect, &mut acts);
        state.scratch = acts;
    }

    /// Evaluates an effect and carries it out.
    fn consequence(&self, state: &mut State<W>, effect: EffectId, acts: &mut Vec<Act>) {
        let start = acts.len();
        let mut eval = Eval::new(self, state);
        eval.effects(self.effect(effect), acts);
        state.head.stalemated = eval.stalemated;
        self.carry_out(state, acts, start);
    }

    /// Carries out the actions from `start` on and forgets them.
    fn carry_out(&self, state: &mut State<W>, acts: &mut Vec<Act>, start: usize) {
        let end = acts.len();
        for i in start..end {
            match acts[i] {
                Act::Then(effect) => self.consequence(state, effect, acts),
                act => state.act(&self.layout, act, self.capacity),
            }
        }
        acts.truncate(start);
    }

    /// Limits, phases, and whose turn is next.
    #[inline]
    pub(crate) fn after_end_rules(&self, state: &mut State<W>) {
        let head = &state.head;
        if !head.over
            && (head.moves >= MOVE_LIMIT
                || head.turn_number >= TURN_LIMIT * self.world.players as u32)
        {
            self.draw(state);
        }
        if self.phases.len() > 1 && state.head.active != 0 && !state.head.over {
            self.change_phases(state);
        }
        let head = &mut state.head;
        head.counter = head.counter.wrapping_add(1);
        if head.active == 0 || head.over {
            head.turns.prev = head.turns.mover;
            return;
        }
        head.turns.prev = head.turns.mover;
        head.turns.mover = head.turns.next;
        if head.turns.prev == head.turns.mover {
            head.moves_this_turn += 1;
        } else {
            head.moves_this_turn = 0;
            head.turn_number += 1;
        }
        let mover = head.turns.mover;
        state.head.turns.next = self.following(state, mover);
    }

    fn change_phases(&self, state: &mut State<W>) {
        for player in 1..=self.world.players {
            let current = usize::from(state.head.phase[player]);
            for change in &self.phases[current].next {
                let mut eval = Eval::new(self, state);
                let (asked, mover) = match &change.who {
                    None => (true, usize::from(eval.turns.mover)),
                    Some(who) => {
                        let who = eval.int(who);
                        (who == player as i32, player)
                    }
                };
                if !asked || !eval.test(&change.condition) {
                    continue;
                }
                state.head.stalemated = eval.stalemated;
                // Without a name it is the phase after that of the player named, or of the mover.
                let to = change.to.unwrap_or_else(|| {
                    (usize::from(state.head.phase[mover]) + 1) % self.phases.len()
                });
                state.head.phase[player] = to as u8;
                break;
            }
        }
    }

    /// Whether the last turn of every player consisted of a pass, by the history of moves and of
    /// pieces placed at the start.
    pub(crate) fn all_passed(&self, state: &State<W>) -> bool {
        let mut last = state.head.turns.mover;
        let mut pass = false;
        let mut count = 0;
        let mut history = state.history.iter().rev();
        for _ in 0..self.world.players {
            loop {
                // More than one move in the turn looked at settles it.
                let Some(&entry) = history.next() else { return pass };
                if count > 1 {
                    return false;
                }
                let (mover, passed) = (entry >> 1, entry & 1 != 0);
                if mover != last {
                    if !pass {
                        return false;
                    }
                    last = mover;
                    count = 0;
                    pass = passed;
                    break;
                }
                count += 1;
                pass = passed;
            }
        }
        true
    }
}

impl<const W: usize> State<W> {
    /// Changes the state by one action.
    #[inline]
    pub(crate) fn act(&mut self, layout: &Layout, act: Act, capacity: u16) {
        match act {
            Act::Add { site, what, state } => {
                let given = Given { state, ..Given::default() };
                self.add(layout, usize::from(site), usize::from(what), 1, given);
            }
            Act::Remove(site) => self.remove(layout, usize::from(site)),
            Act::RemoveLevel { site, level } => {
                self.remove_level(layout, usize::from(site), usize::from(level));
            }
            Act::MoveTop { from, to, keep } => {
                self.move_top(layout, usize::from(from), usize::from(to), keep);
            }
            Act::MoveStack { from, to } => {
                self.move_stack(layout, usize::from(from), usize::from(to));
            }
            Act::MoveCount { from, to, count } => {
                self.move_count(layout, usize::from(from), usize::from(to), count, capacity);
            }
            Act::Promote { site, what } => {
                self.promote(layout, usize::from(site), usize::from(what));
            }
            Act::SetNext(player) => self.head.turns.next = player,
            Act::SetVar { var, value } => self.vars[var] = value,
            Act::SetCounter(value) => self.head.counter = value,
            Act::SetScore { player, value, added } => {
                if let Some(score) = self.scores.get_mut(usize::from(player)) {
                    *score = if added { score.wrapping_add(value) } else { value };
                }
            }
            Act::SetPlayerValue { player, value } => {
                if let Some(old) = self.player_values.get_mut(usize::from(player)) {
                    *old = value;
                }
            }
            Act::PendSite(site) => self.pending.insert(usize::from(site)),
            Act::PendNumber(value) => self.head.pending_number = Some(value),
            Act::SetLayer { layer, site, value } => {
                self.change_extra(usize::from(site), |extra| match layer {
                    Layer::State => extra.state = value,
                    Layer::Rotation => extra.rotation = value,
                    _ => extra.value = value,
                });
            }
            Act::SetCount { site, value } => self.set_count(layout, usize::from(site), value),
            Act::Trigger(player) => self.head.triggered |= 1 << player,
            Act::Remember { list, value } => self.remembered[list].push(value),
            Act::Forget { list, value } => {
                let list = &mut self.remembered[list];
                if let Some(at) = list.iter().position(|&v| v == value) {
                    list.remove(at);
                }
            }
            Act::ForgetAll(0) => self.remembered.iter_mut().for_each(Vec::clear),
            Act::ForgetAll(list) => self.remembered[list].clear(),
            // Consequences are no change by themselves.
            Act::Then(_) => {}
        }
    }
}
