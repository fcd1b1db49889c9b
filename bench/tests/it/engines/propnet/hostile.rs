//! Rule files that nobody should have written: a stated limit or a clear error, quickly, and never
//! a panic.

use super::common::{EVALUATORS, catalogue, compile, kif, sheet};
use play::{BuildFact, Engine, Job, Limits, Rng, Via};
use propnet::{Evaluator, PropnetEngine};

const SMALL: Limits = Limits { work: 1_000_000, bytes: 1 << 30 };

#[test]
fn a_huge_cross_product_is_too_large() {
    let possible = "(<= (next (q ?n)) (true (p 0)) (d ?n)) ";
    let numbers: Vec<String> = (0..60).map(|i| format!("(d {i})")).collect();
    let text = "(role r) (legal r noop) (init (p 0)) (<= (next ?x) (true ?x))".to_owned()
        + possible
        + &numbers.concat()
        + "(<= (next (all ?a ?b ?c ?d ?e ?f)) (true (q ?a)) (true (q ?b)) (true (q ?c))
                 (true (q ?d)) (true (q ?e)) (true (q ?f)))";
    let error = compile(&PropnetEngine::default(), &kif("t.kif", &text), &SMALL).err().unwrap();
    assert!(error.starts_with("too large: grounding: the 1000000 steps of work"), "{error}");
    assert!(error.contains("into the rule (<= (next (all ?a ?b ?c ?d ?e ?f))"), "{error}");
    let memory = Limits { bytes: 4 << 20, ..Limits::default() };
    let error = compile(&PropnetEngine::default(), &kif("t.kif", &text), &memory).err().unwrap();
    assert!(error.contains("the 4 MiB allowed are used up"), "{error}");
}

/// A network takes more work than its grounding, and other memory: both are asked for before it is
/// made.
#[test]
fn a_network_beyond_the_limits_is_too_large() {
    let rules = sheet("hex-9x9");
    let program = gdl::check(&rules.source).program.expect("it is sound");
    let grounding = gdl::ground::ground(&program, &SMALL).expect("it is small");
    let just = Limits { work: grounding.effort.work + 1, ..SMALL };
    let little = Limits { bytes: 1 << 20, ..SMALL };
    for limits in [just, little] {
        let error = compile(&PropnetEngine::default(), &rules, &limits).err().unwrap();
        assert!(error.starts_with("too large: network: 1526 ground rules"), "{error}");
    }
    let batch = PropnetEngine { evaluator: Evaluator::Batch };
    let enough = Limits { bytes: 2 << 20, ..SMALL };
    assert!(compile(&PropnetEngine::default(), &rules, &enough).is_ok());
    assert!(compile(&batch, &rules, &enough).is_err(), "what plays side by side takes more");
}

/// The states of positions are in memory while all are explored: there is no table where they take
/// more than a share of what is allowed.
#[test]
fn positions_are_explored_in_the_memory_that_there_is() {
    let rules = sheet("tic-tac-toe-3x3");
    let engines: [&dyn Engine; 2] = [&PropnetEngine::default(), &gdl::ProverEngine];
    for engine in engines {
        let tabled = |limits: &Limits| {
            let game = compile(engine, &rules, limits).expect("it is small");
            game.facts().built(BuildFact::TabledPositions)
        };
        assert!(tabled(&Limits::default()).is_some());
        assert_eq!(tabled(&Limits { bytes: 4 << 20, ..Limits::default() }), None);
    }
}

/// Numbers go by their value and words by their characters: 5, 10, 4x and 5 again would be a
/// circle.
#[test]
fn names_that_begin_like_numbers_have_an_order() {
    let names = (1..=16).map(|n| n.to_string()).chain(["4x".to_owned()]);
    let names: String = names.map(|name| format!("(n {name}) ")).collect();
    let text = format!(
        "(role r) {names} (<= (init (at ?x ?y)) (n ?x) (n ?y)) (<= (legal r (go ?x ?y)) (n ?x) (n ?y))
         (<= (next (at ?x ?y)) (does r (go ?x ?y))) (<= terminal (true (at 1 1))) (goal r 0)"
    );
    assert!(compile(&PropnetEngine::default(), &kif("t.kif", &text), &SMALL).is_ok());
}

#[test]
fn terms_that_grow_without_end_are_too_large() {
    let text = "(role r) (legal r a) (init (n zero)) (<= (next (n (s ?x))) (true (n ?x)))";
    let error =
        compile(&PropnetEngine::default(), &kif("t.kif", text), &Limits::default()).err().unwrap();
    assert!(error.contains("terms nest deeper than 1000"), "{error}");
}

#[test]
fn rules_that_say_little_still_play() {
    // Nobody can do anything; and a game that is over before it begins, without goals.
    for (text, stuck) in [
        ("(role r) (init p) (<= (legal r a) (true q)) (<= (next q) (does r a))", 1),
        ("(role r) (init p) (legal r a) (<= terminal (true p))", 0),
    ] {
        let text = format!("{text} (<= (goal r 100) (true nothing)) (<= (next nothing) (true q))");
        for evaluator in EVALUATORS {
            let engine = PropnetEngine { evaluator };
            let game = compile(&engine, &kif("t.kif", &text), &SMALL).unwrap();
            let job = Job { seed: 1, first: 0, count: 4, cap: 9 };
            for via in [Via::Fast, Via::Reference] {
                let tally = game.run(&job, via);
                assert_eq!((tally.playouts, tally.stuck, tally.plies), (4, 4 * stuck, 0), "{text}");
            }
        }
    }
}

/// Rules by which `a` always passes and `b` may choose after so many steps, counted in binary.
fn choice_after(steps: u32) -> String {
    let mut text = String::from(
        "(role a) (role b) (legal a noop) (legal b noop) (init (off 0)) (carry 0)
         (<= (legal b go) due) (<= (next done) (does b go)) (<= terminal (true done))
         (<= (goal a 0) (true done)) (<= (goal b 100) (true done)) (goal b 0) ",
    );
    let mut due = String::new();
    for bit in 0..14 {
        text += &format!(
            "(<= (carry {}) (carry {bit}) (true (on {bit})))
             (<= (next (on {bit})) (carry {bit}) (not (true (on {bit}))))
             (<= (next (on {bit})) (true (on {bit})) (not (carry {bit}))) ",
            bit + 1
        );
        let on = format!("(true (on {bit}))");
        due += &if steps >> bit & 1 == 1 { on } else { format!("(not {on})") };
    }
    text + &format!("(<= due {due})")
}

/// The limit of forced passes in a row is crossed by the pass of `a`, just before `b` would choose,
/// or just not.
#[test]
fn endless_passes_are_given_up_in_the_same_place() {
    let job = Job { seed: 1, first: 0, count: 4, cap: 20 };
    let mut capped = Vec::new();
    for steps in [4999, 5000] {
        let rules = kif("t.kif", &choice_after(steps));
        let tallies = EVALUATORS.map(|evaluator| {
            let game = compile(&PropnetEngine { evaluator }, &rules, &SMALL).unwrap();
            let tally = game.run(&job, Via::Fast);
            assert_eq!(tally, game.run(&job, Via::Reference), "{evaluator:?}");
            tally
        });
        assert_eq!(tallies[0], tallies[1]);
        capped.push(tallies[0].capped);
    }
    // Those who did not choose to go pass on until they are given up.
    assert!((1..4).contains(&capped[0]) && capped[1] == 4, "{capped:?}");
}

fn mutated(text: &str, rng: &mut Rng) -> String {
    let mut words: Vec<&str> = text.split_inclusive([' ', '(', ')', '\n']).collect();
    for _ in 0..=rng.below(3) {
        let (a, b) =
            (rng.below(words.len() as u32) as usize, rng.below(words.len() as u32) as usize);
        match rng.below(4) {
            0 => words[a] = words[b],
            1 => words.swap(a, b),
            2 => words.insert(a, words[b]),
            _ => {
                words.remove(a);
            }
        }
    }
    words.concat()
}

#[test]
fn mutations_of_the_catalogue_never_panic() {
    let sheets = catalogue();
    let mut rng = Rng::stream(0x6d75_7461, 0);
    let (mut played, mut refused) = (0, 0);
    let limits = Limits { work: 300_000, bytes: 64 << 20 };
    for round in 0..400 {
        let text = mutated(sheets[round % sheets.len()].source.text(), &mut rng);
        let evaluator = if round % 3 == 0 { Evaluator::Event } else { Evaluator::Batch };
        match compile(&PropnetEngine { evaluator }, &kif("mutant.kif", &text), &limits) {
            Ok(game) => {
                played += 1;
                let job = Job { seed: 1, first: 0, count: 3, cap: 50 };
                assert_eq!(game.run(&job, Via::Fast), game.run(&job, Via::Reference), "{text}");
            }
            Err(_) => refused += 1,
        }
    }
    assert!(played > 50 && refused > 50, "{played} played, {refused} refused");
}
