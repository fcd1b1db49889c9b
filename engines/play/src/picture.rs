//! Pictures of positions as values: which cells a board has and where, what lies on them, what
//! lies beside the board. Renderers make texts and graphics of them.

mod kinds;
mod text;

use std::collections::BTreeMap;
use std::ops::Range;

use crate::scores::{Player, Turn};

pub use kinds::{Words as PieceWords, number_of};

/// Most lines of notes that a picture takes.
const MAX_NOTES: usize = 200;

/// What a position looks like.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Picture {
    /// The cells of the board, none for games without one.
    pub cells: Vec<Cell>,
    /// The lines between cells, each as the places of its two ends in [`Picture::cells`].
    pub links: Vec<[usize; 2]>,
    /// What lies beside the board: hands, dice, stakes.
    pub trays: Vec<Tray>,
    /// Everything else, in lines of text.
    pub notes: Vec<String>,
    /// Who acts; `None` where nobody has said so.
    pub turn: Option<Turn>,
    /// True if players do not see everything: then notes, and cells that nobody covered, may tell
    /// what one of them does not know.
    pub hidden: bool,
}

/// A place for pieces.
#[derive(Clone, PartialEq, Debug)]
pub struct Cell {
    /// The name that labels of actions have for it; empty for cells that no action names.
    pub name: String,
    /// The centre, in cells to the right.
    pub x: f32,
    /// The centre, in cells upwards.
    pub y: f32,
    /// The form.
    pub outline: Outline,
    /// The ground.
    pub ground: Ground,
    /// The pieces, from the bottom to the top.
    pub pieces: Vec<Piece>,
    /// What stands for all of it in a text.
    pub sign: String,
    /// Who does not see what lies there.
    pub cover: Cover,
}

/// The form of a cell.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Outline {
    /// A square with sides of length 1.
    #[default]
    Square,
    /// A hexagon between the left and the right neighbour, which are 1 away; corners at the top
    /// and at the bottom.
    Hexagon,
    /// The same, turned: the neighbours above and below are 1 away.
    FlatHexagon,
    /// A point, where lines meet.
    Vertex,
    /// A polygon, by its corners.
    Polygon(Vec<[f32; 2]>),
    /// A tall triangle from its base, with this sign: upwards (1), or downwards (-1). As on boards
    /// of backgammon.
    Spike(i8),
    /// A round hollow.
    House,
}

/// The ground of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Ground {
    /// As of most cells.
    #[default]
    Plain,
    /// Told apart by the rules: castles, crosscuts, goals.
    Marked,
    /// Nothing can lie there any more, as what was burnt or walked over.
    Spent,
}

/// The players who do not see what lies on a cell.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Cover {
    /// All see it.
    #[default]
    Open,
    /// These do not.
    From(Vec<Player>),
    /// No player does.
    Closed,
}

impl Cover {
    /// True if it hides what lies there from a player; without one, from all.
    pub fn hides(&self, viewer: Option<Player>) -> bool {
        match (self, viewer) {
            (Cover::Open, _) | (Cover::From(_), None) => false,
            (Cover::From(players), Some(player)) => players.contains(&player),
            (Cover::Closed, _) => true,
        }
    }
}

/// A piece, or several of the same kind.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Piece {
    /// Whose it is.
    pub owner: Option<Player>,
    /// The kind in lower case: `disc`, `king`, a number, a letter, or any other word.
    pub kind: String,
    /// The number of them; 1 shows no number, 0 one that is nought.
    pub count: u32,
    /// Where it looks, or where it can go, in degrees clockwise from the top.
    pub directions: Vec<u16>,
    /// The name that labels have for the place of a piece in a tray, if they name it.
    pub name: String,
}

impl Piece {
    /// One piece of a kind.
    pub fn new(owner: Option<Player>, kind: impl Into<String>) -> Piece {
        Piece { owner, kind: kind.into(), count: 1, ..Piece::default() }
    }

    /// One piece of a player.
    pub fn of(player: u8, kind: impl Into<String>) -> Piece {
        Piece::new(Some(Player(player)), kind)
    }

    /// So many of them.
    #[must_use]
    pub fn times(self, count: u32) -> Piece {
        Piece { count, ..self }
    }

    /// At a place of a tray that labels name.
    #[must_use]
    pub fn at(self, name: impl Into<String>) -> Piece {
        Piece { name: name.into(), ..self }
    }

    /// Looking there, in degrees clockwise from the top.
    #[must_use]
    pub fn facing(self, directions: impl IntoIterator<Item = u16>) -> Piece {
        Piece { directions: directions.into_iter().map(|d| d % 360).collect(), ..self }
    }
}

/// Pieces beside the board.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tray {
    /// What it is: `hand`, `dice`, `stake`.
    pub title: String,
    /// The name that labels have for it, if they name it.
    pub name: String,
    /// Whose it is.
    pub owner: Option<Player>,
    /// The pieces.
    pub pieces: Vec<Piece>,
    /// Who does not see them.
    pub cover: Cover,
}

/// What a sign of a text stands for: the pieces and the ground.
pub type Meaning = (Vec<Piece>, Ground);

impl Picture {
    /// A picture that is a text.
    pub fn card(text: &str) -> Picture {
        Picture::default().with_notes(text)
    }

    /// A board of so many files and ranks of squares (or of hexagons, where each rank is half a cell
    /// to the left of the one below it), with a sign on each; a blank where there is no cell.
    ///
    /// Signs stand for what [`meaning`] says, unless a game [says more](Picture::with_signs).
    pub fn grid(
        (files, ranks): (u32, u32),
        hexagons: bool,
        sign: &dyn Fn(u32, u32) -> char,
    ) -> Picture {
        let outline = if hexagons { Outline::Hexagon } else { Outline::Square };
        let mut cells = Vec::with_capacity((files * ranks) as usize);
        for rank in 0..ranks {
            for file in 0..files {
                let sign = sign(file, rank);
                if sign == ' ' {
                    continue;
                }
                let (pieces, ground) = meaning(sign);
                let slant = if hexagons { 0.5 * (ranks - 1 - rank) as f32 } else { 0.0 };
                let height = if hexagons { ROW } else { 1.0 };
                cells.push(Cell {
                    pieces,
                    ground,
                    sign: sign.to_string(),
                    ..Cell::new(
                        format!("{}{}", file_name(file), rank + 1),
                        [file as f32 + slant, rank as f32 * height],
                        outline.clone(),
                    )
                });
            }
        }
        Picture { cells, ..Picture::default() }
    }

    /// The same with other meanings for signs: of those for which `of` has none, as they were.
    #[must_use]
    pub fn with_signs(mut self, of: impl Fn(char) -> Option<Meaning>) -> Picture {
        for cell in &mut self.cells {
            let mut signs = cell.sign.chars();
            if let (Some(sign), None) = (signs.next(), signs.next())
                && let Some((pieces, ground)) = of(sign)
            {
                (cell.pieces, cell.ground) = (pieces, ground);
            }
        }
        self
    }

    /// The same with men of both sides of another kind than discs.
    #[must_use]
    pub fn with_men(self, kind: &str) -> Picture {
        self.with_signs(|sign| {
            let player = ['x', 'o'].iter().position(|&man| man == sign)?;
            Some((vec![Piece::of(player as u8, kind)], Ground::Plain))
        })
    }

    /// The same with these notes, line by line.
    #[must_use]
    pub fn with_notes(mut self, text: &str) -> Picture {
        let left = MAX_NOTES.saturating_sub(self.notes.len());
        self.notes.extend(text.lines().take(left).map(str::to_owned));
        self
    }

    /// The same with something beside the board.
    #[must_use]
    pub fn with_tray(mut self, tray: Tray) -> Picture {
        self.trays.push(tray);
        self
    }

    /// The same with points in the place of squares, and lines between those that `joined` joins.
    #[must_use]
    pub fn on_lines(mut self, joined: impl Fn(&Cell, &Cell) -> bool) -> Picture {
        for cell in &mut self.cells {
            cell.outline = Outline::Vertex;
        }
        let pairs = |at: usize| (at + 1..self.cells.len()).map(move |other| [at, other]);
        let links = (0..self.cells.len()).flat_map(pairs);
        self.links = links.filter(|&[a, b]| joined(&self.cells[a], &self.cells[b])).collect();
        self
    }

    /// The places of the cells that a label names, in its order: all of `a2a3`, those of `a2xa3=q`.
    pub fn named_in(&self, label: &str) -> Vec<usize> {
        let place = |name: &str| self.cells.iter().position(|cell| cell.name == name);
        found_in(label, place)
    }

    /// The names of the cells, of the trays and of the pieces in trays that a label names, in its
    /// order: `hand1` and `a3` of `hand1a3`.
    pub fn sites_in(&self, label: &str) -> Vec<&str> {
        let cells = self.cells.iter().map(|cell| cell.name.as_str());
        let trays = self.trays.iter().flat_map(|tray| {
            std::iter::once(tray.name.as_str()).chain(tray.pieces.iter().map(|p| p.name.as_str()))
        });
        let names: Vec<&str> = cells.chain(trays).collect();
        found_in(label, |name| names.iter().copied().find(|known| *known == name))
    }

    /// The coordinates beside the board: the letter of each file and the number of each rank with
    /// their places, one step before the first cell. Nothing where cells have other names than
    /// squares, or files and ranks are no lines.
    pub fn coordinates(&self) -> Option<Vec<(String, [f32; 2])>> {
        let (mut files, mut ranks) = (BTreeMap::new(), BTreeMap::new());
        for cell in &self.cells {
            let (file, rank) = file_and_rank(&cell.name)?;
            files.entry(file).or_insert_with(Vec::new).push((rank, [cell.x, cell.y]));
            ranks.entry(rank).or_insert_with(Vec::new).push((file, [cell.x, cell.y]));
        }
        let [across, upwards] = self.extent()?;
        let (leftmost, lowest) = (across.start, upwards.start);
        let mut coordinates = Vec::new();
        let steps = (step_of(files.values(), [0.0, 1.0]), step_of(ranks.values(), [1.0, 0.0]));
        let is_level = |of: Option<[f32; 2]>, way: usize| of.is_some_and(|of| of[way].abs() < 0.01);
        let is_upright = is_level(steps.0, 0) && is_level(steps.1, 1);
        for (lines, step, is_file) in [(files, steps.0?, true), (ranks, steps.1?, false)] {
            for (number, mut line) in lines {
                line.sort_by_key(|&(at, _)| at);
                let &(first, [x, y]) = line.first()?;
                let fits = |&(at, [ox, oy]): &(u32, [f32; 2])| {
                    let steps = (at - first) as f32;
                    (x + steps * step[0] - ox).abs() < 0.1 && (y + steps * step[1] - oy).abs() < 0.1
                };
                if !line.iter().all(fits) {
                    return None;
                }
                let name = if is_file { file_name(number) } else { (number + 1).to_string() };
                // Upright files and level ranks end at the edge of the board.
                let at = match (is_upright, is_file) {
                    (true, true) => [x, lowest - step[1]],
                    (true, false) => [leftmost - step[0], y],
                    _ => [x - step[0], y - step[1]],
                };
                coordinates.push((name, at));
            }
        }
        let covers = |at: &[f32; 2]| {
            self.cells.iter().any(|cell| (cell.x - at[0]).hypot(cell.y - at[1]) < 0.5)
        };
        let is_free = coordinates.iter().all(|(_, at)| !covers(at));
        is_free.then_some(coordinates)
    }

    /// True if something is covered from some player.
    pub fn covers_something(&self) -> bool {
        let mut covers =
            self.cells.iter().map(|cell| &cell.cover).chain(self.trays.iter().map(|t| &t.cover));
        covers.any(|cover| *cover != Cover::Open)
    }

    /// The cell of a name.
    pub fn cell_mut(&mut self, name: &str) -> Option<&mut Cell> {
        self.cells.iter_mut().find(|cell| cell.name == name)
    }

    /// The least and the greatest coordinates of centres; nothing without cells.
    pub fn extent(&self) -> Option<[Range<f32>; 2]> {
        let range = |of: fn(&Cell) -> f32| {
            let all = self.cells.iter().map(of);
            let least = all.clone().fold(f32::INFINITY, f32::min);
            least..all.fold(f32::NEG_INFINITY, f32::max)
        };
        (!self.cells.is_empty()).then(|| [range(|cell| cell.x), range(|cell| cell.y)])
    }
}

impl Cell {
    /// An empty cell.
    pub fn new(name: impl Into<String>, [x, y]: [f32; 2], outline: Outline) -> Cell {
        Cell {
            name: name.into(),
            x,
            y,
            outline,
            ground: Ground::Plain,
            pieces: Vec::new(),
            sign: ".".to_owned(),
            cover: Cover::Open,
        }
    }
}

/// Lays the second half of a long single row on top of the first, backwards, as on the board of a
/// race, so that its cells are large enough to be seen.
pub fn fold(cells: &mut [Cell]) {
    const LONGEST: usize = 16;
    let is_row = cells.windows(2).all(|two| (two[0].y - two[1].y).abs() < 0.1);
    if !is_row || cells.len() <= LONGEST {
        return;
    }
    let least = cells.iter().map(|cell| cell.x).fold(f32::INFINITY, f32::min);
    let half = cells.len().div_ceil(2) as f32;
    for cell in cells {
        let place = cell.x - least;
        if place >= half {
            (cell.x, cell.y) = (least + 2.0 * half - 1.0 - place, cell.y + 1.0);
        }
    }
}

/// The way from a cell to the next one on its line, of the lines of a board: a usual one where no
/// line has two.
fn step_of<'l>(
    lines: impl Iterator<Item = &'l Vec<(u32, [f32; 2])>>,
    usual: [f32; 2],
) -> Option<[f32; 2]> {
    let mut steps = lines.filter_map(|line| {
        let (&(a, from), &(b, to)) = (line.first()?, line.get(1)?);
        let many = b as f32 - a as f32;
        Some([(to[0] - from[0]) / many, (to[1] - from[1]) / many])
    });
    let step = steps.next().unwrap_or(usual);
    step.iter().all(|way| way.is_finite()).then_some(step)
}

/// The distance of two rows of hexagons.
pub const ROW: f32 = 0.866_025_4;

/// What signs usually stand for: `x` and `o` for discs of the first and the second player, a dot for
/// an empty cell, `+` for one that differs, `#` for a wall, a digit for itself, and another sign for
/// a piece of nobody that is called so.
pub fn meaning(sign: char) -> Meaning {
    let piece = match sign {
        '.' => return (Vec::new(), Ground::Plain),
        '+' => return (Vec::new(), Ground::Marked),
        '#' => Piece::new(None, "wall"),
        'x' => Piece::of(0, "disc"),
        'o' => Piece::of(1, "disc"),
        _ => Piece::new(None, sign.to_string()),
    };
    (vec![piece], Ground::Plain)
}

/// The letters of a file, counted from 0: `a`, `b`, ... `z`, `aa`, `ab`, ...
pub fn file_name(file: u32) -> String {
    let letter = |n: u32| char::from(b'a' + (n % 26) as u8);
    match file {
        0..26 => letter(file).to_string(),
        26..702 => format!("{}{}", letter(file / 26 - 1), letter(file)),
        _ => format!("{}{}", file_name(file / 26 - 1), letter(file)),
    }
}

/// The file and the rank, counted from 0, of the name of a square: `c4`, `aa12`. `None` for other
/// names.
pub fn file_and_rank(name: &str) -> Option<(u32, u32)> {
    let letters = name.bytes().take_while(u8::is_ascii_lowercase).count();
    let rank = name[letters..].parse::<u32>().ok().filter(|&rank| rank > 0)?;
    let file = name.as_bytes()[..letters]
        .iter()
        .fold(0, |file: u32, letter| file * 26 + u32::from(letter - b'a') + 1);
    let is_name = (1..=2).contains(&letters) && name[letters..] == rank.to_string();
    is_name.then(|| (file - 1, rank - 1))
}

/// What a label names, in its order, by what names stand for: a name is a word, or the letters and
/// digits of a square in it, or such a name with a number behind a dot.
fn found_in<T>(label: &str, of: impl Fn(&str) -> Option<T>) -> Vec<T> {
    let known = |name: &str| if name.is_empty() { None } else { of(name) };
    let mut found = Vec::new();
    for word in label.split(|sign: char| sign.is_whitespace() || ",-/#".contains(sign)) {
        match known(word) {
            Some(place) => found.push(place),
            None => found.extend(squares_in(word).into_iter().filter_map(|name| {
                let undotted = || known(name.split_once('.')?.0);
                known(name).or_else(undotted)
            })),
        }
    }
    found
}

/// The names of squares in a word, in its order, and those of parts of them: `a12`, `hand1.2`.
fn squares_in(word: &str) -> Vec<&str> {
    let (mut names, mut start) = (Vec::new(), 0);
    let bytes = word.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    for end in 1..=bytes.len() {
        let is_dotted = bytes.get(end) == Some(&b'.') && is_digit(end + 1);
        if is_digit(end - 1) && !is_digit(end) && !is_dotted {
            let of_number = |sign: char| sign.is_ascii_digit() || sign == '.';
            let letters = word[start..end].trim_end_matches(of_number);
            let from = letters.trim_end_matches(|sign: char| sign.is_ascii_lowercase()).len();
            names.push(&word[start + from..end]);
            start = end;
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn labels_name_sites_on_the_board_and_beside_it() {
        let mut picture = Picture::grid((2, 12), false, &|_, _| '.');
        let hand = |name: &str, pieces: &[&str]| Tray {
            name: name.to_owned(),
            pieces: pieces.iter().map(|&name| Piece::of(0, "rook").at(name)).collect(),
            ..Tray::default()
        };
        picture.trays = vec![hand("hand1", &["", ""]), hand("", &["hand2.1", "hand2.11", "7"])];
        for (label, sites) in [
            ("a1b12", &["a1", "b12"][..]),
            ("hand1a3", &["hand1", "a3"]),
            ("a3hand1", &["a3", "hand1"]),
            ("hand2.11b2=queen", &["hand2.11", "b2"]),
            ("hand2.1 b2", &["hand2.1", "b2"]),
            // A hand is known by its name alone, if its places have none.
            ("hand1.2a1", &["hand1", "a1"]),
            ("7", &["7"]),
            ("a3.b3", &["a3", "b3"]),
            ("hand3.1c9 pass.", &[]),
            ("", &[]),
        ] {
            assert_eq!(picture.sites_in(label), sites, "{label}");
        }
        assert_eq!(picture.named_in("hand1a3"), [4], "cells alone have places");
    }

    #[test]
    fn boards_are_drawn_with_their_coordinates() {
        let sign = |file, rank| match (file, rank) {
            (0, 0) => 'x',
            (2, 1) => 'o',
            (1, 1) => ' ',
            _ => '.',
        };
        let squares = Picture::grid((3, 2), false, &sign).with_notes("two men\n");
        expect![[r"
            2 .   o
            1 x . .
              a b c
            two men
        "]]
        .assert_eq(&squares.text());
        expect![[r"
            2 .   o
             1 x . .
                a b c
        "]]
        .assert_eq(&Picture::grid((3, 2), true, &sign).text());
        let mut named = squares.clone();
        for (cell, name) in named.cells.iter_mut().zip(["north", "south", "", "west", "east"]) {
            name.clone_into(&mut cell.name);
        }
        assert_eq!(named.board_text(), "west      o\nx    south\n", "by their names");
    }

    #[test]
    fn coordinates_stand_at_the_edge_of_the_board() {
        let shown = |hexagons| {
            // The corner `a1` is missing.
            let sign = |file, rank| if file + rank == 0 { ' ' } else { '.' };
            let coordinates = Picture::grid((2, 2), hexagons, &sign).coordinates().unwrap();
            let told =
                coordinates.into_iter().map(|(name, [x, y])| format!("{name} {x:.1} {y:.1}"));
            told.collect::<Vec<_>>().join(", ")
        };
        assert_eq!(shown(false), "a 0.0 -1.0, b 1.0 -1.0, 1 -1.0 0.0, 2 -1.0 1.0");
        assert_eq!(shown(true), "a 0.5 0.0, b 2.0 -0.9, 1 0.5 0.0, 2 -1.0 0.9");
    }

    #[test]
    fn long_rows_are_folded() {
        let mut cells = Picture::grid((20, 1), false, &|_, _| '.').cells;
        fold(&mut cells);
        let at = |place: usize| (cells[place].x, cells[place].y);
        assert_eq!([0, 9, 10, 19].map(at), [(0.0, 0.0), (9.0, 0.0), (9.0, 1.0), (0.0, 1.0)]);
        let short = Picture::grid((9, 1), false, &|_, _| '.').cells;
        let mut folded = short.clone();
        fold(&mut folded);
        assert_eq!(folded, short);
    }

    #[test]
    fn labels_name_cells() {
        let picture = Picture::grid((12, 12), false, &|_, _| '.');
        let named = |label: &str| -> Vec<&str> {
            let places = picture.named_in(label).into_iter();
            places.map(|place| picture.cells[place].name.as_str()).collect()
        };
        assert_eq!(named("a1"), ["a1"]);
        assert_eq!(named("a2a3"), ["a2", "a3"]);
        assert_eq!(named("l12b11q"), ["l12", "b11"]);
        assert_eq!(named("take a2,c3 z9 a0"), ["a2", "c3"]);
        assert_eq!(named("pass"), [""; 0]);
    }

    #[test]
    fn files_have_letters_and_ranks_have_numbers() {
        for file in [0, 25, 26, 27, 51, 52, 701] {
            let name = format!("{}{}", file_name(file), 7);
            assert_eq!(file_and_rank(&name), Some((file, 6)), "{name}");
        }
        for name in ["a0", "a01", "A1", "1", "a", "", "abc1", "a1b"] {
            assert_eq!(file_and_rank(name), None, "{name}");
        }
    }
}
