//! Compilation of a description to a [`Program`].

mod alternatives;
mod automaton;
mod bytecode;
mod forbidden;
mod keeper;
mod kept;
mod layers;
mod lines;
mod listing;
mod pairs;
mod routines;
mod set_steps;
mod steps;
mod tentative;
mod walks;

use std::collections::HashMap;
use std::sync::Arc;

use play::{CompileError, Limits};
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::bits::Bits;
use crate::bytecode::Bytecode;
use crate::description::{Arith, Description, Expr, Piece};
use crate::formula::{Compare, Formula, Operand};
use crate::layout::Layout;
use crate::program::{Class, Edge, EdgeKind, Layer, NO_PIECE, Pattern, Program, Walk};
use crate::relation::{Relation, Static};

/// Factor by which the memory of a list exceeds its length if it grew entry by entry.
const GROWN: u64 = 2;
/// Steps of work to write an instruction, up to three times, and to make a program of it.
const WRITING: u64 = 50;

/// The error of a description that exceeds a budget.
#[derive(Debug)]
pub(crate) struct TooLarge(pub(crate) String);

impl From<TooLarge> for CompileError {
    fn from(error: TooLarge) -> CompileError {
        CompileError::TooLarge(error.0)
    }
}

/// Compiles a description for sets of `W` words.
pub(crate) fn compile<const W: usize>(
    game: &Description,
    layout: &Layout,
    limits: &Limits,
) -> Result<Program<W>, TooLarge> {
    let cells = layout.vertex_of.len();
    let mut all = Bits::EMPTY;
    let mut board = vec![NO_PIECE; cells];
    let mut bits = vec![Bits::EMPTY; game.pieces.len()];
    for (vertex, &piece) in game.board.start.iter().enumerate() {
        let cell = layout.cell_of[vertex];
        all.insert(cell);
        board[usize::from(cell)] = piece;
        bits[usize::from(piece)].insert(cell);
    }
    let mut work = 0;
    let mut shifts = Vec::new();
    for next in &game.board.next {
        let mut to = vec![crate::layout::NONE; cells];
        for (vertex, target) in next.iter().enumerate() {
            if let Some(target) = *target {
                to[usize::from(layout.cell_of[vertex])] = layout.cell_of[usize::from(target)];
            }
        }
        let forward: Static<W> = Static::Func(to.into());
        let backward = forward.inverse(&mut work);
        shifts.push((forward, backward));
    }
    let mut compiler = Compiler {
        cells,
        words: layout.words,
        pieces: game.pieces.len(),
        all,
        shifts,
        work,
        bytes: 0,
        limits: *limits,
        relation_ids: HashMap::default(),
        class_ids: HashMap::default(),
        pattern_ids: HashMap::default(),
        relations: Vec::new(),
        classes: Vec::new(),
        patterns: Vec::new(),
        compares: Vec::new(),
        walks: Vec::new(),
        edges: Vec::new(),
        layers: Vec::new(),
        bounds: game.bounds.clone(),
        guarding: false,
        numbers: layout.numbers.clone(),
        known_clauses: Vec::new(),
        forbidden: FxHashSet::default(),
        asked: HashMap::default(),
    };
    let start_layer = compiler.automaton(&game.rules, false)?;
    compiler.find_groups();
    compiler.find_otherwise();
    let bytecode = compiler.find_bytecode();
    let written = bytecode.as_ref().map_or(0, |bytecode| bytecode.code.len() as u64);
    compiler.work += WRITING * written;
    compiler.bytes += GROWN * bytecode.as_ref().map_or(0, Bytecode::bytes);
    compiler.check()?;
    Ok(Program {
        relations: compiler.relations,
        classes: compiler.classes,
        patterns: compiler.patterns,
        compares: compiler.compares,
        walks: compiler.walks,
        edges: compiler.edges,
        layers: compiler.layers,
        words: layout.words,
        bytecode,
        start_layer,
        start_cell: layout.cell_of[0],
        board,
        bits,
        bounds: compiler.bounds,
        all,
    })
}

struct Compiler<const W: usize> {
    cells: usize,
    /// See [`Program::words`].
    words: usize,
    pieces: usize,
    all: Bits<W>,
    /// Each direction, forwards and backwards.
    shifts: Vec<(Static<W>, Static<W>)>,
    /// Steps taken, and bytes of results, which count against the limits.
    work: u64,
    bytes: u64,
    limits: Limits,
    relation_ids: HashMap<Static<W>, u32, FxBuildHasher>,
    class_ids: HashMap<Class, u32, FxBuildHasher>,
    /// Patterns by address, which distinguishes expressions with the same text.
    pattern_ids: HashMap<usize, u32, FxBuildHasher>,
    relations: Vec<Relation<W>>,
    classes: Vec<Class>,
    patterns: Vec<Pattern<W>>,
    compares: Vec<Compare>,
    walks: Vec<Walk<W>>,
    edges: Vec<Edge>,
    layers: Vec<Layer>,
    /// Greatest values of the variables.
    bounds: Vec<i32>,
    /// True if the expression that is being compiled is tested for single cells, so that guards are
    /// useful.
    guarding: bool,
    /// See [`Layout::numbers`].
    numbers: Vec<u16>,
    /// The clauses of walks that have been computed, by cell.
    known_clauses: Vec<(Walk<W>, Option<Arc<lines::Clauses<W>>>)>,
    /// Patterns that moves must not make hold.
    forbidden: FxHashSet<u32>,
    /// The tests of patterns that look at a piece that has just been put, by number.
    asked: HashMap<u32, kept::Asked, FxBuildHasher>,
}

impl<const W: usize> Compiler<W> {
    /// Fails when a budget has run out.
    fn check(&self) -> Result<(), TooLarge> {
        if self.work > self.limits.work {
            return Err(TooLarge(format!(
                "compiling took more than {} steps, with {} walks and {} layers built",
                self.limits.work,
                self.walks.len(),
                self.layers.len()
            )));
        }
        if self.bytes > self.limits.bytes {
            return Err(TooLarge(format!(
                "compiling took more than {} bytes, with {} walks and {} layers built",
                self.limits.bytes,
                self.walks.len(),
                self.layers.len()
            )));
        }
        Ok(())
    }

    fn relation(&mut self, of: Static<W>) -> u32 {
        if let Some(&id) = self.relation_ids.get(&of) {
            return id;
        }
        let id = self.relations.len() as u32;
        let relation = Relation::new(&of);
        self.work += (self.cells * (2 + W / 4)) as u64;
        self.bytes += 2 * relation.bytes();
        self.relations.push(relation);
        self.relation_ids.insert(of, id);
        id
    }

    fn class(&mut self, pieces: &[Piece]) -> u32 {
        let class = Class::new(pieces);
        let next = self.classes.len() as u32;
        let id = *self.class_ids.entry(class.clone()).or_insert(next);
        if id == next {
            self.bytes += 128;
            self.classes.push(class);
        }
        id
    }

    fn compare(&mut self, compare: Compare) -> u32 {
        self.bytes += 128;
        self.compares.push(compare);
        self.compares.len() as u32 - 1
    }

    fn pattern(&mut self, inner: &Expr) -> Result<u32, TooLarge> {
        let address = std::ptr::from_ref(inner) as usize;
        if let Some(&id) = self.pattern_ids.get(&address) {
            return Ok(id);
        }
        let mut asked = None;
        let pattern = if inner.is_plain() {
            let mut forward = self.walk(inner, false)?;
            let lines = self.lines(&forward);
            asked = match &lines {
                Some(_) => self.row_asked(&forward),
                None => self.goal_asked(&forward),
            };
            let outer = std::mem::replace(&mut self.guarding, true);
            if lines.is_none() {
                forward = self.walk(inner, false)?;
            }
            self.guarding = false;
            let backward = self.walk(inner, true)?;
            self.guarding = outer;
            Pattern::Walk { forward, backward, lines }
        } else {
            let outer = std::mem::replace(&mut self.guarding, false);
            let layer = self.automaton(inner, true)?;
            self.guarding = outer;
            Pattern::Search(layer)
        };
        // Equal conditions at two places are one pattern, so that the result of one test is known
        // for both.
        self.work += self.patterns.len() as u64;
        let same = self.patterns.iter().position(|p| *p == pattern);
        let id = same.unwrap_or(self.patterns.len()) as u32;
        if same.is_none() {
            self.bytes += 64;
            self.patterns.push(pattern);
            self.bytes += asked.as_ref().map_or(0, kept::Asked::bytes);
            self.asked.extend(asked.map(|asked| (id, asked)));
        }
        self.pattern_ids.insert(address, id);
        Ok(id)
    }

    fn edge(&mut self, kind: EdgeKind) -> u32 {
        self.bytes += GROWN * size_of::<Edge>() as u64;
        self.edges.push(Edge { kind, next: u32::MAX, pairs: None, tail: None, split: None });
        self.edges.len() as u32 - 1
    }
}

/// Arithmetic without its tree.
fn formula(arith: &Arith) -> Formula {
    use crate::description::Operator;
    match arith {
        Arith::Number(n) => Formula::Number(*n),
        Arith::Var(var) => Formula::Var(*var),
        Arith::Count(piece) => Formula::Count(*piece),
        Arith::Binary(Operator::Add, a, b) => match (&**a, &**b) {
            (Arith::Var(var), Arith::Number(n)) | (Arith::Number(n), Arith::Var(var)) => {
                Formula::Plus(*var, *n)
            }
            (Arith::Number(a), Arith::Number(b)) => Formula::Number(a.saturating_add(*b)),
            _ => long(arith),
        },
        Arith::Binary(Operator::Subtract, a, b) => match (&**a, &**b) {
            (Arith::Var(var), Arith::Number(n)) => Formula::Plus(*var, -*n),
            _ => long(arith),
        },
        Arith::Binary(..) => long(arith),
    }
}

fn long(arith: &Arith) -> Formula {
    fn push(arith: &Arith, terms: &mut Vec<Operand>) {
        match arith {
            Arith::Number(n) => terms.push(Operand::Number(*n)),
            Arith::Var(var) => terms.push(Operand::Var(*var)),
            Arith::Count(piece) => terms.push(Operand::Count(*piece)),
            _ if let Some((first, last)) = all_counts(arith) => {
                terms.push(Operand::CountAll(first, last));
            }
            Arith::Binary(operator, a, b) => {
                push(a, terms);
                push(b, terms);
                terms.push(Operand::Apply(*operator));
            }
        }
    }
    let mut terms = Vec::new();
    push(arith, &mut terms);
    Formula::Long(terms.into())
}

/// The first and the last piece of a sum of counts of different pieces with consecutive numbers.
fn all_counts(arith: &Arith) -> Option<(Piece, Piece)> {
    fn gather(arith: &Arith, pieces: &mut Vec<Piece>) -> bool {
        match arith {
            Arith::Count(piece) => {
                pieces.push(*piece);
                true
            }
            Arith::Binary(crate::description::Operator::Add, a, b) => {
                gather(a, pieces) && gather(b, pieces)
            }
            _ => false,
        }
    }
    let mut pieces = Vec::new();
    if !gather(arith, &mut pieces) {
        return None;
    }
    pieces.sort_unstable();
    let rows = pieces.windows(2).all(|pair| pair[0] + 1 == pair[1]);
    Some((*pieces.first()?, *pieces.last()?)).filter(|_| rows)
}
