//! Tests of `gdl` as others use it.

mod answer;
mod grounding;
mod hostile;
mod kit;
mod records;
mod speed;
mod traces;
