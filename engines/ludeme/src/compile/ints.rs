//! Numbers as code.

use kernel::ir::{Binary, Expr, Table, Type};

use super::arrays::{
    CELLS, LIST, Service, Slot, add, both, choose, drawn, int, is_below, set_slot, slot, state_set,
};
use super::emitter::{Consumer, Emitter, Finding};
use super::module::Trait;
use super::{bools, groups, regions, results, stacks, tracks};
use crate::ir::Parts;
use crate::ir::{
    Arithmetic, ByPiece, Compare, Fold, Int, Ints, Iter, Layer, Pieces, Place, RayId, Reach,
    Region, SortedMap,
};
use crate::state::Occupancy;
use kernel::ir::{Compare as How, Stmt};

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
const MOST_COORDINATES: i32 = 4096;

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
            by_player(code, code.game.layout.at.scores, who, 0)
        }
        Int::PlayerValue(who) => {
            let who = emit(code, who);
            by_player(code, code.game.layout.at.values, who, -1)
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
            let (then, otherwise) = (in_part(code, &parts.1), in_part(code, &parts.2));
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
            reached(code, site, *reach, count_at)
        }
        Int::CountIn { region, reach } => {
            let sites = regions::emit(code, region);
            let seen = bools::seen(code, *reach);
            sum_over(code, seen.of(sites), count_at)
        }
        Int::Number(site) => number_of(code, site),
        Int::Element { first, count, number } => element(code, *first, *count, number),
        Int::ByCoordinates(parts) => {
            let (row, column) = (emit(code, &parts.1), emit(code, &parts.2));
            let (row, column) = (code.keep_int(row), code.keep_int(column));
            site_at(code, &parts.0, row, column).unwrap_or_else(|| ask(code, of))
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
            if regions::can_know_pieces(code, pieces) =>
        {
            count_pieces(code, pieces, within.as_deref())
        }
        Int::CountSites(region) => regions::emit(code, region).len(),
        Int::Table(pair) => in_table(code, pair),
        Int::HandSite(parts) => hand_site(code, parts),
        Int::IdOf { components, owner } => id_of(code, components, owner),
        Int::WhereLowest(component) => {
            let component = emit(code, component);
            lowest(code, component)
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
                steps_between(code, *distances, from, to)
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
    let height = height_at(code, site);
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
        _ => layer_of(code, layer, site, reach),
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
            height_at(code, site)
        }
        Place::Region(region) => {
            let sites = regions::emit(code, region);
            sum_over(code, sites, height_at)
        }
    }
}

/// How many there are of some pieces, in a region where one is given.
fn count_pieces(code: &mut Emitter<'_>, pieces: &Pieces, within: Option<&Region>) -> Expr {
    if code.game.stacking() {
        return stacks::count_in_stacks(code, pieces, within);
    }
    let mut sites = regions::sites_of_pieces(code, pieces);
    if let Some(within) = within {
        let within = regions::emit(code, within);
        sites = sites & within;
    }
    if code.game.layout.occupancy == Occupancy::Flat {
        return sites.len();
    }
    sum_over(code, sites, count_at)
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
    let index = in_part(code, &parts.2);
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
    let there = on_board(code, &component);
    let lowest = lowest_of(component.clone(), there.clone());
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
    let side = layer_of(code, Layer::State, site.clone(), Reach::All);
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

/// Steps between two sites; 0 where one is none.
fn steps_between(code: &mut Emitter<'_>, distances: usize, from: &Int, to: &Int) -> Expr {
    let (all, length) = distances_of(code, distances);
    let (from, to) = (emit(code, from), emit(code, to));
    let to = code.keep_int(to);
    let known = is_below(to.clone(), length);
    let at = (from * int(length)) + to;
    choose(known, all.at(at), int(0))
}

/// A table of distances, by origin and destination, and how many it has of each origin.
pub(super) fn distances_of(code: &mut Emitter<'_>, distances: usize) -> (Table, i32) {
    let rows = &code.game.distances[distances];
    let n = rows.iter().map(Vec::len).max().unwrap_or(0);
    let all = rows.iter().flat_map(|row| (0..n).map(|to| row.get(to).map_or(0, |&d| i32::from(d))));
    let all: Vec<i32> = all.collect();
    (code.module.tables.ints(all), n as i32)
}

/// A number in a place where it is not always asked for: what it needs is worked out there.
pub(super) fn in_part(code: &mut Emitter<'_>, of: &Int) -> Expr {
    code.part(|code| emit(code, of))
}

/// A number of the state by player, from a place on, or another one where there is no such
/// player.
fn by_player(code: &mut Emitter<'_>, at: usize, who: Expr, otherwise: i32) -> Expr {
    let who = code.keep_int(who);
    let known = is_below(who.clone(), code.game.world.players as i32 + 2);
    choose(known, CELLS.at(add(who, int(at as i32))), int(otherwise))
}

/// The owner of a component.
pub(super) fn owner_of(code: &mut Emitter<'_>, component: Expr) -> Expr {
    let owners = code.game.layout.owner.iter().map(|&owner| i32::from(owner));
    code.module.tables.ints(owners).at(component)
}

/// The lowest site of the board with a component; -1 without one.
pub(super) fn lowest(code: &mut Emitter<'_>, component: Expr) -> Expr {
    let component = code.keep_int(component);
    let there = on_board(code, &component);
    lowest_of(component, there)
}

/// The sites of the board with a component.
fn on_board(code: &mut Emitter<'_>, component: &Expr) -> Expr {
    let board = regions::fixed(code, code.game.board());
    let there = regions::with_component(code, component.clone()) & board;
    code.keep(Type::Set, there).get()
}

/// The sum of something over the sites of a set.
fn sum_over(
    code: &mut Emitter<'_>,
    sites: Expr,
    value: impl Fn(&mut Emitter<'_>, Expr) -> Expr,
) -> Expr {
    let sum = code.keep(Type::Int, int(0));
    let value = &value;
    code.for_each(sites, |code, site| {
        let value = value(code, site.get());
        code.push(Stmt::Set(sum, sum.get() + value));
    });
    sum.get()
}

/// Pieces on a site.
pub(super) fn count_at(code: &mut Emitter<'_>, site: Expr) -> Expr {
    let at = code.game.layout.at;
    let site = code.keep_int(site);
    match code.game.layout.occupancy {
        Occupancy::Flat => !code.what(site).equals(int(0)),
        Occupancy::Counting => code.by_site(at.count, site, 1, 0),
        Occupancy::Stacking => code.by_site(at.height, site, 1, 0),
    }
}

/// The first site with a row and a column, -1 if there is none; `None` where there are too
/// many.
fn site_at(code: &mut Emitter<'_>, of: &[(i32, i32)], row: Expr, column: Expr) -> Option<Expr> {
    let bounds = |numbers: &mut dyn Iterator<Item = i32>| {
        numbers.fold((0, 0), |(least, most), number| (number.min(least), number.max(most)))
    };
    let (top, bottom) = bounds(&mut of.iter().map(|at| at.0));
    let (left, right) = bounds(&mut of.iter().map(|at| at.1));
    let [rows, columns] = [(top, bottom), (left, right)].map(|(least, most)| {
        most.checked_sub(least)?.checked_add(1).filter(|&count| count <= MOST_COORDINATES)
    });
    let (rows, columns) = (rows?, columns?);
    let cells = (rows * columns <= MOST_COORDINATES).then_some(rows * columns)?;
    let mut sites = vec![0; cells as usize];
    for (site, &(row, column)) in of.iter().enumerate().rev() {
        sites[((row - top) * columns + column - left) as usize] = site as i32 + 1;
    }
    let (row, column) = (code.keep_int(row - int(top)), code.keep_int(column - int(left)));
    let within = [(&row, rows), (&column, columns)].map(|(number, count)| {
        both(number.clone().at_least(int(0)), number.clone().less(int(count)))
    });
    let within = within.into_iter().fold(int(1), both);
    let sites = code.module.tables.ints(sites);
    let site = sites.at(add(row * int(columns), column));
    Some(choose(within, site, int(0)) - int(1))
}

pub(super) fn height_at(code: &mut Emitter<'_>, site: Expr) -> Expr {
    let site = code.keep_int(site);
    match code.game.layout.occupancy {
        Occupancy::Stacking => code.by_site(code.game.layout.at.height, site, 1, 0),
        _ => !code.what(site).equals(int(0)),
    }
}

/// Something of a site that a ludeme can see; 0 of others.
pub(super) fn reached(
    code: &mut Emitter<'_>,
    site: Expr,
    reach: Reach,
    value: impl Fn(&mut Emitter<'_>, Expr) -> Expr,
) -> Expr {
    let extent = code.game.world.topology.extent() as i32;
    match reach {
        Reach::All => value(code, site),
        Reach::Board | Reach::Hands => {
            let site = code.keep_int(site);
            let how = if reach == Reach::Board { How::Less } else { How::GreaterEqual };
            let seen = Expr::Compare(how, Box::new(site.clone()), Box::new(int(extent)));
            let value = code.part(|code| value(code, site));
            choose(seen, value, int(0))
        }
    }
}

/// A layer of a site: of the top of a stack, but the component is that at the bottom.
pub(super) fn layer_of(code: &mut Emitter<'_>, layer: Layer, site: Expr, reach: Reach) -> Expr {
    let known = match (&site, code.bindings.bound[Iter::From as usize], code.bindings.piece) {
        (Expr::Get(site), Some(from), Some(piece)) if *site == from => Some(piece),
        _ => None,
    };
    match layer {
        Layer::What if code.game.stacking() => {
            stacks::layer_in_stack(code, layer, site, None, reach)
        }
        Layer::What => match known.filter(|_| reach == Reach::All) {
            Some(piece) => int(i32::from(piece)),
            None => reached(code, site, reach, |code, site| code.what(site)),
        },
        Layer::Who => {
            if let Some(piece) = known.filter(|_| reach == Reach::All) {
                return int(i32::from(code.game.layout.owner[usize::from(piece)]));
            }
            reached(code, site, reach, |code, site| {
                let what = code.what(site);
                owner_of(code, what)
            })
        }
        Layer::State | Layer::Rotation | Layer::Value => {
            if code.game.stacking() {
                return stacks::layer_in_stack(code, layer, site, None, reach);
            }
            let offset = match layer {
                Layer::State => 0,
                Layer::Rotation => 1,
                _ => 2,
            };
            let at = code.game.layout.at.extra;
            if at == 0 {
                return int(0);
            }
            reached(code, site, reach, move |code, site| {
                let site = code.keep_int(site);
                code.by_site(at, site, 3, offset)
            })
        }
    }
}

/// A loop over the numbers of a list, in order.
pub(super) fn for_list(
    code: &mut Emitter<'_>,
    list: &Ints,
    write: impl Fn(&mut Emitter<'_>, Expr),
) {
    match list {
        Ints::List(items) => {
            for item in items {
                let value = emit(code, item);
                let value = code.keep_int(value);
                write(code, value);
            }
            return;
        }
        Ints::Region(region) => {
            let sites = regions::emit(code, region);
            return code.for_each(sites, |code, site| write(code, site.get()));
        }
        Ints::Results { from, to, value } => {
            return results::for_results(code, from, to, value, &write);
        }
        _ => {}
    }
    let number = Parts::add(&mut code.parts.lists, list.clone());
    let from = code.keep(Type::Int, slot(Slot::Listed));
    let to = code.ask(Service::List, vec![int(number)]);
    let to = code.keep(Type::Int, to);
    code.for_range(from.get(), to.get(), |code, at| {
        let value = code.keep_int(LIST.at(at.get()));
        write(code, value);
    });
    code.push(set_slot(Slot::Listed, from.get()));
}

/// The lowest of the sites with a component; -1 without one.
fn lowest_of(component: Expr, there: Expr) -> Expr {
    choose(component.greater(int(0)), there.nth(int(0)), int(-1))
}
