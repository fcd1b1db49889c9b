//! Plane geometry with the tolerances that board numbering depends on.

use crate::meter;

/// The greatest difference of numbers that count as equal places.
pub(super) const TINY: f64 = 1e-7;

/// A position; boards that are not pyramids have `z` 0 throughout.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Upwards on the page.
    pub y: f64,
    /// Out of the page.
    pub z: f64,
}

impl Point {
    /// A point of the plane.
    pub fn new(x: f64, y: f64) -> Point {
        Point { x, y, z: 0.0 }
    }

    /// The coordinates rounded to 32-bit floats, as many generators store them.
    #[must_use]
    pub(super) fn rounded(self) -> Point {
        let round = |v: f64| f64::from(v as f32);
        Point { x: round(self.x), y: round(self.y), z: round(self.z) }
    }

    /// Sum of the coordinate differences, the metric of "same place" tests.
    pub(super) fn taxicab(self, other: Point) -> f64 {
        (self.x - other.x).abs() + (self.y - other.y).abs() + (self.z - other.z).abs()
    }

    pub(super) fn distance(self, other: Point) -> f64 {
        let (x, y, z) = (self.x - other.x, self.y - other.y, self.z - other.z);
        (x * x + y * y + z * z).sqrt()
    }

    /// Distance in the plane.
    pub(super) fn flat_distance(self, other: Point) -> f64 {
        (self.x - other.x).hypot(self.y - other.y)
    }

    pub(super) fn middle(self, other: Point) -> Point {
        Point {
            x: (self.x + other.x) / 2.0,
            y: (self.y + other.y) / 2.0,
            z: (self.z + other.z) / 2.0,
        }
    }

    /// Angle of the direction from here to `other`, in (-pi, pi].
    pub(super) fn angle_to(self, other: Point) -> f64 {
        (other.y - self.y).atan2(other.x - self.x)
    }
}

/// Twice the signed area of the triangle `abc`: positive where it turns left.
pub(super) fn cross(a: Point, b: Point, c: Point) -> f64 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

/// Distance from `p` to the infinite line through `a` and `b`, or to `a` if both are equal.
pub(super) fn distance_to_line(p: Point, a: Point, b: Point) -> f64 {
    let length = a.flat_distance(b);
    if length < TINY { p.flat_distance(a) } else { (cross(a, b, p) / length).abs() }
}

/// The crossing of the lines `a0 a1` and `b0 b1`, as fractions along each; `None` if they are
/// parallel.
pub(super) fn crossing(a0: Point, a1: Point, b0: Point, b1: Point) -> Option<(f64, f64)> {
    let (ax, ay) = (a1.x - a0.x, a1.y - a0.y);
    let (bx, by) = (b1.x - b0.x, b1.y - b0.y);
    let denominator = ax * by - ay * bx;
    if denominator.abs() < TINY {
        return None;
    }
    let (dx, dy) = (b0.x - a0.x, b0.y - a0.y);
    Some(((dx * by - dy * bx) / denominator, (dx * ay - dy * ax) / denominator))
}

/// A closed polygon.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Polygon {
    /// Its corners in order.
    pub points: Vec<Point>,
}

impl Polygon {
    /// A polygon with these corners.
    pub fn new(points: Vec<Point>) -> Polygon {
        Polygon { points }
    }

    /// The same list repeated, each time rotated further about the origin, `|k|` copies in all;
    /// a negative `k` reverses the list first.
    #[must_use]
    pub(crate) fn rotations(mut self, k: i32) -> Polygon {
        if k < 0 {
            self.points.reverse();
        }
        let copies = k.unsigned_abs().clamp(1, 64);
        let mut points = Vec::new();
        for copy in 0..copies {
            let angle = std::f64::consts::TAU * f64::from(copy) / f64::from(k);
            let (sin, cos) = angle.sin_cos();
            points.extend(
                self.points
                    .iter()
                    .map(|p| Point::new(p.x * cos - p.y * sin, p.x * sin + p.y * cos)),
            );
        }
        Polygon { points }
    }

    /// Even-odd test; points on the outline may fall on either side.
    pub(super) fn contains(&self, p: Point) -> bool {
        if !meter::work(1 + self.points.len() as u64 / 8) {
            return false;
        }
        let mut inside = false;
        let Some(&(mut previous)) = self.points.last() else { return false };
        for &q in &self.points {
            let spans = (q.y < p.y && previous.y >= p.y) || (previous.y < p.y && q.y >= p.y);
            if spans && (q.x <= p.x || previous.x <= p.x) {
                let x = q.x + (p.y - q.y) / (previous.y - q.y) * (previous.x - q.x);
                inside ^= x < p.x;
            }
            previous = q;
        }
        inside
    }

    /// Moves every corner by 0.1 along both its sides: outwards for lists that run clockwise,
    /// inwards for the others.
    #[must_use]
    pub(super) fn inflated(&self) -> Polygon {
        const AMOUNT: f64 = 0.1;
        let n = self.points.len();
        let unit = |from: Point, to: Point| {
            let length = from.flat_distance(to);
            if length < TINY {
                (0.0, 0.0)
            } else {
                (AMOUNT * (to.x - from.x) / length, AMOUNT * (to.y - from.y) / length)
            }
        };
        let points = (0..n)
            .map(|i| {
                let (a, b, c) =
                    (self.points[(i + n - 1) % n], self.points[i], self.points[(i + 1) % n]);
                let clockwise = cross(a, b, c) < TINY;
                let (u, v) =
                    if clockwise { (unit(a, b), unit(c, b)) } else { (unit(b, a), unit(b, c)) };
                Point { x: b.x + 0.5 * (u.0 + v.0), y: b.y + 0.5 * (u.1 + v.1), z: b.z }
            })
            .collect();
        Polygon { points }
    }

    /// Smallest and largest coordinates.
    pub(super) fn bounds(&self) -> (Point, Point) {
        bounds(self.points.iter().copied())
    }
}

/// Smallest and largest coordinates of some points; zeros if there are none.
pub(super) fn bounds(points: impl IntoIterator<Item = Point>) -> (Point, Point) {
    let mut points = points.into_iter();
    let Some(first) = points.next() else {
        return (Point::default(), Point::default());
    };
    points.fold((first, first), |(low, high), p| {
        (
            Point { x: low.x.min(p.x), y: low.y.min(p.y), z: low.z.min(p.z) },
            Point { x: high.x.max(p.x), y: high.y.max(p.y), z: high.z.max(p.z) },
        )
    })
}
