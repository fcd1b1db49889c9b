//! Descriptions that nobody would write: no panic, no hang, bounded memory.

use std::path::Path;
use std::time::{Duration, Instant};

use play::{Engine, Job, Language, Limits, Rng, Rules, Via};
use proptest::prelude::*;
use rbg::{RbgEngine, check};

use crate::engines::rbg::common::compiled;

const RACE: &str = "
    #players = white(100), black(100)
    #pieces = e, w, b
    #variables = steps(9)
    #board = rectangle(up,down,left,right, [b,b,b] [e,,e] [w,w,w])
    #any = ((up* + down*)(left* + right*))
    #turn(me; own; opp; dir) =
        ->me any {own} [e] dir ({e} + (left + right) {e, opp~x}) ->>
        [own] [$ steps = steps + 1] [$ me = 100]
        ( {? dir (dir {e})* } {$ steps < 9} + {! dir} ->> {} )
    #x = 1
    #rules = (turn(white; w; b; up) turn(black; b; w; down))*
";

const LINE: &str = "
    #players = a(100), z(50)
    #pieces = e, x, o
    #variables =
    #board = hexagon(NW,NE,E,SE,SW,W, [e] [e,e] [e,e,e] [e,e])
    #any = ((NW* + SE*)(SW* + NE*)(W* + E*))
    #near = (NW + NE + E + SE + SW + W)
    #go(me; p) = ->me any {e} . ->> [p]
        ( {! (near {p})* {! NW}} + {? (near {p})^2 } [$ me = 1 * 2 / 2 + x] ->> {} )
    #rules = ( go(a; x) go(z; o) )*
";

/// Rows, rows of just so many, and connections of pieces that are only put.
const STONES: &str = "
    #players = a(100), z(100)
    #pieces = e, x, o
    #variables = n(9)
    #board = rectangle(up,down,left,right, [e,e,e,e,e] [e,e,e,e,e] [e,e,e,e,e] [e,e,e,e,e] \
    [e,e,o,e,e])
    #any = ((up* + down*)(left* + right*))
    #near = (up + down + left + right)
    #row(p; back; on) = (back {p})* (on {p})^2
    #just(p; back; on) = (back {p})* {! back {p}} (on {p})^2 {! on {p}}
    #rows(p) = (row(p; left; right) + row(p; up; down) + row(p; up left; down right) + row(p; up \
    right; down left))
    #justs(p) = (just(p; left; right) + just(p; up; down) + just(p; up left; down right) + \
    just(p; up right; down left))
    #joined(p; side) = (near {p})* {! side}
    #rules = ( ->a any {e} ->> [x] ( {! rows(x)} + {? rows(x)} [$ a = 90] ->> {} )
            ( {! joined(x; up)} + {? joined(x; up)} {$ n < 9} [$ n = n + 1] )
        ->z any {e} ->> [o] ( {! justs(o)} + {? justs(o)} {? joined(o; left)} [$ z = 60] ->> {} + \
        {? justs(o)} ) )*
";

const GRAPH: &str = "
    #players = one(3)
    #pieces = p, q
    #variables = n(5), m(1)
    #board = v1[p]{next: v2, back: v3} v2[q]{next: v3} v3[p]{next: v1, back: v2}
    #rules = ->one ( {$ n < 5} [$ n = n + 1] (next [q] + back [p, q]) )* ->> [$ one = q]
";

/// Reads, compiles and plays a little, within small limits.
fn survive(text: &str) {
    let rules = Rules::new(Language::Rbg, "hostile.rbg", text);
    for diagnostic in check(&rules) {
        assert!(!diagnostic.render(&rules.source).is_empty());
    }
    let limits = Limits { bytes: 64 << 20, work: 3_000_000 };
    match RbgEngine.compile(&rules, &limits) {
        Ok(compiled) => {
            let job = Job { seed: 1, first: 0, count: 4, cap: 40 };
            let tally = compiled.game.run(&job, Via::Fast);
            assert_eq!(tally.playouts, 4);
            assert_eq!(tally, compiled.game.run(&job, Via::Interpreted), "{text}");
            assert_eq!(tally, compiled.game.run(&job, Via::Reference), "{text}");
        }
        Err(error) => assert!(!error.one_line(&rules.source).is_empty()),
    }
}

#[test]
fn the_descriptions_that_are_changed_are_sound() {
    for text in [RACE, LINE, STONES, GRAPH] {
        let text = text.replace("opp~x", "opp").replace(" + x]", "]");
        let rules = Rules::new(Language::Rbg, "sound.rbg", text);
        let effort = play::kit::Effort { playouts: 100, ..Default::default() };
        let report = play::kit::check(&*compiled(&rules), &effort);
        assert!(report.faults.is_empty(), "{:?}", report.faults);
    }
}

/// Texts built around one way to ask for too much.
#[test]
fn moves_that_cannot_be_listed_after_all_leave_nothing_behind() {
    // The keeper's switch again and again, behind which the moves' last edges were written already.
    survive(&STONES.replace("->> [o]", "->> *[o]"));
}

#[test]
fn demands_without_bound_are_refused() {
    let game = |pieces: &str, board: &str, rules: &str| {
        format!(
            "#players = p(9), q(9)\n#pieces = {pieces}\n#variables = v(9)\n#board = {board}\n\
             {rules}"
        )
    };
    let small = "rectangle(u,d,l,r, [e,e,e] [e,e,e])";
    let row = format!("[{}]", vec!["e"; 64].join(","));
    let large = format!("rectangle(u,d,l,r, {})", row.repeat(64));
    let doubling: String =
        (1..60).map(|i| format!("#m{i} = m{} m{}\n", i - 1, i - 1)).collect::<String>();
    let chain: String = (1..500).map(|i| format!("#m{i} = m{} u\n", i - 1)).collect();
    let texts = [
        game("e, x", small, &format!("#m0 = u\n{doubling}#rules = m59")),
        game("e, x", small, &format!("#m0 = u\n{chain}#rules = m499")),
        game("e, x", small, "#rules = ->p u^4000000000 ->>"),
        game("e, x", small, "#rules = ->p (((u^1000)^1000)^1000)^1000 ->>"),
        game("e, x", small, &format!("#rules = {}u{}", "(".repeat(100_000), ")".repeat(100_000))),
        game("e, x", small, &format!("#rules = {}u{}", "{?".repeat(190), "}".repeat(190))),
        game("e, x", small, &format!("#rules = u{}", "*".repeat(100_000))),
        game("e, x", small, &format!("#rules = [$ v = 1{}]", "+1".repeat(100_000))),
        game("e, x", &format!("rectangle(u,d,l,r, {})", row.repeat(5000)), "#rules = u"),
        // Endless moves, endless keepers, endless choices.
        game("e, x", small, "#rules = ->p ([x] + [e])* ->q"),
        game("e, x", small, "#rules = ->> (->>)* ->p"),
        game("e, x", small, "#rules = (->> [x] ->> [e])* ->p"),
        game(
            "e, x",
            small,
            "#rules = ->p ((u+d+l+r) ([x] + [e]))* {x} ->q {?((u+d+l+r) ([x]+[e]))* {x}{e}} ->p",
        ),
        game(
            "e, x",
            &large,
            "#rules = ->p ((u+d+l+r) ([x] + [e]) {? [e] ((u+d) [x])* })* {e}{x} ->q",
        ),
        game("e, x", &large, "#rules = (->p (((u*+d*)(l*+r*))* {e})^50 ->q)*"),
        game(
            "e, x",
            &large,
            "#rules = (->p {? ((u+d) {e} + (l+r){x})* ((u+r)*(l+d)*{x})*} ->q \
             ((u+d+l+r)*{e})*[x])*",
        ),
    ];
    for text in texts {
        survive(&text);
    }
}

/// Splits into words, numbers and marks, blanks kept.
fn pieces_of(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for c in text.chars() {
        match out.last_mut() {
            Some(last) if c.is_alphanumeric() && last.chars().all(char::is_alphanumeric) => {
                last.push(c);
            }
            _ => out.push(c.to_string()),
        }
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn changed_descriptions_are_survived(
        which in 0usize..4,
        changes in prop::collection::vec((any::<u16>(), any::<u16>(), 0u8..5), 1..6),
    ) {
        let mut tokens = pieces_of([RACE, LINE, STONES, GRAPH][which]);
        for (at, other, how) in changes {
            let (at, other) = (usize::from(at) % tokens.len(), usize::from(other) % tokens.len());
            match how {
                0 => { tokens.remove(at); }
                1 => tokens.insert(at, tokens[other].clone()),
                2 => tokens.swap(at, other),
                3 => tokens[at] = tokens[other].clone(),
                _ => tokens.insert(at, "*".to_owned()),
            }
            if tokens.is_empty() { break }
        }
        survive(&tokens.concat());
    }

    #[test]
    fn noise_is_survived(text in "[#=a-e(){}\\[\\];,~^0-9*+$!?>. \n-]{0,200}") {
        survive(&text);
        survive(&format!("{RACE}{text}"));
    }
}

/// The catalogue's descriptions, sorted, and those above.
fn originals() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../games/catalogue");
    let mut all: Vec<String> = std::fs::read_dir(folder)
        .expect("the catalogue")
        .filter_map(|game| std::fs::read_to_string(game.ok()?.path().join("rules.rbg")).ok())
        .collect();
    assert!(all.len() >= 30, "only {} descriptions", all.len());
    all.sort();
    all.extend([RACE, LINE, STONES, GRAPH].map(str::to_owned));
    all
}

/// A text with one to four small changes.
fn mutate(text: &str, rng: &mut Rng) -> String {
    let mut tokens = pieces_of(text);
    for _ in 0..=rng.below(4) {
        let place = |rng: &mut Rng, tokens: &[String]| rng.below(tokens.len() as u32) as usize;
        let (at, other) = (place(rng, &tokens), place(rng, &tokens));
        match rng.below(7) {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(at, tokens[other].clone()),
            2 => tokens.swap(at, other),
            3 => {
                let token = tokens[other].clone();
                tokens[at] = token;
            }
            4 => tokens.insert(at, "*".to_owned()),
            5 => tokens.insert(at, ["^9", "->>", "{?", "{!", "+", "0", "~"][other % 7].to_owned()),
            _ => {
                // A line, or what follows on it, once more somewhere else.
                let end =
                    tokens[at..].iter().position(|t| t == "\n").map_or(tokens.len(), |n| at + n);
                let piece = tokens[at..end].to_vec();
                tokens.splice(other..other, piece);
            }
        }
        if tokens.is_empty() {
            break;
        }
    }
    tokens.concat()
}

/// Survives so many mutations; the longest that one took.
fn survive_mutations(rounds: usize, seed: u64) -> (Duration, String) {
    let originals = originals();
    let mut rng = Rng::stream(seed, 3);
    let mut slowest = (Duration::ZERO, String::new());
    for round in 0..rounds {
        let text = mutate(&originals[round % originals.len()], &mut rng);
        let begun = Instant::now();
        survive(&text);
        if begun.elapsed() > slowest.0 {
            slowest = (begun.elapsed(), text);
        }
    }
    slowest
}

#[test]
fn mutations_of_the_catalogue_are_survived() {
    survive_mutations(300, 1);
}

/// `MUTATIONS=100000 SEED=1 cargo test --release -p bench --test it engines::rbg::hostile:: --
/// --ignored --nocapture`
#[test]
#[ignore = "takes minutes"]
fn many_mutations_are_survived() {
    let number = |name: &str, default| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let (rounds, seed) = (number("MUTATIONS", 100_000), number("SEED", 1));
    let (longest, text) = survive_mutations(rounds as usize, seed);
    println!("{rounds} mutations; the slowest took {longest:?}:\n{text}");
    // Where the system tells it: the most memory that was in use.
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        let peak = status.lines().find(|line| line.starts_with("VmHWM"));
        println!("{}", peak.unwrap_or_default());
    }
    assert!(longest < Duration::from_mins(1), "a hang: {longest:?}");
}
