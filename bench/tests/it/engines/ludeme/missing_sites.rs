//! Sites that the board lacks: nothing stands there, whatever is asked of them, by the reference
//! and by the fast path. Those of small boards end within one word of a set, or just at its end.

use play::{Job, Via};

use super::common::compiled;

/// Conditions that ask something of a site.
const CONDITIONS: [&str; 18] = [
    "(>= (size Stack at:N) 1)",
    "(>= (count at:N) 1)",
    "(>= (count Pieces All in:(sites {N})) 1)",
    "(!= (what at:N) 0)",
    "(= (who at:N) 1)",
    "(= (state at:N) 1)",
    "(= (value Piece at:N) 1)",
    "(is Occupied N)",
    "(is Enemy (who at:N))",
    "(is In N (sites Occupied by:All))",
    "(is In (last To) (sites {N}))",
    "(is Line 2 through:N)",
    "(is Connected at:N {(sites Left) (sites Right)})",
    "(is Related Adjacent N 4)",
    "(is Within (id \"Disc\" Mover) in:(sites {N}))",
    "(>= (size Group at:N) 1)",
    "(>= (count Liberties at:N) 1)",
    "(not (all Sites (sites {N}) if:(is Empty (site))))",
];

/// Sites beyond boards of nine sites, and of 64: those at the ends of words of sets, and those that
/// would have pieces if words were counted round.
const MISSING: [i32; 5] = [-1, 64, 68, 128, 389];

fn game(side: u32, stacks: bool, condition: &str) -> String {
    let (stack, count) = if stacks { ("Stack", "count:2") } else { ("", "") };
    let place = |piece, site| format!(r#"(place {stack} "{piece}" {site} {count})"#);
    let start = place("Disc1", 0) + &place("Disc2", 4);
    format!(
        r#"(game "Beyond" (players 2)
            (equipment {{ (board (square {side})) (piece "Disc" Each) }})
            (rules (start {{{start}}})
                (play (move Add (piece (id "Disc" Mover) state:1) (to (sites Empty))))
                (end {{(if {condition} (result P1 Win)) (if (is Full) (result P2 Win))}})))"#
    )
}

#[test]
fn sites_that_the_board_lacks_are_empty() {
    let job = Job { seed: 1, first: 0, count: 8, cap: 80 };
    for condition in CONDITIONS {
        for (side, stacks) in [(3, false), (3, true), (8, false)] {
            let never = compiled("never", &game(side, stacks, "(= 1 2)")).run(&job, Via::Reference);
            for site in MISSING {
                let text = game(side, stacks, &condition.replace('N', &site.to_string()));
                let game = compiled("beyond", &text);
                for via in [Via::Reference, Via::Fast] {
                    assert_eq!(game.run(&job, via), never, "{via:?} of {text}");
                }
            }
        }
    }
}
