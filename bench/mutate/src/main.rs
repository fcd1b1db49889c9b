//! Changed rule files, compiled and played: see the README.

mod memory;
mod shrink;
mod summary;
mod trial;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use clap::Parser;
use nix::sys::resource::{RLIM_INFINITY, Resource, setrlimit};
use play::{Language, Limits, Rng};

use edits::Originals;
use summary::Summary;
use trial::{Bounds, Finding, Trial};

#[global_allocator]
static MEMORY: memory::Memory = memory::Memory;

/// Compiles and plays changed rule files, and looks for what goes wrong.
#[derive(Parser, Clone, Debug)]
struct Args {
    /// kif, lud, rbg or rg
    #[arg(long)]
    language: Language,
    /// How many files
    #[arg(long, default_value_t = 1000)]
    files: u64,
    /// The number of the first, by which limits are drawn, too
    #[arg(long, default_value_t = 0)]
    first: u64,
    /// Other seeds give other files
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Folders of rule files to change [default: the catalogue]
    #[arg(long)]
    from: Vec<PathBuf>,
    /// Elementary steps that compiling a file may take [default: drawn for each file, up to 20
    /// million]
    #[arg(long)]
    work: Option<u64>,
    /// Bytes that it may take, in MiB [default: drawn for each file, up to 256]
    #[arg(long)]
    mib: Option<u64>,
    /// Where to write files that show a fault
    #[arg(long, default_value = "mutate-findings")]
    out: PathBuf,
    /// How often a file is tried when it is made smaller; 0 leaves it as it is
    #[arg(long, default_value_t = 60)]
    shrink: usize,
    /// Tries this file alone
    #[arg(long)]
    file: Option<PathBuf>,
    /// Tries the files in this process, and prints what became of them
    #[arg(long, hide = true)]
    worker: bool,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let done = if args.worker {
        work(&args)
    } else if let Some(file) = &args.file {
        fs::read_to_string(file).map(|text| {
            let found = examine(&args, args.first, &text);
            found.iter().for_each(|finding| println!("{finding}"));
            found.is_empty()
        })
    } else {
        drive(&args)
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Tries all files, in processes that may die, and says what was found.
fn drive(args: &Args) -> std::io::Result<bool> {
    let originals = originals(args)?;
    let mut summary = Summary::default();
    let end = args.first + args.files;
    let mut next = args.first;
    while next < end {
        let most = end.min(next + FILES_OF_A_PROCESS);
        let range = [("--first", next), ("--files", most - next)];
        let options = range.map(|(name, value)| format!("{name}={value}"));
        next = run(args, &options, &mut summary)?.unwrap_or(most);
    }
    for (number, finding) in &summary.findings {
        let text = originals.file(args.seed, *number);
        keep(args, *number, &text, finding)?;
    }
    summary.print(args.language, args.seed);
    Ok(summary.findings.is_empty())
}

/// Files that one process tries: what engines keep for good is gone with it.
const FILES_OF_A_PROCESS: u64 = 250;

/// Runs a process; the number to go on with, if it died before its end.
fn run(args: &Args, more: &[String], summary: &mut Summary) -> std::io::Result<Option<u64>> {
    let mut command = Command::new(std::env::current_exe()?);
    let limits = [("--work", args.work), ("--mib", args.mib)];
    let limits = limits.iter().filter_map(|(name, value)| Some(format!("{name}={}", (*value)?)));
    command.args(limits).arg("--worker").arg(format!("--language={}", args.language));
    command.arg(format!("--seed={}", args.seed)).args(more);
    args.from.iter().for_each(|folder| {
        command.arg("--from").arg(folder);
    });
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
    let mut begun = None;
    for line in lines {
        let line = line?;
        match line.split_once('\t') {
            Some(("begin", number)) => begun = number.parse().ok(),
            Some(("end", _)) => begun = None,
            _ => summary.take(begun.unwrap_or_default(), &line),
        }
    }
    let status = child.wait()?;
    let Some(number) = begun.filter(|_| !status.success()) else { return Ok(None) };
    let kind = "died";
    summary.find(number, Finding { engine: "?".to_owned(), kind, what: format!("{status}") });
    Ok(Some(number + 1))
}

/// The findings of a process of its own on a text, within the limits of the file with a number.
fn examine(args: &Args, number: u64, text: &str) -> Vec<Finding> {
    let path =
        std::env::temp_dir().join(format!("mutate-{}.{}", std::process::id(), args.language));
    let mut summary = Summary::default();
    let file = format!("--file={}", path.display());
    let done = fs::write(&path, text)
        .and_then(|()| run(args, &[file, format!("--first={number}")], &mut summary));
    // Who cannot write says so when the first file is kept.
    let _ = fs::remove_file(&path);
    done.map(|_| summary.findings.into_iter().map(|(_, finding)| finding).collect())
        .unwrap_or_default()
}

/// Writes a file that shows a fault, and the smallest part of it that does.
fn keep(args: &Args, number: u64, text: &str, finding: &Finding) -> std::io::Result<()> {
    fs::create_dir_all(&args.out)?;
    let name = format!("{}-{}-{number}", finding.kind, args.seed);
    let path = |what: &str| args.out.join(format!("{name}{what}.{}", args.language));
    fs::write(path(""), text)?;
    let same =
        |text: &str| examine(args, number, text).iter().any(|found| found.kind == finding.kind);
    if args.shrink > 0 && same(text) {
        fs::write(path("-small"), shrink::shrink(text, args.language, args.shrink, same))?;
    }
    Ok(())
}

/// The work of a process: tries files, and reports on each.
fn work(args: &Args) -> std::io::Result<bool> {
    // More than this ends the process.
    let memory = memory::REGION as u64 + 4 * (args.mib.unwrap_or(MOST_MIB) << 20) + (2 << 30);
    setrlimit(Resource::RLIMIT_AS, memory, memory)?;
    let mut out = std::io::stdout().lock();
    let mut attempt = |number: u64, text: &str| -> std::io::Result<()> {
        writeln!(out, "begin\t{number}")?;
        out.flush()?;
        let bounds = Bounds { limits: limits_of(args, number) };
        let seconds = (trial::cpu() + 5.0 * bounds.seconds() + 20.0) as u64;
        setrlimit(Resource::RLIMIT_CPU, seconds, RLIM_INFINITY)?;
        for Trial { engine, outcome, seconds, bytes, findings } in
            trial::all(args.language, text, &bounds)
        {
            writeln!(out, "trial\t{engine}\t{outcome}\t{seconds}\t{bytes}")?;
            for finding in findings {
                writeln!(out, "finding\t{finding}")?;
            }
        }
        writeln!(out, "end\t{number}")?;
        out.flush()
    };
    if let Some(file) = &args.file {
        attempt(args.first, &fs::read_to_string(file)?)?;
        return Ok(true);
    }
    let originals = originals(args)?;
    // What engines make once belongs to no file.
    let bounds = Bounds { limits: Limits { bytes: MOST_MIB << 20, work: MOST_WORK } };
    trial::all(args.language, &originals.file(args.seed, 0), &bounds);
    for number in args.first..args.first + args.files {
        attempt(number, &originals.file(args.seed, number))?;
    }
    Ok(true)
}

/// Limits that are drawn: so many halvings of 20 million steps, which leaves 20,000, and of the
/// most bytes.
const MOST_WORK: u64 = 20_000_000;
const MOST_MIB: u64 = 256;

/// The limits of the file with a number: great ones for few, small ones for many, so that what is
/// not counted shows beside them, and most files are tried quickly.
fn limits_of(args: &Args, number: u64) -> Limits {
    let mut rng = Rng::stream(args.seed ^ 0x11_3175, number);
    let [work, mib] = [rng.below(11), rng.below(3)];
    Limits {
        bytes: args.mib.unwrap_or(MOST_MIB >> mib) << 20,
        work: args.work.unwrap_or(MOST_WORK >> work),
    }
}

/// The rule files that others are made from, sorted by path.
fn originals(args: &Args) -> std::io::Result<Originals> {
    fn gather(folder: &Path, language: Language, all: &mut Vec<PathBuf>) -> std::io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
            if path.is_dir() {
                gather(&path, language, all)?;
            } else if Language::of_extension(extension) == Some(language) {
                all.push(path);
            }
        }
        Ok(())
    }
    let catalogue = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/catalogue");
    let folders = if args.from.is_empty() { vec![catalogue] } else { args.from.clone() };
    let mut paths = Vec::new();
    for folder in &folders {
        gather(folder, args.language, &mut paths)?;
    }
    paths.sort();
    let texts: Vec<String> =
        paths.iter().filter_map(|path| fs::read_to_string(path).ok()).collect();
    if texts.is_empty() {
        return Err(std::io::Error::other(format!("no .{} file in {folders:?}", args.language)));
    }
    Ok(Originals::new(args.language, &texts))
}
