//! The limits within which functions are compiled to machine code; beyond them the interpreter
//! runs.

/// The most words that a set may have in machine code.
pub const MAX_NATIVE_WORDS: usize = 8;

/// The most arrays that a program may be lent in machine code.
pub const MAX_NATIVE_ARRAYS: usize = 128;

/// The most nodes of a function, times the words of a set, that machine code is made of. Cranelift
/// keeps numbers of values in 24 bits, and some ten values come of a node.
pub const MAX_NATIVE_SIZE: usize = 1 << 18;

/// The most bytes of stack that machine code may take, calls included; threads have 2 MiB or more.
pub const MAX_NATIVE_STACK: usize = 512 << 10;

/// Steps of work, of up to 100 ns each, that it takes to make machine code of a node in a small
/// function, times the words of a set; and so many nodes make it a step more, as the time to
/// compile a function grows faster than its size.
const WORK: u64 = 100;
const GROWTH: u64 = 1000;

/// Bytes that it takes meanwhile for each of them, at most: a third of that in most programs.
const BYTES: u64 = 12 << 10;

/// The steps of work and the bytes that it takes to make machine code of functions of these numbers
/// of nodes, times the words of a set, one after the other.
pub(super) fn effort(sizes: impl Iterator<Item = usize>) -> (u64, u64) {
    sizes.fold((0, 0), |(work, bytes), size| {
        let size = size as u64;
        (work + size * (WORK + size / GROWTH), bytes.max(size * BYTES))
    })
}

/// The reason why there is no machine code of a program. The interpreter runs it all the same.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Reason {
    /// Machine code keeps the words of sets in registers.
    #[error("sets have {0} words, machine code is made for at most {MAX_NATIVE_WORDS}")]
    Words(usize),
    /// Pointers to arrays are kept in a block of a fixed size.
    #[error("there are {0} arrays, machine code is made for at most {MAX_NATIVE_ARRAYS}")]
    Arrays(usize),
    /// Cranelift makes no code for this processor.
    #[error("no machine code is made for this processor: {0}")]
    Processor(String),
    /// Cranelift refuses a function.
    #[error("no machine code is made of function {0}: {1}")]
    Function(String, String),
    /// Calls might overflow the stack.
    #[error("function {0} and what it calls take {1} bytes of stack, more than {MAX_NATIVE_STACK}")]
    Stack(String, usize),
    /// Cranelift has room for so many values in a function.
    #[error(
        "function {0} has {1} nodes and words, machine code is made of at most {MAX_NATIVE_SIZE}"
    )]
    Size(String, usize),
    /// The system gives no memory for code.
    #[error("there is no memory for machine code: {0}")]
    Memory(String),
}
