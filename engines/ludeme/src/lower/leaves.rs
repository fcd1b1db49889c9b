//! Generators that make moves themselves, and the parts that they have in common.

use crate::front::{Arg, Call};
use crate::ir::{
    Apply, Bool, ByPiece, Custodial, Int, Iter, JumpId, Layer, LeafKind, Moves, Piece, Place,
    Region, Role, Slide,
};

use super::directions::absolute;
use super::places::{fixed_flag, need, need_call};
use super::{Lower, Lowered, unsupported, unsupported_use};

/// What a `(to ..)` says.
pub(super) struct To {
    pub(super) place: Option<Place>,
    pub(super) condition: Option<Bool>,
    pub(super) apply: Option<Apply>,
    level: Option<Int>,
}

/// What a `(from ..)` says.
pub(super) struct From {
    pub(super) place: Option<Place>,
    pub(super) condition: Option<Bool>,
    level: Option<Int>,
}

/// A `(from ..)` that means one site.
struct Origin {
    site: Int,
    /// What holds of it.
    condition: Option<Bool>,
    /// The level that moves there.
    level: Option<Int>,
}

impl<'c> Lower<'c> {
    /// Generators that make moves themselves; `None` where they never make any.
    pub(super) fn leaf_kind(&mut self, call: &'c Call) -> Lowered<Option<LeafKind>> {
        let name = call.name();
        let name = name.strip_prefix("move ").map_or_else(
            || name.to_owned(),
            |rest| {
                let mut chars = rest.chars();
                chars.next().map_or(String::new(), |c| c.to_ascii_lowercase().to_string())
                    + chars.as_str()
            },
        );
        Ok(Some(match name.as_str() {
            "add" => self.add(call)?,
            // A claim adds one piece; it has neither a level nor effects on its destination.
            "claim" => match self.add(call)? {
                add @ LeafKind::Add { apply: None, level: None, .. } => add,
                _ => return Err(unsupported(call)),
            },
            "step" | "leap" => return self.jump(call, name == "step"),
            "slide" => return self.slide(call),
            "move" | "fromTo" => self.from_to(call)?,
            "shoot" => self.shoot(call)?,
            "select" => self.select(call)?,
            "remove" => self.remove(call)?,
            "promote" => self.promote(call)?,
            "pass" => LeafKind::Pass,
            "note" => LeafKind::Note(self.note(call)?),
            "set Hidden" => LeafKind::Hide(Box::new(self.hide(call)?)),
            "swap Pieces" => LeafKind::SwapPieces {
                a: self.int_or(call, "a", Int::LastFrom)?,
                b: self.int_or(call, "b", Int::LastTo)?,
            },
            "moveAgain" => LeafKind::MoveAgain,
            "set NextPlayer" => {
                LeafKind::SetNextPlayer(Box::new(self.players_of(need(call, "who")?)?))
            }
            "set Var" => {
                let var = self.var(call.text("name"));
                LeafKind::SetVar { var, value: self.int_or(call, "value", Int::Const(-1))? }
            }
            "set Pot" => LeafKind::SetVar { var: self.pot(), value: self.int_at(call, "value")? },
            "set Counter" => LeafKind::SetCounter(self.int_or(call, "value", Int::Const(-1))?),
            "set Score" | "addScore" => {
                let who = need(call, "who")?;
                let players = Box::new(self.players_of(who)?);
                let value = self.int_at(call, "value")?;
                LeafKind::SetScore { players, value, added: name == "addScore" }
            }
            "set Value" => match call.args.iter().find(|a| a.label == "who") {
                Some(who) => {
                    let player = self.who(who)?;
                    LeafKind::SetPlayerValue { player, value: self.int_at(call, "value")? }
                }
                None => self.set_layer(call, Layer::Value)?,
            },
            "set State" => self.set_layer(call, Layer::State)?,
            "set Rotation" => self.turn(call)?,
            "set Count" => {
                self.known_type(call)?;
                let at = self.site_at(call, "at")?;
                LeafKind::SetCount { at, value: self.int_at(call, "value")? }
            }
            "set Pending" => {
                let value = call.arg("value").map(|a| self.place(a)).transpose()?;
                LeafKind::SetPending(value.map(Box::new))
            }
            "trigger" => LeafKind::Trigger(self.who(need(call, "who")?)?),
            "remember Value" => {
                let list = self.list(call.text("list"));
                let values = Box::new(self.place(need(call, "value")?)?);
                let unique = self.bool_or(call, "unique", false)?;
                LeafKind::Remember { list, values, unique }
            }
            "forget Value" => {
                let list = self.list(call.text("list"));
                let arg = need(call, "value")?;
                let value = match arg.as_constant() {
                    Some("All") => None,
                    _ => Some(self.int(arg)?),
                };
                LeafKind::Forget { list, value }
            }
            _ => return Err(unsupported(call)),
        }))
    }

    fn set_layer(&mut self, call: &'c Call, layer: Layer) -> Lowered<LeafKind> {
        self.known_type(call)?;
        let level = self.optional_level(call)?;
        let at = self.site_at(call, "at")?;
        Ok(LeafKind::SetLayer { layer, at, level, value: self.int_at(call, "value")? })
    }

    /// The level in a slot.
    fn optional_level(&mut self, call: &'c Call) -> Lowered<Option<Int>> {
        let Some(arg) = call.args.iter().find(|a| a.label == "level") else { return Ok(None) };
        Ok(Some(self.int(arg)?))
    }

    /// A destination.
    pub(super) fn to(&mut self, call: Option<&'c Call>) -> Lowered<To> {
        let Some(call) = call else {
            return Ok(To { place: None, condition: None, apply: None, level: None });
        };
        if let Some(arg) = call.arg("rotations") {
            return Err(unsupported_use(arg, "`rotations` of this destination"));
        }
        self.destination(call)
    }

    /// A destination, whatever it says of rotations.
    fn destination(&mut self, call: &'c Call) -> Lowered<To> {
        self.known_type(call)?;
        Ok(To {
            level: self.optional_level(call)?,
            place: self.place_at(call)?,
            condition: self.bool_opt(call, "if")?,
            apply: call.call("apply").map(|a| self.apply(a)).transpose()?,
        })
    }

    /// The place of an origin or a destination.
    fn place_at(&mut self, call: &'c Call) -> Lowered<Option<Place>> {
        let place = call.arg("site").map(|a| self.place(a)).transpose()?;
        Ok(place.map(|place| self.place_of(call, place)))
    }

    /// An origin.
    pub(super) fn from(&mut self, call: Option<&'c Call>) -> Lowered<From> {
        let Some(call) = call else {
            return Ok(From { place: None, condition: None, level: None });
        };
        self.known_type(call)?;
        Ok(From {
            level: self.optional_level(call)?,
            place: self.place_at(call)?,
            condition: self.bool_opt(call, "if")?,
        })
    }

    /// A `(from ..)` that means one site; `None` for a region, which then gives no moves.
    pub(super) fn origin(
        &mut self,
        call: Option<&'c Call>,
        default: Int,
    ) -> Lowered<Option<(Int, Option<Bool>)>> {
        let origin = self.origin_level(call, default)?;
        Ok(origin.map(|origin| (origin.site, origin.condition)))
    }

    /// As [`Lower::origin`], with the level.
    fn origin_level(&mut self, call: Option<&'c Call>, default: Int) -> Lowered<Option<Origin>> {
        let from = self.from(call)?;
        let site = match from.place {
            None => default,
            Some(Place::Site(site)) => site,
            Some(Place::Region(_)) => return Ok(None),
        };
        Ok(Some(Origin { site, condition: from.condition, level: from.level }))
    }

    pub(super) fn apply(&mut self, call: &'c Call) -> Lowered<Apply> {
        Ok(Apply {
            condition: self.bool_opt(call, "if")?,
            effect: call.arg("effect").map(|a| self.moves(a)).transpose()?,
        })
    }

    /// The components that a `(piece ..)` names, and the state that it gives them.
    pub(super) fn piece(&mut self, call: &'c Call) -> Lowered<(Vec<Piece>, Option<Int>)> {
        let which = need(call, "which")?;
        let mut pieces = Vec::new();
        for item in which.items() {
            pieces.push(match item.as_text() {
                Some(_) => Piece::Fixed(self.component_named(item)?),
                None => Piece::Computed(self.int(item)?),
            });
        }
        Ok((pieces, call.arg("state").map(|a| self.int(a)).transpose()?))
    }

    fn add(&mut self, call: &'c Call) -> Lowered<LeafKind> {
        let (pieces, state) = match call.call("piece") {
            Some(piece) => self.piece(piece)?,
            // The component with the number of the player.
            None => (vec![Piece::Computed(Int::Mover)], None),
        };
        let to = self.to(call.call("to"))?;
        let place = to.place.unwrap_or(Place::Site(Int::Iter(Iter::To)));
        let place = self.of_type(call.call("to"), place);
        let count = match call.args.iter().find(|a| a.label == "count") {
            Some(arg) => self.int(arg)?,
            None => Int::Const(1),
        };
        Ok(LeafKind::Add {
            pieces: pieces.into(),
            state,
            to: Box::new(place),
            condition: to.condition,
            count,
            apply: to.apply,
            level: to.level,
        })
    }

    fn jump(&mut self, call: &'c Call, step: bool) -> Lowered<Option<LeafKind>> {
        let to = self.to(call.call("to"))?;
        let Some(origin) = self.origin_level(call.call("from"), Int::Iter(Iter::From))? else {
            return Ok(None);
        };
        let Origin { site: from, condition: from_condition, level } = origin;
        let jumps = if step { self.jumps(call.arg("directions"))? } else { self.walks(call)? };
        let stack = step && fixed_flag(call, "stack", false)?;
        Ok(Some(LeafKind::Jump {
            jumps,
            from,
            from_condition,
            condition: to.condition,
            apply: to.apply,
            keep: step,
            stack,
            level,
        }))
    }

    /// The ends of walks from every site.
    fn walks(&mut self, call: &'c Call) -> Lowered<ByPiece<JumpId>> {
        use crate::board::Direction;
        let walks: Vec<Vec<char>> = call
            .items("walk")
            .iter()
            .map(|walk| {
                let turns = walk.items().iter().filter_map(Arg::as_constant);
                turns.filter_map(|t| t.chars().next()).collect()
            })
            .collect();
        let rotations = fixed_flag(call, "rotations", true)?;
        let forward = fixed_flag(call, "forward", false)?;
        let topology = &self.world.topology;
        let supported: Vec<Direction> = topology.supported(Direction::Orthogonal).to_vec();
        let turned = |d: usize, by: usize| (d + by) % supported.len().max(1);
        let starts = if rotations { supported.len() } else { supported.len().min(1) };
        let mut targets: Vec<Vec<u16>> = vec![Vec::new(); self.world.sites()];
        for (site, targets) in targets.iter_mut().enumerate().take(topology.sites()) {
            for start in 0..starts {
                for walk in &walks {
                    let mut at = Some(site as u16);
                    let mut facing = start;
                    for turn in walk {
                        match turn {
                            'R' => facing = turned(facing, 1),
                            'L' => facing = turned(facing, supported.len() - 1),
                            _ => {
                                at = at.and_then(|s| {
                                    topology.steps(usize::from(s), supported[facing]).last()
                                });
                            }
                        }
                    }
                    targets.extend(at);
                }
            }
            targets.sort_unstable();
            targets.dedup();
        }
        if !forward {
            return Ok(ByPiece::Same(self.tables.jump(targets)));
        }
        let of = |lower: &mut Self, component: usize| {
            let facing = lower.world.facing(component);
            let (topology, board) = (&lower.world.topology, lower.world.site_type());
            let ahead = |from: usize, to: usize| {
                let (rows, columns) = (
                    (topology.row(board, from), topology.row(board, to)),
                    (topology.column(board, from), topology.column(board, to)),
                );
                let (up, down) = (rows.1 > rows.0, rows.1 < rows.0);
                let (right, left) = (columns.1 > columns.0, columns.1 < columns.0);
                match facing {
                    Direction::N => up,
                    Direction::S => down,
                    Direction::E => right,
                    Direction::W => left,
                    Direction::NE => up && right,
                    Direction::NW => up && left,
                    Direction::SE => down && right,
                    Direction::SW => down && left,
                    _ => false,
                }
            };
            let targets = targets.iter().enumerate().map(|(from, list)| {
                list.iter().copied().filter(|&to| ahead(from, usize::from(to))).collect()
            });
            let targets = targets.collect();
            lower.tables.jump(targets)
        };
        Ok(match self.component {
            Some(component) => ByPiece::Same(of(self, usize::from(component))),
            None => {
                let components = 0..self.world.components.len();
                ByPiece::Each(components.map(|c| of(self, c)).collect())
            }
        })
    }

    fn slide(&mut self, call: &'c Call) -> Lowered<Option<LeafKind>> {
        if let Some(track) = call.arg("track") {
            return Err(unsupported_use(track, "a slide along a track"));
        }
        let stack = fixed_flag(call, "stack", false)?;
        let to = self.to(call.call("to"))?;
        let between = call.call("between");
        for label in ["before", "after"] {
            if let Some(arg) = between.and_then(|b| b.arg(label)) {
                return Err(unsupported_use(arg, &format!("`{label}:` of a slide")));
            }
        }
        let Some(origin) = self.origin_level(call.call("from"), Int::Iter(Iter::From))? else {
            return Ok(None);
        };
        let Origin { site: from, condition: from_condition, level } = origin;
        let trail = match between.and_then(|b| b.arg("trail")) {
            Some(arg) => Some(self.int(arg)?),
            None => None,
        };
        let range = between.and_then(|b| b.call("range")).map(|r| self.range(r)).transpose()?;
        let go = between.map(|b| self.bool_opt(b, "if")).transpose()?.flatten();
        let passed = between.and_then(|b| b.call("apply")).map(|a| self.apply(a)).transpose()?;
        Ok(Some(LeafKind::Slide(Box::new(Slide {
            rays: self.rays(call.arg("directions"))?,
            from,
            from_condition,
            range,
            go,
            stop: to.condition,
            apply: to.apply,
            passed,
            level,
            stack,
            trail,
        }))))
    }

    /// The bounds of a range.
    pub(super) fn range(&mut self, call: &'c Call) -> Lowered<(Int, Int)> {
        const INFINITY: i32 = 1_000_000_000;
        Ok(match call.name() {
            "range" => {
                let min = self.int_at(call, "min")?;
                let max = self.int_or(call, "max", min.clone())?;
                (min, max)
            }
            "exact" => {
                let value = self.int_at(call, "value")?;
                (value.clone(), value)
            }
            "min" => (self.int_at(call, "value")?, Int::Const(INFINITY)),
            "max" => (Int::Const(-1), self.int_at(call, "value")?),
            _ => return Err(unsupported(call)),
        })
    }

    pub(super) fn from_to(&mut self, call: &'c Call) -> Lowered<LeafKind> {
        let copy = fixed_flag(call, "copy", false)?;
        let from = self.from(call.call("from"))?;
        let to = match call.call("to") {
            Some(to) if to.has("rotations") => To { apply: None, ..self.destination(to)? },
            to => self.to(to)?,
        };
        Ok(LeafKind::FromTo {
            from: Box::new(from.place.unwrap_or(Place::Site(Int::Iter(Iter::From)))),
            from_condition: from.condition,
            to: Box::new(to.place.unwrap_or(Place::Site(Int::Iter(Iter::To)))),
            condition: to.condition,
            count: call.arg("count").map(|a| self.int(a)).transpose()?,
            stack: fixed_flag(call, "stack", false)?,
            apply: to.apply,
            from_level: from.level,
            to_level: to.level,
            copy,
        })
    }

    fn shoot(&mut self, call: &'c Call) -> Lowered<LeafKind> {
        let (pieces, state) = self.piece(need_call(call, "piece")?)?;
        let (Some(piece), None) = (pieces.into_iter().next(), state) else {
            return Err(unsupported(call));
        };
        let Some((from, None)) = self.origin(call.call("from"), Int::LastTo)? else {
            return Err(unsupported(call));
        };
        let to = self.to(call.call("to"))?;
        if to.apply.is_some() || to.place.is_some() {
            return Err(unsupported(call));
        }
        let direction = absolute(call, "direction");
        Ok(LeafKind::Shoot { piece, from, rays: self.rays_in(direction), condition: to.condition })
    }

    fn select(&mut self, call: &'c Call) -> Lowered<LeafKind> {
        let from = self.from(call.call("from"))?;
        let to = self.to(call.call("to"))?;
        let two = call.has("to");
        Ok(LeafKind::Select {
            from: Box::new(from.place.unwrap_or(Place::Site(Int::Iter(Iter::From)))),
            from_condition: from.condition,
            to: two.then(|| Box::new(to.place.unwrap_or(Place::Site(Int::Iter(Iter::To))))),
            condition: to.condition,
            level: from.level,
        })
    }

    fn remove(&mut self, call: &'c Call) -> Lowered<LeafKind> {
        self.known_type(call)?;
        let deferred = call.constant("at") == Some("EndOfTurn");
        let count = match call.arg("count") {
            Some(arg) if arg.as_int() != Some(1) => Some(self.int(arg)?),
            _ => None,
        };
        let place = self.place(need(call, "site")?)?;
        let mut place = self.place_of(call, place);
        if self.pinned && call.name() == "move Remove" {
            place = self.unpinned(place);
        }
        let place = Box::new(place);
        let level = call.arg("level").map(|a| self.int(a)).transpose()?;
        Ok(LeafKind::Remove { place, level, count, deferred })
    }

    fn promote(&mut self, call: &'c Call) -> Lowered<LeafKind> {
        self.default_type(call)?;
        let site = self.int_or(call, "site", Int::Iter(Iter::To))?;
        let piece = need_call(call, "piece")?;
        let Some(owner) = call.arg("owner") else {
            let (pieces, _) = self.piece(piece)?;
            return Ok(LeafKind::Promote { site, pieces: pieces.into() });
        };
        let mut pieces = Vec::new();
        let which = need(piece, "which")?;
        for item in which.items() {
            let Some(name) = item.as_text() else {
                pieces.push(Piece::Computed(self.int(item)?));
                continue;
            };
            let components = self.components_by_owner(name);
            let components: Box<[i32]> =
                components.iter().map(|&c| if c == 0 { -1 } else { i32::from(c) }).collect();
            let owner = self.who(owner)?;
            pieces.push(Piece::Computed(Int::IdOf { components, owner: Box::new(owner) }));
        }
        Ok(LeafKind::Promote { site, pieces: pieces.into() })
    }

    pub(super) fn custodial(&mut self, call: &'c Call) -> Lowered<Custodial> {
        let Some((from, None)) = self.origin(call.call("from"), Int::LastTo)? else {
            return Err(unsupported(call));
        };
        let between = call.call("between");
        let range = match between.and_then(|b| b.call("range")) {
            Some(range) => self.range(range)?,
            None => (Int::Const(0), Int::Const(1000)),
        };
        let target = between.map(|b| self.bool_opt(b, "if")).transpose()?.flatten();
        let friend = self.to(call.call("to"))?.condition;
        let (Some(target), Some(friend)) = (target, friend) else {
            // Without them the reference takes site numbers for players.
            return Err(super::Problem::Unsupported(call.place.error(
                "unsupported-ludeme",
                "`custodial` without conditions on what is captured and on the other end",
            )));
        };
        let effect = match between.and_then(|b| b.call("apply")) {
            None => {
                let place = Box::new(Place::Site(Int::Iter(Iter::Between)));
                let kind = LeafKind::Remove { place, level: None, count: None, deferred: false };
                self.leaf(kind)?
            }
            Some(apply) => {
                let apply = self.apply(apply)?;
                match (apply.condition, apply.effect) {
                    (Some(condition), Some(effect)) => {
                        Moves::If(Box::new((condition, effect, Moves::None)))
                    }
                    (_, effect) => effect.unwrap_or(Moves::None),
                }
            }
        };
        let direction = absolute(call, "direction");
        Ok(Custodial { rays: self.rays_in(direction), from, range, target, effect, friend })
    }

    /// The region `(sites Board)`.
    pub(super) fn board_region(&mut self) -> Region {
        let board = self.world.board();
        Region::Static(self.tables.set(board))
    }

    /// Whether a role iterates over all players but the mover in an end rule.
    pub(super) fn skips_mover(role: Role) -> bool {
        role == Role::NonMover
    }
}
