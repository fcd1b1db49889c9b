//! Dice: they are thrown, and used for moves.

use super::Eval;
use super::adapters::Mapped;
use super::lists::Numbers;
use super::visitors::MoveVisitor;
use crate::buffer::Buffer;
use crate::ir::{Bool, Iter, Moves};
use crate::limits::MAX_DICE;
use crate::moves::{Act, Move};

/// The dice of which several can be used together, a bit each, where there are so many.
pub(crate) fn combined_dice(number: usize) -> &'static [i32] {
    match number {
        2 => &[0b11],
        3 => &[0b111, 0b011, 0b101, 0b110],
        _ => &[],
    }
}

impl Eval<'_> {
    /// The moves for each die, and those for which several are used.
    pub(super) fn for_each_die(
        &mut self,
        combined: &Bool,
        replay_double: &Bool,
        condition: &Bool,
        moves: &Moves,
        out: &mut dyn MoveVisitor,
    ) -> bool {
        let old = self.get(Iter::Pips);
        let dice: Numbers = self.state.dice().iter().copied().collect();
        let replay = self.test(replay_double);
        let mut stopped = false;
        for (die, &value) in dice.iter().enumerate().take(MAX_DICE) {
            let acts = self.acts_of_dice(1 << die, replay);
            stopped = stopped || self.with_pips(value, &acts, condition, moves, out);
        }
        if !stopped && self.test(combined) {
            for &mask in combined_dice(dice.len()) {
                let used = dice.iter().enumerate().filter(|(die, _)| mask >> die & 1 != 0);
                if used.clone().all(|(_, &value)| value != 0) {
                    let pips = used.fold(0, |sum: i32, (_, &value)| sum.wrapping_add(value));
                    let acts = self.acts_of_dice(mask, replay);
                    stopped = stopped || self.with_pips(pips, &acts, condition, moves, out);
                }
            }
        }
        self.set(Iter::Pips, old);
        stopped
    }

    /// The actions of using dice, a bit each: whoever uses one of several that are equal may get
    /// them again.
    pub(crate) fn acts_of_dice(&self, used: i32, replay: bool) -> Buffer<Act> {
        let dice = self.state.dice();
        let all = (0..dice.len().min(MAX_DICE)).filter(|&die| used >> die & 1 != 0);
        let mut acts: Buffer<Act> = all.map(|die| Act::UseDie(die as u16)).collect();
        let &[Act::UseDie(die)] = &acts[..] else { return acts };
        let unnamed = self.state.vars().first().copied().unwrap_or(-1);
        if replay && dice.windows(2).all(|w| w[0] == w[1]) {
            let value = if unnamed == -1 { dice[usize::from(die)] } else { -1 };
            acts.push(Act::SetVar { var: 0, value });
        } else if unnamed != -1 {
            let face = unnamed.saturating_sub(1).clamp(0, 65535) as u16;
            acts.extend((0..dice.len() as u16).map(|die| Act::RollDie { die, face }));
        }
        acts
    }

    fn with_pips(
        &mut self,
        pips: i32,
        acts: &[Act],
        condition: &Bool,
        moves: &Moves,
        out: &mut dyn MoveVisitor,
    ) -> bool {
        self.set(Iter::Pips, pips);
        let more = |made: &mut Move| made.acts.extend_from_slice(acts);
        self.test(condition) && self.generate(moves, &mut Mapped::new(out, more))
    }

    /// Throws all dice.
    pub(super) fn roll(&mut self, out: &mut dyn MoveVisitor) -> bool {
        let Some(dice) = &self.game.world.dice else { return false };
        let mut acts = Buffer::new();
        let mut thrown = Numbers::new();
        for (die, faces) in dice.faces.iter().enumerate() {
            let n = faces.len().max(1) as u32;
            let face = self.chance.map_or(0, |chance| chance.face(die, n).min(n - 1));
            thrown.push(face as i32);
            acts.push(Act::RollDie { die: die as u16, face: face as u16 });
        }
        acts.push(Act::SetEqual(thrown.windows(2).all(|w| w[0] == w[1])));
        out.take_move(self, Move::new(0, 0, acts))
    }
}
