//! Numbers as code.

use kernel::ir::{Binary, Compare as How, Expr, Type};

use super::arrays::{
    CELLS, Service, Slot, add, both, choose, drawn, int, is_below, slot, state_set,
};
use super::emitter::{Consumer, Emitter, Finding};
use super::module::Trait;
use super::{bools, by_site, groups, piece_sets, regions, results, stacks, tracks};
use crate::ir::{
    Arithmetic, ByPiece, Compare, Fold, Int, Ints, Layer, Parts, Pieces, Place, RayId, Reach,
    Region, SortedMap,
};
use crate::state::Occupancy;

/// The comparison in code.
pub(super) fn how(how: Compare) -> How {
    match how {
        Compare::Equal => How::Equal,
        Compare::NotEqual => How::NotEqual,
        Compare::Less => How::Less,
        Compare::LessEqual => How::LessEqual,
        Compare::Greater => How::Greater,
        Compare::GreaterEqual => How::GreaterEqual,
    }
}

/// Rows and columns of a board, multiplied, beyond which there is no table of its sites by both.
pub(super) const MOST_COORDINATES: i32 = 4096;

/// Sites between which distances are kept in one table.
const MOST_DISTANCES: usize = 512;

/// Keys of maps beyond which there is no table.
const MOST_KEYS: usize = 4096;

/// The value of a number.
pub(super) fn emit(code: &mut Emitter<'_>, of: &Int) -> Expr {
    match of {
        Int::Const(value) => int(*value),
        Int::Iter(iter) => code.variable(*iter),
        Int::Mover => slot(Slot::Mover),
        Int::Next => slot(Slot::Next),
        Int::Prev => slot(Slot::Prev),
        Int::Counter => slot(Slot::Counter),
        Int::Moves => {
            code.found.add(Finding::ReadsStartOfMove);
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
        Int::Score(who) => {
            let who = emit(code, who);
            by_site::by_player(code, code.game.layout.at.scores, who, 0)
        }
        Int::PlayerValue(who) => {
            let who = emit(code, who);
            by_site::by_player(code, code.game.layout.at.values, who, -1)
        }
        Int::Fold(kind, terms) => fold(code, *kind, terms),
        Int::Arithmetic(operation, pair) => {
            let op = match operation {
                Arithmetic::Sub => Binary::Sub,
                Arithmetic::Div => Binary::Div,
                Arithmetic::Mod => Binary::Rem,
                Arithmetic::Pow => return ask(code, of),
            };
            let (a, b) = (emit(code, &pair.0), emit(code, &pair.1));
            Expr::Binary(op, Box::new(a), Box::new(b))
        }
        Int::Abs(a) => emit(code, a).abs(),
        Int::If(parts) => {
            let condition = bools::emit(code, &parts.0);
            let (then, otherwise) =
                (by_site::in_part(code, &parts.1), by_site::in_part(code, &parts.2));
            choose(condition, then, otherwise)
        }
        Int::FromBool(condition) => bools::emit(code, condition),
        Int::Random(range) if draws(code) => random(code, range, of),
        _ => int_of_sites(code, of),
    }
}

/// A number that depends on sites and on what stands there.
fn int_of_sites(code: &mut Emitter<'_>, of: &Int) -> Expr {
    match of {
        Int::At { layer, at, level, reach } => layer_at(code, *layer, at, level.as_deref(), *reach),
        Int::Count { at, reach } => {
            let site = emit(code, at);
            by_site::reached(code, site, *reach, by_site::count_at)
        }
        Int::CountIn { region, reach } => {
            let sites = regions::emit(code, region);
            let seen = bools::seen(code, *reach);
            by_site::sum_over(code, seen.of(sites), by_site::count_at)
        }
        Int::Number(site) => number_of(code, site),
        Int::Element { first, count, number } => element(code, *first, *count, number),
        Int::ByCoordinates(parts) => {
            let (row, column) = (emit(code, &parts.1), emit(code, &parts.2));
            let (row, column) = (code.keep_int(row), code.keep_int(column));
            by_site::site_at(code, &parts.0, row, column).unwrap_or_else(|| ask(code, of))
        }
        Int::Face(at) => face(code, at),
        Int::TrackFirst { tracks, from, condition } => {
            let first = tracks::first_on_track(code, tracks, from.as_deref(), condition.as_deref());
            first.unwrap_or_else(|| ask(code, of))
        }
        Int::ArraySize(list) => match &**list {
            Ints::Region(region) => regions::emit(code, region).len(),
            _ => ask(code, of),
        },
        Int::StackSize(place) => stack_size(code, place),
        Int::TopLevel(_) if !code.game.stacking() => int(0),
        Int::TopLevel(at) => top_level(code, at),
        Int::CountPieces { pieces, within, condition: None }
            if piece_sets::can_know_pieces(code, pieces) =>
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
        // In stacks only what is on top is known at once.
        Int::WhereOwned { components, owner }
            if !(code.game.layout.is_ordered() && code.game.stacking()) =>
        {
            where_owned(code, of, components, owner)
        }
        Int::Ahead { rays: ByPiece::Same(rays), site, steps } => match steps.constant() {
            Some(steps) => ahead(code, *rays, site, steps),
            None => ask(code, of),
        },
        Int::PendingValue => pending_value(code),
        Int::MapEntry(pair) => map_entry(code, pair).unwrap_or_else(|| ask(code, of)),
        Int::TrackMove { tracks, from, steps } => {
            let value = tracks::track_move(code, tracks, from, steps);
            value.unwrap_or_else(|| ask(code, of))
        }
        Int::TrackEnd { tracks } => {
            let tracks = tracks::tracks_of(code, tracks);
            tracks::by_track(code, tracks, |_, track| {
                int(track.sites.last().copied().unwrap_or(-1))
            })
        }
        Int::CountSteps { distances, from, to } => match &**to {
            Place::Site(to) if code.game.distances[*distances].len() <= MOST_DISTANCES => {
                by_site::steps_between(code, *distances, from, to)
            }
            Place::Region(to) if code.game.distances[*distances].len() <= MOST_DISTANCES => {
                results::steps_to(code, *distances, from, to)
            }
            _ => ask(code, of),
        },
        Int::FoldInts(kind, list) => {
            let value = results::fold_list(code, *kind, list);
            value.unwrap_or_else(|| ask(code, of))
        }
        Int::CountGroups { jumps, condition, min } => {
            groups::count_groups(code, *jumps, condition.as_deref(), min)
        }
        Int::CountLiberties { jumps, at, condition } => {
            let at = emit(code, at);
            groups::liberties(code, *jumps, at, condition.as_deref())
        }
        Int::GroupSize { jumps, at, condition } => {
            let at = emit(code, at);
            groups::group(code, *jumps, at, condition.as_deref()).len()
        }
        Int::Territory { jumps, owners } => {
            let territory = groups::territory(code, *jumps, owners);
            territory.unwrap_or_else(|| ask(code, of))
        }
        Int::RegionSite(pair) => {
            let region = regions::emit(code, &pair.0);
            let index = emit(code, &pair.1);
            region.nth(index)
        }
        _ => ask(code, of),
    }
}

/// The number of the topmost level of a stack.
fn top_level(code: &mut Emitter<'_>, at: &Int) -> Expr {
    let site = emit(code, at);
    let height = by_site::height_at(code, site);
    (height - int(1)).max(int(0))
}

/// A fold of several numbers.
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
            let first = emit(code, first);
            rest.iter().fold(first, |value, term| {
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

/// A layer of a site, at a level where one is given.
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
            stacks::layer_in_stack(code, layer, site, Some(level), reach)
        }
        _ => by_site::layer_of(code, layer, site, reach),
    }
}

/// What rules call a site, where elements of several types are played.
fn number_of(code: &mut Emitter<'_>, site: &Int) -> Expr {
    let site = emit(code, site);
    let site = code.keep_int(site);
    // Beyond the sites a table gives 0.
    let world = &code.game.world;
    let before = (0..world.sites() as i32).map(|site| site - world.number(site));
    let before = code.module.tables.ints(before).at(site.clone());
    site - before
}

/// The site of a number among the elements of another type than the board's.
fn element(code: &mut Emitter<'_>, first: i32, count: i32, number: &Int) -> Expr {
    let number = emit(code, number);
    let number = code.keep_int(number);
    let extent = code.game.world.topology.extent() as i32;
    let is_element = both(number.clone().at_least(int(0)), number.clone().less(int(count)));
    let in_hand = number.clone().at_least(int(extent));
    let otherwise = choose(in_hand, number.clone(), int(-1));
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

/// How many there are of some pieces, in a region where one is given.
fn count_pieces(code: &mut Emitter<'_>, pieces: &Pieces, within: Option<&Region>) -> Expr {
    if code.game.stacking() {
        return stacks::count_in_stacks(code, pieces, within);
    }
    let mut sites = piece_sets::sites_of_pieces(code, pieces);
    if let Some(within) = within {
        let within = regions::emit(code, within);
        sites = sites & within;
    }
    if code.game.layout.occupancy == Occupancy::Flat {
        return sites.len();
    }
    by_site::sum_over(code, sites, by_site::count_at)
}

/// A number of a static table; -1 beyond its end.
fn in_table(code: &mut Emitter<'_>, pair: &(Box<[i32]>, Int)) -> Expr {
    let length = pair.0.len() as i32;
    let numbers = code.module.tables.ints(pair.0.iter().copied());
    let at = emit(code, &pair.1);
    let at = code.keep_int(at);
    let known = is_below(at.clone(), length);
    choose(known, numbers.at(at), int(-1))
}

/// A site of a hand.
fn hand_site(code: &mut Emitter<'_>, parts: &(Box<[i32]>, Int, Int)) -> Expr {
    let length = parts.0.len() as i32;
    let firsts = code.module.tables.ints(parts.0.iter().copied());
    let owner = emit(code, &parts.1);
    let owner = code.keep_int(owner);
    let known = is_below(owner.clone(), length);
    let first = code.keep_int(choose(known, firsts.at(owner), int(-1)));
    let index = by_site::in_part(code, &parts.2);
    choose(first.clone().less(int(0)), int(-1), first + index)
}

/// A component by its owner.
fn id_of(code: &mut Emitter<'_>, components: &[i32], owner: &Int) -> Expr {
    let length = components.len() as i32;
    let ids = code.module.tables.ints(components.iter().copied());
    let owner = emit(code, owner);
    let owner = code.keep_int(owner);
    let known = is_below(owner.clone(), length);
    choose(known, ids.at(owner), int(-1))
}

/// The first site of a component, which goes by its owner.
fn where_owned(code: &mut Emitter<'_>, of: &Int, components: &[u16], owner: &Int) -> Expr {
    let ids = code.module.tables.ints(components.iter().map(|&c| i32::from(c)));
    let owner = emit(code, owner);
    let component = code.keep_int(ids.at(owner));
    let there = by_site::on_board(code, &component);
    let lowest = by_site::lowest_of(component.clone(), there.clone());
    if !code.game.layout.is_ordered() {
        return lowest;
    }
    // Of several the one that was placed first counts.
    let is_alone = there.len().at_most(int(1));
    let world = &code.game.world;
    if code.game.layout.has_order_lists() || world.topology.sites() < world.sites() {
        let asked = code.part(|code| ask(code, of));
        return choose(is_alone, lowest, asked);
    }
    let order = code.module.tables.orders(code.game).at(component);
    let order = code.keep_int(order);
    // Who has no such component has none in order, and no site.
    let first = choose(order.clone(), CELLS.at(add(order, int(1))), int(-1));
    choose(is_alone, lowest, first)
}

/// The site so many steps further along the first ray long enough, or the site itself.
fn ahead(code: &mut Emitter<'_>, rays: RayId, site: &Int, steps: i32) -> Expr {
    let rays = code.game.ray(rays);
    let index = usize::try_from(steps.wrapping_sub(1)).unwrap_or(usize::MAX);
    let ahead = (0..rays.sites()).map(|site| {
        let found = rays.of(site).find_map(|ray| ray.get(index));
        found.map_or(site as i32, |&s| i32::from(s))
    });
    let ahead: Vec<i32> = ahead.collect();
    let length = ahead.len() as i32;
    let ahead = code.module.tables.ints(ahead);
    let site = emit(code, site);
    let site = code.keep_int(site);
    let known = is_below(site.clone(), length);
    let beyond = site.clone().max(int(-1));
    choose(known, ahead.at(site), beyond)
}

/// The pending value.
fn pending_value(code: &mut Emitter<'_>) -> Expr {
    code.found.add(Finding::ReadsStartOfMove);
    code.module.traits.add(Trait::NeedsCopy);
    let sites = state_set(int(code.game.layout.pending() as i32));
    let sites = code.keep(Type::Set, sites).get();
    let number = sites.clone().len();
    let number = code.keep_int(number);
    let has = slot(Slot::HasPending);
    let one = both(!has.clone(), number.clone().equals(int(1)));
    let first = sites.nth(int(0));
    let none = both(has, number.equals(int(0)));
    choose(none, slot(Slot::Pending), choose(one, first, int(0)))
}

/// True if what is drawn here is drawn once: not where moves are looked for.
fn draws(code: &Emitter<'_>) -> bool {
    matches!(code.consumer, Consumer::Effect(_)) && !code.game.random
}

/// A number drawn from a range; -1 from an empty one.
fn random(code: &mut Emitter<'_>, range: &(Int, Int), of: &Int) -> Expr {
    let (least, most) = (emit(code, &range.0), emit(code, &range.1));
    let (least, most) = (code.keep_int(least), code.keep_int(most));
    if let (Expr::Int(least), Expr::Int(most)) = (&least, &most) {
        let number = i64::from(*most) - i64::from(*least) + 1;
        return match i32::try_from(number) {
            Ok(..=0) => int(-1),
            Ok(number) => code.keep(Type::Int, add(drawn(int(number)), int(*least))).get(),
            Err(_) => ask(code, of),
        };
    }
    let number = code.keep_int(add(most.clone() - least.clone(), int(1)));
    let empty = most.less(least.clone());
    // Of more than code can draw from the evaluator draws.
    let asked = code.part(|code| ask(code, of));
    let drawn = choose(number.clone().greater(int(0)), drawn(number) + least, asked);
    code.keep(Type::Int, choose(empty, int(-1), drawn)).get()
}

/// A number that the evaluator works out.
fn ask(code: &mut Emitter<'_>, of: &Int) -> Expr {
    let number = Parts::add(&mut code.parts.ints, of.clone());
    code.ask(Service::Int, vec![int(number)])
}

/// What maps have for a key: the first that has it.
fn map_entry(code: &mut Emitter<'_>, pair: &(Box<[SortedMap]>, Int)) -> Option<Expr> {
    let mut more = Vec::new();
    for &(key, value) in pair.0.iter().rev().flat_map(|map| map.iter()) {
        let key = usize::try_from(key).ok().filter(|&key| key < MOST_KEYS)?;
        if more.len() <= key {
            more.resize(key + 1, 0);
        }
        // The key stands for itself where there is nothing.
        more[key] = if value == -99 { 0 } else { value.wrapping_sub(key as i32) };
    }
    let more = code.module.tables.ints(more);
    let key = emit(code, &pair.1);
    let key = code.keep_int(key);
    Some(key.clone() + more.at(key))
}

/// What a die shows, by the side that it lies on; -1 where there is none.
fn face(code: &mut Emitter<'_>, at: &Int) -> Expr {
    let site = emit(code, at);
    let Some(dice) = &code.game.world.dice else { return int(-1) };
    let site = code.keep_int(site);
    let side = by_site::layer_of(code, Layer::State, site.clone(), Reach::All);
    let side = code.keep_int(side);
    let sides = dice.faces.iter().map(Vec::len).max().unwrap_or(0);
    let faces = dice.faces.iter();
    let shown = faces.flat_map(|die| (0..sides).map(|s| die.get(s).copied().unwrap_or(-1)));
    let shown = code.module.tables.ints(shown);
    let die = code.keep_int(site - int(dice.first as i32));
    let known = is_below(die.clone(), dice.faces.len() as i32);
    let has_side = is_below(side.clone(), sides as i32);
    choose(both(known, has_side), shown.at(die * int(sides as i32) + side), int(-1))
}
