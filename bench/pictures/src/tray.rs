//! What lies beside the board: hands, dice, stakes.

use std::fmt::Write;

use play::Player;
use play::picture::{Piece, Tray};

use crate::glyphs::placed;
use crate::xml::escaped;
use crate::{MARGIN, WIDTH};

/// Where the pieces begin.
const LEFT: f32 = 112.0;
/// The most pieces that are drawn.
const MAX_PIECES: usize = 60;

/// A tray in rows from a height on, with pieces of a size, and its height.
pub(crate) fn drawn(tray: &Tray, top: f32, size: f32, viewer: Option<Player>) -> (String, f32) {
    let owner = tray.owner.map_or(String::new(), |player| format!(" of {}", player.0 + 1));
    let mut out = format!("<g class=\"cell tray\" data-site=\"{}\">", escaped(&tray.name));
    let title: String = format!("{}{owner}", tray.title).chars().take(18).collect();
    let _ = writeln!(
        out,
        "<text x=\"{MARGIN}\" y=\"{}\">{}</text>",
        top + size * 0.65,
        escaped(&title)
    );
    let is_covered = tray.cover.hides(viewer);
    let (mut x, mut y) = (LEFT, top + size / 2.0);
    for piece in tray.pieces.iter().take(MAX_PIECES) {
        if x + size / 2.0 > WIDTH - MARGIN {
            (x, y) = (LEFT, y + size + 4.0);
        }
        let covered = || {
            let is_card = piece.kind.starts_with("card");
            Piece::new(None, if is_card { "card covered" } else { "covered" })
        };
        let shown = if is_covered { covered() } else { piece.clone() };
        out += &placed(&shown, [x, y], size);
        x += size + 4.0;
    }
    (out + "</g>\n", y + size / 2.0 + 4.0 - top)
}
