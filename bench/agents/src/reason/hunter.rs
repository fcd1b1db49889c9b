//! Decisions in hunts, by rules of thumb over exact odds.

use std::collections::VecDeque;

use super::belief::Belief;
use super::hunt::{Act, Cave, Hunt};
use super::odds::Odds;
use super::rooms::{self, Flight, Rooms};

/// Less is no chance.
const NONE: f64 = 1e-9;

/// The value of a hunt that goes on, as a chance to win it.
const GOING_ON: f64 = 0.7;

/// The value of a hunt after an arrow that missed, if others are left.
const AFTER_A_MISS: f64 = 0.6;

/// The share of a chance that a step on the way costs.
const STEP: f64 = 0.005;

/// The knowledge that a hunter decides by.
struct Chart<'h> {
    hunt: &'h Hunt,
    odds: Odds,
    /// Probability of a living wumpus, by square.
    lairs: Vec<f64>,
    /// Steps and the direction of the first of them, by square, through squares without risk; the
    /// last one may have some.
    ways: Vec<Option<(u32, Option<usize>)>>,
}

impl Chart<'_> {
    fn new<'h>(hunt: &'h Hunt, belief: &Belief<Cave>) -> Chart<'h> {
        let odds = Odds::of_hunt(hunt, belief);
        let squares = odds.squares.len();
        let lair = |at| belief.chance(|cave| cave.wumpus_lives && usize::from(cave.wumpus) == at);
        let lairs = (0..squares).map(lair).collect();
        let mut chart = Chart { hunt, odds, lairs, ways: vec![None; squares] };
        chart.find_ways();
        chart
    }

    fn is_safe(&self, square: usize) -> bool {
        self.odds.squares[square].death < NONE
    }

    /// True if a square can be passed through: it is there, and no danger.
    fn is_open(&self, square: usize) -> bool {
        let of = &self.odds.squares[square];
        of.visited || self.is_safe(square) && of.inside > 1.0 - NONE
    }

    fn find_ways(&mut self) {
        let start = self.odds.at;
        self.ways[start] = Some((0, None));
        let mut open = VecDeque::from([start]);
        while let Some(square) = open.pop_front() {
            let Some((steps, first)) = self.ways[square] else { continue };
            for way in 0..4 {
                let Some(next) = self.hunt.ahead(square, way) else { continue };
                if self.ways[next].is_some() || self.odds.squares[next].inside < NONE {
                    continue;
                }
                self.ways[next] = Some((steps + 1, first.or(Some(way))));
                if self.is_open(next) {
                    open.push_back(next);
                }
            }
        }
    }

    fn steps(&self, square: usize) -> Option<u32> {
        self.ways[square].map(|(steps, _)| steps)
    }

    /// Squares that were not visited and can be reached, each with the steps there.
    fn unknown(&self) -> impl Iterator<Item = (u32, usize)> {
        let unknown = |&square: &usize| !self.odds.squares[square].visited;
        let all = (0..self.ways.len()).filter(unknown);
        all.filter_map(|square| Some((self.steps(square)?, square)))
    }

    /// The best shot: its chance, the steps to its square, that square, and the direction.
    fn shot(&self) -> Option<(f64, u32, usize, usize)> {
        let from = (0..self.ways.len()).filter(|&square| self.is_open(square));
        let shots = from.flat_map(|square| (0..4).map(move |way| (square, way)));
        let valued = shots.filter_map(|(square, way)| {
            let chance = self.hunt.flight(square, way).map(|at| self.lairs[at]).sum::<f64>();
            (chance > NONE).then_some((chance, self.steps(square)?, square, way))
        });
        valued.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
    }

    /// The least risk: the chance of death, and the square.
    fn risk(&self) -> Option<(f64, usize)> {
        let risk = |square: usize| {
            let of = &self.odds.squares[square];
            of.death / of.inside
        };
        let all = self.unknown().map(|(steps, square)| (risk(square), steps, square));
        let least = all.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        least.map(|(risk, _, square)| (risk, square))
    }
}

/// The act of a hunter.
///
/// Who has what is to be brought home goes home. A wumpus that must be killed and is certainly in
/// the way of an arrow is shot. Else the nearest square without risk is entered; where there is
/// none, the better one of the best shot and the least risk is taken.
pub(super) fn in_squares(hunt: &Hunt, belief: &Belief<Cave>) -> Act {
    let chart = Chart::new(hunt, belief);
    let Some((cave, _)) = belief.states.first() else { return Act::Step(0) };
    let own = &cave.hunters[hunt.own];
    let towards = |square: usize| match chart.ways[square] {
        Some((_, Some(way))) => Act::Step(way),
        _ => Act::Step(0),
    };
    if own.gold && !hunt.printed {
        return towards(0);
    }
    let must_kill = hunt.printed || !hunt.gold;
    let shot = chart.shot().filter(|_| own.arrows > 0);
    let shoot = |(_, steps, square, way): (f64, u32, usize, usize)| match steps {
        0 => Act::Shoot(way),
        _ => towards(square),
    };
    if let Some(sure) = shot.filter(|shot| must_kill && shot.0 > 1.0 - NONE) {
        return shoot(sure);
    }
    if let Some((_, square)) = chart.unknown().filter(|&(_, square)| chart.is_safe(square)).min() {
        return towards(square);
    }
    let after = match (must_kill, own.arrows > 1) {
        (true, false) => 0.0,
        (true, true) => AFTER_A_MISS,
        // An arrow clears the way, and is of no other use.
        (false, _) => GOING_ON,
    };
    let shot_value = |chance: f64| {
        if must_kill {
            chance + (1.0 - chance) * after
        } else {
            GOING_ON + chance * (1.0 - GOING_ON)
        }
    };
    let risk = chart.risk().filter(|&(risk, _)| risk < 1.0 - NONE);
    match (shot, risk) {
        (Some(shot), Some((risk, square))) => {
            if shot_value(shot.0) >= (1.0 - risk) * GOING_ON {
                shoot(shot)
            } else {
                towards(square)
            }
        }
        (Some(shot), None) => shoot(shot),
        (None, Some((_, square))) => towards(square),
        (None, None) => Act::Step(0),
    }
}

/// The act of a hunter in rooms, of some that are legal.
///
/// Acts are compared by the chance to win after them: of a shot the chance to hit, of others what
/// `k` arrows are worth (1 - 0.6^k). Where one is to go beyond the next room, it is to the nearest
/// room without risk that was not visited.
pub(super) fn in_rooms(rooms: &Rooms, belief: &Belief<rooms::Cave>, legal: &[rooms::Act]) -> usize {
    let odds = Odds::of_rooms(rooms, belief);
    let arrows = belief.states.first().map_or(0, |(cave, _)| cave.arrows);
    let worth = |arrows: u32| 1.0 - 0.6f64.powi(arrows as i32);
    let at = odds.at;
    let steps = steps_to_unknown(rooms, &odds);
    let value = |act: &rooms::Act| match act {
        rooms::Act::Move(room) => {
            let of = &odds.squares[*room];
            let far = match steps[*room] {
                Some(steps) => 1.0 - STEP * f64::from(steps),
                None => 1.0 - 20.0 * STEP,
            };
            (1.0 - of.death) * worth(arrows) * far
        }
        rooms::Act::Shoot(through) => {
            let (mut hit, mut missed) = (0.0, 0.0);
            for (lair, of) in odds.squares.iter().enumerate().filter(|(_, of)| of.wumpus > NONE) {
                match Rooms::flight(at as u8, lair as u8, through) {
                    Flight::Hit => hit += of.wumpus,
                    Flight::Own => {}
                    Flight::Missed if rooms.tunnels[lair].contains(&at) => {
                        let wakes = 1.0 / (rooms.tunnels[lair].len() + 1) as f64;
                        missed += of.wumpus * (1.0 - wakes);
                    }
                    Flight::Missed => missed += of.wumpus,
                }
            }
            hit + missed * worth(arrows.saturating_sub(1))
        }
    };
    crate::agent::greatest(legal.iter().map(value))
}

/// Steps from each room to the nearest one that was not visited, through rooms without risk; `None`
/// if there is no such way.
fn steps_to_unknown(rooms: &Rooms, odds: &Odds) -> Vec<Option<u32>> {
    let safe = |room: usize| odds.squares[room].death < NONE && odds.squares[room].bats < NONE;
    let mut steps = vec![None; rooms.tunnels.len()];
    let unknown = |&room: &usize| !odds.squares[room].visited && safe(room);
    let mut open: VecDeque<usize> = (0..steps.len()).filter(unknown).collect();
    open.iter().for_each(|&room| steps[room] = Some(0));
    while let Some(room) = open.pop_front() {
        for &next in &rooms.tunnels[room] {
            if steps[next].is_none() && safe(next) {
                steps[next] = steps[room].map(|steps| steps + 1);
                open.push_back(next);
            }
        }
    }
    steps
}
