//! Walks over the board: patterns of pieces, and the sites that walks end on.

use crate::board::{Area, Direction, Topology};
use crate::front::{Arg, Call, Label, Name};
use crate::ir::{Angle, Bool, Int, Iter, Loop, Pattern, Place, Region, Role};

use super::places::{default_type, fixed_flag, need, role};
use super::{Lower, Lowered};

fn steps_of_walk(walk: &Arg) -> Vec<char> {
    let turns = walk.items().iter().filter_map(Arg::as_constant);
    turns.filter_map(|turn| turn.as_str().chars().next()).collect()
}

impl<'c> Lower<'c> {
    /// The sites that a walk visits from every site, once for each direction that it can start in.
    /// Walks that leave the board are left out.
    fn walked(&self, walk: &[char], all_starts: bool) -> Vec<Vec<Box<[u16]>>> {
        let topology = &self.world.topology;
        let supported: Vec<Direction> = topology.supported(Direction::Orthogonal).to_vec();
        let turns = supported.len();
        let starts = if all_starts { turns } else { turns.min(1) };
        let from = |site: usize, start: usize| -> Option<Box<[u16]>> {
            let (mut place, mut facing) = (site, start);
            let mut sites = Vec::new();
            for turn in walk {
                match turn {
                    'R' => facing = Topology::turned(&supported, facing, 1),
                    'L' => facing = Topology::turned(&supported, facing, -1),
                    _ => {
                        place = usize::from(topology.steps(place, supported[facing]).last()?);
                        sites.push(place as u16);
                    }
                }
            }
            Some(sites.into())
        };
        let sites = 0..self.world.sites();
        let of_site = |site: usize| {
            let starts = if site < topology.sites() { starts } else { 0 };
            (0..starts).filter_map(|start| from(site, start)).collect()
        };
        sites.map(of_site).collect()
    }

    /// `(is Pattern ..)` and `(sites Pattern ..)`.
    pub(super) fn pattern(&mut self, call: &'c Call) -> Lowered<Pattern> {
        default_type(&self.world, call)?;
        let walk = steps_of_walk(need(call, Label::Walk)?);
        let paths = self.walked(&walk, true);
        let whats = call.arg(Label::What).into_iter().chain(call.items(Label::Whats));
        let whats = whats.map(|what| self.int(what)).collect::<Lowered<Vec<Int>>>()?;
        Ok(Pattern {
            paths: self.tables.paths(paths),
            from: self.int_or(call, Label::From, Int::LastTo)?,
            whats: whats.into(),
        })
    }

    /// `(sites {{F F R F} ..})`: the ends of walks.
    pub(super) fn ends_of_walks(&mut self, call: &'c Call) -> Lowered<Region> {
        default_type(&self.world, call)?;
        let rotations = fixed_flag(call, Label::Rotations, true)?;
        let mut ends: Vec<Vec<u16>> = vec![Vec::new(); self.world.sites()];
        for walk in call.items(Label::Walks) {
            let walked = self.walked(&steps_of_walk(walk), rotations);
            for (ends, walks) in ends.iter_mut().zip(walked) {
                ends.extend(walks.iter().filter_map(|sites| sites.last()));
            }
        }
        let start = self.number(Int::Iter(Iter::From));
        let from = self.int_or(call, Label::From, start)?;
        let sets = ends.into_iter().map(|sites| self.tables.set(sites)).collect();
        Ok(Region::Indexed(Box::new((sets, from))))
    }

    /// The loop of `(is Loop ..)` and `(sites Loop ..)`.
    pub(super) fn ring(&mut self, call: &'c Call) -> Lowered<Loop> {
        default_type(&self.world, call)?;
        let outer = self.world.topology.area(self.world.site_type(), Area::Outer);
        let start = match call.arg(Label::Start) {
            Some(arg) => self.place(arg)?,
            None => Place::Site(Int::LastTo),
        };
        let surround = match call.find(Label::Surround) {
            None => None,
            Some(arg) => {
                let roles = arg.items().iter().map(role);
                Some(roles.collect::<Lowered<Vec<Role>>>()?.into())
            }
        };
        Ok(Loop {
            near: self.steps_in(Direction::Adjacent),
            orthogonal: self.steps_in(Direction::Orthogonal),
            rays: self.rays_in(Direction::Orthogonal),
            steps: self.neighbours(call.arg(Label::Directions))?,
            outer: self.tables.set(outer),
            surround,
            start,
            colour: self.int_or(call, Label::Colour, Int::Mover)?,
        })
    }
    /// `(is Acute ..)` and its kin.
    pub(super) fn angle(&mut self, call: &'c Call) -> Lowered<Bool> {
        default_type(&self.world, call)?;
        // Tolerance in degrees.
        const NEARLY: f64 = 1e-3;
        let degrees = match call.name() {
            Name::IsAcute => (NEARLY, 90.0 - NEARLY),
            Name::IsRight => (90.0 - NEARLY, 90.0 + NEARLY),
            Name::IsObtuse => (90.0 + NEARLY, 180.0 - NEARLY),
            _ => (180.0 + NEARLY, 360.0 - NEARLY),
        };
        let at = self.int_or(call, Label::At, Int::LastTo)?;
        let left = self.bool_or(call, Label::ConditionA, true)?;
        let right = self.bool_or(call, Label::ConditionB, true)?;
        let (topology, site) = (&self.world.topology, self.world.site_type());
        let points = (0..topology.sites()).filter_map(|s| topology.point(site, s));
        let points = points.map(|point| (point.x, point.y)).collect();
        Ok(Bool::IsAngle(Box::new(Angle { at, left, right, degrees, points })))
    }
}
