//! Domain inference: the constants that the columns of relations that change can hold, once it is
//! known what the others hold. What `shapes` found out before is coarse: a relation that is derived
//! by adding has all numbers that are ever added in all of its columns. Here a variable has the
//! values that all literals allow that ask for it, and a column those of the variables that stand
//! there, to the least fixed point.

use std::collections::VecDeque;

use super::base::Base;
use super::domain::{Domain, Domains};
use super::flat::{FlatAtom, FlatId, FlatLiteral, FlatRule, FlatTerm};
use super::statics::Extent;
use crate::limits::MAX_INFERENCE_WORK;
use crate::program::{Dependence, RelId};

/// The domains of a rule's variables, as literals that never change bound them; `None` for
/// variables without a bound.
struct Bound<'a> {
    rule: &'a FlatRule,
    by_statics: Vec<Option<Domain>>,
}

impl Base {
    /// The values of all columns of relations that change; `None` if finding out takes too much.
    pub(crate) fn infer_domains(&self) -> Option<Domains> {
        let mut work = MAX_INFERENCE_WORK;
        let flat = &self.flat;
        let changes = |id: FlatId| self.schedule.dependence(id) != Dependence::Static;
        let rules = flat.rules.iter().filter(|rule| changes(rule.head.relation));
        let bounds = rules.map(|rule| self.bound(rule, &mut work));
        let bounds: Vec<Bound<'_>> = bounds.collect::<Option<_>>()?;
        let mut asking = vec![Vec::new(); flat.relations.len()];
        for (index, bound) in bounds.iter().enumerate() {
            for (id, positive) in bound.rule.body.iter().filter_map(super::schedule::asked) {
                if positive && changes(id) && asking[id.index()].last() != Some(&index) {
                    asking[id.index()].push(index);
                }
            }
        }
        let mut domains: Domains = flat
            .relations
            .iter()
            .map(|relation| relation.columns.iter().map(|c| c.map(|_| Domain::default())).collect())
            .collect();
        for id in (0..flat.relations.len() as u32).map(FlatId) {
            let Some(rows) = self.facts.get(&id) else { continue };
            for id in self.receivers(id) {
                rows.iter().for_each(|row| note(&mut domains[id.index()], row));
            }
        }
        for id in flat.of(RelId::INIT) {
            let is_true = flat.counterpart(id, RelId::TRUE);
            let rows = self.statics.relations[id.index()].iter().flat_map(Extent::rows);
            rows.for_each(|row| note(&mut domains[is_true.index()], row));
        }
        let mut queue: VecDeque<usize> = (0..bounds.len()).collect();
        let mut queued = vec![true; bounds.len()];
        while let Some(index) = queue.pop_front() {
            queued[index] = false;
            let head = bounds[index].rule.head.relation;
            let Some(values) = self.head_values(&bounds[index], &domains, &mut work)? else {
                continue;
            };
            for id in self.receivers(head) {
                let mut new = false;
                for (domain, values) in domains[id.index()].iter_mut().zip(&values) {
                    if let (Some(domain), Some(values)) = (domain, values) {
                        new |= domain.add_all(values);
                    }
                }
                for &rule in asking[id.index()].iter().filter(|_| new) {
                    if !std::mem::replace(&mut queued[rule], true) {
                        queue.push_back(rule);
                    }
                }
            }
        }
        // Rows are copied from the one to the other.
        for id in flat.of(RelId::TRUE) {
            let next = flat.counterpart(id, RelId::NEXT);
            let own = domains[id.index()].clone();
            domains[next.index()] = own;
        }
        Some(domains)
    }

    /// The relations that get the tuples of a relation: itself, and what is read in its place
    /// later.
    fn receivers(&self, id: FlatId) -> impl Iterator<Item = FlatId> + use<> {
        let later = match self.flat.relations[id.index()].relation {
            RelId::NEXT => Some(self.flat.counterpart(id, RelId::TRUE)),
            RelId::LEGAL => Some(self.flat.counterpart(id, RelId::DOES)),
            _ => None,
        };
        [id].into_iter().chain(later)
    }

    /// The bounds that literals that never change put on a rule's variables.
    fn bound<'a>(&self, rule: &'a FlatRule, work: &mut u64) -> Option<Bound<'a>> {
        let mut by_statics: Vec<Option<Domain>> = vec![None; rule.variables as usize];
        for literal in &rule.body {
            let FlatLiteral::Positive(atom) = literal else { continue };
            let Some(extent) = &self.statics.relations[atom.relation.index()] else { continue };
            *work = work.checked_sub((extent.len * (1 + atom.columns.len())) as u64)?;
            let nodes = &self.flat.relations[atom.relation.index()].columns;
            let is_asked = |(column, node): (&FlatTerm, &Option<_>)| {
                (node.is_some() && variable(column).is_some()).then(Domain::default)
            };
            let mut found: Vec<Option<Domain>> =
                atom.columns.iter().zip(nodes).map(is_asked).collect();
            for row in extent.rows().filter(|row| self.fits(atom, row)) {
                note(&mut found, row);
            }
            for (column, found) in atom.columns.iter().zip(found) {
                if let (Some(var), Some(found)) = (variable(column), found) {
                    meet(&mut by_statics[var], &found);
                }
            }
        }
        Some(Bound { rule, by_statics })
    }

    /// True if a row has the constants of an atom.
    fn fits(&self, atom: &FlatAtom, row: &[u32]) -> bool {
        atom.columns.iter().zip(row).all(|(column, &value)| match column {
            FlatTerm::Const(symbol) => self.universe.value(*symbol) == value,
            _ => true,
        })
    }

    /// The values that a rule gives the columns of its head, as far as they are constants; `None`
    /// if it derives nothing yet. Fails when there is no work left.
    #[expect(clippy::option_option, reason = "out of work, nothing derived, values")]
    fn head_values(
        &self,
        bound: &Bound<'_>,
        domains: &Domains,
        work: &mut u64,
    ) -> Option<Option<Vec<Option<Domain>>>> {
        let own = bound.by_statics.iter().flatten().map(Domain::words);
        let size = own.sum::<usize>() + bound.by_statics.len() + bound.rule.body.len();
        *work = work.checked_sub(1 + size as u64)?;
        let mut values = bound.by_statics.clone();
        for literal in &bound.rule.body {
            let FlatLiteral::Positive(atom) = literal else { continue };
            if self.statics.relations[atom.relation.index()].is_some() {
                continue;
            }
            for (column, domain) in atom.columns.iter().zip(&domains[atom.relation.index()]) {
                let Some(domain) = domain else { continue };
                *work = work.checked_sub(1 + domain.words() as u64)?;
                if let Some(var) = variable(column) {
                    meet(&mut values[var], domain);
                }
            }
        }
        if values.iter().flatten().any(Domain::is_empty) {
            return Some(None);
        }
        let head = &bound.rule.head;
        let nodes = &self.flat.relations[head.relation.index()].columns;
        let value = |(term, node): (&FlatTerm, &Option<_>)| {
            let node = (*node)?;
            if let Some(values) = variable(term).and_then(|var| values[var].clone()) {
                return Some(values);
            }
            let mut all = Domain::default();
            match term {
                FlatTerm::Const(symbol) => all.add(self.universe.value(*symbol)),
                _ => self
                    .flat
                    .shapes
                    .constants(node)
                    .iter()
                    .for_each(|symbol| all.add(self.universe.value(symbol))),
            }
            Some(all)
        };
        Some(Some(head.columns.iter().zip(nodes).map(value).collect()))
    }
}

fn note(domains: &mut [Option<Domain>], row: &[u32]) {
    for (domain, &value) in domains.iter_mut().zip(row) {
        if let Some(domain) = domain {
            domain.add(value);
        }
    }
}

fn variable(term: &FlatTerm) -> Option<usize> {
    match term {
        FlatTerm::Var(var) => Some(*var as usize),
        _ => None,
    }
}

fn meet(domain: &mut Option<Domain>, other: &Domain) {
    match domain {
        Some(domain) => domain.intersect(other),
        None => *domain = Some(other.clone()),
    }
}
