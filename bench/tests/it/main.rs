//! The integration tests of `bench`, in one program: linked once, and run side by side.

mod agents;
mod blame;
mod chance;
mod circles;
mod cli;
mod common;
mod conform;
mod curves;
mod engines;
mod external;
mod hidden;
mod hostile;
mod mutants;
mod mutations;
mod peers;
mod people;
mod repository;
mod resume;
mod run_folder;
mod samples;
mod scripts;
mod searches;
mod source;
mod terminal;
mod tutorials;
mod universal;
