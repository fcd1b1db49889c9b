//! The smallest part of a file that shows the same fault (delta debugging over the tree).

use play::Language;

use edits::{Tree, paths, read, siblings, write};

/// Leaves pieces out, larger ones first, as long as `shows` says that the fault stays; asks at most
/// so many times.
pub(crate) fn shrink(
    text: &str,
    language: Language,
    most: usize,
    shows: impl Fn(&str) -> bool,
) -> String {
    let mut pieces = read(text, language);
    if !shows(&write(&pieces)) {
        // It is in the bytes, not in the tree.
        return text.to_owned();
    }
    let mut asked = 1;
    loop {
        let mut smaller = false;
        let mut at = 0;
        loop {
            let mut all: Vec<_> = paths(&pieces);
            all.sort_by_cached_key(|path| {
                (usize::MAX - size(&siblings(&mut pieces, path)), path.clone())
            });
            let Some(path) = all.get(at) else { break };
            if asked == most {
                return write(&pieces);
            }
            let mut fewer = pieces.clone();
            let (beside, place) = siblings(&mut fewer, path);
            beside.remove(place);
            asked += 1;
            if shows(&write(&fewer)) {
                (pieces, smaller) = (fewer, true);
            } else {
                at += 1;
            }
        }
        if !smaller {
            return write(&pieces);
        }
    }
}

fn size((beside, place): &(&mut Vec<Tree>, usize)) -> usize {
    fn of(piece: &Tree) -> usize {
        match piece {
            Tree::Leaf(_) => 1,
            Tree::Group(_, inner, _) => 1 + inner.iter().map(of).sum::<usize>(),
        }
    }
    of(&beside[*place])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shows_a_fault_is_all_that_is_left() {
        let text = "(game (a (b 1) (bad 2)) (c d e)) (f)";
        let shows = |text: &str| text.contains("bad");
        let smallest = shrink(text, Language::Kif, 1000, shows);
        assert_eq!(
            smallest.replace(' ', ""),
            "((((bad))))".replacen('(', "", 1).replacen(')', "", 1)
        );
        assert_eq!(shrink(text, Language::Kif, 0, |_| false), text);
    }
}
