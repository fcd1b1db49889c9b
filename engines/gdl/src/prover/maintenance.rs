//! Relations that are kept from state to state. Most facts stay what they are when somebody moves,
//! and so does most of what follows from them. So the store knows how many derivations each tuple
//! of such a relation has, and a fact that comes or goes is followed through the rules with that
//! fact in hand: what it adds to those numbers, and what it takes from them (the counting algorithm
//! of Gupta, Mumick, Subrahmanian 1993).
//!
//! Facts and tuples come and go one at a time, and rules see nothing of a tuple but what was done
//! so far: in between, each number is that of the derivations from the tuples that are there.

use crate::datalog::base::Base;
use crate::datalog::code::Code;
use crate::datalog::compile::Compiler;
use crate::datalog::flat::{FlatAtom, FlatId, FlatLiteral, FlatRule, FlatTerm};
use crate::datalog::layout::{Dense, Layouts, RowPolicy};
use crate::datalog::machine::{Exhausted, Job, Machine};
use crate::datalog::schedule::{Schedule, Stage};
use crate::datalog::store::Store;
use crate::graph::strong_components;
use crate::limits::{MAX_FITTING, MAX_FOLLOWED};
use crate::program::{Dependence, RelId};

/// Possible tuples of a relation that is kept, and of all of them.
const MAX_TUPLES: u32 = 1 << 16;
const MAX_ALL: u32 = 1 << 19;
/// Rows of a relation that never changes, looked through for columns that always differ.
const MAX_COMPARED: usize = 1024;
/// The cost of a change, in machine steps, beside the rules that it makes run.
const CHANGE: u64 = 3;

/// The rules and inputs by which relations are kept up to date.
#[derive(Debug, Default)]
pub(super) struct Maintenance {
    inputs: Vec<Input>,
    /// Kept relations, by number in the store, in the order of their stages.
    stages: Vec<Vec<usize>>,
    /// By relation, by number in the store.
    followers: Vec<DeltaRules>,
    /// Rules that derive something from nothing.
    first: Vec<u32>,
    /// By number in the store: the copies of what is true, and what is kept.
    kept: Vec<bool>,
}

/// Facts that rules ask, and a copy of them that changes one by one.
#[derive(Clone, Copy, Debug)]
struct Input {
    /// The copy, by number in the store.
    copy: usize,
    /// The first words of the bits: of the facts, and of the copy.
    from: usize,
    to: usize,
    words: usize,
}

/// Rules to run with a tuple of a relation in hand that comes or goes.
#[derive(Clone, Debug, Default)]
struct DeltaRules {
    /// The rules that ask for it, and those that ask that it be not there.
    positive: Tuples,
    negative: Tuples,
}

/// Rules, as a whole and tuple by tuple.
#[derive(Clone, Debug, Default)]
struct Tuples {
    all: Vec<u32>,
    /// For each tuple those that take it, and where they begin; empty where all have to be tried.
    fitting: Vec<u32>,
    starts: Vec<u32>,
}

impl Tuples {
    /// Finds out which tuples fit the constants of which rule.
    fn sort_out(&mut self, code: &Code, dense: &Dense) {
        if self.all.len() < 2 || u64::from(dense.size) * self.all.len() as u64 > MAX_FITTING {
            return;
        }
        let mut machine = Machine::new(code);
        self.starts.push(0);
        for number in 0..dense.size {
            machine.given.clear();
            machine.given.extend(dense.tuple(number));
            let fitting = self.all.iter().filter(|&&rule| machine.takes(code, rule));
            self.fitting.extend(fitting);
            self.starts.push(self.fitting.len() as u32);
        }
    }

    fn of(&self, number: u32) -> &[u32] {
        match self.starts.get(number as usize..number as usize + 2) {
            Some(&[start, end]) => &self.fitting[start as usize..end as usize],
            _ => &self.all,
        }
    }
}

impl DeltaRules {
    fn are_none(&self) -> bool {
        self.positive.all.is_empty() && self.negative.all.is_empty()
    }
}

impl Maintenance {
    /// Compiles the rules of the stages marked; `slots` are those of the copies, where `true` is
    /// asked, and of all other relations.
    pub(super) fn new(
        base: &Base,
        kept: &[bool],
        slots: &[Option<usize>],
        relations: usize,
        compiler: &mut Compiler<'_>,
    ) -> Maintenance {
        let mut maintenance = Maintenance {
            followers: vec![DeltaRules::default(); relations],
            kept: vec![false; relations],
            ..Maintenance::default()
        };
        let slot = |id: FlatId| slots[id.index()].unwrap_or(0);
        for (index, stage) in base.schedule.stages.iter().enumerate().filter(|&(i, _)| kept[i]) {
            compiler.stage = index;
            let own: Vec<usize> = stage.relations.iter().map(|&id| slot(id)).collect();
            own.iter().for_each(|&slot| maintenance.kept[slot] = true);
            maintenance.stages.push(own);
            for rule in stage.rules.iter().map(|&rule| &base.flat.rules[rule]) {
                let followed = followed(base, rule);
                if !followed.iter().any(|&i| matches!(rule.body[i], FlatLiteral::Positive(_))) {
                    maintenance.first.extend(compiler.count(rule, None));
                }
                for (n, &literal) in followed.iter().enumerate() {
                    let Some((rule, id, positive)) =
                        with_given(base, rule, &followed[..n], literal)
                    else {
                        continue;
                    };
                    let followers = &mut maintenance.followers[slot(id)];
                    let list =
                        if positive { &mut followers.positive } else { &mut followers.negative };
                    list.all.extend(compiler.count(&rule, Some(literal)));
                }
            }
        }
        maintenance
    }

    /// Takes note of facts that kept rules ask, and of their copy.
    pub(super) fn copies(&mut self, layouts: &Layouts, from: usize, copy: usize) {
        let [first, second] = [from, copy].map(|slot| layouts.relations[slot].bits.as_ref());
        if let (Some((dense, from)), Some((_, to))) = (first, second) {
            let (from, to, words) =
                (*from as usize, *to as usize, dense.size.div_ceil(64) as usize);
            self.inputs.push(Input { copy, from, to, words });
            self.kept[copy] = true;
        }
    }

    /// Finds out beforehand which rules to run with which tuple in hand.
    pub(super) fn sort_out(&mut self, code: &Code, layouts: &Layouts) {
        for (followers, layout) in self.followers.iter_mut().zip(&layouts.relations) {
            if let Some((dense, _)) = &layout.bits {
                followers.positive.sort_out(code, dense);
                followers.negative.sort_out(code, dense);
            }
        }
    }

    /// True if a relation, by number in the store, is not to be emptied after a step.
    pub(super) fn keeps(&self, slot: usize) -> bool {
        self.kept.get(slot).is_some_and(|&kept| kept)
    }

    /// Brings all that is kept up to the facts that are true now.
    pub(super) fn catch_up(
        &self,
        job: Job<'_>,
        store: &mut Store,
        machine: &mut Machine,
    ) -> Result<(), Exhausted> {
        if self.stages.is_empty() {
            return Ok(());
        }
        if !std::mem::replace(&mut store.maintenance.whole, false) {
            for (slot, _) in self.kept.iter().enumerate().filter(|&(_, &kept)| kept) {
                store.clear(job.layouts, slot);
                store.maintenance.touched[slot].clear();
            }
            store.maintenance.derivations.fill(0);
            machine.up = true;
            machine.run(job, store, &self.first)?;
        }
        for &Input { copy, from, to, words } in &self.inputs {
            for at in 0..words {
                let mut changed = store.bits[from + at] ^ store.bits[to + at];
                while changed != 0 {
                    let number = 64 * at as u32 + changed.trailing_zeros();
                    self.change(job, store, machine, copy, number)?;
                    changed &= changed - 1;
                }
            }
        }
        for stage in &self.stages {
            while self.settle(job, store, machine, stage)? {}
        }
        store.maintenance.whole = true;
        Ok(())
    }

    /// Makes those tuples of a stage come and go that have got derivations, or lost them; whether
    /// there were any.
    fn settle(
        &self,
        job: Job<'_>,
        store: &mut Store,
        machine: &mut Machine,
        stage: &[usize],
    ) -> Result<bool, Exhausted> {
        let mut any = false;
        for &slot in stage {
            let layout = &job.layouts.relations[slot];
            let (Some((_, word)), Some(counts)) = (&layout.bits, layout.counts) else { continue };
            // In the order in which they were touched: where rules are recursive, few of them
            // change twice.
            let mut next = 0;
            while let Some(&number) = store.maintenance.touched[slot].get(next) {
                let there = store.bits[(word + number / 64) as usize] >> (number % 64) & 1 == 1;
                if there != (store.maintenance.derivations[(counts + number) as usize] > 0) {
                    self.change(job, store, machine, slot, number)?;
                }
                (next, any) = (next + 1, true);
            }
            store.maintenance.touched[slot].clear();
        }
        Ok(any)
    }

    /// Makes a tuple come or go, and counts what it does to others.
    fn change(
        &self,
        job: Job<'_>,
        store: &mut Store,
        machine: &mut Machine,
        slot: usize,
        number: u32,
    ) -> Result<(), Exhausted> {
        let layout = &job.layouts.relations[slot];
        let Some((dense, word)) = &layout.bits else { return Ok(()) };
        store.maintenance.changes[slot] = store.maintenance.changes[slot].wrapping_add(1);
        let followers = &self.followers[slot];
        if layout.keep == RowPolicy::Nothing && followers.are_none() {
            machine.fuel = machine.fuel.checked_sub(1).ok_or(Exhausted)?;
            store.flip(slot, *word, number);
            return Ok(());
        }
        machine.fuel = machine.fuel.checked_sub(CHANGE).ok_or(Exhausted)?;
        machine.given.clear();
        machine.given.extend(dense.tuple(number));
        let comes = store.bits[(word + number / 64) as usize] >> (number % 64) & 1 == 0;
        if comes {
            store.add(job.layouts, slot, number, &machine.given);
        }
        for (rules, up) in [(&followers.positive, comes), (&followers.negative, !comes)] {
            let rules = rules.of(number);
            if !rules.is_empty() {
                machine.up = up;
                machine.run(job, store, rules)?;
            }
        }
        if !comes {
            store.take(job.layouts, slot, number, &machine.given);
        }
        Ok(())
    }
}

/// The literals of a rule whose changes are followed: those that ask for a tuple, then those that
/// ask that there be none.
fn followed(base: &Base, rule: &FlatRule) -> Vec<usize> {
    let changes = |atom: &FlatAtom| base.slots[atom.relation.index()].is_some();
    let all = || rule.body.iter().enumerate();
    let positive = all().filter(|(_, l)| matches!(l, FlatLiteral::Positive(atom) if changes(atom)));
    let negative = all().filter(|(_, l)| matches!(l, FlatLiteral::Negative(atom) if changes(atom)));
    positive.chain(negative).map(|(i, _)| i).collect()
}

/// The rule for derivations that have the tuple in hand for this literal, and not for any of those
/// before: each is counted once, for the first. With the relation that the literal asks, and
/// whether it asks for a tuple.
fn with_given(
    base: &Base,
    rule: &FlatRule,
    before: &[usize],
    literal: usize,
) -> Option<(FlatRule, FlatId, bool)> {
    let mut rule = rule.clone();
    let (atom, positive) = match rule.body[literal].clone() {
        FlatLiteral::Positive(atom) => (atom, true),
        FlatLiteral::Negative(atom) => (atom, false),
        FlatLiteral::Differ(_) => return None,
    };
    for &other in before {
        if let FlatLiteral::Positive(other) = &rule.body[other]
            && may_meet(other, &atom)
        {
            let pairs = other.columns.iter().cloned().zip(atom.columns.iter().cloned());
            let pairs: Vec<(FlatTerm, FlatTerm)> = pairs.collect();
            if !always_differ(base, &rule, &pairs) {
                rule.body.push(FlatLiteral::Differ(pairs));
            }
        }
    }
    let id = atom.relation;
    rule.body[literal] = FlatLiteral::Positive(atom);
    Some((rule, id, positive))
}

/// True if a relation that never changes, and that the rule asks, keeps one of the pairs apart.
fn always_differ(base: &Base, rule: &FlatRule, pairs: &[(FlatTerm, FlatTerm)]) -> bool {
    rule.body.iter().any(|literal| {
        let FlatLiteral::Positive(atom) = literal else { return false };
        let Some(extent) = &base.statics.relations[atom.relation.index()] else { return false };
        let place = |term| atom.columns.iter().position(|column| column == term);
        let places = pairs.iter().filter_map(|(a, b)| Some((place(a)?, place(b)?)));
        let places: Vec<(usize, usize)> = places.collect();
        let few = extent.len <= MAX_COMPARED && !places.is_empty();
        few && extent.rows().all(|row| places.iter().any(|&(a, b)| row[a] != row[b]))
    })
}

/// True if two atoms may be the same tuple, for all that their constants say.
fn may_meet(a: &FlatAtom, b: &FlatAtom) -> bool {
    let apart = |pair: (&FlatTerm, &FlatTerm)| match pair {
        (FlatTerm::Const(a), FlatTerm::Const(b)) => a != b,
        _ => false,
    };
    a.relation == b.relation && !a.columns.iter().zip(&b.columns).any(apart)
}

/// By stage, whether its relations can be kept, if those that it asks are.
pub(super) fn may_be_kept(base: &Base) -> Vec<bool> {
    let stages = &base.schedule.stages;
    // The order of actions that cannot be numbered is that of their derivation.
    if !base.flat.of(RelId::LEGAL).all(|id| tuples(base, id).is_some()) {
        return vec![false; stages.len()];
    }
    let mut followed_in_all = 0;
    let mut size_of_all = 0;
    let kept = |stage: &Stage| {
        let size = stage.relations.iter().map(|&id| tuples(base, id));
        let Some(size) = size.sum::<Option<u32>>() else { return false };
        let is_kept = stage.dependence == Dependence::State
            && !stage.rules.is_empty()
            && stage.relations.iter().all(|&id| is_free(base, id))
            && stage.rules.iter().all(|&rule| can_be_counted(base, &base.flat.rules[rule]))
            && is_well_founded(base, stage);
        if !is_kept {
            return false;
        }
        let rules = stage.rules.iter().map(|&rule| &base.flat.rules[rule]);
        followed_in_all += rules.map(|rule| followed(base, rule).len()).sum::<usize>();
        size_of_all += size;
        followed_in_all <= MAX_FOLLOWED && size_of_all <= MAX_ALL
    };
    stages.iter().map(kept).collect()
}

/// Of the stages that are wished for, those that rest on others of them and on facts alone.
pub(super) fn kept(base: &Base, wish: impl Fn(usize) -> bool) -> Vec<bool> {
    let stages = &base.schedule.stages;
    let mut kept: Vec<bool> = vec![false; stages.len()];
    for (index, stage) in stages.iter().enumerate().filter(|&(index, _)| wish(index)) {
        let rules = stage.rules.iter().map(|&rule| &base.flat.rules[rule]);
        let asked = rules.flat_map(|rule| &rule.body).filter_map(crate::datalog::schedule::asked);
        kept[index] = asked.map(|(id, _)| id).all(|id| {
            let of = base.schedule.stage_of[id.index()];
            base.slots[id.index()].is_none() || is_fact(base, id) || of == index || kept[of]
        });
    }
    kept
}

/// The number of possible tuples, where it is small.
fn tuples(base: &Base, id: FlatId) -> Option<u32> {
    let slot = base.slots[id.index()]?;
    let (dense, _) = base.layouts.relations[slot].bits.as_ref()?;
    (dense.size <= MAX_TUPLES).then_some(dense.size)
}

fn is_fact(base: &Base, id: FlatId) -> bool {
    base.flat.relations[id.index()].relation == RelId::TRUE
}

/// True if a relation is derived by rules alone, and in every state.
fn is_free(base: &Base, id: FlatId) -> bool {
    let relation = base.flat.relations[id.index()].relation;
    !matches!(relation, RelId::TRUE | RelId::DOES | RelId::NEXT | RelId::GOAL | RelId::SEES)
        && !base.facts.contains_key(&id)
}

fn can_be_counted(base: &Base, rule: &FlatRule) -> bool {
    let flat =
        |atom: &FlatAtom| atom.columns.iter().all(|term| !matches!(term, FlatTerm::Pattern(..)));
    let known = |atom: &FlatAtom| {
        flat(atom)
            && (base.statics.relations[atom.relation.index()].is_some()
                || tuples(base, atom.relation).is_some())
    };
    let fits = |literal: &FlatLiteral| match literal {
        FlatLiteral::Positive(atom) | FlatLiteral::Negative(atom) => known(atom),
        FlatLiteral::Differ(pairs) => pairs
            .iter()
            .all(|(a, b)| ![a, b].into_iter().any(|term| matches!(term, FlatTerm::Pattern(..)))),
    };
    let negative: Vec<&FlatAtom> = followed(base, rule)
        .into_iter()
        .filter_map(|i| match &rule.body[i] {
            FlatLiteral::Negative(atom) => Some(atom),
            _ => None,
        })
        .collect();
    // Of a tuple that is not there, nothing says for which of several literals it is in hand.
    let apart =
        (1..negative.len()).all(|n| negative[..n].iter().all(|a| !may_meet(a, negative[n])));
    flat(&rule.head) && rule.body.iter().all(fits) && apart
}

/// True if no tuple of a stage can have a part in its own derivation: its relations do not ask
/// for each other, or some column only ever goes along a relation that never changes and leads
/// nowhere back.
fn is_well_founded(base: &Base, stage: &Stage) -> bool {
    let arity = |&id: &FlatId| base.flat.relations[id.index()].columns.len();
    let columns = stage.relations.iter().map(arity).min().unwrap_or(0);
    let mut steps = recursions(base, stage).peekable();
    steps.peek().is_none() || (0..columns).any(|column| descends(base, stage, column))
}

/// Each literal of a stage's rules that asks for the stage itself, with its rule.
fn recursions<'a>(
    base: &'a Base,
    stage: &'a Stage,
) -> impl Iterator<Item = (&'a FlatRule, &'a FlatAtom)> {
    let rules = stage.rules.iter().map(|&rule| &base.flat.rules[rule]);
    let literals = rules.flat_map(|rule| rule.body.iter().map(move |literal| (rule, literal)));
    literals.filter_map(|(rule, literal)| match literal {
        FlatLiteral::Positive(atom) | FlatLiteral::Negative(atom) => {
            stage.relations.contains(&atom.relation).then_some((rule, atom))
        }
        FlatLiteral::Differ(_) => None,
    })
}

fn descends(base: &Base, stage: &Stage, column: usize) -> bool {
    let mut edges: Vec<(u32, u32)> = Vec::new();
    for (rule, atom) in recursions(base, stage) {
        let (from, to) = (&atom.columns[column], &rule.head.columns[column]);
        let found = rule.body.iter().find_map(|literal| {
            let FlatLiteral::Positive(step) = literal else { return None };
            let extent = base.statics.relations[step.relation.index()].as_ref()?;
            let place = |term| step.columns.iter().position(|column| column == term);
            Some((extent, place(from)?, place(to)?))
        });
        let Some((extent, from, to)) = found else { return false };
        edges.extend(extent.rows().map(|row| (row[from], row[to])));
    }
    edges.sort_unstable();
    edges.dedup();
    let mut values: Vec<u32> = edges.iter().flat_map(|&(a, b)| [a, b]).collect();
    values.sort_unstable();
    values.dedup();
    let mut graph = vec![Vec::new(); values.len()];
    for &(from, to) in &edges {
        let [from, to] = [from, to].map(|value| values.partition_point(|&v| v < value));
        if from == to {
            return false;
        }
        graph[from].push(to);
    }
    strong_components(&graph).len() == values.len()
}

/// The facts that the rules of kept stages ask.
pub(super) fn inputs(base: &Base, kept: &[bool]) -> Vec<FlatId> {
    let Schedule { stages, .. } = &base.schedule;
    let rules = stages.iter().zip(kept).filter(|(_, kept)| **kept).flat_map(|(s, _)| &s.rules);
    let literals = rules.flat_map(|&rule| &base.flat.rules[rule].body);
    let asked = literals.filter_map(crate::datalog::schedule::asked).map(|(id, _)| id);
    let mut facts: Vec<FlatId> = asked.filter(|&id| is_fact(base, id)).collect();
    facts.sort_unstable();
    facts.dedup();
    facts
}
