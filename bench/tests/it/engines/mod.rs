//! What the list of all engines says of them, and what they play alike, on games of the catalogue.

mod hidden;
mod sizes;
mod ways;
