//! Rules of a match for one of its games. They become rules of that game, evaluated when it is
//! over.

use crate::front::{Arg, Call, Label};
use crate::ir::{EndRule, MatchEnd, MatchGame, ResultKind, Role, Verdict};
use crate::world::{MATCH_GAMES_PLAYED, MATCH_SCORE};

use super::places::need_call;
use super::{Lower, Lowered, unsupported};

/// A game of a match, with the description of the match and its part about the game.
#[derive(Clone, Copy)]
pub(crate) struct MatchContext<'c> {
    pub(crate) whole: &'c Call,
    pub(crate) game: &'c Call,
}

impl<'c> Lower<'c> {
    /// The variables with the scores of all players in the match, in order.
    pub(super) fn match_scores(&mut self) -> Box<[usize]> {
        let players = 1..=self.world.players;
        players
            .map(|player| self.rules.names.var(Some(&format!("{MATCH_SCORE}{player}"))))
            .collect()
    }

    /// The variable with the number of games of the match that are over.
    pub(super) fn match_games_played(&mut self) -> usize {
        self.rules.names.var(Some(MATCH_GAMES_PLAYED))
    }

    pub(super) fn match_game(&mut self, within: MatchContext<'c>) -> Lowered<MatchGame> {
        let int =
            |lower: &mut Self, label| within.game.arg(label).map(|arg| lower.int(arg)).transpose();
        let end = need_call(within.whole, Label::End)?;
        let mut rules = Vec::new();
        for rule in end.items(Label::Rules).iter().filter_map(Arg::as_call) {
            rules.extend(self.match_end(rule)?);
        }
        Ok(MatchGame {
            scores: self.match_scores(),
            played: self.match_games_played(),
            gain: int(self, Label::Result)?,
            next: int(self, Label::Next)?,
            end: rules.into(),
        })
    }

    /// The rules for the end of a match by an end rule of its description; none for a loss, which
    /// ends no match.
    fn match_end(&mut self, rule: &'c Call) -> Lowered<Vec<MatchEnd>> {
        let players = self.world.players as u8;
        let (condition, verdict, asked) = match self.end_rule(rule)? {
            EndRule::If { condition, inner, verdict: Some(verdict) } if inner.is_empty() => {
                (condition, verdict, vec![None])
            }
            EndRule::ForEach { skip_mover: false, condition, verdict } => {
                (condition, verdict, (1..=players).map(Some).collect())
            }
            _ => return Err(unsupported(rule)),
        };
        let Verdict::Result { who, kind } = verdict else { return Err(unsupported(rule)) };
        if kind == ResultKind::Loss {
            return Ok(Vec::new());
        }
        let end = |player: Option<u8>| {
            let bit = |winner: u8| 1u32.checked_shl(u32::from(winner)).unwrap_or(0);
            let winners = match (kind, who, player) {
                (ResultKind::Win, Role::Player(winner), _) => bit(winner),
                (ResultKind::Win, Role::Iterated, Some(winner)) => bit(winner),
                (ResultKind::Win, Role::All, _) => (1..=players).map(bit).sum(),
                (ResultKind::Win, ..) => return Err(unsupported(rule)),
                _ => 0,
            };
            Ok(MatchEnd { player, condition: condition.clone(), winners })
        };
        asked.into_iter().map(end).collect()
    }
}
