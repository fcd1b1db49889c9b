//! Generators that make moves themselves, and the parts that they have in common.

use crate::front::{Arg, Call, Label, Name, Word};
use crate::ir::{
    Apply, Bool, ByPiece, Custodial, Int, Ints, Iter, JumpId, Layer, LeafKind, Moves, Piece, Place,
    Region, Role, Slide,
};

use super::directions::absolute;
use super::elements::place_of;
use super::places::{
    component_named, components_by_owner, default_type, fixed_flag, known_type, need, need_call,
};
use super::{Lower, Lowered, unsupported, unsupported_use};

/// The parts of a `(to ..)`.
pub(super) struct ToClause {
    pub(super) place: Option<Place>,
    pub(super) condition: Option<Bool>,
    pub(super) apply: Option<Apply>,
    level: Option<Int>,
}

/// The parts of a `(from ..)`.
pub(super) struct FromClause {
    pub(super) place: Option<Place>,
    pub(super) condition: Option<Bool>,
    level: Option<Int>,
}

/// A `(from ..)` that means one site.
struct OriginSite {
    site: Int,
    /// Condition on the site.
    condition: Option<Bool>,
    /// The level that moves from the site.
    level: Option<Int>,
}

impl<'c> Lower<'c> {
    /// Lowers a generator that makes moves itself; `None` if it never makes any.
    pub(super) fn leaf_kind(&mut self, call: &'c Call) -> Lowered<Option<LeafKind>> {
        use crate::ir::Layer;
        use Name::*;
        let name = call.name().as_effect();
        Ok(Some(match name {
            Add => self.add(call)?,
            // A claim adds one piece; it has neither a level nor effects on its destination.
            Claim => match self.add(call)? {
                add @ LeafKind::Add { apply: None, level: None, .. } => add,
                _ => return Err(unsupported(call)),
            },
            Step | Leap => return self.jump(call, name == Step),
            Slide => return self.slide(call),
            Move | FromTo => self.from_to(call)?,
            Shoot => self.shoot(call)?,
            Select => self.select(call)?,
            Remove => self.remove(call)?,
            Promote => self.promote(call)?,
            Pass => LeafKind::Pass,
            Note => LeafKind::Note(self.note(call)?),
            SetHidden => LeafKind::Hide(Box::new(self.hide(call)?)),
            SwapPieces => LeafKind::SwapPieces {
                a: self.int_or(call, Label::A, Int::LastFrom)?,
                b: self.int_or(call, Label::B, Int::LastTo)?,
            },
            MoveAgain => LeafKind::MoveAgain,
            SetNextPlayer => {
                LeafKind::SetNextPlayer(Box::new(self.players_of(need(call, Label::Who)?)?))
            }
            SetVar => {
                let var = self.rules.names.var(call.text(Label::Name));
                LeafKind::SetVar { var, value: self.int_or(call, Label::Value, Int::Const(-1))? }
            }
            SetPot => LeafKind::SetVar { var: self.pot(), value: self.int_at(call, Label::Value)? },
            SetCounter => LeafKind::SetCounter(self.int_or(call, Label::Value, Int::Const(-1))?),
            SetScore | AddScore => {
                let who = need(call, Label::Who)?;
                let players = Box::new(self.players_of(who)?);
                if *players == Ints::List(Box::default()) {
                    return Ok(None);
                }
                let value = self.int_at(call, Label::Value)?;
                LeafKind::SetScore { players, value, added: name == AddScore }
            }
            SetValue => match call.find(Label::Who) {
                Some(who) => {
                    let player = self.who(who)?;
                    LeafKind::SetPlayerValue { player, value: self.int_at(call, Label::Value)? }
                }
                None => self.set_layer(call, Layer::Value)?,
            },
            SetState => self.set_layer(call, Layer::State)?,
            SetRotation => self.turn(call)?,
            SetCount => {
                known_type(&self.world, call)?;
                let at = self.site_at(call, Label::At)?;
                LeafKind::SetCount { at, value: self.int_at(call, Label::Value)? }
            }
            SetPending => {
                let value = call.arg(Label::Value).map(|a| self.place(a)).transpose()?;
                value.iter().for_each(|value| self.make_room(value));
                LeafKind::SetPending(value.map(Box::new))
            }
            Trigger => LeafKind::Trigger(self.who(need(call, Label::Who)?)?),
            RememberValue => {
                let list = self.rules.names.list(call.text(Label::List));
                let values = Box::new(self.place(need(call, Label::Value)?)?);
                let unique = self.bool_or(call, Label::Unique, false)?;
                LeafKind::Remember { list, values, unique }
            }
            ForgetValue => {
                let list = self.rules.names.list(call.text(Label::List));
                let arg = need(call, Label::Value)?;
                let value = match arg.as_constant() {
                    Some(Word::All) => None,
                    _ => Some(self.int(arg)?),
                };
                LeafKind::Forget { list, value }
            }
            _ => return Err(unsupported(call)),
        }))
    }

    fn set_layer(&mut self, call: &'c Call, layer: Layer) -> Lowered<LeafKind> {
        known_type(&self.world, call)?;
        let level = self.optional_level(call)?;
        let at = self.site_at(call, Label::At)?;
        Ok(LeafKind::SetLayer { layer, at, level, value: self.int_at(call, Label::Value)? })
    }

    /// The level in a slot.
    fn optional_level(&mut self, call: &'c Call) -> Lowered<Option<Int>> {
        let Some(arg) = call.find(Label::Level) else { return Ok(None) };
        Ok(Some(self.int(arg)?))
    }

    /// Lowers a `(to ..)`.
    pub(super) fn to(&mut self, call: Option<&'c Call>) -> Lowered<ToClause> {
        let Some(call) = call else {
            return Ok(ToClause { place: None, condition: None, apply: None, level: None });
        };
        if let Some(arg) = call.arg(Label::Rotations) {
            return Err(unsupported_use(arg, "`rotations` of this destination"));
        }
        self.destination(call)
    }

    /// Lowers a `(to ..)` without regard to its rotations.
    fn destination(&mut self, call: &'c Call) -> Lowered<ToClause> {
        known_type(&self.world, call)?;
        Ok(ToClause {
            level: self.optional_level(call)?,
            place: self.place_at(call)?,
            condition: self.bool_opt(call, Label::If)?,
            apply: call.call(Label::Apply).map(|a| self.apply(a)).transpose()?,
        })
    }

    /// The place of an origin or a destination.
    fn place_at(&mut self, call: &'c Call) -> Lowered<Option<Place>> {
        let place = call.arg(Label::Site).map(|a| self.place(a)).transpose()?;
        Ok(place.map(|place| place_of(&self.world, call, place)))
    }

    /// Lowers a `(from ..)`.
    pub(super) fn from(&mut self, call: Option<&'c Call>) -> Lowered<FromClause> {
        let Some(call) = call else {
            return Ok(FromClause { place: None, condition: None, level: None });
        };
        known_type(&self.world, call)?;
        Ok(FromClause {
            level: self.optional_level(call)?,
            place: self.place_at(call)?,
            condition: self.bool_opt(call, Label::If)?,
        })
    }

    /// A `(from ..)` that means one site; `None` for a region, from which there are no moves.
    pub(super) fn origin(
        &mut self,
        call: Option<&'c Call>,
        default: Int,
    ) -> Lowered<Option<(Int, Option<Bool>)>> {
        let origin = self.origin_level(call, default)?;
        Ok(origin.map(|origin| (origin.site, origin.condition)))
    }

    /// As [`Lower::origin`], with the level.
    fn origin_level(
        &mut self,
        call: Option<&'c Call>,
        default: Int,
    ) -> Lowered<Option<OriginSite>> {
        let from = self.from(call)?;
        let site = match from.place {
            None => default,
            Some(Place::Site(site)) => site,
            Some(Place::Region(_)) => return Ok(None),
        };
        Ok(Some(OriginSite { site, condition: from.condition, level: from.level }))
    }

    pub(super) fn apply(&mut self, call: &'c Call) -> Lowered<Apply> {
        Ok(Apply {
            condition: self.bool_opt(call, Label::If)?,
            effect: call.arg(Label::Effect).map(|a| self.moves(a)).transpose()?,
        })
    }

    /// The components that a `(piece ..)` names, and the state that it gives them.
    pub(super) fn piece(&mut self, call: &'c Call) -> Lowered<(Vec<Piece>, Option<Int>)> {
        let which = need(call, Label::Which)?;
        let mut pieces = Vec::new();
        for item in which.items() {
            pieces.push(match item.as_text() {
                Some(_) => Piece::Fixed(component_named(&self.world, item)?),
                None => Piece::Computed(self.int(item)?),
            });
        }
        Ok((pieces, self.int_opt(call, Label::State)?))
    }

    pub(super) fn add(&mut self, call: &'c Call) -> Lowered<LeafKind> {
        let (pieces, state) = match call.call(Label::Piece) {
            Some(piece) => self.piece(piece)?,
            // The component with the number of the player.
            None => (vec![Piece::Computed(Int::Mover)], None),
        };
        let to = self.to(call.call(Label::To))?;
        let place = to.place.unwrap_or(Place::Site(Int::Iter(Iter::To)));
        let place = self.of_type(call.call(Label::To), place);
        let count = match call.find(Label::Count) {
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
        let to = self.to(call.call(Label::To))?;
        let Some(origin) = self.origin_level(call.call(Label::From), Int::Iter(Iter::From))? else {
            return Ok(None);
        };
        let OriginSite { site: from, condition: from_condition, level } = origin;
        let jumps = if step { self.jumps(call.arg(Label::Directions))? } else { self.walks(call)? };
        let stack = step && fixed_flag(call, Label::Stack, false)?;
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
        use crate::board::{Direction, Topology};
        let walks: Vec<Vec<char>> = call
            .items(Label::Walk)
            .iter()
            .map(|walk| {
                let turns = walk.items().iter().filter_map(Arg::as_constant);
                turns.filter_map(|turn| turn.as_str().chars().next()).collect()
            })
            .collect();
        let rotations = fixed_flag(call, Label::Rotations, true)?;
        let forward = fixed_flag(call, Label::Forward, false)?;
        let topology = &self.world.topology;
        let supported: Vec<Direction> = topology.supported(Direction::Orthogonal).to_vec();
        let starts = if rotations { supported.len() } else { supported.len().min(1) };
        let mut targets: Vec<Vec<u16>> = vec![Vec::new(); self.world.sites()];
        for (site, targets) in targets.iter_mut().enumerate().take(topology.sites()) {
            for start in 0..starts {
                for walk in &walks {
                    let mut reached = Some(site as u16);
                    let mut facing = start;
                    for turn in walk {
                        match turn {
                            'R' => facing = Topology::turned(&supported, facing, 1),
                            'L' => facing = Topology::turned(&supported, facing, -1),
                            _ => {
                                reached = reached.and_then(|s| {
                                    topology.steps(usize::from(s), supported[facing]).last()
                                });
                            }
                        }
                    }
                    targets.extend(reached);
                }
            }
            targets.sort_unstable();
            targets.dedup();
        }
        if !forward {
            return Ok(ByPiece::Same(self.tables.jump(targets)));
        }
        let ahead_of = |lower: &mut Self, component: usize| {
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
        Ok(match self.scope.component {
            Some(component) => ByPiece::Same(ahead_of(self, usize::from(component))),
            None => {
                let components = 0..self.world.components.len();
                ByPiece::Each(components.map(|c| ahead_of(self, c)).collect())
            }
        })
    }

    fn slide(&mut self, call: &'c Call) -> Lowered<Option<LeafKind>> {
        if let Some(track) = call.arg(Label::Track) {
            return Err(unsupported_use(track, "a slide along a track"));
        }
        let stack = fixed_flag(call, Label::Stack, false)?;
        let to = self.to(call.call(Label::To))?;
        let between = call.call(Label::Between);
        for label in [Label::Before, Label::After] {
            if let Some(arg) = between.and_then(|b| b.arg(label)) {
                return Err(unsupported_use(arg, &format!("`{label}:` of a slide")));
            }
        }
        let Some(origin) = self.origin_level(call.call(Label::From), Int::Iter(Iter::From))? else {
            return Ok(None);
        };
        let OriginSite { site: from, condition: from_condition, level } = origin;
        let trail = match between.and_then(|b| b.arg(Label::Trail)) {
            Some(arg) => Some(self.int(arg)?),
            None => None,
        };
        let range =
            between.and_then(|b| b.call(Label::Range)).map(|r| self.range(r)).transpose()?;
        let go = between.map(|b| self.bool_opt(b, Label::If)).transpose()?.flatten();
        let passed =
            between.and_then(|b| b.call(Label::Apply)).map(|a| self.apply(a)).transpose()?;
        Ok(Some(LeafKind::Slide(Box::new(Slide {
            rays: self.rays(call.arg(Label::Directions))?,
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
            Name::Range => {
                let min = self.int_at(call, Label::Min)?;
                let max = self.int_or(call, Label::Max, min.clone())?;
                (min, max)
            }
            Name::Exact => {
                let value = self.int_at(call, Label::Value)?;
                (value.clone(), value)
            }
            Name::Min => (self.int_at(call, Label::Value)?, Int::Const(INFINITY)),
            Name::Max => (Int::Const(-1), self.int_at(call, Label::Value)?),
            _ => return Err(unsupported(call)),
        })
    }

    pub(super) fn from_to(&mut self, call: &'c Call) -> Lowered<LeafKind> {
        let copy = fixed_flag(call, Label::Copy, false)?;
        let from = self.from(call.call(Label::From))?;
        let to = match call.call(Label::To) {
            Some(to) if to.has(Label::Rotations) => {
                ToClause { apply: None, ..self.destination(to)? }
            }
            to => self.to(to)?,
        };
        Ok(LeafKind::FromTo {
            from: Box::new(from.place.unwrap_or(Place::Site(Int::Iter(Iter::From)))),
            from_condition: from.condition,
            to: Box::new(to.place.unwrap_or(Place::Site(Int::Iter(Iter::To)))),
            condition: to.condition,
            count: self.int_opt(call, Label::Count)?,
            stack: fixed_flag(call, Label::Stack, false)?,
            apply: to.apply,
            from_level: from.level,
            to_level: to.level,
            copy,
        })
    }

    fn shoot(&mut self, call: &'c Call) -> Lowered<LeafKind> {
        let (pieces, state) = self.piece(need_call(call, Label::Piece)?)?;
        let (Some(piece), None) = (pieces.into_iter().next(), state) else {
            return Err(unsupported(call));
        };
        let Some((from, None)) = self.origin(call.call(Label::From), Int::LastTo)? else {
            return Err(unsupported(call));
        };
        let to = self.to(call.call(Label::To))?;
        if to.apply.is_some() || to.place.is_some() {
            return Err(unsupported(call));
        }
        let direction = absolute(call, Label::Direction);
        Ok(LeafKind::Shoot { piece, from, rays: self.rays_in(direction), condition: to.condition })
    }

    fn select(&mut self, call: &'c Call) -> Lowered<LeafKind> {
        let from = self.from(call.call(Label::From))?;
        let to = self.to(call.call(Label::To))?;
        let two = call.has(Label::To);
        Ok(LeafKind::Select {
            from: Box::new(from.place.unwrap_or(Place::Site(Int::Iter(Iter::From)))),
            from_condition: from.condition,
            to: two.then(|| Box::new(to.place.unwrap_or(Place::Site(Int::Iter(Iter::To))))),
            condition: to.condition,
            level: from.level,
        })
    }

    fn remove(&mut self, call: &'c Call) -> Lowered<LeafKind> {
        known_type(&self.world, call)?;
        let deferred = call.constant(Label::At) == Some(Word::EndOfTurn);
        let count = match call.arg(Label::Count) {
            Some(arg) if arg.as_int() != Some(1) => Some(self.int(arg)?),
            _ => None,
        };
        let place = self.place(need(call, Label::Site)?)?;
        let mut place = place_of(&self.world, call, place);
        if self.meta.pinned && call.name() == Name::MoveRemove {
            place = self.unpinned(place);
        }
        let place = Box::new(place);
        let level = self.int_opt(call, Label::Level)?;
        Ok(LeafKind::Remove { place, level, count, deferred })
    }

    fn promote(&mut self, call: &'c Call) -> Lowered<LeafKind> {
        default_type(&self.world, call)?;
        let site = self.int_or(call, Label::Site, Int::Iter(Iter::To))?;
        let piece = need_call(call, Label::Piece)?;
        let Some(owner) = call.arg(Label::Owner) else {
            let (pieces, _) = self.piece(piece)?;
            return Ok(LeafKind::Promote { site, pieces: pieces.into() });
        };
        let mut pieces = Vec::new();
        let which = need(piece, Label::Which)?;
        for item in which.items() {
            let Some(name) = item.as_text() else {
                pieces.push(Piece::Computed(self.int(item)?));
                continue;
            };
            let components = components_by_owner(&self.world, name);
            let components: Box<[i32]> =
                components.iter().map(|&c| if c == 0 { -1 } else { i32::from(c) }).collect();
            let owner = self.who(owner)?;
            pieces.push(Piece::Computed(Int::IdOf { components, owner: Box::new(owner) }));
        }
        Ok(LeafKind::Promote { site, pieces: pieces.into() })
    }

    pub(super) fn custodial(&mut self, call: &'c Call) -> Lowered<Custodial> {
        let Some((from, None)) = self.origin(call.call(Label::From), Int::LastTo)? else {
            return Err(unsupported(call));
        };
        let between = call.call(Label::Between);
        let range = match between.and_then(|b| b.call(Label::Range)) {
            Some(range) => self.range(range)?,
            None => (Int::Const(0), Int::Const(1000)),
        };
        let target = between.map(|b| self.bool_opt(b, Label::If)).transpose()?.flatten();
        let friend = self.to(call.call(Label::To))?.condition;
        let (Some(target), Some(friend)) = (target, friend) else {
            // Without a condition the reference takes site numbers for players.
            return Err(super::Problem::Unsupported(call.place.error(
                "unsupported-ludeme",
                "`custodial` without conditions on what is captured and on the other end",
            )));
        };
        let effect = match between.and_then(|b| b.call(Label::Apply)) {
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
        let direction = absolute(call, Label::Direction);
        Ok(Custodial { rays: self.rays_in(direction), from, range, target, effect, friend })
    }

    /// The region `(sites Board)`.
    pub(super) fn board_region(&mut self) -> Region {
        let board = self.world.board();
        Region::Static(self.tables.set(board))
    }

    /// True if a role iterates over all players but the mover in an end rule.
    pub(super) fn skips_mover(role: Role) -> bool {
        role == Role::NonMover
    }
}
