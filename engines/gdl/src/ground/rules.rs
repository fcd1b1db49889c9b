//! The rules that ground rules are instances of.

use super::decompose::{is_splittable, take_apart};
use super::program::GroundRules;
use crate::datalog::base::Base;
use crate::datalog::flat::FlatRule;

/// Steps that a rule which can be taken apart may need to say what can hold.
pub(super) const MUCH: u64 = 3_000_000;

/// A rule, or a part of one.
pub(super) struct Rule {
    pub(super) flat: FlatRule,
    /// The rule of the program.
    pub(super) origin: usize,
    pub(super) is_splittable: bool,
    /// True if another rule asks for it.
    pub(super) is_part: bool,
    /// Its instances, once they are found.
    pub(super) ground: Option<GroundRules>,
}

/// All rules, those of one rule of the program side by side.
pub(super) struct Rules {
    pub(super) all: Vec<Rule>,
    /// By rule of the program: whether it, or a case of it, can be taken apart.
    splittable: Vec<bool>,
}

impl Rules {
    /// The rules for relations that change; `base` is left without rules.
    pub(super) fn new(base: &mut Base, rules: usize) -> Rules {
        let of = std::mem::take(&mut base.flat.rules).into_iter().zip(&base.flat.origins);
        let all = of.filter(|(flat, _)| base.changes(flat.head.relation)).map(|(flat, &origin)| {
            let is_splittable = is_splittable(base, &flat);
            Rule { flat, origin, is_splittable, is_part: false, ground: None }
        });
        let mut rules = Rules { all: all.collect(), splittable: vec![false; rules] };
        rules.note_splittable();
        rules
    }

    fn note_splittable(&mut self) {
        self.splittable.fill(false);
        self.all.iter().for_each(|rule| self.splittable[rule.origin] |= rule.is_splittable);
    }

    /// The most steps that finding the facts by a rule of the program may take.
    pub(super) fn most(&self, origin: usize) -> u64 {
        if self.splittable.get(origin) == Some(&true) { MUCH } else { u64::MAX }
    }

    /// Takes rules apart; whether there were any.
    pub(super) fn take_apart(&mut self, base: &mut Base, which: impl Fn(&Rule) -> bool) -> bool {
        let mut any = false;
        for rule in std::mem::take(&mut self.all) {
            if !rule.is_splittable || !which(&rule) {
                self.all.push(rule);
                continue;
            }
            any = true;
            let (origin, own) = (rule.origin, rule.flat.head.relation);
            self.all.extend(take_apart(base, rule.flat).into_iter().map(|flat| {
                let is_part = flat.head.relation != own;
                Rule { flat, origin, is_splittable: false, is_part, ground: None }
            }));
        }
        self.note_splittable();
        any
    }
}
