//! Columns folded for narrow places: an engine's tabled playouts stand in one column with its
//! others.

use super::{Cell, Column, Table};

/// A column of a narrow table: an engine and its loop, whether or not its playouts are tabled.
///
/// An engine tables some games and plays the others, so its two columns mostly fill each other's
/// gaps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    /// The settings that the folded columns have in common; [`Column::tabled`] only if all of them
    /// are.
    pub column: Column,
    /// The numbers of the columns, one or two.
    pub numbers: Vec<usize>,
}

impl Table {
    /// All columns, each tabled one folded into its counterpart unless both have figures for the
    /// same game.
    pub fn ways(&self) -> Vec<Way> {
        let mut ways: Vec<Way> = Vec::new();
        for (number, column) in self.columns().iter().enumerate() {
            let counterpart = Column { tabled: !column.tabled, ..column.clone() };
            let partner = ways.iter_mut().find(|way| {
                way.column == counterpart
                    && !(0..self.games().len()).any(|row| {
                        let measured = |number| self.figures(row, number).is_some();
                        measured(number) && way.numbers.iter().any(|&other| measured(other))
                    })
            });
            match partner {
                Some(way) => {
                    way.column.tabled = false;
                    way.numbers.push(number);
                }
                None => ways.push(Way { column: column.clone(), numbers: vec![number] }),
            }
        }
        ways
    }
}

impl Way {
    /// The number of the column in which a game's cell stands: the one with figures where there are
    /// two.
    pub fn number(&self, table: &Table, row: usize) -> Option<usize> {
        let having = |test: &dyn Fn(usize) -> bool| {
            self.numbers.iter().copied().find(|&number| test(number))
        };
        having(&|number| table.figures(row, number).is_some())
            .or_else(|| having(&|number| table.cell(row, number).is_some()))
    }

    /// A game's cell, and whether it must be marked as tabled because others of this column are
    /// not.
    pub fn cell<'t>(&self, table: &'t Table, row: usize) -> Option<(&'t Cell, bool)> {
        let number = self.number(table, row)?;
        let marked = self.numbers.len() > 1 && table.columns()[number].tabled;
        Some((table.cell(row, number)?, marked))
    }
}
