//! The search for moves: depth first over the edges of the automaton, changing the state in place
//! and taking every change back.

use crate::bits::Bits;
use crate::description::Piece;
use crate::formula::value;
use crate::limits::{MAX_CHANGES, MAX_CHANGES_NESTED, MAX_KEEPER_MOVES, MAX_LIST_BYTES};
use crate::moves::{Chosen, Moves};
use crate::place::{Change, Place};
use crate::program::{EdgeKind, Op, Pairs, Pattern, Program, Split, Tail};
use crate::scratch::{NOWHERE, SET, Scratch, Undo};
use crate::state::State;
use crate::walk::cells_of;

impl<const W: usize> Program<W> {
    /// Lists the moves of the player to move. A search that took too long finds none and marks the
    /// state as lost.
    pub(crate) fn list(
        &self,
        state: &mut State<W>,
        scratch: &mut Scratch<W>,
        moves: &mut Moves<W>,
    ) {
        moves.clear();
        scratch.reset();
        let (layer, cell) = (state.layer, state.cell);
        let stopped = self.explore::<true>(layer, cell, state, scratch, moves);
        take_back(0, state, scratch);
        if stopped || scratch.left == 0 {
            state.lost = true;
            moves.clear();
        }
    }

    /// The switch and the cells at which it can be taken, if only a walk and a switch behind it are
    /// possible. These are the moves of [`Program::list`] in its order.
    #[inline(always)]
    pub(crate) fn lone(
        &self,
        state: &mut State<W>,
        scratch: &mut Scratch<W>,
    ) -> Option<(u32, Place<W>)> {
        let (walk, edge) = self.layers[state.layer as usize].lone?;
        scratch.reset();
        let cell = state.cell;
        let place = self.walk(&self.walks[walk as usize], &Place::Cell(cell), state, scratch);
        state.lost |= scratch.left == 0;
        Some((edge, place))
    }

    /// Makes a move of [`Program::list`], and the moves of the keeper after it.
    pub(crate) fn make(&self, chosen: Chosen<'_>, state: &mut State<W>, scratch: &mut Scratch<W>) {
        for &change in chosen.changes {
            self.apply(change, state);
        }
        if let Some(pair) = chosen.pair {
            self.apply(pair, state);
            for change in self.tail(pair.edge, chosen.last.cell) {
                self.apply(change, state);
            }
        }
        self.hand_on(chosen.last, state);
        self.settle(state, scratch);
    }

    /// All changes of a move but the switch.
    pub(crate) fn changes<'a>(&'a self, chosen: Chosen<'a>) -> impl Iterator<Item = Change> + 'a {
        let last = chosen.last.cell;
        let tail = chosen.pair.into_iter().flat_map(move |pair| self.tail(pair.edge, last));
        chosen.changes.iter().copied().chain(chosen.pair).chain(tail)
    }

    /// The changes behind an edge at the cell of the switch.
    #[inline(always)]
    fn tail(&self, edge: u32, cell: u16) -> impl Iterator<Item = Change> {
        let tail = self.edges[edge as usize].tail.as_ref();
        let edges = tail.map_or(&[][..], |tail| &tail.edges);
        edges.iter().map(move |&edge| Change { edge, cell })
    }

    #[inline(always)]
    fn apply(&self, change: Change, state: &mut State<W>) {
        match &self.edges[change.edge as usize].kind {
            EdgeKind::Off(piece) => {
                state.put(change.cell, *piece);
            }
            EdgeKind::Assign(var, formula) => {
                if let Some(value) = value(formula, state) {
                    state.vars[usize::from(*var)] = value;
                }
            }
            EdgeKind::Switch(_) | EdgeKind::Accept => {}
        }
    }

    #[inline(always)]
    pub(crate) fn hand_on(&self, switch: Change, state: &mut State<W>) {
        let edge = &self.edges[switch.edge as usize];
        if let EdgeKind::Switch(mover) = edge.kind {
            state.mover = mover;
        }
        state.cell = switch.cell;
        state.layer = edge.next;
    }

    /// Lets the keeper move until a player is to move or the keeper cannot move. All these moves
    /// together may take as many steps as one search.
    pub(crate) fn settle(&self, state: &mut State<W>, scratch: &mut Scratch<W>) {
        let mut moves = 0;
        scratch.refill();
        while state.mover == 0 {
            scratch.clear();
            let found = self.search(state.layer, state.cell, state, scratch);
            moves += 1;
            if scratch.left == 0 || moves > MAX_KEEPER_MOVES {
                state.lost = true;
            }
            if !found || state.lost {
                if !found {
                    take_back(0, state, scratch);
                }
                break;
            }
        }
    }

    /// Searches for any path to a switch, and leaves the changes of that path.
    fn search(
        &self,
        layer: u32,
        cell: u16,
        state: &mut State<W>,
        scratch: &mut Scratch<W>,
    ) -> bool {
        self.explore::<false>(layer, cell, state, scratch, &mut Moves::new())
    }

    /// True if the automaton of a pattern accepts from this cell; the state is as it was.
    pub(crate) fn accepts(
        &self,
        layer: u32,
        cell: u16,
        state: &mut State<W>,
        scratch: &mut Scratch<W>,
    ) -> bool {
        let mark = scratch.undo.len();
        let mut none = Moves::new();
        scratch.depth += 1;
        let found = scratch.depth < MAX_CHANGES_NESTED
            && self.explore::<false>(layer, cell, state, scratch, &mut none);
        if scratch.depth >= MAX_CHANGES_NESTED {
            scratch.left = 0;
        }
        scratch.depth -= 1;
        take_back(mark, state, scratch);
        found && scratch.left > 0
    }

    /// Searches from a layer. With `LIST` it finds all moves, and returns true if it was given up.
    /// Otherwise it stops at the first success, returns true and leaves the changes of its path.
    #[expect(clippy::too_many_lines, reason = "one arm for each kind of edge, in one loop")]
    fn explore<const LIST: bool>(
        &self,
        layer: u32,
        cell: u16,
        state: &mut State<W>,
        scratch: &mut Scratch<W>,
        moves: &mut Moves<W>,
    ) -> bool {
        let base = scratch.top;
        let (mut layer, mut cell) = (layer, cell);
        'layer: loop {
            if !scratch.afford()
                || scratch.undo.len() > MAX_CHANGES
                || moves.bytes() > MAX_LIST_BYTES
            {
                scratch.left = 0;
                scratch.top = base;
                return LIST;
            }
            let this = &self.layers[layer as usize];
            // The last pattern that a tail forbids, and true if it holds now.
            let mut forbidden = None;
            if let Some(edge_id) = this.only {
                let edge = &self.edges[edge_id as usize];
                match edge.kind {
                    EdgeKind::Switch(_) if LIST => {
                        moves.push(&scratch.prefix, edge_id, None, Place::Cell(cell));
                        break;
                    }
                    EdgeKind::Switch(_) => {
                        self.hand_on(Change { edge: edge_id, cell }, state);
                        scratch.top = base;
                        return true;
                    }
                    EdgeKind::Accept => {
                        scratch.top = base;
                        return true;
                    }
                    EdgeKind::Off(_) | EdgeKind::Assign(..) => {}
                }
                if LIST
                    && let Some(tail) = &edge.tail
                    && self.allows(tail, &mut forbidden, state, scratch)
                {
                    let place = Place::Cell(cell);
                    moves.push(&scratch.prefix, tail.switch, Some((edge_id, 0)), place);
                    break;
                }
                if !self.change(&edge.kind, cell, state, scratch) {
                    break;
                }
                if LIST {
                    scratch.prefix.push(Change { edge: edge_id, cell });
                }
                layer = edge.next;
                continue;
            }
            scratch.enter(base, this.registers, cell);
            for (i, op) in this.ops.iter().enumerate() {
                let (edge_id, from) = match op {
                    Op::Walk { walk, from, to, merge } => {
                        let (from, to) = (base + *from as usize, base + *to as usize);
                        if scratch.registers[from] == NOWHERE {
                            continue;
                        }
                        let place = scratch.read(from);
                        let place = self.walk(&self.walks[*walk as usize], &place, state, scratch);
                        if *merge && scratch.registers[to] != NOWHERE {
                            let both = scratch.read(to).or(&place);
                            scratch.write(to, &both);
                        } else {
                            scratch.write(to, &place);
                        }
                        continue;
                    }
                    Op::Unless { of, to, .. } => {
                        if scratch.registers[base + *of as usize] == NOWHERE {
                            scratch.registers[base + *to as usize] = cell;
                        }
                        continue;
                    }
                    Op::Loop(ways) => {
                        self.circle(ways, base, state, scratch);
                        continue;
                    }
                    Op::Take { edge, from } => (*edge, base + *from as usize),
                };
                let held = scratch.registers[from];
                if held == NOWHERE {
                    continue;
                }
                let edge = &self.edges[edge_id as usize];
                match edge.kind {
                    EdgeKind::Switch(_) if LIST => {
                        let place = scratch.read(from);
                        moves.push(&scratch.prefix, edge_id, None, place);
                        continue;
                    }
                    EdgeKind::Switch(_) => {
                        let cell = scratch.read(from).first();
                        self.hand_on(Change { edge: edge_id, cell }, state);
                        scratch.top = base;
                        return true;
                    }
                    EdgeKind::Accept => {
                        scratch.top = base;
                        return true;
                    }
                    EdgeKind::Off(_) | EdgeKind::Assign(..) => {}
                }
                if LIST
                    && let Some(tail) = &edge.tail
                    && self.allows(tail, &mut forbidden, state, scratch)
                {
                    let place = scratch.read(from);
                    moves.push(&scratch.prefix, tail.switch, Some((edge_id, 0)), place);
                    continue;
                }
                if held != SET && i + 1 == this.ops.len() {
                    // No other edge is possible, so the caller takes the change back.
                    if !self.change(&edge.kind, held, state, scratch) {
                        break 'layer;
                    }
                    if LIST {
                        scratch.prefix.push(Change { edge: edge_id, cell: held });
                    }
                    (layer, cell) = (edge.next, held);
                    continue 'layer;
                }
                if scratch.depth >= MAX_CHANGES_NESTED {
                    scratch.left = 0;
                    scratch.top = base;
                    return LIST;
                }
                let (mark, prefix) = (scratch.undo.len(), scratch.prefix.len());
                if held != SET {
                    if self.attempt::<LIST>(edge_id, held, state, scratch, moves) {
                        scratch.top = base;
                        return true;
                    }
                    scratch.prefix.truncate(prefix);
                    take_back(mark, state, scratch);
                    continue;
                }
                let mut rest = scratch.sets[from];
                if LIST && let Some(pairs) = &edge.pairs {
                    self.list_pairs(edge_id, pairs, rest, state, scratch, moves);
                    continue;
                }
                if LIST && let Some(split) = &edge.split {
                    rest = self.list_split(edge_id, split, rest, state, scratch, moves);
                }
                if LIST
                    && let Some((walk, last)) = self.layers[edge.next as usize].straight
                    && let EdgeKind::Off(piece) = edge.kind
                {
                    let first = (edge_id, piece);
                    if self.list_straight(first, walk, last, rest, state, scratch, moves) {
                        scratch.top = base;
                        return true;
                    }
                    continue;
                }
                while let Some(cell) = rest.pop() {
                    if self.attempt::<LIST>(edge_id, cell, state, scratch, moves) {
                        scratch.top = base;
                        return true;
                    }
                    scratch.prefix.truncate(prefix);
                    take_back(mark, state, scratch);
                }
            }
            break;
        }
        scratch.top = base;
        false
    }

    /// Takes an edge at a cell and searches on; the caller takes the change back.
    #[inline(always)]
    fn attempt<const LIST: bool>(
        &self,
        edge_id: u32,
        cell: u16,
        state: &mut State<W>,
        scratch: &mut Scratch<W>,
        moves: &mut Moves<W>,
    ) -> bool {
        let edge = &self.edges[edge_id as usize];
        if !self.change(&edge.kind, cell, state, scratch) {
            return false;
        }
        if LIST {
            scratch.prefix.push(Change { edge: edge_id, cell });
        }
        scratch.depth += 1;
        let stop = self.explore::<LIST>(edge.next, cell, state, scratch, moves);
        scratch.depth -= 1;
        stop
    }

    /// True if a tail can be taken from all cells at once, because the pattern that it forbids does
    /// not hold. `known` is the last pattern that was tested in this state, with the result.
    #[inline(always)]
    fn allows(
        &self,
        tail: &Tail,
        known: &mut Option<(u32, bool)>,
        state: &mut State<W>,
        scratch: &mut Scratch<W>,
    ) -> bool {
        let Some(pattern) = tail.unless else { return true };
        match *known {
            Some((asked, holds)) if asked == pattern => !holds,
            _ => {
                // It reads the same from all cells.
                let holds = self.matches(pattern, self.start_cell, state, scratch);
                *known = Some((pattern, holds));
                !holds
            }
        }
    }

    /// Lists the moves that put a piece at cells of a set and take an edge at the cells that a walk
    /// leads to from there. True if the search was given up.
    #[expect(clippy::too_many_arguments, reason = "what a search has at hand")]
    fn list_straight(
        &self,
        (first, piece): (u32, Piece),
        walk: u32,
        last: u32,
        set: Bits<W>,
        state: &mut State<W>,
        scratch: &mut Scratch<W>,
        moves: &mut Moves<W>,
    ) -> bool {
        let (walk, edge) = (&self.walks[walk as usize], &self.edges[last as usize]);
        for cell in set {
            if !scratch.afford() {
                return true;
            }
            // The piece is put back below in any case, so the change need not be noted.
            let old = state.put(cell, piece);
            let place = self.walk_cell(walk, cell, state, scratch);
            let mut stopped = false;
            if !place.is_nowhere() {
                scratch.prefix.push(Change { edge: first, cell });
                let tail = edge.tail.as_ref();
                if let EdgeKind::Switch(_) = edge.kind {
                    moves.push(&scratch.prefix, last, None, place);
                } else if let Some(tail) =
                    tail.filter(|t| self.allows(t, &mut None, state, scratch))
                {
                    moves.push(&scratch.prefix, tail.switch, Some((last, 0)), place);
                } else {
                    stopped = self.list_each(last, place, state, scratch, moves);
                }
                scratch.prefix.pop();
            }
            state.put(cell, old);
            if stopped {
                return true;
            }
        }
        false
    }

    /// Lists the moves that take an edge at the cells that a walk has led to; true if the search
    /// was given up.
    fn list_each(
        &self,
        edge_id: u32,
        place: Place<W>,
        state: &mut State<W>,
        scratch: &mut Scratch<W>,
        moves: &mut Moves<W>,
    ) -> bool {
        if scratch.depth >= MAX_CHANGES_NESTED {
            scratch.left = 0;
            return true;
        }
        let (mark, prefix) = (scratch.undo.len(), scratch.prefix.len());
        let mut rest = place.bits();
        if let (Place::Set(_), Some(split)) = (place, &self.edges[edge_id as usize].split) {
            rest = self.list_split(edge_id, split, rest, state, scratch, moves);
        }
        while let Some(cell) = rest.pop() {
            let stopped = self.attempt::<true>(edge_id, cell, state, scratch, moves);
            scratch.prefix.truncate(prefix);
            take_back(mark, state, scratch);
            if stopped {
                return true;
            }
        }
        false
    }

    /// Lists the moves that take an edge at any cell of a set and end a step further on.
    #[inline(always)]
    fn list_pairs(
        &self,
        edge: u32,
        pairs: &Pairs,
        set: Bits<W>,
        state: &State<W>,
        scratch: &Scratch<W>,
        moves: &mut Moves<W>,
    ) {
        for step in &pairs.steps {
            let mut from = set;
            for (word, &mask) in from.words.iter_mut().zip(&step.from) {
                *word &= mask;
            }
            let mut to = from.shifted(step.by);
            if let Some(class) = step.class {
                to = to.and(cells_of(&self.classes[class as usize], state));
            }
            moves.push(&scratch.prefix, pairs.switch, Some((edge, step.by)), Place::of(to));
        }
    }

    /// Lists the moves that take an edge at those cells of a set at which a test ends them; returns
    /// the other cells.
    #[inline(always)]
    fn list_split(
        &self,
        edge: u32,
        split: &Split,
        set: Bits<W>,
        state: &State<W>,
        scratch: &Scratch<W>,
        moves: &mut Moves<W>,
    ) -> Bits<W> {
        let Pattern::Walk { lines: Some(lines), .. } = &self.patterns[split.pattern as usize]
        else {
            return set;
        };
        let held = self.lines_among(lines, set, state);
        let ended = if split.negated { set.without(held) } else { held };
        moves.push(&scratch.prefix, split.switch, Some((edge, 0)), Place::of(ended));
        set.without(ended)
    }

    /// Repeats walks that lead round in circles, until they lead to no new cell.
    fn circle(
        &self,
        ways: &[(u32, u32, u32)],
        base: usize,
        state: &mut State<W>,
        scratch: &mut Scratch<W>,
    ) {
        let mut changed = true;
        while changed && scratch.afford() {
            changed = false;
            for &(walk, from, to) in ways {
                let place = scratch.read(base + from as usize);
                if place.is_nowhere() {
                    continue;
                }
                let place = self.walk(&self.walks[walk as usize], &place, state, scratch);
                let before = scratch.read(base + to as usize);
                let both = before.or(&place);
                changed |= both != before;
                scratch.write(base + to as usize, &both);
            }
        }
    }

    /// Makes a change that can be taken back; false if it is not possible.
    #[inline(always)]
    pub(crate) fn change(
        &self,
        kind: &EdgeKind,
        cell: u16,
        state: &mut State<W>,
        scratch: &mut Scratch<W>,
    ) -> bool {
        match kind {
            EdgeKind::Off(piece) => {
                scratch.put(cell, *piece, state);
                true
            }
            EdgeKind::Assign(var, formula) => {
                let index = usize::from(*var);
                match value(formula, state) {
                    Some(value) if value >= 0 && value <= self.bounds[index] => {
                        scratch.assign(*var, value, state);
                        true
                    }
                    _ => false,
                }
            }
            EdgeKind::Switch(_) | EdgeKind::Accept => true,
        }
    }
}

/// Takes changes back until only `mark` are left.
#[inline(always)]
pub(crate) fn take_back<const W: usize>(
    mark: usize,
    state: &mut State<W>,
    scratch: &mut Scratch<W>,
) {
    while scratch.undo.len() > mark {
        match scratch.undo.pop() {
            Some(Undo::Off(cell, old)) => {
                state.put(cell, old);
            }
            Some(Undo::Assign(var, old)) => state.vars[usize::from(var)] = old,
            None => break,
        }
    }
}
