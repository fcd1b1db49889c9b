//! A picture as a list of simple marks, with the origin at the top left.

use super::font;
use super::theme::Paint;

/// A laid-out picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// Width in units.
    pub width: f64,
    /// Height in units.
    pub height: f64,
    /// What the picture shows, for readers who cannot see it.
    pub description: String,
    /// The marks; later ones cover earlier ones.
    pub items: Vec<Item>,
}

/// A mark.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    /// A filled rectangle.
    Rect {
        /// Left edge.
        x: f64,
        /// Upper edge.
        y: f64,
        /// Width, not negative.
        width: f64,
        /// Height, not negative.
        height: f64,
        /// Its colour.
        fill: Paint,
    },
    /// A straight line.
    Line {
        /// Where it starts.
        from: (f64, f64),
        /// Where it ends.
        to: (f64, f64),
        /// Its width.
        width: f64,
        /// Its colour.
        stroke: Paint,
    },
    /// A line of text.
    Text {
        /// The point that the anchor means, on the base line.
        at: (f64, f64),
        /// What part of the text stands at that point.
        anchor: Anchor,
        /// Height of the type.
        size: f64,
        /// Regular or bold.
        weight: Weight,
        /// Its colour.
        fill: Paint,
        /// The text.
        text: String,
    },
}

/// The box around a mark.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extent {
    /// Left edge.
    pub left: f64,
    /// Upper edge.
    pub upper: f64,
    /// Right edge.
    pub right: f64,
    /// Lower edge.
    pub lower: f64,
}

impl Extent {
    /// Whether two boxes share more than an edge.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.upper < other.lower
            && other.upper < self.lower
    }
}

impl Item {
    /// What the mark covers. Of a text, the height of its figures and capitals.
    pub fn extent(&self) -> Extent {
        match *self {
            Self::Rect { x, y, width, height, .. } => {
                Extent { left: x, upper: y, right: x + width, lower: y + height }
            }
            Self::Line { from, to, width, .. } => Extent {
                left: from.0.min(to.0) - width / 2.0,
                upper: from.1.min(to.1) - width / 2.0,
                right: from.0.max(to.0) + width / 2.0,
                lower: from.1.max(to.1) + width / 2.0,
            },
            Self::Text { at, anchor, size, weight, ref text, .. } => {
                let width = font::width(text, size, weight);
                let left = at.0 - anchor.share() * width;
                // Capitals of Noto Sans are 0.714 of its size.
                Extent { left, upper: at.1 - 0.714 * size, right: left + width, lower: at.1 }
            }
        }
    }
}

impl Anchor {
    /// How much of a text's width lies before its point.
    pub(super) fn share(self) -> f64 {
        match self {
            Self::Start => 0.0,
            Self::Middle => 0.5,
            Self::End => 1.0,
        }
    }
}

/// What part of a text stands at its point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// Its start.
    Start,
    /// Its middle.
    Middle,
    /// Its end.
    End,
}

/// Weight of type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// For most text.
    Regular,
    /// For titles.
    Bold,
}

/// How a text looks, apart from where it stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Type {
    pub(super) size: f64,
    pub(super) weight: Weight,
    pub(super) fill: Paint,
}

impl Type {
    pub(super) const fn new(size: f64, weight: Weight, fill: Paint) -> Self {
        Self { size, weight, fill }
    }

    /// Width of a text in this type.
    pub(super) fn width(self, text: &str) -> f64 {
        font::width(text, self.size, self.weight)
    }

    /// The text, or as much of it as fits with an ellipsis.
    pub(super) fn fit(self, text: &str, width: f64) -> String {
        if self.width(text) <= width {
            return text.to_owned();
        }
        let mut kept: Vec<char> = text.chars().collect();
        while kept.pop().is_some() {
            let shorter = kept.iter().collect::<String>().trim_end().to_owned() + "…";
            if self.width(&shorter) <= width {
                return shorter;
            }
        }
        String::new()
    }
}

impl Scene {
    pub(super) fn new(width: f64, description: &str) -> Self {
        Self { width, height: 0.0, description: description.to_owned(), items: Vec::new() }
    }

    pub(super) fn rect(&mut self, x: f64, y: f64, width: f64, height: f64, fill: Paint) {
        self.items.push(Item::Rect { x, y, width: width.max(0.0), height: height.max(0.0), fill });
    }

    pub(super) fn line(&mut self, from: (f64, f64), to: (f64, f64), width: f64, stroke: Paint) {
        self.items.push(Item::Line { from, to, width, stroke });
    }

    pub(super) fn text(&mut self, at: (f64, f64), anchor: Anchor, style: Type, text: &str) {
        let Type { size, weight, fill } = style;
        self.items.push(Item::Text { at, anchor, size, weight, fill, text: text.to_owned() });
    }
}
