//! Boards in text: rows with coordinates if the sites form a grid, a list of sites otherwise.
//! Drawings are bounded for all rules.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use play::picture::{Cell, Outline, Picture, ROW, fold};

use crate::description::{Board, Shape};

/// Most rows (over all layers), and most columns, that are drawn.
const MAX_SIDE: usize = 64;
/// Most cells of a picture.
const MAX_PICTURED: usize = 4096;
/// Most sites that are listed if there is no grid.
const MAX_LISTED: usize = 400;
/// Longest name of a piece or a site that is written out.
const MAX_NAME: usize = 24;
/// Most entries of a legend.
const MAX_LEGEND: usize = 64;

/// The form in which the board of a game is drawn.
pub(crate) struct Drawing {
    lines: Vec<Line>,
    /// The sign of each piece.
    signs: Vec<String>,
    legend: String,
    width: usize,
}

/// One line of a drawing.
enum Line {
    Text(String),
    /// Text before the row, the vertices or gaps in it, and text after it.
    Row(String, Vec<Option<usize>>, String),
    /// A site by its name.
    Site(String, usize),
}

impl Drawing {
    /// `squares` has the coordinates of each vertex.
    pub(crate) fn new(board: &Board, pieces: &[String], squares: &[String]) -> Drawing {
        let signs = signs(pieces);
        let legend: Vec<String> = pieces
            .iter()
            .zip(&signs)
            .filter(|(piece, sign)| piece != sign && *sign != ".")
            .map(|(piece, sign)| format!("{sign} {}", cut(piece)))
            .take(MAX_LEGEND)
            .collect();
        let mut width = signs.iter().map(|sign| sign.chars().count()).max().unwrap_or(1);
        let lines = match board.shape {
            Shape::Graph => match named_grid(squares) {
                Some(grid) => rows(&grid, &mut width),
                None => list(squares),
            },
            Shape::Rectangle => {
                let height = usize::from(board.places.iter().map(|p| p.1).max().unwrap_or(0));
                let place =
                    |&(x, y, _): &(u16, u16, u16)| (height - usize::from(y), usize::from(x));
                rows(&board.places.iter().map(place).zip(0..).collect(), &mut width)
            }
            Shape::Cuboid => layers(board, &mut width),
            Shape::Hexagon => hexagon(board, squares, width),
        };
        Drawing { lines, signs, legend: legend.join(", "), width }
    }

    /// True if a piece stands for an empty square.
    pub(crate) fn is_empty(&self, piece: usize) -> bool {
        self.signs.get(piece).is_some_and(|sign| sign == ".")
    }

    /// The board with these pieces, by vertex, and the legend.
    pub(crate) fn board(&self, piece: impl Fn(usize) -> usize) -> String {
        let sign = |vertex: usize| self.signs.get(piece(vertex)).map_or("?", String::as_str);
        let (mut out, width) = (String::new(), self.width);
        for line in &self.lines {
            match line {
                Line::Text(text) => out += text,
                Line::Site(name, vertex) => {
                    let _ = write!(out, "{name}: {}", sign(*vertex));
                }
                Line::Row(before, vertices, after) => {
                    out += before;
                    for vertex in vertices {
                        let _ = write!(out, " {:<width$}", vertex.map_or("", sign));
                    }
                    let _ = write!(out, " {after}");
                }
            }
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
        }
        if !self.legend.is_empty() {
            out += &self.legend;
            out.push('\n');
        }
        out
    }
}

/// The cells of a board, empty: those of a grid as squares or hexagons; those of a graph on a
/// circle, with its lines.
pub(crate) fn picture(board: &Board, squares: &[String]) -> Picture {
    let height = board.places.iter().map(|place| place.1).max().unwrap_or(0);
    let files = board.places.iter().map(|place| place.0).max().unwrap_or(0);
    let grid = match board.shape {
        Shape::Graph => named_grid(squares),
        _ => None,
    };
    let at = |vertex: usize| {
        let (x, y, z) = board.places.get(vertex).copied().unwrap_or_default();
        let up = f32::from(height - y.min(height));
        match board.shape {
            Shape::Rectangle => [f32::from(x), up],
            // Layers stand beside each other.
            Shape::Cuboid => [f32::from(x) + f32::from(z) * f32::from(files + 2), up],
            Shape::Hexagon => {
                // Rows grow up to the peak, each by half a cell to the left, and shrink then.
                let indent = f32::from(y.abs_diff(board.peak)) / 2.0;
                [f32::from(x) + indent, up * ROW]
            }
            Shape::Graph => {
                let angle = std::f32::consts::TAU * vertex as f32 / squares.len().max(1) as f32;
                let (sine, cosine) = angle.sin_cos();
                let away = (squares.len() as f32 / std::f32::consts::TAU).max(1.0);
                [away * sine, away * cosine]
            }
        }
    };
    let shown = squares.iter().take(MAX_PICTURED).enumerate();
    let cells = shown.map(|(vertex, name)| {
        let outline = match board.shape {
            Shape::Hexagon => Outline::Hexagon,
            Shape::Graph => Outline::Vertex,
            Shape::Rectangle | Shape::Cuboid => Outline::Square,
        };
        Cell::new(cut(name), at(vertex), outline)
    });
    let mut cells: Vec<Cell> = cells.collect();
    for (&(rank, file), &vertex) in grid.iter().flatten() {
        if let Some(cell) = cells.get_mut(vertex) {
            (cell.x, cell.y) = (file as f32, rank as f32);
        }
    }
    let (mut ways, mut links) = (BTreeSet::new(), Vec::new());
    if board.shape == Shape::Graph {
        for label in &board.next {
            let steps = label.iter().enumerate().filter_map(|(from, to)| Some((from, (*to)?)));
            steps.for_each(|(from, to)| {
                ways.insert([from, usize::from(to)]);
            });
        }
        // Steps that lead one way only, or across a grid, serve to walk over the board.
        let is_straight = |a: &Cell, b: &Cell| {
            let [dx, dy] = [(a.x - b.x).abs(), (a.y - b.y).abs()];
            grid.is_none() || dx.min(dy) < 0.1 || (dx - dy).abs() < 0.1
        };
        let is_line = |&&[a, b]: &&[usize; 2]| {
            let ends = cells.get(a).zip(cells.get(b));
            a < b && ways.contains(&[b, a]) && ends.is_some_and(|(a, b)| is_straight(a, b))
        };
        links.extend(ways.iter().filter(is_line));
    }
    fold(&mut cells);
    Picture { cells, links, ..Picture::default() }
}

/// Rows from the top, with the numbers of ranks before them and the letters of files below: the
/// vertex of each rank and file, counted from 0.
fn rows(grid: &BTreeMap<(usize, usize), usize>, width: &mut usize) -> Vec<Line> {
    let files = grid.keys().map(|at| at.1 + 1).max().unwrap_or(0);
    let ranks = grid.keys().map(|at| at.0 + 1).max().unwrap_or(0);
    let shown = files.min(MAX_SIDE);
    let names: Vec<String> = (0..shown).map(|x| file(x as u16)).collect();
    *width = (*width).max(names.iter().map(String::len).max().unwrap_or(1));
    let (margin, width) = (ranks.to_string().len(), *width);
    let mut lines = Vec::new();
    for rank in (0..ranks).rev().take(MAX_SIDE) {
        let vertices = (0..shown).map(|file| grid.get(&(rank, file)).copied()).collect();
        lines.push(Line::Row(format!("{:>margin$}", rank + 1), vertices, String::new()));
    }
    let names: String = names.iter().map(|name| format!(" {name:<width$}")).collect();
    lines.push(Line::Text(format!("{:margin$}{names}", "")));
    if files > MAX_SIDE || ranks > MAX_SIDE {
        lines.push(Line::Text(format!("(a part of {files} files and {ranks} ranks)")));
    }
    lines
}

/// The layers of a cuboid one below the other.
fn layers(board: &Board, width: &mut usize) -> Vec<Line> {
    let height = usize::from(board.places.iter().map(|p| p.1).max().unwrap_or(0));
    let mut layers: BTreeMap<u16, BTreeMap<(usize, usize), usize>> = BTreeMap::new();
    for (vertex, &(x, y, z)) in board.places.iter().enumerate() {
        layers.entry(z).or_default().insert((height - usize::from(y), usize::from(x)), vertex);
    }
    let mut lines = Vec::new();
    for (z, grid) in layers {
        if lines.len() > MAX_LISTED {
            lines.push(Line::Text("(and more layers)".to_owned()));
            break;
        }
        lines.push(Line::Text(format!("layer {}", z + 1)));
        lines.extend(rows(&grid, width));
    }
    lines
}

/// Rows from the top, each between the names of its first site and its last.
fn hexagon(board: &Board, squares: &[String], width: usize) -> Vec<Line> {
    let mut by_row: BTreeMap<u16, Vec<(u16, usize)>> = BTreeMap::new();
    for (vertex, &(x, y, _)) in board.places.iter().enumerate() {
        by_row.entry(y).or_default().push((x, vertex));
    }
    let longest = by_row.values().map(Vec::len).max().unwrap_or(0).min(MAX_SIDE);
    let margin = squares.iter().map(String::len).max().unwrap_or(1).min(MAX_NAME);
    let total = by_row.len();
    let mut lines = Vec::new();
    for (_, mut row) in by_row.into_iter().take(MAX_SIDE) {
        row.sort_unstable();
        let name = |at: Option<&(u16, usize)>| {
            at.and_then(|&(_, vertex)| squares.get(vertex))
                .map_or_else(String::new, |name| cut(name))
        };
        let (first, last) = (name(row.first()), name(row.last()));
        let indent = (longest.saturating_sub(row.len())) * (width + 1) / 2;
        let before = format!("{:indent$}{first:>margin$}", "");
        let vertices = row.iter().take(MAX_SIDE).map(|&(_, vertex)| Some(vertex)).collect();
        lines.push(Line::Row(before, vertices, if first == last { String::new() } else { last }));
    }
    if total > MAX_SIDE {
        lines.push(Line::Text(format!("(the first of {total} rows)")));
    }
    lines
}

/// Every site with its piece.
fn list(squares: &[String]) -> Vec<Line> {
    let named = squares.iter().take(MAX_LISTED).enumerate();
    let mut lines: Vec<Line> = named.map(|(vertex, name)| Line::Site(cut(name), vertex)).collect();
    if squares.len() > MAX_LISTED {
        lines.push(Line::Text(format!("and {} more sites", squares.len() - MAX_LISTED)));
    }
    lines
}

/// The grid of sites whose names are all those of squares, as `a1`: the vertex of each rank and
/// file. `None` for other names, and if most of the grid would be empty.
fn named_grid(names: &[String]) -> Option<BTreeMap<(usize, usize), usize>> {
    let mut grid = BTreeMap::new();
    for (vertex, name) in names.iter().enumerate() {
        let mut signs = name.chars();
        let letter = signs.next().filter(char::is_ascii_lowercase)?;
        let rank: usize = signs.as_str().parse().ok().filter(|&rank| rank > 0)?;
        // `a01` is no name of the square `a1`.
        if signs.as_str() != rank.to_string() || rank > MAX_SIDE {
            return None;
        }
        grid.insert((rank - 1, letter as usize - 'a' as usize), vertex);
    }
    let (ranks, files) =
        (grid.keys().map(|at| at.0).max()? + 1, grid.keys().map(|at| at.1).max()? + 1);
    (grid.len() == names.len() && ranks * files <= 8 * names.len() && files > 1 && ranks > 1)
        .then_some(grid)
}

/// A sign for each piece: a dot for an empty square; the whole names if all are short, and
/// otherwise as many letters as distinguish each from the others.
fn signs(pieces: &[String]) -> Vec<String> {
    let empty = |piece: &String| {
        let empties = ["e", "empty", "blank", "nothing"];
        empties.iter().find(|&&name| pieces.iter().any(|p| p == name)) == Some(&piece.as_str())
    };
    let longest = pieces.iter().map(|piece| piece.chars().count()).max().unwrap_or(1);
    let start = if longest <= 2 { longest } else { 1 };
    for length in start..=longest.min(MAX_NAME) {
        let short: Vec<String> = pieces
            .iter()
            .map(|p| if empty(p) { ".".to_owned() } else { p.chars().take(length).collect() })
            .collect();
        if short.iter().collect::<BTreeSet<_>>().len() == pieces.len() {
            return short;
        }
    }
    (0..pieces.len()).map(|number| format!("#{number}")).collect()
}

/// The letters of a file: `a`, `b`, ... `z`, `aa`, `ab`, ...
pub(crate) fn file(x: u16) -> String {
    let letter = |n: u16| char::from(b'a' + (n % 26) as u8);
    if x < 26 { letter(x).to_string() } else { format!("{}{}", letter(x / 26 - 1), letter(x)) }
}

fn cut(name: &str) -> String {
    if name.chars().count() <= MAX_NAME {
        return name.to_owned();
    }
    name.chars().take(MAX_NAME).chain("...".chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(shape: Shape, sites: &[(&str, (u16, u16, u16))], pieces: &[&str], expected: Expect) {
        let squares: Vec<String> = sites.iter().map(|site| site.0.to_owned()).collect();
        let board = Board {
            names: squares.clone(),
            start: Vec::new(),
            labels: Vec::new(),
            next: Vec::new(),
            shape,
            places: sites.iter().map(|site| site.1).collect(),
            peak: 0,
        };
        let pieces: Vec<String> = pieces.iter().map(|&piece| piece.to_owned()).collect();
        let count = pieces.len();
        expected.assert_eq(&Drawing::new(&board, &pieces, &squares).board(|v| v % count));
    }

    #[test]
    fn rectangles_have_files_and_ranks() {
        let sites = [("a2", (0, 0, 0)), ("b2", (1, 0, 0)), ("a1", (0, 1, 0)), ("c1", (2, 1, 0))];
        check(
            Shape::Rectangle,
            &sites,
            &["empty", "pawn", "king", "knight"],
            expect![[r#"
            2 .  pa
            1 ki    kn
              a  b  c
            pa pawn, ki king, kn knight
        "#]],
        );
        check(
            Shape::Cuboid,
            &sites,
            &["e", "x"],
            expect![[r#"
                layer 1
                2 . x
                1 .   x
                  a b c
            "#]],
        );
        check(
            Shape::Hexagon,
            &sites,
            &["e", "x"],
            expect![[r#"
                a2 . x b2
                a1 . x c1
            "#]],
        );
    }

    #[test]
    fn graphs_of_squares_are_grids_and_others_lists() {
        let at = (0, 0, 0);
        let sites = [("b2", at), ("a1", at), ("c1", at)];
        check(
            Shape::Graph,
            &sites,
            &["e", "wp", "bp"],
            expect![[r#"
            2    .
            1 wp    bp
              a  b  c
        "#]],
        );
        check(
            Shape::Graph,
            &[("left", at), ("right", at)],
            &["e", "men"],
            expect![[r#"
            left: .
            right: m
            m men
        "#]],
        );
        check(
            Shape::Graph,
            &[("a01", at), ("b2", at)],
            &["e", "x"],
            expect![[r#"
                a01: .
                b2: x
            "#]],
        );
    }

    #[test]
    fn drawings_are_bounded() {
        let long = "x".repeat(5000);
        let pieces: Vec<String> = (0..200).map(|n| format!("{long}{n}")).collect();
        for shape in [Shape::Rectangle, Shape::Hexagon, Shape::Cuboid, Shape::Graph] {
            let places: Vec<(u16, u16, u16)> = (0..60_000)
                .map(|n| match shape {
                    Shape::Cuboid => (n % 3, n / 3 % 3, n / 9),
                    _ => (n % 300, n / 300, 0),
                })
                .collect();
            let squares: Vec<String> = (0..places.len()).map(|n| format!("{long}{n}")).collect();
            let board = Board {
                names: Vec::new(),
                start: Vec::new(),
                labels: Vec::new(),
                next: Vec::new(),
                shape,
                places,
                peak: 0,
            };
            let drawn = Drawing::new(&board, &pieces, &squares).board(|v| v % 200);
            assert!(drawn.len() < 60_000, "{shape:?}: {}", drawn.len());
        }
    }
}
