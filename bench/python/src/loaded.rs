use std::path::PathBuf;

use ggpbench::{Language, Loader};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::calls::aside;
use crate::errors::exception;

/// A game on an engine. It never changes, may be used by several threads, and can be pickled.
#[pyclass(frozen, module = "ggpbench")]
#[derive(Clone)]
pub(crate) struct Game {
    pub(crate) inner: ggpbench::Game,
    /// How it was loaded, to load it again where it is unpickled.
    pub(crate) arguments: Arguments,
}

#[derive(Clone)]
pub(crate) struct Arguments {
    pub(crate) target: String,
    pub(crate) engine: Option<String>,
    pub(crate) options: Vec<String>,
    pub(crate) size: Option<u32>,
    pub(crate) position: Option<String>,
    pub(crate) cap: Option<u32>,
    pub(crate) memory: Option<u64>,
    /// Language and text, for rules that are a text.
    pub(crate) text: Option<(Language, String)>,
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
        if let Some(position) = &self.position {
            loader = loader.position(position);
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

/// Loads a game.
///
/// Args:
///     target: a game of the catalogue by its id (``"breakthrough-8x8"``), a family of games by its
///         id together with ``size`` (``"hex"``), or the path of a rule file: ``.lud``, ``.kif``
///         (or ``.gdl``), ``.rbg``.
///     engine: one of :func:`engines`; else the first that plays it: hand-coded where there is such
///         a module.
///     options: options of the rules, such as ``["Board Size/8x8"]``.
///     size: size of a game of a family.
///     position: where it begins: the labels of the plies that lead there (``"d1 d2"``), or in the
///         notation that the game names (FEN for chess).
///     cap: plies after which a playout is given up; else what the catalogue says, or 2,000.
///     memory: bytes that compiling may take, about; 4 GiB if not given.
///
/// Raises:
///     RulesError: the rules have faults.
///     UnsupportedError: no engine reads them in every part, or a limit was reached.
///     ValueError: there is no such game, engine, option or size.
///     OSError: the file cannot be read.
///     KeyboardInterrupt: Ctrl-C was pressed.
#[pyfunction]
#[pyo3(signature = (
    target, *, engine=None, options=Vec::new(), size=None, position=None, cap=None, memory=None
))]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub(crate) fn load(
    py: Python<'_>,
    target: PathBuf,
    engine: Option<String>,
    options: Vec<String>,
    size: Option<u32>,
    position: Option<String>,
    cap: Option<u32>,
    memory: Option<u64>,
) -> PyResult<Game> {
    let target = target.to_string_lossy().into_owned();
    Arguments { target, engine, options, size, position, cap, memory, text: None }.game(py)
}

/// Loads rules that are a text: ``language`` is ``lud``, ``kif`` or ``rbg``, and ``name`` is what
/// messages call it. All else is as in :func:`load`.
#[pyfunction]
#[pyo3(signature = (
    text, language, *, name="rules", engine=None, options=Vec::new(), position=None, cap=None,
    memory=None
))]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub(crate) fn loads(
    py: Python<'_>,
    text: String,
    language: &str,
    name: &str,
    engine: Option<String>,
    options: Vec<String>,
    position: Option<String>,
    cap: Option<u32>,
    memory: Option<u64>,
) -> PyResult<Game> {
    let language: Language = language.parse().map_err(PyValueError::new_err)?;
    let target = name.to_owned();
    let text = Some((language, text));
    Arguments { target, engine, options, size: None, position, cap, memory, text }.game(py)
}

/// The ids of all games of the catalogue.
#[pyfunction]
pub(crate) fn games() -> Vec<String> {
    ggpbench::games()
}

/// The names of all engines.
#[pyfunction]
pub(crate) fn engines() -> Vec<&'static str> {
    ggpbench::engines()
}
