//! The tree as rules in GDL-II.

use std::fmt::Write;

use super::super::harmless;
use super::super::kif::Ends;
use super::tree::{Outcomes, Tree};

/// Everything that does not depend on the tree. The token is at a node, or at a place where nature
/// draws; draws that are more likely than others are there several times.
const RULES: &str = "\
(role random)
(init (at begin))
(<= (legal random (draw ?i)) (true (at ?n)) (outcome ?n ?i ?c))
(<= (legal random noop) (true (at ?n)) (mover ?n ?m))
(<= (legal ?p noop) (player ?p) (true (at ?n)) (nature ?n))
(<= (legal ?p (go ?a)) (true (at ?n)) (mover ?n ?p) (edge ?n ?a ?c))
(<= (legal ?p noop) (player ?p) (true (at ?n)) (mover ?n ?m) (distinct ?p ?m))
(<= (goes ?c) (true (at ?n)) (does ?p (go ?a)) (edge ?n ?a ?c))
(<= (goes ?c) (true (at ?n)) (does random (draw ?i)) (outcome ?n ?i ?c))
(<= (next (at ?c)) (goes ?c))
(<= terminal (true (at ?n)) (leaf ?n ?e))
(<= (goal ?p ?v) (true (at ?n)) (leaf ?n ?e) (payoff ?e ?p ?v))
";

/// The description in GDL-II: the role `random` is nature, and `sees` says what players perceive.
///
/// # Errors
/// The reason why GDL cannot say it.
pub fn kif(tree: &Tree, title: &str) -> Result<String, String> {
    let mut text = format!("; {} as a tree with one token\n", harmless(title));
    for player in 1..=tree.players {
        let _ = writeln!(text, "(role p{player}) (player p{player})");
    }
    text.push_str(RULES);
    let mut told = tree.nodes.iter().flat_map(|node| &node.told);
    if tree.hidden || told.any(|own| !own.is_empty()) {
        text.push_str("(<= (sees ?p ?t) (goes ?c) (told ?c ?p ?t))\n");
        if tree.nodes.iter().all(|node| node.told.iter().all(Vec::is_empty)) {
            // Nobody perceives anything.
            text.push_str("(told none p1 t0)\n");
        }
    }
    draws(&mut text, "begin", &tree.start);
    let mut ends = Ends::default();
    for (number, node) in tree.nodes.iter().enumerate() {
        if let Some(turn) = node.turn {
            let _ = writeln!(text, "(mover n{number} p{})", turn + 1);
        }
        for (action, outcomes) in &node.edges {
            if let [(to, _)] = outcomes[..] {
                let _ = writeln!(text, "(edge n{number} a{action} n{to})");
            } else {
                let place = format!("d{number}x{action}");
                let _ = writeln!(text, "(edge n{number} a{action} {place})");
                draws(&mut text, &place, outcomes);
            }
        }
        for (player, percepts) in (1..).zip(&node.told) {
            for percept in percepts {
                let _ = writeln!(text, "(told n{number} p{player} t{percept})");
            }
        }
        if let Some(scores) = node.scores {
            ends.write_leaf(number, scores, &mut text);
        }
    }
    ends.write_payoffs(&mut text)?;
    Ok(text)
}

/// The place at which nature draws among outcomes.
fn draws(text: &mut String, place: &str, outcomes: &Outcomes) {
    let _ = writeln!(text, "(nature {place})");
    let all = outcomes.iter().flat_map(|(to, chances)| (0..*chances).map(move |_| to));
    for (draw, to) in all.enumerate() {
        let _ = writeln!(text, "(outcome {place} {draw} n{to})");
    }
}
