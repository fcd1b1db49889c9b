//! Planted faults are caught: the proof is worth something only if it can fail.
//!
//! Every engine is wrapped in a mutant that plays almost the same game, and is verified beside the
//! sound engines. A mutant that passes is a hole in the verification.

mod common;

use std::time::Duration;

use bench::subject::{Local, Subject};
use bench::verify::{Effort, Expected, GameProof, verify};
use play::{
    Chance, Facts, Game, IllegalAction, Job, Language, Position, Rng, Scores, Tally, Turn, Via,
};
use reports::Verdict;

/// What a mutant does wrong.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Fault {
    /// Some positions lack their last action.
    MissedAction,
    /// The last of several legal actions is never chosen: a bound that is one too small.
    BiasedChoice,
    /// Some games go on for one more ply.
    LateEnd,
    /// A draw is a win for the first.
    WrongScores,
}

const FAULTS: [Fault; 4] =
    [Fault::MissedAction, Fault::BiasedChoice, Fault::LateEnd, Fault::WrongScores];

/// A game with a fault.
struct Mutant {
    inner: Box<dyn Game>,
    fault: Fault,
}

impl Game for Mutant {
    fn facts(&self) -> &Facts {
        self.inner.facts()
    }

    fn open(&self, chance: &mut dyn Chance) -> Box<dyn Position + '_> {
        let inner = self.inner.open(chance);
        Box::new(MutantPosition { inner, fault: self.fault, plies: 0, extra: false })
    }

    fn run(&self, job: &Job, via: Via) -> Tally {
        let mut tally = Tally::default();
        for id in job.ids() {
            let mut rng = Rng::stream(job.seed, id);
            let mut position = self.open(&mut rng);
            let mut plies = 0;
            while position.turn() != Turn::Over {
                play::settle(&mut *position, &mut rng);
                let actions = position.actions() as u32;
                if actions == 0 {
                    break;
                }
                let biased = self.fault == Fault::BiasedChoice && via == Via::Fast;
                let bound = if biased { actions.max(2) - 1 } else { actions };
                let action = rng.below(bound);
                position.play(action as usize, &mut rng).expect("it is legal");
                plies += 1;
            }
            let ending = play::Ending::Over(position.scores().unwrap_or(Scores::DRAW));
            tally.record(id, play::End { plies, ending });
        }
        tally
    }
}

struct MutantPosition<'g> {
    inner: Box<dyn Position + 'g>,
    fault: Fault,
    plies: u32,
    /// The ply that comes too many was played.
    extra: bool,
}

impl MutantPosition<'_> {
    /// Whether the game is over one ply too late here: after an even number of plies.
    fn late(&self) -> bool {
        self.fault == Fault::LateEnd
            && !self.extra
            && self.inner.turn() == Turn::Over
            && self.plies.is_multiple_of(2)
    }
}

impl Position for MutantPosition<'_> {
    fn turn(&self) -> Turn {
        if self.late() { Turn::Move(play::Player(0)) } else { self.inner.turn() }
    }

    fn actions(&self) -> usize {
        let actions = self.inner.actions();
        if self.late() {
            1
        } else if self.fault == Fault::MissedAction && self.plies == 4 && actions > 1 {
            actions - 1
        } else {
            actions
        }
    }

    fn label(&self, action: usize) -> String {
        if self.late() { "z9".to_owned() } else { self.inner.label(action) }
    }

    fn is_pass(&self, action: usize) -> bool {
        self.inner.is_pass(action)
    }

    fn play(&mut self, action: usize, chance: &mut dyn Chance) -> Result<(), IllegalAction> {
        let legal = self.actions();
        if action >= legal {
            return Err(IllegalAction { action, legal });
        }
        if self.late() {
            self.extra = true;
            return Ok(());
        }
        self.plies += 1;
        self.inner.play(action, chance)
    }

    fn scores(&self) -> Option<Scores> {
        if self.late() {
            return None;
        }
        let scores = self.inner.scores()?;
        let wrong = self.fault == Fault::WrongScores && scores == Scores::DRAW;
        Some(if wrong { Scores::FIRST } else { scores })
    }

    fn draw(&self) -> String {
        self.inner.draw()
    }

    fn sample(&self, _rng: &mut Rng) -> Option<usize> {
        None
    }

    fn copy<'a>(&self) -> Box<dyn Position + 'a>
    where
        Self: 'a,
    {
        let Self { fault, plies, extra, .. } = *self;
        Box::new(MutantPosition { inner: self.inner.copy(), fault, plies, extra })
    }
}

fn verify_games(games: &[(&str, &dyn Game)], expected: &Expected) -> GameProof {
    verify_for(games, expected, 250)
}

/// Verifies with so many milliseconds for each kind of evidence.
fn verify_for(games: &[(&str, &dyn Game)], expected: &Expected, time: u64) -> GameProof {
    let mut subjects: Vec<Box<dyn Subject + '_>> = games
        .iter()
        .map(|&(name, game)| Box::new(Local::new(name, game)) as Box<dyn Subject + '_>)
        .collect();
    let effort = Effort { time: Duration::from_millis(time), ..Effort::quick(11, 100) };
    verify(&mut subjects, expected, &effort)
}

fn verdict(proof: &GameProof, engine: &str) -> (Verdict, String) {
    let found = proof.engines.iter().find(|e| e.engine == engine).expect("it took part");
    (found.verdict, found.reason.clone())
}

const ENGINES: [&str; 4] = ["bitboard", "ludeme", "propnet", "prover"];

#[test]
fn sound_engines_pass() {
    let games: Vec<_> = ENGINES.map(|e| (e, common::compile(e, "tic-tac-toe-3x3"))).into();
    let games: Vec<(&str, &dyn Game)> = games.iter().map(|(n, g)| (*n, &**g)).collect();
    let proof = verify_games(&games, &Expected::default());
    for engine in &proof.engines {
        assert_eq!(engine.verdict, Verdict::Ok, "{}: {}", engine.engine, engine.reason);
    }
    assert_eq!(proof.pairs.len(), 6);
}

#[test]
fn a_fault_planted_in_a_quick_engine_is_caught() {
    faults_are_caught("bitboard");
    faults_are_caught("ludeme");
}

#[test]
fn a_fault_planted_in_an_engine_of_logic_is_caught() {
    faults_are_caught("propnet");
    faults_are_caught("prover");
}

fn faults_are_caught(engine: &str) {
    let peers: Vec<_> = ENGINES
        .into_iter()
        .filter(|&peer| peer != engine)
        .map(|peer| (peer, common::compile(peer, "tic-tac-toe-3x3")))
        .collect();
    for fault in FAULTS {
        let mutant = Mutant { inner: common::compile(engine, "tic-tac-toe-3x3"), fault };
        let mut games: Vec<(&str, &dyn Game)> = vec![("mutant", &mutant)];
        // A bias shows in the statistics alone, which take a slow engine its time.
        let biased = fault == Fault::BiasedChoice;
        let (peers, time) = if biased { (&peers[..2], 1500) } else { (&peers[..], 250) };
        games.extend(peers.iter().map(|(name, game)| (*name, &**game)));
        let proof = verify_for(&games, &Expected::default(), time);
        let (found, reason) = verdict(&proof, "mutant");
        assert_eq!(found, Verdict::Wrong, "{engine} with {fault:?} passed");
        assert!(!reason.is_empty());
        for (peer, _) in peers {
            let (found, reason) = verdict(&proof, peer);
            assert_eq!(found, Verdict::Ok, "{peer} is blamed for {engine}'s {fault:?}: {reason}");
        }
    }
}

#[test]
fn recorded_numbers_convict_where_there_is_no_peer() {
    let expected = Expected {
        players: Some(2),
        perft: vec![9, 72, 504, 3024, 15120],
        mean_plies: Some((7.626, 0.001)),
        mean_scores: Some(vec![64.8, 35.2]),
        score_tolerance: 0.5,
    };
    let sound = common::compile("bitboard", "tic-tac-toe-3x3");
    let proof = verify_games(&[("sound", &*sound)], &expected);
    assert_eq!(verdict(&proof, "sound").0, Verdict::Ok, "{:?}", proof.engines);
    for fault in FAULTS {
        let mutant = Mutant { inner: common::compile("bitboard", "tic-tac-toe-3x3"), fault };
        let proof = verify_games(&[("mutant", &mutant)], &expected);
        assert_eq!(verdict(&proof, "mutant").0, Verdict::Wrong, "{fault:?}");
    }
}

#[test]
fn two_that_disagree_are_both_wrong_until_somebody_finds_out() {
    let sound = common::compile("bitboard", "tic-tac-toe-3x3");
    let fault = Fault::WrongScores;
    let mutant = Mutant { inner: common::compile("bitboard", "tic-tac-toe-3x3"), fault };
    let proof = verify_games(&[("sound", &*sound), ("mutant", &mutant)], &Expected::default());
    assert!(proof.engines.iter().all(|e| e.verdict == Verdict::Wrong), "{:?}", proof.engines);
}

/// Compiles rules of the catalogue after a change of their text.
fn altered(
    engine: &str,
    id: &str,
    language: Language,
    change: impl Fn(&str) -> String,
) -> Box<dyn Game> {
    let rules = common::rules(id, language);
    let text = change(rules.source.text());
    assert_ne!(text, rules.source.text(), "the change found nothing to change");
    let engine = roster::engine(engine).expect("it is in the roster");
    common::compile_rules(&*engine, &play::Rules::new(language, "altered", text))
}

#[test]
fn a_missed_diagonal_is_caught_with_a_short_counterexample() {
    let truth = common::compile("bitboard", "connect-4-6x7");
    let other = common::compile("propnet", "connect-4-6x7");
    let lud = altered("ludeme", "connect-4-6x7", Language::Lud, |text| {
        text.replace("(is Line 4)", "(is Line 4 Orthogonal)")
    });
    let games: [(&str, &dyn Game); 3] =
        [("bitboard", &*truth), ("propnet", &*other), ("mutant", &*lud)];
    let proof = verify_games(&games, &Expected::default());
    let (found, reason) = verdict(&proof, "mutant");
    assert_eq!(found, Verdict::Wrong, "{:?}", proof.engines);
    assert_eq!(verdict(&proof, "bitboard").0, Verdict::Ok);
    // Four in a diagonal rest on six other stones; the tenth of the eleven plies is the loser's.
    let walk = proof
        .pairs
        .iter()
        .find_map(|pair| pair.result.as_ref().err())
        .map(|counterexample| counterexample.walk.clone())
        .expect("the pair differs");
    assert!((11..=16).contains(&walk.len()), "{reason}");
}

/// Engines number the outcomes of chance each in its own order, at the start and later.
#[test]
fn the_order_of_chance_is_no_difference_and_its_odds_are() {
    let toy = |tree: &str| play::toy::Toy::parse(tree).unwrap().boxed();
    let sound = toy("*(1(*(=100,0 2(=0,100 =50,50)) =50,50) 2(=0,100 =100,0))");
    let reversed = toy("*(2(=100,0 =0,100) 1(=50,50 *(2(=50,50 =0,100) =100,0)))");
    let loaded = toy("*(1(*(=100,0 =100,0 2(=0,100 =50,50)) =50,50) 2(=0,100 =100,0))");
    let proof = verify_games(&[("a", &*sound), ("b", &*reversed)], &Expected::default());
    for engine in &proof.engines {
        assert_eq!(engine.verdict, Verdict::Ok, "{}: {}", engine.engine, engine.reason);
    }
    let depth = proof.pairs[0].result.as_ref().map(|proof| proof.depth);
    assert!(depth.is_ok_and(|depth| depth >= 3), "{:?}", proof.pairs);
    let proof =
        verify_games(&[("a", &*sound), ("b", &*reversed), ("c", &*loaded)], &Expected::default());
    let verdicts = ["a", "b", "c"].map(|engine| verdict(&proof, engine).0);
    assert_eq!(verdicts, [Verdict::Ok, Verdict::Ok, Verdict::Wrong]);
}
