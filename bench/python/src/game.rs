use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::batch::{Batch, Settings};
use crate::calls::unlocked;
use crate::errors::problems;
use crate::loaded::{Arguments, Game};
use crate::numbers::whole;
use crate::position::Position;
use crate::rollouts::Rollouts;

#[pymethods]
impl Game {
    /// Id in the catalogue, or name of the file without extension.
    #[getter]
    fn id(&self) -> &str {
        self.inner.id()
    }

    /// Name for people.
    #[getter]
    fn title(&self) -> &str {
        self.inner.title()
    }

    /// Name of the engine.
    #[getter]
    fn engine(&self) -> &str {
        self.inner.engine()
    }

    /// ``lud``, ``kif``, ``rbg`` or ``bitboard`` (hand-coded).
    #[getter]
    fn language(&self) -> &str {
        self.inner.language().name()
    }

    /// Number of players, chance not counted.
    #[getter]
    fn players(&self) -> usize {
        self.inner.players()
    }

    /// Plies after which a playout is given up.
    #[getter]
    fn cap(&self) -> u32 {
        self.inner.cap()
    }

    /// True if players do not see everything.
    #[getter]
    fn hidden(&self) -> bool {
        self.inner.facts().hidden
    }

    /// True if chance has a say.
    #[getter]
    fn chance(&self) -> bool {
        self.inner.facts().chance
    }

    /// True if players may choose at the same time; here they choose in turn, and the last choice
    /// takes effect for all.
    #[getter]
    fn simultaneous(&self) -> bool {
        self.inner.facts().simultaneous
    }

    /// How :meth:`rollouts` gets from one position to the next: ``listed`` (all legal actions are
    /// listed, and one is drawn), ``counted`` (drawn by number), ``sampled`` (drawn by rejection)
    /// or ``tabled`` (results are carried over from one playout to the next: such rates are to be
    /// compared with no other).
    #[getter]
    fn method(&self) -> &'static str {
        self.inner.method().name()
    }

    /// Bytes of one position in the engine.
    #[getter]
    fn state_bytes(&self) -> usize {
        self.inner.facts().state_bytes
    }

    /// The doubtful points of the rules, as in :attr:`RulesError.problems`.
    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        problems(py, self.inner.warnings())
    }

    /// Sizes of what the engine made of the rules, by name.
    #[getter]
    fn build<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let build = PyDict::new(py);
        for (fact, number) in &self.inner.facts().build {
            build.set_item(fact.as_str(), number)?;
        }
        Ok(build)
    }

    /// The labels of all actions that there can be; an action's *code* is its place here. ``None``
    /// where the engine does not write this game in numbers; :meth:`coded` is the game on one
    /// that does.
    #[getter]
    fn actions(&self) -> Option<Vec<String>> {
        self.inner.encoding().map(|encoding| encoding.actions.clone())
    }

    /// Length of :attr:`actions`.
    #[getter]
    fn num_actions(&self) -> Option<usize> {
        self.inner.encoding().map(|encoding| encoding.actions.len())
    }

    /// The names of all sites, in the order of planes: squares rank by rank from ``a1``; in GDL all
    /// propositions; in games of hidden information all that players can perceive (``"bet"``), and
    /// what they can do themselves (``"did bet"``).
    #[getter]
    fn sites(&self) -> Option<Vec<String>> {
        self.inner.encoding().map(|encoding| encoding.sites.clone())
    }

    /// The kinds of content that can lie on a site, in the order of planes. In games of hidden
    /// information ``"now"``: the own last action and what was perceived since; and ``"before"``:
    /// what was done and perceived earlier.
    #[getter]
    fn kinds(&self) -> Option<Vec<String>> {
        self.inner.encoding().map(|encoding| encoding.kinds.clone())
    }

    /// The player whose men each of :attr:`kinds` is, from 0; ``None`` for kinds that are nobody's,
    /// such as walls and empty squares. Empty where kinds are no men: in GDL, whose only kind says
    /// that the proposition of a site is true, and in games of hidden information.
    #[getter]
    fn owners(&self) -> Option<Vec<Option<u8>>> {
        let player = |owner: &Option<ggpbench::Player>| owner.map(|player| player.0);
        self.inner.encoding().map(|encoding| encoding.owners.iter().map(player).collect())
    }

    /// ``(height, width)`` of the grid on which the sites lie, see :attr:`cells`; ``None`` where
    /// they lie on none, as propositions and percepts.
    #[getter]
    fn grid(&self) -> Option<(usize, usize)> {
        self.inner.grid().map(|grid| (grid.height, grid.width))
    }

    /// The cell of each site in the grid, ``rank * width + file`` from ``a1``; ``None`` for sites
    /// beside it, such as hands. ``None`` without a grid.
    #[getter]
    fn cells(&self) -> Option<Vec<Option<usize>>> {
        self.inner.grid().map(|grid| grid.cells.clone())
    }

    /// True if a board can be turned so that the second player sees it as the first does: if the
    /// sides are equal, and the engine knows it.
    #[getter]
    fn can_turn(&self) -> bool {
        self.inner.turned().is_some()
    }

    /// The game on an engine that writes it in numbers: itself if its engine does, else, if no
    /// engine was named when it was loaded, on the first that does. :class:`UnsupportedError` names
    /// that engine where another was named, and says where there is none.
    fn coded(&self, py: Python<'_>) -> PyResult<Game> {
        self.written_in_numbers(py)
    }

    /// The initial position. The seed is for what chance does there and later.
    #[pyo3(signature = (seed=0))]
    fn open(&self, py: Python<'_>, #[pyo3(from_py_with = whole)] seed: u64) -> PyResult<Position> {
        let position = unlocked(py, || self.inner.open(seed))?;
        Ok(Position::new(self.clone(), position, seed))
    }

    /// Plays ``n`` random playouts, every choice uniform over the legal actions.
    ///
    /// The interpreter's lock is released, and Ctrl-C works. Playout ``i`` depends on ``seed`` and
    /// ``first + i`` alone, not on ``threads``.
    #[pyo3(signature = (n, seed=0, threads=1, first=0))]
    fn rollouts(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = whole)] n: u64,
        #[pyo3(from_py_with = whole)] seed: u64,
        #[pyo3(from_py_with = whole)] threads: usize,
        #[pyo3(from_py_with = whole)] first: u64,
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

    /// ``n`` positions of :meth:`coded` that go on together.
    ///
    /// Args:
    ///     n: the number of positions.
    ///     seed: what chance does, and what is drawn, depends on it.
    ///     threads: how many share the work; they change no result.
    ///     auto_reset: positions that end are begun anew in the same step.
    ///     turned: the board is turned for the second player, and the kinds of men are exchanged,
    ///         so that who chooses always sees his side as the first player does; actions are
    ///         those of the turned board. :class:`UnsupportedError` unless :attr:`can_turn`.
    ///     positions: ``n`` texts: where each position begins and is begun anew, as ``position`` of
    ///         :func:`load`; ``""`` is the start. Plies go on from the game's own position.
    #[pyo3(signature = (
        n, seed=0, threads=1, auto_reset=false, turned=false, positions=None
    ))]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn batch(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = whole)] n: usize,
        #[pyo3(from_py_with = whole)] seed: u64,
        #[pyo3(from_py_with = whole)] threads: usize,
        auto_reset: bool,
        turned: bool,
        positions: Option<Vec<String>>,
    ) -> PyResult<Batch> {
        let game = self.written_in_numbers(py)?;
        Batch::new(py, &game, Settings { n, seed, threads, auto_reset, turned, positions })
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
        let Arguments { target, engine, options, size, position, cap, memory, text } =
            self.arguments.clone();
        let text = text.map(|(language, text)| (language.name(), text));
        let arguments = (target, engine, options, size, position, cap, memory, text);
        let again = py.import("ggpbench._again")?.getattr("game")?;
        Ok((again, arguments.into_pyobject(py)?.into_any()))
    }
}
