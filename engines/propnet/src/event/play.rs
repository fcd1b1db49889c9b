//! Playouts by change propagation.

use play::{End, Ending, Job, MAX_FORCED_PASSES, Rng, Scores, Tally};

use crate::event::cells::{Cells, Number, Wide};
use crate::event::compile::{EventNetwork, Operator, RoleLayout, Solo};
use crate::event::memory::{Desk, Scratch, Values};
use crate::event::net::Propagation;
use crate::event::on_demand::{Found, Operand};
use crate::event::program::Instruction;
use crate::event::state::EventState;
use crate::network::Goal;
use crate::plain_evaluator::{MoveId, PlainEvaluator};
use cpu::{Cpu, Level, Task};

/// The rules that all playouts share.
#[derive(Clone, Copy)]
pub(crate) struct Rules<'a> {
    /// The same network.
    pub(crate) plain: &'a PlainEvaluator,
    pub(crate) goals: &'a [Goal],
}

/// A playout that goes on from the values at a desk. The only piece of code that plays: a call for
/// each playout is nothing beside it, and what is compiled for three levels and two widths of numbers
/// should be compiled once for each.
pub(crate) struct PlayOn<'a, N: Number> {
    pub(crate) fast: &'a EventNetwork<N>,
    pub(crate) rules: Rules<'a>,
    pub(crate) desk: &'a mut Desk<N::Cells>,
    pub(crate) rng: &'a mut Rng,
    pub(crate) cap: u32,
}

impl<N: Number> Task for PlayOn<'_, N> {
    type Output = End;

    #[inline(always)]
    fn run<K: Cpu>(self, cpu: K) -> End {
        let PlayOn { fast, rules, desk, rng, cap } = self;
        fast.playout(cpu, rules, desk, rng, cap)
    }
}

/// A move whose effects are known, made as a task of its own: where joint moves are made, a call for
/// each is little.
struct Apply<'a, N: Number, C> {
    fast: &'a EventNetwork<N>,
    values: &'a mut Values<C>,
    scratch: &'a mut Scratch,
    operator: &'a Operator,
}

impl<N: Number, C: Cells> Task for Apply<'_, N, C> {
    type Output = ();

    #[inline(always)]
    fn run<K: Cpu>(self, cpu: K) {
        let Apply { fast, values, scratch, operator } = self;
        fast.apply(cpu, values, scratch, operator);
    }
}

impl<N: Number> EventNetwork<N> {
    /// Does something with memory for playouts.
    pub(crate) fn at_desk<R>(&self, run: impl FnOnce(&mut Desk<N::Cells>) -> R) -> R {
        let new = || {
            Box::new(Desk {
                values: Values { propagation: self.net.propagation(), told: Vec::new() },
                scratch: self.new_scratch(),
                counts: vec![0; self.actors.len()],
                joint: Vec::with_capacity(self.actors.len()),
                plies: 0,
                passes: 0,
            })
        };
        self.desks.with(new, |desk| run(desk))
    }

    /// Does something with memory for a step.
    pub(crate) fn with_scratch<R>(&self, run: impl FnOnce(&mut Scratch) -> R) -> R {
        self.scratch.with(|| Box::new(self.new_scratch()), |scratch| run(scratch))
    }

    fn new_scratch(&self) -> Scratch {
        Scratch {
            found: Found::new(self.on_demand.len()),
            changing: Vec::new(),
            drifting: vec![0; self.drift_words.len()],
        }
    }

    /// Plays a job from the start.
    pub(crate) fn run(&self, level: Level, rules: Rules<'_>, job: &Job) -> Tally {
        let mut tally = Tally::default();
        self.at_desk(|desk| {
            for id in job.ids() {
                let rng = &mut Rng::stream(job.seed, id);
                self.begin(desk, self.net.initial());
                desk.values.told.clear();
                let playout = PlayOn { fast: self, rules, desk: &mut *desk, rng, cap: job.cap };
                tally.record(id, level.call(playout));
            }
        });
        tally
    }

    /// Plays on from a state.
    pub(crate) fn play_on(
        &self,
        level: Level,
        rules: Rules<'_>,
        from: &EventState,
        rng: &mut Rng,
        cap: u32,
    ) -> End {
        self.at_desk(|desk| {
            self.begin(desk, &from.values.propagation);
            desk.values.told.clone_from(&from.values.told);
            desk.joint.extend_from_slice(&from.chosen);
            level.call(PlayOn { fast: self, rules, desk, rng, cap })
        })
    }

    /// Begins a playout with these values, but for what the net has been told.
    fn begin<C: Cells>(&self, desk: &mut Desk<C>, from: &Propagation<Wide>) {
        self.net.set(&mut desk.values.propagation, from);
        desk.joint.clear();
        desk.plies = 0;
        desk.passes = 0;
    }

    /// Plays on to the end. The first moves of a joint move may have been chosen.
    #[inline(always)]
    fn playout<C: Cells, K: Cpu>(
        &self,
        cpu: K,
        rules: Rules<'_>,
        desk: &mut Desk<C>,
        rng: &mut Rng,
        cap: u32,
    ) -> End {
        loop {
            // Where some have chosen, the others go on; nothing of that is over.
            let is_begun = !desk.joint.is_empty();
            if !is_begun && self.is_over(&desk.values.propagation) {
                let scores = self.scores(rules, &desk.values.propagation, &mut desk.scratch);
                return End { plies: desk.plies, ending: Ending::Over(scores) };
            }
            let ended = match &self.solos[self.turn(&desk.values.propagation)] {
                Some(solo) if !is_begun => self.solo(cpu, solo, desk, rng, cap),
                _ => self.together(cpu, rules, desk, rng, cap),
            };
            if let Some(ending) = ended {
                return End { plies: desk.plies, ending };
            }
        }
    }

    /// The payoffs of the players in a state that is over.
    #[inline(always)]
    pub(crate) fn scores<C: Cells>(
        &self,
        rules: Rules<'_>,
        propagation: &Propagation<C>,
        scratch: &mut Scratch,
    ) -> Scores {
        let found = &mut scratch.found;
        found.forget();
        self.on_demand.solve(&self.goal_blocks, propagation, found);
        let holds = |goal: usize| self.on_demand.read(self.goals[goal], propagation, found);
        rules.plain.roles.scores(rules.goals, holds)
    }

    /// True if the state is terminal.
    #[inline(always)]
    pub(crate) fn is_over<C: Cells>(&self, propagation: &Propagation<C>) -> bool {
        propagation.holds(self.terminal)
            || (!self.exhausted.is_empty()
                && self.net.leaves(propagation)[self.exhausted.clone()].iter().all(|&w| w == 0))
    }

    /// The number of the combination that holds of the propositions for the turn.
    #[inline(always)]
    pub(crate) fn turn<C: Cells>(&self, propagation: &Propagation<C>) -> usize {
        let is_on = |node: &N| propagation.cells.is_on(node.wide());
        let bits = self.turn_bases.iter().rev();
        bits.fold(0, |so_far, node| so_far << 1 | usize::from(is_on(node)))
    }

    /// One role chooses from one group, while the others pass.
    #[inline(always)]
    fn solo<C: Cells, K: Cpu>(
        &self,
        cpu: K,
        solo: &Solo,
        desk: &mut Desk<C>,
        rng: &mut Rng,
        cap: u32,
    ) -> Option<Ending> {
        let words = &self.net.leaves(&desk.values.propagation)[solo.words.clone()];
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
        self.apply(cpu, &mut desk.values, &mut desk.scratch, &self.operators[at]);
        None
    }

    /// All roles choose in turn, but for the first ones whose moves are in the joint move already.
    #[inline(always)]
    fn together<C: Cells, K: Cpu>(
        &self,
        cpu: K,
        rules: Rules<'_>,
        desk: &mut Desk<C>,
        rng: &mut Rng,
        cap: u32,
    ) -> Option<Ending> {
        let Desk { values, scratch, counts, joint, plies, passes } = desk;
        for (actor, count) in self.actors.iter().zip(&mut *counts) {
            *count = self.count(actor, &values.propagation);
            if *count == 0 {
                return Some(Ending::Stuck);
            }
        }
        for (actor, &count) in self.actors.iter().zip(&*counts).skip(joint.len()) {
            if actor.player.is_none() {
                joint.push(self.choose(cpu, actor, &values.propagation, rng.below(count)));
                continue;
            }
            if count == 1 {
                let only = self.choose(cpu, actor, &values.propagation, 0);
                if self.passes[only as usize] {
                    joint.push(only);
                    *passes += 1;
                    if *passes > MAX_FORCED_PASSES {
                        return Some(Ending::Capped);
                    }
                    continue;
                }
            }
            if *plies == cap {
                return Some(Ending::Capped);
            }
            *plies += 1;
            *passes = 0;
            joint.push(self.choose(cpu, actor, &values.propagation, rng.below(count)));
        }
        self.advance(cpu, rules.plain, values, scratch, joint);
        joint.clear();
        None
    }

    /// Goes to the next state by a joint move.
    #[inline(always)]
    pub(crate) fn advance<C: Cells, K: Cpu>(
        &self,
        cpu: K,
        plain: &PlainEvaluator,
        values: &mut Values<C>,
        scratch: &mut Scratch,
        joint: &[MoveId],
    ) {
        if self.operators.is_empty() {
            self.tell(cpu, values, scratch, joint);
        } else if let Some(action) = self.acting(joint) {
            let operator = &self.operators[action];
            cpu.call(Apply { fast: self, values, scratch, operator });
        } else {
            self.work_out(cpu, plain, &mut values.propagation, joint);
        }
    }

    /// The number of moves that the actor may make.
    #[inline(always)]
    pub(crate) fn count<C: Cells>(&self, actor: &RoleLayout, propagation: &Propagation<C>) -> u32 {
        let leaves = self.net.leaves(propagation);
        let open = actor.choices.iter().filter(|c| propagation.holds(c.guard));
        open.flat_map(|c| &leaves[c.words.clone()]).map(|w| w.count_ones()).sum()
    }

    /// The `k`-th move that the actor may make.
    #[inline(always)]
    fn choose<C: Cells, K: Cpu>(
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
    fn apply<C: Cells, K: Cpu>(
        &self,
        cpu: K,
        values: &mut Values<C>,
        scratch: &mut Scratch,
        operator: &Operator,
    ) {
        let propagation = &mut values.propagation;
        let range = |[start, end]: [u32; 2]| start as usize..end as usize;
        // First everything is read ...
        scratch.found.forget();
        scratch.changing.clear();
        let program = &self.programs[range(operator.program)];
        let mut at = 0;
        while let Some(&instruction) = program.get(at) {
            at += 1;
            let is_on = |base: u32| propagation.cells.is_on(self.bases[base as usize].node);
            let (base, changes) = match instruction {
                Instruction::Unless { condition, skip } => {
                    if !self.on_demand.read(condition, propagation, &mut scratch.found) {
                        at += skip as usize;
                    }
                    continue;
                }
                Instruction::Set { base, value } => (base, is_on(base) != value),
                Instruction::Toggle { base } => (base, true),
                Instruction::Assign { base, from } => (
                    base,
                    is_on(base) != self.on_demand.read(from, propagation, &mut scratch.found),
                ),
            };
            if changes {
                scratch.changing.push(base);
            }
        }
        let mut few = 0;
        if self.drift_words.len() == 1 {
            few = self.net.leaves(propagation)[self.drift_words.start];
            for &(place, to) in &self.overrides[range(operator.overrides)] {
                let changes = self.override_changes(propagation, &mut scratch.found, place, to);
                few = few & !(1 << place) | u64::from(changes) << place;
            }
        } else if !self.drift.is_empty() {
            let leaves = self.net.leaves(propagation);
            scratch.drifting.copy_from_slice(&leaves[self.drift_words.clone()]);
            for &(place, to) in &self.overrides[range(operator.overrides)] {
                let changes = self.override_changes(propagation, &mut scratch.found, place, to);
                let word = &mut scratch.drifting[place as usize / 64];
                *word = *word & !(1 << (place % 64)) | u64::from(changes) << (place % 64);
            }
        }
        // ... then everything changes.
        let mut pending = propagation.cells.pending();
        for &node in &self.flips[range(operator.flips)] {
            propagation.cells.toggle(node.wide());
        }
        for &(word, bits) in &self.sure[range(operator.sure)] {
            propagation.cells.bits_mut()[word as usize] ^= bits;
        }
        self.fan_outs.fire(cpu, &mut propagation.cells, &mut pending, operator.fan_out, false);
        for &base in &scratch.changing {
            self.net.toggle(cpu, propagation, &mut pending, self.bases[base as usize].node);
        }
        if self.drift_words.len() == 1 {
            self.drift_word(cpu, propagation, &mut pending, 0, few);
        } else {
            self.drift(cpu, propagation, &mut scratch.drifting, &mut pending);
        }
        self.net.run(cpu, propagation, pending);
    }

    /// True if a drifting base changes that is about to become this.
    #[inline(always)]
    fn override_changes<C: Cells>(
        &self,
        propagation: &Propagation<C>,
        found: &mut Found,
        place: u32,
        to: Operand,
    ) -> bool {
        let slot = self.bases[self.drift[place as usize] as usize];
        self.on_demand.read(to, propagation, found) != propagation.cells.is_on(slot.node)
    }

    /// Lets those bases change that drift and are about to.
    #[inline(always)]
    fn drift<C: Cells, K: Cpu>(
        &self,
        cpu: K,
        propagation: &mut Propagation<C>,
        drifting: &mut [u64],
        pending: &mut C::Pending,
    ) {
        for (word, bits) in drifting.iter_mut().enumerate() {
            self.drift_word(cpu, propagation, pending, word, std::mem::take(bits));
        }
    }

    /// Lets drifting bases of one word change.
    #[inline(always)]
    fn drift_word<C: Cells, K: Cpu>(
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
    fn tell<C: Cells, K: Cpu>(
        &self,
        cpu: K,
        values: &mut Values<C>,
        scratch: &mut Scratch,
        joint: &[MoveId],
    ) {
        let Values { propagation, told } = values;
        let mut pending = propagation.cells.pending();
        for (role, &action) in joint.iter().enumerate() {
            let old = told.get(role).map_or(0, |&m| self.does[m as usize]);
            let new = self.does[action as usize];
            if old != new {
                for node in [old, new].into_iter().filter(|&n| n != 0) {
                    self.net.toggle(cpu, propagation, &mut pending, node);
                }
            }
        }
        self.net.run(cpu, propagation, pending);
        told.clear();
        told.extend_from_slice(joint);
        let leaves = self.net.leaves(propagation);
        scratch.drifting.copy_from_slice(&leaves[self.drift_words.clone()]);
        let mut pending = propagation.cells.pending();
        self.drift(cpu, propagation, &mut scratch.drifting, &mut pending);
        self.net.run(cpu, propagation, pending);
    }

    /// Makes a joint move of which only the whole network knows what it does.
    #[cold]
    fn work_out<C: Cells, K: Cpu>(
        &self,
        cpu: K,
        plain: &PlainEvaluator,
        propagation: &mut Propagation<C>,
        joint: &[MoveId],
    ) {
        let is_on = |propagation: &Propagation<C>, base: usize| {
            propagation.cells.is_on(self.bases[base].node)
        };
        let now = (0..self.bases.len()).map(|base| is_on(propagation, base));
        let mut state = plain.state(now);
        plain.advance(&mut state, joint);
        let mut pending = propagation.cells.pending();
        for (base, slot) in self.bases.iter().enumerate() {
            if plain.base(&state, base) != is_on(propagation, base) {
                self.net.toggle(cpu, propagation, &mut pending, slot.node);
                propagation.cells.bits_mut()[slot.word as usize] ^= slot.bit;
            }
        }
        self.net.run(cpu, propagation, pending);
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
