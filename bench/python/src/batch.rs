use std::sync::{Mutex, MutexGuard, PoisonError};

use ggpbench::{BatchEnds, BatchRollouts, BatchSettings, Views};
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArray3, PyArrayMethods, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::{Arrays, Slices, lay_out};
use crate::calls::{guarded, unlocked};
use crate::errors::exception;
use crate::loaded::Game;
use crate::numbers::{optional, whole};

/// Positions of one game that go on together.
///
/// Its arrays are made once and written by :meth:`reset` and :meth:`step`: copy what you want to
/// keep, and do not write into them. JAX and PyTorch take them without a copy (``from_dlpack``),
/// and then see what each step writes. A batch can be copied (:meth:`copy`) and pickled; where it
/// is unpickled the game is loaded again, and positions that are not looked up play again the
/// actions since they were begun.
#[pyclass(frozen, module = "ggpbench")]
pub(crate) struct Batch {
    game: Game,
    inner: Mutex<ggpbench::Batch>,
    settings: Settings,
    arrays: Arrays,
}

/// The arguments with which a batch was made.
#[derive(Clone)]
pub(crate) struct Settings {
    pub(crate) n: usize,
    pub(crate) seed: u64,
    pub(crate) threads: usize,
    pub(crate) auto_reset: bool,
    pub(crate) turned: bool,
    /// Where each position begins, if not at the start.
    pub(crate) positions: Option<Vec<String>>,
}

impl Settings {
    /// Positions that have yet to be begun.
    fn begin(&self, py: Python<'_>, game: &Game) -> PyResult<ggpbench::Batch> {
        let &Settings { n, seed, threads, turned, .. } = self;
        let made = match &self.positions {
            Some(positions) => {
                let settings = BatchSettings { seed, threads, turned };
                guarded(|| game.batch_at(positions, settings))?
            }
            None => {
                let make = if turned { ggpbench::Batch::turned } else { ggpbench::Batch::new };
                guarded(|| make(&game.inner, n, seed, threads))?
            }
        };
        made.map_err(|error| exception(py, &error))
    }
}

/// What is pickled of the positions: what the library saved, by thread, their scores and progress.
type State<'py> =
    (Vec<Bound<'py, PyArray1<u64>>>, Bound<'py, PyArray1<i32>>, Bound<'py, PyArray1<u8>>);

impl Batch {
    pub(crate) fn new(py: Python<'_>, game: &Game, settings: Settings) -> PyResult<Batch> {
        let Settings { n, threads, .. } = settings;
        if let Some(places) = settings.positions.as_ref().map(Vec::len).filter(|&all| all != n) {
            return Err(PyValueError::new_err(format!("{places} positions for n={n}")));
        }
        if threads == 0 || threads > 1024 {
            return Err(PyValueError::new_err(format!("{threads} threads: expected 1 to 1024")));
        }
        game.encoding(py)?;
        game.check_turned(settings.turned)?;
        let inner = settings.begin(py, game)?;
        let arrays = Arrays::new(py, &game.inner, n)?;
        let inner = Mutex::new(inner);
        let batch = Batch { game: game.clone(), inner, settings, arrays };
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
            batch.step(actions, self.settings.auto_reset, &mut slices.views)
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
        self.settings.auto_reset
    }

    /// True if boards are turned to whoever chooses.
    #[getter]
    fn turned(&self) -> bool {
        self.settings.turned
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

    /// Shape ``(n, kinds, height, width)``, read-only: :attr:`planes` on the grid of
    /// :attr:`Game.grid`, the first rank first, 0 in cells without a site.
    /// :class:`UnsupportedError` where there is no grid. Where sites are the cells of the grid in
    /// their order it is the same memory, else a new array.
    #[getter]
    fn boards<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if let Some(boards) = &self.arrays.boards {
            return Ok(boards.bind(py).clone());
        }
        let grid = self.game.site_grid(py)?;
        let kinds = self.game.encoding(py)?.kinds.len();
        let shape = [self.settings.n, kinds, grid.height, grid.width];
        let mut boards = vec![0; shape.iter().product()];
        self.with_slices(py, |_, slices| lay_out(grid, slices.views.planes, &mut boards))?;
        let boards = boards.into_pyarray(py).reshape(shape)?.into_any();
        boards.call_method1("setflags", (false,))?;
        Ok(boards)
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
        #[pyo3(from_py_with = whole)] n: usize,
        #[pyo3(from_py_with = whole)] seed: u64,
        #[pyo3(from_py_with = optional)] cap: Option<u32>,
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
        let shape = [self.settings.n, n];
        Ok((
            scores.into_pyarray(py).reshape([self.settings.n, n, self.game.inner.players()])?,
            plies.into_pyarray(py).reshape(shape)?,
            progress.into_pyarray(py).reshape(shape)?,
        ))
    }

    /// A batch that goes on as this one would, with arrays of its own; ``copy.copy`` and
    /// ``copy.deepcopy`` give the same.
    fn copy(&self, py: Python<'_>) -> PyResult<Batch> {
        let Batch { game, settings, arrays, .. } = self;
        let inner = guarded(|| self.lock().clone())?;
        let arrays = arrays.copy(py, &game.inner, settings.n)?;
        Ok(Batch {
            game: game.clone(),
            inner: Mutex::new(inner),
            settings: settings.clone(),
            arrays,
        })
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Batch> {
        self.copy(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Batch> {
        self.copy(py)
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>, State<'py>)> {
        let Settings { n, seed, threads, auto_reset, turned, .. } = self.settings;
        let positions = self.settings.positions.clone();
        let again = py.import("ggpbench._again")?.getattr("batch")?;
        let arguments = (self.game.clone(), n, seed, threads, auto_reset, turned, positions);
        let (saved, scores, progress) = self.with_slices(py, |batch, slices| {
            let Views { scores, progress, .. } = slices.views;
            (batch.save(), scores.to_vec(), progress.to_vec())
        })?;
        let saved = saved.into_iter().map(|words| words.into_pyarray(py)).collect();
        let state = (saved, scores.into_pyarray(py), progress.into_pyarray(py));
        Ok((again, arguments.into_pyobject(py)?.into_any(), state))
    }

    fn __setstate__(&self, py: Python<'_>, state: State<'_>) -> PyResult<()> {
        let (saved, scores, progress) = state;
        let saved = saved.iter().map(PyArrayMethods::to_vec).collect::<Result<Vec<_>, _>>()?;
        let (scores, progress) = (scores.to_vec()?, progress.to_vec()?);
        let begun = self.settings.begin(py, &self.game)?;
        let resumed = self.with_slices(py, |batch, slices| {
            *batch = begun;
            let Slices { mut views, .. } = slices;
            let resumed = batch.resume(&saved, &mut views);
            let fits = scores.len() == views.scores.len() && progress.len() == views.progress.len();
            if resumed.is_ok() && fits {
                views.scores.copy_from_slice(&scores);
                views.progress.copy_from_slice(&progress);
            } else {
                batch.restart(&mut views);
            }
            resumed
        })?;
        resumed.map_err(|error| exception(py, &error))
    }

    fn __len__(&self) -> usize {
        self.settings.n
    }

    fn __repr__(&self) -> String {
        format!("<ggpbench.Batch of {} positions of {}>", self.__len__(), self.game.inner.id())
    }
}
