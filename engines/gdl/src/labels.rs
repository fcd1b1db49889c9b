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

#[cfg(test)]
mod tests {
    use super::*;

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
