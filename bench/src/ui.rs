//! Progress on the terminal: a bar where there is one, plain lines where there is not. Names and
//! reasons in it come from foreign files, and are made printable.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressState, ProgressStyle};
use reports::text::{clipped, printable, printable_lines, wrapped};

use crate::output;

/// Shows what is going on, on standard error; results go to standard output.
pub(crate) struct Ui {
    bar: Option<ProgressBar>,
    plain: Mutex<Plain>,
    quiet: bool,
}

/// The progress, if there is no bar.
struct Plain {
    done: u64,
    total: u64,
    /// The time at which the last line was printed.
    last: Instant,
}

/// Plain progress lines come at most this often.
const PLAIN_EVERY: Duration = Duration::from_secs(10);

/// Columns that the bar and its figures take beside the message.
const BESIDE: u16 = 52;

impl Ui {
    /// A display of `total` steps under a heading.
    pub(crate) fn new(heading: &str, total: u64, quiet: bool) -> Ui {
        let bar = (std::io::stderr().is_terminal() && !quiet).then(|| {
            let bar = ProgressBar::new(total);
            bar.set_style(style());
            bar.set_prefix(heading.to_owned());
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        if bar.is_none() && !quiet {
            errln!("{heading} ...");
        }
        Ui { bar, plain: Mutex::new(Plain { done: 0, total, last: Instant::now() }), quiet }
    }

    /// Some steps further, with what is going on now. There are never more steps than the total.
    pub(crate) fn step(&self, steps: u64, message: &str) {
        let Ok(mut plain) = self.plain.lock() else { return };
        plain.done = plain.total.min(plain.done.saturating_add(steps));
        if let Some(bar) = &self.bar {
            bar.set_position(plain.done);
            let message = printable(message);
            let room = output::error_width().map(|width| width.saturating_sub(BESIDE).max(10));
            bar.set_message(
                room.map_or_else(|| message.to_string(), |room| clipped(&message, room)),
            );
        } else if !self.quiet && plain.last.elapsed() > PLAIN_EVERY {
            errln!("  {}/{} {message}", plain.done, plain.total);
            plain.last = Instant::now();
        }
    }

    /// More steps than was known at first.
    pub(crate) fn expect_more(&self, steps: u64) {
        let Ok(mut plain) = self.plain.lock() else { return };
        plain.total = plain.total.saturating_add(steps);
        if let Some(bar) = &self.bar {
            bar.set_length(plain.total);
        }
    }

    /// A line that stays. Where it is too long it breaks at spaces, but for no-break spaces.
    pub(crate) fn line(&self, text: &str) {
        let text = printable_lines(text);
        let text = match output::error_width() {
            Some(width) => wrapped(&text, width),
            None => text.replace('\u{a0}', " "),
        };
        match &self.bar {
            Some(bar) => bar.println(text),
            None if !self.quiet => errln!("{text}"),
            None => {}
        }
    }

    /// Removes the bar.
    pub(crate) fn finish(self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// A bar that leaves room for a message in 80 columns.
fn style() -> ProgressStyle {
    let template = "{prefix:>7} {bar:16.cyan/dim} {pos}/{len} {elapsed}{left}  {wide_msg}";
    let left = |state: &ProgressState, out: &mut dyn std::fmt::Write| {
        // Nothing is known before the first step, and nothing is left after the last.
        let left = state.eta();
        if state.pos() > 0 && left >= Duration::from_secs(1) {
            let _ = write!(out, ", {:#} left", HumanDuration(left));
        }
    };
    let style = ProgressStyle::with_template(template);
    style.unwrap_or_else(|_| ProgressStyle::default_bar()).with_key("left", left)
}
