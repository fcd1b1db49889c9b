//! Code for the contents of stacks.
//!
//! A level is five numbers of the state: its component, the offset of the level below, its local
//! state, rotation and value.

use kernel::ir::{Expr, Local, Stmt, Type};

use super::arrays::{CELLS, Slot, add, both, choose, int, is_below, slot};
use super::emitter::Emitter;
use super::{by_site, ints, piece_sets, regions, teams};
use crate::ir::{Iter, Layer, Owners, Pieces, Reach, Region, Role};

/// The value of a layer at a level of a stack, counted from the bottom. Without a level it is that
/// of the top, but for the component, which is that at the bottom.
pub(super) fn layer(
    code: &mut Emitter<'_>,
    layer: Layer,
    site: Expr,
    level: Option<Expr>,
    reach: Reach,
) -> Expr {
    let level = level.map(|level| code.keep_int(level));
    by_site::if_visible(code, site, reach, move |code, site| {
        let site = code.keep_int(site);
        let at = code.game.layout.at;
        let height = code.by_site(at.height, site.clone(), 1, 0);
        let height = code.keep_int(height);
        let top = code.by_site(at.top, site, 1, 0);
        // Without a level, the component is read at the bottom and other layers at the top.
        let usual = if layer == Layer::What { height.clone() - int(1) } else { int(0) };
        let above = match level.clone() {
            None => usual,
            Some(level) => {
                choose(level.clone().at_least(int(0)), height.clone() - int(1) - level, usual)
            }
        };
        let above = code.keep_int(above);
        let has_level = both(above.clone().at_least(int(0)), height.greater(int(0)));
        let offset = code.keep(Type::Int, top);
        code.for_range(int(0), above, |code, _| go_down(code, offset));
        let number = match layer {
            Layer::What | Layer::Who => 0,
            Layer::State => 2,
            Layer::Rotation => 3,
            Layer::Value => 4,
        };
        let value = CELLS.at(add(offset.get(), int(number)));
        let value = if layer == Layer::Who { by_site::owner_of(code, value) } else { value };
        choose(has_level, value, int(0))
    })
}

/// Moves an offset to the level below.
fn go_down(code: &mut Emitter<'_>, offset: Local) {
    code.set(offset, CELLS.at(add(offset.get(), int(1))));
}

/// The sites of stacks with such a piece at any level; only stacks of its owner, if `top`.
pub(super) fn sites_with(code: &mut Emitter<'_>, pieces: &Pieces, top: bool) -> Expr {
    let tops = piece_sets::of_pieces(code, pieces);
    if top && pieces.components.is_none() {
        return tops;
    }
    let all = code.keep(Type::Set, tops);
    let mut others = piece_sets::occupied(code).without(all.get());
    if top {
        let owners = Pieces { owners: pieces.owners.clone(), components: None };
        let own = piece_sets::of_pieces(code, &owners);
        let own = code.keep_set(own);
        code.set(all, all.get() & own.clone());
        others = others & own;
    }
    below_the_top(code, pieces, others, |code, site| {
        code.set(all, all.get() | Expr::single(site));
        code.push(Stmt::Break(1));
    });
    all.get()
}

/// Code that is 1 if no stack has such a piece.
pub(super) fn has_none(code: &mut Emitter<'_>, pieces: &Pieces, within: Option<&Region>) -> Expr {
    let [tops, occupied] = tops(code, pieces, within);
    let none = code.keep(Type::Int, tops.is_empty());
    code.when(none.get(), |code| {
        below_the_top(code, pieces, occupied, |code, _| {
            code.set(none, int(0));
            code.push(Stmt::Break(2));
        });
    });
    none.get()
}

/// The number of such pieces in stacks.
pub(super) fn count(code: &mut Emitter<'_>, pieces: &Pieces, within: Option<&Region>) -> Expr {
    let [tops, occupied] = tops(code, pieces, within);
    let number = code.keep(Type::Int, tops.len());
    below_the_top(code, pieces, occupied, |code, _| {
        code.set(number, add(number.get(), int(1)));
    });
    number.get()
}

/// The sites with such a piece on top, and all occupied sites, within a region.
fn tops(code: &mut Emitter<'_>, pieces: &Pieces, within: Option<&Region>) -> [Expr; 2] {
    let sites = [piece_sets::of_pieces(code, pieces), piece_sets::occupied(code)];
    let Some(within) = within else { return sites };
    let within = regions::kept(code, within);
    sites.map(|sites| sites & within.clone())
}

/// Writes code for each such piece below the top of a stack, in two loops: over the sites, and over
/// the levels of each.
fn below_the_top(
    code: &mut Emitter<'_>,
    pieces: &Pieces,
    sites: Expr,
    write: impl Fn(&mut Emitter<'_>, Expr),
) {
    let owners = owner_bits(code, &pieces.owners);
    let owners = code.keep_int(owners);
    let bits = code.game.layout.owner.iter().enumerate().map(|(component, &owner)| {
        let allowed = pieces.components.as_ref().is_none_or(|allowed| allowed[component]);
        if component > 0 && allowed { 1 << owner } else { 0 }
    });
    let bits: Vec<i32> = bits.collect();
    let bits = code.table(bits);
    let at = code.game.layout.at;
    let write = &write;
    code.for_each(sites, |code, site| {
        code.assume_site(&site.get());
        let height = code.by_site(at.height, site.get(), 1, 0);
        let top = code.by_site(at.top, site.get(), 1, 0);
        let offset = code.keep(Type::Int, top);
        code.for_range(int(1), height, |code, _| {
            go_down(code, offset);
            let fits = bits.at(CELLS.at(offset.get())).and_bits(owners.clone());
            code.when(fits, |code| write(code, site.get()));
        });
    });
}

/// The owners that are meant, as bits.
fn owner_bits(code: &mut Emitter<'_>, owners: &Owners) -> Expr {
    let players = code.game.world.players as i32;
    let all = (1 << (players + 1)) - 2;
    let bit = |player: Expr| int(1).shifted_left(player);
    let but = |all: i32, player: Expr| int(all).and_bits(int(-1) - bit(player));
    match owners {
        Owners::Number(number) => {
            let number = ints::kept(code, number);
            choose(is_below(number.clone(), 32), bit(number), int(0))
        }
        Owners::Role(role) if code.game.knows_team(*role) => {
            teams::team_bits(code, *role).unwrap_or(int(0))
        }
        Owners::Role(role) => match role {
            Role::Neutral => int(1),
            Role::Player(player) => int(1 << player),
            Role::Shared | Role::Each => int(1 << (players + 1)),
            Role::Mover | Role::Friend => bit(slot(Slot::Mover)),
            Role::Next => bit(slot(Slot::Next)),
            Role::Prev => bit(slot(Slot::Prev)),
            Role::Iterated => {
                let player = code.variable(Iter::Player);
                choose(is_below(player.clone(), 32), bit(player), int(0))
            }
            Role::NonMover => but(all | 1, slot(Slot::Mover)),
            Role::Enemy => but(all, slot(Slot::Mover)),
            _ => int(all | 1 | 1 << (players + 1)),
        },
    }
}
