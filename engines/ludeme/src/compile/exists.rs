//! Code for tests of the existence of moves: it leaves generators at the first move.

use kernel::ir::{Expr, FunctionId, Local, Stmt, Type};

use super::arrays::{
    FRAME, STATE, Service, Slot, both, choose, int, one_of, phase_of, set_slot, slot, state_set,
};
use super::context::Context;
use super::emitter::{Consumer, Emitter, Finding, Flags, Premise};
use super::module::{Module, NextIsStuck, Trait};
use super::{by_site, generators, ints, regions, steps, turns};
use crate::game::{tests_moves, tests_unknown};
use crate::ir::{Bool, EvaluatedParts, Iter, Moves, Region, Role, Threat};
use crate::lower::Feature;

/// Code that is 1 if a generator has a legal move; `None` if the evaluator has to try moves. The
/// sites of the last move count as visited.
pub(super) fn can_move(code: &mut Emitter<'_>, moves: &Moves) -> Option<Expr> {
    if needs_trials(code.game, moves) {
        return None;
    }
    if !code.game.has(Feature::Visits) {
        return Some(emit(code, moves));
    }
    // Code writes the state only where it makes moves.
    if code.scope.flags == Flags::Asked {
        return None;
    }
    let visited = int(code.game.layout.visited() as i32);
    let before = code.keep_set(state_set(visited.clone()));
    turns::visit(code, [Slot::LastFrom, Slot::LastTo]);
    let mut any = int(0);
    code.in_other_state(|code| any = emit(code, moves));
    code.push(Stmt::StoreSet(STATE, visited, before));
    Some(any)
}

/// Code that is 1 if a generator of legal moves has any. If so, the bindings before are restored.
fn emit(code: &mut Emitter<'_>, moves: &Moves) -> Expr {
    let any = code.keep(Type::Int, int(0));
    let consumer = Consumer::Exists { any, loops: code.scope.loops };
    search(code, moves, consumer, any)
}

/// Writes a generator for a consumer that stops at the first move. The code is `any`.
fn search(code: &mut Emitter<'_>, moves: &Moves, consumer: Consumer, any: Local) -> Expr {
    let saved = code.save(Iter::ALL);
    let bound = code.bindings.bound;
    with_consumer(code, consumer, |code| {
        code.bindings.bound = bound;
        code.for_range(int(0), int(1), |code, _| generators::emit(code, moves));
    });
    code.when(any.get(), |code| code.restore(&saved));
    any.get()
}

/// Code for the set of destinations of a generator. The caller asks only for `wanted`, if given.
pub(super) fn destinations(code: &mut Emitter<'_>, moves: &Moves, wanted: Option<Local>) -> Expr {
    if code.game.has(Feature::Visits) || needs_trials(code.game, moves) {
        return ask_destinations(code, moves);
    }
    let outside = code.findings.take(Finding::RebindsInPassing);
    let sites = code.keep(Type::Set, Expr::NoSites);
    let before = code.bindings;
    let write = |code: &mut Emitter<'_>, wanted| {
        code.bindings = before;
        code.findings.take(Finding::RebindsInPassing);
        let consumer = Consumer::Destinations { sites, wanted };
        code.block(|code| with_consumer(code, consumer, |code| generators::emit(code, moves)))
    };
    let mut written = write(code, wanted);
    if code.findings.has(Finding::RebindsInPassing) {
        written = write(code, None);
    }
    code.extend(written);
    code.findings.add_if(outside, Finding::RebindsInPassing);
    sites.get()
}

/// A call of the evaluator for the destinations of a generator.
pub(super) fn ask_destinations(code: &mut Emitter<'_>, moves: &Moves) -> Expr {
    let moves = moves.clone().number_in(&mut code.module.generators);
    regions::ask(code, &Region::Destinations(moves))
}

/// Writes generators for another consumer.
fn with_consumer(code: &mut Emitter<'_>, consumer: Consumer, write: impl FnOnce(&mut Emitter<'_>)) {
    let consumer = std::mem::replace(&mut code.consumer, consumer);
    let wrappers = std::mem::take(&mut code.scope.wrappers);
    let counts = std::mem::take(&mut code.scope.counts);
    write(code);
    (code.consumer, code.scope.wrappers, code.scope.counts) = (consumer, wrappers, counts);
}

/// Writes the exit from generators at the first move.
pub(super) fn leave(code: &mut Emitter<'_>) {
    if let Consumer::Exists { any, loops } | Consumer::Reaches { any, loops, .. } = code.consumer {
        let leave = code.scope.loops - loops;
        code.set(any, int(1));
        code.push(Stmt::Break(leave));
    }
}

/// Writes a call of the evaluator for the existence of moves of a generator.
pub(super) fn ask(code: &mut Emitter<'_>, moves: &Moves) {
    let condition = Bool::CanMove(moves.clone().number_in(&mut code.module.generators));
    let number = EvaluatedParts::add(&mut code.parts.bools, condition);
    let any = code.ask(Service::Test, vec![int(number)]);
    code.when(any, leave);
    code.clobber();
}

/// Code that is 1 if a player has no move, or had none in the last turn; `None` if the evaluator
/// has to test it.
pub(super) fn has_no_moves(code: &mut Emitter<'_>, role: Role) -> Option<Expr> {
    let bit = |player: Expr| int(1).shifted_left(player);
    let owners = match role {
        Role::Player(player) => int(1 << player),
        Role::Mover => bit(slot(Slot::Mover)),
        Role::Prev => bit(slot(Slot::Prev)),
        Role::Next if code.premise == Premise::NextCanMove => return Some(int(0)),
        Role::Next => return next_is_stuck(code),
        _ => return None,
    };
    Some(slot(Slot::Stalemated).and_bits(owners).differs(int(0)))
}

/// Code that is 1 if the next player has no move; `None` if the evaluator has to test it.
fn next_is_stuck(code: &mut Emitter<'_>) -> Option<Expr> {
    let bound = match code.scope.flags {
        Flags::Asked => return None,
        Flags::Kept => false,
        Flags::IfKept => true,
    };
    let &NextIsStuck { function, reads_variables, reads_begin, needs_copy } =
        code.module.next_is_stuck(code.game, bound)?;
    code.findings.add_if(reads_begin, Finding::ReadsStartOfMove);
    if bound && reads_variables {
        code.spill_variables();
    }
    code.module.traits.add_if(needs_copy, Trait::NeedsCopy);
    let stuck = code.keep(Type::Int, Expr::Call(function, Vec::new())).get();
    let bit = code.keep(Type::Int, int(1).shifted_left(slot(Slot::Next))).get();
    let others = slot(Slot::Stalemated).and_bits(int(-1) - bit.clone());
    let set_flag = set_slot(Slot::Stalemated, others + choose(stuck.clone(), bit, int(0)));
    match code.scope.flags {
        Flags::IfKept => code.when(slot(Slot::KeepsFlags), |code| code.push(set_flag)),
        _ => code.push(set_flag),
    }
    Some(stuck)
}

/// Code that is 1 if a piece is threatened; `None` if the evaluator has to test it.
pub(super) fn threatened(code: &mut Emitter<'_>, threat: &Threat) -> Option<Expr> {
    if code.premise == Premise::Unthreatened {
        return Some(int(0));
    }
    // Code tests the piece only where it stands, and by the rules of one phase.
    let (game, component) = (code.game, threat.component.as_ref()?);
    let own_rules = threat.moves.is_none();
    if threat.place.is_some() || game.stacking() || own_rules && game.phases.len() > 1 {
        return None;
    }
    let moves = threat.moves.map_or(&game.phases[0].play, |moves| game.generator(moves));
    let moves = match moves {
        Moves::Compiled(_, rules) => rules,
        moves => moves,
    };
    let function = code.module.threat(game, moves)?;
    let component = ints::kept(code, component);
    let any = code.keep(Type::Int, int(0));
    let site = by_site::lowest(code, component.clone());
    let site = code.keep_int(site);
    code.when(both(!slot(Slot::Threatens), site.clone().at_least(int(0))), |code| {
        let owner = by_site::owner_of(code, component);
        let owner = code.keep(Type::Int, owner).get();
        code.for_range(int(1), int(game.world.players as i32 + 1), |code, player| {
            code.when(player.get().differs(owner.clone()), |code| {
                let arguments = vec![player.get(), owner.clone(), site.clone()];
                code.set(any, Expr::Call(function, arguments));
                steps::break_unless(code, !any.get());
            });
        });
    });
    Some(any.get())
}

/// Writes code that runs with other players to move.
fn with_turns<const N: usize>(
    code: &mut Emitter<'_>,
    turns: [(Slot, Expr); N],
    write: impl FnOnce(&mut Emitter<'_>),
) {
    let before = turns.each_ref().map(|&(turn, _)| (turn, code.keep(Type::Int, slot(turn))));
    turns.into_iter().for_each(|(turn, value)| code.set_slot(turn, value));
    write(code);
    before.into_iter().for_each(|(turn, value)| code.set_slot(turn, value.get()));
}

/// True if the evaluator has to try moves of a generator to know that they are legal.
fn needs_trials(game: &Context<'_>, moves: &Moves) -> bool {
    game.repeats.is_some() || tests_moves(moves)
}

/// As [`needs_trials`], for a lookahead.
fn needs_trials_ahead(game: &Context<'_>, moves: &Moves) -> bool {
    let is_known = |condition: &Bool| Premise::NextCanMove.value(condition).is_some();
    game.repeats.is_some() || tests_unknown(moves, &is_known)
}

impl Module {
    /// The function that tests if the next player has no move, with variables of the rules bound or
    /// not; `None` if moves have to be tried.
    fn next_is_stuck(&mut self, game: &Context<'_>, bound: bool) -> Option<&NextIsStuck> {
        let place = usize::from(bound);
        if self.next_is_stuck[place].get().is_none() {
            let (written, _) = self.noting_copies(|module| module.write_next_is_stuck(game, bound));
            let _ = self.next_is_stuck[place].set(written);
        }
        self.next_is_stuck[place].get()?.as_ref()
    }

    /// As [`Module::next_is_stuck`], for the first call.
    fn write_next_is_stuck(&mut self, game: &Context<'_>, bound: bool) -> Option<NextIsStuck> {
        let plays = || game.phases.iter().map(|phase| &phase.play);
        if plays().any(|play| needs_trials_ahead(game, play)) {
            return None;
        }
        let mut code = Emitter::closed(game, self, 0);
        code.premise = Premise::NextCanMove;
        let any = code.local(Type::Int);
        let [mover, next] =
            [Slot::Mover, Slot::Next].map(|turn| code.keep(Type::Int, slot(turn)).get());
        let after = turns::next_active(&mut code, &next);
        let turns = [(Slot::Mover, next.clone()), (Slot::Next, after), (Slot::Prev, mover)];
        with_turns(&mut code, turns, |code| {
            let finds = plays().map(|play| {
                code.block(|code| {
                    code.in_other_state(|code| {
                        let consumer = Consumer::Exists { any, loops: code.scope.loops };
                        search(code, play, consumer, any);
                    });
                })
            });
            let finds = one_of(&phase_of(next.clone()), (0..).zip(finds).collect());
            code.extend(finds);
        });
        code.push(Stmt::Return(Some(!any.get())));
        let variable = |iter| if bound { FRAME.at(int(iter as i32)) } else { int(-1) };
        code.bind_all(std::array::from_fn(|iter| Some(variable(iter))));
        let found = code.findings;
        let has_form = !found.has(Finding::HasNoForm);
        let function = has_form.then(|| code.shared("next is stuck", 0, Some(Type::Int)))?;
        Some(NextIsStuck {
            function,
            reads_variables: found.has(Finding::ReadsVariables),
            reads_begin: found.has(Finding::ReadsStartOfMove),
            needs_copy: self.traits.has(Trait::NeedsCopy),
        })
    }

    /// The function that tests if a player could move to a site after another player's move by some
    /// rules; `None` if these have no form in code.
    fn threat(&mut self, game: &Context<'_>, moves: &Moves) -> Option<FunctionId> {
        if let Some((_, known)) = self.threats.iter().find(|(rules, _)| rules == moves) {
            return *known;
        }
        let mut code = Emitter::closed(game, self, 3);
        let [player, prev, site] = [0, 1, 2].map(Local);
        code.premise = Premise::Unthreatened;
        let any = code.local(Type::Int);
        with_turns(&mut code, [(Slot::Mover, player.get()), (Slot::Prev, prev.get())], |code| {
            code.in_other_state(|code| {
                let consumer = Consumer::Reaches { any, loops: code.scope.loops, site };
                search(code, moves, consumer, any);
            });
        });
        code.push(Stmt::Return(Some(any.get())));
        code.bind_none();
        let function = (!code.findings.has(Finding::HasNoForm))
            .then(|| code.shared("threat", 3, Some(Type::Int)));
        self.threats.push((moves.clone(), function));
        function
    }
}
