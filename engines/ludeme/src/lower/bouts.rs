//! What a match says of one of its games: its rules become rules of that game, which are asked
//! when it is over.

use crate::front::{Arg, Call};
use crate::ir::{Bool, Bout, EndRule, ResultKind, Role, Verdict};
use crate::world::{BOUTS_PLAYED, MATCH_SCORE};

use super::places::need_call;
use super::{Lower, Lowered, unsupported};

/// A game of a match: where the match is described, and what it says of the game.
#[derive(Clone, Copy)]
pub(crate) struct Within<'c> {
    pub(crate) whole: &'c Call,
    pub(crate) game: &'c Call,
}

impl<'c> Lower<'c> {
    /// The variables with what all players have scored in the match, in order.
    pub(super) fn match_scores(&mut self) -> Box<[usize]> {
        let players = 1..=self.world.players;
        players.map(|player| self.var(Some(&format!("{MATCH_SCORE}{player}")))).collect()
    }

    /// The variable with how many games of the match are over.
    pub(super) fn bouts_played(&mut self) -> usize {
        self.var(Some(BOUTS_PLAYED))
    }

    pub(super) fn bout(&mut self, within: Within<'c>) -> Lowered<Bout> {
        let int =
            |lower: &mut Self, label| within.game.arg(label).map(|arg| lower.int(arg)).transpose();
        let end = need_call(within.whole, "end")?;
        let mut rules = Vec::new();
        for rule in end.items("rules").iter().filter_map(Arg::as_call) {
            rules.extend(self.match_end(rule)?);
        }
        Ok(Bout {
            scores: self.match_scores(),
            played: self.bouts_played(),
            gain: int(self, "result")?,
            next: int(self, "next")?,
            end: rules.into(),
        })
    }

    /// When a match is over, and who has won it; nothing for a loss, which ends no match.
    fn match_end(&mut self, rule: &'c Call) -> Lowered<Option<(Bool, Option<u8>)>> {
        let EndRule::If { condition, inner, verdict: Some(verdict) } = self.end_rule(rule)? else {
            return Err(unsupported(rule));
        };
        let Verdict::Result { who, kind } = verdict else { return Err(unsupported(rule)) };
        match (kind, who) {
            _ if !inner.is_empty() => Err(unsupported(rule)),
            (ResultKind::Loss, _) => Ok(None),
            (ResultKind::Win, Role::Player(player)) => Ok(Some((condition, Some(player)))),
            (ResultKind::Win, _) => Err(unsupported(rule)),
            (ResultKind::Draw | ResultKind::Tie | ResultKind::Abandon, _) => {
                Ok(Some((condition, None)))
            }
        }
    }
}
