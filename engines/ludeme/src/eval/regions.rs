//! Regions.

use super::Eval;
use super::visitors::Targets;
use crate::ir::{
    Around, Bool, ByPiece, Int, Ints, Iter, JumpId, LineOfSightKind, Moves, Pieces, Place, RayId,
    Region, SetId, TrackChoice,
};
use crate::meter;
use crate::set::Set;
use crate::state::List;

impl Eval<'_> {
    /// The sites of a region.
    pub(crate) fn region(&mut self, region: &Region) -> Set {
        if !meter::work(1) {
            return Set::EMPTY;
        }
        let sites = self.sites_of(region);
        // Whoever asks for sites goes on to look at each of them.
        if meter::is_limited() {
            meter::work(sites.len().into());
        }
        sites
    }

    fn sites_of(&mut self, region: &Region) -> Set {
        match region {
            Region::Static(set) => self.game.set(*set).clone(),
            Region::ByPlayer(who, sets) => self.set_of(sets, who),
            Region::Empty(within) => self.empty() & self.game.set(*within),
            Region::Occupied { pieces, within, top } => self.occupied(pieces, *within, *top),
            Region::LastBetween => self.sites_listed(List::Between),
            Region::ToClear => self.sites_listed(List::ToClear),
            Region::State(value) => {
                let value = self.int(value);
                self.state.in_local_state(&self.game.board, value)
            }
            Region::LastTo => self.last_destinations(),
            Region::Touched => self.sites_listed(List::Touched),
            Region::Loop(ring, inside) => self.loop_sites(ring, *inside),
            Region::Random(pair) => self.random_sites(pair),
            Region::Track { tracks, from, to } => {
                self.track_sites(tracks, from.as_deref(), to.as_deref())
            }
            Region::Indexed(pair) => self.set_of(&pair.0, &pair.1),
            Region::Distance { distances, from, range } => {
                self.at_distance(*distances, from, range)
            }
            Region::DistanceByMove { jumps, condition, from, range } => {
                self.at_distance_by_move(jumps, condition.as_deref(), from, range)
            }
            Region::Between { rays, from, to, from_included, to_included, condition } => {
                self.between(rays, (from, *from_included), (to, *to_included), condition.as_deref())
            }
            Region::Union(list) => list.iter().fold(Set::EMPTY, |all, r| all | self.region(r)),
            Region::Intersection(list) => self.intersection(list),
            Region::Difference(pair) => {
                let from = self.region(&pair.0);
                from.without(&self.region(&pair.1))
            }
            Region::Without(pair) => self.region_without(pair),
            Region::If(parts) => self.either_region(parts),
            Region::Expand { jumps, region, steps } => self.expanded(*jumps, region, steps),
            Region::Filter(pair) => {
                let sites = self.region(&pair.0);
                self.filter(&sites, Iter::Site, &pair.1)
            }
            Region::ForSites(pair) => {
                let sites = self.region(&pair.0);
                sites.iter().fold(Set::EMPTY, |all, s| {
                    all | self.with(Iter::Site, s as i32, |eval| eval.region(&pair.1))
                })
            }
            Region::ForPlayers(pair) => self.for_players(pair),
            Region::List(sites) => sites.iter().filter_map(|s| self.site(s)).collect(),
            Region::FromInts(ints) => {
                let values = self.ints(ints);
                values.into_iter().filter_map(|v| usize::try_from(v).ok()).collect()
            }
            Region::Around { rays, origins, kind, distance, condition, include_self } => {
                let origins = self.place(origins);
                let distance = self.int(distance);
                let around = self.around(*rays, &origins, distance, *kind, condition.as_deref());
                if *include_self { around | origins } else { around.without(&origins) }
            }
            Region::Direction { rays, origins, included, stop, stop_included, distance } => self
                .along_all((rays, distance), origins, included, (stop.as_deref(), stop_included)),
            Region::LineOfSight { rays, at, kind } => self.line_of_sight(rays, at, *kind),
            Region::Group { jumps, from, condition } => {
                self.groups_of(*jumps, from, condition.as_deref())
            }
            Region::Pending => self.state.pending(&self.game.layout),
            Region::Elements { first, count, region } => {
                let numbers = self.region(region);
                self.elements(*first, *count, numbers)
            }
            Region::Numbers { first, count, region } => {
                let sites = self.region(region);
                Self::element_numbers(*first, *count, sites)
            }
            Region::Start(component) => {
                let component = self.site(component);
                component.map_or(Set::EMPTY, |c| self.state.start(&self.game.layout, c))
            }
            Region::Destinations(moves) => self.targets(self.game.generator(*moves)).to,
            Region::Winning(moves, who) => {
                let who = self.int(who);
                self.winning(self.game.generator(*moves), who)
            }
            Region::Origins(moves) => self.targets(self.game.generator(*moves)).from,
            Region::Levels { at, from_top, start, condition } => {
                self.levels_where(at, *from_top, start.as_deref(), condition.as_deref())
            }
            Region::Hidden { kind, from } => self.hidden_sites(*kind, from),
            Region::Pattern(pattern) => self.pattern_sites(pattern),
            Region::Iterated => self.iterated.clone(),
        }
    }

    /// A static set by a number; none beyond them.
    fn set_of(&mut self, sets: &[SetId], number: &Int) -> Set {
        let number = self.site(number);
        number.and_then(|n| sets.get(n)).map_or(Set::EMPTY, |&s| self.game.set(s).clone())
    }

    /// The sites in a list of the state.
    fn sites_listed(&self, list: List) -> Set {
        self.state.list(list).iter().map(|&s| usize::from(s)).collect()
    }

    /// The site to which the last move went, with its last action.
    fn last_destinations(&self) -> Set {
        let sites = [self.state.head.last_to, self.state.head.record.to_after];
        sites.into_iter().filter_map(|s| usize::try_from(s).ok()).collect()
    }

    /// The one of two regions that a condition chooses.
    fn either_region(&mut self, parts: &(Bool, Region, Region)) -> Set {
        if self.test(&parts.0) { self.region(&parts.1) } else { self.region(&parts.2) }
    }

    /// A region without one site.
    fn region_without(&mut self, pair: &(Region, Int)) -> Set {
        let mut from = self.region(&pair.0);
        if let Some(site) = self.site(&pair.1) {
            from.remove(site);
        }
        from
    }

    /// Some sites drawn from a region.
    fn random_sites(&mut self, pair: &(Region, Int)) -> Set {
        let all = self.region(&pair.0);
        let count = self.int(&pair.1).max(0) as u32;
        let chosen = match self.chance {
            Some(chance) => chance.different(all.len(), count),
            None => (0..count.min(all.len())).collect(),
        };
        chosen.into_iter().filter_map(|number| all.nth(number)).collect()
    }

    /// Sites with pieces among some, or only with those on top of their stacks.
    fn occupied(&mut self, pieces: &Pieces, within: SetId, top: bool) -> Set {
        if top && self.game.stacking() && pieces.components.is_some() {
            // The top decides whose stack it is, and the component may lie below.
            let owners = self.owners(&pieces.owners);
            let state = self.state;
            let tops = super::owned(owners, |owner| state.owned(owner));
            self.buried(pieces) & tops & self.game.set(within)
        } else if top || !self.game.stacking() {
            self.pieces(pieces) & self.game.set(within)
        } else {
            self.buried(pieces) & self.game.set(within)
        }
    }

    /// Sites of a track, from and to sites on it.
    fn track_sites(&mut self, tracks: &TrackChoice, from: Option<&Int>, to: Option<&Int>) -> Set {
        let from = from.map(|f| self.int(f));
        let to = to.map(|t| self.int(t));
        let game = self.game;
        let Some(track) = self.track(tracks).and_then(|t| game.world.tracks.get(t)) else {
            return Set::EMPTY;
        };
        let n = track.sites.len();
        let start = match from {
            None => 0,
            Some(from) => match track.place(from) {
                Some(start) => start,
                None => return Set::EMPTY,
            },
        };
        let mut sites = Set::EMPTY;
        for i in start..start + n {
            let site = track.sites[i % n];
            if let Ok(site) = usize::try_from(site) {
                sites.insert(site);
            }
            if Some(site) == to {
                break;
            }
        }
        sites
    }

    /// Sites at distances from a site.
    fn at_distance(&mut self, distances: usize, from: &Int, range: &(Int, Int)) -> Set {
        let (min, max) = (self.int(&range.0), self.int(&range.1));
        let row = self.site(from).and_then(|f| self.game.distances(distances).get(f));
        let Some(row) = row.filter(|_| min >= 0) else { return Set::EMPTY };
        let fits = |s: &usize| (min..=max).contains(&i32::from(row[*s]));
        (0..row.len()).filter(fits).collect()
    }

    /// Sites at distances by the step move of a piece.
    fn at_distance_by_move(
        &mut self,
        jumps: &ByPiece<JumpId>,
        condition: Option<&Bool>,
        from: &Int,
        range: &(Int, Int),
    ) -> Set {
        let (min, max) = (self.int(&range.0), self.int(&range.1));
        let Some(from) = self.site(from) else { return Set::EMPTY };
        let mut all = Set::EMPTY;
        self.levels(jumps, condition, from, |distance, level| {
            if distance >= min.max(1) && distance <= max {
                all |= level;
            }
            distance >= max
        });
        all
    }

    /// Sites between two on a straight path where a condition holds, with the ends if they count.
    fn between(
        &mut self,
        rays: &ByPiece<RayId>,
        (from, from_included): (&Int, bool),
        (to, to_included): (&Int, bool),
        condition: Option<&Bool>,
    ) -> Set {
        let (Some(from), Some(to)) = (self.site(from), self.site(to)) else {
            return Set::EMPTY;
        };
        let table = rays.of(self.state.what(from));
        let game = self.game;
        let mut all = table.into_iter().flat_map(|t| game.ray(t).of(from));
        let target = to as u16;
        let Some(ray) = all.find(|ray| ray.contains(&target)) else { return Set::EMPTY };
        let mut sites = Set::EMPTY;
        for &site in ray.iter().take_while(|&&s| s != target) {
            let holds = condition
                .is_none_or(|c| self.with(Iter::Between, i32::from(site), |eval| eval.test(c)));
            if holds {
                sites.insert(usize::from(site));
            }
        }
        if from_included {
            sites.insert(from);
        }
        if to_included {
            sites.insert(to);
        }
        sites
    }

    /// A region with the sites that so many steps lead to from there.
    fn expanded(&mut self, jumps: JumpId, region: &Region, steps: &Int) -> Set {
        let mut sites = self.region(region);
        let steps = self.int(steps);
        for _ in 0..steps.clamp(0, self.state.sites() as i32) {
            sites |= self.game.spread(jumps, &sites);
        }
        sites
    }

    /// The union of a region that is evaluated for each player of a list.
    fn for_players(&mut self, pair: &(Ints, Region)) -> Set {
        let players = self.ints(&pair.0);
        let known = 0..=self.players() as i32 + 1;
        players.into_iter().filter(|p| known.contains(p)).fold(Set::EMPTY, |all, p| {
            all | self.with(Iter::Player, p, |eval| eval.region(&pair.1))
        })
    }

    /// The sites along straight paths from others, up to some distance and up to where a condition
    /// stops.
    fn along_all(
        &mut self,
        (rays, distance): (&ByPiece<RayId>, &Int),
        origins: &Place,
        included: &Bool,
        (stop, stop_included): (Option<&Bool>, &Bool),
    ) -> Set {
        let origins = self.place(origins);
        let most = self.int(distance);
        let with_stop = self.test(stop_included);
        let mut sites = if self.test(included) { origins.clone() } else { Set::EMPTY };
        for origin in origins.iter() {
            if let Some(table) = rays.of(self.state.what(origin)) {
                sites |= self.along(table, origin, most, stop, with_stop);
            }
        }
        sites
    }

    /// The sites that are seen along straight paths from a site.
    fn line_of_sight(&mut self, rays: &ByPiece<RayId>, at: &Int, kind: LineOfSightKind) -> Set {
        let Some(at) = self.site(at) else { return Set::EMPTY };
        let table = rays.of(self.state.what(at));
        let rays = table.into_iter().flat_map(|t| self.game.ray(t).of(at));
        rays.fold(Set::EMPTY, |all, ray| all | self.seen(ray, kind))
    }

    /// The groups of the sites of a place.
    fn groups_of(&mut self, jumps: JumpId, from: &Place, condition: Option<&Bool>) -> Set {
        match from {
            Place::Site(site) => {
                let site = self.int(site);
                self.group(jumps, site, condition)
            }
            Place::Region(region) => {
                let starts = self.region(region);
                starts
                    .iter()
                    .fold(Set::EMPTY, |all, s| all | self.group(jumps, s as i32, condition))
            }
        }
    }

    /// Levels of a stack, from one on up or down, that satisfy a condition.
    fn levels_where(
        &mut self,
        at: &Int,
        from_top: bool,
        start: Option<&Int>,
        condition: Option<&Bool>,
    ) -> Set {
        let Some(at) = self.site(at) else { return Set::EMPTY };
        let top = self.state.height(at) as i32 - 1;
        let start = start.map(|start| self.int(start));
        let levels = match (from_top, start) {
            (true, start) => 0..=start.unwrap_or(top).min(top),
            (false, start) => start.unwrap_or(0).max(0)..=top,
        };
        let holds = |eval: &mut Self, level: i32| {
            condition.is_none_or(|c| eval.with(Iter::Level, level, |eval| eval.test(c)))
        };
        levels.filter(|&level| holds(self, level)).map(|level| level as usize).collect()
    }

    /// Sites of which something is hidden from a player.
    fn hidden_sites(&mut self, kind: u32, from: &Int) -> Set {
        let player = self.int(from);
        let known = (1..=self.players() as i32).contains(&player);
        let set = || self.game.layout.hidden(kind, player as usize);
        if known { self.state.set(set()) & &self.game.board } else { Set::EMPTY }
    }

    /// The sites that all of some regions have; none without any region.
    fn intersection(&mut self, list: &[Region]) -> Set {
        match list.split_first() {
            None => Set::EMPTY,
            Some((first, rest)) => {
                let first = self.region(first);
                rest.iter().fold(first, |all, r| all & self.region(r))
            }
        }
    }

    /// The sites of some pieces, wherever they are in their stacks.
    fn buried(&mut self, pieces: &crate::ir::Pieces) -> Set {
        let owners = self.owners(&pieces.owners);
        let occupied = self.game.everywhere.clone().without(&self.empty());
        let holds = |site: &usize| {
            (0..self.state.height(*site))
                .any(|level| self.is_piece(self.state.what_at(*site, level), owners, pieces))
        };
        occupied.iter().filter(holds).collect()
    }

    fn targets(&mut self, moves: &Moves) -> Targets {
        let mut targets = Targets { from: Set::EMPTY, to: Set::EMPTY };
        self.generate(moves, &mut targets);
        targets
    }

    fn around(
        &mut self,
        rays: RayId,
        origins: &Set,
        distance: i32,
        kind: Around,
        condition: Option<&Bool>,
    ) -> Set {
        let index = usize::try_from(distance.wrapping_sub(1)).unwrap_or(usize::MAX);
        let mut sites = Set::EMPTY;
        for origin in origins.iter() {
            for ray in self.game.ray(rays).of(origin) {
                let Some(&site) = ray.get(index) else { continue };
                let site = usize::from(site);
                let holds = self.is_around(kind, site)
                    && condition.is_none_or(|c| {
                        self.with(Iter::From, origin as i32, |eval| {
                            eval.with(Iter::To, site as i32, |eval| eval.test(c))
                        })
                    });
                if holds {
                    sites.insert(site);
                }
            }
        }
        sites
    }

    fn is_around(&self, kind: Around, site: usize) -> bool {
        let what = self.state.what(site);
        let owner = i32::from(self.game.layout.owner[what]);
        let shared = owner == self.players() as i32 + 1;
        let own = what != 0 && (owner == i32::from(self.turns.mover) || shared);
        match kind {
            Around::Any => true,
            Around::Empty => what == 0,
            Around::NotEmpty => what != 0,
            Around::Own => own,
            Around::NotOwn => !own,
            Around::Enemy => what != 0 && owner != 0 && !shared && self.is_enemy(owner),
            // With teams the reference has this the wrong way round.
            Around::NotEnemy if self.game.world.teams.is_some() => {
                what != 0 && (self.is_enemy(owner) || shared)
            }
            Around::NotEnemy => own,
        }
    }

    fn along(
        &mut self,
        rays: RayId,
        origin: usize,
        most: i32,
        stop: Option<&Bool>,
        with_stop: bool,
    ) -> Set {
        let most = usize::try_from(most).unwrap_or(0);
        let mut sites = Set::EMPTY;
        for ray in self.game.ray(rays).of(origin) {
            for &site in ray.iter().take(most) {
                let stops =
                    stop.is_some_and(|s| self.with(Iter::To, i32::from(site), |eval| eval.test(s)));
                if !stops || with_stop {
                    sites.insert(usize::from(site));
                }
                if stops {
                    break;
                }
            }
        }
        sites
    }

    fn seen(&self, ray: &[u16], kind: LineOfSightKind) -> Set {
        let empty = ray.iter().take_while(|&&s| self.state.what(usize::from(s)) == 0).count();
        let set = |sites: &[u16]| sites.iter().map(|&s| usize::from(s)).collect();
        match kind {
            LineOfSightKind::Empty => set(&ray[..empty]),
            LineOfSightKind::Farthest => set(&ray[empty.saturating_sub(1)..empty]),
            LineOfSightKind::Piece => set(ray.get(empty..empty + 1).unwrap_or_default()),
        }
    }
}
