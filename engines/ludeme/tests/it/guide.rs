//! The language reference says what is true.

use expect_test::expect;
use ludeme::LudemeEngine;
use ludeme::guide::{Status, ludemes};
use play::{CompileError, Engine, Job, Limits, Via};

#[test]
fn every_ludeme_has_a_meaning_and_an_example() {
    let all = ludemes("");
    assert!(all.len() > 500, "{}", all.len());
    for entry in all.iter().filter(|entry| entry.status != Status::NotYet) {
        assert!(!entry.meaning.is_empty(), "{} has no meaning", entry.name);
        assert!(!entry.usages.is_empty(), "{} has no form", entry.name);
        // Without an example are only the parts that every game has.
        assert!(
            entry.game.is_some() || entry.example.is_empty(),
            "no game for the example of {}",
            entry.name
        );
    }
    let bare = all.iter().filter(|e| e.status != Status::NotYet && e.example.is_empty());
    assert_eq!(bare.map(|e| e.name).collect::<Vec<_>>(), ["game", "equipment", "rules"]);
}

/// What is said to play is compiled and played, and what is said to be read only is right.
#[test]
fn the_status_of_each_ludeme_is_true() {
    let mut wrong = Vec::new();
    for entry in ludemes("") {
        let Some(rules) = entry.rules() else { continue };
        let compiled = LudemeEngine.compile(&rules, &Limits::default());
        match (compiled, entry.status) {
            (Ok(compiled), Status::Plays) => {
                let job = Job { seed: 1, first: 0, count: 2, cap: 20 };
                let tally = compiled.game.run(&job, Via::Reference);
                if tally.playouts != 2 {
                    wrong.push(format!("{}: {tally:?}", entry.name));
                }
            }
            (Err(CompileError::Unsupported(_)), Status::ReadsOnly) => {}
            (Err(error), _) => {
                wrong.push(format!("{}: {}", entry.example, error.one_line(&rules.source)));
            }
            (Ok(_), status) => wrong.push(format!("{}: {status:?}", entry.name)),
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// The ludemes that are not played yet. One that is played from now on leaves this list.
#[test]
fn what_is_not_played_is_listed() {
    let all = ludemes("");
    let named: Vec<String> = all
        .iter()
        .filter(|entry| entry.status != Status::Plays)
        .map(|entry| format!("{}, {}: {}", entry.name, entry.gives, entry.status.words()))
        .collect();
    expect![[r#"
        no Suicide, a meta rule: reads only
        automove, a meta rule: reads only
        gravity, a meta rule: reads only
        pin, a meta rule: reads only
        set Cost, a start rule: reads only
        set Phase, a start rule: reads only
        deal Cards, a start rule: reads only
        deal Dominoes, a start rule: reads only
        split Deck, a start rule: reads only
        forEach Track, an end rule: reads only
        deck, an item of equipment: reads only
        dominoes, an item of equipment: reads only
        path, a path: reads only
        card, a card: reads only
        brick, a graph: reads only
        celtic, a graph: reads only
        quadhex, a graph: reads only
        layers, a graph: reads only
        rotations, rotations: reads only
        move PlayCard, a generator of moves: reads only
        playCard, a generator of moves: reads only
        random, a generator of moves: reads only
        move Set Rotation, a generator of moves: reads only
        set Team, a generator of moves: reads only
        move Set TrumpSuit, a generator of moves: reads only
        set TrumpSuit, a generator of moves: reads only
        take Domino, a generator of moves: reads only
        deal Cards, a generator of moves: reads only
        deal Dominoes, a generator of moves: reads only
        directional, a generator of moves: reads only
        is Crossing, a condition: reads only
        is Tree, a condition: reads only
        is SpanningTree, a condition: reads only
        is CaterpillarTree, a condition: reads only
        is TreeCentre, a condition: reads only
        is RegularGraph, a condition: reads only
        is Acute, a condition: reads only
        is Right, a condition: reads only
        is Obtuse, a condition: reads only
        is Reflex, a condition: reads only
        is PipsMatch, a condition: reads only
        is SidesMatch, a condition: reads only
        track, an integer: reads only
        card Rank, an integer: reads only
        card Suit, an integer: reads only
        card TrumpRank, an integer: reads only
        card TrumpValue, an integer: reads only
        card TrumpSuit, an integer: reads only
        count LegalMoves, an integer: reads only
        count Neighbours, an integer: reads only
        count StepsOnTrack, an integer: reads only
        cost, an integer: reads only
        pathExtent, an integer: reads only
        sites Winning, a region: reads only
        sites Loop, a region: reads only
        rotations, a list of integers: reads only
        directions Random, directions: reads only
        fan, : not yet
        mesh, : not yet"#]]
    .assert_eq(&named.join("\n"));
}

#[test]
fn words_are_looked_up_in_any_case() {
    let names = |word: &str| -> Vec<&str> { ludemes(word).iter().map(|e| e.name).collect() };
    assert_eq!(names("satisfy"), ["satisfy"]);
    assert_eq!(names("is line"), ["is Line"]);
    assert!(names("line").contains(&"is Line"));
    assert!(names("thresh").is_empty() && names("threat").contains(&"is Threatened"));
    assert_eq!(ludemes("mesh")[0].status, Status::NotYet);
}
