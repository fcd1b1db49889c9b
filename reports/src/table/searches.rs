//! Searches beside the playouts of the same engine.

use super::speedup::{any_in, estimates};
use super::{Bound, Column, Figures, Summary, Table};
use crate::rows::Via;
use crate::stats::{Estimate, Statistic};

/// Simulations of searches over playouts: how much of its speed from the start an engine keeps
/// where a search asks for its playouts, as ratios formed inside the processes that both share.
#[derive(Debug, Clone, PartialEq)]
pub struct Searches {
    /// Row by row and column by column; `None` where either side has no figures, and in columns of
    /// other ways.
    pub ratios: Vec<Vec<Option<Estimate>>>,
    /// Each column's geometric mean.
    pub means: Vec<Option<Summary>>,
}

impl Searches {
    /// The columns with a ratio.
    pub fn columns(&self) -> impl Iterator<Item = usize> {
        (0..self.means.len()).filter(|&column| any_in(&self.ratios, column))
    }
}

impl Table {
    /// Simulations over playouts; `None` where no engine has both.
    pub fn searches(&self) -> Option<Searches> {
        let columns = 0..self.columns().len();
        let ratio = |row: usize, column: usize| {
            let plain = self.playouts_beside(row, column)?;
            self.figures(row, column)?.speedup_over(plain, row as u64)
        };
        let ratios: Vec<Vec<Option<Statistic>>> = (0..self.games().len())
            .map(|row| columns.clone().map(|column| ratio(row, column)).collect())
            .collect();
        let mean = |column: usize| {
            let of = ratios.iter().filter_map(|row| row[column].as_ref());
            Summary::of(&of.map(|ratio| (Bound::Exact, ratio)).collect::<Vec<_>>())
        };
        let searches = Searches { means: columns.map(mean).collect(), ratios: estimates(&ratios) };
        let any = searches.columns().next().is_some();
        any.then_some(searches)
    }

    /// The playouts that a column of searches stands beside: those of its engine, whether or not
    /// one of the two is tabled.
    fn playouts_beside(&self, row: usize, column: usize) -> Option<&Figures> {
        let search = Some(&self.columns()[column]).filter(|column| column.via == Via::Uct)?;
        let is_plain = |other: &&Column| {
            other.via == Via::Fast
                && Column { via: search.via, tabled: search.tabled, ..(*other).clone() } == *search
        };
        let mut plain = self.columns().iter().enumerate().filter(|(_, other)| is_plain(other));
        plain.find_map(|(number, _)| self.figures(row, number))
    }
}
