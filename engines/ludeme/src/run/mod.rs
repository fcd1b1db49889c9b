//! The game loop: set-up, legal moves, what happens when a move is made, and how games end.

mod choices;
mod drawn;
mod ending;
mod positions;
mod setup;

pub(crate) use drawn::Workspace;
pub(crate) use positions::Positions;

use crate::buffer::Buffer;

use crate::eval::{
    Around, ChanceSource, Count, Eval, KnownSites, Listed, Listing, MaybeChance, Mode, MoveVisitor,
    Notes, NthMove, NthMoves, Recorder, Replayed, Test, Tested,
};
use crate::game::Game;
use crate::ir::{EffectId, Iter, Leaf, Repeats};
use crate::limits::{MOVE_LIMIT, TURN_LIMIT};
use crate::meter;
use crate::moves::{Act, Move, MoveId, Sort};
use crate::state::{List, State, Trial, Turns};

/// Plies before which no limit of moves or turns is met in a game for so many, whatever forced
/// passes there are between them: at most one of each other player, since a round of passes ends
/// the game or never ends.
pub(crate) fn no_limit_before(players: usize) -> u32 {
    (MOVE_LIMIT / players.max(1) as u32).min(TURN_LIMIT) - 2
}

impl<const W: usize> Game<W> {
    /// The player after another in the order of play who has no result yet.
    #[inline]
    pub(crate) fn following(&self, state: &State, player: u8) -> u8 {
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

    /// The generator of a number; `None` for that of moves that no generator of the rules made.
    pub(crate) fn leaf(&self, number: u16) -> Option<&Leaf> {
        self.leaves.get(usize::from(number)).and_then(Option::as_ref)
    }

    /// The legal moves with all that they do, with repetitions. None when the game is over.
    pub(crate) fn list(&self, state: &mut State, chance: MaybeChance<'_>) -> Buffer<Move> {
        if state.head.over {
            return Buffer::new();
        }
        if let Some(chooser) = self.chooser(state) {
            return self.list_for(state, chooser, chance);
        }
        let mut all = Buffer::new();
        let around = Around { chance, ..Around::NOTHING };
        self.offer(state, Mode::Exact, None, around, &mut all);
        if all.is_empty() {
            all.push(Move::pass());
        }
        all
    }

    /// Gives the moves that may be legal to a visitor, those of who chooses where all do at once.
    fn offer(
        &self,
        state: &mut State,
        mode: Mode,
        notes: Option<&Notes>,
        around: Around<'_>,
        out: &mut dyn MoveVisitor<W>,
    ) {
        let chooser = self.chooser(state);
        let mover = chooser.unwrap_or(state.head.turns.mover);
        if chooser.is_none() {
            state.head.stalemated &= !(1 << mover);
        }
        let mut eval = Eval::new(self, state).amid(around);
        let known = KnownSites::new();
        (eval.lists, eval.mode, eval.notes, eval.known) = (true, mode, notes, Some(&known));
        if let Some(chooser) = chooser {
            eval.set(Iter::Chooser, i32::from(chooser));
            self.offer_all(&mut eval, mover, out);
        } else if self.repeats.is_some() {
            let mut tested = Tested::new(&eval, out, Test::Repetition);
            self.offer_all(&mut eval, mover, &mut tested);
        } else {
            self.offer_all(&mut eval, mover, out);
        }
        let endless = eval.endless;
        state.head.record.endless |= endless;
    }

    fn offer_all(&self, eval: &mut Eval<'_, W>, mover: u8, out: &mut dyn MoveVisitor<W>) {
        let state = eval.state;
        let phase = usize::from(state.head.phase[usize::from(mover)]);
        if !eval.generate(&self.phases[phase].play, out)
            && let Some(swap) = self.swap_move(state)
        {
            out.take_move(eval, swap);
        }
    }

    /// The move by which the mover changes sides, where a swap rule lets him.
    pub(crate) fn swap_move(&self, state: &State) -> Option<Move> {
        let (mover, other) = (state.head.turns.mover, self.swap_partner(state)?);
        let acts = [Act::SwapPlayers(mover, other), Act::SetNext(mover)].into();
        Some(Move { sort: Sort::Swap, ..Move::new(-1, -1, acts) })
    }

    /// Lists the moves that may be legal, tested or not as the mode says, with repetitions.
    pub(crate) fn candidates(
        &self,
        state: &mut State,
        mode: Mode,
        chance: MaybeChance<'_>,
        Listed { list, notes, draws, gathered }: &mut Listed,
    ) {
        list.clear();
        notes.clear();
        if self.program.is_some() {
            gathered.ready();
            gathered.resize(crate::compile::ROOM, 0);
        }
        let mut listing = Listing { list, number: 0, gathered: std::mem::take(gathered) };
        let recorder = chance.map(|chance| Recorder::new(chance, draws));
        let chance = recorder.as_ref().map(|recorder| recorder as &dyn ChanceSource);
        let around = Around { chance, ..Around::NOTHING };
        self.offer(state, mode, Some(notes), around, &mut listing);
        *gathered = listing.gathered;
    }

    /// Counts the moves of a game without chance in which all are legal and differ.
    fn count(&self, state: &mut State, notes: &Notes) -> Count {
        notes.clear();
        let mut count = Count::default();
        self.offer(state, Mode::Exact, Some(notes), Around::NOTHING, &mut count);
        count
    }

    /// Lists the legal moves that differ.
    pub(crate) fn list_legal(
        &self,
        state: &mut State,
        chance: MaybeChance<'_>,
        listed: &mut Listed,
    ) {
        self.candidates(state, Mode::Exact, chance, listed);
        self.leave_distinct(state, listed);
        if listed.list.is_empty() {
            listed.list.push(MoveId::PASS);
        }
    }

    /// Of moves with the same ends keeps those that lead to different states.
    fn leave_distinct(&self, state: &mut State, listed: &mut Listed) {
        if !self.overlaps {
            return;
        }
        let list = &listed.list;
        let mut order: Buffer<(u64, usize)> =
            list.iter().enumerate().map(|(at, id)| (id.ends(), at)).collect();
        order.sort_unstable();
        if order.windows(2).all(|two| two[0].0 != two[1].0) {
            return;
        }
        let groups = || order.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1);
        let mut places: Buffer<usize> = groups().flatten().map(|&(_, at)| at).collect();
        places.sort_unstable();
        let mut all =
            self.all_of(state, Mode::Known, listed, places.iter().map(|&place| list[place]));
        let mut dropped: Buffer<u16> = Buffer::new();
        for group in groups() {
            let made = group.iter().filter_map(|&(_, at)| {
                let number = list[at].number;
                let found = all.binary_search_by_key(&number, |found| found.0).ok()?;
                Some((number, std::mem::replace(&mut all[found].1, Move::pass())))
            });
            let (numbers, moves): (Buffer<u16>, Buffer<Move>) = made.unzip();
            let kept = self.distinct(state, &moves);
            dropped.extend((0..numbers.len()).filter(|i| !kept.contains(i)).map(|i| numbers[i]));
        }
        if !dropped.is_empty() {
            dropped.sort_unstable();
            listed.list.retain(|id| dropped.binary_search(&id.number).is_err());
        }
    }

    /// True if two moves lead to the same state; that after the second is kept for the next
    /// comparison.
    pub(crate) fn are_same<'s>(
        &self,
        state: &'s State,
        one: &Move,
        (other, after): (&Move, &mut Option<Trial<'s>>),
    ) -> bool {
        do_the_same(one, other) || {
            let after = after.get_or_insert_with(|| self.tried(state, other));
            self.tried(state, one).same(after)
        }
    }

    /// The move that was listed under a number, if it is legal. Chance decides only what the move
    /// itself leaves to it; what it decided for the list holds.
    pub(crate) fn one_made(
        &self,
        state: &mut State,
        mode: Mode,
        listed: &Listed,
        id: MoveId,
        chance: MaybeChance<'_>,
    ) -> Option<Move> {
        if id.number == MoveId::PASS.number {
            return Some(Move::pass());
        }
        let mut chosen = NthMove::new(id.number);
        self.offer_listed(state, mode, listed, (id.draws, chance), &mut chosen);
        chosen.found
    }

    /// Gives the moves of a list to a visitor once more. So many outcomes of chance are those drawn
    /// for the list.
    fn offer_listed(
        &self,
        state: &mut State,
        mode: Mode,
        listed: &Listed,
        (draws, chance): (u32, MaybeChance<'_>),
        out: &mut dyn MoveVisitor<W>,
    ) {
        let Some(draws) = listed.draws.get(..draws as usize) else { return };
        let replayed = Replayed::new(draws, chance);
        let chance = self.chance.then_some(&replayed as &dyn ChanceSource);
        listed.notes.rewind();
        let around = Around { chance, ..Around::NOTHING };
        self.offer(state, mode, Some(&listed.notes), around, out);
    }

    /// The legal ones of some of the moves listed, by their numbers, with these. What they leave to
    /// chance is not drawn.
    pub(crate) fn all_of(
        &self,
        state: &mut State,
        mode: Mode,
        listed: &Listed,
        ids: impl Iterator<Item = MoveId> + Clone,
    ) -> Buffer<(u16, Move)> {
        let Some(first) = ids.clone().next() else { return Buffer::new() };
        if ids.clone().any(|id| id.draws != first.draws) {
            // Between them chance decides what is listed.
            let made = ids.filter_map(|id| {
                let made = self.one_made(state, mode, listed, id, None)?;
                Some((id.number, made))
            });
            let mut made: Buffer<_> = made.collect();
            made.sort_unstable_by_key(|made| made.0);
            return made;
        }
        let mut numbers: Buffer<u16> = ids.map(|id| id.number).collect();
        numbers.sort_unstable();
        let mut chosen = NthMoves::new(numbers[0], &numbers[1..]);
        self.offer_listed(state, mode, listed, (first.draws, None), &mut chosen);
        chosen.found
    }

    /// True if a move that was drawn leads to the same state as one before it in the list.
    pub(crate) fn comes_again(
        &self,
        state: &mut State,
        listed: &Listed,
        (id, made): (MoveId, &Move),
    ) -> bool {
        let is_earlier = |b: &&MoveId| b.ends() == id.ends() && b.number < id.number;
        let earlier = listed.list.iter().filter(|_| self.overlaps).filter(is_earlier).copied();
        let others = self.all_of(state, Mode::Drawn, listed, earlier);
        let mut after = None;
        others.iter().any(|(_, other)| self.are_same(state, other, (made, &mut after)))
    }

    /// Whom the mover may change sides with now, by a swap rule: the last other player who moved.
    pub(crate) fn swap_partner(&self, state: &State) -> Option<u8> {
        if !self.swap || self.simultaneous || state.head.moves as usize + 1 != self.world.players {
            return None;
        }
        let mut movers = state.history.iter().rev().map(|entry| entry >> 1);
        movers.find(|&mover| mover != state.head.turns.mover)
    }

    /// True if a move would bring back a position that must not come again.
    pub(crate) fn is_repetition(&self, state: &State, made: &Move) -> bool {
        let Some(repeats) = self.repeats.filter(|_| !made.is_pass()) else { return false };
        let mut after = state.trial();
        after.record_move(made.is_pass());
        self.make_made(&mut after, made, Around::NOTHING);
        state.positions().contains(&self.hash(&after, repeats))
    }

    fn hash(&self, state: &State, repeats: Repeats) -> u64 {
        match repeats {
            Repeats::Positional | Repeats::PositionalInTurn => state.position_hash(),
            Repeats::Situational | Repeats::SituationalInTurn => state.situation_hash(self.scored),
        }
    }

    /// Which moves of a list lead to other states than those before them, by their places in it.
    pub(crate) fn distinct(&self, state: &State, all: &[Move]) -> Buffer<usize> {
        let ends = |made: &Move| (made.from, made.to, made.sort);
        let mut places = Buffer::new();
        let mut afters: Buffer<Option<Box<State>>> = Buffer::new();
        for (place, made) in all.iter().enumerate() {
            let mut after = None;
            let known = places.iter().zip(afters.iter_mut()).any(|(&other, kept)| {
                let other: &Move = &all[other];
                ends(other) == ends(made) && {
                    do_the_same(other, made) || {
                        let after = after.get_or_insert_with(|| self.tried(state, made));
                        kept.get_or_insert_with(|| self.tried(state, other).keep()).same(after)
                    }
                }
            });
            if !known {
                afters.push(after.map(Trial::keep));
                places.push(place);
            }
        }
        // The states may be tried in again.
        afters.into_iter().flatten().for_each(|after| drop(Trial::again(after, state)));
        places
    }

    /// The state after a move.
    fn tried<'s>(&self, state: &'s State, made: &Move) -> Trial<'s> {
        let mut after = state.trial();
        self.make_made(&mut after, made, Around::NOTHING);
        after
    }

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
        let asks = self.reads_flags || !self.chance;
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
        self.make_made(state, made, around);
    }

    /// Asks the end rules after a move, and hands on the turn.
    fn finish_ply(&self, state: &mut State, made: &Move) {
        self.run_end_rules(state);
        self.end_ply(state, (made.from, made.to));
        if made.sort == Sort::Swap {
            after_swap(state);
        }
        self.sum_dice(state);
    }

    /// Forgets what was pending and decided, and enters a move into the record.
    #[inline]
    pub(crate) fn begin_move(&self, state: &mut State, pass: bool) {
        state.head.record.decided = None;
        state.head.pending_number = None;
        if self.pends {
            state.forget_pending(&self.layout);
        }
        state.record_move(pass);
    }

    /// Hands on the turn after a move between two sites, once the end rules have been asked.
    #[inline]
    pub(crate) fn end_ply(&self, state: &mut State, (from, to): (i16, i16)) {
        let Turns { mover, next, prev } = state.head.turns;
        self.remember_position(state, mover, prev);
        if self.visits {
            if mover == next {
                state.visit(&self.layout, from);
                state.visit(&self.layout, to);
            } else {
                state.forget_visits(&self.layout);
            }
        }
        self.after_end_rules(state);
    }

    /// The sum of the dice by the faces that they show, used or not.
    pub(crate) fn sum_dice(&self, state: &mut State) {
        let Some(dice) = &self.world.dice else { return };
        let shown = dice.faces.iter().enumerate().map(|(die, faces)| {
            let face = state.extra(dice.first + die, None).state;
            usize::try_from(face).ok().and_then(|f| faces.get(f)).copied().unwrap_or(0)
        });
        let sum = shown.fold(0, i32::wrapping_add);
        state.head.record.pips = sum;
    }

    /// Keeps the position after a move, where the rules ask for earlier ones.
    fn remember_position(&self, state: &mut State, mover: u8, prev: u8) {
        let first = mover != prev;
        match self.repeats {
            Some(Repeats::Positional) if first || self.cycles => state.remember_position(),
            Some(Repeats::Situational) if first => {
                let hash = self.hash(state, Repeats::Situational);
                state.remember_hash(hash);
            }
            Some(repeats @ (Repeats::PositionalInTurn | Repeats::SituationalInTurn)) => {
                if first {
                    state.forget_positions();
                }
                let hash = self.hash(state, repeats);
                state.remember_hash(hash);
            }
            None if self.cycles => state.remember_position(),
            _ => {}
        }
    }

    /// Carries out a move that has been made, with its consequences, without ending it.
    pub(crate) fn make_made(&self, state: &mut State, made: &Move, around: Around<'_>) {
        state.head.record.named_next = false;
        (state.head.record.from_now, state.head.record.to_now) = (-1, -1);
        if self.asks_touched {
            let list = state.list_mut(List::Touched);
            list.clear();
            list.extend(u16::try_from(made.to));
        }
        self.carry_out_all(state, &made.acts, around);
        self.enter(state, made);
        made.then.iter().for_each(|&effect| self.follow_up(state, effect, around));
        if self.asks_actions {
            let record = &mut state.head.record;
            (record.from_after, record.to_after) = (record.from_now, record.to_now);
        }
        self.make_captures(state);
    }

    /// As [`Game::make_made`], for a part of a move: to its consequences, too, the last move is the
    /// one before.
    pub(crate) fn make_part(&self, state: &mut State, made: &Move, around: Around<'_>) {
        state.head.record.named_next = false;
        self.carry_out_all(state, &made.acts, around);
        made.then.iter().for_each(|&effect| self.follow_up(state, effect, around));
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
        if self.asks_actions {
            if head.record.to_now < 0 {
                (head.record.from_now, head.record.to_now) = (made.from, made.to);
            }
            // While consequences are looked for, the record holds nothing of them yet.
            let record = &mut head.record;
            (record.from_after, record.to_after) = (record.from_now, record.to_now);
            self.enter_levels(state, made);
        }
        if self.asks_between && (!made.between.is_empty() || !state.list(List::Between).is_empty())
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
                state.act(&self.layout, act, self.capacity);
                removed.push(act);
            }
        }
        if let Some(log) = &mut state.log {
            log.put_in(0, &removed);
        }
    }

    /// Evaluates an effect and carries it out, after a move has been made.
    pub(crate) fn follow_up(&self, state: &mut State, effect: EffectId, around: Around<'_>) {
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
                act => self.act_noted(state, act),
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
        !by_game && !self.asks_touched && self.world.crossings.is_empty()
    }

    /// Changes the state by one action and keeps what rules may ask about it.
    fn act_noted(&self, state: &mut State, act: Act) {
        if let Some(log) = &mut state.log {
            log.push(act);
        }
        if self.asks_actions
            && let Some((from, to)) = act.sites()
        {
            state.head.record.from_now = from as i16;
            state.head.record.to_now = to as i16;
        }
        if self.asks_touched
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
                let flips = |what: usize| self.flips.get(what).copied().flatten();
                state.flip(&self.layout, usize::from(site), flips);
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
        state.act(&self.layout, act, self.capacity);
    }

    /// Limits, phases, and whose turn is next.
    #[inline]
    pub(crate) fn after_end_rules(&self, state: &mut State) {
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

    fn change_phases(&self, state: &mut State) {
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

    /// True if the last turn of every player consisted of a pass, by the history of moves and of
    /// pieces placed at the start.
    pub(crate) fn all_passed(&self, state: &State) -> bool {
        if self.world.players == 1 {
            return state.head.passed;
        }
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

/// True if it is known of two moves that they lead to the same state, without making them.
fn do_the_same(one: &Move, other: &Move) -> bool {
    one.acts == other.acts && one.then == other.then
}

/// Who has changed sides begins a new turn.
fn after_swap(state: &mut State) {
    let head = &mut state.head;
    if head.active != 0 && head.turns.prev == head.turns.mover {
        head.moves_this_turn = 0;
        head.turn_number += 1;
    }
}
