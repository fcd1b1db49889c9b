//! Plies as code: moves are gathered, one of them is drawn and made, the end rules are asked, and
//! the turn is handed on. Where code does all of that it plays ply after ply.

use kernel::ir::{Block, Expr, Function, FunctionId, Local, Stmt, Type};

use super::arrays::{
    ENTRY, FRAME, HISTORY, MOST_ENTRIES, MOST_EXTRA, MOST_NOTED, MOVES, OF_MOVE, PASSED, STATE,
    Service, Slot, TARGETS, TURN, add, both, choose, drawn, either, int, one_of, phase_of, service,
    set_slot, slot, state_set,
};
use super::code::Code;
use super::ends::{HOLDS, IF_STUCK, ends};
use super::give::{BEHIND, COUNT, DESCENDING, EXTRA, NO_DISTANCE, OF_FROM, SAME, source_of};
use super::subject::Subject;
use super::tables::Tables;
use crate::eval::combined_dice;
use crate::ir::{Binder, Compiled, ITERS, LeafKind, Place, Source, SourceKind, Tried};
use crate::run::{MOVE_LIMIT, TURN_LIMIT};
use crate::state::EMPTY;

macro_rules! stops {
    ($($(#[$doc:meta])* $stop:ident,)*) => {
        /// Where code stops.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(super) enum Stop {
            $($(#[$doc])* $stop,)*
        }

        impl Stop {
            /// That of a number.
            pub(super) fn of(number: i32) -> Option<Stop> {
                const ALL: &[Stop] = &[$(Stop::$stop),*];
                ALL.get(usize::try_from(number).ok()?).copied()
            }
        }
    };
}

stops! {
    /// Before a ply that the evaluator has to play.
    Ask,
    /// Where there is no move.
    Stuck,
    /// Where there is one move, which is a pass.
    Forced,
    /// Where a move can be made that the playout is not allowed any more.
    Capped,
    /// Where a move has been drawn that code does not make; its number is in [`Slot::Chosen`].
    Drawn,
    /// Where the mover changes sides.
    Swapped,
    /// Where a move has been drawn of which code does not find out whether it is legal, likewise.
    Untested,
    /// When a move has been made, before the end rules.
    Made,
    /// When a move has been made and no end rule holds, before the turn is handed on.
    Asked,
    /// After a ply.
    Played,
}

fn stop(stop: Stop) -> Stmt {
    Stmt::Return(Some(int(stop as i32)))
}

fn stop_if(condition: Expr, at: Stop) -> Stmt {
    Stmt::If(condition, vec![stop(at)], Block::new())
}

/// Whether a playout ends with a further forced pass: the evaluator makes that one.
fn is_last_pass() -> Expr {
    let most = int(play::MAX_FORCED_PASSES as i32);
    both(is_after_pass(), slot(Slot::Passes).at_least(most))
}

/// Whether the last move was a forced pass.
fn is_after_pass() -> Expr {
    slot(Slot::PassedAt).equals(slot(Slot::Plies))
}

/// Whether code can hand on the turn in a game: nothing is to be done between two plies that it
/// cannot do.
fn hands_on(game: &Subject<'_>) -> bool {
    let remembers = game.cycles || game.repeats.is_some();
    let notes = game.visits && game.initial.is_watched();
    !(remembers || notes || game.simultaneous)
}

/// Writes the function that plays on by the rules of the phases, as far as code can.
pub(super) fn playout(
    game: &Subject<'_>,
    tables: &mut Tables,
    phases: &[Option<&Compiled>],
) -> FunctionId {
    let changes = changes(game, tables);
    // What is found out when the next turn begins would have to be the same before.
    let looks_back = game.counts_moves || game.reads_flags || game.chance;
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
    let may_wait = changes == Changes::Never && !looks_back && known;
    let plies = phases.iter().enumerate().map(|(number, compiled)| {
        let ends = ends(game, tables, number, may_wait);
        compiled.map(|compiled| {
            let overflows = may_overflow(game, compiled, pieces);
            ply(game, tables, compiled, overflows, (ends, changes))
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
fn changes(game: &Subject<'_>, tables: &mut Tables) -> Changes {
    if !hands_on(game) {
        return Changes::Evaluator;
    }
    if game.phases.iter().all(|phase| phase.next.is_empty()) {
        return Changes::Never;
    }
    let mut code = Code::closed(game, tables, 0);
    code.with_shared_parts(|code| {
        let players = game.world.players as i32;
        code.for_range(int(1), int(players + 1), Code::change_phase);
    });
    // The evaluator keeps flags only of conditions that hold.
    if code.asks && game.reads_flags {
        return Changes::Evaluator;
    }
    code.bind_all([(); ITERS].map(|()| Some(int(-1))));
    Changes::By(code.shared("change phases", 0, None))
}

/// Writes the function of a ply of a phase, of which there may be too many moves; with what changes
/// phases it hands on the turn, too.
fn ply(
    game: &Subject<'_>,
    tables: &mut Tables,
    compiled: &Compiled,
    may_overflow: bool,
    (ends, changes): (Option<FunctionId>, Changes),
) -> FunctionId {
    let mut code = Code::closed(game, tables, 0);
    code.draw(compiled, may_overflow);
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

/// Whether there could be more moves of a phase than there is room for, or moves that only the
/// evaluator finds. There are never more pieces than so many, where that is known.
fn may_overflow(game: &Subject<'_>, phase: &Compiled, pieces: Option<usize>) -> bool {
    let sites = game.world.sites();
    let dice = game.world.dice.as_ref().map_or(0, |dice| dice.faces.len());
    let around = |binder: &Binder| match binder {
        Binder::Piece | Binder::Top | Binder::Site => Some(sites),
        Binder::Level => pieces,
        Binder::Dice => Some(dice + combined_dice(dice).len()),
        _ => None,
    };
    let most = |source: &Source| {
        let times = source.binders.iter().map(around).try_fold(1, |all, of| Some(all * of?))?;
        let SourceKind::Leaf(leaf) = &source.kind else { return None };
        let own = match &leaf.kind {
            LeafKind::Pass => 1,
            LeafKind::FromTo { from, to, .. } => match (&**from, &**to) {
                (Place::Site(_), Place::Site(_)) => 1,
                (Place::Site(_), _) | (_, Place::Site(_)) => sites,
                _ => return None,
            },
            LeafKind::Jump { .. } | LeafKind::Slide(_) => sites,
            LeafKind::Remove { place, .. } if matches!(**place, Place::Site(_)) => 1,
            LeafKind::Select { from, to, .. } => match (&**from, to.as_deref()) {
                (Place::Site(_), None | Some(Place::Site(_))) => 1,
                (Place::Site(_), _) | (_, None | Some(Place::Site(_))) => sites,
                _ => return None,
            },
            _ => return None,
        };
        Some(times * own)
    };
    let sources = phase.gathered.sources.iter();
    let all = sources.map(most).try_fold(0, |all, of| Some(all + of?));
    all.is_none_or(|all| all >= MOST_ENTRIES) || game.selects
}

/// Variables for a move: where its entry begins, the first number of that, and its ends.
struct Located {
    first: Local,
    packed: Local,
    ends: [Local; 2],
}

impl Located {
    fn locals(&self) -> [Local; 4] {
        let [from, to] = self.ends;
        [self.first, self.packed, from, to]
    }
}

impl Code<'_> {
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
        self.push(set_slot(Slot::Stalemated, others));
        let keeps = compiled.does_first && may_overflow;
        if keeps {
            self.push(Stmt::Eval(service(Service::Keep, Vec::new())));
        }
        self.push(set_slot(Slot::Gathers, int(1)));
        let count = self.keep(Type::Int, Expr::Call(gather, Vec::new())).get();
        self.push(set_slot(Slot::Gathers, int(0)));
        // What there was no room for is lost.
        let full = slot(Slot::Gathered).at_least(int(MOST_ENTRIES as i32));
        if keeps {
            let back = vec![Stmt::Eval(service(Service::TakeBack, Vec::new())), stop(Stop::Ask)];
            self.push(Stmt::If(full, back, Block::new()));
        } else if !compiled.does_first {
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
            code.make_number((number, forced.get()), &count, compiled);
        });
    }

    /// Draws one of the moves that have been gathered, which all differ, or of so many more that
    /// swap sides.
    fn draw_any(
        &mut self,
        (number, forced): (Local, Local),
        count: &Expr,
        swaps: &Expr,
        compiled: &Compiled,
    ) {
        let by_lot = self.block(|code| {
            code.push(stop_if(slot(Slot::Plies).at_least(slot(Slot::Cap)), Stop::Capped));
            code.push(Stmt::Set(number, drawn(count.clone() + swaps.clone())));
            if *swaps != int(0) {
                code.push(stop_if(number.get().at_least(count.clone()), Stop::Swapped));
            }
        });
        let passes = compiled.gathered.passes();
        if passes.is_empty() {
            return by_lot.into_iter().for_each(|stmt| self.push(stmt));
        }
        let pass = self.is_pass(&passes, source_of(MOVES.at(int(0))));
        let only = both(count.clone().equals(int(1)), pass);
        let first = vec![Stmt::Set(number, int(0)), Stmt::Set(forced, int(1))];
        self.push(Stmt::If(only, first, by_lot));
    }

    /// Draws one of the moves that have been gathered and count.
    fn draw_counted(&mut self, number: Local, forced: Local) {
        self.push(Stmt::Set(number, service(Service::DrawCounted, Vec::new())));
        let is_forced = number.get().equals(int(-2 - Stop::Forced as i32));
        let first = vec![Stmt::Set(number, int(0)), Stmt::Set(forced, int(1))];
        let stopped = vec![Stmt::Return(Some(int(-2) - number.get()))];
        let stops = vec![Stmt::If(number.get().less(int(-1)), stopped, Block::new())];
        self.push(Stmt::If(is_forced, first, stops));
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
            let leaves = either(slot(Slot::Expects), either(last, may_end));
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

    /// Whether a source is one of passes.
    fn is_pass(&mut self, passes: &[i32], source: Expr) -> Expr {
        let source = self.keep_int(source);
        let is = |&pass: &i32| source.clone().equals(int(pass));
        passes.iter().map(is).fold(int(0), either)
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

    /// Draws moves of a phase and makes them, until one turns out to be legal.
    fn draw_legal(&mut self, count: &Expr, compiled: &Compiled) {
        // Whether a move is forced, or there is none, the evaluator finds out.
        self.push(stop_if(slot(Slot::Plies).at_least(slot(Slot::Cap)), Stop::Ask));
        self.push(Stmt::Eval(service(Service::Keep, Vec::new())));
        let number = self.keep(Type::Int, slot(Slot::Chosen));
        let by_lot = vec![Stmt::Set(number, drawn(count.clone()))];
        self.push(Stmt::If(number.get().less(int(0)), by_lot, Block::new()));
        let legal = self.keep(Type::Int, int(0));
        self.while_loop(!legal.get(), |code| {
            let legal_now = code.make_number((number, int(0)), count, compiled);
            code.push(Stmt::Set(legal, legal_now));
            let again = service(Service::Reject, vec![number.get()]);
            let again =
                vec![Stmt::Set(number, again), stop_if(number.get().less(int(0)), Stop::Stuck)];
            code.push(Stmt::If(legal.get(), Block::new(), again));
        });
    }

    /// Finds the move of a number.
    fn locate(&mut self, number: Local) -> Located {
        let entry = self.local(Type::Int);
        let left = self.keep(Type::Int, number.get());
        let (first, count) = (self.local(Type::Int), self.local(Type::Int));
        self.push(Stmt::For(
            entry,
            int(0),
            slot(Slot::Gathered).min(int(MOST_ENTRIES as i32)),
            vec![
                Stmt::Set(first, entry.get() * int(ENTRY as i32)),
                Stmt::Set(count, MOVES.at(add(first.get(), int(COUNT as i32)))),
                Stmt::If(left.get().less(count.get()), vec![Stmt::Break(1)], Block::new()),
                Stmt::Set(left, left.get() - count.get()),
            ],
        ));
        let packed = self.keep(Type::Int, MOVES.at(first.get()));
        let mask = int(OF_FROM - 1);
        let from = packed.get().shifted_right(int(OF_FROM.trailing_zeros() as i32));
        let from = self.keep(Type::Int, from.and_bits(mask.clone()) - int(1));
        let to = self.keep(Type::Int, packed.get().and_bits(mask) - int(1));
        let backwards = (count.get() - int(1)) - left.get();
        let rank = choose(to.get().equals(int(DESCENDING - 1)), backwards, left.get());
        let site = TARGETS.at(entry.get()).nth(rank);
        let same = from.get().equals(int(SAME - 1));
        let is_behind = to.get().equals(int(BEHIND - 1));
        let behind = self.tables.reordered.then(|| self.keep_int(is_behind));
        let mut targeted = vec![Stmt::Set(to, site)];
        targeted.push(Stmt::If(same, vec![Stmt::Set(from, to.get())], Block::new()));
        self.push(Stmt::If(to.get().at_least(int(BEHIND - 1)), targeted, Block::new()));
        if let Some(behind) = behind {
            self.when(behind, |code| {
                let distance = code.keep_int(from.get() - int(NO_DISTANCE - 1));
                code.push(Stmt::Set(from, to.get()));
                let free = state_set(int(EMPTY as i32)).contains(from.get());
                code.for_range(int(0), int(code.game.room() as i32), |code, _| {
                    code.push(Stmt::Set(from, from.get() - distance.clone()));
                    code.break_unless(free.clone());
                });
            });
        }
        Located { first, packed, ends: [from, to] }
    }

    /// Makes the move of a number of those gathered, which may be forced, with how many there are;
    /// whether it turns out to be legal.
    fn make_number(
        &mut self,
        (number, forced): (Local, Expr),
        count: &Expr,
        compiled: &Compiled,
    ) -> Expr {
        let (first, packed, [from, to]) = match compiled.only_here {
            Some(descending) => {
                let backwards = (count.clone() - int(1)) - number.get();
                let rank = if descending { backwards } else { number.get() };
                let site = self.keep(Type::Int, TARGETS.at(int(0)).nth(rank));
                (int(0), MOVES.at(int(0)), [site; 2])
            }
            None => {
                let located = self.locate(number);
                if !compiled.clashes.is_empty() {
                    self.draw_again_if_repeated(number, count, &located, compiled);
                }
                (located.first.get(), located.packed.get(), located.ends)
            }
        };
        let of = |place: usize| MOVES.at(add(first.clone(), int(place as i32)));
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
            let mut arguments = vec![from.get(), to.get()];
            arguments.push(if source.piece { of(1) } else { int(0) });
            let known = source.numbers();
            let extra = |i| if i < known { of(EXTRA + i) } else { int(-1) };
            arguments.extend((0..MOST_EXTRA).map(extra));
            debug_assert_eq!(arguments.len(), OF_MOVE);
            let tried = compiled.tries.as_ref().and_then(|tries| *tries.get(number as usize)?);
            let mut block = vec![Stmt::Call((*make)?, arguments.clone())];
            if let Some(Tried { test, rest }) = tried {
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
            let first = service(Service::FirstOfItsKind, vec![number.get()]);
            let first = code.keep_int(first);
            code.when(first.clone().differs(number.get()), |code| {
                code.push(Stmt::Set(number, first));
                let again = code.locate(number);
                for (local, found) in located.locals().into_iter().zip(again.locals()) {
                    code.push(Stmt::Set(local, found.get()));
                }
            });
        });
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

    /// Removes what was captured earlier in the turn, if it ends.
    fn settle(&mut self) {
        if self.tables.defers {
            self.push(Stmt::Eval(service(Service::Settle, Vec::new())));
        }
    }

    /// Forgets what was pending, and enters a move into the record: whether it is a pass, and
    /// whether it is forced.
    fn begin(&mut self, pass: Expr, forced: Expr) {
        let pends = self.game.pends;
        if pends && self.game.initial.is_watched() {
            self.push(Stmt::Eval(service(Service::Forget, Vec::new())));
        } else if pends {
            let pending = int(self.game.layout.pending() as i32);
            self.push(Stmt::StoreSet(STATE, pending, Expr::NoSites));
        }
        let pass = self.keep_int(pass);
        self.push(set_slot(Slot::Passed, pass.clone()));
        self.push(Stmt::Store(HISTORY, slot(Slot::Noted), add(slot(Slot::Mover), pass)));
        for number in [Slot::Noted, Slot::Moves] {
            self.push(set_slot(number, add(slot(number), int(1))));
        }
        let plies = vec![set_slot(Slot::Plies, add(slot(Slot::Plies), int(1)))];
        match forced {
            Expr::Int(0) => plies.into_iter().for_each(|stmt| self.push(stmt)),
            forced => {
                let passes = choose(is_after_pass(), slot(Slot::Passes), int(0));
                let pass = vec![
                    set_slot(Slot::Passes, add(passes, int(1))),
                    set_slot(Slot::PassedAt, slot(Slot::Plies)),
                ];
                self.push(Stmt::If(forced, pass, plies));
            }
        }
        for (number, value) in [
            (Slot::HasPending, 0),
            (Slot::NamedNext, 0),
            (Slot::FromNow, -1),
            (Slot::ToNow, -1),
            (Slot::ActsAt, 0),
            (Slot::Expects, 0),
        ] {
            self.push(set_slot(number, int(value)));
        }
    }

    /// Asks the end rules, changes phases, and hands on the turn.
    fn hand_on_turn(&mut self, ends: FunctionId, changes: Option<FunctionId>) {
        let players = self.game.world.players as i32;
        let limit = either(
            slot(Slot::Moves).at_least(int(MOVE_LIMIT as i32)),
            slot(Slot::Turns).at_least(int(TURN_LIMIT as i32 * players)),
        );
        let limit = either(limit, slot(Slot::Noted).at_least(int(MOST_NOTED as i32)));
        self.push(stop_if(limit, Stop::Made));
        let ended = self.keep(Type::Int, Expr::Call(ends, Vec::new())).get();
        self.push(stop_if(ended.clone().equals(int(HOLDS)), Stop::Made));
        let mut before = vec![set_slot(Slot::Expects, int(1))];
        before.extend(
            (0..)
                .zip(TURN)
                .map(|(i, turn)| Stmt::Store(FRAME, int(Slot::Before as i32 + i), slot(turn))),
        );
        self.push(Stmt::If(ended.equals(int(IF_STUCK)), before, Block::new()));
        if let Some(changes) = changes {
            self.push(Stmt::Call(changes, Vec::new()));
        }
        let prev = self.keep(Type::Int, slot(Slot::Mover)).get();
        let mover = self.keep(Type::Int, slot(Slot::Next)).get();
        if self.game.visits {
            self.visit(mover.clone().equals(prev.clone()));
        }
        let next = self.following(&mover);
        for (number, value) in [
            (Slot::Counter, add(slot(Slot::Counter), int(1))),
            (Slot::Prev, prev.clone()),
            (Slot::Mover, mover.clone()),
            (Slot::Next, next),
        ] {
            self.push(set_slot(number, value));
        }
        let again = mover.equals(prev);
        let more = |number: Slot| set_slot(number, add(slot(number), int(1)));
        self.push(Stmt::If(
            again,
            vec![more(Slot::MovesThisTurn)],
            vec![set_slot(Slot::MovesThisTurn, int(0)), more(Slot::Turns)],
        ));
        self.sum_dice();
        self.push(stop(Stop::Played));
    }

    /// Takes the ends of a move as visited while the turn goes on, and none when it ends.
    fn visit(&mut self, again: Expr) {
        let visited = int(self.game.layout.visited() as i32);
        let put = |end: Slot| {
            let there = slot(end).at_least(int(0));
            Stmt::If(there, vec![Stmt::Put(STATE, visited.clone(), slot(end), true)], Block::new())
        };
        let none = vec![Stmt::StoreSet(STATE, visited.clone(), Expr::NoSites)];
        self.push(Stmt::If(again, vec![put(Slot::MadeFrom), put(Slot::MadeTo)], none));
    }

    /// The player after another who has no result yet.
    pub(super) fn following(&mut self, player: &Expr) -> Expr {
        let players = self.game.world.players as i32;
        let is_active = |player: Expr| slot(Slot::Active).shifted_right(player).and_bits(int(1));
        match players {
            1 => int(1),
            2 => {
                let other = int(3) - player.clone();
                choose(is_active(other.clone()), other, player.clone())
            }
            _ => {
                let next = self.keep(Type::Int, player.clone());
                let number = self.local(Type::Int);
                let last = next.get().at_least(int(players));
                let step = choose(last, int(1), add(next.get(), int(1)));
                let found = Stmt::If(is_active(next.get()), vec![Stmt::Break(1)], Block::new());
                let round = vec![Stmt::Set(next, step), found];
                self.push(Stmt::For(number, int(0), int(players), round));
                next.get()
            }
        }
    }

    /// Changes the phase of a player by the first rule that holds.
    fn change_phase(&mut self, player: Local) {
        let game = self.game;
        let current = self.keep(Type::Int, phase_of(player.get())).get();
        let done = self.keep(Type::Int, int(0));
        for (number, phase) in (0..).zip(&game.phases).filter(|(_, phase)| !phase.next.is_empty()) {
            self.when(current.clone().equals(int(number)), |code| {
                for change in &phase.next {
                    code.when(done.get().equals(int(0)), |code| {
                        let (asked, mover) = match &change.who {
                            None => (int(1), slot(Slot::Mover)),
                            Some(who) => {
                                let who = code.int(who);
                                (who.equals(player.get()), player.get())
                            }
                        };
                        code.when(asked, |code| {
                            let holds = code.bool(&change.condition);
                            let to = match change.to {
                                Some(to) => int(to as i32),
                                None => {
                                    let next = add(phase_of(mover), int(1));
                                    let next = code.keep_int(next);
                                    let last = next.clone().equals(int(game.phases.len() as i32));
                                    choose(last, int(0), next)
                                }
                            };
                            code.when(holds, |code| {
                                let place = add(player.get(), int(Slot::Phase as i32));
                                code.push(Stmt::Store(FRAME, place, to));
                                code.push(Stmt::Set(done, int(1)));
                            });
                        });
                    });
                }
            });
        }
    }
}
