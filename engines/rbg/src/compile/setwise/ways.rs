//! Ways: where walks lead from where a set-wise generator begins, and by which set operations.

use super::{
    Asked, GeneratorBuilder, MOST_TESTS, MOST_WAYS, OpChain, PathFacts, RelativeCell, stands,
};
use crate::bits::Bits;
use crate::formula::Formula;
use crate::program::{Pattern, Step};
use crate::rays::RaySet;
use crate::set_ops::{Chains, MOST_CLASSES, SetOp};

impl<const W: usize> GeneratorBuilder<'_, W> {
    /// Where a walk leads from the ends of ways.
    pub(super) fn ways(
        &mut self,
        walk: u32,
        from: &[OpChain<W>],
        lane: &PathFacts,
    ) -> Option<Vec<OpChain<W>>> {
        let steps = self.compiler.walks[walk as usize].clone();
        self.walk(&steps, from.to_vec(), lane)
    }

    pub(super) fn walk(
        &mut self,
        steps: &[Step<W>],
        from: Vec<OpChain<W>>,
        lane: &PathFacts,
    ) -> Option<Vec<OpChain<W>>> {
        let mut ways = from;
        for step in steps {
            let mut next = Vec::new();
            for way in ways {
                self.step(step, way, lane, &mut next)?;
                self.compiler.work += self.compiler.cells as u64;
            }
            ways = next;
            if ways.len() > MOST_WAYS || self.compiler.check().is_err() {
                return None;
            }
        }
        Some(ways)
    }

    fn step(
        &mut self,
        step: &Step<W>,
        mut way: OpChain<W>,
        lane: &PathFacts,
        out: &mut Vec<OpChain<W>>,
    ) -> Option<()> {
        match step {
            Step::Func(relation) | Step::Rel(relation) => {
                self.shift(*relation, None, &way, lane, out)
            }
            Step::Move { relation, class } => self.shift(*relation, Some(*class), &way, lane, out),
            Step::Terms(terms) => {
                terms.iter().try_for_each(|t| self.shift(t.relation, t.class, &way, lane, out))
            }
            Step::On(class) => {
                match stands(&lane.puts, way.at) {
                    Some(piece) if !self.compiler.classes[*class as usize].has(piece) => {
                        return Some(());
                    }
                    Some(_) => {}
                    None => {
                        let class = self.class(*class)?;
                        way.set_ops.push(SetOp::On(class));
                    }
                }
                way.class = Some(*class);
                out.push(way);
                Some(())
            }
            Step::Within(set) => {
                way.set_ops.push(SetOp::Within(set.words[0]));
                way.rows.iter_mut().for_each(|row| *row = row.and(*set));
                out.push(way);
                Some(())
            }
            Step::Rays(rays) => self.rays(rays, &way, lane, out),
            Step::Sum(walks) => {
                for walk in walks {
                    out.extend(self.walk(walk, vec![way.clone()], lane)?);
                }
                Some(())
            }
            Step::Guard { .. } => {
                out.push(way);
                Some(())
            }
            Step::Compare(compare) => {
                let this = &self.compiler.compares[*compare as usize];
                let fixed = [&this.left, &this.right].into_iter().all(|side| match side {
                    Formula::Number(_) => true,
                    Formula::Var(var) | Formula::Plus(var, _) => !lane.assigned.contains(var),
                    Formula::Count(_) | Formula::Long(_) => false,
                });
                way.set_ops.push(SetOp::If(*compare));
                fixed.then(|| out.push(way))
            }
            Step::Test { negated, pattern } => {
                let holds = match self.chains(*pattern, &way, lane)? {
                    Asked::Never => false,
                    Asked::Always => true,
                    Asked::Test(test) => {
                        way.set_ops.push(SetOp::Test { negated: *negated, test });
                        !*negated
                    }
                };
                if holds != *negated {
                    out.push(way);
                }
                Some(())
            }
            Step::Slide { relation, class, test_first } => {
                // What was put could be on its way.
                let relation = &self.compiler.relations[*relation as usize];
                let ((rows, _), line) = (relation.ray.as_ref()?, relation.line?);
                if !lane.puts.is_empty() {
                    return None;
                }
                for row in &mut way.rows {
                    *row = row.iter().fold(*row, |all, c| all.or(rows[usize::from(c)]));
                }
                let class = self.class(*class)?;
                (way.at, way.class) = (RelativeCell::Far, None);
                way.set_ops.push(SetOp::Slide { line, class, test_first: *test_first });
                out.push(way);
                Some(())
            }
            Step::Const(_) | Step::Flood { .. } | Step::Star(_) => None,
        }
    }

    fn rays(
        &mut self,
        rays: &RaySet<W>,
        way: &OpChain<W>,
        lane: &PathFacts,
        out: &mut Vec<OpChain<W>>,
    ) -> Option<()> {
        for ray in rays.iter() {
            let relation = &self.compiler.relations[ray.relation as usize];
            let (rows, _) = relation.ray.as_ref()?;
            let passes = &self.compiler.classes[ray.class as usize];
            // Nothing stands where it begins that it could pass, so that one beginning lies
            // before each end; and what was put is not on its way.
            let begins = self.begin.as_ref()?;
            let clear = way.at == RelativeCell::Near(0)
                && lane.puts.iter().all(|put| put.0 == RelativeCell::Near(0))
                && lane.slide.is_none()
                && begins.iter().all(|&piece| !passes.has(piece));
            if !clear {
                return None;
            }
            let fill = relation.line?;
            let rows = way
                .rows
                .iter()
                .map(|row| row.iter().fold(Bits::EMPTY, |all, c| all.or(rows[usize::from(c)])));
            let mut next = OpChain { rows: rows.collect(), ..way.clone() };
            next.at = RelativeCell::Far;
            next.class = if ray.hit { None } else { Some(ray.class) };
            let class = self.class(ray.class)?;
            next.set_ops.push(SetOp::Fill { fill, class, hit: ray.hit });
            out.push(next);
        }
        Some(())
    }

    /// A pattern as it is asked at the end of a way.
    fn chains(&mut self, pattern: u32, way: &OpChain<W>, lane: &PathFacts) -> Option<Asked> {
        let Pattern::Walk { forward, .. } = &self.compiler.patterns[pattern as usize] else {
            return None;
        };
        let steps = forward.clone();
        let ways = self.walk(&steps, vec![OpChain { set_ops: Vec::new(), ..way.clone() }], lane)?;
        let chains: Chains = ways.into_iter().map(|way| way.set_ops.into()).collect();
        let is_simple = |set_op: &SetOp| {
            matches!(set_op, SetOp::Within(_) | SetOp::On(_) | SetOp::Shift { .. })
        };
        if !chains.iter().all(|chain| chain.iter().all(is_simple)) {
            return None;
        }
        if chains.is_empty() {
            return Some(Asked::Never);
        }
        if chains.iter().any(|chain| chain.is_empty()) {
            return Some(Asked::Always);
        }
        let known = self.tests.iter().position(|test| *test == chains);
        let test = known.unwrap_or(self.tests.len());
        if known.is_none() {
            if test >= MOST_TESTS {
                return None;
            }
            self.tests.push(chains);
        }
        Some(Asked::Test(test as u8))
    }

    /// A relation, and a class to lead to.
    fn shift(
        &mut self,
        relation: u32,
        class: Option<u32>,
        way: &OpChain<W>,
        lane: &PathFacts,
        out: &mut Vec<OpChain<W>>,
    ) -> Option<()> {
        if way.at == RelativeCell::Far && !lane.puts.is_empty() {
            return None;
        }
        let steps = self.compiler.relations[relation as usize].steps.clone();
        if steps.is_empty() {
            return None;
        }
        for &(by, from) in &steps {
            let to = match way.at {
                RelativeCell::Near(at) => RelativeCell::Near(at + by),
                RelativeCell::Far => RelativeCell::Far,
            };
            let asked = match (class, stands(&lane.puts, to)) {
                (Some(class), Some(piece)) => {
                    if !self.compiler.classes[class as usize].has(piece) {
                        continue;
                    }
                    0
                }
                (Some(class), None) => self.class(class)?,
                (None, _) => 0,
            };
            let turn = by.rem_euclid(64) as u32;
            let rows = way.rows.iter().map(|row| {
                let word = (row.words[0] & from.words[0]).rotate_left(turn);
                let mut to = Bits::EMPTY;
                to.words[0] = word;
                to
            });
            let mut next = OpChain { at: to, class, rows: rows.collect(), ..way.clone() };
            next.set_ops.push(SetOp::Shift { turn, from: from.words[0], class: asked });
            out.push(next);
        }
        Some(())
    }

    /// The place of a class among those of the set-wise generator.
    fn class(&mut self, class: u32) -> Option<u8> {
        let known = self.classes[1..].iter().position(|&other| other == class);
        let place = known.map_or(self.classes.len(), |place| place + 1);
        if known.is_none() {
            if place >= MOST_CLASSES {
                return None;
            }
            self.classes.push(class);
        }
        Some(place as u8)
    }
}
