//! Games in numbers: an [`Encoding`] with what finds places in it, and what players have perceived.

use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use crate::any_state::AnyState;
use crate::code_book::CodeBook;
use crate::encoding::{Encoding, did};
use crate::merged::{Merge, Merges};
use crate::percepts::{Percepts, Sites, UNTOLD};
use crate::scores::Player;

/// An encoding, and the places of its names.
#[derive(Debug)]
pub(crate) struct Numbers {
    pub(crate) encoding: Encoding,
    /// Codes by label. Nobody goes through them in their order.
    codes: FxHashMap<String, u32>,
    pub(crate) sites: Arc<Sites>,
    /// The site of having done an action, by its code.
    did: Vec<Option<usize>>,
    /// The codes for those that the engine says; empty if they are the same.
    places: Vec<u32>,
}

impl Numbers {
    pub(crate) fn new(encoding: Encoding) -> Numbers {
        let codes = encoding.actions.iter().cloned().zip(0..).collect();
        let sites: Sites = encoding.sites.iter().cloned().zip(0..).collect();
        let did = encoding.actions.iter().map(|label| sites.get(&did(label)).copied()).collect();
        Numbers { encoding, codes, sites: Arc::new(sites), did, places: Vec::new() }
    }

    /// The numbers of a game in its words, for labels and percepts as its description says them. A
    /// percept without a word is told to nobody, and an action without one has no code.
    pub(crate) fn in_words(description: &Numbers, merges: &Merges) -> Numbers {
        let Encoding { actions, sites, .. } = &description.encoding;
        let place = |merge: &Merge, text: usize| merge.place(text as u32);
        let mut words = Numbers::new(merges.encoding.clone());
        words.places = (0..actions.len()).map(|code| place(&merges.actions, code)).collect();
        words.codes = actions.iter().cloned().zip(words.places.iter().copied()).collect();
        let site = |site| match place(&merges.sites, site) {
            u32::MAX => UNTOLD,
            place => place as usize,
        };
        words.sites = Arc::new(sites.iter().cloned().zip((0..).map(site)).collect());
        words
    }

    /// The code of an action by its label; `u32::MAX` for one that there is not.
    pub(crate) fn code(&self, label: &str) -> u32 {
        self.codes.get(label).copied().unwrap_or(u32::MAX)
    }

    /// As [`Numbers::codes`], with labels written only of actions whose keys are not in the book.
    pub(crate) fn codes_by_keys(
        &self,
        state: &dyn AnyState,
        book: &mut CodeBook,
        codes: &mut Vec<u32>,
    ) {
        let mut keys = std::mem::take(&mut book.keys);
        let mut are_known = state.write_label_keys(&mut keys);
        if are_known {
            book.begin();
            codes.clear();
            for (action, &key) in keys.iter().enumerate() {
                let code = book.code(key).unwrap_or_else(|| {
                    let code = self.code(&state.plain_label(action));
                    book.note(key, code);
                    code
                });
                are_known &= book.is_new(code);
                codes.push(code);
            }
        }
        book.keys = keys;
        // Labels that are the same by themselves depend on each other.
        if !are_known {
            self.codes(state, codes);
        }
    }

    /// Writes the codes of the actions that a state has listed over others; `u32::MAX` for those
    /// that have none.
    pub(crate) fn codes(&self, state: &dyn AnyState, codes: &mut Vec<u32>) {
        state.write_codes(codes);
        if !self.places.is_empty() {
            for code in codes.iter_mut() {
                *code = self.places.get(*code as usize).copied().unwrap_or(u32::MAX);
            }
        }
        if codes.contains(&u32::MAX) {
            let all = codes.iter_mut().zip(state.labels());
            for (code, label) in all.filter(|(code, _)| **code == u32::MAX) {
                *code = self.code(&label);
            }
        }
    }
}

/// The numbers of a game, once somebody has asked for them.
#[derive(Debug, Default)]
pub(crate) struct CachedNumbers(OnceLock<Option<Arc<Numbers>>>);

impl CachedNumbers {
    /// The numbers of the encoding of the game; `None` if it has none.
    pub(crate) fn get(&self, encoding: &dyn Fn() -> Option<Encoding>) -> Option<&Arc<Numbers>> {
        self.get_or_make(&|| encoding().map(Numbers::new))
    }

    /// The numbers, which are made if nobody has asked before.
    pub(crate) fn get_or_make(&self, make: &dyn Fn() -> Option<Numbers>) -> Option<&Arc<Numbers>> {
        self.0.get_or_init(|| make().map(Arc::new)).as_ref()
    }

    /// The encoding of the game, if it has one.
    pub(crate) fn encoding(&self, encoding: &dyn Fn() -> Option<Encoding>) -> Option<Encoding> {
        Some(self.get(encoding)?.encoding.clone())
    }
}

/// The percepts of each player in a playout: those since that player chose last, and those before.
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

/// The planes that [`Perceived`] would write: the sites alone, and no texts.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct PerceivedSites {
    /// A bit for each site: of each player those since the last choice, and those before.
    bits: Vec<u64>,
    /// Words of a plane.
    words: usize,
    /// True if somebody perceived what is no site.
    pub(crate) is_lost: bool,
}

impl PerceivedSites {
    pub(crate) fn new(numbers: &Numbers, players: u8) -> PerceivedSites {
        let words = numbers.encoding.sites.len().div_ceil(64);
        PerceivedSites { bits: vec![0; 2 * words * usize::from(players)], words, is_lost: false }
    }

    pub(crate) fn clear(&mut self) {
        self.bits.fill(0);
        self.is_lost = false;
    }

    /// The two planes of a player.
    fn planes(&mut self, player: Player) -> (&mut [u64], &mut [u64]) {
        let first = 2 * self.words * usize::from(player.0);
        self.bits[first..first + 2 * self.words].split_at_mut(self.words)
    }

    /// All players perceive something.
    pub(crate) fn note(&mut self, percepts: &Percepts) {
        for &(player, site) in percepts.sites() {
            self.planes(player).0[site / 64] |= 1 << (site % 64);
        }
        self.is_lost |= percepts.is_lost();
    }

    /// Like [`Perceived::chose`], with the code of the action.
    pub(crate) fn chose(&mut self, numbers: &Numbers, player: Player, code: usize) {
        let (now, before) = self.planes(player);
        for (now, before) in now.iter_mut().zip(before) {
            *before |= std::mem::take(now);
        }
        if let Some(&Some(site)) = numbers.did.get(code) {
            now[site / 64] |= 1 << (site % 64);
        }
    }

    /// Writes the two planes of a player.
    pub(crate) fn write(&self, numbers: &Numbers, player: Player, planes: &mut [u8]) {
        planes.fill(0);
        let sites = numbers.encoding.sites.len();
        let first = 2 * self.words * usize::from(player.0);
        let words = self.bits[first..].chunks_exact(self.words.max(1));
        for (plane, words) in planes.chunks_exact_mut(sites.max(1)).zip(words) {
            for (bytes, &word) in plane.chunks_mut(64).zip(words) {
                let mut rest = word;
                while rest != 0 {
                    bytes[rest.trailing_zeros() as usize] = 1;
                    rest &= rest - 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sites_alone_are_written_as_texts_are() {
        let sites: Vec<String> = (0..70).map(|i| format!("seen {i}")).collect();
        let labels: Vec<String> = (0..3).map(|i| format!("go {i}")).collect();
        let numbers = Numbers::new(Encoding::perceived(labels.clone(), sites));
        let (mut texts, mut seen) = (Perceived::default(), PerceivedSites::new(&numbers, 2));
        let length = numbers.encoding.plane_bytes();
        for ply in 0..40 {
            let (player, code) = (Player((ply % 3 % 2) as u8), ply % 3);
            texts.chose(player, &labels[code]);
            seen.chose(&numbers, player, code);
            let mut kinds = [Percepts::default(), Percepts::on_sites(numbers.sites.clone())];
            for percepts in &mut kinds {
                percepts.tell_all(2, &format!("seen {}", ply * 7 % 70));
                percepts.tell(Player((ply % 2) as u8), format!("seen {}", ply * 11 % 70));
                percepts.tell(Player(1), "what is no site");
            }
            texts.note(2, &kinds[0]);
            seen.note(&kinds[1]);
            for player in [Player(0), Player(1)] {
                let (mut by_texts, mut by_sites) = (vec![9; length], vec![8; length]);
                texts.write(&numbers, player, &mut by_texts);
                seen.write(&numbers, player, &mut by_sites);
                assert_eq!(by_texts, by_sites, "ply {ply}, {player:?}");
                assert!(by_texts.contains(&1));
            }
        }
        seen.clear();
        let mut planes = vec![9; length];
        seen.write(&numbers, Player(1), &mut planes);
        assert_eq!(planes, vec![0; length]);
    }

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
