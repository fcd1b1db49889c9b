//! Networks as graphs in the language of Graphviz.

use std::fmt::Write;

use crate::graph::{Lit, Node};
use crate::network::Network;
use crate::order::Order;

/// The network as a graph: bases are boxes, moves diamonds, gates circles, outputs plain text. A
/// dotted arrow leads from what a base becomes to the base; an arrow that begins with a dot
/// negates. As an error the number of nodes, if there are more than `most`.
pub(crate) fn dot(network: &Network, most: usize) -> Result<String, usize> {
    let graph = &network.graph;
    let roots = network.roots();
    let order = Order::new(graph, roots);
    let mut nodes: Vec<u32> = order.components().flatten().copied().collect();
    nodes.sort_unstable();
    let outputs = 1 + network.moves.len() + network.goals.len();
    if nodes.len() + outputs > most {
        return Err(nodes.len() + outputs);
    }
    let mut names = vec![String::new(); network.bases.len()];
    let bases = network.base_numbers();
    for proposition in &network.propositions {
        if let Some(&base) = bases.get(&proposition.lit.node()) {
            let name = &mut names[base];
            let sign = if proposition.lit.is_negative() { "not " } else { "" };
            let separator = if name.is_empty() { "" } else { "\n" };
            name.push_str(&format!("{separator}{sign}{}", proposition.text));
        }
    }
    let mut out = String::from("digraph network {\n  rankdir=LR;\n  node [fontsize=10];\n");
    let edge = |out: &mut String, from: Lit, to: &str, style: &str| {
        let sign = if from.is_negative() { "dir=both arrowtail=dot " } else { "" };
        line(out, format_args!("  n{} -> {to} [{sign}{style}];", from.node()));
    };
    for node in nodes {
        match graph.node(node) {
            Node::False => line(&mut out, format_args!("  n{node} [label=false shape=plaintext];")),
            Node::Base(base) => {
                let name = escaped(&names[base as usize]);
                line(&mut out, format_args!("  n{node} [label=\"{name}\" shape=box];"));
                edge(
                    &mut out,
                    network.bases[base as usize].next,
                    &format!("n{node}"),
                    "style=dotted constraint=false",
                );
            }
            Node::Does(action) => {
                let text = escaped(&network.moves[action as usize].text);
                line(&mut out, format_args!("  n{node} [label=\"does {text}\" shape=diamond];"));
            }
            Node::Feedback(feedback) => {
                line(&mut out, format_args!("  n{node} [label=\"\" shape=point];"));
                edge(&mut out, graph.definition(feedback), &format!("n{node}"), "style=dashed");
            }
            Node::And(inputs) => {
                line(&mut out, format_args!("  n{node} [label=and shape=circle];"));
                for &input in inputs {
                    edge(&mut out, input, &format!("n{node}"), "");
                }
            }
        }
    }
    let moves = network.moves.iter().map(|m| (format!("legal {}", m.text), m.legal));
    let goals = network
        .goals
        .iter()
        .map(|g| (format!("goal {} {}", network.roles[g.role].name, g.value), g.lit));
    let all = std::iter::once(("terminal".to_owned(), network.terminal)).chain(moves).chain(goals);
    for (number, (name, lit)) in all.enumerate() {
        let name = escaped(&name);
        line(&mut out, format_args!("  o{number} [label=\"{name}\" shape=plaintext];"));
        edge(&mut out, lit, &format!("o{number}"), "");
    }
    out.push_str("}\n");
    Ok(out)
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _ = writeln!(out, "{text}");
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
