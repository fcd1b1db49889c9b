//! Rules taken apart by the grounder say what they said whole, and it tells where the work went.

use std::collections::{BTreeMap, BTreeSet};

use gdl::ground::{AtomId, GroundProgram, Grounding};
use gdl::{Program, RelId};
use play::{BuildFact, Language, Limits, NoChance, Rng, Rules};
use text::Source;

use crate::common::compile_rules;

fn program(sheet: &str) -> Program {
    let checked = gdl::check(&Source::new("x.kif", sheet));
    checked.program.unwrap_or_else(|| panic!("{:?}", checked.diagnostics))
}

fn ground(sheet: &str) -> (Program, Grounding) {
    let program = program(sheet);
    let grounding = gdl::ground::ground(&program, &Limits::default()).unwrap();
    (program, grounding)
}

/// The consequences of a state and of the moves in it: propositions that hold next, actions that
/// are legal, whether the game is over, and goals. By iteration, stratum by stratum being left to
/// the order of the rules: the sheets below negate only what states give.
fn outcome(ground: &GroundProgram, given: &BTreeSet<AtomId>) -> BTreeSet<String> {
    let mut holds = given.clone();
    loop {
        let before = holds.len();
        for (head, body) in ground.rules.iter() {
            let so = |l: &gdl::ground::GroundLiteral| {
                if l.is_negative() { !given.contains(&l.atom()) } else { holds.contains(&l.atom()) }
            };
            if body.iter().all(so) {
                holds.insert(head);
            }
        }
        if holds.len() == before {
            break;
        }
    }
    let next = ground.bases.iter().filter(|b| b.next.is_some_and(|n| holds.contains(&n)));
    let legal = ground.moves.iter().filter(|m| holds.contains(&m.legal));
    let over = ground.terminal.is_some_and(|t| holds.contains(&t));
    next.map(|b| format!("next {}", b.text))
        .chain(legal.map(|m| format!("legal {}", m.text)))
        .chain(over.then(|| "terminal".to_owned()))
        .collect()
}

/// A row of cells with values, and conditions that chain over several of them. `many` values make
/// so many instances that the rules are taken apart; `frame` puts what follows from them to use.
fn sheet(many: usize) -> String {
    let values: String = (0..many).map(|v| format!("(value {v})")).collect();
    let larger: String =
        (1..many).map(|v| format!("(below {} {v})", v - 1)).collect::<Vec<_>>().concat();
    format!(
        "(role r) {values} {larger} (init (cell 1 0)) (init (cell 2 1)) (init (cell 3 0))
         (place 1) (place 2) (place 3) (place 4)
         (<= (legal r (put ?c ?v)) (place ?c) (value ?v))
         (<= (next (cell ?c ?v)) (does r (put ?c ?v)))
         (<= (next (cell ?c ?v)) (true (cell ?c ?v)) (does r (put ?d ?w)) (distinct ?c ?d))
         (<= (next rising)
             (true (cell 1 ?a)) (true (cell 2 ?b)) (true (cell 3 ?c)) (true (cell 4 ?d))
             (below ?a ?b) (below ?b ?c) (not (true (cell 4 ?a))) (distinct ?c ?d))
         (<= (next (between ?b))
             (true (cell 1 ?a)) (true (cell 2 ?b)) (true (cell 3 ?c)) (true (cell 4 ?d))
             (below ?a ?b) (below ?c ?d) (not (true rising)))
         (<= terminal (true (cell 1 ?a)) (true (cell 2 ?a)) (true (cell 3 ?b)) (true (cell 4 ?b)))
         (goal r 50)"
    )
}

/// The same states of the sheet with few values, whose rules stay whole, and of the one with many,
/// whose rules are taken apart, have the same outcome.
#[test]
fn rules_taken_apart_say_what_they_said() {
    let few = 5;
    let (_, whole) = ground(&sheet(few));
    let (_, apart) = ground(&sheet(60));
    assert!(whole.effort.apart.is_empty(), "{:?}", whole.effort.apart);
    assert!(!apart.effort.apart.is_empty() && apart.effort.restarts > 0);
    let names = |ground: &GroundProgram| -> BTreeMap<String, AtomId> {
        let now = ground.bases.iter().map(|b| (b.text.clone(), b.now));
        now.chain(ground.moves.iter().map(|m| (m.text.clone(), m.does))).collect()
    };
    let (left, right) = (names(&whole.program), names(&apart.program));
    let mut rng = Rng::stream(4, 4);
    let mut kinds = BTreeSet::new();
    for _ in 0..300 {
        let mut facts = vec![format!("(put {} {})", 1 + rng.below(4), rng.below(few as u32))];
        for cell in 1..=4 {
            // Two values in a cell now and then: the rules do not forbid it.
            for _ in 0..=rng.below(5) / 4 {
                facts.push(format!("(cell {cell} {})", rng.below(few as u32)));
            }
        }
        if rng.below(4) == 0 {
            facts.push("rising".to_owned());
        }
        let given = |names: &BTreeMap<String, AtomId>| facts.iter().map(|f| names[f]).collect();
        let mut found = outcome(&whole.program, &given(&left));
        let mut other = outcome(&apart.program, &given(&right));
        // The larger sheet can put more.
        found.retain(|what| !what.starts_with("legal"));
        other.retain(|what| !what.starts_with("legal"));
        assert_eq!(found, other, "in {facts:?}");
        kinds.extend(
            found
                .into_iter()
                .map(|what| what.split_once(' ').map_or(what.clone(), |w| w.1.to_owned())),
        );
    }
    for kind in ["rising", "(between 3)", "terminal"] {
        assert!(kinds.contains(kind), "{kind} never came up: {kinds:?}");
    }
}

/// Sixty values in four cells are 60^4 combinations; apart, no rule needs more than three at a
/// time.
#[test]
fn the_effort_says_where_it_went() {
    let (program, grounding) = ground(&sheet(60));
    let effort = &grounding.effort;
    assert_eq!(effort.rules.len(), program.rules.len());
    assert_eq!(effort.relations.len(), program.relations.len());
    let moves = effort.relations[RelId::LEGAL.index()];
    assert_eq!(moves, 4 * 60);
    assert_eq!(moves as usize, grounding.program.moves.len());
    let instances: u64 = effort.rules.iter().map(|rule| rule.1).sum();
    assert!(instances as usize <= grounding.program.rules.len(), "{instances}");
    assert!(instances < 300_000, "{instances}");
    assert!(effort.work >= effort.rules.iter().map(|rule| rule.0).sum());
    let statistics: BTreeMap<_, _> = effort.statistics().into_iter().collect();
    assert_eq!(statistics[&BuildFact::SplitRules], effort.apart.len() as u64);
    assert_eq!(statistics[&BuildFact::GroundFacts], effort.relations.iter().sum::<u64>());
}

/// A fact that is asserted of the next state is true in it, and stays so, without a rule.
#[test]
fn asserted_facts_are_possible() {
    let (_, grounding) = ground(
        "(role r) (init on) (next off) (next off) (<= (legal r go) (true on)) (legal r stay)
         (<= terminal (true off)) (goal r 100)",
    );
    let GroundProgram { bases, moves, terminal, .. } = &grounding.program;
    let names: Vec<&str> = bases.iter().map(|base| base.text.as_str()).collect();
    assert_eq!(names, ["off", "on"]);
    assert!(bases[0].next.is_some() && !bases[0].initially && bases[1].initially);
    assert!(moves.len() == 2 && terminal.is_some());
}

#[test]
fn a_relation_without_arguments_is_the_same_with_parentheses() {
    let sheet = "(role r) (init (lit)) (<= open (true lit)) (<= (shut) (not (open)))
        (<= (legal r both) open (open)) (<= (legal r one) open (not (open)))
        (<= (legal r other) (shut) (open)) (<= (legal r none) shut (shut))
        (<= (next lit) (does r both)) (<= terminal (not (true (lit)))) (goal r 0)";
    let rules = Rules::new(Language::Kif, "x.kif", sheet);
    for engine in roster::engines() {
        if engine.languages().contains(&Language::Kif) {
            let game = compile_rules(&*engine, &rules);
            let mut position = game.open(&mut NoChance);
            for _ in 0..2 {
                assert_eq!(position.labels(), ["both"], "{}", engine.id());
                position.play(0, &mut NoChance).unwrap();
            }
        }
    }
}
