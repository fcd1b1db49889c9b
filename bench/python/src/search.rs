use std::sync::{Mutex, MutexGuard, PoisonError};

use ggpbench::ActionValue;
use numpy::{IntoPyArray, PyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::calls::in_slices;
use crate::numbers::whole;

/// A search tree that UCT grows, see :meth:`Position.search`. It stays as it is when the position
/// goes on; :meth:`advance` follows.
#[pyclass(frozen, module = "ggpbench")]
pub(crate) struct Search {
    inner: Mutex<Box<dyn ggpbench::Search>>,
}

impl Search {
    pub(crate) fn new(inner: Box<dyn ggpbench::Search>) -> Search {
        Search { inner: Mutex::new(inner) }
    }

    fn lock(&self) -> MutexGuard<'_, Box<dyn ggpbench::Search>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn values(&self) -> Vec<ActionValue> {
        self.lock().values()
    }
}

#[pymethods]
impl Search {
    /// Makes ``n`` simulations more. The interpreter's lock is released, and Ctrl-C works. What
    /// they do depends on the seed and their number alone.
    fn simulate(&self, py: Python<'_>, #[pyo3(from_py_with = whole)] n: u64) -> PyResult<()> {
        in_slices(py, n, |_, count| self.lock().simulate(count))
    }

    /// How many playouts began with each legal action, in the order of :meth:`Position.legal`.
    #[getter]
    fn visits<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        let visits: Vec<u64> = self.values().into_iter().map(|value| value.visits).collect();
        visits.into_pyarray(py)
    }

    /// The mean payoffs of these to the player who chooses; nan if there are none.
    #[getter]
    fn means<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        let mean = |value: ActionValue| if value.visits > 0 { value.mean } else { f64::NAN };
        let means: Vec<f64> = self.values().into_iter().map(mean).collect();
        means.into_pyarray(py)
    }

    /// How many positions the tree has.
    #[getter]
    fn nodes(&self) -> usize {
        self.lock().nodes()
    }

    /// Makes the position after an action, by its number, the root. What was found below it is
    /// kept; true if anything was.
    fn advance(&self, #[pyo3(from_py_with = whole)] action: usize) -> PyResult<bool> {
        let mut search = self.lock();
        let legal = search.values().len();
        if action >= legal {
            let message = format!("action {action} is not legal; expected one of {legal}");
            return Err(PyValueError::new_err(message));
        }
        Ok(search.advance(action))
    }

    fn __repr__(&self) -> String {
        let visits: u64 = self.values().into_iter().map(|value| value.visits).sum();
        format!("Search({visits} playouts, {} nodes)", self.nodes())
    }
}
