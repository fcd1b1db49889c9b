//! Completions: what the command answers to shells, and what shells make of it.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{command, stdout};

/// A line that is typed up to its end, and what may come next: some of the candidates, and some
/// that are none.
const TYPED: [(&str, &[&str], &[&str]); 12] = [
    ("", &["run", "bench", "completions"], &["worker", "limit", "supervise"]),
    ("r", &["run", "rank", "record", "replay", "report"], &["bench"]),
    ("run connect", &["connect-4-6x7"], &["hex-9x9"]),
    ("run --suite sm", &["smoke"], &["core"]),
    ("run --engines ludeme,prop", &["ludeme,propnet"], &["ludeme,prover"]),
    ("bench --no-", &["--no-verify", "--no-native"], &["--quiet"]),
    ("study brea", &["breakthrough"], &["hex"]),
    ("perft my", &["mygame.lud"], &["myletter.txt"]),
    ("match uct fl", &["flat"], &["uct"]),
    ("play hex-9x9 --against hyp", &["hyperplay"], &["random"]),
    ("replay x.jsonl --engine bit", &["bitboard"], &["ludeme"]),
    ("peers install open", &["openspiel"], &["pgx"]),
];

fn folder_with_files() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in ["mygame.lud", "myletter.txt"] {
        std::fs::write(folder.path().join(name), "").expect("there is room");
    }
    folder
}

fn check(line: &str, candidates: &[&str], wanted: &[&str], unwanted: &[&str], shell: &str) {
    for name in wanted {
        assert!(candidates.contains(name), "{shell}: `{line}`: no {name} in {candidates:?}");
    }
    for name in unwanted {
        assert!(!candidates.contains(name), "{shell}: `{line}`: {name} in {candidates:?}");
    }
}

#[test]
fn the_command_says_what_may_come_next() {
    let folder = folder_with_files();
    let agents = ("match slow=uct@lud", &["slow=uct@ludeme"][..], &["slow=uct@ludii"][..]);
    for (line, wanted, unwanted) in TYPED.into_iter().chain([agents]) {
        let words: Vec<&str> = ["--", "ggpbench"].into_iter().chain(line.split(' ')).collect();
        let output = command(folder.path(), &words)
            .env("GGPBENCH_COMPLETE", "bash")
            .env("_CLAP_IFS", "\n")
            .env("_CLAP_COMPLETE_INDEX", (words.len() - 2).to_string())
            .output()
            .expect("it starts");
        assert!(output.status.success(), "{line}");
        let text = stdout(&output);
        check(line, &text.lines().collect::<Vec<_>>(), wanted, unwanted, "the command");
    }
}

#[test]
fn a_shell_that_is_not_known_is_told_so() {
    let output = command(Path::new("."), &[]).env("GGPBENCH_COMPLETE", "tcsh").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("unknown shell `tcsh`") && said.contains("`zsh`"), "{said}");
}

/// The script in which a shell prints what it would offer behind a line.
fn asking(shell: &str, line: &str) -> String {
    let register = format!("source <(ggpbench completions {shell})");
    let words: Vec<String> = line.split(' ').map(|word| format!("'{word}'")).collect();
    let (words, last) = (words.join(" "), words.len());
    match shell {
        "bash" => format!(
            "{register}; COMP_WORDS=(ggpbench {words}); COMP_CWORD={last}; COMP_TYPE=9; \
             _clap_complete_ggpbench ggpbench \"${{COMP_WORDS[COMP_CWORD]}}\" x; \
             printf '%s\\n' \"${{COMPREPLY[@]}}\""
        ),
        // Its own functions for completion work at a terminal alone.
        "zsh" => format!(
            "compdef() {{ }}; _describe() {{ print -l -- ${{(P)3}} }}; {register}; \
             words=(ggpbench {words}); CURRENT=$(({last} + 1)); _clap_dynamic_completer_ggpbench"
        ),
        _ => format!("ggpbench completions fish | source; complete -C 'ggpbench {line}'"),
    }
}

#[test]
fn shells_offer_it() {
    let folder = folder_with_files();
    let own = Path::new(env!("CARGO_BIN_EXE_ggpbench")).parent().expect("it is in a folder");
    let others = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> =
        std::iter::once(own.to_owned()).chain(std::env::split_paths(&others)).collect();
    let path = std::env::join_paths(folders).expect("they can be joined");
    for shell in ["bash", "zsh", "fish"] {
        for (line, wanted, unwanted) in TYPED {
            let output = Command::new(shell)
                .args(["-c", &asking(shell, line)])
                .current_dir(folder.path())
                .env("PATH", &path)
                .output();
            let Ok(output) = output else {
                eprintln!("skipped: there is no {shell}");
                break;
            };
            assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{shell}: `{line}`");
            let text = stdout(&output);
            // What a candidate stands for is behind a tab or a colon.
            let names = text.lines().map(|line| line.split(['\t', ':']).next().unwrap_or(line));
            check(line, &names.collect::<Vec<_>>(), wanted, unwanted, shell);
        }
    }
}
