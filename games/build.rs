//! Rebuilds the crate when a file of the catalogue or of a family comes, goes or changes: the macro
//! that embeds them tells the compiler about the contents of files, but not about new ones.

fn main() {
    println!("cargo:rerun-if-changed=catalogue");
    println!("cargo:rerun-if-changed=families");
    println!("cargo:rerun-if-changed=build.rs");
}
