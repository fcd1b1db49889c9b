//! Differences between two engines, and the questions that others are asked about them.

use std::collections::{BTreeMap, BTreeSet};

use crate::belief::ChanceWalk;
use crate::protocol::View;

/// The way in which the actions of one engine were matched with those of the other: by guesses only
/// if one of the two is a program of others, plays a rule file of the user's, or has a description
/// that cannot say the words of the game. Nothing promises that their labels are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Matching {
    /// By their labels, which are the same in both.
    #[default]
    Labels,
    /// By fingerprints of what they lead to, with all candidates followed where those are equal.
    Prints,
}

/// A difference between two engines, with the walk that leads to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// Labels of the actions from the initial position, in the words of the first engine.
    pub walk: Vec<String>,
    /// The difference after them.
    pub difference: String,
    /// The two positions, drawn.
    pub drawings: Option<[String; 2]>,
    /// The question that other engines are asked about it.
    pub(super) question: Question,
}

/// The question that decides a difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// Which position is behind these actions, by their numbers in either engine?
    Paths([Vec<usize>; 2]),
    /// Which fingerprint has the tree to this depth?
    Tree(usize),
    /// How do random playouts end, and after how many plies?
    Playouts,
    /// Which observations are possible on this walk after so many plies, with which odds?
    Observed(ChanceWalk, u32),
    /// Has chance a say?
    Chance,
}

impl Counterexample {
    /// A difference without a walk.
    pub(super) fn bare(question: Question, difference: impl Into<String>) -> Counterexample {
        let (walk, difference) = (Vec::new(), difference.into());
        Counterexample { walk, difference, drawings: None, question }
    }

    /// On one line.
    pub fn one_line(&self) -> String {
        if self.walk.is_empty() {
            return self.difference.clone();
        }
        format!("after {}: {}", self.walk.join(" "), self.difference)
    }
}

/// The difference between two views, if there is any; where both engines say the words of the game,
/// that of their labels as well.
pub(super) fn difference_named(a: &View, b: &View, named: bool) -> Option<String> {
    difference(a, b).or_else(|| if named { unlike_names(a, b) } else { None })
}

/// The difference in the labels of two views that have as many, or in what the same label leads to.
fn unlike_names(a: &View, b: &View) -> Option<String> {
    let only = |x: &View, y: &View| {
        let other: BTreeSet<&String> = y.labels.iter().collect();
        x.labels.iter().filter(|label| !other.contains(label)).min().cloned()
    };
    if let (Some(x), Some(y)) = (only(a, b), only(b, a)) {
        return Some(format!("legal actions are called otherwise: {x} / {y}"));
    }
    let (x, y) = (a.prints.as_ref()?, b.prints.as_ref()?);
    let numbers: BTreeMap<&String, usize> = b.labels.iter().zip(0..).collect();
    let differs =
        |&(i, label): &(usize, &String)| numbers.get(label).is_some_and(|&j| x.get(i) != y.get(j));
    let (_, label) = a.labels.iter().enumerate().find(differs)?;
    Some(format!("what {label} leads to differs"))
}

/// The difference between two views, if there is any, whatever actions are called.
pub(super) fn difference(a: &View, b: &View) -> Option<String> {
    let turn = |view: &View| match view.turn {
        None => "the game is over".to_owned(),
        Some(player) => format!("player {} moves", player + 1),
    };
    if a.turn != b.turn {
        return Some(format!("{} / {}", turn(a), turn(b)));
    }
    if a.scores != b.scores {
        return Some(format!("scores {:?} / {:?}", a.scores, b.scores));
    }
    if a.labels.len() != b.labels.len() {
        let only = |x: &View, y: &View| {
            let mut labels: Vec<&str> =
                x.labels.iter().filter(|l| !y.labels.contains(l)).map(String::as_str).collect();
            labels.sort_unstable();
            let shown = labels.len().min(8);
            let more = if labels.len() > shown { " ..." } else { "" };
            format!("{}{more}", labels[..shown].join(" "))
        };
        return Some(format!(
            "{} / {} legal actions (only in the first: {}; only in the second: {})",
            a.labels.len(),
            b.labels.len(),
            only(a, b),
            only(b, a)
        ));
    }
    if a.percepts != b.percepts {
        return Some(format!("percepts {:?} / {:?}", a.percepts, b.percepts));
    }
    if let (Some(x), Some(y)) = (&a.prints, &b.prints) {
        let (mut x, mut y) = (x.clone(), y.clone());
        x.sort_unstable();
        y.sort_unstable();
        if x != y {
            return Some("what the legal actions lead to differs".to_owned());
        }
    }
    None
}
