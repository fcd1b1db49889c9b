//! The protocol: time and number of measurements.

use std::time::Duration;

/// Processes below which there is no interval worth printing.
pub(super) const FEWEST_PROCESSES: u32 = 3;

/// The time and the number of the measurements of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Protocol {
    /// Length that a sample is calibrated to.
    pub sample: Duration,
    /// Worker processes of each column, each on another visit.
    pub processes: u32,
    /// Samples of each process.
    pub rounds: u32,
    /// A column whose single playouts exceed the sample stops after about this long.
    pub longest: Duration,
    /// Most samples that a process spends on warming up, calibration apart.
    pub warmups: u32,
}

impl Protocol {
    /// A few minutes for a whole table: five processes with two samples of 30 ms.
    pub const QUICK: Protocol = Protocol {
        sample: Duration::from_millis(30),
        processes: 5,
        rounds: 2,
        longest: Duration::from_secs(4),
        warmups: 2,
    };

    /// The paper's ten minutes a cell: twenty processes with three samples of ten seconds.
    pub const PAPER: Protocol = Protocol {
        sample: Duration::from_secs(10),
        processes: 20,
        rounds: 3,
        longest: Duration::from_mins(10),
        warmups: 3,
    };

    /// The time of the samples of a column; warming up comes on top.
    pub fn sampling(&self) -> Duration {
        self.sample * self.processes * self.rounds
    }

    /// So many seconds of samples for each column.
    pub fn seconds(seconds: f64) -> Protocol {
        let total = Duration::from_secs_f64(seconds.clamp(0.05, 1e6));
        let processes = match total.as_secs() {
            0..10 => 5,
            10..60 => 10,
            _ => 20,
        };
        let rounds = (total.as_millis() / u128::from(processes) / 100).clamp(2, 10) as u32;
        let sample = total / (processes * rounds);
        Protocol { sample, processes, rounds, longest: total * 2, warmups: 3 }
    }

    /// With other numbers of processes and rounds, and as much more time as they need.
    #[must_use]
    pub fn with(self, processes: Option<u32>, rounds: Option<u32>) -> Protocol {
        let processes = processes.unwrap_or(self.processes).max(1);
        let rounds = rounds.unwrap_or(self.rounds).max(1);
        let needed = self.sample.saturating_mul(processes.saturating_mul(rounds)).saturating_mul(2);
        Protocol { processes, rounds, longest: self.longest.max(needed), ..self }
    }

    /// Longest time of a process's samples that leaves time for the other processes.
    pub(super) fn most(&self) -> Duration {
        self.longest / self.processes.max(FEWEST_PROCESSES)
    }

    /// The numbers of the rounds that belong to a process.
    pub(super) fn rounds_of(&self, process: u32) -> std::ops::Range<u32> {
        let first = process.saturating_mul(self.rounds);
        first..first.saturating_add(self.rounds)
    }
}

impl std::str::FromStr for Protocol {
    type Err = String;

    fn from_str(s: &str) -> Result<Protocol, String> {
        match s {
            "quick" => Ok(Protocol::QUICK),
            "paper" => Ok(Protocol::PAPER),
            _ => match s.trim_end_matches('s').parse::<f64>() {
                Ok(seconds) if seconds > 0.0 => Ok(Protocol::seconds(seconds)),
                _ => {
                    let hint = text::did_you_mean(s, ["quick", "paper"]);
                    Err(format!("expected `quick`, `paper` or a number of seconds a cell{hint}"))
                }
            },
        }
    }
}
