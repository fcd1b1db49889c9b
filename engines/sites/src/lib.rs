#![doc = include_str!("../README.md")]

mod rays;
mod select;
mod set;
mod site;
mod view;

pub use select::select;
pub use set::{Iter, SiteSet};
pub use site::Site;
pub use view::SetView;
