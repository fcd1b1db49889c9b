//! Tests of programs: what operations give, what the checker refuses.

mod check;
mod common;
mod operations;
