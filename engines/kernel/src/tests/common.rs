//! A host whose arrays are vectors, and ways to run programs in it.

use kernel::build::{CodeBuilder, FunctionBuilder, ProgramBuilder};
use kernel::ir::{Expr, FunctionId, HostId, Ints, Sets, Type};
use kernel::{Checked, Host, Loans, check};

/// A host that notes its calls. A call of function `n` gives a number made of all its arguments.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Memory {
    pub(crate) ints: Vec<Vec<i32>>,
    pub(crate) sets: Vec<Vec<u64>>,
    /// The numbers, and words of sets, that are left of each array, at least, if calls change
    /// lengths.
    pub(crate) least: [Vec<usize>; 2],
    pub(crate) calls: Vec<(u32, Vec<i32>)>,
    /// True if calls change arrays: their entries, lengths and places.
    pub(crate) moves: bool,
    /// True if all arrays are lent for reading alone.
    pub(crate) read_only: bool,
    /// After so many calls the next one panics.
    pub(crate) patience: Option<usize>,
}

impl Host for Memory {
    fn lend<'a>(&'a mut self, loans: &mut Loans<'a>) {
        for (number, entries) in (0..).map(Ints).zip(&mut self.ints) {
            if self.read_only {
                loans.ints(number, entries);
            } else {
                loans.ints_mut(number, entries);
            }
        }
        for (number, words) in (0..).map(Sets).zip(&mut self.sets) {
            if self.read_only {
                loans.sets(number, words);
            } else {
                loans.sets_mut(number, words);
            }
        }
    }

    fn call(&mut self, function: HostId, arguments: &[i32]) -> i32 {
        if self.patience.is_some_and(|patience| self.calls.len() >= patience) {
            std::panic::panic_any(self.calls.len());
        }
        self.calls.push((function.0, arguments.to_vec()));
        let sum = |sum: i32, argument: &i32| sum.wrapping_mul(31).wrapping_add(*argument);
        let result = arguments.iter().fold(function.0 as i32 + 1, sum);
        if self.moves {
            let number = self.calls.len();
            let [ints, sets] = &self.least;
            let least = |of: &Vec<usize>, place: usize| of.get(place).copied().unwrap_or(0);
            for (place, array) in self.ints.iter_mut().enumerate() {
                let mut moved: Vec<i32> = array.iter().rev().copied().collect();
                let entries = 1 + (array.len() + number) % 7;
                moved.resize(entries.max(least(ints, place)), result);
                *array = moved;
            }
            for (place, array) in self.sets.iter_mut().enumerate() {
                let mut moved = array.clone();
                moved.rotate_left(number % array.len().max(1));
                let words = 1 + (array.len() + 3 * number) % 20;
                moved.resize(words.max(least(sets, place)), result as u64);
                *array = moved;
            }
        }
        result
    }
}

/// The outcome of a run: result, memory, the rest of the budget. Machine code gives the same.
pub(crate) fn run(
    checked: &Checked,
    memory: &Memory,
    function: FunctionId,
    arguments: &[i32],
    budget: u32,
) -> (i32, Memory, u32) {
    let (mut after, mut left) = (memory.clone(), budget);
    let result = checked.interpret(&mut after, function, arguments, &mut left);
    #[cfg(feature = "native")]
    if checked.program().words <= kernel::MAX_NATIVE_WORDS {
        let native = kernel::Native::new(checked).expect("there is machine code");
        let (mut memory, mut budget) = (memory.clone(), budget);
        let native = native.run(&mut memory, function, arguments, &mut budget);
        assert_eq!((native, memory, budget), (result, after.clone(), left));
    }
    (result, after, left)
}

/// A program of one function, which has numbers as parameters and as its result.
pub(crate) fn only(
    mut program: ProgramBuilder,
    params: usize,
    write: impl FnOnce(&mut FunctionBuilder),
) -> (Checked, FunctionId) {
    let mut f = FunctionBuilder::new("only", &vec![Type::Int; params], Some(Type::Int));
    write(&mut f);
    let function = program.function(f.finish());
    (check(program.finish(), 10_000).expect("it can run"), function)
}

/// The value of an expression without arrays, for sets of so many words.
pub(crate) fn value(words: usize, expr: Expr) -> i32 {
    let (checked, function) = only(ProgramBuilder::new(words), 0, |f| f.give(expr));
    run(&checked, &Memory::default(), function, &[], 0).0
}
