//! Whether the rules could list one move twice. Where they cannot, nobody has to look for
//! duplicates while playing.

use crate::game::{Game, Jumps, Rays};
use crate::ir::{ByPiece, Int, Iter, JumpId, Leaf, LeafKind, Moves, Piece, Place};

impl<const W: usize> Game<W> {
    /// Whether a list of legal moves may have duplicates. False is a promise, true is not.
    pub(crate) fn may_repeat(&self) -> bool {
        self.phases.iter().any(|phase| self.repeats(&phase.play))
    }

    fn repeats(&self, moves: &Moves) -> bool {
        match moves {
            Moves::None => false,
            Moves::Leaf(leaf) => self.leaf_repeats(leaf),
            Moves::All(list) => {
                list.iter().any(|m| self.repeats(m))
                    || (0..list.len()).any(|i| list[..i].iter().any(|m| self.collide(m, &list[i])))
            }
            Moves::Priority(list) => list.iter().any(|m| self.repeats(m)),
            Moves::If(parts) => self.repeats(&parts.1) || self.repeats(&parts.2),
            Moves::ForEachPiece { list, .. } => {
                list.iter().any(|p| self.repeats(&p.moves) || !starts_at_piece(&p.moves))
            }
            Moves::IfAfterwards(parts) => self.repeats(&parts.0),
            Moves::Custodial(_)
            | Moves::Composite(_)
            | Moves::ForEachSite { .. }
            | Moves::ForEachValue { .. }
            | Moves::ForEachPlayer { .. } => true,
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

    /// Whether two generators that run side by side could give the same move.
    fn collide(&self, a: &Moves, b: &Moves) -> bool {
        match (a, b) {
            (Moves::None, _) | (_, Moves::None) => false,
            (Moves::All(list), other) | (other, Moves::All(list)) => {
                list.iter().any(|m| self.collide(m, other))
            }
            (Moves::If(parts), other) | (other, Moves::If(parts)) => {
                self.collide(&parts.1, other) || self.collide(&parts.2, other)
            }
            (Moves::Leaf(a), Moves::Leaf(b)) => match (&a.kind, &b.kind) {
                (
                    LeafKind::Jump { jumps: ByPiece::Same(a), from: x, .. },
                    LeafKind::Jump { jumps: ByPiece::Same(b), from: y, .. },
                ) => x != y || self.jumps_meet(*a, *b),
                (LeafKind::Add { pieces: a, .. }, LeafKind::Add { pieces: b, .. }) => {
                    let fixed = |piece: &Piece| matches!(piece, Piece::Fixed(_));
                    !a.iter().chain(b).all(fixed) || a.iter().any(|piece| b.contains(piece))
                }
                (LeafKind::Pass, other) | (other, LeafKind::Pass) => {
                    matches!(other, LeafKind::Pass)
                }
                // A piece that turns stays where it is.
                (LeafKind::Turn { .. }, LeafKind::Jump { .. } | LeafKind::Slide(_))
                | (LeafKind::Jump { .. } | LeafKind::Slide(_), LeafKind::Turn { .. }) => false,
                _ => true,
            },
            _ => true,
        }
    }

    fn jumps_meet(&self, a: JumpId, b: JumpId) -> bool {
        let (a, b): (&Jumps<W>, &Jumps<W>) = (self.jump(a), self.jump(b));
        (0..a.sites()).any(|site| a.near(site).intersects(&b.near(site)))
    }
}

/// Whether two paths from one site lead to the same site.
fn rays_meet(rays: &Rays) -> bool {
    (0..rays.sites()).any(|site| {
        let mut all: Vec<u16> = rays.of(site).flatten().copied().collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        all.len() < count
    })
}

/// Whether every move starts at the piece that is iterated over, so that moves of different pieces
/// differ.
fn starts_at_piece(moves: &Moves) -> bool {
    match moves {
        Moves::None => true,
        Moves::Leaf(leaf) => match &leaf.kind {
            LeafKind::Jump { from, .. } => *from == Int::Iter(Iter::From),
            LeafKind::Slide(slide) => slide.from == Int::Iter(Iter::From),
            LeafKind::FromTo { from, .. } => **from == Place::Site(Int::Iter(Iter::From)),
            LeafKind::Turn { at, .. } => *at == Int::Iter(Iter::From),
            _ => false,
        },
        Moves::All(list) | Moves::Priority(list) => list.iter().all(starts_at_piece),
        Moves::If(parts) => starts_at_piece(&parts.1) && starts_at_piece(&parts.2),
        Moves::IfAfterwards(parts) => starts_at_piece(&parts.0),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use play::{Language, Rules};

    use crate::front;
    use crate::game::Game;
    use crate::lower;

    fn may_repeat(moves: &str) -> bool {
        let text = format!(
            "(game \"G\" (players 1)
                (equipment {{ (board (square 3)) (piece \"A\" P1) (piece \"B\" P1) }})
                (rules (play {moves}) (end (if (no Moves Next) (result P1 Win)))))"
        );
        let rules = Rules::new(Language::Lud, "G", text);
        let parsed =
            front::parse(&rules).unwrap_or_else(|e| panic!("{}", e.one_line(&rules.source)));
        let lowered =
            lower::lower(&parsed.root).unwrap_or_else(|e| panic!("{}", e.one_line(&rules.source)));
        Game::<1>::new(lowered).overlaps
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
