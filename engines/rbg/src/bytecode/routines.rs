//! Patterns that are asked at many places, as functions of their own: those of pieces that are
//! variables have the cells of pieces as parameters.

use std::ops::Range;

use kernel::ir::{Block, Expr, Function, FunctionId, Local, Stmt, Type};

use super::code::{BlockId, Coder, Pieces, Vars, leaders};
use super::{Bytecode, Cells, Inst};
use crate::description::Piece;

impl Bytecode {
    /// The number of instructions before those of routines.
    pub(super) fn main(&self) -> usize {
        self.routines.first().map_or(self.code.len(), |&first| first as usize)
    }

    /// The instructions of a routine.
    fn routine(&self, number: usize) -> Range<usize> {
        let end = self.routines.get(number + 1).map_or(self.code.len(), |&next| next as usize);
        self.routines[number] as usize..end
    }
}

impl Coder<'_> {
    /// The function of a routine.
    pub(super) fn routine(&mut self, number: usize) -> Function {
        let range = self.bytecode.routine(number);
        let parameters = self.parameters(number);
        let mut locals = vec![Type::Int];
        let mut local = |of| {
            locals.push(of);
            Local(locals.len() as u32 - 1)
        };
        let mut pieces = Pieces::new(self.extent.pieces, self.extent.words, || Local(0));
        if let Pieces::Variables(sets) = &mut pieces {
            parameters.iter().for_each(|&piece| sets[usize::from(piece)] = local(Type::Set));
        }
        let params = 1 + parameters.len();
        let vars = Vars::new(pieces, self.bytecode, self.extent, local);
        let block_of = leaders(self.bytecode, range.clone());
        let blocks = vec![Block::new(); 1 + block_of.iter().flatten().count()];
        // The same writer, in another function.
        let vars = std::mem::replace(&mut self.vars, vars);
        let blocks = std::mem::replace(&mut self.blocks, blocks);
        let block_of = std::mem::replace(&mut self.block_of, block_of);
        let locals = std::mem::replace(&mut self.locals, locals);
        const ENTRY: BlockId = 0;
        self.fill(ENTRY, |coder| {
            coder.go_to_cell(Local(0));
            coder.go(coder.block_at(range.start as u32));
        });
        self.write_instructions(range);
        self.vars = vars;
        self.block_of = block_of;
        let blocks = std::mem::replace(&mut self.blocks, blocks);
        let locals = std::mem::replace(&mut self.locals, locals);
        Function {
            name: format!("pattern{number}"),
            locals,
            params,
            result: Some(Type::Int),
            body: vec![Stmt::Blocks(blocks)],
        }
    }

    /// The answer of a routine at the current cell: 1 for yes, 0 for no.
    pub(super) fn ask_routine(&self, number: u32) -> Expr {
        let sets = self.parameters(number as usize).into_iter().map(|piece| self.piece(piece));
        let arguments = std::iter::once(self.vars.cell.get()).chain(sets).collect();
        Expr::Call(FunctionId(number), arguments)
    }

    /// The pieces whose cells a routine has to be given.
    fn parameters(&self, number: usize) -> Vec<Piece> {
        if let Pieces::Memory(_) = self.vars.pieces {
            return Vec::new();
        }
        let code = &self.bytecode.code[self.bytecode.routine(number)];
        let all = code.iter().fold(Cells::of([]), |all, &ins| {
            let asked = asked(ins);
            all.or(if asked == Cells::ALL { asked } else { self.read(asked).0 })
        });
        self.pieces().filter(|&piece| all.has(piece)).collect()
    }
}

/// The pieces that an instruction of a routine asks for.
fn asked(ins: Inst) -> Cells {
    match ins {
        Inst::ConstOn { piece, .. }
        | Inst::RowOn { piece, .. }
        | Inst::ShiftOn { piece, .. }
        | Inst::LoadOn { piece, .. }
        | Inst::IfAnyOn { piece, .. } => Cells::of([piece]),
        Inst::On(cells)
        | Inst::AddPreimage { cells, .. }
        | Inst::Lookahead { cells, .. }
        | Inst::Fill { cells, .. } => cells,
        Inst::Rays(slide) => slide.cells,
        Inst::IfOn { cells, .. } | Inst::StepOn { cells, .. } => cells,
        Inst::IfClause { .. } | Inst::Among { .. } => Cells::ALL,
        _ => Cells::of([]),
    }
}
