//! Running a plan: a nested loop over indexed facts, without recursion.

use crate::ground::clause::Clause;
use crate::ground::facts::{Facts, NONE};
use crate::ground::plan::{Filter, From, Plan, Step, value};

/// Solutions of one run: per solution the numbers of the facts of the kept positive literals, then
/// the terms of the wanted variables.
#[derive(Clone, Debug, Default)]
pub(super) struct Solutions {
    pub(super) data: Vec<u32>,
    /// How many there are; solutions may be of width 0.
    pub(super) count: usize,
}

/// The facts that a positive literal ranges over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    pub(super) start: u32,
    pub(super) end: u32,
}

#[derive(Clone, Copy)]
struct Cursor {
    /// The next entry of an index, or the next fact.
    next: u32,
    /// The fact found last.
    fact: u32,
}

/// A search that can be interrupted and taken up again.
pub(super) struct Search {
    slots: Vec<u32>,
    cursors: Vec<Cursor>,
    key: Vec<u32>,
    depth: usize,
    state: State,
    work: u64,
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    Fresh,
    Running,
    Done,
}

/// What a search is about.
#[derive(Clone, Copy)]
pub(super) struct Question<'a> {
    pub(super) clause: &'a Clause,
    pub(super) plan: &'a Plan,
    pub(super) facts: &'a Facts,
    /// By positive literal.
    pub(super) ranges: &'a [Range],
}

/// Solutions are handed on when they fill so many words.
const CHUNK: usize = 1 << 18;

impl Search {
    pub(super) fn new(clause: &Clause, plan: &Plan) -> Search {
        Search {
            slots: vec![0; clause.variables],
            cursors: vec![Cursor { next: NONE, fact: NONE }; plan.steps.len()],
            key: Vec::new(),
            depth: 0,
            state: State::Fresh,
            work: 1,
        }
    }

    /// Whether there is nothing more to find.
    pub(super) fn is_done(&self) -> bool {
        self.state == State::Done
    }

    /// Looks for solutions until there are no more, or a good many, or `work_left` steps are used
    /// up. The indexes of the plan must be up to date with the ranges; facts beyond are not seen.
    /// Returns the steps taken.
    pub(super) fn run(
        &mut self,
        question: Question<'_>,
        work_left: u64,
        out: &mut Solutions,
    ) -> u64 {
        let steps = question.plan.steps.len();
        if self.state == State::Fresh {
            self.state = State::Done;
            if !self.pass(question, &question.plan.first) {
                return std::mem::take(&mut self.work);
            }
            if steps == 0 {
                self.tell(question, out);
                return std::mem::take(&mut self.work);
            }
            self.state = State::Running;
            self.enter(question);
        }
        while self.state == State::Running && self.work <= work_left && out.data.len() < CHUNK {
            if !self.advance(question) {
                match self.depth.checked_sub(1) {
                    Some(up) => self.depth = up,
                    None => self.state = State::Done,
                }
            } else if self.depth + 1 < steps {
                self.depth += 1;
                self.enter(question);
            } else {
                self.tell(question, out);
                // What comes after the last step that matters would only repeat this solution.
                match question.plan.decided {
                    0 => self.state = State::Done,
                    decided => self.depth = decided - 1,
                }
            }
        }
        std::mem::take(&mut self.work)
    }

    fn enter(&mut self, question: Question<'_>) {
        let step = &question.plan.steps[self.depth];
        self.cursors[self.depth].next = match &step.from {
            From::New => question.ranges[step.literal].start,
            From::Index { index, key } => {
                self.key.clear();
                self.key.extend(key.iter().map(|leaf| value(*leaf, &self.slots)));
                question.facts.indexed(*index).first(&self.key)
            }
        };
    }

    /// Goes to the next fact that matches; false if there is none.
    fn advance(&mut self, question: Question<'_>) -> bool {
        let step = &question.plan.steps[self.depth];
        let range = question.ranges[step.literal];
        loop {
            self.work += 1;
            let cursor = &mut self.cursors[self.depth];
            let next = cursor.next;
            let fact = match &step.from {
                From::New => {
                    if next >= range.end {
                        return false;
                    }
                    cursor.next = next + 1;
                    next
                }
                From::Index { index, .. } => {
                    if next == NONE {
                        return false;
                    }
                    let (fact, after) = question.facts.indexed(*index).entry(next);
                    // Entries come in the order of the facts.
                    if fact >= range.end {
                        return false;
                    }
                    cursor.next = after;
                    fact
                }
            };
            cursor.fact = fact;
            if self.matches(question, step, fact) && self.pass(question, &step.filters) {
                return true;
            }
        }
    }

    fn matches(&mut self, question: Question<'_>, step: &Step, fact: u32) -> bool {
        let atom = &question.clause.positive[step.literal].atom;
        let facts = question.facts;
        let tuple = facts.relations[atom.relation].get(fact);
        if matches!(step.from, From::New) && !atom.shapes.iter().all(|s| facts.has_shape(tuple, s))
        {
            return false;
        }
        for (path, var) in &step.binds {
            match facts.at(tuple, path) {
                Some(term) => self.slots[var.index()] = term,
                None => return false,
            }
        }
        let mut checks = step.checks.iter();
        checks.all(|(path, leaf)| facts.at(tuple, path) == Some(value(*leaf, &self.slots)))
    }

    fn pass(&mut self, question: Question<'_>, filters: &[Filter]) -> bool {
        filters.iter().all(|filter| match filter {
            Filter::Absent { index, key } => {
                self.work += 1;
                self.key.clear();
                self.key.extend(key.iter().map(|leaf| value(*leaf, &self.slots)));
                question.facts.indexed(*index).first(&self.key) == NONE
            }
            Filter::Distinct(at) => {
                let (a, b) = &question.clause.distinct[*at];
                !a.same(b, &self.slots, &question.facts.terms)
            }
        })
    }

    fn tell(&mut self, question: Question<'_>, out: &mut Solutions) {
        let start = out.data.len();
        out.data.resize(start + question.clause.width(), 0);
        for &(step, place) in &question.plan.kept {
            out.data[start + place] = self.cursors[step].fact;
        }
        let wanted = &question.clause.wanted;
        let terms = &mut out.data[start + question.plan.kept.len()..];
        for (to, var) in terms.iter_mut().zip(wanted) {
            *to = self.slots[var.index()];
        }
        out.count += 1;
    }
}
