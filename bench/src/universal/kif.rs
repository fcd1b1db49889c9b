//! The graph as rules in GDL.

use std::fmt::Write;

use play::Scores;

use super::graph::Graph;
use super::legend;

/// The description in GDL: one proposition says where the token stands, and tables say the rest. An
/// error where GDL has no such goals.
pub fn kif(graph: &Graph, title: &str) -> Result<String, String> {
    let mut text = format!("; {} as a graph with one token\n", super::harmless(title));
    for player in 1..=graph.players {
        let _ = writeln!(text, "(role p{player})");
    }
    text.push_str(
        "(init (at n0))\n\
         (<= (legal ?r (go ?c)) (true (at ?n)) (mover ?n ?r) (edge ?n ?c))\n\
         (<= (legal ?r noop) (role ?r) (true (at ?n)) (mover ?n ?m) (distinct ?r ?m))\n\
         (<= (next (at ?c)) (does ?r (go ?c)))\n\
         (<= terminal (true (at ?n)) (leaf ?n ?e))\n\
         (<= (goal ?r ?v) (true (at ?n)) (leaf ?n ?e) (payoff ?e ?r ?v))\n",
    );
    let mut ends = Ends::default();
    for (number, node) in graph.nodes.iter().enumerate() {
        if let Some(turn) = node.turn {
            let _ = writeln!(text, "(mover n{number} p{})", turn + 1);
        }
        for (to, _) in &node.edges {
            let _ = writeln!(text, "(edge n{number} n{to})");
        }
        if let Some(scores) = node.scores {
            ends.write_leaf(number, scores, &mut text);
        }
    }
    ends.write_payoffs(&mut text)?;
    text.push_str("; what the edges are called in the original\n");
    text.push_str(&legend(graph, ";"));
    Ok(text)
}

/// The scores of ends, by number: nodes with the same scores are one end.
#[derive(Default)]
pub(super) struct Ends(Vec<Scores>);

impl Ends {
    /// Writes that the game ends at a node.
    pub(super) fn write_leaf(&mut self, node: usize, scores: Scores, text: &mut String) {
        let end = self.0.iter().position(|&known| known == scores).unwrap_or(self.0.len());
        if end == self.0.len() {
            self.0.push(scores);
        }
        let _ = writeln!(text, "(leaf n{node} e{end})");
    }

    /// Writes what players get at each end. An error where GDL has no such goals.
    pub(super) fn write_payoffs(&self, text: &mut String) -> Result<(), String> {
        for (end, scores) in self.0.iter().enumerate() {
            for (player, score) in (1..).zip(scores.iter()) {
                if score > 100 {
                    return Err(format!("a payoff of {score}: goals of GDL are 100 at most"));
                }
                let _ = writeln!(text, "(payoff e{end} p{player} {score})");
            }
        }
        Ok(())
    }
}

/// The label that engines give to the action that takes the token along an edge.
pub fn kif_label(_: &Graph, _from: usize, to: usize) -> String {
    format!("n{to}")
}
