//! The sets of sites that engines share.

mod rays;
mod select;
mod set;
