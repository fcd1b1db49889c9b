//! Public rulesheets in `../shared`, where that is present: the same games as the prover plays.
//!
//! Some of the sheets by default; all of them where `GGPBENCH_ALL` is set.

use std::collections::BTreeSet;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::common::{compile, kif};
use super::together::{same_trees, walk};
use gdl::ProverEngine;
use play::{Job, Limits, Rules, Via};
use propnet::{Evaluator, PropnetEngine};

/// One sheet in so many is looked at by default.
const EVERY: usize = 18;

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
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/corpus/gdl");
    let mut all = Vec::new();
    sheets(&root, &mut all);
    all.sort();
    if all.is_empty() {
        eprintln!("skipped: {} is not there", root.display());
        return;
    }
    let every = if std::env::var_os("GGPBENCH_ALL").is_some() { 1 } else { EVERY };
    let chosen: Vec<&PathBuf> = all.iter().step_by(every).collect();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut found = Vec::new();
        while let Some(path) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
            let name = path.strip_prefix(&root).unwrap_or(path).display().to_string();
            let Ok(text) = std::fs::read_to_string(path) else { continue };
            match compare(&kif(&name, &text)) {
                Ok(faults) => found.push((name, faults)),
                Err(why) => eprintln!("{name}: {why}"),
            }
        }
        found
    };
    let workers = std::thread::available_parallelism().map_or(1, NonZero::get);
    let compared: Vec<(String, Vec<String>)> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("no panic")).collect()
    });
    let faults: BTreeSet<String> = compared
        .iter()
        .flat_map(|(name, faults)| faults.iter().map(move |fault| format!("{name}: {fault}\n")))
        .collect();
    assert!(faults.is_empty(), "{}", String::from_iter(faults));
    assert!(compared.len() * 2 > chosen.len(), "only {} sheets were compared", compared.len());
}

/// The differences between the evaluators and the reference path, or the prover, on a sheet. An
/// error if one of them does not take it.
fn compare(rules: &Rules) -> Result<Vec<String>, String> {
    let limits = Limits { work: 3_000_000, bytes: 1 << 29 };
    let ours = compile(&PropnetEngine::default(), rules, &limits)?;
    let theirs = compile(&ProverEngine, rules, &Limits::default())
        .map_err(|why| format!("prover: {why}"))?;
    let mut faults = Vec::new();
    let job = Job { seed: 3, first: 0, count: 5, cap: 100 };
    if ours.run(&job, Via::Fast) != ours.run(&job, Via::Reference) {
        faults.push("the fast path is not the reference".to_owned());
    }
    match compile(&PropnetEngine { evaluator: Evaluator::Batch }, rules, &limits) {
        Ok(batch) if batch.run(&job, Via::Fast) != ours.run(&job, Via::Fast) => {
            faults.push("lanes play other playouts".to_owned());
        }
        Ok(_) => {}
        Err(why) => faults.push(why),
    }
    faults.extend(same_trees(&*ours, &*theirs, 3, 100).err());
    if !ours.facts().chance {
        faults.extend(walk(&*ours, &*theirs, 11, 40).err());
    }
    Ok(faults)
}
