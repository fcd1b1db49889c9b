//! Tests that actions have their effects, and that sets and numbers agree after them.

use super::*;
use crate::set::Set;
use crate::state::{Layers, Sizes};

fn layout(occupancy: Occupancy) -> Layout {
    // Component 1 of player 1, 2 and 3 of player 2.
    let layers = Layers { state: true, ..Layers::default() };
    let sizes =
        Sizes { players: 2, sites: 10, words: 1, vars: 1, local_states: 4, ..Sizes::default() };
    Layout::new(&[0, 1, 2, 2], occupancy, layers, &[1, 2, 3], sizes)
}

fn state(layout: &Layout) -> State {
    State::new(layout, &Set::below(9))
}

/// Checks that the sets agree with the sites.
fn check(layout: &Layout, state: &State) {
    for site in 0..9 {
        let what = state.what(site);
        assert_eq!(state.is_empty(site), what == 0, "site {site}");
        for owner in 0..4 {
            let owned = what != 0 && usize::from(layout.owner[what]) == owner;
            assert_eq!(state.owned(owner).contains(site), owned, "site {site} owner {owner}");
        }
        let (first, states) = layout.local_states();
        for number in 0..states {
            let holds = state.extra(site, None).state == number as i32;
            assert_eq!(state.set(first + number).contains(site), holds, "site {site}");
        }
        for piece in 1..4 {
            let set = usize::from(layout.piece_set[piece]);
            assert_eq!(state.set(set).contains(site), what == piece, "site {site}");
        }
    }
}

#[test]
fn flat_sites_are_replaced_not_stacked() {
    let layout = layout(Occupancy::Flat);
    let mut state = state(&layout);
    state.add(&layout, 0, 1, 1, PieceValues { state: Some(3), ..PieceValues::default() });
    state.add(&layout, 0, 2, 1, PieceValues::default());
    assert_eq!((state.what(0), state.count(0)), (1, 1)); // adding never changes the component
    state.add(&layout, 4, 2, 1, PieceValues::default());
    state.move_top(&layout, 0, 4, false);
    assert_eq!((state.what(0), state.what(4), state.extra(4, None).state), (0, 1, 3));
    state.promote(&layout, 4, 3);
    check(&layout, &state);
    assert_eq!(state.extra(4, None).state, 0);
    state.remove(&layout, 4);
    check(&layout, &state);
    assert!((0..4).all(|component| state.order(&layout, component).next().is_none()));
}

#[test]
fn the_order_of_placing_is_the_same_in_numbers_and_in_lists() {
    let orders = |sites: usize| {
        let sizes = Sizes { players: 2, sites, words: 157, vars: 1, ..Sizes::default() };
        let in_order = &[1, 2, 3];
        let layout =
            Layout::new(&[0, 1, 2, 2], Occupancy::Flat, Layers::default(), in_order, sizes);
        let mut state = State::new(&layout, &Set::below(10));
        (0..6).for_each(|site| state.add(&layout, site, 1 + site % 2, 1, PieceValues::default()));
        state.move_top(&layout, 0, 3, true);
        state.move_top(&layout, 2, 9, true);
        state.promote(&layout, 1, 2);
        state.promote(&layout, 5, 3);
        state.remove(&layout, 4);
        let orders = [1, 2, 3].map(|component| state.order(&layout, component).collect::<Vec<_>>());
        (layout.has_order_lists(), orders)
    };
    let expected = [vec![9, 3], vec![1], vec![5]];
    assert_eq!(orders(10), (false, expected.clone()));
    assert_eq!(orders(10_000), (true, expected));
}

#[test]
fn counts_add_up() {
    let layout = layout(Occupancy::Counting);
    let mut state = state(&layout);
    state.add(&layout, 0, 1, 3, PieceValues::default());
    state.add(&layout, 0, 1, 1, PieceValues::default());
    state.move_top(&layout, 0, 1, false);
    state.move_top(&layout, 0, 1, false);
    assert_eq!((state.count(0), state.count(1)), (2, 2));
    state.move_count(&layout, 0, 1, 2);
    assert_eq!((state.what(0), state.count(1)), (0, 4));
    check(&layout, &state);
}

#[test]
fn stacks_keep_order_from_the_bottom() {
    let layout = layout(Occupancy::Stacking);
    let mut state = state(&layout);
    for what in [1, 2, 3] {
        state.add(&layout, 0, what, 1, PieceValues { state: Some(7), ..PieceValues::default() });
    }
    assert_eq!([0, 1, 2].map(|l| state.what_at(0, l)), [1, 2, 3]);
    state.remove_level(&layout, 0, 1);
    assert_eq!((state.height(0), state.what_at(0, 1)), (2, 3));
    state.move_top(&layout, 0, 5, false);
    assert_eq!(state.extra(5, None).state, 0); // lost, as specified
    assert_eq!(state.extra(0, None).state, 7);
    state.move_stack(&layout, 0, 5);
    assert_eq!([0, 1].map(|l| state.what_at(5, l)), [3, 1]);
    check(&layout, &state);
    let mut copy = self::state(&layout);
    copy.clone_from(&state);
    assert!(copy.same(&state) && copy.words() == state.words());
}

#[test]
fn what_is_crossed_out_wrongly_stays_listed_until_such_a_piece_goes() {
    let layout = layout(Occupancy::Stacking);
    let mut state = state(&layout);
    let stale = |what, level| vec![StalePiece { what, site: 0, level }];
    for height in 1..=3 {
        (0..height).for_each(|_| state.add(&layout, 0, 1, 1, PieceValues::default()));
        (0..height).for_each(|number| state.clear_captured(&layout, 0, number));
        assert_eq!(state.height(0), 0);
        // A single piece is removed without a trace, with the stale piece of the one before.
        assert_eq!(state.stale_pieces(), if height == 1 { Vec::new() } else { stale(1, 0) });
    }
    // Pieces of other players come and go.
    state.add(&layout, 0, 2, 1, PieceValues::default());
    state.move_stack(&layout, 0, 5);
    assert_eq!(state.stale_pieces(), stale(1, 0));
    state.add(&layout, 0, 1, 1, PieceValues::default());
    state.move_top(&layout, 0, 5, true);
    assert!(state.stale_pieces().is_empty());
    // A promotion leaves a stale piece only of a piece that stands alone.
    state.promote(&layout, 5, 3);
    assert!(state.stale_pieces().is_empty());
    state.add(&layout, 0, 2, 1, PieceValues::default());
    state.promote(&layout, 0, 3);
    assert_eq!(state.stale_pieces(), stale(2, 0));
    state.insert(&layout, 0, 0, 1, Extra::default());
    assert_eq!(state.stale_pieces(), stale(2, 1));
    check(&layout, &state);
}

#[test]
fn a_sole_component_shares_the_set_of_its_owner() {
    let layout = layout(Occupancy::Flat);
    assert_eq!(usize::from(layout.piece_set[1]), Layout::owner_set(1));
    assert_ne!(layout.piece_set[2], layout.piece_set[3]);
}

#[test]
fn what_is_hidden_moves_and_what_is_remembered_stays() {
    let sizes =
        Sizes { players: 2, sites: 10, words: 1, lists: 1, hidden: true, ..Sizes::default() };
    let layout = Layout::new(&[0, 1], Occupancy::Flat, Layers::default(), &[], sizes);
    let mut state = state(&layout);
    state.hide(&layout, 3, 1, 0b10, true);
    state.remember(&layout, 0, 3);
    state.carry_hidden(&layout, 3, 4);
    let set = |index: usize| state.set(index).iter().collect::<Vec<_>>();
    assert_eq!(set(layout.hidden(0, 1)), [4]);
    assert_eq!(set(layout.remembered(0)), [3]);
}
