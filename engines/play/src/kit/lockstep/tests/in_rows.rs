//! Positions that an engine keeps in rows.

use std::sync::Arc;

use super::*;
use crate::mechanics::one_by_one;
use crate::site_list::SiteTurn;
use crate::site_rows::{NO_SITE, SitePly, SiteRows};
use crate::tally::End;

/// Cells in a row. More than a word of a set has bits.
const CELLS: u32 = 70;

/// The faults that a test builds in.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Fault {
    Nothing,
    /// No fault: there are no rows, as in most games.
    NoRows,
    /// No fault: the labels of the players differ, so rows are of no use.
    OwnLabels,
    /// No fault: some cell has no code, so rows are of no use.
    NoCode,
    /// Rows leave out the last cell after some plies.
    LeavesOut,
    /// Rows begin without the last cell.
    BeginsWithout,
    /// Rows exchange the planes.
    OtherPlanes,
    /// Rows name the other player.
    OtherTurn,
    /// Rows exchange the scores.
    OtherScores,
    /// Rows end early.
    EndsEarly,
    /// Rows play on from the start.
    OtherPlayouts,
    /// No fault: nobody can do anything but pass in the end.
    Endless,
    /// Rows take that for an end.
    EndlessEnds,
}

/// Two players put men on free cells by turns, until three cells side by side are taken after some
/// plies. After every fifth man one player has to pass, after every tenth both have.
struct Men(Facts, Fault);

#[derive(Clone, PartialEq, Eq, Hash)]
struct Placed {
    men: [u128; 2],
    player: u8,
    plies: u32,
    /// Passes that are due.
    passes: u32,
}

impl Placed {
    const START: Placed = Placed { men: [0; 2], player: 0, plies: 0, passes: 0 };

    fn taken(&self) -> u128 {
        self.men[0] | self.men[1]
    }

    fn is_over(&self, fault: Fault) -> bool {
        let taken = self.taken();
        let endless = matches!(fault, Fault::Endless | Fault::EndlessEnds);
        !endless && self.plies > 12 && taken & taken << 1 & taken << 2 != 0
    }

    fn put(&mut self, cell: u32, fault: Fault) {
        if self.passes > 0 {
            self.passes -= 1;
        } else {
            self.men[usize::from(self.player)] |= 1 << cell;
            self.plies += 1;
            self.passes = match self.plies {
                20 if matches!(fault, Fault::Endless | Fault::EndlessEnds) => u32::MAX,
                plies if plies.is_multiple_of(10) => 2,
                plies => plies.is_multiple_of(5).into(),
            };
        }
        self.player = 1 - self.player;
    }

    fn scores(&self) -> Scores {
        Scores::win(Player(1 - self.player))
    }

    /// The words of a set of cells.
    fn words(cells: u128) -> [u64; 2] {
        [cells as u64, (cells >> 64) as u64]
    }

    fn free(&self) -> u128 {
        !self.taken() & ((1 << CELLS) - 1)
    }
}

impl Mechanics for Men {
    type State = Placed;
    /// The player and the cell; a pass is the cell behind the last.
    type Action = (u8, u32);

    fn facts(&self) -> &Facts {
        &self.0
    }

    fn initial<C: Chance + ?Sized>(&self, _: &mut C) -> Placed {
        Placed::START
    }

    fn expand(&self, state: &mut Placed, legal: &mut Vec<(u8, u32)>) -> Turn {
        if state.is_over(self.1) {
            return Turn::Over;
        }
        let cells = if state.passes > 0 { CELLS..CELLS + 1 } else { 0..CELLS };
        let free = |&cell: &u32| state.taken() >> cell & 1 == 0;
        legal.extend(cells.filter(free).map(|cell| (state.player, cell)));
        Turn::Move(Player(state.player))
    }

    fn apply<C: Chance + ?Sized>(&self, state: &mut Placed, action: (u8, u32), _: &mut C) {
        state.put(action.1, self.1);
    }

    fn scores(&self, state: &Placed) -> Scores {
        state.scores()
    }

    fn label(&self, _: &Placed, (player, cell): (u8, u32)) -> String {
        match cell {
            CELLS => "pass".to_owned(),
            _ if self.1 == Fault::OwnLabels => format!("{}{cell}", ["x", "o"][usize::from(player)]),
            _ => format!("c{cell}"),
        }
    }

    fn is_pass(&self, _: &Placed, action: (u8, u32)) -> bool {
        action.1 == CELLS
    }

    fn draw(&self, state: &Placed) -> String {
        format!("{:b} {:b}", state.men[0], state.men[1])
    }

    fn encoding(&self) -> Option<Encoding> {
        let all = |name: &'static str| (0..CELLS).map(move |cell| format!("{name}{cell}"));
        let mut actions: Vec<String> = match self.1 {
            Fault::OwnLabels => all("o").chain(all("x")).collect(),
            _ => all("c").collect(),
        };
        // Codes need not come in the order of the cells.
        actions.reverse();
        let open = self.1 == Fault::NoCode;
        actions.retain(|label| !open || label != "c7");
        actions.push("pass".to_owned());
        let kinds = ["x", "o"].map(str::to_owned).into();
        Some(Encoding { sites: all("c").collect(), kinds, actions, open, ..Encoding::default() })
    }

    fn expand_sites(&self, _: &mut Placed, _: &mut Vec<u64>) -> Option<SiteTurn> {
        None
    }

    fn site_action(&self, [family, site, _]: [u32; 3]) -> Option<(u8, u32)> {
        Some((family as u8, site))
    }

    fn site_rows(self: &Arc<Self>) -> Option<Box<dyn SiteRows>> {
        let men = Arc::clone(self);
        (self.1 != Fault::NoRows).then(|| Box::new(MenRows { men, rows: Vec::new() }) as _)
    }

    fn planes(&self, state: &Placed, planes: &mut [u8]) {
        for (men, plane) in state.men.into_iter().zip(planes.chunks_exact_mut(CELLS as usize)) {
            for (cell, byte) in plane.iter_mut().enumerate() {
                *byte = (men >> cell & 1) as u8;
            }
        }
    }
}

#[derive(Clone)]
struct MenRows {
    men: Arc<Men>,
    /// The position of each row, and its sets.
    rows: Vec<(Placed, [u64; 4])>,
}

impl MenRows {
    fn show(&mut self, row: usize) {
        let (Placed { men, .. }, sets) = &mut self.rows[row];
        let [mut first, mut second] = men.map(Placed::words);
        if self.men.1 == Fault::OtherPlanes {
            std::mem::swap(&mut first, &mut second);
        }
        *sets = [first[0], first[1], second[0], second[1]];
    }

    fn play_one(&mut self, row: usize, site: u32, legal: &mut [u64]) -> SitePly {
        let fault = self.men.1;
        let position = &mut self.rows[row].0;
        position.put(site, fault);
        for _ in 0..=MAX_FORCED_PASSES {
            if position.passes == 0 || position.is_over(fault) {
                break;
            }
            position.put(CELLS, fault);
        }
        let now = position.clone();
        self.show(row);
        if now.is_over(fault) || fault == Fault::EndsEarly && now.plies == 9 {
            return SitePly::Over;
        }
        if now.passes > 0 {
            let ends = fault == Fault::EndlessEnds;
            return if ends { SitePly::Over } else { SitePly::Endless };
        }
        legal.copy_from_slice(&Placed::words(now.free()));
        legal[1] &= !(u64::from(fault == Fault::LeavesOut && now.plies > 8) << (CELLS - 65));
        let other = u8::from(fault == Fault::OtherTurn && now.plies > 8);
        SitePly::Going(Player(now.player ^ other))
    }
}

impl SiteRows for MenRows {
    fn families(&self) -> Vec<u32> {
        vec![0, 1]
    }

    fn set_words(&self) -> usize {
        2
    }

    fn kinds(&self) -> Vec<usize> {
        vec![0, 2]
    }

    fn with_rows(&self, rows: usize) -> Box<dyn SiteRows> {
        Box::new(MenRows { rows: vec![(Placed::START, [0; 4]); rows], ..self.clone() })
    }

    fn copy(&self) -> Box<dyn SiteRows> {
        Box::new(self.clone())
    }

    fn begin(&mut self, row: usize, legal: &mut [u64]) -> Player {
        self.rows[row].0 = Placed::START;
        self.show(row);
        legal.copy_from_slice(&Placed::words(Placed::START.free()));
        legal[1] &= !(u64::from(self.men.1 == Fault::BeginsWithout) << (CELLS - 65));
        Player(0)
    }

    fn play(&mut self, sites: &[u32], legal: &mut [u64], outcomes: &mut [SitePly]) {
        let rows = sites.iter().zip(legal.chunks_exact_mut(2)).zip(outcomes).enumerate();
        for (row, ((&site, legal), outcome)) in rows.filter(|(_, ((site, _), _))| **site != NO_SITE)
        {
            *outcome = self.play_one(row, site, legal);
        }
    }

    fn scores(&self, row: usize) -> Scores {
        let scores = self.rows[row].0.scores();
        match self.men.1 {
            Fault::OtherScores => Scores::two(scores.get(Player(1)), scores.get(Player(0))),
            _ => scores,
        }
    }

    fn sets(&self, row: usize) -> &[u64] {
        &self.rows[row].1
    }

    fn playouts(&self, row: usize, job: &Job, ends: &mut Vec<End>) {
        let other = self.men.1 == Fault::OtherPlayouts;
        let from = if other { &Placed::START } else { &self.rows[row].0 };
        one_by_one(&*self.men, from, job, ends);
    }
}

#[test]
fn rows_are_held_to_lists_of_actions() {
    for (fault, is_found) in [
        (Fault::Nothing, false),
        (Fault::NoRows, false),
        (Fault::OwnLabels, false),
        (Fault::NoCode, false),
        (Fault::LeavesOut, true),
        (Fault::BeginsWithout, true),
        (Fault::OtherPlanes, true),
        (Fault::OtherTurn, true),
        (Fault::OtherScores, true),
        (Fault::EndsEarly, true),
        (Fault::OtherPlayouts, true),
        (Fault::Endless, false),
        (Fault::EndlessEnds, true),
    ] {
        let game = Adapted::new(Men(Facts { players: 2, ..Facts::default() }, fault));
        let without = [Fault::NoRows, Fault::OwnLabels, Fault::NoCode].contains(&fault);
        for cap in [0, 1, 17, 100] {
            let job = LockstepJob { seed: 1, first: 0, count: 3, stride: 3, cap };
            let method = game.lockstep(&job).unwrap().method();
            assert_eq!(method == Method::Listed, without, "{fault:?}");
            let mut report = Report::default();
            check(&game, &Effort { cap, ..Effort::default() }, &mut report);
            let found = !report.faults.is_empty();
            assert!(!found || is_found, "{fault:?}, {cap}: {:?}", report.faults);
            assert!(cap < 100 || found == is_found, "{fault:?} is not found");
        }
    }
}
