//! Moves that turn pieces, captures in the direction of the last move, and moves that are drawn by
//! lot.

use crate::board::Direction;
use crate::front::{Call, Label};
use crate::ir::{
    Bool, ByPiece, CompositeKind, Float, Int, Layer, LeafKind, Moves, Place, TrackChoice,
};

use super::attributes::rotation_numbers;
use super::choices::rotations;
use super::places::{fixed_flag, need, need_call};
use super::tracks::first_track;
use super::{Lower, Lowered, invalid, unsupported, unsupported_use};

/// The most parts that all weights together are divided into.
const WEIGHTS: f64 = 1_000_000.0;

impl<'c> Lower<'c> {
    /// `(move (from ..) (to .. (rotations ..)))`: every move once for each rotation at its end.
    pub(super) fn move_and_turn(&mut self, call: &'c Call) -> Lowered<Moves> {
        let to = need_call(call, Label::To)?;
        let rotations = need_call(to, Label::Rotations)?;
        if self.rules.simultaneous || self.world.components.iter().any(|c| !c.walks.is_empty()) {
            return Err(unsupported(rotations));
        }
        let numbers = rotation_numbers(&self.world, rotations);
        let kind = self.from_to(call)?;
        let moves = self.leaf(kind)?;
        Ok(CompositeKind::Turned(moves, numbers.into()).into())
    }

    /// `(set Rotation .. numbers)`: a move for each of the numbers, and those to both sides.
    pub(super) fn turns(&mut self, call: &'c Call) -> Lowered<Moves> {
        let turn = self.turn(call)?;
        let LeafKind::Turn { at, steps, .. } = &turn else { return Err(unsupported(call)) };
        let (at, turns) = (at.clone(), !steps.is_empty());
        let mut rotations = Vec::new();
        for number in call.items(Label::Directions) {
            let value = self.int(number)?;
            let (layer, at) = (Layer::Rotation, at.clone());
            rotations.push(self.leaf(LeafKind::SetLayer { layer, at, level: None, value })?);
        }
        if turns {
            rotations.push(self.leaf(turn)?);
        }
        Ok(Moves::All(rotations.into()))
    }

    /// A turn to both sides, or to one if the other is excluded.
    pub(super) fn turn(&mut self, call: &'c Call) -> Lowered<LeafKind> {
        let place = self.to(call.call(Label::To))?.place;
        let at = match place.unwrap_or(Place::Site(Int::Iter(crate::ir::Iter::From))) {
            Place::Site(site) => site,
            Place::Region(_) => return Err(unsupported(call)),
        };
        let mut steps = Vec::new();
        for (label, step) in [(Label::Previous, -1), (Label::Next, 1)] {
            if fixed_flag(call, label, true)? {
                steps.push(step);
            }
        }
        Ok(LeafKind::Turn { at, steps: steps.into(), full: rotations(&self.world) as i32 })
    }

    /// `(directional ..)` in the direction of the last move: of all directions that lead to its
    /// end, the first.
    pub(super) fn along_last_move(&mut self, call: &'c Call) -> Lowered<Moves> {
        let mut moves_by_direction = Moves::None;
        let ways = self.world.topology.supported(Direction::All).to_vec();
        for direction in ways.into_iter().rev() {
            // Many directions nest deeply, so they count towards the generators of a game.
            self.needs.new_leaf()?;
            let rays = self.rays_in(direction);
            let moves = self.directional(call, ByPiece::Same(rays))?.into();
            let (from, to) = (Box::new(Int::LastFrom), Box::new(Int::LastTo));
            moves_by_direction =
                Moves::If(Box::new((Bool::Leads { rays, from, to }, moves, moves_by_direction)));
        }
        Ok(moves_by_direction)
    }

    /// `(random ..)`: the moves of one generator by weight, or some moves of one.
    pub(super) fn random(&mut self, call: &'c Call) -> Lowered<CompositeKind> {
        let list = need(call, Label::Moves)?;
        if !call.has(Label::Weights) {
            return Ok(CompositeKind::Some(self.moves(list)?, self.int_at(call, Label::Num)?));
        }
        let mut weights = Vec::new();
        for item in call.items(Label::Weights) {
            match self.float(item)? {
                Float::Const(weight) if weight >= 0.0 && weight.is_finite() => {
                    weights.push(f64::from(weight));
                }
                Float::Const(_) => {
                    return Err(invalid(item, "wrong-number", "a weight is 0 or more"));
                }
                _ => return Err(unsupported_use(item, "a computed weight")),
            }
        }
        let items = list.items();
        if weights.len() != items.len() {
            let text = format!("{} weights for {} generators", weights.len(), items.len());
            return Err(invalid(need(call, Label::Weights)?, "uneven-counts", text));
        }
        let parts = in_parts(&weights);
        let moves = items.iter().map(|item| self.moves(item)).collect::<Lowered<Vec<_>>>()?;
        Ok(CompositeKind::OneOf(parts.into_iter().zip(moves).collect()))
    }

    /// The track of a slot that names it, or a player, or nothing; in the last case that of the
    /// mover.
    pub(super) fn track_of(&mut self, call: &'c Call) -> Lowered<TrackChoice> {
        let who = call.find(Label::Who);
        match who.map(|arg| (arg, arg.as_text())) {
            None => Ok(first_track(&self.world, None, Some(Int::Mover))),
            Some((_, Some(name))) => Ok(first_track(&self.world, Some(name), None)),
            Some((arg, None)) => {
                let player = self.who(arg)?;
                Ok(first_track(&self.world, None, Some(player)))
            }
        }
    }
}

/// Weights as whole numbers: the smallest exact ones if there are any, else approximate ones.
fn in_parts(weights: &[f64]) -> Vec<u32> {
    let total: f64 = weights.iter().sum();
    if total <= 0.0 {
        return vec![0; weights.len()];
    }
    let scaled = |factor: f64| weights.iter().map(move |weight| weight * factor);
    let is_whole = |factor: &f64| {
        scaled(*factor).all(|part| (part - part.round()).abs() < 1e-4 * factor.min(1.0))
    };
    let small = (1..=100).map(f64::from).find(is_whole).filter(|factor| total * factor < WEIGHTS);
    let factor = small.unwrap_or(WEIGHTS / total);
    scaled(factor).map(|part| part.round() as u32).collect()
}

#[cfg(test)]
mod tests {
    use super::in_parts;

    #[test]
    fn weights_become_whole_numbers() {
        assert_eq!(in_parts(&[0.5, 0.25, 0.25]), [2, 1, 1]);
        assert_eq!(in_parts(&[f64::from(0.1f32), f64::from(0.9f32)]), [1, 9]);
        assert_eq!(in_parts(&[3.0, 1.0]), [3, 1]);
        assert_eq!(in_parts(&[0.0, 0.0]), [0, 0]);
        assert_eq!(in_parts(&[1e9, 1e9]), [500_000, 500_000]);
    }
}
