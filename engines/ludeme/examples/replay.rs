//! Replays the recorded games of folders of descriptions:
//! `replay TRACES RULES.. [--seconds N]`; each of RULES is a file or a folder.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use ludeme::trace::replay;
use play::{CompileError, Language, ReplayError, Rules};

fn files_in(path: &Path, found: &mut Vec<PathBuf>) {
    if let Ok(entries) = std::fs::read_dir(path) {
        let mut entries: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
        entries.sort();
        entries.iter().for_each(|entry| files_in(entry, found));
    } else if path.extension().is_some_and(|e| e == "lud") {
        found.push(path.to_owned());
    }
}

/// The recording of a file: below the folder of traces, or beside it.
fn recording(traces: &Path, root: &Path, file: &Path) -> Option<String> {
    let inside = file.strip_prefix(root).unwrap_or(file).with_extension("");
    let name = |ending: &str| PathBuf::from(format!("{}{ending}", inside.display()));
    let packed = traces.join(name(".trace.jsonl.gz"));
    let mut text = String::new();
    match std::fs::File::open(packed) {
        Ok(file) => {
            flate2::read::GzDecoder::new(file).read_to_string(&mut text).ok()?;
            Some(text)
        }
        Err(_) => std::fs::read_to_string(traces.join(name(".trace.jsonl"))).ok(),
    }
}

fn main() {
    // Positions of large boards take room on the stack while rules look ahead.
    let run = std::thread::Builder::new().stack_size(1 << 28).spawn(run);
    if run.is_ok_and(|run| run.join().is_ok()) {
        return;
    }
    std::process::exit(1);
}

fn run() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut seconds = 2.0;
    if let Some(at) = arguments.iter().position(|a| a == "--seconds") {
        let rest: Vec<String> = arguments.drain(at..).collect();
        seconds = rest.get(1).and_then(|s| s.parse().ok()).unwrap_or(seconds);
    }
    let Some((traces, roots)) = arguments.split_first() else {
        println!("replay TRACES RULES.. [--seconds N]");
        return;
    };
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for root in roots {
        let root = Path::new(root);
        let mut files = Vec::new();
        files_in(root, &mut files);
        for file in files {
            let Ok(text) = std::fs::read_to_string(&file) else { continue };
            let folder = if root.is_dir() { root } else { root.parent().unwrap_or(root) };
            let Some(recording) = recording(Path::new(traces), folder, &file) else {
                *counts.entry("no recording").or_default() += 1;
                continue;
            };
            let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let rules = Rules::new(Language::Lud, &name, text);
            let end = Instant::now() + Duration::from_secs_f64(seconds);
            let outcome = replay(&rules, &recording, &mut || Instant::now() < end);
            let (class, detail) = match outcome {
                Ok(replay) => match &replay.difference {
                    Some(difference) => ("differs", difference.to_string()),
                    None if replay.agrees() => ("agrees", format!("{} plies", replay.plies)),
                    None => ("agrees so far", format!("{} plies", replay.plies)),
                },
                Err(ReplayError::Malformed(text) | ReplayError::Unsupported(text)) => {
                    ("unreadable", text)
                }
                Err(ReplayError::Compile(error)) => {
                    let class = match error {
                        CompileError::Unsupported(_) => "unsupported",
                        CompileError::TooLarge(_) | CompileError::Beyond(_) => "too large",
                        _ => "invalid",
                    };
                    let mut messages: Vec<String> =
                        error.diagnostics().iter().map(|d| d.message.clone()).collect();
                    messages.sort();
                    messages.dedup();
                    let alone = messages.len() == 1;
                    for message in &messages {
                        let only = if alone { " (alone)" } else { "" };
                        *reasons.entry(format!("{message}{only}")).or_default() += 1;
                    }
                    (class, messages.join("; "))
                }
            };
            *counts.entry(class).or_default() += 1;
            println!("{class}\t{name}\t{detail}");
        }
    }
    println!("\n{counts:?}");
    let mut reasons: Vec<(String, usize)> = reasons.into_iter().collect();
    reasons.sort_by_key(|(reason, count)| (std::cmp::Reverse(*count), reason.clone()));
    for (reason, count) in reasons.iter().take(60) {
        println!("{count}\t{reason}");
    }
}
