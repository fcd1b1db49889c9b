//! Parts of walks, and tests, as functions of their own.

use kernel::build::CodeBuilder;
use kernel::ir::{Expr as Code, FunctionId, Local, Type};

use super::regions::inner;
use super::tables::set_var;
use super::terms::{Alias, Env, EnvKey, Said, Source, Term, is_identity};
use super::walk::{Compiler, Goal, MAX_NESTED, Stop};
use super::writer::Writer;
use crate::automaton::{Label, NodeId};

/// The functions of one node that know values of variables, before there is one that does not.
const MAX_FORMS: usize = 8;

/// The functions of one node for elements that were moved in different ways, and the most nodes that
/// such functions may have.
const MAX_MOVED_FORMS: usize = 16;
const MAX_MOVED_NODES: usize = 24;

/// The most edges of a path without alternatives that is written anew wherever it begins.
const MAX_TAIL: usize = 12;

/// The key of a function: equal keys share one function.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct FunctionKey {
    node: NodeId,
    goal: GoalKey,
    env: EnvKey,
}

/// The key of the goal of a function.
#[derive(PartialEq, Eq, Hash)]
pub(super) enum GoalKey {
    Moves {
        dedupes: bool,
    },
    /// A part of a test.
    Reach(NodeId),
    /// A test from its beginning.
    Test(NodeId),
    Collect(NodeId),
}

impl Compiler<'_> {
    /// True if a path without alternatives leads from a node to the end of a move, which can be
    /// written wherever it is needed; conditions may be on it.
    pub(super) fn is_tail(&self, mut node: NodeId) -> bool {
        for _ in 0..MAX_TAIL {
            let [edge] = self.rules.automaton.nodes[node].edges.as_slice() else { return false };
            match edge.label {
                Label::Assign { .. } if edge.label.ends_move() => return true,
                Label::Test { .. } | Label::AssignAny { .. } => return false,
                _ => {}
            }
            node = edge.to;
        }
        false
    }

    /// True if few nodes lie between a node and the end of the move.
    pub(super) fn is_short(&self, node: NodeId) -> bool {
        let mut nodes = vec![node];
        let mut at = 0;
        while at < nodes.len() && nodes.len() <= MAX_MOVED_NODES {
            for edge in inner(&self.rules.automaton, nodes[at]) {
                if !nodes.contains(&edge.to) {
                    nodes.push(edge.to);
                }
            }
            at += 1;
        }
        nodes.len() <= MAX_MOVED_NODES
    }

    /// Calls a function of its own for the walks from a node.
    pub(super) fn call(
        &mut self,
        w: &mut Writer,
        node: NodeId,
        env: &Env,
        goal: &Goal,
    ) -> Result<(), Stop> {
        let mut env = self.trimmed(node, env, goal);
        env.settle(w);
        let mut is_moved = false;
        env.each_term(&mut |term| {
            is_moved |= matches!(term, Term::OfElement(f) if !is_identity(f));
        });
        let forms = self.forms.get(&(node, self.dedupes)).copied().unwrap_or_default();
        // Each way to move elements asks for a function of its own.
        if is_moved && (forms >= MAX_MOVED_FORMS || !self.is_short(node)) {
            self.go_through(w, &mut env);
        }
        if env.elements.is_none() {
            env.tell(w)?;
            if let Term::Constant(number @ 1..) = env.told {
                env.told = Term::Local(w.var(Type::Int, number));
            }
        }
        if forms >= MAX_FORMS && env.elements.is_none() {
            let control = self.control.clone();
            let assigned = env.assigned.iter_mut().filter(|(slot, _)| !control[**slot]);
            for (_, term) in assigned {
                if let Term::Constant(number) = term {
                    *term = Term::Local(w.var(Type::Int, *number));
                }
            }
        }
        let function = self.function(node, &env, goal)?;
        let found = function.call(arguments(&env));
        match goal {
            Goal::Moves => {
                w.save_counts();
                w.eval(found);
                Compiler::read_counts(w);
            }
            _ => w.when(found, |w| w.give(1)),
        }
        Ok(())
    }

    /// The function of the walks from a node.
    pub(super) fn function(
        &mut self,
        node: NodeId,
        env: &Env,
        goal: &Goal,
    ) -> Result<FunctionId, Stop> {
        let goal_key = match goal.last() {
            Goal::Reach(to) => GoalKey::Reach(*to),
            _ => GoalKey::Moves { dedupes: self.dedupes },
        };
        let key = FunctionKey { node, goal: goal_key, env: env.key() };
        if let Some(&function) = self.functions.get(&key) {
            return Ok(function);
        }
        if self.nested == MAX_NESTED {
            return Err(Stop::Unsupported("too many nested functions"));
        }
        self.nested += 1;
        let (mut w, env) = self.begin(node, env, Type::Int);
        if matches!(goal, Goal::Moves) {
            Compiler::read_counts(&mut w);
        }
        // The first step, since the rest asks for this very function.
        let edges = &self.rules.automaton.nodes[node].edges;
        match self.regions.join(node) {
            Some(join) => {
                let mut env = env;
                self.either(&mut w, node, join, &mut env)?;
                self.walk(&mut w, join, env, goal)?;
            }
            None if self.slide(&mut w, node, &env, goal)? => {}
            None => self.alternatives(&mut w, edges, &env, goal)?,
        }
        w.close_to(0);
        w.save_counts();
        w.give(0);
        self.nested -= 1;
        let function = self.program.function(w.finish());
        self.functions.insert(key, function);
        *self.forms.entry((node, self.dedupes)).or_default() += 1;
        Ok(function)
    }

    /// The function that tests if a node can be reached from another: of a number, or of the set of
    /// those elements for which it can.
    pub(super) fn tested(
        &mut self,
        from: NodeId,
        to: NodeId,
        env: &Env,
        result: Type,
    ) -> Result<FunctionId, Stop> {
        let goal = match result {
            Type::Int => GoalKey::Test(to),
            Type::Set => GoalKey::Collect(to),
        };
        let key = FunctionKey { node: from, goal, env: env.key() };
        if let Some(&function) = self.functions.get(&key) {
            return Ok(function);
        }
        if self.nested == MAX_NESTED {
            return Err(Stop::Unsupported("too many nested tests"));
        }
        self.nested += 1;
        let (mut w, env) = self.begin(from, env, result);
        match result {
            Type::Int => match self.pattern(&mut w, &env, from, to) {
                Some(pattern) => w.give(pattern),
                None => {
                    self.walk(&mut w, from, env, &Goal::Reach(to))?;
                    w.close_to(0);
                    w.give(0);
                }
            },
            Type::Set => {
                let reached = set_var(&mut w, Code::NoSites);
                self.walk(&mut w, from, env, &Goal::Collect(to, reached))?;
                w.close_to(0);
                w.give(reached);
            }
        }
        self.nested -= 1;
        let function = self.program.function(w.finish());
        self.functions.insert(key, function);
        Ok(function)
    }

    /// A function with parameters for what an environment has, and the environment inside it.
    pub(super) fn begin(&self, node: NodeId, env: &Env, result: Type) -> (Writer, Env) {
        let automaton = &self.rules.automaton;
        let name = automaton.name(automaton.nodes[node].name).to_owned();
        let mut env = env.clone();
        let mut params = Vec::new();
        if let Some(elements) = &mut env.elements {
            elements.set = Local(0);
            params.push(Type::Set);
        }
        env.become_parameters(&mut params);
        (Writer::new(name, &params, Some(result)), env)
    }

    /// An environment without what does not matter from a node on.
    pub(super) fn trimmed(&self, node: NodeId, env: &Env, goal: &Goal) -> Env {
        let liveness = &self.rules.liveness;
        let mut env = env.clone();
        env.loaded.clear();
        env.cells.clear();
        env.assigned.retain(|&slot, _| liveness.is_live(node, slot));
        env.aliases.retain(|&slot, _| liveness.is_live(node, slot));
        let is_live = |slot| {
            let is_named = |alias: &Alias| alias.source == Source::Variable(slot);
            liveness.is_live(node, slot) || env.aliases.values().any(is_named)
        };
        let kept: Vec<bool> = env.writes.iter().map(|write| is_live(write.slot)).collect();
        for alias in env.aliases.values_mut() {
            alias.writes = kept[..alias.writes].iter().filter(|&&kept| kept).count();
        }
        let mut kept = kept.into_iter();
        env.writes.retain(|_| kept.next().unwrap_or(true));
        if !matches!(goal, Goal::Moves) {
            env.tags.clear();
            (env.told, env.said) = (Term::default(), Said::default());
        }
        env
    }
}

/// The arguments for what an environment has.
pub(super) fn arguments(env: &Env) -> Vec<Code> {
    let set = env.elements.as_ref().map(|elements| elements.set.get());
    set.into_iter().chain(env.locals().into_iter().map(Local::get)).collect()
}
