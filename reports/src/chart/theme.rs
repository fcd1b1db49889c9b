//! Colours by role, so that a scene can be drawn in more than one scheme.

/// What a mark's colour means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paint {
    /// The page.
    Paper,
    /// Every second group's background.
    Band,
    /// Lines of the grid.
    Grid,
    /// Text, whiskers and axes.
    Ink,
    /// Secondary text.
    Muted,
    /// What must not be overlooked.
    Alert,
    /// An engine, by its column.
    Series(usize),
}

/// An opaque colour: red, green, blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Colour(pub u8, pub u8, pub u8);

/// A colour for each role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theme {
    /// See [`Paint::Paper`].
    pub paper: Colour,
    /// See [`Paint::Band`].
    pub band: Colour,
    /// See [`Paint::Grid`].
    pub grid: Colour,
    /// See [`Paint::Ink`].
    pub ink: Colour,
    /// See [`Paint::Muted`].
    pub muted: Colour,
    /// See [`Paint::Alert`].
    pub alert: Colour,
    /// See [`Paint::Series`]; used in turn.
    pub series: [Colour; 8],
}

impl Theme {
    /// Dark on white, for paper and README files.
    ///
    /// The series are Okabe and Ito's palette (*Color Universal Design*, 2008), which people with the common kinds of colour blindness tell apart, in an order in which neighbours also differ in lightness; their black is a grey, because whiskers are black.
    pub const LIGHT: Self = Self {
        paper: Colour(0xff, 0xff, 0xff),
        band: Colour(0xf5, 0xf6, 0xf8),
        grid: Colour(0xd9, 0xdc, 0xe1),
        ink: Colour(0x1b, 0x1f, 0x24),
        muted: Colour(0x5b, 0x63, 0x6e),
        alert: Colour(0xb0, 0x1e, 0x1e),
        series: [
            Colour(0x00, 0x72, 0xb2), // blue
            Colour(0xe6, 0x9f, 0x00), // orange
            Colour(0x00, 0x9e, 0x73), // bluish green
            Colour(0xcc, 0x79, 0xa7), // reddish purple
            Colour(0xd5, 0x5e, 0x00), // vermilion
            Colour(0x56, 0xb4, 0xe9), // sky blue
            Colour(0x66, 0x66, 0x66), // grey for black
            Colour(0xf0, 0xe4, 0x42), // yellow
        ],
    };

    /// Light on dark, for screens that ask for it: the same palette, lightened where it would sink into the page.
    pub const DARK: Self = Self {
        paper: Colour(0x14, 0x17, 0x1b),
        band: Colour(0x1d, 0x21, 0x26),
        grid: Colour(0x36, 0x3c, 0x45),
        ink: Colour(0xe8, 0xea, 0xed),
        muted: Colour(0xa3, 0xab, 0xb6),
        alert: Colour(0xff, 0x8a, 0x80),
        series: [
            Colour(0x3d, 0x9b, 0xdb), // blue
            Colour(0xe6, 0x9f, 0x00), // orange
            Colour(0x1f, 0xb8, 0x8b), // bluish green
            Colour(0xd8, 0x8d, 0xb6), // reddish purple
            Colour(0xe8, 0x7a, 0x2c), // vermilion
            Colour(0x8c, 0xcd, 0xf2), // sky blue
            Colour(0x9a, 0xa1, 0xab), // grey
            Colour(0xf0, 0xe4, 0x42), // yellow
        ],
    };

    /// The colour of a role.
    pub fn colour(&self, paint: Paint) -> Colour {
        match paint {
            Paint::Paper => self.paper,
            Paint::Band => self.band,
            Paint::Grid => self.grid,
            Paint::Ink => self.ink,
            Paint::Muted => self.muted,
            Paint::Alert => self.alert,
            Paint::Series(index) => self.series[index % self.series.len()],
        }
    }
}
