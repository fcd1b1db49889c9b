use ggpbench::Tally;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// The results of random playouts.
#[pyclass(frozen, module = "ggpbench")]
pub(crate) struct Rollouts {
    tally: Tally,
    players: usize,
}

impl Rollouts {
    pub(crate) fn new(tally: Tally, players: usize) -> Rollouts {
        Rollouts { tally, players }
    }
}

#[pymethods]
impl Rollouts {
    /// How many there were.
    #[getter]
    fn playouts(&self) -> u64 {
        self.tally.playouts
    }

    /// Plies in all of them.
    #[getter]
    fn plies(&self) -> u64 {
        self.tally.plies
    }

    /// Playouts that the ply cap ended.
    #[getter]
    fn capped(&self) -> u64 {
        self.tally.capped
    }

    /// Playouts that ended where the rules leave the position undefined.
    #[getter]
    fn stuck(&self) -> u64 {
        self.tally.stuck
    }

    /// 64 bits that tell playouts apart: equal for equal ids, lengths and scores.
    #[getter]
    fn digest(&self) -> u64 {
        self.tally.digest
    }

    /// Plies of a playout.
    #[getter]
    fn mean_plies(&self) -> f64 {
        self.tally.plies as f64 / self.tally.playouts as f64
    }

    /// Mean score of each player over the playouts that ended by the rules; nan if none did.
    #[getter]
    fn mean_scores(&self) -> Vec<f64> {
        let mut sums = vec![0.0; self.players];
        let mut ended = 0;
        for (scores, count) in self.tally.outcomes() {
            ended += count;
            for (sum, score) in sums.iter_mut().zip(scores.iter()) {
                *sum += f64::from(score) * count as f64;
            }
        }
        sums.into_iter().map(|sum| sum / ended as f64).collect()
    }

    /// How many playouts ended with which scores of the players.
    #[getter]
    fn outcomes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let outcomes = PyDict::new(py);
        for (scores, count) in self.tally.outcomes() {
            outcomes.set_item(PyTuple::new(py, scores.iter())?, count)?;
        }
        Ok(outcomes)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Rollouts>().is_ok_and(|other| other.get().tally == self.tally)
    }

    fn __len__(&self) -> usize {
        self.tally.playouts as usize
    }

    fn __repr__(&self) -> String {
        format!(
            "<ggpbench.Rollouts of {} playouts, {} plies>",
            self.tally.playouts, self.tally.plies
        )
    }
}
