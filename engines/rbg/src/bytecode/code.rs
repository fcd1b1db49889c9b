//! Instructions as a program of the kernel: what is played with them from a turn to the end.
//!
//! Pieces, variables and registers are variables of one function. Each instruction that others go
//! to begins a block; what several of them share (taking back, handing over to the search, lone
//! moves) is a block of its own, which goes back by a number that says where it was come from.

use std::ops::Range;

use kernel::build::{CodeBuilder, ProgramBuilder};
use kernel::ir::{Access, Block, Expr, Function, Local, Program, SetTable, Stmt, Table, Type};
use rustc_hash::FxHashMap;

use super::arrays::{
    A_CELL, CHANGE, CHANGES, CHOICE, CHOICE_SETS, CHOICES, END, ENDS, Event, FRAME, GENERATOR,
    INTS, LONG, MOST_TOGETHER, SEEDS, SERVICES, Slot, VARS, seed_sets, sets,
};
use super::clauses::{ClauseTables, words_of};
use super::kept::{self, KeptTables};
use super::known::{Known, follow};
use super::{Bytecode, CellSet, Cells, Inst, Line, MOST_TRIED, SetPosition};
use crate::description::{Piece, Var};
use crate::layout::NONE;

/// Jumps of one move of the keeper; more are left to the search.
pub(super) const MOST_JUMPS: i32 = 20_000;

/// The board, pieces and variables that the instructions of a game work on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent<'b> {
    /// The number of pieces; each has a set.
    pub(crate) pieces: usize,
    /// The greatest values of variables.
    pub(crate) bounds: &'b [i32],
    /// The number of variables that are scores; they come first.
    pub(crate) players: usize,
    /// All cells that are vertices.
    pub(crate) all: CellSet,
    /// Words of a set.
    pub(crate) words: usize,
    /// The start of playouts, if that is a turn of the instructions.
    pub(crate) start: Option<Start<'b>>,
}

/// The position and the turn at which playouts begin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Start<'b> {
    pub(crate) flat: &'b SetPosition,
    pub(crate) cell: u16,
    /// The instruction.
    pub(crate) at: u32,
}

/// The program of instructions. Its last function, behind the routines, takes the instruction of a turn, plays on from
/// there, then other playouts from the start, as many as there are to be, until one is left.
pub(crate) fn program(bytecode: &Bytecode, extent: Extent<'_>) -> Program {
    let words = extent.words;
    let mut program = ProgramBuilder::new(words);
    for (name, entries) in INTS {
        program.ints_of(name, Access::Write, entries);
    }
    for (name, entries) in sets(words, extent.pieces) {
        program.sets_of(name, Access::Write, entries);
    }
    for (name, arguments) in SERVICES {
        program.host(name, arguments);
    }
    // Filled in at the end.
    let table = program.set_table([]);
    let rows = bytecode.rows.iter().map(|row| program.set_table(words_of(row, words))).collect();
    let to = |&to: &u16| if to == NONE { -1 } else { i32::from(to) };
    let next = |next: &[u16]| next.iter().map(to).collect::<Vec<_>>();
    let next = bytecode.next.iter().map(|table| program.table(next(table))).collect();
    let clauses = bytecode.clauses.iter();
    let clauses = clauses.map(|clauses| clauses.tables(&mut program, words)).collect();
    let kept = kept::tables(&bytecode.kept, words, &mut program);
    let tables = Tables { rows, next, clauses, kept, constants: table };
    let mut coder = Coder::new(bytecode, extent, tables);
    for routine in 0..bytecode.routines.len() {
        program.function(coder.routine(routine));
    }
    coder.write();
    let (function, constants) = coder.finish();
    program.function(function);
    let mut program = program.finish();
    program.set_tables[table.0 as usize] = words_of(&constants, words).into();
    program
}

/// Constant tables by the numbers that instructions name them by.
pub(super) struct Tables {
    pub(super) rows: Vec<SetTable>,
    pub(super) next: Vec<Table>,
    pub(super) clauses: Vec<ClauseTables>,
    pub(super) kept: Vec<KeptTables>,
    constants: SetTable,
}

/// An action that a move does before it comes to its last cells.
#[derive(Clone, Copy)]
pub(super) enum TentativeAction {
    /// On a cell on which one of some others stands.
    Put {
        piece: Piece,
        over: Cells,
    },
    Set {
        var: Var,
        formula: u32,
    },
}

/// The pieces that change, or the variable, before something is tried.
pub(super) enum UndoEntry {
    Pieces(Vec<(Piece, Local)>),
    Value(Var, Local),
}

/// The number of a block.
pub(super) type BlockId = u32;

/// Numbers that what is shared goes on by, and where.
#[derive(Default)]
pub(super) struct Returns(Vec<(i32, BlockId)>);

impl Returns {
    /// The number under which a block is gone on with.
    pub(super) fn number(&mut self, block: BlockId) -> i32 {
        let known = self.0.iter().position(|(_, to)| *to == block);
        let number = known.unwrap_or(self.0.len()) as i32;
        if known.is_none() {
            self.0.push((number, block));
        }
        number
    }

    /// All of them: nobody goes on there later.
    pub(super) fn take(&mut self) -> Vec<(i32, BlockId)> {
        std::mem::take(&mut self.0)
    }
}

/// Writes the function.
pub(super) struct Coder<'q> {
    pub(super) bytecode: &'q Bytecode,
    pub(super) extent: Extent<'q>,
    pub(super) tables: Tables,
    pub(super) locals: Vec<Type>,
    /// Facts that hold at each instruction; `None` if nothing comes to it.
    pub(super) known: Vec<Option<Known>>,
    /// The block that is being written.
    code: Block,
    pub(super) blocks: Vec<Block>,
    /// The block of each instruction that begins one.
    pub(super) block_of: Vec<Option<BlockId>>,
    constants: Vec<CellSet>,
    pub(super) vars: Vars,
    pub(super) shared: Shared,
    /// The places at which lone moves go on once they are noted, or counted.
    pub(super) noted: Returns,
    pub(super) counted: Returns,
    /// The places at which the code goes on after a failure.
    pub(super) choices: Returns,
    /// The actions that are being tried, and what undoes each.
    pub(super) undo_log: Vec<(TentativeAction, UndoEntry)>,
    /// For each way of the list that is being written, the actions that it does first.
    pub(super) listed: Vec<(u32, Vec<TentativeAction>)>,
}

/// Variables of the function.
pub(super) struct Vars {
    pub(super) pieces: Pieces,
    pub(super) values: Vec<Local>,
    registers: FxHashMap<u8, Local>,
    /// Cells of the pieces that are tried.
    pub(super) tried: [Local; MOST_TRIED],
    pub(super) cell: Local,
    pub(super) set: Local,
    pub(super) sum: Local,
    pub(super) plies: Local,
    pub(super) cap: Local,
    pub(super) passes: Local,
    count: Local,
    played: Local,
    /// The beginning of the turn of the player, or keeper, to move: layer, player and cell.
    pub(super) layer: Local,
    pub(super) mover: Local,
    pub(super) origin: Local,
    pub(super) keeper_moves: Local,
    pub(super) jumps: Local,
    pub(super) waiting: Local,
    pub(super) choices: Local,
    pub(super) changes: Local,
    /// Entries of the list, and moves of them all.
    pub(super) entries: Local,
    pub(super) total: Local,
    /// The number of the move drawn, and the way it is of.
    pub(super) drawn: Local,
    pub(super) way: Local,
    event: Local,
    /// The place at which a shared routine goes on, and its argument.
    pub(super) back: Local,
    pub(super) mark: Local,
    pub(super) may_pass: Local,
    /// The tests that hold of the piece that was put last, of those that anything is kept of.
    pub(super) held: Vec<Local>,
}

impl Vars {
    /// Those of a function, given where it has the pieces.
    pub(super) fn new(
        pieces: Pieces,
        bytecode: &Bytecode,
        extent: Extent<'_>,
        mut local: impl FnMut(Type) -> Local,
    ) -> Vars {
        Vars {
            pieces,
            values: extent.bounds.iter().map(|_| local(Type::Int)).collect(),
            registers: FxHashMap::default(),
            tried: [Type::Int; MOST_TRIED].map(&mut local),
            cell: local(Type::Int),
            set: local(Type::Set),
            sum: local(Type::Set),
            plies: local(Type::Int),
            cap: local(Type::Int),
            passes: local(Type::Int),
            count: local(Type::Int),
            played: local(Type::Int),
            layer: local(Type::Int),
            mover: local(Type::Int),
            origin: local(Type::Int),
            keeper_moves: local(Type::Int),
            jumps: local(Type::Int),
            waiting: local(Type::Int),
            choices: local(Type::Int),
            changes: local(Type::Int),
            entries: local(Type::Int),
            total: local(Type::Int),
            drawn: local(Type::Int),
            way: local(Type::Int),
            event: local(Type::Int),
            back: local(Type::Int),
            mark: local(Type::Int),
            may_pass: local(Type::Int),
            held: bytecode.kept.iter().map(|_| local(Type::Int)).collect(),
        }
    }
}

/// Words of a set up to which pieces are variables: those of more do not fit into registers, and in
/// memory a piece is put by writing one word.
const MOST_WORDS: usize = 2;

/// The variables or the array that hold the cells of each piece.
#[derive(Debug)]
pub(super) enum Pieces {
    Variables(Vec<Local>),
    /// In [`PIECES`](super::arrays::PIECES), of so many.
    Memory(usize),
}

impl Pieces {
    /// So many, of sets of so many words.
    pub(super) fn new(number: usize, words: usize, mut local: impl FnMut() -> Local) -> Pieces {
        if words > MOST_WORDS {
            return Pieces::Memory(number);
        }
        Pieces::Variables((0..number).map(|_| local()).collect())
    }
}

/// Blocks that others share.
#[derive(Clone, Copy)]
pub(super) struct Shared {
    pub(super) fail: BlockId,
    unwind: BlockId,
    pub(super) leave: BlockId,
    pub(super) left: BlockId,
    pub(super) over: BlockId,
    pub(super) capped: BlockId,
    pub(super) stuck: BlockId,
    exit: BlockId,
    pub(super) note: BlockId,
    pub(super) count: BlockId,
    pub(super) refuse: BlockId,
    pub(super) no_moves: BlockId,
}

impl<'q> Coder<'q> {
    fn new(bytecode: &'q Bytecode, extent: Extent<'q>, tables: Tables) -> Coder<'q> {
        // The first is the parameter.
        let mut locals = vec![Type::Int];
        let mut local = |of| {
            locals.push(of);
            Local(locals.len() as u32 - 1)
        };
        let pieces = Pieces::new(extent.pieces, extent.words, || local(Type::Set));
        let vars = Vars::new(pieces, bytecode, extent, local);
        let block_of = leaders(bytecode, 0..bytecode.main());
        // The entry, then those of instructions, then what they share: what ends a playout before
        // the exit, for to go back counts as going round in circles.
        let first = 1 + block_of.iter().flatten().count() as BlockId;
        let shared = Shared {
            fail: first,
            unwind: first + 1,
            leave: first + 2,
            left: first + 3,
            over: first + 4,
            no_moves: first + 5,
            capped: first + 6,
            refuse: first + 7,
            stuck: first + 8,
            exit: first + 9,
            note: first + 10,
            count: first + 11,
        };
        Coder {
            bytecode,
            extent,
            tables,
            locals,
            known: follow(bytecode),
            code: Block::new(),
            blocks: vec![Block::new(); first as usize + 12],
            block_of,
            constants: Vec::new(),
            vars,
            shared,
            noted: Returns::default(),
            counted: Returns::default(),
            choices: Returns::default(),
            undo_log: Vec::new(),
            listed: Vec::new(),
        }
    }

    fn finish(mut self) -> (Function, Vec<CellSet>) {
        // Blocks are left where the budget is spent.
        let spent = self.block(|coder| {
            coder.set(coder.vars.event, Event::Stuck as i32);
            coder.note_end();
            coder.give_out();
        });
        let mut body = vec![Stmt::Blocks(self.blocks)];
        body.extend(spent);
        let name = "play".to_owned();
        let function = Function { name, locals: self.locals, params: 1, result: None, body };
        (function, self.constants)
    }

    /// Writes all blocks.
    fn write(&mut self) {
        self.fill(0, Self::enter);
        self.write_instructions(0..self.bytecode.main());
        let shared = self.shared;
        self.fill(shared.note, Self::note);
        self.fill(shared.fail, Self::fail);
        self.fill(shared.leave, Self::leave);
        // Behind all that goes on through it.
        self.fill(shared.unwind, Self::unwind);
        self.fill(shared.left, Self::left);
        self.fill(shared.over, |coder| {
            coder.slot(Slot::Mover, 0);
            coder.stop(Event::Over);
        });
        for (block, event) in [(shared.no_moves, Event::Over), (shared.capped, Event::Capped)] {
            self.fill(block, |coder| {
                coder.note_standing();
                coder.stop(event);
            });
        }
        self.fill(shared.stuck, |coder| coder.stop(Event::Stuck));
        // Last, as the others count.
        self.fill(shared.count, Self::count);
        self.fill(shared.refuse, Self::refuse);
        self.fill(shared.exit, Self::exit);
    }

    /// Writes the blocks of some instructions.
    pub(super) fn write_instructions(&mut self, range: Range<usize>) {
        let mut at = range.start;
        while at < range.end {
            let Some(block) = self.block_of[at] else {
                // Nothing comes here.
                at += 1;
                continue;
            };
            let end = (at + 1..range.end).find(|&next| self.block_of[next].is_some());
            let end = end.unwrap_or(range.end);
            self.fill(block, |coder| {
                for (number, ins) in coder.bytecode.code[at..end].iter().enumerate() {
                    coder.instruction(at + number, *ins);
                }
                if let Some(Some(next)) = coder.block_of.get(end) {
                    coder.go(*next);
                }
            });
            at = end;
        }
    }

    // Statements.

    pub(super) fn add(&mut self, local: Local, number: impl Into<Expr>) {
        self.set(local, local.get() + number.into());
    }

    pub(super) fn slot(&mut self, slot: Slot, value: impl Into<Expr>) {
        self.store(FRAME, slot as i32, value);
    }

    pub(super) fn go(&mut self, block: BlockId) {
        self.push(Stmt::Go(block));
    }

    pub(super) fn go_if(&mut self, condition: Expr, block: BlockId) {
        self.when(condition, |coder| coder.go(block));
    }

    /// Goes on with the block that belongs to the value of a variable, which is one of these.
    pub(super) fn dispatch(&mut self, number: Local, among: &[(i32, BlockId)]) {
        match among {
            [] => {}
            [(_, block)] => self.go(*block),
            _ => {
                let (low, high) = among.split_at(among.len() / 2);
                let is_low = number.get().less(high[0].0);
                self.when(is_low, |coder| coder.dispatch(number, low));
                self.dispatch(number, high);
            }
        }
    }

    pub(super) fn new_block(&mut self) -> BlockId {
        self.blocks.push(Block::new());
        self.blocks.len() as BlockId - 1
    }

    pub(super) fn fill(&mut self, block: BlockId, write: impl FnOnce(&mut Self)) {
        self.blocks[block as usize] = self.block(write);
    }

    /// The pieces that may stand on the current cell where an instruction is.
    pub(super) fn here(&self, at: usize) -> Cells {
        self.known[at].map_or(Cells::ALL, |known| known.cell)
    }

    /// The block that begins at an instruction.
    pub(super) fn block_at(&self, at: u32) -> BlockId {
        self.block_of[at as usize].expect("it is gone to")
    }

    pub(super) fn register(&mut self, register: u8) -> Local {
        if let Some(local) = self.vars.registers.get(&register) {
            return *local;
        }
        let local = self.local(Type::Set);
        self.vars.registers.insert(register, local);
        local
    }

    // Sets.

    pub(super) fn constant(&mut self, set: CellSet) -> Expr {
        if set.is_empty() {
            return Expr::NoSites;
        }
        let known = self.constants.iter().position(|&constant| constant == set);
        let number = known.unwrap_or(self.constants.len());
        if known.is_none() {
            self.constants.push(set);
        }
        self.tables.constants.at(number as i32)
    }

    /// The cells that a step leads to from those cells of a set that are among `from`.
    pub(super) fn stepped(&mut self, set: Expr, by: i32, from: CellSet) -> Expr {
        (set & self.constant(from)).shift(by)
    }

    /// The cells of `from` that a step takes to a set.
    pub(super) fn stepped_back(&mut self, set: Expr, by: i32, from: CellSet) -> Expr {
        set.shift(-by) & self.constant(from)
    }

    /// The cells that any number of steps of a line leads to from a set, each to a cell of a class
    /// or, `test_first`, from one; twice as many steps at a time (the Kogge-Stone fills of chess
    /// programs).
    pub(super) fn fill_line(&mut self, line: Line, set: Local, class: Expr, test_first: bool) {
        let open =
            if test_first { (class & self.constant(line.from)).shift(line.by) } else { class };
        let open_cells = self.local(Type::Set);
        let to = self.constant(line.to);
        self.set(open_cells, open & to);
        for doubling in 0..line.doublings {
            let by = line.by << doubling;
            self.set(set, set.get() | (open_cells.get() & set.get().shift(by)));
            if doubling + 1 < line.doublings {
                self.set(open_cells, open_cells.get() & open_cells.get().shift(by));
            }
        }
    }

    // What is shared.

    /// Takes in the position, and goes on with a turn.
    fn enter(&mut self) {
        self.enter_pieces();
        for var in 0..self.vars.values.len() {
            self.set(self.vars.values[var], VARS.at(var as i32));
        }
        self.go_to_cell(FRAME.at(Slot::Cell as i32));
        let Vars { plies, cap, passes, count, .. } = self.vars;
        for (local, slot) in
            [(plies, Slot::Plies), (cap, Slot::Cap), (passes, Slot::Passes), (count, Slot::Count)]
        {
            self.set(local, FRAME.at(slot as i32));
        }
        self.renew_kept(|_| true);
        let mut turns: Vec<(i32, BlockId)> = (self.bytecode.turns.iter().flatten())
            .map(|(_, at)| (*at as i32, self.block_at(*at)))
            .collect();
        turns.sort_unstable();
        turns.dedup();
        self.dispatch(Local(0), &turns);
    }

    /// Gives out the position.
    pub(super) fn give_position(&mut self) {
        self.give_pieces();
        self.give_values();
    }

    fn give_values(&mut self) {
        for var in 0..self.vars.values.len() {
            self.store(VARS, var as i32, self.vars.values[var]);
        }
    }

    pub(super) fn stop(&mut self, event: Event) {
        self.set(self.vars.event, event as i32);
        self.go(self.shared.exit);
    }

    /// A playout has ended, or is left: begins another if there is to be one.
    fn exit(&mut self) {
        let Vars { plies, count, played, event, .. } = self.vars;
        self.note_end();
        if let Some(start) = self.extent.start {
            let is_left = event.get().equals(Event::Left as i32);
            let goes_on = played.get().less(count).and(!is_left).and(plies.get().less(LONG));
            self.when(goes_on, |coder| coder.begin(start));
        }
        self.give_out();
    }

    /// Notes how a playout has ended.
    fn note_end(&mut self) {
        let Vars { plies, played, event, .. } = self.vars;
        let end = self.local(Type::Int);
        self.set(end, within_run(played) * END);
        self.store(ENDS, end, event);
        self.store(ENDS, end.get() + 1, plies);
        for player in 0..self.extent.players {
            self.store(ENDS, end.get() + (2 + player as i32), self.vars.values[player]);
        }
        self.add(played, 1);
    }

    /// Gives out where the last playout stands, and returns.
    fn give_out(&mut self) {
        let Vars { plies, passes, played, .. } = self.vars;
        self.give_position();
        for (slot, local) in [(Slot::Plies, plies), (Slot::Passes, passes), (Slot::Played, played)]
        {
            self.slot(slot, local);
        }
        self.push(Stmt::Return(None));
    }

    /// Begins the next playout.
    fn begin(&mut self, start: Start<'_>) {
        let seed = seed_sets(self.extent.words) as i32;
        for set in 0..seed {
            let seed = SEEDS.at(within_run(self.vars.played) * seed + set);
            self.store_set(GENERATOR, set, seed);
        }
        for piece in self.pieces() {
            let cells = self.constant(start.flat.set(piece.into()));
            self.set_piece(piece, cells);
        }
        for var in 0..self.vars.values.len() {
            self.set(self.vars.values[var], start.flat.vars[var]);
        }
        self.go_to_cell(i32::from(start.cell));
        let Vars { plies, passes, keeper_moves, jumps, waiting, choices, changes, .. } = self.vars;
        for counter in [plies, passes, keeper_moves, jumps, waiting, choices, changes] {
            self.set(counter, 0);
        }
        self.renew_kept(|piece| !start.flat.set(piece.into()).is_empty());
        self.go(self.block_at(start.at));
    }

    /// Writes a failure: the code goes back to the last alternative, or ends the playout.
    fn fail(&mut self) {
        let Vars { choices, mark, back, set, jumps, .. } = self.vars;
        let over = self.new_block();
        let over_number = self.choices.number(over);
        self.when(!choices.get(), |coder| {
            coder.set(mark, 0);
            coder.set(back, over_number);
            coder.go(coder.shared.unwind);
        });
        self.add(choices, -1);
        let first = choices.get() * CHOICE;
        self.set(back, CHOICES.at(first.clone()));
        self.set(mark, CHOICES.at(first.clone() + 1));
        self.go_to_cell(CHOICES.at(first + 2));
        self.set(set, CHOICE_SETS.at(choices));
        self.add(jumps, 1);
        self.go_if(jumps.get().greater(MOST_JUMPS), self.shared.leave);
        self.go(self.shared.unwind);
        let shared_over = self.shared.over;
        self.fill(over, |coder| coder.count_lone(Expr::Int(0), shared_over));
    }

    /// Takes changes back as far as to a mark.
    fn unwind(&mut self) {
        let Vars { changes, mark, back, .. } = self.vars;
        let [what, place, old] = [Type::Int; 3].map(|of| self.local(of));
        let body = self.block(|coder| {
            coder.add(changes, -1);
            let first = changes.get() * CHANGE;
            coder.set(what, CHANGES.at(first.clone()));
            coder.set(place, CHANGES.at(first.clone() + 1));
            coder.set(old, CHANGES.at(first + 2));
            coder.when(what.get().equals(A_CELL), |coder| {
                let bit = coder.local(Type::Set);
                coder.set(bit, Expr::single(place));
                for piece in coder.pieces() {
                    let here = old.get().equals(i32::from(piece)).choose(bit, Expr::NoSites);
                    coder.set_piece(piece, coder.piece(piece).without(bit) | here);
                }
            });
            for var in 0..coder.vars.values.len() {
                let value = coder.vars.values[var];
                let is_this = what.get().equals(var as i32);
                coder.set(value, is_this.choose(old, value));
            }
        });
        self.push(Stmt::While(changes.get().greater(mark), body));
        let returns = self.choices.take();
        self.dispatch(back, &returns);
    }

    /// Leaves what is being done to the search, from where it began.
    fn leave(&mut self) {
        let left = self.shared.left;
        let number = self.choices.number(left);
        self.set(self.vars.mark, 0);
        self.set(self.vars.back, number);
        self.set(self.vars.cell, self.vars.origin);
        self.go(self.shared.unwind);
    }
}

impl CodeBuilder for Coder<'_> {
    fn local(&mut self, of: Type) -> Local {
        self.locals.push(of);
        Local(self.locals.len() as u32 - 1)
    }

    fn push(&mut self, statement: Stmt) {
        self.code.push(statement);
    }

    fn block(&mut self, write: impl FnOnce(&mut Self)) -> Block {
        let outer = std::mem::take(&mut self.code);
        write(self);
        std::mem::replace(&mut self.code, outer)
    }
}

/// The number of a playout as an index that is within a run whatever comes.
fn within_run(played: Local) -> Expr {
    played.get().and_bits(MOST_TOGETHER as i32 - 1)
}

/// The blocks of the instructions of a function that are gone to.
pub(super) fn leaders(bytecode: &Bytecode, range: Range<usize>) -> Vec<Option<BlockId>> {
    let mut is_leader = vec![false; bytecode.code.len()];
    let mut mark = |at: u32| is_leader[at as usize] = true;
    for at in range.clone() {
        let mut ins = bytecode.code[at];
        ins.target().copied().into_iter().for_each(&mut mark);
        if let Inst::Each = ins {
            mark(at as u32);
        }
        if let Inst::Turn { .. } = ins {
            mark(at as u32 + 1);
        }
    }
    bytecode.ways.iter().for_each(|way| mark(way.target));
    bytecode.turns.iter().flatten().for_each(|turn| mark(turn.1));
    bytecode.routines.iter().for_each(|&routine| mark(routine));
    let mut next = 0;
    let number = is_leader.into_iter().enumerate().map(|(at, leads)| {
        (leads && range.contains(&at)).then(|| {
            next += 1;
            next
        })
    });
    number.collect()
}
