//! The integration tests of `gdl`, in one program: linked once, and run side by side.

mod answer;
mod diagnostics;
mod grounding;
mod hostile;
mod kit;
mod records;
mod speed;
mod traces;
