//! Hunts in caves of squares, in which steps are plies: of unknown size, with several hunters, with
//! gold that is picked up; and the printed cave.

use super::belief::{Sink, Told, World, check_number, choices, subsets};
use super::known::PitPrior;

/// Directions by their numbers.
pub(super) const NAMES: [&str; 4] = ["north", "east", "south", "west"];

/// The percepts of a square, of what happened, and of the end.
const OWN: [&str; 10] =
    ["stench", "breeze", "gold", "bump", "scream", "dead", "silence", "thunk", "pit", "eaten"];

/// What hunters hear of each other.
const HEARD: [&str; 9] =
    ["stench", "breeze", "gold", "bump", "north", "east", "south", "west", "silence"];

const STENCH: usize = 0;
const BREEZE: usize = 1;
const GOLD: usize = 2;
const BUMP: usize = 3;
const SCREAM: usize = 4;
const DEAD: usize = 5;
const SILENCE: usize = 6;
const THUNK: usize = 7;
const PIT: usize = 8;
const EATEN: usize = 9;

/// No square.
const NOWHERE: u8 = u8::MAX;

/// The rules of a hunt.
#[derive(Clone, Debug)]
pub(super) struct Hunt {
    /// Columns and rows that the cave may have, equally likely.
    pub(super) sizes: Vec<(usize, usize)>,
    /// The numbers of pits that there may be, equally likely.
    pub(super) pits: Pits,
    pub(super) hunters: usize,
    /// The number of the hunter who reasons.
    pub(super) own: usize,
    pub(super) arrows: u32,
    /// True if there is gold.
    pub(super) gold: bool,
    /// True if hunters hear of each other.
    pub(super) talk: bool,
    /// True if the rules are those of the printed cave: arrows fly to the wall, the wumpus smells
    /// when dead, and only steps let perceive something of a square.
    pub(super) printed: bool,
    pub(super) words: Vec<String>,
}

/// What is known of the pits of a hunt beforehand.
#[derive(Clone, Debug)]
pub(super) enum Pits {
    /// One of these numbers of them, equally likely.
    Numbers(Vec<usize>),
    /// Each square but the first and the wumpus's has one by itself.
    Each(f64),
}

impl From<PitPrior> for Pits {
    fn from(prior: PitPrior) -> Pits {
        match prior {
            PitPrior::Each(chance) => Pits::Each(chance),
            PitPrior::Exactly(number) => Pits::Numbers(vec![number]),
        }
    }
}

/// A hunter.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Hunter {
    pub(super) at: u8,
    pub(super) arrows: u32,
    pub(super) lives: bool,
    pub(super) gold: bool,
}

/// A cave with its hunters. Squares are numbered along the rows of the largest cave.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cave {
    pub(super) columns: u8,
    pub(super) rows: u8,
    pub(super) wumpus: u8,
    pub(super) wumpus_lives: bool,
    pub(super) pits: u64,
    /// Where the gold lay at the start.
    pub(super) gold: u8,
    pub(super) hunters: Vec<Hunter>,
}

impl Cave {
    /// True if entering a square is death.
    pub(super) fn kills(&self, square: usize) -> bool {
        self.pits >> square & 1 == 1 || self.wumpus_lives && usize::from(self.wumpus) == square
    }
}

/// A ply of a hunter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Act {
    Step(usize),
    Shoot(usize),
    /// A shot towards a square.
    ShootAt(usize),
    /// The ply of the dead.
    Nothing,
}

impl Hunt {
    /// The words of all percepts of hunters of this number.
    pub(super) fn words_of(hunters: usize, own: usize) -> Vec<String> {
        let mut words: Vec<String> = OWN.map(str::to_owned).into();
        for other in (0..hunters).filter(|&other| other != own) {
            let who =
                if hunters > 2 { format!("hunter {}", other + 1) } else { "other".to_owned() };
            words.extend(HEARD.iter().map(|what| format!("{who} {what}")));
        }
        words
    }

    /// Columns of the largest cave.
    pub(super) fn columns(&self) -> usize {
        self.sizes.iter().map(|&(columns, _)| columns).max().unwrap_or(1)
    }

    /// Rows of the largest cave.
    pub(super) fn rows(&self) -> usize {
        self.sizes.iter().map(|&(_, rows)| rows).max().unwrap_or(1)
    }

    /// True if a square is in a cave.
    pub(super) fn has(&self, cave: &Cave, square: usize) -> bool {
        let (row, column) = (square / self.columns(), square % self.columns());
        row < usize::from(cave.rows) && column < usize::from(cave.columns)
    }

    /// The square before one in the largest cave.
    pub(super) fn ahead(&self, square: usize, direction: usize) -> Option<usize> {
        let (row, column) = (square / self.columns(), square % self.columns());
        match direction {
            0 if row + 1 < self.rows() => Some(square + self.columns()),
            1 if column + 1 < self.columns() => Some(square + 1),
            2 if row > 0 => Some(square - self.columns()),
            3 if column > 0 => Some(square - 1),
            _ => None,
        }
    }

    /// The square before one, if there is no wall.
    fn beyond(&self, cave: &Cave, square: usize, direction: usize) -> Option<usize> {
        self.ahead(square, direction).filter(|&ahead| self.has(cave, ahead))
    }

    /// The squares that an arrow flies through.
    pub(super) fn flight(&self, square: usize, direction: usize) -> impl Iterator<Item = usize> {
        let far = if self.printed { usize::MAX } else { 1 };
        let next = move |&at: &usize| self.ahead(at, direction);
        std::iter::successors(self.ahead(square, direction), next).take(far)
    }

    /// True if a set of squares has one beside a square.
    fn near(&self, cave: &Cave, square: usize, set: u64) -> bool {
        (0..4)
            .any(|way| self.beyond(cave, square, way).is_some_and(|beside| set >> beside & 1 == 1))
    }

    /// Percepts of a square, as bits of [`OWN`].
    fn of_square(&self, cave: &Cave, square: usize) -> Told {
        let smells = cave.wumpus_lives || self.printed;
        let stench = smells && self.near(cave, square, 1 << cave.wumpus);
        let breeze = self.near(cave, square, cave.pits);
        Told::from(stench) << STENCH | Told::from(breeze) << BREEZE
    }

    /// The direction of an act from a square; `None` of an act without one.
    pub(super) fn way(&self, act: Act, square: usize) -> Option<usize> {
        match act {
            Act::Step(way) | Act::Shoot(way) => Some(way),
            Act::ShootAt(target) => {
                (0..4).find(|&way| self.flight(square, way).any(|at| at == target))
            }
            Act::Nothing => None,
        }
    }

    /// True if two acts from a square are the same.
    pub(super) fn is_same(&self, one: Act, other: Act, square: usize) -> bool {
        let steps = |act: Act| matches!(act, Act::Step(_));
        steps(one) == steps(other) && self.way(one, square) == self.way(other, square)
    }

    /// The cave after all have acted, and what the one who reasons perceives.
    fn turn(&self, before: &Cave, acts: &[Act]) -> (Cave, Told) {
        let mut cave = before.clone();
        for (hunter, &act) in acts.iter().enumerate() {
            let at = usize::from(cave.hunters[hunter].at);
            if let (Act::Shoot(_) | Act::ShootAt(_), Some(way)) = (act, self.way(act, at)) {
                cave.hunters[hunter].arrows = cave.hunters[hunter].arrows.saturating_sub(1);
                let hit = self.flight(at, way).any(|square| square == usize::from(cave.wumpus));
                cave.wumpus_lives &= !hit;
            }
        }
        for (hunter, &act) in acts.iter().enumerate() {
            let at = usize::from(cave.hunters[hunter].at);
            if let Act::Step(way) = act
                && let Some(to) = self.beyond(&cave, at, way)
            {
                cave.hunters[hunter].at = to as u8;
                cave.hunters[hunter].lives = !cave.kills(to);
            }
        }
        let lies = !cave.hunters.iter().any(|hunter| hunter.gold);
        let gold = cave.gold;
        if let Some(finder) = cave.hunters.iter_mut().find(|hunter| lies && hunter.at == gold) {
            finder.gold = true;
        }
        let told = if self.printed {
            self.told_in_print(before, &cave, acts[0])
        } else {
            self.told(before, &cave, acts)
        };
        (cave, told)
    }

    /// The percepts of the printed cave.
    fn told_in_print(&self, before: &Cave, after: &Cave, act: Act) -> Told {
        let at = usize::from(after.hunters[0].at);
        let gold = after.hunters[0].gold && !before.hunters[0].gold;
        match act {
            Act::Step(_) => {
                let eaten = after.wumpus_lives && at == usize::from(after.wumpus);
                self.of_square(after, at)
                    | Told::from(gold) << GOLD
                    | (after.pits >> at & 1) << PIT
                    | Told::from(eaten) << EATEN
            }
            _ => 1 << if after.wumpus_lives { THUNK } else { SCREAM },
        }
    }

    /// The percepts of a turn of hunters.
    fn told(&self, before: &Cave, after: &Cave, acts: &[Act]) -> Told {
        let scream = before.wumpus_lives && !after.wumpus_lives;
        let mut told = Told::from(scream) << SCREAM;
        let mut others = OWN.len();
        for (number, &act) in acts.iter().enumerate() {
            let (then, now) = (&before.hunters[number], &after.hunters[number]);
            let mut felt = self.of_square(after, usize::from(now.at));
            felt |= Told::from(now.gold && !then.gold) << GOLD;
            let steps = matches!(act, Act::Step(_));
            felt |= Told::from(steps && then.at == now.at) << BUMP;
            if number == self.own {
                told |= match (now.lives, then.lives) {
                    (true, _) => felt,
                    (false, true) => 1 << DEAD,
                    (false, false) => 0,
                };
                continue;
            }
            if self.talk {
                let silence = if self.hunters > 2 { others + HEARD.len() - 1 } else { SILENCE };
                told |= match (now.lives, then.lives, act) {
                    (false, true, _) => 1 << silence,
                    (false, false, _) => 0,
                    (true, _, Act::Step(way)) if then.at != now.at => {
                        (felt | 1 << (4 + way)) << others
                    }
                    (true, ..) => felt << others,
                };
            }
            others += HEARD.len();
        }
        told
    }

    /// Goes through the choices of the others, all equally likely, one hunter after the other.
    fn others(
        &self,
        cave: &Cave,
        acts: &mut Vec<Act>,
        own: Act,
        chance: f64,
        sink: Sink<'_, Cave>,
    ) {
        let number = acts.len();
        let Some(hunter) = cave.hunters.get(number) else {
            let (after, told) = self.turn(cave, acts);
            return sink(after, chance, told);
        };
        let legal: Vec<Act> = match hunter {
            _ if number == self.own => vec![own],
            hunter if !hunter.lives => vec![Act::Nothing],
            hunter if hunter.arrows > 0 => {
                (0..4).flat_map(|way| [Act::Step(way), Act::Shoot(way)]).collect()
            }
            _ => (0..4).map(Act::Step).collect(),
        };
        let each = chance / legal.len() as f64;
        for act in legal {
            acts.push(act);
            self.others(cave, acts, own, each, sink);
            acts.pop();
        }
    }

    /// The squares of a cave of this size but the first.
    fn elsewhere(&self, (columns, rows): (usize, usize)) -> Vec<usize> {
        let squares = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        squares.map(|(row, column)| row * self.columns() + column).filter(|&at| at > 0).collect()
    }

    /// The sets of pits among some squares, with their probabilities.
    fn pits_among(&self, free: &[usize], each: &mut dyn FnMut(u64, f64)) {
        match &self.pits {
            Pits::Numbers(numbers) => {
                for &number in numbers.iter().filter(|&&number| number <= free.len()) {
                    let chance = 1.0 / numbers.len() as f64 / choices(free.len(), number);
                    subsets(free, number, &mut |set| each(set, chance));
                }
            }
            &Pits::Each(chance) => {
                for number in 0..=free.len() {
                    let all = chance.powi(number as i32)
                        * (1.0 - chance).powi((free.len() - number) as i32);
                    subsets(free, number, &mut |set| each(set, all));
                }
            }
        }
    }

    /// The number of states at the start.
    fn number(&self) -> f64 {
        let of_size = |&(columns, rows): &(usize, usize)| {
            let others = columns * rows - 1;
            let free = others.saturating_sub(1);
            let sets: f64 = match &self.pits {
                Pits::Numbers(numbers) => numbers.iter().map(|&n| choices(free, n)).sum(),
                Pits::Each(_) => 2f64.powi(free as i32),
            };
            others as f64 * sets * if self.gold { free as f64 } else { 1.0 }
        };
        self.sizes.iter().map(of_size).sum()
    }
}

impl World for Hunt {
    type State = Cave;
    type Act = Act;

    fn words(&self) -> &[String] {
        &self.words
    }

    fn starts(&self, _: Told) -> Result<Vec<(Cave, f64)>, String> {
        check_number(self.number())?;
        if self.columns() * self.rows() > 64 {
            return Err("a cave of more than 64 squares".to_owned());
        }
        let mut states = Vec::new();
        for &size in &self.sizes {
            let squares = self.elsewhere(size);
            let one = 1.0 / squares.len() as f64;
            for &wumpus in &squares {
                let free: Vec<usize> =
                    squares.iter().copied().filter(|&square| square != wumpus).collect();
                self.pits_among(&free, &mut |pits, chance| {
                    let lodes = free.iter().filter(|&&square| pits >> square & 1 == 0);
                    let lodes: Vec<u8> = if self.gold {
                        lodes.map(|&square| square as u8).collect()
                    } else {
                        vec![NOWHERE]
                    };
                    let hunter = Hunter { at: 0, arrows: self.arrows, lives: true, gold: false };
                    for &gold in &lodes {
                        let cave = Cave {
                            columns: size.0 as u8,
                            rows: size.1 as u8,
                            wumpus: wumpus as u8,
                            wumpus_lives: true,
                            pits,
                            gold,
                            hunters: vec![hunter.clone(); self.hunters],
                        };
                        states.push((cave, one * chance / lodes.len() as f64));
                    }
                });
            }
        }
        states.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(states)
    }

    fn first(&self, cave: &Cave) -> Told {
        if self.printed { 0 } else { self.of_square(cave, 0) }
    }

    fn at(&self, cave: &Cave) -> usize {
        cave.hunters[self.own].at.into()
    }

    fn act(&self, label: &str) -> Option<Act> {
        let way = |name: &str| NAMES.iter().position(|&one| one == name);
        if label == play::PASS {
            return Some(Act::Nothing);
        }
        if !self.printed {
            let shot = label.strip_prefix("shoot ").map(|name| way(name).map(Act::Shoot));
            return shot.unwrap_or_else(|| way(label).map(Act::Step));
        }
        if let Some(target) = label.strip_prefix("shoot ") {
            return self.square(target).map(Act::ShootAt);
        }
        let (from, to) = (self.square(label.get(..2)?)?, self.square(label.get(2..)?)?);
        (0..4).find(|&way| self.ahead(from, way) == Some(to)).map(Act::Step)
    }

    fn outcomes(&self, cave: &Cave, &act: &Act, sink: Sink<'_, Cave>) {
        self.others(cave, &mut Vec::new(), act, 1.0, sink);
    }

    fn is_simultaneous(&self) -> bool {
        self.hunters > 1
    }
}

impl Hunt {
    /// The square of a name such as `b3`.
    pub(super) fn square(&self, name: &str) -> Option<usize> {
        let column = usize::from(name.bytes().next()?.checked_sub(b'a')?);
        let row = name.get(1..)?.parse::<usize>().ok()?.checked_sub(1)?;
        (column < self.columns() && row < self.rows()).then(|| row * self.columns() + column)
    }
}
