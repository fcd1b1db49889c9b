use std::cmp::Ordering;

use crate::entry::GameEntry;

/// The order of the published tables, then everything else by id.
///
/// The tables are sorted by name, with numbers compared as numbers, the first one after it has
/// listed one-player games before two-player games; so their order follows from the manifests and
/// need not be written down.
pub(crate) fn catalogue_order(a: &GameEntry, b: &GameEntry) -> Ordering {
    match (a.paper.first(), b.paper.first()) {
        (Some(p), Some(q)) => natural(&p.table, &q.table)
            .then(if p.table == "table1" { a.players.cmp(&b.players) } else { Ordering::Equal })
            .then_with(|| natural(&p.row, &q.row)),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => Ordering::Equal,
    }
    .then_with(|| natural(&a.id, &b.id))
}

/// Compares texts with runs of digits as numbers (`8 Queens` before `16 Queens`) and without regard
/// to case; texts that differ in case or leading zeros only are told apart at the end.
pub(crate) fn natural(a: &str, b: &str) -> Ordering {
    let (mut x, mut y) = (a.as_bytes(), b.as_bytes());
    while let (Some(&c), Some(&d)) = (x.first(), y.first()) {
        let step = if c.is_ascii_digit() && d.is_ascii_digit() {
            let (m, n) = (number(&mut x), number(&mut y));
            // Longer numbers are larger once leading zeros are gone.
            m.len().cmp(&n.len()).then(m.cmp(n))
        } else {
            x = &x[1..];
            y = &y[1..];
            c.to_ascii_lowercase().cmp(&d.to_ascii_lowercase())
        };
        if step != Ordering::Equal {
            return step;
        }
    }
    x.len().cmp(&y.len()).then_with(|| a.cmp(b))
}

/// Takes a run of digits off the front, and returns it without leading zeros.
fn number<'a>(text: &mut &'a [u8]) -> &'a [u8] {
    let end = text.iter().position(|b| !b.is_ascii_digit()).unwrap_or(text.len());
    let (run, rest) = text.split_at(end);
    *text = rest;
    let zeros = run.iter().position(|&b| b != b'0').unwrap_or(run.len());
    &run[zeros..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_compare_as_numbers() {
        let mut names = ["Nonogram (10x10)", "16 Queens", "Nonogram (5x5)", "8 Queens", "8 puzzle"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(
            names,
            ["8 puzzle", "8 Queens", "16 Queens", "Nonogram (5x5)", "Nonogram (10x10)"]
        );
    }

    #[test]
    fn different_texts_are_never_equal() {
        assert_eq!(natural("a1", "a01"), "a1".cmp("a01"));
        assert_eq!(natural("A", "a"), Ordering::Less);
        assert_eq!(natural("a", "ab"), Ordering::Less);
        assert_eq!(natural("a9", "a10"), Ordering::Less);
        assert_eq!(natural("a", "a"), Ordering::Equal);
    }
}
