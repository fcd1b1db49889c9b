//! Pieces that move without being moved: they are pushed along, drawn together, or fall. And moves
//! that are drawn by lot.

use smallvec::SmallVec;

use super::Eval;
use super::visitors::MoveVisitor;
use crate::buffer::Buffer;
use crate::ir::{ByPiece, Int, JumpId, Moves, RayId};
use crate::moves::{Act, Move};
use crate::set::Set;

impl Eval<'_> {
    /// Pushes the pieces from a site on by one site.
    pub(super) fn push(
        &mut self,
        rays: &ByPiece<RayId>,
        from: usize,
        out: &mut dyn MoveVisitor,
    ) -> bool {
        let Some(table) = rays.of(self.state.what(from)) else { return false };
        let mut acts = Buffer::new();
        for ray in self.game.ray(table).of(from) {
            let mut carried = self.state.what(from) as u16;
            acts.push(Act::Remove(from as u16));
            for &to in ray {
                let next = self.state.what(usize::from(to)) as u16;
                if carried == 0 {
                    break;
                }
                acts.push(Act::Remove(to));
                acts.push(Act::Add { site: to, what: carried, state: None });
                carried = next;
            }
        }
        out.take_move(self, Move::new(0, 0, acts))
    }

    /// Draws the pieces on straight paths from a site to it.
    pub(super) fn attract(&mut self, rays: RayId, from: usize, out: &mut dyn MoveVisitor) -> bool {
        let mut acts = Buffer::new();
        for ray in self.game.ray(rays).of(from) {
            let pieces = ray.iter().map(|&s| (s, self.state.what(usize::from(s)) as u16));
            let pieces: SmallVec<[(u16, u16); 32]> = pieces.filter(|p| p.1 != 0).collect();
            acts.extend(pieces.iter().map(|p| Act::Remove(p.0)));
            acts.extend(ray.iter().zip(&pieces).map(|(&site, p)| Act::Add {
                site,
                what: p.1,
                state: None,
            }));
        }
        self.one_move(acts, out)
    }

    /// The pieces of the board that fall, each as far as it can, those with the lowest numbers
    /// first, over and over until all lie still.
    pub(super) fn falls(&self, below: JumpId) -> Buffer<Act> {
        let board = self.game.world.topology.sites();
        let mut empty = self.empty();
        let mut acts = Buffer::new();
        // Every fall leads to a lower layer.
        for _ in 0..board {
            let before = acts.len();
            for from in 0..board {
                if empty.contains(from) {
                    continue;
                }
                let mut at = from as u16;
                let is_free = |empty: &Set, to: &u16| empty.contains(usize::from(*to));
                while let Some(&to) =
                    self.game.jump(below).of(usize::from(at)).iter().find(|to| is_free(&empty, to))
                {
                    empty.insert(usize::from(at));
                    empty.remove(usize::from(to));
                    acts.push(Act::MoveTop { from: at, to, keep: true });
                    at = to;
                }
            }
            if acts.len() == before {
                break;
            }
        }
        acts
    }

    /// The moves of one generator, drawn with weights.
    pub(super) fn one_of(&mut self, list: &[(u32, Moves)], out: &mut dyn MoveVisitor) -> bool {
        let total = list.iter().map(|(weight, _)| weight).sum();
        if total == 0 {
            return false;
        }
        let mut drawn = self.below(total);
        for (weight, moves) in list {
            if drawn < *weight {
                return self.generate(moves, out);
            }
            drawn -= weight;
        }
        false
    }

    /// So many of the moves, drawn without putting any back; all of them where there are not more.
    pub(super) fn some_of(
        &mut self,
        moves: &Moves,
        number: &Int,
        out: &mut dyn MoveVisitor,
    ) -> bool {
        let found = self.all_made(moves);
        let number = u32::try_from(self.int(number)).unwrap_or(0);
        let all = found.len() as u32;
        let mut drawn = match self.chance.filter(|_| number < all) {
            Some(chance) => chance.different(all, number),
            None => (0..number.min(all)).collect(),
        };
        drawn.sort_unstable();
        drawn.into_iter().any(|at| match found.get(at as usize) {
            Some(made) => out.take_move(self, made.clone()),
            None => false,
        })
    }
}
