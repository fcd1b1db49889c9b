//! Play rules, phases and end rules.

use crate::board::Direction;
use crate::front::{Arg, Call, Kind, Label, Name, Value, Word};
use crate::ir::{
    Bool, Composite, CompositeKind, EndRule, Float, Int, Moves, NextPhase, Phase, ResultKind, Role,
    Verdict,
};
use crate::limits::{MAX_END_RULES, MAX_PHASES};

use super::places::{all, need, need_call, role, role_named};
use super::{Lower, Lowered, invalid, unsupported, unsupported_use};

/// Makes all moves of a phase one, without any consequences, as nobody chooses among them.
pub(super) fn all_at_once(phase: &mut Phase) {
    let mut moves = std::mem::replace(&mut phase.play, Moves::None);
    silence(&mut moves);
    phase.play = CompositeKind::Append(moves).into();
    (phase.owner, phase.end, phase.next) = (None, Box::new([]), Box::new([]));
}

/// Takes the consequences away from all moves of a generator.
fn silence(moves: &mut Moves) {
    match moves {
        Moves::None => {}
        Moves::Leaf(leaf) => leaf.then.clear(),
        Moves::All(list) | Moves::Priority(list) => list.iter_mut().for_each(silence),
        Moves::If(parts) => [&mut parts.1, &mut parts.2].into_iter().for_each(silence),
        Moves::ForEachPiece { list, .. } => list.iter_mut().for_each(|p| silence(&mut p.moves)),
        Moves::ForEachSite { moves, otherwise, .. } => {
            silence(moves);
            silence(otherwise);
        }
        Moves::ForEachValue { moves, .. }
        | Moves::ForEachPlayer { moves, .. }
        | Moves::Compiled(_, moves) => silence(moves),
        Moves::IfAfterwards(parts) => silence(&mut parts.0),
        Moves::Custodial(custodial) => silence(&mut custodial.effect),
        Moves::Composite(composite) => composite.then.clear(),
    }
}

impl<'c> Lower<'c> {
    /// Phases with their own end rules, and the general end rules.
    pub(super) fn rules(&mut self, rules: &'c Call) -> Lowered<(Vec<Phase>, Vec<EndRule>)> {
        let phases: Vec<&Call> = all(rules, Label::Phases).filter_map(Arg::as_call).collect();
        if phases.len() > MAX_PHASES {
            return Err(super::Problem::TooLarge(format!("more than {MAX_PHASES} phases")));
        }
        self.rules.names.phases =
            phases.iter().map(|p| p.text(Label::Name).unwrap_or_default().to_owned()).collect();
        let end = match rules.call(Label::End) {
            Some(end) => self.end(end),
            None => Vec::new(),
        };
        if phases.is_empty() {
            let play = need_call(rules, Label::Play)?;
            let moves = self.play(play);
            let moves = self.with_forced(moves);
            let phase = Phase { owner: None, play: moves, end: Box::new([]), next: Box::new([]) };
            return Ok((vec![phase], end));
        }
        let mut lowered = Vec::new();
        for phase in phases {
            // A rule beside the phases holds in all of them.
            let mut plays = Vec::new();
            for play in [phase.call(Label::Play), rules.call(Label::Play)].into_iter().flatten() {
                plays.push(self.play(play));
            }
            if let Some(mode) = phase.arg(Label::Mode) {
                return Err(unsupported_use(mode, "a mode of its own for a phase"));
            }
            let owner = match phase.constant(Label::Role).and_then(role_named) {
                Some(Role::Player(p)) => Some(p),
                _ => None,
            };
            let play = match plays.len() {
                1 => plays.remove(0),
                _ => Moves::All(plays.into()),
            };
            let play = self.with_forced(play);
            let own_end = match phase.call(Label::End) {
                Some(end) => self.end(end),
                None => Vec::new(),
            };
            let mut next = Vec::new();
            for change in phase.items(Label::Next).iter().filter_map(Arg::as_call) {
                next.push(self.next_phase(change)?);
            }
            lowered.push(Phase { owner, play, end: own_end.into(), next: next.into() });
        }
        Ok((lowered, end))
    }

    fn play(&mut self, play: &'c Call) -> Moves {
        let moves = need(play, Label::Moves).and_then(|arg| self.moves(arg));
        let mut moves = self.tolerate(moves, Moves::None);
        if self.meta.gravity {
            let below = self.steps_in(Direction::Downward);
            let kind = CompositeKind::Fall(below);
            let fall = self.rules.effect(kind.into());
            super::moves::append(&mut moves, fall);
        }
        self.without_suicide(moves)
    }

    /// The moves with those that are forced made at once, if a meta rule says so.
    fn with_forced(&mut self, moves: Moves) -> Moves {
        if !self.meta.automove {
            return moves;
        }
        let forced = self.rules.effect(CompositeKind::Forced(moves.clone()).into());
        Moves::Composite(Box::new(Composite {
            kind: CompositeKind::Then(moves),
            then: vec![forced],
        }))
    }

    fn next_phase(&mut self, call: &'c Call) -> Lowered<NextPhase> {
        let who = match call.arg(Label::Role) {
            None => None,
            Some(arg) => {
                let who = self.who(arg)?;
                (who != Int::Const(self.world.players as i32 + 1)).then_some(who)
            }
        };
        let to = match call.arg(Label::Phase) {
            None => None,
            Some(arg) => {
                let name = arg.as_text().unwrap_or_default();
                let found = self.rules.names.phases.iter().position(|n| n == name);
                Some(found.ok_or_else(|| {
                    let names = self.rules.names.phases.iter().map(String::as_str);
                    super::Problem::Invalid(
                        arg.place
                            .error("unknown-phase", format!("no phase is called \"{name}\""))
                            .suggest(name, names),
                    )
                })?)
            }
        };
        Ok(NextPhase { who, condition: self.bool_or(call, Label::If, true)?, to })
    }

    fn end(&mut self, end: &'c Call) -> Vec<EndRule> {
        let mut rules = Vec::new();
        for rule in end.items(Label::Rules).iter().filter_map(Arg::as_call) {
            if rule.name() == Name::ForEachTrack {
                self.for_tracks(rule, &mut rules);
                continue;
            }
            match self.end_rule(rule) {
                Ok(rule) => rules.push(rule),
                Err(problem) => self.problems.push(problem),
            }
        }
        rules
    }

    /// Adds a rule for every track, in order.
    fn for_tracks(&mut self, call: &'c Call, rules: &mut Vec<EndRule>) {
        if rules.len() + self.world.tracks.len() > MAX_END_RULES {
            let text = format!("more than {MAX_END_RULES} end rules");
            return self.problems.push(super::Problem::TooLarge(text));
        }
        for track in 0..self.world.tracks.len() as i32 {
            self.scope.track = Some(track);
            let rule = self.for_track(call);
            self.scope.track = None;
            match rule {
                Ok(rule) => rules.push(rule),
                Err(problem) => return self.problems.push(problem),
            }
        }
    }

    fn for_track(&mut self, call: &'c Call) -> Lowered<EndRule> {
        let condition = self.bool_at(call, Label::If)?;
        let verdict = Some(self.verdict(need_call(call, Label::Result)?)?);
        Ok(EndRule::If { condition, inner: Box::new([]), verdict })
    }

    pub(super) fn end_rule(&mut self, call: &'c Call) -> Lowered<EndRule> {
        match call.name() {
            Name::If => {
                let condition = self.bool_at(call, Label::Condition)?;
                let mut inner = Vec::new();
                for rule in call.items(Label::Sub).iter().filter_map(Arg::as_call) {
                    inner.push(self.end_rule(rule)?);
                }
                let verdict = call.call(Label::Result).map(|r| self.verdict(r)).transpose()?;
                Ok(EndRule::If { condition, inner: inner.into(), verdict })
            }
            Name::ForEach => {
                let arg = need(call, Label::Role)?;
                let role = role(arg)?;
                let condition = self.bool_at(call, Label::If)?;
                let verdict = self.verdict(need_call(call, Label::Result)?)?;
                Ok(EndRule::ForEach { skip_mover: Self::skips_mover(role), condition, verdict })
            }
            _ => Err(unsupported(call)),
        }
    }

    fn verdict(&mut self, call: &'c Call) -> Lowered<Verdict> {
        match call.name() {
            Name::Result => {
                let who = role(need(call, Label::Role)?)?;
                let kind = match call.constant(Label::Type) {
                    Some(Word::Win) => ResultKind::Win,
                    Some(Word::Loss) => ResultKind::Loss,
                    Some(Word::Draw) => ResultKind::Draw,
                    Some(Word::Tie) => ResultKind::Tie,
                    _ => ResultKind::Abandon,
                };
                Ok(Verdict::Result { who, kind })
            }
            Name::ByScore => {
                let mut scores = Vec::new();
                for score in call.items(Label::Scores).iter().filter_map(Arg::as_call) {
                    let who = self.who(need(score, Label::Role)?)?;
                    scores.push((who, self.int_at(score, Label::Value)?));
                }
                let misere = call.flag(Label::Misere).unwrap_or(false);
                Ok(Verdict::ByScore { scores: scores.into(), misere })
            }
            Name::Payoffs => {
                let mut payoffs = Vec::new();
                for payoff in call.items(Label::List).iter().filter_map(Arg::as_call) {
                    let who = self.who(need(payoff, Label::Role)?)?;
                    payoffs.push((who, self.float(need(payoff, Label::Value)?)?));
                }
                Ok(Verdict::Payoffs(payoffs.into()))
            }
            _ => Err(unsupported(call)),
        }
    }

    pub(super) fn float(&mut self, arg: &'c Arg) -> Lowered<Float> {
        let call = match &arg.value {
            Value::Float(value) => return Ok(Float::Const(*value)),
            Value::Int(value) => return Ok(Float::Const(*value as f32)),
            Value::Call(call) => call,
            _ => return Err(invalid(arg, "not-a-number", "a real number is wanted here")),
        };
        if call.ludeme.kind() == Kind::Int {
            return Ok(Float::FromInt(self.int(arg)?));
        }
        if let Some(function) = real_function(call.name()) {
            let a = self.float(need(call, Label::A)?)?;
            return Ok(Float::Function(function, Box::new(a)));
        }
        let operator = match call.name() {
            Name::ToFloat => {
                let inner = need(call, Label::A)?;
                if inner.as_call().is_some_and(|c| c.ludeme.kind() == Kind::Bool) {
                    let condition = self.bool(inner)?;
                    return Ok(Float::FromInt(Int::FromBool(Box::new(condition))));
                }
                return Ok(Float::FromInt(self.int(inner)?));
            }
            Name::Max => '>',
            Name::Min => '<',
            Name::OpAdd => '+',
            Name::OpSub => '-',
            Name::OpMul => '*',
            Name::OpDiv => '/',
            Name::OpPow => '^',
            _ => return Err(unsupported(call)),
        };
        let mut operands = Vec::new();
        for operand in call.args.iter().flat_map(Arg::items) {
            operands.push(self.float(operand)?);
        }
        let mut operands = operands.into_iter();
        let first = operands.next().unwrap_or(Float::Const(0.0));
        Ok(operands.fold(first, |a, b| Float::Binary(operator, Box::new((a, b)))))
    }

    /// A condition that always holds.
    pub(super) fn always() -> Bool {
        Bool::Const(true)
    }
}

/// The function of real numbers that a ludeme names.
fn real_function(name: Name) -> Option<fn(f32) -> f32> {
    Some(match name {
        Name::Abs => f32::abs,
        Name::Sqrt => f32::sqrt,
        Name::Exp => f32::exp,
        Name::Log => f32::ln,
        Name::Log10 => f32::log10,
        Name::Sin => f32::sin,
        Name::Cos => f32::cos,
        Name::Tan => f32::tan,
        _ => return None,
    })
}
