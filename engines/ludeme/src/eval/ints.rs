//! Numbers.

use super::Eval;
use crate::ir::{
    Bool, ByPiece, Coordinates, EdgeEnds, Fold, Int, Ints, Iter, JumpId, Layer, Place, RayId,
    Reach, Region, SortedMap,
};
use crate::set::Set;
use crate::state::{Extra, State};

impl Eval<'_> {
    /// The value of a number that cannot be negative or large: a level, a count, an item.
    pub(crate) fn small(&mut self, int: &Int) -> u16 {
        self.int(int).clamp(0, 65535) as u16
    }

    /// The value of a number.
    #[inline]
    pub(crate) fn int(&mut self, int: &Int) -> i32 {
        match int {
            Int::Const(value) => *value,
            Int::Iter(iter) => self.get(*iter),
            Int::Mover => i32::from(self.turns.mover),
            Int::At { layer, at, level: None, reach } => {
                let site = match &**at {
                    Int::Iter(iter) => self.get(*iter),
                    at => self.other_int(at),
                };
                self.layer(*layer, site, None, *reach)
            }
            int => self.other_int(int),
        }
    }

    /// As [`Eval::int`], apart from it because of its large frame.
    #[inline(never)]
    fn other_int(&mut self, int: &Int) -> i32 {
        let head = &self.state.head;
        match int {
            Int::Const(value) => *value,
            Int::Iter(iter) => self.get(*iter),
            Int::Mover => i32::from(self.turns.mover),
            Int::Next => i32::from(self.turns.next),
            Int::Prev => i32::from(self.turns.prev),
            Int::Counter => head.counter,
            Int::Moves => head.moves as i32,
            Int::Turns => head.turn_number as i32,
            Int::MovesThisTurn => head.moves_this_turn as i32,
            Int::LegalMoves => self.count_legal(),
            Int::StepsOnTrack { tracks, from, to } => self.steps_on_track(tracks, from, to),
            Int::ActivePlayers => head.active.count_ones() as i32,
            Int::LastTo => i32::from(head.last_to),
            Int::LastFrom => i32::from(head.last_from),
            Int::LastToAfter => i32::from(head.record.to_after),
            Int::LastFromAfter => i32::from(head.record.from_after),
            Int::LastLevelTo => i32::from(head.record.level_to),
            Int::LastLevelFrom => i32::from(head.record.level_from),
            Int::PrevOther => self.last_other_mover(),
            Int::Pips => head.record.pips,
            Int::Face(at) => self.face(at),
            Int::Random(range) => self.random(range),
            Int::CountStack { at, from_top, condition, stop } => {
                self.count_levels(at, *from_top, condition.as_deref(), stop.as_deref())
            }
            Int::TrackFirst { tracks, from, condition } => {
                self.first_on_track(tracks, from.as_deref(), condition.as_deref())
            }
            Int::WhereLevel { component, at, from_top } => self.level_of(component, at, *from_top),
            Int::ByCoordinates(parts) => self.by_coordinates(parts),
            Int::PathExtent(parts) => self.path_extent(&parts.0, &parts.1, &parts.2),
            Int::TeamOf(who) => self.site(who).map_or(-1, |p| self.team(p) as i32),
            Int::StepsByMove { jumps, condition, from, to } => {
                self.steps_by_move(jumps, condition.as_deref(), from, to)
            }
            Int::Var(var) => self.state.vars()[*var],
            Int::Score(who) => self.by_player(who, State::scores, 0),
            Int::PlayerValue(who) => self.by_player(who, State::player_values, -1),
            Int::PendingValue => self.pending_value(),
            Int::Fold(kind, terms) => self.fold(*kind, terms),
            Int::FoldInts(kind, ints) => kind.of(&self.ints(ints)),
            Int::Arithmetic(operation, pair) => operation.of(self.int(&pair.0), self.int(&pair.1)),
            Int::Abs(a) => self.int(a).wrapping_abs(),
            Int::If(parts) => self.either(parts),
            Int::FromBool(condition) => i32::from(self.test(condition)),
            Int::At { layer, at, level, reach } => {
                self.layer_at(*layer, at, level.as_deref(), *reach)
            }
            Int::Count { at, reach } => self.count_at(at, *reach),
            Int::CountIn { region, reach } => self.count_in(region, *reach),
            Int::StackSize(place) => self.stack_size(place),
            Int::TopLevel(at) => self.top_level(at),
            Int::CountPieces { pieces, within, condition } => {
                let within = within.as_ref().map(|r| self.region(r));
                self.count_pieces(pieces, within, condition.as_deref())
            }
            Int::CountSites(region) => self.count_sites(region),
            Int::CountGroups { jumps, condition, min } => {
                self.count_groups(*jumps, condition.as_deref(), min)
            }
            Int::CountLiberties { jumps, at, condition } => {
                let at = self.int(at);
                self.liberties(*jumps, at, condition.as_deref())
            }
            Int::CountSteps { distances, from, to } => self.steps_between(*distances, from, to),
            Int::CountValue { value, values } => self.count_value(value, values),
            Int::GroupSize { jumps, at, condition } => {
                let at = self.int(at);
                self.group(*jumps, at, condition.as_deref()).len() as i32
            }
            Int::Territory { jumps, owners } => {
                let owners = self.owners(owners);
                self.territory(*jumps, owners)
            }
            Int::ArraySize(ints) => self.ints(ints).len() as i32,
            Int::Ahead { rays, site, steps } => self.ahead(rays, site, steps),
            Int::Table(pair) => self.in_table(pair),
            Int::Number(site) => self.number_of(site),
            Int::Element { first, count, number } => {
                let number = self.int(number);
                self.element(*first, *count, number)
            }
            Int::EdgeBetween(parts) => self.edge_between(parts),
            Int::RegionSite(pair) => self.site_in(pair),
            Int::ArrayValue(pair) => self.value_in(pair),
            Int::MapEntry(pair) => self.map_entry(pair),
            Int::HandSite(parts) => self.hand_site(parts),
            Int::TrackMove { tracks, from, steps } => self.track_move(tracks, from, steps),
            Int::TrackEnd { tracks } => self.track_end(tracks),
            Int::WhereOwned { components, owner } => self.where_owned(components, owner),
            Int::WhereState { components, owner, state } => {
                self.where_in_state(components, owner, state)
            }
            Int::WhereLowest(component) => self.where_lowest(component),
            Int::IdOf { components, owner } => self.id_of(components, owner),
        }
    }

    /// The number by which rules call a site, where elements of several types are played.
    fn number_of(&mut self, site: &Int) -> i32 {
        let site = self.int(site);
        self.game.world.number(site)
    }

    /// The one of two numbers that a condition chooses.
    #[inline]
    fn either(&mut self, parts: &(Bool, Int, Int)) -> i32 {
        if self.test(&parts.0) { self.int(&parts.1) } else { self.int(&parts.2) }
    }

    /// A layer of a site, at a level where one is given.
    #[inline]
    fn layer_at(&mut self, layer: Layer, at: &Int, level: Option<&Int>, reach: Reach) -> i32 {
        let site = self.int(at);
        let level = level.map(|l| self.int(l));
        self.layer(layer, site, level, reach)
    }

    /// The lowest site of the board with a component; -1 without one.
    fn where_lowest(&mut self, component: &Int) -> i32 {
        let component = self.int(component);
        self.lowest(component).map_or(-1, |s| s as i32)
    }

    /// A component by its owner; -1 where there is none.
    fn id_of(&mut self, components: &[i32], owner: &Int) -> i32 {
        let owner = self.site(owner);
        owner.and_then(|o| components.get(o)).copied().unwrap_or(-1)
    }

    /// The most recent mover other than this one; -1 without one.
    fn last_other_mover(&self) -> i32 {
        let mover = self.turns.mover;
        let movers = self.state.history.iter().rev().map(|entry| entry >> 1);
        let other = movers.filter(|&m| m != 0).find(|&m| m != mover);
        other.map_or(-1, i32::from)
    }

    /// The face of the die at a site; -1 if there is none.
    fn face(&mut self, at: &Int) -> i32 {
        let site = self.int(at);
        let Some(dice) = &self.game.world.dice else { return -1 };
        let die = site.wrapping_sub(dice.first as i32);
        let faces = usize::try_from(die).ok().and_then(|d| dice.faces.get(d));
        let face = usize::try_from(site).map_or(0, |s| self.state.extra(s, None).state);
        faces.map_or(-1, |f| f.get(face as usize).copied().unwrap_or(-1))
    }

    /// A number that is drawn from a range, both ends included.
    fn random(&mut self, range: &(Int, Int)) -> i32 {
        let (min, max) = (self.int(&range.0), self.int(&range.1));
        match u32::try_from(i64::from(max) - i64::from(min)) {
            Ok(span) if span < u32::MAX => min.wrapping_add(self.below(span + 1) as i32),
            _ => -1,
        }
    }

    /// The level of a component in a stack; -1 where it is not there.
    fn level_of(&mut self, component: &Int, at: &Int, from_top: bool) -> i32 {
        let component = self.int(component);
        let Some(site) = self.site(at) else { return -1 };
        let height = self.state.height(site);
        let mut levels = (0..height).map(|l| if from_top { height - 1 - l } else { l });
        let found = levels.find(|&l| self.state.what_at(site, l) as i32 == component);
        found.map_or(-1, |l| l as i32)
    }

    /// The number of steps of a piece that lead from a site to a place.
    fn steps_by_move(
        &mut self,
        jumps: &ByPiece<JumpId>,
        condition: Option<&Bool>,
        from: &Int,
        to: &Place,
    ) -> i32 {
        let targets = self.place(to);
        let Some(from) = self.site(from) else { return 0 };
        if targets.is_empty() {
            return 0;
        }
        let mut reached = None;
        self.levels(jumps, condition, from, |distance, level| {
            reached = level.intersects(&targets).then_some(distance);
            reached.is_some()
        });
        reached.unwrap_or(1_000_000_000)
    }

    /// The number of the topmost level of a stack.
    fn top_level(&mut self, at: &Int) -> i32 {
        let Some(site) = self.site(at) else { return 0 };
        if !self.game.stacking() {
            return 0;
        }
        self.state.height(site).saturating_sub(1) as i32
    }

    /// The site so many steps further along the first ray long enough, or the site itself.
    fn ahead(&mut self, rays: &ByPiece<RayId>, site: &Int, steps: &Int) -> i32 {
        let (site, steps) = (self.int(site), self.int(steps));
        let Ok(at) = usize::try_from(site) else { return -1 };
        let table = rays.of(self.state.what(at));
        let index = usize::try_from(steps.wrapping_sub(1)).unwrap_or(usize::MAX);
        let mut rays = table.into_iter().flat_map(|t| self.game.ray(t).of(at));
        rays.find_map(|ray| ray.get(index)).map_or(site, |&s| i32::from(s))
    }

    /// The edge between two vertices; -1 where there is none.
    fn edge_between(&mut self, parts: &(EdgeEnds, Int, Int)) -> i32 {
        let (a, b) = (self.int(&parts.1), self.int(&parts.2));
        let joins = |ends: &[u16; 2]| {
            let ends = ends.map(i32::from);
            ends == [a, b] || ends == [b, a]
        };
        parts.0.iter().position(joins).map_or(-1, |edge| edge as i32)
    }

    /// A site of a region by its place there; -1 beyond the last one.
    fn site_in(&mut self, pair: &(Region, Int)) -> i32 {
        let region = self.region(&pair.0);
        let index = self.int(&pair.1);
        let site = u32::try_from(index).ok().and_then(|index| region.nth(index));
        site.map_or(-1, |site| site as i32)
    }

    /// A number of a list by its place there; -1 beyond the last one.
    fn value_in(&mut self, pair: &(Ints, Int)) -> i32 {
        let values = self.ints(&pair.0);
        let index = self.site(&pair.1);
        index.and_then(|i| values.get(i).copied()).unwrap_or(-1)
    }

    /// The value of a key in the first of some maps that has it; the key itself if none has.
    fn map_entry(&mut self, pair: &(Box<[SortedMap]>, Int)) -> i32 {
        let key = self.int(&pair.1);
        let found = pair
            .0
            .iter()
            .find_map(|map| map.binary_search_by_key(&key, |p| p.0).ok().map(|i| map[i].1));
        found.filter(|&v| v != -99).unwrap_or(key)
    }

    /// A site of a hand; -1 where the player has none.
    fn hand_site(&mut self, parts: &(Box<[i32]>, Int, Int)) -> i32 {
        let owner = self.site(&parts.1);
        let first = owner.and_then(|o| parts.0.get(o)).copied().unwrap_or(-1);
        if first < 0 { -1 } else { first.wrapping_add(self.int(&parts.2)) }
    }

    /// The first site of the component of an owner, in the order of placing; -1 without one.
    fn where_owned(&mut self, components: &[u16], owner: &Int) -> i32 {
        let owner = self.site(owner);
        let component = owner.and_then(|o| components.get(o)).map_or(0, |&c| usize::from(c));
        if !self.game.layout.is_ordered() {
            // There is one at most.
            return self.lowest(component as i32).map_or(-1, |s| s as i32);
        }
        let board = self.game.world.topology.sites();
        let mut order = self.state.order(&self.game.layout, component);
        let found = order.find(|&s| component > 0 && s < board);
        found.map_or(-1, |s| s as i32)
    }

    /// As [`Eval::where_owned`], of the pieces with a local state.
    fn where_in_state(&mut self, components: &[u16], owner: &Int, state: &Int) -> i32 {
        let owner = self.site(owner);
        let component = owner.and_then(|o| components.get(o)).map_or(0, |&c| usize::from(c));
        let wanted = self.int(state);
        let board = self.game.world.topology.sites();
        let fits = |site: usize| site < board && self.state.extra(site, None).state == wanted;
        if component == 0 {
            return -1;
        }
        if !self.game.layout.is_ordered() {
            let only = self.lowest(component as i32).filter(|&site| fits(site));
            return only.map_or(-1, |s| s as i32);
        }
        let mut order = self.state.order(&self.game.layout, component);
        let found = order.find(|&s| fits(s));
        found.map_or(-1, |s| s as i32)
    }

    /// A site by its row and column; -1 where there is none.
    fn by_coordinates(&mut self, parts: &(Coordinates, Int, Int)) -> i32 {
        let wanted = (self.int(&parts.1), self.int(&parts.2));
        parts.0.iter().position(|&p| p == wanted).map_or(-1, |s| s as i32)
    }

    /// A number of a static table; -1 beyond its end.
    fn in_table(&mut self, pair: &(Box<[i32]>, Int)) -> i32 {
        let at = self.site(&pair.1);
        at.and_then(|at| pair.0.get(at)).copied().unwrap_or(-1)
    }

    /// The lowest site of the board with a component.
    pub(super) fn lowest(&self, component: i32) -> Option<usize> {
        let component = usize::try_from(component).ok().filter(|&c| c > 0)?;
        let set = *self.game.layout.piece_set.get(component)?;
        (self.state.set(usize::from(set)) & &self.game.board).first()
    }

    fn by_player(&mut self, who: &Int, list: impl Fn(&State) -> &[i32], default: i32) -> i32 {
        let player = self.site(who);
        player.and_then(|p| list(self.state).get(p)).copied().unwrap_or(default)
    }

    fn pending_value(&self) -> i32 {
        let sites: Set = self.state.pending(&self.game.layout);
        match (self.state.head.pending_number, sites.len()) {
            (Some(number), 0) => number,
            (None, 1) => sites.first().map_or(0, |s| s as i32),
            _ => 0,
        }
    }

    fn fold(&mut self, kind: Fold, terms: &[Int]) -> i32 {
        let Some((first, rest)) = terms.split_first() else { return kind.of(&[]) };
        let first = self.int(first);
        rest.iter().fold(first, |value, term| kind.of(&[value, self.int(term)]))
    }

    /// A site number that a ludeme can see.
    #[inline]
    pub(super) fn reached(&self, site: i32, reach: Reach) -> Option<usize> {
        let site = usize::try_from(site).ok()?;
        let board = site < self.game.world.topology.extent();
        match reach {
            Reach::All => Some(site),
            Reach::Board => board.then_some(site),
            Reach::Hands => (!board).then_some(site),
        }
    }

    #[inline]
    fn layer(&mut self, layer: Layer, site: i32, level: Option<i32>, reach: Reach) -> i32 {
        let Some(site) = self.reached(site, reach) else { return 0 };
        let level = level.and_then(|l| usize::try_from(l).ok());
        let what = |level: Option<usize>| match level {
            Some(level) => self.state.what_at(site, level),
            None => self.state.what(site),
        };
        match layer {
            // This one alone looks at the bottom of a stack.
            Layer::What if self.game.stacking() => {
                self.state.what_at(site, level.unwrap_or(0)) as i32
            }
            Layer::What => what(level) as i32,
            Layer::Who => i32::from(self.game.layout.owner[what(level)]),
            Layer::State | Layer::Rotation | Layer::Value => {
                let Extra { state, rotation, value } = self.state.extra(site, level);
                match layer {
                    Layer::State => state,
                    Layer::Rotation => rotation,
                    _ => value,
                }
            }
        }
    }

    fn steps_between(&mut self, distances: usize, from: &Int, to: &Place) -> i32 {
        let from = self.site(from);
        let targets = self.place(to);
        let Some(row) = from.and_then(|f| self.game.distances(distances).get(f)) else { return 0 };
        let lengths = targets.iter().filter_map(|t| row.get(t));
        lengths.min().map_or(0, |&d| i32::from(d))
    }

    /// Gives the sites at each number of steps from a site, as a step move with a condition goes,
    /// until somebody has seen enough of them.
    pub(super) fn levels(
        &mut self,
        jumps: &crate::ir::ByPiece<crate::ir::JumpId>,
        condition: Option<&crate::ir::Bool>,
        from: usize,
        mut look: impl FnMut(i32, &Set) -> bool,
    ) {
        let Some(table) = jumps.of(self.state.what(from)) else { return };
        let old = [Iter::From, Iter::To].map(|i| self.get(i));
        let (mut edge, mut distance) = (Set::single(from), 0);
        let mut seen = edge.clone();
        let game = self.game;
        while !look(distance, &edge) && !edge.is_empty() {
            let mut next = Set::EMPTY;
            for site in edge.iter() {
                for &to in game.jump(table).of(site) {
                    self.set(Iter::From, site as i32);
                    self.set(Iter::To, i32::from(to));
                    let fits =
                        !seen.contains(usize::from(to)) && condition.is_none_or(|c| self.test(c));
                    if fits {
                        seen.insert(usize::from(to));
                        next.insert(usize::from(to));
                    }
                }
            }
            (edge, distance) = (next, distance + 1);
        }
        self.set(Iter::From, old[0]);
        self.set(Iter::To, old[1]);
    }
}
