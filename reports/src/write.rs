//! A run's folder, regenerated from its rows.

use std::fs::Permissions;
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::chart::{self, Data};
use crate::curves::curves;
use crate::render::{
    Document, answer, claim_markdown, curves_csv, page_html, table_csv, table_latex, table_markdown,
};
use crate::table::Order;
use crate::text::{did_you_mean, printable};
use crate::{Error, Run};

/// The choices in drawing, beyond the rows themselves.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Options {
    /// The engine (or column label) that speed-ups are over; [`crate::Table::default_baseline`]
    /// otherwise.
    pub baseline: Option<String>,
    /// In which order games stand.
    pub order: Order,
}

/// The result of [`write_all`].
#[derive(Debug, Clone, PartialEq)]
pub struct Written {
    /// The files, in the order written.
    pub files: Vec<PathBuf>,
    /// The run that they were made of.
    pub run: Run,
    /// The answer of the run, in three lines; see [`answer`].
    pub answer: Vec<String>,
}

/// Regenerates every artefact of a run's folder from its `measurements.csv` (and `machine.txt`, if
/// there is one).
///
/// The same rows give the same bytes. Each file is written beside its place and renamed into it, so
/// that a reader never sees half of one.
pub fn write_all(dir: &Path, options: &Options) -> Result<Written, Error> {
    let run = Run::load(dir)?;
    let mut files = Vec::new();
    for (name, bytes) in artefacts(&run, options)? {
        let path = dir.join(name);
        replace(&path, |out| out.write_all(&bytes)).map_err(Error::io(&path))?;
        files.push(path);
    }
    let table = run.table_in(options.order);
    let answer = answer(&table, &table.speedups(options.baseline.as_deref())?);
    Ok(Written { files, run, answer })
}

/// Every artefact of a run by file name, without touching a disk.
pub fn artefacts(run: &Run, options: &Options) -> Result<Vec<(String, Vec<u8>)>, Error> {
    if run.samples.is_empty() {
        return Err(Error::Request("there are no rows to report on".to_owned()));
    }
    let table = run.table_in(options.order);
    let speedups = table.speedups(options.baseline.as_deref())?;
    let curves = curves(&table);
    let document = Document {
        table: &table,
        speedups: &speedups,
        curves: &curves,
        machine: run.machine.as_deref(),
        warnings: &run.warnings,
    };
    let data = Data { table: &table, speedups: &speedups, curves: &curves };
    let pictures = chart::pictures(&data)?;
    let mut files = vec![
        ("table.csv".to_owned(), table_csv(&table, &speedups).into_bytes()),
        ("table.md".to_owned(), table_markdown(&document).into_bytes()),
        ("table.tex".to_owned(), table_latex(&document).into_bytes()),
        ("report.html".to_owned(), page_html(&document, &pictures, run)?.into_bytes()),
    ];
    if let Some(claim) = claim_markdown(&table) {
        files.push(("claim.md".to_owned(), claim.into_bytes()));
    }
    if !curves.is_empty() {
        files.push(("curves.csv".to_owned(), curves_csv(&curves).into_bytes()));
    }
    for picture in pictures {
        files.push((format!("{}.svg", picture.name), picture.svg.into_bytes()));
        files.push((format!("{}.png", picture.name), picture.png));
    }
    Ok(files)
}

/// Checks that a baseline can be found in a run of these engines: it is the id of one of them, or a
/// label that begins with one. Asked before anything is measured, so that a slip of the pen does
/// not cost a run its reports; `None` is always fine.
///
/// # Errors
/// A name that is none of them, with the names there are and the nearest of them.
pub fn check_baseline(baseline: Option<&str>, engines: &[&str]) -> Result<(), Error> {
    let Some(name) = baseline else { return Ok(()) };
    // What may follow the engine's id in a label; see `Column::label`.
    let is_label = |rest: &str| {
        rest.is_empty() || [" (", " ×", ", jobs of "].iter().any(|sign| rest.starts_with(sign))
    };
    let named = |engine: &&str| name.strip_prefix(*engine).is_some_and(is_label);
    if engines.iter().any(named) {
        return Ok(());
    }
    let hint = did_you_mean(name, engines.iter().copied());
    let names: Vec<_> = engines.iter().map(|engine| printable(engine)).collect();
    Err(Error::Request(format!(
        "baseline {name:?} is no engine of this run; it has: {}{hint}",
        names.join(", ")
    )))
}

/// Writes a file through a temporary neighbour and a rename: it is there as a whole, or as it was.
///
/// # Errors
/// What writing says.
pub fn replace(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    // Others may read it, unlike other temporary files; the umask of the process has its say.
    let mut file = tempfile::Builder::new()
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder.unwrap_or(Path::new(".")))?;
    let mut out = BufWriter::new(&mut file);
    write(&mut out)?;
    out.into_inner()?.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::check_baseline;

    #[test]
    fn a_baseline_is_checked_before_there_are_rows() {
        let engines = ["bitboard", "ludeme", "propnet", "propnet-batch"];
        let fine =
            ["ludeme", "bitboard (batch)", "propnet ×2", "propnet-batch", "ludeme, jobs of 4"];
        for name in fine {
            check_baseline(Some(name), &engines).unwrap();
        }
        check_baseline(None, &engines).unwrap();
        let message = |name| check_baseline(Some(name), &engines).unwrap_err().to_string();
        assert_eq!(
            message("ludem"),
            "baseline \"ludem\" is no engine of this run; it has: bitboard, ludeme, propnet, \
             propnet-batch; did you mean `ludeme`?"
        );
        assert!(message("nope").ends_with("propnet-batch"), "{}", message("nope"));
        assert!(message("propnetbatch").ends_with("did you mean `propnet-batch`?"));
        assert!(check_baseline(Some("ludemesque"), &engines).is_err());
    }
}
