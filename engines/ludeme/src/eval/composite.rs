//! Moves put together from others, and effects of several actions.

use super::Eval;
use super::adapters::{Counting, Mapped, Prefixed, Test, Tested};
use super::visitors::MoveVisitor;
use crate::buffer::Buffer;
use crate::ir::{Apply, Composite, CompositeKind, Deal, Int, Ints, JumpId, Layer, Moves};
use crate::limits::MAX_MOVES;
use crate::moves::{Act, Move, Sort};
use crate::state::State;

/// Has a move turn the piece at its destination.
fn turn_to(made: &mut Move, value: i32) {
    if let Ok(site) = u16::try_from(made.to) {
        made.acts.push(Act::SetLayer { layer: Layer::Rotation, site, level: None, value });
    }
}

impl Eval<'_> {
    /// The moves of a composite generator, with the consequences of its own.
    pub(super) fn composite(&mut self, composite: &Composite, out: &mut dyn MoveVisitor) -> bool {
        if composite.then.is_empty() {
            return self.compose(&composite.kind, out);
        }
        let more = |made: &mut Move| made.then.extend_from_slice(&composite.then);
        self.compose(&composite.kind, &mut Mapped::new(out, more))
    }

    fn compose(&mut self, kind: &CompositeKind, out: &mut dyn MoveVisitor) -> bool {
        match kind {
            CompositeKind::DoNext { first, next, after: None } => self.do_next(first, next, out),
            CompositeKind::DoNext { first, next, after: Some(after) } => {
                let mut tested = Tested::new(self, out, Test::After(after));
                self.do_next(first, next, &mut tested)
            }
            CompositeKind::ForEachDie { combined, replay_double, condition, moves } => {
                self.for_each_die(combined, replay_double, condition, moves, out)
            }
            CompositeKind::ForEachLevel { at, from_top, moves } => {
                self.for_each_level(at, *from_top, moves, out)
            }
            CompositeKind::Then(moves) => self.generate(moves, out),
            CompositeKind::ForEachDirection(each) => self.for_each_direction(each, out),
            CompositeKind::ForEachGroup { jumps, condition, moves } => {
                self.for_each_group(*jumps, condition.as_ref(), moves, out)
            }
            CompositeKind::Hop(hop) => self.hop(hop, out),
            CompositeKind::TrackSlide(slide) => self.track_slide(slide, out),
            CompositeKind::Sow(sow) => self.sow(sow, out),
            CompositeKind::Roll => self.roll(out),
            CompositeKind::Max { moves, .. } if out.asks_existence() => self.generate(moves, out),
            CompositeKind::Max { captures, with_value, moves } => {
                self.maximal(*captures, with_value, moves, out)
            }
            CompositeKind::Combinations(a, b) => self.combinations(a, b, out),
            CompositeKind::Append(moves) => self.all_as_one(moves, out),
            CompositeKind::Sequence(list) => self.one_after_another(list, out),
            CompositeKind::While(condition, moves) => self.over_and_over(condition, moves, out),
            CompositeKind::FirstOnTrack { tracks, moves } => {
                self.first_on_track_with_moves(tracks, moves, out)
            }
            CompositeKind::AvoidStored(moves) => self.avoid_stored(moves, out),
            CompositeKind::AddScores(players, scores) => self.add_scores(players, scores, out),
            CompositeKind::Flip { at, flips } => self.flip(at, flips, out),
            CompositeKind::Turned(moves, rotations) => self.turned(moves, rotations, out),
            CompositeKind::OneOf(list) => self.one_of(list, out),
            CompositeKind::Some(moves, number) => self.some_of(moves, number, out),
            CompositeKind::Forced(moves) => self.forced(moves, out),
            CompositeKind::Fall(below) => self.fall(*below, out),
            CompositeKind::SetTeam { first, number, members } => {
                let acts = self.team_acts(*first, number, members);
                self.one_move(acts, out)
            }
            CompositeKind::SetTrump { var, suits } => self.set_trump(*var, suits, out),
            CompositeKind::Deal(deal) => self.deal(deal, out),
            CompositeKind::SwapPlayers(a, b) => self.swap_players(a, b, out),
            CompositeKind::Bet { amounts, who, range } => self.bet(amounts, who, range, out),
            CompositeKind::TakeControl { of, by, within, heirs } => {
                let acts = self.control_acts(of.as_ref(), by, within.as_ref(), heirs);
                self.one_move(acts, out)
            }
            CompositeKind::Lay { pieces, state, to, covers } => {
                self.lay(pieces, state.as_ref(), to, covers, out)
            }
            CompositeKind::Shift { from, condition, to, effect, covers } => {
                self.shift((from, condition.as_ref()), to, effect.as_ref(), covers, out)
            }
            CompositeKind::RememberState => {
                out.take_move(self, Move::new(-1, -1, Buffer::one(Act::StorePosition)))
            }
            CompositeKind::Propose(texts) => self.say(texts, (Sort::Propose, Act::Propose), out),
            CompositeKind::Vote(texts) => self.say(texts, (Sort::Vote, Act::Vote), out),
            CompositeKind::Push { rays, from } => {
                self.site(from).is_some_and(|from| self.push(rays, from, out))
            }
            CompositeKind::Attract { rays, from } => {
                self.site(from).is_some_and(|from| self.attract(*rays, from, out))
            }
            CompositeKind::Surround { jumps, from, target, friend, except, with, effect } => {
                let with = with.as_ref().map(|w| self.component(w));
                let (from, except) = (self.int(from), self.int(except));
                let conditions = (target, friend);
                self.surround(*jumps, from, conditions, except, with, effect, out)
            }
            CompositeKind::Enclose {
                jumps,
                from,
                target,
                exceptions,
                effect,
                around,
                together,
            } => {
                let (from, exceptions) = (self.int(from), self.int(exceptions));
                self.enclose((*jumps, around.zip(*together)), from, target, exceptions, effect, out)
            }
            CompositeKind::Intervene { axes, from, range, target, effect } => {
                let range = (self.int(&range.0), self.int(&range.1));
                let from = self.site(from);
                from.is_some_and(|from| self.intervene(*axes, from, range, target, effect, out))
            }
            CompositeKind::Directional { rays, from, target, effect } => {
                let from = self.site(from);
                from.is_some_and(|from| self.directional(rays, from, target, effect, out))
            }
        }
    }

    /// One move of all these actions. There is none without any, so that nothing follows from it.
    pub(super) fn one_move(&mut self, acts: Buffer<Act>, out: &mut dyn MoveVisitor) -> bool {
        !acts.is_empty() && out.take_move(self, Move::new(0, 0, acts))
    }

    /// The moves that lead to no position that is stored.
    fn avoid_stored(&mut self, moves: &Moves, out: &mut dyn MoveVisitor) -> bool {
        let mut tested = Tested::new(self, out, Test::Stored);
        self.generate(moves, &mut tested)
    }

    /// The move in which pieces fall, whether there are any or not.
    fn fall(&mut self, below: JumpId, out: &mut dyn MoveVisitor) -> bool {
        let acts = self.falls(below);
        out.take_move(self, Move::new(0, 0, acts))
    }

    /// The move that hands out cards or dominoes, if there are any.
    fn deal(&mut self, deal: &Deal, out: &mut dyn MoveVisitor) -> bool {
        let acts = self.dealt(deal);
        self.one_move(acts, out)
    }

    /// The move that adds to the scores of players, to each his own.
    fn add_scores(&mut self, players: &Ints, scores: &Ints, out: &mut dyn MoveVisitor) -> bool {
        let (players, scores) = (self.ints(players), self.ints(scores));
        let pairs = players.iter().zip(scores);
        let acts = pairs.filter_map(|(&player, value)| {
            let player = u8::try_from(player).ok()?;
            Some(Act::SetScore { player, value, added: true })
        });
        let acts = acts.collect();
        self.one_move(acts, out)
    }

    /// The move that turns a piece over, or a stack.
    fn flip(&mut self, at: &Int, flips: &[Option<(i32, i32)>], out: &mut dyn MoveVisitor) -> bool {
        let Some(site) = self.site(at) else { return false };
        let what = self.state.what(site);
        let flips = flips.get(what).copied().flatten().is_some();
        let site = site as i32;
        (self.state.height(site as usize) > 1 || flips)
            && out.take_move(self, Move::new(site, site, Buffer::one(Act::Flip(site as u16))))
    }

    /// The move that has two players change sides.
    fn swap_players(&mut self, a: &Int, b: &Int, out: &mut dyn MoveVisitor) -> bool {
        let (a, b) = (self.int(a), self.int(b));
        let (Ok(a), Ok(b)) = (u8::try_from(a), u8::try_from(b)) else { return false };
        let acts = [Act::SwapPlayers(a, b), Act::SetNext(self.turns.mover)].into();
        out.take_move(self, Move { sort: Sort::Swap, ..Move::new(-1, -1, acts) })
    }

    /// The moves that bet an amount of a range.
    fn bet(
        &mut self,
        amounts: &[usize],
        who: &Int,
        range: &(Int, Int),
        out: &mut dyn MoveVisitor,
    ) -> bool {
        let player = self.int(who);
        let (min, max) = (self.int(&range.0), self.int(&range.1));
        let amount = usize::try_from(player.wrapping_sub(1)).ok();
        let Some(&var) = amount.and_then(|at| amounts.get(at)) else { return false };
        (min..=max).take(MAX_MOVES).any(|value| {
            let made = Move::new(-1, -1, Buffer::one(Act::SetVar { var, value }));
            out.take_move(self, Move { sort: Sort::Bet, piece: value as i16, ..made })
        })
    }

    /// The moves that put a text on the table, or vote for it.
    fn say(
        &mut self,
        texts: &[usize],
        (sort, act): (Sort, fn(u16) -> Act),
        out: &mut dyn MoveVisitor,
    ) -> bool {
        texts.iter().any(|&text| {
            let made = Move::new(-1, -1, Buffer::one(act(text as u16)));
            out.take_move(self, Move { sort, piece: text as i16, ..made })
        })
    }

    /// Moves that each turn the piece at their destination.
    fn turned(&mut self, moves: &Moves, rotations: &[i32], out: &mut dyn MoveVisitor) -> bool {
        rotations.iter().any(|&value| {
            let turn = |made: &mut Move| turn_to(made, value);
            self.generate(moves, &mut Mapped::new(out, turn))
        })
    }

    /// Everything that a move does with its consequences, tried out in a copy.
    pub(super) fn flattened(&self, made: &Move) -> Buffer<Act> {
        if made.then.is_empty() && !made.acts.iter().any(|a| matches!(a, Act::Then(_))) {
            return made.acts.clone();
        }
        self.acts_in(&mut self.trial(), made)
    }

    /// A move whose consequences have been worked out.
    pub(crate) fn as_flattened(&self, made: Move) -> Move {
        Move { acts: self.flattened(&made), then: Buffer::new(), ..made }
    }

    /// Makes a move in a copy of the state; what it did, with its consequences.
    fn acts_in(&self, after: &mut State, made: &Move) -> Buffer<Act> {
        after.log = Some(Buffer::new());
        self.try_move(after, made);
        after.log.take().unwrap_or_default()
    }

    /// As [`Eval::acts_in`], for a part of a move.
    pub(super) fn acts_of_part(&self, after: &mut State, made: &Move) -> Buffer<Act> {
        after.log = Some(Buffer::new());
        self.try_part(after, made);
        after.log.take().unwrap_or_default()
    }

    fn do_next(&mut self, first: &Moves, next: &Moves, out: &mut dyn MoveVisitor) -> bool {
        let throws = !self.state.dice().is_empty();
        self.after_first(first, out, |eval, prefixed| {
            if !throws {
                return eval.generate(next, prefixed);
            }
            let mut counting = Counting::of_legal(prefixed);
            let stopped = eval.generate(next, &mut counting);
            let none = !stopped && !counting.any;
            stopped || none && prefixed.take_move(eval, Move::pass())
        })
    }

    /// Gives moves in the state after a first part, which belongs to each of them.
    pub(crate) fn after_first(
        &mut self,
        first: &Moves,
        out: &mut dyn MoveVisitor,
        give: impl FnOnce(&mut Eval<'_>, &mut Prefixed<'_>) -> bool,
    ) -> bool {
        let mut after = self.trial();
        let mut before = Buffer::new();
        // Each part goes behind as many actions as the part found before it has: with more than two
        // parts the later ones come earlier.
        let mut at = 0;
        for made in self.all_made(first) {
            let acts = self.acts_of_part(&mut after, &made);
            let length = acts.len();
            before.put_in(at, &acts);
            at = length;
        }
        let mut prefixed = Prefixed::new(self, out, &before);
        let mut eval = self.within(&after);
        eval.turns = after.head.turns;
        give(&mut eval, &mut prefixed)
    }

    /// The effect of an `apply`, whose condition must hold, ahead of what was found earlier.
    pub(super) fn prepend(&mut self, apply: Option<&Apply>, acts: &mut Buffer<Act>) {
        let Some(apply) = apply else { return };
        let Some(effect) = &apply.effect else { return };
        if apply.condition.as_ref().is_none_or(|c| self.test(c)) {
            let mut before = Buffer::new();
            self.effects(effect, &mut before);
            acts.put_in(0, &before);
        }
    }
}
