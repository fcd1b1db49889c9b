//! Numbers that are arguments. What does not fit is a `ValueError`, where Python's own way would be
//! an `OverflowError`.

use std::fmt::Display;

use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;

/// Characters of a number that are shown.
const SHOWN: usize = 40;

/// An integer from 0 to the largest of a type.
pub(crate) fn whole<T: TryFrom<u64>>(value: &Bound<'_, PyAny>) -> PyResult<T> {
    let most = u64::MAX >> (64 - 8 * size_of::<T>().min(8));
    let refused = || refused(value, &format_args!("an integer from 0 to {most}"));
    match value.extract::<u64>() {
        Ok(number) => T::try_from(number).map_err(|_| refused()),
        Err(error) => Err(if overflows(value, &error) { refused() } else { error }),
    }
}

/// The same, or `None`.
pub(crate) fn optional<T: TryFrom<u64>>(value: &Bound<'_, PyAny>) -> PyResult<Option<T>> {
    if value.is_none() { Ok(None) } else { whole(value).map(Some) }
}

/// A number with a point.
pub(crate) fn real(value: &Bound<'_, PyAny>) -> PyResult<f64> {
    let refused = |error| {
        if overflows(value, &error) { refused(value, &"a smaller number") } else { error }
    };
    value.extract().map_err(refused)
}

fn overflows(value: &Bound<'_, PyAny>, error: &PyErr) -> bool {
    error.is_instance_of::<PyOverflowError>(value.py())
}

fn refused(value: &Bound<'_, PyAny>, expected: &dyn Display) -> PyErr {
    // Python refuses to write very long numbers.
    let text = value.str().map_or_else(|_| String::new(), |text| text.to_string());
    let shown = if (1..=SHOWN).contains(&text.len()) { &text } else { "a longer number" };
    PyValueError::new_err(format!("expected {expected}, not {shown}"))
}
