//! A ranking as text.

use std::fmt::Write as _;

use comfy_table::CellAlignment;

use super::remarks::{MARKED_CONTENDED, contention_note};
use super::sheet::{STYLE, lines};
use super::{counted, factor_with_interval};
use crate::rank::Ranking;

/// A line an engine, then the games that count.
pub fn ranking_text(ranking: &Ranking) -> String {
    let mut out = comfy_table::Table::new();
    out.load_style(STYLE);
    out.force_no_tty();
    out.set_header(["", "engine", "times the last", "fastest in"]);
    for (number, place) in ranking.places.iter().enumerate() {
        out.add_row([
            (number + 1).to_string(),
            if place.contended > 0 {
                format!("{} {MARKED_CONTENDED}", place.column.label())
            } else {
                place.column.label()
            },
            factor_with_interval(&place.factor),
            format!("{} of {}", place.wins, counted(place.games, "game")),
        ]);
    }
    for column in out.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let mut text = lines(&out);
    let gaps = ranking.places.iter().any(|place| place.games < ranking.games.len());
    let figures = if gaps { "Least squares on logarithms" } else { "Geometric means" };
    let _ = writeln!(
        text,
        "{figures} over {}: {}.\nIntervals are bootstraps over games: how much hangs on \
         which games were chosen.",
        counted(ranking.games.len(), "shared game"),
        ranking.games.join(", ")
    );
    if gaps {
        let _ = writeln!(
            text,
            "Not every engine has a figure for each game; a game that an engine lacks tells \
             nothing of it."
        );
    }
    if !ranking.left_out.is_empty() {
        let _ = writeln!(
            text,
            "Left out: {}. Tabled playouts carry results over from one playout to the next, and \
             are not ranked with others.",
            ranking.left_out.join(", ")
        );
    }
    if ranking.places.iter().any(|place| place.contended > 0) {
        let _ = writeln!(text, "{}", contention_note());
    }
    text
}
