//! Generators of moves and effects.

use crate::front::{Arg, Call};
use crate::ir::{
    Apply, Bool, ByPiece, Compare, Composite, CompositeKind, Custodial, Int, Ints, Iter, JumpId,
    Layer, Leaf, LeafKind, Moves, Piece, PieceMoves, Place, Region, Role, Slide,
};
use crate::world::ContainerKind;

use super::places::{all, need, need_call};
use super::{Lower, Lowered, invalid, unsupported, unsupported_use};

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

impl<'c> Lower<'c> {
    /// A generator or an effect.
    pub(super) fn moves(&mut self, arg: &'c Arg) -> Lowered<Moves> {
        match arg.as_call() {
            Some(call) => self.moves_call(call),
            None => Err(invalid(arg, "not-moves", "a generator of moves is wanted here")),
        }
    }

    fn moves_call(&mut self, call: &'c Call) -> Lowered<Moves> {
        let mut moves = self.generator(call)?;
        // These ignore their consequences, and so must we.
        let deaf = matches!(
            call.name(),
            "trigger"
                | "note"
                | "set NextPlayer"
                | "move Set NextPlayer"
                | "set Pending"
                | "set Counter"
                | "set Pot"
                | "forEach Player"
                | "max Moves"
                | "max Captures"
                | "max Distance"
                | "avoidStoredState"
                | "firstMoveOnTrack"
                | "seq"
                | "surround"
                | "directional"
        );
        let label = if call.name() == "if" { "consequence" } else { "then" };
        let then = call
            .args
            .iter()
            .find(|a| a.label == label && a.as_call().is_some_and(|c| c.name() == "then"));
        if let Some(then) = then.and_then(Arg::as_call)
            && !deaf
        {
            let waits = self.simultaneous && self.fixed_flag(then, "applyAfterAllMoves", false)?;
            for part in in_order(need(then, "effect")?) {
                self.consequences += 1;
                let effect = self.moves(part);
                self.consequences -= 1;
                let effect = effect?;
                let effect = if waits { self.late_effect(effect) } else { self.effect(effect) };
                let patient = self.waits_for_its_turn(&moves);
                self.composite |= append(&mut moves, effect) && !patient;
            }
        }
        Ok(moves)
    }

    /// Whether a composite generator works as a consequence of moves that are a few numbers: then it is
    /// evaluated when its turn has come, like others.
    pub(super) fn waits_for_its_turn(&self, moves: &Moves) -> bool {
        let sows = match moves {
            Moves::Composite(composite) => {
                matches!(&composite.kind, CompositeKind::Sow(sow) if sow.apply.is_none())
            }
            _ => false,
        };
        sows && self.brief && self.consequences > 0
    }

    /// A generator or an effect without its consequences.
    fn generator(&mut self, call: &'c Call) -> Lowered<Moves> {
        let join = |condition: Bool, a: Moves, b: Moves| Moves::If(Box::new((condition, a, b)));
        let none = |_: &mut Self| Ok(Moves::None);
        if let Some(moves) = self.by_direction(call, Self::generator, join, none)? {
            return Ok(moves);
        }
        let moves = match self.combined(call)? {
            Some(moves) if call.name() == "move Bet" => moves,
            Some(moves) => return Ok(moves),
            None => match self.leaf_kind(call)? {
                Some(kind) => {
                    let id = self.new_leaf()?;
                    Moves::Leaf(Box::new(Leaf { id, kind, then: Vec::new() }))
                }
                None => return Ok(Moves::None),
            },
        };
        Ok(match self.chooser(call)? {
            Some(condition) => Moves::If(Box::new((condition, moves, Moves::None))),
            None => moves,
        })
    }

    /// Whose choice a decision is, where all players choose at once: of the player it names, or of the
    /// mover.
    fn chooser(&mut self, call: &'c Call) -> Lowered<Option<Bool>> {
        let bets = call.name() == "move Bet";
        let named = call.args.iter().find(|a| a.label == if bets { "who" } else { "mover" });
        if !self.simultaneous {
            return match named {
                Some(arg) if !bets => {
                    Err(unsupported_use(arg, "the mover of a move where players take turns"))
                }
                _ => Ok(None),
            };
        }
        if !call.name().starts_with("move") {
            return Ok(None);
        }
        let whose = named.map_or(Ok(Int::Mover), |arg| self.who(arg))?;
        Ok(Some(Bool::Compare(Compare::Equal, Box::new((Int::Iter(Iter::Chooser), whose)))))
    }

    /// Constructs that combine other generators.
    fn combined(&mut self, call: &'c Call) -> Lowered<Option<Moves>> {
        Ok(Some(match call.name() {
            "or" | "and" => {
                let list =
                    all(call, "moves").map(|a| self.moves(a)).collect::<Lowered<Vec<_>>>()?;
                Moves::All(list.into())
            }
            "priority" => {
                let list =
                    all(call, "moves").map(|a| self.moves(a)).collect::<Lowered<Vec<_>>>()?;
                Moves::Priority(list.into())
            }
            "if" => {
                let condition = self.bool_at(call, "condition")?;
                let then = self.moves(need(call, "then")?)?;
                let other = match call.arg("else") {
                    Some(arg) => self.moves(arg)?,
                    None => Moves::None,
                };
                match condition {
                    Bool::Const(true) => then,
                    Bool::Const(false) => other,
                    condition => Moves::If(Box::new((condition, then, other))),
                }
            }
            "do" => {
                if call.has("next") {
                    return self.composite(call);
                }
                let moves = self.moves(need(call, "moves")?)?;
                match self.bool_opt(call, "ifAfterwards")? {
                    Some(condition) => Moves::IfAfterwards(Box::new((moves, condition))),
                    None => Moves::None,
                }
            }
            "forEach Piece" => self.for_each_piece(call)?,
            "forEach Site" => {
                let region = Box::new(self.region(need(call, "region")?)?);
                let moves = Box::new(self.moves(need(call, "moves")?)?);
                let otherwise = match call.arg("noMoveYet") {
                    Some(arg) => self.moves(arg)?,
                    None => Moves::None,
                };
                Moves::ForEachSite { region, moves, otherwise: Box::new(otherwise) }
            }
            "forEach Value" => {
                let values = match call.arg("values") {
                    Some(arg) => self.ints(arg)?,
                    None => self.int_range(call)?,
                };
                let moves = Box::new(self.moves(need(call, "moves")?)?);
                Moves::ForEachValue { values: Box::new(values), moves }
            }
            "forEach Player" => {
                let players = (1..=self.world.players as i32).map(Int::Const).collect();
                let moves = Box::new(self.moves(need(call, "moves")?)?);
                Moves::ForEachPlayer { players: Box::new(Ints::List(players)), moves }
            }
            "forEach Team" => {
                let list = self.for_teams(|lower| lower.moves(need(call, "moves")?))?;
                Moves::All(list.into())
            }
            "forEach" if call.args.iter().any(|a| a.label == "players") => {
                let players = Box::new(self.ints(need(call, "players")?)?);
                let moves = Box::new(self.moves(need(call, "moves")?)?);
                Moves::ForEachPlayer { players, moves }
            }
            "apply" => {
                let apply = self.apply(call)?;
                let effect = apply.effect.unwrap_or(Moves::None);
                match apply.condition {
                    Some(condition) => Moves::If(Box::new((condition, effect, Moves::None))),
                    None => effect,
                }
            }
            "satisfy" => self.satisfy(call)?,
            "custodial" => Moves::Custodial(Box::new(self.custodial(call)?)),
            "addScore" if call.args.iter().any(|a| a.label == "who") => return Ok(None),
            _ => return self.composite(call),
        }))
    }

    /// The numbers from `min:` to `max:`.
    pub(super) fn int_range(&mut self, call: &'c Call) -> Lowered<Ints> {
        const MOST: i32 = 10_000;
        let (min, max) = (self.int_at(call, "min")?, self.int_at(call, "max")?);
        match (self.constant(&min), self.constant(&max)) {
            (Some(min), Some(max)) if max.saturating_sub(min) < MOST => {
                Ok(Ints::List((min..=max).map(Int::Const).collect()))
            }
            _ => Ok(Ints::Range(Box::new((min, max)))),
        }
    }

    fn for_each_piece(&mut self, call: &'c Call) -> Lowered<Moves> {
        if let Some(arg) = call.arg("container").filter(|a| a.as_text().is_none()) {
            let index = self.int(arg)?;
            if self.constant(&index).is_none() && self.container.is_none() {
                return self.for_each_piece_in(call, &index);
            }
        }
        let elements = self.elements(call.arg("on"));
        if elements.is_none() {
            self.default_type_arg(call.arg("on"))?;
        }
        let who = match call.arg("who") {
            None => Some(Int::Mover),
            Some(arg) if matches!(arg.as_constant(), Some("All" | "Each")) => None,
            Some(arg) => Some(self.who(arg)?),
        };
        let within = match call.arg("container") {
            None => elements.map_or_else(|| self.elements_with_steps(), Self::sites_of_elements),
            Some(arg) => {
                let index = match arg.as_text() {
                    Some(name) => self.world.containers.iter().position(|c| c.name == name),
                    None if self.container.is_some() => self.container,
                    None => {
                        let number = self.int(arg)?;
                        self.constant(&number).and_then(|n| usize::try_from(n).ok())
                    }
                };
                match index.and_then(|i| self.world.containers.get(i)) {
                    Some(c) if c.kind == ContainerKind::Board => self.world.board(),
                    Some(c) => (c.first..c.first + c.size).map(|s| s as u16).collect(),
                    None => return Err(unsupported_use(arg, "this container")),
                }
            }
        };
        let within = self.tables.set(within);
        let names: Vec<&str> = call.items("names").iter().filter_map(Arg::as_text).collect();
        let own = call.arg("moves");
        if own.is_none() && self.component.is_some() {
            return Err(super::Problem::Invalid(
                call.place
                    .error("recursive-piece", "`forEach Piece` inside the rule of a piece")
                    .label("this would ask every piece for its rule again, without end"),
            ));
        }
        let top = self.fixed_flag(call, "top", false)?;
        let wanted = who.as_ref().and_then(|w| self.constant(w));
        let outer = self.component;
        let mut list = Vec::new();
        for component in 1..self.world.components.len() {
            let piece = &self.world.components[component];
            let owner = piece.owner;
            let real = usize::from(owner) >= 1 && usize::from(owner) <= self.world.players;
            let asked = match (&who, wanted) {
                (None, _) => true,
                (_, Some(number)) => i32::from(owner) == number,
                _ => real,
            };
            if !asked || (call.has("names") && !names.iter().any(|name| piece.is_called(name))) {
                continue;
            }
            let generator = match (own, self.generators[component]) {
                (Some(arg), _) => need_moves(arg)?,
                (None, Some(generator)) => generator,
                (None, None) => continue,
            };
            self.component = Some(component as u16);
            let moves = self.moves_call(generator);
            self.component = outer;
            list.push(PieceMoves {
                component: component as u16,
                owner,
                top,
                within,
                moves: moves?,
            });
        }
        Ok(Moves::ForEachPiece { who, list: list.into() })
    }

    /// The same for a container whose number only the state decides: one way for each.
    fn for_each_piece_in(&mut self, call: &'c Call, index: &Int) -> Lowered<Moves> {
        let mut all = Moves::None;
        for number in 0..self.world.containers.len() {
            self.container = Some(number);
            let moves = self.for_each_piece(call);
            self.container = None;
            let it = Int::Const(number as i32);
            let condition = Bool::Compare(Compare::Equal, Box::new((index.clone(), it)));
            all = Moves::If(Box::new((condition, moves?, all)));
        }
        Ok(all)
    }

    /// Generators that make moves themselves; `None` where they never make any.
    fn leaf_kind(&mut self, call: &'c Call) -> Lowered<Option<LeafKind>> {
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
            "set Rotation" => {
                if let Some(arg) = call.arg("directions") {
                    return Err(unsupported_use(arg, "a rotation by its number"));
                }
                let place = self.to(call.call("to"))?.place;
                let at = match place.unwrap_or(Place::Site(Int::Iter(Iter::From))) {
                    Place::Site(site) => site,
                    Place::Region(_) => return Err(unsupported(call)),
                };
                let mut steps = Vec::new();
                for (label, step) in [("previous", -1), ("next", 1)] {
                    if self.fixed_flag(call, label, true)? {
                        steps.push(step);
                    }
                }
                LeafKind::Turn { at, steps: steps.into(), full: self.rotations() as i32 }
            }
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

    /// The level in a slot; moves with one are composite.
    fn optional_level(&mut self, call: &'c Call) -> Lowered<Option<Int>> {
        let Some(arg) = call.args.iter().find(|a| a.label == "level") else { return Ok(None) };
        self.composite = true;
        Ok(Some(self.int(arg)?))
    }

    /// A destination.
    pub(super) fn to(&mut self, call: Option<&'c Call>) -> Lowered<To> {
        let Some(call) = call else {
            return Ok(To { place: None, condition: None, apply: None, level: None });
        };
        self.known_type(call)?;
        if let Some(arg) = call.arg("rotations") {
            return Err(unsupported_use(arg, "`rotations` of a destination"));
        }
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
        Ok(origin.map(|(from, condition, _)| (from, condition)))
    }

    /// As [`Lower::origin`], with the level.
    fn origin_level(
        &mut self,
        call: Option<&'c Call>,
        default: Int,
    ) -> Lowered<Option<(Int, Option<Bool>, Option<Int>)>> {
        let from = self.from(call)?;
        Ok(match from.place {
            None => Some((default, from.condition, from.level)),
            Some(Place::Site(site)) => Some((site, from.condition, from.level)),
            Some(Place::Region(_)) => None,
        })
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
        let Some((from, from_condition, level)) =
            self.origin_level(call.call("from"), Int::Iter(Iter::From))?
        else {
            return Ok(None);
        };
        let jumps = if step { self.jumps(call.arg("directions"))? } else { self.walks(call)? };
        let stack = step && self.fixed_flag(call, "stack", false)?;
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
        let rotations = self.fixed_flag(call, "rotations", true)?;
        let forward = self.fixed_flag(call, "forward", false)?;
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
        let stack = self.fixed_flag(call, "stack", false)?;
        let to = self.to(call.call("to"))?;
        let between = call.call("between");
        for label in ["before", "after"] {
            if let Some(arg) = between.and_then(|b| b.arg(label)) {
                return Err(unsupported_use(arg, &format!("`{label}:` of a slide")));
            }
        }
        let Some((from, from_condition, level)) =
            self.origin_level(call.call("from"), Int::Iter(Iter::From))?
        else {
            return Ok(None);
        };
        let trail = match between.and_then(|b| b.arg("trail")) {
            Some(arg) => Some(self.int(arg)?),
            None => None,
        };
        self.composite |= stack || trail.is_some();
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

    fn from_to(&mut self, call: &'c Call) -> Lowered<LeafKind> {
        let copy = self.fixed_flag(call, "copy", false)?;
        self.composite |= copy;
        let from = self.from(call.call("from"))?;
        let to = self.to(call.call("to"))?;
        Ok(LeafKind::FromTo {
            from: Box::new(from.place.unwrap_or(Place::Site(Int::Iter(Iter::From)))),
            from_condition: from.condition,
            to: Box::new(to.place.unwrap_or(Place::Site(Int::Iter(Iter::To)))),
            condition: to.condition,
            count: call.arg("count").map(|a| self.int(a)).transpose()?,
            stack: self.fixed_flag(call, "stack", false)?,
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
        let direction = self.absolute(call, "direction");
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
        self.composite |= deferred || count.is_some();
        let place = self.place(need(call, "site")?)?;
        let place = Box::new(self.place_of(call, place));
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

    fn custodial(&mut self, call: &'c Call) -> Lowered<Custodial> {
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
                let id = self.new_leaf()?;
                let place = Box::new(Place::Site(Int::Iter(Iter::Between)));
                let kind = LeafKind::Remove { place, level: None, count: None, deferred: false };
                Moves::Leaf(Box::new(Leaf { id, kind, then: Vec::new() }))
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
        let direction = self.absolute(call, "direction");
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

fn need_moves(arg: &Arg) -> Lowered<&Call> {
    arg.as_call().ok_or_else(|| invalid(arg, "not-moves", "a generator of moves is wanted here"))
}

/// The effects that a consequence carries out one after the other: those of a `seq`, which are what
/// consequences are anyway.
fn in_order(effect: &Arg) -> Vec<&Arg> {
    match effect.as_call().filter(|call| call.name() == "seq") {
        Some(call) => call.items("moves").iter().flat_map(in_order).collect(),
        None => vec![effect],
    }
}

/// Adds a consequence behind those that all generators inside have already; whether moves have to be
/// composite then.
fn append(moves: &mut Moves, effect: crate::ir::EffectId) -> bool {
    match moves {
        Moves::None => false,
        Moves::Leaf(leaf) => {
            leaf.then.push(effect);
            false
        }
        Moves::All(list) | Moves::Priority(list) => {
            // All of them get it: no short cut.
            list.iter_mut().map(|m| append(m, effect)).filter(|composite| *composite).count() > 0
        }
        Moves::If(parts) => {
            let first = append(&mut parts.1, effect);
            append(&mut parts.2, effect) || first
        }
        Moves::ForEachPiece { list, .. } => {
            list.iter_mut()
                .map(|p| append(&mut p.moves, effect))
                .filter(|composite| *composite)
                .count()
                > 0
        }
        // Moves made instead because there were none do not get it.
        Moves::ForEachSite { moves, .. }
        | Moves::ForEachValue { moves, .. }
        | Moves::ForEachPlayer { moves, .. } => append(moves, effect),
        // What is tested afterwards does not come after these consequences.
        Moves::IfAfterwards(_) => {
            let inner = std::mem::replace(moves, Moves::None);
            let then = vec![effect];
            let composite = Composite { kind: CompositeKind::Then(inner), then };
            *moves = Moves::Composite(Box::new(composite));
            true
        }
        Moves::Custodial(custodial) => append(&mut custodial.effect, effect),
        Moves::Composite(composite) => {
            composite.then.push(effect);
            true
        }
        Moves::Compiled(compiled) => append(&mut compiled.rules, effect),
    }
}
