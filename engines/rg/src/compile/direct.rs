//! Moves of the keeper as straight code. Where at most one walk goes on from each node, nothing has
//! to be tried: each edge takes effect at once, and each node is a block that jumps to the next.

use std::collections::{BTreeMap, BTreeSet};

use kernel::build::CodeBuilder;
use kernel::ir::{Block, FunctionId, Local, Stmt, Type};
use rustc_hash::FxHashMap;

use super::arrays::{FRAME, SCALARS, Slot as Entry};
use super::conditions::code_of;
use super::terms::{Alias, Env, Source, Term};
use super::walk::{Compiler, Goal, Stop};
use super::writer::Writer;
use crate::automaton::{Edge, Expr, Label, NodeId, Place, Slot};
use crate::limits::MAX_KEEPER_ROUNDS;

/// The most blocks of a turn.
const MAX_BLOCKS: usize = 3000;

/// The number of the block behind the last one, as long as it is not known.
const END: u32 = u32::MAX;

/// The key of a block: its node, and the facts that are known there.
#[derive(Clone, PartialEq, Eq, Hash)]
struct BlockKey {
    node: NodeId,
    known: BTreeMap<Slot, i32>,
    /// The constants that variables were given as a whole.
    maps: BTreeMap<Slot, (Slot, Vec<i32>)>,
}

impl BlockKey {
    /// The facts that are known at the beginning of the block.
    fn env(&self) -> Env {
        let assigned = self.known.iter().map(|(&slot, &number)| (slot, Term::Constant(number)));
        let alias = |(&slot, (constant, keys)): (&Slot, &(Slot, Vec<i32>))| {
            let keys = keys.iter().map(|&number| Term::Constant(number)).collect();
            (slot, Alias { source: Source::Constant(*constant), keys, writes: 0 })
        };
        Env {
            assigned: assigned.collect(),
            aliases: self.maps.iter().map(alias).collect(),
            ..Env::default()
        }
    }
}

/// The blocks of a turn.
struct Blocks {
    /// The turn, and the variable that says if its move is made.
    turn: usize,
    is_made: Local,
    /// The variable that counts the jumps back, and the most that a walk without a circle has.
    rounds: Local,
    most_rounds: i32,
    /// The number of the block that is being written.
    current: u32,
    keys: Vec<BlockKey>,
    numbers: FxHashMap<BlockKey, u32>,
}

impl Blocks {
    fn number(&mut self, key: BlockKey) -> u32 {
        let next = self.keys.len() as u32;
        let number = *self.numbers.entry(key.clone()).or_insert(next);
        if number == next {
            self.keys.push(key);
        }
        number
    }
}

impl Compiler<'_> {
    /// Writes a turn in which at most one walk goes on from each node.
    pub(super) fn direct(
        &mut self,
        turn: usize,
        name: String,
        node: NodeId,
        known: BTreeMap<Slot, i32>,
    ) -> Result<FunctionId, Stop> {
        let mut w = Writer::new(name, &[], Some(Type::Int));
        let is_made = w.var(Type::Int, 0);
        let mut blocks = Blocks {
            turn,
            is_made,
            rounds: w.var(Type::Int, 0),
            most_rounds: self.most_rounds(node),
            current: 0,
            keys: Vec::new(),
            numbers: FxHashMap::default(),
        };
        blocks.number(BlockKey { node, known, maps: BTreeMap::new() });
        let mut written: Vec<Block> = Vec::new();
        while let Some(key) = blocks.keys.get(written.len()).cloned() {
            if written.len() == MAX_BLOCKS {
                return Err(Stop::Unsupported("the keeper's moves are too long"));
            }
            blocks.current = written.len() as u32;
            let mut result = Ok(());
            let block = w.block(|w| result = self.block(w, &key, &mut blocks));
            result?;
            written.push(block);
        }
        let end = written.len() as u32;
        written.iter_mut().for_each(|block| lead_to(block, end));
        written.push(Block::new());
        w.push(Stmt::Blocks(written));
        w.give(is_made);
        Ok(self.program.function(w.finish()))
    }

    /// The number of different states on the walks of a move from a node: one that jumps back more
    /// often has been in the same state twice, and goes in a circle.
    fn most_rounds(&self, node: NodeId) -> i32 {
        let automaton = &self.rules.automaton;
        let (mut nodes, mut open) = (BTreeSet::from([node]), vec![node]);
        let mut assigned = BTreeSet::new();
        while let Some(node) = open.pop() {
            for edge in &automaton.nodes[node].edges {
                if let Label::Assign { target, .. } | Label::AssignAny { target, .. } = &edge.label
                {
                    assigned.insert(target.slot);
                }
                if !edge.label.ends_move() && nodes.insert(edge.to) {
                    open.push(edge.to);
                }
            }
        }
        let states = assigned.into_iter().fold(nodes.len() as u64, |states, slot| {
            let shape = &automaton.variables[slot].shape;
            let cells = u32::try_from(automaton.cells(shape)).unwrap_or(u32::MAX);
            let values = automaton.sets[shape.values].members.len() as u64;
            states.saturating_mul(values.saturating_pow(cells))
        });
        states.min(MAX_KEEPER_ROUNDS) as i32
    }

    /// Writes the edges of a node.
    fn block(&mut self, w: &mut Writer, key: &BlockKey, blocks: &mut Blocks) -> Result<(), Stop> {
        self.budget = self.budget.checked_sub(1).ok_or(Stop::Unsupported("too much code"))?;
        let edges = &self.rules.automaton.nodes[key.node].edges;
        let is_either = matches!(edges.as_slice(), [one, other]
            if one.label.is_complement(&other.label));
        for (number, edge) in edges.iter().enumerate() {
            let depth = w.depth();
            if is_either && number == 1 {
                // The other edge has not been gone along, so this one passes.
                self.go(w, BlockKey { node: edge.to, ..key.clone() }, blocks);
                return Ok(());
            }
            self.edge(w, edge, key, blocks)?;
            w.close_to(depth);
        }
        w.push(Stmt::Go(END));
        Ok(())
    }

    fn edge(
        &mut self,
        w: &mut Writer,
        edge: &Edge,
        key: &BlockKey,
        blocks: &mut Blocks,
    ) -> Result<(), Stop> {
        let env = &mut key.env();
        let mut next = BlockKey { node: edge.to, ..key.clone() };
        match &edge.label {
            Label::Skip | Label::Tag(_) | Label::TagVariable(_) => {}
            Label::Compare { .. } | Label::Test { .. } => {
                let condition = self.condition(w, env, &edge.label)?;
                if !env.narrow(w, condition) {
                    return Ok(());
                }
            }
            Label::AssignAny { target, set } => {
                let [only] = self.rules.automaton.sets[*set].members[..] else {
                    return Err(Stop::Unsupported("a choice of the keeper"));
                };
                let value = Term::Constant(self.map.numbers[only.index()]);
                self.store(w, env, target, value, &mut next)?;
            }
            Label::Assign { target, value } => {
                let shape = &self.rules.automaton.variables[target.slot].shape;
                if target.keys.len() < shape.keys.len() {
                    self.store_map(target, value, env, &mut next)?;
                } else {
                    let value = self.term(w, env, value)?;
                    self.store(w, env, target, value, &mut next)?;
                }
                if edge.label.ends_move() {
                    return self.hand_over(w, next, blocks);
                }
            }
        }
        self.go(w, next, blocks);
        Ok(())
    }

    /// Goes on with another block, of which it matters only what is read there.
    fn go(&self, w: &mut Writer, mut next: BlockKey, blocks: &mut Blocks) {
        let is_live = |slot: Slot| self.rules.liveness.is_live(next.node, slot);
        next.known.retain(|&slot, _| is_live(slot));
        next.maps.retain(|&slot, _| is_live(slot));
        let number = blocks.number(next);
        if number <= blocks.current {
            let Blocks { rounds, most_rounds, .. } = *blocks;
            w.set(rounds, rounds.get() + 1);
            w.when(rounds.get().greater(most_rounds), |w| w.push(Stmt::Go(END)));
        }
        w.push(Stmt::Go(number));
    }

    /// Ends the move.
    fn hand_over(&mut self, w: &mut Writer, next: BlockKey, blocks: &Blocks) -> Result<(), Stop> {
        let BlockKey { node, known, maps } = next;
        if maps.keys().any(|&slot| self.rules.liveness.is_live(node, slot)) {
            return Err(Stop::Unsupported("a map that is kept as a copy"));
        }
        let turn = self.turn(node, known);
        self.turns[blocks.turn].next.insert(turn);
        w.store(FRAME, Entry::Turn as i32, turn as i32);
        w.set(blocks.is_made, 1);
        w.push(Stmt::Go(END));
        Ok(())
    }

    /// Assigns a value at once.
    fn store(
        &mut self,
        w: &mut Writer,
        env: &mut Env,
        target: &Place,
        value: Term,
        next: &mut BlockKey,
    ) -> Result<(), Stop> {
        let slot = target.slot;
        if !target.keys.is_empty() {
            if env.aliases.contains_key(&slot) {
                return Err(Stop::Unsupported("a copy of a map that is written"));
            }
            self.assign(w, target, value, env, &Goal::Moves)?;
            for write in std::mem::take(&mut env.writes) {
                self.write(w, &write)?;
            }
            return Ok(());
        }
        match value {
            Term::Constant(number) if self.control[slot] => {
                next.known.insert(slot, number);
            }
            _ => {
                next.known.remove(&slot);
            }
        }
        w.store(SCALARS, self.map.places[slot].base as i32, code_of(&value)?);
        Ok(())
    }

    /// Gives a variable a map as a whole: a constant by its name, a variable cell by cell.
    fn store_map(
        &mut self,
        target: &Place,
        value: &Expr,
        env: &Env,
        next: &mut BlockKey,
    ) -> Result<(), Stop> {
        let unsupported = Err(Stop::Unsupported("a map that the keeper assigns as a whole"));
        let Expr::Constant(place) = value else { return unsupported };
        let mut keys = Vec::new();
        for key in &place.keys {
            match key {
                Expr::Symbol(symbol) => keys.push(self.map.numbers[symbol.index()]),
                Expr::Variable(Place { slot, keys: inner }) if inner.is_empty() => {
                    match env.assigned.get(slot) {
                        Some(Term::Constant(number)) => keys.push(*number),
                        _ => return unsupported,
                    }
                }
                _ => return unsupported,
            }
        }
        if !target.keys.is_empty() {
            return unsupported;
        }
        next.maps.insert(target.slot, (place.slot, keys));
        Ok(())
    }
}

/// Gives the block behind the last one its number. Nothing returns from within blocks, so that the
/// function can be written out where it is called.
fn lead_to(block: &mut Block, end: u32) {
    for statement in block {
        match statement {
            Stmt::Go(number) if *number == END => *number = end,
            Stmt::If(_, then, otherwise) => {
                lead_to(then, end);
                lead_to(otherwise, end);
            }
            _ => {}
        }
    }
}
