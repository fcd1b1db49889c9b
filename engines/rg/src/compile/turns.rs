//! Turns: what is known where a move begins, and the functions that a play is made of.

use std::collections::{BTreeMap, BTreeSet};

use kernel::build::{CodeBuilder, ProgramBuilder};
use kernel::ir::{Expr as Code, FunctionId, Program, Type};

use super::arrays::Slot as Entry;
use super::distinct;
use super::memory::MemoryMap;
use super::regions::Regions;
use super::terms::{Env, Term};
use super::walk::{Compiler, Goal, Stop, declare, frame};
use super::writer::Writer;
use crate::automaton::{Mover, NodeId, PLAYER, Slot};
use crate::search::Rules;

/// The most values of a variable by which turns are told apart.
const MAX_CONTROL: usize = 6;

/// The most turns that there is code for.
const MAX_TURNS: usize = 400;

/// The most edges that are gone through while code is written.
const BUDGET: usize = 300_000;

/// The key of a turn: its node, and the variables whose values are known there.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct TurnKey {
    pub(crate) node: NodeId,
    pub(crate) known: BTreeMap<Slot, i32>,
}

/// A turn.
#[derive(Clone, Debug)]
pub(crate) struct Turn {
    pub(crate) key: TurnKey,
    /// The party that moves, if it is known.
    pub(crate) mover: Option<Mover>,
    /// The function that goes through the moves; or why there is none.
    pub(crate) walk: Result<FunctionId, Stop>,
    /// True if there is at most one move.
    pub(crate) is_deterministic: bool,
    /// The turns that the keeper's move leads to.
    pub(crate) next: BTreeSet<usize>,
}

/// The kind of a turn, by what is done in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// The keeper makes its only move.
    Step,
    /// A move is drawn, which is no ply.
    Chance,
    /// A player chooses.
    Choice,
    /// There is no code for it, or not enough.
    Searched,
}

impl Turn {
    /// The kind of the turn.
    pub(crate) fn kind(&self) -> Kind {
        match (self.mover, &self.walk) {
            (None, _) | (_, Err(_)) => Kind::Searched,
            (Some(Mover::Keeper), _) if self.is_deterministic => Kind::Step,
            (Some(Mover::Keeper), _) => Kind::Searched,
            (Some(Mover::Random), _) => Kind::Chance,
            (Some(Mover::Player(_)), _) => Kind::Choice,
        }
    }
}

/// The end of a run of [`Compiled::play`] or [`Compiled::advance`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Event {
    /// No move, and the node is the end.
    Over,
    Capped,
    /// No move elsewhere.
    Stuck,
    /// The turn has no code, or its list has no room for all moves.
    Left,
    /// The moves of a turn are listed.
    Listed,
}

impl Event {
    /// The event of a number that code gives.
    pub(crate) fn of(number: i32) -> Event {
        let all = [Event::Over, Event::Capped, Event::Stuck, Event::Listed];
        all.into_iter().find(|&event| event as i32 == number).unwrap_or(Event::Left)
    }
}

/// The code of a game.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) program: Program,
    pub(crate) turns: Vec<Turn>,
    /// Lists the moves of the turn that the play is at; the keeper's only move is made, and the
    /// result is then 1.
    pub(crate) list: FunctionId,
    /// Makes the listed move of a number.
    pub(crate) make: FunctionId,
    /// Makes moves of numbers in a row, and those of the keeper behind each, and lists the moves of
    /// the turn that follows.
    pub(crate) advance: FunctionId,
    /// Plays on to an [`Event`].
    pub(crate) play: FunctionId,
    /// True if there are turns in which the tags of moves are compared.
    pub(crate) compares: bool,
}

/// Writes the code of a game by so many steps at most, of the order of a microsecond each; the
/// reason if no turn of a player has any.
pub(crate) fn compile(
    rules: &Rules,
    map: &MemoryMap,
    steps: u64,
) -> Result<Compiled, &'static str> {
    let automaton = &rules.automaton;
    let regions = Regions::of(automaton);
    let control = |slot: usize| {
        let place = &map.places[slot];
        let values = place.possible.iter().filter(|&&is| is).count();
        let is_scalar = automaton.variables[slot].shape.keys.is_empty();
        is_scalar && (slot == PLAYER || values <= MAX_CONTROL)
    };
    let all: Vec<bool> = (0..automaton.variables.len()).map(control).collect();
    let only_player = (0..automaton.variables.len()).map(|slot| slot == PLAYER).collect();
    let budget = usize::try_from(steps).unwrap_or(usize::MAX).min(BUDGET);
    let compiled = compile_by(rules, &regions, map, all, budget)
        .or_else(|| compile_by(rules, &regions, map, only_player, budget))
        .ok_or("it has too many turns")?;
    let without = |turn: &Turn| turn.walk.as_ref().err().map(|stop| stop.text());
    let is_choice = |turn: &&Turn| !matches!(turn.mover, Some(Mover::Keeper));
    if compiled.turns.iter().filter(is_choice).any(|turn| turn.walk.is_ok()) {
        return Ok(compiled);
    }
    Err(compiled.turns.iter().find_map(without).unwrap_or("nobody has a choice"))
}

/// Writes the code with turns that are told apart by these variables; `None` if there are too many
/// turns.
fn compile_by(
    rules: &Rules,
    regions: &Regions,
    map: &MemoryMap,
    control: Vec<bool>,
    budget: usize,
) -> Option<Compiled> {
    let mut program = ProgramBuilder::new(map.words);
    declare(&mut program, map);
    let mut compiler = Compiler::new(rules, regions, map, program, control, budget);
    let mut known = BTreeMap::new();
    for slot in 0..rules.automaton.variables.len() {
        if compiler.control[slot] {
            let start = rules.automaton.variables[slot].start[0];
            known.insert(slot, map.numbers[usize::from(start)]);
        }
    }
    compiler.turn(rules.automaton.begin, known);
    let mut next = 0;
    while next < compiler.turns.len() {
        if compiler.turns.len() > MAX_TURNS {
            return None;
        }
        compiler.write_turn(next);
        next += 1;
    }
    let list = compiler.dispatch();
    let make = compiler.make();
    let advance = compiler.advance(make);
    let play = compiler.play(make);
    let Compiler { program, turns, is_new, .. } = compiler;
    let compares = is_new.is_some();
    Some(Compiled { program: program.finish(), turns, list, make, advance, play, compares })
}

impl Compiler<'_> {
    /// The number of the turn at a node, told from others by the known values that matter there.
    pub(super) fn turn(&mut self, node: NodeId, mut known: BTreeMap<Slot, i32>) -> usize {
        known.retain(|&slot, _| self.rules.liveness.is_live(node, slot));
        let key = TurnKey { node, known };
        if let Some(&number) = self.turn_numbers.get(&key) {
            return number;
        }
        let number = self.turns.len();
        let player = key.known.get(&PLAYER).map(|&number| self.map.symbols[number as usize]);
        let mover = player.and_then(|player| self.rules.automaton.mover(player));
        let (automaton, map) = (&self.rules.automaton, self.map);
        let is_deterministic = self.turns.iter().find(|turn| turn.key.node == node).map_or_else(
            || distinct::is_deterministic(automaton, map, node),
            |turn| turn.is_deterministic,
        );
        let walk = Err(Stop::Unsupported("not written yet"));
        let next = BTreeSet::new();
        self.turns.push(Turn { key: key.clone(), mover, walk, is_deterministic, next });
        self.turn_numbers.insert(key, number);
        number
    }

    /// Writes the walks of a turn.
    fn write_turn(&mut self, number: usize) {
        let TurnKey { node, known } = self.turns[number].key.clone();
        if self.turns[number].mover.is_none() {
            self.turns[number].walk =
                Err(Stop::Unsupported("a turn of which the mover is unknown"));
            return;
        }
        let name = format!("turn {number}");
        if self.turns[number].is_deterministic && self.turns[number].mover == Some(Mover::Keeper) {
            self.turns[number].walk = self.direct(number, name, node, known);
            return;
        }
        self.dedupes = self.is_compared(number);
        let (node, env) = self.first(number);
        let mut w = Writer::new(name, &[], Some(Type::Int));
        self.begin_list(&mut w);
        let walk = self.walk(&mut w, node, env, &Goal::Moves);
        w.close_to(0);
        w.save_counts();
        w.give(0);
        self.turns[number].walk = walk.map(|()| self.program.function(w.finish()));
    }

    /// The node where a turn begins, and what is known there; functions nest from there on.
    pub(super) fn first(&mut self, number: usize) -> (NodeId, Env) {
        self.nested = 0;
        let TurnKey { node, known } = &self.turns[number].key;
        let assigned = known.iter().map(|(&slot, &number)| (slot, Term::Constant(number)));
        (*node, Env { assigned: assigned.collect(), ..Env::default() })
    }

    /// True if the moves of a turn may have equal tags.
    pub(super) fn is_compared(&mut self, number: usize) -> bool {
        let (automaton, regions, map) = (&self.rules.automaton, self.regions, self.map);
        let Turn { key: TurnKey { node, .. }, is_deterministic, .. } = self.turns[number];
        let steps = &mut self.proof_steps;
        let find = || distinct::has_distinct_tags(automaton, regions, map, steps, node);
        !is_deterministic && !*self.distinct.entry(node).or_insert_with(find)
    }

    /// Writes the function that lists the moves of the turn that the play is at.
    fn dispatch(&mut self) -> FunctionId {
        let mut w = Writer::new("list".to_owned(), &[], Some(Type::Int));
        let turn = w.var(Type::Int, frame(Entry::Turn));
        let walks: Vec<(i32, Option<FunctionId>)> =
            (0..).zip(self.turns.iter().map(|turn| turn.walk.as_ref().ok().copied())).collect();
        branch(&mut w, &turn.get(), &walks, &|w, walk| match walk {
            Some(walk) => w.give(walk.call(Vec::new())),
            None => w.give(0),
        });
        w.give(0);
        self.program.function(w.finish())
    }
}

/// Writes what is to be done for the value of a number, which is one of the cases, by halving.
pub(super) fn branch<T>(
    w: &mut Writer,
    number: &Code,
    cases: &[(i32, T)],
    write: &dyn Fn(&mut Writer, &T),
) {
    match cases {
        [] => {}
        [(_, case)] => write(w, case),
        cases => {
            let (low, high) = cases.split_at(cases.len() / 2);
            w.either(
                number.clone().less(high[0].0),
                |w| branch(w, number, low, write),
                |w| branch(w, number, high, write),
            );
        }
    }
}
