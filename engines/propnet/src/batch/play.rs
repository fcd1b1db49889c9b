//! Playouts in lanes.
//!
//! All lanes take a step together: what holds, who has ended, who chooses from how many moves, the
//! draws, the moves, what is next. A lane whose playout has ended starts the next one. Lanes that
//! have ended or stand still choose and move as well, and what comes of it is thrown away.

use play::{
    End, Ending, Job, MAX_FORCED_PASSES, MAX_PLAYERS, Rng, Scores, Streams, Tally, Upcoming,
};

use super::choice::{Count, Mark, Planes};
use super::draw::Draw;
use super::gates::Execute;
use super::layout::{Change, Layout};
use super::memory::Memory;
use super::slots::Index;
use crate::network::Network;
use crate::vector::{LANES, LaneList, Lanes64, Lanes256, Lanes512, Lanes1024, Vector};
use cpu::{Bytes, Cpu, Instructions, Task};

/// A job.
pub(crate) struct Play<'a, I> {
    pub(crate) layout: &'a Layout<I>,
    pub(crate) job: &'a Job,
    pub(crate) starts: Starts<'a>,
    pub(crate) account: Account<'a>,
}

/// The states in which the playouts of a job begin.
#[derive(Clone, Copy)]
pub(crate) enum Starts<'a> {
    /// All in one state.
    One(&'a Start),
    /// Each in its own, at least one and at most as many as there are lanes. The ids of the job are
    /// their numbers, and its cap is the greatest of theirs.
    Own(&'a [OwnStart]),
}

/// The state in which one playout begins.
pub(crate) struct OwnStart {
    pub(crate) start: Start,
    /// The stream of its draws.
    pub(crate) rng: Rng,
    pub(crate) cap: u32,
}

/// A state between two steps, in which playouts begin.
pub(crate) struct Start {
    /// By base, whether it holds.
    pub(crate) holds: Vec<bool>,
    /// Forced passes in a row that count with those to come; less than none if some that are yet to
    /// come have been counted elsewhere.
    pub(crate) passes: i32,
}

impl Start {
    /// The start of whole playouts.
    pub(crate) fn of_game(network: &Network) -> Start {
        Start { holds: network.bases.iter().map(|base| base.initially).collect(), passes: 0 }
    }
}

/// The record of playouts that have ended.
pub(crate) enum Account<'a> {
    /// Their sum.
    Sum(Tally),
    /// The end of each, in the order of their ids, of which this is the first.
    Each(u64, &'a mut [End]),
}

impl Account<'_> {
    /// Counts a playout.
    fn record(&mut self, id: u64, end: End) {
        match self {
            Account::Sum(tally) => tally.record(id, end),
            Account::Each(first, ends) => ends[(id - *first) as usize] = end,
        }
    }

    /// Counts a playout in everything but the outcome counts, see [`Tally::note`].
    #[inline(always)]
    fn note(&mut self, id: u64, end: End) {
        match self {
            Account::Sum(tally) => tally.note(id, end),
            Account::Each(first, ends) => ends[(id - *first) as usize] = end,
        }
    }

    /// Adds so many playouts to the outcome counts alone.
    #[inline(always)]
    fn count(&mut self, scores: Scores, playouts: u64) {
        if let Account::Sum(tally) = self {
            tally.count(scores, playouts);
        }
    }
}

impl<'a, I: Index> Task for Play<'a, I> {
    type Output = Account<'a>;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Account<'a> {
        // Of these only the one is compiled that fits the vectors.
        match C::WORDS {
            8 => PlayIn::<I, Lanes512>::new(self).run(cpu),
            4 => PlayIn::<I, Lanes256>::new(self).run(cpu),
            _ => PlayIn::<I, Lanes64>::new(self).run(cpu),
        }
    }
}

/// A job on doubled lanes, for what is small enough that its values stay near: what to compute is
/// then looked up half as often.
pub(crate) struct Doubled<'a, I>(pub(crate) Play<'a, I>);

impl<'a, I: Index> Task for Doubled<'a, I> {
    type Output = Account<'a>;

    const COMPILED_FOR: &'static [Instructions] = &[Instructions::Avx512];

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> Account<'a> {
        PlayIn::<I, Lanes1024>::new(self.0).run(cpu)
    }
}

/// A job in lanes of a kind.
struct PlayIn<'a, I: Index, V: Vector> {
    play: Play<'a, I>,
    memory: Memory<I, V>,
    updates: Updates<I>,
    streams: Vec<Streams>,
    /// Lanes that play.
    active: V,
    /// By lane, the playout.
    ids: Vec<u64>,
    upcoming: Upcoming,
    /// Counts plies; those of a playout are what is between this and `since`.
    clock: u32,
    since: Vec<u32>,
    /// So many steps cannot take any playout to the cap.
    far: u32,
    /// By move set, the lanes in which a role draws.
    draws: Vec<V>,
    /// By player, the lanes in which it draws if anybody does.
    turns: Vec<V>,
    /// By player, the lanes in which it drew in the last step.
    drew: Vec<V>,
    /// Lanes in which no player drew in the last step, and the forced passes in a row there.
    quiet: V,
    passes: Vec<i32>,
    /// Lanes that have ended, by what the players get; and room for dividing them.
    ended: [Vec<(V, Values)>; 2],
    /// By lane that has ended, its part of them, and by part the scores.
    parts: [Bytes; LANES / 64],
    scores: Vec<Scores>,
}

/// The payoffs of the players.
type Values = [i32; MAX_PLAYERS];

impl<'a, I: Index, V: Vector> PlayIn<'a, I, V> {
    fn new(play: Play<'a, I>) -> PlayIn<'a, I, V> {
        let lanes = V::WORDS * 64;
        let layout = play.layout;
        // What begins again after its end is begun with all others where each has its own state.
        let (start, again) = match play.starts {
            Starts::One(start) => (start, *play.job),
            Starts::Own(all) => (&all[0].start, Job { count: 0, ..*play.job }),
        };
        PlayIn {
            memory: layout.memory.take(layout.slots, layout.planes),
            updates: Updates::new(layout, start),
            streams: vec![Streams::default(); V::WORDS],
            active: V::ALL,
            ids: vec![0; lanes],
            upcoming: Upcoming::new(&again),
            clock: 0,
            since: vec![0; lanes],
            far: 0,
            draws: vec![V::NONE; layout.move_sets.len()],
            turns: vec![V::NONE; layout.players as usize],
            drew: vec![V::NONE; layout.players as usize],
            quiet: V::NONE,
            passes: vec![0; lanes],
            ended: [Vec::new(), Vec::new()],
            parts: [Bytes([0; 64]); LANES / 64],
            scores: Vec::new(),
            play,
        }
    }

    #[inline(always)]
    fn run<C: Cpu>(mut self, cpu: C) -> Account<'a> {
        let Play { layout, starts, .. } = self.play;
        layout.always.set(&mut self.memory.slots, V::ALL);
        match starts {
            Starts::One(start) => {
                for &(base, number) in &layout.bases {
                    let holds = if start.holds[number as usize] { V::ALL } else { V::NONE };
                    base.set(&mut self.memory.slots, holds);
                }
                self.start(start.passes, V::ALL);
            }
            Starts::Own(all) => self.start_each(all),
        }
        while !self.active.is_none() {
            self.step(cpu);
        }
        layout.memory.leave(self.memory);
        self.play.account
    }

    /// Lets each of some playouts begin in its lane.
    fn start_each(&mut self, all: &[OwnStart]) {
        let Play { layout, job, .. } = self.play;
        for &(base, number) in &layout.bases {
            let mut holds = V::NONE;
            for (word, all) in holds.words_mut().iter_mut().zip(all.chunks(64)) {
                let bit = |own: &OwnStart| u64::from(own.start.holds[number as usize]);
                *word = all.iter().rev().fold(0, |word, own| word << 1 | bit(own));
            }
            base.set(&mut self.memory.slots, holds);
        }
        self.active = V::NONE;
        for (lane, own) in all.iter().enumerate() {
            self.active.insert(lane);
            self.streams[lane / 64].set(lane % 64, &own.rng);
            self.ids[lane] = lane as u64;
            // What is left to the cap is all that counts.
            self.since[lane] = self.clock.wrapping_sub(job.cap - own.cap);
            self.passes[lane] = own.start.passes;
            if own.start.passes != 0 {
                self.quiet.insert(lane);
            }
        }
    }

    /// Lets the next playouts begin in these lanes, after so many forced passes.
    #[inline(always)]
    fn start(&mut self, passes: i32, lanes: V) {
        for draws in &mut self.draws {
            *draws = draws.without(lanes);
        }
        self.quiet = if passes == 0 { self.quiet.without(lanes) } else { self.quiet.or(lanes) };
        let mut list = LaneList::EMPTY;
        let count = lanes.list(&mut list);
        for lane in list.first(count) {
            let streams = &mut self.streams[lane / 64];
            let Some(id) = self.upcoming.begin(streams, lane % 64) else {
                self.active.remove(lane);
                continue;
            };
            self.ids[lane] = id;
            self.since[lane] = self.clock;
            self.passes[lane] = passes;
        }
    }

    #[inline(always)]
    fn step<C: Cpu>(&mut self, cpu: C) {
        let layout = self.play.layout;
        let mut drew = std::mem::take(&mut self.drew);
        for ((drew, draws), &turn) in drew.iter_mut().zip(self.players()).zip(&self.turns) {
            *drew = draws.and(turn);
        }
        self.drew = drew;
        cpu.call(Execute { program: &layout.legal, slots: &mut self.memory.slots });
        let seats = layout.move_sets.iter().flat_map(|move_set| &move_set.seats);
        for (turn, seat) in self.turns.iter_mut().zip(seats.filter(|seat| seat.player)) {
            let (slot, negated) = seat.turn;
            *turn = slot.get::<V>(&self.memory.slots).flip(negated);
        }
        let (terminal, negated) = layout.terminal;
        let over = self.active.and(terminal.get::<V>(&self.memory.slots).flip(negated));
        let mut running = self.active.without(over);
        for (move_set, draws) in layout.move_sets.iter().zip(&mut self.draws) {
            cpu.call(Count {
                move_set,
                slots: &self.memory.slots,
                planes: &mut self.memory.planes,
            });
            let count = &self.memory.planes[move_set.count().range()];
            let (low, high) = (count[0], count[1..].iter().fold(V::NONE, |any, &p| any.or(p)));
            running = running.and(low.or(high));
            // A pass that is all there is to choose from.
            let held =
                |&(slot, negated): &(I, bool)| slot.get::<V>(&self.memory.slots).flip(negated);
            let pass = move_set.passes.iter().map(held).fold(V::NONE, V::or);
            let forced = if move_set.is_players() { pass.and(low).without(high) } else { V::NONE };
            *draws = forced.not();
        }
        let stuck = self.active.without(over).without(running);
        let mut ply = V::NONE;
        for (move_set, draws) in layout.move_sets.iter().zip(&mut self.draws) {
            *draws = draws.and(running);
            if move_set.is_players() {
                ply = ply.or(*draws);
            }
        }
        let capped = self.capped(running, ply);
        running = running.without(capped);
        self.record(cpu, over, stuck);
        self.choose(cpu);
        cpu.call(Execute { program: &layout.next, slots: &mut self.memory.slots });
        let ended = running.not();
        cpu.call(Update { updates: &self.updates, slots: &mut self.memory.slots, ended });
        self.count_plies(running);
        self.quiet = running.without(ply);
        let passes = match self.play.starts {
            Starts::One(start) => start.passes,
            Starts::Own(_) => 0,
        };
        self.start(passes, self.active.without(running));
    }

    /// By player, the lanes in which it or another one of its move set draws.
    #[inline(always)]
    fn players(&self) -> impl Iterator<Item = V> {
        let move_sets = self.play.layout.move_sets.iter().zip(&self.draws);
        move_sets.flat_map(|(move_set, &draws)| {
            move_set.seats.iter().filter(|seat| seat.player).map(move |_| draws)
        })
    }

    /// Counts the plies that the players make in these lanes.
    #[inline(always)]
    fn count_plies(&mut self, running: V) {
        // Of those who share a move set one draws.
        let mut seen = V::NONE;
        let mut all = 1;
        let move_sets = &self.play.layout.move_sets;
        for (_, draws) in move_sets.iter().zip(&self.draws).filter(|(b, _)| b.is_players()) {
            let again = seen.and(*draws).and(running);
            seen = seen.or(*draws);
            if again.is_none() {
                continue;
            }
            if running.without(again).is_none() {
                all += 1;
            } else {
                for lane in again.lanes() {
                    self.since[lane] = self.since[lane].wrapping_sub(1);
                }
            }
        }
        self.clock = self.clock.wrapping_add(all);
        for lane in running.without(seen).lanes() {
            self.since[lane] = self.since[lane].wrapping_add(1);
        }
    }

    /// Of the running lanes, those in which a player would have to make a ply beyond the cap, or in
    /// which too many forced passes come in a row; counts their playouts. `ply` are those in which
    /// a player draws.
    #[inline(always)]
    fn capped(&mut self, running: V, ply: V) -> V {
        let mut watched = self.quiet.or(running.without(ply));
        if self.far == 0 {
            let players = self.play.layout.players;
            let cap = self.play.job.cap;
            let mut most = 0;
            let mut near = V::NONE;
            for lane in running.lanes() {
                let plies = self.clock.wrapping_sub(self.since[lane]);
                most = most.max(plies);
                if plies.saturating_add(players) > cap {
                    near.insert(lane);
                }
            }
            watched = watched.or(near);
            self.far = (cap - most.min(cap)) / players;
        }
        // The steps so far and this one.
        self.far = self.far.saturating_sub(1);
        let mut capped = V::NONE;
        for lane in watched.and(running).lanes() {
            if let Some(plies) = self.given_up(lane) {
                self.play.account.record(self.ids[lane], End { plies, ending: Ending::Capped });
                capped.insert(lane);
            }
        }
        capped
    }

    /// Goes through the choices of a lane one by one: after how many plies it is given up, if it
    /// is. Writes down the forced passes.
    #[cold]
    fn given_up(&mut self, lane: usize) -> Option<u32> {
        let mut plies = self.clock.wrapping_sub(self.since[lane]);
        let mut passes = self.passes[lane];
        if !self.quiet.has(lane) {
            // Those who came after the last to draw passed; if nobody did, the playout begins.
            let (mut since, mut drew) = (0, false);
            for draws in &self.drew {
                since = if draws.has(lane) { 0 } else { since + 1 };
                drew |= draws.has(lane);
            }
            passes = if drew { since } else { 0 };
        }
        for (draws, turn) in self.players().zip(&self.turns) {
            if draws.has(lane) && turn.has(lane) {
                if plies == self.play.job.cap {
                    return Some(plies);
                }
                plies += 1;
                passes = 0;
            } else {
                passes += 1;
                if passes > MAX_FORCED_PASSES as i32 {
                    return Some(plies);
                }
            }
        }
        self.passes[lane] = passes;
        None
    }

    /// Counts the playouts that have ended.
    #[inline(always)]
    fn record<C: Cpu>(&mut self, cpu: C, over: V, stuck: V) {
        if !over.is_none() {
            let program = &self.play.layout.goals;
            cpu.call(Execute { program, slots: &mut self.memory.slots });
            self.record_over(cpu, over);
        }
        for lane in stuck.lanes() {
            let plies = self.clock.wrapping_sub(self.since[lane]);
            self.play.account.record(self.ids[lane], End { plies, ending: Ending::Stuck });
        }
    }

    /// Counts playouts that have ended by the rules. The lanes are divided by what the first player
    /// gets, each part by what the second one gets, and so on; then they are gone through in order.
    #[inline(always)]
    fn record_over<C: Cpu>(&mut self, cpu: C, over: V) {
        let layout = self.play.layout;
        let [parts, divided] = &mut self.ended;
        parts.clear();
        parts.push((over, [0; MAX_PLAYERS]));
        for (player, outcomes) in layout.outcomes.iter().enumerate() {
            divided.clear();
            for (mut lanes, mut values) in parts.drain(..) {
                for &(value, slot, negated) in outcomes {
                    let held = slot.get::<V>(&self.memory.slots).flip(negated).and(lanes);
                    if !held.is_none() {
                        values[player] = value;
                        divided.push((held, values));
                        lanes = lanes.without(held);
                    }
                }
                if !lanes.is_none() {
                    values[player] = 0;
                    divided.push((lanes, values));
                }
            }
            std::mem::swap(parts, divided);
        }
        // Few enough for a byte to number.
        for parts in parts.chunks(128) {
            self.scores.clear();
            let mut ended = V::NONE;
            for (part, &(lanes, values)) in (0..).zip(parts) {
                let scores = Scores::new(values[..layout.outcomes.len()].iter().copied());
                let count = lanes.words().iter().map(|word| u64::from(word.count_ones())).sum();
                self.play.account.count(scores, count);
                self.scores.push(scores);
                ended = ended.or(lanes);
                for (own, &word) in self.parts.iter_mut().zip(lanes.words()) {
                    let all = cpu.spread(word);
                    for (own, all) in own.0.iter_mut().zip(all.0) {
                        *own = (*own & !all) | (part & all);
                    }
                }
            }
            let mut list = LaneList::EMPTY;
            let count = ended.list(&mut list);
            for lane in list.first(count) {
                let plies = self.clock.wrapping_sub(self.since[lane]);
                let part = usize::from(self.parts[lane / 64].0[lane % 64]);
                let ending = Ending::Over(self.scores[part]);
                self.play.account.note(self.ids[lane], End { plies, ending });
            }
        }
    }

    /// Lets all roles choose.
    #[inline(always)]
    fn choose<C: Cpu>(&mut self, cpu: C) {
        let layout = self.play.layout;
        let mut seen = V::NONE;
        let mut several = V::NONE;
        for draws in &self.draws {
            several = several.or(seen.and(*draws));
            seen = seen.or(*draws);
        }
        if several.is_none() {
            // At most one role draws in any lane: one draw for all of them.
            for at in 0..layout.bounds.len {
                let counts = layout.move_sets.iter().zip(&self.draws).map(|(move_set, draws)| {
                    move_set.count().get(&self.memory.planes, at).and(*draws)
                });
                let bound = counts.fold(V::NONE, V::or);
                self.memory.planes[(layout.bounds.start + at) as usize] = bound;
            }
            self.draw(cpu, layout.bounds, seen);
            for (move_set, draws) in layout.move_sets.iter().zip(&self.draws) {
                for (at, to) in (0..).zip(move_set.rest().range()) {
                    self.memory.planes[to] = layout.drawn.get(&self.memory.planes, at).and(*draws);
                }
            }
        } else {
            for (at, move_set) in layout.move_sets.iter().enumerate() {
                let draws = self.draws[at];
                self.draw(cpu, move_set.count(), draws);
                for (at, to) in (0..).zip(move_set.rest().range()) {
                    self.memory.planes[to] = layout.drawn.get(&self.memory.planes, at).and(draws);
                }
            }
        }
        for move_set in &layout.move_sets {
            cpu.call(Mark {
                move_set,
                slots: &mut self.memory.slots,
                planes: &mut self.memory.planes,
            });
        }
    }

    /// Draws a number below `bounds` in these lanes.
    #[inline(always)]
    fn draw<C: Cpu>(&mut self, cpu: C, bounds: Planes, draws: V) {
        let drawn = self.play.layout.drawn;
        let (streams, planes) = (&mut self.streams, &mut self.memory.planes);
        cpu.call(Draw { streams, planes, bounds, drawn, draws });
    }
}

/// Bases that change and their next values: those that are false at the start, with the value or
/// its negation, then those that are true.
struct Updates<I>([Vec<(I, I)>; 4]);

impl<I: Index> Updates<I> {
    fn new(layout: &Layout<I>, start: &Start) -> Updates<I> {
        let mut updates = [const { Vec::new() }; 4];
        for &Change { base, number, next: (next, negated) } in &layout.changes {
            let on = usize::from(start.holds[number as usize]);
            updates[2 * on + usize::from(negated)].push((base, next));
        }
        Updates(updates)
    }
}

/// Goes to the next state, or to that of the start where a playout has ended.
struct Update<'a, I: Index, V: Vector> {
    updates: &'a Updates<I>,
    slots: &'a mut I::Slots<V>,
    ended: V,
}

impl<I: Index, V: Vector> Task for Update<'_, I, V> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) {
        let Update { updates, slots, ended } = self;
        let [off, off_negated, on, on_negated] = &updates.0;
        for &(base, next) in off {
            base.set(slots, next.get::<V>(slots).without(ended));
        }
        for &(base, next) in off_negated {
            base.set(slots, V::map2(next.get(slots), ended, |next, ended| !next & !ended));
        }
        for &(base, next) in on {
            base.set(slots, next.get::<V>(slots).or(ended));
        }
        for &(base, next) in on_negated {
            base.set(slots, V::map2(next.get(slots), ended, |next, ended| !next | ended));
        }
    }
}
