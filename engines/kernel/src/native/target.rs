//! The settings that all functions of a program are compiled for.

use cranelift_codegen::ir::{AbiParam, Signature, types};
use cranelift_codegen::isa::TargetIsa;

use super::context::Tables;
use super::ranges::TableRanges;
use crate::ir::{Function, Program, Type};

/// The settings that all functions of a program are compiled with.
pub(super) struct Target<'a> {
    pub(super) program: &'a Program,
    pub(super) isa: &'a dyn TargetIsa,
    pub(super) tables: &'a Tables,
    /// The ranges of the entries of constant tables.
    pub(super) ranges: TableRanges,
    /// By function, true if it calls the host, itself or through others.
    pub(super) calls_host: Vec<bool>,
}

impl Target<'_> {
    pub(super) fn signature(&self, function: &Function) -> Signature {
        let mut signature = Signature::new(self.isa.default_call_conv());
        signature.params.push(AbiParam::new(types::I64));
        for of in &function.locals[..function.params] {
            match of {
                Type::Int => signature.params.push(AbiParam::new(types::I32)),
                Type::Set => {
                    let words = std::iter::repeat_n(AbiParam::new(types::I64), self.program.words);
                    signature.params.extend(words);
                }
            }
        }
        match function.result {
            Some(Type::Int) => signature.returns.push(AbiParam::new(types::I32)),
            // Wider ones go through the context.
            Some(Type::Set) if self.program.words == 1 => {
                signature.returns.push(AbiParam::new(types::I64));
            }
            Some(Type::Set) | None => (),
        }
        signature
    }
}
