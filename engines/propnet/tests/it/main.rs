//! The integration tests of `propnet`, in one program: linked once, and run side by side.

mod catalogue;
mod chance;
mod common;
mod corpus;
mod ground_programs;
mod hidden;
mod hostile;
mod levels;
mod together;
