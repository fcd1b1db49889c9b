//! Small random ground programs, with recursion through many atoms and without, against brute
//! force: the least model, stratum by stratum, and the game tree walked by it.

use std::collections::BTreeSet;

use gdl::ground::{
    AtomId, GroundBase, GroundGoal, GroundLiteral, GroundMove, GroundProgram, GroundRole,
};
use play::{Adapted, Game, Job, Limits, NoChance, Rng, Turn, Via, settle};
use propnet::{Evaluator, PropnetGame};
use proptest::prelude::*;

/// A program with the stratum of each atom.
struct Sample {
    program: GroundProgram,
    strata: Vec<u32>,
}

/// The way in which roles act.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Style {
    Alone,
    InTurn,
    Together,
    WithNature,
}

struct Maker {
    rng: Rng,
    sample: Sample,
}

impl Maker {
    fn below(&mut self, n: usize) -> usize {
        self.rng.below(n as u32) as usize
    }

    fn atom(&mut self, stratum: u32) -> AtomId {
        self.sample.strata.push(stratum);
        self.sample.program.atom()
    }

    /// A body over atoms of lower strata, and positively of the same; `from` lists candidates.
    fn body(&mut self, stratum: u32, from: &[AtomId]) -> Vec<GroundLiteral> {
        let width = 1 + self.below(3);
        (0..width)
            .map(|_| {
                let atom = from[self.below(from.len())];
                let may_negate = self.sample.strata[atom.index()] < stratum;
                if may_negate && self.below(3) == 0 { atom.negative() } else { atom.positive() }
            })
            .collect()
    }

    /// Strata of views over `sources`: in each, atoms that depend on each other at will.
    fn views(&mut self, first: u32, sources: &[AtomId]) -> Vec<AtomId> {
        let mut all = sources.to_vec();
        for stratum in first..=first + 2 {
            let count = 2 + self.below(5);
            let new: Vec<AtomId> = (0..count).map(|_| self.atom(stratum)).collect();
            all.extend(&new);
            for &head in &new {
                for _ in 0..=self.below(3) {
                    let body = self.body(stratum, &all);
                    self.sample.program.rules.push(head, body);
                }
            }
        }
        all
    }

    fn rule_from(&mut self, stratum: u32, from: &[AtomId]) -> AtomId {
        let head = self.atom(stratum);
        for _ in 0..=self.below(2) {
            let body = self.body(stratum, from);
            self.sample.program.rules.push(head, body);
        }
        head
    }
}

fn sample(seed: u64, style: Style) -> Sample {
    let program = GroundProgram::default();
    let mut m = Maker { rng: Rng::stream(seed, 1), sample: Sample { program, strata: Vec::new() } };
    let names: &[&str] = match style {
        Style::Alone => &["a"],
        Style::InTurn | Style::Together => &["a", "b"],
        Style::WithNature => &["a", "random"],
    };
    let roles = names.iter().map(|n| GroundRole { name: (*n).to_owned(), nature: *n == "random" });
    m.sample.program.roles = roles.collect();
    let bases: Vec<AtomId> = (0..3 + m.below(6)).map(|_| m.atom(0)).collect();
    let views = m.views(1, &bases);
    let control = (style == Style::InTurn).then(|| m.atom(0));
    for (role, name) in names.iter().enumerate() {
        for i in 0..3 + m.below(3) {
            let (does, legal) = (m.atom(4), m.atom(4));
            // The first move of a role is legal always, or whenever it is not its turn.
            let mut body = if i == 0 { Vec::new() } else { m.body(4, &views) };
            if let Some(control) = control {
                let own = (role == 0) == (i != 0);
                body.push(if own { control.positive() } else { control.negative() });
                if i == 1 {
                    body.retain(|l| l.atom() == control);
                }
            }
            m.sample.program.rules.push(legal, body);
            let label = format!("{name}{i}");
            let pass = control.is_some() && i == 0;
            let text = label.clone();
            m.sample.program.moves.push(GroundMove { role, does, legal, pass, label, text });
        }
        for value in [0, 30, 60, 100] {
            let atom = m.rule_from(4, &views);
            m.sample.program.goals.push(GroundGoal { role, value, atom });
        }
    }
    if m.below(4) > 0 {
        let body = m.body(4, &views);
        let terminal = m.atom(4);
        m.sample.program.terminal = Some(terminal);
        m.sample.program.rules.push(terminal, body);
    }
    let does = m.sample.program.moves.iter().map(|a| a.does);
    let sources: Vec<AtomId> = views.iter().copied().chain(does).collect();
    let steps = m.views(5, &sources);
    for (i, &now) in bases.iter().enumerate() {
        let next = m.rule_from(8, &steps);
        if m.below(3) > 0 {
            // As in most games: what is not changed stays.
            let changed = steps[m.below(steps.len())];
            m.sample.program.rules.push(next, [now.positive(), changed.negative()]);
        }
        let initially = m.below(2) == 0;
        let text = format!("p{i}");
        m.sample.program.bases.push(GroundBase { now, next: Some(next), initially, text });
    }
    if let Some(now) = control {
        let next = m.atom(8);
        m.sample.program.rules.push(next, [now.negative()]);
        let text = "control".to_owned();
        m.sample.program.bases.push(GroundBase { now, next: Some(next), initially: true, text });
    }
    m.sample
}

/// The least model, given what holds and what is done.
fn model(sample: &Sample, given: &BTreeSet<AtomId>) -> BTreeSet<AtomId> {
    let mut model = given.clone();
    for stratum in 0..=8 {
        loop {
            let before = model.len();
            for (head, body) in sample.program.rules.iter() {
                let holds = |l: &GroundLiteral| model.contains(&l.atom()) != l.is_negative();
                if sample.strata[head.index()] == stratum && body.iter().all(holds) {
                    model.insert(head);
                }
            }
            if model.len() == before {
                break;
            }
        }
    }
    model
}

/// Walks through a game by brute force and by its position at once.
fn walk(sample: &Sample, game: &dyn Game, seed: u64) -> Result<(), TestCaseError> {
    let program = &sample.program;
    let mut rng = Rng::stream(seed, 2);
    let bases = program.bases.iter();
    let mut state: BTreeSet<AtomId> = bases.filter(|b| b.initially).map(|b| b.now).collect();
    let mut position = game.open(&mut NoChance);
    for _ in 0..12 {
        let now = model(sample, &state);
        if program.terminal.is_some_and(|t| now.contains(&t)) {
            prop_assert_eq!(position.turn(), Turn::Over);
            let best = |role| {
                let own = program.goals.iter().filter(|g| g.role == role && now.contains(&g.atom));
                own.map(|g| g.value).max().unwrap_or(0)
            };
            let expected: Vec<i32> = (0..program.roles.len()).map(best).collect();
            let found: Vec<i32> = position.scores().unwrap().iter().collect();
            prop_assert_eq!(found, expected);
            return Ok(());
        }
        let legal = |role: usize| -> Vec<&GroundMove> {
            program.moves.iter().filter(|m| m.role == role && now.contains(&m.legal)).collect()
        };
        let mut given = state.clone();
        if (0..program.roles.len()).any(|role| legal(role).is_empty()) {
            prop_assert_eq!(position.actions(), 0);
            return Ok(());
        }
        for role in 0..program.roles.len() {
            let expected: BTreeSet<&str> = legal(role).iter().map(|m| m.label.as_str()).collect();
            let labels: Vec<String> = (0..position.actions()).map(|a| position.label(a)).collect();
            let found: BTreeSet<&str> = labels.iter().map(String::as_str).collect();
            prop_assert_eq!(&found, &expected);
            let chosen = legal(role)[rng.below(expected.len() as u32) as usize];
            given.insert(chosen.does);
            let action = labels.iter().position(|l| *l == chosen.label).unwrap();
            position.play(action, &mut NoChance).unwrap();
        }
        let after = model(sample, &given);
        let next = |b: &&GroundBase| b.next.is_some_and(|n| after.contains(&n));
        state = program.bases.iter().filter(next).map(|b| b.now).collect();
    }
    Ok(())
}

fn check(seed: u64, style: Style) -> Result<(), TestCaseError> {
    let sample = sample(seed, style);
    let game = Adapted::new(
        PropnetGame::of_program(&sample.program, Evaluator::Event, &Limits::default()).unwrap(),
    );
    if style != Style::WithNature {
        for walk_seed in 0..3 {
            walk(&sample, &game, walk_seed)?;
        }
    }
    let mut start = game.open(&mut NoChance);
    prop_assert!(settle(&mut *start, &mut NoChance) || style == Style::InTurn);
    let batch = PropnetGame::of_program(&sample.program, Evaluator::Batch, &Limits::default());
    let batch = Adapted::new(batch.unwrap());
    // As many playouts as fill narrow lanes in part, and wide ones more than once.
    for (cap, count) in [(3, 30), (40, 30), (7, 1200)] {
        let job = Job { seed, first: 0, count, cap };
        let fast = game.run(&job, Via::Fast);
        prop_assert_eq!(&fast, &batch.run(&job, Via::Fast));
        if count < 100 {
            prop_assert_eq!(&fast, &game.run(&job, Via::Reference));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 200,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn one_role(seed: u64) {
        check(seed, Style::Alone)?;
    }

    #[test]
    fn roles_in_turn(seed: u64) {
        check(seed, Style::InTurn)?;
    }

    #[test]
    fn roles_at_once(seed: u64) {
        check(seed, Style::Together)?;
    }

    #[test]
    fn a_role_and_nature(seed: u64) {
        check(seed, Style::WithNature)?;
    }
}

/// A small loop that depends on a long chain of feedback nodes outside it.
#[test]
fn a_loop_after_a_chain_of_feedback_nodes() {
    check(14773977209858644557, Style::InTurn).unwrap();
}

/// Gates with an input given twice, behind feedback nodes.
#[test]
fn an_input_that_is_given_twice() {
    check(6846608707294695535, Style::InTurn).unwrap();
}

/// A move that is seen to be never legal only when conditions have been factored for lanes.
#[test]
fn a_move_that_goes_when_lanes_are_laid_out() {
    check(3683983361924332547, Style::Together).unwrap();
}
