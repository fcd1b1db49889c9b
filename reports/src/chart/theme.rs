//! The colours of charts, and what each becomes on a dark screen, as a style sheet inside the SVG.
//!
//! Images have the colours for white paper, and so has print. The sheet picks shapes by the colour
//! that they are drawn in, so that a chart is drawn once; a test finds colours that it lacks.

use std::fmt::Write as _;

use plotters::style::RGBColor;

use crate::rows::Verdict;

pub(super) const PAPER: RGBColor = RGBColor(0xff, 0xff, 0xff);
pub(super) const INK: RGBColor = RGBColor(0x1b, 0x1f, 0x24);
pub(super) const MUTED: RGBColor = RGBColor(0x5b, 0x63, 0x6e);
pub(super) const GRID: RGBColor = RGBColor(0xd9, 0xdc, 0xe1);
pub(super) const FAINT: RGBColor = RGBColor(0xec, 0xee, 0xf1);

/// The palette of Okabe and Ito (*Color Universal Design*, 2008), which people with the common
/// kinds of colour blindness tell apart; without its yellow, which is too light for marks on white.
pub(super) const BLACK: RGBColor = RGBColor(0x00, 0x00, 0x00);
pub(super) const ORANGE: RGBColor = RGBColor(0xe6, 0x9f, 0x00);
pub(super) const SKY: RGBColor = RGBColor(0x56, 0xb4, 0xe9);
pub(super) const GREEN: RGBColor = RGBColor(0x00, 0x9e, 0x73);
pub(super) const BLUE: RGBColor = RGBColor(0x00, 0x72, 0xb2);
pub(super) const VERMILION: RGBColor = RGBColor(0xd5, 0x5e, 0x00);
pub(super) const PURPLE: RGBColor = RGBColor(0xcc, 0x79, 0xa7);

/// A colour for white paper, and the one in its place on a dark screen. Those of marks keep their
/// hue.
const DARK: [(RGBColor, RGBColor); 12] = [
    (PAPER, RGBColor(0x14, 0x17, 0x1b)),
    (INK, RGBColor(0xe8, 0xea, 0xed)),
    (MUTED, RGBColor(0xa3, 0xab, 0xb6)),
    (GRID, RGBColor(0x3a, 0x41, 0x4b)),
    (FAINT, RGBColor(0x26, 0x2b, 0x32)),
    (BLACK, RGBColor(0xf4, 0xf4, 0xf4)),
    (ORANGE, RGBColor(0xe6, 0x9f, 0x00)),
    (SKY, RGBColor(0x8c, 0xd0, 0xf7)),
    (GREEN, RGBColor(0x1f, 0xb8, 0x8c)),
    (BLUE, RGBColor(0x3b, 0x97, 0xdb)),
    (VERMILION, RGBColor(0xec, 0x74, 0x1c)),
    (PURPLE, RGBColor(0xdb, 0x8f, 0xb9)),
];

/// The fill of a verdict on a dark screen, on which all text is light.
fn dark_fill(verdict: Verdict) -> RGBColor {
    match verdict {
        Verdict::Ok => RGBColor(0x1c, 0x3b, 0x2f),
        Verdict::Unchecked => RGBColor(0x4a, 0x45, 0x12),
        Verdict::Capped => RGBColor(0x1d, 0x3f, 0x59),
        Verdict::Unsupported => RGBColor(0x3b, 0x3f, 0x45),
        Verdict::Invalid => RGBColor(0x4d, 0x51, 0x58),
        Verdict::TooLarge => RGBColor(0x5c, 0x3f, 0x0c),
        Verdict::Timeout => RGBColor(0x6e, 0x42, 0x08),
        Verdict::Crashed => RGBColor(0x7c, 0x3a, 0x08),
        Verdict::Disputed => RGBColor(0x7a, 0x36, 0x68),
        Verdict::Wrong => RGBColor(0xa3, 0x1a, 0x26),
    }
}

/// From light to dark as verdicts turn worse, so that the map can be read in grey.
pub(super) fn of_verdict(verdict: Verdict) -> RGBColor {
    match verdict {
        Verdict::Ok => RGBColor(0xdc, 0xf1, 0xe8),
        Verdict::Unchecked => RGBColor(0xfb, 0xf3, 0xb8),
        Verdict::Capped => RGBColor(0xc6, 0xe2, 0xf5),
        Verdict::Unsupported => RGBColor(0xdd, 0xdd, 0xdd),
        Verdict::Invalid => RGBColor(0xc4, 0xc4, 0xc4),
        Verdict::TooLarge => RGBColor(0xf5, 0xcf, 0x8a),
        Verdict::Timeout => RGBColor(0xe6, 0xa6, 0x4a),
        Verdict::Crashed => RGBColor(0xd8, 0x82, 0x3c),
        Verdict::Disputed => RGBColor(0x9a, 0x4f, 0x86),
        Verdict::Wrong => RGBColor(0x8c, 0x12, 0x1c),
    }
}

/// The style sheet of a picture.
pub(super) fn style() -> String {
    let verdicts = Verdict::ALL.iter().map(|&verdict| (of_verdict(verdict), dark_fill(verdict)));
    let mut rules = String::from("@media screen and (prefers-color-scheme: dark){");
    for (light, dark) in DARK.into_iter().chain(verdicts) {
        let (light, dark) = (hex(light), hex(dark));
        let _ = write!(
            rules,
            "svg[role=img] :not(text)[fill=\"{light}\"]{{fill:{dark}}}\
             svg[role=img] [stroke=\"{light}\"]{{stroke:{dark}}}"
        );
    }
    // Text that is white stands on a dark verdict, and stays.
    for (light, dark) in DARK.into_iter().filter(|(light, _)| [INK, MUTED].contains(light)) {
        let _ = write!(rules, "svg[role=img] text[fill=\"{}\"]{{fill:{}}}", hex(light), hex(dark));
    }
    rules + "}"
}

/// The colour as `plotters` writes it into an SVG.
fn hex(RGBColor(red, green, blue): RGBColor) -> String {
    format!("#{red:02X}{green:02X}{blue:02X}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance after WCAG 2.1.
    fn luminance(RGBColor(red, green, blue): RGBColor) -> f64 {
        let linear = |part: u8| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    fn contrast(one: RGBColor, other: RGBColor) -> f64 {
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    #[test]
    fn text_and_marks_stand_out_on_a_dark_screen() {
        let paper = DARK[0].1;
        for (light, dark) in
            DARK.into_iter().filter(|&(light, _)| ![PAPER, GRID, FAINT].contains(&light))
        {
            assert!(contrast(dark, paper) >= 4.5, "{}: {:.1}", hex(light), contrast(dark, paper));
        }
        for &verdict in Verdict::ALL {
            assert!(contrast(DARK[1].1, dark_fill(verdict)) >= 4.5, "{verdict}");
        }
    }
}
