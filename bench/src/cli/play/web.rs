//! The table as a page, served to browsers on this machine alone.
//!
//! The address has a token that nobody can guess; a request without it is refused, and so is one
//! for another host or from another page, which a browser might be led to make. Agents think in a
//! thread of their own, so that the page answers meanwhile.

mod http;
pub(super) mod view;

use std::fs::File;
use std::io::Read;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde::Serialize;

use crate::cli::Outcome;
use crate::output;
use crate::trial::{End, line_of};

use super::pace::Pace;
use super::table::{Done, Next, Said, Table};
use http::{Answer, Request};
use view::{About, View};

/// The page. `NONCE` stands for a number that marks its own script.
const PAGE: &str = include_str!("web/page.html");
/// Connections that are served at once.
const MOST_CONNECTIONS: usize = 64;
/// The usual pace where only agents play, so that people can follow.
pub(super) const PACE: Pace = Pace::of(Duration::from_millis(400));
/// Columns of lists.
const WIDTH: usize = 72;

/// The table between the threads, and the address of its page.
struct Shared {
    table: Mutex<Shown>,
    changed: Condvar,
    stop: AtomicBool,
    connections: AtomicUsize,
    address: SocketAddr,
    token: String,
}

struct Shown {
    table: Table,
    /// The number of changes of all that is shown.
    version: u64,
}

/// One of the connections that are served, until this is dropped.
struct Connection<'s>(&'s Shared);

impl Drop for Connection<'_> {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::SeqCst);
    }
}

/// What the page gets for what a person said.
#[derive(Serialize)]
struct Reply<'t> {
    /// Something to show.
    text: Option<String>,
    /// The reason why it was not done.
    refused: Option<String>,
    view: View<'t>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Shown> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends everything: those who wait are woken.
    fn end(&self) {
        self.stop.store(true, Ordering::SeqCst);
        self.changed.notify_all();
        let _ = TcpStream::connect(self.address);
    }
}

/// Serves the page of a table until somebody ends it.
pub(super) fn serve(table: Table) -> Result<Outcome> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("cannot serve a page")?;
    let address = listener.local_addr().context("cannot serve a page")?;
    let shared = Arc::new(Shared {
        table: Mutex::new(Shown { table, version: 1 }),
        changed: Condvar::new(),
        stop: AtomicBool::new(false),
        connections: AtomicUsize::new(0),
        address,
        token: token().context("cannot draw a token")?,
    });
    outln!("The page is at http://{address}/{}/ for you alone; Ctrl-C ends it.", shared.token)?;
    output::flush()?;
    let thinker = Arc::clone(&shared);
    thread::spawn(move || think(&thinker));
    let ender = Arc::clone(&shared);
    let _ = ctrlc::set_handler(move || ender.end());
    for stream in listener.incoming() {
        if shared.stop.load(Ordering::SeqCst) {
            break;
        }
        let Ok(stream) = stream else { continue };
        let shared = Arc::clone(&shared);
        if shared.connections.fetch_add(1, Ordering::SeqCst) >= MOST_CONNECTIONS {
            shared.connections.fetch_sub(1, Ordering::SeqCst);
            continue;
        }
        thread::spawn(move || {
            let connection = Connection(&shared);
            answer(connection.0, stream);
        });
    }
    // An agent that still thinks is not waited for.
    let mut shown = shared.lock();
    let place = shown.table.leave()?;
    outln!("{}", place.as_deref().unwrap_or("Nothing was played."))?;
    let failed = matches!(shown.table.end(), Some(End::Fault | End::Stuck));
    Ok(if failed { Outcome::Failed } else { Outcome::Fine })
}

/// A number that nobody can guess, in hexadecimal digits.
fn token() -> std::io::Result<String> {
    let mut bytes = [0; 16];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Has agents think whenever there is something to think about.
fn think(shared: &Shared) {
    let mut shown = shared.lock();
    while !shared.stop.load(Ordering::SeqCst) {
        let before = shown.table.advice.is_some();
        let Some(task) = shown.table.task() else {
            // There may be a reason why there is no task.
            shown.version += u64::from(shown.table.advice.is_some() != before);
            shown = shared.changed.wait(shown).unwrap_or_else(PoisonError::into_inner);
            continue;
        };
        drop(shown);
        let begun = Instant::now();
        let done = task.think();
        shown = shared.lock();
        shown = waited(shared, shown, &done, begun);
        shown.table.accept(done);
        shown.version += 1;
    }
}

/// Waits, where people only watch, until a ply that an agent has chosen is due.
fn waited<'s>(
    shared: &'s Shared,
    mut shown: MutexGuard<'s, Shown>,
    done: &Done,
    begun: Instant,
) -> MutexGuard<'s, Shown> {
    let waits = |shown: &Shown| {
        let ended = shared.stop.load(Ordering::SeqCst);
        !ended && shown.table.is_watched() && shown.table.is_current(done)
    };
    if waits(&shown) {
        shown.table.session.stop_clock();
        shown.version += 1;
    }
    while waits(&shown) {
        shown = match shown.table.pace.rest(begun.elapsed()) {
            Some(rest) if rest.is_zero() => break,
            Some(rest) => {
                let woken = shared.changed.wait_timeout(shown, rest);
                woken.unwrap_or_else(PoisonError::into_inner).0
            }
            None => shared.changed.wait(shown).unwrap_or_else(PoisonError::into_inner),
        };
    }
    shown
}

/// Answers one request.
fn answer(shared: &Shared, mut stream: TcpStream) {
    let answer = match http::read(&mut stream) {
        Ok(request) => respond(shared, &request),
        Err(Some(answer)) => answer,
        Err(None) => return,
    };
    http::write(&mut stream, &answer);
}

fn respond(shared: &Shared, request: &Request) -> Answer {
    if let Some(reason) = refusal(request, &shared.address, &shared.token) {
        return Answer::text(403, reason);
    }
    let inside = &request.path()[shared.token.len() + 2..];
    match (request.method.as_str(), inside) {
        ("GET", "") => page(),
        ("GET", "about") => json(&About::of(&shared.lock().table)),
        ("GET", "state") => state(shared, request),
        ("GET", "trial") => trial(&shared.lock().table),
        ("POST", "say") => say(shared, request),
        (_, "" | "about" | "state" | "trial" | "say") => {
            Answer::text(405, "this address is asked in another way")
        }
        _ => Answer::text(404, "there is nothing at this address"),
    }
}

/// The reason why a request is refused, if it is.
fn refusal(request: &Request, address: &SocketAddr, token: &str) -> Option<&'static str> {
    let port = address.port();
    let ours = |host: &str| {
        let name = host.strip_suffix(&format!(":{port}"));
        name.is_some_and(|name| ["127.0.0.1", "localhost"].contains(&name))
    };
    if !request.host.as_deref().is_some_and(ours) {
        return Some("this page is for 127.0.0.1 alone");
    }
    let page = |origin: &str| origin.strip_prefix("http://").is_some_and(ours);
    if !request.origin.as_deref().is_none_or(page) {
        return Some("another page may not ask this");
    }
    let given = request.path().strip_prefix('/').and_then(|path| path.split_once('/'));
    let (given, token) = (given.map_or("", |(given, _)| given).as_bytes(), token.as_bytes());
    // All bytes are compared, so that the time does not tell how many are right.
    let differ = given.iter().zip(token).fold(0, |differ, (a, b)| differ | (a ^ b));
    (given.len() != token.len() || differ != 0)
        .then_some("the address lacks the token; `ggpbench play --web` has printed the whole one")
}

fn page() -> Answer {
    let Ok(nonce) = token() else { return Answer::text(503, "there are no random numbers") };
    let policy = format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'unsafe-inline'; \
         img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'"
    );
    Answer {
        status: 200,
        kind: "text/html; charset=utf-8",
        body: PAGE.replace("NONCE", &nonce).into_bytes(),
        headers: vec![("Content-Security-Policy", policy)],
    }
}

fn json(value: &impl Serialize) -> Answer {
    match serde_json::to_vec(value) {
        Ok(body) => Answer { status: 200, kind: "application/json", body, headers: Vec::new() },
        Err(error) => Answer::text(503, &error.to_string()),
    }
}

/// The role that a request looks from: the one that it names, or the first that a person plays.
fn viewer(table: &Table, request: &Request) -> u8 {
    let players = table.seats.len() as u8;
    let named = request.number("seat").and_then(|seat| u8::try_from(seat).ok());
    let is_there = |&seat: &u8| seat < players && (table.is_open() || table.is_person(seat));
    named.filter(is_there).or_else(|| (0..players).find(|&p| table.is_person(p))).unwrap_or(0)
}

/// The game as it is, or nothing if the page has seen it.
fn state(shared: &Shared, request: &Request) -> Answer {
    let shown = shared.lock();
    if request.number("since") == Some(shown.version) {
        return json(&None::<View<'_>>);
    }
    json(&View::of(&shown.table, viewer(&shown.table, request), shown.version))
}

/// The game as a file of trials, but not while it would show what is hidden.
fn trial(table: &Table) -> Answer {
    if !table.is_open() && table.next() != Next::Nobody {
        return Answer::text(409, "the game is not over, and its record has what is hidden");
    }
    let lines = line_of(table.header()).and_then(|head| Ok(head + &line_of(&table.trial())?));
    match lines {
        Ok(lines) => Answer {
            status: 200,
            kind: "application/jsonl",
            body: lines.into_bytes(),
            headers: vec![(
                "Content-Disposition",
                format!("attachment; filename=\"game-{}.jsonl\"", table.number()),
            )],
        },
        Err(error) => Answer::text(503, &error.to_string()),
    }
}

/// Does what a person says, and answers with the game as it then is.
fn say(shared: &Shared, request: &Request) -> Answer {
    let Ok(line) = std::str::from_utf8(&request.body) else {
        return Answer::text(400, "that is not text");
    };
    let mut shown = shared.lock();
    let viewer = viewer(&shown.table, request);
    let known = request.number("version").is_none_or(|version| version == shown.version);
    let said = if known {
        shown.table.say(viewer, line, WIDTH)
    } else {
        Ok(Said::Refused("the game has gone on meanwhile".to_owned()))
    };
    let (text, refused) = match said {
        Ok(Said::Text(text)) => (Some(text), None),
        Ok(Said::Refused(why)) => (None, Some(why)),
        Ok(Said::Left) => (None, Some("close the page, or end the program by Ctrl-C".to_owned())),
        Ok(Said::Played | Said::TakenBack | Said::Begun | Said::Paced | Said::Advice) => {
            shown.version += 1;
            shared.changed.notify_all();
            (None, None)
        }
        Err(error) => (None, Some(output::chain(&error))),
    };
    let view = View::of(&shown.table, self::viewer(&shown.table, request), shown.version);
    json(&Reply { text, refused, view })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_who_has_the_token_and_asks_this_machine_is_let_in() {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, 4000));
        let refused = |target: &str, host: Option<&str>, origin: Option<&str>| {
            let text = |text: &str| text.to_owned();
            let (host, origin) = (host.map(text), origin.map(text));
            let request = Request { target: text(target), host, origin, ..Request::default() };
            refusal(&request, &address, "abc").is_some()
        };
        let here = Some("127.0.0.1:4000");
        assert!(!refused("/abc/", here, None));
        assert!(!refused(
            "/abc/state?seat=1",
            Some("localhost:4000"),
            Some("http://localhost:4000")
        ));
        for target in ["/", "/abc", "/ab/", "/abcd/", "/abd/state", "abc/", "/?abc/", "//abc/"] {
            assert!(refused(target, here, None), "{target}");
        }
        for host in [None, Some("example.org"), Some("127.0.0.1:4001"), Some("127.0.0.1")] {
            assert!(refused("/abc/", host, None), "{host:?}");
        }
        for origin in ["null", "http://example.org", "https://127.0.0.1:4000", "127.0.0.1:4000"] {
            assert!(refused("/abc/", here, Some(origin)), "{origin}");
        }
    }
}
