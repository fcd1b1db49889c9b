//! A scene as PNG.

use tiny_skia::{FillRule, PathBuilder, Pixmap, Rect, Stroke, Transform};

use super::font;
use super::scene::{Item, Scene};
use super::theme::{Colour, Paint, Theme};
use crate::Error;

/// The scene as a PNG image with `scale` pixels a unit.
pub fn png(scene: &Scene, theme: &Theme, scale: f64) -> Result<Vec<u8>, Error> {
    let (width, height) = ((scene.width * scale).ceil(), (scene.height * scale).ceil());
    let too_large = || Error::Draw(format!("an image of {width} by {height} pixels"));
    let mut pixels = Pixmap::new(width as u32, height as u32).ok_or_else(too_large)?;
    let Colour(red, green, blue) = theme.colour(Paint::Paper);
    pixels.fill(tiny_skia::Color::from_rgba8(red, green, blue, 0xff));
    for item in &scene.items {
        draw(item, theme, scale, &mut pixels);
    }
    pixels.encode_png().map_err(|error| Error::Draw(error.to_string()))
}

/// Draws one mark; a mark without extent draws nothing.
fn draw(item: &Item, theme: &Theme, scale: f64, pixels: &mut Pixmap) {
    let at = |value: f64| (value * scale) as f32;
    match item {
        Item::Rect { x, y, width, height, fill } => {
            // On whole pixels, so that edges are crisp.
            let edge = |value: f64| at(value).round();
            if let Some(rect) =
                Rect::from_ltrb(edge(*x), edge(*y), edge(x + width), edge(y + height))
            {
                pixels.fill_rect(rect, &paint(theme, *fill), Transform::identity(), None);
            }
        }
        Item::Line { from, to, width, stroke } => {
            let mut path = PathBuilder::new();
            path.move_to(at(from.0), at(from.1));
            path.line_to(at(to.0), at(to.1));
            let line = Stroke { width: at(*width), ..Stroke::default() };
            if let Some(path) = path.finish() {
                pixels.stroke_path(
                    &path,
                    &paint(theme, *stroke),
                    &line,
                    Transform::identity(),
                    None,
                );
            }
        }
        Item::Text { at: (x, y), anchor, size, weight, fill, text } => {
            let start = x - anchor.share() * font::width(text, *size, *weight);
            let mut path = PathBuilder::new();
            font::outline(text, (start * scale, y * scale), size * scale, *weight, &mut path);
            if let Some(path) = path.finish() {
                let transform = Transform::identity();
                pixels.fill_path(&path, &paint(theme, *fill), FillRule::Winding, transform, None);
            }
        }
    }
}

fn paint(theme: &Theme, of: Paint) -> tiny_skia::Paint<'static> {
    let Colour(red, green, blue) = theme.colour(of);
    let mut paint = tiny_skia::Paint::default();
    paint.set_color_rgba8(red, green, blue, 0xff);
    paint
}
