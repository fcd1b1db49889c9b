//! Moves and states in text.

use std::collections::BTreeMap;
use std::fmt::Write;

use rustc_hash::FxHashMap;

use crate::automaton::{Automaton, Cell, SetId, Slot};
use crate::search::{Move, Rules};
use crate::state::State;
use crate::symbols::Symbol;

/// The most variables that a drawing names, and the most cells of one that it lists.
const MAX_LISTED: usize = 100;

/// The most columns and rows of a grid, as files have 26 letters.
const MAX_SIDE: usize = 26;

/// Names that usually stand for nothing; a board shows a dot.
const NOTHING: [&str; 6] = ["empty", "e", "none", "null", "nil", "0"];

/// The words by which moves and states are shown.
pub(crate) struct Notation {
    /// For each symbol that can be a value the word that a label has for it.
    words: Vec<String>,
    /// For each of them: true if the word is that of a square.
    is_square: Vec<bool>,
    artificial: Vec<bool>,
    scores: Vec<i32>,
    boards: Vec<Board>,
}

/// A variable that is drawn as a grid.
struct Board {
    slot: Slot,
    /// The cell at each column of each rank, the topmost rank first.
    rows: Vec<(usize, Vec<Option<usize>>)>,
    files: Vec<char>,
    /// The values that squares may have by their type.
    values: Vec<Cell>,
}

impl Notation {
    pub(crate) fn new(automaton: &Automaton) -> Notation {
        let names: Vec<&str> =
            (0..automaton.values as u32).map(|n| automaton.name(Symbol(n))).collect();
        let squares = squares(&names);
        let word = |(name, square): (&&str, &Option<Square>)| match square {
            Some(square) => square.name(),
            None => name.replacen("__", "", 1),
        };
        let words = names.iter().zip(&squares).map(word).collect();
        let is_board = |slot: &Slot| automaton.variables[*slot].shape.keys.len() == 1;
        let boards = (0..automaton.variables.len())
            .filter(is_board)
            .filter_map(|slot| {
                Board::new(automaton, slot, automaton.variables[slot].shape.keys[0], &squares)
            })
            .collect();
        Notation {
            words,
            is_square: squares.iter().map(Option::is_some).collect(),
            artificial: automaton.artificial.clone(),
            scores: (0..automaton.values as u32).map(|n| automaton.score(Symbol(n))).collect(),
            boards,
        }
    }

    /// The score that a symbol stands for.
    pub(crate) fn score(&self, symbol: Cell) -> i32 {
        self.scores[usize::from(symbol)]
    }

    /// Tags in words: what follows a square without a blank before it if it is a square or a single
    /// letter or digit, as in `a2a3` and `e7e8q`.
    pub(crate) fn words(&self, tags: &[Cell]) -> String {
        let mut text = String::new();
        let mut follows_square = false;
        for &tag in tags {
            let is_square = self.is_square[usize::from(tag)];
            let is_short = self.words[usize::from(tag)].len() == 1;
            let joins = follows_square && (is_square || is_short);
            if !text.is_empty() && !joins {
                text.push(' ');
            }
            text += &self.words[usize::from(tag)];
            follows_square = is_square;
        }
        text
    }

    /// True if a move does nothing but hand on the turn: it has no tag, or the one tag `pass`.
    pub(crate) fn is_pass(&self, chosen: &Move) -> bool {
        self.plain(chosen) == "pass"
    }

    /// The labels of all moves of a state: their tags but those that only tell walks apart, which
    /// follow behind `#` where two moves would read the same.
    pub(crate) fn labels(&self, moves: &[Move]) -> Vec<String> {
        let mut labels: Vec<String> = moves.iter().map(|chosen| self.plain(chosen)).collect();
        for (number, is_alike) in alike(&labels).into_iter().enumerate() {
            let apart = self.tags(&moves[number], true);
            if is_alike && !apart.is_empty() {
                let _ = write!(labels[number], "#{}", self.words(&apart));
            }
        }
        for (number, is_alike) in alike(&labels).into_iter().enumerate() {
            if is_alike {
                let _ = write!(labels[number], "#{number}");
            }
        }
        labels
    }

    /// The tags of a move that only tell walks apart, or all others.
    fn tags(&self, chosen: &Move, artificial: bool) -> Vec<Cell> {
        let tags = chosen.tags.iter().map(|tag| tag.symbol);
        tags.filter(|&tag| self.artificial[usize::from(tag)] == artificial).collect()
    }

    fn plain(&self, chosen: &Move) -> String {
        let said = self.tags(chosen, false);
        if said.is_empty() { "pass".to_owned() } else { self.words(&said) }
    }

    /// The squares of all boards by name, rank by rank.
    pub(crate) fn sites(&self) -> Vec<String> {
        self.places().into_iter().map(Square::name).collect()
    }

    fn places(&self) -> Vec<Square> {
        let mut places: Vec<Square> =
            self.boards.iter().flat_map(Board::squares).map(|(square, _)| square).collect();
        places.sort_unstable_by_key(|square| (square.rank, square.file));
        places.dedup();
        places
    }

    /// What lies on squares: the values of each board, with its name if there are several.
    pub(crate) fn kinds(&self, automaton: &Automaton) -> Vec<String> {
        let several = self.boards.len() > 1;
        let kind = |board: &Board, value: &Cell| {
            let value = self.words[usize::from(*value)].clone();
            let name = automaton.name(automaton.variables[board.slot].name);
            if several { format!("{name} {value}") } else { value }
        };
        let kinds = |board: &Board| board.values.iter().map(|v| kind(board, v)).collect::<Vec<_>>();
        self.boards.iter().flat_map(kinds).collect()
    }

    /// Writes 1 for each kind and site where that lies, else 0.
    pub(crate) fn planes(&self, rules: &Rules, cells: &[Cell], planes: &mut [u8]) {
        planes.fill(0);
        let places = self.places();
        let mut kind = 0;
        for board in &self.boards {
            let cells = &cells[rules.layout.range(board.slot)];
            for (square, cell) in board.squares() {
                let site = places.iter().position(|&place| place == square);
                let value = board.values.iter().position(|&value| value == cells[cell]);
                if let (Some(site), Some(value)) = (site, value)
                    && let Some(byte) = planes.get_mut((kind + value) * places.len() + site)
                {
                    *byte = 1;
                }
            }
            kind += board.values.len();
        }
    }

    /// A state in text: maps over squares as boards, other variables by their names.
    pub(crate) fn draw(&self, rules: &Rules, state: &State) -> String {
        let automaton = &rules.automaton;
        let mut text = String::new();
        for board in &self.boards {
            let cells = &state.cells[rules.layout.range(board.slot)];
            let _ = writeln!(text, "{}:", automaton.name(automaton.variables[board.slot].name));
            board.draw(automaton, cells, &mut text);
        }
        let is_drawn = |slot: &Slot| self.boards.iter().any(|board| board.slot == *slot);
        let others = (0..automaton.variables.len())
            .filter(|slot| !is_drawn(slot) && rules.liveness.is_live(state.node, *slot));
        for slot in others.take(MAX_LISTED) {
            let cells = &state.cells[rules.layout.range(slot)];
            let _ = writeln!(text, "{}", self.variable(automaton, slot, cells));
        }
        if let Some(fault) = state.fault {
            let _ = writeln!(text, "fault: {}", fault.text());
        }
        text
    }

    /// A variable with its value; of a map, what differs from the default.
    fn variable(&self, automaton: &Automaton, slot: Slot, cells: &[Cell]) -> String {
        let variable = &automaton.variables[slot];
        let mut text = format!("{} = ", automaton.name(variable.name));
        let value = |cell: Cell| self.words[usize::from(cell)].as_str();
        let [key] = variable.shape.keys[..] else {
            let shown: Vec<&str> = cells.iter().take(MAX_LISTED).map(|&cell| value(cell)).collect();
            return text + &shown.join(" ");
        };
        let default = cells.last().copied().unwrap_or_default();
        let members = automaton.sets[key].members.iter().zip(cells);
        let exceptions: Vec<String> = members
            .filter(|&(_, &cell)| cell != default)
            .take(MAX_LISTED)
            .map(|(member, &cell)| format!("{}: {}", value(member.0 as Cell), value(cell)))
            .collect();
        text += &exceptions.join(", ");
        let _ =
            write!(text, "{}:{}", if exceptions.is_empty() { "" } else { ", " }, value(default));
        text
    }
}

/// For each text: true if another one is the same.
fn alike(texts: &[String]) -> Vec<bool> {
    let mut times: FxHashMap<&str, usize> = FxHashMap::default();
    texts.iter().for_each(|text| *times.entry(text).or_default() += 1);
    texts.iter().map(|text| times[text.as_str()] > 1).collect()
}

/// A square by its column and its rank, both from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Square {
    file: usize,
    rank: usize,
}

impl Square {
    fn name(self) -> String {
        format!("{}{}", letter(self.file), self.rank + 1)
    }
}

fn letter(file: usize) -> char {
    char::from(b'a' + file as u8)
}

/// The squares that names stand for: terms of a column and a rank, such as `P__a_1` and `V__0_3`,
/// if all terms of that constructor are such, on a grid that has letters for its columns.
fn squares(names: &[&str]) -> Vec<Option<Square>> {
    let term = |name: &str| -> Option<(String, [String; 2])> {
        let (constructor, arguments) = name.split_once("__")?;
        let (file, rank) = arguments.split_once('_')?;
        Some((constructor.to_owned(), [file.to_owned(), rank.to_owned()]))
    };
    let number = |text: &str| -> Option<usize> {
        match text.as_bytes() {
            [letter @ b'a'..=b'z'] => Some(usize::from(letter - b'a')),
            _ => text.parse().ok().filter(|&n| n < 1000),
        }
    };
    // By constructor: the least column and rank, and the greatest; `None` if it has other terms.
    let mut grids: BTreeMap<String, Option<(Square, Square)>> = BTreeMap::new();
    for name in names {
        let Some(constructor) = name.split_once("__").map(|(constructor, _)| constructor) else {
            continue;
        };
        let square = term(name).and_then(|(_, [file, rank])| {
            Some(Square { file: number(&file)?, rank: rank.parse().ok().filter(|&n| n < 1000)? })
        });
        let grid = grids.entry(constructor.to_owned());
        let grid = grid.or_insert(square.map(|square| (square, square)));
        *grid = grid.zip(square).map(|((least, most), Square { file, rank })| {
            let least = Square { file: least.file.min(file), rank: least.rank.min(rank) };
            (least, Square { file: most.file.max(file), rank: most.rank.max(rank) })
        });
    }
    let square = |name: &&str| {
        let (constructor, [file, rank]) = term(name)?;
        let (least, most) = grids[&constructor]?;
        if most.file - least.file >= MAX_SIDE || most.rank - least.rank >= 4 * MAX_SIDE {
            return None;
        }
        let first = if file.as_bytes()[0].is_ascii_digit() { least.file } else { 0 };
        let rank: usize = rank.parse().ok()?;
        Some(Square { file: number(&file)? - first, rank: rank - least.rank })
    };
    names.iter().map(square).collect()
}

impl Board {
    /// The board that a map over these keys is drawn as, if most of its keys are squares.
    fn new(
        automaton: &Automaton,
        slot: Slot,
        keys: SetId,
        squares: &[Option<Square>],
    ) -> Option<Board> {
        let members = &automaton.sets[keys].members;
        let placed: BTreeMap<Square, usize> = members
            .iter()
            .enumerate()
            .filter_map(|(cell, member)| Some((squares[member.index()]?, cell)))
            .collect();
        if placed.len() < 4 || placed.len() + 2 < members.len() {
            return None;
        }
        let ranks = placed.keys().map(|square| square.rank).max()? + 1;
        let files = placed.keys().map(|square| square.file).max()? + 1;
        let row = |rank: usize| {
            let cell = |file| placed.get(&Square { file, rank }).copied();
            (rank + 1, (0..files).map(cell).collect())
        };
        let rows = (0..ranks).rev().map(row).collect();
        let values = automaton.sets[automaton.variables[slot].shape.values].members.iter();
        Some(Board {
            slot,
            rows,
            files: (0..files).map(letter).collect(),
            values: values.map(|value| value.0 as Cell).collect(),
        })
    }

    /// The squares, from `a1` on, rank by rank, each with the cell that it has.
    fn squares(&self) -> impl Iterator<Item = (Square, usize)> + '_ {
        self.rows.iter().rev().flat_map(|(rank, row)| {
            let square = move |(file, &cell): (usize, &Option<usize>)| {
                Some((Square { file, rank: rank - 1 }, cell?))
            };
            row.iter().enumerate().filter_map(square)
        })
    }

    fn draw(&self, automaton: &Automaton, cells: &[Cell], text: &mut String) {
        let signs = signs(automaton, cells);
        for (rank, row) in &self.rows {
            let _ = write!(text, "{rank:>3} ");
            for cell in row {
                let sign = cell.map_or(' ', |cell| signs[&cells[cell]]);
                let _ = write!(text, " {sign}");
            }
            text.push('\n');
        }
        let files: Vec<String> = self.files.iter().map(char::to_string).collect();
        let _ = writeln!(text, "     {}", files.join(" "));
        let legend: Vec<String> = signs
            .iter()
            .filter(|&(_, &sign)| sign != '.')
            .map(|(&value, sign)| format!("{sign} {}", automaton.name(Symbol(value.into()))))
            .collect();
        let _ = writeln!(text, "     {}", legend.join(", "));
    }
}

/// A sign for each value that lies on a board: a letter of its name.
fn signs(automaton: &Automaton, cells: &[Cell]) -> BTreeMap<Cell, char> {
    let mut signs: BTreeMap<Cell, char> = BTreeMap::new();
    for &cell in cells {
        if signs.contains_key(&cell) {
            continue;
        }
        let name = automaton.name(Symbol(cell.into()));
        let letters = name.chars().flat_map(|c| [c, c.to_ascii_uppercase()]).chain('0'..='9');
        let mut free = letters.filter(|sign| !signs.values().any(|used| used == sign));
        let sign = if NOTHING.contains(&name) { '.' } else { free.next().unwrap_or('?') };
        signs.insert(cell, sign);
    }
    signs
}
