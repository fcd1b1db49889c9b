//! Percepts of players: the notes that they are told of a move, and the sites that they see if
//! rules hide some.
//!
//! Percepts are no part of a playout. A state begins to keep them when the first move is made for
//! players who perceive it, and drops the notes after each move.

use play::{Percepts, Player};

use crate::game::Game;
use crate::lower::Feature;
use crate::moves::{Act, NoteContent};
use crate::state::{Extra, Senses, State};

/// Properties of a site that can be hidden.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // the names are those of the language
pub(crate) enum HiddenData {
    /// The presence of any piece.
    All = 1,
    What = 2,
    Who = 4,
    Count = 8,
    State = 16,
    Rotation = 32,
    Value = 64,
}

/// A site as a player sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SeenSite {
    Empty,
    /// A piece without any of its properties.
    Hidden,
    /// A piece, with or without its owner, with the number of pieces and its further layers.
    Piece {
        what: usize,
        owned: bool,
        count: i32,
        extra: Extra,
    },
}

impl Game {
    /// Begins to collect the percepts of a move that is about to be made. Returns the sites as each
    /// player sees them before it.
    pub(crate) fn listen(&self, state: &mut State) -> Vec<SeenSite> {
        let senses = state.senses.take();
        let mut senses = senses.unwrap_or_else(|| Box::new(self.start_senses(state)));
        let before = self.views(state, &senses);
        senses.listening = true;
        state.senses = Some(senses);
        before
    }

    /// Writes the percepts of the move that was made since [`Game::listen`].
    pub(crate) fn perceive(&self, state: &mut State, before: Vec<SeenSite>, out: &mut Percepts) {
        let Some(mut senses) = state.senses.take() else { return };
        senses.listening = false;
        for (players, speaker, words) in senses.told.drain(..) {
            let text = self.text(speaker, words);
            for player in (0..self.facts.players).filter(|p| players >> (p + 1) & 1 != 0) {
                out.tell_next(Player(player), text.as_str());
            }
        }
        self.tell_changes(before, &self.views(state, &senses), out);
        state.senses = Some(senses);
    }

    /// Writes the percepts before the first move.
    pub(crate) fn perceive_start(&self, state: &State, out: &mut Percepts) {
        let views = self.views(state, &self.start_senses(state));
        self.tell_changes(vec![SeenSite::Empty; views.len()], &views, out);
    }

    fn tell_changes(&self, before: Vec<SeenSite>, after: &[SeenSite], out: &mut Percepts) {
        for (index, (old, new)) in before.into_iter().zip(after).enumerate() {
            if old != *new {
                let (site, player) = (index / self.world.players, index % self.world.players);
                let text = format!("{} {}", self.world.site_label(site), self.seen(new));
                out.tell(Player(player as u8), text);
            }
        }
    }

    fn text(&self, speaker: Option<u8>, words: NoteContent) -> String {
        let words = match words {
            NoteContent::Text(text) => {
                self.names.texts.get(usize::from(text)).map_or("", String::as_str).to_owned()
            }
            NoteContent::Number(number) => number.to_string(),
            NoteContent::Truth(truth) => truth.to_string(),
        };
        match speaker {
            Some(player) => format!("player {player} {words}"),
            None => words,
        }
    }

    fn seen(&self, seen: &SeenSite) -> String {
        let &SeenSite::Piece { what, owned, count, extra } = seen else {
            return if *seen == SeenSite::Empty { "empty".to_owned() } else { "hidden".to_owned() };
        };
        let name = self.world.components.get(what).map_or("", |c| c.name.as_str());
        let mut text = name.to_lowercase();
        if !owned {
            text.truncate(text.trim_end_matches(|c: char| c.is_ascii_digit()).len());
        }
        let layers = [("state", extra.state), ("rotation", extra.rotation), ("value", extra.value)];
        if count > 1 {
            text += &format!(" count {count}");
        }
        for (name, value) in layers.into_iter().filter(|(_, value)| *value != 0) {
            text += &format!(" {name} {value}");
        }
        text
    }

    /// The sites as each player sees them, player after player; empty if the sites are not shown.
    fn views(&self, state: &State, senses: &Senses) -> Vec<SeenSite> {
        if !self.has(Feature::Shown) {
            return Vec::new();
        }
        let of_site = |site: usize| {
            (0..self.world.players).map(move |player| view(state, senses.of(site, player), site))
        };
        (0..self.world.sites()).flat_map(of_site).collect()
    }

    /// The hidden properties in the state that a game starts from.
    fn start_senses(&self, state: &State) -> Senses {
        let players = self.world.players;
        let sites = if self.has(Feature::Shown) { self.world.sites() } else { 0 };
        let mut senses = Senses { hidden: vec![0; sites * players], players, ..Senses::default() };
        for act in self.start_hides(state) {
            if let Act::Hide { site, kinds, players, on } = act {
                senses.hide(usize::from(site), kinds, players, on);
            }
        }
        senses
    }
}

/// A site as a player sees it from whom these properties are hidden.
fn view(state: &State, hidden: u8, site: usize) -> SeenSite {
    let hides = |kind: HiddenData| hidden & kind as u8 != 0;
    let what = state.what(site);
    if what == 0 || hides(HiddenData::All) {
        return SeenSite::Empty;
    }
    if hides(HiddenData::What) {
        return SeenSite::Hidden;
    }
    let layer = |kind: HiddenData, value: i32| if hides(kind) { 0 } else { value };
    let extra = state.extra(site, None);
    SeenSite::Piece {
        what,
        owned: !hides(HiddenData::Who),
        count: layer(HiddenData::Count, state.count(site)),
        extra: Extra {
            state: layer(HiddenData::State, extra.state),
            rotation: layer(HiddenData::Rotation, extra.rotation),
            value: layer(HiddenData::Value, extra.value),
        },
    }
}
