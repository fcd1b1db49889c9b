//! Positions and actions as numbers. The prover grounds nothing to play, but what can hold, be done
//! and be perceived has to be known beforehand to have numbers; so the sheet is grounded once
//! somebody asks, where that is little work.

use std::collections::{BTreeSet, HashMap};

use play::{Encoding, Limits};

use crate::ground::{GroundProgram, ground};
use crate::labels::{MoveCodes, full_label};
use crate::program::Program;

/// Limits for somebody who waits: a fraction of a second.
const LIMITS: Limits = Limits { bytes: 256 << 20, work: 12_000_000 };

/// Most numbers of a game.
const MOST: usize = 1 << 16;

/// The encoding of a sheet in numbers.
#[derive(Debug)]
pub(super) struct Numbers {
    actions: Vec<String>,
    /// Texts of all that can be true.
    sites: Vec<String>,
    places: HashMap<String, usize>,
    percepts: Vec<String>,
}

impl Numbers {
    /// `None` where grounding takes too long.
    pub(super) fn new(program: &Program, says_all: bool) -> Option<Numbers> {
        let GroundProgram { mut moves, bases, percepts, roles, .. } =
            ground(program, &LIMITS).ok()?.program;
        if says_all {
            moves.iter_mut().for_each(|m| m.label = full_label(&m.text, &m.label));
        }
        // Nature chooses without a code.
        let of_players = moves.iter().filter(|m| !roles[m.role].nature);
        let of_players = of_players.map(|m| (m.role, m.label.as_str(), m.text.as_str()));
        let MoveCodes { actions, .. } = MoveCodes::new(of_players);
        let sites: Vec<String> = bases.iter().map(|base| base.text.clone()).collect();
        let percepts: BTreeSet<String> = percepts.iter().map(|p| p.text.clone()).collect();
        if actions.len().max(sites.len()).max(percepts.len()) > MOST {
            return None;
        }
        let places = sites.iter().cloned().zip(0..).collect();
        Some(Numbers { actions, sites, places, percepts: percepts.into_iter().collect() })
    }

    pub(super) fn encoding(&self, hidden: bool) -> Encoding {
        let actions = self.actions.clone();
        if hidden {
            return Encoding::perceived(actions, self.percepts.clone());
        }
        let (sites, kinds) = (self.sites.clone(), vec!["true".to_owned()]);
        Encoding { sites, kinds, actions, ..Encoding::default() }
    }

    /// Writes the plane of these facts.
    pub(super) fn planes(&self, facts: &[String], planes: &mut [u8]) {
        planes.fill(0);
        for fact in facts {
            if let Some(out) = self.places.get(fact).and_then(|&site| planes.get_mut(site)) {
                *out = 1;
            }
        }
    }
}
