#![doc = include_str!("../README.md")]
#![warn(missing_docs)]

pub mod ground;
pub mod program;
pub mod record;

mod datalog;
mod draw;
mod front;
mod graph;
mod labels;
mod limits;
mod pass;
mod prover;
mod symbols;
mod terms;

pub use draw::{Reach, draw, picture};
pub use front::{Checked, check};
pub use labels::{MoveCodes, full_label, labels};
pub use program::{
    Atom, Component, Dependence, Literal, Program, RelId, Relation, Rule, Term, TermKind, Var,
    Variable,
};
pub use prover::{Action, ProverEngine, ProverGame, ProverState};
pub use symbols::{Symbol, Symbols};
pub use terms::{TermId, Terms};

/// The lineage of all engines that read rulesheets by this front end.
pub const LINEAGE: &str = "gdl";
