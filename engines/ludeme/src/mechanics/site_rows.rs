//! Positions in rows, for programs that learn: code plays their plies, and the evaluator the rest.

use std::sync::Arc;

use play::{
    End, Job, MAX_FORCED_PASSES, Mechanics, NoChance, Player, Scores, SitePly, SiteRows, Turn,
};

use super::encoding::family;
use super::{Ludemes, Strategy};
use crate::compile::{LeftAt, PositionRows, Program};
use crate::run::Positions;
use crate::state::{Occupancy, State};

/// Positions of a game in which code plays plies to sites.
struct LudemeRows {
    ludemes: Arc<Ludemes>,
    rows: PositionRows,
    /// The player who begins, and the sites of the first moves.
    first: (Player, Vec<u64>),
    /// Memory for the state of a row.
    state: State,
    /// The scores of the rows whose games are over.
    scores: Vec<Scores>,
}

/// Rows of a game, if code plays its plies in rows.
pub(super) fn boxed(ludemes: &Arc<Ludemes>) -> Option<Box<dyn SiteRows>> {
    let facts = ludemes.facts();
    let stacks = ludemes.game.layout.occupancy == Occupancy::Stacking;
    let evaluated = matches!(ludemes.strategy, Strategy::Evaluator);
    if facts.chance || facts.hidden || stacks || evaluated {
        return None;
    }
    let positions = ludemes.positions()?;
    let mut state = ludemes.initial(&mut NoChance);
    let rows =
        positions.with_buffers(|buffers| PositionRows::new(positions.game(), &state, buffers))?;
    let mut legal = Vec::new();
    let Turn::Move(player) = ludemes.expand_sites(&mut state, &mut legal)?.turn else {
        return None;
    };
    let (first, scores) = ((player, legal), Vec::new());
    Some(Box::new(LudemeRows { ludemes: Arc::clone(ludemes), rows, first, state, scores }))
}

impl LudemeRows {
    /// The code; there is some, since there are rows.
    fn code(&self) -> Option<(&Positions, &Program)> {
        let positions = self.ludemes.positions()?;
        Some((positions, positions.game().program.as_ref()?))
    }

    /// Goes on with a row in which the evaluator has to end a ply, or a player has to pass: what has
    /// become of it; `None` if the next moves are no sites, which does not happen.
    #[cold]
    fn go_on(&mut self, row: usize, left: LeftAt, legal: &mut [u64]) -> Option<SitePly> {
        let LudemeRows { ludemes, rows, state, scores, .. } = self;
        let positions = ludemes.positions()?;
        let game = positions.game();
        positions.with_buffers(|buffers| rows.state(game, row, left, state, buffers))?;
        let (mut sites, mut moves) = (Vec::new(), Vec::new());
        for passes in 0..=MAX_FORCED_PASSES {
            if state.head.over {
                rows.take_sets(row, state);
                scores[row] = ludemes.scores(state);
                return Some(SitePly::Over);
            }
            if let Some(listed) = ludemes.expand_sites(state, &mut sites) {
                let Turn::Move(player) = listed.turn else { return None };
                legal.copy_from_slice(&sites);
                positions.with_buffers(|buffers| rows.take(game, row, state, buffers))?;
                return Some(SitePly::Going(player));
            }
            moves.clear();
            ludemes.expand(state, &mut moves);
            let &[pass] = &moves[..] else { return None };
            if !pass.is_pass() {
                return None;
            }
            if passes < MAX_FORCED_PASSES {
                ludemes.apply(state, pass, &mut NoChance);
            }
        }
        rows.take_sets(row, state);
        Some(SitePly::Endless)
    }
}

impl SiteRows for LudemeRows {
    fn families(&self) -> Vec<u32> {
        let Some((positions, _)) = self.code() else { return Vec::new() };
        let leaves = positions.game().gathered_leaves();
        leaves.into_iter().map(|leaf| family((leaf, 0))).collect()
    }

    fn set_words(&self) -> usize {
        self.first.1.len()
    }

    fn kinds(&self) -> Vec<usize> {
        let sets = self.ludemes.game.layout.piece_set.iter().skip(1);
        sets.map(|&set| usize::from(set) * self.set_words()).collect()
    }

    fn with_rows(&self, rows: usize) -> Box<dyn SiteRows> {
        let LudemeRows { ludemes, first, state, .. } = self;
        Box::new(LudemeRows {
            ludemes: Arc::clone(ludemes),
            rows: self.rows.with_rows(rows),
            first: first.clone(),
            state: state.clone(),
            scores: vec![Scores::single(0); rows],
        })
    }

    fn copy(&self) -> Box<dyn SiteRows> {
        let LudemeRows { ludemes, rows, first, state, scores } = self;
        Box::new(LudemeRows {
            ludemes: Arc::clone(ludemes),
            rows: rows.clone(),
            first: first.clone(),
            state: state.clone(),
            scores: scores.clone(),
        })
    }

    fn begin(&mut self, row: usize, legal: &mut [u64]) -> Player {
        self.rows.begin(row);
        legal.copy_from_slice(&self.first.1);
        self.first.0
    }

    fn play(&mut self, sites: &[u32], legal: &mut [u64], outcomes: &mut [SitePly]) {
        let LudemeRows { ludemes, rows, .. } = self;
        let program = ludemes.positions().and_then(|positions| positions.game().program.as_ref());
        let Some(program) = program else { return outcomes.fill(SitePly::Endless) };
        let left = rows.play(program, sites, legal, |row, mover| {
            outcomes[row] = SitePly::Going(Player(mover.saturating_sub(1)));
        });
        let words = self.set_words();
        for (row, left) in left {
            let outcome = self.go_on(row, left, &mut legal[row * words..(row + 1) * words]);
            debug_assert!(outcome.is_some(), "all moves are sites");
            outcomes[row] = outcome.unwrap_or(SitePly::Endless);
        }
    }

    fn scores(&self, row: usize) -> Scores {
        self.scores[row]
    }

    fn sets(&self, row: usize) -> &[u64] {
        self.rows.sets(row)
    }

    fn playouts(&self, row: usize, job: &Job, ends: &mut Vec<End>) {
        let Some((positions, _)) = self.code() else { return };
        let mut state = self.state.clone();
        let left = LeftAt::BETWEEN;
        let of_row = positions.with_buffers(|buffers| {
            self.rows.state(positions.game(), row, left, &mut state, buffers)
        });
        if of_row.is_some() {
            self.ludemes.playouts(&state, job, ends);
        }
    }
}
