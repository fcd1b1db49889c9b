//! Regions and lifted conditions as operations on sets.
//!
//! A condition on one site is *lifted*: instead of asking it of every site it becomes the set of the
//! sites where it holds. `(is Empty (to))` is the set of empty sites, `(is Enemy (who at:(to)))` that
//! of the enemies' pieces.

use std::cell::Cell;

use super::conditions::takes_time;
use super::links::LinkPlan;
use super::rays::Straight;
use super::sets::{Flanks, InLines, SetExpr, Spread, difference, intersection, union};
use crate::eval::Eval;
use crate::game::Game;
use crate::ir::{
    Around, Bool, ByPiece, Compare, Custodial, Int, Iter, JumpId, Layer, Line, Moves, Owners,
    Pieces, Place, RayId, Region, Role,
};
use crate::set::Set;
use crate::state::{EMPTY, Flavour, Layout};

/// More lines than this are looked for from each site that is asked for.
const MAX_WINDOWS: usize = 200;

/// Makes plans for one mover.
pub(super) struct Maker<'g, const W: usize> {
    pub(super) game: &'g Game<W>,
    pub(super) mover: u8,
    pub(super) links: Option<&'g LinkPlan<W>>,
    /// Words that tables of pairs of sites may still take.
    pub(super) room: &'g Cell<usize>,
    /// Whether something that takes time had no form, and was left to the plain evaluation.
    pub(super) left: &'g Cell<bool>,
}

/// Words that the tables of pairs of sites of one game may take.
pub(super) const ROOM: usize = 1 << 22;

impl<const W: usize> Maker<'_, W> {
    /// Takes room for a table; false if there is no more.
    pub(super) fn claim(&self, words: usize) -> bool {
        let left = self.room.get().checked_sub(words);
        self.room.set(left.unwrap_or(0));
        left.is_some()
    }

    /// The sites that are also in a set that never changes: hands have sites beside the board, and so have
    /// elements of other types than it is played on.
    pub(super) fn among(&self, sites: SetExpr<W>, within: Set<W>) -> SetExpr<W> {
        if self.game.everywhere.is_subset(&within) {
            return sites;
        }
        intersection(vec![sites, SetExpr::Const(within)])
    }

    /// A region as an expression; always succeeds, if need be by leaving it as it is.
    pub(super) fn region(&self, region: &Region) -> SetExpr<W> {
        self.known_region(region).unwrap_or_else(|| {
            self.left.set(true);
            SetExpr::Plain(Box::new(region.clone()))
        })
    }

    pub(super) fn known_region(&self, region: &Region) -> Option<SetExpr<W>> {
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
            Region::Pending => SetExpr::Pending,
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
                let origins = match &**origins {
                    Place::Region(origins) => self.region(origins),
                    Place::Site(origin) => self.one_site(origin)?,
                };
                let spread = Spread::new(self.first_steps(*rays));
                let around = SetExpr::Spread(spread, Box::new(origins.clone()));
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
                None => self.filter(sites, iter, condition),
            },
        }
    }

    /// The sites of a set for which a condition holds that is evaluated plainly.
    pub(super) fn filter(&self, sites: SetExpr<W>, iter: Iter, condition: &Bool) -> SetExpr<W> {
        self.left.set(self.left.get() || takes_time(condition));
        SetExpr::Filter(Box::new((sites, iter, condition.clone())))
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
            let Some(allowed) = &pieces.components else { return Some(SetExpr::OwnedByNext) };
            let of = |owner: usize| {
                let fits = |&c: &usize| allowed[c] && usize::from(layout.owner[c]) == owner;
                let mut found = (1..layout.owner.len()).filter(fits);
                let one = found.next().map(|c| usize::from(layout.piece_set[c]));
                found.next().is_none().then_some(one)
            };
            let sets = (0..layout.sizes.players + 2).map(of).collect::<Option<_>>()?;
            return Some(SetExpr::PieceOfNext(sets));
        }
        let owners = self.owners(role)?;
        if pieces.components.is_none() {
            let all = (1u32 << (layout.sizes.players + 2)) - 1;
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
            None => (0..layout.sizes.players + 2)
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
        let what_here = |int: &Int| match int {
            Int::At { layer: Layer::What, at, level: None, .. } => this(at),
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
            Bool::Compare(Compare::Equal, pair) if this(&pair.0) && pair.1 == Int::LastTo => {
                SetExpr::LastTo
            }
            Bool::Compare(Compare::Equal, pair) if owner_here(&pair.0) => match pair.1 {
                Int::Mover => self.owned(usize::from(self.mover)),
                Int::Next => SetExpr::OwnedByNext,
                Int::Const(n @ 1..) => union(self.load_owners(1u32.checked_shl(n as u32)?)),
                _ => return None,
            },
            Bool::Compare(Compare::Equal, pair) if !stacking && what_here(&pair.0) => {
                let set = |component: usize| match self.game.layout.piece_set.get(component) {
                    Some(&set) if component > 0 => Some(usize::from(set)),
                    _ => None,
                };
                let load = |component: i32| {
                    let set = usize::try_from(component).ok().and_then(set);
                    set.map_or(SetExpr::Const(Set::EMPTY), SetExpr::Load)
                };
                match &pair.1 {
                    Int::Const(component @ 1..) => load(*component),
                    Int::IdOf { components, owner } => match **owner {
                        Int::Mover => load(*components.get(usize::from(self.mover))?),
                        Int::Const(owner) => load(*components.get(usize::try_from(owner).ok()?)?),
                        Int::Next => SetExpr::PieceOfNext(
                            components.iter().map(|&c| set(usize::try_from(c).ok()?)).collect(),
                        ),
                        _ => return None,
                    },
                    _ => return None,
                }
            }
            Bool::Compare(how, pair) if *here == Int::Iter(Iter::To) && stacking => {
                self.compare_tops(*how, &pair.0, &pair.1)?
            }
            Bool::IsLine(line) => match &line.through {
                Some(Place::Site(at)) if this(at) && !stacking => {
                    SetExpr::InLines(Box::new(self.in_lines(line)?))
                }
                _ => return None,
            },
            Bool::CanMove(moves) => match &**moves {
                Moves::Custodial(custodial) if this(&custodial.from) => self.flanks(custodial)?,
                _ => return None,
            },
            _ => return None,
        })
    }

    /// Lines through any site.
    fn in_lines(&self, line: &Line) -> Option<InLines<W>> {
        let mut windows: Vec<(Set<W>, Set<W>)> = Vec::new();
        for (site, through) in self.windows(line)?.into_iter().enumerate() {
            for window in through {
                match windows.iter_mut().find(|known| known.0 == window) {
                    Some(known) => known.1.insert(site),
                    None => windows.push((window, Set::single(site))),
                }
            }
        }
        let layout = &self.game.layout;
        let pieces = layout.piece_set[1..].iter().map(|&set| usize::from(set));
        let mut kinds: Vec<usize> = std::iter::once(EMPTY).chain(pieces).collect();
        kinds.sort_unstable();
        kinds.dedup();
        (windows.len() <= MAX_WINDOWS)
            .then(|| InLines { windows: windows.into(), kinds: kinds.into() })
    }

    fn load_owners(&self, bits: u32) -> Vec<SetExpr<W>> {
        let layout = &self.game.layout;
        (0..layout.sizes.players + 2)
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
