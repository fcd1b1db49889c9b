//! The sections that declare names: players, pieces, variables.

use rustc_hash::FxHashMap;
use text::{Diagnostic, Span};

use super::cursor::Cursor;
use super::lex::{Sym, Tok, Token};
use crate::description::{Label, Piece, Var};
use crate::limits::{MAX_PIECES, MAX_VARIABLES};

/// The meaning of a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Meaning {
    Piece(Piece),
    /// A player, whose score is the variable of the same number.
    Player(u8),
    Var(Var),
    Label(Label),
}

impl Meaning {
    pub(crate) fn kind(self) -> &'static str {
        match self {
            Meaning::Piece(_) => "piece",
            Meaning::Player(_) => "player",
            Meaning::Var(_) => "variable",
            Meaning::Label(_) => "direction",
        }
    }
}

/// All declared names.
#[derive(Default, Debug)]
pub(crate) struct Names {
    /// The meaning of each name, with the span of its declaration.
    meanings: FxHashMap<Sym, (Meaning, Span)>,
    /// The names in the order of declaration, for near misses.
    order: Vec<Sym>,
}

impl Names {
    pub(crate) fn get(&self, sym: Sym) -> Option<Meaning> {
        self.meanings.get(&sym).map(|&(meaning, _)| meaning)
    }

    /// Names of some kinds, in the order of declaration.
    pub(crate) fn of<'a>(
        &'a self,
        cursor: &Cursor<'a>,
        wanted: impl Fn(Meaning) -> bool,
    ) -> Vec<&'a str> {
        if cursor.is_full() {
            return Vec::new();
        }
        let names = self.order.iter().filter(|sym| self.get(**sym).is_some_and(&wanted));
        names.map(|&sym| cursor.text(sym)).collect()
    }

    /// Declares a name; reports an error and returns false if it is taken.
    pub(crate) fn declare(
        &mut self,
        cursor: &mut Cursor<'_>,
        token: Token,
        sym: Sym,
        meaning: Meaning,
    ) -> bool {
        if let Some(&(earlier, place)) = self.meanings.get(&sym) {
            let message = format!("`{}` is declared twice", cursor.text(sym));
            let diagnostic = Diagnostic::error("duplicate-name", token.span, message)
                .label(format!("here as a {}", meaning.kind()))
                .note(place, format!("and here as a {}", earlier.kind()));
            cursor.report(diagnostic, &token);
            return false;
        }
        self.meanings.insert(sym, (meaning, token.span));
        self.order.push(sym);
        true
    }
}

/// Reads `name(bound), name(bound), ...`; players or other variables.
pub(crate) fn bounded(
    cursor: &mut Cursor<'_>,
    names: &mut Names,
    players: bool,
    vars: &mut Vec<String>,
    bounds: &mut Vec<i32>,
) {
    let what = if players { "a player" } else { "a variable" };
    while !cursor.done() {
        if cursor.eat(",") {
            continue;
        }
        if bounded_name(cursor, names, players, vars, bounds).is_none() {
            cursor.skip_to(&[","]);
            continue;
        }
        if !cursor.done() && !cursor.at_mark(",") {
            cursor.unexpected(&format!("expected `,` and {what}"));
            cursor.skip_to(&[","]);
        }
    }
}

fn bounded_name(
    cursor: &mut Cursor<'_>,
    names: &mut Names,
    players: bool,
    vars: &mut Vec<String>,
    bounds: &mut Vec<i32>,
) -> Option<()> {
    let what = if players { "a player" } else { "a variable" };
    let token = cursor.peek()?;
    let Some(sym) = token.word().filter(|sym| !sym.is_reserved()) else {
        cursor.unexpected(&format!("expected the name of {what}"));
        return None;
    };
    cursor.next();
    cursor.expect("(", "and the greatest value")?;
    let place = cursor.peek();
    let Some(Tok::Number(bound)) = place.map(|t| t.tok) else {
        cursor.unexpected("expected the greatest value, a number");
        return None;
    };
    cursor.next();
    cursor.expect(")", "after the greatest value")?;
    let place = place.unwrap_or(token);
    let bound = i32::try_from(bound).unwrap_or_else(|_| {
        let message = format!("{bound} is too large for a bound");
        let diagnostic = Diagnostic::error("bound", place.span, message)
            .label(format!("expected at most {}", i32::MAX));
        cursor.report(diagnostic, &place);
        1
    });
    if players && bound == 0 {
        let diagnostic = Diagnostic::error("bound", place.span, "a player's greatest score is 0")
            .label("expected at least 1")
            .help("scores are given as a share of the greatest one: write `(100)`");
        cursor.report(diagnostic, &place);
    }
    if players && vars.len() >= play::MAX_PLAYERS || vars.len() >= MAX_VARIABLES {
        let message = format!("more than {} of these", vars.len());
        cursor.report(Diagnostic::error("too-many", token.span, message), &token);
        return None;
    }
    let meaning =
        if players { Meaning::Player(vars.len() as u8) } else { Meaning::Var(vars.len() as Var) };
    if names.declare(cursor, token, sym, meaning) {
        vars.push(cursor.text(sym).to_owned());
        bounds.push(bound);
    }
    Some(())
}

/// Reads the names of the pieces.
pub(crate) fn pieces(cursor: &mut Cursor<'_>, names: &mut Names, pieces: &mut Vec<String>) {
    while let Some(token) = cursor.peek() {
        if cursor.eat(",") {
            continue;
        }
        let Some(sym) = token.word().filter(|sym| !sym.is_reserved()) else {
            cursor.unexpected("expected the name of a piece");
            cursor.next();
            cursor.skip_to(&[","]);
            continue;
        };
        cursor.next();
        if pieces.len() >= MAX_PIECES {
            let message = format!("more than {MAX_PIECES} pieces");
            cursor.report(Diagnostic::error("too-many", token.span, message), &token);
            return;
        }
        if names.declare(cursor, token, sym, Meaning::Piece(pieces.len() as Piece)) {
            pieces.push(cursor.text(sym).to_owned());
        }
        if !cursor.done() && !cursor.at_mark(",") {
            cursor.unexpected("expected `,` and a piece");
            cursor.skip_to(&[","]);
        }
    }
}
