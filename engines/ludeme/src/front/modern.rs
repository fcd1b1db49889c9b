//! Rewrites forms of early descriptions as they are written today.

use text::{Bracket, Diagnostic, Node, NodeKind as Pattern, Span};

use super::grammar::{Former, grammar};
use super::tree::{NodeId, NodeKind, Tree};

/// Longer calls are shown by their general form.
const MAX_SHOWN: usize = 80;

/// A call that was rewritten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its place in the user's file.
    pub span: Span,
    /// The call; its general form, with variables, if it is long.
    pub then: String,
    /// The same as it is written today, but for the arguments, whose changes follow.
    pub now: String,
}

/// The arguments that variables of a form stand for.
type Bound<'f, 't> = Vec<(&'f str, &'t [NodeId])>;

/// The text of a call in the form of today, its arguments included, if the call has a form of early
/// descriptions.
pub(super) fn today(tree: &Tree, id: NodeId) -> Option<String> {
    find(tree, id)?;
    let mut writer = Writer::new(tree, true);
    writer.write(id);
    Some(writer.out)
}

/// The text of a description in the forms of today, what was rewritten, in the order of the text,
/// and errors about ludemes of early descriptions that have no such form.
pub(super) fn modernised(tree: &Tree, root: NodeId) -> (String, Vec<Change>, Vec<Diagnostic>) {
    let mut writer = Writer::new(tree, true);
    writer.write(root);
    writer.changes.sort_by_key(|change| change.span.start);
    // A call in a macro is one change, however often the macro is called.
    writer.changes.dedup();
    (writer.out, writer.changes, writer.left)
}

/// The general forms of a keyword of early descriptions, in words: `(stalemated) is (no Moves Next)
/// today`; `None` if there are none.
pub(super) fn general(keyword: &str) -> Option<String> {
    let forms: Vec<String> = grammar()
        .former(keyword)
        .map(|former| format!("{} is {} today", former.then, former.now))
        .collect();
    (!forms.is_empty()).then(|| forms.join(", "))
}

/// The form of early descriptions that a call has, if it has one, and its variables.
fn find(tree: &Tree, id: NodeId) -> Option<(&'static Former, Bound<'static, '_>)> {
    grammar().former(tree.keyword(id)?).find_map(|former| {
        let mut bound = Bound::new();
        fits(tree, &former.pattern, id, &mut bound).then_some((former, bound))
    })
}

/// The name of a variable that is a word or string as a whole.
fn variable(text: &str) -> Option<&str> {
    text.strip_prefix('<')?.strip_suffix('>')
}

/// True if a node has a form; then its arguments are bound.
fn fits<'t>(
    tree: &'t Tree,
    pattern: &'static Node,
    id: NodeId,
    bound: &mut Bound<'static, 't>,
) -> bool {
    match (&pattern.kind, &tree.node(id).kind) {
        (_, NodeKind::Bad) => false,
        (Pattern::Word(word), NodeKind::Word(found)) if variable(word).is_none() => {
            word.eq_ignore_ascii_case(found)
        }
        (Pattern::Word(word), NodeKind::Word(found)) if word == "<n>" => {
            found.bytes().all(|byte| byte.is_ascii_digit())
        }
        (Pattern::Word(word), _) => variable(word).is_some_and(|name| name != "n"),
        (Pattern::Text(_), NodeKind::Text(_)) => true,
        (Pattern::List(bracket, patterns), NodeKind::List(found, items)) => {
            bracket == found && all_fit(tree, patterns, items, bound)
        }
        _ => false,
    }
}

/// True if the items of a list have the forms of a list; a variable for all that are left is last.
fn all_fit<'t>(
    tree: &'t Tree,
    patterns: &'static [Node],
    items: &'t [NodeId],
    bound: &mut Bound<'static, 't>,
) -> bool {
    let rest = patterns.last().and_then(|last| variable(last.word()?)?.strip_suffix(".."));
    let single = patterns.len() - usize::from(rest.is_some());
    if items.len() < single || rest.is_none() && items.len() > single {
        return false;
    }
    let (first, left) = items.split_at(single);
    for (pattern, item) in patterns.iter().zip(first) {
        if tree.node(*item).name.is_some() || !fits(tree, pattern, *item, bound) {
            return false;
        }
        if let Pattern::Word(text) | Pattern::Text(text) = &pattern.kind {
            bound.extend(variable(text).map(|name| (name, std::slice::from_ref(item))));
        }
    }
    bound.extend(rest.map(|name| (name, left)));
    true
}

/// Writes a description with its calls rewritten.
struct Writer<'t> {
    tree: &'t Tree,
    /// False if calls are left as they are.
    rewrites: bool,
    out: String,
    changes: Vec<Change>,
    /// Errors about calls that were left as they are.
    left: Vec<Diagnostic>,
}

impl<'t> Writer<'t> {
    fn new(tree: &'t Tree, rewrites: bool) -> Writer<'t> {
        Writer { tree, rewrites, out: String::new(), changes: Vec::new(), left: Vec::new() }
    }

    /// Trees are nested as deep as [`text::MAX_DEPTH`] at most, so that this ends.
    fn write(&mut self, id: NodeId) {
        let tree = self.tree;
        let node = tree.node(id);
        let (true, NodeKind::List(bracket, items)) = (self.rewrites, &node.kind) else {
            return self.out.push_str(&tree.line(id));
        };
        if let Some(name) = &node.name {
            self.out.push_str(&name.text);
            self.out.push(':');
        }
        if let Some((former, bound)) = find(tree, id) {
            self.note(id, former, &bound);
            return self.fill(&former.form, &bound);
        }
        self.remark(id);
        self.list(*bracket, items, |writer, &item| writer.write(item));
    }

    fn list<T>(&mut self, bracket: Bracket, items: &[T], mut each: impl FnMut(&mut Self, &T)) {
        self.out.push(bracket.open());
        for item in items {
            let length = self.out.len();
            if !self.out.ends_with(bracket.open()) {
                self.out.push(' ');
            }
            let before = self.out.len();
            each(self, item);
            // A variable for all that are left may stand for nothing.
            if self.out.len() == before {
                self.out.truncate(length);
            }
        }
        self.out.push(bracket.close());
    }

    /// Writes a form with the arguments that its variables stand for.
    fn fill(&mut self, form: &Node, bound: &Bound<'_, '_>) {
        let items_of = |name: &str| bound.iter().find(|(one, _)| *one == name).map(|(_, of)| *of);
        match &form.kind {
            Pattern::List(bracket, items) => {
                self.list(*bracket, items, |writer, item| writer.fill(item, bound));
            }
            Pattern::Word(text) | Pattern::Text(text) => {
                let Some(start) = text.find('<') else { return self.out.push_str(text) };
                let name = text[start..].trim_matches(['<', '>', '.']);
                self.out.push_str(&text[..start]);
                if let Some(counted) = name.strip_prefix('#') {
                    let count = items_of(counted).map_or(0, <[NodeId]>::len);
                    return self.out.push_str(&count.to_string());
                }
                for (index, &item) in items_of(name).unwrap_or_default().iter().enumerate() {
                    if index > 0 {
                        self.out.push(' ');
                    }
                    self.write(item);
                }
            }
        }
    }

    /// Notes that a call is rewritten.
    fn note(&mut self, id: NodeId, former: &Former, bound: &Bound<'_, '_>) {
        let mut plain = Writer::new(self.tree, false);
        plain.fill(&former.form, bound);
        let (mut then, mut now) = (self.tree.line(id), plain.out);
        if let Some(name) = &self.tree.node(id).name {
            then.drain(..=name.text.len());
        }
        if then.len().max(now.len()) > MAX_SHOWN {
            (then, now) = (former.then.to_owned(), former.now.to_owned());
        }
        self.changes.push(Change { span: self.tree.node(id).place.span, then, now });
    }

    /// Notes a call that only early descriptions have, and that has none of the forms of the table.
    fn remark(&mut self, id: NodeId) {
        let Some(keyword) = self.tree.keyword(id) else { return };
        if grammar().with_keyword(keyword).next().is_some() {
            return;
        }
        if let Some(forms) = general(keyword) {
            let message = format!("this `{keyword}` of older descriptions is not converted");
            let diagnostic = self.tree.node(id).place.error("former-ludeme", message);
            self.left.push(diagnostic.help(forms));
        }
    }
}
