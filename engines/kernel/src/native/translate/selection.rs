//! Sites of sets: the first, the last, the n-th, and their number.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, InstBuilder, Signature, Value, types};

use super::{Translation, Words};

impl Translation<'_, '_> {
    /// The first site, or -1.
    pub(super) fn first(&mut self, set: &Words) -> Value {
        let mut site = self.int(-1);
        for (number, word) in set.iter().enumerate().rev() {
            let bit = self.b.ins().ctz(*word);
            site = self.in_word(number, bit, *word, site);
        }
        site
    }

    /// The last site, or -1.
    pub(super) fn last(&mut self, set: &Words) -> Value {
        let mut site = self.int(-1);
        for (number, word) in set.iter().enumerate() {
            let zeros = self.b.ins().clz(*word);
            let bit = self.b.ins().bxor_imm_u(zeros, 63);
            site = self.in_word(number, bit, *word, site);
        }
        site
    }

    /// The site of a bit of a word that has any, else another one.
    fn in_word(&mut self, number: usize, bit: Value, word: Value, other: Value) -> Value {
        let bit = self.b.ins().ireduce(types::I32, bit);
        let site = self.b.ins().iadd_imm_s(bit, 64 * number as i64);
        let any = self.b.ins().icmp_imm_s(IntCC::NotEqual, word, 0);
        self.b.ins().select(any, site, other)
    }

    /// Finds the word by counts of sites, and the site by a call.
    pub(super) fn nth(&mut self, set: &Words, rank: Value) -> Value {
        let (word, base, rank) = self.word_and_rank(set, rank);
        let count = self.count(word);
        let has = self.b.ins().icmp(IntCC::UnsignedLessThan, rank, count);
        let (found, outside, done) =
            (self.b.create_block(), self.b.create_block(), self.b.create_block());
        let site = self.b.append_block_param(done, types::I32);
        self.b.ins().brif(has, found, &[], outside, &[]);
        self.enter(found);
        let signature = match self.nth_signature {
            Some(signature) => signature,
            None => {
                let mut signature = Signature::new(self.target.isa.default_call_conv());
                signature.params.push(AbiParam::new(types::I64));
                signature.params.push(AbiParam::new(types::I32));
                signature.returns.push(AbiParam::new(types::I32));
                *self.nth_signature.insert(self.b.import_signature(signature))
            }
        };
        let select = self.word(cpu::select_address() as u64);
        let call = self.b.ins().call_indirect(signature, select, &[word, rank]);
        let bit = self.b.inst_results(call)[0];
        let bit = self.b.ins().iadd(base, bit);
        self.jump_with(done, &[bit]);
        self.enter(outside);
        let none = self.int(-1);
        self.jump_with(done, &[none]);
        self.enter(done);
        site
    }

    /// The word of a site, the first site of it, and the rank in it, by comparisons that do not
    /// wait for each other.
    fn word_and_rank(&mut self, set: &Words, rank: Value) -> (Value, Value, Value) {
        let upto = self.counts(set);
        let zero = self.int(0);
        let (mut word, mut base, mut before) = (set[0], zero, zero);
        for (number, &upto) in (1..).zip(&upto[..self.words - 1]) {
            let upto = self.b.ins().ireduce(types::I32, upto);
            let beyond = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, rank, upto);
            word = self.b.ins().select(beyond, set[number], word);
            before = self.b.ins().select(beyond, upto, before);
            let here = self.int(64 * number as i32);
            base = self.b.ins().select(beyond, here, base);
        }
        (word, base, self.b.ins().isub(rank, before))
    }

    /// The number of sites of a set up to the end of each word, as 64 bits: with 32 bits, large
    /// functions were measured to take up to 1.8 times as long.
    pub(super) fn counts(&mut self, set: &Words) -> Words {
        let mut upto: Words = Words::new();
        for &word in set {
            let count = self.b.ins().popcnt(word);
            let before = upto.last().copied();
            upto.push(before.map_or(count, |before| self.b.ins().iadd(before, count)));
        }
        upto
    }

    fn count(&mut self, word: Value) -> Value {
        let count = self.b.ins().popcnt(word);
        self.b.ins().ireduce(types::I32, count)
    }
}
