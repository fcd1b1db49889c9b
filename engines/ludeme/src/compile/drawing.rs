//! Code that draws one of the gathered moves, and finds its entry.

use kernel::ir::{Block, Expr, FunctionId, Local, Stmt, Type};

use super::arrays::{
    ENTRY, MOST_ENTRIES, MOST_EXTRA, MOVES, OF_MOVE, Service, Slot, TARGETS, add, both, choose,
    drawn, either, int, service, set_slot, slot, state_set,
};
use super::context::Context;
use super::emitter::Emitter;
use super::entries::{
    BEHIND, COUNT, DESCENDING, EXTRA, Ends, FIRST_OF_SETS, IN_ROW, NO_DISTANCE, OF_FROM, Origin,
    SAME, source_of, unpacked,
};
use super::module::Trait;
use super::steps;
use super::stops::{Stop, stop_if};
use crate::eval::combined_dice;
use crate::ir::{Binder, Compiled, LeafKind, Place, Source, SourceKind};
use crate::state::EMPTY;

/// True if a phase may have more moves than there are entries, or moves that only the evaluator
/// finds. `pieces` is the most pieces that there can be, if known.
pub(super) fn may_overflow(game: &Context<'_>, phase: &Compiled, pieces: Option<usize>) -> bool {
    let sites = game.world.sites();
    let dice = game.world.dice.as_ref().map_or(0, |dice| dice.faces.len());
    let around = |binder: &Binder| match binder {
        Binder::Piece | Binder::Top | Binder::Site => Some(sites),
        Binder::Level => pieces,
        Binder::Dice => Some(dice + combined_dice(dice).len()),
        _ => None,
    };
    let most = |source: &Source| {
        let rounds =
            source.binders.iter().map(around).try_fold(1, |all, most| Some(all * most?))?;
        let SourceKind::Leaf(leaf) = &source.kind else { return None };
        let own = match &leaf.kind {
            LeafKind::Pass => 1,
            LeafKind::FromTo { from, to, .. } => match (&**from, &**to) {
                (Place::Site(_), Place::Site(_)) => 1,
                (Place::Site(_), _) | (_, Place::Site(_)) => sites,
                _ => return None,
            },
            LeafKind::Jump { .. } | LeafKind::Slide(_) => sites,
            LeafKind::Remove { place, .. } if matches!(**place, Place::Site(_)) => 1,
            LeafKind::Add { pieces, .. } => pieces.len() * sites,
            LeafKind::Select { from, to, .. } => match (&**from, to.as_deref()) {
                (Place::Site(_), None | Some(Place::Site(_))) => 1,
                (Place::Site(_), _) | (_, None | Some(Place::Site(_))) => sites,
                _ => return None,
            },
            _ => return None,
        };
        Some(rounds * own)
    };
    let all = phase.gathered.sources.iter().map(most).try_fold(0, |all, most| Some(all + most?));
    all.is_none_or(|all| all >= MOST_ENTRIES) || game.selects
}

/// A gathered move, in variables.
pub(super) struct Located {
    /// The number of its entry.
    pub(super) entry: Local,
    /// The place in the array `moves` where the entry begins.
    pub(super) first: Local,
    /// The first number of the entry.
    pub(super) packed: Local,
    /// Its origin and its destination.
    pub(super) ends: [Local; 2],
}

impl Located {
    /// All its variables.
    pub(super) fn locals(&self) -> [Local; 5] {
        let [from, to] = self.ends;
        [self.entry, self.first, self.packed, from, to]
    }
}

/// The arguments of a function that makes a move of a source: its ends, and the numbers of its
/// entry; `piece` replaces the piece of the entry.
pub(super) fn arguments(
    source: &Source,
    ends: [Local; 2],
    entry: &Expr,
    piece: Option<Expr>,
) -> Vec<Expr> {
    let number = |place: usize| MOVES.at(add(entry.clone(), int(place as i32)));
    let extra = |i| if i < source.numbers() { number(EXTRA + i) } else { int(-1) };
    let mut arguments = ends.map(Local::get).to_vec();
    arguments.push(if source.piece { piece.unwrap_or_else(|| number(1)) } else { int(0) });
    arguments.extend((0..MOST_EXTRA).map(extra));
    debug_assert_eq!(arguments.len(), OF_MOVE);
    arguments
}

/// Writes code that gathers moves by a function, which may call the evaluator. The code is the
/// number of moves.
pub(super) fn gather(code: &mut Emitter<'_>, function: FunctionId, asks: bool) -> Expr {
    let gathers = |gathers: i32| set_slot(Slot::Gathers, int(gathers));
    if asks {
        code.push(gathers(1));
    }
    let count = code.keep(Type::Int, Expr::Call(function, Vec::new())).get();
    if asks {
        code.push(gathers(0));
    }
    count
}

/// Writes code that draws one of the gathered moves, which all differ, or one of the `swaps` moves
/// that swap sides.
pub(super) fn draw_any(
    code: &mut Emitter<'_>,
    (number, forced): (Local, Local),
    count: &Expr,
    swaps: &Expr,
    compiled: &Compiled,
) {
    let by_lot = code.block(|code| {
        code.push(stop_if(slot(Slot::Plies).at_least(slot(Slot::Cap)), Stop::Capped));
        code.set(number, drawn(count.clone() + swaps.clone()));
        if *swaps != int(0) {
            code.push(stop_if(number.get().at_least(count.clone()), Stop::Swapped));
        }
    });
    let passes = compiled.gathered.passes();
    if passes.is_empty() {
        return code.extend(by_lot);
    }
    let pass = is_pass(code, &passes, source_of(MOVES.at(int(0))));
    let only = both(count.clone().equals(int(1)), pass);
    code.push(Stmt::If(only, vec![Stmt::Set(number, int(0)), Stmt::Set(forced, int(1))], by_lot));
}

/// Writes a call of the host that draws one of the gathered moves that begin the longest turns.
pub(super) fn draw_counted(code: &mut Emitter<'_>, number: Local, forced: Local) {
    code.set(number, service(Service::DrawCounted, Vec::new()));
    let is_forced = number.get().equals(int(-2 - Stop::Forced as i32));
    let first = vec![Stmt::Set(number, int(0)), Stmt::Set(forced, int(1))];
    let stopped = vec![Stmt::Return(Some(int(-2) - number.get()))];
    let stops = vec![Stmt::If(number.get().less(int(-1)), stopped, Block::new())];
    code.push(Stmt::If(is_forced, first, stops));
}

/// Code that is 1 if a source is one of the passes.
pub(super) fn is_pass(code: &mut Emitter<'_>, passes: &[i32], source: Expr) -> Expr {
    let source = code.keep_int(source);
    let is_that_pass = |&pass: &i32| source.clone().equals(int(pass));
    passes.iter().map(is_that_pass).fold(int(0), either)
}

/// Writes code that finds the entry of a move by its number: the number of the entry, its place,
/// the rank of the move in it, and its number of moves.
fn entry_of(code: &mut Emitter<'_>, number: Local) -> [Local; 4] {
    let entry = code.local(Type::Int);
    let left = code.keep(Type::Int, number.get());
    let (first, count) = (code.local(Type::Int), code.local(Type::Int));
    code.push(Stmt::For(
        entry,
        int(0),
        slot(Slot::Gathered).min(int(MOST_ENTRIES as i32)),
        vec![
            Stmt::Set(first, entry.get() * int(ENTRY as i32)),
            Stmt::Set(count, MOVES.at(add(first.get(), int(COUNT as i32)))),
            Stmt::If(left.get().less(count.get()), vec![Stmt::Break(1)], Block::new()),
            Stmt::Set(left, left.get() - count.get()),
        ],
    ));
    [entry, first, left, count]
}

/// As [`entry_of`], for entries with fixed places. It has no branch, since a branch on a drawn
/// number is never predicted.
fn fixed_entry_of(code: &mut Emitter<'_>, number: Local, entries: usize) -> [Local; 4] {
    let count_of = |first: Expr| MOVES.at(add(first, int(COUNT as i32)));
    let (mut upto, mut before, mut entry) = (int(0), int(0), int(0));
    for other in 0..entries - 1 {
        let with_it = add(upto, count_of(int((other * ENTRY) as i32)));
        upto = code.keep_int(with_it);
        let passed = code.keep_int(number.get().at_least(upto.clone()));
        let first_left = choose(passed.clone(), upto.clone(), before);
        before = code.keep_int(first_left);
        entry = add(entry, passed);
    }
    let entry = code.keep(Type::Int, entry);
    let first = code.keep(Type::Int, entry.get() * int(ENTRY as i32));
    let left = code.keep(Type::Int, number.get() - before);
    let count = code.keep(Type::Int, count_of(first.get()));
    [entry, first, left, count]
}

/// Writes code that finds a gathered move by its number.
pub(super) fn locate(code: &mut Emitter<'_>, number: Local, compiled: &Compiled) -> Located {
    let fixed = &compiled.fixed;
    let ([entry, first, left, count], packed) = if fixed.is_empty() {
        let found = entry_of(code, number);
        (found, MOVES.at(found[1].get()))
    } else {
        let found = fixed_entry_of(code, number, fixed.len());
        (found, code.table(fixed.iter().copied()).at(found[0].get()))
    };
    let packed = code.keep(Type::Int, packed);
    let mask = int(OF_FROM - 1);
    let from = packed.get().shifted_right(int(OF_FROM.trailing_zeros() as i32));
    let from = code.keep(Type::Int, from.and_bits(mask.clone()) - int(1));
    let to = code.keep(Type::Int, packed.get().and_bits(mask) - int(1));
    // The kinds of fixed entries are known, so code for other kinds is left out.
    let may = |is_kind: fn(Ends) -> bool| {
        fixed.is_empty() || fixed.iter().any(|&first| is_kind(unpacked(first).1))
    };
    let mut rank = left.get();
    if may(|ends| matches!(ends, Ends::Targets { descending: true, .. })) {
        let backwards = (count.get() - int(1)) - left.get();
        rank = choose(to.get().equals(int(DESCENDING - 1)), backwards, rank);
    }
    let behind = may(|ends| matches!(ends, Ends::From(Origin::Behind(_))));
    let is_behind = to.get().equals(int(BEHIND - 1));
    let behind =
        (behind && code.module.traits.has(Trait::Reorders)).then(|| code.keep_int(is_behind));
    let mut targeted = vec![Stmt::Set(to, TARGETS.at(entry.get()).nth(rank))];
    if may(|ends| matches!(ends, Ends::Targets { from: None, .. })) {
        let same = from.get().equals(int(SAME - 1));
        targeted.push(Stmt::If(same, vec![Stmt::Set(from, to.get())], Block::new()));
    }
    let rows = &compiled.gathered.origins;
    if !rows.is_empty() {
        let in_row = to.get().equals(int(IN_ROW - 1));
        let place = add(add(from.get(), int(1)) * int(code.game.room() as i32), to.get());
        let origin = code.table(rows.iter().copied()).at(place);
        // The destination is assigned before the origin.
        let in_row = code.keep_int(in_row);
        targeted.push(Stmt::If(in_row, vec![Stmt::Set(from, origin)], Block::new()));
    }
    if may(|ends| matches!(ends, Ends::One(..))) {
        code.push_if(to.get().at_least(int(FIRST_OF_SETS - 1)), targeted);
    } else {
        code.extend(targeted);
    }
    if let Some(behind) = behind {
        code.when(behind, |code| {
            let distance = code.keep_int(from.get() - int(NO_DISTANCE - 1));
            code.set(from, to.get());
            let free = state_set(int(EMPTY as i32)).contains(from.get());
            code.for_range(int(0), int(code.game.room() as i32), |code, _| {
                code.set(from, from.get() - distance.clone());
                steps::break_unless(code, free.clone());
            });
        });
    }
    Located { entry, first, packed, ends: [from, to] }
}
