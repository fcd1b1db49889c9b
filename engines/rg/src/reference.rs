//! The game as the search plays it: the rules as the specification words them.

use std::hash::Hash;
use std::sync::Arc;

use play::picture::Picture;
use play::{Bounds, Chance, Encoding, Facts, Mechanics, Percepts, Player, Scores, Strategy, Turn};

use crate::automaton::{Cell, GOALS, Mover};
use crate::limits::MAX_KEEPER_MOVES;
use crate::search::{Fault, Move, Rules, Search};
use crate::show::Notation;
use crate::state::{Seen, State};

/// A game, played by searching for moves.
pub(crate) struct Reference {
    pub(crate) rules: Rules,
    pub(crate) notation: Notation,
    pub(crate) facts: Facts,
    /// The edges that one search may try.
    pub(crate) budget: u64,
    /// The edges that searches may try from one choice to the next: forced passes and moves of the
    /// keeper are many, where they are.
    pub(crate) patience: u64,
    /// The bytes that the game may take.
    pub(crate) bytes: u64,
    /// The reason why there is no code for the game.
    pub(crate) reason: &'static str,
}

/// A move by its number in the list of its state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MoveNumber(pub(crate) u32);

impl Reference {
    /// The state before anybody has moved, the keeper included.
    pub(crate) fn begin(&self) -> State {
        State::new(self.rules.automaton.begin, self.rules.layout.start.clone())
    }

    /// The moves of a state, whoever is to move.
    pub(crate) fn list(&self, state: &State) -> Result<Vec<Move>, Fault> {
        Search::new(&self.rules, &state.cells, self.budget).moves(state.node)
    }

    /// Like [`Reference::list`], and counts the edges that are tried.
    fn list_and_count(&self, state: &mut State) -> Result<Vec<Move>, Fault> {
        let budget = self.budget.min(self.patience.saturating_sub(state.spent));
        let mut search = Search::new(&self.rules, &state.cells, budget);
        let moves = search.moves(state.node);
        state.spent += budget - search.budget;
        moves
    }

    /// Makes the moves of the keeper and of chance until a player is to move or nobody can; a game
    /// that breaks the language's rules ends there with its fault.
    pub(crate) fn settle<C: Chance + ?Sized>(
        &self,
        state: &mut State,
        chance: &mut C,
        mut percepts: Option<&mut Seen>,
    ) {
        for _ in 0..MAX_KEEPER_MOVES {
            let chosen = match self.system_move(state, chance) {
                Ok(None) => return,
                Ok(Some(chosen)) => chosen,
                Err(fault) => {
                    state.fault = Some(fault);
                    return;
                }
            };
            if let Some(seen) = &mut percepts {
                seen.add(&chosen);
            }
            state.make(&chosen);
        }
        state.fault = Some(Fault::KeeperLoops);
    }

    /// The next move, if the keeper or chance makes it.
    fn system_move<C: Chance + ?Sized>(
        &self,
        state: &mut State,
        chance: &mut C,
    ) -> Result<Option<Move>, Fault> {
        let mover = self.rules.mover(&state.cells).ok_or(Fault::NobodyMoves)?;
        if matches!(mover, Mover::Player(_)) {
            return Ok(None);
        }
        let mut moves = self.list_and_count(state)?;
        let number = match moves.len() {
            0 => return Ok(None),
            1 => 0,
            _ if mover == Mover::Keeper => return Err(Fault::KeeperChooses),
            several => chance.below(several as u32) as usize,
        };
        Ok(Some(moves.swap_remove(number)))
    }

    /// The moves of a state in which a player is to move, listed now if they have not been.
    fn moves(&self, state: &mut State) -> Arc<Vec<Move>> {
        if state.fault.is_none() && state.moves.is_none() {
            match self.list_and_count(state) {
                Ok(moves) => state.moves = Some(Arc::new(moves)),
                Err(fault) => state.fault = Some(fault),
            }
        }
        state.moves.clone().unwrap_or_default()
    }

    /// The moves of a state, from its list or listed anew.
    pub(crate) fn listed(&self, state: &State) -> Arc<Vec<Move>> {
        state.moves.clone().unwrap_or_else(|| self.moves(&mut state.clone()))
    }

    fn make<C: Chance + ?Sized>(
        &self,
        state: &mut State,
        number: MoveNumber,
        chance: &mut C,
        mut seen: Option<&mut Seen>,
    ) {
        let moves = self.moves(state);
        if let Some(chosen) = moves.get(number.0 as usize) {
            if let Some(seen) = &mut seen {
                seen.add(chosen);
            }
            state.make(chosen);
            if moves.len() > 1 {
                state.spent = 0;
            }
            self.settle(state, chance, seen);
        }
    }

    /// Tells each player what it has seen of each move, as one percept, since the order of the tags
    /// of a move counts.
    pub(crate) fn tell(&self, seen: &Seen, percepts: &mut Percepts) {
        for (player, moves) in (0..).zip(&seen.moves) {
            let text = |tags: &Vec<Cell>| self.notation.words(tags);
            moves.iter().for_each(|tags| percepts.tell(Player(player), text(tags)));
        }
    }
}

impl Reference {
    /// The encoding of the game by what some mechanics of it list; `None` if nothing in it can be
    /// shown, and nothing is hidden.
    pub(crate) fn encoding_of(&self, mechanics: &impl Mechanics) -> Option<Encoding> {
        let sites = self.notation.sites();
        if sites.is_empty() && !self.facts.hidden {
            return None;
        }
        let automaton = &self.rules.automaton;
        let encoding = play::observed_encoding(mechanics, sites, self.notation.kinds(automaton))?;
        if encoding.is_perceived() {
            return Some(encoding);
        }
        Some(Encoding { owners: self.notation.owners(automaton), ..encoding })
    }
}

impl Mechanics for Reference {
    type State = State;
    type Action = MoveNumber;

    const APPLIES_AFTER_EXPAND: bool = true;

    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn initial<C: Chance + ?Sized>(&self, chance: &mut C) -> State {
        let mut state = self.begin();
        let mut seen = self.facts.hidden.then(|| Seen::new(&self.rules.automaton));
        self.settle(&mut state, chance, seen.as_mut());
        state.seen = seen.map(Arc::new);
        state
    }

    fn start_percepts(&self, state: &State, percepts: &mut Percepts) {
        if let Some(seen) = &state.seen {
            self.tell(seen, percepts);
        }
    }

    fn expand(&self, state: &mut State, legal: &mut Vec<MoveNumber>) -> Turn {
        let moves = self.moves(state);
        legal.extend((0..moves.len() as u32).map(MoveNumber));
        if moves.is_empty() && state.fault.is_none() && state.node == self.rules.automaton.end {
            return Turn::Over;
        }
        match self.rules.mover(&state.cells) {
            Some(Mover::Player(player)) => Turn::Move(Player(player)),
            _ => Turn::Move(Player(0)),
        }
    }

    fn apply<C: Chance + ?Sized>(&self, state: &mut State, action: MoveNumber, chance: &mut C) {
        self.make(state, action, chance, None);
    }

    fn apply_perceived<C: Chance + ?Sized>(
        &self,
        state: &mut State,
        action: MoveNumber,
        chance: &mut C,
        percepts: &mut Percepts,
    ) {
        let mut seen = Seen::new(&self.rules.automaton);
        self.make(state, action, chance, Some(&mut seen));
        self.tell(&seen, percepts);
    }

    fn scores(&self, state: &State) -> Scores {
        let goals = &state.cells[self.rules.layout.range(GOALS)];
        let players = self.rules.automaton.players.len();
        Scores::new(goals[..players].iter().map(|&goal| self.notation.score(goal)))
    }

    fn label(&self, state: &State, action: MoveNumber) -> String {
        let labels = self.notation.labels(&self.listed(state));
        labels.into_iter().nth(action.0 as usize).unwrap_or_default()
    }

    fn labels(&self, state: &State, legal: &[MoveNumber]) -> Vec<String> {
        let labels = self.notation.labels(&self.listed(state));
        let label = |number: &MoveNumber| labels.get(number.0 as usize).cloned();
        legal.iter().map(|number| label(number).unwrap_or_default()).collect()
    }

    fn is_pass(&self, state: &State, action: MoveNumber) -> bool {
        let moves = self.listed(state);
        moves.get(action.0 as usize).is_some_and(|chosen| self.notation.is_pass(chosen))
    }

    fn draw(&self, state: &State) -> String {
        self.notation.draw(&self.rules, state)
    }

    fn picture(&self, state: &State) -> Picture {
        self.notation.picture(&self.rules, state)
    }

    fn bounds(&self) -> Option<Bounds> {
        let bounds = Bounds::small(self.budget, 1000);
        Some(bounds.within(self.bytes, self.facts.state_bytes))
    }

    fn key(&self, state: &State) -> impl Hash + Eq + use<> {
        let is_live = |slot| self.rules.liveness.is_live(state.node, slot);
        let slots = (0..self.rules.automaton.variables.len()).filter(|&slot| is_live(slot));
        let cells: Vec<Cell> =
            slots.flat_map(|slot| &state.cells[self.rules.layout.range(slot)]).copied().collect();
        (state.node, state.fault.is_some(), cells)
    }

    fn encoding(&self) -> Option<Encoding> {
        self.encoding_of(self)
    }

    fn planes(&self, state: &State, planes: &mut [u8]) {
        self.notation.planes(&self.rules, state, planes);
    }

    fn strategies(&self) -> Vec<Strategy> {
        vec![Strategy::slower("playouts", "search", self.reason)]
    }

    fn dot(&self, most: usize) -> Option<Result<String, usize>> {
        let nodes = self.rules.automaton.nodes.len();
        Some(if nodes > most { Err(nodes) } else { Ok(crate::dot::dot(&self.rules.automaton)) })
    }
}
