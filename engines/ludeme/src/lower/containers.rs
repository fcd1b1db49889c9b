//! Regions of containers and of their pieces: hands, occupied and playable sites.

use crate::board::{Area, SiteType};
use crate::front::{Arg, Call, Label};
use crate::ir::{Around, Bool, Int, Owners, Pieces, Place, Region, Role};
use crate::world::ContainerKind;

use super::elements::{numbers_of_elements, sites_of_elements};
use super::places::{default_type, default_type_arg, elements_of_type, fixed_flag, need};
use super::{Lower, Lowered, unsupported_use};

impl<'c> Lower<'c> {
    pub(super) fn container_sites(&mut self, arg: &'c Arg) -> Lowered<Vec<u16>> {
        let index = match arg.as_text() {
            Some(name) => self.world.containers.iter().position(|c| c.name == name),
            None => {
                let number = self.int(arg)?;
                number.constant().and_then(|n| usize::try_from(n).ok())
            }
        };
        match index.and_then(|i| self.world.containers.get(i)) {
            Some(c) if c.kind == ContainerKind::Board => Ok(self.world.board()),
            Some(c) => Ok((c.first..c.first + c.size).map(|s| s as u16).collect()),
            None => Err(unsupported_use(arg, "this container")),
        }
    }

    pub(super) fn occupied(&mut self, call: &'c Call) -> Lowered<Region> {
        let top = fixed_flag(call, Label::Top, true)?;
        let by = need(call, Label::By)?;
        let owners = self.owners(Some(by), Role::All)?;
        if let Some(elements) = elements_of_type(&self.world, call.arg(Label::On))
            && !call.has(Label::Container)
        {
            let components = self.components_wanted(call, &owners)?;
            let within = self.tables.set(sites_of_elements(elements));
            let pieces = Pieces { owners, components };
            return Ok(numbers_of_elements(elements, Region::Occupied { pieces, within, top }));
        }
        default_type_arg(&self.world, call.arg(Label::On))?;
        let sites = match call.arg(Label::Container) {
            Some(arg) if arg.as_text().is_some_and(|n| n.starts_with("Hand")) => {
                // The hand of the player asked for.
                let who = self.who(by)?;
                let Some(who) = who.constant() else {
                    return self.occupied_hands(call, owners, who, top);
                };
                self.hand_sites(who.clamp(0, 255) as u8)
            }
            Some(arg) => match self.changing_container(arg)? {
                Some(who) => return self.occupied_hands(call, owners, who, top),
                None => self.container_sites(arg)?,
            },
            // Hands hold cells, so they count only if cells are played on.
            None if self.world.site_type() == SiteType::Cell => self.world.everywhere(),
            None => self.world.board(),
        };
        let components = self.components_wanted(call, &owners)?;
        let within = self.tables.set(sites);
        Ok(Region::Occupied { pieces: Pieces { owners, components }, within, top })
    }

    /// The number of a container that depends on the state, which is then that of a player; `None`
    /// for constants.
    fn changing_container(&mut self, arg: &'c Arg) -> Lowered<Option<Int>> {
        if arg.as_text().is_some() {
            return Ok(None);
        }
        let number = self.int(arg)?;
        Ok(number.constant().is_none().then_some(number))
    }

    /// Pieces in the hand of a player who depends on the state: containers are numbered as their
    /// owners are.
    fn occupied_hands(
        &mut self,
        call: &'c Call,
        owners: Owners,
        who: Int,
        top: bool,
    ) -> Lowered<Region> {
        let components = self.components_wanted(call, &owners)?;
        let everywhere = self.world.everywhere();
        let within = self.tables.set(everywhere);
        let all = 0..=self.world.players as u8 + 1;
        let sets: Vec<Vec<u16>> = all.map(|owner| self.hand_sites(owner)).collect();
        let sets = sets.into_iter().map(|sites| self.tables.set(sites)).collect();
        Ok(Region::Intersection(Box::new([
            Region::Occupied { pieces: Pieces { owners, components }, within, top },
            Region::ByPlayer(Box::new(who), sets),
        ])))
    }

    /// Sites of the first hand of an owner.
    fn hand_sites(&self, owner: u8) -> Vec<u16> {
        let hand = self.world.hand(owner);
        hand.into_iter().flat_map(|c| c.first..c.first + c.size).map(|s| s as u16).collect()
    }

    /// The components that an enumeration of pieces asks for.
    fn components_wanted(
        &mut self,
        call: &'c Call,
        owners: &Owners,
    ) -> Lowered<Option<Box<[bool]>>> {
        let mut names: Vec<&str> = Vec::new();
        if let Some(arg) = call.arg(Label::Component) {
            match arg.as_text() {
                Some(name) => names.push(name),
                None => return Err(unsupported_use(arg, "a component by number")),
            }
        }
        names.extend(call.items(Label::Components).iter().filter_map(Arg::as_text));
        let named = call.has(Label::Component) || call.has(Label::Components);
        let nobody = matches!(owners, Owners::Role(Role::Friend | Role::Ally | Role::TeamMover));
        Ok(named.then(|| {
            let components = self.world.components.iter();
            components.map(|c| !nobody && names.iter().any(|name| c.is_called(name))).collect()
        }))
    }

    /// `(sites Playable)`: the empty sites beside occupied ones; the centre if there are none.
    pub(super) fn playable(&mut self, call: &'c Call) -> Lowered<Region> {
        default_type(&self.world, call)?;
        let topology = &self.world.topology;
        let centre = topology.area(self.world.site_type(), Area::Centre).first().copied();
        let board = self.world.board();
        let within = self.tables.set(board);
        // Cells are occupied, too, that a piece covers beside the one where it stands.
        let all = Region::Static(within);
        let occupied = Region::Difference(Box::new((all, Region::Empty(within))));
        let beside = Region::Around {
            rays: self.rays_in(crate::ir::DEFAULT_RELATION),
            origins: Box::new(Place::Region(occupied.clone())),
            kind: Around::Empty,
            distance: Box::new(Int::Const(1)),
            condition: None,
            include_self: false,
        };
        let nothing = self.static_set(Vec::new());
        let nothing = Bool::SameRegion(Box::new((occupied, nothing)));
        let centre = self.static_set(centre.into_iter().collect());
        Ok(Region::If(Box::new((nothing, centre, beside))))
    }

    pub(super) fn hand(&mut self, call: &'c Call) -> Lowered<Region> {
        let hand_of = |lower: &Self, owner: u8| -> Vec<u16> {
            // The number of everybody means the first hand.
            let everybody = usize::from(owner) == lower.world.players + 1;
            let mut hands = lower.world.containers.iter().skip(1);
            let hand = hands.find(|c| everybody || c.owner == owner);
            let sites = hand.map(|c| c.first..c.first + c.size);
            sites.into_iter().flatten().map(|s| s as u16).collect()
        };
        let who = match call.arg(Label::Who) {
            Some(arg) => self.who(arg)?,
            // Recorded games show that the region is nobody's if nobody is named.
            None => return Ok(self.static_set(Vec::new())),
        };
        if let Some(owner) = who.constant() {
            let sites = hand_of(self, owner.clamp(0, 255) as u8);
            return Ok(self.static_set(sites));
        }
        let owners = 0..=self.world.players as u8 + 1;
        let sets: Vec<Vec<u16>> = owners.map(|o| hand_of(self, o)).collect();
        let sets = sets.into_iter().map(|sites| self.tables.set(sites)).collect();
        Ok(Region::ByPlayer(Box::new(who), sets))
    }
}
