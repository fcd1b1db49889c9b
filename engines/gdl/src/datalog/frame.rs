//! Facts that stay as they are unless something says otherwise: `(next F)` where `(true F)` and not
//! this and not that. Instead of going through all facts, all are taken over, and those are dropped
//! for which something holds, which are few.

use super::flat::{FlatAtom, FlatId, FlatLiteral, FlatProgram, FlatRule, FlatTerm};
use crate::program::RelId;

/// The frame axiom of one relation: the rule by which its facts stay, and the rules that end them.
#[derive(Debug)]
pub(crate) struct Frame {
    /// The rule that says that they stay, as a place in [`FlatProgram::rules`].
    pub(crate) rule: usize,
    /// The flat relation of `true`.
    pub(crate) from: FlatId,
    /// Rules whose heads are the facts to drop.
    pub(crate) drops: Vec<FlatRule>,
}

/// True if a rule asks what will be true, which is strange and may be.
pub(crate) fn next_is_read(flat: &FlatProgram) -> bool {
    let literals = flat.rules.iter().flat_map(|rule| &rule.body);
    literals.filter_map(super::schedule::asked).any(|(id, _)| is_next(flat, id))
}

fn is_next(flat: &FlatProgram, id: FlatId) -> bool {
    flat.relations[id.index()].relation == RelId::NEXT
}

impl Frame {
    /// Finds the frame among the rules of a flat relation of `next`, if there is exactly one.
    /// `changes` says which relations may be gone through as a whole.
    pub(crate) fn find(
        flat: &FlatProgram,
        rules: &[usize],
        changes: impl Fn(FlatId) -> bool,
    ) -> Option<Frame> {
        let mut all = rules.iter().filter_map(|&rule| Frame::of(flat, rule, &changes));
        all.next().filter(|_| all.next().is_none())
    }

    fn of(flat: &FlatProgram, index: usize, changes: &impl Fn(FlatId) -> bool) -> Option<Frame> {
        let rule = &flat.rules[index];
        if !is_next(flat, rule.head.relation) {
            return None;
        }
        let from = flat.counterpart(rule.head.relation, RelId::TRUE);
        let columns = &rule.head.columns;
        for (i, column) in columns.iter().enumerate() {
            if !matches!(column, FlatTerm::Var(_)) || columns[..i].contains(column) {
                return None;
            }
        }
        let stays = FlatAtom { relation: from, columns: columns.clone() };
        let (mut found, mut drops) = (false, Vec::new());
        for literal in &rule.body {
            match literal {
                FlatLiteral::Positive(atom) if *atom == stays && !found => found = true,
                FlatLiteral::Negative(atom) if changes(atom.relation) => {
                    let body = vec![
                        FlatLiteral::Positive(atom.clone()),
                        FlatLiteral::Positive(stays.clone()),
                    ];
                    let (head, variables) = (rule.head.clone(), rule.variables);
                    drops.push(FlatRule { head, body, variables });
                }
                _ => return None,
            }
        }
        found.then_some(Frame { rule: index, from, drops })
    }
}
