//! A child process that cannot harm the harness: its pipes never block us, what it writes is
//! bounded, and whatever it started counts as its own and ends with it.

mod control_group;
mod supervisor;
mod tree;

use std::io::{ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

pub(crate) use control_group::{ControlGroup, join};
pub(crate) use supervisor::supervise;
use tree::{Tree, own_delay_ns};
pub(crate) use tree::{Usage, kill_all};

/// Longest line that a process may answer with, in bytes.
const LONGEST_LINE: usize = 64 << 20;

/// Bytes of what a process last wrote to standard error that are kept for the reason of its end.
const COMPLAINTS: usize = 16 << 10;

/// The interval at which a silent process is looked at: it may have ended although a child of it
/// keeps its output open.
const LOOK: Duration = Duration::from_millis(50);

/// By the clock an answer may take so many times its patience, for a machine that is so busy.
pub(crate) const BUSY: u32 = 20;

/// The time that a process that closed its output may take to end.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// A running program that is spoken to line by line.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    tree: Tree,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    /// Output that nobody has taken yet.
    unread: Vec<u8>,
    complaints: Vec<u8>,
    /// The time that this thread had waited for a core when it last looked.
    own_delay: u64,
}

/// The reason why a process gave no answer.
#[derive(Debug)]
pub(crate) enum NoAnswer {
    /// The time was up: what has passed by the clock, and what it has used meanwhile.
    Timeout { elapsed: Duration, used: Option<Duration> },
    /// It ended, or closed its output.
    Ended,
    /// It wrote a line that nobody asked for: how it begins.
    Unasked(String),
    /// Its line is longer than any answer may be.
    TooLong,
    /// The operating system refused to read or write.
    Broken(std::io::Error),
}

impl Process {
    /// Starts a supervised program, with pipes to and from it; `group` is the one that it joins.
    pub(crate) fn start(
        mut command: Command,
        group: Option<ControlGroup>,
    ) -> std::io::Result<Process> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let (mut child, tree) = Tree::start(&mut command, group)?;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let process = Process {
            child,
            tree,
            stdin,
            stdout,
            stderr,
            unread: Vec::new(),
            complaints: Vec::new(),
            own_delay: 0,
        };
        for pipe in [
            process.stdin.as_ref().map(AsFd::as_fd),
            process.stdout.as_ref().map(AsFd::as_fd),
            process.stderr.as_ref().map(AsFd::as_fd),
        ]
        .into_iter()
        .flatten()
        {
            fcntl(pipe, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        }
        Ok(process)
    }

    /// Its process id.
    pub(crate) fn id(&self) -> u32 {
        self.tree.worker().unwrap_or_else(|| self.child.id())
    }

    /// The usage so far of it and everything that it started, as the operating system counts.
    pub(crate) fn usage(&mut self) -> Usage {
        self.tree.usage()
    }

    /// The time that this thread waited for a core until the last answer.
    pub(crate) fn own_delay_ns(&self) -> u64 {
        own_delay_ns().saturating_sub(self.own_delay)
    }

    /// Sends a line and waits for a line. Reading and writing take turns as the pipes allow, so
    /// that a program that does not read what it is sent, or writes without end, costs time and
    /// nothing else. Patience ends when the program has used that much CPU time for its answer, so
    /// that others on the machine take none of it, or by the clock after [`BUSY`] times as much.
    pub(crate) fn exchange(&mut self, line: &[u8], patience: Duration) -> Result<String, NoAnswer> {
        let start = Instant::now();
        let mut looked = start;
        // By the first look: to look takes longer than many an answer.
        let mut used_before = None;
        self.own_delay = own_delay_ns();
        // Where its supervisor is gone, nobody sees what it uses, whoever answers.
        if matches!(self.child.try_wait(), Ok(Some(_))) {
            return Err(NoAnswer::Ended);
        }
        self.listen()?;
        if !self.unread.is_empty() {
            return Err(NoAnswer::Unasked(excerpt(&self.unread)));
        }
        let mut rest = line;
        let mut searched = 0;
        loop {
            rest = self.send(rest);
            self.listen()?;
            if let Some(end) = self.unread[searched..].iter().position(|&byte| byte == b'\n') {
                let end = searched + end;
                let answer = String::from_utf8_lossy(&self.unread[..end]).into_owned();
                self.unread.drain(..=end);
                if !rest.is_empty() {
                    return Err(NoAnswer::Unasked(excerpt(answer.as_bytes())));
                }
                return Ok(answer);
            }
            searched = self.unread.len();
            if searched > LONGEST_LINE {
                return Err(NoAnswer::TooLong);
            }
            if self.stdout.is_none() {
                return Err(NoAnswer::Ended);
            }
            let silent = !self.wait(LOOK.min(patience), !rest.is_empty())?;
            if silent || looked.elapsed() >= LOOK {
                looked = Instant::now();
                let (elapsed, now) = (start.elapsed(), self.tree.usage().cpu_ns);
                let before = *used_before.get_or_insert(now);
                let used = now.zip(before).map(|(now, before)| now.saturating_sub(before));
                let used = used.map(Duration::from_nanos);
                if is_over(patience, elapsed, used) {
                    return Err(NoAnswer::Timeout { elapsed, used });
                }
                self.own_delay = own_delay_ns();
            }
            if silent && matches!(self.child.try_wait(), Ok(Some(_))) {
                // It ended, and its output may be held open by a child: what is there is all.
                self.listen()?;
                if !self.unread[searched..].contains(&b'\n') {
                    return Err(NoAnswer::Ended);
                }
            }
        }
    }

    /// Writes what the pipe takes; the rest.
    fn send<'l>(&mut self, mut line: &'l [u8]) -> &'l [u8] {
        while let Some(stdin) = self.stdin.as_mut().filter(|_| !line.is_empty()) {
            match stdin.write(line) {
                Ok(written) => line = &line[written..],
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // It does not read any more: its answer, or its end, says why.
                Err(_) => self.stdin = None,
            }
        }
        if self.stdin.is_none() { &[] } else { line }
    }

    /// Takes in what is there of output and complaints.
    fn listen(&mut self) -> Result<(), NoAnswer> {
        let most = LONGEST_LINE + 1;
        if let Some(stdout) = &mut self.stdout
            && take_in(stdout, &mut self.unread, most).map_err(NoAnswer::Broken)?
        {
            self.stdout = None;
        }
        if let Some(stderr) = &mut self.stderr {
            let all = self.complaints.len() + (4 << 20);
            if take_in(stderr, &mut self.complaints, all).unwrap_or(true) {
                self.stderr = None;
            }
            let surplus = self.complaints.len().saturating_sub(COMPLAINTS);
            self.complaints.drain(..surplus);
        }
        Ok(())
    }

    /// Waits until a pipe has something for us; false if none has in this time.
    fn wait(&self, time: Duration, writing: bool) -> Result<bool, NoAnswer> {
        let mut pipes: Vec<PollFd<'_>> = Vec::with_capacity(3);
        if writing && let Some(stdin) = &self.stdin {
            pipes.push(PollFd::new(stdin.as_fd(), PollFlags::POLLOUT));
        }
        if let Some(stdout) = &self.stdout {
            pipes.push(PollFd::new(stdout.as_fd(), PollFlags::POLLIN));
        }
        if let Some(stderr) = &self.stderr {
            pipes.push(PollFd::new(stderr.as_fd(), PollFlags::POLLIN));
        }
        let time = PollTimeout::try_from(time.max(Duration::from_millis(1)))
            .unwrap_or(PollTimeout::from(50u16));
        match poll(&mut pipes, time) {
            Ok(ready) => Ok(ready > 0),
            Err(nix::errno::Errno::EINTR) => Ok(true),
            Err(error) => Err(NoAnswer::Broken(error.into())),
        }
    }

    /// The exit status of the process, and its last words on standard error. Waits a little for the
    /// end of a process that closed its output.
    pub(crate) fn last_words(&mut self) -> (String, String) {
        let deadline = Instant::now() + LAST_WORDS;
        let status = loop {
            let _ = self.listen();
            match self.child.try_wait() {
                Ok(Some(status)) => break status.to_string(),
                Ok(None) if Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                _ => break "it closed its output".to_owned(),
            }
        };
        let _ = self.listen();
        (status, String::from_utf8_lossy(&self.complaints).into_owned())
    }

    /// Ends it and everything that it started.
    pub(crate) fn kill(&mut self) {
        self.tree.kill();
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.tree.kill_orphans();
    }
}

impl Drop for Process {
    /// The end of its input tells it to go; if it does not, it is made to.
    fn drop(&mut self) {
        drop(self.stdin.take());
        let deadline = Instant::now() + Duration::from_millis(200);
        while Instant::now() < deadline && matches!(self.child.try_wait(), Ok(None)) {
            // It may be writing still, to a pipe that is full.
            self.unread.clear();
            let _ = self.listen();
            std::thread::sleep(Duration::from_millis(1));
        }
        self.kill();
    }
}

/// True if an answer has taken too long: by what was used for it, or by the clock alone where that
/// is not known. Several threads that run at once do not make patience shorter.
fn is_over(patience: Duration, elapsed: Duration, used: Option<Duration>) -> bool {
    elapsed >= patience && used.is_none_or(|used| used >= patience) || elapsed >= patience * BUSY
}

/// Reads what a pipe has, at most so that `all` holds `most`; true at its end.
fn take_in(pipe: &mut impl Read, all: &mut Vec<u8>, most: usize) -> std::io::Result<bool> {
    let mut part = [0; 16 << 10];
    while all.len() < most {
        match pipe.read(&mut part) {
            Ok(0) => return Ok(true),
            Ok(read) => all.extend_from_slice(&part[..read]),
            Err(error) if error.kind() == ErrorKind::WouldBlock => break,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(false)
}

/// The beginning of a text.
fn excerpt(text: &[u8]) -> String {
    String::from_utf8_lossy(&text[..text.len().min(400)]).trim_end().chars().take(120).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_is_cpu_time_within_bounds_of_the_clock() {
        let seconds = Duration::from_secs;
        let over = |elapsed, used: Option<u64>| {
            is_over(seconds(10), seconds(elapsed), used.map(Duration::from_secs))
        };
        assert!(!over(9, Some(9)) && over(10, Some(10)));
        // Others have the core.
        assert!(!over(150, Some(9)) && over(150, Some(10)));
        // It sleeps, or is stopped.
        assert!(!over(199, Some(0)) && over(200, Some(0)));
        // Eight threads.
        assert!(!over(9, Some(72)) && over(10, Some(80)));
        // The system does not tell.
        assert!(!over(9, None) && over(10, None));
    }
}
