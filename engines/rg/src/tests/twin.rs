//! Code beside the search: the same moves with the same results.

use std::collections::BTreeMap;

use play::{Limits, Mechanics, Rng, Rules};

use super::{games, rules, rules_of, shared};
use crate::automaton::Cell;
use crate::compiled::{CompiledGame, Standing};
use crate::engine::{code, reference};
use crate::front;
use crate::reference::MoveNumber;
use crate::state::State;

/// The game with code; `None` if it has none.
fn compiled(rules: &Rules) -> Option<CompiledGame> {
    let automaton = front::read(&rules.source).0?;
    let limits = Limits::default();
    let reference = reference(automaton, &limits);
    let (nodes, map, code) = code(&reference, &limits).ok()?;
    Some(CompiledGame::new(reference, nodes, map, code))
}

/// The cells of a state that matter, and its node.
fn live(game: &CompiledGame, state: &State) -> (usize, Vec<Cell>) {
    let rules = &game.reference.rules;
    let slots = 0..rules.automaton.variables.len();
    let live = slots.filter(|&slot| rules.liveness.is_live(state.node, slot));
    let cells = live.flat_map(|slot| &state.cells[rules.layout.range(slot)]).copied().collect();
    (game.class(state.node), cells)
}

/// Plays at random by code, and compares moves and results with those of the search, and where all
/// moves in a row lead; the number of positions in which there was code.
fn compare(name: &str, game: &CompiledGame, plies: usize, seed: u64) -> usize {
    let mut rng = Rng::stream(seed, 0);
    let mut standing = game.initial(&mut rng);
    let start = standing.clone();
    let (mut compared, mut path) = (0, Vec::new());
    for ply in 0..plies {
        let mut legal = Vec::new();
        game.expand(&mut standing, &mut legal);
        if let Standing::Coded { position, .. } = &standing {
            compared += 1;
            let state = game.searched(position);
            // Games with faults are played on by code.
            let Ok(listed) = game.reference.list(&state) else { break };
            let by_tags: BTreeMap<Vec<Cell>, &crate::search::Move> = listed
                .iter()
                .map(|listed| (listed.tags.iter().map(|tag| tag.symbol).collect(), listed))
                .collect();
            let mut coded: Vec<Vec<Cell>> = Vec::new();
            for &number in &legal {
                let tags = game.tags(position, number).tags;
                coded.push(tags.iter().map(|tag| tag.symbol).collect());
            }
            let mut sorted = coded.clone();
            sorted.sort();
            let expected: Vec<Vec<Cell>> = by_tags.keys().cloned().collect();
            assert_eq!(sorted, expected, "{name}, ply {ply}:\n{}", game.draw(&standing));
            for _ in 0..4.min(legal.len()) {
                let number = rng.below(legal.len() as u32);
                let mut after = state.clone();
                after.make(by_tags[&coded[number as usize]]);
                let mut made = position.clone();
                game.make_alone(&mut made, MoveNumber(number));
                let (made, after) = (live(game, &game.searched(&made)), live(game, &after));
                assert_eq!(made, after, "{name}, ply {ply}, {:?}", coded[number as usize]);
            }
        }
        if legal.is_empty() {
            break;
        }
        let chosen = legal[rng.below(legal.len() as u32) as usize];
        game.apply(&mut standing, chosen, &mut rng);
        path.push(chosen);
        if !game.facts().chance {
            let mut along = start.clone();
            game.apply_all(&mut along, &path);
            let [along, expected] = [&along, &standing].map(|at| live(game, &game.state(at)));
            assert_eq!(along, expected, "{name}, {path:?}");
        }
    }
    compared
}

#[test]
fn code_has_the_moves_of_the_search() {
    let sources = [shared("rg"), shared("rg-micro")].concat();
    let mut coded = 0;
    for source in &sources {
        let name = source.name();
        if let Some(game) = compiled(&rules(source)) {
            let compared: usize = (0..3).map(|seed| compare(name, &game, 60, seed)).sum();
            println!("{name}: {compared} positions");
            coded += usize::from(compared > 0);
        }
    }
    // Most of them: a third is refused, and some have nobody who chooses.
    assert!(sources.is_empty() || 2 * coded > sources.len(), "{coded} of {}", sources.len());
}

/// Games of our own, and one of whose two turns is left to the search.
#[test]
fn code_has_the_moves_of_the_search_in_small_games() {
    let left =
        "type Player = { a, b }; type Score = { 0 }; type N = { 0, 1, 2 }; type Row = N -> N;
        const blank: Row = { :0 }; var n: N = 0; var row: Row = { :0 };
        begin, a: player = a; a, a1: n = N(*); a1, a2: $$ n; a2, a3: row[n] = 1; a3, b: player = b;
        b, b1: n = N(*); b1, b2: $$ n; b2, b3: row[n] == 0; b3, b4: row[n] = 2;
        b4, b5: row = blank; b5, b6: row[n] = 1; b6, a: player = a; b4, end: row[n] == 1;";
    for (name, text) in [("left.rg", left.to_owned())].into_iter().chain(games::all()) {
        let game = compiled(&rules_of(name, &text)).expect("it has code");
        let compared = compare(name, &game, 20, 1);
        assert!(compared > 1, "{name}: {compared} positions");
    }
}
