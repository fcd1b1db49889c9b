//! Dice as code: they are thrown, and used for moves.

use kernel::ir::{Expr, Type};

use super::arrays::{CELLS, Slot, add, both, choose, drawn, either, int, set_slot};
use super::code::{Consumer, Emitter};
use super::waiting::Kind;
use crate::eval::combined_dice;
use crate::ir::{Binder, Bool, Iter, Layer, Moves, Reach, Wrapper};
use crate::limits::MAX_DICE;

impl Emitter<'_> {
    /// Throws all dice, as an effect.
    pub(super) fn roll(&mut self) {
        let Some(dice) = &self.game.world.dice else { return };
        // End rules look ahead without chance, and consequences with it: the evaluator knows which.
        self.fails |= self.looks_ahead;
        self.count_given(int(1));
        let faces = dice.faces.iter().map(|faces| {
            let number = int(faces.len().max(1) as i32);
            self.keep(Type::Int, drawn(number)).get()
        });
        let faces: Vec<Expr> = faces.collect();
        let equal = all_equal(&faces);
        for (die, face) in (0..).zip(faces) {
            self.wait(Kind::RollDie, [int(die), face, int(0)]);
        }
        self.wait(Kind::SetEqual, [equal, int(0), int(0)]);
    }

    /// Adds up what the dice show, used or not, when a turn is handed on.
    pub(super) fn sum_dice(&mut self) {
        let Some(dice) = &self.game.world.dice else { return };
        let mut sum = int(0);
        for (die, faces) in dice.faces.iter().enumerate().filter(|(_, faces)| !faces.is_empty()) {
            let site = int((dice.first + die) as i32);
            let face = self.layer(Layer::State, site, Reach::All);
            let face = self.keep_int(face);
            let shown = self.tables.ints(faces.iter().copied()).at(face.clone());
            let known = both(face.clone().at_least(int(0)), face.less(int(faces.len() as i32)));
            sum = add(sum, choose(known, shown, int(0)));
        }
        self.push(set_slot(Slot::Pips, sum));
    }

    /// True if moves for which dice are used have a form in code here.
    pub(super) fn can_use_dice(&self) -> bool {
        let known = matches!(self.consumer, Consumer::Gather { .. } | Consumer::Exists { .. });
        known && self.dice().count() <= MAX_DICE
    }

    /// Gives the moves for each die, and those for which several are used.
    pub(super) fn for_each_die(
        &mut self,
        combined: &Bool,
        replay_double: &Bool,
        condition: &Bool,
        moves: &Moves,
    ) {
        let first = self.game.layout.at.dice as i32;
        let number = self.dice().count();
        let saved = self.save([Iter::Pips, Iter::Dice]);
        self.wrappers.push(Wrapper::Dice(replay_double.clone()));
        self.for_range(int(0), int(number as i32), |code, die| {
            let pips = CELLS.at(add(die.get(), int(first)));
            code.with_dice(pips, int(1).shifted_left(die.get()), condition, moves);
        });
        let uses = combined_dice(number);
        if !uses.is_empty() {
            let combined = self.bool(combined);
            let masks = self.tables.ints(uses.iter().copied());
            self.when(combined, |code| {
                code.for_range(int(0), int(uses.len() as i32), |code, at| {
                    let mask = code.keep_int(masks.at(at.get()));
                    let bit = |die: i32| mask.clone().shifted_right(int(die)).and_bits(int(1));
                    let (mut all, mut pips) = (int(1), int(0));
                    for (die, shown) in (0..).zip(code.dice()) {
                        let there = shown.clone().differs(int(0));
                        all = both(all, either(!bit(die), there));
                        pips = add(pips, bit(die) * shown);
                    }
                    code.when(all, |code| code.with_dice(pips, mask.clone(), condition, moves));
                });
            });
        }
        self.wrappers.pop();
        self.restore(&saved);
    }

    /// Gives the moves for which some dice are used.
    fn with_dice(&mut self, pips: Expr, used: Expr, condition: &Bool, moves: &Moves) {
        let [pips, used] = [pips, used].map(|value| self.keep(Type::Int, value));
        self.bind(Iter::Pips, pips.get());
        self.bind(Iter::Dice, used.get());
        let holds = self.bool(condition);
        self.when(holds, |code| code.around(Binder::Dice, |code| code.generate(moves)));
    }

    /// The variable without a name: what dice that have been used show again, or -1.
    pub(super) fn unnamed(&self) -> Expr {
        CELLS.at(int(self.game.layout.at.vars as i32))
    }

    /// The actions by which dice are used for a move, as the evaluator finds them.
    pub(super) fn use_dice(&mut self, replay_double: &Bool) {
        let used = self.variable(Iter::Dice);
        let used = self.keep_int(used);
        let dice: Vec<Expr> = self.dice().collect();
        for die in 0..dice.len() as i32 {
            let bit = used.clone().shifted_right(int(die)).and_bits(int(1));
            self.when(bit, |code| code.wait(Kind::UseDie, [int(die), int(0), int(0)]));
        }
        let single = used.clone().and_bits(used - int(1)).equals(int(0));
        self.when(single, |code| {
            let unnamed = code.unnamed();
            let unnamed = code.keep(Type::Int, unnamed).get();
            let named = unnamed.clone().differs(int(-1));
            let replay = code.bool(replay_double);
            let equal = code.keep(Type::Int, both(replay, all_equal(&dice))).get();
            let pips = code.variable(Iter::Pips);
            let value = choose(named.clone(), int(-1), pips);
            code.when(equal.clone(), |code| code.wait(Kind::SetVar, [int(0), value, int(0)]));
            code.when(both(!equal, named), |code| {
                let face = (unnamed.max(int(1)) - int(1)).min(int(65535));
                let face = code.keep(Type::Int, face).get();
                for die in 0..dice.len() as i32 {
                    code.wait(Kind::RollDie, [int(die), face.clone(), int(0)]);
                }
            });
        });
    }
}

/// Whether all of some numbers are the same.
fn all_equal(numbers: &[Expr]) -> Expr {
    let pairs = numbers.windows(2).map(|two| two[0].clone().equals(two[1].clone()));
    pairs.fold(int(1), both)
}
