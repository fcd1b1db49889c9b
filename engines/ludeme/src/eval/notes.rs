//! Notes that moves tell players, and sites that they hide from them.

use super::Eval;
use crate::buffer::Buffer;
use crate::ir::{Hide, Ints, Message, Note};
use crate::lower::Feature;
use crate::moves::{Act, NoteContent};

impl Eval<'_> {
    /// True if what players are told is wanted: while moves are listed with all that they do, in a
    /// copy that writes down all that is done, and while a move is made for players who perceive
    /// it. Playouts do not ask for it.
    pub(super) fn listens(&self) -> bool {
        self.lists
            || self.state.log.is_some()
            || self.state.senses.as_ref().is_some_and(|senses| senses.listening)
    }

    /// True if what effects tell and hide is worked out here.
    pub(super) fn tells(&self) -> bool {
        self.game.has(Feature::AsksHidden) || self.listens()
    }

    pub(super) fn tell(&mut self, note: &Note, acts: &mut Buffer<Act>) {
        let players = self.some_players(&note.to);
        let speaker = note.speaker.as_ref().and_then(|who| u8::try_from(self.int(who)).ok());
        let words = match &note.message {
            Message::Text(text) => NoteContent::Text(*text),
            Message::Number(number) => NoteContent::Number(self.int(number)),
            Message::Truth(truth) => NoteContent::Truth(self.test(truth)),
        };
        acts.push(Act::Tell { players, speaker, words });
    }

    pub(crate) fn hide(&mut self, hide: &Hide, acts: &mut Buffer<Act>) {
        let players = self.some_players(&hide.to);
        let on = self.test(&hide.on);
        let sites = self.place(&hide.at);
        let act = |site| Act::Hide { site: site as u16, kinds: hide.kinds, players, on };
        acts.extend(sites.iter().map(act));
    }

    /// True if there is a site with properties to hide, or to show, and a player to hide them from.
    pub(crate) fn hides_any(&mut self, hide: &Hide) -> bool {
        !self.place(&hide.at).is_empty() && self.some_players(&hide.to) != 0
    }

    /// Players as bits; numbers that are no players are left out.
    fn some_players(&mut self, players: &Ints) -> u32 {
        let most = self.players() as i32;
        let numbers = self.ints(players);
        numbers.into_iter().filter(|p| (1..=most).contains(p)).fold(0, |bits, p| bits | 1 << p)
    }
}
