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

/// The track of the first player comes by site 1 on its way out and on its way back.
const CROSSING: &str = r#"(game "Crossing" (players 2)
    (equipment {
        (board (rectangle 1 4) {
            (track "Out1" "0,E,2,W,End" P1 directed:True) (track "Out2" "3,W,End" P2 directed:True)
        })
        (piece "Runner" Each
            (if (= (trackSite Move from:(from) steps:1) End)
                (move Remove (from))
                (move (from) (to (trackSite Move from:(from) steps:1) if:(!= (to) -1)))))
    })
    (rules
        (start { (place "Runner1" 0) (place "Runner2" 3) })
        (play (if (is Mover P1) (forEach Piece) (move Pass)))
        (end (if (no Pieces P1) (result P1 Win)))))"#;

#[test]
fn places_on_tracks_that_cross_themselves() {
    // To the end and back: from site 2 it goes on to 3 the first time and to 1 the second time.
    let mut lines = vec![r#"{"trial":1,"start":"m1 ph0 0:1 3:2"}"#.to_owned()];
    let way = [0, 1, 2, 3, 2, 1, 0];
    for (ply, step) in way.windows(2).enumerate() {
        let (from, to) = (step[0], step[1]);
        // The other piece is replaced when it is met.
        let other = if ply < 2 { " 3:2" } else { "" };
        lines.push(format!(
            r#"{{"p":{},"mover":1,"n":1,"legal":"{from}>{to}","play":"{from}>{to}","state":"m2 ph0 {to}:1{other}"}}"#,
            2 * ply
        ));
        lines.push(format!(
            r#"{{"p":{},"mover":2,"n":1,"legal":"pass","play":"pass","state":"m1 ph0 {to}:1{other}"}}"#,
            2 * ply + 1
        ));
    }
    lines
        .push(r#"{"p":12,"mover":1,"n":1,"legal":"0>0","play":"0>0","state":"m0 ph0"}"#.to_owned());
    lines.push(r#"{"end":"over","plies":13,"winner":1,"ranking":[1.0,2.0]}"#.to_owned());
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    agrees(CROSSING, &lines);
}

#[test]
fn a_level_that_stays_where_it_is_stays_below() {
    let text = r#"(game "Stay" (players 2)
        (equipment { (board (rectangle 1 2)) (piece "Disc" Each) })
        (rules
            (start { (place Stack items:{"Disc1" "Disc2"} 0) })
            (play (move (from (sites {0}) level:0) (to (sites {0 1}))))
            (end (if (is Full) (result Mover Win)))))"#;
    agrees(
        text,
        &[
            r#"{"trial":1,"start":"m1 ph0 0:1/2"}"#,
            r#"{"p":0,"mover":1,"n":2,"legal":"0@0>0 0@0>1","play":"0@0>0","state":"m2 ph0 0:1/2"}"#,
            r#"{"p":1,"mover":2,"n":2,"legal":"0@0>0 0@0>1","play":"0@0>1","state":"m0 ph0 0:2 1:1"}"#,
            r#"{"end":"over","plies":2,"winner":2,"ranking":[2.0,1.0]}"#,
        ],
    );
}
