//! Moves put together from others, jumps, and effects of several actions.

use crate::buffer::{Buffer, SetList};
use crate::limits::{MAX_MOVES, MAX_MOVES_AHEAD, MAX_POSITIONS_AHEAD};
use std::cell::Cell;

use super::per_site::PerSite;
use super::visitors::{Mapped, MoveVisitor, Prefixed, Test, Tested};
use super::{Eval, Lookahead};
use crate::ir::{Apply, Bool, Composite, CompositeKind, Deal, Hop, Int, Ints, Iter, Layer, Moves};
use crate::moves::Act;
use crate::moves::{Move, Sort};
use crate::set::Set;
use crate::state::State;

/// As [`MAX_POSITIONS_AHEAD`], where the rules have been seen to ask for more.
const FEW_LOOKS: u32 = 500;

/// Has a move turn the piece at its destination.
fn turn_to(made: &mut Move, value: i32) {
    if let Ok(site) = u16::try_from(made.to) {
        made.acts.push(Act::SetLayer { layer: Layer::Rotation, site, level: None, value });
    }
}

/// What a step over nothing passes over.
const NO_SITE: u16 = u16::MAX;

/// Groups of sites, each with the site that it was found from.
#[derive(Default)]
pub(super) struct Groups<const W: usize> {
    seeds: Buffer<usize>,
    sets: SetList<W>,
}

impl<const W: usize> Groups<W> {
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, Set<W>)> + '_ {
        self.seeds.iter().copied().zip(self.sets.iter())
    }
}

impl<const W: usize> Eval<'_, W> {
    /// The moves of a composite generator, with the consequences of its own.
    pub(super) fn composite(
        &mut self,
        composite: &Composite,
        out: &mut dyn MoveVisitor<W>,
    ) -> bool {
        if composite.then.is_empty() {
            return self.compose(&composite.kind, out);
        }
        let more = |made: &mut Move| made.then.extend_from_slice(&composite.then);
        self.compose(&composite.kind, &mut Mapped::new(out, more))
    }

    fn compose(&mut self, kind: &CompositeKind, out: &mut dyn MoveVisitor<W>) -> bool {
        match kind {
            CompositeKind::DoNext { first, next, after: None } => {
                self.part(out, |eval, out| eval.do_next(first, next, out))
            }
            CompositeKind::DoNext { first, next, after: Some(after) } => {
                let mut tested = Tested::new(self, out, Test::After(after));
                self.part(&mut tested, |eval, out| eval.do_next(first, next, out))
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
            CompositeKind::AvoidStored(moves) => {
                let mut tested = Tested::new(self, out, Test::Stored);
                self.generate(moves, &mut tested)
            }
            CompositeKind::AddScores(players, scores) => self.add_scores(players, scores, out),
            CompositeKind::Flip { at, flips } => self.flip(at, flips, out),
            CompositeKind::Turned(moves, rotations) => self.turned(moves, rotations, out),
            CompositeKind::OneOf(list) => self.one_of(list, out),
            CompositeKind::Some(moves, number) => self.some_of(moves, number, out),
            CompositeKind::Forced(moves) => self.forced(moves, out),
            CompositeKind::Fall(below) => {
                let acts = self.falls(*below);
                out.take_move(self, Move::new(0, 0, acts))
            }
            CompositeKind::SetTeam { first, number, members } => {
                let acts = self.team_acts(*first, number, members);
                out.take_move(self, Move::new(0, 0, acts))
            }
            CompositeKind::SetTrump { var, suits } => self.set_trump(*var, suits, out),
            CompositeKind::Deal(deal) => self.deal(deal, out),
            CompositeKind::SwapPlayers(a, b) => self.swap_players(a, b, out),
            CompositeKind::Bet { amounts, who, range } => self.bet(amounts, who, range, out),
            CompositeKind::TakeControl { of, by, within, heirs } => {
                let acts = self.control_acts(of.as_ref(), by, within.as_ref(), heirs);
                out.take_move(self, Move::new(0, 0, acts))
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
                let Some(from) = self.site(from) else { return false };
                self.push(rays, from, out)
            }
            CompositeKind::Attract { rays, from } => {
                let Some(from) = self.site(from) else { return false };
                self.attract(*rays, from, out)
            }
            CompositeKind::Surround { jumps, from, target, friend, except, with, effect } => {
                let with = with.as_ref().map(|w| self.component(w));
                let (from, except) = (self.int(from), self.int(except));
                let conditions = (target, friend);
                self.surround(*jumps, from, conditions, except, with, effect, out)
            }
            CompositeKind::Enclose { jumps, from, target, exceptions, effect } => {
                let (from, exceptions) = (self.int(from), self.int(exceptions));
                self.enclose(*jumps, from, target, exceptions, effect, out)
            }
            CompositeKind::Intervene { axes, from, range, target, effect } => {
                let range = (self.int(&range.0), self.int(&range.1));
                let Some(from) = self.site(from) else { return false };
                self.intervene(*axes, from, range, target, effect, out)
            }
            CompositeKind::Directional { rays, from, target, effect } => {
                let Some(from) = self.site(from) else { return false };
                self.directional(rays, from, target, effect, out)
            }
        }
    }

    /// The move that hands out cards or dominoes, if there are any.
    fn deal(&mut self, deal: &Deal, out: &mut dyn MoveVisitor<W>) -> bool {
        let acts = self.dealt(deal);
        !acts.is_empty() && out.take_move(self, Move::new(0, 0, acts))
    }

    /// The move that adds to the scores of players, to each his own.
    fn add_scores(&mut self, players: &Ints, scores: &Ints, out: &mut dyn MoveVisitor<W>) -> bool {
        let (players, scores) = (self.ints(players), self.ints(scores));
        let pairs = players.iter().zip(scores);
        let acts = pairs.filter_map(|(&player, value)| {
            let player = u8::try_from(player).ok()?;
            Some(Act::SetScore { player, value, added: true })
        });
        let made = Move::new(0, 0, acts.collect());
        out.take_move(self, made)
    }

    /// The move that turns a piece over, or a stack.
    fn flip(
        &mut self,
        at: &Int,
        flips: &[Option<(i32, i32)>],
        out: &mut dyn MoveVisitor<W>,
    ) -> bool {
        let Some(site) = self.site(at) else { return false };
        let what = self.state.what(site);
        let flips = flips.get(what).copied().flatten().is_some();
        let site = site as i32;
        (self.state.height(site as usize) > 1 || flips)
            && out.take_move(self, Move::new(site, site, Buffer::one(Act::Flip(site as u16))))
    }

    /// The move that has two players change sides.
    fn swap_players(&mut self, a: &Int, b: &Int, out: &mut dyn MoveVisitor<W>) -> bool {
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
        out: &mut dyn MoveVisitor<W>,
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
        out: &mut dyn MoveVisitor<W>,
    ) -> bool {
        texts.iter().any(|&text| {
            let made = Move::new(-1, -1, Buffer::one(act(text as u16)));
            out.take_move(self, Move { sort, piece: text as i16, ..made })
        })
    }

    /// Moves that each turn the piece at their destination.
    fn turned(&mut self, moves: &Moves, rotations: &[i32], out: &mut dyn MoveVisitor<W>) -> bool {
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
        self.acts_in(&mut self.afterwards(), made)
    }

    /// A move whose consequences have been worked out.
    pub(crate) fn as_flattened(&self, made: Move) -> Move {
        Move { acts: self.flattened(&made), then: Buffer::new(), ..made }
    }

    /// Makes a move in a copy of the state; what it did, with its consequences.
    fn acts_in(&self, after: &mut State, made: &Move) -> Buffer<Act> {
        after.log = Some(Buffer::new());
        self.do_in(after, made);
        after.log.take().unwrap_or_default()
    }

    /// As [`Eval::acts_in`], for a part of a move.
    pub(super) fn acts_of_part(&self, after: &mut State, made: &Move) -> Buffer<Act> {
        after.log = Some(Buffer::new());
        self.do_part(after, made);
        after.log.take().unwrap_or_default()
    }

    fn do_next(&mut self, first: &Moves, next: &Moves, out: &mut dyn MoveVisitor<W>) -> bool {
        let throws = !self.state.dice().is_empty();
        self.after_first(first, out, |eval, prefixed| {
            let stopped = eval.generate(next, prefixed);
            let none = !stopped && throws && !prefixed.any;
            stopped || none && prefixed.take_move(eval, Move::pass())
        })
    }

    /// Gives moves in the state after a first part, which belongs to each of them.
    pub(crate) fn after_first(
        &mut self,
        first: &Moves,
        out: &mut dyn MoveVisitor<W>,
        give: impl FnOnce(&mut Eval<'_, W>, &mut Prefixed<'_, W>) -> bool,
    ) -> bool {
        let mut after = self.afterwards();
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

    /// True if a condition holds for all groups; within it they are the region iterated over.
    pub(super) fn all_groups(
        &mut self,
        jumps: crate::ir::JumpId,
        of: Option<&Bool>,
        condition: &Bool,
    ) -> bool {
        let outer = self.iterated;
        let groups = self.groups(jumps, of);
        let holds = groups.iter().all(|(seed, group)| {
            self.iterated = group;
            self.with(Iter::From, seed as i32, |eval| eval.test(condition))
        });
        self.iterated = outer;
        holds
    }

    /// Maximal connected sets of own sites, or of sites that satisfy a condition, with their seeds.
    pub(super) fn groups(
        &mut self,
        jumps: crate::ir::JumpId,
        condition: Option<&Bool>,
    ) -> Groups<W> {
        let board = self.game.board;
        let occupied = board.without(self.empty());
        let seeds = match condition {
            None => self.state.owned(usize::from(self.turns.mover)) & board,
            Some(_) => occupied,
        };
        let old = [Iter::From, Iter::To].map(|i| self.get(i));
        let mut found = Groups::default();
        let mut done = Set::EMPTY;
        for seed in self.in_order(seeds) {
            if done.contains(seed) {
                continue;
            }
            self.set(Iter::From, seed as i32);
            self.set(Iter::To, seed as i32);
            if !condition.is_none_or(|c| self.test(c)) {
                continue;
            }
            let within = match condition {
                None => seeds,
                Some(condition) => self.filter(board, Iter::To, condition),
            };
            let group = self.flood(jumps, Set::single(seed), within);
            done |= group;
            found.seeds.push(seed);
            found.sets.push(group);
        }
        self.set(Iter::From, old[0]);
        self.set(Iter::To, old[1]);
        found
    }

    /// Sites with pieces in the order of owners, components and placing, where that is kept.
    fn in_order(&self, sites: Set<W>) -> Buffer<usize> {
        if !self.game.layout.is_ordered() {
            return sites.iter().collect();
        }
        let owner = &self.game.layout.owner;
        let mut components: Buffer<usize> = (1..owner.len()).collect();
        components.sort_unstable_by_key(|&c| (owner[c], c));
        let layout = &self.game.layout;
        let placed = components.iter().flat_map(|&c| self.state.order(layout, c));
        placed.filter(|&s| sites.contains(s)).collect()
    }

    fn maximal(
        &mut self,
        captures: bool,
        with_value: &Bool,
        moves: &Moves,
        out: &mut dyn MoveVisitor<W>,
    ) -> bool {
        let with_value = self.test(with_value);
        let same = self.lookahead.is_some_and(|looks| looks.with_value == with_value);
        if !captures && same && !(with_value && self.game.stacking()) {
            // A turn is being looked through for the same: the longest of all is that of the
            // longest.
            return self.generate(moves, out);
        }
        let found = self.all_made(moves);
        let all_count = self.mode.is_known() || found.len() < 2;
        let kept = (!all_count).then(|| self.longest(&found, captures, with_value));
        found.into_iter().enumerate().any(|(i, made)| {
            if kept.as_ref().is_some_and(|kept| !kept[i]) {
                return out.skip();
            }
            let made = if captures || !out.wants_acts() { made } else { self.as_flattened(made) };
            out.take_move(self, made)
        })
    }

    /// Which of these moves begin the longest turns, or capture most.
    pub(crate) fn longest(
        &mut self,
        found: &[Move],
        captures: bool,
        with_value: bool,
    ) -> Buffer<bool> {
        // Rules that look ahead from where they have looked ahead to see no further.
        let record = &self.state.head.record;
        let nested = record.ahead > 0;
        let most = if record.endless { FEW_LOOKS } else { MAX_POSITIONS_AHEAD };
        let left = Cell::new(if nested { 0 } else { most });
        let looks = self.lookahead.map_or(&left, |looks| looks.left);
        let lookahead = Some(Lookahead { left: looks, with_value });
        let mut eval = Eval { lookahead, chance: self.chance_aside(), ..*self };
        let mut best = -1;
        let looking = !captures && looks.get() > 0;
        let lengths: Buffer<Option<i32>> = found
            .iter()
            .map(|made| {
                let length = if captures {
                    let acts = eval.flattened(made);
                    acts.iter().filter(|act| act.removes().is_some()).count() as i32
                } else {
                    let worth = eval.worth(made, with_value, true);
                    worth.wrapping_add(eval.turn_length(made))
                };
                // From where a turn is not seen to its end no move is known to be shorter than
                // others.
                let lost = looking && looks.get() == 0;
                eval.endless |= lost;
                if !lost {
                    best = best.max(length);
                }
                (!lost).then_some(length)
            })
            .collect();
        let (stalemated, endless) = (eval.stalemated, eval.endless);
        self.stalemated = stalemated;
        self.endless |= endless;
        lengths.into_iter().map(|length| length.is_none_or(|length| length == best)).collect()
    }

    /// What a move counts for: what it captures, or one move. Of a stack that is captured the move
    /// that is looked at counts the piece at the bottom, over and over, and the moves after it the
    /// one on top. The recorded games show this; the specification does not say which.
    fn worth(&self, made: &Move, with_value: bool, first: bool) -> i32 {
        if !with_value {
            return 1;
        }
        let acts = self.flattened(made);
        let level = (first && self.game.stacking()).then_some(0);
        // What is taken away when the turn ends has been captured before.
        let captures = acts.iter().filter(|act| !matches!(act, Act::Clear { .. }));
        let sites = captures.filter_map(|act| act.removes());
        let values = sites.map(|site| self.state.extra(usize::from(site), level).value);
        values.fold(0, i32::wrapping_add)
    }

    /// What the moves of the longest turn count that come after a move.
    fn turn_length(&mut self, made: &Move) -> i32 {
        let left = self.lookahead.map_or(0, |looks| looks.left.get());
        let ahead = self.state.head.record.ahead;
        if ahead >= MAX_MOVES_AHEAD || left == 0 {
            // An endless turn is not worth looking at from any other side.
            self.lookahead.inspect(|looks| looks.left.set(0));
            return 0;
        }
        self.lookahead.inspect(|looks| looks.left.set(left - 1));
        let mut after = self.afterwards();
        after.head.record.ahead = ahead + 1;
        let mover = self.turns.mover;
        if !self.game.stays_at_turn(&mut after, made, self.chance) {
            return 0;
        }
        let with_value = self.lookahead.is_some_and(|looks| looks.with_value);
        let mut eval = Eval::new(self.game, &after);
        eval.lookahead = self.lookahead;
        eval.chance = self.chance;
        let phase = usize::from(after.head.phase[usize::from(mover)]);
        let more = eval.all_made(&self.game.phases[phase].play);
        let mut longest = 0;
        for made in more {
            let worth = eval.worth(&made, with_value, false);
            longest = longest.max(worth.wrapping_add(eval.turn_length(&made)));
        }
        longest
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

    fn hop(&mut self, hop: &Hop, out: &mut dyn MoveVisitor<W>) -> bool {
        let Some(from) = self.site(&hop.from) else { return false };
        let what = self.state.what(from);
        let old = [Iter::From, Iter::To, Iter::Between].map(|i| self.get(i));
        self.set(Iter::From, from as i32);
        let (before, after) = (self.int(&hop.before), self.int(&hop.after));
        let (min, max) = (self.int(&hop.range.0), self.int(&hop.range.1));
        let mut stopped = false;
        if hop.from_condition.as_ref().is_none_or(|c| self.test(c)) {
            let hurdle = self.per_site(Some(&hop.hurdle), Iter::Between);
            let go = self.per_site(Some(&hop.go), Iter::To);
            if min == 0
                && let Some(table) = hop.jumps.of(what)
            {
                let game = self.game;
                stopped = game.jump(table).of(from).iter().any(|&to| {
                    self.set(Iter::Between, -1);
                    go.holds(self, to) && self.give_hop(hop, from, to, &[], &[NO_SITE], out)
                });
            }
            if max > 0
                && let Some(table) = hop.rays.of(what)
            {
                let rays = self.game.ray(table);
                let tests = (&hurdle, &go);
                let along =
                    |ray| self.hop_along(hop, tests, from, rays.path(ray), (before, after), out);
                stopped = stopped || rays.numbers(from).any(along);
            }
        }
        for (iter, value) in [Iter::From, Iter::To, Iter::Between].into_iter().zip(old) {
            self.set(iter, value);
        }
        stopped
    }

    fn hop_along(
        &mut self,
        hop: &Hop,
        (hurdle, go): (&PerSite<'_, W>, &PerSite<'_, W>),
        from: usize,
        ray: &[u16],
        (before, after): (i32, i32),
        out: &mut dyn MoveVisitor<W>,
    ) -> bool {
        let min = self.int(&hop.range.0).max(1) as usize;
        let max = self.int(&hop.range.1).max(0) as usize;
        for i in 0..ray.len() {
            if !hurdle.holds(self, ray[i]) {
                if i as i32 + 1 > before || !go.holds(self, ray[i]) {
                    return false;
                }
                continue;
            }
            let mut length = 1;
            while length < max && i + length < ray.len() && hurdle.holds(self, ray[i + length]) {
                length += 1;
            }
            if length < min {
                return false;
            }
            let hurdles = &ray[i..i + length];
            for over in min..=length {
                let landings = ray.iter().enumerate().skip(i + over);
                for (_, &to) in landings.take(after.max(0) as usize + 1) {
                    let capture = hop.apply.as_ref().and_then(|a| a.condition.as_ref());
                    if !go.holds(self, to) {
                        if capture.is_some_and(|c| self.test(c))
                            && self.give_hop(hop, from, to, hurdles, &[], out)
                        {
                            return true;
                        }
                        break;
                    }
                    if capture.is_none()
                        && self.give_hop(hop, from, to, hurdles, &hurdles[..over], out)
                    {
                        return true;
                    }
                }
            }
            return false;
        }
        false
    }

    /// Hands a hop to the visitor that code found: number of its path, place of the first piece
    /// jumped over, how many there are, and on how many there is an effect.
    pub(crate) fn take_hop(
        &mut self,
        hop: &Hop,
        (from, to): (usize, u16),
        [path, first, length, over]: [i32; 4],
        out: &mut dyn MoveVisitor<W>,
    ) -> bool {
        if !out.wants_acts() {
            return self.give_hop(hop, from, to, &[], &[], out);
        }
        let Ok(path) = usize::try_from(path) else {
            return self.give_hop(hop, from, to, &[], &[NO_SITE], out);
        };
        let Some(table) = hop.rays.of(self.state.what(from)) else { return false };
        let game = self.game;
        let hurdles = game.ray(table).path(path).get(first as usize..(first + length) as usize);
        let hurdles = hurdles.unwrap_or_default();
        self.give_hop(hop, from, to, hurdles, &hurdles[..(over as usize).min(hurdles.len())], out)
    }

    /// Hands a hop to the visitor: `hurdles` are what it passes over, with an effect on those of
    /// `over`.
    fn give_hop(
        &mut self,
        hop: &Hop,
        from: usize,
        to: u16,
        hurdles: &[u16],
        over: &[u16],
        out: &mut dyn MoveVisitor<W>,
    ) -> bool {
        let mut made =
            Move { leaf: hop.id, ..Move::new(from as i32, i32::from(to), Buffer::new()) };
        if out.wants_acts() {
            let from = from as u16;
            made.acts.push(if hop.stack {
                Act::MoveStack { from, to }
            } else {
                Act::MoveTop { from, to, keep: false }
            });
            self.prepend(hop.apply.as_ref(), &mut made.acts);
            for &hurdle in over {
                self.set(Iter::Between, i32::from(hurdle as i16));
                self.prepend(hop.hurdle_apply.as_ref(), &mut made.acts);
            }
            made.between.extend_from_slice(hurdles);
        }
        out.take_move(self, made)
    }
}
