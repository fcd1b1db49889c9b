//! The caller's limits on work and bytes of compiling, tested with descriptions that multiply
//! parts.

use allocation_counter::measure;
use play::{BuildFact, CompileError, Engine, Language, Limits, Rules};

use crate::LudemeEngine;
use crate::checks::files::catalogue;

/// Limits under which the whole catalogue compiles.
const LIMITS: Limits = Limits { work: 20_000_000, bytes: 128 << 20 };

/// Most bytes that may be left when a game is dropped: lists that are reused.
const MOST_LEFT: i64 = 16 << 20;

/// A game with a board, more equipment, and effects at the start and in a move.
fn game(board: &str, more: &str, start: &str, moves: &str) -> Rules {
    let text = format!(
        r#"(game "Much" (players 2)
            (equipment {{ {board} (piece "Disc" Each (move Step (to if:(is Empty (to))))) {more} }})
            (rules {start} (play {moves}) (end (if (= (count Moves) 1000000) (result Mover Win)))))"#
    );
    Rules::new(Language::Lud, "much", text)
}

/// Descriptions that demand much work by numbers or by nesting, one for each way to do so.
fn hostile() -> Vec<(&'static str, Rules)> {
    let square = "(board (square 3))";
    let add = "(move Add (to (sites Empty)))";
    let deep = |inner: &str| {
        (0..6).fold(inner.to_owned(), |inner, _| {
            format!("(forEach Value min:0 max:100 (forEach Site (sites Board) {inner}))")
        })
    };
    let asked = (0..5).fold("(= 1 (site))".to_owned(), |inner, _| {
        format!("(all Sites (sites Board) if:(or (= 1 (site)) {inner}))")
    });
    let parts = vec!["(set Var (+ (var) 1))"; 3000].join(" ");
    vec![
        (
            "pieces added by one move",
            game(square, "", "", r#"(move Add (piece "Disc1") (to (sites Board)) count:60000)"#),
        ),
        ("loops in a move", game(square, "", "", &deep(add))),
        ("loops in a condition", game(square, "", "", &format!("(if {asked} {add})"))),
        ("a large board", game("(board (square 100))", "", "", "(forEach Piece)")),
        (
            "stacks at the start",
            game(
                square,
                "",
                r#"(start (forEach Value min:0 max:1000
                    (place Stack "Disc1" (sites Board) count:60000)))"#,
                add,
            ),
        ),
        (
            "lines that cross",
            game(
                "(board (splitCrossings (merge (rectangle 30 30)
                    (shift 0.37 0.21 (rotate 17 (rectangle 30 30))))) use:Vertex)",
                "",
                "",
                add,
            ),
        ),
        ("a spiral", game("(board (spiral turns:30 sites:9000) use:Vertex)", "", "", add)),
        (
            "distances on a large board",
            game(
                "(board (square 100))",
                "",
                "",
                &format!(
                    "(forEach Site (sites Board)
                        (if (< 3 (count Steps (site) 9999)) {add}))"
                ),
            ),
        ),
        ("many pieces", game(square, "(hand Each size:9000)", "", add)),
        ("many effects", game(square, "", "", &format!("(move Pass (then (and {{{parts}}})))"))),
    ]
}

#[test]
fn whatever_is_multiplied_work_and_bytes_are_bound() {
    for (name, rules) in hostile() {
        let mut answer = Ok(0);
        let took = measure(|| {
            answer = LudemeEngine.compile(&rules, &LIMITS).map(|compiled| compiled.warnings.len());
        });
        let most = LIMITS.bytes + 3 * LIMITS.bytes / 10;
        assert!(took.bytes_max <= most, "{name}: {} bytes", took.bytes_max);
        assert!(took.bytes_current <= MOST_LEFT, "{name}: {} bytes are left", took.bytes_current);
        if let Err(error) = answer {
            assert_eq!(error.kind(), "too large", "{name}: {}", error.one_line(&rules.source));
        }
    }
}

/// The error of compiling with a number of steps of work; `None` if the description compiles.
fn refusal(rules: &Rules, work: u64) -> Option<String> {
    match LudemeEngine.compile(rules, &Limits { work, ..LIMITS }) {
        Ok(_) => None,
        Err(CompileError::TooLarge(text)) => Some(text),
        Err(error) => panic!("{}", error.one_line(&rules.source)),
    }
}

/// The fewest steps with which a description compiles.
fn steps(rules: &Rules) -> u64 {
    let (mut refused, mut taken) = (0, LIMITS.work);
    while taken - refused > 1 {
        let work = refused.midpoint(taken);
        *(if refusal(rules, work).is_some() { &mut refused } else { &mut taken }) = work;
    }
    taken
}

#[test]
fn work_is_counted_and_alike_each_time() {
    let game = |size: usize| {
        game(&format!("(board (square {size}))"), "", "", "(move Add (to (sites Empty)))")
    };
    let [small, large] = [9, 18].map(|size| steps(&game(size)));
    // Four times as many sites, each with longer lines.
    assert!((3 * small..40 * small).contains(&large), "{small} and {large}");
    assert_eq!(steps(&game(9)), small);
    let text = refusal(&game(9), small - 1).expect("one step less is too few");
    assert!(text.contains(&format!("more than {} steps of work", small - 1)), "{text}");
}

#[test]
fn the_catalogue_is_within_limits_and_tables_are_made_as_before() {
    let mut tabled = 0;
    for rules in catalogue() {
        let compiled = LudemeEngine.compile(&rules, &LIMITS);
        let name = rules.source.name();
        let game = compiled.unwrap_or_else(|e| panic!("{name}: {}", e.one_line(&rules.source)));
        let facts = &game.game.facts().build;
        tabled += facts.iter().filter(|(fact, _)| *fact == BuildFact::TabledPositions).count();
    }
    assert!(tabled >= 3, "only {tabled} games have tables");
}

/// Machine code takes more memory than anything else, and a game does without it if memory is
/// short.
#[test]
fn there_is_machine_code_where_there_is_memory_for_it() {
    let rules = game("(board (square 5))", "", "", "(move Add (to (sites Empty)))");
    let has_code = |limits: &Limits| {
        let compiled = LudemeEngine.compile(&rules, limits);
        let compiled = compiled.unwrap_or_else(|e| panic!("{}", e.one_line(&rules.source)));
        let facts = &compiled.game.facts().build;
        facts.iter().any(|(fact, _)| *fact == BuildFact::MachineCodeBytes)
    };
    assert!(has_code(&LIMITS));
    assert!(!has_code(&Limits { bytes: 1 << 20, ..LIMITS }));
}
