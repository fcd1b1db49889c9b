//! The variables whose values still matter at each node of an automaton (live variables, Aho, Lam,
//! Sethi and Ullman, *Compilers*, 9.2.5). States that differ in others have the same future.

use crate::automaton::{Automaton, Expr, GOALS, Label, NodeId, PLAYER, Place, Slot, VISIBLE};

/// For each node the variables that something reads from there on.
#[derive(Clone, Debug)]
pub(crate) struct Liveness {
    variables: usize,
    /// Rows of `variables` entries, one for each node.
    live: Vec<bool>,
}

impl Liveness {
    /// Works out which variables are live: backwards over the edges, until nothing changes. The
    /// body of a test is read as if the play went on behind it, which may call a dead variable
    /// live, never the reverse.
    pub(crate) fn of(automaton: &Automaton) -> Liveness {
        let variables = automaton.variables.len();
        let nodes = automaton.nodes.len();
        let mut users: Vec<Vec<NodeId>> = vec![Vec::new(); nodes];
        for (from, node) in automaton.nodes.iter().enumerate() {
            for edge in &node.edges {
                users[edge.to].push(from);
                if let Label::Test { from: inner, .. } = edge.label {
                    users[inner].push(from);
                }
            }
        }
        let mut live = vec![false; nodes * variables];
        for node in 0..nodes {
            // Who moves is asked at every node where a move ends, and the payoffs and what was seen
            // count at the end.
            for slot in [GOALS, PLAYER, VISIBLE] {
                live[node * variables + slot] = true;
            }
        }
        // What was put on a board is shown when the play is over.
        for edge in automaton.nodes.iter().flat_map(|node| &node.edges) {
            if let Label::Assign { target, .. } | Label::AssignAny { target, .. } = &edge.label
                && !target.keys.is_empty()
            {
                live[automaton.end * variables + target.slot] = true;
            }
        }
        let mut liveness = Liveness { variables, live };
        let mut waiting: Vec<NodeId> = (0..nodes).collect();
        let mut is_waiting = vec![true; nodes];
        while let Some(node) = waiting.pop() {
            is_waiting[node] = false;
            if liveness.update(automaton, node) {
                for &user in &users[node] {
                    if !std::mem::replace(&mut is_waiting[user], true) {
                        waiting.push(user);
                    }
                }
            }
        }
        liveness
    }

    /// True if the value of a variable matters at a node.
    pub(crate) fn is_live(&self, node: NodeId, slot: Slot) -> bool {
        self.live[node * self.variables + slot]
    }

    /// Adds what the edges of a node read; true if anything was new.
    fn update(&mut self, automaton: &Automaton, node: NodeId) -> bool {
        let mut row = self.row(node).to_vec();
        for edge in &automaton.nodes[node].edges {
            let after = self.row(edge.to);
            let overwritten = overwritten(&edge.label);
            for (slot, live) in row.iter_mut().enumerate() {
                *live |= after[slot] && overwritten != Some(slot);
            }
            if let Label::Test { from, .. } = edge.label {
                row.iter_mut().zip(self.row(from)).for_each(|(live, inner)| *live |= inner);
            }
            edge.label.each_read(&mut |slot| row[slot] = true);
        }
        let is_new = row != self.row(node);
        self.live[node * self.variables..][..self.variables].copy_from_slice(&row);
        is_new
    }

    fn row(&self, node: NodeId) -> &[bool] {
        &self.live[node * self.variables..][..self.variables]
    }
}

/// The variable of which an edge replaces the whole value, if it is not always live.
fn overwritten(label: &Label) -> Option<Slot> {
    let (Label::Assign { target, .. } | Label::AssignAny { target, .. }) = label else {
        return None;
    };
    let always = [GOALS, PLAYER, VISIBLE].contains(&target.slot);
    (target.keys.is_empty() && !always).then_some(target.slot)
}

impl Label {
    /// True if exactly one of two conditions holds, whatever the values.
    pub(crate) fn is_complement(&self, other: &Label) -> bool {
        match (self, other) {
            (
                Label::Compare { left, right, equal },
                Label::Compare { left: other_left, right: other_right, equal: other_equal },
            ) => (left, right) == (other_left, other_right) && equal != other_equal,
            (
                Label::Test { from, to, negated },
                Label::Test { from: other_from, to: other_to, negated: other_negated },
            ) => (from, to) == (other_from, other_to) && negated != other_negated,
            _ => false,
        }
    }

    /// Calls `read` with each variable that the label reads, tests apart.
    pub(crate) fn each_read(&self, read: &mut impl FnMut(Slot)) {
        match self {
            Label::Skip | Label::Test { .. } | Label::Tag(_) => {}
            Label::TagVariable(slot) => read(*slot),
            Label::Assign { target, value } => {
                target.each_key_read(read);
                value.each_read(read);
            }
            Label::AssignAny { target, .. } => target.each_key_read(read),
            Label::Compare { left, right, .. } => {
                left.each_read(read);
                right.each_read(read);
            }
        }
    }
}

impl Place {
    /// Calls `read` with each variable that the keys read.
    fn each_key_read(&self, read: &mut impl FnMut(Slot)) {
        self.keys.iter().for_each(|key| key.each_read(read));
    }
}

impl Expr {
    /// Calls `read` with each variable that the expression reads.
    pub(crate) fn each_read(&self, read: &mut impl FnMut(Slot)) {
        match self {
            Expr::Symbol(_) => {}
            Expr::Variable(place) => {
                read(place.slot);
                place.each_key_read(read);
            }
            Expr::Constant(place) => place.each_key_read(read),
        }
    }
}
