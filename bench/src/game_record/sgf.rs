//! Games in the Smart Game Format: Go, Othello, Gomoku and Hex.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use text::{Diagnostic, Source, Span};

use super::{Claim, Course, GameRecord, Move, Named, Said, SetUp, syntax};

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

/// Stones of a colour that the start of a game has at most.
const STONES: usize = 2;

/// A property of a node of the main line.
struct Property<'t> {
    name: &'t str,
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
        let mut lexer = Lexer { text, at };
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
                ';' => {}
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
        Ok(Property { name, values })
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
    set_up: Option<SetUp>,
    /// Black's and White's stones that are put before the first move.
    stones: [BTreeSet<String>; 2],
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
        set_up: None,
        stones: Default::default(),
        first: None,
        mirrored: false,
        swapped: false,
    };
    for property in tree {
        record.add(property)?;
    }
    let claim = value("RE").and_then(|re| record.claim(re, value("KM"), value("RU")));
    Ok(record.finish(span, claim))
}

fn unknown(span: Span, why: String) -> GameRecord {
    let (game, course) = (Named::Unknown(why), Course::Moves(Vec::new()));
    GameRecord { span, game, set_up: None, course, claim: None, over: None }
}

impl Record<'_> {
    fn add(&mut self, property: &Property<'_>) -> Result<(), Diagnostic> {
        let Property { name, values } = property;
        match *name {
            "B" | "W" => {
                for (text, span) in values {
                    self.play(name, text, *span)?;
                }
            }
            "AB" | "AW" => {
                let colour = usize::from(*name == "AW");
                for (text, span) in values {
                    let corners = text.split_once(':').unwrap_or((text, text));
                    let corners = self.point(corners.0).zip(self.point(corners.1));
                    let corners = corners.ok_or_else(|| self.no_point(text, *span))?;
                    self.put(colour, corners);
                    self.begins_from(name, text, *span);
                }
            }
            "AE" => self.begins_from(name, &values[0].0, values[0].1),
            "PL" if !values[0].0.to_uppercase().starts_with('B') && self.moves.is_empty() => {
                self.begins_from(name, &values[0].0, values[0].1);
            }
            _ => {}
        }
        Ok(())
    }

    fn begins_from(&mut self, name: &str, text: &str, span: Span) {
        let set_up = self.set_up.get_or_insert_with(|| SetUp { span, text: String::new() });
        set_up.text += &format!("{name}[{text}]");
        // Stones between moves are no start, and no start has them.
        if !self.moves.is_empty() {
            self.stones = Default::default();
        }
    }

    fn play(&mut self, name: &str, text: &str, span: Span) -> Result<(), Diagnostic> {
        let is_hex = self.kind.axes == Axes::Turned;
        let first = self.first.get_or_insert_with(|| name.to_owned());
        let player = if is_hex { u8::from(first != name) } else { u8::from(name == "W") };
        let said = match text.to_lowercase().as_str() {
            "" | "pass" | "--" => Said::Pass,
            "tt" if self.side < 20 => Said::Pass,
            "resign" => return Ok(()),
            "swap" | "swap-sides" if is_hex => {
                self.swapped = true;
                return Ok(());
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

    /// Notes the stones between two corners, as far as they may be those of the start.
    fn put(&mut self, colour: usize, (from, to): ((u32, u32), (u32, u32))) {
        for x in from.0.min(to.0)..=from.0.max(to.0) {
            for y in from.1.min(to.1)..=from.1.max(to.1) {
                if self.stones[colour].len() > STONES {
                    return;
                }
                let label = self.label(x, y);
                self.stones[colour].insert(label);
            }
        }
    }

    /// The square of the catalogue's board.
    fn label(&self, x: u32, y: u32) -> String {
        let from_bottom = self.side - y;
        let (file, rank) = match self.kind.axes {
            Axes::Upright => (x, from_bottom),
            Axes::Flipped => (x, y + 1),
            Axes::Turned => (from_bottom - 1, x + 1),
        };
        let (file, rank) = if self.mirrored { (rank - 1, file + 1) } else { (file, rank) };
        format!("{}{rank}", char::from(b'a' + file as u8))
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

    fn finish(self, span: Span, claim: Option<Claim>) -> GameRecord {
        let Record { kind, side, mut set_up, stones, moves, .. } = self;
        let start = [["d5", "e4"], ["d4", "e5"]].map(|discs| discs.map(str::to_owned).into());
        if kind.id == "reversi" && side == 8 && stones == start {
            set_up = None;
        }
        let game = Named::Sized(kind.id, side);
        GameRecord { span, game, set_up, course: Course::Moves(moves), claim, over: None }
    }
}
