//! Workers that lie, hang, flood or leave children behind: each is a verdict with a reason, in
//! time, and harms nobody.

use crate::common;
use std::process::Command;
use std::time::{Duration, Instant};

use bench::client::{Bounds, Program, Worker};
use bench::failure::Failure;
use bench::subject::Subject;
use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use play::{Job, Language, Limits, Rules, Via};
use reports::Verdict;

const JOB: Job = Job { seed: 1, first: 0, count: 200, cap: 9 };

/// The worked example with something changed: `script` runs after `import protocol as t`, and
/// before `t.main()`.
fn program(script: &str) -> Program {
    let script = format!(
        "run, hello = t.run, t.hello\n\
         def busy(seconds):\n    end = time.process_time() + seconds\n    while \
         time.process_time() < end: pass\n\
         {script}"
    );
    common::example("python", &script)
}

fn bounds(seconds: u64) -> Bounds {
    Bounds { patience: Duration::from_secs(seconds), ..Bounds::default() }
}

fn loaded(script: &str, bounds: &Bounds) -> Result<Worker, Failure> {
    let mut worker = Worker::start(&program(script), bounds)?;
    let rules = Rules::new(Language::Bitboard, "tic-tac-toe-3x3", "tic-tac-toe-3x3");
    worker.load(&rules, &Limits::default())?;
    Ok(worker)
}

/// The failure of the first job of such a worker.
fn ran(script: &str, seconds: u64) -> Failure {
    let mut worker = loaded(script, &bounds(seconds)).expect("it loads");
    worker.run(&JOB, Via::Fast, 1).expect_err("it is broken")
}

fn is_alive(pid: i32) -> bool {
    kill(Pid::from_raw(pid), None) != Err(Errno::ESRCH)
}

fn gone(pid: i32) -> bool {
    let deadline = Instant::now() + Duration::from_secs(5);
    while is_alive(pid) && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(10));
    }
    !is_alive(pid)
}

#[test]
fn a_worker_that_reads_nothing_is_given_up() {
    let script = "print(json.dumps({'ok': hello(json.loads(sys.stdin.readline()))}), flush=True)\n\
        time.sleep(100)";
    let mut worker = Worker::start(&program(script), &bounds(1)).expect("it says hello");
    let start = Instant::now();
    // More than the pipe takes.
    let rules = Rules::new(Language::Bitboard, "x", "x".repeat(1 << 20));
    let failure = worker.load(&rules, &Limits::default()).unwrap_err();
    assert_eq!(failure.verdict, Verdict::Timeout, "{failure}");
    assert!(start.elapsed() < Duration::from_secs(90));
}

#[test]
fn what_a_worker_started_ends_with_it() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let script = format!(
        "if os.fork() == 0:\n    os.setsid()\n    signal.signal(signal.SIGTERM, \
         signal.SIG_IGN)\n    \
         if os.fork() == 0:\n        open({:?}, 'w').write(str(os.getpid()))\n        \
         time.sleep(300)\n    os._exit(0)\n\
         os.wait()",
        file.path()
    );
    let worker = loaded(&script, &bounds(20)).expect("it loads");
    let grandchild = || std::fs::read_to_string(file.path()).unwrap_or_default().parse::<i32>();
    let deadline = Instant::now() + Duration::from_secs(10);
    while grandchild().is_err() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(10));
    }
    let grandchild = grandchild().expect("it started one");
    assert!(is_alive(grandchild));
    drop(worker);
    assert!(gone(grandchild), "it left a process behind");
}

#[test]
fn a_dead_worker_is_seen_at_once_although_a_child_holds_its_output() {
    let start = Instant::now();
    let failure = ran(
        "def die(request):\n    if os.fork() == 0: time.sleep(300)\n    os._exit(3)\n\
         t.COMMANDS['run'] = die",
        120,
    );
    assert_eq!(failure.verdict, Verdict::Crashed, "{failure}");
    assert!(failure.reason.contains("exit status: 3"), "{failure}");
    assert!(start.elapsed() < Duration::from_mins(1));
}

#[test]
fn a_flood_of_complaints_costs_no_memory() {
    const ALONE: &str = "GGPBENCH_TEST_ALONE";
    if std::env::var_os(ALONE).is_none() {
        // Other tests of this program need memory, too, so this one runs in a process of its own.
        let mut alone = Command::new(std::env::current_exe().unwrap());
        alone.args(["--exact", "hostile::a_flood_of_complaints_costs_no_memory"]).env(ALONE, "1");
        let output = alone.output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("1 passed"), "{said}");
        return;
    }
    let script = "for _ in range(300): os.write(2, b'e' * (1 << 20))\n\
        os.write(2, b'\\nno licence\\n')\nos._exit(1)";
    let failure = Worker::start(&program(script), &bounds(60)).expect_err("it ends");
    assert!(failure.reason.contains("no licence"), "{failure}");
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak =
        peak.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0);
    assert!(peak < 200 << 10, "{peak} KiB");
}

#[test]
fn more_than_one_answer_is_a_fault() {
    let mut worker = loaded(
        "def twice(request):\n    print(json.dumps({'ok': run(request)}), flush=True)\n    return \
         run(request)\n\
         t.COMMANDS['run'] = twice",
        &bounds(20),
    )
    .expect("it loads");
    worker.run(&JOB, Via::Fast, 1).expect("the first answer is sound");
    std::thread::sleep(Duration::from_millis(200));
    let failure = worker.run(&JOB, Via::Fast, 1).unwrap_err();
    assert!(failure.reason.contains("one line for each request"), "{failure}");
}

#[test]
fn counts_that_no_playouts_have_are_wrong() {
    for (change, words) in [
        ("r['plies'] = 2**64 - 1", "have no more than 1800"),
        ("r['plies'] -= 1", "contradict each other"),
        ("r['plies_squared'] += 1", "contradict each other"),
        ("r['playouts'] *= 10", "2000 playouts of 200 asked for"),
        ("r['capped'] = 5", "5 capped"),
        ("r['outcomes'][0][1] += 2**64 - 1 - r['outcomes'][0][1]", "outcomes"),
        ("r['outcomes'][0][0] = [100]", "one score for each of 2 players"),
        ("r['digest'] = 'x'", "16 hexadecimal digits"),
    ] {
        let script = format!(
            "def lie(request):\n    r = run(request)\n    {change}\n    return r\n\
             t.COMMANDS['run'] = lie"
        );
        let failure = ran(&script, 20);
        assert_eq!(failure.verdict, Verdict::Wrong, "{change}: {failure}");
        assert!(failure.reason.contains(words), "{change}: {failure}");
    }
}

/// Whatever a worker says of its time, and wherever it spends it.
#[test]
fn time_is_what_the_clock_and_the_operating_system_say() {
    let work_after = |script: &str, pause: u64| {
        let script = format!("{script}\nt.COMMANDS['run'] = slow");
        let mut worker = loaded(&script, &bounds(60)).expect("it loads");
        worker.run(&JOB, Via::Fast, 1).expect("it plays");
        std::thread::sleep(Duration::from_secs(pause));
        worker.run(&JOB, Via::Fast, 1).expect("it plays")
    };
    let work = |script: &str| work_after(script, 0);
    let most = 250_000_000;
    let lies = work(
        "def slow(request):\n    busy(0.3)\n    return dict(run(request), wall_ns=1, cpu_ns=1)",
    );
    assert!(lies.cpu_ns > most && lies.wall_ns > most, "{lies:?}");
    let child = work(
        "def slow(request):\n    if os.fork() == 0:\n        busy(0.3)\n        os._exit(0)\n    \
         os.wait()\n    return run(request)",
    );
    assert!(child.cpu_ns > most, "{child:?}");
    // A busy machine needs longer for what it does between two jobs.
    let between = work_after(
        "def slow(request):\n    threading.Timer(0.1, busy, [0.3]).start()\n    return \
         run(request)",
        2,
    );
    assert!(between.cpu_ns > most, "{between:?}");
    let asleep = work("def slow(request):\n    time.sleep(0.3)\n    return run(request)");
    assert!(asleep.cpu_ns < most && asleep.idle_ns > most, "{asleep:?}");
}

/// A worker that has had no core for longer than its patience is waited for; one that sleeps for
/// good, or computes for longer, is not.
#[test]
fn patience_is_not_spent_while_a_worker_has_no_core() {
    let script = "def stop(request):\n    os.kill(os.getpid(), signal.SIGSTOP)\n    return \
                  run(request)\nt.COMMANDS['run'] = stop";
    let mut worker = loaded(script, &bounds(1)).expect("it loads");
    let pid = worker.pid();
    let is_stopped = move || {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('T'))
    };
    let other = std::thread::spawn(move || {
        while !is_stopped() {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_secs(3));
        kill(Pid::from_raw(pid as i32), Signal::SIGCONT)
    });
    let answer = worker.run(&JOB, Via::Fast, 1);
    other.join().unwrap().unwrap();
    assert_eq!(answer.expect("it had no core").playouts, JOB.count);
    for script in ["time.sleep(300)", "busy(300)"] {
        let script = format!("t.COMMANDS['run'] = lambda request: {script}");
        let failure = ran(&script, 1);
        assert_eq!(failure.verdict, Verdict::Timeout, "{failure}");
    }
}

/// The work of a helper, in seconds of CPU time.
const BURNT: f64 = 0.4;

/// Defines `spawn(command)`, which starts a helper with an empty environment, and `helper`.
const SPAWN: &str = r#"
import subprocess
def spawn(command):
    subprocess.Popen(command, env={}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
code = '''
import os, time
while time.process_time() < BURNT: pass
open('DONE.new', 'w').close()
os.rename('DONE.new', 'DONE')
'''
helper = [sys.executable, '-S', '-c', code]
"#;

/// Ways to start a helper.
const STARTS: [(&str, &str); 4] = [
    ("a child", "spawn(helper)"),
    ("in a session of its own", "spawn(['setsid', *helper])"),
    (
        "twice forked",
        "if os.fork() == 0:\n        os.setsid()\n        spawn(helper)\n        os._exit(0)\n    \
         os.wait()",
    ),
    (
        "no child of the worker",
        "import ctypes\n    ctypes.CDLL(None).prctl(36, 0, 0, 0, 0)\n    \
         if os.fork() == 0:\n        \
         os.setsid()\n        if os.fork() == 0:\n            os.setsid()\n            \
         spawn(helper)\n        os._exit(0)\n    os.wait()",
    ),
];

/// Seconds that a worker is charged for loading, two jobs, and a helper that it starts with `start`
/// as it loads or for the first job, and that ends before the second.
fn charged(start: &str, early: bool, control_group: bool) -> f64 {
    let folder = tempfile::tempdir().unwrap();
    let done = folder.path().join("done");
    let spawn = SPAWN.replace("BURNT", &BURNT.to_string()).replace("DONE", done.to_str().unwrap());
    let command = if early { "load" } else { "run" };
    let script = format!(
        "{spawn}\ndef start():\n    {start}\n\
         jobs = []\nhonest = t.COMMANDS['{command}']\n\
         def first(request):\n    if not jobs: start()\n    jobs.append(0)\n    \
         return honest(request)\n\
         t.COMMANDS['{command}'] = first"
    );
    let bounds = Bounds { control_group, ..bounds(60) };
    let mut worker = loaded(&script, &bounds).expect("it loads");
    let started = worker.loaded().expect("it did").compile_cpu_ns;
    let first = worker.run(&JOB, Via::Fast, 1).expect("it plays").cpu_ns;
    while !done.exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    // It has written that it is done, and may have a moment to live.
    std::thread::sleep(Duration::from_millis(100));
    let second = worker.run(&JOB, Via::Fast, 1).expect("it plays").cpu_ns;
    (started + first + second) as f64 / 1e9
}

/// CPU time is charged to the worker that had it spent, whatever session and environment its helper
/// chose, whoever waits for it, and whenever it ends: with a control group and without.
#[test]
fn what_helpers_burn_is_charged() {
    for control_group in [true, false] {
        // Without a group, what has ended is told in ticks, of two kinds.
        let least = BURNT - if control_group { 0.001 } else { 0.021 };
        for (how, start) in STARTS {
            for early in [true, false] {
                let charged = charged(start, early, control_group);
                let how = format!("{how}, early: {early}, group: {control_group}");
                assert!(charged >= least, "{how}: {charged} s");
            }
        }
    }
}

/// If a worker has its children buried unseen, only a control group knows what they used.
#[test]
fn what_nobody_waits_for_is_charged_by_a_control_group() {
    let mut worker = loaded("", &bounds(60)).expect("it loads");
    let groups = std::fs::read_to_string(format!("/proc/{}/cgroup", worker.pid()));
    worker.run(&JOB, Via::Fast, 1).expect("it plays");
    if !groups.is_ok_and(|groups| groups.contains("/ggpbench-")) {
        eprintln!("skipped: no control group can be made here");
        return;
    }
    let start = "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n    spawn(helper)";
    let charged = charged(start, false, true);
    assert!(charged >= BURNT - 0.001, "{charged} s");
}

/// A worker that ends its supervisor has no second answer, and leaves nothing behind.
#[test]
fn a_worker_without_its_supervisor_is_a_dead_one() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let script = format!(
        "import ctypes\n\
         def escape(request):\n    ctypes.CDLL(None).prctl(1, 0, 0, 0, 0)\n    \
         open({:?}, 'w').write(str(os.getpid()))\n    \
         os.kill(os.getppid(), signal.SIGKILL)\n    return run(request)\n\
         t.COMMANDS['run'] = escape",
        file.path()
    );
    let mut worker = loaded(&script, &bounds(20)).expect("it loads");
    let first = worker.run(&JOB, Via::Fast, 1);
    let second = worker.run(&JOB, Via::Fast, 1).expect_err("nobody counts for it");
    assert_eq!(second.verdict, Verdict::Crashed, "{first:?}, {second}");
    let pid = std::fs::read_to_string(file.path()).unwrap().parse().unwrap();
    assert!(gone(pid), "it lives on");
}

#[test]
fn a_renamed_command_starts_its_own_workers() {
    let folder = tempfile::tempdir().unwrap();
    let renamed = folder.path().join("before");
    std::fs::copy(env!("CARGO_BIN_EXE_ggpbench"), &renamed).unwrap();
    // What has the usual name beside it is another build.
    std::fs::write(folder.path().join("ggpbench"), "").unwrap();
    let mut command = Command::new(&renamed);
    command.current_dir(folder.path());
    command.args(["perft", "tic-tac-toe-3x3", "--engines", "bitboard", "--depth", "2"]);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", common::stderr(&output));
    assert!(common::stdout(&output).contains("72"), "{}", common::stdout(&output));
}
