//! Checks against reference results of other implementations, which live outside of the repository:
//! each test says so and does nothing where `../shared` is absent.

mod boards;
mod micro_games;

use std::path::{Path, PathBuf};

/// A file of the shared folder, if it is there.
fn shared(path: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(path);
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: {} is absent", path.display());
    None
}
