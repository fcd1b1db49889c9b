//! Playouts as a program of the kernel, on boards of as many words as machine code has.
//!
//! Where moves are cells of a set, a ply is: the set, a cell of it, and what the keeper does then.
//! All of this is a list of instructions that work on sets, and from these a program is written
//! ([`code`]): no moves are listed, nothing is taken back but where the keeper may have to try
//! something else, and positions are a few sets ([`SetPosition`]). What the instructions do not
//! cover is left to the search, which goes on from the same position: the two ways make the same
//! moves in the same order.

mod arrays;
mod clauses;
mod code;
mod failing;
mod instructions;
mod keeping;
mod kept;
mod known;
mod lists;
mod lone;
mod numbers;
mod pieces;
mod routines;
mod run;

use crate::bits::Bits;
use crate::description::{Piece, Var};
use crate::formula::{Compare, Formula};
use crate::playout::Playout;
use crate::state::Standing;

pub(crate) use arrays::Event;
pub(crate) use arrays::MOST_KEPT;
pub(crate) use clauses::Clauses;
pub(crate) use code::{Extent, Start, program};
pub(crate) use failing::drop_notes;
pub(crate) use kept::{Kept, Links, RowTest, Rows};
pub(crate) use known::{Known, follow};
pub(crate) use run::{Code, End, PlayoutProgram, RunState, Search, SetPosition, Step, Stop};

/// Positions have room for as many pieces and variables.
pub(crate) const ROOM: usize = 32;
/// Sets that are kept at a time.
pub(crate) const REGISTERS: usize = 128;
/// Pieces that a move puts before its last cells.
pub(crate) const MOST_TRIED: usize = 6;

/// A set of cells in instructions, with as many words as any code can have.
pub(crate) type CellSet = Bits<{ kernel::MAX_NATIVE_WORDS }>;

/// A game as instructions.
#[derive(Debug, Default)]
pub(crate) struct Bytecode {
    pub(crate) code: Vec<Inst>,
    /// For each layer at which a player moves: the player, and the instruction to begin at.
    pub(crate) turns: Vec<Option<(u8, u32)>>,
    pub(crate) ways: Vec<MoveSource>,
    /// For each relation, the cells that it leads to from each cell.
    pub(crate) rows: Vec<Vec<CellSet>>,
    /// For each function, the cell that it leads to from each cell;
    /// [`NONE`](crate::layout::NONE) if there is none.
    pub(crate) next: Vec<Vec<u16>>,
    pub(crate) lines: Vec<Line>,
    pub(crate) clauses: Vec<Clauses>,
    pub(crate) compares: Vec<Compare>,
    pub(crate) formulas: Vec<(Formula, i32)>,
    pub(crate) kept: Vec<Kept>,
    /// The instructions at which routines begin, behind all others: patterns that are asked at many
    /// places and written once.
    pub(crate) routines: Vec<u32>,
}

impl Bytecode {
    /// The instruction of the turn at which a play stands.
    pub(crate) fn turn(&self, standing: Standing) -> Option<u32> {
        let (player, at) = self.turns[standing.layer as usize].filter(|_| !standing.lost)?;
        (player == standing.mover).then_some(at)
    }

    /// True if code that begins tells anew what is kept of pieces, on boards of so many words: of
    /// each that is there, which for one ply takes longer than the search.
    fn keeps_numbers(&self, words: usize) -> bool {
        let keeps = |kept: &Kept| !kept.links.is_empty() || kept.row_numbers(64 * words) > 0;
        self.kept.iter().any(keeps)
    }

    /// True if single steps are the search's: code lists the moves of a position once more to make
    /// one, which takes longer than the search where it begins by telling anew what is kept of
    /// pieces, or floods large boards behind each move.
    pub(crate) fn leaves_steps(&self, words: usize) -> bool {
        let floods = |ins: &Inst| matches!(ins, Inst::Beyond(_));
        self.keeps_numbers(words)
            || words == kernel::MAX_NATIVE_WORDS && self.code.iter().any(floods)
    }

    /// Bytes of a program made of it, at most and about, before anything is simplified.
    pub(crate) fn program_bytes(&self) -> u64 {
        const INSTRUCTION: u64 = 2000;
        INSTRUCTION * self.code.len() as u64
    }

    /// Its size in bytes, about.
    pub(crate) fn bytes(&self) -> u64 {
        let rows: usize = self.rows.iter().map(|row| size_of_val(&**row)).sum();
        let next: usize = self.next.iter().map(|next| size_of_val(&**next)).sum();
        let clauses: usize = self.clauses.iter().map(Clauses::bytes).sum();
        (size_of_val(&*self.code) + rows + next + clauses) as u64
    }
}

/// A function that goes on by the same number of cells everywhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    pub(crate) by: i32,
    /// The cells that it leads from, and to.
    pub(crate) from: CellSet,
    pub(crate) to: CellSet,
    /// Doublings of a step that are the longest way without end.
    pub(crate) doublings: u32,
}

/// The cells that hold any of some pieces: a bit for each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cells(u32);

impl Cells {
    /// Those of pieces whose numbers are less than [`ROOM`].
    pub(crate) fn of(pieces: impl IntoIterator<Item = Piece>) -> Cells {
        Cells(pieces.into_iter().fold(0, |all, piece| all | 1 << piece))
    }

    /// All cells, whatever they hold.
    pub(crate) const ALL: Cells = Cells(u32::MAX);

    pub(crate) fn has(self, piece: Piece) -> bool {
        self.0 >> piece & 1 != 0
    }

    pub(crate) fn or(self, other: Cells) -> Cells {
        Cells(self.0 | other.0)
    }

    pub(crate) fn and(self, other: Cells) -> Cells {
        Cells(self.0 & other.0)
    }

    pub(crate) fn without(self, other: Cells) -> Cells {
        Cells(self.0 & !other.0)
    }

    /// The piece, if there is but one.
    pub(crate) fn only(self) -> Option<Piece> {
        self.0.is_power_of_two().then(|| self.0.ilog2() as Piece)
    }
}

/// Rays from a cell, each of which goes on over certain cells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SlidingRays {
    /// The table of where each ray leads from each cell if nothing stands in its way: rays from a
    /// cell one after another, those with ever greater cells first.
    pub(crate) table: u32,
    /// The number of rays from each cell, and of those whose cells are ever greater.
    pub(crate) rays: u8,
    pub(crate) ascending: u8,
    /// The cells that rays go on over.
    pub(crate) cells: Cells,
    /// True if each leads to the first other cell, too.
    pub(crate) hit: bool,
}

/// Moves that a player may choose from: the cells of a set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveSource {
    pub(crate) register: u8,
    /// The piece that is put before the turn is handed on, and its distance before the cell of
    /// the move.
    pub(crate) put: Option<(Piece, i16)>,
    /// True if it is nothing but a switch, which may be a pass.
    pub(crate) bare: bool,
    /// To whom the turn is handed on.
    pub(crate) mover: u8,
    /// The instruction to go on with.
    pub(crate) target: u32,
}

/// One instruction. There is a current cell and a current set; `to` and `otherwise` are
/// instructions to go on with.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Inst {
    // Sets.
    /// The current cell alone.
    Cell,
    Const(CellSet),
    /// From anywhere to a set, and from nowhere to none.
    Everywhere(CellSet),
    Within(CellSet),
    On(Cells),
    /// [`Inst::Const`], [`Inst::Row`], [`Inst::Shift`] and [`Inst::Load`] with [`Inst::On`] behind
    /// them, for one piece.
    ConstOn {
        piece: Piece,
        set: CellSet,
    },
    RowOn {
        piece: Piece,
        table: u32,
    },
    ShiftOn {
        by: i32,
        piece: Piece,
        from: CellSet,
    },
    LoadOn {
        register: u8,
        piece: Piece,
    },
    /// The cells that a relation leads to from the current cell.
    Row(u32),
    /// The cells that rays lead to from the current cell.
    Rays(SlidingRays),
    /// The cells that a relation leads to from those of the current set, one by one.
    Rows(u32),
    /// A step of a function that goes on by one number of cells.
    Shift {
        by: i32,
        from: CellSet,
    },
    /// The sum of several steps: nothing, one more, and what it has become.
    NoSum,
    AddShift {
        by: i32,
        from: CellSet,
    },
    AddPreimage {
        by: i32,
        cells: Cells,
        from: CellSet,
    },
    Sum,
    WithinSum {
        negated: bool,
    },
    /// Stays where a step leads to certain cells, or (`negated`) does not.
    Lookahead {
        by: i32,
        cells: Cells,
        negated: bool,
        from: CellSet,
    },
    Fill {
        line: u32,
        cells: Cells,
        test_first: bool,
    },
    /// Stays if a comparison holds.
    OnlyIf(u32),
    /// Stays where any of some clauses holds, or not.
    Among {
        clauses: u32,
        negated: bool,
    },
    Save(u8),
    Load(u8),
    None(u8),
    Or(u8),
    /// [`Inst::Shift`] and [`Inst::Or`].
    ShiftOr {
        by: i32,
        register: u8,
        from: CellSet,
    },
    And(u8),
    /// The kept set without the current set.
    Without(u8),
    /// The current set without what is kept there.
    Beyond(u8),
    /// The current cell if nothing is kept there.
    Unless(u8),

    // Ways to go on.
    Skip(u32),
    /// Back, perhaps, to where the keeper has been: counted.
    Jump(u32),
    IfEmpty(u32),
    IfAny(u32),
    /// [`Inst::On`] and [`Inst::IfAny`], for one piece.
    IfAnyOn {
        piece: Piece,
        to: u32,
    },
    /// To the only cell of the set; of several, the search knows what to do.
    Single,
    /// [`Inst::IfEmpty`] and [`Inst::Single`].
    ToSingle(u32),
    /// To the first cell of the set.
    First,
    /// To each cell of the set, until one leads to a switch.
    Each,
    Step {
        next: u32,
        otherwise: u32,
    },
    StepOn {
        next: u32,
        cells: Cells,
        otherwise: u32,
    },
    IfOn {
        cells: Cells,
        otherwise: u32,
    },
    IfWithin {
        set: CellSet,
        otherwise: u32,
    },
    IfClause {
        clauses: u32,
        negated: bool,
        otherwise: u32,
    },
    IfCompare {
        compare: u32,
        otherwise: u32,
    },
    /// Goes on here if a pattern holds at the current cell, or not: the search tells.
    IfPattern {
        pattern: u32,
        negated: bool,
        otherwise: u32,
    },
    /// Goes on here if a routine answers yes at the current cell, or not.
    IfRoutine {
        routine: u32,
        negated: bool,
        otherwise: u32,
    },
    /// Ends a routine: yes or no.
    Answer(bool),
    /// Goes on here if a test holds of the piece that was put on the current cell last of all, or
    /// not.
    IfKept {
        kept: u8,
        bit: u8,
        negated: bool,
        otherwise: u32,
    },

    // The keeper.
    /// Begins what the keeper does from a layer.
    Enter(u32),
    Put(Piece),
    /// To be taken back on failure.
    PutNoted(Piece),
    Set {
        var: Var,
        value: i32,
    },
    SetNoted {
        var: Var,
        value: i32,
    },
    Assign {
        var: Var,
        formula: u32,
    },
    /// On failure, goes on there from the current cell.
    Choice(u32),
    Fail,
    /// Leaves what the keeper does from where it began to the search.
    Search,

    // Players.
    Turn {
        layer: u32,
        mover: u8,
    },
    /// A cell of the current set is chosen.
    Draw {
        mover: u8,
        to: u32,
    },
    /// [`Inst::Turn`], [`Inst::Draw`] and, where the keeper follows, [`Inst::Enter`].
    Ply {
        player: u8,
        mover: u8,
        layer: u16,
        next: u16,
        to: u32,
    },
    /// One of several ways is chosen.
    DrawFrom {
        first: u32,
        count: u32,
    },
    /// Begins a list of moves.
    List,
    /// Adds a way, if there is any cell, behind what is being tried.
    Entry(u32),
    /// To the next cell of what is kept, on which such a piece stands and which is taken from it;
    /// or on elsewhere.
    Next {
        register: u8,
        cells: Cells,
        otherwise: u32,
    },
    /// Leaves the list to the search if any cell is kept there.
    LeaveIfAny(u8),
    /// Adds a way to the cells of its register where any of some clauses holds, or not, and keeps
    /// the others.
    Split {
        clauses: u32,
        negated: bool,
        from: u8,
        way: u32,
    },
    /// Puts a piece to see what follows.
    Try(Piece),
    /// Gives a variable a value to see what follows; goes on elsewhere where it cannot have that.
    TrySet {
        var: Var,
        formula: u32,
        otherwise: u32,
    },
    /// Takes back what has been tried last, and goes on elsewhere.
    Untry(u32),
    /// One of the moves of the list is chosen.
    DrawListed,
    /// Leaves what comes to the search: a layer, and who moves there.
    Leave {
        layer: u32,
        mover: u8,
    },

    /// The cells that a walk leads to from the current cell, by the search.
    Walk(u32),
}

impl Inst {
    /// The other instruction at which the code may go on, besides the next one.
    pub(crate) fn target(&mut self) -> Option<&mut u32> {
        match self {
            Inst::Jump(to)
            | Inst::Skip(to)
            | Inst::Untry(to)
            | Inst::Next { otherwise: to, .. }
            | Inst::IfEmpty(to)
            | Inst::IfAny(to)
            | Inst::IfAnyOn { to, .. }
            | Inst::ToSingle(to)
            | Inst::Choice(to)
            | Inst::Draw { to, .. }
            | Inst::Ply { to, .. }
            | Inst::Step { otherwise: to, .. }
            | Inst::StepOn { otherwise: to, .. }
            | Inst::IfOn { otherwise: to, .. }
            | Inst::IfWithin { otherwise: to, .. }
            | Inst::IfClause { otherwise: to, .. }
            | Inst::TrySet { otherwise: to, .. }
            | Inst::IfCompare { otherwise: to, .. }
            | Inst::IfPattern { otherwise: to, .. }
            | Inst::IfRoutine { otherwise: to, .. }
            | Inst::IfKept { otherwise: to, .. } => Some(to),
            _ => None,
        }
    }
}
