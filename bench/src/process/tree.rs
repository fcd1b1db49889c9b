//! A worker with all that it started: what they use, and their end. All of them are below its
//! supervisor, in `/proc`. CPU time is that of a control group, where one could be made, and the
//! sum over the processes otherwise. Elsewhere than on Linux neither is there: a process is ended
//! with its group, and what it uses is not known.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::{Mutex, Once, PoisonError};
use std::time::Duration;

use nix::sys::signal::{Signal, kill, killpg};
use nix::sys::wait::{WaitPidFlag, waitpid};
use nix::unistd::{Pid, SysconfVar, getsid, sysconf};

use super::control_group::ControlGroup;

/// Processes that may be followed from one; a program that starts more is not one that we measure.
const MOST: usize = 4096;

/// The most looks for the end of a tree, a millisecond apart.
const ROUNDS: usize = 200;

/// The most times that the processes are gone through, if some end meanwhile.
const ATTEMPTS: usize = 4;

/// The usage so far of a process and its descendants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    /// CPU time of all of them, those that have ended included, in nanoseconds; `None` if it is
    /// not known.
    pub(crate) cpu_ns: Option<u64>,
    /// Time that their threads were ready to run and had no core, in nanoseconds.
    pub(crate) delay_ns: u64,
    /// Peak resident memory, in bytes: the sum of those that are alive.
    pub(crate) peak_bytes: u64,
}

/// A supervisor and what is below it.
#[derive(Debug)]
pub(super) struct Tree {
    root: u32,
    group: Option<ControlGroup>,
    sum: RunningSum,
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
    /// Starts a supervisor; its worker joins the group by itself.
    pub(super) fn start(
        command: &mut Command,
        group: Option<ControlGroup>,
    ) -> std::io::Result<(Child, Tree)> {
        adopt_orphans();
        // Who looks for orphans must not take a root for one that is not known yet.
        let mut roots = ROOTS.lock().unwrap_or_else(PoisonError::into_inner);
        let child = command.spawn()?;
        roots.insert(child.id());
        let tree = Tree { root: child.id(), group, sum: RunningSum::default() };
        Ok((child, tree))
    }

    /// The worker itself, once its supervisor has started it.
    pub(super) fn worker(&self) -> Option<u32> {
        children(self.root).first().copied()
    }

    /// The usage of all of them. Without a group, CPU time of a process whose parent does not wait
    /// for it is known up to the last call.
    pub(super) fn usage(&mut self) -> Usage {
        let mut usage = Usage::default();
        for _ in 0..ATTEMPTS {
            let (found, complete) = self.go_through();
            usage = found;
            if complete {
                break;
            }
        }
        // The clocks of processes know what runs at this moment, the group what has ended.
        usage.cpu_ns = usage.cpu_ns.map(|told| self.sum.add(told));
        usage.cpu_ns = usage.cpu_ns.max(self.group.as_ref().and_then(ControlGroup::cpu_ns));
        usage
    }

    /// The usage of the processes; true if all of them were still there. Parents come first: the
    /// time of a child that ends meanwhile is never counted twice.
    fn go_through(&self) -> (Usage, bool) {
        let mut usage = Usage { cpu_ns: stat_of_ended_ns(self.root), ..Usage::default() };
        let mut complete = true;
        for &pid in &below(self.root)[1..] {
            let cpu_ns = cpu_ns(pid);
            complete &= cpu_ns.is_some();
            usage.cpu_ns = usage.cpu_ns.map(|sum| sum + cpu_ns.unwrap_or(0));
            usage.delay_ns += delay_ns(pid);
            usage.peak_bytes += peak_bytes(pid);
        }
        (usage, complete)
    }

    /// Ends all but the supervisor, and waits a moment for them to be gone. That one is ended and
    /// buried by whoever started it. Processes that start others while they are being ended are met
    /// again.
    pub(super) fn kill(&self) {
        for _ in 0..ROUNDS {
            let members = below(self.root).split_off(1);
            if members.is_empty() {
                break;
            }
            for pid in members {
                let _ = kill(pid_of(pid), Signal::SIGKILL);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        if !cfg!(target_os = "linux") {
            let _ = killpg(pid_of(self.root), Signal::SIGKILL);
        }
    }

    /// Ends what has escaped from a supervisor that was killed before its worker: children of this
    /// process in another session, where none of its own gets.
    pub(super) fn kill_orphans(&self) {
        let mut roots = ROOTS.lock().unwrap_or_else(PoisonError::into_inner);
        roots.remove(&self.root);
        for _ in 0..ROUNDS {
            let mut orphans = children(std::process::id());
            orphans
                .retain(|pid| !roots.contains(pid) && getsid(Some(pid_of(*pid))) != getsid(None));
            if orphans.is_empty() {
                break;
            }
            for pid in orphans {
                let _ = kill(pid_of(pid), Signal::SIGKILL);
                let _ = waitpid(pid_of(pid), Some(WaitPidFlag::WNOHANG));
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// CPU time as it is told again and again, made to grow. It falls where a process has ended whose
/// parent did not wait for it: what it had used stays counted.
#[derive(Debug, Default)]
struct RunningSum {
    most: u64,
    lost: u64,
}

impl RunningSum {
    /// Times of ended processes are told in ticks, one count for the user's and one for the
    /// system's: a sum that falls by less has lost nothing.
    const ROUNDING: u64 = 20_000_000;

    fn add(&mut self, told: u64) -> u64 {
        let now = told + self.lost;
        if now + RunningSum::ROUNDING < self.most {
            self.lost += self.most - now;
        }
        self.most = self.most.max(told + self.lost);
        self.most
    }
}

pub(super) fn pid_of(pid: u32) -> Pid {
    Pid::from_raw(i32::try_from(pid).unwrap_or(i32::MAX))
}

/// A process and its descendants, parents first.
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
pub(super) fn children(pid: u32) -> Vec<u32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else { return Vec::new() };
    let lists =
        threads.flatten().filter_map(|t| fs::read_to_string(t.path().join("children")).ok());
    lists.flat_map(|list| numbers(&list)).collect()
}

fn numbers(text: &str) -> Vec<u32> {
    text.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

/// CPU time of a process, and of its children that have ended and that it waited for; `None` if it
/// is gone.
#[cfg(target_os = "linux")]
fn cpu_ns(pid: u32) -> Option<u64> {
    use nix::time::{ClockId, clock_gettime};
    let ended = stat_of_ended_ns(pid)?;
    let time = ClockId::pid_cpu_clock_id(pid_of(pid)).and_then(clock_gettime).ok()?;
    Some(time.tv_sec() as u64 * 1_000_000_000 + time.tv_nsec() as u64 + ended)
}

#[cfg(not(target_os = "linux"))]
fn cpu_ns(_: u32) -> Option<u64> {
    None
}

/// Time that the threads of a process waited for a core.
fn delay_ns(pid: u32) -> u64 {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else { return 0 };
    threads.flatten().filter_map(|thread| thread_delay_ns(&thread.path())).sum()
}

/// Time that this thread waited for a core so far, in nanoseconds; 0 if it is not known.
pub(super) fn own_delay_ns() -> u64 {
    thread_delay_ns(Path::new("/proc/thread-self")).unwrap_or(0)
}

/// The second field of the `schedstat` of a thread.
fn thread_delay_ns(thread: &Path) -> Option<u64> {
    let text = fs::read_to_string(thread.join("schedstat")).ok()?;
    text.split_whitespace().nth(1)?.parse().ok()
}

fn peak_bytes(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) << 10
}

/// CPU time of the children of a process that have ended and that it waited for, by
/// `/proc/<pid>/stat` (proc(5)); `None` if it is gone.
fn stat_of_ended_ns(pid: u32) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name, in brackets, may hold anything; what follows it are numbers: field 3 is the first.
    let fields: Vec<&str> = text[text.rfind(')')? + 1..].split_whitespace().collect();
    let field = |number: usize| fields.get(number - 3).and_then(|f| f.parse::<u64>().ok());
    let ticks = field(16)? + field(17)?;
    let per_second = sysconf(SysconfVar::CLK_TCK).ok().flatten().unwrap_or(100).max(1) as u64;
    Some(ticks * 1_000_000_000 / per_second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_of_processes_that_nobody_waited_for_stays_counted() {
        let ms = 1_000_000;
        let mut sum = RunningSum::default();
        assert_eq!(sum.add(300 * ms), 300 * ms);
        // A child that had used 290 ms is gone.
        assert_eq!(sum.add(10 * ms), 300 * ms);
        assert_eq!(sum.add(50 * ms), 340 * ms);
        // Ticks are cut off.
        assert_eq!(sum.add(45 * ms), 340 * ms);
        assert_eq!(sum.add(55 * ms), 345 * ms);
    }
}
