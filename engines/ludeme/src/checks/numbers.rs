//! Moves made by their numbers beside the full list of moves, at positions of random walks.

use play::Rng;

use super::lowered;
use crate::checks::files::catalogue;
use crate::eval::{HarnessChance, Legality, Listed, MaybeChance, Replayed};
use crate::game::Game;
use crate::lower::Feature;
use crate::moves::Move;

/// Games whose moves are tested, compared, put together from parts, or passed over: the name of
/// each, behind a semicolon, and its description.
pub(super) fn games() -> Vec<(&'static str, &'static str)> {
    let games = include_str!("../../tests/walked.txt").split("; ");
    games.filter_map(|game| game.split_once('\n')).collect()
}

/// The rules, with moves put together as they are made; `None` if that does not fit the game.
fn compiled(name: &str, text: &str) -> Option<Game> {
    let lowered = lowered(name, text);
    let fits = lowered.world.sites() <= 64 * kernel::MAX_NATIVE_WORDS;
    fits.then(|| Game::new(lowered))
}

/// Compares moves in a number of plies. Returns the number of compared moves, and that of drawn
/// moves which failed a test.
fn walk(name: &str, game: &Game, seed: u64, plies: u32) -> (usize, usize) {
    let mut rng = Rng::stream(seed, 0);
    let mut state = game.initial.clone();
    let mut found = Listed::default();
    let (mut compared, mut refused) = (0, 0);
    for _ in 0..plies {
        // The outcomes of chance for a list are the same for all who make its moves.
        let source = HarnessChance::new(&mut rng);
        let chance: MaybeChance<'_> = if game.has(Feature::Chance) { Some(&source) } else { None };
        game.list_all(&mut state, true, chance, &mut found);
        let Listed { list, draws, .. } = &found;
        let listed = game.list(&mut state, Some(&Replayed::new(draws, None)));
        let Some(last) = listed.len().checked_sub(1) else { break };
        let forced = last == 0 && listed[0].is_pass();
        let make = |state: &mut _, id| game.make_listed(state, draws, id, Legality::Known, None);
        let made: Option<Vec<Move>> = list.iter().map(|&id| make(&mut state, id)).collect();
        let made = made.unwrap_or_else(|| panic!("{name}: a move is refused"));
        assert!(made == *listed || forced && made.is_empty(), "{name}: {made:?} {listed:?}");
        compared += listed.len();
        if !game.has(Feature::Chance) {
            game.list_all(&mut state, false, None, &mut found);
            let Listed { list, draws, .. } = &found;
            let make = |&id| game.make_listed(&mut state, draws, id, Legality::Open, None);
            let drawn: Vec<Move> = list.iter().filter_map(make).collect();
            assert_eq!(made, drawn, "{name}: drawn");
            refused += list.len() - drawn.len();
        }
        let made = &listed[rng.below(last as u32 + 1) as usize];
        let source = HarnessChance::new(&mut rng);
        game.advance(
            &mut state,
            made,
            if game.has(Feature::Chance) { Some(&source) } else { None },
        );
    }
    (compared, refused)
}

#[test]
fn moves_made_by_their_numbers_are_those_of_the_list() {
    let mut tested = 0;
    for (name, text) in games() {
        let game = compiled(name, text).expect("a small game");
        let walks = (0..8).map(|seed| walk(name, &game, seed, 60));
        let (compared, refused) = walks.fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        assert!(compared > 60, "{name}: {compared}");
        tested += usize::from(refused > 0);
    }
    assert!(tested >= 3, "moves are refused in {tested} games");
}

#[test]
fn moves_of_the_catalogue_made_by_their_numbers_are_those_of_the_list() {
    let mut games = 0;
    for rules in catalogue() {
        let name = rules.source.name();
        if let Some(game) = compiled(name, rules.source.text()) {
            walk(name, &game, 1, 12);
            games += 1;
        }
    }
    assert!(games > 25, "only {games} games");
}
