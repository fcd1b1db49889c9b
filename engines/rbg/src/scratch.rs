//! Memory of searches.

use crate::bits::Bits;
use crate::description::{Piece, Var};
use crate::place::{Change, Place};
use crate::state::State;

/// The value of a register that holds a set.
pub(crate) const SET: u16 = u16::MAX;
/// The value of a register that holds no cell. Its two bytes differ, so that the compiler clears a
/// few registers by a store instead of a call.
pub(crate) const NOWHERE: u16 = u16::MAX - 1;

/// A change that can be taken back.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Undo {
    Off(u16, Piece),
    Assign(Var, i32),
}

/// The memory of a search, kept from one search to the next.
#[derive(Debug)]
pub(crate) struct Scratch<const W: usize> {
    /// The value of each register: a cell, or [`NOWHERE`] or [`SET`].
    pub(crate) registers: Vec<u16>,
    /// Number of registers in use.
    pub(crate) top: usize,
    /// The sets of the registers that hold one; the others have old ones.
    pub(crate) sets: Vec<Bits<W>>,
    pub(crate) undo: Vec<Undo>,
    pub(crate) prefix: Vec<Change>,
    pub(crate) depth: u32,
    /// Number of steps that this search may still take.
    pub(crate) left: u64,
    budget: u64,
}

impl<const W: usize> Scratch<W> {
    /// Memory for searches of at most `budget` steps each.
    pub(crate) fn new(budget: u64) -> Scratch<W> {
        Scratch {
            registers: Vec::new(),
            top: 0,
            sets: Vec::new(),
            undo: Vec::new(),
            prefix: Vec::new(),
            depth: 0,
            left: budget,
            budget,
        }
    }

    /// Counts a step; false when the search has taken too many.
    #[inline(always)]
    pub(crate) fn afford(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left > 0
    }

    /// Forgets the steps of the last search.
    pub(crate) fn refill(&mut self) {
        self.left = self.budget;
    }

    /// True if the search has taken too many steps.
    pub(crate) fn is_spent(&self) -> bool {
        self.left == 0
    }

    /// Puts a piece, to be taken back.
    #[inline(always)]
    pub(crate) fn put(&mut self, cell: u16, piece: Piece, state: &mut State<W>) {
        let old = state.put(cell, piece);
        self.undo.push(Undo::Off(cell, old));
    }

    /// Gives a variable a value, to be taken back.
    #[inline(always)]
    pub(crate) fn assign(&mut self, var: Var, value: i32, state: &mut State<W>) {
        let old = std::mem::replace(&mut state.vars[usize::from(var)], value);
        self.undo.push(Undo::Assign(var, old));
    }

    /// Makes room for registers from `base` on, with a cell in the first and nothing in the others.
    #[inline(always)]
    pub(crate) fn enter(&mut self, base: usize, registers: u32, cell: u16) {
        self.top = base + registers as usize;
        if self.registers.len() < self.top {
            self.registers.resize(self.top, NOWHERE);
            self.sets.resize(self.top, Bits::EMPTY);
        }
        self.registers[base..self.top].fill(NOWHERE);
        self.registers[base] = cell;
    }

    #[inline(always)]
    pub(crate) fn read(&self, register: usize) -> Place<W> {
        match self.registers[register] {
            NOWHERE => Place::Nowhere,
            SET => Place::Set(self.sets[register]),
            cell => Place::Cell(cell),
        }
    }

    #[inline(always)]
    pub(crate) fn write(&mut self, register: usize, place: &Place<W>) {
        self.registers[register] = match place {
            Place::Nowhere => NOWHERE,
            Place::Cell(cell) => *cell,
            Place::Set(set) => {
                self.sets[register] = *set;
                SET
            }
        };
    }

    pub(crate) fn reset(&mut self) {
        self.clear();
        self.refill();
    }

    /// Begins anew, and keeps the number of steps that are left.
    pub(crate) fn clear(&mut self) {
        self.top = 0;
        self.undo.clear();
        self.prefix.clear();
        self.depth = 0;
    }
}
