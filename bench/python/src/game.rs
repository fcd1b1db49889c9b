use std::path::PathBuf;

use ggpbench::{Language, Loader};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::batch::Batch;
use crate::calls::{aside, unlocked};
use crate::errors::{exception, problems};
use crate::position::Position;
use crate::rollouts::Rollouts;

/// A game on an engine.
#[pyclass(frozen, module = "ggpbench")]
#[derive(Clone)]
pub(crate) struct Game {
    pub(crate) inner: ggpbench::Game,
    /// How it was loaded, to load it again where it is unpickled.
    arguments: Arguments,
}

#[derive(Clone)]
struct Arguments {
    target: String,
    engine: Option<String>,
    options: Vec<String>,
    size: Option<u32>,
    cap: Option<u32>,
    memory: Option<u64>,
    /// Language and text, for rules that are a text.
    text: Option<(Language, String)>,
}

impl Arguments {
    fn load(&self) -> Result<ggpbench::Game, ggpbench::Error> {
        let mut loader = Loader::new(&self.target);
        if let Some(engine) = &self.engine {
            loader = loader.engine(engine);
        }
        for option in &self.options {
            loader = loader.option(option);
        }
        if let Some(size) = self.size {
            loader = loader.size(size);
        }
        if let Some(cap) = self.cap {
            loader = loader.cap(cap);
        }
        if let Some(memory) = self.memory {
            loader = loader.memory(memory);
        }
        match &self.text {
            None => loader.load(),
            Some((language, text)) => loader.load_text(*language, &self.target, text),
        }
    }

    fn game(self, py: Python<'_>) -> PyResult<Game> {
        let arguments = self.clone();
        let loaded = aside(py, move || self.load())?;
        let inner = loaded.map_err(|error| exception(py, &error))?;
        Ok(Game { inner, arguments })
    }
}

#[pyfunction]
#[pyo3(signature = (target, *, engine=None, options=Vec::new(), size=None, cap=None, memory=None))]
pub(crate) fn load(
    py: Python<'_>,
    target: PathBuf,
    engine: Option<String>,
    options: Vec<String>,
    size: Option<u32>,
    cap: Option<u32>,
    memory: Option<u64>,
) -> PyResult<Game> {
    let target = target.to_string_lossy().into_owned();
    Arguments { target, engine, options, size, cap, memory, text: None }.game(py)
}

#[pyfunction]
#[pyo3(signature = (text, language, *, name="rules", engine=None, options=Vec::new(), cap=None, memory=None))]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub(crate) fn loads(
    py: Python<'_>,
    text: String,
    language: &str,
    name: &str,
    engine: Option<String>,
    options: Vec<String>,
    cap: Option<u32>,
    memory: Option<u64>,
) -> PyResult<Game> {
    let language: Language = language.parse().map_err(PyValueError::new_err)?;
    let target = name.to_owned();
    let text = Some((language, text));
    Arguments { target, engine, options, size: None, cap, memory, text }.game(py)
}

#[pyfunction]
pub(crate) fn games() -> Vec<String> {
    ggpbench::games()
}

#[pyfunction]
pub(crate) fn engines() -> Vec<&'static str> {
    ggpbench::engines()
}

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
