//! Games whose rules never list a move twice. In these nobody has to look for duplicates during
//! play.

use crate::game::{Definition, Game, Rays};
use crate::ir::{
    Aspects, ByPiece, CompositeKind, EffectId, Hop, Int, Iter, Leaf, LeafKind, Moves, Piece,
    PieceMoves, Walk,
};
use crate::meter;
use crate::set::Set;
use crate::state::Occupancy;

impl Game {
    /// True if a list of legal moves may have duplicates. If it is false the list never has any.
    pub(crate) fn may_repeat(&self) -> bool {
        self.phases.iter().any(|phase| self.repeats(&phase.play))
    }

    /// True if a generator may repeat a move.
    fn repeats(&self, moves: &Moves) -> bool {
        match moves {
            Moves::None => false,
            Moves::Leaf(leaf) => self.leaf_repeats(leaf),
            // Moves of a piece in a stack that name no level move the top piece.
            Moves::ForEachPiece { list, .. } => list.iter().any(|p| {
                let buried = self.stacking() && !p.top && p.moves != Moves::None;
                buried || self.repeats(&p.moves) || !starts_at_piece(&p.moves)
            }),
            // Pieces at several levels of a stack may move alike.
            Moves::Composite(_) if self.stacking() => true,
            moves => match (moves.passes_on(), hop(moves)) {
                (Some(parts), _) => {
                    let meet = |i: usize| parts[..i].iter().any(|m| self.collide(m, parts[i]));
                    parts.iter().any(|m| self.repeats(m))
                        || matches!(moves, Moves::All(_)) && (0..parts.len()).any(meet)
                }
                (None, Some(hop)) => self.hop_repeats(hop),
                (None, None) => true,
            },
        }
    }

    fn leaf_repeats(&self, leaf: &Leaf) -> bool {
        match &leaf.kind {
            LeafKind::Add { pieces, .. } => pieces.len() != 1,
            LeafKind::Slide(slide) => match slide.rays {
                ByPiece::Same(rays) => rays_meet(self.ray(rays)),
                ByPiece::Each(_) => true,
            },
            LeafKind::Shoot { rays, .. } => rays_meet(self.ray(*rays)),
            LeafKind::Jump { .. }
            | LeafKind::FromTo { .. }
            | LeafKind::Select { .. }
            | LeafKind::Remove { .. }
            | LeafKind::Pass => false,
            LeafKind::Turn { steps, full, .. } => {
                let turned = |i: usize| steps[i].rem_euclid(*full);
                (0..steps.len()).any(|i| (0..i).any(|j| turned(i) == turned(j)))
            }
            _ => true,
        }
    }

    /// True if a jump over pieces may be found twice. A jump over at most one piece cannot, because
    /// every path has one first piece.
    fn hop_repeats(&self, hop: &Hop) -> bool {
        let single = matches!(hop.range, (Int::Const(1), Int::Const(1)));
        let meet = match &hop.rays {
            ByPiece::Same(rays) => rays_meet(self.ray(*rays)),
            ByPiece::Each(tables) => tables.iter().any(|rays| rays_meet(self.ray(*rays))),
        };
        !single || meet
    }

    /// True if two generators of one list could give the same move.
    fn collide(&self, a: &Moves, b: &Moves) -> bool {
        let others = b.plain();
        a.plain().iter().any(|a| others.iter().any(|b| self.plain_collide(a, b)))
    }

    /// As [`Game::collide`], for generators that pass on the moves of no others.
    fn plain_collide(&self, a: &Moves, b: &Moves) -> bool {
        if !meter::work(4) {
            return true;
        }
        match (a, b) {
            (Moves::Leaf(a), Moves::Leaf(b)) => self.leaves_collide(a, b),
            (Moves::ForEachPiece { list, .. }, Moves::Leaf(leaf))
            | (Moves::Leaf(leaf), Moves::ForEachPiece { list, .. }) => {
                list.iter().any(|entry| self.meets_piece(entry, leaf))
            }
            (Moves::ForEachPiece { list: a, .. }, Moves::ForEachPiece { list: b, .. }) => {
                // Pieces of different components stand on different sites.
                let both = || a.iter().chain(&**b);
                self.stacking()
                    || !both().all(|entry| starts_at_piece(&entry.moves))
                    || a.iter().any(|a| b.iter().any(|b| a.component == b.component))
            }
            _ => match (hop(a), hop(b), a, b) {
                (Some(hop), None, _, Moves::Leaf(leaf))
                | (None, Some(hop), Moves::Leaf(leaf), _) => self.hop_meets(hop, leaf),
                (Some(hop), Some(other_hop), ..) => {
                    hop.from != other_hop.from
                        || sets_meet(self.landings(hop), self.landings(other_hop))
                }
                _ => true,
            },
        }
    }

    /// True if a jump over pieces and a step could lead from one site to the same site.
    fn hop_meets(&self, hop: &Hop, leaf: &Leaf) -> bool {
        if matches!(leaf.kind, LeafKind::Pass) {
            return false;
        }
        leaf.origin() != Some(&hop.from) || sets_meet(self.landings(hop), self.reach(leaf))
    }

    /// By site, the sites that a jump could lead to, whatever pieces stand there.
    fn landings(&self, hop: &Hop) -> Option<Vec<Set>> {
        let (ByPiece::Same(rays), Int::Const(1..)) = (&hop.rays, &hop.range.0) else { return None };
        Some(self.ray(*rays).reached(|path| path.get(1..).unwrap_or_default()).0)
    }

    fn leaves_collide(&self, a: &Leaf, b: &Leaf) -> bool {
        match (&a.kind, &b.kind) {
            (
                LeafKind::Jump { .. } | LeafKind::Slide(_),
                LeafKind::Jump { .. } | LeafKind::Slide(_),
            ) => {
                if a.origin() != b.origin() {
                    return true;
                }
                self.targets_meet(a, b) && !self.differ_after(a, b)
            }
            (LeafKind::Add { pieces: a, .. }, LeafKind::Add { pieces: b, .. }) => {
                let fixed = |piece: &Piece| matches!(piece, Piece::Fixed(_));
                !a.iter().chain(b).all(fixed) || a.iter().any(|piece| b.contains(piece))
            }
            (LeafKind::Pass, other) | (other, LeafKind::Pass) => {
                matches!(other, LeafKind::Pass)
            }
            // A piece that turns stays on its site.
            (LeafKind::Turn { .. }, LeafKind::Jump { .. } | LeafKind::Slide(_))
            | (LeafKind::Jump { .. } | LeafKind::Slide(_), LeafKind::Turn { .. }) => false,
            _ => true,
        }
    }

    /// True if the moves of the pieces of a component could be those of a generator for one piece.
    fn meets_piece(&self, entry: &PieceMoves, leaf: &Leaf) -> bool {
        let Some(Int::WhereOwned { components, .. }) = leaf.origin() else { return true };
        // Pieces of other components stand elsewhere.
        let elsewhere = !self.stacking()
            && !components.contains(&entry.component)
            && starts_at_piece(&entry.moves);
        let meets = |moves: &&Moves| match moves {
            Moves::Leaf(other) => self.targets_meet(other, leaf),
            _ => true,
        };
        !elsewhere && entry.moves.plain().iter().any(meets)
    }

    /// True if two generators could move from one site to the same site, as far as tables tell.
    fn targets_meet(&self, a: &Leaf, b: &Leaf) -> bool {
        sets_meet(self.reach(a), self.reach(b))
    }

    /// By site, the sites that a generator could move to, whatever pieces stand there.
    fn reach(&self, leaf: &Leaf) -> Option<Vec<Set>> {
        match &leaf.kind {
            LeafKind::Jump { jumps: ByPiece::Same(jumps), .. } => {
                Some(self.jump(*jumps).sets().collect())
            }
            LeafKind::Slide(slide) => {
                let ByPiece::Same(rays) = slide.rays else { return None };
                Some(self.ray(rays).reached(|path| slide.ends(path)).0)
            }
            _ => None,
        }
    }

    /// True if moves of two generators between the same sites always leave different pieces there.
    fn differ_after(&self, a: &Leaf, b: &Leaf) -> bool {
        let placed = |leaf: &Leaf| self.placed(None, leaf.then.iter().copied());
        let (Some(a), Some(b)) = (placed(a), placed(b)) else { return false };
        self.layout.occupancy == Occupancy::Flat && a.iter().all(|piece| !b.contains(piece))
    }
}

impl Definition {
    /// True if a piece names an existing component, whoever moves.
    pub(crate) fn is_real(&self, piece: &Piece) -> bool {
        match piece {
            Piece::Fixed(component) => *component > 0,
            Piece::Computed(Int::IdOf { components, owner }) => {
                let of_players = components.get(1..=self.world.players);
                **owner == Int::Mover && of_players.is_some_and(|ids| ids.iter().all(|&id| id > 0))
            }
            Piece::Computed(_) => false,
        }
    }

    /// The components that can stand on the destination of a move, if its consequences promote the
    /// piece that has moved, and change nothing else on the board: those before the consequences,
    /// or else those of the last promotion.
    pub(crate) fn placed(
        &self,
        before: Option<Vec<u16>>,
        mut then: impl Iterator<Item = EffectId>,
    ) -> Option<Vec<u16>> {
        let beside = Aspects::VARS | Aspects::SCORES | Aspects::LAYERS;
        then.try_fold(before, |placed, effect| match self.effect(effect) {
            Moves::Leaf(leaf) if leaf.then.is_empty() => match &leaf.kind {
                LeafKind::Promote { site: Int::LastTo, pieces } => Some(match leaf.promoted() {
                    Some(promoted) if pieces.iter().any(|p| self.is_real(p)) => Some(promoted),
                    promoted => placed.zip(promoted).map(|(a, b)| [a, b].concat()),
                }),
                kind => kind.writes().is_within(beside).then_some(placed),
            },
            _ => None,
        })?
    }
}

/// The jump over pieces in a generator, if it is one.
fn hop(moves: &Moves) -> Option<&Hop> {
    let Moves::Composite(composite) = moves else { return None };
    match &composite.kind {
        CompositeKind::Hop(hop) => Some(hop),
        _ => None,
    }
}

/// True if any of these sets meet, site by site; true also if they are not known.
fn sets_meet(a: Option<Vec<Set>>, b: Option<Vec<Set>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a.iter().zip(&b).any(|(a, b)| a.intersects(b)),
        _ => true,
    }
}

/// True if two paths from one site lead to the same site.
fn rays_meet(rays: &Rays) -> bool {
    !rays.reached::<Set>(|path| path).1
}

/// True if every move starts at the piece of an enclosing loop, so that moves of different pieces
/// differ.
fn starts_at_piece(moves: &Moves) -> bool {
    let origin = |moves: &Moves| match moves {
        Moves::Leaf(leaf) => leaf.origin() == Some(&Int::Iter(Iter::From)),
        moves => hop(moves).is_some_and(|hop| hop.from == Int::Iter(Iter::From)),
    };
    moves.plain().into_iter().all(origin)
}

#[cfg(test)]
mod tests {
    use crate::checks::lowered;
    use crate::game::Game;

    fn may_repeat(moves: &str) -> bool {
        let text = format!(
            "(game \"G\" (players 1)
                (equipment {{ (board (square 3)) (piece \"A\" P1) (piece \"B\" P1) }})
                (rules (play {moves}) (end (if (no Moves Next) (result P1 Win)))))"
        );
        Game::new(lowered("G", &text)).overlaps
    }

    #[test]
    fn placements_of_different_pieces_are_different_moves() {
        let add = |piece: &str| format!("(move Add (piece {piece}) (to (sites Empty)))");
        let both = |a: &str, b: &str| may_repeat(&format!("(or {} {})", add(a), add(b)));
        assert!(!both("\"A\"", "\"B\""));
        assert!(both("\"A\"", "\"A\""));
        assert!(both("\"A\"", "(mover)"));
        assert!(may_repeat(&add("{\"A\" \"B\"}")));
    }
}
