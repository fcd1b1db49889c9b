//! Warnings of what only playing brings to light, from a few positions of random plays: moves with
//! equal tags and different results, moves that read the same, and a keeper who chooses.

use std::collections::BTreeMap;

use play::Rng;
use text::{Diagnostic, Span};

use crate::automaton::{Label, Mover};
use crate::reference::Reference;
use crate::search::{Fault, Listing, Move, Search, Step};
use crate::state::State;

/// The edges that a probe may try as a game is loaded, and where it is checked.
pub(crate) const LOADED: u64 = 10_000;
pub(crate) const CHECKED: u64 = 500_000;

/// The most positions that are looked at, and the most of them in one play.
const MAX_POSITIONS: usize = 400;
const MAX_PLIES: usize = 100;

/// Plays at random, and trying so many edges, and says what is wrong with the moves of positions.
pub(crate) fn warnings(game: &Reference, budget: u64) -> Vec<Diagnostic> {
    let mut probe = Probe { game, budget, positions: 0, said: BTreeMap::new() };
    let mut rng = Rng::stream(1, 0);
    while probe.positions < MAX_POSITIONS && probe.play(&mut rng).is_ok() {}
    probe.said.into_values().collect()
}

struct Probe<'a> {
    game: &'a Reference,
    /// The edges that may still be tried.
    budget: u64,
    positions: usize,
    /// The warnings, by place and kind.
    said: BTreeMap<(u32, &'static str), Diagnostic>,
}

impl<'a> Probe<'a> {
    /// Plays at random until the play ends; a fault where there is no more to try.
    fn play(&mut self, rng: &mut Rng) -> Result<(), Fault> {
        let mut state = self.game.begin();
        for _ in 0..MAX_PLIES {
            self.positions += 1;
            let (listing, budget) = self.search(&state, Search::listing);
            self.budget = budget;
            let listing = listing?;
            self.judge(&state, &listing)?;
            if listing.moves.is_empty() || self.positions >= MAX_POSITIONS {
                return Ok(());
            }
            let number = rng.below(listing.moves.len() as u32) as usize;
            state.make(&listing.moves[number]);
        }
        Ok(())
    }

    /// The result of a search from a state, and the edges that may be tried after it.
    fn search<T>(
        &self,
        state: &State,
        find: impl FnOnce(&mut Search<'a>, usize) -> Result<T, Fault>,
    ) -> (Result<T, Fault>, u64) {
        let mut search = Search::new(&self.game.rules, &state.cells, self.budget);
        let found = find(&mut search, state.node);
        (found, search.budget)
    }

    /// The steps of two walks from a state.
    fn steps(&mut self, state: &State, walks: [usize; 2]) -> Result<[Vec<Step>; 2], Fault> {
        let (steps, budget) = self.search(state, |search, node| search.steps(node, walks));
        self.budget = budget;
        steps
    }

    fn judge(&mut self, state: &State, listing: &Listing) -> Result<(), Fault> {
        let mover = self.game.rules.mover(&state.cells);
        let several = listing.walks.len() > 1;
        match (mover, listing.twins) {
            (Some(Mover::Keeper), twins) if several || twins.is_some() => {
                let walks = twins.unwrap_or_else(|| [listing.walks[0], listing.walks[1]]);
                let steps = self.steps(state, walks)?;
                self.say(self.keeper(&steps));
            }
            (Some(mover), Some(twins)) => {
                let steps = self.steps(state, twins)?;
                self.say(self.equal_tags(&steps, mover == Mover::Random));
            }
            (Some(Mover::Player(_)), None) => {
                if let Some(pair) = self.alike(&listing.moves) {
                    let steps = self.steps(state, pair.map(|number| listing.walks[number]))?;
                    let moves = pair.map(|number| &listing.moves[number]);
                    let warning = self.equal_words(&steps, moves);
                    warning.into_iter().for_each(|warning| self.say(warning));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn say(&mut self, warning: Diagnostic) {
        self.said.entry((warning.span.start, warning.code)).or_insert(warning);
    }

    fn keeper(&self, steps: &[Vec<Step>; 2]) -> Diagnostic {
        let (span, other, _) = self.parting(steps);
        let message = "the keeper has more than one move";
        let warning = Diagnostic::warning("keeper-chooses", span, message)
            .label("the walk goes on in several ways here")
            .help("let a player or `random` choose, or test which way is meant");
        with_note(warning, span, other)
    }

    fn equal_tags(&self, steps: &[Vec<Step>; 2], is_chance: bool) -> Diagnostic {
        let (span, other, variable) = self.parting(steps);
        let message = if is_chance {
            "a choice of chance without a tag is no choice: its outcomes are one"
        } else {
            "moves with equal tags have different results, and only the first is played"
        };
        let help = match variable {
            Some(name) => format!("tell by a tag what was chosen: `$$ {name}` behind it"),
            None => "tell by a tag in each way which one was chosen: `$ name`, or `$$ variable`"
                .to_owned(),
        };
        let warning = Diagnostic::warning("equal-tags", span, message)
            .label("no tag says what is chosen here")
            .help(help);
        with_note(warning, span, other)
    }

    /// The places where two walks part, and the variable that holds what they choose there.
    fn parting(&self, [one, other]: &[Vec<Step>; 2]) -> (Span, Span, Option<&str>) {
        let automaton = &self.game.rules.automaton;
        let edge = |step: &Step| &automaton.nodes[step.0].edges[step.1];
        let Some((one, other)) = one.iter().zip(other).find(|(one, other)| one != other) else {
            return (Span::at(0), Span::at(0), None);
        };
        let [one, other] = [one, other].map(edge);
        let variable = match (&one.label, &other.label) {
            (Label::AssignAny { target, .. } | Label::Assign { target, .. }, _)
                if target.keys.is_empty()
                    && matches!(&other.label,
                        Label::AssignAny { target: also, .. } | Label::Assign { target: also, .. }
                            if also == target) =>
            {
                Some(automaton.name(automaton.variables[target.slot].name))
            }
            _ => None,
        };
        (one.span, other.span, variable)
    }

    /// Two moves whose labels have the same words, and differ only in what follows behind `#`,
    /// though no artificial tag tells them apart.
    fn alike(&self, moves: &[Move]) -> Option<[usize; 2]> {
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        for (number, chosen) in moves.iter().enumerate() {
            let words = self.game.notation.plain(chosen);
            let first = *seen.entry(words).or_insert(number);
            if first != number && self.said_tags(&moves[first]) != self.said_tags(chosen) {
                return Some([first, number]);
            }
        }
        None
    }

    /// The tags of a move that its label has.
    fn said_tags(&self, chosen: &Move) -> Vec<u16> {
        self.game.notation.tags(chosen, false)
    }

    /// The warning of two moves that read the same, at the first tag in which they differ.
    fn equal_words(&self, steps: &[Vec<Step>; 2], moves: [&Move; 2]) -> Option<Diagnostic> {
        let automaton = &self.game.rules.automaton;
        let tags = moves.map(|chosen| &chosen.tags);
        let place = tags[0].iter().zip(tags[1].iter()).position(|(one, other)| one != other)?;
        let spans = [0, 1].map(|walk: usize| {
            let edges = steps[walk].iter().map(|step| &automaton.nodes[step.0].edges[step.1]);
            let is_tag = |label: &Label| matches!(label, Label::Tag(_) | Label::TagVariable(_));
            edges.filter(|edge| is_tag(&edge.label)).nth(place).map(|edge| edge.span)
        });
        let [span, other] = [spans[0]?, spans[1]?];
        let symbols = tags.map(|tags| tags[place].symbol);
        let words = self.game.notation.words(&symbols[..1]);
        let [one, two] = symbols.map(|symbol| self.game.notation.written(symbol, automaton));
        let message = format!("`{one}` and `{two}` read the same in labels: `{words}`");
        let warning = Diagnostic::warning("equal-words", span, message)
            .label("moves that read the same are told apart by a number behind `#` only")
            .help(
                "put both on one grid, as terms of one constructor in one domain, or write a tag \
                 before it, such as `$ h`",
            );
        Some(with_note(warning, span, other))
    }
}

/// A warning with the other of two places, if that is another one.
fn with_note(warning: Diagnostic, span: Span, other: Span) -> Diagnostic {
    if span == other { warning } else { warning.note(other, "or here") }
}
