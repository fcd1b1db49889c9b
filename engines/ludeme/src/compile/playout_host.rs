//! The host of playouts by code: the arrays that it lends, and the services for which code calls the
//! evaluator or the rules of the game.

use kernel::ir::HostId;
use kernel::{Host, Loans};

use super::acts::act;
use super::arrays::{
    ACTS, ADDED, CELLS, DRAWS, FRAME, HISTORY, KEPT_CELLS, KEPT_DRAWS, KEPT_FRAME, KEPT_STATE,
    LIST, MOVES, SCRATCH, SERVICES, STATE, Service, Slot, TARGETS,
};
use super::compiled_playout::{CompiledPlayout, beside};
use super::gathered_moves::GatheredMoves;
use super::memory::Memory;
use super::stops::Stop;
use super::waiting::OF_ACT;
use crate::eval::{Around, Eval, Legality};
use crate::moves::Act;
use crate::state::List;

impl Host for CompiledPlayout<'_> {
    #[inline(always)]
    fn lend<'l>(&'l mut self, loans: &mut Loans<'l>) {
        let CompiledPlayout { program, memory, buffers, state, draws, .. } = self;
        loans.ints_mut(FRAME, &mut memory.frame);
        loans.ints_mut(MOVES, &mut buffers.moves);
        loans.ints_mut(LIST, &mut memory.list);
        loans.ints_mut(ACTS, &mut buffers.acts);
        loans.ints_mut(HISTORY, &mut buffers.history);
        loans.ints_mut(ADDED, &mut buffers.added);
        loans.sets_mut(TARGETS, &mut buffers.targets);
        loans.sets(SCRATCH, &memory.scratch);
        loans.sets_mut(DRAWS, draws);
        if program.keeps {
            loans.ints_mut(KEPT_CELLS, &mut buffers.kept.cells);
            loans.ints_mut(KEPT_FRAME, &mut buffers.kept.frame);
            loans.sets_mut(KEPT_STATE, &mut buffers.kept.words);
            loans.sets_mut(KEPT_DRAWS, &mut buffers.kept.draws);
        }
        let (cells, words) = state.memory_mut();
        loans.ints_mut(CELLS, cells);
        loans.sets_mut(STATE, words);
    }

    fn call(&mut self, function: HostId, arguments: &[i32]) -> i32 {
        let answer = self.serve(function, arguments);
        self.fit_kept();
        answer
    }
}

impl CompiledPlayout<'_> {
    /// Does the service that code asks for.
    fn serve(&mut self, function: HostId, arguments: &[i32]) -> i32 {
        let Some(&(service, ..)) = SERVICES.get(function.0 as usize) else { return 0 };
        let first = arguments.first().copied().unwrap_or(-1);
        let at = first as usize;
        match service {
            Service::Test | Service::Int | Service::Region | Service::List | Service::First => {
                let parts = self.parts();
                let answer = self.evaluate(|memory, eval| memory.answer(eval, parts, service, at));
                answer.unwrap_or(0)
            }
            Service::Effects => self.effects(at).unwrap_or(-1),
            Service::CarryOut => {
                let Some(&(start, end)) = self.buffers.ranges.get(at) else { return 0 };
                let found = std::mem::take(&mut self.buffers.found);
                self.carry_out(&found[start as usize..end as usize]);
                self.buffers.found = found;
                0
            }
            Service::Act => {
                let &[kind, a, b, c] = arguments else { return 0 };
                self.keep_head();
                match act(kind, [a, b, c]) {
                    Some(act) if self.game.is_state_alone(act) => {
                        self.state.act(&self.game.layout, act);
                        *self.memory.slot(Slot::HasStalePieces) =
                            i32::from(!self.state.stale_pieces().is_empty());
                    }
                    Some(act) => self.carry_out(&[act]),
                    None => {}
                }
                0
            }
            Service::Room => {
                let more = (2 * self.buffers.acts.len()).max(64 * OF_ACT);
                self.buffers.acts.resize(more, 0);
                *self.memory.slot(Slot::ActsRoom) = (more / OF_ACT) as i32;
                0
            }
            Service::DrawCounted => match self.draw_counted() {
                Ok(number) => number as i32,
                Err(stop) => -2 - stop as i32,
            },
            Service::Settle => {
                self.keep_head();
                self.settle();
                0
            }
            Service::Remember => {
                self.state.remember_position();
                0
            }
            Service::TakeBack => {
                self.take_back();
                self.take_draws_back();
                0
            }
            Service::Copy => {
                self.buffers.copies.push(self.state);
                0
            }
            Service::PutBack => {
                self.buffers.copies.put_back(self.state);
                0
            }
            Service::FirstOfItsKind => self.first_of_its_kind(first as u32) as i32,
            Service::Reject => self.reject(first as u32).map_or(-1, |number| number as i32),
            // In a playout code gathers all moves by itself.
            Service::Take | Service::Flush | Service::Generate => 1,
        }
    }

    /// Takes back the move of a number, which is illegal, and draws another one. `None` if there is none,
    /// or if the caller has chosen the move.
    fn reject(&mut self, number: u32) -> Option<u32> {
        let first = self.memory.get(Slot::KnowsLeft) == 0;
        self.take_back();
        if self.memory.get(Slot::Chosen) >= 0 {
            return None;
        }
        if first {
            self.buffers.left = Some(self.gathered_moves()?.without(number));
        }
        *self.memory.slot(Slot::KnowsLeft) = 1;
        let number = self.buffers.left.as_ref().map_or(0, |left| left.len() as u32);
        if number == 0 {
            // Where the end rules are asked now, the ply is played again if the game goes on.
            if self.memory.get(Slot::Expects) != 0 {
                self.take_draws_back();
            }
            return None;
        }
        let place = self.draw(number) as usize;
        self.buffers.left.as_mut().map(|left| left.swap_remove(place))
    }

    /// Draws one of the gathered moves that count: none of shorter turns where only the longest are
    /// legal, and no duplicates. The error says why no move is drawn.
    fn draw_counted(&mut self) -> Result<u32, Stop> {
        self.give_head();
        let gathered = self.gathered_moves().ok_or(Stop::Ask)?;
        let (left_out, endless) = self.game.left_out(self.state, &gathered);
        let number = gathered.count() - left_out.len() as u32;
        if number == 0 {
            return Err(Stop::Stuck);
        }
        if number == 1 && gathered.is_pass(0) {
            return Err(Stop::Forced);
        }
        self.state.head.record.endless |= endless;
        if self.memory.get(Slot::Plies) >= self.memory.get(Slot::Cap) {
            return Err(Stop::Capped);
        }
        Ok(beside(self.draw(number), &left_out))
    }

    /// The number of a drawn move. If the move leads to the same state as one before it, others are
    /// drawn in its place until one does not.
    fn first_of_its_kind(&mut self, mut number: u32) -> u32 {
        if self.gathered_moves().is_none_or(|gathered| gathered.rivals(number).next().is_none()) {
            return number;
        }
        self.give_head();
        let tests = self.tests_moves();
        if tests {
            // The moves made before have their places in the history now.
            self.buffers.kept.frame.copy_from_slice(&self.memory.frame);
            self.buffers.kept.take_head(self.state);
        }
        let mut left = self.take_left().filter(|_| tests);
        while let Some(gathered) =
            self.gathered_moves().filter(|gathered| self.repeats(gathered, number))
        {
            let left = left.get_or_insert_with(|| gathered.without(number));
            let Some(end) = u32::try_from(left.len()).ok().filter(|&end| end > 0) else { break };
            number = left.swap_remove(self.draw(end) as usize);
        }
        self.buffers.left = left.filter(|_| tests);
        *self.memory.slot(Slot::KnowsLeft) = i32::from(self.buffers.left.is_some());
        number
    }

    /// True if a move leads to the same state as one before it.
    fn repeats(&self, gathered: &GatheredMoves<'_>, number: u32) -> bool {
        let made = self.game.make_gathered(self.state, gathered, number, Legality::Open);
        made.is_some_and(|made| self.game.comes_before(self.state, gathered, number, &made))
    }

    /// Removes the pieces that were captured earlier in the turn, if the turn ends.
    fn settle(&mut self) {
        let named = self.memory.get(Slot::NamedNext) != 0;
        if !self.state.list(List::ToClear).is_empty() && !named {
            self.game.clear_captured(self.state);
            self.memory.take_captured(self.state);
        }
    }

    /// Runs the evaluator in the state as code has left it.
    fn evaluate<T>(&mut self, run: impl FnOnce(&mut Memory, &mut Eval<'_>) -> T) -> T {
        self.give_head();
        let (value, stalemated) = self.with_rng(|playout, rng| {
            playout.game.by_chance(rng, |chance| {
                let around = Around { chance, ..Around::NOTHING };
                let mut eval = Eval::new(playout.game, playout.state).amid(around);
                eval.lists = playout.memory.get(Slot::Gathers) != 0;
                (run(playout.memory, &mut eval), eval.stalemated)
            })
        });
        if self.memory.get(Slot::KeepsFlags) != 0 {
            self.state.head.stalemated = stalemated;
        }
        *self.memory.slot(Slot::Stalemated) = self.state.head.stalemated as i32;
        value
    }

    /// Evaluates an effect of the rules. Returns the number of the range with its actions, for
    /// [`Service::CarryOut`].
    fn effects(&mut self, at: usize) -> Option<i32> {
        let parts = self.parts();
        let moves = parts.moves.get(at)?;
        let mut found = std::mem::take(&mut self.buffers.found);
        if self.buffers.found_in != self.memory.get(Slot::Moves) {
            self.buffers.found_in = self.memory.get(Slot::Moves);
            found.clear();
            self.buffers.ranges.clear();
        }
        let start = found.len() as u32;
        self.evaluate(|memory, eval| {
            memory.lend_variables(eval);
            let any = eval.effects(moves, &mut found);
            memory.take_back_variables(eval);
            *memory.slot(Slot::Given) = i32::from(any);
        });
        self.buffers.ranges.push((start, found.len() as u32));
        self.buffers.found = found;
        Some(self.buffers.ranges.len() as i32 - 1)
    }

    /// Carries out actions by the rules of the game, with their consequences.
    fn carry_out(&mut self, acts: &[Act]) {
        self.give_head();
        self.with_rng(|playout, rng| {
            playout.game.by_chance(rng, |chance| {
                let around = Around { chance, ..Around::NOTHING };
                playout.game.carry_out_all(playout.state, acts, around);
            });
        });
        let turns = self.state.head.turns;
        self.memory.take_head(self.state, turns);
        self.memory.take_captured(self.state);
    }
}
