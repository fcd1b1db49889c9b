//! Calls of functions and of the host.

use cranelift_codegen::ir::{
    AbiParam, ExtFuncData, ExternalName, InstBuilder, Signature, StackSlotData, StackSlotKind,
    UserExternalName, Value, types,
};

use super::{Translation, Words};
use crate::ir::{Expr, FunctionId, HostId, Type};
use crate::native::context::Context;

impl<'a> Translation<'a, '_> {
    /// Calls a function; the words of its result.
    pub(super) fn call(&mut self, id: FunctionId, arguments: &'a [Expr]) -> Words {
        let callee = &self.target.program.functions[id.0 as usize];
        let mut values = vec![self.context];
        for (argument, of) in arguments.iter().zip(&callee.locals) {
            match of {
                Type::Int => values.push(self.number(argument)),
                Type::Set => values.extend(self.set(argument)),
            }
        }
        let function = match self.functions.get(&id) {
            Some(function) => *function,
            None => {
                let signature = self.b.import_signature(self.target.signature(callee));
                let name = UserExternalName { namespace: 0, index: id.0 };
                let name = self.b.func.declare_imported_user_function(name);
                let name = ExternalName::user(name);
                let data = ExtFuncData { name, signature, colocated: true, patchable: false };
                let function = self.b.import_function(data);
                self.functions.insert(id, function);
                function
            }
        };
        let call = self.b.ins().call(function, &values);
        let mut results = Words::from_slice(self.b.inst_results(call));
        if self.target.calls_host[id.0 as usize] {
            self.stop();
        }
        if callee.result == Some(Type::Set) && self.words > 1 {
            results = (0..self.words)
                .map(|number| self.in_context(types::I64, Context::RESULT + 8 * number))
                .collect();
        }
        results
    }

    /// After what may have called the host: leaves the function if the program is to stop.
    fn stop(&mut self) {
        let leave = match self.leave {
            Some(leave) => leave,
            None => {
                let leave = self.b.create_block();
                self.b.set_cold_block(leave);
                *self.leave.insert(leave)
            }
        };
        let stopped = self.in_context(types::I32, Context::STOPPED);
        let go_on = self.b.create_block();
        self.b.ins().brif(stopped, leave, &[], go_on, &[]);
        self.enter(go_on);
    }

    /// Calls the host; its number.
    pub(super) fn call_host(&mut self, id: HostId, arguments: &'a [Expr]) -> Value {
        let values: Vec<Value> = arguments.iter().map(|argument| self.number(argument)).collect();
        let address = if values.is_empty() {
            // Any address will do.
            self.context
        } else {
            let slot = match self.arguments {
                Some((slot, room)) if values.len() <= room => slot,
                _ => {
                    let data =
                        StackSlotData::new(StackSlotKind::ExplicitSlot, 4 * values.len() as u32, 3);
                    let slot = self.b.create_sized_stack_slot(data);
                    self.arguments = Some((slot, values.len()));
                    slot
                }
            };
            let address = self.b.ins().stack_addr(types::I64, slot, 0);
            for (number, value) in values.iter().enumerate() {
                self.b.ins().store(self.memory.stack, *value, address, 4 * number as i32);
            }
            address
        };
        let signature = match self.host_signature {
            Some(signature) => signature,
            None => {
                let mut signature = Signature::new(self.target.isa.default_call_conv());
                for of in [types::I64, types::I32, types::I64, types::I32] {
                    signature.params.push(AbiParam::new(of));
                }
                signature.returns.push(AbiParam::new(types::I32));
                *self.host_signature.insert(self.b.import_signature(signature))
            }
        };
        let (number, count) = (self.int(id.0 as i32), self.int(values.len() as i32));
        let trampoline = self.in_context(types::I64, Context::CALL);
        let operands = [self.context, number, address, count];
        let call = self.b.ins().call_indirect(signature, trampoline, &operands);
        let result = self.b.inst_results(call)[0];
        self.stop();
        result
    }
}
