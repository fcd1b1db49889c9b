//! Loops, and blocks that go on with each other.

use std::collections::BTreeSet;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self as clif, InstBuilder, StackSlotData, StackSlotKind, types};

use super::{Blocks, Translation};
use crate::ir::{Block, Expr, Local, Stmt};
use crate::native::context::Context;
use crate::walk::Part;

impl<'a> Translation<'a, '_> {
    pub(super) fn for_range(
        &mut self,
        local: Local,
        from: &'a Expr,
        to: &'a Expr,
        block: &'a Block,
    ) {
        let from = self.number(from);
        let to = self.number(to);
        let counter = self.b.declare_var(types::I32);
        self.b.def_var(counter, from);
        let (head, body, exit) = self.loop_blocks();
        self.jump(head);
        self.b.switch_to_block(head);
        let number = self.b.use_var(counter);
        let more = self.b.ins().icmp(IntCC::SignedLessThan, number, to);
        self.b.ins().brif(more, body, &[], exit, &[]);
        self.enter(body);
        self.set_int(local, number);
        let next = self.b.ins().iadd_imm_s(number, 1);
        self.b.def_var(counter, next);
        self.rounds(block, head, exit);
    }

    pub(super) fn while_loop(&mut self, condition: &'a Expr, block: &'a Block) {
        let (head, body, exit) = self.loop_blocks();
        let spend = self.b.create_block();
        self.jump(head);
        self.b.switch_to_block(head);
        self.exits.push(exit);
        self.branch(condition, spend, exit);
        self.exits.pop();
        self.enter(spend);
        self.spend(exit);
        self.jump(body);
        self.enter(body);
        self.rounds(block, head, exit);
    }

    pub(super) fn blocks(&mut self, blocks: &'a [Block]) {
        let exit = self.b.create_block();
        let inner = Blocks {
            all: blocks.iter().map(|_| self.b.create_block()).collect(),
            begun: 0,
            again: gone_back_to(blocks),
            exit: Some(exit),
        };
        let outer = std::mem::replace(&mut self.blocks, inner);
        for (number, block) in blocks.iter().enumerate() {
            let this = self.blocks.all[number];
            self.jump(this);
            self.b.switch_to_block(this);
            if !self.blocks.again.contains(&number) {
                self.b.seal_block(this);
            }
            self.blocks.begun = number + 1;
            self.block(block);
        }
        let inner = std::mem::replace(&mut self.blocks, outer);
        self.jump(exit);
        inner.again.iter().for_each(|&number| self.b.seal_block(inner.all[number]));
        self.enter(exit);
    }

    pub(super) fn go(&mut self, number: usize) {
        let to = self.blocks.all[number];
        if number < self.blocks.begun {
            let exit = self.blocks.exit.expect("the checker knows of blocks around");
            self.spend(exit);
        }
        self.jump(to);
        self.unreachable();
    }

    /// Takes 1 from the budget, or goes elsewhere if it is spent.
    fn spend(&mut self, exit: clif::Block) {
        let more = self.b.create_block();
        let budget = self.in_context(types::I32, Context::BUDGET);
        self.b.ins().brif(budget, more, &[], exit, &[]);
        self.enter(more);
        let left = self.b.ins().iadd_imm_s(budget, -1);
        self.b.ins().store(self.memory.context, left, self.context, Context::BUDGET as i32);
    }

    /// Head, body and exit of a loop.
    fn loop_blocks(&mut self) -> (clif::Block, clif::Block, clif::Block) {
        (self.b.create_block(), self.b.create_block(), self.b.create_block())
    }

    /// The statements of a loop, from the body back to its head; then its exit.
    fn rounds(&mut self, block: &'a Block, head: clif::Block, exit: clif::Block) {
        self.exits.push(exit);
        self.block(block);
        self.exits.pop();
        self.jump(head);
        self.b.seal_block(head);
        self.enter(exit);
    }

    pub(super) fn for_each(&mut self, local: Local, set: &'a Expr, block: &'a Block) {
        let set = self.set(set);
        let word = self.b.declare_var(types::I64);
        self.b.def_var(word, set[0]);
        let (head, body, exit) = self.loop_blocks();
        // Wider sets wait in memory for their turn, word by word.
        let number = self.b.declare_var(types::I32);
        let waiting = (self.words > 1).then(|| {
            if self.open_sets == self.sets.len() {
                let size = 8 * self.words as u32;
                let data = StackSlotData::new(StackSlotKind::ExplicitSlot, size, 3);
                self.sets.push(self.b.create_sized_stack_slot(data));
            }
            let slot = self.sets[self.open_sets];
            self.open_sets += 1;
            let address = self.b.ins().stack_addr(types::I64, slot, 0);
            for (number, word) in set.iter().enumerate().skip(1) {
                self.b.ins().store(self.memory.stack, *word, address, 8 * number as i32);
            }
            let zero = self.int(0);
            self.b.def_var(number, zero);
            slot
        });
        self.jump(head);
        self.b.switch_to_block(head);
        let left = self.b.use_var(word);
        if let Some(slot) = waiting {
            let (next, load) = (self.b.create_block(), self.b.create_block());
            self.b.ins().brif(left, body, &[], next, &[]);
            self.enter(next);
            let before = self.b.use_var(number);
            let this = self.b.ins().iadd_imm_s(before, 1);
            let more = self.b.ins().icmp_imm_s(IntCC::NotEqual, this, self.words as i64);
            self.b.ins().brif(more, load, &[], exit, &[]);
            self.enter(load);
            self.b.def_var(number, this);
            let address = self.b.ins().stack_addr(types::I64, slot, 0);
            let offset = self.b.ins().uextend(types::I64, this);
            let offset = self.b.ins().ishl_imm_u(offset, 3);
            let address = self.b.ins().iadd(address, offset);
            let loaded = self.b.ins().load(types::I64, self.memory.stack, address, 0);
            self.b.def_var(word, loaded);
            self.jump(head);
        } else {
            self.b.ins().brif(left, body, &[], exit, &[]);
        }
        self.enter(body);
        let first = self.b.ins().ctz(left);
        let mut site = self.b.ins().ireduce(types::I32, first);
        if waiting.is_some() {
            let number = self.b.use_var(number);
            let base = self.b.ins().ishl_imm_u(number, 6);
            site = self.b.ins().iadd(base, site);
        }
        self.set_int(local, site);
        let less = self.b.ins().iadd_imm_s(left, -1);
        let rest = self.b.ins().band(left, less);
        self.b.def_var(word, rest);
        self.rounds(block, head, exit);
        self.open_sets -= usize::from(waiting.is_some());
    }
}

/// The blocks that are jumped to from themselves or from behind them.
fn gone_back_to(blocks: &[Block]) -> BTreeSet<usize> {
    fn look(block: &Block, here: usize, again: &mut BTreeSet<usize>) {
        for statement in block {
            match statement {
                Stmt::Go(number) if *number as usize <= here => {
                    again.insert(*number as usize);
                }
                // Those within are their own.
                Stmt::Blocks(_) => {}
                _ => statement.each_part(&mut |part| look_at(&part, here, again)),
            }
        }
    }
    fn look_at(part: &Part<'_>, here: usize, again: &mut BTreeSet<usize>) {
        match part {
            Part::Expr(value) => value.each_part(&mut |part| look_at(&part, here, again)),
            Part::Block(block) => look(block, here, again),
        }
    }
    let mut again = BTreeSet::new();
    for (here, block) in blocks.iter().enumerate() {
        look(block, here, &mut again);
    }
    again
}
