//! Jumps over pieces.

use crate::front::{Call, Label, Name};
use crate::ir::{Apply, Bool, ByPiece, Fold, Hop, Int, Iter, LeafKind};

use super::features::Feature;
use super::places::fixed_flag;
use super::{Lower, Lowered, unsupported};

impl<'c> Lower<'c> {
    /// A hop over one neighbour onto the site behind it, as a move to fixed targets. Both ends
    /// determine the site jumped over, and so the conditions on it and the effects. `None` for
    /// other hops, and if the rules later read the sites that the last move passed over.
    pub(super) fn short_hop(&mut self, call: &'c Call) -> Lowered<Option<LeafKind>> {
        let Some(between) = call.call(Label::Between) else { return Ok(None) };
        let parts = || [Some(between), call.call(Label::To)].into_iter().flatten();
        let short =
            ![Label::Before, Label::After, Label::Range].iter().any(|&label| between.has(label))
                && !parts().any(|part| part.all().skip(1).any(names_between));
        if self.rules.has(Feature::AsksBetween) || !short || fixed_flag(call, Label::Stack, false)?
        {
            return Ok(None);
        }
        let ByPiece::Same(rays) = self.rays(call.arg(Label::Directions))? else { return Ok(None) };
        let sites = self.world.sites();
        // Every such hop has a table of pairs of sites.
        if sites * sites * (self.needs.leaves + 1) > MAX_PAIRS {
            return Ok(None);
        }
        let mut over = vec![-1; sites * sites];
        let mut targets = vec![Vec::new(); sites];
        for (from, rays) in self.tables.rays.items[rays.0 as usize].0.iter().enumerate() {
            for ray in rays {
                let [middle, to, ..] = ray[..] else { continue };
                let middle_of_pair = &mut over[from * sites + usize::from(to)];
                // A second way over another neighbour would be a second move.
                if *middle_of_pair >= 0 {
                    return Ok(None);
                }
                *middle_of_pair = i32::from(middle);
                targets[from].push(to);
            }
        }
        let scaled = [Int::Iter(Iter::From), Int::Const(sites as i32)];
        let scaled = Int::Fold(Fold::Product, Box::new(scaled));
        let pair = Int::Fold(Fold::Sum, Box::new([scaled, Int::Iter(Iter::To)]));
        let middle = Int::Table(Box::new((over.into(), pair)));
        let Some((from, from_condition)) =
            self.origin(call.call(Label::From), Int::Iter(Iter::From))?
        else {
            return Ok(None);
        };
        let outer = self.scope.middle.replace(middle);
        let parts = self.short_hop_parts(call, between);
        self.scope.middle = outer;
        let Some((condition, apply)) = parts? else { return Ok(None) };
        Ok(Some(LeafKind::Jump {
            jumps: ByPiece::Same(self.tables.jump(targets)),
            from,
            from_condition,
            condition: Some(condition),
            apply,
            keep: false,
            stack: false,
            level: None,
        }))
    }

    /// The condition of a hop on both sites, and the effect on the first; `None` if there is an
    /// effect on the second.
    fn short_hop_parts(
        &mut self,
        call: &'c Call,
        between: &'c Call,
    ) -> Lowered<Option<(Bool, Option<Apply>)>> {
        let to = self.to(call.call(Label::To))?;
        let hurdle = self.bool_or(between, Label::If, false)?;
        let apply = between.call(Label::Apply).map(|a| self.apply(a)).transpose()?;
        let Some(go) = to.condition else { return Err(unsupported(call)) };
        let conditional = apply.as_ref().is_some_and(|apply| apply.condition.is_some());
        if to.apply.is_some() || conditional {
            return Ok(None);
        }
        Ok(Some((Bool::And(Box::new([hurdle, go])), apply)))
    }

    pub(super) fn hop(&mut self, call: &'c Call) -> Lowered<Option<Hop>> {
        let to = self.to(call.call(Label::To))?;
        let Some((from, from_condition)) =
            self.origin(call.call(Label::From), Int::Iter(Iter::From))?
        else {
            return Ok(None);
        };
        let between = call.call(Label::Between);
        let part = |label: Label| between.filter(|b| b.has(label));
        let before = match part(Label::Before) {
            Some(between) => self.int_at(between, Label::Before)?,
            None => Int::Const(0),
        };
        let after = match part(Label::After) {
            Some(between) => self.int_at(between, Label::After)?,
            None => Int::Const(0),
        };
        let range = match between.and_then(|b| b.call(Label::Range)) {
            Some(range) => self.range(range)?,
            None => (Int::Const(1), Int::Const(1)),
        };
        let hurdle = match between {
            None => Bool::Const(true),
            Some(between) => self.bool_or(between, Label::If, false)?,
        };
        let hurdle_apply =
            between.and_then(|b| b.call(Label::Apply)).map(|a| self.apply(a)).transpose()?;
        let jumps = self.jumps(call.arg(Label::Directions))?;
        let rays = self.rays(call.arg(Label::Directions))?;
        let stack = fixed_flag(call, Label::Stack, false)?;
        let Some(go) = to.condition else { return Err(unsupported(call)) };
        Ok(Some(Hop {
            id: self.needs.new_leaf()?,
            rays,
            jumps,
            from,
            from_condition,
            before,
            after,
            range,
            hurdle,
            hurdle_apply,
            go,
            apply: to.apply,
            stack,
        }))
    }
}

/// The most pairs of sites, for all generators up to a hop, for which tables are made.
const MAX_PAIRS: usize = 1 << 21;

/// True if `(between)` in a call means another site than in the ludeme around it.
fn names_between(call: &Call) -> bool {
    call.name() == Name::Between && !call.args.is_empty() || call.name() == Name::SitesBetween
}
