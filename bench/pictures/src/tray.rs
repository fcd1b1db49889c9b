//! What lies beside the board: hands, dice, stakes.

use play::Player;
use play::picture::{Piece, Tray};

use crate::glyphs::placed;
use crate::xml::{escaped, number};
use crate::{MARGIN, WIDTH};

/// Where the pieces begin.
const LEFT: f32 = 112.0;
/// The gap between pieces.
const GAP: f32 = 4.0;
/// The most pieces that are drawn.
const MAX_PIECES: usize = 60;

/// A tray in rows from a height on, with pieces of a size, and its height.
///
/// What labels name is a group of the class `cell`, as cells of the board are: the tray as a whole,
/// or each of its pieces.
pub(crate) fn drawn(tray: &Tray, top: f32, size: f32, viewer: Option<Player>) -> (String, f32) {
    let owner = tray.owner.map_or(String::new(), |player| format!(" of {}", player.0 + 1));
    let title: String = format!("{}{owner}", tray.title).chars().take(18).collect();
    let is_covered = tray.cover.hides(viewer);
    let (mut x, mut y) = (LEFT, top + size / 2.0);
    let mut pieces = String::new();
    for piece in tray.pieces.iter().take(MAX_PIECES) {
        if x + size / 2.0 > WIDTH - MARGIN {
            (x, y) = (LEFT, y + size + GAP);
        }
        let covered = || {
            let is_card = piece.kind.starts_with("card");
            Piece::new(None, if is_card { "card covered" } else { "covered" })
        };
        let shown = if is_covered { covered() } else { piece.clone() };
        let drawn = placed(&shown, [x, y], size);
        pieces += &if piece.name.is_empty() || is_covered {
            drawn
        } else {
            let half = (size + GAP) / 2.0 - 0.5;
            let place = [x - half, y - half, 2.0 * half, 2.0 * half];
            named(&piece.name, &piece.kind, place, &drawn)
        };
        x += size + GAP;
    }
    let height = y + size / 2.0 + GAP - top;
    let text =
        format!("<text x=\"{MARGIN}\" y=\"{}\">{}</text>\n", top + size * 0.65, escaped(&title));
    let inside = if tray.name.is_empty() {
        text + &pieces
    } else {
        let place = [MARGIN - 2.0, top - 1.5, WIDTH - 2.0 * MARGIN + 4.0, height - 1.0];
        named(&tray.name, &title, place, &(text + &pieces))
    };
    (format!("<g class=\"tray\">{inside}</g>\n"), height)
}

/// A group that can be clicked, with its place.
fn named(name: &str, title: &str, [x, y, width, height]: [f32; 4], inside: &str) -> String {
    let title: String = title.chars().take(40).collect();
    let (name, title) = (escaped(name), escaped(&title));
    let [x, y, width, height] = [x, y, width, height].map(number);
    format!(
        "<g class=\"cell\" data-site=\"{name}\"><title>{name} {title}</title>\
         <rect class=\"hold\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"5\"/>\
         {inside}</g>\n"
    )
}
