//! Public rulesheets in `../shared`, where that is present: the same games as the prover plays.
//!
//! Some of the sheets by default; all of them where `GGPBENCH_ALL` is set.

mod common;
mod together;

use std::path::{Path, PathBuf};

use common::{compile, kif};
use gdl::ProverEngine;
use play::{Job, Limits, Via};
use propnet::{Evaluator, PropnetEngine};
use together::{same_trees, walk};

/// One sheet in so many is looked at by default.
const EVERY: usize = 9;

fn sheets(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sheets(&path, out);
        } else if path.extension().is_some_and(|e| e == "kif") {
            out.push(path);
        }
    }
}

#[test]
fn public_sheets_are_played_as_the_prover_plays_them() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/gdl");
    let mut all = Vec::new();
    sheets(&root, &mut all);
    all.sort();
    if all.is_empty() {
        eprintln!("skipped: {} is not there", root.display());
        return;
    }
    let every = if std::env::var_os("GGPBENCH_ALL").is_some() { 1 } else { EVERY };
    let limits = Limits { work: 3_000_000, bytes: 1 << 29 };
    let (mut compared, mut faults) = (0, Vec::new());
    for path in all.iter().step_by(every) {
        let name = path.strip_prefix(&root).unwrap_or(path).display().to_string();
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let rules = kif(&name, &text);
        let ours = match compile(&PropnetEngine::default(), &rules, &limits) {
            Ok(game) => game,
            Err(why) => {
                eprintln!("{name}: {why}");
                continue;
            }
        };
        let theirs = match compile(&ProverEngine, &rules, &Limits::default()) {
            Ok(game) => game,
            Err(why) => {
                eprintln!("{name}: prover: {why}");
                continue;
            }
        };
        let job = Job { seed: 3, first: 0, count: 5, cap: 100 };
        if ours.run(&job, Via::Fast) != ours.run(&job, Via::Reference) {
            faults.push(format!("{name}: the fast path is not the reference"));
        }
        match compile(&PropnetEngine { evaluator: Evaluator::Batch }, &rules, &limits) {
            Ok(batch) if batch.run(&job, Via::Fast) != ours.run(&job, Via::Fast) => {
                faults.push(format!("{name}: lanes play other playouts"));
            }
            Ok(_) => {}
            Err(why) => faults.push(format!("{name}: {why}")),
        }
        if let Err(fault) = same_trees(&*ours, &*theirs, 3, 100) {
            faults.push(format!("{name}: {fault}"));
        }
        if !ours.facts().chance
            && let Err(fault) = walk(&*ours, &*theirs, 11, 40)
        {
            faults.push(format!("{name}: {fault}"));
        }
        compared += 1;
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(compared * 2 > all.len() / every, "only {compared} sheets were compared");
}
