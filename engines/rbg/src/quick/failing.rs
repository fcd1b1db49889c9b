//! Where the keeper may fail, or be left to the search: only what is changed before that is noted.

use super::{Bytecode, Ins};

/// Has instructions note only what may be taken back: where what follows leads to the end of what
/// the keeper does whatever holds, changes are just made, and alternatives are not gone back to.
pub(crate) fn drop_notes(quick: &mut Bytecode) {
    let fails = fails(&quick.code);
    for (at, ins) in quick.code.iter_mut().enumerate() {
        if fails.get(at + 1).copied().unwrap_or(true) {
            continue;
        }
        *ins = match *ins {
            Ins::PutNoted(piece) => Ins::Put(piece),
            Ins::SetNoted { var, value } => Ins::Set { var, value },
            Ins::Choice(_) => Ins::Skip(at as u32 + 1),
            Ins::Each => Ins::First,
            other => other,
        };
    }
}

/// Whether the keeper may fail from each instruction on.
fn fails(code: &[Ins]) -> Vec<bool> {
    let mut fails = vec![false; code.len()];
    loop {
        let mut is_done = true;
        for at in (0..code.len()).rev() {
            let known = |at: usize| fails.get(at).copied().unwrap_or(true);
            let mut ins = code[at];
            let there = ins.target().is_some_and(|to| known(*to as usize));
            let may = match ins {
                // The keeper is done with what it did.
                Ins::Enter(_) | Ins::Turn { .. } | Ins::Ply { .. } | Ins::Leave { .. } => false,
                // The search may be asked, or what comes be left to it.
                Ins::Fail
                | Ins::Search
                | Ins::Jump(_)
                | Ins::Single
                | Ins::ToSingle(_)
                | Ins::OnlyIf(_)
                | Ins::IfCompare { .. }
                | Ins::IfPattern { .. }
                | Ins::Walk(_)
                | Ins::Assign { .. } => true,
                Ins::Skip(_) => there,
                // Nothing goes back to the alternative if nothing fails behind it.
                Ins::Choice(_) => known(at + 1),
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
