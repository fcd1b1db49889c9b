//! The agent's knowledge of the cave.

use crate::ObservedPly;

use super::grid::{EAST, Facing, Grid};

/// The actions of an explorer, as the error for anything else tells.
const PLIES: [&str; 6] = ["forward", "left", "right", "grab", "shoot", "climb"];

/// The possible percepts of an explorer.
const PERCEPTS: [&str; 7] = ["breeze", "stench", "glitter", "bump", "scream", "dead", "out"];

/// The error where no cave has such a past.
pub(super) const NO_CAVE: &str = "no cave fits these percepts";

/// The actions and percepts so far, and their consequences for the wumpus and the gold. Both are in
/// one square each, all squares but a1 equally likely at first, so that they are equally likely in
/// all squares that still can be. Pits are in [`Pits`](super::pits::Pits).
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub(super) grid: Grid,
    pub(super) at: usize,
    pub(super) facing: Facing,
    pub(super) plies: u32,
    /// Arrows that are left.
    pub(super) arrows: u32,
    /// Arrows that were shot.
    pub(super) shots: u32,
    /// The gold is in hand.
    pub(super) gold: bool,
    /// The gold lies here.
    pub(super) glitter: bool,
    pub(super) alive: bool,
    pub(super) visited: Vec<bool>,
    /// Of visited squares.
    pub(super) breeze: Vec<bool>,
    /// The squares on which the wumpus can be, dead or alive.
    pub(super) wumpus: Vec<bool>,
    /// The squares on which the gold can have lain.
    pub(super) lode: Vec<bool>,
    /// What is known of the pits beforehand.
    pub(super) pits: PitPrior,
}

/// What is known of the pits of a cave before anything is perceived.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PitPrior {
    /// Each square but the first has a pit with this probability, independently of the others.
    Each(f64),
    /// So many squares but the first have a pit, all choices of them being equally likely.
    Exactly(usize),
}

impl PitPrior {
    /// The prior of `games/catalogue/wumpus-4x4`.
    pub const USUAL: PitPrior = PitPrior::Each(0.2);
}

/// What a game does not show at its start, where somebody says it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Assumptions {
    /// The pits.
    pub pits: Option<PitPrior>,
    /// Arrows of each at the start.
    pub arrows: Option<u32>,
    /// Flocks of bats.
    pub bats: Option<usize>,
}

/// What the rules of a Wumpus world leave open.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WumpusWorld {
    /// Rows and columns.
    pub size: usize,
    /// The pits.
    pub pits: PitPrior,
    /// Arrows at the start.
    pub arrows: u32,
}

impl WumpusWorld {
    /// The world of `games/catalogue/wumpus-4x4` in another size, but for what is assumed.
    pub fn new(size: usize, assumed: &Assumptions) -> WumpusWorld {
        let pits = assumed.pits.unwrap_or(PitPrior::USUAL);
        WumpusWorld { size, pits, arrows: assumed.arrows.unwrap_or(1) }
    }

    /// An error about a number that no world has.
    fn checked(&self) -> Result<(), String> {
        let size = self.size;
        if !(2..=26).contains(&size) {
            return Err(format!("a cave of size {size}: expected 2 to 26"));
        }
        let most = size * size - 1;
        match self.pits {
            PitPrior::Each(chance) if !(0.0..1.0).contains(&chance) => {
                Err(format!("pits with a chance of {chance}: expected 0 to less than 1"))
            }
            PitPrior::Exactly(number) if number > most => {
                Err(format!("{number} pits: a cave of {size}x{size} squares has {most} at most"))
            }
            _ => Ok(()),
        }
    }
}

impl Known {
    /// At a1, before anything is perceived.
    fn new(world: &WumpusWorld) -> Known {
        let grid = Grid { size: world.size };
        let elsewhere: Vec<bool> = (0..grid.squares()).map(|square| square > 0).collect();
        Known {
            grid,
            at: 0,
            facing: EAST,
            plies: 0,
            arrows: world.arrows,
            shots: 0,
            gold: false,
            glitter: false,
            alive: true,
            visited: vec![false; grid.squares()],
            breeze: vec![false; grid.squares()],
            wumpus: elsewhere.clone(),
            lode: elsewhere,
            pits: world.pits,
        }
    }

    /// The knowledge that a past gives of such a cave; the error names what is no ply or percept of
    /// it.
    pub(super) fn of(world: &WumpusWorld, past: &[ObservedPly]) -> Result<Known, String> {
        world.checked()?;
        let mut known = Known::new(world);
        let plies = match past {
            [first, plies @ ..] if first.own.is_none() => {
                known.look(&first.percepts)?;
                plies
            }
            // Who leaves the start at once without a word perceived nothing there; who stays tells.
            plies => {
                if plies.first().is_none_or(|first| first.own.as_deref() == Some("forward")) {
                    known.look(&[])?;
                }
                plies
            }
        };
        for ply in plies {
            let own = ply.own.as_deref().unwrap_or_default();
            known.ply(own, &ply.percepts)?;
        }
        let grid = known.grid;
        let nowhere = |all: &[bool]| !all.contains(&true);
        let unexplained = |square: usize| {
            known.visited[square]
                && known.breeze[square]
                && grid.beside(square).all(|beside| known.no_pit(beside))
        };
        let explained = !(0..grid.squares()).any(unexplained);
        if nowhere(&known.wumpus) || nowhere(&known.lode) || !explained {
            return Err(NO_CAVE.to_owned());
        }
        Ok(known)
    }

    /// A ply and what was perceived of it.
    fn ply(&mut self, own: &str, percepts: &[String]) -> Result<(), String> {
        let perceived = |what: &str| percepts.iter().any(|percept| percept == what);
        match own {
            "forward" if perceived("bump") => self.plies += 1,
            "forward" => {
                self.plies += 1;
                let ahead = self.grid.ahead(self.at, self.facing);
                self.at = ahead.ok_or("the cave is larger than expected: no bump at its wall")?;
            }
            "left" => self.turn(3),
            "right" => self.turn(1),
            "grab" => {
                self.plies += 1;
                self.gold |= self.glitter;
            }
            "shoot" if self.arrows == 0 => {
                return Err(
                    "a shot, and no arrow is left: other worlds have more of them".to_owned()
                );
            }
            "shoot" => self.shot(self.at, self.facing, perceived("scream")),
            "climb" => self.plies += 1,
            _ => {
                let hint = text::did_you_mean(own, PLIES);
                return Err(format!("`{own}` is no ply of a Wumpus world{hint}"));
            }
        }
        self.look(percepts)
    }

    fn turn(&mut self, by: usize) {
        self.plies += 1;
        self.facing = (self.facing + by) % 4;
    }

    /// The arrow flew.
    pub(super) fn shot(&mut self, from: usize, facing: Facing, scream: bool) {
        self.plies += 1;
        self.arrows = self.arrows.saturating_sub(1);
        self.shots += 1;
        self.alive &= !scream;
        let mut hit = vec![false; self.grid.squares()];
        self.grid.line(from, facing).for_each(|square| hit[square] = true);
        for (can, &hit) in self.wumpus.iter_mut().zip(&hit) {
            *can &= hit == scream;
        }
    }

    /// Percepts of the square.
    fn look(&mut self, percepts: &[String]) -> Result<(), String> {
        let mut seen = [false; 3];
        for percept in percepts {
            match percept.as_str() {
                "breeze" => seen[0] = true,
                "stench" => seen[1] = true,
                "glitter" => seen[2] = true,
                "bump" | "scream" | "dead" | "out" => {}
                _ => {
                    let hint = text::did_you_mean(percept, PERCEPTS);
                    return Err(format!("`{percept}` is no percept of a Wumpus world{hint}"));
                }
            }
        }
        let ended = percepts.iter().any(|percept| percept == "dead" || percept == "out");
        if self.visited[self.at] && self.breeze[self.at] != seen[0] && !ended {
            let message = "a square has a breeze at one ply and none at another: a breeze is \
                           perceived at every ply that is spent there";
            return Err(message.to_owned());
        }
        self.perceive(seen);
        Ok(())
    }

    /// The agent is here, alive, and perceives breeze, stench, glitter, or not.
    pub(super) fn perceive(&mut self, [breeze, stench, glitter]: [bool; 3]) {
        let at = self.at;
        self.visited[at] = true;
        self.breeze[at] = breeze;
        if self.alive {
            self.wumpus[at] = false;
        }
        let grid = self.grid;
        for (square, can) in self.wumpus.iter_mut().enumerate() {
            let near = square == at || grid.beside(square).any(|beside| beside == at);
            *can &= near == stench;
        }
        self.glitter = glitter;
        if glitter {
            self.lode.iter_mut().enumerate().for_each(|(square, can)| *can &= square == at);
        } else if !self.gold {
            self.lode[at] = false;
        }
    }

    /// Number of squares where the wumpus can be.
    pub(super) fn lairs(&self) -> usize {
        self.wumpus.iter().filter(|&&can| can).count()
    }

    /// Probability that a living wumpus is in a square.
    pub(super) fn living(&self, square: usize) -> f64 {
        let can = self.alive && self.wumpus[square];
        if can { 1.0 / self.lairs() as f64 } else { 0.0 }
    }

    /// True if there is no pit for certain: a square beside it was visited and has no breeze.
    /// (Breezes only ever speak for pits, so that nothing else excludes one.)
    pub(super) fn no_pit(&self, square: usize) -> bool {
        let calm = |beside: usize| self.visited[beside] && !self.breeze[beside];
        self.visited[square] || self.grid.beside(square).any(calm)
    }

    /// True if a square can be entered without risk.
    pub(super) fn safe(&self, square: usize) -> bool {
        self.visited[square] || (self.no_pit(square) && !(self.alive && self.wumpus[square]))
    }

    /// Squares not visited beside visited ones.
    pub(super) fn frontier(&self) -> impl Iterator<Item = usize> {
        let beside = |square: usize| self.grid.beside(square).any(|b| self.visited[b]);
        (0..self.grid.squares()).filter(move |&square| !self.visited[square] && beside(square))
    }
}
