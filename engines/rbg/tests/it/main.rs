//! The integration tests of `rbg`, in one program: linked once, and run side by side.

mod common;
mod corpus;
mod fill;
mod hostile;
mod keeper;
mod labels;
mod quick;
