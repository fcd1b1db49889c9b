//! Searches in the place of playouts: proven like these, and measured like these.

use bench::subject::{Local, Subject};
use bench::verify::{Effort, Expected, GameProof, verify};
use games::Catalogue;
use play::{Chance, Facts, Game, Job, Limits, Position, Searched, Tally, Via};
use reports::{Run, Verdict};

use crate::common::{self, verdicts};

const SIMULATIONS: u32 = 40;

/// Searches of so many simulations of a game.
fn searched(engine: &str, simulations: u32) -> Searched {
    let game = common::compile(engine, "connect-4-6x7");
    Searched::new(game, simulations, &[]).expect("nothing is hidden")
}

/// Says that it makes searches of [`SIMULATIONS`], and makes longer ones in some of its ways.
struct Longer {
    facts: Facts,
    as_it_says: Searched,
    with_more: Searched,
    /// The ways that are longer.
    ways: &'static [Via],
}

impl Game for Longer {
    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn open(&self, chance: &mut dyn Chance) -> Box<dyn Position> {
        self.as_it_says.open(chance)
    }

    fn run(&self, job: &Job, via: Via) -> Tally {
        let has_more = self.ways.contains(&via);
        if has_more { &self.with_more } else { &self.as_it_says }.run(job, via)
    }
}

fn longer(engine: &str, ways: &'static [Via]) -> Longer {
    let as_it_says = searched(engine, SIMULATIONS);
    let facts = as_it_says.facts().clone();
    Longer { facts, as_it_says, with_more: searched(engine, SIMULATIONS + 20), ways }
}

fn verify_until(
    games: &[(&str, &dyn Game)],
    shows: impl Fn(&GameProof) -> bool,
) -> Vec<(Verdict, String)> {
    let local = |&(name, game): &(&str, _)| Box::new(Local::new(name, game)) as Box<dyn Subject>;
    let mut subjects: Vec<Box<dyn Subject + '_>> = games.iter().map(local).collect();
    let verify = |effort: &Effort| verify(&mut subjects, &Expected::default(), effort);
    let proof = common::prove(&Effort::quick(11, 100), verify, shows);
    proof.engines.into_iter().map(|engine| (engine.verdict, engine.reason)).collect()
}

#[test]
fn searches_of_sound_engines_agree() {
    let games =
        ["bitboard", "rbg", "propnet"].map(|engine| (engine, searched(engine, SIMULATIONS)));
    let games = games.each_ref().map(|(engine, game)| (*engine, game as &dyn Game));
    let shows = |proof: &GameProof| verdicts(proof).iter().all(|&found| found == Verdict::Ok);
    for (verdict, reason) in verify_until(&games, shows) {
        assert_eq!(verdict, Verdict::Ok, "{reason}");
    }
}

#[test]
fn a_search_that_is_not_that_of_the_reference_is_wrong() {
    let (cheat, peer) = (longer("bitboard", &[Via::Fast]), searched("rbg", SIMULATIONS));
    let games: [(&str, &dyn Game); 2] = [("cheat", &cheat), ("rbg", &peer)];
    let found = verify_until(&games, |proof| verdicts(proof)[0] == Verdict::Wrong);
    assert_eq!((found[0].0, found[1].0.is_ranked()), (Verdict::Wrong, true), "{found:?}");
    assert!(found[0].1.contains("not play the same playouts"), "{}", found[0].1);
}

#[test]
fn a_search_that_is_not_that_of_other_engines_is_wrong() {
    let cheat = longer("bitboard", &[Via::Fast, Via::Reference]);
    let peers = ["rbg", "propnet"].map(|engine| searched(engine, SIMULATIONS));
    let games: [(&str, &dyn Game); 3] =
        [("cheat", &cheat), ("rbg", &peers[0]), ("propnet", &peers[1])];
    let found = verify_until(&games, |proof| verdicts(proof)[0] == Verdict::Wrong);
    let verdicts: Vec<Verdict> = found.iter().map(|(verdict, _)| *verdict).collect();
    assert_eq!(verdicts, [Verdict::Wrong, Verdict::Ok, Verdict::Ok], "{found:?}");
}

#[test]
fn searches_are_measured_beside_playouts() {
    let folder = tempfile::tempdir().unwrap();
    let games = ["run", "connect-4-6x7", "kuhn-poker", "--engines", "bitboard,rbg"];
    let ways = ["--via", "fast,uct", "--simulations", "50", "--protocol", "0.1s", "--out", "out"];
    let output = common::ggpbench(folder.path(), &[&games[..], &ways].concat());
    assert!(output.status.success(), "{}", common::stderr(&output));
    let table = Run::load(&folder.path().join("out")).unwrap().table();
    let labels: Vec<String> = table.columns().iter().map(reports::Column::label).collect();
    assert_eq!(labels, ["bitboard", "bitboard (uct)", "rbg", "rbg (uct)"]);
    for (column, label) in labels.iter().enumerate() {
        assert!(table.cell(0, column).is_some_and(common::is_proven), "{label}");
    }
    // The cards are hidden.
    let reason = table.cell(1, 1).expect("there is a row that says why").reason();
    assert!(reason.contains("full information"), "{reason}");
    // A simulation is a playout and a descent: some are lost, but not nearly all of them.
    for (plain, search) in [(0, 1), (2, 3)] {
        let rate = |column| table.figures(0, column).unwrap().per_cpu_second.value;
        let ratio = rate(search) / rate(plain);
        assert!(ratio > 0.005 && ratio < 3.0, "{ratio}");
    }
    let files = std::fs::read_dir(folder.path().join("out")).unwrap();
    let names: Vec<_> = files.map(|file| file.unwrap().file_name()).collect();
    assert!(names.iter().any(|name| name == "searches.svg"), "{names:?}");
    let again = ["run", "--resume", "out", "-q"];
    let before = std::fs::read(folder.path().join("out/measurements.csv")).unwrap();
    assert!(common::ggpbench(folder.path(), &again).status.success());
    assert_eq!(std::fs::read(folder.path().join("out/measurements.csv")).unwrap(), before);
}

/// Too little for machine code and tables of positions, which labels do not need.
const LITTLE: Limits = Limits { bytes: 192 << 20, work: 200_000_000 };

#[test]
fn recorded_games_are_legal_in_all_languages() {
    let catalogue = Catalogue::embedded().expect("it is sound");
    let (mut followed, mut faults) = (0, Vec::new());
    for entry in catalogue.games() {
        let Some(recorded) = &entry.recorded else { continue };
        // Sheets in KIF name actions as manifests do, and take longest to follow.
        for engine in ["bitboard", "ludeme", "rbg"].map(roster::engine) {
            let engine = engine.expect("it is in the roster");
            let Some(rules) = entry.rules_in(engine.languages()[0]) else { continue };
            let game = engine.compile(&rules, &LITTLE).expect("it is of the catalogue").game;
            if let Err(why) = Searched::new(game, 1, &recorded.games) {
                faults.push(format!("{} on {}: {why}", entry.id, engine.id()));
            }
            followed += 1;
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(followed > 80, "{followed} pairs");
}
