//! Angles between sites.
//!
//! The specification has the names alone. An angle can only be reflex if it is taken from one site
//! on to the other: here clockwise, from the site of the first condition, which is on the left, to
//! that of the second.

use super::Eval;
use crate::ir::{Angle, Bool, Iter};

impl Eval<'_> {
    /// True if two sites that satisfy the conditions are seen under such an angle.
    pub(super) fn is_angle(&mut self, angle: &Angle) -> bool {
        let board = self.game.world.topology.sites();
        let Some(at) = self.site(&angle.at).filter(|&at| at < board) else { return false };
        let Some(&from) = angle.points.get(at) else { return false };
        let mut seen = |condition: &Bool| -> Vec<f64> {
            let holds = |site: &usize| {
                *site != at && self.with(Iter::Site, *site as i32, |eval| eval.test(condition))
            };
            let sites: Vec<usize> = (0..angle.points.len()).filter(holds).collect();
            let way = |site: usize| {
                let (x, y) = (angle.points[site].0 - from.0, angle.points[site].1 - from.1);
                x.atan2(y).to_degrees().rem_euclid(360.0)
            };
            sites.into_iter().map(way).collect()
        };
        let (left, mut right) = (seen(&angle.left), seen(&angle.right));
        right.sort_unstable_by(f64::total_cmp);
        let (least, most) = angle.degrees;
        left.into_iter().any(|way| {
            let start = (way + least).rem_euclid(360.0);
            [start, start - 360.0].into_iter().any(|start| {
                let next = right.partition_point(|&other| other <= start);
                right.get(next).is_some_and(|&other| other < start + most - least)
            })
        })
    }
}
