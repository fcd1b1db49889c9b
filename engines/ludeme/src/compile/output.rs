//! Code for a generated move: a call of the function `give`, which skips moves, gathers them, or
//! hands them to the host; or stores into an entry of gathered moves.

use kernel::ir::{Block, Expr, Function, FunctionId, Local, Stmt, Type};

use super::arrays::{
    ANYWHERE, ENTRY, FRAME, GATHERED, GIVEN, MOST_EXTRA, MOST_GATHERED, MOVES, Service, Slot,
    TARGETS, add, both, choose, int, service, set_slot, slot,
};
use super::emitter::{Consumer, Emitter, Gathering};
use super::entries::{
    BEHIND, COUNT, DESCENDING, EXTRA, IN_ROW, MOST_SOURCES, NO_DISTANCE, OF_FROM, OF_SOURCE, SAME,
    TARGETED, place_of,
};
use super::module::Trait;
use super::{exists, move_effects};
use crate::ir::{Binder, EvaluatedParts, Int, Iter, LeafKind, Source, SourceKind, Wrapper};
use crate::lower::Feature;

/// The function `give`, the first of each program.
const GIVE: FunctionId = FunctionId(0);

/// The function `give`, which takes a move: source, origin, destination, piece, and 1 if the frame
/// has further numbers of it. It returns 1 if the caller wants no more moves.
pub(super) fn define_give() -> Function {
    let [source, from, to, piece, extra] = [0, 1, 2, 3, 4].map(Local);
    let place = Local(5);
    let bump = |number: Slot, by: i32| set_slot(number, add(slot(number), int(by)));
    let gathered = [source, from, to, piece]
        .into_iter()
        .zip(0..)
        .map(|(local, i)| Stmt::Store(GIVEN, add(place.get(), int(i)), local.get()));
    let mut gather = vec![Stmt::Set(place, slot(Slot::Gathered) * int(GATHERED as i32))];
    gather.extend(gathered);
    let copied = (0..MOST_EXTRA as i32).map(|i| {
        let number = FRAME.at(int(Slot::Extra as i32 + i));
        Stmt::Store(GIVEN, add(place.get(), int(4 + i)), number)
    });
    gather.push(Stmt::If(extra.get(), copied.collect(), Block::new()));
    gather.push(bump(Slot::Gathered, 1));
    gather.push(Stmt::If(
        slot(Slot::Gathered).at_least(int(MOST_GATHERED)),
        vec![Stmt::Return(Some(service(Service::Flush, Vec::new())))],
        vec![Stmt::Return(Some(int(0)))],
    ));
    let all = [source, from, to, piece].map(Local::get).to_vec();
    let elsewhere =
        both(slot(Slot::Wanted).differs(int(ANYWHERE)), slot(Slot::Wanted).differs(to.get()));
    let body = vec![
        bump(Slot::Given, 1),
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

/// Writes code for a move.
pub(super) fn emit_move(code: &mut Emitter<'_>, source: i32, from: Expr, to: Expr, piece: Expr) {
    emit_move_with(code, source, [from, to, piece], &[]);
}

/// Writes code for a move with further numbers.
pub(super) fn emit_move_with(
    code: &mut Emitter<'_>,
    source: i32,
    [from, to, piece]: [Expr; 3],
    extra: &[Expr],
) {
    match code.consumer {
        Consumer::Effect(_) => move_effects::emit(code, source, [from, to, piece], extra),
        Consumer::Gather(_) => {
            let shape = [from * int(OF_FROM), to].into_iter().fold(int(OF_FROM + 1), add);
            store(code, source, [shape, piece, int(1)], extra);
        }
        Consumer::Give => call_give(code, source, [from, to, piece], extra),
        Consumer::Exists { .. } => exists::leave(code),
        Consumer::Reaches { site, .. } => {
            code.when(to.equals(site.get()), exists::leave);
        }
        Consumer::Destinations { sites, .. } => {
            code.set(sites, sites.get() | Expr::single(to));
        }
    }
}

/// Writes code for the moves of a source from a site to each site of a set; without an origin, from
/// each site of the set to itself.
pub(super) fn emit_targets(
    code: &mut Emitter<'_>,
    source: i32,
    from: Option<Expr>,
    targets: Expr,
    piece: Expr,
) {
    emit_in_order(code, source, from, (targets, int(1)), piece);
}

/// As [`emit_targets`], in ascending or descending order of the sites.
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

/// Writes code for the moves of a source to the sites of a set. The origin of each is the first
/// piece behind the destination at a multiple of a distance.
pub(super) fn emit_behind(code: &mut Emitter<'_>, source: i32, distance: i32, targets: Expr) {
    code.module.traits.add(Trait::Reorders);
    emit_set(code, source, int((distance + NO_DISTANCE) * OF_FROM + BEHIND), targets, int(0));
}

/// Writes code for the moves of a source to the sites of a set. A row has the origin of each.
pub(super) fn emit_from_row(code: &mut Emitter<'_>, source: i32, row: Vec<i32>, targets: Expr) {
    code.module.traits.add(Trait::Reorders);
    let number = (code.parts.origins.len() / row.len()) as i32;
    code.parts.origins.extend(row);
    emit_set(code, source, int(number * OF_FROM + IN_ROW), targets, int(0));
}

/// Writes code for the moves to the sites of a set, with the first number of their entry.
fn emit_set(code: &mut Emitter<'_>, source: i32, shape: Expr, targets: Expr, piece: Expr) {
    let targets = code.keep_set(targets);
    match code.consumer {
        Consumer::Reaches { site, .. } => {
            code.when(targets.contains(site.get()), exists::leave);
        }
        Consumer::Destinations { sites, .. } => {
            code.set(sites, sites.get() | targets);
        }
        Consumer::Gather(Gathering { has_places: false, entry, .. }) => {
            code.when(!targets.clone().is_empty(), |code| {
                code.push(Stmt::StoreSet(TARGETS, place_of(entry), targets.clone()));
                store(code, source, [shape, piece, targets.len()], &[]);
            });
        }
        Consumer::Gather(_) => {
            let place = int(entries(code).len() as i32);
            code.push(Stmt::StoreSet(TARGETS, place, targets.clone()));
            store(code, source, [shape, piece, targets.len()], &[]);
        }
        _ => code.when(!targets.is_empty(), exists::leave),
    }
}

/// True if an entry can have several moves of a source.
pub(super) fn gathers_many(code: &Emitter<'_>, source: i32) -> bool {
    if is_query(code) {
        return true;
    }
    let source = &code.parts.sources[source as usize];
    let varies = |iter: &Iter| matches!(iter, Iter::To | Iter::Between);
    code.is_gathered() && !source.gathered.iter().any(varies)
}

/// True if moves are generated only to answer a question about them.
fn is_query(code: &Emitter<'_>) -> bool {
    matches!(
        code.consumer,
        Consumer::Exists { .. } | Consumer::Reaches { .. } | Consumer::Destinations { .. }
    )
}

/// The first numbers of the entries so far.
pub(super) fn entries<'c>(code: &'c Emitter<'_>) -> &'c [Option<Expr>] {
    match &code.consumer {
        Consumer::Gather(gathering) => &gathering.entries,
        _ => &[],
    }
}

/// Writes the stores of an entry.
fn store(code: &mut Emitter<'_>, source: i32, [shape, piece, moves]: [Expr; 3], extra: &[Expr]) {
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
    let is_outside_loops = code.scope.loops == 0;
    if let Consumer::Gather(gathering) = &mut code.consumer {
        gathering.entries.push(is_outside_loops.then(|| packed.clone()));
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
        code.set(entry, add(entry.get(), int(1)));
    }
    code.set(count, add(count.get(), moves));
}

/// Writes a call of the function `give`.
fn call_give(code: &mut Emitter<'_>, source: i32, [from, to, piece]: [Expr; 3], extra: &[Expr]) {
    let gathered = code.parts.sources[source as usize].gathered.clone();
    let variables = gathered.into_iter().map(|iter| code.variable(iter));
    let extra: Vec<Expr> = extra.iter().cloned().chain(variables).collect();
    let has_extra = int(i32::from(!extra.is_empty()));
    for (value, place) in extra.into_iter().zip(0..) {
        code.push(Stmt::Store(FRAME, int(Slot::Extra as i32 + place), value));
    }
    code.stop_if(Expr::Call(GIVE, vec![int(source), from, to, piece, has_extra]));
}

/// The number of a source of moves: a generator with the rules around it.
pub(super) fn source(code: &mut Emitter<'_>, kind: SourceKind) -> i32 {
    if is_query(code) {
        return -1;
    }
    let wrappers = code.scope.wrappers.clone();
    let binders = code.scope.binders.clone();
    let mut gathered = Vec::new();
    let [binds_from, to] = [Iter::From, Iter::To].map(|iter| kind.binds().contains(&iter));
    let from = binds_from && kind.origin() == Some(&Int::Iter(Iter::From));
    let between = match &kind {
        SourceKind::Hop(_) => true,
        SourceKind::Single(_) => false,
        SourceKind::Leaf(leaf) => match &leaf.kind {
            LeafKind::Slide(slide) => {
                let effect = slide.apply.as_ref().is_some_and(|a| a.effect.is_some());
                effect && code.game.has(Feature::NeedsBetween)
            }
            _ => false,
        },
    };
    let mut known = !binders.contains(&Binder::Other);
    for (at, binder) in binders.iter().enumerate() {
        match binder {
            Binder::Piece if from => {}
            Binder::Level | Binder::Top if from => gathered.push(Iter::Level),
            // The generator binds the origin anew, so the piece of the loop is lost.
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
    // A legality test would run in the turn of the other player.
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
    EvaluatedParts::add(&mut code.parts.sources, source)
}

/// A number that grows with every move.
pub(super) fn counter(code: &Emitter<'_>) -> Expr {
    match &code.consumer {
        Consumer::Give => slot(Slot::Given),
        Consumer::Gather(Gathering { count, .. }) => count.get(),
        Consumer::Exists { any, .. } | Consumer::Reaches { any, .. } => any.get(),
        Consumer::Destinations { sites, .. } => sites.get().len(),
        Consumer::Effect(waiting) => waiting.given.get(),
    }
}
