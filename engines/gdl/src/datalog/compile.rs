//! Rules to operations.

mod rule;

use rule::Body;
use rustc_hash::FxHashMap;

use super::bit_scan;
use super::code::{Code, CodeRange, Key, Link, Op, Part};
use super::demand::Demands;
use super::flat::{FlatId, FlatRule, FlatTerm};
use super::frame::Frame;
use super::layout::{Dense, Layouts, RowPolicy};
use super::loop_fusion;
use super::plan::{self, Size};
use super::statics::{self, Extent, Statics, Table};
use super::store::NONE;
use super::universe::Universe;

/// Possible facts up to which what is true and what will be are compared bit by bit.
const MAX_COMPARED: u32 = 1 << 16;

/// The tables that a rule is compiled against.
#[derive(Clone, Copy)]
pub(crate) struct World<'a> {
    pub(crate) universe: &'a Universe,
    pub(crate) statics: &'a Statics,
    /// By flat relation: its number in the store, if it changes.
    pub(crate) slots: &'a [Option<usize>],
    pub(crate) sizes: &'a [Size],
    pub(crate) demands: &'a Demands,
}

/// Compiles rules into one [`Code`].
pub(crate) struct Compiler<'a> {
    /// The tables that the rules at hand are compiled against.
    pub(crate) world: &'a World<'a>,
    layouts: &'a mut Layouts,
    code: Code,
    constants: FxHashMap<u32, u32>,
    tables: FxHashMap<(FlatId, Vec<usize>, Vec<usize>), u32>,
    sets: FxHashMap<FlatId, Option<u32>>,
    /// The stage whose rules are being compiled.
    pub(crate) stage: usize,
}

/// The rule can never derive anything.
struct Dead;

/// The use of the tuples that a rule derives.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// It is added to its relation.
    Add,
    /// It is taken away.
    Drop,
    /// Its derivations are counted, each of them.
    Count,
}

impl<'a> Compiler<'a> {
    /// A compiler for rules among these.
    pub(crate) fn new<'r>(
        world: &'a World<'a>,
        layouts: &'a mut Layouts,
        rules: impl Iterator<Item = &'r FlatRule>,
    ) -> Compiler<'a> {
        let mut compiler = Compiler {
            world,
            layouts,
            code: Code::default(),
            constants: FxHashMap::default(),
            tables: FxHashMap::default(),
            sets: FxHashMap::default(),
            stage: 0,
        };
        for rule in rules {
            let mut note = |term: &FlatTerm| compiler.note_constants(term);
            rule.body.iter().for_each(|literal| literal.for_each_term(&mut note));
            rule.head.columns.iter().for_each(note);
        }
        compiler
    }

    fn note_constants(&mut self, term: &FlatTerm) {
        match term {
            FlatTerm::Var(_) => {}
            FlatTerm::Const(symbol) => {
                let value = self.world.universe.value(*symbol);
                let next = self.code.constants.len() as u32;
                if *self.constants.entry(value).or_insert(next) == next {
                    self.code.constants.push(value);
                }
            }
            FlatTerm::Pattern(_, args) => args.iter().for_each(|a| self.note_constants(a)),
        }
    }

    /// Compiles one rule and returns where it begins; `None` if it can never derive anything. With
    /// `delta`, this literal's rows are taken from a cursor of its own on.
    pub(crate) fn rule(&mut self, rule: &FlatRule, delta: Option<usize>) -> Option<u32> {
        self.rule_for(rule, delta, Purpose::Add)
    }

    /// Like [`Compiler::rule`]; with the relation in the store whose rows that literal goes
    /// through, and its cursor.
    pub(crate) fn variant(
        &mut self,
        rule: &FlatRule,
        delta: Option<usize>,
    ) -> Option<(u32, Option<(usize, usize)>)> {
        let cursor = self.code.cursors as usize;
        let start = self.rule(rule, delta)?;
        let atom = delta.and_then(|delta| rule.body[delta].positive());
        let slot = atom.and_then(|atom| self.world.slots[atom.relation.index()]);
        Some((start, slot.map(|slot| (slot, cursor))))
    }

    /// Compiles a rule that counts derivations; with `given`, those that have the tuple in hand for
    /// this literal.
    pub(crate) fn count(&mut self, rule: &FlatRule, given: Option<usize>) -> Option<u32> {
        self.rule_for(rule, given, Purpose::Count)
    }

    /// Compiles what becomes of facts that stay unless something says otherwise; the places of the
    /// rules that it became, which go before all others of the relation. `None` where it has to be
    /// found out fact by fact.
    pub(crate) fn frame(&mut self, frame: &Frame, head: FlatId) -> Option<Vec<u32>> {
        let [from, to] = [frame.from, head].map(|id| self.world.slots[id.index()]);
        let (from, to) = (from?, to?);
        let (dense, from) = self.layouts.relations[from].bits.clone()?;
        let (_, word) = self.layouts.relations[to].bits.clone()?;
        if dense.size > MAX_COMPARED {
            return None;
        }
        let words = dense.size.div_ceil(64);
        let mut starts = vec![self.code.ops.len() as u32];
        self.code.ops.push(Op::Copy { from, word, words, relation: to as u32 });
        starts
            .extend(frame.drops.iter().filter_map(|rule| self.rule_for(rule, None, Purpose::Drop)));
        Some(starts)
    }

    fn rule_for(&mut self, rule: &FlatRule, delta: Option<usize>, purpose: Purpose) -> Option<u32> {
        let start = self.code.ops.len();
        let lengths = self.lengths();
        let order = plan::order(rule, delta, self.world.sizes);
        let constants = self.code.constants.len() as u32;
        let mut body = Body::new(self, rule, purpose);
        if let Err(Dead) = body.compile(&order, delta) {
            self.code.ops.truncate(start);
            self.truncate(lengths);
            return None;
        }
        let (registers, frames) = (body.next_register, body.frames);
        let code = &mut self.code;
        code.variables = code.variables.max(registers - constants);
        code.frames = code.frames.max(frames);
        loop_fusion::innermost(code, start);
        Some(start as u32)
    }

    fn lengths(&self) -> [usize; 5] {
        let code = &self.code;
        [
            code.parts.len(),
            code.moves.len(),
            code.registers.len(),
            code.pairs.len(),
            code.cursors as usize,
        ]
    }

    fn truncate(&mut self, [parts, moves, registers, pairs, cursors]: [usize; 5]) {
        self.code.parts.truncate(parts);
        self.code.moves.truncate(moves);
        self.code.registers.truncate(registers);
        self.code.pairs.truncate(pairs);
        self.code.cursors = cursors as u32;
    }

    /// The code, now that all indexes are known, and which relations are looked through. `kept`
    /// says of which, by number in the store, rows are needed whatever rules ask; `steps` names the
    /// relations of `true` and `next`.
    pub(crate) fn finish(mut self, kept: impl Fn(usize) -> bool, steps: &[(usize, usize)]) -> Code {
        loop {
            let scanned = self.scanned();
            for (relation, layout) in self.layouts.relations.iter_mut().enumerate() {
                if layout.bits.is_some() && !scanned[relation] {
                    // Nothing asks for rows by key any more.
                    layout.indexes.clear();
                    if let Some(&(from, _)) = steps.iter().find(|&&(_, next)| next == relation) {
                        layout.keep = RowPolicy::New(from as u32);
                    } else if !kept(relation) {
                        layout.keep = RowPolicy::Nothing;
                    }
                }
            }
            if !self.bit_scans() {
                break;
            }
        }
        // `New` was the relation's number so far.
        for relation in 0..self.layouts.relations.len() {
            if let RowPolicy::New(from) = self.layouts.relations[relation].keep {
                let bits = &self.layouts.relations[from as usize].bits;
                let word = bits.as_ref().filter(|(dense, _)| dense.size <= MAX_COMPARED);
                self.layouts.relations[relation].keep =
                    word.map_or(RowPolicy::All, |&(_, word)| RowPolicy::New(word));
            }
        }
        for at in 0..self.code.ops.len() {
            let (Op::Emit { relation, columns, .. } | Op::Call { relation, columns, .. }) =
                self.code.ops[at]
            else {
                continue;
            };
            let columns: Vec<u32> = columns.of(&self.code.registers).to_vec();
            let start = self.code.links.len() as u32;
            let indexes = self.layouts.relations[relation as usize].indexes.clone();
            for (i, index) in indexes.iter().enumerate() {
                let (heads, key) = match &index.dense {
                    Some((dense, heads)) => (*heads, self.key_of(dense, |c| columns[c])),
                    None => (NONE, Key { base: 0, parts: CodeRange::default() }),
                };
                self.code.links.push(Link { index: i as u32, heads, key });
            }
            let end = self.code.links.len() as u32;
            if let Op::Emit { links, .. } | Op::Call { links, .. } = &mut self.code.ops[at] {
                *links = CodeRange { start, end };
            }
            if let Op::Emit { rows, .. } = &mut self.code.ops[at] {
                *rows = self.layouts.relations[relation as usize].keep;
            }
        }
        self.code
    }

    /// By relation: whether its rows are gone through.
    fn scanned(&self) -> Vec<bool> {
        let mut scanned = vec![false; self.layouts.relations.len()];
        for op in &self.code.ops {
            if let Op::Scan { relation, .. }
            | Op::Delta { relation, .. }
            | Op::Chain { relation, .. }
            | Op::HashChain { relation, .. } = *op
            {
                scanned[relation as usize] = true;
            }
        }
        scanned
    }

    /// Makes one operation of loops that take over bits; whether there were any.
    fn bit_scans(&mut self) -> bool {
        let mut any = false;
        for at in 0..self.code.ops.len() {
            let Some(emit) = bit_scan::derives(&self.code, at) else { continue };
            let (Op::Scan { relation: from, .. } | Op::Chain { relation: from, .. }) =
                self.code.ops[at]
            else {
                continue;
            };
            let Op::Emit { relation, .. } = self.code.ops[emit] else { continue };
            let layout = &self.layouts.relations[relation as usize];
            let few = |(dense, _): &(Dense, u32)| dense.size <= MAX_COMPARED;
            let copies = match layout.keep {
                RowPolicy::All => continue,
                RowPolicy::Nothing => false,
                // Nothing is new that is true already.
                RowPolicy::New(is_true) if is_true == from => true,
                RowPolicy::New(_) => continue,
            };
            if !copies || layout.bits.as_ref().is_some_and(few) {
                any |= bit_scan::innermost(&mut self.code, self.layouts, at, copies);
            }
        }
        any
    }

    /// The position in a table, of values in these registers.
    fn key_of(&mut self, dense: &Dense, register: impl Fn(usize) -> u32) -> Key {
        let start = self.code.parts.len() as u32;
        let mut base = 0;
        for column in &dense.columns {
            let register = register(column.column);
            // Constants in range are added up now.
            if let Some(&value) = self.code.constants.get(register as usize) {
                let offset = value.wrapping_sub(column.low);
                if offset < column.size {
                    base += offset * column.multiplier;
                    continue;
                }
            }
            self.code.parts.push(Part {
                register,
                low: column.low,
                size: column.size,
                multiplier: column.multiplier,
            });
        }
        Key { base, parts: CodeRange { start, end: self.code.parts.len() as u32 } }
    }

    fn table(
        &mut self,
        relation: FlatId,
        extent: &Extent,
        key: Vec<usize>,
        kept: Vec<usize>,
    ) -> u32 {
        let next = self.code.tables.len() as u32;
        let id = (relation, key, kept);
        if let Some(&known) = self.tables.get(&id) {
            return known;
        }
        self.code.tables.push(Table::new(extent, &id.1, &id.2));
        self.tables.insert(id, next);
        next
    }

    /// The bits of a static relation, if it has any.
    fn set(&mut self, relation: FlatId, extent: &Extent) -> Option<u32> {
        if let Some(&known) = self.sets.get(&relation) {
            return known;
        }
        let set = statics::bits(extent).map(|set| {
            self.code.sets.push(set);
            self.code.sets.len() as u32 - 1
        });
        self.sets.insert(relation, set);
        set
    }
}
