//! What the variables of a deduction puzzle can still be given.

/// What the values that have been given leave, kept up to date value by value.
#[derive(Debug)]
pub(crate) struct Domains<S> {
    /// The candidates that are left, by their numbers.
    pub(crate) set: S,
    pub(crate) known: Known,
    /// How many values have been given since the set-up.
    pub(crate) given: usize,
    /// The value of each site, where somebody asks for it; 0 for none.
    pub(crate) values: Vec<u16>,
}

/// What a state keeps, so that its moves are listed.
#[derive(Debug)]
pub(crate) struct KeptDomains {
    pub(crate) domains: Domains<Vec<u64>>,
    /// For each site how many before it have been given a value: moves go by their numbers among
    /// all that the rules offer.
    pub(crate) given_before: Vec<u16>,
}

impl KeptDomains {
    /// Bytes that it takes.
    pub(crate) fn bytes(&self) -> usize {
        let KeptDomains { domains, given_before } = self;
        let Domains { set, known: Known { left, entries }, values, .. } = domains;
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
            known: self.known.clone(),
            given: self.given,
            values: self.values.clone(),
        }
    }

    /// Uses the memory that it has.
    #[inline(always)]
    fn clone_from(&mut self, other: &Domains<S>) {
        self.set.clone_from(&other.set);
        self.known.clone_from(&other.known);
        self.given = other.given;
        refill(&mut self.values, &other.values);
    }
}

impl Clone for KeptDomains {
    fn clone(&self) -> KeptDomains {
        KeptDomains { domains: self.domains.clone(), given_before: self.given_before.clone() }
    }

    /// Uses the memory that it has.
    fn clone_from(&mut self, other: &KeptDomains) {
        self.domains.clone_from(&other.domains);
        refill(&mut self.given_before, &other.given_before);
    }
}

/// What is known of the values given so far, besides the candidates that are left.
#[derive(Debug)]
pub(crate) struct Known {
    /// For each count what is left to its number, and how many of its sites have no value.
    pub(crate) left: Vec<(i64, u32)>,
    /// For each table what stands for the values of its variables.
    pub(crate) entries: Vec<u32>,
}

impl Known {
    /// What a count has left, and how many of its sites have no value, where so many plies have
    /// added the same.
    pub(crate) fn after(&self, number: u32, adds: i64, plies: usize) -> (i64, u32) {
        let (left, open) = self.left[number as usize];
        (left - adds * plies as i64, open.saturating_sub(plies as u32))
    }
}

impl Clone for Known {
    fn clone(&self) -> Known {
        Known { left: self.left.clone(), entries: self.entries.clone() }
    }

    /// Uses the memory that it has.
    #[inline(always)]
    fn clone_from(&mut self, other: &Known) {
        refill(&mut self.left, &other.left);
        refill(&mut self.entries, &other.entries);
    }
}

/// Copies a list into the memory of that of the same puzzle, which is as long: most are empty.
#[inline(always)]
fn refill<T: Copy>(list: &mut Vec<T>, from: &[T]) {
    if !from.is_empty() {
        list.clear();
        list.extend_from_slice(from);
    }
}
