//! Whether the rules could list one move twice. Where they cannot, nobody has to look for
//! duplicates while playing.

use crate::game::{Game, Rays};
use crate::ir::{
    ByPiece, CompositeKind, EffectId, Hop, Int, Iter, Leaf, LeafKind, Moves, Piece, PieceMoves,
    Place,
};
use crate::meter;
use crate::set::Set;
use crate::state::Occupancy;

impl<const W: usize> Game<W> {
    /// True if a list of legal moves may have duplicates. That it has none is a promise.
    pub(crate) fn may_repeat(&self) -> bool {
        self.phases.iter().any(|phase| self.repeats(&phase.play))
    }

    /// True if a generator may repeat a move.
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
            // Where the moves of a piece in a stack name no level, that on top moves.
            Moves::ForEachPiece { list, .. } => list.iter().any(|p| {
                let buried = self.stacking() && !p.top && p.moves != Moves::None;
                buried || self.repeats(&p.moves) || !starts_at_piece(&p.moves)
            }),
            Moves::IfAfterwards(parts) => self.repeats(&parts.0),
            // Pieces at several levels of a stack may move alike.
            Moves::Composite(_) if self.stacking() => true,
            Moves::Composite(composite) => match &composite.kind {
                CompositeKind::Hop(hop) => self.hop_repeats(hop),
                CompositeKind::Then(moves) | CompositeKind::Max { moves, .. } => {
                    self.repeats(moves)
                }
                _ => true,
            },
            Moves::Custodial(_)
            | Moves::Compiled(..)
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

    /// True if a jump over pieces may be found twice: over one piece at most there is one first
    /// piece on every path.
    fn hop_repeats(&self, hop: &Hop) -> bool {
        let single = matches!(hop.range, (Int::Const(1), Int::Const(1)));
        let meet = match &hop.rays {
            ByPiece::Same(rays) => rays_meet(self.ray(*rays)),
            ByPiece::Each(all) => all.iter().any(|rays| rays_meet(self.ray(*rays))),
        };
        !single || meet
    }

    /// True if two generators that run side by side could give the same move.
    fn collide(&self, a: &Moves, b: &Moves) -> bool {
        if !meter::work(4) {
            return true;
        }
        match (a, b) {
            (Moves::None, _) | (_, Moves::None) => false,
            (Moves::All(list), other) | (other, Moves::All(list)) => {
                list.iter().any(|m| self.collide(m, other))
            }
            (Moves::If(parts), other) | (other, Moves::If(parts)) => {
                self.collide(&parts.1, other) || self.collide(&parts.2, other)
            }
            (Moves::Priority(list), other) | (other, Moves::Priority(list)) => {
                list.iter().any(|m| self.collide(m, other))
            }
            (Moves::IfAfterwards(parts), other) | (other, Moves::IfAfterwards(parts)) => {
                self.collide(&parts.0, other)
            }
            (Moves::Leaf(a), Moves::Leaf(b)) => self.leaves_collide(a, b),
            (Moves::Composite(composite), other) | (other, Moves::Composite(composite)) => {
                match (&composite.kind, other) {
                    (CompositeKind::Then(moves) | CompositeKind::Max { moves, .. }, _) => {
                        self.collide(moves, other)
                    }
                    (CompositeKind::Hop(hop), Moves::Leaf(leaf)) => self.hop_meets(hop, leaf),
                    (CompositeKind::Hop(hop), Moves::Composite(other)) => match &other.kind {
                        CompositeKind::Hop(other) => {
                            hop.from != other.from
                                || sets_meet(self.landings(hop), self.landings(other))
                        }
                        CompositeKind::Then(_) | CompositeKind::Max { .. } => {
                            let hop = Moves::Composite(composite.clone());
                            let moves = other.kind.parts().pop();
                            moves.is_none_or(|moves| self.collide(&hop, moves))
                        }
                        _ => true,
                    },
                    _ => true,
                }
            }
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
            _ => true,
        }
    }

    /// True if a jump over pieces and a step could lead from one site to the same site.
    fn hop_meets(&self, hop: &Hop, leaf: &Leaf) -> bool {
        if matches!(leaf.kind, LeafKind::Pass) {
            return false;
        }
        origin(leaf) != Some(&hop.from) || sets_meet(self.landings(hop), self.reach(leaf))
    }

    /// By site: the sites that a jump could lead to, whatever stands there.
    fn landings(&self, hop: &Hop) -> Option<Vec<Set<W>>> {
        let (ByPiece::Same(rays), Int::Const(1..)) = (&hop.rays, &hop.range.0) else { return None };
        let rays = self.ray(*rays);
        let behind =
            |site| rays.of(site).flat_map(|ray| ray.iter().skip(1)).map(|&s| usize::from(s));
        Some((0..rays.sites()).map(|site| behind(site).collect()).collect())
    }

    fn leaves_collide(&self, a: &Leaf, b: &Leaf) -> bool {
        match (&a.kind, &b.kind) {
            (
                LeafKind::Jump { .. } | LeafKind::Slide(_),
                LeafKind::Jump { .. } | LeafKind::Slide(_),
            ) => {
                if origin(a) != origin(b) {
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
            // A piece that turns stays where it is.
            (LeafKind::Turn { .. }, LeafKind::Jump { .. } | LeafKind::Slide(_))
            | (LeafKind::Jump { .. } | LeafKind::Slide(_), LeafKind::Turn { .. }) => false,
            _ => true,
        }
    }

    /// True if the moves of a component's pieces could be those of a generator for one piece.
    fn meets_piece(&self, entry: &PieceMoves, leaf: &Leaf) -> bool {
        fn any(moves: &Moves, meets: &impl Fn(&Leaf) -> bool) -> bool {
            match moves {
                Moves::None => false,
                Moves::Leaf(leaf) => meets(leaf),
                Moves::All(list) => list.iter().any(|m| any(m, meets)),
                Moves::If(parts) => any(&parts.1, meets) || any(&parts.2, meets),
                _ => true,
            }
        }
        let Some(Int::WhereOwned { components, .. }) = origin(leaf) else { return true };
        // Pieces of other components stand elsewhere.
        let elsewhere = !self.stacking()
            && !components.contains(&entry.component)
            && starts_at_piece(&entry.moves);
        !elsewhere && any(&entry.moves, &|other| self.targets_meet(other, leaf))
    }

    /// True if two generators could move from one site to the same site, as far as tables tell.
    fn targets_meet(&self, a: &Leaf, b: &Leaf) -> bool {
        sets_meet(self.reach(a), self.reach(b))
    }

    /// By site: the sites that a generator could move to, whatever stands there.
    fn reach(&self, leaf: &Leaf) -> Option<Vec<Set<W>>> {
        match &leaf.kind {
            LeafKind::Jump { jumps: ByPiece::Same(jumps), .. } => {
                Some(self.jump(*jumps).sets().collect())
            }
            LeafKind::Slide(slide) => {
                let ByPiece::Same(rays) = slide.rays else { return None };
                let bound = |n: i32| usize::try_from(n).unwrap_or(0);
                let (min, max) = match &slide.range {
                    None => (1, usize::MAX),
                    Some((Int::Const(min), Int::Const(max))) => (bound(*min).max(1), bound(*max)),
                    Some(_) => return None,
                };
                let rays = self.ray(rays);
                let reach = |site| {
                    let within = rays.of(site).flat_map(|ray| ray.iter().take(max).skip(min - 1));
                    within.map(|&to| usize::from(to)).collect()
                };
                Some((0..rays.sites()).map(reach).collect())
            }
            _ => None,
        }
    }

    /// True if moves of two generators between the same sites always leave different pieces there:
    /// they are alike but for what the piece that moved becomes.
    fn differ_after(&self, a: &Leaf, b: &Leaf) -> bool {
        let promotion = |effect: &EffectId| match self.effect(*effect) {
            Moves::Leaf(leaf) if leaf.then.is_empty() => match &leaf.kind {
                LeafKind::Promote { site: Int::LastTo, pieces } => match &pieces[..] {
                    [piece] => Some(piece),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        };
        // Neither takes the piece away again.
        let harmless = |effect: &EffectId| match self.effect(*effect) {
            Moves::Leaf(leaf) => {
                let harmless = matches!(
                    leaf.kind,
                    LeafKind::SetCounter(_) | LeafKind::SetLayer { .. } | LeafKind::SetVar { .. }
                );
                harmless && leaf.then.is_empty()
            }
            _ => false,
        };
        let becomes = |leaf: &Leaf| {
            let (promotions, others): (Vec<EffectId>, Vec<EffectId>) =
                leaf.then.iter().partition(|&effect| promotion(effect).is_some());
            let [one] = promotions[..] else { return None };
            others.iter().all(harmless).then(|| promotion(&one).cloned()).flatten()
        };
        self.layout.occupancy == Occupancy::Flat
            && match (becomes(a), becomes(b)) {
                (Some(Piece::Fixed(a)), Some(Piece::Fixed(b))) => a != b,
                (
                    Some(Piece::Computed(Int::IdOf { components: a, owner: x })),
                    Some(Piece::Computed(Int::IdOf { components: b, owner: y })),
                ) => {
                    let players = 1..=self.world.players;
                    *x == Int::Mover
                        && x == y
                        && players.into_iter().all(|p| a[p] != b[p] && a[p] > 0 && b[p] > 0)
                }
                _ => false,
            }
    }
}

/// Where a move to fixed targets or a slide starts.
fn origin(leaf: &Leaf) -> Option<&Int> {
    match &leaf.kind {
        LeafKind::Jump { from, .. } => Some(from),
        LeafKind::Slide(slide) => Some(&slide.from),
        _ => None,
    }
}

/// True if any of these sets meet, site by site; they may if they are not known.
fn sets_meet<const W: usize>(a: Option<Vec<Set<W>>>, b: Option<Vec<Set<W>>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a.iter().zip(&b).any(|(&a, &b)| a.intersects(b)),
        _ => true,
    }
}

/// True if two paths from one site lead to the same site.
fn rays_meet(rays: &Rays) -> bool {
    (0..rays.sites()).any(|site| {
        let mut all: Vec<u16> = rays.of(site).flatten().copied().collect();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        all.len() < count
    })
}

/// True if every move starts at the piece that is iterated over, so that moves of different pieces
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
        Moves::Composite(composite) => match &composite.kind {
            CompositeKind::Hop(hop) => hop.from == Int::Iter(Iter::From),
            CompositeKind::Then(moves) | CompositeKind::Max { moves, .. } => starts_at_piece(moves),
            _ => false,
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::checks::{WORDS, lowered};
    use crate::game::Game;

    fn may_repeat(moves: &str) -> bool {
        let text = format!(
            "(game \"G\" (players 1)
                (equipment {{ (board (square 3)) (piece \"A\" P1) (piece \"B\" P1) }})
                (rules (play {moves}) (end (if (no Moves Next) (result P1 Win)))))"
        );
        Game::<WORDS>::new(lowered("G", &text)).overlaps
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
