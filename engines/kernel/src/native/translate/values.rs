//! Values: conditions, numbers, sets, entries of arrays, calls.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AbiParam, BlockArg, ExtFuncData, ExternalName, InstBuilder, MemFlagsData, Signature,
    StackSlotData, StackSlotKind, UserExternalName, Value, types,
};
use smallvec::SmallVec;

use super::arrays::Array;
use super::{Place, Translation, Words, undecided_part};
use crate::ir::{
    Access, Binary, Combine, Compare, Expr, FunctionId, HostId, SetTable, Sets, Type, Unary,
};
use crate::native::context::Context;
use crate::native::ranges::{Range, interval};
use crate::passes::is_cheap;

impl<'a> Translation<'a, '_> {
    /// A truth, as Cranelift has it: in a byte.
    pub(super) fn condition(&mut self, condition: &'a Expr) -> Value {
        if let Some(holds) = self.ranges.decides_anywhere(condition) {
            return self.b.ins().iconst(types::I8, i64::from(holds));
        }
        if let Some(rest) = undecided_part(condition, |part| self.ranges.decides_anywhere(part)) {
            return self.condition(rest);
        }
        if let Some((value, ends, inside)) = interval(condition) {
            let value = self.number(value);
            return self.within(value, ends, inside);
        }
        match condition {
            Expr::Compare(compare, first, second) => {
                let code = match compare {
                    Compare::Equal => IntCC::Equal,
                    Compare::NotEqual => IntCC::NotEqual,
                    Compare::Less => IntCC::SignedLessThan,
                    Compare::LessEqual => IntCC::SignedLessThanOrEqual,
                    Compare::Greater => IntCC::SignedGreaterThan,
                    Compare::GreaterEqual => IntCC::SignedGreaterThanOrEqual,
                };
                let first = self.number(first);
                let second = self.number(second);
                self.b.ins().icmp(code, first, second)
            }
            Expr::Unary(Unary::IsZero, value) => {
                let truth = self.condition(value);
                self.b.ins().bxor_imm_u(truth, 1)
            }
            Expr::Both(first, second) if is_cheap(second) => {
                let first = self.condition(first);
                let second = self.condition(second);
                self.b.ins().band(first, second)
            }
            Expr::Either(first, second) if is_cheap(second) => {
                let first = self.condition(first);
                let second = self.condition(second);
                self.b.ins().bor(first, second)
            }
            Expr::Both(..) | Expr::Either(..) => {
                let done = self.b.create_block();
                let truth = self.b.append_block_param(done, types::I8);
                let (yes, no) = (self.b.create_block(), self.b.create_block());
                self.branch(condition, yes, no);
                for (block, value) in [(yes, 1), (no, 0)] {
                    self.enter(block);
                    let value = self.b.ins().iconst(types::I8, value);
                    self.jump_with(done, &[value]);
                }
                self.enter(done);
                truth
            }
            Expr::IsEmpty(set) => {
                let set = self.set(set);
                let any = self.any(set);
                self.b.ins().icmp_imm_s(IntCC::Equal, any, 0)
            }
            Expr::IsSubset(first, second) => {
                let first = self.set(first);
                let second = self.set(second);
                let lacking: Words = first
                    .into_iter()
                    .zip(second)
                    .map(|(a, b)| self.b.ins().band_not(a, b))
                    .collect();
                let any = self.any(lacking);
                self.b.ins().icmp_imm_s(IntCC::Equal, any, 0)
            }
            Expr::Contains(set, site) => {
                let is_site = self.ranges.is_site(site);
                let (word, site) = self.word_with(set, site);
                let bit = self.b.ins().ushr(word, site);
                let bit = self.b.ins().ireduce(types::I8, bit);
                let bit = self.b.ins().band_imm_u(bit, 1);
                if is_site {
                    return bit;
                }
                let inside = self.is_site(site);
                self.b.ins().band(bit, inside)
            }
            _ => {
                let number = self.number(condition);
                self.is_not_zero(number)
            }
        }
    }

    /// True if a number is within a range, or if it is outside, by one comparison.
    fn within(&mut self, value: Value, ends: Range, inside: bool) -> Value {
        let above = self.b.ins().iadd_imm_s(value, -i64::from(ends.least));
        let most = i64::from(ends.most) - i64::from(ends.least);
        let code = if inside { IntCC::UnsignedLessThanOrEqual } else { IntCC::UnsignedGreaterThan };
        self.b.ins().icmp_imm_u(code, above, most)
    }

    /// The word of a set in which a site is, and the site. Of sets in memory only that word is
    /// loaded.
    fn word_with(&mut self, set: &'a Expr, site: &'a Expr) -> (Value, Value) {
        match set {
            Expr::LoadSet(array, index) if self.words > 1 && is_cheap(site) => {
                let index = self.index(index);
                let is_site = self.ranges.is_site(site);
                let site = self.number(site);
                let array = self.lent_sets(*array);
                let (address, offset) = self.word_of(array, index, (site, is_site), Access::Read);
                (self.b.ins().load(types::I64, self.memory.arrays, address, offset), site)
            }
            Expr::SetTable(table, index) if self.words > 1 => {
                let (entry, flags) =
                    self.table_entry(self.target.tables.sets(*table), index, 8 * self.words);
                let is_site = self.ranges.is_site(site);
                let anywhere = !is_site || self.ranges.anywhere(site).is_below(64 * self.words);
                let flags = if anywhere { flags } else { self.memory.tables_here };
                let site = self.number(site);
                let mut number = self.b.ins().ushr_imm_u(site, 6);
                if !is_site {
                    let last = self.int(self.words as i32 - 1);
                    number = self.b.ins().umin(number, last);
                }
                let address = self.address(entry, number, 8);
                (self.b.ins().load(types::I64, flags, address, 0), site)
            }
            _ => {
                let set = self.set(set);
                let site = self.number(site);
                (self.select_word(&set, site), site)
            }
        }
    }

    /// 1 if a number is one of a site.
    pub(super) fn is_site(&mut self, site: Value) -> Value {
        self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, site, 64 * self.words as i64)
    }

    /// The word in which a site is.
    fn select_word(&mut self, set: &Words, site: Value) -> Value {
        let mut word = set[0];
        for number in 1..self.words {
            let beyond = self.b.ins().icmp_imm_u(
                IntCC::UnsignedGreaterThanOrEqual,
                site,
                64 * number as i64,
            );
            word = self.b.ins().select(beyond, set[number], word);
        }
        word
    }

    /// A word that is 0 only if all are.
    fn any(&mut self, set: Words) -> Value {
        set.into_iter().reduce(|any, word| self.b.ins().bor(any, word)).expect("sets have words")
    }

    // Values.

    pub(super) fn number(&mut self, value: &'a Expr) -> Value {
        if let Some(number) = self.ranges.only_number(value) {
            return self.int(number);
        }
        match value {
            Expr::Int(number) => self.int(*number),
            Expr::Get(local) => match self.places[local.0 as usize] {
                Place::Int(variable) => self.b.use_var(variable),
                Place::Set(_) => unreachable!("the checker knows it for a number"),
            },
            Expr::Load(array, index) => {
                let index = self.index(index);
                let (address, offset) = self.entry(self.lent_ints(*array), index, Access::Read);
                self.b.ins().load(types::I32, self.memory.arrays, address, offset)
            }
            Expr::Table(table, index) => {
                let (address, flags) = self.table_entry(self.target.tables.ints(*table), index, 4);
                self.b.ins().load(types::I32, flags, address, 0)
            }
            Expr::Unary(unary, operand) => match unary {
                Unary::Neg => {
                    let operand = self.number(operand);
                    self.b.ins().ineg(operand)
                }
                Unary::Abs => {
                    let operand = self.number(operand);
                    self.b.ins().iabs(operand)
                }
                Unary::IsZero => {
                    let truth = self.condition(value);
                    self.truth(truth)
                }
            },
            Expr::Binary(binary, first, second) => {
                let constant = match **second {
                    Expr::Int(number) => Some(number),
                    _ => None,
                };
                let ranges = [first, second].map(|operand| self.ranges.anywhere(operand));
                let kept = Range::kept(*binary, ranges);
                let (first, second) = (self.number(first), self.number(second));
                match kept {
                    Some(0) => first,
                    Some(_) => second,
                    None => self.binary(*binary, first, second, constant),
                }
            }
            Expr::Choose(condition, then, otherwise) => self.choose(condition, then, otherwise),
            Expr::After(block, value) => {
                self.block(block);
                self.number(value)
            }
            Expr::Call(function, arguments) => self.call(*function, arguments)[0],
            Expr::Host(function, arguments) => self.call_host(*function, arguments),
            Expr::Len(set) => {
                let set = self.set(set);
                let count = self.counts(&set)[self.words - 1];
                self.b.ins().ireduce(types::I32, count)
            }
            Expr::Last(set) => {
                let set = self.set(set);
                self.last(&set)
            }
            Expr::Nth(set, rank) if **rank == Expr::Int(0) => {
                let set = self.set(set);
                self.first(&set)
            }
            Expr::Nth(set, rank) => {
                let set = self.set(set);
                let rank = self.number(rank);
                self.nth(&set, rank)
            }
            Expr::Draw(array, end) => self.draw(*array, end),
            Expr::Compare(..)
            | Expr::Both(..)
            | Expr::Either(..)
            | Expr::IsEmpty(_)
            | Expr::Contains(..)
            | Expr::IsSubset(..) => {
                let truth = self.condition(value);
                self.truth(truth)
            }
            Expr::NoSites
            | Expr::Single(_)
            | Expr::LoadSet(..)
            | Expr::SetTable(..)
            | Expr::Shift(..)
            | Expr::Combine(..) => unreachable!("the checker knows {value:?} for a set"),
        }
    }

    /// One of two numbers.
    fn choose(&mut self, condition: &'a Expr, then: &'a Expr, otherwise: &'a Expr) -> Value {
        if is_cheap(then) && is_cheap(otherwise) {
            let condition = self.condition(condition);
            let then = self.number(then);
            let otherwise = self.number(otherwise);
            return self.b.ins().select(condition, then, otherwise);
        }
        let done = self.b.create_block();
        let chosen = self.b.append_block_param(done, types::I32);
        let (yes, no) = (self.b.create_block(), self.b.create_block());
        self.branch(condition, yes, no);
        for (block, value, holds) in [(yes, then, true), (no, otherwise, false)] {
            self.enter(block);
            let value = self.where_it(condition, holds, value, Self::number);
            self.jump_with(done, &[value]);
        }
        self.enter(done);
        chosen
    }

    /// All sites of a set moved by a number.
    fn shift(&mut self, words: &[Value], by: i32) -> Words {
        let (far, near) = (by.unsigned_abs() as usize / 64, i64::from(by.unsigned_abs() % 64));
        // The word that comes into another from so many words below, or above.
        let source = |at: usize, distance: usize| {
            let at = if by < 0 { at.checked_add(distance) } else { at.checked_sub(distance) };
            at.and_then(|at| words.get(at)).copied()
        };
        let zero = self.word(0);
        let moved = (0..words.len()).map(|at| {
            let (whole, next) = (source(at, far), source(at, far + 1));
            let mut shifted = |word: Option<Value>, left: bool, by: i64| {
                word.map(|word| match (by, left) {
                    (0, _) => word,
                    (_, true) => self.b.ins().ishl_imm_u(word, by),
                    (_, false) => self.b.ins().ushr_imm_u(word, by),
                })
            };
            let whole = shifted(whole, by >= 0, near);
            let next = if near == 0 { None } else { shifted(next, by < 0, 64 - near) };
            match (whole, next) {
                (Some(a), Some(b)) => self.b.ins().bor(a, b),
                (Some(word), None) | (None, Some(word)) => word,
                (None, None) => zero,
            }
        });
        moved.collect()
    }

    pub(super) fn set(&mut self, value: &'a Expr) -> Words {
        match value {
            Expr::Get(local) => match self.places[local.0 as usize] {
                Place::Set(variables) => {
                    variables.into_iter().take(self.words).map(|v| self.b.use_var(v)).collect()
                }
                Place::Int(_) => unreachable!("the checker knows it for a set"),
            },
            Expr::NoSites => self.no_sites(),
            Expr::Single(site) => {
                let is_site = self.ranges.is_site(site);
                let site = self.number(site);
                let one = self.word(1);
                let bit = self.b.ins().ishl(one, site);
                let zero = self.word(0);
                if self.words == 1 {
                    if is_site {
                        return SmallVec::from_slice(&[bit]);
                    }
                    let inside = self.is_site(site);
                    let word = self.b.ins().select(inside, bit, zero);
                    return SmallVec::from_slice(&[word]);
                }
                let number = self.b.ins().ushr_imm_u(site, 6);
                (0..self.words)
                    .map(|word| {
                        let here = self.b.ins().icmp_imm_u(IntCC::Equal, number, word as i64);
                        self.b.ins().select(here, bit, zero)
                    })
                    .collect()
            }
            Expr::LoadSet(array, index) => {
                let index = self.index(index);
                let (address, offset) = self.entry(self.lent_sets(*array), index, Access::Read);
                let flags = self.memory.arrays;
                self.load_words(flags, address, offset)
            }
            Expr::SetTable(table, index) => {
                if let Some(words) = self.constant_set(*table, index) {
                    return words;
                }
                let (address, flags) =
                    self.table_entry(self.target.tables.sets(*table), index, 8 * self.words);
                self.load_words(flags, address, 0)
            }
            Expr::Shift(set, by) => {
                let words = self.set(set);
                self.shift(&words, *by)
            }
            Expr::Combine(combine, first, second) => {
                let first = self.set(first);
                let second = self.set(second);
                let words = first.into_iter().zip(second);
                let combined = words.map(|(a, b)| match combine {
                    Combine::And => self.b.ins().band(a, b),
                    Combine::Or => self.b.ins().bor(a, b),
                    Combine::Xor => self.b.ins().bxor(a, b),
                    Combine::Without => self.b.ins().band_not(a, b),
                });
                combined.collect()
            }
            Expr::Choose(condition, then, otherwise) if is_cheap(then) && is_cheap(otherwise) => {
                let condition = self.condition(condition);
                let then = self.set(then);
                let otherwise = self.set(otherwise);
                let words = then.into_iter().zip(otherwise);
                words.map(|(a, b)| self.b.ins().select(condition, a, b)).collect()
            }
            Expr::Choose(condition, then, otherwise) => {
                let done = self.b.create_block();
                let chosen: Words =
                    (0..self.words).map(|_| self.b.append_block_param(done, types::I64)).collect();
                let (yes, no) = (self.b.create_block(), self.b.create_block());
                self.branch(condition, yes, no);
                for (block, value, holds) in [(yes, then, true), (no, otherwise, false)] {
                    self.enter(block);
                    let value = self.where_it(condition, holds, value, Self::set);
                    self.jump_with(done, &value);
                }
                self.enter(done);
                chosen
            }
            Expr::After(block, value) => {
                self.block(block);
                self.set(value)
            }
            Expr::Call(function, arguments) => self.call(*function, arguments),
            _ => unreachable!("the checker knows {value:?} for a number"),
        }
    }

    /// An entry of a constant table whose index is constant, too.
    fn constant_set(&mut self, table: SetTable, index: &Expr) -> Option<Words> {
        let Expr::Int(index) = index else { return None };
        let program = self.target.program;
        let mut sets = program.set_tables[table.0 as usize].chunks_exact(self.words);
        let set = sets.nth(usize::try_from(*index).ok()?)?;
        Some(set.iter().map(|word| self.word(*word)).collect())
    }

    /// A number below another, as the interpreter draws it.
    fn draw(&mut self, array: Sets, end: &'a Expr) -> Value {
        let end = self.number(end);
        let Array { slot, least, .. } = self.lent_sets(array);
        let (head, again, none, done) = (
            self.b.create_block(),
            self.b.create_block(),
            self.b.create_block(),
            self.b.create_block(),
        );
        let drawn = self.b.append_block_param(done, types::I32);
        let mut draws = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThan, end, 0);
        let needed = 4_usize.div_ceil(self.words);
        if least < needed {
            let entries = self.of_slot(types::I32, slot + Context::WRITTEN);
            let enough = IntCC::UnsignedGreaterThanOrEqual;
            let fits = self.b.ins().icmp_imm_u(enough, entries, needed as i64);
            draws = self.b.ins().band(fits, draws);
        }
        let base = self.of_slot(types::I64, slot + Context::POINTER);
        let wide = self.b.ins().uextend(types::I64, end);
        self.b.ins().brif(draws, head, &[], none, &[]);
        self.b.switch_to_block(head);
        let (random, state) = self.next_random(base);
        let low = self.b.ins().imul(random, wide);
        let high = self.b.ins().umulhi(random, wide);
        let high = self.b.ins().ireduce(types::I32, high);
        let seldom = self.b.ins().icmp(IntCC::UnsignedLessThan, low, wide);
        self.b.ins().brif(seldom, again, &[], done, &[BlockArg::Value(high)]);
        self.enter(again);
        let negated = self.b.ins().ineg(wide);
        let threshold = self.b.ins().urem(negated, wide);
        let uneven = self.b.ins().icmp(IntCC::UnsignedLessThan, low, threshold);
        // A state of zeros gives zeros for ever.
        let is_alive = self.is_not_zero(state);
        let uneven = self.b.ins().band(uneven, is_alive);
        self.b.ins().brif(uneven, head, &[], done, &[BlockArg::Value(high)]);
        self.b.seal_block(head);
        self.enter(none);
        let zero = self.int(0);
        self.jump_with(done, &[zero]);
        self.enter(done);
        drawn
    }

    /// 64 bits of the generator whose state is at an address, and what is 0 if that state is.
    fn next_random(&mut self, base: Value) -> (Value, Value) {
        let flags = self.memory.arrays;
        let [a, b, c, d] = [0, 8, 16, 24].map(|at| self.b.ins().load(types::I64, flags, base, at));
        let sum = self.b.ins().iadd(a, d);
        let turned = self.b.ins().rotl_imm_u(sum, 23);
        let random = self.b.ins().iadd(turned, a);
        let shifted = self.b.ins().ishl_imm_u(b, 17);
        let c = self.b.ins().bxor(c, a);
        let d = self.b.ins().bxor(d, b);
        let b = self.b.ins().bxor(b, c);
        let a = self.b.ins().bxor(a, d);
        let c = self.b.ins().bxor(c, shifted);
        let d = self.b.ins().rotl_imm_u(d, 45);
        for (word, at) in [(a, 0), (b, 8), (c, 16), (d, 24)] {
            self.b.ins().store(flags, word, base, at);
        }
        (random, self.any(SmallVec::from_slice(&[a, b, c, d])))
    }

    fn load_words(&mut self, flags: MemFlagsData, address: Value, offset: i32) -> Words {
        let word =
            |number| self.b.ins().load(types::I64, flags, address, offset + 8 * number as i32);
        (0..self.words).map(word).collect()
    }

    fn binary(
        &mut self,
        binary: Binary,
        first: Value,
        second: Value,
        constant: Option<i32>,
    ) -> Value {
        let ins = |t: &mut Self| match binary {
            Binary::Add => t.b.ins().iadd(first, second),
            Binary::Sub => t.b.ins().isub(first, second),
            Binary::Mul => t.b.ins().imul(first, second),
            Binary::And => t.b.ins().band(first, second),
            Binary::Or => t.b.ins().bor(first, second),
            Binary::Xor => t.b.ins().bxor(first, second),
            Binary::Shl => t.b.ins().ishl(first, second),
            Binary::Shr => t.b.ins().ushr(first, second),
            Binary::Min => t.b.ins().smin(first, second),
            Binary::Max => t.b.ins().smax(first, second),
            Binary::Div => t.b.ins().sdiv(first, second),
            Binary::Rem => t.b.ins().srem(first, second),
        };
        match (binary, constant) {
            (Binary::Div | Binary::Rem, Some(0)) | (Binary::Rem, Some(-1)) => self.int(0),
            (Binary::Div, Some(-1)) => self.b.ins().ineg(first),
            (Binary::Div | Binary::Rem, None) => {
                // By 1 in place of what would trap: 0, and -1, by which the least number overflows.
                let after = self.b.ins().iadd_imm_s(second, 1);
                let traps = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, after, 2);
                let one = self.int(1);
                let divisor = self.b.ins().select(traps, one, second);
                if binary == Binary::Rem {
                    return self.b.ins().srem(first, divisor);
                }
                let quotient = self.b.ins().sdiv(first, divisor);
                let zero = self.int(0);
                let by_minus_one = self.b.ins().ineg(first);
                let is_zero = self.b.ins().icmp_imm_s(IntCC::Equal, second, 0);
                let special = self.b.ins().select(is_zero, zero, by_minus_one);
                self.b.ins().select(traps, special, quotient)
            }
            _ => ins(self),
        }
    }

    // Calls.

    pub(super) fn call(&mut self, id: FunctionId, arguments: &'a [Expr]) -> Words {
        let callee = &self.target.program.functions[id.0 as usize];
        let mut values = vec![self.context];
        for (argument, of) in arguments.iter().zip(&callee.locals) {
            match of {
                Type::Int => values.push(self.number(argument)),
                Type::Set => values.extend(self.set(argument)),
            }
        }
        let function = match self.functions.get(&id) {
            Some(function) => *function,
            None => {
                let signature = self.b.import_signature(self.target.signature(callee));
                let name = UserExternalName { namespace: 0, index: id.0 };
                let name = self.b.func.declare_imported_user_function(name);
                let name = ExternalName::user(name);
                let data = ExtFuncData { name, signature, colocated: true, patchable: false };
                let function = self.b.import_function(data);
                self.functions.insert(id, function);
                function
            }
        };
        let call = self.b.ins().call(function, &values);
        let mut results = Words::from_slice(self.b.inst_results(call));
        if self.target.calls_host[id.0 as usize] {
            self.stop();
        }
        if callee.result == Some(Type::Set) && self.words > 1 {
            results = (0..self.words)
                .map(|number| self.in_context(types::I64, Context::RESULT + 8 * number))
                .collect();
        }
        results
    }

    /// After what may have called the host: leaves the function if the program is to stop.
    fn stop(&mut self) {
        let leave = match self.leave {
            Some(leave) => leave,
            None => {
                let leave = self.b.create_block();
                self.b.set_cold_block(leave);
                *self.leave.insert(leave)
            }
        };
        let stopped = self.in_context(types::I32, Context::STOPPED);
        let go_on = self.b.create_block();
        self.b.ins().brif(stopped, leave, &[], go_on, &[]);
        self.enter(go_on);
    }

    fn call_host(&mut self, id: HostId, arguments: &'a [Expr]) -> Value {
        let values: Vec<Value> = arguments.iter().map(|argument| self.number(argument)).collect();
        let address = if values.is_empty() {
            // Any address will do.
            self.context
        } else {
            let slot = match self.arguments {
                Some((slot, room)) if values.len() <= room => slot,
                _ => {
                    let data =
                        StackSlotData::new(StackSlotKind::ExplicitSlot, 4 * values.len() as u32, 3);
                    let slot = self.b.create_sized_stack_slot(data);
                    self.arguments = Some((slot, values.len()));
                    slot
                }
            };
            let address = self.b.ins().stack_addr(types::I64, slot, 0);
            for (number, value) in values.iter().enumerate() {
                self.b.ins().store(self.memory.stack, *value, address, 4 * number as i32);
            }
            address
        };
        let signature = match self.host_signature {
            Some(signature) => signature,
            None => {
                let mut signature = Signature::new(self.target.isa.default_call_conv());
                for of in [types::I64, types::I32, types::I64, types::I32] {
                    signature.params.push(AbiParam::new(of));
                }
                signature.returns.push(AbiParam::new(types::I32));
                *self.host_signature.insert(self.b.import_signature(signature))
            }
        };
        let (number, count) = (self.int(id.0 as i32), self.int(values.len() as i32));
        let trampoline = self.in_context(types::I64, Context::CALL);
        let operands = [self.context, number, address, count];
        let call = self.b.ins().call_indirect(signature, trampoline, &operands);
        let result = self.b.inst_results(call)[0];
        self.stop();
        result
    }

    /// The first site, or -1.
    fn first(&mut self, set: &Words) -> Value {
        let mut site = self.int(-1);
        for (number, word) in set.iter().enumerate().rev() {
            let bit = self.b.ins().ctz(*word);
            site = self.in_word(number, bit, *word, site);
        }
        site
    }

    /// The last site, or -1.
    fn last(&mut self, set: &Words) -> Value {
        let mut site = self.int(-1);
        for (number, word) in set.iter().enumerate() {
            let zeros = self.b.ins().clz(*word);
            let bit = self.b.ins().bxor_imm_u(zeros, 63);
            site = self.in_word(number, bit, *word, site);
        }
        site
    }

    /// The site of a bit of a word that has any, else another one.
    fn in_word(&mut self, number: usize, bit: Value, word: Value, other: Value) -> Value {
        let bit = self.b.ins().ireduce(types::I32, bit);
        let site = self.b.ins().iadd_imm_s(bit, 64 * number as i64);
        let any = self.b.ins().icmp_imm_s(IntCC::NotEqual, word, 0);
        self.b.ins().select(any, site, other)
    }

    /// Finds the word by counts of sites, and the site by a call.
    fn nth(&mut self, set: &Words, rank: Value) -> Value {
        let (word, base, rank) = self.word_and_rank(set, rank);
        let count = self.count(word);
        let has = self.b.ins().icmp(IntCC::UnsignedLessThan, rank, count);
        let (found, outside, done) =
            (self.b.create_block(), self.b.create_block(), self.b.create_block());
        let site = self.b.append_block_param(done, types::I32);
        self.b.ins().brif(has, found, &[], outside, &[]);
        self.enter(found);
        let signature = match self.nth_signature {
            Some(signature) => signature,
            None => {
                let mut signature = Signature::new(self.target.isa.default_call_conv());
                signature.params.push(AbiParam::new(types::I64));
                signature.params.push(AbiParam::new(types::I32));
                signature.returns.push(AbiParam::new(types::I32));
                *self.nth_signature.insert(self.b.import_signature(signature))
            }
        };
        let select = self.word(cpu::select_address() as u64);
        let call = self.b.ins().call_indirect(signature, select, &[word, rank]);
        let bit = self.b.inst_results(call)[0];
        let bit = self.b.ins().iadd(base, bit);
        self.jump_with(done, &[bit]);
        self.enter(outside);
        let none = self.int(-1);
        self.jump_with(done, &[none]);
        self.enter(done);
        site
    }

    /// The word of a site, the first site of it, and the rank in it, by comparisons that do not
    /// wait for each other.
    fn word_and_rank(&mut self, set: &Words, rank: Value) -> (Value, Value, Value) {
        let upto = self.counts(set);
        let zero = self.int(0);
        let (mut word, mut base, mut before) = (set[0], zero, zero);
        for (number, &upto) in (1..).zip(&upto[..self.words - 1]) {
            let upto = self.b.ins().ireduce(types::I32, upto);
            let beyond = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, rank, upto);
            word = self.b.ins().select(beyond, set[number], word);
            before = self.b.ins().select(beyond, upto, before);
            let here = self.int(64 * number as i32);
            base = self.b.ins().select(beyond, here, base);
        }
        (word, base, self.b.ins().isub(rank, before))
    }

    /// The number of sites of a set up to the end of each word, as 64 bits: with 32 bits, large
    /// functions were measured to take up to 1.8 times as long.
    fn counts(&mut self, set: &Words) -> Words {
        let mut upto: Words = Words::new();
        for &word in set {
            let count = self.b.ins().popcnt(word);
            let before = upto.last().copied();
            upto.push(before.map_or(count, |before| self.b.ins().iadd(before, count)));
        }
        upto
    }

    fn count(&mut self, word: Value) -> Value {
        let count = self.b.ins().popcnt(word);
        self.b.ins().ireduce(types::I32, count)
    }
}
