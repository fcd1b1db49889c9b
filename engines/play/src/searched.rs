//! Searches in the place of playouts.

use std::error::Error;
use std::fmt;

use crate::chance::{Chance, NoChance};
use crate::game::{Facts, Game, Via};
use crate::job::Job;
use crate::method::{PlayoutMode, Promise};
use crate::mix;
use crate::position::{Position, plies_from, settle};
use crate::rng::Rng;
use crate::scores::Scores;
use crate::search::{SearchSettings, Simulated};
use crate::tally::{End, Ending, Tally};
use crate::uct::grow_through;

/// A game whose playouts are searches: what rates of searches are measured and proven of, by all
/// that measures and proves playouts.
///
/// The playout of an id is a search by UCT of so many simulations, from a position that the id
/// chooses: for every second id on average the start, else one of a recorded game (of a random one
/// where none is recorded), each position on its way being as likely. It counts as one playout that
/// is as long, and pays as much, as its simulations did in the mean, rounded up or down at random
/// so that means stay what they are; its digest is that of the whole tree. [`Via::Fast`] grows
/// trees over the engine's own states, [`Via::Reference`] the same trees through [`Position`]
/// alone.
///
/// Positions are those of the game itself.
pub struct Searched {
    game: Box<dyn Game>,
    facts: Facts,
    /// The numbers of the actions of recorded games, none of which is empty.
    recorded: Vec<Vec<u32>>,
}

/// The reason why there are no searches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotSearched {
    /// The game has chance, or hides something, so that its positions make no tree.
    NoTree,
    /// In a recorded game, which is told by its number, there is no such ply after so many.
    NotFollowed {
        /// The game, counted from 0.
        game: usize,
        /// Plies before.
        plies: usize,
        /// The label that names no legal action.
        label: String,
    },
}

impl Searched {
    /// Searches of so many simulations of a game, from its start and from positions of recorded
    /// games, which are the labels of their plies. Fails where the game has no such searches, or
    /// does not allow what is recorded.
    pub fn new(
        game: Box<dyn Game>,
        simulations: u32,
        recorded: &[Vec<String>],
    ) -> Result<Searched, NotSearched> {
        let Facts { chance, hidden, fast, .. } = *game.facts();
        if chance || hidden || simulations == 0 {
            return Err(NotSearched::NoTree);
        }
        let games = recorded.iter().enumerate().filter(|(_, labels)| !labels.is_empty());
        let follow = |(number, labels): (usize, &Vec<String>)| {
            actions_of(&*game, labels).map_err(|plies| {
                let label = labels[plies].clone();
                NotSearched::NotFollowed { game: number, plies, label }
            })
        };
        let recorded = games.map(follow).collect::<Result<_, _>>()?;
        let facts = Facts {
            fast: PlayoutMode { promise: Promise::SamePlayouts, ..fast },
            batch: None,
            interpreted: None,
            listed: false,
            simulations,
            build: Vec::new(),
            ..game.facts().clone()
        };
        Ok(Searched { game, facts, recorded })
    }

    /// The search of an id.
    fn search(&self, job: &Job, id: u64, via: Via, tally: &mut Tally) {
        let mut rng = Rng::stream(job.seed, id);
        let root = self.root(&mut rng, job.cap);
        let (players, simulations) = (self.facts.players, self.facts.simulations);
        let settings =
            SearchSettings { seed: rng.next_u64(), cap: job.cap, ..SearchSettings::default() };
        let own = if via == Via::Reference { None } else { root.search(settings) };
        let mut search = own.unwrap_or_else(|| grow_through(&*root, players, settings));
        search.simulate(u64::from(simulations));
        tally.record(id, in_the_mean(&search.simulated(), &mut rng));
        tally.digest = tally.digest.wrapping_add(mix(search.digest() ^ mix(id)));
    }

    /// The start, or a position of a recorded or random game in which somebody has a choice.
    fn root(&self, rng: &mut Rng, cap: u32) -> Box<dyn Position> {
        let start = start_of(&*self.game);
        if rng.below(2) == 0 {
            start
        } else if self.recorded.is_empty() {
            of_random_game(start, rng, cap)
        } else {
            let game = &self.recorded[rng.below(self.recorded.len() as u32) as usize];
            let plies = rng.below(game.len() as u32) as usize;
            after(start, &game[..plies])
        }
    }
}

/// The first position in which somebody has a choice.
fn start_of(game: &dyn Game) -> Box<dyn Position> {
    let mut start = game.open(&mut NoChance);
    settle(&mut *start, &mut NoChance);
    start
}

/// A position of a random game from the start, each of them in which somebody has a choice being as
/// likely.
fn of_random_game(start: Box<dyn Position>, rng: &mut Rng, cap: u32) -> Box<dyn Position> {
    let mut root = start.copy();
    let mut position = start;
    for ply in 1..cap {
        let legal = plies_from(&*position) as u32;
        if legal == 0 || position.play(rng.below(legal) as usize, &mut NoChance).is_err() {
            break;
        }
        settle(&mut *position, &mut NoChance);
        // Each of the positions so far stays with the same probability.
        if plies_from(&*position) > 0 && rng.below(ply + 1) == 0 {
            root = position.copy();
        }
    }
    root
}

/// The numbers of the actions that these labels stand for; else how many plies can be played.
fn actions_of(game: &dyn Game, plies: &[String]) -> Result<Vec<u32>, usize> {
    let mut position = start_of(game);
    let mut actions = Vec::new();
    for label in plies {
        let found = position.labels().iter().position(|own| own == label);
        let action = found.filter(|&at| at < plies_from(&*position)).ok_or(actions.len())?;
        position.play(action, &mut NoChance).map_err(|_| actions.len())?;
        settle(&mut *position, &mut NoChance);
        actions.push(action as u32);
    }
    Ok(actions)
}

/// The position after these actions, which have been played before.
fn after(mut position: Box<dyn Position>, actions: &[u32]) -> Box<dyn Position> {
    for &action in actions {
        let played = position.play(action as usize, &mut NoChance);
        debug_assert!(played.is_ok(), "it was legal before");
        settle(&mut *position, &mut NoChance);
    }
    position
}

impl fmt::Display for NotSearched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotSearched::NoTree => f.write_str(
                "UCT searches games of full information without chance: its trees have a node a \
                 position",
            ),
            NotSearched::NotFollowed { game, plies, label } => {
                write!(f, "recorded game {}: `{label}` is not legal as ply {}", game + 1, plies + 1)
            }
        }
    }
}

impl Error for NotSearched {}

/// One playout that is as long and pays as much as these simulations in the mean.
fn in_the_mean(simulated: &Simulated, rng: &mut Rng) -> End {
    let simulations = simulated.simulations.max(1) as f64;
    let mut whole = |mean: f64| (mean + rng.fraction()).floor();
    let plies = whole(simulated.plies as f64 / simulations) as u32;
    let scores = simulated.payoffs.iter().map(|&mean| whole(mean) as i32);
    let ending = match simulated.ended {
        0 => Ending::Capped,
        _ => Ending::Over(Scores::new(scores)),
    };
    End { plies, ending }
}

impl Game for Searched {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn open(&self, chance: &mut dyn Chance) -> Box<dyn Position> {
        self.game.open(chance)
    }

    fn run(&self, job: &Job, via: Via) -> Tally {
        let mut tally = Tally::default();
        job.ids().for_each(|id| self.search(job, id, via, &mut tally));
        tally
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toy::{TREES, Toy};

    fn searched(tree: &str, simulations: u32) -> Searched {
        let game = Toy::parse(tree).unwrap().boxed();
        Searched::new(game, simulations, &[]).unwrap_or_else(|why| panic!("{tree}: {why}"))
    }

    const JOB: Job = Job { seed: 3, first: 0, count: 400, cap: 50 };

    #[test]
    fn searches_over_states_are_those_over_positions() {
        for tree in TREES {
            let game = searched(tree, 20);
            assert_eq!(game.run(&JOB, Via::Fast), game.run(&JOB, Via::Reference), "{tree}");
            let more = searched(tree, 21).run(&JOB, Via::Fast);
            assert_ne!(game.run(&JOB, Via::Fast).digest, more.digest, "{tree}");
        }
    }

    #[test]
    fn they_add_up_however_they_are_cut() {
        let game = searched(TREES[0], 20);
        let head = Job { count: 150, ..JOB };
        let mut sum = game.run(&Job { first: 150, count: 250, ..JOB }, Via::Fast);
        sum += &game.run(&head, Via::Fast);
        assert_eq!(sum, game.run(&JOB, Via::Fast));
    }

    #[test]
    fn trees_are_of_one_distribution_in_whatever_order_actions_are_listed() {
        // The second tree lists the actions of the first backwards.
        let orders = [
            "1(2(=100,0 =0,100 =50,50 2(=0,100 =100,0)) =0,100 =0,100 2(=100,0 =0,100))",
            "1(2(=0,100 =100,0) =0,100 =0,100 2(2(=100,0 =0,100) =50,50 =0,100 =100,0))",
        ];
        let job = Job { count: 40_000, ..JOB };
        let [one, other] = orders.map(|tree| searched(tree, 9).run(&job, Via::Fast));
        assert_eq!(crate::kit::differs(&one, &other), None);
        let more = searched(orders[0], 12).run(&job, Via::Fast);
        assert!(crate::kit::differs(&one, &more).is_some(), "it must be able to fail");
    }

    #[test]
    fn a_search_is_as_long_as_its_simulations_in_the_mean() {
        // The second action is the better one, and leads to a ply more. An eighth of the searches
        // begin behind it: every second in a random game, half of these take it, and it is every
        // second position on their way.
        let game = searched("1(=0 1(=100 =100))", 1000);
        let tally = game.run(&Job { count: 2000, ..JOB }, Via::Fast);
        let mean = tally.plies as f64 / tally.playouts as f64;
        assert!(mean > 1.8 && mean < 1.9, "{mean}");
        assert_eq!((tally.capped, tally.stuck), (0, 0));
    }

    #[test]
    fn games_of_chance_have_no_such_searches() {
        let game = Toy::parse("*(=1 =2)").unwrap().boxed();
        assert_eq!(Searched::new(game, 10, &[]).err(), Some(NotSearched::NoTree));
    }

    #[test]
    fn searches_begin_where_recorded_games_have_been() {
        // Behind the second action each ply has one way on, and pays what no other leaf does.
        let tree = "1(=0 1(=100 1(=60 =60)))";
        let recorded = |games: &[&str]| {
            let labels = |game: &&str| game.split(' ').map(str::to_owned).collect();
            let games: Vec<Vec<String>> = games.iter().map(labels).collect();
            Searched::new(Toy::parse(tree).unwrap().boxed(), 50, &games)
        };
        let labels = {
            let game = Toy::parse(tree).unwrap().boxed();
            let mut position = start_of(&*game);
            let mut labels = Vec::new();
            for action in [1, 1, 0] {
                labels.push(position.label(action));
                position.play(action, &mut NoChance).unwrap();
            }
            labels
        };
        let game = recorded(&[&labels.join(" ")]).unwrap();
        assert_eq!(game.run(&JOB, Via::Fast), game.run(&JOB, Via::Reference));
        // A sixth of the searches begins behind two plies, where one ply is left, which pays 60.
        let third = |id: &u64| {
            let tally = game.run(&Job { first: *id, count: 1, ..JOB }, Via::Fast);
            tally.plies == 1 && tally.score_sums() == [60]
        };
        let share = (0..600).filter(third).count();
        assert!((70..130).contains(&share), "{share}");

        let wrong = recorded(&[&labels.join(" "), &format!("{} elsewhere", labels[0])]);
        let why = wrong.err().unwrap();
        assert_eq!(why.to_string(), "recorded game 2: `elsewhere` is not legal as ply 2");
    }
}
