//! Attributes of the elements of a board: costs, phases, and the rotations that a piece on them can
//! have.

use crate::board::{Direction, SiteType};
use crate::front::{Arg, Call, Label, Name};
use crate::ir::{Fold, Int, Ints, Iter, Moves, Place, Region};
use crate::world::World;

use super::places::{need, site_type_of};
use super::{Lower, Lowered, invalid, unsupported, unsupported_use};

/// True if a rule of the set-up gives elements an attribute.
pub(super) fn gives_attribute(rule: &Call) -> bool {
    matches!(rule.name(), Name::SetCost | Name::SetPhase)
}

/// The rotations of a piece that looks in these directions: the number of turns, clockwise,
/// from the first direction that the board has.
pub(super) fn rotation_numbers(world: &World, call: &Call) -> Vec<i32> {
    let topology = &world.topology;
    let ways = topology.supported(Direction::All);
    let number = |direction: Direction| ways.iter().position(|&way| way == direction);
    let named = call.items(Label::Directions).iter().filter_map(Arg::as_constant);
    let directions = named.filter_map(Direction::named).flat_map(|direction| {
        if Direction::RELATIONS.contains(&direction) {
            topology.supported(direction).to_vec()
        } else {
            vec![direction]
        }
    });
    directions.filter_map(number).map(|number| number as i32).collect()
}

impl<'c> Lower<'c> {
    /// Carries out the rules of the set-up that give elements costs and phases, which never change
    /// later.
    pub(super) fn set_attributes(&mut self, rules: &'c Call) -> Lowered<()> {
        let start = rules.call(Label::Start);
        for rule in start.iter().flat_map(|s| s.items(Label::Rules)).filter_map(Arg::as_call) {
            if !gives_attribute(rule) {
                continue;
            }
            let site_type = site_type_of(&self.world, rule);
            let arg = need(rule, Label::Value)?;
            let value = self.int(arg)?;
            let value = value.constant();
            let value = value.ok_or_else(|| unsupported_use(arg, "a computed attribute"))?;
            let place = rule.args.iter().find(|a| matches!(a.label, Label::At | Label::To));
            let place = place.ok_or_else(|| unsupported(rule))?;
            let sites: Vec<usize> = match self.place(place)? {
                Place::Site(site) => {
                    let site = site.constant();
                    let site =
                        site.ok_or_else(|| unsupported_use(place, "a computed site here"))?;
                    usize::try_from(site).into_iter().collect()
                }
                Place::Region(_) => {
                    self.static_region(place)?.into_iter().map(usize::from).collect()
                }
            };
            if rule.name() == Name::SetPhase {
                let phase = u8::try_from(value).map_err(|_| {
                    invalid(arg, "wrong-number", "phases are numbers from 0 to 255")
                })?;
                sites
                    .iter()
                    .for_each(|&site| self.world.topology.set_phase(site_type, site, phase));
                continue;
            }
            let costs = &mut self.costs[site_type.index()];
            costs.resize(self.world.topology.count(site_type), 0);
            for site in sites {
                if let Some(cost) = costs.get_mut(site) {
                    *cost = value;
                }
            }
        }
        Ok(())
    }

    /// `(cost ..)`: the cost of an element, 0 if the set-up gives none; of several elements the
    /// cost of all together.
    pub(super) fn cost(&mut self, call: &'c Call) -> Lowered<Int> {
        let site_type: SiteType = site_type_of(&self.world, call);
        let mut costs = self.costs[site_type.index()].clone();
        costs.resize(self.world.topology.count(site_type), 0);
        if let Some(site) = call.args.iter().find(|a| matches!(a.label, Label::Of | Label::At)) {
            return Ok(Int::Table(Box::new((costs.into(), self.int(site)?))));
        }
        let region = Place::Region(self.region(need(call, Label::In)?)?);
        let each = Ints::Results {
            from: Box::new(region),
            to: Box::new(Place::Site(Int::Const(0))),
            value: Box::new(Int::Table(Box::new((costs.into(), Int::Iter(Iter::From))))),
        };
        Ok(Int::FoldInts(Fold::Sum, Box::new(each)))
    }

    /// The pieces of a place that can be removed, if pieces that carry more than one other cannot.
    pub(super) fn unpinned(&mut self, place: Place) -> Place {
        use crate::ir::{Around, Bool, Compare};
        let region = match place {
            Place::Site(site) => Region::List(Box::new([site])),
            Place::Region(region) => region,
        };
        let carried = Region::Around {
            rays: self.rays_in(Direction::Upward),
            origins: Box::new(Place::Site(Int::Iter(Iter::Site))),
            kind: Around::NotEmpty,
            distance: Box::new(Int::Const(1)),
            condition: None,
            include_self: false,
        };
        let number = Int::CountSites(Box::new(carried));
        let free = Bool::Compare(Compare::LessEqual, Box::new((number, Int::Const(1))));
        Place::Region(Region::Filter(Box::new((region, free))))
    }

    /// The moves after which the mover has not lost, if suicide is forbidden.
    pub(super) fn without_suicide(&self, moves: Moves) -> Moves {
        use crate::ir::Bool;
        if !self.meta.no_suicide || moves == Moves::None {
            return moves;
        }
        let survives = Bool::Not(Box::new(Bool::MoverLoses));
        Moves::IfAfterwards(Box::new((moves, survives)))
    }
}
