//! Code for a ply of games in which every move goes to a site of one set, for positions that go on
//! side by side: the move to a site is made, the end rules are tested, the turn is passed on, and
//! the sites of the next moves are found, in one run of code.

use kernel::ir::{Block, Expr, FunctionId, HostId, Local, Stmt, Type};

use super::arrays::{SERVICES, Service, Slot, TARGETS, int, one_of, phase_of, slot};
use super::context::Context;
use super::emitter::Emitter;
use super::ends;
use super::module::Module;
use super::ply::{self, Changes, Drawn, Gathered, Here, HereSites};
use super::purpose::Purpose;
use super::stops::{Stop, stop};
use crate::ir::{Compiled, SourceKind};
use crate::lower::Feature;
use crate::moves::Sort;

/// Adds the function that plays the move to the site [`Slot::Chosen`], which must be legal. If it
/// returns [`Stop::Played`], the first of the sets of destinations has the sites of the next moves:
/// if there is none, the next player has to pass. `None` if some moves are no such moves, or more
/// than code decides what is legal. `ends` are the functions of end rules by phase.
pub(super) fn define(
    game: &Context<'_>,
    module: &mut Module,
    phases: &[Option<&Compiled>],
    (ends, changes): (&[Option<FunctionId>], Changes),
) -> Option<FunctionId> {
    let is_plain = module.purpose == Purpose::Positions
        && !(game.swap || game.simultaneous || game.stacking() || game.is_random_start())
        && game.repeats.is_none()
        && !game.has(Feature::Random)
        && changes != Changes::Evaluator;
    let phases: Vec<&Compiled> = phases.iter().copied().collect::<Option<_>>()?;
    if !is_plain || phases.iter().any(|phase| !lists_sites(phase)) {
        return None;
    }
    let mut plies = Vec::new();
    for (place, (&phase, &ends)) in phases.iter().zip(ends).enumerate() {
        let ends = ends::define_without_passes(game, module, place).or(ends);
        plies.push(define_ply(game, module, phase, (Some(ends?), changes))?);
    }
    let mut code = Emitter::closed(game, module, 0);
    let stopped = code.local(Type::Int);
    choose_phase(&mut code, plies.into_iter().map(|ply| (stopped, ply)));
    let ends = stopped.get().differs(int(Stop::Played as i32));
    code.push_if(ends, vec![Stmt::Return(Some(stopped.get()))]);
    ply::clear_flag(&mut code);
    let sites = code.local(Type::Set);
    let found = phases.iter().filter_map(|phase| Some((sites, phase.in_order?.0)));
    choose_phase(&mut code, found);
    code.push(Stmt::StoreSet(TARGETS, int(0), sites.get()));
    code.push(stop(Stop::Played));
    Some(code.shared("site ply", 0, Some(Type::Int)))
}

/// True if a function that plays plies to sites asks the host for nothing but room for actions.
pub(super) fn is_by_code(checked: &kernel::Checked, function: FunctionId) -> bool {
    let is_room = |host: &HostId| matches!(SERVICES[host.0 as usize].0, Service::Room);
    checked.hosts_called(function).iter().all(is_room)
}

/// True if the moves of a phase are listed as the sites of a set, in order, and code makes them:
/// see [`gathered_sites`](super::gathered_moves::gathered_sites).
fn lists_sites(phase: &Compiled) -> bool {
    let is_plain = |kind: &SourceKind| match kind {
        SourceKind::Leaf(leaf) => leaf.sort() == Sort::Plain,
        _ => false,
    };
    let all_plain = phase.gathered.sources.iter().all(|source| is_plain(&source.kind));
    let is_made = !phase.gathered.tests() && !ply::reads_entries(phase);
    all_plain && is_made && phase.in_order.is_some()
}

/// Writes the call of a function of the phase of the mover, whose result goes to a variable.
fn choose_phase(code: &mut Emitter<'_>, functions: impl Iterator<Item = (Local, FunctionId)>) {
    let call = |(to, function)| vec![Stmt::Set(to, Expr::Call(function, Vec::new()))];
    let blocks: Vec<(i32, Block)> = (0..).zip(functions.map(call)).collect();
    code.extend(one_of(&phase_of(slot(Slot::Mover)), blocks));
}

/// Adds the function of a ply of a phase.
fn define_ply(
    game: &Context<'_>,
    module: &mut Module,
    phase: &Compiled,
    (ends, changes): (Option<FunctionId>, Changes),
) -> Option<FunctionId> {
    let (_, piece) = phase.in_order?;
    let mut code = Emitter::closed(game, module, 0);
    ply::clear_flag(&mut code);
    let piece = piece.map(|piece| code.keep(Type::Int, Expr::Call(piece, Vec::new())).get());
    let number = code.keep(Type::Int, slot(Slot::Chosen));
    let here = Some(Here { sites: HereSites::Numbered, piece });
    let (drawn, moves) = (Drawn { number, forced: int(0) }, Gathered { count: int(1), here });
    ply::make(&mut code, &drawn, &moves, phase);
    ply::end_ply(&mut code, ends, changes);
    Some(code.shared("ply to a site", 0, Some(Type::Int)))
}
