//! Names beside points: only those that collide with no point and no other name.

use plotters_backend::text_anchor::HPos;

use super::page::{Area, Drawn, MUTED, SMALL, Type, write};

/// A point and its name.
pub(super) struct Label {
    /// In pixels of the page.
    pub(super) at: (f64, f64),
    pub(super) text: String,
}

const NAME: Type = Type { size: 10.0, colour: MUTED, ..SMALL };
/// Room round a name.
const ROOM: f64 = 1.5;
/// The widest that a name may be.
const WIDEST: f64 = 130.0;
/// More points than this are too many to be named.
const MOST: usize = 600;

/// A rectangle: left, top, right, bottom.
#[derive(Clone, Copy)]
struct Space([f64; 4]);

impl Space {
    fn overlaps(self, other: Self) -> bool {
        let (Self([a, b, c, d]), Self([left, top, right, bottom])) = (self, other);
        a < right && left < c && b < bottom && top < d
    }
}

/// Writes the names that find room beside their points, which have this radius, inside the frame of
/// sides and ends.
pub(super) fn draw_labels(
    area: &Area<'_>,
    labels: &[Label],
    radius: f64,
    (sides, ends): ((f64, f64), (f64, f64)),
) -> Drawn {
    if labels.len() > MOST {
        return Ok(());
    }
    let around = |(x, y): (f64, f64)| Space([x - radius, y - radius, x + radius, y + radius]);
    let mut taken: Vec<Space> = labels.iter().map(|label| around(label.at)).collect();
    // Points with the most room first: they are those that stand out.
    let mut order: Vec<(f64, usize)> = (0..labels.len())
        .map(|index| (distance_to_next(labels, index), index))
        .filter(|&(_, index)| !labels[index].text.is_empty())
        .collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    for (_, index) in order {
        let Label { at: (x, y), text } = &labels[index];
        let text = NAME.fit(text, WIDEST);
        let (width, half) = (NAME.width(&text), 0.5 * NAME.size);
        let beside = radius + 3.0;
        // Right, left, above, below: where the text starts, and the middle of its height.
        let places = [
            (x + beside, *y),
            (x - beside - width, *y),
            (x - width / 2.0, y - beside - half),
            (x - width / 2.0, y + beside + half),
        ];
        let free = places.into_iter().find_map(|(left, middle)| {
            let space = Space([
                left - ROOM,
                middle - half - ROOM,
                left + width + ROOM,
                middle + half + ROOM,
            ]);
            let Space([a, b, c, d]) = space;
            let is_inside = a > sides.0 && c < sides.1 && b > ends.0 && d < ends.1;
            (is_inside && !taken.iter().any(|other| other.overlaps(space)))
                .then_some((left, middle, space))
        });
        if let Some((left, middle, space)) = free {
            write(area, (left, middle), HPos::Left, NAME, &text)?;
            taken.push(space);
        }
    }
    Ok(())
}

/// The distance to the nearest other point.
fn distance_to_next(labels: &[Label], index: usize) -> f64 {
    let (x, y) = labels[index].at;
    let others = labels.iter().enumerate().filter(|&(other, _)| other != index);
    others.map(|(_, label)| (label.at.0 - x).hypot(label.at.1 - y)).fold(f64::INFINITY, f64::min)
}
