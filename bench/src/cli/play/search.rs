//! What an agent thought of the actions of a position.

use std::fmt;

use agents::Choice;
use serde::Serialize;

/// Actions that are shown of a search.
const SHOWN: usize = 10;

/// The result of a search, with the best actions first.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Search {
    /// The number of the ply that the agent thought about, from 1.
    pub(super) ply: usize,
    /// The role that it thought for, from 0.
    pub(super) player: u8,
    agent: String,
    chosen: String,
    simulations: u64,
    /// True if the agent moved, and did not only advise.
    moved: bool,
    actions: Vec<Weighed>,
}

/// An action with the agent's estimate.
#[derive(Clone, Debug, Serialize)]
struct Weighed {
    label: String,
    value: f64,
    /// Simulations that began with it; 0 if the agent counts none.
    visits: u64,
}

impl Search {
    /// The search behind a choice among these labels.
    pub(super) fn new(
        agent: &str,
        (ply, player): (usize, u8),
        labels: &[String],
        choice: &Choice,
        moved: bool,
    ) -> Search {
        let label = |action: usize| labels.get(action).cloned().unwrap_or_default();
        let mut values = choice.values.clone();
        values.sort_by(|a, b| b.visits.cmp(&a.visits).then(b.value.total_cmp(&a.value)));
        let weighed = values.iter().take(SHOWN);
        Search {
            ply,
            player,
            agent: agent.to_owned(),
            chosen: label(choice.action),
            simulations: choice.simulations,
            moved,
            actions: weighed
                .map(|of| Weighed { label: label(of.action), value: of.value, visits: of.visits })
                .collect(),
        }
    }
}

impl fmt::Display for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let did = if self.moved { "played" } else { "would play" };
        write!(f, "{} {did} {}", self.agent, self.chosen)?;
        match self.simulations {
            0 => {}
            1 => write!(f, ", after 1 simulation")?,
            many => write!(f, ", after {many} simulations")?,
        }
        if self.actions.is_empty() {
            let gives = if self.moved { "gave" } else { "gives" };
            return write!(f, "; it {gives} no reasons");
        }
        let width = self.actions.iter().map(|of| of.label.chars().count()).max().unwrap_or(0);
        let digits = self.actions.iter().map(|of| of.visits.to_string().len()).max().unwrap_or(0);
        for Weighed { label, value, visits } in &self.actions {
            write!(f, "\n  {label:width$}  expects {value:6.1}")?;
            match visits {
                0 => {}
                1 => write!(f, "  {visits:digits$} visit")?,
                _ => write!(f, "  {visits:digits$} visits")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use agents::Estimate;

    use super::*;

    #[test]
    fn the_most_visited_action_comes_first() {
        let labels = ["a1", "b10"].map(str::to_owned);
        let values = [(0, 75.0, 1), (1, 50.0, 9)];
        let values = values.map(|(action, value, visits)| Estimate { action, value, visits });
        let choice = Choice { action: 1, simulations: 10, values: values.to_vec() };
        let search = Search::new("uct", (3, 0), &labels, &choice, false);
        let shown = "uct would play b10, after 10 simulations\n  \
                     b10  expects   50.0  9 visits\n  a1   expects   75.0  1 visit";
        assert_eq!(search.to_string(), shown);
        let bare = Search::new("random", (3, 0), &labels, &Choice::default(), true);
        assert_eq!(bare.to_string(), "random played a1; it gave no reasons");
    }
}
