//! The file of the games that were played, as trials.

use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::trial::{Header, Trial, write_line};

/// The trials of one session, and the file that keeps them, if there is one.
pub(super) struct Record {
    pub(super) header: Header,
    file: Option<(File, PathBuf)>,
    /// The number of games that are over and done with.
    pub(super) games: u64,
}

impl Record {
    /// Begins the file, if there is to be one.
    pub(super) fn new(header: Header, path: Option<&Path>) -> Result<Record> {
        let mut record = Record { header, file: None, games: 0 };
        if let Some(path) = path {
            let shown = || format!("cannot write {}", path.display());
            let mut file = File::create(path).with_context(shown)?;
            write_line(&mut file, &record.header).with_context(shown)?;
            record.file = Some((file, path.to_owned()));
        }
        Ok(record)
    }

    /// Keeps a game.
    pub(super) fn keep(&mut self, trial: &Trial) -> Result<()> {
        self.games += 1;
        let Some((file, path)) = &mut self.file else { return Ok(()) };
        write_line(file, trial).with_context(|| format!("cannot write {}", path.display()))
    }

    /// The place of the games, in words for the person who played them; `None` if they have none
    /// and the last one is no loss.
    pub(super) fn place(&self, is_worth_it: bool) -> Option<String> {
        let Some((_, path)) = &self.file else {
            let advice = "The game is not recorded; --record FILE would keep it.";
            return is_worth_it.then(|| advice.to_owned());
        };
        let (what, it) = if self.games == 1 { ("game is", "it") } else { ("games are", "them") };
        let path = path.display();
        Some(format!("The {what} in {path}; `ggpbench replay` plays {it} again."))
    }
}
