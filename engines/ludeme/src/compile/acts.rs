//! Code for primitive actions: writes of the numbers and sets of a state.
//!
//! The host carries out actions on stacks, and on data that are neither numbers nor sets.

use kernel::ir::{Expr, Stmt};

use super::arrays::{CELLS, STATE, Service, Slot, add, choose, int, is_below, slot};
use super::changes;
use super::context::Context;
use super::emitter::Emitter;
use super::module::{Change, Trait};
use super::waiting::{Kind, NOT_GIVEN};
use crate::ir::{EffectId, Layer};
use crate::lower::Feature;
use crate::moves::Act;
use crate::state::Occupancy;

/// The action of a kind with its numbers, for the host.
pub(super) fn act(kind: i32, [a, b, c]: [i32; 3]) -> Option<Act> {
    let kind = *Kind::ALL.get(usize::try_from(kind).ok()?)?;
    let (site, to, number) = (a as u16, b as u16, a as usize);
    // Other numbers are no players.
    let player = || u8::try_from(a).ok();
    Some(match kind {
        Kind::Add => Act::Add { site, what: to, state: (c != NOT_GIVEN).then_some(c) },
        Kind::Remove => Act::Remove(site),
        Kind::RemoveLevel => Act::RemoveLevel { site, level: to },
        Kind::Defer => Act::Defer(site),
        Kind::MoveTop => Act::MoveTop { from: site, to, keep: false },
        Kind::MoveKeeping => Act::MoveTop { from: site, to, keep: true },
        Kind::MoveStack => Act::MoveStack { from: site, to },
        Kind::MoveLevel => match u16::try_from(c) {
            Ok(level) => Act::MoveLevel { from: site, from_level: Some(level), to, to_level: None },
            Err(_) => Act::MoveTop { from: site, to, keep: false },
        },
        Kind::Copy => Act::Copy { from: site, to },
        Kind::MoveCount => Act::MoveCount { from: site, to, count: c.clamp(0, 65535) as u16 },
        Kind::Seed => Act::Seed { from: site, to },
        Kind::Promote => Act::Promote { site, what: to },
        Kind::SetNext => Act::SetNext(a as u8),
        Kind::SetVar => Act::SetVar { var: number, value: b },
        Kind::SetCounter => Act::SetCounter(a),
        Kind::SetScore => Act::SetScore { player: player()?, value: b, added: false },
        Kind::AddScore => Act::SetScore { player: player()?, value: b, added: true },
        Kind::SetPlayerValue => Act::SetPlayerValue { player: player()?, value: b },
        Kind::PendSite => Act::PendSite(site),
        Kind::PendNumber => Act::PendNumber(a),
        Kind::SetState => Act::SetLayer { layer: Layer::State, site, level: None, value: b },
        Kind::SetRotation => Act::SetLayer { layer: Layer::Rotation, site, level: None, value: b },
        Kind::SetValue => Act::SetLayer { layer: Layer::Value, site, level: None, value: b },
        Kind::SetCount => Act::SetCount { site, value: b },
        Kind::Flip => Act::Flip(site),
        Kind::Trigger => Act::Trigger(a as u8),
        Kind::Remember => Act::Remember { list: number, value: b },
        Kind::Forget => Act::Forget { list: number, value: b },
        Kind::ForgetAll => Act::ForgetAll(number),
        Kind::RollDie => Act::RollDie { die: site, face: to },
        Kind::UseDie => Act::UseDie(site),
        Kind::SetEqual => Act::SetEqual(a != 0),
        Kind::Then => Act::Then(EffectId(a as u32)),
        Kind::Found => return None,
    })
}

/// Writes code that carries out an action, whose numbers can be read more than once.
pub(super) fn carry_out(code: &mut Emitter<'_>, kind: Kind, numbers: [Expr; 3]) {
    if let Some((from, to)) = kind.sites().filter(|_| code.game.has(Feature::AsksActions)) {
        code.set_slot(Slot::FromNow, numbers[from].clone());
        code.set_slot(Slot::ToNow, numbers[to].clone());
    }
    if kind == Kind::SetNext {
        code.set_slot(Slot::NamedNext, int(1));
    }
    code.module.traits.add_if(matches!(kind, Kind::Defer | Kind::Found), Trait::DefersCaptures);
    let adds = matches!(kind, Kind::Add | Kind::Copy | Kind::Found);
    code.module.traits.add_if(adds, Trait::AddsPieces);
    if write_slot(code, kind, &numbers) || write_memory(code, kind, &numbers) {
        return;
    }
    code.module.traits.add(Trait::NeedsCopy);
    let [a, b, c] = numbers;
    if kind == Kind::Seed {
        // The host moves seeds one by one.
        return code.for_range(int(0), c, |code, _| {
            code.call_host(Service::Act, vec![int(kind as i32), a.clone(), b.clone(), int(0)]);
        });
    }
    code.call_host(Service::Act, vec![int(kind as i32), a, b, c]);
}

/// Writes an action on the numbers that code and host share; true if it is one.
fn write_slot(code: &mut Emitter<'_>, kind: Kind, [a, ..]: &[Expr; 3]) -> bool {
    let a = a.clone();
    match kind {
        Kind::SetNext => code.set_slot(Slot::Next, a),
        Kind::SetCounter => code.set_slot(Slot::Counter, a),
        Kind::PendNumber => {
            code.set_slot(Slot::HasPending, int(1));
            code.set_slot(Slot::Pending, a);
        }
        Kind::Trigger => {
            code.set_slot(Slot::Triggered, slot(Slot::Triggered).or_bits(int(1).shifted_left(a)));
        }
        Kind::Found => {
            code.module.traits.add(Trait::NeedsCopy);
            code.call_host(Service::CarryOut, vec![a]);
        }
        _ => return false,
    }
    true
}

/// True if code may change the contents of sites itself.
pub(super) fn has_pieces_in_memory(code: &Emitter<'_>) -> bool {
    let layout = &code.game.layout;
    code.game.world.crossings.is_empty()
        && !(layout.occupancy == Occupancy::Stacking
            || layout.has_order_lists()
            || layout.sizes.hidden)
}

/// Writes an action on the numbers and sets of the state; true if it has a form in code.
fn write_memory(code: &mut Emitter<'_>, kind: Kind, [a, b, c]: &[Expr; 3]) -> bool {
    // The host also records the places of pieces on tracks that cross themselves.
    if !code.game.world.crossings.is_empty() {
        return false;
    }
    let at = code.game.layout.at;
    let [a, b, c] = [a, b, c].map(Expr::clone);
    match kind {
        Kind::SetVar => {
            code.push(Stmt::Store(CELLS, add(a, int(at.vars as i32)), b));
            return true;
        }
        Kind::SetScore | Kind::AddScore | Kind::SetPlayerValue => {
            let first = if kind == Kind::SetPlayerValue { at.values } else { at.scores };
            let is_player = is_below(a.clone(), code.game.world.players as i32 + 2);
            let place = add(a, int(first as i32));
            let value = if kind == Kind::AddScore { CELLS.at(place.clone()) + b } else { b };
            code.when(is_player, |code| code.push(Stmt::Store(CELLS, place, value)));
            return true;
        }
        Kind::RollDie => return show(code, a, b),
        Kind::UseDie => {
            code.push(Stmt::Store(CELLS, add(a, int(at.dice as i32)), int(0)));
            return true;
        }
        Kind::SetEqual => {
            let sum = dice(code.game).reduce(|a, b| a + b);
            code.set_slot(Slot::AllEqual, a);
            code.set_slot(Slot::Pips, sum.unwrap_or(int(0)));
            return true;
        }
        Kind::PendSite => {
            code.push(Stmt::Put(STATE, int(code.game.layout.pending() as i32), a, true));
            return true;
        }
        _ => {}
    }
    if !has_pieces_in_memory(code) {
        return false;
    }
    let (change, arguments) = match kind {
        Kind::Add => (Change::Add, vec![a, b, c]),
        Kind::Remove => (Change::Remove, vec![a]),
        Kind::MoveTop | Kind::MoveKeeping | Kind::MoveStack => (Change::Move, vec![a, b]),
        Kind::Copy => (Change::Copy, vec![a, b]),
        Kind::Seed => (Change::Seed, vec![a, b, c]),
        Kind::MoveCount => (Change::MoveCount, vec![a, b, c.max(int(0)).min(int(65535))]),
        Kind::Promote => (Change::Promote, vec![a, b]),
        Kind::SetCount => (Change::Count, vec![a, b]),
        Kind::Flip => {
            if at.extra != 0 {
                let place = code.keep_int(add(a.clone() * int(3), int(at.extra as i32)));
                let turned = turned(code, a.clone(), &CELLS.at(place));
                let turned = code.keep_int(turned);
                code.extend(changes::store_state(code.game, &a, turned));
            }
            return true;
        }
        Kind::SetState | Kind::SetRotation | Kind::SetValue => {
            if at.extra != 0 {
                let offset = at.extra as i32 + kind as i32 - Kind::SetState as i32;
                let is_site = is_site_of_game(code, a.clone());
                let place = add(a.clone() * int(3), int(offset));
                let stores = match kind {
                    Kind::SetState => changes::store_state(code.game, &a, b),
                    _ => vec![Stmt::Store(CELLS, place, b)],
                };
                code.when(is_site, |code| code.extend(stores));
            }
            return true;
        }
        _ => return false,
    };
    let function = code.module.change(code.game, change);
    code.push(Stmt::Call(function, arguments));
    true
}

/// The local state of a piece after it has been turned over.
fn turned(code: &mut Emitter<'_>, site: Expr, state: &Expr) -> Expr {
    let what = code.what(site);
    let sides = |side: fn((i32, i32)) -> i32| {
        let components = code.game.world.components.iter();
        components.map(move |component| component.flips.map_or(NOT_GIVEN, side)).collect()
    };
    let sides: [Vec<i32>; 2] = [sides(|flips| flips.0), sides(|flips| flips.1)];
    let [front, back] = sides.map(|sides| code.table(sides).at(what.clone()));
    let shows = |side: &Expr| state.clone().equals(side.clone());
    choose(shows(&front), back.clone(), choose(shows(&back), front, state.clone()))
}

/// The number that each die shows.
pub(super) fn dice(game: &Context<'_>) -> impl Iterator<Item = Expr> + use<> {
    let number = game.world.dice.as_ref().map_or(0, |dice| dice.faces.len());
    let first = game.layout.at.dice;
    (first..first + number).map(|place| CELLS.at(int(place as i32)))
}

/// Writes code that lets a die show a face; false if it has no form in code.
fn show(code: &mut Emitter<'_>, die: Expr, face: Expr) -> bool {
    let (Some(dice), Expr::Int(die)) = (&code.game.world.dice, die) else {
        return false;
    };
    let at = code.game.layout.at;
    let die = die as usize;
    let Some(faces) = dice.faces.get(die).filter(|faces| !faces.is_empty()) else {
        return true;
    };
    let shown = code.table(faces.iter().copied());
    let has_face = face.clone().less(int(faces.len() as i32));
    let site = dice.first + die;
    let stacking = code.game.stacking();
    code.when(has_face, |code| {
        code.push(Stmt::Store(CELLS, int((at.dice + die) as i32), shown.at(face.clone())));
        if stacking {
            let level = CELLS.at(int((at.top + site) as i32));
            code.push(Stmt::Store(CELLS, add(level, int(2)), face));
        } else if at.extra != 0 {
            code.push(Stmt::Store(CELLS, int((at.extra + 3 * site) as i32), face));
        }
    });
    true
}

/// Code that is 1 if a number is a site of the game.
fn is_site_of_game(code: &Emitter<'_>, site: Expr) -> Expr {
    is_below(site, code.game.layout.at.sites as i32)
}
