//! The tree of a game: a node for each history of actions and outcomes.

use std::collections::{HashMap, VecDeque};

use play::{Game, Position, Scores, Turn};

use super::super::explore::Refusal;
use crate::outcomes::Positions;

/// Outcomes of one draw, together with its copies of likely ones.
const MOST_OUTCOMES: usize = 5_000;

/// Nodes that nature may go to, and how many chances of all each has.
pub(super) type Outcomes = Vec<(usize, u64)>;

/// A history after which somebody chooses, or the game is over.
#[derive(Clone, Debug)]
pub struct Node {
    /// The player who chooses, counted from 0; `None` at an end.
    pub turn: Option<u8>,
    /// Each action, by its number in [`Tree::actions`], and where nature goes from there.
    pub edges: Vec<(usize, Outcomes)>,
    /// What each player perceives on the way here, by numbers in [`Tree::percepts`].
    pub told: Vec<Vec<usize>>,
    /// The scores of an end.
    pub scores: Option<Scores>,
}

/// A game in extensive form.
#[derive(Clone, Debug)]
pub struct Tree {
    /// Number of players.
    pub players: u8,
    /// True if players do not see everything.
    pub hidden: bool,
    /// All nodes.
    pub nodes: Vec<Node>,
    /// Where nature begins.
    pub start: Outcomes,
    /// The labels of all actions. Where one node has a label twice, the second has another number.
    pub actions: Vec<String>,
    /// The texts of all percepts.
    pub percepts: Vec<String>,
}

impl Tree {
    /// Number of ends.
    pub fn leaves(&self) -> usize {
        self.nodes.iter().filter(|node| node.scores.is_some()).count()
    }

    /// Plies of the longest playout.
    pub fn depth(&self) -> u32 {
        let mut plies = vec![0; self.nodes.len()];
        let mut deepest = 0;
        for (number, node) in self.nodes.iter().enumerate() {
            for (to, _) in node.edges.iter().flat_map(|(_, outcomes)| outcomes) {
                plies[*to] = plies[number] + 1;
                deepest = deepest.max(plies[*to]);
            }
        }
        deepest
    }
}

/// Texts by number.
#[derive(Default)]
struct Numbers {
    texts: Vec<String>,
    known: HashMap<(String, usize), usize>,
}

impl Numbers {
    /// The number of the copy of a text.
    fn of(&mut self, text: &str, copy: usize) -> usize {
        *self.known.entry((text.to_owned(), copy)).or_insert_with(|| {
            self.texts.push(text.to_owned());
            self.texts.len() - 1
        })
    }
}

/// A tree in the making. Nodes get their numbers when they are found, and are filled in this order.
struct Growing<'g> {
    positions: Positions<'g>,
    queue: VecDeque<Box<dyn Position + 'g>>,
    found: usize,
    most: usize,
}

impl<'g> Growing<'g> {
    /// The outcomes of an action, or of the start, as nodes.
    fn outcomes(
        &mut self,
        from: Option<(&(dyn Position + 'g), usize)>,
    ) -> Result<Outcomes, Refusal> {
        let too_many = Refusal::TooMany { found: self.found, tree: true };
        let all = self.positions.all(from, MOST_OUTCOMES);
        let all = all.map_err(|failure| Refusal::Passes(failure.reason))?;
        let all = all.ok_or_else(|| too_many.clone())?;
        // Odds are products of 1 / n.
        let parts: Vec<u64> = all.iter().map(|(_, odds)| (1.0 / odds).round() as u64).collect();
        let whole = parts.iter().try_fold(1, |whole, &part| lcm(whole, part));
        let whole = whole.filter(|whole| *whole <= MOST_OUTCOMES as u64).ok_or(too_many)?;
        let mut outcomes = Vec::new();
        for ((position, _), part) in all.into_iter().zip(parts) {
            if self.found >= self.most {
                return Err(Refusal::TooMany { found: self.found, tree: true });
            }
            outcomes.push((self.found, whole / part));
            self.found += 1;
            self.queue.push_back(position);
        }
        Ok(outcomes)
    }
}

/// The least common multiple; `None` if it is too large.
fn lcm(a: u64, b: u64) -> Option<u64> {
    let (mut x, mut y) = (a, b);
    while y != 0 {
        (x, y) = (y, x % y);
    }
    (a / x.max(1)).checked_mul(b)
}

/// The tree of a game of at most so many nodes.
///
/// # Errors
/// The reason why there is none.
pub fn grow(game: &dyn Game, nodes: usize) -> Result<Tree, Refusal> {
    let facts = game.facts();
    let perceiving = facts.perceiving();
    let mut growing =
        Growing { positions: Positions { game }, queue: VecDeque::new(), found: 0, most: nodes };
    let (mut actions, mut percepts) = (Numbers::default(), Numbers::default());
    let start = growing.outcomes(None)?;
    let mut all = Vec::new();
    while let Some(position) = growing.queue.pop_front() {
        let told = position.percepts().all(perceiving);
        let told = told.iter().map(|own| own.iter().map(|text| percepts.of(text, 0)).collect());
        let mut node = Node { turn: None, edges: Vec::new(), told: told.collect(), scores: None };
        match position.turn() {
            Turn::Over => {
                node.scores = Some(position.scores().unwrap_or_else(|| Scores::new([0; 0])));
            }
            Turn::Move(player) => {
                if position.actions() == 0 {
                    return Err(Refusal::Stuck(format!("node {}", all.len())));
                }
                node.turn = Some(player.0);
                let mut copies: HashMap<String, usize> = HashMap::new();
                for (action, label) in position.labels().into_iter().enumerate() {
                    let copy = copies.entry(label.clone()).or_default();
                    let number = actions.of(&label, *copy);
                    *copy += 1;
                    node.edges.push((number, growing.outcomes(Some((&*position, action)))?));
                }
            }
        }
        all.push(node);
    }
    Ok(Tree {
        players: facts.players,
        hidden: facts.hidden,
        nodes: all,
        start,
        actions: actions.texts,
        percepts: percepts.texts,
    })
}
