//! Records what this binary was built from and by, for `machine.txt`.

use std::env;
use std::process::Command;

fn main() {
    let output = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output().ok();
        let text = output.filter(|o| o.status.success()).map(|o| o.stdout);
        text.and_then(|t| String::from_utf8(t).ok())
            .map_or_else(String::new, |t| t.trim().to_owned())
    };
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let revision = output("git", &["rev-parse", "--short=12", "HEAD"]);
    let revision = if revision.is_empty() { "unknown".to_owned() } else { revision };
    // The tree as it was when this was built; whoever builds on without a commit sees `changed`.
    let changed = output("git", &["status", "--porcelain", "--untracked-files=no"]);
    let tree = match (revision.as_str(), changed.is_empty()) {
        ("unknown", _) => "unknown",
        (_, true) => "as committed",
        (_, false) => "changed since",
    };
    println!("cargo::rustc-env=GGPBENCH_TREE={tree}");
    let rustc = variable("RUSTC");
    println!("cargo::rustc-env=GGPBENCH_REVISION={revision}");
    println!("cargo::rustc-env=GGPBENCH_RUSTC={}", output(&rustc, &["--version"]));
    println!("cargo::rustc-env=GGPBENCH_PROFILE={}", variable("PROFILE"));
    println!(
        "cargo::rustc-env=GGPBENCH_BUILD=target={} flags=[{}]",
        variable("TARGET"),
        variable("CARGO_ENCODED_RUSTFLAGS").replace('\u{1f}', " "),
    );
    println!("cargo::rerun-if-changed=build.rs");
    for sources in ["src", "../engines", "../games", "../reports/src"] {
        println!("cargo::rerun-if-changed={sources}");
    }
    // A commit moves the head's log; without a repository there is nothing to watch.
    let log = output("git", &["rev-parse", "--git-path", "logs/HEAD"]);
    if std::path::Path::new(&log).exists() {
        println!("cargo::rerun-if-changed={log}");
    }
}
