//! Checked rules: what the grounder and the prover work on.

use std::fmt;

use text::Span;

use crate::symbols::{Symbol, Symbols};

/// A relation of a program: a name with an arity.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct RelId(pub u32);

impl RelId {
    /// `(role r)`
    pub const ROLE: RelId = RelId(0);
    /// `(init p)`
    pub const INIT: RelId = RelId(1);
    /// `(true p)`
    pub const TRUE: RelId = RelId(2);
    /// `(does r a)`
    pub const DOES: RelId = RelId(3);
    /// `(next p)`
    pub const NEXT: RelId = RelId(4);
    /// `(legal r a)`
    pub const LEGAL: RelId = RelId(5);
    /// `(goal r n)`
    pub const GOAL: RelId = RelId(6);
    /// `terminal`
    pub const TERMINAL: RelId = RelId(7);
    /// `(base p)`
    pub const BASE: RelId = RelId(8);
    /// `(input r a)`
    pub const INPUT: RelId = RelId(9);
    /// `(sees r v)`
    pub const SEES: RelId = RelId(10);

    /// Names and arities of the reserved relations; each one's id is its place here, in every
    /// program, whether the sheet mentions it or not.
    pub const RESERVED: [(&'static str, usize); 11] = [
        ("role", 1),
        ("init", 1),
        ("true", 1),
        ("does", 2),
        ("next", 1),
        ("legal", 2),
        ("goal", 2),
        ("terminal", 0),
        ("base", 1),
        ("input", 2),
        ("sees", 2),
    ];

    /// The relation as an index into tables by relation.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// True if it is one of [`RelId::RESERVED`].
    pub fn is_reserved(self) -> bool {
        self.index() < RelId::RESERVED.len()
    }
}

/// The properties of a relation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relation {
    /// Its name.
    pub name: Symbol,
    /// The number of its arguments.
    pub arity: usize,
    /// The place where it is met first; empty at 0 for reserved relations that the sheet does not
    /// mention.
    pub first: Span,
    /// The inputs that its truth depends on.
    pub dependence: Dependence,
    /// Its place in [`Program::components`].
    pub component: usize,
}

/// The inputs that the truth of a relation depends on, through any number of rules.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Dependence {
    /// Neither on `true` nor on `does`: the same in all states.
    Static,
    /// On `true`, not on `does`: the same whatever is chosen.
    State,
    /// On `does`.
    Step,
}

/// Relations that depend on each other, or a single one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Component {
    /// Its relations, in the order of their ids.
    pub relations: Vec<RelId>,
    /// True if any of them depends on itself.
    pub recursive: bool,
}

/// A variable of one rule, numbered from 0 in the order of [`Rule::variables`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Var(pub u32);

impl Var {
    /// The variable as an index into [`Rule::variables`].
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A term of a rule, and where it is written.
#[derive(Clone, Debug)]
pub struct Term {
    /// The sort of term.
    pub kind: TermKind,
    /// Its place in the sheet.
    pub span: Span,
}

/// The three kinds of [`Term`]. Nesting is bounded by the reader's `MAX_DEPTH`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TermKind {
    /// `?x`
    Variable(Var),
    /// `x`
    Constant(Symbol),
    /// `(f t...)` with at least one argument.
    Compound(Symbol, Box<[Term]>),
}

/// Terms are equal when they say the same, wherever they are written.
impl PartialEq for Term {
    fn eq(&self, other: &Term) -> bool {
        self.kind == other.kind
    }
}

impl Eq for Term {}

impl std::hash::Hash for Term {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.kind.hash(state);
    }
}

impl Term {
    /// True if it has no variables.
    pub fn is_ground(&self) -> bool {
        match &self.kind {
            TermKind::Variable(_) => false,
            TermKind::Constant(_) => true,
            TermKind::Compound(_, args) => args.iter().all(Term::is_ground),
        }
    }

    /// Calls `f` for every occurrence of a variable, from left to right.
    pub fn for_each_variable(&self, f: &mut dyn FnMut(Var, Span)) {
        match &self.kind {
            TermKind::Variable(var) => f(*var, self.span),
            TermKind::Constant(_) => {}
            TermKind::Compound(_, args) => args.iter().for_each(|a| a.for_each_variable(f)),
        }
    }
}

/// A relation applied to terms, as many as its arity says.
#[derive(Clone, Debug)]
pub struct Atom {
    /// The relation.
    pub relation: RelId,
    /// Its arguments.
    pub args: Box<[Term]>,
    /// Its place in the sheet.
    pub span: Span,
}

/// Atoms are equal when they say the same, wherever they are written.
impl PartialEq for Atom {
    fn eq(&self, other: &Atom) -> bool {
        self.relation == other.relation && self.args == other.args
    }
}

impl Eq for Atom {}

impl std::hash::Hash for Atom {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.relation.hash(state);
        self.args.hash(state);
    }
}

impl Atom {
    /// True if it has no variables.
    pub fn is_ground(&self) -> bool {
        self.args.iter().all(Term::is_ground)
    }

    /// Calls `f` for every occurrence of a variable, from left to right.
    pub fn for_each_variable(&self, f: &mut dyn FnMut(Var, Span)) {
        self.args.iter().for_each(|a| a.for_each_variable(f));
    }
}

/// A condition of a rule. `or` and `and` are gone: a rule with `or` has become several.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum Literal {
    /// The atom holds.
    Positive(Atom),
    /// `(not atom)`: the atom does not hold.
    Negative(Atom),
    /// `(distinct t u)`: the terms differ.
    Distinct(Term, Term),
}

impl Literal {
    /// Its place in the sheet; of `distinct`, that of its terms.
    pub fn span(&self) -> Span {
        match self {
            Literal::Positive(atom) | Literal::Negative(atom) => atom.span,
            Literal::Distinct(a, b) => a.span.to(b.span),
        }
    }

    /// The atom, negated or not.
    pub fn atom(&self) -> Option<&Atom> {
        match self {
            Literal::Positive(atom) | Literal::Negative(atom) => Some(atom),
            Literal::Distinct(..) => None,
        }
    }

    /// Calls `f` for every occurrence of a variable, from left to right.
    pub fn for_each_variable(&self, f: &mut dyn FnMut(Var, Span)) {
        match self {
            Literal::Positive(atom) | Literal::Negative(atom) => atom.for_each_variable(f),
            Literal::Distinct(a, b) => {
                a.for_each_variable(f);
                b.for_each_variable(f);
            }
        }
    }
}

/// The name of a variable of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// The name as written, with its question mark.
    pub name: Box<str>,
    /// The place where it is met first.
    pub first: Span,
}

/// The head holds if all of the body does. Safe: each variable occurs in a positive literal. The
/// body is not empty, except that a fact written as a rule stands among [`Program::facts`].
#[derive(Clone, Debug)]
pub struct Rule {
    /// The conclusion.
    pub head: Atom,
    /// From what.
    pub body: Vec<Literal>,
    /// Its variables.
    pub variables: Vec<Variable>,
    /// Its place in the sheet. Rules that came from one with `or` share it.
    pub span: Span,
}

/// A checked rulesheet: safe, stratified, its reserved relations used as they may be.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// All names.
    pub symbols: Symbols,
    /// All relations; the reserved ones first, see [`RelId::RESERVED`].
    pub relations: Vec<Relation>,
    /// Ground atoms that hold always, each once, in the order of the sheet.
    pub facts: Vec<Atom>,
    /// Rules with a body, in the order of the sheet.
    pub rules: Vec<Rule>,
    /// Strongly connected components of the dependency graph, each after all that it depends on
    /// (`true` does not depend on `next`, nor `does` on `legal`).
    pub components: Vec<Component>,
    /// The players in the order of the `role` facts, `random` among them if it is there.
    pub roles: Vec<Symbol>,
    /// Atoms, variables and keywords of the sheet, comments and parentheses not counted: the size
    /// of the description.
    pub tokens: usize,
}

impl Program {
    /// The properties of a relation.
    pub fn relation(&self, id: RelId) -> &Relation {
        &self.relations[id.index()]
    }

    /// The name of a relation.
    pub fn relation_name(&self, id: RelId) -> &str {
        self.symbols.name(self.relation(id).name)
    }

    /// True if the role is GDL-II's nature, which chooses by chance and is no player.
    pub fn is_nature(&self, role: Symbol) -> bool {
        self.symbols.lower(role) == "random"
    }

    /// The roles that are players, in order.
    pub fn players(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.roles.iter().copied().filter(|&r| !self.is_nature(r))
    }

    /// True if players have less than everything to go by: the rules say what they perceive.
    pub fn is_hidden(&self) -> bool {
        let facts = self.facts.iter();
        facts.chain(self.rules.iter().map(|rule| &rule.head)).any(|head| {
            head.relation == RelId::SEES
                && match head.args[0].kind {
                    TermKind::Variable(_) => true,
                    TermKind::Constant(role) => self.players().any(|player| player == role),
                    TermKind::Compound(..) => false,
                }
        })
    }

    /// A rule as text, for messages and tests.
    pub fn show_rule<'a>(&'a self, rule: &'a Rule) -> impl fmt::Display + 'a {
        fmt::from_fn(move |f| {
            f.write_str("(<= ")?;
            self.write_atom(f, &rule.head, &rule.variables)?;
            for literal in &rule.body {
                f.write_str(" ")?;
                self.write_literal(f, literal, &rule.variables)?;
            }
            f.write_str(")")
        })
    }

    fn write_literal(
        &self,
        f: &mut fmt::Formatter<'_>,
        literal: &Literal,
        variables: &[Variable],
    ) -> fmt::Result {
        match literal {
            Literal::Positive(atom) => self.write_atom(f, atom, variables),
            Literal::Negative(atom) => {
                f.write_str("(not ")?;
                self.write_atom(f, atom, variables)?;
                f.write_str(")")
            }
            Literal::Distinct(a, b) => {
                f.write_str("(distinct ")?;
                self.write_term(f, a, variables)?;
                f.write_str(" ")?;
                self.write_term(f, b, variables)?;
                f.write_str(")")
            }
        }
    }

    fn write_atom(
        &self,
        f: &mut fmt::Formatter<'_>,
        atom: &Atom,
        variables: &[Variable],
    ) -> fmt::Result {
        let name = self.relation_name(atom.relation);
        self.write_list(f, name, &atom.args, variables)
    }

    fn write_term(
        &self,
        f: &mut fmt::Formatter<'_>,
        term: &Term,
        variables: &[Variable],
    ) -> fmt::Result {
        match &term.kind {
            TermKind::Variable(var) => {
                f.write_str(variables.get(var.index()).map_or("?", |v| &v.name))
            }
            TermKind::Constant(symbol) => f.write_str(self.symbols.name(*symbol)),
            TermKind::Compound(functor, args) => {
                self.write_list(f, self.symbols.name(*functor), args, variables)
            }
        }
    }

    fn write_list(
        &self,
        f: &mut fmt::Formatter<'_>,
        name: &str,
        args: &[Term],
        variables: &[Variable],
    ) -> fmt::Result {
        if args.is_empty() {
            return f.write_str(name);
        }
        write!(f, "({name}")?;
        for arg in args {
            f.write_str(" ")?;
            self.write_term(f, arg, variables)?;
        }
        f.write_str(")")
    }
}
