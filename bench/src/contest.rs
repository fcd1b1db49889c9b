//! Agents against each other: who plays whom in which seat, the games, and their trials on disk.

mod ratings;
mod standing;

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, anyhow, bail};
use play::{Game, mix};

use crate::seat::{Setting, play_trial};
use crate::trial::{Header, Reader, Trial, budget_in_words, write_line};

pub use ratings::{Rating, rate};
pub use standing::{Mean, Pairs, Standing, standings};

/// One game of a contest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Seed of chance and of the agents.
    pub seed: u64,
    /// The number of the agent in each role.
    pub seats: Vec<usize>,
}

/// The players who have one result together. An agent plays for a whole team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Teams {
    /// The number of each player's team.
    of_players: Vec<u8>,
}

impl Teams {
    /// The teams of a game: players who are in none of these lists play for themselves.
    pub fn new(players: u8, together: &[Vec<u8>]) -> Teams {
        let leader = |player: u8| {
            let team = together.iter().find(|team| team.contains(&player));
            team.and_then(|team| team.iter().copied().min()).unwrap_or(player)
        };
        let leaders: Vec<u8> = (0..players).filter(|&player| leader(player) == player).collect();
        let number = |player| leaders.iter().position(|&of| of == leader(player)).unwrap_or(0);
        Teams { of_players: (0..players).map(|player| number(player) as u8).collect() }
    }

    /// The number of teams.
    pub fn count(&self) -> u8 {
        self.of_players.iter().max().map_or(0, |last| last + 1)
    }
}

/// The games of so many agents at a game for these teams.
///
/// At a game for one team, each agent plays alone, all with the same seeds. Otherwise each pair of
/// agents has `games` games. Two in a row have the same seed with all seats exchanged; a game for
/// more than two teams goes through all ways of sharing them between the pair.
pub fn schedule(teams: &Teams, agents: usize, games: u64, seed: u64) -> Vec<Fixture> {
    let seed_of = |number: u64| mix(seed ^ mix(number + 1));
    if teams.count() == 1 {
        let alone = |agent| {
            let seats = vec![agent; teams.of_players.len()];
            (0..games).map(move |game| Fixture { seed: seed_of(game), seats: seats.clone() })
        };
        return (0..agents).flat_map(alone).collect();
    }
    // Bit `team` of a sharing says who of the two has it; team 0 is the first's, until they
    // exchange.
    let sharings = (1u64 << (teams.count() - 1)) - 1;
    let mut all = Vec::new();
    for first in 0..agents {
        for second in first + 1..agents {
            for game in 0..games {
                let sharing = 2 * (game / 2 % sharings + 1);
                let seat = |team: &u8| {
                    let seconds = (sharing >> team) & 1 != game % 2;
                    if seconds { second } else { first }
                };
                let seats = teams.of_players.iter().map(seat).collect();
                all.push(Fixture { seed: seed_of(game / 2), seats });
            }
        }
    }
    all
}

/// Plays the fixtures that `before` does not have, on several threads, and gives all trials in the
/// order of the fixtures. Each goes through `keep` as it comes, in any order.
pub fn play(
    game: &dyn Game,
    setting: &Setting,
    names: &[String],
    fixtures: &[Fixture],
    before: &mut TrialFolder,
    jobs: usize,
    progress: &(dyn Fn(&Trial) + Sync),
) -> Result<Vec<Trial>> {
    let seated = |fixture: &Fixture| -> Vec<String> {
        fixture.seats.iter().map(|&agent| names[agent].clone()).collect()
    };
    let results: Vec<Mutex<Option<Trial>>> =
        fixtures.iter().map(|f| Mutex::new(before.take(&seated(f), f.seed))).collect();
    let file = Mutex::new(before.file.as_mut());
    let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
    let failure: Mutex<Option<anyhow::Error>> = Mutex::new(None);
    let work = || {
        while !stop.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(fixture) = fixtures.get(index) else { break };
            let mut result = results[index].lock().unwrap_or_else(PoisonError::into_inner);
            if result.is_some() {
                continue;
            }
            let number = index as u64 + 1;
            let names = seated(fixture);
            let played = play_trial(game, setting, &names, number, fixture.seed)
                .map_err(|reason| anyhow!(reason))
                .and_then(|trial| {
                    let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                    if let Some(file) = file.as_mut() {
                        write_line(*file, &trial).context("cannot write a trial")?;
                    }
                    Ok(trial)
                });
            match played {
                Ok(trial) => {
                    progress(&trial);
                    *result = Some(trial);
                }
                Err(error) => {
                    stop.store(true, Ordering::Relaxed);
                    *failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(work);
        }
    });
    if let Some(error) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    let trials = results.into_iter().zip(1..);
    let trials = trials.filter_map(|(trial, number)| {
        let trial = trial.into_inner().unwrap_or_else(PoisonError::into_inner)?;
        Some(Trial { trial: number, ..trial })
    });
    Ok(trials.collect())
}

/// The trials of one game in a folder.
#[derive(Debug, Default)]
pub struct TrialFolder {
    /// By who sat where, and seed.
    trials: BTreeMap<(Vec<String>, u64), Trial>,
    /// With another budget.
    others: Vec<Trial>,
    file: Option<File>,
}

impl TrialFolder {
    /// Opens the file of a game, or begins it. Of its trials those with another budget are kept and
    /// not looked at; a line that was cut when the program was killed is dropped.
    pub fn open(path: &Path, header: &Header, setting: &Setting) -> Result<TrialFolder> {
        let shown = || format!("cannot write {}", path.display());
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .with_context(shown)?;
        let whole = whole_lines(&mut file).with_context(shown)?;
        file.set_len(whole).with_context(shown)?;
        file.seek(SeekFrom::End(0)).with_context(shown)?;
        let (mut trials, mut others) = (BTreeMap::new(), Vec::new());
        if whole == 0 {
            write_line(&mut file, header).with_context(shown)?;
        } else {
            let mut reader = Reader::open(path)?;
            if reader.header() != header {
                bail!(
                    "{}:1: these trials are of other rules, another engine or another cap; give \
                     another \
                     folder with --out",
                    path.display()
                );
            }
            let budget = budget_in_words(setting.budget);
            while let Some(trial) = reader.next_trial()? {
                if trial.budget == budget {
                    trials.insert((trial.agents.clone(), trial.seed), trial);
                } else {
                    others.push(trial);
                }
            }
        }
        Ok(TrialFolder { trials, others, file: Some(file) })
    }

    fn take(&mut self, seats: &[String], seed: u64) -> Option<Trial> {
        self.trials.remove(&(seats.to_vec(), seed))
    }

    /// Writes the file anew, in the order of the fixtures, so that it does not depend on threads
    /// and stops; trials that were there and not asked for stay behind these.
    pub fn finish(self, path: &Path, header: &Header, trials: &[Trial]) -> Result<()> {
        let shown = || format!("cannot write {}", path.display());
        let left = self.trials.into_values().chain(self.others);
        let all = (1..).zip(trials.iter().cloned().chain(left));
        reports::replace(path, |mut out| {
            write_line(&mut out, header)?;
            all.into_iter().try_for_each(|(number, trial)| {
                write_line(&mut out, &Trial { trial: number, ..trial })
            })
        })
        .with_context(shown)
    }

    /// Number of trials that were there.
    pub fn len(&self) -> usize {
        self.trials.len()
    }

    /// True if there were none.
    pub fn is_empty(&self) -> bool {
        self.trials.is_empty()
    }
}

/// Length of a file up to its last line break.
fn whole_lines(file: &mut File) -> std::io::Result<u64> {
    let (mut read, mut whole) = (0u64, 0u64);
    let mut part = vec![0; 64 << 10];
    file.seek(SeekFrom::Start(0))?;
    loop {
        let length = file.read(&mut part)?;
        if length == 0 {
            return Ok(whole);
        }
        if let Some(at) = part[..length].iter().rposition(|&byte| byte == b'\n') {
            whole = read + at as u64 + 1;
        }
        read += length as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_are_exchanged_under_the_same_seed() {
        let all = schedule(&Teams::new(2, &[]), 3, 4, 7);
        assert_eq!(all.len(), 3 * 4);
        assert_eq!(all[0].seats, [0, 1]);
        assert_eq!(all[1].seats, [1, 0]);
        assert_eq!(all[0].seed, all[1].seed);
        assert_ne!(all[1].seed, all[2].seed);
        assert_eq!(all[4].seats, [0, 2]);
    }

    #[test]
    fn three_seats_are_shared_in_all_ways() {
        let all = schedule(&Teams::new(3, &[]), 2, 6, 7);
        let mut seats: Vec<_> = all.iter().map(|fixture| fixture.seats.clone()).collect();
        seats.sort();
        seats.dedup();
        assert_eq!(seats.len(), 6, "{seats:?}");
        assert!(seats.iter().all(|s| s.contains(&0) && s.contains(&1)), "{seats:?}");
    }

    #[test]
    fn an_agent_plays_for_a_whole_team() {
        let all = schedule(&Teams::new(4, &[vec![3, 1]]), 2, 6, 7);
        assert!(all.iter().all(|fixture| fixture.seats[1] == fixture.seats[3]), "{all:?}");
        assert!(all.iter().any(|fixture| fixture.seats[0] != fixture.seats[2]), "{all:?}");
        // Who has all seats plays alone.
        let all = schedule(&Teams::new(2, &[vec![0, 1]]), 2, 3, 7);
        assert_eq!((all.len(), &all[0].seats, &all[3].seats), (6, &vec![0, 0], &vec![1, 1]));
        assert_eq!(all[0].seed, all[3].seed);
    }

    #[test]
    fn those_who_play_alone_have_the_same_seeds() {
        let all = schedule(&Teams::new(1, &[]), 2, 3, 7);
        assert_eq!(all.len(), 6);
        assert_eq!(all[0].seed, all[3].seed);
        assert_eq!((all[0].seats[0], all[3].seats[0]), (0, 1));
    }
}
