//! Counting the legal moves and taking one of them by number.

use super::conditions::Cond;
use super::pairs::{self, Apart, Ends};
use super::rays::SiteRays;
use super::sets::{Maker, SetExpr, Spread, deltas, intersection};
use super::{Cx, order_key};
use crate::eval::Action;
use crate::ir::{
    Bool, ByPiece, Int, Iter, Leaf, LeafKind, Moves, Piece, PieceMoves, Place, RayId, Slide,
};
use crate::set::Set;
use crate::state::EMPTY;

/// Where moves come from.
pub(super) enum Choice<const W: usize> {
    Nothing,
    /// One move for every site of a set.
    Sites {
        leaf: u16,
        piece: i16,
        sites: SetExpr<W>,
    },
    /// Pieces of a set move by fixed differences to sites of another.
    Jumps(Box<Jumps<W>>),
    /// Pieces of a set move along paths, over some sites and at most onto the first other one.
    Slides(Box<Slides<W>>),
    /// One move for every site of the paths from the last destination, up to the first that is not
    /// free.
    Shots(Box<Shots<W>>),
    /// From every site of a set to every site of another, which may depend on the first.
    Pairs {
        leaf: u16,
        from: SetExpr<W>,
        to: SetExpr<W>,
    },
    All(Box<[Choice<W>]>),
    If(Box<(Cond<W>, Choice<W>, Choice<W>)>),
    /// Anything else: listed as the reference does.
    Listed(Box<Moves>),
}

/// Moves by fixed differences of site numbers.
pub(super) struct Jumps<const W: usize> {
    leaf: u16,
    pieces: SetExpr<W>,
    targets: SetExpr<W>,
    /// Each difference with the sites that it leads on from.
    deltas: Box<[(i32, Set<W>)]>,
    /// What must stand on a third site of each move.
    third: Option<Third<W>>,
}

/// A set for a site that follows from the ends of a move.
pub(super) struct Third<const W: usize> {
    sites: SetExpr<W>,
    /// In the order of the differences.
    apart: Box<[Apart<W>]>,
}

/// Moves along paths.
pub(super) struct Slides<const W: usize> {
    leaf: u16,
    pieces: SetExpr<W>,
    /// Sites that can be passed and ended on.
    go: SetExpr<W>,
    /// Sites that end a path, themselves included.
    stop: Option<SetExpr<W>>,
    rays: Box<[SiteRays<W>]>,
    first: Spread<W>,
}

/// Pieces placed along paths.
pub(super) struct Shots<const W: usize> {
    leaf: u16,
    piece: i16,
    free: SetExpr<W>,
    rays: Box<[SiteRays<W>]>,
    first: Box<[Set<W>]>,
}

/// Counted moves, to take one of them.
#[derive(Default)]
pub(super) struct Counted<'p, const W: usize> {
    groups: Vec<Group<'p, W>>,
    /// Moves listed one by one.
    listed: Vec<Action>,
    /// Sites that block paths, and those of them that can be ended on.
    fields: Vec<(Set<W>, Set<W>)>,
    total: u32,
    /// The phase and the mover that these are the moves of, where they were counted ahead.
    pub(super) ahead: Option<(u8, u8)>,
}

/// Some moves in a row.
struct Group<'p, const W: usize> {
    count: u32,
    leaf: u16,
    kind: Kind<'p, W>,
}

enum Kind<'p, const W: usize> {
    /// To each of these sites, from the site itself.
    Sites { piece: i16, sites: Set<W> },
    /// To each of these sites, from the site at a fixed difference.
    Jumps { by: i32, targets: Set<W> },
    /// From a site to each of these.
    From { from: u16, to: Set<W> },
    /// From a site along its paths, with the number of the field.
    Paths { from: u16, rays: &'p SiteRays<W>, field: usize },
    /// On each free site of some paths.
    Shots { piece: i16, rays: &'p SiteRays<W>, field: usize },
    /// Of the list, from here on.
    Listed(usize),
}

impl<'p, const W: usize> Counted<'p, W> {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.groups.clear();
        self.listed.clear();
        self.fields.clear();
        self.total = 0;
        self.ahead = None;
    }

    /// How many moves there are.
    pub(super) fn total(&self) -> u32 {
        self.total
    }

    #[inline(always)]
    fn push(&mut self, leaf: u16, count: u32, kind: Kind<'p, W>) {
        if count > 0 {
            self.total += count;
            self.groups.push(Group { count, leaf, kind });
        }
    }

    /// The move with so many before it.
    #[inline]
    pub(super) fn take(&self, mut n: u32) -> Action {
        for group in &self.groups {
            if n >= group.count {
                n -= group.count;
                continue;
            }
            let leaf = group.leaf;
            return match &group.kind {
                Kind::Sites { piece, sites } => on_site(leaf, *piece, sites.nth(n)),
                Kind::Jumps { by, targets } => {
                    let to = targets.nth(n) as i32;
                    between(leaf, to - by, to, 0)
                }
                Kind::From { from, to } => between(leaf, i32::from(*from), to.nth(n) as i32, 0),
                Kind::Paths { from, rays, field } => {
                    let (ray, to) = rays.nth(n, &self.fields[*field]);
                    between(leaf, i32::from(*from), i32::from(to), ray as i16)
                }
                Kind::Shots { piece, rays, field } => {
                    on_site(leaf, *piece, usize::from(rays.nth(n, &self.fields[*field]).1))
                }
                Kind::Listed(at) => {
                    self.listed.get(at + n as usize).copied().unwrap_or(Action::PASS)
                }
            };
        }
        Action::PASS
    }
}

/// A move that stays on one site.
#[inline(always)]
pub(super) fn on_site(leaf: u16, piece: i16, site: usize) -> Action {
    Action { leaf, from: site as i16, to: site as i16, piece, bound: [-1; 3] }
}

#[inline(always)]
fn between(leaf: u16, from: i32, to: i32, piece: i16) -> Action {
    Action { leaf, from: from as i16, to: to as i16, piece, bound: [-1; 3] }
}

impl<const W: usize> Choice<W> {
    /// Counts the moves.
    pub(super) fn count<'p>(&'p self, cx: &Cx<'_, W>, out: &mut Counted<'p, W>) {
        match self {
            Choice::Nothing => {}
            Choice::Sites { leaf, piece, sites } => {
                let sites = sites.eval(cx);
                out.push(*leaf, sites.len(), Kind::Sites { piece: *piece, sites });
            }
            Choice::Jumps(jumps) => {
                jumps.each(cx, |by, targets| {
                    out.push(jumps.leaf, targets.len(), Kind::Jumps { by, targets });
                    false
                });
            }
            Choice::Slides(slides) => slides.count(cx, out),
            Choice::Shots(shots) => {
                let from = cx.state.head.last_to as usize;
                let Some(rays) = shots.rays.get(from) else { return };
                let field = out.fields.len();
                out.fields.push((!shots.free.eval(cx), Set::EMPTY));
                let kind = Kind::Shots { piece: shots.piece, rays, field };
                out.push(shots.leaf, rays.count(&out.fields[field]), kind);
            }
            Choice::Pairs { leaf, from, to } => {
                for origin in from.eval(cx).iter() {
                    let to = to.eval(&cx.from_site(origin));
                    out.push(*leaf, to.len(), Kind::From { from: origin as u16, to });
                }
            }
            Choice::All(list) => list.iter().for_each(|choice| choice.count(cx, out)),
            Choice::If(parts) => {
                if parts.0.holds(cx) {
                    parts.1.count(cx, out);
                } else {
                    parts.2.count(cx, out);
                }
            }
            Choice::Listed(moves) => {
                let start = out.listed.len();
                cx.view.plain(cx).generate(moves, &mut out.listed);
                if cx.game.ordered {
                    out.listed[start..].sort_by_key(|a| order_key(cx.game, a));
                }
                let count = (out.listed.len() - start) as u32;
                out.push(0, count, Kind::Listed(start));
            }
        }
    }

    /// Whether the moves counted at the end of the turn before are those of the turn itself: they
    /// depend on what stands on the sites, whose turn it is and who moved last.
    pub(super) fn can_be_counted_ahead(&self) -> bool {
        match self {
            Choice::Nothing => true,
            Choice::Jumps(jumps) => {
                let third = jumps.third.as_ref();
                jumps.pieces.is_of_sets()
                    && jumps.targets.is_of_sets()
                    && third.is_none_or(|third| third.sites.is_of_sets())
            }
            Choice::Slides(slides) => {
                slides.pieces.is_of_sets()
                    && slides.go.is_of_sets()
                    && slides.stop.as_ref().is_none_or(SetExpr::is_of_sets)
            }
            Choice::Shots(shots) => shots.free.is_of_sets(),
            Choice::All(list) => list.iter().all(Choice::can_be_counted_ahead),
            Choice::If(parts) => {
                parts.0.can_be_tested_ahead()
                    && parts.1.can_be_counted_ahead()
                    && parts.2.can_be_counted_ahead()
            }
            // A set of sites is counted so quickly that nothing would be gained.
            Choice::Sites { .. } | Choice::Pairs { .. } | Choice::Listed(_) => false,
        }
    }

    /// Whether there is any move.
    pub(super) fn any(&self, cx: &Cx<'_, W>) -> bool {
        match self {
            Choice::Nothing => false,
            Choice::Sites { sites, .. } => !sites.is_empty(cx),
            Choice::Jumps(jumps) => jumps.each(cx, |_, targets| !targets.is_empty()),
            Choice::Slides(slides) => {
                let mut ends = slides.go.eval(cx);
                if let Some(stop) = &slides.stop {
                    ends |= stop.eval(cx);
                }
                slides.first.of(&slides.pieces.eval(cx)).intersects(&ends)
            }
            Choice::Shots(shots) => {
                let from = cx.state.head.last_to as usize;
                let first = shots.first.get(from).copied().unwrap_or_default();
                first.intersects(&shots.free.eval(cx))
            }
            Choice::Pairs { from, to, .. } => {
                from.eval(cx).iter().any(|origin| !to.is_empty(&cx.from_site(origin)))
            }
            Choice::All(list) => list.iter().any(|choice| choice.any(cx)),
            Choice::If(parts) => {
                if parts.0.holds(cx) {
                    parts.1.any(cx)
                } else {
                    parts.2.any(cx)
                }
            }
            Choice::Listed(moves) => cx.view.plain(cx).any_move(moves),
        }
    }
}

impl<const W: usize> Jumps<W> {
    /// Hands out the targets of each difference; true if the function stops it.
    #[inline(always)]
    fn each(&self, cx: &Cx<'_, W>, mut with: impl FnMut(i32, Set<W>) -> bool) -> bool {
        let (pieces, targets) = (self.pieces.eval(cx), self.targets.eval(cx));
        let Some(third) = &self.third else {
            return self
                .deltas
                .iter()
                .any(|(by, sources)| with(*by, (pieces & *sources).moved(*by) & targets));
        };
        let sites = third.sites.eval(cx);
        self.deltas.iter().zip(&third.apart).any(|((by, _), parts)| {
            let from = parts.iter().fold(Set::EMPTY, |all, (sources, off)| {
                all | (pieces & *sources & sites.moved(-off))
            });
            with(*by, from.moved(*by) & targets)
        })
    }
}

impl<const W: usize> Slides<W> {
    fn count<'p>(&'p self, cx: &Cx<'_, W>, out: &mut Counted<'p, W>) {
        let go = self.go.eval(cx);
        let stop = self.stop.as_ref().map_or(Set::EMPTY, |s| s.eval(cx));
        let field = out.fields.len();
        out.fields.push((!go | stop, stop));
        for from in self.pieces.eval(cx).iter() {
            let rays = &self.rays[from];
            let count = rays.count(&out.fields[field]);
            out.push(self.leaf, count, Kind::Paths { from: from as u16, rays, field });
        }
    }
}

impl<const W: usize> Cx<'_, W> {
    fn from_site(&self, site: usize) -> Self {
        let mut cx = *self;
        cx.view.from = site as u16;
        cx
    }
}

impl<const W: usize> Maker<'_, W> {
    /// The way to count the moves of a generator.
    pub(super) fn choice(&self, moves: &Moves) -> Choice<W> {
        self.known_choice(moves).unwrap_or_else(|| Choice::Listed(Box::new(moves.clone())))
    }

    fn known_choice(&self, moves: &Moves) -> Option<Choice<W>> {
        match moves {
            Moves::None => Some(Choice::Nothing),
            Moves::Leaf(leaf) => self.leaf_choice(leaf),
            Moves::All(list) => Some(Choice::All(list.iter().map(|m| self.choice(m)).collect())),
            Moves::If(parts) => Some(Choice::If(Box::new((
                self.condition(&parts.0),
                self.choice(&parts.1),
                self.choice(&parts.2),
            )))),
            Moves::ForEachPiece { who, list } => {
                let own = match who {
                    Some(Int::Mover) => true,
                    Some(Int::Const(n)) => *n == i32::from(self.mover),
                    _ => false,
                };
                if !own || self.game.stacking() {
                    return None;
                }
                let entries = list.iter().filter(|e| e.owner == self.mover);
                let choices = entries.map(|entry| {
                    self.piece_choice(entry, &entry.moves).unwrap_or_else(|| {
                        let list = Box::new([entry.clone()]);
                        let moves = Moves::ForEachPiece { who: who.clone(), list };
                        Choice::Listed(Box::new(moves))
                    })
                });
                Some(Choice::All(choices.collect()))
            }
            _ => None,
        }
    }

    /// Moves that start at the pieces of one component.
    fn piece_choice(&self, entry: &PieceMoves, moves: &Moves) -> Option<Choice<W>> {
        let leaf = match moves {
            Moves::None => return Some(Choice::Nothing),
            Moves::Leaf(leaf) => leaf,
            Moves::All(list) => {
                let choices = list.iter().map(|m| self.piece_choice(entry, m));
                return Some(Choice::All(choices.collect::<Option<_>>()?));
            }
            _ => return None,
        };
        let set = usize::from(self.game.layout.piece_set[usize::from(entry.component)]);
        let within = SetExpr::Const(self.game.set(entry.within));
        let pieces = if self.game.world.containers.len() == 1 {
            SetExpr::Load(set)
        } else {
            intersection(vec![SetExpr::Load(set), within])
        };
        let at_piece = |from: &Int| *from == Int::Iter(Iter::From);
        match &leaf.kind {
            LeafKind::Jump {
                jumps: ByPiece::Same(jumps), from, from_condition, condition, ..
            } if at_piece(from) => {
                let pieces = self.lifted(pieces, Iter::From, from_condition.as_ref())?;
                let table = self.game.jump(*jumps);
                let (targets, third) = self.targets(table, condition.as_ref())?;
                let near: Vec<Set<W>> = (0..table.sites()).map(|s| table.near(s)).collect();
                let deltas = deltas(&near).into();
                let jumps = Jumps { leaf: leaf.id, pieces, targets, deltas, third };
                Some(Choice::Jumps(Box::new(jumps)))
            }
            LeafKind::Slide(slide) if at_piece(&slide.from) => {
                let pieces = self.lifted(pieces, Iter::From, slide.from_condition.as_ref())?;
                self.slides(leaf, slide, pieces)
            }
            _ => None,
        }
    }

    /// The destinations that satisfy a condition on them, and what it asks of a site that follows
    /// from both ends.
    fn targets(
        &self,
        table: &crate::game::Jumps<W>,
        condition: Option<&Bool>,
    ) -> Option<(SetExpr<W>, Option<Third<W>>)> {
        let parts = match condition {
            None => &[],
            Some(Bool::And(list)) => &list[..],
            Some(one) => std::slice::from_ref(one),
        };
        let (mut targets, mut sites, mut third) = (Vec::new(), Vec::new(), None);
        for part in parts {
            if let Some(lifted) = self.lift(part, Iter::To) {
                targets.push(lifted);
                continue;
            }
            let site = pairs::asked(part).filter(|site| Ends::BEFORE.tell(site))?;
            if third.is_some_and(|other| other != site) {
                return None;
            }
            third = Some(site);
            sites.push(self.lift_on(part, site)?);
        }
        if targets.is_empty() {
            targets.push(SetExpr::Const(self.game.board));
        }
        let third = match third {
            None => None,
            Some(site) => {
                let apart = pairs::apart(self.game, table, site)?;
                let apart = apart.into_iter().map(|(_, parts)| parts).collect();
                Some(Third { sites: intersection(sites), apart })
            }
        };
        Some((intersection(targets), third))
    }

    /// The sites of a set that satisfy a condition, if it can be lifted.
    fn lifted(
        &self,
        sites: SetExpr<W>,
        iter: Iter,
        condition: Option<&Bool>,
    ) -> Option<SetExpr<W>> {
        Some(match condition {
            None => sites,
            Some(condition) => match self.lift(condition, iter)? {
                // All targets are on the board anyway.
                lifted if iter == Iter::To => lifted,
                lifted => intersection(vec![sites, lifted]),
            },
        })
    }

    fn slides(&self, leaf: &Leaf, slide: &Slide, pieces: SetExpr<W>) -> Option<Choice<W>> {
        let filtered = slide.apply.as_ref().is_some_and(|a| a.condition.is_some());
        let ByPiece::Same(rays) = slide.rays else { return None };
        if filtered || slide.range.is_some() {
            return None;
        }
        let go = match &slide.go {
            None => SetExpr::Load(EMPTY),
            Some(condition) => self.lift(condition, Iter::Between)?,
        };
        let stop = match &slide.stop {
            None => None,
            Some(condition) => Some(self.lift(condition, Iter::To)?),
        };
        let first = Spread::new(self.first_steps(rays));
        let rays = self.site_rays(rays);
        Some(Choice::Slides(Box::new(Slides { leaf: leaf.id, pieces, go, stop, rays, first })))
    }

    fn site_rays(&self, rays: RayId) -> Box<[SiteRays<W>]> {
        SiteRays::of(self.game.ray(rays))
    }

    /// The component of a piece, where it does not depend on the state.
    fn fixed_piece(&self, piece: &Piece) -> Option<i16> {
        let component = match piece {
            Piece::Fixed(component) => i16::try_from(*component).ok()?,
            Piece::Computed(Int::Mover) => i16::from(self.mover),
            Piece::Computed(_) => return None,
        };
        let known = (1..self.game.layout.owner.len() as i16).contains(&component);
        known.then_some(component)
    }

    /// Moves of a generator by itself.
    fn leaf_choice(&self, leaf: &Leaf) -> Option<Choice<W>> {
        match &leaf.kind {
            LeafKind::Add { pieces, to, condition, count: Int::Const(1..), .. } => {
                let ([piece], Place::Region(region)) = (&pieces[..], &**to) else { return None };
                let piece = self.fixed_piece(piece)?;
                let sites = self.filtered(self.region(region), Iter::To, condition.as_ref());
                Some(Choice::Sites { leaf: leaf.id, piece, sites })
            }
            LeafKind::Select { from, from_condition, to: None, .. } => {
                let Place::Region(region) = &**from else { return None };
                let region = self.region(region);
                let sites = self.lifted(region, Iter::From, from_condition.as_ref())?;
                Some(Choice::Sites { leaf: leaf.id, piece: 0, sites })
            }
            LeafKind::Shoot { piece, from: Int::LastTo, rays, condition } => {
                let free = match condition {
                    None => SetExpr::Load(EMPTY),
                    Some(condition) => self.lift(condition, Iter::To)?,
                };
                let first = self.first_steps(*rays).into();
                Some(Choice::Shots(Box::new(Shots {
                    leaf: leaf.id,
                    piece: self.fixed_piece(piece)?,
                    free,
                    rays: self.site_rays(*rays),
                    first,
                })))
            }
            LeafKind::FromTo { from, from_condition, to, condition, .. } => {
                let (Place::Region(from), Place::Region(to)) = (&**from, &**to) else {
                    return None;
                };
                let occupied = SetExpr::Not(Box::new(SetExpr::Load(EMPTY)));
                let from = intersection(vec![self.region(from), occupied]);
                let from = self.lifted(from, Iter::From, from_condition.as_ref())?;
                let to = self.filtered(self.region(to), Iter::To, condition.as_ref());
                Some(Choice::Pairs { leaf: leaf.id, from, to })
            }
            _ => None,
        }
    }
}
