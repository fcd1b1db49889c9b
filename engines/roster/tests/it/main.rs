//! The integration tests of `roster`, in one program: linked once, and run side by side.

mod hidden;
mod sizes;
mod ways;
