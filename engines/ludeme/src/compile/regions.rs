//! Regions as code.

use kernel::ir::{Combine, Expr, SetTable, Stmt, Type};

use super::arrays::{SCRATCH, Service, Slot, add, choose, either, int, is_below, slot, state_set};
use super::context::Sites;
use super::emitter::{Emitter, Finding};
use super::{bools, exists, groups, ints, piece_sets, stacks, steps, tracks};
use crate::ir::{
    Around, Bool, ByPiece, Int, Ints, Iter, JumpId, LineOfSightKind, Parts, Place, RayId, Region,
};
use crate::state::EMPTY;

/// Distances, times words of a set, beyond which steps from some sites are found site by site.
pub(super) const MOST_SHIFTS: usize = 16;

/// The sites of a region.
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
            let within = code.game.set(*within);
            piece_sets::among(code, state_set(int(EMPTY as i32)), within)
        }
        Region::Occupied { pieces, within, top } if piece_sets::can_know_pieces(code, pieces) => {
            let sites = if code.game.stacking() {
                stacks::stacks_with(code, pieces, *top)
            } else {
                piece_sets::sites_of_pieces(code, pieces)
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
            let from = emit(code, &pair.0);
            let site = ints::emit(code, &pair.1);
            from.without(Expr::single(site))
        }
        Region::If(parts) => {
            let condition = bools::emit(code, &parts.0);
            let then = code.part(|code| emit(code, &parts.1));
            let otherwise = code.part(|code| emit(code, &parts.2));
            choose(condition, then, otherwise)
        }
        Region::Filter(pair) => {
            let sites = emit(code, &pair.0);
            where_holds(code, sites, Iter::Site, &pair.1)
        }
        Region::ForSites(pair) => for_sites(code, pair),
        Region::List(sites) => sites.iter().fold(Expr::NoSites, |all, site| {
            let site = ints::emit(code, site);
            let single = Expr::single(site);
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
            code.found.add(Finding::ReadsStartOfMove);
            state_set(int(code.game.layout.pending() as i32))
        }
        Region::Elements { first, count, region } => {
            elements(code, usize::from(*count), i32::from(*first), region)
        }
        Region::Numbers { first, count, region } => {
            element_numbers(code, usize::from(*first), usize::from(*count), region)
        }
        Region::Start(component) if code.game.starts => start_of(code, component),
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
            let part = tracks::part_of_track(code, tracks, from.as_deref(), to.as_deref());
            part.unwrap_or_else(|| ask(code, region))
        }
        _ => ask(code, region),
    }
}

/// The sites of the board with a local state.
fn in_local_state(code: &mut Emitter<'_>, value: &Int) -> Expr {
    let (first, states) = code.game.layout.local_states();
    if let Int::Const(state) = value
        && (0..states as i32).contains(state)
    {
        return state_set(int(first as i32 + state)) & fixed(code, code.game.board());
    }
    let value = ints::emit(code, value);
    let value = code.keep_int(value);
    let all = code.keep(Type::Set, Expr::NoSites);
    let board = fixed(code, code.game.board());
    let layers = code.game.layout.at.extra;
    code.for_each(board, |code, site| {
        code.is_site(&site.get());
        let holds = code.by_site(layers, site.get(), 3, 0).equals(value.clone());
        let more = all.get() | Expr::single(site.get());
        code.push(Stmt::Set(all, choose(holds, more, all.get())));
    });
    all.get()
}

/// The numbers of sites that are elements of another type than the board's.
fn element_numbers(code: &mut Emitter<'_>, first: usize, count: usize, region: &Region) -> Expr {
    let sites = emit(code, region);
    let elements = sites & range(code, first..first + count);
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
        code.push(Stmt::Set(all, all.get() | more));
    });
    code.restore(&saved);
    all.get()
}

/// A region with the sites that so many steps lead to from there.
fn expanded(code: &mut Emitter<'_>, jumps: JumpId, inner: &Region, steps: i32) -> Expr {
    let mut sites = emit(code, inner);
    for _ in 0..steps {
        let from = code.keep(Type::Set, sites).get();
        let near = code.module.tables.near(code.game, jumps);
        let steps = code.game.jump(jumps).all();
        sites = from.clone() | piece_sets::union_over(code, steps, near, from);
    }
    sites
}

/// The groups of the sites of a place.
fn groups_of(
    code: &mut Emitter<'_>,
    jumps: JumpId,
    from: &Place,
    condition: Option<&Bool>,
) -> Expr {
    match from {
        Place::Site(site) => {
            let site = ints::emit(code, site);
            groups::group(code, jumps, site, condition)
        }
        Place::Region(region) => {
            let starts = emit(code, region);
            let all = code.keep(Type::Set, Expr::NoSites);
            code.for_each(starts, |code, site| {
                let group = groups::group(code, jumps, site.get(), condition);
                code.push(Stmt::Set(all, all.get() | group));
            });
            all.get()
        }
    }
}

/// The sites of numbers among the elements of another type than the board's.
fn elements(code: &mut Emitter<'_>, count: usize, first: i32, region: &Region) -> Expr {
    let numbers = emit(code, region);
    let numbers = code.keep(Type::Set, numbers).get();
    let extent = code.game.world.topology.extent();
    let elements = numbers.clone() & range(code, 0..count);
    let hands = range(code, extent.max(count)..code.game.world.sites());
    elements.shift(first) | (numbers & hands)
}

/// Where a component stood after the set-up.
fn start_of(code: &mut Emitter<'_>, component: &Int) -> Expr {
    let component = ints::emit(code, component);
    let component = code.keep_int(component);
    let known = is_below(component.clone(), code.game.layout.owner.len() as i32);
    let first = int(code.game.layout.start(0) as i32);
    let set = add(component, first);
    choose(known, state_set(set), Expr::NoSites)
}

/// The sites around others, with them if they count themselves.
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
        let origins = code.keep(Type::Set, origins).get();
        let around = around_where(code, near, &origins, kind, condition);
        return Expr::Combine(op, Box::new(around), Box::new(origins));
    }
    let (around, origins) = match origins {
        Place::Site(site) => {
            let site = ints::emit(code, site);
            let site = code.keep_int(site);
            (near.at(site.clone()), Expr::single(site))
        }
        Place::Region(origins) => {
            let origins = emit(code, origins);
            let origins = code.keep(Type::Set, origins).get();
            let steps = code.game.ray(rays).in_place(place);
            (piece_sets::union_over(code, steps, near, origins.clone()), origins)
        }
    };
    let around = piece_sets::of_kind(code, around, kind);
    Expr::Combine(op, Box::new(around), Box::new(origins))
}

/// The sites that are seen along straight paths from a site.
fn line_of_sight(
    code: &mut Emitter<'_>,
    rays: &ByPiece<RayId>,
    at: &Int,
    kind: LineOfSightKind,
) -> Expr {
    let at = ints::emit(code, at);
    let at = code.keep_int(at);
    let all = code.keep(Type::Set, Expr::NoSites);
    let empty = state_set(int(EMPTY as i32));
    steps::of_rays(code, rays, &at, |code, paths, [_, _, start, end]| {
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
            code.push(Stmt::Set(all, all.get() | single));
        }
    });
    all.get()
}

/// The sites along straight paths from others, up to some distance and up to where a condition
/// stops.
fn along(
    code: &mut Emitter<'_>,
    (rays, distance): (&ByPiece<RayId>, &Int),
    origins: &Place,
    included: &Bool,
    (stop, stop_included): (Option<&Bool>, &Bool),
) -> Expr {
    let origins = bools::sites_of_place(code, origins);
    let origins = code.keep(Type::Set, origins).get();
    let most = ints::emit(code, distance);
    let most = code.keep_int(most.max(int(0)));
    let with_stop = bools::emit(code, stop_included);
    let with_stop = code.keep_int(with_stop);
    let included = code.part(|code| bools::emit(code, included));
    let all = code.keep(Type::Set, choose(included, origins.clone(), Expr::NoSites));
    let saved = code.save([Iter::To]);
    code.for_each(origins, |code, origin| {
        steps::of_rays(code, rays, &origin.get(), |code, paths, [_, _, start, end]| {
            // No path has as many sites.
            let most = most.clone().min(int(1 << 20));
            let end = end.min(add(start.clone(), most));
            code.for_range(start, end, |code, at| {
                let site = steps::site_on(code, paths, at);
                let single = Expr::single(site.clone());
                let more = vec![Stmt::Set(all, all.get() | single)];
                let Some(stop) = stop else {
                    more.into_iter().for_each(|stmt| code.push(stmt));
                    return;
                };
                code.bind(Iter::To, site);
                let stops = bools::emit(code, stop);
                let stops = code.keep_int(stops);
                let counts = either(!stops.clone(), with_stop.clone());
                code.push(Stmt::If(counts, more, Vec::new()));
                code.push(Stmt::If(stops, vec![Stmt::Break(1)], Vec::new()));
            });
        });
    });
    code.restore(&saved);
    all.get()
}

/// Sites in a row.
fn range(code: &mut Emitter<'_>, sites: std::ops::Range<usize>) -> Expr {
    fixed(code, sites.collect())
}

/// The remembered values of a list that could be sites.
pub(super) fn remembered(code: &Emitter<'_>, list: usize) -> Expr {
    state_set(int(code.game.layout.remembered(list) as i32))
}

/// Of the sites around others those of a kind where a condition holds.
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
        code.push(Stmt::Set(all, all.get() | holds));
    });
    code.restore(&saved);
    all.get()
}

/// The union of what a table has for each of some sites.
pub(super) fn union_of(code: &mut Emitter<'_>, table: SetTable, sites: Expr) -> Expr {
    let all = code.keep(Type::Set, Expr::NoSites);
    code.for_each(sites, |code, site| {
        code.push(Stmt::Set(all, all.get() | table.at(site.get())));
    });
    all.get()
}

/// Of some sites those where a condition holds.
pub(super) fn where_holds(code: &mut Emitter<'_>, sites: Expr, iter: Iter, rule: &Bool) -> Expr {
    let condition = bools::per_site(code, Some(rule), iter);
    if let Some(known) = condition.sites {
        return sites & known;
    }
    if let Some(region) = region_of_last(rule, iter) {
        let region = emit(code, region);
        let region = code.keep(Type::Set, region).get();
        let is_outside = matches!(rule, Bool::Not(_));
        return if is_outside { sites.without(region) } else { sites & region };
    }
    let saved = code.save([iter]);
    let all = code.keep(Type::Set, Expr::NoSites);
    code.for_each(sites, |code, site| {
        let holds = bools::holds(code, &condition, site.get());
        let more = all.get() | Expr::single(site.get());
        code.push(Stmt::If(holds, vec![Stmt::Set(all, more)], Vec::new()));
    });
    code.restore(&saved);
    all.get()
}

/// A region that the evaluator works out.
pub(super) fn ask(code: &mut Emitter<'_>, region: &Region) -> Expr {
    let number = Parts::add(&mut code.parts.regions, region.clone());
    let asked = code.ask(Service::Region, vec![int(number)]);
    code.push(Stmt::Eval(asked));
    code.keep(Type::Set, Expr::LoadSet(SCRATCH, Box::new(int(0)))).get()
}

fn join(code: &mut Emitter<'_>, list: &[Region], op: Combine) -> Expr {
    let Some((first, rest)) = list.split_first() else { return Expr::NoSites };
    let first = emit(code, first);
    rest.iter().fold(first, |all, r| {
        let next = emit(code, r);
        Expr::Combine(op, Box::new(all), Box::new(next))
    })
}

/// The sites of a set that never changes.
pub(super) fn fixed(code: &mut Emitter<'_>, set: Sites) -> Expr {
    if set.is_empty() {
        return Expr::NoSites;
    }
    code.module.tables.sets([set]).at(int(0))
}

/// True if the code of a region is one expression, whose value depends on nothing but where there
/// are pieces: it can be worked out where the function begins.
pub(super) fn is_expression(region: &Region) -> bool {
    match region {
        Region::Static(_) | Region::Empty(_) => true,
        Region::Union(list) | Region::Intersection(list) => list.iter().all(is_expression),
        Region::Difference(pair) => is_expression(&pair.0) && is_expression(&pair.1),
        _ => false,
    }
}

/// The group of what was last moved, if the condition is whether a site is in it, or is not.
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
