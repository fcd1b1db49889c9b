//! Sentences to atoms, literals and rules.

use rustc_hash::FxHashMap;
use text::{Bracket, Diagnostic, Flavour, Node, NodeKind, Source, Span};

use super::normal::{self, Formula};
use crate::limits::MAX_LITERALS;
use crate::program::{
    Atom, Dependence, Literal, Program, RelId, Relation, Rule, Term, TermKind, Var, Variable,
};
use crate::symbols::Symbol;

/// Words that are part of the language and no relations.
const CONNECTIVES: [&str; 5] = ["not", "or", "and", "distinct", "<="];

/// Reads all sentences; relations have no dependences yet.
pub(super) fn build(source: &Source, diagnostics: &mut Vec<Diagnostic>) -> Program {
    let tree = text::read(source, Flavour::KIF);
    read_errors(source, tree.diagnostics, diagnostics);
    let mut builder = Builder {
        program: Program::default(),
        relations: FxHashMap::default(),
        seen: FxHashMap::default(),
        literals: 0,
        diagnostics,
    };
    for (name, arity) in RelId::RESERVED {
        let symbol = builder.program.symbols.intern(name);
        builder.relation(symbol, arity, Span::default());
    }
    for node in unwrap_sheet(&tree.nodes, builder.diagnostics) {
        builder.program.tokens += tokens(node);
        builder.sentence(node);
    }
    builder.program
}

/// Takes over the reader's messages. Brackets too many at the very end are a common quirk of public
/// sheets and harmless.
fn read_errors(source: &Source, read: Vec<Diagnostic>, diagnostics: &mut Vec<Diagnostic>) {
    let end = end_of_code(source.text());
    for diagnostic in read {
        let at_end = diagnostic.code == "surplus-bracket" && diagnostic.span.start as usize >= end;
        if at_end {
            let mut warning = Diagnostic::warning(
                "surplus-bracket",
                diagnostic.span,
                "`)` without an opening bracket at the end of the sheet",
            )
            .label("ignored");
            warning.help = diagnostic.help;
            diagnostics.push(warning);
        } else {
            diagnostics.push(diagnostic);
        }
    }
}

/// The offset from which on the text has only closing brackets, quotes, blanks and comments.
pub(super) fn end_of_code(text: &str) -> usize {
    let is_code = |c: char| !matches!(c, ')' | '"') && !c.is_whitespace();
    let mut end = text.len();
    for line in text.rsplit('\n') {
        let start = end - line.len();
        let code = line.split(';').next().unwrap_or("");
        if let Some(last) = code.rfind(is_code) {
            return start + last + code[last..].chars().next().map_or(1, char::len_utf8);
        }
        end = start.saturating_sub(1);
    }
    0
}

/// Looks through brackets or quotes round a whole sheet.
fn unwrap_sheet<'a>(nodes: &'a [Node], diagnostics: &mut Vec<Diagnostic>) -> Vec<&'a Node> {
    let is_quote = |node: &Node| {
        node.word().is_some_and(|w| !w.is_empty() && w.chars().all(|c| matches!(c, '"' | '\'')))
    };
    let mut inner: Vec<&Node> = nodes.iter().collect();
    if inner.iter().any(|node| is_quote(node)) {
        let first = inner.iter().find(|node| is_quote(node)).map_or(Span::default(), |n| n.span);
        diagnostics.push(
            Diagnostic::warning("quoted-sheet", first, "quotes are not part of KIF")
                .label("ignored"),
        );
        inner.retain(|node| !is_quote(node));
    }
    if let [node] = inner[..]
        && let Some(items) = node.list(Bracket::Round)
        && items.len() > 1
        && items.iter().all(|item| item.list(Bracket::Round).is_some())
    {
        diagnostics.push(
            Diagnostic::warning(
                "bracketed-sheet",
                Span::new(node.span.start as usize, node.span.start as usize + 1),
                "the whole sheet stands in brackets",
            )
            .label("ignored, with its closing bracket"),
        );
        inner = items.iter().collect();
    }
    inner
}

fn tokens(node: &Node) -> usize {
    match &node.kind {
        NodeKind::List(_, items) => items.iter().map(tokens).sum(),
        _ => 1,
    }
}

struct Builder<'a> {
    program: Program,
    relations: FxHashMap<(Symbol, usize), RelId>,
    /// Facts and heads with bodies met so far, for duplicates.
    seen: FxHashMap<(Atom, Vec<Literal>), Span>,
    literals: usize,
    diagnostics: &'a mut Vec<Diagnostic>,
}

/// The variables of the sentence being read.
#[derive(Default)]
struct Scope {
    variables: Vec<Variable>,
    by_name: FxHashMap<String, Var>,
}

impl Scope {
    fn variable(&mut self, name: &str, span: Span) -> Var {
        let next = Var(self.variables.len() as u32);
        let var = *self.by_name.entry(name.to_lowercase()).or_insert(next);
        if var == next {
            self.variables.push(Variable { name: name.into(), first: span });
        }
        var
    }
}

impl Builder<'_> {
    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>, label: &str) {
        self.diagnostics.push(Diagnostic::error(code, span, message).label(label));
    }

    fn relation(&mut self, name: Symbol, arity: usize, span: Span) -> RelId {
        let relations = &mut self.program.relations;
        let id = *self.relations.entry((name, arity)).or_insert_with(|| {
            relations.push(Relation {
                name,
                arity,
                first: span,
                dependence: Dependence::Static,
                component: 0,
            });
            RelId(relations.len() as u32 - 1)
        });
        let first = &mut self.program.relations[id.index()].first;
        if *first == Span::default() {
            *first = span;
        }
        id
    }

    fn sentence(&mut self, node: &Node) {
        let mut scope = Scope::default();
        match node.list(Bracket::Round) {
            Some([first, rest @ ..]) if first.word() == Some("<=") => {
                self.rule(node, first.span, rest, scope);
            }
            Some([]) => self.error(
                "empty-sentence",
                node.span,
                "`()` says nothing",
                "expected a fact such as `(role white)` or a rule `(<= head body...)`",
            ),
            _ => {
                if let Some(word @ ("<=" | "=>" | ":-" | "->")) = node.word() {
                    let message = format!("`{word}` outside of brackets");
                    self.error("stray-word", node.span, message, "expected `(<= head body...)`");
                } else if let Some(head) = self.head(node, &mut scope) {
                    self.add(head, Vec::new(), scope.variables, node.span);
                }
            }
        }
    }

    fn rule(&mut self, node: &Node, arrow: Span, rest: &[Node], mut scope: Scope) {
        let [head, body @ ..] = rest else {
            self.error(
                "empty-rule",
                node.span,
                "a rule without a head",
                "expected `(<= head ...)`",
            );
            return;
        };
        if body.is_empty() {
            self.diagnostics.push(
                Diagnostic::warning("rule-without-body", arrow, "a rule without a body is a fact")
                    .label("could be left out")
                    .note(head.span, "this holds always"),
            );
        }
        let head = self.head(head, &mut scope);
        let before = self.diagnostics.len();
        let formulas: Vec<Formula> =
            body.iter().filter_map(|literal| self.formula(literal, &mut scope)).collect();
        let Some(head) = head else { return };
        if self.diagnostics[before..].iter().any(Diagnostic::is_error) {
            return;
        }
        let rest = MAX_LITERALS.saturating_sub(self.literals);
        match normal::cases(&head, formulas, node.span, rest) {
            Ok(cases) => {
                if cases.is_empty() {
                    self.diagnostics.push(
                        Diagnostic::warning("dead-rule", head.span, "this rule can never apply")
                            .label("its body contradicts itself"),
                    );
                }
                for (head, body) in cases {
                    self.literals += body.len();
                    self.add(head, body, scope.variables.clone(), node.span);
                }
            }
            Err(diagnostic) => self.diagnostics.push(*diagnostic),
        }
    }

    /// Adds a fact or a rule unless it is there already.
    fn add(&mut self, head: Atom, body: Vec<Literal>, variables: Vec<Variable>, span: Span) {
        let key = (head, body);
        if let Some(&first) = self.seen.get(&key) {
            // Cases of one rule may coincide; that is nobody's slip.
            if first != span {
                self.diagnostics.push(
                    Diagnostic::warning("duplicate", span, "this is said twice")
                        .label("again here")
                        .note(first, "first said here"),
                );
            }
            return;
        }
        self.seen.insert(key.clone(), span);
        let (head, body) = key;
        if body.is_empty() && head.is_ground() {
            self.program.facts.push(head);
        } else {
            self.program.rules.push(Rule { head, body, variables, span });
        }
    }

    fn head(&mut self, node: &Node, scope: &mut Scope) -> Option<Atom> {
        let head = node.word().or_else(|| node.head()).unwrap_or("").to_lowercase();
        let why = match head.as_str() {
            "true" => "what is true follows from `init` and `next`",
            "does" => "what players do is theirs to choose; say what they may with `legal`",
            "<=" => "rules cannot be nested",
            word if CONNECTIVES.contains(&word) => "only a relation can be asserted",
            _ => return self.atom(node, scope),
        };
        let message = format!("`{head}` cannot be the head of a rule or a fact");
        let diagnostic =
            Diagnostic::error("reserved-head", node.span, message).label("asserted here");
        self.diagnostics.push(diagnostic.help(why));
        None
    }

    fn formula(&mut self, node: &Node, scope: &mut Scope) -> Option<Formula> {
        let items = node.list(Bracket::Round).unwrap_or(&[]);
        let Some(head) = node.head().map(str::to_lowercase) else {
            return self.atom(node, scope).map(Formula::Atom);
        };
        let args = items.get(1..).unwrap_or(&[]);
        match head.as_str() {
            "not" => match args {
                [inner] => Some(Formula::Not(Box::new(self.formula(inner, scope)?))),
                _ => self.wrong_count(node, "not", "one literal", args.len()),
            },
            "distinct" => match args {
                [a, b] => {
                    let (a, b) = (self.term(a, scope), self.term(b, scope));
                    Some(Formula::Distinct(a?, b?))
                }
                _ => self.wrong_count(node, "distinct", "two terms", args.len()),
            },
            "or" | "and" => {
                if args.is_empty() {
                    return self.wrong_count(node, &head, "at least one literal", 0);
                }
                // All are read, so that all errors are found.
                let parts: Vec<Option<Formula>> =
                    args.iter().map(|a| self.formula(a, scope)).collect();
                let parts = parts.into_iter().collect::<Option<Vec<Formula>>>()?;
                Some(if head == "or" { Formula::Or(parts) } else { Formula::And(parts) })
            }
            "<=" => {
                self.error(
                    "nested-rule",
                    node.span,
                    "a rule inside a rule",
                    "expected a literal; is a `)` missing before this?",
                );
                None
            }
            _ => self.atom(node, scope).map(Formula::Atom),
        }
    }

    fn wrong_count<T>(&mut self, node: &Node, word: &str, wants: &str, found: usize) -> Option<T> {
        let message = format!("`{word}` takes {wants}, not {found}");
        self.error("wrong-arity", node.span, message, &format!("expected {wants}"));
        None
    }

    fn atom(&mut self, node: &Node, scope: &mut Scope) -> Option<Atom> {
        let (word, args) = match &node.kind {
            NodeKind::List(_, items) => {
                let Some((first, args)) = items.split_first() else {
                    self.error("empty-literal", node.span, "`()` says nothing", "expected an atom");
                    return None;
                };
                let Some(word) = first.word() else {
                    self.error(
                        "no-relation",
                        first.span,
                        "a list stands where the name of a relation belongs",
                        "expected a name",
                    );
                    return None;
                };
                (word, args)
            }
            NodeKind::Word(word) | NodeKind::Text(word) => (word.as_str(), &[][..]),
        };
        if word.starts_with('?') {
            let message = format!("the variable `{word}` stands where a relation belongs");
            self.error("variable-relation", node.span, message, "expected an atom");
            return None;
        }
        let lower = word.to_lowercase();
        if CONNECTIVES.contains(&lower.as_str()) {
            let message = format!("`{word}` stands where a relation belongs");
            self.error("misplaced-word", node.span, message, "expected an atom");
            return None;
        }
        if args.is_empty() && node.word().is_none() {
            self.warn_needless_brackets(node, word);
        }
        let read: Vec<Option<Term>> = args.iter().map(|a| self.term(a, scope)).collect();
        let args = read.into_iter().collect::<Option<Box<[Term]>>>()?;
        if let Some(&(name, arity)) = RelId::RESERVED.iter().find(|(name, _)| *name == lower)
            && arity != args.len()
        {
            let message = format!("`{name}` takes {}, not {}", count(arity), args.len());
            let label = format!("expected {}", usage(name));
            // These came late to the language; older sheets use the words for their own ends.
            if matches!(name, "base" | "input" | "sees") {
                self.diagnostics.push(
                    Diagnostic::warning("wrong-arity", node.span, message)
                        .label("taken for another relation of the same name"),
                );
            } else {
                self.error("wrong-arity", node.span, message, &label);
                return None;
            }
        }
        let symbol = self.program.symbols.intern(word);
        let relation = self.relation(symbol, args.len(), node.span);
        Some(Atom { relation, args, span: node.span })
    }

    fn warn_needless_brackets(&mut self, node: &Node, word: &str) {
        self.diagnostics.push(
            Diagnostic::warning("needless-brackets", node.span, "brackets without arguments")
                .label(format!("usually written `{word}`")),
        );
    }

    fn term(&mut self, node: &Node, scope: &mut Scope) -> Option<Term> {
        let kind = match &node.kind {
            NodeKind::Word(word) | NodeKind::Text(word) => {
                if word.starts_with('?') {
                    TermKind::Variable(scope.variable(word, node.span))
                } else {
                    TermKind::Constant(self.program.symbols.intern(word))
                }
            }
            NodeKind::List(_, items) => {
                let word = items.first().and_then(Node::word);
                let Some(word) = word.filter(|w| !w.starts_with('?')) else {
                    self.error(
                        "no-functor",
                        items.first().map_or(node.span, |first| first.span),
                        "a compound term begins with a name",
                        "expected a name",
                    );
                    return None;
                };
                let read: Vec<Option<Term>> =
                    items[1..].iter().map(|item| self.term(item, scope)).collect();
                let args = read.into_iter().collect::<Option<Box<[Term]>>>()?;
                let functor = self.program.symbols.intern(word);
                if args.is_empty() {
                    self.warn_needless_brackets(node, word);
                    TermKind::Constant(functor)
                } else {
                    TermKind::Compound(functor, args)
                }
            }
        };
        Some(Term { kind, span: node.span })
    }
}

fn count(arity: usize) -> String {
    match arity {
        0 => "no arguments".to_owned(),
        1 => "one argument".to_owned(),
        2 => "two arguments".to_owned(),
        n => format!("{n} arguments"),
    }
}

/// The syntax of a reserved relation.
fn usage(name: &str) -> &'static str {
    match name {
        "role" => "`(role player)`",
        "init" => "`(init fact)`",
        "true" => "`(true fact)`",
        "does" => "`(does player action)`",
        "next" => "`(next fact)`",
        "legal" => "`(legal player action)`",
        "goal" => "`(goal player value)`",
        _ => "`terminal`",
    }
}
