//! The tree as rules in ludemes.

use std::fmt::Write;

use super::super::harmless;
use super::super::lud::{NUMBERED, list, regions_of_ends, result, vertices};
use super::tree::{Outcomes, Tree};

/// Pairs of a map beyond which nothing is written.
const MOST_PAIRS: usize = 200_000;

/// The description in ludemes. The token's node is a variable, which nobody sees; an action is a
/// vertex that is selected, the same one wherever it has the same name; nature draws a number, and
/// notes tell each player what that player perceives.
///
/// # Errors
/// The reason why ludemes cannot say it.
pub fn lud(tree: &Tree, title: &str) -> Result<String, String> {
    let places = Places::of(tree);
    let needed = vertices_of(tree);
    if needed > NUMBERED {
        return Err(format!("{needed} vertices: at most {NUMBERED} can be written"));
    }
    let pairs = places.draws.len() + places.edges.len();
    if pairs > MOST_PAIRS {
        return Err(format!("{pairs} pairs of maps: at most {MOST_PAIRS} can be written"));
    }
    let mut text = format!("// {} as a tree with one token\n", harmless(title));
    let arrive = arrivals(tree);
    let _ = writeln!(text, "(define \"Arrive\" (and {}))", list(arrive.into_iter()));
    let drawn = format!(
        "(set Var \"At\" (mapEntry \"Draws\" (+ (* (var \"At\") {}) (value Random (range 0 (mapEntry \
         \"Chances\" (var \"At\")))))) (then \"Arrive\"))",
        places.most
    );
    let _ = writeln!(
        text,
        "(define \"Go\" (set Var \"At\" #1 (then (if (is In (var \"At\") (sites \"Nature\")) {drawn} \
         \"Arrive\"))))"
    );
    let name = harmless(title);
    let _ = writeln!(text, "(game \"{name}\"\n (players {})\n (equipment {{", tree.players);
    let _ = writeln!(text, "  (board (graph vertices:{}) use:Vertex)", vertices(needed));
    let pair = |(from, to): &(usize, usize)| format!("(pair {from} {to})");
    let _ = writeln!(text, "  (map \"Edges\" {})", list(places.edges.iter().map(pair)));
    let _ = writeln!(text, "  (map \"Draws\" {})", list(places.draws.iter().map(pair)));
    let chances = places.natures.iter().zip(&places.chances);
    let chances = chances.map(|(place, chances)| format!("(pair {place} {})", chances - 1));
    let _ = writeln!(text, "  (map \"Chances\" {})", list(chances));
    let _ = writeln!(text, "  (regions \"Nature\" {})", list(places.natures.iter().map(number)));
    let mut steps = Vec::new();
    for action in 0..tree.actions.len() {
        let has = |node: &&usize| tree.nodes[**node].edges.iter().any(|edge| edge.0 == action);
        let all: Vec<usize> = (0..tree.nodes.len()).collect();
        let nodes = list(all.iter().filter(has).map(number));
        let _ = writeln!(text, "  (regions \"Has{action}\" {nodes})");
        let to =
            format!("(mapEntry \"Edges\" (+ (* (var \"At\") {}) {action}))", tree.actions.len());
        steps.push(format!(
            "(if (is In (var \"At\") (sites \"Has{action}\")) (move Select (from {action}) (then \
             (\"Go\" {to}))))"
        ));
    }
    regions(tree, &mut text);
    let scores = tree.nodes.iter().enumerate().filter_map(|(n, node)| Some((n, node.scores?)));
    let ends = regions_of_ends(scores, &mut text);
    let hidden = if tree.hidden { "(set Hidden (sites Board) to:All)" } else { "" };
    let _ = writeln!(
        text,
        " }})\n (rules\n  (meta (passEnd NoEnd))\n  (start {{{hidden}}})\n  phases:{{\n   (phase \
         \"Start\" (play (move Pass (then (\"Go\" {})))) (nextPhase \"Play\"))\n   (phase \"Play\"\n    \
         (play (or {}))\n    (end {{",
        places.begin,
        list(steps.into_iter())
    );
    for (end, scores) in ends.iter().enumerate() {
        let result = result(*scores)?;
        let _ = writeln!(text, "     (if (is In (var \"At\") (sites \"End{end}\")) {result})");
    }
    text.push_str("    }))\n  }\n ))\n");
    Ok(text)
}

/// Vertices of the board: the nodes, the places where nature draws, and as many as there are
/// actions.
pub(super) fn vertices_of(tree: &Tree) -> usize {
    let edges = tree.nodes.iter().flat_map(|node| &node.edges);
    let natures = 1 + edges.filter(|(_, outcomes)| outcomes.len() > 1).count();
    (tree.nodes.len() + natures).max(tree.actions.len())
}

fn number(number: &usize) -> String {
    number.to_string()
}

/// The places where nature draws, behind the nodes, and the maps.
struct Places {
    begin: usize,
    natures: Vec<usize>,
    /// The chances of each, and the most.
    chances: Vec<usize>,
    most: usize,
    /// Node times the number of actions and the action, to a node or a place.
    edges: Vec<(usize, usize)>,
    /// Place times the most chances and the number that is drawn, to a node.
    draws: Vec<(usize, usize)>,
}

impl Places {
    fn of(tree: &Tree) -> Places {
        let drawn = tree.nodes.iter().flat_map(|node| &node.edges).map(|(_, outcomes)| outcomes);
        let chances = |outcomes: &Outcomes| outcomes.iter().map(|(_, n)| *n as usize).sum();
        let mut places = Places {
            begin: tree.nodes.len(),
            natures: Vec::new(),
            chances: Vec::new(),
            most: drawn.chain([&tree.start]).map(chances).max().unwrap_or(1),
            edges: Vec::new(),
            draws: Vec::new(),
        };
        let place = |outcomes: &Outcomes, places: &mut Places| {
            let place = tree.nodes.len() + places.natures.len();
            places.natures.push(place);
            places.chances.push(chances(outcomes));
            let all = outcomes.iter().flat_map(|(to, n)| (0..*n).map(move |_| *to));
            let first = place * places.most;
            places.draws.extend(all.enumerate().map(|(draw, to)| (first + draw, to)));
            place
        };
        place(&tree.start, &mut places);
        for (from, node) in tree.nodes.iter().enumerate() {
            for (action, outcomes) in &node.edges {
                let to = match outcomes[..] {
                    [(to, _)] => to,
                    _ => place(outcomes, &mut places),
                };
                places.edges.push((from * tree.actions.len() + action, to));
            }
        }
        places
    }
}

/// The nodes on whose way a player perceives something, and those at which a player chooses, as
/// regions.
fn regions(tree: &Tree, text: &mut String) {
    for (name, nodes) in told(tree).chain(movers(tree)) {
        let _ = writeln!(text, "  (regions \"{name}\" {})", list(nodes.iter().map(number)));
    }
}

fn told(tree: &Tree) -> impl Iterator<Item = (String, Vec<usize>)> + '_ {
    (0..tree.players).flat_map(move |player| {
        (0..tree.percepts.len()).filter_map(move |percept| {
            let own = |node: &usize| {
                let told = tree.nodes[*node].told.get(usize::from(player));
                told.is_some_and(|own| own.contains(&percept))
            };
            let nodes: Vec<usize> = (0..tree.nodes.len()).filter(own).collect();
            (!nodes.is_empty()).then(|| (format!("Told{}x{percept}", player + 1), nodes))
        })
    })
}

fn movers(tree: &Tree) -> impl Iterator<Item = (String, Vec<usize>)> + '_ {
    (0..tree.players).filter_map(move |player| {
        let own = |node: &usize| tree.nodes[*node].turn == Some(player);
        let nodes: Vec<usize> = (0..tree.nodes.len()).filter(own).collect();
        (!nodes.is_empty()).then(|| (format!("Mover{}", player + 1), nodes))
    })
}

/// What happens when the token has come to a node: notes, and whose turn it is.
fn arrivals(tree: &Tree) -> Vec<String> {
    let at =
        |name: &str, what: &str| format!("(if (is In (var \"At\") (sites \"{name}\")) {what})");
    let mut all: Vec<String> = told(tree)
        .map(|(name, _)| {
            let (player, percept) =
                name.trim_start_matches("Told").split_once('x').unwrap_or(("1", "0"));
            at(&name, &format!("(note \"t{percept}\" to:P{player})"))
        })
        .collect();
    if tree.players > 1 {
        all.extend(movers(tree).map(|(name, _)| {
            let player = name.trim_start_matches("Mover");
            at(&name, &format!("(set NextPlayer (player {player}))"))
        }));
    }
    all
}
