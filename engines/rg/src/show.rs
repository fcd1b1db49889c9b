//! Moves and states in text.

mod variable_sites;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use play::Player;
use play::picture::{Cell as Site, Outline, Picture, Piece, PieceWords, fold};
use rustc_hash::FxHashMap;

use crate::automaton::{Automaton, Cell, GOALS, SetId, Slot, VISIBLE};
use crate::search::{Move, Rules};
use crate::state::State;
use crate::symbols::Symbol;
use variable_sites::VariableSites;

/// The most variables that a drawing names, and the most cells of one that it lists.
const MAX_LISTED: usize = 100;

/// The most cells of a map that is written with all of them.
const MAX_SMALL: usize = 8;

/// The columns that a drawing should have at most.
const COLUMNS: usize = 80;

/// The most columns and rows of a grid, as files have 26 letters.
const MAX_SIDE: usize = 26;

/// Names that usually stand for nothing; a board shows a dot.
const NOTHING: [&str; 5] = ["empty", "e", "none", "null", "nil"];

/// The words by which moves and states are shown.
pub(crate) struct Notation {
    /// For each symbol that can be a value the word that a label has for it.
    words: Vec<String>,
    /// For each of them: true if the word is that of a square.
    is_square: Vec<bool>,
    artificial: Vec<bool>,
    scores: Vec<i32>,
    boards: Vec<Board>,
    /// By board, the sites of its cells in planes, each with the cell.
    sites_of: Vec<Vec<(usize, usize)>>,
    /// What is shown in planes where there are no boards.
    variables: VariableSites,
}

/// A variable that is drawn as a grid.
struct Board {
    slot: Slot,
    /// The cell at each column of each rank, the topmost rank first.
    rows: Vec<(usize, Vec<Option<usize>>)>,
    files: Vec<char>,
    /// The keys that are no squares of the grid, each with its cell.
    outside: Vec<(Cell, usize)>,
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
        let mut notation = Notation {
            words,
            is_square: squares.iter().map(Option::is_some).collect(),
            artificial: automaton.artificial.clone(),
            scores: (0..automaton.values as u32).map(|n| automaton.score(Symbol(n))).collect(),
            boards,
            sites_of: Vec::new(),
            variables: VariableSites::default(),
        };
        let places = notation.places();
        let site = |square: Square| places.iter().position(|&place| place == square);
        let sites = |board: &Board| {
            board.squares().filter_map(|(square, cell)| Some((site(square)?, cell))).collect()
        };
        notation.sites_of = notation.boards.iter().map(sites).collect();
        if notation.boards.is_empty() {
            notation.variables = VariableSites::new(&notation, automaton);
        }
        notation
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
    pub(crate) fn tags(&self, chosen: &Move, artificial: bool) -> Vec<Cell> {
        let tags = chosen.tags.iter().map(|tag| tag.symbol);
        tags.filter(|&tag| self.artificial[usize::from(tag)] == artificial).collect()
    }

    /// A key of what [`Notation::plain`] says of a move with these tags; `None` where they are many.
    pub(crate) fn label_key(&self, tags: impl Iterator<Item = Cell>) -> Option<u64> {
        let mut said = tags.filter(|&tag| !self.artificial[usize::from(tag)]);
        // One more than the number of a symbol, so that none is something else.
        let next = |key: u64, tag: Cell| key << 20 | (u64::from(tag) + 1);
        let key = said.by_ref().take(3).fold(0, next);
        said.next().is_none().then_some(key)
    }

    /// A move in words, without the tags that only tell walks apart.
    pub(crate) fn plain(&self, chosen: &Move) -> String {
        let said = self.tags(chosen, false);
        if said.is_empty() { "pass".to_owned() } else { self.words(&said) }
    }

    /// A symbol as HRG has it: a term with its arguments in brackets.
    pub(crate) fn written(&self, symbol: Cell, automaton: &Automaton) -> String {
        let name = automaton.name(Symbol(symbol.into()));
        match name.split_once("__") {
            Some((constructor, arguments)) if self.is_square[usize::from(symbol)] => {
                format!("{constructor}({})", arguments.replace('_', ", "))
            }
            _ => name.to_owned(),
        }
    }

    /// The squares of all boards by name, rank by rank; where there are no boards, the cells of all
    /// variables.
    pub(crate) fn sites(&self) -> Vec<String> {
        if self.boards.is_empty() {
            return self.variables.names.clone();
        }
        self.places().into_iter().map(Square::name).collect()
    }

    fn places(&self) -> Vec<Square> {
        let mut places: Vec<Square> =
            self.boards.iter().flat_map(Board::squares).map(|(square, _)| square).collect();
        places.sort_unstable_by_key(|square| (square.rank, square.file));
        places.dedup();
        places
    }

    /// The kinds of things on squares: values of boards, with the board's name if there are several.
    pub(crate) fn kinds(&self, automaton: &Automaton) -> Vec<String> {
        if self.boards.is_empty() {
            return self.variables.kinds(self);
        }
        let several = self.boards.len() > 1;
        let kind = |board: &Board, value: &Cell| {
            let value = self.words[usize::from(*value)].clone();
            let name = automaton.name(automaton.variables[board.slot].name);
            if several { format!("{name} {value}") } else { value }
        };
        let kinds = |board: &Board| board.values.iter().map(|v| kind(board, v)).collect::<Vec<_>>();
        self.boards.iter().flat_map(kinds).collect()
    }

    /// Whose each kind of thing on squares is, by the names of values, as in pictures; nothing where
    /// there are no boards, since values of other variables are no men.
    pub(crate) fn owners(&self, automaton: &Automaton) -> Vec<Option<Player>> {
        let words = piece_words(automaton);
        let values = self.boards.iter().flat_map(|board| &board.values);
        values.map(|&value| piece(&words, automaton, value)?.owner).collect()
    }

    /// Writes 1 for each kind and site where that lies, else 0.
    pub(crate) fn planes(&self, rules: &Rules, state: &State, planes: &mut [u8]) {
        if self.boards.is_empty() {
            return self.variables.planes(rules, state, planes);
        }
        planes.fill(0);
        let kinds: usize = self.boards.iter().map(|board| board.values.len()).sum();
        let places = planes.len() / kinds.max(1);
        let mut kind = 0;
        for (board, sites) in self.boards.iter().zip(&self.sites_of) {
            let cells = &state.cells[rules.layout.range(board.slot)];
            for &(site, cell) in sites {
                let value = board.values.iter().position(|&value| value == cells[cell]);
                let byte = value.and_then(|v| planes.get_mut((kind + v) * places + site));
                if let Some(byte) = byte {
                    *byte = 1;
                }
            }
            kind += board.values.len();
        }
    }

    /// A state as a picture: maps over squares as boards beside each other, other variables as
    /// notes.
    pub(crate) fn picture(&self, rules: &Rules, state: &State) -> Picture {
        let automaton = &rules.automaton;
        let words = piece_words(automaton);
        let shown = |board: &&Board| !automaton.variables[board.slot].is_internal;
        let shown: Vec<&Board> = self.boards.iter().filter(shown).collect();
        let (mut picture, mut left) = (Picture::default(), 0.0);
        for (number, board) in shown.iter().enumerate() {
            let cells = &state.cells[rules.layout.range(board.slot)];
            let first = picture.cells.len();
            for (square, cell) in board.squares() {
                let at = [left + square.file as f32, square.rank as f32];
                let name = if number == 0 { square.name() } else { String::new() };
                let mut site = Site::new(name, at, Outline::Square);
                site.pieces.extend(piece(&words, automaton, cells[cell]));
                picture.cells.push(site);
            }
            fold(&mut picture.cells[first..]);
            let right = picture.cells[first..].iter().map(|site| site.x);
            left = right.fold(left, f32::max) + 2.0;
            if shown.len() > 1 {
                let name = automaton.name(automaton.variables[board.slot].name);
                picture.notes.push(format!("board {}: {name}", number + 1));
            }
            let mut outside = String::new();
            self.draw_outside(automaton, board, cells, &mut outside);
            picture = picture.with_notes(outside.trim());
        }
        picture.with_notes(&self.others(rules, state))
    }

    /// A state in text: maps over squares as boards, other variables by their names. What no author
    /// wrote, and payoffs and sight that are as they began, are left out.
    pub(crate) fn draw(&self, rules: &Rules, state: &State) -> String {
        let automaton = &rules.automaton;
        let mut text = String::new();
        let cells = |slot: Slot| &state.cells[rules.layout.range(slot)];
        for board in self.boards.iter().filter(|it| !automaton.variables[it.slot].is_internal) {
            let _ = writeln!(text, "{}:", automaton.name(automaton.variables[board.slot].name));
            board.draw(automaton, cells(board.slot), &mut text);
            self.draw_outside(automaton, board, cells(board.slot), &mut text);
        }
        folded(&(text + &self.others(rules, state)))
    }

    /// The variables that are no boards, by their names.
    fn others(&self, rules: &Rules, state: &State) -> String {
        let automaton = &rules.automaton;
        let mut text = String::new();
        let cells = |slot: Slot| &state.cells[rules.layout.range(slot)];
        let is_drawn = |slot: &Slot| self.boards.iter().any(|board| board.slot == *slot);
        let is_told = |slot: Slot| {
            let variable = &automaton.variables[slot];
            let is_plain = [GOALS, VISIBLE].contains(&slot) && cells(slot) == variable.start;
            !variable.is_internal && !is_plain && rules.liveness.is_live(state.node, slot)
        };
        let others =
            (0..automaton.variables.len()).filter(|slot| !is_drawn(slot) && is_told(*slot));
        for slot in others.take(MAX_LISTED) {
            let _ = writeln!(text, "{}", self.variable(automaton, slot, cells(slot)));
        }
        if let Some(fault) = state.fault {
            let _ = writeln!(text, "fault: {}", fault.text());
        }
        text
    }

    /// The cells of a board that are no squares, such as stores: numbers, and what differs from the
    /// beginning.
    fn draw_outside(
        &self,
        automaton: &Automaton,
        board: &Board,
        cells: &[Cell],
        text: &mut String,
    ) {
        let start = &automaton.variables[board.slot].start;
        let is_number = |cell: Cell| number_of(automaton.name(Symbol(cell.into()))).is_some();
        let told: Vec<String> = board
            .outside
            .iter()
            .filter(|&&(_, cell)| is_number(cells[cell]) || cells[cell] != start[cell])
            .map(|&(key, cell)| format!("{}: {}", self.word(key), self.word(cells[cell])))
            .collect();
        if !told.is_empty() {
            let _ = writeln!(text, "     {}", told.join(", "));
        }
    }

    pub(crate) fn word(&self, symbol: Cell) -> &str {
        &self.words[usize::from(symbol)]
    }

    /// A variable with its value: all cells of a small map, and of others those that differ from
    /// its default.
    fn variable(&self, automaton: &Automaton, slot: Slot, cells: &[Cell]) -> String {
        let variable = &automaton.variables[slot];
        let name = automaton.name(variable.name);
        let rows = self.rows(automaton, &variable.shape.keys, cells);
        let default = cells.last().copied().unwrap_or_default();
        if variable.shape.keys.is_empty() {
            return format!("{name} = {}", self.word(default));
        }
        let is_small = rows.len() <= MAX_SMALL;
        let told = rows.iter().filter(|row| is_small || row.1 != default);
        let mut parts: Vec<String> =
            told.clone().map(|(key, cell)| format!("{key}: {}", self.word(*cell))).collect();
        if parts.len() > MAX_LISTED {
            parts.truncate(MAX_LISTED);
            parts.push("..".to_owned());
        }
        if !is_small {
            parts.push(format!(":{}", self.word(default)));
        }
        format!("{name} = {}", parts.join(", "))
    }

    /// The cells of a map, but those of defaults, with their keys in words.
    pub(crate) fn rows(
        &self,
        automaton: &Automaton,
        keys: &[SetId],
        cells: &[Cell],
    ) -> Vec<(String, Cell)> {
        let Some((key, inner)) = keys.split_first() else {
            return cells.first().map(|&cell| (String::new(), cell)).into_iter().collect();
        };
        let members = &automaton.sets[*key].members;
        let words: Vec<String> =
            members.iter().map(|member| self.word(member.0 as Cell).to_owned()).collect();
        let width = cells.len() / (members.len() + 1);
        let mut rows = Vec::new();
        for (place, is_alike) in alike(&words).into_iter().enumerate() {
            let name = if is_alike {
                self.written(members[place].0 as Cell, automaton)
            } else {
                words[place].clone()
            };
            for (rest, cell) in self.rows(automaton, inner, &cells[place * width..][..width]) {
                rows.push((format!("{name} {rest}").trim_end().to_owned(), cell));
            }
        }
        rows
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
        let mut placed: BTreeMap<Square, usize> = BTreeMap::new();
        let mut outside = Vec::new();
        for (cell, member) in members.iter().enumerate() {
            match squares[member.index()] {
                Some(square) if !placed.contains_key(&square) => {
                    placed.insert(square, cell);
                }
                _ => outside.push((member.0 as Cell, cell)),
            }
        }
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
            outside,
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
        let present = || self.rows.iter().flat_map(|row| row.1.iter().flatten());
        let shown: BTreeSet<Cell> = present().map(|&cell| cells[cell]).collect();
        let signs = signs(automaton, self.values.iter().chain(&shown));
        let width = shown.iter().map(|value| signs[value].len()).max().unwrap_or(1);
        for (rank, row) in &self.rows {
            let _ = write!(text, "{rank:>3} ");
            for cell in row {
                let sign = cell.map_or("", |cell| &signs[&cells[cell]]);
                let _ = write!(text, " {sign:>width$}");
            }
            text.truncate(text.trim_end_matches(' ').len());
            text.push('\n');
        }
        let files: Vec<String> = self.files.iter().map(|file| format!("{file:>width$}")).collect();
        let _ = writeln!(text, "     {}", files.join(" "));
        let legend: Vec<String> = shown
            .iter()
            .map(|value| (&signs[value], automaton.name(Symbol((*value).into()))))
            .filter(|(sign, name)| *sign != "." && *sign != name)
            .map(|(sign, name)| format!("{sign} {name}"))
            .collect();
        if !legend.is_empty() {
            let _ = writeln!(text, "     {}", legend.join(", "));
        }
    }
}

/// A text whose lists go on in the next line where they are too wide.
fn folded(text: &str) -> String {
    const INDENT: &str = "     ";
    let mut folded = String::new();
    for line in text.lines() {
        let (mut column, mut is_open) = (0, false);
        for part in line.split_inclusive(", ") {
            let is_wide = column + part.trim_end().chars().count() > COLUMNS;
            if is_wide && !is_open && column > INDENT.len() {
                folded.truncate(folded.trim_end().len());
                folded = folded + "\n" + INDENT;
                column = INDENT.len();
            }
            folded += part;
            column += part.chars().count();
            // Arguments of a term stay together.
            is_open = part.rfind('(') > part.rfind(')') || is_open && !part.contains(')');
        }
        folded.push('\n');
    }
    folded
}

fn piece_words(automaton: &Automaton) -> PieceWords {
    PieceWords::new(automaton.players.iter().map(|&player| automaton.name(player)))
}

/// What a value on a square is; `None` for those that say that nothing is there.
fn piece(words: &PieceWords, automaton: &Automaton, value: Cell) -> Option<Piece> {
    let name = automaton.name(Symbol(value.into()));
    let is_piece = !NOTHING.contains(&name);
    is_piece.then(|| words.piece(number_of(name).unwrap_or(name)))
}

/// The number that a name is, or that is the only argument of a term.
fn number_of(name: &str) -> Option<&str> {
    let number = name.split_once("__").map_or(name, |(_, argument)| argument);
    (!number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())).then_some(number)
}

/// A sign for each value that may lie on a board, each another one: a dot for nothing, a number for
/// itself, and a letter of the name for others, or two letters where all letters are taken.
fn signs<'v>(
    automaton: &Automaton,
    values: impl Iterator<Item = &'v Cell>,
) -> BTreeMap<Cell, String> {
    let mut signs: BTreeMap<Cell, String> = BTreeMap::new();
    let mut used: BTreeSet<String> = BTreeSet::new();
    for &value in values {
        if signs.contains_key(&value) {
            continue;
        }
        let name = automaton.name(Symbol(value.into()));
        let nothing = NOTHING.contains(&name).then(|| ".".to_owned());
        let itself = number_of(name).map(str::to_owned);
        let letters = name.chars().filter(char::is_ascii_alphabetic);
        let letters = letters.flat_map(|c| [c.to_string(), c.to_ascii_uppercase().to_string()]);
        let others = ('a'..='z').chain('A'..='Z').map(|c| c.to_string());
        let pairs = ('a'..='z').flat_map(|one| ('a'..='z').map(move |two| format!("{one}{two}")));
        let all = nothing.into_iter().chain(itself).chain(letters).chain(others).chain(pairs);
        let sign = all.into_iter().find(|sign| !used.contains(sign));
        let sign = sign.unwrap_or_else(|| name.to_owned());
        used.insert(sign.clone());
        signs.insert(value, sign);
    }
    signs
}
