//! Runs [`Code`] over a [`Store`].

mod access;
mod stage;

pub(crate) use stage::Compiled;

use access::{
    append, bit, count, dense_rows, follow, hashed_rows, keeps, next_row, position, scan, take,
};
use smallvec::SmallVec;

use super::bit_scan::{self, ActiveFilter, ActiveFilters};
use super::code::{Back, Code, CodeRange, END, Filter, Op, Probe, TableScan};
use super::layout::Layouts;
use super::loop_fusion::OUT;
use super::store::{NONE, Store, hash};

/// The evaluation took more steps or made more terms than it may.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Exhausted;

/// The program that a machine runs.
#[derive(Clone, Copy)]
pub(crate) struct Job<'a> {
    pub(crate) code: &'a Code,
    pub(crate) layouts: &'a Layouts,
    pub(crate) stages: &'a [Compiled],
}

/// The registers and cursors that a machine keeps between runs.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    /// One for each rule that is being run: a rule may have to wait for a relation on demand.
    files: Vec<RegisterFile>,
    /// Rules being run.
    depth: usize,
    /// By recursive rule and literal: the first row that it has not seen.
    pub(crate) cursors: Vec<u32>,
    /// Operations left.
    pub(crate) fuel: u64,
    /// Rows that may still be added.
    pub(crate) rows: u64,
    /// The tuple in hand, and whether rules count derivations up with it, or down.
    pub(crate) given: Vec<u32>,
    pub(crate) up: bool,
    key: Vec<u32>,
}

/// The registers of a rule that is being run.
#[derive(Clone, Debug, Default)]
struct RegisterFile {
    registers: Vec<u32>,
    /// By loop: where it goes on, and where it ends.
    frames: Vec<(u32, u32)>,
}

impl RegisterFile {
    fn new(code: &Code) -> RegisterFile {
        let mut registers = code.constants.clone();
        registers.resize(registers.len() + code.variables as usize, 0);
        RegisterFile { registers, frames: vec![(0, 0); code.frames as usize] }
    }
}

impl Machine {
    /// A machine for this code.
    pub(crate) fn new(code: &Code) -> Machine {
        Machine {
            files: vec![RegisterFile::new(code)],
            depth: 0,
            cursors: vec![0; code.cursors as usize],
            fuel: 0,
            rows: 0,
            given: Vec::new(),
            up: true,
            key: Vec::new(),
        }
    }

    /// True if a rule that begins with the tuple in hand takes it.
    pub(crate) fn takes(&mut self, code: &Code, rule: u32) -> bool {
        let registers = &mut self.files[0].registers;
        match code.ops[rule as usize] {
            Op::Given { row, .. } => take(row, &self.given, &code.moves, registers),
            _ => true,
        }
    }

    /// Takes so many steps at once.
    #[inline(always)]
    fn spend(&mut self, steps: u64) -> Result<(), Exhausted> {
        let Some(left) = self.fuel.checked_sub(steps) else {
            self.fuel = 0;
            return Err(Exhausted);
        };
        self.fuel = left;
        Ok(())
    }

    fn fill_key(&mut self, key: CodeRange, code: &Code, file: &RegisterFile) {
        self.key.clear();
        self.key.extend(key.of(&code.registers).iter().map(|&r| file.registers[r as usize]));
    }

    /// Runs rules, each from its first operation on to its end.
    pub(crate) fn run(
        &mut self,
        job: Job<'_>,
        store: &mut Store,
        rules: &[u32],
    ) -> Result<(), Exhausted> {
        if self.files.len() <= self.depth {
            self.files.push(RegisterFile::new(job.code));
        }
        let mut file = std::mem::take(&mut self.files[self.depth]);
        let result = self.run_in(job, store, rules, &mut file);
        self.files[self.depth] = file;
        result
    }

    #[expect(clippy::too_many_lines, reason = "an interpreter: one arm an operation, in one loop")]
    fn run_in(
        &mut self,
        job: Job<'_>,
        store: &mut Store,
        rules: &[u32],
        file: &mut RegisterFile,
    ) -> Result<(), Exhausted> {
        let Job { code, layouts, stages } = job;
        let mut rules = rules.iter();
        let Some(&first) = rules.next() else { return Ok(()) };
        let mut at = first;
        // Whether a loop begins, or goes on with its next row.
        let mut enter = true;
        loop {
            self.fuel = self.fuel.checked_sub(1).ok_or(Exhausted)?;
            let (found, back) = match code.ops[at as usize] {
                Op::Scan { relation, row, frame, back } => {
                    let rows = &store.relations[relation as usize];
                    let next = if enter { 0 } else { file.frames[frame as usize].0 };
                    let (found, next) = scan(code, rows, next, row, &mut file.registers);
                    file.frames[frame as usize].0 = next;
                    (found, back)
                }
                Op::Delta { relation, row, cursor, back } => {
                    let rows = &store.relations[relation as usize];
                    let next = self.cursors[cursor as usize];
                    let (found, next) = scan(code, rows, next, row, &mut file.registers);
                    self.cursors[cursor as usize] = next;
                    (found, back)
                }
                Op::Chain { relation, link, heads, key, row, frame, back } => {
                    let rows = &store.relations[relation as usize];
                    let next = if enter {
                        position(key, code, &file.registers)
                            .map_or(NONE, |at| store.heads[heads as usize + at])
                    } else {
                        file.frames[frame as usize].0
                    };
                    let (found, next) = follow(code, rows, next, link, row, &mut file.registers);
                    file.frames[frame as usize].0 = next;
                    (found, back)
                }
                Op::HashChain { relation, index, link, key, row, frame, back } => {
                    let rows = &store.relations[relation as usize];
                    let next = if enter {
                        let key = key.of(&code.registers);
                        let hash = hash(key.iter().map(|&r| file.registers[r as usize]));
                        rows.bucket(index as usize, hash)
                    } else {
                        file.frames[frame as usize].0
                    };
                    let (found, next) = follow(code, rows, next, link, row, &mut file.registers);
                    file.frames[frame as usize].0 = next;
                    (found, back)
                }
                Op::Table { table, row, frame, back } => {
                    let frame = frame as usize;
                    if enter {
                        file.frames[frame] = (0, code.tables[table as usize].len);
                    }
                    (next_row(code, file, table, row, frame), back)
                }
                Op::Rows { table, key, row, frame, back } => {
                    let frame = frame as usize;
                    if enter {
                        file.frames[frame] = match position(key, code, &file.registers) {
                            Some(at) => dense_rows(code, table, at),
                            None => (0, 0),
                        };
                    }
                    (next_row(code, file, table, row, frame), back)
                }
                Op::HashRows { table, key, row, frame, back } => {
                    let frame = frame as usize;
                    if enter {
                        self.fill_key(key, code, file);
                        file.frames[frame] = hashed_rows(code, table, &self.key);
                    }
                    (next_row(code, file, table, row, frame), back)
                }
                Op::Only { table, key, row, back } => {
                    let found = position(key, code, &file.registers).is_some_and(|at| {
                        let (start, end) = dense_rows(code, table, at);
                        let table = &code.tables[table as usize];
                        start < end && {
                            let values = &table.values[start as usize * table.stride..];
                            take(row, values, &code.moves, &mut file.registers)
                        }
                    });
                    (found, back)
                }
                Op::Test { word, key, want, back } => {
                    let there = position(key, code, &file.registers)
                        .is_some_and(|at| bit(&store.bits, word as usize * 64 + at));
                    (there == want, back)
                }
                Op::StaticTest { set, key, want, back } => {
                    let there = position(key, code, &file.registers)
                        .is_some_and(|at| bit(&code.sets[set as usize].1, at));
                    (there == want, back)
                }
                Op::HashTest { relation, key, want, back } => {
                    self.fill_key(key, code, file);
                    let there = store.find_hashed(layouts, relation as usize, 0, &self.key);
                    (there.is_some() == want, back)
                }
                Op::StaticHashTest { table, key, want, back } => {
                    self.fill_key(key, code, file);
                    let (start, end) = hashed_rows(code, table, &self.key);
                    ((start < end) == want, back)
                }
                Op::Differ { pairs, back } => {
                    let differ = pairs
                        .of(&code.pairs)
                        .iter()
                        .any(|&(a, b)| file.registers[a as usize] != file.registers[b as usize]);
                    (differ, back)
                }
                Op::Open { register, functor, arity, row, back } => {
                    let found = match store.pool.open(file.registers[register as usize]) {
                        Some((f, args)) if f == functor && args.len() == arity as usize => {
                            take(row, args, &code.moves, &mut file.registers)
                        }
                        _ => false,
                    };
                    (found, back)
                }
                Op::Find { functor, args, register, back } => {
                    let registers = &file.registers;
                    let args = args.of(&code.registers).iter().map(|&r| registers[r as usize]);
                    let found = store.pool.find(functor, args);
                    if let Some(id) = found {
                        file.registers[register as usize] = id;
                    }
                    (found.is_some(), back)
                }
                Op::Make { functor, args, register } => {
                    let registers = &file.registers;
                    let args = args.of(&code.registers).iter().map(|&r| registers[r as usize]);
                    let id = store.pool.make(functor, args).ok_or(Exhausted)?;
                    file.registers[register as usize] = id;
                    (true, END)
                }
                Op::Emit { relation, word, key, columns, links, rows, back } => {
                    if let Some(at) = position(key, code, &file.registers) {
                        let word = &mut store.bits[word as usize + at / 64];
                        if *word >> (at % 64) & 1 == 0 {
                            *word |= 1 << (at % 64);
                            self.rows = self.rows.checked_sub(1).ok_or(Exhausted)?;
                            if keeps(store, rows, at) {
                                let relation = relation as usize;
                                append(code, file, layouts, store, relation, columns, links);
                            } else {
                                store.relations[relation as usize].len += 1;
                            }
                        }
                    } else {
                        debug_assert!(false, "a derived value is out of range");
                    }
                    (false, back)
                }
                Op::Call { relation, word, key, columns, links, stage } => {
                    let new = if word == NONE {
                        self.fill_key(columns, code, file);
                        store.insert(layouts, relation as usize, &self.key)
                    } else if let Some(at) = position(key, code, &file.registers) {
                        let word = &mut store.bits[word as usize + at / 64];
                        let new = *word >> (at % 64) & 1 == 0;
                        if new {
                            *word |= 1 << (at % 64);
                            append(code, file, layouts, store, relation as usize, columns, links);
                        }
                        new
                    } else {
                        // The relation cannot hold for such a key.
                        false
                    };
                    if new {
                        self.rows = self.rows.checked_sub(1).ok_or(Exhausted)?;
                        if stage != NONE {
                            self.depth += 1;
                            let result = stages[stage as usize].go_on(job, store, self);
                            self.depth -= 1;
                            result?;
                        }
                    }
                    (true, END)
                }
                Op::Drop { relation, word, key, back } => {
                    if let Some(at) = position(key, code, &file.registers) {
                        let word = &mut store.bits[word as usize + at / 64];
                        store.relations[relation as usize].len -= (*word >> (at % 64) & 1) as u32;
                        *word &= !(1 << (at % 64));
                    }
                    (false, back)
                }
                Op::Copy { from, word, words, relation } => {
                    let mut new = 0;
                    for at in 0..words as usize {
                        let source = store.bits[from as usize + at];
                        let target = &mut store.bits[word as usize + at];
                        new += (source & !*target).count_ones();
                        *target |= source;
                    }
                    store.relations[relation as usize].len += new;
                    self.rows = self.rows.checked_sub(u64::from(new)).ok_or(Exhausted)?;
                    (false, END)
                }
                Op::TableScan { scan, back } => (
                    false,
                    self.table_scan(job, store, &code.table_scans[scan as usize], file, back, at)?,
                ),
                Op::BitScan { bit_scan, back } => {
                    let filters = bit_scan.filters.of(&code.filters);
                    let words = u64::from(bit_scan.len) / 64 * (1 + filters.len() as u64);
                    self.spend(words / 4)?;
                    let source = position(bit_scan.source, code, &file.registers);
                    let target = position(bit_scan.target, code, &file.registers);
                    if let (Some(source), Some(target)) = (source, target)
                        && let Some(sieves) = sieves(filters, code, &file.registers)
                    {
                        let from = bit_scan.from as usize * 64 + source;
                        let to = bit_scan.to as usize * 64 + target;
                        let (bits, len) = (&mut store.bits, bit_scan.len as usize);
                        let new = if sieves.is_empty() {
                            bit_scan::take_over(bits, from, to, len)
                        } else {
                            bit_scan::sift(bits, &code.masks, &sieves, (from, to, len))
                        };
                        store.relations[bit_scan.relation as usize].len += new;
                        self.rows = self.rows.checked_sub(u64::from(new)).ok_or(Exhausted)?;
                    }
                    (false, back)
                }
                Op::Given { row, back } => {
                    (enter && take(row, &self.given, &code.moves, &mut file.registers), back)
                }
                Op::Count { relation, counts, key, back } => {
                    if let Some(at) = position(key, code, &file.registers) {
                        count(store, relation, counts, at, self.up);
                    } else {
                        debug_assert!(false, "a derived value is out of range");
                    }
                    (false, back)
                }
                Op::HashEmit { relation, columns, back } => {
                    self.fill_key(columns, code, file);
                    if store.insert(layouts, relation as usize, &self.key) {
                        self.rows = self.rows.checked_sub(1).ok_or(Exhausted)?;
                    }
                    (false, back)
                }
            };
            enter = found;
            if found {
                at += 1;
            } else if back != END {
                at = back;
            } else if let Some(&next) = rules.next() {
                (at, enter) = (next, true);
            } else {
                return Ok(());
            }
        }
    }
}

impl Machine {
    /// Runs a loop as a whole; says where to go on.
    fn table_scan(
        &mut self,
        job: Job<'_>,
        store: &mut Store,
        scan: &TableScan,
        file: &mut RegisterFile,
        back: Back,
        at: u32,
    ) -> Result<Back, Exhausted> {
        let Job { code, layouts, .. } = job;
        let table = &code.tables[scan.table as usize];
        let rows = match scan.key {
            None => Some((0, table.len)),
            Some(key) => {
                position(key, code, &file.registers).map(|at| dense_rows(code, scan.table, at))
            }
        };
        let (Some((start, end)), Some(head)) = (rows, position(scan.head, code, &file.registers))
        else {
            return Ok(back);
        };
        self.spend(u64::from(end - start))?;
        let registers = &file.registers;
        // Counted from the first bit of all.
        let base = |probe: &Probe| {
            position(probe.key, code, registers).map(|at| 64 * probe.word as usize + at)
        };
        let bases: SmallVec<[Option<usize>; 4]> = scan.probes.iter().map(base).collect();
        let width = scan.probes.len() + 1;
        let numbers = &scan.numbers[start as usize * width..end as usize * width];
        let numbers = numbers.chunks_exact(width);
        match code.ops[scan.emit as usize] {
            Op::Count { relation, counts, .. } => {
                for numbers in numbers {
                    if probe(code, store, scan, &bases, numbers) {
                        debug_assert!(numbers[width - 1] != OUT, "a derived value is out of range");
                        let at = head + numbers[width - 1] as usize;
                        count(store, relation, counts, at, self.up);
                    }
                }
                Ok(back)
            }
            Op::Emit { relation, word, columns, links, rows, back: after, .. } => {
                for (row, numbers) in (start..end).zip(numbers) {
                    if !probe(code, store, scan, &bases, numbers) {
                        continue;
                    }
                    let number = numbers[width - 1];
                    debug_assert!(number != OUT, "a derived value is out of range");
                    let place = head + number as usize;
                    let bits = &mut store.bits[word as usize + place / 64];
                    if *bits >> (place % 64) & 1 == 0 {
                        *bits |= 1 << (place % 64);
                        self.rows = self.rows.checked_sub(1).ok_or(Exhausted)?;
                        if keeps(store, rows, place) {
                            let values = &table.values[row as usize * table.stride..];
                            for load in scan.loads.of(&code.moves) {
                                file.registers[load.register as usize] =
                                    values[load.column as usize];
                            }
                            append(code, file, layouts, store, relation as usize, columns, links);
                        } else {
                            store.relations[relation as usize].len += 1;
                        }
                    }
                    if after != at {
                        return Ok(after);
                    }
                }
                Ok(back)
            }
            _ => Ok(back),
        }
    }
}

/// True if all tests of a scan hold for a row, given what it adds to their positions.
#[inline(always)]
fn probe(
    code: &Code,
    store: &Store,
    scan: &TableScan,
    bases: &[Option<usize>],
    numbers: &[u32],
) -> bool {
    scan.probes.iter().zip(bases).zip(numbers).all(|((probe, base), &number)| {
        let there = match base {
            Some(base) if number != OUT => {
                let bits = match probe.set {
                    None => &store.bits,
                    Some(set) => &code.sets[set as usize].1,
                };
                bit(bits, base + number as usize)
            }
            _ => false,
        };
        there == probe.want
    })
}

/// Filters with these registers; `None` if no row passes one of them.
#[inline(always)]
fn sieves(filters: &[Filter], code: &Code, registers: &[u32]) -> Option<ActiveFilters> {
    let mut sieves = ActiveFilters::new();
    for &Filter { mask, word, key, want, outside } in filters {
        match position(key, code, registers) {
            Some(at) => sieves.push(ActiveFilter { mask, start: 64 * word as usize + at, want }),
            None if outside => {}
            None => return None,
        }
    }
    Some(sieves)
}
