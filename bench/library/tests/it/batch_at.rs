//! Batches whose positions begin where a list says.

use ggpbench::{Batch, BatchSettings, Error, ErrorKind, Loader};

const SETTINGS: BatchSettings = BatchSettings { seed: 5, threads: 1, turned: false };

/// What a batch shows once all positions have begun: legal codes and the player to move, of each.
fn begun(batch: &mut Batch) -> Vec<(Vec<usize>, i8)> {
    let mut buffers = batch.buffers();
    batch.restart(&mut buffers.views());
    shown(batch, &buffers.views())
}

fn shown(batch: &Batch, views: &ggpbench::Views<'_>) -> Vec<(Vec<usize>, i8)> {
    let rows = views.mask.chunks(views.mask.len() / batch.len());
    let codes = |row: &[u8]| (0..row.len()).filter(|&code| row[code] == 1).collect();
    rows.zip(views.turns.iter()).map(|(row, &turn)| (codes(row), turn)).collect()
}

/// The same of positions one by one.
fn expected(loader: &Loader, positions: &[&str]) -> Vec<(Vec<usize>, i8)> {
    let of = |text: &&str| {
        let game =
            if text.is_empty() { loader.load() } else { loader.clone().position(*text).load() };
        let position = game.unwrap().open(1);
        let codes = position.codes().expect("a game in numbers");
        let mut codes: Vec<usize> = codes.into_iter().map(|code| code as usize).collect();
        codes.sort_unstable();
        (codes, position.turn().unwrap() as i8)
    };
    positions.iter().map(of).collect()
}

const PLACES: &[(&str, &[&str])] = &[
    ("tic-tac-toe-3x3", &["", "b2", "b2 a1 c1", "x.o/.x./..o", "b2", ""]),
    (
        "reversi-8x8",
        &[
            "e6",
            "e6 f6",
            "",
            "......../......../......../...xo.../...ox.../......../......../\
                ......../o",
        ],
    ),
    (
        "chess",
        &["e2e4 e7e5", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "", "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"],
    ),
    ("connect-4-6x7", &["d1 d2 d3 d4 d5 d6", ""]),
    (
        "go-9x9",
        &[
            "e5 pass",
            "........./.x......./........./........./........./........./........./\
             ........./........./o",
        ],
    ),
];

#[test]
fn positions_begin_where_the_list_says_on_all_engines() {
    for &(id, positions) in PLACES {
        // Chess takes others long to compile, once for each position.
        let others = if id == "chess" { &[][..] } else { &["rbg", "ludeme"] };
        for engine in ["bitboard"].iter().chain(others).copied() {
            let loader = Loader::new(id).engine(engine);
            let Ok(mut batch) = loader.batch_at(positions, SETTINGS) else {
                assert_ne!(engine, "bitboard", "{id}");
                continue;
            };
            assert_eq!(begun(&mut batch), expected(&loader, positions), "{id} on {engine}");
        }
    }
}

#[test]
fn positions_that_end_begin_anew_at_their_place_on_any_number_of_threads() {
    for (id, positions) in PLACES {
        let run = |threads: usize| {
            let settings = BatchSettings { threads, ..SETTINGS };
            let mut batch = Loader::new(*id).batch_at(positions, settings).unwrap();
            let first = begun(&mut batch);
            let (mut buffers, mut actions) = (batch.buffers(), vec![0; batch.len()]);
            batch.restart(&mut buffers.views());
            let (mut ended, mut seen) = (0, Vec::new());
            for _ in 0..300 {
                batch.draw(&mut actions);
                batch.step(&actions, true, &mut buffers.views()).unwrap();
                let views = buffers.views();
                let now = shown(&batch, &views);
                for (i, &progress) in views.progress.iter().enumerate() {
                    if progress != 0 {
                        ended += 1;
                        assert_eq!(now[i], first[i], "{id}: position {i}");
                        assert!(views.scores.iter().any(|&score| score > 0) || progress == 2);
                    }
                }
                seen.push(now);
            }
            assert!(ended > 0, "{id}");
            seen
        };
        assert_eq!(run(1), run(3), "{id}");
    }
}

#[test]
fn copies_and_what_was_saved_go_on_alike() {
    let positions = ["", "b2 a1", "x.o/.x./..o"];
    let make = || Loader::new("tic-tac-toe-3x3").batch_at(&positions, SETTINGS).unwrap();
    let mut batch = make();
    let mut buffers = batch.buffers();
    batch.restart(&mut buffers.views());
    let mut actions = vec![0; batch.len()];
    for _ in 0..7 {
        batch.draw(&mut actions);
        batch.step(&actions, true, &mut buffers.views()).unwrap();
    }
    let mut resumed = make();
    let mut seen = resumed.buffers();
    resumed.resume(&batch.save(), &mut seen.views()).unwrap();
    assert_eq!(shown(&resumed, &seen.views()), shown(&batch, &buffers.views()));
    for other in [&mut batch.clone(), &mut resumed] {
        let (mut drawn, mut own) = (vec![0; 3], vec![0; 3]);
        other.draw(&mut drawn);
        batch.clone().draw(&mut own);
        assert_eq!(drawn, own);
    }
    assert!(make().resume(&[vec![1, 2, 3]], &mut seen.views()).is_err());
}

#[test]
fn boards_are_turned_and_plies_go_on_from_a_position() {
    let loader = Loader::new("breakthrough-8x8");
    let turned = BatchSettings { turned: true, ..SETTINGS };
    let mut batch = loader.batch_at(&["", "a2a3"], turned).unwrap();
    let sights = begun(&mut batch);
    // Black sees what White saw.
    assert_eq!(sights[0].0, sights[1].0);
    assert_eq!((sights[0].1, sights[1].1), (0, 1));
    let from = Loader::new("chess").position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    let mut batch = from.batch_at(&["", "e2e4", "e2e4 e8e7"], SETTINGS).unwrap();
    let turns: Vec<i8> = begun(&mut batch).into_iter().map(|(_, turn)| turn).collect();
    assert_eq!(turns, [0, 1, 0]);
    let from = Loader::new("tic-tac-toe-3x3").position("b2");
    let mut batch = from.batch_at(&["", "a1"], SETTINGS).unwrap();
    let left: Vec<usize> = begun(&mut batch).iter().map(|(codes, _)| codes.len()).collect();
    assert_eq!(left, [8, 7]);
}

#[test]
fn what_is_no_position_is_told_by_its_number() {
    let fails = |id: &str, positions: &[&str]| -> Error {
        Loader::new(id).batch_at(positions, SETTINGS).expect_err(id)
    };
    for (id, positions, kind, words) in [
        ("tic-tac-toe-3x3", &["", "b2 b2"][..], ErrorKind::Usage, "position 1: action `b2`"),
        ("tic-tac-toe-3x3", &["a1 b1 a2 b2 a3"], ErrorKind::Usage, "position 0: the game is over"),
        ("tic-tac-toe-3x3", &["b2", "x../.../.."], ErrorKind::Usage, "position 1: "),
        ("chess", &["e2e4", "9/8 w"], ErrorKind::Usage, "position 1: "),
        ("backgammon", &["x"], ErrorKind::Unsupported, "a game of chance"),
        ("tic-tac-toe-3x3", &[], ErrorKind::Usage, "0 positions"),
    ] {
        let error = fails(id, positions);
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains(words), "{error}");
    }
}
