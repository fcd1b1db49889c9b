//! Rebuilds the crate when a file of the catalogue comes, goes or changes: the macro that embeds
//! the catalogue tells the compiler about the contents of files, but not about new ones.

fn main() {
    println!("cargo:rerun-if-changed=catalogue");
    println!("cargo:rerun-if-changed=build.rs");
}
