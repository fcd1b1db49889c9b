//! Selection beside a loop over the bits.

use proptest::prelude::*;
use sites::select;

fn check(word: u64) {
    let places = (0..64).filter(|place| word >> place & 1 != 0);
    assert!(places.eq((0..word.count_ones()).map(|n| select(word, n))), "{word:x}");
    // More than there are is no error.
    for n in word.count_ones()..70 {
        assert!(select(word, n) < 64);
    }
    assert!(select(word, u32::MAX) < 64);
}

#[test]
fn bits_of_special_words_are_found() {
    [0, 1, u64::MAX, 1 << 63, 0x8100_0000_0000_0081, 0x0101_0101_0101_0101, 0x8080_8080_8080_8080]
        .into_iter()
        .for_each(check);
}

proptest! {
    #[test]
    fn bits_of_any_word_are_found(word: u64) {
        check(word);
    }
}
