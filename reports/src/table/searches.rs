//! Searches beside the playouts of the same engine.

use super::{Bound, Column, Figures, Summary, Table};
use crate::rows::Via;
use crate::stats::{Estimate, Statistic};

/// Simulations of searches over playouts: how much of its speed from the start an engine keeps where
/// a search asks for its playouts, as ratios formed inside the processes that both share.
#[derive(Debug, Clone, PartialEq)]
pub struct Searches {
    /// The columns with searches that have a ratio, by their numbers.
    pub columns: Vec<usize>,
    /// Row by row a ratio for each of these columns; `None` where either side has no figures.
    pub ratios: Vec<Vec<Option<Estimate>>>,
    /// The geometric mean of each of these columns.
    pub means: Vec<Option<Summary>>,
}

impl Table {
    /// Simulations over playouts; `None` where no engine has both.
    pub fn searches(&self) -> Option<Searches> {
        let ratio = |row: usize, column: usize| -> Option<Statistic> {
            let search = self.figures(row, column)?;
            search.speedup_over(self.playouts_beside(row, column)?, row as u64)
        };
        let rows = 0..self.games().len();
        let has_any = |&column: &usize| rows.clone().any(|row| ratio(row, column).is_some());
        let of_searches = |&column: &usize| self.columns()[column].via == Via::Uct;
        let columns: Vec<usize> =
            (0..self.columns().len()).filter(of_searches).filter(has_any).collect();
        if columns.is_empty() {
            return None;
        }
        let ratios: Vec<Vec<Option<Statistic>>> =
            rows.map(|row| columns.iter().map(|&column| ratio(row, column)).collect()).collect();
        let mean = |place: usize| {
            let of = ratios.iter().filter_map(|row| row[place].as_ref());
            Summary::of(&of.map(|ratio| (Bound::Exact, ratio)).collect::<Vec<_>>())
        };
        let means = (0..columns.len()).map(mean).collect();
        let estimate = |ratio: &Option<Statistic>| ratio.as_ref().map(Statistic::estimate);
        let ratios = ratios.iter().map(|row| row.iter().map(estimate).collect()).collect();
        Some(Searches { columns, ratios, means })
    }

    /// The playouts that a column of searches stands beside: those of its engine, whether or not one
    /// of the two is tabled.
    fn playouts_beside(&self, row: usize, column: usize) -> Option<&Figures> {
        let search = &self.columns()[column];
        let is_plain = |other: &&Column| {
            other.via == Via::Fast
                && Column { via: search.via, tabled: search.tabled, ..(*other).clone() } == *search
        };
        let mut plain = self.columns().iter().enumerate().filter(|(_, other)| is_plain(other));
        plain.find_map(|(number, _)| self.figures(row, number))
    }
}
