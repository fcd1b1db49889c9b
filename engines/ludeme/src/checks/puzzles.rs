//! Lists of the legal moves of puzzles from sets of candidates, beside those of the evaluator.

use play::{Rng, Rules};

use super::WORDS;
use crate::checks::files::{catalogue, descriptions, shared};
use crate::eval::{Listed, Mode};
use crate::game::Game;
use crate::puzzle::{Plan, prepare};
use crate::{front, lower};

/// Plies of a random walk through a puzzle at each of which both lists are the same; `None` for
/// what is no puzzle, is not supported, or is not played with sets.
fn walk(rules: &Rules, seed: u64) -> Option<usize> {
    let name = rules.source.name();
    let lowering = lower::lower(&front::parse(rules).ok()?.root).ok()?;
    if lowering.puzzle.is_none() || lowering.world.sites() > 64 * WORDS {
        return None;
    }
    let mut game = Game::<WORDS>::new(lowering);
    prepare(&mut game);
    let plan = Plan::of(&game)?;
    let mut state = game.initial.clone();
    let (mut plain, mut listed) = (Listed::default(), Listed::default());
    let mut rng = Rng::stream(seed, 0);
    let mut plies = 0;
    while !state.head.over && plies < 40 {
        game.list_legal(&mut state, None, &mut plain);
        plan.list(&game, &mut state, &mut listed);
        assert_eq!(plain.list, listed.list, "{name} at ply {plies}");
        let id = plain.list[rng.below(plain.list.len() as u32) as usize];
        let made = game.one_made(&mut state, Mode::Known, &plain, id, None);
        game.advance(&mut state, &made.expect("a move of the list"), None);
        plies += 1;
    }
    Some(plies)
}

#[test]
fn puzzles_of_the_catalogue_have_the_moves_of_the_evaluator() {
    let walks: Vec<usize> = catalogue().iter().filter_map(|rules| walk(rules, 1)).collect();
    assert!(walks.len() >= 8 && walks.iter().sum::<usize>() > 150, "{walks:?}");
}

#[test]
fn public_puzzles_have_the_moves_of_the_evaluator() {
    let Some(folder) = shared("corpus/lud/puzzle/deduction") else { return };
    let files = descriptions(&folder);
    assert!(files.iter().filter_map(|rules| walk(rules, 2)).count() > 8);
}
