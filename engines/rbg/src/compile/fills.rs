//! Recognises games in which every ply puts a piece on a free cell: a player chooses any of them,
//! the keeper puts the piece, asks for lines or connections, and hands on the turn or ends the
//! play.

use std::cell::Cell;
use std::collections::HashMap;

use super::Compiler;
use crate::bits::Bits;
use crate::description::{Piece, Var};
use crate::fill::{
    Columns, Fill, Links, MOST_TESTS, MOST_WORDS, OVER, Outcome, Rails, Run, Runs, Turn,
};
use crate::formula::Formula;
use crate::program::{EdgeKind, Pattern, Step};

/// Turns of a game.
const MOST_TURNS: usize = 64;
/// Moves of the keeper in a row, and edges of one of them.
const DEEPEST: usize = 40;
/// Edges that are tried to find out what follows one turn.
const MOST_TRIED: u32 = 10_000;

/// A layer and who moves there.
type Place = (u32, u8);

/// A turn, with its patterns.
struct Found {
    layer: u32,
    mover: u8,
    empty: Piece,
    piece: Piece,
    cells: Vec<u64>,
    /// Where pieces fall: the cells of each column from the bottom.
    columns: Option<Vec<Vec<u16>>>,
    patterns: Vec<Asked>,
    /// By what the patterns say: assignments, and what follows them.
    ends: Vec<End>,
}

/// Assignments, and what follows them.
type End = (Vec<(Var, i32)>, Option<Place>);

/// A pattern, and whether it is asked before the piece is put.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Asked {
    pattern: u32,
    early: bool,
}

/// What the keeper has done so far.
#[derive(Default)]
struct Done {
    assignments: Vec<(Var, i32)>,
    put: Option<Piece>,
}

/// Why the keeper cannot be followed.
enum Stop {
    /// It is not known what a pattern says.
    Unknown(Asked),
    /// It does something else.
    Other,
}

/// What the patterns say that have been asked about: bits.
struct Said<'a> {
    patterns: &'a [Asked],
    bits: usize,
    empty: Piece,
    /// Steps before the first test, which lead to the cell that is filled.
    fall: usize,
    /// Edges that may still be tried.
    left: &'a Cell<u32>,
}

impl<const W: usize> Compiler<W> {
    /// The game in this form, if it has it.
    pub(super) fn fill(&mut self) -> Option<Fill> {
        if W > MOST_WORDS {
            return None;
        }
        let mut found: Vec<Found> = Vec::new();
        for edge in 0..self.edges.len() {
            let EdgeKind::Switch(mover @ 1..) = self.edges[edge].kind else { continue };
            let layer = self.edges[edge].next;
            if found.iter().any(|turn| turn.layer == layer) {
                continue;
            }
            if found.len() == MOST_TURNS || self.check().is_err() {
                return None;
            }
            found.extend(self.turn(layer, mover));
        }
        // A turn is one only if all that may follow it are.
        loop {
            let known: Vec<Place> = found.iter().map(|turn| (turn.layer, turn.mover)).collect();
            found.retain(|turn| {
                turn.ends.iter().filter_map(|end| end.1).all(|p| known.contains(&p))
            });
            if found.len() == known.len() {
                break;
            }
        }
        self.assemble(&found)
    }

    fn turn(&mut self, layer: u32, mover: u8) -> Option<Found> {
        let (walk, edge) = self.layers[layer as usize].lone?;
        let [Step::Const(cells), Step::On(class)] = *self.walks[walk as usize] else { return None };
        let empty = self.lone_piece(class)?;
        if !matches!(self.edges[edge as usize].kind, EdgeKind::Switch(0)) {
            return None;
        }
        let keeper = self.edges[edge as usize].next;
        let fall = self.shared_steps(keeper);
        let columns = if fall.is_empty() { None } else { Some(self.columns(&fall, cells, empty)?) };
        let mut patterns: Vec<Asked> = Vec::new();
        let left = Cell::new(MOST_TRIED);
        let all = 'again: loop {
            let mut all = Vec::new();
            for bits in 0..1 << patterns.len() {
                let said = Said { patterns: &patterns, bits, empty, fall: fall.len(), left: &left };
                match self.keep(keeper, &said) {
                    Ok(end) => all.push(end),
                    Err(Stop::Unknown(asked)) if patterns.len() < MOST_TESTS => {
                        patterns.push(asked);
                        continue 'again;
                    }
                    Err(_) => return None,
                }
            }
            break all;
        };
        self.work += u64::from(MOST_TRIED - left.get());
        let piece = all.iter().find_map(|(done, _)| done.put)?;
        // Something is put in any case, unless the play is over.
        let puts = |(done, next): &(Done, Option<Place>)| match done.put {
            Some(put) => put == piece,
            None => next.is_none(),
        };
        let cells = cells.0.to_vec();
        let fits = piece != empty && all.iter().all(puts);
        let ends = all.into_iter().map(|(done, next)| (done.assignments, next)).collect();
        fits.then_some(Found { layer, mover, empty, piece, cells, columns, patterns, ends })
    }

    /// The only piece of a class.
    fn lone_piece(&self, class: u32) -> Option<Piece> {
        match *self.classes[class as usize].pieces {
            [piece] => Some(piece),
            _ => None,
        }
    }

    /// The steps that all alternatives of a layer begin with.
    fn shared_steps(&self, layer: u32) -> Vec<Step<W>> {
        let mut all = self.alternatives(layer).unwrap_or_default().into_iter();
        let steps = |walks: &[u32]| -> Vec<Step<W>> {
            walks.iter().flat_map(|&walk| self.walks[walk as usize].iter().cloned()).collect()
        };
        let mut shared = all.next().map(|first| steps(&first.walks)).unwrap_or_default();
        for other in all {
            let same = shared.iter().zip(&steps(&other.walks)).take_while(|(a, b)| a == b).count();
            shared.truncate(same);
        }
        shared
    }

    /// Where steps from each of some cells lead to the lowest free cell below it: those cells from
    /// the bottom.
    fn columns(&mut self, fall: &[Step<W>], tops: Bits<W>, empty: Piece) -> Option<Vec<Vec<u16>>> {
        let mut columns = Vec::new();
        let mut complements = HashMap::default();
        for top in tops.iter() {
            // Each cell with the one below it, which must hold a piece.
            let mut steps: Vec<(u16, Option<u16>)> = Vec::new();
            for (cell, clause) in self.follow(fall, vec![(top, Vec::new())], &mut complements)? {
                let mut below = None;
                for (class, cells) in &clause {
                    let pieces = &self.classes[*class as usize].pieces;
                    if **pieces == [empty] && *cells == Bits::single(cell) {
                        continue;
                    }
                    let others = pieces.len() + 1 == self.pieces && !pieces.contains(&empty);
                    if !others || cells.count() != 1 {
                        return None;
                    }
                    below = Some(cells.first());
                }
                let is_free = clause
                    .iter()
                    .any(|(class, _)| *self.classes[*class as usize].pieces == [empty]);
                if !is_free || steps.iter().any(|step| step.0 == cell || step.1 == below) {
                    return None;
                }
                steps.push((cell, below));
            }
            let mut column: Vec<u16> = Vec::new();
            while let Some(next) = steps.iter().find(|step| step.1 == column.last().copied()) {
                column.push(next.0);
            }
            if column.len() != steps.len() || column.last() != Some(&top) {
                return None;
            }
            columns.push(column);
        }
        Some(columns)
    }

    /// What the keeper does from a layer on, and what follows: nothing where it gets stuck.
    fn keep(&self, mut layer: u32, said: &Said<'_>) -> Result<(Done, Option<Place>), Stop> {
        let mut done = Done::default();
        for moves in 0..DEEPEST {
            let fall = if moves == 0 { said.fall } else { 0 };
            match self.search(layer, fall, said, &mut done, 0)? {
                None => return Ok((done, None)),
                Some((next, 0)) => layer = next,
                place => return Ok((done, place)),
            }
        }
        Err(Stop::Other)
    }

    /// The first way to a switch, and what is behind it; what is done in vain is taken back.
    fn search(
        &self,
        layer: u32,
        fall: usize,
        said: &Said<'_>,
        done: &mut Done,
        depth: usize,
    ) -> Result<Option<Place>, Stop> {
        if self.layers[layer as usize].ops.is_empty() {
            return Ok(None);
        }
        if depth == DEEPEST {
            return Err(Stop::Other);
        }
        for alternative in self.alternatives(layer).ok_or(Stop::Other)? {
            let walks = alternative.walks.iter().map(|&walk| &self.walks[walk as usize]);
            if !self.all_stay(walks.flat_map(|steps| steps.iter()).skip(fall), said, done)? {
                continue;
            }
            said.left.set(said.left.get().checked_sub(1).ok_or(Stop::Other)?);
            let edge = &self.edges[alternative.edge as usize];
            let (assigned, put) = (done.assignments.len(), done.put);
            match &edge.kind {
                EdgeKind::Switch(mover) => return Ok(Some((edge.next, *mover))),
                EdgeKind::Off(piece) if put.is_none() => done.put = Some(*piece),
                EdgeKind::Assign(var, Formula::Number(value)) => {
                    if !(0..=self.bounds[usize::from(*var)]).contains(value) {
                        continue;
                    }
                    done.assignments.push((*var, *value));
                }
                _ => return Err(Stop::Other),
            }
            let place = self.search(edge.next, 0, said, done, depth + 1)?;
            if place.is_some() {
                return Ok(place);
            }
            done.assignments.truncate(assigned);
            done.put = put;
        }
        Ok(None)
    }

    /// Whether a step, which must be a test or several to choose from, stays at the cell.
    fn stays(&self, step: &Step<W>, said: &Said<'_>, done: &Done) -> Result<bool, Stop> {
        match step {
            Step::Sum(walks) => {
                for walk in walks {
                    if self.all_stay(walk, said, done)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            &Step::Test { negated, pattern } => {
                let asked = Asked { pattern, early: done.put.is_none() };
                let at = said.patterns.iter().position(|&known| known == asked);
                let holds = said.bits >> at.ok_or(Stop::Unknown(asked))? & 1 != 0;
                Ok(holds != negated)
            }
            &Step::On(class) => {
                Ok(self.classes[class as usize].has(done.put.unwrap_or(said.empty)))
            }
            Step::Within(set) if set.is_empty() => Ok(false),
            _ => Err(Stop::Other),
        }
    }

    fn all_stay<'s>(
        &self,
        steps: impl IntoIterator<Item = &'s Step<W>>,
        said: &Said<'_>,
        done: &Done,
    ) -> Result<bool, Stop> {
        for step in steps {
            if !self.stays(step, said, done)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn assemble(&mut self, found: &[Found]) -> Option<Fill> {
        let first = found.first()?;
        let alike = |turn: &Found| turn.empty == first.empty && turn.columns == first.columns;
        if !found.iter().all(alike) {
            return None;
        }
        let mut pieces: Vec<Piece> = Vec::new();
        let mut asked: Vec<Vec<Asked>> = Vec::new();
        for turn in found {
            let slot = pieces.iter().position(|&piece| piece == turn.piece).unwrap_or_else(|| {
                pieces.push(turn.piece);
                asked.push(Vec::new());
                pieces.len() - 1
            });
            for pattern in &turn.patterns {
                if !asked[slot].contains(pattern) {
                    asked[slot].push(*pattern);
                }
            }
        }
        if asked.iter().any(|all| all.len() > MOST_TESTS) {
            return None;
        }
        let columns = match &first.columns {
            Some(columns) => Some(Columns::new(columns, self.cells)?),
            None => None,
        };
        let (mut runs, mut links) = (Vec::new(), None);
        let mut goals = vec![0; pieces.len() * self.cells];
        for (slot, (&piece, all)) in pieces.iter().zip(&asked).enumerate() {
            for (i, asked) in all.iter().enumerate() {
                let bit = 1 << i;
                if let Some((long, through)) = self.runs(*asked, piece) {
                    runs.push(Runs { slot, bit, long, through });
                    continue;
                }
                let (rows, goal) = self.link(*asked, piece)?;
                if *links.get_or_insert_with(|| rows.clone()) != rows {
                    return None;
                }
                for cell in goal.iter() {
                    goals[slot * self.cells + usize::from(cell)] |= bit;
                }
            }
        }
        let never = |cell: u16, other: u16| {
            columns.as_ref().is_some_and(|columns| columns.above(cell).contains(&other))
        };
        let rails = Rails::new(&runs, pieces.len(), &self.numbers, self.all.iter(), never)?;
        let links = links.map(|rows| Links::new(&rows, goals));
        let mut turn_of = vec![None; self.layers.len()];
        for (i, turn) in found.iter().enumerate() {
            turn_of[turn.layer as usize] = Some(i as u16);
        }
        let (mut turns, mut outcomes, mut assignments) = (Vec::new(), Vec::new(), Vec::new());
        for turn in found {
            let slot = pieces.iter().position(|&piece| piece == turn.piece)?;
            turns.push(Turn {
                mover: turn.mover,
                piece: slot as u8,
                first_word: rails.first_word(slot),
                outcomes: outcomes.len() as u32,
                cells: turn.cells.clone(),
            });
            for says in 0..1usize << asked[slot].len() {
                let holds = |pattern| {
                    let at = asked[slot].iter().position(|asked| asked == pattern);
                    at.is_some_and(|at| says >> at & 1 != 0)
                };
                let own = turn.patterns.iter().enumerate();
                let end: usize = own.map(|(i, pattern)| usize::from(holds(pattern)) << i).sum();
                let (assigned, next) = &turn.ends[end];
                let from = assignments.len() as u32;
                assignments.extend(assigned);
                let next = next.and_then(|(layer, _)| turn_of[layer as usize]).unwrap_or(OVER);
                outcomes.push(Outcome { next, from, to: assignments.len() as u32 });
            }
        }
        let empty = first.empty;
        Some(Fill { empty, turns, turn_of, pieces, outcomes, assignments, columns, rails, links })
    }

    /// Of a pattern that asks whether a piece that has been put stands in a row of its kind: how
    /// long, and the rows through each cell.
    fn runs(&mut self, asked: Asked, piece: Piece) -> Option<(usize, Vec<Vec<Run>>)> {
        let Pattern::Walk { forward, .. } = &self.patterns[asked.pattern as usize] else {
            return None;
        };
        let forward = forward.clone();
        let (mut through, mut long) = (Vec::new(), None);
        for (cell, clauses) in (0..).zip(self.clauses(&forward)?.iter()) {
            let mut rows: Vec<Bits<W>> = Vec::new();
            for clause in clauses {
                let [(class, mut cells)] = **clause else { return None };
                if self.lone_piece(class)? != piece {
                    return None;
                }
                if asked.early && cells.contains(cell) {
                    continue; // the piece is not there yet
                }
                cells.insert(cell);
                rows.push(cells);
            }
            // With the cell itself in it, one may be more than another asks for.
            rows.sort_unstable_by_key(Bits::count);
            let mut kept: Vec<Bits<W>> = Vec::new();
            for row in rows {
                if !kept.iter().any(|less| less.and_not(row).is_empty()) {
                    kept.push(row);
                }
            }
            let mut runs = Vec::new();
            for row in kept {
                let numbers = row.iter().map(|cell| self.numbers[usize::from(cell)]);
                let mut numbers: Vec<u16> = numbers.collect();
                numbers.sort_unstable();
                if *long.get_or_insert(numbers.len()) != numbers.len() {
                    return None;
                }
                runs.push(Run::of(&numbers)?);
            }
            through.push(runs);
        }
        Some((long?, through))
    }

    /// Of a pattern that asks whether a piece that has been put is joined to a goal by others of
    /// its kind: which cells are neighbours, and the goal.
    fn link(&self, asked: Asked, piece: Piece) -> Option<(Vec<Vec<u16>>, Bits<W>)> {
        let Pattern::Walk { forward, .. } = &self.patterns[asked.pattern as usize] else {
            return None;
        };
        let [Step::Flood { rows, class }, Step::Within(goal)] = &**forward else { return None };
        if asked.early || self.lone_piece(*class)? != piece {
            return None;
        }
        let both_ways = |(cell, row): (usize, &Bits<W>)| {
            row.iter().all(|near| rows[usize::from(near)].contains(cell as u16))
        };
        let rows_of = || rows.iter().map(|row| row.iter().collect()).collect();
        rows.iter().enumerate().all(both_ways).then(|| (rows_of(), *goal))
    }
}
