//! The smallest deviation of each way of playing that would have been seen, and more playouts for
//! the ways with the largest one.
//!
//! Ways whose playouts are those of the reference loop, one by one, are one sample together. Every
//! other way has a sample of its own, and where it promises no more than a distribution, its sample
//! grows until a deviation of [`Goal::share`](super::Goal) would show beside the partner that takes
//! least time: the playouts of another lineage, recorded means, or the engine's own reference loop.
//! Whatever is suspicious then is followed up.

use std::time::Duration;

use play::kit::{self, Comparison, Contrast, Detects, FOLLOW_UP};
use play::{Tally, Via};

use super::attribute::Ruling;
use super::effort::Effort;
use super::evidence::{Contestant, WayProof};
use super::played::Played;
use super::recorded::{self, Expected};
use crate::failure::{Failure, if_supported};
use crate::playout_ids::PlayoutIds;
use crate::subject::Subject;

/// A way of an engine.
struct Way {
    via: Via,
    /// Its playouts; `None` where they are those of the fast way, one by one.
    own: Option<Played>,
    /// True if the time was up before the goal was reached.
    late: bool,
}

/// The ways of all engines, by the number of the engine.
pub(super) struct Samples {
    ways: Vec<Vec<Way>>,
    /// Own reference loops, where these are partners.
    references: Vec<Option<Played>>,
    lineages: Vec<String>,
}

/// Failure of the engine with this number.
type Culprit = (usize, Failure);

/// The partner that a sample is compared with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Partner {
    Engine(usize),
    Reference,
    Recorded,
}

/// The playouts and the time needed to reach the goal beside a partner.
struct Plan {
    partner: Partner,
    /// Playouts that the way and the partner need.
    needs: [f64; 2],
    seconds: f64,
}

/// Rounds of planning: a spread is known better after each.
const ROUNDS: u32 = 12;

/// A little more than what is needed, since a spread is only known roughly.
const MARGIN: f64 = 1.03;

/// The number of times that a suspicion is followed up: chance leaves few after the first time.
const FOLLOW_UPS: u32 = 3;

/// Takes the samples of all ways that are asked for, makes them as large as the goal wants, follows
/// suspicions up, and compares with what is recorded again. Engines that give no answer are taken
/// out and put into `failed`.
pub(super) fn raise(
    contestants: &mut [Option<Contestant<'_>>],
    expected: &Expected,
    effort: &Effort,
    failed: &mut Vec<Culprit>,
) -> Samples {
    let lineage = |contestant: &Option<Contestant<'_>>| {
        contestant.as_ref().map(|one| one.subject.lineage().to_owned()).unwrap_or_default()
    };
    let mut samples = Samples {
        ways: contestants.iter().map(|_| Vec::new()).collect(),
        references: vec![None; contestants.len()],
        lineages: contestants.iter().map(lineage).collect(),
    };
    let mut give_up = |contestants: &mut [Option<Contestant<'_>>], culprit: Culprit| {
        contestants[culprit.0] = None;
        failed.push(culprit);
    };
    for number in 0..contestants.len() {
        let Some(contestant) = sound(contestants, number) else { continue };
        match ways_of(contestant, effort) {
            Ok(ways) => samples.ways[number] = ways,
            Err(failure) => give_up(contestants, (number, failure)),
        }
    }
    for number in 0..contestants.len() {
        for way in 0..samples.ways[number].len() {
            let reached = samples.reach(contestants, (number, way), expected, effort);
            if let Err(culprit) = reached {
                give_up(contestants, culprit);
            }
        }
    }
    for number in 0..contestants.len() {
        for way in 0..samples.ways[number].len() {
            let at = (number, way);
            let followed = match effort.goal.times {
                0 => Ok(()),
                _ => samples.follow_up(contestants, at, expected, effort),
            };
            if let Err(culprit) = followed {
                give_up(contestants, culprit);
            }
        }
    }
    if let Err(culprit) = samples.ask_others(contestants, effort) {
        give_up(contestants, culprit);
    }
    for number in 0..contestants.len() {
        samples.check(contestants, number, expected);
    }
    samples
}

/// An engine without faults of its own.
fn sound<'c, 's>(
    contestants: &'c mut [Option<Contestant<'s>>],
    number: usize,
) -> Option<&'c mut Contestant<'s>> {
    contestants[number].as_mut().filter(|contestant| contestant.evidence.faults.is_empty())
}

/// The ways of an engine that are asked for, with a sample of each that is something of its own.
fn ways_of(contestant: &mut Contestant<'_>, effort: &Effort) -> Result<Vec<Way>, Failure> {
    let subject = &mut *contestant.subject;
    let fast = contestant.evidence.fast_sample(subject.name(), effort.seed);
    let mut ways = vec![Way { via: Via::Fast, own: Some(fast), late: false }];
    for via in [Via::Reference, Via::Batch, Via::Interpreted, Via::Listed] {
        if !effort.goal.ways.contains(via) || !subject.has(via) {
            continue;
        }
        // Programs need not have a reference loop.
        let own = match if_supported(plays_as_fast(subject, via, effort))? {
            None => continue,
            Some(true) => None,
            Some(false) => Some(Played::for_time(subject, via, effort)?),
        };
        ways.push(Way { via, own, late: false });
    }
    Ok(ways)
}

/// True if the playouts of a way are those of the fast one, one by one: promised, or seen on as
/// many as a part of the time allows.
fn plays_as_fast(subject: &mut dyn Subject, via: Via, effort: &Effort) -> Result<bool, Failure> {
    match [via, Via::Fast].map(|via| subject.plays_like_reference(via)) {
        [true, true] => return Ok(true),
        [false, false] => {}
        _ => return Ok(false),
    }
    let whose = format!("{} {} as fast", subject.name(), via.name());
    let mut ids = PlayoutIds::of_proof(effort.seed, &whose);
    let (mut count, mut spent) = (1, Duration::ZERO);
    while spent * 4 < effort.time {
        let job = ids.job(count, effort.cap);
        let [own, fast] = [via, Via::Fast].map(|via| subject.run(&job, via, 1));
        let (own, fast) = (own?, fast?);
        if own.difference(&fast).is_some() {
            return Ok(false);
        }
        spent += Duration::from_nanos(own.cpu_ns + fast.cpu_ns);
        count *= 2;
    }
    Ok(true)
}

impl Samples {
    /// The sample of a way.
    fn own(&self, (number, way): (usize, usize)) -> Option<&Played> {
        self.ways[number].get(way)?.own.as_ref()
    }

    /// The sample of a partner, unless it is what is recorded.
    fn of_partner(&self, number: usize, partner: Partner) -> Option<&Played> {
        match partner {
            Partner::Engine(other) => self.own((other, 0)),
            Partner::Reference => self.references[number].as_ref(),
            Partner::Recorded => None,
        }
    }

    /// The sample of a way beside a partner.
    fn contrasts(
        &self,
        (number, way): (usize, usize),
        partner: Partner,
        expected: &Expected,
    ) -> Vec<Contrast> {
        let Some(own) = self.own((number, way)) else { return Vec::new() };
        match partner {
            Partner::Recorded if own.tally.capped > 0 => Vec::new(),
            Partner::Recorded => recorded::contrasts(&own.tally, expected),
            _ => self
                .of_partner(number, partner)
                .map(|other| kit::contrasts(&own.tally, &other.tally))
                .unwrap_or_default(),
        }
    }

    /// The partners that an engine is compared with.
    fn all_partners(&self, number: usize, expected: &Expected) -> Vec<Partner> {
        let other = |&other: &usize| other != number && self.own((other, 0)).is_some();
        let engines = (0..self.ways.len()).filter(other);
        let mut partners: Vec<Partner> = engines.map(Partner::Engine).collect();
        if expected.mean_plies.is_some() {
            partners.push(Partner::Recorded);
        }
        if self.references[number].is_some() {
            partners.push(Partner::Reference);
        }
        partners
    }

    /// The partners that vouch for it: engines of one lineage may share a fault.
    fn partners(&self, number: usize, expected: &Expected) -> Vec<Partner> {
        let mut partners = self.all_partners(number, expected);
        partners.retain(|partner| match partner {
            Partner::Engine(other) => self.lineages[*other] != self.lineages[number],
            _ => true,
        });
        partners
    }

    /// Makes a sample grow that is not the playouts of the reference, or not those of the fast way,
    /// until the goal is reached or the time is up.
    fn reach(
        &mut self,
        contestants: &mut [Option<Contestant<'_>>],
        at: (usize, usize),
        expected: &Expected,
        effort: &Effort,
    ) -> Result<(), Culprit> {
        let (number, way) = at;
        let Some(contestant) = sound(contestants, number) else { return Ok(()) };
        let via = self.ways[number][way].via;
        // What plays the playouts of the reference has been held against them one by one. Where the
        // fast way plays others, that says little of their distribution.
        let same = via == Via::Fast && contestant.subject.plays_like_reference(via);
        if via == Via::Reference
            || !effort.goal.ways.contains(via)
            || effort.goal.times == 0
            || self.own(at).is_none()
            || same
        {
            return Ok(());
        }
        let engines = |partner: &Partner| matches!(partner, Partner::Engine(_));
        if !self.partners(number, expected).iter().any(engines) && self.references[number].is_none()
        {
            let reference = Played::for_time(contestant.subject, Via::Reference, effort);
            self.references[number] =
                if_supported(reference).map_err(|failure| (number, failure))?;
        }
        let time = effort.time * effort.goal.times;
        let mut spent = Duration::ZERO;
        for _ in 0..ROUNDS {
            let plans = self.partners(number, expected);
            let plans = plans.into_iter().map(|partner| self.plan(at, partner, expected, effort));
            let Some(plan) = plans.min_by(|a, b| a.seconds.total_cmp(&b.seconds)) else {
                return Ok(());
            };
            if plan.seconds <= 0.0 || !plan.seconds.is_finite() {
                return Ok(());
            }
            let left = time.saturating_sub(spent);
            if left.is_zero() {
                break;
            }
            // Both sides in proportion, where there is no time for all.
            let share = (left.as_secs_f64() / plan.seconds).min(1.0);
            spent += self.grow(contestants, at, &plan, share, left, effort)?;
        }
        self.ways[number][way].late = true;
        Ok(())
    }

    /// The plan to reach the goal beside a partner: both samples grow in the proportion that takes
    /// least time, by the rates at which they are played.
    fn plan(
        &self,
        at: (usize, usize),
        partner: Partner,
        expected: &Expected,
        effort: &Effort,
    ) -> Plan {
        let never = Plan { partner, needs: [0.0; 2], seconds: f64::INFINITY };
        let contrasts = self.contrasts(at, partner, expected);
        // What the ply cap has cut agrees with nothing, however much there is of it.
        let whole = |played: &&Played| played.tally.capped == 0;
        let Some(own) = self.own(at).filter(whole) else { return never };
        let other = self.of_partner(at.0, partner);
        if contrasts.is_empty() || !other.iter().all(whole) {
            return never;
        }
        let factor = contrasts.iter().map(|one| one.factor(effort.goal.share)).fold(0.0, f64::max);
        let n = own.tally.playouts as f64;
        if factor <= 1.0 {
            return Plan { partner, needs: [n, 0.0], seconds: 0.0 };
        }
        let Some(other) = other else {
            let needs = [n * factor * MARGIN, 0.0];
            return Plan { partner, needs, seconds: (needs[0] - n) / own.rate() };
        };
        let m = other.tally.playouts as f64;
        // The variance of a difference goes with the sum of the reciprocals.
        let sum = (n.recip() + m.recip()) / (factor * MARGIN);
        let ratio = (own.rate() / other.rate()).sqrt();
        let mut needs = [(1.0 + ratio) / sum, (1.0 + ratio.recip()) / sum];
        if needs[0] < n {
            needs = [n, (sum - n.recip()).recip()];
        } else if needs[1] < m {
            needs = [(sum - m.recip()).recip(), m];
        }
        let seconds = (needs[0] - n) / own.rate() + (needs[1] - m) / other.rate();
        Plan { partner, needs, seconds }
    }

    /// Plays this share of what a plan lacks; the time that it took.
    fn grow(
        &mut self,
        contestants: &mut [Option<Contestant<'_>>],
        at: (usize, usize),
        plan: &Plan,
        share: f64,
        time: Duration,
        effort: &Effort,
    ) -> Result<Duration, Culprit> {
        let until = |played: &Played, need: f64| {
            let now = played.tally.playouts as f64;
            (now + (need - now).max(0.0) * share).ceil() as u64
        };
        let mut spent = Duration::ZERO;
        let own = &mut self.ways[at.0][at.1];
        if let (Some(played), Some(contestant)) = (&mut own.own, &mut contestants[at.0]) {
            let need = until(played, plan.needs[0]);
            let grown = played.grow(contestant.subject, own.via, need, time, effort);
            spent += grown.map_err(|failure| (at.0, failure))?;
        }
        let (player, via) = match plan.partner {
            Partner::Engine(other) => (other, Via::Fast),
            Partner::Reference => (at.0, Via::Reference),
            Partner::Recorded => return Ok(spent),
        };
        let played = match plan.partner {
            Partner::Engine(other) => self.ways[other].first_mut().and_then(|way| way.own.as_mut()),
            _ => self.references[at.0].as_mut(),
        };
        if let (Some(played), Some(contestant)) = (played, &mut contestants[player]) {
            let need = until(played, plan.needs[1]);
            let left = time.saturating_sub(spent);
            let grown = played.grow(contestant.subject, via, need, left, effort);
            spent += grown.map_err(|failure| (player, failure))?;
        }
        Ok(spent)
    }

    /// Makes what is suspicious larger, until it is not, or beyond doubt. That takes no more time
    /// than the samples have taken, and no limit of time ends it: a suspicion that is left would
    /// not have been seen.
    fn follow_up(
        &mut self,
        contestants: &mut [Option<Contestant<'_>>],
        at: (usize, usize),
        expected: &Expected,
        effort: &Effort,
    ) -> Result<(), Culprit> {
        for partner in self.all_partners(at.0, expected) {
            for _ in 0..FOLLOW_UPS {
                let contrasts = self.contrasts(at, partner, expected);
                let certain = contrasts.iter().any(|one| one.sigmas() > kit::SIGMAS);
                if !kit::is_suspicious(&contrasts) || certain {
                    break;
                }
                let size = |played: Option<&Played>| {
                    played.map_or(0.0, |played| played.tally.playouts as f64 * FOLLOW_UP)
                };
                let needs = [size(self.own(at)), size(self.of_partner(at.0, partner))];
                let plan = Plan { partner, needs, seconds: 0.0 };
                self.grow(contestants, at, &plan, 1.0, Duration::MAX, effort)?;
            }
        }
        Ok(())
    }

    /// Lets the other engines play as much as the smaller sample of two that differ, so that they
    /// can side with one of them.
    fn ask_others(
        &mut self,
        contestants: &mut [Option<Contestant<'_>>],
        effort: &Effort,
    ) -> Result<(), Culprit> {
        let numbers = 0..contestants.len();
        let mut enough = 0;
        for (i, j) in numbers.clone().flat_map(|i| (0..i).map(move |j| (i, j))) {
            let Some((a, b)) = self.own((i, 0)).zip(self.own((j, 0))) else { continue };
            if kit::differs(&a.tally, &b.tally).is_some() {
                enough = enough.max(a.tally.playouts.min(b.tally.playouts));
            }
        }
        let time = effort.time * effort.goal.times;
        for number in numbers {
            let own = self.ways[number].first_mut().and_then(|way| way.own.as_mut());
            if let (Some(played), Some(contestant)) = (own, &mut contestants[number]) {
                let grown = played.grow(contestant.subject, Via::Fast, enough, time, effort);
                grown.map_err(|failure| (number, failure))?;
            }
        }
        Ok(())
    }

    /// Compares the samples of an engine with what is recorded again, and each way with the others.
    fn check(
        &mut self,
        contestants: &mut [Option<Contestant<'_>>],
        number: usize,
        expected: &Expected,
    ) {
        let Some(contestant) = contestants[number].as_mut() else { return };
        let evidence = &mut contestant.evidence;
        let Some((fast, others)) = self.ways[number].split_first() else { return };
        let Some(Played { tally, cpu, .. }) = fast.own.clone() else { return };
        (evidence.tally, evidence.cpu) = (tally, cpu);
        evidence.recorded = recorded::compare(&evidence.tally, expected);
        if let Some(Comparison::Differs(how)) = &evidence.recorded {
            evidence.faults.push(how.clone());
        }
        for Way { via, own, .. } in others {
            let Some(own) = own else { continue };
            let way = via.name();
            if let Some(how) = kit::differs(&own.tally, &evidence.tally) {
                evidence.faults.push(format!("the {way} path and the fast one differ: {how}"));
            } else if let Some(Comparison::Differs(how)) = recorded::compare(&own.tally, expected) {
                evidence.faults.push(format!("by the {way} path: {how}"));
            }
        }
        if let Some(reference) = &self.references[number]
            && let Some(how) = kit::differs(&reference.tally, &evidence.tally)
        {
            evidence.faults.push(format!("the fast path and the reference differ: {how}"));
        }
    }

    /// The proof of each way of an engine beside the sound others.
    pub(super) fn proofs(
        &self,
        number: usize,
        names: &[&str],
        rulings: &[Ruling],
        (expected, effort): (&Expected, &Effort),
    ) -> Vec<WayProof> {
        let partners: Vec<Partner> = self
            .partners(number, expected)
            .into_iter()
            .filter(|partner| match partner {
                Partner::Engine(other) => rulings[*other] == Ruling::Sound,
                _ => true,
            })
            .collect();
        let proof = |(at, way): (usize, &Way)| {
            let at = if way.own.is_some() { at } else { 0 };
            let shown = partners.iter().filter_map(|&partner| {
                let comparison = self.compare((number, at), partner, (expected, effort))?;
                Some((partner, comparison))
            });
            let (mut best, mut why) = (None::<(Detects, Partner)>, None);
            for (partner, comparison) in shown {
                match comparison {
                    Comparison::Agrees(detects) => {
                        if best.is_none_or(|(least, _)| detects.worst() < least.worst()) {
                            best = Some((detects, partner));
                        }
                    }
                    Comparison::Unchecked(text) | Comparison::Differs(text) => why = Some(text),
                }
            }
            let mut by = match best {
                None => why.unwrap_or_else(|| "there was nothing to compare it with".to_owned()),
                Some((_, Partner::Engine(other))) => names[other].to_owned(),
                Some((_, Partner::Reference)) => "its own reference loop".to_owned(),
                Some((_, Partner::Recorded)) => "recorded means".to_owned(),
            };
            if way.own.is_none() {
                by.push_str(", as `fast`, whose playouts it plays");
            }
            if self.ways[number][at].late {
                by.push_str(", when the time was up");
            }
            WayProof { via: way.via, detects: best.map(|(detects, _)| detects), by }
        };
        self.ways[number].iter().enumerate().map(proof).collect()
    }

    /// The comparison of a way with a partner.
    fn compare(
        &self,
        (number, way): (usize, usize),
        partner: Partner,
        (expected, effort): (&Expected, &Effort),
    ) -> Option<Comparison> {
        let own: &Tally = &self.own((number, way))?.tally;
        match partner {
            Partner::Recorded => recorded::compare(own, expected),
            _ => {
                let other = self.of_partner(number, partner)?;
                Some(effort.comparison()(own, &other.tally))
            }
        }
    }
}
