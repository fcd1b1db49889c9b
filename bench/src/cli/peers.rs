//! `peers`: other people's systems, installed as engines.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use comfy_table::Table;
use comfy_table::presets::NOTHING;

use super::Outcome;
use super::select::{CatalogueArgs, Usage, bounds};
use crate::client::Worker;
use crate::engine_check;
use crate::entry::Entry;
use crate::output;
use crate::peers::{self, ENGINE_FILE, Java, Peer, Python, Source, State};

#[derive(Args, Clone, Debug)]
pub(super) struct PeersArgs {
    #[command(subcommand)]
    command: PeersCommand,
}

#[derive(Subcommand, Clone, Debug)]
enum PeersCommand {
    /// List the systems that there are adapters for, and which are installed
    List(Place),
    /// Install a system with its adapter
    Install(InstallArgs),
    /// Start installed systems, and check that they speak the worker protocol
    Check(CheckArgs),
}

/// The folder in which peers are installed.
#[derive(Args, Clone, Debug)]
struct Place {
    /// Folder of peers [default: $GGPBENCH_PEERS, or ggpbench/peers in the user's cache folder]
    #[arg(long, value_name = "DIR")]
    at: Option<PathBuf>,
}

impl Place {
    fn root(&self) -> Result<PathBuf> {
        match &self.at {
            Some(root) => Ok(std::path::absolute(root)?),
            None => peers::default_root(),
        }
    }
}

#[derive(Args, Clone, Debug)]
struct InstallArgs {
    /// The peer, by its name in `ggpbench peers list`
    #[arg(id = "peer")]
    name: String,
    #[command(flatten)]
    place: Place,
    /// Python to make the virtual environment with
    #[arg(long, default_value = "python3", value_name = "PROGRAM")]
    python: PathBuf,
    /// A jar or a folder of classes of a system on the Java virtual machine; may be given several
    /// times
    #[arg(long, value_name = "PATH")]
    jar: Vec<PathBuf>,
    /// Folder of a Java development kit [default: the `java` and `javac` that the shell finds]
    #[arg(long, value_name = "DIR")]
    java_home: Option<PathBuf>,
    /// Remove what is there of it, and install it anew
    #[arg(long)]
    again: bool,
}

#[derive(Args, Clone, Debug)]
struct CheckArgs {
    /// Peers, by name [default: all that are installed]
    #[arg(id = "peer")]
    names: Vec<String>,
    #[command(flatten)]
    place: Place,
    /// Memory limit in GiB; 0 for none
    #[arg(long, default_value_t = 0.0, value_name = "GIB")]
    memory: f64,
    /// Seconds of CPU time that a single answer may take; by the clock, where others have the
    /// cores, twenty times as many
    #[arg(long, default_value_t = 120.0, value_name = "SECONDS")]
    patience: f64,
}

pub(super) fn peers(args: &PeersArgs) -> Result<Outcome> {
    match &args.command {
        PeersCommand::List(place) => list(&place.root()?),
        PeersCommand::Install(args) => install(args),
        PeersCommand::Check(args) => check(args),
    }
}

fn list(root: &Path) -> Result<Outcome> {
    let mut table = Table::new();
    table.load_style(NOTHING).set_header(["peer", "what it is", "state"]);
    for peer in peers::all()? {
        let state = match peer.state(root) {
            State::Installed(_) => "installed".to_owned(),
            State::Missing(reason) => reason,
        };
        // The folder stands below the table.
        let state = state.replace(&format!(" in {}", root.display()), "");
        table.add_row([peer.name.to_owned(), format!("{}: {}", peer.title, peer.about), state]);
    }
    if let Some(width) = output::width() {
        table.set_width(width).set_content_arrangement(comfy_table::ContentArrangement::Dynamic);
    }
    outln!("{table}\n")?;
    outln!("folder: {}", root.display())?;
    Ok(Outcome::Fine)
}

fn install(args: &InstallArgs) -> Result<Outcome> {
    let peer = peers::get(&args.name).map_err(|error| Usage(error.to_string()))?;
    let root = args.place.root()?;
    let folder = root.join(peer.name);
    match (&peer.source, args.jar.is_empty()) {
        (Source::Python(_), false) => {
            return Err(
                Usage(format!("{} is no system on the Java virtual machine", peer.name)).into()
            );
        }
        (Source::Java(java), true) => {
            return Err(Usage(format!(
                "{} is not ours to install: give {} by --jar, as in `{}`",
                peer.title,
                java.wants,
                peer.install_line()
            ))
            .into());
        }
        _ => {}
    }
    clear(&folder, args.again)?;
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot create {}", folder.display()))?;
    for (name, text) in peer.files() {
        write(&folder.join(name), text)?;
    }
    let engine = match &peer.source {
        Source::Python(python) => install_python(&peer, python, &args.python, &folder)?,
        Source::Java(java) => {
            install_java(&peer, java, &args.jar, args.java_home.as_deref(), &folder)?
        }
    };
    write(&folder.join(ENGINE_FILE), &engine)?;
    let found = try_out(&peer, &root, 120.0);
    match found {
        Ok(version) => {
            outln!("{version} is installed in {}", folder.display())?;
            let at = args
                .place
                .at
                .as_ref()
                .map_or_else(String::new, |_| format!(" --peers={}", root.display()));
            outln!("try it: ggpbench run --suite peers --engines {},bitboard{at}", peer.name)?;
            Ok(Outcome::Fine)
        }
        Err(error) => {
            // Nothing takes part that was never seen to work.
            let _ = std::fs::remove_file(folder.join(ENGINE_FILE));
            Err(error.context(format!("{} was installed, and does not start", peer.title)))
        }
    }
}

/// Makes room for an installation: only what was one before is removed.
fn clear(folder: &Path, again: bool) -> Result<()> {
    if !folder.exists() {
        return Ok(());
    }
    if !folder.join(MARK).is_file() && folder.read_dir()?.next().is_some() {
        bail!(
            "{} is there and holds something else; remove it, or give another folder by --at",
            folder.display()
        );
    }
    if !again {
        bail!("there is something in {} already; --again installs it anew", folder.display());
    }
    std::fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))
}

/// The file that every folder of an installed peer has.
const MARK: &str = "peer.toml";

fn write(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// Makes a virtual environment with the packages; the engines file of the peer.
fn install_python(peer: &Peer, wanted: &Python, program: &Path, folder: &Path) -> Result<String> {
    let found = output_of(
        Command::new(program).args(["-c", "import sys; print('%d.%d' % sys.version_info[:2])"]),
    )
    .with_context(|| {
        format!(
            "{} does not run; give a Python {} or newer by --python",
            program.display(),
            wanted.least
        )
    })?;
    if number(&found) < number(&wanted.least) {
        bail!(
            "{} is Python {found}, and the packages of {} need {} or newer; give one by --python",
            program.display(),
            peer.title,
            wanted.least
        );
    }
    let environment = folder.join("venv");
    carry_out(Command::new(program).args(["-m", "venv"]).arg(&environment)).with_context(|| {
        format!(
            "cannot make a virtual environment; on Debian that takes the package python{found}-venv"
        )
    })?;
    let python = environment.join("bin").join("python");
    let pip = ["-m", "pip", "install", "--no-input", "--disable-pip-version-check", "--quiet"];
    let pins = folder.join("requirements.txt");
    carry_out(Command::new(&python).args(pip).arg("--requirement").arg(pins)).with_context(
        || format!("pip could not install the packages; they are made for Python {}", wanted.least),
    )?;
    let worker = folder.join("worker.py");
    engine_toml(peer, &[python.as_os_str(), worker.as_os_str()], &[])
}

/// A version such as `3.11`, as numbers that can be compared.
fn number(version: &str) -> Vec<u32> {
    version.split('.').map_while(|part| part.parse().ok()).collect()
}

/// Compiles the adapter against the user's classes; the engines file of the peer.
fn install_java(
    peer: &Peer,
    java: &Java,
    jars: &[PathBuf],
    home: Option<&Path>,
    folder: &Path,
) -> Result<String> {
    let tool = |name: &str| match home {
        Some(home) => home.join("bin").join(name),
        None => PathBuf::from(name),
    };
    let mut path = vec![folder.join("classes")];
    for jar in jars {
        if !jar.exists() {
            bail!("there is no {}; --jar takes {}", jar.display(), java.wants);
        }
        path.push(std::path::absolute(jar)?);
    }
    let path = std::env::join_paths(path).context("a class path holds no colons")?;
    let sources = peer.files().into_iter().filter(|(name, _)| {
        Path::new(name).extension().is_some_and(|extension| extension == "java")
    });
    let sources: Vec<PathBuf> = sources.map(|(name, _)| folder.join(name)).collect();
    carry_out(
        Command::new(tool("javac"))
            .args(["-nowarn", "-encoding", "UTF-8", "-d"])
            .arg(folder.join("classes"))
            .arg("-cp")
            .arg(&path)
            .args(&sources),
    )
    .with_context(|| {
        format!(
            "the adapter does not compile with these classes; --jar takes {}, and javac a Java \
             development kit (--java-home)",
            java.wants
        )
    })?;
    let program = tool("java");
    let options = java.options.iter().map(OsStr::new);
    let class_path = [OsStr::new("-cp"), &path, OsStr::new(&java.main)];
    let words: Vec<&OsStr> =
        std::iter::once(program.as_os_str()).chain(options).chain(class_path).collect();
    let version = [program.as_os_str(), OsStr::new("-version")];
    engine_toml(peer, &words, &version)
}

/// The engines file of one engine.
fn engine_toml(peer: &Peer, command: &[&OsStr], version: &[&OsStr]) -> Result<String> {
    let strings = |words: &[&OsStr]| -> Result<String> {
        let words: Vec<&str> = words
            .iter()
            .map(|word| word.to_str().context("the path of a peer must be Unicode"))
            .collect::<Result<_>>()?;
        Ok(toml::Value::from(words).to_string())
    };
    let mut text =
        String::from("# Made by `ggpbench peers install`; an engines file like any other.\n");
    let _ = writeln!(text, "[[engine]]\nname = {:?}", peer.name);
    let _ = writeln!(text, "command = {}", strings(command)?);
    let _ = writeln!(text, "languages = {}", toml::Value::from(peer.languages.clone()));
    if !version.is_empty() {
        let _ = writeln!(text, "version = {}", strings(version)?);
    }
    Ok(text)
}

/// Runs a command whose output is for the user.
fn carry_out(command: &mut Command) -> Result<()> {
    let shown = command.get_program().to_string_lossy().into_owned();
    let status = command.stdin(Stdio::null()).status();
    let status = status.with_context(|| format!("cannot start {shown}"))?;
    if !status.success() {
        bail!("{shown} ended with {status}");
    }
    Ok(())
}

/// The output of a command, without blanks around it.
fn output_of(command: &mut Command) -> Result<String> {
    let output = command.stdin(Stdio::null()).output()?;
    if !output.status.success() {
        bail!(
            "it ended with {}: {}",
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Starts an installed peer and asks who it is.
fn try_out(peer: &Peer, root: &Path, patience: f64) -> Result<String> {
    let program = peer.program(root)?;
    let worker = Worker::start(&program, &bounds(0.0, "--patience", patience)?)?;
    let hello = worker.hello().context("it did not say who it is")?;
    Ok(format!("{} {}", peer.title, hello.version))
}

fn check(args: &CheckArgs) -> Result<Outcome> {
    let root = args.place.root()?;
    let chosen: Vec<Peer> = if args.names.is_empty() {
        let all = peers::all()?;
        all.into_iter().filter(|peer| root.join(peer.name).exists()).collect()
    } else {
        let named = args.names.iter().map(|name| peers::get(name));
        named.collect::<Result<_>>().map_err(|error| Usage(error.to_string()))?
    };
    if chosen.is_empty() {
        outln!(
            "no peer is installed in {}; `ggpbench peers list` says which there are",
            root.display()
        )?;
        return Ok(Outcome::Fine);
    }
    let limits = bounds(args.memory, "--patience", args.patience)?;
    let games: Vec<Entry> = CatalogueArgs::default().entries(&[], None)?;
    let mut fine = true;
    for peer in chosen {
        let program = match peer.state(&root) {
            State::Installed(program) => program,
            State::Missing(reason) => {
                outln!("{}: {reason}", peer.name)?;
                fine = false;
                continue;
            }
        };
        let version = match try_out(&peer, &root, args.patience) {
            Ok(version) => version,
            Err(error) => {
                outln!("{}: {}", peer.name, output::chain(&error))?;
                fine = false;
                continue;
            }
        };
        let findings = engine_check::check(&program, &games, &limits);
        let faults: Vec<_> =
            findings.iter().filter_map(|f| Some((&f.what, f.result.as_ref().err()?))).collect();
        outln!(
            "{}: {version}, {} of {} checks passed",
            peer.name,
            findings.len() - faults.len(),
            findings.len()
        )?;
        for (what, fault) in &faults {
            outln!("  WRONG  {what}: {fault}")?;
        }
        fine &= faults.is_empty();
    }
    Ok(if fine { Outcome::Fine } else { Outcome::Failed })
}
