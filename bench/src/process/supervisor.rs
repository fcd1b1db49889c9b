//! The process between the harness and a worker. It is the subreaper (prctl(2)) of all that the
//! worker starts: whoever loses its parent becomes its child, so that each descendant of a worker
//! is found below its supervisor, whatever session, group and environment it chooses. It waits for
//! those that end, which keeps their CPU time, and ends as the worker does.

use std::convert::Infallible;
use std::fs::File;
use std::io;
use std::process::Command;

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill, raise};
use nix::sys::wait::{WaitStatus, wait};
use nix::unistd::{dup2_stderr, dup2_stdin, dup2_stdout, setsid};

use super::tree::{adopt_orphans, children, pid_of};

/// Runs a program in a session of its own and ends as it does, after all that it started. Returns
/// only where it cannot be started.
pub(crate) fn supervise(command: &[String]) -> io::Result<Infallible> {
    let Some((program, arguments)) = command.split_first() else {
        return Err(io::Error::other("the command is empty"));
    };
    // No descendant gets back into the session of the harness, nor at its terminal.
    let _ = setsid();
    adopt_orphans();
    // A worker in the middle of a long answer does not see that the harness was killed.
    #[cfg(target_os = "linux")]
    nix::sys::prctl::set_pdeathsig(Signal::SIGKILL)?;
    // Whatever ends is waited for below, this one included.
    #[allow(clippy::zombie_processes)]
    let worker = Command::new(program).args(arguments).spawn()?.id();
    // The pipes are the worker's: that they close must be seen on the other side.
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    dup2_stdin(&nothing)?;
    dup2_stdout(&nothing)?;
    dup2_stderr(&nothing)?;
    let status = loop {
        match wait() {
            Ok(status) if status.pid() == Some(pid_of(worker)) => break status,
            Ok(_) | Err(Errno::EINTR) => {}
            Err(error) => return Err(error.into()),
        }
    };
    end_the_rest();
    match status {
        WaitStatus::Exited(_, code) => std::process::exit(code),
        WaitStatus::Signaled(_, signal, _) => {
            // The first time is for the handler of stack overflows, which takes itself away.
            let _ = raise(signal);
            let _ = raise(signal);
            std::process::exit(128 + signal as i32)
        }
        _ => std::process::exit(1),
    }
}

/// Ends what the worker left behind; children of those that end become ours.
fn end_the_rest() {
    loop {
        for pid in children(std::process::id()) {
            let _ = kill(pid_of(pid), Signal::SIGKILL);
        }
        match wait() {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(_) => return,
        }
    }
}
