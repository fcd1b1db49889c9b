//! The integration tests of `reports`, in one program: linked once, and run side by side.

mod charts;
mod claim;
mod hostile;
mod latex;
mod made;
mod page;
mod picture;
mod processes;
mod readme;
mod reports;
mod repository;
mod rows;
mod terminal;
