//! What the public library of descriptions asks for, in small games of ours: each is replayed from a
//! record that says what the reference does.

use ludeme::LudemeEngine;
use play::{Engine, Language, Limits, Rules};

/// Replays one game; its lines are joined to a record.
fn agrees(text: &str, lines: &[&str]) {
    let players = if text.contains("(players 1)") { 1 } else { 2 };
    let header = format!("{{\"game\":\"g.lud\",\"players\":{players}}}\n");
    let record = header + &lines.join("\n") + "\n";
    let rules = Rules::new(Language::Lud, "g.lud", text);
    let replay = LudemeEngine.replay(&rules, &record, &Limits::default());
    let replay = replay.unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    assert_eq!(replay.difference, None, "{text}");
    assert!(replay.agrees(), "{text}");
}

#[test]
fn effects_edges_and_owners_by_number() {
    // Vertices 0 and 1 are joined by edge 0, 0 and 2 by edge 1, 1 and 2 by none. A product is of a list.
    let text = r#"(game "Forms" (players 2)
        (equipment { (board (square 2) use:Vertex) (piece "Disc" Each) })
        (rules
            (play (move Add (to (sites Empty) if:(!= (edge 0 (to)) -1))
                (then (forEach Site (sites {3}) (apply if:(= 6 (* (array {1 2 3})))
                    (set Value Mover (edge (site) (last To))))))))
            (end (forEach Player if:(no Pieces of:(player)) (result Player Loss)))))"#;
    agrees(
        text,
        &[
            r#"{"trial":1,"start":"m1 ph0"}"#,
            r#"{"p":0,"mover":1,"n":2,"legal":"1>1 2>2","play":"1>1","state":"m0 ph0 1:1 | pval=2,-1"}"#,
            r#"{"end":"over","plies":1,"winner":1,"ranking":[1.0,2.0]}"#,
        ],
    );
    let text = text.replace("(no Pieces of:(player))", "(is Full)");
    agrees(
        &text,
        &[
            r#"{"trial":1,"start":"m1 ph0"}"#,
            r#"{"p":0,"mover":1,"n":2,"legal":"1>1 2>2","play":"1>1","state":"m2 ph0 1:1 | pval=2,-1"}"#,
            r#"{"p":1,"mover":2,"n":1,"legal":"2>2","play":"2>2","state":"m1 ph0 1:1 2:2 | pval=2,3"}"#,
            r#"{"end":"cut","plies":2,"winner":null,"ranking":null}"#,
        ],
    );
}
