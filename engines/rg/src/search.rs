//! The plain reference: all walks through the automaton from a state, by depth-first search.
//!
//! A search node is a node of the automaton with the values of all variables and the tags so far.
//! The same one is gone through once, which ends loops that change nothing. Marks are needed only
//! where several edges meet, since every loop that a walk can enter has such a node.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::automaton::{Automaton, Cell, Label, Mover, NodeId, PLAYER, VISIBLE};
use crate::limits::{MAX_DEPTH, MAX_TAGS};
use crate::liveness::Liveness;
use crate::values::{Layout, Values};

/// A game in the form that the reference plays.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) automaton: Automaton,
    pub(crate) layout: Layout,
    pub(crate) liveness: Liveness,
    /// For each node: true if several edges lead to it, or it begins a test.
    meeting: Vec<bool>,
}

/// A fault of a game that only playing it brings to light.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    /// The keeper has several moves.
    KeeperChooses,
    /// The keeper's moves do not come to an end.
    KeeperLoops,
    /// Two moves have the same tags and different results.
    Ambiguous,
    /// The value of `player` is neither a player nor `keeper` nor `random`.
    NobodyMoves,
    /// Tests lead into themselves, or there are more walks than the budget allows, in one search or
    /// in all since the last choice.
    WithoutEnd,
}

impl Fault {
    /// The fault in words.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Fault::KeeperChooses => "the keeper has more than one move",
            Fault::KeeperLoops => "the keeper moves without end",
            Fault::Ambiguous => "two moves with equal tags have different results",
            Fault::NobodyMoves => "`player` holds nobody who could move",
            Fault::WithoutEnd => "the search for moves does not come to an end",
        }
    }
}

/// A tag of a move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tag {
    pub(crate) symbol: Cell,
    /// The players who see it, one bit each.
    pub(crate) seers: u16,
}

impl PartialEq for Tag {
    /// Moves are told apart by their tags, not by who sees them.
    fn eq(&self, other: &Tag) -> bool {
        self.symbol == other.symbol
    }
}

/// A legal move.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Move {
    pub(crate) tags: Box<[Tag]>,
    /// The node that it leads to.
    pub(crate) to: NodeId,
    /// The cells that it changes, in ascending order, with their new values.
    pub(crate) changes: Changes,
}

/// Cells with values that differ from those at the beginning of a search, in ascending order.
pub(crate) type Changes = Box<[(u32, Cell)]>;

/// The legal moves of a state, with the walks that they are.
pub(crate) struct Listing {
    pub(crate) moves: Vec<Move>,
    /// For each move the number of its first walk, in the order in which walks are found.
    pub(crate) walks: Vec<usize>,
    /// Two walks with equal tags and different results, if there are such.
    pub(crate) twins: Option<[usize; 2]>,
}

/// An edge on a walk, by its node and its number there, with the member of its set.
pub(crate) type Step = (NodeId, usize, usize);

/// The tags and writes of a walk that count like an edge where the walk is kept.
const KEPT_PER_EDGE: usize = 64;

/// The goal of a search.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Goal {
    /// All edges that end a move.
    Moves,
    /// One node.
    Node(NodeId),
}

/// A node on the walk that is being followed.
struct Frame {
    node: NodeId,
    /// The next edge to try, and the next member of its set if it has one.
    edge: usize,
    member: usize,
    /// The lengths of the trail and of the tags when the node was entered.
    trail: usize,
    tags: usize,
}

impl Frame {
    /// The edge that was tried last.
    fn step(&self) -> Step {
        match self.member {
            // The last member of a set, or an edge without one.
            0 => (self.node, self.edge - 1, usize::MAX),
            next => (self.node, self.edge, next - 1),
        }
    }
}

/// A search from one state, and memory for the next.
pub(crate) struct Search<'a> {
    rules: &'a Rules,
    cells: Vec<Cell>,
    /// The cells that were overwritten on the walk, with what they held.
    trail: Vec<(u32, Cell)>,
    tags: Vec<Tag>,
    /// Edges that may still be tried.
    pub(crate) budget: u64,
}

impl Rules {
    pub(crate) fn new(automaton: Automaton) -> Rules {
        let mut entries = vec![0_u32; automaton.nodes.len()];
        for edge in automaton.nodes.iter().flat_map(|node| &node.edges) {
            entries[edge.to] += 1;
            if let Label::Test { from, .. } = edge.label {
                entries[from] += 2;
            }
        }
        let meeting = entries.into_iter().map(|entries| entries > 1).collect();
        let layout = Layout::of(&automaton);
        let liveness = Liveness::of(&automaton);
        Rules { automaton, layout, liveness, meeting }
    }

    /// The cells as values.
    pub(crate) fn values<'a>(&'a self, cells: &'a [Cell]) -> Values<'a> {
        Values { automaton: &self.automaton, layout: &self.layout, cells }
    }
}

impl<'a> Search<'a> {
    /// A search through so many edges at most.
    pub(crate) fn new(rules: &'a Rules, cells: &[Cell], budget: u64) -> Search<'a> {
        Search { rules, cells: cells.to_vec(), trail: Vec::new(), tags: Vec::new(), budget }
    }

    /// The legal moves at a node, each once, in the order in which they are found.
    pub(crate) fn moves(&mut self, node: NodeId) -> Result<Vec<Move>, Fault> {
        let listing = self.listing(node)?;
        if listing.twins.is_some() { Err(Fault::Ambiguous) } else { Ok(listing.moves) }
    }

    /// The same, of moves with equal tags and different results the first.
    pub(crate) fn listing(&mut self, node: NodeId) -> Result<Listing, Fault> {
        let (mut moves, mut walks): (Vec<Move>, Vec<usize>) = (Vec::new(), Vec::new());
        let mut numbers: FxHashMap<Box<[Cell]>, usize> = FxHashMap::default();
        let (mut twins, mut count) = (None, 0);
        self.walk(node, Goal::Moves, 0, &mut |search, to, _| {
            let tags = search.tags.iter().map(|tag| tag.symbol).collect();
            let found =
                Move { tags: search.tags.as_slice().into(), to, changes: search.changes(0) };
            let next = moves.len();
            let number = *numbers.entry(tags).or_insert(next);
            match moves.get(number) {
                None => {
                    moves.push(found);
                    walks.push(count);
                }
                Some(known) if twins.is_none() && search.rules.differ(known, &found) => {
                    twins = Some([walks[number], count]);
                }
                Some(_) => {}
            }
            count += 1;
        })?;
        Ok(Listing { moves, walks, twins })
    }

    /// The steps of two walks from a node, by their numbers.
    pub(crate) fn steps(
        &mut self,
        node: NodeId,
        walks: [usize; 2],
    ) -> Result<[Vec<Step>; 2], Fault> {
        let (mut steps, mut count) = ([Vec::new(), Vec::new()], 0);
        self.walk(node, Goal::Moves, 0, &mut |_, _, frames| {
            for (steps, walk) in steps.iter_mut().zip(walks) {
                if walk == count {
                    *steps = frames.iter().map(Frame::step).collect();
                }
            }
            count += 1;
        })?;
        Ok(steps)
    }

    /// True if a node can be reached from another, with the values of the present.
    fn is_reachable(&mut self, from: NodeId, to: NodeId, depth: usize) -> Result<bool, Fault> {
        if depth == MAX_DEPTH {
            return Err(Fault::WithoutEnd);
        }
        let (trail, tags) = (self.trail.len(), self.tags.len());
        let reached = self.walk(from, Goal::Node(to), depth, &mut |_, _, _| {});
        self.go_back(trail);
        self.tags.truncate(tags);
        reached
    }

    /// Follows all walks from a node, and calls `found` at each end of a move with the node behind
    /// it and the nodes on the way. True if the goal is a node and was reached; then the search ends
    /// there.
    fn walk(
        &mut self,
        start: NodeId,
        goal: Goal,
        depth: usize,
        found: &mut dyn FnMut(&mut Self, NodeId, &[Frame]),
    ) -> Result<bool, Fault> {
        let rules = self.rules;
        let base = self.trail.len();
        let base_tags = self.tags.len();
        let mut visited = FxHashSet::default();
        let mut frames: Vec<Frame> = Vec::new();
        let mut entered = Some(start);
        loop {
            if let Some(node) = entered.take() {
                if goal == Goal::Node(node) {
                    return Ok(true);
                }
                // Tags mean nothing inside a test.
                if depth > 0 {
                    self.tags.truncate(base_tags);
                }
                let is_new = !rules.meeting[node] || {
                    let (tags, changes) = self.kept(base_tags, base)?;
                    visited.insert((node, tags, changes))
                };
                if is_new {
                    let (trail, tags) = (self.trail.len(), self.tags.len());
                    frames.push(Frame { node, edge: 0, member: 0, trail, tags });
                }
            }
            let Some(frame) = frames.last_mut() else {
                return Ok(false);
            };
            let (trail, tags) = (frame.trail, frame.tags);
            let Some(edge) = rules.automaton.nodes[frame.node].edges.get(frame.edge) else {
                frames.pop();
                continue;
            };
            let member = frame.member;
            let more = match edge.label {
                Label::AssignAny { set, .. } => {
                    member + 1 < rules.automaton.sets[set].members.len()
                }
                _ => false,
            };
            (frame.edge, frame.member) =
                if more { (frame.edge, member + 1) } else { (frame.edge + 1, 0) };
            self.go_back(trail);
            self.tags.truncate(tags);
            self.budget = self.budget.checked_sub(1).ok_or(Fault::WithoutEnd)?;
            if self.passes(&edge.label, member, depth)? {
                if goal == Goal::Moves && edge.label.ends_move() {
                    self.charge(base_tags, base)?;
                    found(self, edge.to, &frames);
                } else {
                    entered = Some(edge.to);
                }
            }
        }
    }

    /// The tags and changes of a walk behind so many tags and writes.
    fn kept(&mut self, tags: usize, writes: usize) -> Result<(Box<[Cell]>, Changes), Fault> {
        self.charge(tags, writes)?;
        let tags = self.tags[tags..].iter().map(|tag| tag.symbol).collect();
        Ok((tags, self.changes(writes)))
    }

    /// Counts what is kept of a walk behind so many tags and writes: memory is bounded like work.
    fn charge(&mut self, tags: usize, writes: usize) -> Result<(), Fault> {
        let kept = (self.tags.len() - tags + self.trail.len() - writes) / KEPT_PER_EDGE;
        self.budget = self.budget.checked_sub(kept as u64).ok_or(Fault::WithoutEnd)?;
        Ok(())
    }

    /// Tries an edge, with this member of its set if it has one: true if it passes, and then its
    /// effect is there.
    fn passes(&mut self, label: &Label, member: usize, depth: usize) -> Result<bool, Fault> {
        let rules = self.rules;
        let values = rules.values(&self.cells);
        match label {
            Label::Skip => {}
            Label::Compare { left, right, equal } => {
                return Ok(values.are_equal(left, right) == *equal);
            }
            Label::Test { from, to, negated } => {
                return Ok(self.is_reachable(*from, *to, depth + 1)? != *negated);
            }
            Label::Tag(symbol) => self.tag(symbol.0 as Cell)?,
            Label::TagVariable(slot) => self.tag(self.cells[rules.layout.offsets[*slot]])?,
            Label::AssignAny { target, set } => {
                let (at, _, outside) = values.target(target);
                let value = rules.automaton.sets[*set].members[member].0 as Cell;
                if !outside {
                    self.write(at, value);
                }
            }
            Label::Assign { target, value } => {
                let (at, width, outside) = values.target(target);
                let shape = &rules.automaton.variables[target.slot].shape;
                let keys = &shape.keys[target.keys.len()..];
                if outside {
                    // A map has no such cell.
                } else if keys.is_empty() {
                    let value = values.symbol(value);
                    self.write(at, value);
                } else if let Some(part) = values.part(value) {
                    let mut cells = Vec::with_capacity(width);
                    values.converted(&part, keys, &mut cells);
                    cells.into_iter().enumerate().for_each(|(i, cell)| self.write(at + i, cell));
                }
            }
        }
        Ok(true)
    }

    fn tag(&mut self, symbol: Cell) -> Result<(), Fault> {
        if self.tags.len() == MAX_TAGS {
            return Err(Fault::WithoutEnd);
        }
        let visible = &self.cells[self.rules.layout.range(VISIBLE)];
        let rules = self.rules;
        let seers = (0..rules.automaton.players.len())
            .filter(|&player| rules.automaton.is_true(visible[player]))
            .fold(0, |seers, player| seers | 1 << player);
        self.tags.push(Tag { symbol, seers });
        Ok(())
    }

    fn write(&mut self, at: usize, value: Cell) {
        let old = std::mem::replace(&mut self.cells[at], value);
        if old != value {
            self.trail.push((at as u32, old));
        }
    }

    /// Takes back all writes after so many.
    fn go_back(&mut self, length: usize) {
        while self.trail.len() > length {
            if let Some((at, old)) = self.trail.pop() {
                self.cells[at as usize] = old;
            }
        }
    }

    /// The cells that differ from what they held when the trail had this length.
    fn changes(&self, base: usize) -> Changes {
        let mut first: Vec<(u32, usize, Cell)> = Vec::with_capacity(self.trail.len() - base);
        first.extend(self.trail[base..].iter().enumerate().map(|(i, &(at, old))| (at, i, old)));
        first.sort_unstable();
        first.dedup_by_key(|&mut (at, ..)| at);
        let new = |(at, _, old)| {
            let value = self.cells[at as usize];
            (value != old).then_some((at, value))
        };
        first.into_iter().filter_map(new).collect()
    }
}

impl Rules {
    /// True if two moves of a state have results with different futures.
    fn differ(&self, one: &Move, other: &Move) -> bool {
        if one.to != other.to {
            return true;
        }
        let live = |changes: &Changes| -> Vec<(u32, Cell)> {
            let is_live = |&&(at, _): &&(u32, Cell)| {
                let slot = self.layout.offsets.partition_point(|&offset| offset <= at as usize);
                self.liveness.is_live(one.to, slot - 1)
            };
            changes.iter().filter(is_live).copied().collect()
        };
        live(&one.changes) != live(&other.changes)
    }

    /// The party that moves in a state.
    pub(crate) fn mover(&self, cells: &[Cell]) -> Option<Mover> {
        self.automaton.mover(cells[self.layout.offsets[PLAYER]])
    }
}
