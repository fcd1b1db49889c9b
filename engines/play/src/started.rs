//! Games that begin at a position to which some plies lead.

use std::sync::{Mutex, PoisonError};

use crate::chance::{Chance, NoChance};
use crate::encoding::Encoding;
use crate::game::{Facts, Game, Stage, Via};
use crate::job::Job;
use crate::method::{Method, PlayoutMode};
use crate::not_reached::NotReached;
use crate::position::{Position, play_listed, plies_from, settle};
use crate::rng::Rng;
use crate::strategy::Strategy;
use crate::tally::{End, Tally};

/// A game whose start is the position after some plies of another game; all else is that game's,
/// but for many positions at once: there is no lock-step, and no encoding for it.
///
/// In games of chance outcomes are drawn anew each time, and again until the plies are legal: the
/// start is drawn from all positions in which these plies have been played, each as likely as
/// chance makes it.
pub(crate) struct Started {
    game: Box<dyn Game>,
    facts: Facts,
    plies: Vec<String>,
    from: From,
}

/// The position that a game begins at.
enum From {
    /// The only one.
    Position(Mutex<Box<dyn Position>>),
    /// One of several, by what chance does; the stream of draws that is known to lead to one.
    Chance(u64),
}

/// Times that chance is drawn in search of a position.
const DRAWS: u64 = 2000;

/// Playouts whose ends are kept at once: enough to fill the lanes of all engines several times.
const AT_ONCE: u64 = 1 << 15;

impl Started {
    /// The game after plies with these labels.
    pub(crate) fn new(game: Box<dyn Game>, plies: &[String]) -> Result<Started, NotReached> {
        let inner = game.facts();
        // A playout from a position is played by rules, also where those from the start are not.
        let method = match inner.fast.method {
            Method::Tabled => Method::Counted,
            method => method,
        };
        let facts = Facts {
            fast: PlayoutMode { method, ..inner.fast },
            batch: None,
            interpreted: None,
            listed: true,
            ..inner.clone()
        };
        let from = if facts.chance {
            From::Chance(reached_by_chance(&*game, plies)?)
        } else {
            From::Position(Mutex::new(after(&*game, plies, &mut NoChance)?))
        };
        Ok(Started { game, facts, plies: plies.to_vec(), from })
    }

    /// Plays from one position.
    fn run_from(from: &dyn Position, job: &Job, via: Via) -> Tally {
        let (mut tally, mut ends) = (Tally::default(), Vec::new());
        for part in job.in_parts(AT_ONCE) {
            ends.clear();
            match via {
                Via::Reference | Via::Listed => ends.extend(
                    part.ids()
                        .map(|id| playout(from, via, &mut Rng::stream(job.seed, id), job.cap)),
                ),
                Via::Fast | Via::Batch | Via::Interpreted => from.playouts(&part, &mut ends),
            }
            part.ids().zip(&ends).for_each(|(id, &end)| tally.record(id, end));
        }
        tally
    }
}

/// One playout.
fn playout(from: &dyn Position, via: Via, rng: &mut Rng, cap: u32) -> End {
    match via {
        Via::Reference => play_listed(from.copy(), rng, cap),
        Via::Listed => from.listed_playout(rng, cap),
        Via::Fast | Via::Batch | Via::Interpreted => from.playout(rng, cap),
    }
}

/// The number of a stream of draws that lead to a position in which these plies have been played.
/// Fails with the most that could be played.
fn reached_by_chance(game: &dyn Game, plies: &[String]) -> Result<u64, NotReached> {
    let mut furthest: Option<NotReached> = None;
    for stream in 0..DRAWS {
        match after(game, plies, &mut Rng::stream(0, stream)) {
            Ok(_) => return Ok(stream),
            Err(why) if furthest.as_ref().is_none_or(|before| before.plies < why.plies) => {
                furthest = Some(why);
            }
            Err(_) => {}
        }
    }
    furthest.map_or(Ok(0), Err)
}

/// The position after plies with these labels, forced passes not counted.
fn after(
    game: &dyn Game,
    plies: &[String],
    chance: &mut dyn Chance,
) -> Result<Box<dyn Position>, NotReached> {
    let mut position = game.open(chance);
    settle(&mut *position, chance);
    for (number, label) in plies.iter().enumerate() {
        let labels = position.labels();
        let action = labels.iter().take(plies_from(&*position)).position(|legal| legal == label);
        let played = action.and_then(|action| position.play(action, chance).ok());
        if played.is_none() {
            return Err(NotReached::new(number, label, labels));
        }
        settle(&mut *position, chance);
    }
    Ok(position)
}

impl Game for Started {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn open(&self, chance: &mut dyn Chance) -> Box<dyn Position> {
        match &self.from {
            From::Position(position) => {
                position.lock().unwrap_or_else(PoisonError::into_inner).copy()
            }
            From::Chance(stream) => {
                let drawn = (0..DRAWS).find_map(|_| after(&*self.game, &self.plies, chance).ok());
                let known = || after(&*self.game, &self.plies, &mut Rng::stream(0, *stream)).ok();
                drawn.or_else(known).unwrap_or_else(|| self.game.open(chance))
            }
        }
    }

    fn run(&self, job: &Job, via: Via) -> Tally {
        if let From::Position(_) = &self.from {
            return Started::run_from(&*self.open(&mut NoChance), job, via);
        }
        let mut tally = Tally::default();
        for id in job.ids() {
            let mut rng = Rng::stream(job.seed, id);
            let from = self.open(&mut rng);
            tally.record(id, playout(&*from, via, &mut rng, job.cap));
        }
        tally
    }

    fn stages(&self) -> &[Stage] {
        self.game.stages()
    }

    fn strategies(&self) -> Vec<Strategy> {
        self.game.strategies()
    }

    fn dot(&self, most: usize) -> Option<Result<String, usize>> {
        self.game.dot(most)
    }

    fn ir(&self) -> Option<String> {
        self.game.ir()
    }

    fn encoding(&self) -> Option<Encoding> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::{Effort, check};
    use crate::toy::{TREES, Toy};
    use crate::tree::perft;

    const JOB: Job = Job { seed: 3, first: 5, count: 400, cap: 50 };

    fn started(tree: &str, plies: &[&str]) -> Result<Started, NotReached> {
        let plies: Vec<String> = plies.iter().map(|&label| label.to_owned()).collect();
        Started::new(Toy::parse(tree).unwrap().boxed(), &plies)
    }

    fn first_label(game: &dyn Game) -> String {
        let mut start = game.open(&mut NoChance);
        settle(&mut *start, &mut NoChance);
        start.label(0)
    }

    #[test]
    fn a_game_goes_on_from_the_position_and_all_its_loops_do() {
        let tree = "1(2(=100,0 1(=0,100 =100,0)) =50,50)";
        let whole = Toy::parse(tree).unwrap().boxed();
        let label = first_label(&*whole);
        let game = started(tree, &[&label]).unwrap();
        let start = game.open(&mut NoChance);
        assert_eq!(perft(&*start, 2, 100, false).unwrap(), [2, 2], "of the position");
        assert_eq!(
            perft(&*whole.open(&mut NoChance), 2, 100, false).unwrap(),
            [2, 2],
            "of the game"
        );
        let tally = game.run(&JOB, Via::Fast);
        for via in [Via::Reference, Via::Listed, Via::Batch, Via::Interpreted] {
            assert_eq!(game.run(&JOB, via), tally, "{via:?}");
        }
        assert_ne!(tally, whole.run(&JOB, Via::Fast), "it must be able to fail");
        assert!(tally.plies <= 2 * JOB.count && tally.plies > JOB.count);
    }

    #[test]
    fn the_kit_finds_no_fault() {
        for tree in TREES {
            let label = first_label(&*Toy::parse(tree).unwrap().boxed());
            let Ok(game) = started(tree, &[&label]) else { continue };
            let report = check(&game, &Effort::default());
            assert!(report.faults.is_empty(), "{tree}: {:?}", report.faults);
        }
    }

    #[test]
    fn a_ply_that_is_not_legal_is_named_with_what_was() {
        let tree = "1(2(=100,0 =0,100) =50,50)";
        let label = first_label(&*Toy::parse(tree).unwrap().boxed());
        let why = started(tree, &[&label, "nn"]).err().unwrap();
        assert_eq!((why.plies, why.legal.len()), (1, 2));
        let text = why.to_string();
        assert!(text.starts_with("ply 2 of the position, `nn`, is not legal; did you"), "{text}");
        let why = started(tree, &[&label, &why.legal[0], "nn"]).err().unwrap().to_string();
        assert_eq!(why, "ply 3 of the position, `nn`: the game is over before it");
    }

    #[test]
    fn chance_is_drawn_until_the_plies_are_legal() {
        // One outcome of three has two actions, and only one of these goes on.
        let tree = "*(1(=0 1(=60 =70)) =2 =3)";
        let whole = Toy::parse(tree).unwrap().boxed();
        let position = after(&*whole, &[], &mut crate::chance::Script::new([0])).unwrap();
        let game = started(tree, &[&position.label(1)]).unwrap();
        let tally = game.run(&JOB, Via::Fast);
        assert_eq!(tally.plies, JOB.count, "a ply is left in each playout");
        assert_eq!(game.run(&JOB, Via::Reference), tally);
        assert!(started(tree, &["nowhere"]).is_err());
    }
}
