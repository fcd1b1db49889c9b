//! Regions and lifted conditions as operations on sets.
//!
//! A condition on one site is *lifted*: instead of asking it of every site it becomes the set of the
//! sites where it holds. `(is Empty (to))` is the set of empty sites, `(is Enemy (who at:(to)))` that
//! of the enemies' pieces.

use super::conditions::Cond;
use super::links::LinkPlan;
use super::rays::Straight;
use super::{Cx, View};
use crate::eval::Eval;
use crate::game::Game;
use crate::ir::{
    Around, Bool, ByPiece, Compare, Custodial, Int, Iter, JumpId, Layer, Moves, Owners, Pieces,
    Place, RayId, Region, Role,
};
use crate::set::Set;
use crate::state::{EMPTY, Flavour, Layout};

/// A set as an expression.
#[derive(Clone)]
pub(super) enum SetExpr<const W: usize> {
    Const(Set<W>),
    /// A set of the state by number: empty sites, an owner's, a component's.
    Load(usize),
    /// The sites of the player who is to move next.
    OwnedByNext,
    /// A static set by the number of the player who is to move next.
    ByNext(Box<[Set<W>]>),
    Union(Box<[SetExpr<W>]>),
    Intersection(Box<[SetExpr<W>]>),
    Difference(Box<(SetExpr<W>, SetExpr<W>)>),
    Not(Box<SetExpr<W>>),
    If(Box<(Cond<W>, SetExpr<W>, SetExpr<W>)>),
    /// All neighbours of all sites of a set.
    Spread(Spread<W>, Box<SetExpr<W>>),
    /// A set with all neighbours of its sites.
    Grown(Spread<W>, Box<SetExpr<W>>),
    /// Union of a static set for each site.
    Reach(Box<[Set<W>]>, Box<SetExpr<W>>),
    /// Sites from which a run of targets that ends at a friend can be captured.
    Flanks(Box<Flanks<W>>),
    /// Sites by how their component compares with that of the origin: sets of the state for each
    /// component there.
    ByOrigin(Box<[Box<[usize]>]>),
    /// Those that pass a plain test.
    Filter(Box<(SetExpr<W>, Iter, Bool)>),
    Plain(Box<Region>),
}

/// A capture between a site and a friend, asked of all sites at once.
#[derive(Clone)]
pub(super) struct Flanks<const W: usize> {
    straight: Straight<W>,
    target: SetExpr<W>,
    friend: SetExpr<W>,
}

/// Neighbours by a few differences of site numbers, or by site.
#[derive(Clone)]
pub(super) enum Spread<const W: usize> {
    /// Difference, and the sites it can be added to.
    Shifts(Box<[(i32, Set<W>)]>),
    /// Neighbours of each site.
    Near(Box<[Set<W>]>),
}

/// More differences than this are slower than going from site to site.
const MAX_SHIFTS: usize = 12;

/// The differences of a table of targets in ascending order, each with the sites that have it.
pub(super) fn deltas<const W: usize>(near: &[Set<W>]) -> Vec<(i32, Set<W>)> {
    let mut found: Vec<(i32, Set<W>)> = Vec::new();
    for (site, targets) in near.iter().enumerate() {
        for target in targets.iter() {
            let delta = target as i32 - site as i32;
            match found.binary_search_by_key(&delta, |d| d.0) {
                Ok(at) => found[at].1.insert(site),
                Err(at) => found.insert(at, (delta, Set::single(site))),
            }
        }
    }
    found
}

impl<const W: usize> Spread<W> {
    pub(super) fn new(near: Vec<Set<W>>) -> Spread<W> {
        let shifts = deltas(&near);
        if shifts.len() <= MAX_SHIFTS {
            Spread::Shifts(shifts.into())
        } else {
            Spread::Near(near.into())
        }
    }

    #[inline]
    pub(super) fn of(&self, from: &Set<W>) -> Set<W> {
        match self {
            Spread::Shifts(shifts) => shifts
                .iter()
                .fold(Set::EMPTY, |all, (by, sources)| all | (*from & *sources).moved(*by)),
            Spread::Near(near) => from
                .iter()
                .fold(Set::EMPTY, |all, s| all | near.get(s).copied().unwrap_or_default()),
        }
    }
}

impl<const W: usize> SetExpr<W> {
    /// The set in a state.
    #[inline]
    pub(super) fn eval(&self, cx: &Cx<'_, W>) -> Set<W> {
        match self {
            SetExpr::Const(set) => *set,
            SetExpr::Load(index) => cx.state.sets[*index],
            SetExpr::Intersection(parts) => {
                let mut set = parts[0].eval(cx);
                for part in &parts[1..] {
                    set &= part.eval(cx);
                }
                set
            }
            SetExpr::Union(parts) => {
                let mut set = parts[0].eval(cx);
                for part in &parts[1..] {
                    set |= part.eval(cx);
                }
                set
            }
            SetExpr::Difference(pair) => pair.0.eval(cx).without(&pair.1.eval(cx)),
            SetExpr::Not(inner) => !inner.eval(cx),
            SetExpr::Spread(spread, of) => spread.of(&of.eval(cx)),
            SetExpr::Grown(spread, of) => {
                let of = of.eval(cx);
                of | spread.of(&of)
            }
            SetExpr::ByOrigin(sets) => {
                let what = cx.state.what(usize::from(cx.view.from));
                let loads = sets.get(what).map_or(&[][..], |s| s);
                loads.iter().fold(Set::EMPTY, |all, &i| all | cx.state.sets[i])
            }
            _ => self.eval_rare(cx),
        }
    }

    fn eval_rare(&self, cx: &Cx<'_, W>) -> Set<W> {
        match self {
            SetExpr::OwnedByNext => cx.state.owned(usize::from(cx.view.next)),
            SetExpr::ByNext(sets) => {
                sets.get(usize::from(cx.view.next)).copied().unwrap_or_default()
            }
            SetExpr::If(parts) => {
                if parts.0.holds(cx) {
                    parts.1.eval(cx)
                } else {
                    parts.2.eval(cx)
                }
            }
            SetExpr::Reach(table, of) => {
                let of = of.eval(cx);
                of.iter().fold(Set::EMPTY, |all, s| all | table.get(s).copied().unwrap_or_default())
            }
            SetExpr::Flanks(flanks) => {
                let (target, friend) = (flanks.target.eval(cx), flanks.friend.eval(cx));
                flanks.straight.flanks(&target, &friend)
            }
            SetExpr::Filter(parts) => {
                let sites = parts.0.eval(cx);
                let mut eval = cx.view.plain(cx);
                sites
                    .iter()
                    .filter(|&s| {
                        eval.set(parts.1, s as i32);
                        eval.test(&parts.2)
                    })
                    .collect()
            }
            SetExpr::Plain(region) => cx.view.plain(cx).region(region),
            // The common ones are evaluated where they are met.
            _ => Set::EMPTY,
        }
    }

    /// Whether the sets of a state are all that it depends on: [`SetExpr::of_sets`].
    pub(super) fn is_of_sets(&self) -> bool {
        match self {
            SetExpr::Const(_) | SetExpr::Load(_) => true,
            SetExpr::Union(parts) | SetExpr::Intersection(parts) => {
                parts.iter().all(SetExpr::is_of_sets)
            }
            SetExpr::Difference(pair) => pair.0.is_of_sets() && pair.1.is_of_sets(),
            SetExpr::Not(inner)
            | SetExpr::Spread(_, inner)
            | SetExpr::Grown(_, inner)
            | SetExpr::Reach(_, inner) => inner.is_of_sets(),
            _ => false,
        }
    }

    /// The set by the sets of a state alone, for expressions that are of that kind.
    #[inline]
    pub(super) fn of_sets(&self, sets: &[Set<W>]) -> Set<W> {
        match self {
            SetExpr::Const(set) => *set,
            SetExpr::Load(index) => sets[*index],
            SetExpr::Intersection(parts) => {
                parts.iter().fold(!Set::EMPTY, |all, part| all & part.of_sets(sets))
            }
            SetExpr::Union(parts) => {
                parts.iter().fold(Set::EMPTY, |all, part| all | part.of_sets(sets))
            }
            SetExpr::Difference(pair) => pair.0.of_sets(sets).without(&pair.1.of_sets(sets)),
            SetExpr::Not(inner) => !inner.of_sets(sets),
            SetExpr::Spread(spread, of) => spread.of(&of.of_sets(sets)),
            SetExpr::Grown(spread, of) => {
                let of = of.of_sets(sets);
                of | spread.of(&of)
            }
            SetExpr::Reach(table, of) => {
                let of = of.of_sets(sets);
                of.iter().fold(Set::EMPTY, |all, s| all | table.get(s).copied().unwrap_or_default())
            }
            _ => Set::EMPTY,
        }
    }

    /// Whether all its sites are empty ones, by its form.
    pub(super) fn is_free(&self) -> bool {
        match self {
            SetExpr::Load(index) => *index == EMPTY,
            SetExpr::Intersection(parts) => parts.iter().any(SetExpr::is_free),
            SetExpr::Union(parts) => parts.iter().all(SetExpr::is_free),
            SetExpr::Difference(pair) => pair.0.is_free(),
            _ => false,
        }
    }

    /// Whether the set has no site.
    pub(super) fn is_empty(&self, cx: &Cx<'_, W>) -> bool {
        self.eval(cx).is_empty()
    }

    /// Whether all its sites are sites that there are: complements may have others.
    fn is_real(&self) -> bool {
        match self {
            SetExpr::Load(_) | SetExpr::OwnedByNext | SetExpr::ByOrigin(_) => true,
            SetExpr::Union(parts) => parts.iter().all(SetExpr::is_real),
            SetExpr::Intersection(parts) => parts.iter().any(SetExpr::is_real),
            _ => false,
        }
    }

    /// Whether no part is evaluated plainly, and so might depend on what is bound.
    fn is_closed(&self) -> bool {
        match self {
            SetExpr::Const(_)
            | SetExpr::Load(_)
            | SetExpr::OwnedByNext
            | SetExpr::ByNext(_)
            | SetExpr::ByOrigin(_) => true,
            SetExpr::Union(parts) | SetExpr::Intersection(parts) => {
                parts.iter().all(SetExpr::is_closed)
            }
            SetExpr::Difference(pair) => pair.0.is_closed() && pair.1.is_closed(),
            SetExpr::Not(inner)
            | SetExpr::Spread(_, inner)
            | SetExpr::Grown(_, inner)
            | SetExpr::Reach(_, inner) => inner.is_closed(),
            SetExpr::Flanks(flanks) => flanks.target.is_closed() && flanks.friend.is_closed(),
            SetExpr::If(_) | SetExpr::Filter(_) | SetExpr::Plain(_) => false,
        }
    }
}

impl View {
    /// The plain evaluation from the same side.
    pub(super) fn plain<'p, const W: usize>(&self, cx: &Cx<'p, W>) -> Eval<'p, W> {
        let mut eval = Eval::new(cx.game, cx.state);
        eval.turns.mover = self.mover;
        eval.turns.next = self.next;
        eval.turns.prev = self.prev;
        eval.set_ahead(self.ahead);
        if self.from != u16::MAX {
            eval.set(Iter::From, i32::from(self.from));
        }
        eval
    }
}

/// Makes plans for one mover.
pub(super) struct Maker<'g, const W: usize> {
    pub(super) game: &'g Game<W>,
    pub(super) mover: u8,
    pub(super) links: Option<&'g LinkPlan<W>>,
}

impl<const W: usize> Maker<'_, W> {
    /// A region as an expression; always succeeds, if need be by leaving it as it is.
    pub(super) fn region(&self, region: &Region) -> SetExpr<W> {
        self.known_region(region).unwrap_or_else(|| SetExpr::Plain(Box::new(region.clone())))
    }

    fn known_region(&self, region: &Region) -> Option<SetExpr<W>> {
        let game = self.game;
        Some(match region {
            Region::Static(set) => SetExpr::Const(game.set(*set)),
            Region::ByPlayer(who, sets) => {
                let of = |player: usize| {
                    SetExpr::Const(sets.get(player).map_or(Set::EMPTY, |&s| game.set(s)))
                };
                match **who {
                    Int::Mover => of(usize::from(self.mover)),
                    Int::Next => SetExpr::ByNext(sets.iter().map(|&s| game.set(s)).collect()),
                    _ => return None,
                }
            }
            Region::Empty(within) => {
                let empty = SetExpr::Load(EMPTY);
                self.limited(empty, game.set(*within))
            }
            Region::Occupied { pieces, within, top: true } => {
                let pieces = self.pieces(pieces)?;
                self.limited(pieces, game.set(*within))
            }
            Region::Union(list) => union(list.iter().map(|r| self.region(r)).collect()),
            Region::Intersection(list) => {
                intersection(list.iter().map(|r| self.region(r)).collect())
            }
            Region::Difference(pair) => difference(self.region(&pair.0), self.region(&pair.1)),
            Region::If(parts) => SetExpr::If(Box::new((
                self.condition(&parts.0),
                self.region(&parts.1),
                self.region(&parts.2),
            ))),
            Region::Expand { jumps, region, steps } if **steps == Int::Const(1) => {
                SetExpr::Grown(self.spread(*jumps), Box::new(self.region(region)))
            }
            Region::Around {
                rays,
                origins,
                kind: Around::Any,
                distance,
                condition: None,
                include_self,
            } if **distance == Int::Const(1) => {
                let Place::Region(origins) = &**origins else { return None };
                let spread = Spread::new(self.first_steps(*rays));
                let around = SetExpr::Spread(spread, Box::new(self.region(origins)));
                let origins = self.region(origins);
                if *include_self {
                    union(vec![around, origins])
                } else {
                    difference(around, origins)
                }
            }
            Region::Direction {
                rays: ByPiece::Same(rays),
                origins,
                included,
                stop: None,
                distance,
                ..
            } => {
                let (Place::Region(origins), Bool::Const(included), Int::Const(most)) =
                    (&**origins, &**included, &**distance)
                else {
                    return None;
                };
                let most = usize::try_from(*most).unwrap_or(0);
                let rays = game.ray(*rays);
                let reach = (0..rays.sites()).map(|site| {
                    let all = rays.of(site).flat_map(|ray| ray.iter().take(most));
                    let mut set: Set<W> = all.map(|&s| usize::from(s)).collect();
                    if *included {
                        set.insert(site);
                    }
                    set
                });
                SetExpr::Reach(reach.collect(), Box::new(self.region(origins)))
            }
            Region::Filter(pair) => {
                let sites = self.region(&pair.0);
                self.filtered(sites, Iter::Site, Some(&pair.1))
            }
            _ => return None,
        })
    }

    /// The sites of a set that satisfy a condition.
    pub(super) fn filtered(
        &self,
        sites: SetExpr<W>,
        iter: Iter,
        condition: Option<&Bool>,
    ) -> SetExpr<W> {
        match condition {
            None => sites,
            Some(condition) => match self.lift(condition, iter) {
                Some(lifted) if self.is_everywhere(&sites) && lifted.is_real() => lifted,
                Some(lifted) => intersection(vec![sites, lifted]),
                None => SetExpr::Filter(Box::new((sites, iter, condition.clone()))),
            },
        }
    }

    /// Whether a set is that of all sites.
    fn is_everywhere(&self, set: &SetExpr<W>) -> bool {
        let mut everywhere = self.game.world.everywhere().into_iter();
        match set {
            SetExpr::Const(set) => everywhere.all(|s| set.contains(usize::from(s))),
            _ => false,
        }
    }

    /// A set, cut to some sites unless it never has others.
    fn limited(&self, set: SetExpr<W>, within: Set<W>) -> SetExpr<W> {
        let everywhere: Set<W> =
            self.game.world.everywhere().iter().map(|&s| usize::from(s)).collect();
        if everywhere.is_subset(&within) {
            set
        } else {
            intersection(vec![set, SetExpr::Const(within)])
        }
    }

    fn owned(&self, owner: usize) -> SetExpr<W> {
        SetExpr::Load(Layout::owner_set(owner))
    }

    /// The sites of pieces whose owners are known by role.
    pub(super) fn pieces(&self, pieces: &Pieces) -> Option<SetExpr<W>> {
        let layout = &self.game.layout;
        let role = match &pieces.owners {
            Owners::Role(role) => *role,
            Owners::Number(number) => match **number {
                Int::Mover => Role::Mover,
                Int::Next => Role::Next,
                Int::Const(n) => Role::Player(u8::try_from(n).ok()?),
                _ => return None,
            },
        };
        if role == Role::Next {
            return pieces.components.is_none().then_some(SetExpr::OwnedByNext);
        }
        let owners = self.owners(role)?;
        if pieces.components.is_none() {
            let all = (1u32 << (layout.players + 2)) - 1;
            if owners & all == all {
                // Everything that is not empty.
                let everywhere = self.game.world.everywhere();
                let real: Set<W> = everywhere.iter().map(|&s| usize::from(s)).collect();
                return Some(difference(SetExpr::Const(real), SetExpr::Load(EMPTY)));
            }
        }
        let sets = (1..layout.owner.len())
            .filter(|&c| {
                owners >> layout.owner[c] & 1 != 0
                    && pieces.components.as_ref().is_none_or(|allowed| allowed[c])
            })
            .map(|c| usize::from(layout.piece_set[c]));
        let mut sets: Vec<usize> = match pieces.components {
            None => (0..layout.players + 2)
                .filter(|o| owners >> o & 1 != 0 && layout.owner[1..].contains(&(*o as u8)))
                .map(Layout::owner_set)
                .collect(),
            Some(_) => sets.collect(),
        };
        sets.sort_unstable();
        sets.dedup();
        Some(union(sets.into_iter().map(SetExpr::Load).collect()))
    }

    /// The owners of a role, as bits, where they do not depend on the state.
    fn owners(&self, role: Role) -> Option<u32> {
        match role {
            Role::Next | Role::Prev | Role::Iterated => None,
            _ => {
                let state = &self.game.initial;
                let mut eval = Eval::new(self.game, state);
                eval.turns.mover = self.mover;
                Some(eval.role_owners(role))
            }
        }
    }

    /// The sites where a condition on `iter` holds.
    pub(super) fn lift(&self, condition: &Bool, iter: Iter) -> Option<SetExpr<W>> {
        self.lift_on(condition, &Int::Iter(iter))
    }

    /// The sites that a number can stand for so that a condition on it holds.
    pub(super) fn lift_on(&self, condition: &Bool, here: &Int) -> Option<SetExpr<W>> {
        let this = |int: &Int| int == here;
        let owner_here = |int: &Int| match int {
            Int::At { layer: Layer::Who, at, level: None, .. } => this(at),
            _ => false,
        };
        let stacking = self.game.stacking();
        Some(match condition {
            Bool::Const(true) => SetExpr::Const(!Set::EMPTY),
            Bool::Const(false) => SetExpr::Const(Set::EMPTY),
            Bool::And(list) => intersection(
                list.iter().map(|c| self.lift_on(c, here)).collect::<Option<Vec<_>>>()?,
            ),
            Bool::Or(list) => {
                union(list.iter().map(|c| self.lift_on(c, here)).collect::<Option<Vec<_>>>()?)
            }
            Bool::Not(inner) => SetExpr::Not(Box::new(self.lift_on(inner, here)?)),
            Bool::IsEmpty(at) if this(at) => SetExpr::Load(EMPTY),
            Bool::IsOccupied(at) if this(at) && self.game.layout.flavour != Flavour::Counting => {
                SetExpr::Not(Box::new(SetExpr::Load(EMPTY)))
            }
            Bool::IsFriend(who) if owner_here(who) => {
                union(self.load_owners(self.owners(Role::Friend)? & !1))
            }
            Bool::IsEnemy(who) if owner_here(who) => {
                // Nobody is no enemy, and everybody is one.
                let friends = self.owners(Role::Friend)?;
                union(self.load_owners(!friends & !1))
            }
            Bool::InRegion(sites, region) => match &sites[..] {
                // Nothing in it may ask for the variable that is lifted away.
                [site] if this(site) => self.known_region(region).filter(SetExpr::is_closed)?,
                _ => return None,
            },
            Bool::Compare(Compare::Equal, pair) if owner_here(&pair.0) => match pair.1 {
                Int::Mover => self.owned(usize::from(self.mover)),
                Int::Next => SetExpr::OwnedByNext,
                Int::Const(n @ 1..) => union(self.load_owners(1u32.checked_shl(n as u32)?)),
                _ => return None,
            },
            Bool::Compare(how, pair) if *here == Int::Iter(Iter::To) && stacking => {
                self.compare_tops(*how, &pair.0, &pair.1)?
            }
            Bool::CanMove(moves) => match &**moves {
                Moves::Custodial(custodial) if this(&custodial.from) => self.flanks(custodial)?,
                _ => return None,
            },
            _ => return None,
        })
    }

    fn load_owners(&self, bits: u32) -> Vec<SetExpr<W>> {
        let layout = &self.game.layout;
        (0..layout.players + 2)
            .filter(|o| bits >> o & 1 != 0 && layout.owner[1..].contains(&(*o as u8)))
            .map(|o| self.owned(o))
            .collect()
    }

    /// The destinations whose top piece compares in a way with that of the origin.
    fn compare_tops(&self, how: Compare, a: &Int, b: &Int) -> Option<SetExpr<W>> {
        let top_of = |int: &Int| match int {
            Int::At { layer: Layer::What, at, level: Some(level), .. } => match (&**at, &**level) {
                (Int::Iter(iter), Int::TopLevel(of)) if *of == *at => Some(*iter),
                _ => None,
            },
            _ => None,
        };
        let ours_first = match (top_of(a)?, top_of(b)?) {
            (Iter::From, Iter::To) => true,
            (Iter::To, Iter::From) => false,
            _ => return None,
        };
        let layout = &self.game.layout;
        let set_of = |c: usize| if c == 0 { EMPTY } else { usize::from(layout.piece_set[c]) };
        let components = 0..layout.owner.len();
        let table = components.clone().map(|ours| {
            let fits = |theirs: &usize| {
                let (x, y) = (ours as i32, *theirs as i32);
                let (x, y) = if ours_first { (x, y) } else { (y, x) };
                crate::eval::compare(how, x, y)
            };
            components.clone().filter(fits).map(set_of).collect()
        });
        Some(SetExpr::ByOrigin(table.collect()))
    }

    fn flanks(&self, custodial: &Custodial) -> Option<SetExpr<W>> {
        // Any run of at least one, which is what no range means, and an effect that always is one.
        let (Int::Const(..=1), Int::Const(max)) = (&custodial.range.0, &custodial.range.1) else {
            return None;
        };
        if !always_acts(&custodial.effect) || *max < self.game.world.sites() as i32 {
            return None;
        }
        Some(SetExpr::Flanks(Box::new(Flanks {
            straight: Straight::of(self.game.ray(custodial.rays))?,
            target: self.lift(&custodial.target, Iter::Between)?,
            friend: self.lift(&custodial.friend, Iter::To)?,
        })))
    }

    /// The neighbours of a table of targets.
    pub(super) fn spread(&self, jumps: JumpId) -> Spread<W> {
        let jumps = self.game.jump(jumps);
        Spread::new((0..jumps.sites()).map(|s| jumps.near(s)).collect())
    }

    /// The first sites of all straight paths, by site.
    pub(super) fn first_steps(&self, rays: RayId) -> Vec<Set<W>> {
        let rays = self.game.ray(rays);
        (0..rays.sites())
            .map(|s| rays.of(s).filter_map(|r| r.first()).map(|&t| usize::from(t)).collect())
            .collect()
    }
}

/// Whether an effect on the piece between makes a move wherever there is a piece.
fn always_acts(effect: &Moves) -> bool {
    use crate::ir::{LeafKind, Piece};
    match effect {
        Moves::Leaf(leaf) => match &leaf.kind {
            LeafKind::Promote { site: Int::Iter(Iter::Between), pieces } => {
                pieces.iter().any(|p| match p {
                    Piece::Fixed(_) => true,
                    // A component that every owner has.
                    Piece::Computed(Int::IdOf { components, owner }) => {
                        **owner == Int::Mover
                            && components[1..components.len() - 1].iter().all(|&c| c > 0)
                    }
                    Piece::Computed(_) => false,
                })
            }
            LeafKind::Remove { place, level: None, .. } => {
                **place == Place::Site(Int::Iter(Iter::Between))
            }
            _ => false,
        },
        _ => false,
    }
}

/// Union: inner ones opened, what is constant put together.
fn union<const W: usize>(parts: Vec<SetExpr<W>>) -> SetExpr<W> {
    let mut constant = Set::EMPTY;
    let mut rest = Vec::new();
    for part in parts {
        match part {
            SetExpr::Const(set) => constant |= set,
            SetExpr::Union(inner) => rest.extend(inner),
            part => rest.push(part),
        }
    }
    // Sets of the state that are always in it go into the table of those that depend on the origin.
    if let Some(at) = rest.iter().position(|part| matches!(part, SetExpr::ByOrigin(_))) {
        let mut loads = Vec::new();
        let mut others = Vec::new();
        let table = rest.swap_remove(at);
        for part in rest {
            match part {
                SetExpr::Load(index) => loads.push(index),
                part => others.push(part),
            }
        }
        if let SetExpr::ByOrigin(table) = table {
            let with_loads = table.into_iter().map(|list| {
                let mut list = list.into_vec();
                list.extend(&loads);
                list.sort_unstable();
                list.dedup();
                list.into()
            });
            others.push(SetExpr::ByOrigin(with_loads.collect()));
        }
        rest = others;
    }
    if rest.is_empty() || !constant.is_empty() {
        rest.push(SetExpr::Const(constant));
    }
    single_or(rest, SetExpr::Union)
}

/// Intersection: inner ones opened, what is constant put together, and of unions only what can meet
/// the other parts.
pub(super) fn intersection<const W: usize>(parts: Vec<SetExpr<W>>) -> SetExpr<W> {
    let mut constant = !Set::EMPTY;
    let mut rest = Vec::new();
    for part in parts {
        match part {
            SetExpr::Const(set) => constant &= set,
            SetExpr::Intersection(inner) => rest.extend(inner),
            part => rest.push(part),
        }
    }
    let loads: Vec<usize> = rest
        .iter()
        .filter_map(|part| match part {
            SetExpr::Load(index) => Some(*index),
            _ => None,
        })
        .collect();
    let mut rest: Vec<SetExpr<W>> =
        rest.into_iter().map(|part| without_disjoint(part, &loads)).collect();
    // Sites with pieces, and sites that are not empty by construction, need not be told so again.
    let occupied = |part: &SetExpr<W>| match part {
        SetExpr::Load(index) => *index != EMPTY,
        SetExpr::Difference(pair) => matches!(pair.1, SetExpr::Load(EMPTY)),
        _ => false,
    };
    if rest.iter().any(occupied) {
        rest.retain(
            |part| !matches!(part, SetExpr::Not(inner) if matches!(**inner, SetExpr::Load(EMPTY))),
        );
    }
    if rest.is_empty() || constant != !Set::EMPTY {
        rest.push(SetExpr::Const(constant));
    }
    single_or(rest, SetExpr::Intersection)
}

/// Drops from a union what is disjoint with one of the given sets of the state.
fn without_disjoint<const W: usize>(part: SetExpr<W>, loads: &[usize]) -> SetExpr<W> {
    let disjoint = |part: &SetExpr<W>| match part {
        SetExpr::Difference(pair) => {
            matches!(pair.1, SetExpr::Load(index) if loads.contains(&index))
        }
        SetExpr::Not(inner) => matches!(**inner, SetExpr::Load(index) if loads.contains(&index)),
        _ => false,
    };
    match part {
        SetExpr::Grown(spread, of) if disjoint(&of) => SetExpr::Spread(spread, of),
        SetExpr::Union(parts) => {
            let parts = parts.into_iter().map(|p| without_disjoint(p, loads));
            union(parts.filter(|p| !disjoint(p)).collect())
        }
        part => part,
    }
}

fn difference<const W: usize>(a: SetExpr<W>, b: SetExpr<W>) -> SetExpr<W> {
    SetExpr::Difference(Box::new((a, b)))
}

fn single_or<const W: usize>(
    mut parts: Vec<SetExpr<W>>,
    many: fn(Box<[SetExpr<W>]>) -> SetExpr<W>,
) -> SetExpr<W> {
    match parts.len() {
        1 => parts.remove(0),
        _ => many(parts.into()),
    }
}
