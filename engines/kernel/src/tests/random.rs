//! Random programs that the checker lets in, with bounded work, and random memory for them.

use kernel::build::ProgramBuilder;
use kernel::ir::{
    Access, Binary, Block, Combine, Compare, Expr, Function, FunctionId, HostId, Ints, LentArray,
    Local, Program, SetTable, Sets, Stmt, Table, Type, Unary,
};

use crate::tests::common::Memory;

/// SplitMix64.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0xd134_2543_de82_ef95))
    }

    pub(crate) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.word() % end as u64) as usize
    }

    /// True once in so many times.
    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// A number: at the edges of things more often than not.
    pub(crate) fn number(&mut self) -> i32 {
        const SMALL: [i32; 8] = [0, 0, 1, 1, -1, -1, 2, 3];
        const EDGES: [i32; 8] = [31, 32, 63, 64, 127, 128, i32::MIN, i32::MAX];
        match self.below(8) {
            0 => self.word() as i32,
            1 => self.below(400) as i32,
            2..5 => self.pick(&EDGES),
            _ => self.pick(&SMALL),
        }
    }

    /// A word with few bits, many, or none.
    fn bits(&mut self) -> u64 {
        match self.below(5) {
            0 => 0,
            1 => self.word(),
            2 => 1 << self.below(64) | 1 << self.below(64) | 1 << 63,
            3 => u64::MAX << self.below(64),
            _ => self.word() & self.word() & self.word(),
        }
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// A program, whose last function can be run by itself.
pub(crate) fn program(dice: &mut Dice) -> Program {
    let words = dice.pick(&[1, 1, 1, 2, 2, 3, 4, 5, 6, 7, 8]);
    let mut program = ProgramBuilder::new(words);
    for _ in 0..=dice.below(3) {
        let mut least = |most| if dice.once_in(2) { dice.below(most) } else { 0 };
        let (ints, sets) = (least(9), least(6));
        program.ints_of("numbers", access(dice), ints);
        program.sets_of("sets", access(dice), sets);
    }
    for _ in 0..=dice.below(2) {
        let numbers: Vec<i32> = (0..dice.below(9)).map(|_| dice.number()).collect();
        program.table(numbers);
        let sets: Vec<u64> = (0..words * dice.below(6)).map(|_| dice.bits()).collect();
        program.set_table(sets);
    }
    for arguments in 0..=dice.below(4) {
        program.host("host", arguments);
    }
    let mut program = program.finish();
    let constant = dice.once_in(4);
    let mut work = Vec::new();
    let functions = 1 + dice.below(5);
    for number in 0..functions {
        let is_last = number + 1 == functions;
        let of = |dice: &mut Dice| if dice.once_in(2) { Type::Set } else { Type::Int };
        let params: Vec<Type> =
            (0..dice.below(4)).map(|_| if is_last { Type::Int } else { of(dice) }).collect();
        let result = match dice.below(5) {
            0 => None,
            1 | 2 if !is_last => Some(Type::Set),
            _ => Some(Type::Int),
        };
        let mut locals = params.clone();
        for _ in 0..dice.below(5) {
            locals.push(of(dice));
        }
        let mut writer = Writer {
            dice,
            program: &program,
            work: &work,
            locals: &locals,
            result,
            constant,
            loops: 0,
            blocks: 0,
            rounds: 1,
            spent: 1,
            fuel: 100,
        };
        let mut body: Block = (0..5).map(|_| writer.statement(4)).collect();
        body.extend(writer.dice.once_in(20).then(|| writer.statement(4)));
        if result == Some(Type::Int) {
            // All variables at the end, so that no value is lost.
            let numbers = locals.iter().enumerate().map(|(number, of)| {
                let value = Local(number as u32).get();
                match of {
                    Type::Int => value,
                    Type::Set => value.clone().len() * 64 + value.nth(0),
                }
            });
            let sum = numbers.fold(Expr::Int(1), |sum, number| sum * 31 + number);
            body.push(Stmt::Return(Some(sum)));
        }
        work.push(writer.spent);
        let name = format!("f{number}");
        program.functions.push(Function { name, locals, params: params.len(), result, body });
    }
    program
}

fn access(dice: &mut Dice) -> Access {
    if dice.once_in(3) { Access::Read } else { Access::Write }
}

/// Memory for a program, and arguments for its last function.
pub(crate) fn memory(dice: &mut Dice, program: &Program) -> (Memory, Vec<i32>) {
    let ints = program.ints.iter().map(|lent| {
        let entries = lent.least + dice.below(9);
        (0..entries).map(|_| dice.number()).collect()
    });
    let ints = ints.collect();
    let sets = program.sets.iter().map(|lent| {
        let words = program.words * (lent.least + dice.below(6)) + dice.below(program.words);
        (0..words).map(|_| dice.bits()).collect()
    });
    let sets = sets.collect();
    let promised = |arrays: &[LentArray], words: usize| -> Vec<usize> {
        arrays.iter().map(|lent| lent.least * words).collect()
    };
    let least = [promised(&program.ints, 1), promised(&program.sets, program.words)];
    let moves = dice.once_in(2);
    let patience = dice.once_in(6).then(|| dice.below(5));
    // What is promised is promised to be written.
    let read_only = dice.once_in(6) && least.concat().iter().all(|least| *least == 0);
    let memory = Memory { ints, sets, least, calls: Vec::new(), moves, read_only, patience };
    let last = program.functions.last().expect("there is one");
    let arguments = (0..last.params).map(|_| dice.number()).collect();
    (memory, arguments)
}

struct Writer<'a> {
    dice: &'a mut Dice,
    program: &'a Program,
    /// At most so much work is in each function that can be called.
    work: &'a [u64],
    locals: &'a [Type],
    result: Option<Type>,
    /// True if the entries of arrays are named by constants alone, and no host is called.
    constant: bool,
    loops: u32,
    /// The number of blocks of the innermost `Blocks`.
    blocks: usize,
    /// The most times that this is done.
    rounds: u64,
    /// Work so far.
    spent: u64,
    /// The nodes left to write; beyond them only leaves are.
    fuel: i32,
}

impl Writer<'_> {
    fn block(&mut self, depth: u32) -> Block {
        let len = if depth == 0 || self.fuel < 0 { 0 } else { self.dice.below(4) };
        (0..len).map(|_| self.statement(depth - 1)).collect()
    }

    fn local(&mut self, of: Type) -> Option<Local> {
        let start = self.dice.below(self.locals.len().max(1));
        let mut numbers = (0..self.locals.len()).map(|n| (start + n) % self.locals.len());
        numbers.find(|n| self.locals[*n] == of).map(|n| Local(n as u32))
    }

    fn ints(&mut self) -> Ints {
        Ints(self.dice.below(self.program.ints.len()) as u32)
    }

    fn sets(&mut self) -> Sets {
        Sets(self.dice.below(self.program.sets.len()) as u32)
    }

    fn statement(&mut self, depth: u32) -> Stmt {
        self.spent += self.rounds;
        self.fuel -= 1;
        match self.dice.below(20) {
            0..=2 => {
                if let Some(local) = self.local(Type::Int) {
                    return Stmt::Set(local, self.int(depth));
                }
            }
            3 | 4 => {
                if let Some(local) = self.local(Type::Set) {
                    return Stmt::Set(local, self.set(depth));
                }
            }
            5 => {
                let array = self.ints();
                if self.program.ints[array.0 as usize].access == Access::Write {
                    let most = self.dice.below(40) as u32;
                    return match self.dice.below(8) {
                        0 if !self.constant => Stmt::Clear(array, most),
                        1 if !self.constant => Stmt::CopyInts(array, self.ints(), most),
                        _ => Stmt::Store(array, self.index(depth), self.int(depth)),
                    };
                }
            }
            6 => {
                let array = self.sets();
                if self.program.sets[array.0 as usize].access == Access::Write {
                    return if !self.constant && self.dice.once_in(8) {
                        Stmt::CopySets(array, self.sets(), self.dice.below(8) as u32)
                    } else if self.dice.once_in(2) {
                        Stmt::StoreSet(array, self.index(depth), self.set(depth))
                    } else {
                        let there = self.dice.once_in(2);
                        Stmt::Put(array, self.index(depth), self.site(depth), there)
                    };
                }
            }
            7 => {
                if let Some((function, arguments)) = self.call(None, depth) {
                    return Stmt::Call(function, arguments);
                }
            }
            8 | 9 => {
                let condition = if self.dice.once_in(2) { self.guard() } else { self.int(depth) };
                return Stmt::If(condition, self.block(depth), self.block(depth));
            }
            18 | 19 => {
                // What stands behind it knows the condition.
                let (condition, otherwise) = (self.guard(), vec![self.way_out(depth)]);
                return if self.dice.once_in(2) {
                    Stmt::If(condition, Vec::new(), otherwise)
                } else {
                    Stmt::If(!condition, otherwise, Vec::new())
                };
            }
            10 if self.rounds < 1000 => {
                if let Some(local) = self.local(Type::Int) {
                    let set = self.set(depth);
                    // A set that is known to be small goes on to be gone through within other
                    // loops.
                    let (set, rounds) = if self.rounds > 1 || self.dice.once_in(2) {
                        let sites = (0..3).map(|_| Expr::single(self.dice.number()));
                        let few = sites.reduce(|few, site| few | site).expect("three");
                        (set & few, 3)
                    } else {
                        (set, 64 * self.program.words as u64)
                    };
                    return Stmt::ForEach(local, set, self.rounds(rounds, depth));
                }
            }
            11 if self.rounds < 1000 => {
                if let Some(local) = self.local(Type::Int) {
                    let from = self.dice.pick(&[0, 0, 1, -3, i32::MIN, i32::MAX - 4]);
                    let to = Expr::Int(from) + self.int(depth).and_bits(3);
                    // Where the sum overflows there is no round.
                    return Stmt::For(local, Expr::Int(from), to, self.rounds(3, depth));
                }
            }
            12 if self.rounds < 1000 => {
                self.loops += 1;
                let condition = self.int(depth);
                self.loops -= 1;
                return Stmt::While(condition, self.rounds(BUDGET as u64, depth));
            }
            13 if self.loops > 0 => {
                return Stmt::Break(1 + self.dice.below(self.loops as usize) as u32);
            }
            15 if self.rounds < 1000 => {
                let number = 1 + self.dice.below(4);
                let outer = std::mem::replace(&mut self.blocks, number);
                let before = self.rounds;
                self.rounds *= u64::from(BUDGET);
                let blocks = (0..number).map(|_| self.block(depth)).collect();
                (self.blocks, self.rounds) = (outer, before);
                return Stmt::Blocks(blocks);
            }
            16 | 17 if self.blocks > 0 => return Stmt::Go(self.dice.below(self.blocks) as u32),
            14 if self.dice.once_in(5) => {
                return Stmt::Return(self.result.map(|of| self.value(of, depth)));
            }
            _ => (),
        }
        let of = if self.dice.once_in(4) { Type::Set } else { Type::Int };
        Stmt::Eval(self.value(of, depth))
    }

    /// A number that a variable is compared with before it is used as an index.
    fn guard(&mut self) -> Expr {
        let value = self.leaf();
        let end = self.dice.pick(&[1, 2, 3, 8, 64]);
        let least = self.dice.pick(&[-1, 0, 0, 1]);
        match self.dice.below(5) {
            0 => value.clone().at_least(least).and(value.less(end)),
            1 => value.clone().greater(least).and(value.at_most(end)),
            2 => !value.clone().less(least).or(value.at_least(end)),
            3 => value.equals(end),
            _ => value,
        }
    }

    /// A statement behind which nothing goes on, if there is one here.
    fn way_out(&mut self, depth: u32) -> Stmt {
        match self.dice.below(3) {
            0 if self.loops > 0 => Stmt::Break(1 + self.dice.below(self.loops as usize) as u32),
            1 if self.blocks > 0 => Stmt::Go(self.dice.below(self.blocks) as u32),
            _ if self.dice.once_in(2) => {
                Stmt::Return(self.result.map(|of| self.value(of, depth.saturating_sub(2))))
            }
            _ => self.statement(depth.saturating_sub(2)),
        }
    }

    fn rounds(&mut self, rounds: u64, depth: u32) -> Block {
        let before = self.rounds;
        self.rounds *= rounds;
        self.loops += 1;
        let block = self.block(depth);
        self.loops -= 1;
        self.rounds = before;
        block
    }

    fn value(&mut self, of: Type, depth: u32) -> Expr {
        match of {
            Type::Int => self.int(depth),
            Type::Set => self.set(depth),
        }
    }

    /// A number that is often one of an entry.
    fn index(&mut self, depth: u32) -> Expr {
        match self.dice.below(4) {
            _ if self.constant => Expr::Int(self.dice.below(3) as i32),
            0 => Expr::Int(self.dice.below(6) as i32 - 1),
            2 => self.int(depth).and_bits(3) + (self.dice.below(4) as i32 - 1),
            1 if self.dice.once_in(2) => self.leaf(),
            1 => self.int(depth).and_bits(3),
            _ => self.int(depth),
        }
    }

    fn site(&mut self, depth: u32) -> Expr {
        match self.dice.below(2) {
            0 => Expr::Int(self.dice.below(64 * self.program.words + 3) as i32 - 1),
            _ if self.dice.once_in(3) => self.leaf(),
            _ => self.int(depth),
        }
    }

    fn leaf(&mut self) -> Expr {
        match self.local(Type::Int) {
            Some(local) if !self.dice.once_in(3) => local.get(),
            _ => Expr::Int(self.dice.number()),
        }
    }

    fn int(&mut self, depth: u32) -> Expr {
        self.spent += self.rounds;
        self.fuel -= 1;
        if depth == 0 || self.fuel < 0 {
            return self.leaf();
        }
        let depth = depth - 1;
        match self.dice.below(23) {
            0 => self.leaf(),
            20 => {
                let array = self.sets();
                let access = self.program.sets[array.0 as usize].access;
                if access == Access::Write && !self.constant {
                    return array.draw(self.int(depth));
                }
                self.leaf()
            }
            21 => self.set(depth).last(),
            22 => self.set(depth).nth(0),
            1 => self.ints().at(self.index(depth)),
            2 => {
                let table = self.dice.below(self.program.tables.len());
                Table(table as u32).at(self.index(depth))
            }
            3 => {
                let operation = self.dice.pick(&[Unary::Neg, Unary::Abs, Unary::IsZero]);
                Expr::Unary(operation, Box::new(self.int(depth)))
            }
            4..=6 => {
                use Binary::*;
                let operations = [Add, Sub, Mul, Div, Rem, And, Or, Xor, Shl, Shr, Min, Max];
                let operation = self.dice.pick(&operations);
                Expr::Binary(operation, Box::new(self.int(depth)), Box::new(self.int(depth)))
            }
            7 => {
                use Compare::*;
                let comparisons = [Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual];
                let comparison = self.dice.pick(&comparisons);
                Expr::Compare(comparison, Box::new(self.int(depth)), Box::new(self.int(depth)))
            }
            8 => self.int(depth).and(self.int(depth)),
            9 => self.int(depth).or(self.int(depth)),
            10 => self.int(depth).choose(self.int(depth), self.int(depth)),
            11 => {
                let block = self.block(depth);
                let value = self.int(depth).after(block);
                // Beside a variable that the statements may write.
                if self.dice.once_in(2) { self.leaf() - value } else { value }
            }
            12 => match self.call(Some(Type::Int), depth) {
                Some((function, arguments)) => function.call(arguments),
                None => self.leaf(),
            },
            13 if self.constant => self.leaf(),
            13 => {
                let host = self.dice.below(self.program.hosts.len());
                let count = self.program.hosts[host].1;
                let arguments = (0..count).map(|_| self.int(depth)).collect();
                HostId(host as u32).call(arguments)
            }
            14 => self.set(depth).len(),
            15 => self.set(depth).is_empty(),
            16 | 17 => {
                let set = self.set(depth);
                set.contains(self.site(depth))
            }
            18 => {
                let set = self.set(depth);
                set.nth(self.int(depth))
            }
            _ => {
                let set = self.set(depth);
                set.is_subset(self.set(depth))
            }
        }
    }

    fn set_leaf(&mut self) -> Expr {
        match self.local(Type::Set) {
            Some(local) if !self.dice.once_in(3) => local.get(),
            _ if self.dice.once_in(3) => Expr::NoSites,
            _ => {
                let table = self.dice.below(self.program.set_tables.len());
                SetTable(table as u32).at(self.dice.below(6) as i32)
            }
        }
    }

    fn set(&mut self, depth: u32) -> Expr {
        self.spent += self.rounds;
        self.fuel -= 1;
        if depth == 0 || self.fuel < 0 {
            return self.set_leaf();
        }
        let depth = depth - 1;
        match self.dice.below(14) {
            12 => {
                let by = self.dice.below(200) as i32 - 100;
                Expr::Shift(Box::new(self.set(depth)), by)
            }
            0 | 1 => self.set_leaf(),
            2 => Expr::single(self.int(depth)),
            3 | 4 => self.sets().at(self.index(depth)),
            5 => {
                let table = self.dice.below(self.program.set_tables.len());
                SetTable(table as u32).at(self.index(depth))
            }
            6..=9 => {
                use Combine::*;
                let operation = self.dice.pick(&[And, Or, Xor, Without]);
                Expr::Combine(operation, Box::new(self.set(depth)), Box::new(self.set(depth)))
            }
            10 => {
                let condition = self.int(depth);
                condition.choose(self.set(depth), self.set(depth))
            }
            11 => {
                let block = self.block(depth);
                let value = self.set(depth).after(block);
                if self.dice.once_in(2) { self.set_leaf() ^ value } else { value }
            }
            _ => match self.call(Some(Type::Set), depth) {
                Some((function, arguments)) => function.call(arguments),
                None => self.set_leaf(),
            },
        }
    }

    /// A call of a function with such a result, if there is one that does not take too much work
    /// here.
    fn call(&mut self, result: Option<Type>, depth: u32) -> Option<(FunctionId, Vec<Expr>)> {
        let fits = |n: &usize| {
            self.program.functions[*n].result == result && self.rounds * self.work[*n] < 20_000
        };
        let fitting: Vec<usize> = (0..self.work.len()).filter(fits).collect();
        if fitting.is_empty() {
            return None;
        }
        let number = self.dice.pick(&fitting);
        self.spent += self.rounds * self.work[number];
        let callee = &self.program.functions[number];
        let arguments = callee.locals[..callee.params].iter().map(|of| self.value(*of, depth));
        Some((FunctionId(number as u32), arguments.collect()))
    }
}

/// The budget of runs: rounds of all `While` together.
pub(crate) const BUDGET: u32 = 20;
