//! Whether a piece is threatened, asked from its own site: which enemies stand where one of their moves
//! would reach it, instead of what all moves of all enemies are.

use super::lift::Maker;
use super::sets::{SetExpr, intersection};
use super::{Cx, View};
use crate::ir::{Bool, ByPiece, Int, Iter, Leaf, LeafKind, Moves, Slide, Threat};
use crate::set::Set;
use crate::state::Flavour;

/// A test whether the piece of a component is threatened.
#[derive(Clone, PartialEq)]
pub(super) struct Threats<const W: usize> {
    /// The set of the component.
    piece: usize,
    owner: u8,
    /// By enemy.
    attacks: Box<[(u8, Box<[Attack<W>]>)]>,
    between: Between<W>,
}

/// A way of pieces to reach a site.
#[derive(Clone, PartialEq)]
struct Attack<const W: usize> {
    pieces: SetExpr<W>,
    /// By site: from where it is reached over an empty board.
    from: Box<[Set<W>]>,
    way: Way<W>,
}

#[derive(Clone, PartialEq)]
enum Way<const W: usize> {
    /// At once, if it is one of these sites.
    Jump(SetExpr<W>),
    /// Over sites of the first set, and onto one of either.
    Slide(SetExpr<W>, Option<SetExpr<W>>),
}

/// The sites between two sites on a straight path, by the number of the one and then of the other.
#[derive(Clone, PartialEq)]
struct Between<const W: usize> {
    sites: usize,
    sets: Box<[Set<W>]>,
}

/// Boards on which the table of the sites between would have more words stay as they are.
const MAX_WORDS: usize = 1 << 15;

impl<const W: usize> Threats<W> {
    /// Whether it is threatened now.
    pub(super) fn hold(&self, cx: &Cx<'_, W>) -> bool {
        let Some(site) = (cx.state.set::<W>(self.piece) & cx.game.board).first() else {
            return false;
        };
        self.attacks.iter().any(|(player, attacks)| {
            let view = View { mover: *player, prev: self.owner, ..cx.view };
            let cx = Cx { view, ..*cx };
            attacks.iter().any(|attack| attack.hits(&cx, site, &self.between))
        })
    }
}

impl<const W: usize> Attack<W> {
    #[inline]
    fn hits(&self, cx: &Cx<'_, W>, site: usize, between: &Between<W>) -> bool {
        let pieces = self.pieces.eval(cx) & self.from[site];
        if pieces.is_empty() {
            return false;
        }
        match &self.way {
            Way::Jump(targets) => targets.eval(cx).contains(site),
            Way::Slide(go, stop) => {
                let go = go.eval(cx);
                let stop = stop.as_ref().map_or(Set::EMPTY, |stop| stop.eval(cx));
                let free = go.without(&stop);
                (go | stop).contains(site)
                    && pieces.iter().any(|from| between.of(from, site).is_subset(&free))
            }
        }
    }
}

impl<const W: usize> Between<W> {
    #[inline(always)]
    fn of(&self, from: usize, to: usize) -> &Set<W> {
        &self.sets[from * self.sites + to]
    }
}

/// Attacks that are being found.
struct Finder<'f, 'g, const W: usize> {
    maker: &'f Maker<'g, W>,
    attacks: Vec<Attack<W>>,
    between: Vec<Option<Set<W>>>,
}

impl<const W: usize> Maker<'_, W> {
    /// A test for threats to a component of which the first piece counts, where it is.
    pub(super) fn threats(&self, threat: &Threat) -> Option<Threats<W>> {
        let game = self.game;
        let sites = game.world.sites();
        let simple = game.layout.flavour == Flavour::Flat
            && game.world.teams.is_none()
            && threat.place.is_none()
            && sites * sites * W <= MAX_WORDS
            && self.claim(sites * sites * W);
        let component = match threat.component.as_ref()? {
            Int::IdOf { components, owner } => {
                let owner = match **owner {
                    Int::Mover => usize::from(self.mover),
                    Int::Const(owner) => usize::try_from(owner).ok()?,
                    _ => return None,
                };
                usize::try_from(*components.get(owner)?).ok()?
            }
            _ => return None,
        };
        let (Some(moves), true, true) = (&threat.moves, simple, component > 0) else { return None };
        let owner = *game.layout.owner.get(component)?;
        let mut between = vec![None; sites * sites];
        let mut attacks = Vec::new();
        for player in (1..=game.world.players as u8).filter(|&p| p != owner) {
            let maker = Maker { mover: player, ..*self };
            let mut finder = Finder { maker: &maker, attacks: Vec::new(), between };
            finder.of_all(moves)?;
            between = finder.between;
            attacks.push((player, finder.attacks.into()));
        }
        let sets = between.into_iter().map(Option::unwrap_or_default).collect();
        let piece = usize::from(game.layout.piece_set[component]);
        let between = Between { sites, sets };
        Some(Threats { piece, owner, attacks: attacks.into(), between })
    }
}

impl<const W: usize> Finder<'_, '_, W> {
    /// Finds the attacks of all pieces; nothing where one is of no known form.
    fn of_all(&mut self, moves: &Moves) -> Option<()> {
        match moves {
            Moves::None => Some(()),
            Moves::All(list) => list.iter().try_for_each(|m| self.of_all(m)),
            Moves::ForEachPiece { who: Some(Int::Mover), list } => {
                list.iter().filter(|entry| entry.owner == self.maker.mover).try_for_each(|entry| {
                    let pieces = self.maker.pieces_of(entry);
                    self.of_piece(&entry.moves, &pieces)
                })
            }
            _ => None,
        }
    }

    fn of_piece(&mut self, moves: &Moves, pieces: &SetExpr<W>) -> Option<()> {
        match moves {
            Moves::None => Some(()),
            Moves::All(list) => list.iter().try_for_each(|m| self.of_piece(m, pieces)),
            Moves::If(parts) => {
                let (yes, no) = self.maker.divided(pieces, &parts.0);
                self.of_piece(&parts.1, &yes)?;
                self.of_piece(&parts.2, &no)
            }
            Moves::Leaf(leaf) => self.of_leaf(leaf, pieces),
            _ => None,
        }
    }

    fn of_leaf(&mut self, leaf: &Leaf, pieces: &SetExpr<W>) -> Option<()> {
        let at_piece = |from: &Int| *from == Int::Iter(Iter::From);
        let attack = match &leaf.kind {
            LeafKind::Jump {
                jumps: ByPiece::Same(jumps), from, from_condition, condition, ..
            } if at_piece(from) => {
                let targets = match condition {
                    None => SetExpr::Const(!Set::EMPTY),
                    Some(condition) => self.maker.lift(condition, Iter::To)?,
                };
                let table = self.maker.game.jump(*jumps);
                let lists = (0..table.sites()).map(|site| table.of(site).iter().copied());
                let from = self.origins(lists);
                let pieces = self.from(pieces, from_condition.as_ref())?;
                Attack { pieces, from, way: Way::Jump(targets) }
            }
            LeafKind::Slide(slide) if at_piece(&slide.from) => self.slide(slide, pieces)?,
            _ => return None,
        };
        let (targets, stop) = match &attack.way {
            Way::Jump(targets) => (targets, None),
            Way::Slide(go, stop) => (go, stop.as_ref()),
        };
        let known =
            attack.pieces.is_closed() && targets.is_closed() && stop.is_none_or(SetExpr::is_closed);
        // Where the piece is nothing that wants an empty site comes.
        let harmless = targets.is_free() && stop.is_none_or(SetExpr::is_free);
        if known && !harmless && !self.attacks.contains(&attack) {
            self.attacks.push(attack);
        }
        known.then_some(())
    }

    fn slide(&mut self, slide: &Slide, pieces: &SetExpr<W>) -> Option<Attack<W>> {
        let ByPiece::Same(rays) = slide.rays else { return None };
        let filtered = slide.apply.as_ref().is_some_and(|apply| apply.condition.is_some());
        let (min, max) = super::generators::range_of(slide)?;
        if filtered || min > 1 && slide.stop.is_some() {
            return None;
        }
        let go = match &slide.go {
            None => SetExpr::Load(crate::state::EMPTY),
            Some(go) => self.maker.lift(go, Iter::Between)?,
        };
        let stop = match &slide.stop {
            None => None,
            Some(stop) => Some(self.maker.lift(stop, Iter::To)?),
        };
        let sites = self.maker.game.world.sites();
        let rays = self.maker.game.ray(rays);
        let mut lists = vec![Vec::new(); rays.sites()];
        for (from, list) in lists.iter_mut().enumerate() {
            for ray in rays.of(from) {
                let mut passed = Set::EMPTY;
                for (i, &to) in ray.iter().enumerate().take(max) {
                    if i + 1 >= min {
                        list.push(to);
                        // Two ways between the same sites would need two tables.
                        let known = &mut self.between[from * sites + usize::from(to)];
                        if known.is_some_and(|other| other != passed) {
                            return None;
                        }
                        *known = Some(passed);
                    }
                    passed.insert(usize::from(to));
                }
            }
        }
        let from = self.origins(lists.into_iter().map(Vec::into_iter));
        let pieces = self.from(pieces, slide.from_condition.as_ref())?;
        Some(Attack { pieces, from, way: Way::Slide(go, stop) })
    }

    fn from(&self, pieces: &SetExpr<W>, condition: Option<&Bool>) -> Option<SetExpr<W>> {
        Some(match condition {
            None => pieces.clone(),
            Some(condition) => {
                intersection(vec![pieces.clone(), self.maker.lift(condition, Iter::From)?])
            }
        })
    }

    /// By site: from where it is a target.
    fn origins(&self, targets: impl Iterator<Item = impl Iterator<Item = u16>>) -> Box<[Set<W>]> {
        let mut from = vec![Set::EMPTY; self.maker.game.world.sites()];
        for (site, list) in targets.enumerate() {
            for to in list {
                from[usize::from(to)].insert(site);
            }
        }
        from.into()
    }
}
