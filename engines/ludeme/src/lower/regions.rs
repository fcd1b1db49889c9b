//! Regions. Those that the board alone decides are computed here.

use crate::board::{Area, Direction, SiteType};
use crate::front::{Arg, Call, Label, Name, Value, Word};
use crate::ir::{
    Around, Aspects, Bool, Int, JumpId, LineOfSightKind, Part, Place, RayId, Region, TrackChoice,
    Walk,
};

use super::directions::absolute;
use super::elements::{numbers_of_elements, place_of, sites_of_elements};
use super::places::{
    all, any_type, area_named, component_named, coordinate, default_type, elements_of, fixed_flag,
    known_type, need, site_type_of,
};
use super::{Lower, Lowered, invalid, unsupported, unsupported_use};

impl<'c> Lower<'c> {
    /// Lowers a region.
    pub(super) fn region(&mut self, arg: &'c Arg) -> Lowered<Region> {
        super::count_step()?;
        match &arg.value {
            Value::Call(call) => {
                let region = self.region_call(call)?;
                Ok(self.folded(region))
            }
            Value::Array(items) => {
                let sites = items.iter().map(|i| self.int(i)).collect::<Lowered<Vec<Int>>>()?;
                Ok(self.list_region(sites))
            }
            _ => Err(invalid(arg, "not-a-region", "a region is wanted here")),
        }
    }

    pub(super) fn static_set(&mut self, sites: Vec<u16>) -> Region {
        Region::Static(self.tables.set(sites))
    }

    fn region_call(&mut self, call: &'c Call) -> Lowered<Region> {
        let join = |condition: Bool, a: Region, b: Region| Region::If(Box::new((condition, a, b)));
        let none = |lower: &mut Self| Ok(lower.static_set(Vec::new()));
        if let Some(region) = self.by_direction(call, Self::region_call, join, none)? {
            return Ok(region);
        }
        let name = call.name();
        Ok(match name {
            Name::Union | Name::Intersection => {
                let list = all(call, Label::List)
                    .map(|a| self.region(a))
                    .collect::<Lowered<Vec<Region>>>()?;
                if name == Name::Union {
                    Region::Union(list.into())
                } else {
                    Region::Intersection(list.into())
                }
            }
            Name::Difference => {
                let from = self.region(need(call, Label::From)?)?;
                match self.place(need(call, Label::Without)?)? {
                    Place::Region(without) => Region::Difference(Box::new((from, without))),
                    Place::Site(site) => Region::Without(Box::new((from, site))),
                }
            }
            Name::If => {
                let condition = self.bool_at(call, Label::Condition)?;
                let then = self.region(need(call, Label::Then)?)?;
                let otherwise = match call.arg(Label::Else) {
                    Some(arg) => self.region(arg)?,
                    None => self.static_set(Vec::new()),
                };
                Region::If(Box::new((condition, then, otherwise)))
            }
            Name::Expand => self.expand(call)?,
            Name::ForEach => self.for_each(call)?,
            Name::ForEachTeam => {
                let regions =
                    self.for_teams(call, |lower| lower.region(need(call, Label::Region)?))?;
                Region::Union(regions.into())
            }
            Name::ForEachLevel => {
                any_type(&self.world, call)?;
                Region::Levels {
                    at: Box::new(self.int_at(call, Label::At)?),
                    from_top: call.constant(Label::From) != Some(Word::FromBottom),
                    start: self.int_opt(call, Label::StartAt)?.map(Box::new),
                    condition: self.condition(call, Label::If)?,
                }
            }
            Name::Sites => self.sites(call)?,
            Name::LastBetween => Region::LastBetween,
            _ => self.sites_of(call)?,
        })
    }

    fn expand(&mut self, call: &'c Call) -> Lowered<Region> {
        default_type(&self.world, call)?;
        if let Some(container) = call.arg(Label::Container) {
            return Err(unsupported_use(container, "`expand` in a container"));
        }
        let region = match (call.arg(Label::Region), call.arg(Label::Origin)) {
            (Some(region), _) => self.region(region)?,
            (_, Some(site)) => {
                let site = self.int(site)?;
                self.list_region(vec![site])
            }
            _ => return Err(unsupported(call)),
        };
        let direction = absolute(call, Label::Direction);
        let jumps = self.steps_in(direction);
        let steps = Box::new(self.int_or(call, Label::Steps, Int::Const(1))?);
        Ok(Region::Expand { jumps, region: Box::new(region), steps })
    }

    fn for_each(&mut self, call: &'c Call) -> Lowered<Region> {
        let has = |label: Label| call.find(label).is_some();
        if has(Label::Players) {
            let players = self.ints(need(call, Label::Players)?)?;
            let region = self.region(need(call, Label::Region)?)?;
            return Ok(Region::ForPlayers(Box::new((players, region))));
        }
        if has(Label::Of) {
            let outer = self.region(need(call, Label::Of)?)?;
            return Ok(Region::ForSites(Box::new((
                outer,
                self.region(need(call, Label::Region)?)?,
            ))));
        }
        let region = self.region(need(call, Label::Region)?)?;
        Ok(Region::Filter(Box::new((region, self.bool_at(call, Label::If)?))))
    }

    /// `(sites ..)` without a kind: lists, coordinates, named and owned regions, the iterated one.
    fn sites(&mut self, call: &'c Call) -> Lowered<Region> {
        let has = |label: Label| call.find(label).is_some();
        if has(Label::List) {
            return self.site_list(need(call, Label::List)?);
        }
        if has(Label::Walks) {
            return self.ends_of_walks(call);
        }
        if has(Label::Who) {
            default_type(&self.world, call)?;
            let who = self.who(need(call, Label::Who)?)?;
            let name = call.text(Label::Name).unwrap_or_default();
            return Ok(self.owned_region(who, name));
        }
        if has(Label::Name) {
            let name = call.text(Label::Name).unwrap_or_default();
            let regions = self.world.regions.iter().filter(|r| r.name == name);
            let sites: Vec<u16> = regions.flat_map(|r| r.parts.concat()).collect();
            return Ok(self.static_set(sites));
        }
        Ok(Region::Iterated)
    }

    /// The regions of a player whose names contain a text.
    fn owned_region(&mut self, who: Int, name: &str) -> Region {
        let owned_by = |lower: &Self, owner: u8| -> Vec<u16> {
            let own = lower.world.regions.iter().filter(|r| r.owner == owner);
            own.filter(|r| r.name.contains(name)).flat_map(|r| r.parts.concat()).collect()
        };
        if let Some(owner) = who.constant() {
            let sites = owned_by(self, owner.clamp(0, 255) as u8);
            return self.static_set(sites);
        }
        let owners = 0..=self.world.players as u8 + 1;
        let sets: Vec<Vec<u16>> = owners.map(|o| owned_by(self, o)).collect();
        let sets = sets.into_iter().map(|sites| self.tables.set(sites)).collect();
        Region::ByPlayer(Box::new(who), sets)
    }

    fn site_list(&mut self, arg: &'c Arg) -> Lowered<Region> {
        match &arg.value {
            Value::Array(items) if items.iter().all(|i| i.as_text().is_some()) => {
                let labels: Vec<&str> = items.iter().filter_map(Arg::as_text).collect();
                if items.is_empty() {
                    return Ok(self.static_set(Vec::new()));
                }
                let found = labels.iter().filter_map(|l| coordinate(&self.world, l, None));
                let sites = found.map(|s| s as u16).collect();
                Ok(self.static_set(sites))
            }
            Value::Text(label) => {
                let sites =
                    coordinate(&self.world, label, None).map(|s| s as u16).into_iter().collect();
                Ok(self.static_set(sites))
            }
            Value::Array(items) => {
                let sites = items.iter().map(|i| self.int(i)).collect::<Lowered<Vec<Int>>>()?;
                Ok(self.list_region(sites))
            }
            _ => Ok(Region::FromInts(Box::new(self.ints(arg)?))),
        }
    }

    fn sites_of(&mut self, call: &'c Call) -> Lowered<Region> {
        use Name::*;
        if let Some(area) = area_named(call.name()) {
            return self.area(call, area);
        }
        Ok(match call.name() {
            SitesHint => self.hint_sites(call)?,
            SitesLargePiece => self.large_piece(call)?,
            SitesHidden => self.hidden_sites(call)?,
            SitesPlayable | SitesLineOfPlay => self.playable(call)?,
            SitesRow | SitesColumn | SitesLayer | SitesPhase | SitesCell | SitesEdge => {
                self.indexed(call)?
            }
            SitesSide => self.side(call)?,
            SitesEmpty
                if elements_of(&self.world, call).is_some() && !call.has(Label::Container) =>
            {
                let Some(elements) = elements_of(&self.world, call) else {
                    return Err(unsupported(call));
                };
                let sites = self.tables.set(sites_of_elements(elements));
                numbers_of_elements(elements, Region::Empty(sites))
            }
            SitesIncident => self.incident(call)?,
            SitesCrossing => self.crossing(call)?,
            SitesLoop => {
                let inside = fixed_flag(call, Label::Inside, false)?;
                Region::Loop(Box::new(self.ring(call)?), inside)
            }
            SitesPattern => Region::Pattern(Box::new(self.pattern(call)?)),
            SitesEmpty => self.empty_sites(call)?,
            SitesOccupied => self.occupied(call)?,
            SitesHand => self.hand(call)?,
            SitesStart => self.starts_of(call)?,
            SitesPending => Region::Pending,
            SitesToClear => Region::ToClear,
            SitesLastTo => Region::LastTo,
            SitesLastFrom => Region::List(Box::new([Int::LastFrom, Int::LastFromAfter])),
            SitesAxial | SitesHorizontal | SitesVertical | SitesAngled | SitesSlash
            | SitesSlosh => self.edges_that_run(call.name()),
            SitesState => {
                default_type(&self.world, call)?;
                Region::State(Box::new(self.int_at(call, Label::Index)?))
            }
            SitesRandom => self.random_sites(call)?,
            SitesDistance => self.sites_at_distance(call)?,
            SitesBetween if call.find(Label::From).is_some() => self.between(call)?,
            SitesTrack => self.track(call)?,
            SitesTo => Region::Destinations(self.asked_moves(need(call, Label::Moves)?)?),
            SitesWinning => {
                let moves = self.asked_moves(need(call, Label::Moves)?)?;
                let who = call.arg(Label::Who).map(|arg| self.who(arg)).transpose()?;
                Region::Winning(moves, Box::new(who.unwrap_or(Int::Mover)))
            }
            SitesFrom => Region::Origins(self.asked_moves(need(call, Label::Moves)?)?),
            SitesAround => self.around(call)?,
            SitesDirection => self.direction(call)?,
            SitesLineOfSight => self.line_of_sight(call)?,
            SitesGroup => self.group(call)?,
            _ => return Err(unsupported(call)),
        })
    }

    /// `(sites Empty ..)`: the empty sites of the board or of another container.
    fn empty_sites(&mut self, call: &'c Call) -> Lowered<Region> {
        default_type(&self.world, call)?;
        let sites = match call.arg(Label::Container) {
            None => self.world.board(),
            Some(arg) => self.container_sites(arg)?,
        };
        Ok(Region::Empty(self.tables.set(sites)))
    }

    /// `(sites Start ..)`: the sites where a component stood after the set-up.
    fn starts_of(&mut self, call: &'c Call) -> Lowered<Region> {
        let piece = super::places::need_call(call, Label::Piece)?;
        let which = need(piece, Label::Which)?;
        let component = match which.as_text() {
            Some(_) => Int::Const(i32::from(component_named(&self.world, which)?)),
            None => self.int(which)?,
        };
        Ok(Region::Start(Box::new(component)))
    }

    /// `(sites Random ..)`: sites of a region drawn by lot.
    fn random_sites(&mut self, call: &'c Call) -> Lowered<Region> {
        let region = match call.arg(Label::Region) {
            Some(arg) => self.region(arg)?,
            None => {
                let board = self.world.board();
                Region::Empty(self.tables.set(board))
            }
        };
        let number = self.int_or(call, Label::Num, Int::Const(1))?;
        Ok(Region::Random(Box::new((region, number))))
    }

    /// `(sites Distance ..)`: the sites at some distances from a site.
    fn sites_at_distance(&mut self, call: &'c Call) -> Lowered<Region> {
        default_type(&self.world, call)?;
        if call.has(Label::NewRotation) {
            return Err(unsupported(call));
        }
        let from = Box::new(self.int_at(call, Label::From)?);
        let range = Box::new(self.range(super::places::need_call(call, Label::Range)?)?);
        Ok(match call.arg(Label::Step) {
            Some(step) => {
                let (jumps, condition) = self.step_of(step)?;
                Region::DistanceByMove { jumps, condition, from, range }
            }
            None => {
                let relation = self.rules.features.distances.unwrap_or(Direction::Adjacent);
                let distances = self.tables.distance(&self.world.topology, relation);
                Region::Distance { distances, from, range }
            }
        })
    }

    /// `(sites Between ..)`: the sites between two others on a straight path.
    fn between(&mut self, call: &'c Call) -> Lowered<Region> {
        default_type(&self.world, call)?;
        Ok(Region::Between {
            rays: self.rays(call.arg(Label::Directions))?,
            from: Box::new(self.int_at(call, Label::From)?),
            to: Box::new(self.int_at(call, Label::To)?),
            from_included: fixed_flag(call, Label::FromIncluded, false)?,
            to_included: fixed_flag(call, Label::ToIncluded, false)?,
            condition: self.condition(call, Label::Cond)?,
        })
    }

    /// `(sites LineOfSight ..)`: the sites seen from a site.
    fn line_of_sight(&mut self, call: &'c Call) -> Lowered<Region> {
        let kind = match call.constant(Label::Sight) {
            Some(Word::Empty) => LineOfSightKind::Empty,
            Some(Word::Farthest) => LineOfSightKind::Farthest,
            _ => LineOfSightKind::Piece,
        };
        let rays = self.rays(call.arg(Label::Directions))?;
        let at = Box::new(self.int_or(call, Label::At, Int::LastTo)?);
        Ok(Region::LineOfSight { rays, at, kind })
    }

    /// `(sites Group ..)`: the groups of some sites.
    fn group(&mut self, call: &'c Call) -> Lowered<Region> {
        default_type(&self.world, call)?;
        let jumps = self.neighbours(call.arg(Label::Directions))?;
        let from =
            call.arg(Label::At).or(call.arg(Label::From)).ok_or_else(|| unsupported(call))?;
        let from = Box::new(self.place(from)?);
        Ok(Region::Group { jumps, from, condition: self.condition(call, Label::If)? })
    }

    fn area(&mut self, call: &'c Call, area: Area) -> Lowered<Region> {
        known_type(&self.world, call)?;
        let sites = self.world.topology.area(site_type_of(&self.world, call), area);
        Ok(self.static_set(sites))
    }

    fn indexed(&mut self, call: &'c Call) -> Lowered<Region> {
        known_type(&self.world, call)?;
        let arg = need(call, Label::Index)?;
        // Cells and edges are selected by their coordinates, too.
        if let (Some(label), Some(element)) =
            (arg.as_text(), call.name().selector().and_then(SiteType::named))
        {
            let index =
                coordinate(&self.world, label, Some(element)).map_or(-1, |site| site as i32);
            let sites = self.sites_of_index(call, index);
            return Ok(self.static_set(sites));
        }
        let index = self.int(arg)?;
        let Some(index) = index.constant() else {
            let most = self.world.topology.sites() as i32;
            let by_index: Vec<Vec<u16>> = (0..most).map(|i| self.sites_of_index(call, i)).collect();
            let last = by_index.iter().rposition(|sites| !sites.is_empty()).map_or(0, |i| i + 1);
            let sets = by_index[..last].iter().map(|s| self.tables.set(s.clone())).collect();
            return Ok(Region::Indexed(Box::new((sets, index))));
        };
        let sites = self.sites_of_index(call, index);
        Ok(self.static_set(sites))
    }

    /// The sites of a row, a column and the like, by number.
    fn sites_of_index(&self, call: &Call, index: i32) -> Vec<u16> {
        let (topology, site) = (&self.world.topology, site_type_of(&self.world, call));
        match call.name() {
            Name::SitesCell => topology.cell_vertices(usize::try_from(index).unwrap_or(usize::MAX)),
            Name::SitesEdge => {
                let ends = usize::try_from(index).ok().and_then(|e| topology.edge_ends(e));
                ends.map_or(Vec::new(), |ends| ends.to_vec())
            }
            Name::SitesRow => topology.in_row(site, index),
            Name::SitesColumn => topology.in_column(site, index),
            _ => {
                let value = |e: usize| match call.name() {
                    Name::SitesLayer => topology.layer(site, e),
                    _ => topology.phase(site, e).map(i32::from),
                };
                let elements = 0..topology.count(site);
                let fitting = elements.filter(|&e| index >= 0 && value(e) == Some(index));
                fitting.map(|e| e as u16).collect()
            }
        }
    }

    fn side(&mut self, call: &'c Call) -> Lowered<Region> {
        known_type(&self.world, call)?;
        let Some(arg) = call.arg(Label::Side) else { return Err(unsupported(call)) };
        let site = site_type_of(&self.world, call);
        if let Some(wind) = arg.as_constant().and_then(Direction::named) {
            let sites = self.world.topology.side(site, wind);
            return Ok(self.static_set(sites));
        }
        let who = self.who(arg)?;
        let side_of = |lower: &Self, player: i32| -> Vec<u16> {
            if player == lower.world.players as i32 + 1 {
                return lower.world.topology.area(site, Area::Outer);
            }
            // The facing of a player is that of the pieces of the player.
            let own = lower.world.components.iter().find(|c| i32::from(c.owner) == player);
            let facing = own.and_then(|c| c.facing);
            facing.map_or(Vec::new(), |wind| lower.world.topology.side(site, wind))
        };
        if let Some(player) = who.constant() {
            let sites = side_of(self, player);
            return Ok(self.static_set(sites));
        }
        let sets: Vec<Vec<u16>> =
            (0..=self.world.players as i32 + 1).map(|p| side_of(self, p)).collect();
        let sets = sets.into_iter().map(|sites| self.tables.set(sites)).collect();
        Ok(Region::ByPlayer(Box::new(who), sets))
    }

    fn track(&mut self, call: &'c Call) -> Lowered<Region> {
        if call.has(Label::From) || call.has(Label::To) {
            return self.part_of_track(call);
        }
        let name = call.args.iter().find_map(Arg::as_text).unwrap_or_default();
        let owner = match call.arg(Label::Who) {
            None => 0,
            Some(arg) => {
                let who = self.who(arg)?;
                match who.constant() {
                    Some(owner) => owner,
                    None => return self.part_of_track(call),
                }
            }
        };
        let tracks = &self.world.tracks;
        let fits = |t: &&crate::world::Track| {
            t.name.contains(name) && (i32::from(t.owner) == owner || t.owner == 0)
        };
        let track = tracks.iter().find(|t| t.name == name).or_else(|| tracks.iter().find(fits));
        let sites = track.map_or(Vec::new(), |t| {
            t.sites.iter().filter_map(|&s| u16::try_from(s).ok()).collect()
        });
        Ok(self.static_set(sites))
    }

    fn part_of_track(&mut self, call: &'c Call) -> Lowered<Region> {
        let name = call.args.iter().find_map(Arg::as_text).unwrap_or_default();
        let who = match call.arg(Label::Who) {
            None => Int::Const(0),
            Some(arg) => self.who(arg)?,
        };
        let tracks = &self.world.tracks;
        let track = |owner: u8| {
            let fits = |t: &crate::world::Track| {
                t.name.contains(name) && (t.owner == owner || t.owner == 0)
            };
            tracks.iter().position(|t| t.name == name).or_else(|| tracks.iter().position(fits))
        };
        let tracks = match who.constant() {
            Some(owner) => TrackChoice::One(track(owner.clamp(0, 255) as u8)),
            None => TrackChoice::Of(
                Box::new(who),
                (0..=self.world.players as u8 + 1).map(track).collect(),
            ),
        };
        let mut end = |label: Label| -> Lowered<Option<Box<Int>>> {
            Ok(call.arg(label).map(|a| self.int(a)).transpose()?.map(Box::new))
        };
        Ok(Region::Track { tracks, from: end(Label::From)?, to: end(Label::To)? })
    }

    fn around(&mut self, call: &'c Call) -> Lowered<Region> {
        let elements = elements_of(&self.world, call);
        if elements.is_none() {
            default_type(&self.world, call)?;
        }
        let kind = match call.constant(Label::Who) {
            None => Around::Any,
            Some(Word::Empty) => Around::Empty,
            Some(Word::NotEmpty) => Around::NotEmpty,
            Some(Word::Own) => Around::Own,
            Some(Word::NotOwn) => Around::NotOwn,
            Some(Word::Enemy) => Around::Enemy,
            Some(_) => Around::NotEnemy,
        };
        let direction = absolute(call, Label::Direction);
        let origins = self.place(need(call, Label::Where)?)?;
        let around = Region::Around {
            rays: self.rays_in(direction),
            origins: Box::new(place_of(&self.world, call, origins)),
            kind,
            distance: Box::new(self.int_or(call, Label::Distance, Int::Const(1))?),
            condition: self.condition(call, Label::If)?,
            include_self: fixed_flag(call, Label::IncludeSelf, false)?,
        };
        Ok(match elements {
            Some(elements) => numbers_of_elements(elements, around),
            None => around,
        })
    }

    fn direction(&mut self, call: &'c Call) -> Lowered<Region> {
        default_type(&self.world, call)?;
        Ok(Region::Direction {
            rays: self.rays(call.arg(Label::Directions))?,
            origins: Box::new(self.place(need(call, Label::From)?)?),
            included: Box::new(self.bool_or(call, Label::Included, false)?),
            stop: self.condition(call, Label::Stop)?,
            stop_included: Box::new(self.bool_or(call, Label::StopIncluded, false)?),
            distance: Box::new(self.int_or(call, Label::Distance, Int::Const(1000))?),
        })
    }

    /// The region as a static set, if all its parts are static.
    fn folded(&mut self, region: Region) -> Region {
        let mut is_known = !matches!(region, Region::Static(_) | Region::List(_));
        region.each_part(&mut |part| {
            is_known &= match part {
                Part::Region(part) => matches!(part, Region::Static(_)),
                Part::Int(part) => part.constant().is_some(),
                Part::Bool(part) => matches!(part, Bool::Const(_)),
                Part::Reads(aspects) => aspects == Aspects::NONE,
                Part::Binds(_) => true,
                _ => false,
            };
        });
        match is_known.then(|| self.region_before(&region, None)).flatten() {
            Some(sites) => self.static_set(sites),
            None => region,
        }
    }

    pub(super) fn grown(&self, jumps: JumpId, mut sites: Vec<u16>, steps: i32) -> Vec<u16> {
        let table = &self.tables.jumps.items[jumps.0 as usize];
        for _ in 0..steps.clamp(0, self.world.sites() as i32) {
            let new: Vec<u16> = sites.iter().flat_map(|&s| table.of(s).iter().copied()).collect();
            sites.extend(new);
            sites.sort_unstable();
            sites.dedup();
        }
        sites
    }

    pub(super) fn at_distance(
        &self,
        rays: RayId,
        origins: &[u16],
        distance: i32,
        with_self: bool,
    ) -> Vec<u16> {
        let table = &self.tables.rays.items[rays.0 as usize];
        let index = usize::try_from(distance.wrapping_sub(1)).unwrap_or(usize::MAX);
        let around = origins.iter().flat_map(|&o| table.of(o));
        let mut sites: Vec<u16> = around.filter_map(|ray| ray.get(index).copied()).collect();
        sites.retain(|s| !origins.contains(s));
        if with_self {
            sites.extend(origins);
        }
        sites
    }

    pub(super) fn along(
        &self,
        rays: RayId,
        origins: &[u16],
        distance: i32,
        included: bool,
    ) -> Vec<u16> {
        let table = &self.tables.rays.items[rays.0 as usize];
        let most = usize::try_from(distance).unwrap_or(0);
        let rays = origins.iter().flat_map(|&o| table.of(o));
        let mut sites: Vec<u16> = rays.flat_map(|ray| ray.iter().take(most).copied()).collect();
        if included {
            sites.extend(origins);
        }
        sites
    }
}
