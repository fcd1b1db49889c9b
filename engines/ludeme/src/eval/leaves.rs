//! The generators that give moves themselves: placements, steps, slides, shots, selections, and
//! moves that change something else than a site.

use super::Eval;
use super::visitors::MoveVisitor;
use crate::ir::{
    Apply, Bool, ByPiece, Int, Iter, JumpId, Leaf, LeafKind, Piece, Place, RayId, Slide,
};
use crate::lower::Feature;
use crate::set::Set;

impl Eval<'_> {
    pub(super) fn leaf(&mut self, leaf: &Leaf, out: &mut dyn MoveVisitor) -> bool {
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
            // What chance decides is asked for once, when the action is made.
            LeafKind::SetCount { at, .. } => {
                (self.game.has(Feature::Chance) || self.int(at) >= 0)
                    && self.give_at(leaf, 0, 0, 0, out)
            }
            LeafKind::Hide(hide) => {
                (self.game.has(Feature::Chance) || self.hides_any(hide))
                    && self.give_at(leaf, 0, 0, 0, out)
            }
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
                let some = at >= 0 && (self.game.has(Feature::Chance) || self.int(value) >= 0);
                some && self.give_at(leaf, at as i16, at as i16, 0, out)
            }
            LeafKind::Turn { at, steps, .. } => {
                let Some(site) = self.site(at) else { return false };
                steps.iter().any(|&step| self.give(leaf, site, site, step, out))
            }
            LeafKind::Remember { list, values, unique } => {
                let wanted = self.numbers(values);
                let known = self.state.remembered().get(*list);
                let known = wanted.iter().all(|v| known.is_some_and(|list| list.contains(v)));
                let none = !self.game.has(Feature::Chance) && wanted.is_empty();
                let skip = none || known && self.test(unique);
                !skip && self.give_at(leaf, 0, 0, 0, out)
            }
            LeafKind::Note(_)
            | LeafKind::MoveAgain
            | LeafKind::SetVar { .. }
            | LeafKind::SetCounter(_)
            | LeafKind::SetPlayerValue { .. }
            | LeafKind::SetPending(None)
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
        out: &mut dyn MoveVisitor,
    ) -> bool {
        let Some(from) = self.origin(from, from_condition) else { return false };
        let Some(table) = jumps.of(self.state.what(from.site)) else { return false };
        let game = self.game;
        let old = self.get(Iter::To);
        let stopped = game.jump(table).of(from.site).iter().any(|&to| {
            self.holds_on(condition, Iter::To, to)
                && self.give(leaf, from.site, usize::from(to), 0, out)
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
        out: &mut dyn MoveVisitor,
    ) -> bool {
        let origins = self.place(from);
        let old = (self.get(Iter::From), self.get(Iter::To));
        let mut stopped = false;
        for origin in origins.iter() {
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
            for target in self.place(to).iter() {
                if self.holds_on(condition, Iter::To, target as u16) {
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
        out: &mut dyn MoveVisitor,
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
        out: &mut dyn MoveVisitor,
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
            let sites = self.place(to) & Set::below(self.state.sites());
            stopped = sites.iter().any(|site| {
                self.holds_on(condition, Iter::To, site as u16)
                    && self.give(leaf, site, site, component, out)
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
        out: &mut dyn MoveVisitor,
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

    fn slide(&mut self, leaf: &Leaf, slide: &Slide, out: &mut dyn MoveVisitor) -> bool {
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
                if slide.stop.as_ref().is_some_and(|stop| self.test(stop)) && distance >= min {
                    stopped = self.filtered(slide.apply.as_ref())
                        && self.give(leaf, from.site, target, number as i32, out);
                    break;
                }
                self.set(Iter::Between, i32::from(to));
                let goes = match &slide.go {
                    Some(go) => self.test(go),
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
