//! Sets of sites.

use sites::SetView;

/// A set of sites; see [`sites`].
pub(crate) type Set<const W: usize> = sites::SiteSet<W, usize>;

/// Words of the sets of the evaluator on nearly all boards: on all that have code. Functions with
/// these sets in their types are compiled once for them and once for [`MOST`], which takes time.
pub(crate) const LARGE: usize = kernel::MAX_NATIVE_WORDS;

/// Words of the largest sets. Larger boards are rare (2 of 669 public files), and some are graphs
/// of whole game trees. Unit tests have none, and use one width.
pub(crate) const MOST: usize = if cfg!(test) { LARGE } else { 160 };

/// Words of a set with this number of sites in states and in code, which may be fewer than the
/// evaluator has.
pub(crate) fn words_for(sites: usize) -> usize {
    match sites.div_ceil(64) {
        0 => 1,
        words @ (3 | 5 | 7) => words + 1,
        words => words,
    }
}

/// Evaluates an expression with a constant for the words of the evaluator's sets with this number
/// of sites; `None` if these are too many.
macro_rules! with_words {
    ($sites:expr, $words:ident => $value:expr) => {
        match $crate::set::words_for($sites) {
            words if words <= $crate::set::LARGE => {
                const $words: usize = $crate::set::LARGE;
                Some($value)
            }
            words if words <= $crate::set::MOST => {
                const $words: usize = $crate::set::MOST;
                Some($value)
            }
            _ => None,
        }
    };
}
pub(crate) use with_words;

/// The set of these sites, for which it must have room.
#[inline(always)]
pub(crate) fn set_of<const W: usize>(sites: SetView<'_>) -> Set<W> {
    let mut set = Set::EMPTY;
    for (w, word) in set.words.iter_mut().enumerate() {
        // Inlined, because a call would take longer than a copy of a few words.
        if let Some(&from) = sites.0.get(w) {
            *word = from;
        }
    }
    set
}
