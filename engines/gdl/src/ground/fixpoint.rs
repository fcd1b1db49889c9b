//! Everything that can hold, and every instance of a rule that can say so: one semi-naive
//! evaluation for both.
//!
//! Static relations are evaluated exactly. For the others `not` is taken to be satisfiable, a
//! proposition to be possible if `init` or `next` is, and an action to be taken if it may be legal.
//!
//! Every instance is found once: a rule remembers how many facts of each of its literals it has
//! combined already, and looks for solutions in which some literal's fact is new, earlier literals
//! range over all and later ones over the old facts (semi-naive evaluation, Balbin and
//! Ramamohanarao 1987).

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::ground::budget::Budget;
use crate::ground::clause::{Extent, Positive};
use crate::ground::clauses::Clauses;
use crate::ground::facts::Facts;
use crate::ground::join::{Question, Range, Search, Solutions};
use crate::ground::pattern::AtomPattern;
use crate::ground::plan::{Filter, From, Plan, plan};
use crate::ground::tuples::Tuples;
use crate::program::{Atom, Program, RelId};
use crate::terms::Terms;

/// Terms nested deeper are taken for a game that builds them without end.
const MAX_NESTING: u16 = 400;

/// The result of the evaluation, and the evaluation itself.
pub(super) struct Fixpoint<'a> {
    pub(super) program: &'a Program,
    pub(super) facts: Facts,
    /// By rule: the head's fact, the facts of its literals that are kept, and the numbers of its
    /// negative literals in `mentioned`.
    pub(super) instances: Vec<Tuples>,
    pub(super) clauses: Clauses,
    /// By relation: atoms of negative literals, which may or may not be among the facts.
    pub(super) mentioned: Vec<Tuples>,
    /// Facts of the sheet, by relation and number.
    pub(super) asserted: Vec<(usize, u32)>,
    pub(super) budget: Budget,
    rules: Vec<Progress>,
    /// By relation: the rules that ask for it.
    readers: Vec<Vec<usize>>,
    /// Rules to look at, those of lower components first.
    pending: BTreeSet<(usize, usize)>,
    depths: Vec<u16>,
    tuple: Vec<u32>,
    /// Evaluations and solutions since the last look at the limits.
    since: usize,
}

/// How far a rule has got.
struct Progress {
    /// By positive literal: so many facts have been combined with all others.
    combined: Vec<u32>,
    /// One for each literal that new facts can come from, and one for a start from nothing.
    plans: Vec<Option<Plan>>,
    component: usize,
    dedupe: bool,
    fired: bool,
    work: u64,
    solutions: u64,
}

/// Why an evaluation stopped before its end.
pub(super) enum Halt {
    /// A limit was reached.
    TooLarge(String),
    /// These rules have got so many instances that they had better be taken apart.
    TakeApart(Vec<usize>),
}

/// Solutions of a rule that can be taken apart, before that is done.
const MANY: u64 = 30_000;

impl<'a> Fixpoint<'a> {
    /// A fresh evaluation; rules whose numbers are in `apart` are taken apart.
    pub(super) fn new(
        program: &'a Program,
        apart: &BTreeSet<usize>,
        budget: Budget,
    ) -> Fixpoint<'a> {
        let mut terms = Terms::default();
        let clauses = Clauses::new(program, &mut terms, apart);
        let relations = &clauses.relations;
        let mut readers = vec![Vec::new(); relations.len()];
        let mut pending = BTreeSet::new();
        let mut progress = Vec::new();
        for (at, clause) in clauses.all.iter().enumerate() {
            let Extent { component, relevant, .. } = relations[clause.head.relation];
            if relevant {
                pending.insert((component, at));
                for literal in &clause.positive {
                    if readers[literal.atom.relation].last() != Some(&at) {
                        readers[literal.atom.relation].push(at);
                    }
                }
            }
            progress.push(Progress {
                combined: vec![0; clause.positive.len()],
                plans: vec![None; clause.positive.len() + 1],
                component,
                dedupe: clause.may_repeat(),
                fired: false,
                work: 0,
                solutions: 0,
            });
        }
        let instances =
            clauses.all.iter().map(|c| 1 + c.width() - c.wanted.len() + c.negated.len());
        let mut fixpoint = Fixpoint {
            program,
            instances: instances.map(Tuples::new).collect(),
            mentioned: relations.iter().map(|r| Tuples::new(r.arity)).collect(),
            asserted: Vec::new(),
            budget,
            facts: Facts::new(terms, relations.iter().map(|r| r.arity)),
            clauses,
            rules: progress,
            readers,
            pending,
            depths: Vec::new(),
            tuple: Vec::new(),
            since: 0,
        };
        let relevant = |f: &&Atom| fixpoint.clauses.relations[f.relation.index()].relevant;
        let facts: Vec<&Atom> = program.facts.iter().filter(relevant).collect();
        for fact in facts {
            let pattern = AtomPattern::new(fact, &mut fixpoint.facts.terms);
            let mut tuple = Vec::new();
            pattern.instance(&[], &mut fixpoint.facts.terms, &mut tuple);
            let relation = fact.relation.index();
            let number = fixpoint.insert(relation, &tuple);
            fixpoint.asserted.push((relation, number));
        }
        fixpoint
    }

    /// Evaluates everything.
    pub(super) fn run(&mut self) -> Result<(), Halt> {
        while let Some((_, rule)) = self.pending.pop_first() {
            self.evaluate(rule)?;
            self.since += 1;
            self.check_at_times()?;
        }
        self.check()
    }

    /// Looks at the limits once in a while: adding up the memory goes through all rules and
    /// relations, so that it waits until as much has been done.
    fn check_at_times(&mut self) -> Result<(), Halt> {
        let counted = self.instances.len() + 2 * self.mentioned.len();
        if self.since < 256.max(counted / 4) {
            return Ok(());
        }
        self.check()
    }

    /// Steps that went into a rule.
    pub(super) fn work_of(&self, rule: usize) -> u64 {
        self.rules[rule].work
    }

    fn check(&mut self) -> Result<(), Halt> {
        self.since = 0;
        let kept: usize = self.instances.iter().chain(&self.mentioned).map(Tuples::bytes).sum();
        self.budget.measure(self.facts.bytes() + kept);
        if let Some(which) = self.budget.exceeded() {
            return Err(Halt::TooLarge(self.explain(&which)));
        }
        for term in self.depths.len()..self.facts.terms.len() {
            let args = self.facts.terms.args(crate::terms::TermId(term as u32));
            let inner = args.iter().map(|a| self.depths[a.index()]).max();
            let depth = inner.map_or(0, |d| d.saturating_add(1));
            self.depths.push(depth);
            if depth > MAX_NESTING {
                let which = format!("terms nest deeper than {MAX_NESTING}");
                return Err(Halt::TooLarge(self.explain(&which)));
            }
        }
        Ok(())
    }

    /// Where the work and the facts went.
    fn explain(&self, which: &str) -> String {
        let program = self.program;
        let mut text = format!("grounding: {which}");
        let costliest = (0..self.rules.len()).max_by_key(|&r| (self.rules[r].work, usize::MAX - r));
        if let Some(rule) = costliest {
            let share = 100 * self.rules[rule].work / self.budget.work().max(1);
            let instances = self.instances[rule].len();
            let shown = program.show_rule(&program.rules[self.clauses.rules[rule]]);
            let _ = write!(
                text,
                "; {share} % of the work and {instances} instances went into the rule {shown}"
            );
        }
        let facts = &self.facts.relations;
        let named = program.relations.len();
        if let Some(most) = (0..named).max_by_key(|&r| (facts[r].len(), usize::MAX - r)) {
            let name = program.relation_name(RelId(most as u32));
            let _ = write!(text, "; most facts are of `{name}`: {}", facts[most].len());
        }
        text
    }

    /// Adds a fact, and what follows from it without a rule; returns its number.
    fn insert(&mut self, relation: usize, tuple: &[u32]) -> u32 {
        let (number, new) = self.facts.relations[relation].insert(tuple);
        if new {
            for &reader in &self.readers[relation] {
                self.pending.insert((self.rules[reader].component, reader));
            }
            match RelId(relation as u32) {
                RelId::INIT | RelId::NEXT => {
                    self.insert(RelId::TRUE.index(), tuple);
                }
                RelId::LEGAL => {
                    self.insert(RelId::DOES.index(), tuple);
                }
                _ => {}
            }
        }
        number
    }

    /// Finds the solutions of a rule that involve new facts.
    fn evaluate(&mut self, rule: usize) -> Result<(), Halt> {
        let lens: Vec<u32> = self.clauses.all[rule]
            .positive
            .iter()
            .map(|p| self.facts.relations[p.atom.relation].len())
            .collect();
        if lens.is_empty() {
            if !std::mem::replace(&mut self.rules[rule].fired, true) {
                self.search(rule, None, &[])?;
            }
            return Ok(());
        }
        if lens.contains(&0) {
            return Ok(());
        }
        let old = std::mem::replace(&mut self.rules[rule].combined, lens.clone());
        for new in 0..lens.len() {
            let ranges: Vec<Range> = (0..lens.len())
                .map(|literal| match literal.cmp(&new) {
                    std::cmp::Ordering::Less => Range { start: 0, end: lens[literal] },
                    std::cmp::Ordering::Equal => Range { start: old[new], end: lens[new] },
                    std::cmp::Ordering::Greater => Range { start: 0, end: old[literal] },
                })
                .collect();
            if ranges.iter().all(|r| r.start < r.end) {
                self.search(rule, (old[new] > 0).then_some(new), &ranges)?;
            }
        }
        Ok(())
    }

    fn search(&mut self, rule: usize, new: Option<usize>, ranges: &[Range]) -> Result<(), Halt> {
        let clause = &self.clauses.all[rule];
        let facts = |p: &Positive| u64::from(self.facts.relations[p.atom.relation].len());
        let total: u64 = clause.positive.iter().map(facts).sum();
        let place = new.map_or(0, |n| n + 1);
        let plan = match self.rules[rule].plans[place].take() {
            Some(plan) if total <= 4 * plan.facts => plan,
            _ => plan(clause, &mut self.facts, new),
        };
        let mut work = 0;
        for index in indexes(&plan) {
            work += self.facts.refresh(index);
        }
        let mut search = Search::new(clause, &plan);
        let mut solutions = Solutions::default();
        while !search.is_done() {
            let question = Question {
                clause: &self.clauses.all[rule],
                plan: &plan,
                facts: &self.facts,
                ranges,
            };
            work += search.run(question, self.budget.work_left(), &mut solutions);
            work += solutions.count as u64;
            self.rules[rule].work += work;
            self.budget.spend(std::mem::take(&mut work));
            self.since += solutions.count;
            self.rules[rule].solutions += solutions.count as u64;
            if self.rules[rule].solutions > MANY && self.clauses.splittable[rule] {
                let many =
                    |&r: &usize| self.clauses.splittable[r] && self.rules[r].solutions > MANY / 10;
                let rules = (0..self.rules.len()).filter(many).map(|r| self.clauses.rules[r]);
                return Err(Halt::TakeApart(rules.collect()));
            }
            self.conclude(rule, &mut solutions);
            if search.is_done() {
                self.check_at_times()?;
            } else {
                self.check()?;
            }
        }
        self.rules[rule].plans[place] = Some(plan);
        Ok(())
    }

    /// Turns solutions into facts and instances.
    fn conclude(&mut self, rule: usize, solutions: &mut Solutions) {
        let width = self.clauses.all[rule].width();
        let mut slots = vec![0; self.clauses.all[rule].variables];
        let mut tuple = std::mem::take(&mut self.tuple);
        let mut instance = Vec::new();
        for at in 0..solutions.count {
            let solution = &solutions.data[at * width..(at + 1) * width];
            let clause = &self.clauses.all[rule];
            let kept = width - clause.wanted.len();
            for (var, &term) in clause.wanted.iter().zip(&solution[kept..]) {
                slots[var.index()] = term;
            }
            clause.head.instance(&slots, &mut self.facts.terms, &mut tuple);
            let (relation, recorded) = (clause.head.relation, clause.recorded);
            let head = self.insert(relation, &tuple);
            if !recorded {
                continue;
            }
            instance.clear();
            instance.push(head);
            instance.extend_from_slice(&solution[..kept]);
            for negated in &self.clauses.all[rule].negated {
                negated.instance(&slots, &mut self.facts.terms, &mut tuple);
                instance.push(self.mentioned[negated.relation].insert(&tuple).0);
            }
            if self.rules[rule].dedupe {
                self.instances[rule].insert(&instance);
            } else {
                self.instances[rule].push(&instance);
            }
        }
        self.tuple = tuple;
        solutions.data.clear();
        solutions.count = 0;
    }
}

/// The indexes that a plan uses.
fn indexes(plan: &Plan) -> Vec<usize> {
    let filters = plan.first.iter().chain(plan.steps.iter().flat_map(|s| &s.filters));
    let absent = filters.filter_map(|f| match f {
        Filter::Absent { index, .. } => Some(*index),
        Filter::Distinct(_) => None,
    });
    let probed = plan.steps.iter().filter_map(|s| match &s.from {
        From::Index { index, .. } => Some(*index),
        From::New => None,
    });
    absent.chain(probed).collect()
}
