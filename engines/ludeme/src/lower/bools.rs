//! Conditions.

use crate::front::{Arg, Call, Kind, Label, Name, Value, Word};
use crate::ir::{
    Bool, Compare, ConnectRegions, Connection, Int, Ints, Iter, Line, LinePieces, Place, Region,
    Role, SetId, StackLine, Threat,
};
use crate::state::Occupancy;

use super::directions::absolute;
use super::features::Feature;
use super::places::{
    all, default_type, fixed_flag, known_type, need, pieces_named, role, role_int, role_named,
};
use super::{Lower, Lowered, invalid, unsupported, unsupported_use};

impl<'c> Lower<'c> {
    /// Lowers a condition.
    pub(super) fn bool(&mut self, arg: &'c Arg) -> Lowered<Bool> {
        super::count_step()?;
        match &arg.value {
            Value::Bool(value) => Ok(Bool::Const(*value)),
            Value::Call(call) => self.bool_call(call),
            _ => Err(invalid(arg, "not-a-condition", "a condition is wanted here")),
        }
    }

    /// The condition in a slot that must be filled.
    pub(super) fn bool_at(&mut self, call: &'c Call, label: Label) -> Lowered<Bool> {
        self.bool(need(call, label)?)
    }

    /// The condition in a slot, if there is one.
    pub(super) fn bool_opt(&mut self, call: &'c Call, label: Label) -> Lowered<Option<Bool>> {
        call.find(label).map(|a| self.bool(a)).transpose()
    }

    /// The condition in a slot, or a default.
    pub(super) fn bool_or(&mut self, call: &'c Call, label: Label, default: bool) -> Lowered<Bool> {
        Ok(self.bool_opt(call, label)?.unwrap_or(Bool::Const(default)))
    }

    fn bool_call(&mut self, call: &'c Call) -> Lowered<Bool> {
        use Name::*;
        if let Some(constraint) = self.constraint(call)? {
            return Ok(constraint);
        }
        let name = call.name();
        Ok(match name {
            And | Or => {
                let list =
                    all(call, Label::List).map(|a| self.bool(a)).collect::<Lowered<Vec<_>>>()?;
                if name == And { Bool::And(list.into()) } else { Bool::Or(list.into()) }
            }
            Xor => {
                Bool::Xor(Box::new((self.bool_at(call, Label::A)?, self.bool_at(call, Label::B)?)))
            }
            Not => match self.bool_at(call, Label::A)? {
                Bool::Const(value) => Bool::Const(!value),
                condition => Bool::Not(Box::new(condition)),
            },
            If => self.bool_if(call)?,
            OpEquals | OpNotEqual | OpLt | OpLe | OpGt | OpGe => self.compare(call)?,
            ToBool => self.to_bool(call)?,
            AllSites => {
                let region = self.region(need(call, Label::Region)?)?;
                Bool::AllSites(Box::new((region, self.bool_at(call, Label::If)?)))
            }
            AllValues => {
                let values = self.ints(need(call, Label::Values)?)?;
                Bool::AllValues(Box::new((values, self.bool_at(call, Label::If)?)))
            }
            AllPassed => Bool::AllPassed,
            AllDiceUsed => Bool::AllDiceUsed,
            AllDiceEqual => Bool::AllDiceEqual,
            AllDifferent if call.find(Label::If).is_some() => {
                let region = self.region(need(call, Label::Region)?)?;
                Bool::AllDifferent(Box::new((region, self.bool_at(call, Label::If)?)))
            }
            AllGroups => self.all_groups(call)?,
            IsAnyDie => Bool::IsAnyDie(Box::new(self.int_at(call, Label::Value)?)),
            IsVisited => Bool::IsVisited(Box::new(self.int_at(call, Label::At)?)),
            IsCycle => Bool::IsCycle,
            IsRepeat if call.constant(Label::Type).is_none_or(|kind| kind == Word::Positional) => {
                Bool::IsRepeat
            }
            IsProposed | IsDecided => self.is_text(call),
            IsHidden => {
                let hidden = self.hidden_sites(call)?;
                Bool::InRegion(Box::new([self.int_at(call, Label::At)?]), Box::new(hidden))
            }
            IsLastTo => self.is_of_type(call, Int::LastTo)?,
            IsLastFrom => self.is_of_type(call, Int::LastFrom)?,
            IsFlat => {
                let at = Box::new(self.int_or(call, Label::At, Int::Iter(Iter::To))?);
                Bool::IsFlat(self.steps_in(crate::board::Direction::Downward), at)
            }
            IsMover => self.is_player(call, Int::Mover)?,
            IsNext => self.is_player(call, Int::Next)?,
            IsPrev => self.is_player(call, Int::Prev)?,
            IsEnemy => Bool::IsEnemy(Box::new(self.who(need(call, Label::Who)?)?)),
            IsFriend => Bool::IsFriend(Box::new(self.who(need(call, Label::Who)?)?)),
            IsActive => Bool::IsActive(Box::new(self.who(need(call, Label::Who)?)?)),
            IsTriggered => Bool::IsTriggered(Box::new(self.who(need(call, Label::Who)?)?)),
            IsEmpty => self.is_empty(call)?,
            IsOccupied => self.is_occupied(call)?,
            IsIn => self.is_in(call)?,
            IsPending => Bool::IsPending,
            IsFull => Bool::IsFull,
            IsRelated => self.is_related(call)?,
            IsWithin => self.is_within(call)?,
            IsTarget => self.target(call)?,
            IsLine => self.line(call)?,
            IsPath => self.path(call)?,
            IsCrossing => self.is_crossing(call)?,
            IsTree | IsSpanningTree | IsCaterpillarTree | IsTreeCentre | IsRegularGraph => {
                self.graph(call)?
            }
            IsAcute | IsRight | IsObtuse | IsReflex => self.angle(call)?,
            IsPipsMatch => self.pips_match(call)?,
            IsLoop if fixed_flag(call, Label::Path, false)? => self.is_path_loop(call)?,
            IsLoop => Bool::IsLoop(Box::new(self.ring(call)?)),
            IsSidesMatch => self.sides_match(call)?,
            IsPattern => Bool::IsPattern(Box::new(self.pattern(call)?)),
            IsBlocked => self.blocked(call)?,
            IsConnected => self.connected(call)?,
            IsThreatened => self.threatened(call)?,
            IsEven => Bool::IsEven(Box::new(self.int_at(call, Label::Value)?)),
            IsOdd => Bool::Not(Box::new(Bool::IsEven(Box::new(self.int_at(call, Label::Value)?)))),
            NoMoves => {
                let arg = need(call, Label::Who)?;
                Bool::NoMoves(role(arg)?)
            }
            NoPieces => self.no_pieces(call)?,
            CanMove => self.can_move(call)?,
            WasPass => Bool::WasPass,
            _ => return Err(unsupported(call)),
        })
    }

    /// `(toBool ..)`: a number as a truth value.
    fn to_bool(&mut self, call: &'c Call) -> Lowered<Bool> {
        let arg = need(call, Label::A)?;
        if arg.as_call().is_some_and(|c| c.ludeme.kind() == Kind::Float) {
            return Err(unsupported(call));
        }
        Ok(Bool::Compare(Compare::NotEqual, Box::new((self.int(arg)?, Int::Const(0)))))
    }

    /// `(all Groups ..)`: true if a condition holds for all groups.
    fn all_groups(&mut self, call: &'c Call) -> Lowered<Bool> {
        default_type(&self.world, call)?;
        Ok(Bool::AllGroups {
            jumps: self.neighbours(call.arg(Label::Directions))?,
            of: self.bool_opt(call, Label::Of)?.map(Box::new),
            condition: Box::new(self.bool_at(call, Label::If)?),
        })
    }

    /// `(is Related ..)`: true if sites are neighbours.
    fn is_related(&mut self, call: &'c Call) -> Lowered<Bool> {
        default_type(&self.world, call)?;
        let relation = absolute(call, Label::Relation);
        let jumps = self.steps_in(relation);
        let a = Box::new(self.int_at(call, Label::A)?);
        Ok(Bool::IsRelated { jumps, a, b: Box::new(self.place(need(call, Label::B)?)?) })
    }

    /// `(is Within ..)`: true if a piece of a component stands in a place.
    fn is_within(&mut self, call: &'c Call) -> Lowered<Bool> {
        default_type(&self.world, call)?;
        let component = Box::new(self.int_at(call, Label::Piece)?);
        let place = match call.arg(Label::At).or(call.arg(Label::In)) {
            Some(arg) => self.place(arg)?,
            None => Place::Site(Int::LastTo),
        };
        Ok(Bool::IsWithin { component, place: Box::new(place) })
    }

    /// `(no Pieces ..)`: true if there are none of some pieces.
    fn no_pieces(&mut self, call: &'c Call) -> Lowered<Bool> {
        let owners = self.owners(call.arg(Label::Who).or(call.arg(Label::Of)), Role::All)?;
        let pieces = pieces_named(&self.world, owners, call.text(Label::Name));
        let within = self.within_type(call)?.map(Box::new);
        Ok(Bool::NoPieces { pieces, within })
    }

    /// `(if ..)`: the one of two conditions that a third one chooses.
    fn bool_if(&mut self, call: &'c Call) -> Lowered<Bool> {
        let condition = self.bool_at(call, Label::Condition)?;
        let then = self.bool_at(call, Label::Then)?;
        Ok(Bool::If(Box::new((condition, then, self.bool_or(call, Label::Else, false)?))))
    }

    /// `(is Proposed ..)` and `(is Decided ..)`: true if a text has been proposed, or decided on.
    fn is_text(&mut self, call: &Call) -> Bool {
        let text = call.text(Label::Text).unwrap_or_default();
        let text = self.rules.names.text(text);
        if call.name() == Name::IsProposed { Bool::IsProposed(text) } else { Bool::IsDecided(text) }
    }

    /// `(is Empty ..)`: true if a site is empty.
    fn is_empty(&mut self, call: &'c Call) -> Lowered<Bool> {
        known_type(&self.world, call)?;
        Ok(Bool::IsEmpty(Box::new(self.site_at(call, Label::At)?)))
    }

    /// `(is Occupied ..)`: true if there is a piece on a site.
    fn is_occupied(&mut self, call: &'c Call) -> Lowered<Bool> {
        known_type(&self.world, call)?;
        Ok(Bool::IsOccupied(Box::new(self.site_at(call, Label::At)?)))
    }

    /// `(can Move ..)`: true if a generator gives any move.
    fn can_move(&mut self, call: &'c Call) -> Lowered<Bool> {
        let moves = self.moves(need(call, Label::Moves)?)?;
        Ok(Bool::CanMove(self.without_suicide(moves).number_in(&mut self.rules.generators)))
    }

    fn is_player(&mut self, call: &'c Call, player: Int) -> Lowered<Bool> {
        let who = self.who(need(call, Label::Who)?)?;
        Ok(Bool::Compare(Compare::Equal, Box::new((who, player))))
    }

    fn compare(&mut self, call: &'c Call) -> Lowered<Bool> {
        let compare = match call.name() {
            Name::OpEquals => Compare::Equal,
            Name::OpNotEqual => Compare::NotEqual,
            Name::OpLt => Compare::Less,
            Name::OpLe => Compare::LessEqual,
            Name::OpGt => Compare::Greater,
            _ => Compare::GreaterEqual,
        };
        let (a, b) = (need(call, Label::A)?, need(call, Label::B)?);
        if a.as_call().is_some_and(|c| c.ludeme.kind() == Kind::Region) {
            let same = Bool::SameRegion(Box::new((self.region(a)?, self.region(b)?)));
            return Ok(match compare {
                Compare::Equal => same,
                _ => Bool::Not(Box::new(same)),
            });
        }
        let (a, b) = (self.int(a)?, self.int(b)?);
        Ok(match (a.constant(), b.constant()) {
            (Some(a), Some(b)) => Bool::Const(compare.holds(a, b)),
            _ => Bool::Compare(compare, Box::new((a, b))),
        })
    }

    fn target(&mut self, call: &'c Call) -> Lowered<Bool> {
        if let Some(container) = call.arg(Label::Container) {
            return Err(unsupported_use(container, "`is Target` of a container"));
        }
        let stacking = self.occupancy() == Occupancy::Stacking;
        let mut components = Vec::new();
        for item in call.items(Label::Pieces) {
            let number = self.int(item)?;
            let number = number.constant();
            components.push(number.ok_or_else(|| unsupported_use(item, "a computed piece here"))?);
        }
        let sites: Vec<u16> = match call.arg(Label::Sites) {
            None if stacking => {
                let components = components.into();
                return Ok(Bool::IsTargetStack { sites: None, components });
            }
            None => {
                // The reference takes as many numbers as there are cells, whatever elements are
                // played on.
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
        default_type(&self.world, call)?;
        let direction = absolute(call, Label::Direction);
        let sites = self.world.topology.sites();
        let axes = self.tables.axes(&self.world.topology, sites, direction);
        let through = match (call.arg(Label::Through), call.arg(Label::ThroughAny)) {
            (Some(site), _) => Some(Place::Site(self.int(site)?)),
            (_, Some(region)) => Some(Place::Region(self.region(region)?)),
            _ => None,
        };
        let what = if let Some(who) = call.arg(Label::Who) {
            Some(LinePieces::Owner(self.who(who)?))
        } else if let Some(what) = call.arg(Label::What) {
            Some(LinePieces::Components(Box::new([self.int(what)?])))
        } else if call.has(Label::Whats) {
            let list = call.items(Label::Whats).iter().map(|a| self.int(a));
            Some(LinePieces::Components(list.collect::<Lowered<_>>()?))
        } else {
            None
        };
        if self.occupancy() == Occupancy::Stacking {
            return Ok(Bool::IsStackLine(Box::new(StackLine {
                axes,
                length: self.int_at(call, Label::Length)?,
                // A region is ignored: the line passes through the last site moved to.
                through: match through {
                    Some(Place::Site(site)) => site,
                    _ => Int::LastTo,
                },
                what,
                exact: fixed_flag(call, Label::Exact, false)?,
                condition: self.bool_opt(call, Label::If)?,
                by_level: self.bool_or(call, Label::ByLevel, false)?,
                top: self.bool_or(call, Label::Top, false)?,
            })));
        }
        if let Some(line) = self.line_of_values(call, axes, through.as_ref(), what.as_ref())? {
            return Ok(line);
        }
        let line = Line {
            axes,
            length: self.int_at(call, Label::Length)?,
            through,
            what,
            exact: fixed_flag(call, Label::Exact, false)?,
            contiguous: fixed_flag(call, Label::Contiguous, true)?,
            condition: self.bool_opt(call, Label::If)?,
        };
        Ok(Bool::IsLine(Box::new(line)))
    }

    fn connected(&mut self, call: &'c Call) -> Lowered<Bool> {
        Ok(Bool::IsConnected(Box::new(self.connection(call)?)))
    }

    fn connection(&mut self, call: &'c Call) -> Lowered<Connection> {
        default_type(&self.world, call)?;
        let jumps = self.neighbours(call.arg(Label::Directions))?;
        let count = self.int_opt(call, Label::Count)?;
        let at = self.int_opt(call, Label::At)?;
        let arg = need(call, Label::Regions)?;
        let regions = match &arg.value {
            Value::Array(items) => {
                let list = items.iter().map(|i| self.region(i)).collect::<Lowered<Vec<_>>>()?;
                ConnectRegions::List(list.into())
            }
            Value::Constant(constant) if role_named(constant.word()).is_some() => {
                let role = role(arg)?;
                let player = role_int(&self.world, role);
                ConnectRegions::Of(player, self.parts_by_owner())
            }
            Value::Constant(constant) => {
                let Some(family) = self.family(constant.word()) else {
                    return Err(unsupported_use(arg, "this family of regions"));
                };
                let sets = family.into_iter().map(|sites| self.tables.set(sites));
                ConnectRegions::List(sets.map(Region::Static).collect())
            }
            _ => return Err(unsupported_use(arg, "a family of regions")),
        };
        Ok(Connection { jumps, count, at, regions })
    }

    /// `(is Blocked ..)`: the player is the owner of the regions, or the mover.
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
        default_type(&self.world, call)?;
        let component = self.int_opt(call, Label::Piece)?;
        let place = match (call.arg(Label::At), call.arg(Label::In)) {
            (Some(site), _) => Some(Place::Site(self.int(site)?)),
            (_, Some(region)) => Some(Place::Region(self.region(region)?)),
            _ => None,
        };
        let sought = self.needs.sought.len();
        let moves = call.arg(Label::Moves).map(|a| self.asked_moves(a)).transpose()?;
        // The piece is put on the board for the test, which makes it a second one.
        let grouped = self.needs.sought.len() > sought;
        self.rules.features.add(Feature::Grouped, grouped);
        // The reference puts the piece on an element of another type. Where only one type holds
        // pieces the type is ignored; else, and in stacks, nobody sees the piece.
        let occupancy = self.occupancy();
        let cell = self.world.site_type() == crate::board::SiteType::Cell;
        let hands = self.world.containers.len() > 1;
        let placed = occupancy != Occupancy::Stacking && (cell || !hands);
        Ok(Bool::IsThreatened(Box::new(Threat { component, place, moves, placed })))
    }

    /// The list of the players that a slot of roles or numbers names.
    pub(super) fn players_of(&mut self, arg: &'c Arg) -> Lowered<Ints> {
        if arg.as_constant().is_some() {
            let role = role(arg)?;
            return Ok(match role {
                Role::All | Role::Enemy | Role::NonMover | Role::Ally | Role::Friend => {
                    Ints::Players(role, None)
                }
                // These roles name nobody here.
                Role::Each | Role::Shared => Ints::List(Box::new([])),
                _ => Ints::List(Box::new([role_int(&self.world, role)])),
            });
        }
        if arg.as_call().is_some_and(|c| c.ludeme.kind() == Kind::Ints) {
            return self.ints(arg);
        }
        Ok(Ints::List(Box::new([self.who(arg)?])))
    }

    /// The sites of a region that must not depend on the state.
    pub(super) fn static_region(&mut self, arg: &'c Arg) -> Lowered<Vec<u16>> {
        let region = self.region(arg)?;
        self.region_before(&region, None).ok_or_else(|| {
            unsupported_use(arg, "a region here that is not fixed by the board alone")
        })
    }
}
