//! The page of `play --web`: over HTTP, and in a real browser, where there is one.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;

use crate::common;

/// A page that is served, until this is dropped.
struct Page {
    child: Child,
    /// `127.0.0.1` and the port.
    host: String,
    token: String,
    output: BufReader<std::process::ChildStdout>,
}

impl Page {
    fn serve(folder: &Path, arguments: &[&str]) -> Page {
        let arguments = [&["play", "--web"], arguments].concat();
        let mut command = common::command(folder, &arguments);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("ggpbench starts");
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut line = String::new();
        let address = loop {
            line.clear();
            assert!(output.read_line(&mut line).expect("text") > 0, "no address was printed");
            if let Some((_, address)) = line.split_once("http://") {
                break address.split_whitespace().next().expect("an address").to_owned();
            }
        };
        let (host, token) = address.split_once('/').expect("a path");
        let token = token.trim_end_matches('/').to_owned();
        Page { child, host: host.to_owned(), token, output }
    }

    /// The status of an answer, and its head and body.
    fn ask(&self, request: &str) -> (u16, String, String) {
        let mut stream = TcpStream::connect(&self.host).expect("it listens");
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("text");
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        (status.expect("a status"), head.to_owned(), body.to_owned())
    }

    fn get(&self, inside: &str) -> (u16, String, String) {
        let (host, token) = (&self.host, &self.token);
        self.ask(&format!("GET /{token}/{inside} HTTP/1.1\r\nHost: {host}\r\n\r\n"))
    }

    fn state(&self, query: &str) -> Value {
        let (status, _, body) = self.get(&format!("state{query}"));
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).expect("JSON")
    }

    fn say(&self, query: &str, text: &str) -> Value {
        let (host, token, length) = (&self.host, &self.token, text.len());
        let (status, _, body) = self.ask(&format!(
            "POST /{token}/say{query} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n\
             Content-Length: {length}\r\n\r\n{text}"
        ));
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).expect("JSON")
    }

    /// Ends the program as Ctrl-C does; its exit code and the rest of its output.
    fn end(mut self) -> (Option<i32>, String) {
        kill(Pid::from_raw(self.child.id() as i32), Signal::SIGINT).expect("it runs");
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).expect("text");
        (self.child.wait().expect("it ends").code(), rest)
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn nobody_is_let_in_without_the_token_or_from_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let page = Page::serve(folder.path(), &["tic-tac-toe-3x3"]);
    let (host, token) = (&page.host, &page.token);
    assert_eq!(token.len(), 32);
    for (path, headers) in [
        ("/".to_owned(), format!("Host: {host}")),
        ("/state".to_owned(), format!("Host: {host}")),
        (format!("/{}/state", "0".repeat(32)), format!("Host: {host}")),
        (format!("/{token}/state"), "Host: example.org".to_owned()),
        (format!("/{token}/state"), "Accept: */*".to_owned()),
        (format!("/{token}/state"), format!("Host: {host}\r\nOrigin: http://example.org")),
        (format!("/{token}/state"), format!("Host: {host}\r\nOrigin: null")),
    ] {
        for method in ["GET", "POST"] {
            let request = format!("{method} {path} HTTP/1.1\r\n{headers}\r\n\r\n");
            let (status, _, body) = page.ask(&request);
            assert_eq!(status, 403, "{request}{body}");
            assert!(!body.contains("legal") && !body.contains(&**token), "{body}");
        }
    }
    let (status, head, body) = page.get("");
    assert_eq!(status, 200);
    assert!(head.contains("default-src 'none'") && body.contains("<script nonce="), "{head}");
    assert!(!body.contains("src=\"http") && !body.contains("href=\"http"), "it needs only itself");
    assert_eq!(page.get("nowhere").0, 404);
    assert_eq!(page.get("say").0, 405);
    let long =
        format!("POST /{token}/say HTTP/1.1\r\nHost: {host}\r\nContent-Length: 99999\r\n\r\n");
    assert_eq!(page.ask(&long).0, 413);
}

#[test]
fn a_game_is_played_to_its_end_by_words() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["tic-tac-toe-3x3", "--you", "all", "--record", "p.jsonl"];
    let page = Page::serve(folder.path(), &arguments);
    let (_, _, about) = page.get("about");
    let about: Value = serde_json::from_str(&about).unwrap();
    assert_eq!(about["title"], "Tic-Tac-Toe (3x3)");
    assert!(about["rules"].as_str().unwrap().contains("marks in a line"), "{about}");
    let first = page.state("");
    assert_eq!(first["legal"].as_array().unwrap().len(), 9);
    assert!(page.state(&format!("?since={}", first["version"])).is_null(), "nothing is new");
    assert!(page.say("", "x9")["refused"].as_str().unwrap().contains("x9 is not legal"));
    for label in ["a1", "b1", "a2", "b2"] {
        let reply = page.say("", label);
        assert!(reply["refused"].is_null(), "{reply}");
    }
    // Who saw an earlier game may not move in this one.
    let late = page.say(&format!("?version={}", first["version"]), "a3");
    assert!(late["refused"].as_str().unwrap().contains("gone on"), "{late}");
    let view = &page.say("", "a3")["view"];
    assert_eq!(view["result"], "The game is over: player 1 gets 100, player 2 gets 0.");
    assert_eq!(view["scores"], serde_json::json!([100, 0]));
    let (status, head, trial) = page.get("trial");
    assert!(status == 200 && head.contains("attachment"), "{head}");
    std::fs::write(folder.path().join("saved.jsonl"), trial).unwrap();
    let (code, rest) = page.end();
    assert_eq!(code, Some(0));
    assert!(rest.contains("The game is in p.jsonl"), "{rest}");
    for file in ["p.jsonl", "saved.jsonl"] {
        let output = common::ggpbench(folder.path(), &["replay", file]);
        let out = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(out.contains("1 of 1 trial "), "{file}: {out}");
    }
}

#[test]
fn agents_move_by_themselves_and_hidden_cards_stay_hidden() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["kuhn-poker", "--you", "2", "--against", "hyperplay", "--seed", "3"];
    let page = Page::serve(folder.path(), &arguments);
    let mut view = page.state("");
    // The other one has to think first.
    while view["legal"].as_array().unwrap().is_empty() && view["result"].is_null() {
        view = page.state("");
    }
    assert_eq!((&view["open"], &view["drawing"]), (&Value::Bool(false), &Value::from("")));
    // A role that nobody here plays is not looked into.
    assert_eq!(page.state("?seat=0")["viewer"], 1);
    assert_eq!(page.get("trial").0, 409);
    let advised = &page.say("", "hint")["view"];
    assert!(advised["search"].is_null(), "{advised}");
    while view["advice"].is_null() {
        view = page.state("");
    }
    assert_eq!(view["advice"]["search"]["agent"], "hyperplay", "{view}");
}

/// Agents play at the pace of those who watch.
#[test]
fn who_watches_stops_and_steps() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["tic-tac-toe-3x3", "--you", "none", "--pace", "step"];
    let page = Page::serve(folder.path(), &arguments);
    assert_eq!(page.state("")["pace"], serde_json::json!({ "seconds": 0.4, "paused": true }));
    for ply in 1..=3 {
        assert!(page.say("", "step")["refused"].is_null());
        let mut view = page.state("");
        while view["plies"] != ply {
            view = page.state("");
        }
        assert!(view["result"].is_null(), "it waits: {view}");
    }
    assert!(page.say("", "pace 9999")["refused"].as_str().unwrap().contains("seconds"));
    assert_eq!(page.say("", "go")["view"]["pace"]["paused"], false);
    while page.state("")["result"].is_null() {}
    // The next game is played by a person, who is not hurried.
    assert!(page.say("", "new person random")["refused"].is_null());
    assert!(page.state("")["pace"].is_null());
    assert!(page.say("", "pause")["refused"].as_str().unwrap().contains("not legal"));
}

/// Two pieces in the hand of each player, which are put on any empty cell.
const DROPS: &str = r#"(game "Drops" (players 2)
    (equipment { (board (square 3)) (hand Each size:2) (piece "Rook" Each) (piece "Knight" Each) })
    (rules
        (start { (place "Rook1" 9) (place "Knight1" 10) (place "Rook2" 11) (place "Knight2" 12) })
        (play (move (from (sites Occupied by:Mover container:(mover))) (to (sites Empty))))
        (end (if (no Moves Next) (result Mover Draw)))))"#;

/// Clicks, in a real browser.
#[test]
fn a_browser_plays_by_clicks() {
    let folder = tempfile::tempdir().unwrap();
    let page = Page::serve(folder.path(), &["tic-tac-toe-3x3", "--you", "all"]);
    let chess = Page::serve(folder.path(), &["chess", "--against", "random"]);
    std::fs::write(folder.path().join("drops.lud"), DROPS).unwrap();
    let hands = Page::serve(folder.path(), &["drops.lud", "--you", "all"]);
    let arguments = ["goofspiel-5", "--engine", "bitboard", "--you", "all", "--show"];
    let cards = Page::serve(folder.path(), &arguments);
    let arguments = ["connect-4-6x7", "--you", "none", "--pace", "step"];
    let watched = Page::serve(folder.path(), &arguments);
    let addresses = [&page, &chess, &hands, &cards, &watched]
        .map(|page| format!("http://{}/{}/", page.host, page.token));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("play-test");
    let output = match Command::new("python3").arg(script).args(addresses).output() {
        Ok(output) => output,
        Err(error) => return eprintln!("skipped: python3: {error}"),
    };
    let errors = String::from_utf8_lossy(&output.stderr);
    if output.status.code() == Some(77) {
        return eprintln!("{}", errors.trim());
    }
    assert!(output.status.success(), "{}{errors}", String::from_utf8_lossy(&output.stdout));
}
