//! Planted faults are caught: the proof is worth something only if it can fail.
//!
//! Every engine is wrapped in a mutant that plays almost the same game, and is verified beside the
//! sound engines. A mutant that passes is a hole in the verification.

use std::sync::atomic::{AtomicU64, Ordering};

use bench::subject::{Local, Subject};
use bench::verify::{Effort, Expected, GameProof, verify};
use play::{
    Chance, Facts, Game, IllegalAction, Job, Language, PlayoutMode, Position, Rng, Scores, Tally,
    Turn, Via,
};
use reports::Verdict;

use crate::common::{self, verdicts};

/// The fault of a mutant.
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
    /// The fast path gives one of 1,000 playouts the wrong result.
    RareResult,
    /// The fast path ends one of 1,000 playouts two plies too early.
    RareLength,
    /// All ways give one of 1,000 playouts the wrong result.
    RareResultEverywhere,
    /// All ways exchange the results of two players in one of 100 playouts.
    ExchangedEverywhere,
    /// All ways end one of 1,000 playouts two plies too early.
    RareLengthEverywhere,
    /// The fast path draws from 8 random bits.
    FewBits,
    /// Two successive ids play the same playout.
    Twice,
    /// Of 8 lanes, one has the random stream of another.
    SharedLane,
    /// Of 64 ids, one has the random stream of another.
    SharedStream,
    /// The id has no part in the random stream.
    IdIgnored,
    /// The seed has none.
    SeedIgnored,
    /// Earlier playouts change later ones.
    CarriedOver,
}

/// Faults of the game that is played: they show in its positions.
const OF_RULES: [Fault; 3] = [Fault::MissedAction, Fault::LateEnd, Fault::WrongScores];

/// Faults of how playouts are played.
const OF_PLAYOUTS: [Fault; 13] = [
    Fault::BiasedChoice,
    Fault::RareResult,
    Fault::RareLength,
    Fault::RareResultEverywhere,
    Fault::ExchangedEverywhere,
    Fault::RareLengthEverywhere,
    Fault::FewBits,
    Fault::Twice,
    Fault::SharedLane,
    Fault::SharedStream,
    Fault::IdIgnored,
    Fault::SeedIgnored,
    Fault::CarriedOver,
];

/// A game with a fault.
struct Mutant {
    inner: Box<dyn Game>,
    facts: Facts,
    fault: Fault,
    jobs: AtomicU64,
}

impl Mutant {
    fn new(inner: Box<dyn Game>, fault: Fault) -> Mutant {
        let facts = Facts {
            fast: PlayoutMode::default(),
            batch: None,
            interpreted: None,
            listed: false,
            ..inner.facts().clone()
        };
        Mutant { inner, facts, fault, jobs: AtomicU64::new(0) }
    }

    /// The random stream of a playout at a place of a job.
    fn stream(&self, job: &Job, id: u64) -> Rng {
        let lane = (id - job.first) % 8;
        let carried = self.jobs.load(Ordering::Relaxed);
        let (seed, id) = match self.fault {
            Fault::Twice => (job.seed, id / 2),
            Fault::SharedLane if lane == 5 => (job.seed, id - 3),
            Fault::SharedStream if id % 64 == 40 => (job.seed, id - 37),
            Fault::IdIgnored => (job.seed, 0),
            Fault::SeedIgnored => (0, id),
            Fault::CarriedOver => (job.seed + carried, id),
            _ => (job.seed, id),
        };
        Rng::stream(seed, id)
    }
}

impl Game for Mutant {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn open(&self, chance: &mut dyn Chance) -> Box<dyn Position> {
        let inner = self.inner.open(chance);
        Box::new(MutantPosition { inner, fault: self.fault, plies: 0, extra: false })
    }

    fn run(&self, job: &Job, via: Via) -> Tally {
        self.jobs.fetch_add(1, Ordering::Relaxed);
        // A fault of the fast path alone, unless it is one of all ways.
        let everywhere =
            [Fault::RareResultEverywhere, Fault::ExchangedEverywhere, Fault::RareLengthEverywhere];
        let is_here = |fault: &Fault| via == Via::Fast || everywhere.contains(fault);
        let fault = Some(self.fault).filter(is_here);
        let mut tally = Tally::default();
        for id in job.ids() {
            let rare = play::mix(id).is_multiple_of(1000);
            let mut rng = self.stream(job, id);
            let mut position = self.open(&mut rng);
            let mut plies = 0;
            while position.turn() != Turn::Over {
                play::settle(&mut *position, &mut rng);
                let actions = position.actions() as u32;
                if actions == 0 || plies == job.cap {
                    break;
                }
                let action = match fault {
                    Some(Fault::BiasedChoice) => rng.below(actions.max(2) - 1),
                    Some(Fault::FewBits) => {
                        (((rng.next_u64() >> 56) * u64::from(actions)) >> 8) as u32
                    }
                    _ => rng.below(actions),
                };
                position.play(action as usize, &mut rng).expect("it is legal");
                plies += 1;
            }
            let mut scores = position.scores().unwrap_or(Scores::DRAW);
            match fault {
                Some(Fault::ExchangedEverywhere) if play::mix(id).is_multiple_of(100) => {
                    scores =
                        Scores::new([scores.get(play::Player(1)), scores.get(play::Player(0))]);
                }
                Some(Fault::RareResult | Fault::RareResultEverywhere) if rare => {
                    let other =
                        if scores == Scores::FIRST { Scores::SECOND } else { Scores::FIRST };
                    scores = other;
                }
                Some(Fault::RareLength | Fault::RareLengthEverywhere) if rare => plies -= 2,
                _ => {}
            }
            tally.record(id, play::End { plies, ending: play::Ending::Over(scores) });
        }
        tally
    }
}

struct MutantPosition {
    inner: Box<dyn Position>,
    fault: Fault,
    plies: u32,
    /// The ply that comes too many was played.
    extra: bool,
}

impl MutantPosition {
    /// True if the game is over one ply too late here: after an even number of plies.
    fn late(&self) -> bool {
        self.fault == Fault::LateEnd
            && !self.extra
            && self.inner.turn() == Turn::Over
            && self.plies.is_multiple_of(2)
    }
}

impl Position for MutantPosition {
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

    fn playout(&self, rng: &mut Rng, cap: u32) -> play::End {
        play::kit::play_listed(self.copy(), rng, cap)
    }

    fn copy<'a>(&self) -> Box<dyn Position + 'a>
    where
        Self: 'a,
    {
        let Self { fault, plies, extra, .. } = *self;
        Box::new(MutantPosition { inner: self.inner.copy(), fault, plies, extra })
    }
}

/// Verifies games, each of a lineage of its own, until the proof shows what it should.
fn verify_games(
    games: &[(&str, &dyn Game)],
    expected: &Expected,
    shows: impl Fn(&GameProof) -> bool,
) -> GameProof {
    let alone: Vec<_> = games.iter().map(|&(name, game)| (name, name, game)).collect();
    verify_lineages(&alone, expected, shows)
}

/// Verifies games by engine and lineage until the proof shows what it should.
fn verify_lineages(
    games: &[(&str, &str, &dyn Game)],
    expected: &Expected,
    shows: impl Fn(&GameProof) -> bool,
) -> GameProof {
    let local =
        |&(name, lineage, game): &(&str, &str, _)| Local::new(name, game).of_lineage(lineage);
    let mut subjects: Vec<Box<dyn Subject + '_>> =
        games.iter().map(|game| Box::new(local(game)) as Box<dyn Subject + '_>).collect();
    let verify = |effort: &Effort| verify(&mut subjects, expected, effort);
    common::prove(&Effort::quick(11, 100), verify, shows)
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
    let proof = verify_games(&games, &Expected::default(), |proof| {
        verdicts(proof).iter().all(|&found| found == Verdict::Ok)
    });
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
    for fault in OF_RULES {
        let mutant = Mutant::new(common::compile(engine, "tic-tac-toe-3x3"), fault);
        only_the_mutant_is_blamed(&mutant, &peers, &format!("{engine} with {fault:?}"), "");
    }
}

/// Verifies a mutant beside sound engines until it is found for a reason with these words.
fn only_the_mutant_is_blamed(
    mutant: &Mutant,
    peers: &[(&str, Box<dyn Game>)],
    what: &str,
    words: &str,
) {
    let mut games: Vec<(&str, &str, &dyn Game)> = vec![("mutant", "mutant", mutant)];
    games.extend(peers.iter().map(|(name, game)| (*name, *name, &**game)));
    // Agreeing with a wrong engine shows nothing, so that a lone peer has nothing to show.
    let sound = if peers.len() > 1 { Verdict::Ok } else { Verdict::Unchecked };
    let proof = verify_lineages(&games, &Expected::default(), |proof| {
        let (found, blame) = verdict(proof, "mutant");
        let of_peers: Vec<_> = peers.iter().map(|(peer, _)| verdict(proof, peer).0).collect();
        assert!(!of_peers.contains(&Verdict::Wrong), "a peer is blamed for {what}: {of_peers:?}");
        let all_sound = of_peers.iter().all(|&found| found == sound);
        found == Verdict::Wrong && blame.contains(words) && all_sound
    });
    let (found, blame) = verdict(&proof, "mutant");
    assert_eq!(found, Verdict::Wrong, "{what} passed");
    assert!(blame.contains(words), "{what}: {blame}");
    for (peer, _) in peers {
        let (found, reason) = verdict(&proof, peer);
        assert_eq!(found, sound, "{peer} is blamed for {what} ({blame}): {reason}");
    }
}

/// Each of them shows in what the engine does by itself, so that no vote is needed.
#[test]
fn faults_of_playouts_are_caught_and_said() {
    let peers = [("ludeme", common::compile("ludeme", "tic-tac-toe-3x3"))];
    for fault in OF_PLAYOUTS {
        let mutant = Mutant::new(common::compile("bitboard", "tic-tac-toe-3x3"), fault);
        let words = match fault {
            Fault::Twice => "ids lie 1 apart",
            Fault::SharedLane => "do not add up to the job of all of them",
            Fault::SharedStream => "3 and 40 when divided by 64",
            Fault::IdIgnored => "ids lie 1 apart",
            Fault::SeedIgnored => "the same id under the next seed",
            Fault::CarriedOver => "one by one do not add up",
            Fault::RareResultEverywhere
            | Fault::ExchangedEverywhere
            | Fault::RareLengthEverywhere => "where it is taken position by position",
            _ => "do not play the same playouts, as promised: playout ",
        };
        only_the_mutant_is_blamed(&mutant, &peers, &format!("{fault:?}"), words);
    }
}

/// An engine that sees nothing is no accomplice, and one that shares the fault is.
#[test]
fn engines_of_one_lineage_have_one_vote() {
    let sound = |engine| common::compile(engine, "tic-tac-toe-3x3");
    let mutant = |engine| Mutant::new(sound(engine), Fault::LateEnd);
    let (bitboard, ludeme) = (sound("bitboard"), sound("ludeme"));
    let (first, second) = (mutant("propnet"), mutant("propnet-batch"));
    let proof = verify_lineages(
        &[
            ("propnet", "gdl", &first),
            ("propnet-batch", "gdl", &second),
            ("bitboard", "bitboard", &*bitboard),
            ("ludeme", "ludeme", &*ludeme),
        ],
        &Expected::default(),
        |proof| verdicts(proof) == [Verdict::Wrong, Verdict::Wrong, Verdict::Ok, Verdict::Ok],
    );
    for (engine, expected) in [
        ("propnet", Verdict::Wrong),
        ("propnet-batch", Verdict::Wrong),
        ("bitboard", Verdict::Ok),
        ("ludeme", Verdict::Ok),
    ] {
        let (found, reason) = verdict(&proof, engine);
        assert_eq!(found, expected, "{engine}: {reason}");
    }
    let (_, reason) = verdict(&proof, "propnet");
    assert!(reason.contains("differs from bitboard: after "), "{reason}");
    assert!(reason.contains("with bitboard: ludeme"), "{reason}");

    // Two of one lineage do not outvote one.
    let proof = verify_lineages(
        &[("propnet", "gdl", &first), ("propnet-batch", "gdl", &second), ("b", "b", &*bitboard)],
        &Expected::default(),
        |proof| verdicts(proof) == [Verdict::Disputed; 3],
    );
    for engine in &proof.engines {
        assert_eq!(engine.verdict, Verdict::Disputed, "{}: {}", engine.engine, engine.reason);
        assert!(engine.reason.contains("nothing decides who is right"), "{}", engine.reason);
    }
    // The record decides where votes do not.
    let expected = Expected { perft: vec![9, 72, 504, 3024, 15120, 54720], ..Expected::default() };
    let decided = [Verdict::Wrong, Verdict::Wrong, Verdict::Ok];
    let proof = verify_lineages(
        &[("propnet", "gdl", &first), ("propnet-batch", "gdl", &second), ("b", "b", &*bitboard)],
        &Expected { mean_plies: Some((7.626, 0.001)), ..expected },
        |proof| verdicts(proof) == decided,
    );
    assert_eq!(verdicts(&proof), decided);
}

/// Games of chance are walked in another way; a game that only claims to be one does not escape.
#[test]
fn a_false_claim_of_chance_is_caught() {
    let peers = [
        ("bitboard", common::compile("bitboard", "tic-tac-toe-3x3")),
        ("ludeme", common::compile("ludeme", "tic-tac-toe-3x3")),
    ];
    let mut mutant =
        Mutant::new(common::compile("bitboard", "tic-tac-toe-3x3"), Fault::WrongScores);
    mutant.facts.chance = true;
    only_the_mutant_is_blamed(&mutant, &peers, "a claim of chance", "chance has");
}

#[test]
fn an_empty_game_is_unchecked() {
    let empty = play::toy::Toy::parse("=100,0").unwrap().boxed();
    let other = play::toy::Toy::parse("=100,0").unwrap().boxed();
    for games in [&[("a", &*empty)][..], &[("a", &*empty), ("b", &*other)]] {
        let proof = verify_games(games, &Expected::default(), |_| true);
        let (found, reason) = verdict(&proof, "a");
        assert_eq!(found, Verdict::Unchecked, "{reason}");
        assert!(reason.contains("nobody ever chooses"), "{reason}");
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
    let proof =
        verify_games(&[("sound", &*sound)], &expected, |proof| verdicts(proof) == [Verdict::Ok]);
    assert_eq!(verdicts(&proof), [Verdict::Ok], "{:?}", proof.engines);
    for fault in [&OF_RULES[..], &OF_PLAYOUTS].concat() {
        let mutant = Mutant::new(common::compile("bitboard", "tic-tac-toe-3x3"), fault);
        let proof = verify_games(&[("mutant", &mutant)], &expected, |proof| {
            verdicts(proof) == [Verdict::Wrong]
        });
        assert_eq!(verdicts(&proof), [Verdict::Wrong], "{fault:?}");
    }
}

#[test]
fn two_that_disagree_are_disputed_until_somebody_finds_out() {
    let sound = common::compile("bitboard", "tic-tac-toe-3x3");
    let mutant = Mutant::new(common::compile("bitboard", "tic-tac-toe-3x3"), Fault::WrongScores);
    let both: [(&str, &dyn Game); 2] = [("sound", &*sound), ("mutant", &mutant)];
    let proof = verify_games(&both, &Expected::default(), |proof| {
        verdicts(proof) == [Verdict::Disputed; 2]
    });
    for engine in &proof.engines {
        assert_eq!(engine.verdict, Verdict::Disputed, "{}: {}", engine.engine, engine.reason);
        let words = "sound and mutant differ, and nothing decides who is right: after ";
        assert!(engine.reason.contains(words), "{}", engine.reason);
    }
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
    let plies = |proof: &GameProof| {
        let found = proof.pairs.iter().find_map(|pair| pair.result.as_ref().err());
        found.map(|counterexample| counterexample.walk.len())
    };
    // Four in a diagonal rest on six other stones; the second player's fourth is the tenth.
    let short = |proof: &GameProof| plies(proof).is_some_and(|plies| (10..=16).contains(&plies));
    let expected = [Verdict::Ok, Verdict::Ok, Verdict::Wrong];
    let proof = verify_games(&games, &Expected::default(), |proof| {
        verdicts(proof) == expected && short(proof)
    });
    assert_eq!(verdicts(&proof), expected, "{:?}", proof.engines);
    assert!(short(&proof), "{}", verdict(&proof, "mutant").1);
}

/// Engines number the outcomes of chance each in its own order, at the start and later.
#[test]
fn the_order_of_chance_is_no_difference_and_its_odds_are() {
    let toy = |tree: &str| play::toy::Toy::parse(tree).unwrap().boxed();
    let sound = toy("*(1(*(=100,0 2(=0,100 =50,50)) =50,50) 2(=0,100 =100,0))");
    let reversed = toy("*(2(=100,0 =0,100) 1(=50,50 *(2(=50,50 =0,100) =100,0)))");
    let loaded = toy("*(1(*(=100,0 =100,0 2(=0,100 =50,50)) =50,50) 2(=0,100 =100,0))");
    let expected = Expected::default();
    let deep = |proof: &GameProof| proof.pairs[0].result.as_ref().is_ok_and(|pair| pair.depth >= 3);
    let proof = verify_games(&[("a", &*sound), ("b", &*reversed)], &expected, |proof| {
        verdicts(proof) == [Verdict::Ok; 2] && deep(proof)
    });
    for engine in &proof.engines {
        assert_eq!(engine.verdict, Verdict::Ok, "{}: {}", engine.engine, engine.reason);
    }
    assert!(deep(&proof), "{:?}", proof.pairs);
    let found = [Verdict::Ok, Verdict::Ok, Verdict::Wrong];
    let all: [(&str, &dyn Game); 3] = [("a", &*sound), ("b", &*reversed), ("c", &*loaded)];
    let proof = verify_games(&all, &expected, |proof| verdicts(proof) == found);
    assert_eq!(verdicts(&proof), found);
}
