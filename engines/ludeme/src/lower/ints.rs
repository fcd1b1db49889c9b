//! Numbers and lists of numbers.

use crate::board::SiteType;
use crate::front::{Arg, Call, Value};
use crate::ir::{
    Arithmetic, Bool, Compare, Fold, Int, Ints, Iter, Layer, Place, Reach, Region, Role,
    TrackChoice,
};

use super::directions::absolute;
use super::places::{all, fixed_flag, need, need_call, role};
use super::{Lower, Lowered, Problem, invalid, unsupported, unsupported_use};
use crate::world::{Crossing, Track};

impl<'c> Lower<'c> {
    /// A number.
    pub(super) fn int(&mut self, arg: &'c Arg) -> Lowered<Int> {
        match &arg.value {
            Value::Int(value) => Ok(Int::Const(*value)),
            Value::Constant(_) => {
                let role = role(arg)?;
                Ok(self.role_int(role))
            }
            Value::Call(call) => self.int_call(call),
            _ => Err(invalid(arg, "not-a-number", "a number is wanted here")),
        }
    }

    /// The number in a slot that must be filled.
    pub(super) fn int_at(&mut self, call: &'c Call, label: &str) -> Lowered<Int> {
        self.int(need(call, label)?)
    }

    /// The number in a slot, or a default.
    pub(super) fn int_or(&mut self, call: &'c Call, label: &str, default: Int) -> Lowered<Int> {
        match call.args.iter().find(|a| a.label == label) {
            Some(arg) => self.int(arg),
            None => Ok(default),
        }
    }

    fn int_call(&mut self, call: &'c Call) -> Lowered<Int> {
        let join = |condition: Bool, a: Int, b: Int| Int::If(Box::new((condition, a, b)));
        // Where no direction leads, `ahead` stays where it is.
        let none = |lower: &mut Self| match call.name() {
            "ahead" => lower.int_at(call, "site"),
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
            "+" | "*" | "max" | "min" => self.fold(call)?,
            "-" | "/" | "%" | "^" => self.arithmetic(call)?,
            "abs" => match self.int_at(call, "a")? {
                Int::Const(value) => Int::Const(value.wrapping_abs()),
                other => Int::Abs(Box::new(other)),
            },
            "if" => self.int_if(call)?,
            "toInt" => self.to_int(call)?,
            "from" if !call.has("at") => self.number(Int::Iter(Iter::From)),
            "to" => self.number(Int::Iter(Iter::To)),
            "between" => {
                let between = self.middle.clone().unwrap_or(Int::Iter(Iter::Between));
                self.number(between)
            }
            "site" => self.number(Int::Iter(Iter::Site)),
            "level" => Int::Iter(Iter::Level),
            "track" => Int::Const(self.track.unwrap_or(-1)),
            "cost" => self.cost(call)?,
            "player" => Int::Iter(Iter::Player),
            "value" => Int::Iter(Iter::Value),
            "pips" => Int::Iter(Iter::Pips),
            "mover" => Int::Mover,
            "next" => Int::Next,
            "prev" if !call.has("type") => Int::Prev,
            "counter" => Int::Counter,
            "pot" => Int::Var(self.pot()),
            "matchScore" if !self.in_match => Int::Const(0),
            "matchScore" => {
                let scores = self.match_scores();
                self.of_player(need(call, "who")?, &scores)?
            }
            "amount" => self.amount(need(call, "who")?)?,
            "score" => Int::Score(Box::new(self.who(need(call, "who")?)?)),
            "value Player" => Int::PlayerValue(Box::new(self.who(need(call, "who")?)?)),
            "value Pending" => Int::PendingValue,
            "value MoveLimit" => Int::Const(10_000),
            "value TurnLimit" => Int::Const(1250),
            "var" => Int::Var(self.var(call.text("name"))),
            "what" | "who" | "state" | "rotation" | "value Piece" => self.layer(call)?,
            "card Rank" | "card Suit" | "card TrumpRank" | "card TrumpValue" => self.card(call)?,
            "card TrumpSuit" => Int::Var(self.trump()),
            "pathExtent" => self.path_extent(call)?,
            "topLevel" => {
                self.known_type(call)?;
                Int::TopLevel(Box::new(self.site_at(call, "at")?))
            }
            "last To" | "last From" => self.last_end(call)?,
            "last LevelTo" => Int::LastLevelTo,
            "last LevelFrom" => Int::LastLevelFrom,
            "prev" => Int::PrevOther,
            "edge" if !call.args.is_empty() => self.edge_between(call)?,
            "face" => Int::Face(Box::new(self.int_at(call, "at")?)),
            "value Random" => {
                let range = self.range(need_call(call, "range")?)?;
                Int::Random(Box::new(range))
            }
            "where Level" => self.where_level(call)?,
            "id" => self.id(call)?,
            "ahead" => self.ahead(call)?,
            "coord" => self.coord(call)?,
            "row" | "column" | "phase" | "layer" => self.grid_table(call)?,
            "centrePoint" => self.centre_point(call)?,
            "regionSite" => {
                let region = self.region(need(call, "region")?)?;
                Int::RegionSite(Box::new((region, self.int_at(call, "index")?)))
            }
            "arrayValue" => {
                let values = self.ints(need(call, "values")?)?;
                Int::ArrayValue(Box::new((values, self.int_at(call, "index")?)))
            }
            "mapEntry" => self.map_entry(call)?,
            "handSite" => self.hand_site(call)?,
            "trackSite Move" | "trackSite EndSite" | "trackSite FirstSite" => {
                self.track_site(call)?
            }
            "where" => self.where_piece(call)?,
            "size Stack" => self.stack_size(call)?,
            "size LargePiece" if call.has("at") => {
                Int::CountSites(Box::new(self.large_piece(call)?))
            }
            "size Array" => Int::ArraySize(Box::new(self.ints(need(call, "values")?)?)),
            "size Group" => self.group_size(call)?,
            "size Territory" => self.territory_size(call)?,
            _ if call.name().starts_with("count") => self.count(call)?,
            _ => return Err(unsupported(call)),
        })
    }

    /// The one of two numbers that a condition chooses.
    fn int_if(&mut self, call: &'c Call) -> Lowered<Int> {
        let condition = self.bool_at(call, "condition")?;
        let (then, other) = (self.int_at(call, "then")?, self.int_at(call, "else")?);
        Ok(Int::If(Box::new((condition, then, other))))
    }

    /// A truth value as a number.
    fn to_int(&mut self, call: &'c Call) -> Lowered<Int> {
        let arg = need(call, "a")?;
        if arg.as_call().is_some_and(|c| c.ludeme.kind() == "Float") {
            return Err(unsupported(call));
        }
        Ok(Int::FromBool(Box::new(self.bool(arg)?)))
    }

    /// Where the last move went, or came from.
    fn last_end(&mut self, call: &'c Call) -> Lowered<Int> {
        let after = fixed_flag(call, "afterConsequence", false)?;
        Ok(self.number(match (call.name(), after) {
            ("last To", false) => Int::LastTo,
            ("last To", true) => Int::LastToAfter,
            (_, false) => Int::LastFrom,
            (_, true) => Int::LastFromAfter,
        }))
    }

    /// The edge between two vertices.
    fn edge_between(&mut self, call: &'c Call) -> Lowered<Int> {
        let topology = &self.world.topology;
        let edges = 0..topology.count(SiteType::Edge);
        let ends = edges.filter_map(|edge| topology.edge_ends(edge)).collect();
        let (a, b) = (self.int_at(call, "a")?, self.int_at(call, "b")?);
        Ok(Int::EdgeBetween(Box::new((ends, a, b))))
    }

    /// The level of a component in a stack.
    fn where_level(&mut self, call: &'c Call) -> Lowered<Int> {
        self.any_type(call)?;
        if let Some(state) = call.args.iter().find(|a| a.label == "state") {
            return Err(unsupported_use(state, "`where` with a state"));
        }
        let piece = need(call, "piece")?;
        let component = match piece.as_text() {
            None => self.int(piece)?,
            Some(name) => {
                let of = self.components_by_owner(name);
                let components = of.iter().map(|&c| i32::from(c)).collect();
                let owner = Box::new(self.who(need(call, "who")?)?);
                Int::IdOf { components, owner }
            }
        };
        Ok(Int::WhereLevel {
            component: Box::new(component),
            at: Box::new(self.int_at(call, "at")?),
            from_top: fixed_flag(call, "fromTop", true)?,
        })
    }

    /// The site so many steps further in a direction.
    fn ahead(&mut self, call: &'c Call) -> Lowered<Int> {
        self.default_type(call)?;
        let rays = match call.arg("directions") {
            None if self.features.layers.rotation => return Err(unsupported(call)),
            None => self.rays_forward(),
            some => self.rays(some)?,
        };
        let site = Box::new(self.int_at(call, "site")?);
        let steps = Box::new(self.int_or(call, "steps", Int::Const(1))?);
        Ok(Int::Ahead { rays, site, steps })
    }

    /// The site in the middle of the board.
    fn centre_point(&mut self, call: &'c Call) -> Lowered<Int> {
        self.known_type(call)?;
        let site = self.site_type_of(call);
        let centre = self.world.topology.area(site, crate::board::Area::Centre);
        Ok(Int::Const(centre.first().map_or(-1, |&s| i32::from(s))))
    }

    /// What the maps of a name have for a key.
    fn map_entry(&mut self, call: &'c Call) -> Lowered<Int> {
        let wanted = call.text("name").map(str::to_owned);
        let maps = self.world.maps.iter();
        let maps = maps.filter(|m| wanted.as_ref().is_none_or(|w| *w == m.name));
        let maps = maps.map(|m| m.pairs.clone().into()).collect();
        Ok(Int::MapEntry(Box::new((maps, self.who(need(call, "key")?)?))))
    }

    /// A site of a hand.
    fn hand_site(&mut self, call: &'c Call) -> Lowered<Int> {
        let owners = 0..=self.world.players as u8 + 1;
        let firsts = owners.map(|o| self.world.hand(o).map_or(-1, |c| c.first as i32));
        let firsts = firsts.collect();
        let firsts: Box<[i32]> = firsts;
        let who = self.who(need(call, "who")?)?;
        let index = self.int_or(call, "index", Int::Const(0))?;
        Ok(match (who.constant(), index.constant()) {
            (Some(who), Some(index)) => {
                let first = usize::try_from(who).ok().and_then(|w| firsts.get(w));
                let first = first.copied().unwrap_or(-1);
                Int::Const(if first < 0 { -1 } else { first.wrapping_add(index) })
            }
            _ => Int::HandSite(Box::new((firsts, who, index))),
        })
    }

    /// The height of the stacks in a place.
    fn stack_size(&mut self, call: &'c Call) -> Lowered<Int> {
        self.known_type(call)?;
        let place = match call.arg("at").or(call.arg("in")) {
            Some(arg) => self.place(arg)?,
            None => Place::Site(Int::LastTo),
        };
        let place = self.place_of(call, place);
        Ok(Int::StackSize(Box::new(place)))
    }

    /// The size of a group.
    fn group_size(&mut self, call: &'c Call) -> Lowered<Int> {
        self.default_type(call)?;
        let jumps = self.neighbours(call.arg("directions"))?;
        let at = Box::new(self.int_at(call, "at")?);
        Ok(Int::GroupSize { jumps, at, condition: self.condition(call, "if")? })
    }

    /// The size of a territory.
    fn territory_size(&mut self, call: &'c Call) -> Lowered<Int> {
        self.default_type(call)?;
        let direction = absolute(call, "direction");
        let jumps = self.steps_in(direction);
        let owners = self.owners(call.arg("who"), Role::Mover)?;
        Ok(Int::Territory { jumps, owners })
    }

    /// An optional condition, boxed.
    pub(super) fn condition(&mut self, call: &'c Call, label: &str) -> Lowered<Option<Box<Bool>>> {
        Ok(self.bool_opt(call, label)?.map(Box::new))
    }

    fn fold(&mut self, call: &'c Call) -> Lowered<Int> {
        let fold = match call.name() {
            "+" => Fold::Sum,
            "*" => Fold::Product,
            "max" => Fold::Max,
            _ => Fold::Min,
        };
        if let [arg] = &call.args[..]
            && !arg.is_array()
        {
            return Ok(Int::FoldInts(fold, Box::new(self.ints(arg)?)));
        }
        let terms = all(call, "terms").map(|a| self.int(a)).collect::<Lowered<Vec<Int>>>()?;
        let constants: Option<Vec<i32>> = terms.iter().map(Int::constant).collect();
        Ok(match constants {
            Some(values) => Int::Const(crate::eval::fold(fold, &values)),
            None => Int::Fold(fold, terms.into()),
        })
    }

    fn arithmetic(&mut self, call: &'c Call) -> Lowered<Int> {
        let operation = match call.name() {
            "-" => Arithmetic::Sub,
            "/" => Arithmetic::Div,
            "%" => Arithmetic::Mod,
            _ => Arithmetic::Pow,
        };
        let a = self.int_or(call, "a", Int::Const(0))?;
        let b = self.int_at(call, "b")?;
        if matches!(operation, Arithmetic::Div | Arithmetic::Mod) && b == Int::Const(0) {
            return Err(invalid(need(call, "b")?, "division-by-zero", "this divides by zero"));
        }
        Ok(match (a.constant(), b.constant()) {
            (Some(a), Some(b)) => Int::Const(crate::eval::arithmetic(operation, a, b)),
            _ => Int::Arithmetic(operation, Box::new((a, b))),
        })
    }

    pub(super) fn layer(&mut self, call: &'c Call) -> Lowered<Int> {
        let layer = match call.name() {
            "what" => Layer::What,
            "who" => Layer::Who,
            "state" => Layer::State,
            "rotation" => Layer::Rotation,
            _ => Layer::Value,
        };
        let mut reach = self.reach(call)?;
        if layer != Layer::Who && reach == Reach::Board {
            reach = Reach::All;
        }
        let level = call.arg("level").map(|a| self.int(a)).transpose()?.map(Box::new);
        Ok(Int::At { layer, at: Box::new(self.site_at(call, "at")?), level, reach })
    }

    fn id(&mut self, call: &'c Call) -> Lowered<Int> {
        let who = call.args.iter().find(|a| a.label == "who");
        match (call.args.iter().find_map(Arg::as_text), who) {
            (None, Some(who)) => self.who(who),
            (Some(name), None) => {
                let container = self.world.containers.iter().position(|c| c.name == name);
                let found = container.or(self.world.component(name).map(usize::from));
                Ok(Int::Const(found.map_or(-1, |i| i as i32)))
            }
            (Some(name), Some(who)) => {
                let components: Box<[i32]> = self
                    .components_by_owner(name)
                    .iter()
                    .map(|&c| if c == 0 { -1 } else { i32::from(c) })
                    .collect();
                let role = role(who)?;
                match role {
                    // The reference ignores the name here and gives the player.
                    Role::Iterated => Ok(Int::Iter(Iter::Player)),
                    Role::Neutral | Role::Shared | Role::Mover | Role::Next | Role::Prev => {
                        let owner = Box::new(self.role_int(role));
                        Ok(fold_id(components, owner))
                    }
                    Role::Player(1..=8) => {
                        let owner = Box::new(self.role_int(role));
                        Ok(fold_id(components, owner))
                    }
                    _ => Ok(Int::Const(-1)),
                }
            }
            (None, None) => Err(unsupported(call)),
        }
    }

    fn coord(&mut self, call: &'c Call) -> Lowered<Int> {
        let site = call.constant("type").and_then(SiteType::named);
        if let Some(label) = call.args.iter().find_map(Arg::as_text) {
            let found = self.coordinate(label, site);
            return Ok(Int::Const(found.map_or(-1, |s| s as i32)));
        }
        let (row, column) = (self.int_at(call, "row")?, self.int_at(call, "column")?);
        let topology = &self.world.topology;
        let site = site.unwrap_or(topology.site_type());
        let (Some(row), Some(column)) = (row.constant(), column.constant()) else {
            let all = 0..topology.count(site);
            let at =
                |e| (topology.row(site, e).unwrap_or(-1), topology.column(site, e).unwrap_or(-1));
            let table = all.map(at).collect();
            return Ok(Int::ByCoordinates(Box::new((table, row, column))));
        };
        let found = (0..topology.count(site)).find(|&e| {
            topology.row(site, e) == Some(row) && topology.column(site, e) == Some(column)
        });
        Ok(Int::Const(found.map_or(-1, |s| s as i32)))
    }

    fn grid_table(&mut self, call: &'c Call) -> Lowered<Int> {
        self.default_type(call)?;
        let (topology, site) = (&self.world.topology, self.world.site_type());
        let value = |s: usize| match call.name() {
            "row" => topology.row(site, s),
            "column" => topology.column(site, s),
            "layer" => topology.layer(site, s),
            _ => topology.phase(site, s).map(i32::from),
        };
        let table = (0..topology.sites()).map(|s| value(s).unwrap_or(-1)).collect();
        Ok(Int::Table(Box::new((table, self.int_at(call, "of")?))))
    }

    fn track_site(&mut self, call: &'c Call) -> Lowered<Int> {
        let who = call.args.iter().find(|a| a.label == "who");
        let name = who
            .and_then(Arg::as_text)
            .or_else(|| call.args.iter().filter(|a| a.label == "track").find_map(Arg::as_text));
        let player = match who {
            Some(arg) if arg.as_text().is_none() => Some(self.who(arg)?),
            _ => None,
        };
        if call.name() == "trackSite EndSite" {
            return Ok(Int::TrackEnd { tracks: self.first_track(name, player) });
        }
        if call.name() == "trackSite FirstSite" {
            return Ok(Int::TrackFirst {
                tracks: self.first_track(name, player),
                from: call.arg("from").map(|a| self.int(a)).transpose()?.map(Box::new),
                condition: self.condition(call, "if")?,
            });
        }
        let player = player.unwrap_or(Int::Mover);
        let tracks = &self.world.tracks;
        let named = |owner: Option<u8>| {
            tracks.iter().position(|t| {
                name.is_none_or(|n| t.name.contains(n)) && owner.is_none_or(|o| t.owner == o)
            })
        };
        let of_player = |p: u8| match name {
            Some(_) => named(Some(p)).or_else(|| named(None)),
            None => named(Some(p)).or_else(|| named(Some(0))),
        };
        let choice = self.by_player(player, of_player);
        self.follow_crossings()?;
        let from = Box::new(self.int_or(call, "from", Int::Iter(Iter::From))?);
        Ok(Int::TrackMove { tracks: choice, from, steps: Box::new(self.int_at(call, "steps")?) })
    }

    /// Makes the variables that keep where pieces are on tracks that cross themselves.
    fn follow_crossings(&mut self) -> Lowered<()> {
        const MOST: usize = 20_000;
        if !self.world.crossings.is_empty() {
            return Ok(());
        }
        for track in 0..self.world.tracks.len() {
            let Track { internal, looped, .. } = self.world.tracks[track];
            if !internal || looped {
                continue;
            }
            let crossing = Crossing::new(&self.world, track, self.vars.len());
            let count = crossing.slot_count * crossing.components.len();
            if self.vars.len() + count > MOST {
                let text = "too many pieces on tracks that cross themselves";
                return Err(Problem::TooLarge(text.to_owned()));
            }
            self.vars.extend((0..count).map(|_| Crossing::VAR.to_owned()));
            self.world.crossings.push(crossing);
        }
        Ok(())
    }

    /// A choice among tracks by a player.
    fn by_player(&self, player: Int, of: impl Fn(u8) -> Option<usize>) -> TrackChoice {
        let all = || (0..=self.world.players as u8 + 1).map(&of).collect();
        match (player.constant(), player) {
            (Some(p), _) => TrackChoice::One(of(p.clamp(0, 255) as u8)),
            (None, Int::Mover) => TrackChoice::ByMover(all()),
            (None, player) => TrackChoice::Of(Box::new(player), all()),
        }
    }

    /// The first track of a name and an owner, where they are given; nobody asks for any.
    pub(super) fn first_track(&self, name: Option<&str>, player: Option<Int>) -> TrackChoice {
        let tracks = &self.world.tracks;
        let find = |owner: Option<u8>| {
            tracks.iter().position(|t| {
                name.is_none_or(|n| t.name.contains(n)) && owner.is_none_or(|o| t.owner == o)
            })
        };
        match (name, player) {
            (_, None) => TrackChoice::One(find(None)),
            (Some(_), Some(player)) => {
                self.by_player(player, |p| find(Some(p).filter(|&p| p != 0)))
            }
            (None, Some(player)) => {
                self.by_player(player, |p| find(Some(p)).or_else(|| find(Some(0))))
            }
        }
    }

    /// The track that a ludeme names exactly, or by a part of its name and an owner.
    pub(super) fn track_choice(&self, name: Option<&str>, owner: Option<Int>) -> TrackChoice {
        let tracks = &self.world.tracks;
        match (name, owner) {
            (None, None) => TrackChoice::One((!tracks.is_empty()).then_some(0)),
            (Some(name), None) => TrackChoice::One(tracks.iter().position(|t| t.name == name)),
            (name, Some(owner)) => self.by_player(owner, |p| {
                let fits = |n: &str| name.is_none_or(|wanted| n.contains(wanted));
                tracks.iter().position(|t| t.owner == p && fits(&t.name))
            }),
        }
    }

    /// The targets and the condition of a `step` that measures distances.
    pub(super) fn step_of(
        &mut self,
        arg: &'c Arg,
    ) -> Lowered<(crate::ir::ByPiece<crate::ir::JumpId>, Option<Box<Bool>>)> {
        let step = arg.as_call().filter(|c| matches!(c.name(), "step" | "move Step"));
        let Some(step) = step else { return Err(unsupported_use(arg, "this measure of steps")) };
        let jumps = self.jumps(step.arg("directions"))?;
        let condition = self.to(step.call("to"))?.condition.map(Box::new);
        Ok((jumps, condition))
    }

    fn where_piece(&mut self, call: &'c Call) -> Lowered<Int> {
        self.default_type(call)?;
        let piece = need(call, "piece")?;
        let Some(name) = piece.as_text() else {
            return Ok(Int::WhereLowest(Box::new(self.int(piece)?)));
        };
        let components = self.components_by_owner(name);
        let owner = Box::new(self.who(need(call, "who")?)?);
        self.sought.extend_from_slice(&components);
        if let Some(state) = call.arg("state") {
            if self.features.occupancy(&self.world) == crate::state::Occupancy::Stacking {
                return Err(unsupported_use(state, "`where` with a state in a game of stacks"));
            }
            let state = Box::new(self.int(state)?);
            return Ok(Int::WhereState { components, owner, state });
        }
        Ok(Int::WhereOwned { components, owner })
    }

    /// A list of numbers.
    pub(super) fn ints(&mut self, arg: &'c Arg) -> Lowered<Ints> {
        let call = match &arg.value {
            Value::Array(items) => {
                let items = items.iter().map(|i| self.int(i)).collect::<Lowered<Vec<Int>>>()?;
                return Ok(Ints::List(items.into()));
            }
            Value::Call(call) => call,
            _ => return Ok(Ints::List(Box::new([self.int(arg)?]))),
        };
        if call.ludeme.kind() == "Region" {
            return Ok(Ints::Region(Box::new(self.region(arg)?)));
        }
        if call.ludeme.kind() == "Int" {
            return Ok(Ints::List(Box::new([self.int(arg)?])));
        }
        Ok(match call.name() {
            "team" => match &self.team {
                Some(members) => Ints::List(members.iter().copied().map(Int::Const).collect()),
                None => return Err(unsupported_use(arg, "`team` outside `forEach Team`")),
            },
            "array" => self.ints(need(call, "list")?)?,
            "union" | "intersection" => {
                let lists =
                    all(call, "list").map(|a| self.ints(a)).collect::<Lowered<Vec<Ints>>>()?;
                if call.name() == "union" {
                    Ints::Union(lists.into())
                } else {
                    Ints::Intersection(lists.into())
                }
            }
            "difference" => {
                let from = self.ints(need(call, "from")?)?;
                Ints::Difference(Box::new((from, self.ints(need(call, "without")?)?)))
            }
            "if" => {
                let condition = self.bool_at(call, "condition")?;
                let then = self.ints(need(call, "then")?)?;
                let other = match call.arg("else") {
                    Some(arg) => self.ints(arg)?,
                    None => Ints::List(Box::new([])),
                };
                Ints::If(Box::new((condition, then, other)))
            }
            "results" => {
                let from = Box::new(self.place(need(call, "from")?)?);
                // What it binds hides what a constraint is written out for.
                let outer = self.bound.clone();
                self.bound.from = None;
                let to = self.place(need(call, "to")?);
                self.bound.to = None;
                let value = self.int_at(call, "value");
                self.bound = outer;
                Ints::Results { from, to: Box::new(to?), value: Box::new(value?) }
            }
            "rotations" => {
                let numbers = self.rotation_numbers(call);
                Ints::List(numbers.into_iter().map(Int::Const).collect())
            }
            "sizes Group" => {
                self.default_type(call)?;
                // The groups of a player: of sites that are his. `All` means any pieces.
                let arg = call.arg("who").or(call.arg("of"));
                let mut condition = self.condition(call, "if")?;
                if let Some(arg) = arg.filter(|arg| arg.as_constant() != Some("All")) {
                    let at = Box::new(Int::Iter(Iter::To));
                    let owner = Int::At { layer: Layer::Who, at, level: None, reach: Reach::All };
                    let pair = Box::new((owner, self.who(arg)?));
                    condition = Some(Box::new(Bool::Compare(Compare::Equal, pair)));
                }
                let jumps = self.neighbours(call.arg("directions"))?;
                let min = Box::new(self.int_or(call, "min", Int::Const(0))?);
                Ints::GroupSizes { jumps, condition, min }
            }
            "values Remembered" => Ints::Remembered(self.list(call.text("list"))),
            name => match name.strip_prefix("players ").and_then(Role::named) {
                Some(role) if !call.args.iter().any(|a| a.label == "of") => {
                    Ints::Players(role, self.condition(call, "if")?)
                }
                _ => return Err(unsupported(call)),
            },
        })
    }

    /// The sites of a list of numbers, static where they are constants.
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

/// A component by its owner, at once where that is a constant.
fn fold_id(components: Box<[i32]>, owner: Box<Int>) -> Int {
    match owner.constant() {
        Some(o) => {
            let found = usize::try_from(o).ok().and_then(|o| components.get(o));
            Int::Const(found.copied().unwrap_or(-1))
        }
        None => Int::IdOf { components, owner },
    }
}
