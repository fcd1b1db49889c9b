//! Games of chance: faults that show late, seldom or to one player are found by walks with the dice
//! in the walk's hand, and engines that number outcomes otherwise are not blamed.

use bench::subject::{Local, Subject};
use bench::verify::{Effort, Expected, GameProof, verify};
use play::{
    Adapted, Chance, Facts, Game, IllegalAction, Job, Mechanics, Percepts, Player, Position, Rng,
    Scores, Tally, Turn, Via,
};
use reports::Verdict;

use crate::common::{self, verdicts};

/// The faults of an engine.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Fault {
    None,
    /// Outcomes of chance have other numbers, which is no fault.
    OtherNumbers,
    /// Late in the game the die shows no six.
    NoSix,
    /// Late in the game a six is likelier.
    Loaded,
    /// Late in the game the wrong player is told what was thrown.
    WrongPlayer,
    /// Late in the game nobody is told anything.
    Silence,
    /// A seventh of the late positions lack an action.
    MissedAction,
}

/// Plies of a game, and those after which faults show: deeper than fingerprints reach.
const PLIES: usize = 16;
const LATE: usize = 9;

/// Two players in turn take what a die shows, or leave it; whoever is to move sees it. A hidden
/// card that nobody is told of counts at the end.
struct Dice {
    facts: Facts,
    fault: Fault,
}

fn dice(fault: Fault) -> Box<dyn Game> {
    let facts = Facts { players: 2, chance: true, hidden: true, ..Facts::default() };
    Adapted::boxed(Dice { facts, fault })
}

#[derive(Clone)]
struct State {
    card: u32,
    die: u32,
    sums: [u32; 2],
    plies: usize,
}

impl Dice {
    fn is_late(&self, state: &State, fault: Fault) -> bool {
        self.fault == fault && state.plies >= LATE
    }

    fn throw<C: Chance + ?Sized>(&self, state: &State, chance: &mut C) -> u32 {
        let faces = if self.is_late(state, Fault::NoSix) { 5 } else { 6 };
        if self.is_late(state, Fault::Loaded) {
            return chance.below(7).min(5) + 1;
        }
        let shown = chance.below(faces) + 1;
        if self.fault == Fault::OtherNumbers { 7 - shown } else { shown }
    }
}

impl Mechanics for Dice {
    type State = State;
    type Action = bool;

    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn initial<C: Chance + ?Sized>(&self, chance: &mut C) -> State {
        // Two draws in another order are no difference.
        let mut state = State { card: 0, die: 0, sums: [0; 2], plies: 0 };
        if self.fault == Fault::OtherNumbers {
            state.die = self.throw(&state, chance);
            state.card = 3 - chance.below(4);
        } else {
            state.card = chance.below(2) + 2 * chance.below(2);
            state.die = self.throw(&state, chance);
        }
        state
    }

    fn expand(&self, state: &mut State, legal: &mut Vec<bool>) -> Turn {
        if state.plies == PLIES {
            return Turn::Over;
        }
        legal.push(true);
        let sum = state.sums[0] + state.sums[1] + state.die;
        if !self.is_late(state, Fault::MissedAction) || !sum.is_multiple_of(7) {
            legal.push(false);
        }
        Turn::Move(Player(state.plies as u8 % 2))
    }

    fn apply<C: Chance + ?Sized>(&self, state: &mut State, takes: bool, chance: &mut C) {
        if takes {
            state.sums[state.plies % 2] += state.die;
        }
        state.plies += 1;
        state.die = self.throw(state, chance);
    }

    fn apply_perceived<C: Chance + ?Sized>(
        &self,
        state: &mut State,
        takes: bool,
        chance: &mut C,
        percepts: &mut Percepts,
    ) {
        self.apply(state, takes, chance);
        let wrong = usize::from(self.is_late(state, Fault::WrongPlayer));
        if !self.is_late(state, Fault::Silence) {
            let player = Player(((state.plies + wrong) % 2) as u8);
            percepts.tell(player, format!("die {}", state.die));
        }
    }

    fn start_percepts(&self, state: &State, percepts: &mut Percepts) {
        percepts.tell(Player(0), format!("die {}", state.die));
    }

    fn scores(&self, state: &State) -> Scores {
        let ahead = state.sums[0] as i32 - state.sums[1] as i32;
        if state.card == 0 { Scores::two(ahead, -ahead) } else { Scores::two(-ahead, ahead) }
    }

    fn label(&self, state: &State, takes: bool) -> String {
        if takes { format!("take {}", state.die) } else { "leave".to_owned() }
    }

    fn draw(&self, _: &State) -> String {
        String::new()
    }
}

/// Verifies games, each of a lineage of its own, until the proof shows what it should. However
/// little was played, only the last is ever wrong.
fn prove(games: &[(&str, &dyn Game)], shows: impl Fn(&GameProof) -> bool) -> GameProof {
    let mut subjects: Vec<Box<dyn Subject + '_>> = games
        .iter()
        .map(|&(name, game)| Box::new(Local::new(name, game)) as Box<dyn Subject + '_>)
        .collect();
    common::prove(
        &Effort::quick(11, 200),
        |effort| verify(&mut subjects, &Expected::default(), effort),
        |proof| {
            for sound in &proof.engines[..games.len() - 1] {
                assert_ne!(sound.verdict, Verdict::Wrong, "{}: {}", sound.engine, sound.reason);
            }
            shows(proof)
        },
    )
}

/// The last of these games is found, for a reason with these words, or others after a `|`.
fn last_is_found(games: &[(&str, &dyn Game)], what: &str, words: &str) {
    let is_found = |proof: &GameProof| {
        let (last, sound) = proof.engines.split_last().expect("they took part");
        last.verdict == Verdict::Wrong
            && words.split('|').any(|words| last.reason.contains(words))
            && sound.iter().all(|engine| engine.verdict == Verdict::Ok)
    };
    let proof = prove(games, is_found);
    let reasons: Vec<_> = proof.engines.iter().map(|e| (&e.engine, e.verdict, &e.reason)).collect();
    assert!(is_found(&proof), "{what}: {reasons:?}");
}

#[test]
fn sound_engines_take_the_same_walks_however_they_number_outcomes() {
    let (one, other) = (dice(Fault::None), dice(Fault::OtherNumbers));
    let walked = |proof: &GameProof| {
        let pair = proof.pairs[0].result.as_ref();
        pair.is_ok_and(|pair| pair.walks >= 4 && pair.plies >= 16 * u64::from(pair.walks))
    };
    let both: [(&str, &dyn Game); 2] = [("one", &*one), ("other", &*other)];
    let proof = prove(&both, |proof| verdicts(proof) == [Verdict::Ok; 2] && walked(proof));
    assert_eq!(verdicts(&proof), [Verdict::Ok; 2], "{:?}", proof.engines);
    assert!(walked(&proof), "{:?}", proof.pairs);
}

#[test]
fn faults_that_show_late_are_found() {
    let (one, other) = (dice(Fault::None), dice(Fault::OtherNumbers));
    for (fault, words) in [
        (Fault::NoSix, "with odds 0.1667 / 0.0000: player "),
        (Fault::Loaded, "with odds 0.1667 / 0.2857: player "),
        (Fault::WrongPlayer, "percepts [["),
        (Fault::Silence, "percepts [[], []]"),
        (Fault::MissedAction, "1 legal actions"),
    ] {
        let faulty = dice(fault);
        let games: [(&str, &dyn Game); 3] =
            [("one", &*one), ("other", &*other), ("faulty", &*faulty)];
        last_is_found(&games, &format!("{fault:?}"), words);
    }
}

/// A game of the catalogue with a fault in its positions.
struct Mutant {
    inner: Box<dyn Game>,
    fault: Fault,
}

impl Game for Mutant {
    fn facts(&self) -> &Facts {
        self.inner.facts()
    }

    fn open(&self, chance: &mut dyn Chance) -> Box<dyn Position> {
        let inner = self.inner.open(chance);
        Box::new(MutantPosition { inner, fault: self.fault, plies: 0 })
    }

    /// Plays without a fault: the faults are not in playouts.
    fn run(&self, job: &Job, via: Via) -> Tally {
        self.inner.run(job, via)
    }
}

struct MutantPosition {
    inner: Box<dyn Position>,
    fault: Fault,
    plies: u32,
}

impl Position for MutantPosition {
    fn turn(&self) -> Turn {
        self.inner.turn()
    }

    fn actions(&self) -> usize {
        let actions = self.inner.actions();
        if self.fault != Fault::MissedAction || actions < 2 {
            return actions;
        }
        // One position of a hundred, by what may be done in it.
        let labels = self.inner.labels().concat();
        let hash = labels.bytes().fold(0, |h, byte| play::mix(h ^ u64::from(byte)));
        actions - usize::from(hash.is_multiple_of(100))
    }

    fn label(&self, action: usize) -> String {
        self.inner.label(action)
    }

    fn is_pass(&self, action: usize) -> bool {
        self.inner.is_pass(action)
    }

    fn play(&mut self, action: usize, chance: &mut dyn Chance) -> Result<(), IllegalAction> {
        let legal = self.actions();
        if action >= legal {
            return Err(IllegalAction { action, legal });
        }
        self.plies += 1;
        self.inner.play(action, chance)
    }

    fn percepts(&self) -> &Percepts {
        if self.fault == Fault::Silence && self.plies >= 2 {
            Percepts::NONE
        } else {
            self.inner.percepts()
        }
    }

    fn scores(&self) -> Option<Scores> {
        self.inner.scores()
    }

    fn draw(&self) -> String {
        self.inner.draw()
    }

    fn playout(&self, rng: &mut Rng, cap: u32) -> play::End {
        play::kit::play_listed(self.copy(), rng, cap)
    }

    fn copy<'a>(&self) -> Box<dyn Position + 'a>
    where
        Self: 'a,
    {
        let Self { fault, plies, .. } = *self;
        Box::new(MutantPosition { inner: self.inner.copy(), fault, plies })
    }
}

/// A mutant of one engine beside two sound ones.
fn mutant_is_found(id: &str, engines: [&str; 2], fault: Fault, words: &str) {
    let [first, second] = engines.map(|engine| common::compile(engine, id));
    let mutant = Mutant { inner: common::compile(engines[0], id), fault };
    let games: [(&str, &dyn Game); 3] =
        [(engines[0], &*first), (engines[1], &*second), ("mutant", &mutant)];
    last_is_found(&games, id, words);
}

/// There are too many caves for a list, so that samples of them are compared.
#[test]
fn a_cave_that_falls_silent_is_found() {
    mutant_is_found("wumpus-4x4", ["bitboard", "propnet"], Fault::Silence, "percepts");
    mutant_is_found("wumpus-4x4", ["bitboard", "ludeme"], Fault::Silence, "differs from ");
}

#[test]
fn an_action_that_is_missing_in_few_positions_of_backgammon_is_found() {
    let engines = ["bitboard", "ludeme"];
    // Whichever shows it first: the walks of two, or the positions of its own playouts.
    let words = "legal actions|position by position";
    mutant_is_found("backgammon", engines, Fault::MissedAction, words);
}
