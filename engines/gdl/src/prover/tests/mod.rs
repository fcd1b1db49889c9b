//! The prover against an evaluator that does nothing clever, on sheets that exercise one thing each
//! and on sheets made up at random; evaluated as a whole, on demand, and kept
//! from state to state.

mod flatten;
mod naive;

use play::{Limits, Rng};
use text::Source;

use self::naive::{Fact, Naive};
use super::build::{Build, StageStrategy};
use super::game::Prover;
use super::maintenance::may_be_kept;
use super::state::State;
use crate::program::{Program, RelId};
use crate::terms::{TermId, Terms};

fn program(sheet: &str) -> Program {
    let source = Source::new("t.kif", sheet);
    let checked = crate::check(&source);
    let shown: Vec<String> = checked.diagnostics.iter().map(|d| d.render(&source)).collect();
    checked.program.unwrap_or_else(|| panic!("{}\n{sheet}", shown.join("\n")))
}

/// Six values and seven variables that all differ, in every state, and passes without end: each
/// state takes thousands of steps, and there are as many as anybody asks for.
#[test]
fn few_states_that_take_many_steps_are_looked_at_when_compiling() {
    let letters = ["?a", "?b", "?c", "?d", "?e", "?f", "?g"];
    let values: String = (0..6).map(|n| format!("(n {n})")).collect();
    let asked: String = letters.iter().map(|letter| format!("(n {letter})")).collect();
    let pairs = (0..7).flat_map(|i| (0..i).map(move |j| (letters[i], letters[j])));
    let differ: String = pairs.map(|(a, b)| format!("(distinct {a} {b})")).collect();
    let sheet = format!(
        "(role r) {values} (init (on 0)) (legal r go) (<= (next (on 1)) (true (on ?x)))
         (<= (next (on 2)) (true (on ?x)) {asked} {differ}) (<= terminal (true (on 3))) (goal r 0)"
    );
    let limits = Limits { work: 2_000_000, ..Limits::default() };
    // Were there no bound on all of them together, hundreds of thousands would be looked at.
    super::ProverGame::compile(program(&sheet), &limits).expect("it is not too large");
}

/// The amount of compared data, so that a test can see that it tested something.
#[derive(Default)]
struct Compared {
    steps: usize,
    on_demand: usize,
    /// Stages kept from state to state.
    kept: usize,
    /// Loops that were made one operation.
    fused: usize,
    /// Tests of bits that became part of such an operation.
    filters: usize,
}

/// Plays `steps` joint steps at random with the build as it was tuned, then with everything on
/// demand, then with all kept that can be, then with everything as a whole, comparing all that can
/// be asked at each step.
fn agree(sheet: &str, steps: usize, seed: u64) -> Compared {
    let mut compared = Compared::default();
    let program = program(sheet);
    let mut prover = Prover::new(program.clone(), &Limits::default())
        .unwrap_or_else(|error| panic!("{error:?}\n{sheet}"));
    compared.steps += walk(&program, &prover, steps, seed, sheet);
    compared.filters += prover.build.code.filters.len();
    let stages = prover.base.schedule.stages.len();
    let keepable = may_be_kept(&prover.base);
    for way in [StageStrategy::OnDemand, StageStrategy::Kept, StageStrategy::Whole] {
        let ways: Vec<StageStrategy> = (0..stages)
            .map(|stage| match way {
                StageStrategy::OnDemand if prover.base.may_be_lazy(stage) => way,
                StageStrategy::Kept if keepable[stage] => way,
                _ => StageStrategy::Whole,
            })
            .collect();
        let sizes = prover.base.sizes(|_| 10.0);
        let build = Build::new(&prover.base, &ways, &sizes);
        compared.on_demand += build.demands.asked.len();
        compared.kept += build.kept.iter().filter(|&&kept| kept).count();
        compared.fused += build.code.table_scans.len();
        compared.filters += build.code.filters.len();
        prover.rebuild(build);
        compared.steps += walk(&program, &prover, steps, seed, sheet);
    }
    compared
}

/// Returns how many steps were taken.
fn walk(program: &Program, prover: &Prover, steps: usize, seed: u64, sheet: &str) -> usize {
    let mut rng = Rng::stream(seed, 1);
    let mut naive = Naive::new(program);
    naive.derive([]);
    let mut facts: Vec<TermId> = naive.all(RelId::INIT).into_iter().map(|args| args[0]).collect();
    let mut state = prover.start();
    for step in 0..steps {
        let context = |what: &str| format!("{what} in step {step} of\n{sheet}");
        let truth = |fact: TermId| (RelId::TRUE, vec![fact]);
        let text = |naive: &Naive<'_>, id| naive.terms.show(&program.symbols, id);
        let mut expected: Vec<String> = facts.iter().map(|&f| text(&naive, f)).collect();
        expected.sort();
        assert_eq!(true_facts(program, prover, &state), expected, "{}", context("facts"));

        naive.derive(facts.iter().map(|&f| truth(f)));
        let over = !naive.all(RelId::TERMINAL).is_empty();
        assert_eq!(prover.is_terminal(&mut state), over, "{}", context("the end"));
        if over {
            for (role, &name) in program.roles.iter().enumerate() {
                let mut expected: Vec<String> = naive
                    .all(RelId::GOAL)
                    .into_iter()
                    .filter(|args| naive.terms.functor(args[0]) == name)
                    .map(|args| text(&naive, args[1]))
                    .collect();
                expected.sort();
                let goals = prover.goals_of(&mut state, role).into_iter();
                let mut goals: Vec<&str> = goals.map(|g| program.symbols.lower(g)).collect();
                goals.sort_unstable();
                assert_eq!(goals, expected, "{}", context("goals"));
            }
            return step;
        }
        let mut given: Vec<Fact> = facts.iter().map(|&f| truth(f)).collect();
        let mut choices = Vec::new();
        let all_legal = naive.all(RelId::LEGAL);
        let has_action = |&role: &crate::Symbol| {
            all_legal.iter().any(|args| naive.terms.functor(args[0]) == role)
        };
        let stuck = !program.roles.iter().all(has_action);
        for (role, &name) in program.roles.iter().enumerate() {
            let own = |args: &&Vec<TermId>| naive.terms.functor(args[0]) == name && !stuck;
            let mut expected: Vec<(String, TermId)> =
                all_legal.iter().filter(own).map(|args| (text(&naive, args[1]), args[1])).collect();
            expected.sort();
            let legal = prover.legal(&mut state, role);
            let mut texts: Vec<(String, super::Action)> = legal
                .iter()
                .map(|&action| {
                    let mut terms = Terms::default();
                    let term = prover.action_term(&state, action, &mut terms);
                    (terms.show(&program.symbols, term), action)
                })
                .collect();
            texts.sort();
            let names = |list: &[(String, TermId)]| -> Vec<String> {
                list.iter().map(|l| l.0.clone()).collect()
            };
            let found: Vec<String> = texts.iter().map(|t| t.0.clone()).collect();
            assert_eq!(found, names(&expected), "{}", context("legal actions"));
            if expected.is_empty() {
                return step;
            }
            let chosen = rng.below(expected.len() as u32) as usize;
            let role_term = naive.terms.constant(name);
            given.push((RelId::DOES, vec![role_term, expected[chosen].1]));
            choices.push(texts[chosen].1);
        }
        for action in choices {
            prover.choose(&mut state, action);
        }
        naive.derive(given);
        facts = naive.all(RelId::NEXT).into_iter().map(|args| args[0]).collect();
    }
    steps
}

fn true_facts(program: &Program, prover: &Prover, state: &State) -> Vec<String> {
    let mut terms = Terms::default();
    let facts = prover.true_facts(state, &mut terms);
    let mut texts: Vec<String> =
        facts.into_iter().map(|f| terms.show(&program.symbols, f)).collect();
    texts.sort();
    texts
}

/// A game that goes on for ever, with one player who may do `a` or `b`, and what `extra` adds.
fn open_game(extra: &str) -> String {
    format!(
        "(role r) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 0)
         (<= (legal r a) (true (at ?n))) (<= (legal r b) (true (at ?n)) (distinct ?n 2))
         (<= (next (at ?m)) (true (at ?n)) (succ ?n ?m) (does r a))
         (<= (next (at ?n)) (true (at ?n)) (does r b))
         (<= terminal (true never)) (goal r 50)
         {extra}"
    )
}

#[test]
fn recursion_is_followed_to_its_end() {
    let compared = agree(
        &open_game(
            "(edge a b) (edge b c) (edge c d) (edge d b) (edge x y)
             (<= (path ?x ?y) (edge ?x ?y))
             (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))
             (<= (next (seen ?x ?y)) (path ?x ?y))
             (<= (link ?x ?y) (edge ?x ?y) (true (at 0)))
             (<= (link ?x ?y) (edge ?y ?x) (true (at 1)))
             (<= (reach ?x ?x) (link ?x ?y))
             (<= (reach ?x ?z) (link ?x ?y) (reach ?y ?z))
             (<= (next (goes ?x ?y)) (reach ?x ?y) (not (path ?y ?x)))",
        ),
        12,
        1,
    );
    assert_eq!(compared.steps, 4 * 12);
}

#[test]
fn mutual_recursion_with_several_recursive_literals() {
    let compared = agree(
        &open_game(
            "(<= (even 0) (true (at ?n)))
             (<= (odd ?m) (even ?n) (succ ?n ?m) (distinct ?m 0))
             (<= (even ?m) (odd ?n) (succ ?n ?m) (distinct ?m 0))
             (<= (both ?x ?y) (even ?x) (odd ?y))
             (<= (both ?x ?y) (both ?y ?x) (both ?x ?x))
             (<= (next (is ?x ?y)) (both ?x ?y) (true (at ?x)))",
        ),
        8,
        2,
    );
    assert_eq!(compared.steps, 4 * 8);
}

#[test]
fn negation_is_as_failure_stratum_by_stratum() {
    let compared = agree(
        &open_game(
            "(p a) (p b) (p c)
             (<= (low ?x) (p ?x) (true (at 1)) (distinct ?x a))
             (<= (high ?x) (p ?x) (not (low ?x)))
             (<= (top ?x) (p ?x) (not (high ?x)))
             (<= none (not some)) (<= some (low ?x))
             (<= (next (h ?x)) (high ?x)) (<= (next (t ?x)) (top ?x))
             (<= (next quiet) none)
             (<= (next kept) (not (true (h b))))",
        ),
        12,
        3,
    );
    assert_eq!(compared.steps, 4 * 12);
}

#[test]
fn or_and_and_not_nest() {
    let compared = agree(
        &open_game(
            "(p a 1) (p b 2) (p c 3)
             (<= (next (q ?x)) (p ?x ?n) (or (distinct ?n 1) (true (at 1)) (and (p a ?n) (true \
             (at 2)))))
             (<= (next (s ?x)) (p ?x ?n) (not (or (true (at 1)) (p b ?n))))
             (<= (next (e ?x ?n)) (p ?x ?n) (true (at ?m)) (not (distinct ?n ?m)))
             (<= (next (f ?x)) (p ?x ?n) (not (and (distinct ?x a) (distinct ?x b))))",
        ),
        12,
        4,
    );
    assert_eq!(compared.steps, 4 * 12);
}

#[test]
fn what_is_kept_follows_what_changes() {
    // The same relation several times in a rule, with and without `not`; columns that nobody asks
    // for; a rule that needs nothing to be there; recursion along what never changes.
    let compared = agree(
        &open_game(
            "(after 0 1) (after 1 2) (after 2 3) (init (on 0 1)) (init (on 1 2)) (init (on 2 2))
             (<= (next (on ?y ?z)) (true (on ?x ?y)) (succ ?y ?z) (does r a))
             (<= (next (on ?x ?y)) (true (on ?x ?y)) (does r b) (not (true (at ?x))))
             (<= (next (on ?n ?n)) (true (at ?n)))
             (<= (two ?x ?z) (true (on ?x ?y)) (true (on ?y ?z)))
             (<= (same ?x) (true (on ?x ?y)) (true (on ?y ?x)) (true (on ?x ?w)))
             (<= (free ?x) (succ ?x ?y) (not (true (on ?x ?y))) (not (same ?x)))
             (<= (seen ?x) (true (on ?x ?y)) (true (on ?w ?z)) (distinct ?y ?z))
             (<= (up ?x) (true (on ?x ?x))) (<= (up ?y) (up ?x) (after ?x ?y) (not (free ?x)))
             (<= (next (was ?x ?z)) (two ?x ?z) (up ?x)) (<= (next (is ?x)) (free ?x) (seen ?x))
             (<= (next (is ?x)) (same ?x) (not (up ?x)))",
        ),
        40,
        8,
    );
    assert_eq!(compared.steps, 4 * 40);
    assert!(compared.kept >= 5, "{}", compared.kept);
}

#[test]
fn what_may_derive_itself_is_not_kept() {
    let reach = |step: &str| {
        open_game(&format!(
            "(after 0 1) (after 1 2) (after 2 3)
             (<= (reach ?x) (true (at ?x))) (<= (reach ?y) (reach ?x) ({step} ?x ?y))
             (<= (next (got ?x)) (reach ?x))"
        ))
    };
    for (step, kept) in [("after", true), ("succ", false)] {
        let sheet = reach(step);
        let prover = Prover::new(program(&sheet), &Limits::default()).unwrap();
        let may_be_kept = may_be_kept(&prover.base);
        let reach = (0..may_be_kept.len()).find(|&stage| {
            let relations = &prover.base.schedule.stages[stage].relations;
            let relation = prover.base.flat.relations[relations[0].index()].relation;
            prover.program.relation_name(relation) == "reach"
        });
        assert_eq!(may_be_kept[reach.unwrap()], kept, "{step}");
        agree(&sheet, 12, 9);
    }
}

#[test]
fn terms_nest_and_fluents_are_passed_on_whole() {
    let compared = agree(
        &open_game(
            "(init (on (pos 1 2) (piece red king))) (init (on (pos 2 2) none)) (init plain)
             (<= (next (on (pos ?y ?x) ?p)) (true (on (pos ?x ?y) ?p)) (does r a))
             (<= (next ?f) (true ?f) (does r b) (distinct ?f plain))
             (<= (next (last ?r ?a)) (does ?r ?a))
             (<= (where ?q) (true (on ?q (piece ?c ?k))) (not (true (on ?q none))))
             (<= (next (saw ?q)) (where ?q))",
        ),
        12,
        5,
    );
    assert_eq!(compared.steps, 4 * 12);
}

#[test]
fn terms_that_nest_in_themselves_are_kept_whole() {
    let compared = agree(
        &open_game(
            "(init (list nil)) (init (num zero))
             (<= (next (list (cons ?n ?l))) (true (list ?l)) (true (at ?n)) (does r a))
             (<= (next (list ?l)) (true (list (cons ?n ?l))) (does r b))
             (<= (next (num (s ?n))) (true (num ?n)) (does r a))
             (<= (next (num ?n)) (true (num (s ?n))) (does r b))
             (<= (member ?x ?l) (true (list ?l)) (part ?x ?l))
             (<= (part ?x (cons ?x ?l)) (suffix (cons ?x ?l)))
             (<= (part ?y (cons ?x ?l)) (suffix (cons ?x ?l)) (part ?y ?l))
             (<= (suffix ?l) (true (list ?l)))
             (<= (suffix ?l) (suffix (cons ?x ?l)))
             (<= (next (held ?x)) (member ?x ?l) (not (true (held ?x))))
             (<= (next two) (true (num (s (s zero)))))
             (<= (next differ) (true (num ?n)) (true (list ?l)) (distinct ?n ?l))",
        ),
        25,
        6,
    );
    assert_eq!(compared.steps, 4 * 25);
}

#[test]
fn rows_are_tested_and_taken_over_as_bits() {
    let facts = ["1", "2", "3"].map(|x| {
        ["1", "2", "3"].map(|y| format!("(init (cell {x} {y} {}))", if x == y { "b" } else { x }))
    });
    let compared = agree(
        &format!(
            "(role r) {} (init (turn up)) (init (turn (x 1))) (line 1) (line 2) (line 3)
             (apart 1 2) (apart 1 3) (apart 2 1) (apart 2 3) (apart 3 1) (apart 3 2)
             (<= (other ?x ?y ?u ?v) (apart ?x ?u) (line ?y) (line ?v))
             (<= (other ?x ?y ?u ?v) (apart ?y ?v) (line ?x) (line ?u))
             (<= (legal r (go ?x ?y)) (line ?x) (line ?y) (not (true (cell ?x ?y b))))
             (legal r stay)
             (<= (next (cell ?x ?y b)) (does r (go ?x ?y)))
             (<= (next (cell ?x ?y ?z)) (does r (go ?u ?v)) (true (cell ?x ?y ?z))
                 (true (cell ?a ?a b)) (or (distinct ?x ?u) (distinct ?y ?v)) (distinct ?y ?a))
             (<= (next (cell ?x ?y ?z)) (does r (go ?u ?v)) (true (cell ?x ?y ?z))
                 (other ?x ?y ?u ?v) (other ?x ?y 1 1))
             (<= (next (cell ?x ?y 2)) (true (cell ?x ?y 1)) (does r stay))
             (<= (next (cell ?x 3 ?z)) (true (cell ?x 1 ?z)) (not (true (cell ?x 2 ?z))))
             (<= (next (kept ?x ?y)) (true (cell ?x ?y b)) (not (true (kept ?x ?y))))
             (<= (next (kept ?x ?y)) (true (kept ?x ?y)) (true (cell ?x ?y 3)))
             (<= (next (turn down)) (true (turn up))) (<= (next (turn up)) (true (turn down)))
             (<= (next (turn (x ?n))) (true (turn (x ?m))) (apart ?m ?n) (true (turn up)))
             (<= terminal (true never)) (goal r 50)",
            facts.concat().concat(),
        ),
        40,
        4,
    );
    assert_eq!(compared.steps, 4 * 40);
    assert!(compared.filters > 10, "{}", compared.filters);
}

#[test]
fn columns_hold_what_their_rules_can_give_them() {
    // By its rule alone, `by` could hold any number anywhere.
    let sheet = open_game(
        "(plus 1 1 2) (plus 1 2 3) (plus 2 1 3) (plus 100 200 300) (plus 200 300 500)
         (<= (by ?x ?y) (plus 1 ?x ?y)) (init (spot 1)) (init (sum 100 0))
         (<= (next (spot ?y)) (true (spot ?x)) (by ?x ?y)) (<= (next (spot 1)) (true (spot 3)))
         (<= (legal r (add ?x ?y)) (true (spot ?x)) (by ?x ?y))
         (<= (next (at ?n)) (true (at ?n)) (does r (add ?x ?y)))
         (<= (next (sum ?x ?y)) (does r (add ?x ?y))) (<= (next (sum ?x ?y)) (true (sum ?x ?y)))",
    );
    let program = program(&sheet);
    let prover = Prover::new(program, &Limits::default()).unwrap_or_else(|e| panic!("{e:?}"));
    let base = &prover.base;
    let sizes = |relation: RelId| -> Vec<u32> {
        let slots = base.flat.of(relation).filter_map(|id| base.slots[id.index()]);
        let bits = slots.filter_map(|slot| base.layouts.relations[slot].bits.as_ref());
        bits.map(|(dense, _)| dense.size).collect()
    };
    // Two actions without arguments, and two values in each column of `add`, if not side by side.
    for relation in [RelId::LEGAL, RelId::DOES] {
        let largest = sizes(relation).into_iter().max();
        assert!(largest.is_some_and(|size| (4..=16).contains(&size)), "{largest:?}");
    }
    assert_eq!(sizes(RelId::TRUE), sizes(RelId::NEXT));
    let compared = agree(&sheet, 20, 5);
    assert_eq!(compared.steps, 4 * 20);
}

#[test]
fn negation_that_only_values_keep_apart() {
    // The plain evaluator takes relations as a whole, so the outcome is compared with what it must
    // be.
    let sheet = "(role r) (role q) (init (won r)) (<= (legal ?p go) (role ?p))
         (<= terminal (true (won ?p)))
         (<= (goal ?p 100) (true (won ?p)))
         (<= (goal ?p 0) (role ?p) (not (goal ?p 100)))";
    let prover = Prover::new(program(sheet), &Limits::default()).unwrap();
    let mut state = prover.start();
    assert!(prover.is_terminal(&mut state));
    let goals: Vec<Vec<&str>> = (0..2)
        .map(|role| {
            let values = prover.goals_of(&mut state, role);
            values.into_iter().map(|v| prover.program.symbols.name(v)).collect()
        })
        .collect();
    assert_eq!(goals, [["100"], ["0"]]);
}

#[test]
fn large_relations_are_only_evaluated_where_they_are_asked() {
    // All combinations would be 12^8 rows.
    let numbers: String = (0..12).map(|n| format!("(num {n})")).collect();
    let sheet = open_game(&format!(
        "{numbers}
         (<= (all ?a ?b ?c ?d ?e ?f ?g ?h) (num ?a) (num ?b) (num ?c) (num ?d)
             (num ?e) (num ?f) (num ?g) (num ?h) (not (true (at ?a))))
         (<= (one ?a ?b ?c ?d ?e ?f ?g ?h) (all ?a ?b ?c ?d ?e ?f ?g ?h) (true (at ?b)))
         (<= (next (hit ?n)) (true (at ?n)) (one 7 ?n 1 2 3 4 5 6))
         (<= (next miss) (true (at ?n)) (not (all ?n 1 1 2 3 4 5 6)))"
    ));
    let prover = Prover::new(program(&sheet), &Limits::default()).unwrap();
    let mut state = prover.start();
    for _ in 0..5 {
        let legal = prover.legal(&mut state, 0);
        prover.choose(&mut state, legal[0]);
        let facts = true_facts(&prover.program, &prover, &state);
        assert_eq!(facts.len(), 3, "{facts:?}");
    }
}

/// A sheet made up at random: relations in layers, each rule over relations of its layer or below.
fn random_sheet(rng: &mut Rng) -> String {
    const CONSTANTS: [&str; 4] = ["a", "b", "c", "d"];
    const VARIABLES: [&str; 4] = ["?x", "?y", "?z", "?w"];
    let mut below = |n: u32| rng.below(n) as usize;
    let arities: Vec<usize> = (0..7).map(|_| below(4)).collect();
    let mut sheet = String::new();
    for _ in 0..8 {
        let (a, b) = (CONSTANTS[below(4)], CONSTANTS[below(4)]);
        sheet += &format!("(base0 {a} {b}) (init (f {a} {b})) (init (g {b}))\n");
    }
    for layer in 0..arities.len() {
        for _ in 0..=below(3) {
            let mut body = String::new();
            let mut bound: Vec<&str> = Vec::new();
            let atom = |positive: bool,
                        bound: &mut Vec<&'static str>,
                        below: &mut dyn FnMut(u32) -> usize| {
                let term = |bound: &mut Vec<&'static str>, below: &mut dyn FnMut(u32) -> usize| {
                    if below(4) == 0 {
                        CONSTANTS[below(4)]
                    } else if positive {
                        let var = VARIABLES[below(4)];
                        bound.push(var);
                        var
                    } else if bound.is_empty() {
                        CONSTANTS[below(4)]
                    } else {
                        bound[below(bound.len() as u32)]
                    }
                };
                let kind = below(5);
                let (name, arity, tail) = match kind {
                    0 => ("(base0".to_owned(), 2, ")"),
                    1 => ("(true (f".to_owned(), 2, "))"),
                    2 => ("(true (g".to_owned(), 1, "))"),
                    _ => {
                        let reach = if positive { layer + 1 } else { layer };
                        if reach == 0 {
                            ("(base0".to_owned(), 2, ")")
                        } else {
                            let id = below(reach as u32);
                            if arities[id] == 0 {
                                return format!("p{id}");
                            }
                            (format!("(p{id}"), arities[id], ")")
                        }
                    }
                };
                let args: Vec<&str> = (0..arity).map(|_| term(bound, below)).collect();
                format!("{name} {}{tail}", args.join(" "))
            };
            for _ in 0..=below(3) {
                body += &format!(" {}", atom(true, &mut bound, &mut below));
            }
            for _ in 0..below(3) {
                body += &format!(" (not {})", atom(false, &mut bound, &mut below));
            }
            if bound.len() > 1 && below(3) == 0 {
                body += &format!(" (distinct {} {})", bound[0], bound[below(bound.len() as u32)]);
            }
            let args: Vec<&str> = (0..arities[layer])
                .map(|_| match bound.len() {
                    0 => CONSTANTS[below(4)],
                    n => bound[below(n as u32)],
                })
                .collect();
            let head = if args.is_empty() {
                format!("p{layer}")
            } else {
                format!("(p{layer} {})", args.join(" "))
            };
            sheet += &format!("(<= {head}{body})\n");
        }
    }
    for (id, &arity) in arities.iter().enumerate() {
        let vars = VARIABLES[..arity].join(" ");
        let atom = if arity == 0 { format!("p{id}") } else { format!("(p{id} {vars})") };
        match (arity, below(2)) {
            (1, _) => sheet += &format!("(<= (next (g ?x)) {atom})\n"),
            (2, 0) => sheet += &format!("(<= (next (f ?x ?y)) {atom} (does r ?a))\n"),
            (2, _) => sheet += &format!("(<= (legal r (do ?x ?y)) {atom})\n"),
            (3, _) => sheet += &format!("(<= (next (f ?x ?z)) {atom} (does r (do ?y ?z)))\n"),
            _ => sheet += &format!("(<= (next (g a)) (not {atom}))\n"),
        }
    }
    sheet
        + "(role r) (legal r wait) (<= (next (g ?y)) (does r (do ?x ?y)) (true (g ?x)))
             (<= (next (f ?x ?y)) (true (f ?y ?x)) (not (true (g ?x))))
             (init (h a b)) (init (h b b)) (init (h c a)) (init (h d c)) (init (h c d))
             (<= (next (h ?x ?y)) (true (h ?x ?y)) (does r (do ?z ?w)) (distinct ?x ?z)
                 (not (base0 ?y ?w)))
             (<= (next (h ?x ?y)) (true (h ?x ?y)) (true (g ?x)) (does r wait))
             (<= (next (h ?x a)) (true (h ?x b)) (does r (do ?z ?w)) (distinct ?x ?w))
             (<= (next (h ?x d)) (true (h ?x c)) (not (true (f ?x b))))
             (<= (next (h b ?y)) (true (h a ?y)) (not (true (f a ?y))))
             (<= terminal (not (true (g a))) (not (true (g b))))
             (<= (goal r 100) (true (f a a))) (<= (goal r 0) (not (true (f a a))))"
}

#[test]
fn random_sheets_agree() {
    let mut rng = Rng::stream(7, 7);
    let mut all = Compared::default();
    for seed in 0..300 {
        let sheet = random_sheet(&mut rng);
        let compared = agree(&sheet, 6, seed);
        all.steps += compared.steps;
        all.on_demand += compared.on_demand;
        all.fused += compared.fused;
        all.filters += compared.filters;
        all.kept += compared.kept;
    }
    assert!(all.steps > 3000 && all.on_demand > 300, "{} {}", all.steps, all.on_demand);
    assert!(all.fused > 100 && all.kept > 300, "{} {}", all.fused, all.kept);
    assert!(all.filters > 150, "{}", all.filters);
}
