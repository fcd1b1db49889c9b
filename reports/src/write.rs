//! A run's folder, regenerated from its rows.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use crate::chart::{
    Theme, compile_chart, playouts_chart, png, profile_chart, speedup_chart, svg, tokens_chart,
};
use crate::render::{Document, Figure, page_html, table_csv, table_latex, table_markdown};
use crate::table::Order;
use crate::{Error, Run};

/// Pixels a unit: charts are 1000 units wide, and stay sharp when shown at that width on a dense screen.
const PIXELS: f64 = 2.0;

/// What to draw, beyond the rows themselves.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Options {
    /// The engine (or column label) that speed-ups are over; [`crate::Table::default_baseline`] otherwise.
    pub baseline: Option<String>,
    /// In which order games stand.
    pub order: Order,
}

/// What [`write_all`] did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The files, in the order written.
    pub files: Vec<PathBuf>,
    /// What was noticed while reading the rows.
    pub warnings: Vec<String>,
}

/// Regenerates every artefact of a run's folder from its `measurements.csv` (and `machine.txt`, if there is one).
///
/// The same rows give the same bytes. Each file is written beside its place and renamed into it, so that a reader never sees half of one.
pub fn write_all(dir: &Path, options: &Options) -> Result<Written, Error> {
    let run = Run::load(dir)?;
    let mut files = Vec::new();
    for (name, bytes) in artefacts(&run, options)? {
        let path = dir.join(name);
        replace(&path, &bytes)?;
        files.push(path);
    }
    Ok(Written { files, warnings: run.warnings })
}

/// Every artefact of a run by file name, without touching a disk.
pub fn artefacts(run: &Run, options: &Options) -> Result<Vec<(&'static str, Vec<u8>)>, Error> {
    if run.samples.is_empty() {
        return Err(Error::Request("there are no rows to report on".to_owned()));
    }
    let table = run.table_in(options.order);
    let speedups = table.speedups(options.baseline.as_deref())?;
    let document = Document {
        table: &table,
        speedups: &speedups,
        machine: run.machine.as_deref(),
        warnings: &run.warnings,
    };
    let charts = [
        ("Playouts", ["playouts.svg", "playouts.png"], playouts_chart(&table)),
        ("Speed-ups", ["speedup.svg", "speedup.png"], speedup_chart(&table, &speedups)),
        ("Performance profile", ["profile.svg", "profile.png"], profile_chart(&table)),
        ("Compile time against speed", ["compile.svg", "compile.png"], compile_chart(&table)),
        ("Description size against speed", ["tokens.svg", "tokens.png"], tokens_chart(&table)),
    ];
    let figures = charts.each_ref().map(|(title, _, scene)| Figure {
        title,
        light: svg(scene, &Theme::LIGHT),
        dark: svg(scene, &Theme::DARK),
    });
    let mut files = vec![
        ("table.csv", table_csv(&table, &speedups).into_bytes()),
        ("table.md", table_markdown(&document).into_bytes()),
        ("table.tex", table_latex(&table, &speedups).into_bytes()),
        ("report.html", page_html(&document, &figures, &run.samples).into_bytes()),
    ];
    for (_, [vector, pixels], scene) in &charts {
        files.push((vector, svg(scene, &Theme::LIGHT).into_bytes()));
        files.push((pixels, png(scene, &Theme::LIGHT, PIXELS)?));
    }
    Ok(files)
}

/// Writes a file through a temporary neighbour and a rename.
fn replace(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    let write = || -> std::io::Result<()> {
        let mut file = std::fs::File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        std::fs::rename(&temporary, path)
    };
    write().map_err(|error| {
        // The error that matters is the first one.
        let _ = std::fs::remove_file(&temporary);
        Error::io(path)(error)
    })
}
