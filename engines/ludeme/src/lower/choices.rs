//! Directions that depend on the state: the ludeme around them is lowered once for every direction
//! that they can mean, behind a condition that tells which one it is.

use crate::board::{Direction, Relative};
use crate::front::{Arg, Call, Label, Name, Value, Word};
use crate::ir::{Bool, Compare, Int, Iter, Layer, Reach};
use crate::limits::MAX_NESTED_CHOICES;
use crate::world::World;

use super::places::{need, relative_named};
use super::{Lower, Lowered};

/// An assumption about a direction that depends on the state.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Chosen {
    /// The first part of an `if`, or the second.
    Branch(bool),
    /// A direction of the board.
    Direction(Direction),
    /// A direction relative to a piece that has been turned this often.
    Turned(usize),
    /// The directions drawn by lot, by number of the outcome.
    Drawn(usize),
}

/// Number of rotations of a piece.
pub(super) fn rotations(world: &World) -> usize {
    world.topology.supported(Direction::All).len().max(1)
}

impl<'c> Lower<'c> {
    /// The assumption about a direction, if there is one.
    pub(super) fn chosen(&self, arg: &Arg) -> Option<Chosen> {
        self.scope
            .choices
            .iter()
            .find(|(direction, _)| std::ptr::eq(*direction, arg))
            .map(|(_, chosen)| *chosen)
    }

    /// Lowers a ludeme whose directions depend on the state; `None` if they do not.
    pub(super) fn by_direction<T>(
        &mut self,
        call: &'c Call,
        lower: impl Fn(&mut Self, &'c Call) -> Lowered<T>,
        join: impl Fn(Bool, T, T) -> T,
        otherwise: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<Option<T>> {
        let mut slots =
            call.args.iter().filter(|a| matches!(a.label, Label::Directions | Label::Direction));
        let unsaid = self.unsaid_direction(call);
        let Some(open) = slots.find_map(|a| self.open_in(a)).or(unsaid) else { return Ok(None) };
        // Directions drawn by lot are lowered for many outcomes already.
        let drawn = self.scope.choices.iter().any(|(_, chosen)| matches!(chosen, Chosen::Drawn(_)));
        let fork = open.as_call().filter(|_| unsaid.is_none());
        let draws = fork.is_some_and(|c| c.name() == Name::DirectionsRandom);
        if self.scope.choices.len() >= MAX_NESTED_CHOICES
            || drawn
            || draws && !self.scope.choices.is_empty()
        {
            return Err(super::unsupported_use(open, "a direction that depends on so much"));
        }
        let with = |lowerer: &mut Self, chosen: Chosen| {
            lowerer.scope.choices.push((open, chosen));
            let result = lower(lowerer, call);
            lowerer.scope.choices.pop();
            result
        };
        if let Some(fork) = fork.filter(|c| c.name() == Name::If) {
            let condition = self.bool_at(fork, Label::Condition)?;
            let (a, b) = (with(self, Chosen::Branch(true))?, with(self, Chosen::Branch(false))?);
            return Ok(Some(join(condition, a, b)));
        }
        if let Some(random) = fork.filter(|c| c.name() == Name::DirectionsRandom) {
            let ways = self.ways_to_draw(random)?;
            let mut result = with(self, Chosen::Drawn(0))?;
            for way in 1..ways {
                // The outcome is this one with probability 1 in `way + 1`, so it is as likely as
                // each before it.
                let lot = Int::Random(Box::new((Int::Const(0), Int::Const(way as i32))));
                let drawn = Box::new((lot, Int::Const(0)));
                let part = with(self, Chosen::Drawn(way))?;
                result = join(Bool::Compare(Compare::Equal, drawn), part, result);
            }
            return Ok(Some(result));
        }
        if unsaid.is_some() || !is_dynamic(open) {
            let at = Box::new(self.turner(open, call)?);
            let mut result = with(self, Chosen::Turned(0))?;
            for turns in 1..rotations(&self.world) {
                let at = at.clone();
                let rotation =
                    Int::At { layer: Layer::Rotation, at, level: None, reach: Reach::All };
                let turned = Box::new((rotation, Int::Const(turns as i32)));
                let part = with(self, Chosen::Turned(turns))?;
                result = join(Bool::Compare(Compare::Equal, turned), part, result);
            }
            return Ok(Some(result));
        }
        let (from, to) = self.ends_of(open, call)?;
        let mut result = otherwise(self)?;
        let mut directions = self.world.topology.supported(Direction::All).to_vec();
        // The first direction that fits counts, but the last one for `ahead`.
        if call.name() != Name::Ahead {
            directions.reverse();
        }
        for direction in directions {
            let rays = self.rays_in(direction);
            let (from, to) = (Box::new(from.clone()), Box::new(to.clone()));
            let part = with(self, Chosen::Direction(direction))?;
            result = join(Bool::Leads { rays, from, to }, part, result);
        }
        Ok(Some(result))
    }

    /// The site of an `ahead` that names no direction, for whose piece a turn has to be assumed.
    /// The assumption is kept under the site, because there is no direction to keep it under.
    fn unsaid_direction(&self, call: &'c Call) -> Option<&'c Arg> {
        let is_unsaid = self.rules.features.layers.rotation
            && call.name() == Name::Ahead
            && !call.has(Label::Directions);
        let site = is_unsaid.then(|| call.arg(Label::Site)).flatten();
        site.filter(|site| self.chosen(site).is_none())
    }

    /// The first part of an expression for directions without an assumption.
    fn open_in(&self, arg: &'c Arg) -> Option<&'c Arg> {
        match self.chosen(arg) {
            Some(Chosen::Branch(first)) => {
                let label = if first { Label::Then } else { Label::Else };
                return self.open_in(arg.as_call()?.arg(label)?);
            }
            Some(Chosen::Direction(_) | Chosen::Turned(_) | Chosen::Drawn(_)) => return None,
            None => {}
        }
        let Value::Call(call) = &arg.value else {
            return (is_dynamic(arg) || self.is_turned(arg)).then_some(arg);
        };
        match call.name() {
            Name::If | Name::DirectionsRandom => Some(arg),
            Name::Directions => (is_dynamic(arg) || self.is_turned(arg)).then_some(arg),
            Name::Union | Name::Difference => {
                let mut parts = call.args.iter();
                parts.find_map(|part| self.open_in(part))
            }
            _ => None,
        }
    }

    /// True if an expression means directions that depend on how often a piece has been turned.
    fn is_turned(&self, arg: &Arg) -> bool {
        self.rules.features.layers.rotation
            && words(arg).iter().any(|word| matches!(word, DirectionWord::Relative(_)))
    }

    /// The site of the piece that directions are relative to.
    fn turner(&mut self, open: &'c Arg, around: &'c Call) -> Lowered<Int> {
        match around.name().as_effect() {
            Name::Ahead => self.int_at(around, Label::Site),
            Name::Step | Name::Slide | Name::Hop => {
                let origin = self.origin(around.call(Label::From), Int::Iter(Iter::From))?;
                Ok(origin.map_or(Int::Const(-1), |(site, _)| site))
            }
            _ => Err(super::unsupported_use(open, "a direction of a piece that turns, here,")),
        }
    }

    /// The sites that a direction leads from and to.
    fn ends_of(&mut self, open: &'c Arg, around: &Call) -> Lowered<(Int, Int)> {
        if let Some(call) = open.as_call().filter(|c| c.find(Label::From).is_some()) {
            return Ok((self.int(need(call, Label::From)?)?, self.int(need(call, Label::To)?)?));
        }
        let name = match open.as_call() {
            Some(call) => call.items(Label::List).first().and_then(Arg::as_constant),
            None => open.as_constant(),
        };
        let (mut from, mut to) = (Int::LastFrom, Int::LastTo);
        if around.name() == Name::Ahead {
            // In these ludemes the sites of the move that is being looked for come first.
            let bound = |iter: Iter, last: Int| {
                let unbound =
                    Bool::Compare(Compare::Less, Box::new((Int::Iter(iter), Int::Const(0))));
                Int::If(Box::new((unbound, last, Int::Iter(iter))))
            };
            (from, to) = (bound(Iter::From, from), bound(Iter::To, to));
        }
        Ok(if name == Some(Word::OppositeDirection) { (to, from) } else { (from, to) })
    }
}

/// True if an expression means a direction between sites that depend on the state.
fn is_dynamic(arg: &Arg) -> bool {
    let dynamic = [Relative::SameDirection, Relative::OppositeDirection];
    match arg.as_call() {
        Some(call) if call.find(Label::From).is_some() => true,
        _ => matches!(words(arg)[..], [DirectionWord::Relative(r)] if dynamic.contains(&r)),
    }
}

/// A word for directions.
enum DirectionWord {
    /// An absolute direction.
    Absolute,
    /// A direction as seen by a piece.
    Relative(Relative),
}

/// The words of an expression for directions; without any it means `Forward`.
fn words(arg: &Arg) -> Vec<DirectionWord> {
    let word = |word: Word| match (Direction::named(word), relative_named(word)) {
        (None, Some(relative)) => DirectionWord::Relative(relative),
        _ => DirectionWord::Absolute,
    };
    match arg.as_call() {
        Some(call) if call.find(Label::List).is_some() => {
            call.items(Label::List).iter().filter_map(Arg::as_constant).map(word).collect()
        }
        Some(_) => vec![DirectionWord::Relative(Relative::Forward)],
        None => arg.as_constant().map(word).into_iter().collect(),
    }
}
