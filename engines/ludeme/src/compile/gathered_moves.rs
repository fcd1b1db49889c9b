//! The moves of a ply as code has gathered them: their numbers and ends, their duplicates, and the
//! effects of one of them.

use std::ops::Range;

use super::arrays::{ENTRY, MOST_EXTRA};
use super::entries::{COUNT, EXTRA, Ends, Origin, unpacked};
use super::evaluator_host::{GivenMove, wrapped};
use sites::SetView;

use crate::buffer::{Buffer, pooled};
use crate::eval::{Eval, Legality, MoveVisitor, NthMove, Test, Tested};
use crate::game::Game;
use crate::ir::{
    Bound, Compiled, DuplicatePairs, EvaluatedParts, ITERS, Longest, Source, SourceKind,
};
use crate::lower::Feature;
use crate::moves::{Move, MoveId, NO_LEAF, Sort};
use crate::state::{EMPTY, State};

/// The moves of a ply as code has gathered them.
#[derive(Clone)]
pub(crate) struct GatheredMoves<'a> {
    /// The sources of the moves, and the nodes of the rules that the evaluator works out for them.
    parts: &'a EvaluatedParts,
    entries: &'a [[i32; ENTRY]],
    /// The words of the set of destinations of each entry, one set after the other.
    targets: &'a [u64],
    /// Number of words of a set.
    words: usize,
    /// The empty sites.
    empty: SetView<'a>,
    /// The pairs of sources that may have moves with the same ends.
    clashes: &'a DuplicatePairs,
    /// Number of moves.
    count: u32,
    /// The numbers of the moves of which only those count that begin the longest turns.
    longest: Option<(&'a Longest, Range<u32>)>,
}

/// The origin and destination of a move, a flag for passes, and its number.
type Numbered = ((i32, i32, bool), u32);

pooled!(Numbered);

/// The ends of the moves that have been looked at, to find moves with the same ends.
struct SeenEnds {
    /// Number of words of a set.
    words: usize,
    /// True if there was a pass.
    passes: bool,
    /// Sets of destinations. The first set is that of moves whose origin is their destination;
    /// those of the other origins follow.
    targets: Buffer<u64>,
    /// The place in `targets` of the destinations of each origin, 0 for origins that no move had.
    /// The last place is that of moves without an origin.
    places: Buffer<u8>,
}

impl SeenEnds {
    fn new(words: usize) -> SeenEnds {
        let targets = Buffer::filled(0, words);
        SeenEnds { words, passes: false, targets, places: Buffer::filled(0, 64 * words + 1) }
    }

    /// The destinations of the moves from a site, or of the moves whose origin is their
    /// destination. `None` if there are more origins than places.
    fn targets(&mut self, from: Option<i32>) -> Option<&mut [u64]> {
        let place = match from {
            None => 0,
            Some(from) => {
                let last = self.places.len() - 1;
                let origin = usize::try_from(from).unwrap_or(last);
                let place = self.places.get_mut(origin)?;
                if *place == 0 {
                    let length = self.targets.len();
                    *place = u8::try_from(length / self.words).ok()?;
                    self.targets.resize(length + self.words, 0);
                }
                usize::from(*place)
            }
        };
        self.targets.get_mut(place * self.words..(place + 1) * self.words)
    }

    /// Adds the moves from an origin to some sites; true if there may have been one of them before.
    fn repeats(&mut self, from: Option<i32>, sites: SetView<'_>) -> bool {
        self.targets(from).is_none_or(|known| {
            let repeats = known.iter().zip(sites.0).any(|(a, b)| a & b != 0);
            known.iter_mut().zip(sites.0).for_each(|(word, with)| *word |= with);
            repeats
        })
    }

    /// As [`SeenEnds::repeats`], for a move to one site.
    fn repeats_one(&mut self, from: Option<i32>, site: usize) -> bool {
        let word = self.targets(from).and_then(|known| known.get_mut(site / 64));
        word.is_none_or(|word| {
            let repeats = *word >> (site % 64) & 1 != 0;
            *word |= 1 << (site % 64);
            repeats
        })
    }
}

/// A gathered move, as its entry describes it.
pub(super) struct GatheredMove<'a> {
    source: &'a Source,
    from: i32,
    to: i32,
    piece: i32,
    extra: [i32; MOST_EXTRA],
}

/// Writes the moves gathered over a set, if they are all of one generator and one piece, one on each
/// site of it, in order: the number of the generator, and the piece.
#[inline]
pub(super) fn gathered_sites(
    parts: &EvaluatedParts,
    (entries, targets): (&[i32], &[u64]),
    words: usize,
    sites: &mut Vec<u64>,
) -> Option<(u16, i16)> {
    let (entries, _) = entries.as_chunks::<ENTRY>();
    let mut found = entries.iter().enumerate().filter(|(_, of)| of[COUNT] > 0);
    let (entry, first) = found.next()?;
    let (number, ends) = unpacked(first[0]);
    let source = parts.sources.get(number)?;
    let SourceKind::Leaf(leaf) = &source.kind else { return None };
    if leaf.sort() != Sort::Plain {
        return None;
    }
    sites.clear();
    match ends {
        Ends::Targets { from: None, descending: false } => {
            found.next().is_none().then_some(())?;
            sites.extend_from_slice(targets.get(entry * words..(entry + 1) * words)?);
        }
        Ends::One(..) => {
            let mut end = 0;
            sites.resize(words, 0);
            for (_, of) in [(entry, first)].into_iter().chain(found) {
                let (other, Ends::One(from, to)) = unpacked(of[0]) else { return None };
                let is_like = from == to && other == number;
                if !is_like || to < end || source.piece && of[1] != first[1] {
                    return None;
                }
                end = to + 1;
                *sites.get_mut(to as usize / 64)? |= 1 << (to % 64);
            }
        }
        _ => return None,
    }
    Some((leaf.id, if source.piece { first[1] as i16 } else { 0 }))
}

impl<'a> GatheredMoves<'a> {
    pub(super) fn new(
        compiled: &'a Compiled,
        entries: &'a [i32],
        targets: &'a [u64],
        longest: Range<u32>,
        state: &'a State,
    ) -> GatheredMoves<'a> {
        // Dice that have been used are shown again if this variable has a value.
        let dice_return = state.vars().first().is_some_and(|&value| value != -1);
        let Compiled { gathered: parts, clashes, clashes_beside_dice, .. } = compiled;
        let clashes = if dice_return { clashes } else { clashes_beside_dice };
        let (empty, words) = (state.view(EMPTY), state.set_words());
        let longest = parts.longest.as_ref().map(|of| (of, longest));
        let (entries, _) = entries.as_chunks();
        let mut gathered =
            GatheredMoves { parts, entries, targets, words, empty, clashes, count: 0, longest };
        gathered.count = (0..gathered.entries()).map(|entry| gathered.count_of(entry)).sum();
        gathered
    }

    /// Number of moves.
    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    /// True if some of the moves count only if they begin the longest turns.
    pub(super) fn has_longest(&self) -> bool {
        self.longest.as_ref().is_some_and(|(_, range)| !range.is_empty())
    }

    /// The numbers of the moves that can be drawn after one has been.
    pub(crate) fn without(&self, drawn: u32) -> Buffer<u32> {
        let mut all: Buffer<u32> = (0..self.count).collect();
        all.swap_remove(drawn as usize);
        all
    }

    /// Number of entries.
    fn entries(&self) -> usize {
        self.entries.len()
    }

    /// The numbers of an entry.
    #[inline]
    fn of(&self, entry: usize) -> &'a [i32; ENTRY] {
        &self.entries[entry]
    }

    /// The destinations of an entry.
    #[inline]
    fn targets(&self, entry: usize) -> SetView<'a> {
        SetView(&self.targets[entry * self.words..][..self.words])
    }

    /// Number of moves of an entry.
    #[inline]
    fn count_of(&self, entry: usize) -> u32 {
        self.of(entry)[COUNT] as u32
    }

    /// The entry of a move, and the number of the move among those of the entry.
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

    /// The origin and destination of one of the moves of an entry.
    fn ends_of(&self, entry: usize, place: u32) -> (i32, i32) {
        match unpacked(self.of(entry)[0]).1 {
            Ends::One(from, to) => (from, to),
            Ends::Targets { from, descending } => {
                let rank = if descending { self.count_of(entry) - 1 - place } else { place };
                let to = self.target(entry, rank);
                (from.unwrap_or(to), to)
            }
            Ends::From(origin) => {
                let to = self.target(entry, place);
                (self.origin(origin, to), to)
            }
        }
    }

    /// A destination of an entry by its rank; -1 if it has fewer.
    fn target(&self, entry: usize, rank: u32) -> i32 {
        self.targets(entry).nth(rank).map_or(-1, |site| site as i32)
    }

    /// The origin of a move to a site; -1 if the site has none.
    fn origin(&self, origin: Origin, site: i32) -> i32 {
        match origin {
            Origin::Behind(distance) => self.behind(site, distance),
            Origin::InRow(row) => {
                let place = usize::try_from(site).map(|site| row * 64 * self.words + site);
                place.ok().and_then(|at| self.parts.origins.get(at)).copied().unwrap_or(-1)
            }
        }
    }

    /// The first piece behind a site at a multiple of a distance; -1 if there is none.
    fn behind(&self, site: i32, distance: i32) -> i32 {
        let sites = std::iter::successors(Some(site - distance), |site| Some(site - distance));
        let mut sites = sites.map_while(|site| usize::try_from(site).ok()).take(64 * self.words);
        sites.find(|&site| !self.empty.contains(site)).map_or(-1, |site| site as i32)
    }

    /// A move by its number.
    pub(super) fn get(&self, at: u32) -> Option<GatheredMove<'a>> {
        let (entry, place) = self.locate(at);
        let of = self.of(entry);
        let source = self.parts.sources.get(unpacked(of[0]).0)?;
        let (from, to) = self.ends_of(entry, place);
        let mut extra = [0; MOST_EXTRA];
        extra.copy_from_slice(&of[EXTRA..][..MOST_EXTRA]);
        let piece = if source.piece { of[1] } else { 0 };
        Some(GatheredMove { source, from, to, piece, extra })
    }

    /// The origin and destination of a move, and a flag for passes.
    fn ends(&self, at: u32) -> (i32, i32, bool) {
        let (entry, place) = self.locate(at);
        let (from, to) = self.ends_of(entry, place);
        (from, to, self.passes(entry))
    }

    /// The ends of all moves, in order.
    fn all_ends(&self) -> impl Iterator<Item = (i32, i32, bool)> {
        (0..self.entries()).flat_map(move |entry| {
            let pass = self.passes(entry);
            (0..self.count_of(entry)).map(move |place| {
                let (from, to) = self.ends_of(entry, place);
                (from, to, pass)
            })
        })
    }

    /// True if the moves of an entry are passes.
    fn passes(&self, entry: usize) -> bool {
        self.parts.is_pass(unpacked(self.of(entry)[0]).0 as i32)
    }

    /// True if a move is a pass.
    pub(crate) fn is_pass(&self, at: u32) -> bool {
        self.passes(self.locate(at).0)
    }

    /// The numbers of the moves before another one that have the same ends and may lead to the same
    /// state.
    pub(crate) fn rivals(&self, at: u32) -> impl Iterator<Item = u32> {
        let (from, to, pass) = self.ends(at);
        let source_of = |entry: usize| unpacked(self.of(entry)[0]).0;
        let source = source_of(self.locate(at).0);
        let may_clash =
            move |entry: &(usize, u32)| self.clashes.of(source).any(|s| s == source_of(entry.0));
        let first = move |before: &mut u32, entry| {
            let first = *before;
            *before += self.count_of(entry);
            (first < at).then_some((entry, first))
        };
        let before = (0..self.entries()).scan(0, first).filter(may_clash);
        let before = before.filter(|&(entry, _)| self.count_of(entry) > 0);
        before.filter_map(move |(entry, first)| {
            let rank = match unpacked(self.of(entry)[0]).1 {
                Ends::One(f, t) => ((f, t) == (from, to)).then_some(0)?,
                Ends::Targets { from: origin, descending } => {
                    let site = usize::try_from(to).ok()?;
                    let targets = self.targets(entry);
                    let known = origin.unwrap_or(to) == from && targets.contains(site);
                    let rank = known.then(|| targets.rank(site))?;
                    if descending { self.count_of(entry) - 1 - rank } else { rank }
                }
                Ends::From(origin) => {
                    let site = usize::try_from(to).ok()?;
                    let targets = self.targets(entry);
                    let known = targets.contains(site) && self.origin(origin, to) == from;
                    known.then(|| targets.rank(site))?
                }
            };
            let same = first + rank < at && self.passes(entry) == pass;
            same.then_some(first + rank)
        })
    }

    /// True if moves have been gathered for a pair of sources that may have moves with the same
    /// ends. A source can be such a pair with itself.
    fn any_clash(&self) -> bool {
        const MOST: usize = u64::BITS as usize;
        let mut sources = (0..self.entries()).map(|entry| unpacked(self.of(entry)[0]).0);
        let found =
            sources.try_fold(0u64, |all, source| (source < MOST).then(|| all | 1 << source));
        let Some(found) = found else { return true };
        let is_found = |source: usize| source < MOST && found >> source & 1 != 0;
        (0..MOST)
            .filter(|&source| is_found(source))
            .any(|source| self.clashes.of(source).any(is_found))
    }

    /// True if two of the gathered moves may have the same ends and lead to the same state.
    fn may_repeat(&self) -> bool {
        if self.clashes.is_empty() || !self.any_clash() {
            return false;
        }
        let mut seen = SeenEnds::new(self.words);
        (0..self.entries()).filter(|&entry| self.count_of(entry) > 0).any(|entry| {
            let (source, ends) = unpacked(self.of(entry)[0]);
            if self.clashes.of(source).next().is_none() {
                return false;
            }
            match ends {
                Ends::Targets { from, .. } => seen.repeats(from, self.targets(entry)),
                Ends::From(origin) => self
                    .targets(entry)
                    .iter()
                    .any(|site| seen.repeats_one(Some(self.origin(origin, site as i32)), site)),
                Ends::One(-1, -1) => std::mem::replace(&mut seen.passes, true),
                Ends::One(from, to) => match usize::try_from(to) {
                    Ok(site) => seen.repeats_one((from != to).then_some(from), site),
                    // Such moves are too rare to be worth a set of their own.
                    Err(_) => true,
                },
            }
        })
    }
}

impl GatheredMove<'_> {
    /// The value of a variable of the rules that the move binds.
    fn value(&self, bound: Bound) -> i32 {
        match bound {
            Bound::To(number) => number,
            Bound::Origin => self.from,
            Bound::Destination => self.to,
            Bound::Extra(place) => self.extra.get(place).copied().unwrap_or(-1),
        }
    }
}

impl Game {
    /// The code of the phase of the player who moves or chooses, if it gathers all moves with all
    /// numbers that make them.
    pub(super) fn gatherer(&self, state: &State) -> Option<&Compiled> {
        let mover = usize::from(self.chooser(state).unwrap_or(state.head.turns.mover));
        let moves = &self.phases[usize::from(state.head.phase[mover])].play;
        let gathers = !self.has(Feature::Random) && state.stale_pieces().is_empty();
        self.gathered(moves).filter(|_| gathers && self.swap_partner(state).is_none())
    }

    /// The numbers of the moves that do not count, in order: those that begin shorter turns, and
    /// those that lead to the same state as a move before them with the same ends. The flag is true
    /// if some turn did not end within the bounds of the lookahead.
    pub(crate) fn left_out(
        &self,
        state: &State,
        gathered: &GatheredMoves<'_>,
    ) -> (Buffer<u32>, bool) {
        let (mut left_out, endless) = self.shorter(state, gathered);
        self.leave_out_repeated(state, gathered, &mut left_out);
        (left_out, endless)
    }

    /// Adds the numbers of duplicates to those of moves that do not count, which are in order. A
    /// duplicate leads to the same state as a move before it that counts and has the same ends.
    pub(super) fn leave_out_repeated(
        &self,
        state: &State,
        gathered: &GatheredMoves<'_>,
        left_out: &mut Buffer<u32>,
    ) {
        if !gathered.may_repeat() {
            return;
        }
        let counts = |&(_, at): &Numbered| left_out.binary_search(&at).is_err();
        let mut order: Buffer<Numbered> = gathered.all_ends().zip(0..).filter(counts).collect();
        order.sort_unstable();
        for group in order.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1) {
            self.compare_gathered(state, gathered, group.iter().map(|&(_, at)| at), left_out);
        }
        left_out.sort_unstable();
    }

    /// Adds the moves to a list, without those of the numbers in `left_out`, which are in order.
    pub(super) fn list_gathered(
        &self,
        state: &State,
        gathered: &GatheredMoves<'_>,
        left_out: &[u32],
        list: &mut Vec<MoveId>,
    ) {
        let mut left_out = left_out.iter().copied().peekable();
        let (mut number, mut targets) = (0, gathered.targets);
        list.reserve(gathered.count as usize);
        for (entry, of) in gathered.entries.iter().enumerate() {
            let sites;
            (sites, targets) = targets.split_at(gathered.words);
            let (count, (source, ends)) = (of[COUNT] as u32, unpacked(of[0]));
            let Some(source) = gathered.parts.sources.get(source).filter(|_| count > 0) else {
                continue;
            };
            let (leaf, sort) = match &source.kind {
                SourceKind::Leaf(leaf) => (leaf.id, leaf.sort()),
                SourceKind::Hop(hop) => (hop.id, Sort::Plain),
                SourceKind::Single(_) => {
                    let made = self.make_gathered(state, gathered, number, Legality::Known);
                    made.map_or((NO_LEAF, Sort::Plain), |made| (made.leaf, made.sort))
                }
            };
            let piece = if source.piece { of[1] as i16 } else { 0 };
            let mut add = |from: i32, to: i32| {
                if left_out.next_if_eq(&number).is_none() {
                    let (from, to, number) = (from as i16, to as i16, number as u16);
                    list.push(MoveId { leaf, from, to, piece, sort, number, draws: 0 });
                }
                number += 1;
            };
            match ends {
                Ends::Targets { from, descending: false } => {
                    for site in SetView(sites).iter() {
                        add(from.unwrap_or(site as i32), site as i32);
                    }
                }
                Ends::Targets { from, descending: true } => {
                    for site in SetView(sites).iter_descending() {
                        add(from.unwrap_or(site as i32), site as i32);
                    }
                }
                Ends::One(..) | Ends::From(_) => (0..count).for_each(|place| {
                    let (from, to) = gathered.ends_of(entry, place);
                    add(from, to);
                }),
            }
        }
    }

    /// The numbers of the moves that would count only if they began the longest turns, and begin
    /// shorter ones. The flag is that of [`Game::left_out`].
    pub(crate) fn shorter(
        &self,
        state: &State,
        gathered: &GatheredMoves<'_>,
    ) -> (Buffer<u32>, bool) {
        let Some((longest, range)) = gathered.longest.as_ref().filter(|(_, range)| range.len() > 1)
        else {
            return (Buffer::new(), false);
        };
        let made =
            range.clone().filter_map(|at| self.make_whole(state, gathered, at, Legality::Known));
        let made: Buffer<Move> = made.collect();
        let mut eval = Eval::new(self, state);
        let with_value = eval.test(&longest.with_value);
        let kept = eval.longest(&made, longest.captures, with_value);
        let shorter = range.clone().zip(kept).filter(|&(_, kept)| !kept).map(|(at, _)| at);
        (shorter.collect(), eval.endless)
    }

    /// Adds the numbers of the moves of a group that lead to the same state as one before them.
    fn compare_gathered(
        &self,
        state: &State,
        gathered: &GatheredMoves<'_>,
        group: impl Iterator<Item = u32>,
        repeated: &mut Buffer<u32>,
    ) {
        let made = group
            .filter_map(|at| Some((at, self.make_gathered(state, gathered, at, Legality::Known)?)));
        let (numbers, moves): (Buffer<u32>, Buffer<Move>) = made.unzip();
        let kept = self.distinct(state, &moves);
        let dropped = (0..numbers.len()).filter(|place| !kept.contains(place));
        repeated.extend(dropped.map(|place| numbers[place]));
    }

    /// The move of a number with its effects; `None` if it is illegal.
    pub(crate) fn make_gathered(
        &self,
        state: &State,
        gathered: &GatheredMoves<'_>,
        at: u32,
        legality: Legality,
    ) -> Option<Move> {
        let made = self.make_whole(state, gathered, at, legality)?;
        let by_turn =
            |(longest, range): &(&Longest, Range<u32>)| !longest.captures && range.contains(&at);
        Some(if gathered.longest.as_ref().is_some_and(by_turn) {
            Eval::new(self, state).as_flattened(made)
        } else {
            made
        })
    }

    /// As [`Game::make_gathered`]; consequences that follow in the same turn stay unevaluated.
    fn make_whole(
        &self,
        state: &State,
        gathered: &GatheredMoves<'_>,
        at: u32,
        legality: Legality,
    ) -> Option<Move> {
        let parts = gathered.parts;
        let gathered = gathered.get(at)?;
        let GatheredMove { source, from, to, piece, ref extra, .. } = gathered;
        let mut eval = Eval::new(self, state);
        eval.lists = true;
        eval.set_variables(source.bound_inside().map(|bound| gathered.value(bound)));
        if let Some(who) = &source.turn_of {
            eval.take_turn(who);
        }
        let given = GivenMove { kind: &source.kind, ends: [from, to, piece], extra };
        let bound = |binders| source.bound(binders).map(|bound| gathered.value(bound));
        let saved = |_: usize, binders: usize| bound(binders);
        let mut chosen = NthMove::new(0, legality);
        let nothing = [-1; ITERS];
        let mut tested;
        let out: &mut dyn MoveVisitor = if self.repeats.is_some() {
            tested = Tested::amid(&eval, &mut chosen, Test::Repetition, nothing);
            &mut tested
        } else {
            &mut chosen
        };
        wrapped(&mut eval, parts, &saved, &source.wrappers, &given, out);
        chosen.found
    }
}
