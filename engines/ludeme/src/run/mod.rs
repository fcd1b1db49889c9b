//! The game loop: set-up, legal moves, what happens when a move is made, and how games end.

mod choices;
mod duplicates;
mod ending;
mod legal;
mod playouts;
mod positions;
mod setup;
mod turns;

pub(crate) use playouts::Workspace;
pub(crate) use positions::{MadeToSites, Positions};
pub(crate) use turns::no_limit_before;

use crate::buffer::Buffer;
use crate::eval::{Around, Eval, MaybeChance};
use crate::game::Game;
use crate::ir::EffectId;
use crate::lower::Feature;
use crate::meter;
use crate::moves::{Act, Move, Sort};
use crate::state::{List, State};

impl Game {
    /// Makes a legal move and does everything that follows from it, chance included.
    pub(crate) fn advance(&self, state: &mut State, made: &Move, chance: MaybeChance<'_>) {
        if self.simultaneous {
            return self.choose(state, made.clone(), chance);
        }
        self.make_and_follow_up(state, made, chance);
        self.finish_ply(state, made);
    }

    /// Makes a move as [`Game::advance`] does; whether the same player goes on. If not, the end
    /// rules may not have been asked.
    pub(crate) fn stays_at_turn(
        &self,
        state: &mut State,
        made: &Move,
        chance: MaybeChance<'_>,
    ) -> bool {
        let mover = state.head.turns.mover;
        if self.simultaneous {
            self.choose(state, made.clone(), chance);
        } else {
            self.make_and_follow_up(state, made, chance);
            // With more players the next one may be out of the game.
            if self.world.players == 2 && state.head.turns.next != mover {
                return false;
            }
            self.finish_ply(state, made);
        }
        !state.head.over && state.head.turns.mover == mover
    }

    /// Makes a move with all that follows from it, before the end rules are asked.
    fn make_and_follow_up(&self, state: &mut State, made: &Move, chance: MaybeChance<'_>) {
        let mover = state.head.turns.mover;
        let asks = self.has(Feature::ReadsFlags) || !self.has(Feature::Chance);
        if asks && made.is_pass() && state.head.stalemated >> mover & 1 == 0 {
            let phase = usize::from(state.head.phase[usize::from(mover)]);
            let can = self.swap_partner(state).is_some()
                || Eval::new(self, state)
                    .amid(Around { chance, ..Around::NOTHING })
                    .any_move(&self.phases[phase].play);
            state.head.stalemated |= u32::from(!can) << mover;
        }
        let around = Around { chance, ..Around::NOTHING };
        self.begin_move(state, made.is_pass());
        self.carry_out_move(state, made, around);
    }

    /// Asks the end rules after a move, and hands on the turn.
    fn finish_ply(&self, state: &mut State, made: &Move) {
        self.run_end_rules(state);
        self.end_ply(state, (made.from, made.to));
        if made.sort == Sort::Swap {
            turns::begin_turn(state);
        }
        self.sum_dice(state);
    }

    /// Forgets what was pending and decided, and enters a move into the record.
    #[inline]
    pub(crate) fn begin_move(&self, state: &mut State, pass: bool) {
        state.head.record.decided = None;
        state.head.pending_number = None;
        if self.has(Feature::Pends) {
            state.forget_pending(&self.layout);
        }
        state.record_move(pass);
    }

    /// Carries out a move that has been made, with its consequences, without ending it.
    pub(crate) fn carry_out_move(&self, state: &mut State, made: &Move, around: Around<'_>) {
        state.head.record.named_next = false;
        (state.head.record.from_now, state.head.record.to_now) = (-1, -1);
        if self.has(Feature::AsksTouched) {
            let list = state.list_mut(List::Touched);
            list.clear();
            list.extend(u16::try_from(made.to));
        }
        self.carry_out_all(state, &made.acts, around);
        self.enter(state, made);
        made.then.iter().for_each(|&effect| self.run_effect(state, effect, around));
        if self.has(Feature::AsksActions) {
            let record = &mut state.head.record;
            (record.from_after, record.to_after) = (record.from_now, record.to_now);
        }
        self.make_captures(state);
    }

    /// As [`Game::carry_out_move`], for a part of a move: to its consequences, too, the last move
    /// is the one before.
    pub(crate) fn carry_out_part(&self, state: &mut State, made: &Move, around: Around<'_>) {
        state.head.record.named_next = false;
        self.carry_out_all(state, &made.acts, around);
        made.then.iter().for_each(|&effect| self.run_effect(state, effect, around));
        self.make_captures(state);
    }

    fn make_captures(&self, state: &mut State) {
        if !state.list(List::ToClear).is_empty() && !state.head.record.named_next {
            self.clear_captured(state);
        }
    }

    /// Makes a move the last one on record.
    fn enter(&self, state: &mut State, made: &Move) {
        let head = &mut state.head;
        (head.last_from, head.last_to) = (made.from, made.to);
        if self.has(Feature::AsksActions) {
            if head.record.to_now < 0 {
                (head.record.from_now, head.record.to_now) = (made.from, made.to);
            }
            // While consequences are looked for, the record holds nothing of them yet.
            let record = &mut head.record;
            (record.from_after, record.to_after) = (record.from_now, record.to_now);
            self.enter_levels(state, made);
        }
        if self.has(Feature::AsksBetween)
            && (!made.between.is_empty() || !state.list(List::Between).is_empty())
        {
            let list = state.list_mut(List::Between);
            list.clear();
            list.extend_from_slice(&made.between);
        }
    }

    fn enter_levels(&self, state: &mut State, made: &Move) {
        let level = |level: Option<u16>| level.map_or(0, |l| l as i16);
        let (from, mut to) = (level(made.from_level), level(made.to_level));
        if made.from == made.to && made.from_level.is_some() {
            to = from;
        } else if made.to_level.is_none()
            && made.from_level.is_none()
            && self.stacking()
            && made.to >= 0
        {
            to = state.height(made.to as usize).saturating_sub(1) as i16;
        }
        (state.head.record.level_from, state.head.record.level_to) = (from, to);
    }

    /// Removes what was captured earlier in the turn.
    pub(crate) fn clear_captured(&self, state: &mut State) {
        let mut sites: Buffer<u16> = state.list(List::ToClear).iter().copied().collect();
        state.list_mut(List::ToClear).clear();
        sites.sort_unstable();
        if !self.stacking() {
            sites.dedup();
        }
        let mut removed = Buffer::new();
        for of_site in sites.chunk_by(|a, b| a == b) {
            for (&site, number) in of_site.iter().zip(0..=u16::MAX) {
                let act = Act::Clear { site, number };
                state.act(&self.layout, act);
                removed.push(act);
            }
        }
        if let Some(log) = &mut state.log {
            log.put_in(0, &removed);
        }
    }

    /// Evaluates an effect and carries it out, after a move has been made.
    pub(crate) fn run_effect(&self, state: &mut State, effect: EffectId, around: Around<'_>) {
        let mut acts = std::mem::take(&mut state.scratch);
        self.consequence(state, effect, &mut acts, around);
        state.scratch = acts;
    }

    /// Carries out actions that have been worked out.
    pub(crate) fn carry_out_all(&self, state: &mut State, acts: &[Act], around: Around<'_>) {
        let mut waiting = std::mem::take(&mut state.scratch);
        let start = waiting.len();
        waiting.extend_from_slice(acts);
        self.carry_out(state, &mut waiting, start, around);
        state.scratch = waiting;
    }

    /// Evaluates an effect and carries it out.
    fn consequence(
        &self,
        state: &mut State,
        effect: EffectId,
        acts: &mut Buffer<Act>,
        around: Around<'_>,
    ) {
        let start = acts.len();
        let mut eval = Eval::new(self, state).amid(around);
        eval.effects(self.effect(effect), acts);
        state.head.stalemated = eval.stalemated;
        self.carry_out(state, acts, start, around);
    }

    /// Carries out the actions from `start` on and forgets them.
    fn carry_out(
        &self,
        state: &mut State,
        acts: &mut Buffer<Act>,
        start: usize,
        around: Around<'_>,
    ) {
        let end = acts.len();
        for i in start..end {
            if !meter::work(1) {
                break;
            }
            match acts[i] {
                Act::Then(effect) => self.consequence(state, effect, acts, around),
                act => self.carry_out_act(state, act),
            }
            if let Some(mut senses) = state.senses.take() {
                senses.follow(acts[i], state.components(), &self.layout);
                state.senses = Some(senses);
            }
        }
        acts.truncate(start);
    }

    /// True if carrying out an action changes nothing but what stands on sites, numbers and lists
    /// of the state, and the last action on record.
    pub(crate) fn is_state_alone(&self, act: Act) -> bool {
        let by_game = matches!(
            act,
            Act::Then(_)
                | Act::Defer(_)
                | Act::RollDie { .. }
                | Act::UseDie(_)
                | Act::SetEqual(_)
                | Act::Flip(_)
                | Act::Vote(_)
        );
        !by_game && !self.has(Feature::AsksTouched) && self.world.crossings.is_empty()
    }

    /// Changes the state by one action and keeps what rules may ask about it.
    fn carry_out_act(&self, state: &mut State, act: Act) {
        if let Some(log) = &mut state.log {
            log.push(act);
        }
        if self.has(Feature::AsksActions)
            && let Some((from, to)) = act.sites()
        {
            state.head.record.from_now = from as i16;
            state.head.record.to_now = to as i16;
        }
        if self.has(Feature::AsksTouched)
            && let Some((_, to)) = act.sites()
            && !state.list(List::Touched).contains(&to)
        {
            state.list_mut(List::Touched).push(to);
        }
        if !self.world.crossings.is_empty() {
            self.follow_crossings(state, act);
        }
        match act {
            Act::SetNext(_) => state.head.record.named_next = true,
            Act::RollDie { die, face } => {
                let Some(dice) = &self.world.dice else { return };
                let die = usize::from(die);
                let shown = dice.faces.get(die).and_then(|f| f.get(usize::from(face)));
                if let Some(&shown) = shown {
                    state.set_die(die, shown);
                    state.change_extra(dice.first + die, |extra| extra.state = i32::from(face));
                }
                return;
            }
            Act::UseDie(die) => {
                state.set_die(usize::from(die), 0);
                return;
            }
            Act::SetEqual(equal) => {
                state.head.record.all_equal = equal;
                state.head.record.pips = state.dice().iter().copied().fold(0, i32::wrapping_add);
                return;
            }
            Act::Flip(site) => {
                let flips = |what: usize| self.world.components.get(what)?.flips;
                let site = usize::from(site);
                state.change_bodies(&self.layout, [site; 2], |state| {
                    state.flip(&self.layout, site, flips);
                });
                return;
            }
            Act::Vote(text) => {
                state.list_mut(List::Votes).push(text);
                let votes = state.list(List::Votes);
                if votes.len() >= self.world.players {
                    let count = |t: u16| votes.iter().filter(|&&v| v == t).count();
                    let most = votes.iter().map(|&t| count(t)).max().unwrap_or(0);
                    if most > self.world.players / 2 {
                        state.head.record.decided =
                            votes.iter().copied().find(|&t| count(t) == most);
                    }
                    state.list_mut(List::Votes).clear();
                    state.list_mut(List::Proposals).clear();
                }
                return;
            }
            _ => {}
        }
        state.act(&self.layout, act);
    }
}
