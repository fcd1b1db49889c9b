//! The integration tests of `games`, in one program: linked once, and run side by side.

mod catalogue;
mod errors;
mod families;
