//! The actions of the keeper as instructions: alternatives that go back on failure.

use rustc_hash::FxHashMap;

use super::alternatives::{Alternative, lone_test};
use super::bytecode::{BytecodeWriter, DEEPEST, Place};
use super::steps::Label;
use crate::bytecode::Inst;
use crate::formula::Formula;
use crate::program::{EdgeKind, Pattern, Step};

impl<const W: usize> BytecodeWriter<'_, W> {
    pub(super) fn write_keeper(&mut self, id: u32, depth: usize) -> Option<()> {
        let compiler = self.writer.compiler;
        let alternatives = compiler.alternatives(id)?;
        let mut plans: Vec<Option<Plan>> = vec![None; alternatives.len()];
        for i in (0..alternatives.len()).rev() {
            plans[i] = self.plan(i, &alternatives, &plans);
        }
        let mut entries = Entries::default();
        for (i, (this, plan)) in alternatives.iter().zip(plans).enumerate() {
            if i > 0 && !(0..=this.walks.len()).any(|at| entries.contains_key(&(i, at))) {
                continue; // nothing comes here
            }
            self.write_alternative(i, this, plan?, &mut entries, depth)?;
        }
        Some(())
    }

    /// The plan of an alternative, given the plans of those behind it; `None` if it cannot be
    /// written.
    fn plan(&self, i: usize, all: &[Alternative], plans: &[Option<Plan>]) -> Option<Plan> {
        let compiler = self.writer.compiler;
        let walks = &all[i].walks;
        let is_test = |walk: &u32| compiler.walks[*walk as usize].iter().all(Step::stays);
        let after: Vec<Option<(usize, usize)>> =
            (0..=walks.len()).map(|at| self.next_entry(i, at, all)).collect();
        let near = |at: usize| match after[at] {
            // The cell at that entry is the present one.
            Some((_, start)) => walks[start.min(at)..at].iter().all(is_test),
            None => true,
        };
        // The walks behind which the search goes on elsewhere.
        let noted = (0..=walks.len()).filter(|&at| !near(at)).filter_map(|at| {
            let (_, start) = after[at]?;
            (start..at).find(|&walk| !is_test(&walks[walk]))
        });
        let noted = noted.min();
        // An alternative that goes on in the middle of another notes for it the entry to go back
        // to.
        let mut for_others = (0..=walks.len()).filter(|&at| near(at)).filter_map(|at| {
            let (j, start) = after[at]?;
            let Some(other) = &plans[j] else { return Some(None) };
            let noted = other.noted.filter(|&noted| noted < start)?;
            Some((other.after[noted] == after[noted]).then_some(noted))
        });
        if let Some(first) = for_others.next() {
            // No other entry may be reached while it is noted.
            let takes = |at: usize| {
                let is_noted = |(j, start): (usize, usize)| {
                    let other = plans[j].as_ref().and_then(|other| other.noted);
                    other.is_some_and(|noted| noted < start)
                };
                first.is_some_and(|noted| {
                    at < noted || after[at] == after[noted] || after[at].is_none_or(is_noted)
                })
            };
            let same = for_others.all(|other| other == first) && (0..=walks.len()).all(takes);
            let plan = Plan { after, noted: first, for_others: true };
            return (same && noted.is_none()).then_some(plan);
        }
        // A later failure goes back to the noted entry, and must not skip an alternative before it.
        let leaves_out = |at: usize| {
            let next = |at: usize| after[at].map(|entry| entry.0);
            (at + 1..=walks.len()).any(|later| next(later).is_some_and(|j| Some(j) < next(at)))
        };
        let fits = |at: usize| after[at].is_some() && near(at) && !leaves_out(at);
        noted.is_none_or(fits).then_some(Plan { after, noted, for_others: false })
    }

    fn write_alternative(
        &mut self,
        i: usize,
        this: &Alternative,
        plan: Plan,
        entries: &mut Entries,
        depth: usize,
    ) -> Option<()> {
        let walks = &this.walks;
        let Plan { after, noted, for_others } = plan;
        // True if a failure goes back to the noted entry.
        let goes_back = |at: usize| match noted {
            Some(noted) if at >= noted => !for_others || after[at] == after[noted],
            _ => false,
        };
        let fail = self.writer.label();
        for (at, &walk) in walks.iter().enumerate() {
            if let Some(&label) = entries.get(&(i, at)) {
                self.writer.place(label);
            }
            if let Some(entry) = after[at].filter(|_| noted == Some(at)) {
                let label = self.entry(entry, entries);
                self.writer.push(Inst::Choice(label));
            }
            let otherwise = match after[at] {
                Some(entry) if !goes_back(at) => self.entry(entry, entries),
                _ => fail,
            };
            let last = at + 1 == walks.len();
            self.write_walk(walk, otherwise, last, this.edge)?;
        }
        if let Some(&label) = entries.get(&(i, walks.len())) {
            self.writer.place(label);
        }
        let sure = self.is_sure_edge(this.edge);
        let open = !sure && !goes_back(walks.len());
        if let Some(entry) = after[walks.len()].filter(|_| open) {
            let label = self.entry(entry, entries);
            self.writer.push(Inst::Choice(label));
        }
        self.write_edge(this.edge, depth)?;
        self.writer.place(fail);
        self.writer.push(Inst::Fail);
        Some(())
    }

    fn entry(&mut self, entry: (usize, usize), entries: &mut Entries) -> Label {
        *entries.entry(entry).or_insert_with(|| self.writer.label())
    }

    /// The entry to go on at after an alternative has failed at one of its walks, or behind them
    /// all: the next alternative that is not known to fail, and the first of its walks that is not
    /// known to succeed.
    fn next_entry(&self, i: usize, at: usize, all: &[Alternative]) -> Option<(usize, usize)> {
        let walks = &all[i].walks;
        for (j, other) in all.iter().enumerate().skip(i + 1) {
            let shared = walks.iter().zip(&other.walks).take_while(|(a, b)| a == b).count();
            if shared > at {
                continue; // fails at the same walk
            }
            let (Some(&own), Some(&its)) = (walks.get(shared), other.walks.get(shared)) else {
                return Some((j, shared));
            };
            if shared < at && self.excludes(own, its) {
                continue;
            }
            if shared == at && self.implies_not(own, its) {
                return Some((j, shared + 1));
            }
            return Some((j, shared));
        }
        None
    }

    /// True if one walk leads nowhere from cells from which another leads on.
    fn excludes(&self, passed: u32, other: u32) -> bool {
        let compiler = self.writer.compiler;
        let (a, b) = (&compiler.walks[passed as usize], &compiler.walks[other as usize]);
        match (&**a, &**b) {
            ([Step::Within(a)], [Step::Within(b)]) => a.and(*b).is_empty(),
            (_, [Step::Test { negated: true, pattern }]) if self.is_pattern(a, *pattern) => true,
            ([Step::Test { negated, pattern }], [Step::Test { negated: n, pattern: p }, ..]) => {
                negated != n && pattern == p
            }
            _ => are_opposite(a, b),
        }
    }

    /// True if one walk stays on its cell if another leads nowhere from it.
    fn implies_not(&self, failed: u32, other: u32) -> bool {
        let compiler = self.writer.compiler;
        let (a, b) = (&compiler.walks[failed as usize], &compiler.walks[other as usize]);
        match (&**a, &**b) {
            ([Step::Within(a)], [Step::Within(b)]) => a.or(*b) == compiler.all,
            (_, [Step::Test { negated: true, pattern }]) if self.is_pattern(a, *pattern) => true,
            _ => are_opposite(a, b),
        }
    }

    /// True if a pattern tests that a walk leads anywhere.
    fn is_pattern(&self, walk: &[Step<W>], pattern: u32) -> bool {
        let pattern = &self.writer.compiler.patterns[pattern as usize];
        matches!(pattern, Pattern::Walk { forward, .. } if **forward == *walk)
    }

    fn write_walk(&mut self, walk: u32, otherwise: Label, last: bool, edge: u32) -> Option<()> {
        let compiler = self.writer.compiler;
        let steps = &compiler.walks[walk as usize];
        if steps.iter().all(|step| step.is_small() || step.stays()) {
            return self.writer.small_walk(walk, otherwise);
        }
        self.writer.walk_to_set(walk);
        self.writer.push(Inst::IfEmpty(otherwise));
        let ins = if !last {
            Inst::Single
        } else if self.is_sure_edge(edge) {
            Inst::First
        } else {
            Inst::Each
        };
        self.writer.push(ins);
        Some(())
    }

    /// Writes an edge and goes on behind it.
    fn write_edge(&mut self, edge: u32, depth: usize) -> Option<()> {
        let compiler = self.writer.compiler;
        let this = &compiler.edges[edge as usize];
        let sure = self.is_sure(this.next);
        let ins = match &this.kind {
            EdgeKind::Switch(_) => {
                let (place, _) = self.behind(edge)?;
                self.go_on(place, depth);
                return Some(());
            }
            EdgeKind::Accept => return None,
            EdgeKind::Off(piece) if sure => Inst::Put(*piece),
            EdgeKind::Off(piece) => Inst::PutNoted(*piece),
            &EdgeKind::Assign(var, Formula::Number(value))
                if (0..=compiler.bounds[usize::from(var)]).contains(&value) =>
            {
                if sure {
                    Inst::Set { var, value }
                } else {
                    Inst::SetNoted { var, value }
                }
            }
            EdgeKind::Assign(var, formula) => {
                let formula = self.writer.formula(*var, formula);
                Inst::Assign { var: *var, formula }
            }
        };
        self.writer.push(ins);
        self.go_on(Place::Keeper(this.next), depth);
        Some(())
    }

    /// True if the keeper cannot fail at an edge or behind it.
    fn is_sure_edge(&mut self, edge: u32) -> bool {
        let compiler = self.writer.compiler;
        let this = &compiler.edges[edge as usize];
        match &this.kind {
            EdgeKind::Switch(_) => true,
            EdgeKind::Off(_) => self.is_sure(this.next),
            EdgeKind::Assign(var, Formula::Number(value)) => {
                (0..=compiler.bounds[usize::from(*var)]).contains(value) && self.is_sure(this.next)
            }
            EdgeKind::Assign(..) | EdgeKind::Accept => false,
        }
    }

    /// True if the keeper cannot fail from a layer on: it only changes things, or one of two tests
    /// holds.
    pub(super) fn is_sure(&mut self, layer: u32) -> bool {
        if let Some(&sure) = self.sure.get(&layer) {
            return sure;
        }
        if self.asking.contains(&layer) || self.asking.len() > DEEPEST {
            return false;
        }
        let Some(alternatives) = self.writer.compiler.alternatives(layer) else { return false };
        self.asking.push(layer);
        let sure = match alternatives.as_slice() {
            [only] => only.walks.is_empty() && self.is_sure_edge(only.edge),
            [first, second] => match (first.walks.as_slice(), second.walks.as_slice()) {
                ([a], [b]) => {
                    self.implies_not(*a, *b)
                        && self.is_sure_edge(first.edge)
                        && self.is_sure_edge(second.edge)
                }
                _ => false,
            },
            _ => false,
        };
        self.asking.pop();
        // A layer that is examined within itself counts as failing, so the answer is never too
        // optimistic.
        self.sure.insert(layer, sure);
        sure
    }
}

/// The labels of entries into the alternatives of a layer, by alternative and walk.
type Entries = FxHashMap<(usize, usize), Label>;

/// The plan by which an alternative of the keeper is written.
#[derive(Clone, Debug)]
struct Plan {
    /// The entry to go on at if it fails, for each of its walks and behind them all.
    after: Vec<Option<(usize, usize)>>,
    /// The walk before which an entry is noted.
    noted: Option<usize>,
    /// True if it is noted only for others, to which this alternative goes on after some of its
    /// walks.
    for_others: bool,
}

/// True if exactly one of the walks succeeds: one consists of several tests, and the other is a
/// choice of their opposites.
fn are_opposite<const W: usize>(a: &[Step<W>], b: &[Step<W>]) -> bool {
    let tests = |walks: &mut dyn Iterator<Item = &[Step<W>]>| {
        walks.map(lone_test).collect::<Option<Vec<_>>>()
    };
    let all = |steps: &[Step<W>]| tests(&mut steps.chunks(1));
    let any = |steps: &[Step<W>]| match steps {
        [Step::Sum(walks)] => tests(&mut walks.iter().map(|walk| &**walk)),
        [_] => all(steps),
        _ => None,
    };
    let opposite = |a: &[Step<W>], b: &[Step<W>]| match (all(a), any(b)) {
        (Some(all), Some(any)) => {
            let negated = |&(pattern, negated): &(u32, bool)| (pattern, !negated);
            all.len() == any.len()
                && all.iter().map(negated).all(|test| any.contains(&test))
                && any.iter().map(negated).all(|test| all.contains(&test))
        }
        _ => false,
    };
    opposite(a, b) || opposite(b, a)
}
