//! Drawings of boards as positions: which games have them, and that they say all of a position.

use games::{Catalogue, GameEntry, Notation};
use play::{NoChance, Player, Position, Rng, Turn, settle, tree};

use crate::positions::{of_game, start_of};

/// The games without a notation of positions, and why: what is to be known of a position is not on
/// the squares of a grid.
const UNDRAWN: &[(&str, &str)] = &[
    ("ashtapada", "men off the board, on ways of their own, and a throw"),
    ("backgammon", "no grid; dice, several men on a point, men off the board"),
    ("goofspiel-5", "hidden cards"),
    ("hanoi-3", "no grid"),
    ("hunt-the-wumpus", "hidden"),
    ("kuhn-poker", "hidden cards"),
    ("leduc-poker", "hidden cards"),
    ("liars-dice", "hidden dice"),
    ("mastermind-4x6", "a hidden code"),
    ("minesweeper-8x8", "bombs are laid by chance, unseen"),
    ("oware", "numbers of seeds, also of captured ones"),
    ("phantom-tic-tac-toe", "what the players know of each other's marks"),
    ("wumpus-4x4", "hidden"),
    ("wumpus-hunt", "hidden"),
    ("wumpus-hunt-gold", "hidden"),
    ("wumpus-hunt-solo", "hidden"),
    ("wumpus-ludii", "hidden"),
];

/// Games of which a drawing does not say all that matters, and why: one is a position that no other
/// came before.
const FRESH: &[(&str, &str)] = &[("go-9x9", "no position may come back, and no ko be retaken")];

/// Languages without drawings of a game that has them in others, and why.
const UNDRAWN_IN: &[(&str, play::Language, &str)] = &[
    ("connect-6-19x19", play::Language::Bitboard, "tells stones apart by the ply that put them"),
    ("gomoku-15x15", play::Language::Bitboard, "tells stones apart by the ply that put them"),
];

#[test]
fn all_games_whose_positions_are_on_a_grid_have_drawings_in_all_languages() {
    let catalogue = Catalogue::embedded().unwrap();
    let mut without: Vec<&str> = Vec::new();
    let mut without_language = Vec::new();
    for game in catalogue.games() {
        let Some(setup) = &game.setup else {
            without.push(&game.id);
            continue;
        };
        let lacks = |language: &&play::Language| !setup.pieces.contains_key(language);
        let lacking = game.descriptions.keys().filter(lacks);
        without_language.extend(lacking.map(|&language| (game.id.as_str(), language)));
    }
    let mut known: Vec<&str> = UNDRAWN.iter().map(|&(id, _)| id).collect();
    known.sort_unstable();
    without.sort_unstable();
    assert_eq!(without, known);
    without_language.sort_unstable();
    let known: Vec<_> = UNDRAWN_IN.iter().map(|&(id, language, _)| (id, language)).collect();
    assert_eq!(without_language, known);
}

/// A random game on the hand-coded engine: positions at the beginning of turns, drawn, with the
/// player to move.
fn drawn_positions(game: &GameEntry, seed: u64, most: usize) -> Vec<(String, Box<dyn Position>)> {
    let mut rng = Rng::stream(seed, 3);
    let whole = of_game(game, None, |engine| engine == "bitboard").remove(0).1;
    let simultaneous = whole.facts().simultaneous;
    let mut position = start_of(&*whole);
    let (mut before, mut all) = (None, Vec::new());
    while let Turn::Move(Player(mover)) = position.turn() {
        // In the middle of a turn there is more to know than what is drawn.
        let begins = if simultaneous { mover == 0 } else { before != Some(mover) };
        if begins || game.players == 1 {
            all.push((position.draw(), mover, position.copy()));
        }
        before = Some(mover);
        let action = rng.below(position.actions() as u32) as usize;
        position.play(action, &mut NoChance).unwrap();
        settle(&mut *position, &mut NoChance);
        if all.len() > 200 {
            break;
        }
    }
    let Some(Notation::Drawing(signs)) = game.setup.as_ref().map(|setup| &setup.notation) else {
        return Vec::new();
    };
    let step = (all.len() / most).max(1);
    let skipped = rng.below(step as u32) as usize;
    let all = all.into_iter().skip(skipped).step_by(step).take(most);
    all.map(|(drawing, mover, position)| {
        let player = signs.players.chars().nth(mover.into());
        let player = player.map_or_else(String::new, String::from);
        (drawing + &player, position)
    })
    .collect()
}

/// A line of play, and its scores if it ends: at each ply the label that a number says, of all in
/// their order. Equal positions have equal lines on all engines.
fn line(start: &dyn Position, seed: u64) -> (Vec<String>, Option<u64>) {
    const LONGEST: usize = 90;
    let (mut rng, mut position, mut line) = (Rng::stream(seed, 4), start.copy(), Vec::new());
    while position.turn() != Turn::Over && line.len() < LONGEST {
        let mut labels: Vec<(String, usize)> = position.labels().into_iter().zip(0..).collect();
        labels.sort_unstable();
        let (label, action) = labels.swap_remove(rng.below(labels.len() as u32) as usize);
        line.push(label);
        position.play(action, &mut NoChance).unwrap();
        settle(&mut *position, &mut NoChance);
    }
    (line, position.scores().map(play::Scores::bits))
}

/// What is compared of a position.
fn known_of(position: &dyn Position) -> (Turn, Vec<String>, Option<u64>) {
    let mut labels = position.labels();
    labels.sort_unstable();
    // Two plies, or one where they are many.
    let depth = if labels.len() <= 24 { 2 } else { 1 };
    let print = tree::fingerprint(position, depth, &mut 20_000);
    (position.turn(), labels, print)
}

/// True if drawings say all that matters of the positions of a game.
pub(crate) fn is_told_by_drawings(game: &GameEntry) -> bool {
    let is_drawn = |setup: &games::Setup| matches!(setup.notation, Notation::Drawing(_));
    let is_fresh = FRESH.iter().any(|&(id, _)| id == game.id);
    !is_fresh && game.setup.as_ref().is_some_and(is_drawn)
}

/// Compares the drawn positions of random games with what all engines read of them.
fn check(
    catalogue: &Catalogue,
    wanted: impl Fn(&GameEntry) -> bool,
    seeds: std::ops::Range<u64>,
    most: usize,
) {
    for game in catalogue.games().iter().filter(|game| wanted(game) && is_told_by_drawings(game)) {
        for seed in seeds.clone() {
            for (drawing, position) in drawn_positions(game, seed, most) {
                // Networks are made of the rules that the prover plays.
                let engines = |engine: &str| !engine.starts_with("propnet");
                for (engine, begun) in of_game(game, Some(&drawing), engines) {
                    let start = start_of(&*begun);
                    let at = format!("{} on {engine} at\n{drawing}", game.id);
                    assert_eq!(known_of(&*start), known_of(&*position), "{at}");
                    assert_eq!(line(&*start, seed), line(&*position, seed), "{at}");
                }
            }
        }
    }
}

/// Positions that no play leads to, or that drawings of random games do not show: with other
/// numbers of men, and the second player to move.
const POSITIONS: &[(&str, &str)] = &[
    ("alquerque", "ooooo/ooo.o/o..xx/xx.xx/xxoxx/o"),
    (
        "amazons-10x10",
        "...o..o.../....#...../........../o........o/......#.../........../x........x/\
         ....x...../........../......x.../o",
    ),
    ("connect-4-6x7", "......./......./......./......./......./......./o"),
    ("dara", "xx.o../..o.x./o...../...x../.....o/o/9"),
    ("dara", "xx.o../..o.x./o...../...x../.....o/x/24"),
    ("dara", "xx.o../..o.x./o...../...x../.....o/o/24"),
    ("fanorona", "ooooooooo/ooo.ooooo/ox.x.oxox/xxxxoxxxx/xxxxxxx.x/o"),
    (
        "go-9x9",
        "........./..x...x../........./........./........./........./........./..x...x../\
         ........./o",
    ),
    // A stone that can be taken, and taken back only later.
    (
        "go-9x9",
        ".xo....../x.xo...../.xo....../........./........./........./........./........./.........",
    ),
    (
        "go-9x9",
        "........./........./........./........./....o..../........./........./........./.........",
    ),
    (
        "hnefatafl-11x11",
        "...xxxxx.../.....x...../....o....../x.........x/x...ooo...x/xx.ooKoo.xx/\
         x...ooo...x/x....o....x/.......x.../...x......./....xxx..../o",
    ),
    ("knights-tour-8x8", "......../......../......../......../..+...../+.N...../..+...../+......."),
    ("mu-torere", "xoo/x.o/xox/o"),
    ("nine-mens-morris", "x.o/.x./o../..o.x./xo./.x./..o/o/18"),
    ("peg-solitaire", "ooo/ooo/oo..ooo/ooo.o.o/ooo.ooo/o.o/o.."),
    (
        "ploy",
        ".T4.F4C4F4Y4../..H3V4L6V4H4../...S4S4..../......S3../.....s1.../........./\
         ...s0..s0../..h0v0l1v0h7../.t0y0f0c0f0y0t2./o",
    ),
    ("queens-8", "......../......../......../.Q....../......../......../.......Q/........"),
    ("skirmish-8x8", "r3k2r/pp3ppp/8/3pP3/8/8/PP3PPP/R3K2R w KQkq d6 0 12"),
    ("skirmish-8x8", "r6r/pp3ppp/8/8/3pP3/8/PP3PPP/RR2K2R b - e3 0 12"),
    ("skirmish-8x8", "r3k2r/pp3ppp/8/3pP3/8/8/PP3PPP/R3K2R b Kq - 0 50"),
    ("tant-fant", ".oo/xo./.xx/o"),
    ("three-mens-morris", "xo./.../..x/o"),
    (
        "wolf-and-sheep-8x8",
        "......../..o.x.../.o....../......../......../......../......../o.o...../o",
    ),
    ("yavalath", "...../x...../......./....o.../..x....../......../...o.../....../...../o"),
];

#[test]
fn positions_that_no_play_leads_to_are_the_same_on_all_engines() {
    let catalogue = Catalogue::embedded().unwrap();
    for &(id, position) in POSITIONS {
        let engines = |engine: &str| !engine.starts_with("propnet");
        let all = of_game(catalogue.get(id).unwrap(), Some(position), engines);
        let described = catalogue.get(id).unwrap().descriptions.len();
        assert!(all.len() >= described.min(3), "{id} on {} engines", all.len());
        let looks = |game: &dyn play::Game| {
            let start = start_of(game);
            (known_of(&*start), (0..3).map(|seed| line(&*start, seed)).collect::<Vec<_>>())
        };
        let expected = looks(&*all[0].1);
        assert!(expected.0.1.len() > 1, "{id} goes on at {position}");
        for (engine, game) in &all[1..] {
            assert_eq!(looks(&**game), expected, "{id} on {engine} at {position}");
        }
    }
}

#[test]
fn drawn_positions_of_random_games_are_read_as_they_were_by_all_engines() {
    check(&Catalogue::embedded().unwrap(), |_| true, 0..1, 1);
}

#[test]
#[ignore = "minutes; `DRAWN=sudoku-9x9` for one game, `CATALOGUE=DIR` for games of a folder"]
fn many_drawn_positions_of_random_games_are_read_as_they_were_by_all_engines() {
    let one = std::env::var("DRAWN").ok();
    let catalogue = match std::env::var_os("CATALOGUE") {
        Some(folder) => Catalogue::from_dir(folder).unwrap(),
        None => Catalogue::embedded().unwrap(),
    };
    check(&catalogue, |game| one.as_ref().is_none_or(|one| *one == game.id), 0..6, 4);
}
