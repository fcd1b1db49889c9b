//! The end rules of a puzzle.

use play::Scores;

use super::playout::StopReason;
use crate::game::Game;
use crate::ir::{Bool, EndRule, Float, Fold, Int, Role, Verdict};
use crate::lower::Feature;

/// The condition of an end rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum EndQuestion {
    /// The puzzle is solved.
    Solved,
    /// No variable can be given a value any more.
    Stuck,
}

/// The end rules, if all of them have forms.
pub(super) struct Ends {
    rules: Vec<EndQuestion>,
    /// The reason for the end by the only rule, and the scores by number of plies, if the reason
    /// determines them: an evaluation of the rule would take as long as a thousand playouts.
    pub(super) scores: Option<(StopReason, Box<[Scores]>)>,
    /// True if a puzzle that is stuck ends without points, because no rule asks for it: a pass is
    /// the only move, and ends the game.
    pub(super) stuck_is_lost: bool,
}

impl Ends {
    pub(super) fn of(game: &Game) -> Option<Ends> {
        let [phase] = &game.phases[..] else { return None };
        let mut rules = Vec::new();
        let mut scores = None;
        for rule in phase.end.iter().chain(&game.end) {
            let EndRule::If { condition, inner, verdict: Some(verdict) } = rule else {
                return None;
            };
            if !inner.is_empty() {
                return None;
            }
            rules.push(match condition {
                Bool::IsSolved => EndQuestion::Solved,
                Bool::NoMoves(Role::Next) => EndQuestion::Stuck,
                _ => return None,
            });
            let by_plies = match verdict {
                Verdict::Result { who, .. } => *who == Role::Player(1) || *who == Role::Mover,
                Verdict::Payoffs(list) => list
                    .iter()
                    .all(|(who, value)| matches!(who, Int::Const(_)) && is_by_plies(value)),
                Verdict::ByScore { .. } => false,
            };
            scores = by_plies.then(|| scores_by_plies(game, verdict));
        }
        let scores = match rules[..] {
            [EndQuestion::Solved] => scores.map(|scores| (StopReason::Solved, scores)),
            [EndQuestion::Stuck] => scores.map(|scores| (StopReason::Stuck, scores)),
            // The rest of a verdict is left to the plain rules.
            _ => None,
        };
        let stuck_is_lost = !game.has(Feature::NoPassDraw) && !rules.contains(&EndQuestion::Stuck);
        Some(Ends { rules, scores, stuck_is_lost })
    }

    /// Index of the first rule that holds for a puzzle that is solved or not; the number of rules
    /// if none does. `stuck` tells if no value can be given, and is called only if a rule asks for
    /// it.
    pub(super) fn holding(&self, solved: bool, mut stuck: impl FnMut() -> bool) -> usize {
        let holds = |question: &EndQuestion| match question {
            EndQuestion::Solved => solved,
            EndQuestion::Stuck => stuck(),
        };
        self.rules.iter().position(holds).unwrap_or(self.rules.len())
    }

    pub(super) fn asks_solved(&self) -> bool {
        self.rules.contains(&EndQuestion::Solved)
    }

    pub(super) fn asks_stuck(&self) -> bool {
        self.rules.contains(&EndQuestion::Stuck)
    }
}

/// The scores of a verdict after each possible number of plies.
fn scores_by_plies(game: &Game, verdict: &Verdict) -> Box<[Scores]> {
    let mut state = game.initial.clone();
    let scores = (0..=game.world.sites()).map(|_| {
        let scores = game.scores_by(state.clone(), verdict);
        state.record_move(false);
        scores
    });
    scores.collect()
}

fn is_by_plies(value: &Float) -> bool {
    fn int(value: &Int) -> bool {
        match value {
            Int::Const(_) | Int::Moves => true,
            Int::Arithmetic(_, pair) => int(&pair.0) && int(&pair.1),
            Int::Fold(Fold::Sum | Fold::Product | Fold::Max | Fold::Min, list) => {
                list.iter().all(int)
            }
            _ => false,
        }
    }
    match value {
        Float::Const(_) => true,
        Float::FromInt(value) => int(value),
        Float::Function(_, a) => is_by_plies(a),
        Float::Binary(_, pair) => is_by_plies(&pair.0) && is_by_plies(&pair.1),
    }
}
