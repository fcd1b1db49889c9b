//! The rules: a regular expression over actions, typed while it is read.

use text::{Diagnostic, Span};

use super::board::piece;
use super::cursor::Cursor;
use super::lex::{Sym, Tok, Token};
use super::names::{Meaning, Names};
use crate::description::{Arith, Comparison, Expr, Operator, Piece, Var};
use crate::limits::{MAX_ACTIONS, MAX_NESTING};

/// A hint for opening marks with a blank inside.
const NO_BLANK: &str = "`{$`, `[$`, `{!` and `{?` are written without a blank inside";

/// Reads the whole of the rules; `None` after a message.
pub(crate) fn rules(cursor: &mut Cursor<'_>, names: &Names) -> Option<Expr> {
    let start = cursor.peek();
    let mut parser = Parser { cursor, names, depth: 0, in_pattern: 0 };
    let (expr, size) = parser.sum()?;
    if !parser.cursor.done() {
        let closing = parser.cursor.at_mark(")");
        parser.cursor.unexpected("expected an action or the end of the rules");
        if closing && let Some(last) = parser.cursor.diagnostics.last_mut() {
            last.help
                .push("this closes nothing: delete it, or open a bracket before it".to_owned());
        }
        return None;
    }
    if size > MAX_ACTIONS {
        let span = start.map_or(Span::at(0), |t| t.span);
        parser.cursor.diagnostics.push(
            Diagnostic::error("too-large", span, "the rules are too large")
                .label(format!("{size} actions, with all powers written out"))
                .help(format!("at most {MAX_ACTIONS} are read")),
        );
        return None;
    }
    Some(expr)
}

struct Parser<'p, 'a> {
    cursor: &'p mut Cursor<'a>,
    names: &'p Names,
    depth: usize,
    in_pattern: usize,
}

/// An expression and the number of actions in it.
type Sized = (Expr, u64);

impl Parser<'_, '_> {
    fn enter(&mut self, token: &Token) -> Option<()> {
        self.depth += 1;
        if self.depth > MAX_NESTING {
            let diagnostic =
                Diagnostic::error("too-deep", token.span, "brackets are nested too deeply")
                    .label(format!("more than {MAX_NESTING} levels"));
            self.cursor.report(diagnostic, token);
            return None;
        }
        Some(())
    }

    fn sum(&mut self) -> Option<Sized> {
        let (first, mut size) = self.concat()?;
        if !self.cursor.at_mark("+") {
            return Some((first, size));
        }
        let mut all = vec![first];
        while self.cursor.eat("+") {
            let (next, more) = self.concat()?;
            all.push(next);
            size = size.saturating_add(more);
        }
        Some((Expr::Sum(all), size))
    }

    fn concat(&mut self) -> Option<Sized> {
        let (first, mut size) = self.factor()?;
        let mut all = vec![first];
        while self.cursor.peek().is_some_and(|t| begins_action(&t)) {
            let (next, more) = self.factor()?;
            all.push(next);
            size = size.saturating_add(more);
        }
        let only = if all.len() == 1 { all.pop() } else { None };
        Some((only.unwrap_or(Expr::Concat(all)), size))
    }

    fn factor(&mut self) -> Option<Sized> {
        let (mut expr, mut size) = self.base()?;
        // A chain of postfix operators nests like brackets.
        let mut nested = 0;
        while let Some(token) = self.cursor.peek() {
            if token.is("*") {
                self.cursor.next();
                // A star of a star is the star.
                if !matches!(expr, Expr::Star(_)) {
                    nested += 1;
                    expr = Expr::Star(Box::new(expr));
                }
            } else if token.is("^") {
                self.cursor.next();
                let Some(Tok::Number(copies)) = self.cursor.peek().map(|t| t.tok) else {
                    self.cursor.unexpected("expected the number of copies");
                    return None;
                };
                self.cursor.next();
                // The reference reads `^0` as one copy, and published counts depend on it.
                let copies = copies.max(1);
                size = size.saturating_mul(u64::from(copies));
                if copies > 1 {
                    nested += 1;
                    expr = Expr::Power(Box::new(expr), copies);
                }
            } else {
                break;
            }
            if self.depth + nested > MAX_NESTING {
                self.depth += nested;
                return self.enter(&token).map(|()| (expr, size));
            }
        }
        Some((expr, size))
    }

    fn base(&mut self) -> Option<Sized> {
        let Some(token) = self.cursor.peek() else {
            self.cursor.unexpected("expected an action");
            return None;
        };
        match token.tok {
            Tok::Word(sym) => self.shift(token, sym),
            Tok::Mark("(") => {
                self.cursor.next();
                self.enter(&token)?;
                if self.cursor.at_mark(")") {
                    self.cursor.unexpected("expected an action: brackets cannot be empty");
                    return None;
                }
                let inner = self.sum()?;
                self.close(")", &token)?;
                self.depth -= 1;
                Some(inner)
            }
            Tok::Mark("{") => {
                self.cursor.next();
                let mut pieces = self.pieces("}")?;
                pieces.sort_unstable();
                pieces.dedup();
                Some((Expr::On(pieces), 1))
            }
            Tok::Mark("[") => {
                self.cursor.next();
                let offs: Vec<Expr> = self.pieces("]")?.into_iter().map(Expr::Off).collect();
                let size = offs.len() as u64 + 1;
                Some((
                    match <[Expr; 1]>::try_from(offs) {
                        Ok([only]) => only,
                        Err(offs) if offs.is_empty() => Expr::On(Vec::new()),
                        Err(offs) => Expr::Sum(offs),
                    },
                    size,
                ))
            }
            Tok::Mark("{?" | "{!") => {
                self.cursor.next();
                self.enter(&token)?;
                self.in_pattern += 1;
                let (inner, size) = self.sum()?;
                self.in_pattern -= 1;
                self.close("}", &token)?;
                self.depth -= 1;
                let inner = Box::new(inner);
                Some((Expr::Pattern { negated: token.is("{!"), inner }, size.saturating_add(1)))
            }
            Tok::Mark("{$") => {
                self.cursor.next();
                let left = self.arithmetic(0)?;
                let operator = self.comparison()?;
                let right = self.arithmetic(0)?;
                self.close("}", &token)?;
                Some((Expr::Compare(left, operator, right), 1))
            }
            Tok::Mark("[$") => {
                self.cursor.next();
                self.assignments(&token)
            }
            Tok::Mark(mark @ ("->" | "->>")) => {
                self.cursor.next();
                if self.in_pattern > 0 {
                    let diagnostic =
                        Diagnostic::error("switch-in-pattern", token.span, "a switch in a pattern")
                            .label("patterns only look, they do not end a move");
                    self.cursor.report(diagnostic, &token);
                }
                let to = if mark == "->" { Some(self.player()?) } else { None };
                Some((Expr::Switch(to), 1))
            }
            Tok::Mark(".") => {
                self.cursor.next();
                Some((Expr::Dot, 1))
            }
            _ => {
                self.cursor.unexpected("expected an action");
                match token.tok {
                    Tok::Mark("+") => {
                        self.cursor.add_help("an alternative is missing before this `+`");
                    }
                    Tok::Mark("$" | "!" | "?") => self.cursor.add_help(NO_BLANK),
                    _ => {}
                }
                None
            }
        }
    }

    fn close(&mut self, mark: &str, open: &Token) -> Option<()> {
        if self.cursor.eat(mark) {
            return Some(());
        }
        self.cursor.unexpected(&format!("expected `{mark}` or an action"));
        if let Some(last) = self.cursor.diagnostics.last_mut() {
            last.notes.push(text::Note { span: open.span, text: "opened here".to_owned() });
        }
        None
    }

    #[expect(clippy::unnecessary_wraps, reason = "a kind of atom, as those that can fail")]
    fn shift(&mut self, token: Token, sym: Sym) -> Option<Sized> {
        if let Some(Meaning::Label(label)) = self.names.get(sym) {
            self.cursor.next();
            return Some((Expr::Shift(label), 1));
        }
        let shown = self.cursor.text(sym);
        let mut diagnostic = match self.names.get(sym) {
            Some(other) => {
                let message = format!("`{shown}` is a {}, not an action", other.kind());
                let help = match other {
                    Meaning::Piece(_) => {
                        format!("write `{{{shown}}}` to test for it, `[{shown}]` to put it")
                    }
                    Meaning::Player(_) => format!("write `->{shown}` to hand on the turn"),
                    _ => format!(
                        "write `[$ {shown} = ...]` to set it, `{{$ {shown} == ...}}` to test it"
                    ),
                };
                Diagnostic::error("not-an-action", token.span, message).help(help)
            }
            None => {
                Diagnostic::error("unknown-name", token.span, format!("no direction `{shown}`"))
            }
        };
        diagnostic = diagnostic.label("expected an action");
        if self.cursor.macros().any(|m| m == shown) {
            diagnostic = diagnostic.help(format!(
                "`{shown}` is a macro: use it in a later directive than its own, with all arguments"
            ));
        } else if self.names.get(sym).is_none() {
            let candidates = self.names.of(self.cursor, |m| matches!(m, Meaning::Label(_)));
            diagnostic =
                diagnostic.suggest(shown, candidates.into_iter().chain(self.cursor.macros()));
        }
        self.cursor.report(diagnostic, &token);
        self.cursor.next();
        // Brackets behind the name that look like arguments belong to it.
        if self.cursor.at_mark("(") && self.cursor.call_follows() {
            self.cursor.skip_brackets();
        }
        Some((Expr::Dot, 1))
    }

    fn pieces(&mut self, close: &str) -> Option<Vec<Piece>> {
        let mut pieces = Vec::new();
        loop {
            if self.cursor.eat(close) {
                return Some(pieces);
            }
            if self.cursor.eat(",") {
                continue;
            }
            match piece(self.cursor, self.names) {
                Some(piece) => pieces.push(piece),
                // The error has been reported; there may be more errors to report.
                None if self.cursor.peek().is_some_and(|t| t.word().is_some()) => {
                    self.cursor.next();
                }
                None => {
                    let mark = self.cursor.peek().filter(|t| t.is("!") || t.is("?") || t.is("$"));
                    if mark.is_some() {
                        self.cursor.add_help(NO_BLANK);
                    }
                    return None;
                }
            }
            if !self.cursor.at_mark(",") && !self.cursor.at_mark(close) {
                self.cursor.unexpected(&format!("expected `,` or `{close}` after a piece"));
                return None;
            }
        }
    }

    fn player(&mut self) -> Option<u8> {
        let found = self.cursor.peek().and_then(|t| Some((t, t.word()?)));
        let Some((token, sym)) = found else {
            self.cursor.unexpected("expected a player; `->>` hands the turn to the keeper");
            return None;
        };
        if let Some(Meaning::Player(player)) = self.names.get(sym) {
            self.cursor.next();
            return Some(player);
        }
        let shown = self.cursor.text(sym);
        let message = match self.names.get(sym) {
            Some(other) => format!("`{shown}` is a {}, not a player", other.kind()),
            None => format!("no player `{shown}`"),
        };
        let candidates = self.names.of(self.cursor, |m| matches!(m, Meaning::Player(_)));
        let diagnostic = Diagnostic::error("unknown-player", token.span, message)
            .label("expected a player")
            .suggest(shown, candidates);
        self.cursor.report(diagnostic, &token);
        self.cursor.next();
        Some(0)
    }

    fn assignments(&mut self, open: &Token) -> Option<Sized> {
        let mut all = Vec::new();
        loop {
            if self.cursor.eat(",") {
                continue;
            }
            if self.cursor.at_mark("]") && !all.is_empty() {
                break;
            }
            let var = self.variable()?;
            self.cursor.expect("=", "and the new value")?;
            all.push(Expr::Assign(var, self.arithmetic(0)?));
            if !self.cursor.at_mark(",") {
                break;
            }
        }
        self.close("]", open)?;
        let size = all.len() as u64;
        let only = if all.len() == 1 { all.pop() } else { None };
        Some((only.unwrap_or(Expr::Concat(all)), size))
    }

    fn variable(&mut self) -> Option<Var> {
        let found = self.cursor.peek().and_then(|t| Some((t, t.word()?)));
        let Some((token, sym)) = found else {
            self.cursor.unexpected("expected a variable or a player");
            return None;
        };
        match self.names.get(sym) {
            Some(Meaning::Var(var)) => {
                self.cursor.next();
                Some(var)
            }
            Some(Meaning::Player(player)) => {
                self.cursor.next();
                Some(Var::from(player))
            }
            other => {
                self.unknown_operand(token, sym, other, "a variable or a player", false);
                self.cursor.next();
                Some(0)
            }
        }
    }

    fn unknown_operand(
        &mut self,
        token: Token,
        sym: Sym,
        other: Option<Meaning>,
        expected: &str,
        pieces: bool,
    ) {
        let shown = self.cursor.text(sym);
        let message = match other {
            Some(other) => format!("`{shown}` is a {}, not {expected}", other.kind()),
            None => format!("no variable `{shown}`"),
        };
        let candidates = self.names.of(self.cursor, |m| match m {
            Meaning::Piece(_) => pieces,
            Meaning::Label(_) => false,
            _ => true,
        });
        let diagnostic = Diagnostic::error("unknown-variable", token.span, message)
            .label(format!("expected {expected}"))
            .suggest(shown, candidates);
        self.cursor.report(diagnostic, &token);
    }

    fn comparison(&mut self) -> Option<Comparison> {
        let operator = match self.cursor.peek().map(|t| t.tok) {
            Some(Tok::Mark("==")) => Comparison::Equal,
            Some(Tok::Mark("!=")) => Comparison::NotEqual,
            Some(Tok::Mark("<")) => Comparison::Less,
            Some(Tok::Mark("<=")) => Comparison::LessEqual,
            Some(Tok::Mark(">")) => Comparison::Greater,
            Some(Tok::Mark(">=")) => Comparison::GreaterEqual,
            found => {
                self.cursor.unexpected("expected `==`, `!=`, `<`, `<=`, `>` or `>=`");
                if found == Some(Tok::Mark("=")) {
                    self.cursor.add_help("`=` assigns, `==` compares");
                }
                return None;
            }
        };
        self.cursor.next();
        Some(operator)
    }

    /// Every operator binds more tightly than the one before it: `+`, `-`, `*`, `/`; chains of one
    /// operator associate to the left.
    fn arithmetic(&mut self, level: usize) -> Option<Arith> {
        const LEVELS: [(&str, Operator); 4] = [
            ("+", Operator::Add),
            ("-", Operator::Subtract),
            ("*", Operator::Multiply),
            ("/", Operator::Divide),
        ];
        let Some(&(mark, operator)) = LEVELS.get(level) else { return self.operand() };
        let mut left = self.arithmetic(level + 1)?;
        let before = self.depth;
        while let Some(token) = self.cursor.peek().filter(|t| t.is(mark)) {
            self.cursor.next();
            // A chain nests to the left as deep as its length.
            self.enter(&token)?;
            let right = self.arithmetic(level + 1)?;
            left = Arith::Binary(operator, Box::new(left), Box::new(right));
        }
        self.depth = before;
        Some(left)
    }

    fn operand(&mut self) -> Option<Arith> {
        let Some(token) = self.cursor.peek() else {
            self.cursor.unexpected("expected a number, a variable, a player or a piece");
            return None;
        };
        match token.tok {
            Tok::Number(number) => {
                self.cursor.next();
                let Ok(number) = i32::try_from(number) else {
                    let message = format!("{number} is too large");
                    let diagnostic = Diagnostic::error("number", token.span, message)
                        .label(format!("expected at most {}", i32::MAX));
                    self.cursor.report(diagnostic, &token);
                    return None;
                };
                Some(Arith::Number(number))
            }
            Tok::Mark("(") => {
                self.cursor.next();
                self.enter(&token)?;
                let inner = self.arithmetic(0)?;
                self.close(")", &token)?;
                self.depth -= 1;
                Some(inner)
            }
            Tok::Word(sym) => {
                let arith = match self.names.get(sym) {
                    Some(Meaning::Var(var)) => Arith::Var(var),
                    Some(Meaning::Player(player)) => Arith::Var(Var::from(player)),
                    Some(Meaning::Piece(piece)) => Arith::Count(piece),
                    other => {
                        let expected = "a number, a variable, a player or a piece";
                        self.unknown_operand(token, sym, other, expected, true);
                        Arith::Number(0)
                    }
                };
                self.cursor.next();
                Some(arith)
            }
            Tok::Mark(_) => {
                self.cursor.unexpected("expected a number, a variable, a player or a piece");
                None
            }
        }
    }
}

fn begins_action(token: &Token) -> bool {
    match token.tok {
        Tok::Word(_) => true,
        Tok::Mark(mark) => {
            matches!(mark, "(" | "{" | "[" | "{?" | "{!" | "{$" | "[$" | "->" | "->>" | ".")
        }
        Tok::Number(_) => false,
    }
}
