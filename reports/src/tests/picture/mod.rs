//! An SVG of a chart read back, to check what it shows.
#![allow(unreachable_pub, reason = "shared by test files")]

use ab_glyph::{Font as _, FontRef, PxScale, ScaleFont as _};

/// The parts of a picture, in the units of its coordinates.
pub struct Drawing {
    /// Height, pixels.
    pub height: f64,
    size: (f64, f64),
    pub texts: Vec<Text>,
    pub shapes: Vec<Shape>,
}

/// A line of text and the box round it, of the height of its capitals.
pub struct Text {
    pub words: String,
    pub left: f64,
    right: f64,
    /// The middle of its height.
    pub y: f64,
    half: f64,
}

/// A filled polygon or circle.
pub struct Shape {
    pub fill: String,
    pub points: Vec<(f64, f64)>,
}

impl Shape {
    /// Between its left and its right end.
    pub fn middle(&self) -> f64 {
        let of = |f: fn(f64, f64) -> f64, first| self.points.iter().map(|p| p.0).fold(first, f);
        f64::midpoint(of(f64::min, f64::INFINITY), of(f64::max, f64::NEG_INFINITY))
    }
}

impl Drawing {
    pub fn read(svg: &str) -> Self {
        let head = svg.lines().next().unwrap();
        let number = |tag: &str, name: &str| -> f64 { attribute(tag, name).parse().unwrap() };
        let height = number(head, "height");
        let mut drawing =
            Self { height, size: (2000.0, 2.0 * height), texts: Vec::new(), shapes: Vec::new() };
        assert_eq!(attribute(head, "viewBox"), format!("0 0 2000 {}", 2.0 * height));
        for element in svg.split("\n<").skip(1) {
            let (tag, rest) = element.split_once('>').unwrap();
            if tag.starts_with("text ") {
                drawing.texts.push(Text::read(tag, rest.trim()));
            } else if tag.starts_with("polygon ") {
                let points = attribute(tag, "points").split_whitespace().map(|point| {
                    let (x, y) = point.split_once(',').unwrap();
                    (x.parse().unwrap(), y.parse().unwrap())
                });
                let fill = attribute(tag, "fill").to_owned();
                drawing.shapes.push(Shape { fill, points: points.collect() });
            } else if tag.starts_with("circle ") {
                let (x, y, r) = (number(tag, "cx"), number(tag, "cy"), number(tag, "r"));
                let points = vec![(x - r, y), (x, y - r), (x + r, y), (x, y + r)];
                drawing.shapes.push(Shape { fill: attribute(tag, "fill").to_owned(), points });
            }
        }
        drawing
    }

    /// True if one of its texts is this.
    pub fn says(&self, text: &str) -> bool {
        self.texts.iter().any(|item| item.words == text)
    }

    /// True if this stands inside one of its texts.
    pub fn contains(&self, text: &str) -> bool {
        self.texts.iter().any(|item| item.words.contains(text))
    }

    /// Every mark lies inside the picture, and no text runs into another.
    pub fn check_layout(&self, name: &str) {
        let is_inside =
            |x: f64, y: f64| (0.0..=self.size.0).contains(&x) && (0.0..=self.size.1).contains(&y);
        assert!(self.texts.len() > 2, "{name} says next to nothing");
        for shape in &self.shapes {
            assert!(
                shape.points.iter().all(|&(x, y)| is_inside(x, y)),
                "{name}: a mark is outside"
            );
        }
        for (index, a) in self.texts.iter().enumerate() {
            let corners = is_inside(a.left, a.y - a.half) && is_inside(a.right, a.y + a.half);
            assert!(corners, "{name}: {:?} leaves the picture", a.words);
            for b in &self.texts[..index] {
                let apart =
                    a.right <= b.left || b.right <= a.left || (a.y - b.y).abs() >= a.half + b.half;
                assert!(apart, "{name}: {:?} and {:?} overlap", a.words, b.words);
            }
        }
    }

    /// The image decodes, has the right size, and shows ink as well as paper and more than a few
    /// colours.
    pub fn check_pixels(&self, name: &str, bytes: &[u8]) {
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((f64::from(info.width), f64::from(info.height)), self.size, "{name}");
        let mut colours: Vec<&[u8]> = pixels.chunks_exact(3).collect();
        let paper = colours.iter().filter(|&&colour| colour == [255; 3]).count();
        let share = paper as f64 / colours.len() as f64;
        assert!((0.1..0.999).contains(&share), "{name}: {share} of it is paper");
        colours.dedup(); // most of it is paper
        colours.sort_unstable();
        colours.dedup();
        assert!(colours.len() > 20, "{name} has {} colours", colours.len());
    }
}

impl Text {
    fn read(tag: &str, text: &str) -> Self {
        let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
        let text = text.replace("&apos;", "'").replace("&amp;", "&");
        let number = |name: &str| -> f64 { attribute(tag, name).parse().unwrap() };
        let (x, size) = (number("x"), number("font-size"));
        let width = width(&text, size, tag.contains("font-weight=\"bold\""));
        let left = match attribute(tag, "text-anchor") {
            "start" => x,
            "middle" => x - width / 2.0,
            _ => x - width,
        };
        // The base line lies half an x-height, which is 0.536 of the size, below `y`.
        let half = 0.357 * size;
        let y = number("y") + 0.268 * size - half;
        Self { words: text, left, right: left + width, y, half }
    }
}

fn width(text: &str, size: f64, bold: bool) -> f64 {
    let bytes = if bold { notosans::BOLD_TTF } else { notosans::REGULAR_TTF };
    let face = FontRef::try_from_slice(bytes).unwrap();
    let font = face.as_scaled(PxScale::from(1.362 * size as f32));
    text.chars().map(|c| f64::from(font.h_advance(font.glyph_id(c)))).sum()
}

fn attribute<'t>(tag: &'t str, name: &str) -> &'t str {
    let start = format!(" {name}=\"");
    let at = tag.find(&start).unwrap_or_else(|| panic!("no {name} in {tag}"));
    tag[at + start.len()..].split('"').next().unwrap()
}
