//! Codes of actions by the keys of their labels, so that each label is written once.

/// A table of codes, with memory for the actions of a position.
#[derive(Clone, Debug)]
pub(crate) struct CodeBook {
    /// Keys with their codes, each at the first free place from where its key belongs;
    /// [`CodeBook::FREE`] where there is none. The length is a power of two.
    entries: Vec<(u64, u32)>,
    known: usize,
    /// The number of the list in which each code was met last.
    met: Vec<u32>,
    list: u32,
    /// The keys of a position's actions.
    pub(crate) keys: Vec<u64>,
}

impl CodeBook {
    /// No key: one that is the same is not kept.
    const FREE: u64 = u64::MAX;

    /// Entries of a table, at first and at most. A table that has too many begins anew.
    const FEWEST: usize = 1 << 8;
    const MOST: usize = 1 << 17;

    /// An empty table for so many codes.
    pub(crate) fn new(codes: usize) -> CodeBook {
        let entries = vec![(CodeBook::FREE, 0); CodeBook::FEWEST];
        CodeBook { entries, known: 0, met: vec![0; codes], list: 0, keys: Vec::new() }
    }

    /// The place of a key, or the one where it belongs.
    #[inline(always)]
    fn place(&self, key: u64) -> usize {
        let last = self.entries.len() - 1;
        let mut place = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & last;
        // A quarter of the entries are free, at least.
        while self.entries[place].0 != key && self.entries[place].0 != CodeBook::FREE {
            place = (place + 1) & last;
        }
        place
    }

    /// The code of a key, if it is known.
    #[inline(always)]
    pub(crate) fn code(&self, key: u64) -> Option<u32> {
        let (known, code) = self.entries[self.place(key)];
        (known == key && key != CodeBook::FREE).then_some(code)
    }

    /// Notes the code of a key that is not known.
    pub(crate) fn note(&mut self, key: u64, code: u32) {
        if key == CodeBook::FREE {
            return;
        }
        if 4 * (self.known + 1) > 3 * self.entries.len() {
            let length = (2 * self.entries.len()).min(CodeBook::MOST);
            let grows = length > self.entries.len();
            let old = std::mem::replace(&mut self.entries, vec![(CodeBook::FREE, 0); length]);
            self.known = 0;
            for (key, code) in old.into_iter().filter(|&(key, _)| grows && key != CodeBook::FREE) {
                self.note(key, code);
            }
        }
        let place = self.place(key);
        self.entries[place] = (key, code);
        self.known += 1;
    }

    /// Begins the list of another position.
    pub(crate) fn begin(&mut self) {
        self.list = self.list.wrapping_add(1);
        if self.list == 0 {
            self.met.fill(0);
            self.list = 1;
        }
    }

    /// Adds a code to the list; false if it is there already, or is none.
    #[inline(always)]
    pub(crate) fn is_new(&mut self, code: u32) -> bool {
        let met = self.met.get_mut(code as usize);
        met.is_some_and(|met| std::mem::replace(met, self.list) != self.list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_their_codes_however_many_there_are() {
        let mut book = CodeBook::new(7);
        let keys = |number: u64| number << 32 | number << 3;
        for number in 0..200_000 {
            assert_eq!(book.code(keys(number)), None, "{number}");
            book.note(keys(number), number as u32);
            assert_eq!(book.code(keys(number)), Some(number as u32));
            let before = number / 2;
            assert!(book.code(keys(before)).is_none_or(|code| code == before as u32));
        }
        assert_eq!(book.entries.len(), CodeBook::MOST);
        let mut small = CodeBook::new(7);
        (0..5000).for_each(|number| small.note(keys(number), number as u32));
        assert!((0..5000).all(|number| small.code(keys(number)) == Some(number as u32)));
        small.note(u64::MAX, 3);
        assert_eq!(small.code(u64::MAX), None);
    }

    #[test]
    fn a_code_is_new_once_a_list() {
        let mut book = CodeBook::new(2);
        book.list = u32::MAX - 1;
        for _ in 0..3 {
            book.begin();
            assert!(book.is_new(1) && book.is_new(0));
            assert!(!book.is_new(1) && !book.is_new(0) && !book.is_new(2));
            assert!(!book.is_new(u32::MAX));
        }
    }
}
