//! The graph as rules in ludemes.

use std::fmt::Write;

use play::Scores;

use super::graph::Graph;
use super::legend;

/// Payoffs of ludemes are 32-bit floats: integers beyond this are not exact.
const EXACT: i32 = 1 << 24;

/// Vertices beyond which the numbers of edges do not fit into 32 bits.
pub(super) const NUMBERED: usize = 40_000;

/// The description in ludemes (definition 5): the nodes are vertices of the board, and the token
/// steps along edges. In an acyclic graph vertices are numbered so that edges go to higher numbers;
/// in others a map says which edges there are. Ends with the same scores share a condition.
pub fn lud(graph: &Graph, title: &str) -> Result<String, String> {
    let n = graph.nodes.len();
    if n > NUMBERED {
        return Err(format!("{n} vertices: at most {NUMBERED} can be written"));
    }
    let mut text = format!("// {} as a graph with one token\n", super::harmless(title));
    let _ = writeln!(text, "(game \"{}\"\n (players {})", super::harmless(title), graph.players);
    let vertices = vertices(n);
    let mut edges: Vec<[usize; 2]> = Vec::new();
    for (from, node) in graph.nodes.iter().enumerate() {
        edges.extend(node.edges.iter().map(|&(to, _)| [from.min(to), from.max(to)]));
    }
    edges.sort_unstable();
    edges.dedup();
    let _ = write!(text, " (equipment {{\n  (board (graph vertices:{vertices}");
    if !edges.is_empty() {
        let edges = list(edges.iter().map(|[a, b]| format!("{{{a} {b}}}")));
        let _ = write!(text, "\n   edges:{edges}");
    }
    text.push_str(") use:Vertex)\n");
    let forward = if graph.tree.is_some() {
        "(> (to) (from))".to_owned()
    } else {
        let number = |from: usize, to: usize| from * n + to;
        let all = graph.nodes.iter().enumerate();
        let pairs = list(all.flat_map(|(from, node)| {
            node.edges.iter().map(move |&(to, _)| format!("(pair {} {})", number(from, to), n * n))
        }));
        let _ = writeln!(text, "  (map \"Edges\" {pairs})");
        format!("(= {} (mapEntry \"Edges\" (+ (* (from) {n}) (to))))", n * n)
    };
    let _ = writeln!(text, "  (piece \"Token\" Shared (move Step (to if:{forward})))");
    let movers = movers(graph, &mut text);
    let scores = graph.nodes.iter().enumerate().filter_map(|(site, n)| Some((site, n.scores?)));
    let ends = regions_of_ends(scores, &mut text);
    text.push_str(" })\n (rules\n  (start (place \"Token\" 0))\n");
    let begins = graph.nodes.first().and_then(|node| node.turn);
    play(graph, &movers, begins, &mut text);
    text.push_str("  (end {\n");
    for (number, scores) in ends.iter().enumerate() {
        let condition = match begins {
            // No step leads to the only node there is: it ends after a forced pass.
            None => "(= (count Moves) 1)".to_owned(),
            Some(_) => format!("(is In (last To) (sites \"End{number}\"))"),
        };
        let _ = writeln!(text, "   (if {condition} {})", result(*scores)?);
    }
    text.push_str("  })\n ))\n// what the edges are called in the original\n");
    text.push_str(&legend(graph, "//"));
    Ok(text)
}

/// Writes the nodes at which each player chooses, as regions; returns the numbers of those who ever
/// do.
fn movers(graph: &Graph, text: &mut String) -> Vec<u8> {
    let mut movers = Vec::new();
    for player in 0..graph.players {
        let all = graph.nodes.iter().enumerate();
        let mut own = all.filter(|(_, n)| n.turn == Some(player)).map(|(i, _)| i).peekable();
        if own.peek().is_some() {
            let sites = list(own.map(|site| site.to_string()));
            let _ = writeln!(text, "  (regions \"Mover{}\" {sites})", player + 1);
            movers.push(player + 1);
        }
    }
    movers
}

/// Writes the nodes at which the game ends, as regions, one for each vector of scores.
pub(super) fn regions_of_ends(
    scores: impl Iterator<Item = (usize, Scores)>,
    text: &mut String,
) -> Vec<Scores> {
    let mut ends: Vec<(Scores, Vec<usize>)> = Vec::new();
    for (site, scores) in scores {
        match ends.iter_mut().find(|(known, _)| *known == scores) {
            Some((_, sites)) => sites.push(site),
            None => ends.push((scores, vec![site])),
        }
    }
    for (number, (_, sites)) in ends.iter().enumerate() {
        let sites = list(sites.iter().map(ToString::to_string));
        let _ = writeln!(text, "  (regions \"End{number}\" {sites})");
    }
    ends.into_iter().map(|(scores, _)| scores).collect()
}

/// The rules of play. The first player has the first move in every game of ludemes: where another
/// one begins he must pass, which is no ply.
fn play(graph: &Graph, movers: &[u8], begins: Option<u8>, text: &mut String) {
    let next = |player: u8| format!("(set NextPlayer (player {player}))");
    let after = match movers {
        [.., last] if graph.players > 1 => {
            let rest = movers[..movers.len() - 1].iter().rev();
            let choice = rest.fold(next(*last), |other, &player| {
                format!("(if (is In (last To) (sites \"Mover{player}\")) {} {other})", next(player))
            });
            format!(" (then {choice})")
        }
        _ => String::new(),
    };
    let steps = format!("(forEach Piece \"Token\" Shared{after})");
    let rule = match begins {
        Some(0) => steps,
        Some(player) => {
            format!("(if (= (count Moves) 0) (move Pass (then {})) {steps})", next(player + 1))
        }
        None => "(move Pass)".to_owned(),
    };
    let _ = writeln!(text, "  (play {rule})");
}

/// The result that gives these scores.
pub(super) fn result(scores: Scores) -> Result<String, String> {
    let all: Vec<i32> = scores.iter().collect();
    Ok(match all[..] {
        [100] | [100, 0] => "(result P1 Win)".to_owned(),
        [0] => "(result P1 Loss)".to_owned(),
        [0, 100] => "(result P2 Win)".to_owned(),
        [50, 50] => "(result Mover Draw)".to_owned(),
        _ => {
            if let Some(large) = all.iter().find(|s| s.unsigned_abs() > EXACT.unsigned_abs()) {
                return Err(format!("a payoff of {large}: ludemes are exact up to {EXACT}"));
            }
            let each = (1..).zip(&all).map(|(player, score)| format!("(payoff P{player} {score})"));
            format!("(payoffs {})", list(each))
        }
    })
}

pub(super) fn list(items: impl Iterator<Item = String>) -> String {
    format!("{{{}}}", items.collect::<Vec<_>>().join(" "))
}

/// Vertices in a row: about as many as rows, so that labels are short.
fn width(nodes: usize) -> usize {
    nodes.isqrt() + usize::from(nodes.isqrt().pow(2) < nodes)
}

/// So many vertices in rows.
pub(super) fn vertices(count: usize) -> String {
    let width = width(count);
    list((0..count).map(|i| format!("{{{} {}}}", i % width, i / width)))
}

/// The label of one of so many vertices: its column and row.
pub(super) fn site_label(vertices: usize, site: usize) -> String {
    let width = width(vertices);
    let (mut column, mut letters) = (site % width, Vec::new());
    loop {
        letters.push(b'a' + (column % 26) as u8);
        match (column / 26).checked_sub(1) {
            Some(next) => column = next,
            None => break,
        }
    }
    let letters: String = letters.iter().rev().map(|&b| char::from(b)).collect();
    format!("{letters}{}", site / width + 1)
}

/// The label that engines give to the step of the token along an edge: both vertices by column and
/// row.
pub fn lud_label(graph: &Graph, from: usize, to: usize) -> String {
    let vertices = graph.nodes.len();
    site_label(vertices, from) + &site_label(vertices, to)
}
