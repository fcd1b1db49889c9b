//! Layers as instructions: the actions of the keeper as a search that goes back on failure, and the
//! moves of players if they are cells of sets.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Compiler;
use super::alternatives::{Alternative, lone_test};
use super::kept::{Test, misplaced};
use super::steps::{Label, Tests, Writer};
use crate::bytecode::{Bytecode, Inst, MoveSource, REGISTERS, ROOM, drop_notes};
use crate::formula::Formula;
use crate::program::{EdgeKind, Layer, Op, Pattern, Step};

/// Depth of nested layers that are written at once; others follow later.
const DEEPEST: usize = 64;
/// Number of instructions, times the words of a set, from which on large patterns are written once.
const LARGE: usize = 10_000;
/// Most registers of the layers of players.
pub(super) const MOST_REGISTERS: u32 = REGISTERS as u32 / 2;

/// A place at which the play goes on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Place {
    /// The keeper, between two of its actions.
    Keeper(u32),
    /// The keeper, before its first action.
    Begin(u32),
    Player(u32, u8),
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

/// The writer of a game as instructions, with the places that are still to be written.
pub(super) struct BytecodeWriter<'c, const W: usize> {
    pub(super) writer: Writer<'c, W>,
    places: FxHashMap<Place, Label>,
    todo: Vec<Place>,
    /// Most pieces that moves of the list put before their last cells, and true if there are longer
    /// moves.
    pub(super) longest: usize,
    pub(super) is_cut: bool,
    /// The ends of moves that are written behind the list.
    pub(super) tails: Vec<MoveTail>,
    /// Layers that have been examined: true if the keeper cannot fail there.
    sure: FxHashMap<u32, bool>,
    /// Layers on the path to the one that is being examined.
    asking: Vec<u32>,
}

/// The form in which the search keeps the contents of a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Held {
    Nothing,
    /// At most one cell, stored as a cell.
    Cell,
    /// Any number of cells, stored as a set.
    Set,
    /// A cell or a set, depending on the state.
    Either,
}

/// The last edges of the moves of a path, at their last cell.
pub(super) struct MoveTail {
    pub(super) label: Label,
    pub(super) edges: Vec<u32>,
    /// The instruction to go on at.
    pub(super) then: Label,
}

impl<const W: usize> Compiler<W> {
    /// The game as instructions, if code has sets for its board, and if it has few pieces and
    /// variables.
    pub(super) fn find_bytecode(&self) -> Option<Bytecode> {
        if const { W > kernel::MAX_NATIVE_WORDS } {
            return None;
        }
        if self.pieces > ROOM || self.bounds.len() > ROOM {
            return None;
        }
        let is_small = |written: &(Bytecode, Tests)| written.0.code.len() * W <= LARGE;
        let plain = self.write_bytecode(Tests::default(), false);
        let shared = match &plain {
            Some(written) if is_small(written) => None,
            _ => self.write_bytecode(Tests::default(), true),
        };
        let shares = shared.is_some();
        let (bytecode, tests) = shared.or(plain)?;
        let mut wrong = misplaced(&bytecode);
        if wrong.is_empty() {
            return Some(bytecode);
        }
        let without = |wrong: &FxHashSet<Test>| -> Tests {
            let is_wrong = |test: &Option<Test>| test.is_none_or(|test| wrong.contains(&test));
            tests
                .iter()
                .filter(|(_, test)| is_wrong(test))
                .map(|(&pattern, _)| (pattern, None))
                .collect()
        };
        let (bytecode, _) = self.write_bytecode(without(&wrong), shares)?;
        if misplaced(&bytecode).is_empty() {
            return Some(bytecode);
        }
        wrong.extend(tests.values().flatten());
        Some(self.write_bytecode(without(&wrong), shares)?.0)
    }

    /// The game as instructions. Those tests that may be are read from kept numbers. With `shares`
    /// large patterns are written once.
    fn write_bytecode(&self, tests: Tests, shares: bool) -> Option<(Bytecode, Tests)> {
        let mut layers = BytecodeWriter {
            writer: Writer::new(self, tests, shares),
            places: FxHashMap::default(),
            todo: Vec::new(),
            longest: 0,
            is_cut: false,
            tails: Vec::new(),
            sure: FxHashMap::default(),
            asking: Vec::new(),
        };
        for edge in 0..self.edges.len() {
            if let EdgeKind::Switch(mover @ 1..) = self.edges[edge].kind {
                layers.label(Place::Player(self.edges[edge].next, mover));
            }
        }
        while let Some(place) = layers.todo.pop() {
            if !layers.is_written(place) {
                layers.write(place, 0);
            }
        }
        let BytecodeWriter { mut writer, places, .. } = layers;
        // Parts that could not be written are searched.
        let search = writer.bytecode.code.len() as u32;
        writer.push(Inst::Search);
        writer.write_routines()?;
        if writer.is_full() {
            return None;
        }
        let (mut bytecode, mut labels, tests) = (writer.bytecode, writer.labels, writer.tests);
        for label in labels.iter_mut().filter(|label| **label == u32::MAX) {
            *label = search;
        }
        for target in bytecode.code.iter_mut().filter_map(Inst::target) {
            *target = labels[*target as usize];
        }
        for way in &mut bytecode.ways {
            way.target = labels[way.target as usize];
        }
        bytecode.turns = vec![None; self.layers.len()];
        for edge in &self.edges {
            let EdgeKind::Switch(mover @ 1..) = edge.kind else { continue };
            let at = labels[places[&Place::Player(edge.next, mover)] as usize];
            let turn = &mut bytecode.turns[edge.next as usize];
            if turn.is_none() && !matches!(bytecode.code[at as usize], Inst::Leave { .. }) {
                *turn = Some((mover, at));
            }
        }
        drop_notes(&mut bytecode);
        bytecode.turns.iter().any(Option::is_some).then_some((bytecode, tests))
    }
}

impl<const W: usize> BytecodeWriter<'_, W> {
    pub(super) fn label(&mut self, place: Place) -> Label {
        if let Some(&label) = self.places.get(&place) {
            return label;
        }
        let label = self.writer.label();
        self.places.insert(place, label);
        self.todo.push(place);
        label
    }

    fn is_written(&self, place: Place) -> bool {
        let label = self.places.get(&place);
        label.is_some_and(|&label| self.writer.labels[label as usize] != u32::MAX)
    }

    /// Goes on at a place, either by writing it here or by a jump.
    fn go_on(&mut self, place: Place, depth: usize) {
        let label = self.label(place);
        if depth > DEEPEST || self.is_written(place) {
            // Other places are counted as moves of the keeper or as plies.
            let counted = matches!(place, Place::Keeper(_));
            self.writer.push(if counted { Inst::Jump(label) } else { Inst::Skip(label) });
        } else {
            self.write(place, depth + 1);
        }
    }

    fn write(&mut self, place: Place, depth: usize) {
        let label = self.label(place);
        self.writer.place(label);
        match place {
            Place::Begin(layer) => {
                self.writer.push(Inst::Enter(layer));
                self.go_on(Place::Keeper(layer), depth);
            }
            Place::Keeper(layer) => {
                if self.writer.is_full() || self.write_keeper(layer, depth).is_none() {
                    self.writer.push(Inst::Search);
                }
            }
            Place::Player(layer, mover) => {
                let start = self.writer.begin();
                let ways = self.writer.bytecode.ways.len();
                self.writer.push(Inst::Turn { layer, mover });
                if self.writer.is_full() || self.write_player(layer, mover, start, depth).is_none()
                {
                    self.writer.give_up(start);
                    self.writer.bytecode.ways.truncate(ways);
                    self.tails.clear();
                    self.writer.push(Inst::Leave { layer, mover });
                }
            }
        }
    }

    /// The place behind a switch, with its mover.
    pub(super) fn behind(&self, edge: u32) -> Option<(Place, u8)> {
        let edge = &self.writer.compiler.edges[edge as usize];
        match edge.kind {
            EdgeKind::Switch(0) => Some((Place::Begin(edge.next), 0)),
            EdgeKind::Switch(mover) => Some((Place::Player(edge.next, mover), mover)),
            _ => None,
        }
    }

    // Players.

    /// Writes the moves of a player from a layer on, behind the turn at instruction `start`.
    fn write_player(&mut self, id: u32, player: u8, start: usize, depth: usize) -> Option<()> {
        let compiler = self.writer.compiler;
        let layer = &compiler.layers[id as usize];
        if let Some((walk, edge)) = layer.lone {
            let (mut place, mover) = self.behind(edge)?;
            self.writer.walk_to_set(walk);
            let next = compiler.edges[edge as usize].next;
            let code = &self.writer.bytecode.code;
            let alone = |ins: &Inst| !matches!(ins, Inst::Walk(_) | Inst::IfPattern { .. });
            if let (Ok(layer), Ok(next)) = (u16::try_from(id), u16::try_from(next))
                && code[start + 1..].iter().all(alone)
            {
                // The mover is not needed before a cell is drawn.
                self.writer.remove(start);
                if mover == 0 {
                    place = Place::Keeper(u32::from(next));
                }
                let to = self.label(place);
                self.writer.push(Inst::Ply { player, mover, layer, next, to });
            } else {
                let to = self.label(place);
                self.writer.push(Inst::Draw { mover, to });
            }
            self.follow(place, depth);
            return Some(());
        }
        if let Some(()) = self.write_pairs(layer) {
            return Some(());
        }
        if layer.ops.iter().any(|op| !self.is_of_sets(op)) {
            return self.write_list(id);
        }
        if layer.registers > MOST_REGISTERS {
            return None;
        }
        let first = self.writer.bytecode.ways.len();
        self.writer.push(Inst::Cell);
        self.writer.push(Inst::Save(0));
        for op in &layer.ops {
            match *op {
                Op::Walk { walk, from: 0, to, merge } => {
                    self.writer.walk_to_set(walk);
                    self.writer.push(if merge { Inst::Or(to as u8) } else { Inst::Save(to as u8) });
                }
                Op::Walk { walk, from, to, merge } => {
                    self.writer.push(Inst::Load(from as u8));
                    self.writer.walk_on(walk)?;
                    self.writer.push(if merge { Inst::Or(to as u8) } else { Inst::Save(to as u8) });
                }
                Op::Unless { of, to, .. } => {
                    self.writer.push(Inst::Unless(of as u8));
                    self.writer.push(Inst::Save(to as u8));
                }
                Op::Take { edge, from } => {
                    let (place, mover) = self.behind(edge)?;
                    let target = self.label(place);
                    let register = from as u8;
                    self.writer.bytecode.ways.push(MoveSource {
                        register,
                        put: None,
                        bare: true,
                        mover,
                        target,
                    });
                }
                Op::Loop(_) => return None,
            }
        }
        self.draw_from(first);
        Some(())
    }

    /// True if an operation is about sets, and an edge is a switch.
    fn is_of_sets(&self, op: &Op) -> bool {
        match op {
            Op::Walk { .. } | Op::Unless { .. } => true,
            Op::Take { edge, .. } => self.behind(*edge).is_some(),
            Op::Loop(_) => false,
        }
    }

    fn draw_from(&mut self, first: usize) {
        let count = (self.writer.bytecode.ways.len() - first) as u32;
        self.writer.push(Inst::DrawFrom { first: first as u32, count });
    }

    /// Writes a place here if it has not been written.
    fn follow(&mut self, place: Place, depth: usize) {
        if depth <= DEEPEST && !self.is_written(place) {
            self.write(place, depth + 1);
        }
    }

    /// Writes the moves from all cells of a set by some distances.
    fn write_pairs(&mut self, layer: &Layer) -> Option<()> {
        let compiler = self.writer.compiler;
        let [Op::Walk { walk, from: 0, to, merge: false }, Op::Take { edge, from }] = *layer.ops
        else {
            return None;
        };
        let edge = &compiler.edges[edge as usize];
        let pairs = edge.pairs.as_ref().filter(|_| to == from)?;
        let EdgeKind::Off(piece) = edge.kind else { return None };
        // From a single cell the search proceeds in another way.
        let is_set = self.held_in(layer, 1, from) == Held::Set;
        if pairs.steps.len() as u32 > MOST_REGISTERS || !is_set {
            return None;
        }
        let (place, mover) = self.behind(pairs.switch)?;
        let target = self.label(place);
        let first = self.writer.bytecode.ways.len();
        self.writer.walk_to_set(walk);
        self.writer.push(Inst::Save(0));
        for (register, step) in (1..).zip(&pairs.steps) {
            self.writer.push(Inst::Load(0));
            self.writer.pair_step(step);
            self.writer.push(Inst::Save(register));
            let put = Some((piece, step.by as i16));
            self.writer.bytecode.ways.push(MoveSource {
                register,
                put,
                bare: false,
                mover,
                target,
            });
        }
        self.draw_from(first);
        Some(())
    }

    // The keeper.

    fn write_keeper(&mut self, id: u32, depth: usize) -> Option<()> {
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
    fn is_sure(&mut self, layer: u32) -> bool {
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
