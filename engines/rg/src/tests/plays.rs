//! Whole plays of small games: labels, scores, percepts, drawings.

use play::{Job, Limits, Player, Position, Rng, Turn, Via};

use super::{compiled, games, rules_of, searched};
use crate::search::Fault;

/// Plays labels from the initial position; chance draws from stream 0 of seed 1.
fn played(name: &str, text: &str, labels: &[&str]) -> Box<dyn Position> {
    let mut rng = Rng::stream(1, 0);
    let mut position = compiled(name, text).open(&mut rng);
    for label in labels {
        let legal = position.labels();
        let action = legal.iter().position(|legal| legal == label);
        let action = action.unwrap_or_else(|| panic!("{label} is not among {legal:?}"));
        position.play(action, &mut rng).expect("a legal action");
    }
    position
}

/// The scores of a position that is over.
fn scores(position: &dyn Position) -> Vec<i32> {
    assert_eq!(position.turn(), Turn::Over);
    position.scores().expect("scores").iter().collect()
}

#[test]
fn a_play_of_dominoes() {
    let begin = played("dominoes.hrg", games::DOMINOES, &[]);
    assert_eq!(begin.labels(), ["C0", "C1", "C2", "C3", "C4", "C5"]);
    let long = played("dominoes.hrg", games::DOMINOES, &["C0", "C2", "C4"]);
    assert_eq!(scores(&*long), [100, 0]);
    let short = played("dominoes.hrg", games::DOMINOES, &["C0", "C3"]);
    assert_eq!(scores(&*short), [0, 100]);
    let counts = crate::perft(&rules_of("dominoes.hrg", games::DOMINOES), &Limits::default(), 4);
    assert_eq!(counts.expect("counts"), [6, 18, 12, 0]);
}

#[test]
fn a_play_with_passes() {
    let over = played("passes.hrg", games::PASSES, &["C2", "pass", "C1", "pass", "pass"]);
    assert_eq!(scores(&*over), [0, 50]);
}

#[test]
fn a_play_of_three() {
    let over = played("three.hrg", games::THREE, &["T2", "T2", "T2", "T1"]);
    assert_eq!(scores(&*over), [0, 50, 50]);
}

#[test]
fn the_loop_comes_to_an_end() {
    let begin = played("ring.hrg", games::RING, &[]);
    let mut labels = begin.labels();
    labels.sort();
    assert_eq!(labels, ["R0", "R1", "R2", "R4", "R5"]);
}

#[test]
fn who_does_not_see_a_tag_is_not_told_it() {
    let told = |position: &dyn Position, player| -> Vec<String> {
        position.percepts().of(Player(player)).to_vec()
    };
    let hidden = played("cups.rg", games::CUPS, &["middle"]);
    assert_eq!((told(&*hidden, 0), told(&*hidden, 1)), (vec!["middle".to_owned()], vec![]));
    let over = played("cups.rg", games::CUPS, &["middle", "right"]);
    assert_eq!(told(&*over, 1), ["middle", "right"]);
    assert_eq!(scores(&*over), [100, 0]);
}

#[test]
fn scores_are_numbers_of_any_sign() {
    let text = "
        domain Player = a | b | c | d
        domain Score = 0 | Plus(N) where N in 1..20 | Minus(N) where N in 1..20 | minus3 | Nominus(4)
        graph rules() {
          player = a
          goals[a] = Plus(12)
          goals[b] = Minus(12)
          goals[c] = minus3
          goals[d] = Nominus(4)
          end()
        }";
    assert_eq!(scores(&*played("scores.hrg", text, &["pass"])), [12, -12, -3, 4]);
}

#[test]
fn squares_are_named_as_squares() {
    let text = "
        domain Player = one
        domain Score = 0 | 100
        domain Square = V(X, Y) where X in 0..1, Y in 0..1
        domain Piece = empty | stone
        board : Square -> Piece = { :empty; V(0, 0) = stone }
        from : Square
        to : Square
        graph rules() {
          player = one
          from = Square(*)
          check(board[from] == stone)
          $$ from
          to = Square(*)
          check(board[to] == empty)
          $$ to
          board[from] = empty
          board[to] = stone
          $_mark
          player = keeper
          if board[V(1, 1)] == stone { goals[one] = 100 }
          end()
        }";
    let begin = played("slide.hrg", text, &[]);
    assert_eq!(begin.labels(), ["a1a2", "a1b1", "a1b2"]);
    let after = played("slide.hrg", text, &["a1b2"]);
    assert_eq!(scores(&*after), [100]);
    assert!(after.draw().contains("  2  . s\n  1  . .\n     a b\n"), "{}", after.draw());
}

#[test]
fn the_automaton_is_drawn() {
    let game = compiled("cups.rg", games::CUPS);
    let dot = game.dot(100).expect("a drawing").expect("a small one");
    for line in [
        "\"begin\" [shape=doublecircle];",
        "\"hide\" -> \"hide1\" [label=\"player = hider\", style=bold];",
        "\"hide1\" -> \"hide2\" [label=\"ball = {left, middle, right}(*)\"];",
        "\"judge\" -> \"found\" [label=\"guess == ball\"];",
    ] {
        assert!(dot.contains(line), "{line} is not in\n{dot}");
    }
    assert_eq!(game.dot(5).expect("a number").err(), Some(16));
}

#[test]
fn tags_that_only_tell_moves_apart_are_shown_behind_the_others() {
    let text = "
        domain Player = one
        domain Score = 0 | 1
        domain Hand = left | right
        hand : Hand
        graph rules() {
          player = one
          branch {
            branch side in Hand { $_side hand = side }
            $ take
          } or {
            $ take
            $_2
            $ two
          }
          player = keeper
          if hand == right { goals[one] = 1 }
          end()
        }";
    let begin = played("take.hrg", text, &[]);
    let mut labels = begin.labels();
    labels.sort();
    assert_eq!(labels, ["take two", "take#left", "take#right"]);
    assert_eq!(scores(&*played("take.hrg", text, &["take#right"])), [1]);
}

/// The fault that a game of one player ends with is in its drawing, and its playouts are stuck.
fn fails(edges: &str, fault: Fault) {
    let head = "type Player = { a }; type Score = { 0, 1 }; type N = { 0, 1 }; var n: N = 0;";
    let text = format!("{head} {edges}");
    let game = searched("fault.rg", &text);
    let mut position = game.open(&mut Rng::stream(1, 0));
    for _ in 0..10 {
        if position.actions() == 0 {
            break;
        }
        position.play(0, &mut Rng::stream(1, 0)).expect("a legal action");
    }
    assert_ne!(position.turn(), Turn::Over, "{fault:?}");
    let drawing = position.draw();
    assert!(drawing.contains(&format!("fault: {}", fault.text())), "{fault:?}: {drawing}");
    let job = Job { seed: 1, first: 0, count: 3, cap: 100 };
    let tally = game.run(&job, Via::Reference);
    assert_eq!((tally.playouts, tally.stuck), (3, 3), "{fault:?}");
    // Code does not compare the results of moves that have equal tags.
    let tally = compiled("fault.rg", &text).run(&job, Via::Fast);
    let stuck = if fault == Fault::Ambiguous { 0 } else { 3 };
    assert_eq!((tally.playouts, tally.stuck), (3, stuck), "{fault:?} by code");
}

#[test]
fn faults_end_a_play() {
    for (fault, edges) in [
        (
            Fault::KeeperChooses,
            "begin, p: player = a; p, fork: player = keeper;
            fork, l: $ l; fork, r: $ r; l, end: player = keeper; r, end: player = keeper;",
        ),
        (
            Fault::KeeperLoops,
            "begin, p: player = a; p, on: player = keeper; on, back: player = keeper;
            back, on: player = keeper; on, end: n == 1;",
        ),
        (
            Fault::Ambiguous,
            "begin, p: player = a; p, q: n = N(*); q, r: $ go; r, s: player = keeper;
            s, t: n == 0; s, u: n == 1; u, t: goals[a] = 1; t, end: player = keeper;",
        ),
        (
            Fault::NobodyMoves,
            "type PlayerOrSystem = { a, keeper, random, nobody };
            begin, p: player = a; p, q: player = nobody; q, end: player = keeper;",
        ),
        (Fault::WithoutEnd, "begin, p: player = a; p, q: $ t; q, p: ; q, end: player = keeper;"),
        (Fault::WithoutEnd, "begin, p: player = a; p, q: ? p -> q; q, end: player = keeper;"),
    ] {
        fails(edges, fault);
    }
}

#[test]
fn a_keeper_that_goes_in_a_circle_is_a_fault() {
    let text = "type Player = { a }; type Score = { 0 };
        begin, p: player = a; p, q: $ go; q, r: player = keeper; r, s: player = keeper;
        s, r: player = keeper; s, end: goals[a] != 0;";
    let job = Job { seed: 1, first: 0, count: 2, cap: 9 };
    for game in [compiled("circle.rg", text), searched("circle.rg", text)] {
        let tally = game.run(&job, Via::Reference);
        assert_eq!((tally.playouts, tally.stuck), (2, 2));
        let mut position = game.open(&mut Rng::stream(1, 0));
        position.play(0, &mut Rng::stream(1, 0)).expect("a legal action");
        assert!(position.draw().contains(Fault::KeeperLoops.text()), "{}", position.draw());
    }
}

/// A loop within one move of the keeper that comes back to the same state is no move, and is found
/// out at once; one that ends after many rounds is a move.
#[test]
fn a_keeper_that_comes_back_to_the_same_state_has_no_move() {
    let job = Job { seed: 1, first: 0, count: 1000, cap: 9 };
    for (rounds, stuck) in [
        ("while n != next[n] { n = next[n] }", 1000),
        ("while m != K(4) { n = next[n] if n == K(0) { m = next[m] } }", 0),
    ] {
        let text = format!(
            "domain Player = a
            domain Score = 0 | 1
            domain N = K(X) where X in 0..4
            next : N -> N
            next(K(X)) = K((X + 1) % 5)
            n : N
            m : N
            graph rules() {{ player = a $ go player = keeper {rounds} end() }}"
        );
        let begin = std::time::Instant::now();
        let code = compiled("round.hrg", &text);
        for (game, via) in [
            (&code, Via::Fast),
            (&code, Via::Reference),
            (&searched("round.hrg", &text), Via::Reference),
        ] {
            let tally = game.run(&job, via);
            assert_eq!((tally.playouts, tally.stuck), (1000, stuck), "{rounds} {via:?}");
        }
        assert!(begin.elapsed().as_secs() < 20, "{rounds}: {:?}", begin.elapsed());
        assert!(code.ir().is_some(), "the game has code");
    }
}

#[test]
fn a_player_without_moves_is_stuck() {
    let text = "type Player = { a }; type Score = { 0 };
        begin, p: player = a; p, end: goals[a] != 0;";
    let game = compiled("stuck.rg", text);
    let tally = game.run(&Job { seed: 1, first: 0, count: 2, cap: 9 }, Via::Fast);
    assert_eq!((tally.playouts, tally.stuck), (2, 2));
}

/// Code does not compare results: what players see is known where the search knows the move.
#[test]
fn equal_tags_with_different_results_are_a_fault_where_players_do_not_see() {
    let text = "type Player = { a }; type Score = { 0, 1 }; type N = { 0, 1 }; var n: N = 0;
        begin, v: visible[a] = 0; v, p: player = a; p, q: n = N(*); q, r: $ go;
        r, s: player = keeper; s, t: n == 0; s, u: n == 1; u, t: goals[a] = 1;
        t, end: player = keeper;";
    let mut position = played("hidden.rg", text, &[]);
    assert_eq!(position.labels(), ["go"]);
    position.play(0, &mut Rng::stream(1, 0)).expect("a legal action");
    assert_eq!(position.actions(), 0);
    assert!(position.draw().contains("equal tags"), "{}", position.draw());
    let game = compiled("hidden.rg", text);
    let job = Job { seed: 1, first: 0, count: 5, cap: 9 };
    assert_eq!(game.run(&job, Via::Fast), game.run(&job, Via::Reference));
}

/// Chance draws from the moves in the order of code before the first choice, too, and players see
/// what it drew.
#[test]
fn what_is_seen_before_the_first_choice_is_what_happened() {
    let text = "
        domain Player = a | b
        domain Score = 0 | 1
        domain Card = C(N) where N in 1..20
        domain Side = left | right
        isHigh : Card -> Bool
        isHigh(C(N)) = if N > 5 && N < 12 then 1 else 0
        visible : Player -> Bool = {:0}
        card : Card
        side : Side
        graph rules() {
          player = random
          card = Card(*)
          branch { check(isHigh[card] == 1) $ hi } or { check(isHigh[card] == 0) $ lo }
          $$ card
          player = random
          visible[a] = 1
          side = Side(*)
          $$ side
          $$ card
          player = keeper
          visible[a] = 0
          visible[b] = 1
          $ dealt
          player = a
          branch { $ stay } or { $ go }
          player = keeper
          if isHigh[card] == 1 { goals[a] = 1 }
          end()
        }";
    let game = compiled("cards.hrg", text);
    for seed in 0..20 {
        let mut rng = Rng::stream(seed, 0);
        let position = game.open(&mut rng);
        let seen = |player| position.percepts().of(Player(player)).to_vec();
        let drawing = position.draw();
        let value = |name: &str| {
            let line = drawing.lines().find_map(|line| line.strip_prefix(&format!("{name} = ")));
            line.expect("a variable").to_owned()
        };
        assert_eq!(seen(1), ["dealt"]);
        assert!(seen(0)[0].ends_with(&value("card")), "{:?} {drawing}", seen(0));
    }
    let job = Job { seed: 1, first: 0, count: 200, cap: 9 };
    let fast = game.run(&job, Via::Fast);
    assert_eq!(fast, game.run(&job, Via::Reference));
    assert_eq!(fast.plies, 200);
}

/// Forced passes are many, and so is the work of finding out that there is nothing else.
#[test]
fn passes_without_end_take_no_more_work_than_is_allowed() {
    let text = "type Player = { a }; type Score = { 0 };
        begin, p: player = a; p, q: player = a; q, p: player = a; q, end: goals[a] != 0;";
    let automaton = crate::front::read(&rules_of("passes.rg", text).source).0.expect("it is sound");
    let limits = Limits { work: 4000, ..Limits::default() };
    let game = play::Adapted::boxed(crate::engine::reference(automaton, &limits));
    let tally = game.run(&Job { seed: 1, first: 0, count: 1, cap: 9 }, Via::Reference);
    assert_eq!((tally.playouts, tally.stuck, tally.plies), (1, 1, 0));
}

/// If little work is allowed, a large automaton is played by the search.
#[test]
fn large_automata_have_no_code_where_little_work_is_allowed() {
    let text = "
        domain Player = a
        domain Score = 0 | 1
        domain N = K(X) where X in 0..999
        n : N
        next : N -> N
        next(K(X)) = K((X + 1) % 1000)
        graph rules() {
          player = a
          branch name in N { $ name check(n != name) n = name n = next[n] }
          player = keeper
          end()
        }";
    let refused = |work| {
        let limits = Limits { work, ..Limits::default() };
        let automaton = crate::front::read(&rules_of("wide.hrg", text).source).0;
        let reference = crate::engine::reference(automaton.expect("it is sound"), &limits);
        crate::engine::code(&reference, &limits).err()
    };
    assert_eq!(refused(20_000), Some("it has too many edges to be analysed"));
    assert_eq!(refused(2_000_000_000), None);
}

/// The same change by a move without tags, which is a pass, and by one with a tag.
#[test]
fn passes_are_told_from_moves_that_do_the_same() {
    let text = "type Player = { a }; type Score = { 0 };
        begin, r: player = random; r, r1: $ x; r, r2: $ y; r1, r2: player = a;
        r2, g: player = a; g, h: $ m; h, end: player = keeper;";
    let game = compiled("same.rg", text);
    let job = Job { seed: 1, first: 0, count: 50, cap: 9 };
    let fast = game.run(&job, Via::Fast);
    assert_eq!(fast, game.run(&job, Via::Reference));
    assert_eq!((fast.plies, fast.stuck), (50, 0));
}

/// Slides of which only the length and the ends are tagged are told apart by where they end, unless
/// two ways lead to the same cell: then tags are compared as moves are listed.
#[test]
fn slides_that_meet_are_one_move() {
    let counts = |text: &str| {
        let rules = rules_of("slides.hrg", text);
        let searched = crate::perft(&rules, &Limits::default(), 3).expect("counts");
        let coded = crate::perft_by_code(&rules, &Limits::default(), 3).expect("counts");
        assert_eq!(coded.as_ref(), Some(&searched));
        searched[0]
    };
    let compares = |text: &str| {
        let program = compiled("slides.hrg", text).ir().expect("there is code");
        program.contains("seen[")
    };
    let (flat, tube) = (games::slides(), games::slides_on_a_tube());
    assert_eq!([counts(&flat), counts(&tube)], [6, 7]);
    assert_eq!([compares(&flat), compares(&tube)], [false, true]);
}
