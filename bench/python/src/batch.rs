use std::sync::{Mutex, MutexGuard, PoisonError};

use ggpbench::{BatchEnds, BatchRollouts};
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArray3, PyArrayMethods, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::{Arrays, Slices};
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
    count: usize,
    auto_reset: bool,
    arrays: Arrays,
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
        let arrays = Arrays::new(py, &game.inner, n)?;
        let inner = Mutex::new(inner);
        let batch = Batch { game: game.clone(), inner, count: n, auto_reset, arrays };
        batch.reset(py)?;
        Ok(batch)
    }

    /// Does something with the batch and its arrays, without the interpreter's lock.
    fn with_slices<T: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut ggpbench::Batch, Slices<'_>) -> T + Send,
    ) -> PyResult<T> {
        self.arrays.with_slices(py, |slices| unlocked(py, move || act(&mut self.lock(), slices)))
    }

    fn lock(&self) -> MutexGuard<'_, ggpbench::Batch> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn play(&self, py: Python<'_>, actions: &[i32]) -> PyResult<()> {
        let stepped = self.with_slices(py, |batch, mut slices| {
            batch.step(actions, self.auto_reset, &mut slices.views)
        })?;
        stepped.map_err(|error| exception(py, &error))
    }
}

/// Scores, plies and progress of playouts, by position and playout.
type Ends<'py> = (Bound<'py, PyArray3<i32>>, Bound<'py, PyArray2<u32>>, Bound<'py, PyArray2<u8>>);

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
        self.lock().method().name()
    }

    /// True if a position that ends is begun anew in the same step.
    #[getter]
    fn auto_reset(&self) -> bool {
        self.auto_reset
    }

    /// Shape ``(n, num_actions)``, read-only: which actions are legal, by code.
    #[getter]
    fn mask(&self, py: Python<'_>) -> Py<PyAny> {
        self.arrays.mask.clone_ref(py)
    }

    /// Shape ``(n, kinds, sites)``, read-only: 1 where one of the kind lies, else 0. In games of
    /// hidden information what whoever chooses sees, and nothing where nobody does.
    #[getter]
    fn planes(&self, py: Python<'_>) -> Py<PyAny> {
        self.arrays.planes.clone_ref(py)
    }

    /// Shape ``(n,)``: the player who chooses, or -1.
    #[getter]
    fn turns(&self, py: Python<'_>) -> Py<PyAny> {
        self.arrays.turns.clone_ref(py)
    }

    /// Shape ``(n, players)``: the scores where the last step ended the game, else 0.
    #[getter]
    fn scores(&self, py: Python<'_>) -> Py<PyAny> {
        self.arrays.scores.clone_ref(py)
    }

    /// Shape ``(n,)``: ``GOING`` (0), ``OVER`` (1), ``CAPPED`` (2), ``STUCK`` (3) or ``UNCODED``
    /// (4) after the last step.
    #[getter]
    fn progress(&self, py: Python<'_>) -> Py<PyAny> {
        self.arrays.progress.clone_ref(py)
    }

    /// Begins all positions anew.
    fn reset(&self, py: Python<'_>) -> PyResult<()> {
        self.with_slices(py, |batch, mut slices| batch.restart(&mut slices.views))
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
        if actions.is(&self.arrays.actions) {
            let actions = self.arrays.with_slices(py, |slices| Ok(slices.actions.to_vec()))?;
            return self.play(py, &actions);
        }
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
    fn random_actions(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.with_slices(py, |batch, slices| batch.draw(slices.actions))?;
        Ok(self.arrays.actions.clone_ref(py))
    }

    /// Plays ``n`` random playouts from each position, which stays, as :meth:`Position.rollouts`:
    /// ``(scores, plies, progress)``, new arrays with a row for each position.
    ///
    /// Args:
    ///     n: playouts from each position.
    ///     seed: playout ``j`` of position ``i`` depends on it and on ``i * n + j`` alone.
    ///     cap: plies, from the position on, after which a playout is given up; else the game's.
    ///
    /// Returns:
    ///     scores: shape ``(len(batch), n, players)``, int32: of those that ended by the rules,
    ///         else 0.
    ///     plies: shape ``(len(batch), n)``, uint32: counted from the position.
    ///     progress: shape ``(len(batch), n)``, uint8: ``OVER``, ``CAPPED`` or ``STUCK``.
    ///
    /// Where a position does not go on, no playout has a ply, and all end as it did. The
    /// interpreter's lock is released, the batch's threads are used, and Ctrl-C works.
    #[pyo3(signature = (n, seed=0, cap=None))]
    fn rollouts<'py>(
        &self,
        py: Python<'py>,
        n: usize,
        seed: u64,
        cap: Option<u32>,
    ) -> PyResult<Ends<'py>> {
        let cap = cap.unwrap_or_else(|| self.game.inner.cap());
        let begun = BatchRollouts::new(&self.lock(), n, seed, cap);
        let mut rollouts = begun.map_err(|error| exception(py, &error))?;
        // The arrays are lent meanwhile, so that no step comes between.
        self.arrays.with_slices(py, |_| {
            while unlocked(py, || rollouts.advance(&mut self.lock()))? {
                py.check_signals()?;
            }
            Ok(())
        })?;
        let BatchEnds { scores, plies, progress } = rollouts.into_ends();
        let shape = [self.count, n];
        Ok((
            scores.into_pyarray(py).reshape([self.count, n, self.game.inner.players()])?,
            plies.into_pyarray(py).reshape(shape)?,
            progress.into_pyarray(py).reshape(shape)?,
        ))
    }

    fn __len__(&self) -> usize {
        self.count
    }

    fn __repr__(&self) -> String {
        format!("<ggpbench.Batch of {} positions of {}>", self.__len__(), self.game.inner.id())
    }
}
