//! Directions of the rules as tables of steps and of straight paths.

use crate::board::{Direction, Relative, SiteType};
use crate::front::{Arg, Call, Label, Name, Value, Word};
use crate::ir::{ByPiece, DEFAULT_RELATION, Facings, JumpId, RayId};
use crate::limits::MAX_DIRECTIONS_BY_LOT;
use crate::world::World;

use super::choices::Chosen;
use super::places::{all, need, relative_named};
use super::{Lower, Lowered, invalid, unsupported, unsupported_use};

/// For every site the absolute directions that an expression means there.
type BySite = Vec<Vec<Direction>>;

/// Union or difference of directions, site by site, with relations written out as the winds of
/// the site.
fn combine(
    world: &World,
    a: &ByPiece<BySite>,
    b: &ByPiece<BySite>,
    union: bool,
) -> ByPiece<BySite> {
    let combined = |a: &BySite, b: &BySite| -> BySite {
        a.iter()
            .zip(b)
            .enumerate()
            .map(|(site, (a, b))| {
                let (mut a, b) = (winds(world, site, a), winds(world, site, b));
                if union {
                    let new: Vec<Direction> = b.into_iter().filter(|d| !a.contains(d)).collect();
                    a.extend(new);
                } else {
                    a.retain(|d| !b.contains(d));
                }
                a
            })
            .collect()
    };
    match (a, b) {
        (ByPiece::Same(a), ByPiece::Same(b)) => ByPiece::Same(combined(a, b)),
        _ => {
            let n = world.components.len();
            let get = |list: &'_ ByPiece<BySite>, c: usize| match list {
                ByPiece::Same(list) => list.clone(),
                ByPiece::Each(lists) => lists[c].clone(),
            };
            ByPiece::Each((0..n).map(|c| combined(&get(a, c), &get(b, c))).collect())
        }
    }
}

/// The directions at a site, with relations written out as the winds of the site.
fn winds(world: &World, site: usize, list: &[Direction]) -> Vec<Direction> {
    let expanded = list.iter().flat_map(|&d| {
        if Direction::RELATIONS.contains(&d) {
            world.topology.supported_at(site, d)
        } else {
            vec![d]
        }
    });
    expanded.collect()
}

impl<'c> Lower<'c> {
    /// Step targets in the directions of a slot, or in the default ones.
    pub(super) fn jumps(&mut self, arg: Option<&'c Arg>) -> Lowered<ByPiece<JumpId>> {
        let directions = self.directions(arg)?;
        Ok(self.tabulate(directions, |lower, d| lower.tables.steps(&lower.world.topology, d)))
    }

    /// Step targets in directions that do not depend on a piece.
    pub(super) fn neighbours(&mut self, arg: Option<&'c Arg>) -> Lowered<JumpId> {
        match (self.jumps(arg)?, arg) {
            (ByPiece::Same(jumps), _) => Ok(jumps),
            (ByPiece::Each(_), Some(arg)) => Err(unsupported_use(arg, "a relative direction here")),
            (ByPiece::Each(tables), None) => Ok(tables[0]),
        }
    }

    /// Straight paths in the directions of a slot, or in the default ones.
    pub(super) fn rays(&mut self, arg: Option<&'c Arg>) -> Lowered<ByPiece<RayId>> {
        let directions = self.directions(arg)?;
        Ok(self.tabulate(directions, |lower, d| lower.tables.rays(&lower.world.topology, d)))
    }

    /// Straight paths in `Forward`, the default of `ahead`.
    pub(super) fn rays_forward(&mut self, ahead: &Call) -> ByPiece<RayId> {
        let turns = match ahead.arg(Label::Site).and_then(|site| self.chosen(site)) {
            Some(Chosen::Turned(turns)) => Some(turns),
            _ => self.scope.turned,
        };
        let outer = std::mem::replace(&mut self.scope.turned, turns);
        let directions = self.relative(&[Relative::Forward], DEFAULT_RELATION, false);
        self.scope.turned = outer;
        self.tabulate(directions, |lower, d| lower.tables.rays(&lower.world.topology, d))
    }

    fn tabulate<T: Copy>(
        &mut self,
        directions: ByPiece<BySite>,
        mut table: impl FnMut(&mut Self, &[Vec<Direction>]) -> T,
    ) -> ByPiece<T> {
        match directions {
            ByPiece::Same(list) => ByPiece::Same(table(self, &list)),
            ByPiece::Each(lists) => {
                ByPiece::Each(lists.iter().map(|list| table(self, list)).collect())
            }
        }
    }

    fn everywhere(&self, list: Vec<Direction>) -> BySite {
        self.by_type(|_| list.clone())
    }

    /// A list of directions for every site, by the type of element that the site is.
    fn by_type(&self, list: impl Fn(SiteType) -> Vec<Direction>) -> BySite {
        // Containers other than the board have no directions.
        let topology = &self.world.topology;
        let mut by_site = vec![list(topology.site_type()); topology.sites()];
        by_site.resize(self.world.sites(), Vec::new());
        for elements in self.world.elements.iter().filter(|e| topology.has_steps(e.of)) {
            by_site[elements.first..][..elements.count].fill(list(elements.of));
        }
        by_site
    }

    fn directions(&mut self, arg: Option<&'c Arg>) -> Lowered<ByPiece<BySite>> {
        let Some(arg) = arg else {
            return Ok(ByPiece::Same(self.everywhere(vec![DEFAULT_RELATION])));
        };
        match self.chosen(arg) {
            Some(Chosen::Turned(turns)) => {
                let outer = self.scope.turned.replace(turns);
                let result = self.expressed(arg);
                self.scope.turned = outer;
                return result;
            }
            Some(Chosen::Direction(direction)) => {
                return Ok(ByPiece::Same(self.everywhere(vec![direction])));
            }
            Some(Chosen::Drawn(number)) => {
                if let Some(call) = arg.as_call() {
                    return self.drawn(call, number);
                }
            }
            Some(Chosen::Branch(first)) => {
                let label = if first { Label::Then } else { Label::Else };
                return self.directions(arg.as_call().and_then(|c| c.arg(label)));
            }
            None => {}
        }
        self.expressed(arg)
    }

    /// The directions of an expression, without regard to parts that depend on the state.
    fn expressed(&mut self, arg: &'c Arg) -> Lowered<ByPiece<BySite>> {
        match &arg.value {
            Value::Constant(constant) => {
                let name = constant.word();
                if let Some(direction) = Direction::named(name) {
                    Ok(ByPiece::Same(self.everywhere(vec![direction])))
                } else if let Some(relative) = relative_named(name) {
                    self.check_relative(arg, &[relative])?;
                    Ok(self.relative(&[relative], DEFAULT_RELATION, false))
                } else {
                    Err(invalid(arg, "unknown-direction", format!("`{name}` is no direction")))
                }
            }
            Value::Call(call) => self.direction_call(call),
            _ => Err(invalid(arg, "unknown-direction", "a direction is wanted here")),
        }
    }

    fn check_relative(&self, arg: &Arg, list: &[Relative]) -> Lowered<()> {
        let dynamic = [Relative::SameDirection, Relative::OppositeDirection];
        if list.iter().any(|r| dynamic.contains(r)) {
            return Err(unsupported_use(arg, "a direction that depends on the last move"));
        }
        if self.rules.features.layers.rotation && self.scope.turned.is_none() {
            return Err(unsupported_use(arg, "a direction of a piece that turns, here,"));
        }
        Ok(())
    }

    fn direction_call(&mut self, call: &'c Call) -> Lowered<ByPiece<BySite>> {
        match call.name() {
            Name::Directions if call.find(Label::List).is_some() => {
                let arg = need(call, Label::List)?;
                let words: Vec<Word> = arg.items().iter().filter_map(Arg::as_constant).collect();
                let absolute: Vec<Direction> = words.iter().filter_map(Direction::named).collect();
                if absolute.len() == words.len() {
                    return Ok(ByPiece::Same(self.everywhere(absolute)));
                }
                let list: Vec<Relative> =
                    words.iter().filter_map(|&word| relative_named(word)).collect();
                self.check_relative(arg, &list)?;
                Ok(self.relative_call(call, &list))
            }
            Name::Directions
                if call.args.iter().all(|a| a.label == Label::Of || a.label == Label::BySite) =>
            {
                if self.rules.features.layers.rotation && self.scope.turned.is_none() {
                    return Err(unsupported(call));
                }
                Ok(self.relative_call(call, &[Relative::Forward]))
            }
            Name::Union | Name::Difference => {
                let a = self.directions(call.arg(Label::A))?;
                let b = self.directions(call.arg(Label::B))?;
                let union = call.name() == Name::Union;
                Ok(combine(&self.world, &a, &b, union))
            }
            _ => Err(unsupported(call)),
        }
    }

    fn relative_call(&mut self, call: &Call, list: &[Relative]) -> ByPiece<BySite> {
        let relation = call.find(Label::Of).and_then(Arg::as_constant);
        let relation = relation.and_then(Direction::named).unwrap_or(DEFAULT_RELATION);
        let by_site = call.find(Label::BySite).and_then(Arg::as_bool);
        self.relative(list, relation, by_site == Some(true))
    }

    fn relative(
        &mut self,
        list: &[Relative],
        relation: Direction,
        by_site: bool,
    ) -> ByPiece<BySite> {
        let topology = &self.world.topology;
        let of_component = |component: usize| -> BySite {
            let facing = self.scope.facing.unwrap_or_else(|| self.world.facing(component));
            let resolve = |supported: &[Direction]| -> Vec<Direction> {
                let turns = 0..self.scope.turned.unwrap_or(0);
                let facing = turns.fold(facing, |facing, _| {
                    Relative::FR.resolve(facing, supported).first().copied().unwrap_or(facing)
                });
                list.iter().flat_map(|r| r.resolve(facing, supported)).collect()
            };
            if by_site {
                let mut directions: BySite = (0..topology.sites())
                    .map(|site| {
                        let mut supported = topology.supported_at(site, relation);
                        supported.sort();
                        resolve(&supported)
                    })
                    .collect();
                directions.resize(self.world.sites(), Vec::new());
                directions
            } else {
                self.by_type(|site_type| resolve(topology.supported_among(site_type, relation)))
            }
        };
        if let Some(component) = self.scope.component {
            return ByPiece::Same(of_component(usize::from(component)));
        }
        let by_component: Box<[BySite]> =
            (0..self.world.components.len()).map(of_component).collect();
        if by_component.iter().all(|d| *d == by_component[0]) {
            return ByPiece::Same(by_component[0].clone());
        }
        ByPiece::Each(by_component)
    }

    /// Number of outcomes of `(directions Random ..)`. There are so many that on each site every
    /// choice of winds is as likely as every other.
    pub(super) fn ways_to_draw(&mut self, call: &'c Call) -> Lowered<usize> {
        let number = self.number_drawn(call)?;
        let among = self.directions(call.arg(Label::Of))?;
        let lists = match &among {
            ByPiece::Same(list) => std::slice::from_ref(list),
            ByPiece::Each(lists) => lists,
        };
        let mut ways = 1usize;
        for (site, list) in lists.iter().flat_map(|list| list.iter().enumerate()) {
            let choices_of_site = choices(winds(&self.world, site, list).len(), number);
            let common = (1..=choices_of_site)
                .rev()
                .find(|d| choices_of_site.is_multiple_of(*d) && ways.is_multiple_of(*d))
                .unwrap_or(1);
            ways *= choices_of_site / common;
            if ways > MAX_DIRECTIONS_BY_LOT {
                return Err(unsupported(call));
            }
        }
        Ok(ways)
    }

    /// The directions of one of the outcomes counted by [`Self::ways_to_draw`].
    fn drawn(&mut self, call: &'c Call, way: usize) -> Lowered<ByPiece<BySite>> {
        let number = self.number_drawn(call)?;
        let among = self.directions(call.arg(Label::Of))?;
        let of_list = |list: &BySite| -> BySite {
            let each = list.iter().enumerate();
            each.map(|(site, list)| chosen(winds(&self.world, site, list), number, way)).collect()
        };
        Ok(match &among {
            ByPiece::Same(list) => ByPiece::Same(of_list(list)),
            ByPiece::Each(lists) => ByPiece::Each(lists.iter().map(of_list).collect()),
        })
    }

    fn number_drawn(&mut self, call: &'c Call) -> Lowered<usize> {
        let arg = need(call, Label::Num)?;
        let number = self.int(arg)?;
        let number = number.constant();
        let number = number.ok_or_else(|| unsupported_use(arg, "a computed number here"))?;
        Ok(usize::try_from(number).unwrap_or(0))
    }

    /// Paths in relative directions for a piece that looks from one site to a neighbour. There is
    /// an entry for each direction between the two, with the neighbours in that direction; other
    /// directions have no paths.
    pub(super) fn rays_by_facing(&mut self, arg: Option<&'c Arg>) -> Lowered<Facings> {
        let relative = arg.is_some_and(|arg| match &arg.value {
            Value::Constant(c) => Direction::named(c.word()).is_none(),
            Value::Call(call) => {
                call.name() == Name::Directions
                    && call
                        .args
                        .iter()
                        .all(|a| matches!(a.label, Label::List | Label::Of | Label::BySite))
                    && all(call, Label::List).all(|a| {
                        a.as_constant().is_some_and(|name| Direction::named(name).is_none())
                    })
            }
            _ => false,
        });
        if !relative {
            return Ok(Box::new([]));
        }
        let mut facings = Vec::new();
        for facing in self.world.topology.supported(Direction::All).to_vec() {
            let near = self.steps_in(facing);
            let outer = self.scope.facing.replace(facing);
            let rays = self.rays(arg);
            self.scope.facing = outer;
            facings.push((near, rays?));
        }
        Ok(facings.into())
    }

    /// Step targets in one absolute direction.
    pub(super) fn steps_in(&mut self, direction: Direction) -> JumpId {
        let list = self.everywhere(vec![direction]);
        self.tables.steps(&self.world.topology, &list)
    }

    /// Straight paths in one absolute direction.
    pub(super) fn rays_in(&mut self, direction: Direction) -> RayId {
        if let Some(&rays) = self.tables.rays_by_direction.get(&direction) {
            return rays;
        }
        let list = self.everywhere(vec![direction]);
        let id = self.tables.rays(&self.world.topology, &list);
        self.tables.rays_by_direction.insert(direction, id);
        id
    }
}

/// An absolute direction in a slot, or the default.
pub(super) fn absolute(call: &Call, label: Label) -> Direction {
    let name = call.constant(label);
    name.and_then(Direction::named).unwrap_or(DEFAULT_RELATION)
}

/// Number of ways to choose some of these things. Numbers over [`MAX_DIRECTIONS_BY_LOT`] are not
/// told apart.
fn choices(things: usize, chosen: usize) -> usize {
    let chosen = chosen.min(things);
    (0..chosen).fold(1, |ways, i| {
        (ways * (things - i) / (i + 1)).min(MAX_DIRECTIONS_BY_LOT * MAX_DIRECTIONS_BY_LOT)
    })
}

/// The directions of a list that are chosen in one of the ways.
fn chosen(list: Vec<Direction>, number: usize, way: usize) -> Vec<Direction> {
    let mut left = number.min(list.len());
    let mut way = way % choices(list.len(), left);
    let mut kept = Vec::new();
    for (index, &direction) in list.iter().enumerate() {
        // Number of ways that leave this direction out.
        let without =
            if list.len() - index > left { choices(list.len() - index - 1, left) } else { 0 };
        if left > 0 && way >= without {
            way -= without;
            left -= 1;
            kept.push(direction);
        }
    }
    kept
}
