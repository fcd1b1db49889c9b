//! Rules of this repository, as tests.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use cargo_metadata::{DependencyKind, MetadataCommand};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Which rooms each room may see.
const MAY_SEE: [(&str, &[&str]); 15] = [
    ("text", &[]),
    ("kernel", &[]),
    ("play", &["text"]),
    ("gdl", &["text", "play"]),
    ("propnet", &["text", "play", "gdl"]),
    ("ludeme", &["text", "kernel", "play"]),
    ("rbg", &["text", "play", "kernel"]),
    ("bitboard", &["play"]),
    ("roster", &["text", "play", "gdl", "propnet", "ludeme", "rbg", "bitboard"]),
    ("benches", &["text", "play", "gdl", "propnet", "bitboard", "roster", "games"]),
    ("agents", &["play"]),
    ("games", &["text", "play"]),
    ("reports", &[]),
    ("bench", &["text", "play", "agents", "roster", "games", "reports"]),
    // What programs use: it shows what `bench` can do, and nothing of ours is made of it but `bench/python`.
    ("ggpbench", &["text", "play", "roster", "games", "reports", "bench"]),
];

#[test]
fn dependencies_point_one_way() {
    let metadata = MetadataCommand::new()
        .manifest_path(root().join("Cargo.toml"))
        .no_deps()
        .exec()
        .expect("cargo metadata works");
    let may: BTreeMap<&str, &[&str]> = MAY_SEE.into_iter().collect();
    let rooms: BTreeSet<&str> = metadata.packages.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(rooms, may.keys().copied().collect(), "every room has its line here");
    for package in &metadata.packages {
        for dependency in &package.dependencies {
            let inside = rooms.contains(dependency.name.as_str());
            // Tests and benchmarks may look at more.
            if inside && dependency.kind == DependencyKind::Normal {
                let allowed = may[package.name.as_str()].contains(&dependency.name.as_str());
                assert!(allowed, "{} must not depend on {}", package.name, dependency.name);
            }
        }
    }
}

#[test]
fn the_top_level_holds_only_what_is_agreed() {
    let agreed = [
        "Cargo.toml",
        "Cargo.lock",
        "README.md",
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
fn every_room_has_a_readme() {
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
fn the_readme_names_every_room() {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("there is a README");
    for (room, _) in MAY_SEE {
        assert!(readme.contains(&format!("`{room}`")), "README.md does not mention `{room}`");
    }
}

/// Engines see text and jobs, and neither files, the clock nor threads.
#[test]
fn engines_do_no_input_or_output() {
    let forbidden =
        ["std::fs", "std::time", "std::thread", "std::net", "std::process", "std::env", "println!"];
    let mut looked_at = 0;
    for engine in ["text", "play", "kernel", "gdl", "propnet", "ludeme", "rbg", "bitboard"] {
        let mut folders = vec![root().join("engines").join(engine).join("src")];
        let tests = ["tests".to_owned(), "checks".to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).expect("sources are there") {
                let path = entry.expect("it can be read").path();
                let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                // Unit tests stand at the end of a file, or in modules of their own.
                if tests.contains(&name) {
                    continue;
                }
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let source = std::fs::read_to_string(&path).expect("sources are text");
                let code = source.split("#[cfg(test)]").next().unwrap_or_default();
                for word in forbidden {
                    // Memory that a thread keeps for itself starts no thread.
                    let is_used = |l: &str| {
                        l.contains(word)
                            && !l.contains("std::thread::LocalKey")
                            && !l.trim_start().starts_with("//")
                    };
                    let used = code.lines().any(is_used);
                    assert!(!used, "{} uses {word}", path.display());
                }
                looked_at += 1;
            }
        }
    }
    assert!(looked_at > 20, "only {looked_at} files were looked at");
}
