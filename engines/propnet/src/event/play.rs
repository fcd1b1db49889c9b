//! Playouts by change propagation.

use play::{End, Ending, Job, MAX_FORCED_PASSES, Rng, Tally};

use crate::cpu::{Cpu, Task};
use crate::event::cells::Cells;
use crate::event::compile::{EventNetwork, Operator, RoleLayout, Solo};
use crate::event::net::Propagation;
use crate::event::on_demand::{Found, Operand};
use crate::event::program::Instruction;
use crate::machine::{Machine, MoveId};
use crate::network::Goal;

/// What a playout needs besides the network; used again for the next.
struct PlayoutState<C> {
    propagation: Propagation<C>,
    found: Found,
    /// Bases about to change.
    changing: Vec<u32>,
    /// Drifting bases about to change, a bit each.
    drifting: Vec<u64>,
    /// Number of legal moves, by role.
    counts: Vec<u32>,
    joint: Vec<MoveId>,
    /// The joint move that the net is told of, if it is told.
    told: Vec<MoveId>,
    plies: u32,
    passes: u32,
}

/// What playouts share.
#[derive(Clone, Copy)]
pub(crate) struct Rules<'a> {
    /// The same network.
    pub(crate) machine: &'a Machine,
    pub(crate) goals: &'a [Goal],
}

/// A job, played one playout after another.
pub(crate) struct Play<'a, C: Cells> {
    pub(crate) fast: &'a EventNetwork<C>,
    pub(crate) rules: Rules<'a>,
    pub(crate) job: &'a Job,
}

impl<C: Cells> Task for Play<'_, C> {
    type Output = Tally;

    #[inline(always)]
    fn run<K: Cpu>(self, cpu: K) -> Tally {
        self.fast.run(cpu, self.rules, self.job)
    }
}

impl<C: Cells> EventNetwork<C> {
    #[inline(always)]
    fn run<K: Cpu>(&self, cpu: K, rules: Rules<'_>, job: &Job) -> Tally {
        let mut desk = PlayoutState {
            propagation: self.net.propagation(),
            found: Found::new(self.on_demand.len()),
            changing: Vec::new(),
            drifting: vec![0; self.drift_words.len()],
            counts: vec![0; self.actors.len()],
            joint: Vec::with_capacity(self.actors.len()),
            told: Vec::new(),
            plies: 0,
            passes: 0,
        };
        let mut tally = Tally::default();
        for id in job.ids() {
            let mut rng = Rng::stream(job.seed, id);
            let ending = self.playout(cpu, rules, &mut desk, &mut rng, job.cap);
            tally.record(id, End { plies: desk.plies, ending });
        }
        tally
    }

    #[inline(always)]
    fn playout<K: Cpu>(
        &self,
        cpu: K,
        rules: Rules<'_>,
        desk: &mut PlayoutState<C>,
        rng: &mut Rng,
        cap: u32,
    ) -> Ending {
        self.net.reset(&mut desk.propagation);
        desk.told.clear();
        desk.plies = 0;
        desk.passes = 0;
        loop {
            if self.is_over(&desk.propagation) {
                desk.found.forget();
                self.on_demand.solve(&self.goal_blocks, &desk.propagation, &mut desk.found);
                let holds = |goal: usize| {
                    self.on_demand.read(self.goals[goal], &desk.propagation, &mut desk.found)
                };
                return Ending::Over(rules.machine.roles.scores(rules.goals, holds));
            }
            let ended = match &self.solos[self.turn(&desk.propagation)] {
                Some(solo) => self.solo(cpu, solo, desk, rng, cap),
                None => self.together(cpu, rules, desk, rng, cap),
            };
            if let Some(ending) = ended {
                return ending;
            }
        }
    }

    #[inline(always)]
    fn is_over(&self, propagation: &Propagation<C>) -> bool {
        propagation.holds(self.terminal)
            || (!self.exhausted.is_empty()
                && self.net.leaves(propagation)[self.exhausted.clone()].iter().all(|&w| w == 0))
    }

    /// Which combination of the propositions that tell whose turn it is holds.
    #[inline(always)]
    fn turn(&self, propagation: &Propagation<C>) -> usize {
        let bits = self.turn_bases.iter().rev();
        bits.fold(0, |so_far, &node| so_far << 1 | usize::from(propagation.cells.is_on(node)))
    }

    /// One role chooses from one group, while the others pass.
    #[inline(always)]
    fn solo<K: Cpu>(
        &self,
        cpu: K,
        solo: &Solo,
        desk: &mut PlayoutState<C>,
        rng: &mut Rng,
        cap: u32,
    ) -> Option<Ending> {
        let words = &self.net.leaves(&desk.propagation)[solo.words.clone()];
        let count: u32 = words.iter().map(|w| w.count_ones()).sum();
        if count == 0 {
            return Some(Ending::Stuck);
        }
        let mut action = MoveId::MAX;
        if count == 1 {
            action = solo.first + pick(cpu, words, 0);
        }
        let others = (self.actors.len() - 1) as u32;
        if count == 1 && self.passes[action as usize] {
            desk.passes += 1 + others;
            if desk.passes > MAX_FORCED_PASSES {
                return Some(Ending::Capped);
            }
        } else {
            // Those who come before pass first.
            if desk.plies == cap || desk.passes + solo.role as u32 > MAX_FORCED_PASSES {
                return Some(Ending::Capped);
            }
            action = solo.first + pick(cpu, words, rng.below(count));
            desk.plies += 1;
            // Those who come after pass once more before the next ply.
            desk.passes = others - solo.role as u32;
        }
        let at = if action == solo.idle { self.passes.len() } else { action as usize };
        self.apply(cpu, desk, &self.operators[at]);
        None
    }

    /// All roles choose, in turn.
    #[inline(always)]
    fn together<K: Cpu>(
        &self,
        cpu: K,
        rules: Rules<'_>,
        desk: &mut PlayoutState<C>,
        rng: &mut Rng,
        cap: u32,
    ) -> Option<Ending> {
        for (actor, count) in self.actors.iter().zip(&mut desk.counts) {
            *count = self.count(actor, &desk.propagation);
            if *count == 0 {
                return Some(Ending::Stuck);
            }
        }
        desk.joint.clear();
        for (actor, &count) in self.actors.iter().zip(&desk.counts) {
            if actor.player.is_none() {
                desk.joint.push(self.choose(cpu, actor, &desk.propagation, rng.below(count)));
                continue;
            }
            if count == 1 {
                let only = self.choose(cpu, actor, &desk.propagation, 0);
                if self.passes[only as usize] {
                    desk.joint.push(only);
                    desk.passes += 1;
                    if desk.passes > MAX_FORCED_PASSES {
                        return Some(Ending::Capped);
                    }
                    continue;
                }
            }
            if desk.plies == cap {
                return Some(Ending::Capped);
            }
            desk.plies += 1;
            desk.passes = 0;
            desk.joint.push(self.choose(cpu, actor, &desk.propagation, rng.below(count)));
        }
        if self.operators.is_empty() {
            self.tell(cpu, desk);
        } else if let Some(action) = self.acting(&desk.joint) {
            self.apply(cpu, desk, &self.operators[action]);
        } else {
            self.work_out(cpu, rules.machine, desk);
        }
        None
    }

    /// How many moves the actor may make.
    #[inline(always)]
    fn count(&self, actor: &RoleLayout, propagation: &Propagation<C>) -> u32 {
        let leaves = self.net.leaves(propagation);
        let open = actor.choices.iter().filter(|c| propagation.holds(c.guard));
        open.flat_map(|c| &leaves[c.words.clone()]).map(|w| w.count_ones()).sum()
    }

    /// The `k`-th move that the actor may make.
    #[inline(always)]
    fn choose<K: Cpu>(
        &self,
        cpu: K,
        actor: &RoleLayout,
        propagation: &Propagation<C>,
        mut k: u32,
    ) -> MoveId {
        let leaves = self.net.leaves(propagation);
        for choices in actor.choices.iter().filter(|c| propagation.holds(c.guard)) {
            let words = &leaves[choices.words.clone()];
            let count = words.iter().map(|w| w.count_ones()).sum();
            if k < count {
                return choices.first + pick(cpu, words, k);
            }
            k -= count;
        }
        MoveId::MAX
    }

    /// The move of the only role that does not wait; if all wait, the number after the last.
    #[inline(always)]
    fn acting(&self, joint: &[MoveId]) -> Option<usize> {
        let mut acting = None;
        for (&action, actor) in joint.iter().zip(&self.actors) {
            if action != actor.idle {
                if acting.is_some() {
                    return None;
                }
                acting = Some(action as usize);
            }
        }
        Some(acting.unwrap_or(self.passes.len()))
    }

    /// Makes a move whose effects are known.
    #[inline(always)]
    fn apply<K: Cpu>(&self, cpu: K, desk: &mut PlayoutState<C>, operator: &Operator) {
        let range = |[start, end]: [u32; 2]| start as usize..end as usize;
        // First everything is read ...
        desk.found.forget();
        desk.changing.clear();
        let program = &self.programs[range(operator.program)];
        let mut at = 0;
        while let Some(&instruction) = program.get(at) {
            at += 1;
            let is_on =
                |base: u32| desk.propagation.cells.is_on(C::narrow(self.bases[base as usize].node));
            let (base, changes) = match instruction {
                Instruction::Unless { condition, skip } => {
                    if !self.on_demand.read(condition, &desk.propagation, &mut desk.found) {
                        at += skip as usize;
                    }
                    continue;
                }
                Instruction::Set { base, value } => (base, is_on(base) != value),
                Instruction::Toggle { base } => (base, true),
                Instruction::Assign { base, from } => (
                    base,
                    is_on(base) != self.on_demand.read(from, &desk.propagation, &mut desk.found),
                ),
            };
            if changes {
                desk.changing.push(base);
            }
        }
        let mut few = 0;
        if self.drift_words.len() == 1 {
            few = self.net.leaves(&desk.propagation)[self.drift_words.start];
            for &(place, to) in &self.overrides[range(operator.overrides)] {
                let changes = self.override_changes(desk, place, to);
                few = few & !(1 << place) | u64::from(changes) << place;
            }
        } else if !self.drift.is_empty() {
            let leaves = self.net.leaves(&desk.propagation);
            desk.drifting.copy_from_slice(&leaves[self.drift_words.clone()]);
            for &(place, to) in &self.overrides[range(operator.overrides)] {
                let changes = self.override_changes(desk, place, to);
                let word = &mut desk.drifting[place as usize / 64];
                *word = *word & !(1 << (place % 64)) | u64::from(changes) << (place % 64);
            }
        }
        // ... then everything changes.
        let mut pending = desk.propagation.cells.pending();
        for &node in &self.flips[range(operator.flips)] {
            desk.propagation.cells.toggle(node);
        }
        for &(word, bits) in &self.sure[range(operator.sure)] {
            desk.propagation.cells.bits_mut()[word as usize] ^= bits;
        }
        self.fan_outs.fire(cpu, &mut desk.propagation.cells, &mut pending, operator.fan_out, false);
        for &base in &desk.changing {
            self.net.toggle(
                cpu,
                &mut desk.propagation,
                &mut pending,
                self.bases[base as usize].node,
            );
        }
        if self.drift_words.len() == 1 {
            self.drift_word(cpu, &mut desk.propagation, &mut pending, 0, few);
        } else {
            self.drift(cpu, desk, &mut pending);
        }
        self.net.run(cpu, &mut desk.propagation, pending);
    }

    /// Whether a drifting base changes that is about to become this.
    #[inline(always)]
    fn override_changes(&self, desk: &mut PlayoutState<C>, place: u32, to: Operand) -> bool {
        let slot = self.bases[self.drift[place as usize] as usize];
        self.on_demand.read(to, &desk.propagation, &mut desk.found)
            != desk.propagation.cells.is_on(C::narrow(slot.node))
    }

    /// Lets those bases change that drift and are about to.
    #[inline(always)]
    fn drift<K: Cpu>(&self, cpu: K, desk: &mut PlayoutState<C>, pending: &mut C::Pending) {
        for word in 0..desk.drifting.len() {
            let bits = std::mem::take(&mut desk.drifting[word]);
            self.drift_word(cpu, &mut desk.propagation, pending, word, bits);
        }
    }

    /// Lets drifting bases of one word change.
    #[inline(always)]
    fn drift_word<K: Cpu>(
        &self,
        cpu: K,
        propagation: &mut Propagation<C>,
        pending: &mut C::Pending,
        word: usize,
        mut bits: u64,
    ) {
        while bits != 0 {
            let base = self.drift[word * 64 + bits.trailing_zeros() as usize];
            bits &= bits - 1;
            let slot = self.bases[base as usize];
            self.net.toggle(cpu, propagation, pending, slot.node);
            propagation.cells.bits_mut()[slot.word as usize] ^= slot.bit;
        }
    }

    /// Makes a joint move by telling the net of it, which then says what is next.
    #[inline(always)]
    fn tell<K: Cpu>(&self, cpu: K, desk: &mut PlayoutState<C>) {
        let mut pending = desk.propagation.cells.pending();
        for (role, &action) in desk.joint.iter().enumerate() {
            let old = desk.told.get(role).map_or(0, |&m| self.does[m as usize]);
            let new = self.does[action as usize];
            if old != new {
                for node in [old, new].into_iter().filter(|&n| n != 0) {
                    self.net.toggle(cpu, &mut desk.propagation, &mut pending, node);
                }
            }
        }
        self.net.run(cpu, &mut desk.propagation, pending);
        desk.told.clone_from(&desk.joint);
        let leaves = self.net.leaves(&desk.propagation);
        desk.drifting.copy_from_slice(&leaves[self.drift_words.clone()]);
        let mut pending = desk.propagation.cells.pending();
        self.drift(cpu, desk, &mut pending);
        self.net.run(cpu, &mut desk.propagation, pending);
    }

    /// Makes a joint move of which only the whole network knows what it does.
    #[cold]
    fn work_out<K: Cpu>(&self, cpu: K, machine: &Machine, desk: &mut PlayoutState<C>) {
        let is_on = |propagation: &Propagation<C>, base: usize| {
            propagation.cells.is_on(C::narrow(self.bases[base].node))
        };
        let now = (0..self.bases.len()).map(|base| is_on(&desk.propagation, base));
        let mut state = machine.state(now);
        machine.advance(&mut state, &desk.joint);
        let mut pending = desk.propagation.cells.pending();
        for (base, slot) in self.bases.iter().enumerate() {
            if machine.base(&state, base) != is_on(&desk.propagation, base) {
                self.net.toggle(cpu, &mut desk.propagation, &mut pending, slot.node);
                desk.propagation.cells.bits_mut()[slot.word as usize] ^= slot.bit;
            }
        }
        self.net.run(cpu, &mut desk.propagation, pending);
    }
}

/// The number of the `k`-th set bit.
#[inline(always)]
fn pick<K: Cpu>(cpu: K, words: &[u64], mut k: u32) -> u32 {
    for (at, &word) in (0..).zip(words) {
        let count = word.count_ones();
        if k < count {
            return at * 64 + cpu.nth(word, k);
        }
        k -= count;
    }
    0
}
