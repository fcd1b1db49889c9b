//! The engines that take part: our own, and external programs named in `engines.toml`.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use play::Rules;
use text::did_you_mean;

use crate::client::{Bounds, Program, Worker, own_program};
use crate::engines_file::{FILE, read_file};
use crate::entry::Entry;
use crate::failure::Failure;
use crate::peers;
use crate::protocol::Searches;

/// The time that a version command may take.
const VERSION_PATIENCE: Duration = Duration::from_secs(10);

/// The engines that take part, in the order of columns.
#[derive(Clone, Debug)]
pub struct EngineSet {
    programs: Vec<Program>,
}

impl EngineSet {
    /// Our own engines, then those of `file`, or of [`FILE`] in the working directory, if there is
    /// one; of these the ones named in `wanted`, or all. Where `wanted` names our own alone,
    /// [`FILE`] is not read.
    ///
    /// Last come the peers in the folder `peers`, if it is given; else those that `wanted` names
    /// and no file does, in the folder where they are installed by default.
    pub fn new(file: Option<&Path>, wanted: &[String], peers: Option<&Path>) -> Result<EngineSet> {
        let mut programs = own_programs()?;
        let asked = wanted.is_empty() || wanted.iter().any(|name| roster::engine(name).is_none());
        let path = file.unwrap_or(Path::new(FILE));
        if file.is_some() || (asked && path.exists()) {
            programs.extend(read_file(path)?);
        }
        add_peers(&mut programs, wanted, peers)?;
        if let Some(twice) = programs
            .iter()
            .enumerate()
            .find_map(|(i, p)| programs[..i].iter().any(|q| q.engine == p.engine).then_some(p))
        {
            bail!(
                "two engines are called `{}`; rename the one in {}",
                twice.engine,
                path.display()
            );
        }
        EngineSet::select(programs, wanted)
    }

    /// Our own engines; of these the ones named in `wanted`, or all.
    pub fn own(wanted: &[String]) -> Result<EngineSet> {
        EngineSet::select(own_programs()?, wanted)
    }

    fn select(mut programs: Vec<Program>, wanted: &[String]) -> Result<EngineSet> {
        for name in wanted {
            if !programs.iter().any(|p| p.engine == *name) {
                let known: Vec<&str> = programs.iter().map(|p| p.engine.as_str()).collect();
                let peers = peers::all()?;
                let all = known.iter().copied().chain(peers.iter().map(|peer| peer.name));
                let hint = did_you_mean(name, all);
                bail!("no engine `{name}`{hint} (there are {})", known.join(", "));
            }
        }
        programs.retain(|p| wanted.is_empty() || wanted.contains(&p.engine));
        Ok(EngineSet { programs })
    }

    /// The engines.
    pub fn programs(&self) -> &[Program] {
        &self.programs
    }

    /// The engines that are not our own.
    pub fn external(&self) -> impl Iterator<Item = &Program> {
        self.programs.iter().filter(|program| !program.is_own())
    }

    /// The external engines with what their version commands print: a line each.
    pub fn versions(&self) -> Vec<(String, String)> {
        let external = self.programs.iter().filter(|program| !program.version.is_empty());
        external.map(|program| (program.engine.clone(), version(&program.version))).collect()
    }

    /// The pairs of this game: each engine with the first description in a language it reads.
    pub fn pairs<'a>(&'a self, entry: &'a Entry) -> Vec<(&'a Program, &'a Rules)> {
        self.programs
            .iter()
            .filter_map(|program| {
                let rules = entry
                    .descriptions
                    .iter()
                    .find(|rules| program.languages.iter().any(|l| l == rules.language.name()))?;
                Some((program, rules))
            })
            .collect()
    }
}

/// Adds all peers of a folder that take part, and those named in `wanted` that are nothing else.
fn add_peers(programs: &mut Vec<Program>, wanted: &[String], root: Option<&Path>) -> Result<()> {
    let all = peers::all()?;
    let named = |peer: &peers::Peer| wanted.iter().any(|name| name == peer.name);
    let known = |programs: &[Program], peer: &peers::Peer| {
        programs.iter().any(|program| program.engine == peer.name)
    };
    if root.is_none() && !all.iter().any(|peer| named(peer) && !known(programs, peer)) {
        return Ok(());
    }
    let default = peers::default_root();
    let place = match (root, default) {
        (Some(root), _) => root.to_owned(),
        (None, default) => default?,
    };
    for peer in all {
        let taken = root.is_some() && wanted.is_empty() && peer.takes_part(&place);
        if (taken || named(&peer)) && !known(programs, &peer) {
            programs.push(peer.program(&place)?);
        }
    }
    Ok(())
}

fn own_programs() -> Result<Vec<Program>> {
    let engines = roster::engines();
    let programs = engines.iter().map(|engine| own_program(&**engine));
    programs.collect::<Result<_, _>>().context("cannot find the ggpbench binary")
}

/// Starts the worker of a pair and loads the game.
pub fn load(program: &Program, rules: &Rules, bounds: &Bounds) -> Result<Worker, Failure> {
    load_searches(program, rules, Searches::default(), bounds)
}

/// The same, where searches are wanted in the place of playouts.
pub fn load_searches(
    program: &Program,
    rules: &Rules,
    searches: Searches<'_>,
    bounds: &Bounds,
) -> Result<Worker, Failure> {
    let mut worker = Worker::start(program, bounds)?;
    worker.load_searches(rules, &limits(bounds), searches)?;
    Ok(worker)
}

/// The limits of compiling in a worker with these bounds.
pub(crate) fn limits(bounds: &Bounds) -> play::Limits {
    let all = play::Limits::default();
    play::Limits { bytes: if bounds.memory == 0 { all.bytes } else { bounds.memory / 2 }, ..all }
}

/// The first line that a command prints, or why it prints none.
fn version(command: &[String]) -> String {
    let Some((program, arguments)) = command.split_first() else { return String::new() };
    let child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(error) => return format!("unknown: {error}"),
    };
    let start = Instant::now();
    while matches!(child.try_wait(), Ok(None)) {
        if start.elapsed() > VERSION_PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            return format!("unknown: no answer in {VERSION_PATIENCE:?}");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    // Some programs print their version where errors go.
    let output = child.wait_with_output().map(|output| [output.stdout, output.stderr].concat());
    let text = output.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or("unknown");
    line.chars().take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_the_first_line_printed() {
        let command = |script: &str| ["sh", "-c", script].map(str::to_owned);
        assert_eq!(version(&command("echo; echo 1.2 of today; echo more")), "1.2 of today");
        assert_eq!(version(&command("echo jvm 17 >&2")), "jvm 17");
        assert_eq!(version(&command("exit 1")), "unknown");
        assert!(version(&["/nowhere/engine".to_owned()]).starts_with("unknown: "));
    }
}
