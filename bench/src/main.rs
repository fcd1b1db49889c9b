//! The `ggpbench` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    bench::cli::main()
}
