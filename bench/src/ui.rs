//! Progress on the terminal: a bar where there is one, plain lines where there is not. Names and
//! reasons in it come from foreign files, and are made printable.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use reports::text::{printable, printable_lines};

/// Shows what is going on, on standard error; results go to standard output.
pub(crate) struct Ui {
    bar: Option<ProgressBar>,
    /// When the last plain line about progress was printed.
    last: Mutex<Instant>,
    quiet: bool,
}

/// Plain progress lines come at most this often.
const PLAIN_EVERY: Duration = Duration::from_secs(10);

impl Ui {
    /// A display of `total` steps under a heading.
    pub(crate) fn new(heading: &str, total: u64, quiet: bool) -> Ui {
        let bar = (std::io::stderr().is_terminal() && !quiet).then(|| {
            let bar = ProgressBar::new(total);
            let style = ProgressStyle::with_template(
                "{prefix:>10} {bar:30.cyan/dim} {pos}/{len} {elapsed_precise} (left {eta}) {wide_msg}",
            );
            if let Ok(style) = style {
                bar.set_style(style);
            }
            bar.set_prefix(heading.to_owned());
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        if bar.is_none() && !quiet {
            errln!("{heading} ...");
        }
        Ui { bar, last: Mutex::new(Instant::now()), quiet }
    }

    /// Some steps further, with what is going on now.
    pub(crate) fn step(&self, steps: u64, message: &str) {
        if let Some(bar) = &self.bar {
            bar.inc(steps);
            bar.set_message(printable(message).to_string());
        } else if !self.quiet
            && let Ok(mut last) = self.last.lock()
            && last.elapsed() > PLAIN_EVERY
        {
            errln!("  {message}");
            *last = Instant::now();
        }
    }

    /// A line that stays.
    pub(crate) fn line(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.println(printable_lines(text)),
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
