//! Tells how engines are compiled, for what is recorded with every measurement.

fn main() {
    let level = std::env::var("OPT_LEVEL").unwrap_or_default();
    println!("cargo::rustc-env=ROSTER_OPT_LEVEL={level}");
    println!("cargo::rerun-if-changed=build.rs");
}
