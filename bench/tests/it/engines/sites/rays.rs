//! Rays beside steps from site to site.

use sites::SiteSet;

fn rays_end_at_the_nearest_blocker<const W: usize>() {
    let all = 64 * W as u16;
    for (from, step) in [(0u16, 9i32), (all - 1, -7), (5, 1), (all - 3, -1), (3, 64)] {
        let mut ray = Vec::new();
        let mut site = i32::from(from) + step;
        while (0..i32::from(all)).contains(&site) && ray.len() < 7 {
            ray.push(site as u16);
            site += step;
        }
        let set = |sites: &[u16]| sites.iter().copied().collect::<SiteSet<W, u16>>();
        for blocked in 0..1u32 << ray.len() {
            let blockers: Vec<u16> =
                (0..ray.len()).filter(|i| blocked >> i & 1 != 0).map(|i| ray[i]).collect();
            let free = ray.iter().take_while(|site| !blockers.contains(site)).count();
            for hit in [false, true] {
                let up_to = (free + usize::from(hit)).min(ray.len());
                let got = set(&ray).until(set(&blockers), step > 0, hit);
                assert_eq!(got, set(&ray[..up_to]), "{from} {step} {blocked:b} {hit}");
            }
        }
    }
}

#[test]
fn rays_of_every_width_end_at_the_nearest_blocker() {
    rays_end_at_the_nearest_blocker::<1>();
    rays_end_at_the_nearest_blocker::<2>();
    rays_end_at_the_nearest_blocker::<4>();
}

fn sites_up_to_the_first<const W: usize>() {
    let room = SiteSet::<W, usize>::ROOM;
    assert_eq!(SiteSet::<W, usize>::EMPTY.up_to_first().iter().count(), room);
    for first in 0..room {
        let set: SiteSet<W, usize> = [first, first + 1, first + 30].into_iter().collect();
        assert!(set.up_to_first().iter().eq(0..=first), "{first} of {room}");
    }
}

#[test]
fn sets_of_every_width_reach_up_to_their_first() {
    sites_up_to_the_first::<1>();
    sites_up_to_the_first::<2>();
    sites_up_to_the_first::<3>();
}
