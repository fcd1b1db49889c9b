//! Generation of moves.

use super::visitors::{Counting, MoveVisitor, Test, Tested};
use super::{Around, CompiledRules, Eval};
use crate::game::Game;
use crate::ir::{
    Apply, Bool, ByPiece, Custodial, Int, Iter, JumpId, Leaf, LeafKind, Moves, Piece, PieceMoves,
    Place, RayId, Slide,
};
use crate::meter;
use crate::moves::{Ends, Move};
use crate::set::Set;
use crate::state::{State, Turns};

impl<const W: usize> Eval<'_, W> {
    /// Gives all moves of a generator to a visitor; true if it was stopped.
    pub(crate) fn generate(&mut self, moves: &Moves, out: &mut dyn MoveVisitor<W>) -> bool {
        if !meter::work(1) {
            return true;
        }
        match moves {
            Moves::None => false,
            Moves::Leaf(leaf) => self.leaf(leaf, out),
            Moves::All(list) => {
                list.iter().any(|m| self.part(out, |eval, out| eval.generate(m, out)))
            }
            Moves::If(parts) => {
                if self.test(&parts.0) {
                    self.generate(&parts.1, out)
                } else {
                    self.generate(&parts.2, out)
                }
            }
            Moves::Priority(list) if out.asks_existence() => {
                list.iter().any(|m| self.generate(m, out))
            }
            // Where moves are drawn before they are tested, it is not clear that a part has any.
            Moves::Priority(list) if self.game.tests_moves => {
                let first = self.first_with_moves(list);
                list.get(first).is_some_and(|moves| self.generate(moves, out))
            }
            Moves::Priority(list) => {
                let mut counting = Counting::new(out);
                list.iter().any(|m| {
                    self.part(&mut counting, |eval, out| eval.generate(m, out)) || counting.any
                });
                counting.stopped
            }
            Moves::ForEachPiece { who, list } => self.for_each_piece(who.as_ref(), list, out),
            Moves::ForEachSite { region, moves, otherwise } => {
                let sites = self.region(region);
                let old = (self.get(Iter::Site), self.get(Iter::To));
                if **otherwise != Moves::None {
                    let mut counting = Counting::new(out);
                    let stopped = self.exactly(|eval| {
                        sites.iter().any(|s| {
                            eval.bind_site(s);
                            eval.generate(moves, &mut counting)
                        })
                    });
                    if !counting.any {
                        return self.generate(otherwise, out);
                    }
                    self.set(Iter::Site, old.0);
                    self.set(Iter::To, old.1);
                    return stopped;
                }
                let stopped = sites.iter().any(|s| {
                    self.bind_site(s);
                    self.part(out, |eval, out| eval.generate(moves, out))
                });
                self.set(Iter::Site, old.0);
                self.set(Iter::To, old.1);
                stopped
            }
            Moves::ForEachValue { values, moves } => {
                let values = self.ints(values);
                values
                    .into_iter()
                    .any(|v| self.with(Iter::Value, v, |eval| eval.generate(moves, out)))
            }
            Moves::ForEachPlayer { players, moves } => {
                let players = self.ints(players);
                players
                    .into_iter()
                    .any(|p| self.with(Iter::Player, p, |eval| eval.generate(moves, out)))
            }
            Moves::Composite(composite) => self.composite(composite, out),
            Moves::IfAfterwards(parts) => {
                let mut tested = Tested::new(self, out, Test::After(&parts.1));
                self.generate(&parts.0, &mut tested)
            }
            Moves::Custodial(custodial) => self.custodial(custodial, out),
            Moves::Compiled(code, rules) => match &self.game.program {
                Some(program) => program.run_generator(self, *code, out),
                None => self.generate(rules, out),
            },
        }
    }

    /// The first of some generators that gives a move, or the last one.
    pub(crate) fn first_with_moves(&mut self, list: &[Moves]) -> usize {
        let others = &list[..list.len().saturating_sub(1)];
        let first = self.noted(|eval| {
            let first = others.iter().position(|m| eval.exists(m));
            first.unwrap_or(others.len()) as u32
        });
        first as usize
    }

    fn bind_site(&mut self, site: usize) {
        self.set(Iter::Site, site as i32);
        self.set(Iter::To, site as i32);
    }

    /// True if a condition holds once a move has been made.
    pub(super) fn holds_after(&mut self, made: &Move, condition: &Bool) -> bool {
        let mut after = self.afterwards();
        self.do_in(&mut after, made);
        if after.head.turns.next == self.turns.mover {
            after.head.turns.next = self.turns.prev;
        }
        let mut eval = self.within(&after);
        eval.turns = after.head.turns;
        eval.test(condition)
    }

    /// Makes a move in a copy of the state, with what is bound here, and enters it into its record.
    pub(super) fn do_in(&self, after: &mut State, made: &Move) {
        after.record_move(made.is_pass());
        self.game.make_made(after, made, self.bindings());
    }

    /// As [`Eval::do_in`], for a part of a move, which does not enter the record.
    pub(super) fn do_part(&self, after: &mut State, made: &Move) {
        self.game.make_part(after, made, self.bindings());
    }

    fn bindings(&self) -> Around<'_> {
        let tests = (self.looking_ahead, self.threatening);
        Around { iters: self.iters, chance: self.chance, tests }
    }

    /// Hands a move to the visitor.
    #[inline]
    pub(super) fn give(
        &mut self,
        leaf: &Leaf,
        from: usize,
        to: usize,
        piece: i32,
        out: &mut dyn MoveVisitor<W>,
    ) -> bool {
        self.give_at(leaf, from as i16, to as i16, piece, out)
    }

    #[inline]
    fn give_at(
        &mut self,
        leaf: &Leaf,
        from: i16,
        to: i16,
        piece: i32,
        out: &mut dyn MoveVisitor<W>,
    ) -> bool {
        out.take(self, leaf, Ends { from, to, piece: piece as i16 })
    }

    /// Lets it be the turn of another player, who may be the mover, or nobody; who that is.
    pub(crate) fn take_turn(&mut self, who: &Int) -> i32 {
        let player = self.int(who);
        let mover = self.turns.mover;
        if player != i32::from(mover) && (1..=self.players() as i32).contains(&player) {
            self.turns = Turns { mover: player as u8, prev: mover, next: mover };
        }
        player
    }

    fn for_each_piece(
        &mut self,
        who: Option<&Int>,
        list: &[PieceMoves],
        out: &mut dyn MoveVisitor<W>,
    ) -> bool {
        let old = self.turns;
        let who = who.map(|who| self.take_turn(who));
        let bound = (self.get(Iter::From), self.get(Iter::Level));
        let mut stopped = false;
        for entry in list {
            if who.is_some_and(|w| w != i32::from(entry.owner)) {
                continue;
            }
            let component = usize::from(entry.component);
            let within = self.game.set(entry.within);
            if self.game.stacking() {
                let occupied = within.without(self.empty());
                for site in occupied {
                    let height = self.state.height(site);
                    let lowest = if entry.top { height.saturating_sub(1) } else { 0 };
                    for level in lowest..height {
                        if self.state.what_at(site, level) == component && !stopped {
                            self.set(Iter::From, site as i32);
                            self.set(Iter::Level, level as i32);
                            stopped |= self.part(out, |eval, out| eval.generate(&entry.moves, out));
                        }
                    }
                }
                let state = self.state;
                for stale in
                    state.stale_pieces().iter().filter(|g| usize::from(g.what) == component)
                {
                    let site = usize::from(stale.site);
                    let top = usize::from(stale.level) + 1 == state.height(site);
                    if within.contains(site) && (top || !entry.top) && !stopped {
                        self.set(Iter::From, i32::from(stale.site));
                        self.set(Iter::Level, i32::from(stale.level));
                        stopped |= self.part(out, |eval, out| eval.generate(&entry.moves, out));
                    }
                }
            } else if self.game.chance && self.game.layout.is_ordered() {
                let state = self.state;
                let placed = state.order(&self.game.layout, component);
                for site in placed.filter(|&s| within.contains(s)) {
                    self.set(Iter::From, site as i32);
                    self.set(Iter::Level, 0);
                    stopped = self.part(out, |eval, out| eval.generate(&entry.moves, out));
                    if stopped {
                        break;
                    }
                }
            } else {
                let set = usize::from(self.game.layout.piece_set[component]);
                for site in self.state.set::<W>(set) & within {
                    self.set(Iter::From, site as i32);
                    self.set(Iter::Level, 0);
                    stopped = self.part(out, |eval, out| eval.generate(&entry.moves, out));
                    if stopped {
                        break;
                    }
                }
            }
            if stopped {
                break;
            }
        }
        self.set(Iter::From, bound.0);
        self.set(Iter::Level, bound.1);
        self.turns = old;
        stopped
    }

    fn custodial(&mut self, custodial: &Custodial, out: &mut dyn MoveVisitor<W>) -> bool {
        let Some(from) = self.site(&custodial.from) else { return false };
        let (min, max) = (self.int(&custodial.range.0), self.int(&custodial.range.1));
        let (min, max) = (min.max(0) as usize, max.max(0) as usize);
        let old = (self.get(Iter::Between), self.get(Iter::To));
        let game: &Game<W> = self.game;
        let target = self.per_site(Some(&custodial.target), Iter::Between);
        let mut stopped = false;
        for ray in game.ray(custodial.rays).of(from) {
            let run = ray.iter().take(max).take_while(|&&site| target.holds(self, site)).count();
            if run == 0 || run < min {
                continue;
            }
            let end = ray.get(run).map_or(-1, |&s| i32::from(s));
            if max == 1 && end < 0 {
                continue;
            }
            self.set(Iter::To, end);
            if !self.test(&custodial.friend) {
                continue;
            }
            for &site in &ray[..run] {
                self.set(Iter::Between, i32::from(site));
                stopped = self.generate(&custodial.effect, out);
                if stopped {
                    break;
                }
            }
            if stopped {
                break;
            }
        }
        self.set(Iter::Between, old.0);
        self.set(Iter::To, old.1);
        stopped
    }

    fn leaf(&mut self, leaf: &Leaf, out: &mut dyn MoveVisitor<W>) -> bool {
        match &leaf.kind {
            LeafKind::Add { pieces, to, condition, count, .. } => {
                if self.int(count) < 1 {
                    return false;
                }
                self.placements(leaf, pieces, to, condition.as_ref(), out)
            }
            LeafKind::Jump { jumps, from, from_condition, condition, .. } => {
                self.jump(leaf, jumps, (from, from_condition.as_ref()), condition.as_ref(), out)
            }
            LeafKind::Slide(slide) => self.slide(leaf, slide, out),
            LeafKind::FromTo { from, from_condition, to, condition, count, .. } => self.from_to(
                leaf,
                (from, from_condition.as_ref()),
                (to, condition.as_ref()),
                count.as_ref(),
                out,
            ),
            LeafKind::Shoot { piece, from, rays, condition } => {
                self.shoot(leaf, piece, (from, *rays), condition.as_ref(), out)
            }
            LeafKind::Select { from, from_condition, to, condition, .. } => self.selections(
                leaf,
                from,
                from_condition.as_ref(),
                to.as_deref(),
                condition.as_ref(),
                out,
            ),
            LeafKind::Remove { place, .. } => {
                let sites = self.place(place);
                sites.iter().any(|s| self.state.what(s) != 0 && self.give(leaf, s, s, 0, out))
            }
            LeafKind::Promote { site, pieces } => {
                let Some(site) = self.site(site) else { return false };
                pieces.iter().any(|piece| {
                    let component = self.component(piece);
                    component > 0 && self.give(leaf, site, site, component, out)
                })
            }
            // Such a move, where rules offer it by itself, goes by no site.
            LeafKind::Pass | LeafKind::SetScore { .. } => self.give_at(leaf, -1, -1, 0, out),
            LeafKind::SetNextPlayer(players) => {
                let players = self.ints(players);
                let real = 1..=self.players() as i32;
                players.into_iter().any(|p| real.contains(&p) && self.give_at(leaf, -1, -1, p, out))
            }
            LeafKind::SwapPieces { a, b } => {
                let (a, b) = (self.int(a), self.int(b));
                a >= 0 && b >= 0 && self.give_at(leaf, a as i16, b as i16, 0, out)
            }
            LeafKind::SetPending(Some(place)) => {
                // An empty region sets nothing.
                let any = match &**place {
                    Place::Site(_) => true,
                    Place::Region(region) => !self.region(region).is_empty(),
                };
                any && self.give_at(leaf, 0, 0, 0, out)
            }
            LeafKind::SetLayer { at, value, .. } => {
                let at = self.int(at);
                // What chance decides is asked for once, when the action is made.
                let some = at >= 0 && (self.game.chance || self.int(value) >= 0);
                some && self.give_at(leaf, at as i16, at as i16, 0, out)
            }
            LeafKind::Turn { at, steps, .. } => {
                let Some(site) = self.site(at) else { return false };
                steps.iter().any(|&step| self.give(leaf, site, site, step, out))
            }
            LeafKind::Remember { list, values, unique } => {
                let wanted = self.place(values);
                let known = self.state.remembered().get(*list);
                let known =
                    wanted.iter().all(|v| known.is_some_and(|list| list.contains(&(v as i32))));
                let skip = known && self.test(unique);
                !skip && self.give_at(leaf, 0, 0, 0, out)
            }
            LeafKind::Note(_)
            | LeafKind::Hide(_)
            | LeafKind::MoveAgain
            | LeafKind::SetVar { .. }
            | LeafKind::SetCounter(_)
            | LeafKind::SetPlayerValue { .. }
            | LeafKind::SetPending(None)
            | LeafKind::SetCount { .. }
            | LeafKind::Trigger(_)
            | LeafKind::Forget { .. } => self.give_at(leaf, 0, 0, 0, out),
        }
    }

    /// The moves of a piece to the targets of a table.
    #[inline]
    fn jump(
        &mut self,
        leaf: &Leaf,
        jumps: &ByPiece<JumpId>,
        (from, from_condition): (&Int, Option<&Bool>),
        condition: Option<&Bool>,
        out: &mut dyn MoveVisitor<W>,
    ) -> bool {
        let Some(from) = self.origin(from, from_condition) else { return false };
        let Some(table) = jumps.of(self.state.what(from.site)) else { return false };
        let game = self.game;
        let old = self.get(Iter::To);
        let condition = self.per_site(condition, Iter::To);
        let stopped = game.jump(table).of(from.site).iter().any(|&to| {
            condition.holds(self, to) && self.give(leaf, from.site, usize::from(to), 0, out)
        });
        self.set(Iter::To, old);
        self.set(Iter::From, from.old);
        stopped
    }

    /// The moves from some sites to others.
    fn from_to(
        &mut self,
        leaf: &Leaf,
        (from, from_condition): (&Place, Option<&Bool>),
        (to, condition): (&Place, Option<&Bool>),
        count: Option<&Int>,
        out: &mut dyn MoveVisitor<W>,
    ) -> bool {
        let origins = self.place(from);
        let old = (self.get(Iter::From), self.get(Iter::To));
        let mut stopped = false;
        for origin in origins {
            if self.state.what(origin) == 0 {
                continue;
            }
            self.set(Iter::From, origin as i32);
            if !from_condition.is_none_or(|c| self.test(c)) {
                continue;
            }
            // The number goes by the destination bound around, not by that of the move.
            let count = match count {
                Some(count) => self.int(count).clamp(0, 32767),
                None => 0,
            };
            let condition = self.per_site(condition, Iter::To);
            for target in self.place(to) {
                if condition.holds(self, target as u16) {
                    stopped = self.give(leaf, origin, target, count, out);
                    if stopped {
                        break;
                    }
                }
            }
            // Destinations are looked for anew with only the origin bound.
            self.set(Iter::To, old.1);
            if stopped {
                break;
            }
        }
        self.set(Iter::From, old.0);
        self.set(Iter::To, old.1);
        stopped
    }

    /// The moves that add a piece on straight paths from a site.
    fn shoot(
        &mut self,
        leaf: &Leaf,
        piece: &Piece,
        (from, rays): (&Int, RayId),
        condition: Option<&Bool>,
        out: &mut dyn MoveVisitor<W>,
    ) -> bool {
        let Some(from) = self.site(from) else { return false };
        let component = self.component(piece);
        let game = self.game;
        let old = [Iter::To, Iter::Between].map(|i| self.get(i));
        let mut stopped = false;
        for ray in game.ray(rays).of(from) {
            self.set(Iter::Between, old[1]);
            for &to in ray {
                self.set(Iter::To, i32::from(to));
                let to = usize::from(to);
                let free = match condition {
                    Some(condition) => self.test(condition),
                    None => self.state.what(to) == 0,
                };
                if !free || stopped {
                    break;
                }
                stopped = component > 0 && self.give(leaf, to, to, component, out);
                // Conditions may ask for the site passed last.
                self.set(Iter::Between, to as i32);
            }
        }
        self.set(Iter::To, old[0]);
        self.set(Iter::Between, old[1]);
        stopped
    }

    /// The component of a piece, or a number below 1 for none.
    pub(super) fn component(&mut self, piece: &Piece) -> i32 {
        match piece {
            Piece::Fixed(component) => i32::from(*component),
            Piece::Computed(number) => {
                let number = self.int(number);
                if (number as usize) < self.game.layout.owner.len() { number } else { 0 }
            }
        }
    }

    fn placements(
        &mut self,
        leaf: &Leaf,
        pieces: &[Piece],
        to: &Place,
        condition: Option<&Bool>,
        out: &mut dyn MoveVisitor<W>,
    ) -> bool {
        let old = self.get(Iter::To);
        // On a single site only the first of several pieces can be placed.
        let pieces = match to {
            Place::Site(_) => &pieces[..pieces.len().min(1)],
            Place::Region(_) => pieces,
        };
        let mut stopped = false;
        for piece in pieces {
            let component = self.component(piece);
            if component < 1 {
                continue;
            }
            let mut sites = self.place(to) & Set::below(self.state.sites());
            let condition = self.per_site(condition, Iter::To);
            let known = condition.sites().copied();
            sites = known.map_or(sites, |known| sites & known);
            let at_once = match &known {
                Some(_) => out.take_placements(self, leaf, &sites, component),
                None => None,
            };
            stopped = at_once.unwrap_or_else(|| {
                sites.iter().any(|site| {
                    condition.holds(self, site as u16)
                        && self.give(leaf, site, site, component, out)
                })
            });
            self.set(Iter::To, old);
            if stopped {
                break;
            }
        }
        stopped
    }

    fn selections(
        &mut self,
        leaf: &Leaf,
        from: &Place,
        from_condition: Option<&Bool>,
        to: Option<&Place>,
        condition: Option<&Bool>,
        out: &mut dyn MoveVisitor<W>,
    ) -> bool {
        let old = (self.get(Iter::From), self.get(Iter::To));
        let origins = self.place(from);
        let mut stopped = false;
        for origin in origins.iter().take_while(|&s| s < self.state.sites()) {
            self.set(Iter::From, origin as i32);
            self.set(Iter::To, origin as i32);
            if !from_condition.is_none_or(|c| self.test(c)) {
                continue;
            }
            stopped = match to {
                None => self.give(leaf, origin, origin, 0, out),
                Some(to) => {
                    let targets = self.place(to);
                    targets.iter().any(|target| {
                        self.set(Iter::To, target as i32);
                        condition.is_none_or(|c| self.test(c))
                            && self.give(leaf, origin, target, 0, out)
                    })
                }
            };
            if stopped {
                break;
            }
        }
        self.set(Iter::From, old.0);
        self.set(Iter::To, old.1);
        stopped
    }

    /// Binds the origin of a move. Where its condition fails, the origin stays bound, as specified.
    fn origin(&mut self, from: &Int, condition: Option<&Bool>) -> Option<Origin> {
        let old = self.get(Iter::From);
        let site = self.site(from)?;
        self.set(Iter::From, site as i32);
        condition.is_none_or(|c| self.test(c)).then_some(Origin { site, old })
    }

    fn slide(&mut self, leaf: &Leaf, slide: &Slide, out: &mut dyn MoveVisitor<W>) -> bool {
        let Some(from) = self.origin(&slide.from, slide.from_condition.as_ref()) else {
            return false;
        };
        let Some(table) = slide.rays.of(self.state.what(from.site)) else { return false };
        let (min, max) = match &slide.range {
            None => (-1, 1000),
            Some((min, max)) => (self.int(min), self.int(max)),
        };
        let bound = (self.get(Iter::To), self.get(Iter::Between));
        let rays = self.game.ray(table);
        let stop = slide.stop.as_ref().map(|stop| self.per_site(Some(stop), Iter::To));
        let go = slide.go.as_ref().map(|go| self.per_site(Some(go), Iter::Between));
        let mut stopped = false;
        for (number, path) in rays.of(from.site).enumerate() {
            self.set(Iter::Between, bound.1);
            for (i, &to) in path.iter().enumerate() {
                let distance = i as i32 + 1;
                if distance > max || stopped {
                    break;
                }
                self.set(Iter::To, i32::from(to));
                let target = usize::from(to);
                // Asked on every site: some conditions leave something bound for later ones.
                if stop.as_ref().is_some_and(|stop| stop.holds(self, to)) && distance >= min {
                    stopped = self.filtered(slide.apply.as_ref())
                        && self.give(leaf, from.site, target, number as i32, out);
                    break;
                }
                self.set(Iter::Between, i32::from(to));
                let goes = match &go {
                    Some(go) => go.holds(self, to),
                    None => self.state.is_empty(target),
                };
                if !goes {
                    break;
                }
                if distance >= min && self.filtered(slide.apply.as_ref()) {
                    stopped = self.give(leaf, from.site, target, number as i32, out);
                }
            }
        }
        self.set(Iter::To, bound.0);
        self.set(Iter::Between, bound.1);
        self.set(Iter::From, from.old);
        stopped
    }

    /// Of a slide, the condition of the effect filters destinations.
    fn filtered(&mut self, apply: Option<&Apply>) -> bool {
        apply.and_then(|a| a.condition.as_ref()).is_none_or(|c| self.test(c))
    }
}

/// The origin of a move, and what was bound before it.
struct Origin {
    site: usize,
    old: i32,
}
