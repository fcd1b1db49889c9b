//! Loops and alternatives that only test, as code over sets.

use std::rc::Rc;

use kernel::build::CodeBuilder;
use kernel::ir::{Expr as Code, Local, Type};

use super::conditions::code_of;
use super::functions::arguments;
use super::regions::inner;
use super::tables::set_var;
use super::terms::{Elements, Env, Term};
use super::walk::{Compiler, Goal, Stop};
use super::writer::Writer;
use crate::automaton::{Edge, Label, NodeId, Slot};

impl Compiler<'_> {
    /// Writes a loop of the automaton: first the set of all values that its one variable can come
    /// to have where it begins, then the walks out of it with each of these. That is what the
    /// language says: walks that meet with equal tags and values go on as one.
    pub(super) fn flood(
        &mut self,
        w: &mut Writer,
        header: NodeId,
        loop_of: usize,
        mut env: Env,
        goal: &Goal,
    ) -> Result<(), Stop> {
        if goal.is_in_loop() {
            return Err(Stop::Unsupported("a loop in a loop"));
        }
        let variables = self.loop_variables(header, loop_of, goal)?;
        let all = match variables.as_slice() {
            &[slot] => self.begins_with_all(header, &env, slot, goal),
            _ => None,
        };
        match all {
            Some(_) => {
                env.elements = None;
                env.cells.clear();
            }
            None if env.elements.is_some() && matches!(goal, Goal::Collect(..)) => {
                return Err(Stop::NeedsElement);
            }
            None => self.go_through(w, &mut env),
        }
        let exit = Goal::Exit { header, loop_of, then: Rc::new(goal.clone()) };
        let &[slot] = variables.as_slice() else {
            if variables.is_empty() {
                return self.walk(w, header, env, &exit);
            }
            return Err(Stop::Unsupported("a loop of several variables"));
        };
        if !self.rules.automaton.variables[slot].shape.keys.is_empty() {
            return Err(Stop::Unsupported("a loop that assigns a map"));
        }
        let possible = self.map.ranges.at(header, slot);
        let domain: Vec<i32> = (0..self.map.symbols.len() as i32)
            .filter(|&number| possible[usize::from(self.map.symbols[number as usize])])
            .collect();
        if !domain.iter().all(|&number| self.tables.holds(number)) {
            return Err(Stop::Unsupported("a loop over values that no set holds"));
        }
        let domain: Rc<[i32]> = domain.into();
        let start = match all {
            Some(all) => all,
            None => Code::single(code_of(&self.variable(w, &mut env, slot))?),
        };
        let reached = set_var(w, start);
        let frontier = set_var(w, reached.get());
        let depth = w.depth();
        w.open_while(frontier.get().is_inhabited());
        let next = set_var(w, Code::NoSites);
        let again = Goal::Again { header, loop_of, slot, reached: next };
        let round = self.over(&env, slot, frontier, &domain);
        self.walk(w, header, round, &again)?;
        w.close_to(depth + 1);
        w.set(frontier, next.get().without(reached));
        w.set(reached, reached.get() | next.get());
        w.close_to(depth);
        let out = self.over(&env, slot, reached, &domain);
        self.walk(w, header, out, &exit)
    }

    /// The values with which a loop begins, if it can begin with those of all elements at once:
    /// nothing else tells the walks of different elements apart.
    fn begins_with_all(
        &mut self,
        header: NodeId,
        env: &Env,
        slot: Slot,
        goal: &Goal,
    ) -> Option<Code> {
        let Elements { set, domain } = env.elements.as_ref()?;
        if matches!(goal, Goal::Collect(..)) {
            return None;
        }
        let mut env = self.trimmed(header, env, goal);
        let Some(Term::OfElement(function)) = env.assigned.remove(&slot) else { return None };
        if env.uses_elements() {
            return None;
        }
        self.tables.image(&mut self.program, *set, &function, domain)
    }

    /// Passes a test that some element passes, if it does not matter behind it which; false if it
    /// does.
    pub(super) fn some_element_passes(
        &mut self,
        w: &mut Writer,
        edge: &Edge,
        env: &mut Env,
        goal: &Goal,
    ) -> bool {
        let Label::Test { from, to, negated: false } = edge.label else { return false };
        if !matches!(goal, Goal::Reach(_))
            || env.elements.is_none()
            || from == to
            || self.trimmed(edge.to, env, goal).uses_elements()
        {
            return false;
        }
        let mut inside = self.trimmed(from, env, &Goal::Reach(to));
        inside.settle(w);
        if !inside.uses_elements() {
            return false;
        }
        let nested = self.nested;
        let Ok(function) = self.tested(from, to, &inside, Type::Int) else {
            self.nested = nested;
            return false;
        };
        env.elements = None;
        *env = self.trimmed(edge.to, env, goal);
        w.open_if(function.call(arguments(&inside)));
        true
    }

    /// The environment in which a variable has each of the values in a set.
    pub(super) fn over(&self, env: &Env, slot: Slot, set: Local, domain: &Rc<[i32]>) -> Env {
        let mut env = env.clone();
        let mut identity = vec![-1; self.map.symbols.len()];
        domain.iter().for_each(|&number| identity[number as usize] = number);
        env.loaded.remove(&slot);
        env.assigned.insert(slot, Term::OfElement(identity.into()));
        env.elements = Some(Elements { set, domain: Rc::clone(domain) });
        env
    }

    /// The variables that a loop changes and reads again.
    fn loop_variables(
        &self,
        header: NodeId,
        loop_of: usize,
        goal: &Goal,
    ) -> Result<Vec<Slot>, Stop> {
        let automaton = &self.rules.automaton;
        let mut variables = Vec::new();
        for node in 0..automaton.nodes.len() {
            if self.regions.loop_of(node) != Some(loop_of) {
                continue;
            }
            for edge in inner(automaton, node) {
                if self.regions.loop_of(edge.to) != Some(loop_of) {
                    continue;
                }
                match &edge.label {
                    Label::Assign { target, .. } | Label::AssignAny { target, .. } => {
                        if !target.keys.is_empty() {
                            return Err(Stop::Unsupported("a loop that writes to a map"));
                        }
                        variables.push(target.slot);
                    }
                    Label::Tag(_) | Label::TagVariable(_) if matches!(goal.last(), Goal::Moves) => {
                        return Err(Stop::Unsupported("a loop with tags"));
                    }
                    _ => {}
                }
            }
        }
        variables.sort_unstable();
        variables.dedup();
        variables.retain(|&slot| self.rules.liveness.is_live(header, slot));
        Ok(variables)
    }

    /// Writes alternatives that only test and lead to one node, as one condition.
    pub(super) fn either(
        &mut self,
        w: &mut Writer,
        node: NodeId,
        join: NodeId,
        env: &mut Env,
    ) -> Result<(), Stop> {
        if let Some(elements) = &env.elements {
            let some = set_var(w, Code::NoSites);
            let domain = Rc::clone(&elements.domain);
            let depth = w.depth();
            let nested = self.nested;
            let result = self.any_path(w, node, join, env, some);
            w.close_to(depth);
            match result {
                Err(Stop::NeedsElement) => {
                    self.nested = nested;
                    self.go_through(w, env);
                }
                Err(other) => return Err(other),
                Ok(()) => {
                    env.elements = Some(Elements { set: some, domain });
                    return Ok(());
                }
            }
        }
        if let Some(pattern) = self.pattern(w, env, node, join) {
            w.open_if(pattern);
            return Ok(());
        }
        let passes = w.var(Type::Int, 0);
        let depth = w.depth();
        self.any_path(w, node, join, env, passes)?;
        w.close_to(depth);
        w.open_if(passes.get());
        Ok(())
    }

    /// Writes all paths from one node to another, which only test; `passes` becomes 1, or gets the
    /// elements that pass.
    fn any_path(
        &mut self,
        w: &mut Writer,
        node: NodeId,
        join: NodeId,
        env: &Env,
        passes: Local,
    ) -> Result<(), Stop> {
        self.budget = self.budget.checked_sub(1).ok_or(Stop::Unsupported("too much code"))?;
        if node == join {
            match &env.elements {
                Some(elements) => w.set(passes, passes.get() | elements.set.get()),
                None => w.set(passes, 1),
            }
            return Ok(());
        }
        let depth = w.depth();
        for edge in &self.rules.automaton.nodes[node].edges {
            let mut env = env.clone();
            let condition = self.condition(w, &mut env, &edge.label)?;
            if env.narrow(w, condition) {
                self.any_path(w, edge.to, join, &env, passes)?;
            }
            w.close_to(depth);
        }
        Ok(())
    }
}
