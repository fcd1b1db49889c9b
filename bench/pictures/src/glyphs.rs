//! Signs for pieces: shapes in a square from -50 to 50, and letters for kinds without a shape.

use play::picture::Piece;

use crate::xml::{escaped, number};

/// Kinds by a word of their names, each with its shape. The first that fits is taken.
const SHAPES: &[(&[&str], &str)] = &[
    (
        &["crowned", "double", "dame"],
        r#"<circle r="38"/><path class="full" d="M-20 16V-14L-9 2 0-18 9 2 20-14V16Z"/>"#,
    ),
    (
        &["pawn"],
        r#"<path d="M0-36a14 14 0 0 1 9 24h8v7h-9c1 14 6 22 15 29v14h-46v-14c9-7 14-15 15-29h-9v-7h8a14 14 0 0 1 9-24z"/>"#,
    ),
    (
        &["rook", "castle", "tower", "elephant"],
        r#"<path d="M-26 38v-10h6l4-34h-8v-28h12v9h7v-9h10v9h7v-9h12v28h-8l4 34h6v10z"/>"#,
    ),
    (
        &["knight", "horse"],
        r#"<path d="M-24 38v-10c2-14 16-20 16-32l-14 8-10-8 12-20 4-14 9 9c24 2 33 25 31 67z"/><circle class="full" cx="-11" cy="-19" r="4"/>"#,
    ),
    (
        &["bishop"],
        r#"<path d="M0-42a5 5 0 0 1 4 9c12 8 18 18 16 29-1 6-5 9-9 11l4 17c6 2 9 6 11 14h-52c2-8 5-12 11-14l4-17c-4-2-8-5-9-11-2-11 4-21 16-29a5 5 0 0 1 4-9z"/><path class="bare" d="M0-22v16M-8-14H8"/>"#,
    ),
    (
        &["queen", "amazon"],
        r#"<path d="M-26 38V29L-20 20-36-18-18 0-16-30 0-6 16-30 18 0 36-18 20 20 26 29V38Z"/><circle cx="-36" cy="-23" r="5"/><circle cx="-16" cy="-35" r="5"/><circle cx="16" cy="-35" r="5"/><circle cx="36" cy="-23" r="5"/>"#,
    ),
    (
        &["king", "jarl", "commander"],
        r#"<path class="bare" stroke-width="7" d="M0-8V-42M-9-32H9"/><path d="M-26 38V29L-20 20C-44 4-34-20-14-16-8-15-3-11 0-6 3-11 8-15 14-16 34-20 44 4 20 20L26 29V38Z"/>"#,
    ),
    (&["stone", "go"], r#"<circle r="43"/>"#),
    (
        &["ball", "marble", "bead"],
        r#"<circle r="36"/><path class="bare" d="M-22-12A24 24 0 0 1-6-24"/>"#,
    ),
    (
        &["ring", "nought", "naught"],
        r#"<path fill-rule="evenodd" d="M-38 0a38 38 0 1 0 76 0a38 38 0 1 0-76 0zM-20 0a20 20 0 1 0 40 0a20 20 0 1 0-40 0z"/>"#,
    ),
    (
        &["cross", "x"],
        r#"<path d="M-34-22L-22-34 0-12 22-34 34-22 12 0 34 22 22 34 0 12-22 34-34 22-12 0Z"/>"#,
    ),
    (
        &["wall", "block", "blocked", "burnt", "trail"],
        r#"<path class="full" d="M-44-44H44V44H-44Z"/>"#,
    ),
    (&["filled", "black cell"], r#"<path class="full" d="M-47-47H47V47H-47Z"/>"#),
    (
        &["pit", "hole"],
        r#"<ellipse class="full" cy="6" rx="40" ry="28"/><path class="bare" d="M-40-6C-30-34 30-34 40-6"/>"#,
    ),
    (
        &["wumpus", "monster", "dragon"],
        r#"<path d="M-30-16L-40-44-14-32C-5-35 5-35 14-32L40-44 30-16C44 10 30 42 0 42S-44 10-30-16Z"/><circle class="full" cx="-13" cy="-8" r="6"/><circle class="full" cx="13" cy="-8" r="6"/><path class="bare" d="M-20 16L-10 24-3 16 3 24 10 16 20 22"/>"#,
    ),
    (
        &["gold", "treasure", "coin", "prize", "money"],
        r##"<path fill="#e9b62f" d="M-24-18H24L40 6 0 40-40 6Z"/><path class="bare" d="M-40 6H40M-24-18L-12 6 0 40 12 6 24-18M-12 6L0-18 12 6"/>"##,
    ),
    (
        &["bat", "bats"],
        r#"<path class="full" d="M0-8L7-18 10-6C22-20 36-22 46-14 38-8 36 0 36 12 26 4 18 8 14 20 8 14 4 16 0 26-4 16-8 14-14 20-18 8-26 4-36 12-36 0-38-8-46-14-36-22-22-20-10-6L-7-18Z"/>"#,
    ),
    (
        &["mine", "bomb"],
        r#"<path class="bare" stroke-width="8" d="M0-42V42M-42 0H42M-30-30L30 30M-30 30L30-30"/><circle class="full" r="27"/>"#,
    ),
    (
        &["lamp", "light", "lit", "on"],
        r##"<path class="bare" stroke-width="6" d="M0-46V46M-46 0H46M-32-32L32 32M-32 32L32-32"/><circle fill="#f6cf3a" r="28"/>"##,
    ),
    (
        &["agent", "at", "hunter", "player", "explorer", "person", "rider"],
        r#"<path d="M-30 40C-30 4-16-4 0-4S30 4 30 40Z"/><circle cy="-21" r="17"/>"#,
    ),
    (&["arrow"], r#"<path d="M-7 42V-10H-22L0-42 22-10H7V42Z"/>"#),
    (&["flag"], r#"<path d="M-20 42V-42L30-24-14-6"/>"#),
    (&["peg"], r#"<circle r="30"/><circle class="bare" r="14"/>"#),
    (&["seed", "seeds", "shell"], r#"<ellipse rx="22" ry="28"/>"#),
    (
        &["wolf", "fox", "tiger"],
        r#"<path d="M-36-40L-14-22H14L36-40 34 4 0 42-34 4Z"/><circle class="full" cx="-13" cy="-4" r="5"/><circle class="full" cx="13" cy="-4" r="5"/>"#,
    ),
    (
        &["sheep", "lamb", "goose", "goat"],
        r#"<path d="M-34 8a16 16 0 0 1 4-28a18 18 0 0 1 30-12a18 18 0 0 1 30 12a16 16 0 0 1 4 28a18 18 0 0 1-24 20h-20a18 18 0 0 1-24-20z"/>"#,
    ),
    (&["square", "tile"], r#"<path d="M-38-38H38V38H-38Z"/>"#),
    (&["triangle"], r#"<path d="M0-38L40 34H-40Z"/>"#),
    (&["star"], r#"<path d="M0-42L11-13 42-12 17 7 26 38 0 20-26 38-17 7-42-12-11-13Z"/>"#),
    (&["dot"], r#"<circle r="14"/>"#),
    (&["line", "edge", "bar"], r#"<path d="M-42-9H42V9H-42Z"/>"#),
    (
        &["hidden", "covered", "unknown"],
        r#"<path class="covered" d="M-38-38H38V38H-38Z"/><text class="sign" font-size="52">?</text>"#,
    ),
    (&["disc", "disk", "counter", "marker", "checker", "man", "men", "o"], DISC),
];

const DISC: &str = r#"<circle r="38"/><circle class="bare" stroke-width="3" r="26"/>"#;

/// The round of a piece that is told by letters.
const ROUND: &str = r#"<circle r="40"/>"#;

/// The dots of the faces of a die.
const PIPS: [&[(i8, i8)]; 6] = [
    &[(0, 0)],
    &[(-20, -20), (20, 20)],
    &[(-20, -20), (0, 0), (20, 20)],
    &[(-20, -20), (20, -20), (-20, 20), (20, 20)],
    &[(-20, -20), (20, -20), (0, 0), (-20, 20), (20, 20)],
    &[(-20, -20), (20, -20), (-20, 0), (20, 0), (-20, 20), (20, 20)],
];

/// True if pieces of this kind lie on one another, and do not stand beside one another.
pub(crate) fn is_flat(piece: &Piece) -> bool {
    piece.owner.is_some() && shape(&piece.kind).is_none_or(|shape| shape == DISC)
}

/// A piece at a place, so large that it fills a square with sides of `size`.
pub(crate) fn placed(piece: &Piece, [x, y]: [f32; 2], size: f32) -> String {
    let owner = piece.owner.map_or(String::new(), |player| format!(" p{}", player.0 % 8));
    let (kind, inner) = drawn(piece);
    let turned: String = piece
        .directions
        .iter()
        .map(|degrees| {
            format!(
                "<path class=\"full\" transform=\"rotate({degrees})\" d=\"M-4 0V-34H-11L0-49 11-34H4V0Z\"/>"
            )
        })
        .collect();
    let badge = match piece.count {
        1 => String::new(),
        count => format!(
            "<circle class=\"badge\" cx=\"28\" cy=\"28\" r=\"21\"/><text class=\"sign\" x=\"28\" \
             y=\"29\" font-size=\"{}\">{count}</text>",
            if count > 99 { 19 } else { 26 }
        ),
    };
    format!(
        "<g class=\"piece{owner}{kind}\" transform=\"translate({} {}) scale({})\">{inner}{turned}\
         {badge}</g>\n",
        number(x),
        number(y),
        (size / 100.0 * 1000.0).round() / 1000.0,
    )
}

/// A class of the piece beyond its owner's, and what it is made of.
fn drawn(piece: &Piece) -> (&'static str, String) {
    if let Some(card) = piece.kind.strip_prefix("card") {
        return carded(card.trim());
    }
    if let Some(face) = piece.kind.strip_prefix("die") {
        return (" card", die(face.trim()));
    }
    if let Some(shape) = shape(&piece.kind) {
        let number = piece.kind.rsplit_once(' ').filter(|(_, end)| end.parse::<u32>().is_ok());
        let number = number.map(|(_, number)| {
            let number = escaped(number);
            format!("<text class=\"sign on\" y=\"3\" font-size=\"46\">{number}</text>")
        });
        return ("", shape.to_owned() + &number.unwrap_or_default());
    }
    let letters = letters(&piece.kind);
    let size = match letters.chars().count() {
        0 | 1 => 60,
        2 => 46,
        _ => 34,
    };
    let text = |class: &str| {
        format!("<text class=\"sign{class}\" y=\"3\" font-size=\"{size}\">{letters}</text>")
    };
    match piece.owner {
        Some(_) => ("", format!("{ROUND}{}", text(" on"))),
        None => ("", text("")),
    }
}

/// The letters of ranks.
const RANKS: [(&str, &str); 4] = [("jack", "J"), ("queen", "Q"), ("king", "K"), ("ace", "A")];

fn carded(rank: &str) -> (&'static str, String) {
    const CARD: &str = r#"<rect x="-32" y="-46" width="64" height="92" rx="9"/>"#;
    if ["covered", "back", ""].contains(&rank) {
        return (" back", CARD.to_owned());
    }
    let named = RANKS.iter().find(|named| named.0 == rank);
    let rank = named.map_or(rank, |named| named.1);
    let size = if rank.chars().count() > 2 { 24 } else { 50 };
    let rank: String = rank.chars().take(6).collect();
    let rank = escaped(&rank);
    (" card", format!("{CARD}<text class=\"sign on\" y=\"3\" font-size=\"{size}\">{rank}</text>"))
}

fn die(face: &str) -> String {
    const DIE: &str = r#"<rect x="-40" y="-40" width="80" height="80" rx="14"/>"#;
    let pips = face.parse::<usize>().ok().and_then(|n| PIPS.get(n.checked_sub(1)?));
    let inner = match pips {
        Some(pips) => pips
            .iter()
            .map(|(x, y)| format!("<circle class=\"full\" cx=\"{x}\" cy=\"{y}\" r=\"9\"/>"))
            .collect(),
        None => format!(
            "<text class=\"sign on\" y=\"3\" font-size=\"46\">{}</text>",
            escaped(&letters(face))
        ),
    };
    format!("{DIE}{inner}")
}

/// The shape of a kind, by its words.
fn shape(kind: &str) -> Option<&'static str> {
    let mut shapes = SHAPES.iter();
    let is_of = |names: &[&str]| {
        names.contains(&kind) || kind.split_whitespace().any(|word| names.contains(&word))
    };
    shapes.find(|(names, _)| is_of(names)).map(|&(_, shape)| shape)
}

/// The letters that stand for a kind without a shape: a short one itself, the first letters of its
/// words, or those of its one word, escaped.
fn letters(kind: &str) -> String {
    let words: Vec<&str> = kind.split_whitespace().collect();
    let short: String = if kind.chars().count() <= 3 {
        kind.to_owned()
    } else if words.len() > 1 {
        words.iter().filter_map(|word| word.chars().next()).take(3).collect()
    } else {
        kind.chars().take(2).collect()
    };
    escaped(&short)
}
