//! The table without a front end.

use std::sync::Arc;
use std::time::Duration;

use agents::Budget;

use crate::cli::keeper::keep;
use crate::client::Bounds;
use crate::entry::Entry;
use crate::seat::{EngineGames, Setting};
use crate::trial::{End, Header, Reader};

use super::pace::Pace;
use super::table::{Next, Said, Setup, Table};

/// A table with a game of the catalogue, on the hand-coded engine.
fn table_with(id: &str, names: &[&str], record: Option<&std::path::Path>) -> Table {
    let catalogue = games::Catalogue::embedded().unwrap();
    let entry = Entry::of_catalogue(catalogue.get(id).unwrap());
    let kept = keep(&entry, Some("bitboard")).unwrap();
    let header = Header::new(id, &kept.rules, kept.engine, kept.game.facts(), 1000);
    let setting = Setting {
        rules: kept.rules.clone(),
        bounds: Bounds::default(),
        budget: Budget::Iterations(20),
        cap: 1000,
        games: EngineGames::default(),
    };
    let hints = if kept.game.facts().hidden { "hyperplay" } else { "uct" };
    let setup = Setup {
        title: entry.title.clone(),
        in_words: entry.in_words.clone(),
        game: Arc::from(kept.game),
        setting,
        hints: hints.to_owned(),
        show: false,
        pace: Pace::default(),
        seed: 3,
    };
    Table::new(setup, &owned(names), header, record).unwrap()
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

/// What a table answers in words.
fn text(table: &mut Table, viewer: u8, line: &str) -> String {
    match table.say(viewer, line, 80).unwrap() {
        Said::Text(text) | Said::Refused(text) => text,
        said => panic!("{line}: {said:?}"),
    }
}

fn play(table: &mut Table, labels: &[&str]) {
    for label in labels {
        let Next::Person(player) = table.next() else { panic!("{label}: {:?}", table.next()) };
        assert!(matches!(table.say(player, label, 80), Ok(Said::Played)), "{label}");
    }
}

/// Has the agent whose turn it is move.
fn think(table: &mut Table) {
    let task = table.task().expect("an agent is to move");
    table.accept(task.think());
}

#[test]
fn a_game_is_played_to_its_end_and_another_one_begins() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.jsonl");
    let mut table = table_with("tic-tac-toe-3x3", &["person", "person"], Some(&path));
    assert!(text(&mut table, 0, "undo").contains("not moved yet"));
    play(&mut table, &["a1", "b1"]);
    assert!(matches!(table.say(0, "undo", 80), Ok(Said::TakenBack)));
    assert_eq!((table.session.plies.len(), table.next()), (1, Next::Person(1)));
    play(&mut table, &["b2", "a2", "c2", "a3"]);
    assert_eq!((table.end(), table.next()), (Some(End::Over), Next::Nobody));
    assert_eq!(table.result().unwrap(), "The game is over: player 1 gets 100, player 2 gets 0.");
    assert!(text(&mut table, 0, "c3").contains("`new` begins another"));
    // What was taken back can be played in another way, also at the end.
    assert!(matches!(table.say(0, "undo", 80), Ok(Said::TakenBack)));
    assert_eq!(table.next(), Next::Person(0));
    play(&mut table, &["a3"]);
    assert!(matches!(table.say(0, "new", 80), Ok(Said::Begun)));
    assert_eq!((table.number(), table.session.seed(), table.next()), (2, 4, Next::Person(0)));
    play(&mut table, &["c3"]);
    assert!(table.leave().unwrap().unwrap().contains("The games are in"));
    let mut reader = Reader::open(&path).unwrap();
    let trials: Vec<_> = std::iter::from_fn(|| reader.next_trial().unwrap()).collect();
    let ends: Vec<_> = trials.iter().map(|t| (t.trial, t.plies.len(), t.end)).collect();
    assert_eq!(ends, [(1, 5, End::Over), (2, 1, End::Left)]);
}

#[test]
fn words_say_the_same_wherever_they_are_said() {
    let mut table = table_with("tic-tac-toe-3x3", &["person", "uct"], None);
    assert!(text(&mut table, 0, "rules").contains("marks in a line"));
    assert!(text(&mut table, 0, "why").contains("no agent has moved"));
    assert_eq!(text(&mut table, 0, "?").matches("   ").count(), 8);
    play(&mut table, &["b2"]);
    assert!(text(&mut table, 0, "a1").contains("the turn of player 2 (uct)"));
    assert!(text(&mut table, 0, "hint").contains("the turn of player 2"));
    think(&mut table);
    let why = text(&mut table, 0, "why");
    assert!(why.starts_with("uct played ") && why.contains(", after 20 simulations\n"), "{why}");
    let visits = why.lines().skip(1).map(|line| line.split_whitespace().nth(3).unwrap());
    assert_eq!(visits.map(|visits| visits.parse::<u64>().unwrap()).sum::<u64>(), 20, "{why}");
    let clock = text(&mut table, 0, "clock");
    assert!(clock.contains("player 1 has used 0:0") && clock.contains("player 2 (uct)"), "{clock}");
    assert!(table.session.used(1) > Duration::ZERO);
    assert!(matches!(table.say(0, "hint", 80), Ok(Said::Advice)));
    think(&mut table);
    let advice = table.advice.as_ref().unwrap().as_ref().unwrap().to_string();
    assert!(advice.starts_with("uct would play "), "{advice}");
    // Advice is about one position.
    play(&mut table, &["1"]);
    assert!(table.advice.is_none());
}

#[test]
fn others_may_sit_down_for_a_new_game_if_they_can_play() {
    let mut table = table_with("tic-tac-toe-3x3", &["person", "random"], None);
    for (line, words) in [
        ("new person", "one name for each of 2 roles"),
        ("new person uctt", "did you mean `uct`?"),
        ("new person 'program:touch x'", "has to be named where play begins"),
        ("new person uct@ludeme", "has to be named where play begins"),
        ("new person uct:c=x", "expected a number"),
    ] {
        let why = text(&mut table, 0, line);
        assert!(why.contains(words), "{line}: {why}");
    }
    assert!(matches!(table.say(0, "new uct:c=0.5 flat", 80), Ok(Said::Begun)));
    while table.next() != Next::Nobody {
        think(&mut table);
    }
    assert_eq!(table.trial().agents, ["uct:c=0.5", "flat"]);
}

#[test]
fn who_watches_stops_agents_and_nobody_else_does() {
    let mut table = table_with("tic-tac-toe-3x3", &["random", "random"], None);
    assert!(matches!(table.say(0, "pause", 80), Ok(Said::Paced)));
    let done = table.task().unwrap().think();
    assert!(table.is_watched() && table.is_current(&done) && table.pace.paused);
    assert_eq!(table.pace.rest(Duration::ZERO), None);
    // The clock of an agent that has chosen stands.
    table.session.stop_clock();
    let used = table.session.used(0);
    assert_eq!((table.session.used(0), table.session.clock_runs()), (used, false));
    assert!(matches!(table.say(0, "step", 80), Ok(Said::Paced)));
    assert_eq!(table.pace.rest(Duration::ZERO), Some(Duration::ZERO));
    table.accept(done);
    assert_eq!((table.session.plies.len(), table.session.used(0)), (1, used));
    assert!(table.session.clock_runs() && table.pace.paused);
    assert!(matches!(table.say(0, "pace 2", 80), Ok(Said::Paced)));
    assert!(matches!(table.say(0, "go", 80), Ok(Said::Paced)));
    assert_eq!(table.pace.rest(Duration::ZERO), Some(Duration::from_secs(2)));
    assert!(text(&mut table, 0, "pace x").contains("expected seconds"));
    // What is about a game that is no more is known to be.
    let done = table.task().unwrap().think();
    assert!(matches!(table.say(0, "new random person", 80), Ok(Said::Begun)));
    assert!(!table.is_current(&done) && !table.is_watched());
    assert!(text(&mut table, 1, "pause").contains("where only they play"));
}

#[test]
fn thoughts_about_a_position_that_is_no_more_are_forgotten() {
    let mut table = table_with("tic-tac-toe-3x3", &["person", "uct"], None);
    play(&mut table, &["a1"]);
    let task = table.task().unwrap();
    assert!(table.task().is_none(), "one at a time");
    assert!(matches!(table.say(0, "undo", 80), Ok(Said::TakenBack)));
    table.accept(task.think());
    assert_eq!((table.session.plies.len(), table.next()), (0, Next::Person(0)));
    // The agent is back at its place.
    play(&mut table, &["b1"]);
    let task = table.task().unwrap();
    assert!(matches!(table.say(0, "new random person", 80), Ok(Said::Begun)));
    table.accept(task.think());
    assert_eq!((table.session.plies.len(), table.next()), (0, Next::Agent(0)));
    think(&mut table);
    assert_eq!((table.session.plies.len(), table.next()), (1, Next::Person(1)));
}

#[test]
fn what_is_hidden_is_told_to_its_role_alone() {
    let mut table = table_with("kuhn-poker", &["person", "person"], None);
    let cards: Vec<Vec<String>> = table.session.start().to_vec();
    assert!(!table.is_open() && cards[0] != cards[1]);
    assert_eq!((table.legal(0).len(), table.legal(1).len()), (2, 0));
    assert_eq!(text(&mut table, 1, "bet"), "it is not your turn");
    let seen = |table: &Table, viewer: u8| {
        serde_json::to_string(&super::web::view::View::of(table, viewer, 1)).unwrap()
    };
    for viewer in [0, 1] {
        let [own, other] =
            [viewer, 1 - viewer].map(|role| format!("\"{}\"", cards[usize::from(role)][0]));
        let view = seen(&table, viewer);
        assert!(view.contains(&own) && !view.contains(&other), "{viewer}: {view}");
        assert!(view.contains("\"picture\":null,\"drawing\":\"\""), "no position: {view}");
    }
    play(&mut table, &["bet"]);
    // The other one perceives it, and is told no more.
    assert!(seen(&table, 1).contains("\"percepts\":[\"bet\"]"), "{}", seen(&table, 1));
    assert!(!text(&mut table, 1, "clock").contains("player 1"));
    assert!(matches!(table.say(1, "new person random", 80), Ok(Said::Begun)));
    play(&mut table, &["check"]);
    think(&mut table);
    assert!(text(&mut table, 0, "why").contains("hidden"));
    // Where nobody is to be kept from anything, all is shown.
    assert!(matches!(table.say(0, "new random random", 80), Ok(Said::Begun)));
    assert!(table.is_open() && seen(&table, 0).contains("\"picture\":\"<svg"));
}

#[test]
fn an_agent_that_cannot_play_loses_and_the_game_is_over() {
    let mut table = table_with("kuhn-poker", &["uct", "person"], None);
    think(&mut table);
    assert_eq!(table.end(), Some(End::Fault));
    let result = table.result().unwrap();
    assert!(result.contains("player 1 (uct) commits a fault and has lost"), "{result}");
    assert_eq!(table.trial().fault.unwrap().player, 0);
    assert!(table.task().is_none() && table.next() == Next::Nobody);
}
