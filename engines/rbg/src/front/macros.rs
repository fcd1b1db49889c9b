//! Directives and macros: `#name = ...` and `#name(a; b) = ...`, substituted token by token.
//!
//! A macro is visible in the directives after its own, so nothing recurses. Arguments are expanded
//! at the place where they are written, bodies with the macros visible where *they* are written.
//! `a~b` glues the last token of `a` to the first of `b`.

use crate::limits::{MAX_MACRO_NESTING, MAX_TOKENS};
use rustc_hash::FxHashMap;
use text::{Diagnostic, Source, Span};

use super::lex::{Sym, Tok, Token, Words};

/// Most uses of macros that a message shows, from the inside out.
const NOTES: usize = 3;

/// One use of a macro.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    name: Sym,
    span: Span,
    /// The use that contains this one, 0 for none.
    within: u32,
}

/// A section after expansion.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    /// The span of its name.
    pub(crate) span: Span,
    pub(crate) tokens: Vec<Token>,
    /// The end of its text, at which missing parts are reported.
    pub(crate) end: Span,
}

/// All sections, expanded.
#[derive(Debug, Default)]
pub(crate) struct Expanded {
    pub(crate) sections: FxHashMap<Sym, Section>,
    /// Names of the macros, for near misses.
    pub(crate) macros: Vec<Sym>,
    pub(crate) sites: Vec<Site>,
}

impl Expanded {
    /// Adds to a message the uses of macros that brought a token to its place.
    pub(crate) fn explain(
        &self,
        mut diagnostic: Diagnostic,
        token: &Token,
        words: &Words,
    ) -> Diagnostic {
        let mut site = token.site;
        for _ in 0..NOTES {
            let Some(use_) = site.checked_sub(1).and_then(|s| self.sites.get(s as usize)) else {
                break;
            };
            diagnostic =
                diagnostic.note(use_.span, format!("in this use of `{}`", words.text(use_.name)));
            site = use_.within;
        }
        diagnostic
    }
}

struct Macro {
    params: Vec<Sym>,
    body: Vec<Token>,
    span: Span,
    /// Number of macros defined before it, which its body can use.
    order: usize,
}

/// The names that are visible during the expansion of tokens.
#[derive(Clone, Copy)]
struct Env<'e> {
    /// Parameters with their expanded arguments.
    bound: &'e [(Sym, Vec<Token>)],
    /// Macros numbered below this are visible.
    order: usize,
    site: u32,
    depth: usize,
}

struct Expander<'a> {
    words: &'a mut Words,
    diagnostics: &'a mut Vec<Diagnostic>,
    macros: FxHashMap<Sym, Vec<Macro>>,
    defined: usize,
    sites: Vec<Site>,
    work: usize,
    overflown: bool,
}

/// Splits a file into its directives and expands its sections.
pub(crate) fn expand(
    source: &Source,
    tokens: &[Token],
    words: &mut Words,
    diagnostics: &mut Vec<Diagnostic>,
) -> Expanded {
    let mut expander = Expander {
        words,
        diagnostics,
        macros: FxHashMap::default(),
        defined: 0,
        sites: Vec::new(),
        work: 0,
        overflown: false,
    };
    let mut out = Expanded::default();
    let first = tokens.iter().position(|t| t.is("#")).unwrap_or(tokens.len());
    if first > 0 || tokens.is_empty() {
        let span = tokens.first().map_or(Span::at(0), |t| t.span);
        expander.diagnostics.push(
            Diagnostic::error("no-directive", span, "a description begins with `#`").label(
                "expected `#players`, `#pieces`, `#variables`, `#board`, `#rules` or a macro",
            ),
        );
    }
    for directive in tokens[first..].split(|t| t.is("#")).skip(1) {
        expander.directive(source, directive, &mut out);
    }
    out.macros = expander.macros.keys().copied().collect();
    out.macros.sort_unstable();
    out.sites = expander.sites;
    out
}

impl Expander<'_> {
    fn directive(&mut self, source: &Source, tokens: &[Token], out: &mut Expanded) {
        let Some(Token { tok: Tok::Word(name), span, .. }) = tokens.first().copied() else {
            let span = tokens.first().map_or(Span::at(source.text().len()), |t| t.span);
            self.diagnostics.push(
                Diagnostic::error("directive", span, "`#` without a name")
                    .label("expected a section or the name of a macro"),
            );
            return;
        };
        let mut rest = &tokens[1..];
        let mut params = Vec::new();
        let bracketed = rest.first().is_some_and(|t| t.is("("));
        if bracketed {
            let Some(close) = rest.iter().position(|t| t.is(")")) else {
                self.diagnostics.push(
                    Diagnostic::error("directive", rest[0].span, "`(` is never closed")
                        .label("expected `)` after the parameters"),
                );
                return;
            };
            params = self.parameters(&rest[1..close]);
            rest = &rest[close + 1..];
        }
        let Some(equals) = rest.first().filter(|t| t.is("=")) else {
            let place = rest.first().map_or(Span::at(span.end as usize), |t| t.span);
            let shown = self.words.text(name).to_owned();
            self.diagnostics.push(
                Diagnostic::error("directive", place, format!("`#{shown}` has no `=`"))
                    .label("expected `=`"),
            );
            return;
        };
        let body = &rest[1..];
        let end = Span::at(body.last().map_or(equals.span.end, |t| t.span.end) as usize);
        if name.is_section() && !bracketed {
            let env = Env { bound: &[], order: self.defined, site: 0, depth: 0 };
            let mut expanded = Vec::new();
            self.run(body, env, &mut expanded);
            let section = Section { span, tokens: expanded, end };
            if let Some(earlier) = out.sections.insert(name, section) {
                let shown = self.words.text(name).to_owned();
                self.diagnostics.push(
                    Diagnostic::warning("repeated-section", span, format!("`#{shown}` again"))
                        .label("this one counts")
                        .note(earlier.span, "this one is forgotten"),
                );
            }
        } else if name.is_reserved() {
            let shown = self.words.text(name).to_owned();
            self.diagnostics.push(
                Diagnostic::error("reserved", span, format!("`{shown}` cannot name a macro"))
                    .label("a reserved word"),
            );
        } else {
            self.define(name, span, params, body.to_vec());
        }
    }

    fn parameters(&mut self, tokens: &[Token]) -> Vec<Sym> {
        let mut params: Vec<Sym> = Vec::new();
        for (i, part) in tokens.split(|t| t.is(";")).enumerate() {
            match part {
                [Token { tok: Tok::Word(sym), span, .. }] if !sym.is_reserved() => {
                    if params.contains(sym) {
                        let shown = self.words.text(*sym).to_owned();
                        self.diagnostics.push(Diagnostic::error(
                            "parameter",
                            *span,
                            format!("two parameters `{shown}`"),
                        ));
                    }
                    params.push(*sym);
                }
                _ => {
                    let span = part.first().or(tokens.get(i)).or(tokens.last());
                    let span = span.map_or(Span::at(0), |t| t.span);
                    let mut diagnostic =
                        Diagnostic::error("parameter", span, "a parameter is one name")
                            .label("expected a name");
                    if part.iter().any(|t| t.is(",")) {
                        diagnostic = diagnostic.help("parameters are separated by `;`");
                    }
                    self.diagnostics.push(diagnostic);
                    // A place holder keeps the number of arguments right.
                    params.push(Sym(u32::MAX));
                }
            }
        }
        params
    }

    fn define(&mut self, name: Sym, span: Span, params: Vec<Sym>, body: Vec<Token>) {
        let order = self.defined;
        self.defined += 1;
        let shown = self.words.text(name).to_owned();
        let known = self.macros.entry(name).or_default();
        if let Some(same) = known.iter().find(|m| m.params.len() == params.len()) {
            self.diagnostics.push(
                Diagnostic::warning("redefined", span, format!("macro `{shown}` again"))
                    .label("this one is never used")
                    .note(same.span, "this one stays in force"),
            );
            return;
        }
        if let Some(other) = known.iter().find(|m| m.params.is_empty() != params.is_empty()) {
            self.diagnostics.push(
                Diagnostic::error(
                    "overload",
                    span,
                    format!("macro `{shown}` both with and without parameters"),
                )
                .note(other.span, "the other one")
                .help("give one of them another name"),
            );
            return;
        }
        known.push(Macro { params, body, span, order });
    }

    /// Counts work; false if there was too much of it.
    fn afford(&mut self, tokens: usize, place: Span) -> bool {
        self.work += tokens;
        if self.work > MAX_TOKENS && !self.overflown {
            self.overflown = true;
            self.diagnostics.push(
                Diagnostic::error("too-large", place, "macros make this description too large")
                    .label(format!("more than {MAX_TOKENS} tokens")),
            );
        }
        !self.overflown
    }

    fn run(&mut self, tokens: &[Token], env: Env<'_>, out: &mut Vec<Token>) {
        let mut at = 0;
        // The `~` that glues the next element to the token before it.
        let mut glue: Option<Token> = None;
        while at < tokens.len() && !self.overflown {
            let begun = out.len();
            if tokens[at].is("~") {
                self.diagnostics.push(
                    Diagnostic::error("paste", tokens[at].span, "`~` has nothing on its left")
                        .help("write it between two names: `color~Pawn`"),
                );
                at += 1;
                continue;
            }
            at = self.element(tokens, at, env, out);
            if let Some(paste) = glue.take() {
                self.paste(paste, begun, env, out);
            }
            if tokens.get(at).is_some_and(|t| t.is("~")) {
                if at + 1 == tokens.len() {
                    self.diagnostics.push(Diagnostic::error(
                        "paste",
                        tokens[at].span,
                        "`~` has nothing on its right",
                    ));
                }
                glue = Some(tokens[at]);
                at += 1;
            }
        }
    }

    /// Expands the token at an index, with its arguments; returns the index of the next token.
    fn element(
        &mut self,
        tokens: &[Token],
        at: usize,
        env: Env<'_>,
        out: &mut Vec<Token>,
    ) -> usize {
        let token = tokens[at];
        if !self.afford(1, token.span) {
            return at + 1;
        }
        let Some(name) = token.word() else {
            out.push(Token { site: env.site, ..token });
            return at + 1;
        };
        if let Some((_, argument)) = env.bound.iter().find(|&&(param, _)| param == name) {
            if self.afford(argument.len(), token.span) {
                out.extend_from_slice(argument);
            }
            return at + 1;
        }
        let visible = |m: &&Macro| m.order < env.order;
        let Some(overloads) = self.macros.get(&name).filter(|all| all.iter().any(|m| visible(&m)))
        else {
            out.push(Token { site: env.site, ..token });
            return at + 1;
        };
        let plain = overloads.iter().filter(visible).any(|m| m.params.is_empty());
        let (arguments, next) = if plain {
            (Vec::new(), at + 1)
        } else if tokens.get(at + 1).is_some_and(|t| t.is("(")) {
            match split_arguments(&tokens[at + 2..]) {
                Some((arguments, used)) => (arguments, at + 2 + used),
                None => {
                    self.diagnostics.push(
                        Diagnostic::error(
                            "unclosed-bracket",
                            tokens[at + 1].span,
                            "these arguments are never closed",
                        )
                        .label("expected `)`"),
                    );
                    return tokens.len();
                }
            }
        } else {
            // An ordinary name; the parser reports it if it has no meaning.
            out.push(Token { site: env.site, ..token });
            return at + 1;
        };
        if env.depth >= MAX_MACRO_NESTING {
            self.overflown = true;
            self.diagnostics.push(
                Diagnostic::error("too-deep", token.span, "macros are nested too deeply")
                    .label(format!("more than {MAX_MACRO_NESTING} levels")),
            );
            return next;
        }
        let arity = arguments.len();
        let found = self
            .macros
            .get(&name)
            .and_then(|all| all.iter().filter(visible).find(|m| m.params.len() == arity));
        let Some(found) = found else {
            self.wrong_arity(name, token, arity, env.order);
            return next;
        };
        let (params, body, order) = (found.params.clone(), found.body.clone(), found.order);
        self.sites.push(Site { name, span: token.span, within: env.site });
        let site = self.sites.len() as u32;
        let inner = Env { depth: env.depth + 1, ..env };
        let mut bound = Vec::with_capacity(arity);
        for (param, argument) in params.into_iter().zip(arguments) {
            let mut expanded = Vec::new();
            self.run(argument, inner, &mut expanded);
            bound.push((param, expanded));
        }
        self.run(&body, Env { bound: &bound, order, site, depth: env.depth + 1 }, out);
        next
    }

    fn wrong_arity(&mut self, name: Sym, token: Token, arity: usize, order: usize) {
        let shown = self.words.text(name).to_owned();
        let all = self.macros.get(&name).map_or(&[][..], |all| all);
        let visible: Vec<&Macro> = all.iter().filter(|m| m.order < order).collect();
        let counts: Vec<String> = visible.iter().map(|m| m.params.len().to_string()).collect();
        let mut diagnostic = Diagnostic::error(
            "arguments",
            token.span,
            format!(
                "no macro `{shown}` takes {arity} argument{}",
                if arity == 1 { "" } else { "s" }
            ),
        )
        .label(format!("expected {}", counts.join(" or ")));
        if let Some(first) = visible.first() {
            diagnostic = diagnostic.note(first.span, "defined here");
        }
        self.diagnostics.push(diagnostic.help("arguments are separated by `;`"));
    }

    /// Glues the token before `begun` to the one at `begun`.
    fn paste(&mut self, mark: Token, begun: usize, env: Env<'_>, out: &mut Vec<Token>) {
        if begun == 0 || begun >= out.len() {
            return; // an empty side leaves the other as it is
        }
        let (left, right) = (out[begun - 1], out[begun]);
        let text = format!("{}{}", self.show(left.tok), self.show(right.tok));
        let tok = match (left.tok, right.tok) {
            (Tok::Word(_), Tok::Word(_) | Tok::Number(_)) => {
                Some(Tok::Word(self.words.intern(&text)))
            }
            (Tok::Number(_), Tok::Number(_)) => text.parse().ok().map(Tok::Number),
            (Tok::Mark(_), Tok::Mark(_)) => {
                super::lex::MARKS.iter().find(|m| **m == text).map(|m| Tok::Mark(m))
            }
            _ => None,
        };
        let Some(tok) = tok else {
            self.diagnostics.push(
                Diagnostic::error("paste", mark.span, format!("`{text}` is not one token"))
                    .label("these two cannot be glued")
                    .note(left.span, "this")
                    .note(right.span, "and this"),
            );
            return;
        };
        if text.len() > 4096 && !self.overflown {
            self.overflown = true;
            self.diagnostics.push(Diagnostic::error(
                "too-large",
                mark.span,
                "this name is too long",
            ));
        }
        out[begun - 1] = Token { tok, span: left.span, site: env.site };
        out.remove(begun);
    }

    fn show(&self, tok: Tok) -> String {
        match tok {
            Tok::Word(sym) => self.words.text(sym).to_owned(),
            Tok::Number(number) => number.to_string(),
            Tok::Mark(mark) => mark.to_owned(),
        }
    }
}

/// The arguments of a use whose `(` was just read, and the number of tokens up to its `)`.
fn split_arguments(tokens: &[Token]) -> Option<(Vec<&[Token]>, usize)> {
    let mut arguments = Vec::new();
    let (mut depth, mut start) = (0usize, 0);
    for (i, token) in tokens.iter().enumerate() {
        match token.tok {
            Tok::Mark("(") => depth += 1,
            Tok::Mark(")") if depth == 0 => {
                arguments.push(&tokens[start..i]);
                return Some((arguments, i + 1));
            }
            Tok::Mark(")") => depth -= 1,
            Tok::Mark(";") if depth == 0 => {
                arguments.push(&tokens[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    None
}
