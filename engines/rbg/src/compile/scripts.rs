//! Scripts: what the keeper does between two moves of players, written out.
//!
//! Where a search of the keeper has no circles, every way that it may take is known: it is written
//! as a list of instructions that say what to do, where to go on and what to try next when
//! something fails, in the order of the search. What does not fit becomes an instruction to search.

use rustc_hash::FxHashMap;

use super::Compiler;
use crate::formula::Formula;
use crate::program::{Act, EdgeKind, Op, SLOTS, Step, Walk};

/// Instructions of a script, behind which what is left is searched.
const LONGEST: usize = 200;

/// Instructions of a layer that is written out.
const MOST_OPS: usize = 40;

/// A place to go on at that is not known yet.
type Label = usize;

/// A script that is being written.
#[derive(Default)]
struct Writer {
    acts: Vec<Act>,
    /// The instruction at which each label stands.
    labels: Vec<u32>,
    /// Layers on the way to the one that is being written.
    open: Vec<u32>,
    /// Where layers stand that cannot fail, so that whatever leads to them can go on there.
    done: FxHashMap<u32, Label>,
}

impl Writer {
    fn label(&mut self) -> Label {
        self.labels.push(u32::MAX);
        self.labels.len() - 1
    }

    fn put(&mut self, label: Label) {
        self.labels[label] = self.acts.len() as u32;
    }

    /// Leaves out all instructions from a number on.
    fn give_up(&mut self, start: usize) {
        self.acts.truncate(start);
        let labels = &self.labels;
        self.done.retain(|_, label| (labels[*label] as usize) < start);
    }

    /// True if any instruction from a number on goes on at a label.
    fn fails_to(&mut self, label: Label, from: usize) -> bool {
        self.acts[from..].iter_mut().any(|act| act.targets().any(|&mut l| l as usize == label))
    }
}

/// One alternative of a layer: walks from its cell, and the edge that is taken where they lead.
pub(super) struct Alternative {
    pub(super) walks: Vec<u32>,
    pub(super) edge: u32,
}

impl<const W: usize> Compiler<W> {
    /// Writes the scripts of all layers at which the keeper begins.
    pub(super) fn write_scripts(&mut self) {
        for edge in 0..self.edges.len() {
            if matches!(self.edges[edge].kind, EdgeKind::Switch(0)) && self.check().is_ok() {
                self.write_script(self.edges[edge].next);
            }
        }
    }

    fn write_script(&mut self, layer: u32) {
        if self.layers[layer as usize].script.is_some() {
            return;
        }
        let mut writer = Writer::default();
        let fail = writer.label();
        self.write_layer(layer, fail, 0, &mut writer);
        self.work += writer.acts.len() as u64;
        if matches!(*writer.acts, [Act::Search { .. }]) {
            return;
        }
        writer.put(fail);
        writer.acts.push(Act::Fail);
        // Labels to instructions among those of all scripts.
        let base = self.acts.len() as u32;
        for act in &mut writer.acts {
            for to in act.targets() {
                *to = base + writer.labels[*to as usize];
            }
        }
        finish(&mut writer.acts, base as usize);
        self.bytes += (writer.acts.len() * size_of::<Act>()) as u64;
        self.layers[layer as usize].script = Some(base);
        self.acts.append(&mut writer.acts);
    }

    /// Writes a layer; on failure it goes on at `fail`, where changes are taken back.
    fn write_layer(&self, id: u32, fail: Label, slot: usize, writer: &mut Writer) {
        if let Some(&label) = writer.done.get(&id) {
            writer.acts.push(Act::Jump(label as u32));
            return;
        }
        let begin = writer.label();
        writer.put(begin);
        let start = writer.acts.len();
        let fits = start < LONGEST && slot < SLOTS && !writer.open.contains(&id);
        writer.open.push(id);
        if !fits || self.write_alternatives(id, fail, slot, writer).is_none() {
            writer.give_up(start);
            writer.acts.push(Act::Search { layer: id, otherwise: fail as u32 });
        }
        writer.open.pop();
        if !writer.fails_to(fail, start) {
            writer.done.insert(id, begin);
        }
    }

    fn write_alternatives(
        &self,
        id: u32,
        fail: Label,
        slot: usize,
        writer: &mut Writer,
    ) -> Option<()> {
        if let Some(edge) = self.layers[id as usize].only {
            return self.write_edge(edge, fail, slot, writer);
        }
        let alternatives = self.alternatives(id)?;
        let several = alternatives.len() > 1;
        // What all alternatives begin with is walked once.
        let shared = shared_walks(&alternatives);
        let (prefix, _) = alternatives[0].walks.split_at(shared);
        // Where a walk leads to several cells, all of them would have to go on: that is searched.
        let mut many = None;
        if prefix.iter().any(|&walk| !is_single(&self.walks[walk as usize])) {
            writer.acts.push(Act::Keep(slot as u8));
            let label = writer.label();
            many = Some(label);
            for &walk in prefix {
                self.write_only(walk, fail, label, writer);
            }
        } else {
            for &walk in prefix {
                self.write_walk(walk, fail, writer);
            }
        }
        if several {
            writer.acts.push(Act::Keep(slot as u8));
        }
        // A test that is known to hold here, since its opposite is all that can have failed.
        let mut known: Option<(u32, bool)> = None;
        for (i, alternative) in alternatives.iter().enumerate() {
            let last = i + 1 == alternatives.len();
            let otherwise = if last { fail } else { writer.label() };
            let walks = &alternative.walks[shared..];
            let test = match *walks {
                [walk] => lone_test(&self.walks[walk as usize]),
                _ => None,
            };
            let mut single = true;
            if test.is_none() || test != known {
                for &walk in walks {
                    if !single {
                        return None; // all cells would have to go on
                    }
                    single = is_single(&self.walks[walk as usize]);
                    self.write_walk(walk, otherwise, writer);
                }
            }
            let tested = writer.acts.len();
            self.write_edge(alternative.edge, otherwise, slot + usize::from(several), writer)?;
            let fails = writer.fails_to(otherwise, tested);
            if fails && !single {
                return None; // its other cells would have to be tried
            }
            known = test.filter(|_| !fails).map(|(pattern, negated)| (pattern, !negated));
            if !last {
                writer.put(otherwise);
                writer.acts.push(Act::Back(slot as u8));
            }
        }
        if let Some(many) = many {
            writer.put(many);
            writer.acts.push(Act::Back(slot as u8));
            writer.acts.push(Act::Search { layer: id, otherwise: fail as u32 });
        }
        Some(())
    }

    /// Writes an edge and what follows it.
    fn write_edge(&self, edge: u32, fail: Label, slot: usize, writer: &mut Writer) -> Option<()> {
        let this = &self.edges[edge as usize];
        writer.acts.push(match &this.kind {
            EdgeKind::Switch(_) => {
                writer.acts.push(Act::Hand(edge));
                return Some(());
            }
            EdgeKind::Accept => return None,
            EdgeKind::Off(piece) => Act::Put(*piece),
            EdgeKind::Assign(var, Formula::Number(value))
                if (0..=self.bounds[usize::from(*var)]).contains(value) =>
            {
                Act::Set { var: *var, value: *value }
            }
            EdgeKind::Assign(..) => Act::Assign { edge, otherwise: fail as u32 },
        });
        self.write_layer(this.next, fail, slot, writer);
        Some(())
    }

    fn write_walk(&self, walk: u32, fail: Label, writer: &mut Writer) {
        let otherwise = fail as u32;
        let steps = &self.walks[walk as usize];
        if steps.is_empty() {
            return;
        }
        writer.acts.push(match lone_test(steps) {
            Some((pattern, negated)) => Act::Test { pattern, negated, otherwise },
            None if steps.iter().all(Step::is_small) => Act::Steps { walk, otherwise },
            None => Act::Walk { walk, otherwise },
        });
    }

    /// Writes a walk that must lead to one cell only.
    fn write_only(&self, walk: u32, fail: Label, several: Label, writer: &mut Writer) {
        if is_single(&self.walks[walk as usize]) {
            self.write_walk(walk, fail, writer);
        } else {
            let (otherwise, several) = (fail as u32, several as u32);
            writer.acts.push(Act::Only { walk, otherwise, several });
        }
    }

    /// The alternatives of a layer in the order of the search, if it has no circles and brings
    /// nothing together.
    pub(super) fn alternatives(&self, id: u32) -> Option<Vec<Alternative>> {
        let layer = &self.layers[id as usize];
        if layer.ops.len() > MOST_OPS {
            return None;
        }
        // For each register the walks that lead to it.
        let mut ways: Vec<Option<Vec<u32>>> = vec![None; layer.registers as usize];
        *ways.first_mut()? = Some(Vec::new());
        let mut out = Vec::new();
        for op in &layer.ops {
            match *op {
                Op::Walk { walk, from, to, merge: false } => {
                    let mut way = ways[from as usize].clone()?;
                    way.push(walk);
                    ways[to as usize] = Some(way);
                }
                Op::Walk { merge: true, .. } | Op::Unless { .. } | Op::Loop(_) => {
                    return None;
                }
                Op::Take { edge, from } => {
                    out.push(Alternative { walks: ways[from as usize].clone()?, edge });
                }
            }
        }
        (!out.is_empty()).then_some(out)
    }
}

/// True if a walk leads from a cell to one at most, whatever the state.
fn is_single<const W: usize>(walk: &Walk<W>) -> bool {
    walk.iter().all(|step| match step {
        Step::Const(set) => set.len() <= 1,
        _ => step.is_small(),
    })
}

/// Marks what is done where nothing can fail any more. Jumps lead back to where that is known, or
/// are taken to be able to fail.
fn finish(acts: &mut [Act], base: usize) {
    // Whether all that follows an instruction succeeds.
    let mut sure = vec![false; acts.len() + 1];
    for _ in 0..2 {
        for i in (0..acts.len()).rev() {
            sure[i] = match acts[i] {
                Act::Hand(_) => true,
                Act::Put(_) | Act::Set { .. } | Act::Keep(_) => sure[i + 1],
                Act::Jump(to) => sure[to as usize - base],
                _ => false,
            };
        }
    }
    for (act, _) in acts.iter_mut().zip(sure).filter(|(_, sure)| *sure) {
        match *act {
            Act::Put(piece) => *act = Act::PutLast(piece),
            Act::Set { var, value } => *act = Act::SetLast { var, value },
            _ => {}
        }
    }
}

/// How many walks all alternatives begin with; of a lone one, all but the last, of which its first
/// cell may do.
fn shared_walks(alternatives: &[Alternative]) -> usize {
    let [first, rest @ ..] = alternatives else { return 0 };
    if rest.is_empty() {
        return first.walks.len().saturating_sub(1);
    }
    let same = |i: &usize| rest.iter().all(|a| a.walks.get(*i) == first.walks.get(*i));
    (0..first.walks.len()).take_while(same).count()
}

/// The pattern of a walk that is nothing but a test, and whether it must not hold.
pub(super) fn lone_test<const W: usize>(walk: &[Step<W>]) -> Option<(u32, bool)> {
    match *walk {
        [Step::Test { negated, pattern }] => Some((pattern, negated)),
        _ => None,
    }
}
