//! Directions that only the state decides: the ludeme around them is lowered once for every direction
//! that they can mean, behind a condition that tells which one it is.

use crate::board::{Direction, Relative};
use crate::front::{Arg, Call, Value};
use crate::ir::{Bool, Int, Iter};

use super::places::need;
use super::{Lower, Lowered};

/// What a direction that only the state decides is taken to be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Chosen {
    /// The first or the second part of an `if`.
    Branch(bool),
    /// A direction of the board.
    Direction(Direction),
}

/// Distinct directions that a ludeme may be lowered for, one inside another.
const MOST_NESTED: usize = 4;

impl<'c> Lower<'c> {
    /// What was chosen for a direction.
    pub(super) fn chosen(&self, arg: &Arg) -> Option<Chosen> {
        self.choices.iter().find(|(known, _)| std::ptr::eq(*known, arg)).map(|(_, chosen)| *chosen)
    }

    /// Lowers a ludeme whose directions depend on the state; `None` where they do not.
    pub(super) fn by_direction<T>(
        &mut self,
        call: &'c Call,
        lower: impl Fn(&mut Self, &'c Call) -> Lowered<T>,
        join: impl Fn(Bool, T, T) -> T,
        otherwise: impl FnOnce(&mut Self) -> Lowered<T>,
    ) -> Lowered<Option<T>> {
        let mut slots = call.args.iter().filter(|a| matches!(a.label, "directions" | "direction"));
        let Some(open) = slots.find_map(|a| self.open_in(a)) else { return Ok(None) };
        if self.choices.len() >= MOST_NESTED {
            return Err(super::unsupported_use(open, "a direction that depends on so much"));
        }
        let with = |lowerer: &mut Self, chosen: Chosen| {
            lowerer.choices.push((open, chosen));
            let result = lower(lowerer, call);
            lowerer.choices.pop();
            result
        };
        if let Some(fork) = open.as_call().filter(|c| c.name() == "if") {
            let condition = self.bool_at(fork, "condition")?;
            let (a, b) = (with(self, Chosen::Branch(true))?, with(self, Chosen::Branch(false))?);
            return Ok(Some(join(condition, a, b)));
        }
        let (from, to) = self.ends_of(open, call)?;
        let mut result = otherwise(self)?;
        let mut directions = self.world.topology.supported(Direction::All).to_vec();
        // The first that fits counts, but the last one for `ahead`.
        if call.name() != "ahead" {
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

    /// The first part of an expression for directions that is not decided yet.
    fn open_in(&self, arg: &'c Arg) -> Option<&'c Arg> {
        let Value::Call(call) = &arg.value else {
            return (is_dynamic(arg.as_constant()?) && self.chosen(arg).is_none()).then_some(arg);
        };
        match self.chosen(arg) {
            Some(Chosen::Branch(first)) => {
                return self.open_in(call.arg(if first { "then" } else { "else" })?);
            }
            Some(Chosen::Direction(_)) => return None,
            None => {}
        }
        let has = |label: &str| call.args.iter().any(|a| a.label == label);
        match call.name() {
            "if" => Some(arg),
            "directions" if has("from") => Some(arg),
            "directions" if has("list") => {
                let list = call.items("list");
                let one = list.len() == 1 && list[0].as_constant().is_some_and(is_dynamic);
                one.then_some(arg)
            }
            "union" | "difference" => {
                let mut parts = call.args.iter();
                parts.find_map(|part| self.open_in(part))
            }
            _ => None,
        }
    }

    /// The sites that a direction leads from and to.
    fn ends_of(&mut self, open: &'c Arg, around: &Call) -> Lowered<(Int, Int)> {
        if let Some(call) = open.as_call().filter(|c| c.args.iter().any(|a| a.label == "from")) {
            return Ok((self.int(need(call, "from")?)?, self.int(need(call, "to")?)?));
        }
        let name = match open.as_call() {
            Some(call) => call.items("list").first().and_then(Arg::as_constant),
            None => open.as_constant(),
        };
        let (mut from, mut to) = (Int::LastFrom, Int::LastTo);
        if around.name() == "ahead" {
            // Only here the sites of the move that is being looked for come first.
            let bound = |iter: Iter, last: Int| {
                let unbound = Bool::Compare(
                    crate::ir::Compare::Less,
                    Box::new((Int::Iter(iter), Int::Const(0))),
                );
                Int::If(Box::new((unbound, last, Int::Iter(iter))))
            };
            (from, to) = (bound(Iter::From, from), bound(Iter::To, to));
        }
        Ok(if name == Some("OppositeDirection") { (to, from) } else { (from, to) })
    }
}

/// Whether a word means a direction that only the last move decides.
fn is_dynamic(name: &str) -> bool {
    let dynamic = [Relative::SameDirection, Relative::OppositeDirection];
    Direction::named(name).is_none() && Relative::named(name).is_some_and(|r| dynamic.contains(&r))
}
