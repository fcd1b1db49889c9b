//! The interface of positions for an open-loop tree: a walker that goes down from a root, chance
//! included.

use std::sync::Arc;

use crate::any_state::AnyState;
use crate::mix;
use crate::numbers::Numbers;
use crate::percepts::Percepts;
use crate::position::{MAX_FORCED_PASSES, Position, plies_from, settle};
use crate::rng::Rng;
use crate::scores::{Player, Turn};
use crate::tally::{End, Ending};

/// A position that goes down a tree, one simulation after another.
pub(super) trait Walker<'p>: Send {
    /// Number of players.
    fn players(&self) -> u8;

    /// Goes to where a simulation begins; false if that is a position of another game.
    fn begin(&mut self, root: &(dyn Position + 'p)) -> bool;

    /// Takes forced passes and lists what is legal behind them; who chooses, or `None` if nobody
    /// does.
    fn settle(&mut self, rng: &mut Rng) -> Option<Player>;

    /// The number of actions that it listed.
    fn actions(&self) -> usize;

    /// Writes for each action that it listed what tells it from others of the same player: equal in
    /// all positions where the action has the same label.
    fn keys(&mut self, keys: &mut Vec<u64>);

    /// Takes an action that it listed.
    fn take(&mut self, action: usize, rng: &mut Rng);

    /// A key of the observer's percepts of the last action and of forced passes behind it; `None`
    /// if there are none.
    fn seen(&mut self) -> Option<u64>;

    /// Plays at random to the end, and may leave the position anywhere.
    fn play_out(&mut self, rng: &mut Rng, cap: u32) -> End;
}

/// The end of a playout that begins nowhere: before the first simulation.
const NOWHERE: End = End { plies: 0, ending: Ending::Stuck };

/// States of an engine. Actions go by their codes and percepts by their sites where the game has an
/// [`Encoding`](crate::Encoding), so that no texts are made; elsewhere by labels.
pub(super) struct OfState {
    here: Box<dyn AnyState>,
    /// True before the first simulation.
    is_nowhere: bool,
    numbers: Option<Arc<Numbers>>,
    observer: Option<Player>,
    percepts: Percepts,
    // Kept for their memory only.
    codes: Vec<u32>,
    sites: Vec<usize>,
}

impl OfState {
    /// A walker that has yet to begin, given any state of the game.
    pub(super) fn new(
        state: Box<dyn AnyState>,
        numbers: Option<Arc<Numbers>>,
        observer: Option<Player>,
    ) -> OfState {
        // Only a list of sites that is complete tells all percepts apart.
        let complete = numbers.as_ref().filter(|numbers| !numbers.encoding.open);
        let on_sites = |numbers: &Arc<Numbers>| Percepts::on_sites(Arc::clone(&numbers.sites));
        let percepts = complete.map_or_else(Percepts::default, on_sites);
        let (codes, sites) = (Vec::new(), Vec::new());
        OfState { here: state, is_nowhere: true, numbers, observer, percepts, codes, sites }
    }

    /// Applies an action; what players perceive of it is told, where somebody observes.
    fn apply(&mut self, action: usize, rng: &mut Rng) {
        let percepts = self.observer.map(|_| &mut self.percepts);
        self.here.apply(action, rng, percepts);
    }
}

impl<'p> Walker<'p> for OfState {
    fn players(&self) -> u8 {
        self.here.facts().players
    }

    fn begin(&mut self, root: &(dyn Position + 'p)) -> bool {
        let begins = root.state().is_some_and(|root| self.here.copy_from(root));
        self.is_nowhere &= !begins;
        begins
    }

    fn settle(&mut self, rng: &mut Rng) -> Option<Player> {
        if self.is_nowhere {
            return None;
        }
        for _ in 0..=MAX_FORCED_PASSES {
            match (self.here.list(), self.here.actions()) {
                (Turn::Over, _) | (_, 0) => return None,
                (_, 1) if self.here.is_pass(0) => self.apply(0, rng),
                (Turn::Move(player), _) => return Some(player),
            }
        }
        None
    }

    fn actions(&self) -> usize {
        self.here.actions()
    }

    fn keys(&mut self, keys: &mut Vec<u64>) {
        let OfState { here, numbers, codes, .. } = self;
        codes.clear();
        if let Some(numbers) = numbers {
            numbers.codes(&**here, codes);
        }
        keys.clear();
        keys.extend(codes.iter().map(|&code| u64::from(code)));
        if keys.is_empty() || codes.contains(&u32::MAX) {
            let labels = here.labels();
            keys.resize(labels.len(), u64::from(u32::MAX));
            let uncoded = keys.iter_mut().zip(&labels);
            for (key, label) in uncoded.filter(|(key, _)| **key == u64::from(u32::MAX)) {
                *key = text_bits(label);
            }
        }
    }

    fn take(&mut self, action: usize, rng: &mut Rng) {
        self.percepts.clear();
        self.apply(action, rng);
    }

    fn seen(&mut self) -> Option<u64> {
        let observer = self.observer?;
        let own = self.percepts.sites().iter().filter(|&&(player, _)| player == observer);
        self.sites.clear();
        self.sites.extend(own.map(|&(_, site)| site));
        if self.sites.is_empty() {
            return texts_bits(self.percepts.of(observer));
        }
        self.sites.sort_unstable();
        self.sites.dedup();
        Some(self.sites.iter().fold(0, |bits, &site| mix(bits ^ mix(site as u64 + 1))))
    }

    fn play_out(&mut self, rng: &mut Rng, cap: u32) -> End {
        if self.is_nowhere { NOWHERE } else { self.here.play_out(rng, cap) }
    }
}

/// Positions behind the face that all engines share: actions go by their labels, and percepts by
/// their texts.
pub(super) struct OfPosition<'p> {
    players: u8,
    observer: Option<Player>,
    /// `None` before the first simulation.
    here: Option<Box<dyn Position + 'p>>,
}

impl OfPosition<'_> {
    pub(super) fn new(players: u8, observer: Option<Player>) -> Self {
        OfPosition { players, observer, here: None }
    }
}

impl<'p> Walker<'p> for OfPosition<'p> {
    fn players(&self) -> u8 {
        self.players
    }

    fn begin(&mut self, root: &(dyn Position + 'p)) -> bool {
        self.here = Some(root.copy());
        true
    }

    fn settle(&mut self, rng: &mut Rng) -> Option<Player> {
        let here = self.here.as_mut()?;
        settle(&mut **here, rng);
        match here.turn() {
            Turn::Move(player) if plies_from(&**here) > 0 => Some(player),
            _ => None,
        }
    }

    fn actions(&self) -> usize {
        self.here.as_ref().map_or(0, |here| here.actions())
    }

    fn keys(&mut self, keys: &mut Vec<u64>) {
        keys.clear();
        if let Some(here) = &self.here {
            keys.extend(here.labels().iter().map(|label| text_bits(label)));
        }
    }

    fn take(&mut self, action: usize, rng: &mut Rng) {
        if let Some(here) = &mut self.here {
            // It was listed, so it is legal.
            let _ = here.play(action, rng);
        }
    }

    fn seen(&mut self) -> Option<u64> {
        texts_bits(self.here.as_ref()?.percepts().of(self.observer?))
    }

    fn play_out(&mut self, rng: &mut Rng, cap: u32) -> End {
        self.here.as_ref().map_or(NOWHERE, |here| here.playout(rng, cap))
    }
}

/// 64 bits that tell lists of texts apart; `None` of none.
fn texts_bits(texts: &[String]) -> Option<u64> {
    let bits = |bits: u64, text: &String| mix(bits ^ mix(text_bits(text)));
    (!texts.is_empty()).then(|| texts.iter().fold(0, bits))
}

/// 64 bits that tell texts apart (FNV-1a); greater than any code.
fn text_bits(text: &str) -> u64 {
    let add = |h: u64, byte| (h ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, add) | 1 << 63
}
