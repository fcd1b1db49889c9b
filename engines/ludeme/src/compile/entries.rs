//! The layout of the entries of gathered moves.

use kernel::ir::{Expr, Local, Stmt};

use super::arrays::{ENTRY, MOST_ENTRIES, MOVES, int};

/// The place of the further numbers of a move in an entry.
pub(super) const EXTRA: usize = 2;

/// The place of the number of moves in an entry.
pub(super) const COUNT: usize = 7;

/// Factor of the origin in the first number of an entry. Origins and destinations count from 1 and
/// have ten bits each.
pub(super) const OF_FROM: i32 = 1 << 10;

/// Factor of the source in the first number of an entry.
pub(super) const OF_SOURCE: i32 = 1 << 20;

/// The number of sources that the first number of an entry can tell apart.
pub(super) const MOST_SOURCES: usize = 1 << 11;

/// In place of an origin: each move goes from a site to itself.
pub(super) const SAME: i32 = 1023;

/// In place of a destination: the sites of a set, in ascending order.
pub(super) const TARGETED: i32 = 1023;

/// In place of a destination: the sites of a set, in descending order.
pub(super) const DESCENDING: i32 = 1022;

/// In place of a destination: the sites of a set, reached over one distance. That distance, plus
/// [`NO_DISTANCE`], is in place of the origin.
pub(super) const BEHIND: i32 = 1021;

/// The number that stands for the distance 0 with [`BEHIND`].
pub(super) const NO_DISTANCE: i32 = 512;

/// In place of a destination: the sites of a set, with origins in a row of
/// [`EvaluatedParts::origins`](crate::ir::EvaluatedParts::origins). The number of the row is in place
/// of the origin.
pub(super) const IN_ROW: i32 = 1020;

/// The first of the numbers that stand for the sites of a set.
pub(super) const FIRST_OF_SETS: i32 = IN_ROW;

/// The ends of the moves of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ends {
    /// One move.
    One(i32, i32),
    /// From a site to each site of the set of the entry; from each site to itself if `from` is
    /// `None`.
    Targets { from: Option<i32>, descending: bool },
    /// To each site of the set of the entry, from an origin that depends on the destination.
    From(Origin),
}

/// The origin of a move as a function of its destination.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    /// The first piece behind the destination at a multiple of a distance.
    Behind(i32),
    /// The site that a row of [`EvaluatedParts::origins`](crate::ir::EvaluatedParts::origins) has for
    /// the destination.
    InRow(usize),
}

/// Code for the source of an entry, by its first number.
pub(super) fn source_of(first: Expr) -> Expr {
    first.shifted_right(int(OF_SOURCE.trailing_zeros() as i32))
}

/// The source and the ends of an entry, by its first number.
pub(super) fn unpacked(first: i32) -> (usize, Ends) {
    let first = first as u32;
    let (source, from, to) = (first >> 20, (first >> 10 & 1023) as i32, (first & 1023) as i32);
    let ends = match to {
        TARGETED | DESCENDING => {
            let from = (from != SAME).then_some(from - 1);
            Ends::Targets { from, descending: to == DESCENDING }
        }
        BEHIND => Ends::From(Origin::Behind(from - NO_DISTANCE)),
        IN_ROW => Ends::From(Origin::InRow(from as usize)),
        to => Ends::One(from - 1, to - 1),
    };
    (source as usize, ends)
}

/// `Some` if there is one entry, whose moves go from each site to itself; true if they descend.
pub(super) fn only_here(entries: &[Option<Expr>]) -> Option<bool> {
    match entries {
        [Some(Expr::Int(first))] => match unpacked(*first).1 {
            Ends::Targets { from: None, descending } => Some(descending),
            _ => None,
        },
        _ => None,
    }
}

/// The most entries with fixed places.
const MOST_FIXED: usize = 12;

/// The first numbers of the entries, if these are always the same ones, and few.
pub(super) fn fixed(entries: &[Option<Expr>]) -> Option<Box<[i32]>> {
    let firsts = entries.iter().map(|entry| match entry {
        Some(Expr::Int(first)) => Some(*first),
        _ => None,
    });
    (2..=MOST_FIXED).contains(&entries.len()).then(|| firsts.collect()).flatten()
}

/// The statement that leaves an entry without moves.
pub(super) fn no_moves(entry: usize) -> Stmt {
    Stmt::Store(MOVES, int((entry * ENTRY + COUNT) as i32), int(0))
}

/// The place of an entry. One without room overwrites another; nobody reads the entries then.
pub(super) fn place_of(entry: Local) -> Expr {
    const { assert!(MOST_ENTRIES.is_power_of_two()) };
    entry.get().and_bits(int(MOST_ENTRIES as i32 - 1))
}
