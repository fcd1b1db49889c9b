//! Lone moves as statements: whether one was a ply or a forced pass shows only when it has been
//! made, so it is noted before and counted afterwards.

use kernel::build::CodeBuilder;
use kernel::ir::{Expr, Stmt};

use super::arrays::{Event, FRAME, GENERATOR, PIECES_BEFORE, Slot, VARS_BEFORE};
use super::code::{BlockId, Coder, Vars};

impl Coder<'_> {
    /// Leaves it to the search: from a layer; or from where the player moved, if that may have been
    /// a pass.
    pub(super) fn left(&mut self) {
        let Vars { waiting, origin, cell, .. } = self.vars;
        self.set(origin, cell);
        self.when(waiting.get(), Self::take_lone_back);
        self.note_standing();
        self.stop(Event::Left);
    }

    /// Notes where the play stands, for whoever goes on from there. Only on the way out: on others
    /// nobody has to remember it.
    pub(super) fn note_standing(&mut self) {
        let Vars { layer, mover, origin, .. } = self.vars;
        let standing = [(Slot::Layer, layer), (Slot::Mover, mover), (Slot::Cell, origin)];
        for (slot, local) in standing {
            self.slot(slot, local);
        }
    }

    /// Ends a playout that may not go on by the lone move that has been made, before that move.
    pub(super) fn refuse(&mut self) {
        self.take_lone_back();
        self.note_standing();
        self.slot(Slot::Moves, 1);
        self.stop(Event::Capped);
    }

    /// Goes back to before the lone move that has been noted.
    fn take_lone_back(&mut self) {
        for piece in self.pieces() {
            self.set_piece(piece, PIECES_BEFORE.at(i32::from(piece)));
        }
        for var in 0..self.vars.values.len() {
            self.set(self.vars.values[var], VARS_BEFORE.at(var as i32));
        }
        let Vars { layer, mover, origin, .. } = self.vars;
        for (local, slot) in [(layer, Slot::LoneLayer), (mover, Slot::LoneMover)] {
            self.set(local, FRAME.at(slot as i32));
        }
        // Cells are within the board wherever they come from, so that none is compared where it is
        // an index.
        let cell = self.on_board(FRAME.at(Slot::LoneCell as i32));
        self.set(origin, cell);
    }

    /// Notes that a move is alone.
    pub(super) fn note(&mut self) {
        for piece in self.pieces() {
            self.store_set(PIECES_BEFORE, i32::from(piece), self.piece(piece));
        }
        for var in 0..self.vars.values.len() {
            self.store(VARS_BEFORE, var as i32, self.vars.values[var]);
        }
        let Vars { layer, mover, origin, may_pass, back, .. } = self.vars;
        for (slot, local) in [
            (Slot::LoneLayer, layer),
            (Slot::LoneMover, mover),
            (Slot::LoneCell, origin),
            (Slot::LoneMayPass, may_pass),
        ] {
            self.slot(slot, local);
        }
        self.set(self.vars.waiting, 1);
        let returns = self.noted.take();
        self.dispatch(back, &returns);
    }

    /// Notes that a move is alone, which may be a pass, and goes on.
    pub(super) fn note_lone(&mut self, may_pass: Expr, then: BlockId) {
        let number = self.noted.number(then);
        self.set(self.vars.may_pass, may_pass);
        self.set(self.vars.back, number);
        self.go(self.shared.note);
    }

    /// Counts a lone move that has been made, now that it is known who is to move: whether it was a
    /// pass. It was none where that is the keeper (0), which cannot go on.
    pub(super) fn count(&mut self) {
        let Vars { plies, cap, passes, mark: mover, back, waiting, .. } = self.vars;
        self.set(waiting, 0);
        let here = FRAME.at(Slot::LoneMover as i32);
        let mut passed = FRAME.at(Slot::LoneMayPass as i32).and(mover.get());
        passed = passed.and(here.differs(mover));
        for piece in self.pieces() {
            let before = PIECES_BEFORE.at(i32::from(piece));
            passed = passed.and((before ^ self.piece(piece)).is_empty());
        }
        for var in 0..self.vars.values.len() {
            passed = passed.and(VARS_BEFORE.at(var as i32).equals(self.vars.values[var]));
        }
        let refuse = self.shared.refuse;
        let then = self.block(|coder| {
            coder.add(passes, 1);
            coder.when(passes.get().greater(FRAME.at(Slot::MostPasses as i32)), |coder| {
                coder.slot(Slot::LonePasses, 1);
                coder.go(refuse);
            });
        });
        let otherwise = self.block(|coder| {
            coder.when(plies.get().equals(cap), |coder| {
                coder.slot(Slot::LonePasses, 0);
                coder.go(refuse);
            });
            coder.count_ply();
            coder.push(Stmt::Eval(GENERATOR.draw(1)));
        });
        self.push(Stmt::If(passed, then, otherwise));
        let returns = self.counted.take();
        self.dispatch(back, &returns);
    }

    pub(super) fn count_ply(&mut self) {
        self.add(self.vars.plies, 1);
        self.set(self.vars.passes, 0);
    }

    /// Counts the lone move that is waiting, if there is one, and goes on.
    pub(super) fn count_lone(&mut self, mover: Expr, then: BlockId) {
        let number = self.counted.number(then);
        self.when(self.vars.waiting.get(), |coder| {
            coder.set(coder.vars.mark, mover);
            coder.set(coder.vars.back, number);
            coder.go(coder.shared.count);
        });
        self.go(then);
    }
}
