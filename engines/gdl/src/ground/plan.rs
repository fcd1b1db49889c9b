//! The order in which the literals of a rule are looked up.

use smallvec::SmallVec;

use crate::ground::clause::{Clause, Positive};
use crate::ground::facts::{Facts, IndexSpec};
use crate::ground::pattern::{Leaf, Path};
use crate::program::Var;
use crate::terms::TermId;

/// One way to find the solutions of a clause.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// Conditions without variables.
    pub(super) first: Vec<Filter>,
    pub(super) steps: Vec<Step>,
    /// How many steps it takes until all that a solution is asked for is known. After that, one
    /// solution of the rest is enough.
    pub(super) decided: usize,
    /// Steps whose facts a solution is to name, and the places there.
    pub(super) kept: Vec<(usize, usize)>,
    /// Facts of all relations in the clause when the plan was made.
    pub(super) facts: u64,
}

/// Goes through the facts that match a positive literal.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// Which positive literal.
    pub(super) literal: usize,
    pub(super) from: From,
    /// Places to compare with what is known.
    pub(super) checks: Vec<(Path, Leaf)>,
    /// Places that variables get their terms from.
    pub(super) binds: Vec<(Path, Var)>,
    /// Conditions that can be decided now.
    pub(super) filters: Vec<Filter>,
}

/// Where the facts for a step come from.
#[derive(Clone, Debug)]
pub(super) enum From {
    /// All new ones; their shapes are to be checked.
    New,
    /// Those with a key.
    Index { index: usize, key: SmallVec<[Leaf; 4]> },
}

/// A condition on variables that are known.
#[derive(Clone, Debug)]
pub(super) enum Filter {
    /// No fact has this key.
    Absent { index: usize, key: SmallVec<[Leaf; 4]> },
    /// The terms differ.
    Distinct(usize),
}

/// The value of a leaf, given the variables.
pub(super) fn value(leaf: Leaf, slots: &[u32]) -> u32 {
    match leaf {
        Leaf::Variable(var) => slots[var.index()],
        Leaf::Ground(TermId(id)) => id,
    }
}

struct Planner<'a> {
    clause: &'a Clause,
    facts: &'a mut Facts,
    known: Vec<bool>,
    absent: Vec<usize>,
    distinct: Vec<usize>,
}

/// Plans a clause. `new` is the positive literal of which only new facts count; it comes first.
pub(super) fn plan(clause: &Clause, facts: &mut Facts, new: Option<usize>) -> Plan {
    let size = |literal: &Positive| u64::from(facts.relations[literal.atom.relation].len());
    let total = clause.positive.iter().map(size).sum();
    let mut planner = Planner {
        clause,
        facts,
        known: vec![false; clause.variables],
        absent: (0..clause.absent.len()).collect(),
        distinct: (0..clause.distinct.len()).collect(),
    };
    let first = planner.filters();
    let mut rest: Vec<usize> = (0..clause.positive.len()).collect();
    let mut steps = Vec::with_capacity(rest.len());
    if let Some(new) = new {
        rest.retain(|&l| l != new);
        steps.push(planner.step(new, true));
    }
    while !rest.is_empty() {
        let costs: Vec<f64> = rest.iter().map(|&l| planner.cost(l)).collect();
        let best = (0..rest.len()).fold(0, |best, i| if costs[i] < costs[best] { i } else { best });
        let literal = rest.remove(best);
        steps.push(planner.step(literal, false));
    }
    let decided = steps
        .iter()
        .rposition(|s: &Step| {
            clause.positive[s.literal].kept
                || s.binds.iter().any(|(_, var)| clause.told[var.index()])
        })
        .map_or(0, |last| last + 1);
    let mut kept: Vec<(usize, usize)> = (0..steps.len())
        .filter(|&s| clause.positive[steps[s].literal].kept)
        .map(|s| (s, 0))
        .collect();
    for entry in &mut kept {
        let before = &clause.positive[..steps[entry.0].literal];
        entry.1 = before.iter().filter(|p| p.kept).count();
    }
    Plan { first, steps, decided, kept, facts: total }
}

impl Planner<'_> {
    fn is_known(&self, leaf: Leaf) -> bool {
        match leaf {
            Leaf::Variable(var) => self.known[var.index()],
            Leaf::Ground(_) => true,
        }
    }

    /// How many facts are expected to match, given what is known: each known place is taken to
    /// divide them evenly, independently of the others.
    fn cost(&mut self, literal: usize) -> f64 {
        let atom = &self.clause.positive[literal].atom;
        let mut cost = f64::from(self.facts.relations[atom.relation].len());
        let mut free = false;
        for (at, (path, leaf)) in atom.leaves.iter().enumerate() {
            let known = self.is_known(*leaf);
            if at == 0 || known {
                let spread = self.facts.spread(atom.relation, &atom.shapes, path);
                if at == 0 {
                    cost = f64::from(spread.facts);
                }
                if known {
                    cost /= f64::from(spread.distinct.max(1));
                }
            }
            free |= !known;
        }
        // What only tests comes before all that multiplies.
        if free { cost.max(0.1) } else { cost.min(0.05) }
    }

    fn step(&mut self, literal: usize, new: bool) -> Step {
        let atom = &self.clause.positive[literal].atom;
        let (mut keys, mut key): (Vec<Path>, SmallVec<[Leaf; 4]>) = Default::default();
        let (mut checks, mut binds) = (Vec::new(), Vec::new());
        for (path, leaf) in &atom.leaves {
            match leaf {
                _ if self.is_known(*leaf) && !new => {
                    keys.push(path.clone());
                    key.push(*leaf);
                }
                Leaf::Variable(var) if !binds.iter().any(|(_, v)| v == var) => {
                    binds.push((path.clone(), *var));
                }
                _ => checks.push((path.clone(), *leaf)),
            }
        }
        for (_, var) in &binds {
            self.known[var.index()] = true;
        }
        let from = if new {
            From::New
        } else {
            let shapes = atom.shapes.clone();
            let index = self.facts.index(&IndexSpec { relation: atom.relation, shapes, keys });
            From::Index { index, key }
        };
        Step { literal, from, checks, binds, filters: self.filters() }
    }

    /// The conditions whose variables have all become known.
    fn filters(&mut self) -> Vec<Filter> {
        let mut filters = Vec::new();
        let (distinct, absent) =
            (std::mem::take(&mut self.distinct), std::mem::take(&mut self.absent));
        for at in distinct {
            let (a, b) = &self.clause.distinct[at];
            let mut known = true;
            a.variables(&mut |v| known &= self.known[v.index()]);
            b.variables(&mut |v| known &= self.known[v.index()]);
            if known {
                filters.push(Filter::Distinct(at));
            } else {
                self.distinct.push(at);
            }
        }
        for at in absent {
            let atom = &self.clause.absent[at];
            if atom.leaves.iter().all(|(_, leaf)| self.is_known(*leaf)) {
                let keys = atom.leaves.iter().map(|(path, _)| path.clone()).collect();
                let shapes = atom.shapes.clone();
                let index = self.facts.index(&IndexSpec { relation: atom.relation, shapes, keys });
                let key = atom.leaves.iter().map(|(_, leaf)| *leaf).collect();
                filters.push(Filter::Absent { index, key });
            } else {
                self.absent.push(at);
            }
        }
        filters
    }
}
