//! The board: cells, the lines between them, what lies on them, coordinates.

use std::fmt::Write;

use play::Player;
use play::picture::{Cell, Ground, Outline, Picture, Piece, file_and_rank};

use crate::glyphs::{is_flat, placed};
use crate::marks::Marks;
use crate::xml::{escaped, number};
use crate::{MARGIN, Options, WIDTH};

/// The largest cell.
const MAX_UNIT: f32 = 64.0;
/// The highest board.
const MAX_HEIGHT: f32 = 560.0;
/// The height of a spike, in cells.
const SPIKE: f32 = 5.0;
/// The most pieces of a stack that are drawn.
const MAX_STACK: usize = 5;

/// A board with the place and the size that it has in the picture.
pub(crate) struct Board<'p> {
    picture: &'p Picture,
    options: &'p Options<'p>,
    coordinates: Vec<(String, [f32; 2])>,
    /// True if cells have their names in them.
    names: bool,
    unit: f32,
    /// The least x and the greatest y that is drawn, in cells.
    left: f32,
    upper: f32,
    height: f32,
    indent: f32,
}

impl<'p> Board<'p> {
    /// The board of a picture that has one.
    pub(crate) fn new(picture: &'p Picture, options: &'p Options<'p>) -> Option<Board<'p>> {
        if picture.cells.is_empty() {
            return None;
        }
        let known = picture.coordinates().filter(|_| options.coordinates);
        let names = options.coordinates && known.is_none();
        let coordinates = known.unwrap_or_default();
        let mut bounds = [f32::INFINITY, f32::INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY];
        let mut take = |[x, y]: [f32; 2]| {
            bounds = [bounds[0].min(x), bounds[1].min(y), bounds[2].max(x), bounds[3].max(y)];
        };
        for cell in &picture.cells {
            corners(cell).into_iter().for_each(&mut take);
        }
        for cell in picture.cells.iter().filter(|_| names) {
            if let Outline::Spike(way) = cell.outline {
                take([cell.x, cell.y - 0.4 * f32::from(way)]);
            }
        }
        for (_, [x, y]) in &coordinates {
            [[-0.3, -0.3], [0.3, 0.3]].iter().for_each(|by| take([x + by[0], y + by[1]]));
        }
        let [left, lower, right, upper] = bounds;
        let (wide, high) = ((right - left).max(1.0), (upper - lower).max(1.0));
        if !wide.is_finite() || !high.is_finite() {
            return None;
        }
        let room = WIDTH - 2.0 * MARGIN;
        let unit = (room / wide).min(MAX_HEIGHT / high).min(MAX_UNIT);
        let (height, indent) = (unit * high + MARGIN, (room - unit * wide) / 2.0 + MARGIN);
        Some(Board { picture, options, coordinates, names, unit, left, upper, height, indent })
    }

    /// The height that it takes.
    pub(crate) fn height(&self) -> f32 {
        self.height
    }

    /// The board, drawn from a height on.
    pub(crate) fn drawn(&self, top: f32) -> String {
        let mut out = String::from("<g class=\"board\">\n");
        for &[a, b] in &self.picture.links {
            if let (Some(a), Some(b)) = (self.picture.cells.get(a), self.picture.cells.get(b)) {
                let ([x, y], [u, v]) = (self.at([a.x, a.y], top), self.at([b.x, b.y], top));
                let [x, y, u, v] = [x, y, u, v].map(number);
                let _ = writeln!(out, "<path class=\"link\" d=\"M{x} {y}L{u} {v}\"/>");
            }
        }
        let marks = Marks::new(self.picture, self.options);
        for (place, cell) in self.picture.cells.iter().enumerate() {
            out += &self.cell(place, cell, &marks, top);
        }
        let size = number((self.unit * 0.34).clamp(8.5, 14.0));
        for (name, at) in &self.coordinates {
            let [x, y] = self.at(*at, top).map(number);
            let name = escaped(name);
            let _ = writeln!(
                out,
                "<text class=\"coordinate\" font-size=\"{size}\" x=\"{x}\" y=\"{y}\">{name}</text>"
            );
        }
        out + "</g>\n"
    }

    /// A point of the picture.
    fn at(&self, [x, y]: [f32; 2], top: f32) -> [f32; 2] {
        [self.indent + (x - self.left) * self.unit, top + (self.upper - y) * self.unit]
    }

    fn cell(&self, place: usize, cell: &Cell, marks: &Marks, top: f32) -> String {
        let is_covered = cell.cover.hides(self.options.viewer);
        let classes = [
            (matches!(cell.outline, Outline::Vertex), " vertex"),
            (cell.ground == Ground::Plain && is_other(cell), " other"),
            (cell.ground == Ground::Marked, " marked"),
            (cell.ground == Ground::Spent, " spent"),
            (marks.last[place], " last"),
            (marks.origins[place], " from"),
            (marks.targets[place], " to"),
        ];
        let classes: String = classes.iter().filter(|it| it.0).map(|it| it.1).collect();
        let name = escaped(&cell.name);
        let mut out = format!("<g class=\"cell{classes}\" data-site=\"{name}\">");
        let said = if is_covered { "covered".to_owned() } else { named(&cell.pieces) };
        if !name.is_empty() || !said.is_empty() {
            let _ =
                write!(out, "<title>{}</title>", escaped(format!("{} {said}", cell.name).trim()));
        }
        let [x, y] = self.at([cell.x, cell.y], top);
        out += &self.ground(cell, [x, y], top);
        if is_covered {
            out += &format!("<path class=\"covered\" d=\"{}\"/>", self.outline(cell, top, 0.86));
        } else {
            out += &self.pieces(cell, [x, y]);
        }
        let is_spike = matches!(cell.outline, Outline::Spike(_));
        if self.names && (cell.pieces.is_empty() || is_covered || is_spike || self.unit > 30.0) {
            out += &self.name(cell, &name, [x, y]);
        }
        let [x, y] = [x, y].map(number);
        if marks.origins[place] {
            let r = number(self.unit * 0.44);
            let _ = write!(out, "<circle class=\"origin\" cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/>");
        }
        if marks.targets[place] {
            let r = number((self.unit * 0.13).max(2.0));
            let _ = write!(out, "<circle class=\"target\" cx=\"{x}\" cy=\"{y}\" r=\"{r}\"/>");
        }
        out + "</g>\n"
    }

    fn name(&self, cell: &Cell, name: &str, [x, y]: [f32; 2]) -> String {
        let size = (self.unit * 0.24).clamp(6.0, 11.0);
        let (x, y) = match cell.outline {
            Outline::Vertex if cell.pieces.is_empty() => {
                (x + self.unit * 0.26, y + self.unit * 0.34)
            }
            Outline::Vertex => (x + self.unit * 0.48, y + self.unit * 0.52),
            Outline::Spike(way) => (x, y + f32::from(way) * (size + 2.0) + size * 0.4),
            _ => (x, y + self.unit * 0.42),
        };
        let [x, y, size] = [x, y, size].map(number);
        format!("<text class=\"name\" font-size=\"{size}\" x=\"{x}\" y=\"{y}\">{name}</text>")
    }

    fn ground(&self, cell: &Cell, [x, y]: [f32; 2], top: f32) -> String {
        let [cx, cy, small, hit] =
            [x, y, (self.unit * 0.09).max(1.6), self.unit * 0.42].map(number);
        match cell.outline {
            Outline::Vertex => format!(
                "<circle class=\"hit\" cx=\"{cx}\" cy=\"{cy}\" r=\"{hit}\"/>\
                 <circle class=\"ground\" cx=\"{cx}\" cy=\"{cy}\" r=\"{small}\"/>"
            ),
            Outline::House => {
                let r = number(self.unit * 0.46);
                format!("<circle class=\"ground\" cx=\"{cx}\" cy=\"{cy}\" r=\"{r}\"/>")
            }
            _ => format!("<path class=\"ground\" d=\"{}\"/>", self.outline(cell, top, 1.0)),
        }
    }

    /// The outline as a path, smaller by a factor.
    fn outline(&self, cell: &Cell, top: f32, factor: f32) -> String {
        let mut path = String::new();
        for (at, [x, y]) in corners(cell).into_iter().enumerate() {
            let [x, y] = [cell.x + (x - cell.x) * factor, cell.y + (y - cell.y) * factor];
            let [x, y] = self.at([x, y], top).map(number);
            let _ = write!(path, "{}{x} {y}", if at == 0 { 'M' } else { 'L' });
        }
        path + "Z"
    }

    fn pieces(&self, cell: &Cell, [x, y]: [f32; 2]) -> String {
        let unit = self.unit;
        let size = match &cell.outline {
            Outline::Vertex => 0.84,
            Outline::Hexagon | Outline::FlatHexagon => 0.8,
            Outline::Polygon(corners) => 1.4 * inner_radius(cell, corners).clamp(0.1, 0.7),
            _ => 0.92,
        } * unit;
        match (&cell.outline, &cell.pieces[..]) {
            (Outline::Spike(way), pieces) => self.piled(pieces, f32::from(*way), [x, y]),
            (Outline::House, [seeds]) => self.seeds(seeds, [x, y]),
            (_, [only]) => placed(only, [x, y], size),
            (_, pieces) if pieces.iter().all(is_flat) => {
                let shown = &pieces[pieces.len().saturating_sub(MAX_STACK)..];
                let mut lift = size * 0.07 * (shown.len() - usize::from(!shown.is_empty())) as f32;
                let mut out = String::new();
                for (at, piece) in shown.iter().enumerate() {
                    let is_top = at + 1 == shown.len() && pieces.len() > 2;
                    let piece = if is_top {
                        piece.clone().times(pieces.len() as u32)
                    } else {
                        piece.clone()
                    };
                    out += &placed(&piece, [x, y + lift], size * 0.86);
                    lift -= size * 0.14;
                }
                out
            }
            (_, pieces) => {
                // Side by side.
                let shown = pieces.iter().take(4).enumerate();
                let place = |(at, piece): (usize, &Piece)| {
                    let across = [-0.24, 0.24][at % 2] * size;
                    let down = if pieces.len() < 3 { 0.0 } else { [-0.24, 0.24][at / 2] * size };
                    placed(piece, [x + across, y + down], size * 0.5)
                };
                shown.map(place).collect()
            }
        }
    }

    /// Pieces on a spike, from its base on.
    fn piled(&self, pieces: &[Piece], way: f32, [x, y]: [f32; 2]) -> String {
        let mut out = String::new();
        let mut at = 0.5;
        for piece in pieces {
            let shown = piece.count.clamp(1, SPIKE as u32);
            for number in 0..shown {
                let is_last = number + 1 == shown && piece.count > SPIKE as u32;
                let piece = if is_last { piece.clone() } else { piece.clone().times(1) };
                out += &placed(&piece, [x, y - way * at * self.unit * 0.92], self.unit * 0.98);
                at += 1.0;
            }
        }
        out
    }

    /// The seeds of a house: so many, and their number.
    fn seeds(&self, seeds: &Piece, [x, y]: [f32; 2]) -> String {
        const MOST: u32 = 12;
        let mut out = String::new();
        for seed in 0..seeds.count.min(MOST) {
            // The spiral of a sunflower, in which seeds are evenly apart.
            let away = self.unit * 0.095 * (f32::from(seed as u16) + 0.4).sqrt();
            let (sine, cosine) = (2.399_963 * seed as f32).sin_cos();
            let at = [x + away * cosine, y - self.unit * 0.08 + away * sine];
            out += &placed(&seeds.clone().times(1), at, self.unit * 0.2);
        }
        let size = number(self.unit * 0.26);
        let [x, y] = [x, y + self.unit * 0.36].map(number);
        let _ = write!(
            out,
            "<text class=\"sign\" font-size=\"{size}\" x=\"{x}\" y=\"{y}\">{}</text>",
            seeds.count
        );
        out
    }
}

/// True for every second square of a board of squares.
fn is_other(cell: &Cell) -> bool {
    let odd = |(file, rank): (u32, u32)| (file + rank) % 2 == 0;
    match cell.outline {
        Outline::Square => file_and_rank(&cell.name).is_some_and(odd),
        Outline::Spike(_) => cell.x.round().rem_euclid(2.0) == 0.0,
        _ => false,
    }
}

/// The corners of a cell.
fn corners(cell: &Cell) -> Vec<[f32; 2]> {
    let around = |first: f32| {
        let corner = move |n: u8| {
            let (sine, cosine) = (first + 60.0 * f32::from(n)).to_radians().sin_cos();
            [cell.x + cosine / 3f32.sqrt(), cell.y + sine / 3f32.sqrt()]
        };
        (0..6).map(corner).collect()
    };
    let by = |all: &[[f32; 2]]| all.iter().map(|[x, y]| [cell.x + x, cell.y + y]).collect();
    match &cell.outline {
        Outline::Square | Outline::Vertex | Outline::House => {
            by(&[[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
        }
        Outline::Hexagon => around(30.0),
        Outline::FlatHexagon => around(0.0),
        Outline::Polygon(corners) => corners.clone(),
        Outline::Spike(way) => by(&[[-0.5, 0.0], [0.5, 0.0], [0.0, SPIKE * f32::from(*way)]]),
    }
}

/// The distance from the centre of a cell to the nearest middle of a side.
fn inner_radius(cell: &Cell, corners: &[[f32; 2]]) -> f32 {
    let next = corners.iter().cycle().skip(1);
    let middle = |(a, b): (&[f32; 2], &[f32; 2])| [(a[0] + b[0]) / 2.0, (a[1] + b[1]) / 2.0];
    let away = |[x, y]: [f32; 2]| (x - cell.x).hypot(y - cell.y);
    corners.iter().zip(next).map(middle).map(away).fold(f32::INFINITY, f32::min)
}

/// Pieces in words.
pub(crate) fn named(pieces: &[Piece]) -> String {
    let word = |piece: &Piece| {
        let owner = piece.owner.map(|Player(player)| format!("player {} ", player + 1));
        let count = if piece.count == 1 { String::new() } else { format!("{} ", piece.count) };
        format!("{}{count}{}", owner.unwrap_or_default(), piece.kind)
    };
    pieces.iter().map(word).collect::<Vec<_>>().join(", ")
}
