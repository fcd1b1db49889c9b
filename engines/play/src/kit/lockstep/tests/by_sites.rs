//! Actions that are listed as sites.

use super::*;
use crate::reworded::Reworded;
use crate::site_list::SiteTurn;
use crate::words::{Wording, Words};

/// Cells in a row. More than a word of a set has bits.
const CELLS: u32 = 70;

/// The faults that a test builds in.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Fault {
    Nothing,
    /// No fault: the cells' labels are in another order than the cells.
    OtherOrder,
    /// No fault: there are no lists of sites, as in most games.
    NoSites,
    /// The second player's set lacks the last cell.
    LeavesOut,
    /// No fault: the cells of the second player's actions are in another order.
    Beside,
    /// The second player's family is the first one's.
    OneFamily,
}

/// Two players fill cells by turns, each with labels of their own, until three cells side by side
/// are filled after some plies; each eighth ply is a pass.
struct Row(Facts, Fault);

#[derive(Clone, PartialEq, Eq, Hash)]
struct Filled {
    cells: u128,
    player: u8,
    plies: u32,
}

impl Row {
    fn is_over(state: &Filled) -> bool {
        let cells = state.cells;
        state.plies > 12 && cells & cells << 1 & cells << 2 != 0
    }
}

impl Mechanics for Row {
    type State = Filled;
    /// The player and the cell; a pass is the cell behind the last.
    type Action = (u8, u32);

    fn facts(&self) -> &Facts {
        &self.0
    }

    fn initial<C: Chance + ?Sized>(&self, _: &mut C) -> Filled {
        Filled { cells: 0, player: 0, plies: 0 }
    }

    fn expand(&self, state: &mut Filled, legal: &mut Vec<(u8, u32)>) -> Turn {
        if Row::is_over(state) {
            return Turn::Over;
        }
        let free = |&cell: &u32| state.cells >> cell & 1 == 0;
        match state.plies % 8 {
            7 => legal.push((state.player, CELLS)),
            _ => legal.extend((0..CELLS).filter(free).map(|cell| (state.player, cell))),
        }
        Turn::Move(Player(state.player))
    }

    fn apply<C: Chance + ?Sized>(&self, state: &mut Filled, action: (u8, u32), _: &mut C) {
        state.cells |= 1 << action.1 & ((1 << CELLS) - 1);
        state.player = 1 - state.player;
        state.plies += 1;
    }

    fn scores(&self, state: &Filled) -> Scores {
        Scores::win(Player(1 - state.player))
    }

    fn label(&self, _: &Filled, (player, cell): (u8, u32)) -> String {
        if cell == CELLS {
            "pass".to_owned()
        } else {
            format!("{}{cell}", ["x", "o"][usize::from(player)])
        }
    }

    fn is_pass(&self, _: &Filled, action: (u8, u32)) -> bool {
        action.1 == CELLS
    }

    fn draw(&self, state: &Filled) -> String {
        format!("{:b}", state.cells)
    }

    fn encoding(&self) -> Option<Encoding> {
        let all = |name: &'static str| (0..CELLS).map(move |cell| format!("{name}{cell}"));
        let mut actions: Vec<String> =
            all("o").chain(all("x")).chain(["pass".to_owned()]).collect();
        if self.1 == Fault::OtherOrder {
            actions.reverse();
        }
        let (sites, kinds) = (all("c").collect(), vec!["filled".to_owned()]);
        Some(Encoding { sites, kinds, actions, ..Encoding::default() })
    }

    fn expand_sites(&self, state: &mut Filled, sites: &mut Vec<u64>) -> Option<SiteTurn> {
        if Row::is_over(state) {
            return Some(SiteTurn { turn: Turn::Over, family: 0 });
        }
        if state.plies % 8 == 7 || self.1 == Fault::NoSites {
            return None;
        }
        let mut free = !state.cells & ((1 << CELLS) - 1);
        if (self.1, state.player) == (Fault::LeavesOut, 1) {
            free &= !(1 << (CELLS - 1));
        }
        sites.clear();
        sites.extend([free as u64, (free >> 64) as u64]);
        let family = if self.1 == Fault::OneFamily { 0 } else { state.player.into() };
        Some(SiteTurn { turn: Turn::Move(Player(state.player)), family })
    }

    fn site_action(&self, [family, site, _]: [u32; 3]) -> Option<(u8, u32)> {
        let is_beside = (self.1, family) == (Fault::Beside, 1);
        Some((family as u8, if is_beside { (site + 1) % CELLS } else { site }))
    }

    fn planes(&self, state: &Filled, planes: &mut [u8]) {
        for (cell, byte) in planes.iter_mut().enumerate() {
            *byte = (state.cells >> cell & 1) as u8;
        }
    }
}

#[test]
fn lists_of_sites_are_held_to_lists_of_actions() {
    for (fault, is_found) in [
        (Fault::Nothing, false),
        (Fault::OtherOrder, false),
        (Fault::NoSites, false),
        (Fault::LeavesOut, true),
        (Fault::Beside, false),
        (Fault::OneFamily, true),
    ] {
        let game = Adapted::new(Row(Facts { players: 2, ..Facts::default() }, fault));
        let mut report = Report::default();
        check(&game, &Effort { cap: 100, ..Effort::default() }, &mut report);
        assert_eq!(!report.faults.is_empty(), is_found, "{fault:?}: {:?}", report.faults);
    }
}

/// Both players' actions on a cell have one word.
#[test]
fn labels_and_sites_are_found_in_the_words_of_a_game() {
    for fault in [Fault::Nothing, Fault::NoSites, Fault::OtherOrder] {
        let actions = Wording::new([("x{N}", "cell {N}"), ("o{N}", "cell {N}")]).unwrap();
        let words = Words { actions, ..Words::default() };
        let facts = Facts { players: 2, ..Facts::default() };
        let game = Reworded::new(Adapted::boxed(Row(facts, fault)), words);
        assert_eq!(game.encoding().map(|encoding| encoding.actions.len()), Some(71));
        let mut report = Report::default();
        check(&game, &Effort { cap: 100, ..Effort::default() }, &mut report);
        assert_eq!(report.faults, [""; 0], "{fault:?}");
    }
}
