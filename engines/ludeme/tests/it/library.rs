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

#[test]
fn whose_a_stack_is_the_top_says() {
    // Of the stacks with a Coin, that of site 0 has a piece of the same player on top.
    let text = r#"(game "Tops" (players 2)
        (equipment { (board (rectangle 1 3)) (piece "Coin" P1) (piece "Lid" Each) })
        (rules
            (start {
                (place Stack items:{"Coin1" "Lid1"} 0)
                (place Stack items:{"Coin1" "Lid2"} 1)
            })
            (play (move Select (from (sites Occupied by:P1 component:"Coin"))))
            (end (if (is Full) (result Mover Win)))))"#;
    agrees(
        text,
        &[
            r#"{"trial":1,"start":"m1 ph0 0:1/2 1:1/3"}"#,
            r#"{"p":0,"mover":1,"n":1,"legal":"0>0","play":"0>0","state":"m2 ph0 0:1/2 1:1/3"}"#,
            r#"{"end":"cut","plies":1,"winner":null,"ranking":null}"#,
        ],
    );
}

#[test]
fn elements_of_three_types() {
    // Edges of two cells in a row: 0 1 below, 2 3 4 upright, 5 6 above. Whoever closes a cell claims it.
    let text = r#"(game "Elements" (players 2)
        (equipment { (board (rectangle 1 2)) (piece "Disc" Each) })
        (rules
            (start (set P2 Vertex (sites {0 5})))
            (play (move Add (to Edge (sites Empty Edge))
                (then (forEach Site (sites Incident Cell of:Edge at:(last To))
                    (if (all Sites (sites Incident Edge of:Cell at:(site)) if:(is Occupied Edge (site)))
                        (and (claim (to Cell (site))) (set Score Mover (count Sites in:
                            (sites Occupied by:P2 on:Vertex)))))))))
            (end (if (is Full) (result Mover Win)))))"#;
    let mut lines = vec![r#"{"trial":1,"start":"m1 ph0 V0:2 V5:2"}"#.to_owned()];
    let mut owned = [0; 7];
    for (ply, edge) in [0, 2, 3, 5].into_iter().enumerate() {
        let mover = ply % 2 + 1;
        let legal = (0..7).filter(|&e| owned[e] == 0).map(|e| format!("E{e}>E{e}"));
        let legal: Vec<String> = legal.collect();
        owned[edge] = mover;
        let edges = (0..7).filter(|&e| owned[e] != 0).map(|e| format!(" E{e}:{}", owned[e]));
        let cell = if ply == 3 { " 0:2" } else { "" };
        let score = if ply == 3 { " | score=0,2" } else { "" };
        lines.push(format!(
            r#"{{"p":{ply},"mover":{mover},"n":{},"legal":"{}","play":"E{edge}>E{edge}","state":"m{} ph0{cell} V0:2 V5:2{}{score}"}}"#,
            legal.len(),
            legal.join(" "),
            3 - mover,
            edges.collect::<String>(),
        ));
    }
    lines.push(r#"{"end":"cut","plies":4,"winner":null,"ranking":null}"#.to_owned());
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    agrees(text, &lines);
}

/// Whether a condition of the end rules holds once these sites have been played on in turn, by two
/// players who put pieces on empty sites, or on any where they stack them.
fn ends(board: &str, condition: &str, sites: &[usize], stacks: bool) -> bool {
    let add = if stacks { "(sites Board)) stack:True" } else { "(sites Empty))" };
    let text = format!(
        r#"(game "Ends" (players 2) (equipment {{ (board {board}) (piece "Disc" Each) }})
            (rules (play (move Add (piece (mover)) (to {add})) (end (if {condition} (result Mover Win)))))"#
    );
    let game = crate::common::compiled("ends.lud", &text);
    let mut chance = play::Drawn::new(play::Rng::stream(1, 1));
    let mut position = game.open(&mut chance);
    for (ply, &site) in sites.iter().enumerate() {
        assert!(position.actions() > 0, "{condition} holds at ply {ply}");
        // Sites are listed in order.
        let taken = sites[..ply].iter().filter(|&&other| !stacks && other < site).count();
        position.play(site - taken, &mut chance).expect("a legal move");
    }
    position.actions() == 0
}

#[test]
fn lines_in_stacks() {
    let line = |more: &str, sites: &[usize]| {
        ends("(rectangle 1 3)", &format!("(is Line 3 {more})"), sites, true)
    };
    // Three of the first player on one site, which is a line of levels alone.
    let upright = [0, 1, 0, 1, 0];
    assert!(line("byLevel:True", &upright));
    assert!(!line("", &upright));
    // One on each site, of which one lies below a piece of the other.
    let row = [0, 0, 1, 1, 2];
    assert!(line("byLevel:True", &row) && line("", &row));
    assert!(!line("top:True", &row));
    // Stairs: the first player's on levels 0, 1 and 2.
    let stairs = [0, 1, 1, 2, 0, 2, 2];
    assert!(line("byLevel:True", &stairs));
    let broken = [0, 1, 1, 2, 2];
    assert!(line("", &broken) && !line("byLevel:True", &broken));
}

#[test]
fn patterns_loops_and_families() {
    // The first player has 0, 1, 3, 4 of a board of three by three, then one of them is the other's.
    let square = "(is Pattern {F R F R F})";
    assert!(ends("(square 3)", square, &[0, 8, 1, 7, 3, 5, 4], false));
    assert!(!ends("(square 3)", square, &[0, 8, 1, 4, 3, 7, 5], false));
    // The neighbours of the middle of a board of five by five; then one of them is the other's.
    let ring = [7, 0, 11, 1, 13, 2, 17];
    assert!(ends("(square 5)", "(is Loop)", &ring, false));
    assert!(!ends("(square 5)", "(is Loop)", &[7, 0, 11, 1, 13, 17, 3], false));
    // The first player joins the left and the right side, and so also two corners.
    let row = [0, 3, 1, 4, 2];
    assert!(ends("(square 3)", "(is Connected 2 Corners)", &row, false));
    assert!(!ends("(square 3)", "(is Connected 3 Corners)", &row, false));
    assert!(ends("(square 3)", "(is Connected 3 Sides)", &row, false));
    assert!(!ends("(square 3)", "(is Connected 2 SidesNoCorners)", &row, false));
}

#[test]
fn pieces_are_laid_beside_others_without_a_board() {
    // The middle of squares of 5 by 5 is site 12.
    let text = r#"(game "Beside" (players 2)
        (equipment { (boardless Square 5) (tile "Tile" Each numSides:4) })
        (rules (play (move Add (to (sites Playable)))) (end (if (is Line 3) (result Mover Win)))))"#;
    agrees(
        text,
        &[
            r#"{"trial":1,"start":"m1 ph0"}"#,
            r#"{"p":0,"mover":1,"n":1,"legal":"12>12","play":"12>12","state":"m2 ph0 12:1"}"#,
            r#"{"p":1,"mover":2,"n":8,"legal":"11>11 13>13 16>16 17>17 18>18 6>6 7>7 8>8","play":"6>6","state":"m1 ph0 6:2 12:1"}"#,
            r#"{"end":"cut","plies":2,"winner":null,"ranking":null}"#,
        ],
    );
}

#[test]
fn pieces_are_found_by_their_local_state() {
    // The first piece with the local state 1 is on site 5; there is none with 3.
    let text = r#"(game "Where" (players 2)
        (equipment { (board (square 3)) (piece "Cube" Each) })
        (rules
            (start { (place "Cube1" 7 state:2) (place "Cube1" 5 state:1) (place "Cube1" 2 state:1) })
            (play (or
                (move Remove (where "Cube" P1 state:1))
                (if (= -1 (where "Cube" P1 state:3)) (move Pass))))
            (end (if (is Full) (result Mover Win)))))"#;
    agrees(
        text,
        &[
            r#"{"trial":1,"start":"m1 ph0 2:1s1 5:1s1 7:1s2"}"#,
            r#"{"p":0,"mover":1,"n":2,"legal":"5>5 pass","play":"5>5","state":"m2 ph0 2:1s1 7:1s2"}"#,
            r#"{"p":1,"mover":2,"n":2,"legal":"2>2 pass","play":"pass","state":"m1 ph0 2:1s1 7:1s2"}"#,
            r#"{"end":"cut","plies":2,"winner":null,"ranking":null}"#,
        ],
    );
}

#[test]
fn conditions_on_all_groups() {
    // A move must not make a group of three of one's own, whatever the others have.
    let text = r#"(game "Groups" (players 2)
        (equipment { (board (rectangle 1 5)) (piece "Disc" Each) })
        (rules
            (start { (place "Disc1" 0) (place "Disc1" 1) (place "Disc2" 4) })
            (play (do (move Add (to (sites Empty)))
                ifAfterwards:(all Groups Orthogonal of:(is Mover (who at:(to)))
                    if:(> 3 (count Sites in:(sites))))))
            (end (if (is Full) (result Mover Win)))))"#;
    agrees(
        text,
        &[
            r#"{"trial":1,"start":"m1 ph0 0:1 1:1 4:2"}"#,
            r#"{"p":0,"mover":1,"n":1,"legal":"3>3","play":"3>3","state":"m2 ph0 0:1 1:1 3:1 4:2"}"#,
            r#"{"p":1,"mover":2,"n":1,"legal":"2>2","play":"2>2","state":"m0 ph0 0:1 1:1 2:2 3:1 4:2"}"#,
            r#"{"end":"over","plies":2,"winner":2,"ranking":[2.0,1.0]}"#,
        ],
    );
}

#[test]
fn a_hand_without_a_name_is_nobodys() {
    let text = r#"(game "Hands" (players 2)
        (equipment { (board (rectangle 1 2)) (piece "Disc" Each) (hand Each) })
        (rules
            (start (place "Disc" "Hand"))
            (play (or (move (from (sites Hand)) (to (sites Empty))) (move Pass)))
            (end (if (is Full) (result Mover Win)))))"#;
    agrees(
        text,
        &[
            r#"{"trial":1,"start":"m1 ph0 2:1 3:2"}"#,
            r#"{"p":0,"mover":1,"n":1,"legal":"pass","play":"pass","state":"m2 ph0 2:1 3:2"}"#,
            r#"{"end":"cut","plies":1,"winner":null,"ranking":null}"#,
        ],
    );
}
