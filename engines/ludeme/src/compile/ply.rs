//! Plies as code: moves are gathered, one of them is drawn and made, the end rules are asked, and
//! the turn is handed on. Where code does all of that it plays ply after ply.

use kernel::ir::{Block, Expr, Function, FunctionId, Local, Stmt, Table, Type};
use play::Rng;

use super::arrays::{
    CELLS, DRAWS, ENTRY, FRAME, FRAME_LENGTH, HISTORY, KEPT_CELLS, KEPT_DRAWS, KEPT_FRAME,
    KEPT_STATE, MOST_ENTRIES, MOVES, PASSED, STATE, Service, Slot, TARGETS, add, both, choose,
    drawn, either, int, one_of, phase_of, service, set_slot, slot,
};
use super::choices::choices;
use super::code::Emitter;
use super::context::Context;
use super::drawing::{Located, arguments, may_overflow};
use super::ends::ends;
use super::give::{COUNT, FIRST_OF_SETS, OF_FROM, OF_SOURCE, source_of};
use super::stops::{Stop, is_last_pass, stop, stop_as, stop_if};
use super::tables::Tables;
use crate::ir::{Compiled, ITERS, MoveTests, OnlyHere};

/// True if code can hand on the turn in a game: nothing is to be done between two plies that it
/// cannot do.
fn hands_on(game: &Context<'_>) -> bool {
    let notes = game.visits && game.initial.is_watched();
    !(game.repeats.is_some() || notes)
}

/// Writes the function that plays on by the rules of the phases, as far as code can.
pub(super) fn playout(
    game: &Context<'_>,
    tables: &mut Tables,
    phases: &[Option<&Compiled>],
) -> FunctionId {
    let changes = changes(game, tables);
    // What is found out when the next turn begins would have to be the same before.
    let looks_back = game.counts_moves || game.reads_flags || game.chance || game.cycles;
    // Amid the end rules the evaluator may answer otherwise what it is asked of a move that it
    // tests.
    let by_code = |phase: &Compiled| {
        let mut makes = phase.makes.iter().zip(&phase.gathered.sources);
        !phase.gathered.tests()
            || makes.all(|(make, source)| make.is_some() || source.kind.is_pass())
    };
    let known = phases.iter().all(|phase| phase.is_some_and(by_code));
    let all_made = |phase: &Compiled| phase.makes.iter().all(Option::is_some);
    let as_many = !tables.adds_pieces
        && !game.random_start
        && phases.iter().all(|phase| phase.is_some_and(all_made));
    let heights = (0..game.world.sites()).map(|site| game.initial.height(site));
    let pieces = as_many.then(|| heights.sum());
    let may_wait = !tables.ends_at_once
        && changes == Changes::Never
        && !looks_back
        && known
        && !game.simultaneous;
    let choices = game.simultaneous.then(|| choices(game, tables, phases)).flatten();
    let ends: Vec<_> = (0..phases.len()).map(|phase| ends(game, tables, phase, may_wait)).collect();
    let plies = phases.iter().zip(ends).map(|(compiled, ends)| {
        compiled.map(|compiled| {
            let overflows = may_overflow(game, compiled, pieces);
            ply(game, tables, compiled, (overflows, choices), (ends, changes))
        })
    });
    let plies: Vec<_> = plies.collect();
    let stopped = Local(0);
    let mut round = Block::new();
    if game.swap && game.world.players != 2 {
        let players = game.world.players as i32;
        round.push(stop_if(add(slot(Slot::Moves), int(1)).equals(int(players)), Stop::Ask));
    }
    let plies = (0..).zip(&plies).map(|(number, ply)| {
        let played = ply.map_or(int(Stop::Ask as i32), |ply| Expr::Call(ply, Vec::new()));
        (number, vec![Stmt::Set(stopped, played)])
    });
    round.extend(one_of(&phase_of(slot(Slot::Mover)), plies.collect()));
    let goes_on = stopped.get().equals(int(Stop::Played as i32));
    let by_number = slot(Slot::Chosen).at_least(int(0));
    let leaves = either(!goes_on, by_number);
    round.push(Stmt::If(leaves, vec![Stmt::Return(Some(stopped.get()))], Block::new()));
    tables.function(Function {
        name: "playout".into(),
        locals: vec![Type::Int],
        params: 0,
        result: Some(Type::Int),
        body: vec![Stmt::While(int(1), round), stop(Stop::Played)],
    })
}

/// Writes the function that makes and tests the move of the number [`Slot::Chosen`] of those that
/// have been gathered of a phase: [`Stop::Played`] if it is legal, else [`Stop::Stuck`], or
/// [`Stop::Untested`] where code does not find out. `None` for phases without tests in code.
pub(super) fn trial(
    game: &Context<'_>,
    tables: &mut Tables,
    compiled: &Compiled,
) -> Option<FunctionId> {
    compiled.tries.as_ref()?;
    let mut code = Emitter::closed(game, tables, 0);
    let number = code.keep(Type::Int, slot(Slot::Chosen));
    // Moves of one set are all that there are of their entry.
    let count = MOVES.at(int(COUNT as i32));
    let legal = code.make_number((number, int(0)), (&count, None), compiled);
    let [played, stuck] = [Stop::Played, Stop::Stuck].map(|stop| int(stop as i32));
    code.push(Stmt::Return(Some(choose(legal, played, stuck))));
    Some(code.shared("trial", 0, Some(Type::Int)))
}

/// How phases change after a ply.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Changes {
    /// They never do.
    Never,
    /// A function changes them.
    By(FunctionId),
    /// The evaluator sees to it, and to all else between two plies.
    Evaluator,
}

/// Writes what changes phases after a ply.
fn changes(game: &Context<'_>, tables: &mut Tables) -> Changes {
    if !hands_on(game) {
        return Changes::Evaluator;
    }
    if game.phases.iter().all(|phase| phase.next.is_empty()) {
        return Changes::Never;
    }
    let mut code = Emitter::closed(game, tables, 0);
    code.with_shared_parts(|code| {
        let players = game.world.players as i32;
        code.for_range(int(1), int(players + 1), Emitter::change_phase);
    });
    // The evaluator keeps flags only of conditions that hold.
    if code.asks && game.reads_flags {
        return Changes::Evaluator;
    }
    code.bind_all([(); ITERS].map(|()| Some(int(-1))));
    Changes::By(code.shared("change phases", 0, None))
}

/// Writes the function of a ply of a phase, of which there may be too many moves, or in which all
/// players choose by a function; with what changes phases it hands on the turn, too.
fn ply(
    game: &Context<'_>,
    tables: &mut Tables,
    compiled: &Compiled,
    (may_overflow, choices): (bool, Option<FunctionId>),
    (ends, changes): (Option<FunctionId>, Changes),
) -> FunctionId {
    let mut code = Emitter::closed(game, tables, 0);
    match choices {
        _ if !game.simultaneous => code.draw(compiled, may_overflow),
        Some(choices) => {
            let stopped = code.keep(Type::Int, Expr::Call(choices, Vec::new())).get();
            code.push(stop_as(&stopped));
        }
        None => code.push(stop(Stop::Ask)),
    }
    match (ends, changes) {
        (None, _) => code.push(stop(Stop::Made)),
        (Some(ends), Changes::Never) => code.hand_on_turn(ends, None),
        (Some(ends), Changes::By(changes)) => code.hand_on_turn(ends, Some(changes)),
        (Some(ends), Changes::Evaluator) => {
            code.push(stop_if(Expr::Call(ends, Vec::new()), Stop::Made));
            code.push(stop(Stop::Asked));
        }
    }
    code.shared("ply", 0, Some(Type::Int))
}

/// The moves of a phase that are in no memory: each to one of some sites, from there, with the
/// piece that it places.
struct Here {
    sites: Expr,
    piece: Option<Expr>,
}

impl Emitter<'_> {
    /// Gathers the moves of a phase, draws one of them, and makes it.
    fn draw(&mut self, compiled: &Compiled, may_overflow: bool) {
        let Some(gather) = compiled.gather else { return self.push(stop(Stop::Ask)) };
        if self.game.stacking() {
            self.push(stop_if(slot(Slot::HasStalePieces), Stop::Ask));
        }
        let copies = compiled.gathered.tests() && compiled.tries.is_none();
        if copies || self.game.repeats.is_some() {
            self.push(stop_if(slot(Slot::Chosen).less(int(0)), Stop::Ask));
        }
        let swaps = self.may_swap(compiled);
        let mine = int(1).shifted_left(slot(Slot::Mover));
        let others = slot(Slot::Stalemated).and_bits(int(-1) - mine);
        let has_moves = vec![set_slot(Slot::Stalemated, others)];
        self.push(Stmt::If(slot(Slot::Stalemated), has_moves, Block::new()));
        let keeps = compiled.does_first && may_overflow;
        if keeps {
            self.keep_state();
        }
        let here = self.found_here(compiled);
        let count = match &here {
            Some(Here { sites, .. }) => self.keep(Type::Int, sites.clone().len()).get(),
            None => self.gather(gather, compiled.asks),
        };
        // What there was no room for is lost.
        let full = slot(Slot::Gathered).at_least(int(MOST_ENTRIES as i32));
        if keeps {
            let back = vec![Stmt::Eval(service(Service::TakeBack, Vec::new())), stop(Stop::Ask)];
            self.push(Stmt::If(full, back, Block::new()));
        } else if may_overflow && !compiled.does_first && here.is_none() {
            self.push(stop_if(full, Stop::Ask));
        }
        if compiled.tries.is_some() {
            return self.unless_stuck(&count, |code| code.draw_legal(&count, compiled));
        }
        let number = self.keep(Type::Int, slot(Slot::Chosen));
        let forced = self.keep(Type::Int, int(0));
        if swaps != int(0) {
            let stuck = count.clone().equals(int(0));
            self.push(stop_if(both(stuck, swaps.clone()), Stop::Ask));
        }
        self.unless_stuck(&count, |code| {
            let any = |code: &mut Self| code.draw_any((number, forced), &count, &swaps, compiled);
            let mut by_lot = code.block(any);
            if compiled.gathered.longest.is_some() {
                let two = add(slot(Slot::Longest), int(1)).less(slot(Slot::LongestEnd));
                let counted = code.block(|code| code.draw_counted(number, forced));
                by_lot = vec![Stmt::If(two, counted, by_lot)];
            }
            code.push(Stmt::If(number.get().less(int(0)), by_lot, Block::new()));
            code.make_number((number, forced.get()), (&count, here.as_ref()), compiled);
        });
    }

    /// Finds the moves of a phase without memory for them, where nobody reads that.
    fn found_here(&mut self, compiled: &Compiled) -> Option<Here> {
        let (sites, piece) = compiled.only_here?.found?;
        let is_read = compiled.makes.iter().any(Option::is_none)
            || compiled.tries.is_some()
            || compiled.does_first
            || !compiled.clashes.is_empty()
            || !compiled.gathered.passes().is_empty();
        if is_read {
            return None;
        }
        let call = |function| Expr::Call(function, Vec::new());
        let sites = self.keep(Type::Set, call(sites)).get();
        let piece = piece.map(|piece| self.keep(Type::Int, call(piece)).get());
        Some(Here { sites, piece })
    }

    /// Makes a pass where there is no move, or else writes what is to be done.
    fn unless_stuck(&mut self, count: &Expr, write: impl FnOnce(&mut Self)) {
        let stuck = count.clone().equals(int(0));
        if self.game.chance && self.game.reads_flags {
            self.push(stop_if(stuck, Stop::Stuck));
            return write(self);
        }
        let pass = self.block(|code| {
            let may_end = code.may_end_by_passes();
            let may_end = code.keep_int(may_end);
            let last = is_last_pass();
            let expects = if code.tables.expects { slot(Slot::Expects) } else { int(0) };
            let leaves = either(expects, either(last, may_end));
            code.push(stop_if(leaves, Stop::Stuck));
            code.push(set_slot(Slot::MadeFrom, int(-1)));
            code.push(set_slot(Slot::MadeTo, int(-1)));
            code.begin(int(PASSED), int(1));
            code.enter(int(-1), int(-1));
            if !code.game.chance {
                let mine = int(1).shifted_left(slot(Slot::Mover));
                code.push(set_slot(Slot::Stalemated, slot(Slot::Stalemated).or_bits(mine)));
            }
            code.settle();
        });
        let rest = self.block(write);
        self.push(Stmt::If(stuck, pass, rest));
    }

    /// Whether a pass now could be the last of a round of passes, which may end the game: the
    /// evaluator finds out. It is none if the move before was no pass, nor the one before that by
    /// the same player: see [`Game::all_passed`].
    fn may_end_by_passes(&mut self) -> Expr {
        if !self.game.pass_draw {
            return int(0);
        }
        if self.game.world.players < 2 {
            return int(1);
        }
        let noted = slot(Slot::Noted);
        let at = |back: i32| HISTORY.at(noted.clone() - int(back));
        let none = slot(Slot::NotedBefore);
        let last = choose(noted.clone().at_least(int(1)), at(1), none.clone());
        let one = choose(noted.clone().at_least(int(1)), none, slot(Slot::NotedFirst));
        let before = choose(noted.clone().at_least(int(2)), at(2), one);
        let [last, before] = [last, before].map(|noted| self.keep_int(noted));
        let passed = either(last.clone().less(int(0)), last.clone().at_least(int(PASSED)));
        either(passed, before.equals(last + int(PASSED)))
    }

    /// Whether the mover can change sides now, which is one more move; where more than a number has
    /// to be drawn the evaluator does it.
    fn may_swap(&mut self, compiled: &Compiled) -> Expr {
        if !self.game.swap || self.game.world.players != 2 {
            return int(0);
        }
        let second = slot(Slot::Moves).equals(int(1));
        let swaps = both(second, slot(Slot::Prev).differs(slot(Slot::Mover)));
        let leaves_out = !compiled.clashes.is_empty() || compiled.gathered.longest.is_some();
        if leaves_out
            || compiled.tries.is_some()
            || compiled.does_first
            || !compiled.gathered.passes().is_empty()
        {
            self.push(stop_if(swaps, Stop::Ask));
            return int(0);
        }
        self.keep(Type::Int, swaps).get()
    }

    /// Keeps the state, to which moves are taken back, and what draws them.
    fn keep_state(&mut self) {
        self.tables.keeps = true;
        self.push(set_slot(Slot::HeadKept, int(0)));
        self.push(set_slot(Slot::KnowsLeft, int(0)));
        self.push(Stmt::CopyInts(KEPT_FRAME, FRAME, FRAME_LENGTH as u32));
        // There may come to be more numbers in stacks.
        self.push(Stmt::CopyInts(KEPT_CELLS, CELLS, u32::MAX));
        self.push(Stmt::CopySets(KEPT_STATE, STATE, u32::MAX));
        self.push(Stmt::CopySets(KEPT_DRAWS, DRAWS, Rng::WORDS.div_ceil(self.game.words()) as u32));
    }

    /// Draws moves of a phase and makes them, until one turns out to be legal.
    fn draw_legal(&mut self, count: &Expr, compiled: &Compiled) {
        // Whether a move is forced, or there is none, the evaluator finds out.
        self.push(stop_if(slot(Slot::Plies).at_least(slot(Slot::Cap)), Stop::Ask));
        self.keep_state();
        let number = self.keep(Type::Int, slot(Slot::Chosen));
        let by_lot = vec![Stmt::Set(number, drawn(count.clone()))];
        self.push(Stmt::If(number.get().less(int(0)), by_lot, Block::new()));
        let legal = self.keep(Type::Int, int(0));
        self.while_loop(!legal.get(), |code| {
            let legal_now = code.make_number((number, int(0)), (count, None), compiled);
            code.push(Stmt::Set(legal, legal_now));
            let again = service(Service::Reject, vec![number.get()]);
            let again =
                vec![Stmt::Set(number, again), stop_if(number.get().less(int(0)), Stop::Stuck)];
            code.push(Stmt::If(legal.get(), Block::new(), again));
        });
    }

    /// Makes the move of a number of those gathered, which may be forced, with how many there are;
    /// whether it turns out to be legal.
    fn make_number(
        &mut self,
        (number, forced): (Local, Expr),
        (count, here): (&Expr, Option<&Here>),
        compiled: &Compiled,
    ) -> Expr {
        let (first, packed, [from, to]) = match compiled.only_here {
            Some(OnlyHere { descending, .. }) => {
                let backwards = (count.clone() - int(1)) - number.get();
                let rank = if descending { backwards } else { number.get() };
                let sites = here.map_or(TARGETS.at(int(0)), |here| here.sites.clone());
                let site = self.keep(Type::Int, sites.nth(rank));
                let packed = if here.is_some() { int(0) } else { MOVES.at(int(0)) };
                (int(0), packed, [site; 2])
            }
            None => {
                let located = self.locate(number, compiled);
                if !compiled.clashes.is_empty() {
                    self.draw_again_if_repeated(number, count, &located, compiled);
                }
                (located.first.get(), located.packed.get(), located.ends)
            }
        };
        let source = self.keep(Type::Int, source_of(packed)).get();
        if compiled.makes.iter().any(Option::is_none) {
            let known =
                self.tables.ints(compiled.makes.iter().map(|make| i32::from(make.is_some())));
            self.leave_drawn(!known.at(source.clone()), (number, forced.clone()), compiled);
        }
        let passes = compiled.gathered.passes();
        let mut pass = int(0);
        if !passes.is_empty() && compiled.tries.is_none() {
            let is_pass = self.is_pass(&passes, source.clone());
            pass = self.keep_int(is_pass * int(PASSED));
            let may_end = self.may_end_by_passes();
            let last = both(forced.clone(), is_last_pass());
            let leaves = both(pass.clone(), either(last, may_end));
            self.leave_drawn(leaves, (number, forced.clone()), compiled);
        }
        self.push(set_slot(Slot::MadeFrom, from.get()));
        self.push(set_slot(Slot::MadeTo, to.get()));
        self.begin(pass, forced);
        let legal = self.keep(Type::Int, int(1));
        let makes = (0..).zip(&compiled.makes).zip(&compiled.gathered.sources);
        let makes = makes.filter_map(|((number, make), source)| {
            let piece = here.and_then(|here| here.piece.clone());
            let arguments = arguments(source, [from, to], &first, piece);
            let tried = compiled.tries.as_ref().and_then(|tries| *tries.get(number as usize)?);
            let mut block = vec![Stmt::Call((*make)?, arguments.clone())];
            if let Some(MoveTests { test, rest }) = tried {
                block.push(Stmt::Set(legal, Expr::Call(test, arguments)));
                let rest = rest.map(|rest| vec![Stmt::Call(rest, Vec::new())]);
                block.extend(rest.map(|rest| Stmt::If(legal.get(), rest, Block::new())));
            }
            Some((number, block))
        });
        one_of(&source, makes.collect()).into_iter().for_each(|stmt| self.push(stmt));
        self.settle();
        legal.get()
    }

    /// Has another move drawn where one leads to the same state as one before it.
    fn draw_again_if_repeated(
        &mut self,
        number: Local,
        count: &Expr,
        located: &Located,
        compiled: &Compiled,
    ) {
        let drawn_now = slot(Slot::Chosen).less(int(0));
        let passes = compiled.gathered.passes();
        let clashes = |&pass: &i32| compiled.clashes.of(pass as usize).next().is_some();
        if passes.iter().any(clashes) {
            // Whether a pass is forced, the evaluator finds out.
            let pass = self.is_pass(&passes, source_of(located.packed.get()));
            let several = both(drawn_now.clone(), both(count.clone().differs(int(1)), pass));
            let drawn = vec![set_slot(Slot::Chosen, number.get()), stop(Stop::Untested)];
            self.push(Stmt::If(several, drawn, Block::new()));
        }
        let clash = (0..compiled.makes.len() as i32).map(|source| i32::from(clashes(&source)));
        let clash = self.tables.ints(clash);
        let may_repeat = clash.at(source_of(located.packed.get()));
        let mut may_repeat = both(drawn_now, may_repeat);
        if compiled.clashes_beside_dice.is_empty() {
            // Dice that have been used are shown again if this variable has a value.
            may_repeat = both(self.unnamed().differs(int(-1)), may_repeat);
        }
        self.when(may_repeat, |code| {
            let rival = code.has_rival(located, compiled);
            code.when(rival, |code| {
                let first = service(Service::FirstOfItsKind, vec![number.get()]);
                let first = code.keep_int(first);
                code.when(first.clone().differs(number.get()), |code| {
                    code.push(Stmt::Set(number, first));
                    let again = code.locate(number, compiled);
                    for (local, found) in located.locals().into_iter().zip(again.locals()) {
                        code.push(Stmt::Set(local, found.get()));
                    }
                });
            });
        });
    }

    /// Whether an entry before that of a move may have one with the same ends, of a source whose
    /// moves may lead to the same state.
    fn has_rival(&mut self, located: &Located, compiled: &Compiled) -> Expr {
        let source = self.keep(Type::Int, source_of(located.packed.get())).get();
        let clash = self.clash_pairs(compiled);
        let [from, to] = located.ends.map(Local::get);
        let rival = self.keep(Type::Int, int(0));
        self.for_range(int(0), located.entry.get(), |code, entry| {
            let first = entry.get() * int(ENTRY as i32);
            let packed = code.keep(Type::Int, MOVES.at(first)).get();
            let ends = packed.clone().and_bits(int(OF_SOURCE - 1));
            let ends = code.keep(Type::Int, ends).get();
            let same = (from.clone() * int(OF_FROM) + to.clone()) + int(OF_FROM + 1);
            let one = ends.clone().equals(same);
            // Where a move to one of several sites comes from is not looked at.
            let targets = ends.and_bits(int(OF_FROM - 1)).at_least(int(FIRST_OF_SETS));
            let among = both(targets, TARGETS.at(entry.get()).contains(to.clone()));
            let other = source_of(packed);
            let may_clash = clash
                .map_or(int(1), |(pairs, sources)| pairs.at(source.clone() * int(sources) + other));
            code.push(Stmt::Set(rival, both(either(one, among), may_clash)));
            code.break_unless(!rival.get());
        });
        rival.get()
    }

    /// By two sources whether their moves may lead to the same state, with how many sources there
    /// are; `None` where these are too many for a table.
    fn clash_pairs(&mut self, compiled: &Compiled) -> Option<(Table, i32)> {
        const MOST_SOURCES: usize = 64;
        let sources = compiled.makes.len();
        let pair = |one: usize| {
            let clashes: Vec<usize> = compiled.clashes.of(one).collect();
            (0..sources).map(move |other| i32::from(clashes.contains(&other)))
        };
        let pairs = (sources <= MOST_SOURCES).then(|| (0..sources).flat_map(pair));
        Some((self.tables.ints(pairs?), sources as i32))
    }

    /// Stops before a move that has been drawn, where a condition holds.
    fn leave_drawn(
        &mut self,
        condition: Expr,
        (number, forced): (Local, Expr),
        compiled: &Compiled,
    ) {
        let at = if compiled.tries.is_some() { Stop::Untested } else { Stop::Drawn };
        let at = choose(forced, int(Stop::Forced as i32), int(at as i32));
        let drawn = vec![set_slot(Slot::Chosen, number.get()), Stmt::Return(Some(at))];
        self.push(Stmt::If(condition, drawn, Block::new()));
    }
}
