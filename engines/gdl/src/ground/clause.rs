//! A rule of a program, ready for evaluation.

use crate::ground::pattern::{AtomPattern, Pattern};
use crate::program::Var;

/// A relation of the evaluation: one of the program, or a part of the condition of some rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Extent {
    pub(super) arity: usize,
    /// Rules for lower components are evaluated first.
    pub(super) component: usize,
    /// Whether its facts never change.
    pub(super) is_static: bool,
    /// Whether ground rules say when its facts hold.
    pub(super) recorded: bool,
    /// Whether it matters for playing.
    pub(super) relevant: bool,
}

/// A rule, its literals sorted by what has to be done with them.
#[derive(Clone, Debug)]
pub(super) struct Clause {
    pub(super) head: AtomPattern,
    pub(super) positive: Vec<Positive>,
    /// Negative literals that are decided here: those of static relations.
    pub(super) absent: Vec<AtomPattern>,
    /// Negative literals that become part of the ground rules.
    pub(super) negated: Vec<AtomPattern>,
    pub(super) distinct: Vec<(Pattern, Pattern)>,
    pub(super) variables: usize,
    /// Whether ground rules are wanted, or only the facts.
    pub(super) recorded: bool,
    /// Variables that a solution is asked for, in order: those of the head and of `negated`.
    pub(super) wanted: Vec<Var>,
    /// For each variable whether a solution says what it stands for: it is wanted, or occurs in a
    /// literal that is kept.
    pub(super) told: Vec<bool>,
}

/// A positive literal.
#[derive(Clone, Debug)]
pub(super) struct Positive {
    pub(super) atom: AtomPattern,
    /// Whether it becomes part of the ground rules: it is not of a static relation.
    pub(super) kept: bool,
}

impl Clause {
    /// Whether a solution may be found more than once, for values that nobody is told.
    pub(super) fn may_repeat(&self) -> bool {
        let mut hidden = false;
        for literal in self.positive.iter().filter(|p| !p.kept) {
            literal.atom.variables(&mut |var| hidden |= !self.told[var.index()]);
        }
        hidden
    }

    /// How many words a solution takes.
    pub(super) fn width(&self) -> usize {
        self.positive.iter().filter(|p| p.kept).count() + self.wanted.len()
    }

    /// Works out which variables are wanted and told.
    pub(super) fn settle(&mut self) {
        let mut wanted: Vec<Var> = Vec::new();
        let mut told = vec![false; self.variables];
        let mut want = |var: Var| {
            if !std::mem::replace(&mut told[var.index()], true) {
                wanted.push(var);
            }
        };
        self.head.variables(&mut want);
        if self.recorded {
            self.negated.iter().for_each(|a| a.variables(&mut want));
        }
        let kept = self.positive.iter().filter(|p| p.kept);
        kept.for_each(|p| p.atom.variables(&mut |var| told[var.index()] = true));
        self.wanted = wanted;
        self.told = told;
    }
}
