//! A process with all that it started: what it uses, and its end. Read from `/proc` and the clocks
//! of processes. Elsewhere than on Linux neither is there: a process is ended with its group, and
//! what it uses is not known.

use std::collections::BTreeSet;
use std::fs;
use std::sync::{Mutex, Once, PoisonError};
use std::time::Duration;

use nix::sys::signal::{Signal, kill, killpg};
use nix::sys::wait::{WaitPidFlag, waitpid};
use nix::unistd::{Pid, SysconfVar, sysconf};

/// Processes that may be followed from one; a program that starts more is not one that we measure.
const MOST: usize = 4096;

/// How often the end of a tree is looked for, a millisecond apart.
const ROUNDS: usize = 200;

/// What a process and its descendants have used so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    /// CPU time of all of them, those that have ended included, in nanoseconds; 0 if it is not
    /// known.
    pub(crate) cpu_ns: u64,
    /// Time that their threads were ready to run and had no core, in nanoseconds.
    pub(crate) delay_ns: u64,
    /// Peak resident memory, in bytes: the sum of those that are alive.
    pub(crate) peak_bytes: u64,
}

/// A process and its descendants.
#[derive(Debug)]
pub(super) struct Tree {
    root: u32,
    /// `NAME=value` in the environment of all of them, unless they removed it.
    token: String,
}

/// The roots of all trees that were not killed yet.
static ROOTS: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// Makes orphans below this process its children, so that they can be found and ended.
pub(super) fn adopt_orphans() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        #[cfg(target_os = "linux")]
        let _ = nix::sys::prctl::set_child_subreaper(true);
    });
}

/// Ends all processes that were started here and everything that they started: for an end of the
/// harness without a way back.
pub(crate) fn kill_all() {
    let roots = ROOTS.lock().unwrap_or_else(PoisonError::into_inner).clone();
    for root in roots {
        for pid in below(root) {
            let _ = kill(pid_of(pid), Signal::SIGKILL);
        }
        let _ = killpg(pid_of(root), Signal::SIGKILL);
    }
}

impl Tree {
    pub(super) fn of(root: u32, token: String) -> Tree {
        ROOTS.lock().unwrap_or_else(PoisonError::into_inner).insert(root);
        Tree { root, token }
    }

    /// The processes, the root first.
    fn members(&self) -> Vec<u32> {
        let mut members = below(self.root);
        // Orphans are our children now.
        for child in children(std::process::id()) {
            if child != self.root && !members.contains(&child) && self.owns(child) {
                members.extend(below(child));
            }
        }
        members
    }

    /// Whether a child of this process was started below the root: it carries the token, or is of
    /// the root's group.
    fn owns(&self, pid: u32) -> bool {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(|entry| entry == self.token.as_bytes())
            || stat(pid).is_some_and(|stat| stat.group == self.root)
    }

    pub(super) fn usage(&self) -> Usage {
        let mut usage = Usage::default();
        for pid in self.members() {
            usage.cpu_ns += cpu_ns(pid);
            usage.delay_ns += delay_ns(pid);
            usage.peak_bytes += peak_bytes(pid);
        }
        usage
    }

    /// Ends all of them, and waits a moment for all but the root to be gone: that one is buried by
    /// whoever started it. Processes that start others while they are being ended are met again.
    pub(super) fn kill(&self) {
        let mut others = BTreeSet::new();
        for _ in 0..ROUNDS {
            let members = self.members();
            let _ = killpg(pid_of(self.root), Signal::SIGKILL);
            for &pid in &members {
                let _ = kill(pid_of(pid), Signal::SIGKILL);
            }
            others.extend(members.into_iter().filter(|&pid| pid != self.root));
            // Orphans are our children, and stay until we have asked how they ended.
            others.retain(|&pid| {
                let _ = waitpid(pid_of(pid), Some(WaitPidFlag::WNOHANG));
                fs::exists(format!("/proc/{pid}")).unwrap_or(false)
            });
            if others.is_empty() {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        ROOTS.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.root);
    }
}

fn pid_of(pid: u32) -> Pid {
    Pid::from_raw(i32::try_from(pid).unwrap_or(i32::MAX))
}

/// A process and its descendants.
fn below(root: u32) -> Vec<u32> {
    let mut all = vec![root];
    let mut next = 0;
    while next < all.len() && all.len() < MOST {
        let found = children(all[next]);
        all.extend(found);
        next += 1;
    }
    all
}

/// The children of all threads of a process.
fn children(pid: u32) -> Vec<u32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else { return Vec::new() };
    let lists =
        threads.flatten().filter_map(|t| fs::read_to_string(t.path().join("children")).ok());
    lists.flat_map(|list| numbers(&list)).collect()
}

fn numbers(text: &str) -> Vec<u32> {
    text.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

/// CPU time of a process, and of its children that have ended and that it waited for.
#[cfg(target_os = "linux")]
fn cpu_ns(pid: u32) -> u64 {
    use nix::time::{ClockId, clock_gettime};
    let ended = stat(pid).map_or(0, |stat| stat.of_ended_children_ns);
    let clock = ClockId::pid_cpu_clock_id(pid_of(pid)).and_then(clock_gettime);
    let own = clock.map_or(0, |t| t.tv_sec() as u64 * 1_000_000_000 + t.tv_nsec() as u64);
    own + ended
}

#[cfg(not(target_os = "linux"))]
fn cpu_ns(_: u32) -> u64 {
    0
}

/// Time that the threads of a process waited for a core: the second field of their `schedstat`.
fn delay_ns(pid: u32) -> u64 {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else { return 0 };
    let texts =
        threads.flatten().filter_map(|t| fs::read_to_string(t.path().join("schedstat")).ok());
    texts.filter_map(|text| text.split_whitespace().nth(1)?.parse::<u64>().ok()).sum()
}

fn peak_bytes(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) << 10
}

/// What we read of `/proc/<pid>/stat` (proc(5)).
struct Stat {
    group: u32,
    of_ended_children_ns: u64,
}

fn stat(pid: u32) -> Option<Stat> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name, in brackets, may hold anything; what follows it are numbers: field 3 is the first.
    let fields: Vec<&str> = text[text.rfind(')')? + 1..].split_whitespace().collect();
    let field = |number: usize| fields.get(number - 3).and_then(|f| f.parse::<u64>().ok());
    let ticks = field(16)? + field(17)?;
    let per_second = sysconf(SysconfVar::CLK_TCK).ok().flatten().unwrap_or(100).max(1) as u64;
    Some(Stat {
        group: u32::try_from(field(5)?).ok()?,
        of_ended_children_ns: ticks * 1_000_000_000 / per_second,
    })
}
