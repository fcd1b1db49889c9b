//! What players are told, and what is hidden from them.

use crate::front::{Arg, Call};
use crate::ir::{Bool, Hide, Ints, Message, Note, Region, Role};
use crate::percepts::Kind;
use crate::state::Occupancy;

use super::places::need;
use super::{Lower, Lowered, index_of, unsupported, unsupported_use};

impl<'c> Lower<'c> {
    /// A message to players; none in a game where everybody sees everything.
    pub(super) fn note(&mut self, call: &'c Call) -> Lowered<Option<Box<Note>>> {
        if !self.features.is_hidden() {
            return Ok(None);
        }
        let named = |label: &str| call.args.iter().find(|a| a.label == label);
        let speaker = named("player").map(|arg| self.who(arg)).transpose()?;
        let message = self.message(need(call, "text")?)?;
        let to = match named("to") {
            Some(arg) => self.audience(arg)?,
            None => Ints::Players(Role::All, None),
        };
        Ok(Some(Box::new(Note { speaker, message, to })))
    }

    fn message(&mut self, arg: &'c Arg) -> Lowered<Message> {
        if let Some(text) = arg.as_text() {
            return Ok(Message::Text(index_of(&mut self.texts, text) as u16));
        }
        let kind = arg.as_call().map(|call| call.ludeme.kind());
        if arg.as_bool().is_some() || kind == Some("Bool") {
            Ok(Message::Truth(self.bool(arg)?))
        } else if arg.as_int().is_some() || kind == Some("Int") {
            Ok(Message::Number(self.int(arg)?))
        } else {
            Err(unsupported_use(arg, "a note that is neither text nor number nor truth value"))
        }
    }

    /// What a `set Hidden` hides, or shows.
    pub(super) fn hide(&mut self, call: &'c Call) -> Lowered<Hide> {
        self.any_type(call)?;
        let named = |label: &str| call.args.iter().find(|a| a.label == label);
        let kinds = named("data").map_or(&[][..], Arg::items);
        let kinds = kinds.iter().filter_map(Arg::as_constant).filter_map(Kind::named);
        let kinds = kinds.fold(0, |bits, kind| bits | kind as u8);
        let at = self.place(need(call, "at")?)?;
        let on = named("hidden").map_or(Ok(Bool::Const(true)), |arg| self.bool(arg))?;
        let to = self.audience(need(call, "to")?)?;
        Ok(Hide { kinds: if kinds == 0 { Kind::All as u8 } else { kinds }, at, on, to })
    }

    /// The sites of which something is hidden from a player.
    pub(super) fn hidden_sites(&mut self, call: &'c Call) -> Lowered<Region> {
        self.any_type(call)?;
        if self.features.occupancy(&self.world) == Occupancy::Stacking {
            return Err(unsupported(call));
        }
        let named = |label: &str| call.args.iter().find(|a| a.label == label);
        let kind = named("data").and_then(Arg::as_constant).and_then(Kind::named);
        let kind = (kind.unwrap_or(Kind::All) as u8).trailing_zeros();
        Ok(Region::Hidden { kind, from: Box::new(self.who(need(call, "to")?)?) })
    }

    /// The players that a role or number names, everybody with the roles that mean everybody.
    fn audience(&mut self, arg: &'c Arg) -> Lowered<Ints> {
        match arg.as_constant() {
            Some("Each" | "Shared") => Ok(Ints::Players(Role::All, None)),
            _ => self.players_of(arg),
        }
    }
}
