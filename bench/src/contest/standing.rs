//! The standings of agents, summed over the trials of a contest.

use std::collections::BTreeMap;

use reports::stats::{Interval, wilson};

use crate::trial::{End, Trial};

/// Games between agents: how many, and points with a draw as half a win.
#[derive(Clone, Debug)]
pub struct Pairs {
    agents: usize,
    games: Vec<f64>,
    points: Vec<f64>,
}

impl Pairs {
    /// No games of so many agents.
    pub fn new(agents: usize) -> Pairs {
        Pairs { agents, games: vec![0.0; agents * agents], points: vec![0.0; agents * agents] }
    }

    /// Number of agents.
    pub fn len(&self) -> usize {
        self.agents
    }

    /// True if there are no agents.
    pub fn is_empty(&self) -> bool {
        self.agents == 0
    }

    /// A game of two in which the first had so many points: 1, 0.5 or 0.
    pub fn add(&mut self, first: usize, second: usize, points: f64) {
        for (i, j, points) in [(first, second, points), (second, first, 1.0 - points)] {
            self.games[i * self.agents + j] += 1.0;
            self.points[i * self.agents + j] += points;
        }
    }

    /// Adds the games that others counted of the same agents.
    pub fn join(&mut self, others: &Pairs) {
        self.games.iter_mut().zip(&others.games).for_each(|(all, more)| *all += more);
        self.points.iter_mut().zip(&others.points).for_each(|(all, more)| *all += more);
    }

    /// Games of two.
    pub fn games(&self, i: usize, j: usize) -> f64 {
        self.games[i * self.agents + j]
    }

    /// Points of the first in these.
    pub fn points(&self, i: usize, j: usize) -> f64 {
        self.points[i * self.agents + j]
    }
}

/// A mean payoff with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// The ends of the interval; `None` where all payoffs of the game were the same.
    pub interval: Option<(f64, f64)>,
}

impl Mean {
    /// Of payoffs that are independent of each other and lie in a range; `None` if there are none.
    ///
    /// The interval is Wilson's (1927) for the share of the range. He had all or nothing in mind;
    /// whatever lies between varies less, so that the interval holds the truth at least as often.
    pub fn of(payoffs: &[f64], (least, most): (f64, f64)) -> Option<Mean> {
        let n = payoffs.len() as f64;
        if payoffs.is_empty() {
            return None;
        }
        let mean = payoffs.iter().sum::<f64>() / n;
        let interval = (least < most).then(|| {
            let Interval { low, high } = wilson((mean - least) / (most - least), n);
            let end = |share: f64| least + share * (most - least);
            (end(low), end(high))
        });
        Some(Mean { mean, interval })
    }
}

/// The results of an agent at one game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Standing {
    /// Games.
    pub games: u64,
    /// Its payoff of each game: the mean of its roles'.
    pub payoffs: Vec<f64>,
    /// The least and the greatest payoff that any role got at this game.
    pub range: (f64, f64),
    /// Games with a higher payoff than the other.
    pub wins: u64,
    /// With the same.
    pub draws: u64,
    /// With a lower one, its own faults included.
    pub losses: u64,
    /// Faults of its own.
    pub faults: u64,
    /// Games that were given up: draws without a payoff.
    pub unfinished: u64,
    /// Simulations while it chose.
    pub simulations: u64,
    /// Nanoseconds in which it chose.
    pub search_ns: u64,
    /// Plies of all its games.
    pub plies: u64,
    /// The counts of the agent, by name: see [`agents::Agent::counts`].
    pub counts: BTreeMap<String, u64>,
}

/// The standing of each agent at one game, and who beat whom.
///
/// Whoever commits a fault has lost; for the payoff it gets the lowest that any role got in any of
/// these trials, or 0 if that is less. So does who does not finish a game for one. The other side
/// of a fault has won, without a payoff.
pub fn standings(names: &[String], trials: &[Trial]) -> (Vec<Standing>, Pairs) {
    let mut all = vec![Standing::default(); names.len()];
    let mut pairs = Pairs::new(names.len());
    let scores = || trials.iter().filter_map(|trial| trial.scores.as_ref()).flatten().copied();
    let lowest = f64::from(scores().min().unwrap_or(0).min(0));
    let least = f64::from(scores().min().unwrap_or(0));
    let most = f64::from(scores().max().unwrap_or(0));
    for trial in trials {
        let seats: Vec<usize> =
            trial.agents.iter().filter_map(|a| names.iter().position(|n| n == a)).collect();
        let mut seated = seats.clone();
        seated.sort_unstable();
        seated.dedup();
        let faulty = trial.fault.as_ref().map(|fault| seats[usize::from(fault.player)]);
        let payoff = |agent: usize| {
            let scores = trial.scores.as_ref()?;
            let own: Vec<f64> = scores
                .iter()
                .zip(&seats)
                .filter(|&(_, &seat)| seat == agent)
                .map(|(&score, _)| f64::from(score))
                .collect();
            Some(own.iter().sum::<f64>() / own.len() as f64)
        };
        for &agent in &seated {
            let standing = &mut all[agent];
            standing.games += 1;
            standing.plies += trial.plies.len() as u64;
            for ply in &trial.plies {
                if seats[usize::from(ply.player)] == agent {
                    standing.simulations += ply.simulations;
                }
            }
            for counts in trial.counts.iter().zip(&seats).filter(|&(_, &seat)| seat == agent) {
                for (what, count) in counts.0 {
                    *standing.counts.entry(what.clone()).or_default() += count;
                }
            }
            for (role, ns) in trial.search_ns.iter().enumerate() {
                if seats[role] == agent {
                    standing.search_ns += ns;
                }
            }
            if faulty == Some(agent) {
                standing.faults += 1;
                standing.payoffs.push(lowest);
            } else if let Some(payoff) = payoff(agent) {
                standing.payoffs.push(payoff);
            } else if trial.end != End::Fault {
                standing.unfinished += 1;
                if seated.len() == 1 {
                    standing.payoffs.push(lowest);
                }
            }
        }
        if let &[first, second] = seated.as_slice() {
            let points = match (faulty, payoff(first), payoff(second)) {
                (Some(faulty), ..) => f64::from(u8::from(faulty != first)),
                (None, Some(a), Some(b)) if a > b => 1.0,
                (None, Some(a), Some(b)) if a < b => 0.0,
                _ => 0.5,
            };
            pairs.add(first, second, points);
            for (agent, points) in [(first, points), (second, 1.0 - points)] {
                let standing = &mut all[agent];
                let count = match points {
                    p if p > 0.75 => &mut standing.wins,
                    p if p < 0.25 => &mut standing.losses,
                    _ => &mut standing.draws,
                };
                *count += 1;
            }
        } else if faulty.is_some() {
            all[seated[0]].losses += 1;
        }
    }
    for standing in &mut all {
        let payoffs = standing.payoffs.iter().copied();
        standing.range = (payoffs.clone().fold(least, f64::min), payoffs.fold(most, f64::max));
    }
    (all, pairs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::Faulty;

    fn trial(agents: [&str; 2], scores: Option<[i32; 2]>, fault: Option<u8>) -> Trial {
        Trial {
            trial: 1,
            seed: 1,
            agents: agents.map(str::to_owned).to_vec(),
            budget: String::new(),
            chance: Vec::new(),
            start: Vec::new(),
            plies: Vec::new(),
            end: if fault.is_some() { End::Fault } else { End::Over },
            scores: scores.map(|s| s.to_vec()),
            fault: fault.map(|player| Faulty { player, reason: String::new() }),
            search_ns: Vec::new(),
            counts: Vec::new(),
        }
    }

    #[test]
    fn payoffs_go_to_the_agents_and_not_to_the_seats() {
        let names = ["a".to_owned(), "b".to_owned()];
        let trials = [
            trial(["a", "b"], Some([100, 0]), None),
            trial(["b", "a"], Some([-7, 100]), None),
            trial(["b", "a"], Some([50, 50]), None),
            trial(["b", "a"], None, Some(1)),
        ];
        let (all, pairs) = standings(&names, &trials);
        assert_eq!((all[0].wins, all[0].draws, all[0].losses, all[0].faults), (2, 1, 1, 1));
        assert_eq!((all[1].wins, all[1].draws, all[1].losses, all[1].faults), (1, 1, 2, 0));
        assert_eq!(all[0].payoffs, [100.0, 100.0, 50.0, -7.0], "a fault is the lowest payoff");
        assert_eq!(all[1].payoffs, [0.0, -7.0, 50.0], "the other has none for it");
        assert!((pairs.points(0, 1) - 2.5).abs() < 1e-9);
    }

    #[test]
    fn what_agents_counted_is_added_up_by_agent() {
        let names = ["a".to_owned(), "b".to_owned()];
        let counted = |agents, counts: [u64; 2]| Trial {
            counts: counts.map(|n| BTreeMap::from([("plies".to_owned(), n)])).to_vec(),
            ..trial(agents, Some([1, 0]), None)
        };
        let (all, _) =
            standings(&names, &[counted(["a", "b"], [3, 5]), counted(["b", "a"], [7, 11])]);
        assert_eq!((all[0].counts["plies"], all[1].counts["plies"]), (14, 12));
    }

    #[test]
    fn intervals_stay_in_the_range_of_payoffs() {
        // Wilson's interval of 3 of 4 is 0.3006 to 0.9544.
        let mean = Mean::of(&[100.0, 100.0, 0.0, 100.0], (0.0, 100.0)).unwrap();
        let (low, high) = mean.interval.unwrap();
        assert!((low - 30.06).abs() < 0.01 && (high - 95.44).abs() < 0.01, "{low} {high}");
        // The same of payoffs from -7 to 7.
        let mean = Mean::of(&[7.0, 7.0, -7.0, 7.0], (-7.0, 7.0)).unwrap();
        assert!((mean.interval.unwrap().0 - (-7.0 + 0.3006 * 14.0)).abs() < 0.01, "{mean:?}");
        let all = Mean::of(&[100.0; 9], (0.0, 100.0)).unwrap();
        assert!(all.interval.is_some_and(|(low, high)| low > 70.0 && high <= 100.0), "{all:?}");
        assert_eq!(Mean::of(&[50.0; 9], (50.0, 50.0)).unwrap().interval, None);
        assert_eq!(Mean::of(&[], (0.0, 1.0)), None);
    }
}
