//! One rule to operations: nested loops over rows, with the tests of the other literals as far
//! outside as their variables are known.

use super::{Compiler, Dead, Purpose};
use crate::datalog::code::{Back, CodeRange, END, Key, Move, Op, Row};
use crate::datalog::flat::{FlatAtom, FlatId, FlatLiteral, FlatRule, FlatTerm};
use crate::datalog::layout::RowPolicy;
use crate::datalog::plan::is_bound;
use crate::datalog::statics::{self, Extent};
use crate::datalog::store::NONE;

/// Relations expected to have no more rows than this are looked through without an index.
const SMALL: f64 = 3.0;

/// Counts in how many places of the rule each variable stands.
fn count_uses(rule: &FlatRule, uses: &mut [u32]) {
    let mut count = |term: &FlatTerm| term.for_each_variable(&mut |var| uses[var as usize] += 1);
    rule.body.iter().for_each(|literal| literal.for_each_term(&mut count));
    rule.head.columns.iter().for_each(count);
}

/// One rule being compiled.
pub(super) struct Body<'c, 'a, 'r> {
    compiler: &'c mut Compiler<'a>,
    rule: &'r FlatRule,
    uses: Vec<u32>,
    bound: Vec<bool>,
    /// By literal of the body.
    done: Vec<bool>,
    pub(super) next_register: u32,
    pub(super) frames: u32,
    /// The innermost loop that can supply other values.
    back: Back,
    /// The innermost loop that can supply another head.
    head_back: Back,
    head_known: bool,
    purpose: Purpose,
}

/// A literal's columns, sorted by what is known of them.
#[derive(Default)]
struct Access {
    /// Columns whose value is known, with its register.
    known: Vec<(usize, u32)>,
    /// Columns to load, with the register.
    loads: Vec<(usize, u32)>,
    /// Columns to compare after loading: a variable that stands twice.
    repeats: Vec<(usize, u32)>,
    /// Columns loaded into a register that hold terms to take apart.
    opens: Vec<(u32, FlatTerm)>,
}

impl<'c, 'a, 'r> Body<'c, 'a, 'r> {
    pub(super) fn new(
        compiler: &'c mut Compiler<'a>,
        rule: &'r FlatRule,
        purpose: Purpose,
    ) -> Body<'c, 'a, 'r> {
        let mut uses = vec![0; rule.variables as usize];
        count_uses(rule, &mut uses);
        Body {
            next_register: compiler.code.constants.len() as u32 + rule.variables,
            compiler,
            rule,
            uses,
            bound: vec![false; rule.variables as usize],
            done: vec![false; rule.body.len()],
            frames: 0,
            back: END,
            head_back: END,
            head_known: purpose != Purpose::Add,
            purpose,
        }
    }

    /// Goes through the positive literals in this order, after the one whose rows are new.
    pub(super) fn compile(&mut self, order: &[usize], delta: Option<usize>) -> Result<(), Dead> {
        if let Some(delta) = delta {
            self.done[delta] = true;
            self.positive(delta, true)?;
        }
        self.after_binding(order.is_empty())?;
        for (n, &literal) in order.iter().enumerate() {
            if !self.done[literal] {
                self.done[literal] = true;
                self.positive(literal, false)?;
                let loops_follow = order[n + 1..].iter().any(|&l| !self.done[l]);
                self.after_binding(!loops_follow)?;
            }
        }
        self.emit()
    }

    fn push(&mut self, op: Op) -> u32 {
        self.compiler.code.ops.push(op);
        self.compiler.code.ops.len() as u32 - 1
    }

    fn frame(&mut self) -> u32 {
        self.frames += 1;
        self.frames - 1
    }

    fn temporary(&mut self) -> u32 {
        self.next_register += 1;
        self.next_register - 1
    }

    fn variable(&self, var: u32) -> u32 {
        self.compiler.code.constants.len() as u32 + var
    }

    fn constant(&self, symbol: crate::symbols::Symbol) -> u32 {
        self.compiler.constants[&self.compiler.world.universe.value(symbol)]
    }

    fn moves(&mut self, list: &[(usize, u32)]) -> CodeRange {
        let moves = &mut self.compiler.code.moves;
        let start = moves.len() as u32;
        moves.extend(list.iter().map(|&(c, register)| Move { column: c as u32, register }));
        CodeRange { start, end: moves.len() as u32 }
    }

    fn registers(&mut self, list: impl Iterator<Item = u32>) -> CodeRange {
        let registers = &mut self.compiler.code.registers;
        let start = registers.len() as u32;
        registers.extend(list);
        CodeRange { start, end: registers.len() as u32 }
    }

    /// The register of a term that is known; terms that may not exist are made if `make` says so,
    /// else looked for.
    fn value(&mut self, term: &FlatTerm, make: bool) -> u32 {
        match term {
            FlatTerm::Var(var) => self.variable(*var),
            FlatTerm::Const(symbol) => self.constant(*symbol),
            FlatTerm::Pattern(functor, args) => {
                let args: Vec<u32> = args.iter().map(|a| self.value(a, make)).collect();
                let args = self.registers(args.into_iter());
                let (functor, register, back) = (*functor, self.temporary(), self.back);
                self.push(if make {
                    Op::Make { functor, args, register }
                } else {
                    Op::Find { functor, args, register, back }
                });
                register
            }
        }
    }

    /// Does what can be done now that more variables are known: tests, and leaving off where the
    /// head is known to hold already.
    fn after_binding(&mut self, last: bool) -> Result<(), Dead> {
        for i in 0..self.rule.body.len() {
            if self.done[i] {
                continue;
            }
            match &self.rule.body[i] {
                FlatLiteral::Positive(atom) => {
                    if atom.columns.iter().all(|c| is_bound(c, &self.bound)) {
                        self.done[i] = true;
                        self.test(atom, true)?;
                    }
                }
                FlatLiteral::Negative(atom) => {
                    if atom.columns.iter().all(|c| is_bound(c, &self.bound)) {
                        self.done[i] = true;
                        self.test(atom, false)?;
                    }
                }
                FlatLiteral::Differ(pairs) => {
                    let terms = pairs.iter().flat_map(|(a, b)| [a, b]);
                    if terms.into_iter().all(|t| is_bound(t, &self.bound)) {
                        self.done[i] = true;
                        let pairs: Vec<(u32, u32)> = pairs
                            .iter()
                            .map(|(a, b)| (self.value(a, true), self.value(b, true)))
                            .collect();
                        let all = &mut self.compiler.code.pairs;
                        let start = all.len() as u32;
                        all.extend(pairs);
                        let pairs = CodeRange { start, end: all.len() as u32 };
                        let back = self.back;
                        self.push(Op::Differ { pairs, back });
                    }
                }
            }
        }
        let head = &self.rule.head.columns;
        if !self.head_known && head.iter().all(|c| is_bound(c, &self.bound)) {
            self.head_known = true;
            self.head_back = self.back;
            let plain = !head.iter().any(|c| matches!(c, FlatTerm::Pattern(..)));
            let slot = self.compiler.world.slots[self.rule.head.relation.index()];
            let is_set = slot.is_some_and(|slot| self.compiler.layouts.relations[slot].is_set());
            if plain && !last && is_set {
                self.test_tuple(&self.rule.head.clone(), false, false)?;
            }
        }
        Ok(())
    }

    /// Goes on if the tuple, of which all is known, is there or is not, as `want` says.
    fn test(&mut self, atom: &FlatAtom, want: bool) -> Result<(), Dead> {
        self.test_tuple(atom, want, true)
    }

    /// With `ask`, a relation on demand is asked for it before.
    fn test_tuple(&mut self, atom: &FlatAtom, want: bool, ask: bool) -> Result<(), Dead> {
        let values: Vec<u32> = atom.columns.iter().map(|c| self.value(c, !want)).collect();
        let relation = atom.relation;
        let back = self.back;
        let world = self.compiler.world;
        if let Some(slot) = world.slots[relation.index()] {
            if ask {
                self.call(relation, |c| values[c]);
            }
            let bits = self.compiler.layouts.relations[slot].bits.clone();
            let op = if let Some((dense, word)) = bits {
                let key = self.compiler.key_of(&dense, |c| values[c]);
                Op::Test { word, key, want, back }
            } else {
                let key = self.registers(values.into_iter());
                Op::HashTest { relation: slot as u32, key, want, back }
            };
            self.push(op);
            return Ok(());
        }
        let Some(extent) = world.statics.relations[relation.index()].as_ref() else {
            return if want { Err(Dead) } else { Ok(()) };
        };
        // Decided now, where nothing but constants is asked for.
        let constants = &self.compiler.code.constants;
        let known: Option<Vec<u32>> =
            values.iter().map(|&r| constants.get(r as usize).copied()).collect();
        if let Some(row) = known {
            let there = extent.contains(&row);
            return if there == want { Ok(()) } else { Err(Dead) };
        }
        if extent.len == 0 {
            return if want { Err(Dead) } else { Ok(()) };
        }
        let op = if let Some(set) = self.compiler.set(relation, extent) {
            let dense = self.compiler.code.sets[set as usize].0.clone();
            let key = self.compiler.key_of(&dense, |c| values[c]);
            Op::StaticTest { set, key, want, back }
        } else {
            let all: Vec<usize> = (0..values.len()).collect();
            let table = self.compiler.table(relation, extent, all, Vec::new());
            self.static_test(table, &values, want, back)
        };
        self.push(op);
        Ok(())
    }

    /// A test by a table over all columns, whose keys may be dense though bits were not possible.
    fn static_test(&mut self, table: u32, values: &[u32], want: bool, back: Back) -> Op {
        let key = self.registers(values.iter().copied());
        Op::StaticHashTest { table, key, want, back }
    }

    /// Asks a relation on demand for a key, whose values are in these registers by column.
    fn call(&mut self, relation: FlatId, register: impl Fn(usize) -> u32) {
        let world = self.compiler.world;
        let Some(Some(demand)) = world.demands.of.get(relation.index()) else { return };
        let Some(slot) = world.slots[demand.asked.index()] else { return };
        let values: Vec<u32> = demand.key.iter().map(|&c| register(c)).collect();
        let (word, key) = match self.compiler.layouts.relations[slot].bits.clone() {
            Some((dense, word)) => (word, self.compiler.key_of(&dense, |c| values[c])),
            None => (NONE, Key { base: 0, parts: CodeRange::default() }),
        };
        let columns = self.registers(values.into_iter());
        let stage = if demand.stage == self.compiler.stage { NONE } else { demand.stage as u32 };
        let links = CodeRange::default();
        self.push(Op::Call { relation: slot as u32, word, key, columns, links, stage });
    }

    fn access(&mut self, atom: &FlatAtom) -> Access {
        let mut access = Access::default();
        let mut here = Vec::new();
        for (column, term) in atom.columns.iter().enumerate() {
            match term {
                FlatTerm::Var(var) if here.contains(var) => {
                    access.repeats.push((column, self.variable(*var)));
                }
                FlatTerm::Var(var) if !self.bound[*var as usize] => {
                    here.push(*var);
                    if self.uses[*var as usize] > 1 {
                        access.loads.push((column, self.variable(*var)));
                    }
                }
                term if is_bound(term, &self.bound) => {
                    let register = self.value(term, false);
                    access.known.push((column, register));
                }
                pattern => {
                    let register = self.temporary();
                    access.loads.push((column, register));
                    access.opens.push((register, pattern.clone()));
                }
            }
        }
        access
    }

    /// A loop over the rows that match a positive literal.
    fn positive(&mut self, literal: usize, delta: bool) -> Result<(), Dead> {
        let FlatLiteral::Positive(atom) = &self.rule.body[literal] else { return Ok(()) };
        let atom = atom.clone();
        let access = self.access(&atom);
        let world = self.compiler.world;
        if !delta && !access.known.is_empty() {
            self.call(atom.relation, |c| register_of(&access.known, c));
        }
        let (at, many) = if let Some(slot) = world.slots[atom.relation.index()] {
            // There is one tuple in hand, and a loop over all others.
            let many = !(delta && self.purpose == Purpose::Count);
            (self.dynamic_loop(&atom, slot, &access, delta), many)
        } else {
            let extent = world.statics.relations[atom.relation.index()].as_ref();
            self.static_loop(&atom, extent.filter(|e| e.len > 0).ok_or(Dead)?, &access)
        };
        for term in &atom.columns {
            if let FlatTerm::Var(var) = term {
                self.bound[*var as usize] = true;
            }
        }
        // A loop that loads nothing only asks whether there is a row: no use in going back to it,
        // unless to count.
        if many && (!access.loads.is_empty() || self.purpose == Purpose::Count) {
            self.back = at;
        }
        for (register, pattern) in access.opens {
            self.open(register, &pattern);
        }
        Ok(())
    }

    fn dynamic_loop(&mut self, atom: &FlatAtom, slot: usize, access: &Access, delta: bool) -> u32 {
        let relation = slot as u32;
        let back = self.back;
        let loads = self.moves(&access.loads);
        let compared = |with: &[(usize, u32)]| [with, &access.repeats[..]].concat();
        let few = self.compiler.world.sizes[atom.relation.index()].rows <= SMALL;
        if delta || access.known.is_empty() || few {
            let checks = self.moves(&compared(&access.known));
            let row = Row { loads, checks };
            if delta && self.purpose == Purpose::Count {
                return self.push(Op::Given { row, back });
            }
            if delta {
                let cursor = self.compiler.code.cursors;
                self.compiler.code.cursors += 1;
                return self.push(Op::Delta { relation, row, cursor, back });
            }
            let frame = self.frame();
            return self.push(Op::Scan { relation, row, frame, back });
        }
        let columns: Vec<usize> = access.known.iter().map(|&(c, _)| c).collect();
        let index = self.compiler.layouts.index(slot, &columns);
        let dense = self.compiler.layouts.relations[slot].indexes[index].dense.clone();
        let link = (atom.columns.len() + index) as u32;
        let (index, frame) = (index as u32, self.frame());
        let op = if let Some((dense, heads)) = dense {
            let checks = self.moves(&access.repeats);
            let key = self.compiler.key_of(&dense, |c| register_of(&access.known, c));
            Op::Chain { relation, link, heads, key, row: Row { loads, checks }, frame, back }
        } else {
            let checks = self.moves(&compared(&access.known));
            let key = self.registers(access.known.iter().map(|&(_, r)| r));
            Op::HashChain { relation, index, link, key, row: Row { loads, checks }, frame, back }
        };
        self.push(op)
    }

    /// The operation's place, and whether it can supply several rows.
    fn static_loop(&mut self, atom: &FlatAtom, extent: &Extent, access: &Access) -> (u32, bool) {
        let back = self.back;
        let key: Vec<usize> = access.known.iter().map(|&(c, _)| c).collect();
        // A variable that stands twice needs the column of its first place too.
        let kept: Vec<usize> =
            access.loads.iter().chain(&access.repeats).map(|&(c, _)| c).collect();
        let place = |list: &[(usize, u32)], from: usize| -> Vec<(usize, u32)> {
            list.iter().enumerate().map(|(i, &(_, r))| (from + i, r)).collect()
        };
        let table = self.compiler.table(atom.relation, extent, key, kept);
        let loads = self.moves(&place(&access.loads, 0));
        let checks = self.moves(&place(&access.repeats, access.loads.len()));
        let row = Row { loads, checks };
        if access.known.is_empty() {
            let frame = self.frame();
            return (self.push(Op::Table { table, row, frame, back }), true);
        }
        let unique = self.compiler.code.tables[table as usize].unique;
        let dense = match &self.compiler.code.tables[table as usize].keys {
            statics::Keys::Dense(dense, _) => Some(dense.clone()),
            statics::Keys::Hashed(_) => None,
        };
        let op = if let Some(dense) = dense {
            let key = self.compiler.key_of(&dense, |c| register_of(&access.known, c));
            if unique {
                return (self.push(Op::Only { table, key, row, back }), false);
            }
            let frame = self.frame();
            Op::Rows { table, key, row, frame, back }
        } else {
            let key = self.registers(access.known.iter().map(|&(_, r)| r));
            let frame = self.frame();
            Op::HashRows { table, key, row, frame, back }
        };
        (self.push(op), true)
    }

    /// Takes the term in a register apart.
    fn open(&mut self, register: u32, pattern: &FlatTerm) {
        let FlatTerm::Pattern(functor, args) = pattern else { return };
        let (mut loads, mut checks, mut inner) = (Vec::new(), Vec::new(), Vec::new());
        for (i, arg) in args.iter().enumerate() {
            match arg {
                FlatTerm::Var(var) => {
                    let target = self.variable(*var);
                    if std::mem::replace(&mut self.bound[*var as usize], true) {
                        checks.push((i, target));
                    } else {
                        loads.push((i, target));
                    }
                }
                FlatTerm::Const(symbol) => checks.push((i, self.constant(*symbol))),
                FlatTerm::Pattern(..) => {
                    let target = self.temporary();
                    loads.push((i, target));
                    inner.push((target, arg.clone()));
                }
            }
        }
        let row = Row { loads: self.moves(&loads), checks: self.moves(&checks) };
        let (functor, arity, back) = (*functor, args.len() as u32, self.back);
        self.push(Op::Open { register, functor, arity, row, back });
        for (register, pattern) in inner {
            self.open(register, &pattern);
        }
    }

    fn emit(&mut self) -> Result<(), Dead> {
        let head = self.rule.head.clone();
        let slot = self.compiler.world.slots[head.relation.index()].ok_or(Dead)?;
        let values: Vec<u32> = head.columns.iter().map(|c| self.value(c, true)).collect();
        let columns = self.registers(values.iter().copied());
        let (relation, back) = (slot as u32, self.head_back);
        let op = match self.compiler.layouts.relations[slot].bits.clone() {
            Some((dense, word)) if self.purpose == Purpose::Drop => {
                let key = self.compiler.key_of(&dense, |c| values[c]);
                Op::Drop { relation, word, key, back: self.back }
            }
            Some((dense, _)) if self.purpose == Purpose::Count => {
                let counts = self.compiler.layouts.relations[slot].counts.ok_or(Dead)?;
                let key = self.compiler.key_of(&dense, |c| values[c]);
                Op::Count { relation, counts, key, back: self.back }
            }
            Some((dense, word)) => {
                let key = self.compiler.key_of(&dense, |c| values[c]);
                let links = CodeRange::default();
                Op::Emit { relation, word, key, columns, links, rows: RowPolicy::All, back }
            }
            None => Op::HashEmit { relation, columns, back },
        };
        self.push(op);
        Ok(())
    }
}

fn register_of(known: &[(usize, u32)], column: usize) -> u32 {
    known.iter().find(|&&(c, _)| c == column).map_or(0, |&(_, register)| register)
}
