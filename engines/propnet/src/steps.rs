//! A network as a rulesheet played step by step, to replay recorded games.

use gdl::record::Steps;

use crate::engine::PropnetGame;
use crate::plain_evaluator::{MoveId, State};

impl Steps for PropnetGame {
    type State = State;
    type Action = MoveId;

    fn roles(&self) -> usize {
        self.sweep.network.roles.len()
    }

    fn start(&self) -> State {
        self.sweep.plain.start()
    }

    fn is_terminal(&self, state: &mut State) -> bool {
        self.sweep.plain.is_terminal(state)
    }

    fn legal(&self, state: &mut State, role: usize) -> Vec<(MoveId, String)> {
        let legal = self.sweep.plain.legal(state, role);
        legal.map(|m| (m, self.sweep.network.moves[m as usize].text.clone())).collect()
    }

    fn choose(&self, state: &mut State, action: MoveId) {
        self.sweep.plain.choose(state, action);
    }

    fn goals(&self, state: &mut State, role: usize) -> Vec<String> {
        self.sweep.plain.goals(state, role).map(|value| value.to_string()).collect()
    }
}
