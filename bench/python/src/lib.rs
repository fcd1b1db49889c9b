//! The native part of the Python package `ggpbench`. `python/ggpbench/_native.pyi` documents it for
//! its users; `README.md` says how it is built and tested.

mod arrays;
mod batch;
mod calls;
mod errors;
mod game;
mod loaded;
mod numbers;
mod position;
mod prove;
mod rollouts;
mod search;

use pyo3::prelude::*;

/// The module `ggpbench._native`.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<loaded::Game>()?;
    module.add_class::<position::Position>()?;
    module.add_class::<batch::Batch>()?;
    module.add_class::<rollouts::Rollouts>()?;
    module.add_class::<search::Search>()?;
    module.add_function(wrap_pyfunction!(loaded::load, module)?)?;
    module.add_function(wrap_pyfunction!(loaded::loads, module)?)?;
    module.add_function(wrap_pyfunction!(loaded::games, module)?)?;
    module.add_function(wrap_pyfunction!(loaded::engines, module)?)?;
    module.add_function(wrap_pyfunction!(prove::verify, module)?)?;
    module.add_function(wrap_pyfunction!(prove::measure, module)?)?;
    module.add("RulesError", module.py().get_type::<errors::RulesError>())?;
    module.add("UnsupportedError", module.py().get_type::<errors::UnsupportedError>())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    Ok(())
}
