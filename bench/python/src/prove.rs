use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ggpbench::Check;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::calls::aside;
use crate::errors::exception;
use crate::numbers::{optional, real, whole};

fn check(
    engines: Vec<String>,
    options: Vec<String>,
    size: Option<u32>,
    seconds: f64,
    seed: u64,
    samples: u32,
) -> PyResult<Check> {
    if !(seconds > 0.0 && seconds <= 1e6) {
        return Err(PyValueError::new_err(format!(
            "seconds={seconds}: expected 0 < seconds <= 1e6"
        )));
    }
    if !(1..=10_000).contains(&samples) {
        return Err(PyValueError::new_err(format!("samples={samples}: expected 1 to 10000")));
    }
    Ok(Check { engines, options, size, seconds, seed, samples })
}

/// Verifies the engines of a game against its records and against each other.
///
/// Args:
///     engines: those that take part; all that read the game if empty.
///     seconds: time for each kind of evidence and each pair of engines, roughly.
///
/// Returns:
///     A dictionary for each engine, which ``pandas.DataFrame`` takes as it is: ``game``,
///     ``engine``, ``language``, ``verdict`` (``ok``, ``unchecked``, ``WRONG``, ``disputed``, or
///     why there is no answer), ``reason``, ``perft`` (leaf counts at depth 1, 2, ...),
///     ``playouts``, ``mean_plies``, ``depth`` (plies to which the whole tree was compared).
///
/// The engines run in this process. On Ctrl-C the call ends at once, and a thread goes on until the
/// part of the proof that it is at is done.
#[pyfunction]
#[pyo3(signature = (
    target, *, engines=Vec::new(), options=Vec::new(), size=None, seconds=0.5, seed=1
))]
pub(crate) fn verify(
    py: Python<'_>,
    target: PathBuf,
    engines: Vec<String>,
    options: Vec<String>,
    #[pyo3(from_py_with = optional)] size: Option<u32>,
    #[pyo3(from_py_with = real)] seconds: f64,
    #[pyo3(from_py_with = whole)] seed: u64,
) -> PyResult<Bound<'_, PyList>> {
    let check = check(engines, options, size, seconds, seed, 1)?;
    let target = target.to_string_lossy().into_owned();
    let verified = aside(py, move || ggpbench::verify(&target, &check))?;
    let list = PyList::empty(py);
    for row in verified.map_err(|error| exception(py, &error))? {
        let entry = PyDict::new(py);
        entry.set_item("game", row.game)?;
        entry.set_item("engine", row.engine)?;
        entry.set_item("language", row.language)?;
        entry.set_item("verdict", row.verdict)?;
        entry.set_item("reason", row.reason)?;
        entry.set_item("perft", row.perft)?;
        entry.set_item("playouts", row.playouts)?;
        entry.set_item("mean_plies", row.mean_plies)?;
        entry.set_item("depth", row.depth)?;
        list.append(entry)?;
    }
    Ok(list)
}

/// Tells the thread that measures to stop where nobody waits for it any more.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Verifies the engines of a game, then measures their random playouts, sample by sample in turn.
///
/// Args:
///     seconds: time of all samples of each engine, and of each kind of evidence, roughly.
///     samples: samples of each engine.
///
/// Returns:
///     A dictionary for each sample, which ``pandas.DataFrame`` takes as it is: ``game``,
///     ``engine``, ``via`` (``fast``, ``batch``), ``verdict``, ``reason``, ``round``, ``playouts``,
///     ``plies``, ``capped``, ``cpu_ns`` (of this process), ``wall_ns``,
///     ``playouts_per_cpu_second``, ``warnings``. An engine without figures has one row, without
///     playouts, with the reason.
///
/// All samples come from one process; figures to publish need several, as ``ggpbench run`` takes
/// them.
#[pyfunction]
#[pyo3(signature = (
    target, *, engines=Vec::new(), options=Vec::new(), size=None, seconds=0.5, samples=10, seed=1
))]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub(crate) fn measure(
    py: Python<'_>,
    target: PathBuf,
    engines: Vec<String>,
    options: Vec<String>,
    #[pyo3(from_py_with = optional)] size: Option<u32>,
    #[pyo3(from_py_with = real)] seconds: f64,
    #[pyo3(from_py_with = whole)] samples: u32,
    #[pyo3(from_py_with = whole)] seed: u64,
) -> PyResult<Bound<'_, PyList>> {
    let check = check(engines, options, size, seconds, seed, samples)?;
    let target = target.to_string_lossy().into_owned();
    let stop = StopOnDrop(Arc::new(AtomicBool::new(false)));
    let stopped = Arc::clone(&stop.0);
    let measured =
        aside(py, move || ggpbench::measure(&target, &check, &|| stopped.load(Ordering::Relaxed)))?;
    let list = PyList::empty(py);
    for row in measured.map_err(|error| exception(py, &error))? {
        let rate = row.rate();
        let entry = PyDict::new(py);
        entry.set_item("game", row.game)?;
        entry.set_item("engine", row.engine)?;
        entry.set_item("via", row.via)?;
        entry.set_item("verdict", row.verdict)?;
        entry.set_item("reason", row.reason)?;
        entry.set_item("round", row.round)?;
        entry.set_item("playouts", row.playouts)?;
        entry.set_item("plies", row.plies)?;
        entry.set_item("capped", row.capped)?;
        entry.set_item("cpu_ns", row.cpu_ns)?;
        entry.set_item("wall_ns", row.wall_ns)?;
        entry.set_item("playouts_per_cpu_second", rate)?;
        entry.set_item("warnings", row.warnings.join("; "))?;
        list.append(entry)?;
    }
    Ok(list)
}
