//! Messages to players, and sites that are hidden from them.

use crate::front::{Arg, Call, Kind, Label, Word};
use crate::ir::{Bool, Hide, Ints, Message, Note, Region, Role};
use crate::percepts::HiddenData;
use crate::state::Occupancy;

use super::places::{any_type, need};
use super::{Lower, Lowered, unsupported, unsupported_use};

impl<'c> Lower<'c> {
    /// A message to players; `None` in a game where everybody sees everything.
    pub(super) fn note(&mut self, call: &'c Call) -> Lowered<Option<Box<Note>>> {
        if !self.rules.features.is_hidden() {
            return Ok(None);
        }
        let named = |label: Label| call.find(label);
        let speaker = named(Label::Player).map(|arg| self.who(arg)).transpose()?;
        let message = self.message(need(call, Label::Text)?)?;
        let to = match named(Label::To) {
            Some(arg) => self.audience(arg)?,
            None => Ints::Players(Role::All, None),
        };
        Ok(Some(Box::new(Note { speaker, message, to })))
    }

    fn message(&mut self, arg: &'c Arg) -> Lowered<Message> {
        if let Some(text) = arg.as_text() {
            return Ok(Message::Text(self.rules.names.text(text) as u16));
        }
        let kind = arg.as_call().map(|call| call.ludeme.kind());
        if arg.as_bool().is_some() || kind == Some(Kind::Bool) {
            Ok(Message::Truth(self.bool(arg)?))
        } else if arg.as_int().is_some() || kind == Some(Kind::Int) {
            Ok(Message::Number(self.int(arg)?))
        } else {
            Err(unsupported_use(arg, "a note that is neither text nor number nor truth value"))
        }
    }

    /// `(set Hidden ..)`: the properties of sites that it hides, or shows.
    pub(super) fn hide(&mut self, call: &'c Call) -> Lowered<Hide> {
        any_type(&self.world, call)?;
        let named = |label: Label| call.find(label);
        let kinds = named(Label::Data).map_or(&[][..], Arg::items);
        let kinds = kinds.iter().filter_map(Arg::as_constant).filter_map(HiddenData::named);
        let kinds = kinds.fold(0, |bits, kind| bits | kind as u8);
        let at = self.place(need(call, Label::At)?)?;
        let on = named(Label::Hidden).map_or(Ok(Bool::Const(true)), |arg| self.bool(arg))?;
        let to = self.audience(need(call, Label::To)?)?;
        Ok(Hide { kinds: if kinds == 0 { HiddenData::All as u8 } else { kinds }, at, on, to })
    }

    /// `(sites Hidden ..)`: the sites of which a property is hidden from a player.
    pub(super) fn hidden_sites(&mut self, call: &'c Call) -> Lowered<Region> {
        any_type(&self.world, call)?;
        if self.occupancy() == Occupancy::Stacking {
            return Err(unsupported(call));
        }
        let named = |label: Label| call.find(label);
        let kind = named(Label::Data).and_then(Arg::as_constant).and_then(HiddenData::named);
        let kind = (kind.unwrap_or(HiddenData::All) as u8).trailing_zeros();
        Ok(Region::Hidden { kind, from: Box::new(self.who(need(call, Label::To)?)?) })
    }

    /// The players that a role or number names; roles for everybody mean all players.
    fn audience(&mut self, arg: &'c Arg) -> Lowered<Ints> {
        match arg.as_constant() {
            Some(Word::Each | Word::Shared) => Ok(Ints::Players(Role::All, None)),
            _ => self.players_of(arg),
        }
    }
}

impl HiddenData {
    /// The property that a word of the language names.
    pub(super) fn named(word: Word) -> Option<HiddenData> {
        Some(match word {
            Word::What => HiddenData::What,
            Word::Who => HiddenData::Who,
            Word::Count => HiddenData::Count,
            Word::State => HiddenData::State,
            Word::Rotation => HiddenData::Rotation,
            Word::Value => HiddenData::Value,
            _ => return None,
        })
    }
}
