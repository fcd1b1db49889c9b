//! The moves of a ply as code has gathered them, and how one of them is made from what is known of it.

use super::code::MOST_EXTRA;
use super::give::{ENTRY, EXTRA, Ends, RUN_COUNT, RUN_START, RUN_TABLE, unpacked};
use super::machine::{Given, wrapped};
use smallvec::SmallVec;

use crate::buffer::Buffer;
use crate::eval::{Action, Chosen, Eval, Mode, Move, Sink, Test, Tested};
use crate::game::{Game, Rays};
use crate::ir::{Binder, Clashes, Compiled, ITERS, Iter, Moves, Parts, Source, SourceKind};
use crate::state::State;

/// The moves of a ply as code has gathered them.
#[derive(Clone, Copy)]
pub(crate) struct Found<'a> {
    parts: &'a Parts,
    entries: &'a [i32],
    /// Words of the sets of destinations, by entry.
    targets: &'a [u64],
    words: usize,
    rays: &'a [Rays],
    /// Which sources may have moves with the same ends.
    clashes: &'a Clashes,
    count: u32,
}

/// A move that has been gathered.
struct FoundMove<'a> {
    source: &'a Source,
    from: i32,
    to: i32,
    piece: i32,
    extra: [i32; MOST_EXTRA],
}

impl<'a> Found<'a> {
    pub(super) fn new(
        compiled: &'a Compiled<Moves>,
        entries: &'a [i32],
        (targets, words): (&'a [u64], usize),
        rays: &'a [Rays],
    ) -> Found<'a> {
        let (parts, clashes) = (&compiled.gathered, &compiled.clashes);
        let mut found = Found { parts, entries, targets, words, rays, clashes, count: 0 };
        found.count = (0..found.entries()).map(|entry| found.count_of(entry)).sum();
        found
    }

    /// How many there are.
    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    fn entries(&self) -> usize {
        self.entries.len() / ENTRY
    }

    #[inline]
    fn of(&self, entry: usize) -> &'a [i32] {
        &self.entries[ENTRY * entry..][..ENTRY]
    }

    #[inline]
    fn targets(&self, entry: usize) -> &'a [u64] {
        &self.targets[self.words * entry..][..self.words]
    }

    #[inline]
    fn count_of(&self, entry: usize) -> u32 {
        let of = self.of(entry);
        match unpacked(of[0]).1 {
            Ends::One(..) => 1,
            Ends::Targets(_) => self.targets(entry).iter().map(|word| word.count_ones()).sum(),
            Ends::Run(_) => of[RUN_COUNT] as u32,
        }
    }

    /// The sites of a run.
    fn run(&self, entry: usize) -> &'a [u16] {
        let of = self.of(entry);
        let (start, count) = (of[RUN_START] as usize, of[RUN_COUNT] as usize);
        let sites = self.rays.get(of[RUN_TABLE] as usize).map(Rays::all_sites);
        sites.and_then(|sites| sites.get(start..start + count)).unwrap_or_default()
    }

    /// The entry of a move, and which of its moves it is.
    fn locate(&self, at: u32) -> (usize, u32) {
        let mut left = at;
        for entry in 0..self.entries() {
            let count = self.count_of(entry);
            if left < count {
                return (entry, left);
            }
            left -= count;
        }
        (0, 0)
    }

    /// Origin and destination of one of the moves of an entry.
    fn ends_of(&self, entry: usize, place: u32) -> (i32, i32) {
        match unpacked(self.of(entry)[0]).1 {
            Ends::One(from, to) => (from, to),
            Ends::Targets(from) => {
                let to = nth(self.targets(entry), place);
                (from.unwrap_or(to), to)
            }
            Ends::Run(from) => {
                let to = self.run(entry).get(place as usize);
                (from, to.map_or(-1, |&to| i32::from(to)))
            }
        }
    }

    fn get(&self, at: u32) -> Option<FoundMove<'a>> {
        let (entry, place) = self.locate(at);
        let of = self.of(entry);
        let source = self.parts.sources.get(unpacked(of[0]).0)?;
        let (from, to) = self.ends_of(entry, place);
        let mut extra = [0; MOST_EXTRA];
        extra.copy_from_slice(&of[EXTRA..][..MOST_EXTRA]);
        Some(FoundMove { source, from, to, piece: self.piece(entry, source), extra })
    }

    /// The component of the moves of an entry, the number of pieces, or that of the path.
    fn piece(&self, entry: usize, source: &Source) -> i32 {
        let of = self.of(entry);
        if let Ends::Run(from) = unpacked(of[0]).1 {
            let rays = self.rays.get(of[RUN_TABLE] as usize);
            let path = rays.and_then(|rays| rays.path_at(from as usize, of[RUN_START] as usize));
            return path.map_or(0, |path| path as i32);
        }
        if source.piece { of[1] } else { 0 }
    }

    /// Origin, destination, piece of a move, and what else is known of it; and its source.
    pub(super) fn numbers(&self, at: u32) -> (usize, [i32; 3 + MOST_EXTRA]) {
        let (entry, place) = self.locate(at);
        let of = self.of(entry);
        let source = unpacked(of[0]).0;
        let (from, to) = self.ends_of(entry, place);
        let mut numbers = [0; 3 + MOST_EXTRA];
        // Code does not ask for the path of a slide that can be gathered ray by ray.
        let has_piece = self.parts.sources.get(source).is_some_and(|source| source.piece);
        numbers[..3].copy_from_slice(&[from, to, if has_piece { of[1] } else { 0 }]);
        numbers[3..].copy_from_slice(&of[EXTRA..][..MOST_EXTRA]);
        (source, numbers)
    }

    /// Origin and destination of a move, and whether it is a pass.
    fn ends(&self, at: u32) -> (i32, i32, bool) {
        let (entry, place) = self.locate(at);
        let (from, to) = self.ends_of(entry, place);
        (from, to, self.passes(entry))
    }

    /// The ends of all moves, and whether they are passes.
    fn all_ends(&self) -> impl Iterator<Item = (i32, i32, bool)> {
        (0..self.entries()).flat_map(move |entry| {
            let pass = self.passes(entry);
            let ends = move |place| self.ends_of(entry, place);
            (0..self.count_of(entry)).map(move |place| {
                let (from, to) = ends(place);
                (from, to, pass)
            })
        })
    }

    fn passes(&self, entry: usize) -> bool {
        self.parts.is_pass(unpacked(self.of(entry)[0]).0 as i32)
    }

    /// Whether a move is a pass.
    pub(crate) fn is_pass(&self, at: u32) -> bool {
        self.passes(self.locate(at).0)
    }

    /// The moves before one with the same ends.
    pub(crate) fn rivals(&self, at: u32) -> impl Iterator<Item = u32> {
        let ends = self.ends(at);
        let mut first = 0;
        let same = (0..self.entries()).flat_map(move |entry| {
            let (start, count) = (first, self.count_of(entry));
            first += count;
            let is_same = move |place: &u32| {
                let (from, to) = self.ends_of(entry, *place);
                (from, to, self.passes(entry)) == ends
            };
            (0..count).filter(is_same).map(move |place| start + place)
        });
        same.take_while(move |&other| other < at)
    }

    /// Whether two moves may have the same ends, of sources whose moves can.
    fn may_repeat(&self) -> bool {
        if self.clashes.is_empty() {
            return false;
        }
        // Sites that moves go to from where they are, and a bit for each pair of ends of others; beyond
        // two words a set, several pairs share a bit.
        let (mut here, mut seen) = ([0u64; 16], [0u64; 256]);
        for entry in 0..self.entries() {
            let (source, ends) = unpacked(self.of(entry)[0]);
            if !self.clashes.of(source).any(|_| true) {
                continue;
            }
            let mut add = |from: i32, to: i32| {
                let bit = (from as usize).wrapping_mul(64 * self.words).wrapping_add(to as usize);
                put(&mut seen, bit % (256 * 64))
            };
            let known = match ends {
                Ends::Targets(None) => {
                    let targets = self.targets(entry);
                    let known = here.iter().zip(targets).any(|(known, word)| known & word != 0);
                    here.iter_mut().zip(targets).for_each(|(known, word)| *known |= word);
                    known
                }
                // That of a pass is -1.
                Ends::One(from, to) if from == to => put(&mut here, from as usize & 1023),
                Ends::One(from, to) => add(from, to),
                Ends::Targets(Some(from)) => {
                    let words = (0..).step_by(64).zip(self.targets(entry));
                    words.fold(false, |mut known, (first, &word)| {
                        let mut rest = word;
                        while rest != 0 {
                            known |= add(from, first + rest.trailing_zeros() as i32);
                            rest &= rest - 1;
                        }
                        known
                    })
                }
                Ends::Run(from) => {
                    let run = self.run(entry).iter();
                    run.fold(false, |known, &to| add(from, i32::from(to)) | known)
                }
            };
            if known {
                return true;
            }
        }
        false
    }

    /// A move as an action, in games whose moves are actions.
    pub(crate) fn action(&self, at: u32) -> Action {
        let Some(found) = self.get(at) else { return Action::PASS };
        let SourceKind::Leaf(leaf) = &found.source.kind else { return Action::PASS };
        let bound = [Iter::Site, Iter::Player, Iter::Value]
            .map(|iter| found.variable(iter).unwrap_or(-1) as i16);
        let (from, to, piece) = (found.from as i16, found.to as i16, found.piece as i16);
        Action { leaf: leaf.id, from, to, piece, bound }
    }
}

/// Sets a bit; whether it was set.
fn put(bits: &mut [u64], at: usize) -> bool {
    let (word, bit) = (&mut bits[at / 64], 1 << (at % 64));
    let known = *word & bit != 0;
    *word |= bit;
    known
}

/// The site with a rank.
fn nth(words: &[u64], mut rank: u32) -> i32 {
    for (number, &word) in words.iter().enumerate() {
        let count = word.count_ones();
        if rank < count {
            let mut word = word;
            for _ in 0..rank {
                word &= word - 1;
            }
            return (64 * number as u32 + word.trailing_zeros()) as i32;
        }
        rank -= count;
    }
    -1
}

impl FoundMove<'_> {
    /// What a variable was bound to, if that was gathered.
    fn variable(&self, iter: Iter) -> Option<i32> {
        let at = self.source.gathered.iter().position(|&known| known == iter)?;
        self.extra.get(self.source.kind.numbers() + at).copied()
    }

    /// What the first so many binders around its generator bind.
    fn bound(&self, binders: usize) -> [i32; ITERS] {
        let mut variables = [-1; ITERS];
        let mut bind = |iter: Iter, value: i32| variables[iter as usize] = value;
        let known = |iter: Iter| self.variable(iter).unwrap_or(-1);
        for binder in &self.source.binders[..binders] {
            match binder {
                Binder::Piece | Binder::Level => {
                    bind(Iter::From, self.variable(Iter::From).unwrap_or(self.from));
                    let level = if *binder == Binder::Piece { 0 } else { known(Iter::Level) };
                    bind(Iter::Level, level);
                }
                Binder::Direction => {
                    bind(Iter::To, self.to);
                    bind(Iter::Between, known(Iter::Between));
                }
                Binder::Site => {
                    bind(Iter::Site, known(Iter::Site));
                    bind(Iter::To, known(Iter::Site));
                }
                Binder::Value => bind(Iter::Value, known(Iter::Value)),
                Binder::Player => bind(Iter::Player, known(Iter::Player)),
                Binder::Other => {}
            }
        }
        variables
    }
}

impl<const W: usize> Game<W> {
    /// The code of the moves of who moves now, if it gathers all that there is to know of them.
    pub(super) fn gatherer(&self, state: &State) -> Option<&Compiled<Moves>> {
        let mover = usize::from(state.head.turns.mover);
        let Moves::Compiled(compiled) = &self.phases[usize::from(state.head.phase[mover])].play
        else {
            return None;
        };
        let gathers = compiled.gather.is_some()
            && !self.chance
            && !self.simultaneous
            && state.ghosts().is_empty();
        (gathers && self.swap_partner(state).is_none()).then_some(compiled)
    }

    /// Of the moves gathered that have the same ends, the numbers of those that lead to the same state as
    /// one before them, in order.
    pub(crate) fn repeated(&self, state: &State, found: &Found<'_>) -> Buffer<u32> {
        let mut repeated = Buffer::new();
        if !found.may_repeat() {
            return repeated;
        }
        let ends: SmallVec<[(i32, i32, bool); 64]> = found.all_ends().collect();
        // A bit for each pair of ends that has been seen, or for another one.
        let mut seen = [0u64; 64];
        for (at, &(from, to, pass)) in ends.iter().enumerate() {
            let bit = (from.wrapping_mul(67).wrapping_add(to) as u32 ^ u32::from(pass)) & 4095;
            let (word, bit) = (&mut seen[bit as usize / 64], 1 << (bit % 64));
            let earlier = if *word & bit == 0 { &[] } else { &ends[..at] };
            let mut before = earlier.iter().enumerate().filter(|(_, other)| **other == ends[at]);
            // All that have the same ends are compared when the second of them is found.
            if let (Some((first, _)), None) = (before.next(), before.next()) {
                let group = (first..ends.len()).filter(|&other| ends[other] == ends[at]);
                let group = group.map(|other| other as u32);
                self.compare_found(state, found, group, &mut repeated);
            }
            *word |= bit;
        }
        repeated.sort_unstable();
        repeated
    }

    /// Of some moves adds those that lead to the same state as one before them.
    fn compare_found(
        &self,
        state: &State,
        found: &Found<'_>,
        group: impl Iterator<Item = u32>,
        repeated: &mut Buffer<u32>,
    ) {
        let made =
            group.filter_map(|at| Some((at, self.make_found(state, found, at, Mode::Known)?)));
        let (numbers, moves): (Buffer<u32>, Buffer<Move>) = made.unzip();
        let kept = self.distinct(state, &moves);
        let dropped = (0..numbers.len()).filter(|place| !kept.contains(place));
        repeated.extend(dropped.map(|place| numbers[place]));
    }

    /// One of the moves gathered with all that it does, if it is legal.
    pub(crate) fn make_found(
        &self,
        state: &State,
        found: &Found<'_>,
        at: u32,
        mode: Mode,
    ) -> Option<Move> {
        let parts = found.parts;
        let found = found.get(at)?;
        let FoundMove { source, from, to, piece, ref extra } = found;
        let mut eval = Eval::new(self, state);
        (eval.lists, eval.mode) = (true, mode);
        let mut variables = found.bound(source.binders.len());
        let (binds_from, binds_to) = source.kind.binds();
        if binds_from {
            variables[Iter::From as usize] = from;
        }
        if binds_to {
            variables[Iter::To as usize] = to;
        }
        if let Some(between) = found.variable(Iter::Between) {
            variables[Iter::Between as usize] = between;
        }
        eval.set_variables(variables);
        let given = Given { kind: &source.kind, ends: [from, to, piece], extra };
        let saved = |_: usize, binders: usize| found.bound(binders);
        let mut chosen = Chosen::new(0);
        let nothing = [-1; ITERS];
        let mut tested;
        let sink: &mut dyn Sink<'_, W> = if self.repeats.is_some() {
            tested = Tested::amid(&eval, &mut chosen, Test::Repetition, nothing);
            &mut tested
        } else {
            &mut chosen
        };
        wrapped(&mut eval, parts, &saved, &source.wrappers, &given, sink);
        chosen.found
    }
}
