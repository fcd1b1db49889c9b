//! A backend for `plotters` that passes all it is told to two others, so that a chart is drawn once
//! and is an SVG and an image of the same layout.

use std::error::Error;
use std::io;

use plotters::backend::{BitMapBackend, SVGBackend};
use plotters_backend::text_anchor::{HPos, Pos, VPos};
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind,
    FontFamily, FontStyle, FontTransform,
};

use super::font::{self, Weight};

/// The divisor that `plotters` applies to the size of a text in an SVG, as it takes sizes for
/// heights of lines.
const SVG_LINE: f64 = 1.24;
/// From the middle of the capitals of Noto Sans down to the base line, in sizes of the font.
const HALF_CAPITAL: f64 = 0.357;
/// Half the height of its lower-case letters, which is where an SVG of `plotters` centres a text.
const HALF_EX: f64 = 0.268;

type Drawn = Result<(), DrawingErrorKind<io::Error>>;

/// Vector and pixel graphics at once. The middle of a text's capitals stands at the anchor's
/// height, in both; texts are not turned.
pub(super) struct Both<'b> {
    svg: SVGBackend<'b>,
    pixels: BitMapBackend<'b>,
}

impl<'b> Both<'b> {
    /// Writes into `svg`, and into `pixels`, which has three bytes a pixel.
    pub(super) fn new(svg: &'b mut String, pixels: &'b mut [u8], size: (u32, u32)) -> Self {
        Self {
            svg: SVGBackend::with_string(svg, size),
            pixels: BitMapBackend::with_buffer(pixels, size),
        }
    }
}

/// The same error with the type of error that the two have in common.
fn common<E: Error + Send + Sync>(error: DrawingErrorKind<E>) -> DrawingErrorKind<io::Error> {
    match error {
        DrawingErrorKind::DrawingError(error) => {
            DrawingErrorKind::DrawingError(io::Error::other(error.to_string()))
        }
        DrawingErrorKind::FontError(error) => DrawingErrorKind::FontError(error),
    }
}

impl DrawingBackend for Both<'_> {
    type ErrorType = io::Error;

    fn get_size(&self) -> (u32, u32) {
        self.svg.get_size()
    }

    fn ensure_prepared(&mut self) -> Drawn {
        self.svg.ensure_prepared()?;
        self.pixels.ensure_prepared().map_err(common)
    }

    fn present(&mut self) -> Drawn {
        self.svg.present()?;
        self.pixels.present().map_err(common)
    }

    fn draw_pixel(&mut self, point: BackendCoord, color: BackendColor) -> Drawn {
        self.svg.draw_pixel(point, color)?;
        self.pixels.draw_pixel(point, color).map_err(common)
    }

    fn draw_line<S: BackendStyle>(
        &mut self,
        from: BackendCoord,
        to: BackendCoord,
        style: &S,
    ) -> Drawn {
        self.svg.draw_line(from, to, style)?;
        self.pixels.draw_line(from, to, style).map_err(common)
    }

    fn draw_rect<S: BackendStyle>(
        &mut self,
        upper_left: BackendCoord,
        bottom_right: BackendCoord,
        style: &S,
        fill: bool,
    ) -> Drawn {
        self.svg.draw_rect(upper_left, bottom_right, style, fill)?;
        self.pixels.draw_rect(upper_left, bottom_right, style, fill).map_err(common)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        path: I,
        style: &S,
    ) -> Drawn {
        let path: Vec<BackendCoord> = path.into_iter().collect();
        self.svg.draw_path(path.iter().copied(), style)?;
        self.pixels.draw_path(path, style).map_err(common)
    }

    fn draw_circle<S: BackendStyle>(
        &mut self,
        center: BackendCoord,
        radius: u32,
        style: &S,
        fill: bool,
    ) -> Drawn {
        self.svg.draw_circle(center, radius, style, fill)?;
        self.pixels.draw_circle(center, radius, style, fill).map_err(common)
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(
        &mut self,
        vert: I,
        style: &S,
    ) -> Drawn {
        let path: Vec<BackendCoord> = vert.into_iter().collect();
        self.svg.fill_polygon(path.iter().copied(), style)?;
        self.pixels.fill_polygon(path, style).map_err(common)
    }

    fn draw_text<S: BackendTextStyle>(
        &mut self,
        text: &str,
        style: &S,
        pos: BackendCoord,
    ) -> Drawn {
        let size = style.size();
        let down = ((HALF_CAPITAL - HALF_EX) * size).round() as i32;
        let larger = Enlarged { style, size: size * SVG_LINE };
        self.svg.draw_text(text, &larger, (pos.0, pos.1 + down))?;
        // `plotters` would put every letter on a whole pixel and leave out the room before it.
        let weight = match style.style() {
            FontStyle::Bold => Weight::Bold,
            _ => Weight::Regular,
        };
        let before = match style.anchor().h_pos {
            HPos::Left => 0.0,
            HPos::Center => 0.5,
            HPos::Right => 1.0,
        };
        let start = f64::from(pos.0) - before * font::width(text, size, weight);
        let base = f64::from(pos.1) + (HALF_CAPITAL * size).round();
        let colour = style.color();
        font::draw(text, size, weight, (start, base), |point, share| {
            self.pixels.draw_pixel(point, colour.mix(share.clamp(0.0, 1.0)))
        })
        .map_err(common)
    }
}

/// A style of text in another size, centred on its anchor's height.
struct Enlarged<'s, S> {
    style: &'s S,
    size: f64,
}

impl<S: BackendTextStyle> BackendTextStyle for Enlarged<'_, S> {
    type FontError = S::FontError;

    fn color(&self) -> BackendColor {
        self.style.color()
    }

    fn size(&self) -> f64 {
        self.size
    }

    fn transform(&self) -> FontTransform {
        self.style.transform()
    }

    fn style(&self) -> FontStyle {
        self.style.style()
    }

    fn anchor(&self) -> Pos {
        Pos::new(self.style.anchor().h_pos, VPos::Center)
    }

    fn family(&self) -> FontFamily<'_> {
        self.style.family()
    }

    fn layout_box(&self, text: &str) -> Result<((i32, i32), (i32, i32)), Self::FontError> {
        self.style.layout_box(text)
    }

    fn draw<E, F: FnMut(i32, i32, BackendColor) -> Result<(), E>>(
        &self,
        text: &str,
        pos: BackendCoord,
        draw: F,
    ) -> Result<Result<(), E>, Self::FontError> {
        self.style.draw(text, pos, draw)
    }
}
