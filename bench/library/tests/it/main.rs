//! The library as a program uses it.

mod batch_at;

use ggpbench::{
    Batch, Check, ErrorKind, Language, Loader, Method, Progress, Rollouts, load, measure, verify,
};

/// Tic-Tac-Toe in ludemes.
const LINE: &str = r#"
    (game "Line"
        (players 2)
        (equipment { (board (square 3)) (piece "Disc" P1) (piece "Cross" P2) })
        (rules
            (play (move Add (to (sites Empty))))
            (end (if (is Line 3) (result Mover Win)))))
"#;

#[test]
fn playouts_depend_on_seed_and_ids_alone() {
    for engine in ggpbench::engines() {
        let game = Loader::new("tic-tac-toe-3x3").engine(engine).load().unwrap();
        assert_eq!(game.engine(), engine);
        // A game of so few positions is remembered by most.
        let tabled = !["bitboard", "rbg", "rg"].contains(&engine);
        assert_eq!(game.method() == Method::Tabled, tabled, "{engine}");
        let whole = game.rollouts(3000, 5, 1);
        assert_eq!(whole.playouts, 3000);
        assert_eq!(whole, game.rollouts(3000, 5, 3), "{engine}");
        assert_ne!(whole, game.rollouts(3000, 6, 1), "{engine}");
        let mut parts = Rollouts::new(&game, 1000, 2000, 5, 1);
        while parts.advance() {}
        let mut sum = parts.into_tally();
        sum += &game.rollouts(1000, 5, 1);
        assert_eq!(whole, sum, "{engine}");
    }
}

#[test]
fn positions_go_there_and_back() {
    let game = load("tic-tac-toe-3x3").unwrap();
    let mut position = game.open(1);
    for label in ["a1", "b1", "a2", "b2"] {
        position.apply_label(label).unwrap();
    }
    let copy = position.clone();
    let refused = position.apply_label("a1").unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::Usage);
    assert!(refused.to_string().contains("expected one of 5"), "{refused}");
    assert!(position.apply(5).is_err() && position.apply_code(0).is_err());
    position.apply_code(6).unwrap();
    assert_eq!(position.history().last(), Some("a3"));
    assert_eq!((position.turn(), position.returns()), (None, vec![1.0, -1.0]));
    assert!(position.undo());
    assert_eq!((position.draw(), position.legal()), (copy.draw(), copy.legal()));
    assert_eq!(position.rollouts(0, 200, 1), copy.rollouts(0, 200, 1));
    while position.undo() {}
    assert_eq!(position.plies(), 0);
}

#[test]
fn hidden_games_tell_each_player_his_own() {
    let position = load("kuhn-poker").unwrap().open(1);
    assert_ne!(position.percepts(0), position.percepts(1));
    assert!(position.percepts(2).is_empty());
    assert!(Batch::new(position.game(), 2, 1, 1).is_ok());
    // What players can perceive is learned from a few playouts there.
    let ludemes = Loader::new("kuhn-poker").engine("ludeme").load().unwrap();
    assert!(ludemes.encoding().is_some_and(|encoding| encoding.open && encoding.is_perceived()));
    assert!(Batch::new(&ludemes, 2, 1, 1).is_ok());
}

#[test]
fn batches_do_not_depend_on_threads() {
    let game = load("connect-4-6x7").unwrap();
    let play = |threads: usize| {
        let mut batch = Batch::new(&game, 50, 3, threads).unwrap();
        let mut buffers = batch.buffers();
        batch.restart(&mut buffers.views());
        let mut actions = vec![0; 50];
        let mut plies = 0;
        let mut scores = 0;
        while buffers.progress.contains(&0) {
            batch.draw(&mut actions);
            plies += buffers.progress.iter().map(|&p| u64::from(p == 0)).sum::<u64>();
            batch.step(&actions, false, &mut buffers.views()).unwrap();
            scores += buffers.scores.iter().sum::<i32>();
        }
        (plies, scores, buffers.planes)
    };
    let one = play(1);
    assert_eq!(one, play(3));
    let tally = game.rollouts(50, 3, 1);
    assert_eq!((one.0, one.1), (tally.plies, 5000), "they are the playouts of the seed");
}

/// Engines whose labels are known only as moves are listed have numbers, too, always the same.
#[test]
fn games_of_ludemes_and_of_rbg_are_played_by_numbers() {
    for id in ["breakthrough-6x6", "sudoku-9x9", "nine-mens-morris", "skirmish-8x8"] {
        for engine in ["ludeme", "rbg"] {
            let load = || Loader::new(id).engine(engine).load().unwrap();
            let game = load();
            let encoding = game.encoding().expect("it has one");
            assert!(encoding.open && Some(encoding) == load().encoding(), "{id} on {engine}");
            let mut batch = Batch::new(&game, 8, 7, 1).unwrap();
            let mut buffers = batch.buffers();
            batch.restart(&mut buffers.views());
            let mut actions = vec![0; 8];
            while buffers.progress.contains(&0) {
                batch.draw(&mut actions);
                batch.step(&actions, false, &mut buffers.views()).unwrap();
            }
            assert!(!buffers.progress.contains(&(Progress::Uncoded as u8)), "{id} on {engine}");
        }
    }
}

#[test]
fn a_step_that_is_not_legal_plays_nothing_on_any_thread() {
    let game = load("tic-tac-toe-3x3").unwrap();
    for threads in [1, 2] {
        let mut batch = Batch::new(&game, 4, 1, threads).unwrap();
        let mut buffers = batch.buffers();
        batch.restart(&mut buffers.views());
        let before = buffers.mask.clone();
        let refused = batch.step(&[0, 1, 2, 9], false, &mut buffers.views()).unwrap_err();
        assert!(
            refused.to_string().starts_with("action 9 is not legal in position 3"),
            "{refused}"
        );
        assert!(batch.step(&[0; 3], false, &mut buffers.views()).is_err());
        assert_eq!(buffers.mask, before);
        batch.step(&[0, 1, 2, 3], false, &mut buffers.views()).unwrap();
        assert_eq!(buffers.planes.iter().map(|&b| u32::from(b)).sum::<u32>(), 4);
    }
    for count in [0, usize::MAX] {
        assert_eq!(Batch::new(&game, count, 1, 1).unwrap_err().kind(), ErrorKind::Usage);
    }
}

#[test]
fn rules_of_ones_own_are_loaded_or_refused_with_their_place() {
    let game = Loader::new("").load_text(Language::Lud, "line.lud", LINE).unwrap();
    assert_eq!((game.engine(), game.open(1).actions()), ("ludeme", 9));
    let broken = LINE.replace("(sites Empty)", "(sites Emtpy)");
    let error = Loader::new("").load_text(Language::Lud, "line.lud", &broken).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    let problem = &error.problems()[0];
    assert_eq!((problem.file.as_str(), problem.line), ("line.lud", 6));
    assert!(
        error.to_string().contains("line.lud:6:") && error.to_string().contains('^'),
        "{error}"
    );
    // Each of these messages would show the same long line.
    let many = "#a=(".repeat(20_000);
    let error = Loader::new("").load_text(Language::Rbg, "many.rbg", &many).unwrap_err();
    assert_eq!((error.problems().len(), error.problems()[0].severity), (100, "error"));
    let text = error.to_string();
    assert!(text.starts_with("many.rbg:1:") && text.ends_with(" more"), "{text}");
    let none = Loader::new("nowhere.lud").load().unwrap_err();
    assert_eq!(none.kind(), ErrorKind::Unreadable);
    let size = Loader::new("hex").size(0).load().unwrap_err();
    assert_eq!(size.kind(), ErrorKind::Usage);
    assert!(Loader::new("tic-tac-toe-3x3").engine("prolog").load().is_err());
}

#[test]
fn figures_stand_beside_verdicts() {
    let check = Check {
        engines: vec!["bitboard".to_owned(), "rbg".to_owned()],
        seconds: 0.2,
        samples: 2,
        ..Check::default()
    };
    let verified = verify("tic-tac-toe-3x3", &check).unwrap();
    assert!(verified.iter().all(|row| row.verdict == "ok"), "{verified:?}");
    assert!(verified.iter().all(|row| row.perft[0] == 9 && row.playouts > 10));
    let measured = measure("tic-tac-toe-3x3", &check, &|| false).unwrap();
    assert!(measured.iter().all(|row| row.verdict == "ok" && row.rate() > 1000.0), "{measured:?}");
    let stopped = measure("tic-tac-toe-3x3", &check, &|| true).unwrap();
    assert!(stopped.is_empty());
    assert!(verify("tic-tac-toe-3x3", &Check { seconds: 0.0, ..check }).is_err());
}
