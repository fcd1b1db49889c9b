use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use ggpbench::{BatchSettings, Encoding, Language, Loader, SiteGrid};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::calls::aside;
use crate::errors::{UnsupportedError, exception};
use crate::numbers::optional;

/// A game on an engine. It never changes, may be used by several threads, and can be pickled.
#[pyclass(frozen, module = "ggpbench")]
#[derive(Clone)]
pub(crate) struct Game {
    pub(crate) inner: ggpbench::Game,
    /// How it was loaded, to load it again where it is unpickled.
    pub(crate) arguments: Arguments,
    /// The same on the first engine that writes it in numbers, once somebody asks.
    elsewhere: Arc<OnceLock<Option<ggpbench::Game>>>,
}

impl Game {
    /// The game on an engine that writes it in numbers: this one, or else the first that does if
    /// nobody named an engine.
    pub(crate) fn written_in_numbers(&self, py: Python<'_>) -> PyResult<Game> {
        if self.inner.encoding().is_some() {
            return Ok(self.clone());
        }
        match self.elsewhere(py)? {
            Some(inner) if self.arguments.engine.is_none() => {
                let mut arguments = self.arguments.clone();
                arguments.engine = Some(inner.engine().to_owned());
                Ok(Game { inner, arguments, elsewhere: Arc::default() })
            }
            _ => Err(self.without_codes(py)),
        }
    }

    /// A batch on this engine whose positions begin where a list says.
    pub(crate) fn batch_at(
        &self,
        positions: &[String],
        settings: BatchSettings,
    ) -> Result<ggpbench::Batch, ggpbench::Error> {
        let Arguments { target, text, .. } = &self.arguments;
        let loader = self.arguments.loader().engine(self.inner.engine());
        match text {
            None => loader.batch_at(positions, settings),
            Some((language, text)) => {
                loader.batch_of_text_at((*language, target, text), positions, settings)
            }
        }
    }

    fn elsewhere(&self, py: Python<'_>) -> PyResult<Option<ggpbench::Game>> {
        if let Some(known) = self.elsewhere.get() {
            return Ok(known.clone());
        }
        let arguments = Arguments { engine: None, ..self.arguments.clone() };
        let loaded = aside(py, move || arguments.load(true))?.ok();
        Ok(self.elsewhere.get_or_init(|| loaded).clone())
    }

    /// The encoding of the game on this engine.
    pub(crate) fn encoding(&self, py: Python<'_>) -> PyResult<&Encoding> {
        self.inner.encoding().ok_or_else(|| self.without_codes(py))
    }

    /// The grid on which sites lie.
    pub(crate) fn site_grid(&self, py: Python<'_>) -> PyResult<&SiteGrid> {
        self.encoding(py)?;
        self.inner.grid().ok_or_else(|| {
            UnsupportedError::new_err(format!(
                "the sites of {} on {} lie on no grid: `planes` has them in the order of \
                 `Game.sites`",
                self.inner.id(),
                self.inner.engine()
            ))
        })
    }

    /// An error where the board is to be turned and cannot be.
    pub(crate) fn check_turned(&self, turned: bool) -> PyResult<()> {
        if !turned || self.inner.turned().is_some() {
            return Ok(());
        }
        Err(UnsupportedError::new_err(format!(
            "{} does not know how the board of {} is turned for the second player",
            self.inner.engine(),
            self.inner.id()
        )))
    }

    /// The error that actions and squares have no numbers on this engine, with one that has them.
    pub(crate) fn without_codes(&self, py: Python<'_>) -> PyErr {
        let (id, engine) = (self.inner.id(), self.inner.engine());
        let cure = match self.elsewhere(py) {
            Err(error) => return error,
            Ok(None) => "no engine has them: play by labels".to_owned(),
            Ok(Some(other)) if self.arguments.engine.is_some() => {
                format!("load it with engine=\"{}\", or without one", other.engine())
            }
            Ok(Some(other)) => {
                format!("`Game.coded()` is the game on `{}`, which has them", other.engine())
            }
        };
        UnsupportedError::new_err(format!(
            "{id} on {engine} has no numbers for actions and squares: {cure}"
        ))
    }
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
    /// Loads the game; if it is to be coded, on the first engine that writes it in numbers.
    fn load(&self, coded: bool) -> Result<ggpbench::Game, ggpbench::Error> {
        let loader = if coded { self.loader().coded() } else { self.loader() };
        match &self.text {
            None => loader.load(),
            Some((language, text)) => loader.load_text(*language, &self.target, text),
        }
    }

    fn loader(&self) -> Loader {
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
        loader
    }

    fn game(self, py: Python<'_>) -> PyResult<Game> {
        let arguments = self.clone();
        let loaded = aside(py, move || self.load(false))?;
        let inner = loaded.map_err(|error| exception(py, &error))?;
        Ok(Game { inner, arguments, elsewhere: Arc::default() })
    }
}

/// Loads a game.
///
/// Args:
///     target: a game of the catalogue by its id (``"breakthrough-8x8"``), a family of games by its
///         id together with ``size`` (``"hex"``), or the path of a rule file: ``.lud``, ``.kif``
///         (or ``.gdl``), ``.rbg``.
///     engine: one of :func:`engines`; else the first that plays it: hand-coded where there is such
///         a module. Batches and adapters are on the first engine that writes the game in numbers
///         if none is named, see :meth:`Game.coded`.
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
    #[pyo3(from_py_with = optional)] size: Option<u32>,
    position: Option<String>,
    #[pyo3(from_py_with = optional)] cap: Option<u32>,
    #[pyo3(from_py_with = optional)] memory: Option<u64>,
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
    #[pyo3(from_py_with = optional)] cap: Option<u32>,
    #[pyo3(from_py_with = optional)] memory: Option<u64>,
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
