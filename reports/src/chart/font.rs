//! The embedded typeface: Noto Sans, regular and bold, as the `notosans` crate ships it (SIL Open Font License 1.1).

use std::sync::LazyLock;

use ttf_parser::{Face, GlyphId, OutlineBuilder};

use super::scene::Weight;

static REGULAR: LazyLock<Face<'static>> = LazyLock::new(|| parse(notosans::REGULAR_TTF));
static BOLD: LazyLock<Face<'static>> = LazyLock::new(|| parse(notosans::BOLD_TTF));

fn parse(bytes: &'static [u8]) -> Face<'static> {
    Face::parse(bytes, 0).expect("the embedded font is checked by a test")
}

fn face(weight: Weight) -> &'static Face<'static> {
    match weight {
        Weight::Regular => &REGULAR,
        Weight::Bold => &BOLD,
    }
}

/// Glyphs with their offset from the start of the text, in font units. Characters that the font lacks show as its empty box.
fn glyphs(text: &str, face: &Face<'_>) -> Vec<(GlyphId, f64)> {
    let mut x = 0.0;
    let place = |c: char| {
        let glyph = face.glyph_index(c).unwrap_or(GlyphId(0));
        let at = x;
        x += f64::from(face.glyph_hor_advance(glyph).unwrap_or(0));
        (glyph, at)
    };
    text.chars().filter(|c| !c.is_control()).map(place).collect()
}

/// Width of a line of text, without kerning.
pub(super) fn width(text: &str, size: f64, weight: Weight) -> f64 {
    let face = face(weight);
    let end = glyphs(text, face)
        .last()
        .map_or(0.0, |&(glyph, at)| at + f64::from(face.glyph_hor_advance(glyph).unwrap_or(0)));
    end * size / f64::from(face.units_per_em())
}

/// Draws the outlines of a line of text that starts at `at` on its base line.
pub(super) fn outline(
    text: &str,
    at: (f64, f64),
    size: f64,
    weight: Weight,
    path: &mut tiny_skia::PathBuilder,
) {
    let face = face(weight);
    let scale = size / f64::from(face.units_per_em());
    for (glyph, offset) in glyphs(text, face) {
        let mut pen = Pen { path, x: at.0 + offset * scale, y: at.1, scale };
        // A glyph without an outline, such as the space, draws nothing.
        let _ = face.outline_glyph(glyph, &mut pen);
    }
}

/// Turns font units, which grow upwards, into a place on the page.
struct Pen<'p> {
    path: &'p mut tiny_skia::PathBuilder,
    x: f64,
    y: f64,
    scale: f64,
}

impl Pen<'_> {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        ((self.x + f64::from(x) * self.scale) as f32, (self.y - f64::from(y) * self.scale) as f32)
    }
}

impl OutlineBuilder for Pen<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_weights_have_the_characters_that_charts_use() {
        for weight in [Weight::Regular, Weight::Bold] {
            for c in "0123456789 kMG.,()–×±…†?%µāōŪśé·".chars() {
                assert!(face(weight).glyph_index(c).is_some(), "{c:?} in {weight:?}");
            }
        }
    }

    #[test]
    fn letters_stand_on_the_base_line() {
        let mut path = tiny_skia::PathBuilder::new();
        outline("L1", (100.0, 50.0), 20.0, Weight::Regular, &mut path);
        let bounds = path.finish().unwrap().bounds();
        assert!((bounds.bottom() - 50.0).abs() < 0.01, "{bounds:?}");
        assert!((bounds.height() - 0.714 * 20.0).abs() < 0.1, "{bounds:?}");
        let end = 100.0 + width("L1", 20.0, Weight::Regular) as f32;
        assert!(bounds.left() > 100.0 && bounds.right() < end, "{bounds:?}");
    }

    #[test]
    fn widths_add_up_and_grow_with_size() {
        let one = width("8", 10.0, Weight::Regular);
        assert!(one > 4.0 && one < 7.0, "{one}");
        assert!((width("888", 20.0, Weight::Regular) - 6.0 * one).abs() < 1e-9);
        assert!(width("Connect", 10.0, Weight::Bold) > width("Connect", 10.0, Weight::Regular));
    }
}
