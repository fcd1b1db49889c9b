//! Tests of programs: what operations give, what the checker refuses.

mod check;
mod common;
#[cfg(feature = "native")]
mod native;
mod operations;
mod passes;
mod print;
mod random;
mod twin;
