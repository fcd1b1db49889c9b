//! How long work is done: without the interpreter's lock, with an eye on Ctrl-C, and never by a
//! panic that Python sees.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use pyo3::prelude::*;

use crate::errors::fault;

/// Does something; a panic is an exception.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| fault())
}

/// Does something without the interpreter's lock; a panic is an exception.
pub(crate) fn unlocked<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| guarded(work))
}

/// How long work goes on before Ctrl-C is looked for, where it can stop between two of its parts.
const SLICE: Duration = Duration::from_millis(50);

/// Does so many things without the interpreter's lock, some at a time: `part` is told how many were
/// done, and how many are next.
pub(crate) fn in_slices(
    py: Python<'_>,
    all: u64,
    mut part: impl FnMut(u64, u64) + Send,
) -> PyResult<()> {
    let (mut done, mut count) = (0, 1);
    while done < all {
        count = count.min(all - done);
        let start = Instant::now();
        unlocked(py, || part(done, count))?;
        done += count;
        count = if start.elapsed() < SLICE { count * 2 } else { (count / 2).max(1) };
        py.check_signals()?;
    }
    Ok(())
}

/// How often Ctrl-C is looked for.
const TICK: Duration = Duration::from_millis(50);

/// The size of the stack, that of the main thread.
const STACK: usize = 8 << 20;

/// Does something that cannot be stopped in the middle, on a thread of its own. On Ctrl-C the call
/// ends at once; the thread ends when it is done, unheard.
pub(crate) fn aside<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (send, receive) = channel();
    let thread = std::thread::Builder::new().stack_size(STACK);
    thread.spawn(move || {
        // Nobody may listen any more.
        let _ = send.send(work());
    })?;
    let mut receive = receive;
    loop {
        let (answer, back) = py.detach(move || (receive.recv_timeout(TICK), receive));
        receive = back;
        match answer {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => return Err(fault()),
        }
    }
}
