use crate::diagnostic::{Diagnostic, MAX_DIAGNOSTICS, note_unsaid};
use crate::source::{Source, Span};

/// Brackets nested deeper than this are an error: front ends recurse over the tree, and no honest
/// rule file comes near (the deepest of a thousand public ones stays under 60).
pub const MAX_DEPTH: usize = 256;

/// The points in which the lexer of one language differs from the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Flavour {
    /// Text that starts a comment to the end of the line.
    pub comment: &'static str,
    /// True if `"` starts a string (else it is a character like any other).
    pub strings: bool,
    /// True if `{ }` nest like parentheses (else they are characters like any other).
    pub braces: bool,
}

impl Flavour {
    /// Ludeme descriptions: `//` comments, strings, arrays in braces.
    pub const LUD: Flavour = Flavour { comment: "//", strings: true, braces: true };
    /// Knowledge interchange format: `;` comments, parentheses only.
    pub const KIF: Flavour = Flavour { comment: ";", strings: false, braces: false };
}

/// The kind of brackets around a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Bracket {
    /// `( )`
    Round,
    /// `{ }`
    Curly,
}

impl Bracket {
    /// The character that opens it.
    pub fn open(self) -> char {
        match self {
            Bracket::Round => '(',
            Bracket::Curly => '{',
        }
    }

    /// The character that closes it.
    pub fn close(self) -> char {
        match self {
            Bracket::Round => ')',
            Bracket::Curly => '}',
        }
    }
}

/// A piece of bracketed text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// The sort of node.
    pub kind: NodeKind,
    /// The place of the node, brackets and quotes included.
    pub span: Span,
}

/// The three kinds of [`Node`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NodeKind {
    /// A bare word: everything up to white space, a bracket, a quote or a comment.
    Word(String),
    /// A quoted string, without its quotes; `\"` inside is a quote.
    Text(String),
    /// A bracketed list.
    List(Bracket, Vec<Node>),
}

impl Node {
    /// The word, if it is one.
    pub fn word(&self) -> Option<&str> {
        match &self.kind {
            NodeKind::Word(word) => Some(word),
            _ => None,
        }
    }

    /// The items, if it is a list in brackets of this kind.
    pub fn list(&self, bracket: Bracket) -> Option<&[Node]> {
        match &self.kind {
            NodeKind::List(b, items) if *b == bracket => Some(items),
            _ => None,
        }
    }

    /// The first word of a list in round brackets.
    pub fn head(&self) -> Option<&str> {
        self.list(Bracket::Round)?.first()?.word()
    }
}

/// The nodes and diagnostics that [`read`] returns.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// The items at the top level, in order.
    pub nodes: Vec<Node>,
    /// Everything wrong with the brackets and quotes. Where there is an error, `nodes` is the best
    /// guess: unclosed lists are closed where indentation says that they should have been.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads bracketed text.
///
/// A missing closing bracket is reported at the innermost list that the layout shows to be
/// unclosed: the first line indented no deeper than the line an open list began on, when that list
/// holds more lines, tells where it should have ended.
pub fn read(source: &Source, flavour: Flavour) -> Tree {
    Reader {
        source,
        flavour,
        text: source.text(),
        at: 0,
        open: Vec::new(),
        top: Vec::new(),
        diagnostics: Vec::new(),
        unsaid: 0,
        no_quotes: false,
        too_deep: 0,
        suspect: None,
        line: Line { start: 0, indent: 0, begun: false },
    }
    .run()
}

struct Open {
    bracket: Bracket,
    start: usize,
    items: Vec<Node>,
    /// The line that it begins on, as it was just before.
    line: Line,
}

/// A list that was probably never closed where its author meant to.
struct Suspect {
    bracket: Bracket,
    start: usize,
    /// The word behind its bracket.
    keyword: String,
    /// The list that by its layout should have come after it; nothing when the text just ended.
    before: Option<Span>,
}

impl Suspect {
    fn new(open: &Open, before: Option<Span>) -> Suspect {
        let keyword = open.items.first().and_then(Node::word).unwrap_or("").to_owned();
        Suspect { bracket: open.bracket, start: open.start, keyword, before }
    }
}

/// The position of the reader in its line, kept up to date so that one long line costs no more than
/// many short ones.
#[derive(Clone, Copy)]
struct Line {
    start: usize,
    /// White space in front, in characters.
    indent: usize,
    /// True if anything but white space came yet.
    begun: bool,
}

struct Reader<'a> {
    source: &'a Source,
    flavour: Flavour,
    text: &'a str,
    at: usize,
    open: Vec<Open>,
    top: Vec<Node>,
    diagnostics: Vec<Diagnostic>,
    /// Messages beyond [`MAX_DIAGNOSTICS`], which are only counted.
    unsaid: usize,
    /// True if no quote from here on closes a string.
    no_quotes: bool,
    /// Open brackets beyond [`MAX_DEPTH`], skipped with all they hold.
    too_deep: usize,
    /// The first list whose layout says that it should have been closed before.
    suspect: Option<Suspect>,
    line: Line,
}

impl Reader<'_> {
    fn run(mut self) -> Tree {
        while let Some(c) = self.text[self.at..].chars().next() {
            let start = self.at;
            match c {
                '\u{feff}' => self.at += c.len_utf8(),
                '\n' => {
                    self.at += 1;
                    self.line = Line { start: self.at, indent: 0, begun: false };
                }
                c if c.is_whitespace() => {
                    self.at += c.len_utf8();
                    self.line.indent += usize::from(!self.line.begun);
                }
                _ if self.comment_here() => self.skip_line(),
                '(' => self.enter(Bracket::Round),
                ')' => self.leave(Bracket::Round),
                '{' if self.flavour.braces => self.enter(Bracket::Curly),
                '}' if self.flavour.braces => self.leave(Bracket::Curly),
                '"' if self.flavour.strings => self.text_literal(),
                _ => {
                    self.skip_word();
                    self.line.begun = true;
                    let word = self.text[start..self.at].to_owned();
                    self.push(NodeKind::Word(word), start);
                }
            }
        }
        self.close_the_rest();
        note_unsaid(&mut self.diagnostics, self.unsaid);
        Tree { nodes: self.top, diagnostics: self.diagnostics }
    }

    /// Takes a message, or only counts it. Texts that are no rules have a mistake in every byte.
    fn say(&mut self, diagnostic: impl FnOnce(&Self) -> Diagnostic) {
        if self.diagnostics.len() < MAX_DIAGNOSTICS {
            let diagnostic = diagnostic(self);
            self.diagnostics.push(diagnostic);
        } else {
            self.unsaid += 1;
        }
    }

    fn comment_here(&self) -> bool {
        self.text[self.at..].starts_with(self.flavour.comment)
    }

    fn skip_line(&mut self) {
        self.at += self.text[self.at..].find('\n').unwrap_or(self.text.len() - self.at);
    }

    fn skip_word(&mut self) {
        while let Some(c) = self.text[self.at..].chars().next() {
            let stops = c.is_whitespace()
                || matches!(c, '(' | ')')
                || (self.flavour.braces && matches!(c, '{' | '}'))
                || (self.flavour.strings && c == '"')
                || self.comment_here();
            if stops {
                break;
            }
            self.at += c.len_utf8();
        }
    }

    fn push(&mut self, kind: NodeKind, start: usize) {
        if self.too_deep > 0 {
            return;
        }
        let node = Node { kind, span: Span::new(start, self.at) };
        match self.open.last_mut() {
            Some(open) => open.items.push(node),
            None => self.top.push(node),
        }
    }

    fn text_literal(&mut self) {
        self.line.begun = true;
        let start = self.at;
        self.at += 1;
        let mut value = String::new();
        let mut chars = self.text[self.at..].char_indices();
        let base = self.at;
        while let Some((i, c)) = chars.next().filter(|_| !self.no_quotes) {
            match c {
                '\\' if self.text[base + i + 1..].starts_with('"') => {
                    value.push('"');
                    chars.next();
                }
                '"' => {
                    self.at = base + i + 1;
                    self.push(NodeKind::Text(value), start);
                    return;
                }
                _ => value.push(c),
            }
        }
        // Unclosed: take the string to end with its first line, and go on from there. Nor is any
        // string closed that begins there; to look for that each time would take time quadratic in
        // the text.
        self.no_quotes = true;
        let line = self.text[base..].find('\n').unwrap_or(self.text.len() - base);
        self.at = base + line;
        self.say(|reader| {
            Diagnostic::error(
                "unclosed-string",
                Span::new(start, reader.at),
                "this string is never closed",
            )
            .label("no closing `\"` after this")
            .help("write a `\"` where the string ends")
        });
        self.push(NodeKind::Text(self.text[base..self.at].trim_end().to_owned()), start);
    }

    fn enter(&mut self, bracket: Bracket) {
        let start = self.at;
        self.at += 1;
        if self.too_deep > 0 || self.open.len() >= MAX_DEPTH {
            if self.too_deep == 0 {
                self.say(|reader| {
                    Diagnostic::error(
                        "too-deep",
                        Span::new(start, reader.at),
                        "brackets are nested too deeply",
                    )
                    .label(format!("more than {MAX_DEPTH} levels"))
                    .help("split the description into smaller named parts")
                });
            }
            self.too_deep += 1;
            return;
        }
        // A list that begins its line no deeper than an open one that began its own line is laid
        // out as that one's sibling.
        let line = self.line;
        if self.suspect.is_none() && !line.begun {
            let sibling = self.open.iter().rev().find(|open| {
                open.line.start < line.start && !open.line.begun && open.line.indent >= line.indent
            });
            if let Some(open) = sibling {
                self.suspect = Some(Suspect::new(open, Some(Span::new(start, start + 1))));
            }
        }
        self.line.begun = true;
        self.open.push(Open { bracket, start, items: Vec::new(), line });
    }

    fn leave(&mut self, bracket: Bracket) {
        let start = self.at;
        self.at += 1;
        // A bracket that begins its line further out than its list closes some outer list instead.
        let dedented = self.open.last().is_some_and(|open| {
            !self.line.begun && !open.line.begun && self.line.indent < open.line.indent
        });
        self.line.begun = true;
        let here = Span::new(start, self.at);
        if self.too_deep > 0 {
            self.too_deep -= 1;
            return;
        }
        match self.open.last() {
            Some(open) if open.bracket == bracket => {
                let suspect = dedented
                    .then(|| self.suspect.take().unwrap_or_else(|| Suspect::new(open, Some(here))));
                self.close_last();
                self.suspect = suspect.or(self.suspect.take());
            }
            Some(open) => {
                let (innermost, begun) = (open.bracket, open.start);
                self.say(|_| {
                    let message = format!(
                        "`{}` closes nothing here: the innermost open bracket is `{}`",
                        bracket.close(),
                        innermost.open()
                    );
                    Diagnostic::error("mismatched-bracket", here, message)
                        .label(format!("expected `{}`", innermost.close()))
                        .note(Span::new(begun, begun + 1), "opened here")
                });
                // If an outer list matches, the inner ones were left open; else ignore the bracket.
                if self.open.iter().any(|open| open.bracket == bracket) {
                    while self.open.last().is_some_and(|open| open.bracket != bracket) {
                        self.close_last();
                    }
                    self.close_last();
                }
            }
            None => self.say(|reader| reader.surplus(bracket, here)),
        }
    }

    /// A bracket that closes nothing, where nothing is open.
    fn surplus(&self, bracket: Bracket, here: Span) -> Diagnostic {
        let message = format!("`{}` without an opening bracket", bracket.close());
        let mut diagnostic =
            Diagnostic::error("surplus-bracket", here, message).label("nothing is open here");
        if let Some(last) = self.top.last() {
            let end = last.span.end as usize;
            diagnostic = diagnostic
                .note(Span::new(end.saturating_sub(1), end), "the last list was closed here");
        }
        diagnostic.help("delete it, or open a bracket before it")
    }

    fn close_last(&mut self) {
        if let Some(open) = self.open.pop() {
            // If it was the suspect, it was only laid out unusually.
            self.suspect.take_if(|suspect| suspect.start == open.start);
            self.push(NodeKind::List(open.bracket, open.items), open.start);
        }
    }

    fn close_the_rest(&mut self) {
        self.at = self.text.trim_end().len();
        // Only one guilty list is named: the others are open because of it.
        let innermost = self.open.last().map(|open| Suspect::new(open, None));
        if let Some(innermost) = innermost {
            let guilty = self.suspect.take().unwrap_or(innermost);
            let (open_char, close) = (guilty.bracket.open(), guilty.bracket.close());
            let (start, keyword) = (guilty.start, guilty.keyword);
            let mut diagnostic = Diagnostic::error(
                "unclosed-bracket",
                Span::new(start, start + 1 + keyword.len().min(self.text.len() - start - 1)),
                format!("`{open_char}{keyword}` is never closed: a `{close}` is missing"),
            )
            .label(format!("expected a `{close}` for this"));
            diagnostic = match guilty.before {
                Some(span) => diagnostic
                    .note(span, "by the indentation it should have ended before this line")
                    .help(format!(
                        "add `{close}` at the end of the line before {}:{}",
                        self.source.name(),
                        self.source.position(span.start)
                    )),
                None => diagnostic.help(format!("add `{close}` where this list ends")),
            };
            self.say(|_| diagnostic);
        }
        while !self.open.is_empty() {
            self.close_last();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    fn show(node: &Node) -> String {
        match &node.kind {
            NodeKind::Word(w) => w.clone(),
            NodeKind::Text(t) => format!("{t:?}"),
            NodeKind::List(b, items) => {
                let items: Vec<String> = items.iter().map(show).collect();
                format!("{}{}{}", b.open(), items.join(" "), b.close())
            }
        }
    }

    fn check(text: &str, flavour: Flavour, expected: Expect) {
        let source = Source::new("t", text);
        let tree = read(&source, flavour);
        let mut out: Vec<String> = tree.nodes.iter().map(show).collect();
        out.extend(tree.diagnostics.iter().map(|d| d.render(&source)));
        expected.assert_eq(&out.join("\n"));
    }

    #[test]
    fn reads_both_flavours() {
        check(
            "(a {1 2} \"x \\\"y\" b:(c)) // (\n d",
            Flavour::LUD,
            expect![[r#"
                (a {1 2} "x \"y" b: (c))
                d"#]],
        );
        check(
            "(<= {a} ?x) ; (\n\"b",
            Flavour::KIF,
            expect![[r#"
            (<= {a} ?x)
            "b"#]],
        );
    }

    #[test]
    fn a_missing_bracket_is_found_by_indentation() {
        check(
            "(game\n  (players 2\n  (rules\n    (end)\n  )\n)\n",
            Flavour::LUD,
            expect![[r#"
                (game (players 2 (rules (end))))
                error[unclosed-bracket]: `(players` is never closed: a `)` is missing
                 --> t:2:3
                  |
                2 |   (players 2
                  |   ^^^^^^^^ expected a `)` for this
                3 |   (rules
                  |   - by the indentation it should have ended before this line
                  |
                  = help: add `)` at the end of the line before t:3:3"#]],
        );
    }

    #[test]
    fn a_missing_bracket_inside_a_line_is_found_by_what_closes_too_early() {
        check(
            "(game\n  (rules\n    (end (if (is Line 3 (result)))\n  )\n)\n",
            Flavour::LUD,
            expect![[r#"
                (game (rules (end (if (is Line 3 (result))))))
                error[unclosed-bracket]: `(end` is never closed: a `)` is missing
                 --> t:3:5
                  |
                3 |     (end (if (is Line 3 (result)))
                  |     ^^^^ expected a `)` for this
                4 |   )
                  |   - by the indentation it should have ended before this line
                  |
                  = help: add `)` at the end of the line before t:4:3"#]],
        );
    }

    #[test]
    fn a_byte_order_mark_is_no_word() {
        check("\u{feff}(a b)", Flavour::LUD, expect!["(a b)"]);
        check("\u{feff}; about\n\u{feff}(a b)", Flavour::KIF, expect!["(a b)"]);
    }

    #[test]
    fn unusual_layout_is_no_error() {
        check("(a\n    (b\n  (c)\n  )\n(d)\n)", Flavour::LUD, expect!["(a (b (c)) (d))"]);
    }

    #[test]
    fn mismatched_surplus_and_unclosed() {
        check(
            "(a {b) c))",
            Flavour::LUD,
            expect![[r#"
            (a {b})
            c
            error[mismatched-bracket]: `)` closes nothing here: the innermost open bracket is `{`
             --> t:1:6
              |
            1 | (a {b) c))
              |    - ^ expected `}`
              |    |
              |    opened here
            error[surplus-bracket]: `)` without an opening bracket
             --> t:1:9
              |
            1 | (a {b) c))
              |        -^ nothing is open here
              |        |
              |        the last list was closed here
              |
              = help: delete it, or open a bracket before it
            error[surplus-bracket]: `)` without an opening bracket
             --> t:1:10
              |
            1 | (a {b) c))
              |        - ^ nothing is open here
              |        |
              |        the last list was closed here
              |
              = help: delete it, or open a bracket before it"#]],
        );
    }

    #[test]
    fn depth_is_bounded() {
        let text = "(".repeat(100_000) + &")".repeat(100_000);
        let tree = read(&Source::new("t", text), Flavour::LUD);
        assert_eq!(tree.diagnostics.len(), 1);
        assert_eq!(tree.diagnostics[0].code, "too-deep");
    }

    #[test]
    fn so_many_mistakes_are_said_and_the_others_counted() {
        for text in [")".repeat(5000), "(})".repeat(5000), "\"\n\\".repeat(5000)] {
            let diagnostics = read(&Source::new("t", text), Flavour::LUD).diagnostics;
            assert_eq!(diagnostics.len(), MAX_DIAGNOSTICS);
            let last = diagnostics.last().and_then(|last| last.help.last());
            assert!(last.is_some_and(|help| help.ends_with("further messages are not shown")));
        }
    }

    proptest! {
        #[test]
        fn never_panics_and_every_error_renders(text in r#"[(){}"a \\/;é\n]{0,60}"#) {
            for flavour in [Flavour::LUD, Flavour::KIF] {
                let source = Source::new("t", text.clone());
                for diagnostic in read(&source, flavour).diagnostics {
                    prop_assert!(!diagnostic.render(&source).is_empty());
                }
            }
        }
    }
}
