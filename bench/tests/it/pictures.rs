//! Pictures of positions: of every game of the catalogue, on every engine that plays it.

use std::collections::BTreeSet;

use ::pictures::{Options, svg};
use play::picture::file_and_rank;
use play::{Position, Rng, Turn, settle};
use rayon::prelude::*;
use resvg::usvg::roxmltree::Document;

use crate::common::pairs::{Pair, pairs};

/// Plies of each game.
const PLIES: usize = 6;

/// Games whose cells have other names than the squares of labels on these engines, and why.
const UNNAMED: &[(&str, &str, &str)] =
    &[("liars-dice", "ludeme", "a bid of three dice that show a two, `3x2`, looks like a square")];

#[test]
fn every_position_of_every_engine_is_a_picture_with_the_cells_of_its_labels() {
    let lacking: BTreeSet<String> = pairs().par_iter().filter_map(lacking).collect();
    assert_eq!(lacking.into_iter().collect::<Vec<_>>(), [""; 0]);
}

/// A square of the labels of a random game that is no cell of its pictures.
fn lacking(pair: &Pair) -> Option<String> {
    let is_known = UNNAMED.iter().any(|row| (row.0, row.1) == (&*pair.entry.id, pair.engine.id()));
    let mut rng = Rng::stream(7, 0);
    let mut position = pair.game().open(&mut rng);
    settle(&mut *position, &mut rng);
    let mut lacking = None;
    for _ in 0..PLIES {
        let missing = check(&*position, &pair.name()).filter(|_| !is_known);
        lacking = lacking.or(missing.map(|square| format!("{}: {square}", pair.name())));
        if position.turn() == Turn::Over || position.actions() == 0 {
            break;
        }
        let action = rng.below(position.actions() as u32) as usize;
        position.play(action, &mut rng).unwrap();
        settle(&mut *position, &mut rng);
    }
    lacking
}

/// Draws a position, and returns a square of its labels that is no cell, if it has a board.
fn check(position: &dyn Position, at: &str) -> Option<String> {
    let (picture, labels) = (position.picture(), position.labels());
    assert_eq!(picture.turn, Some(position.turn()), "{at}");
    let last = labels.first().map(String::as_str);
    let drawn = svg(&picture, &Options { legal: &labels, last, ..Options::default() });
    let tree = Document::parse(&drawn).unwrap_or_else(|why| panic!("{at}: {why}\n{drawn}"));
    let cells = tree.descendants().filter(|node| {
        node.attribute("class").is_some_and(|class| class.split(' ').any(|it| it == "cell"))
    });
    let sites: BTreeSet<&str> = cells.filter_map(|cell| cell.attribute("data-site")).collect();
    if !picture.cells.iter().any(|cell| file_and_rank(&cell.name).is_some()) {
        return None;
    }
    // A number may stand behind a square: `a12` writes 2 on `a1`.
    let is_cell = |square: &str| (2..=square.len()).any(|length| sites.contains(&square[..length]));
    labels.iter().flat_map(|label| squares(label)).find(|square| !is_cell(square))
}

/// The squares of a label that is made of such.
fn squares(label: &str) -> Vec<String> {
    let mut squares = vec![String::new()];
    for sign in label.chars() {
        let before = squares.last().and_then(|square| square.chars().next_back());
        let begins = sign.is_ascii_lowercase() && before.is_some_and(|b| b.is_ascii_digit());
        if begins || !sign.is_ascii_alphanumeric() {
            squares.push(String::new());
        }
        if let Some(last) = squares.last_mut().filter(|_| sign.is_ascii_alphanumeric()) {
            last.push(sign);
        }
    }
    squares.retain(|square| file_and_rank(square).is_some_and(|(file, _)| file < 26));
    squares
}
