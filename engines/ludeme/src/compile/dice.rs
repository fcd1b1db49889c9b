//! Code for dice: throws, and the use of dice for moves.

use kernel::ir::{Expr, Type};

use super::arrays::{CELLS, Slot, add, both, choose, drawn, either, int};
use super::emitter::{Consumer, Emitter, Finding, Premise};
use super::waiting::Kind;
use super::{acts, bools, by_site, effects, generators};
use crate::eval::combined_dice;
use crate::ir::{Binder, Bool, Iter, Layer, Moves, Reach, Wrapper};
use crate::limits::MAX_DICE;

/// Writes the actions that throw all dice.
pub(super) fn roll(code: &mut Emitter<'_>) {
    let Some(dice) = &code.game.world.dice else { return };
    // End rules look ahead without chance, and consequences with it; only the evaluator tells them
    // apart.
    code.findings.add_if(code.premise == Premise::NextCanMove, Finding::HasNoForm);
    effects::count_moves(code, int(1));
    let faces = dice
        .faces
        .iter()
        .map(|faces| code.keep(Type::Int, drawn(int(faces.len().max(1) as i32))).get());
    let faces: Vec<Expr> = faces.collect();
    let equal = all_equal(&faces);
    for (die, face) in (0..).zip(faces) {
        effects::defer(code, Kind::RollDie, [int(die), face, int(0)]);
    }
    effects::defer(code, Kind::SetEqual, [equal, int(0), int(0)]);
}

/// Sets the sum of the dice, used or not, when the turn is passed on.
pub(super) fn sum_dice(code: &mut Emitter<'_>) {
    let Some(dice) = &code.game.world.dice else { return };
    let mut sum = int(0);
    for (die, faces) in dice.faces.iter().enumerate().filter(|(_, faces)| !faces.is_empty()) {
        let site = int((dice.first + die) as i32);
        let face = by_site::layer_of(code, Layer::State, site, Reach::All);
        let face = code.keep_int(face);
        let shown = code.table(faces.iter().copied()).at(face.clone());
        let is_face = both(face.clone().at_least(int(0)), face.less(int(faces.len() as i32)));
        sum = add(sum, choose(is_face, shown, int(0)));
    }
    code.set_slot(Slot::Pips, sum);
}

/// True if moves that use dice have a form in code.
pub(super) fn has_code(code: &Emitter<'_>) -> bool {
    let has_consumer = matches!(code.consumer, Consumer::Gather(_) | Consumer::Exists { .. });
    has_consumer && acts::dice(code.game).count() <= MAX_DICE
}

/// Writes code for the moves of each die, and of each combination of dice.
pub(super) fn for_each_die(
    code: &mut Emitter<'_>,
    combined: &Bool,
    replay_double: &Bool,
    condition: &Bool,
    moves: &Moves,
) {
    let first = code.game.layout.at.dice as i32;
    let number = acts::dice(code.game).count();
    let saved = code.save([Iter::Pips, Iter::Dice]);
    code.scope.wrappers.push(Wrapper::Dice(replay_double.clone()));
    code.for_range(int(0), int(number as i32), |code, die| {
        let pips = CELLS.at(add(die.get(), int(first)));
        with_dice(code, pips, int(1).shifted_left(die.get()), condition, moves);
    });
    let uses = combined_dice(number);
    if !uses.is_empty() {
        let combined = bools::emit(code, combined);
        let masks = code.table(uses.iter().copied());
        code.when(combined, |code| {
            code.for_range(int(0), int(uses.len() as i32), |code, at| {
                let mask = code.keep_int(masks.at(at.get()));
                let bit = |die: i32| mask.clone().shifted_right(int(die)).and_bits(int(1));
                let (mut all, mut pips) = (int(1), int(0));
                for (die, shown) in (0..).zip(acts::dice(code.game)) {
                    all = both(all, either(!bit(die), shown.clone().differs(int(0))));
                    pips = add(pips, bit(die) * shown);
                }
                code.when(all, |code| with_dice(code, pips, mask.clone(), condition, moves));
            });
        });
    }
    code.scope.wrappers.pop();
    code.restore(&saved);
}

/// Writes code for the moves that use some dice.
fn with_dice(code: &mut Emitter<'_>, pips: Expr, used: Expr, condition: &Bool, moves: &Moves) {
    let [pips, used] = [pips, used].map(|value| code.keep(Type::Int, value));
    code.bind(Iter::Pips, pips.get());
    code.bind(Iter::Dice, used.get());
    let holds = bools::emit(code, condition);
    code.when(holds, |code| {
        generators::inside(code, Binder::Dice, moves);
    });
}

/// The variable without a name: the number that used dice show again, or -1.
pub(super) fn unnamed(code: &Emitter<'_>) -> Expr {
    CELLS.at(int(code.game.layout.at.vars as i32))
}

/// Writes the actions that use dice for a move, as the evaluator does.
pub(super) fn use_dice(code: &mut Emitter<'_>, replay_double: &Bool) {
    let used = code.variable(Iter::Dice);
    let used = code.keep_int(used);
    let dice: Vec<Expr> = acts::dice(code.game).collect();
    for die in 0..dice.len() as i32 {
        let bit = used.clone().shifted_right(int(die)).and_bits(int(1));
        code.when(bit, |code| effects::defer(code, Kind::UseDie, [int(die), int(0), int(0)]));
    }
    code.when(used.clone().and_bits(used - int(1)).equals(int(0)), |code| {
        let unnamed = unnamed(code);
        let unnamed = code.keep(Type::Int, unnamed).get();
        let named = unnamed.clone().differs(int(-1));
        let replay = bools::emit(code, replay_double);
        let equal = code.keep(Type::Int, both(replay, all_equal(&dice))).get();
        let value = choose(named.clone(), int(-1), code.variable(Iter::Pips));
        code.when(equal.clone(), |code| {
            effects::defer(code, Kind::SetVar, [int(0), value, int(0)]);
        });
        code.when(both(!equal, named), |code| {
            let face = (unnamed.max(int(1)) - int(1)).min(int(65535));
            let face = code.keep(Type::Int, face).get();
            for die in 0..dice.len() as i32 {
                effects::defer(code, Kind::RollDie, [int(die), face.clone(), int(0)]);
            }
        });
    });
}

/// Code that is 1 if all numbers are the same.
fn all_equal(numbers: &[Expr]) -> Expr {
    numbers.windows(2).map(|two| two[0].clone().equals(two[1].clone())).fold(int(1), both)
}
