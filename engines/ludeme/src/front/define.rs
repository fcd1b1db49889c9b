use crate::limits::MAX_MACRO_NESTING;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use text::{Bracket, Diagnostic, Flavour, Source, read};

use super::place::{Place, Replaced, Via};
use super::token::{Budget, Token, TokenKind, closing, flatten, render};

/// Parameters are `#1` to `#9`.
const MAX_PARAMETERS: usize = 9;

/// A named piece of text with parameters.
#[derive(Debug)]
pub(super) struct Macro {
    name: Arc<str>,
    body: Vec<Token>,
    /// The parameters are `#1` to this number; a number behind a gap is none.
    parameters: usize,
    /// The place of its name.
    place: Place,
}

/// Macros by name.
#[derive(Debug, Default)]
pub(super) struct Macros(BTreeMap<Arc<str>, Macro>);

/// The macros that every description may call without defining them.
pub(super) fn library() -> &'static Macros {
    static LIBRARY: OnceLock<Macros> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let mut macros = Macros::default();
        for text in [
            include_str!("library/conditions.lud"),
            include_str!("library/equipment.lud"),
            include_str!("library/functions.lud"),
            include_str!("library/moves.lud"),
            include_str!("library/rules.lud"),
        ] {
            let tree = read(&Source::new("library", text), Flavour::LUD);
            let mut diagnostics = tree.diagnostics;
            macros.extract(flatten(&tree.nodes), &mut diagnostics);
            debug_assert!(diagnostics.is_empty(), "{diagnostics:?}");
        }
        macros
    })
}

impl Macros {
    /// The names, sorted.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(|name| &**name)
    }

    fn get(&self, name: &str) -> Option<&Macro> {
        self.0.get(name)
    }

    /// Takes the definitions out of `tokens`. Returns the other tokens, and true if there were
    /// definitions.
    pub(super) fn extract(
        &mut self,
        tokens: Vec<Token>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> (Vec<Token>, bool) {
        let is_define = |open: usize| {
            tokens[open].kind == TokenKind::Open(Bracket::Round)
                && tokens.get(open + 1).and_then(Token::word) == Some("define")
        };
        if !(0..tokens.len()).any(is_define) {
            return (tokens, false);
        }
        let mut out = Vec::with_capacity(tokens.len());
        let mut index = 0;
        while index < tokens.len() {
            if !is_define(index) {
                out.push(tokens[index].clone());
                index += 1;
                continue;
            }
            let end = closing(&tokens, index);
            match tokens.get(index + 2).filter(|_| index + 2 < end) {
                Some(name) if name.text().is_some() => {
                    self.define(name, &tokens[index + 3..end], diagnostics);
                }
                other => diagnostics.push(
                    other
                        .unwrap_or(&tokens[index])
                        .place
                        .error(
                            "unnamed-define",
                            "a definition begins with the name of the macro in quotes",
                        )
                        .help("write (define \"Name\" ..)"),
                ),
            }
            index = end + 1;
        }
        (out, true)
    }

    fn define(&mut self, name: &Token, body: &[Token], diagnostics: &mut Vec<Diagnostic>) {
        let place = &name.place;
        let name: Arc<str> = name.text().unwrap_or_default().into();
        if let Some(first) = self.0.get(&name) {
            diagnostics.push(
                place
                    .warning("defined-twice", format!("the macro \"{name}\" is defined already"))
                    .label("this definition is ignored")
                    .note(first.place.span, "the first definition counts"),
            );
            return;
        }
        if !name.starts_with(|c: char| c.is_uppercase() || !c.is_alphabetic()) {
            diagnostics.push(
                place
                    .warning(
                        "lower-case-macro",
                        format!("the macro name \"{name}\" begins in lower case"),
                    )
                    .help("names of macros begin with an upper-case letter by convention"),
            );
        }
        let parameters = (1..=MAX_PARAMETERS)
            .take_while(|&number| body.iter().any(|token| mentions(token, number)));
        let parameters = parameters.count();
        if let Some((token, number)) = body.iter().find_map(|token| {
            let number =
                (parameters + 1..=MAX_PARAMETERS).find(|&number| mentions(token, number))?;
            Some((token, number))
        }) {
            diagnostics.push(
                token
                    .place
                    .warning(
                        "parameter-gap",
                        format!("#{number} is used, but #{} is not", parameters + 1),
                    )
                    .label("this is never replaced")
                    .help("number the parameters from #1 without gaps"),
            );
        }
        self.0.insert(
            name.clone(),
            Macro { name, body: body.to_vec(), parameters, place: place.clone() },
        );
    }
}

fn held(token: &Token) -> Option<&str> {
    token.word().or(token.text())
}

fn mentions(token: &Token, number: usize) -> bool {
    held(token).is_some_and(|held| {
        held.match_indices('#').any(|(offset, _)| parameter(held, offset) == Some(number))
    })
}

/// The number behind the `#` at an offset.
fn parameter(held: &str, offset: usize) -> Option<usize> {
    let digit = char::from(*held.as_bytes().get(offset + 1)?).to_digit(10)?;
    (digit > 0).then_some(digit as usize)
}

/// Replaces the calls of macros in `tokens`, one set of macros at a time.
pub(super) struct Expander<'a> {
    pub(super) macros: &'a Macros,
    pub(super) what: Replaced,
    pub(super) budget: &'a mut Budget,
    pub(super) diagnostics: &'a mut Vec<Diagnostic>,
}

impl Expander<'_> {
    /// Replaces all calls, those in inserted bodies as well, until none is left. Returns true if
    /// there were any.
    pub(super) fn run(&mut self, tokens: Vec<Token>) -> (Vec<Token>, bool) {
        let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
        // The tokens still to be read, the next token last.
        let mut todo = tokens;
        todo.reverse();
        let mut changed = false;
        while let Some(token) = todo.pop() {
            // In a call in parentheses the name of the macro follows the bracket.
            let named = token.kind == TokenKind::Open(Bracket::Round);
            let name = if named { todo.last().and_then(Token::text) } else { token.text() };
            let found = name
                .and_then(|name| self.macros.get(name))
                .filter(|_| named || !out.last().and_then(Token::word).is_some_and(takes_title));
            let Some(found) = found else {
                out.push(token);
                continue;
            };
            let call = if named {
                todo.pop().unwrap_or_else(|| token.clone()).place
            } else {
                token.place.clone()
            };
            let args = if named { take_arguments(&mut todo) } else { Vec::new() };
            if call.depth() >= MAX_MACRO_NESTING {
                self.diagnostics.push(endless(&call, &found.name));
                self.budget.take(usize::MAX);
                return (out, false);
            }
            changed = true;
            let body = self.instantiate(found, &args, &call, token.glued);
            if !self.budget.take(found.body.len() + 1) {
                self.diagnostics.push(too_large(&call));
                return (out, false);
            }
            todo.extend(body.into_iter().rev());
        }
        (out, changed)
    }

    fn instantiate(
        &mut self,
        found: &Macro,
        args: &[Vec<Token>],
        call: &Place,
        glued: bool,
    ) -> Vec<Token> {
        let lacks = (args.len() < found.parameters).then_some(args.len() as u8 + 1);
        let via = call.replaced(self.what, found.name.clone(), lacks);
        if args.len() > found.parameters && args[found.parameters..].iter().any(|arg| !is_null(arg))
        {
            self.diagnostics.push(
                call.warning(
                    "surplus-argument",
                    format!(
                        "\"{}\" takes {}, and is given {}",
                        found.name,
                        counted(found.parameters),
                        args.len()
                    ),
                )
                .label("what is too much is ignored"),
            );
        }
        let argument =
            |number: usize| args.get(number - 1).map(Vec::as_slice).filter(|arg| !is_null(arg));
        let mut out: Vec<Token> = Vec::with_capacity(found.body.len());
        for token in &found.body {
            let place = self.place(token, call, &via);
            let paste = Token { kind: token.kind.clone(), glued: token.glued, place };
            let Some(held) = held(token).filter(|held| held.contains('#')) else {
                out.push(paste);
                continue;
            };
            // The body is cut at the parameters: fixed text and arguments alternate.
            let mut rest = held;
            let mut pieces: Vec<(&str, Option<usize>)> = Vec::new();
            let mut from = 0;
            while let Some(offset) = rest[from..].find('#').map(|offset| offset + from) {
                match parameter(rest, offset).filter(|&number| number <= found.parameters) {
                    Some(number) => {
                        pieces.push((&rest[..offset], Some(number)));
                        rest = &rest[offset + 2..];
                        from = 0;
                    }
                    None => from = offset + 1,
                }
            }
            pieces.push((rest, None));
            if matches!(token.kind, TokenKind::Text(_)) {
                let mut text = String::new();
                for (fixed, number) in pieces {
                    text.push_str(fixed);
                    if let Some(arg) = number.and_then(argument) {
                        text.push_str(&render(arg));
                    }
                    // Texts are paid for by length, so that pasting them into each other comes to
                    // an end.
                    if !self.budget.take(text.len() / 16) {
                        break;
                    }
                }
                out.push(Token { kind: TokenKind::Text(text.into()), ..paste });
                continue;
            }
            let mut glued = token.glued;
            for (fixed, number) in pieces {
                if !fixed.is_empty() {
                    out.push(Token {
                        kind: TokenKind::Word(fixed.into()),
                        glued,
                        place: paste.place.clone(),
                    });
                    glued = true;
                }
                let Some(number) = number else { continue };
                if let Some(arg) = argument(number) {
                    if !self.budget.take(arg.len()) {
                        break;
                    }
                    for (index, token) in arg.iter().enumerate() {
                        let glued = if index == 0 { glued } else { token.glued };
                        out.push(Token { glued, ..token.clone() });
                    }
                    glued = true;
                } else {
                    if let Some(name) = fixed.strip_suffix(':') {
                        self.diagnostics.push(missing_argument(found, number, name, call));
                    }
                    glued = false;
                }
            }
        }
        if let Some(first) = out.first_mut() {
            first.glued = glued;
        }
        out
    }

    /// The place of a token of a body: in the body, or at the call if the body is in the library.
    fn place(&self, token: &Token, call: &Place, via: &Arc<Via>) -> Place {
        let span = match self.what {
            Replaced::LibraryMacro => call.span,
            Replaced::Macro | Replaced::Tag => token.place.span,
        };
        Place { span, via: Some(via.clone()) }
    }
}

/// Keywords whose first string is the title of a game and never a macro.
fn takes_title(word: &str) -> bool {
    matches!(word, "game" | "match" | "instance")
}

fn is_null(arg: &[Token]) -> bool {
    matches!(arg, [token] if token.word() == Some("~"))
}

fn counted(parameters: usize) -> String {
    match parameters {
        0 => "no arguments".to_owned(),
        1 => "one argument".to_owned(),
        n => format!("{n} arguments"),
    }
}

/// Takes the arguments of a call up to its closing bracket, which is dropped. White space separates
/// arguments: a word, a string, a bracketed list, or a name with its argument.
fn take_arguments(todo: &mut Vec<Token>) -> Vec<Vec<Token>> {
    let mut args: Vec<Vec<Token>> = Vec::new();
    let mut depth = 0usize;
    while let Some(token) = todo.pop() {
        if token.is_close() && depth == 0 {
            break;
        }
        let joins = depth > 0
            || token.is_close()
            || (token.glued
                && args.last().and_then(|arg| arg.last()).is_some_and(|last| {
                    last.word().is_some() || (last.text().is_some() && token.word().is_some())
                }));
        if token.is_open() {
            depth += 1;
        } else if token.is_close() {
            depth -= 1;
        }
        match args.last_mut().filter(|_| joins) {
            Some(arg) => arg.push(token),
            None => args.push(vec![token]),
        }
    }
    args
}

/// The diagnostic of a description whose expansion is given up.
pub(super) fn too_large(place: &Place) -> Diagnostic {
    place
        .error(
            "expansion-too-large",
            "the description grows beyond all bounds when options and macros are replaced",
        )
        .label("the limit was reached here")
}

fn missing_argument(found: &Macro, number: usize, name: &str, call: &Place) -> Diagnostic {
    call.error("missing-argument", format!("\"{}\" needs its argument #{number} here", found.name))
        .label(format!(
            "without it, nothing follows `{name}:` and the name sticks to the next argument"
        ))
        .note(found.place.span, format!("\"{}\" takes {}", found.name, counted(found.parameters)))
}

/// The diagnostic of a call whose expansion never ends, with the cycle of macros.
fn endless(call: &Place, name: &str) -> Diagnostic {
    // The calls from the innermost outwards, up to the last call of the same macro.
    let mut cycle = vec![name.to_owned()];
    for via in call.steps().filter(|via| via.what != Replaced::Tag) {
        cycle.push(via.name.to_string());
        if *via.name == *name {
            break;
        }
    }
    cycle.reverse();
    let shown: Vec<String> = cycle.iter().map(|name| format!("\"{name}\"")).collect();
    // The chain of calls would be a hundred notes, and the cycle contains all of them.
    Diagnostic::error(
        "recursive-macro",
        call.span,
        format!("the macro \"{name}\" calls itself without end"),
    )
    .label(shown.join(" calls "))
    .help("a macro is replaced by its text, so it cannot contain itself")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_library_has_every_macro_once() {
        // The library is read without errors, or the test panics here.
        let library = library();
        assert_eq!(library.names().count(), 164);
        assert!(library.names().all(|name| name.starts_with(char::is_uppercase)));
        assert_eq!(library.get("StepToEmpty").map(|found| found.parameters), Some(2));
        assert_eq!(library.get("SameTurn").map(|found| found.parameters), Some(0));
    }
}
