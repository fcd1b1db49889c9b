//! Set-wise generators: what follows an edge from many cells at once, on boards of one word.
//!
//! Where an edge puts a piece on any of several cells and what follows are steps by fixed numbers
//! of cells, tests of what stands there and more such edges, the cells are told apart by nothing
//! but their numbers: all of them are stepped on together, as shifted sets. What the edges put is
//! known wherever a later step comes back to it, so the board itself need not be changed. A slide
//! along a line is one step too: between its end and its beginning stands nothing, so the one is
//! found from the other.

use crate::bits::Bits;
use crate::description::Piece;
use crate::formula::holds;
use crate::moves::Moves;
use crate::program::{Pattern, Program, Step};
use crate::scratch::Scratch;
use crate::set_ops::{
    Chains, End, ForbiddenPattern, Known, Leaf, MOST_CLASSES, MOST_DEPTH, Preimage, Reach, SetOp,
    SetwiseGenerator, Tree, beginning,
};
use crate::state::State;
use crate::walk::cells_of;

/// The cells from which any of some chains leads anywhere.
fn held(chains: &Chains, classes: &[u64; MOST_CLASSES]) -> u64 {
    let of = |class: u8| classes[usize::from(class) % MOST_CLASSES];
    let mut held = 0;
    for chain in chains {
        held |= chain.iter().rev().fold(u64::MAX, |to, &set_op| match set_op {
            SetOp::Within(cells) => to & cells,
            SetOp::On(class) => to & of(class),
            SetOp::Shift { turn, from, class } => (to & of(class)).rotate_right(turn) & from,
            // Not in chains.
            SetOp::Fill { .. } | SetOp::Slide { .. } | SetOp::If(_) | SetOp::Test { .. } => 0,
        });
    }
    held
}

impl<const W: usize> Program<W> {
    /// Lists the moves that take an edge at cells of a set, given its set-wise generator. Gives
    /// back the cells from which moves are still to be searched, or nothing where the search was
    /// given up.
    pub(crate) fn list_setwise(
        &self,
        setwise: &SetwiseGenerator,
        set: Bits<W>,
        known: &mut Known<W>,
        state: &mut State<W>,
        scratch: &mut Scratch<W>,
        moves: &mut Moves<W>,
    ) -> Option<Bits<W>> {
        if !scratch.afford() {
            return None;
        }
        let mut safe = u64::MAX;
        let (mut set, mut rest) = (set, Bits::EMPTY);
        if let Some(unless) = &setwise.unless {
            if unless.asked {
                safe = self.safe(unless, set, state).unwrap_or(0);
                if safe == 0 {
                    return Some(set);
                }
            } else {
                let touched = self.touched(unless, known, state);
                rest = touched.map_or(set, |touched| set.and(touched));
                set = set.without(rest);
            }
            if set.is_empty() {
                return Some(rest);
            }
        }
        let classes = self.cells_by_class(&setwise.tree, state);
        let mut sets = [0u64; MOST_DEPTH];
        let prefix = moves.keep(&scratch.prefix);
        let mut at = 0;
        while let Some(node) = setwise.tree.nodes.get(at) {
            let depth = usize::from(node.depth) % MOST_DEPTH;
            let from = if depth == 0 { set.words[0] } else { sets[depth - 1] };
            let to = self.set_op(&node.set_op, from, &setwise.tree, &classes, state);
            if to == 0 {
                at += usize::from(node.skip);
                continue;
            }
            sets[depth] = to;
            let mut cells = Bits::EMPTY;
            cells.words[0] = to;
            let (first, end) = node.leaves;
            for (id, leaf) in (first..).zip(&self.leaves[first as usize..end as usize]) {
                let slide =
                    leaf.slide.map(|(by, depth)| (by, sets[usize::from(depth) % MOST_DEPTH]));
                match leaf.end {
                    End::Switch(switch) => moves.push_leaf(prefix, switch, id, slide, cells),
                    End::Tested(switch) => {
                        let mut cells = cells;
                        cells.words[0] &= safe;
                        if !cells.is_empty() {
                            moves.push_leaf(prefix, switch, id, slide, cells);
                        }
                    }
                    End::Search(layer) => {
                        if self.list_leaf(leaf, layer, slide, cells, state, scratch, moves) {
                            return None;
                        }
                    }
                }
            }
            at += 1;
        }
        Some(rest)
    }

    /// True if a pattern holds.
    pub(crate) fn reaches(&self, reach: &Reach, state: &State<W>) -> bool {
        let classes = self.cells_by_class(&reach.tree, state);
        let mut sets = [0u64; MOST_DEPTH];
        let mut at = 0;
        while let Some(node) = reach.tree.nodes.get(at) {
            let depth = usize::from(node.depth) % MOST_DEPTH;
            let from = if depth == 0 { reach.from } else { sets[depth - 1] };
            let to = self.set_op(&node.set_op, from, &reach.tree, &classes, state);
            if to == 0 {
                at += usize::from(node.skip);
                continue;
            }
            if node.goal {
                return true;
            }
            sets[depth] = to;
            at += 1;
        }
        false
    }

    /// The cells from which the steps of a pattern lead anywhere.
    fn whence(&self, whence: &Preimage, state: &State<W>) -> u64 {
        let classes = self.cells_by_class(&whence.tree, state);
        let mut sets = [0u64; MOST_DEPTH];
        let (mut at, mut out) = (0, 0);
        while let Some(node) = whence.tree.nodes.get(at) {
            let depth = usize::from(node.depth) % MOST_DEPTH;
            let from = if depth == 0 { self.all.words[0] } else { sets[depth - 1] };
            let to = self.set_op(&node.set_op, from, &whence.tree, &classes, state);
            if to == 0 {
                at += usize::from(node.skip);
                continue;
            }
            if node.goal {
                out |= to;
            }
            sets[depth] = to;
            at += 1;
        }
        out
    }

    /// The cells of each class of a tree.
    #[inline(always)]
    fn cells_by_class(&self, tree: &Tree, state: &State<W>) -> [u64; MOST_CLASSES] {
        let mut classes = [0u64; MOST_CLASSES];
        classes[0] = self.all.words[0];
        for (cells, &class) in classes[1..].iter_mut().zip(&tree.classes[1..]) {
            *cells = cells_of(&self.classes[class as usize], state).words[0];
        }
        classes
    }

    /// Where a set operation leads.
    #[inline(always)]
    fn set_op(
        &self,
        set_op: &SetOp,
        from: u64,
        tree: &Tree,
        classes: &[u64; MOST_CLASSES],
        state: &State<W>,
    ) -> u64 {
        let of = |class: u8| classes[usize::from(class) % MOST_CLASSES];
        match set_op {
            SetOp::Within(cells) => from & cells,
            SetOp::On(class) => from & of(*class),
            SetOp::Shift { turn, from: cells, class } => {
                (from & cells).rotate_left(*turn) & of(*class)
            }
            SetOp::Fill { fill, class, hit } => fill.ray(from, of(*class), *hit),
            SetOp::Slide { line, class, test_first } => line.fill(from, of(*class), *test_first),
            SetOp::If(compare) => {
                if holds(&self.compares[*compare as usize], state) {
                    from
                } else {
                    0
                }
            }
            SetOp::Test { negated, test } => {
                let held = held(&tree.tests[usize::from(*test)], classes);
                if *negated { from & !held } else { from & held }
            }
        }
    }

    /// Where a piece can end its move from the only cell of a set without bringing a pattern about
    /// that asks for such pieces; none if there are other such pieces.
    fn safe(&self, unless: &ForbiddenPattern, set: Bits<W>, state: &mut State<W>) -> Option<u64> {
        let Pattern::Walk { whence: Some(whence), .. } = &self.patterns[unless.pattern as usize]
        else {
            return None;
        };
        let asked = cells_of(&self.classes[whence.class as usize], state);
        if asked != set || !set.at_most(1) {
            return None;
        }
        let cell = set.first()?;
        let old = state.put(cell, unless.piece);
        let led = self.whence(whence, state);
        state.put(cell, old);
        Some(!led)
    }

    /// The cells at which the piece of a set-wise generator could bring its pattern about; none
    /// where it holds.
    #[inline(always)]
    fn touched(
        &self,
        unless: &ForbiddenPattern,
        known: &mut Known<W>,
        state: &State<W>,
    ) -> Option<Bits<W>> {
        if let Some((pattern, piece, touched)) = *known
            && (pattern, piece) == (unless.pattern, unless.piece)
        {
            return touched;
        }
        let Pattern::Walk { forward, .. } = &self.patterns[unless.pattern as usize] else {
            return None;
        };
        let mut touched = Bits::EMPTY;
        let led = self.touch(forward, self.all, unless.piece, &mut touched, state);
        let touched = led.is_empty().then_some(touched);
        *known = Some((unless.pattern, unless.piece, touched));
        touched
    }

    /// Where steps lead that ask for nothing but pieces that are there, and at which cells they
    /// would have gone on had a certain piece stood there.
    fn touch(
        &self,
        steps: &[Step<W>],
        from: Bits<W>,
        piece: Piece,
        touched: &mut Bits<W>,
        state: &State<W>,
    ) -> Bits<W> {
        let mut set = from;
        for step in steps {
            if set.is_empty() {
                break;
            }
            let mut on = |set: Bits<W>, class: u32| {
                let class = &self.classes[class as usize];
                let cells = cells_of(class, state);
                if class.has(piece) {
                    *touched = touched.or(set.without(cells));
                }
                set.and(cells)
            };
            let image = |relation: u32, set| self.relations[relation as usize].image(set);
            set = match step {
                Step::Const(cells) => *cells,
                Step::Within(cells) => set.and(*cells),
                Step::On(class) => on(set, *class),
                Step::Func(relation) | Step::Rel(relation) => image(*relation, set),
                Step::Move { relation, class } => on(image(*relation, set), *class),
                Step::Terms(terms) => terms.iter().fold(Bits::EMPTY, |out, term| {
                    let to = image(term.relation, set);
                    out.or(term.class.map_or(to, |class| on(to, class)))
                }),
                Step::Slide { relation, class, test_first } => {
                    let relation = &self.relations[*relation as usize];
                    let class = &self.classes[*class as usize];
                    let cells = cells_of(class, state);
                    let out = relation.fill(set, cells, *test_first);
                    if class.has(piece) {
                        let asked = if *test_first { out } else { relation.image(out) };
                        *touched = touched.or(asked.without(cells));
                    }
                    out
                }
                Step::Guard { rows, class } => {
                    let class = &self.classes[*class as usize];
                    let cells = cells_of(class, state);
                    let ahead = |cell: u16| !rows[usize::from(cell)].and(cells).is_empty();
                    let on = class.has(piece) || !set.at_most(1) || set.first().is_none_or(ahead);
                    if on { set } else { Bits::EMPTY }
                }
                Step::Sum(walks) => walks.iter().fold(Bits::EMPTY, |out, walk| {
                    out.or(self.touch(walk, set, piece, touched, state))
                }),
                // Not in such a pattern.
                Step::Rays(_)
                | Step::Flood { .. }
                | Step::Star(_)
                | Step::Test { .. }
                | Step::Compare(_) => Bits::EMPTY,
            };
        }
        set
    }

    /// Lists the moves that go on from a leaf by a search; true if it was given up.
    #[expect(clippy::too_many_arguments, reason = "what a search has at hand")]
    fn list_leaf(
        &self,
        leaf: &Leaf,
        layer: u32,
        slide: Option<(i32, u64)>,
        cells: Bits<W>,
        state: &mut State<W>,
        scratch: &mut Scratch<W>,
        moves: &mut Moves<W>,
    ) -> bool {
        for cell in cells {
            let begin = slide.map_or(cell, |(by, begins)| beginning(cell, by, begins));
            if self.list_behind(leaf.changes(cell, begin), layer, cell, state, scratch, moves) {
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use play::{Language, Limits, Rng, Rules};

    use super::*;
    use crate::compile::compile;
    use crate::front;
    use crate::layout::Layout;

    /// The moves of a state, with all that they do, in one order.
    fn sorted(program: &Program<1>, state: &mut State<1>) -> Vec<Vec<(u32, u16)>> {
        let mut scratch = Scratch::new(u64::MAX);
        let mut moves = Moves::new();
        program.list(state, &mut scratch, &mut moves);
        let mut all: Vec<Vec<(u32, u16)>> = (0..moves.count())
            .filter_map(|n| moves.get(n))
            .map(|chosen| {
                let changes = program.changes(chosen).chain([chosen.last]);
                changes.map(|change| (change.edge, change.cell)).collect()
            })
            .collect();
        all.sort_unstable();
        all
    }

    /// Plays rules at random and compares what set-wise generators list with what a search does;
    /// returns how many set-wise generators there are.
    fn compare(text: &str, states: usize) -> usize {
        let rules = Rules::new(Language::Rbg, "sweeps.rbg", text);
        let description = front::read(&rules.source).0.unwrap();
        let layout = Layout::new(&description.board);
        if layout.words > 1 {
            return 0;
        }
        let program = compile::<1>(&description, &layout, &Limits::default()).unwrap();
        let mut plain = compile::<1>(&description, &layout, &Limits::default()).unwrap();
        let setwise = plain.edges.iter_mut().filter_map(|edge| edge.setwise.take()).count();
        let mut scratch = Scratch::new(u64::MAX);
        let mut start = program.begin();
        program.settle(&mut start, &mut scratch);
        let (mut state, mut rng) = (start.clone(), Rng::stream(7, 7));
        for _ in 0..states {
            let board = state.board.clone();
            let swept = sorted(&program, &mut state);
            assert_eq!(state.board, board);
            assert_eq!(swept, sorted(&plain, &mut state), "{board:?}");
            let mut moves = Moves::new();
            program.list(&mut state, &mut scratch, &mut moves);
            let number = rng.below(moves.count().max(1));
            match moves.get(number) {
                Some(chosen) if state.mover > 0 => program.make(chosen, &mut state, &mut scratch),
                _ => state = start.clone(),
            }
        }
        setwise
    }

    #[test]
    fn setwise_generators_list_what_a_search_does() {
        // Slides, hops, steps behind one another, what is put on the way, numbers, promotions,
        // pieces that must not be left attacked, and chains of captures.
        let rules = "
            #players = white(100), black(100)
            #pieces = e, k, r, p, K, R, P
            #variables = moved(1), passed(1)
            #board = rectangle(up,down,left,right,
                [R,e,K,e,R][P,P,e,P,P][e,e,e,e,e][p,p,e,p,p][r,e,k,e,r])
            #any = (up* + down*)(left* + right*)
            #lines(more) = (more~up + more~down + more~left + more~right)
            #line(d) = (d {e})* d
            #straight = (line(up) + line(down) + line(left) + line(right))
            #around = (up + down + left + right + (up + down)(left + right))
            #attacked(r; k; p; forth) = (up ({e} up)* {r} + down ({e} down)* {r} + left \
            ({e} left)* {r}
                + right ({e} right)* {r} + around {k} + forth (left + right) {p})
            #to(mine; theirs) = ({e} + {theirs} [$ passed=0]) [mine]
            #turn(me; forth; k; r; p; K; R; P) =
                ->me (
                    [$ passed=0] any (
                        {r} [e] straight to(r; K, R, P)
                      + {k} [e] (around to(k; K, R, P)
                          + {$ moved==0} left {e} [k] left {r} [e] right^2 [r]) [$ moved=1]
                      + {p} [e] ((forth {e} + forth (left + right) {K, R, P})
                          ({? forth} [p] + {! forth} ([r] + [k]))
                          + (forth {e})^2 [p] [$ passed=1])
                      + {p} [e] (up {K, R, P} [e] up {e} + down {K, R, P} [e] down {e})
                          (left {e} [P] + right {e} [e] left [p]))
                  + {$ passed==1} any {p} [e] up up {e} [r] [$ passed=0]
                ) {! any {k} attacked(R; K; P; forth)}
                ->> [$ me=100]
            #rules = (turn(white; up; k; r; p; K; R; P) turn(black; down; K; R; P; k; r; p))*";
        assert!(compare(rules, 2000) >= 8);
    }

    #[test]
    fn setwise_generators_of_the_catalogue_list_what_a_search_does() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games/catalogue");
        let mut setwise = 0;
        for game in std::fs::read_dir(folder).unwrap() {
            if let Ok(text) = std::fs::read_to_string(game.unwrap().path().join("rules.rbg")) {
                setwise += compare(&text, 200);
            }
        }
        assert!(setwise > 20, "{setwise}");
    }
}
