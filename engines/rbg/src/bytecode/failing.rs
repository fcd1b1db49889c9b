//! Where the keeper may fail, or be left to the search: only what is changed before that is noted.

use super::{Bytecode, Inst};

/// Has instructions note only what may be taken back: where what follows leads to the end of what
/// the keeper does whatever holds, changes are just made, and alternatives are not gone back to.
pub(crate) fn drop_notes(bytecode: &mut Bytecode) {
    let fails = fails(&bytecode.code);
    for (at, ins) in bytecode.code.iter_mut().enumerate() {
        if fails.get(at + 1).copied().unwrap_or(true) {
            continue;
        }
        *ins = match *ins {
            Inst::PutNoted(piece) => Inst::Put(piece),
            Inst::SetNoted { var, value } => Inst::Set { var, value },
            Inst::Choice(_) => Inst::Skip(at as u32 + 1),
            Inst::Each => Inst::First,
            other => other,
        };
    }
}

/// For each instruction: true if the keeper may fail from there on.
fn fails(code: &[Inst]) -> Vec<bool> {
    let mut fails = vec![false; code.len()];
    loop {
        let mut is_done = true;
        for at in (0..code.len()).rev() {
            let known = |at: usize| fails.get(at).copied().unwrap_or(true);
            let mut ins = code[at];
            let there = ins.target().is_some_and(|to| known(*to as usize));
            let may = match ins {
                // The keeper is done with what it did.
                Inst::Answer(_) => false,
                Inst::Enter(_) | Inst::Turn { .. } | Inst::Ply { .. } | Inst::Leave { .. } => false,
                // The search may be asked, or what comes be left to it.
                Inst::Fail
                | Inst::Search
                | Inst::Jump(_)
                | Inst::Single
                | Inst::ToSingle(_)
                | Inst::OnlyIf(_)
                | Inst::IfCompare { .. }
                | Inst::IfPattern { .. }
                | Inst::Walk(_)
                | Inst::Assign { .. } => true,
                Inst::Skip(_) => there,
                // Nothing goes back to the alternative if nothing fails behind it.
                Inst::Choice(_) => known(at + 1),
                _ => there || known(at + 1),
            };
            is_done &= may == fails[at];
            fails[at] = may;
        }
        if is_done {
            return fails;
        }
    }
}
