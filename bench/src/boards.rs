//! Pictures of the positions at which the games of a run begin, for its page.

use std::collections::BTreeMap;
use std::path::Path;

use pictures::Options;
use play::{Limits, Rng, settle};
use reports::run::board_file;

use crate::entry::Entry;

/// What an engine may spend on a game.
const LIMITS: Limits = Limits { work: 50_000_000, bytes: 1 << 30 };

/// Writes the picture of the start of each game, as SVG, into a run's folder. A picture that cannot
/// be made or written is left out: figures do not need it.
pub(crate) fn write(folder: &Path, entries: &[Entry]) {
    for entry in entries {
        write_one(folder, &entry.id, || picture(entry));
    }
}

/// Writes pictures that parts of a run have into the folder of the whole, likewise.
pub(crate) fn merge(folder: &Path, parts: &[&BTreeMap<String, String>]) {
    for (id, svg) in parts.iter().copied().flatten() {
        write_one(folder, id, || Some(svg.clone()));
    }
}

/// Writes the picture of a game, unless there is one.
fn write_one(folder: &Path, id: &str, picture: impl FnOnce() -> Option<String>) {
    let Some(path) = board_file(folder, id).filter(|path| !path.exists()) else { return };
    let parent = path.parent().unwrap_or(folder);
    let written = picture()
        .map(|svg| std::fs::create_dir_all(parent).and_then(|()| std::fs::write(&path, svg)));
    if let Some(Err(error)) = written {
        log::warn!("cannot write {}: {error}", path.display());
    }
}

/// The picture of the start, by the first engine that makes a game of it.
fn picture(entry: &Entry) -> Option<String> {
    let game = roster::engines().into_iter().find_map(|engine| {
        let reads = |rules: &&play::Rules| engine.languages().contains(&rules.language);
        let rules = entry.descriptions.iter().find(reads)?;
        engine.load(rules, &LIMITS).ok()
    })?;
    let mut rng = Rng::stream(0, 0);
    let mut start = game.game.open(&mut rng);
    settle(&mut *start, &mut rng);
    let options = Options { title: &entry.title, notes: false, ..Options::default() };
    Some(pictures::svg(&start.picture(), &options))
}
