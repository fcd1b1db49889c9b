//! `man`: manual pages, made from the same definitions as `--help`.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, CommandFactory};
use clap_mangen::Man;

use super::{Cli, Outcome};
use crate::output;

#[derive(Args, Clone, Debug)]
pub(super) struct ManArgs {
    /// Folder for a page of each command, `ggpbench.1`, `ggpbench-run.1`, ...
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(super) fn man(args: &ManArgs) -> Result<Outcome> {
    match &args.out {
        Some(folder) => {
            std::fs::create_dir_all(folder)
                .and_then(|()| clap_mangen::generate_to(Cli::command(), folder))
                .with_context(|| format!("cannot write into {}", folder.display()))?;
        }
        None => {
            let mut page = Vec::new();
            Man::new(Cli::command()).render(&mut page)?;
            output::raw(&String::from_utf8_lossy(&page))?;
        }
    }
    Ok(Outcome::Fine)
}
