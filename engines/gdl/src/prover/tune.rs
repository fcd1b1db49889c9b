//! Plays a little at compile time to see how large relations get and what a step costs; orders the
//! joins by that, and finds out which relations are cheaper to evaluate on demand, and which to
//! keep from state to state. Work is counted in machine steps, never in time, so that the result is
//! always the same.

use super::actions::Action;
use super::build::{Build, StageStrategy};
use super::game::{ProbeFindings, Prover};
use super::maintenance;
use crate::datalog::base::Base;
use crate::datalog::flat::FlatId;
use crate::datalog::store::hash;
use crate::limits::MAX_TRIALS;

/// Joint steps of one trial.
const TRIAL_STEPS: u32 = 150;
/// Machine steps of one trial, and of all.
const TRIAL_FUEL: u64 = 3_000_000;
const TOTAL_FUEL: u64 = 40_000_000;
/// Changes of a kept relation, as a share of its rows, from which on it may be cheaper not to keep
/// it.
const VOLATILE: f64 = 0.3;
/// Share of the steps allowed for a state that its maintenance may take in a trial: so far from the
/// bound, it does not matter from which state another is reached.
const MAINTENANCE_SHARE: u64 = 16;
/// A change must save this share of the work.
const GAIN: f64 = 0.98;
/// The cost of compiling an operation, in machine steps.
const COMPILING: u64 = 100;
/// A state that a trial's fuel did not suffice for counts this many times.
const PENALTY: f64 = 10.0;

/// The result of a trial.
struct Trial {
    /// Machine steps a joint step.
    cost: f64,
    /// Rows of each relation in a state, by number in the store.
    rows: Vec<f64>,
    /// The number of its tuples that come or go from state to state, if it is kept.
    changes: Vec<f64>,
    /// The most steps that it took to bring what is kept up to a state.
    maintenance: u64,
    /// True if the fuel ran out in a state that took most of it.
    exploded: bool,
    met: ProbeFindings,
}

/// A first build, from guesses and with all relations evaluated as a whole.
pub(super) fn eager(base: &Base) -> Build {
    let sizes = base.sizes(|id| base.guess(id));
    Build::new(base, &vec![StageStrategy::Whole; base.schedule.stages.len()], &sizes)
}

/// Replaces the prover's build by the best that was found.
pub(super) fn tune(prover: &mut Prover, fuel: u64) {
    let mut tuner = Tuner { prover, fuel: fuel.min(TOTAL_FUEL) };
    tuner.run();
}

struct Tuner<'a> {
    prover: &'a mut Prover,
    fuel: u64,
}

impl Tuner<'_> {
    fn run(&mut self) {
        let stages = self.prover.base.schedule.stages.len();
        let candidates: Vec<usize> =
            (0..stages).filter(|&s| self.prover.base.may_be_lazy(s)).collect();
        let mut ways = vec![StageStrategy::Whole; stages];
        let mut best = self.trial(f64::INFINITY);
        best = self.replan(&ways, best);
        if !candidates.is_empty() {
            let mut other = ways.clone();
            for &stage in &candidates {
                other[stage] = StageStrategy::OnDemand;
            }
            if let Some(better) = self.attempt(&other, &best) {
                best = self.replan(&other, better);
                ways = other;
            }
        }
        let heaviest = self.heaviest(&candidates, &best.rows);
        // Then those that ask before those that they ask, which learn keys from them.
        let mut from_above = heaviest.clone();
        from_above.sort_unstable_by(|a, b| b.cmp(a));
        for stage in heaviest.into_iter().chain(from_above) {
            let mut other = ways.clone();
            other[stage] = match ways[stage] {
                StageStrategy::OnDemand => StageStrategy::Whole,
                _ => StageStrategy::OnDemand,
            };
            if let Some(better) = self.attempt(&other, &best) {
                (best, ways) = (better, other);
            }
        }
        best = self.keep(&mut ways, best);
        best = self.replan(&ways, best);
        self.prover.cost = best.cost as u64;
        self.prover.met = best.met;
    }

    /// Finds out what to keep from state to state.
    fn keep(&mut self, ways: &mut Vec<StageStrategy>, mut best: Trial) -> Trial {
        let keepable = self.prover.keepable();
        for whatever in [false, true] {
            let mut other = ways.clone();
            for (way, _) in other.iter_mut().zip(&keepable).filter(|(_, keepable)| **keepable) {
                if whatever || *way == StageStrategy::Whole {
                    *way = StageStrategy::Kept;
                }
            }
            // Nothing to try, or what was tried just now.
            if other == *ways || whatever && !ways.contains(&StageStrategy::OnDemand) {
                continue;
            }
            // What changes all the time is not kept, nor is what rests on it.
            while let Some(volatile) = self.volatile(&other, &best) {
                if let Some(better) = self.attempt(&other, &best) {
                    best = self.replan(&other, better);
                    ways.clone_from(&other);
                }
                if volatile.is_empty() {
                    break;
                }
                for stage in volatile {
                    other[stage] = StageStrategy::Whole;
                }
            }
        }
        for (way, _) in ways.iter_mut().zip(&self.prover.build.kept).filter(|(_, kept)| !**kept) {
            if *way == StageStrategy::Kept {
                *way = StageStrategy::Whole;
            }
        }
        // One by one, each after what it rests on.
        let mut trials = 0;
        for stage in (0..ways.len()).filter(|&stage| keepable[stage]) {
            let mut other = ways.clone();
            other[stage] = StageStrategy::Kept;
            let possible =
                maintenance::kept(&self.prover.base, |s| other[s] == StageStrategy::Kept)[stage];
            if ways[stage] != StageStrategy::Kept && possible && trials < MAX_TRIALS {
                trials += 1;
                if let Some(better) = self.attempt(&other, &best) {
                    (best, *ways) = (better, other);
                }
            }
        }
        let kept: Vec<usize> = (0..ways.len()).filter(|&s| self.prover.build.kept[s]).collect();
        for stage in self.heaviest(&kept, &best.changes) {
            let mut other = ways.clone();
            other[stage] = StageStrategy::Whole;
            if let Some(better) = self.attempt(&other, &best) {
                (best, *ways) = (better, other);
            }
        }
        best
    }

    /// The stages that are kept in these ways and change much; `None` if nothing can be said or
    /// nothing is kept. The prover's build is as it was.
    fn volatile(&mut self, ways: &[StageStrategy], best: &Trial) -> Option<Vec<usize>> {
        if self.fuel == 0 {
            return None;
        }
        let sizes = self.sizes(best);
        let build = Build::new(&self.prover.base, ways, &sizes);
        if !build.kept.contains(&true) {
            return None;
        }
        let old = self.prover.rebuild(build);
        let trial = self.trial(f64::INFINITY);
        let Build { kept, slots, .. } = &self.prover.build;
        let changes_much = |&stage: &usize| {
            let relations = &self.prover.base.schedule.stages[stage].relations;
            let all = relations.iter().filter_map(|id| slots[id.index()]);
            let (rows, changes) = all.fold((0.0, 0.0), |(rows, changes), slot| {
                (rows + trial.rows[slot], changes + trial.changes[slot])
            });
            changes > VOLATILE * (rows + 1.0)
        };
        let stages = (0..kept.len()).filter(|&stage| kept[stage]);
        let volatile = stages.filter(changes_much).collect();
        self.prover.rebuild(old);
        Some(volatile)
    }

    /// Stages in the order of a figure of their relations, given by number in the store, largest
    /// first; not too many.
    fn heaviest(&self, candidates: &[usize], of: &[f64]) -> Vec<usize> {
        let sum = |stage: usize| -> f64 {
            let relations = &self.prover.base.schedule.stages[stage].relations;
            let slots = relations.iter().filter_map(|id| self.prover.build.slots[id.index()]);
            slots.map(|slot| of.get(slot).copied().unwrap_or(0.0)).sum()
        };
        let mut order: Vec<(usize, f64)> = candidates.iter().map(|&s| (s, sum(s))).collect();
        order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        order.into_iter().take(MAX_TRIALS).map(|(stage, _)| stage).collect()
    }

    /// Builds with stages evaluated in these ways, and keeps that if it is better than `best`.
    fn attempt(&mut self, ways: &[StageStrategy], best: &Trial) -> Option<Trial> {
        if self.fuel == 0 {
            return None;
        }
        let sizes = self.sizes(best);
        let build = Build::new(&self.prover.base, ways, &sizes);
        let old = self.prover.rebuild(build);
        let trial = self.trial(best.cost);
        if trial.cost < best.cost * GAIN
            && trial.maintenance < self.prover.state_fuel / MAINTENANCE_SHARE
        {
            return Some(trial);
        }
        self.prover.rebuild(old);
        None
    }

    /// Builds anew from measured sizes, and keeps that if it is no worse.
    fn replan(&mut self, ways: &[StageStrategy], best: Trial) -> Trial {
        if self.fuel == 0 {
            return best;
        }
        let sizes = self.sizes(&best);
        let build = Build::new(&self.prover.base, ways, &sizes);
        let old = self.prover.rebuild(build);
        let trial = self.trial(best.cost);
        if trial.cost <= best.cost && trial.maintenance < self.prover.state_fuel / MAINTENANCE_SHARE
        {
            return trial;
        }
        self.prover.rebuild(old);
        best
    }

    fn sizes(&self, trial: &Trial) -> Vec<crate::datalog::plan::Size> {
        let Build { slots, demands, .. } = &self.prover.build;
        let rows = |id: FlatId| slots[id.index()].map_or(0.0, |slot| trial.rows[slot]);
        let base = &self.prover.base;
        // Where nothing was ever seen, a little is expected all the same.
        let mut sizes = base.sizes(|id| rows(id).max(0.02));
        if trial.exploded {
            // What may be asked on demand is expected to hold for all there is, so that rules ask
            // it last, with all that they know.
            for stage in 0..base.schedule.stages.len() {
                for id in &base.schedule.stages[stage].relations {
                    let size = &mut sizes[id.index()];
                    if base.may_be_lazy(stage) && demands.of[id.index()].is_none() {
                        size.rows = size.distinct.iter().map(|d| d.max(1.0)).product();
                    }
                }
            }
        }
        for (index, demand) in demands.of.iter().enumerate() {
            // Only the rows of some keys were seen: as many are expected for each other key.
            if let Some(demand) = demand {
                let size = &mut sizes[index];
                let keys = rows(demand.asked).max(0.02);
                let all: f64 = demand.key.iter().map(|&c| size.distinct[c].max(1.0)).product();
                size.rows = (size.rows / keys * all).max(size.rows);
            }
        }
        sizes
    }

    /// Plays with the build at hand, no longer than it takes to see that it costs more than
    /// `bound`.
    fn trial(&mut self, bound: f64) -> Trial {
        let compiling = COMPILING * self.prover.build.code.ops.len() as u64;
        self.fuel = self.fuel.saturating_sub(compiling);
        let enough = (1.1 * bound * f64::from(TRIAL_STEPS)) as u64;
        let fuel = self.fuel.min(TRIAL_FUEL).min(enough.max(1000));
        let prover = &*self.prover;
        let roles = prover.program.roles.len();
        let mut rows = vec![0.0; prover.build.layouts.relations.len()];
        let mut changes = rows.clone();
        let (mut used, mut steps, mut states, mut penalty) = (0, 0.0, 0.0, 0.0);
        let (mut met, mut exploded, mut maintenance) = (ProbeFindings::default(), false, 0);
        let mut state = prover.start();
        for step in 0..TRIAL_STEPS {
            let before = fuel - used;
            state.set_fuel(before);
            let mut over = prover.is_terminal(&mut state);
            let mut choosers = 0;
            if over {
                let unclear = |&&role: &&usize| prover.goals_of(&mut state, role).len() != 1;
                let players: Vec<usize> = (0..roles)
                    .filter(|&r| !prover.program.is_nature(prover.program.roles[r]))
                    .collect();
                if let Some(&role) = players.iter().find(unclear) {
                    met.undefined_goal = Some(prover.program.roles[role]);
                }
            }
            for role in 0..roles {
                if over || state.is_undefined() {
                    break;
                }
                let legal = prover.legal(&mut state, role);
                // By value and not by place, which depends on the build.
                let draw = |&action: &Action| {
                    let row = prover.action_row(&state, action).into_iter();
                    (hash(row.chain([step, role as u32, 0x2545_f491])), action)
                };
                let Some(chosen) = legal.iter().copied().min_by_key(draw) else { break };
                let is_player = !prover.program.is_nature(prover.program.roles[role]);
                choosers += usize::from(legal.len() > 1 && is_player);
                if role + 1 < roles {
                    prover.choose(&mut state, chosen);
                } else {
                    over = !prover.choose_last(&mut state, chosen);
                }
            }
            met.simultaneous |= choosers > 1;
            if let Some(role) = state.stuck() {
                met.stuck = Some(prover.program.roles[role]);
            }
            over |= state.is_undefined();
            let here = before - state.fuel().min(before) + state.maintenance();
            maintenance = maintenance.max(state.maintenance());
            used += here;
            states += 1.0;
            for (slot, (rows, changes)) in rows.iter_mut().zip(&mut changes).enumerate() {
                *rows += f64::from(state.len(slot));
                *changes = f64::from(state.changes(slot));
            }
            if used + 1 >= fuel {
                exploded = here > TRIAL_FUEL / 2;
                penalty = if exploded { PENALTY * here as f64 } else { 0.0 };
                if step < TRIAL_STEPS / 2 && fuel < TRIAL_FUEL {
                    // Too little was seen to compare.
                    penalty = f64::INFINITY;
                }
                break;
            }
            steps += 1.0;
            if over {
                prover.reset(&mut state);
            } else {
                prover.advance(&mut state);
            }
        }
        self.fuel -= used.min(self.fuel);
        for sum in rows.iter_mut().chain(&mut changes) {
            *sum /= states;
        }
        let cost = (used as f64 + penalty) / (steps + 1.0);
        Trial { cost, rows, changes, maintenance, exploded, met }
    }
}
