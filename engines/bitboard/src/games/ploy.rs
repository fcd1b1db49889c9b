//! Ploy for two players on 9x9 points.

use play::picture::{Picture, Piece};
use play::{End, Player, Rng, Scores, Turn};

use crate::bits::Bits;
use crate::choice::Choice;
use crate::grid::{Grid, GuardedRanks};
use crate::rules::{Rules, capped, draw, over};
use cpu::Cpu;

/// Pieces that move only where they point to, and turn by an eighth instead. Taking the commander
/// wins, and so does taking all others. A shield that has stepped may turn before the turn ends.
pub(crate) struct Ploy;

/// The bits behind each rank catch steps off the board.
type Board = Grid<GuardedRanks, 2, 9, 9>;

/// The eight directions clockwise from upwards.
const WAYS: usize = 8;

const STRIDES: [i32; WAYS] = [
    Board::stride(0, 1),
    Board::stride(1, 1),
    Board::stride(1, 0),
    Board::stride(1, -1),
    Board::stride(0, -1),
    Board::stride(-1, -1),
    Board::stride(-1, 0),
    Board::stride(-1, 1),
];

/// For each direction the points that a piece may have come from.
static BEHIND: [[Bits<2>; 128]; WAYS] = [
    Board::rays(0, -1),
    Board::rays(-1, -1),
    Board::rays(-1, 0),
    Board::rays(-1, 1),
    Board::rays(0, 1),
    Board::rays(1, 1),
    Board::rays(1, 0),
    Board::rays(1, -1),
];

/// Kinds of actions: moves in the eight directions, then turns clockwise and anticlockwise.
const KINDS: usize = WAYS + 2;

const CLOCKWISE: usize = WAYS;

/// The kind of the action, and the point that it leads to or turns on; `STAY` is a kind of its own.
type Action = (u8, u8);

/// A shield does not turn after its step.
const STAY: Action = (KINDS as u8, 0);

/// Pieces, and whoever moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct State {
    sides: [Bits<2>; 2],
    /// The pieces that point to each of the directions.
    pointing: [Bits<2>; WAYS],
    commanders: Bits<2>,
    shields: Bits<2>,
    /// Pieces that go two points, or three.
    probes: Bits<2>,
    lances: Bits<2>,
    /// The shield that has just stepped and may turn now.
    stepped: Bits<2>,
    mover: u8,
}

const START: State = State {
    sides: [
        Board::named("b1 c1 d1 e1 f1 g1 h1 c2 d2 e2 f2 g2 d3 e3 f3"),
        Board::named("b9 c9 d9 e9 f9 g9 h9 c8 d8 e8 f8 g8 d7 e7 f7"),
    ],
    pointing: [
        Board::named("b1 d1 f1 h1 c2 e2 g2 d3 e3 f3 c9 g9 e8"),
        Board::named("c1 d1 e1 f1 g1 c2 d2 f2 e9"),
        Board::named("b1 h1 b9 h9"),
        Board::named("e1 c9 d9 e9 f9 g9 c8 d8 f8"),
        Board::named("c1 g1 e2 b9 d9 f9 h9 c8 e8 g8 d7 e7 f7"),
        Board::named("e1 c9 d9 e9 f9 g9 d8 f8 g8"),
        Board::named("b1 h1 b9 h9"),
        Board::named("c1 d1 e1 f1 g1 d2 f2 g2 e9"),
    ],
    commanders: Board::named("e1 e9"),
    shields: Board::named("d3 e3 f3 d7 e7 f7"),
    probes: Board::named("c2 d2 e2 f2 g2 c8 d8 e8 f8 g8"),
    lances: Board::named("b1 c1 d1 f1 g1 h1 b9 c9 d9 f9 g9 h9"),
    stepped: Bits::EMPTY,
    mover: 0,
};

impl State {
    /// The points that pieces get to in one direction. Behind the nearest of them the piece is
    /// found again, since those that pass a point in one direction stand one after another.
    #[inline(always)]
    fn targets(&self, way: usize, own: Bits<2>, empty: Bits<2>) -> Bits<2> {
        let ahead = |set: Bits<2>| set.shifted(STRIDES[way]);
        let near = self.pointing[way] & own;
        let lances = ahead(ahead(near & self.lances) & empty) & empty;
        let probes = ahead(near & (self.probes | self.lances)) & empty;
        (ahead(near) | ahead(probes) | ahead(lances)) & Board::BOARD.without(own)
    }

    /// The actions of whoever moves when nothing has stepped.
    #[inline(always)]
    fn choice(&self, own: Bits<2>, other: Bits<2>) -> Choice<KINDS, 2> {
        let empty = Board::BOARD.without(own | other);
        let targets = |way| self.targets(way, own, empty);
        Choice::new([
            targets(0),
            targets(1),
            targets(2),
            targets(3),
            targets(4),
            targets(5),
            targets(6),
            targets(7),
            own,
            own,
        ])
    }

    /// The point that a move leads from.
    #[inline(always)]
    fn origin(way: usize, to: u32, own: Bits<2>) -> Bits<2> {
        let line = BEHIND[way % WAYS][to as usize % 128] & own;
        // The nearest is the last where the way goes towards higher numbers.
        let ascends = matches!(way, 0..=2 | 7);
        Bits::of_index(if ascends { line.last_index() } else { line.first_index() })
    }

    /// Turns a piece by an eighth.
    #[inline(always)]
    fn turn(&mut self, piece: Bits<2>, clockwise: bool) {
        let old = self.pointing.map(|set| set & piece);
        for way in 0..WAYS {
            let (before, after) = ((way + WAYS - 1) % WAYS, (way + 1) % WAYS);
            let new = if clockwise { old[before] } else { old[after] };
            self.pointing[way] ^= old[way] ^ new;
        }
    }

    /// Moves a piece, taking what it lands on.
    #[inline(always)]
    fn shift(&mut self, from: Bits<2>, to: Bits<2>) {
        let both = from | to;
        let moved =
            |set: Bits<2>| set.without(both) | if set.intersects(from) { to } else { Bits::EMPTY };
        self.pointing = self.pointing.map(moved);
        self.commanders = moved(self.commanders);
        self.shields = moved(self.shields);
        self.probes = moved(self.probes);
        self.lances = moved(self.lances);
        let mover = usize::from(self.mover % 2);
        self.sides[mover] ^= both;
        self.sides[1 - mover] = self.sides[1 - mover].without(to);
    }

    /// True if nothing but a commander is left of a side, or no commander.
    #[inline(always)]
    fn is_beaten(&self, side: usize) -> bool {
        let pieces = self.sides[side];
        !pieces.intersects(self.commanders) || pieces.without(self.commanders).is_empty()
    }
}

/// The sorts of pieces, each with its letters of both sides and the ways that it points to where it
/// has not been turned.
const SORTS: [(char, char, &[usize]); 8] = [
    ('c', 'C', &[1, 3, 5, 7]),
    ('s', 'S', &[0]),
    ('l', 'L', &[0, 4]),
    ('h', 'H', &[0, 1]),
    ('v', 'V', &[7, 1]),
    ('f', 'F', &[7, 0, 1]),
    ('t', 'T', &[6, 0, 2]),
    ('y', 'Y', &[7, 1, 4]),
];

impl State {
    /// The letter of a piece and the eighths that it has been turned by, the fewest that look so.
    fn sign(&self, square: u32) -> String {
        let points = |way: usize| self.pointing[way % WAYS].contains(square);
        let count = (0..WAYS).filter(|&way| points(way)).count();
        let is_commander = self.commanders.contains(square);
        for (turned, (first, second, ways)) in
            (0..WAYS).flat_map(|turned| SORTS.map(|sort| (turned, sort)))
        {
            let is_sort = is_commander == (first == 'c') && ways.len() == count;
            if count > 0 && is_sort && ways.iter().all(|way| points(way + turned)) {
                let letter = if self.sides[0].contains(square) { first } else { second };
                return format!("{letter}{turned}");
            }
        }
        ".".to_owned()
    }

    /// Puts a piece that has been turned by so many eighths on an empty point.
    fn put(&mut self, square: u32, letter: char, turned: usize) -> Option<()> {
        let piece = Bits::single(square);
        let sort = SORTS.iter().find(|(first, second, _)| [*first, *second].contains(&letter))?;
        let (first, _, ways) = *sort;
        self.sides[usize::from(letter != first)] |= piece;
        ways.iter().for_each(|way| self.pointing[(way + turned) % WAYS] |= piece);
        match first {
            'c' => self.commanders |= piece,
            's' => self.shields |= piece,
            'l' | 'h' | 'v' => self.probes |= piece,
            _ => self.lances |= piece,
        }
        Some(())
    }
}

impl Rules for Ploy {
    type State = State;
    type Action = Action;

    fn start(&self) -> State {
        START
    }

    /// Each letter has the eighths that the piece has been turned by behind it.
    fn placed(&self, rows: &str, mover: u8, _: u32) -> Option<State> {
        let none = [Bits::EMPTY; WAYS];
        let [commanders, shields, probes, lances, stepped, ..] = none;
        let sides = [Bits::EMPTY; 2];
        let mut state =
            State { sides, pointing: none, commanders, shields, probes, lances, stepped, mover };
        let rows: Vec<&str> = rows.split('/').collect();
        for (rank, row) in (0..9).rev().zip(&rows) {
            let (mut signs, mut file) = (row.chars(), 0);
            while let Some(sign) = signs.next() {
                if sign != '.' {
                    let turned = signs.next()?.to_digit(WAYS as u32)? as usize;
                    (file < 9).then(|| state.put(Board::at(file, rank), sign, turned))??;
                }
                file += 1;
            }
            (file == 9).then_some(())?;
        }
        (rows.len() == 9 && mover < 2).then_some(state)
    }

    fn expand(&self, state: &State, legal: &mut Vec<Action>) -> Turn {
        let mover = usize::from(state.mover);
        if state.is_beaten(0) || state.is_beaten(1) {
            return Turn::Over;
        }
        if state.stepped.is_empty() {
            let choice = state.choice(state.sides[mover], state.sides[1 - mover]);
            legal.extend(choice.iter().map(|(kind, square)| (kind as u8, square as u8)));
        } else {
            let square = state.stepped.first_index() as u8;
            legal.extend([(CLOCKWISE as u8, square), (CLOCKWISE as u8 + 1, square), STAY]);
        }
        Turn::Move(Player(state.mover))
    }

    fn apply(&self, state: &mut State, (kind, square): Action) {
        let kind = usize::from(kind);
        let mut again = Bits::EMPTY;
        if kind < WAYS {
            let own = state.sides[usize::from(state.mover)];
            let from = State::origin(kind, square.into(), own);
            if state.shields.intersects(from) {
                again = Bits::single(square.into());
            }
            state.shift(from, Bits::single(square.into()));
        } else if kind < KINDS {
            state.turn(Bits::single(square.into()), kind == CLOCKWISE);
        }
        state.stepped = again;
        if again.is_empty() {
            state.mover = 1 - state.mover;
        }
    }

    fn scores(&self, state: &State) -> Scores {
        Scores::win(Player(u8::from(state.is_beaten(0))))
    }

    fn label(&self, state: &State, (kind, square): Action) -> String {
        let (kind, square) = (usize::from(kind), u32::from(square));
        match kind {
            CLOCKWISE => Board::name(square) + "+",
            KINDS => "pass".to_owned(),
            _ if kind > CLOCKWISE => Board::name(square) + "-",
            _ => {
                let own = state.sides[usize::from(state.mover)];
                Board::name(State::origin(kind, square, own).first_index() as u32)
                    + &Board::name(square)
            }
        }
    }

    fn is_pass(&self, action: Action) -> bool {
        action == STAY
    }

    fn picture(&self, state: &State) -> Picture {
        let mut picture = Board::picture(false, |_| '.').on_lines(|_, _| false);
        for square in Board::BOARD {
            let Some(cell) = picture.cell_mut(&Board::name(square)) else { continue };
            cell.sign = state.sign(square);
            if cell.sign != "." {
                let owner = u8::from(!state.sides[0].contains(square));
                let ways = (0..WAYS).filter(|&way| state.pointing[way].contains(square));
                let kind = if state.commanders.contains(square) { "star disc" } else { "disc" };
                let piece = Piece::of(owner, kind).facing(ways.map(|way| 45 * way as u16));
                cell.pieces.push(piece);
            }
        }
        picture
    }

    #[inline(always)]
    fn play_on<C: Cpu>(&self, cpu: C, state: State, rng: &mut Rng, cap: u32) -> Option<End> {
        if state.is_beaten(0) || state.is_beaten(1) {
            return Some(over(0, self.scores(&state)));
        }
        Some(state.play_on(cpu, rng, cap))
    }
}

impl State {
    /// Turns a shield that has stepped, either way or not at all.
    #[inline(always)]
    fn turn_at_will(&mut self, shield: Bits<2>, rng: &mut Rng) {
        let turn = draw(rng, 3);
        if turn < 2 {
            self.turn(shield, turn == 0);
        }
    }

    /// Plays random plies to the end, from a state that is not over.
    #[inline(always)]
    fn play_on<C: Cpu>(self, cpu: C, rng: &mut Rng, cap: u32) -> End {
        let mut state = self;
        let mut plies = 0;
        let stepped = std::mem::replace(&mut state.stepped, Bits::EMPTY);
        if !stepped.is_empty() {
            if cap == 0 {
                return capped(cap);
            }
            plies = 1;
            state.turn_at_will(stepped, rng);
            state.mover = 1 - state.mover;
        }
        loop {
            if plies == cap {
                return capped(cap);
            }
            plies += 1;
            let mover = usize::from(state.mover % 2);
            let (own, other) = (state.sides[mover], state.sides[1 - mover]);
            let choice = state.choice(own, other);
            let (kind, square) = choice.nth(cpu, draw(rng, choice.count()));
            if kind >= WAYS {
                state.turn(square, kind == CLOCKWISE);
            } else {
                let from = State::origin(kind, square.first_index() as u32, own);
                let steps = state.shields.intersects(from);
                state.shift(from, square);
                if other.intersects(square) && state.is_beaten(1 - mover) {
                    return over(plies, Scores::win(Player(mover as u8)));
                }
                if steps {
                    if plies == cap {
                        return capped(cap);
                    }
                    plies += 1;
                    state.turn_at_will(square, rng);
                }
            }
            state.mover = 1 - state.mover;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_point_where_they_have_been_turned_to() {
        let tee = Board::named("b1");
        let ways = |state: &State| -> Vec<usize> {
            (0..WAYS).filter(|&way| state.pointing[way].intersects(tee)).collect()
        };
        let mut state = START;
        assert_eq!(ways(&state), [0, 2, 6]);
        state.turn(tee, true);
        assert_eq!(ways(&state), [1, 3, 7]);
        state.turn(tee, false);
        state.turn(tee, false);
        assert_eq!(ways(&state), [1, 5, 7]);
    }

    #[test]
    fn each_side_starts_like_the_other_turned_round() {
        let far = |set: Bits<2>| {
            let squares = set.iter().map(Board::place);
            squares.fold(Bits::EMPTY, |all, (file, rank)| {
                all | Bits::single(Board::at(8 - file, 8 - rank))
            })
        };
        for way in 0..WAYS {
            assert_eq!(START.pointing[(way + 4) % WAYS], far(START.pointing[way]), "{way}");
        }
        assert_eq!(START.sides[1], far(START.sides[0]));
    }
}
