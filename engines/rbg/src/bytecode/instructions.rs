//! Each instruction as statements.

use kernel::build::CodeBuilder;
use kernel::ir::{Expr, HostId, Local, Stmt, Type};

use super::arrays::{
    A_CELL, CHANGE, CHANGES, CHOICE, CHOICE_SETS, CHOICES, FOUND, GENERATOR, MOST_CHANGES,
    MOST_CHOICES, Service, Slot,
};
use super::clauses::ClauseTables;
use super::code::{BlockId, Coder, MOST_JUMPS};
use super::numbers::{self, Range};
use super::{Inst, Known, SlidingRays};
use crate::description::Var;
use crate::limits::MAX_KEEPER_MOVES;

impl Coder<'_> {
    /// Writes an instruction.
    pub(super) fn instruction(&mut self, at: usize, ins: Inst) {
        match ins {
            Inst::Jump(to) => {
                self.add(self.vars.jumps, 1);
                let leave = self.shared.leave;
                self.go_if(self.vars.jumps.get().greater(MOST_JUMPS), leave);
                self.go(self.block_at(to));
            }
            Inst::Skip(to) => self.go(self.block_at(to)),
            Inst::Choice(to) => {
                let block = self.block_at(to);
                self.choice(block, Expr::NoSites);
            }
            Inst::Fail => match self.known[at] {
                // There is nothing to go back to, and nothing to take back.
                Some(Known { is_open: false, is_changed: false, .. }) => {
                    self.count_lone(Expr::Int(0), self.shared.over);
                }
                _ => self.go(self.shared.fail),
            },
            Inst::Search => self.go(self.shared.leave),
            Inst::Leave { layer, mover } => {
                self.set(self.vars.layer, layer as i32);
                self.set(self.vars.mover, i32::from(mover));
                self.go(self.shared.left);
            }
            Inst::Walk(walk) => {
                let found = self.serve(Service::Walk, walk);
                self.set(self.vars.set, found);
            }
            _ => {
                let done = self.set_instruction(ins)
                    || self.way_instruction(at, ins)
                    || self.keeper_instruction(at, ins)
                    || self.player_instruction(at, ins);
                debug_assert!(done, "{ins:?} has no code");
            }
        }
    }

    /// Instructions that make sets; false of another.
    fn set_instruction(&mut self, ins: Inst) -> bool {
        let (set, sum, cell) = (self.vars.set, self.vars.sum, self.vars.cell);
        let negate = |set: Expr, held: Expr, negated: bool| {
            if negated { set.without(held) } else { set & held }
        };
        let value = match ins {
            Inst::Cell => Expr::single(cell),
            Inst::Const(cells) => self.constant(cells),
            Inst::Everywhere(cells) => {
                let cells = self.constant(cells);
                set.get().is_empty().choose(Expr::NoSites, cells)
            }
            Inst::Within(cells) => set.get() & self.constant(cells),
            Inst::On(cells) => set.get() & self.cells(cells),
            Inst::ConstOn { piece, set } if set == self.extent.all => self.piece(piece),
            Inst::ConstOn { piece, set } => self.constant(set) & self.piece(piece),
            Inst::RowOn { piece, table } => self.row(table) & self.piece(piece),
            Inst::Row(table) => self.row(table),
            Inst::Rays(slide) => self.slide(slide),
            Inst::ShiftOn { by, piece, from } => {
                self.stepped(set.get(), by, from) & self.piece(piece)
            }
            Inst::LoadOn { register, piece } => self.register(register).get() & self.piece(piece),
            Inst::Shift { by, from } => self.stepped(set.get(), by, from),
            Inst::Sum => sum.get(),
            Inst::WithinSum { negated } => negate(set.get(), sum.get(), negated),
            Inst::Lookahead { by, cells, negated, from } => {
                let cells = self.cells(cells);
                negate(set.get(), self.stepped_back(cells, by, from), negated)
            }
            Inst::Among { clauses, negated } => {
                let held = self.among(clauses, set);
                negate(set.get(), held.get(), negated)
            }
            Inst::OnlyIf(compare) => {
                match numbers::compare(&self.bytecode.compares[compare as usize], &self.numbers()) {
                    Some(holds) => holds.choose(set, Expr::NoSites),
                    None => {
                        self.leave_list();
                        return true;
                    }
                }
            }
            Inst::Load(register) => self.register(register).get(),
            Inst::And(register) => set.get() & self.register(register).get(),
            Inst::Without(register) => self.register(register).get().without(set),
            Inst::Beyond(register) => set.get().without(self.register(register).get()),
            Inst::Unless(register) => {
                let kept = self.register(register).get();
                kept.is_empty().choose(Expr::single(cell), Expr::NoSites)
            }
            _ => return self.kept_instruction(ins),
        };
        self.set(set, value);
        true
    }

    /// Instructions that make other sets than the current one; false of another.
    fn kept_instruction(&mut self, ins: Inst) -> bool {
        let (set, sum) = (self.vars.set, self.vars.sum);
        let (to, value) = match ins {
            Inst::NoSum => (sum, Expr::NoSites),
            Inst::AddShift { by, from } => (sum, sum.get() | self.stepped(set.get(), by, from)),
            Inst::AddPreimage { by, cells, from } => {
                let cells = self.cells(cells);
                (sum, sum.get() | self.stepped_back(cells, by, from))
            }
            Inst::Fill { line, cells, test_first } => {
                let cells = self.cells(cells);
                self.fill_line(self.bytecode.lines[line as usize], set, cells, test_first);
                return true;
            }
            Inst::Rows(table) => {
                let (cell, all) = (self.local(Type::Int), self.local(Type::Set));
                self.set(all, Expr::NoSites);
                let row = self.tables.rows[table as usize].at(cell);
                let body = self.block(|coder| coder.set(all, all.get() | row));
                self.push(Stmt::ForEach(cell, set.get(), body));
                (set, all.get())
            }
            Inst::Save(register) => (self.register(register), set.get()),
            Inst::None(register) => (self.register(register), Expr::NoSites),
            Inst::Or(register) => {
                let register = self.register(register);
                (register, register.get() | set.get())
            }
            Inst::ShiftOr { by, register, from } => {
                let register = self.register(register);
                (register, register.get() | self.stepped(set.get(), by, from))
            }
            _ => return false,
        };
        self.set(to, value);
        true
    }

    fn row(&self, table: u32) -> Expr {
        self.tables.rows[table as usize].at(self.vars.cell)
    }

    /// The cells that rays lead to from the current one, without those behind the first cell that
    /// rays do not go on over.
    fn slide(&mut self, slide: SlidingRays) -> Expr {
        let (rays, rows) = (i32::from(slide.rays), self.tables.rows[slide.table as usize]);
        let open = self.local(Type::Set);
        let cells = self.cells(slide.cells);
        self.set(open, cells);
        let first = self.local(Type::Int);
        self.set(first, self.vars.cell.get() * rays);
        let reached = (0..rays).map(|number| {
            let [ray, stops] = [Type::Set; 2].map(|of| self.local(of));
            self.set(ray, rows.at(first.get() + number));
            self.set(stops, ray.get().without(open));
            // Behind the last cell, and before the first, there is nothing.
            let stop = if number < i32::from(slide.ascending) {
                self.on_board(stops.get().nth(0))
            } else {
                stops.get().last().max(0)
            };
            let ray = if slide.hit { ray.get() } else { ray.get() ^ stops.get() };
            ray.without(rows.at(stop * rays + number))
        });
        reached.reduce(|all, ray| all | ray).unwrap_or(Expr::NoSites)
    }

    /// The cells of a set at which any of some clauses holds.
    pub(super) fn among(&mut self, clauses: u32, set: Local) -> Local {
        let held = self.local(Type::Set);
        self.set(held, Expr::NoSites);
        let cell = self.local(Type::Int);
        let some = self.constant(self.bytecode.clauses[clauses as usize].some());
        let body = self.block(|coder| {
            let holds = coder.clauses(clauses, cell);
            coder.when(holds, |coder| coder.set(held, held.get() | Expr::single(cell)));
        });
        self.push(Stmt::ForEach(cell, set.get() & some, body));
        held
    }

    /// Writes a test that is true if any of some clauses holds at a cell.
    fn clauses(&mut self, clauses: u32, cell: Local) -> Expr {
        let bytecode = self.bytecode;
        let [first, second] =
            bytecode.clauses[clauses as usize].cells().map(|cells| self.cells(cells));
        match self.tables.clauses[clauses as usize] {
            ClauseTables::Equal { each: 0, .. } => Expr::Int(0),
            ClauseTables::Equal { masks, each, some } => {
                let class = self.local(Type::Set);
                self.set(class, first);
                let at = self.local(Type::Int);
                self.set(at, cell.get() * each);
                let within = |n: i32| masks.at(at.get() + n).is_subset(class);
                let any = (1..each).fold(within(0), |any, n| any.or_bits(within(n)));
                any.and_bits(self.constant(some).contains(cell))
            }
            ClauseTables::Pairs { starts, firsts, seconds } => {
                let classes = [self.local(Type::Set), self.local(Type::Set)];
                self.set(classes[0], first);
                self.set(classes[1], second);
                let (number, held) = (self.local(Type::Int), self.local(Type::Int));
                self.set(held, 0);
                let both = firsts.at(number).is_subset(classes[0]);
                let both = both.and_bits(seconds.at(number).is_subset(classes[1]));
                let body = vec![Stmt::Set(held, held.get().or_bits(both))];
                let (from, to) = (starts.at(cell), starts.at(cell.get() + 1));
                self.push(Stmt::For(number, from, to, body));
                held.get()
            }
        }
    }

    /// Instructions that go on here or elsewhere; false of another.
    fn way_instruction(&mut self, at: usize, ins: Inst) -> bool {
        let (set, cell) = (self.vars.set, self.vars.cell);
        match ins {
            Inst::IfEmpty(to) => self.go_if(set.get().is_empty(), self.block_at(to)),
            Inst::IfAny(to) => self.go_if(set.get().is_inhabited(), self.block_at(to)),
            Inst::IfAnyOn { piece, to } => {
                self.set(set, set.get() & self.piece(piece));
                self.go_if(set.get().is_inhabited(), self.block_at(to));
            }
            Inst::ToSingle(to) => {
                self.go_if(set.get().is_empty(), self.block_at(to));
                self.single();
            }
            Inst::Single => self.single(),
            Inst::First => self.go_to_cell(set.get().nth(0)),
            Inst::Each => {
                let first = self.local(Type::Int);
                self.set(first, set.get().nth(0));
                let rest = self.local(Type::Set);
                self.set(rest, set.get().without(Expr::single(first)));
                let here = self.block_at(at as u32);
                self.when(rest.get().is_inhabited(), |coder| coder.choice(here, rest.get()));
                self.go_to_cell(first);
            }
            Inst::Step { next, otherwise } => {
                let to = self.step(next);
                self.go_if(to.get().less(0), self.block_at(otherwise));
                self.go_to_cell(to);
            }
            Inst::StepOn { next, cells, otherwise } => {
                let to = self.step(next);
                let cells = self.cells(cells);
                self.go_if(!cells.contains(to), self.block_at(otherwise));
                self.go_to_cell(to);
            }
            Inst::IfOn { cells, otherwise } => {
                let cells = self.cells(cells);
                self.go_if(!cells.contains(cell), self.block_at(otherwise));
            }
            Inst::IfWithin { set, otherwise } => {
                let cells = self.constant(set);
                self.go_if(!cells.contains(cell), self.block_at(otherwise));
            }
            Inst::IfClause { clauses, negated, otherwise } => {
                let holds = self.clauses(clauses, cell);
                let fails = if negated { holds } else { !holds };
                self.go_if(fails, self.block_at(otherwise));
            }
            Inst::IfCompare { compare, otherwise } => {
                let compare = &self.bytecode.compares[compare as usize];
                match numbers::compare(compare, &self.numbers()) {
                    Some(holds) => self.go_if(!holds, self.block_at(otherwise)),
                    None => self.leave_list(),
                }
            }
            Inst::IfPattern { pattern, negated, otherwise } => {
                let found = self.serve(Service::Pattern, pattern);
                let fails = if negated { found.is_inhabited() } else { found.is_empty() };
                self.go_if(fails, self.block_at(otherwise));
            }
            Inst::IfRoutine { routine, negated, otherwise } => {
                let answer = self.ask_routine(routine);
                self.go_if(if negated { answer } else { !answer }, self.block_at(otherwise));
            }
            Inst::Answer(yes) => self.push(Stmt::Return(Some(Expr::Int(yes.into())))),
            Inst::IfKept { kept, bit, negated, otherwise } => {
                let held = self.vars.held[usize::from(kept)].get().and_bits(1 << bit);
                self.go_if(if negated { held } else { !held }, self.block_at(otherwise));
            }
            _ => return false,
        }
        true
    }

    /// Goes to the only cell of the set; what to do with several the search knows.
    fn single(&mut self) {
        let (set, cell) = (self.vars.set, self.vars.cell);
        self.go_to_cell(set.get().nth(0));
        let one = set.get().without(Expr::single(cell)).is_empty();
        self.go_if(!one, self.shared.leave);
    }

    /// The cell that a function leads to from the current cell, or -1.
    fn step(&mut self, next: u32) -> Local {
        let to = self.local(Type::Int);
        self.set(to, self.tables.next[next as usize].at(self.vars.cell));
        to
    }

    /// Goes on there on failure, from the current cell and with a set.
    fn choice(&mut self, block: BlockId, set: Expr) {
        let (choices, changes, cell) = (self.vars.choices, self.vars.changes, self.vars.cell);
        let leave = self.shared.leave;
        self.go_if(choices.get().at_least(MOST_CHOICES as i32), leave);
        let number = self.choices.number(block);
        let first = choices.get() * CHOICE;
        self.store(CHOICES, first.clone(), number);
        self.store(CHOICES, first.clone() + 1, changes);
        self.store(CHOICES, first + 2, cell);
        self.store_set(CHOICE_SETS, choices, set);
        self.add(choices, 1);
    }

    /// The answer of the search, which is called for a service.
    fn serve(&mut self, service: Service, number: u32) -> Expr {
        self.give_position();
        let arguments = vec![Expr::Int(number as i32), self.vars.cell.get()];
        self.when(HostId(service as u32).call(arguments), Self::leave_list);
        FOUND.at(0)
    }

    /// Instructions of the keeper; false of another.
    fn keeper_instruction(&mut self, at: usize, ins: Inst) -> bool {
        match ins {
            Inst::Enter(layer) => {
                self.begin_keeper(layer);
                let moves = self.vars.keeper_moves;
                self.add(moves, 1);
                let stuck = self.shared.stuck;
                self.when(moves.get().greater(MAX_KEEPER_MOVES as i32), |coder| {
                    coder.count_lone(Expr::Int(0), stuck);
                });
            }
            Inst::Put(piece) => {
                self.put(piece, self.vars.cell, self.here(at));
                self.note_kept(piece);
            }
            Inst::PutNoted(piece) => {
                let here = self.here(at);
                let (cell, old) = (self.vars.cell, self.piece_here(here));
                self.note_change(Expr::Int(A_CELL), cell.get(), old);
                self.put(piece, cell, here);
                self.note_kept(piece);
            }
            Inst::Set { var, value } => self.set(self.vars.values[usize::from(var)], value),
            Inst::SetNoted { var, value } => self.set_noted(var, Expr::Int(value)),
            Inst::Assign { var, formula } => {
                let Some((value, range)) = self.formula(formula) else {
                    self.go(self.shared.leave);
                    return true;
                };
                self.assign(var, value, range, self.bytecode.formulas[formula as usize].1);
            }
            _ => return false,
        }
        true
    }

    /// Begins what the keeper does from a layer.
    pub(super) fn begin_keeper(&mut self, layer: u32) {
        self.set(self.vars.layer, layer as i32);
        self.set(self.vars.mover, 0);
        self.set(self.vars.origin, self.vars.cell);
        for counter in [self.vars.jumps, self.vars.choices, self.vars.changes] {
            self.set(counter, 0);
        }
    }

    fn assign(&mut self, var: Var, value: Expr, range: Range, bound: i32) {
        let new = self.local(Type::Int);
        self.set(new, value);
        self.go_unless_within(new, range, bound, self.shared.fail);
        self.set_noted(var, new.get());
    }

    /// Goes to a block if a variable cannot have a value: those between which it is known to be are
    /// not tested.
    pub(super) fn go_unless_within(&mut self, value: Local, of: Range, bound: i32, block: BlockId) {
        if of.least < 0 {
            self.go_if(value.get().less(0), block);
        }
        if of.most > i64::from(bound) {
            self.go_if(value.get().greater(bound), block);
        }
    }

    fn set_noted(&mut self, var: Var, value: Expr) {
        let local = self.vars.values[usize::from(var)];
        self.note_change(Expr::Int(i32::from(var)), Expr::Int(0), local.get());
        self.set(local, value);
    }

    fn note_change(&mut self, what: Expr, place: Expr, old: Expr) {
        let changes = self.vars.changes;
        let leave = self.shared.leave;
        self.go_if(changes.get().at_least(MOST_CHANGES as i32), leave);
        let first = changes.get() * CHANGE;
        self.store(CHANGES, first.clone(), what);
        self.store(CHANGES, first.clone() + 1, place);
        self.store(CHANGES, first + 2, old);
        self.add(changes, 1);
    }

    /// The value of a formula, and between which numbers it is; none where that may overflow.
    pub(super) fn formula(&self, formula: u32) -> Option<(Expr, Range)> {
        numbers::value(&self.bytecode.formulas[formula as usize].0, &self.numbers())
    }

    fn numbers(&self) -> numbers::Numbers<'_> {
        numbers::Numbers {
            values: &self.vars.values,
            bounds: self.extent.bounds,
            pieces: self.pieces().map(|piece| self.piece(piece)).collect(),
            cells: 64 * self.extent.words as i64,
        }
    }

    /// A ply, of so many moves: the number of one of them.
    pub(super) fn draw(&mut self, count: Local) -> Expr {
        self.when(self.vars.plies.get().equals(self.vars.cap), |coder| {
            coder.slot(Slot::Moves, count);
            coder.go(coder.shared.capped);
        });
        self.count_ply();
        GENERATOR.draw(count)
    }
}
