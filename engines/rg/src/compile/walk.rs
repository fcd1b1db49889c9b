//! Walks through the automaton as code.
//!
//! A function goes through all walks of a turn, and lists a move at the end of each. Where the rules choose any element of a set, the elements are gone through at once:
//! conditions narrow the set of those for which the walk goes on, and the moves of all of them are
//! one entry of the list. What cannot be said of sets is said of each element in turn.

use std::rc::Rc;

use kernel::build::{CodeBuilder, ProgramBuilder};
use kernel::ir::{Expr as Code, FunctionId, Ints, Local, Sets, Type};
use rustc_hash::FxHashMap;

use super::memory::MemoryMap;
use super::moves::{Maker, MakerKey};
use super::conditions::{Condition, code_of};
use super::tables::{Tables, set_var};
use super::terms::{Alias, Elements, Env, EnvKey, Function, Said, Source, Term};
use super::turns::{Turn, TurnKey};
use super::writer::Writer;
use crate::automaton::{Edge, Label, NodeId, Slot};
use crate::regions::{Regions, inner};
use crate::search::Rules;

/// The arrays of a program.
pub(crate) mod arrays {
    use kernel::ir::{Ints, Sets};

    /// The cells of variables.
    pub(crate) const CELLS: Ints = Ints(0);
    /// The numbers of a run.
    pub(crate) const FRAME: Ints = Ints(1);
    /// The tags of the walk that is gone along.
    pub(crate) const TAGS: Ints = Ints(2);
    /// Where the moves of a turn that may have equal tags are, by a hash of their tags.
    pub(crate) const HEADS: Ints = Ints(3);
    /// The tags of those moves, one move after another, each behind the number of its tags.
    pub(crate) const SEEN: Ints = Ints(4);
    /// The tags of the move that was asked for.
    pub(crate) const TOLD: Ints = Ints(5);
    /// The entries of the list of moves.
    pub(crate) const LISTED: Ints = Ints(6);
    /// The sets of boards.
    pub(crate) const BOARDS: Sets = Sets(0);
    /// The random generator.
    pub(crate) const GENERATOR: Sets = Sets(1);
    /// For each entry of the list the elements that there is a move for.
    pub(crate) const LISTED_SETS: Sets = Sets(2);

    /// The entries of [`FRAME`].
    #[derive(Clone, Copy, Debug)]
    pub(crate) enum Slot {
        /// The moves that are listed, and the entries of the list.
        Count,
        Entries,
        /// The number of the move whose tags are asked for; -1 if none are.
        Asked,
        /// The turn that the play is at.
        Turn,
        /// The tags of the move that was asked for.
        Tags,
        /// 1 if that move does nothing but hand on the turn.
        Pass,
        Plies,
        Cap,
        Passes,
        MostPasses,
        /// The number of times that moves were gone through, which tells entries of [`HEADS`] from
        /// those of earlier times.
        Stamp,
        /// The entries of [`SEEN`] that are used.
        Seen,
        /// 1 if there were more moves, or tags, than there is room for.
        Lost,
    }

    /// The last [`Slot::Stamp`], since a head has no room for more.
    pub(crate) const LAST_STAMP: i32 = i32::MAX / MOST_SEEN as i32 - 2;
    /// The number of [`HEADS`], a power of two.
    pub(crate) const MOST_HEADS: usize = 1 << 16;
    /// The number of entries of [`SEEN`], a power of two.
    pub(crate) const MOST_SEEN: usize = 1 << 16;

    /// The most entries of a list, and the numbers of each.
    pub(crate) const MOST_LISTED: usize = 8192;
    pub(crate) const ENTRY_LENGTH: usize = 16;

    /// The most tags of a move that code makes.
    pub(crate) const MOST_TAGS: usize = 256;

    /// The number of entries.
    pub(crate) const FRAME_LENGTH: usize = Slot::Lost as usize + 1;
}

use arrays::{BOARDS, CELLS, ENTRY_LENGTH, FRAME, MOST_LISTED, MOST_TAGS, TAGS};

/// The most blocks that a function opens in one another before a part becomes a function.
const MAX_OPEN: usize = 60;

/// The most nested alternatives, which take stack.
const MAX_NESTED: usize = 200;

/// The most members of a set that are gone through one by one when the code is written.
const MAX_UNROLLED: usize = 8;

/// The functions of one node that know values of variables, before there is one that does not.
const MAX_FORMS: usize = 8;

/// The functions of one node for elements that were moved in different ways, and the most nodes that
/// such functions may have.
const MAX_MOVED_FORMS: usize = 16;
const MAX_MOVED_NODES: usize = 24;

/// The most edges of a path without alternatives that is written anew wherever it begins.
const MAX_TAIL: usize = 12;

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

/// What functions are told apart by.
#[derive(PartialEq, Eq, Hash)]
struct FunctionKey {
    node: NodeId,
    goal: GoalKey,
    env: EnvKey,
}

/// What the goals of functions are told apart by.
#[derive(PartialEq, Eq, Hash)]
enum GoalKey {
    Moves { dedupes: bool },
    /// A part of a test.
    Reach(NodeId),
    /// A test from its beginning.
    Test(NodeId),
    Collect(NodeId),
}

/// Writes the code of the walks of a game.
pub(super) struct Compiler<'a> {
    pub(super) rules: &'a Rules,
    pub(super) regions: &'a Regions,
    pub(super) map: &'a MemoryMap,
    pub(super) program: ProgramBuilder,
    pub(super) tables: Tables,
    functions: FxHashMap<FunctionKey, FunctionId>,
    /// The functions that begin at a node.
    forms: FxHashMap<(NodeId, bool), usize>,
    pub(super) turns: Vec<Turn>,
    pub(super) turn_numbers: FxHashMap<TurnKey, usize>,
    /// For each variable: true if turns are told apart by its value.
    pub(super) control: Vec<bool>,
    /// Steps that may still be written.
    pub(super) budget: usize,
    pub(super) nested: usize,
    /// True if the moves of the turn that is written may have equal tags.
    pub(super) dedupes: bool,
    /// The function that compares the tags of moves, if there is one.
    pub(super) is_new: Option<FunctionId>,
    /// The functions that make moves.
    pub(super) makers: Vec<Maker>,
    pub(super) maker_numbers: FxHashMap<MakerKey, usize>,
    /// The functions that write the tags of moves.
    pub(super) tellers: FxHashMap<EnvKey, FunctionId>,
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
            nested: 0,
            dedupes: false,
            is_new: None,
            makers: Vec::new(),
            maker_numbers: FxHashMap::default(),
            tellers: FxHashMap::default(),
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
            if self.arrives(w, node, &env, goal)? {
                return Ok(());
            }
            if let Some(loop_of) = self.regions.loop_of(node)
                && !goal.is_inside(loop_of)
            {
                return self.flood(w, node, loop_of, env, goal);
            }
            let edges = &rules.automaton.nodes[node].edges;
            let is_far = w.depth() > MAX_OPEN;
            if goal.has_functions() && (is_far || self.regions.meets(node) && !self.is_tail(node)) {
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
                return self.alternatives(w, edges, &env, goal);
            };
            if matches!(edge.label, Label::AssignAny { .. }) {
                return self.alternatives(w, edges, &env, goal);
            }
            if goal.is_left_by(self.regions, edge.to) {
                return Ok(());
            }
            if self.ends(w, edge, &mut env, goal)? || !self.pass(w, &edge.label, &mut env, goal)? {
                return Ok(());
            }
            node = edge.to;
        }
    }

    /// Writes each of several edges, one after another.
    fn alternatives(
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
    fn one_of_two(
        &mut self,
        w: &mut Writer,
        edges: &[Edge],
        mut env: Env,
        goal: &Goal,
    ) -> Result<(), Stop> {
        let depth = w.depth();
        let condition = match &edges[0].label {
            Label::Compare { left, right, equal } => {
                self.compare(w, &mut env, left, right, *equal)?
            }
            Label::Test { from, to, negated } => {
                self.test(w, &mut env, *from, *to, *negated)?
            }
            _ => Condition::Known(true),
        };
        let (first, second) = match condition {
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
    fn any(
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
            let mut identity = vec![-1; self.map.symbols.len()];
            domain.iter().for_each(|&number| identity[number as usize] = number);
            env.elements = Some(Elements { set, domain: domain.into() });
            env.assigned.insert(target.slot, Term::OfElement(identity.into()));
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
            let is_key = |&number: &i32| {
                keys.place(self.map.symbols[number as usize]) < keys.members.len()
            };
            numbers.iter().all(is_key)
        })
    }

    /// Writes what happens where a goal is reached; true if it is.
    fn arrives(
        &mut self,
        w: &mut Writer,
        node: NodeId,
        env: &Env,
        goal: &Goal,
    ) -> Result<bool, Stop> {
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

    /// Writes the end of a move or of a round of a loop, if the edge is that.
    fn ends(
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
    fn collect(
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
    fn pass(
        &mut self,
        w: &mut Writer,
        label: &Label,
        env: &mut Env,
        goal: &Goal,
    ) -> Result<bool, Stop> {
        match label {
            Label::Skip => Ok(true),
            Label::Tag(symbol) => {
                self.tag(env, Term::Constant(self.map.numbers[symbol.index()]), goal)
            }
            Label::TagVariable(slot) => {
                let tag = self.variable(w, env, *slot);
                self.tag(env, tag, goal)
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
            Label::Compare { left, right, equal } => {
                let condition = self.element_wise(w, env, goal, |c, w, env| {
                    c.compare(w, env, left, right, *equal)
                })?;
                Ok(self.narrow(w, env, condition))
            }
            Label::Test { from, to, negated } => {
                let condition = self.element_wise(w, env, goal, |c, w, env| {
                    c.test(w, env, *from, *to, *negated)
                })?;
                Ok(self.narrow(w, env, condition))
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

    /// True if a path without alternatives leads from a node to the end of a move, which can be
    /// written wherever it is needed.
    fn is_tail(&self, mut node: NodeId) -> bool {
        for _ in 0..MAX_TAIL {
            let [edge] = self.rules.automaton.nodes[node].edges.as_slice() else { return false };
            match edge.label {
                Label::Assign { .. } if edge.label.ends_move() => return true,
                Label::Skip | Label::Assign { .. } | Label::Tag(_) | Label::TagVariable(_) => {}
                _ => return false,
            }
            node = edge.to;
        }
        false
    }

    /// True if few nodes lie between a node and the end of the move.
    fn is_short(&self, node: NodeId) -> bool {
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
    fn call(&mut self, w: &mut Writer, node: NodeId, env: &Env, goal: &Goal) -> Result<(), Stop> {
        let mut env = self.trimmed(node, env, goal);
        env.settle(w);
        let mut is_moved = false;
        env.each_term(&mut |term| is_moved |= matches!(term, Term::OfElement(f) if !is_identity(f)));
        let forms = self.forms.get(&(node, self.dedupes)).copied().unwrap_or_default();
        // Each way to move elements asks for a function of its own.
        if is_moved && (forms >= MAX_MOVED_FORMS || !self.is_short(node)) {
            self.go_through(w, &mut env);
        }
        if env.elements.is_none() {
            self.tell(w, &mut env)?;
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
            Goal::Moves => w.eval(found),
            _ => w.when(found, |w| w.give(1)),
        }
        Ok(())
    }

    /// The function of the walks from a node.
    fn function(&mut self, node: NodeId, env: &Env, goal: &Goal) -> Result<FunctionId, Stop> {
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
        // The first step, since the rest asks for this very function.
        let edges = &self.rules.automaton.nodes[node].edges;
        match self.regions.join(node) {
            Some(join) => {
                let mut env = env;
                self.either(&mut w, node, join, &mut env)?;
                self.walk(&mut w, join, env, goal)?;
            }
            None => self.alternatives(&mut w, edges, &env, goal)?,
        }
        w.close_to(0);
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
            Type::Int => {
                self.walk(&mut w, from, env, &Goal::Reach(to))?;
                w.close_to(0);
                w.give(0);
            }
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
        env.loaded.clear();
        env.cells.clear();
        let mut params = Vec::new();
        if let Some(elements) = &mut env.elements {
            elements.set = Local(0);
            params.push(Type::Set);
        }
        env.each_term(&mut |term| {
            if let Term::Local(local) = term {
                *local = Local(params.len() as u32);
                params.push(Type::Int);
            }
        });
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

    /// Adds a tag to the move.
    fn tag(&mut self, env: &mut Env, tag: Term, goal: &Goal) -> Result<bool, Stop> {
        if !matches!(goal.last(), Goal::Moves) {
            return Ok(true);
        }
        let symbol = |number: i32| usize::from(self.map.symbols[number as usize]);
        let pass = self.rules.automaton.symbols.get("pass").map(|pass| pass.index());
        env.said = match &tag {
            Term::Constant(number) if self.rules.automaton.artificial[symbol(*number)] => env.said,
            Term::Constant(number) if Some(symbol(*number)) == pass => match env.said {
                Said::Nothing => Said::Pass,
                _ => Said::Something,
            },
            _ => Said::Something,
        };
        env.tags.push(tag);
        Ok(true)
    }

    /// Writes tags to memory.
    pub(super) fn tell(&mut self, w: &mut Writer, env: &mut Env) -> Result<(), Stop> {
        if env.tags.is_empty() {
            return Ok(());
        }
        let told = code_of(&env.told)?;
        let place = |number: i32| match &told {
            Code::Int(first) => Code::Int(first + number),
            told => told.clone() + number,
        };
        for (number, tag) in (0..).zip(&env.tags) {
            w.store(TAGS, place(number), code_of(tag)?);
        }
        let told = place(env.tags.len() as i32);
        env.told = match told {
            Code::Int(number) => Term::Constant(number),
            told => Term::Local(w.var(Type::Int, told)),
        };
        env.tags.clear();
        Ok(())
    }
}

/// True if a function takes each element to itself.
fn is_identity(function: &Function) -> bool {
    function.iter().zip(0..).all(|(&to, element)| to == element || to < 0)
}

/// The arguments for what an environment has.
pub(super) fn arguments(env: &Env) -> Vec<Code> {
    let set = env.elements.as_ref().map(|elements| elements.set.get());
    set.into_iter().chain(env.locals().into_iter().map(Local::get)).collect()
}

impl Goal {
    /// True if parts of the walk may become functions of their own.
    fn has_functions(&self) -> bool {
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
    fn is_left_by(&self, regions: &Regions, to: NodeId) -> bool {
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
pub(super) fn frame(slot: arrays::Slot) -> Code {
    FRAME.at(slot as i32)
}

/// The arrays, in the order of their numbers.
pub(super) fn declare(program: &mut ProgramBuilder, map: &MemoryMap) -> (Vec<Ints>, Vec<Sets>) {
    use kernel::ir::Access::Write;
    let ints = vec![
        program.ints_of("cells", Write, map.cells),
        program.ints_of("frame", Write, arrays::FRAME_LENGTH),
        program.ints_of("tags", Write, MOST_TAGS),
        program.ints_of("heads", Write, 0),
        program.ints_of("seen", Write, 0),
        program.ints_of("told", Write, MOST_TAGS),
        program.ints_of("listed", Write, MOST_LISTED * ENTRY_LENGTH),
    ];
    let sets = vec![
        program.sets_of("boards", Write, map.sets),
        program.sets_of("generator", Write, 4_usize.div_ceil(map.words)),
        program.sets_of("listed sets", Write, MOST_LISTED),
    ];
    debug_assert_eq!((ints[0], ints[2], sets[0]), (CELLS, TAGS, BOARDS));
    (ints, sets)
}
