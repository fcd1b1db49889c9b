//! Nodes where walks part: several edges, and any value of a set.

use kernel::build::CodeBuilder;
use kernel::ir::{Expr as Code, Type};

use super::conditions::Condition;
use super::tables::set_var;
use super::terms::{Env, Term};
use super::walk::{Compiler, Goal, MAX_NESTED, Stop};
use super::writer::Writer;
use crate::automaton::{Edge, Label};

/// The most members of a set that are gone through one by one when the code is written.
const MAX_UNROLLED: usize = 8;

impl Compiler<'_> {
    /// Writes each of several edges, one after another.
    pub(super) fn alternatives(
        &mut self,
        w: &mut Writer,
        edges: &[Edge],
        env: &Env,
        goal: &Goal,
    ) -> Result<(), Stop> {
        if self.nested == MAX_NESTED {
            return Err(Stop::Unsupported("too many nested alternatives"));
        }
        self.nested += 1;
        let depth = w.depth();
        if let [one, other] = edges
            && one.label.is_complement(&other.label)
            && env.elements.is_none()
            && !edges.iter().any(|edge| goal.is_left_by(self.regions, edge.to))
        {
            return self.one_of_two(w, edges, env.clone(), goal);
        }
        for edge in edges {
            if goal.is_left_by(self.regions, edge.to) {
                continue;
            }
            if let Label::AssignAny { .. } = edge.label {
                self.any(w, edge, env.clone(), goal)?;
            } else {
                let mut env = env.clone();
                if !self.ends(w, edge, &mut env, goal)?
                    && self.pass(w, &edge.label, &mut env, goal)?
                {
                    self.walk(w, edge.to, env, goal)?;
                }
            }
            w.close_to(depth);
        }
        self.nested -= 1;
        Ok(())
    }

    /// Writes two edges of which exactly one passes.
    pub(super) fn one_of_two(
        &mut self,
        w: &mut Writer,
        edges: &[Edge],
        mut env: Env,
        goal: &Goal,
    ) -> Result<(), Stop> {
        let depth = w.depth();
        let (first, second) = match self.condition(w, &mut env, &edges[0].label)? {
            Condition::Known(known) => (Code::Int(i32::from(known)), Code::Int(i32::from(!known))),
            Condition::If(code) => {
                let holds = w.var(Type::Int, code);
                (holds.get(), !holds.get())
            }
            Condition::For(..) => return Err(Stop::NeedsElement),
        };
        for (edge, holds) in edges.iter().zip([first, second]) {
            let is_again = matches!(goal, Goal::Again { header, .. } if edge.to == *header);
            let is_left = matches!(goal, Goal::Exit { header, .. } if edge.to == *header);
            if holds == Code::Int(0) || is_left {
                continue;
            }
            w.open_if(holds);
            match goal {
                Goal::Again { slot, reached, .. } if is_again => {
                    self.collect(w, &env, *slot, *reached)?;
                }
                _ => self.walk(w, edge.to, env.clone(), goal)?,
            }
            w.close_to(depth);
        }
        self.nested -= 1;
        Ok(())
    }

    /// Writes an edge that gives a variable any value of a set.
    pub(super) fn any(
        &mut self,
        w: &mut Writer,
        edge: &Edge,
        mut env: Env,
        goal: &Goal,
    ) -> Result<(), Stop> {
        let Label::AssignAny { target, set } = &edge.label else { return Ok(()) };
        let numbers: Vec<i32> = self.rules.automaton.sets[*set]
            .members
            .iter()
            .map(|member| self.map.numbers[member.index()])
            .collect();
        let depth = w.depth();
        let is_whole = target.keys.is_empty();
        let fits = numbers.iter().all(|&number| self.tables.holds(number));
        let is_many = numbers.len() > if self.are_keys(&numbers) { 2 } else { MAX_UNROLLED };
        if is_many && is_whole && fits {
            if env.elements.is_some() {
                if matches!(goal, Goal::Collect(..)) {
                    return Err(Stop::NeedsElement);
                }
                self.go_through(w, &mut env);
            }
            let all = self.tables.set(&mut self.program, numbers.iter().copied());
            let set = set_var(w, all);
            let mut domain = numbers;
            domain.sort_unstable();
            let env = self.over(&env, target.slot, set, &domain.into());
            self.walk(w, edge.to, env, goal)?;
        } else if numbers.len() <= 4 * MAX_UNROLLED {
            for number in numbers {
                let mut env = env.clone();
                self.assign(w, target, Term::Constant(number), &mut env, goal)?;
                self.walk(w, edge.to, env, goal)?;
                w.close_to(depth);
            }
        } else {
            if matches!(goal, Goal::Collect(..)) {
                return Err(Stop::NeedsElement);
            }
            if env.elements.is_some() {
                self.go_through(w, &mut env);
            }
            let table = self.tables.ints(&mut self.program, &numbers);
            let at = w.open_count(numbers.len() as i32);
            let value = w.var(Type::Int, table.at(at));
            self.assign(w, target, Term::Local(value), &mut env, goal)?;
            self.walk(w, edge.to, env, goal)?;
        }
        w.close_to(depth);
        Ok(())
    }

    /// True if these are keys of a board.
    fn are_keys(&self, numbers: &[i32]) -> bool {
        let automaton = &self.rules.automaton;
        let boards = automaton.variables.iter().zip(&self.map.places);
        boards.filter(|(_, place)| place.board.is_some()).any(|(variable, _)| {
            let keys = &automaton.sets[variable.shape.keys[0]];
            numbers.iter().all(|&number| keys.is_key(self.map.symbols[number as usize]))
        })
    }
}
