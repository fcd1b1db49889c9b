//! Playouts by change propagation.

use play::{End, Ending, Job, MAX_FORCED_PASSES, Rng, Tally};

use crate::event::cells::Cells;
use crate::event::compile::{Actor, Fast, Operator, Solo};
use crate::event::net::Wave;
use crate::event::program::Instruction;
use crate::machine::{Machine, MoveId};
use crate::network::Goal;

/// What a playout needs besides the network; used again for the next.
struct Desk<C> {
    wave: Wave<C>,
    pulled: Vec<bool>,
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

impl<C: Cells> Fast<C> {
    /// Plays a job, one playout after another.
    #[inline(always)]
    pub(crate) fn run(&self, rules: Rules<'_>, job: &Job) -> Tally {
        let mut desk = Desk {
            wave: self.net.wave(),
            pulled: vec![false; self.pull.len()],
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
            let ending = self.playout(rules, &mut desk, &mut rng, job.cap);
            tally.record(id, End { plies: desk.plies, ending });
        }
        tally
    }

    #[inline(always)]
    fn playout(&self, rules: Rules<'_>, desk: &mut Desk<C>, rng: &mut Rng, cap: u32) -> Ending {
        self.net.reset(&mut desk.wave);
        desk.told.clear();
        desk.plies = 0;
        desk.passes = 0;
        loop {
            if self.is_over(&desk.wave) {
                for &gate in &self.goal_pulls {
                    self.pull.evaluate(gate, &desk.wave, &mut desk.pulled);
                }
                self.pull.blocks(&self.goal_blocks, &desk.wave, &mut desk.pulled);
                let holds = |goal: usize| self.goals[goal].read(&desk.wave, &desk.pulled);
                return Ending::Over(rules.machine.roles.scores(rules.goals, holds));
            }
            let ended = match &self.solos[self.turn(&desk.wave)] {
                Some(solo) => self.solo(solo, desk, rng, cap),
                None => self.together(rules, desk, rng, cap),
            };
            if let Some(ending) = ended {
                return ending;
            }
        }
    }

    #[inline(always)]
    fn is_over(&self, wave: &Wave<C>) -> bool {
        wave.holds(self.terminal)
            || (!self.exhausted.is_empty()
                && self.net.leaves(wave)[self.exhausted.clone()].iter().all(|&w| w == 0))
    }

    /// Which combination of the propositions that tell whose turn it is holds.
    #[inline(always)]
    fn turn(&self, wave: &Wave<C>) -> usize {
        let bits = self.turn_bases.iter().rev();
        bits.fold(0, |so_far, &node| so_far << 1 | usize::from(wave.cells.is_on(node)))
    }

    /// One role chooses from one group, while the others pass.
    #[inline(always)]
    fn solo(&self, solo: &Solo, desk: &mut Desk<C>, rng: &mut Rng, cap: u32) -> Option<Ending> {
        let words = &self.net.leaves(&desk.wave)[solo.words.clone()];
        let count: u32 = words.iter().map(|w| w.count_ones()).sum();
        if count == 0 {
            return Some(Ending::Stuck);
        }
        let mut action = MoveId::MAX;
        if count == 1 {
            action = solo.first + pick(words, 0);
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
            action = solo.first + pick(words, rng.below(count));
            desk.plies += 1;
            // Those who come after pass once more before the next ply.
            desk.passes = others - solo.role as u32;
        }
        let at = if action == solo.idle { self.passes.len() } else { action as usize };
        self.apply(desk, &self.operators[at]);
        None
    }

    /// All roles choose, in turn.
    #[inline(never)]
    fn together(
        &self,
        rules: Rules<'_>,
        desk: &mut Desk<C>,
        rng: &mut Rng,
        cap: u32,
    ) -> Option<Ending> {
        for (actor, count) in self.actors.iter().zip(&mut desk.counts) {
            *count = self.count(actor, &desk.wave);
            if *count == 0 {
                return Some(Ending::Stuck);
            }
        }
        desk.joint.clear();
        for (actor, &count) in self.actors.iter().zip(&desk.counts) {
            if actor.player.is_none() {
                desk.joint.push(self.choose(actor, &desk.wave, rng.below(count)));
                continue;
            }
            if count == 1 {
                let only = self.choose(actor, &desk.wave, 0);
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
            desk.joint.push(self.choose(actor, &desk.wave, rng.below(count)));
        }
        if self.operators.is_empty() {
            self.tell(desk);
        } else if let Some(action) = self.acting(&desk.joint) {
            self.apply(desk, &self.operators[action]);
        } else {
            self.work_out(rules.machine, desk);
        }
        None
    }

    /// How many moves the actor may make.
    #[inline(always)]
    fn count(&self, actor: &Actor, wave: &Wave<C>) -> u32 {
        let leaves = self.net.leaves(wave);
        let open = actor.choices.iter().filter(|c| wave.holds(c.guard));
        open.flat_map(|c| &leaves[c.words.clone()]).map(|w| w.count_ones()).sum()
    }

    /// The `k`-th move that the actor may make.
    #[inline(always)]
    fn choose(&self, actor: &Actor, wave: &Wave<C>, mut k: u32) -> MoveId {
        let leaves = self.net.leaves(wave);
        for choices in actor.choices.iter().filter(|c| wave.holds(c.guard)) {
            let words = &leaves[choices.words.clone()];
            let count = words.iter().map(|w| w.count_ones()).sum();
            if k < count {
                return choices.first + pick(words, k);
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
    fn apply(&self, desk: &mut Desk<C>, operator: &Operator) {
        let range = |[start, end]: [u32; 2]| start as usize..end as usize;
        // First everything is read ...
        for &gate in &self.pulls[range(operator.pulls)] {
            self.pull.evaluate(gate, &desk.wave, &mut desk.pulled);
        }
        desk.changing.clear();
        let program = &self.programs[range(operator.program)];
        let mut at = 0;
        while let Some(&instruction) = program.get(at) {
            at += 1;
            let is_on =
                |base: u32| desk.wave.cells.is_on(C::narrow(self.bases[base as usize].node));
            let (base, changes) = match instruction {
                Instruction::Unless { condition, skip } => {
                    if !condition.read(&desk.wave, &desk.pulled) {
                        at += skip as usize;
                    }
                    continue;
                }
                Instruction::Set { base, value } => (base, is_on(base) != value),
                Instruction::Toggle { base } => (base, true),
                Instruction::Assign { base, from } => {
                    (base, is_on(base) != from.read(&desk.wave, &desk.pulled))
                }
            };
            if changes {
                desk.changing.push(base);
            }
        }
        if !self.drift.is_empty() {
            let leaves = self.net.leaves(&desk.wave);
            desk.drifting.copy_from_slice(&leaves[self.drift_words.clone()]);
            for &(place, to) in &self.overrides[range(operator.overrides)] {
                let slot = self.bases[self.drift[place as usize] as usize];
                let now = desk.wave.cells.is_on(C::narrow(slot.node));
                let changes = to.read(&desk.wave, &desk.pulled) != now;
                let word = &mut desk.drifting[place as usize / 64];
                *word = *word & !(1 << (place % 64)) | u64::from(changes) << (place % 64);
            }
        }
        // ... then everything changes.
        let mut pending = desk.wave.cells.pending();
        for &node in &self.flips[range(operator.flips)] {
            desk.wave.cells.toggle(node);
        }
        for step in &self.steps[range(operator.steps)] {
            desk.wave.cells.add(&mut pending, step.node, step.step);
        }
        for &base in &desk.changing {
            self.net.toggle(&mut desk.wave, &mut pending, self.bases[base as usize].node);
        }
        self.drift(desk, &mut pending);
        self.net.run(&mut desk.wave, pending);
    }

    /// Lets those bases change that drift and are about to.
    #[inline(always)]
    fn drift(&self, desk: &mut Desk<C>, pending: &mut C::Pending) {
        for word in 0..desk.drifting.len() {
            let mut bits = std::mem::take(&mut desk.drifting[word]);
            while bits != 0 {
                let base = self.drift[word * 64 + bits.trailing_zeros() as usize];
                bits &= bits - 1;
                let slot = self.bases[base as usize];
                self.net.toggle(&mut desk.wave, pending, slot.node);
                desk.wave.cells.bits_mut()[slot.word as usize] ^= slot.bit;
            }
        }
    }

    /// Makes a joint move by telling the net of it, which then says what is next.
    fn tell(&self, desk: &mut Desk<C>) {
        let mut pending = desk.wave.cells.pending();
        for (role, &action) in desk.joint.iter().enumerate() {
            let old = desk.told.get(role).map_or(0, |&m| self.does[m as usize]);
            let new = self.does[action as usize];
            if old != new {
                for node in [old, new].into_iter().filter(|&n| n != 0) {
                    self.net.toggle(&mut desk.wave, &mut pending, node);
                }
            }
        }
        self.net.run(&mut desk.wave, pending);
        desk.told.clone_from(&desk.joint);
        let leaves = self.net.leaves(&desk.wave);
        desk.drifting.copy_from_slice(&leaves[self.drift_words.clone()]);
        let mut pending = desk.wave.cells.pending();
        self.drift(desk, &mut pending);
        self.net.run(&mut desk.wave, pending);
    }

    /// Makes a joint move of which only the whole network knows what it does.
    #[cold]
    fn work_out(&self, machine: &Machine, desk: &mut Desk<C>) {
        let is_on =
            |wave: &Wave<C>, base: usize| wave.cells.is_on(C::narrow(self.bases[base].node));
        let now = (0..self.bases.len()).map(|base| is_on(&desk.wave, base));
        let mut state = machine.state(now);
        machine.advance(&mut state, &desk.joint);
        let mut pending = desk.wave.cells.pending();
        for (base, slot) in self.bases.iter().enumerate() {
            if machine.base(&state, base) != is_on(&desk.wave, base) {
                self.net.toggle(&mut desk.wave, &mut pending, slot.node);
                desk.wave.cells.bits_mut()[slot.word as usize] ^= slot.bit;
            }
        }
        self.net.run(&mut desk.wave, pending);
    }
}

/// The number of the `k`-th set bit.
#[inline(always)]
fn pick(words: &[u64], mut k: u32) -> u32 {
    for (at, &word) in (0..).zip(words) {
        let count = word.count_ones();
        if k < count {
            return at * 64 + nth(word, k);
        }
        k -= count;
    }
    0
}

/// The index of the `k`-th set bit.
#[inline(always)]
fn nth(mut word: u64, k: u32) -> u32 {
    for _ in 0..k {
        word &= word - 1;
    }
    word.trailing_zeros()
}
