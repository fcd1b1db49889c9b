//! Tests of some cells around one place as tests of sets: "these three are mine, or those", "the
//! first piece on a line is a rook".
//!
//! Cells that are looked at one by one cost a jump each, which nobody can foresee. If all walks of a
//! test compare cells at constant functions of one place, each walk is a constant set for the place,
//! of which all, or no, members are to be in the set of a value. Walks of one cell, and those that
//! go on along a [line](super::lines), are one; and all together are one number.

use kernel::build::CodeBuilder;
use kernel::ir::{Expr as Code, Local, Type};

use super::conditions::{Condition, OnBoard, Origin, code_of};
use super::lines::{Area, Line, NoLine};
use super::terms::{Env, Function, Term};
use super::walk::{Compiler, Goal, Stop};
use super::writer::Writer;
use crate::automaton::{Expr, Label, NodeId, Slot};
use crate::symbols::Symbol;

/// The most walks of a test, edges of each and of all, and conditions that they become.
const MAX_WALKS: usize = 400;
const MAX_DEPTH: usize = 150;
const MAX_STEPS: usize = 3000;
const MAX_CONDITIONS: usize = 40;

/// The fewest comparisons that are worth it, and the most that are none of sets.
const MIN_LOOKS: usize = 3;
const MAX_OTHERS: usize = 16;

/// The most values that a variable is given in such a test, one after another.
const MAX_CHOICES: usize = 16;

/// The most words of sets for which such tests are quicker than one by one, and the most places.
const MAX_WORDS: usize = 2;
pub(super) const MAX_PLACES: usize = 1024;

/// The value that a cell of a board is compared with.
#[derive(Clone, PartialEq)]
pub(super) struct Sought {
    pub(super) board: Slot,
    /// One of these, or, if `is_equal` is false, none.
    values: Vec<Term>,
    pub(super) is_equal: bool,
    /// The class of the continuation: walks of one class go on alike.
    pub(super) class: usize,
}

/// A comparison of a cell of a board.
#[derive(Clone)]
pub(super) struct Look {
    pub(super) sought: Sought,
    /// The variable of the code that the place is a function of; `None` if it is constant.
    pub(super) from: Option<Local>,
    pub(super) place: Function,
}

/// A walk: all of these hold.
pub(super) type Walk = Vec<Look>;

/// The walks between two nodes while they are found.
pub(super) struct Walks {
    to: NodeId,
    pub(super) found: Vec<Found>,
    steps: usize,
    /// The edges of the walk that is gone along.
    depth: usize,
}

/// A walk that was found.
#[derive(Clone)]
pub(super) struct Found {
    pub(super) looks: Walk,
    /// Other conditions, as numbers.
    pub(super) others: Vec<Code>,
    /// The facts that are known at its end, with the tags of this walk alone.
    pub(super) env: Env,
}

impl Compiler<'_> {
    /// The condition that a node can be reached from another, if it is such a test.
    pub(super) fn pattern(
        &mut self,
        w: &mut Writer,
        env: &Env,
        from: NodeId,
        to: NodeId,
    ) -> Option<Code> {
        let is_small = self.map.words <= MAX_WORDS && self.map.symbols.len() <= MAX_PLACES;
        if !is_small || env.elements.is_some() {
            return None;
        }
        let walks = self.walks_between(w, env, from, to)?;
        let others: usize = walks.iter().map(|found| found.others.len()).sum();
        let looks: usize = walks.iter().map(|found| found.looks.len()).sum();
        if looks + others < MIN_LOOKS || others > MAX_OTHERS {
            return None;
        }
        let (mixed, walks): (Vec<Found>, Vec<Found>) =
            walks.into_iter().partition(|found| !found.others.is_empty());
        let walks = walks.into_iter().map(|found| found.looks).collect();
        let (areas, walks) = self.areas(w, env, walks)?;
        if mixed.len() + walks.len() + areas.len() > MAX_CONDITIONS {
            return None;
        }
        let found = self.found(w, env, areas)?;
        let mut conditions: Vec<Code> = Vec::new();
        if found != Code::NoSites {
            conditions.push(found.is_inhabited());
        }
        let alone = walks.into_iter().map(|looks| (looks, Vec::new()));
        let mixed = mixed.into_iter().map(|found| (found.looks, found.others));
        let (looks, others): (Vec<Walk>, Vec<Vec<Code>>) = alone.chain(mixed).unzip();
        for (hold, others) in self.all_hold(w, env, &looks)?.into_iter().zip(others) {
            conditions.extend(hold.into_iter().chain(others).reduce(Code::and_bits));
        }
        conditions.into_iter().reduce(Code::or_bits)
    }

    /// The walks between two nodes, if they compare cells at functions of one place and assign
    /// variables without keys, and do nothing else.
    pub(super) fn walks_between(
        &mut self,
        w: &mut Writer,
        env: &Env,
        from: NodeId,
        to: NodeId,
    ) -> Option<Vec<Found>> {
        let mut walks = Walks { to, found: Vec::new(), steps: 0, depth: 0 };
        let mut env = Env { tags: Vec::new(), ..env.clone() };
        // Loaded once, so that the places of all walks are functions of the same.
        for (slot, variable) in self.rules.automaton.variables.iter().enumerate() {
            if variable.shape.keys.is_empty() && self.rules.liveness.is_live(from, slot) {
                self.variable(w, &mut env, slot);
            }
        }
        self.looks(Found { looks: Vec::new(), others: Vec::new(), env }, w, from, &mut walks)?;
        Some(walks.found)
    }

    /// The areas that lines, and walks of one comparison, come to; and the other walks.
    pub(super) fn areas(
        &mut self,
        w: &mut Writer,
        env: &Env,
        walks: Vec<Walk>,
    ) -> Option<(Vec<Area>, Vec<Walk>)> {
        let mut areas: Vec<Area> = Vec::new();
        let (lines, mut walks) = Line::all(walks);
        for line in lines {
            match self.line(w, env, &line) {
                Ok(reached) => areas.extend(reached),
                Err(NoLine::UpAndDown) => walks.extend(line.walks()),
                Err(NoLine::Unsaid) => return None,
            }
        }
        let (single, walks): (Vec<Walk>, Vec<Walk>) =
            walks.into_iter().partition(|looks| looks.len() == 1);
        areas.extend(self.single(&single)?);
        Some((areas, walks))
    }

    /// Finds the walks from a node; `None` if they ask for more.
    fn looks(
        &mut self,
        walk: Found,
        w: &mut Writer,
        node: NodeId,
        walks: &mut Walks,
    ) -> Option<()> {
        walks.steps += 1;
        let is_over = walks.steps > MAX_STEPS || walks.depth > MAX_DEPTH;
        if is_over || walks.found.len() > MAX_WALKS {
            return None;
        }
        if node == walks.to {
            walks.found.push(walk);
            return Some(());
        }
        for edge in &self.rules.automaton.nodes[node].edges {
            for env in self.passed(w, &walk.env, &edge.label)? {
                let mut walk = Found { env, ..walk.clone() };
                if let Label::Compare { left, right, equal } = &edge.label {
                    match self.look(w, &mut walk.env, [left, right], *equal).ok()? {
                        Some(look) if self.never_holds(&look) => continue,
                        Some(look) => walk.looks.push(look),
                        None => match self.condition(w, &mut walk.env, &edge.label).ok()? {
                            Condition::Known(true) => {}
                            Condition::Known(false) => continue,
                            Condition::If(code) => walk.others.push(code),
                            Condition::For(..) => return None,
                        },
                    }
                }
                walks.depth += 1;
                self.looks(walk, w, edge.to, walks)?;
                walks.depth -= 1;
            }
        }
        Some(())
    }

    /// The facts behind an edge, comparisons left aside, for each value that it may choose.
    fn passed(&mut self, w: &mut Writer, env: &Env, label: &Label) -> Option<Vec<Env>> {
        let (target, values) = match label {
            Label::Skip | Label::Compare { .. } => return Some(vec![env.clone()]),
            Label::Tag(_) | Label::TagVariable(_) => {
                let mut env = env.clone();
                let tag = match label {
                    Label::TagVariable(slot) => self.variable(w, &mut env, *slot),
                    Label::Tag(symbol) => Term::Constant(self.map.numbers[symbol.index()]),
                    _ => return None,
                };
                self.tag(&mut env, tag, &Goal::Moves);
                return Some(vec![env]);
            }
            Label::Assign { target, value } if !label.ends_move() => {
                let is_map = !self.rules.automaton.variables[target.slot].shape.keys.is_empty();
                if is_map {
                    return None;
                }
                (target, vec![self.term(w, &mut env.clone(), value).ok()?])
            }
            Label::AssignAny { target, set } => {
                let members = &self.rules.automaton.sets[*set].members;
                if members.len() > MAX_CHOICES || !target.keys.is_empty() {
                    return None;
                }
                let number = |member: &Symbol| Term::Constant(self.map.numbers[member.index()]);
                (target, members.iter().map(number).collect())
            }
            _ => return None,
        };
        let with = |value: Term| {
            let mut env = env.clone();
            env.loaded.remove(&target.slot);
            env.assigned.insert(target.slot, value);
            env
        };
        Some(values.into_iter().map(with).collect())
    }

    /// The comparison of a cell of a board at a function of one place with a value.
    fn look(
        &mut self,
        w: &mut Writer,
        env: &mut Env,
        sides: [&Expr; 2],
        is_equal: bool,
    ) -> Result<Option<Look>, Stop> {
        for (cell, value) in [(sides[0], sides[1]), (sides[1], sides[0])] {
            let Some(cell) = self.cell_on_board(w, env, cell)? else { continue };
            let from = match cell.from {
                Origin::Element => return Ok(None),
                Origin::Local(local) => Some(local),
                Origin::Nothing => None,
            };
            if !cell.counts_all(env) {
                return Ok(None);
            }
            let OnBoard { board, place, image, .. } = cell;
            let value = self.term(w, env, value)?;
            let (values, is_equal) = match (&image, value) {
                (None, value) => (vec![value], is_equal),
                (Some(image), Term::Constant(value)) => {
                    self.values_with(board, image, value, is_equal)
                }
                _ => return Ok(None),
            };
            let sought = Sought { board, values, is_equal, class: 0 };
            return Ok(Some(Look { sought, from, place }));
        }
        Ok(None)
    }

    /// True if a comparison holds from no place.
    fn never_holds(&self, look: &Look) -> bool {
        let mut places = look.place.iter().filter(|&&place| place >= 0);
        look.sought.is_equal && places.all(|&place| self.may_be(&look.sought, place) == Some(false))
    }

    /// The areas of comparisons with one value each: one area for all of a value.
    fn single(&mut self, walks: &[Walk]) -> Option<Vec<Area>> {
        let mut left: Vec<&Look> = walks.iter().flatten().collect();
        let mut areas = Vec::new();
        while let Some(&first) = left.first() {
            let (alike, others) = alike(left, first);
            let rows = 0..first.place.len();
            let cells = |row: usize| {
                let mut members = Vec::new();
                for place in alike.iter().map(|look| look.place[row]).filter(|&place| place >= 0) {
                    if self.may_hold(&first.sought, place)? {
                        members.push(place);
                    }
                }
                Some(self.tables.words_of(members))
            };
            let rows = rows.map(cells).collect::<Option<Vec<_>>>()?;
            areas.push(Area { sought: first.sought.clone(), cells: self.cells(&rows, first.from) });
            left = others;
        }
        Some(areas)
    }

    /// The cells of these areas that have what is sought there.
    pub(super) fn found(
        &mut self,
        w: &mut Writer,
        env: &Env,
        mut areas: Vec<Area>,
    ) -> Option<Code> {
        let mut parts: Vec<Code> = Vec::new();
        while let Some(Area { sought, cells }) = areas.pop() {
            let (alike, others): (Vec<Area>, _) =
                areas.into_iter().partition(|area| area.sought == sought);
            areas = others;
            let cells = alike.into_iter().fold(cells, |all, area| all | area.cells);
            let set = self.set_after(w, env, &sought)?;
            parts.push(if sought.is_equal { cells & set } else { cells.without(set) });
        }
        Some(parts.into_iter().reduce(|all, part| all | part).unwrap_or(Code::NoSites))
    }

    /// For each walk the conditions that its comparisons hold, as numbers without a jump. What
    /// walks look at from one place lies side by side in memory.
    fn all_hold(&mut self, w: &mut Writer, env: &Env, walks: &[Walk]) -> Option<Vec<Vec<Code>>> {
        // Comparisons of a walk with one value, and the cells that they look at from each place.
        let mut parts: Vec<(usize, &Look, Vec<Vec<u64>>)> = Vec::new();
        for (number, looks) in walks.iter().enumerate() {
            let mut left: Vec<&Look> = looks.iter().collect();
            while let Some(&first) = left.first() {
                let (alike, others) = alike(left, first);
                let rows = (0..first.place.len()).map(|row| self.row(&alike, row));
                parts.push((number, first, rows.collect::<Option<_>>()?));
                left = others;
            }
        }
        let mut conditions = vec![Vec::new(); walks.len()];
        while let Some(from) = parts.first().map(|(_, first, _)| first.from) {
            let (here, others): (Vec<_>, Vec<_>) =
                parts.into_iter().partition(|(_, first, _)| first.from == from);
            parts = others;
            let columns: Vec<&[Vec<u64>]> = here.iter().map(|(.., rows)| &rows[..]).collect();
            for ((number, first, _), cells) in here.iter().zip(self.columns(w, &columns, from)) {
                let set = self.set_after(w, env, &first.sought)?;
                let is_equal = first.sought.is_equal;
                let holds = if is_equal { cells.is_subset(set) } else { (cells & set).is_empty() };
                conditions[*number].push(holds);
            }
        }
        Some(conditions)
    }

    /// For each column, which has a row of words for each place, the row of the place.
    fn columns(
        &mut self,
        w: &mut Writer,
        columns: &[&[Vec<u64>]],
        from: Option<Local>,
    ) -> Vec<Code> {
        // So many that a place is one of them for certain.
        let rows = columns.iter().map(|column| column.len()).max().unwrap_or(0);
        let rows = rows.next_power_of_two();
        let none = vec![0; self.map.words];
        let words: Vec<u64> = (0..rows)
            .flat_map(|number| columns.iter().map(move |column| column.get(number)))
            .flat_map(|row| row.unwrap_or(&none).iter().copied())
            .collect();
        let table = self.tables.sets(&mut self.program, &words);
        let first = from.map_or(Code::Int(0), |from| {
            w.var(Type::Int, from.get().and_bits(rows as i32 - 1) * columns.len() as i32).get()
        });
        (0..columns.len() as i32).map(|number| table.at(first.clone() + number)).collect()
    }

    /// The cells that such comparisons look at from one place. Where one cannot hold, a cell that
    /// never has the value stands for it.
    fn row(&self, looks: &[&Look], row: usize) -> Option<Vec<u64>> {
        let sought = &looks.first()?.sought;
        let places = looks.iter().map(|look| look.place[row]);
        let mut members = Vec::new();
        for place in places.filter(|&place| place >= 0) {
            if self.may_be(sought, place)? {
                members.push(place);
            } else if sought.is_equal {
                let never = |&site: &i32| self.may_be(sought, site) == Some(false);
                members.push((0..64 * self.map.words as i32).find(never)?);
            }
        }
        Some(self.tables.words_of(members))
    }

    /// A row of words for each place.
    pub(super) fn cells(&mut self, rows: &[Vec<u64>], from: Option<Local>) -> Code {
        let table = self.tables.sets(&mut self.program, &rows.concat());
        table.at(from.map_or(Code::Int(0), Local::get))
    }

    /// True if a comparison may hold for the cell with this number, which is in the sets of the
    /// board then; `None` if sets do not say.
    pub(super) fn may_hold(&self, sought: &Sought, number: i32) -> Option<bool> {
        if sought.is_equal {
            return self.may_be(sought, number);
        }
        // What cannot be in the set of the value has another one.
        self.is_in_sets(sought.board, number).then_some(true)
    }

    /// True if the cell with this number may have the value, and is in the sets of the board then;
    /// `None` if sets do not say.
    fn may_be(&self, sought: &Sought, number: i32) -> Option<bool> {
        let variable = &self.rules.automaton.variables[sought.board];
        let keys = &self.rules.automaton.sets[variable.shape.keys[0]];
        let is_in_sets = self.is_in_sets(sought.board, number);
        let Some(&symbol) = self.map.symbols.get(number as usize) else { return Some(false) };
        let may_be = |value: &Term| {
            let Term::Constant(value) = *value else { return is_in_sets.then_some(true) };
            let value = self.map.symbols[value as usize];
            let may_be = if keys.is_key(symbol) {
                self.map.ranges.can_hold(sought.board, keys.place(symbol), value)
            } else {
                *variable.start.last()? == value
            };
            if may_be && !is_in_sets { None } else { Some(may_be) }
        };
        let each = sought.values.iter().map(may_be).collect::<Option<Vec<bool>>>()?;
        Some(each.contains(&true))
    }

    /// True if the sets of a board have the cell with this number.
    pub(super) fn is_in_sets(&self, board: Slot, number: i32) -> bool {
        let keys = self.rules.automaton.variables[board].shape.keys[0];
        let symbol = self.map.symbols.get(number as usize);
        let is_key = |&symbol| self.rules.automaton.sets[keys].is_key(symbol);
        self.tables.holds(number) && symbol.is_some_and(is_key)
    }

    /// The set of the values that are sought, after what the walk has written.
    pub(super) fn set_after(&mut self, w: &mut Writer, env: &Env, sought: &Sought) -> Option<Code> {
        let sets = sought.values.iter().map(|value| self.set_of(sought.board, value).ok());
        let sets: Option<Vec<Code>> = sets.collect();
        let mut set = sets?.into_iter().reduce(|all, set| all | set).unwrap_or(Code::NoSites);
        for write in env.writes.iter().filter(|write| write.slot == sought.board) {
            if !write.is_inside {
                return None;
            }
            let cell = Code::single(code_of(&write.keys[0]).ok()?);
            let is_known = matches!(write.value, Term::Constant(_))
                && sought.values.iter().all(|value| matches!(value, Term::Constant(_)));
            set = if is_known && sought.values.contains(&write.value) {
                set | cell
            } else if is_known {
                set.without(cell)
            } else {
                let new = code_of(&write.value).ok()?;
                let values = sought.values.iter().map(|value| code_of(value).ok());
                let values: Option<Vec<Code>> = values.collect();
                let is_there = values?
                    .into_iter()
                    .map(|value| new.clone().equals(value))
                    .reduce(Code::or_bits)
                    .unwrap_or(Code::Int(0));
                set.without(cell.clone()) | is_there.choose(cell, Code::NoSites)
            };
            set = w.var(Type::Set, set).get();
        }
        Some(set)
    }
}

/// The comparisons with the same value from the same place, and the others.
fn alike<'l>(looks: Vec<&'l Look>, first: &Look) -> (Vec<&'l Look>, Vec<&'l Look>) {
    looks.into_iter().partition(|look| look.sought == first.sought && look.from == first.from)
}
