//! Rates and ratios with their uncertainty, from the processes that measured them.

use super::{Bootstrap, Estimate, Interval, Ratio, student};

/// A positive statistic with its uncertainty. Statistics combine first and give their interval
/// last.
///
/// Where several processes measured it, the unit that repeats is the process: each process has its
/// own layout of memory and its own neighbours, and rounds inside one process share both (Kalibera
/// and Jones, "Rigorous Benchmarking in Reasonable Time", 2013: repeat at the highest level that
/// varies). The value is then the median of the processes, their logarithms have a variance, and
/// the interval is Student's. Where one process measured it, nothing but the rounds repeats, and
/// the interval is a bootstrap over these.
#[derive(Debug, Clone, PartialEq)]
pub enum Statistic {
    /// From one process: a bootstrap over its rounds.
    Resampled(Bootstrap),
    /// From several processes.
    Replicated(LogNormal),
}

/// A statistic whose logarithm is nearly normal: its value, and the variance of the logarithm with
/// the degrees of freedom that this variance was estimated with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LogNormal {
    value: f64,
    /// Variance of the logarithm of `value`.
    variance: f64,
    /// Degrees of freedom of `variance`; infinite for a variance that is known.
    freedom: f64,
}

/// Standard error of the logarithm of a rate that a run of [`DRIFT_PROCESSES`] processes or fewer
/// does not see: machines change speed more slowly than that. `bench/coverage` has the measurement:
/// twenty runs in seven minutes on a quiet virtual machine, of which the last four were 5 % quicker
/// in all cells.
const QUIET_DRIFT: f64 = 0.02;

/// The same where something else kept the cores busy, which comes and goes: with two neighbours,
/// runs of ten seconds differ by 5 to 9 % from run to run.
const BUSY_DRIFT: f64 = 0.05;

/// The state of the machine while a rate was measured: busy if something else kept its cores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Machine {
    /// Nothing that showed.
    Quiet,
    /// Something did.
    Busy,
}

impl Machine {
    /// Standard error of the logarithm of a rate that few processes do not see.
    fn drift(self) -> f64 {
        match self {
            Self::Quiet => QUIET_DRIFT,
            Self::Busy => BUSY_DRIFT,
        }
    }
}

/// Processes that are measured while a machine keeps its speed. Where there are more, the slow
/// changes fall inside the run, and are part of the spread that it sees.
const DRIFT_PROCESSES: f64 = 5.0;

impl Statistic {
    /// The rate that processes measured: of each process, which is given by its rounds, the ratio
    /// of the sums; of several processes the median, since whatever disturbs a process only slows
    /// it. `stream` chooses the resamples where there is one process: quantities that are to be
    /// combined as independent need different streams.
    ///
    /// `None` without rounds.
    pub fn of_processes(processes: &[Vec<Ratio>], machine: Machine, stream: u64) -> Option<Self> {
        match processes {
            [] => None,
            [rounds] => Bootstrap::ratio_of_sums(rounds, stream).map(Self::Resampled),
            _ => {
                let each: Vec<f64> = processes.iter().map(quotient).collect();
                let unseen = (DRIFT_PROCESSES / each.len() as f64).min(1.0).sqrt();
                Some(Self::Replicated(LogNormal::of_median(each, machine.drift() * unseen)))
            }
        }
    }

    /// The ratio of sums of `other` over that of `base`, from the processes that both share: item
    /// `i` of each is the same visit, in which the two were measured in turn, so that what slows a
    /// visit cancels. Where there is one process, its rounds are shared in the same way.
    ///
    /// `None` without rounds.
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn paired_ratio(other: &[Vec<Ratio>], base: &[Vec<Ratio>], stream: u64) -> Option<Self> {
        assert_eq!(other.len(), base.len(), "paired processes");
        match (other, base) {
            ([], []) => None,
            ([other], [base]) => Bootstrap::paired_ratio(other, base, stream).map(Self::Resampled),
            _ => {
                let each: Vec<f64> =
                    other.iter().zip(base).map(|(o, b)| quotient(o) / quotient(b)).collect();
                // What slows the machine as a whole cancels.
                Some(Self::Replicated(LogNormal::of_median(each, 0.0)))
            }
        }
    }

    /// The ratio of two independent statistics. Two bootstraps must be of different streams.
    #[must_use]
    pub fn over(&self, base: &Self) -> Self {
        match (self, base) {
            (Self::Resampled(one), Self::Resampled(base)) => Self::Resampled(one.over(base)),
            _ => Self::Replicated(LogNormal::sum(
                self.value() / base.value(),
                &[self.log_normal(), base.log_normal()],
                1.0,
            )),
        }
    }

    /// The statistic in units of a constant.
    #[must_use]
    pub fn over_constant(&self, constant: f64) -> Self {
        match self {
            Self::Resampled(bootstrap) => Self::Resampled(bootstrap.over_constant(constant)),
            Self::Replicated(log_normal) => {
                Self::Replicated(LogNormal { value: log_normal.value / constant, ..*log_normal })
            }
        }
    }

    /// The geometric mean of independent statistics. Its interval tells the noise of measuring
    /// these, not the luck of having chosen them.
    ///
    /// `None` without items.
    pub fn geometric_mean(items: &[&Self]) -> Option<Self> {
        let bootstraps: Option<Vec<&Bootstrap>> = items
            .iter()
            .map(|item| match item {
                Self::Resampled(bootstrap) => Some(bootstrap),
                Self::Replicated(_) => None,
            })
            .collect();
        if let Some(bootstraps) = bootstraps {
            return Bootstrap::geometric_mean(&bootstraps).map(Self::Resampled);
        }
        let count = items.len() as f64;
        let value = (items.iter().map(|item| item.value().ln()).sum::<f64>() / count).exp();
        let parts: Vec<Option<LogNormal>> = items.iter().map(|item| item.log_normal()).collect();
        Some(Self::Replicated(LogNormal::sum(value, &parts, 1.0 / count)))
    }

    /// The value with its interval.
    pub fn estimate(&self) -> Estimate {
        match self {
            Self::Resampled(bootstrap) => bootstrap.estimate(),
            Self::Replicated(log_normal) => log_normal.estimate(),
        }
    }

    /// The probability that chance alone moves a ratio at least as far from 1 as this one, by
    /// Student's t test on its logarithm. `None` where nothing shows the spread.
    pub fn p_value(&self) -> Option<f64> {
        self.log_normal().map(|log_normal| log_normal.p_value())
    }

    fn value(&self) -> f64 {
        match self {
            Self::Resampled(bootstrap) => bootstrap.value(),
            Self::Replicated(log_normal) => log_normal.value,
        }
    }

    /// The moments of its logarithm; `None` for a single round.
    fn log_normal(&self) -> Option<LogNormal> {
        match self {
            Self::Resampled(bootstrap) => bootstrap.log_moments().map(|(variance, freedom)| {
                LogNormal { value: bootstrap.value(), variance, freedom: freedom as f64 }
            }),
            Self::Replicated(log_normal) => Some(*log_normal),
        }
    }
}

fn quotient<'r>(rounds: impl IntoIterator<Item = &'r Ratio>) -> f64 {
    let (numerator, denominator) =
        rounds.into_iter().fold((0.0, 0.0), |sum, round| (sum.0 + round.0, sum.1 + round.1));
    numerator / denominator
}

impl LogNormal {
    /// The median of two replicates or more. The variance of the median of a normal sample is up to
    /// pi / 2 times that of its mean (Kenney and Keeping, *Mathematics of Statistics*, 1962, part
    /// 1, section 13.13); `drift` is a standard error of the logarithm that replicates of one run
    /// have in common and hence do not show. It counts as known, so the degrees of freedom grow
    /// with its share (Satterthwaite, Biometrics Bulletin 2, 1946).
    fn of_median(mut replicates: Vec<f64>, drift: f64) -> Self {
        replicates.sort_by(f64::total_cmp);
        let count = replicates.len();
        let value = (replicates[(count - 1) / 2] * replicates[count / 2]).sqrt();
        let count = count as f64;
        let logs: Vec<f64> = replicates.iter().map(|replicate| replicate.ln()).collect();
        let mean = logs.iter().sum::<f64>() / count;
        let squares: f64 = logs.iter().map(|log| (log - mean).powi(2)).sum();
        let of_median = std::f64::consts::FRAC_PI_2 * squares / (count - 1.0) / count;
        let variance = of_median + drift * drift;
        let freedom = (count - 1.0) * (variance / of_median).powi(2);
        Self { value, variance, freedom: if of_median > 0.0 { freedom } else { f64::INFINITY } }
    }

    /// `value`, whose logarithm is a sum of independent parts, each times `factor` or less that:
    /// variances add, and the degrees of freedom are Welch's and Satterthwaite's (Welch, Biometrika
    /// 34, 1947). A part without spread counts as a constant.
    fn sum(value: f64, parts: &[Option<Self>], factor: f64) -> Self {
        let parts = || parts.iter().flatten();
        let variance: f64 = parts().map(|part| part.variance).sum();
        let shares: f64 = parts().map(|part| part.variance.powi(2) / part.freedom).sum();
        let freedom = if shares > 0.0 { variance.powi(2) / shares } else { f64::INFINITY };
        Self { value, variance: variance * factor * factor, freedom }
    }

    fn estimate(&self) -> Estimate {
        // Where nothing varies the degrees of freedom do not matter, and may be infinite.
        let half = if self.variance > 0.0 {
            student::quantile(self.freedom) * self.variance.sqrt()
        } else {
            0.0
        };
        let interval = Interval { low: self.value * (-half).exp(), high: self.value * half.exp() };
        Estimate { value: self.value, interval: Some(interval) }
    }

    fn p_value(&self) -> f64 {
        let log = self.value.ln();
        if self.variance > 0.0 {
            student::two_sided_tail(log / self.variance.sqrt(), self.freedom)
        } else if log == 0.0 {
            1.0
        } else {
            0.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bootstrap::Draws;
    use super::*;

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() <= 1e-9 * b.abs(), "{a} is not {b}");
    }

    /// Processes with these rates, two rounds each.
    fn processes(rates: &[f64]) -> Vec<Vec<Ratio>> {
        rates.iter().map(|&rate| vec![(rate, 1.0), (2.0 * rate, 2.0)]).collect()
    }

    #[test]
    fn the_interval_is_that_of_the_textbook() {
        // Logarithms 0, 1, 2 over three processes: variance 1, so the error of the mean is
        // sqrt(1/3), and Student's quantile 4.3027.
        let e = std::f64::consts::E;
        let rate = LogNormal::of_median(vec![1.0, e, e * e], 0.0).estimate();
        close(rate.value, e);
        let half = 4.302_652_73 * (std::f64::consts::FRAC_PI_2 / 3.0).sqrt();
        close(rate.high(), rate.value * half.exp());
        close(rate.low(), rate.value * (-half).exp());
    }

    #[test]
    fn what_a_run_does_not_see_is_a_known_part() {
        // Processes that agree, so that the quantile is that of the normal distribution.
        let rate = |count| {
            Statistic::of_processes(&processes(&vec![7.0; count]), Machine::Quiet, 0).unwrap()
        };
        let half = |count| (rate(count).estimate().high() / 7.0).ln();
        assert!((half(5) / (1.959_964 * QUIET_DRIFT) - 1.0).abs() < 1e-4, "{}", half(5));
        close(half(3), half(5));
        close(half(20), half(5) / 2.0);
        let busy = Statistic::of_processes(&processes(&[7.0; 5]), Machine::Busy, 0).unwrap();
        close((busy.estimate().high() / 7.0).ln(), half(5) * BUSY_DRIFT / QUIET_DRIFT);
    }

    #[test]
    fn rounds_inside_a_process_do_not_make_an_interval_narrower() {
        let few = processes(&[90.0, 110.0, 100.0]);
        let many: Vec<Vec<Ratio>> = few.iter().map(|rounds| rounds.repeat(50)).collect();
        let interval =
            |processes| Statistic::of_processes(processes, Machine::Quiet, 0).unwrap().estimate();
        close(interval(&few).high(), interval(&many).high());
        // One process knows only its rounds.
        let one = Statistic::of_processes(&few[..1], Machine::Quiet, 0).unwrap();
        assert!(matches!(one, Statistic::Resampled(_)));
        assert_eq!(Statistic::of_processes(&[], Machine::Quiet, 0), None);
    }

    #[test]
    fn what_slows_a_process_cancels_in_a_paired_ratio() {
        let base = processes(&[80.0, 40.0, 20.0]);
        let other = processes(&[240.0, 120.0, 60.0]);
        let paired = Statistic::paired_ratio(&other, &base, 0).unwrap();
        close(paired.estimate().low(), 3.0);
        close(paired.estimate().high(), 3.0);
        assert!(paired.p_value().unwrap() < 1e-9);
        let apart = Statistic::of_processes(&other, Machine::Quiet, 0)
            .unwrap()
            .over(&Statistic::of_processes(&base, Machine::Quiet, 1).unwrap());
        assert!(apart.estimate().low() < 1.0, "{apart:?}");
        assert!(apart.p_value().unwrap() > 0.05);
    }

    #[test]
    fn welch_agrees_with_the_equal_sized_textbook_case() {
        // Two samples of three with the same variance: the degrees of freedom are 4.
        let a = Statistic::Replicated(LogNormal::of_median(vec![1.0, 2.0, 4.0], 0.0));
        let ratio = a.over(&a);
        let Statistic::Replicated(log_normal) = ratio else { panic!("{ratio:?}") };
        close(log_normal.freedom, 4.0);
        let of_median = std::f64::consts::FRAC_PI_2 * 2.0_f64.ln().powi(2) / 3.0;
        close(log_normal.variance, 2.0 * of_median);
        close(log_normal.p_value(), 1.0);
    }

    #[test]
    fn means_take_statistics_of_either_kind() {
        let two = Statistic::of_processes(&processes(&[2.0, 2.0]), Machine::Quiet, 0).unwrap();
        let eight = Statistic::of_processes(&[vec![(8.0, 1.0)]], Machine::Quiet, 0).unwrap();
        let mean = Statistic::geometric_mean(&[&two, &eight]).unwrap().estimate();
        close(mean.value, 4.0);
        assert!(mean.low() < 4.0 && mean.low() > 3.8, "{mean:?}");
        let noisy =
            Statistic::of_processes(&processes(&[1.0, 2.0, 4.0]), Machine::Quiet, 0).unwrap();
        let of = |items: &[&Statistic]| Statistic::geometric_mean(items).unwrap().estimate();
        let width = |estimate: Estimate| (estimate.high() / estimate.low()).ln();
        assert!(width(of(&[&noisy, &noisy])) < width(of(&[&noisy])));
        assert_eq!(Statistic::geometric_mean(&[]), None);
    }

    /// Rates of processes that vary by 5 %, of rounds inside them by 1 %, on a machine that changes
    /// from run to run.
    fn measured(normal: &mut impl FnMut() -> f64) -> Vec<Vec<Ratio>> {
        let drift = QUIET_DRIFT * normal();
        let process = |normal: &mut dyn FnMut() -> f64| {
            let own = (drift + 0.05 * normal()).exp();
            (0..6).map(|_| (own * (1.0 + 0.01 * normal()), 1.0)).collect()
        };
        (0..5).map(|_| process(normal)).collect()
    }

    #[test]
    fn intervals_cover_the_truth_though_processes_differ() {
        let mut draws = Draws::new(5);
        let mut normal =
            || (0..12).map(|_| draws.below(1 << 30) as f64 / f64::from(1 << 30)).sum::<f64>() - 6.0;
        let runs: Vec<Vec<Vec<Ratio>>> = (0..600).map(|_| measured(&mut normal)).collect();
        let covers = |processes: &[Vec<Ratio>]| {
            let rate = Statistic::of_processes(processes, Machine::Quiet, 0).unwrap().estimate();
            rate.interval.unwrap().contains(1.0)
        };
        let covered = runs.iter().filter(|run| covers(run)).count();
        // 95 % of 600 are 570, with a standard deviation of 5.3.
        assert!((553..=586).contains(&covered), "{covered} of 600");
        // As if all rounds were of one process, most intervals would miss.
        let blind = runs.iter().filter(|run| covers(&[run.concat()])).count();
        assert!(blind < 420, "{blind} of 600");
    }
}
