//! Playouts of simulations to come, ahead of time: where an engine plays many at once quicker than
//! one by one, those of the leaves that the next simulations will probably reach.
//!
//! The playout of a leaf is the same whenever it is played, see [`Node::key`]. So the tree grows as
//! it would without: what was guessed right is taken from here, what was not is lost time.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::RangeInclusive;

use super::{Arm, Kind, Node, PLAYOUTS, Tree};
use crate::rng::Rng;
use crate::tally::{End, Ending};

/// Playouts of leaves that later simulations are expected to reach, played ahead of time.
#[derive(Default)]
pub(super) struct LookAhead {
    /// The end of the first playout of a leaf, by its key.
    ends: HashMap<u64, End, BuildHasherDefault<KeyHasher>>,
    /// The leaves whose playouts were played together last, and how many ends were used since.
    keys: Vec<u64>,
    used: u64,
    /// The number of leaves that are played together.
    count: u64,
    /// So many leaves are played one by one before it is looked ahead again.
    pause: u64,
    /// The values that guessed simulations have overwritten: of nodes the untried arms and the
    /// visits, of arms the sum, the share and the visits.
    nodes: Vec<(u32, u32, u64)>,
    arms: Vec<(u32, f64, f64, u32)>,
    // Kept for their memory only.
    path: Vec<(u32, u32)>,
    played: Vec<End>,
}

/// Ends that are kept at most; so many are behind a search that has gone another way.
const KEPT: usize = 1 << 14;

impl LookAhead {
    /// The number of playouts to be played together: as many as were used of the last ones if these
    /// are not half, more if nearly all were.
    fn next_count(&mut self, counts: RangeInclusive<usize>) -> u64 {
        let (fewest, most) = (*counts.start() as u64, *counts.end() as u64);
        let (used, played) = (self.used, self.keys.len() as u64);
        self.count = match self.count {
            0 => most,
            _ if used * 2 < played => used,
            count if used * 6 > played * 5 => count * 2,
            count => count,
        };
        self.used = 0;
        self.count = self.count.clamp((2 * fewest).min(most), most);
        self.count
    }

    /// Forgets what is not so when the root is another: playouts behind it may have more plies.
    pub(super) fn move_root(&mut self) {
        self.ends.retain(|_, end| end.ending != Ending::Capped);
    }
}

impl Tree<'_> {
    /// The first playout from a new leaf, where the tree is.
    pub(super) fn first_playout(&mut self, key: u64, cap: u32) -> End {
        if let Some(end) = self.look_ahead.ends.remove(&key) {
            self.look_ahead.used += 1;
            return end;
        }
        let mut stream = first_stream(key);
        let Some(counts) = self.walker.side_by_side() else {
            return self.arrived().play_out(&mut stream, cap);
        };
        let fewest = *counts.start() as u64;
        if self.look_ahead.pause > 0 || self.to_come + 1 < fewest || self.has_no_room() {
            self.look_ahead.pause = self.look_ahead.pause.saturating_sub(1);
            return self.arrived().play_out(&mut stream, cap);
        }
        let count = self.look_ahead.next_count(counts);
        self.look_ahead.keys.clear();
        self.set_aside(key, cap);
        self.guess(count);
        let LookAhead { ends, keys, played, pause, .. } = &mut self.look_ahead;
        if (keys.len() as u64) < fewest {
            *pause = fewest;
        }
        if ends.len() >= KEPT {
            ends.clear();
        }
        played.clear();
        self.walker.play_set_aside(played);
        let mut all = keys.iter().copied().zip(played.iter().copied());
        let Some((_, end)) = all.next() else { unreachable!("it is the first") };
        ends.extend(all);
        end
    }

    /// True if nodes and arms that no simulation has visited take half of the bytes that the others
    /// may take, or if those took all of theirs once.
    fn has_no_room(&self) -> bool {
        let bytes = size_of_val(&*self.nodes) + size_of_val(&*self.arms);
        self.was_full || bytes - self.visited_bytes() >= self.settings.bytes / 2
    }

    /// Sets the playout from a leaf aside, where the tree is.
    fn set_aside(&mut self, key: u64, cap: u32) {
        self.arrived().set_aside(first_stream(key), cap);
        self.look_ahead.keys.push(key);
    }

    /// Sets up to so many playouts aside, of leaves that simulations will probably reach after the
    /// one that has just reached a leaf.
    fn guess(&mut self, count: u64) {
        let mut path = std::mem::take(&mut self.look_ahead.path);
        path.clone_from(&self.path);
        let mut ending = None;
        for _ in 0..self.to_come.min(2 * count) {
            if self.look_ahead.keys.len() as u64 >= count || self.has_no_room() {
                break;
            }
            self.pay(&path, ending.take());
            path.clear();
            self.rewind();
            let mut at = 0;
            let leaf = loop {
                let Some(number) = self.guess_arm(at, path.len()) else { break None };
                path.push((at, number));
                let visits = self.arms[number as usize].visits;
                self.take(at, number);
                let key = self.nodes[at as usize].key_behind(number);
                if visits == 0 {
                    break Some(key);
                }
                at = self.make_child(number, key);
            };
            match leaf {
                Some(key) => match self.look_ahead.ends.get(&key) {
                    Some(end) => ending = Some(end.ending),
                    None => self.set_aside(key, self.settings.cap - path.len() as u32),
                },
                None => {
                    if let Kind::Over(scores) = self.nodes[at as usize].kind {
                        ending = Some(Ending::Over(self.scores[scores as usize]));
                    }
                }
            }
        }
        self.look_ahead.path = path;
        self.forget_guesses();
    }

    /// The arm that a guessed simulation takes, if the game goes on.
    fn guess_arm(&mut self, at: u32, plies: usize) -> Option<u32> {
        match self.nodes[at as usize].kind {
            Kind::Unlisted => self.list(at),
            _ => self.take_passes(at),
        }
        let Node { kind, untried, visits, .. } = self.nodes[at as usize];
        let Kind::Choice(mover) = kind else { return None };
        if plies >= self.settings.cap as usize {
            return None;
        }
        self.look_ahead.nodes.push((at, untried, visits));
        self.nodes[at as usize].visits += 1;
        Some(self.select(at, mover))
    }

    /// Counts a guessed simulation in the arms of its path. If it is not known how it ends, it pays
    /// what the arm has paid in the mean, or its siblings.
    fn pay(&mut self, path: &[(u32, u32)], ending: Option<Ending>) {
        for &(at, number) in path {
            let Arm { sum, share, visits, .. } = self.arms[number as usize];
            self.look_ahead.arms.push((number, sum, share, visits));
            let paid = match (ending, self.nodes[at as usize].kind) {
                (Some(ending), Kind::Choice(mover)) => self.range.payoff(ending, mover),
                _ if visits > 0 => sum * share,
                _ => self.mean_of_arms(at),
            };
            self.arms[number as usize].add(paid, 1);
        }
    }

    /// The mean payoff of the tried arms of a node.
    fn mean_of_arms(&self, at: u32) -> f64 {
        let Node { arms: (first, count), untried, .. } = self.nodes[at as usize];
        let tried = &self.arms[first as usize..(first + count - untried) as usize];
        let visits: u32 = tried.iter().map(|arm| arm.visits).sum();
        tried.iter().map(|arm| arm.sum).sum::<f64>() / f64::from(visits.max(1))
    }

    /// Takes back what guessed simulations have changed.
    fn forget_guesses(&mut self) {
        for (at, untried, visits) in self.look_ahead.nodes.drain(..).rev() {
            let node = &mut self.nodes[at as usize];
            (node.untried, node.visits) = (untried, visits);
        }
        for (number, sum, share, visits) in self.look_ahead.arms.drain(..).rev() {
            let arm = &mut self.arms[number as usize];
            (arm.sum, arm.share, arm.visits) = (sum, share, visits);
        }
    }
}

/// The stream of the first playout from a leaf.
fn first_stream(key: u64) -> Rng {
    Rng::stream(key ^ PLAYOUTS, 0)
}

/// Takes keys, which are hashes, as they are.
#[derive(Clone, Copy, Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}
