//! Hunt the Wumpus.

use std::hint::cold_path;

use play::picture::{Cell, Cover, Ground, Outline, Picture, Piece};
use play::{Chance, End, Percepts, Player, Rng, Scores, Turn};

use crate::bits::Bits;
use crate::rules::{Rules, capped, draw, over};
use crate::select::Select;
use cpu::Cpu;

/// Hunt the Wumpus (Gregory Yob, Creative Computing 1975): twenty rooms, a wumpus that wakes, pits,
/// bats, and arrows that fly through up to five rooms.
pub(crate) struct HuntTheWumpus;

/// The rooms that tunnels lead to, numbered from 1 as in the printed program.
const TUNNELS: [[u8; 3]; ROOMS] = [
    [2, 5, 8],
    [1, 3, 10],
    [2, 4, 12],
    [3, 5, 14],
    [1, 4, 6],
    [5, 7, 15],
    [6, 8, 17],
    [1, 7, 9],
    [8, 10, 18],
    [2, 9, 11],
    [10, 12, 19],
    [3, 11, 13],
    [12, 14, 20],
    [4, 13, 15],
    [6, 14, 16],
    [15, 17, 20],
    [7, 16, 18],
    [9, 17, 19],
    [11, 18, 20],
    [13, 16, 19],
];

const ROOMS: usize = 20;

/// All rooms, numbered from 0 as they are from here on.
const ALL: Bits<1> = Bits::from_words([(1 << ROOMS) - 1]);

/// Rooms that an arrow flies through at most.
const REACH: usize = 5;

const ARROWS: u8 = 5;

/// Number of ways to shoot: three rooms first, two after each.
const SHOTS: usize = 3 * ((1 << REACH) - 1);

/// Moves and shots.
const ACTIONS: usize = 3 + SHOTS;

/// The rooms in which the wumpus can be after it woke: one of three others or still its own.
const WOKEN: [[u8; 4]; ROOMS] = {
    let (mut woken, mut room) = ([[0; 4]; ROOMS], 0);
    while room < ROOMS {
        let [a, b, c] = TUNNELS[room];
        woken[room] = [a - 1, b - 1, c - 1, room as u8];
        room += 1;
    }
    woken
};

/// The rooms that a shot from a room names, and how many they are. Shots are numbered by their
/// length and then room by room.
const fn flight(from: usize, shot: usize) -> ([u8; REACH], usize) {
    let (mut length, mut before) = (1, 0);
    while shot >= before + (3 << (length - 1)) {
        before += 3 << (length - 1);
        length += 1;
    }
    let mut rooms = [0; REACH];
    let (mut last, mut here) = (from, from);
    let mut step = 0;
    while step < length {
        let way = (shot - before) >> (length - 1 - step);
        let tunnels = WOKEN[here];
        let next = if step == 0 {
            tunnels[way]
        } else {
            // One of the two that do not lead back.
            let mut ways = [0; 2];
            let (mut found, mut i) = (0, 0);
            while i < 3 {
                if tunnels[i] as usize != last {
                    ways[found] = tunnels[i];
                    found += 1;
                }
                i += 1;
            }
            ways[way % 2]
        };
        (last, here) = (here, next as usize);
        rooms[step] = next;
        step += 1;
    }
    (rooms, length)
}

/// The rooms of each shot from each room as a set.
const FLIGHTS: [[u32; SHOTS]; ROOMS] = {
    let (mut flights, mut from) = ([[0; SHOTS]; ROOMS], 0);
    while from < ROOMS {
        let mut shot = 0;
        while shot < SHOTS {
            let (rooms, length) = flight(from, shot);
            let mut step = 0;
            while step < length {
                flights[from][shot] |= 1 << rooms[step];
                step += 1;
            }
            shot += 1;
        }
        from += 1;
    }
    flights
};

/// The ending of the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Ending {
    Hit,
    Shot,
    Eaten,
    Fell,
    Empty,
}

impl Ending {
    const fn name(self) -> &'static str {
        match self {
            Ending::Hit => "hit",
            Ending::Shot => "shot",
            Ending::Eaten => "eaten",
            Ending::Fell => "fell",
            Ending::Empty => "empty",
        }
    }
}

/// The rooms of the player and of everything in the cave.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Cave {
    player: u8,
    wumpus: u8,
    /// None before all are put into their rooms.
    pits: Bits<1>,
    bats: Bits<1>,
}

/// The part of a ply that is left to chance.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Pending {
    Nothing,
    Entered,
    Missed,
}

/// The cave, the arrows, and what the last ply brought.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct State {
    cave: Cave,
    arrows: u8,
    pending: Pending,
    bumped: bool,
    carried: bool,
    ending: Option<Ending>,
}

impl Cave {
    /// Puts the player, the wumpus, pits and bats into different rooms.
    #[inline(always)]
    fn laid<C: Chance + ?Sized>(chance: &mut C, nth: impl Fn(Bits<1>, u32) -> Bits<1>) -> Cave {
        let mut free = ALL;
        let mut taken = || {
            let room = nth(free, chance.below(free.len()));
            free ^= room;
            room
        };
        let (player, wumpus) = (taken().first_index() as u8, taken().first_index() as u8);
        let (pits, bats) = (taken() | taken(), taken() | taken());
        Cave { player, wumpus, pits, bats }
    }

    /// The wumpus wakes and may move; whether it is where the player is then.
    #[inline(always)]
    fn wake<C: Chance + ?Sized>(&mut self, chance: &mut C) -> bool {
        self.wumpus = WOKEN[usize::from(self.wumpus) % ROOMS][chance.below(4) as usize % 4];
        self.wumpus == self.player
    }

    /// Plays the events in the room that the player entered. Returns true if he bumped into the
    /// wumpus, true if bats carried him, and how the game ended if it did.
    fn enter<C: Chance + ?Sized>(&mut self, chance: &mut C) -> (bool, bool, Option<Ending>) {
        let (mut bumped, mut carried) = (false, false);
        loop {
            if self.wumpus == self.player {
                bumped = true;
                if self.wake(chance) {
                    return (bumped, carried, Some(Ending::Eaten));
                }
            }
            if self.pits.contains(self.player.into()) {
                return (bumped, carried, Some(Ending::Fell));
            }
            if !self.bats.contains(self.player.into()) {
                return (bumped, carried, None);
            }
            carried = true;
            // To be carried where there are bats and no wumpus only leads to being carried again,
            // to rooms that are as likely as before: so these are left out, and chance is asked
            // finitely often.
            let without = ALL.without(self.bats);
            let wumpus = Bits::single(self.wumpus.into());
            let drawn = chance.below((without | wumpus).len());
            // The room of the wumpus stands last if it has bats.
            self.player = without.iter().nth(drawn as usize).map_or(self.wumpus, |room| room as u8);
        }
    }

    fn rooms_beside(&self) -> Bits<1> {
        let [a, b, c, _] = WOKEN[usize::from(self.player)].map(|room| Bits::single(room.into()));
        a | b | c
    }

    fn perceive(&self, percepts: &mut Percepts) {
        let beside = self.rooms_beside();
        percepts.tell(Player(0), format!("room {}", self.player + 1));
        for (there, what) in [
            (Bits::single(self.wumpus.into()), "stench"),
            (self.pits, "breeze"),
            (self.bats, "wings"),
        ] {
            if beside.intersects(there) {
                percepts.tell(Player(0), what);
            }
        }
    }
}

/// The rooms, each under its number: on three rings, as the corners of a dodecahedron look from
/// above, with the tunnels between them.
fn cave() -> Picture {
    let mut cells: Vec<Cell> =
        (1..=ROOMS).map(|room| Cell::new(room.to_string(), [0.0, 0.0], Outline::Vertex)).collect();
    for (place, [x, y]) in placed() {
        (cells[place].x, cells[place].y) = (x, y);
    }
    let tunnels = TUNNELS.iter().enumerate();
    let links = tunnels.flat_map(|(from, to)| to.map(|to| [from, usize::from(to) - 1]));
    let links = links.filter(|[from, to]| from < to).collect();
    Picture { cells, links, ..Picture::default() }
}

/// Places for the rooms on rings of five: a face in the middle, those beside it, those beside two of
/// these, and the face at the back around all.
fn placed() -> Vec<(usize, [f32; 2])> {
    let beside = |room: usize| TUNNELS[room].map(|other| usize::from(other) - 1);
    let joined = |a: usize, b: usize| beside(a).contains(&b);
    let first = walks(&joined, &[0], 5).unwrap_or_default();
    let mut rings = vec![first.clone()];
    let taken = |rings: &[Vec<usize>], room: usize| rings.iter().any(|ring| ring.contains(&room));
    let outwards = |rings: &[Vec<usize>], room: usize| {
        beside(room).into_iter().filter(|&next| !taken(rings, next)).collect::<Vec<_>>()
    };
    let spokes: Vec<usize> = first.iter().flat_map(|&room| outwards(&rings, room)).collect();
    rings.push(spokes.clone());
    let pairs: Vec<Vec<usize>> = spokes.iter().map(|&room| outwards(&rings, room)).collect();
    let outer = (0..pairs.len()).filter_map(|at| {
        let shared =
            |other: usize| pairs[at].iter().copied().find(|room| pairs[other].contains(room));
        shared((at + 1) % pairs.len())
    });
    let middle: Vec<usize> = outer.collect();
    rings.push(middle.clone());
    let last: Vec<usize> = middle.iter().flat_map(|&room| outwards(&rings, room)).collect();
    rings.push(last);
    let turned = [0.0, 0.0, 0.5, 0.5];
    let mut places = Vec::new();
    for (number, ring) in rings.iter().enumerate() {
        for (at, &room) in ring.iter().enumerate() {
            let angle = (at as f32 + turned[number]) * std::f32::consts::TAU / ring.len() as f32;
            let (sine, cosine) = angle.sin_cos();
            let away = [1.1, 2.1, 2.8, 3.9][number];
            places.push((room, [away * sine, away * cosine]));
        }
    }
    places
}

/// A round of so many rooms that begins with some.
fn walks(
    joined: &dyn Fn(usize, usize) -> bool,
    begun: &[usize],
    length: usize,
) -> Option<Vec<usize>> {
    let &last = begun.last()?;
    if begun.len() == length {
        return joined(last, begun[0]).then(|| begun.to_vec());
    }
    let next = (0..ROOMS).filter(|&room| joined(last, room) && !begun.contains(&room));
    next.into_iter().find_map(|room| walks(joined, &[begun, &[room]].concat(), length))
}

impl Rules for HuntTheWumpus {
    type State = State;
    /// A tunnel to move through, or a shot.
    type Action = u8;

    const PLAYERS: u8 = 1;
    const CHANCE: bool = true;
    const HIDDEN: bool = true;

    fn start(&self) -> State {
        State {
            cave: Cave { player: 0, wumpus: 0, pits: Bits::EMPTY, bats: Bits::EMPTY },
            arrows: ARROWS,
            pending: Pending::Nothing,
            bumped: false,
            carried: false,
            ending: None,
        }
    }

    fn happen<C: Chance + ?Sized>(&self, state: &mut State, chance: &mut C) {
        let cave = &mut state.cave;
        if cave.pits.is_empty() {
            *cave = Cave::laid(chance, |free, k| {
                Bits::single(free.iter().nth(k as usize).unwrap_or(0))
            });
        }
        match state.pending {
            Pending::Nothing => {}
            Pending::Entered => (state.bumped, state.carried, state.ending) = cave.enter(chance),
            Pending::Missed if cave.wake(chance) => state.ending = Some(Ending::Eaten),
            Pending::Missed if state.arrows == 0 => state.ending = Some(Ending::Empty),
            Pending::Missed => {}
        }
    }

    fn expand(&self, state: &State, legal: &mut Vec<u8>) -> Turn {
        if state.ending.is_some() {
            return Turn::Over;
        }
        legal.extend((0..).take(ACTIONS));
        Turn::Move(Player(0))
    }

    fn apply(&self, state: &mut State, action: u8) {
        (state.bumped, state.carried, state.pending) = (false, false, Pending::Nothing);
        let cave = &mut state.cave;
        let from = usize::from(cave.player);
        let Some(shot) = usize::from(action).checked_sub(3) else {
            cave.player = WOKEN[from][usize::from(action)];
            state.pending = Pending::Entered;
            return;
        };
        state.arrows -= 1;
        let (rooms, length) = flight(from, shot);
        for &room in &rooms[..length] {
            if room == cave.wumpus || room == cave.player {
                state.ending = Some(if room == cave.wumpus { Ending::Hit } else { Ending::Shot });
                return;
            }
        }
        state.pending = Pending::Missed;
    }

    fn perceive_start(&self, start: &State, percepts: &mut Percepts) {
        start.cave.perceive(percepts);
    }

    fn perceive(&self, _: &State, _: u8, after: &State, percepts: &mut Percepts) {
        if let Some(ending) = after.ending {
            percepts.tell(Player(0), ending.name());
            return;
        }
        after.cave.perceive(percepts);
        for (happened, what) in [
            (after.bumped, "bumped"),
            (after.carried, "carried"),
            (after.pending == Pending::Missed, "missed"),
        ] {
            if happened {
                percepts.tell(Player(0), what);
            }
        }
    }

    fn scores(&self, state: &State) -> Scores {
        Scores::single(if state.ending == Some(Ending::Hit) { 100 } else { 0 })
    }

    fn label(&self, state: &State, action: u8) -> String {
        let from = usize::from(state.cave.player);
        let Some(shot) = usize::from(action).checked_sub(3) else {
            return format!("move {}", WOKEN[from][usize::from(action)] + 1);
        };
        let (rooms, length) = flight(from, shot);
        let rooms = rooms[..length].iter().map(|room| format!(" {}", room + 1));
        format!("shoot{}", rooms.collect::<String>())
    }

    fn draw(&self, state: &State) -> String {
        let Cave { player, wumpus, pits, bats } = state.cave;
        let rooms = |set: Bits<1>| {
            set.iter().map(|room| (room + 1).to_string()).collect::<Vec<_>>().join(" and ")
        };
        format!(
            "player in {}, {} arrows\nwumpus in {}\npits in {}\nbats in {}\n{}\n",
            player + 1,
            state.arrows,
            wumpus + 1,
            rooms(pits),
            rooms(bats),
            state.ending.map_or("", Ending::name),
        )
    }

    fn picture(&self, state: &State) -> Picture {
        let Cave { player, wumpus, pits, bats } = state.cave;
        let (mut picture, is_beside) = (cave(), |room| WOKEN[usize::from(player)].contains(&room));
        for (room, cell) in (0..).zip(&mut picture.cells) {
            let here = |set: Bits<1>| set.contains(room.into());
            let all = [(wumpus == room, "wumpus"), (here(pits), "pit"), (here(bats), "bats")];
            let kinds = all.iter().filter(|kind| kind.0);
            cell.pieces.extend(kinds.map(|kind| Piece::new(None, kind.1)));
            if player == room {
                cell.pieces.push(Piece::of(0, "agent"));
            } else {
                cell.cover = Cover::From(vec![Player(0)]);
            }
            let is_marked = player != room && is_beside(room);
            cell.ground = if is_marked { Ground::Marked } else { Ground::Plain };
        }
        let ending = state.ending.map_or("", Ending::name);
        picture.with_notes(&format!("{} arrows\n{ending}", state.arrows))
    }

    #[inline(always)]
    fn playout<C: Cpu>(&self, cpu: C, rng: &mut Rng, cap: u32) -> End {
        let mut cave = Cave::laid(
            rng,
            #[inline(always)]
            |free, k| free.select_bit(cpu, k),
        );
        let mut arrows = ARROWS;
        let mut plies = 0;
        while plies < cap {
            plies += 1;
            let from = usize::from(cave.player) % ROOMS;
            let drawn = draw(rng, ACTIONS as u32) as usize;
            if drawn < 3 {
                cold_path();
                cave.player = WOKEN[from][drawn];
                if cave.enter(rng).2.is_some() {
                    return over(plies, Scores::single(0));
                }
                continue;
            }
            let shot = drawn - 3;
            let flown = FLIGHTS[from][shot % SHOTS];
            if flown >> cave.wumpus & 1 == 1 {
                return over(plies, Scores::single(100));
            }
            arrows -= 1;
            if flown >> from & 1 == 1 || cave.wake(rng) || arrows == 0 {
                return over(plies, Scores::single(0));
            }
        }
        capped(cap)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use play::Script;

    /// Entering a room as the rules say it, bats carrying to any of the twenty rooms.
    fn enter_plainly(mut cave: Cave, rng: &mut Rng) -> (u8, u8, bool, bool, Option<&'static str>) {
        let (mut bumped, mut carried) = (false, false);
        let ending = loop {
            if cave.wumpus == cave.player {
                bumped = true;
                let way = rng.below(4) as usize;
                if way < 3 {
                    cave.wumpus = TUNNELS[usize::from(cave.wumpus)][way] - 1;
                }
                if cave.wumpus == cave.player {
                    break Some("eaten");
                }
            }
            if cave.pits.contains(cave.player.into()) {
                break Some("fell");
            }
            if !cave.bats.contains(cave.player.into()) {
                break None;
            }
            carried = true;
            cave.player = rng.below(20) as u8;
        };
        (cave.player, cave.wumpus, bumped, carried, ending)
    }

    #[test]
    fn bats_carry_as_if_rooms_with_bats_were_not_left_out() {
        // The wumpus elsewhere, in the room of bats that is entered, in the other one, in a
        // neighbour of it.
        for wumpus in [10, 4, 8, 9] {
            let bats = Bits::single(4) | Bits::single(8);
            let pits = Bits::single(2) | Bits::single(3);
            let cave = Cave { player: 4, wumpus, pits, bats };
            let mut exact = BTreeMap::new();
            let mut script = Script::default();
            loop {
                script.rewind();
                let mut entered = cave;
                let (bumped, carried, ending) = entered.enter(&mut script);
                let outcome =
                    (entered.player, entered.wumpus, bumped, carried, ending.map(Ending::name));
                *exact.entry(outcome).or_insert(0.0) += script.probability();
                if !script.advance() {
                    break;
                }
            }
            let mut rng = Rng::stream(17, wumpus.into());
            let n = 200_000;
            let mut counts = BTreeMap::new();
            for _ in 0..n {
                *counts.entry(enter_plainly(cave, &mut rng)).or_insert(0.0) += 1.0;
            }
            assert!(counts.keys().eq(exact.keys()), "{wumpus}");
            for (outcome, p) in exact {
                let (expected, found) = (p * f64::from(n), counts[&outcome]);
                let error = (expected * (1.0 - p)).sqrt();
                assert!((found - expected).abs() < 5.0 * error, "{wumpus} {outcome:?}");
            }
        }
    }

    #[test]
    fn tunnels_lead_both_ways() {
        for (room, tunnels) in (1..).zip(TUNNELS) {
            for other in tunnels {
                assert!(TUNNELS[usize::from(other) - 1].contains(&room), "{room} {other}");
            }
        }
    }
}
