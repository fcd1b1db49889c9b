use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::mix;
use crate::scores::Player;
use crate::words::Wording;

/// Sites of an encoding by name. Nobody goes through them in their order.
pub(crate) type Sites = FxHashMap<String, usize>;

/// In the place of a site: a percept that is told to nobody.
pub(crate) const UNTOLD: usize = usize::MAX;

/// The percepts that each player has of a ply: texts in the words of the rules, such as `breeze` or
/// `card king`. Their order means nothing to the game, and is kept for people alone. (The `sees` of
/// GDL-II, Thielscher 2010.)
#[derive(Clone, Debug, Default)]
pub struct Percepts {
    players: Vec<Vec<String>>,
    /// For each of them its place among the notes; those that are none have the last.
    places: Vec<Vec<u32>>,
    /// Percepts as sites, in place of texts, if only the sites of an encoding are asked for.
    on_sites: Option<Box<OnSites>>,
}

impl PartialEq for Percepts {
    fn eq(&self, other: &Percepts) -> bool {
        self.players == other.players && self.on_sites == other.on_sites
    }
}

impl Eq for Percepts {}

/// Percepts as sites of an encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
struct OnSites {
    sites: Arc<Sites>,
    /// The pairs of player and site, in the order in which they were told.
    told: Vec<(Player, usize)>,
    /// True if something was told that is no site.
    is_lost: bool,
}

impl OnSites {
    fn tell(&mut self, players: impl Iterator<Item = Player>, what: &str) {
        match self.sites.get(what) {
            Some(&UNTOLD) => {}
            Some(&site) => self.told.extend(players.map(|player| (player, site))),
            None => self.is_lost = true,
        }
    }
}

impl Percepts {
    /// Nobody perceives anything.
    pub const NONE: &'static Percepts =
        &Percepts { players: Vec::new(), places: Vec::new(), on_sites: None };

    /// Percepts of which only the sites are kept, so that no text is: they are had by
    /// [`Percepts::sites`], and [`Percepts::of`] is always empty.
    pub(crate) fn on_sites(sites: Arc<Sites>) -> Percepts {
        let on_sites = OnSites { sites, told: Vec::new(), is_lost: false };
        Percepts { on_sites: Some(Box::new(on_sites)), ..Percepts::default() }
    }

    /// The pairs of a player and a perceived site, in any order; texts that are no site are left
    /// out.
    pub(crate) fn sites(&self) -> &[(Player, usize)] {
        self.on_sites.as_ref().map_or(&[], |on_sites| &on_sites.told)
    }

    /// True if somebody perceives what is no site, where only sites are kept.
    pub(crate) fn is_lost(&self) -> bool {
        self.on_sites.as_ref().is_some_and(|on_sites| on_sites.is_lost)
    }

    /// A player perceives something.
    pub fn tell(&mut self, player: Player, what: impl AsRef<str> + Into<String>) {
        self.tell_at(player, what, u32::MAX);
    }

    /// A player is told something after all that he was told before. For people alone: to the game
    /// the order means nothing.
    pub fn tell_next(&mut self, player: Player, what: impl AsRef<str> + Into<String>) {
        let told = self.places.get(usize::from(player.0)).map_or(0, Vec::len);
        self.tell_at(player, what, told as u32);
    }

    fn tell_at(&mut self, player: Player, what: impl AsRef<str> + Into<String>, place: u32) {
        if let Some(on_sites) = &mut self.on_sites {
            return on_sites.tell(std::iter::once(player), what.as_ref());
        }
        let player = usize::from(player.0);
        if self.players.len() <= player {
            self.players.resize_with(player + 1, Vec::new);
            self.places.resize_with(player + 1, Vec::new);
        }
        let (all, what) = (&mut self.players[player], what.into());
        if let Err(at) = all.binary_search(&what) {
            self.places[player].insert(at, place);
            all.insert(at, what);
        }
    }

    /// The first so many players all perceive something.
    pub fn tell_all(&mut self, players: u8, what: &str) {
        if let Some(on_sites) = &mut self.on_sites {
            return on_sites.tell((0..players).map(Player), what);
        }
        for player in 0..players {
            self.tell(Player(player), what);
        }
    }

    /// The percepts of each of so many players.
    pub fn all(&self, players: u8) -> Vec<Vec<String>> {
        (0..players).map(|player| self.of(Player(player)).to_vec()).collect()
    }

    /// As [`Percepts::all`], but first what was told by [`Percepts::tell_next`], in that order.
    pub fn all_as_told(&self, players: u8) -> Vec<Vec<String>> {
        let as_told = |(player, percepts): (usize, Vec<String>)| {
            let places = self.places.get(player).map_or(&[][..], Vec::as_slice);
            let mut told: Vec<(u32, String)> = places.iter().copied().zip(percepts).collect();
            told.sort_by_key(|&(place, _)| place);
            told.into_iter().map(|(_, percept)| percept).collect()
        };
        self.all(players).into_iter().enumerate().map(as_told).collect()
    }

    /// The percepts of a player, each once and sorted.
    pub fn of(&self, player: Player) -> &[String] {
        self.players.get(usize::from(player.0)).map_or(&[], Vec::as_slice)
    }

    /// The same in other words; those that have none are left out.
    pub(crate) fn reworded(&self, words: &Wording) -> Percepts {
        if words.is_empty() {
            return self.clone();
        }
        let mut reworded = Percepts::default();
        for (player, all) in (0..).map(Player).zip(&self.players) {
            let said =
                all.iter().map(|percept| words.word(percept)).filter(|word| !word.is_empty());
            said.for_each(|word| reworded.tell(player, word));
        }
        reworded
    }

    /// Takes out what a player perceives.
    pub(crate) fn take(&mut self, player: Player) -> Vec<String> {
        self.places.get_mut(usize::from(player.0)).into_iter().for_each(Vec::clear);
        self.players.get_mut(usize::from(player.0)).map(std::mem::take).unwrap_or_default()
    }

    /// Nothing is perceived.
    pub fn clear(&mut self) {
        self.players.iter_mut().for_each(Vec::clear);
        self.places.iter_mut().for_each(Vec::clear);
        if let Some(on_sites) = &mut self.on_sites {
            on_sites.told.clear();
            on_sites.is_lost = false;
        }
    }

    /// 64 bits that tell percepts apart; 0 where nobody perceives anything. Part of fingerprints,
    /// so the formula is the worker protocol's.
    pub fn bits(&self) -> u64 {
        (1u64..).zip(&self.players).fold(0, |bits, (player, all)| {
            all.iter().fold(bits, |bits, percept| {
                let text = percept
                    .bytes()
                    .fold(player, |h, byte| (h ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
                mix(bits ^ text)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_perceived_has_no_order_and_no_copies() {
        let mut percepts = Percepts::default();
        percepts.tell(Player(1), "stench");
        percepts.tell(Player(1), "breeze");
        percepts.tell(Player(1), "stench");
        assert_eq!(percepts.of(Player(1)), ["breeze", "stench"]);
        assert_eq!(percepts.all_as_told(2), percepts.all(2));
        for note in ["wind", "air", "wind", "breeze", "bats"] {
            percepts.tell_next(Player(0), note);
        }
        percepts.tell(Player(0), "arrow");
        let told = ["wind", "air", "breeze", "bats", "arrow"];
        assert_eq!(percepts.all_as_told(1), [told]);
        percepts.clear();
        percepts.tell(Player(1), "stench");
        percepts.tell(Player(1), "breeze");
        assert!(percepts.of(Player(0)).is_empty() && percepts.of(Player(7)).is_empty());
        let both = percepts.bits();
        percepts.clear();
        assert_eq!(percepts.bits(), 0);
        percepts.tell(Player(0), "breeze");
        percepts.tell(Player(0), "stench");
        assert_ne!(percepts.bits(), both, "who perceives");
    }
}
