//! The edit distance of two rule files as trees.
//!
//! The algorithm is that of K. Zhang and D. Shasha, "Simple fast algorithms for the editing distance
//! between trees and related problems", SIAM Journal on Computing 18 (6), 1989: the fewest pieces
//! that are put in, taken out or renamed, where the order of pieces stays, and what a piece has
//! inside stays when it is taken out.

use std::collections::BTreeMap;

use crate::Tree;

/// The work that a distance may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Bytes of the tables of distances.
    pub bytes: u64,
    /// Entries of all tables that are filled on the way.
    pub steps: u64,
}

impl Default for Budget {
    /// 512 MiB and some ten seconds.
    fn default() -> Budget {
        Budget { bytes: 512 << 20, steps: 8_000_000_000 }
    }
}

/// The fewest pieces to put in, to take out or to rename that make one text of the other; `None`
/// where that costs more than the budget.
///
/// A piece is a leaf, or a group without what it has inside; to rename a group is to change its
/// brackets. Pieces at both ends that the texts have in common are left out first, which changes
/// no distance.
pub fn distance(from: &[Tree], to: &[Tree], budget: Budget) -> Option<u64> {
    let (from, to) = without_common_ends(from, to);
    let mut labels = BTreeMap::new();
    let (one, other) = (Flat::new(from, &mut labels), Flat::new(to, &mut labels));
    let (n, m) = (one.labels.len() as u64, other.labels.len() as u64);
    let steps = one.steps().checked_mul(other.steps())?;
    if n.checked_mul(m)?.checked_mul(8)? > budget.bytes || steps > budget.steps {
        return None;
    }
    Some(between(&one, &other).into())
}

/// The number of pieces, those inside of groups included.
pub fn size(pieces: &[Tree]) -> u64 {
    let inner = |piece: &Tree| match piece {
        Tree::Leaf(_) => 0,
        Tree::Group(_, inner, _) => size(inner),
    };
    pieces.iter().map(|piece| 1 + inner(piece)).sum()
}

/// What is left of two lists of pieces without those that both begin with and both end with.
fn without_common_ends<'t>(from: &'t [Tree], to: &'t [Tree]) -> (&'t [Tree], &'t [Tree]) {
    let same = |(one, other): &(&Tree, &Tree)| one == other;
    let begin = from.iter().zip(to).take_while(same).count();
    let (from, to) = (&from[begin..], &to[begin..]);
    let end = from.iter().rev().zip(to.iter().rev()).take_while(same).count();
    (&from[..from.len() - end], &to[..to.len() - end])
}

/// A tree as lists over its nodes in postorder; the last is a root above all pieces.
struct Flat {
    /// Nodes with equal labels have equal numbers.
    labels: Vec<u32>,
    /// Of each node, the first of those below it, which is a leaf.
    leftmost: Vec<usize>,
    /// The nodes that are not the first child of another, in order.
    keyroots: Vec<usize>,
}

impl Flat {
    fn new(pieces: &[Tree], labels: &mut BTreeMap<(bool, String), u32>) -> Flat {
        let mut flat = Flat { labels: Vec::new(), leftmost: Vec::new(), keyroots: Vec::new() };
        flat.add(pieces, labels);
        // No piece has this label, so that the roots stand for each other.
        flat.put(u32::MAX, 0);
        let mut last_with = BTreeMap::new();
        for (node, &first) in flat.leftmost.iter().enumerate() {
            last_with.insert(first, node);
        }
        flat.keyroots = last_with.into_values().collect();
        flat.keyroots.sort_unstable();
        flat
    }

    fn add(&mut self, pieces: &[Tree], labels: &mut BTreeMap<(bool, String), u32>) {
        for piece in pieces {
            let first = self.labels.len();
            let name = match piece {
                Tree::Leaf(word) => (false, word.clone()),
                Tree::Group(begin, inner, _) => {
                    self.add(inner, labels);
                    (true, (*begin).to_owned())
                }
            };
            let next = labels.len() as u32;
            let label = *labels.entry(name).or_insert(next);
            self.put(label, first);
        }
    }

    fn put(&mut self, label: u32, leftmost: usize) {
        self.labels.push(label);
        self.leftmost.push(leftmost);
    }

    /// Nodes below all keyroots: the rows of the tables that are filled.
    fn steps(&self) -> u64 {
        self.keyroots.iter().map(|&root| (root - self.leftmost[root] + 1) as u64).sum()
    }
}

/// The distance of the whole trees.
fn between(one: &Flat, other: &Flat) -> u32 {
    let (n, m) = (one.labels.len(), other.labels.len());
    let mut trees = vec![0_u32; n * m];
    // Distances of forests: those before a node, and that with it, beside those of the other tree.
    let mut forests = vec![0_u32; (n + 1) * (m + 1)];
    for &i in &one.keyroots {
        for &j in &other.keyroots {
            fill(one, other, (i, j), &mut trees, &mut forests);
        }
    }
    trees[n * m - 1]
}

/// Fills in the distances of all trees on the leftmost paths of two keyroots.
fn fill(one: &Flat, other: &Flat, (i, j): (usize, usize), trees: &mut [u32], forests: &mut [u32]) {
    let (first, second) = (one.leftmost[i], other.leftmost[j]);
    let m = other.labels.len();
    let width = j - second + 2;
    for (y, entry) in forests[..width].iter_mut().enumerate() {
        *entry = y as u32;
    }
    for x in first..=i {
        let row = (x - first + 1) * width;
        forests[row] = (x - first + 1) as u32;
        let (whole, label) = (one.leftmost[x] == first, one.labels[x]);
        let before = (one.leftmost[x] - first) * width;
        for y in second..=j {
            let at = row + y - second + 1;
            let changed = forests[at - width].min(forests[at - 1]) + 1;
            let tree = &mut trees[x * m + y];
            forests[at] = if whole && other.leftmost[y] == second {
                let renamed = u32::from(label != other.labels[y]);
                *tree = changed.min(forests[at - width - 1] + renamed);
                *tree
            } else {
                changed.min(forests[before + other.leftmost[y] - second] + *tree)
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use play::Language;
    use proptest::prelude::*;

    use super::*;
    use crate::read;

    /// The distance by its definition on forests, from the right: the last root is taken out, put
    /// in, or stands for the other last root, with what both have inside.
    fn by_definition(from: &[Tree], to: &[Tree]) -> u64 {
        let (Some((last, before)), Some((other, earlier))) = (from.split_last(), to.split_last())
        else {
            return size(from) + size(to);
        };
        let inner = |piece: &Tree| match piece {
            Tree::Leaf(_) => Vec::new(),
            Tree::Group(_, inner, _) => inner.clone(),
        };
        let opened = |before: &[Tree], last: &Tree| [before.to_vec(), inner(last)].concat();
        let is_same = match (last, other) {
            (Tree::Leaf(one), Tree::Leaf(other)) => one == other,
            (Tree::Group(one, ..), Tree::Group(other, ..)) => one == other,
            _ => false,
        };
        let renamed = by_definition(&inner(last), &inner(other))
            + by_definition(before, earlier)
            + u64::from(!is_same);
        let removed = by_definition(&opened(before, last), to) + 1;
        let added = by_definition(from, &opened(earlier, other)) + 1;
        renamed.min(removed).min(added)
    }

    fn tree() -> impl Strategy<Value = Tree> {
        let leaf = "[ab]".prop_map(Tree::Leaf);
        leaf.prop_recursive(3, 6, 3, |inner| {
            let round = prop::collection::vec(inner.clone(), 0..3);
            let curly = prop::collection::vec(inner, 0..3);
            prop_oneof![
                round.prop_map(|inner| Tree::Group("(", inner, ")")),
                curly.prop_map(|inner| Tree::Group("{", inner, "}")),
            ]
        })
    }

    fn forest() -> impl Strategy<Value = Vec<Tree>> {
        prop::collection::vec(tree(), 0..3).prop_filter("small", |forest| size(forest) < 8)
    }

    fn far(from: &[Tree], to: &[Tree]) -> u64 {
        distance(from, to, Budget::default()).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

        #[test]
        fn it_is_that_of_the_definition(one in forest(), other in forest()) {
            prop_assert_eq!(far(&one, &other), by_definition(&one, &other));
        }

        #[test]
        fn it_is_a_metric(one in forest(), other in forest(), third in forest()) {
            prop_assert_eq!(far(&one, &other), far(&other, &one));
            prop_assert_eq!(far(&one, &other) == 0, one == other);
            prop_assert!(far(&one, &third) <= far(&one, &other) + far(&other, &third));
            prop_assert!(far(&one, &other) <= size(&one) + size(&other));
        }

        #[test]
        fn common_ends_do_not_matter(one in forest(), other in forest(), end in tree()) {
            let around = |middle: &[Tree]| {
                [std::slice::from_ref(&end), middle, std::slice::from_ref(&end)].concat()
            };
            prop_assert_eq!(far(&around(&one), &around(&other)), far(&one, &other));
        }
    }

    #[test]
    fn the_example_of_the_paper_is_two_apart() {
        // f(d(a c(b)) e) and f(c(d(a b)) e), where a name in front of a group is its first piece:
        // c is taken out in one place and put in at another, each a group and its name.
        let of = |text| read(text, Language::Kif);
        let (one, other) = (of("(f (d a (c b)) e)"), of("(f (c (d a b)) e)"));
        assert_eq!(far(&one, &other), 4);
    }

    #[test]
    fn what_is_too_much_work_is_not_begun() {
        let text = |word: &str| vec![Tree::Leaf(word.to_owned()); 1_000];
        let little = Budget { bytes: 1 << 20, steps: u64::MAX };
        assert_eq!(distance(&text("a"), &text("b"), little), None);
        let quick = Budget { bytes: u64::MAX, steps: 1_000 };
        assert_eq!(distance(&text("a"), &text("b"), quick), None);
        // What both have in common is no work.
        assert_eq!(distance(&text("a"), &text("a"), quick), Some(0));
        assert_eq!(distance(&text("a"), &text("b"), Budget::default()), Some(1_000));
    }
}
