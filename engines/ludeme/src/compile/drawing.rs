//! Drawing one of the moves that have been gathered, and finding it among them.

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

/// True if there could be more moves of a phase than there is room for, or moves that only the
/// evaluator finds. There are never more pieces than so many, where that is known.
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
        let times = source.binders.iter().map(around).try_fold(1, |all, of| Some(all * of?))?;
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
        Some(times * own)
    };
    let sources = phase.gathered.sources.iter();
    let all = sources.map(most).try_fold(0, |all, of| Some(all + of?));
    all.is_none_or(|all| all >= MOST_ENTRIES) || game.selects
}

/// Variables for a move: its entry and where that begins, the first number of that, and its ends.
pub(super) struct Located {
    pub(super) entry: Local,
    pub(super) first: Local,
    pub(super) packed: Local,
    pub(super) ends: [Local; 2],
}

impl Located {
    pub(super) fn locals(&self) -> [Local; 5] {
        let [from, to] = self.ends;
        [self.entry, self.first, self.packed, from, to]
    }
}

/// What a move of a source is made from, which is gathered with it: its ends, and the numbers of
/// its entry; its piece may be known otherwise.
pub(super) fn arguments(
    source: &Source,
    ends: [Local; 2],
    entry: &Expr,
    piece: Option<Expr>,
) -> Vec<Expr> {
    let of = |place: usize| MOVES.at(add(entry.clone(), int(place as i32)));
    let known = source.numbers();
    let extra = |i| if i < known { of(EXTRA + i) } else { int(-1) };
    let mut arguments = ends.map(Local::get).to_vec();
    arguments.push(if source.piece { piece.unwrap_or_else(|| of(1)) } else { int(0) });
    arguments.extend((0..MOST_EXTRA).map(extra));
    debug_assert_eq!(arguments.len(), OF_MOVE);
    arguments
}

/// Gathers moves by a function, which may ask the evaluator; how many there are.
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

/// Draws one of the moves that have been gathered, which all differ, or of so many more that
/// swap sides.
pub(super) fn draw_any(
    code: &mut Emitter<'_>,
    (number, forced): (Local, Local),
    count: &Expr,
    swaps: &Expr,
    compiled: &Compiled,
) {
    let by_lot = code.block(|code| {
        code.push(stop_if(slot(Slot::Plies).at_least(slot(Slot::Cap)), Stop::Capped));
        code.push(Stmt::Set(number, drawn(count.clone() + swaps.clone())));
        if *swaps != int(0) {
            code.push(stop_if(number.get().at_least(count.clone()), Stop::Swapped));
        }
    });
    let passes = compiled.gathered.passes();
    if passes.is_empty() {
        return by_lot.into_iter().for_each(|stmt| code.push(stmt));
    }
    let pass = is_pass(code, &passes, source_of(MOVES.at(int(0))));
    let only = both(count.clone().equals(int(1)), pass);
    let first = vec![Stmt::Set(number, int(0)), Stmt::Set(forced, int(1))];
    code.push(Stmt::If(only, first, by_lot));
}

/// Draws one of the moves that have been gathered and count.
pub(super) fn draw_counted(code: &mut Emitter<'_>, number: Local, forced: Local) {
    code.push(Stmt::Set(number, service(Service::DrawCounted, Vec::new())));
    let is_forced = number.get().equals(int(-2 - Stop::Forced as i32));
    let first = vec![Stmt::Set(number, int(0)), Stmt::Set(forced, int(1))];
    let stopped = vec![Stmt::Return(Some(int(-2) - number.get()))];
    let stops = vec![Stmt::If(number.get().less(int(-1)), stopped, Block::new())];
    code.push(Stmt::If(is_forced, first, stops));
}

/// Whether a source is one of passes.
pub(super) fn is_pass(code: &mut Emitter<'_>, passes: &[i32], source: Expr) -> Expr {
    let source = code.keep_int(source);
    let is = |&pass: &i32| source.clone().equals(int(pass));
    passes.iter().map(is).fold(int(0), either)
}

/// Finds the entry of the move of a number, which of its moves it is, and how many it has.
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

/// The same where each of so many entries has its place: without a branch, since nothing tells
/// which one it will be.
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

/// Finds the move of a number.
pub(super) fn locate(code: &mut Emitter<'_>, number: Local, compiled: &Compiled) -> Located {
    let fixed = &compiled.fixed;
    let ([entry, first, left, count], packed) = if fixed.is_empty() {
        let found = entry_of(code, number);
        (found, MOVES.at(found[1].get()))
    } else {
        let found = fixed_entry_of(code, number, fixed.len());
        (found, code.module.tables.ints(fixed.iter().copied()).at(found[0].get()))
    };
    let packed = code.keep(Type::Int, packed);
    let mask = int(OF_FROM - 1);
    let from = packed.get().shifted_right(int(OF_FROM.trailing_zeros() as i32));
    let from = code.keep(Type::Int, from.and_bits(mask.clone()) - int(1));
    let to = code.keep(Type::Int, packed.get().and_bits(mask) - int(1));
    // Of fixed entries it is known what they are.
    let may =
        |is: fn(Ends) -> bool| fixed.is_empty() || fixed.iter().any(|&first| is(unpacked(first).1));
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
        let room = int(code.game.room() as i32);
        let place = add(add(from.get(), int(1)) * room, to.get());
        let origin = code.module.tables.ints(rows.iter().copied()).at(place);
        // The destination is known by then.
        let in_row = code.keep_int(in_row);
        targeted.push(Stmt::If(in_row, vec![Stmt::Set(from, origin)], Block::new()));
    }
    if may(|ends| matches!(ends, Ends::One(..))) {
        let several = to.get().at_least(int(FIRST_OF_SETS - 1));
        code.push(Stmt::If(several, targeted, Block::new()));
    } else {
        targeted.into_iter().for_each(|stmt| code.push(stmt));
    }
    if let Some(behind) = behind {
        code.when(behind, |code| {
            let distance = code.keep_int(from.get() - int(NO_DISTANCE - 1));
            code.push(Stmt::Set(from, to.get()));
            let free = state_set(int(EMPTY as i32)).contains(from.get());
            code.for_range(int(0), int(code.game.room() as i32), |code, _| {
                code.push(Stmt::Set(from, from.get() - distance.clone()));
                steps::break_unless(code, free.clone());
            });
        });
    }
    Located { entry, first, packed, ends: [from, to] }
}
