//! The candidates of a deduction puzzle: values that its variables can still have.

/// The candidates that the given values leave, updated with each value.
#[derive(Debug)]
pub(crate) struct Domains<S> {
    /// The candidates that are left, by their numbers.
    pub(crate) set: S,
    pub(crate) tallies: Tallies,
    /// Number of values given since the set-up.
    pub(crate) given: usize,
    /// The value of each site, 0 for none. Empty if nobody reads it.
    pub(crate) values: Vec<u16>,
}

/// The candidates in a state, by which its moves are listed.
#[derive(Debug)]
pub(crate) struct KeptDomains {
    pub(crate) domains: Domains<Vec<u64>>,
    /// For each site the number of sites before it that have been given a value. Moves are numbered
    /// among all that the rules offer, and so the numbers skip these sites.
    pub(crate) given_before: Vec<u16>,
}

impl KeptDomains {
    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> usize {
        let KeptDomains { domains, given_before } = self;
        let Domains { set, tallies: Tallies { left, entries }, values, .. } = domains;
        size_of::<Self>()
            + size_of_val(&set[..])
            + size_of_val(&left[..])
            + size_of_val(&entries[..])
            + size_of_val(&values[..])
            + size_of_val(&given_before[..])
    }
}

impl<S: Clone> Clone for Domains<S> {
    fn clone(&self) -> Domains<S> {
        Domains {
            set: self.set.clone(),
            tallies: self.tallies.clone(),
            given: self.given,
            values: self.values.clone(),
        }
    }

    /// Reuses the memory of `self`.
    #[inline(always)]
    fn clone_from(&mut self, other: &Domains<S>) {
        self.set.clone_from(&other.set);
        self.tallies.clone_from(&other.tallies);
        self.given = other.given;
        refill(&mut self.values, &other.values);
    }
}

impl Clone for KeptDomains {
    fn clone(&self) -> KeptDomains {
        KeptDomains { domains: self.domains.clone(), given_before: self.given_before.clone() }
    }

    /// Reuses the memory of `self`.
    fn clone_from(&mut self, other: &KeptDomains) {
        self.domains.clone_from(&other.domains);
        refill(&mut self.given_before, &other.given_before);
    }
}

/// Sums and table entries of the values given so far, which the set of candidates does not show.
#[derive(Debug)]
pub(crate) struct Tallies {
    /// For each count the sum that is left to its number, and the number of its sites without a
    /// value.
    pub(crate) left: Vec<(i64, u32)>,
    /// For each table the index of the values of its variables.
    pub(crate) entries: Vec<u32>,
}

impl Tallies {
    /// The sum that a count has left and the number of its sites without a value after `plies` more
    /// plies, each of which adds `adds`.
    pub(crate) fn after(&self, number: u32, adds: i64, plies: usize) -> (i64, u32) {
        let (left, open) = self.left[number as usize];
        (left - adds * plies as i64, open.saturating_sub(plies as u32))
    }
}

impl Clone for Tallies {
    fn clone(&self) -> Tallies {
        Tallies { left: self.left.clone(), entries: self.entries.clone() }
    }

    /// Reuses the memory of `self`.
    #[inline(always)]
    fn clone_from(&mut self, other: &Tallies) {
        refill(&mut self.left, &other.left);
        refill(&mut self.entries, &other.entries);
    }
}

/// Copies a list into the memory of another of the same puzzle, which has the same length. Most
/// lists are empty.
#[inline(always)]
fn refill<T: Copy>(list: &mut Vec<T>, from: &[T]) {
    if !from.is_empty() {
        list.clear();
        list.extend_from_slice(from);
    }
}
