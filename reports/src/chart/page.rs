//! The page that a chart is drawn on: its size, its type, and how it becomes files.

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::element::{PathElement, Rectangle, Text};
use plotters::style::{Color, FontDesc, FontFamily, FontStyle, RGBColor, TextStyle};
use plotters_backend::text_anchor::{HPos, Pos, VPos};

use super::Picture;
use super::backend::Both;
use super::font::{self, Weight};
use super::theme;
pub(super) use super::theme::{FAINT, GRID, INK, MUTED, PAPER};
use crate::Error;
use crate::text::printable;

/// The area that charts draw on. Its coordinates are [`dots`].
pub(super) type Area<'b> = DrawingArea<Both<'b>, Shift>;
/// The result of drawing.
pub(super) type Drawn = Result<(), DrawingAreaErrorKind<std::io::Error>>;

/// Width of every page, pixels.
pub(super) const WIDTH: f64 = 1000.0;
/// Room at its edges.
pub(super) const MARGIN: f64 = 20.0;
/// Dots a pixel: images are sharp on dense screens and in print, and an SVG is laid out in half
/// pixels.
const DENSITY: f64 = 2.0;
/// The typeface of charts: embedded for images, asked for by name in an SVG, with others in its
/// place that are hardly wider.
const FAMILY: &str = "Noto Sans, Open Sans, Arial, sans-serif";
/// The factor by which a text may be wider in the typeface of a reader.
const WIDER: f64 = 1.1;

/// A length or place in the whole dots of a drawing area, from pixels; what is no number is 0.
pub(super) fn dots(pixels: f64) -> i32 {
    (pixels * DENSITY).round() as i32
}

/// A place in pixels, from dots.
pub(super) fn pixels((x, y): (i32, i32)) -> (f64, f64) {
    (f64::from(x) / DENSITY, f64::from(y) / DENSITY)
}

/// The typeface, size and colour of a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Type {
    /// Size of the font, pixels.
    pub(super) size: f64,
    pub(super) bold: bool,
    pub(super) colour: RGBColor,
}

pub(super) const LABEL: Type = Type { size: 12.5, bold: false, colour: INK };
pub(super) const HEADING: Type = Type { bold: true, ..LABEL };
pub(super) const REMARK: Type = Type { size: 12.0, bold: false, colour: MUTED };
pub(super) const SMALL: Type = Type { size: 11.0, bold: false, colour: INK };

impl Type {
    fn font(self) -> FontDesc<'static> {
        let style = if self.bold { FontStyle::Bold } else { FontStyle::Normal };
        FontDesc::new(FontFamily::Name(FAMILY), self.size * DENSITY, style)
    }

    /// The style that `plotters` takes, with the anchor at the middle of a line.
    fn style(self, across: HPos) -> TextStyle<'static> {
        let pos = Pos::new(across, VPos::Center);
        TextStyle { font: self.font(), color: self.colour.to_backend_color(), pos }
    }

    /// The room that a text takes, pixels.
    pub(super) fn width(self, text: &str) -> f64 {
        let weight = if self.bold { Weight::Bold } else { Weight::Regular };
        WIDER * font::width(text, self.size, weight)
    }

    /// The text, or as much of it as fits with an ellipsis.
    pub(super) fn fit(self, text: &str, width: f64) -> String {
        // Nothing that is wider than a page is measured.
        let mut kept: Vec<char> = text.chars().take(400).collect();
        let whole = kept.len() == text.chars().count();
        if whole && self.width(text) <= width {
            return text.to_owned();
        }
        while kept.pop().is_some() {
            let shorter = kept.iter().collect::<String>().trim_end().to_owned() + "…";
            if self.width(&shorter) <= width {
                return shorter;
            }
        }
        String::new()
    }
}

/// Writes a text at a place in pixels: the middle of its capitals stands at that height.
pub(super) fn write(
    area: &Area<'_>,
    (x, y): (f64, f64),
    across: HPos,
    how: Type,
    text: &str,
) -> Drawn {
    if text.is_empty() {
        return Ok(());
    }
    let style = how.style(across);
    area.draw(&Text::new(text.to_owned(), (dots(x), dots(y)), style))
}

/// Draws a straight line between two places in pixels.
pub(super) fn line(
    area: &Area<'_>,
    from: (f64, f64),
    to: (f64, f64),
    width: f64,
    colour: RGBColor,
) -> Drawn {
    let ends = [from, to].map(|(x, y)| (dots(x), dots(y)));
    area.draw(&PathElement::new(ends, colour.stroke_width(dots(width).max(1) as u32)))
}

/// Fills a rectangle, given by two corners in pixels.
pub(super) fn fill(area: &Area<'_>, from: (f64, f64), to: (f64, f64), colour: RGBColor) -> Drawn {
    let corners = [from, to].map(|(x, y)| (dots(x), dots(y)));
    area.draw(&Rectangle::new(corners, colour.filled()))
}

/// Draws a picture [`WIDTH`] wide and so many pixels high.
pub(super) fn picture(
    name: &str,
    title: &str,
    height: f64,
    draw: impl FnOnce(&Area<'_>) -> Drawn,
) -> Result<Picture, Error> {
    let size = (dots(WIDTH) as u32, dots(height) as u32);
    let mut svg = String::new();
    let mut rgb = vec![0xff; 3 * size.0 as usize * size.1 as usize];
    {
        let area = Both::new(&mut svg, &mut rgb, size).into_drawing_area();
        area.fill(&PAPER)
            .and_then(|()| draw(&area))
            .and_then(|()| area.present())
            .map_err(|error| Error::Draw(format!("{name}: {error}")))?;
    }
    let title = printable(title).into_owned();
    Ok(Picture {
        name: name.to_owned(),
        svg: framed(&svg, &title, size),
        png: encoded(&rgb, size).map_err(|error| Error::Draw(format!("{name}: {error}")))?,
        title,
    })
}

/// The SVG with its size in pixels instead of dots, a title for readers who cannot see it, and its
/// colours for dark screens.
fn framed(svg: &str, title: &str, (width, height): (u32, u32)) -> String {
    let body = svg.split_once('>').map_or(svg, |(_, body)| body);
    let title = title.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let (across, down) = (f64::from(width) / DENSITY, f64::from(height) / DENSITY);
    let style = theme::style();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{across}\" height=\"{down}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>{title}</title>\
         <style>{style}</style>{body}"
    )
}

fn encoded(rgb: &[u8], (width, height): (u32, u32)) -> Result<Vec<u8>, png::EncodingError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    // Areas of one colour are smallest, and soonest written, without a filter.
    encoder.set_filter(png::Filter::NoFilter);
    encoder.write_header()?.write_image_data(rgb)?;
    Ok(bytes)
}
