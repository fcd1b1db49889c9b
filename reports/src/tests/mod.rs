//! Tests of `reports` as others use it, in the program of its unit tests.

mod changed;
mod charts;
mod claim;
mod hostile;
mod languages;
mod latex;
mod made;
mod page;
mod picture;
mod power;
mod processes;
mod readme;
mod reports;
mod repository;
mod rows;
mod terminal;
