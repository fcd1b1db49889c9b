//! Makes a prover of a program: flattens and schedules its rules, evaluates what never changes,
//! compiles the rest, and tunes that.

use play::{CompileError, Limits};

use super::game::Prover;
use super::tune;
use crate::datalog::base::Base;
use crate::datalog::fixpoint::Meter;
use crate::datalog::flat::{self, FlatProgram};
use crate::datalog::flatten::TooLarge;
use crate::datalog::machine::Exhausted;
use crate::datalog::schedule::Schedule;
use crate::limits::{MAX_RULES, MAX_STATIC};
use crate::program::Program;

/// Machine steps that one evaluation of a state may take, as a share of the compilation's; then the
/// state counts as undefined.
const STATE_FUEL: u64 = 20;
/// Bytes a row, of which one evaluation of a state may add as many as half the memory holds.
const ROW_BYTES: u64 = 64;

impl Prover {
    pub(super) fn new(program: Program, limits: &Limits) -> Result<Prover, CompileError> {
        let too_large = |what: &str| CompileError::TooLarge(what.to_owned());
        let flat = FlatProgram::new(&program, &flat::PLAYED, (MAX_RULES, limits.work)).map_err(
            |TooLarge| too_large("the rules have too many cases once terms are flattened"),
        )?;
        let schedule = Schedule::new(&flat).map_err(|error| error.explain(&program, &flat))?;
        let mut meter = Meter::new(limits, &program);
        let rows = limits.bytes / ROW_BYTES;
        let base = Base::new(&program, flat, schedule, &mut meter, MAX_STATIC).map_err(|Exhausted| {
            too_large(
                "evaluating the relations that never change took more work or memory than allowed",
            )
        })?;
        let build = tune::eager(&base);
        let mut prover = Prover::assemble(program, base, build);
        prover.state_fuel = (limits.work / STATE_FUEL).max(1000);
        prover.state_rows = (rows / 2).clamp(1000, u64::from(u32::MAX / 2));
        prover.bytes = limits.bytes;
        tune::tune(&mut prover, meter.fuel);
        let mut state = prover.start();
        let over = prover.is_terminal(&mut state);
        if !over && !prover.can_go_on(&mut state) {
            return Err(too_large("evaluating the initial state took more work than allowed"));
        }
        Ok(prover)
    }
}
