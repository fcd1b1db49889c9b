//! The test for actions that only hand on the turn.

use crate::program::{Literal, Program, RelId, Term, TermKind, Var};
use crate::symbols::Symbol;
use crate::terms::{TermId, Terms};

impl Program {
    /// True if `action` of `role` does nothing but hand on the turn: it is the constant `noop`, or
    /// no `does` literal of any rule can match it. Where such an action is a role's only legal one
    /// it is a forced pass, and no ply in the neutral view.
    ///
    /// Every engine for GDL uses this one test, so that they count the same plies.
    pub fn is_pass(&self, terms: &Terms, role: Symbol, action: TermId) -> bool {
        if terms.args(action).is_empty() && self.symbols.lower(terms.functor(action)) == "noop" {
            return true;
        }
        let literals = self.rules.iter().flat_map(|rule| rule.body.iter().map(move |l| (rule, l)));
        !literals.into_iter().any(|(rule, literal)| match literal {
            Literal::Positive(atom) | Literal::Negative(atom) if atom.relation == RelId::DOES => {
                let mut bound = Bound::new(rule.variables.len());
                bound.matches_constant(&atom.args[0], role)
                    && bound.matches(&atom.args[1], action, terms)
            }
            _ => false,
        })
    }
}

/// The bindings of a rule's variables while a literal is matched with a ground atom.
struct Bound {
    terms: Vec<Option<TermId>>,
    /// The role is not a term of the store, so what is bound to it is kept apart.
    role: Option<(Var, Symbol)>,
}

impl Bound {
    fn new(variables: usize) -> Bound {
        Bound { terms: vec![None; variables], role: None }
    }

    fn matches_constant(&mut self, pattern: &Term, constant: Symbol) -> bool {
        match &pattern.kind {
            TermKind::Variable(var) => {
                self.role = Some((*var, constant));
                true
            }
            TermKind::Constant(symbol) => *symbol == constant,
            TermKind::Compound(..) => false,
        }
    }

    fn matches(&mut self, pattern: &Term, id: TermId, terms: &Terms) -> bool {
        match &pattern.kind {
            TermKind::Variable(var) => {
                if let Some((role_var, role)) = self.role
                    && role_var == *var
                {
                    return terms.args(id).is_empty() && terms.functor(id) == role;
                }
                *self.terms[var.index()].get_or_insert(id) == id
            }
            TermKind::Constant(symbol) => terms.args(id).is_empty() && terms.functor(id) == *symbol,
            TermKind::Compound(functor, args) => {
                terms.functor(id) == *functor
                    && terms.args(id).len() == args.len()
                    && args.iter().zip(terms.args(id)).all(|(p, &a)| self.matches(p, a, terms))
            }
        }
    }
}
