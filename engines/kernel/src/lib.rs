//! A small compiler for playouts.

pub mod ir;
