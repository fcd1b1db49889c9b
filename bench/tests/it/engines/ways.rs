//! Tests of the facts about how engines play, on games of the catalogue: the method, and the
//! promise that playouts are those of the reference.

use std::collections::BTreeSet;

use play::{Game, Job, Language, Limits, Method, Promise, Rules, Via};

/// A game of the catalogue on an engine.
fn game(engine: &str, name: &str) -> Box<dyn Game> {
    let engine = roster::engine(engine).unwrap();
    let language = engine.languages()[0];
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../games/catalogue");
    let text = match language {
        Language::Bitboard => name.to_owned(),
        _ => std::fs::read_to_string(format!("{folder}/{name}/rules.{language}")).unwrap(),
    };
    let rules = Rules::new(language, name, text);
    engine.compile(&rules, &Limits::default()).unwrap().game
}

#[test]
fn methods_are_told_and_promises_kept() {
    let games = [
        ("bitboard", "hanoi-3", Method::Tabled),
        ("bitboard", "breakthrough-6x6", Method::Counted),
        ("ludeme", "tic-tac-toe-3x3", Method::Tabled),
        ("ludeme", "breakthrough-6x6", Method::Counted),
        ("ludeme", "gomoku-15x15", Method::Counted),
        ("ludeme", "fanorona", Method::Sampled),
        ("ludeme", "dara", Method::Sampled),
        ("ludeme", "ploy", Method::Counted),
        ("ludeme", "oware", Method::Sampled),
        ("rbg", "connect-4-6x7", Method::Counted),
        ("rbg", "breakthrough-6x6", Method::Counted),
        ("rbg", "breakthrough-8x8", Method::Counted),
        ("propnet", "tic-tac-toe-3x3", Method::Tabled),
        ("propnet", "connect-4-6x7", Method::Counted),
        ("propnet-batch", "hanoi-3", Method::Tabled),
        ("propnet-batch", "connect-4-6x7", Method::Counted),
        ("prover", "tic-tac-toe-3x3", Method::Tabled),
        ("prover", "connect-4-6x7", Method::Tabled),
    ];
    let mut compiled = BTreeSet::new();
    for (engine, name, method) in games {
        let game = game(engine, name);
        let facts = game.facts();
        assert_eq!(facts.fast.method, method, "{engine}, {name}");
        let same = facts.fast.promise == Promise::SamePlayouts;
        // Where moves are drawn before they are tested or compared, and where those of all pieces
        // are counted together.
        let others = ["breakthrough-6x6"];
        let other = method == Method::Sampled || engine == "ludeme" && others.contains(&name);
        assert_eq!(same, !other, "{engine}, {name}");
        let job = Job { seed: 9, first: 4, count: 60, cap: 200 };
        let reference = game.run(&job, Via::Reference);
        assert!(!same || game.run(&job, Via::Fast) == reference, "{engine}, {name}");
        if let Some(batch) = facts.batch {
            assert_eq!((batch.method, batch.promise), (method, Promise::SamePlayouts));
            assert_eq!(game.run(&job, Via::Batch), reference, "{engine}, {name}");
        }
        if let Some(interpreted) = facts.interpreted {
            let same = interpreted.promise == Promise::SamePlayouts;
            assert!(same || method == Method::Sampled, "{engine}, {name}");
            let tally = game.run(&job, Via::Interpreted);
            assert!(!same || tally == reference, "{engine}, {name}");
            compiled.insert(engine);
        }
    }
    assert!(compiled.into_iter().eq(["ludeme", "rbg"]));
}

#[test]
fn a_prover_that_cannot_keep_positions_lists_actions_anew() {
    // A first position with so many actions is not kept, and no position of games of chance.
    let many: String = (0..1100).map(|n| format!("(number {n})")).collect();
    let sheet = |role: &str| {
        format!(
            "(role r) (role {role}) {many} (init start)
            (<= (legal ?r (take ?n)) (role ?r) (number ?n))
            (<= (next end) (true start)) (<= terminal (true end)) (goal r 100) (goal {role} 0)"
        )
    };
    let few = sheet("s").replace(&many, "(number 1) (number 2)");
    for (sheet, method) in
        [(sheet("s"), Method::Listed), (sheet("random"), Method::Listed), (few, Method::Tabled)]
    {
        let rules = Rules::new(Language::Kif, "many.kif", sheet);
        let prover = roster::engine("prover").unwrap();
        let game = prover.compile(&rules, &Limits::default()).unwrap().game;
        assert_eq!(game.facts().fast.method, method);
        let job = Job { seed: 9, first: 4, count: 60, cap: 9 };
        assert_eq!(game.run(&job, Via::Fast), game.run(&job, Via::Reference));
    }
}

#[test]
fn engines_with_one_front_end_are_of_one_lineage() {
    let engines = roster::engines();
    for (name, lineage) in [
        ("bitboard", "hand-coded"),
        ("ludeme", "ludeme"),
        ("rbg", "rbg"),
        ("rg", "rg"),
        ("propnet", "gdl"),
        ("propnet-batch", "gdl"),
        ("prover", "gdl"),
    ] {
        let engine = engines.iter().find(|engine| engine.id() == name);
        assert_eq!(engine.map(|engine| engine.lineage()), Some(lineage), "{name}");
    }
}
