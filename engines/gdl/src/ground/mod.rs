//! Grounding: from a checked rulesheet to rules over numbered atoms.
//!
//! [`ground`] finds everything that can ever hold (an over-approximation: `not` is always taken to
//! be satisfiable for what depends on the state), and then every instance of a rule over it, with
//! the evaluator that plays sheets too. Static relations are evaluated exactly and joined away,
//! `not` and `distinct` decided where they can be. Rules with very many instances are taken apart.
//! `base` and `input` are not consulted: sheets get them wrong.

mod assemble;
mod decompose;
mod facts;
mod instances;
mod possible;
mod program;
mod rules;

use std::collections::BTreeSet;
use std::fmt::Write;

use play::{BuildFact, CompileError, Limits};

use self::facts::{Facts, Known, ids};
use self::instances::{MANY, instances};
use self::possible::possible;
use self::rules::{MUCH, Rule, Rules};
use crate::datalog::base::Base;
use crate::datalog::fixpoint::{LEAST, Meter};
use crate::datalog::flat::{FlatProgram, PLAYED};
use crate::datalog::flatten::TooLarge;
use crate::datalog::machine::Exhausted;
use crate::datalog::schedule::Schedule;
use crate::limits::{MAX_DEPTH, MAX_TERMS};
use crate::program::{Program, RelId};
use crate::terms::{TermId, Terms};

pub use program::{
    AtomId, GroundBase, GroundGoal, GroundLiteral, GroundMove, GroundPercept, GroundProgram,
    GroundRole, GroundRules,
};

/// A ground program, and the terms that its propositions are.
#[derive(Clone, Debug)]
pub struct Grounding {
    /// The rules.
    pub program: GroundProgram,
    /// All terms that were met.
    pub terms: Terms,
    /// The propositions, in the order of [`GroundProgram::bases`].
    pub propositions: Vec<TermId>,
    /// The work of the grounding.
    pub effort: Effort,
}

/// The work of a grounding by part, and the sizes of its result.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Machine steps.
    pub work: u64,
    /// The number of times that an evaluation went on with decomposed rules.
    pub restarts: u64,
    /// Rules that were taken apart, by their places in [`Program::rules`].
    pub apart: Vec<usize>,
    /// Bytes of facts and instances.
    pub bytes: u64,
    /// By rule of the program: steps and instances, those of its parts included.
    pub rules: Vec<(u64, u64)>,
    /// By relation of the program: facts that can hold.
    pub relations: Vec<u64>,
}

impl Effort {
    /// Sums for [`Facts::build`](play::Facts::build).
    pub fn statistics(&self) -> [(BuildFact, u64); 5] {
        [
            (BuildFact::GroundFacts, self.relations.iter().sum()),
            (BuildFact::GroundBytes, self.bytes),
            (BuildFact::GroundWork, self.work),
            (BuildFact::GroundRestarts, self.restarts),
            (BuildFact::SplitRules, self.apart.len() as u64),
        ]
    }
}

/// Bytes that a rule takes before it has any instances, at least.
const RULE_BYTES: u64 = 1 << 10;

/// Grounds a program. The same program gives the same result, to the order of rules and atoms.
///
/// # Errors
/// [`CompileError::TooLarge`] when a limit is reached; it says where the work and the facts went.
pub fn ground(program: &Program, limits: &Limits) -> Result<Grounding, CompileError> {
    let most = (limits.bytes / RULE_BYTES) as usize;
    let flat = FlatProgram::new(program, &PLAYED, (most, limits.work)).map_err(|TooLarge| {
        let what = "grounding: the rules have too many cases once terms are flattened";
        CompileError::TooLarge(what.to_owned())
    })?;
    let schedule = Schedule::new(&flat).map_err(|error| error.explain(program, &flat))?;
    let mut meter = Meter::new(limits, program);
    let instances = vec![0; program.rules.len()];
    let base = Base::new(program, flat, schedule, &mut meter, (u64::MAX, u64::MAX));
    let mut grounder = Grounder { program, limits, meter, instances };
    let mut base = base.map_err(|Exhausted| grounder.explain(&[]))?;
    let mut rules = Rules::new(&mut base, program.rules.len());
    let mut known = Known::new(&mut base);
    let asserted = known.facts.clone();
    let restarts = grounder.run(&mut base, &mut rules, &mut known);
    let relations = grounder.relations(&base, &known);
    let restarts = restarts.map_err(|Exhausted| grounder.explain(&relations))?;
    let mut ground = GroundRules::default();
    for (id, first) in ids(&base).zip(known.first_atoms(&base)) {
        // What is true nobody asserts.
        if base.changes(id) && base.flat.relations[id.index()].relation != RelId::TRUE {
            let asserted: BTreeSet<&[u32]> =
                asserted.get(id.index()).into_iter().flat_map(Facts::rows).collect();
            let facts = (first..).zip(known.facts[id.index()].rows());
            let facts = facts.filter(|(_, row)| asserted.contains(row));
            facts.for_each(|(atom, _)| ground.push(AtomId(atom), []));
        }
    }
    let mut of_rules: Vec<(u64, u64)> = grounder.meter.work.iter().map(|&work| (work, 0)).collect();
    of_rules.truncate(program.rules.len());
    let mut apart = Vec::new();
    for rule in rules.all {
        let own = rule.ground.unwrap_or_default();
        of_rules[rule.origin].1 += own.len() as u64;
        if rule.is_part && apart.last() != Some(&rule.origin) {
            apart.push(rule.origin);
        }
        ground.extend(&own);
    }
    let effort = Effort {
        work: limits.work - grounder.meter.fuel,
        restarts,
        apart,
        bytes: known.bytes() + ground.bytes(),
        rules: of_rules,
        relations,
    };
    Ok(assemble::assemble(program, &base, &known, ground, effort))
}

struct Grounder<'a> {
    program: &'a Program,
    limits: &'a Limits,
    meter: Meter,
    /// By rule of the program.
    instances: Vec<u64>,
}

impl Grounder<'_> {
    /// Finds what can hold, and the instances of rules; how often rules had to be taken apart.
    fn run(
        &mut self,
        base: &mut Base,
        rules: &mut Rules,
        known: &mut Known,
    ) -> Result<u64, Exhausted> {
        let Grounder { limits, meter, instances: counts, .. } = self;
        let mut restarts = 0;
        while let Err(Exhausted) =
            possible(base, rules, known, meter, |_| true, |origin| rules.most(origin))
        {
            let much = |rule: &Rule| meter.work[rule.origin] >= MUCH;
            if meter.fuel == 0 || !rules.take_apart(base, much) {
                return Err(Exhausted);
            }
            restarts += 1;
            meter.bytes = limits.bytes;
            known.facts.resize_with(base.flat.relations.len(), Facts::default);
        }
        meter.bytes = limits.bytes.saturating_sub(known.bytes());
        instances(base, rules, known, meter, counts)?;
        if rules.all.iter().any(|rule| rule.ground.is_none()) {
            restarts += 1;
            let len = |rule: &Rule| rule.ground.as_ref().map_or(u64::MAX, |g| g.len() as u64);
            rules.take_apart(base, |rule| len(rule) > MANY / 10);
            known.facts.resize_with(base.flat.relations.len(), Facts::default);
            let left = meter.bytes;
            let is_new = |rule: &Rule| rule.is_part && rule.ground.is_none();
            possible(base, rules, known, meter, is_new, |_| u64::MAX)?;
            meter.bytes = left;
            instances(base, rules, known, meter, counts)?;
        }
        Ok(restarts)
    }

    /// By relation of the program: how many facts were found.
    fn relations(&self, base: &Base, known: &Known) -> Vec<u64> {
        let mut relations = vec![0; self.program.relations.len()];
        let facts = known.facts.iter().zip(&base.statics.relations);
        for ((facts, extent), relation) in facts.zip(base.flat.named()) {
            let count = extent.as_ref().map_or(facts.len as usize, |extent| extent.len);
            relations[relation.relation.index()] += count as u64;
        }
        relations[RelId::DOES.index()] = relations[RelId::LEGAL.index()];
        relations
    }

    /// The error that says which relations took the work and the facts.
    fn explain(&self, relations: &[u64]) -> CompileError {
        let Grounder { program, limits, meter, .. } = self;
        let which = if meter.fuel == 0 {
            format!("the {} steps of work allowed are used up", limits.work)
        } else if meter.bytes < LEAST {
            format!("the {} MiB allowed are used up", limits.bytes >> 20)
        } else {
            format!("terms nest deeper than {MAX_DEPTH}, or are more than {MAX_TERMS}")
        };
        let mut text = format!("grounding: {which}");
        if let Some(rule) =
            (0..program.rules.len()).max_by_key(|&r| (meter.work[r], usize::MAX - r))
        {
            let share = 100 * meter.work[rule] / (limits.work - meter.fuel).max(1);
            let instances = self.instances[rule];
            let shown = program.show_rule(&program.rules[rule]);
            let _ = write!(
                text,
                "; {share} % of the work and {instances} instances went into the rule {shown}"
            );
        }
        if let Some(most) = (0..relations.len()).max_by_key(|&r| (relations[r], usize::MAX - r)) {
            let name = program.relation_name(RelId(most as u32));
            let _ = write!(text, "; most facts are of `{name}`: {}", relations[most]);
        }
        CompileError::TooLarge(text)
    }
}
