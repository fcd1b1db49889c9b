//! Moves of players that put pieces before they reach their last cells, as instructions that list
//! them. The order is that of the search.

use super::bytecode::{BytecodeWriter, Held, MOST_REGISTERS, MoveTail};
use super::forbidden::Exposed;
use crate::bytecode::{Cells, Inst, MOST_TRIED, MoveSource};
use crate::formula::Formula;
use crate::program::{EdgeKind, Layer, Op, Pairs, Step};

/// Most pieces that moves put before their last cells: as many as there is room for, or fewer if
/// the code would become long.
const LONGEST: [usize; 4] = [MOST_TRIED, 4, 3, 2];
/// Most instructions of a list that leaves longer moves to the search.
const MOST_OF_CUT: usize = 3000;

/// The cells at which an edge is listed.
struct ListedSet {
    /// The register with the cells.
    register: u8,
    /// The possible pieces on the cells.
    cells: Cells,
    /// The cells among them at which the edge may make the forbidden pattern behind it hold.
    exposed: Option<Exposed>,
}

impl<const W: usize> BytecodeWriter<'_, W> {
    /// Writes the moves of a layer as a list. If some moves are longer than can be written, or
    /// endless chains, the list is left to the search when it comes to one.
    pub(super) fn write_list(&mut self, id: u32) -> Option<()> {
        let (start, ways) = (self.writer.begin(), self.writer.bytecode.ways.len());
        for most in LONGEST {
            self.longest = most;
            self.is_cut = false;
            let written = self.write_moves(id, start);
            if written.is_some() && (!self.is_cut || self.writer.begin() < start + MOST_OF_CUT) {
                return Some(());
            }
            self.writer.give_up(start);
            self.writer.bytecode.ways.truncate(ways);
            self.tails.clear();
            if written.is_none() && !self.is_cut {
                break;
            }
        }
        None
    }

    fn write_moves(&mut self, id: u32, start: usize) -> Option<()> {
        self.writer.push(Inst::List);
        self.list(id, 0, 0, None)?;
        self.writer.push(Inst::DrawListed);
        for MoveTail { label, edges, then } in std::mem::take(&mut self.tails) {
            self.writer.place(label);
            for edge in edges {
                let ins = match self.writer.compiler.edges[edge as usize].kind {
                    EdgeKind::Off(piece) => Inst::Put(piece),
                    EdgeKind::Assign(var, Formula::Number(value)) => Inst::Set { var, value },
                    _ => return None,
                };
                self.writer.push(ins);
            }
            self.writer.push(Inst::Skip(then));
        }
        // The list must not be entered in its middle.
        let alone = |ins: &Inst| !matches!(ins, Inst::Walk(_) | Inst::IfPattern { .. });
        self.writer.bytecode.code[start..].iter().all(alone).then_some(())
    }

    /// Lists the moves from the current cell, behind pieces that are being tried. Registers up to
    /// `base` are in use. `exposed` is the register of the cells at which the last of those pieces
    /// may have made the pattern hold that the layer forbids, if it is known.
    fn list(&mut self, id: u32, tried: usize, base: u32, exposed: Option<u8>) -> Option<()> {
        let Some(pattern) = self.forbidden_in(id, exposed.is_some()) else {
            return self.list_all(id, tried, base, None);
        };
        let [checked, free, end] = [(); 3].map(|()| self.writer.label());
        if let Some(exposed) = exposed {
            self.writer.push(Inst::Cell);
            self.writer.push(Inst::And(exposed));
            self.writer.push(Inst::IfEmpty(free));
        }
        self.writer.test(pattern, true, checked);
        self.writer.place(free);
        self.list_all(id, tried, base, Some((pattern, false)))?;
        self.writer.push(Inst::Skip(end));
        self.writer.place(checked);
        self.list_all(id, tried, base, Some((pattern, true)))?;
        self.writer.place(end);
        Some(())
    }

    /// The pattern that moves of a layer forbid before they end, if several do or one `is_enough`.
    fn forbidden_in(&self, id: u32, is_enough: bool) -> Option<u32> {
        let mut patterns = self.writer.compiler.forbidden_behind(id);
        let first = patterns.next()?;
        patterns.next().map_or(is_enough, |second| first == second).then_some(first)
    }

    /// Lists the moves from the current cell. `known` is a pattern with its result, if one is
    /// known.
    fn list_all(
        &mut self,
        id: u32,
        tried: usize,
        base: u32,
        known: Option<(u32, bool)>,
    ) -> Option<()> {
        let compiler = self.writer.compiler;
        let layer = &compiler.layers[id as usize];
        let mut next = base + layer.registers;
        if next + 1 >= MOST_REGISTERS || self.writer.is_full() {
            return None;
        }
        let exposing = if tried == 0 { self.write_exposed(layer, next as u8) } else { None };
        next += u32::from(exposing.is_some());
        let register = |own: u32| (base + own) as u8;
        // The cell itself is needed if it is a move, or if the list goes back to it.
        let asks = |op: &Op| match op {
            Op::Walk { from, .. } | Op::Take { from, .. } => *from == 0,
            Op::Unless { .. } | Op::Loop(_) => true,
        };
        let puts = |op: &Op| match op {
            Op::Take { edge, .. } => {
                let kind = &compiler.edges[*edge as usize].kind;
                matches!(kind, EdgeKind::Off(_) | EdgeKind::Assign(..))
            }
            _ => false,
        };
        let takes = |op: &Op| matches!(op, Op::Take { from: 0, .. });
        let first_put = layer.ops.iter().position(puts).unwrap_or(layer.ops.len());
        let returns = layer.ops.iter().skip(first_put + 1).any(asks);
        if returns || layer.ops.iter().any(takes) {
            self.writer.push(Inst::Cell);
            self.writer.push(Inst::Save(register(0)));
        }
        for (i, op) in layer.ops.iter().enumerate() {
            match *op {
                Op::Walk { to: 0, .. } => return None,
                Op::Walk { walk, from: 0, to, merge } => {
                    self.writer.walk_to_register(walk, register(to), merge)?;
                }
                Op::Walk { walk, from, to, merge } => {
                    let to = register(to);
                    self.writer.push(Inst::Load(register(from)));
                    self.writer.walk_on(walk)?;
                    self.writer.push(if merge { Inst::Or(to) } else { Inst::Save(to) });
                }
                Op::Unless { of: own, to, .. } => {
                    self.writer.push(Inst::Unless(register(own)));
                    self.writer.push(Inst::Save(register(to)));
                }
                Op::Take { edge, from: own } => {
                    let edge_id = edge;
                    let edge = &compiler.edges[edge as usize];
                    let from = register(own);
                    match edge.kind {
                        EdgeKind::Switch(_) => self.list_entry(from, None, &[], edge_id)?,
                        EdgeKind::Off(_) | EdgeKind::Assign(..) => {
                            // The register is empty after a loop over its cells.
                            let again = layer.ops[i + 1..].iter().any(|op| match op {
                                Op::Walk { from, .. } | Op::Take { from, .. } => *from == own,
                                Op::Unless { .. } | Op::Loop(_) => true,
                            });
                            let kept = again || own == 0;
                            if kept {
                                self.writer.push(Inst::Load(from));
                                self.writer.push(Inst::Save(next as u8));
                            }
                            let set = if kept { next as u8 } else { from };
                            let cells = self.writer.cells_of_register(layer, i, own);
                            // From a single cell the search proceeds in another way.
                            let pairs = edge.pairs.as_ref();
                            let pairs = pairs.map(|pairs| (pairs, self.held_in(layer, i, own)));
                            match (&edge.kind, pairs) {
                                (EdgeKind::Off(_), Some((_, Held::Either))) => return None,
                                (EdgeKind::Off(piece), Some((pairs, Held::Set))) => {
                                    self.list_pairs(pairs, *piece, set, next as u8 + 1)?;
                                }
                                _ => {
                                    let exposed =
                                        exposing.filter(|exposing| exposing.by(compiler, edge));
                                    let from = ListedSet { register: set, cells, exposed };
                                    self.list_edge(edge_id, from, tried, next + 1, known)?;
                                }
                            }
                            if returns {
                                self.writer.push(Inst::Load(register(0)));
                                self.writer.push(Inst::First);
                            }
                        }
                        EdgeKind::Accept => return None,
                    }
                }
                Op::Loop(_) => return None,
            }
        }
        Some(())
    }

    /// Lists the moves that end with some edges and a switch at each cell in a register.
    fn list_entry(
        &mut self,
        register: u8,
        put: Option<u8>,
        edges: &[u32],
        switch: u32,
    ) -> Option<()> {
        let way = self.way(register, put.map(|piece| (piece, 0)), switch)?;
        if !edges.is_empty() {
            let label = self.writer.label();
            let this = &mut self.writer.bytecode.ways[way as usize];
            this.bare = false;
            let then = std::mem::replace(&mut this.target, label);
            self.tails.push(MoveTail { label, edges: edges.to_vec(), then });
        }
        self.writer.push(Inst::Entry(way));
        Some(())
    }

    fn way(&mut self, register: u8, put: Option<(u8, i16)>, switch: u32) -> Option<u32> {
        let (place, mover) = self.behind(switch)?;
        let target = self.label(place);
        let bare = put.is_none();
        self.writer.bytecode.ways.push(MoveSource { register, put, bare, mover, target });
        Some(self.writer.bytecode.ways.len() as u32 - 1)
    }

    /// The form in which the search keeps a register before an operation of a layer, if it gets
    /// there.
    pub(super) fn held_in(&self, layer: &Layer, before: usize, register: u32) -> Held {
        let mut held = vec![Held::Nothing; layer.registers.max(1) as usize];
        held[0] = Held::Cell;
        for op in &layer.ops[..before] {
            let (to, found, merge) = match *op {
                Op::Walk { walk, from, to, merge } => {
                    (to, self.held_after(walk, held[from as usize]), merge)
                }
                Op::Unless { to, .. } => (to, Held::Cell, true),
                Op::Take { .. } | Op::Loop(_) => continue,
            };
            let known = &mut held[to as usize];
            *known = match (*known, found) {
                (Held::Nothing, found) => found,
                (Held::Set, Held::Set) => Held::Set,
                _ if merge => Held::Either,
                (_, found) => found,
            };
        }
        held[register as usize]
    }

    /// The form of the result of a walk. A walk that may lead to several cells gives a set even if
    /// it leads to one, except for sums.
    fn held_after(&self, walk: u32, from: Held) -> Held {
        let steps = &self.writer.compiler.walks[walk as usize];
        if from == Held::Set || steps.iter().all(Step::is_small) {
            from
        } else if steps.iter().any(|step| matches!(step, Step::Sum(_))) {
            Held::Either
        } else {
            Held::Set
        }
    }

    /// Lists the moves that put a piece at any cell in a register and end a step further on.
    fn list_pairs(&mut self, pairs: &Pairs, piece: u8, from: u8, next: u8) -> Option<()> {
        for step in &pairs.steps {
            self.writer.push(Inst::Load(from));
            self.writer.pair_step(step);
            self.writer.push(Inst::Save(next));
            let way = self.way(next, Some((piece, step.by as i16)), pairs.switch)?;
            self.writer.push(Inst::Entry(way));
        }
        Some(())
    }

    /// Lists the moves that take an edge at a cell in a register, and go on from there.
    fn list_edge(
        &mut self,
        edge_id: u32,
        from: ListedSet,
        tried: usize,
        next: u32,
        known: Option<(u32, bool)>,
    ) -> Option<()> {
        let ListedSet { register: from, cells, exposed } = from;
        let compiler = self.writer.compiler;
        let edge = &compiler.edges[edge_id as usize];
        let put = match edge.kind {
            EdgeKind::Off(piece) => Some(piece),
            _ => None,
        };
        let done = self.writer.label();
        let holds = |pattern: u32| known.filter(|known| known.0 == pattern).map(|known| known.1);
        let tail = edge.tail.as_ref().filter(|tail| tail.unless.and_then(holds) != Some(true));
        if let Some(tail) = tail {
            // If the pattern does not hold before, it does not hold at any cell.
            let tested = self.writer.label();
            let asked = tail.unless.filter(|&pattern| holds(pattern).is_none());
            if let Some(pattern) = asked {
                self.writer.test(pattern, true, tested);
            }
            let own = put.is_none().then_some(edge_id);
            let edges: Vec<u32> = own.into_iter().chain(tail.edges.iter().copied()).collect();
            self.list_entry(from, put, &edges, tail.switch)?;
            if asked.is_none() {
                return Some(());
            }
            self.writer.push(Inst::Skip(done));
            self.writer.place(tested);
        }
        if tried >= self.longest && put.is_some() {
            self.is_cut = true;
            self.writer.push(Inst::LeaveIfAny(from));
            self.writer.place(done);
            return Some(());
        }
        if let (Some(split), Some(piece)) = (&edge.split, put) {
            let put = Some((piece, 0));
            if let Some(clauses) = self.writer.clauses(split.pattern) {
                let way = self.way(from, put, split.switch)?;
                self.writer.push(Inst::Split { clauses, negated: split.negated, from, way });
            } else {
                let ended = next as u8;
                self.writer.push(Inst::Load(from));
                self.writer.test_set(split.pattern, split.negated)?;
                self.writer.push(Inst::Save(ended));
                self.writer.push(Inst::Without(from));
                self.writer.push(Inst::Save(from));
                let way = self.way(ended, put, split.switch)?;
                self.writer.push(Inst::Entry(way));
            }
        }
        let (begin, end) = (self.writer.label(), self.writer.label());
        self.writer.place(begin);
        self.writer.push(Inst::Next { register: from, cells, otherwise: end });
        let ins = match &edge.kind {
            EdgeKind::Off(piece) => Inst::Try(*piece),
            EdgeKind::Assign(var, formula) => {
                let formula = self.writer.formula(*var, formula);
                Inst::TrySet { var: *var, formula, otherwise: begin }
            }
            EdgeKind::Switch(_) | EdgeKind::Accept => return None,
        };
        self.writer.push(ins);
        let exposed = exposed.map(|exposed| exposed.register);
        self.list(edge.next, tried + usize::from(put.is_some()), next, exposed)?;
        self.writer.push(Inst::Untry(begin));
        self.writer.place(end);
        self.writer.place(done);
        Some(())
    }
}
