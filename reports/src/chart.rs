//! Charts: data laid out as a [`Scene`] of rectangles, lines and texts, and a scene written as SVG or PNG.
//!
//! The layout is done once, in units of a 1000-unit wide page, so both formats show the same picture.
//! Text is measured with the embedded font and drawn from its outlines, so no system font or library takes part and the same data give the same bytes.

mod axis;
mod bars;
mod curves;
mod font;
mod frame;
mod plane;
mod playouts;
mod png;
mod profile;
mod scatter;
mod scene;
mod speedup;
mod svg;
mod theme;

pub use curves::curves_chart;
pub use playouts::playouts_chart;
pub use png::png;
pub use profile::profile_chart;
pub use scatter::{compile_chart, tokens_chart};
pub use scene::{Anchor, Extent, Item, Scene, Weight};
pub use speedup::speedup_chart;
pub use svg::svg;
pub use theme::{Colour, Paint, Theme};
