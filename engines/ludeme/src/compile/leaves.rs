//! Code for simple generators, which have no other generators within them.

use kernel::ir::{Combine, Expr, Local, SetTable, Stmt, Type};

use super::arrays::{Slot, add, both, choose, either, int, is_below, set_slot, slot};
use super::context::Sites;
use super::emitter::{Consumer, Emitter};
use super::origins::{hops_over, middle};
use super::{bools, by_site, effects, generators, ints, origins, output, regions, slides, steps};
use crate::ir::{
    Bool, ByPiece, Int, Ints, Iter, JumpId, Leaf, LeafKind, Moves, Piece, Place, RayId, SourceKind,
};
use crate::lower::Feature;

/// The sites that steps jump over.
struct Over<'r> {
    /// The site between, as a number that depends on both ends of a step.
    middle: &'r Int,
    /// All sites between, by origin.
    sites: SetTable,
    /// The sites of pieces that may be jumped over.
    hurdle: Expr,
}

/// The sites that the steps of a table jump over, if their condition reads a site between and both
/// ends determine it.
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
    let hurdle = code.hoist(hurdle);
    let sites = code.set_table(sites);
    Some(Over { middle, sites, hurdle })
}

/// Code that binds a destination for which a condition may hold, and is 1 if it does, including its
/// part about the site between.
fn holds_over(code: &mut Emitter<'_>, over: &Over<'_>, condition: &Bool, to: Local) -> Expr {
    code.bind(Iter::To, to.get());
    let hurdle = over.hurdle.clone().contains(ints::emit(code, over.middle));
    both(hurdle, holds_beside(code, condition, &[&Int::Iter(Iter::To), over.middle]))
}

/// Code that is 1 if those parts of a condition hold that have no form as a set by one of the
/// `known` sites.
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

/// Writes code for the moves of a simple generator.
pub(super) fn emit(code: &mut Emitter<'_>, leaf: &Leaf) {
    if code.is_effect() && !effects::has_code(code.game, leaf) {
        return generators::ask(code, &Moves::Leaf(Box::new(leaf.clone())));
    }
    let source = output::source(code, SourceKind::Leaf(Box::new(leaf.clone())));
    match &leaf.kind {
        LeafKind::Add { pieces, to, condition, count, .. } => {
            let count = ints::emit(code, count);
            let adds_any = match count {
                Expr::Int(count) => int(i32::from(count >= 1)),
                count => count.at_least(int(1)),
            };
            code.when(adds_any, |code| {
                placements(code, source, pieces, to, condition.as_ref());
            });
        }
        LeafKind::Jump { jumps, from, from_condition, condition, .. } => {
            jump(code, source, leaf, jumps, (from, from_condition.as_ref()), condition.as_ref());
        }
        LeafKind::Slide(slide) => slides::emit(code, source, slide),
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
        LeafKind::SetCount { at, .. } => {
            // What chance decides is asked for once, when the action is made.
            let is_drawn = code.game.has(Feature::Chance);
            let real = if is_drawn { int(1) } else { ints::emit(code, at).at_least(int(0)) };
            code.when(real, |code| output::emit_move(code, source, int(0), int(0), int(0)));
        }
        LeafKind::SetPending(Some(place)) => {
            let any = match &**place {
                Place::Site(_) => int(1),
                Place::Region(region) => !regions::emit(code, region).is_empty(),
            };
            code.when(any, |code| output::emit_move(code, source, int(0), int(0), int(0)));
        }
        LeafKind::SetLayer { at, value, .. } => set_layer(code, source, at, value),
        LeafKind::Turn { at, steps, .. } if !steps.contains(&0) => {
            let at = ints::kept(code, at);
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
        | LeafKind::Trigger(_)
        | LeafKind::Forget { .. } => output::emit_move(code, source, int(0), int(0), int(0)),
        LeafKind::Remember { list, values, unique } => {
            let adds = !is_kept_as_it_is(code, *list, values, unique);
            code.when(adds, |code| output::emit_move(code, source, int(0), int(0), int(0)));
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

/// The condition that a list stays as it is although values are to be remembered there: there are
/// none, or each may be there once and is.
fn is_kept_as_it_is(code: &mut Emitter<'_>, list: usize, values: &Place, unique: &Bool) -> Expr {
    if matches!(unique, Bool::Const(false)) {
        return is_no_value(code, values);
    }
    let is_remembered = remembers(code, list, values);
    let is_there = both(is_remembered, code.lazily(|code| bools::emit(code, unique)));
    either(is_no_value(code, values), is_there)
}

/// Writes code for the moves of a piece to the targets of a table.
fn jump(
    code: &mut Emitter<'_>,
    source: i32,
    leaf: &Leaf,
    jumps: &ByPiece<JumpId>,
    (from, from_condition): (&Int, Option<&Bool>),
    rule: Option<&Bool>,
) {
    steps::with_origin(code, from, from_condition, |code, from| {
        let condition = bools::per_site(code, rule, Iter::To);
        // Only these sites are tested for the rest of the condition.
        let among = condition.sites.clone().or_else(|| {
            let sites = origins::sites_at_most(code, rule?, &Int::Iter(Iter::To))?;
            Some(code.hoist(sites))
        });
        let saved = code.save([Iter::To]);
        let tables = steps::by_piece(code, jumps, &from);
        let near = |code: &mut Emitter<'_>| match tables[..] {
            [(_, id)] => {
                let near = code.near(id);
                near.at(from.clone()).contains(steps::wanted(code))
            }
            _ => int(1),
        };
        let over = rule.and_then(|rule| jumped_over(code, &tables, rule));
        let origins = code.bindings.piece.and_then(|piece| origins::of_leaf(code, leaf, piece));
        let may = match (origins, &over) {
            (Some(origins), _) => origins.contains(from.clone()),
            (None, Some(over)) => !(over.sites.at(from.clone()) & over.hurdle.clone()).is_empty(),
            (None, None) => int(1),
        };
        code.when(may, |code| {
            steps::towards(code, near, |code| {
                if let ([(_, id)], Some(sites)) = (&tables[..], &among) {
                    let near = code.near(*id);
                    let targets = near.at(from.clone()) & sites.clone();
                    if condition.sites.is_some() && output::gathers_many(code, source) {
                        let from = Some(from.clone());
                        return output::emit_targets(code, source, from, targets, int(0));
                    }
                    return code.for_each(targets, |code, to| {
                        code.assume_site(&to.get());
                        let holds = match (&over, rule) {
                            (Some(over), Some(rule)) => holds_over(code, over, rule, to),
                            _ => bools::holds_among(code, &condition, to.get()),
                        };
                        code.when(holds, |code| {
                            output::emit_move(code, source, from.clone(), to.get(), int(0));
                        });
                    });
                }
                steps::for_steps(code, jumps, &from, |code, to| {
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

/// Writes code for moves from the sites of a place to those of another.
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
                // The number is evaluated with the destination that was bound before.
                let count = match count {
                    Some(count) => {
                        let most = ints::emit(code, count).min(int(32767));
                        code.keep_int(most.max(int(0)))
                    }
                    None => int(0),
                };
                let condition = bools::per_site(code, condition, Iter::To);
                let targets = bools::sites_of_place(code, to);
                if condition.is_set() && output::gathers_many(code, source) {
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
                // The next round begins with only the origin bound.
                code.restore(&saved[1..]);
            });
        });
    });
    code.restore(&saved);
}

/// Writes code for moves that add a piece on straight paths from a site.
fn shoot(
    code: &mut Emitter<'_>,
    source: i32,
    piece: &Piece,
    (from, rays): (&Int, RayId),
    condition: Option<&Bool>,
) {
    let from = ints::kept(code, from);
    let component = component(code, piece);
    let component = code.keep_int(component);
    let saved = code.save([Iter::To, Iter::Between]);
    code.when(both(from.clone().at_least(int(0)), component.clone().greater(int(0))), |code| {
        steps::for_paths(code, &ByPiece::Same(rays), &from, |code, paths, [_, _, start, end]| {
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

/// Writes code for moves that put other components in the place of a piece.
fn promotions(code: &mut Emitter<'_>, source: i32, site: &Int, pieces: &[Piece]) {
    let site = ints::kept(code, site);
    code.when(site.clone().at_least(int(0)), |code| {
        for piece in pieces {
            let component = component(code, piece);
            let component = code.keep_int(component);
            let is_component = is_positive(&component);
            let site = site.clone();
            code.when(is_component, |code| {
                output::emit_move(code, source, site.clone(), site, component);
            });
        }
    });
}

/// Writes code for the move that sets a layer of a site.
fn set_layer(code: &mut Emitter<'_>, source: i32, at: &Int, value: &Int) {
    let at = ints::kept(code, at);
    let real = at.clone().at_least(int(0));
    // A drawn value is drawn once, when the action is made.
    let has_value = if code.game.has(Feature::Chance) {
        int(1)
    } else {
        ints::lazy(code, value).at_least(int(0))
    };
    code.when(both(real, has_value), |code| {
        output::emit_move(code, source, at.clone(), at, int(0));
    });
}

/// Code that is 1 if all values are remembered.
fn remembers(code: &mut Emitter<'_>, list: usize, values: &Place) -> Expr {
    match values {
        Place::Site(value) => {
            bools::are_in(code, std::slice::from_ref(value), &Ints::Remembered(list))
        }
        Place::Region(region) => {
            let remembered = regions::remembered(code, list);
            regions::emit(code, region).without(remembered).is_empty()
        }
    }
}

/// Code that is 1 if a place gives no value.
fn is_no_value(code: &mut Emitter<'_>, values: &Place) -> Expr {
    match values {
        Place::Region(region) if !code.game.has(Feature::Chance) => {
            regions::emit(code, region).is_empty()
        }
        Place::Site(_) | Place::Region(_) => int(0),
    }
}

/// Code that is 1 if a number could be a site of a set.
pub(super) fn could_be_site(code: &mut Emitter<'_>, value: Expr) -> Expr {
    is_below(value, code.game.room() as i32)
}

/// The component of a piece; a number below 1 if there is none.
pub(super) fn component(code: &mut Emitter<'_>, piece: &Piece) -> Expr {
    match piece {
        Piece::Fixed(component) => int(i32::from(*component)),
        Piece::Computed(number) => {
            let number = ints::kept(code, number);
            choose(is_below(number.clone(), code.game.layout.owner.len() as i32), number, int(0))
        }
    }
}

/// Code that is 1 if a number is positive.
fn is_positive(number: &Expr) -> Expr {
    match number {
        Expr::Int(number) => int(i32::from(*number > 0)),
        number => number.clone().greater(int(0)),
    }
}

/// Writes code for each site of a set, without a loop if the set has at most one site. The code
/// must not leave the loop.
fn for_each_or_one(code: &mut Emitter<'_>, sites: Expr, write: impl Fn(&mut Emitter<'_>, Local)) {
    let Some((site, within)) = only_site(&sites) else { return code.for_each(sites, write) };
    let site = code.keep(Type::Int, site);
    let real = could_be_site(code, site.get());
    let there = |there, set: Expr| both(there, set.contains(site.get()));
    code.when(within.into_iter().fold(real, there), |code| write(code, site));
}

/// Writes code for moves that add pieces.
fn placements(
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
        let is_component = is_positive(&component);
        code.when(is_component, |code| {
            let mut sites = bools::sites_of_place(code, to);
            let real = code.game.everywhere();
            let real = regions::fixed(code, Sites::below(real.last().map_or(0, |last| last + 1)));
            sites = sites & real;
            let condition = bools::per_site(code, condition, Iter::To);
            sites = condition.among(sites);
            if output::gathers_many(code, source) && condition.is_set() {
                return output::emit_targets(code, source, None, sites, component);
            }
            let give = |code: &mut Emitter<'_>, site: Local| {
                let holds = bools::holds_among(code, &condition, site.get());
                let component = component.clone();
                code.when(holds, |code| {
                    output::emit_move(code, source, site.get(), site.get(), component);
                });
            };
            if code.is_effect() {
                return for_each_or_one(code, sites, give);
            }
            let sites = code.keep_set(sites);
            let each = code.block(|code| code.for_each(sites.clone(), give));
            if condition.is_set() && matches!(code.consumer, Consumer::Give) {
                // The caller may skip all of them.
                let number = code.keep_int(sites.len());
                let over = slot(Slot::Skip).at_least(number.clone());
                let pass = vec![
                    set_slot(Slot::Skip, slot(Slot::Skip) - number.clone()),
                    set_slot(Slot::Given, add(slot(Slot::Given), number)),
                ];
                code.push(Stmt::If(over, pass, each));
            } else {
                code.extend(each);
            }
        });
        code.restore(&saved);
    }
}

/// Writes code for moves that select a site, or two.
fn selections(
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
    if to.is_none() && from_condition.is_set() && output::gathers_many(code, source) {
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
                if condition.is_set() && output::gathers_many(code, source) {
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

/// The only site that a set can have, and the sets that it has to be in; `None` if the set may have
/// several.
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
