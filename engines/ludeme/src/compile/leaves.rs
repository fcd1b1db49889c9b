//! Generators that make moves themselves as code.

use kernel::ir::{Combine, Expr, Local, SetTable, Stmt, Type};

use super::arrays::{Slot, add, both, choose, int, is_below, set_slot, slot};
use super::context::Sites;
use super::emitter::{Consumer, Emitter};
use super::origins::{hops_over, middle};
use super::{
    bools, by_site, effects, fills, generators, ints, origins, output, regions, slides, steps,
};
use crate::ir::{
    Bool, ByPiece, Int, Iter, JumpId, Leaf, LeafKind, Moves, Piece, Place, RayId, SourceKind,
};

/// What is jumped over by steps that ask for it.
struct Over<'r> {
    /// The site, by both ends of a step.
    middle: &'r Int,
    /// All such sites by origin.
    sites: SetTable,
    /// Where what stands there may be jumped over.
    hurdle: Expr,
}

/// What steps of a table jump over, if their condition asks for it and both ends fix it.
fn jumped_over<'r>(
    code: &mut Emitter<'_>,
    tables: &[(Expr, JumpId)],
    condition: &'r Bool,
) -> Option<Over<'r>> {
    let [(_, id)] = tables else { return None };
    let middle = middle(condition)?;
    let steps: Vec<_> = code.game.jump(*id).all().collect();
    let mut sites = vec![Sites::EMPTY; code.game.jump(*id).sites()];
    for (from, over, _) in hops_over(code.game, middle, &steps)? {
        sites[from].insert(usize::from(over));
    }
    let hurdle = origins::sites_at_most(code, condition, middle)?;
    let hurdle = fills::set_once(code, hurdle);
    let sites = code.module.tables.sets(sites);
    Some(Over { middle, sites, hurdle })
}

/// Binds a destination, one of those at which a condition may hold, and says whether it does,
/// what is jumped over included.
fn holds_over(code: &mut Emitter<'_>, over: &Over<'_>, condition: &Bool, to: Local) -> Expr {
    code.bind(Iter::To, to.get());
    let middle = ints::emit(code, over.middle);
    let hurdle = over.hurdle.clone().contains(middle);
    let rest = holds_beside(code, condition, &[&Int::Iter(Iter::To), over.middle]);
    both(hurdle, rest)
}

/// Whether those parts of a condition hold that ask for more than what is known of one of some
/// sites.
fn holds_beside(code: &mut Emitter<'_>, condition: &Bool, known: &[&Int]) -> Expr {
    match condition {
        Bool::And(list) => {
            let parts = list.iter().map(|part| holds_beside(code, part, known));
            parts.collect::<Vec<_>>().into_iter().fold(int(1), both)
        }
        part if known.iter().any(|site| bools::sites_where(code, part, site).is_some()) => int(1),
        part => bools::emit(code, part),
    }
}

/// Gives the moves of a generator that makes them itself.
pub(super) fn emit(code: &mut Emitter<'_>, leaf: &Leaf) {
    if generators::is_effect(code) && !effects::is_code(code.game, leaf) {
        return generators::ask(code, &Moves::Leaf(Box::new(leaf.clone())));
    }
    let source = output::source(code, SourceKind::Leaf(Box::new(leaf.clone())));
    match &leaf.kind {
        LeafKind::Add { pieces, to, condition, count, .. } => {
            let count = ints::emit(code, count);
            let some = match count {
                Expr::Int(count) => int(i32::from(count >= 1)),
                count => count.at_least(int(1)),
            };
            code.when(some, |code| {
                placements(code, source, pieces, to, condition.as_ref());
            });
        }
        LeafKind::Jump { jumps, from, from_condition, condition, .. } => {
            jump(code, source, leaf, jumps, (from, from_condition.as_ref()), condition.as_ref());
        }
        LeafKind::Slide(slide) => slides::slide(code, source, slide),
        LeafKind::FromTo { from, from_condition, to, condition, count, .. } => from_to(
            code,
            source,
            (from, from_condition.as_ref()),
            (to, condition.as_ref()),
            count.as_ref(),
        ),
        LeafKind::Shoot { piece, from, rays, condition } => {
            shoot(code, source, piece, (from, *rays), condition.as_ref());
        }
        LeafKind::Select { from, from_condition, to, condition, .. } => {
            let origin = (&**from, from_condition.as_ref());
            selections(code, source, origin, (to.as_deref(), condition.as_ref()));
        }
        LeafKind::Remove { place, .. } => {
            let sites = bools::sites_of_place(code, place);
            for_each_or_one(code, sites, |code, site| {
                let there = steps::is_occupied(code, site.get());
                code.when(there, |code| {
                    output::emit_move(code, source, site.get(), site.get(), int(0));
                });
            });
        }
        LeafKind::Promote { site, pieces } => promotions(code, source, site, pieces),
        LeafKind::Pass | LeafKind::SetScore { .. } => {
            output::emit_move(code, source, int(-1), int(-1), int(0));
        }
        LeafKind::SetPending(Some(place)) => {
            let any = match &**place {
                Place::Site(_) => int(1),
                Place::Region(region) => {
                    let sites = regions::emit(code, region);
                    !sites.is_empty()
                }
            };
            code.when(any, |code| output::emit_move(code, source, int(0), int(0), int(0)));
        }
        LeafKind::SetLayer { at, value, .. } => set_layer(code, source, at, value),
        LeafKind::Turn { at, steps, .. } if !steps.contains(&0) => {
            let at = ints::emit(code, at);
            let at = code.keep_int(at);
            code.when(at.clone().at_least(int(0)), |code| {
                for &step in steps {
                    output::emit_move(code, source, at.clone(), at.clone(), int(step));
                }
            });
        }
        LeafKind::Note(_)
        | LeafKind::Hide(_)
        | LeafKind::MoveAgain
        | LeafKind::SetVar { .. }
        | LeafKind::SetCounter(_)
        | LeafKind::SetPlayerValue { .. }
        | LeafKind::SetPending(None)
        | LeafKind::SetCount { .. }
        | LeafKind::Trigger(_)
        | LeafKind::Forget { .. } => output::emit_move(code, source, int(0), int(0), int(0)),
        LeafKind::Remember { list, values, unique } => {
            let known = remembers(code, *list, values);
            let unique = code.part(|code| bools::emit(code, unique));
            let skips = both(known, unique);
            code.when(!skips, |code| output::emit_move(code, source, int(0), int(0), int(0)));
        }
        LeafKind::SetNextPlayer(players) => {
            let last = code.game.world.players as i32;
            by_site::for_list(code, players, |code, player| {
                let real = both(player.clone().greater(int(0)), player.clone().at_most(int(last)));
                code.when(real, |code| output::emit_move(code, source, int(-1), int(-1), player));
            });
        }
        LeafKind::SwapPieces { .. } | LeafKind::Turn { .. } => {
            if source >= 0 {
                code.parts.sources.pop();
            }
            generators::ask(code, &Moves::Leaf(Box::new(leaf.clone())));
        }
    }
}

/// Gives the moves of a piece to the targets of a table.
fn jump(
    code: &mut Emitter<'_>,
    source: i32,
    leaf: &Leaf,
    jumps: &ByPiece<JumpId>,
    (from, from_condition): (&Int, Option<&Bool>),
    rule: Option<&Bool>,
) {
    steps::from_origin(code, from, from_condition, |code, from| {
        let condition = bools::per_site(code, rule, Iter::To);
        // Only these are asked for what else has to hold.
        let among = condition.sites.clone().or_else(|| {
            let sites = origins::sites_at_most(code, rule?, &Int::Iter(Iter::To))?;
            Some(fills::set_once(code, sites))
        });
        let saved = code.save([Iter::To]);
        let tables = steps::by_piece(code, jumps, &from);
        let near = |code: &mut Emitter<'_>| match tables[..] {
            [(_, id)] => {
                let near = code.module.tables.near(code.game, id);
                let near = near.at(from.clone());
                near.contains(steps::wanted(code))
            }
            _ => int(1),
        };
        let over = rule.and_then(|rule| jumped_over(code, &tables, rule));
        let origins =
            code.bindings.piece.and_then(|piece| origins::origins_of_leaf(code, leaf, piece));
        let may = match (origins, &over) {
            (Some(origins), _) => origins.contains(from.clone()),
            (None, Some(over)) => !(over.sites.at(from.clone()) & over.hurdle.clone()).is_empty(),
            (None, None) => int(1),
        };
        code.when(may, |code| {
            steps::towards(code, near, |code| {
                if let ([(_, id)], Some(sites)) = (&tables[..], &among) {
                    let near = code.module.tables.near(code.game, *id);
                    let targets = near.at(from.clone()) & sites.clone();
                    if condition.sites.is_some() && output::gathers_many(code, source) {
                        let from = Some(from.clone());
                        return output::emit_targets(code, source, from, targets, int(0));
                    }
                    return code.for_each(targets, |code, to| {
                        code.is_site(&to.get());
                        let holds = match (&over, rule) {
                            (Some(over), Some(rule)) => holds_over(code, over, rule, to),
                            _ => bools::holds_among(code, &condition, to.get()),
                        };
                        code.when(holds, |code| {
                            output::emit_move(code, source, from.clone(), to.get(), int(0));
                        });
                    });
                }
                steps::of_jumps(code, jumps, &from, |code, to| {
                    let holds = bools::holds(code, &condition, to.clone());
                    code.when(holds, |code| {
                        output::emit_move(code, source, from.clone(), to, int(0));
                    });
                });
            });
        });
        code.restore(&saved);
    });
}

/// Gives the moves from some sites to others.
fn from_to(
    code: &mut Emitter<'_>,
    source: i32,
    (from, from_condition): (&Place, Option<&Bool>),
    (to, condition): (&Place, Option<&Bool>),
    count: Option<&Int>,
) {
    let origins = bools::sites_of_place(code, from);
    let saved = code.save([Iter::From, Iter::To]);
    code.for_each(origins, |code, origin| {
        let there = steps::is_occupied(code, origin.get());
        code.when(there, |code| {
            code.bind(Iter::From, origin.get());
            let holds = from_condition.map_or(int(1), |c| bools::emit(code, c));
            code.when(holds, |code| {
                // The number goes by the destination bound around.
                let count = match count {
                    Some(count) => {
                        let count = ints::emit(code, count);
                        let most = count.min(int(32767));
                        code.keep_int(most.max(int(0)))
                    }
                    None => int(0),
                };
                let condition = bools::per_site(code, condition, Iter::To);
                let targets = bools::sites_of_place(code, to);
                if condition.is_known() && output::gathers_many(code, source) {
                    let from = Some(origin.get());
                    output::emit_targets(code, source, from, condition.among(targets), count);
                    return code.restore(&saved[1..]);
                }
                code.for_each(targets, |code, target| {
                    let holds = bools::holds(code, &condition, target.get());
                    let count = count.clone();
                    code.when(holds, |code| {
                        output::emit_move(code, source, origin.get(), target.get(), count);
                    });
                });
                // Destinations are looked for anew with only the origin bound.
                code.restore(&saved[1..]);
            });
        });
    });
    code.restore(&saved);
}

/// Gives the moves that add a piece on straight paths from a site.
fn shoot(
    code: &mut Emitter<'_>,
    source: i32,
    piece: &Piece,
    (from, rays): (&Int, RayId),
    condition: Option<&Bool>,
) {
    let from = ints::emit(code, from);
    let from = code.keep_int(from);
    let component = component(code, piece);
    let component = code.keep_int(component);
    let saved = code.save([Iter::To, Iter::Between]);
    let some = component.clone().greater(int(0));
    let real = from.clone().at_least(int(0));
    code.when(both(real, some), |code| {
        steps::of_rays(code, &ByPiece::Same(rays), &from, |code, paths, [_, _, start, end]| {
            code.restore(&saved[1..]);
            code.save([Iter::Between]);
            code.for_range(start, end, |code, at| {
                let to = steps::site_on(code, paths, at);
                code.bind(Iter::To, to.clone());
                let free = match condition {
                    Some(condition) => bools::emit(code, condition),
                    None => !steps::is_occupied(code, to.clone()),
                };
                steps::break_unless(code, free);
                output::emit_move(code, source, to.clone(), to.clone(), component.clone());
                code.bind(Iter::Between, to);
            });
        });
    });
    code.restore(&saved);
}

/// Gives the moves that put other pieces in the place of one.
fn promotions(code: &mut Emitter<'_>, source: i32, site: &Int, pieces: &[Piece]) {
    let site = ints::emit(code, site);
    let site = code.keep_int(site);
    code.when(site.clone().at_least(int(0)), |code| {
        for piece in pieces {
            let component = component(code, piece);
            let component = code.keep_int(component);
            let some = match component {
                Expr::Int(c) => int(i32::from(c > 0)),
                ref c => c.clone().greater(int(0)),
            };
            let site = site.clone();
            code.when(some, |code| output::emit_move(code, source, site.clone(), site, component));
        }
    });
}

/// Gives the move that sets a layer of a site.
fn set_layer(code: &mut Emitter<'_>, source: i32, at: &Int, value: &Int) {
    let at = ints::emit(code, at);
    let at = code.keep_int(at);
    let real = at.clone().at_least(int(0));
    // What chance decides is asked for once, when the action is made.
    let some = if code.game.chance {
        int(1)
    } else {
        let value = by_site::in_part(code, value);
        value.at_least(int(0))
    };
    code.when(both(real, some), |code| output::emit_move(code, source, at.clone(), at, int(0)));
}

/// Whether all of some values are remembered; what is no site counts as remembered.
fn remembers(code: &mut Emitter<'_>, list: usize, values: &Place) -> Expr {
    let remembered = regions::remembered(code, list);
    match values {
        Place::Site(value) => {
            let value = ints::emit(code, value);
            let value = code.keep_int(value);
            let known = remembered.contains(value.clone());
            choose(could_be_site(code, value), known, int(1))
        }
        Place::Region(region) => {
            let values = regions::emit(code, region);
            values.without(remembered).is_empty()
        }
    }
}

/// Whether a set has room for a number.
pub(super) fn could_be_site(code: &mut Emitter<'_>, value: Expr) -> Expr {
    is_below(value, code.game.room() as i32)
}

/// The component of a piece, or a number below 1 for none.
pub(super) fn component(code: &mut Emitter<'_>, piece: &Piece) -> Expr {
    match piece {
        Piece::Fixed(component) => int(i32::from(*component)),
        Piece::Computed(number) => {
            let number = ints::emit(code, number);
            let number = code.keep_int(number);
            let known = is_below(number.clone(), code.game.layout.owner.len() as i32);
            choose(known, number, int(0))
        }
    }
}

/// What is done on each of some sites, without a loop where they are one or none. It must not
/// leave the loop.
fn for_each_or_one(code: &mut Emitter<'_>, sites: Expr, write: impl Fn(&mut Emitter<'_>, Local)) {
    let Some((site, within)) = only_site(&sites) else { return code.for_each(sites, write) };
    let site = code.keep(Type::Int, site);
    let real = could_be_site(code, site.get());
    let there = |there, set: Expr| both(there, set.contains(site.get()));
    let there = within.into_iter().fold(real, there);
    code.when(there, |code| write(code, site));
}

pub(super) fn placements(
    code: &mut Emitter<'_>,
    source: i32,
    pieces: &[Piece],
    to: &Place,
    condition: Option<&Bool>,
) {
    let saved = code.save([Iter::To]);
    // On a single site only the first of several pieces can be placed.
    let pieces = match to {
        Place::Site(_) => &pieces[..pieces.len().min(1)],
        Place::Region(_) => pieces,
    };
    for piece in pieces {
        let component = component(code, piece);
        let component = code.keep_int(component);
        let some = match component {
            Expr::Int(c) => int(i32::from(c > 0)),
            ref c => c.clone().greater(int(0)),
        };
        code.when(some, |code| {
            let mut sites = bools::sites_of_place(code, to);
            let real = code.game.everywhere();
            let real = regions::fixed(code, Sites::below(real.last().map_or(0, |last| last + 1)));
            sites = sites & real;
            let condition = bools::per_site(code, condition, Iter::To);
            sites = condition.among(sites);
            if output::gathers_many(code, source) && condition.is_known() {
                return output::emit_targets(code, source, None, sites, component);
            }
            let give = |code: &mut Emitter<'_>, site: Local| {
                let holds = bools::holds_among(code, &condition, site.get());
                let component = component.clone();
                code.when(holds, |code| {
                    output::emit_move(code, source, site.get(), site.get(), component);
                });
            };
            if matches!(code.consumer, Consumer::Effect(_)) {
                return for_each_or_one(code, sites, give);
            }
            let sites = code.keep(Type::Set, sites).get();
            let each = code.block(|code| code.for_each(sites.clone(), give));
            if condition.is_known() && matches!(code.consumer, Consumer::Give) {
                // All of them may be passed over.
                let number = code.keep_int(sites.len());
                let over = slot(Slot::Skip).at_least(number.clone());
                let pass = vec![
                    set_slot(Slot::Skip, slot(Slot::Skip) - number.clone()),
                    set_slot(Slot::Given, add(slot(Slot::Given), number.clone())),
                    set_slot(Slot::LastSource, choose(number, int(source), slot(Slot::LastSource))),
                ];
                code.push(Stmt::If(over, pass, each));
            } else {
                each.into_iter().for_each(|stmt| code.push(stmt));
            }
        });
        code.restore(&saved);
    }
}

pub(super) fn selections(
    code: &mut Emitter<'_>,
    source: i32,
    (from, from_condition): (&Place, Option<&Bool>),
    (to, condition): (Option<&Place>, Option<&Bool>),
) {
    let saved = code.save([Iter::From, Iter::To]);
    let origins = bools::sites_of_place(code, from);
    let real = regions::fixed(code, Sites::below(code.game.world.sites()));
    let from_condition = bools::per_site(code, from_condition, Iter::From);
    let origins = from_condition.among(origins & real);
    if to.is_none() && from_condition.is_known() && output::gathers_many(code, source) {
        output::emit_targets(code, source, None, origins, int(0));
        return code.restore(&saved);
    }
    code.for_each(origins, |code, origin| {
        code.bind(Iter::To, origin.get());
        let holds = bools::holds_among(code, &from_condition, origin.get());
        code.when(holds, |code| match to {
            None => output::emit_move(code, source, origin.get(), origin.get(), int(0)),
            Some(to) => {
                let targets = bools::sites_of_place(code, to);
                let condition = bools::per_site(code, condition, Iter::To);
                let targets = condition.among(targets);
                if condition.is_known() && output::gathers_many(code, source) {
                    return output::emit_targets(code, source, Some(origin.get()), targets, int(0));
                }
                code.for_each(targets, |code, target| {
                    let holds = bools::holds_among(code, &condition, target.get());
                    code.when(holds, |code| {
                        output::emit_move(code, source, origin.get(), target.get(), int(0));
                    });
                });
            }
        });
    });
    code.restore(&saved);
}

/// The only site that a set can have, and the sets that it must be in.
fn only_site(sites: &Expr) -> Option<(Expr, Vec<Expr>)> {
    match sites {
        Expr::Single(site) => Some(((**site).clone(), Vec::new())),
        Expr::Combine(Combine::And, a, b) => {
            let (one, other) = match only_site(a) {
                Some(one) => (one, b),
                None => (only_site(b)?, a),
            };
            let (site, mut within) = one;
            within.push((**other).clone());
            Some((site, within))
        }
        _ => None,
    }
}
