//! Radials: straight paths from an element in one absolute direction.

use rustc_hash::FxHashMap;

use super::directions::Direction;
use super::geometry::Point;
use super::steps::{Step, bend, clockwise_from_north};
use crate::meter;

/// A straight path of elements, its start included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Radial {
    /// The elements, from the start outwards; at least two.
    pub path: Box<[u16]>,
    /// True if the path represents its axis. Of two radials in opposite directions only the first
    /// listed one does, so that each line through an element counts once.
    pub distinct: bool,
    /// The path in the opposite direction, if there is one.
    pub opposite: Option<Box<[u16]>>,
}

/// A radial under construction, with its label and the radial in the opposite direction.
struct CandidateRadial {
    direction: Direction,
    path: Vec<u16>,
    opposite: Option<usize>,
}

/// The radials of one element by direction.
pub(super) type ByDirection = FxHashMap<Direction, Vec<Radial>>;

/// Steps of work to collect the radials of an element, beside those of walking them.
const OF_ELEMENT: u64 = 100;

/// Radials of every element.
pub(super) fn radials(points: &[Point], steps: &[Vec<Step>]) -> Vec<ByDirection> {
    let passed = vec![0; points.len()];
    let mut walker = Walker { points, steps, next: FxHashMap::default(), passed, walks: 0 };
    let mut from = |element| {
        let goes_on = meter::work(OF_ELEMENT) && !meter::is_spent();
        if goes_on { walker.from(element) } else { ByDirection::default() }
    };
    (0..points.len()).map(&mut from).collect()
}

struct Walker<'b> {
    points: &'b [Point],
    steps: &'b [Vec<Step>],
    /// By direction, the element that follows on a path from one element to another.
    next: FxHashMap<(Direction, u16, u16), Option<u16>>,
    /// By element, the number of the last walk that came by.
    passed: Vec<u32>,
    walks: u32,
}

impl Walker<'_> {
    fn from(&mut self, element: usize) -> ByDirection {
        let mut candidates: Vec<CandidateRadial> = Vec::new();
        for direction in Direction::ALL {
            if direction == Direction::Rotational {
                continue;
            }
            for nth in 0..self.steps[element].len() {
                let step = &self.steps[element][nth];
                if step.listed & direction.bit() != 0 {
                    let path = self.path(direction, element as u16, step.to as u16);
                    self.add(&mut candidates, direction, path);
                }
            }
        }
        self.add_rotational(element, &mut candidates);
        self.collect(element, &candidates)
    }

    /// A path that goes on as straight as possible under one direction label.
    fn path(&mut self, direction: Direction, start: u16, first: u16) -> Vec<u16> {
        let mut path = vec![start, first];
        let (mut previous, mut current) = (start, first);
        self.walks += 1;
        path.iter().for_each(|&element| self.passed[usize::from(element)] = self.walks);
        while let Some(next) = self.continuation(direction, previous, current) {
            let last = std::mem::replace(&mut self.passed[usize::from(next)], self.walks);
            if !meter::work(1) || last == self.walks {
                break;
            }
            path.push(next);
            (previous, current) = (current, next);
        }
        path
    }

    fn continuation(&mut self, direction: Direction, previous: u16, current: u16) -> Option<u16> {
        let key = (direction, previous, current);
        if let Some(&element) = self.next.get(&key) {
            return element;
        }
        let onward = self.steps[usize::from(current)]
            .iter()
            .filter(|s| s.listed & direction.bit() != 0)
            .map(|s| s.to as u16);
        let point = |v: u16| self.points[usize::from(v)];
        let around =
            matches!(direction, Direction::CW | Direction::CCW | Direction::In | Direction::Out);
        let found = if around {
            onward.into_iter().next()
        } else {
            let limit = 0.25f64.tan();
            let mut best: Option<(f64, u16)> = None;
            for next in onward {
                if let Some(off) = bend(point(previous), point(current), point(next))
                    && off < best.map_or(limit, |b| b.0)
                {
                    best = Some((off, next));
                    if off == 0.0 {
                        break;
                    }
                }
            }
            best.map(|b| b.1)
        };
        self.next.insert(key, found);
        found
    }

    /// Adds a radial unless it is already listed, and pairs it with the first in the opposite
    /// direction.
    fn add(&self, candidates: &mut Vec<CandidateRadial>, direction: Direction, path: Vec<u16>) {
        if candidates.iter().any(|d| d.direction == direction && d.path == path) {
            return;
        }
        let new = candidates.len();
        let mut candidate = CandidateRadial { direction, path, opposite: None };
        for (i, other) in candidates.iter_mut().enumerate() {
            if self.opposed(&candidate, other) {
                candidate.opposite = candidate.opposite.or(Some(i));
                other.opposite = other.opposite.or(Some(new));
            }
        }
        candidates.push(candidate);
    }

    fn opposed(&self, a: &CandidateRadial, b: &CandidateRadial) -> bool {
        use Direction::{CCW, CW, In, Out};
        let around = [a.direction, b.direction];
        if [[CW, CCW], [CCW, CW], [In, Out], [Out, In]].contains(&around) {
            return true;
        }
        let labels =
            a.direction == b.direction || (a.direction.is_facing() && b.direction.is_facing());
        let point = |v: u16| self.points[usize::from(v)];
        labels
            && bend(point(a.path[1]), point(a.path[0]), point(b.path[1]))
                .is_some_and(|off| off < 0.1f64.tan())
    }

    /// Adds the rotational radials: straight ones and those of the four rotational facings, without
    /// those that are the beginning of others. Copies keep opposites that are listed here too.
    fn add_rotational(&mut self, element: usize, candidates: &mut Vec<CandidateRadial>) {
        use Direction::{CCW, CW, In, Out, Rotational};
        let mut paths: Vec<(Vec<u16>, Option<Option<usize>>)> = Vec::new();
        for nth in 0..self.steps[element].len() {
            let step = &self.steps[element][nth];
            if step.listed & Rotational.bit() != 0 {
                paths.push((self.path(Rotational, element as u16, step.to as u16), None));
            }
        }
        for candidate in candidates.iter() {
            if [CW, CCW, In, Out].contains(&candidate.direction) {
                paths.push((candidate.path.clone(), Some(candidate.opposite)));
            }
        }
        let mut copies = Vec::new();
        for (i, (path, copied)) in paths.iter().enumerate() {
            let covered = paths.iter().enumerate().any(|(j, (other, _))| {
                i != j && other.starts_with(path) && (other.len() > path.len() || j < i)
            });
            match copied {
                _ if covered => {}
                None => self.add(candidates, Rotational, path.clone()),
                &Some(opposite) => {
                    copies.push(candidates.len());
                    candidates.push(CandidateRadial {
                        direction: Rotational,
                        path: path.clone(),
                        opposite,
                    });
                }
            }
        }
        for &copy in &copies {
            let listed = candidates[copy].opposite.filter(|&o| {
                copies.iter().any(|&other| candidates[other].path == candidates[o].path)
            });
            candidates[copy].opposite = listed;
        }
    }

    fn collect(&self, element: usize, candidates: &[CandidateRadial]) -> ByDirection {
        let origin = self.points[element];
        let mut by_direction = ByDirection::default();
        for direction in Direction::ALL {
            let mut list: Vec<&CandidateRadial> =
                candidates.iter().filter(|d| d.direction == direction).collect();
            if list.is_empty() {
                continue;
            }
            let rank = |d: &CandidateRadial| {
                clockwise_from_north(origin, self.points[usize::from(d.path[1])])
            };
            list.sort_by(|a, b| rank(a).total_cmp(&rank(b)));
            let opposite_path = |d: &CandidateRadial| {
                d.opposite.map(|o| candidates[o].path.as_slice()).unwrap_or_default()
            };
            let mut kept: Vec<&CandidateRadial> = Vec::new();
            let radials = list
                .iter()
                .map(|candidate| {
                    let distinct = kept.iter().all(|k| opposite_path(k) != candidate.path);
                    if distinct {
                        kept.push(candidate);
                    }
                    let opposite: Option<Box<[u16]>> =
                        candidate.opposite.map(|o| candidates[o].path.clone().into());
                    let sites = candidate.path.len() + opposite.as_ref().map_or(0, |o| o.len());
                    meter::bytes(64 + 2 * sites);
                    Radial { path: candidate.path.clone().into(), distinct, opposite }
                })
                .collect();
            by_direction.insert(direction, radials);
        }
        by_direction
    }
}
