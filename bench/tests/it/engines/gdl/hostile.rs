//! Rule files are hostile input: whatever they hold, the front end and the prover give an answer,
//! in bounded time and without a panic.

use std::fs;
use std::ops::Range;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::engines::gdl::answer::answer;
use gdl::ProverEngine;
use play::{CompileError, Engine, Job, Language, Limits, Rng, Rules};
use text::Source;

/// Small sheets of our own that use all of the language.
const SHEETS: [&str; 3] = [
    "; a comment with ( brackets\n(role white) (role black)\n(init (cell 1 1 b)) (init (step 0))\n\
     (succ 0 1) (succ 1 2) (succ 2 3)\n\
     (<= (legal ?p (move ?x ?y)) (role ?p) (true (cell ?x ?y b)) (not (true (blocked ?x))))\n\
     (<= (legal ?p noop) (role ?p))\n\
     (<= (next (cell ?y ?x ?c)) (true (cell ?x ?y ?c)) (or (does white noop) (does black noop)))\n\
     (<= (next (cell ?x ?y w)) (does ?p (move ?x ?y)))\n\
     (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))\n\
     (<= terminal (true (step 3)))\n\
     (<= (goal white 100) (true (cell 1 1 w)))\n(<= (goal white 0) (not (goal white 100)))\n\
     (<= (goal black 50) (role black) (distinct white black))",
    "(role r) (init (list nil)) (init (at (pos 1 2)))\n\
     (<= (legal r (push ?x)) (item ?x)) (item a) (item b)\n\
     (<= (next (list (cons ?x ?l))) (true (list ?l)) (does r (push ?x)))\n\
     (<= (next (at (pos ?y ?x))) (true (at (pos ?x ?y))))\n\
     (<= (in ?x ?l) (part (cons ?x ?l)))\n(<= (part ?l) (true (list ?l)))\n\
     (<= (part ?l) (part (cons ?x ?l)))\n\
     (<= terminal (part (cons a (cons b ?l))))\n(<= (goal r 100) (in b ?l))\n(goal r 10)",
    "(role random) (role r) (init (tree 0)) (edge 0 1) (edge 1 2) (edge 2 0)\n\
     (<= (reach ?x ?y) (edge ?x ?y)) (<= (reach ?x ?z) (reach ?x ?y) (edge ?y ?z))\n\
     (<= (legal r ?y) (true (tree ?x)) (reach ?x ?y)) (<= (legal random (roll ?n)) (edge ?n ?m))\n\
     (<= (next (tree ?y)) (does r ?y) (does random (roll ?y)))\n\
     (<= (next (tree ?x)) (true (tree ?x)) (does random ?a) (does r ?b) (distinct ?a (roll ?b)))\n\
     (<= terminal (true (tree 2)) (not other)) (<= other (true (tree ?x)) (not (true (tree 2))))\n\
     (<= (goal r 100) terminal) (<= (base (tree ?x)) (edge ?x ?y)) (<= (input r ?x) (edge ?x ?y))",
];

/// The catalogue's own rule files, where there are any, and [`SHEETS`].
fn sheets() -> Vec<String> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../games/catalogue"));
    let mut files: Vec<_> = fs::read_dir(folder)
        .map(|entries| entries.flatten().map(|e| e.path().join("rules.kif")).collect())
        .unwrap_or_default();
    files.sort();
    let texts = files.iter().filter_map(|file| fs::read_to_string(file).ok());
    SHEETS.iter().map(|&s| s.to_owned()).chain(texts).collect()
}

/// Changes a text a little: bytes, words and stretches are deleted, doubled, swapped or replaced.
fn mutate(text: &str, rng: &mut Rng) -> String {
    let mut words: Vec<&str> = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let is_word = |c: char| !c.is_whitespace() && c != '(' && c != ')';
        let end = match rest.find(|c| !is_word(c)) {
            Some(0) => rest.chars().next().map_or(1, char::len_utf8),
            Some(end) => end,
            None => rest.len(),
        };
        let (word, tail) = rest.split_at(end);
        words.push(word);
        rest = tail;
    }
    const SPICE: [&str; 16] = [
        "(", ")", "?x", "?y", "true", "does", "not", "or", "distinct", "<=", "\u{e9}", ";", "\"",
        "(f ?x)", "()", "random",
    ];
    for _ in 0..=rng.below(3) {
        let n = words.len() as u32;
        let (i, j) = (rng.below(n) as usize, rng.below(n) as usize);
        match rng.below(6) {
            0 => _ = words.remove(i),
            1 => words[i] = words[j],
            2 => words.swap(i, j),
            3 => words[i] = SPICE[rng.below(SPICE.len() as u32) as usize],
            4 => words.insert(i, SPICE[rng.below(SPICE.len() as u32) as usize]),
            _ => {
                let stretch: Vec<&str> = words[i..(i + 20).min(words.len())].to_vec();
                words.splice(j..j, stretch);
            }
        }
        if words.is_empty() {
            break;
        }
    }
    words.concat()
}

/// Answers the mutants with these numbers; every so many sound ones are played and grounded too.
fn answer_mutants(numbers: Range<u64>, seed: u64, play_every: u64) -> [u64; 3] {
    let sheets = sheets();
    let [mut sound, mut played, mut grounded] = [0; 3];
    for number in numbers {
        let mut rng = Rng::stream(seed, number);
        let text = mutate(&sheets[number as usize % sheets.len()], &mut rng);
        let begun = Instant::now();
        let found = answer(text, number, number % play_every == 0);
        let took = begun.elapsed();
        if took > Duration::from_secs(5) {
            eprintln!("mutant {number} of seed {seed} took {took:?}");
        }
        sound += u64::from(found.sound);
        played += u64::from(found.played);
        grounded += u64::from(found.grounded);
        if number % 10_000 == 9999 {
            eprintln!(
                "{} mutants: {sound} sound, {played} played, {grounded} grounded",
                number + 1
            );
        }
    }
    [sound, played, grounded]
}

#[test]
fn mutants_are_answered() {
    // Most of the time goes into playing, so only some are played.
    let [sound, played, grounded] = answer_mutants(0..4_000, 2, 40);
    assert!(sound > 200 && played > 8 && grounded > 8, "{sound} {played} {grounded}");
}

/// Tests as many mutants as `MUTANTS` says, from number `MUTANT_FIRST` on, by the seed that
/// `MUTANT_SEED` says; one in ten is played and grounded, if it is sound.
#[test]
#[ignore = "takes as long as it is told to"]
fn many_mutants_are_answered() {
    let number = |name: &str, default| -> u64 {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let first = number("MUTANT_FIRST", 0);
    let numbers = first..first + number("MUTANTS", 100_000);
    answer_mutants(numbers, number("MUTANT_SEED", 3), 10);
}

/// Limits for a person who waits: work is counted in steps of 10 to 100 ns, so some seconds.
const LIMITED: Limits = Limits { bytes: 1 << 30, work: 50_000_000 };

fn refuse(sheet: &str) -> CompileError {
    let rules = Rules::new(Language::Kif, "x.kif", sheet);
    ProverEngine.compile(&rules, &LIMITED).unwrap_err()
}

const FRAME: &str = "(role r) (init on) (legal r go) (<= terminal (true off)) (goal r 0)";

/// Rules of a nonogram with one word wrong. With a smaller key for what is asked on demand a rule
/// asks in another order, in which it knows a column more, and with the larger key one less.
const KEYS_IN_TURN: &str = "(role solver) (file 1 a) (rank 5 5) (follows 4 5)
    (step (file a) 0 full) (step (rank 5) 0 full)
    (end (file a) 1) (end (file b) 4) (end (rank 5) 1)
    (<= (on (file ?f) ?r ?f ?r) (file ?k ?f) (rank ?r ?r))
    (<= (blank ?l ?q ?q) (end ?l ?q))
    (<= (may_be_blank ?l ?k) (on ?l ?k ?f ?r) (not (true (full ?f ?r))))
    (<= (latest ?l 5 ?q) (end ?l ?q))
    (<= (fits ?l ?q ?q) (latest ?l ?k ?q))
    (<= (begins ?l 0 0) (end ?l ?q))
    (<= (goes_on ?l 5 ?q) (end ?l ?q))
    (<= (goes_on ?l ?k ?q) (goes_on ?l ?j ?p) (follows ?k ?j) (blank ?l ?q ?p) (fits ?l ?k ?q)
        (may_be_blank ?l ?j))
    (<= (can_be_full ?l ?j) (begins ?l ?k ?q) (step ?l ?q full) (follows ?k ?j) (follows ?q ?p)
        (goes_on ?l ?j ?p))
    (<= (legal solver (fill ?f ?r)) (file ?k ?f) (rank ?r ?r) (not (true (full ?f ?r)))
        (can_be_full (file ?f) ?r) (can_be_full (rank ?r) ?k))
    (<= (next (full ?f ?r)) (does solver (fill ?f ?r)))";

#[test]
fn keys_on_demand_are_found_where_one_leads_to_another() {
    let rules = Rules::new(Language::Kif, "x.kif", KEYS_IN_TURN);
    assert!(ProverEngine.compile(&rules, &LIMITED).is_ok(), "it took for ever");
}

#[test]
fn deep_nesting_is_an_error() {
    for (open, close) in [("(not ", ")"), ("(f ", ")"), ("(or ", ")")] {
        let depth = 100_000;
        let sheet = format!(
            "{FRAME} (<= (next on) (true {} x {}))",
            open.repeat(depth),
            close.repeat(depth)
        );
        assert_eq!(refuse(&sheet).kind(), "invalid");
    }
}

#[test]
fn huge_arities_and_bodies_are_taken() {
    let arguments: String = (0..20_000).map(|i| format!(" ?v{i}")).collect();
    let constants: String = (0..20_000).map(|i| format!(" c{}", i % 7)).collect();
    let literals: String = (0..20_000).map(|i| format!(" (p c{})", i % 7)).collect();
    let facts: String = (0..7).map(|i| format!("(p c{i})")).collect();
    let sheet = format!(
        "{FRAME} (q{constants}) {facts} (<= (next on) (q{arguments}))
         (<= (next off) (true on){literals}) (<= (next (big{arguments})) (q{arguments}))"
    );
    let rules = Rules::new(Language::Kif, "x.kif", sheet);
    let compiled = ProverEngine.compile(&rules, &Limits::default()).unwrap();
    let tally = compiled.game.run(&Job { seed: 1, first: 0, count: 2, cap: 5 }, play::Via::Fast);
    assert_eq!((tally.playouts, tally.stuck), (2, 0));
}

#[test]
fn a_cross_product_that_nobody_can_ask_in_parts_is_too_large() {
    let numbers: String = (0..40).map(|n| format!("(n {n})")).collect();
    let sheet = format!(
        "{FRAME} {numbers} (<= (next (all ?a ?b ?c ?d ?e ?f)) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) \
         (n ?f))
         (<= (legal r (do ?a ?b ?c ?d ?e ?f)) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (n ?f))"
    );
    assert_eq!(refuse(&sheet).kind(), "too large");
}

/// The reason why grounding fails; the sheet itself is sound.
fn refuse_to_ground(sheet: &str, limits: &Limits) -> String {
    let program = gdl::check(&Source::new("x.kif", sheet)).program.expect("it is sound");
    match gdl::ground::ground(&program, limits) {
        Err(CompileError::TooLarge(reason)) => reason,
        Err(other) => panic!("{other:?}"),
        Ok(grounding) => panic!("{} atoms", grounding.program.atoms),
    }
}

#[test]
fn a_grounding_that_explodes_stops_at_its_limits_and_says_where() {
    let numbers: String = (0..60).map(|n| format!("(n {n})")).collect();
    let sheet = format!(
        "{FRAME} {numbers} (<= (next (at ?a)) (true on) (n ?a))
         (<= (next (all ?a ?b ?c ?d)) (true (at ?a)) (true (at ?b)) (true (at ?c)) (true (at ?d)))"
    );
    let work = Limits { work: 1_000_000, ..Limits::default() };
    let reason = refuse_to_ground(&sheet, &work);
    assert!(reason.contains("the 1000000 steps of work allowed are used up"), "{reason}");
    assert!(reason.contains("the rule (<= (next (all ?a ?b ?c ?d))"), "{reason}");
    let bytes = Limits { bytes: 8 << 20, ..Limits::default() };
    let reason = refuse_to_ground(&sheet, &bytes);
    assert!(reason.contains("the 8 MiB allowed are used up"), "{reason}");
    let endless = format!("{FRAME} (init (n zero)) (<= (next (n (s ?x))) (true (n ?x)))");
    let reason = refuse_to_ground(&endless, &Limits::default());
    assert!(reason.contains("terms nest deeper than"), "{reason}");
}

/// Through ten thousand relations and back to the first, once without and once with a `not` on the
/// way.
#[test]
fn long_cycles_are_walked_without_recursion() {
    let links: String = (0..10_000).map(|i| format!("(<= p{i} p{})\n", i + 1)).collect();
    let sheet = |last: &str| {
        Source::new("x.kif", format!("{FRAME} {links} (<= p10000 {last}) (<= (next off) p0)"))
    };
    assert!(gdl::check(&sheet("p0")).program.is_some());
    let checked = gdl::check(&sheet("(not p0)"));
    assert!(checked.program.is_none());
    assert!(checked.diagnostics.iter().any(|d| d.code == "negation-cycle"));
}

/// A chain of so many rules.
fn chain(rules: usize) -> Rules {
    let all: String =
        (0..rules).map(|i| format!("(<= (p{i}) (p{}) (not (true (q {i}))))\n", i + 1)).collect();
    Rules::new(
        Language::Kif,
        "x.kif",
        format!("{FRAME} {all} (<= p{rules} (true on)) (<= (next off) p0)"),
    )
}

fn play_chain(rules: usize) {
    let compiled = ProverEngine.compile(&chain(rules), &Limits::default()).unwrap();
    let tally = compiled.game.run(&Job { seed: 1, first: 0, count: 2, cap: 5 }, play::Via::Fast);
    assert_eq!((tally.playouts, tally.stuck), (2, 0));
}

#[test]
fn ten_thousand_rules_are_taken() {
    play_chain(10_000);
}

#[test]
#[ignore = "takes some ten seconds"]
fn a_hundred_thousand_rules_are_taken() {
    play_chain(100_000);
}

#[test]
#[ignore = "takes about a minute"]
fn a_million_rules_are_more_than_is_taken() {
    let error = ProverEngine.compile(&chain(1_000_000), &Limits::default()).unwrap_err();
    assert_eq!(error.kind(), "too large", "{error:?}");
    let checked = gdl::check(&chain(1_000_000).source);
    let grounding = gdl::ground::ground(&checked.program.unwrap(), &Limits::default()).unwrap();
    assert!(grounding.program.rules.len() > 1_000_000);
}
