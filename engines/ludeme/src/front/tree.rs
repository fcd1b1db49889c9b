use std::fmt::Write as _;
use std::sync::Arc;

use text::{Bracket, Diagnostic, MAX_DEPTH, Source, Span};

use super::options::{Options, leftover};
use super::place::Place;
use super::token::{Token, TokenKind};

/// A node of the expanded description, by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(super) struct NodeId(pub(super) u32);

/// An argument: a word, a string or a list, perhaps with a name in front.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) kind: NodeKind,
    pub(super) place: Place,
    /// The `name` of `name:argument`.
    pub(super) name: Option<Name>,
}

#[derive(Debug)]
pub(super) enum NodeKind {
    Word(Arc<str>),
    Text(Arc<str>),
    List(Bracket, Vec<NodeId>),
    /// A part about which an error has been reported; it fits every type.
    Bad,
}

#[derive(Clone, Debug)]
pub(super) struct Name {
    pub(super) text: Arc<str>,
    pub(super) place: Place,
}

/// The expanded description.
#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// Nodes outside all brackets.
    pub(super) top: Vec<NodeId>,
}

/// The size of an expanded description.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TokenCount {
    /// Number of calls and atoms; names of arguments and arrays do not count.
    pub tokens: u32,
    /// The same number with one more for each array.
    pub with_arrays: u32,
}

impl Tree {
    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// All nodes, inner ones before the lists that they are in.
    pub(super) fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len()).map(|index| NodeId(index as u32))
    }

    /// The keyword of a call, if the node is one.
    pub(super) fn keyword(&self, id: NodeId) -> Option<&str> {
        let NodeKind::List(Bracket::Round, items) = &self.node(id).kind else { return None };
        match &self.node(*items.first()?).kind {
            NodeKind::Word(word) => Some(word),
            _ => None,
        }
    }

    /// Counts the tokens below a node, itself included.
    pub(super) fn count(&self, id: NodeId) -> TokenCount {
        let mut sum = TokenCount::default();
        // The keyword of a call is an item of its list, so lists themselves do not count.
        let mut todo = vec![id];
        while let Some(id) = todo.pop() {
            if let NodeKind::List(bracket, items) = &self.node(id).kind {
                todo.extend(items);
                sum.with_arrays += u32::from(*bracket == Bracket::Curly);
            } else {
                sum.tokens += 1;
                sum.with_arrays += 1;
            }
        }
        sum
    }

    /// The text of a node on one line.
    pub(super) fn line(&self, id: NodeId) -> String {
        let mut out = String::new();
        self.write_line(id, &mut out);
        out
    }

    fn write_line(&self, id: NodeId, out: &mut String) {
        let node = self.node(id);
        if let Some(name) = &node.name {
            let _ = write!(out, "{}:", name.text);
        }
        match &node.kind {
            NodeKind::Word(word) => out.push_str(word),
            NodeKind::Text(text) => {
                let _ = write!(out, "\"{}\"", text.replace('"', "\\\""));
            }
            NodeKind::List(bracket, items) => {
                out.push(bracket.open());
                for (index, &item) in items.iter().enumerate() {
                    if index > 0 {
                        out.push(' ');
                    }
                    self.write_line(item, out);
                }
                out.push(bracket.close());
            }
            NodeKind::Bad => out.push('?'),
        }
    }

    /// The text of a node, broken into lines of at most some 100 characters where possible.
    pub(super) fn layout(&self, id: NodeId) -> String {
        let mut out = String::new();
        self.write_layout(id, 0, &mut out);
        out
    }

    fn write_layout(&self, id: NodeId, indent: usize, out: &mut String) {
        const WIDTH: usize = 100;
        let node = self.node(id);
        let NodeKind::List(bracket, items) = &node.kind else {
            return self.write_line(id, out);
        };
        // Texts of lists are written once per level; descriptions are not deep.
        let line = self.line(id);
        if indent + line.chars().count() <= WIDTH {
            out.push_str(&line);
            return;
        }
        if let Some(name) = &node.name {
            let _ = write!(out, "{}:", name.text);
        }
        out.push(bracket.open());
        let mut items = items.iter();
        let keyword = items.clone().next().filter(|_| *bracket == Bracket::Round);
        if let Some(&keyword) = keyword {
            self.write_line(keyword, out);
            items.next();
        }
        for &item in items {
            let _ = write!(out, "\n{:1$}", "", indent + 4);
            self.write_layout(item, indent + 4, out);
        }
        let _ = write!(out, "\n{:1$}{2}", "", indent, bracket.close());
    }
}

/// Makes the tree of the expanded tokens, and reports tokens that fit into no tree.
pub(super) fn build(
    source: &Source,
    tokens: Vec<Token>,
    options: &Options,
    diagnostics: &mut Vec<Diagnostic>,
) -> Tree {
    let mut builder = Builder {
        source,
        options,
        diagnostics,
        tree: Tree::default(),
        open: vec![Open::new(None, Place::default())],
        too_deep: 0,
    };
    for token in tokens {
        builder.token(token);
    }
    builder.finish()
}

struct Open {
    /// `None` for the frame around everything.
    bracket: Option<Bracket>,
    place: Place,
    name: Option<Name>,
    items: Vec<NodeId>,
    /// A name whose argument is still missing.
    waiting: Option<Name>,
}

impl Open {
    fn new(bracket: Option<Bracket>, place: Place) -> Open {
        Open { bracket, place, name: None, items: Vec::new(), waiting: None }
    }
}

struct Builder<'a> {
    source: &'a Source,
    options: &'a Options,
    diagnostics: &'a mut Vec<Diagnostic>,
    tree: Tree,
    open: Vec<Open>,
    /// Number of open brackets beyond the deepest level, which are skipped with their contents.
    too_deep: usize,
}

impl Builder<'_> {
    /// The innermost open list. The frame around everything is never closed, so it exists.
    fn inner(&mut self) -> &mut Open {
        if self.open.is_empty() {
            self.open.push(Open::new(None, Place::default()));
        }
        let last = self.open.len() - 1;
        &mut self.open[last]
    }

    fn token(&mut self, token: Token) {
        if self.too_deep > 0 {
            match token.kind {
                TokenKind::Open(_) => self.too_deep += 1,
                TokenKind::Close(_) => self.too_deep -= 1,
                _ => {}
            }
            return;
        }
        match token.kind {
            TokenKind::Open(_) if self.open.len() > MAX_DEPTH => {
                self.diagnostics.push(
                    token
                        .place
                        .error("too-deep", "brackets are nested too deeply after expansion")
                        .label(format!("more than {MAX_DEPTH} levels")),
                );
                self.too_deep = 1;
                self.push(NodeKind::Bad, token.place);
            }
            TokenKind::Open(bracket) => {
                let name = self.inner().waiting.take();
                let open = Open { name, ..Open::new(Some(bracket), token.place) };
                self.open.push(open);
            }
            TokenKind::Close(bracket) => self.close(bracket, &token.place),
            TokenKind::Word(word) => self.word(&word, token.place),
            TokenKind::Text(text) => {
                if let Some(tag) = leftover(&text) {
                    self.diagnostics.push(self.options.explain_leftover(tag, &token.place));
                }
                self.push(NodeKind::Text(text), token.place);
            }
        }
    }

    fn push(&mut self, kind: NodeKind, place: Place) {
        let name = self.inner().waiting.take();
        let id = self.add(Node { kind, place, name });
        self.inner().items.push(id);
    }

    fn add(&mut self, node: Node) -> NodeId {
        let id = NodeId(self.tree.nodes.len() as u32);
        self.tree.nodes.push(node);
        id
    }

    fn word(&mut self, word: &Arc<str>, place: Place) {
        if let Some(tag) = leftover(word) {
            self.diagnostics.push(self.options.explain_leftover(tag, &place));
            return self.push(NodeKind::Bad, place);
        }
        if let Some(colon) = word.find(':').filter(|&colon| colon > 0 && is_name(&word[..colon])) {
            // Behind the keyword of a call a colon has no meaning.
            let inner = self.inner();
            if inner.bracket == Some(Bracket::Round) && inner.items.is_empty() {
                let keyword: Arc<str> = word[..colon].into();
                self.push(NodeKind::Word(keyword), place.clone());
            } else {
                let span = cut(&place, 0, colon, word.len());
                let name = Name {
                    text: word[..colon].into(),
                    place: Place { span, via: place.via.clone() },
                };
                if let Some(before) = self.inner().waiting.replace(name) {
                    self.diagnostics.push(lonely(&before));
                }
            }
            let rest = &word[colon + 1..];
            if !rest.is_empty() {
                let span = cut(&place, colon + 1, word.len(), word.len());
                self.word(&rest.into(), Place { span, via: place.via });
            }
            return;
        }
        if let Some(odd) = word.chars().find(|&c| !is_word_character(c)) {
            self.diagnostics.push(odd_character(word, odd, &place));
            return self.push(NodeKind::Bad, place);
        }
        self.push(NodeKind::Word(word.clone()), place);
    }

    fn close(&mut self, bracket: Bracket, place: &Place) {
        // The text is balanced, but texts of options and pasted macros need not be.
        let inner = self.inner();
        if inner.bracket != Some(bracket) {
            let expected = inner.bracket.map(Bracket::close);
            let mut diagnostic = place.error(
                "unbalanced-expansion",
                format!("`{}` closes nothing here after expansion", bracket.close()),
            );
            if let Some(expected) = expected {
                diagnostic = diagnostic.label(format!("expected `{expected}`"));
            }
            self.diagnostics.push(diagnostic);
            if !self.open.iter().any(|open| open.bracket == Some(bracket)) {
                return;
            }
            while self.inner().bracket != Some(bracket) {
                self.close_inner(None);
            }
        }
        self.close_inner(Some(place));
    }

    fn close_inner(&mut self, end: Option<&Place>) {
        let Some(mut list) = self.open.pop() else { return };
        let Some(bracket) = list.bracket else { return };
        // In the body of a macro the call lacks an argument, which has been reported.
        if let Some(name) = list.waiting.take().filter(|name| name.place.via.is_none()) {
            self.diagnostics.push(lonely(&name));
        }
        let place = Place { span: self.line_span(&list.place, end), via: list.place.via.clone() };
        if bracket == Bracket::Round {
            if list.items.is_empty() {
                self.diagnostics.push(
                    place
                        .error("empty-call", "`()` calls nothing")
                        .label("expected a ludeme name after the bracket")
                        .help("delete the brackets, or write the call that belongs here"),
                );
                let id = self.add(Node { kind: NodeKind::Bad, place, name: list.name });
                self.inner().items.push(id);
                return;
            }
            if self.is_call(list.items[0]) {
                return self.splice(list, place);
            }
        }
        let kind = NodeKind::List(bracket, list.items);
        let id = self.add(Node { kind, place, name: list.name });
        self.inner().items.push(id);
    }

    fn is_call(&self, id: NodeId) -> bool {
        let node = self.tree.node(id);
        node.name.is_none() && matches!(node.kind, NodeKind::List(Bracket::Round, _))
    }

    /// `((a) (b))` means `(a) (b)`: if a macro puts several calls into one pair of brackets, they
    /// belong to the list around it.
    fn splice(&mut self, list: Open, place: Place) {
        if !list.items.last().is_some_and(|&last| self.is_call(last)) {
            self.diagnostics.push(
                place
                    .error("double-bracket", "`((` opens a call without a ludeme name")
                    .label("expected a ludeme name after the first bracket")
                    .help(
                        "a ludeme name stands directly behind its bracket, as in (or (pass) \
                        (moveAgain))",
                    ),
            );
            let id = self.add(Node { kind: NodeKind::Bad, place, name: list.name });
            self.inner().items.push(id);
            return;
        }
        if let (Some(name), Some(first)) = (list.name, list.items.first()) {
            self.tree.nodes[first.0 as usize].name = Some(name);
        }
        self.inner().items.extend(list.items);
    }

    /// The span from the opening to the closing bracket, or to the end of the line.
    fn line_span(&self, start: &Place, end: Option<&Place>) -> Span {
        // Only if both brackets come from the same text there is text between them.
        let end = end.filter(|end| end.via == start.via && end.span.start >= start.span.start);
        let whole = end.map_or(start.span, |end| start.span.to(end.span));
        super::options::head_span(self.source, whole)
    }

    fn finish(mut self) -> Tree {
        while self.open.len() > 1 {
            let open = &self.open[self.open.len() - 1];
            if let Some(bracket) = open.bracket {
                self.diagnostics.push(open.place.error(
                    "unbalanced-expansion",
                    format!("`{}` is never closed after expansion", bracket.open()),
                ));
            }
            self.close_inner(None);
        }
        if let Some(outer) = self.open.pop() {
            if let Some(name) = &outer.waiting {
                self.diagnostics.push(lonely(name));
            }
            self.tree.top = outer.items;
        }
        self.tree
    }
}

/// The part of a word from byte `from` to byte `to`, if the word stands in the text as it is.
fn cut(place: &Place, from: usize, to: usize, length: usize) -> Span {
    let start = place.span.start as usize;
    if place.span.end as usize - start == length {
        Span::new(start + from, start + to)
    } else {
        place.span
    }
}

fn odd_character(word: &str, odd: char, place: &Place) -> Diagnostic {
    let offset = word.find(odd).unwrap_or(0);
    let span = cut(place, offset, offset + odd.len_utf8(), word.len());
    let diagnostic = Place { span, via: place.via.clone() }
        .error("unexpected-character", format!("unexpected character `{odd}`"));
    match odd {
        ',' => diagnostic.help("arguments are separated by white space only"),
        ':' => diagnostic.help("a colon stands between the name of an argument and its value"),
        '[' | ']' => diagnostic.help("lists of items are written in braces, { .. }"),
        '\'' => diagnostic.help("names are quoted with double quotes"),
        _ => {
            diagnostic.help("words consist of letters, digits and _ - . + * / % = ! ^ ~ < > & | #")
        }
    }
}

fn lonely(name: &Name) -> Diagnostic {
    name.place
        .warning("name-without-value", format!("nothing follows `{}:`", name.text))
        .label("this name is ignored")
        .help("write the argument behind the name, or delete the name")
}

fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
}

fn is_word_character(c: char) -> bool {
    c.is_alphanumeric() || "_-.+*/%=!^~<>&|#".contains(c)
}
