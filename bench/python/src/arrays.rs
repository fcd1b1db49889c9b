use ggpbench::{SiteGrid, Views};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PySlice;
use zerocopy::{FromBytes, IntoBytes};

/// The arrays of a batch, which NumPy sees and the batch writes: parts of one piece of memory,
/// which is lent once a step, since lending an array takes as long as a ply of some positions.
pub(crate) struct Arrays {
    memory: Py<PyArray1<i32>>,
    /// The word at which the first part lies.
    first: usize,
    sizes: Sizes,
    pub(crate) mask: Py<PyAny>,
    pub(crate) planes: Py<PyAny>,
    /// The planes on a grid; `None` where that is no other view of the same memory.
    pub(crate) boards: Option<Py<PyAny>>,
    pub(crate) turns: Py<PyAny>,
    pub(crate) scores: Py<PyAny>,
    pub(crate) progress: Py<PyAny>,
    pub(crate) actions: Py<PyAny>,
}

/// Each part lies at a multiple of so many bytes, since JAX copies what does not.
const ALIGNED: usize = 64;

/// Items of the parts.
#[derive(Clone, Copy)]
struct Sizes {
    scores: usize,
    positions: usize,
    mask: usize,
    planes: usize,
}

/// The parts of the memory.
pub(crate) struct Slices<'m> {
    pub(crate) views: Views<'m>,
    pub(crate) actions: &'m mut [i32],
}

impl Arrays {
    /// For so many positions of a game.
    pub(crate) fn new(py: Python<'_>, game: &ggpbench::Game, n: usize) -> PyResult<Arrays> {
        let encoding = game.encoding().cloned().unwrap_or_default();
        let (players, actions) = (game.players(), encoding.actions.len());
        let (kinds, sites) = (encoding.kinds.len(), encoding.sites.len());
        let (mask, planes) = (n * actions, n * kinds * sites);
        let sizes = Sizes { scores: n * players, positions: n, mask, planes };
        let memory = PyArray1::<i32>::zeros(py, [sizes.words() + ALIGNED / 4], false);
        // Behind a place that is aligned all parts are.
        let first = (memory.data() as usize).wrapping_neg() % ALIGNED / 4;
        let aligned = part(memory.as_any(), first, sizes.words())?;
        let starts = sizes.starts();
        let words = |start: usize, count: usize| part(&aligned, start, count);
        let bytes = |start: usize, count: usize, name: &str| {
            as_type(&part(&as_type(&aligned, "uint8")?, 4 * start, count)?, name)
        };
        let rows = bytes(starts[2], mask, "bool_")?;
        let rows = rows.call_method1("reshape", ((n, actions),))?;
        let boards = bytes(starts[3], planes, "uint8")?;
        let boards = boards.call_method1("reshape", ((n, kinds, sites),))?;
        let grid = game.grid().filter(|grid| is_whole(grid));
        let shape = grid.map(|grid| (n, kinds, grid.height, grid.width));
        let on_grid = shape.map(|shape| locked(boards.call_method1("reshape", (shape,))?));
        let scores = words(starts[0], sizes.scores)?.call_method1("reshape", ((n, players),))?;
        Ok(Arrays {
            mask: locked(rows)?,
            planes: locked(boards)?,
            boards: on_grid.transpose()?,
            turns: bytes(starts[4], n, "int8")?.unbind(),
            scores: scores.unbind(),
            progress: bytes(starts[5], n, "uint8")?.unbind(),
            actions: words(starts[1], n)?.unbind(),
            memory: memory.unbind(),
            first,
            sizes,
        })
    }

    /// The same arrays, which go on by themselves.
    pub(crate) fn copy(&self, py: Python<'_>, game: &ggpbench::Game, n: usize) -> PyResult<Arrays> {
        let copy = Arrays::new(py, game, n)?;
        {
            let from = self.memory.bind(py).try_readonly().map_err(|_| busy())?;
            let mut to = copy.memory.bind(py).try_readwrite().map_err(|_| busy())?;
            let from = &from.as_slice()?[self.first..][..self.sizes.words()];
            to.as_slice_mut()?[copy.first..][..from.len()].copy_from_slice(from);
        }
        Ok(copy)
    }

    /// Does something with all parts; a `RuntimeError` where another thread does.
    pub(crate) fn with_slices<T>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(Slices<'_>) -> PyResult<T>,
    ) -> PyResult<T> {
        let mut memory = self.memory.bind(py).try_readwrite().map_err(|_| busy())?;
        act(self.sizes.split(&mut memory.as_slice_mut()?[self.first..])?)
    }
}

fn busy() -> PyErr {
    PyRuntimeError::new_err("another thread is using this batch or its arrays")
}

/// Writes planes by site as planes on a grid, which hold zeros.
pub(crate) fn lay_out(grid: &SiteGrid, planes: &[u8], boards: &mut [u8]) {
    let (sites, cells) = (grid.cells.len().max(1), (grid.width * grid.height).max(1));
    for (plane, board) in planes.chunks_exact(sites).zip(boards.chunks_exact_mut(cells)) {
        for (&lies, cell) in plane.iter().zip(&grid.cells) {
            if let Some(cell) = cell.and_then(|cell| board.get_mut(cell)) {
                *cell = lies;
            }
        }
    }
}

/// True if the sites are the cells of the grid, in their order.
fn is_whole(grid: &SiteGrid) -> bool {
    let cells = grid.width * grid.height;
    grid.cells.len() == cells && grid.cells.iter().copied().eq((0..cells).map(Some))
}

/// So many items of an array.
fn part<'py>(array: &Bound<'py, PyAny>, first: usize, count: usize) -> PyResult<Bound<'py, PyAny>> {
    array.get_item(PySlice::new(array.py(), first as isize, (first + count) as isize, 1))
}

/// The same memory as items of another type.
fn as_type<'py>(array: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    array.call_method1("view", (array.py().import("numpy")?.getattr(name)?,))
}

/// An array that nobody writes through: a step writes only what changes, so that all else has to
/// stay.
fn locked(array: Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
    let shown = array.py().import("ggpbench._arrays")?.getattr("Shown")?;
    let array = array.call_method1("view", (shown,))?;
    array.call_method1("setflags", (false,))?;
    Ok(array.unbind())
}

impl Sizes {
    /// Words of each part, of scores, actions, mask, planes, turns and progress.
    fn parts(&self) -> [usize; 6] {
        let Sizes { scores, positions, mask, planes } = *self;
        let bytes = [4 * scores, 4 * positions, mask, planes, positions, positions];
        bytes.map(|bytes| bytes.next_multiple_of(ALIGNED) / 4)
    }

    /// The word at which each part begins.
    fn starts(&self) -> [usize; 6] {
        let mut next = 0;
        self.parts().map(|words| {
            next += words;
            next - words
        })
    }

    fn words(&self) -> usize {
        self.parts().iter().sum()
    }

    fn split<'m>(&self, mut rest: &'m mut [i32]) -> PyResult<Slices<'m>> {
        let parts = self.parts();
        let mut part = |words: usize| rest.split_off_mut(..words).unwrap_or_default();
        let [scores, actions, mask, planes, turns, progress] = parts.map(&mut part);
        let turns = &mut turns.as_mut_bytes()[..self.positions];
        let turns = <[i8]>::mut_from_bytes(turns)
            .map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        let views = Views {
            scores: &mut scores[..self.scores],
            mask: &mut mask.as_mut_bytes()[..self.mask],
            planes: &mut planes.as_mut_bytes()[..self.planes],
            progress: &mut progress.as_mut_bytes()[..self.positions],
            turns,
        };
        Ok(Slices { views, actions: &mut actions[..self.positions] })
    }
}
