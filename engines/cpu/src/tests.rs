use super::*;

/// Random words (Steele, Lea and Flood's `SplitMix64`).
struct Words(u64);

impl Words {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let word = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    fn below(&mut self, end: u64) -> u32 {
        (self.next() % end) as u32
    }
}

/// Tries every operation on random words and compares with the plainest way to say it.
struct Operations;

impl Task for Operations {
    type Output = u64;

    const COMPILED_FOR: &'static [Instructions] =
        &[Instructions::Bmi2, Instructions::Avx2, Instructions::Avx512, Instructions::Avx512Popcnt];

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> u64 {
        let mut random = Words(7);
        let mut checked = 0;
        let mut counters = [0i16; ROW];
        for round in 0..2000 {
            let word = match round % 3 {
                0 => random.next(),
                1 => random.next() & random.next() & random.next(),
                _ => random.next() | random.next() | random.next(),
            };
            bits(cpu, word);
            checked += runs::<C, 1>(cpu, &mut random) + runs::<C, 2>(cpu, &mut random);
            eights(cpu, &mut random);
            bytes(cpu, word, &mut random);
            counts(cpu, &mut counters, round % 2 == 1, &mut random);
        }
        checked
    }
}

fn bits(cpu: impl Cpu, word: u64) {
    let bits: Vec<u32> = (0..64).filter(|i| word >> i & 1 == 1).collect();
    for (k, &bit) in (0..).zip(&bits) {
        assert_eq!(cpu.nth(word, k), bit, "bit {k} of {word:x}");
        assert_eq!(cpu.nth_bit(word, k), 1 << bit, "bit {k} of {word:x}");
        assert_eq!(cpu.nth_bit_if_any(word, k), 1 << bit, "bit {k} of {word:x}");
    }
    for k in [bits.len() as u32, 64, 127, u32::MAX] {
        assert_eq!(cpu.nth_bit_if_any(word, k), 0, "bit {k} of {word:x}");
    }
}

fn runs<C: Cpu, const W: usize>(cpu: C, random: &mut Words) -> u64 {
    let mut set = SiteSet::<W, u32>::EMPTY;
    let room = 64 * W as u32;
    for _ in 0..random.below(48) {
        set |= SiteSet::single(random.below(room.into()));
    }
    let length = 2 + random.below(5);
    let strides = [1, 9, 10, 11];
    let last = |start, stride| start + (length - 1) * stride;
    let expected = strides.iter().any(|&stride| {
        (0..room).any(|start| {
            last(start, stride) < room && (0..length).all(|i| set.contains(start + i * stride))
        })
    });
    assert_eq!(cpu.has_run(set.words, length, strides), expected, "{set:?} {length}");
    u64::from(expected)
}

fn eights(cpu: impl Cpu, random: &mut Words) {
    let mut sparse = || -> [u64; 8] { std::array::from_fn(|_| random.next() & random.next()) };
    let (a, b) = (sparse(), sparse());
    let (own, other) = (cpu.eight(a), cpu.eight(b));
    let each = |f: &dyn Fn(usize) -> u64| -> [u64; 8] { std::array::from_fn(f) };
    assert_eq!(own.words(), a);
    assert_eq!(cpu.all(a[3]).words(), [a[3]; 8]);
    assert_eq!((own & other).words(), each(&|i| a[i] & b[i]));
    assert_eq!((own | other).words(), each(&|i| a[i] | b[i]));
    assert_eq!(own.minus(other).words(), each(&|i| a[i] & !b[i]));
    let by = [1, 9, 8, 7, 63, 55, 56, 57];
    assert_eq!(own.turned(by).words(), each(&|i| a[i].rotate_left(by[i])));
    assert_eq!(own.exchanged().words(), each(&|i| a[(i + 4) % 8]));
    assert_eq!(own.any(), a.iter().fold(0, |any, word| any | word));
    let counts = each(&|i| u64::from(own.counts()[i / 4].to_le_bytes()[i % 4 * 2]));
    assert_eq!(counts, each(&|i| a[i].count_ones().into()));
}

fn bytes(cpu: impl Cpu, word: u64, random: &mut Words) {
    let spread = cpu.spread(word);
    for (lane, &byte) in spread.0.iter().enumerate() {
        assert_eq!(byte, if word >> lane & 1 == 1 { 255 } else { 0 });
    }
    let bytes = Bytes(std::array::from_fn(|_| random.next() as u8));
    for bit in 0..8 {
        let gathered = cpu.gather(&bytes, bit);
        for (lane, &byte) in bytes.0.iter().enumerate() {
            assert_eq!(gathered >> lane & 1, u64::from(byte >> bit & 1));
        }
    }
}

fn counts(cpu: impl Cpu, counters: &mut [i16; ROW], negated: bool, random: &mut Words) {
    let steps: [i16; ROW] = std::array::from_fn(|_| random.below(9) as i16 - 4);
    let before = *counters;
    let crossed = cpu.shift(counters, &steps, negated);
    for (at, (&old, &new)) in before.iter().zip(&*counters).enumerate() {
        let sign = if negated { -1 } else { 1 };
        assert_eq!(new, old + sign * steps[at]);
        assert_eq!(crossed >> at & 1 == 1, (old < 0) != (new < 0));
    }
}

#[test]
fn operations_are_the_same_on_every_level() {
    let checked: Vec<u64> = Level::available().map(|level| level.call(Operations)).collect();
    assert!(checked.iter().all(|&n| n == checked[0] && n > 500), "{checked:?}");
}

#[test]
fn levels_come_from_the_plainest_to_the_best() {
    let levels: Vec<Level> = Level::available().collect();
    assert_eq!((levels.first(), levels.last()), (Some(&Level::PORTABLE), Some(&Level::best())));
    assert!(levels.is_sorted_by(|a, b| a < b));
}

#[test]
fn a_task_is_given_back_where_it_is_compiled_for_nothing_better() {
    assert!(Level::PORTABLE.try_call(Operations).is_err());
    let best = Level::best();
    assert_eq!(best.try_call(Operations).is_ok(), best > Level::PORTABLE);
}
