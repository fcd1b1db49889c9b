//! The place of each variable in the memory of compiled code.
//!
//! Code knows symbols by numbers: the keys of the largest maps come first, so that a set of sites
//! holds the keys of a board. A map of one key is a row of cells by the numbers of its keys; cells
//! of numbers that are no keys hold the default. Maps of more keys are rows of rows by the places
//! of keys in their sets. A board, a map of one key that sets are large enough for, also has a set
//! of keys for each of its values.

use super::ranges::Ranges;
use crate::automaton::{Automaton, Cell, Expr, Label, Shape, Slot, Variable};
use crate::values::Layout;

/// The most words of a set; code over larger sets is slow to make.
const MAX_WORDS: usize = 8;

/// The most numbers that code knows: tables have an entry for each.
const MAX_NUMBERS: usize = 4096;

/// The fewest keys of a board.
const MIN_KEYS: usize = 9;

/// The most values of a board.
const MAX_VALUES: usize = 40;

/// The symbols that some expression may have as its value, by symbol.
type Possible = Vec<bool>;

/// The memory of the code of one game.
#[derive(Debug)]
pub(crate) struct MemoryMap {
    /// The number of each symbol that can be a value.
    pub(crate) numbers: Vec<i32>,
    /// The symbol of each number.
    pub(crate) symbols: Vec<Cell>,
    /// The words of a set.
    pub(crate) words: usize,
    /// The place of each variable.
    pub(crate) places: Vec<VariablePlace>,
    /// The number of cells, of those of variables without keys, which come first, and of sets.
    pub(crate) cells: usize,
    pub(crate) scalars: usize,
    pub(crate) sets: usize,
    pub(crate) ranges: Ranges,
}

/// The place of a variable.
#[derive(Clone, Debug)]
pub(crate) struct VariablePlace {
    /// Its first cell.
    pub(crate) base: usize,
    /// Its cells.
    pub(crate) length: usize,
    /// The symbols that it, or a cell of it, may hold.
    pub(crate) possible: Possible,
    /// The sets of a board.
    pub(crate) board: Option<BoardPlace>,
}

/// The sets of a board.
#[derive(Clone, Debug)]
pub(crate) struct BoardPlace {
    /// The first set.
    pub(crate) base: usize,
    /// The numbers of the values that there are sets for, in their order.
    pub(crate) values: Vec<i32>,
}

impl MemoryMap {
    /// Lays out the variables in so many steps; `None` if there are too many symbols, or values of
    /// them.
    pub(crate) fn of(automaton: &Automaton, steps: u64) -> Option<MemoryMap> {
        if automaton.values > MAX_NUMBERS {
            return None;
        }
        let ranges = Ranges::of(automaton, steps)?;
        let slots = 0..automaton.variables.len();
        let possible: Vec<Possible> = slots.map(|slot| ranges.possible(slot)).collect();
        let members = members(automaton, &ranges);
        let (numbers, symbols) = number(automaton, &members);
        let places = Vec::new();
        let is_scalar = |variable: &&Variable| variable.shape.keys.is_empty();
        let scalars = automaton.variables.iter().filter(is_scalar).count();
        let (words, cells, sets) = (1, 0, 0);
        let mut map = MemoryMap { numbers, symbols, words, places, cells, scalars, sets, ranges };
        for (variable, possible) in automaton.variables.iter().zip(&possible) {
            let length = map.length(automaton, &variable.shape);
            let possible = possible.clone();
            map.places.push(VariablePlace { base: 0, length, possible, board: None });
        }
        map.widen(automaton, &possible);
        let boards = |map: &MemoryMap, slot: usize| {
            let place = &map.places[slot];
            let [key] = automaton.variables[slot].shape.keys[..] else { return None };
            let in_sets = automaton.sets[key].members.iter().filter(|key| members[key.index()]);
            let last = in_sets.map(|key| map.numbers[key.index()] as usize).max()?;
            // The last bit, if that is not far beyond the number of keys.
            let is_long = automaton.sets[key].members.len() >= MIN_KEYS;
            (place.board.is_none() && is_long && last < 64 * MAX_WORDS).then_some(last + 1)
        };
        let mut longest = 1;
        for slot in 0..map.places.len() {
            let Some(length) = boards(&map, slot) else { continue };
            let values: Vec<i32> = (0..map.symbols.len() as i32)
                .filter(|&n| map.places[slot].possible[usize::from(map.symbols[n as usize])])
                .collect();
            if values.len() <= MAX_VALUES {
                longest = longest.max(length);
                map.places[slot].board = Some(BoardPlace { base: map.sets, values });
                map.sets += map.places[slot].board.as_ref().map_or(0, |b| b.values.len());
            }
        }
        map.words = longest.div_ceil(64);
        Some(map)
    }

    /// The cells of a variable, as far as its own keys go.
    fn length(&self, automaton: &Automaton, shape: &Shape) -> usize {
        match shape.keys[..] {
            [] => 1,
            [key] => {
                let members = automaton.sets[key].members.iter();
                members.map(|member| self.numbers[member.index()] as usize + 1).max().unwrap_or(1)
            }
            _ => automaton.cells(shape),
        }
    }

    /// Makes rows of one key so long that all keys that are ever asked for have a cell.
    fn widen(&mut self, automaton: &Automaton, possible: &[Possible]) {
        let mut widest: Vec<usize> = self.places.iter().map(|place| place.length).collect();
        let edges = automaton.nodes.iter().flat_map(|node| &node.edges);
        for label in edges.map(|edge| &edge.label) {
            each_access(label, &mut |slot, keys| {
                if let [key] = keys {
                    let keys = values_of(automaton, possible, key);
                    let last = (0..keys.len()).filter(|&symbol| keys[symbol]);
                    let last = last.map(|symbol| self.numbers[symbol] as usize + 1).max();
                    widest[slot] = widest[slot].max(last.unwrap_or(0));
                }
            });
        }
        self.cells = self.scalars;
        let mut scalars = 0;
        let variables = automaton.variables.iter();
        for ((place, length), variable) in self.places.iter_mut().zip(widest).zip(variables) {
            let is_scalar = variable.shape.keys.is_empty();
            let next = if is_scalar { &mut scalars } else { &mut self.cells };
            (place.base, place.length) = (*next, length);
            *next += length;
        }
    }

    /// Writes a state of the reference to the memory of the code.
    pub(crate) fn store(
        &self,
        automaton: &Automaton,
        layout: &Layout,
        state: &[Cell],
        cells: &mut [i32],
        sets: &mut [u64],
    ) {
        sets.fill(0);
        for (slot, place) in self.places.iter().enumerate() {
            let from = &state[layout.range(slot)];
            let keys = &automaton.variables[slot].shape.keys;
            let into = &mut cells[place.base..][..place.length];
            for (number, cell) in into.iter_mut().enumerate() {
                let source = match keys[..] {
                    [key] => automaton.sets[key].place(self.symbols[number]),
                    _ => number,
                };
                *cell = self.numbers[usize::from(from[source])];
                if let Some(board) = &place.board
                    && number < 64 * self.words
                    && let Ok(value) = board.values.binary_search(cell)
                {
                    let set = (board.base + value) * self.words;
                    sets[set + number / 64] |= 1 << (number % 64);
                }
            }
        }
    }

    /// Reads a state of the reference back from the memory of the code.
    pub(crate) fn load(
        &self,
        automaton: &Automaton,
        layout: &Layout,
        cells: &[i32],
        state: &mut [Cell],
    ) {
        for (slot, place) in self.places.iter().enumerate() {
            let into = &mut state[layout.range(slot)];
            let from = &cells[place.base..][..place.length];
            let symbol = |number: i32| self.symbols[number as usize];
            if let [key] = automaton.variables[slot].shape.keys[..] {
                // The default never changes.
                for (cell, member) in into.iter_mut().zip(&automaton.sets[key].members) {
                    *cell = symbol(from[self.numbers[member.index()] as usize]);
                }
            } else {
                into.iter_mut().zip(from).for_each(|(cell, &number)| *cell = symbol(number));
            }
        }
    }
}

/// The symbols that sets are to have room for: keys whose cells may be written, and what is chosen.
fn members(automaton: &Automaton, ranges: &Ranges) -> Vec<bool> {
    let mut members = vec![false; automaton.values];
    for (slot, variable) in automaton.variables.iter().enumerate() {
        let [key] = variable.shape.keys[..] else { continue };
        for (place, member) in automaton.sets[key].members.iter().enumerate() {
            members[member.index()] |= ranges.is_written(slot, place);
        }
    }
    for edge in automaton.nodes.iter().flat_map(|node| &node.edges) {
        if let Label::AssignAny { set, .. } = edge.label {
            let all = automaton.sets[set].members.iter();
            all.for_each(|member| members[member.index()] = true);
        }
    }
    members
}

/// Numbers symbols: the keys of the largest maps first, those that sets need before others.
fn number(automaton: &Automaton, in_sets: &[bool]) -> (Vec<i32>, Vec<Cell>) {
    let mut keys: Vec<usize> = automaton
        .variables
        .iter()
        .filter(|variable| variable.shape.keys.len() == 1)
        .map(|variable| variable.shape.keys[0])
        .collect();
    keys.sort_by_key(|&set| (std::cmp::Reverse(automaton.sets[set].members.len()), set));
    keys.dedup();
    let members = || keys.iter().flat_map(|&set| &automaton.sets[set].members);
    let first = members().filter(|member| in_sets[member.index()]);
    let all = first.chain(members()).map(|member| member.0 as Cell);
    let mut numbers = vec![-1; automaton.values];
    let mut symbols = Vec::with_capacity(automaton.values);
    for symbol in all.chain(0..automaton.values as Cell) {
        if numbers[usize::from(symbol)] < 0 {
            numbers[usize::from(symbol)] = symbols.len() as i32;
            symbols.push(symbol);
        }
    }
    (numbers, symbols)
}

/// The symbols that an expression, or a cell of it, may have as its value.
fn values_of(automaton: &Automaton, possible: &[Possible], expr: &Expr) -> Possible {
    let mut values = vec![false; automaton.values];
    match expr {
        Expr::Symbol(symbol) => values[symbol.index()] = true,
        Expr::Variable(place) => return possible[place.slot].clone(),
        Expr::Constant(place) => {
            let cells = &automaton.constants[place.slot].cells;
            cells.iter().for_each(|&cell| values[usize::from(cell)] = true);
        }
    }
    values
}

/// Calls `found` with each variable that a label reads or writes, with the keys.
fn each_access<'a>(label: &'a Label, found: &mut impl FnMut(Slot, &'a [Expr])) {
    fn visit<'a>(expr: &'a Expr, found: &mut impl FnMut(Slot, &'a [Expr])) {
        let (Expr::Variable(place) | Expr::Constant(place)) = expr else { return };
        if matches!(expr, Expr::Variable(_)) {
            found(place.slot, &place.keys);
        }
        place.keys.iter().for_each(|key| visit(key, found));
    }
    match label {
        Label::Assign { target, value } => {
            found(target.slot, &target.keys);
            target.keys.iter().for_each(|key| visit(key, found));
            visit(value, found);
        }
        Label::AssignAny { target, .. } => {
            found(target.slot, &target.keys);
            target.keys.iter().for_each(|key| visit(key, found));
        }
        Label::Compare { left, right, .. } => {
            visit(left, found);
            visit(right, found);
        }
        Label::Skip | Label::Test { .. } | Label::Tag(_) | Label::TagVariable(_) => {}
    }
}
