//! The graph as rules in GDL.

use std::fmt::Write;

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
    let mut ends = Vec::new();
    for (number, node) in graph.nodes.iter().enumerate() {
        if let Some(turn) = node.turn {
            let _ = writeln!(text, "(mover n{number} p{})", turn + 1);
        }
        for (to, _) in &node.edges {
            let _ = writeln!(text, "(edge n{number} n{to})");
        }
        let Some(scores) = node.scores else { continue };
        let end = ends.iter().position(|&known| known == scores).unwrap_or(ends.len());
        if end == ends.len() {
            ends.push(scores);
        }
        let _ = writeln!(text, "(leaf n{number} e{end})");
    }
    for (end, scores) in ends.iter().enumerate() {
        for (player, score) in (1..).zip(scores.iter()) {
            if score > 100 {
                return Err(format!("a payoff of {score}: goals of GDL are 100 at most"));
            }
            let _ = writeln!(text, "(payoff e{end} p{player} {score})");
        }
    }
    text.push_str("; what the edges are called in the original\n");
    text.push_str(&legend(graph, ";"));
    Ok(text)
}

/// The label that engines give to the action that takes the token along an edge.
pub fn kif_label(_: &Graph, _from: usize, to: usize) -> String {
    format!("n{to}")
}
