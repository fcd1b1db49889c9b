//! Games in the Smart Game Format: Go, Othello, Gomoku and Hex.

mod set_up;

use std::cmp::Ordering;

use text::{Diagnostic, Source, Span};

use super::{Claim, Course, GameRecord, Move, Named, Said, SetUp, syntax};
use set_up::Stones;

/// Largest board: its columns have one letter each.
const LARGEST: u32 = 26;

/// A game that the property `GM` numbers.
struct Kind {
    number: u32,
    /// The beginning of its id in the catalogue, which is its family where there is one.
    id: &'static str,
    /// The side of its board where `SZ` is missing.
    side: u32,
    axes: Axes,
}

/// The rank of a square on the boards of the catalogue.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Axes {
    /// Ranks are rows from the bottom.
    Upright,
    /// Ranks are rows from the top, so that the four discs at the start stand where they should.
    Flipped,
    /// Ranks are columns, and files are rows from the bottom: the player who begins joins the top
    /// with the bottom in these records, and the files in the catalogue.
    Turned,
}

const KINDS: [Kind; 4] = [
    Kind { number: 1, id: "go", side: 19, axes: Axes::Upright },
    Kind { number: 2, id: "reversi", side: 8, axes: Axes::Flipped },
    Kind { number: 4, id: "gomoku", side: 15, axes: Axes::Upright },
    Kind { number: 11, id: "hex", side: 11, axes: Axes::Turned },
];

/// The komi of the catalogue's games of Go.
const KOMI: f64 = 7.5;

/// Rules that count the board as it is, as the catalogue's games of Go do: in others players may
/// have agreed that stones are dead, or count territory.
const AREA_RULES: [&str; 4] = ["tromp-taylor", "tromp taylor", "tt", "cgos"];

/// A property of a node of the main line.
struct Property<'t> {
    name: &'t str,
    /// The number of the node.
    node: usize,
    values: Vec<(String, Span)>,
}

/// A game of a file: where it begins, and the properties of its main line.
type Tree<'t> = (Span, Result<Vec<Property<'t>>, Diagnostic>);

pub(super) fn read(source: &Source) -> Vec<Result<GameRecord, Diagnostic>> {
    let trees = trees(source.text());
    if trees.is_empty() {
        return vec![Err(syntax(Span::at(0), "no game: there is no `(`"))];
    }
    trees.into_iter().map(|(span, tree)| record(span, &tree?)).collect()
}

/// The games of a text. The main line is the first child of every node; it ends at the first
/// closing bracket, and what follows in the game are variations.
fn trees(text: &str) -> Vec<Tree<'_>> {
    let mut all = Vec::new();
    let mut at = 0;
    while let Some(begin) = text[at..].find('(') {
        at += begin;
        let span = Span::new(at, at + 1);
        let mut lexer = Lexer { text, at, node: 0 };
        let tree = lexer.tree();
        at = lexer.at;
        if tree.is_err() {
            // Nobody knows which brackets belong together: the next game begins a line.
            at = text[at..].find("\n(").map_or(text.len(), |found| at + found);
        }
        all.push((span, tree));
    }
    all
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    /// The number of the node that is being read.
    node: usize,
}

impl<'t> Lexer<'t> {
    /// Reads from an opening bracket to the one that closes it.
    fn tree(&mut self) -> Result<Vec<Property<'t>>, Diagnostic> {
        let begin = self.at;
        let (mut depth, mut in_main) = (0u32, true);
        let mut properties = Vec::new();
        while let Some(c) = self.text[self.at..].chars().next() {
            let start = self.at;
            match c {
                '(' => depth = depth.saturating_add(1),
                ')' => {
                    (depth, in_main) = (depth - 1, false);
                    if depth == 0 {
                        self.at += 1;
                        return Ok(properties);
                    }
                }
                ';' => self.node += 1,
                c if c.is_whitespace() => {}
                c if c.is_ascii_alphabetic() => {
                    let property = self.property()?;
                    if in_main {
                        properties.push(property);
                    }
                    continue;
                }
                _ => {
                    self.at += c.len_utf8();
                    let span = Span::new(start, self.at);
                    return Err(syntax(span, format!("`{c}` begins no property"))
                        .help("a property is a name and values in brackets: `B[dd]`"));
                }
            }
            self.at += c.len_utf8();
        }
        Err(syntax(Span::new(begin, begin + 1), "the game is not closed: a `)` is missing"))
    }

    fn property(&mut self) -> Result<Property<'t>, Diagnostic> {
        let start = self.at;
        let rest = &self.text[start..];
        let length = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        self.at += length;
        let name = &rest[..length];
        let mut values = Vec::new();
        loop {
            let rest = &self.text[self.at..];
            let gap = rest.len() - rest.trim_start().len();
            if !rest[gap..].starts_with('[') {
                break;
            }
            self.at += gap;
            values.push(self.value()?);
        }
        if values.is_empty() {
            let span = Span::new(start, self.at);
            return Err(syntax(span, format!("the property `{name}` has no value in brackets")));
        }
        Ok(Property { name, node: self.node, values })
    }

    /// A value with its brackets; a backslash takes the meaning of the next character.
    fn value(&mut self) -> Result<(String, Span), Diagnostic> {
        let start = self.at;
        let (mut value, mut escaped) = (String::new(), false);
        for (i, c) in self.text[start + 1..].char_indices() {
            match c {
                _ if escaped => {
                    value.push(c);
                    escaped = false;
                }
                '\\' => escaped = true,
                ']' => {
                    self.at = start + 1 + i + 1;
                    return Ok((value.trim().to_owned(), Span::new(start, self.at)));
                }
                _ => value.push(c),
            }
        }
        self.at = self.text.len();
        Err(syntax(Span::new(start, start + 1), "a value is not closed: a `]` is missing"))
    }
}

/// A game whose properties are being read.
struct Record<'k> {
    kind: &'k Kind,
    side: u32,
    moves: Vec<Move>,
    /// The stones that are set up before the first move.
    stones: Stones,
    /// The place where stones are set up later.
    edited: Option<Span>,
    /// The name of the first move's property: whoever it is of begins, in Hex.
    first: Option<String>,
    /// True from the ply on from which Hex is played as in a mirror: its first stone has been
    /// changed for one of the other colour (`swap-pieces`).
    mirrored: bool,
    /// True if players have changed colours, so that properties do not tell who moves.
    swapped: bool,
}

fn record(span: Span, tree: &[Property<'_>]) -> Result<GameRecord, Diagnostic> {
    let value = |name: &str| {
        let property = tree.iter().find(|property| property.name == name);
        property.and_then(|p| p.values.first()).map(|(text, span)| (text.as_str(), *span))
    };
    let number = value("GM").map_or(Some(1), |(text, _)| text.parse().ok());
    let kind = KINDS.iter().find(|kind| Some(kind.number) == number);
    let Some(kind) = kind else {
        let (text, _) = value("GM").unwrap_or_default();
        let known = "1 (Go), 2 (Othello), 4 (Gomoku) and 11 (Hex) are read";
        return Ok(unknown(span, format!("a game with GM[{text}]; {known}")));
    };
    let side = match value("SZ") {
        None => kind.side,
        Some((text, at)) => {
            let sides = text.split_once(':').unwrap_or((text, text));
            let side = sides.0.trim().parse().ok().filter(|side| (1..=LARGEST).contains(side));
            match side {
                Some(side) if sides.0.trim() == sides.1.trim() => side,
                Some(_) => return Ok(unknown(span, format!("a board that is no square, {text}"))),
                None => {
                    return Err(syntax(at, format!("`{text}` is no size of a board"))
                        .help(format!("sizes are 1 to {LARGEST}")));
                }
            }
        }
    };
    let mut record = Record {
        kind,
        side,
        moves: Vec::new(),
        stones: Stones::new(side),
        edited: None,
        first: None,
        mirrored: false,
        swapped: false,
    };
    for property in tree {
        record.add(property)?;
    }
    let claim = value("RE").and_then(|re| record.claim(re, value("KM"), value("RU")));
    record.finish(span, claim)
}

fn unknown(span: Span, why: String) -> GameRecord {
    let (game, course) = (Named::Unknown(why), Course::Moves(Vec::new()));
    GameRecord { span, game, set_up: None, course, claim: None, over: None }
}

impl Record<'_> {
    fn add(&mut self, property: &Property<'_>) -> Result<(), Diagnostic> {
        let Property { name, node, values } = property;
        match *name {
            "B" | "W" => {
                for (text, span) in values {
                    self.play(name, text, *span)?;
                }
            }
            "AB" | "AW" | "AE" => {
                let colour = ["AB", "AW"].iter().position(|adds| adds == name);
                for (text, span) in values {
                    let corners = text.split_once(':').unwrap_or((text, text));
                    let corners = self.point(corners.0).zip(self.point(corners.1));
                    let corners = corners.ok_or_else(|| self.no_point(text, *span))?;
                    if self.moves.is_empty() {
                        self.stones.put(colour, corners, *node, *span)?;
                    } else {
                        self.edited.get_or_insert(*span);
                    }
                }
            }
            "PL" => {
                let player = set_up::colour(&values[0].0, values[0].1)?;
                if self.moves.is_empty() {
                    self.stones.mover = Some((player, values[0].1));
                }
            }
            "HA" => self.stones.handicap = set_up::handicap(&values[0].0, values[0].1)?,
            _ => {}
        }
        Ok(())
    }

    fn play(&mut self, name: &str, text: &str, span: Span) -> Result<(), Diagnostic> {
        let is_hex = self.kind.axes == Axes::Turned;
        let first = self.first.get_or_insert_with(|| name.to_owned());
        let by_turn = is_hex && self.stones.is_empty();
        let player = if by_turn { u8::from(first != name) } else { u8::from(name == "W") };
        let said = match text.to_lowercase().as_str() {
            "" | "pass" | "--" => Said::Pass,
            "tt" if self.side < 20 => Said::Pass,
            "resign" => return Ok(()),
            "swap" | "swap-sides" if is_hex => {
                self.swapped = true;
                return Ok(());
            }
            "swap-pieces" if is_hex && !self.stones.is_empty() => {
                let message = "nobody swaps pieces once stones have been set up";
                return Err(syntax(span, message));
            }
            "swap-pieces" if is_hex => {
                (self.mirrored, self.swapped) = (!self.mirrored, true);
                return Ok(());
            }
            text => {
                let (x, y) = self.point(text).ok_or_else(|| self.no_point(text, span))?;
                Said::Label(self.label(x, y))
            }
        };
        let player = (!self.swapped).then_some(player);
        self.moves.push(Move { span, player, said });
        Ok(())
    }

    fn no_point(&self, text: &str, span: Span) -> Diagnostic {
        let side = self.side;
        let message = format!("`{text}` is no point of a board of {side}x{side}");
        syntax(span, message).help("points are a column and a row from the top: `dd`, or `d4`")
    }

    /// Column and row from the top, both from 0.
    fn point(&self, text: &str) -> Option<(u32, u32)> {
        let mut rest = text.chars();
        let letter = |c: char| c.is_ascii_lowercase().then(|| u32::from(c) - u32::from('a'));
        let x = letter(rest.next()?.to_ascii_lowercase())?;
        let rest = rest.as_str();
        let y = match rest.parse::<u32>() {
            Ok(row) => row.checked_sub(1)?,
            Err(_) if rest.len() == 1 => letter(rest.chars().next()?)?,
            Err(_) => return None,
        };
        (x < self.side && y < self.side).then_some((x, y))
    }

    /// The square of the catalogue's board.
    fn label(&self, x: u32, y: u32) -> String {
        let (file, rank) = self.square(x, y);
        format!("{}{rank}", char::from(b'a' + file as u8))
    }

    /// Its file, from 0, and its rank, from 1.
    fn square(&self, x: u32, y: u32) -> (u32, u32) {
        let from_bottom = self.side - y;
        let (file, rank) = match self.kind.axes {
            Axes::Upright => (x, from_bottom),
            Axes::Flipped => (x, y + 1),
            Axes::Turned => (from_bottom - 1, x + 1),
        };
        if self.mirrored { (rank - 1, file + 1) } else { (file, rank) }
    }

    /// The result of a game. In Go the catalogue counts as its own rules do.
    fn claim(
        &self,
        (text, span): (&str, Span),
        komi: Option<(&str, Span)>,
        rules: Option<(&str, Span)>,
    ) -> Option<Claim> {
        let upper = text.to_uppercase();
        let (winner, margin) = match upper.split_once('+').unwrap_or((&upper, "")) {
            ("B" | "BLACK", margin) => (Some(0), margin),
            ("W" | "WHITE", margin) => (Some(1), margin),
            ("0" | "DRAW" | "JIGO", _) => (None, "0"),
            _ => return None,
        };
        // With its stone, the player who began has given away the colour that begins.
        let winner = winner.map(|winner| winner ^ u8::from(self.mirrored));
        let sides = "players changed sides, and the result may be of either name".to_owned();
        let incomparable = (self.swapped && !self.mirrored).then_some(sides);
        let claim = Claim { span, winner, incomparable };
        if self.kind.id != "go" {
            return Some(claim);
        }
        let Ok(margin) = margin.parse::<f64>() else { return Some(claim) };
        let rules = rules.map_or_else(String::new, |(text, _)| text.to_lowercase());
        let komi = komi.and_then(|(text, _)| text.parse::<f64>().ok());
        let incomparable = match komi {
            _ if !AREA_RULES.contains(&rules.as_str()) => {
                let rules = if rules.is_empty() { "unknown" } else { &rules };
                Some(format!("it was counted by other rules ({rules})"))
            }
            None => Some("the record has no komi".to_owned()),
            Some(_) => None,
        };
        // Black's lead on the board.
        let lead = komi.unwrap_or_default() + if winner == Some(0) { margin } else { -margin };
        let winner = match lead.total_cmp(&KOMI) {
            Ordering::Less => Some(1),
            Ordering::Equal => None,
            Ordering::Greater => Some(0),
        };
        Some(Claim { winner, incomparable, ..claim })
    }

    /// The position that the record begins from; `None` if it is the start of the game.
    fn set_up(&self) -> Result<Option<SetUp>, Diagnostic> {
        self.stones.check_handicap()?;
        let Some(span) = self.stones.span() else { return Ok(None) };
        let is_hex = self.kind.axes == Axes::Turned;
        // The colours of Hex are those of the players, in their order, where no stones have any.
        if is_hex && self.stones.is_empty() {
            return Ok(None);
        }
        let square = |x, y| self.square(x, y);
        // Discs that are not said are those of the start.
        let discs = self.stones.is_empty() && self.kind.id == "reversi" && self.side == 8;
        let mut rows = self.stones.rows(square);
        let start = rows_of_discs();
        if discs {
            rows.clone_from(&start);
        }
        let first = self.moves.first().and_then(|first| first.player);
        let mover = self.stones.mover(first);
        let is_start =
            mover == 0 && (self.stones.is_empty() || self.kind.id == "reversi" && rows == start);
        let text = if mover == 0 { rows } else { rows + "/o" };
        Ok((!is_start).then_some(SetUp { span, text }))
    }

    fn finish(self, span: Span, claim: Option<Claim>) -> Result<GameRecord, Diagnostic> {
        if let Some(span) = self.edited {
            let why = "a record in which stones are set up between moves".to_owned();
            return Ok(unknown(span, why));
        }
        let set_up = self.set_up()?;
        let game = Named::Sized(self.kind.id, self.side);
        let course = Course::Moves(self.moves);
        Ok(GameRecord { span, game, set_up, course, claim, over: None })
    }
}

/// The discs of Othello's start on the board of the catalogue, as a drawing.
fn rows_of_discs() -> String {
    let empty = "........";
    let rows = [empty, empty, empty, "...xo...", "...ox...", empty, empty, empty];
    rows.join("/")
}
