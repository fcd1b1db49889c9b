//! The worker protocol: one JSON object a line in each direction, over standard input and output.
//! `engines/README.md` documents it for authors of engines in any language.

mod words;

use std::collections::BTreeMap;

use play::{Job, Language, Limits, Method, Percepts, Player, Scores, Tally, Via, mix, tree};
use reports::Payoff;
use serde::{Deserialize, Serialize};
use text::Source;

pub use words::SentWords;

/// Version of the protocol, exchanged in `hello`.
pub const VERSION: u32 = 1;

/// The requests of the harness.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "cmd", rename_all = "lowercase", deny_unknown_fields)]
pub enum Request {
    /// Asks the worker to describe itself.
    Hello {
        /// Protocol version of the harness.
        protocol: u32,
    },
    /// Compile rules; they stay loaded until the next `load`.
    Load {
        /// Language of the text: `lud`, `kif`, `rbg`, `rg` or `bitboard` (hand-coded; the text is the
        /// game's id).
        language: String,
        /// The name of the text in messages.
        name: String,
        /// The rules.
        text: String,
        /// Chosen options.
        options: Vec<String>,
        /// Texts of the games of a match, by their names; left out where there are none.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        parts: BTreeMap<String, String>,
        /// The words of the game where the description says others. Sent to our own engines only;
        /// the harness puts what others say into these words.
        #[serde(default, skip_serializing_if = "SentWords::are_none")]
        words: SentWords,
        /// The plies that are played before the game begins, by the labels that `walk` shows; left
        /// out where there are none.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        start: Vec<String>,
        /// Memory the game may take, roughly.
        bytes: u64,
        /// Elementary steps of compilation.
        work: u64,
        /// Simulations of each search that is to be made in the place of a playout; left out where
        /// playouts are wanted.
        #[serde(default, skip_serializing_if = "is_zero")]
        simulations: u32,
        /// Recorded games, as the labels of their plies, from whose positions searches begin; left
        /// out where there are none.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        recorded: Vec<Vec<String>>,
    },
    /// Play playouts.
    Run {
        /// Seed of the run.
        seed: u64,
        /// First playout id.
        first: u64,
        /// Number of playouts.
        count: u64,
        /// Ply cap.
        cap: u32,
        /// `fast`, `reference`, `batch` or `interpreted`.
        via: String,
        /// Threads to share the ids.
        threads: u32,
        /// Playouts of a job: the ids are played in jobs of so many, one after the other. Optional,
        /// and asked of our own engines only; 0 means that all are one job.
        #[serde(default, skip_serializing_if = "is_zero")]
        job: u64,
        /// True if forced passes count as plies. Optional: then `via` and `threads` mean nothing.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        passes: bool,
        /// True if to play position by position, each playout by its own draws. Optional, and asked
        /// of our own engines only; then, too, `via` and `threads` mean nothing.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        steps: bool,
    },
    /// Count leaves at depth 1..=`depth`.
    Perft {
        /// Deepest level.
        depth: u32,
        /// Positions that may be visited.
        budget: u64,
        /// True if forced passes count as plies. Optional.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        passes: bool,
    },
    /// Hash of the tree below the initial position.
    Fingerprint {
        /// Plies.
        depth: u32,
        /// Positions that may be visited.
        budget: u64,
    },
    /// Look at the position that a path of action numbers leads to.
    Walk {
        /// Numbers of the actions from the initial position, forced passes skipped.
        path: Vec<usize>,
        /// The choices of chance, in games of chance: a number for the start and one for each
        /// action. Optional, and asked only of engines that say so by [`Loaded::outcomes`].
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        chance: Vec<u64>,
        /// Plies that the fingerprints of the actions look at; 0 for none.
        depth: u32,
        /// Positions that may be visited for the fingerprints.
        budget: u64,
    },
    /// Take random walks, by the harness's draws. Asked of our own engines only; others are led
    /// along them by [`Request::Walk`].
    Walks {
        /// Seed of all walks.
        seed: u64,
        /// Number of the first.
        first: u64,
        /// The number of playouts.
        count: u64,
        /// Ply cap.
        cap: u32,
    },
    /// Take a walk in a game of chance, by the harness's draws, and say what was observed. Asked of
    /// our own engines only; others are led along it by [`Request::Walk`].
    Observe {
        /// Seed of all walks.
        seed: u64,
        /// Number of the walk.
        number: u64,
        /// Ply cap.
        cap: u32,
        /// True if actions are named by their labels.
        labels: bool,
        /// Most positions that the engine may be in, if odds are to be exact.
        width: u32,
        /// Samples that take the place of more.
        samples: u32,
        /// The actions to follow, as keys and hashes; empty if actions are drawn.
        follow: Vec<(u64, u64)>,
    },
    /// Replay recorded games of the loaded rules. Optional: an engine may answer with an error of
    /// kind `unknown` or `unsupported`.
    Replay {
        /// The record, in the format of its language.
        record: String,
    },
    /// Play random games and say what is seen, as [`analysis::sample`](crate::analysis::sample)
    /// does. Asked of our own engines only.
    Analyse {
        /// Seed of everything drawn.
        seed: u64,
        /// Most games.
        games: u32,
        /// Plies after which no game is begun any more.
        plies: u64,
        /// Ply cap.
        cap: u32,
    },
    /// Run the conformance kit. Optional: an engine may answer with an error of kind `unknown`.
    Kit {
        /// Seed of everything drawn.
        seed: u64,
        /// Playouts walked position by position.
        walks: u64,
        /// Playouts the ways of playing are compared on.
        playouts: u64,
        /// Ply cap.
        cap: u32,
    },
}

/// The answer of a worker: exactly one line for each request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Reply<T> {
    /// It went well.
    Ok(T),
    /// It did not.
    Error(Refusal),
}

/// The reason why a request was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// `invalid`, `unsupported`, `too large`, `unavailable`, `wrong` (a recorded game is not
    /// legal), `unknown` (command) or `protocol`.
    pub kind: String,
    /// One line for tables.
    pub message: String,
    /// The long form for people, if there is one.
    #[serde(default)]
    pub details: String,
}

/// Answer to `hello`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// Protocol version of the worker.
    pub protocol: u32,
    /// Name of the engine.
    pub engine: String,
    /// Its version.
    pub version: String,
    /// Languages it reads.
    pub languages: Vec<String>,
    /// Its random generator.
    pub rng: String,
}

/// Answer to `load`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loaded {
    /// Number of players.
    pub players: u8,
    /// Bytes of a state, 0 if not known.
    #[serde(default)]
    pub state_bytes: u64,
    /// True if `via: "batch"` is something of its own.
    #[serde(default)]
    pub batch: bool,
    /// True if chance events occur.
    #[serde(default)]
    pub chance: bool,
    /// True if `walk` takes outcomes of chance by number, see [`Request::Walk`].
    #[serde(default)]
    pub outcomes: bool,
    /// The method of `via: "fast"`: `listed`, `counted`, `sampled` or `tabled`; empty if not said.
    #[serde(default)]
    pub method: String,
    /// The same of `via: "batch"`.
    #[serde(default)]
    pub batch_method: String,
    /// The same of `via: "interpreted"`; empty where that is nothing of its own.
    #[serde(default)]
    pub interpreted_method: String,
    /// True if `via: "listed"` is something of its own: a loop over legal actions that are listed
    /// faster than by `via: "reference"`.
    #[serde(default)]
    pub listed: bool,
    /// The number of plies that were played before the game begins, as it was asked to.
    #[serde(default)]
    pub start: u32,
    /// Simulations of each search that it makes in the place of a playout, as it was asked to.
    #[serde(default)]
    pub simulations: u32,
    /// The reason why the playouts of `via: "fast"` are not those of `via: "reference"` one by one,
    /// but drawn from the same distribution; empty if they are the same.
    #[serde(default)]
    pub distribution: String,
    /// The same of `via: "batch"`.
    #[serde(default)]
    pub batch_distribution: String,
    /// The same of `via: "interpreted"`.
    #[serde(default)]
    pub interpreted_distribution: String,
    /// The known difference between the rules that the engine plays and those it was given; empty
    /// if they are meant to be the same. Such an engine is measured, and compared with no other.
    #[serde(default)]
    pub variant: String,
    /// Time from text to playable game, as the harness measures it.
    #[serde(skip)]
    pub compile_ns: u64,
    /// CPU time of the same.
    #[serde(skip)]
    pub compile_cpu_ns: u64,
    /// Peak resident memory of the process and all that it started, after that.
    #[serde(skip)]
    pub peak_bytes: u64,
    /// Warnings about the rules, one line each.
    #[serde(default)]
    pub warnings: Vec<String>,
    /// The sizes of the compiled game, by name.
    #[serde(default)]
    pub build: BTreeMap<String, u64>,
    /// How the parts of the game are played, and why not in a quicker way, a sentence each; empty
    /// unless the worker, too, is to write a log.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub strategies: Vec<String>,
}

impl Loaded {
    /// True if a way of playing is something of its own.
    pub fn has(&self, via: Via) -> bool {
        match via {
            Via::Fast | Via::Reference => true,
            Via::Batch => self.batch,
            Via::Interpreted => !self.interpreted_method.is_empty(),
            Via::Listed => self.listed,
        }
    }

    /// The method of a loop; empty if not said.
    pub fn method_of(&self, via: Via) -> &str {
        match via {
            Via::Fast => &self.method,
            Via::Reference => Method::Listed.name(),
            Via::Batch => &self.batch_method,
            Via::Interpreted => &self.interpreted_method,
            Via::Listed => Method::Listed.name(),
        }
    }
}

/// Answer to `run`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ran {
    /// Playouts played.
    pub playouts: u64,
    /// Plies in them.
    pub plies: u64,
    /// Sum of squares of the plies of each playout.
    pub plies_squared: u64,
    /// Playouts that hit the cap.
    pub capped: u64,
    /// Playouts that ended where the rules are undefined.
    #[serde(default)]
    pub stuck: u64,
    /// Scores of the players and how many playouts ended so.
    pub outcomes: Vec<(Vec<i32>, u64)>,
    /// Commutative digest over (id, plies, ending), 16 hexadecimal digits; any value that depends
    /// on the seed and the ids alone will do.
    pub digest: String,
    /// Elapsed time from the request to the answer, as the harness measures it.
    #[serde(skip)]
    pub wall_ns: u64,
    /// CPU time of the process and all that it started, as the operating system counts it.
    #[serde(skip)]
    pub cpu_ns: u64,
    /// Elapsed time in which none of its threads ran or waited for a core.
    #[serde(skip)]
    pub idle_ns: u64,
    /// True if elapsed time stands for CPU time, which the system does not tell.
    #[serde(skip)]
    pub by_clock: bool,
    /// Peak resident memory of the process and all that it started, 0 if not known.
    #[serde(skip)]
    pub peak_bytes: u64,
}

impl Ran {
    /// The report of a tally.
    pub fn new(tally: &Tally, wall_ns: u64, cpu_ns: u64, peak_bytes: u64) -> Ran {
        let outcomes = tally.outcomes().into_iter().map(|(s, n)| (s.iter().collect(), n)).collect();
        Ran {
            playouts: tally.playouts,
            plies: tally.plies,
            plies_squared: tally.plies_squared,
            capped: tally.capped,
            stuck: tally.stuck,
            outcomes,
            digest: format!("{:016x}", tally.digest),
            wall_ns,
            cpu_ns,
            idle_ns: 0,
            by_clock: false,
            peak_bytes,
        }
    }

    /// Both reports as one: of one job that was played in two parts. The error says what does not
    /// add up.
    pub fn and(&self, other: &Ran) -> Result<Ran, String> {
        let mut tally = self.tally()?;
        tally += &other.tally()?;
        let peak = self.peak_bytes.max(other.peak_bytes);
        let wall_ns = self.wall_ns.saturating_add(other.wall_ns);
        let cpu_ns = self.cpu_ns.saturating_add(other.cpu_ns);
        let idle_ns = self.idle_ns.saturating_add(other.idle_ns);
        let by_clock = self.by_clock || other.by_clock;
        Ok(Ran { idle_ns, by_clock, ..Ran::new(&tally, wall_ns, cpu_ns, peak) })
    }

    /// The reports of the parts of a job as one, if there are any. The error says what does not add
    /// up.
    pub fn sum(parts: impl IntoIterator<Item = Ran>) -> Result<Option<Ran>, String> {
        let mut parts = parts.into_iter();
        let Some(first) = parts.next() else { return Ok(None) };
        parts.try_fold(first, |sum, part| sum.and(&part)).map(Some)
    }

    /// Playouts a nanosecond of CPU time.
    pub fn rate(&self) -> f64 {
        self.playouts as f64 / self.cpu_ns.max(1) as f64
    }

    /// The difference from another answer to the same job, times apart.
    pub fn difference(&self, other: &Ran) -> Option<String> {
        let counts =
            |ran: &Ran| [ran.playouts, ran.plies, ran.plies_squared, ran.capped, ran.stuck];
        let names = ["playouts", "plies", "plies_squared", "capped", "stuck"];
        let sorted = |ran: &Ran| {
            let mut outcomes = ran.outcomes.clone();
            outcomes.sort();
            outcomes
        };
        let (a, b) = (counts(self), counts(other));
        if let Some(i) = (0..names.len()).find(|&i| a[i] != b[i]) {
            return Some(format!("`{}` was {} and is {}", names[i], a[i], b[i]));
        }
        if sorted(self) != sorted(other) {
            return Some("the outcomes are others".to_owned());
        }
        (self.digest != other.digest)
            .then(|| format!("`digest` was {} and is {}", self.digest, other.digest))
    }

    /// The contradiction in the counts, or to the job, if there is one: no playouts, of any game,
    /// have these counts.
    pub fn contradiction(&self, job: &Job, players: u8) -> Option<String> {
        if self.playouts != job.count {
            return Some(format!("{} playouts of {} asked for", self.playouts, job.count));
        }
        let (playouts, plies, squares, cap) = (
            u128::from(self.playouts),
            u128::from(self.plies),
            u128::from(self.plies_squared),
            u128::from(job.cap),
        );
        if plies > playouts * cap {
            return Some(format!(
                "`plies` is {plies}, and {playouts} playouts of at most {cap} plies have no more \
                 than {}",
                playouts * cap
            ));
        }
        // Squares lie between those of equal lengths and those of lengths 0 and `cap`, and a number
        // and its square are both even or both odd.
        let fits = plies * plies <= squares * playouts && squares <= plies * cap;
        if !fits || plies % 2 != squares % 2 {
            return Some(format!(
                "`plies` {plies} and `plies_squared` {squares} of {playouts} playouts under a cap \
                 of \
                 {cap} contradict each other"
            ));
        }
        let odd = self.outcomes.iter().find(|(scores, _)| scores.len() != usize::from(players));
        if let Some((scores, _)) = odd {
            return Some(format!(
                "an outcome is {scores:?}: one score for each of {players} players"
            ));
        }
        if self.digest.len() != 16 {
            return Some(format!(
                "`digest` is {:?}, which is not 16 hexadecimal digits",
                self.digest
            ));
        }
        self.tally().err()
    }

    /// The payoffs of each player in the playouts that ended by the rules.
    pub fn payoffs(&self) -> Vec<Payoff> {
        let players = self.outcomes.iter().map(|(scores, _)| scores.len()).max().unwrap_or(0);
        let of = |player: usize| {
            let mut payoff = Payoff::default();
            for (scores, n) in &self.outcomes {
                let score = i128::from(scores.get(player).copied().unwrap_or(0));
                payoff.playouts += n;
                payoff.sum += score * i128::from(*n);
                payoff.squares += (score * score) as u128 * u128::from(*n);
            }
            payoff
        };
        (0..players).map(of).collect()
    }

    /// Back to a tally; the error says what does not add up.
    pub fn tally(&self) -> Result<Tally, String> {
        let mut tally = Tally::default();
        tally.playouts = self.playouts;
        tally.plies = self.plies;
        tally.plies_squared = self.plies_squared;
        tally.capped = self.capped;
        tally.stuck = self.stuck;
        tally.digest = u64::from_str_radix(&self.digest, 16)
            .map_err(|_| format!("digest {:?} is not hexadecimal", self.digest))?;
        let ended: u128 = self.outcomes.iter().map(|(_, n)| u128::from(*n)).sum();
        if ended + u128::from(self.capped) + u128::from(self.stuck) != u128::from(self.playouts) {
            return Err(format!(
                "{} playouts, but {ended} outcomes, {} capped, {} stuck",
                self.playouts, self.capped, self.stuck
            ));
        }
        for (scores, n) in &self.outcomes {
            tally.count(Scores::new(scores.iter().copied()), *n);
        }
        Ok(tally)
    }
}

/// Answer to `perft`; `null` where the budget ran out.
pub type Counts = Option<Vec<u64>>;

/// Answer to `fingerprint`: 16 hexadecimal digits; `null` where the budget ran out.
pub type Print = Option<String>;

/// Answer to `walk`: a position in the neutral view.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct View {
    /// Player to move, from 0; `null` if the game is over.
    pub turn: Option<u8>,
    /// The scores, if it is over.
    pub scores: Option<Vec<i32>>,
    /// Labels of the legal actions, in the order of their numbers.
    pub labels: Vec<String>,
    /// The percepts of each player in the last ply, in games of hidden information; may be left out
    /// in others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub percepts: Vec<Vec<String>>,
    /// For each action the fingerprint of what it leads to (hexadecimal), if asked for and within
    /// the budget.
    #[serde(default)]
    pub prints: Option<Vec<String>>,
    /// The number of outcomes of the last step, if outcomes of chance were asked for: 0 if there
    /// are too many to be numbered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcomes: Option<u64>,
    /// The odds of the outcome that is shown, where outcomes are numbered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub odds: Option<f64>,
    /// The position drawn in text.
    #[serde(default)]
    pub draw: String,
}

impl View {
    /// The fingerprint of the position: to depth 0, or as deep as the fingerprints of its actions
    /// look. `None` if one of these is not hexadecimal.
    pub(crate) fn fingerprint(&self) -> Option<u64> {
        let parsed = |print: &String| u64::from_str_radix(print, 16).ok();
        let prints = self.prints.iter().flatten().map(parsed).collect::<Option<Vec<u64>>>()?;
        Some(tree::folded(self.shallow_fingerprint(), prints))
    }

    /// The fingerprint of the position to depth 0.
    pub(crate) fn shallow_fingerprint(&self) -> u64 {
        let alone = match (self.turn, &self.scores) {
            (Some(turn), _) => mix(u64::from(turn) << 32 | self.labels.len() as u64 | 1 << 48),
            (None, Some(scores)) => mix(0x5c0e ^ mix(Scores::new(scores.iter().copied()).bits())),
            (None, None) => 0,
        };
        let mut percepts = Percepts::default();
        for (player, all) in (0..).zip(&self.percepts) {
            all.iter().for_each(|percept| percepts.tell(Player(player), percept));
        }
        match percepts.bits() {
            0 => alone,
            bits => mix(alone ^ bits),
        }
    }

    /// The contradiction in the view, if there is one: no position, of any game, looks so.
    pub(crate) fn contradiction(&self, players: u8) -> Option<String> {
        let count = self.labels.len();
        match (self.turn, &self.scores) {
            (Some(turn), _) if turn >= players => {
                Some(format!("`turn` is {turn}; the {players} players count from 0"))
            }
            (Some(_), Some(scores)) => {
                Some(format!("somebody is to move, and the scores are {scores:?}"))
            }
            (None, _) if count > 0 => {
                Some("the game is over, and there are labels of legal actions".to_owned())
            }
            (None, None) => Some("the game is over, and there are no scores".to_owned()),
            (None, Some(scores)) if scores.len() != usize::from(players) => {
                Some(format!("the scores are {scores:?}: one for each of {players} players"))
            }
            _ => self
                .prints
                .as_ref()
                .filter(|prints| prints.len() != count)
                .map(|prints| format!("{} prints for {count} actions", prints.len())),
        }
    }
}

/// A random walk that was taken, as [`random_walk`](crate::random_walk) draws it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Walked {
    /// Hash of all that there was on the way: whose turn, the labels of the legal actions, at some
    /// plies what they lead to, the scores. Nothing where labels do not tell actions apart, and in
    /// games of chance.
    pub digest: Option<u64>,
    /// In games of chance, hashes of all that might have been observed up to ply 0, 1, 2, 4, 8, ...
    /// and the end, with its odds, as long as these are exact.
    #[serde(default)]
    pub digests: Vec<u64>,
    /// Its length.
    pub plies: u32,
    /// The scores, if the game was over.
    pub scores: Option<Vec<i32>>,
    /// True if it ended where the rules are undefined.
    pub stuck: bool,
}

/// Answer to `observe`: what was observed on a walk in a game of chance.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Observed {
    /// A position and the action after it, each.
    pub plies: Vec<ObservedPly>,
}

/// The observation of a position, and of the action that was taken in it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ObservedPly {
    /// The number of samples that the odds of the sights are from; 0 if they are exact.
    pub samples: u64,
    /// The number of these that fit the observations: the odds of the actions are from them.
    pub fitting: u64,
    /// All that might have been seen, in the order of the keys.
    pub sights: Vec<Sight>,
    /// The key of what was.
    pub seen: u64,
    /// The fingerprints by which an action might have been named, as hashes with their odds; empty
    /// where labels name actions, which are equally likely.
    pub actions: Vec<(u64, f64)>,
    /// The hash of the name of the action; 0 if none was taken.
    pub action: u64,
    /// The label of such an action.
    pub label: String,
}

/// Something that may be seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sight {
    /// Its hash, with labels where actions are named by them.
    pub key: u64,
    /// Its hash without labels.
    pub plain: u64,
    /// The probability of the sight.
    pub odds: f64,
    /// In words.
    pub text: String,
}

/// Answer to `kit`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KitFindings {
    /// Breaches of the contract.
    pub faults: Vec<String>,
    /// Plies walked.
    pub plies: u64,
    /// Playouts on which the ways of playing were compared, 0 if not known.
    #[serde(default)]
    pub playouts: u64,
    /// `identical` or `same distribution (why)`, for the fast path against the reference.
    pub fast: Option<String>,
    /// The same for the batch path.
    pub batch: Option<String>,
    /// The same for the path without machine code.
    #[serde(default)]
    pub interpreted: Option<String>,
}

/// Answer to `replay`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replayed {
    /// Recorded games that were replayed, whole or to a difference.
    pub trials: u64,
    /// Replayed games that agreed to the end of their record.
    pub agreed: u64,
    /// Recorded plies that were compared.
    pub plies: u64,
    /// The first difference, on one line.
    #[serde(default)]
    pub difference: Option<String>,
    /// The part that was not compared, and why.
    #[serde(default)]
    pub remark: Option<String>,
}

impl From<play::Replay> for Replayed {
    fn from(replay: play::Replay) -> Replayed {
        Replayed {
            trials: replay.trials,
            agreed: replay.agreed,
            plies: replay.plies,
            difference: replay.difference.map(|d| d.to_string()),
            remark: replay.remark,
        }
    }
}

/// The texts of the games of a match, by their names.
pub(crate) fn parts_of(rules: &play::Rules) -> BTreeMap<String, String> {
    let text = |(name, part): (&String, &Source)| (name.clone(), part.text().to_owned());
    rules.parts.iter().map(text).collect()
}

/// The games of a match as an engine gets them.
pub(crate) fn sources(parts: BTreeMap<String, String>) -> BTreeMap<String, Source> {
    let source = |(name, text): (String, String)| (name.clone(), Source::new(name, text));
    parts.into_iter().map(source).collect()
}

/// Searches that an engine is to make in the place of playouts.
#[derive(Clone, Copy, Debug, Default)]
pub struct Searches<'a> {
    /// Simulations of each; 0 for playouts.
    pub simulations: u32,
    /// Recorded games, as the labels of their plies, from whose positions they begin.
    pub recorded: &'a [Vec<String>],
}

impl Request {
    /// The request to compile these rules, and to make searches if there are any.
    pub fn load(rules: &play::Rules, limits: &Limits, searches: Searches<'_>) -> Request {
        Request::Load {
            language: rules.language.name().to_owned(),
            name: rules.source.name().to_owned(),
            text: rules.source.text().to_owned(),
            options: rules.options.clone(),
            parts: parts_of(rules),
            words: SentWords::from(&rules.words),
            start: rules.start.clone(),
            bytes: limits.bytes,
            work: limits.work,
            simulations: searches.simulations,
            recorded: searches.recorded.to_vec(),
        }
    }

    /// The request to play a job.
    pub fn run(job: &Job, via: Via, threads: u32) -> Request {
        Request::Run {
            seed: job.seed,
            first: job.first,
            count: job.count,
            cap: job.cap,
            via: via.name().to_owned(),
            threads,
            job: 0,
            passes: false,
            steps: false,
        }
    }

    /// Its name on the wire.
    pub fn name(&self) -> &'static str {
        match self {
            Request::Hello { .. } => "hello",
            Request::Load { .. } => "load",
            Request::Run { .. } => "run",
            Request::Perft { .. } => "perft",
            Request::Fingerprint { .. } => "fingerprint",
            Request::Walk { .. } => "walk",
            Request::Walks { .. } => "walks",
            Request::Observe { .. } => "observe",
            Request::Replay { .. } => "replay",
            Request::Kit { .. } => "kit",
            Request::Analyse { .. } => "analyse",
        }
    }
}

/// The language a worker names, if we know it.
pub fn language(name: &str) -> Result<Language, Refusal> {
    name.parse().map_err(|message| Refusal {
        kind: "unsupported".to_owned(),
        message,
        details: String::new(),
    })
}

/// For fields that are left out where they say nothing.
fn is_zero<N: Default + PartialEq>(number: &N) -> bool {
    *number == N::default()
}
