//! The cave of rooms and tunnels, with bats.

use super::belief::{Sink, Told, World, check_number, choices, subsets};

/// The percepts but for the rooms.
const WORDS: [&str; 11] = [
    "stench", "breeze", "wings", "bumped", "carried", "missed", "hit", "shot", "eaten", "fell",
    "empty",
];

const BUMPED: Told = 1 << 3;
const CARRIED: Told = 1 << 4;
const MISSED: Told = 1 << 5;
const HIT: Told = 1 << 6;
const SHOT: Told = 1 << 7;
const EATEN: Told = 1 << 8;
const FELL: Told = 1 << 9;
const EMPTY: Told = 1 << 10;

/// The bit of the first room.
const FIRST_ROOM: usize = WORDS.len();

/// Rooms at most.
pub(super) const MAX_ROOMS: usize = 32;

/// Flights by bats in a row that are told apart; more are as likely as a millionth.
const FLIGHTS: u32 = 6;

/// The rules of a hunt through rooms.
#[derive(Clone, Debug)]
pub(super) struct Rooms {
    /// The rooms that tunnels lead to, from 0.
    pub(super) tunnels: Vec<Vec<usize>>,
    pub(super) pits: usize,
    pub(super) bats: usize,
    pub(super) arrows: u32,
    pub(super) words: Vec<String>,
}

/// Everything in the cave.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cave {
    pub(super) player: u8,
    pub(super) wumpus: u8,
    pub(super) pits: u32,
    pub(super) bats: u32,
    pub(super) arrows: u32,
}

/// A move to a room, or a shot through some.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Act {
    Move(usize),
    Shoot(Vec<usize>),
}

impl Rooms {
    /// The words of all percepts in a cave of so many rooms.
    pub(super) fn words_of(rooms: usize) -> Vec<String> {
        let words = WORDS.iter().map(|&word| word.to_owned());
        words.chain((1..=rooms).map(|room| format!("room {room}"))).collect()
    }

    /// True if a set of rooms has one beside a room.
    fn near(&self, room: u8, set: u32) -> bool {
        self.tunnels[usize::from(room)].iter().any(|&beside| set >> beside & 1 == 1)
    }

    fn perceived(&self, cave: &Cave) -> Told {
        let near = |set: u32| Told::from(self.near(cave.player, set));
        near(1 << cave.wumpus)
            | near(cave.pits) << 1
            | near(cave.bats) << 2
            | 1 << (FIRST_ROOM + usize::from(cave.player))
    }

    /// The wumpus wakes: it stays, or goes through one of the tunnels, each as likely as staying.
    fn wake(&self, cave: &Cave, each: &mut dyn FnMut(Cave, f64)) {
        let tunnels = &self.tunnels[usize::from(cave.wumpus)];
        let chance = 1.0 / (tunnels.len() + 1) as f64;
        let rooms = tunnels.iter().map(|&room| room as u8).chain([cave.wumpus]);
        rooms.for_each(|wumpus| each(Cave { wumpus, ..cave.clone() }, chance));
    }

    /// The events in the room that the player entered, with what happened before.
    fn enter(&self, cave: &Cave, chance: f64, told: Told, flights: u32, sink: Sink<'_, Cave>) {
        if cave.wumpus != cave.player {
            return self.past_wumpus(cave, chance, told, flights, sink);
        }
        self.wake(cave, &mut |woken, share| {
            if woken.wumpus == woken.player {
                sink(woken, chance * share, EATEN);
            } else {
                self.past_wumpus(&woken, chance * share, told | BUMPED, flights, sink);
            }
        });
    }

    /// The same where no wumpus is left in the room.
    fn past_wumpus(&self, cave: &Cave, chance: f64, told: Told, left: u32, sink: Sink<'_, Cave>) {
        let is_in = |set: u32| set >> cave.player & 1 == 1;
        if is_in(cave.pits) {
            return sink(cave.clone(), chance, FELL);
        }
        if !is_in(cave.bats) {
            return sink(cave.clone(), chance, told | self.perceived(cave));
        }
        // Being carried to bats without the wumpus only leads to being carried again, to rooms that
        // are as likely as before.
        let free = |room: &u8| cave.bats >> room & 1 == 0 || *room == cave.wumpus;
        let rooms: Vec<u8> = (0..self.tunnels.len() as u8).filter(free).collect();
        let share = chance / rooms.len() as f64;
        for player in rooms.into_iter().filter(|_| left > 0) {
            let carried = Cave { player, ..cave.clone() };
            self.enter(&carried, share, told | CARRIED, left - 1, sink);
        }
    }

    /// The probability that entering a room ends the game.
    pub(super) fn death(&self, cave: &Cave, room: usize) -> f64 {
        let (room, bit) = (room as u8, 1u32 << room);
        if cave.wumpus != room && cave.bats & bit == 0 {
            return f64::from(u8::from(cave.pits & bit != 0));
        }
        let mut death = 0.0;
        let entered = Cave { player: room, ..cave.clone() };
        self.enter(&entered, 1.0, 0, FLIGHTS, &mut |_, chance, told| {
            death += if told & (EATEN | FELL) != 0 { chance } else { 0.0 };
        });
        death
    }

    /// The flight of an arrow: it hits, or the player is shot, or it misses.
    pub(super) fn flight(player: u8, wumpus: u8, rooms: &[usize]) -> Flight {
        let end = rooms.iter().map(|&room| room as u8);
        match end.into_iter().find(|&room| room == wumpus || room == player) {
            Some(room) if room == wumpus => Flight::Hit,
            Some(_) => Flight::Own,
            None => Flight::Missed,
        }
    }

    /// The room of a percept such as `room 7`, from 0.
    pub(super) fn room(percept: &str) -> Option<usize> {
        number(percept.strip_prefix("room ")?)
    }
}

/// The end of an arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flight {
    Hit,
    Own,
    Missed,
}

/// A room by its number, from 0.
fn number(text: &str) -> Option<usize> {
    text.parse::<usize>().ok()?.checked_sub(1).filter(|&room| room < MAX_ROOMS)
}

/// The rooms of a label such as `move 7` or `shoot 7 17`, behind the verb.
pub(super) fn rooms_of(label: &str, verb: &str) -> Option<Vec<usize>> {
    label.strip_prefix(verb)?.split_whitespace().map(number).collect()
}

impl World for Rooms {
    type State = Cave;
    type Act = Act;

    fn words(&self) -> &[String] {
        &self.words
    }

    fn starts(&self, first: Told) -> Result<Vec<(Cave, f64)>, String> {
        let rooms = self.tunnels.len();
        let is_here = |&room: &usize| first >> (FIRST_ROOM + room) & 1 == 1;
        let here: Vec<usize> = (0..rooms).filter(is_here).collect();
        if here.len() != 1 {
            let hint = "begin with what was perceived at the start, such as `room 7, stench`";
            return Err(format!("the first room is not said: {hint}"));
        }
        let others = rooms.saturating_sub(2);
        let ways = (rooms - 1) as f64
            * choices(others, self.pits)
            * choices(others.saturating_sub(self.pits), self.bats);
        check_number(here.len() as f64 * ways)?;
        let mut states = Vec::new();
        for player in here {
            for wumpus in (0..rooms).filter(|&room| room != player) {
                let free = (0..rooms).filter(|&room| room != player && room != wumpus);
                let free: Vec<usize> = free.collect();
                subsets(&free, self.pits, &mut |pits| {
                    let left = free.iter().copied().filter(|room| pits >> room & 1 == 0);
                    subsets(&left.collect::<Vec<_>>(), self.bats, &mut |bats| {
                        let (pits, bats) = (pits as u32, bats as u32);
                        let (player, wumpus) = (player as u8, wumpus as u8);
                        let cave = Cave { player, wumpus, pits, bats, arrows: self.arrows };
                        states.push((cave, 1.0));
                    });
                });
            }
        }
        Ok(states)
    }

    fn first(&self, cave: &Cave) -> Told {
        self.perceived(cave)
    }

    fn at(&self, cave: &Cave) -> usize {
        cave.player.into()
    }

    fn act(&self, label: &str) -> Option<Act> {
        let is_there = |room: &usize| *room < self.tunnels.len();
        if let Some(rooms) = rooms_of(label, "shoot ") {
            return rooms.iter().all(is_there).then_some(Act::Shoot(rooms));
        }
        match *rooms_of(label, "move ")? {
            [room] if is_there(&room) => Some(Act::Move(room)),
            _ => None,
        }
    }

    fn outcomes(&self, cave: &Cave, act: &Act, sink: Sink<'_, Cave>) {
        let rooms = match act {
            Act::Move(room) => {
                let entered = Cave { player: *room as u8, ..cave.clone() };
                return self.enter(&entered, 1.0, 0, FLIGHTS, sink);
            }
            Act::Shoot(rooms) => rooms,
        };
        let shot = Cave { arrows: cave.arrows.saturating_sub(1), ..cave.clone() };
        match Rooms::flight(cave.player, cave.wumpus, rooms) {
            Flight::Hit => sink(shot, 1.0, HIT),
            Flight::Own => sink(shot, 1.0, SHOT),
            Flight::Missed => self.wake(&shot, &mut |woken, chance| {
                let told = match &woken {
                    _ if woken.wumpus == woken.player => EATEN,
                    _ if woken.arrows == 0 => EMPTY,
                    _ => MISSED | self.perceived(&woken),
                };
                sink(woken, chance, told);
            }),
        }
    }
}
