//! Patterns as lists of masks: "these cells all hold such pieces, or those do, or ...".
//!
//! For example, a line of four through a cell is found by a few comparisons of words, while walking
//! to its ends and back takes dozens of steps. Every path through the walk, with its tests, is one
//! clause. If there are too many clauses, the pattern is walked.

use std::collections::HashMap;
use std::sync::Arc;

use rustc_hash::FxBuildHasher;

use super::Compiler;
use crate::bits::Bits;
use crate::description::Piece;
use crate::program::{LineTest, Lines, Masks, Pattern, Step};

/// Most clauses of one cell; with more, walking is as fast.
const MOST_CLAUSES: usize = 40;
/// Most masks of one cell that are all compared. With more, tests come before some of them.
const MOST_MASKS: u32 = 16;
/// Most masks of a cell with which a set is tested cell by cell.
const FEW_MASKS: u32 = 4;
/// Most paths from one cell that are followed.
const MOST_WAYS: usize = 600;

/// Sets of cells that must hold a piece of a class.
pub(super) type Clause<const W: usize> = Vec<(u32, Bits<W>)>;
/// The clauses of each cell.
pub(super) type Clauses<const W: usize> = Vec<Vec<Clause<W>>>;
/// A clause and the cell that its path has reached.
type PartialClause<const W: usize> = (u16, Clause<W>);

impl<const W: usize> Compiler<W> {
    /// The clauses of a walk from every cell, if they are few.
    pub(super) fn lines(&mut self, steps: &[Step<W>]) -> Option<Lines<W>> {
        if steps.len() < 3 && !steps.iter().any(|s| matches!(s, Step::Sum(_))) {
            return None; // quick enough as it is
        }
        let all = self.clauses(steps)?;
        let mut classes: Vec<u32> = Vec::new();
        let (mut ranges, mut tests) = (Vec::new(), Vec::new());
        let (mut kept, mut kept_ranges) = (Vec::new(), Vec::new());
        // Only code, and the search on boards of one word, use masks.
        let is_native = W <= kernel::MAX_NATIVE_WORDS;
        for clauses in all.iter() {
            let start = tests.len() as u32;
            let first = kept.len() as u32;
            if is_native {
                kept.extend(clauses.iter().cloned());
            }
            push_clauses(clauses.clone(), &mut classes, &mut tests);
            ranges.push((start, tests.len() as u32));
            kept_ranges.push((first, kept.len() as u32));
        }
        if classes.len() > 4 {
            return None;
        }
        self.bytes += (tests.len() * size_of::<LineTest>() + ranges.len() * 8) as u64;
        let most = kept_ranges.iter().map(|(start, end)| end - start).max().unwrap_or(0);
        let masks =
            (is_native && most <= MOST_MASKS && (1..=2).contains(&classes.len())).then(|| {
                let of = |slot: usize| -> Box<[Bits<W>]> {
                    let class = classes.get(slot);
                    let part = |clause: &Clause<W>| {
                        let own = clause.iter().find(|(c, _)| Some(c) == class);
                        own.map_or(Bits::EMPTY, |(_, cells)| *cells)
                    };
                    kept.iter().take_while(|_| class.is_some()).map(part).collect()
                };
                let few = most <= FEW_MASKS;
                Masks { ranges: kept_ranges.into(), firsts: of(0), seconds: of(1), few }
            });
        Some(Lines { classes: classes.into(), ranges: ranges.into(), tests: tests.into(), masks })
    }

    /// The clauses of a walk from every cell, if they are few. They are computed once.
    pub(super) fn clauses(&mut self, steps: &[Step<W>]) -> Option<Arc<Clauses<W>>> {
        self.work += self.known_clauses.len() as u64;
        if let Some((_, known)) = self.known_clauses.iter().find(|known| *known.0 == *steps) {
            return known.clone();
        }
        let mut complements = HashMap::default();
        let (cells, vertices) = (0..self.cells as u16, self.all);
        let of = |cell: u16| {
            if !vertices.contains(cell) {
                return Some(Vec::new());
            }
            self.clauses_of(steps, cell, &mut complements)
        };
        let all: Option<Clauses<W>> = cells.map(of).collect();
        let sets = all.iter().flatten().flatten().map(Vec::len).sum::<usize>();
        self.bytes += (sets * size_of::<(u32, Bits<W>)>() + size_of_val(steps)) as u64;
        let all = all.map(Arc::new);
        self.known_clauses.push((steps.into(), all.clone()));
        all
    }

    fn clauses_of(
        &mut self,
        steps: &[Step<W>],
        cell: u16,
        complements: &mut HashMap<u32, u32, FxBuildHasher>,
    ) -> Option<Vec<Clause<W>>> {
        let ways = self.follow(steps, vec![(cell, Vec::new())], complements)?;
        let mut clauses: Vec<Clause<W>> = ways.into_iter().map(|way| way.1).collect();
        clauses.retain(|clause| self.is_possible(clause));
        // Clauses with fewer cells come first: clauses that they imply are dropped.
        clauses.sort_by_key(|clause| clause.iter().map(|(_, set)| set.len()).sum::<u32>());
        let mut kept: Vec<Clause<W>> = Vec::new();
        for clause in clauses {
            if !kept.iter().any(|k| implies(&clause, k)) {
                kept.push(clause);
            }
        }
        (kept.len() <= MOST_CLAUSES && kept.iter().all(|clause| !clause.is_empty())).then_some(kept)
    }

    /// True if no cell would have to hold several pieces.
    fn is_possible(&self, clause: &Clause<W>) -> bool {
        let mut pairs = clause
            .iter()
            .enumerate()
            .flat_map(|(i, a)| clause[i + 1..].iter().map(move |b| (a, b)));
        pairs.all(|((a, here), (b, there))| {
            let [a, b] = [a, b].map(|class| &self.classes[*class as usize]);
            here.and(*there).is_empty() || a.pieces.iter().any(|&piece| b.has(piece))
        })
    }

    fn follow(
        &mut self,
        steps: &[Step<W>],
        from: Vec<PartialClause<W>>,
        complements: &mut HashMap<u32, u32, FxBuildHasher>,
    ) -> Option<Vec<PartialClause<W>>> {
        let mut ways = from;
        for step in steps {
            let mut next: Vec<PartialClause<W>> = Vec::new();
            self.work += ways.len() as u64;
            match step {
                Step::Star(body) => next = self.again(body, ways, complements)?,
                Step::Slide { relation, class, test_first } => {
                    let body = if *test_first {
                        vec![Step::On(*class), Step::Func(*relation)]
                    } else {
                        vec![Step::Move { relation: *relation, class: *class }]
                    };
                    next = self.again(&body, ways, complements)?;
                }
                Step::Sum(walks) => {
                    for walk in walks {
                        add(self.follow(walk, ways.clone(), complements)?, &mut next)?;
                    }
                }
                Step::Test { negated, pattern } => {
                    for (cell, clause) in ways {
                        for more in self.nested(*negated, *pattern, cell, complements)? {
                            add(vec![(cell, both(&clause, &more))], &mut next)?;
                        }
                    }
                }
                Step::Rays(rays) => {
                    for ray in rays.iter() {
                        let go = Step::Move { relation: ray.relation, class: ray.class };
                        let slide = Step::Slide {
                            relation: ray.relation,
                            class: ray.class,
                            test_first: false,
                        };
                        let steps =
                            if ray.hit { [slide, Step::Func(ray.relation)] } else { [go, slide] };
                        add(self.follow(&steps, ways.clone(), complements)?, &mut next)?;
                    }
                }
                Step::Guard { .. } => next = ways,
                Step::Compare(_) | Step::Flood { .. } => return None,
                _ => {
                    for (cell, clause) in ways {
                        add(self.simple(step, cell, &clause)?, &mut next)?;
                    }
                }
            }
            ways = next;
        }
        Some(ways)
    }

    /// A step that is a relation, a test, or both.
    fn simple(
        &self,
        step: &Step<W>,
        cell: u16,
        clause: &Clause<W>,
    ) -> Option<Vec<PartialClause<W>>> {
        let relation = |id: u32| self.relations[id as usize].row(cell);
        let terms: Vec<(Bits<W>, Option<u32>)> = match step {
            Step::Func(id) | Step::Rel(id) => vec![(relation(*id), None)],
            Step::Move { relation: id, class } => vec![(relation(*id), Some(*class))],
            Step::Terms(terms) => {
                terms.iter().map(|term| (relation(term.relation), term.class)).collect()
            }
            Step::Const(set) => vec![(*set, None)],
            Step::Within(set) => vec![(set.and(Bits::single(cell)), None)],
            Step::On(class) => vec![(Bits::single(cell), Some(*class))],
            _ => return None,
        };
        let mut out = Vec::new();
        for (row, class) in terms {
            if row.len() as usize > MOST_WAYS {
                return None;
            }
            for to in row {
                let more = class.map(|class| (class, Bits::single(to)));
                out.push((to, both(clause, more.as_slice())));
            }
        }
        Some(out)
    }

    fn again(
        &mut self,
        body: &[Step<W>],
        from: Vec<PartialClause<W>>,
        complements: &mut HashMap<u32, u32, FxBuildHasher>,
    ) -> Option<Vec<PartialClause<W>>> {
        let mut all: Vec<PartialClause<W>> = Vec::new();
        let mut frontier = from;
        while !frontier.is_empty() {
            let mut fresh = Vec::new();
            for way in frontier {
                self.work += all.len() as u64;
                if !all.iter().any(|(cell, clause)| *cell == way.0 && implies(&way.1, clause)) {
                    fresh.push(way.clone());
                    add(vec![way], &mut all)?;
                }
            }
            frontier = self.follow(body, fresh, complements)?;
        }
        Some(all)
    }

    /// The clauses of a nested pattern, or of its negation if that is simple.
    fn nested(
        &mut self,
        negated: bool,
        pattern: u32,
        cell: u16,
        complements: &mut HashMap<u32, u32, FxBuildHasher>,
    ) -> Option<Vec<Clause<W>>> {
        let Pattern::Walk { forward, .. } = &self.patterns[pattern as usize] else { return None };
        let forward = forward.clone();
        let ways = self.follow(&forward, vec![(cell, Vec::new())], complements)?;
        let clauses: Vec<Clause<W>> = ways.into_iter().map(|way| way.1).collect();
        if !negated {
            return Some(clauses);
        }
        match clauses.as_slice() {
            [] => Some(vec![Vec::new()]),
            [clause] => match clause.as_slice() {
                [(class, cells)] if cells.len() == 1 => {
                    Some(vec![vec![(self.complement(*class, complements), *cells)]])
                }
                _ => None,
            },
            _ => None,
        }
    }

    fn complement(
        &mut self,
        class: u32,
        complements: &mut HashMap<u32, u32, FxBuildHasher>,
    ) -> u32 {
        if let Some(&id) = complements.get(&class) {
            return id;
        }
        let of = self.classes[class as usize].clone();
        let others: Vec<Piece> = (0..self.pieces as Piece).filter(|&p| !of.has(p)).collect();
        let id = self.class(&others);
        complements.insert(class, id);
        id
    }
}

fn add<const W: usize>(more: Vec<PartialClause<W>>, to: &mut Vec<PartialClause<W>>) -> Option<()> {
    to.extend(more);
    (to.len() <= MOST_WAYS).then_some(())
}

/// The conjunction of both clauses.
fn both<const W: usize>(a: &[(u32, Bits<W>)], b: &[(u32, Bits<W>)]) -> Clause<W> {
    let mut out = a.to_vec();
    for &(class, cells) in b {
        match out.iter_mut().find(|(c, _)| *c == class) {
            Some((_, set)) => *set = set.or(cells),
            None => out.push((class, cells)),
        }
    }
    out.sort_unstable_by_key(|&(class, _)| class);
    out
}

/// True if `b` holds whenever `a` does.
fn implies<const W: usize>(a: &Clause<W>, b: &Clause<W>) -> bool {
    b.iter().all(|(class, cells)| {
        a.iter().any(|(other, more)| other == class && cells.without(*more).is_empty())
    })
}

/// Adds clauses as tests. Those with a common cell stand together behind a test of that cell alone.
fn push_clauses<const W: usize>(
    mut clauses: Vec<Clause<W>>,
    classes: &mut Vec<u32>,
    tests: &mut Vec<LineTest>,
) {
    while !clauses.is_empty() {
        let mut counts: Vec<(u32, u16, usize)> = Vec::new();
        for &(class, cells) in clauses.iter().flatten() {
            for cell in cells {
                match counts.iter_mut().find(|c| (c.0, c.1) == (class, cell)) {
                    Some(count) => count.2 += 1,
                    None => counts.push((class, cell, 1)),
                }
            }
        }
        let Some(&(class, cell, count)) = counts.iter().max_by_key(|c| c.2) else { return };
        if count < 3 {
            for clause in &clauses {
                push_clause(clause, classes, tests);
            }
            return;
        }
        let shares = |c: &Clause<W>| c.iter().any(|(k, set)| *k == class && set.contains(cell));
        let (group, rest): (Vec<Clause<W>>, Vec<Clause<W>>) = clauses.into_iter().partition(shares);
        clauses = rest;
        let guard = tests.len();
        push_clause(&vec![(class, Bits::<W>::single(cell))], classes, tests);
        for clause in &group {
            push_clause(clause, classes, tests);
        }
        tests[guard].last = false;
        tests[guard].skip = (tests.len() - guard) as u16;
    }
}

/// Adds a clause as tests of words.
fn push_clause<const W: usize>(
    clause: &Clause<W>,
    classes: &mut Vec<u32>,
    tests: &mut Vec<LineTest>,
) {
    let start = tests.len();
    for (class, cells) in clause {
        let slot = classes.iter().position(|c| c == class).unwrap_or_else(|| {
            classes.push(*class);
            classes.len() - 1
        });
        for (word, &mask) in cells.words.iter().enumerate() {
            if mask != 0 {
                let (class, word) = (slot as u8, word as u8);
                tests.push(LineTest { class, word, skip: 0, last: false, mask });
            }
        }
    }
    let end = tests.len();
    for (i, test) in tests[start..].iter_mut().enumerate() {
        test.skip = (end - start - i) as u16;
        test.last = test.skip == 1;
    }
}
