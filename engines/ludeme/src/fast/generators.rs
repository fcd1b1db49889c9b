//! The way to count the moves of a generator, by its form.

use super::choices::{ByLayer, Choice, Jumps, Shots, Slides, Third};
use super::lift::Maker;
use super::pairs::{self, Ends};
use super::rays::SiteRays;
use super::sets::{SetExpr, Spread, deltas, difference, intersection};
use crate::ir::{
    Bool, ByPiece, Compare, Int, Iter, Layer, Leaf, LeafKind, Moves, Piece, PieceMoves, Place,
    RayId, Slide,
};
use crate::set::Set;
use crate::state::EMPTY;

/// Plain tests that are made one after the other of the pieces that move in some way.
const MAX_FILTERS: u32 = 2;

impl<const W: usize> Maker<'_, W> {
    /// The way to count the moves of a generator.
    pub(super) fn choice(&self, moves: &Moves) -> Choice<W> {
        self.known_choice(moves).unwrap_or_else(|| self.listed(moves.clone()))
    }

    /// The way to count moves that have no form.
    fn listed(&self, moves: Moves) -> Choice<W> {
        let pass = matches!(&moves, Moves::Leaf(leaf) if matches!(leaf.kind, LeafKind::Pass));
        self.left.set(self.left.get() || !pass);
        Choice::Listed(Box::new(moves))
    }

    pub(super) fn known_choice(&self, moves: &Moves) -> Option<Choice<W>> {
        match moves {
            Moves::Priority(list) => {
                let list: Box<[Choice<W>]> = list.iter().map(|m| self.choice(m)).collect();
                // Whether the first has any is not known without trying them.
                let tried = list.iter().any(Choice::is_tested);
                (!tried).then_some(Choice::Priority(list))
            }
            Moves::IfAfterwards(parts) => {
                let choice = self.choice(&parts.0);
                let after = self.after(&parts.1)?;
                (!choice.is_tested()).then(|| Choice::After(Box::new((choice, after))))
            }
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
                    let pieces = self.pieces_of(entry);
                    self.piece_choice(pieces, &entry.moves).unwrap_or_else(|| {
                        let list = Box::new([entry.clone()]);
                        let moves = Moves::ForEachPiece { who: who.clone(), list };
                        self.listed(moves)
                    })
                });
                Some(Choice::All(choices.collect()))
            }
            _ => None,
        }
    }

    /// The pieces of one component.
    pub(super) fn pieces_of(&self, entry: &PieceMoves) -> SetExpr<W> {
        let set = usize::from(self.game.layout.piece_set[usize::from(entry.component)]);
        self.among(SetExpr::Load(set), self.game.set(entry.within))
    }

    /// The pieces for which a condition holds, and the others.
    pub(super) fn divided(
        &self,
        pieces: &SetExpr<W>,
        condition: &Bool,
    ) -> (SetExpr<W>, SetExpr<W>) {
        let yes = match self.lift(condition, Iter::From) {
            Some(lifted) => intersection(vec![pieces.clone(), lifted]),
            None => self.filter(pieces.clone(), Iter::From, condition),
        };
        (yes.clone(), difference(pieces.clone(), yes))
    }

    /// Those sites of a set that are not empty.
    fn occupied(&self, sites: SetExpr<W>) -> SetExpr<W> {
        intersection(vec![sites, SetExpr::Not(Box::new(SetExpr::Load(EMPTY)))])
    }

    /// The set of one site.
    pub(super) fn one_site(&self, int: &Int) -> Option<SetExpr<W>> {
        match int {
            Int::LastTo => Some(SetExpr::LastTo),
            Int::WhereOwned { components, owner } => {
                let owner = match **owner {
                    Int::Mover => usize::from(self.mover),
                    Int::Const(owner) => usize::try_from(owner).ok()?,
                    _ => return None,
                };
                let component = usize::from(*components.get(owner)?);
                let set = usize::from(*self.game.layout.piece_set.get(component)?);
                let alone = component > 0 && self.game.has_at_most_one(component);
                alone.then_some(SetExpr::Load(set))
            }
            _ => None,
        }
    }

    /// Moves that start at some pieces.
    fn piece_choice(&self, pieces: SetExpr<W>, moves: &Moves) -> Option<Choice<W>> {
        let leaf = match moves {
            Moves::None => return Some(Choice::Nothing),
            Moves::Leaf(leaf) => leaf,
            Moves::All(list) => {
                let choices = list.iter().map(|m| self.piece_choice(pieces.clone(), m));
                return Some(Choice::All(choices.collect::<Option<_>>()?));
            }
            Moves::If(parts) if layer_asked(&parts.0).is_some() => {
                return self.by_layer(pieces, moves);
            }
            Moves::If(parts) => {
                let (yes, no) = self.divided(&pieces, &parts.0);
                // Plain tests upon plain tests would be made again and again.
                if yes.filters() > MAX_FILTERS {
                    return None;
                }
                let first = self.piece_choice(yes.clone(), &parts.1)?;
                let second = self.piece_choice(no, &parts.2)?;
                let first = match first {
                    // Pieces that are seldom there are looked for once.
                    all @ Choice::All(_) if yes.filters() == 0 => Choice::Of(Box::new((yes, all))),
                    first => first,
                };
                return Some(Choice::All(Box::new([first, second])));
            }
            _ => return None,
        };
        let at_piece = |from: &Int| *from == Int::Iter(Iter::From);
        match &leaf.kind {
            LeafKind::Jump { from, .. } if at_piece(from) => self.jumps(leaf, pieces),
            LeafKind::Slide(slide) if at_piece(&slide.from) => {
                let pieces = self.lifted(pieces, Iter::From, slide.from_condition.as_ref())?;
                self.slides(leaf, slide, pieces)
            }
            LeafKind::Turn { at, steps, .. } if at_piece(at) => {
                Some(Choice::Turns { leaf: leaf.id, pieces, steps: steps.clone() })
            }
            _ => None,
        }
    }

    /// Moves that go by the local state of a piece, or by how it has been turned: one case after the
    /// other.
    fn by_layer(&self, pieces: SetExpr<W>, moves: &Moves) -> Option<Choice<W>> {
        let (mut cases, mut layer, mut rest) = (Vec::new(), None, moves);
        while let Moves::If(parts) = rest
            && let Some((asked, number)) = layer_asked(&parts.0)
            && layer.is_none_or(|layer| layer == asked)
        {
            layer = Some(asked);
            cases.push((number, self.piece_choice(SetExpr::Origin, &parts.1)?));
            rest = &parts.2;
        }
        let others = self.piece_choice(SetExpr::Origin, rest)?;
        let by = ByLayer { pieces, layer: layer?, cases: cases.into(), others };
        Some(Choice::ByLayer(Box::new(by)))
    }

    /// Moves of some pieces to fixed targets.
    fn jumps(&self, leaf: &Leaf, pieces: SetExpr<W>) -> Option<Choice<W>> {
        let LeafKind::Jump { jumps: ByPiece::Same(jumps), from_condition, condition, .. } =
            &leaf.kind
        else {
            return None;
        };
        let pieces = self.lifted(pieces, Iter::From, from_condition.as_ref())?;
        let table = self.game.jump(*jumps);
        let (targets, third) = self.targets(table, condition.as_ref())?;
        let near: Vec<Set<W>> = (0..table.sites()).map(|s| table.near(s)).collect();
        let deltas = deltas(&near).into();
        let jumps = Jumps { leaf: leaf.id, pieces, targets, deltas, third };
        Some(Choice::Jumps(Box::new(jumps)))
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
        let range = range_of(slide)?;
        if filtered || range.0 > 1 && slide.stop.is_some() {
            return None;
        }
        if range.1 < range.0 {
            return Some(Choice::Nothing);
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
        let rays = SiteRays::of(self.game.ray(rays), range.1);
        let slides = Slides { leaf: leaf.id, pieces, go, stop, rays, first, range };
        Some(Choice::Slides(Box::new(slides)))
    }

    fn site_rays(&self, rays: RayId) -> Box<[SiteRays<W>]> {
        SiteRays::of(self.game.ray(rays), usize::MAX)
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
            LeafKind::Remove { place, level: None, count: None, deferred: false } => {
                let Place::Region(region) = &**place else { return None };
                let sites = self.occupied(self.region(region));
                Some(Choice::Sites { leaf: leaf.id, piece: 0, sites })
            }
            LeafKind::Turn { at, steps, .. } => {
                let pieces = self.one_site(at)?;
                Some(Choice::Turns { leaf: leaf.id, pieces, steps: steps.clone() })
            }
            LeafKind::Jump { from, level: None, .. } if !self.game.stacking() => {
                self.jumps(leaf, self.one_site(from)?)
            }
            LeafKind::Slide(slide) if slide.from_condition.is_none() && !self.game.stacking() => {
                self.slides(leaf, slide, self.one_site(&slide.from)?)
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
                let from = self.occupied(self.region(from));
                let from = self.lifted(from, Iter::From, from_condition.as_ref())?;
                let to = self.filtered(self.region(to), Iter::To, condition.as_ref());
                Some(Choice::Pairs { leaf: leaf.id, from, to })
            }
            _ => None,
        }
    }
}

/// The layer of the piece that moves, and the number that a condition compares it with.
fn layer_asked(condition: &Bool) -> Option<(Layer, i32)> {
    let Bool::Compare(Compare::Equal, pair) = condition else { return None };
    match (&pair.0, &pair.1) {
        (Int::At { layer, at, level: None, .. }, Int::Const(number))
            if **at == Int::Iter(Iter::From) && matches!(layer, Layer::State | Layer::Rotation) =>
        {
            Some((*layer, *number))
        }
        _ => None,
    }
}

/// Fewest and most sites that a slide goes, where they are fixed.
pub(super) fn range_of(slide: &Slide) -> Option<(usize, usize)> {
    let most = |n: i32| usize::try_from(n).unwrap_or(0);
    match &slide.range {
        None => Some((1, usize::MAX)),
        Some((Int::Const(min), Int::Const(max))) => Some((most(*min).max(1), most(*max))),
        Some(_) => None,
    }
}
