//! The check that two games have the same histories with the same odds.

use std::collections::BTreeMap;

use play::{Game, Language, Position, Turn};

use super::super::lud::site_label;
use super::lud::vertices_of;
use super::tree::Tree;
use crate::belief;
use crate::outcomes::Positions;

/// Histories of a game: what was done, by whom, what everybody perceived, and the scores; each with
/// its odds if all actions are drawn.
type Histories = BTreeMap<String, f64>;

/// Odds that differ by less are equal.
const TOLERANCE: f64 = 1e-9;

/// How a made game calls actions and percepts of the original.
struct Names<'t> {
    tree: &'t Tree,
    actions: BTreeMap<String, usize>,
    is_made: bool,
}

impl<'t> Names<'t> {
    fn original(tree: &'t Tree) -> Names<'t> {
        Names { tree, actions: BTreeMap::new(), is_made: false }
    }

    fn made(tree: &'t Tree, language: Language) -> Names<'t> {
        let vertices = vertices_of(tree);
        let label = |action: usize| match language {
            Language::Lud => site_label(vertices, action),
            _ => format!("a{action}"),
        };
        let actions = (0..tree.actions.len()).map(|action| (label(action), action)).collect();
        Names { tree, actions, is_made: true }
    }

    fn action(&self, label: String) -> String {
        if !self.is_made {
            return label;
        }
        match self.actions.get(&label) {
            Some(&action) => self.tree.actions[action].clone(),
            None => format!("unknown action {label}"),
        }
    }

    fn percepts(&self, position: &dyn Position, perceiving: u8) -> String {
        let name = |text: &String| -> String {
            let number = text.strip_prefix('t').and_then(|number| number.parse::<usize>().ok());
            let original = number.and_then(|number| self.tree.percepts.get(number));
            original.filter(|_| self.is_made).unwrap_or(text).clone()
        };
        let all = position.percepts().all(perceiving);
        let own = all.iter().map(|own| {
            let mut own: Vec<String> = own.iter().map(name).collect();
            own.sort_unstable();
            own.join(",")
        });
        own.collect::<Vec<_>>().join("|")
    }
}

/// The outcomes of an action, or of the start, with their odds.
fn outcomes<'g>(
    positions: &Positions<'g>,
    from: Option<(&(dyn Position + 'g), usize)>,
) -> Result<belief::Outcomes<Box<dyn Position + 'g>>, String> {
    let all = positions.all(from, 100_000).map_err(|failure| failure.reason)?;
    all.ok_or_else(|| "a draw has too many outcomes".to_owned())
}

fn histories(game: &dyn Game, names: &Names<'_>) -> Result<Histories, String> {
    let positions = Positions { game };
    let perceiving = game.facts().perceiving();
    let most = 2 * names.tree.nodes.len() + 100;
    let mut all = Histories::new();
    let mut seen = 0;
    let mut stack = Vec::new();
    for (position, odds) in outcomes(&positions, None)? {
        let text = format!("[{}]", names.percepts(&*position, perceiving));
        stack.push((position, text, odds));
    }
    while let Some((position, text, odds)) = stack.pop() {
        seen += 1;
        // Draws that come to the same are several here and one there.
        if seen > most.saturating_mul(100) {
            return Err(format!("more than {seen} histories"));
        }
        let Turn::Move(player) = position.turn() else {
            let scores = position.scores().map_or_else(|| "-".to_owned(), |s| s.to_string());
            *all.entry(format!("{text} ={scores}")).or_default() += odds;
            continue;
        };
        let actions = position.actions();
        if actions == 0 {
            return Err(format!("after {text} nothing is legal"));
        }
        for action in 0..actions {
            let label = names.action(position.label(action));
            for (next, share) in outcomes(&positions, Some((&*position, action)))? {
                let percepts = names.percepts(&*next, perceiving);
                let text = format!("{text} {}:{label}[{percepts}]", player.0 + 1);
                stack.push((next, text, odds * share / actions as f64));
            }
        }
    }
    Ok(all)
}

/// Compares all histories of what was made in a language with those of the original, with their
/// odds, and says how many there are.
///
/// # Errors
/// The first history whose odds differ.
pub fn check(
    original: &dyn Game,
    made: &dyn Game,
    tree: &Tree,
    language: Language,
) -> Result<usize, String> {
    let ours = histories(original, &Names::original(tree))?;
    let theirs = histories(made, &Names::made(tree, language))?;
    let odds = |of: &Histories, history: &str| of.get(history).copied().unwrap_or(0.0);
    for history in ours.keys().chain(theirs.keys()) {
        let (a, b) = (odds(&ours, history), odds(&theirs, history));
        if (a - b).abs() > TOLERANCE {
            return Err(format!("the odds of `{history}` are {b}, not {a}"));
        }
    }
    Ok(ours.len())
}
