use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use bench::entry::Entry;
use play::{
    BuildFact, Compiled, Encoding, Facts, Job, Language, Method, PlayoutMode, Promise, Rules,
    SiteGrid, Tally, Turned, Via,
};

use crate::error::Problem;

/// A game on an engine, ready to be played. Copies are cheap and share it; threads may, too.
#[derive(Clone)]
pub struct Game(Arc<Loaded>);

struct Loaded {
    game: Box<dyn play::Game>,
    id: String,
    title: String,
    engine: &'static str,
    language: Language,
    cap: u32,
    /// True if its labels are words that all descriptions of the game say.
    says_words: bool,
    warnings: Vec<Problem>,
    /// Once somebody asks: some engines have to work for it.
    encoding: OnceLock<Option<Encoding>>,
    grid: OnceLock<Option<SiteGrid>>,
    turned: OnceLock<Option<Arc<Turned>>>,
    /// The time of a playout, in nanoseconds, as far as it is known; 0 if it is not.
    pace: AtomicU64,
}

impl std::fmt::Debug for Game {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Game({} on {})", self.id(), self.engine())
    }
}

impl Game {
    pub(crate) fn new(
        compiled: Compiled,
        engine: &'static str,
        rules: &Rules,
        entry: &Entry,
        cap: Option<u32>,
    ) -> Game {
        Game(Arc::new(Loaded {
            warnings: Problem::all(&compiled.warnings, &rules.source),
            game: compiled.game,
            id: entry.id.clone(),
            title: entry.title.clone(),
            engine,
            language: rules.language,
            cap: cap.unwrap_or(entry.cap),
            says_words: rules.words.shared,
            encoding: OnceLock::new(),
            grid: OnceLock::new(),
            turned: OnceLock::new(),
            pace: AtomicU64::new(0),
        }))
    }

    /// Its id in the catalogue, or the name of its file without extension.
    pub fn id(&self) -> &str {
        &self.0.id
    }

    /// Its name for people.
    pub fn title(&self) -> &str {
        &self.0.title
    }

    /// The engine that plays it.
    pub fn engine(&self) -> &'static str {
        self.0.engine
    }

    /// The language of its rules.
    pub fn language(&self) -> Language {
        self.0.language
    }

    /// Number of players, chance not counted.
    pub fn players(&self) -> usize {
        self.facts().players.into()
    }

    /// Plies after which a playout is given up.
    pub fn cap(&self) -> u32 {
        self.0.cap
    }

    /// The other facts that are known of the game.
    pub fn facts(&self) -> &Facts {
        self.0.game.facts()
    }

    /// The method by which [`Game::rollouts`] gets from one position to the next if there are many
    /// playouts. Rates of [`Method::Tabled`] are not to be compared with others: results are
    /// carried over from one playout to the next.
    pub fn method(&self) -> Method {
        side_by_side(self.facts()).unwrap_or(self.facts().fast).method
    }

    /// The remarks of the front end on the rules.
    pub fn warnings(&self) -> &[Problem] {
        &self.0.warnings
    }

    /// The encoding of positions and actions as numbers, if the engine has one.
    pub fn encoding(&self) -> Option<&Encoding> {
        self.0.encoding.get_or_init(|| self.0.game.encoding()).as_ref()
    }

    /// The grid on which the sites of the encoding lie; `None` where they lie on none.
    pub fn grid(&self) -> Option<&SiteGrid> {
        self.0.grid.get_or_init(|| self.encoding()?.grid()).as_ref()
    }

    /// The encoding as the second of two players sees it; `None` where the engine does not know
    /// that the sides are equal.
    pub fn turned(&self) -> Option<&Arc<Turned>> {
        let turned = || self.encoding()?.turned().map(Arc::new);
        self.0.turned.get_or_init(turned).as_ref()
    }

    pub(crate) fn says_words(&self) -> bool {
        self.0.says_words
    }

    pub(crate) fn inner(&self) -> &dyn play::Game {
        &*self.0.game
    }

    /// Plays so many random playouts on so many threads. The same seed gives the same playouts on
    /// any number of them.
    pub fn rollouts(&self, count: u64, seed: u64, threads: usize) -> Tally {
        let mut rollouts = Rollouts::new(self, 0, count, seed, threads);
        while rollouts.advance() {}
        rollouts.tally
    }
}

/// Random playouts in slices of about a tenth of a second, so that a program can look whether it is
/// to stop. Slices change nothing of the result.
///
/// ```
/// use ggpbench::Rollouts;
/// let game = ggpbench::load("tic-tac-toe-3x3")?;
/// let mut rollouts = Rollouts::new(&game, 0, 2500, 7, 1);
/// while rollouts.advance() { /* look whether the user wants to stop */ }
/// assert_eq!(*rollouts.tally(), game.rollouts(2500, 7, 2));
/// # Ok::<(), ggpbench::Error>(())
/// ```
#[derive(Debug)]
pub struct Rollouts {
    game: Game,
    job: Job,
    threads: u64,
    tally: Tally,
}

/// The time that a slice is to take, in nanoseconds.
const SLICE: u64 = 100_000_000;

/// Playouts of the first slice of a thread, when nothing is known.
const FIRST: u64 = 16;

impl Rollouts {
    /// The playouts with ids from `first` on, none of them played yet.
    pub fn new(game: &Game, first: u64, count: u64, seed: u64, threads: usize) -> Rollouts {
        // Ids are 64 bits, and the last one is not used.
        let count = count.min(u64::MAX - first);
        let job = Job { seed, first, count, cap: game.cap() };
        let threads = threads.clamp(1, 1024) as u64;
        Rollouts { game: game.clone(), job, threads, tally: Tally::default() }
    }

    /// Plays the next slice; false once there is nothing left to play.
    pub fn advance(&mut self) -> bool {
        if self.job.count == 0 {
            return false;
        }
        let loaded = &*self.game.0;
        let pace = loaded.pace.load(Ordering::Relaxed);
        let each = SLICE.checked_div(pace).map_or(FIRST, |count| count.max(1));
        let count = each.saturating_mul(self.threads).min(self.job.count);
        let slice = Job { count, ..self.job };
        let start = Instant::now();
        if self.threads == 1 {
            self.tally += &run(&*loaded.game, &slice);
        } else {
            for part in on_threads(&*loaded.game, &slice, self.threads) {
                self.tally += &part;
            }
        }
        let spent = start.elapsed().as_nanos() as u64;
        // A slice grows at most eightfold, since few playouts say little.
        let took = (spent * self.threads.min(count) / count).max(1);
        let least = if count < self.job.count || pace == 0 { SLICE / (each * 8) } else { 1 };
        loaded.pace.store(took.max(least), Ordering::Relaxed);
        self.job = Job { first: slice.first + count, count: self.job.count - count, ..self.job };
        self.job.count > 0
    }

    /// The number of playouts left.
    pub fn left(&self) -> u64 {
        self.job.count
    }

    /// The sums of all playouts so far.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The sums of all playouts so far.
    pub fn into_tally(self) -> Tally {
        self.tally
    }
}

/// The way to play side by side, where that gives the same playouts as the quickest other way.
fn side_by_side(facts: &Facts) -> Option<PlayoutMode> {
    let same = |mode: &PlayoutMode| mode.promise == Promise::SamePlayouts;
    facts.batch.filter(|batch| same(batch) && same(&facts.fast))
}

/// Plays a job side by side, where that gives the same playouts, else the quickest other way.
fn run(game: &dyn play::Game, job: &Job) -> Tally {
    let facts = game.facts();
    let lanes = facts.built(BuildFact::Lanes).unwrap_or(1);
    let batch = side_by_side(facts).is_some() && job.count > lanes;
    game.run(job, if batch { Via::Batch } else { Via::Fast })
}

/// Plays a job in as many parts as there are threads.
fn on_threads(game: &dyn play::Game, job: &Job, threads: u64) -> Vec<Tally> {
    let bound =
        |i: u64| job.first + (u128::from(job.count) * u128::from(i) / u128::from(threads)) as u64;
    std::thread::scope(|scope| {
        let part = |i: u64| {
            let (first, end) = (bound(i), bound(i + 1));
            let part = Job { first, count: end - first, ..*job };
            scope.spawn(move || run(game, &part))
        };
        let parts: Vec<_> = (0..threads).map(part).collect();
        let join = |part: std::thread::ScopedJoinHandle<'_, Tally>| {
            part.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        parts.into_iter().map(join).collect()
    })
}
