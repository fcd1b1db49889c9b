//! Sets beside the numbers of their sites, one by one.

use proptest::prelude::*;
use sites::SiteSet;

/// Checks every operation against the numbers of the sites one by one.
fn check<const W: usize>(a: [u64; W], b: [u64; W], by: i32) {
    let [a, b] = [a, b].map(SiteSet::<W, usize>::from_words);
    let room = 0..SiteSet::<W, usize>::ROOM;
    let of = |is_in: &dyn Fn(usize) -> bool| -> SiteSet<W, usize> {
        room.clone().filter(|&site| is_in(site)).collect()
    };
    let sites: Vec<usize> = room.clone().filter(|&site| a.contains(site)).collect();
    assert!(a.iter().eq(sites.iter().copied()));
    assert_eq!(a.len() as usize, sites.len());
    let (first, last) = (sites.first().copied(), sites.last().copied());
    assert_eq!((a.first(), a.last()), (first, last));
    assert_eq!(a.first_index(), first.unwrap_or(64 * W));
    assert_eq!(a.last_index(), last.unwrap_or(0));
    assert_eq!(a.is_empty(), sites.is_empty());
    for n in 0..4 {
        assert_eq!(a.at_most(n), sites.len() <= n as usize);
    }
    for n in 0..=sites.len() {
        assert_eq!(a.nth(n as u32), sites.get(n).copied());
    }
    let mut rest = a;
    assert_eq!(rest.pop(), a.first());
    assert!(rest.iter().eq(sites.iter().skip(1).copied()));

    assert_eq!(a & b, of(&|site| a.contains(site) && b.contains(site)));
    assert_eq!(a | b, of(&|site| a.contains(site) || b.contains(site)));
    assert_eq!(a ^ b, of(&|site| a.contains(site) != b.contains(site)));
    assert_eq!(a.without(b), of(&|site| a.contains(site) && !b.contains(site)));
    assert_eq!(!a, of(&|site| !a.contains(site)));
    assert_eq!(a.intersects(b), !(a & b).is_empty());
    assert_eq!(a.is_subset(b), a | b == b);
    let moved = |site: usize| site.checked_add_signed(-by as isize);
    assert_eq!(a.shifted(by), of(&|site| moved(site).is_some_and(|from| a.contains(from))));

    let (mut sum, mut carry) = (SiteSet::EMPTY, 0);
    for site in room {
        let digits = usize::from(a.contains(site)) + usize::from(b.contains(site)) + carry;
        if digits % 2 == 1 {
            sum.insert(site);
        }
        carry = digits / 2;
    }
    assert_eq!(a.plus(b), sum);
}

proptest! {
    #[test]
    fn sets_of_any_width_are_sets_of_sites(a: [u64; 6], b: [u64; 6], by in -383..384) {
        // Half of all sites are in a random set; an eighth is left of these.
        let few = a.map(|word| word & word >> 7 & word << 9);
        for (a, b) in [(a, b), (few, b)] {
            check([a[0]], [b[0]], by % 64);
            check([a[0], a[1]], [b[0], b[1]], by % 128);
            check([a[0], a[1], a[2]], [b[0], b[1], b[2]], by % 192);
            check(a, b, by);
        }
    }
}

#[test]
fn sets_without_sites_and_with_all_of_them() {
    for words in [[0; 2], [u64::MAX; 2], [0, 1 << 63], [1, 0]] {
        for by in [-127, -64, -63, -1, 0, 1, 63, 64, 65, 127] {
            check(words, [1, 0], by);
        }
    }
    for n in [0, 1, 63, 64, 65, 127, 128, 1000] {
        assert!(SiteSet::<2, usize>::below(n).iter().eq(0..n.min(128)));
    }
    assert_eq!(format!("{:?}", SiteSet::<2, u32>::below(3)), "{0, 1, 2}");
}

#[test]
fn what_there_is_no_room_for_is_never_in() {
    let mut set: SiteSet<1, u32> = SiteSet::EMPTY;
    set.insert(64);
    set.remove(1000);
    assert!(set.is_empty() && !set.contains(64) && !set.contains(u32::MAX));
    set.insert(63);
    assert_eq!(set.resized::<2>().iter().collect::<Vec<_>>(), [63]);
    assert!(SiteSet::<2, u32>::from_words([0, 1]).resized::<1>().is_empty());
}
