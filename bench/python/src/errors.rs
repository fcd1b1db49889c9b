//! Errors of the library as Python exceptions.

use ggpbench::{Error, ErrorKind, Problem};
use pyo3::create_exception;
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

create_exception!(ggpbench, RulesError, PyValueError, "Rules with faults; `problems` says where.");
create_exception!(
    ggpbench,
    UnsupportedError,
    PyValueError,
    "Rules, or a request, that the engine does not support or that are too large for its limits."
);

/// The exception that stands for an error.
pub(crate) fn exception(py: Python<'_>, error: &Error) -> PyErr {
    let text = error.to_string();
    let exception = match error.kind() {
        ErrorKind::Usage => PyValueError::new_err(text),
        ErrorKind::Unreadable => unreadable(py, error),
        ErrorKind::Invalid => RulesError::new_err(text),
        ErrorKind::Unsupported | ErrorKind::TooLarge => UnsupportedError::new_err(text),
        _ => PyRuntimeError::new_err(text),
    };
    match problems(py, error.problems()) {
        Ok(list) if exception.is_instance_of::<PyValueError>(py) => {
            match exception.value(py).setattr("problems", list) {
                Ok(()) => exception,
                Err(failed) => failed,
            }
        }
        Ok(_) => exception,
        Err(failed) => failed,
    }
}

/// An `OSError`; where the operating system said why, of the subclass for that, with `errno` and
/// `filename`.
fn unreadable(py: Python<'_>, error: &Error) -> PyErr {
    let reason = |code: i32| py.import("os")?.getattr("strerror")?.call1((code,))?.extract();
    match error.file().map(|(code, path)| (code, reason(code), path.to_owned())) {
        Some((code, Ok(reason), path)) => {
            let reason: String = reason;
            PyOSError::new_err((code, reason, path))
        }
        _ => PyOSError::new_err(error.to_string()),
    }
}

/// Messages about rules, a dictionary each.
pub(crate) fn problems<'py>(py: Python<'py>, problems: &[Problem]) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for problem in problems {
        let entry = PyDict::new(py);
        entry.set_item("file", &problem.file)?;
        entry.set_item("line", problem.line)?;
        entry.set_item("column", problem.column)?;
        entry.set_item("severity", problem.severity)?;
        entry.set_item("code", problem.code)?;
        entry.set_item("message", &problem.message)?;
        entry.set_item("help", &problem.help)?;
        list.append(entry)?;
    }
    Ok(list)
}

/// A fault of ours, as an exception that ordinary programs catch.
pub(crate) fn fault() -> PyErr {
    PyRuntimeError::new_err(
        "an engine panicked, which is a fault of ggpbench: please report the rules and what was \
         asked",
    )
}
