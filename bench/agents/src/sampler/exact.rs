//! All states that fit, with their probabilities, where they are few.

use play::{Position, Script, Turn, settle};

use super::history::Known;
use super::sample::Sample;

/// A state on the way: its probability, and the observed plies matched.
struct Node<'g> {
    position: Box<dyn Position + 'g>,
    weight: f64,
    at: usize,
}

/// Every state that chance and the choices of others can have led to, weighted by chance's
/// probabilities and as if others chose at random. `None` if more than `effort` positions would
/// have to be visited, or there is no `more` time.
pub(super) fn enumerate<'a>(
    known: &Known<'a>,
    effort: u64,
    more: &dyn Fn() -> bool,
) -> Option<Vec<Sample<'a>>> {
    let mut spent = 0;
    let mut spend = || {
        spent += 1;
        (spent <= effort && (spent % 16 > 0 || more())).then_some(())
    };
    let mut open: Vec<Node<'a>> = Vec::new();
    let mut script = Script::default();
    loop {
        spend()?;
        script.rewind();
        let mut position = known.game.open(&mut script);
        settle(&mut *position, &mut script);
        if let Some(at) = known.after(0, false, &*position) {
            open.push(Node { position, weight: script.probability(), at });
        }
        if !script.advance() {
            break;
        }
    }
    let mut found = Vec::new();
    while let Some(node) = open.pop() {
        let Turn::Move(player) = node.position.turn() else { continue };
        let own = player == known.player;
        if own && node.at == known.past.len() {
            if let Some(order) = known.order(&*node.position) {
                found.push(Sample { weight: node.weight, position: node.position, order });
            }
            continue;
        }
        let actions = node.position.actions();
        let (choices, weight) = if own {
            let Some(action) = known.chosen(node.at, &*node.position) else { continue };
            (action..action + 1, node.weight)
        } else {
            (0..actions, node.weight / actions as f64)
        };
        for action in choices {
            let mut script = Script::default();
            loop {
                spend()?;
                script.rewind();
                let mut position = node.position.copy();
                if position.play(action, &mut script).is_err() {
                    break;
                }
                settle(&mut *position, &mut script);
                if let Some(at) = known.after(node.at, own, &*position) {
                    open.push(Node { position, weight: weight * script.probability(), at });
                }
                if !script.advance() {
                    break;
                }
            }
        }
    }
    Some(found)
}
