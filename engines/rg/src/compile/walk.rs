//! Walks through the automaton as code.
//!
//! A function goes through all walks of a turn, and lists a move at the end of each. Where the rules
//! choose any element of a set, the elements are gone through at once: conditions narrow the set of
//! those for which the walk goes on, and the moves of all of them are one entry of the list. What
//! cannot be said of sets is said of each element in turn.

use std::rc::Rc;

use kernel::build::{CodeBuilder, ProgramBuilder};
use kernel::ir::{Access, Expr as Code, FunctionId, Local, Type};
use play::Rng;
use rustc_hash::FxHashMap;

use super::arrays::{
    BOARDS, CELLS, ENTRY_LENGTH, FRAME, FRAME_LENGTH, GENERATOR, HEADS, LISTED, LISTED_SETS,
    MOST_LISTED, MOST_TAGS, SCALARS, SEEN, Slot as Entry, TAGS, TOLD,
};
use super::conditions::code_of;
use super::functions::FunctionKey;
use super::memory::MemoryMap;
use super::moves::{Maker, MakerKey};
use super::regions::Regions;
use super::slides::END;
use super::tables::Tables;
use super::terms::{Elements, Env, EnvKey, Said, Tag, Term, is_identity};
use super::turns::{Turn, TurnKey};
use super::writer::Writer;
use crate::automaton::{Edge, Label, NodeId, Slot};
use crate::search::Rules;
use crate::symbols::Symbol;

/// The most blocks that a function opens in one another before a part becomes a function.
const MAX_OPEN: usize = 60;

/// The most nested alternatives, which take stack.
pub(super) const MAX_NESTED: usize = 200;

/// The reason why a part of the rules has no code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stop {
    /// It cannot be said of sets of elements.
    NeedsElement,
    /// For this reason.
    Unsupported(&'static str),
}

impl Stop {
    /// The reason in words.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Stop::NeedsElement => "a condition that cannot be asked of all elements at once",
            Stop::Unsupported(reason) => reason,
        }
    }
}

/// The place that a walk goes to.
#[derive(Clone, Debug)]
pub(super) enum Goal {
    /// The end of each move.
    Moves,
    /// A node; the function gives 1 as soon as it is reached.
    Reach(NodeId),
    /// A node; the elements that reach it are collected in this variable.
    Collect(NodeId, Local),
    /// The node that a loop begins with, once more; the values of a variable there are collected.
    Again { header: NodeId, loop_of: usize, slot: Slot, reached: Local },
    /// Out of a loop, and then on to another goal.
    Exit { header: NodeId, loop_of: usize, then: Rc<Goal> },
}

/// Writes the code of the walks of a game.
pub(super) struct Compiler<'a> {
    pub(super) rules: &'a Rules,
    pub(super) regions: &'a Regions,
    pub(super) map: &'a MemoryMap,
    pub(super) program: ProgramBuilder,
    pub(super) tables: Tables,
    pub(super) functions: FxHashMap<FunctionKey, FunctionId>,
    /// The functions that begin at a node.
    pub(super) forms: FxHashMap<(NodeId, bool), usize>,
    pub(super) turns: Vec<Turn>,
    pub(super) turn_numbers: FxHashMap<TurnKey, usize>,
    /// For each variable: true if turns are told apart by its value.
    pub(super) control: Vec<bool>,
    /// Steps that may still be written.
    pub(super) budget: usize,
    /// Steps that may still be gone to prove that moves differ.
    pub(super) proof_steps: usize,
    pub(super) nested: usize,
    /// For nodes where turns begin: true if no two moves have the same tags.
    pub(super) distinct: FxHashMap<NodeId, bool>,
    /// True if the moves of the turn that is written may have equal tags.
    pub(super) dedupes: bool,
    /// The function that compares the tags of moves, if there is one.
    pub(super) is_new: Option<FunctionId>,
    /// The functions that make moves.
    pub(super) makers: Vec<Maker>,
    pub(super) maker_numbers: FxHashMap<MakerKey, usize>,
    /// The functions that write the tags of moves.
    pub(super) tellers: FxHashMap<EnvKey, FunctionId>,
    /// For nodes that were looked at: the node where slides end that begin there, if they do.
    pub(super) slide_ends: FxHashMap<NodeId, Option<NodeId>>,
    /// The number of slides so far.
    pub(super) slides: usize,
}

impl<'a> Compiler<'a> {
    pub(super) fn new(
        rules: &'a Rules,
        regions: &'a Regions,
        map: &'a MemoryMap,
        program: ProgramBuilder,
        control: Vec<bool>,
        budget: usize,
    ) -> Compiler<'a> {
        Compiler {
            rules,
            regions,
            map,
            program,
            tables: Tables::new(map.words),
            functions: FxHashMap::default(),
            forms: FxHashMap::default(),
            turns: Vec::new(),
            turn_numbers: FxHashMap::default(),
            control,
            budget,
            proof_steps: budget,
            nested: 0,
            distinct: FxHashMap::default(),
            dedupes: false,
            is_new: None,
            makers: Vec::new(),
            maker_numbers: FxHashMap::default(),
            tellers: FxHashMap::default(),
            slide_ends: FxHashMap::default(),
            slides: 0,
        }
    }

    /// Writes all walks from a node. Blocks that it opens are closed by the caller.
    pub(super) fn walk(
        &mut self,
        w: &mut Writer,
        mut node: NodeId,
        mut env: Env,
        mut goal: &Goal,
    ) -> Result<(), Stop> {
        let rules = self.rules;
        loop {
            while let Goal::Exit { loop_of, then, .. } = goal
                && self.regions.loop_of(node) != Some(*loop_of)
            {
                goal = then;
            }
            self.budget = self.budget.checked_sub(1).ok_or(Stop::Unsupported("too much code"))?;
            if arrives(w, node, &env, goal)? {
                return Ok(());
            }
            if let Some(loop_of) = self.regions.loop_of(node)
                && !goal.is_inside(loop_of)
            {
                return self.flood(w, node, loop_of, env, goal);
            }
            let edges = &rules.automaton.nodes[node].edges;
            let is_far = w.depth() > MAX_OPEN;
            if goal.has_functions()
                && !w.keeps_moves()
                && (is_far || self.regions.meets(node) && !self.is_tail(node))
            {
                return self.call(w, node, &env, goal);
            }
            if is_far {
                return Err(Stop::Unsupported("too many nested conditions"));
            }
            if let Some(join) = self.regions.join(node) {
                self.either(w, node, join, &mut env)?;
                node = join;
                continue;
            }
            let [edge] = edges.as_slice() else {
                if self.slide(w, node, &env, goal)? {
                    return Ok(());
                }
                return self.alternatives(w, edges, &env, goal);
            };
            if matches!(edge.label, Label::AssignAny { .. }) {
                return self.alternatives(w, edges, &env, goal);
            }
            if goal.is_left_by(self.regions, edge.to) {
                return Ok(());
            }
            if self.some_element_passes(w, edge, &mut env, goal) {
                node = edge.to;
                continue;
            }
            if self.ends(w, edge, &mut env, goal)? || !self.pass(w, &edge.label, &mut env, goal)? {
                return Ok(());
            }
            node = edge.to;
        }
    }

    /// Writes the end of a move or of a round of a loop, if the edge is that.
    pub(super) fn ends(
        &mut self,
        w: &mut Writer,
        edge: &Edge,
        env: &mut Env,
        goal: &Goal,
    ) -> Result<bool, Stop> {
        if let Goal::Again { header, slot, reached, .. } = goal
            && edge.to == *header
        {
            if self.pass(w, &edge.label, env, goal)? {
                self.collect(w, env, *slot, *reached)?;
            }
            return Ok(true);
        }
        if let Goal::Exit { header, .. } = goal
            && edge.to == *header
        {
            return Ok(true);
        }
        let Label::Assign { target, value } = &edge.label else { return Ok(false) };
        if !edge.label.ends_move() {
            return Ok(false);
        }
        if !matches!(goal.last(), Goal::Moves) {
            return Err(Stop::Unsupported("a test that goes on behind the end of a move"));
        }
        let player = self.element_wise(w, env, goal, |c, w, env| c.term(w, env, value))?;
        env.assigned.insert(target.slot, player);
        self.finish_move(w, edge.to, env)?;
        Ok(true)
    }

    /// Adds the value of a variable to those with which a loop begins again.
    pub(super) fn collect(
        &mut self,
        w: &mut Writer,
        env: &Env,
        slot: Slot,
        reached: Local,
    ) -> Result<(), Stop> {
        let image = match (env.assigned.get(&slot), &env.elements) {
            (Some(Term::OfElement(function)), Some(Elements { set, domain })) => {
                let image = self.tables.image(&mut self.program, *set, function, domain);
                if let Some(image) = image {
                    image
                } else {
                    let depth = w.depth();
                    let table = self.tables.ints(&mut self.program, function);
                    let element = w.open_each(*set);
                    w.set(reached, reached.get() | Code::single(table.at(element)));
                    w.close_to(depth);
                    return Ok(());
                }
            }
            (Some(term), None) => Code::single(code_of(term)?),
            (Some(term), Some(elements)) => {
                let single = Code::single(code_of(term)?);
                let some = elements.set.get().is_inhabited();
                w.when(some, |w| w.set(reached, reached.get() | single));
                return Ok(());
            }
            _ => return Err(Stop::Unsupported("a loop whose variable has no value")),
        };
        w.set(reached, reached.get() | image);
        Ok(())
    }

    /// Passes an edge; false if it never passes.
    pub(super) fn pass(
        &mut self,
        w: &mut Writer,
        label: &Label,
        env: &mut Env,
        goal: &Goal,
    ) -> Result<bool, Stop> {
        match label {
            Label::Skip => Ok(true),
            Label::Tag(symbol) => {
                self.tag(env, Term::Constant(self.map.numbers[symbol.index()]), goal);
                Ok(true)
            }
            Label::TagVariable(slot) => {
                let tag = self.variable(w, env, *slot);
                self.tag(env, tag, goal);
                Ok(true)
            }
            Label::Assign { target, value } => {
                let shape = &self.rules.automaton.variables[target.slot].shape;
                if target.keys.len() < shape.keys.len() {
                    self.element_wise(w, env, goal, |c, w, env| c.alias(w, env, target, value))?;
                    return Ok(true);
                }
                let value = self.element_wise(w, env, goal, |c, w, env| c.term(w, env, value))?;
                self.assign(w, target, value, env, goal)?;
                Ok(true)
            }
            Label::AssignAny { .. } => Err(Stop::Unsupported("any value in the middle of a test")),
            Label::Compare { .. } | Label::Test { .. } => {
                let condition =
                    self.element_wise(w, env, goal, |c, w, env| c.condition(w, env, label))?;
                Ok(env.narrow(w, condition))
            }
        }
    }

    /// Does something for all elements at once, or, if that cannot be done, for each in turn.
    fn element_wise<T>(
        &mut self,
        w: &mut Writer,
        env: &mut Env,
        goal: &Goal,
        work: impl Fn(&mut Self, &mut Writer, &mut Env) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        match work(self, w, env) {
            Err(Stop::NeedsElement)
                if env.elements.is_some() && !matches!(goal.last(), Goal::Collect(..)) =>
            {
                self.go_through(w, env);
                work(self, w, env)
            }
            other => other,
        }
    }

    /// Opens a block for each element in turn.
    pub(super) fn go_through(&mut self, w: &mut Writer, env: &mut Env) {
        if let Some(elements) = env.elements.take() {
            let element = w.open_each(elements.set);
            self.choose_element(w, env, element);
        }
    }

    /// Goes on with one element: what depends on it becomes a variable of the code.
    pub(super) fn choose_element(&mut self, w: &mut Writer, env: &mut Env, element: Local) {
        env.elements = None;
        env.cells.clear();
        let (tables, program) = (&mut self.tables, &mut self.program);
        let mut known: Vec<(Rc<[i32]>, Local)> = Vec::new();
        env.each_term(&mut |term| {
            let Term::OfElement(function) = term else { return };
            if is_identity(function) {
                *term = Term::Local(element);
                return;
            }
            let local = match known.iter().find(|(of, _)| of == function) {
                Some((_, local)) => *local,
                None => {
                    let table = tables.ints(program, function);
                    let local = w.var(Type::Int, table.at(element));
                    known.push((Rc::clone(function), local));
                    local
                }
            };
            *term = Term::Local(local);
        });
    }

    /// Adds a tag to the move.
    pub(super) fn tag(&self, env: &mut Env, tag: Term, goal: &Goal) {
        if !matches!(goal.last(), Goal::Moves) {
            return;
        }
        let symbol = |number: i32| usize::from(self.map.symbols[number as usize]);
        let pass = self.rules.automaton.symbols.get("pass").map(Symbol::index);
        env.said = match &tag {
            Term::Constant(number) if self.rules.automaton.artificial[symbol(*number)] => env.said,
            Term::Constant(number) if Some(symbol(*number)) == pass => match env.said {
                Said::Nothing => Said::Pass,
                _ => Said::Something,
            },
            _ => Said::Something,
        };
        env.tags.push(Tag::One(tag));
    }
}

impl Goal {
    /// True if parts of the walk may become functions of their own.
    pub(super) fn has_functions(&self) -> bool {
        matches!(self, Goal::Moves | Goal::Reach(_))
    }

    /// True if the walk is inside this loop.
    fn is_inside(&self, number: usize) -> bool {
        match self {
            Goal::Again { loop_of, .. } => *loop_of == number,
            Goal::Exit { loop_of, then, .. } => *loop_of == number || then.is_inside(number),
            _ => false,
        }
    }

    /// True if the goal is not beyond an edge to this node.
    pub(super) fn is_left_by(&self, regions: &Regions, to: NodeId) -> bool {
        matches!(self, Goal::Again { loop_of, .. } if regions.loop_of(to) != Some(*loop_of))
    }

    /// True if the walk is inside a loop.
    pub(super) fn is_in_loop(&self) -> bool {
        matches!(self, Goal::Again { .. } | Goal::Exit { .. })
    }

    /// The goal behind all loops.
    pub(super) fn last(&self) -> &Goal {
        match self {
            Goal::Exit { then, .. } => then.last(),
            other => other,
        }
    }
}

/// Entries of the arrays that walks use.
pub(super) fn frame(slot: Entry) -> Code {
    FRAME.at(slot as i32)
}

/// Declares the arrays, in the order of their numbers.
pub(super) fn declare(program: &mut ProgramBuilder, map: &MemoryMap) {
    let ints = [
        (CELLS, "cells", map.cells - map.scalars),
        (FRAME, "frame", FRAME_LENGTH),
        (TAGS, "tags", MOST_TAGS),
        (HEADS, "heads", 0),
        (SEEN, "seen", 0),
        (TOLD, "told", MOST_TAGS),
        (LISTED, "listed", MOST_LISTED * ENTRY_LENGTH),
        (SCALARS, "scalars", map.scalars),
    ];
    for (array, name, least) in ints {
        let declared = program.ints_of(name, Access::Write, least);
        debug_assert_eq!(declared, array, "{name}");
    }
    let sets = [
        (BOARDS, "boards", map.sets),
        (GENERATOR, "generator", Rng::WORDS.div_ceil(map.words)),
        (LISTED_SETS, "listed sets", MOST_LISTED),
    ];
    for (array, name, least) in sets {
        let declared = program.sets_of(name, Access::Write, least);
        debug_assert_eq!(declared, array, "{name}");
    }
}

/// Writes what happens where a goal is reached; true if it is.
fn arrives(w: &mut Writer, node: NodeId, env: &Env, goal: &Goal) -> Result<bool, Stop> {
    match goal.last() {
        Goal::Reach(to) if *to == node => match &env.elements {
            None => w.give(1),
            Some(elements) => {
                let found = elements.set.get().is_inhabited();
                w.when(found, |w| w.give(1));
            }
        },
        Goal::Collect(to, reached) if *to == node => {
            let elements = env.elements.as_ref().ok_or(Stop::NeedsElement)?;
            w.set(*reached, reached.get() | elements.set.get());
        }
        _ => return Ok(false),
    }
    Ok(true)
}

impl Env {
    /// Writes tags to memory.
    pub(super) fn tell(&mut self, w: &mut Writer) -> Result<(), Stop> {
        for tag in std::mem::take(&mut self.tags) {
            let told = code_of(&self.told)?;
            let after = match tag {
                Tag::One(term) => {
                    w.store(TAGS, told.clone(), code_of(&term)?);
                    told + 1
                }
                Tag::Slide(tags, [from, to]) => {
                    let row = code_of(&from)? * tags.width as i32;
                    let to = code_of(&to)?;
                    let walk = w.var(Type::Int, tags.walks.at(row + to.clone()));
                    let row = w.var(Type::Int, walk.get() * tags.longest as i32);
                    let length = w.var(Type::Int, tags.lengths.at(walk));
                    w.count(0, length, |w, number| {
                        let tag = tags.tags.at(row.get() + number.get());
                        let tag = w.var(Type::Int, tag);
                        let tag = tag.get().equals(END).choose(to.clone(), tag);
                        w.store(TAGS, told.clone() + number.get(), tag);
                    });
                    told + length.get()
                }
            };
            self.told = match (&self.told, &after) {
                (Term::Constant(told), Code::Binary(_, _, by)) if **by == Code::Int(1) => {
                    Term::Constant(told + 1)
                }
                _ => Term::Local(w.var(Type::Int, after)),
            };
        }
        Ok(())
    }
}
