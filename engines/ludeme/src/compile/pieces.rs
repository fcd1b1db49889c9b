//! Code for `forEach Piece`.

use kernel::ir::{Expr, Type};

use super::arrays::{CELLS, Slot, add, both, int, set_slot, slot, state_set};
use super::emitter::{Consumer, Emitter};
use super::module::Trait;
use super::{distances, generators, ints, origins, piece_sets, regions, steps};
use crate::ir::{Binder, Int, Iter, Moves, PieceMoves};
use crate::lower::Feature;

/// True if there is code for a `forEach Piece`.
pub(super) fn has_code(code: &Emitter<'_>, who: Option<&Int>, list: &[PieceMoves]) -> bool {
    let orderless = match code.consumer {
        Consumer::Gather(_) => !code.module.is_in_order(),
        Consumer::Exists { .. } | Consumer::Reaches { .. } | Consumer::Destinations { .. } => true,
        Consumer::Give | Consumer::Effect(_) => false,
    };
    let has_turn = match who {
        None | Some(Int::Mover) => true,
        // Code that stops gathering would leave the turn changed, and the evaluator would look for
        // the parts of this phase in that of the other player.
        Some(Int::Const(_) | Int::Next) => {
            let breaks_off = list.iter().any(|entry| entry.moves.any(&Moves::is_max));
            let one_turn = !code.game.simultaneous && code.game.phases.len() == 1;
            code.is_gathered() && code.scope.turn_of.is_none() && one_turn && !breaks_off
        }
        Some(_) => false,
    };
    (!by_placing(code) || orderless) && has_turn
}

/// True if the evaluator goes through pieces in the order of placing.
fn by_placing(code: &Emitter<'_>) -> bool {
    code.game.has(Feature::Chance) && code.game.layout.is_ordered() && !code.game.stacking()
}

/// Writes code for the moves of all pieces, or of those of a player, in that player's turn.
pub(super) fn emit(code: &mut Emitter<'_>, who: Option<&Int>, list: &[PieceMoves]) {
    match who {
        None => of_owner(code, None, list),
        Some(Int::Mover) => of_owner(code, Some(slot(Slot::Mover)), list),
        Some(who) => {
            code.scope.turn_of = Some(who.clone());
            in_turn_of(code, who, |code, who| of_owner(code, Some(who), list));
            code.scope.turn_of = None;
        }
    }
}

/// Writes code that runs in the turn of a player, who may be the mover.
pub(super) fn in_turn_of(
    code: &mut Emitter<'_>,
    who: &Int,
    write: impl FnOnce(&mut Emitter<'_>, Expr),
) {
    let who = ints::kept(code, who);
    let turns = [Slot::Mover, Slot::Prev, Slot::Next];
    let before = turns.map(|turn| code.keep(Type::Int, slot(turn)).get());
    let mover = before[0].clone();
    let players = code.game.world.players as i32;
    let is_player = both(who.clone().at_least(int(1)), who.clone().at_most(int(players)));
    let is_other = both(who.clone().differs(mover.clone()), is_player);
    let meanwhile = [who.clone(), mover.clone(), mover];
    let changes = turns.into_iter().zip(meanwhile).map(|(turn, to)| set_slot(turn, to));
    code.push_if(is_other, changes.collect());
    code.in_other_state(|code| write(code, who));
    turns.into_iter().zip(before).for_each(|(turn, to)| code.set_slot(turn, to));
}

/// Writes code for the moves of the pieces of an owner, or of all.
fn of_owner(code: &mut Emitter<'_>, who: Option<Expr>, list: &[PieceMoves]) {
    let reorders = code.is_gathered() && by_placing(code);
    code.module.traits.add_if(reorders, Trait::Reorders);
    let saved = code.save([Iter::From, Iter::Level]);
    for of_owner in list.chunk_by(|a, b| who.is_none() || a.owner == b.owner) {
        let owner = i32::from(of_owner[0].owner);
        code.when(who.clone().map_or(int(1), |who| who.equals(int(owner))), |code| {
            for entry in of_owner {
                of_component(code, entry);
            }
        });
    }
    code.restore(&saved);
}

/// Writes code for the moves of the pieces of a component.
fn of_component(code: &mut Emitter<'_>, entry: &PieceMoves) {
    if entry.moves == Moves::None {
        return;
    }
    if code.game.stacking() {
        return in_stacks(code, entry);
    }
    let set = code.game.layout.piece_set[usize::from(entry.component)];
    let within = code.game.set(entry.within);
    let mut sites = state_set(int(i32::from(set)));
    if !code.game.everywhere().is_subset(within) {
        sites = sites & regions::fixed(code, within);
    }
    let sites = code.keep_set(sites);
    let moves = distances::emit(code, &entry.moves, entry.component, &sites);
    if *moves == Moves::None {
        return;
    }
    let sites = match origins::of_generator(code, &moves, entry.component) {
        Some(origins) => sites & origins,
        None => sites,
    };
    code.for_each(sites, |code, site| {
        code.assume_site(&site.get());
        code.bind(Iter::From, site.get());
        code.bind(Iter::Level, int(0));
        code.bindings.piece = Some(entry.component);
        generators::inside(code, Binder::Piece, &moves);
    });
}

/// True if all pieces of a component in one stack have the same moves, so that only those of one
/// piece are generated.
fn levels_are_alike(code: &mut Emitter<'_>, moves: &Moves) -> bool {
    let game = code.game;
    let names_level = |moves: &Moves| matches!(moves, Moves::Leaf(leaf) if leaf.has_level());
    let alike = code.is_gathered()
        && !code.module.is_in_order()
        && game.overlaps
        && !(game.tests_moves || game.has(Feature::ReadsLevel) || game.has(Feature::LeavesLevel))
        && !moves.any(&names_level);
    code.module.traits.add_if(alike, Trait::Reorders);
    alike
}

/// Writes code that runs once if there is a piece of a component in a stack.
fn when_in_stack(
    code: &mut Emitter<'_>,
    component: u16,
    site: Expr,
    height: Expr,
    write: impl FnOnce(&mut Emitter<'_>),
) {
    let top = code.by_site(code.game.layout.at.top, site, 1, 0);
    let found = code.keep(Type::Int, top);
    let there = code.keep(Type::Int, int(0));
    code.for_range(int(0), height, |code, _| {
        code.set(there, CELLS.at(found.get()).equals(int(i32::from(component))));
        steps::break_unless(code, !there.get());
        code.set(found, CELLS.at(add(found.get(), int(1))));
    });
    code.when(there.get(), write);
}

/// As [`of_component`], for stacks, from the bottom up.
fn in_stacks(code: &mut Emitter<'_>, entry: &PieceMoves) {
    let at = code.game.layout.at;
    let within = code.game.set(entry.within);
    let within = regions::fixed(code, within);
    let sites = if entry.top {
        state_set(int(i32::from(code.game.layout.piece_set[usize::from(entry.component)])))
    } else {
        piece_sets::occupied(code)
    };
    code.for_each(sites & within, |code, site| {
        code.assume_site(&site.get());
        let height = code.by_site(at.height, site.get(), 1, 0);
        let height = code.keep_int(height);
        let ask = |code: &mut Emitter<'_>, level: Expr| {
            code.bind(Iter::From, site.get());
            code.bind(Iter::Level, level);
            code.bindings.piece = entry.top.then_some(entry.component);
            let binder = if entry.top { Binder::Top } else { Binder::Level };
            generators::inside(code, binder, &entry.moves);
        };
        if entry.top {
            return ask(code, height - int(1));
        }
        if levels_are_alike(code, &entry.moves) {
            return when_in_stack(code, entry.component, site.get(), height, |code| {
                code.bind(Iter::From, site.get());
                code.bind(Iter::Level, int(0));
                generators::inside(code, Binder::Piece, &entry.moves);
            });
        }
        code.for_range(int(0), height.clone(), |code, level| {
            // Levels are linked from the top down.
            let top = code.by_site(at.top, site.get(), 1, 0);
            let found = code.keep(Type::Int, top);
            code.for_range(int(0), (height.clone() - level.get()) - int(1), |code, _| {
                let below = CELLS.at(add(found.get(), int(1)));
                code.set(found, below);
            });
            let is_component = CELLS.at(found.get()).equals(int(i32::from(entry.component)));
            code.when(is_component, |code| ask(code, level.get()));
        });
    });
}
