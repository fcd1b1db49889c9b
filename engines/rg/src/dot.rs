//! An automaton as a graph in the language of Graphviz.

use std::fmt::Write;

use crate::automaton::{Automaton, Edge, Expr, Label, Place};

/// The graph: moves end at bold edges, tests are dashed edges to the node where they begin.
pub(crate) fn dot(automaton: &Automaton) -> String {
    let mut text = "digraph automaton {\n  node [shape=circle, fontsize=10];\n".to_owned();
    let mut line = |line: String| {
        text.push_str("  ");
        text.push_str(&line);
        text.push_str(";\n");
    };
    for node in [automaton.begin, automaton.end] {
        line(format!("{} [shape=doublecircle]", name(automaton, node)));
    }
    for (from, node) in automaton.nodes.iter().enumerate() {
        for Edge { to, label, .. } in &node.edges {
            let text = label_text(automaton, label);
            let (from, to) = (name(automaton, from), name(automaton, *to));
            let style = if label.ends_move() { ", style=bold" } else { "" };
            line(format!("{from} -> {to} [label={text:?}{style}]"));
            if let Label::Test { from: inner, .. } = *label {
                line(format!(
                    "{from} -> {} [style=dashed, arrowhead=open]",
                    name(automaton, inner)
                ));
            }
        }
    }
    text.push_str("}\n");
    text
}

fn name(automaton: &Automaton, node: usize) -> String {
    format!("{:?}", automaton.name(automaton.nodes[node].name))
}

/// A label as `.rg` files have it.
pub(crate) fn label_text(automaton: &Automaton, label: &Label) -> String {
    let expr = |expr| expr_text(automaton, expr);
    let place = |place| place_text(automaton, place, true);
    let node = |node: usize| automaton.name(automaton.nodes[node].name);
    match label {
        Label::Skip => String::new(),
        Label::Assign { target, value } => format!("{} = {}", place(target), expr(value)),
        Label::AssignAny { target, set } => {
            let members = &automaton.sets[*set].members;
            let members: Vec<&str> = members.iter().map(|&member| automaton.name(member)).collect();
            format!("{} = {{{}}}(*)", place(target), members.join(", "))
        }
        Label::Compare { left, right, equal } => {
            format!("{} {} {}", expr(left), if *equal { "==" } else { "!=" }, expr(right))
        }
        Label::Test { from, to, negated } => {
            format!("{} {} -> {}", if *negated { "!" } else { "?" }, node(*from), node(*to))
        }
        Label::Tag(symbol) => format!("$ {}", automaton.name(*symbol)),
        Label::TagVariable(slot) => {
            format!("$$ {}", automaton.name(automaton.variables[*slot].name))
        }
    }
}

fn expr_text(automaton: &Automaton, expr: &Expr) -> String {
    match expr {
        Expr::Symbol(symbol) => automaton.name(*symbol).to_owned(),
        Expr::Variable(place) => place_text(automaton, place, true),
        Expr::Constant(place) => place_text(automaton, place, false),
    }
}

fn place_text(automaton: &Automaton, place: &Place, is_variable: bool) -> String {
    let name = if is_variable {
        automaton.variables[place.slot].name
    } else {
        automaton.constants[place.slot].name
    };
    let mut text = automaton.name(name).to_owned();
    for key in &place.keys {
        // Writing to a string cannot fail.
        let _ = write!(text, "[{}]", expr_text(automaton, key));
    }
    text
}
