//! Positions and actions as numbers: a site for each proposition that the rules call true or false,
//! and a code for each label.

use gdl::MoveCodes;
use play::Encoding;

use crate::network::Network;
use crate::plain_evaluator::MoveId;

/// The only kind of thing that lies on the site of a proposition.
const HOLDS: &str = "true";

/// The encoding of a network in numbers.
pub(crate) struct Numbers {
    /// By move, see [`MoveCodes`].
    codes: Vec<u32>,
    actions: Vec<String>,
    /// The base of each proposition, if it is not always the same, and what it is then or is
    /// inverted by.
    bases: Vec<(Option<usize>, bool)>,
}

impl Numbers {
    pub(crate) fn new(network: &Network) -> Numbers {
        let moves = network.moves.iter().map(|m| (m.role, m.label.as_str(), m.text.as_str()));
        let MoveCodes { codes, actions } = MoveCodes::new(moves);
        let nodes = network.base_numbers();
        let base = |p: &crate::network::Proposition| {
            (nodes.get(&p.lit.node()).copied(), p.lit.is_negative())
        };
        Numbers { codes, actions, bases: network.propositions.iter().map(base).collect() }
    }

    pub(crate) fn code(&self, action: MoveId) -> u32 {
        self.codes[action as usize]
    }

    /// The labels of all moves.
    pub(crate) fn actions(&self) -> Vec<String> {
        self.actions.clone()
    }

    pub(crate) fn encoding(&self, network: &Network) -> Encoding {
        Encoding {
            sites: network.propositions.iter().map(|p| p.text.clone()).collect(),
            kinds: vec![HOLDS.to_owned()],
            actions: self.actions.clone(),
            ..Encoding::default()
        }
    }

    /// Writes a state, given which bases hold.
    pub(crate) fn planes(&self, holds: impl Fn(usize) -> bool, planes: &mut [u8]) {
        for (out, &(base, negative)) in planes.iter_mut().zip(&self.bases) {
            *out = u8::from(base.is_some_and(&holds) != negative);
        }
    }
}
