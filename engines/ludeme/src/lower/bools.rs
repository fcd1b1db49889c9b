//! Conditions.

use crate::front::{Arg, Call, Value};
use crate::ir::{
    Bool, Compare, ConnectRegions, Connection, Int, Ints, Iter, Line, LinePieces, Place, Region,
    Role, SetId, StackLine, Threat,
};
use crate::state::Occupancy;

use super::directions::absolute;
use super::places::{all, fixed_flag, need, role};
use super::{Lower, Lowered, invalid, unsupported, unsupported_use};

impl<'c> Lower<'c> {
    /// A condition.
    pub(super) fn bool(&mut self, arg: &'c Arg) -> Lowered<Bool> {
        match &arg.value {
            Value::Bool(value) => Ok(Bool::Const(*value)),
            Value::Call(call) => self.bool_call(call),
            _ => Err(invalid(arg, "not-a-condition", "a condition is wanted here")),
        }
    }

    /// The condition in a slot that must be filled.
    pub(super) fn bool_at(&mut self, call: &'c Call, label: &str) -> Lowered<Bool> {
        self.bool(need(call, label)?)
    }

    /// The condition in a slot, if there is one.
    pub(super) fn bool_opt(&mut self, call: &'c Call, label: &str) -> Lowered<Option<Bool>> {
        call.args.iter().find(|a| a.label == label).map(|a| self.bool(a)).transpose()
    }

    /// The condition in a slot, or a default.
    pub(super) fn bool_or(&mut self, call: &'c Call, label: &str, default: bool) -> Lowered<Bool> {
        Ok(self.bool_opt(call, label)?.unwrap_or(Bool::Const(default)))
    }

    fn bool_call(&mut self, call: &'c Call) -> Lowered<Bool> {
        if let Some(constraint) = self.constraint(call)? {
            return Ok(constraint);
        }
        let name = call.name();
        Ok(match name {
            "and" | "or" => {
                let list = all(call, "list").map(|a| self.bool(a)).collect::<Lowered<Vec<_>>>()?;
                if name == "and" { Bool::And(list.into()) } else { Bool::Or(list.into()) }
            }
            "xor" => Bool::Xor(Box::new((self.bool_at(call, "a")?, self.bool_at(call, "b")?))),
            "not" => match self.bool_at(call, "a")? {
                Bool::Const(value) => Bool::Const(!value),
                other => Bool::Not(Box::new(other)),
            },
            "if" => self.bool_if(call)?,
            "=" | "!=" | "<" | "<=" | ">" | ">=" => self.compare(call)?,
            "toBool" => self.to_bool(call)?,
            "all Sites" => {
                let region = self.region(need(call, "region")?)?;
                Bool::AllSites(Box::new((region, self.bool_at(call, "if")?)))
            }
            "all Values" => {
                let values = self.ints(need(call, "values")?)?;
                Bool::AllValues(Box::new((values, self.bool_at(call, "if")?)))
            }
            "all Passed" => Bool::AllPassed,
            "all DiceUsed" => Bool::AllDiceUsed,
            "all DiceEqual" => Bool::AllDiceEqual,
            "all Different" if call.args.iter().any(|a| a.label == "if") => {
                let region = self.region(need(call, "region")?)?;
                Bool::AllDifferent(Box::new((region, self.bool_at(call, "if")?)))
            }
            "all Groups" => self.all_groups(call)?,
            "is AnyDie" => Bool::IsAnyDie(Box::new(self.int_at(call, "value")?)),
            "is Visited" => Bool::IsVisited(Box::new(self.int_at(call, "at")?)),
            "is Cycle" => Bool::IsCycle,
            "is Repeat" if call.constant("type").is_none_or(|kind| kind == "Positional") => {
                Bool::IsRepeat
            }
            "is Proposed" | "is Decided" => self.is_text(call),
            "is Hidden" => {
                let hidden = self.hidden_sites(call)?;
                Bool::InRegion(Box::new([self.int_at(call, "at")?]), Box::new(hidden))
            }
            "is LastTo" => self.is_of_type(call, Int::LastTo)?,
            "is LastFrom" => self.is_of_type(call, Int::LastFrom)?,
            "is Flat" => {
                let at = Box::new(self.int_or(call, "at", Int::Iter(Iter::To))?);
                Bool::IsFlat(self.steps_in(crate::board::Direction::Downward), at)
            }
            "is Mover" => self.is_player(call, Int::Mover)?,
            "is Next" => self.is_player(call, Int::Next)?,
            "is Prev" => self.is_player(call, Int::Prev)?,
            "is Enemy" => Bool::IsEnemy(Box::new(self.who(need(call, "who")?)?)),
            "is Friend" => Bool::IsFriend(Box::new(self.who(need(call, "who")?)?)),
            "is Active" => Bool::IsActive(Box::new(self.who(need(call, "who")?)?)),
            "is Triggered" => Bool::IsTriggered(Box::new(self.who(need(call, "who")?)?)),
            "is Empty" => self.is_empty(call)?,
            "is Occupied" => self.is_occupied(call)?,
            "is In" => self.is_in(call)?,
            "is Pending" => Bool::IsPending,
            "is Full" => Bool::IsFull,
            "is Related" => self.is_related(call)?,
            "is Within" => self.is_within(call)?,
            "is Target" => self.target(call)?,
            "is Line" => self.line(call)?,
            "is Path" => self.path(call)?,
            "is Crossing" => self.is_crossing(call)?,
            "is Tree" | "is SpanningTree" | "is CaterpillarTree" | "is TreeCentre"
            | "is RegularGraph" => self.graph(call)?,
            "is Acute" | "is Right" | "is Obtuse" | "is Reflex" => self.angle(call)?,
            "is PipsMatch" => self.pips_match(call)?,
            "is Loop" if fixed_flag(call, "path", false)? => self.is_path_loop(call)?,
            "is Loop" => Bool::IsLoop(Box::new(self.ring(call)?)),
            "is SidesMatch" => self.sides_match(call)?,
            "is Pattern" => Bool::IsPattern(Box::new(self.pattern(call)?)),
            "is Blocked" => self.blocked(call)?,
            "is Connected" => self.connected(call)?,
            "is Threatened" => self.threatened(call)?,
            "is Even" => Bool::IsEven(Box::new(self.int_at(call, "value")?)),
            "is Odd" => Bool::Not(Box::new(Bool::IsEven(Box::new(self.int_at(call, "value")?)))),
            "no Moves" => {
                let arg = need(call, "who")?;
                Bool::NoMoves(role(arg)?)
            }
            "no Pieces" => self.no_pieces(call)?,
            "can Move" => self.can_move(call)?,
            "was Pass" => Bool::WasPass,
            _ => return Err(unsupported(call)),
        })
    }

    /// A number as a truth value.
    fn to_bool(&mut self, call: &'c Call) -> Lowered<Bool> {
        let arg = need(call, "a")?;
        if arg.as_call().is_some_and(|c| c.ludeme.kind() == "Float") {
            return Err(unsupported(call));
        }
        Ok(Bool::Compare(Compare::NotEqual, Box::new((self.int(arg)?, Int::Const(0)))))
    }

    /// A condition on all groups.
    fn all_groups(&mut self, call: &'c Call) -> Lowered<Bool> {
        self.default_type(call)?;
        Ok(Bool::AllGroups {
            jumps: self.neighbours(call.arg("directions"))?,
            of: self.bool_opt(call, "of")?.map(Box::new),
            condition: Box::new(self.bool_at(call, "if")?),
        })
    }

    /// Whether sites are neighbours.
    fn is_related(&mut self, call: &'c Call) -> Lowered<Bool> {
        self.default_type(call)?;
        let relation = absolute(call, "relation");
        let jumps = self.steps_in(relation);
        let a = Box::new(self.int_at(call, "a")?);
        Ok(Bool::IsRelated { jumps, a, b: Box::new(self.place(need(call, "b")?)?) })
    }

    /// Whether there is a piece of a component in a place.
    fn is_within(&mut self, call: &'c Call) -> Lowered<Bool> {
        self.default_type(call)?;
        let component = Box::new(self.int_at(call, "piece")?);
        let place = match call.arg("at").or(call.arg("in")) {
            Some(arg) => self.place(arg)?,
            None => Place::Site(Int::LastTo),
        };
        Ok(Bool::IsWithin { component, place: Box::new(place) })
    }

    /// Whether there are none of some pieces.
    fn no_pieces(&mut self, call: &'c Call) -> Lowered<Bool> {
        self.default_type(call)?;
        let owners = self.owners(call.arg("who").or(call.arg("of")), Role::All)?;
        let pieces = self.pieces_named(owners, call.text("name"));
        let within = call.arg("in").map(|a| self.region(a)).transpose()?.map(Box::new);
        Ok(Bool::NoPieces { pieces, within })
    }

    /// The one of two conditions that another one chooses.
    fn bool_if(&mut self, call: &'c Call) -> Lowered<Bool> {
        let condition = self.bool_at(call, "condition")?;
        let then = self.bool_at(call, "then")?;
        Ok(Bool::If(Box::new((condition, then, self.bool_or(call, "else", false)?))))
    }

    /// Whether a text is on the table, or has been decided on.
    fn is_text(&mut self, call: &Call) -> Bool {
        let text = call.text("text").unwrap_or_default();
        let text = super::index_of(&mut self.texts, text);
        if call.name() == "is Proposed" { Bool::IsProposed(text) } else { Bool::IsDecided(text) }
    }

    /// Whether a site is empty.
    fn is_empty(&mut self, call: &'c Call) -> Lowered<Bool> {
        self.known_type(call)?;
        Ok(Bool::IsEmpty(Box::new(self.site_at(call, "at")?)))
    }

    /// Whether there is a piece on a site.
    fn is_occupied(&mut self, call: &'c Call) -> Lowered<Bool> {
        self.known_type(call)?;
        Ok(Bool::IsOccupied(Box::new(self.site_at(call, "at")?)))
    }

    /// Whether a generator gives any move.
    fn can_move(&mut self, call: &'c Call) -> Lowered<Bool> {
        let moves = self.moves(need(call, "moves")?)?;
        Ok(Bool::CanMove(self.without_suicide(moves).number_in(&mut self.asked)))
    }

    fn is_player(&mut self, call: &'c Call, player: Int) -> Lowered<Bool> {
        let who = self.who(need(call, "who")?)?;
        Ok(Bool::Compare(Compare::Equal, Box::new((who, player))))
    }

    fn compare(&mut self, call: &'c Call) -> Lowered<Bool> {
        let compare = match call.name() {
            "=" => Compare::Equal,
            "!=" => Compare::NotEqual,
            "<" => Compare::Less,
            "<=" => Compare::LessEqual,
            ">" => Compare::Greater,
            _ => Compare::GreaterEqual,
        };
        let (a, b) = (need(call, "a")?, need(call, "b")?);
        if a.as_call().is_some_and(|c| c.ludeme.kind() == "Region") {
            let same = Bool::SameRegion(Box::new((self.region(a)?, self.region(b)?)));
            return Ok(match compare {
                Compare::Equal => same,
                _ => Bool::Not(Box::new(same)),
            });
        }
        let (a, b) = (self.int(a)?, self.int(b)?);
        Ok(match (a.constant(), b.constant()) {
            (Some(a), Some(b)) => Bool::Const(crate::eval::compare(compare, a, b)),
            _ => Bool::Compare(compare, Box::new((a, b))),
        })
    }

    fn is_in(&mut self, call: &'c Call) -> Lowered<Bool> {
        let sites: Vec<Int> = match call.arg("sites") {
            None => vec![self.number(Int::Iter(Iter::To))],
            Some(arg) => arg.items().iter().map(|a| self.int(a)).collect::<Lowered<_>>()?,
        };
        let region = need(call, "region")?;
        let is_ints = region.as_call().is_some_and(|c| c.ludeme.kind() == "Ints");
        Ok(if is_ints {
            Bool::InInts(sites.into(), Box::new(self.ints(region)?))
        } else {
            Bool::InRegion(sites.into(), Box::new(self.region(region)?))
        })
    }

    fn target(&mut self, call: &'c Call) -> Lowered<Bool> {
        if let Some(container) = call.arg("container") {
            return Err(unsupported_use(container, "`is Target` of a container"));
        }
        let stacking = self.features.occupancy(&self.world) == Occupancy::Stacking;
        let mut components = Vec::new();
        for item in call.items("pieces") {
            let number = self.int(item)?;
            let number = number.constant();
            components.push(number.ok_or_else(|| unsupported_use(item, "a computed piece here"))?);
        }
        let sites: Vec<u16> = match call.arg("sites") {
            None if stacking => {
                let components = components.into();
                return Ok(Bool::IsTargetStack { sites: None, components });
            }
            None => {
                // As many numbers as there are cells are wanted, whatever is played on.
                let cells = self.world.topology.count(crate::board::SiteType::Cell);
                if cells != components.len() || cells != self.world.topology.sites() {
                    return Ok(Bool::Const(false));
                }
                self.world.board()
            }
            Some(arg) => {
                let mut sites = Vec::new();
                for item in arg.items() {
                    let site = self.int(item)?;
                    let site = site.constant().and_then(|s| u16::try_from(s).ok());
                    sites.push(site.ok_or_else(|| unsupported_use(item, "a computed site here"))?);
                }
                sites
            }
        };
        if stacking {
            let (sites, components) = (Some(sites.into()), components.into());
            return Ok(Bool::IsTargetStack { sites, components });
        }
        let possible = sites.len() == components.len();
        Ok(Bool::IsTarget { sites: sites.into(), components: components.into(), possible })
    }

    fn line(&mut self, call: &'c Call) -> Lowered<Bool> {
        self.default_type(call)?;
        let direction = absolute(call, "direction");
        let sites = self.world.topology.sites();
        let axes = self.tables.axes(&self.world.topology, sites, direction);
        let through = match (call.arg("through"), call.arg("throughAny")) {
            (Some(site), _) => Some(Place::Site(self.int(site)?)),
            (_, Some(region)) => Some(Place::Region(self.region(region)?)),
            _ => None,
        };
        let what = if let Some(who) = call.arg("who") {
            Some(LinePieces::Owner(self.who(who)?))
        } else if let Some(what) = call.arg("what") {
            Some(LinePieces::Components(Box::new([self.int(what)?])))
        } else if call.has("whats") {
            let list = call.items("whats").iter().map(|a| self.int(a));
            Some(LinePieces::Components(list.collect::<Lowered<_>>()?))
        } else {
            None
        };
        if self.features.occupancy(&self.world) == Occupancy::Stacking {
            return Ok(Bool::IsStackLine(Box::new(StackLine {
                axes,
                length: self.int_at(call, "length")?,
                // A region is ignored here.
                through: match through {
                    Some(Place::Site(site)) => site,
                    _ => Int::LastTo,
                },
                what,
                exact: fixed_flag(call, "exact", false)?,
                condition: self.bool_opt(call, "if")?,
                by_level: self.bool_or(call, "byLevel", false)?,
                top: self.bool_or(call, "top", false)?,
            })));
        }
        if let Some(line) = self.line_of_values(call, axes, through.as_ref(), what.as_ref())? {
            return Ok(line);
        }
        let line = Line {
            axes,
            length: self.int_at(call, "length")?,
            through,
            what,
            exact: fixed_flag(call, "exact", false)?,
            contiguous: fixed_flag(call, "contiguous", true)?,
            condition: self.bool_opt(call, "if")?,
        };
        Ok(Bool::IsLine(Box::new(line)))
    }

    fn connected(&mut self, call: &'c Call) -> Lowered<Bool> {
        Ok(Bool::IsConnected(Box::new(self.connection(call)?)))
    }

    fn connection(&mut self, call: &'c Call) -> Lowered<Connection> {
        self.default_type(call)?;
        let jumps = self.neighbours(call.arg("directions"))?;
        let count = call.arg("count").map(|a| self.int(a)).transpose()?;
        let at = call.arg("at").map(|a| self.int(a)).transpose()?;
        let arg = need(call, "regions")?;
        let regions = match &arg.value {
            Value::Array(items) => {
                let list = items.iter().map(|i| self.region(i)).collect::<Lowered<Vec<_>>>()?;
                ConnectRegions::List(list.into())
            }
            Value::Constant(constant) if Role::named(constant.name()).is_some() => {
                let role = role(arg)?;
                let player = self.role_int(role);
                ConnectRegions::Of(player, self.parts_by_owner())
            }
            Value::Constant(constant) => {
                let Some(family) = self.family(constant.name()) else {
                    return Err(unsupported_use(arg, "this family of regions"));
                };
                let sets = family.into_iter().map(|sites| self.tables.set(sites));
                ConnectRegions::List(sets.map(Region::Static).collect())
            }
            _ => return Err(unsupported_use(arg, "a family of regions")),
        };
        Ok(Connection { jumps, count, at, regions })
    }

    /// `(is Blocked ..)`: the player whose regions they are, or the mover.
    fn blocked(&mut self, call: &'c Call) -> Lowered<Bool> {
        let connection = self.connection(call)?;
        let player = match &connection.regions {
            ConnectRegions::Of(player, _) => player.clone(),
            ConnectRegions::List(_) => Int::Mover,
        };
        Ok(Bool::IsBlocked(Box::new((player, connection))))
    }

    /// The regions that each player owns, part by part.
    fn parts_by_owner(&mut self) -> Box<[Box<[SetId]>]> {
        let owners = 0..=self.world.players as u8 + 1;
        let parts: Vec<Vec<Vec<u16>>> = owners
            .map(|o| {
                let own = self.world.regions.iter().filter(|r| r.owner == o);
                own.flat_map(|r| r.parts.iter().cloned()).collect()
            })
            .collect();
        parts
            .into_iter()
            .map(|list| list.into_iter().map(|sites| self.tables.set(sites)).collect())
            .collect()
    }

    fn threatened(&mut self, call: &'c Call) -> Lowered<Bool> {
        self.default_type(call)?;
        let component = call.arg("piece").map(|a| self.int(a)).transpose()?;
        let place = match (call.arg("at"), call.arg("in")) {
            (Some(site), _) => Some(Place::Site(self.int(site)?)),
            (_, Some(region)) => Some(Place::Region(self.region(region)?)),
            _ => None,
        };
        let sought = self.sought.len();
        let moves = call.arg("moves").map(|a| self.asked_moves(a)).transpose()?;
        // A piece put there for the test would be a second one.
        self.features.grouped |= self.sought.len() > sought;
        // The reference puts the piece on an element of another type. Where only one type holds
        // pieces the type is ignored; else, and in stacks, nobody sees the piece.
        let occupancy = self.features.occupancy(&self.world);
        let cell = self.world.site_type() == crate::board::SiteType::Cell;
        let hands = self.world.containers.len() > 1;
        let placed = occupancy != Occupancy::Stacking && (cell || !hands);
        Ok(Bool::IsThreatened(Box::new(Threat { component, place, moves, placed })))
    }

    /// A list of players as a slot of roles or numbers gives it.
    pub(super) fn players_of(&mut self, arg: &'c Arg) -> Lowered<Ints> {
        if arg.as_constant().is_some() {
            let role = role(arg)?;
            return Ok(match role {
                Role::All | Role::Enemy | Role::NonMover | Role::Ally | Role::Friend => {
                    Ints::Players(role, None)
                }
                // These name nobody here.
                Role::Each | Role::Shared => Ints::List(Box::new([])),
                _ => Ints::List(Box::new([self.role_int(role)])),
            });
        }
        if arg.as_call().is_some_and(|c| c.ludeme.kind() == "Ints") {
            return self.ints(arg);
        }
        Ok(Ints::List(Box::new([self.who(arg)?])))
    }

    /// A region that must not depend on the state.
    pub(super) fn static_region(&mut self, arg: &'c Arg) -> Lowered<Vec<u16>> {
        let region = self.region(arg)?;
        self.region_before(&region, None).ok_or_else(|| {
            unsupported_use(arg, "a region here that is not fixed by the board alone")
        })
    }
}
