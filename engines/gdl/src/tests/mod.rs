//! Tests of `gdl` as others use it, in the program of its unit tests.

mod answer;
mod diagnostics;
mod grounding;
mod hostile;
mod kit;
mod records;
mod speed;
mod traces;
