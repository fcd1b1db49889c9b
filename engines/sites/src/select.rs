/// The place of the set bit of `word` that has `n` set bits below it; a number below 64 that says
/// nothing where there are too few.
///
/// Byte sums by multiplication, then a table for the byte (S. Vigna, "Broadword implementation of
/// rank/select queries", 2008). A loop over the bits would be mispredicted every time.
#[inline(always)]
pub fn select(word: u64, n: u32) -> u32 {
    let n = u64::from(n) & 63;
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    // In each byte the bits up to its end, at most 64, so that the borrows below stay in it.
    let sums = ((nibbles + (nibbles >> 4)) & (ONES * 15)).wrapping_mul(ONES);
    // Bytes whose sum is at most n come before the byte wanted.
    let before = (((n * ONES) | TOPS) - sums) & TOPS;
    let place = (before >> 7).wrapping_mul(ONES) >> 56 << 3 & 63;
    let rank = n.wrapping_sub(sums << 8 >> place & 0xff) & 7;
    let byte = word >> place & 0xff;
    place as u32 + u32::from(IN_BYTE[(byte << 3 | rank) as usize])
}

/// One in every byte.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The highest bit of every byte.
const TOPS: u64 = ONES << 7;

/// The place of the set bit of a byte that has so many below it, 0 if there is none, by the byte
/// times 8 plus the number.
static IN_BYTE: [u8; 2048] = {
    let mut table = [0; 2048];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut below) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 != 0 {
                table[byte << 3 | below] = bit as u8;
                below += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};
