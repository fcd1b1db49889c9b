//! A network as a rulesheet played step by step, to replay recorded games.

use gdl::record::Steps;

use crate::engine::PropnetGame;
use crate::machine::{MoveId, State};

impl Steps for PropnetGame {
    type State = State;
    type Action = MoveId;

    fn roles(&self) -> usize {
        self.sweep.network.roles.len()
    }

    fn start(&self) -> State {
        self.sweep.machine.start()
    }

    fn is_terminal(&self, state: &mut State) -> bool {
        self.sweep.machine.is_terminal(state)
    }

    fn legal(&self, state: &mut State, role: usize) -> Vec<(MoveId, String)> {
        let legal = self.sweep.machine.legal(state, role);
        legal.map(|m| (m, self.sweep.network.moves[m as usize].text.clone())).collect()
    }

    fn choose(&self, state: &mut State, action: MoveId) {
        self.sweep.machine.choose(state, action);
    }

    fn goals(&self, state: &mut State, role: usize) -> Vec<String> {
        self.sweep.machine.goals(state, role).map(|value| value.to_string()).collect()
    }
}
