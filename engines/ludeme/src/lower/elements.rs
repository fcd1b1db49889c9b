//! Boards on which elements of several types are played: cells, vertices and edges together.
//!
//! Rules number the elements of each type from 0, and a ludeme's type says which of them a number
//! means. In the state every element has a site of its own: those of the type that the board is
//! played on come first, then all containers, then the elements of each other type that the rules
//! use ([`Elements`]). So numbers are turned into sites where a ludeme with a type looks at the
//! state, and sites that variables are bound to are turned into numbers where rules read them.
//! Regions that rules compute with hold numbers, and the places of moves hold sites.

use crate::board::{Direction, SiteType};
use crate::front::{Arg, Call, Label, Name, Word};
use crate::ir::{Bool, Int, Path, Pieces, Place, Region, Role, SetId, SitePath};
use crate::world::{Elements, World};

use super::places::{area_named, default_type, elements_of};
use super::{Lower, Lowered};

/// The types of elements that rules use beside the one that the board is played on.
pub(super) fn other_types(root: &Call, played: SiteType) -> Vec<SiteType> {
    let mut used = Vec::new();
    for call in root.all() {
        for arg in &call.args {
            let site_type = arg.as_constant().and_then(SiteType::named);
            // Sites of hands are cells, too: most ludemes with that type mean them.
            let means_board =
                |site_type: SiteType| site_type != SiteType::Cell || is_of_board(call);
            if call.name() != Name::Board
                && site_type.is_some_and(|site_type| site_type != played && means_board(site_type))
            {
                used.extend(site_type.filter(|site_type| !used.contains(site_type)));
            }
        }
    }
    used.sort_by_key(|site_type| site_type.index());
    used
}

/// True if rules need steps between elements of a type other than that of the board.
pub(super) fn asks_steps(root: &Call, site_type: SiteType) -> bool {
    let of_type =
        |call: &Call| call.constant(Label::Type).and_then(SiteType::named) == Some(site_type);
    root.all().any(|call| match call.name().as_effect() {
        Name::SitesAround | Name::Ahead => of_type(call),
        Name::Step | Name::Slide | Name::Hop => call.call(Label::From).is_some_and(of_type),
        _ => false,
    })
}

/// True if a ludeme never means sites of hands.
fn is_of_board(call: &Call) -> bool {
    use Name::*;
    let name = call.name().as_effect();
    matches!(
        name,
        SitesIncident
            | SitesEmpty
            | SitesGroup
            | SitesAround
            | Ahead
            | Claim
            | Place
            | Set
            | PlaceStack
            | SitesOccupied
            | ForEachPiece
    ) || area_named(name).is_some()
}

/// The site of a number with the type of a ludeme.
pub(super) fn site_of(world: &World, call: &Call, number: Int) -> Int {
    match elements_of(world, call) {
        Some(elements) => element_site(elements, number),
        None => number,
    }
}

/// The sites of numbers with the type of a ludeme.
pub(super) fn place_of(world: &World, call: &Call, place: Place) -> Place {
    let Some(elements) = elements_of(world, call) else { return place };
    match place {
        Place::Site(number) => Place::Site(element_site(elements, number)),
        Place::Region(region) => Place::Region(Region::Elements {
            first: elements.first as u16,
            count: elements.count as u16,
            region: Box::new(region),
        }),
    }
}

/// The sites of the board from which pieces move. Sites of other types are among them if they
/// have steps and their numbers exist for the type that is played on.
pub(super) fn elements_with_steps(world: &World) -> Vec<u16> {
    let mut sites = world.board();
    let (topology, count) = (&world.topology, sites.len());
    let others = world.elements.iter().filter(|e| topology.has_steps(e.of));
    for &Elements { first, count: all, .. } in others {
        sites.extend((first..first + all.min(count)).map(|site| site as u16));
    }
    sites
}

fn element_site(elements: Elements, number: Int) -> Int {
    let Elements { first, count, .. } = elements;
    match number {
        Int::Const(n) if (0..count as i32).contains(&n) => Int::Const(first as i32 + n),
        number => {
            Int::Element { first: first as i32, count: count as i32, number: Box::new(number) }
        }
    }
}

/// The sites of elements.
pub(super) fn sites_of_elements(elements: Elements) -> Vec<u16> {
    (elements.first..elements.first + elements.count).map(|site| site as u16).collect()
}

/// The numbers of sites that are elements of one type.
pub(super) fn numbers_of_elements(elements: Elements, region: Region) -> Region {
    Region::Numbers {
        first: elements.first as u16,
        count: elements.count as u16,
        region: Box::new(region),
    }
}

impl<'c> Lower<'c> {
    /// The number that rules read for a site that is bound to a variable.
    pub(super) fn number(&self, site: Int) -> Int {
        if self.world.elements.is_empty() { site } else { Int::Number(Box::new(site)) }
    }

    /// The number in a slot that must be filled, as a site.
    pub(super) fn site_at(&mut self, call: &'c Call, label: Label) -> Lowered<Int> {
        let number = self.int_at(call, label)?;
        Ok(site_of(&self.world, call, number))
    }

    /// The sites where a ludeme looks for pieces, if these are not all: those of its region, and of
    /// its type, which may be another one than that of the board.
    pub(super) fn within_type(&mut self, call: &'c Call) -> Lowered<Option<Region>> {
        let named = call.find(Label::Type).and_then(Arg::as_constant).and_then(SiteType::named);
        let of_type = match (elements_of(&self.world, call), named) {
            (Some(elements), _) => Some(sites_of_elements(elements)),
            (None, Some(named)) if named != self.world.site_type() => {
                // Sites of hands are cells, and nothing is ever put on other elements.
                let board = self.world.board();
                let hands = self.world.everywhere().into_iter().filter(|s| !board.contains(s));
                Some(if named == SiteType::Cell { hands.collect() } else { Vec::new() })
            }
            // Beside pieces on other elements only those of this type are meant.
            (None, Some(SiteType::Cell)) if !self.world.elements.is_empty() => {
                Some(self.world.everywhere())
            }
            (None, Some(_)) if !self.world.elements.is_empty() => Some(self.world.board()),
            _ => None,
        };
        let of_type = of_type.map(|sites| Region::Static(self.tables.set(sites)));
        let Some(arg) = call.arg(Label::In) else { return Ok(of_type) };
        let region = Place::Region(self.region(arg)?);
        let Place::Region(region) = place_of(&self.world, call, region) else {
            return Err(super::unsupported(call));
        };
        Ok(Some(match of_type {
            Some(of_type) => Region::Intersection(Box::new([region, of_type])),
            None => region,
        }))
    }

    /// `(sites Incident ..)`: the elements of a type that touch one of another.
    pub(super) fn incident(&mut self, call: &'c Call) -> Lowered<Region> {
        let of_type = |label: Label| call.constant(label).and_then(SiteType::named);
        let (Some(result), Some(touched)) = (of_type(Label::Result), of_type(Label::Of)) else {
            return Err(super::unsupported(call));
        };
        if let Some(owner) = call.find(Label::Owner) {
            return Err(super::unsupported_use(owner, "an owner of incident elements"));
        }
        let by_element = 0..self.world.topology.count(touched);
        let by_element: Vec<Vec<u16>> = by_element
            .map(|element| self.world.topology.incident(result, touched, element))
            .collect();
        let number = self.int_at(call, Label::At)?;
        if let Some(number) = number.constant() {
            let found = usize::try_from(number).ok().and_then(|n| by_element.get(n));
            return Ok(Region::Static(self.tables.set(found.cloned().unwrap_or_default())));
        }
        let sets = by_element.into_iter().map(|sites| self.tables.set(sites)).collect();
        Ok(Region::Indexed(Box::new((sets, number))))
    }

    /// Every edge of the board as a site.
    pub(super) fn edges(&self, call: &Call) -> Lowered<Elements> {
        let count = self.world.topology.count(SiteType::Edge);
        if self.world.site_type() == SiteType::Edge {
            return Ok(Elements { of: SiteType::Edge, first: 0, count });
        }
        let mut elements = self.world.elements.iter();
        let edges = elements.find(|elements| elements.of == SiteType::Edge).copied();
        edges.ok_or_else(|| super::unsupported(call))
    }

    /// The edges that cross each edge.
    pub(super) fn crossing_sets(&mut self) -> Box<[SetId]> {
        if let Some(sets) = &self.geometry.crossing_edges {
            return sets.clone();
        }
        let topology = &self.world.topology;
        let edges = 0..topology.count(SiteType::Edge);
        let crossing: Vec<Vec<u16>> = edges.map(|edge| topology.crossing_edges(edge)).collect();
        let sets: Box<[SetId]> = crossing.into_iter().map(|sites| self.tables.set(sites)).collect();
        self.geometry.crossing_edges.insert(sets).clone()
    }

    /// `(sites Crossing ..)`: edges of some owners that cross an edge.
    pub(super) fn crossing(&mut self, call: &'c Call) -> Lowered<Region> {
        let edges = self.edges(call)?;
        let owners = self.owners(call.arg(Label::Who), Role::All)?;
        let crossing =
            Region::Indexed(Box::new((self.crossing_sets(), self.int_at(call, Label::At)?)));
        let within = self.tables.set(sites_of_elements(edges));
        let pieces = Pieces { owners, components: None };
        let owned = numbers_of_elements(edges, Region::Occupied { pieces, within, top: false });
        Ok(Region::Intersection(Box::new([crossing, owned])))
    }

    /// Edges that run one way, as the points that they join lie; by their numbers.
    pub(super) fn edges_that_run(&mut self, kind: Name) -> Region {
        const NEAR: f64 = 1e-4;
        let topology = &self.world.topology;
        let runs = |edge: usize| {
            let [a, b] = topology.edge_ends(edge)?;
            let point = |vertex: u16| topology.point(SiteType::Vertex, usize::from(vertex));
            let (a, b) = (point(a)?, point(b)?);
            let (along, up) = (b.x - a.x, b.y - a.y);
            let (level, upright) = (up.abs() < NEAR, along.abs() < NEAR);
            Some(match kind {
                Name::SitesHorizontal => level,
                Name::SitesVertical => upright,
                Name::SitesAxial => level || upright,
                Name::SitesSlash => !level && !upright && along * up > 0.0,
                Name::SitesSlosh => !level && !upright && along * up < 0.0,
                _ => !level && !upright,
            })
        };
        let edges = 0..topology.count(SiteType::Edge);
        let found = edges.filter(|&edge| runs(edge) == Some(true)).map(|edge| edge as u16);
        let found = found.collect();
        Region::Static(self.tables.set(found))
    }

    /// `(is Vertex ..)` and its kin: true if a site is one of the elements of a type.
    pub(super) fn is_of_type(&mut self, call: &'c Call, site: Int) -> Lowered<Bool> {
        let elements = elements_of(&self.world, call);
        let sites = match elements {
            Some(elements) => sites_of_elements(elements),
            // Sites of hands are cells.
            None if call.constant(Label::Type) == Some(Word::Cell)
                && self.is_played_on(SiteType::Cell) =>
            {
                self.world.everywhere()
            }
            None => {
                default_type(&self.world, call)?;
                self.world.board()
            }
        };
        let sites = Region::Static(self.tables.set(sites));
        Ok(Bool::InRegion(Box::new([site]), Box::new(sites)))
    }

    fn is_played_on(&self, site_type: SiteType) -> bool {
        self.world.site_type() == site_type
    }

    /// `(is Path ..)`.
    pub(super) fn path(&mut self, call: &'c Call) -> Lowered<Bool> {
        if call.constant(Label::Type) != Some(Word::Edge) {
            default_type(&self.world, call)?;
            return Ok(Bool::IsSitePath(Box::new(SitePath {
                jumps: self.steps_in(Direction::Adjacent),
                from: self.int_or(call, Label::From, Int::LastTo)?,
                owner: self.who(super::places::need(call, Label::Who)?)?,
                length: self.range(super::places::need_call(call, Label::Length)?)?,
                closed: self.bool_or(call, Label::Closed, false)?,
            })));
        }
        let edges = self.edges(call)?;
        let topology = &self.world.topology;
        let ends = (0..edges.count).filter_map(|edge| topology.edge_ends(edge)).collect();
        let last = self.number(Int::LastTo);
        Ok(Bool::IsPath(Box::new(Path {
            ends,
            first: edges.first,
            from: self.int_or(call, Label::From, last)?,
            owner: self.who(super::places::need(call, Label::Who)?)?,
            length: self.range(super::places::need_call(call, Label::Length)?)?,
            closed: self.bool_or(call, Label::Closed, false)?,
        })))
    }
}
