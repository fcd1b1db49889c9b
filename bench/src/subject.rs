//! A game loaded into an engine, as verification and measuring see it: in this process
//! ([`Local`]) or behind the worker protocol ([`Worker`](crate::client::Worker)).

use std::rc::Rc;
use std::time::Instant;

use play::kit::{self, Effort};
use play::{
    BuildFact, Game, Job, NoChance, Position, Promise, Rng, Script, Tally, Via, settle, tree,
};
use rayon::prelude::*;
use reports::Verdict;

use crate::analysis::{self, Sampled};
use crate::belief::{self, ChanceWalk, Explorer, Outcomes, walk_to_the_end};
use crate::failure::{Failure, if_supported};
use crate::outcomes::{Positions, play_settled, view};
use crate::protocol::{KitFindings, Observed, Ran, View, Walked};
use crate::random_walk::{LOOK, WalkId, random_walk};
use crate::raw;

/// A game loaded into an engine.
pub trait Subject: Send {
    /// Name of the engine.
    fn name(&self) -> &str;

    /// The family that the engine belongs to: engines of one lineage share parts, and may share
    /// faults, so that where engines differ they have one vote together.
    fn lineage(&self) -> &str {
        self.name()
    }

    /// True if it is an engine of our own. These draw from one generator, so that engines which
    /// have nothing else in common may play the same playouts.
    fn is_own(&self) -> bool {
        true
    }

    /// True if a way is something of its own.
    fn has(&self, via: Via) -> bool {
        matches!(via, Via::Fast | Via::Reference)
    }

    /// True if the playouts of a way are promised to be those of [`Via::Reference`], one by one.
    fn plays_like_reference(&self, _via: Via) -> bool {
        true
    }

    /// True if labels and percepts are the words of the game, which all of its descriptions say:
    /// then two engines that name an action otherwise play differently.
    fn says_words(&self) -> bool {
        false
    }

    /// The known difference between the rules that it plays and those it was given; `None` if they
    /// are meant to be the same.
    fn variant(&self) -> Option<&str> {
        None
    }

    /// Number of players.
    fn players(&self) -> u8;

    /// True if chance has a say in the game. Its outcomes have no order that engines share, so that
    /// a path of action numbers leads to one position of several.
    fn chance(&self) -> bool;

    /// Simulations of each search that it makes in the place of a playout; 0 if it plays playouts.
    fn simulations(&self) -> u32 {
        0
    }

    /// The number of playouts that a long job plays side by side; 1 if they are played one after
    /// another.
    fn lanes(&self) -> u64;

    /// Leaf counts at depth 1..=`depth`, or `None` where the budget ran out.
    fn perft(&mut self, depth: u32, budget: u64) -> Result<Option<Vec<u64>>, Failure>;

    /// Fingerprint of the tree to `depth`, whatever chance does, or `None` where the budget ran
    /// out.
    fn fingerprint(&mut self, depth: u32, budget: u64) -> Result<Option<u64>, Failure>;

    /// True if [`Subject::look_at`] takes outcomes of chance.
    fn takes_outcomes(&self) -> bool {
        false
    }

    /// The position that a path of action numbers leads to; in games of chance, one of them.
    fn look(&mut self, path: &[usize], depth: u32, budget: u64) -> Result<View, Failure> {
        self.look_at(path, &[], depth, budget)
    }

    /// The position that a path of action numbers leads to, where chance does what these numbers
    /// say, one for the start and one for each action; none of them if any will do.
    fn look_at(
        &mut self,
        path: &[usize],
        chance: &[u64],
        depth: u32,
        budget: u64,
    ) -> Result<View, Failure>;

    /// Takes a walk in a game of chance, and says what was observed; only called where
    /// [`Subject::takes_outcomes`]. `follow` is what is to be observed, see [`belief::observe`].
    fn observe(&mut self, walk: ChanceWalk, follow: &[(u64, u64)]) -> Result<Observed, Failure> {
        observe_by_looking(self, walk, follow)
    }

    /// Takes so many random walks from this one on.
    fn random_walks(&mut self, first: WalkId, count: u64) -> Result<Vec<Walked>, Failure> {
        walk_by_looking(self, first, count)
    }

    /// Plays a job.
    fn run(&mut self, job: &Job, via: Via, threads: u32) -> Result<Ran, Failure>;

    /// Plays a job in jobs of so many playouts, one after the other.
    fn run_in_jobs(
        &mut self,
        whole: &Job,
        size: u64,
        via: Via,
        threads: u32,
    ) -> Result<Ran, Failure> {
        run_one_by_one(self, whole, size, via, threads)
    }

    /// Plays a job position by position through the view that walks have, each playout by its own
    /// draws: the playouts of the reference loop. `None` from an engine whose draws are not ours.
    fn step(&mut self, _job: &Job) -> Result<Option<Ran>, Failure> {
        Ok(None)
    }

    /// Like [`Subject::perft`], with forced passes counted as plies.
    fn raw_perft(&mut self, depth: u32, budget: u64) -> Result<Option<Vec<u64>>, Failure>;

    /// Like [`Subject::run`], with forced passes counted as plies; position by position.
    fn raw_run(&mut self, job: &Job) -> Result<Ran, Failure>;

    /// What is seen in random games; unsupported where the engine is a program of others.
    fn analyse(&mut self, _effort: &analysis::Effort) -> Result<Sampled, Failure> {
        Err(cannot_analyse())
    }

    /// The conformance kit; `None` from an engine that has none.
    fn kit(&mut self, effort: &Effort) -> Result<Option<KitFindings>, Failure>;
}

/// The refusal of engines that are programs of others to say what is seen in random games.
pub(crate) fn cannot_analyse() -> Failure {
    Failure::new(Verdict::Unsupported, "only engines of ggpbench itself say what they see")
}

/// Most positions of a belief on the walks that an engine takes by itself; fewer where each is
/// asked for.
const WIDTH: u32 = 256;

/// Takes random walks by asking what there is after each ply; none in games of chance from an
/// engine that cannot be told what chance does.
pub(crate) fn walk_by_looking<S: Subject + ?Sized>(
    subject: &mut S,
    first: WalkId,
    count: u64,
) -> Result<Vec<Walked>, Failure> {
    if subject.chance() {
        if !subject.takes_outcomes() {
            return Ok(Vec::new());
        }
        let mut looking = Looking { subject };
        let walks = first.and_next(count).map(|id| walk_to_the_end(&mut looking, id, WIDTH / 4));
        // Some outcomes are too many for its list, and it draws none.
        return Ok(if_supported(walks.collect())?.unwrap_or_default());
    }
    let look = &mut |path: &[usize], depth| subject.look(path, depth, LOOK);
    first.and_next(count).map(|id| random_walk(id, look)).collect()
}

/// Like [`Subject::observe`], by asking for the position after each outcome of chance.
pub(crate) fn observe_by_looking<S: Subject + ?Sized>(
    subject: &mut S,
    walk: ChanceWalk,
    follow: &[(u64, u64)],
) -> Result<Observed, Failure> {
    Ok(belief::observe(&mut Looking { subject }, walk, follow)?.observed)
}

/// The positions of an engine that can be told what chance does.
struct Looking<'s, S: ?Sized> {
    subject: &'s mut S,
}

/// A position that was looked at, and how it was come by.
struct Looked {
    path: Vec<usize>,
    chance: Vec<u64>,
    view: View,
}

/// Numbers from here on stand for draws of their own: nobody numbers so many outcomes.
const DRAWS: u64 = 1 << 32;

impl<S: Subject + ?Sized> Looking<'_, S> {
    fn step(
        &mut self,
        from: Option<(&Rc<Looked>, usize)>,
        outcome: u64,
    ) -> Result<Looked, Failure> {
        let (mut path, mut chance) = (Vec::new(), Vec::new());
        if let Some((before, action)) = from {
            path = [&before.path[..], &[action]].concat();
            chance.clone_from(&before.chance);
        }
        chance.push(outcome);
        let view = self.subject.look_at(&path, &chance, 0, 0)?;
        Ok(Looked { path, chance, view })
    }
}

impl<S: Subject + ?Sized> Explorer for Looking<'_, S> {
    type At = Rc<Looked>;

    fn outcomes(
        &mut self,
        from: Option<(&Rc<Looked>, usize)>,
        most: usize,
    ) -> Result<Option<Outcomes<Rc<Looked>>>, Failure> {
        let mut all = vec![self.step(from, 0)?];
        let count = all[0].view.outcomes.unwrap_or(0);
        if count == 0 || count > most as u64 {
            return Ok(None);
        }
        for outcome in 1..count {
            all.push(self.step(from, outcome)?);
        }
        let whole: f64 = all.iter().filter_map(|looked| looked.view.odds).sum();
        if (whole - 1.0).abs() > 1e-6 {
            let reason = format!(
                "the odds of the {count} outcomes of chance after the actions {:?} add up to \
                 {whole}",
                all[0].path
            );
            return Err(Failure::new(Verdict::Wrong, reason));
        }
        let with_odds = |looked: Looked| {
            let odds = looked.view.odds.unwrap_or(0.0);
            (Rc::new(looked), odds)
        };
        Ok(Some(all.into_iter().map(with_odds).collect()))
    }

    fn draw(
        &mut self,
        from: Option<(&Rc<Looked>, usize)>,
        number: u32,
    ) -> Result<Rc<Looked>, Failure> {
        self.step(from, DRAWS + u64::from(number)).map(Rc::new)
    }

    fn view(&mut self, at: &Rc<Looked>, depth: u32) -> Result<View, Failure> {
        match depth {
            0 => Ok(at.view.clone()),
            _ => self.subject.look_at(&at.path, &at.chance, depth, LOOK),
        }
    }
}

/// Plays a job in jobs of so many playouts, each asked for by itself.
pub(crate) fn run_one_by_one<S: Subject + ?Sized>(
    subject: &mut S,
    whole: &Job,
    size: u64,
    via: Via,
    threads: u32,
) -> Result<Ran, Failure> {
    let parts = whole.in_parts(size).map(|job| subject.run(&job, via, threads));
    let parts: Vec<Ran> = parts.collect::<Result<_, _>>()?;
    let sum = Ran::sum(parts).map_err(|why| Failure::new(Verdict::Wrong, why))?;
    sum.ok_or_else(|| Failure::new(Verdict::Crashed, "a job without playouts"))
}

/// The number of playouts that an engine plays side by side, by its own account.
pub(crate) fn lanes(said: Option<u64>) -> u64 {
    said.map_or(1, |lanes| lanes.clamp(1, MOST_LANES))
}

/// More lanes than anybody has are not believed.
const MOST_LANES: u64 = 1 << 20;

/// Playouts for each lane of a job that is to show how fast lanes are: while the last playouts go
/// on, other lanes stand empty, and in shorter jobs most of the time.
const FILLS: u64 = 4;

/// Playouts of a job that keeps so many lanes full for most of its time.
pub(crate) fn filled(lanes: u64) -> u64 {
    if lanes <= 1 { 1 } else { lanes * FILLS }
}

/// A game in this process.
pub struct Local<'g> {
    name: String,
    lineage: String,
    says_words: bool,
    game: &'g dyn Game,
    /// The positions along the path last looked at, the initial one first.
    trail: Vec<Box<dyn Position + 'g>>,
    path: Vec<usize>,
}

impl<'g> Local<'g> {
    /// Wraps a game, on an engine of a lineage of its own.
    pub fn new(name: impl Into<String>, game: &'g dyn Game) -> Local<'g> {
        let name = name.into();
        let (trail, path) = (Vec::new(), Vec::new());
        Local { lineage: name.clone(), name, says_words: false, game, trail, path }
    }

    /// The same, on an engine of this lineage.
    #[must_use]
    pub fn of_lineage(self, lineage: impl Into<String>) -> Local<'g> {
        Local { lineage: lineage.into(), ..self }
    }

    /// The same, which says the words that all descriptions of the game say.
    #[must_use]
    pub fn saying_words(self, says_words: bool) -> Local<'g> {
        Local { says_words, ..self }
    }

    fn open(&self) -> Box<dyn Position + 'g> {
        let mut chance = Script::default();
        let mut position = self.game.open(&mut chance);
        settle(&mut *position, &mut chance);
        position
    }

    /// Follows a path, reusing what it has in common with the last one.
    fn follow(&mut self, path: &[usize]) -> Result<&dyn Position, Failure> {
        if self.trail.is_empty() {
            self.trail.push(self.open());
        }
        let common = self.path.iter().zip(path).take_while(|(a, b)| a == b).count();
        self.trail.truncate(common + 1);
        self.path.truncate(common);
        for &action in &path[common..] {
            // Chance answers with a stream that depends on the place on the path alone.
            let mut next = self.trail[self.path.len()].copy();
            play_settled(&mut *next, action, &mut Rng::stream(0, self.path.len() as u64))?;
            self.trail.push(next);
            self.path.push(action);
        }
        Ok(&*self.trail[path.len()])
    }

    /// Follows a path on which chance does what these numbers say.
    fn follow_chance(&self, path: &[usize], chance: &[u64]) -> Result<Outcome<'g>, Failure> {
        let positions = Positions { game: self.game };
        let mut last: Option<Outcome<'g>> = None;
        for (ply, &number) in chance.iter().take(path.len() + 1).enumerate() {
            let from = last.as_ref().map(|before| (&*before.position, path[ply - 1]));
            let mut all = positions.all(from, MOST_NUMBERED)?.unwrap_or_default();
            let of = all.len() as u64;
            let (position, odds) = if number < of {
                let (position, odds) = all.swap_remove(number as usize);
                (position, Some(odds))
            } else {
                (positions.drawn(from, number)?, None)
            };
            last = Some(Outcome { position, of, odds });
        }
        last.filter(|_| chance.len() == path.len() + 1).ok_or_else(|| {
            let reason = "`chance` has a number for the start and one for each action";
            Failure::new(Verdict::Crashed, reason)
        })
    }
}

/// An outcome of chance at one step.
struct Outcome<'g> {
    position: Box<dyn Position + 'g>,
    /// The number of outcomes that have numbers.
    of: u64,
    /// The probability of this one, if it has one.
    odds: Option<f64>,
}

/// Outcomes of chance at one step that have numbers.
const MOST_NUMBERED: usize = 4096;

/// Positions that a game of chance may begin with, if it is to have a fingerprint.
const MOST_STARTS: usize = 2000;

/// One fingerprint for several, each with its probability: equal ones are put together, and
/// probabilities compared to nine digits.
fn of_distribution(mut prints: Vec<(u64, f64)>) -> u64 {
    prints.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    prints.chunk_by(|a, b| a.0 == b.0).fold(0x57a7, |h, same| {
        let p: f64 = same.iter().map(|&(_, p)| p).sum();
        play::mix(play::mix(h ^ same[0].0) ^ (p * 1e9).round() as u64)
    })
}

impl Subject for Local<'_> {
    fn name(&self) -> &str {
        &self.name
    }

    fn lineage(&self) -> &str {
        &self.lineage
    }

    fn says_words(&self) -> bool {
        self.says_words
    }

    fn has(&self, via: Via) -> bool {
        self.game.facts().mode(via).is_some()
    }

    fn plays_like_reference(&self, via: Via) -> bool {
        let mode = self.game.facts().mode(via);
        mode.is_none_or(|mode| mode.promise == Promise::SamePlayouts)
    }

    fn players(&self) -> u8 {
        self.game.facts().players
    }

    fn chance(&self) -> bool {
        self.game.facts().chance
    }

    fn simulations(&self) -> u32 {
        self.game.facts().simulations
    }

    fn lanes(&self) -> u64 {
        lanes(self.game.facts().built(BuildFact::Lanes))
    }

    fn perft(&mut self, depth: u32, budget: u64) -> Result<Option<Vec<u64>>, Failure> {
        Ok(tree::perft(&*self.open(), depth, budget, self.game.facts().chance))
    }

    fn fingerprint(&mut self, depth: u32, mut budget: u64) -> Result<Option<u64>, Failure> {
        // All positions that the game may begin with, by what they are and how likely.
        let mut starts: Vec<(u64, f64)> = Vec::new();
        let mut chance = Script::default();
        loop {
            chance.rewind();
            let mut position = self.game.open(&mut chance);
            settle(&mut *position, &mut chance);
            // Passes forced by throws of dice may be many on the way to the first choice.
            let draws = chance.outcomes().count() as u64;
            let Some(left) = budget.checked_sub(draws) else { return Ok(None) };
            budget = left;
            let Some(print) = tree::fingerprint(&*position, depth, &mut budget) else {
                return Ok(None);
            };
            starts.push((print, chance.probability()));
            if !chance.advance() {
                break;
            }
            if starts.len() == MOST_STARTS {
                return Ok(None);
            }
        }
        Ok(Some(match starts[..] {
            [(print, _)] => print,
            _ => of_distribution(starts),
        }))
    }

    fn takes_outcomes(&self) -> bool {
        true
    }

    fn look_at(
        &mut self,
        path: &[usize],
        chance: &[u64],
        depth: u32,
        budget: u64,
    ) -> Result<View, Failure> {
        let perceiving = self.game.facts().perceiving();
        if chance.is_empty() {
            let position = self.follow(path)?;
            return Ok(View { draw: position.draw(), ..view(position, perceiving, depth, budget) });
        }
        let Outcome { position, of, odds } = self.follow_chance(path, chance)?;
        let view = view(&*position, perceiving, depth, budget);
        Ok(View { outcomes: Some(of), odds, draw: position.draw(), ..view })
    }

    fn observe(&mut self, walk: ChanceWalk, follow: &[(u64, u64)]) -> Result<Observed, Failure> {
        Ok(belief::observe(&mut Positions { game: self.game }, walk, follow)?.observed)
    }

    fn random_walks(&mut self, first: WalkId, count: u64) -> Result<Vec<Walked>, Failure> {
        if self.chance() {
            let mut positions = Positions { game: self.game };
            let walks = first.and_next(count);
            return walks.map(|id| walk_to_the_end(&mut positions, id, WIDTH)).collect();
        }
        let walk = |id: WalkId| {
            let mut position = self.open();
            let mut plies = 0;
            random_walk(id, &mut |path, depth| {
                for &action in &path[plies..] {
                    play_settled(&mut *position, action, &mut NoChance)?;
                    plies += 1;
                }
                Ok(view(&*position, self.game.facts().perceiving(), depth, LOOK))
            })
        };
        first.and_next(count).map(walk).collect()
    }

    fn run(&mut self, job: &Job, via: Via, threads: u32) -> Result<Ran, Failure> {
        timed(|| run_on_threads(self.game, job, via, threads))
    }

    fn raw_perft(&mut self, depth: u32, budget: u64) -> Result<Option<Vec<u64>>, Failure> {
        let start = self.game.open(&mut Script::default());
        Ok(raw::perft(&*start, depth, budget, self.chance()))
    }

    fn raw_run(&mut self, job: &Job) -> Result<Ran, Failure> {
        let game = self.game;
        timed(|| Ok(raw::run(&|rng: &mut Rng| game.open(rng), job)))
    }

    fn step(&mut self, job: &Job) -> Result<Option<Ran>, Failure> {
        let game = self.game;
        timed(|| Ok(raw::run_listed(&|rng: &mut Rng| game.open(rng), job))).map(Some)
    }

    fn analyse(&mut self, effort: &analysis::Effort) -> Result<Sampled, Failure> {
        Ok(analysis::sample(self.game, effort))
    }

    fn kit(&mut self, effort: &Effort) -> Result<Option<KitFindings>, Failure> {
        let report = kit::check(self.game, effort);
        Ok(Some(KitFindings {
            faults: report.faults,
            plies: report.plies,
            playouts: report.playouts,
            fast: report.fast.map(|agreement| agreement.to_string()),
            batch: report.batch.map(|agreement| agreement.to_string()),
            interpreted: report.interpreted.map(|agreement| agreement.to_string()),
        }))
    }
}

/// Plays, and takes the time.
fn timed(play: impl FnOnce() -> Result<Tally, Failure>) -> Result<Ran, Failure> {
    let start = Instant::now();
    let cpu = crate::clock::process_cpu_ns();
    let tally = play()?;
    let cpu_ns = crate::clock::process_cpu_ns().saturating_sub(cpu);
    let wall_ns = start.elapsed().as_nanos() as u64;
    Ok(Ran::new(&tally, wall_ns.max(1), cpu_ns.max(1), crate::clock::peak_bytes()))
}

/// Plays a job on so many threads: the ids are shared out in pieces that fill the lanes where they
/// can, and since a tally is a commutative sum, the result is the same on any number of threads.
fn run_on_threads(game: &dyn Game, job: &Job, via: Via, threads: u32) -> Result<Tally, Failure> {
    if threads <= 1 {
        return Ok(game.run(job, via));
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads as usize)
        .build()
        .map_err(|error| Failure::new(Verdict::Crashed, format!("no thread pool: {error}")))?;
    // More pieces than threads, so that unequal playouts even out.
    let full = filled(lanes(game.facts().built(BuildFact::Lanes)));
    let pieces = (job.count / full).clamp(u64::from(threads), u64::from(threads) * 8);
    let bound =
        |i: u64| job.first + (u128::from(job.count) * u128::from(i) / u128::from(pieces)) as u64;
    Ok(pool.install(|| {
        (0..pieces)
            .into_par_iter()
            .map(|i| {
                let (first, end) = (bound(i), bound(i + 1));
                game.run(&Job { first, count: end - first, ..*job }, via)
            })
            .reduce(Tally::default, |mut a, b| {
                a += &b;
                a
            })
    }))
}
