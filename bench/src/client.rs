//! The harness's side of the worker protocol: a child process with real limits of memory and time.

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use play::kit::Effort;
use play::{BuildFact, Job, Limits, NotReached, Rules, Via, Words};
use reports::Verdict;
use serde::de::DeserializeOwned;

use crate::analysis::{self, Sampled};
use crate::belief::ChanceWalk;
use crate::failure::Failure;
use crate::process::{ControlGroup, NoAnswer, Process, Usage};
use crate::protocol::{
    Counts, Hello, KitFindings, Loaded, Observed, Print, Ran, Refusal, Replayed, Reply, Request,
    Searches, SentWords, VERSION, View, Walked,
};
use crate::random_walk::WalkId;
use crate::strategies;
use crate::subject::{self, Subject, observe_by_looking, run_one_by_one, walk_by_looking};

/// The command that starts the worker of an engine, and the engine's properties.
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
    /// A command that prints the engine's version; empty for engines of our own, whose version is
    /// the harness's.
    pub version: Vec<String>,
}

impl Program {
    /// True if it is this very program, serving an engine of its own.
    pub fn is_own(&self) -> bool {
        let own = ggpbench()
            .is_ok_and(|path| self.command.first() == Some(&path.to_string_lossy().into_owned()));
        own && self.command.get(1).is_some_and(|word| word == "worker")
    }
}

/// Limits of a worker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Address space of the process in bytes; 0 for no limit.
    pub memory: u64,
    /// CPU time that a single answer may take; by the clock it may take twenty times as long, since
    /// others may have the cores.
    pub patience: Duration,
    /// The only core that the process may run on, by its number; any, if there is none.
    pub core: Option<usize>,
    /// True if a control group counts what the process and all that it started use, where the
    /// system has one for us; else the processes are asked one by one.
    pub control_group: bool,
}

impl Default for Bounds {
    /// 8 GiB of address space, one minute an answer.
    fn default() -> Bounds {
        Bounds {
            memory: 8 << 30,
            patience: Duration::from_mins(1),
            core: None,
            control_group: true,
        }
    }
}

/// A running worker.
#[derive(Debug)]
pub struct Worker {
    engine: String,
    lineage: String,
    process: Process,
    bounds: Bounds,
    hello: Option<Hello>,
    loaded: Option<Loaded>,
    /// The words for what it says of the loaded game; engines of our own say them themselves.
    words: Words,
    /// The usage up to its last answer, if that was to `load` or `run`.
    used: Option<Usage>,
    /// True if it understands [`Request::Run`]'s `job`.
    own: bool,
    /// The failure that ended it; every later request gets the same answer.
    dead: Option<Failure>,
}

/// The cost of an answer, by our clock and as the operating system counts.
struct Cost {
    wall_ns: u64,
    cpu_ns: u64,
    /// Elapsed time in which no thread of the worker ran or waited for a core, nor we for one.
    idle_ns: u64,
    /// True if elapsed time stands for CPU time, which the system does not tell.
    by_clock: bool,
    peak_bytes: u64,
}

impl Worker {
    /// Starts a worker and shakes hands.
    pub fn start(program: &Program, bounds: &Bounds) -> Result<Worker, Failure> {
        let process = start_limited(&program.command, bounds).map_err(|error| {
            let command = program.command.join(" ");
            Failure::new(Verdict::Crashed, format!("cannot start `{command}`: {error}"))
        })?;
        let mut worker = Worker {
            engine: program.engine.clone(),
            lineage: program.lineage.clone(),
            process,
            bounds: *bounds,
            hello: None,
            loaded: None,
            words: Words::default(),
            used: None,
            own: program.is_own(),
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

    /// Loads rules; they stay until the next load. How long it takes and how much memory is what
    /// our clock and the operating system say.
    pub fn load(&mut self, rules: &Rules, limits: &Limits) -> Result<&Loaded, Failure> {
        self.load_searches(rules, limits, Searches::default())
    }

    /// The same, where searches are wanted in the place of playouts.
    pub fn load_searches(
        &mut self,
        rules: &Rules,
        limits: &Limits,
        searches: Searches<'_>,
    ) -> Result<&Loaded, Failure> {
        self.loaded = None;
        let Searches { simulations, .. } = searches;
        let mut request = Request::load(rules, limits, searches);
        self.words = rules.words.clone();
        if let (false, Request::Load { words, start, .. }) = (self.own, &mut request) {
            *words = SentWords::default();
            *start = self.own_labels(rules, limits)?;
        }
        let (mut loaded, cost): (Loaded, _) = self.ask_and_measure(&request)?;
        if loaded.start as usize != rules.start.len() {
            let reason = "it begins at no position but the first (`start` of the worker protocol)";
            return Err(Failure::new(Verdict::Unsupported, reason));
        }
        if loaded.simulations != simulations {
            let reason = format!("asked for searches of {simulations} simulations, it makes none");
            return Err(Failure::new(Verdict::Unsupported, reason));
        }
        let engine = self.hello.as_ref().map_or("", |hello| &hello.engine);
        strategies::log(engine, rules, &loaded.strategies);
        loaded.compile_ns = cost.wall_ns;
        loaded.compile_cpu_ns = cost.cpu_ns;
        loaded.peak_bytes = cost.peak_bytes;
        Ok(self.loaded.insert(loaded))
    }

    /// The plies that are to be played before the game begins, in the labels of the program itself,
    /// which has to load the game for that.
    fn own_labels(&mut self, rules: &Rules, limits: &Limits) -> Result<Vec<String>, Failure> {
        if rules.start.is_empty() {
            return Ok(Vec::new());
        }
        let plain = Rules { start: Vec::new(), ..rules.clone() };
        self.load(&plain, limits)?;
        let (mut path, mut said) = (Vec::new(), Vec::new());
        for (plies, label) in rules.start.iter().enumerate() {
            let (depth, budget) = (0, 0);
            let request = Request::Walk { path: path.clone(), chance: Vec::new(), depth, budget };
            let view: View = self.ask(&request)?;
            let words = view.clone().in_words(&self.words).labels;
            let action = words.iter().position(|word| word == label).ok_or_else(|| {
                let why = NotReached::new(plies, label, words.clone());
                Failure::new(Verdict::Invalid, why.to_string())
            })?;
            said.push(view.labels[action].clone());
            path.push(action);
        }
        Ok(said)
    }

    /// The peak of resident memory of the process and all that it started, so far.
    pub fn peak_bytes(&mut self) -> u64 {
        self.process.usage().peak_bytes
    }

    /// The worker's answer to the last load.
    pub fn loaded(&self) -> Option<&Loaded> {
        self.loaded.as_ref()
    }

    /// True if the process has ended; every request is answered with the reason.
    pub fn is_dead(&self) -> bool {
        self.dead.is_some()
    }

    /// The worker's description of itself.
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

    /// Process id of the program itself, for tests that kill it.
    pub fn pid(&self) -> u32 {
        self.process.id()
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
        let answer = self.process.exchange(format!("{line}\n").as_bytes(), self.bounds.patience);
        self.used = None;
        let failure = match answer {
            Ok(line) => match serde_json::from_str(&line) {
                Ok(reply) => return Ok(reply),
                Err(error) => {
                    let start: String = line.trim_end().chars().take(120).collect();
                    let reason = format!(
                        "answered `{name}` with {start:?}, which is not what the protocol says: \
                         {error}"
                    );
                    Failure::new(Verdict::Crashed, reason)
                }
            },
            Err(NoAnswer::Timeout { elapsed, used }) => {
                let used = used.map_or_else(String::new, |t| format!(", {t:.1?} of CPU time"));
                let reason = format!("no answer to `{name}` in {elapsed:.1?}{used}");
                Failure::new(Verdict::Timeout, reason)
            }
            Err(NoAnswer::Unasked(line)) => Failure::new(
                Verdict::Crashed,
                format!("wrote {line:?} before it had read `{name}`: one line for each request"),
            ),
            Err(NoAnswer::TooLong) => {
                Failure::new(Verdict::Crashed, format!("its answer to `{name}` has no end"))
            }
            Err(NoAnswer::Broken(error)) => Failure::new(
                Verdict::Crashed,
                format!("cannot speak to the worker in `{name}`: {error}"),
            ),
            Err(NoAnswer::Ended) => self.autopsy(name),
        };
        Err(self.bury(failure))
    }

    /// Sends a request and waits for its answer; what that cost.
    ///
    /// Wall time is our clock's, from the request to the answer. CPU time is what the worker and
    /// everything that it started have used since its last answer, where that was measured too, so
    /// that nothing is gained by working between the requests of a measurement.
    fn ask_and_measure<T: DeserializeOwned>(
        &mut self,
        request: &Request,
    ) -> Result<(T, Cost), Failure> {
        let before = self.used.take().unwrap_or_else(|| self.process.usage());
        let start = Instant::now();
        let answer = self.ask(request)?;
        let wall_ns = (start.elapsed().as_nanos() as u64).max(1);
        let own_delay_ns = self.process.own_delay_ns();
        let after = self.process.usage();
        self.used = Some(after);
        let cpu_ns = after
            .cpu_ns
            .map_or(wall_ns, |now| now.saturating_sub(before.cpu_ns.unwrap_or(0)).max(1));
        let by_clock = after.cpu_ns.is_none();
        let delay_ns = after.delay_ns.saturating_sub(before.delay_ns) + own_delay_ns;
        let idle_ns = wall_ns.saturating_sub(cpu_ns).saturating_sub(delay_ns);
        let peak_bytes = after.peak_bytes;
        Ok((answer, Cost { wall_ns, cpu_ns, idle_ns, by_clock, peak_bytes }))
    }

    /// Asks for playouts, and looks whether the answer adds up.
    fn ask_to_run(&mut self, request: &Request, job: &Job) -> Result<Ran, Failure> {
        let (ran, cost) = self.ask_and_measure(request)?;
        let Cost { wall_ns, cpu_ns, idle_ns, by_clock, peak_bytes } = cost;
        let ran = Ran { wall_ns, cpu_ns, idle_ns, by_clock, peak_bytes, ..ran };
        match ran.contradiction(job, self.players()) {
            Some(fault) => Err(self.bury(Failure::new(Verdict::Wrong, fault))),
            None => Ok(ran),
        }
    }

    /// The reason why the process ended.
    fn autopsy(&mut self, name: &str) -> Failure {
        let (status, complaints) = self.process.last_words();
        if complaints.contains("memory allocation of") || complaints.contains("MemoryError") {
            let reason = format!("out of memory in `{name}`");
            return Failure::new(Verdict::TooLarge, reason);
        }
        let last = complaints.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("");
        let last: String = last.chars().take(400).collect();
        let colon = if last.is_empty() { "" } else { ": " };
        Failure::new(
            Verdict::Crashed,
            format!("the worker died in `{name}` ({status}){colon}{last}"),
        )
    }

    fn bury(&mut self, failure: Failure) -> Failure {
        self.process.kill();
        self.dead = Some(failure.clone());
        failure
    }
}

impl Subject for Worker {
    fn name(&self) -> &str {
        &self.engine
    }

    fn lineage(&self) -> &str {
        &self.lineage
    }

    fn has(&self, via: Via) -> bool {
        self.loaded.as_ref().is_some_and(|loaded| loaded.has(via))
    }

    fn plays_like_reference(&self, via: Via) -> bool {
        self.loaded.as_ref().is_none_or(|loaded| match via {
            Via::Batch => loaded.batch_distribution.is_empty(),
            Via::Interpreted => loaded.interpreted_distribution.is_empty(),
            Via::Fast | Via::Reference => loaded.distribution.is_empty(),
            Via::Listed => true,
        })
    }

    fn variant(&self) -> Option<&str> {
        let said = self.loaded.as_ref().map(|loaded| loaded.variant.as_str());
        said.filter(|variant| !variant.is_empty())
    }

    fn is_own(&self) -> bool {
        self.own
    }

    fn says_words(&self) -> bool {
        self.own && self.words.shared
    }

    fn players(&self) -> u8 {
        self.loaded.as_ref().map_or(0, |loaded| loaded.players)
    }

    fn chance(&self) -> bool {
        self.loaded.as_ref().is_some_and(|loaded| loaded.chance)
    }

    fn simulations(&self) -> u32 {
        self.loaded.as_ref().map_or(0, |loaded| loaded.simulations)
    }

    fn lanes(&self) -> u64 {
        let build = self.loaded.as_ref().map(|loaded| &loaded.build);
        subject::lanes(build.and_then(|build| build.get(BuildFact::Lanes.as_str()).copied()))
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

    fn takes_outcomes(&self) -> bool {
        self.loaded.as_ref().is_some_and(|loaded| loaded.outcomes)
    }

    fn look_at(
        &mut self,
        path: &[usize],
        chance: &[u64],
        depth: u32,
        budget: u64,
    ) -> Result<View, Failure> {
        let request = Request::Walk { path: path.to_vec(), chance: chance.to_vec(), depth, budget };
        let mut view: View = self.ask(&request)?;
        if !self.own {
            view = view.in_words(&self.words);
        }
        match view.contradiction(self.players()) {
            Some(fault) => {
                let fault = format!("`walk` along the actions {path:?}: {fault}");
                Err(self.bury(Failure::new(Verdict::Wrong, fault)))
            }
            None => Ok(view),
        }
    }

    fn random_walks(&mut self, first: WalkId, count: u64) -> Result<Vec<Walked>, Failure> {
        let WalkId { seed, number, cap } = first;
        if !self.own {
            return walk_by_looking(self, first, count);
        }
        self.ask(&Request::Walks { seed, first: number, count, cap })
    }

    fn observe(&mut self, walk: ChanceWalk, follow: &[(u64, u64)]) -> Result<Observed, Failure> {
        if !self.own {
            return observe_by_looking(self, walk, follow);
        }
        let ChanceWalk { id: WalkId { seed, number, cap }, labels, width, samples } = walk;
        let follow = follow.to_vec();
        self.ask(&Request::Observe { seed, number, cap, labels, width, samples, follow })
    }

    fn run(&mut self, job: &Job, via: Via, threads: u32) -> Result<Ran, Failure> {
        self.ask_to_run(&Request::run(job, via, threads), job)
    }

    fn run_in_jobs(
        &mut self,
        whole: &Job,
        size: u64,
        via: Via,
        threads: u32,
    ) -> Result<Ran, Failure> {
        if !self.own {
            return run_one_by_one(self, whole, size, via, threads);
        }
        let mut request = Request::run(whole, via, threads);
        if let Request::Run { job, .. } = &mut request {
            *job = size;
        }
        self.ask_to_run(&request, whole)
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

    fn step(&mut self, job: &Job) -> Result<Option<Ran>, Failure> {
        if !self.own {
            return Ok(None);
        }
        let mut request = Request::run(job, Via::Reference, 1);
        if let Request::Run { steps, .. } = &mut request {
            *steps = true;
        }
        self.ask_to_run(&request, job).map(Some)
    }

    fn analyse(&mut self, effort: &analysis::Effort) -> Result<Sampled, Failure> {
        if !self.own {
            return Err(subject::cannot_analyse());
        }
        let analysis::Effort { seed, games, plies, cap } = *effort;
        self.ask(&Request::Analyse { seed, games, plies, cap })
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

/// The first words of a refusal for want of the command.
const UNKNOWN: &str = "unknown command: ";

fn refused(refusal: &Refusal) -> Failure {
    let verdict = match refusal.kind.as_str() {
        "invalid" => Verdict::Invalid,
        "too large" => Verdict::TooLarge,
        "unsupported" | "unavailable" => Verdict::Unsupported,
        "timeout" => Verdict::Timeout,
        "wrong" => Verdict::Wrong,
        "unknown" => {
            return Failure::new(Verdict::Crashed, format!("{UNKNOWN}{}", refusal.message));
        }
        _ => Verdict::Crashed,
    };
    Failure::new(verdict, refusal.message.clone())
}

/// The settings that tell the allocator of glibc to keep memory that was freed: as it is set out of
/// the box, lists that are made anew at every ply, each longer than 128 KiB, are asked of the
/// operating system and given back, which takes most of the time of such games. Other allocators do
/// not read it.
const KEEP_FREED_MEMORY: [(&str, &str); 2] =
    [("MALLOC_MMAP_THRESHOLD_", "1073741824"), ("MALLOC_TRIM_THRESHOLD_", "1073741824")];

/// Starts a command behind its limits, below a supervisor. Both are this program: one sets the
/// limits on itself and becomes the command (`ggpbench limit`), which needs no unsafe code between
/// fork and exec, the other starts that one and waits (`ggpbench supervise`).
pub(crate) fn start_limited(command: &[String], bounds: &Bounds) -> std::io::Result<Process> {
    let Some((program, arguments)) = command.split_first() else {
        return Err(std::io::Error::other("the command is empty"));
    };
    let this = ggpbench()?;
    let mut wrapped = Command::new(&this);
    wrapped.args(["supervise", "--"]).arg(&this).arg("limit").arg(bounds.memory.to_string());
    if let Some(core) = bounds.core {
        wrapped.arg("--core").arg(core.to_string());
    }
    let group = if bounds.control_group { ControlGroup::make() } else { None };
    if let Some(group) = &group {
        wrapped.arg("--group").arg(group.folder());
    }
    wrapped.arg("--").arg(program).args(arguments).envs(KEEP_FREED_MEMORY);
    Process::start(wrapped, group)
}

/// True if this program is the command `ggpbench`, whatever the name of its file.
static IS_COMMAND: AtomicBool = AtomicBool::new(false);

/// Tells that this program is the command, so that the workers of its engines are its own: under
/// another name, as of one of two builds that are compared, it must not take what lies beside it.
pub(crate) fn this_is_the_command() {
    IS_COMMAND.store(true, Ordering::Relaxed);
}

/// The `ggpbench` binary: this one, or (from a test or a benchmark of this crate) the one built
/// beside it.
pub fn ggpbench() -> std::io::Result<PathBuf> {
    let this = std::env::current_exe()?;
    if IS_COMMAND.load(Ordering::Relaxed) {
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
