//! Names of actions in neutral notation.

use rustc_hash::FxHashMap;

use crate::symbols::Symbols;
use crate::terms::{TermId, Terms};

/// The labels of the legal actions of one role in one state, in the same order: neutral notation as
/// [`Terms::label`] has it, or the whole action as KIF text where two would share one. Equal
/// actions get equal labels, different ones different.
pub fn labels(symbols: &Symbols, terms: &Terms, actions: &[TermId]) -> Vec<String> {
    let short: Vec<String> = actions.iter().map(|&a| terms.label(symbols, a)).collect();
    let mut owners: FxHashMap<&str, (TermId, bool)> = FxHashMap::default();
    for (label, &action) in short.iter().zip(actions) {
        let owner = owners.entry(label).or_insert((action, true));
        owner.1 &= owner.0 == action;
    }
    let shared = |label: &str| !owners.get(label).is_some_and(|&(_, only)| only);
    short
        .iter()
        .zip(actions)
        .map(|(label, &action)| {
            // A whole action may read like the label of another only if it is a constant.
            if shared(label) && !terms.args(action).is_empty() {
                terms.show(symbols, action)
            } else if shared(label) {
                symbols.lower(terms.functor(action)).to_owned()
            } else {
                label.clone()
            }
        })
        .collect()
}

/// All that a sheet says of an action, which is written like this and has this label: its words with
/// blanks between them, the verb as well. `(move a 2 a 3)` is `move a 2 a 3`, and not `a2a3`; an
/// action without arguments keeps its label.
pub fn full_label(text: &str, label: &str) -> String {
    if text.starts_with('(') { text.replace(['(', ')'], "") } else { label.to_owned() }
}

/// The codes of moves: places in a list of all labels that they can have.
#[derive(Debug, Default)]
pub struct MoveCodes {
    /// By move. `u32::MAX` for moves that share a label with another of their role: which of two
    /// labels these have depends on what else is legal.
    pub codes: Vec<u32>,
    /// The labels, each once.
    pub actions: Vec<String>,
}

impl MoveCodes {
    /// The codes of moves, each given by the number of its role, its label, and its text, which is
    /// its label where another legal move of the role has the same label. The same label of several
    /// roles has one code.
    pub fn new<'m>(moves: impl Iterator<Item = (usize, &'m str, &'m str)> + Clone) -> MoveCodes {
        let mut owners: FxHashMap<(usize, &str), u32> = FxHashMap::default();
        moves.clone().for_each(|(role, label, _)| *owners.entry((role, label)).or_default() += 1);
        let is_shared = |role, label| owners[&(role, label)] > 1;
        let mut codes = MoveCodes::default();
        let mut known: FxHashMap<&str, u32> = FxHashMap::default();
        for (role, label, _) in moves.clone() {
            let code = codes.place(&mut known, label);
            codes.codes.push(if is_shared(role, label) { u32::MAX } else { code });
        }
        for (_, _, text) in moves.filter(|&(role, label, _)| is_shared(role, label)) {
            codes.place(&mut known, text);
        }
        codes
    }

    /// The place of a label, which is added if it is new.
    fn place<'m>(&mut self, known: &mut FxHashMap<&'m str, u32>, label: &'m str) -> u32 {
        *known.entry(label).or_insert_with(|| {
            self.actions.push(label.to_owned());
            self.actions.len() as u32 - 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_that_share_a_label_have_codes_by_what_else_is_legal() {
        let moves = [
            (0, "a1", "(mark a 1)"),
            (0, "a1", "(drop a 1)"),
            (1, "a1", "(mark a 1)"),
            (0, "b1", "(mark b 1)"),
        ];
        let MoveCodes { codes, actions } = MoveCodes::new(moves.into_iter());
        assert_eq!(codes, [u32::MAX, u32::MAX, 0, 1]);
        assert_eq!(actions, ["a1", "b1", "(mark a 1)", "(drop a 1)"]);
    }

    #[test]
    fn verbs_are_dropped_unless_they_tell_actions_apart() {
        let mut symbols = Symbols::default();
        let mut terms = Terms::default();
        let [a, one, mark, drop, to, noop] =
            ["A", "1", "mark", "drop", "to", "noop"].map(|name| symbols.intern(name));
        let [a, one] = [a, one].map(|s| terms.constant(s));
        let nested = terms.compound(to, &[one, a]);
        let actions = [
            terms.compound(mark, &[a, one]),
            terms.compound(drop, &[a, one]),
            terms.compound(mark, &[a, nested]),
            terms.constant(noop),
        ];
        let found = labels(&symbols, &terms, &actions);
        assert_eq!(found, ["(mark a 1)", "(drop a 1)", "a1a", "pass"]);
        assert_eq!(labels(&symbols, &terms, &actions[1..]), ["a1", "a1a", "pass"]);
        let full = |&action: &TermId| {
            full_label(&terms.show(&symbols, action), &terms.label(&symbols, action))
        };
        let full: Vec<String> = actions.iter().map(full).collect();
        assert_eq!(full, ["mark a 1", "drop a 1", "mark a to 1 a", "pass"]);
    }
}
