//! Other people's systems as engines: which there are, where they are installed, and what starts
//! them.
//!
//! An adapter in `engines/peers` speaks the worker protocol for each. Installing one
//! (`cli/peers.rs`) puts the system and the adapter into a folder with an `engine.toml`, which is
//! an engines file like any other ([`engines_file`](crate::engines_file)), so that an installed
//! peer is an external engine and nothing else.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use include_dir::{Dir, include_dir};
use serde::Deserialize;
use text::did_you_mean;

use crate::client::{Program, ggpbench};
use crate::engines_file;

static ADAPTERS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/peers");

/// The folders of files that adapters share: those in Python, those in Java.
const COMMON: [&str; 2] = ["python-common", "java-common"];

/// The file that describes a peer in its folder.
const MANIFEST: &str = "peer.toml";

/// The engines file that installing a peer ends with.
pub(crate) const ENGINE_FILE: &str = "engine.toml";

/// Environment variable with the folder that peers are installed in.
const ROOT: &str = "GGPBENCH_PEERS";

/// A system that there is an adapter for.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    /// Its name as an engine.
    pub(crate) name: &'static str,
    /// Its name for people.
    pub(crate) title: String,
    /// A description in one line.
    pub(crate) about: String,
    /// Languages that it reads, by name.
    pub(crate) languages: Vec<String>,
    /// The source that it is installed from.
    pub(crate) source: Source,
}

/// The way in which a peer is installed on this machine.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// Packages that pip installs, into a virtual environment.
    Python(Python),
    /// A system on the Java virtual machine that the user has.
    Java(Java),
}

/// A peer that pip installs.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Python {
    /// The oldest Python that its packages run on, such as `3.11`.
    pub(crate) least: String,
}

/// A peer that the user has as jars or folders of classes.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Java {
    /// The main class of the adapter.
    pub(crate) main: String,
    /// Options of the virtual machine.
    pub(crate) options: Vec<String>,
    /// The archives that have to be on the class path, for people.
    pub(crate) wants: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    title: String,
    about: String,
    languages: Vec<String>,
    python: Option<Python>,
    java: Option<Java>,
}

/// The state of a peer in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// It can be started.
    Installed(Box<Program>),
    /// It is not there, or not as it must be: why, with the command that helps.
    Missing(String),
}

/// All peers, in the order of their names.
pub(crate) fn all() -> Result<Vec<Peer>> {
    let mut peers: Vec<Peer> = ADAPTERS
        .dirs()
        .filter(|folder| folder.get_file(folder.path().join(MANIFEST)).is_some())
        .map(read)
        .collect::<Result<_>>()?;
    peers.sort_by_key(|peer| peer.name);
    Ok(peers)
}

/// The peer of that name.
pub(crate) fn get(name: &str) -> Result<Peer> {
    let peers = all()?;
    let known: Vec<&str> = peers.iter().map(|peer| peer.name).collect();
    let Some(peer) = peers.iter().find(|peer| peer.name == name) else {
        let hint = did_you_mean(name, known.iter().copied());
        bail!("no peer `{name}`{hint} (there are {})", known.join(", "));
    };
    Ok(peer.clone())
}

fn read(folder: &'static Dir<'static>) -> Result<Peer> {
    let name = folder.path().file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let file = folder.get_file(folder.path().join(MANIFEST));
    let text = file.and_then(|file| file.contents_utf8()).unwrap_or_default();
    let manifest: Manifest =
        toml::from_str(text).with_context(|| format!("in {MANIFEST} of the peer {name}"))?;
    let Manifest { title, about, languages, python, java } = manifest;
    let source = match (python, java) {
        (Some(python), None) => Source::Python(python),
        (None, Some(java)) => Source::Java(java),
        _ => bail!("{MANIFEST} of the peer {name} must have one of [python] and [java]"),
    };
    Ok(Peer { name, title, about, languages, source })
}

/// The folder in which peers are installed unless the user says otherwise: `$GGPBENCH_PEERS`, or
/// the user's cache.
pub(crate) fn default_root() -> Result<PathBuf> {
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    if let Some(root) = variable(ROOT) {
        return Ok(root.into());
    }
    let cache = variable("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(variable("HOME")?).join(".cache")));
    let cache = cache.with_context(|| {
        format!("there is no home folder to install peers in; set {ROOT}, or give --at")
    })?;
    Ok(cache.join("ggpbench").join("peers"))
}

impl Peer {
    /// The files of the adapter with their texts, by name.
    pub(crate) fn files(&self) -> Vec<(&'static str, &'static str)> {
        let common = COMMON[usize::from(matches!(self.source, Source::Java(_)))];
        [self.name, common]
            .into_iter()
            .filter_map(|name| ADAPTERS.get_dir(name))
            .flat_map(Dir::files)
            .filter_map(|file| Some((file.path().file_name()?.to_str()?, file.contents_utf8()?)))
            .collect()
    }

    /// The command line that installs it.
    pub(crate) fn install_line(&self) -> String {
        match &self.source {
            Source::Python(_) => format!("ggpbench peers install {}", self.name),
            Source::Java(_) => format!("ggpbench peers install {} --jar PATH", self.name),
        }
    }

    /// The state of its installation.
    pub(crate) fn state(&self, root: &Path) -> State {
        let folder = root.join(self.name);
        if !folder.join(ENGINE_FILE).is_file() {
            let what =
                if folder.exists() { "was not installed to the end" } else { "is not installed" };
            let again = if folder.exists() { " --again" } else { "" };
            return State::Missing(format!(
                "{} {what} in {}; `{}{again}` does it",
                self.title,
                root.display(),
                self.install_line()
            ));
        }
        let stale = self.files().into_iter().find(|(name, text)| {
            std::fs::read_to_string(folder.join(name)).ok().as_deref() != Some(text)
        });
        if let Some((name, _)) = stale {
            return State::Missing(format!(
                "{} was installed by another ggpbench ({name} differs); `{} --again` installs it \
                 anew",
                self.title,
                self.install_line()
            ));
        }
        match engines_file::read_file(&folder.join(ENGINE_FILE)).map(<[Program; 1]>::try_from) {
            Ok(Ok([program])) => State::Installed(Box::new(program)),
            Ok(Err(_)) => State::Missing(format!(
                "{} names more or less than one engine; `{} --again` writes it anew",
                folder.join(ENGINE_FILE).display(),
                self.install_line()
            )),
            Err(error) => State::Missing(format!(
                "{error:#}; `{} --again` writes it anew",
                self.install_line()
            )),
        }
    }

    /// The program that plays as this peer. If the peer is missing, that is a program that refuses
    /// with the reason, so that its rows have the reason.
    pub(crate) fn program(&self, root: &Path) -> Result<Program> {
        match self.state(root) {
            State::Installed(program) => Ok(*program),
            State::Missing(reason) => {
                let own = ggpbench().context("cannot find the ggpbench binary")?;
                let own = own.to_string_lossy().into_owned();
                Ok(Program {
                    engine: self.name.to_owned(),
                    lineage: self.name.to_owned(),
                    command: vec![own, "unavailable".to_owned(), reason],
                    languages: self.languages.clone(),
                    version: Vec::new(),
                })
            }
        }
    }

    /// True if it takes part where all peers are asked for: those that the user must have from
    /// elsewhere do where they are installed.
    pub(crate) fn takes_part(&self, root: &Path) -> bool {
        matches!(self.source, Source::Python(_)) || root.join(self.name).exists()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_adapter_is_complete() {
        let peers = all().expect("the manifests are sound");
        assert!(peers.len() >= 3, "only {} peers", peers.len());
        for peer in &peers {
            let names: Vec<&str> = peer.files().iter().map(|(name, _)| *name).collect();
            let wanted: &[&str] = match &peer.source {
                Source::Python(_) => &["worker.py", "requirements.txt", "protocol.py"],
                Source::Java(java) => &[&format!("{}.java", java.main)],
            };
            for name in wanted {
                assert!(names.contains(name), "{} has no {name}: {names:?}", peer.name);
            }
            for language in &peer.languages {
                language.parse::<play::Language>().expect("it is a language");
            }
        }
        let error = get("openspeil").expect_err("there is none").to_string();
        assert!(error.contains("did you mean `openspiel`?"), "{error}");
    }

    #[test]
    fn what_pip_installs_is_pinned() {
        for peer in all().expect("the manifests are sound") {
            let files = peer.files();
            let Some((_, pins)) = files.iter().find(|(name, _)| *name == "requirements.txt") else {
                continue;
            };
            let lines: Vec<&str> = pins.lines().filter(|line| !line.starts_with('#')).collect();
            assert!(lines.len() > 3, "{}: {lines:?}", peer.name);
            for line in lines {
                let version = line.split_once("==").map(|(_, version)| version);
                let exact = version.is_some_and(|v| v.starts_with(|c: char| c.is_ascii_digit()));
                assert!(exact, "{}: {line}", peer.name);
            }
        }
    }

    #[test]
    fn a_peer_that_is_missing_stale_or_damaged_says_what_to_do() {
        let root = tempfile::tempdir().expect("there is room");
        let peer = get("openspiel").expect("it is a peer");
        let reason = |root: &Path| match peer.state(root) {
            State::Missing(reason) => reason,
            State::Installed(program) => panic!("{program:?}"),
        };
        let missing = reason(root.path());
        assert!(missing.contains("is not installed"), "{missing}");
        assert!(missing.contains("`ggpbench peers install openspiel`"), "{missing}");
        let folder = root.path().join("openspiel");
        std::fs::create_dir(&folder).unwrap();
        assert!(reason(root.path()).contains("not installed to the end"));
        std::fs::write(folder.join(ENGINE_FILE), "").unwrap();
        assert!(reason(root.path()).contains("by another ggpbench"));
        for (name, text) in peer.files() {
            std::fs::write(folder.join(name), text).unwrap();
        }
        assert!(reason(root.path()).contains("more or less than one engine"));
        std::fs::write(folder.join(ENGINE_FILE), "[[engine]\n").unwrap();
        assert!(reason(root.path()).contains("writes it anew"));
        let good =
            "[[engine]]\nname = \"openspiel\"\ncommand = [\"true\"]\nlanguages = [\"bitboard\"]";
        std::fs::write(folder.join(ENGINE_FILE), good).unwrap();
        assert!(matches!(peer.state(root.path()), State::Installed(_)));
    }
}
