//! A game has one set of words: what was recorded on one engine is the same on every other.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use agents::Budget;
use bench::client::Bounds;
use bench::seat::{EngineGames, Setting, play_trial};
use bench::subject::{Local, Subject};
use bench::trial::{Agreement, Header, Trial, follow};
use bench::verify::{Effort, Expected, verify};
use games::{Catalogue, GameEntry};
use play::{Game, Job, Language, Limits, Promise, Rng, Rules, Via, Wording, Words, mix, settle};
use rayon::prelude::*;
use reports::Verdict;

use crate::common;
use crate::common::pairs::{Pair, pairs};

/// Engines that do not say the words of a game, and why.
const LEFT: [(&str, &str, &str); 1] = [(
    "hunt-the-wumpus",
    "ludeme",
    "an action of ludemes has two sites at most, and a shot up to five rooms: sites of the hand stand \
     for shots, each for another one in every room",
)];

/// Games that are recorded on each engine of a game: the most plies of each.
const CAPS: [u32; 2] = [12, 60];

/// Games in which pawns are promoted: one more is recorded on the first engine.
const LATE: [&str; 2] = ["chess", "skirmish-8x8"];

/// A game on an engine, with games that were recorded there.
struct Keeper {
    engine: &'static str,
    game: &'static dyn Game,
    header: Header,
    trials: Vec<Trial>,
}

fn keepers(entry: &GameEntry) -> Vec<Keeper> {
    let mut keepers = Vec::new();
    // `propnet-batch` has the positions of `propnet`.
    let own = |pair: &&Pair| pair.entry.id == entry.id && pair.engine.id() != "propnet-batch";
    for pair in pairs().iter().filter(own) {
        let (start, engine, game) = (Instant::now(), pair.engine.id(), pair.game());
        promises_are_kept(&pair.name(), game);
        let header = Header::new(&entry.id, &pair.rules, engine, game.facts(), entry.cap);
        let play = |cap: u32, number: u64| {
            let seed = mix(0x1abe1 ^ mix(number));
            record(game, &pair.rules, cap.min(entry.cap), number, seed)
        };
        let mut trials: Vec<Trial> = CAPS.into_iter().zip(0..).map(|(c, n)| play(c, n)).collect();
        if LATE.contains(&&*entry.id) && keepers.is_empty() {
            let promotes = |trial: &Trial| trial.plies.iter().any(|ply| is_promotion(&ply.label));
            trials.extend((2..100).map(|number| play(200, number)).find(promotes));
            assert!(trials.len() > CAPS.len(), "{}: no pawn is promoted", entry.id);
        }
        log(start, || format!("{}: compiled and recorded", pair.name()));
        keepers.push(Keeper { engine, game, header, trials });
    }
    keepers
}

/// Loops that promise the playouts of the reference play them.
fn promises_are_kept(pair: &str, game: &dyn Game) {
    let job = Job { seed: 11, first: 3, count: 40, cap: 30 };
    let reference = game.run(&job, Via::Reference);
    for via in [Via::Fast, Via::Batch, Via::Interpreted] {
        let promise = game.facts().mode(via).map(|mode| mode.promise);
        let is_kept = promise != Some(Promise::SamePlayouts) || game.run(&job, via) == reference;
        assert!(is_kept, "{pair}, {via:?}");
    }
}

fn log(start: Instant, what: impl Fn() -> String) {
    if start.elapsed() > Duration::from_millis(250) {
        eprintln!("{} in {:.2?}", what(), start.elapsed());
    }
}

/// True if a label is that of a promotion.
fn is_promotion(label: &str) -> bool {
    label.len() == 5 && label.ends_with(['q', 'r', 'b', 'n'])
}

/// A game of random agents.
fn record(game: &dyn Game, rules: &Rules, cap: u32, number: u64, seed: u64) -> Trial {
    let setting = Setting {
        rules: rules.clone(),
        bounds: Bounds::default(),
        budget: Budget::Iterations(1),
        cap,
        games: EngineGames::default(),
    };
    let names = vec!["random".to_owned(); usize::from(game.facts().players)];
    play_trial(game, &setting, &names, number, seed).unwrap()
}

/// The first of some trials that an engine does not follow, and why.
fn lost(to: &Keeper, from: &Keeper) -> Option<String> {
    from.trials.iter().find_map(|trial| {
        match follow(to.game, &from.header, trial, false, false).agreement {
            Agreement::Agrees => None,
            Agreement::Differs(difference) => Some(difference.to_string()),
            Agreement::NotFollowed(reason) => Some(reason),
        }
    })
}

/// True if the first action of some recorded game is legal at the start of a random one.
fn begins_alike(to: &Keeper, from: &Keeper) -> bool {
    let mut rng = Rng::stream(7, 7);
    let mut starts = (0..100).map(|_| {
        let mut position = to.game.open(&mut rng);
        settle(&mut *position, &mut rng);
        position.labels()
    });
    let first: Vec<&String> = from.trials.iter().map(|trial| &trial.plies[0].label).collect();
    starts.any(|labels| first.iter().any(|label| labels.contains(label)))
}

/// The number of pairs of engines of a game, and a line for each between which games do not travel.
fn failures(entry: &GameEntry) -> (usize, String) {
    let keepers = keepers(entry);
    let is_left = |keeper: &Keeper| LEFT.iter().any(|l| (l.0, l.1) == (&*entry.id, keeper.engine));
    let (mut pairs, mut failures) = (0, String::new());
    for from in &keepers {
        for to in keepers.iter().filter(|to| to.engine != from.engine) {
            pairs += 1;
            let start = Instant::now();
            let lost = if !is_left(from) && !is_left(to) {
                lost(to, from)
            } else {
                let works = "its labels are known there: it is to leave the list";
                begins_alike(to, from).then(|| works.to_owned())
            };
            log(start, || format!("{}, {} to {}: followed", entry.id, from.engine, to.engine));
            if let Some(why) = lost {
                failures +=
                    &format!("{:20} {:13} -> {:13} {why}\n", entry.id, from.engine, to.engine);
            }
        }
    }
    (pairs, failures)
}

#[test]
fn every_game_replays_on_every_engine() {
    let catalogue = Catalogue::embedded().unwrap_or_else(|e| panic!("{e}"));
    let wanted = std::env::var("GAMES").unwrap_or_default();
    let games = catalogue.games().par_iter();
    let games = games.filter(|game| wanted.is_empty() || wanted.split(',').any(|w| w == game.id));
    let found: Vec<_> = games.map(failures).collect();
    let pairs: usize = found.iter().map(|(pairs, _)| pairs).sum();
    let text: String = found.into_iter().map(|(_, failures)| failures).collect();
    eprintln!("{pairs} pairs");
    assert!(text.is_empty(), "{text}{} of {pairs} pairs fail", text.lines().count());
}

/// Labels and percepts of positions of random games, as the description says them.
fn said(game: &dyn Game, cap: u32, number: u64, hear: &mut impl FnMut(&str, bool)) {
    let mut rng = Rng::stream(5, number);
    let mut position = game.open(&mut rng);
    for _ in 0..cap {
        settle(&mut *position, &mut rng);
        let percepts = position.percepts().all(game.facts().perceiving());
        percepts.iter().flatten().for_each(|percept| hear(percept, true));
        let labels = position.labels();
        labels.iter().for_each(|label| hear(label, false));
        if labels.is_empty() {
            break;
        }
        let action = rng.below(labels.len() as u32) as usize;
        position.play(action, &mut rng).unwrap();
    }
}

#[test]
fn every_word_of_a_manifest_is_said() {
    let catalogue = Catalogue::embedded().unwrap_or_else(|e| panic!("{e}"));
    let rules = catalogue.games().iter().flat_map(|game| {
        let of = |&language| Some((game, game.rules_in(language)?));
        game.descriptions.keys().filter_map(of).collect::<Vec<_>>()
    });
    let with_words: Vec<_> = rules.filter(|(_, rules)| !rules.words.are_its_own()).collect();
    assert!(with_words.len() > 10);
    with_words.par_iter().for_each(|(entry, rules)| {
        let engines = roster::engines();
        let engine = engines.iter().find(|e| e.languages().contains(&rules.language)).unwrap();
        let game = engine.compile(rules, &Limits::default()).unwrap().game;
        let Words { actions, percepts, .. } = &rules.words;
        let entries = [actions, percepts].map(Wording::entries);
        let mut unsaid: BTreeSet<(bool, usize)> = BTreeSet::new();
        for (is_percept, entries) in [false, true].into_iter().zip(entries) {
            unsaid.extend((0..entries.len()).map(|entry| (is_percept, entry)));
        }
        for number in 0..300 {
            if unsaid.is_empty() {
                break;
            }
            said(&*game, entry.cap.min(600), number, &mut |text, is_percept| {
                let wording = if is_percept { percepts } else { actions };
                if let Some(entry) = wording.entry_of(text) {
                    unsaid.remove(&(is_percept, entry));
                }
            });
        }
        let texts = unsaid.iter().map(|&(is_percept, at)| &entries[usize::from(is_percept)][at].0);
        let texts: Vec<&String> = texts.collect();
        assert!(texts.is_empty(), "{} in {}: nothing is {texts:?}", entry.id, rules.language);
    });
}

#[test]
fn engines_that_name_actions_otherwise_differ() {
    let plain = common::rules("tic-tac-toe-3x3", Language::Kif);
    let actions = Wording::new([("a1", "corner")]).unwrap();
    let words = Words { actions, ..plain.words.clone() };
    let rules = Rules { words, ..plain.clone() };
    let load = |engine: &str, rules: &Rules| {
        roster::engine(engine).unwrap().load(rules, &Limits::default()).unwrap().game
    };
    let games = [("one", load("prover", &plain)), ("other", load("propnet", &rules))];
    let verdicts = |says_words: bool| {
        let subjects = games.iter().map(|(name, game)| {
            Box::new(Local::new(*name, &**game).saying_words(says_words)) as Box<dyn Subject + '_>
        });
        let effort = Effort { time: Duration::from_millis(50), ..Effort::quick(1, 20) };
        verify(&mut subjects.collect::<Vec<_>>(), &Expected::default(), &effort).engines
    };
    for engine in verdicts(true) {
        assert_eq!(engine.verdict, Verdict::Disputed, "{}: {}", engine.engine, engine.reason);
        let otherwise = "legal actions are called otherwise: a1 / corner";
        assert!(engine.reason.contains(otherwise), "{}", engine.reason);
    }
    // Nothing promises the names of engines of others.
    for engine in verdicts(false) {
        assert_eq!(engine.verdict, Verdict::Ok, "{}: {}", engine.engine, engine.reason);
    }
}
