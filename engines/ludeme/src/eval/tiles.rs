//! Moves of pieces that cover several cells. The first cell holds the piece; the others are not
//! empty.

use super::Eval;
use super::visitors::MoveVisitor;
use crate::buffer::Buffer;
use crate::game::Game;
use crate::ir::{Bool, Covers, Int, Iter, Layer, Moves, Piece, Place};
use crate::moves::Act;
use crate::moves::Move;
use crate::set::Set;

/// The cells beside its first that a piece covers at a site; `None` where it cannot lie.
fn covered<'g>(
    game: &'g Game,
    covers: &Covers,
    what: usize,
    state: usize,
    site: usize,
) -> Option<&'g [u16]> {
    let table = *covers.get(what)?.get(state)?;
    game.ray(table).of(site).next()
}

impl Eval<'_> {
    /// Puts pieces on sites in all ways that they can lie there on empty cells.
    pub(super) fn lay(
        &mut self,
        pieces: &[Piece],
        state: Option<&Int>,
        to: &Place,
        covers: &Covers,
        out: &mut dyn MoveVisitor,
    ) -> bool {
        let wanted = state.map(|state| self.int(state));
        let empty = self.empty();
        let sites = self.place(to) & &empty;
        for piece in pieces {
            let Ok(what) = usize::try_from(self.component(piece)) else { continue };
            let states = covers.get(what).map_or(0, |states| states.len());
            for site in sites.iter() {
                for state in (0..states).filter(|&s| wanted.is_none_or(|w| w == s as i32)) {
                    let Some(cells) = covered(self.game, covers, what, state, site) else {
                        continue;
                    };
                    if !cells.iter().all(|&cell| empty.contains(usize::from(cell))) {
                        continue;
                    }
                    let mut made = Move::new(site as i32, site as i32, Buffer::new());
                    if out.wants_acts() {
                        let (site, what, state) = (site as u16, what as u16, Some(state as i32));
                        made.acts.push(Act::Add { site, what, state });
                    }
                    if out.take_move(self, made) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// Moves pieces to sites and turns them.
    pub(super) fn shift(
        &mut self,
        (from, condition): (&Place, Option<&Bool>),
        to: &Place,
        effect: Option<&Moves>,
        covers: &Covers,
        out: &mut dyn MoveVisitor,
    ) -> bool {
        let old = [Iter::From, Iter::To].map(|iter| self.get(iter));
        let origins = self.place(from);
        let stopped = origins.iter().any(|from| {
            self.set(Iter::From, from as i32);
            self.state.what(from) != 0
                && condition.is_none_or(|c| self.test(c))
                && self.shift_from(from, to, effect, covers, out)
        });
        self.set(Iter::From, old[0]);
        self.set(Iter::To, old[1]);
        stopped
    }

    fn shift_from(
        &mut self,
        from: usize,
        to: &Place,
        effect: Option<&Moves>,
        covers: &Covers,
        out: &mut dyn MoveVisitor,
    ) -> bool {
        let what = self.state.what(from);
        let lies = usize::try_from(self.state.extra(from, None).state).unwrap_or(usize::MAX);
        let old = covered(self.game, covers, what, lies, from).unwrap_or_default();
        let own: Set = old.iter().map(|&cell| usize::from(cell)).collect();
        let targets = self.place(to) | &own;
        let states = covers.get(what).map_or(0, |states| states.len());
        // Of a domino only the first cell has to be a destination.
        let is_domino = self.game.world.components.get(what).is_some_and(|c| c.pips.is_some());
        let room = if is_domino { self.empty() | own } else { targets.clone() };
        for to in (targets & (room.clone() | Set::single(from))).iter() {
            for state in (0..states).filter(|&state| (to, state) != (from, lies)) {
                let Some(cells) = covered(self.game, covers, what, state, to) else { continue };
                let free =
                    |&cell: &u16| room.contains(usize::from(cell)) || usize::from(cell) == from;
                if !cells.iter().all(free) {
                    continue;
                }
                let mut made = Move::new(from as i32, to as i32, Buffer::new());
                if out.wants_acts() {
                    self.set(Iter::To, to as i32);
                    if let Some(effect) = effect {
                        self.effects(effect, &mut made.acts);
                    }
                    let (from, site) = (from as u16, to as u16);
                    made.acts.push(Act::MoveTop { from, to: site, keep: false });
                    let (layer, value) = (Layer::State, state as i32);
                    made.acts.push(Act::SetLayer { layer, site, level: None, value });
                }
                if out.take_move(self, made) {
                    return true;
                }
            }
        }
        false
    }
}
