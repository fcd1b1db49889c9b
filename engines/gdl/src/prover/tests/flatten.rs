//! Rules before and after terms are flattened.

use expect_test::{Expect, expect};

use super::program;
use crate::datalog::flat::{FlatAtom, FlatLiteral, FlatProgram, FlatTerm};
use crate::program::{Program, RelId};

fn check(sheet: &str, expected: Expect) {
    let program = program(&format!(
        "(role r) (<= terminal (true over)) (goal r 0) (<= (legal r go) (role r)) {sheet}"
    ));
    let flat = FlatProgram::new(&program, &[RelId::NEXT], (100, u64::MAX)).unwrap();
    let rules: Vec<String> = flat
        .rules
        .iter()
        .filter(|rule| flat.relations[rule.head.relation.index()].relation == RelId::NEXT)
        .map(|rule| {
            let body: Vec<String> = rule
                .body
                .iter()
                .map(|literal| match literal {
                    FlatLiteral::Positive(atom) => show(&program, &flat, atom),
                    FlatLiteral::Negative(atom) => format!("not {}", show(&program, &flat, atom)),
                    FlatLiteral::Differ(pairs) => {
                        let pairs = pairs.iter().map(|(a, b)| {
                            format!("{} /= {}", term(&program, a), term(&program, b))
                        });
                        pairs.collect::<Vec<String>>().join(" or ")
                    }
                })
                .collect();
            format!("{} <- {}", show(&program, &flat, &rule.head), body.join(", "))
        })
        .collect();
    expected.assert_eq(&rules.join("\n"));
}

/// The relation with the number of its variant, and the columns.
fn show(program: &Program, flat: &FlatProgram, atom: &FlatAtom) -> String {
    let relation = flat.relations[atom.relation.index()].relation;
    let variant = flat.of(relation).position(|id| id == atom.relation).unwrap();
    let columns: Vec<String> = atom.columns.iter().map(|c| term(program, c)).collect();
    format!("{}.{variant}({})", program.relation_name(relation), columns.join(" "))
}

fn term(program: &Program, term_: &FlatTerm) -> String {
    match term_ {
        FlatTerm::Var(var) => format!("?{var}"),
        FlatTerm::Const(symbol) => program.symbols.name(*symbol).to_owned(),
        FlatTerm::Pattern(functor, args) => {
            let args: Vec<String> = args.iter().map(|a| term(program, a)).collect();
            format!("{}({})", program.symbols.name(*functor), args.join(" "))
        }
    }
}

#[test]
fn fluents_become_relations_of_their_arguments() {
    check(
        "(init (cell 1 2 b)) (init (at (pos 1 2))) (init on)
         (<= (next (cell ?y ?x ?c)) (true (cell ?x ?y ?c)) (distinct ?c b))
         (<= (next (at (pos ?y ?x))) (true (at (pos ?x ?y))) (not (true (cell ?x ?y b))))",
        expect![[r#"
            next.1(?1 ?0 ?2) <- true.1(?0 ?1 ?2), ?2 /= b
            next.2(?1 ?0) <- true.2(?0 ?1), not true.1(?0 ?1 b)"#]],
    );
}

#[test]
fn a_variable_for_a_fluent_makes_a_rule_for_each_kind_of_fluent() {
    check(
        "(init (cell 1 b)) (init (step 1)) (init on) (keeps on) (keeps (step 1))
         (<= (next ?f) (true ?f) (keeps ?f))
         (<= (next (last ?a)) (does ?r ?a) (not (keeps ?a)))",
        expect![[r#"
            next.0(?0) <- true.0(?0), keeps.0(?0)
            next.2(?0) <- true.2(?0), keeps.1(?0)
            next.3(?1) <- does.0(?0 ?1), not keeps.0(?1)"#]],
    );
}

#[test]
fn terms_that_nest_in_themselves_stay_whole() {
    check(
        "(init (count zero)) (<= (next (count (s ?n))) (true (count ?n)))
         (<= (next (count ?n)) (true (count (s ?n))) (distinct ?n (s zero)))",
        expect![[r#"
            next.0(s(?0)) <- true.0(?0)
            next.0(?0) <- true.0(s(?0)), ?0 /= s(zero)"#]],
    );
}

#[test]
fn distinct_is_decided_where_shapes_decide_it() {
    check(
        "(init (is a)) (init (is (f a b))) (init (is (g a)))
         (<= (next (both ?x ?y)) (true (is ?x)) (true (is ?y)) (distinct ?x ?y))",
        expect![[r#"
            next.3(?0 ?1) <- true.0(?0), true.0(?1), ?0 /= ?1
            next.4(?0 ?1 ?2) <- true.0(?0), true.1(?1 ?2)
            next.5(?0 ?1) <- true.0(?0), true.2(?1)
            next.6(?0 ?1 ?2) <- true.1(?0 ?1), true.0(?2)
            next.7(?0 ?1 ?2 ?3) <- true.1(?0 ?1), true.1(?2 ?3), ?1 /= ?3 or ?0 /= ?2
            next.8(?0 ?1 ?2) <- true.1(?0 ?1), true.2(?2)
            next.9(?0 ?1) <- true.2(?0), true.0(?1)
            next.10(?0 ?1 ?2) <- true.2(?0), true.1(?1 ?2)
            next.11(?0 ?1) <- true.2(?0), true.2(?1), ?0 /= ?1"#]],
    );
}
