//! Numbers as code.

use kernel::ir::{Binary, Compare as How, Expr, Type};

use super::arrays::{
    CELLS, Service, Slot, add, both, choose, drawn, int, is_below, slot, state_set,
};
use super::emitter::{Emitter, Finding};
use super::module::Trait;
use super::{bools, by_site, groups, piece_sets, regions, results, stacks, tracks};
use crate::ir::{
    Arithmetic, ByPiece, Compare, EvaluatedParts, Fold, Int, Ints, Layer, Pieces, Place, RayId,
    Reach, Region, SortedMap,
};
use crate::lower::Feature;
use crate::state::Occupancy;

/// The comparison of the kernel's IR for one of the rules.
pub(super) fn comparison(compared: Compare) -> How {
    match compared {
        Compare::Equal => How::Equal,
        Compare::NotEqual => How::NotEqual,
        Compare::Less => How::Less,
        Compare::LessEqual => How::LessEqual,
        Compare::Greater => How::Greater,
        Compare::GreaterEqual => How::GreaterEqual,
    }
}

/// The largest table of sites by row and column.
pub(super) const MOST_COORDINATES: i32 = 4096;

/// The most sites of a board with a table of distances between all of them.
const MOST_DISTANCES: usize = 512;

/// The end of the keys of maps with a table.
const MOST_KEYS: usize = 4096;

/// Code for a number.
pub(super) fn emit(code: &mut Emitter<'_>, node: &Int) -> Expr {
    match node {
        Int::Const(value) => int(*value),
        Int::Iter(iter) => code.variable(*iter),
        Int::Mover => slot(Slot::Mover),
        Int::Next => slot(Slot::Next),
        Int::Prev => slot(Slot::Prev),
        Int::Counter => slot(Slot::Counter),
        Int::Moves => {
            code.findings.add(Finding::ReadsStartOfMove);
            slot(Slot::Moves)
        }
        Int::Turns => slot(Slot::Turns),
        Int::MovesThisTurn => slot(Slot::MovesThisTurn),
        Int::LastTo => slot(Slot::LastTo),
        Int::LastFrom => slot(Slot::LastFrom),
        Int::LastToAfter => slot(Slot::LastToAfter),
        Int::LastFromAfter => slot(Slot::LastFromAfter),
        Int::LastLevelTo => slot(Slot::LevelTo),
        Int::LastLevelFrom => slot(Slot::LevelFrom),
        Int::Pips => slot(Slot::Pips),
        Int::Var(var) => CELLS.at(int((code.game.layout.at.vars + var) as i32)),
        Int::Score(who) => by_site::by_player(code, code.game.layout.at.scores, who, 0),
        Int::PlayerValue(who) => by_site::by_player(code, code.game.layout.at.values, who, -1),
        Int::Fold(kind, terms) => fold(code, *kind, terms),
        Int::Arithmetic(operation, pair) => {
            let op = match operation {
                Arithmetic::Sub => Binary::Sub,
                Arithmetic::Div => Binary::Div,
                Arithmetic::Mod => Binary::Rem,
                Arithmetic::Pow => return ask(code, node),
            };
            let (a, b) = (emit(code, &pair.0), emit(code, &pair.1));
            Expr::Binary(op, Box::new(a), Box::new(b))
        }
        Int::Abs(a) => emit(code, a).abs(),
        Int::If(parts) => {
            let condition = bools::emit(code, &parts.0);
            let (then, otherwise) = (lazy(code, &parts.1), lazy(code, &parts.2));
            choose(condition, then, otherwise)
        }
        Int::FromBool(condition) => bools::emit(code, condition),
        Int::Random(range) if draws(code) => random(code, range, node),
        _ => int_of_sites(code, node),
    }
}

/// Code for a number, in a form that can be read more than once.
pub(super) fn kept(code: &mut Emitter<'_>, number: &Int) -> Expr {
    let value = emit(code, number);
    code.keep_int(value)
}

/// Code for a number that is not always used, and runs only where it is.
pub(super) fn lazy(code: &mut Emitter<'_>, number: &Int) -> Expr {
    code.lazily(|code| emit(code, number))
}

/// Code for a number that depends on sites and their contents.
fn int_of_sites(code: &mut Emitter<'_>, node: &Int) -> Expr {
    match node {
        Int::At { layer, at, level, reach } => layer_at(code, *layer, at, level.as_deref(), *reach),
        Int::Count { at, reach } => {
            let site = emit(code, at);
            by_site::if_visible(code, site, *reach, by_site::count_at)
        }
        Int::CountIn { region, reach } => {
            let sites = regions::emit(code, region);
            let seen = bools::visible(code, *reach);
            by_site::sum_over(code, seen.of(sites), by_site::count_at)
        }
        Int::Number(site) => number_of(code, site),
        Int::Element { first, count, number } => element(code, *first, *count, number),
        Int::ByCoordinates(parts) => {
            let (row, column) = (emit(code, &parts.1), emit(code, &parts.2));
            let (row, column) = (code.keep_int(row), code.keep_int(column));
            by_site::site_at(code, &parts.0, row, column).unwrap_or_else(|| ask(code, node))
        }
        Int::Face(at) => face(code, at),
        Int::TrackFirst { tracks, from, condition } => {
            let first = tracks::first_where(code, tracks, from.as_deref(), condition.as_deref());
            first.unwrap_or_else(|| ask(code, node))
        }
        Int::ArraySize(list) => match &**list {
            Ints::Region(region) => regions::emit(code, region).len(),
            _ => ask(code, node),
        },
        Int::StackSize(place) => stack_size(code, place),
        Int::TopLevel(_) if !code.game.stacking() => int(0),
        Int::TopLevel(at) => top_level(code, at),
        Int::CountPieces { pieces, within, condition: None }
            if piece_sets::has_code(code, pieces) =>
        {
            count_pieces(code, pieces, within.as_deref())
        }
        Int::CountSites(region) => regions::emit(code, region).len(),
        Int::Table(pair) => in_table(code, pair),
        Int::HandSite(parts) => hand_site(code, parts),
        Int::IdOf { components, owner } => id_of(code, components, owner),
        Int::WhereLowest(component) => {
            let component = emit(code, component);
            by_site::lowest(code, component)
        }
        // The sets of pieces have only the tops of stacks.
        Int::WhereOwned { components, owner }
            if !(code.game.layout.is_ordered() && code.game.stacking()) =>
        {
            where_owned(code, node, components, owner)
        }
        Int::Ahead { rays: ByPiece::Same(rays), site, steps } => match steps.constant() {
            Some(steps) => ahead(code, *rays, site, steps),
            None => ask(code, node),
        },
        Int::PendingValue => pending_value(code),
        Int::MapEntry(pair) => map_entry(code, pair).unwrap_or_else(|| ask(code, node)),
        Int::TrackMove { tracks, from, steps } => {
            tracks::site_after(code, tracks, from, steps).unwrap_or_else(|| ask(code, node))
        }
        Int::TrackEnd { tracks } => {
            let tracks = tracks::meant(code, tracks);
            tracks::by_track(code, tracks, |_, track| {
                int(track.sites.last().copied().unwrap_or(-1))
            })
        }
        Int::CountSteps { distances, from, to } => match &**to {
            Place::Site(to) if code.game.distances(*distances).len() <= MOST_DISTANCES => {
                by_site::steps_between(code, *distances, from, to)
            }
            Place::Region(to) if code.game.distances(*distances).len() <= MOST_DISTANCES => {
                results::steps_to(code, *distances, from, to)
            }
            _ => ask(code, node),
        },
        Int::FoldInts(kind, list) => {
            results::fold(code, *kind, list).unwrap_or_else(|| ask(code, node))
        }
        Int::CountGroups { jumps, condition, min } => {
            groups::count_groups(code, *jumps, condition.as_deref(), min)
        }
        Int::CountLiberties { jumps, at, condition } => {
            groups::liberties(code, *jumps, at, condition.as_deref())
        }
        Int::GroupSize { jumps, at, condition } => {
            let at = emit(code, at);
            groups::group(code, *jumps, at, condition.as_deref()).len()
        }
        Int::Territory { jumps, owners } => {
            groups::territory(code, *jumps, owners).unwrap_or_else(|| ask(code, node))
        }
        Int::RegionSite(pair) => regions::emit(code, &pair.0).nth(emit(code, &pair.1)),
        _ => ask(code, node),
    }
}

/// The number of the topmost level of a stack.
fn top_level(code: &mut Emitter<'_>, at: &Int) -> Expr {
    let site = emit(code, at);
    (by_site::height_at(code, site) - int(1)).max(int(0))
}

/// The sum, product, maximum or minimum of several numbers.
fn fold(code: &mut Emitter<'_>, kind: Fold, terms: &[Int]) -> Expr {
    match terms.split_first() {
        None => int(kind.of(&[])),
        Some((first, rest)) => {
            let op = match kind {
                Fold::Sum => Binary::Add,
                Fold::Product => Binary::Mul,
                Fold::Max => Binary::Max,
                Fold::Min => Binary::Min,
            };
            rest.iter().fold(emit(code, first), |value, term| {
                let term = emit(code, term);
                if op == Binary::Add {
                    add(value, term)
                } else {
                    Expr::Binary(op, Box::new(value), Box::new(term))
                }
            })
        }
    }
}

/// The value of a layer of a site, or of one level of its stack.
fn layer_at(
    code: &mut Emitter<'_>,
    layer: Layer,
    at: &Int,
    level: Option<&Int>,
    reach: Reach,
) -> Expr {
    let site = emit(code, at);
    match level {
        Some(level) if code.game.stacking() => {
            let level = emit(code, level);
            stacks::layer(code, layer, site, Some(level), reach)
        }
        _ => by_site::layer_of(code, layer, site, reach),
    }
}

/// The number that rules have for a site, in games on elements of several types.
fn number_of(code: &mut Emitter<'_>, site: &Int) -> Expr {
    let site = kept(code, site);
    // A table has 0 beyond its end.
    let world = &code.game.world;
    let before = (0..world.sites() as i32).map(|site| site - world.number(site));
    let before = code.table(before).at(site.clone());
    site - before
}

/// The site with a number among the elements of another type than the board's.
fn element(code: &mut Emitter<'_>, first: i32, count: i32, number: &Int) -> Expr {
    let number = kept(code, number);
    let extent = code.game.world.topology.extent() as i32;
    let is_element = is_below(number.clone(), count);
    let otherwise = choose(number.clone().at_least(int(extent)), number.clone(), int(-1));
    choose(is_element, add(number, int(first)), otherwise)
}

/// The height of the stacks in a place.
fn stack_size(code: &mut Emitter<'_>, place: &Place) -> Expr {
    match place {
        Place::Site(site) => {
            let site = emit(code, site);
            by_site::height_at(code, site)
        }
        Place::Region(region) => {
            let sites = regions::emit(code, region);
            by_site::sum_over(code, sites, by_site::height_at)
        }
    }
}

/// The number of pieces, of the whole game or of a region.
fn count_pieces(code: &mut Emitter<'_>, pieces: &Pieces, within: Option<&Region>) -> Expr {
    if code.game.stacking() {
        return stacks::count(code, pieces, within);
    }
    let sites = piece_sets::within(code, pieces, within);
    if code.game.layout.occupancy == Occupancy::Flat {
        return sites.len();
    }
    by_site::sum_over(code, sites, by_site::count_at)
}

/// An entry of a static table; -1 beyond its end.
fn in_table(code: &mut Emitter<'_>, pair: &(Box<[i32]>, Int)) -> Expr {
    let length = pair.0.len() as i32;
    let numbers = code.table(pair.0.iter().copied());
    let at = kept(code, &pair.1);
    choose(is_below(at.clone(), length), numbers.at(at), int(-1))
}

/// The site of a hand with an index; -1 if the player has no hand.
fn hand_site(code: &mut Emitter<'_>, parts: &(Box<[i32]>, Int, Int)) -> Expr {
    let length = parts.0.len() as i32;
    let firsts = code.table(parts.0.iter().copied());
    let owner = kept(code, &parts.1);
    let first = code.keep_int(choose(is_below(owner.clone(), length), firsts.at(owner), int(-1)));
    choose(first.clone().less(int(0)), int(-1), first + lazy(code, &parts.2))
}

/// The component of an owner; -1 if the owner has none.
fn id_of(code: &mut Emitter<'_>, components: &[i32], owner: &Int) -> Expr {
    let length = components.len() as i32;
    let ids = code.table(components.iter().copied());
    let owner = kept(code, owner);
    choose(is_below(owner.clone(), length), ids.at(owner), int(-1))
}

/// The first site of the component of an owner.
fn where_owned(code: &mut Emitter<'_>, node: &Int, components: &[u16], owner: &Int) -> Expr {
    let ids = code.table(components.iter().map(|&c| i32::from(c)));
    let owner = emit(code, owner);
    let component = code.keep_int(ids.at(owner));
    let there = by_site::on_board(code, &component);
    let lowest = by_site::lowest_of(component.clone(), there.clone());
    if !code.game.layout.is_ordered() {
        return lowest;
    }
    // If there are several pieces, the one placed first counts.
    let is_alone = there.len().at_most(int(1));
    let world = &code.game.world;
    if code.game.layout.has_order_lists() || world.topology.sites() < world.sites() {
        return choose(is_alone, lowest, code.lazily(|code| ask(code, node)));
    }
    let order = code.module.tables.orders(code.game).at(component);
    let order = code.keep_int(order);
    // An owner without such a component has no order of placing, and no site.
    choose(is_alone, lowest, choose(order.clone(), CELLS.at(add(order, int(1))), int(-1)))
}

/// The site at a distance along the first ray that is long enough, or else the site itself.
fn ahead(code: &mut Emitter<'_>, rays: RayId, site: &Int, steps: i32) -> Expr {
    let rays = code.game.ray(rays);
    let index = usize::try_from(steps.wrapping_sub(1)).unwrap_or(usize::MAX);
    let ahead = (0..rays.sites()).map(|site| {
        rays.of(site).find_map(|ray| ray.get(index)).map_or(site as i32, |&s| i32::from(s))
    });
    let ahead: Vec<i32> = ahead.collect();
    let length = ahead.len() as i32;
    let ahead = code.table(ahead);
    let site = kept(code, site);
    let is_site = is_below(site.clone(), length);
    let beyond = site.clone().max(int(-1));
    choose(is_site, ahead.at(site), beyond)
}

/// The pending number, or the only pending site; 0 if there is neither.
fn pending_value(code: &mut Emitter<'_>) -> Expr {
    code.findings.add(Finding::ReadsStartOfMove);
    code.module.traits.add(Trait::NeedsCopy);
    let sites = state_set(int(code.game.layout.pending() as i32));
    let sites = code.keep_set(sites);
    let number = sites.clone().len();
    let number = code.keep_int(number);
    let has = slot(Slot::HasPending);
    let single = both(!has.clone(), number.clone().equals(int(1)));
    let first = sites.nth(int(0));
    choose(both(has, number.equals(int(0))), slot(Slot::Pending), choose(single, first, int(0)))
}

/// True if code may draw a number here: effects run once, but generators may run again.
fn draws(code: &Emitter<'_>) -> bool {
    code.is_effect() && !code.game.has(Feature::Random)
}

/// A number drawn from a range; -1 from an empty one.
fn random(code: &mut Emitter<'_>, range: &(Int, Int), node: &Int) -> Expr {
    let (least, most) = (emit(code, &range.0), emit(code, &range.1));
    let (least, most) = (code.keep_int(least), code.keep_int(most));
    if let (Expr::Int(least), Expr::Int(most)) = (&least, &most) {
        let number = i64::from(*most) - i64::from(*least) + 1;
        return match i32::try_from(number) {
            Ok(..=0) => int(-1),
            Ok(number) => code.keep(Type::Int, add(drawn(int(number)), int(*least))).get(),
            Err(_) => ask(code, node),
        };
    }
    let number = code.keep_int(add(most.clone() - least.clone(), int(1)));
    let empty = most.less(least.clone());
    // The evaluator draws from ranges that are too long for code.
    let asked = code.lazily(|code| ask(code, node));
    let drawn = choose(number.clone().greater(int(0)), drawn(number) + least, asked);
    code.keep(Type::Int, choose(empty, int(-1), drawn)).get()
}

/// A call of the evaluator for a number.
fn ask(code: &mut Emitter<'_>, node: &Int) -> Expr {
    let number = EvaluatedParts::add(&mut code.parts.ints, node.clone());
    code.ask(Service::Int, vec![int(number)])
}

/// The value of a key in the first map that has it, or else the key; `None` if keys are too large
/// for a table.
fn map_entry(code: &mut Emitter<'_>, pair: &(Box<[SortedMap]>, Int)) -> Option<Expr> {
    let mut more = Vec::new();
    for &(key, value) in pair.0.iter().rev().flat_map(|map| map.iter()) {
        let key = usize::try_from(key).ok().filter(|&key| key < MOST_KEYS)?;
        if more.len() <= key {
            more.resize(key + 1, 0);
        }
        // -99 stands for no value.
        more[key] = if value == -99 { 0 } else { value.wrapping_sub(key as i32) };
    }
    let more = code.table(more);
    let key = kept(code, &pair.1);
    Some(key.clone() + more.at(key))
}

/// The number that a die shows, by the side that it lies on; -1 if the site has no die.
fn face(code: &mut Emitter<'_>, at: &Int) -> Expr {
    let site = emit(code, at);
    let Some(dice) = &code.game.world.dice else { return int(-1) };
    let site = code.keep_int(site);
    let side = by_site::layer_of(code, Layer::State, site.clone(), Reach::All);
    let side = code.keep_int(side);
    let sides = dice.faces.iter().map(Vec::len).max().unwrap_or(0);
    let faces = dice.faces.iter();
    let shown = faces.flat_map(|die| (0..sides).map(|s| die.get(s).copied().unwrap_or(-1)));
    let shown = code.table(shown);
    let die = code.keep_int(site - int(dice.first as i32));
    let is_die = is_below(die.clone(), dice.faces.len() as i32);
    let has_side = is_below(side.clone(), sides as i32);
    choose(both(is_die, has_side), shown.at(die * int(sides as i32) + side), int(-1))
}
