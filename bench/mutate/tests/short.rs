//! A short run finds nothing.

use std::process::Command;

fn run(language: &str, files: u32) {
    let out = tempfile::tempdir().expect("there is room");
    let done = Command::new(env!("CARGO_BIN_EXE_mutate"))
        .args(["--language", language, "--files", &files.to_string(), "--seed", "7"])
        .arg("--out")
        .arg(out.path())
        .output()
        .expect("it runs");
    let text = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{text}");
    assert!(text.contains("compiled") && text.contains("0 panic"), "{text}");
}

#[test]
#[cfg(feature = "kif")]
fn kif() {
    run("kif", 60);
}

#[test]
#[cfg(feature = "lud")]
fn lud() {
    run("lud", 200);
}

#[test]
#[cfg(feature = "rbg")]
fn rbg() {
    run("rbg", 60);
}

#[test]
#[cfg(feature = "rg")]
fn rg() {
    run("rg", 100);
}
