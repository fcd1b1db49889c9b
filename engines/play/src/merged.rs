//! Codes and planes of a game in whose words several actions, or several percepts, are one.

use rustc_hash::FxHashMap;

use crate::encoding::Encoding;

/// A list of words in which each is there once, made from a list where several texts may have one
/// word, and some none.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Merge {
    /// The place of each text's word; `u32::MAX` where it has none.
    places: Vec<u32>,
    /// The texts of each word, by their places.
    texts: Vec<Vec<u32>>,
}

impl Merge {
    /// Leaves each word once, where it is first; an empty word is none.
    pub(crate) fn new(words: &mut Vec<String>) -> Merge {
        let mut merge = Merge::default();
        let mut known = FxHashMap::default();
        let mut unique: Vec<String> = Vec::new();
        for (word, text) in words.drain(..).zip(0..) {
            if word.is_empty() {
                merge.places.push(u32::MAX);
                continue;
            }
            let place = *known.entry(word.clone()).or_insert_with(|| {
                unique.push(word);
                merge.texts.push(Vec::new());
                unique.len() - 1
            });
            merge.places.push(place as u32);
            merge.texts[place].push(text);
        }
        *words = unique;
        merge
    }

    /// True if every text has a word of its own.
    fn changes_nothing(&self) -> bool {
        self.places.len() == self.texts.len()
    }

    /// The number of texts.
    pub(crate) fn texts(&self) -> usize {
        self.places.len()
    }

    /// The texts of a word, by its place.
    pub(crate) fn of_word(&self, word: usize) -> &[u32] {
        self.texts.get(word).map_or(&[], Vec::as_slice)
    }

    /// The place of a text's word; `u32::MAX` for what is no text.
    pub(crate) fn place(&self, text: u32) -> u32 {
        self.places.get(text as usize).copied().unwrap_or(u32::MAX)
    }

    /// Writes rows of bytes for words from rows for texts: 1 where one of a word's texts has it.
    pub(crate) fn write_rows(&self, texts: &[u8], words: &mut [u8]) {
        words.fill(0);
        if self.texts.is_empty() {
            return;
        }
        let rows = texts.chunks_exact(self.places.len());
        for (texts, words) in rows.zip(words.chunks_exact_mut(self.texts.len())) {
            for (&set, &place) in texts.iter().zip(&self.places) {
                if let (1.., Some(word)) = (set, words.get_mut(place as usize)) {
                    *word = 1;
                }
            }
        }
    }
}

/// How the encoding of a game in its words is made from the encoding of its description.
#[derive(Debug)]
pub struct Merges {
    pub(crate) actions: Merge,
    pub(crate) sites: Merge,
    /// The encoding in the words.
    pub(crate) encoding: Encoding,
}

impl Merges {
    /// Puts an encoding in words, given those of its actions and sites in their places.
    pub(crate) fn new(mut encoding: Encoding) -> Merges {
        let actions = Merge::new(&mut encoding.actions);
        let sites = Merge::new(&mut encoding.sites);
        Merges { actions, sites, encoding }
    }

    /// True if both encodings have the same codes and planes.
    pub(crate) fn change_nothing(&self) -> bool {
        self.actions.changes_nothing() && self.sites.changes_nothing()
    }

    /// True if planes are those of the description, if it is no game of hidden information.
    pub(crate) fn keep_sites(&self) -> bool {
        self.sites.changes_nothing()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_words_are_one_and_empty_ones_none() {
        let mut words = ["a", "", "b", "a"].map(str::to_owned).into();
        let merge = Merge::new(&mut words);
        assert_eq!(words, ["a", "b"]);
        assert_eq!(
            (0..5).map(|text| merge.place(text) as i32).collect::<Vec<_>>(),
            [0, -1, 1, 0, -1]
        );
        let mut rows = [9; 4];
        merge.write_rows(&[0, 1, 1, 0, 0, 1, 0, 1], &mut rows);
        assert_eq!(rows, [0, 1, 1, 0]);
        assert!(!merge.changes_nothing());
        assert!(Merge::new(&mut vec!["a".to_owned(), "b".to_owned()]).changes_nothing());
    }
}
