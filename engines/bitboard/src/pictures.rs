//! What several games share in their pictures.

use play::Player;
use play::picture::{Cell, Cover, Ground, Meaning, Piece, Tray};

/// True if the second cell is above, below, left or right of the first.
pub(crate) fn beside(a: &Cell, b: &Cell) -> bool {
    ((a.x - b.x).abs() + (a.y - b.y).abs() - 1.0).abs() < 0.1
}

/// True if a line of a board of alquerque joins two points: also diagonals, from every second one.
pub(crate) fn on_alquerque(a: &Cell, b: &Cell) -> bool {
    let one = |difference: f32| (difference.abs() - 1.0).abs() < 0.1;
    let is_diagonal = one(a.x - b.x) && one(a.y - b.y);
    beside(a, b) || is_diagonal && (a.x + a.y).round() as i32 % 2 == 0
}

/// The meanings of signs, each with its owner and its kind; those of which nothing is said stay.
pub(crate) fn kinds<'t>(
    table: &'t [(char, Option<u8>, &'t str)],
) -> impl Fn(char) -> Option<Meaning> + 't {
    |sign| {
        let &(_, owner, kind) = table.iter().find(|row| row.0 == sign)?;
        Some((vec![Piece::new(owner.map(Player), kind)], Ground::Plain))
    }
}

/// What signs of caves mean.
pub(crate) const CAVE: [(char, Option<u8>, &str); 3] =
    [('W', None, "wumpus"), ('P', None, "pit"), ('G', None, "gold")];

/// The signs that are written and not put down.
pub(crate) const MARKS: [(char, Option<u8>, &str); 2] =
    [('x', Some(0), "cross"), ('o', Some(1), "ring")];

/// Hides what lies on a cell from one player more.
pub(crate) fn cover(cover: &mut Cover, player: u8) {
    match cover {
        Cover::Open => *cover = Cover::From(vec![Player(player)]),
        Cover::From(players) => players.push(Player(player)),
        Cover::Closed => {}
    }
}

/// Says that `+` stands for cells on which nothing can lie any more.
pub(crate) fn spent(sign: char) -> Option<Meaning> {
    (sign == '+').then_some((Vec::new(), Ground::Spent))
}

/// A hand that others do not see.
pub(crate) fn held(player: u8, cards: impl IntoIterator<Item = String>) -> Tray {
    let cards = cards.into_iter().map(|card| Piece::new(None, format!("card {card}")));
    Tray {
        title: "hand".to_owned(),
        owner: Some(Player(player)),
        pieces: cards.collect(),
        cover: Cover::From(vec![Player(1 - player.min(1))]),
        ..Tray::default()
    }
}

/// A tray that all see.
pub(crate) fn tray(
    title: &str,
    owner: Option<u8>,
    pieces: impl IntoIterator<Item = Piece>,
) -> Tray {
    Tray {
        title: title.to_owned(),
        owner: owner.map(Player),
        pieces: pieces.into_iter().collect(),
        ..Tray::default()
    }
}
