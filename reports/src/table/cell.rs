//! One cell: a verdict, and figures where the verdict allows them.

use std::collections::BTreeMap;

use crate::rows::{Detects, Method, Payoff, Phase, Sample, Verdict};
use crate::stats::{
    Estimate, Machine, Mean, Ratio, Statistic, mean_between_batches, mean_from_squares,
};
use crate::text::{printable, printable_lines};

/// CPU time over wall time and threads below which a measurement was disturbed: the worker was kept
/// waiting for more than a tenth of the time.
pub const CONTENTION: f64 = 0.9;

/// The warning of the harness about a sample, warm-up or not, that was kept waiting so. Whether a
/// *cell* is contended is asked of its counted samples together: [`Cell::is_contended`].
pub const CONTENDED: &str = "contended";

/// The results of one engine on one game, in printable text.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    verdict: Verdict,
    reason: String,
    detects: Option<Detects>,
    language: String,
    methods: Vec<Method>,
    rules: Vec<String>,
    options: Vec<String>,
    builds: Vec<String>,
    warnings: Vec<String>,
    compile_ns: Option<u64>,
    peak_bytes: Option<u64>,
    state_bytes: Option<u64>,
    tokens: Option<u64>,
    first_playout_ns: Option<u64>,
    figures: Option<Figures>,
}

/// The measured figures of a cell. They exist only inside a cell whose verdict allows ranking.
#[derive(Debug, Clone, PartialEq)]
pub struct Figures {
    /// Playouts a CPU second: per core, however many threads took part.
    pub per_cpu_second: Estimate,
    /// Playouts a second of elapsed time, all threads together.
    pub per_wall_second: Estimate,
    /// Plies a CPU second.
    pub plies_per_cpu_second: Estimate,
    /// Plies a playout.
    pub length: Mean,
    /// The mean payoff of each player in a playout, if the rows tell.
    pub payoffs: Vec<Mean>,
    /// Playouts measured.
    pub playouts: u64,
    /// Plies played in them.
    pub plies: u64,
    /// Playouts that the ply cap ended.
    pub capped: u64,
    /// Playouts that ended with no move and no result.
    pub stuck: u64,
    /// Elapsed nanoseconds.
    pub wall_ns: u64,
    /// CPU nanoseconds of all threads.
    pub cpu_ns: u64,
    /// Samples counted.
    pub samples: usize,
    /// CPU time over elapsed time and threads: 1 on a machine that does nothing else.
    pub utilisation: f64,
    rounds: BTreeMap<RoundKey, Sums>,
}

/// A visit to a game on a machine: each column has a process of its own in it, and all of them are
/// measured in turn.
type VisitKey = (String, u32);

/// A round of a visit: what two engines must share for their ratio to be formed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct RoundKey {
    visit: VisitKey,
    round: u32,
}

/// Processes as their rounds.
type Processes = Vec<Vec<Ratio>>;

#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Sums {
    playouts: u128,
    plies: u128,
    wall_ns: u128,
    cpu_ns: u128,
}

impl Sums {
    fn playouts_per_cpu(&self) -> Ratio {
        (self.playouts as f64, seconds(self.cpu_ns))
    }

    fn playouts_per_wall(&self) -> Ratio {
        (self.playouts as f64, seconds(self.wall_ns))
    }
}

fn seconds(ns: u128) -> f64 {
    ns as f64 / 1e9
}

impl Cell {
    /// `deciding` gives the verdict; `own` are the rows measured in this column.
    pub(super) fn new(deciding: &Sample, own: &[&Sample], threads: u32) -> Self {
        let mut compile: Vec<u64> = own.iter().filter_map(|sample| sample.compile_ns).collect();
        compile.sort_unstable();
        Self {
            verdict: deciding.verdict,
            reason: printable_lines(&deciding.reason).into_owned(),
            detects: detects(own),
            language: printable(&deciding.language).into_owned(),
            methods: distinct(own.iter().filter_map(|sample| sample.method)),
            rules: texts(own.iter().map(|sample| &sample.rules)),
            options: texts(own.iter().flat_map(|sample| &sample.options)),
            builds: texts(own.iter().map(|sample| &sample.build)),
            warnings: texts(
                own.iter().flat_map(|s| &s.warnings).filter(|&warning| warning != CONTENDED),
            ),
            compile_ns: compile.get(compile.len() / 2).copied(),
            peak_bytes: own.iter().filter_map(|sample| sample.peak_bytes).max(),
            state_bytes: own.iter().filter_map(|sample| sample.state_bytes).max(),
            tokens: own.iter().find_map(|sample| sample.tokens),
            first_playout_ns: own.iter().find_map(|sample| first_playout_ns(sample)),
            figures: if deciding.verdict.is_ranked() { Figures::new(own, threads) } else { None },
        }
    }

    /// The verdict on the pair.
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// The reason why the verdict is not `ok`; empty otherwise.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// The smallest deviation that the proof of its playouts would have seen, where the rows tell:
    /// of several the greatest.
    pub fn detects(&self) -> Option<&Detects> {
        self.detects.as_ref()
    }

    /// The language that the engine read.
    pub fn language(&self) -> &str {
        &self.language
    }

    /// The methods by which playouts got from one position to the next, if the rows tell; more than
    /// one if they differ.
    pub fn methods(&self) -> &[Method] {
        &self.methods
    }

    /// Hashes of the rules that were played, each once; none in old files.
    pub fn rules(&self) -> &[String] {
        &self.rules
    }

    /// Options of the rules that were chosen.
    pub fn options(&self) -> &[String] {
        &self.options
    }

    /// Hashes of the engine's program, each once; none in old files.
    pub fn builds(&self) -> &[String] {
        &self.builds
    }

    /// True if its figures were measured on a busy machine; see [`Figures::is_contended`].
    pub fn is_contended(&self) -> bool {
        self.figures.as_ref().is_some_and(Figures::is_contended)
    }

    /// The harness's warnings, each once; [`CONTENDED`] is none of them, as it is about samples.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Time from text to a playable game, nanoseconds: the median of what the rows say.
    pub fn compile_ns(&self) -> Option<u64> {
        self.compile_ns
    }

    /// The greatest resident memory of a worker, bytes.
    pub fn peak_bytes(&self) -> Option<u64> {
        self.peak_bytes
    }

    /// Size of a position, bytes.
    pub fn state_bytes(&self) -> Option<u64> {
        self.state_bytes
    }

    /// Size of the description, in tokens of its language.
    pub fn tokens(&self) -> Option<u64> {
        self.tokens
    }

    /// Time from text to the end of the first playout, nanoseconds: what somebody waits who has one
    /// question to a game.
    pub fn first_playout_ns(&self) -> Option<u64> {
        self.first_playout_ns
    }

    /// The figures, if the verdict allows any and something was measured.
    pub fn figures(&self) -> Option<&Figures> {
        self.figures.as_ref()
    }
}

/// The deviations that the weakest proof of these rows detects.
fn detects(rows: &[&Sample]) -> Option<Detects> {
    let all = rows.iter().filter_map(|sample| sample.detects.as_ref());
    let weakest = all.max_by(|a, b| a.worst().total_cmp(&b.worst()))?;
    Some(Detects { by: printable(&weakest.by).into_owned(), ..weakest.clone() })
}

/// Each item once, in order of appearance.
fn distinct<T: PartialEq>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut all = Vec::new();
    for item in items {
        if !all.contains(&item) {
            all.push(item);
        }
    }
    all
}

/// Each text that is not empty once, in order of appearance and printable.
fn texts<'t>(texts: impl IntoIterator<Item = &'t String>) -> Vec<String> {
    let texts = texts.into_iter().filter(|text| !text.is_empty());
    distinct(texts.map(|text| printable(text).into_owned()))
}

/// Calibration begins with a single playout, the first of all.
fn first_playout_ns(sample: &Sample) -> Option<u64> {
    let first = sample.phase == Phase::Warmup && sample.first == 0 && sample.playouts == 1;
    sample.compile_ns.filter(|_| first).map(|compile| compile.saturating_add(sample.wall_ns))
}

impl Figures {
    fn new(rows: &[&Sample], threads: u32) -> Option<Self> {
        let samples: Vec<&Sample> =
            rows.iter().copied().filter(|sample| sample.phase == Phase::Sample).collect();
        let mut rounds: BTreeMap<RoundKey, Sums> = BTreeMap::new();
        for sample in &samples {
            let visit = (printable(&sample.host).into_owned(), sample.process);
            let sums = rounds.entry(RoundKey { visit, round: sample.round }).or_default();
            let each = u128::from(playouts_of_each(sample));
            sums.playouts += each * u128::from(sample.playouts);
            sums.plies += each * u128::from(sample.plies);
            sums.wall_ns += u128::from(sample.wall_ns);
            sums.cpu_ns += u128::from(sample.cpu_ns);
        }
        // The reader refuses counts that could pass 64 bits in any file that fits on a disk.
        let total = |field: fn(&Sample) -> u64| {
            samples.iter().fold(0, |sum: u64, sample| sum.saturating_add(field(sample)))
        };
        let processes = by_process(&rounds);
        let (wall_ns, cpu_ns) = (total(|sample| sample.wall_ns), total(|sample| sample.cpu_ns));
        let utilisation = cpu_ns as f64 / (wall_ns as f64 * f64::from(threads));
        let estimate = |ratio: fn(&Sums) -> Ratio| {
            Statistic::of_processes(&ratios(&processes, ratio), machine(utilisation), 0)
                .map(|statistic| statistic.estimate())
        };
        let (playouts, plies) = (total(|sample| sample.playouts), total(|sample| sample.plies));
        Some(Self {
            per_cpu_second: estimate(Sums::playouts_per_cpu)?,
            per_wall_second: estimate(Sums::playouts_per_wall)?,
            plies_per_cpu_second: estimate(|sums| (sums.plies as f64, seconds(sums.cpu_ns)))?,
            length: length(&samples, playouts, plies)?,
            payoffs: payoffs(&samples),
            playouts: total(|sample| playouts_of_each(sample).saturating_mul(sample.playouts)),
            plies: total(|sample| playouts_of_each(sample).saturating_mul(sample.plies)),
            capped: total(|sample| sample.capped),
            stuck: total(|sample| sample.stuck),
            wall_ns,
            cpu_ns,
            samples: samples.len(),
            utilisation,
            rounds,
        })
    }

    /// Processes that measured. The interval comes from the spread between them where there are two
    /// or more, and from that between rounds otherwise.
    pub fn processes(&self) -> usize {
        by_process(&self.rounds).len()
    }

    /// Rounds measured.
    pub fn rounds(&self) -> usize {
        self.rounds.len()
    }

    /// Playouts a CPU second of each round, process by process.
    pub fn rates_by_process(&self) -> Vec<Vec<f64>> {
        let rate = |sums: &&Sums| sums.playouts as f64 / seconds(sums.cpu_ns);
        let processes = by_process(&self.rounds);
        processes.values().map(|rounds| rounds.iter().map(rate).collect()).collect()
    }

    /// True if something else kept the cores busy while this was measured. Rates over CPU seconds
    /// stand it better than rates over elapsed time, but not untouched.
    pub fn is_contended(&self) -> bool {
        machine(self.utilisation) == Machine::Busy
    }

    /// The machines that took part, where the rows name them.
    pub fn hosts(&self) -> Vec<&str> {
        let mut hosts: Vec<&str> = self.rounds.keys().map(|key| key.visit.0.as_str()).collect();
        hosts.dedup();
        hosts
    }

    /// The playouts a CPU second over those of `base`, from the processes that both took part in,
    /// or from the rounds if they share one process. `None` if they share none. `stream` as in
    /// [`Statistic::of_processes`].
    pub(crate) fn speedup_over(&self, base: &Self, stream: u64) -> Option<Statistic> {
        self.ratio_over(base, stream, Sums::playouts_per_cpu)
    }

    /// The same for playouts a second of elapsed time.
    pub(crate) fn elapsed_speedup_over(&self, base: &Self, stream: u64) -> Option<Statistic> {
        self.ratio_over(base, stream, Sums::playouts_per_wall)
    }

    fn ratio_over(&self, base: &Self, stream: u64, ratio: fn(&Sums) -> Ratio) -> Option<Statistic> {
        let (own, of_base) = (by_process(&self.rounds), by_process(&base.rounds));
        let shared: Vec<&VisitKey> =
            own.keys().filter(|key| of_base.contains_key(*key)).copied().collect();
        if shared.len() > 1 {
            let of = |all: &BTreeMap<&VisitKey, Vec<&Sums>>| -> Processes {
                shared.iter().map(|key| all[key].iter().map(|sums| ratio(sums)).collect()).collect()
            };
            return Statistic::paired_ratio(&of(&own), &of(&of_base), stream);
        }
        let shared = self.rounds.iter().filter_map(|(key, own)| Some((own, base.rounds.get(key)?)));
        let (own, of_base): (Vec<Ratio>, Vec<Ratio>) =
            shared.map(|(own, base)| (ratio(own), ratio(base))).unzip();
        Statistic::paired_ratio(&[own], &[of_base], stream)
    }

    /// Playouts a CPU second with its uncertainty, for a comparison between runs. `stream` as in
    /// [`Statistic::of_processes`].
    pub(crate) fn rate(&self, stream: u64) -> Option<Statistic> {
        let processes = by_process(&self.rounds);
        Statistic::of_processes(
            &ratios(&processes, Sums::playouts_per_cpu),
            machine(self.utilisation),
            stream,
        )
    }
}

/// The state of the machine, judged by a worker's share of the time.
fn machine(utilisation: f64) -> Machine {
    if utilisation < CONTENTION { Machine::Busy } else { Machine::Quiet }
}

/// Random playouts in each playout of a row: a search has as many as simulations.
fn playouts_of_each(sample: &Sample) -> u64 {
    sample.simulations.unwrap_or(1)
}

fn by_process(rounds: &BTreeMap<RoundKey, Sums>) -> BTreeMap<&VisitKey, Vec<&Sums>> {
    let mut processes: BTreeMap<&VisitKey, Vec<&Sums>> = BTreeMap::new();
    for (key, sums) in rounds {
        processes.entry(&key.visit).or_default().push(sums);
    }
    processes
}

fn ratios(processes: &BTreeMap<&VisitKey, Vec<&Sums>>, ratio: fn(&Sums) -> Ratio) -> Processes {
    processes.values().map(|rounds| rounds.iter().map(|sums| ratio(sums)).collect()).collect()
}

/// Mean payoff of each player; nothing where a row does not tell.
fn payoffs(samples: &[&Sample]) -> Vec<Mean> {
    let players = samples.iter().map(|sample| sample.payoffs.len()).min().unwrap_or(0);
    let total = |player: usize| {
        let mut total = Payoff::default();
        samples.iter().for_each(|sample| total += sample.payoffs[player]);
        total.mean()
    };
    (0..players).map(total).collect::<Option<_>>().unwrap_or_default()
}

/// Mean plies a playout: with the exact standard error where every sample tells its squares, from
/// the spread between samples otherwise.
fn length(samples: &[&Sample], playouts: u64, plies: u64) -> Option<Mean> {
    let squares: Option<u128> =
        samples.iter().map(|sample| sample.plies_squared.map(u128::from)).sum();
    squares.and_then(|squares| mean_from_squares(playouts, plies.into(), squares)).or_else(|| {
        let batches: Vec<(u64, u64)> =
            samples.iter().map(|sample| (sample.playouts, sample.plies)).collect();
        mean_between_batches(&batches)
    })
}
