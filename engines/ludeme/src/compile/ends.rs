//! End rules as code: whether any of them gives a result.

use kernel::ir::{Expr, FunctionId, Stmt, Type};

use super::code::{Code, Slot, both, int, slot};
use super::tables::Tables;
use crate::game::Game;
use crate::ir::{EndRule, ITERS, Iter};

/// Writes the function that says whether an end rule holds, those of a phase and the general ones; `None`
/// where the evaluator would have to be asked for all of it.
pub(super) fn ends<const W: usize>(
    game: &Game<W>,
    tables: &mut Tables,
    phase: usize,
) -> Option<FunctionId> {
    let mut code = Code::closed(game, tables, 0);
    let mut coded = false;
    code.with_shared_parts(|code| {
        for rule in game.phases[phase].end.iter().chain(&game.end) {
            coded |= code.end_rule(rule);
        }
    });
    code.bind_all([(); ITERS].map(|()| Some(int(-1))));
    coded.then(|| code.shared("ends", 0, Some(Type::Int)))
}

impl<const W: usize> Code<'_, W> {
    /// Ends the function with 1 if a rule holds. Whether there is more to it than a question to the
    /// evaluator.
    fn end_rule(&mut self, rule: &EndRule) -> bool {
        let holds = |code: &mut Self, holds: Expr| {
            code.push(Stmt::If(holds, vec![Stmt::Return(Some(int(1)))], Vec::new()));
        };
        match rule {
            EndRule::If { condition, .. } => {
                let condition = self.bool(condition);
                let coded = !matches!(condition, Expr::Host(..));
                holds(self, condition);
                self.disturb();
                coded
            }
            EndRule::ForEach { skip_mover, condition, .. } => {
                let saved = self.save([Iter::Player]);
                let players = self.game.world.players as i32;
                self.for_range(int(1), int(players + 1), |code, player| {
                    let bit = slot(Slot::Active).shifted_right(player.get()).and_bits(int(1));
                    let other = player.get().differs(slot(Slot::Mover));
                    let asked = both(bit, if *skip_mover { other } else { int(1) });
                    code.when(asked, |code| {
                        code.bind(Iter::Player, player.get());
                        let condition = code.bool(condition);
                        holds(code, condition);
                    });
                });
                self.restore(&saved);
                true
            }
        }
    }
}
