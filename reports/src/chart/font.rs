//! The embedded typeface, Noto Sans: how wide a text is, and its letters as pixels.

use std::sync::LazyLock;

use ab_glyph::{Font, FontRef, GlyphId, PxScale, ScaleFont, point};

/// A weight of the typeface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    Regular,
    Bold,
}

static REGULAR: LazyLock<Option<FontRef<'_>>> = LazyLock::new(|| read(notosans::REGULAR_TTF));
static BOLD: LazyLock<Option<FontRef<'_>>> = LazyLock::new(|| read(notosans::BOLD_TTF));

fn read(bytes: &'static [u8]) -> Option<FontRef<'static>> {
    FontRef::try_from_slice(bytes).ok()
}

fn face(weight: Weight) -> Option<&'static FontRef<'static>> {
    match weight {
        Weight::Regular => REGULAR.as_ref(),
        Weight::Bold => BOLD.as_ref(),
    }
}

/// Width of a text in a font of this size.
pub(super) fn width(text: &str, size: f64, weight: Weight) -> f64 {
    let Some(face) = face(weight) else { return 0.0 };
    f64::from(letters(face, text, size).last().map_or(0.0, |letter| letter.end))
}

/// Calls `dot` with the places of all pixels that a text covers and how much it covers of them. The
/// text starts at `x` on the base line `y`.
pub(super) fn draw<E>(
    text: &str,
    size: f64,
    weight: Weight,
    (x, y): (f64, f64),
    mut dot: impl FnMut((i32, i32), f64) -> Result<(), E>,
) -> Result<(), E> {
    let Some(face) = face(weight) else { return Ok(()) };
    for letter in letters(face, text, size) {
        let at = point(x as f32 + letter.start, y as f32);
        let Some(outline) =
            face.outline_glyph(letter.id.with_scale_and_position(scale(face, size), at))
        else {
            continue;
        };
        let corner = outline.px_bounds().min;
        let mut covered = Vec::new();
        outline.draw(|right, down, share| covered.push((right, down, share)));
        for (right, down, share) in covered {
            let place = (corner.x as i32 + right as i32, corner.y as i32 + down as i32);
            dot(place, f64::from(share))?;
        }
    }
    Ok(())
}

struct Letter {
    id: GlyphId,
    start: f32,
    end: f32,
}

fn letters(face: &'static FontRef<'static>, text: &str, size: f64) -> impl Iterator<Item = Letter> {
    let font = face.as_scaled(scale(face, size));
    let (mut end, mut before) = (0.0, None);
    text.chars().map(move |c| {
        let id = font.glyph_id(c);
        let start = end + before.map_or(0.0, |before| font.kern(before, id));
        end = start + font.h_advance(id);
        before = Some(id);
        Letter { id, start, end }
    })
}

/// The scale of `ab_glyph`, which is the height of a line.
fn scale(face: &FontRef<'_>, size: f64) -> PxScale {
    let line = face.height_unscaled() / face.units_per_em().unwrap_or(1000.0);
    PxScale::from(size as f32 * line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_weights_have_the_characters_that_charts_use() {
        for weight in [Weight::Regular, Weight::Bold] {
            for c in "0123456789 kMG.,()^–×±…†?%µāōŪśé·".chars() {
                assert_ne!(face(weight).unwrap().glyph_id(c), GlyphId(0), "{c:?} in {weight:?}");
            }
        }
    }

    #[test]
    fn letters_stand_on_the_base_line() {
        let (mut upper, mut lower) = (i32::MAX, i32::MIN);
        draw("L1", 20.0, Weight::Regular, (100.0, 50.0), |(x, y), share| {
            assert!(x >= 100 && f64::from(x) < 100.0 + width("L1", 20.0, Weight::Regular));
            if share > 0.5 {
                (upper, lower) = (upper.min(y), lower.max(y));
            }
            Ok::<(), ()>(())
        })
        .unwrap();
        // Capitals of Noto Sans are 0.714 of its size.
        assert_eq!((upper, lower), (36, 49));
    }

    #[test]
    fn widths_add_up_and_grow_with_size() {
        let one = width("8", 10.0, Weight::Regular);
        assert!(one > 4.0 && one < 7.0, "{one}");
        assert!((width("888", 20.0, Weight::Regular) - 6.0 * one).abs() < 1e-3);
        assert!(width("Connect", 10.0, Weight::Bold) > width("Connect", 10.0, Weight::Regular));
    }
}
