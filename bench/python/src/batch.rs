use std::sync::{Mutex, PoisonError};

use ggpbench::Views;
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::calls::{guarded, unlocked};
use crate::errors::exception;
use crate::loaded::Game;

/// Positions of one game that go on together.
///
/// Its arrays are made once and written by :meth:`reset` and :meth:`step`: copy what you want to
/// keep, and do not write into them.
#[pyclass(frozen, module = "ggpbench")]
pub(crate) struct Batch {
    game: Game,
    inner: Mutex<ggpbench::Batch>,
    auto_reset: bool,
    arrays: Arrays,
}

/// What NumPy sees of it, and the batch writes.
struct Arrays {
    mask: Py<PyArray2<u8>>,
    planes: Py<PyArray3<u8>>,
    turns: Py<PyArray1<i8>>,
    scores: Py<PyArray2<i32>>,
    progress: Py<PyArray1<u8>>,
    actions: Py<PyArray1<i32>>,
}

impl Batch {
    pub(crate) fn new(
        py: Python<'_>,
        game: &Game,
        n: usize,
        seed: u64,
        threads: usize,
        auto_reset: bool,
    ) -> PyResult<Batch> {
        if threads == 0 || threads > 1024 {
            return Err(PyValueError::new_err(format!("{threads} threads: expected 1 to 1024")));
        }
        let made = guarded(|| ggpbench::Batch::new(&game.inner, n, seed, threads))?;
        let inner = made.map_err(|error| exception(py, &error))?;
        let encoding = game.inner.encoding().cloned().unwrap_or_default();
        let arrays = Arrays {
            mask: PyArray2::zeros(py, [n, encoding.actions.len()], false).unbind(),
            planes: PyArray3::zeros(py, [n, encoding.kinds.len(), encoding.sites.len()], false)
                .unbind(),
            turns: PyArray1::zeros(py, [n], false).unbind(),
            scores: PyArray2::zeros(py, [n, game.inner.players()], false).unbind(),
            progress: PyArray1::zeros(py, [n], false).unbind(),
            actions: PyArray1::zeros(py, [n], false).unbind(),
        };
        let inner = Mutex::new(inner);
        let batch = Batch { game: game.clone(), inner, auto_reset, arrays };
        batch.reset(py)?;
        Ok(batch)
    }

    /// Does something with the batch and its arrays, without the interpreter's lock.
    fn with_views<T: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut ggpbench::Batch, &mut Views<'_>) -> T + Send,
    ) -> PyResult<T> {
        let busy = |_| PyRuntimeError::new_err("another thread is using this batch or its arrays");
        let mut mask = self.arrays.mask.bind(py).try_readwrite().map_err(busy)?;
        let mut planes = self.arrays.planes.bind(py).try_readwrite().map_err(busy)?;
        let mut turns = self.arrays.turns.bind(py).try_readwrite().map_err(busy)?;
        let mut scores = self.arrays.scores.bind(py).try_readwrite().map_err(busy)?;
        let mut progress = self.arrays.progress.bind(py).try_readwrite().map_err(busy)?;
        let mut views = Views {
            mask: mask.as_slice_mut()?,
            planes: planes.as_slice_mut()?,
            turns: turns.as_slice_mut()?,
            scores: scores.as_slice_mut()?,
            progress: progress.as_slice_mut()?,
        };
        unlocked(py, move || {
            let mut batch = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
            act(&mut batch, &mut views)
        })
    }

    fn play(&self, py: Python<'_>, actions: &[i32]) -> PyResult<()> {
        let stepped =
            self.with_views(py, |batch, views| batch.step(actions, self.auto_reset, views))?;
        stepped.map_err(|error| exception(py, &error))
    }
}

/// A view that nobody writes through: a step writes only what changes, so that all else has to
/// stay.
fn locked<'py>(view: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    view.call_method1("setflags", (false,))?;
    Ok(view.clone())
}

#[pymethods]
impl Batch {
    /// The game.
    #[getter]
    fn game(&self) -> Game {
        self.game.clone()
    }

    /// How a step gets from one ply to the next: ``tabled`` where all positions of the game were
    /// found when its first batch was made, and are looked up, else ``listed`` or ``counted``.
    #[getter]
    fn method(&self) -> &'static str {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).method().name()
    }

    /// Whether a position that ends is begun anew in the same step.
    #[getter]
    fn auto_reset(&self) -> bool {
        self.auto_reset
    }

    /// Shape ``(n, num_actions)``, read-only: which actions are legal, by code.
    #[getter]
    fn mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let bools = py.import("numpy")?.getattr("bool_")?;
        locked(&self.arrays.mask.bind(py).call_method1("view", (bools,))?)
    }

    /// Shape ``(n, kinds, sites)``, read-only: 1 where one of the kind lies, else 0. In games of
    /// hidden information what whoever chooses sees, and nothing where nobody does.
    #[getter]
    fn planes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        locked(&self.arrays.planes.bind(py).call_method0("view")?)
    }

    /// Shape ``(n,)``: the player who chooses, or -1.
    #[getter]
    fn turns<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i8>> {
        self.arrays.turns.bind(py).clone()
    }

    /// Shape ``(n, players)``: the scores where the last step ended the game, else 0.
    #[getter]
    fn scores<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<i32>> {
        self.arrays.scores.bind(py).clone()
    }

    /// Shape ``(n,)``: ``GOING`` (0), ``OVER`` (1), ``CAPPED`` (2), ``STUCK`` (3) or ``UNCODED``
    /// (4) after the last step.
    #[getter]
    fn progress<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        self.arrays.progress.bind(py).clone()
    }

    /// Begins all positions anew.
    fn reset(&self, py: Python<'_>) -> PyResult<()> {
        self.with_views(py, ggpbench::Batch::restart)
    }

    /// Plays one action, by code, in every position that goes on; in the others nothing happens.
    ///
    /// Args:
    ///     actions: shape ``(n,)``, dtype int32 or int64.
    ///
    /// Raises:
    ///     ValueError: another shape or dtype, or an action that is not legal; then nothing is
    ///     played.
    ///
    /// With ``auto_reset``, ``scores`` and ``progress`` of a position that ended are those of its
    /// end, while ``mask``, ``planes`` and ``turns`` are those of the new start.
    fn step(&self, py: Python<'_>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let n = self.__len__();
        let Ok(array) = actions.cast::<PyUntypedArray>() else {
            let name = actions.get_type().name()?;
            return Err(PyValueError::new_err(format!(
                "expected a NumPy array of int32 with shape ({n},), not {name}"
            )));
        };
        if array.shape() != [n] {
            return Err(PyValueError::new_err(format!(
                "expected actions of shape ({n},), not {:?}",
                array.shape()
            )));
        }
        if let Ok(array) = actions.cast::<PyArray1<i32>>() {
            // Others could write into it meanwhile, and it need not lie in one piece.
            let actions = array.try_readonly()?.as_array().to_vec();
            return self.play(py, &actions);
        }
        if let Ok(array) = actions.cast::<PyArray1<i64>>() {
            let narrow = |&action: &i64| i32::try_from(action).unwrap_or(-1);
            let actions: Vec<i32> = array.try_readonly()?.as_array().iter().map(narrow).collect();
            return self.play(py, &actions);
        }
        Err(PyValueError::new_err(format!(
            "expected actions of dtype int32 or int64, not {}",
            array.dtype().str()?
        )))
    }

    /// Shape ``(n,)``: a legal action for each position, drawn uniformly; -1 where it does not go
    /// on. The next call writes into the same array.
    fn random_actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i32>>> {
        let array = self.arrays.actions.bind(py);
        {
            let mut actions = array.try_readwrite()?;
            let actions = actions.as_slice_mut()?;
            unlocked(py, || {
                self.inner.lock().unwrap_or_else(PoisonError::into_inner).draw(actions);
            })?;
        }
        Ok(array.clone())
    }

    fn __len__(&self) -> usize {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    fn __repr__(&self) -> String {
        format!("<ggpbench.Batch of {} positions of {}>", self.__len__(), self.game.inner.id())
    }
}
