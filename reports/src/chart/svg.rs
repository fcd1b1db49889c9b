//! A scene as SVG.

use std::fmt::Write as _;

use super::font;
use super::scene::{Anchor, Item, Scene, Weight};
use super::theme::{Colour, Paint, Theme};

/// The scene as a standalone SVG document. Text stays text, to be searched and copied; where the reader lacks the font, `textLength` keeps another one inside the layout.
pub fn svg(scene: &Scene, theme: &Theme) -> String {
    let (width, height) = (number(scene.width), number(scene.height));
    let description = escape(&scene.description);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" font-family=\"'Noto Sans','DejaVu Sans',Verdana,sans-serif\">\n<title>{description}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>\n",
        hex(theme, Paint::Paper)
    );
    for item in &scene.items {
        let _ = match item {
            Item::Rect { x, y, width, height, fill } => writeln!(
                out,
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>",
                number(*x),
                number(*y),
                number(*width),
                number(*height),
                hex(theme, *fill)
            ),
            Item::Line { from, to, width, stroke } => writeln!(
                out,
                "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{}\" stroke-width=\"{}\"/>",
                number(from.0),
                number(from.1),
                number(to.0),
                number(to.1),
                hex(theme, *stroke),
                number(*width)
            ),
            Item::Text { at, anchor, size, weight, fill, text } => {
                let anchor = match anchor {
                    Anchor::Start => "",
                    Anchor::Middle => " text-anchor=\"middle\"",
                    Anchor::End => " text-anchor=\"end\"",
                };
                let bold = if *weight == Weight::Bold { " font-weight=\"bold\"" } else { "" };
                writeln!(
                    out,
                    "<text x=\"{}\" y=\"{}\" font-size=\"{}\" fill=\"{}\"{anchor}{bold} textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\">{}</text>",
                    number(at.0),
                    number(at.1),
                    number(*size),
                    hex(theme, *fill),
                    number(font::width(text, *size, *weight)),
                    escape(text)
                )
            }
        };
    }
    out.push_str("</svg>\n");
    out
}

/// Two decimals at most: a hundredth of a unit is finer than any screen.
fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn hex(theme: &Theme, paint: Paint) -> String {
    let Colour(red, green, blue) = theme.colour(paint);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Text for an XML document, without the control characters that it may not hold.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars().filter(|c| !c.is_control()) {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::scene::Type;

    #[test]
    fn hostile_text_stays_text() {
        let mut scene = Scene::new(10.0, "a < b & \"c\"");
        scene.height = 5.0;
        scene.text(
            (1.0, 2.0),
            Anchor::End,
            Type::new(3.0, Weight::Regular, Paint::Ink),
            "</text><script>\u{1}",
        );
        let text = svg(&scene, &Theme::LIGHT);
        assert!(text.contains("<title>a &lt; b &amp; &quot;c&quot;</title>"), "{text}");
        assert!(text.contains(">&lt;/text&gt;&lt;script&gt;</text>"), "{text}");
    }
}
