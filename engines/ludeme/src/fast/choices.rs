//! Counting the legal moves and taking one of them by number.

use super::conditions::Cond;
use super::rays::SiteRays;
use super::sets::{Maker, SetExpr, Spread, deltas, intersection};
use super::{Cx, order_key};
use crate::eval::Action;
use crate::ir::{
    ByPiece, Int, Iter, Leaf, LeafKind, Moves, Piece, PieceMoves, Place, RayId, Slide,
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
    total: u32,
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
    /// From a site along a path, by its number.
    Path { from: u16, ray: u16, path: &'p [u16] },
    /// On each site of a path.
    Shots { piece: i16, path: &'p [u16] },
    /// Of the list, from here on.
    Listed(usize),
}

impl<'p, const W: usize> Counted<'p, W> {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.groups.clear();
        self.listed.clear();
        self.total = 0;
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
                Kind::Path { from, ray, path } => {
                    let to = path.get(n as usize).copied().unwrap_or(0);
                    between(leaf, i32::from(*from), i32::from(to), *ray as i16)
                }
                Kind::Shots { piece, path } => {
                    on_site(leaf, *piece, path.get(n as usize).map_or(0, |&s| usize::from(s)))
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
                let (pieces, targets) = (jumps.pieces.eval(cx), jumps.targets.eval(cx));
                for (by, sources) in &jumps.deltas {
                    let targets = (pieces & *sources).moved(*by) & targets;
                    out.push(jumps.leaf, targets.len(), Kind::Jumps { by: *by, targets });
                }
            }
            Choice::Slides(slides) => slides.count(cx, out),
            Choice::Shots(shots) => {
                let blocked = !shots.free.eval(cx);
                let from = cx.state.head.last_to as usize;
                let Some(rays) = shots.rays.get(from) else { return };
                for ray in &rays.rays {
                    let kind = Kind::Shots { piece: shots.piece, path: &ray.path };
                    out.push(shots.leaf, rays.free(ray, &blocked) as u32, kind);
                }
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

    /// Whether there is any move.
    pub(super) fn any(&self, cx: &Cx<'_, W>) -> bool {
        match self {
            Choice::Nothing => false,
            Choice::Sites { sites, .. } => !sites.is_empty(cx),
            Choice::Jumps(jumps) => {
                let (pieces, targets) = (jumps.pieces.eval(cx), jumps.targets.eval(cx));
                let reaches = |d: &(i32, Set<W>)| (pieces & d.1).moved(d.0).intersects(&targets);
                jumps.deltas.iter().any(reaches)
            }
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

impl<const W: usize> Slides<W> {
    fn count<'p>(&'p self, cx: &Cx<'_, W>, out: &mut Counted<'p, W>) {
        let go = self.go.eval(cx);
        let stop = self.stop.as_ref().map_or(Set::EMPTY, |s| s.eval(cx));
        let blocked = !go | stop;
        for from in self.pieces.eval(cx).iter() {
            let rays = &self.rays[from];
            for (number, ray) in rays.rays.iter().enumerate() {
                let free = rays.free(ray, &blocked);
                let ends = ray.path.get(free).is_some_and(|&s| stop.contains(usize::from(s)));
                let kind = Kind::Path { from: from as u16, ray: number as u16, path: &ray.path };
                out.push(self.leaf, free as u32 + u32::from(ends), kind);
            }
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
                let everywhere = SetExpr::Const(self.game.board);
                let targets = self.lifted(everywhere, Iter::To, condition.as_ref())?;
                let table = self.game.jump(*jumps);
                let near: Vec<Set<W>> = (0..table.sites()).map(|s| table.near(s)).collect();
                let deltas = deltas(&near).into();
                Some(Choice::Jumps(Box::new(Jumps { leaf: leaf.id, pieces, targets, deltas })))
            }
            LeafKind::Slide(slide) if at_piece(&slide.from) => {
                let pieces = self.lifted(pieces, Iter::From, slide.from_condition.as_ref())?;
                self.slides(leaf, slide, pieces)
            }
            _ => None,
        }
    }

    /// The sites of a set that satisfy a condition, if it can be lifted.
    fn lifted(
        &self,
        sites: SetExpr<W>,
        iter: Iter,
        condition: Option<&crate::ir::Bool>,
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
