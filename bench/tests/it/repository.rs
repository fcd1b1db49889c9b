//! Rules of this repository, as tests.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use cargo_metadata::{DependencyKind, MetadataCommand};

use crate::source::tokens;

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Folders with a manifest and sources.
pub(crate) fn crates_below(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    let entries = std::fs::read_dir(folder).expect("folders can be read");
    for path in entries.map(|entry| entry.expect("it can be read").path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && name != "target" && !name.starts_with('.') {
            if path.join("Cargo.toml").is_file() && path.join("src").is_dir() {
                all.push(path.clone());
            }
            all.extend(crates_below(&path));
        }
    }
    all.sort();
    all
}

/// The crates of ours that each may see; [`ENGINES`] stands for all engines. Other crates in
/// `engines` are engines, and see [`ENGINE_MAY_SEE`].
const MAY_SEE: [(&str, &[&str]); 20] = [
    ("text", &[]),
    ("sites", &[]),
    ("cpu", &["sites"]),
    ("kernel", &["sites", "cpu"]),
    ("play", &["text", "sites", "cpu"]),
    ("propnet", &["text", "cpu", "play", "gdl"]),
    ("ludeme", &["text", "sites", "cpu", "kernel", "play"]),
    ("rbg", &["text", "sites", "kernel", "play"]),
    ("rg", &["text", "kernel", "play"]),
    ("roster", &["text", "play", ENGINES]),
    ("benches", &["text", "play", ENGINES, "roster", "games"]),
    ("edits", &["play"]),
    ("pictures", &["play"]),
    ("mutate", &["play", "edits", ENGINES]),
    ("agents", &["text", "play"]),
    ("games", &["text", "play"]),
    ("reports", &[]),
    ("bench", &["text", "play", "agents", "edits", "pictures", "roster", "games", "reports"]),
    // What programs use: it shows what `bench` can do, and nothing of ours is made of it but
    // `bench/python`.
    ("ggpbench", &["text", "play", "roster", "games", "pictures", "reports", "bench"]),
    ("ggpbench-python", &["ggpbench"]),
];

const ENGINES: &str = "engines";

const ENGINE_MAY_SEE: &[&str] = &["text", "sites", "cpu", "play"];

#[test]
fn dependencies_point_one_way() {
    let metadata = MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .no_deps()
        .exec()
        .expect("cargo metadata works");
    let may: BTreeMap<&str, &[&str]> = MAY_SEE.into_iter().collect();
    let crates: BTreeSet<&str> = metadata.packages.iter().map(|p| p.name.as_str()).collect();
    // Those that play, and those without a line.
    let in_engines = metadata.packages.iter().filter(|package| {
        let folder = package.manifest_path.parent().and_then(|folder| folder.parent());
        folder.is_some_and(|folder| folder.ends_with("engines"))
    });
    let engines: BTreeSet<&str> = in_engines
        .map(|package| package.name.as_str())
        .filter(|name| !["text", "sites", "cpu", "kernel", "play", "roster"].contains(name))
        .collect();
    for name in &crates {
        let known = may.contains_key(name) || engines.contains(name);
        assert!(known, "{name} is no engine and has no line in MAY_SEE");
    }
    for package in &metadata.packages {
        let seen = may.get(package.name.as_str()).copied().unwrap_or(ENGINE_MAY_SEE);
        for dependency in &package.dependencies {
            let name = dependency.name.as_str();
            // Tests and benchmarks may look at more.
            if crates.contains(name) && dependency.kind == DependencyKind::Normal {
                let allowed =
                    seen.contains(&name) || seen.contains(&ENGINES) && engines.contains(name);
                assert!(allowed, "{} must not depend on {name}", package.name);
            }
        }
    }
    for (name, _) in MAY_SEE {
        assert!(crates.contains(name), "there is no crate {name}");
    }
}

#[test]
fn the_top_level_holds_only_what_is_agreed() {
    let agreed = [
        "Cargo.toml",
        "Cargo.lock",
        "README.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "LICENSE",
        "CITATION.cff",
        "engines",
        "games",
        "bench",
        "reports",
    ];
    // Where results and builds go; both are ignored by git.
    let passing = ["target", "runs"];
    for entry in std::fs::read_dir(root()).expect("the root is there") {
        let name = entry.expect("it can be read").file_name().to_string_lossy().into_owned();
        let known = name.starts_with('.')
            || agreed.contains(&name.as_str())
            || passing.contains(&name.as_str());
        assert!(known, "{name} does not belong at the top");
    }
}

#[test]
fn every_crate_has_a_readme() {
    let engines = std::fs::read_dir(root().join("engines")).expect("engines/ is there");
    let rooms = engines
        .map(|entry| entry.expect("it can be read").path())
        .filter(|path| path.join("Cargo.toml").is_file())
        .chain(["engines", "games", "bench", "reports"].map(|name| root().join(name)));
    for room in rooms {
        assert!(room.join("README.md").is_file(), "{} has no README.md", room.display());
    }
}

#[test]
fn the_readme_names_every_crate() {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("there is a README");
    for (room, _) in MAY_SEE {
        assert!(readme.contains(&format!("`{room}`")), "README.md does not mention `{room}`");
    }
}

/// Whoever opens a crate finds each of its modules in its README.
#[test]
fn readmes_name_every_module() {
    for folder in crates_below(&root()) {
        let read = |path: &str| std::fs::read_to_string(folder.join(path)).ok();
        let Some(library) = read("src/lib.rs") else { continue };
        let (name, code) = (folder.display(), tokens(&library));
        let modules = code.windows(3).filter(|part| part[0] == "mod" && part[2] == ";");
        let readme = read("README.md").unwrap_or_default();
        let words: BTreeSet<&str> =
            readme.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        for module in modules.map(|part| part[1].as_str()) {
            assert!(words.contains(module), "{name}/README.md does not mention `{module}`");
        }
    }
}

/// Engines see text and jobs, and neither files, the clock nor threads.
#[test]
fn engines_do_no_input_or_output() {
    let forbidden = ["fs", "time", "thread", "net", "process", "env"];
    let mut looked_at = 0;
    for path in sources(&root().join("engines")) {
        // Unit tests may, and so may what the list of engines is built by.
        let tests = ["tests", "checks", "tests.rs", "roster", "examples", "fuzz", "build.rs"];
        if path.iter().any(|part| tests.iter().any(|test| part == *test)) {
            continue;
        }
        let code = tokens(&std::fs::read_to_string(&path).expect("sources are text"));
        for part in code.windows(3) {
            let path_of_std = part[0] == "std" && part[1] == "::";
            // Memory that a thread keeps for itself starts no thread.
            let used = path_of_std && forbidden.contains(&part[2].as_str());
            let used = used && !(part[2] == "thread" && code.iter().all(|name| name != "spawn"));
            assert!(!used, "{} uses std::{}", path.display(), part[2]);
            let prints = ["print", "println", "eprint", "eprintln"].contains(&part[0].as_str());
            assert!(!(prints && part[1] == "!"), "{} uses {}!", path.display(), part[0]);
        }
        looked_at += 1;
    }
    assert!(looked_at > 100, "only {looked_at} files were looked at");
}

/// A crate whose examples are not built has none: `doctest = false` saves a program that tests
/// nothing.
#[test]
fn examples_in_documentation_are_tested() {
    let metadata = MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .no_deps()
        .exec()
        .expect("cargo metadata works");
    let libraries = metadata.packages.iter().flat_map(|package| &package.targets);
    let silent = libraries.filter(|target| target.is_lib() && !target.doctest);
    let mut looked_at = 0;
    for path in silent.map(|target| target.src_path.as_std_path()) {
        for path in sources(path.parent().expect("it is in a folder")) {
            let text = std::fs::read_to_string(&path).expect("sources are text");
            let lines = text.lines().map(str::trim_start);
            let comments = lines.filter_map(|line| {
                line.strip_prefix("//!").or_else(|| line.strip_prefix("///")).map(str::trim)
            });
            // Of each pair of fences the first says what is between them.
            let fences = comments.filter_map(|line| line.strip_prefix("```"));
            for language in fences.step_by(2) {
                let is_code = ["", "rust", "should_panic", "no_run"].contains(&language);
                assert!(!is_code, "{} has an example that is not tested", path.display());
            }
            looked_at += 1;
        }
    }
    assert!(looked_at > 100, "only {looked_at} files were looked at");
}

/// Files that are still too long, with the number of their lines, which must not grow.
const LONG: [(&str, usize); 2] =
    [("engines/ludeme/src/run/mod.rs", 837), ("engines/ludeme/src/state/actions.rs", 809)];

/// A file has one job.
#[test]
fn files_are_short() {
    for path in sources(&root()) {
        let text = std::fs::read_to_string(&path).expect("sources are text");
        let most = LONG.iter().find(|(long, _)| path.ends_with(long)).map_or(800, |long| long.1);
        let lines = text.lines().count();
        assert!(lines <= most, "{} has {lines} lines: it is two files", path.display());
    }
}

/// The Rust sources below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let (mut all, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("folders can be read") {
            let path = entry.expect("it can be read").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() && name != "target" && !name.starts_with('.') {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                all.push(path);
            }
        }
    }
    all
}
