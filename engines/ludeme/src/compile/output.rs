//! Giving moves: to the function `give`, which passes over them, gathers them, or has the machine
//! take them one by one; or, where all are gathered, straight into memory.

use kernel::ir::{Block, Expr, Function, FunctionId, Local, Stmt, Type};

use super::arrays::{
    ANYWHERE, ENTRY, FRAME, GATHERED, GIVEN, MOST_EXTRA, MOVES, Service, Slot, TARGETS, add, both,
    choose, int, service, set_slot, slot,
};
use super::emitter::{Consumer, Emitter, Gathering};
use super::entries::{
    BEHIND, COUNT, DESCENDING, EXTRA, IN_ROW, MOST_SOURCES, NO_DISTANCE, OF_FROM, OF_SOURCE, SAME,
    TARGETED, place_of,
};
use super::module::Trait;
use super::{exists, move_effects};
use crate::ir::{Binder, Int, Iter, LeafKind, Parts, Source, SourceKind, Wrapper};

/// The function that moves are given to.
const GIVE: FunctionId = FunctionId(0);

/// Writes the function that moves are given to: source, origin, destination, piece, and whether
/// more is known of it. 1 if no more are wanted.
pub(super) fn give() -> Function {
    let [source, from, to, piece, extra] = [0, 1, 2, 3, 4].map(Local);
    let at = Local(5);
    let bump = |at: Slot, by: i32| set_slot(at, add(slot(at), int(by)));
    let gathered = [source, from, to, piece]
        .into_iter()
        .zip(0..)
        .map(|(local, i)| Stmt::Store(GIVEN, add(at.get(), int(i)), local.get()));
    let mut gather = vec![Stmt::Set(at, slot(Slot::Gathered) * int(GATHERED as i32))];
    gather.extend(gathered);
    let copied = (0..MOST_EXTRA as i32).map(|i| {
        let known = FRAME.at(int(Slot::Extra as i32 + i));
        Stmt::Store(GIVEN, add(at.get(), int(4 + i)), known)
    });
    gather.push(Stmt::If(extra.get(), copied.collect(), Block::new()));
    gather.push(bump(Slot::Gathered, 1));
    gather.push(Stmt::If(
        slot(Slot::Gathered).at_least(int(super::arrays::MOST_GATHERED)),
        vec![Stmt::Return(Some(service(Service::Flush, Vec::new())))],
        vec![Stmt::Return(Some(int(0)))],
    ));
    let all = [source, from, to, piece].map(Local::get).to_vec();
    let elsewhere =
        both(slot(Slot::Wanted).differs(int(ANYWHERE)), slot(Slot::Wanted).differs(to.get()));
    let body = vec![
        bump(Slot::Given, 1),
        set_slot(Slot::LastSource, source.get()),
        Stmt::If(
            slot(Slot::Skip).greater(int(0)),
            vec![bump(Slot::Skip, -1), Stmt::Return(Some(int(0)))],
            Block::new(),
        ),
        Stmt::If(slot(Slot::Gathers), gather, Block::new()),
        Stmt::If(elsewhere, vec![Stmt::Return(Some(int(0)))], Block::new()),
        Stmt::Return(Some(service(Service::Take, all))),
    ];
    Function {
        name: "give".into(),
        locals: vec![Type::Int; 6],
        params: 5,
        result: Some(Type::Int),
        body,
    }
}

/// Gives a move.
pub(super) fn emit_move(code: &mut Emitter<'_>, source: i32, from: Expr, to: Expr, piece: Expr) {
    emit_move_with(code, source, [from, to, piece], &[]);
}

/// Gives a move of which more is known.
pub(super) fn emit_move_with(
    code: &mut Emitter<'_>,
    source: i32,
    move_: [Expr; 3],
    extra: &[Expr],
) {
    let [from, to, piece] = move_;
    match code.consumer {
        Consumer::Effect(_) => move_effects::take_effect(code, source, [from, to, piece], extra),
        Consumer::Gather(_) => {
            let shape = [from * int(OF_FROM), to].into_iter().fold(int(OF_FROM + 1), add);
            enter_moves(code, source, [shape, piece, int(1)], extra);
        }
        Consumer::Give => hand_on(code, source, [from, to, piece], extra),
        Consumer::Exists { .. } => exists::found_one(code),
        Consumer::Reaches { site, .. } => {
            code.when(to.equals(site.get()), exists::found_one);
        }
        Consumer::Destinations { sites, .. } => {
            code.push(Stmt::Set(sites, sites.get() | Expr::single(to)));
        }
    }
}

/// Gathers the moves of a source from a site to each of some sites, if there are any, or where
/// no site is given, on each of them.
pub(super) fn emit_targets(
    code: &mut Emitter<'_>,
    source: i32,
    from: Option<Expr>,
    targets: Expr,
    piece: Expr,
) {
    emit_in_order(code, source, from, (targets, int(1)), piece);
}

/// As [`emit_targets`], from the first of the sites on or from the last one.
pub(super) fn emit_in_order(
    code: &mut Emitter<'_>,
    source: i32,
    from: Option<Expr>,
    (targets, ascending): (Expr, Expr),
    piece: Expr,
) {
    let from = match from {
        Some(from) => add(from * int(OF_FROM), int(OF_FROM)),
        None => int(SAME * OF_FROM),
    };
    let shape = add(from, choose(ascending, int(TARGETED), int(DESCENDING)));
    emit_set(code, source, shape, targets, piece);
}

/// Gathers the moves of a source to some sites, from the first piece behind each at a multiple
/// of a distance.
pub(super) fn emit_behind(code: &mut Emitter<'_>, source: i32, distance: i32, targets: Expr) {
    code.module.traits.add(Trait::Reorders);
    let shape = int((distance + NO_DISTANCE) * OF_FROM + BEHIND);
    emit_set(code, source, shape, targets, int(0));
}

/// Gathers the moves of a source to some sites, each from the site of a row.
pub(super) fn emit_from_row(code: &mut Emitter<'_>, source: i32, row: Vec<i32>, targets: Expr) {
    code.module.traits.add(Trait::Reorders);
    let number = (code.parts.origins.len() / row.len()) as i32;
    code.parts.origins.extend(row);
    emit_set(code, source, int(number * OF_FROM + IN_ROW), targets, int(0));
}

fn emit_set(code: &mut Emitter<'_>, source: i32, shape: Expr, targets: Expr, piece: Expr) {
    let targets = code.keep(Type::Set, targets).get();
    match code.consumer {
        Consumer::Reaches { site, .. } => {
            code.when(targets.contains(site.get()), exists::found_one);
        }
        Consumer::Destinations { sites, .. } => {
            code.push(Stmt::Set(sites, sites.get() | targets));
        }
        Consumer::Gather(Gathering { has_places: false, entry, .. }) => {
            code.when(!targets.clone().is_empty(), |code| {
                code.push(Stmt::StoreSet(TARGETS, place_of(entry), targets.clone()));
                enter_moves(code, source, [shape, piece, targets.len()], &[]);
            });
        }
        Consumer::Gather(_) => {
            let place = int(entries(code).len() as i32);
            code.push(Stmt::StoreSet(TARGETS, place, targets.clone()));
            enter_moves(code, source, [shape, piece, targets.len()], &[]);
        }
        _ => code.when(!targets.is_empty(), exists::found_one),
    }
}

/// True if moves of a source can be gathered several at a time.
pub(super) fn gathers_many(code: &Emitter<'_>, source: i32) -> bool {
    if only_asks(code) {
        return true;
    }
    let source = &code.parts.sources[source as usize];
    let varies = |iter: &Iter| matches!(iter, Iter::To | Iter::Between);
    matches!(code.consumer, Consumer::Gather(_)) && !source.gathered.iter().any(varies)
}

/// True if the moves are made for nothing but a question.
fn only_asks(code: &Emitter<'_>) -> bool {
    matches!(
        code.consumer,
        Consumer::Exists { .. } | Consumer::Reaches { .. } | Consumer::Destinations { .. }
    )
}

/// The first numbers of the entries written so far.
pub(super) fn entries<'c>(code: &'c Emitter<'_>) -> &'c [Option<Expr>] {
    match &code.consumer {
        Consumer::Gather(gathering) => &gathering.entries,
        _ => &[],
    }
}

/// Writes an entry of moves that are gathered.
fn enter_moves(
    code: &mut Emitter<'_>,
    source: i32,
    [shape, piece, moves]: [Expr; 3],
    extra: &[Expr],
) {
    let Consumer::Gather(Gathering { entry, count, has_places, .. }) = code.consumer else {
        return;
    };
    let of_source = &mut code.parts.sources[source as usize];
    of_source.piece |= piece != int(0);
    let gathered = of_source.gathered.clone();
    let place = if has_places { int(entries(code).len() as i32) } else { place_of(entry) };
    let first = code.keep_int(place * int(ENTRY as i32));
    let moves = code.keep_int(moves);
    let packed = add(shape, int(source.wrapping_mul(OF_SOURCE)));
    let always = code.scope.loops == 0;
    if let Consumer::Gather(gathering) = &mut code.consumer {
        gathering.entries.push(always.then(|| packed.clone()));
    }
    let mut numbers = vec![(0, packed), (COUNT, moves.clone())];
    if piece != int(0) {
        numbers.push((1, piece));
    }
    let variables = gathered.into_iter().map(|iter| code.variable(iter));
    let extra = extra.iter().cloned().chain(variables).collect::<Vec<_>>();
    numbers.extend(extra.into_iter().enumerate().map(|(i, value)| (EXTRA + i, value)));
    for (place, number) in numbers {
        code.push(Stmt::Store(MOVES, add(first.clone(), int(place as i32)), number));
    }
    if !has_places {
        code.push(Stmt::Set(entry, add(entry.get(), int(1))));
    }
    code.push(Stmt::Set(count, add(count.get(), moves)));
}

/// Hands a move to the function `give`.
fn hand_on(code: &mut Emitter<'_>, source: i32, [from, to, piece]: [Expr; 3], extra: &[Expr]) {
    let gathered = code.parts.sources[source as usize].gathered.clone();
    let variables = gathered.into_iter().map(|iter| code.variable(iter));
    let extra: Vec<Expr> = extra.iter().cloned().chain(variables).collect();
    let known = int(i32::from(!extra.is_empty()));
    for (value, place) in extra.into_iter().zip(0..) {
        code.push(Stmt::Store(FRAME, int(Slot::Extra as i32 + place), value));
    }
    code.stop_if(Expr::Call(GIVE, vec![int(source), from, to, piece, known]));
}

/// The number of a generator whose moves code gives, with all that is around it here.
pub(super) fn source(code: &mut Emitter<'_>, kind: SourceKind) -> i32 {
    if only_asks(code) {
        return -1;
    }
    let wrappers = code.scope.wrappers.clone();
    let binders = code.scope.binders.clone();
    let mut gathered = Vec::new();
    // Whether the origin is the piece that is bound around, and whether `Between` matters.
    let [binds_from, to] = [Iter::From, Iter::To].map(|iter| kind.binds().contains(&iter));
    let from = binds_from && kind.origin() == Some(&Int::Iter(Iter::From));
    let between = match &kind {
        SourceKind::Hop(_) => true,
        SourceKind::Single(_) => false,
        SourceKind::Leaf(leaf) => match &leaf.kind {
            LeafKind::Slide(slide) => {
                let effect = slide.apply.as_ref().is_some_and(|a| a.effect.is_some());
                effect && code.game.needs_between
            }
            _ => false,
        },
    };
    let mut known = !binders.contains(&Binder::Other);
    for (at, binder) in binders.iter().enumerate() {
        match binder {
            Binder::Piece if from => {}
            Binder::Level | Binder::Top if from => gathered.push(Iter::Level),
            // What it was bound to is lost.
            Binder::Piece | Binder::Level | Binder::Top if binds_from => {
                known &= !wrappers.iter().any(|w| w.asks_for(at));
                if *binder != Binder::Piece {
                    gathered.push(Iter::Level);
                }
            }
            Binder::Piece => gathered.push(Iter::From),
            Binder::Level | Binder::Top => gathered.extend([Iter::From, Iter::Level]),
            Binder::Direction => {
                known &= to;
                if !gathered.contains(&Iter::Between) {
                    gathered.push(Iter::Between);
                }
            }
            Binder::Site => {
                gathered.push(Iter::Site);
                if !to {
                    gathered.push(Iter::To);
                }
            }
            Binder::Value => gathered.push(Iter::Value),
            Binder::Dice => gathered.extend([Iter::Pips, Iter::Dice]),
            Binder::Player => gathered.push(Iter::Player),
            Binder::Other => {}
        }
    }
    if between && !gathered.contains(&Iter::Between) {
        gathered.push(Iter::Between);
    }
    let repeated = (1..gathered.len()).any(|i| gathered[..i].contains(&gathered[i]));
    known &= kind.numbers() + gathered.len() <= MOST_EXTRA && !repeated;
    if !known {
        gathered.clear();
    }
    known &= code.parts.sources.len() < MOST_SOURCES;
    // What is tested sees the turn of another player, too.
    let is_tested = wrappers.iter().any(|w| matches!(w, Wrapper::After { .. }));
    known &= !(is_tested && code.scope.turn_of.is_some());
    let is_top = !code.game.stacking() || binders.contains(&Binder::Top);
    let component = code.bindings.piece.filter(|_| from && is_top);
    let source = Source {
        kind,
        wrappers,
        binders,
        parts: code.scope.chosen.clone(),
        parts_of_round: code.scope.chosen_in_round.clone(),
        gathered,
        component,
        turn_of: code.scope.turn_of.clone(),
        piece: false,
        known,
    };
    Parts::add(&mut code.parts.sources, source)
}

/// A number that grows with every move given.
pub(super) fn given(code: &Emitter<'_>) -> Expr {
    match &code.consumer {
        Consumer::Give => slot(Slot::Given),
        Consumer::Gather(Gathering { count, .. }) => count.get(),
        Consumer::Exists { any, .. } | Consumer::Reaches { any, .. } => any.get(),
        Consumer::Destinations { sites, .. } => sites.get().len(),
        Consumer::Effect(waiting) => waiting.given.get(),
    }
}
