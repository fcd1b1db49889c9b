use std::sync::{Mutex, MutexGuard, PoisonError};

use ggpbench::{PictureOptions, Pixels, Player, SearchSettings};
use numpy::ndarray::Array1;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyString};

use crate::arrays::lay_out;
use crate::calls::{guarded, in_slices, unlocked};
use crate::errors::{UnsupportedError, exception};
use crate::loaded::Game;
use crate::numbers::{optional, real, whole};
use crate::rollouts::Rollouts;
use crate::search::Search;

/// A position of a game. Forced passes are played by themselves and are no plies.
#[pyclass(frozen, module = "ggpbench")]
pub(crate) struct Position {
    game: Game,
    inner: Mutex<ggpbench::Position>,
    seed: u64,
}

impl Position {
    pub(crate) fn new(game: Game, inner: ggpbench::Position, seed: u64) -> Position {
        Position { game, inner: Mutex::new(inner), seed }
    }

    /// Whatever panicked with it has left it as it was or between two plies.
    fn lock(&self) -> MutexGuard<'_, ggpbench::Position> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn copied(&self) -> PyResult<Position> {
        let inner = guarded(|| self.lock().clone())?;
        Ok(Position::new(self.game.clone(), inner, self.seed))
    }

    /// The codes of all legal actions, as whoever chooses sees the board or not.
    fn coded(&self, py: Python<'_>, turned: bool) -> PyResult<Vec<u32>> {
        self.game.check_turned(turned)?;
        let codes = guarded(|| {
            let position = self.lock();
            let mut codes = position.codes()?;
            if turned {
                codes.iter_mut().for_each(|code| *code = position.turned_code(*code));
            }
            Some(codes)
        })?;
        codes.ok_or_else(|| self.game.without_codes(py))
    }

    /// A player, by number.
    fn viewer(&self, player: Option<usize>) -> PyResult<Option<Player>> {
        let players = self.game.inner.players();
        match player {
            Some(player) if player >= players => Err(PyValueError::new_err(format!(
                "player {player}: expected a number below {players}"
            ))),
            player => Ok(player.and_then(|player| u8::try_from(player).ok()).map(Player)),
        }
    }

    /// What a player sees, by kind and site.
    fn seen(&self, py: Python<'_>, player: Option<usize>, turned: bool) -> PyResult<Vec<u8>> {
        let encoding = self.game.encoding(py)?;
        self.game.check_turned(turned)?;
        self.viewer(player)?;
        if turned && player.is_some() {
            let text = "turned planes are those of whoever chooses: expected no player";
            return Err(PyValueError::new_err(text));
        }
        let mut planes = vec![0; encoding.plane_bytes()];
        guarded(|| {
            let position = self.lock();
            if turned {
                position.turned_planes(&mut planes);
            } else {
                position.planes(player.or_else(|| position.turn()).unwrap_or(0), &mut planes);
            }
        })?;
        Ok(planes)
    }
}

#[pymethods]
impl Position {
    /// The game.
    #[getter]
    fn game(&self) -> Game {
        self.game.clone()
    }

    /// The player who chooses, from 0; ``None`` when the game is over.
    #[getter]
    fn turn(&self) -> Option<usize> {
        self.lock().turn()
    }

    /// True if the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.lock().is_over()
    }

    /// Plies since the start.
    #[getter]
    fn plies(&self) -> usize {
        self.lock().plies()
    }

    /// The labels of the actions that led here.
    #[getter]
    fn history(&self) -> Vec<String> {
        self.lock().history().map(str::to_owned).collect()
    }

    /// The labels of all legal actions (``a1``, ``a2a3``, ``pass``). Their numbers are their places
    /// here.
    fn legal(&self) -> PyResult<Vec<String>> {
        guarded(|| self.lock().legal())
    }

    /// The codes of all legal actions, in the order of :meth:`legal`: places in
    /// :attr:`Game.actions`, the same in every position. Empty where an action is legal that has no
    /// code, which happens on ``ludeme`` and ``rbg`` only. With ``turned`` those of the board as
    /// whoever chooses sees it, see :meth:`Game.batch`.
    #[pyo3(signature = (turned=false))]
    fn codes(&self, py: Python<'_>, turned: bool) -> PyResult<Vec<u32>> {
        self.coded(py, turned)
    }

    /// Shape ``(num_actions,)``: which actions are legal, by code. ``turned`` as in :meth:`codes`.
    #[pyo3(signature = (turned=false))]
    fn mask<'py>(&self, py: Python<'py>, turned: bool) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let mut mask = Array1::from_elem(self.game.encoding(py)?.actions.len(), false);
        for code in self.coded(py, turned)? {
            if let Some(legal) = mask.get_mut(code as usize) {
                *legal = true;
            }
        }
        Ok(mask.into_pyarray(py))
    }

    /// Shape ``(kinds, sites)``: 1 where one of the kind lies, else 0. In games of hidden
    /// information what ``player`` sees, or if none is given, who chooses; in others the same for
    /// all. With ``turned`` as whoever chooses sees the board, see :meth:`Game.batch`.
    #[pyo3(signature = (player=None, turned=false))]
    fn planes<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = optional)] player: Option<usize>,
        turned: bool,
    ) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let encoding = self.game.encoding(py)?;
        let shape = [encoding.kinds.len(), encoding.sites.len()];
        self.seen(py, player, turned)?.into_pyarray(py).reshape(shape)
    }

    /// Shape ``(kinds, height, width)``: :meth:`planes` on the grid of :attr:`Game.grid`, the first
    /// rank first. :class:`UnsupportedError` where there is none.
    #[pyo3(signature = (player=None, turned=false))]
    fn boards<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = optional)] player: Option<usize>,
        turned: bool,
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let planes = self.seen(py, player, turned)?;
        let grid = self.game.site_grid(py)?;
        let mut boards = vec![0; self.game.encoding(py)?.kinds.len() * grid.width * grid.height];
        lay_out(grid, &planes, &mut boards);
        let kinds = self.game.encoding(py)?.kinds.len();
        boards.into_pyarray(py).reshape([kinds, grid.height, grid.width])
    }

    /// Plays an action: its label, or its number in :meth:`legal`. ``ValueError`` if it is not
    /// legal, with what was expected.
    fn apply(&self, py: Python<'_>, action: &Bound<'_, PyAny>) -> PyResult<()> {
        let applied = if let Ok(label) = action.cast::<PyString>() {
            let label = label.to_string_lossy().into_owned();
            unlocked(py, || self.lock().apply_label(&label))?
        } else if is_whole(action) {
            let legal = self.lock().actions();
            let number = action.extract::<usize>().ok().filter(|&number| number < legal);
            let number = number.ok_or_else(|| {
                PyValueError::new_err(format!(
                    "action {action} is not legal: expected a number below {legal}, or a label"
                ))
            })?;
            unlocked(py, || self.lock().apply(number))?
        } else {
            let text = "expected an action: a label (str) or a number in `legal()` (int), not ";
            return Err(PyTypeError::new_err(format!("{text}{}", action.get_type().name()?)));
        };
        applied.map_err(|error| exception(py, &error))
    }

    /// Plays an action by its code. ``turned`` as in :meth:`codes`.
    #[pyo3(signature = (code, turned=false))]
    fn apply_code(&self, py: Python<'_>, code: &Bound<'_, PyAny>, turned: bool) -> PyResult<()> {
        if !is_whole(code) {
            let name = code.get_type().name()?.to_string();
            return Err(PyTypeError::new_err(format!("expected a code (int), not {name}")));
        }
        let number: u32 = code.extract().map_err(|_| {
            PyValueError::new_err(format!("code {code} is not legal: see `codes()` or `mask()`"))
        })?;
        self.game.encoding(py)?;
        self.game.check_turned(turned)?;
        let applied = unlocked(py, || {
            let mut position = self.lock();
            let code = if turned { position.turned_code(number) } else { number };
            position.apply_code(code)
        })?;
        applied.map_err(|error| exception(py, &error))
    }

    /// Takes the last action back; ``ValueError`` at the start.
    fn undo(&self) -> PyResult<()> {
        if self.lock().undo() {
            return Ok(());
        }
        Err(PyValueError::new_err("there is nothing to undo: this is the start"))
    }

    /// An independent copy; ``copy.copy`` and ``copy.deepcopy`` give the same.
    fn clone(&self) -> PyResult<Position> {
        self.copied()
    }

    /// The scores of all players when the game is over: 100 for a win, 50 for a draw, 0 for a loss,
    /// or what the rules say.
    fn scores(&self) -> Option<Vec<i32>> {
        self.lock().scores().map(|scores| scores.iter().collect())
    }

    /// ``score / 50 - 1`` of each player: 1, 0, -1. All 0 while the game goes on.
    fn returns(&self) -> Vec<f64> {
        self.lock().returns()
    }

    /// The percepts of a player in the last ply, in games of hidden information: a list of texts;
    /// of all players as a dictionary by player, if none is given.
    #[pyo3(signature = (player=None))]
    fn percepts<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = optional)] player: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let players = self.game.inner.players();
        let position = self.lock();
        match player {
            Some(player) if player < players => {
                Ok(position.percepts(player).to_vec().into_pyobject(py)?.into_any())
            }
            Some(player) => Err(PyValueError::new_err(format!(
                "player {player}: expected a number below {players}"
            ))),
            None => {
                let all = PyDict::new(py);
                for player in 0..players {
                    all.set_item(player, position.percepts(player).to_vec())?;
                }
                Ok(all.into_any())
            }
        }
    }

    /// The position drawn in text, in several lines; ``str(position)`` gives the same.
    fn draw(&self) -> PyResult<String> {
        guarded(|| self.lock().draw())
    }

    /// The position as a picture in SVG, as ``viewer`` sees it, or if none is given, as somebody
    /// does who sees what any player sees. Jupyter shows it for a position by itself.
    #[pyo3(signature = (viewer=None))]
    fn svg(&self, #[pyo3(from_py_with = optional)] viewer: Option<usize>) -> PyResult<String> {
        let viewer = self.viewer(viewer)?;
        let options = PictureOptions { viewer, ..PictureOptions::default() };
        guarded(|| self.lock().svg_with(&options))
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg(None)
    }

    /// Shape ``(height, width, 3)``: the same picture in pixels: red, green and blue, from the top.
    #[pyo3(signature = (width=400, viewer=None))]
    fn pixels<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = whole)] width: u32,
        #[pyo3(from_py_with = optional)] viewer: Option<usize>,
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        if !(16..=4096).contains(&width) {
            return Err(PyValueError::new_err(format!("width={width}: expected 16 to 4096")));
        }
        let viewer = self.viewer(viewer)?;
        let drawn = unlocked(py, || self.lock().pixels(width, viewer))?;
        let Pixels { width, height, rgba } = drawn.map_err(|error| exception(py, &error))?;
        let rgb =
            rgba.as_chunks::<4>().0.iter().flat_map(|&[red, green, blue, _]| [red, green, blue]);
        let rgb: Vec<u8> = rgb.collect();
        rgb.into_pyarray(py).reshape([height as usize, width as usize, 3])
    }

    /// Plays random playouts from here, as :meth:`Game.rollouts`; their plies count from here.
    #[pyo3(signature = (n, seed=0, first=0))]
    fn rollouts(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = whole)] n: u64,
        #[pyo3(from_py_with = whole)] seed: u64,
        #[pyo3(from_py_with = whole)] first: u64,
    ) -> PyResult<Rollouts> {
        if n > u64::MAX - first {
            return Err(PyValueError::new_err("first + n does not fit into 64 bits"));
        }
        // A copy, so that others may look at this one meanwhile.
        let from = Mutex::new(guarded(|| self.lock().clone())?);
        let mut tally = ggpbench::Tally::default();
        in_slices(py, n, |done, count| {
            let from = from.lock().unwrap_or_else(PoisonError::into_inner);
            tally += &from.rollouts(first + done, count, seed);
        })?;
        Ok(Rollouts::new(tally, self.game.inner.players()))
    }

    /// A search tree with this position at its root, which UCT grows over the engine's own states:
    /// ``exploration`` weighs UCB1, ``leaves`` playouts are made from each leaf, and the tree takes
    /// at most so many ``megabytes``. :class:`UnsupportedError` in games of chance or hidden
    /// information.
    #[pyo3(signature = (seed=0, exploration=0.7, leaves=1, megabytes=256))]
    fn search(
        &self,
        #[pyo3(from_py_with = whole)] seed: u64,
        #[pyo3(from_py_with = real)] exploration: f64,
        #[pyo3(from_py_with = whole)] leaves: u32,
        #[pyo3(from_py_with = whole)] megabytes: usize,
    ) -> PyResult<Search> {
        if !(0.0..=100.0).contains(&exploration) {
            return Err(PyValueError::new_err("exploration: expected a number from 0 to 100"));
        }
        if leaves == 0 || !(1..=1 << 20).contains(&megabytes) {
            let message = "leaves, megabytes: expected at least 1, and at most a million megabytes";
            return Err(PyValueError::new_err(message));
        }
        let (cap, bytes) = (self.game.inner.cap(), megabytes << 20);
        let settings = SearchSettings { seed, exploration, cap, leaves, bytes };
        let search = guarded(|| self.lock().search(settings))?;
        search.map(Search::new).ok_or_else(|| {
            UnsupportedError::new_err(format!(
                "{} has chance or hidden information: search trees are for games without both",
                self.game.inner.id()
            ))
        })
    }

    fn __copy__(&self) -> PyResult<Position> {
        self.copied()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyResult<Position> {
        self.copied()
    }

    fn __str__(&self) -> PyResult<String> {
        self.draw()
    }

    fn __repr__(&self) -> String {
        let plies = self.lock().plies();
        format!("<ggpbench.Position of {} after {plies} plies>", self.game.inner.id())
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let py = slf.py();
        let position = slf.get();
        let arguments = (position.game(), position.seed, position.history());
        let again = py.import("ggpbench._again")?.getattr("position")?;
        Ok((again, arguments.into_pyobject(py)?.into_any()))
    }
}

/// True if it is an integer; truth values are none.
fn is_whole(value: &Bound<'_, PyAny>) -> bool {
    let index = value.hasattr("__index__").unwrap_or(false);
    (value.is_instance_of::<PyInt>() || index) && !value.is_instance_of::<PyBool>()
}
