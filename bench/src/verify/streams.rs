//! The check that playouts are what their ids say: each with a random stream of its own, made from
//! the seed and the id, however a job is cut. The harness asks for playouts and compares what
//! comes; it trusts no kit of the engine's.

mod coincidence;
mod far_lags;

use std::time::{Duration, Instant};

use play::{Job, Scores, Tally, Via, mix};
use reports::Verdict;

use coincidence::{Alarm, Count};

use super::effort::Effort;
use crate::failure::{Failure, if_supported};
use crate::playout_ids::PlayoutIds;
use crate::subject::{Subject, filled};

/// The results of checking the streams of an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Streams {
    /// Playouts that were asked for one by one.
    pub single: u64,
    /// The ends and lengths of these, as hashes.
    pub results: Vec<u64>,
    /// Playouts of the job that was asked for again, in parts and on two threads.
    pub together: u64,
    /// Playouts that were taken position by position, too; none of engines that draw otherwise.
    pub stepped: u64,
    /// The faults, each in a sentence that says what the author must do.
    pub faults: Vec<String>,
}

/// Most playouts that are asked for one by one.
const SINGLES: u64 = 4096;

/// Most playouts under other seeds, to see how playouts of unrelated streams coincide.
const UNRELATED: u64 = 512;

/// Checks the streams of an engine that plays about `affordable` playouts in the time.
pub(super) fn check(
    subject: &mut dyn Subject,
    affordable: u64,
    effort: &Effort,
    ids: &mut PlayoutIds,
) -> Result<Streams, Failure> {
    let mut streams = Streams::default();
    let mut ways = vec![Via::Fast, Via::Batch, Via::Interpreted, Via::Listed];
    ways.retain(|&via| subject.has(via));
    let job = Job { count: 2, ..ids.job(SINGLES.max(filled(subject.lanes())), effort.cap) };
    let singles = one_by_one(subject, &job, Via::Fast, effort.time / 3, SINGLES)?;
    streams.single = singles.len() as u64;
    streams.results = results(&singles);
    // What a busy machine has time for is enough to see whether ways to cut a job agree.
    for &via in &ways {
        let few;
        let singles = if via == Via::Fast {
            &singles
        } else {
            few = one_by_one(subject, &job, via, effort.time / 16, streams.single)?;
            &few
        };
        let job = Job { count: singles.len() as u64, ..job };
        check_sums(subject, &job, via, singles, affordable, &mut streams)?;
    }
    if streams.faults.is_empty() {
        check_independence(subject, &job, &singles, effort, &mut streams)?;
    }
    // What cannot be split need not be compared.
    let mut by_reference = 0;
    if streams.faults.is_empty() && subject.plays_like_reference(Via::Fast) {
        by_reference = check_reference(subject, &job, &singles, effort.time / 16, &mut streams)?;
    }
    if streams.faults.is_empty() && subject.simulations() == 0 {
        check_steps(subject, ids, effort, &mut streams)?;
    }
    if streams.faults.is_empty() {
        let plies: u64 = singles.iter().map(|single| single.plies).sum();
        let mean = plies / singles.len() as u64;
        let longest = singles.iter().map(|single| single.plies).max().unwrap_or(0);
        // Lanes may be treated otherwise where all of them are full. The reference is asked for as
        // many, in a quarter of the time at most.
        let full = subject.lanes().min(4 * by_reference);
        let count = (singles.len() as u64 / 16).max(full).max(2);
        // One that most playouts reach, and one that only the longest do.
        for cap in [mean / 2, longest.saturating_sub(1)] {
            let cap = u32::try_from(cap).unwrap_or(u32::MAX).clamp(1, effort.cap.max(1));
            check_cap(subject, &ways, &Job { count, cap, ..job }, &mut streams)?;
        }
    }
    Ok(streams)
}

fn run(subject: &mut dyn Subject, job: &Job, via: Via, threads: u32) -> Result<Tally, Failure> {
    let tally = subject.run(job, via, threads)?.tally();
    tally.map_err(|fault| Failure::new(Verdict::Crashed, fault))
}

/// The playouts from the first of a job on, each in a job of its own: at least two, and as many as
/// the time allows.
fn one_by_one(
    subject: &mut dyn Subject,
    job: &Job,
    via: Via,
    time: Duration,
    most: u64,
) -> Result<Vec<Tally>, Failure> {
    let start = Instant::now();
    let mut singles = Vec::new();
    while singles.len() < 2 || ((singles.len() as u64) < most && start.elapsed() < time) {
        let job = Job { first: job.first + singles.len() as u64, count: 1, ..*job };
        singles.push(run(subject, &job, via, 1)?);
    }
    Ok(singles)
}

/// The reference loop must play the same playouts; how many it played. Engines without such a loop
/// refuse, or play them in their only way.
fn check_reference(
    subject: &mut dyn Subject,
    job: &Job,
    singles: &[Tally],
    time: Duration,
    streams: &mut Streams,
) -> Result<u64, Failure> {
    let played = one_by_one(subject, job, Via::Reference, time, singles.len() as u64);
    let Some(reference) = if_supported(played)? else { return Ok(0) };
    let mut pairs = singles.iter().zip(&reference);
    if let Some(number) = pairs.position(|(fast, reference)| fast != reference) {
        streams.faults.push(format!(
            "the fast path and the reference do not play the same playouts, as promised: playout \
             {} \
             has {} plies, and {} by the reference; draw in the same order, or say why only their \
             distribution is the same",
            job.first + number as u64,
            singles[number].plies,
            reference[number].plies
        ));
    }
    Ok(reference.len() as u64)
}

/// Playouts must be random walks through the engine's own positions: those that are taken position
/// by position, with the draws of the playout, must be the same, also where all ways of playing go
/// wrong alike.
fn check_steps(
    subject: &mut dyn Subject,
    ids: &mut PlayoutIds,
    effort: &Effort,
    streams: &mut Streams,
) -> Result<(), Failure> {
    let fast = subject.plays_like_reference(Via::Fast);
    let via = if fast { Via::Fast } else { Via::Reference };
    let (start, mut count) = (Instant::now(), 8);
    while start.elapsed() * 2 < effort.time / 4 && streams.stepped < MOST_STEPPED {
        let job = ids.job(count, effort.cap);
        let before = Instant::now();
        if !is_stepped(subject, &job, via, streams)? {
            return Ok(());
        }
        if before.elapsed() * 8 < effort.time / 4 {
            count *= 4;
        }
    }
    Ok(())
}

/// Most playouts that are taken position by position.
const MOST_STEPPED: u64 = 1 << 16;

/// True if a job is the same position by position; looks no further than the first playout that is
/// not.
fn is_stepped(
    subject: &mut dyn Subject,
    job: &Job,
    via: Via,
    streams: &mut Streams,
) -> Result<bool, Failure> {
    let Some(stepped) = subject.step(job)? else { return Ok(false) };
    let stepped = stepped.tally().map_err(|fault| Failure::new(Verdict::Crashed, fault))?;
    let played = run(subject, job, via, 1)?;
    if stepped == played {
        streams.stepped += job.count;
        return Ok(true);
    }
    if job.count > 1 {
        let head = Job { count: job.count / 2, ..*job };
        let tail = Job { first: job.first + head.count, count: job.count - head.count, ..*job };
        return Ok(
            is_stepped(subject, &head, via, streams)? && is_stepped(subject, &tail, via, streams)?
        );
    }
    let ends = |tally: &Tally| match tally.outcomes().into_keys().next() {
        Some(scores) => format!("{} plies and ends {scores}", tally.plies),
        None => format!("{} plies and no end", tally.plies),
    };
    streams.faults.push(format!(
        "playout {} of seed {} has {} ({}), and {} where it is taken position by position, with \
         the same draws: playouts must be random walks through the engine's own positions",
        job.first,
        job.seed,
        ends(&played),
        via.name(),
        ends(&stepped)
    ));
    Ok(false)
}

/// A cap that many playouts reach must end them alike in every way of playing, at the very ply.
fn check_cap(
    subject: &mut dyn Subject,
    ways: &[Via],
    job: &Job,
    streams: &mut Streams,
) -> Result<(), Failure> {
    let Some(ran) = if_supported(subject.run(job, Via::Reference, 1))? else { return Ok(()) };
    let reference = ran.tally().map_err(|fault| Failure::new(Verdict::Crashed, fault))?;
    for &via in ways {
        let tally = run(subject, job, via, 1)?;
        if tally.plies > job.count * u64::from(job.cap)
            || (subject.plays_like_reference(via) && tally != reference)
        {
            streams.faults.push(format!(
                "{} playouts that end after at most {} plies have {} plies, and {} by the \
                 reference \
                 ({}): a playout that has reached the cap and is not over counts as capped, and \
                 plays \
                 no further",
                job.count,
                job.cap,
                tally.plies,
                reference.plies,
                via.name()
            ));
        }
    }
    Ok(())
}

/// However a job is cut, the sums must be the same.
fn check_sums(
    subject: &mut dyn Subject,
    job: &Job,
    via: Via,
    singles: &[Tally],
    affordable: u64,
    streams: &mut Streams,
) -> Result<(), Failure> {
    let way = via.name();
    let whole = run(subject, job, via, 1)?;
    if whole.playouts != job.count {
        let Job { count, .. } = job;
        streams.faults.push(format!("{} playouts of {count} asked for ({way})", whole.playouts));
        return Ok(());
    }
    let mut sum = Tally::default();
    for single in singles {
        sum += single;
    }
    if sum != whole {
        streams.faults.push(format!(
            "{} playouts asked for one by one do not add up to the job of all of them ({way}): \
             give \
             each id a random stream of its own, made from the seed and the id alone, whatever \
             lane \
             or place of a job it is played in",
            job.count
        ));
    }
    // Lanes are crossed where there are more playouts than lanes.
    let longer = filled(subject.lanes()).min(affordable / 8).max(job.count);
    let job = Job { count: longer, ..*job };
    streams.together = streams.together.max(longer);
    let whole = run(subject, &job, via, 1)?;
    if run(subject, &job, via, 1)? != whole {
        streams.faults.push(format!(
            "the same job gives another tally the second time ({way}): draw from the seed and the \
             ids alone, and carry nothing over from one job to the next"
        ));
        return Ok(());
    }
    let head = Job { count: longer / 3, ..job };
    let tail = Job { first: job.first + head.count, count: longer - head.count, ..job };
    let mut parts = run(subject, &tail, via, 1)?;
    if head.count > 0 {
        parts += &run(subject, &head, via, 1)?;
    }
    if parts != whole {
        streams.faults.push(format!(
            "the tallies of {} and {} playouts do not add up to that of all {longer} ({way}): what \
             a playout is must depend on its id, and not on the job that it is part of",
            head.count, tail.count
        ));
    }
    if if_supported(run(subject, &job, via, 2))?.is_some_and(|tally| tally != whole) {
        streams.faults.push(format!(
            "two threads give another tally than one ({way}): threads must share out the ids, and \
             nothing else"
        ));
    }
    Ok(())
}

/// The end and the length of a playout, as a hash.
fn result(single: &Tally) -> u64 {
    let scores = single.outcomes().into_keys().next().map_or(0, Scores::bits);
    [single.plies, scores, single.capped, single.stuck].into_iter().fold(0, |h, n| mix(h ^ n) + 1)
}

fn results(singles: &[Tally]) -> Vec<u64> {
    singles.iter().map(result).collect()
}

/// True if the playouts of two programs coincide, id by id, more often than by chance: then they
/// draw alike, which programs that were written apart do not.
pub(super) fn coincide(a: &Streams, b: &Streams) -> bool {
    Alarm::new(&a.results, &b.results, 1).is_some_and(|alarm| alarm.is_rare(compared(a, b)))
}

/// True if there are too few playouts to tell two programs apart, and all of them coincide.
pub(super) fn cannot_be_told_apart(a: &Streams, b: &Streams) -> bool {
    let count = compared(a, b);
    count.alike == count.pairs && count.pairs < FEW
}

/// Playouts which would tell programs apart, unless nearly all playouts of the game are alike.
const FEW: u32 = 64;

fn compared(a: &Streams, b: &Streams) -> Count {
    let mut count = Count::default();
    a.results.iter().zip(&b.results).for_each(|(a, b)| count.add(a == b));
    count
}

/// Playouts of different ids, and of different seeds, must coincide no more often than by chance.
fn check_independence(
    subject: &mut dyn Subject,
    job: &Job,
    singles: &[Tally],
    effort: &Effort,
    streams: &mut Streams,
) -> Result<(), Failure> {
    let most = singles.len() as u64;
    let next = Job { seed: job.seed.wrapping_add(1), ..*job };
    let next = one_by_one(subject, &next, Via::Fast, effort.time / 3, most)?;
    let mut unrelated = Vec::new();
    let start = Instant::now();
    while unrelated.len() < 2
        || ((unrelated.len() as u64) < most.min(UNRELATED) && start.elapsed() < effort.time / 16)
    {
        let number = 2 + unrelated.len() as u64;
        let (seed, first) = (job.seed.wrapping_add(number), job.first + number * 97);
        unrelated.push(run(subject, &Job { seed, first, count: 1, ..*job }, Via::Fast, 1)?);
    }
    let (next, unrelated) = (results(&next), results(&unrelated));
    let Some(alarm) = Alarm::new(&streams.results, &unrelated, tests(singles.len())) else {
        return Ok(());
    };
    streams.faults.extend(repeated(&streams.results, &next, &alarm));
    if streams.faults.is_empty() {
        let start = Instant::now();
        let ask = |first: u64| {
            let is_time_left = start.elapsed() < effort.time / 8;
            let ask = || run(subject, &Job { first, count: 1, ..*job }, Via::Fast, 1);
            is_time_left.then(ask).transpose()
        };
        streams.faults.extend(check_far_lags(job, &streams.results, &alarm, ask)?);
    }
    Ok(())
}

/// Playouts whose ids lie far apart must coincide no more often than by chance. `ask` plays an id,
/// until the time is up.
fn check_far_lags(
    job: &Job,
    successive: &[u64],
    alarm: &Alarm,
    mut ask: impl FnMut(u64) -> Result<Option<Tally>, Failure>,
) -> Result<Option<String>, Failure> {
    let playouts = far_lags::playouts(successive.len(), alarm);
    let near = &successive[..playouts.min(successive.len())];
    for lag in far_lags::lags(successive.len(), job.seed) {
        let mut far = Vec::with_capacity(playouts);
        for id in 0..playouts as u64 {
            match ask(job.first + lag - 1 + id)? {
                Some(tally) => far.push(result(&tally)),
                None => return Ok(None),
            }
        }
        if let Some((lag, count)) = far_lags::repeated(near, &far, lag, alarm) {
            return Ok(Some(too_often(lag, count, alarm)));
        }
    }
    Ok(None)
}

/// The fault that playouts coincide too often whose ids lie so far apart.
fn too_often(lag: u64, count: Count, alarm: &Alarm) -> String {
    format!(
        "playouts whose ids lie {lag} apart coincide in {} of {} cases, where chance explains \
         {:.0} %: give each id a random stream of its own",
        count.alike,
        count.pairs,
        100.0 * alarm.chance
    )
}

/// Successive ids up to this far apart are compared.
const FURTHEST: usize = 2048;

/// Ids are compared by what they leave when divided by this, in case lanes share streams.
const LANES: usize = 64;

/// The number of tests of so many successive playouts.
fn tests(successive: usize) -> usize {
    2 * (furthest(successive) + LANES * LANES) + 3 + far_lags::TESTS
}

fn furthest(successive: usize) -> usize {
    FURTHEST.min(successive.saturating_sub(1))
}

/// Playouts that coincide too often, in a sentence. `own` are those of successive ids, `next` those
/// of the same ids under the next seed.
fn repeated(own: &[u64], next: &[u64], alarm: &Alarm) -> Option<String> {
    let Alarm { chance, .. } = *alarm;
    for (name, shift) in [("the same id", 0), ("the next id", 1)] {
        let mut count = Count::default();
        own.iter().skip(shift).zip(next).for_each(|(a, b)| count.add(a == b));
        if alarm.is_rare(count) {
            return Some(format!(
                "playouts coincide with those of {name} under the next seed in {} of {} cases, \
                 where \
                 chance explains {:.0} %: mix all bits of the seed and of the id into the stream",
                count.alike,
                count.pairs,
                100.0 * chance
            ));
        }
    }
    for lag in 1..=furthest(own.len()) {
        // Blocks of `lag` ids are even or odd: no id is in two pairs of one count, so that the
        // pairs of a count are independent.
        let mut halves = [Count::default(); 2];
        let mut classes = [[Count::default(); LANES]; 2];
        for (id, pair) in own.iter().zip(&own[lag..]).enumerate() {
            let half = id / lag % 2;
            halves[half].add(pair.0 == pair.1);
            // No id of a class is in another one, unless the lag is that of the classes.
            let half = if lag == LANES { half } else { 0 };
            classes[half][id % LANES].add(pair.0 == pair.1);
        }
        if let Some(&count) = halves.iter().find(|count| alarm.is_rare(**count)) {
            return Some(too_often(lag as u64, count, alarm));
        }
        let shared = classes.iter().flat_map(|half| half.iter().enumerate());
        if lag <= LANES
            && let Some((class, count)) =
                shared.into_iter().find(|(_, count)| alarm.is_rare(**count))
        {
            return Some(format!(
                "playouts whose ids leave {class} and {} when divided by {LANES} coincide in {} \
                 of {} \
                 cases, where chance explains {:.0} %: two lanes share one random stream",
                (class + lag) % LANES,
                count.alike,
                count.pairs,
                100.0 * chance
            ));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use play::Rng;

    use super::*;

    /// The fault that is found if the stream of a playout is `stream(seed, id)`: playouts of some
    /// lengths, which are not equally likely.
    fn verdict(stream: impl Fn(u64, u64) -> (u64, u64), kinds: u32) -> Option<String> {
        let job = Job { seed: 5, first: 1 << 20, count: 1, cap: 10_000 };
        let one = |seed, id| {
            let (seed, id) = stream(seed, id - job.first);
            let mut rng = Rng::stream(seed, id);
            let plies = rng.below(kinds) + rng.below(kinds);
            let mut tally = Tally::default();
            tally.record(id, play::End { plies, ending: play::Ending::Over(play::Scores::DRAW) });
            tally
        };
        let ids = |seed| (0..SINGLES).map(|id| one(seed, job.first + id)).collect::<Vec<_>>();
        let (own, next) = (ids(5), ids(6));
        let unrelated: Vec<Tally> =
            (2..UNRELATED).map(|n| one(5 + n, job.first + n * 97)).collect();
        let [own, next, unrelated] = [&own, &next, &unrelated].map(|tallies| results(tallies));
        let alarm = Alarm::new(&own, &unrelated, tests(own.len()))?;
        repeated(&own, &next, &alarm).or_else(|| {
            check_far_lags(&job, &own, &alarm, |id| Ok(Some(one(5, id)))).expect("it plays")
        })
    }

    #[test]
    fn sound_streams_pass() {
        for kinds in [1, 2, 3, 30, 3000] {
            for seed in 0..8 {
                assert_eq!(verdict(|s, id| (s * 8 + seed, id), kinds), None, "{kinds}");
            }
        }
    }

    #[test]
    fn repeated_streams_are_caught() {
        for kinds in [3, 30] {
            let caught = |stream: &dyn Fn(u64, u64) -> (u64, u64), words: &str| {
                let fault = verdict(stream, kinds).unwrap_or_default();
                assert!(fault.contains(words), "{words}, {kinds} kinds: {fault:?}");
            };
            caught(&|s, id| (s, id / 2), "ids lie 1 apart");
            caught(&|s, id| (s, id % 777), "ids lie 777 apart");
            caught(&|s, id| (s, id & !256), "ids lie 256 apart");
            caught(&|s, id| (s, id % 1999), "ids lie 1999 apart");
            caught(&|s, id| (s, id & !4096), "ids lie 4096 apart");
            caught(&|s, id| (s, id % 16384), "ids lie ");
            caught(&|s, id| (s, u64::from(id as u32)), "ids lie ");
            caught(&|s, id| (s, id & !(1 << 40)), "ids lie 1099511627776 apart");
            caught(&|s, id| (s, id % 65_535), "ids lie ");
            caught(&|s, id| (s, id % ((1 << 20) + 1)), "ids lie 1048577 apart");
            caught(&|s, _| (s, 0), "ids lie 1 apart");
            caught(&|_, id| (0, id), "the same id under the next seed");
            caught(&|s, id| (s + id, 0), "the next id under the next seed");
        }
        // Of 64 lanes, one repeats another.
        let shared = |s, id: u64| (s, if id % 64 == 40 { id - 37 } else { id });
        let fault = verdict(shared, 30).unwrap_or_default();
        assert!(fault.contains("3 and 40 when divided by 64"), "{fault}");
    }

    /// Playouts of 3 or 30 kinds by a stream for each id.
    fn streams(seed: u64, kinds: u32, count: u64, own: impl Fn(u64) -> bool) -> Streams {
        let one = |id| {
            let mut rng = Rng::stream(if own(id) { seed } else { 0 }, id);
            u64::from(rng.below(kinds) + rng.below(kinds))
        };
        Streams { results: (0..count).map(one).collect(), ..Streams::default() }
    }

    #[test]
    fn programs_that_draw_alike_are_told_from_those_that_do_not() {
        for kinds in [3, 30] {
            let first = streams(0, kinds, 300, |_| true);
            assert!(coincide(&first, &first));
            assert!(coincide(&first, &streams(1, kinds, 200, |id| id % 4 == 0)), "three of four");
            for seed in 1..20 {
                assert!(!coincide(&first, &streams(seed, kinds, 300, |_| true)));
            }
        }
        // Too few to tell.
        let few = [0, 1].map(|seed| streams(seed, 3, 20, |_| true));
        assert!(!coincide(&few[0], &few[0]) && cannot_be_told_apart(&few[0], &few[0]));
        assert!(!cannot_be_told_apart(&few[0], &few[1]));
        // All alike, whoever plays.
        let alike = streams(0, 1, 300, |_| true);
        assert!(!coincide(&alike, &alike) && !cannot_be_told_apart(&alike, &alike));
    }
}
