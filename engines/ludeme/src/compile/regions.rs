//! Code for regions: sets of sites.

use kernel::ir::{Combine, Expr, SetTable, Stmt, Type};

use super::arrays::{SCRATCH, Service, Slot, add, choose, either, int, is_below, slot, state_set};
use super::context::Sites;
use super::emitter::{Emitter, Finding};
use super::{bools, exists, groups, ints, piece_sets, stacks, steps, tracks};
use crate::ir::{
    Around, Bool, ByPiece, EvaluatedParts, Int, Ints, Iter, JumpId, LineOfSightKind, Place, RayId,
    Region,
};
use crate::lower::Feature;
use crate::state::EMPTY;

/// The most shifts of sets, counted in words, for the union of steps from many sites.
pub(super) const MOST_SHIFTS: usize = 16;

/// Code for a region.
pub(super) fn emit(code: &mut Emitter<'_>, region: &Region) -> Expr {
    match region {
        Region::Static(set) => fixed(code, code.game.set(*set)),
        Region::ByPlayer(who, sets) => {
            let who = ints::emit(code, who);
            piece_sets::indexed(code, sets, who)
        }
        Region::Indexed(pair) => {
            let index = ints::emit(code, &pair.1);
            piece_sets::indexed(code, &pair.0, index)
        }
        Region::Empty(within) => {
            piece_sets::among(code, state_set(int(EMPTY as i32)), code.game.set(*within))
        }
        Region::Occupied { pieces, within, top } if piece_sets::has_code(code, pieces) => {
            let sites = if code.game.stacking() {
                stacks::sites_with(code, pieces, *top)
            } else {
                piece_sets::of_pieces(code, pieces)
            };
            piece_sets::among(code, sites, code.game.set(*within))
        }
        Region::FromInts(list) => match **list {
            Ints::Remembered(list) => remembered(code, list),
            _ => ask(code, region),
        },
        Region::Union(list) => join(code, list, Combine::Or),
        Region::Intersection(list) => join(code, list, Combine::And),
        Region::Difference(pair) => {
            let (a, b) = (emit(code, &pair.0), emit(code, &pair.1));
            a.without(b)
        }
        Region::Without(pair) => {
            emit(code, &pair.0).without(Expr::single(ints::emit(code, &pair.1)))
        }
        Region::If(parts) => {
            let condition = bools::emit(code, &parts.0);
            let then = code.lazily(|code| emit(code, &parts.1));
            choose(condition, then, code.lazily(|code| emit(code, &parts.2)))
        }
        Region::Filter(pair) => {
            let sites = emit(code, &pair.0);
            where_holds(code, sites, Iter::Site, &pair.1)
        }
        Region::ForSites(pair) => for_sites(code, pair),
        Region::List(sites) => sites.iter().fold(Expr::NoSites, |all, site| {
            let single = Expr::single(ints::emit(code, site));
            if all == Expr::NoSites { single } else { all | single }
        }),
        Region::Expand { jumps, region: inner, steps } => match **steps {
            Int::Const(steps @ 0..=2) => expanded(code, *jumps, inner, steps),
            _ => ask(code, region),
        },
        Region::Group { jumps, from, condition } => {
            groups_of(code, *jumps, from, condition.as_deref())
        }
        Region::Pending => {
            code.findings.add(Finding::ReadsStartOfMove);
            state_set(int(code.game.layout.pending() as i32))
        }
        Region::Elements { first, count, region } => {
            elements(code, usize::from(*count), i32::from(*first), region)
        }
        Region::Numbers { first, count, region } => {
            element_numbers(code, usize::from(*first), usize::from(*count), region)
        }
        Region::Start(component) if code.game.has(Feature::Starts) => start_of(code, component),
        Region::ToClear => Expr::LoadSet(SCRATCH, Box::new(int(1))),
        Region::Around { rays, origins, kind, distance, condition, include_self }
            if !(code.game.world.teams.is_some()
                && matches!(kind, Around::Enemy | Around::NotEnemy)) =>
        {
            let Int::Const(distance) = **distance else { return ask(code, region) };
            let place = usize::try_from(distance.wrapping_sub(1)).unwrap_or(usize::MAX);
            let near = code.module.tables.in_place(code.game, *rays, place);
            let which = (*kind, condition.as_deref());
            let op = if *include_self { Combine::Or } else { Combine::Without };
            around_sites(code, near, (*rays, place), origins, which, op)
        }
        Region::Direction { rays, origins, included, stop, stop_included, distance } => {
            along(code, (rays, distance), origins, included, (stop.as_deref(), stop_included))
        }
        Region::LineOfSight { rays, at, kind } => line_of_sight(code, rays, at, *kind),
        Region::State(value) if code.game.layout.at.extra != 0 && !code.game.stacking() => {
            in_local_state(code, value)
        }
        Region::Destinations(moves) => {
            exists::destinations(code, code.game.generator(*moves), None)
        }
        Region::LastTo => Expr::single(slot(Slot::LastTo)) | Expr::single(slot(Slot::LastToAfter)),
        Region::Track { tracks, from, to } => {
            let part = tracks::part(code, tracks, from.as_deref(), to.as_deref());
            part.unwrap_or_else(|| ask(code, region))
        }
        _ => ask(code, region),
    }
}

/// Code for a region, in a variable, so that it can be read more than once.
pub(super) fn kept(code: &mut Emitter<'_>, region: &Region) -> Expr {
    let sites = emit(code, region);
    code.keep_set(sites)
}

/// The sites of the board that have a local state.
fn in_local_state(code: &mut Emitter<'_>, value: &Int) -> Expr {
    let (first, states) = code.game.layout.local_states();
    if let Int::Const(state) = value
        && (0..states as i32).contains(state)
    {
        return state_set(int(first as i32 + state)) & fixed(code, code.game.board());
    }
    let value = ints::kept(code, value);
    let all = code.keep(Type::Set, Expr::NoSites);
    let board = fixed(code, code.game.board());
    let layers = code.game.layout.at.extra;
    code.for_each(board, |code, site| {
        code.assume_site(&site.get());
        let holds = code.by_site(layers, site.get(), 3, 0).equals(value.clone());
        let more = all.get() | Expr::single(site.get());
        code.set(all, choose(holds, more, all.get()));
    });
    all.get()
}

/// The numbers of sites that are elements of another type than the board's.
fn element_numbers(code: &mut Emitter<'_>, first: usize, count: usize, region: &Region) -> Expr {
    let elements = emit(code, region) & range(code, first..first + count);
    elements.shift(-(first as i32))
}

/// The union of a region that is evaluated for each site of another.
fn for_sites(code: &mut Emitter<'_>, pair: &(Region, Region)) -> Expr {
    let sites = emit(code, &pair.0);
    let saved = code.save([Iter::Site]);
    let all = code.keep(Type::Set, Expr::NoSites);
    code.for_each(sites, |code, site| {
        code.bind(Iter::Site, site.get());
        let more = emit(code, &pair.1);
        code.set(all, all.get() | more);
    });
    code.restore(&saved);
    all.get()
}

/// A region with all sites within a number of steps from it.
fn expanded(code: &mut Emitter<'_>, jumps: JumpId, inner: &Region, steps: i32) -> Expr {
    let mut sites = emit(code, inner);
    for _ in 0..steps {
        let from = code.keep_set(sites);
        let near = code.near(jumps);
        let steps = code.game.jump(jumps).all();
        sites = from.clone() | piece_sets::union_over(code, steps, near, from);
    }
    sites
}

/// The groups of the sites of a place.
fn groups_of(code: &mut Emitter<'_>, jumps: JumpId, from: &Place, rule: Option<&Bool>) -> Expr {
    match from {
        Place::Site(site) => {
            let site = ints::emit(code, site);
            groups::group(code, jumps, site, rule)
        }
        Place::Region(region) => {
            let starts = emit(code, region);
            let all = code.keep(Type::Set, Expr::NoSites);
            code.for_each(starts, |code, site| {
                let group = groups::group(code, jumps, site.get(), rule);
                code.set(all, all.get() | group);
            });
            all.get()
        }
    }
}

/// The sites of numbers among the elements of another type than the board's.
fn elements(code: &mut Emitter<'_>, count: usize, first: i32, region: &Region) -> Expr {
    let numbers = kept(code, region);
    let extent = code.game.world.topology.extent();
    let elements = numbers.clone() & range(code, 0..count);
    let hands = range(code, extent.max(count)..code.game.world.sites());
    elements.shift(first) | (numbers & hands)
}

/// The sites where a component stood after the set-up.
fn start_of(code: &mut Emitter<'_>, component: &Int) -> Expr {
    let component = ints::kept(code, component);
    let is_component = is_below(component.clone(), code.game.layout.owner.len() as i32);
    choose(
        is_component,
        state_set(add(component, int(code.game.layout.start(0) as i32))),
        Expr::NoSites,
    )
}

/// The sites around others, with or without these.
fn around_sites(
    code: &mut Emitter<'_>,
    near: SetTable,
    (rays, place): (RayId, usize),
    origins: &Place,
    (kind, condition): (Around, Option<&Bool>),
    op: Combine,
) -> Expr {
    if let Some(condition) = condition {
        let origins = bools::sites_of_place(code, origins);
        let origins = code.keep_set(origins);
        let around = around_where(code, near, &origins, kind, condition);
        return Expr::Combine(op, Box::new(around), Box::new(origins));
    }
    let (around, origins) = match origins {
        Place::Site(site) => {
            let site = ints::kept(code, site);
            (near.at(site.clone()), Expr::single(site))
        }
        Place::Region(origins) => {
            let origins = kept(code, origins);
            let steps = code.game.ray(rays).in_place(place);
            (piece_sets::union_over(code, steps, near, origins.clone()), origins)
        }
    };
    Expr::Combine(op, Box::new(piece_sets::of_kind(code, around, kind)), Box::new(origins))
}

/// The sites in line of sight from a site.
fn line_of_sight(
    code: &mut Emitter<'_>,
    rays: &ByPiece<RayId>,
    at: &Int,
    kind: LineOfSightKind,
) -> Expr {
    let at = ints::kept(code, at);
    let all = code.keep(Type::Set, Expr::NoSites);
    let empty = state_set(int(EMPTY as i32));
    steps::for_paths(code, rays, &at, |code, paths, [_, _, start, end]| {
        let farthest = code.keep(Type::Int, int(-1));
        code.for_range(start, end, |code, at| {
            let site = steps::site_on(code, paths, at);
            let single = Expr::single(site.clone());
            let found = Stmt::Set(all, all.get() | single);
            let free = empty.clone().contains(site.clone());
            let (on, off) = match kind {
                LineOfSightKind::Empty => (vec![found], vec![Stmt::Break(1)]),
                LineOfSightKind::Farthest => {
                    (vec![Stmt::Set(farthest, site)], vec![Stmt::Break(1)])
                }
                LineOfSightKind::Piece => (Vec::new(), vec![found, Stmt::Break(1)]),
            };
            code.push(Stmt::If(free, on, off));
        });
        if kind == LineOfSightKind::Farthest {
            let single = Expr::single(farthest.get());
            code.set(all, all.get() | single);
        }
    });
    all.get()
}

/// The sites along straight paths from others, up to a distance and to the first site where a
/// condition stops.
fn along(
    code: &mut Emitter<'_>,
    (rays, distance): (&ByPiece<RayId>, &Int),
    origins: &Place,
    included: &Bool,
    (stop, stop_included): (Option<&Bool>, &Bool),
) -> Expr {
    let origins = bools::sites_of_place(code, origins);
    let origins = code.keep_set(origins);
    let most = ints::emit(code, distance);
    let most = code.keep_int(most.max(int(0)));
    let with_stop = bools::emit(code, stop_included);
    let with_stop = code.keep_int(with_stop);
    let included = code.lazily(|code| bools::emit(code, included));
    let all = code.keep(Type::Set, choose(included, origins.clone(), Expr::NoSites));
    let saved = code.save([Iter::To]);
    code.for_each(origins, |code, origin| {
        steps::for_paths(code, rays, &origin.get(), |code, paths, [_, _, start, end]| {
            // No path is longer, and the sum cannot overflow.
            let end = end.min(add(start.clone(), most.clone().min(int(1 << 20))));
            code.for_range(start, end, |code, at| {
                let site = steps::site_on(code, paths, at);
                let single = Expr::single(site.clone());
                let more = vec![Stmt::Set(all, all.get() | single)];
                let Some(stop) = stop else {
                    code.extend(more);
                    return;
                };
                code.bind(Iter::To, site);
                let stops = bools::emit(code, stop);
                let stops = code.keep_int(stops);
                code.push_if(either(!stops.clone(), with_stop.clone()), more);
                code.push_if(stops, vec![Stmt::Break(1)]);
            });
        });
    });
    code.restore(&saved);
    all.get()
}

/// The sites with consecutive numbers.
fn range(code: &mut Emitter<'_>, sites: std::ops::Range<usize>) -> Expr {
    fixed(code, sites.collect())
}

/// The remembered values of a list, as a set; values that could not be sites are missing.
pub(super) fn remembered(code: &Emitter<'_>, list: usize) -> Expr {
    state_set(int(code.game.layout.remembered(list) as i32))
}

/// The sites around others that are of a kind, and for which a condition holds.
fn around_where(
    code: &mut Emitter<'_>,
    near: SetTable,
    origins: &Expr,
    kind: Around,
    condition: &Bool,
) -> Expr {
    let saved = code.save([Iter::From, Iter::To]);
    let all = code.keep(Type::Set, Expr::NoSites);
    code.for_each(origins.clone(), |code, origin| {
        code.bind(Iter::From, origin.get());
        let around = piece_sets::of_kind(code, near.at(origin.get()), kind);
        let holds = where_holds(code, around, Iter::To, condition);
        code.set(all, all.get() | holds);
    });
    code.restore(&saved);
    all.get()
}

/// The union of the rows that a table has for the sites of a set.
pub(super) fn union_of(code: &mut Emitter<'_>, table: SetTable, sites: Expr) -> Expr {
    let all = code.keep(Type::Set, Expr::NoSites);
    code.for_each(sites, |code, site| {
        code.set(all, all.get() | table.at(site.get()));
    });
    all.get()
}

/// The sites of a set for which a condition holds.
pub(super) fn where_holds(code: &mut Emitter<'_>, sites: Expr, iter: Iter, rule: &Bool) -> Expr {
    let condition = bools::per_site(code, Some(rule), iter);
    if let Some(holding) = condition.sites {
        return sites & holding;
    }
    if let Some(region) = region_of_last(rule, iter) {
        let region = kept(code, region);
        return if matches!(rule, Bool::Not(_)) { sites.without(region) } else { sites & region };
    }
    let saved = code.save([iter]);
    let all = code.keep(Type::Set, Expr::NoSites);
    code.for_each(sites, |code, site| {
        let holds = bools::holds(code, &condition, site.get());
        let more = all.get() | Expr::single(site.get());
        code.push_if(holds, vec![Stmt::Set(all, more)]);
    });
    code.restore(&saved);
    all.get()
}

/// A call of the evaluator for a region.
pub(super) fn ask(code: &mut Emitter<'_>, region: &Region) -> Expr {
    let number = EvaluatedParts::add(&mut code.parts.regions, region.clone());
    let asked = code.ask(Service::Region, vec![int(number)]);
    code.push(Stmt::Eval(asked));
    code.keep_set(Expr::LoadSet(SCRATCH, Box::new(int(0))))
}

/// The union or intersection of regions.
fn join(code: &mut Emitter<'_>, list: &[Region], op: Combine) -> Expr {
    let Some((first, rest)) = list.split_first() else { return Expr::NoSites };
    rest.iter()
        .fold(emit(code, first), |all, r| Expr::Combine(op, Box::new(all), Box::new(emit(code, r))))
}

/// A static set.
pub(super) fn fixed(code: &mut Emitter<'_>, set: Sites) -> Expr {
    if set.is_empty() {
        return Expr::NoSites;
    }
    code.set_table([set]).at(int(0))
}

/// True if the code of a region is one expression that depends only on the empty sites, so that it
/// can be hoisted.
pub(super) fn is_expression(region: &Region) -> bool {
    match region {
        Region::Static(_) | Region::Empty(_) => true,
        Region::Union(list) | Region::Intersection(list) => list.iter().all(is_expression),
        Region::Difference(pair) => is_expression(&pair.0) && is_expression(&pair.1),
        _ => false,
    }
}

/// The group of the last moved piece, if a condition tests that a site is in it, or not in it.
fn region_of_last(rule: &Bool, iter: Iter) -> Option<&Region> {
    match rule {
        Bool::Not(inner) if matches!(**inner, Bool::InRegion(..)) => region_of_last(inner, iter),
        Bool::InRegion(sites, region) if **sites == [Int::Iter(iter)] => match &**region {
            Region::Group { from, condition: None, .. } => {
                (**from == Place::Site(Int::LastTo)).then_some(&**region)
            }
            _ => None,
        },
        _ => None,
    }
}
