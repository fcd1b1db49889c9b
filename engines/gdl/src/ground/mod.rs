//! Grounding: from a checked rulesheet to rules over numbered atoms.
//!
//! [`ground`] finds everything that can ever hold (an over-approximation: `not` is always taken to
//! be satisfiable for what depends on the state), and then every instance of a rule over it. Static
//! relations are evaluated exactly and joined away, `not` and `distinct` decided where they can be.
//! Rules with very many instances are taken apart. `base` and `input` are not consulted: sheets get
//! them wrong.

mod assemble;
mod decompose;
mod instances;
mod possible;
mod program;
mod rules;

use std::fmt::Write;

use play::{CompileError, Limits};

use self::instances::{MANY, first_atoms, instances};
use self::possible::{Facts, asserted, ids, possible};
use self::rules::{MUCH, Rule, Rules};
use crate::datalog::base::Base;
use crate::datalog::fixpoint::{LEAST, Meter};
use crate::datalog::flat::{FlatProgram, PLAYED, TooLarge};
use crate::datalog::machine::Exhausted;
use crate::datalog::pool::{MAX_DEPTH, MAX_TERMS};
use crate::datalog::schedule::Schedule;
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
    /// Where the work went.
    pub effort: Effort,
}

/// Where the work of a grounding went, and what came of it.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Elementary steps, those of evaluations that were given up included.
    pub work: u64,
    /// Evaluations that were given up because rules had better be taken apart.
    pub restarts: u64,
    /// Rules that were taken apart, by their places in [`Program::rules`].
    pub apart: Vec<usize>,
    /// Bytes of facts and instances.
    pub bytes: u64,
    /// By rule of the program: steps of the last evaluation, and instances, those of its parts
    /// included.
    pub rules: Vec<(u64, u64)>,
    /// By relation of the program: facts that can hold.
    pub relations: Vec<u64>,
}

impl Effort {
    /// Sums, by name, for [`Facts::build`](play::Facts::build).
    pub fn statistics(&self) -> [(&'static str, u64); 5] {
        [
            ("ground facts", self.relations.iter().sum()),
            ("ground bytes", self.bytes),
            ("ground work", self.work),
            ("ground restarts", self.restarts),
            ("rules taken apart", self.apart.len() as u64),
        ]
    }
}

/// Grounds a program. The same program gives the same result, to the order of rules and atoms.
///
/// # Errors
/// [`CompileError::TooLarge`] when a limit is reached; it says where the work and the facts went.
pub fn ground(program: &Program, limits: &Limits) -> Result<Grounding, CompileError> {
    let flat = FlatProgram::new(program, &PLAYED).map_err(|TooLarge| {
        let what = "grounding: the rules have too many cases once terms are flattened";
        CompileError::TooLarge(what.to_owned())
    })?;
    let schedule = Schedule::new(&flat).map_err(|error| error.explain(program, &flat))?;
    let mut grounder = Grounder {
        program,
        limits,
        meter: Meter::new(limits, program),
        facts: Vec::new(),
        instances: vec![0; program.rules.len()],
    };
    let most = (u64::MAX, u64::MAX);
    let mut base = Base::new(program, flat, schedule, &mut grounder.meter, most)
        .map_err(|Exhausted| grounder.explain(None))?;
    let mut rules = Rules::new(&base, program.rules.len());
    grounder.facts = asserted(&base);
    let restarts = grounder
        .run(&mut base, &mut rules)
        .map_err(|Exhausted| grounder.explain(Some(&base.flat)))?;
    Ok(grounder.grounding(&base, rules, restarts))
}

struct Grounder<'a> {
    program: &'a Program,
    limits: &'a Limits,
    meter: Meter,
    /// By flat relation.
    facts: Vec<Facts>,
    /// By rule of the program.
    instances: Vec<u64>,
}

impl Grounder<'_> {
    /// Finds what can hold, and the instances of rules; how often rules had to be taken apart.
    fn run(&mut self, base: &mut Base, rules: &mut Rules) -> Result<u64, Exhausted> {
        let Grounder { limits, facts, meter, instances: counts, .. } = self;
        let mut restarts = 0;
        while let Err(Exhausted) = possible(base, rules, (facts, meter), |_| true) {
            let much = |rule: &Rule| meter.work[rule.origin] >= MUCH;
            if meter.fuel == 0 || !rules.take_apart(base, much) {
                return Err(Exhausted);
            }
            restarts += 1;
            meter.bytes = limits.bytes;
            facts.resize_with(base.flat.relations.len(), Facts::default);
        }
        meter.bytes = limits.bytes;
        instances(base, rules, facts, meter, counts)?;
        if rules.all.iter().any(|rule| rule.ground.is_none()) {
            restarts += 1;
            let len = |rule: &Rule| rule.ground.as_ref().map_or(usize::MAX, GroundRules::len);
            rules.take_apart(base, |rule| len(rule) as u64 > MANY / 10);
            facts.resize_with(base.flat.relations.len(), Facts::default);
            let left = meter.bytes;
            possible(base, rules, (facts, meter), |rule| rule.is_part && rule.ground.is_none())?;
            meter.bytes = left;
            instances(base, rules, facts, meter, counts)?;
        }
        Ok(restarts)
    }

    /// By relation of the program: how many facts were found.
    fn relations(&self, flat: &FlatProgram) -> Vec<u64> {
        let mut relations = vec![0; self.program.relations.len()];
        for (facts, relation) in self.facts.iter().zip(flat.named()) {
            relations[relation.relation.index()] += u64::from(facts.len);
        }
        relations[RelId::DOES.index()] = relations[RelId::LEGAL.index()];
        relations
    }

    /// Where the work and the facts went.
    fn explain(&self, flat: Option<&FlatProgram>) -> CompileError {
        let Grounder { program, limits, meter, .. } = self;
        let which = if meter.fuel == 0 {
            format!("the {} steps of work allowed are used up", limits.work)
        } else if meter.bytes < LEAST {
            format!("the {} MiB allowed are used up", limits.bytes >> 20)
        } else {
            format!("terms nest deeper than {MAX_DEPTH}, or are more than {MAX_TERMS}")
        };
        let mut text = format!("grounding: {which}");
        if let Some(rule) = (0..program.rules.len()).max_by_key(|&r| (meter.work[r], usize::MAX - r)) {
            let share = 100 * meter.work[rule] / (limits.work - meter.fuel).max(1);
            let instances = self.instances[rule];
            let shown = program.show_rule(&program.rules[rule]);
            let _ = write!(
                text,
                "; {share} % of the work and {instances} instances went into the rule {shown}"
            );
        }
        let relations = flat.map_or_else(Vec::new, |flat| self.relations(flat));
        if let Some(most) = (0..relations.len()).max_by_key(|&r| (relations[r], usize::MAX - r)) {
            let name = program.relation_name(RelId(most as u32));
            let _ = write!(text, "; most facts are of `{name}`: {}", relations[most]);
        }
        CompileError::TooLarge(text)
    }

    fn grounding(&self, base: &Base, rules: Rules, restarts: u64) -> Grounding {
        let mut of_rules: Vec<(u64, u64)> = self.meter.work.iter().map(|&work| (work, 0)).collect();
        of_rules.pop();
        let mut apart = Vec::new();
        let mut ground = GroundRules::default();
        let asserted = asserted(base);
        for (id, first) in ids(base).zip(first_atoms(base, &self.facts)) {
            // What is asserted comes first.
            if base.changes(id) && base.flat.relations[id.index()].relation != RelId::TRUE {
                let atoms = first..first + asserted[id.index()].len;
                atoms.for_each(|atom| ground.push(AtomId(atom), []));
            }
        }
        for rule in rules.all {
            let own = rule.ground.unwrap_or_default();
            of_rules[rule.origin].1 += own.len() as u64;
            if rule.is_part && apart.last() != Some(&rule.origin) {
                apart.push(rule.origin);
            }
            ground.extend(&own);
        }
        let facts = self.facts.iter().map(|facts| 4 * facts.values.len() as u64);
        let effort = Effort {
            work: self.limits.work - self.meter.fuel,
            restarts,
            apart,
            bytes: facts.sum::<u64>() + ground.bytes(),
            rules: of_rules,
            relations: self.relations(&base.flat),
        };
        assemble::assemble(self.program, base, &self.facts, ground, effort)
    }
}
