//! Entries of arrays in variables, with the same meaning: scalar replacement (Callahan, Carr and
//! Kennedy, *Improving register allocation for subscripted variables*, PLDI 1990).
//!
//! A function that plays a whole game reads and writes the same few entries again and again. As
//! variables they stay in registers, and what one ply stores need not be loaded by the next.

use std::collections::BTreeMap;

use crate::check::{Checked, MAX_NODES, check};
use crate::ir::{
    Access, Block, Expr, Function, FunctionId, Ints, Local, Program, Sets, Stmt, Type,
};
use crate::needs::Need;
use crate::passes::is_pure;
use crate::walk::{PartMut, Use, each_use};

/// An array, by its place among those of the program: arrays of numbers, then those of sets.
type Array = u32;

impl Checked {
    /// The same program, in which a function keeps entries of arrays in variables, of at most
    /// `words` registers: they are loaded where it begins and stored where it ends.
    ///
    /// Entries are kept if the function names all entries of the array by constants, the array is
    /// promised to have them, and no function that is called uses it.
    #[must_use]
    pub fn promoted(self, function: FunctionId, words: usize) -> Checked {
        let program = self.program();
        let number = function.0 as usize;
        let mut function = program.functions[number].clone();
        let (needs, found) = (&self.needs, BTreeMap::new());
        let mut uses = Uses { program, needs, found, calls_host: false };
        each_use(&function.body, &mut |found| uses.note(&found));
        let entries = uses.chosen(words);
        if entries.is_empty() {
            return self;
        }
        let mut body = std::mem::take(&mut function.body);
        let arrays = program.ints.len() as u32;
        let mut writer = Writer { kept: BTreeMap::new(), program, function: &mut function };
        for (entry, is_written) in entries {
            let local = writer.local(if entry.0 < arrays { Type::Int } else { Type::Set });
            writer.kept.insert(entry, Kept { local, is_written });
        }
        writer.block(&mut body);
        let mut whole = writer.loads();
        whole.extend(body);
        whole.extend(writer.stores());
        function.body = whole;
        let mut program = program.clone();
        program.functions[number] = function;
        // What has become too large, or too deep, stays as it was.
        check(program, MAX_NODES).unwrap_or(self)
    }
}

/// The entries of arrays that a function names.
struct Uses<'p> {
    program: &'p Program,
    /// The needs of each function.
    needs: &'p [Box<[Need]>],
    /// `None` for arrays that it uses otherwise, too.
    found: BTreeMap<Array, Option<BTreeMap<i32, Named>>>,
    calls_host: bool,
}

/// How often an entry is named.
#[derive(Clone, Copy, Default)]
struct Named {
    times: usize,
    is_written: bool,
}

impl Uses<'_> {
    /// The entries that are kept, each with true if the function writes it: those first that are
    /// named most often.
    fn chosen(self, words: usize) -> Vec<((Array, i32), bool)> {
        if self.calls_host {
            return Vec::new();
        }
        let mut all: Vec<((Array, i32), Named)> = Vec::new();
        for (array, entries) in self.found {
            let entries = entries.into_iter().flatten();
            all.extend(entries.map(|(entry, named)| ((array, entry), named)));
        }
        all.sort_by_key(|(entry, named)| (std::cmp::Reverse(named.times), *entry));
        let mut left = words;
        all.retain(|((array, _), _)| {
            let is_int = (*array as usize) < self.program.ints.len();
            let size = if is_int { 1 } else { self.program.words };
            let fits = size <= left;
            left -= if fits { size } else { 0 };
            fits
        });
        all.into_iter().map(|(entry, named)| (entry, named.is_written)).collect()
    }

    fn note(&mut self, found: &Use<'_>) {
        match *found {
            Use::Ints(array, index, access) => {
                let least = self.program.ints[array.0 as usize].least;
                self.add(array.0, least, index, access);
            }
            Use::Sets(array, index, access) => {
                let least = self.program.sets[array.0 as usize].least;
                self.add(self.program.ints.len() as u32 + array.0, least, index, access);
            }
            Use::Call(function) => {
                for need in &self.needs[function.0 as usize] {
                    self.found.insert(need.array, None);
                }
            }
            Use::Host(_) => self.calls_host = true,
        }
    }

    fn add(&mut self, array: Array, least: usize, index: Option<&Expr>, access: Access) {
        let entries = self.found.entry(array).or_insert_with(|| Some(BTreeMap::new()));
        match index {
            Some(Expr::Int(entry)) if usize::try_from(*entry).is_ok_and(|entry| entry < least) => {
                if let Some(entries) = entries {
                    let named = entries.entry(*entry).or_default();
                    named.times += 1;
                    named.is_written |= access == Access::Write;
                }
            }
            _ => *entries = None,
        }
    }
}

/// An entry that is kept.
#[derive(Clone, Copy)]
struct Kept {
    local: Local,
    is_written: bool,
}

/// Writes a function anew.
struct Writer<'f> {
    kept: BTreeMap<(Array, i32), Kept>,
    program: &'f Program,
    function: &'f mut Function,
}

impl Writer<'_> {
    /// Statements that load the entries.
    fn loads(&self) -> Block {
        let load = |(&(array, entry), kept): (&(Array, i32), &Kept)| {
            let index = Box::new(Expr::Int(entry));
            let value = match array.checked_sub(self.arrays()) {
                None => Expr::Load(Ints(array), index),
                Some(array) => Expr::LoadSet(Sets(array), index),
            };
            Stmt::Set(kept.local, value)
        };
        self.kept.iter().map(load).collect()
    }

    /// Statements that store the entries that are written.
    fn stores(&self) -> Block {
        let written = self.kept.iter().filter(|(_, kept)| kept.is_written);
        let store = |(&(array, entry), kept): (&(Array, i32), &Kept)| {
            let (index, value) = (Expr::Int(entry), kept.local.get());
            match array.checked_sub(self.arrays()) {
                None => Stmt::Store(Ints(array), index, value),
                Some(array) => Stmt::StoreSet(Sets(array), index, value),
            }
        };
        written.map(store).collect()
    }

    /// The arrays of numbers.
    fn arrays(&self) -> Array {
        self.program.ints.len() as Array
    }

    fn kept(&self, array: Array, index: &Expr) -> Option<Local> {
        let Expr::Int(entry) = index else { return None };
        self.kept.get(&(array, *entry)).map(|kept| kept.local)
    }

    fn block(&mut self, block: &mut Block) {
        for mut statement in std::mem::take(block) {
            statement.each_part_mut(&mut |part| self.part(part));
            match statement {
                Stmt::Store(array, ref index, ref mut value) => {
                    if let Some(local) = self.kept(array.0, index) {
                        statement = Stmt::Set(local, std::mem::replace(value, Expr::NoSites));
                    }
                }
                Stmt::StoreSet(array, ref index, ref mut value) => {
                    if let Some(local) = self.kept(self.arrays() + array.0, index) {
                        statement = Stmt::Set(local, std::mem::replace(value, Expr::NoSites));
                    }
                }
                Stmt::Put(array, ref index, ref mut site, is_there) => {
                    if let Some(local) = self.kept(self.arrays() + array.0, index) {
                        let site = std::mem::replace(site, Expr::NoSites);
                        let site = Expr::single(self.variable(block, site, Type::Int));
                        let set = local.get();
                        let set = if is_there { set | site } else { set.without(site) };
                        statement = Stmt::Set(local, set);
                    }
                }
                Stmt::Return(ref mut value) => {
                    if let Some(value) = value.as_mut().filter(|value| !is_pure(value)) {
                        let of = self.function.result.unwrap_or(Type::Int);
                        let result = std::mem::replace(value, Expr::NoSites);
                        *value = self.variable(block, result, of);
                    }
                    block.extend(self.stores());
                }
                _ => {}
            }
            block.push(statement);
        }
    }

    fn part(&mut self, part: PartMut<'_>) {
        let expr = match part {
            PartMut::Block(block) => return self.block(block),
            PartMut::Expr(expr) => expr,
        };
        expr.each_part_mut(&mut |part| self.part(part));
        let local = match expr {
            Expr::Load(array, index) => self.kept(array.0, index),
            Expr::LoadSet(array, index) => self.kept(self.arrays() + array.0, index),
            _ => None,
        };
        if let Some(local) = local {
            *expr = local.get();
        }
    }

    /// A variable with a value, as an expression.
    fn variable(&mut self, block: &mut Block, value: Expr, of: Type) -> Expr {
        let local = self.local(of);
        block.push(Stmt::Set(local, value));
        local.get()
    }

    fn local(&mut self, of: Type) -> Local {
        self.function.locals.push(of);
        Local(self.function.locals.len() as u32 - 1)
    }
}
