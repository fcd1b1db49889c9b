//! Games in numbers: an [`Encoding`] with what finds places in it, and what players have perceived.

use std::collections::HashMap;

use crate::encoding::{Encoding, did};
use crate::mechanics::Mechanics;
use crate::percepts::Percepts;
use crate::scores::Player;

/// An encoding, and the places of its names.
#[derive(Debug)]
pub(crate) struct Numbers {
    pub(crate) encoding: Encoding,
    /// Codes by label. Nobody goes through them in their order.
    codes: HashMap<String, u32>,
    sites: HashMap<String, usize>,
}

impl Numbers {
    pub(crate) fn new(encoding: Encoding) -> Numbers {
        let codes = encoding.actions.iter().cloned().zip(0..).collect();
        let sites = encoding.sites.iter().cloned().zip(0..).collect();
        Numbers { encoding, codes, sites }
    }

    /// The code of an action by its label; `u32::MAX` for one that there is not.
    pub(crate) fn code(&self, label: &str) -> u32 {
        self.codes.get(label).copied().unwrap_or(u32::MAX)
    }

    /// The codes of the actions that `expand` listed for this very state.
    pub(crate) fn codes<M: Mechanics>(
        &self,
        mechanics: &M,
        state: &M::State,
        legal: &[M::Action],
        codes: &mut Vec<u32>,
    ) {
        codes.clear();
        codes.extend(legal.iter().map(|&action| mechanics.code(state, action)));
        if codes.contains(&u32::MAX) {
            let labels = mechanics.labels(state, legal);
            for (code, label) in
                codes.iter_mut().zip(&labels).filter(|(code, _)| **code == u32::MAX)
            {
                *code = self.code(label);
            }
        }
    }
}

/// What each player has perceived in a playout: since that player chose last, and before.
#[derive(Clone, Debug, Default)]
pub(crate) struct Perceived {
    now: Percepts,
    before: Percepts,
}

impl Perceived {
    /// All players perceive something.
    pub(crate) fn note(&mut self, players: u8, percepts: &Percepts) {
        for player in (0..players).map(Player) {
            for what in percepts.of(player) {
                self.now.tell(player, what.as_str());
            }
        }
    }

    /// A player chooses an action: what that player perceives from here on is new.
    pub(crate) fn chose(&mut self, player: Player, label: &str) {
        for what in self.now.take(player) {
            self.before.tell(player, what);
        }
        self.now.tell(player, did(label));
    }

    /// Writes the two planes of a player; texts that are no site of the encoding are left out.
    pub(crate) fn write(&self, numbers: &Numbers, player: Player, planes: &mut [u8]) {
        planes.fill(0);
        let sites = numbers.sites.len();
        for (plane, percepts) in
            planes.chunks_exact_mut(sites.max(1)).zip([&self.now, &self.before])
        {
            for what in percepts.of(player) {
                if let Some(&site) = numbers.sites.get(what) {
                    plane[site] = 1;
                }
            }
        }
    }

    /// A text that some player perceived and that is no site.
    pub(crate) fn unknown<'p>(&'p self, numbers: &Numbers, players: u8) -> Option<&'p str> {
        let all = [&self.now, &self.before].into_iter();
        let mut texts = all.flat_map(|p| (0..players).flat_map(|player| p.of(Player(player))));
        texts.find(|what| !numbers.sites.contains_key(*what)).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_perceived_before_a_choice_is_kept_apart() {
        let names = |names: &[&str]| names.iter().map(|&n| n.to_owned()).collect::<Vec<_>>();
        let numbers = Numbers::new(Encoding::perceived(names(&["go"]), names(&["bet", "jack"])));
        assert_eq!((numbers.code("go"), numbers.code("stop")), (0, u32::MAX));
        let mut perceived = Perceived::default();
        let mut percepts = Percepts::default();
        percepts.tell(Player(1), "jack");
        perceived.note(2, &percepts);
        let planes = |perceived: &Perceived, player| {
            let mut planes = [9; 6];
            perceived.write(&numbers, Player(player), &mut planes);
            planes
        };
        assert_eq!(planes(&perceived, 0), [0; 6]);
        assert_eq!(planes(&perceived, 1), [0, 1, 0, 0, 0, 0]);
        perceived.chose(Player(0), "go");
        assert_eq!(planes(&perceived, 0), [0, 0, 1, 0, 0, 0]);
        assert_eq!(planes(&perceived, 1), [0, 1, 0, 0, 0, 0], "another chose");
        perceived.chose(Player(1), "go");
        percepts.clear();
        percepts.tell(Player(1), "bet");
        perceived.note(2, &percepts);
        assert_eq!(planes(&perceived, 1), [1, 0, 1, 0, 1, 0]);
        assert_eq!(perceived.unknown(&numbers, 2), None);
        percepts.tell(Player(0), "queen");
        perceived.note(2, &percepts);
        assert_eq!(perceived.unknown(&numbers, 2), Some("queen"));
    }
}
