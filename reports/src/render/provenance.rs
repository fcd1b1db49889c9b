//! The provenance of figures, in sentences for a caption: machine, revision and protocol.

use crate::format;
use crate::stats::LEVEL;
use crate::table::{Figures, Table};
use crate::text::printable;

/// The words of a machine's description for a working tree that is not the revision's.
const CHANGED: &str = "changed since";

/// Machine, revision, compiler and seed, as far as a machine's description tells them; `None` where
/// it tells none.
pub(super) fn machine(description: &str) -> Option<String> {
    let all = |key: &str| joined(values(description, key));
    let mut parts = Vec::new();
    if let Some(date) = date(description) {
        parts.push(format!("measured on {date}"));
    }
    if let Some(cpu) = all("cpu") {
        let cores = all("cores available");
        let cores = cores.map_or_else(String::new, |cores| format!(" ({cores} cores available)"));
        parts.push(format!("machine {cpu}{cores}"));
    }
    if let Some(revision) = all("git revision") {
        let tree = all("working tree").unwrap_or_default();
        let changed = if tree.contains(CHANGED) { " with local changes" } else { "" };
        parts.push(format!("ggpbench revision {revision}{changed}"));
    }
    // What stands in brackets is the compiler's own revision.
    if let Some(compiler) = all("compiler") {
        let name = compiler.split(" (").next().unwrap_or_default();
        parts.push(name.to_owned());
    }
    parts.extend(all("seed").map(|seed| format!("seed {seed}")));
    let mut text = parts.join(", ");
    // The first letter begins a sentence.
    if let Some(first) = text.get(..1) {
        text.replace_range(..1, &first.to_uppercase());
    }
    (!text.is_empty()).then_some(text + ".")
}

/// Date and time at which a run began, or each where it has several parts; `None` where the
/// description tells none, as in old runs.
pub(super) fn begun(description: &str) -> Option<String> {
    joined(values(description, "date"))
}

/// The day on which a run began, or each where its parts began on several.
fn date(description: &str) -> Option<String> {
    let mut days: Vec<&str> = values(description, "date");
    days.iter_mut().for_each(|date| *date = date.split(' ').next().unwrap_or_default());
    days.dedup();
    joined(days)
}

/// The values that a description gives for a key: one value, or in a run of several machines more,
/// each once.
fn values<'d>(description: &'d str, key: &str) -> Vec<&'d str> {
    let mut values: Vec<&str> = Vec::new();
    for line in description.lines() {
        let value = line.strip_prefix(key).and_then(|rest| rest.strip_prefix(':')).map(str::trim);
        if let Some(value) = value.filter(|value| !value.is_empty() && !values.contains(value)) {
            values.push(value);
        }
    }
    values
}

fn joined(values: Vec<&str>) -> Option<String> {
    let text = printable(&values.join(" and ")).into_owned();
    (!text.is_empty()).then_some(text)
}

/// The protocol of the measurements, and the meaning of the intervals; `None` if nothing was
/// measured.
pub(super) fn protocol(table: &Table) -> Option<String> {
    let figures = || table.cells().filter_map(|(.., cell)| cell.figures());
    let range = |of: fn(&Figures) -> usize| {
        let least = figures().map(of).min()?;
        let most = figures().map(of).max()?;
        let text = if least == most { most.to_string() } else { format!("{least} to {most}") };
        Some((text, most))
    };
    let (processes, most) = range(Figures::processes)?;
    let (samples, most_samples) = range(|figures| figures.samples)?;
    let mut seconds: Vec<u64> = figures().map(|figures| figures.cpu_ns).collect();
    seconds.sort_unstable();
    let median = format::duration(seconds[seconds.len() / 2]);
    let plural = |count: usize| if count == 1 { "" } else { "es" };
    let intervals = if most > 1 {
        "from the spread between processes, of which the median is given"
    } else {
        "of a bootstrap over rounds"
    };
    Some(format!(
        "Each figure is of {processes} process{} in {samples} sample{}, {median} of CPU time in \
         the median, after warm-up; {:.0} % intervals {intervals}.",
        plural(most),
        if most_samples == 1 { "" } else { "s" },
        100.0 * LEVEL,
    ))
}

#[cfg(test)]
mod tests {
    use super::{date, machine};

    #[test]
    fn a_machine_in_one_sentence() {
        let text = "cpu: Example 9000\ncores available: 2\ngit revision: abc\nworking tree: \
            changed since\ncompiler: rustc 1.95.0 (59807616e 2026-04-14)\nseed: 1\n";
        assert_eq!(
            machine(text).unwrap(),
            "Machine Example 9000 (2 cores available), ggpbench revision abc with local changes, \
             rustc 1.95.0, seed 1."
        );
        assert_eq!(machine("governor: performance\n"), None);
        let dated = "date: 2026-11-28 21:40:00 UTC\ncpu: A\n\ndate: 2026-11-28 23:00:00 UTC\n";
        assert_eq!(date(dated).unwrap(), "2026-11-28");
        assert_eq!(machine(dated).unwrap(), "Measured on 2026-11-28, machine A.");
        let committed = "git revision: abc\nworking tree: as committed\n";
        assert_eq!(machine(committed).unwrap(), "Ggpbench revision abc.");
        // A run of several machines, one of whose builds was changed.
        let mixed = machine(&format!("{committed}\nworking tree: changed since\n")).unwrap();
        assert_eq!(mixed, "Ggpbench revision abc with local changes.");
        assert_eq!(
            machine(&format!("{}{}", "cpu: A\n", "cpu: é\ncpu: A\n")).unwrap(),
            "Machine A and é."
        );
    }
}
