use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::batch::Batch;
use crate::calls::unlocked;
use crate::errors::problems;
use crate::loaded::{Arguments, Game};
use crate::position::Position;
use crate::rollouts::Rollouts;

#[pymethods]
impl Game {
    #[getter]
    fn id(&self) -> &str {
        self.inner.id()
    }

    #[getter]
    fn title(&self) -> &str {
        self.inner.title()
    }

    #[getter]
    fn engine(&self) -> &str {
        self.inner.engine()
    }

    #[getter]
    fn language(&self) -> &str {
        self.inner.language().name()
    }

    #[getter]
    fn players(&self) -> usize {
        self.inner.players()
    }

    #[getter]
    fn cap(&self) -> u32 {
        self.inner.cap()
    }

    #[getter]
    fn hidden(&self) -> bool {
        self.inner.facts().hidden
    }

    #[getter]
    fn chance(&self) -> bool {
        self.inner.facts().chance
    }

    #[getter]
    fn simultaneous(&self) -> bool {
        self.inner.facts().simultaneous
    }

    #[getter]
    fn method(&self) -> &'static str {
        self.inner.method().name()
    }

    #[getter]
    fn state_bytes(&self) -> usize {
        self.inner.facts().state_bytes
    }

    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        problems(py, self.inner.warnings())
    }

    #[getter]
    fn build<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let build = PyDict::new(py);
        for (name, number) in &self.inner.facts().build {
            build.set_item(name, number)?;
        }
        Ok(build)
    }

    #[getter]
    fn actions(&self) -> Option<Vec<String>> {
        self.inner.encoding().map(|encoding| encoding.actions.clone())
    }

    #[getter]
    fn num_actions(&self) -> Option<usize> {
        self.inner.encoding().map(|encoding| encoding.actions.len())
    }

    #[getter]
    fn sites(&self) -> Option<Vec<String>> {
        self.inner.encoding().map(|encoding| encoding.sites.clone())
    }

    #[getter]
    fn kinds(&self) -> Option<Vec<String>> {
        self.inner.encoding().map(|encoding| encoding.kinds.clone())
    }

    #[pyo3(signature = (seed=0))]
    fn open(&self, py: Python<'_>, seed: u64) -> PyResult<Position> {
        let position = unlocked(py, || self.inner.open(seed))?;
        Ok(Position::new(self.clone(), position, seed))
    }

    #[pyo3(signature = (n, seed=0, threads=1, first=0))]
    fn rollouts(
        &self,
        py: Python<'_>,
        n: u64,
        seed: u64,
        threads: usize,
        first: u64,
    ) -> PyResult<Rollouts> {
        if threads == 0 || threads > 1024 {
            return Err(PyValueError::new_err(format!("{threads} threads: expected 1 to 1024")));
        }
        if n > u64::MAX - first {
            return Err(PyValueError::new_err("first + n does not fit into 64 bits"));
        }
        let mut rollouts = ggpbench::Rollouts::new(&self.inner, first, n, seed, threads);
        while unlocked(py, || rollouts.advance())? {
            py.check_signals()?;
        }
        Ok(Rollouts::new(rollouts.into_tally(), self.inner.players()))
    }

    #[pyo3(signature = (n, seed=0, threads=1, auto_reset=false))]
    fn batch(
        &self,
        py: Python<'_>,
        n: usize,
        seed: u64,
        threads: usize,
        auto_reset: bool,
    ) -> PyResult<Batch> {
        Batch::new(py, self, n, seed, threads, auto_reset)
    }

    fn __repr__(&self) -> String {
        format!("<ggpbench.Game {} on {}>", self.inner.id(), self.inner.engine())
    }

    // It never changes.
    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let Arguments { target, engine, options, size, cap, memory, text } = self.arguments.clone();
        let text = text.map(|(language, text)| (language.name(), text));
        let arguments = (target, engine, options, size, cap, memory, text);
        let again = py.import("ggpbench._again")?.getattr("game")?;
        Ok((again, arguments.into_pyobject(py)?.into_any()))
    }
}
