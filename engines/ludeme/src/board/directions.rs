//! Absolute directions, compass turns, and relative directions.

/// A direction that does not depend on who looks: a relation between neighbours, a wind of the
/// compass, a sense of rotation, or a spatial direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
#[allow(missing_docs)] // the names are the documentation
#[repr(u8)]
pub enum Direction {
    All,
    Angled,
    Adjacent,
    Axial,
    Orthogonal,
    Diagonal,
    OffDiagonal,
    SameLayer,
    Upward,
    Downward,
    Rotational,
    Base,
    Support,
    N,
    NNE,
    NE,
    ENE,
    E,
    ESE,
    SE,
    SSE,
    S,
    SSW,
    SW,
    WSW,
    W,
    WNW,
    NW,
    NNW,
    Out,
    CW,
    In,
    CCW,
    D,
    DN,
    DNE,
    DE,
    DSE,
    DS,
    DSW,
    DW,
    DNW,
    U,
    UN,
    UNE,
    UE,
    USE,
    US,
    USW,
    UW,
    UNW,
}

impl Direction {
    /// The eight main winds, clockwise from the north.
    pub(crate) const MAIN_WINDS: [Direction; 8] = [
        Direction::N,
        Direction::NE,
        Direction::E,
        Direction::SE,
        Direction::S,
        Direction::SW,
        Direction::W,
        Direction::NW,
    ];
}

#[allow(clippy::enum_glob_use, reason = "tables of compass points")]
use Direction::*;

/// The three families of directions that a piece can face.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Family {
    Compass,
    Rotational,
    Spatial,
}

impl Direction {
    /// Number of directions.
    pub const COUNT: usize = 51;

    /// All directions in the order that steps and radials are labelled in.
    pub const ALL: [Direction; Direction::COUNT] = [
        All,
        Angled,
        Adjacent,
        Axial,
        Orthogonal,
        Diagonal,
        OffDiagonal,
        SameLayer,
        Upward,
        Downward,
        Rotational,
        Base,
        Support,
        N,
        E,
        S,
        W,
        NE,
        SE,
        NW,
        SW,
        NNW,
        WNW,
        WSW,
        SSW,
        SSE,
        ESE,
        ENE,
        NNE,
        CW,
        CCW,
        In,
        Out,
        U,
        UN,
        UNE,
        UE,
        USE,
        US,
        USW,
        UW,
        UNW,
        D,
        DN,
        DNE,
        DE,
        DSE,
        DS,
        DSW,
        DW,
        DNW,
    ];

    /// The relations between neighbours that board-wide lists of directions are kept for.
    pub const RELATIONS: [Direction; 5] = [All, Orthogonal, Diagonal, Adjacent, OffDiagonal];

    const COMPASS: [Direction; 16] =
        [N, NNE, NE, ENE, E, ESE, SE, SSE, S, SSW, SW, WSW, W, WNW, NW, NNW];
    const SPATIAL: [Direction; 18] =
        [D, DN, DNE, DE, DSE, DS, DSW, DW, DNW, U, UN, UNE, UE, USE, US, USW, UW, UNW];

    /// The direction of this name.
    pub fn named(name: impl AsRef<str>) -> Option<Direction> {
        Direction::ALL.into_iter().find(|d| format!("{d:?}") == name.as_ref())
    }

    /// A number below [`Direction::COUNT`].
    pub fn index(self) -> usize {
        self as usize
    }

    pub(super) fn bit(self) -> u64 {
        1 << self.index()
    }

    fn family(self) -> Option<(Family, usize)> {
        match self.index() {
            i @ 13..29 => Some((Family::Compass, i - 13)),
            i @ 29..33 => Some((Family::Rotational, i - 29)),
            i @ 33.. => Some((Family::Spatial, i - 33)),
            _ => None,
        }
    }

    /// True if a piece can face in this direction.
    pub fn is_facing(self) -> bool {
        self.family().is_some()
    }

    /// Rank within its family, by which lists of facings are sorted.
    pub(super) fn facing_rank(self) -> usize {
        self.family().map_or(usize::MAX, |(_, i)| i)
    }

    /// The wind of a sector out of 16, counted counter-clockwise from the east.
    pub(super) fn wind(sector: usize) -> Direction {
        Self::COMPASS[(4 + 16 - sector % 16) % 16]
    }

    /// The spatial direction above or below one of the eight main winds.
    pub(super) fn spatial(up: bool, wind: Option<Direction>) -> Direction {
        let base = if up { 9 } else { 0 };
        let ring = match wind.and_then(Direction::family) {
            Some((Family::Compass, i)) => 1 + i / 2,
            _ => 0,
        };
        Self::SPATIAL[base + ring]
    }

    /// True if turns lead from one facing to the other: they stay in the circle of winds, or on the
    /// way up or down, if facings of both are mixed.
    pub(super) fn is_on_a_circle_with(self, other: Direction) -> bool {
        let circle = |direction: Direction| {
            let (family, index) = direction.family()?;
            Some(match family {
                Family::Compass | Family::Rotational => (0, 0),
                // Straight up or down, and no other facing on the way.
                Family::Spatial if index % 9 == 0 => (1, index),
                Family::Spatial => (2, index / 9),
            })
        };
        circle(self) == circle(other)
    }

    /// Turned by `steps` of the family's circle, clockwise where positive.
    fn turned(self, steps: i32) -> Direction {
        match self.family() {
            Some((Family::Compass, i)) => Self::COMPASS[(i as i32 + steps).rem_euclid(16) as usize],
            Some((Family::Spatial, i)) if i % 9 != 0 => {
                let (level, ring) = (i / 9 * 9, (i % 9 - 1) as i32);
                Self::SPATIAL[level + 1 + (ring + steps).rem_euclid(8) as usize]
            }
            _ => self,
        }
    }

    /// The next facing of the family, clockwise.
    #[must_use]
    pub fn right(self) -> Direction {
        match self {
            Out => CW,
            CW => In,
            In | CCW => {
                if self == In {
                    CCW
                } else {
                    Out
                }
            }
            _ => self.turned(1),
        }
    }

    /// The next facing of the family, counter-clockwise.
    #[must_use]
    pub fn left(self) -> Direction {
        match self {
            Out => CCW,
            CW => In,
            In => CW,
            CCW => Out,
            _ => self.turned(-1),
        }
    }

    /// A right angle (or one step, off the compass) clockwise.
    #[must_use]
    pub fn rightward(self) -> Direction {
        if self.is_compass() { self.turned(4) } else { self.right() }
    }

    /// A right angle (or one step, off the compass) counter-clockwise.
    #[must_use]
    pub fn leftward(self) -> Direction {
        if self.is_compass() { self.turned(-4) } else { self.left() }
    }

    /// The opposite direction.
    #[must_use]
    pub fn opposite(self) -> Direction {
        match self {
            Out => In,
            In => Out,
            CW => CCW,
            CCW => CW,
            D => U,
            U => D,
            _ => match self.family() {
                Some((Family::Spatial, i)) => {
                    let opposite = Self::SPATIAL[(i + 9) % 18];
                    opposite.turned(4)
                }
                _ => self.turned(8),
            },
        }
    }

    fn is_compass(self) -> bool {
        matches!(self.family(), Some((Family::Compass, _)))
    }
}

/// A direction as seen by a piece that faces in some direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs)] // the names are the documentation
pub enum Relative {
    Forward,
    Backward,
    Rightward,
    Leftward,
    Forwards,
    Backwards,
    Rightwards,
    Leftwards,
    FL,
    FR,
    BL,
    BR,
    SameDirection,
    OppositeDirection,
}

impl Relative {
    /// The absolute directions for a piece that faces `facing`, on a board that supports these
    /// facings. The two directions that depend on the last move have none here.
    pub fn resolve(self, facing: Direction, supported: &[Direction]) -> Vec<Direction> {
        let only = |d: Direction| if supported.contains(&d) { vec![d] } else { Vec::new() };
        // The supported facings strictly between two, turning clockwise.
        let between = |from: Direction, to: Direction, turn: fn(Direction) -> Direction| {
            let mut found = Vec::new();
            let mut d = turn(from);
            for _ in 0..Direction::COUNT {
                if d == to {
                    break;
                }
                if supported.contains(&d) {
                    found.push(d);
                }
                d = turn(d);
            }
            found
        };
        let next = |from: Direction, turn: fn(Direction) -> Direction| {
            let mut d = turn(from);
            for _ in 0..Direction::COUNT {
                if supported.contains(&d) {
                    return vec![d];
                }
                d = turn(d);
            }
            Vec::new()
        };
        let back = facing.opposite();
        match self {
            Relative::Forward => only(facing),
            Relative::Backward => only(back),
            Relative::Rightward => only(facing.rightward()),
            Relative::Leftward => only(facing.leftward()),
            Relative::Forwards => between(facing.leftward(), facing.rightward(), Direction::right),
            Relative::Backwards => between(back.leftward(), back.rightward(), Direction::right),
            Relative::Rightwards => between(facing, back, Direction::right),
            Relative::Leftwards => between(facing, back, Direction::left),
            Relative::FL => next(facing, Direction::left),
            Relative::FR => next(facing, Direction::right),
            Relative::BL => next(back, Direction::left),
            Relative::BR => next(back, Direction::right),
            Relative::SameDirection | Relative::OppositeDirection => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_directions_of_a_piece_facing_north() {
        let adjacent = [N, NE, E, SE, S, SW, W, NW];
        let orthogonal = [N, E, S, W];
        let resolve = |r: Relative, s: &[Direction]| r.resolve(N, s);
        assert_eq!(resolve(Relative::FL, &adjacent), [NW]);
        assert_eq!(resolve(Relative::FR, &adjacent), [NE]);
        assert_eq!(resolve(Relative::BL, &adjacent), [SE]); // not a slip: specified so
        assert_eq!(resolve(Relative::BR, &adjacent), [SW]);
        assert_eq!(resolve(Relative::FL, &orthogonal), [W]);
        assert_eq!(resolve(Relative::Forwards, &adjacent), [NW, N, NE]);
        assert_eq!(resolve(Relative::Backwards, &adjacent), [SE, S, SW]);
        assert_eq!(resolve(Relative::Leftwards, &adjacent), [NW, W, SW]);
        let hex = [NNE, E, SSE, SSW, W, NNW];
        assert_eq!(resolve(Relative::Forward, &hex), []);
        assert_eq!(resolve(Relative::Forwards, &hex), [NNW, NNE]);
    }

    #[test]
    fn spatial_and_rotational_turns() {
        assert_eq!(DN.opposite(), US);
        assert_eq!(D.opposite(), U);
        assert_eq!(UNW.right(), UN);
        assert_eq!((CW.left(), CCW.right(), In.right()), (In, Out, CCW));
        assert_eq!(Direction::wind(0), E);
        assert_eq!(Direction::wind(4), N);
        assert_eq!(Direction::wind(15), ESE);
    }
}
