//! The planner: routes, goals, and the rules of thumb that choose among them.

use std::collections::VecDeque;

use super::grid::Facing;
use super::known::Known;
use super::pits::Pits;

/// Something worth doing, at the end of a way through safe squares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Goal {
    /// Climb out.
    Home,
    /// Enter a square that was not visited.
    Enter(usize),
    /// Shoot from a square in a direction.
    Shoot(usize, Facing),
}

/// A turn or a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Forward,
    Left,
    Right,
}

/// Shortest ways, in plies, from where the agent stands and faces to all squares and facings,
/// through safe squares; the last square of a way may be unsafe.
pub(super) struct Routes {
    /// By square and facing: plies and the first of them.
    ways: Vec<Option<(u32, Option<Step>)>>,
}

impl Routes {
    pub(super) fn new(known: &Known) -> Routes {
        let mut ways = vec![None; known.grid.squares() * 4];
        let start = known.at * 4 + known.facing;
        ways[start] = Some((0, None));
        let mut open = VecDeque::from([start]);
        while let Some(state) = open.pop_front() {
            let (square, facing) = (state / 4, state % 4);
            let Some((plies, first)) = ways[state] else { continue };
            if square != known.at && !known.safe(square) {
                continue;
            }
            let ahead =
                known.grid.ahead(square, facing).map(|ahead| (Step::Forward, ahead * 4 + facing));
            let turns = [(Step::Left, (facing + 3) % 4), (Step::Right, (facing + 1) % 4)];
            let turns = turns.map(|(step, facing)| (step, square * 4 + facing));
            for (step, next) in ahead.into_iter().chain(turns) {
                if ways[next].is_none() {
                    ways[next] = Some((plies + 1, first.or(Some(step))));
                    open.push_back(next);
                }
            }
        }
        Routes { ways }
    }

    /// Plies to a square, the facing there, and the first of the plies.
    pub(super) fn to(&self, square: usize) -> Option<(u32, Facing, Option<Step>)> {
        let way =
            |facing: Facing| self.ways[square * 4 + facing].map(|(n, step)| (n, facing, step));
        (0..4).filter_map(way).min_by_key(|&(plies, ..)| plies)
    }

    /// Plies to the place of a goal, the facing there, and the first of the plies.
    pub(super) fn towards(&self, goal: Goal) -> Option<(u32, Facing, Option<Step>)> {
        match goal {
            Goal::Home => self.to(0),
            Goal::Enter(square) => self.to(square),
            Goal::Shoot(square, facing) => {
                self.ways[square * 4 + facing].map(|(plies, step)| (plies, facing, step))
            }
        }
    }
}

/// Rules of thumb.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heuristic {
    /// Risk of death that is taken to go on, if there is nothing safer.
    pub(super) risk: f64,
    /// Probability of a kill that is worth an arrow.
    pub(super) shot: f64,
    /// Plies after which the game ends.
    pub(super) limit: u32,
}

impl Heuristic {
    /// The next goal where nothing has to be weighed: home with the gold, else the nearest safe
    /// square not visited, as long as there are plies to come back. `None` where there is no such.
    pub(super) fn clear(&self, known: &Known, routes: &Routes) -> Option<Goal> {
        let left = self.limit.saturating_sub(known.plies);
        if known.gold || left <= 2 * known.grid.size as u32 {
            return Some(Goal::Home);
        }
        let safe = |&square: &usize| !known.visited[square] && known.safe(square);
        let near = |square| routes.to(square).map(|(plies, ..)| (plies, square));
        let (plies, square) = (0..known.grid.squares()).filter(safe).filter_map(near).min()?;
        // Home again: a step a row and column, and turns.
        let back = (square / known.grid.size + square % known.grid.size) as u32 + 4;
        Some(if plies + back < left { Goal::Enter(square) } else { Goal::Home })
    }

    /// The next goal by rules of thumb alone: what is clear, else a good shot, else a small risk,
    /// else home.
    pub(super) fn goal(&self, known: &Known, routes: &Routes) -> Goal {
        if let Some(goal) = self.clear(known, routes) {
            return goal;
        }
        if let Some(&(chance, goal)) = shots(known, routes).first()
            && chance >= self.shot
        {
            return goal;
        }
        match risks(known, routes).first() {
            Some(&(risk, goal)) if risk <= self.risk => goal,
            _ => Goal::Home,
        }
    }
}

/// Shots that may kill, the likeliest first, of equal ones the nearest; each with its probability.
pub(super) fn shots(known: &Known, routes: &Routes) -> Vec<(f64, Goal)> {
    if known.arrows == 0 || !known.alive {
        return Vec::new();
    }
    let mut shots = Vec::new();
    for square in (0..known.grid.squares()).filter(|&square| known.visited[square]) {
        for facing in 0..4 {
            let goal = Goal::Shoot(square, facing);
            let kill: f64 = known.grid.line(square, facing).map(|at| known.living(at)).sum();
            if let Some((plies, ..)) = routes.towards(goal)
                && kill > 0.0
            {
                shots.push((kill, plies, goal));
            }
        }
    }
    shots.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    shots.into_iter().map(|(kill, _, goal)| (kill, goal)).collect()
}

/// Squares of the frontier, the least dangerous first, of equal ones the nearest; each with the
/// probability of death.
pub(super) fn risks(known: &Known, routes: &Routes) -> Vec<(f64, Goal)> {
    let pits = Pits::new(known).odds();
    let risk = |square: usize| {
        let death = 1.0 - (1.0 - pits[square]) * (1.0 - known.living(square));
        routes.to(square).map(|(plies, ..)| (death, plies, Goal::Enter(square)))
    };
    let mut risks: Vec<_> = known.frontier().filter_map(risk).collect();
    risks.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    risks.into_iter().map(|(death, _, goal)| (death, goal)).collect()
}
