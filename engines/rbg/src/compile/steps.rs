//! Walks as instructions that work on words.

use rustc_hash::FxHashMap;

use super::Compiler;
use super::kept::{self, Test};
use crate::bits::Bits;
use crate::bytecode::{Bytecode, CellSet, Cells, Clauses, Inst, REGISTERS, SlidingRays};
use crate::description::Var;
use crate::formula::Formula;
use crate::layout::NONE;
use crate::program::{Layer, Op, PairStep, Pattern, Step};
use crate::rays::{Ray, Table};

/// Most instructions of a game; others are left to the search.
const MOST_INSTRUCTIONS: usize = 20_000;
/// Most instructions that are written, those that are discarded included.
const MOST_WRITTEN: usize = 10 * MOST_INSTRUCTIONS;
/// Depth of nested patterns, and of nested sums.
const DEEPEST: usize = 16;

/// A jump target that may not be known yet.
pub(super) type Label = u32;

/// The kept test of each pattern; `None` for patterns that are written out.
pub(super) type Tests = FxHashMap<u32, Option<Test>>;

/// Instructions that are being written.
pub(super) struct Writer<'c, const W: usize> {
    pub(super) compiler: &'c Compiler<W>,
    pub(super) bytecode: Bytecode,
    /// The instruction at each label.
    pub(super) labels: Vec<u32>,
    /// The kept tests of patterns that have been looked up; `None` for those that must be written
    /// out.
    pub(super) tests: Tests,
    /// The number of the routine of each pattern that is tested at many places.
    pub(super) routines: FxHashMap<u32, u32>,
    /// True if large patterns are routines at all places.
    pub(super) shares: bool,
    pub(super) is_in_routine: bool,
    /// Registers in use, from the last one downwards.
    pub(super) kept: usize,
    /// Index of the last instructions that must not be joined with the next one.
    apart: usize,
    /// True inside steps that are repeated; these do not nest.
    pub(super) is_round: bool,
    /// Number of instructions that have been written, removed ones included.
    written: usize,
}

impl<'c, const W: usize> Writer<'c, W> {
    pub(super) fn new(compiler: &'c Compiler<W>, tests: Tests, shares: bool) -> Writer<'c, W> {
        Writer {
            compiler,
            bytecode: Bytecode::default(),
            labels: Vec::new(),
            tests,
            routines: FxHashMap::default(),
            shares,
            is_in_routine: false,
            kept: 0,
            apart: 0,
            is_round: false,
            written: 0,
        }
    }

    pub(super) fn label(&mut self) -> Label {
        self.labels.push(u32::MAX);
        self.labels.len() as u32 - 1
    }

    pub(super) fn place(&mut self, label: Label) {
        self.labels[label as usize] = self.begin() as u32;
    }

    /// Begins instructions that may be removed, or jumped to.
    pub(super) fn begin(&mut self) -> usize {
        self.apart = self.bytecode.code.len();
        self.apart
    }

    /// Adds an instruction, or joins it with the last one.
    pub(super) fn push(&mut self, ins: Inst) {
        self.written += 1;
        let code = &mut self.bytecode.code;
        let last = code[self.apart.min(code.len())..].last().copied();
        if let Some(one) = last.and_then(|last| joined(last, ins)) {
            code.pop();
            code.push(one);
        } else {
            code.push(ins);
        }
    }

    /// Removes instructions that cannot be completed.
    pub(super) fn give_up(&mut self, start: usize) {
        self.bytecode.code.truncate(start);
        (self.kept, self.is_round) = (0, false);
        self.begin();
    }

    /// Removes an instruction.
    pub(super) fn remove(&mut self, at: usize) {
        self.bytecode.code.remove(at);
        let behind = |label: &&mut u32| **label != u32::MAX && **label as usize > at;
        self.labels.iter_mut().filter(behind).for_each(|label| *label -= 1);
        self.begin();
    }

    pub(super) fn is_full(&self) -> bool {
        self.bytecode.code.len() > MOST_INSTRUCTIONS || self.written > MOST_WRITTEN
    }

    /// Writes instructions, or none of them if not all can be written.
    pub(super) fn attempt(&mut self, write: impl FnOnce(&mut Self) -> Option<()>) -> Option<()> {
        let (start, kept, is_round) = (self.begin(), self.kept, self.is_round);
        let written = write(self);
        if written.is_none() {
            self.bytecode.code.truncate(start);
            (self.kept, self.is_round) = (kept, is_round);
        }
        written
    }

    /// A walk from the current cell to a set. Walks that cannot be written for a cell are written
    /// for sets.
    pub(super) fn walk_to_set(&mut self, walk: u32) {
        let compiler = self.compiler;
        let steps = &compiler.walks[walk as usize];
        if self.attempt(|writer| writer.cell_to_set(steps)).is_none() {
            self.push(Inst::Walk(walk));
        }
    }

    /// A walk from the current cell to a register, to which the result is added with `merge`. Tests
    /// of the cell itself come first.
    pub(super) fn walk_to_register(&mut self, walk: u32, to: u8, merge: bool) -> Option<()> {
        let compiler = self.compiler;
        let steps = &*compiler.walks[walk as usize];
        let here = |step: &&Step<W>| matches!(step, Step::Test { .. } | Step::Compare(_));
        let (tests, rest) = steps.split_at(steps.iter().take_while(here).count());
        let put = if merge { Inst::Or(to) } else { Inst::Save(to) };
        let (nowhere, end) = (self.label(), self.label());
        self.small_steps(tests, nowhere)?;
        self.cell_to_set(rest)?;
        self.push(put);
        if !tests.is_empty() {
            self.push(Inst::Skip(end));
            self.place(nowhere);
            if !merge {
                self.push(Inst::None(to));
            }
        }
        self.place(end);
        Some(())
    }

    /// Steps by one distance, from all cells of the current set.
    pub(super) fn pair_step(&mut self, step: &PairStep) {
        let mut from = CellSet::EMPTY;
        from.words.iter_mut().zip(&step.from).for_each(|(word, &of)| *word = of);
        self.push(Inst::Shift { by: step.by, from });
        if let Some(class) = step.class {
            let cells = self.cells(class);
            self.push(Inst::On(cells));
        }
    }

    pub(super) fn cell_to_set(&mut self, steps: &[Step<W>]) -> Option<()> {
        let rest = match steps {
            [Step::Const(set), rest @ ..] => {
                self.push(Inst::Const(set.resized()));
                rest
            }
            [Step::Func(relation) | Step::Rel(relation), rest @ ..] => {
                let row = self.row(*relation);
                self.push(Inst::Row(row));
                rest
            }
            [Step::Move { relation, class }, rest @ ..] => {
                let cells = self.cells(*class);
                let row = self.row(*relation);
                self.push(Inst::Row(row));
                self.push(Inst::On(cells));
                rest
            }
            [Step::Terms(terms), rest @ ..] if terms.len() == 1 => {
                let cells = terms[0].class.map(|class| self.cells(class));
                let row = self.row(terms[0].relation);
                self.push(Inst::Row(row));
                if let Some(cells) = cells {
                    self.push(Inst::On(cells));
                }
                rest
            }
            // In one word a fill takes no longer than a read of the table, and a shift no longer
            // than a row.
            [Step::Rays(rays), rest @ ..]
                if W > 1
                    && let Some(rays) = self.sliding_rays(rays) =>
            {
                self.push(rays);
                rest
            }
            [Step::Sum(walks), rest @ ..] if W > 1 => {
                let sum = self.keep()?;
                self.push(Inst::None(sum));
                for walk in walks {
                    self.cell_to_set(walk)?;
                    self.push(Inst::Or(sum));
                }
                self.push(Inst::Load(sum));
                self.kept -= 1;
                rest
            }
            _ => {
                self.push(Inst::Cell);
                steps
            }
        };
        self.set_to_set(rest)
    }

    /// Rays from the current cell, if they go on over the same pieces.
    fn sliding_rays(&mut self, rays: &[Ray]) -> Option<Inst> {
        let table = Table::new(rays, &self.compiler.relations)?;
        let cells = self.cells(table.class);
        let (rays, ascending) = (table.rays as u8, table.ascending as u8);
        let mut rows: Vec<CellSet> = table.rows.iter().map(|set| set.resized()).collect();
        rows.resize(64 * self.compiler.words * table.rays, CellSet::EMPTY);
        let table = SlidingRays { table: self.table(rows), rays, ascending, cells, hit: table.hit };
        Some(Inst::Rays(table))
    }

    /// A walk from the current cell to one cell at most.
    pub(super) fn small_walk(&mut self, walk: u32, otherwise: Label) -> Option<()> {
        let compiler = self.compiler;
        self.small_steps(&compiler.walks[walk as usize], otherwise)
    }

    pub(super) fn small_steps(&mut self, steps: &[Step<W>], otherwise: Label) -> Option<()> {
        for step in steps {
            match step {
                Step::Func(relation) => {
                    let next = self.next(*relation);
                    self.push(Inst::Step { next, otherwise });
                }
                Step::Move { relation, class } => {
                    let cells = self.cells(*class);
                    let next = self.next(*relation);
                    self.push(Inst::StepOn { next, cells, otherwise });
                }
                Step::On(class) => {
                    let cells = self.cells(*class);
                    self.push(Inst::IfOn { cells, otherwise });
                }
                Step::Within(set) => self.push(Inst::IfWithin { set: set.resized(), otherwise }),
                Step::Guard { .. } => {}
                Step::Test { negated, pattern } => self.test(*pattern, *negated, otherwise),
                Step::Compare(compare) => {
                    let compare = self.compare(*compare);
                    self.push(Inst::IfCompare { compare, otherwise });
                }
                Step::Sum(walks) if step.stays() => {
                    let (last, others) = walks.split_last()?;
                    let holds = self.label();
                    for walk in others {
                        let next = self.label();
                        self.small_steps(walk, next)?;
                        self.push(Inst::Skip(holds));
                        self.place(next);
                    }
                    self.small_steps(last, otherwise)?;
                    self.place(holds);
                }
                _ => return None,
            }
        }
        (!self.is_full()).then_some(())
    }

    /// Jumps to another instruction unless a pattern holds at the current cell (or does not).
    pub(super) fn test(&mut self, pattern: u32, negated: bool, otherwise: Label) {
        if self.attempt(|writer| writer.write_test(pattern, negated, otherwise)).is_none() {
            self.push(Inst::IfPattern { pattern, negated, otherwise });
        }
    }

    fn write_test(&mut self, pattern: u32, negated: bool, otherwise: Label) -> Option<()> {
        if let Some((kept, bit)) = self.kept_test(pattern) {
            self.push(Inst::IfKept { kept, bit, negated, otherwise });
            return Some(());
        }
        if let Some(clauses) = self.clauses(pattern) {
            self.push(Inst::IfClause { clauses, negated, otherwise });
            return Some(());
        }
        let compiler = self.compiler;
        let forward = match &compiler.patterns[pattern as usize] {
            Pattern::Walk { forward, .. } => forward,
            Pattern::Search(layer) => return self.tentative_test(*layer, negated, otherwise),
        };
        if let Some(routine) = self.routine(pattern) {
            self.push(Inst::IfRoutine { routine, negated, otherwise });
            return Some(());
        }
        if forward.iter().all(Step::stays) {
            // Tests of the cell itself.
            if !negated {
                return self.small_steps(forward, otherwise);
            }
            let fails = self.label();
            self.small_steps(forward, fails)?;
            self.push(Inst::Skip(otherwise));
            self.place(fails);
            return Some(());
        }
        if negated {
            return self.leads_from_cell(forward, otherwise);
        }
        let holds = self.label();
        self.leads_from_cell(forward, holds)?;
        self.push(Inst::Skip(otherwise));
        self.place(holds);
        Some(())
    }

    /// Jumps to another instruction if a walk leads anywhere from the current cell.
    pub(super) fn leads_from_cell(&mut self, steps: &[Step<W>], yes: Label) -> Option<()> {
        if let [Step::Const(set), rest @ ..] = steps {
            self.push(Inst::Const(set.resized()));
            return self.leads(rest, yes);
        }
        self.push(Inst::Cell);
        self.leads(steps, yes)
    }

    /// Jumps to another instruction if a walk leads anywhere from the current set.
    fn leads(&mut self, steps: &[Step<W>], yes: Label) -> Option<()> {
        // The steps behind a star are tried after each of its rounds, which is often enough.
        let is_star = |step: &Step<W>| matches!(step, Step::Star(_) | Step::Flood { .. });
        if let Some(at) = steps.iter().position(is_star)
            && let [step, rest @ ..] = &steps[at..]
        {
            self.set_to_set(&steps[..at])?;
            let see = |steps: &mut Self| {
                let new = steps.keep()?;
                steps.push(Inst::Save(new));
                steps.leads(rest, yes)?;
                steps.push(Inst::Load(new));
                steps.kept -= 1;
                Some(())
            };
            return match step {
                Step::Star(body) => self.star(|steps| steps.set_to_set(body), see),
                Step::Flood { rows, class } => {
                    let body = |steps: &mut Self| {
                        steps.flood_on(rows, *class);
                        Some(())
                    };
                    self.star(body, see)
                }
                _ => None,
            };
        }
        let Some((Step::Sum(walks), first)) = steps.split_last() else {
            self.set_to_set(steps)?;
            self.push(Inst::IfAny(yes));
            return Some(());
        };
        self.set_to_set(first)?;
        let from = self.keep()?;
        self.push(Inst::Save(from));
        for (i, walk) in walks.iter().enumerate() {
            if i > 0 {
                self.push(Inst::Load(from));
            }
            self.leads(walk, yes)?;
        }
        self.kept -= 1;
        Some(())
    }

    pub(super) fn keep(&mut self) -> Option<u8> {
        self.kept += 1;
        (self.kept <= DEEPEST && !self.is_full()).then(|| (REGISTERS - self.kept) as u8)
    }

    /// The number of the table of the cells that a relation leads to from each cell.
    pub(super) fn row(&mut self, relation: u32) -> u32 {
        let compiler = self.compiler;
        self.table_of(&compiler.relations[relation as usize].rows)
    }

    pub(super) fn table_of(&mut self, rows: &[Bits<W>]) -> u32 {
        let mut table: Vec<CellSet> = rows.iter().map(|set| set.resized()).collect();
        table.resize(64 * self.compiler.words, CellSet::EMPTY);
        self.table(table)
    }

    /// The number of a table of sets.
    fn table(&mut self, table: Vec<CellSet>) -> u32 {
        let known = self.bytecode.rows.iter().position(|row| *row == table);
        let id = known.unwrap_or(self.bytecode.rows.len());
        if known.is_none() {
            self.bytecode.rows.push(table);
        }
        id as u32
    }

    fn next(&mut self, relation: u32) -> u32 {
        let mut table = self.compiler.relations[relation as usize].next.to_vec();
        table.resize(64 * self.compiler.words, NONE);
        let known = self.bytecode.next.iter().position(|next| *next == table);
        let id = known.unwrap_or(self.bytecode.next.len());
        if known.is_none() {
            self.bytecode.next.push(table);
        }
        id as u32
    }

    pub(super) fn compare(&mut self, compare: u32) -> u32 {
        self.bytecode.compares.push(self.compiler.compares[compare as usize].clone());
        self.bytecode.compares.len() as u32 - 1
    }

    /// The number of a formula whose value is assigned to a variable.
    pub(super) fn formula(&mut self, var: Var, formula: &Formula) -> u32 {
        let bound = self.compiler.bounds[usize::from(var)];
        self.bytecode.formulas.push((formula.clone(), bound));
        self.bytecode.formulas.len() as u32 - 1
    }

    /// The kept test of a pattern, if it is one of the tests that may be read from kept numbers.
    fn kept_test(&mut self, pattern: u32) -> Option<Test> {
        if let Some(&known) = self.tests.get(&pattern) {
            return known;
        }
        let asked = self.compiler.asked.get(&pattern);
        let test = asked.and_then(|asked| kept::add(asked, &mut self.bytecode.kept));
        self.tests.insert(pattern, test);
        test
    }

    /// The clauses of a pattern, if it has masks of them.
    pub(super) fn clauses(&mut self, pattern: u32) -> Option<u32> {
        let compiler = self.compiler;
        let Pattern::Walk { lines: Some(lines), .. } = &compiler.patterns[pattern as usize] else {
            return None;
        };
        let masks = lines.masks.as_ref()?;
        let of = |slot: usize| match lines.classes.get(slot) {
            Some(&class) => self.cells(class),
            None => Cells::of(0..compiler.pieces as u8),
        };
        let classes = [of(0), of(1)];
        self.bytecode.clauses.push(Clauses::new(masks, classes)?);
        Some(self.bytecode.clauses.len() as u32 - 1)
    }

    /// The possible pieces on the cells of a register of a layer before an operation.
    pub(super) fn cells_of_register(&self, layer: &Layer, before: usize, register: u32) -> Cells {
        let mut all: Option<Cells> = None;
        for op in &layer.ops[..before] {
            let cells = match *op {
                Op::Walk { walk, to, .. } if to == register => {
                    self.last_cells(&self.compiler.walks[walk as usize])
                }
                Op::Unless { to, .. } if to == register => Cells::ALL,
                Op::Loop(_) => Cells::ALL,
                _ => continue,
            };
            all = Some(all.map_or(cells, |all| all.or(cells)));
        }
        all.unwrap_or(Cells::ALL)
    }

    /// The possible pieces on the cells that a walk has led to.
    pub(super) fn last_cells(&self, steps: &[Step<W>]) -> Cells {
        let any = |classes: &mut dyn Iterator<Item = Cells>| classes.fold(Cells::of([]), Cells::or);
        let of = |class: Option<u32>| class.map_or(Cells::ALL, |class| self.cells(class));
        match steps.split_last() {
            Some((Step::On(class) | Step::Move { class, .. }, _)) => self.cells(*class),
            Some((Step::Terms(terms), _)) => any(&mut terms.iter().map(|term| of(term.class))),
            Some((Step::Rays(rays), _)) if rays.iter().all(|ray| !ray.hit) => {
                any(&mut rays.iter().map(|ray| self.cells(ray.class)))
            }
            Some((Step::Sum(walks), rest)) if steps[rest.len()].stays() => {
                any(&mut walks.iter().map(|walk| self.last_cells(walk))).and(self.last_cells(rest))
            }
            Some((Step::Sum(walks), _)) => any(&mut walks.iter().map(|walk| self.last_cells(walk))),
            Some((step, rest)) if step.stays() => self.last_cells(rest),
            _ => Cells::ALL,
        }
    }

    /// The cells that hold a piece of a class.
    pub(super) fn cells(&self, class: u32) -> Cells {
        Cells::of(self.compiler.classes[class as usize].pieces.iter().copied())
    }
}

/// One instruction in place of two.
fn joined(first: Inst, then: Inst) -> Option<Inst> {
    let piece = match then {
        Inst::On(cells) => cells.only(),
        _ => None,
    };
    Some(match (first, then, piece) {
        (Inst::Const(set), _, Some(piece)) => Inst::ConstOn { piece, set },
        (Inst::Row(table), _, Some(piece)) => Inst::RowOn { piece, table },
        (Inst::Shift { by, from }, _, Some(piece)) => Inst::ShiftOn { by, piece, from },
        (Inst::Load(register), _, Some(piece)) => Inst::LoadOn { register, piece },
        (Inst::Shift { by, from }, Inst::Or(register), _) => Inst::ShiftOr { by, register, from },
        (Inst::On(cells), Inst::IfAny(to), _) => Inst::IfAnyOn { piece: cells.only()?, to },
        (Inst::IfEmpty(to), Inst::Single, _) => Inst::ToSingle(to),
        // The value loaded is the one just saved.
        (Inst::Save(kept), Inst::Load(register), _) if kept == register => first,
        _ => return None,
    })
}
