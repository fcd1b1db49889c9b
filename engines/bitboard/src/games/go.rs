//! Go on 9x9, scored by area.

use play::picture::Picture;
use play::{End, Player, Rng, Scores, Symmetry, Turn, mix};

use crate::bits::Bits;
use crate::form::{Form, Formed};
use crate::grid::{Grid, GuardedRanks};
use crate::pictures::beside;
use crate::rules::{Rules, capped, draw, over};
use crate::select::Select;
use cpu::Cpu;

/// Stones without liberties are taken, and suicide is not legal. A ko may not be taken back at
/// once; any other position that comes back ends the game as a draw. Two passes in a row or 162
/// plies end it, too, and the greater area wins.
pub(crate) struct Go;

type Board = Grid<GuardedRanks, 2, 9, 9>;

/// From a point to its right and its upper neighbour.
const STRIDES: [u32; 2] = [Board::FILE_STEP, Board::RANK_STEP];

/// Bits of the board, with the guard file.
const POINTS: usize = 90;

/// Plies, passes included, that end the game.
const LIMIT: usize = 162;

/// The points that white gets besides, in half points.
const KOMI: u32 = 15;

/// A point to put a stone on, or [`PASS`].
type Action = u8;

/// The action that hands on the turn.
const PASS: Action = u8::MAX;

/// A random word for a stone of each player on each point (Zobrist 1970).
static WORDS: [[u64; POINTS]; 2] = {
    let (mut words, mut seed, mut i) = ([[0; POINTS]; 2], 0u64, 0);
    while i < 2 * POINTS {
        // SplitMix64 (Steele, Lea and Flood 2014).
        seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        words[i / POINTS][i % POINTS] = mix(seed);
        i += 1;
    }
    words
};

/// The stones, and what the rules remember of the past.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct State {
    stones: [Bits<2>; 2],
    /// The point at which a ko may not be taken back, or none.
    ko: Bits<2>,
    mover: u8,
    passes: u8,
    /// True if the last stone brought back a position.
    repeated: bool,
    plies: u8,
    /// The hash of the position after each ply.
    past: [u64; LIMIT + 1],
}

const START: State = State {
    stones: [Bits::EMPTY; 2],
    ko: Bits::EMPTY,
    mover: 0,
    passes: 0,
    repeated: false,
    plies: 0,
    past: [0; LIMIT + 1],
};

/// The points beside a set, some of the guard among them.
#[inline(always)]
fn near(set: Bits<2>) -> Bits<2> {
    let [right, up] = STRIDES;
    set.up(right) | set.down(right) | set.up(up) | set.down(up)
}

/// The points of `within` that are joined to `from` in it, those of `from` included.
#[inline(always)]
fn joined(from: Bits<2>, within: Bits<2>) -> Bits<2> {
    let mut all = from & within;
    loop {
        let more = all | near(all) & within;
        if more == all {
            return all;
        }
        all = more;
    }
}

/// The points without a stone.
#[inline(always)]
fn empty(stones: [Bits<2>; 2]) -> Bits<2> {
    Board::BOARD.without(stones[0] | stones[1])
}

/// The part of the hash for a set of stones.
#[inline(always)]
fn hash(player: usize, stones: Bits<2>) -> u64 {
    stones.iter().fold(0, |all, point| all ^ WORDS[player][point as usize])
}

/// Whoever has the greater area.
#[inline(always)]
fn winner(stones: [Bits<2>; 2]) -> Scores {
    let empty = empty(stones);
    let area = |player: usize| {
        let reached = joined(near(stones[1 - player]), empty);
        2 * (stones[player] | empty.without(reached)).len()
    };
    if area(0) > area(1) + KOMI { Scores::FIRST } else { Scores::SECOND }
}

impl State {
    fn hash(&self) -> u64 {
        hash(0, self.stones[0]) ^ hash(1, self.stones[1])
    }

    /// The enemies that a stone of whoever moves takes on an empty point; `None` if it would have
    /// no liberty.
    fn taken(&self, stone: Bits<2>) -> Option<Bits<2>> {
        let mover = usize::from(self.mover);
        let (own, enemies) = (self.stones[mover] | stone, self.stones[1 - mover]);
        let open = empty(self.stones).without(stone);
        let beside = near(stone) & enemies;
        let taken = beside.iter().fold(Bits::EMPTY, |all, enemy| {
            let group = joined(Bits::single(enemy), enemies);
            if near(group).intersects(open) { all } else { all | group }
        });
        near(joined(stone, own)).intersects(open | taken).then_some(taken)
    }

    /// The points on which whoever moves may put a stone.
    fn legal(&self) -> Bits<2> {
        let open = empty(self.stones).without(self.ko);
        let legal = open.iter().map(Bits::single).filter(|&stone| self.taken(stone).is_some());
        legal.fold(Bits::EMPTY, Bits::or)
    }

    fn is_over(&self) -> bool {
        self.repeated || self.passes == 2 || usize::from(self.plies) == LIMIT
    }

    fn put(&mut self, stone: Bits<2>) {
        let Some(taken) = self.taken(stone) else { return };
        let mover = usize::from(self.mover);
        self.stones[mover] |= stone;
        self.stones[1 - mover] ^= taken;
        let alone = !near(stone).intersects(self.stones[mover] | empty(self.stones).without(taken));
        self.ko = if taken.len() == 1 && alone { taken } else { Bits::EMPTY };
    }
}

/// The groups of a position, for playouts: what a stone changes is brought up to date.
struct Groups {
    stones: [Bits<2>; 2],
    /// The stones of groups with more than one liberty.
    safe: [Bits<2>; 2],
    /// By point with a stone: its group, which is one of its points.
    group: [u8; POINTS],
    /// By group: its stones, and its liberties.
    members: [Bits<2>; POINTS],
    liberties: [Bits<2>; POINTS],
}

impl Groups {
    const NONE: Groups = Groups {
        stones: [Bits::EMPTY; 2],
        safe: [Bits::EMPTY; 2],
        group: [0; POINTS],
        members: [Bits::EMPTY; POINTS],
        liberties: [Bits::EMPTY; POINTS],
    };

    /// The groups of stones, each of which has a liberty.
    fn of_stones(stones: [Bits<2>; 2]) -> Groups {
        let mut groups = Groups { stones, ..Groups::NONE };
        for (player, &own) in stones.iter().enumerate() {
            let mut rest = own;
            while !rest.is_empty() {
                let group = rest.first_index() % POINTS;
                let members = joined(Bits::of_index(group), own);
                for point in members {
                    groups.group[point as usize % POINTS] = group as u8;
                }
                groups.members[group] = members;
                groups.liberties[group] = near(members) & empty(stones);
                groups.note(player, group);
                rest = rest.without(members);
            }
        }
        groups
    }

    #[inline(always)]
    fn of(&self, point: u32) -> usize {
        usize::from(self.group[point as usize % POINTS]) % POINTS
    }

    /// The points on which a stone would have a liberty: beside an empty point, beside a group with
    /// another liberty, or where it takes a group whose last one that is.
    #[inline(always)]
    fn legal(&self, mover: usize) -> Bits<2> {
        let empty = empty(self.stones);
        let caught = self.stones[1 - mover].without(self.safe[1 - mover]);
        near(empty | self.safe[mover] | caught) & empty
    }

    /// Notes whether a group is safe.
    #[inline(always)]
    fn note(&mut self, player: usize, group: usize) {
        let members = self.members[group];
        self.safe[player] = self.safe[player].without(members);
        if self.liberties[group].len() > 1 {
            self.safe[player] |= members;
        }
    }

    /// Puts a stone, which has to be legal; the stones that it takes.
    #[inline(always)]
    fn put(&mut self, player: usize, point: u32) -> Bits<2> {
        let stone = Bits::single(point);
        let beside = near(stone);
        let mut own = point as usize % POINTS;
        self.group[own] = own as u8;
        self.members[own] = stone;
        self.liberties[own] = beside & empty(self.stones);
        for friend in beside & self.stones[player] {
            own = self.merge(own, self.of(friend));
        }
        self.liberties[own] = self.liberties[own].without(stone);
        self.stones[player] |= stone;
        let mut taken = Bits::EMPTY;
        for enemy in beside & self.stones[1 - player] {
            let group = self.of(enemy);
            self.liberties[group] = self.liberties[group].without(stone);
            if self.liberties[group].is_empty() {
                taken |= self.members[group];
            }
            self.note(1 - player, group);
        }
        self.note(player, own);
        if !taken.is_empty() {
            self.take(player, taken);
        }
        taken
    }

    /// Makes one group of two, if they are not yet; the group.
    #[inline(always)]
    fn merge(&mut self, a: usize, b: usize) -> usize {
        if a == b {
            return a;
        }
        let smaller = self.members[a].len() < self.members[b].len();
        let (small, large) = if smaller { (a, b) } else { (b, a) };
        for point in self.members[small] {
            self.group[point as usize % POINTS] = large as u8;
        }
        self.members[large] |= self.members[small];
        self.liberties[large] |= self.liberties[small];
        large
    }

    /// Takes stones of the other player away, which are liberties then.
    #[inline(always)]
    fn take(&mut self, player: usize, taken: Bits<2>) {
        self.stones[1 - player] ^= taken;
        self.safe[1 - player] = self.safe[1 - player].without(taken);
        for point in near(taken) & self.stones[player] {
            let group = self.of(point);
            self.liberties[group] |= near(Bits::single(point)) & taken;
            self.note(player, group);
        }
    }
}

impl Rules for Go {
    type State = State;
    type Action = Action;
    type Board = Board;

    const FORMS: &'static [Form] = &[Form::At(""), Form::Word(play::PASS)];
    const SYMMETRY: Option<Symmetry> = Some(Symmetry::Same);

    fn start(&self) -> State {
        START
    }

    /// Stones of which each group has a liberty; no position was there before.
    fn placed(&self, rows: &str, mover: u8, _: u32) -> Option<State> {
        let stones = Board::drawn(rows, ['x', 'o'])?;
        let breathe = |own: Bits<2>| own.without(joined(near(empty(stones)), own)).is_empty();
        let is_fine =
            mover < 2 && !stones[0].intersects(stones[1]) && stones.into_iter().all(breathe);
        let mut start = State { stones, mover, ..START };
        start.past[0] = start.hash();
        is_fine.then_some(start)
    }

    fn expand(&self, state: &State, legal: &mut Vec<Action>) -> Turn {
        if state.is_over() {
            return Turn::Over;
        }
        legal.extend(state.legal().iter().map(|point| point as Action));
        legal.push(PASS);
        Turn::Move(Player(state.mover))
    }

    fn apply(&self, state: &mut State, action: Action) {
        if action == PASS {
            state.passes += 1;
            state.ko = Bits::EMPTY;
        } else {
            state.passes = 0;
            state.put(Bits::single(action.into()));
        }
        let hash = state.hash();
        state.repeated = action != PASS && state.past[..=usize::from(state.plies)].contains(&hash);
        state.plies += 1;
        state.past[usize::from(state.plies)] = hash;
        state.mover = 1 - state.mover;
    }

    fn scores(&self, state: &State) -> Scores {
        if state.repeated { Scores::DRAW } else { winner(state.stones) }
    }

    #[inline]
    fn form(&self, _: &State, action: Action) -> Formed {
        if action == PASS { Formed::word(1) } else { Formed::at(action.into()) }
    }

    fn is_pass(&self, action: Action) -> bool {
        action == PASS
    }

    fn picture(&self, state: &State) -> Picture {
        Board::sides(false, state.stones).with_men("stone").on_lines(beside)
    }

    #[inline]
    fn planes(&self, state: &State, planes: &mut [u8]) {
        Board::write_planes(state.stones, planes);
    }

    #[inline(always)]
    fn playout<C: Cpu>(&self, cpu: C, rng: &mut Rng, cap: u32) -> End {
        START.play_on(cpu, Groups::NONE, rng, cap)
    }

    #[inline(always)]
    fn play_on<C: Cpu>(&self, cpu: C, state: State, rng: &mut Rng, cap: u32) -> Option<End> {
        if state.is_over() {
            return Some(over(0, self.scores(&state)));
        }
        Some(state.play_on(cpu, Groups::of_stones(state.stones), rng, cap))
    }
}

impl State {
    /// Plays random plies to the end, from a state that is not over, with these groups.
    #[inline(always)]
    fn play_on<C: Cpu>(self, cpu: C, mut groups: Groups, rng: &mut Rng, cap: u32) -> End {
        let State { mut ko, mut past, mut passes, .. } = self;
        let (mut mover, mut plies) = (usize::from(self.mover % 2), 0);
        let mut hash_now = past[usize::from(self.plies)];
        // All plies, forced passes included.
        for made in usize::from(self.plies)..LIMIT {
            if passes == 2 {
                break;
            }
            let legal = groups.legal(mover).without(ko);
            let count = legal.len();
            let mut drawn = 0;
            if count > 0 {
                if plies == cap {
                    return capped(cap);
                }
                plies += 1;
                drawn = draw(rng, count + 1);
            }
            ko = Bits::EMPTY;
            passes += 1;
            if drawn < count {
                passes = 0;
                let point = legal.select(cpu, drawn);
                let taken = groups.put(mover, point);
                hash_now ^= WORDS[mover][point as usize % POINTS] ^ hash(1 - mover, taken);
                if past[..=made].contains(&hash_now) {
                    return over(plies, Scores::DRAW);
                }
                let group = groups.of(point);
                let alone = groups.members[group] == Bits::single(point);
                if alone && taken.len() == 1 && groups.liberties[group] == taken {
                    ko = taken;
                }
            }
            past[made + 1] = hash_now;
            mover = 1 - mover;
        }
        over(plies, winner(groups.stones))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_those_of_floods() {
        let mut rng = Rng::stream(9, 9);
        let (mut takings, mut kos, mut merged) = (0, 0, 0);
        for _ in 0..200 {
            let (mut state, mut groups) = (START, Groups::NONE);
            while usize::from(state.plies) < LIMIT {
                let mover = usize::from(state.mover);
                assert_eq!(groups.legal(mover).without(state.ko), state.legal());
                let legal = state.legal();
                if legal.is_empty() {
                    Go.apply(&mut state, PASS);
                    continue;
                }
                let point = legal.iter().nth(rng.below(legal.len()) as usize).unwrap();
                let before = state.stones[1 - mover];
                let taken = groups.put(mover, point);
                Go.apply(&mut state, point as Action);
                assert_eq!(taken, before ^ state.stones[1 - mover]);
                assert_eq!(groups.stones, state.stones);
                takings += u32::from(taken.len() > 1);
                kos += u32::from(!state.ko.is_empty());
                let group = groups.of(point);
                let members = joined(Bits::single(point), state.stones[mover]);
                assert_eq!(groups.members[group], members);
                assert_eq!(groups.liberties[group], near(members) & empty(state.stones));
                merged += u32::from(members.len() > 4);
            }
        }
        assert!(takings > 100 && kos > 10 && merged > 1000, "{takings} {kos} {merged}");
    }
}
