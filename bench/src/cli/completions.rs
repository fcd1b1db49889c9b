//! `completions`: registers the command with a shell, which then asks it what may come next.
//!
//! Generated scripts know neither rule files, nor one engine of several behind a comma, nor games
//! that are added later; so this is the dynamic engine of `clap_complete`. What it asks of the
//! command is here alone, since that engine is not stable yet.

use std::ffi::OsStr;
use std::io;
use std::path::Path;

use anyhow::Result;
use clap::{Arg, Command, CommandFactory};
use clap_complete::Shell;
use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};
use clap_complete::env::{Bash, CompleteEnv, Elvish, EnvCompleter, Fish, Powershell, Zsh};
use play::Language;

use super::select;
use super::{Cli, Outcome};
use crate::{output, peers, suite};

/// The variable by which a shell asks for completions; its value is the shell's name.
const ASKED: &str = "GGPBENCH_COMPLETE";

/// Prints the script that registers the command with a shell.
pub(super) fn completions(shell: Shell) -> Result<Outcome> {
    let completer: &dyn EnvCompleter = match shell {
        Shell::Elvish => &Elvish,
        Shell::Fish => &Fish,
        Shell::PowerShell => &Powershell,
        Shell::Zsh => &Zsh,
        _ => &Bash,
    };
    let mut script = Vec::new();
    completer.write_registration(ASKED, "ggpbench", "ggpbench", "ggpbench", &mut script)?;
    if shell == Shell::Zsh {
        // From a folder of functions it is read at the first completion, which it has to answer.
        script.extend(
            b"[[ ${funcstack[1]-} != _ggpbench ]] || _clap_dynamic_completer_ggpbench \"$@\"\n",
        );
    }
    output::raw(&String::from_utf8_lossy(&script))?;
    Ok(Outcome::Fine)
}

/// Answers a shell that asks for completions; false if none does.
///
/// # Errors
/// Of the output, and a shell that is unknown.
pub(super) fn answer() -> io::Result<bool> {
    let here = std::env::current_dir().ok();
    CompleteEnv::with_factory(|| with_names(Cli::command()))
        .var(ASKED)
        .try_complete(std::env::args_os(), here.as_deref())
        .map_err(io::Error::other)
}

/// The command with what it can name as candidates. Files and folders of the user name others,
/// which it takes, too.
fn with_names(command: Command) -> Command {
    command.mut_subcommands(|command| with_names(command.mut_args(with_names_of)))
}

/// An argument with the names that it takes.
fn with_names_of(argument: Arg) -> Arg {
    let candidates: fn(&OsStr) -> Vec<CompletionCandidate> = match argument.get_id().as_str() {
        "game" | "games" | "titles" => games_and_files,
        "suite" => |typed| matching(suites(), typed),
        "engine" => |typed| matching(engines(), typed),
        "engines" | "names" | "baseline" => {
            |typed| matching([engines(), of_peers()].concat(), typed)
        }
        "families" => |typed| matching(families(), typed),
        "agents" | "against" | "hints" => agents,
        "peer" => |typed| matching(of_peers(), typed),
        _ => return argument,
    };
    argument.add(ArgValueCompleter::new(candidates))
}

/// A name, and what it stands for.
type Named = (String, String);

/// The names that begin as it is typed.
fn matching(names: Vec<Named>, typed: &OsStr) -> Vec<CompletionCandidate> {
    let typed = typed.to_string_lossy();
    let names = names.into_iter().filter(|(name, _)| name.starts_with(&*typed));
    names.map(|(name, about)| CompletionCandidate::new(name).help(Some(about.into()))).collect()
}

/// The built-in games, and rule files.
fn games_and_files(typed: &OsStr) -> Vec<CompletionCandidate> {
    let catalogue = select::CatalogueArgs::default().load();
    let games = catalogue.iter().flat_map(games::Catalogue::games);
    let games = games.map(|game| (game.id.clone(), game.title.clone())).collect();
    let mut candidates = matching(games, typed);
    // Before anything is typed, files would hide the games.
    if !typed.is_empty() {
        candidates.extend(PathCompleter::any().filter(is_rules).complete(typed));
    }
    candidates
}

fn is_rules(path: &Path) -> bool {
    let extension = path.extension().and_then(OsStr::to_str);
    extension.and_then(Language::of_extension).is_some()
}

fn suites() -> Vec<Named> {
    let suites = suite::names()
        .into_iter()
        .filter_map(|name| suite::get(name).ok().map(|suite| (name, suite)));
    suites.map(|(name, suite)| (name.to_owned(), suite.about)).collect()
}

/// The engines of our own.
fn engines() -> Vec<Named> {
    let engines = roster::engines();
    let about = |engine: &dyn play::Engine| {
        let languages: Vec<&str> = engine.languages().iter().map(|l| l.name()).collect();
        format!("plays {}", languages.join(", "))
    };
    engines.iter().map(|engine| (engine.id().to_owned(), about(&**engine))).collect()
}

fn families() -> Vec<Named> {
    let families = select::families(None).unwrap_or_default();
    families.into_iter().map(|family| (family.id, family.title)).collect()
}

/// Agents; behind `@`, the engines that one thinks on.
fn agents(typed: &OsStr) -> Vec<CompletionCandidate> {
    let typed = typed.to_string_lossy();
    let (names, before, typed) = match typed.rfind(['@', '=']) {
        Some(at) if typed[at..].starts_with('@') => (engines(), &typed[..=at], &typed[at + 1..]),
        Some(at) => (own_agents(), &typed[..=at], &typed[at + 1..]),
        None => (own_agents(), "", &*typed),
    };
    let candidates = matching(names, OsStr::new(typed));
    candidates.into_iter().map(|candidate| candidate.add_prefix(before)).collect()
}

fn of_peers() -> Vec<Named> {
    peers::all()
        .unwrap_or_default()
        .into_iter()
        .map(|peer| (peer.name.to_owned(), peer.about))
        .collect()
}

fn own_agents() -> Vec<Named> {
    agents::AGENTS.iter().map(|kind| (kind.name.to_owned(), kind.about.to_owned())).collect()
}
