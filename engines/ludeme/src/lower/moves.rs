//! Generators of moves and effects.

use crate::front::{Arg, Call, Label, Name, Word};
use crate::ir::{
    Bool, Compare, Composite, CompositeKind, GeneratorId, Int, Ints, Iter, Moves, PieceMoves,
};
use crate::world::ContainerKind;

use super::elements::{elements_with_steps, sites_of_elements};
use super::places::{all, default_type_arg, elements_of_type, fixed_flag, need};
use super::{Lower, Lowered, invalid, unsupported_use};

impl<'c> Lower<'c> {
    /// Lowers a generator or an effect.
    pub(super) fn moves(&mut self, arg: &'c Arg) -> Lowered<Moves> {
        super::count_step()?;
        match arg.as_call() {
            Some(call) => self.moves_call(call),
            None => Err(invalid(arg, "not-moves", "a generator of moves is wanted here")),
        }
    }

    /// The number of a generator that is asked for the moves that it would give.
    pub(super) fn asked_moves(&mut self, arg: &'c Arg) -> Lowered<GeneratorId> {
        Ok(self.moves(arg)?.number_in(&mut self.rules.generators))
    }

    fn moves_call(&mut self, call: &'c Call) -> Lowered<Moves> {
        use Name::*;
        let mut moves = self.generator(call)?;
        // In the reference these ludemes ignore their consequences.
        let deaf = matches!(
            call.name(),
            Trigger
                | Note
                | SetNextPlayer
                | MoveSetNextPlayer
                | SetPending
                | SetCounter
                | SetPot
                | ForEachPlayer
                | MaxMoves
                | MaxCaptures
                | MaxDistance
                | AvoidStoredState
                | FirstMoveOnTrack
                | Seq
                | Surround
                | Directional
        );
        let label = if call.name() == If { Label::Consequence } else { Label::Then };
        let then = call
            .args
            .iter()
            .find(|a| a.label == label && a.as_call().is_some_and(|c| c.name() == Then));
        if let Some(then) = then.and_then(Arg::as_call)
            && !deaf
        {
            let waits =
                self.rules.simultaneous && fixed_flag(then, Label::ApplyAfterAllMoves, false)?;
            // In the reference these do what follows from them twice.
            let times = if matches!(call.name(), Push | Attract) { 2 } else { 1 };
            for part in in_order(need(then, Label::Effect)?).repeat(times) {
                let effect = self.moves(part)?;
                let effect =
                    if waits { self.rules.late_effect(effect) } else { self.rules.effect(effect) };
                append(&mut moves, effect);
            }
            if let Some(condition) = self.needed_for_consequences(call) {
                moves = Moves::If(Box::new((condition, moves, Moves::None)));
            }
        }
        Ok(moves)
    }

    /// The condition without which an effect is no move, so that nothing follows from it; `None` if
    /// the effect itself tells. To forget all values is a move only if there are any.
    fn needed_for_consequences(&mut self, call: &'c Call) -> Option<Bool> {
        if call.name() != Name::ForgetValue
            || call.arg(Label::Value)?.as_constant() != Some(Word::All)
        {
            return None;
        }
        let values = match self.rules.names.list(call.text(Label::List)) {
            0 => Ints::AllRemembered,
            list => Ints::Remembered(list),
        };
        let number = Int::ArraySize(Box::new(values));
        Some(Bool::Compare(Compare::Greater, Box::new((number, Int::Const(0)))))
    }

    /// A generator or an effect without its consequences.
    fn generator(&mut self, call: &'c Call) -> Lowered<Moves> {
        let join = |condition: Bool, a: Moves, b: Moves| Moves::If(Box::new((condition, a, b)));
        let none = |_: &mut Self| Ok(Moves::None);
        if let Some(moves) = self.by_direction(call, Self::generator, join, none)? {
            return Ok(moves);
        }
        let moves = match self.combined(call)? {
            Some(moves) if is_choice(call.name()) => moves,
            Some(moves) => return Ok(moves),
            None => match self.leaf_kind(call)? {
                Some(kind) => self.leaf(kind)?,
                None => return Ok(Moves::None),
            },
        };
        Ok(match self.chooser(call)? {
            Some(condition) => Moves::If(Box::new((condition, moves, Moves::None))),
            None => moves,
        })
    }

    /// The condition that the chooser of a decision is the player it names, or the mover, if all
    /// players choose at once.
    fn chooser(&mut self, call: &'c Call) -> Lowered<Option<Bool>> {
        let bets = call.name() == Name::MoveBet;
        let named = call.find(if bets { Label::Who } else { Label::Mover });
        if !self.rules.simultaneous {
            return match named {
                Some(arg) if !bets => {
                    Err(unsupported_use(arg, "the mover of a move where players take turns"))
                }
                _ => Ok(None),
            };
        }
        if !is_decision(call.name()) {
            return Ok(None);
        }
        let whose = named.map_or(Ok(Int::Mover), |arg| self.who(arg))?;
        Ok(Some(Bool::Compare(Compare::Equal, Box::new((Int::Iter(Iter::Chooser), whose)))))
    }

    /// Lowers constructs that combine other generators.
    fn combined(&mut self, call: &'c Call) -> Lowered<Option<Moves>> {
        use Name::*;
        Ok(Some(match call.name().as_effect() {
            Or | And => {
                let list =
                    all(call, Label::Moves).map(|a| self.moves(a)).collect::<Lowered<Vec<_>>>()?;
                Moves::All(list.into())
            }
            Priority => {
                let list =
                    all(call, Label::Moves).map(|a| self.moves(a)).collect::<Lowered<Vec<_>>>()?;
                Moves::Priority(list.into())
            }
            If => {
                let condition = self.bool_at(call, Label::Condition)?;
                let then = self.moves(need(call, Label::Then)?)?;
                let otherwise = match call.arg(Label::Else) {
                    Some(arg) => self.moves(arg)?,
                    None => Moves::None,
                };
                match condition {
                    Bool::Const(true) => then,
                    Bool::Const(false) => otherwise,
                    condition => Moves::If(Box::new((condition, then, otherwise))),
                }
            }
            Do => {
                if call.has(Label::Next) {
                    return self.composite(call);
                }
                let moves = self.moves(need(call, Label::Moves)?)?;
                match self.bool_opt(call, Label::IfAfterwards)? {
                    Some(condition) => Moves::IfAfterwards(Box::new((moves, condition))),
                    None => Moves::None,
                }
            }
            ForEachPiece => self.for_each_piece(call)?,
            ForEachSite => {
                let region = Box::new(self.region(need(call, Label::Region)?)?);
                let moves = Box::new(self.moves(need(call, Label::Moves)?)?);
                let otherwise = match call.arg(Label::NoMoveYet) {
                    Some(arg) => self.moves(arg)?,
                    None => Moves::None,
                };
                Moves::ForEachSite { region, moves, otherwise: Box::new(otherwise) }
            }
            ForEachValue => {
                let values = match call.arg(Label::Values) {
                    Some(arg) => self.ints(arg)?,
                    None => self.int_range(call)?,
                };
                let moves = Box::new(self.moves(need(call, Label::Moves)?)?);
                Moves::ForEachValue { values: Box::new(values), moves }
            }
            ForEachPlayer => {
                let players = (1..=self.world.players as i32).map(Int::Const).collect();
                let moves = Box::new(self.moves(need(call, Label::Moves)?)?);
                Moves::ForEachPlayer { players: Box::new(Ints::List(players)), moves }
            }
            ForEachTeam => {
                let list = self.for_teams(call, |lower| lower.moves(need(call, Label::Moves)?))?;
                Moves::All(list.into())
            }
            ForEach if call.find(Label::Players).is_some() => {
                let players = Box::new(self.ints(need(call, Label::Players)?)?);
                let moves = Box::new(self.moves(need(call, Label::Moves)?)?);
                Moves::ForEachPlayer { players, moves }
            }
            Apply => {
                let apply = self.apply(call)?;
                let effect = apply.effect.unwrap_or(Moves::None);
                match apply.condition {
                    Some(condition) => Moves::If(Box::new((condition, effect, Moves::None))),
                    None => effect,
                }
            }
            Satisfy => self.satisfy(call)?,
            PlayCard => self.play_card(call)?,
            Move | FromTo if call.call(Label::To).is_some_and(|to| to.has(Label::Rotations)) => {
                self.move_and_turn(call)?
            }
            SetRotation if call.has(Label::Directions) => self.turns(call)?,
            Directional if !call.has(Label::Directions) => self.along_last_move(call)?,
            Custodial => Moves::Custodial(Box::new(self.custodial(call)?)),
            AddScore if call.find(Label::Who).is_some() => return Ok(None),
            _ => return self.composite(call),
        }))
    }

    /// The numbers from `min:` to `max:`.
    pub(super) fn int_range(&mut self, call: &'c Call) -> Lowered<Ints> {
        const MOST: i32 = 10_000;
        let (min, max) = (self.int_at(call, Label::Min)?, self.int_at(call, Label::Max)?);
        match (min.constant(), max.constant()) {
            (Some(min), Some(max)) if max.saturating_sub(min) < MOST => {
                Ok(Ints::List((min..=max).map(Int::Const).collect()))
            }
            _ => Ok(Ints::Range(Box::new((min, max)))),
        }
    }

    fn for_each_piece(&mut self, call: &'c Call) -> Lowered<Moves> {
        if let Some(arg) = call.arg(Label::Container).filter(|a| a.as_text().is_none()) {
            let index = self.int(arg)?;
            if index.constant().is_none() && self.scope.container.is_none() {
                return self.for_each_piece_in(call, &index);
            }
        }
        let elements = elements_of_type(&self.world, call.arg(Label::On));
        if elements.is_none() {
            default_type_arg(&self.world, call.arg(Label::On))?;
        }
        let who = match call.arg(Label::Who) {
            None => Some(Int::Mover),
            Some(arg) if matches!(arg.as_constant(), Some(Word::All | Word::Each)) => None,
            Some(arg) => Some(self.who(arg)?),
        };
        let within = match call.arg(Label::Container) {
            None => elements.map_or_else(|| elements_with_steps(&self.world), sites_of_elements),
            Some(arg) => {
                let index = match arg.as_text() {
                    Some(name) => self.world.containers.iter().position(|c| c.name == name),
                    None if self.scope.container.is_some() => self.scope.container,
                    None => {
                        let number = self.int(arg)?;
                        number.constant().and_then(|n| usize::try_from(n).ok())
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
        let names: Vec<&str> = call.items(Label::Names).iter().filter_map(Arg::as_text).collect();
        let own = call.arg(Label::Moves);
        if own.is_none() && self.scope.component.is_some() {
            return Err(super::Problem::Invalid(
                call.place
                    .error("recursive-piece", "`forEach Piece` inside the rule of a piece")
                    .label("this would ask every piece for its rule again, without end"),
            ));
        }
        let top = fixed_flag(call, Label::Top, false)?;
        let wanted = who.as_ref().and_then(Int::constant);
        let outer = self.scope.component;
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
            if !asked || (call.has(Label::Names) && !names.iter().any(|name| piece.is_called(name)))
            {
                continue;
            }
            let generator = match (own, self.generators[component]) {
                (Some(arg), _) => need_moves(arg)?,
                (None, Some(generator)) => generator,
                (None, None) => continue,
            };
            self.scope.component = Some(component as u16);
            let moves = self.moves_call(generator);
            self.scope.component = outer;
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

    /// `(forEach Piece ..)` in a container whose number depends on the state: one generator for
    /// each container.
    fn for_each_piece_in(&mut self, call: &'c Call, index: &Int) -> Lowered<Moves> {
        let mut generators = Moves::None;
        for number in 0..self.world.containers.len() {
            self.scope.container = Some(number);
            let moves = self.for_each_piece(call);
            self.scope.container = None;
            let it = Int::Const(number as i32);
            let condition = Bool::Compare(Compare::Equal, Box::new((index.clone(), it)));
            generators = Moves::If(Box::new((condition, moves?, generators)));
        }
        Ok(generators)
    }
}

/// True if a call is a choice of a player, and no effect.
fn is_decision(name: Name) -> bool {
    matches!(name, Name::Move | Name::MoveAgain) || name.as_effect() != name
}

/// True for decisions that are no leaves.
fn is_choice(name: Name) -> bool {
    matches!(name, Name::MoveBet | Name::MoveSetTrumpSuit | Name::MovePlayCard)
}

fn need_moves(arg: &Arg) -> Lowered<&Call> {
    arg.as_call().ok_or_else(|| invalid(arg, "not-moves", "a generator of moves is wanted here"))
}

/// The effects that a consequence carries out in order: those of a `seq`, because consequences are
/// carried out in order anyway.
fn in_order(effect: &Arg) -> Vec<&Arg> {
    match effect.as_call().filter(|call| call.name() == Name::Seq) {
        Some(call) => call.items(Label::Moves).iter().flat_map(in_order).collect(),
        None => vec![effect],
    }
}

/// Adds a consequence behind those of all generators inside.
pub(super) fn append(moves: &mut Moves, effect: crate::ir::EffectId) {
    match moves {
        Moves::None => {}
        Moves::Leaf(leaf) => leaf.then.push(effect),
        Moves::All(list) | Moves::Priority(list) => {
            list.iter_mut().for_each(|m| append(m, effect));
        }
        Moves::If(parts) => {
            append(&mut parts.1, effect);
            append(&mut parts.2, effect);
        }
        Moves::ForEachPiece { list, .. } => {
            list.iter_mut().for_each(|p| append(&mut p.moves, effect));
        }
        // Moves that replace these if there are none do not get the consequence.
        Moves::ForEachSite { moves, .. }
        | Moves::ForEachValue { moves, .. }
        | Moves::ForEachPlayer { moves, .. } => append(moves, effect),
        // The condition is evaluated before these consequences are carried out.
        Moves::IfAfterwards(_) => {
            let inner = std::mem::replace(moves, Moves::None);
            let then = vec![effect];
            let composite = Composite { kind: CompositeKind::Then(inner), then };
            *moves = Moves::Composite(Box::new(composite));
        }
        Moves::Custodial(custodial) => append(&mut custodial.effect, effect),
        Moves::Composite(composite) => composite.then.push(effect),
        Moves::Compiled(_, rules) => append(rules, effect),
    }
}
