//! What is spelled out case by case.

use crate::{Tree, size};

/// Pieces side by side that are alike count as a list from this number on.
const FEWEST: usize = 4;

/// The number of pieces in lists: runs of four or more groups side by side, whatever words and
/// marks stand between them, that have the same form and the same first word, and differ in other
/// words alone. What is inside of them counts, too.
pub fn listed(pieces: &[Tree]) -> u64 {
    let groups: Vec<&Tree> =
        pieces.iter().filter(|piece| matches!(piece, Tree::Group(..))).collect();
    let runs = groups.chunk_by(|one, other| are_alike(one, other));
    runs.map(|run| {
        if run.len() >= FEWEST {
            return run.iter().map(|piece| size(std::slice::from_ref(*piece))).sum();
        }
        let inner = |piece: &&Tree| match piece {
            Tree::Leaf(_) => 0,
            Tree::Group(_, inner, _) => listed(inner),
        };
        run.iter().map(inner).sum::<u64>()
    })
    .sum()
}

/// True if two pieces differ in words alone, and not in the first of a group.
fn are_alike(one: &Tree, other: &Tree) -> bool {
    let (Tree::Group(begin, inner, _), Tree::Group(same, others, _)) = (one, other) else {
        return matches!((one, other), (Tree::Leaf(_), Tree::Leaf(_)));
    };
    let heads = match (inner.first(), others.first()) {
        (Some(Tree::Leaf(one)), Some(Tree::Leaf(other))) => one == other,
        _ => true,
    };
    let mut pairs = inner.iter().zip(others);
    begin == same
        && heads
        && inner.len() == others.len()
        && pairs.all(|(one, other)| are_alike(one, other))
}

#[cfg(test)]
mod tests {
    use play::Language;

    use super::*;
    use crate::read;

    #[test]
    fn lists_are_runs_of_like_groups() {
        let of = |text| listed(&read(text, Language::Kif));
        assert_eq!(of("(a 1) (a 2) (a 3) (a 4)"), 12);
        assert_eq!(of("(a 1) (a 2) (a 3)"), 0);
        assert_eq!(of("(a 1) (b 2) (a 3) (b 4)"), 0);
        assert_eq!(of("(a 1) (a 2) (a 3) (a 4 5)"), 0);
        // Inside of what is no list, and with words between.
        assert_eq!(of("(x (a 1) or (a 2) or (a 3) or (a 4) y)"), 12);
        assert_eq!(of("(x (a (b 1)) (a (b 2)) (a (b 3)) (a (c 4)))"), 0);
    }
}
