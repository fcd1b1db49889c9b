//! Running programs everywhere.

use std::cell::Cell;

use crate::check::Checked;
use crate::code::{Code, Op};
use crate::host::Host;
use crate::ir::{Binary, Combine, Compare, FunctionId, HostId, Type, Unary};
use crate::loans::{Loans, Slice, Slices};
use crate::needs::Need;

thread_local! {
    /// Registers that the last run has left, so that runs do not allocate.
    static REGISTERS: Cell<Registers> = const { Cell::new(Registers::new()) };
}

/// The memory of a run.
#[derive(Default)]
struct Registers {
    ints: Vec<i32>,
    sets: Vec<u64>,
    /// The return addresses of calls: instruction, windows.
    calls: Vec<(usize, usize, usize)>,
}

impl Registers {
    const fn new() -> Registers {
        Registers { ints: Vec::new(), sets: Vec::new(), calls: Vec::new() }
    }
}

impl Checked {
    /// Runs a function whose parameters are numbers and whose result is a number or none; then it
    /// is 0.
    ///
    /// The budget is what loops without a bound of their own may take rounds from; what is left of
    /// it stays in it.
    ///
    /// # Panics
    /// If there is no such function, if it has other parameters or a set as its result, and if an
    /// array that it needs is shorter than [promised](crate::ir::Lent::least). What the host panics
    /// with goes on.
    pub fn interpret<H: Host>(
        &self,
        host: &mut H,
        function: FunctionId,
        arguments: &[i32],
        budget: &mut u32,
    ) -> i32 {
        let result = self.entry(function, arguments);
        let routine = self.code.routines[function.0 as usize];
        let needs = &self.needs[function.0 as usize];
        let mut registers = REGISTERS.take();
        let (ints, sets) =
            (routine.ints.max(registers.ints.len()), routine.sets.max(registers.sets.len()));
        registers.ints.resize(ints, 0);
        registers.sets.resize(sets, 0);
        registers.calls.clear();
        registers.ints[..arguments.len()].copy_from_slice(arguments);
        let words = self.program.words;
        let mut place = Place { next: routine.start as usize, first_int: 0, first_set: 0 };
        loop {
            let mut loans = Loans::to_interpreter(&self.program);
            host.lend(&mut loans);
            let mut lent = loans.into_slices();
            Need::check_all(needs, &mut lent, words);
            let registers = &mut registers;
            // The number of words as a constant where it is small: loops over them go away.
            let call = match words {
                1 => run::<1>(self, registers, &mut place, lent, budget),
                2 => run::<2>(self, registers, &mut place, lent, budget),
                _ => run::<0>(self, registers, &mut place, lent, budget),
            };
            let Some((function, first, count)) = call else { break };
            let result = host.call(function, &registers.ints[first..first + count]);
            registers.ints[first] = result;
        }
        let value = registers.ints[0];
        REGISTERS.set(registers);
        result.map_or(0, |_| value)
    }

    /// The result type of a function that can be run by itself with these arguments.
    pub(crate) fn entry(&self, function: FunctionId, arguments: &[i32]) -> Option<Type> {
        let entry = self.program.functions.get(function.0 as usize);
        let entry = entry.unwrap_or_else(|| panic!("there is no function {}", function.0));
        let params = &entry.locals[..entry.params];
        assert!(
            params.len() == arguments.len() && params.iter().all(|of| *of == Type::Int),
            "{} has parameters {params:?}",
            entry.name
        );
        assert!(entry.result != Some(Type::Set), "{} gives a set", entry.name);
        entry.result
    }
}

/// Where a run stands: the next instruction, and where the windows of its function begin.
struct Place {
    next: usize,
    first_int: usize,
    first_set: usize,
}

/// Runs on until the function returns that was run first, or the host is called: the function, and
/// the registers of its arguments, from which on and how many; the first one takes the result.
/// `WORDS` is the number of words of a set, or 0.
#[expect(clippy::too_many_lines, reason = "one arm for each instruction")]
fn run<const WORDS: usize>(
    checked: &Checked,
    registers: &mut Registers,
    place: &mut Place,
    lent: Slices<'_>,
    budget: &mut u32,
) -> Option<(HostId, usize, usize)> {
    let words = if WORDS == 0 { checked.program.words } else { WORDS };
    let Code { ops, routines } = &checked.code;
    let Registers { ints, sets, calls } = registers;
    let (ints, sets) = (ints.as_mut_slice(), sets.as_mut_slice());
    let Slices { ints: mut int_arrays, sets: mut set_arrays } = lent;
    let Place { mut next, mut first_int, mut first_set } = *place;
    macro_rules! int {
        ($slot:expr) => {
            ints[first_int + $slot as usize]
        };
    }
    macro_rules! array {
        ($arrays:ident, $array:expr) => {
            $arrays[$array.0 as usize]
        };
    }
    macro_rules! set {
        ($slot:expr) => {{
            let first = first_set + $slot as usize;
            first..first + words
        }};
    }
    loop {
        let op = ops[next];
        next += 1;
        match op {
            Op::Int(to, number) => int!(to) = number,
            Op::Copy(to, from) => int!(to) = int!(from),
            Op::Load(to, array, index) => {
                int!(to) = entry(array!(int_arrays, array).get(), int!(index));
            }
            Op::Table(to, table, index) => {
                int!(to) = entry(&checked.program.tables[table.0 as usize], int!(index));
            }
            Op::Unary(operation, to, operand) => int!(to) = unary(operation, int!(operand)),
            Op::Binary(operation, to, first, second) => {
                int!(to) = binary(operation, int!(first), int!(second));
            }
            Op::BinaryInt(operation, to, first, second) => {
                int!(to) = binary(operation, int!(first), second);
            }
            Op::Compare(comparison, to, first, second) => {
                int!(to) = i32::from(compare(comparison, int!(first), int!(second)));
            }
            Op::Len(to, set) => {
                int!(to) = sets[set!(set)].iter().map(|word| word.count_ones()).sum::<u32>() as i32;
            }
            Op::Last(to, set) => int!(to) = last(&sets[set!(set)]),
            Op::IsEmpty(to, set) => {
                int!(to) = i32::from(sets[set!(set)].iter().all(|word| *word == 0));
            }
            Op::Contains(to, set, site) => {
                int!(to) = i32::from(contains(&sets[set!(set)], int!(site)));
            }
            Op::Nth(to, set, rank) => int!(to) = nth(&sets[set!(set)], int!(rank)),
            Op::IsSubset(to, first, second) => {
                let (first, second) = (&sets[set!(first)], &sets[set!(second)]);
                int!(to) = i32::from(first.iter().zip(second).all(|(a, b)| a & !b == 0));
            }
            Op::Draw(to, array, end) => {
                let array = array!(set_arrays, array).get_mut();
                let whole = array.len() / words * words;
                int!(to) = draw(&mut array[..whole], int!(end));
            }
            Op::NoSites(to) => sets[set!(to)].fill(0),
            Op::CopySet(to, from) => sets.copy_within(set!(from), set!(to).start),
            Op::Single(to, site) => single(&mut sets[set!(to)], int!(site)),
            Op::LoadSet(to, array, index) => {
                let array = array!(set_arrays, array).get();
                copy_entry(&mut sets[set!(to)], array, int!(index));
            }
            Op::SetTable(to, table, index) => {
                let table = &checked.program.set_tables[table.0 as usize];
                copy_entry(&mut sets[set!(to)], table, int!(index));
            }
            Op::Combine(operation, to, first, second) => {
                let slots = (set!(to).start, set!(first).start, set!(second).start);
                match operation {
                    Combine::And => combine(sets, words, slots, |a, b| a & b),
                    Combine::Or => combine(sets, words, slots, |a, b| a | b),
                    Combine::Xor => combine(sets, words, slots, |a, b| a ^ b),
                    Combine::Without => combine(sets, words, slots, |a, b| a & !b),
                }
            }
            Op::Shift(to, from, by) => {
                let (to, from) = (set!(to).start, set!(from).start);
                shift(sets, words, to, from, by);
            }
            Op::Store(array, index, value) => {
                let array = array!(int_arrays, array).get_mut();
                if let Some(entry) = index_of(int!(index)).and_then(|index| array.get_mut(index)) {
                    *entry = int!(value);
                }
            }
            Op::StoreSet(array, index, set) => {
                let array = array!(set_arrays, array).get_mut();
                if let Some(range) = range(array.len(), words, int!(index)) {
                    array[range].copy_from_slice(&sets[set!(set)]);
                }
            }
            Op::Put(array, index, site, there) => {
                let array = array!(set_arrays, array).get_mut();
                let site = index_of(int!(site)).filter(|site| site / 64 < words);
                if let (Some(range), Some(site)) = (range(array.len(), words, int!(index)), site) {
                    let (word, bit) = (&mut array[range][site / 64], 1 << (site % 64));
                    *word = if there { *word | bit } else { *word & !bit };
                }
            }
            Op::Clear(array, entries) => {
                let array = array!(int_arrays, array).get_mut();
                let end = array.len().min(entries as usize);
                array[..end].fill(0);
            }
            Op::CopyInts(to, from, entries) => {
                Slice::copy(&mut int_arrays, to.0, from.0, entries as usize);
            }
            Op::CopySets(to, from, entries) => {
                let whole = |slice: &Slice<'_, u64>| slice.get().len() / words;
                let both =
                    whole(&set_arrays[to.0 as usize]).min(whole(&set_arrays[from.0 as usize]));
                let words = words * both.min(entries as usize);
                Slice::copy(&mut set_arrays, to.0, from.0, words);
            }
            Op::Host(function, first, count) => {
                *place = Place { next, first_int, first_set };
                return Some((function, first_int + first as usize, count as usize));
            }
            Op::Call(function, at_int, at_set) => {
                calls.push((next, first_int, first_set));
                first_int += at_int as usize;
                first_set += at_set as usize;
                next = routines[function.0 as usize].start as usize;
            }
            Op::Return => match calls.pop() {
                Some(caller) => (next, first_int, first_set) = caller,
                None => return None,
            },
            Op::ClearInts(from, to) => {
                ints[first_int + from as usize..first_int + to as usize].fill(0);
            }
            Op::ClearSets(from, to) => {
                sets[first_set + from as usize..first_set + to as usize].fill(0);
            }
            Op::Jump(target) => next = target as usize,
            Op::If(condition, target) => {
                if int!(condition) != 0 {
                    next = target as usize;
                }
            }
            Op::Unless(condition, target) => {
                if int!(condition) == 0 {
                    next = target as usize;
                }
            }
            Op::IfCompare(comparison, first, second, target) => {
                if compare(comparison, int!(first), int!(second)) {
                    next = target as usize;
                }
            }
            Op::IfCompareInt(comparison, first, second, target) => {
                if compare(comparison, int!(first), second) {
                    next = target as usize;
                }
            }
            Op::NextSite(to, set, target) => match take_first(&mut sets[set!(set)]) {
                Some(site) => int!(to) = site,
                None => next = target as usize,
            },
            Op::NextNumber(to, counter, target) => {
                let number = int!(counter);
                if number < int!(counter + 1) {
                    int!(to) = number;
                    int!(counter) = number + 1;
                } else {
                    next = target as usize;
                }
            }
            Op::Spend(target) => match budget.checked_sub(1) {
                Some(left) => *budget = left,
                None => next = target as usize,
            },
        }
    }
}

/// An index that is not negative.
fn index_of(index: i32) -> Option<usize> {
    usize::try_from(index).ok()
}

fn entry(array: &[i32], index: i32) -> i32 {
    index_of(index).and_then(|index| array.get(index)).copied().unwrap_or(0)
}

/// The range of the words of a set in an array of so many words; `None` if the index is out of
/// range.
fn range(len: usize, words: usize, index: i32) -> Option<std::ops::Range<usize>> {
    let first = index_of(index)?.checked_mul(words)?;
    (first.checked_add(words)? <= len).then(|| first..first + words)
}

fn copy_entry(to: &mut [u64], array: &[u64], index: i32) {
    match range(array.len(), to.len(), index) {
        Some(range) => to.copy_from_slice(&array[range]),
        None => to.fill(0),
    }
}

/// Moves all sites of the set that begins at a word into the one that begins at another.
fn shift(sets: &mut [u64], words: usize, to: usize, from: usize, by: i32) {
    let (far, near) = (by.unsigned_abs() as usize / 64, by.unsigned_abs() % 64);
    // The word that comes into another from so many words below, or above.
    let word = |sets: &[u64], at: usize, distance: usize| {
        let source = if by < 0 { at.checked_add(distance) } else { at.checked_sub(distance) };
        source.filter(|&source| source < words).map_or(0, |source| sets[from + source])
    };
    let moved = |sets: &[u64], at: usize| {
        let (whole, next) = (word(sets, at, far), word(sets, at, far + 1));
        match (near, by < 0) {
            (0, _) => whole,
            (_, true) => whole >> near | next << (64 - near),
            (_, false) => whole << near | next >> (64 - near),
        }
    };
    // In the order in which no word is written before it is read.
    for at in 0..words {
        let at = if by < 0 { at } else { words - 1 - at };
        sets[to + at] = moved(sets, at);
    }
}

/// Writes the words of a set, the first of the places, from those of two others.
#[inline(always)]
fn combine(
    sets: &mut [u64],
    words: usize,
    (to, first, second): (usize, usize, usize),
    operate: impl Fn(u64, u64) -> u64,
) {
    for word in 0..words {
        sets[to + word] = operate(sets[first + word], sets[second + word]);
    }
}

fn contains(set: &[u64], site: i32) -> bool {
    let word = index_of(site).and_then(|site| set.get(site / 64));
    word.is_some_and(|word| (word >> (site % 64)) & 1 != 0)
}

fn single(to: &mut [u64], site: i32) {
    to.fill(0);
    if let Some(word) = index_of(site).and_then(|site| to.get_mut(site / 64)) {
        *word = 1 << (site % 64);
    }
}

fn take_first(set: &mut [u64]) -> Option<i32> {
    let (number, word) = set.iter_mut().enumerate().find(|(_, word)| **word != 0)?;
    let site = 64 * number as u32 + word.trailing_zeros();
    *word &= *word - 1;
    Some(site as i32)
}

fn last(set: &[u64]) -> i32 {
    let found = set.iter().rposition(|word| *word != 0);
    found.map_or(-1, |number| (64 * number) as i32 + set[number].ilog2() as i32)
}

fn nth(set: &[u64], rank: i32) -> i32 {
    let Ok(mut rank) = u32::try_from(rank) else { return -1 };
    for (number, word) in set.iter().enumerate() {
        let here = word.count_ones();
        if rank < here {
            return 64 * number as i32 + sites::select(*word, rank) as i32;
        }
        rank -= here;
    }
    -1
}

/// A number below another, by the generator whose state an array begins with: xoshiro256++
/// (Blackman and Vigna, 2019), and the upper half of a product with what it gives (Lemire, 2019).
fn draw(state: &mut [u64], end: i32) -> i32 {
    let (Some(s), Ok(end @ 1..)) = (state.first_chunk_mut::<4>(), u32::try_from(end)) else {
        return 0;
    };
    let end = u64::from(end);
    loop {
        let random = s[0].wrapping_add(s[3]).rotate_left(23).wrapping_add(s[0]);
        let shifted = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= shifted;
        s[3] = s[3].rotate_left(45);
        let product = u128::from(random) * u128::from(end);
        let low = product as u64;
        // A state of zeros gives zeros for ever.
        if low >= end || low >= end.wrapping_neg() % end || *s == [0; 4] {
            return (product >> 64) as i32;
        }
    }
}

pub(crate) fn unary(operation: Unary, operand: i32) -> i32 {
    match operation {
        Unary::Neg => operand.wrapping_neg(),
        Unary::Abs => operand.wrapping_abs(),
        Unary::IsZero => i32::from(operand == 0),
    }
}

#[inline(always)]
pub(crate) fn binary(operation: Binary, first: i32, second: i32) -> i32 {
    match operation {
        Binary::Add => first.wrapping_add(second),
        Binary::Sub => first.wrapping_sub(second),
        Binary::Mul => first.wrapping_mul(second),
        Binary::Div if second == 0 => 0,
        Binary::Div => first.wrapping_div(second),
        Binary::Rem if second == 0 => 0,
        Binary::Rem => first.wrapping_rem(second),
        Binary::And => first & second,
        Binary::Or => first | second,
        Binary::Xor => first ^ second,
        Binary::Shl => first.wrapping_shl(second as u32),
        Binary::Shr => (first as u32).wrapping_shr(second as u32) as i32,
        Binary::Min => first.min(second),
        Binary::Max => first.max(second),
    }
}

#[inline(always)]
pub(crate) fn compare(comparison: Compare, first: i32, second: i32) -> bool {
    match comparison {
        Compare::Equal => first == second,
        Compare::NotEqual => first != second,
        Compare::Less => first < second,
        Compare::LessEqual => first <= second,
        Compare::Greater => first > second,
        Compare::GreaterEqual => first >= second,
    }
}
