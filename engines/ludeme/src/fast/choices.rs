//! Counting the legal moves and taking one of them by number.

use play::Rng;
use smallvec::SmallVec;

use super::conditions::Cond;
use super::pairs::Apart;
use super::rays::SiteRays;
use super::sets::{SetExpr, Spread};
use super::trials::After;
use super::{Cx, order_key};
use crate::buffer::Buffer;
use crate::eval::Action;
use crate::ir::{Layer, Moves};
use crate::set::Set;

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
    /// Pieces of a set turn by one of some steps.
    Turns {
        leaf: u16,
        pieces: SetExpr<W>,
        steps: Box<[i32]>,
    },
    /// For every piece of a set what goes with its local state or how it has been turned; the last
    /// entry is for all others. Their pieces are [`SetExpr::Origin`].
    ByLayer(Box<ByLayer<W>>),
    All(Box<[Choice<W>]>),
    /// Those of pieces of a set: none if it is empty.
    Of(Box<(SetExpr<W>, Choice<W>)>),
    If(Box<(Cond<W>, Choice<W>, Choice<W>)>),
    /// Those of the first that has any.
    Priority(Box<[Choice<W>]>),
    /// Those after which something holds.
    After(Box<(Choice<W>, After<W>)>),
    /// Anything else: listed as the reference does.
    Listed(Box<Moves>),
}

/// Moves by fixed differences of site numbers.
#[derive(Clone, PartialEq)]
pub(super) struct Jumps<const W: usize> {
    pub(super) leaf: u16,
    pub(super) pieces: SetExpr<W>,
    pub(super) targets: SetExpr<W>,
    /// Each difference with the sites that it leads on from.
    pub(super) deltas: Box<[(i32, Set<W>)]>,
    /// What must stand on a third site of each move.
    pub(super) third: Option<Third<W>>,
}

/// A set for a site that follows from the ends of a move.
#[derive(Clone, PartialEq)]
pub(super) struct Third<const W: usize> {
    pub(super) sites: SetExpr<W>,
    /// In the order of the differences.
    pub(super) apart: Box<[Apart<W>]>,
}

/// Moves that depend on a number kept for each piece.
pub(super) struct ByLayer<const W: usize> {
    pub(super) pieces: SetExpr<W>,
    pub(super) layer: Layer,
    pub(super) cases: Box<[(i32, Choice<W>)]>,
    pub(super) others: Choice<W>,
}

/// Moves along paths.
pub(super) struct Slides<const W: usize> {
    pub(super) leaf: u16,
    pub(super) pieces: SetExpr<W>,
    /// Sites that can be passed and ended on.
    pub(super) go: SetExpr<W>,
    /// Sites that end a path, themselves included.
    pub(super) stop: Option<SetExpr<W>>,
    pub(super) rays: Box<[SiteRays<W>]>,
    pub(super) first: Spread<W>,
    /// Fewest and most sites gone.
    pub(super) range: (usize, usize),
}

/// Pieces placed along paths.
pub(super) struct Shots<const W: usize> {
    pub(super) leaf: u16,
    pub(super) piece: i16,
    pub(super) free: SetExpr<W>,
    pub(super) rays: Box<[SiteRays<W>]>,
    pub(super) first: Box<[Set<W>]>,
}

/// Counted moves, to take one of them.
#[derive(Default)]
pub(super) struct Counted<'p, const W: usize> {
    groups: SmallVec<[Group<'p, W>; 2]>,
    /// Moves listed one by one.
    listed: Buffer<Action>,
    /// Sites that block paths, and those of them that can be ended on.
    fields: Vec<(Set<W>, Set<W>)>,
    total: u32,
    /// Whether some of them have to be tried.
    pub(super) tested: bool,
    /// The phase and the mover that these are the moves of, where they were counted ahead.
    pub(super) ahead: Option<(u8, u8)>,
}

/// Some moves in a row.
struct Group<'p, const W: usize> {
    count: u32,
    leaf: u16,
    kind: Kind<'p, W>,
    /// What must hold afterwards.
    test: Option<&'p After<W>>,
}

enum Kind<'p, const W: usize> {
    /// To each of these sites, from the site itself.
    Sites { piece: i16, sites: Set<W> },
    /// To each of these sites, from the site at a fixed difference.
    Jumps { by: i32, targets: Set<W> },
    /// Each of these turns by each of some steps.
    Turns { pieces: Set<W>, steps: &'p [i32] },
    /// From a site to each of these.
    From { from: u16, to: Set<W> },
    /// From a site along its paths, with the number of the field.
    Paths { from: u16, rays: &'p SiteRays<W>, field: usize, fewest: usize },
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
        self.tested = false;
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
            self.groups.push(Group { count, leaf, kind, test: None });
        }
    }

    /// Takes these moves instead of what was counted.
    pub(super) fn list(&mut self, all: impl FnOnce(&mut Vec<Action>)) {
        self.clear();
        self.listed.ready();
        all(&mut self.listed);
        self.push(0, self.listed.len() as u32, Kind::Listed(0));
    }

    /// One of these moves.
    pub(super) fn draw_listed(
        &mut self,
        rng: &mut Rng,
        all: impl FnOnce(&mut Vec<Action>),
    ) -> Action {
        self.list(all);
        self.ahead = None;
        self.take(rng.below(self.total))
    }

    /// The move with so many before it.
    #[inline]
    pub(super) fn take(&self, n: u32) -> Action {
        self.with_test(n).0
    }

    /// The move with so many before it, and what must hold after it.
    #[inline]
    pub(super) fn with_test(&self, mut n: u32) -> (Action, Option<&'p After<W>>) {
        for group in &self.groups {
            if n >= group.count {
                n -= group.count;
                continue;
            }
            return (self.of_group(group, n), group.test);
        }
        (Action::PASS, None)
    }

    #[inline]
    fn of_group(&self, group: &Group<'p, W>, n: u32) -> Action {
        let leaf = group.leaf;
        match &group.kind {
            Kind::Sites { piece, sites } => on_site(leaf, *piece, sites.nth(n)),
            Kind::Jumps { by, targets } => {
                let to = targets.nth(n) as i32;
                between(leaf, to - by, to, 0)
            }
            Kind::Turns { pieces, steps } => {
                let by = steps.len() as u32;
                on_site(leaf, steps[(n % by) as usize] as i16, pieces.nth(n / by))
            }
            Kind::From { from, to } => between(leaf, i32::from(*from), to.nth(n) as i32, 0),
            Kind::Paths { from, rays, field, fewest } => {
                let (ray, to) = rays.nth(n, &self.fields[*field], *fewest);
                between(leaf, i32::from(*from), i32::from(to), ray as i16)
            }
            Kind::Shots { piece, rays, field } => {
                on_site(leaf, *piece, usize::from(rays.nth(n, &self.fields[*field], 1).1))
            }
            Kind::Listed(at) => self.listed.get(at + n as usize).copied().unwrap_or(Action::PASS),
        }
    }

    /// Whether two of some pairs of generators give a move between the same sites, as far as one can
    /// see without a list.
    pub(super) fn may_clash(&self, pairs: &[(u16, u16)]) -> bool {
        let jumps = |group: &Group<'p, W>| match group.kind {
            Kind::Jumps { by, targets } => Some((by, targets)),
            _ => None,
        };
        pairs.iter().any(|&(a, b)| {
            let of = |leaf: u16| self.groups.iter().filter(move |group| group.leaf == leaf);
            of(b).any(|second| {
                of(a).any(|first| match (jumps(first), jumps(second)) {
                    (Some((by, these)), Some((other, those))) => {
                        by == other && these.intersects(&those)
                    }
                    _ => true,
                })
            })
        }) || !pairs.is_empty() && self.groups.iter().any(|g| matches!(g.kind, Kind::Listed(_)))
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
                out.push(shots.leaf, rays.count(&out.fields[field], 1), kind);
            }
            Choice::Pairs { leaf, from, to } => {
                for origin in from.eval(cx).iter() {
                    let to = to.eval(&cx.from_site(origin));
                    out.push(*leaf, to.len(), Kind::From { from: origin as u16, to });
                }
            }
            Choice::Turns { leaf, pieces, steps } => {
                let pieces = pieces.eval(cx);
                out.push(*leaf, pieces.len() * steps.len() as u32, Kind::Turns { pieces, steps });
            }
            Choice::ByLayer(by) => {
                for site in by.pieces.eval(cx).iter() {
                    by.case(cx, site).count(&cx.from_site(site), out);
                }
            }
            Choice::All(list) => list.iter().for_each(|choice| choice.count(cx, out)),
            Choice::Of(parts) => {
                if !parts.0.is_empty(cx) {
                    parts.1.count(cx, out);
                }
            }
            Choice::If(parts) => {
                if parts.0.holds(cx) {
                    parts.1.count(cx, out);
                } else {
                    parts.2.count(cx, out);
                }
            }
            Choice::Priority(list) => {
                let before = out.total;
                for choice in list {
                    choice.count(cx, out);
                    if out.total > before {
                        break;
                    }
                }
            }
            Choice::After(parts) => {
                let start = out.groups.len();
                parts.0.count(cx, out);
                for group in &mut out.groups[start..] {
                    group.test = Some(&parts.1);
                    out.tested = true;
                }
            }
            Choice::Listed(moves) => {
                let start = out.listed.len();
                out.listed.ready();
                cx.view.plain(cx).generate(moves, &mut *out.listed);
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
            Choice::Jumps(jumps) => jumps.is_settled(),
            Choice::Slides(slides) => {
                slides.pieces.is_settled()
                    && slides.go.is_settled()
                    && slides.stop.as_ref().is_none_or(SetExpr::is_settled)
            }
            Choice::Shots(shots) => shots.free.is_settled(),
            Choice::Turns { pieces, .. } => pieces.is_settled(),
            Choice::ByLayer(by) => {
                by.pieces.is_settled()
                    && by.cases.iter().all(|case| case.1.can_be_counted_ahead())
                    && by.others.can_be_counted_ahead()
            }
            Choice::All(list) | Choice::Priority(list) => {
                list.iter().all(Choice::can_be_counted_ahead)
            }
            Choice::Of(parts) => parts.1.can_be_counted_ahead(),
            // What holds afterwards is asked when one of them is drawn.
            Choice::After(parts) => parts.0.can_be_counted_ahead(),
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
            Choice::Jumps(jumps) => jumps.any(cx),
            Choice::Slides(slides) if slides.range.0 > 1 => slides.any(cx),
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
            Choice::All(list) | Choice::Priority(list) => list.iter().any(|choice| choice.any(cx)),
            Choice::Turns { pieces, steps, .. } => !steps.is_empty() && !pieces.is_empty(cx),
            Choice::ByLayer(by) => {
                by.pieces.eval(cx).iter().any(|site| by.case(cx, site).any(&cx.from_site(site)))
            }
            Choice::Of(parts) => !parts.0.is_empty(cx) && parts.1.any(cx),
            Choice::After(_) => {
                let mut counted = Counted::default();
                self.count(cx, &mut counted);
                counted.any_allowed(cx)
            }
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

impl<const W: usize> Choice<W> {
    /// Whether some of the moves have to be tried.
    pub(super) fn is_tested(&self) -> bool {
        matches!(self, Choice::After(_)) || self.parts().any(Choice::is_tested)
    }

    /// Whether some of the moves are counted piece by piece, whatever their generators.
    pub(super) fn is_by_piece(&self) -> bool {
        matches!(self, Choice::ByLayer(_)) || self.parts().any(Choice::is_by_piece)
    }

    /// Whether all of the moves are listed one by one.
    pub(super) fn is_listed(&self) -> bool {
        match self {
            Choice::Listed(_) | Choice::Nothing => true,
            _ => self.parts().next().is_some() && self.parts().all(Choice::is_listed),
        }
    }

    /// What it is made of.
    fn parts(&self) -> impl Iterator<Item = &Choice<W>> {
        let (list, others): (&[Choice<W>], [Option<&Choice<W>>; 2]) = match self {
            Choice::All(list) | Choice::Priority(list) => (list, [None; 2]),
            Choice::If(parts) => (&[], [Some(&parts.1), Some(&parts.2)]),
            Choice::Of(parts) => (&[], [Some(&parts.1), None]),
            Choice::After(parts) => (&[], [Some(&parts.0), None]),
            Choice::ByLayer(by) => (&[], [Some(&by.others), None]),
            Choice::Nothing
            | Choice::Sites { .. }
            | Choice::Jumps(_)
            | Choice::Slides(_)
            | Choice::Shots(_)
            | Choice::Pairs { .. }
            | Choice::Turns { .. }
            | Choice::Listed(_) => (&[], [None; 2]),
        };
        let cases = match self {
            Choice::ByLayer(by) => &by.cases[..],
            _ => &[],
        };
        list.iter().chain(others.into_iter().flatten()).chain(cases.iter().map(|case| &case.1))
    }
}

impl<const W: usize> Jumps<W> {
    /// Whether there is any move.
    pub(super) fn any(&self, cx: &Cx<'_, W>) -> bool {
        self.each(cx, |_, targets| !targets.is_empty())
    }

    /// Whether the moves are the same at the end of the turn before.
    pub(super) fn is_settled(&self) -> bool {
        self.pieces.is_settled()
            && self.targets.is_settled()
            && self.third.as_ref().is_none_or(|third| third.sites.is_settled())
    }

    /// Hands out the targets of each difference; true if the function stops it.
    #[inline(always)]
    fn each(&self, cx: &Cx<'_, W>, mut with: impl FnMut(i32, Set<W>) -> bool) -> bool {
        let pieces = self.pieces.eval(cx);
        if pieces.is_empty() {
            return false;
        }
        let targets = self.targets.eval(cx);
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

impl<const W: usize> ByLayer<W> {
    /// What goes with the number of a piece.
    #[inline]
    fn case(&self, cx: &Cx<'_, W>, site: usize) -> &Choice<W> {
        let extra = cx.state.extra(site, None);
        let number = match self.layer {
            Layer::Rotation => extra.rotation,
            _ => extra.state,
        };
        let case = self.cases.iter().find(|case| case.0 == number);
        case.map_or(&self.others, |case| &case.1)
    }
}

impl<const W: usize> Slides<W> {
    /// Whether there is any move, however far it has to go.
    fn any(&self, cx: &Cx<'_, W>) -> bool {
        let stop = self.stop.as_ref().map_or(Set::EMPTY, |s| s.eval(cx));
        let field = (!self.go.eval(cx) | stop, stop);
        self.pieces.eval(cx).iter().any(|from| self.rays[from].count(&field, self.range.0) > 0)
    }

    fn count<'p>(&'p self, cx: &Cx<'_, W>, out: &mut Counted<'p, W>) {
        let pieces = self.pieces.eval(cx);
        if pieces.is_empty() {
            return;
        }
        let go = self.go.eval(cx);
        let stop = self.stop.as_ref().map_or(Set::EMPTY, |s| s.eval(cx));
        let field = out.fields.len();
        out.fields.push((!go | stop, stop));
        let fewest = self.range.0;
        for from in pieces.iter() {
            let rays = &self.rays[from];
            let count = rays.count(&out.fields[field], fewest);
            out.push(self.leaf, count, Kind::Paths { from: from as u16, rays, field, fewest });
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
