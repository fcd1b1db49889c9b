//! Plans against the reference at positions of random walks: the same moves, which lead to the same
//! states and scores.

use play::{Rng, Turn};

use super::Plan;
use super::choices::{Choice, Counted};
use super::links::Forest;
use super::playout::Outcome;
use crate::checks::{WORDS, catalogue, lowered};
use crate::eval::Action;
use crate::game::Game;

/// What was compared on walks through a game.
#[derive(Default, Debug)]
struct Compared {
    positions: u32,
    /// Plies whose moves had to be tried.
    tried: u32,
    /// Positions in which pairs of moves might be the same.
    clashes: u32,
    /// Positions at which everything was left to the reference.
    listed: u32,
}

fn walk(name: &str, text: &str, walks: u64, plies: u32) -> Compared {
    let lowered = lowered(name, text);
    let mut compared = Compared::default();
    if lowered.world.sites() > 64 * WORDS {
        return compared;
    }
    let game = Game::<WORDS>::new(lowered);
    let Some(clashes) = game.clashes.as_ref().filter(|_| !game.composite && !game.random_start)
    else {
        return compared;
    };
    let plan = Plan::new(&game, clashes);
    for number in 0..walks {
        let mut rng = Rng::stream(11, number);
        let forest = Forest::new(game.world.sites());
        let mut state = game.initial.clone();
        let mut ahead = Counted::default();
        for _ in 0..plies {
            let mut legal = Vec::new();
            if game.legal(&mut state, &mut legal) == Turn::Over {
                break;
            }
            let mover = state.head.turns.mover;
            let phase = state.head.phase[usize::from(mover)];
            let turn = plan.turn(phase, mover);
            let cx = plan.at(&game, &state, &forest);
            let mut counted = Counted::default();
            turn.choice.count(&cx, &mut counted);
            let total = counted.total();
            if ahead.ahead == Some((phase, mover)) {
                assert_eq!(ahead.total(), total, "{name}: counted ahead");
            }
            compared.listed += u32::from(matches!(turn.choice, Choice::Listed(_)));
            if counted.may_clash(&plan.clashes) {
                compared.clashes += 1;
            } else {
                let found = counted.all_allowed(&cx);
                let forced = found.is_empty() && legal == [Action::PASS];
                if !forced {
                    let order = |a: &Action| (a.leaf, a.from, a.to, a.piece, a.bound);
                    let sorted = |list: &[Action]| {
                        let mut list = list.to_vec();
                        list.sort_by_key(order);
                        list
                    };
                    assert_eq!(sorted(&found), sorted(&legal), "{name}");
                    // Where nothing is tried the order is that of the reference, too, unless what
                    // pieces do depends on more than what they are.
                    let ordered = !counted.tested && !game.initial.has_layers();
                    assert!(!ordered || *found == legal, "{name}: {found:?} {legal:?}");
                }
                assert_eq!(turn.choice.any(&cx), !found.is_empty(), "{name}: any");
                compared.tried += u32::from(counted.tested);
            }
            compared.positions += 1;
            let action = legal[rng.below(legal.len() as u32) as usize];
            let mut plain = state.clone();
            game.play(&mut plain, action);
            if game.leaf(action).is_none() {
                state = plain;
                continue;
            }
            match plan.ply(&game, &mut state, &forest, &mut ahead, turn, action) {
                Outcome::Over(scores) => {
                    assert!(plain.head.over, "{name}: {action:?} does not end it");
                    assert_eq!(scores, game.scores_of(&plain), "{name}");
                    break;
                }
                Outcome::Goes => {
                    assert!(!plain.head.over, "{name}: {action:?} ends it");
                    // Flags that no rule reads are not kept.
                    state.head.stalemated = plain.head.stalemated;
                    assert!(state.same(&plain), "{name}: {action:?}");
                    assert_eq!(state.head, plain.head, "{name}: {action:?}");
                    assert_eq!(state.words(), plain.words(), "{name}: {action:?}");
                }
            }
        }
    }
    compared
}

#[test]
fn plans_have_the_moves_of_the_reference() {
    let mut planned = 0;
    for (name, text) in catalogue() {
        let compared = walk(&name, &text, 1, 150);
        planned += u32::from(compared.positions > 0);
    }
    assert!(planned >= 30, "only {planned} games have a plan");
}
