//! Numbers and lists of numbers.

use crate::board::SiteType;
use crate::front::{Arg, Call, Kind, Label, Name, Value, Word};
use crate::ir::{
    Arithmetic, Bool, Compare, Fold, Int, Ints, Iter, Layer, Place, Reach, Region, Role,
};

use super::attributes::rotation_numbers;
use super::directions::absolute;
use super::elements::{place_of, site_of};
use super::places::{
    all, any_type, components_by_owner, coordinate, default_type, elements_of, fixed_flag,
    known_type, need, need_call, reach_of, role, role_int, role_named, site_type_of,
};
use super::{Lower, Lowered, invalid, unsupported, unsupported_use};

impl<'c> Lower<'c> {
    /// Lowers a number.
    pub(super) fn int(&mut self, arg: &'c Arg) -> Lowered<Int> {
        super::count_step()?;
        match &arg.value {
            Value::Int(value) => Ok(Int::Const(*value)),
            Value::Constant(_) => {
                let role = role(arg)?;
                Ok(role_int(&self.world, role))
            }
            Value::Call(call) => self.int_call(call),
            _ => Err(invalid(arg, "not-a-number", "a number is wanted here")),
        }
    }

    /// The number in a slot that must be filled.
    pub(super) fn int_at(&mut self, call: &'c Call, label: Label) -> Lowered<Int> {
        self.int(need(call, label)?)
    }

    /// The number in a slot, if there is one.
    pub(super) fn int_opt(&mut self, call: &'c Call, label: Label) -> Lowered<Option<Int>> {
        call.find(label).map(|arg| self.int(arg)).transpose()
    }

    /// The number in a slot, or a default.
    pub(super) fn int_or(&mut self, call: &'c Call, label: Label, default: Int) -> Lowered<Int> {
        Ok(self.int_opt(call, label)?.unwrap_or(default))
    }

    fn int_call(&mut self, call: &'c Call) -> Lowered<Int> {
        use Name::*;
        let join = |condition: Bool, a: Int, b: Int| Int::If(Box::new((condition, a, b)));
        // If no direction leads on, `ahead` stays on its site.
        let none = |lower: &mut Self| match call.name() {
            Ahead => lower.int_at(call, Label::Site),
            _ => Ok(Int::Const(0)),
        };
        if let Some(int) = self.by_direction(call, Self::int_call, join, none)? {
            return Ok(int);
        }
        if let Some(number) = self.puzzle_number(call)? {
            return Ok(number);
        }
        let name = call.name();
        Ok(match name {
            OpAdd | OpMul | Max | Min => self.fold(call)?,
            OpSub | OpDiv | OpMod | OpPow => self.arithmetic(call)?,
            Abs => match self.int_at(call, Label::A)? {
                Int::Const(value) => Int::Const(value.wrapping_abs()),
                number => Int::Abs(Box::new(number)),
            },
            If => self.int_if(call)?,
            ToInt => self.to_int(call)?,
            From if !call.has(Label::At) => self.number(Int::Iter(Iter::From)),
            To => self.number(Int::Iter(Iter::To)),
            Between => {
                let between = self.scope.middle.clone().unwrap_or(Int::Iter(Iter::Between));
                self.number(between)
            }
            Site => self.number(Int::Iter(Iter::Site)),
            Level => Int::Iter(Iter::Level),
            Track => Int::Const(self.scope.track.unwrap_or(-1)),
            Cost => self.cost(call)?,
            Player => Int::Iter(Iter::Player),
            Value => Int::Iter(Iter::Value),
            Pips => Int::Iter(Iter::Pips),
            Mover => Int::Mover,
            Next => Int::Next,
            Prev if !call.has(Label::Type) => Int::Prev,
            Counter => Int::Counter,
            Pot => Int::Var(self.pot()),
            MatchScore if self.within.is_none() => Int::Const(0),
            MatchScore => {
                let scores = self.match_scores();
                self.of_player(need(call, Label::Who)?, &scores)?
            }
            Amount => self.amount(need(call, Label::Who)?)?,
            Score => Int::Score(Box::new(self.who(need(call, Label::Who)?)?)),
            ValuePlayer => Int::PlayerValue(Box::new(self.who(need(call, Label::Who)?)?)),
            ValuePending => Int::PendingValue,
            ValueMoveLimit => Int::Const(10_000),
            ValueTurnLimit => Int::Const(1250),
            Var => Int::Var(self.rules.names.var(call.text(Label::Name))),
            What | Who | State | Rotation | ValuePiece => self.layer(call)?,
            CardRank | CardSuit | CardTrumpRank | CardTrumpValue => self.card(call)?,
            CardTrumpSuit => Int::Var(self.trump()),
            PathExtent => self.path_extent(call)?,
            TopLevel => {
                known_type(&self.world, call)?;
                Int::TopLevel(Box::new(self.site_at(call, Label::At)?))
            }
            LastTo | LastFrom => self.last_end(call)?,
            LastLevelTo => Int::LastLevelTo,
            LastLevelFrom => Int::LastLevelFrom,
            Prev => Int::PrevOther,
            Edge if !call.args.is_empty() => self.edge_between(call)?,
            Face => Int::Face(Box::new(self.int_at(call, Label::At)?)),
            ValueRandom => {
                let range = self.range(need_call(call, Label::Range)?)?;
                Int::Random(Box::new(range))
            }
            WhereLevel => self.where_level(call)?,
            Id => self.id(call)?,
            Ahead => self.ahead(call)?,
            Coord => self.coord(call)?,
            Row | Column | Phase | Layer => self.grid_table(call)?,
            CentrePoint => self.centre_point(call)?,
            RegionSite => {
                let region = self.region(need(call, Label::Region)?)?;
                Int::RegionSite(Box::new((region, self.int_at(call, Label::Index)?)))
            }
            ArrayValue => {
                let values = self.ints(need(call, Label::Values)?)?;
                Int::ArrayValue(Box::new((values, self.int_at(call, Label::Index)?)))
            }
            MapEntry => self.map_entry(call)?,
            HandSite => self.hand_site(call)?,
            TrackSiteMove | TrackSiteEndSite | TrackSiteFirstSite => self.track_site(call)?,
            Where => self.where_piece(call)?,
            SizeStack => self.stack_size(call)?,
            SizeLargePiece if call.has(Label::At) => {
                Int::CountSites(Box::new(self.large_piece(call)?))
            }
            SizeArray => Int::ArraySize(Box::new(self.ints(need(call, Label::Values)?)?)),
            SizeGroup => self.group_size(call)?,
            SizeTerritory => self.territory_size(call)?,
            _ => self.count(call)?,
        })
    }

    /// `(if ..)`: the one of two numbers that a condition chooses.
    fn int_if(&mut self, call: &'c Call) -> Lowered<Int> {
        let condition = self.bool_at(call, Label::Condition)?;
        let (then, otherwise) = (self.int_at(call, Label::Then)?, self.int_at(call, Label::Else)?);
        Ok(Int::If(Box::new((condition, then, otherwise))))
    }

    /// `(toInt ..)`: a truth value as a number.
    fn to_int(&mut self, call: &'c Call) -> Lowered<Int> {
        let arg = need(call, Label::A)?;
        if arg.as_call().is_some_and(|c| c.ludeme.kind() == Kind::Float) {
            return Err(unsupported(call));
        }
        Ok(Int::FromBool(Box::new(self.bool(arg)?)))
    }

    /// `(last To ..)` and `(last From ..)`: destination and origin of the last move.
    fn last_end(&mut self, call: &'c Call) -> Lowered<Int> {
        let after = fixed_flag(call, Label::AfterConsequence, false)?;
        Ok(self.number(match (call.name(), after) {
            (Name::LastTo, false) => Int::LastTo,
            (Name::LastTo, true) => Int::LastToAfter,
            (_, false) => Int::LastFrom,
            (_, true) => Int::LastFromAfter,
        }))
    }

    /// `(edge ..)`: the edge between two vertices.
    fn edge_between(&mut self, call: &'c Call) -> Lowered<Int> {
        let topology = &self.world.topology;
        let edges = 0..topology.count(SiteType::Edge);
        let ends = edges.filter_map(|edge| topology.edge_ends(edge)).collect();
        let (a, b) = (self.int_at(call, Label::A)?, self.int_at(call, Label::B)?);
        Ok(Int::EdgeBetween(Box::new((ends, a, b))))
    }

    /// `(where .. level ..)`: the level of a component in a stack.
    fn where_level(&mut self, call: &'c Call) -> Lowered<Int> {
        any_type(&self.world, call)?;
        if let Some(state) = call.find(Label::State) {
            return Err(unsupported_use(state, "`where` with a state"));
        }
        let piece = need(call, Label::Piece)?;
        let component = match piece.as_text() {
            None => self.int(piece)?,
            Some(name) => {
                let components = components_by_owner(&self.world, name);
                let components = components.iter().map(|&c| i32::from(c)).collect();
                let owner = Box::new(self.who(need(call, Label::Who)?)?);
                Int::IdOf { components, owner }
            }
        };
        Ok(Int::WhereLevel {
            component: Box::new(component),
            at: Box::new(self.int_at(call, Label::At)?),
            from_top: fixed_flag(call, Label::FromTop, true)?,
        })
    }

    /// `(ahead ..)`: the site a number of steps further in a direction.
    fn ahead(&mut self, call: &'c Call) -> Lowered<Int> {
        let elements = elements_of(&self.world, call);
        if elements.is_none() {
            default_type(&self.world, call)?;
        }
        let number = self.int_at(call, Label::Site)?;
        // A relative direction is that of the piece on the site, whose generator this need not be.
        let of_piece = self.scope.component.filter(|_| number == Int::Iter(Iter::From));
        let outer = std::mem::replace(&mut self.scope.component, of_piece);
        let rays = match call.arg(Label::Directions) {
            None => Ok(self.rays_forward(call)),
            slot => self.rays(slot),
        };
        self.scope.component = outer;
        let rays = rays?;
        let steps = Box::new(self.int_or(call, Label::Steps, Int::Const(1))?);
        let Some(elements) = elements else {
            return Ok(Int::Ahead { rays, site: Box::new(number), steps });
        };
        let site = Box::new(site_of(&self.world, call, number.clone()));
        let ahead = Int::Number(Box::new(Int::Ahead { rays, site, steps }));
        // A number that no element has stays as it is.
        let count = Int::Const(elements.count as i32);
        let is_one = Bool::Compare(Compare::Less, Box::new((number.clone(), count)));
        Ok(Int::If(Box::new((is_one, ahead, number))))
    }

    /// `(centrePoint ..)`: the site in the middle of the board.
    fn centre_point(&mut self, call: &'c Call) -> Lowered<Int> {
        known_type(&self.world, call)?;
        let site = site_type_of(&self.world, call);
        let centre = self.world.topology.area(site, crate::board::Area::Centre);
        Ok(Int::Const(centre.first().map_or(-1, |&s| i32::from(s))))
    }

    /// `(mapEntry ..)`: the value of a key in the maps of a name.
    fn map_entry(&mut self, call: &'c Call) -> Lowered<Int> {
        let wanted = call.text(Label::Name).map(str::to_owned);
        let maps = self.world.maps.iter();
        let maps = maps.filter(|m| wanted.as_ref().is_none_or(|w| *w == m.name));
        let maps = maps.map(|m| m.pairs.clone().into()).collect();
        Ok(Int::MapEntry(Box::new((maps, self.who(need(call, Label::Key)?)?))))
    }

    /// `(handSite ..)`: a site of a hand.
    fn hand_site(&mut self, call: &'c Call) -> Lowered<Int> {
        let owners = 0..=self.world.players as u8 + 1;
        let firsts = owners.map(|o| self.world.hand(o).map_or(-1, |c| c.first as i32));
        let firsts = firsts.collect();
        let firsts: Box<[i32]> = firsts;
        let who = self.who(need(call, Label::Who)?)?;
        let index = self.int_or(call, Label::Index, Int::Const(0))?;
        Ok(match (who.constant(), index.constant()) {
            (Some(who), Some(index)) => {
                let first = usize::try_from(who).ok().and_then(|w| firsts.get(w));
                let first = first.copied().unwrap_or(-1);
                Int::Const(if first < 0 { -1 } else { first.wrapping_add(index) })
            }
            _ => Int::HandSite(Box::new((firsts, who, index))),
        })
    }

    /// `(size Stack ..)`: the height of the stacks in a place.
    fn stack_size(&mut self, call: &'c Call) -> Lowered<Int> {
        known_type(&self.world, call)?;
        let place = match call.arg(Label::At).or(call.arg(Label::In)) {
            Some(arg) => self.place(arg)?,
            None => Place::Site(Int::LastTo),
        };
        let place = place_of(&self.world, call, place);
        Ok(Int::StackSize(Box::new(place)))
    }

    /// `(size Group ..)`: the size of a group.
    fn group_size(&mut self, call: &'c Call) -> Lowered<Int> {
        default_type(&self.world, call)?;
        let jumps = self.neighbours(call.arg(Label::Directions))?;
        let at = Box::new(self.int_at(call, Label::At)?);
        Ok(Int::GroupSize { jumps, at, condition: self.condition(call, Label::If)? })
    }

    /// `(size Territory ..)`: the size of a territory.
    fn territory_size(&mut self, call: &'c Call) -> Lowered<Int> {
        default_type(&self.world, call)?;
        let direction = absolute(call, Label::Direction);
        let jumps = self.steps_in(direction);
        let owners = self.owners(call.arg(Label::Who), Role::Mover)?;
        Ok(Int::Territory { jumps, owners })
    }

    /// An optional condition, boxed.
    pub(super) fn condition(&mut self, call: &'c Call, label: Label) -> Lowered<Option<Box<Bool>>> {
        Ok(self.bool_opt(call, label)?.map(Box::new))
    }

    fn fold(&mut self, call: &'c Call) -> Lowered<Int> {
        let fold = match call.name() {
            Name::OpAdd => Fold::Sum,
            Name::OpMul => Fold::Product,
            Name::Max => Fold::Max,
            _ => Fold::Min,
        };
        if let [arg] = &call.args[..]
            && !arg.is_array()
        {
            return Ok(Int::FoldInts(fold, Box::new(self.ints(arg)?)));
        }
        let terms = all(call, Label::Terms).map(|a| self.int(a)).collect::<Lowered<Vec<Int>>>()?;
        let constants: Option<Vec<i32>> = terms.iter().map(Int::constant).collect();
        Ok(match constants {
            Some(values) => Int::Const(fold.of(&values)),
            None => Int::Fold(fold, terms.into()),
        })
    }

    fn arithmetic(&mut self, call: &'c Call) -> Lowered<Int> {
        let operation = match call.name() {
            Name::OpSub => Arithmetic::Sub,
            Name::OpDiv => Arithmetic::Div,
            Name::OpMod => Arithmetic::Mod,
            _ => Arithmetic::Pow,
        };
        let a = self.int_or(call, Label::A, Int::Const(0))?;
        let b = self.int_at(call, Label::B)?;
        if matches!(operation, Arithmetic::Div | Arithmetic::Mod) && b == Int::Const(0) {
            return Err(invalid(need(call, Label::B)?, "division-by-zero", "this divides by zero"));
        }
        Ok(match (a.constant(), b.constant()) {
            (Some(a), Some(b)) => Int::Const(operation.of(a, b)),
            _ => Int::Arithmetic(operation, Box::new((a, b))),
        })
    }

    pub(super) fn layer(&mut self, call: &'c Call) -> Lowered<Int> {
        let layer = match call.name() {
            Name::What => Layer::What,
            Name::Who => Layer::Who,
            Name::State => Layer::State,
            Name::Rotation => Layer::Rotation,
            _ => Layer::Value,
        };
        let mut reach = reach_of(&self.world, call)?;
        if layer != Layer::Who && reach == Reach::Board {
            reach = Reach::All;
        }
        let level = self.int_opt(call, Label::Level)?.map(Box::new);
        Ok(Int::At { layer, at: Box::new(self.site_at(call, Label::At)?), level, reach })
    }

    fn id(&mut self, call: &'c Call) -> Lowered<Int> {
        let who = call.find(Label::Who);
        match (call.args.iter().find_map(Arg::as_text), who) {
            (None, Some(who)) => self.who(who),
            (Some(name), None) => {
                let container = self.world.containers.iter().position(|c| c.name == name);
                let found = container.or(self.world.component(name).map(usize::from));
                Ok(Int::Const(found.map_or(-1, |i| i as i32)))
            }
            (Some(name), Some(who)) => {
                let components: Box<[i32]> = components_by_owner(&self.world, name)
                    .iter()
                    .map(|&c| if c == 0 { -1 } else { i32::from(c) })
                    .collect();
                let role = role(who)?;
                match role {
                    // The reference ignores the name in this case and returns the player.
                    Role::Iterated => Ok(Int::Iter(Iter::Player)),
                    Role::Neutral | Role::Shared | Role::Mover | Role::Next | Role::Prev => {
                        let owner = Box::new(role_int(&self.world, role));
                        Ok(fold_id(components, owner))
                    }
                    Role::Player(1..=8) => {
                        let owner = Box::new(role_int(&self.world, role));
                        Ok(fold_id(components, owner))
                    }
                    _ => Ok(Int::Const(-1)),
                }
            }
            (None, None) => Err(unsupported(call)),
        }
    }

    fn coord(&mut self, call: &'c Call) -> Lowered<Int> {
        let site = call.constant(Label::Type).and_then(SiteType::named);
        if let Some(label) = call.args.iter().find_map(Arg::as_text) {
            let found = coordinate(&self.world, label, site);
            return Ok(Int::Const(found.map_or(-1, |s| s as i32)));
        }
        let (row, column) = (self.int_at(call, Label::Row)?, self.int_at(call, Label::Column)?);
        let topology = &self.world.topology;
        let site = site.unwrap_or(topology.site_type());
        let (Some(row), Some(column)) = (row.constant(), column.constant()) else {
            let elements = 0..topology.count(site);
            let coordinates =
                |e| (topology.row(site, e).unwrap_or(-1), topology.column(site, e).unwrap_or(-1));
            let table = elements.map(coordinates).collect();
            return Ok(Int::ByCoordinates(Box::new((table, row, column))));
        };
        let found = (0..topology.count(site)).find(|&e| {
            topology.row(site, e) == Some(row) && topology.column(site, e) == Some(column)
        });
        Ok(Int::Const(found.map_or(-1, |s| s as i32)))
    }

    fn grid_table(&mut self, call: &'c Call) -> Lowered<Int> {
        default_type(&self.world, call)?;
        let (topology, site) = (&self.world.topology, self.world.site_type());
        let value = |s: usize| match call.name() {
            Name::Row => topology.row(site, s),
            Name::Column => topology.column(site, s),
            Name::Layer => topology.layer(site, s),
            _ => topology.phase(site, s).map(i32::from),
        };
        let table = (0..topology.sites()).map(|s| value(s).unwrap_or(-1)).collect();
        Ok(Int::Table(Box::new((table, self.int_at(call, Label::Of)?))))
    }

    /// The targets and the condition of a `step` by which distances are measured.
    pub(super) fn step_of(
        &mut self,
        arg: &'c Arg,
    ) -> Lowered<(crate::ir::ByPiece<crate::ir::JumpId>, Option<Box<Bool>>)> {
        let step = arg.as_call().filter(|c| matches!(c.name(), Name::Step | Name::MoveStep));
        let Some(step) = step else { return Err(unsupported_use(arg, "this measure of steps")) };
        let jumps = self.jumps(step.arg(Label::Directions))?;
        let condition = self.to(step.call(Label::To))?.condition.map(Box::new);
        Ok((jumps, condition))
    }

    fn where_piece(&mut self, call: &'c Call) -> Lowered<Int> {
        default_type(&self.world, call)?;
        let piece = need(call, Label::Piece)?;
        let Some(name) = piece.as_text() else {
            return Ok(Int::WhereLowest(Box::new(self.int(piece)?)));
        };
        let components = components_by_owner(&self.world, name);
        let owner = Box::new(self.who(need(call, Label::Who)?)?);
        self.needs.sought.extend_from_slice(&components);
        if let Some(state) = call.arg(Label::State) {
            if self.occupancy() == crate::state::Occupancy::Stacking {
                return Err(unsupported_use(state, "`where` with a state in a game of stacks"));
            }
            let state = Box::new(self.int(state)?);
            return Ok(Int::WhereState { components, owner, state });
        }
        Ok(Int::WhereOwned { components, owner })
    }

    /// Lowers a list of numbers.
    pub(super) fn ints(&mut self, arg: &'c Arg) -> Lowered<Ints> {
        let call = match &arg.value {
            Value::Array(items) => {
                let items = items.iter().map(|i| self.int(i)).collect::<Lowered<Vec<Int>>>()?;
                return Ok(Ints::List(items.into()));
            }
            Value::Call(call) => call,
            _ => return Ok(Ints::List(Box::new([self.int(arg)?]))),
        };
        if call.ludeme.kind() == Kind::Region {
            return Ok(Ints::Region(Box::new(self.region(arg)?)));
        }
        if call.ludeme.kind() == Kind::Int {
            return Ok(Ints::List(Box::new([self.int(arg)?])));
        }
        Ok(match call.name() {
            Name::Team => match &self.scope.team {
                Some(members) => Ints::List(members.iter().copied().map(Int::Const).collect()),
                None => return Err(unsupported_use(arg, "`team` outside `forEach Team`")),
            },
            Name::Array => self.ints(need(call, Label::List)?)?,
            Name::Union | Name::Intersection => {
                let lists =
                    all(call, Label::List).map(|a| self.ints(a)).collect::<Lowered<Vec<Ints>>>()?;
                if call.name() == Name::Union {
                    Ints::Union(lists.into())
                } else {
                    Ints::Intersection(lists.into())
                }
            }
            Name::Difference => {
                let from = self.ints(need(call, Label::From)?)?;
                Ints::Difference(Box::new((from, self.ints(need(call, Label::Without)?)?)))
            }
            Name::If => {
                let condition = self.bool_at(call, Label::Condition)?;
                let then = self.ints(need(call, Label::Then)?)?;
                let otherwise = match call.arg(Label::Else) {
                    Some(arg) => self.ints(arg)?,
                    None => Ints::List(Box::new([])),
                };
                Ints::If(Box::new((condition, then, otherwise)))
            }
            Name::Results => {
                let from = Box::new(self.place(need(call, Label::From)?)?);
                // The variables that it binds hide the values that a constraint is written out for.
                let outer = self.scope.bound.clone();
                self.scope.bound.from = None;
                let to = self.place(need(call, Label::To)?);
                self.scope.bound.to = None;
                let value = self.int_at(call, Label::Value);
                self.scope.bound = outer;
                Ints::Results { from, to: Box::new(to?), value: Box::new(value?) }
            }
            Name::Rotations => {
                let numbers = rotation_numbers(&self.world, call);
                Ints::List(numbers.into_iter().map(Int::Const).collect())
            }
            Name::SizesGroup => {
                default_type(&self.world, call)?;
                // The groups of a player consist of sites of that player. `All` means any pieces.
                let arg = call.arg(Label::Who).or(call.arg(Label::Of));
                let mut condition = self.condition(call, Label::If)?;
                if let Some(arg) = arg.filter(|arg| arg.as_constant() != Some(Word::All)) {
                    let at = Box::new(Int::Iter(Iter::To));
                    let owner = Int::At { layer: Layer::Who, at, level: None, reach: Reach::All };
                    let pair = Box::new((owner, self.who(arg)?));
                    condition = Some(Box::new(Bool::Compare(Compare::Equal, pair)));
                }
                let jumps = self.neighbours(call.arg(Label::Directions))?;
                let min = Box::new(self.int_or(call, Label::Min, Int::Const(0))?);
                Ints::GroupSizes { jumps, condition, min }
            }
            Name::ValuesRemembered => {
                Ints::Remembered(self.rules.names.list(call.text(Label::List)))
            }
            name => match name.selector().and_then(Word::named).and_then(role_named) {
                Some(role) if call.find(Label::Of).is_none() => {
                    Ints::Players(role, self.condition(call, Label::If)?)
                }
                _ => return Err(unsupported(call)),
            },
        })
    }

    /// The sites of a list of numbers, as a static set if all are constants.
    pub(super) fn list_region(&mut self, sites: Vec<Int>) -> Region {
        let constants: Option<Vec<i32>> = sites.iter().map(Int::constant).collect();
        match constants {
            Some(sites) => {
                let end = self.world.sites() as i32;
                let valid = sites.into_iter().filter(|s| (0..end).contains(s));
                Region::Static(self.tables.set(valid.map(|s| s as u16).collect()))
            }
            None => Region::List(sites.into()),
        }
    }
}

/// A component by its owner, computed now if the owner is a constant.
fn fold_id(components: Box<[i32]>, owner: Box<Int>) -> Int {
    match owner.constant() {
        Some(o) => {
            let found = usize::try_from(o).ok().and_then(|o| components.get(o));
            Int::Const(found.copied().unwrap_or(-1))
        }
        None => Int::IdOf { components, owner },
    }
}
