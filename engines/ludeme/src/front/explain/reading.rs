//! The nearest way to read the arguments of a call.

use text::{Bracket, near_miss};

use super::Explainer;
use crate::front::grammar::{Choice, Ludeme, Signature, Type, TypeId};
use crate::front::resolve::boolean;
use crate::front::tree::{NodeId, NodeKind};

/// Costs of departures from a signature, for choosing the nearest one.
mod cost {
    /// The argument would fit without an error further inside.
    pub(super) const INSIDE: u32 = 1;
    /// The argument may be a misspelling.
    pub(super) const SPELLING: u32 = 2;
    /// The slot takes something else.
    pub(super) const MISMATCH: u32 = 3;
    /// The argument has no slot, or the slot no argument.
    pub(super) const LEFT_OVER: u32 = 4;
}

/// The nearest way to read the arguments of a call by one signature.
pub(super) struct Reading {
    pub(super) cost: u32,
    /// For each argument the slot and the choice that it fills, if any.
    pub(super) placed: Vec<Option<(usize, usize)>>,
}

impl Explainer<'_, '_, '_> {
    /// The nearest way to read arguments by a signature.
    pub(super) fn read(&mut self, signature: &Signature, arguments: &[NodeId]) -> Reading {
        // A way to go on with the next argument at a slot.
        #[derive(Clone, Copy)]
        enum Step {
            End,
            SkipSlot,
            DropArgument,
            Fill(usize),
        }
        /// Most surplus arguments that are considered. Others have no slot in any case.
        const MAX_SURPLUS: usize = 8;
        let slots = &signature.slots;
        let count = arguments.len().min(slots.len() + MAX_SURPLUS);
        let ignored = arguments.len() - count;
        let mut best = vec![vec![(0u32, Step::End); count + 1]; slots.len() + 1];
        for s in (0..=slots.len()).rev() {
            for a in (0..=count).rev() {
                let mut options: Vec<(u32, Step)> = Vec::new();
                if let (Some(slot), true) = (slots.get(s), a < count) {
                    for (c, choice) in slot.choices.iter().enumerate() {
                        let cost = self.distance(arguments[a], choice);
                        // An argument unlike all that the slot takes is better reported as surplus.
                        let unlike = slot.optional && !choice.named;
                        if let Some(cost) = cost.filter(|&cost| !unlike || cost < cost::MISMATCH) {
                            options.push((cost + best[s + 1][a + 1].0, Step::Fill(c)));
                        }
                    }
                }
                if let Some(slot) = slots.get(s) {
                    let cost = if slot.optional { 0 } else { cost::LEFT_OVER };
                    options.push((cost + best[s + 1][a].0, Step::SkipSlot));
                }
                if a < count {
                    options.push((cost::LEFT_OVER + best[s][a + 1].0, Step::DropArgument));
                }
                best[s][a] =
                    options.into_iter().min_by_key(|(cost, _)| *cost).unwrap_or((0, Step::End));
            }
        }
        let mut placed = vec![None; arguments.len()];
        let (mut s, mut a) = (0, 0);
        loop {
            match best[s][a].1 {
                Step::End => break,
                Step::SkipSlot => s += 1,
                Step::DropArgument => a += 1,
                Step::Fill(choice) => {
                    placed[a] = Some((s, choice));
                    (s, a) = (s + 1, a + 1);
                }
            }
        }
        Reading { cost: best[0][0].0 + cost::LEFT_OVER * ignored as u32, placed }
    }

    /// Distance of an argument from the type that a choice takes; `None` if its name is wrong.
    pub(super) fn distance(&mut self, id: NodeId, choice: &Choice) -> Option<u32> {
        self.resolver.name_suits(id, choice).then(|| self.distance_to(id, choice.ty))
    }

    pub(super) fn distance_to_any(&mut self, id: NodeId, types: &[TypeId]) -> u32 {
        types.iter().map(|&ty| self.distance_to(id, ty)).min().unwrap_or(cost::MISMATCH)
    }

    pub(super) fn distance_to(&mut self, id: NodeId, ty: TypeId) -> u32 {
        if self.resolver.fits(id, ty) {
            return 0;
        }
        let tree = self.resolver.tree;
        let grammar = self.resolver.grammar;
        let wanted = grammar.ty(ty);
        match (&tree.node(id).kind, wanted) {
            (NodeKind::List(Bracket::Round, items), _) => match &tree.node(items[0]).kind {
                NodeKind::Text(_) => cost::INSIDE,
                NodeKind::Word(keyword) => {
                    let mut exists = false;
                    for ludeme in grammar.with_keyword(keyword) {
                        exists = true;
                        let kind = ludeme.signature().kind;
                        if matches!(wanted, Type::Kind(wanted) if grammar.is_a(kind, *wanted)) {
                            return cost::INSIDE;
                        }
                    }
                    match wanted {
                        Type::Kind(_) if !exists => cost::SPELLING,
                        _ => cost::MISMATCH,
                    }
                }
                _ => cost::MISMATCH,
            },
            (NodeKind::List(Bracket::Curly, items), Type::Array(types)) => {
                let worst = items.iter().map(|&item| self.distance_to_any(item, types)).max();
                worst.map_or(cost::INSIDE, |worst| worst.clamp(cost::INSIDE, cost::SPELLING))
            }
            (NodeKind::Word(word), Type::Enum(id)) => {
                let names = grammar.enumeration(*id).constants.iter().map(|c| c.word().as_str());
                let unknown = grammar.constants(word).is_empty()
                    && word.starts_with(char::is_alphabetic)
                    && boolean(word).is_none();
                match unknown {
                    true if near_miss(word, names).is_some() => cost::INSIDE,
                    true => cost::SPELLING,
                    false => cost::MISMATCH,
                }
            }
            (NodeKind::Word(word), Type::Kind(wanted)) => {
                let mut gives = grammar.with_keyword(word).map(Ludeme::kind);
                if gives.any(|kind| grammar.is_a(kind, *wanted)) {
                    cost::SPELLING
                } else {
                    cost::MISMATCH
                }
            }
            (NodeKind::Text(_), Type::Text(_)) => cost::INSIDE,
            (NodeKind::Text(_), _) => cost::SPELLING,
            _ => cost::MISMATCH,
        }
    }
}
