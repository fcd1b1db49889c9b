//! Numbers as code.

use kernel::ir::{Binary, Expr, Table, Type};

use super::arrays::{
    CELLS, LIST, Service, Slot, add, both, choose, drawn, int, is_below, set_slot, slot, state_set,
};
use super::code::{Consumer, Emitter};
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

impl Emitter<'_> {
    /// The value of a number.
    pub(super) fn int(&mut self, of: &Int) -> Expr {
        match of {
            Int::Const(value) => int(*value),
            Int::Iter(iter) => self.variable(*iter),
            Int::Mover => slot(Slot::Mover),
            Int::Next => slot(Slot::Next),
            Int::Prev => slot(Slot::Prev),
            Int::Counter => slot(Slot::Counter),
            Int::Moves => {
                self.reads_begin = true;
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
            Int::Var(var) => CELLS.at(int((self.game.layout.at.vars + var) as i32)),
            Int::Score(who) => {
                let who = self.int(who);
                self.by_player(self.game.layout.at.scores, who, 0)
            }
            Int::PlayerValue(who) => {
                let who = self.int(who);
                self.by_player(self.game.layout.at.values, who, -1)
            }
            Int::Fold(kind, terms) => self.fold(*kind, terms),
            Int::Arithmetic(operation, pair) => {
                let op = match operation {
                    Arithmetic::Sub => Binary::Sub,
                    Arithmetic::Div => Binary::Div,
                    Arithmetic::Mod => Binary::Rem,
                    Arithmetic::Pow => return self.asked_int(of),
                };
                let (a, b) = (self.int(&pair.0), self.int(&pair.1));
                Expr::Binary(op, Box::new(a), Box::new(b))
            }
            Int::Abs(a) => self.int(a).abs(),
            Int::If(parts) => {
                let condition = self.bool(&parts.0);
                let (then, otherwise) = (self.in_part(&parts.1), self.in_part(&parts.2));
                choose(condition, then, otherwise)
            }
            Int::FromBool(condition) => self.bool(condition),
            Int::Random(range) if self.draws() => self.random(range, of),
            _ => self.int_of_sites(of),
        }
    }

    /// A number that depends on sites and on what stands there.
    fn int_of_sites(&mut self, of: &Int) -> Expr {
        match of {
            Int::At { layer, at, level, reach } => {
                self.layer_at(*layer, at, level.as_deref(), *reach)
            }
            Int::Count { at, reach } => {
                let site = self.int(at);
                self.reached(site, *reach, Self::count_at)
            }
            Int::CountIn { region, reach } => {
                let sites = self.region(region);
                let seen = self.seen(*reach);
                self.sum_over(seen.of(sites), Self::count_at)
            }
            Int::Number(site) => self.number_of(site),
            Int::Element { first, count, number } => self.element(*first, *count, number),
            Int::ByCoordinates(parts) => {
                let (row, column) = (self.int(&parts.1), self.int(&parts.2));
                let (row, column) = (self.keep_int(row), self.keep_int(column));
                self.site_at(&parts.0, row, column).unwrap_or_else(|| self.asked_int(of))
            }
            Int::Face(at) => self.face(at),
            Int::TrackFirst { tracks, from, condition } => {
                let first = self.first_on_track(tracks, from.as_deref(), condition.as_deref());
                first.unwrap_or_else(|| self.asked_int(of))
            }
            Int::ArraySize(list) => match &**list {
                Ints::Region(region) => self.region(region).len(),
                _ => self.asked_int(of),
            },
            Int::StackSize(place) => self.stack_size(place),
            Int::TopLevel(_) if !self.game.stacking() => int(0),
            Int::TopLevel(at) => self.top_level(at),
            Int::CountPieces { pieces, within, condition: None }
                if self.can_know_pieces(pieces) =>
            {
                self.count_pieces(pieces, within.as_deref())
            }
            Int::CountSites(region) => self.region(region).len(),
            Int::Table(pair) => self.in_table(pair),
            Int::HandSite(parts) => self.hand_site(parts),
            Int::IdOf { components, owner } => self.id_of(components, owner),
            Int::WhereLowest(component) => {
                let component = self.int(component);
                self.lowest(component)
            }
            // In stacks only what is on top is known at once.
            Int::WhereOwned { components, owner }
                if !(self.game.layout.is_ordered() && self.game.stacking()) =>
            {
                self.where_owned(of, components, owner)
            }
            Int::Ahead { rays: ByPiece::Same(rays), site, steps } => match steps.constant() {
                Some(steps) => self.ahead(*rays, site, steps),
                None => self.asked_int(of),
            },
            Int::PendingValue => self.pending_value(),
            Int::MapEntry(pair) => self.map_entry(pair).unwrap_or_else(|| self.asked_int(of)),
            Int::TrackMove { tracks, from, steps } => {
                let value = self.track_move(tracks, from, steps);
                value.unwrap_or_else(|| self.asked_int(of))
            }
            Int::TrackEnd { tracks } => {
                let tracks = self.tracks(tracks);
                self.by_track(tracks, |_, track| int(track.sites.last().copied().unwrap_or(-1)))
            }
            Int::CountSteps { distances, from, to } => match &**to {
                Place::Site(to) if self.game.distances[*distances].len() <= MOST_DISTANCES => {
                    self.steps_between(*distances, from, to)
                }
                Place::Region(to) if self.game.distances[*distances].len() <= MOST_DISTANCES => {
                    self.steps_to(*distances, from, to)
                }
                _ => self.asked_int(of),
            },
            Int::FoldInts(kind, list) => {
                let value = self.fold_list(*kind, list);
                value.unwrap_or_else(|| self.asked_int(of))
            }
            Int::CountGroups { jumps, condition, min } => {
                self.count_groups(*jumps, condition.as_deref(), min)
            }
            Int::CountLiberties { jumps, at, condition } => {
                let at = self.int(at);
                self.liberties(*jumps, at, condition.as_deref())
            }
            Int::GroupSize { jumps, at, condition } => {
                let at = self.int(at);
                self.group(*jumps, at, condition.as_deref()).len()
            }
            Int::Territory { jumps, owners } => {
                let territory = self.territory(*jumps, owners);
                territory.unwrap_or_else(|| self.asked_int(of))
            }
            Int::RegionSite(pair) => {
                let region = self.region(&pair.0);
                let index = self.int(&pair.1);
                region.nth(index)
            }
            _ => self.asked_int(of),
        }
    }

    /// The number of the topmost level of a stack.
    fn top_level(&mut self, at: &Int) -> Expr {
        let site = self.int(at);
        let height = self.height_at(site);
        (height - int(1)).max(int(0))
    }

    /// A fold of several numbers.
    fn fold(&mut self, kind: Fold, terms: &[Int]) -> Expr {
        match terms.split_first() {
            None => int(kind.of(&[])),
            Some((first, rest)) => {
                let op = match kind {
                    Fold::Sum => Binary::Add,
                    Fold::Product => Binary::Mul,
                    Fold::Max => Binary::Max,
                    Fold::Min => Binary::Min,
                };
                let first = self.int(first);
                rest.iter().fold(first, |value, term| {
                    let term = self.int(term);
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
    fn layer_at(&mut self, layer: Layer, at: &Int, level: Option<&Int>, reach: Reach) -> Expr {
        let site = self.int(at);
        match level {
            Some(level) if self.game.stacking() => {
                let level = self.int(level);
                self.layer_in_stack(layer, site, Some(level), reach)
            }
            _ => self.layer(layer, site, reach),
        }
    }

    /// What rules call a site, where elements of several types are played.
    fn number_of(&mut self, site: &Int) -> Expr {
        let site = self.int(site);
        let site = self.keep_int(site);
        // Beyond the sites a table gives 0.
        let world = &self.game.world;
        let before = (0..world.sites() as i32).map(|site| site - world.number(site));
        let before = self.tables.ints(before).at(site.clone());
        site - before
    }

    /// The site of a number among the elements of another type than the board's.
    fn element(&mut self, first: i32, count: i32, number: &Int) -> Expr {
        let number = self.int(number);
        let number = self.keep_int(number);
        let extent = self.game.world.topology.extent() as i32;
        let is_element = both(number.clone().at_least(int(0)), number.clone().less(int(count)));
        let in_hand = number.clone().at_least(int(extent));
        let otherwise = choose(in_hand, number.clone(), int(-1));
        choose(is_element, add(number, int(first)), otherwise)
    }

    /// The height of the stacks in a place.
    fn stack_size(&mut self, place: &Place) -> Expr {
        match place {
            Place::Site(site) => {
                let site = self.int(site);
                self.height_at(site)
            }
            Place::Region(region) => {
                let sites = self.region(region);
                self.sum_over(sites, Self::height_at)
            }
        }
    }

    /// How many there are of some pieces, in a region where one is given.
    fn count_pieces(&mut self, pieces: &Pieces, within: Option<&Region>) -> Expr {
        if self.game.stacking() {
            return self.count_in_stacks(pieces, within);
        }
        let mut sites = self.pieces(pieces);
        if let Some(within) = within {
            let within = self.region(within);
            sites = sites & within;
        }
        if self.game.layout.occupancy == Occupancy::Flat {
            return sites.len();
        }
        self.sum_over(sites, Self::count_at)
    }

    /// A number of a static table; -1 beyond its end.
    fn in_table(&mut self, pair: &(Box<[i32]>, Int)) -> Expr {
        let length = pair.0.len() as i32;
        let numbers = self.tables.ints(pair.0.iter().copied());
        let at = self.int(&pair.1);
        let at = self.keep_int(at);
        let known = is_below(at.clone(), length);
        choose(known, numbers.at(at), int(-1))
    }

    /// A site of a hand.
    fn hand_site(&mut self, parts: &(Box<[i32]>, Int, Int)) -> Expr {
        let length = parts.0.len() as i32;
        let firsts = self.tables.ints(parts.0.iter().copied());
        let owner = self.int(&parts.1);
        let owner = self.keep_int(owner);
        let known = is_below(owner.clone(), length);
        let first = self.keep_int(choose(known, firsts.at(owner), int(-1)));
        let index = self.in_part(&parts.2);
        choose(first.clone().less(int(0)), int(-1), first + index)
    }

    /// A component by its owner.
    fn id_of(&mut self, components: &[i32], owner: &Int) -> Expr {
        let length = components.len() as i32;
        let ids = self.tables.ints(components.iter().copied());
        let owner = self.int(owner);
        let owner = self.keep_int(owner);
        let known = is_below(owner.clone(), length);
        choose(known, ids.at(owner), int(-1))
    }

    /// The first site of a component, which goes by its owner.
    fn where_owned(&mut self, of: &Int, components: &[u16], owner: &Int) -> Expr {
        let ids = self.tables.ints(components.iter().map(|&c| i32::from(c)));
        let owner = self.int(owner);
        let component = self.keep_int(ids.at(owner));
        let there = self.on_board(&component);
        let lowest = lowest_of(component.clone(), there.clone());
        if !self.game.layout.is_ordered() {
            return lowest;
        }
        // Of several the one that was placed first counts.
        let is_alone = there.len().at_most(int(1));
        let world = &self.game.world;
        if self.game.layout.has_order_lists() || world.topology.sites() < world.sites() {
            let asked = self.part(|code| code.asked_int(of));
            return choose(is_alone, lowest, asked);
        }
        let order = self.tables.orders(self.game).at(component);
        let order = self.keep_int(order);
        // Who has no such component has none in order, and no site.
        let first = choose(order.clone(), CELLS.at(add(order, int(1))), int(-1));
        choose(is_alone, lowest, first)
    }

    /// The site so many steps further along the first ray long enough, or the site itself.
    fn ahead(&mut self, rays: RayId, site: &Int, steps: i32) -> Expr {
        let rays = self.game.ray(rays);
        let index = usize::try_from(steps.wrapping_sub(1)).unwrap_or(usize::MAX);
        let ahead = (0..rays.sites()).map(|site| {
            let found = rays.of(site).find_map(|ray| ray.get(index));
            found.map_or(site as i32, |&s| i32::from(s))
        });
        let ahead: Vec<i32> = ahead.collect();
        let length = ahead.len() as i32;
        let ahead = self.tables.ints(ahead);
        let site = self.int(site);
        let site = self.keep_int(site);
        let known = is_below(site.clone(), length);
        let beyond = site.clone().max(int(-1));
        choose(known, ahead.at(site), beyond)
    }

    /// The pending value.
    fn pending_value(&mut self) -> Expr {
        self.reads_begin = true;
        self.tables.needs_copy = true;
        let sites = state_set(int(self.game.layout.pending() as i32));
        let sites = self.keep(Type::Set, sites).get();
        let number = sites.clone().len();
        let number = self.keep_int(number);
        let has = slot(Slot::HasPending);
        let one = both(!has.clone(), number.clone().equals(int(1)));
        let first = sites.nth(int(0));
        let none = both(has, number.equals(int(0)));
        choose(none, slot(Slot::Pending), choose(one, first, int(0)))
    }

    /// True if what is drawn here is drawn once: not where moves are looked for.
    fn draws(&self) -> bool {
        matches!(self.consumer, Consumer::Effect(_)) && !self.game.random
    }

    /// A number drawn from a range; -1 from an empty one.
    fn random(&mut self, range: &(Int, Int), of: &Int) -> Expr {
        let (least, most) = (self.int(&range.0), self.int(&range.1));
        let (least, most) = (self.keep_int(least), self.keep_int(most));
        if let (Expr::Int(least), Expr::Int(most)) = (&least, &most) {
            let number = i64::from(*most) - i64::from(*least) + 1;
            return match i32::try_from(number) {
                Ok(..=0) => int(-1),
                Ok(number) => self.keep(Type::Int, add(drawn(int(number)), int(*least))).get(),
                Err(_) => self.asked_int(of),
            };
        }
        let number = self.keep_int(add(most.clone() - least.clone(), int(1)));
        let empty = most.less(least.clone());
        // Of more than code can draw from the evaluator draws.
        let asked = self.part(|code| code.asked_int(of));
        let drawn = choose(number.clone().greater(int(0)), drawn(number) + least, asked);
        self.keep(Type::Int, choose(empty, int(-1), drawn)).get()
    }

    /// A number that the evaluator works out.
    fn asked_int(&mut self, of: &Int) -> Expr {
        let number = Parts::add(&mut self.parts.ints, of.clone());
        self.ask(Service::Int, vec![int(number)])
    }

    /// What maps have for a key: the first that has it.
    fn map_entry(&mut self, pair: &(Box<[SortedMap]>, Int)) -> Option<Expr> {
        let mut more = Vec::new();
        for &(key, value) in pair.0.iter().rev().flat_map(|map| map.iter()) {
            let key = usize::try_from(key).ok().filter(|&key| key < MOST_KEYS)?;
            if more.len() <= key {
                more.resize(key + 1, 0);
            }
            // The key stands for itself where there is nothing.
            more[key] = if value == -99 { 0 } else { value.wrapping_sub(key as i32) };
        }
        let more = self.tables.ints(more);
        let key = self.int(&pair.1);
        let key = self.keep_int(key);
        Some(key.clone() + more.at(key))
    }

    /// What a die shows, by the side that it lies on; -1 where there is none.
    fn face(&mut self, at: &Int) -> Expr {
        let site = self.int(at);
        let Some(dice) = &self.game.world.dice else { return int(-1) };
        let site = self.keep_int(site);
        let side = self.layer(Layer::State, site.clone(), Reach::All);
        let side = self.keep_int(side);
        let sides = dice.faces.iter().map(Vec::len).max().unwrap_or(0);
        let faces = dice.faces.iter();
        let shown = faces.flat_map(|die| (0..sides).map(|s| die.get(s).copied().unwrap_or(-1)));
        let shown = self.tables.ints(shown);
        let die = self.keep_int(site - int(dice.first as i32));
        let known = is_below(die.clone(), dice.faces.len() as i32);
        let has_side = is_below(side.clone(), sides as i32);
        choose(both(known, has_side), shown.at(die * int(sides as i32) + side), int(-1))
    }

    /// Steps between two sites; 0 where one is none.
    fn steps_between(&mut self, distances: usize, from: &Int, to: &Int) -> Expr {
        let (all, length) = self.distances_of(distances);
        let (from, to) = (self.int(from), self.int(to));
        let to = self.keep_int(to);
        let known = is_below(to.clone(), length);
        let at = (from * int(length)) + to;
        choose(known, all.at(at), int(0))
    }

    /// A table of distances, by origin and destination, and how many it has of each origin.
    pub(super) fn distances_of(&mut self, distances: usize) -> (Table, i32) {
        let rows = &self.game.distances[distances];
        let n = rows.iter().map(Vec::len).max().unwrap_or(0);
        let all =
            rows.iter().flat_map(|row| (0..n).map(|to| row.get(to).map_or(0, |&d| i32::from(d))));
        let all: Vec<i32> = all.collect();
        (self.tables.ints(all), n as i32)
    }

    /// A number in a place where it is not always asked for: what it needs is worked out there.
    pub(super) fn in_part(&mut self, of: &Int) -> Expr {
        self.part(|code| code.int(of))
    }

    /// A number of the state by player, from a place on, or another one where there is no such
    /// player.
    fn by_player(&mut self, at: usize, who: Expr, otherwise: i32) -> Expr {
        let who = self.keep_int(who);
        let known = is_below(who.clone(), self.game.world.players as i32 + 2);
        choose(known, CELLS.at(add(who, int(at as i32))), int(otherwise))
    }

    /// The owner of a component.
    pub(super) fn owner_of(&mut self, component: Expr) -> Expr {
        let owners = self.game.layout.owner.iter().map(|&owner| i32::from(owner));
        self.tables.ints(owners).at(component)
    }

    /// The lowest site of the board with a component; -1 without one.
    pub(super) fn lowest(&mut self, component: Expr) -> Expr {
        let component = self.keep_int(component);
        let there = self.on_board(&component);
        lowest_of(component, there)
    }

    /// The sites of the board with a component.
    fn on_board(&mut self, component: &Expr) -> Expr {
        let board = self.fixed(self.game.board());
        let there = self.with_component(component.clone()) & board;
        self.keep(Type::Set, there).get()
    }

    /// The sum of something over the sites of a set.
    fn sum_over(&mut self, sites: Expr, value: impl Fn(&mut Self, Expr) -> Expr) -> Expr {
        let sum = self.keep(Type::Int, int(0));
        let value = &value;
        self.for_each(sites, |code, site| {
            let value = value(code, site.get());
            code.push(Stmt::Set(sum, sum.get() + value));
        });
        sum.get()
    }

    /// Pieces on a site.
    pub(super) fn count_at(&mut self, site: Expr) -> Expr {
        let at = self.game.layout.at;
        let site = self.keep_int(site);
        match self.game.layout.occupancy {
            Occupancy::Flat => !self.what(site).equals(int(0)),
            Occupancy::Counting => self.by_site(at.count, site, 1, 0),
            Occupancy::Stacking => self.by_site(at.height, site, 1, 0),
        }
    }

    /// The first site with a row and a column, -1 if there is none; `None` where there are too
    /// many.
    fn site_at(&mut self, of: &[(i32, i32)], row: Expr, column: Expr) -> Option<Expr> {
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
        let (row, column) = (self.keep_int(row - int(top)), self.keep_int(column - int(left)));
        let within = [(&row, rows), (&column, columns)].map(|(number, count)| {
            both(number.clone().at_least(int(0)), number.clone().less(int(count)))
        });
        let within = within.into_iter().fold(int(1), both);
        let sites = self.tables.ints(sites);
        let site = sites.at(add(row * int(columns), column));
        Some(choose(within, site, int(0)) - int(1))
    }

    pub(super) fn height_at(&mut self, site: Expr) -> Expr {
        let site = self.keep_int(site);
        match self.game.layout.occupancy {
            Occupancy::Stacking => self.by_site(self.game.layout.at.height, site, 1, 0),
            _ => !self.what(site).equals(int(0)),
        }
    }

    /// Something of a site that a ludeme can see; 0 of others.
    pub(super) fn reached(
        &mut self,
        site: Expr,
        reach: Reach,
        value: impl Fn(&mut Self, Expr) -> Expr,
    ) -> Expr {
        let extent = self.game.world.topology.extent() as i32;
        match reach {
            Reach::All => value(self, site),
            Reach::Board | Reach::Hands => {
                let site = self.keep_int(site);
                let how = if reach == Reach::Board { How::Less } else { How::GreaterEqual };
                let seen = Expr::Compare(how, Box::new(site.clone()), Box::new(int(extent)));
                let value = self.part(|code| value(code, site));
                choose(seen, value, int(0))
            }
        }
    }

    /// A layer of a site: of the top of a stack, but the component is that at the bottom.
    pub(super) fn layer(&mut self, layer: Layer, site: Expr, reach: Reach) -> Expr {
        let known = match (&site, self.bound[Iter::From as usize], self.piece) {
            (Expr::Get(site), Some(from), Some(piece)) if *site == from => Some(piece),
            _ => None,
        };
        match layer {
            Layer::What if self.game.stacking() => self.layer_in_stack(layer, site, None, reach),
            Layer::What => match known.filter(|_| reach == Reach::All) {
                Some(piece) => int(i32::from(piece)),
                None => self.reached(site, reach, Self::what),
            },
            Layer::Who => {
                if let Some(piece) = known.filter(|_| reach == Reach::All) {
                    return int(i32::from(self.game.layout.owner[usize::from(piece)]));
                }
                self.reached(site, reach, |code, site| {
                    let what = code.what(site);
                    code.owner_of(what)
                })
            }
            Layer::State | Layer::Rotation | Layer::Value => {
                if self.game.stacking() {
                    return self.layer_in_stack(layer, site, None, reach);
                }
                let offset = match layer {
                    Layer::State => 0,
                    Layer::Rotation => 1,
                    _ => 2,
                };
                let at = self.game.layout.at.extra;
                if at == 0 {
                    return int(0);
                }
                self.reached(site, reach, move |code, site| {
                    let site = code.keep_int(site);
                    code.by_site(at, site, 3, offset)
                })
            }
        }
    }

    /// A loop over the numbers of a list, in order.
    pub(super) fn for_list(&mut self, list: &Ints, write: impl Fn(&mut Self, Expr)) {
        match list {
            Ints::List(items) => {
                for item in items {
                    let value = self.int(item);
                    let value = self.keep_int(value);
                    write(self, value);
                }
                return;
            }
            Ints::Region(region) => {
                let sites = self.region(region);
                return self.for_each(sites, |code, site| write(code, site.get()));
            }
            Ints::Results { from, to, value } => {
                return self.for_results(from, to, value, &write);
            }
            _ => {}
        }
        let number = Parts::add(&mut self.parts.lists, list.clone());
        let from = self.keep(Type::Int, slot(Slot::Listed));
        let to = self.ask(Service::List, vec![int(number)]);
        let to = self.keep(Type::Int, to);
        self.for_range(from.get(), to.get(), |code, at| {
            let value = code.keep_int(LIST.at(at.get()));
            write(code, value);
        });
        self.push(set_slot(Slot::Listed, from.get()));
    }
}

/// The lowest of the sites with a component; -1 without one.
fn lowest_of(component: Expr, there: Expr) -> Expr {
    choose(component.greater(int(0)), there.nth(int(0)), int(-1))
}
