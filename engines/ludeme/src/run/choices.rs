//! Games in which all players choose at once: the choices of each, and the move that all of them
//! make.

use crate::buffer::Buffer;
use crate::eval::{Around, Eval, MaybeChance};
use crate::game::Game;
use crate::ir::Iter;
use crate::moves::Move;
use crate::state::State;

impl Game {
    /// The player who chooses next, if all choose at once: of the players still in, the first after
    /// those who have. Nobody once all have, and nobody in other games.
    pub(crate) fn chooser(&self, state: &State) -> Option<u8> {
        let active = |player: &u8| state.head.active >> player & 1 != 0;
        let mut players = (1..=self.world.players as u8).filter(active);
        if self.simultaneous { players.nth(state.chosen().len()) } else { None }
    }

    /// The moves of one player, where all choose at once. Who moves does not change for it.
    pub(crate) fn list_choices(
        &self,
        state: &State,
        player: u8,
        chance: MaybeChance<'_>,
    ) -> Buffer<Move> {
        let mut all = Buffer::new();
        let mut eval = Eval::new(self, state).amid(Around { chance, ..Around::NOTHING });
        eval.set(Iter::Chooser, i32::from(player));
        eval.lists = true;
        self.visit_moves_of(&mut eval, player, &mut all);
        if all.is_empty() {
            all.push(Move::pass());
        }
        all
    }

    /// Carries out what the players chose as one move: the move of each with its consequences, then
    /// for each the consequences that wait for all moves.
    fn carry_out_choices(&self, state: &mut State, around: Around<'_>) {
        let mut chosen = std::mem::take(state.chosen_mut());
        let mut late = Buffer::new();
        for made in chosen.iter_mut() {
            made.then.retain(|effect| {
                let waits = self.late.contains(effect);
                if waits {
                    late.push(*effect);
                }
                !waits
            });
            self.carry_out_move(state, made, around);
        }
        let then = Move { then: late, ..Move::new(-1, -1, Buffer::new()) };
        self.carry_out_move(state, &then, around);
    }

    /// Enters what a player chooses where all do at once; the last choice makes the move.
    pub(crate) fn choose(&self, state: &mut State, made: Move, chance: MaybeChance<'_>) {
        let ends = (made.from, made.to);
        state.chosen_mut().push(made);
        if self.chooser(state).is_some() {
            return;
        }
        let all_pass = state.chosen().iter().all(Move::is_pass);
        self.begin_move(state, all_pass);
        self.carry_out_choices(state, Around { chance, ..Around::NOTHING });
        self.run_end_rules(state);
        self.end_ply(state, ends);
        self.sum_dice(state);
    }
}
