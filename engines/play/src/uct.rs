//! Search trees over the positions of a game.
//!
//! A tree is grown over an engine's own type of state; [`grow_through`] and
//! [`grow_open_loop_through`] grow the same trees, node by node, through [`Position`] alone, which is
//! what the others are checked against.

mod open_loop;
mod open_walker;
mod range;
mod tree;
mod walker;

use std::sync::Arc;

use crate::any_state::AnyState;
use crate::mechanics::Mechanics;
use crate::numbers::Numbers;
use crate::position::{OpenLoopSearch, Position};
use crate::scores::Player;
use crate::search::{Search, SearchSettings};

/// A tree over an engine's own states, with this one as its root.
pub(crate) fn grow<'a, M: Mechanics>(
    mechanics: Arc<M>,
    root: &M::State,
    settings: SearchSettings,
) -> Box<dyn Search + 'a> {
    let walker = walker::OfMechanics::new(mechanics, root);
    Box::new(tree::Tree::new(Box::new(walker), settings))
}

/// The same tree, grown through [`Position`]: slow, and the reference of [`Position::search`].
pub fn grow_through<'p>(
    root: &(dyn Position + 'p),
    players: u8,
    settings: SearchSettings,
) -> Box<dyn Search + 'p> {
    let walker = walker::OfPosition::new(root.copy(), players);
    Box::new(tree::Tree::new(Box::new(walker), settings))
}

/// An open-loop tree over an engine's own states, given any of them; with numbers for actions and
/// percepts, where the game has them, no labels are made.
pub(crate) fn grow_open_loop<'a>(
    state: Box<dyn AnyState>,
    numbers: Option<Arc<Numbers>>,
    settings: SearchSettings,
    observer: Option<Player>,
) -> Box<dyn OpenLoopSearch<'a> + 'a> {
    let walker = open_walker::OfState::new(state, numbers, observer);
    Box::new(open_loop::Tree::new(Box::new(walker), settings, observer))
}

/// The same tree, grown through [`Position`]: slow, and the reference of
/// [`Position::search_open_loop`].
pub fn grow_open_loop_through<'p>(
    players: u8,
    settings: SearchSettings,
    observer: Option<Player>,
) -> Box<dyn OpenLoopSearch<'p> + 'p> {
    let walker = open_walker::OfPosition::new(players, observer);
    Box::new(open_loop::Tree::new(Box::new(walker), settings, observer))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::NoChance;
    use crate::toy::{TREES, Toy};

    const SETTINGS: SearchSettings =
        SearchSettings { seed: 3, exploration: 0.7, cap: 50, leaves: 1, bytes: 1 << 20 };

    fn search(tree: &str, settings: SearchSettings) -> Box<dyn Search> {
        let game = Toy::parse(tree).unwrap().boxed();
        game.open(&mut NoChance).search(settings).unwrap()
    }

    #[test]
    fn the_best_action_is_visited_most() {
        // At random the first action pays 2/3 of the time, and a good opponent never lets it.
        let mut search = search("1(2(=100,0 =100,0 =0,100) 2(=60,40 =50,50))", SETTINGS);
        search.simulate(2000);
        let values = search.values();
        assert_eq!(values.iter().map(|value| value.visits).sum::<u64>(), 2000);
        assert!(values[1].visits > 1500, "{values:?}");
        assert!((values[1].mean - 51.0).abs() < 3.0, "{values:?}");
    }

    #[test]
    fn trees_over_states_and_over_positions_are_the_same() {
        for (tree, leaves) in TREES.iter().flat_map(|tree| [(tree, 1), (tree, 3)]) {
            let game = Toy::parse(tree).unwrap().boxed();
            let start = game.open(&mut NoChance);
            let settings = SearchSettings { leaves, ..SETTINGS };
            let mut own = start.search(settings).unwrap();
            let mut other = grow_through(&*start, game.facts().players, settings);
            let mut before = own.digest();
            for _ in 0..4 {
                own.simulate(5);
                other.simulate(5);
                assert_eq!(own.digest(), other.digest(), "{tree}");
                assert!(own.nodes() == 1 || own.digest() != before, "{tree}");
                before = own.digest();
            }
        }
    }

    #[test]
    fn simulations_depend_on_the_seed_and_their_number_alone() {
        let tree = "1(2(=1,0 =2,0 1(=3,0 =5,1)) 1(1(=3,0 =4,0) =4,0) =5,0)";
        let digest = |seed, parts: &[u64]| {
            let mut search = search(tree, SearchSettings { seed, ..SETTINGS });
            parts.iter().for_each(|&part| search.simulate(part));
            search.digest()
        };
        assert_eq!(digest(3, &[60]), digest(3, &[1, 20, 39]));
        assert_ne!(digest(3, &[60]), digest(4, &[60]));
    }

    #[test]
    fn what_is_known_of_the_next_position_is_kept() {
        // With this seed a playout meets the payoff of 7, so that the first action is tried often.
        let settings = SearchSettings { seed: 1, ..SETTINGS };
        let mut search = search("1(2(=0,9 1[2(=7,1 =3,2 =1,1)]) =2,2)", settings);
        search.simulate(300);
        assert!(search.advance(0));
        let kept = search.values();
        assert!(kept[0].visits > 10 && kept.len() == 2, "{kept:?}");
        // Behind the second action is a forced pass.
        search.simulate(300);
        assert!(search.advance(1));
        assert_eq!(search.values().len(), 3);
        search.simulate(30);
        assert!(search.values().iter().map(|value| value.visits).sum::<u64>() > 30);
        assert!(!search.advance(3), "there are three actions");
        assert!(search.advance(0));
        assert!(search.values().is_empty(), "the game is over");
    }

    #[test]
    fn an_action_that_nobody_looked_at_begins_a_new_tree() {
        let mut search = search("1(2(=0,9 =1,1) =2,2)", SETTINGS);
        assert!(!search.advance(0));
        assert_eq!((search.values().len(), search.nodes()), (2, 1));
    }

    #[test]
    fn a_full_tree_grows_no_more_and_goes_on() {
        let tree = "1(2(=1,0 =2,0 1(=3,0 =5,1)) 1(1(=3,0 =4,0) =4,0) =5,0)";
        let mut search = search(tree, SearchSettings { bytes: 1, ..SETTINGS });
        search.simulate(50);
        assert_eq!(search.nodes(), 1);
        assert_eq!(search.values().iter().map(|value| value.visits).sum::<u64>(), 50);
    }

    #[test]
    fn without_bound_on_exploration_actions_are_tried_in_turn() {
        // The first action pays most, and ends at once; of the others two have choices below.
        let tree = "1(=100,0 2(=0,100 =0,100) 2(1(=0,1 =0,2 =0,3) =0,100) =0,100)";
        for (leaves, bytes) in [(1, 1 << 20), (1, 1), (3, 1)] {
            let exploration = f64::INFINITY;
            let mut search =
                search(tree, SearchSettings { exploration, leaves, bytes, ..SETTINGS });
            for simulations in 1..=50 {
                search.simulate(1);
                let visits = search.values().into_iter().map(|value| value.visits);
                let mut visits: Vec<u64> = visits.collect();
                visits.sort_unstable();
                // All equally often, and one more of as many as are over.
                let tried = |action: u64| (simulations + action) / 4 * u64::from(leaves);
                assert_eq!(visits, [0, 1, 2, 3].map(tried), "{leaves} {bytes} {simulations}");
            }
        }
    }

    #[test]
    fn games_of_chance_have_no_such_tree() {
        let game = Toy::parse("*(=1 =2)").unwrap().boxed();
        assert!(game.open(&mut NoChance).search(SETTINGS).is_none());
    }
}
