//! The limits of rulesheets, in one table: beyond these they are refused, or less is found out
//! about them. Budgets that a caller sets come on top (`play::Limits`). A threshold from which
//! another method is quicker stands in the module that makes the choice.

// Reading.
/// Literals in all rules together, after `or` is taken apart.
pub(crate) const MAX_LITERALS: usize = 4_000_000;
/// Cases of one rule.
pub(crate) const MAX_CASES: usize = 4096;
/// Variables of a rule that equations bind.
pub(crate) const MAX_BINDINGS: usize = 64;
/// Nodes of a term after unification; substituting can square sizes again and again.
pub(crate) const MAX_TERM_NODES: usize = 10_000;
/// Rules of one component; beyond this the finer look would take too long.
pub(crate) const MAX_COMPONENT_RULES: usize = 2000;
/// Near misses are looked for this many times a sheet; each costs a pass over all names.
pub(crate) const MAX_SUGGESTIONS: usize = 50;

// Terms and flattening.
/// Terms nested deeper than this are not made: the evaluation counts as divergent.
pub(crate) const MAX_DEPTH: u32 = 1000;
/// More terms than this are not made either.
pub(crate) const MAX_TERMS: usize = 1 << 24;
/// Literals of a specialised rule on average.
pub(crate) const MAX_SPECIALISED_LITERALS: usize = 10;
/// Attempts to fit variants to literals, and literals of the rules that come out.
pub(crate) const MAX_FLATTENING_WORK: u64 = 200_000_000;
/// Choices of values for negative literals, one inside the other.
pub(crate) const MAX_BRANCHES: usize = 64;
/// Positions of terms nested deeper than this are not told apart.
pub(crate) const MAX_SHAPE_DEPTH: usize = 8;
/// Positions of terms that are told apart.
pub(crate) const MAX_SHAPE_NODES: usize = 200_000;
/// Words of all sets of constants that positions can hold, together; beyond this, positions may
/// hold anything.
pub(crate) const MAX_SHAPE_WORDS: usize = 1 << 24;
/// Ways to fill one position inside a compound term.
pub(crate) const MAX_NESTED_SHAPES: usize = 16;
/// Ways to fill one position of a relation.
pub(crate) const MAX_SHAPES: usize = 4096;
/// Rows looked through, and words of sets, while the values of variables are inferred.
pub(crate) const MAX_INFERENCE_WORK: u64 = 20_000_000;
/// Column domains that the numbering looks at; the rest lies as it falls.
pub(crate) const MAX_DOMAINS: usize = 128;
/// Calls from stage to stage of what is evaluated on demand are not nested more deeply.
pub(crate) const MAX_DEMAND_NESTING: usize = 40;

// The prover.
/// Specialised rules of a program.
pub(crate) const MAX_RULES: usize = 400_000;
/// Machine steps and bytes that a relation that never changes may take; larger ones are evaluated
/// state by state, where it can be done on demand.
pub(crate) const MAX_STATIC: (u64, u64) = (30_000_000, 8 << 20);
/// Literals whose changes are followed where relations are kept from state to state.
pub(crate) const MAX_FOLLOWED: usize = 20_000;
/// Rules tried beforehand with the tuples of a relation.
pub(crate) const MAX_FITTING: u64 = 1 << 16;
/// Trials that change one stage each.
pub(crate) const MAX_TRIALS: usize = 24;
