//! Facts over the squares of a board.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use play::picture::{Cell, Outline, Piece, PieceWords, file_name};

use super::letters::signs;
use super::lines::filled;
use crate::symbols::{Symbol, Symbols};
use crate::terms::{TermId, Terms};

/// Boards with more files or ranks than this are listed instead.
const MAX_SIDE: usize = 40;
/// And those with more squares a fact, where squares had to be made up.
const MAX_SPARSE: usize = 40;
/// Most contents of one square.
const MAX_HERE: usize = 4;
/// Combinations of contents that a legend is made of; beyond, it has those that are there.
const MAX_CONTENTS: usize = 60;

/// Names of files or ranks, from the first to the last.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Axis {
    names: Vec<String>,
    numbers: bool,
    /// True if there are names in it that nobody said.
    made_up: bool,
}

impl Axis {
    /// Of at least two numbers or single letters. Gaps are filled, since empty squares may have no
    /// fact.
    fn new(names: &BTreeSet<&str>) -> Option<Axis> {
        let numbers: Option<BTreeSet<usize>> = names.iter().map(|n| n.parse().ok()).collect();
        let all: Vec<String> = if let Some(numbers) = &numbers {
            let (&first, &last) = (numbers.first()?, numbers.last()?);
            if last - first > MAX_SIDE {
                return None;
            }
            (first.min(1)..=last).take(MAX_SIDE + 1).map(|n| n.to_string()).collect()
        } else {
            let letter = |n: &&str| (n.len() == 1).then(|| n.as_bytes()[0]);
            let letters: Option<BTreeSet<u8>> = names.iter().map(letter).collect();
            let letters = letters.filter(|l| l.iter().all(u8::is_ascii_lowercase))?;
            (b'a'..=*letters.last()?).map(|c| char::from(c).to_string()).collect()
        };
        // `01` and `1` are different names.
        let is_named = names.iter().all(|&name| all.iter().any(|n| n == name));
        let fits = (2..=MAX_SIDE).contains(&all.len()) && is_named;
        let made_up = all.len() > names.len();
        fits.then_some(Axis { names: all, numbers: numbers.is_some(), made_up })
    }

    fn place(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|n| n == name)
    }

    fn covers(&self, other: &Axis) -> bool {
        self.numbers == other.numbers && other.names.iter().all(|n| self.names.contains(n))
    }

    fn width(&self) -> usize {
        self.names.iter().map(|n| n.chars().count()).max().unwrap_or(1)
    }
}

/// A relation over squares.
pub(super) struct Layer {
    name: String,
    files: Axis,
    ranks: Axis,
    /// True if the coordinates come first and other arguments after them, as in `(cell a 1 white)`.
    is_cells: bool,
    arity: usize,
    /// The possible contents of a square, in the order in which the sheet names them.
    contents: Vec<String>,
    /// File, rank, content, and the fact that says so.
    marks: Vec<(String, String, String, TermId)>,
}

impl Layer {
    /// The facts of a relation over squares, if they look like it; `reach` has what can stand
    /// where, and nothing where that is not known.
    pub(super) fn new(
        symbols: &Symbols,
        terms: &Terms,
        functor: Symbol,
        reach: &[BTreeSet<Symbol>],
        facts: &[TermId],
    ) -> Option<Layer> {
        let arity = facts.first().map_or(reach.len(), |&fact| terms.args(fact).len());
        let last = arity.checked_sub(2)?;
        (0..=last.min(4)).find_map(|at| Layer::at(symbols, terms, functor, reach, facts, arity, at))
    }

    #[allow(clippy::too_many_arguments)]
    fn at(
        symbols: &Symbols,
        terms: &Terms,
        functor: Symbol,
        reach: &[BTreeSet<Symbol>],
        facts: &[TermId],
        arity: usize,
        at: usize,
    ) -> Option<Layer> {
        let (mut files, mut ranks) = (BTreeSet::new(), BTreeSet::new());
        for &fact in facts {
            let args = terms.args(fact);
            if !terms.args(args[at]).is_empty() || !terms.args(args[at + 1]).is_empty() {
                return None;
            }
            files.insert(symbols.lower(terms.functor(args[at])));
            ranks.insert(symbols.lower(terms.functor(args[at + 1])));
        }
        let axis = |arg: usize, here: &BTreeSet<&str>| {
            let known = reach.get(arg).into_iter().flatten().map(|&s| symbols.lower(s));
            // What is known may be more than there is: numbers that are counted with, not ranks.
            Axis::new(&known.chain(here.iter().copied()).collect()).or_else(|| Axis::new(here))
        };
        let (mut files, mut ranks) = (axis(at, &files)?, axis(at + 1, &ranks)?);
        // Letters are files, wherever they stand.
        let swapped = files.numbers && !ranks.numbers;
        if swapped {
            std::mem::swap(&mut files, &mut ranks);
        }
        let is_cells = at == 0 && arity > 2;
        if !is_cells && (swapped || !ranks.numbers) {
            return None;
        }
        let is_sparse = files.names.len() * ranks.names.len() > MAX_SPARSE * facts.len();
        if (files.made_up || ranks.made_up) && is_sparse {
            return None;
        }
        let name = symbols.lower(functor).to_owned();
        let mut contents: BTreeSet<(Vec<Symbol>, String)> = BTreeSet::new();
        let others = || (0..arity).filter(|&arg| arg != at && arg != at + 1);
        let text = |words: &[String]| {
            let words = words.iter().map(String::as_str);
            let name = (!is_cells).then_some(name.as_str());
            name.into_iter().chain(words).collect::<Vec<_>>().join(" ")
        };
        for content in possible(others().map(|arg| reach.get(arg))) {
            let words: Vec<String> =
                content.iter().map(|&symbol| symbols.lower(symbol).to_owned()).collect();
            contents.insert((content, text(&words)));
        }
        let mut marks = Vec::new();
        for &fact in facts {
            let args = terms.args(fact);
            let content: Vec<Symbol> = others().map(|arg| terms.functor(args[arg])).collect();
            let words: Vec<String> = others().map(|arg| terms.show(symbols, args[arg])).collect();
            let coordinate = |arg: TermId| symbols.lower(terms.functor(arg)).to_owned();
            let (mut file, mut rank) = (coordinate(args[at]), coordinate(args[at + 1]));
            if swapped {
                std::mem::swap(&mut file, &mut rank);
            }
            marks.push((file, rank, text(&words), fact));
            contents.insert((content, text(&words)));
        }
        let mut here: BTreeMap<(&str, &str), usize> = BTreeMap::new();
        for (file, rank, ..) in &marks {
            let count = here.entry((file, rank)).or_default();
            *count += 1;
            // A square of a board is one thing or another.
            if *count > if is_cells { 1 } else { MAX_HERE } {
                return None;
            }
        }
        let contents = contents.into_iter().map(|(_, text)| text).collect();
        Some(Layer { name, files, ranks, is_cells, arity, contents, marks })
    }
}

/// All ways to fill the arguments that are no coordinates; none where they are not known or many.
fn possible<'a>(args: impl Iterator<Item = Option<&'a BTreeSet<Symbol>>>) -> Vec<Vec<Symbol>> {
    let mut all: Vec<Vec<Symbol>> = vec![Vec::new()];
    for arg in args {
        let Some(known) = arg else { return Vec::new() };
        if all.len().saturating_mul(known.len()) > MAX_CONTENTS {
            return Vec::new();
        }
        all = all
            .iter()
            .flat_map(|begun| {
                known.iter().map(|&symbol| begun.iter().copied().chain([symbol]).collect())
            })
            .collect();
    }
    all
}

/// A board with the relations that lie over its squares.
pub(super) struct Board {
    layers: Vec<Layer>,
}

/// Puts relations over the same squares on one board: one with contents, and those that say where
/// something else is.
pub(super) fn boards(mut layers: Vec<Layer>) -> Vec<Board> {
    // The relations that boards begin with come first, then the large before the small.
    layers.sort_by_key(|layer| {
        let size = layer.files.names.len() * layer.ranks.names.len();
        (!layer.is_cells, std::cmp::Reverse(size))
    });
    let mut boards: Vec<Board> = Vec::new();
    for layer in layers {
        let fits = |board: &&mut Board| {
            let first = &board.layers[0];
            !layer.is_cells && first.files.covers(&layer.files) && first.ranks.covers(&layer.ranks)
        };
        match boards.iter_mut().find(fits) {
            Some(board) => board.layers.push(layer),
            None => boards.push(Board { layers: vec![layer] }),
        }
    }
    boards.retain(|board| !board.is_doubtful_and_empty());
    boards
}

impl Board {
    /// True if this is a board, as far as anybody can tell: a lone relation of two numbers may be
    /// anything.
    pub(super) fn is_certain(&self) -> bool {
        let first = &self.layers[0];
        first.arity > 2 || !first.files.numbers || self.layers.len() > 1
    }

    fn is_doubtful_and_empty(&self) -> bool {
        !self.is_certain() && self.layers.iter().all(|layer| layer.marks.is_empty())
    }

    /// The facts that it shows.
    pub(super) fn facts(&self) -> impl Iterator<Item = TermId> + '_ {
        self.layers.iter().flat_map(|layer| layer.marks.iter().map(|mark| mark.3))
    }

    /// The board with its coordinates and what its signs stand for.
    pub(super) fn draw(&self, titled: bool) -> String {
        let first = &self.layers[0];
        let (files, ranks) = (&first.files, &first.ranks);
        let all = || self.layers.iter().flat_map(|layer| &layer.contents);
        let blank = self.blank();
        let mut contents: Vec<String> = Vec::new();
        for content in all().filter(|&content| Some(content.as_str()) != blank) {
            if !contents.contains(content) {
                contents.push(content.clone());
            }
        }
        let men =
            contents.iter().filter(|content| first.is_cells && first.contents.contains(content));
        let signs = signs(&contents, men.count());
        let sign = |content: &str| match contents.iter().position(|c| c == content) {
            Some(at) => signs[at].as_str(),
            None => ".",
        };
        let mut squares: BTreeMap<(usize, usize), Vec<&str>> = BTreeMap::new();
        for (file, rank, content, _) in self.layers.iter().flat_map(|layer| &layer.marks) {
            if let (Some(file), Some(rank)) = (files.place(file), ranks.place(rank)) {
                squares.entry((rank, file)).or_default().push(sign(content));
            }
        }
        let between = if signs.iter().all(|sign| sign.chars().count() == 1) { "" } else { "+" };
        // Where a blank is said to be one, a square of which nothing is said is none.
        let nothing = if blank.is_some() { " " } else { "." };
        let text = |rank: usize, file: usize| match squares.get(&(rank, file)) {
            Some(here) if here.len() > 1 => {
                let here: Vec<&str> = here.iter().copied().filter(|&sign| sign != ".").collect();
                here.join(between)
            }
            Some(here) => here.concat(),
            None => nothing.to_owned(),
        };
        let place =
            || (0..ranks.names.len()).flat_map(|r| (0..files.names.len()).map(move |f| (r, f)));
        let width = place().map(|(r, f)| text(r, f).chars().count()).max().unwrap_or(1);
        let (width, margin) = (width.max(files.width()), ranks.width());
        let mut out = if titled { format!("{}:\n", first.name) } else { String::new() };
        for (r, rank) in ranks.names.iter().enumerate().rev() {
            let _ = write!(out, "{rank:>margin$}");
            for f in 0..files.names.len() {
                let _ = write!(out, " {:<width$}", text(r, f));
            }
            end_line(&mut out);
        }
        out += &" ".repeat(margin);
        for file in &files.names {
            let _ = write!(out, " {file:<width$}");
        }
        end_line(&mut out);
        let legend: Vec<String> = contents
            .iter()
            .zip(&signs)
            .filter(|(content, sign)| content != sign && sign.chars().count() == 1)
            .map(|(content, sign)| format!("{sign} {content}"))
            .collect();
        out += &filled(&legend, ", ");
        end_line(&mut out);
        out
    }

    /// The relation that the board is made of.
    pub(super) fn name(&self) -> &str {
        &self.layers[0].name
    }

    /// The squares with what lies there, moved to the right; with the names of squares that labels
    /// have, if wanted.
    pub(super) fn cells(&self, words: &PieceWords, left: f32, named: bool) -> Vec<Cell> {
        let first = &self.layers[0];
        let (files, ranks) = (&first.files, &first.ranks);
        let blank = self.blank();
        let mut squares: BTreeMap<(usize, usize), Vec<Piece>> = BTreeMap::new();
        for layer in &self.layers {
            for (file, rank, content, _) in &layer.marks {
                let (Some(f), Some(r)) = (files.place(file), ranks.place(rank)) else { continue };
                let here = squares.entry((r, f)).or_default();
                if Some(content.as_str()) != blank {
                    here.push(words.piece(content));
                }
            }
        }
        let place =
            || (0..ranks.names.len()).flat_map(|r| (0..files.names.len()).map(move |f| (r, f)));
        // Where a blank is said to be one, a square of which nothing is said is none.
        let is_cell = |at: &(usize, usize)| blank.is_none() || squares.contains_key(at);
        let cell = |(r, f): (usize, usize)| {
            let file = if files.numbers { file_name(f as u32) } else { files.names[f].clone() };
            let name = if named { format!("{file}{}", r + 1) } else { String::new() };
            let mut cell = Cell::new(name, [left + f as f32, r as f32], Outline::Square);
            cell.pieces = squares.get(&(r, f)).cloned().unwrap_or_default();
            cell
        };
        place().filter(is_cell).map(cell).collect()
    }

    /// The name of an empty square in common sheets.
    fn blank(&self) -> Option<&str> {
        let first = self.layers.first().filter(|layer| layer.is_cells)?;
        let has = |names: &[&str]| {
            first.contents.iter().map(String::as_str).find(|content| names.contains(content))
        };
        // Beside white, `b` is black.
        let b = || if has(&["w", "white"]).is_some() { None } else { has(&["b"]) };
        has(&["blank", "empty", "nil"]).or_else(b)
    }
}

/// Ends the last line, unless it is empty.
fn end_line(out: &mut String) {
    out.truncate(out.trim_end_matches(' ').len());
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
}
