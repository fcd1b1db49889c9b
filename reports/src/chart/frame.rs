//! What every chart has: a width, a title, a legend.

use super::scene::{Anchor, Scene, Type, Weight};
use super::theme::Paint;

pub(super) const WIDTH: f64 = 1000.0;
pub(super) const MARGIN: f64 = 24.0;

pub(super) const SUBTITLE: Type = Type::new(13.0, Weight::Regular, Paint::Muted);
pub(super) const TICK: Type = Type::new(12.0, Weight::Regular, Paint::Muted);
const TITLE: Type = Type::new(20.0, Weight::Bold, Paint::Ink);
const LEGEND: Type = Type::new(13.5, Weight::Regular, Paint::Ink);

/// Title, subtitle and legend; returns where they end.
pub(super) fn head(
    scene: &mut Scene,
    title: &str,
    subtitle: &str,
    legend: &[(String, Paint)],
) -> f64 {
    let mut y = MARGIN + 16.0;
    let room = WIDTH - 2.0 * MARGIN;
    scene.text((MARGIN, y), Anchor::Start, TITLE, &TITLE.fit(title, room));
    y += 22.0;
    scene.text((MARGIN, y), Anchor::Start, SUBTITLE, &SUBTITLE.fit(subtitle, room));
    let mut x = MARGIN;
    y += 28.0;
    for (index, (name, fill)) in legend.iter().enumerate() {
        let name = LEGEND.fit(name, WIDTH / 2.0);
        let width = 18.0 + LEGEND.width(&name) + 22.0;
        if index > 0 && x + width > WIDTH - MARGIN {
            (x, y) = (MARGIN, y + 22.0);
        }
        swatch(scene, (x, y - 11.0), 12.0, *fill, is_hollow(*fill));
        scene.text((x + 18.0, y), Anchor::Start, LEGEND, &name);
        x += width;
    }
    y + 8.0
}

pub(super) fn swatch(scene: &mut Scene, (x, y): (f64, f64), size: f64, fill: Paint, hollow: bool) {
    scene.rect(x, y, size, size, fill);
    if hollow {
        scene.rect(x + 2.0, y + 2.0, size - 4.0, size - 4.0, Paint::Paper);
    }
}

/// Whether a series lies past the end of the palette, whose colours are then used a second time, hollow.
pub(super) fn is_hollow(fill: Paint) -> bool {
    matches!(fill, Paint::Series(index) if index >= 8)
}
