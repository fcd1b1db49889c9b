//! Layers as instructions: the actions of the keeper as a search that goes back on failure, and the
//! moves of players if they are cells of sets.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Compiler;
use super::kept::{Test, misplaced};
use super::steps::{Label, Tests, Writer};
use crate::bytecode::{Bytecode, Inst, MoveSource, REGISTERS, ROOM, drop_notes};
use crate::program::{EdgeKind, Layer, Op};

/// Depth of nested layers that are written at once; others follow later.
pub(super) const DEEPEST: usize = 64;
/// Number of instructions, times the words of a set, from which on large patterns are written once.
const LARGE: usize = 10_000;
/// Most registers of the layers of players.
pub(super) const MOST_REGISTERS: u32 = REGISTERS as u32 / 2;

/// A place at which the play goes on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Place {
    /// The keeper, between two of its actions.
    Keeper(u32),
    /// The keeper, before its first action.
    Begin(u32),
    Player(u32, u8),
}

/// The writer of a game as instructions, with the places that are still to be written.
pub(super) struct BytecodeWriter<'c, const W: usize> {
    pub(super) writer: Writer<'c, W>,
    places: FxHashMap<Place, Label>,
    todo: Vec<Place>,
    /// Most pieces that moves of the list put before their last cells, and true if there are longer
    /// moves.
    pub(super) longest: usize,
    pub(super) is_cut: bool,
    /// The ends of moves that are written behind the list.
    pub(super) tails: Vec<MoveTail>,
    /// Layers that have been examined: true if the keeper cannot fail there.
    pub(super) sure: FxHashMap<u32, bool>,
    /// Layers on the path to the one that is being examined.
    pub(super) asking: Vec<u32>,
}

/// The form in which the search keeps the contents of a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Held {
    Nothing,
    /// At most one cell, stored as a cell.
    Cell,
    /// Any number of cells, stored as a set.
    Set,
    /// A cell or a set, depending on the state.
    Either,
}

/// The last edges of the moves of a path, at their last cell.
pub(super) struct MoveTail {
    pub(super) label: Label,
    pub(super) edges: Vec<u32>,
    /// The instruction to go on at.
    pub(super) then: Label,
}

impl<const W: usize> Compiler<W> {
    /// The game as instructions, if code has sets for its board, and if it has few pieces and
    /// variables.
    pub(super) fn find_bytecode(&self) -> Option<Bytecode> {
        if const { W > kernel::MAX_NATIVE_WORDS } {
            return None;
        }
        if self.pieces > ROOM || self.bounds.len() > ROOM {
            return None;
        }
        let is_small = |written: &(Bytecode, Tests)| written.0.code.len() * self.words <= LARGE;
        let plain = self.write_bytecode(Tests::default(), false);
        let shared = match &plain {
            Some(written) if is_small(written) => None,
            _ => self.write_bytecode(Tests::default(), true),
        };
        let shares = shared.is_some();
        let (bytecode, tests) = shared.or(plain)?;
        let mut wrong = misplaced(&bytecode);
        if wrong.is_empty() {
            return Some(bytecode);
        }
        let without = |wrong: &FxHashSet<Test>| -> Tests {
            let is_wrong = |test: &Option<Test>| test.is_none_or(|test| wrong.contains(&test));
            tests
                .iter()
                .filter(|(_, test)| is_wrong(test))
                .map(|(&pattern, _)| (pattern, None))
                .collect()
        };
        let (bytecode, _) = self.write_bytecode(without(&wrong), shares)?;
        if misplaced(&bytecode).is_empty() {
            return Some(bytecode);
        }
        wrong.extend(tests.values().flatten());
        Some(self.write_bytecode(without(&wrong), shares)?.0)
    }

    /// The game as instructions. Those tests that may be are read from kept numbers. With `shares`
    /// large patterns are written once.
    fn write_bytecode(&self, tests: Tests, shares: bool) -> Option<(Bytecode, Tests)> {
        let mut layers = BytecodeWriter {
            writer: Writer::new(self, tests, shares),
            places: FxHashMap::default(),
            todo: Vec::new(),
            longest: 0,
            is_cut: false,
            tails: Vec::new(),
            sure: FxHashMap::default(),
            asking: Vec::new(),
        };
        for edge in 0..self.edges.len() {
            if let EdgeKind::Switch(mover @ 1..) = self.edges[edge].kind {
                layers.label(Place::Player(self.edges[edge].next, mover));
            }
        }
        while let Some(place) = layers.todo.pop() {
            if !layers.is_written(place) {
                layers.write(place, 0);
            }
        }
        let BytecodeWriter { mut writer, places, .. } = layers;
        // Parts that could not be written are searched.
        let search = writer.bytecode.code.len() as u32;
        writer.push(Inst::Search);
        writer.write_routines()?;
        if writer.is_full() {
            return None;
        }
        let (mut bytecode, mut labels, tests) = (writer.bytecode, writer.labels, writer.tests);
        for label in labels.iter_mut().filter(|label| **label == u32::MAX) {
            *label = search;
        }
        for target in bytecode.code.iter_mut().filter_map(Inst::target) {
            *target = labels[*target as usize];
        }
        for way in &mut bytecode.ways {
            way.target = labels[way.target as usize];
        }
        bytecode.turns = vec![None; self.layers.len()];
        for edge in &self.edges {
            let EdgeKind::Switch(mover @ 1..) = edge.kind else { continue };
            let at = labels[places[&Place::Player(edge.next, mover)] as usize];
            let turn = &mut bytecode.turns[edge.next as usize];
            if turn.is_none() && !matches!(bytecode.code[at as usize], Inst::Leave { .. }) {
                *turn = Some((mover, at));
            }
        }
        drop_notes(&mut bytecode);
        bytecode.turns.iter().any(Option::is_some).then_some((bytecode, tests))
    }
}

impl<const W: usize> BytecodeWriter<'_, W> {
    pub(super) fn label(&mut self, place: Place) -> Label {
        if let Some(&label) = self.places.get(&place) {
            return label;
        }
        let label = self.writer.label();
        self.places.insert(place, label);
        self.todo.push(place);
        label
    }

    fn is_written(&self, place: Place) -> bool {
        let label = self.places.get(&place);
        label.is_some_and(|&label| self.writer.labels[label as usize] != u32::MAX)
    }

    /// Goes on at a place, either by writing it here or by a jump.
    pub(super) fn go_on(&mut self, place: Place, depth: usize) {
        let label = self.label(place);
        if depth > DEEPEST || self.is_written(place) {
            // Other places are counted as moves of the keeper or as plies.
            let counted = matches!(place, Place::Keeper(_));
            self.writer.push(if counted { Inst::Jump(label) } else { Inst::Skip(label) });
        } else {
            self.write(place, depth + 1);
        }
    }

    fn write(&mut self, place: Place, depth: usize) {
        let label = self.label(place);
        self.writer.place(label);
        match place {
            Place::Begin(layer) => {
                self.writer.push(Inst::Enter(layer));
                self.go_on(Place::Keeper(layer), depth);
            }
            Place::Keeper(layer) => {
                if self.writer.is_full() || self.write_keeper(layer, depth).is_none() {
                    self.writer.push(Inst::Search);
                }
            }
            Place::Player(layer, mover) => {
                let start = self.writer.begin();
                let ways = self.writer.bytecode.ways.len();
                self.writer.push(Inst::Turn { layer, mover });
                if self.writer.is_full() || self.write_player(layer, mover, start, depth).is_none()
                {
                    self.writer.give_up(start);
                    self.writer.bytecode.ways.truncate(ways);
                    self.tails.clear();
                    self.writer.push(Inst::Leave { layer, mover });
                }
            }
        }
    }

    /// The place behind a switch, with its mover.
    pub(super) fn behind(&self, edge: u32) -> Option<(Place, u8)> {
        let edge = &self.writer.compiler.edges[edge as usize];
        match edge.kind {
            EdgeKind::Switch(0) => Some((Place::Begin(edge.next), 0)),
            EdgeKind::Switch(mover) => Some((Place::Player(edge.next, mover), mover)),
            _ => None,
        }
    }

    /// Writes the moves of a player from a layer on, behind the turn at instruction `start`.
    fn write_player(&mut self, id: u32, player: u8, start: usize, depth: usize) -> Option<()> {
        let compiler = self.writer.compiler;
        let layer = &compiler.layers[id as usize];
        if let Some((walk, edge)) = layer.lone {
            let (mut place, mover) = self.behind(edge)?;
            self.writer.walk_to_set(walk);
            let next = compiler.edges[edge as usize].next;
            let code = &self.writer.bytecode.code;
            let alone = |ins: &Inst| !matches!(ins, Inst::Walk(_) | Inst::IfPattern { .. });
            if let (Ok(layer), Ok(next)) = (u16::try_from(id), u16::try_from(next))
                && code[start + 1..].iter().all(alone)
            {
                // The mover is not needed before a cell is drawn.
                self.writer.remove(start);
                if mover == 0 {
                    place = Place::Keeper(u32::from(next));
                }
                let to = self.label(place);
                self.writer.push(Inst::Ply { player, mover, layer, next, to });
            } else {
                let to = self.label(place);
                self.writer.push(Inst::Draw { mover, to });
            }
            self.follow(place, depth);
            return Some(());
        }
        if let Some(()) = self.write_pairs(layer) {
            return Some(());
        }
        if layer.ops.iter().any(|op| !self.is_of_sets(op)) {
            return self.write_list(id);
        }
        if layer.registers > MOST_REGISTERS {
            return None;
        }
        let first = self.writer.bytecode.ways.len();
        self.writer.push(Inst::Cell);
        self.writer.push(Inst::Save(0));
        for op in &layer.ops {
            match *op {
                Op::Walk { walk, from: 0, to, merge } => {
                    self.writer.walk_to_set(walk);
                    self.writer.push(if merge { Inst::Or(to as u8) } else { Inst::Save(to as u8) });
                }
                Op::Walk { walk, from, to, merge } => {
                    self.writer.push(Inst::Load(from as u8));
                    self.writer.walk_on(walk)?;
                    self.writer.push(if merge { Inst::Or(to as u8) } else { Inst::Save(to as u8) });
                }
                Op::Unless { of, to, .. } => {
                    self.writer.push(Inst::Unless(of as u8));
                    self.writer.push(Inst::Save(to as u8));
                }
                Op::Take { edge, from } => {
                    let (place, mover) = self.behind(edge)?;
                    let target = self.label(place);
                    let register = from as u8;
                    self.writer.bytecode.ways.push(MoveSource {
                        register,
                        put: None,
                        bare: true,
                        mover,
                        target,
                    });
                }
                Op::Loop(_) => return None,
            }
        }
        self.draw_from(first);
        Some(())
    }

    /// True if an operation is about sets, and an edge is a switch.
    fn is_of_sets(&self, op: &Op) -> bool {
        match op {
            Op::Walk { .. } | Op::Unless { .. } => true,
            Op::Take { edge, .. } => self.behind(*edge).is_some(),
            Op::Loop(_) => false,
        }
    }

    fn draw_from(&mut self, first: usize) {
        let count = (self.writer.bytecode.ways.len() - first) as u32;
        self.writer.push(Inst::DrawFrom { first: first as u32, count });
    }

    /// Writes a place here if it has not been written.
    fn follow(&mut self, place: Place, depth: usize) {
        if depth <= DEEPEST && !self.is_written(place) {
            self.write(place, depth + 1);
        }
    }

    /// Writes the moves from all cells of a set by some distances.
    fn write_pairs(&mut self, layer: &Layer) -> Option<()> {
        let compiler = self.writer.compiler;
        let [Op::Walk { walk, from: 0, to, merge: false }, Op::Take { edge, from }] = *layer.ops
        else {
            return None;
        };
        let edge = &compiler.edges[edge as usize];
        let pairs = edge.pairs.as_ref().filter(|_| to == from)?;
        let EdgeKind::Off(piece) = edge.kind else { return None };
        // From a single cell the search proceeds in another way.
        let is_set = self.held_in(layer, 1, from) == Held::Set;
        if pairs.steps.len() as u32 > MOST_REGISTERS || !is_set {
            return None;
        }
        let (place, mover) = self.behind(pairs.switch)?;
        let target = self.label(place);
        let first = self.writer.bytecode.ways.len();
        self.writer.walk_to_set(walk);
        self.writer.push(Inst::Save(0));
        for (register, step) in (1..).zip(&pairs.steps) {
            self.writer.push(Inst::Load(0));
            self.writer.pair_step(step);
            self.writer.push(Inst::Save(register));
            let put = Some((piece, step.by as i16));
            self.writer.bytecode.ways.push(MoveSource {
                register,
                put,
                bare: false,
                mover,
                target,
            });
        }
        self.draw_from(first);
        Some(())
    }
}
