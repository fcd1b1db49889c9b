//! Universality, executed: any finite deterministic game of full information as a graph with one
//! token.
//!
//! Piette, Soemers, Stephenson, Sironi, Winands and Browne (Ludii, 2020) prove that every such game
//! can be written in ludemes (theorem 1): the board is the game tree, a token stands on the root, a
//! move takes it to a child, and at each leaf a condition names the result (definition 5).
//! [`explore`] walks a game, [`lud`] and [`kif`] write that description, and [`check`] plays it
//! against the original.

mod check;
mod explore;
pub mod extensive;
mod graph;
mod kif;
mod lud;
mod trees;

pub use check::{Checked, Walked, check, merged_soundly};
pub use explore::{Bounds, Refusal, explore};
pub use graph::{Graph, Node};
/// Names an edge of a graph, from one node to another, as an engine names the action.
pub type EdgeLabel = fn(&Graph, usize, usize) -> String;

pub use kif::{kif, kif_label};
pub use lud::{lud, lud_label};
pub use trees::random_tree;

/// A label as it may stand in a comment or a name of any language: letters, digits and a few signs;
/// all else as `%` and the number of the character, so that nothing ends a comment, a string or a
/// list.
pub fn harmless(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-+=#.:*".contains(c);
    let mut out = String::new();
    for c in text.chars() {
        if plain(c) {
            out.push(c);
        } else {
            out.push_str(&format!("%{:02x}", u32::from(c)));
        }
    }
    out
}

/// The names of the edges of each node in the original, a line a node.
fn legend(graph: &Graph, comment: &str) -> String {
    let mut text = String::new();
    for (number, node) in graph.nodes.iter().enumerate().filter(|(_, n)| !n.edges.is_empty()) {
        let edges = node.edges.iter().map(|(to, label)| format!(" {}>{to}", harmless(label)));
        text.push_str(&format!("{comment} {number}:{}\n", edges.collect::<String>()));
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn nothing_hostile_is_left_of_a_label() {
        assert_eq!(super::harmless("a1b2"), "a1b2");
        assert_eq!(super::harmless("x\")\n;<"), "x%22%29%0a%3b%3c");
    }
}
