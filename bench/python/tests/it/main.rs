//! The library that Cargo has just built, loaded by an interpreter: the notebook runs, and what
//! documentation shows is so. `../test_notebook.py` has the tests themselves; `../../test` runs all
//! others, on a wheel.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The requirements on an interpreter that is to load the package.
const FIT: &str = "import sys, numpy; sys.exit(sys.version_info < (3, 10))";

/// An interpreter with `NumPy`: that of the system may have it where the first on the path has not.
fn interpreter() -> Option<&'static str> {
    let fit = |python: &&str| {
        let answer = Command::new(python).args(["-c", FIT]).output();
        answer.is_ok_and(|answer| answer.status.success())
    };
    ["python3", "/usr/bin/python3"].into_iter().find(fit)
}

/// The library, which lies beside this program.
fn library() -> PathBuf {
    let program = std::env::current_exe().expect("this program has a place");
    let name = format!("{}_native{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    program.with_file_name(name)
}

/// The package as it would be installed.
fn package(folder: &Path) {
    let made = folder.join("ggpbench");
    std::fs::create_dir(&made).expect("the folder is new");
    let written = Path::new(env!("CARGO_MANIFEST_DIR")).join("python/ggpbench");
    for entry in std::fs::read_dir(written).expect("the package is there") {
        let path = entry.expect("it can be read").path();
        if path.is_file() {
            let copy = made.join(path.file_name().expect("a file has a name"));
            std::fs::copy(&path, copy).expect("it can be copied");
        }
    }
    let library = library();
    std::fs::copy(&library, made.join("_native.abi3.so"))
        .unwrap_or_else(|error| panic!("{}: {error}", library.display()));
}

#[test]
fn the_notebook_and_the_examples_run() {
    let Some(python) = interpreter() else {
        eprintln!("skipped: no python3 from 3.10 on with NumPy; install python3-numpy");
        return;
    };
    let folder = tempfile::tempdir().expect("there is room for temporary files");
    package(folder.path());
    let answer = Command::new(python)
        .args(["-m", "unittest", "-v", "test_notebook"])
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests"))
        .env("PYTHONPATH", folder.path())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("it did answer before");
    let said = [&answer.stdout[..], &answer.stderr[..]].concat();
    assert!(answer.status.success(), "{python}:\n{}", String::from_utf8_lossy(&said));
}
