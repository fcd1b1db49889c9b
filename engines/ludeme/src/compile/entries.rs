//! The entries of moves that are gathered: what their numbers mean.

use kernel::ir::{Expr, Local, Stmt};

use super::arrays::{ENTRY, MOST_ENTRIES, MOVES, int};

/// The place of the further numbers of a move in an entry.
pub(super) const EXTRA: usize = 2;

/// The place of the number of moves in an entry.
pub(super) const COUNT: usize = 7;

/// Factor of the origin in the first number of an entry. Origins and destinations begin with 1 and
/// have ten bits each.
pub(super) const OF_FROM: i32 = 1 << 10;

/// Factor of the source in the first number of an entry.
pub(super) const OF_SOURCE: i32 = 1 << 20;

/// Sources that have room in the first number of an entry.
pub(super) const MOST_SOURCES: usize = 1 << 11;

/// Stands for the origin of moves that go where they come from.
pub(super) const SAME: i32 = 1023;

/// Stand for the destination of moves to all sites of a set, from the first one on or from the last
/// one.
pub(super) const TARGETED: i32 = 1023;

pub(super) const DESCENDING: i32 = 1022;

/// Stands for the destination of moves to all sites of a set that come over one distance, which has
/// the place of the origin, and [`NO_DISTANCE`] more.
pub(super) const BEHIND: i32 = 1021;

pub(super) const NO_DISTANCE: i32 = 512;

/// Stands for the destination of moves to all sites of a set whose origins are in a row of
/// [`Parts::origins`], which has the place of the origin.
pub(super) const IN_ROW: i32 = 1020;

/// From here on, destinations stand for those of a set.
pub(super) const FIRST_OF_SETS: i32 = IN_ROW;

/// The ends of the moves of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ends {
    /// One move.
    One(i32, i32),
    /// From a site to each site of the set of the entry, from the last one on or from the first
    /// one; the origin is the destination where it is `None`.
    Targets { from: Option<i32>, descending: bool },
    /// To each site of the set of the entry, from where its place says.
    From(Origin),
}

/// The origin of each of the moves of an entry, which depends on its destination.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    /// The first piece behind its destination at a multiple of a distance.
    Behind(i32),
    /// The site that a row of [`Parts::origins`] has for its destination.
    InRow(usize),
}

/// The source of an entry by its first number, in code.
pub(super) fn source_of(first: Expr) -> Expr {
    first.shifted_right(int(OF_SOURCE.trailing_zeros() as i32))
}

/// The source of an entry by its first number, and its ends.
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

/// `Some` if all moves gathered are those of one entry, each of which goes where it comes from; true
/// if they descend.
pub(super) fn only_here(entries: &[Option<Expr>]) -> Option<bool> {
    match entries {
        [Some(Expr::Int(first))] => match unpacked(*first).1 {
            Ends::Targets { from: None, descending } => Some(descending),
            _ => None,
        },
        _ => None,
    }
}

/// Entries up to which each has its place.
const MOST_FIXED: usize = 12;

/// The first numbers of the entries of moves that are gathered, if there are several and few, and
/// always the same ones.
pub(super) fn fixed(entries: &[Option<Expr>]) -> Option<Box<[i32]>> {
    let known = entries.iter().map(|entry| match entry {
        Some(Expr::Int(first)) => Some(*first),
        _ => None,
    });
    (2..=MOST_FIXED).contains(&entries.len()).then(|| known.collect()).flatten()
}

/// Lets an entry have no moves.
pub(super) fn no_moves(entry: usize) -> Stmt {
    Stmt::Store(MOVES, int((entry * ENTRY + COUNT) as i32), int(0))
}

/// The place of an entry. One that has no room overwrites another, and nobody reads them then.
pub(super) fn place_of(entry: Local) -> Expr {
    const { assert!(MOST_ENTRIES.is_power_of_two()) };
    entry.get().and_bits(int(MOST_ENTRIES as i32 - 1))
}
