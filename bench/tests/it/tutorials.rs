//! Tutorials do what they say: every file that they show is written, and every command is run, in
//! order.

use std::path::Path;
use std::process::Command;

use crate::repository::root;

#[test]
fn a_game_in_four_languages() {
    follow("games/TUTORIAL.md", 10);
}

#[test]
fn an_engine_in_an_hour() {
    follow("engines/TUTORIAL.md", 8);
}

/// Follows a tutorial in an empty folder, beside the worked examples of engines and the Python
/// package that they use; it has so many steps at least. A block of code whose head names a path is the file there; one in `sh` is run
/// line by line.
fn follow(document: &str, least: usize) {
    let text = std::fs::read_to_string(root().join(document)).expect("the tutorial is there");
    let folder = tempfile::tempdir().expect("a temporary folder");
    for copied in ["engines/example", "bench/python/python/ggpbench"] {
        let written = root().join(copied);
        let copies = folder.path().join(written.file_name().expect("it has a name"));
        std::fs::create_dir(&copies).expect("there is room");
        for entry in std::fs::read_dir(written).expect("it is there") {
            let path = entry.expect("it can be read").path();
            if path.is_file() {
                let copy = copies.join(path.file_name().expect("it has a name"));
                std::fs::copy(path, copy).expect("there is room");
            }
        }
    }
    let (mut steps, mut lines) = (0, text.lines().zip(1..));
    while let Some((line, number)) = lines.next() {
        let Some(head) = line.strip_prefix("```").filter(|head| !head.is_empty()) else { continue };
        let block = lines.by_ref().map(|(line, _)| line).take_while(|line| *line != "```");
        let block: Vec<&str> = block.collect();
        match head.split_once(' ') {
            Some((_, path)) => {
                let path = folder.path().join(path);
                std::fs::create_dir_all(path.parent().expect("it has a folder")).unwrap();
                std::fs::write(path, block.join("\n") + "\n").unwrap();
                steps += 1;
            }
            None if head == "sh" => {
                for (command, line) in block.iter().zip(number + 1..) {
                    run(folder.path(), command, &format!("{document}:{line}"));
                    steps += 1;
                }
            }
            None => {}
        }
    }
    assert!(steps >= least, "{document} has only {steps} steps");
}

fn run(folder: &Path, command: &str, place: &str) {
    let own = Path::new(env!("CARGO_BIN_EXE_ggpbench")).parent().expect("it is in a folder");
    let others = std::env::var_os("PATH").unwrap_or_default();
    let path = std::iter::once(own.to_owned()).chain(std::env::split_paths(&others));
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(folder)
        .env("PATH", std::env::join_paths(path).expect("paths have no colons"))
        .output()
        .expect("there is a shell");
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    assert!(output.status.success(), "{place}: `{command}`: {}\n{said}", output.status);
}
