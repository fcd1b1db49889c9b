//! The harness's side of the worker protocol: a child process with real limits of memory and time.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use play::kit::Effort;
use play::{Job, Limits, Rules, Via};
use reports::Verdict;
use serde::de::DeserializeOwned;

use crate::protocol::{
    Counts, Hello, KitFindings, Loaded, Print, Ran, Refusal, Replayed, Reply, Request, VERSION,
    View,
};
use crate::subject::{self, Failure, Subject};

/// How to start the worker of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Name of the engine in tables.
    pub engine: String,
    /// The family that it belongs to; engines of one have one vote together.
    pub lineage: String,
    /// Program and arguments.
    pub command: Vec<String>,
    /// Languages it reads, by name.
    pub languages: Vec<String>,
    /// A command that prints the engine's version; empty for engines of our own, whose version is the
    /// harness's.
    pub version: Vec<String>,
}

/// Limits of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Address space of the process in bytes; 0 for no limit.
    pub memory: u64,
    /// How long a single answer may take.
    pub patience: Duration,
}

impl Default for Bounds {
    /// 8 GiB of address space, one minute an answer.
    fn default() -> Bounds {
        Bounds { memory: 8 << 30, patience: Duration::from_mins(1) }
    }
}

/// Longest line that a worker may answer with.
const LONGEST_LINE: u64 = 64 << 20;

/// A running worker.
#[derive(Debug)]
pub struct Worker {
    engine: String,
    lineage: String,
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<std::io::Result<String>>,
    complaints: Arc<Mutex<String>>,
    bounds: Bounds,
    hello: Option<Hello>,
    loaded: Option<Loaded>,
    /// What ended it; every later request gets the same answer.
    dead: Option<Failure>,
}

impl Worker {
    /// Starts a worker and shakes hands.
    pub fn start(program: &Program, bounds: &Bounds) -> Result<Worker, Failure> {
        let unavailable = |error: std::io::Error| {
            let command = program.command.join(" ");
            Failure::new(Verdict::Crashed, format!("cannot start `{command}`: {error}"))
        };
        let mut command = limited(&program.command, bounds.memory).map_err(unavailable)?;
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // Ctrl-C at a terminal is for the harness, which finishes the sample.
            .process_group(0)
            .spawn()
            .map_err(unavailable)?;
        let (send, lines) = mpsc::channel();
        if let Some(stdout) = child.stdout.take() {
            std::thread::spawn(move || {
                let mut reader = BufReader::new(stdout);
                loop {
                    let mut line = String::new();
                    let read = reader.by_ref().take(LONGEST_LINE).read_line(&mut line);
                    let done = !matches!(read, Ok(n) if n > 0);
                    if done || send.send(read.map(|_| line)).is_err() {
                        return;
                    }
                }
            });
        }
        let complaints = Arc::new(Mutex::new(String::new()));
        if let Some(stderr) = child.stderr.take() {
            let complaints = Arc::clone(&complaints);
            std::thread::spawn(move || {
                for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                    if let Ok(mut all) = complaints.lock() {
                        // Enough for a reason; a worker that chatters does not fill our memory.
                        if all.len() < 16 << 10 {
                            all.push_str(&line);
                            all.push('\n');
                        }
                    }
                }
            });
        }
        let stdin = child.stdin.take();
        let mut worker = Worker {
            engine: program.engine.clone(),
            lineage: program.lineage.clone(),
            child,
            stdin,
            lines,
            complaints,
            bounds: *bounds,
            hello: None,
            loaded: None,
            dead: None,
        };
        let hello: Hello = worker.ask(&Request::Hello { protocol: VERSION })?;
        if hello.protocol != VERSION {
            let reason = format!("speaks protocol {}, expected {VERSION}", hello.protocol);
            return Err(worker.bury(Failure::new(Verdict::Crashed, reason)));
        }
        worker.hello = Some(hello);
        Ok(worker)
    }

    /// Loads rules; they stay until the next load.
    pub fn load(&mut self, rules: &Rules, limits: &Limits) -> Result<&Loaded, Failure> {
        self.loaded = None;
        let loaded: Loaded = self.ask(&Request::load(rules, limits))?;
        Ok(self.loaded.insert(loaded))
    }

    /// What the last load said.
    pub fn loaded(&self) -> Option<&Loaded> {
        self.loaded.as_ref()
    }

    /// Whether the process has ended; every request is answered with the reason.
    pub fn is_dead(&self) -> bool {
        self.dead.is_some()
    }

    /// What the worker said of itself.
    pub fn hello(&self) -> Option<&Hello> {
        self.hello.as_ref()
    }

    /// The worker's random generator.
    pub fn rng(&self) -> &str {
        self.hello.as_ref().map_or("", |hello| &hello.rng)
    }

    /// Replays recorded games of the loaded rules.
    pub fn replay(&mut self, record: &str) -> Result<Replayed, Failure> {
        self.ask(&Request::Replay { record: record.to_owned() })
    }

    /// Process id, for tests that kill it.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends a request and waits for its answer.
    pub(crate) fn ask<T: DeserializeOwned>(&mut self, request: &Request) -> Result<T, Failure> {
        let line = serde_json::to_string(request)
            .map_err(|error| Failure::new(Verdict::Crashed, error.to_string()))?;
        match self.exchange(&line, request.name())? {
            Reply::Ok(value) => Ok(value),
            Reply::Error(refusal) => Err(refused(&refusal)),
        }
    }

    /// Sends a line that is a request of this name, and waits for the answer.
    pub(crate) fn exchange<T: DeserializeOwned>(
        &mut self,
        line: &str,
        name: &str,
    ) -> Result<Reply<T>, Failure> {
        if let Some(dead) = &self.dead {
            return Err(dead.clone());
        }
        let line = format!("{line}\n");
        let sent = self
            .stdin
            .as_mut()
            .map(|stdin| stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()));
        if !matches!(sent, Some(Ok(()))) {
            let failure = self.autopsy(name);
            return Err(self.bury(failure));
        }
        let start = Instant::now();
        match self.lines.recv_timeout(self.bounds.patience) {
            Ok(Ok(line)) => serde_json::from_str(&line).map_err(|error| {
                let start: String = line.trim_end().chars().take(120).collect();
                let reason = format!(
                    "answered `{name}` with {start:?}, which is not what the protocol says: {error}"
                );
                self.bury(Failure::new(Verdict::Crashed, reason))
            }),
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => {
                let failure = self.autopsy(name);
                Err(self.bury(failure))
            }
            Err(RecvTimeoutError::Timeout) => {
                let reason = format!("no answer to `{name}` in {:.0?}", start.elapsed());
                Err(self.bury(Failure::new(Verdict::Timeout, reason)))
            }
        }
    }

    /// Asks for playouts, and looks whether the answer adds up.
    fn ask_to_run(&mut self, request: &Request, job: &Job) -> Result<Ran, Failure> {
        let ran: Ran = self.ask(request)?;
        let fault = match ran.tally() {
            Err(fault) => Some(fault),
            Ok(_) if ran.playouts != job.count => {
                Some(format!("{} playouts of {} asked for", ran.playouts, job.count))
            }
            Ok(_) => None,
        };
        match fault {
            Some(fault) => Err(self.bury(Failure::new(Verdict::Crashed, fault))),
            None => Ok(ran),
        }
    }

    /// Why the process ended.
    fn autopsy(&mut self, name: &str) -> Failure {
        // The pipe closes before the exit status is there.
        let deadline = Instant::now() + Duration::from_secs(2);
        let status = loop {
            match self.child.try_wait() {
                Ok(Some(status)) => break status.to_string(),
                Ok(None) if Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                _ => break "it closed its output".to_owned(),
            }
        };
        std::thread::sleep(Duration::from_millis(20)); // lets the reader of its complaints finish
        let complaints = self.complaints.lock().map(|c| c.clone()).unwrap_or_default();
        if complaints.contains("memory allocation of") || complaints.contains("MemoryError") {
            let reason = format!("out of memory in `{name}`");
            return Failure::new(Verdict::TooLarge, reason);
        }
        let last = complaints.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("");
        let colon = if last.is_empty() { "" } else { ": " };
        Failure::new(
            Verdict::Crashed,
            format!("the worker died in `{name}` ({status}){colon}{last}"),
        )
    }

    fn bury(&mut self, failure: Failure) -> Failure {
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.dead = Some(failure.clone());
        failure
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        drop(self.stdin.take()); // the end of its input tells it to go
        let deadline = Instant::now() + Duration::from_millis(200);
        while Instant::now() < deadline {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Subject for Worker {
    fn name(&self) -> &str {
        &self.engine
    }

    fn lineage(&self) -> &str {
        &self.lineage
    }

    fn batch(&self) -> bool {
        self.loaded.as_ref().is_some_and(|loaded| loaded.batch)
    }

    fn players(&self) -> u8 {
        self.loaded.as_ref().map_or(0, |loaded| loaded.players)
    }

    fn chance(&self) -> bool {
        self.loaded.as_ref().is_some_and(|loaded| loaded.chance)
    }

    fn lanes(&self) -> u64 {
        let build = self.loaded.iter().flat_map(|loaded| &loaded.build);
        subject::lanes(build.map(|(name, &n)| (name.as_str(), n)))
    }

    fn perft(&mut self, depth: u32, budget: u64) -> Result<Option<Vec<u64>>, Failure> {
        self.ask::<Counts>(&Request::Perft { depth, budget, passes: false })
    }

    fn fingerprint(&mut self, depth: u32, budget: u64) -> Result<Option<u64>, Failure> {
        let Some(print) = self.ask::<Print>(&Request::Fingerprint { depth, budget })? else {
            return Ok(None);
        };
        let parsed = u64::from_str_radix(&print, 16);
        let reason = format!("fingerprint {print:?} is not hexadecimal");
        parsed.map(Some).map_err(|_| self.bury(Failure::new(Verdict::Crashed, reason)))
    }

    fn look(&mut self, path: &[usize], depth: u32, budget: u64) -> Result<View, Failure> {
        self.ask(&Request::Walk { path: path.to_vec(), depth, budget })
    }

    fn run(&mut self, job: &Job, via: Via, threads: u32) -> Result<Ran, Failure> {
        self.ask_to_run(&Request::run(job, via, threads), job)
    }

    fn raw_perft(&mut self, depth: u32, budget: u64) -> Result<Option<Vec<u64>>, Failure> {
        self.ask::<Counts>(&Request::Perft { depth, budget, passes: true })
    }

    fn raw_run(&mut self, job: &Job) -> Result<Ran, Failure> {
        let mut request = Request::run(job, Via::Reference, 1);
        if let Request::Run { passes, .. } = &mut request {
            *passes = true;
        }
        self.ask_to_run(&request, job)
    }

    fn kit(&mut self, effort: &Effort) -> Result<Option<KitFindings>, Failure> {
        let Effort { seed, walks, playouts, cap } = *effort;
        let request = Request::Kit { seed, walks, playouts, cap };
        if let Some(dead) = &self.dead {
            return Err(dead.clone());
        }
        match self.ask::<Option<KitFindings>>(&request) {
            Err(failure) if self.dead.is_none() && failure.reason.starts_with(UNKNOWN) => Ok(None),
            other => other,
        }
    }
}

/// How the reason of a refusal for want of the command begins.
const UNKNOWN: &str = "unknown command: ";

fn refused(refusal: &Refusal) -> Failure {
    let verdict = match refusal.kind.as_str() {
        "invalid" => Verdict::Invalid,
        "too large" => Verdict::TooLarge,
        "unsupported" | "unavailable" => Verdict::Unsupported,
        "timeout" => Verdict::Timeout,
        "unknown" => {
            return Failure::new(Verdict::Crashed, format!("{UNKNOWN}{}", refusal.message));
        }
        _ => Verdict::Crashed,
    };
    Failure::new(verdict, refusal.message.clone())
}

/// The command behind a limit of memory: this program sets the limit on itself and becomes the
/// other (`ggpbench limit`), which needs no unsafe code between fork and exec.
fn limited(command: &[String], memory: u64) -> std::io::Result<Command> {
    let Some((program, arguments)) = command.split_first() else {
        return Err(std::io::Error::other("the command is empty"));
    };
    if memory == 0 {
        let mut plain = Command::new(program);
        plain.args(arguments);
        return Ok(plain);
    }
    let mut wrapped = Command::new(ggpbench()?);
    wrapped.arg("limit").arg(memory.to_string()).arg("--").arg(program).args(arguments);
    Ok(wrapped)
}

/// The `ggpbench` binary: this one, or (from a test or a benchmark of this crate) the one built
/// beside it.
pub fn ggpbench() -> std::io::Result<PathBuf> {
    let this = std::env::current_exe()?;
    if this.file_stem().is_some_and(|stem| stem == "ggpbench") {
        return Ok(this);
    }
    let name = format!("ggpbench{}", std::env::consts::EXE_SUFFIX);
    this.ancestors()
        .skip(1)
        .take(2)
        .map(|folder| folder.join(&name))
        .find(|path| path.is_file())
        .ok_or_else(|| std::io::Error::other("the ggpbench binary is not beside this program"))
}

/// The worker of an engine of our own.
pub fn own_program(engine: &dyn play::Engine) -> std::io::Result<Program> {
    Ok(Program {
        engine: engine.id().to_owned(),
        lineage: engine.lineage().to_owned(),
        command: vec![
            ggpbench()?.to_string_lossy().into_owned(),
            "worker".to_owned(),
            engine.id().to_owned(),
        ],
        languages: engine.languages().iter().map(|l| l.name().to_owned()).collect(),
        version: Vec::new(),
    })
}
