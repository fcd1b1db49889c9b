//! Games that say the words of the catalogue in the place of those of their description.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use crate::chance::Chance;
use crate::encoding::{Encoding, did, done};
use crate::game::{Facts, Game, Stage, Via};
use crate::job::Job;
use crate::lockstep::{Lockstep, LockstepJob};
use crate::merged::Merges;
use crate::percepts::Percepts;
use crate::picture::Picture;
use crate::position::{IllegalAction, OpenLoopSearch, Position};
use crate::recoded::Recoding;
use crate::rng::Rng;
use crate::scores::{Player, Scores, Turn};
use crate::search::{Search, SearchSettings};
use crate::strategy::Strategy;
use crate::tally::{End, Tally};
use crate::words::Words;

/// A game whose labels and percepts are put into other words; all else is that game's.
pub(crate) struct Reworded(Arc<Shared>);

/// What a game shares with its positions.
struct Shared {
    game: Box<dyn Game>,
    words: Words,
    /// The encoding in its words, once somebody asks, if the description has one.
    merges: OnceLock<Option<Arc<Merges>>>,
}

impl Reworded {
    /// The game in these words.
    pub(crate) fn new(game: Box<dyn Game>, words: Words) -> Reworded {
        Reworded(Arc::new(Shared { game, words, merges: OnceLock::new() }))
    }
}

impl Shared {
    /// The encoding of the game in its words, and how it is made from that of the description, if
    /// the description has one.
    fn in_words(&self) -> Option<&Arc<Merges>> {
        let reworded = || {
            let mut encoding = self.game.encoding()?;
            for action in &mut encoding.actions {
                *action = self.words.actions.word(action).into_owned();
            }
            if self.game.facts().hidden {
                for site in &mut encoding.sites {
                    *site = match done(site) {
                        Some(action) => did(&self.words.actions.word(action)),
                        None => self.words.percepts.word(site).into_owned(),
                    };
                }
            }
            Some(Arc::new(Merges::new(encoding)))
        };
        self.merges.get_or_init(reworded).as_ref()
    }

    /// The same where several codes or sites have one word, as where a direction stands for steps
    /// between many squares.
    fn merges(&self) -> Option<&Arc<Merges>> {
        self.in_words().filter(|merges| !merges.change_nothing())
    }
}

impl Game for Reworded {
    fn facts(&self) -> &Facts {
        self.0.game.facts()
    }

    fn open(&self, chance: &mut dyn Chance) -> Box<dyn Position> {
        Box::new(RewordedPosition::new(self.0.game.open(chance), Arc::clone(&self.0)))
    }

    fn run(&self, job: &Job, via: Via) -> Tally {
        self.0.game.run(job, via)
    }

    fn stages(&self) -> &[Stage] {
        self.0.game.stages()
    }

    fn strategies(&self) -> Vec<Strategy> {
        self.0.game.strategies()
    }

    fn dot(&self, most: usize) -> Option<Result<String, usize>> {
        self.0.game.dot(most)
    }

    fn ir(&self) -> Option<String> {
        self.0.game.ir()
    }

    fn encoding(&self) -> Option<Encoding> {
        Some(self.0.in_words()?.encoding.clone())
    }

    fn lockstep(&self, flock: &LockstepJob) -> Option<Box<dyn Lockstep>> {
        match self.0.merges() {
            None => self.0.game.lockstep(flock),
            Some(merges) => self.0.game.lockstep_in_words(flock, merges),
        }
    }
}

/// A position of such a game.
struct RewordedPosition<'p> {
    position: Box<dyn Position + 'p>,
    shared: Arc<Shared>,
    percepts: Percepts,
}

impl<'p> RewordedPosition<'p> {
    fn new(position: Box<dyn Position + 'p>, shared: Arc<Shared>) -> RewordedPosition<'p> {
        let percepts = position.percepts().reworded(&shared.words.percepts);
        RewordedPosition { position, shared, percepts }
    }

    fn word(&self, label: &str) -> String {
        self.shared.words.actions.word(label).into_owned()
    }
}

impl Position for RewordedPosition<'_> {
    fn turn(&self) -> Turn {
        self.position.turn()
    }

    fn actions(&self) -> usize {
        self.position.actions()
    }

    fn label(&self, action: usize) -> String {
        self.word(&self.position.label(action))
    }

    fn labels(&self) -> Vec<String> {
        self.position.labels().iter().map(|label| self.word(label)).collect()
    }

    fn is_pass(&self, action: usize) -> bool {
        self.position.is_pass(action)
    }

    fn play(&mut self, action: usize, chance: &mut dyn Chance) -> Result<(), IllegalAction> {
        self.position.play(action, chance)?;
        self.percepts = self.position.percepts().reworded(&self.shared.words.percepts);
        Ok(())
    }

    fn percepts(&self) -> &Percepts {
        &self.percepts
    }

    fn codes(&self) -> Option<Vec<u32>> {
        let codes = self.position.codes()?;
        Some(match self.shared.merges() {
            None => codes,
            Some(merges) => codes.into_iter().map(|code| merges.actions.place(code)).collect(),
        })
    }

    fn unseen(&self) -> Option<String> {
        self.position.unseen()
    }

    fn planes(&self, player: Player, planes: &mut [u8]) {
        let Some(merges) = self.shared.merges() else {
            return self.position.planes(player, planes);
        };
        let [_, bytes] = merges.own_bytes();
        let mut own = vec![0; bytes];
        self.position.planes(player, &mut own);
        merges.sites.write_rows(&own, planes);
    }

    fn scores(&self) -> Option<Scores> {
        self.position.scores()
    }

    fn draw(&self) -> String {
        self.position.draw()
    }

    fn picture(&self) -> Picture {
        self.position.picture()
    }

    fn playout(&self, rng: &mut Rng, cap: u32) -> End {
        self.position.playout(rng, cap)
    }

    fn playouts(&self, job: &Job, ends: &mut Vec<End>) {
        self.position.playouts(job, ends);
    }

    fn listed_playout(&self, rng: &mut Rng, cap: u32) -> End {
        self.position.listed_playout(rng, cap)
    }

    fn search<'a>(&self, settings: SearchSettings) -> Option<Box<dyn Search + 'a>>
    where
        Self: 'a,
    {
        self.position.search(settings)
    }

    fn search_open_loop<'a>(
        &self,
        settings: SearchSettings,
        observer: Option<Player>,
    ) -> Option<Box<dyn OpenLoopSearch<'a> + 'a>>
    where
        Self: 'a,
    {
        self.position.search_open_loop(settings, observer)
    }

    fn state(&self) -> Option<&dyn Any> {
        self.position.state()
    }

    fn copy<'a>(&self) -> Box<dyn Position + 'a>
    where
        Self: 'a,
    {
        Box::new(RewordedPosition {
            position: self.position.copy(),
            shared: Arc::clone(&self.shared),
            percepts: self.percepts.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::NoChance;
    use crate::lockstep::Buffers;
    use crate::recoded::RecodedLockstep;
    use crate::toy::Toy;
    use crate::words::Wording;

    #[test]
    fn a_game_says_the_words_of_the_catalogue() {
        let game = Toy::parse("1(2(=100,0 =0,100) =50,50)").unwrap().boxed();
        let labels = |game: &dyn Game| game.open(&mut NoChance).labels();
        assert_eq!(labels(&*game), ["n1", "n4"]);
        let actions = Wording::new([("n{N}", "take {N+1}")]).unwrap();
        let words = Words { actions, ..Words::default() };
        let reworded = Reworded::new(game, words);
        assert_eq!(labels(&reworded), ["take 2", "take 5"]);
        let mut position = reworded.open(&mut NoChance);
        position.play(0, &mut NoChance).unwrap();
        assert_eq!(position.copy().label(1), "take 4");
        assert!(crate::kit::check(&reworded, &crate::kit::Effort::default()).faults.is_empty());
    }

    #[test]
    fn actions_with_one_word_have_one_code() {
        let game = Toy::parse("1(2(=100,0 *(=0,100 =3,4)) 2(=50,50 1(=1,2 =2,1)))").unwrap();
        let game = game.boxed();
        let actions = Wording::new([("n1", "a"), ("n2", "b"), ("n7", "a"), ("n8", "b")]).unwrap();
        let words = Words { actions, ..Words::default() };
        let reworded = Reworded::new(game, words);
        let encoding = reworded.encoding().unwrap();
        assert_eq!(encoding.actions[..4], ["n0", "a", "b", "n3"]);
        let report = crate::kit::check(&reworded, &crate::kit::Effort::default());
        assert_eq!(report.faults, [""; 0]);
        let (count, cap) = (70, 9);
        let job = LockstepJob { seed: 2, first: 0, count, stride: count as u64, cap };
        let merges = Arc::clone(reworded.0.merges().expect("words are fewer"));
        let plain = reworded.0.game.lockstep(&job).expect("toys have codes");
        let mut both = [
            reworded.lockstep(&job).expect("toys have codes"),
            RecodedLockstep::boxed(plain, merges),
        ];
        let mut buffers = [8, 9].map(|filler| Buffers::new(&encoding, 2, count, filler));
        let mut actions = [vec![0; count], vec![0; count]];
        for ply in 0..20 {
            for ((lockstep, buffers), actions) in
                both.iter_mut().zip(&mut buffers).zip(&mut actions)
            {
                if ply == 0 {
                    lockstep.restart(&mut buffers.views());
                }
                assert!(lockstep.check(&vec![99; count]).is_err());
                lockstep.draw(actions);
                lockstep.step(actions, true, &mut buffers.views()).expect("they are legal");
            }
            assert_eq!(actions[0], actions[1], "ply {ply}");
            assert_eq!(buffers[0], buffers[1], "ply {ply}");
        }
    }
}
