//! Assignments of a walk: kept as terms, and written when the move is made.

use kernel::build::CodeBuilder;
use kernel::ir::{Expr as Code, Type};

use super::arrays::{BOARDS, CELLS, SCALARS};
use super::conditions::code_of;
use super::terms::{Alias, Env, Source, Term, Write};
use super::walk::{Compiler, Goal, Stop};
use super::writer::Writer;
use crate::automaton::{Cell, Expr, NodeId, Place, Slot};

/// The most words of the sets of a board that are written by their names, all of them each time.
const MAX_NAMED: usize = 12;

impl Compiler<'_> {
    /// The cell of a map of the game that keys lead to.
    pub(super) fn address(&mut self, slot: Slot, keys: &[Term]) -> Result<Code, Stop> {
        let base = (self.map.places[slot].base - self.map.scalars) as i32;
        let index = match keys {
            [key] => code_of(key)?,
            _ => self.index(&self.rules.automaton.variables[slot].shape, keys)?,
        };
        Ok(match index {
            Code::Int(number) => Code::Int(base + number),
            index if base == 0 => index,
            index => index + base,
        })
    }

    /// Gives a variable a map as a whole.
    pub(super) fn alias(
        &mut self,
        w: &mut Writer,
        env: &mut Env,
        target: &Place,
        value: &Expr,
    ) -> Result<(), Stop> {
        let (source, place) = match value {
            Expr::Variable(place) => (Source::Variable(place.slot), place),
            Expr::Constant(place) => (Source::Constant(place.slot), place),
            Expr::Symbol(_) => return Err(Stop::Unsupported("a map that is a symbol")),
        };
        let automaton = &self.rules.automaton;
        let own = &automaton.variables[target.slot].shape;
        let shape = match source {
            Source::Variable(slot) => &automaton.variables[slot].shape,
            Source::Constant(slot) => &automaton.constants[slot].shape,
        };
        if !target.keys.is_empty() || own.keys != shape.keys[place.keys.len()..] {
            return Err(Stop::Unsupported("a map that is assigned to a part of another"));
        }
        let is_same = source == Source::Variable(target.slot);
        let names = |alias: &Alias| alias.source == Source::Variable(target.slot);
        if is_same || env.aliases.values().any(names) {
            return Err(Stop::Unsupported("a map that is assigned to itself"));
        }
        let keys = self.keys(w, env, place)?;
        let mut alias = Alias { source, keys, writes: env.writes.len() };
        if let Source::Variable(slot) = source
            && let Some(named) = env.aliases.get(&slot)
        {
            if env.writes.iter().any(|write| write.slot == slot) {
                return Err(Stop::Unsupported("a copy of a map that is written"));
            }
            alias = Alias { keys: [&named.keys[..], &alias.keys].concat(), ..named.clone() };
        }
        // What was written to the old map is lost with it.
        if env.writes.iter().any(|write| write.slot == target.slot) {
            return Err(Stop::Unsupported("a map that is written, and then assigned as a whole"));
        }
        env.cells.retain(|(slot, ..)| *slot != target.slot);
        env.aliases.insert(target.slot, alias);
        Ok(())
    }

    /// Assigns a value to a variable or to a cell of one.
    pub(super) fn assign(
        &mut self,
        w: &mut Writer,
        target: &Place,
        value: Term,
        env: &mut Env,
        goal: &Goal,
    ) -> Result<(), Stop> {
        if target.keys.is_empty() {
            env.loaded.remove(&target.slot);
            env.assigned.insert(target.slot, value);
            return Ok(());
        }
        if goal.is_in_loop() {
            return Err(Stop::Unsupported("a loop that writes to a map"));
        }
        let keys = self.keys(w, env, target)?;
        let same = |write: &Write| write.slot == target.slot && write.keys == keys;
        match env.writes.last_mut() {
            Some(last) if same(last) => last.value = value,
            _ => {
                let is_inside = self.map.ranges.is_inside(target);
                env.writes.push(Write { slot: target.slot, keys, value, is_inside });
            }
        }
        Ok(())
    }

    /// Writes the cells and variables that a walk has assigned, as far as they matter at the node
    /// that it leads to.
    pub(super) fn write_all(&mut self, w: &mut Writer, env: &Env, to: NodeId) -> Result<(), Stop> {
        let liveness = &self.rules.liveness;
        if env.aliases.keys().any(|&slot| liveness.is_live(to, slot)) {
            return Err(Stop::Unsupported("a map that is kept as a copy"));
        }
        for write in env.writes.iter().filter(|write| liveness.is_live(to, write.slot)) {
            self.write(w, write)?;
        }
        for (&slot, term) in &env.assigned {
            if liveness.is_live(to, slot) {
                w.store(SCALARS, self.map.places[slot].base as i32, code_of(term)?);
            }
        }
        Ok(())
    }

    pub(super) fn write(&mut self, w: &mut Writer, write: &Write) -> Result<(), Stop> {
        let Write { slot, keys, value, is_inside } = write;
        let depth = w.depth();
        if !is_inside && let Some(is_key) = self.outside(*slot, keys)? {
            w.open_if(is_key);
        }
        let address = self.address(*slot, keys)?;
        let value_code = code_of(value)?;
        if self.map.places[*slot].board.is_some() {
            self.put(w, *slot, &code_of(&keys[0])?, &address, value)?;
        }
        w.store(CELLS, address, value_code);
        w.close_to(depth);
        Ok(())
    }

    /// Moves a key of a board to the set of a value, out of that where it is. Few sets are named by
    /// constants, so that they can be variables of machine code.
    fn put(
        &mut self,
        w: &mut Writer,
        slot: Slot,
        key: &Code,
        address: &Code,
        value: &Term,
    ) -> Result<(), Stop> {
        let values = self.map.places[slot].board.as_ref().map_or(&[][..], |board| &board.values);
        if values.len() * self.map.words > MAX_NAMED {
            let old = Term::Local(w.var(Type::Int, CELLS.at(address.clone())));
            for (value, there) in [(&old, false), (value, true)] {
                if let Code::LoadSet(_, index) = self.set_of(slot, value)? {
                    w.put(BOARDS, *index, key.clone(), there);
                }
            }
            return Ok(());
        }
        for &number in values {
            let Code::LoadSet(_, index) = self.set_of(slot, &Term::Constant(number))? else {
                continue;
            };
            if !self.may_change(slot, number) {
                continue;
            }
            match value {
                Term::Constant(value) => w.put(BOARDS, *index, key.clone(), number == *value),
                value => {
                    let is_there = code_of(value)?.equals(number);
                    w.either(
                        is_there,
                        |w| w.put(BOARDS, *index.clone(), key.clone(), true),
                        |w| w.put(BOARDS, *index.clone(), key.clone(), false),
                    );
                }
            }
        }
        Ok(())
    }

    /// True if a value may be written to a cell, or be where another is written.
    fn may_change(&self, slot: Slot, number: i32) -> bool {
        let ranges = &self.map.ranges;
        let value = self.map.symbols[number as usize];
        let mut cells = 0..self.rules.automaton.variables[slot].start.len();
        cells.any(|cell| ranges.is_written(slot, cell) && ranges.can_hold(slot, cell, value))
    }

    /// The condition that all keys are keys of the map, if that is not certain: what is written
    /// elsewhere is lost.
    pub(super) fn outside(&mut self, slot: Slot, keys: &[Term]) -> Result<Option<Code>, Stop> {
        let mut all: Option<Code> = None;
        let shape = &self.rules.automaton.variables[slot].shape;
        for (&set, key) in shape.keys.iter().zip(keys) {
            let set = &self.rules.automaton.sets[set];
            let is_key = |&symbol: &Cell| i32::from(set.is_key(symbol));
            let condition = match key {
                Term::Constant(number) if is_key(&self.map.symbols[*number as usize]) == 1 => {
                    continue;
                }
                Term::Constant(_) => Code::Int(0),
                key => {
                    let keys: Vec<i32> = self.map.symbols.iter().map(is_key).collect();
                    self.tables.ints(&mut self.program, &keys).at(code_of(key)?)
                }
            };
            all = Some(match all {
                Some(all) => all.and(condition),
                None => condition,
            });
        }
        Ok(all)
    }
}
