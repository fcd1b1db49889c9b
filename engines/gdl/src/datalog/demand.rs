//! Relations that are evaluated on demand: not as a whole, but for the keys that are asked for (in
//! the manner of magic sets, Bancilhon et al. 1986). A rule that asks such a relation names the
//! columns that it knows; what all of them know is the relation's key.

use rustc_hash::FxHashMap;

use super::flat::{FlatAtom, FlatId, FlatLiteral, FlatProgram, FlatRule};
use super::plan::{self, Size, is_bound};
use super::schedule::Schedule;
use crate::limits::MAX_DEMAND_NESTING;
use crate::program::{Dependence, RelId};

/// The demand for a relation: the keys by which it is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Demand {
    /// The columns of its key, in order.
    pub(crate) key: Vec<usize>,
    /// The relation, numbered after all flat ones, of the keys asked for.
    pub(crate) asked: FlatId,
    pub(crate) stage: usize,
}

/// The relations that are evaluated on demand.
#[derive(Clone, Debug)]
pub(crate) struct Demands {
    /// By flat relation.
    pub(crate) of: Vec<Option<Demand>>,
    /// The relations of keys: the relation whose keys they are, by number after the flat ones.
    pub(crate) asked: Vec<FlatId>,
}

/// True if a stage can be evaluated on demand at all.
pub(crate) fn is_candidate(flat: &FlatProgram, schedule: &Schedule, stage: usize) -> bool {
    let stage = &schedule.stages[stage];
    stage.dependence != Dependence::Static
        && !stage.rules.is_empty()
        && stage.relations.iter().all(|id| {
            let relation = &flat.relations[id.index()];
            // What is read as a whole, and what has nothing to be a key.
            !matches!(
                relation.relation,
                RelId::TRUE
                    | RelId::DOES
                    | RelId::NEXT
                    | RelId::LEGAL
                    | RelId::GOAL
                    | RelId::TERMINAL
                    | RelId::SEES
            ) && !relation.columns.is_empty()
        })
}

/// The rule with the condition that its head is asked for in front.
pub(crate) fn guarded(rule: &FlatRule, demand: &Demand) -> FlatRule {
    let columns = demand.key.iter().map(|&c| rule.head.columns[c].clone()).collect();
    let asked = FlatAtom { relation: demand.asked, columns };
    let mut body = vec![FlatLiteral::Positive(asked)];
    body.extend_from_slice(&rule.body);
    FlatRule { head: rule.head.clone(), body, variables: rule.variables }
}

/// By flat relation: the columns that all who ask it know; `None` while nobody has asked.
type Keys = Vec<Option<Vec<usize>>>;

impl Demands {
    /// No relation on demand.
    pub(crate) fn none(flat: &FlatProgram) -> Demands {
        Demands { of: vec![None; flat.relations.len()], asked: Vec::new() }
    }

    /// Relations of the stages that `lazy` names, as far as all who ask them know some column.
    pub(crate) fn new(
        flat: &FlatProgram,
        schedule: &Schedule,
        lazy: &[bool],
        sizes: &[Size],
    ) -> Demands {
        let mut demands = Demands::none(flat);
        // Sizes of relations of keys, which are small.
        let mut sizes = sizes.to_vec();
        let mut keys: Keys = vec![None; flat.relations.len()];
        let mut nesting = vec![0; schedule.stages.len()];
        for stage in (0..schedule.stages.len()).rev() {
            let lazy = lazy[stage] && nesting[stage] < MAX_DEMAND_NESTING;
            if lazy {
                demands.settle(flat, schedule, stage, &mut sizes, &mut keys);
            }
            let own = schedule.stages[stage].relations.first();
            let nested = own.is_some_and(|id| demands.of[id.index()].is_some());
            let deeper = nesting[stage] + usize::from(nested);
            for &rule in &schedule.stages[stage].rules {
                for (rule, delta) in variants(flat, schedule, &demands, stage, rule) {
                    ask(&rule, delta, &sizes, &mut |id, known| {
                        if let Some(key) = keys.get_mut(id.index()) {
                            narrow(key, known);
                        }
                    });
                    for literal in rule.body.iter().filter_map(super::schedule::asked) {
                        if let Some(&below) = schedule.stage_of.get(literal.0.index())
                            && below != stage
                        {
                            nesting[below] = nesting[below].max(deeper);
                        }
                    }
                }
            }
        }
        demands
    }

    /// Finds the keys of the relations of a stage, if it can be evaluated on demand.
    fn settle(
        &mut self,
        flat: &FlatProgram,
        schedule: &Schedule,
        stage: usize,
        sizes: &mut Vec<Size>,
        keys: &mut Keys,
    ) {
        let relations = &schedule.stages[stage].relations;
        let all = |id: FlatId| (0..flat.relations[id.index()].columns.len()).collect::<Vec<_>>();
        let saved = (self.asked.len(), sizes.len());
        for &id in relations {
            let asked = FlatId((flat.relations.len() + self.asked.len()) as u32);
            self.asked.push(id);
            sizes.push(Size::default());
            let key = keys[id.index()].clone().unwrap_or_else(|| all(id));
            self.of[id.index()] = Some(Demand { key, asked, stage });
        }
        loop {
            for &id in relations {
                if let Some(demand) = &self.of[id.index()] {
                    let distinct = &sizes[id.index()].distinct;
                    let distinct = demand.key.iter().map(|&c| distinct[c]).collect();
                    sizes[demand.asked.index()] = Size { rows: 4.0, distinct, on_demand: false };
                }
            }
            let mut inner: FxHashMap<FlatId, Option<Vec<usize>>> =
                relations.iter().map(|&id| (id, keys[id.index()].clone())).collect();
            for &rule in &schedule.stages[stage].rules {
                for (rule, delta) in variants(flat, schedule, self, stage, rule) {
                    ask(&rule, delta, sizes, &mut |id, known| {
                        if let Some(key) = inner.get_mut(&id) {
                            narrow(key, known);
                        }
                    });
                }
            }
            let mut changed = false;
            let mut hopeless = false;
            for &id in relations {
                let Some(demand) = &mut self.of[id.index()] else { continue };
                let mut key = inner[&id].clone().unwrap_or_else(|| all(id));
                // With another key a rule may ask in another order, and know other columns. Keys
                // that grew again would go on changing for ever.
                key.retain(|column| demand.key.contains(column));
                changed |= demand.key != key;
                hopeless |= key.is_empty();
                demand.key = key;
            }
            if hopeless {
                for &id in relations {
                    self.of[id.index()] = None;
                }
                self.asked.truncate(saved.0);
                sizes.truncate(saved.1);
                return;
            }
            if !changed {
                for &id in relations {
                    keys[id.index()].clone_from(&inner[&id]);
                }
                return;
            }
        }
    }
}

/// The ways in which a rule is run: once, or once a recursive literal (and the demand for its head)
/// whose rows it goes through as they come.
pub(crate) fn variants(
    flat: &FlatProgram,
    schedule: &Schedule,
    demands: &Demands,
    stage: usize,
    rule: usize,
) -> Vec<(FlatRule, Option<usize>)> {
    let rule = &flat.rules[rule];
    let demand = demands.of[rule.head.relation.index()].as_ref();
    let rule = demand.map_or_else(|| rule.clone(), |demand| guarded(rule, demand));
    let is_delta = |literal: &FlatLiteral| match literal {
        FlatLiteral::Positive(atom) => match schedule.stage_of.get(atom.relation.index()) {
            Some(&of) => of == stage,
            // A relation of keys.
            None => true,
        },
        _ => false,
    };
    let deltas: Vec<usize> = (0..rule.body.len()).filter(|&i| is_delta(&rule.body[i])).collect();
    if deltas.is_empty() {
        return vec![(rule, None)];
    }
    deltas.into_iter().map(|delta| (rule.clone(), Some(delta))).collect()
}

/// Keeps of a key the columns that are known.
fn narrow(key: &mut Option<Vec<usize>>, known: &[bool]) {
    match key {
        Some(key) => key.retain(|&c| known[c]),
        None => *key = Some((0..known.len()).filter(|&c| known[c]).collect()),
    }
}

/// Tells which columns a rule knows of the relations that it asks.
fn ask(
    rule: &FlatRule,
    delta: Option<usize>,
    sizes: &[Size],
    note: &mut dyn FnMut(FlatId, &[bool]),
) {
    let mut bound = vec![false; rule.variables as usize];
    let known = |atom: &FlatAtom, bound: &[bool]| -> Vec<bool> {
        atom.columns.iter().map(|c| is_bound(c, bound)).collect()
    };
    let order = plan::order(rule, delta, sizes);
    for literal in delta.into_iter().chain(order) {
        if let FlatLiteral::Positive(atom) = &rule.body[literal] {
            if delta != Some(literal) {
                note(atom.relation, &known(atom, &bound));
            }
            let mut mark = |var: u32| bound[var as usize] = true;
            atom.columns.iter().for_each(|c| c.for_each_variable(&mut mark));
        }
    }
    for literal in &rule.body {
        if let FlatLiteral::Negative(atom) = literal {
            note(atom.relation, &known(atom, &bound));
        }
    }
}
