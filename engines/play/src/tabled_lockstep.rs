//! [`Lockstep`] over a table of all positions of a game: a ply is a look at it.
//!
//! Positions go on in rounds of 64, whose generators are side by side in [`Streams`]. What only
//! some of them do, to ask chance and to begin anew, is worked out for all, and kept where a bit
//! says so: no branch depends on what was drawn.

use std::sync::Arc;

use cpu::{Cpu, Level, Task};

use crate::job::Job;
use crate::lockstep::{IllegalStep, Lockstep, LockstepJob, Progress, Views};
use crate::method::Method;
use crate::position_table::{PositionTable, Rows, Target};
use crate::rng::Rng;
use crate::streams::Streams;
use crate::tally::End;

/// Positions of a round.
const LANES: usize = 64;

/// Positions of a game that is tabled.
#[derive(Clone)]
pub(crate) struct TabledLockstep {
    table: Arc<PositionTable>,
    job: LockstepJob,
    rounds: Vec<Round>,
}

/// Positions side by side; those behind the last of the job never go on.
#[derive(Clone)]
struct Round {
    /// The numbers of the positions in the table.
    now: [u32; LANES],
    plies: [u32; LANES],
    streams: Streams,
    /// Ids of the next playouts.
    next: [u64; LANES],
    /// The targets of the actions of a step.
    chosen: [Target; LANES],
}

impl TabledLockstep {
    /// Positions that have yet to be begun; `None` where the table says too little for the job.
    pub(crate) fn new(table: &Arc<PositionTable>, job: LockstepJob) -> Option<TabledLockstep> {
        if job.cap == 0 || job.cap > table.plies {
            return None;
        }
        let round = |round: usize| Round {
            now: [table.at_cap(0); LANES],
            plies: [0; LANES],
            streams: Streams::default(),
            next: std::array::from_fn(|lane| job.first.wrapping_add((round * LANES + lane) as u64)),
            // Behind the last position they lead to where those stay.
            chosen: [Target::position(table.at_cap(0)); LANES],
        };
        let rounds = (0..job.count.div_ceil(LANES)).map(round).collect();
        Some(TabledLockstep { table: Arc::clone(table), job, rounds })
    }

    /// The number of positions of a round that belong to the job.
    #[inline(always)]
    fn lanes(&self, round: usize) -> usize {
        (self.job.count - round * LANES).min(LANES)
    }
}

impl Round {
    /// Begins the next playouts in the lanes of some bits.
    #[inline(always)]
    fn begin(&mut self, table: &PositionTable, job: &LockstepJob, lanes: u64) {
        let mut fresh = Streams::begin(job.seed, &self.next);
        let mut targets = [table.start; LANES];
        table.decide(&mut targets, &mut fresh, lanes);
        self.streams.take(&fresh, lanes);
        let begins: [u64; LANES] = std::array::from_fn(|lane| (lanes >> lane & 1).wrapping_neg());
        for (next, begins) in self.next.iter_mut().zip(begins) {
            *next = next.wrapping_add(job.stride & begins);
        }
        for (plies, begins) in self.plies.iter_mut().zip(begins) {
            *plies &= !begins as u32;
        }
        for ((now, target), begins) in self.now.iter_mut().zip(targets).zip(begins) {
            *now ^= (*now ^ target.number()) & begins as u32;
        }
    }

    /// Finds where actions lead, and says whether all are legal.
    #[inline(always)]
    fn find(&mut self, table: &PositionTable, actions: &[i32]) -> bool {
        let mut legal = true;
        for ((&now, chosen), &action) in self.now.iter().zip(&mut self.chosen).zip(actions) {
            *chosen = table.successor(now, action);
            legal &= *chosen != Target::ILLEGAL;
        }
        legal
    }

    /// Goes to where the chosen actions lead. A bit for each lane that ends.
    #[inline(always)]
    fn go(&mut self, table: &PositionTable, cap: u32) -> u64 {
        table.decide(&mut self.chosen, &mut self.streams, u64::MAX);
        let choices = table.choices;
        let mut ended = 0;
        for lane in 0..LANES {
            let Round { now, plies, chosen, .. } = &mut *self;
            let (before, to) = (now[lane], chosen[lane].number());
            plies[lane] = plies[lane].wrapping_add(1);
            let at_cap = to < choices && plies[lane] >= cap;
            let to = if at_cap { to + choices } else { to };
            now[lane] = to;
            ended |= u64::from(before < choices && to >= choices) << lane;
        }
        ended
    }
}

impl PositionTable {
    /// Lets chance decide for the targets of some lanes.
    #[inline(always)]
    fn decide(&self, targets: &mut [Target; LANES], streams: &mut Streams, lanes: u64) {
        loop {
            let mut draws = 0;
            for (lane, target) in targets.iter().enumerate() {
                draws |= u64::from(target.is_chance()) << lane;
            }
            draws &= lanes;
            if draws == 0 {
                return;
            }
            let (mut bounds, mut firsts) = ([1; LANES], [0; LANES]);
            for lane in bits(draws) {
                let node = self.chances[targets[lane].chance()];
                (bounds[lane], firsts[lane]) = (node.outcomes, node.first);
            }
            let drawn = streams.below(&bounds, draws);
            for lane in bits(draws) {
                targets[lane] = self.outcomes[(firsts[lane] + drawn[lane]) as usize];
            }
        }
    }
}

/// The numbers of the bits that are set.
#[inline(always)]
fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = (set != 0).then(|| set.trailing_zeros() as usize % LANES);
        set &= set.wrapping_sub(1);
        next
    })
}

/// Draws actions.
struct Draw<'a> {
    lockstep: &'a mut TabledLockstep,
    actions: &'a mut [i32],
}

impl Task for Draw<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) {
        let TabledLockstep { table, rounds, .. } = self.lockstep;
        let (positions, listed) = (&table.positions[..], &table.listed[..]);
        for (round, actions) in rounds.iter_mut().zip(self.actions.chunks_mut(LANES)) {
            let (mut bounds, mut firsts) = ([0; LANES], [0; LANES]);
            for (lane, &now) in round.now.iter().enumerate() {
                let position = &positions[now as usize];
                (bounds[lane], firsts[lane]) = (position.legal, position.first);
            }
            let mut draws = 0;
            for (lane, bound) in bounds.iter_mut().enumerate() {
                draws |= u64::from(*bound > 0) << lane;
                *bound = (*bound).max(1);
            }
            // Of one that does not go on nothing is drawn; below 1 that is 0 as well.
            let drawn = round.streams.below(&bounds, draws);
            for ((action, first), drawn) in actions.iter_mut().zip(firsts).zip(drawn) {
                *action = listed[(first + drawn) as usize];
            }
        }
    }
}

/// Words of what is saved of a lane: its position and plies, the id of its next playout, its stream.
const WORDS: usize = 3 + Rng::WORDS;

impl Round {
    fn save(&self, lane: usize, words: &mut [u64; WORDS]) {
        *words = [self.now[lane].into(), self.plies[lane].into(), self.next[lane], 0, 0, 0, 0];
        self.streams.get(lane).store(&mut words[3..]);
    }

    /// False where the table has no such position.
    fn resume(&mut self, lane: usize, words: &[u64; WORDS], table: &PositionTable) -> bool {
        let (Ok(now), Ok(plies)) = (u32::try_from(words[0]), u32::try_from(words[1])) else {
            return false;
        };
        (self.now[lane], self.plies[lane], self.next[lane]) = (now, plies, words[2]);
        self.streams.set(lane, &Rng::load(&words[3..]));
        (now as usize) < table.positions.len()
    }
}

/// Finds where actions lead, and says whether all are legal.
struct Find<'a> {
    lockstep: &'a mut TabledLockstep,
    actions: &'a [i32],
}

impl Task for Find<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) -> bool {
        let TabledLockstep { table, rounds, .. } = self.lockstep;
        let all = rounds.iter_mut().zip(self.actions.chunks(LANES));
        all.fold(true, |legal, (round, actions)| legal & round.find(table, actions))
    }
}

/// Goes to where the chosen actions lead.
struct Go<'a, 'v> {
    lockstep: &'a mut TabledLockstep,
    anew: bool,
    views: &'a mut Views<'v>,
}

impl Task for Go<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) {
        let Go { lockstep, anew, views } = self;
        let (table, players) = (&*lockstep.table, lockstep.table.players);
        views.scores.fill(0);
        for (number, round) in lockstep.rounds.iter_mut().enumerate() {
            let first = number * LANES;
            let progress = &mut views.progress[first..];
            for (out, &before) in progress.iter_mut().zip(&round.now) {
                let going = before < table.choices;
                *out = if going { Progress::Going as u8 } else { *out };
            }
            let ended = round.go(table, lockstep.job.cap);
            for lane in bits(ended) {
                let position = &table.positions[round.now[lane] as usize];
                progress[lane] = position.progress;
                let scores = &mut views.scores[(first + lane) * players..][..players];
                let row = &table.scores[position.scores as usize..];
                scores.iter_mut().zip(row).for_each(|(out, score)| *out = *score);
            }
            if anew && ended != 0 {
                round.begin(table, &lockstep.job, ended);
            }
        }
        lockstep.show(views);
    }
}

/// Begins all positions.
struct Restart<'a, 'v> {
    lockstep: &'a mut TabledLockstep,
    views: &'a mut Views<'v>,
}

impl Task for Restart<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, _: C) {
        let Restart { lockstep, views } = self;
        for number in 0..lockstep.rounds.len() {
            let lanes = u64::MAX >> (LANES - lockstep.lanes(number));
            lockstep.rounds[number].begin(&lockstep.table, &lockstep.job, lanes);
        }
        views.scores.fill(0);
        views.progress.fill(Progress::Going as u8);
        lockstep.show(views);
    }
}

impl TabledLockstep {
    /// Writes what is legal, what there is to see and who chooses.
    #[inline(always)]
    fn show(&self, views: &mut Views<'_>) {
        let positions = &self.table.positions[..];
        for (number, round) in self.rounds.iter().enumerate() {
            let lanes = self.lanes(number);
            let now = || round.now[..lanes].iter().map(|&now| &positions[now as usize]);
            let first = number * LANES;
            for (out, position) in views.turns[first..].iter_mut().zip(now()) {
                *out = position.turn;
            }
            let PositionTable { masks, planes, .. } = &*self.table;
            masks.write(now().map(|position| position.mask), first, views.mask);
            planes.write(now().map(|position| position.planes), first, views.planes);
        }
    }
}

impl Rows {
    /// Writes rows side by side from a place on, given where each begins.
    #[inline(always)]
    fn write(&self, rows: impl ExactSizeIterator<Item = u32>, first: usize, out: &mut [u8]) {
        let out = &mut out[first * self.width..];
        match self.stride {
            8 => self.write_words::<8>(rows, out),
            16 => self.write_words::<16>(rows, out),
            32 => self.write_words::<32>(rows, out),
            64 => self.write_words::<64>(rows, out),
            _ => {
                for (out, row) in out.chunks_exact_mut(self.width).zip(rows) {
                    out.copy_from_slice(&self.bytes[row as usize..][..self.width]);
                }
            }
        }
    }

    /// Copies the room behind each row, too, as far as it lies where later rows come.
    #[inline(always)]
    fn write_words<const N: usize>(
        &self,
        rows: impl ExactSizeIterator<Item = u32>,
        out: &mut [u8],
    ) {
        let mut at = 0;
        for row in rows {
            let row = &self.bytes[row as usize..][..N];
            if at + N <= out.len() {
                out[at..at + N].copy_from_slice(row);
            } else {
                out[at..at + self.width].copy_from_slice(&row[..self.width]);
            }
            at += self.width;
        }
    }
}

impl Lockstep for TabledLockstep {
    fn len(&self) -> usize {
        self.job.count
    }

    fn method(&self) -> Method {
        Method::Tabled
    }

    fn restart(&mut self, views: &mut Views<'_>) {
        Level::best().call(Restart { lockstep: self, views });
    }

    fn check(&self, actions: &[i32]) -> Result<(), IllegalStep> {
        assert_eq!(actions.len(), self.job.count);
        let now = self.rounds.iter().flat_map(|round| round.now);
        for (position, (now, &action)) in now.zip(actions).enumerate() {
            if self.table.successor(now, action) == Target::ILLEGAL {
                let legal = self.table.positions[now as usize].legal as usize;
                return Err(IllegalStep { position, action, legal });
            }
        }
        Ok(())
    }

    fn step(
        &mut self,
        actions: &[i32],
        anew: bool,
        views: &mut Views<'_>,
    ) -> Result<(), IllegalStep> {
        assert_eq!(actions.len(), self.job.count);
        if !Level::best().call(Find { lockstep: self, actions }) {
            return self.check(actions);
        }
        Level::best().call(Go { lockstep: self, anew, views });
        Ok(())
    }

    fn draw(&mut self, actions: &mut [i32]) {
        Level::best().call(Draw { lockstep: self, actions });
    }

    fn playouts(&self, position: usize, job: &Job, ends: &mut Vec<End>) {
        let (round, lane) = (&self.rounds[position / LANES], position % LANES);
        // Beyond, the table does not say what happens.
        let cap = job.cap.min(self.table.plies.saturating_sub(round.plies[lane]));
        let playout = |id| self.table.playout(round.now[lane], Rng::stream(job.seed, id), cap);
        ends.extend(job.ids().map(playout));
    }

    fn copy(&self) -> Box<dyn Lockstep> {
        Box::new(self.clone())
    }

    fn save(&self) -> Vec<u64> {
        let mut saved = vec![[0; WORDS]; self.job.count];
        for (position, words) in saved.iter_mut().enumerate() {
            self.rounds[position / LANES].save(position % LANES, words);
        }
        saved.into_flattened()
    }

    fn resume(&mut self, saved: &[u64], views: &mut Views<'_>) -> bool {
        let (lanes, rest) = saved.as_chunks::<WORDS>();
        if lanes.len() != self.job.count || !rest.is_empty() {
            return false;
        }
        let TabledLockstep { table, rounds, .. } = self;
        let mut lanes = lanes.iter().enumerate();
        if !lanes.all(|(i, words)| rounds[i / LANES].resume(i % LANES, words, table)) {
            return false;
        }
        views.scores.fill(0);
        for (i, progress) in views.progress.iter_mut().enumerate() {
            let now = self.rounds[i / LANES].now[i % LANES];
            *progress = self.table.positions[now as usize].progress;
        }
        self.show(views);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any_state::AnyState;
    use crate::bounds::Bounds;
    use crate::chance::NoChance;
    use crate::listed_lockstep::ListedLockstep;
    use crate::lockstep::Buffers;
    use crate::mechanics::Mechanics;
    use crate::numbers::Numbers;
    use crate::toy::{TREES, Toy};
    use crate::typed_state::initial;

    /// With chance before the first ply, between plies and after the last, passes, ends that look
    /// the same, and lengths that differ.
    const GAMES: [&str; 4] = [
        TREES[0],
        TREES[2],
        "*(1(=1,0 2[1(=3,0 =4,0)] =5,0) *(2(*(=0,1 1(=7,7 =8,8 =9,9)) =0,2) 1(=0,0 =0,0)) 1(=2,0))",
        "1(*(2(1(2(1(=1,2 =3,4) =5,6) =7,8) =9,10) 1(*(=0,1 =0,2 =0,3) =1,1)) 2[*(1(=4,4) =6,6)])",
    ];

    fn numbers(toy: &Toy) -> Arc<Numbers> {
        Arc::new(Numbers::new(toy.encoding().expect("toys have one")))
    }

    fn start(toy: &Arc<Toy>) -> Box<dyn AnyState> {
        initial(toy, &mut NoChance)
    }

    fn explore(toy: &Arc<Toy>) -> Option<PositionTable> {
        PositionTable::explore(start(toy), &numbers(toy), Bounds::SMALL)
    }

    #[test]
    fn it_shows_what_listing_shows() {
        for tree in GAMES {
            let toy = Arc::new(Toy::parse(tree).unwrap());
            let numbers = numbers(&toy);
            let table = Arc::new(explore(&toy).expect(tree));
            for (count, cap) in [(1, 9), (63, 9), (64, 2), (65, 1), (130, 3)] {
                let job = LockstepJob { seed: 5, first: 2, count, stride: count as u64, cap };
                let mut tabled = TabledLockstep::new(&table, job).expect("there is no limit");
                let mut listed = ListedLockstep::new(&*start(&toy), Arc::clone(&numbers), job);
                compare(&mut tabled, &mut listed, &numbers, count, tree);
            }
        }
    }

    /// Steps of both kinds of going on after an end, and some that are not legal, between them.
    fn compare(
        tabled: &mut dyn Lockstep,
        listed: &mut dyn Lockstep,
        numbers: &Numbers,
        count: usize,
        tree: &str,
    ) {
        let mut buffers = [8, 9].map(|filler| Buffers::new(&numbers.encoding, 2, count, filler));
        let mut actions = [vec![0; count], vec![0; count]];
        let mut rng = Rng::stream(1, count as u64);
        let [ours, theirs] = &mut buffers;
        tabled.restart(&mut ours.views());
        listed.restart(&mut theirs.views());
        for ply in 0..40 {
            assert_eq!(*ours, *theirs, "{tree}, ply {ply} of {count}");
            tabled.draw(&mut actions[0]);
            listed.draw(&mut actions[1]);
            assert_eq!(actions[0], actions[1], "{tree}, ply {ply} of {count}");
            let (position, mut ends) = (ply * 5 % count, [Vec::new(), Vec::new()]);
            let job = Job { seed: 6, first: ply as u64, count: 5, cap: 3 };
            tabled.playouts(position, &job, &mut ends[0]);
            listed.playouts(position, &job, &mut ends[1]);
            assert_eq!(ends[0], ends[1], "{tree}, ply {ply} of {count}");
            let mut wrong = actions[0].clone();
            wrong[rng.below(count as u32) as usize] = [-7, 0, i32::MAX][rng.below(3) as usize];
            assert_eq!(tabled.check(&wrong), listed.check(&wrong));
            if tabled.check(&wrong).is_err() {
                assert!(tabled.step(&wrong, true, &mut ours.views()).is_err());
            }
            let anew = ply < 20 || rng.below(4) == 0;
            tabled.step(&actions[0], anew, &mut ours.views()).expect("they are legal");
            listed.step(&actions[1], anew, &mut theirs.views()).expect("they are legal");
            if ply == 30 {
                tabled.restart(&mut ours.views());
                listed.restart(&mut theirs.views());
            }
        }
    }

    #[test]
    fn games_that_are_over_or_stuck_or_too_large_have_no_table() {
        let choices = |tree: &str| {
            let toy = Arc::new(Toy::parse(tree).unwrap());
            explore(&toy).map(|table| table.choices)
        };
        assert_eq!(choices(TREES[0]), Some(2));
        assert_eq!(choices("=50,50"), None, "over");
        assert_eq!(choices("1(=50,50 2())"), None, "stuck");
        assert_eq!(choices("*(1(=50,50) =100,0)"), None, "over by chance");
        let mut heavy = Toy::parse(TREES[0]).unwrap();
        heavy.take_bytes(40 << 20);
        assert!(explore(&Arc::new(heavy)).is_none(), "two states are too many");
        let toy = Arc::new(Toy::parse(TREES[0]).unwrap());
        let table = Arc::new(explore(&toy).unwrap());
        let job = |cap| LockstepJob { seed: 1, first: 0, count: 3, stride: 3, cap };
        assert!(TabledLockstep::new(&table, job(0)).is_none());
        assert!(TabledLockstep::new(&table, job(1)).is_some());
        let mut few = table;
        Arc::get_mut(&mut few).expect("nobody else has it").plies = 3;
        assert!(TabledLockstep::new(&few, job(3)).is_some());
        assert!(TabledLockstep::new(&few, job(4)).is_none());
    }

    #[test]
    fn each_kind_of_row_is_written_whole() {
        for width in [0, 1, 7, 8, 9, 31, 33, 64, 65, 200] {
            let stride = Rows::stride(width);
            let mut bytes = vec![9; 3 * stride];
            for (row, bytes) in bytes.chunks_mut(stride.max(1)).enumerate() {
                bytes[..width].fill(row as u8);
            }
            let rows = Rows { bytes, width, stride };
            let order = [2, 0, 1, 1, 0];
            let mut out = vec![7; 5 * width];
            let firsts = order.map(|row: u32| row * stride as u32);
            rows.write(firsts[..3].iter().copied(), 0, &mut out);
            rows.write(firsts[3..].iter().copied(), 3, &mut out);
            let expected: Vec<u8> =
                order.iter().flat_map(|&row| std::iter::repeat_n(row as u8, width)).collect();
            assert_eq!(out, expected, "{width}");
        }
    }
}
