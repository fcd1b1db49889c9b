//! Makes a prover of a program: flattens and schedules its rules, evaluates what never changes,
//! compiles the rest, and tunes that.

use play::Limits;

use super::base::Base;
use super::flat::{FlatProgram, TooLarge};
use super::game::{Prover, Unplayable};
use super::machine::Exhausted;
use super::schedule::{Schedule, Unstratified};
use super::tune;
use crate::program::{Program, RelId};
use crate::symbols::Symbol;

/// Machine steps that one evaluation of a state may take, as a share of the compilation's; then the
/// state counts as undefined.
const STATE_FUEL: u64 = 20;
/// Bytes a row, of which one evaluation of a state may add as many as half the memory holds.
const ROW_BYTES: u64 = 64;
/// Share of the memory that positions met before may take.
const TRANSPOSITION_SHARE: u64 = 16;

impl Prover {
    pub(super) fn new(program: Program, limits: &Limits) -> Result<Prover, Unplayable> {
        let too_large = |what: &str| Unplayable::TooLarge(what.to_owned());
        const ROOTS: [RelId; 6] =
            [RelId::INIT, RelId::LEGAL, RelId::NEXT, RelId::TERMINAL, RelId::GOAL, RelId::SEES];
        let wanted = wanted(&program, &ROOTS);
        let flat = FlatProgram::new(&program, &|id| wanted[id.index()]).map_err(|TooLarge| {
            too_large("the rules have too many cases once terms are flattened")
        })?;
        let schedule = Schedule::new(&flat).map_err(|Unstratified(id)| {
            Unplayable::Unstratified(flat.relations[id.index()].relation)
        })?;
        let mut fuel = limits.work;
        let rows = limits.bytes / ROW_BYTES;
        let base = Base::new(&program, flat, schedule, &mut fuel, rows).map_err(|Exhausted| {
            too_large(
                "evaluating the relations that never change took more work or memory than allowed",
            )
        })?;
        let build = tune::eager(&base);
        let mut prover = Prover::assemble(program, base, build);
        prover.state_fuel = (limits.work / STATE_FUEL).max(1000);
        prover.state_rows = (rows / 2).clamp(1000, u64::from(u32::MAX / 2));
        prover.transposition_bytes = limits.bytes / TRANSPOSITION_SHARE;
        tune::tune(&mut prover, fuel);
        let mut state = prover.start();
        let over = prover.is_terminal(&mut state);
        if !over && !prover.can_go_on(&mut state) {
            return Err(too_large("evaluating the initial state took more work than allowed"));
        }
        Ok(prover)
    }
}

/// The roles where rules say which there are; sorted by first mention. `None` where finding out
/// takes too much.
pub(crate) fn derived_roles(program: &Program) -> Option<Vec<Symbol>> {
    let wanted = wanted(program, &[RelId::ROLE]);
    let flat = FlatProgram::new(program, &|id| wanted[id.index()]).ok()?;
    let schedule = Schedule::new(&flat).ok()?;
    let base = Base::new(program, flat, schedule, &mut 10_000_000, 100_000).ok()?;
    let mut roles = Vec::new();
    for id in base.flat.of(RelId::ROLE) {
        let extent = base.statics.relations[id.index()].as_ref()?;
        let argument = base.argument(id, 0);
        let values = extent.rows().filter_map(|row| argument.of(row));
        roles.extend(values.filter_map(|value| base.universe.symbol(value)));
    }
    roles.sort_unstable();
    Some(roles)
}

/// By relation, whether one of the roots needs it.
fn wanted(program: &Program, roots: &[RelId]) -> Vec<bool> {
    let mut wanted = vec![false; program.relations.len()];
    let mut rules = vec![Vec::new(); program.relations.len()];
    for rule in &program.rules {
        rules[rule.head.relation.index()].push(rule);
    }
    let mut stack = roots.to_vec();
    while let Some(id) = stack.pop() {
        if std::mem::replace(&mut wanted[id.index()], true) {
            continue;
        }
        let bodies = rules[id.index()].iter().flat_map(|rule| &rule.body);
        stack.extend(bodies.filter_map(|literal| Some(literal.atom()?.relation)));
    }
    wanted
}
