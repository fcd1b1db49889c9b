//! Tests of the readers; `tests/it/game_records.rs` follows what they read on engines.

use proptest::prelude::*;

use super::san::Board;
use super::*;

/// The sample games, by the formats that they are in.
const SAMPLES: [(Format, &str); 8] = [
    (Format::Pgn, include_str!("../../tests/records/chess.pgn")),
    (Format::Sgf, include_str!("../../tests/records/go.sgf")),
    (Format::Sgf, include_str!("../../tests/records/hex.sgf")),
    (Format::Sgf, include_str!("../../tests/records/othello.sgf")),
    (Format::Pdn, include_str!("../../tests/records/draughts.pdn")),
    (Format::Json, include_str!("../../tests/records/tic-tac-toe.json")),
    (Format::Xml, include_str!("../../tests/records/tic-tac-toe.xml")),
    (Format::Ludii, include_str!("../../tests/records/tic-tac-toe.trl")),
];

/// What the records of a text say, a line each: the game, its moves, its result; or what is wrong.
fn said(format: Format, text: &str) -> Vec<String> {
    let source = Source::new("file", text);
    let words = |recorded: &Move| match &recorded.said {
        Said::Text => source.slice(recorded.span).to_owned(),
        Said::Label(label) => label.clone(),
        Said::Pass => "pass".to_owned(),
        Said::Path(squares) => squares.join(">"),
    };
    let record = |record: GameRecord| {
        let moves = match &record.course {
            Course::Moves(moves) => moves.iter().map(words).collect::<Vec<String>>().join(" "),
            Course::Trace { text, .. } => text.lines().skip(2).collect::<Vec<&str>>().join(" "),
        };
        let claim = record.claim.map(|claim| match (claim.winner, claim.incomparable) {
            (_, Some(why)) => why,
            (None, None) => "draw".to_owned(),
            (Some(winner), None) => format!("player {} won", winner + 1),
        });
        let set_up = record.set_up.map(|set_up| format!(" from {}", set_up.text));
        let (claim, set_up) = (claim.unwrap_or_default(), set_up.unwrap_or_default());
        format!("{:?}{set_up}: {moves}: {claim}", record.game)
    };
    let all = read(&source, format, Conventions::default()).into_iter();
    all.map(|r| r.map_or_else(|fault| fault.one_line(&source), record)).collect()
}

#[test]
fn pgn_is_read_with_everything_that_stands_between_moves() {
    let text = "\u{feff}[Event \"a \\\"b\\\" [c]\"]\r\n[Result \"1-0\"]\r\n\r\n\
        % [Event \"not this\"]\r\n1. e4 {a (comment [x] 1-0} e5 $1 (1... c5 (1... e6 {)}) 2. Nf3) \
        2.Nf3!? ; to the end (of the line\r\n2... Nc6?? 3. Bb5 a6 1-0\r\n\r\n\
        1. d4 <reserved> d5 e.p. 1/2-1/2 [Event \"no result\"] 1. c4 [Event \"FEN\"]\n\
        [FEN \"8/8/8/8/8/8/8/K1k5 w - - 0 1\"] *";
    let chess = "Id(\"chess\")";
    assert_eq!(
        said(Format::Pgn, text),
        [
            format!("{chess}: e4 e5 Nf3 Nc6 Bb5 a6: player 1 won"),
            format!("{chess}: d4 d5: draw"),
            format!("{chess}: c4: "),
            format!("{chess} from 8/8/8/8/8/8/8/K1k5 w - - 0 1: : "),
        ]
    );
    let text = "[Variant \"Hex 9x9\"]\n1. a1 b2 *\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/\
        RNBQKBNR w KQkq - 0 1\"] 1. e4 *";
    assert_eq!(
        said(Format::Pgn, text),
        ["Id(\"hex-9x9\"): a1 b2: ".to_owned(), format!("{chess}: e4: "),]
    );
    assert!(said(Format::Pgn, " \n% nothing\n").is_empty());
}

#[test]
fn what_is_wrong_in_a_text_has_its_place_and_leaves_other_games_alone() {
    let good = "Id(\"chess\"): e4: draw";
    for (format, text, expected) in [
        (
            Format::Pgn,
            "1. e4 (1. d4 1. c4 1/2\n[A \"b\"] 1. e4 1/2",
            vec!["file:1:23: error[syntax]: a variation is not closed: `)` is missing", good],
        ),
        (
            Format::Pgn,
            "1. d4) 1/2 1. e4 1/2",
            vec!["file:1:6: error[syntax]: no variation is open here", good],
        ),
        (
            Format::Pgn,
            "[A b]\n1. d4 * 1. e4 1/2",
            vec!["file:1:1: error[syntax]: a tag is no `[Name \"value\"]`", good],
        ),
        (
            Format::Pgn,
            "1. e4 1/2 1. d4 {",
            vec![good, "file:1:17: error[syntax]: a comment is not closed: there is no `}`"],
        ),
        (
            Format::Pdn,
            "1. 11-15 22x33 *",
            vec!["file:1:10: error[syntax]: `22x33` is no move of draughts"],
        ),
        (
            Format::Sgf,
            "(;B[aa",
            vec!["file:1:4: error[syntax]: a value is not closed: a `]` is missing"],
        ),
        (
            Format::Sgf,
            "(;B[aa]",
            vec!["file:1:1: error[syntax]: the game is not closed: a `)` is missing"],
        ),
        (
            Format::Sgf,
            "(;SZ[9]B[jj])",
            vec!["file:1:9: error[syntax]: `jj` is no point of a board of 9x9"],
        ),
        (
            Format::Sgf,
            "(;B)",
            vec!["file:1:3: error[syntax]: the property `B` has no value in brackets"],
        ),
        (Format::Sgf, "(;SZ[99])", vec!["file:1:5: error[syntax]: `99` is no size of a board"]),
        (Format::Sgf, "", vec!["file:1:1: error[syntax]: no game: there is no `(`"]),
        (
            Format::Json,
            "{\n\"moves\": [1]}",
            vec![
                "file:1:1: error[syntax]: a step of `moves` is no list of actions, one for each \
                 role",
            ],
        ),
        (
            Format::Json,
            "{\n ?",
            vec!["file:2:2: error[syntax]: not JSON: key must be a string at line 2 column 2"],
        ),
        (
            Format::Json,
            "[]",
            vec!["file:1:1: error[syntax]: no match of a GGP server: it has no list `moves`"],
        ),
        (
            Format::Xml,
            "<match><move>a</move></match>",
            vec!["file:1:15: error[syntax]: an action outside of any element `step`"],
        ),
        (Format::Xml, "<match", vec!["file:1:1: error[syntax]: `<` is not closed by `>`"]),
        (
            Format::Xml,
            "<a/>",
            vec!["file:1:1: error[syntax]: no match of a GGP server: no element `match`"],
        ),
        (
            Format::Ludii,
            "Move=[Move:mover=1,from=a]",
            vec!["file:1:1: error[syntax]: a move without `from`, `to` or an action"],
        ),
        (
            Format::Ludii,
            "winner=1",
            vec!["file:1:1: error[syntax]: no trial of Ludii: there is no line `game=`"],
        ),
    ] {
        assert_eq!(said(format, text), expected, "{text}");
    }
}

#[test]
fn moves_in_algebraic_notation_are_those_of_the_pieces_that_stand_there() {
    let mut board = Board::start();
    let labels = |text: &str| -> Vec<String> { text.split(' ').map(str::to_owned).collect() };
    let check = |board: &Board, text: &str, legal: &str, expected: &[&str]| {
        assert_eq!(board.meant(text, &labels(legal)), expected, "{text}");
    };
    check(&board, "e4", "e2e3 e2e4 d2d4 g1f3", &["e2e4"]);
    check(&board, "Nf3!?", "g2f3 g1f3 g1h3", &["g1f3"]);
    check(&board, "Nf3", "g1f3 e1f3 d2f3", &["g1f3"]);
    for label in ["e2e4", "d7d5", "e4e5", "f7f5"] {
        board.play(label);
    }
    check(&board, "exf6", "e5f6 e5e6", &["e5f6"]);
    board.play("e5f6");
    // The pawn that was captured in passing is gone.
    check(&board, "f4", "f5f4", &[]);
    for label in ["d5d4", "f6g7", "d4d3", "g7h8q"] {
        board.play(label);
    }
    check(&board, "Qg7+", "h8g7 d8g7", &["h8g7", "d8g7"]);
    check(&board, "Qhg7", "h8g7 d8g7", &["h8g7"]);
    check(&board, "Q8g7", "h8g7 d8g7", &["h8g7", "d8g7"]);
    check(&board, "Qh8g7", "h8g7 d8g7", &["h8g7"]);
    check(&board, "O-O", "e1g1 e1f1 g1f3", &["e1g1"]);
    check(&board, "0-0-0+", "e1c1 e1g1", &["e1c1"]);
    check(&board, "Kg1", "e1g1", &[]);
    board.play("e1g1");
    check(&board, "Re1", "f1e1 h1e1", &["f1e1"]);
    board.play("d3c2");
    check(&board, "cxb1=N", "c2b1q c2b1r c2b1b c2b1n", &["c2b1n"]);
    check(&board, "cxb1", "c2b1q c2b1r", &[]);
    for text in ["", "e", "e9", "Z1", "abcdefgh", "♔e2", "O-", "xx", "Kee2e3"] {
        check(&board, text, "e1e2", &[]);
    }
}

#[test]
fn stones_that_cannot_be_set_up_are_told_with_their_place() {
    for (text, told) in [
        ("(;SZ[9]AB[aa][jj])", "file:1:14: error[syntax]: `jj` is no point of a board of 9x9"),
        ("(;SZ[9]AW[cd]\nAB[aa:dd])", "file:2:3: error[syntax]: the point `cd` is set up twice"),
        ("(;SZ[9]AE[aa][aa])", "file:1:14: error[syntax]: the point `aa` is set up twice"),
        ("(;SZ[9]PL[red])", "file:1:10: error[syntax]: `red` is no colour"),
        ("(;SZ[9]HA[two])", "file:1:10: error[syntax]: `two` is no number of stones"),
        (
            "(;SZ[9]HA[3]AB[aa][bb])",
            "file:1:10: error[syntax]: Black is given 3 stones, and `AB` sets up 2",
        ),
        (
            "(;GM[11]SZ[9]AB[aa];W[bb];B[swap-pieces])",
            "file:1:28: error[syntax]: nobody swaps pieces once stones have been set up",
        ),
    ] {
        assert_eq!(said(Format::Sgf, text), [told], "{text}");
    }
}

#[test]
fn sgf_is_turned_to_the_boards_of_the_catalogue() {
    for (text, expected) in [
        (
            "(;GM[1]SZ[9]KM[6.5]RU[Chinese]RE[W+0.5]AP[x:\\]]\n;B[ai](;W[ia]C[(;B[bb\\])];B[]\
            ;W[tt])(;W[cc]))",
            "Sized(\"go\", 9): a1 i9 pass pass: it was counted by other rules (chinese)",
        ),
        // One point for Black on the board is not enough here.
        ("(;SZ[9]KM[0.5]RU[CGOS]RE[B+0.5];B[ee])", "Sized(\"go\", 9): e5: player 2 won"),
        ("(;SZ[9]KM[0.5]RU[CGOS]RE[B+7.5];B[ee])", "Sized(\"go\", 9): e5: player 1 won"),
        // A position came back: no result.
        ("(;SZ[9]KM[7.5]RU[tt]RE[0];B[ee])", "Sized(\"go\", 9): e5: draw"),
        ("(;SZ[9]RU[CGOS]RE[B+1];B[ee])", "Sized(\"go\", 9): e5: the record has no komi"),
        ("(;SZ[9]RE[B+R];B[ee])", "Sized(\"go\", 9): e5: player 1 won"),
        ("(;RE[Void];B[dd])", "Sized(\"go\", 19): d16: "),
        // Stones that are set up. White moves first, is named as the one who does, or Black has a
        // handicap; what is taken away, and what a later node puts in its place, is not there.
        ("(;SZ[4]HA[2]AB[aa][dd];W[bb])", "Sized(\"go\", 4) from x.../..../..../...x/o: b3: "),
        ("(;SZ[4]HA[2]AB[aa][dd])", "Sized(\"go\", 4) from x.../..../..../...x/o: : "),
        ("(;SZ[4]AB[aa:bb]AW[cd]PL[w])", "Sized(\"go\", 4) from xx../xx../..../..o./o: : "),
        ("(;SZ[4]AB[aa:bb];AE[ab]AW[ba];B[dd])", "Sized(\"go\", 4) from xo../.x../..../....: d1: "),
        ("(;SZ[4]PL[W];W[aa])", "Sized(\"go\", 4) from ..../..../..../..../o: a4: "),
        ("(;SZ[4]HA[0]PL[B];B[aa])", "Sized(\"go\", 4): a4: "),
        ("(;SZ[4]AB[aa];AE[aa];B[bb])", "Sized(\"go\", 4): b3: "),
        ("(;GM[2]SZ[4]AB[aa]AW[ba])", "Sized(\"reversi\", 4) from ..../..../..../xo..: : "),
        (
            "(;GM[2]PL[W];W[dc])",
            "Sized(\"reversi\", 8) from ......../......../......../...xo.../...ox.../......../\
             ......../......../o: d3: ",
        ),
        // Black joins the top with the bottom, and the files in the catalogue.
        ("(;GM[11]SZ[3]AB[a1][a2]AW[c1];W[b3])", "Sized(\"hex\", 3) from ..o/.../.xx/o: a2: "),
        ("(;GM[11]SZ[3]PL[W];W[b3])", "Sized(\"hex\", 3): a2: "),
        (
            "(;SZ[9];B[aa];AB[cc];W[bb])",
            "Unknown(\"a record in which stones are set up between moves\"): : ",
        ),
        // The four discs of the start are no other position.
        ("(;GM[2]AB[ed][de]AW[dd][ee]PL[B];B[dc];W[c3])", "Sized(\"reversi\", 8): d3 c3: "),
        ("(;GM[4]RE[0];B[hh];W[A15])", "Sized(\"gomoku\", 15): h8 a1: draw"),
        // Red joins the top with the bottom, and here the files.
        ("(;GM[11]SZ[9]RE[B+];B[a1];W[b1];B[ia])", "Sized(\"hex\", 9): i1 i2 i9: player 1 won"),
        (
            "(;GM[11]SZ[9]RE[W+];B[a2];W[swap-pieces];B[b1])",
            "Sized(\"hex\", 9): h1 b9: player 1 won",
        ),
        (
            "(;GM[11]SZ[9]RE[W+];B[a2];W[swap-sides];B[b1];W[resign])",
            "Sized(\"hex\", 9): h1 i2: players changed sides, and the result may be of either name",
        ),
        (
            "(;GM[3])",
            "Unknown(\"a game with GM[3]; 1 (Go), 2 (Othello), 4 (Gomoku) and 11 (Hex) are \
             read\"): : ",
        ),
        ("(;SZ[9:7])", "Unknown(\"a board that is no square, 9:7\"): : "),
    ] {
        assert_eq!(said(Format::Sgf, text), [expected], "{text}");
    }
    assert_eq!(said(Format::Sgf, "x (;SZ[9];B[aa]) (;SZ[9];B[bb])").len(), 2);
    // Behind a fault, the next game begins a line.
    assert_eq!(
        said(Format::Sgf, "(;SZ[9]?(;B[aa])\n(;SZ[9];B[bb])"),
        ["file:1:8: error[syntax]: `?` begins no property", "Sized(\"go\", 9): b8: ",]
    );
}

#[test]
fn squares_of_draughts_are_turned_so_that_black_sits_at_the_bottom() {
    let text = "1. 1-5 32-28 2. 4x11x18 12:19 3. b8-c7 *  1. 9-13 2-0\n[GameType \"20\"] *\n\
        [FEN \"B:W21-32:B1-12.\"] 9-13 1-1 [FEN \"W:W21,K32:B1\"] 21-17 0-1";
    let game = "Id(\"english-draughts\")";
    assert_eq!(
        said(Format::Pdn, text),
        [
            format!("{game}: g1>h2 b8>a7 a1>c3>e5 a3>c5 g1>f2: "),
            format!("{game}: g3>h4: player 1 won"),
            "Unknown(\"draughts of the game type 20; English draughts are 21\"): : ".to_owned(),
            format!("{game}: g3>h4: draw"),
            format!("{game} from W:W21,K32:B1: h6>g5: player 2 won"),
        ]
    );
    let white = Conventions { white_first: true };
    let record = pdn::read(&Source::new("", "1. 9-13 1-0"), white).remove(0).unwrap();
    assert_eq!(record.claim.unwrap().winner, Some(1));
}

#[test]
fn matches_are_traces_with_the_places_of_their_steps() {
    let text = r#"{"x": {"moves": [[1]]}, "gameMetaURL": "http://g/own/three/v1/",
"moves": [["( MARK  1 1 )", "noop"],
 ["noop", "[ \" ]"]], "states": ["((true (c 2 b)) (step 1))"], "goalValues": [100, 0]}"#;
    let source = Source::new("file", text);
    let record = ggp::read_json(&source).unwrap();
    assert_eq!(record.game, Named::File("three.kif".to_owned()));
    let Course::Trace { text, steps, .. } = &record.course else { panic!("a trace") };
    let places: Vec<String> =
        steps.iter().map(|step| source.position(step.start).to_string()).collect();
    assert_eq!(places, ["2:11", "3:2"]);
    let lines: Vec<&str> = text.lines().skip(2).collect();
    assert_eq!(
        lines,
        [
            r#"{"does":["(mark 1 1)","noop"],"true":["(c 2 b)","(step 1)"]}"#,
            r#"{"does":["noop","[ \" ]"]}"#,
            r#"{"depth":2,"end":"over","goals":[100,0]}"#,
        ]
    );
    // A match that was stopped has no end.
    let stopped = Source::new("", r#"{"moves":[],"goalValues":[0],"isCompleted":false}"#);
    let record = ggp::read_json(&stopped).unwrap();
    assert!(record.over.is_none() && record.claim.is_none());
    let xml = "<?xml version='1.0'?><!DOCTYPE m [<!ELEMENT m ANY>]><match><step><move>\
        <t>MARK</t><a><f>s</f><b>1</b></a></move><move/><!-- <x> --><move>&lt;<![CDATA[a]]></move>\
        </step><scores><reward>5</reward></scores></match>";
    let record = ggp::read_xml(&Source::new("", xml)).unwrap();
    let Course::Trace { text, .. } = &record.course else { panic!("a trace") };
    assert!(text.contains(r#"{"does":["(mark s 1)"#), "{text}");
    assert!(text.ends_with(r#"{"depth":1,"end":"over","goals":[5]}"#), "{text}");
}

#[test]
fn trials_of_ludii_are_traces_without_the_pieces_of_the_set_up() {
    let text = "game=/lud/a/Three Men.lud\nSTART GAME OPTIONS\nSize/3x3\nEND GAME OPTIONS\n\
        NUM INITIAL PLACEMENT MOVES=1\nMove=[Move:mover=0,from=0,to=0,actions=[[Add:to=0]]]\n\
        Move=[Move:mover=1,from=3,to=4,actions=[[Move:from=3,to=4,decision=true]]]\n\
        Move=[Move:mover=2,actions=[[Pass:decision=true]]]\n\
        Move=[Move:mover=1,from=-1,to=2,actions=[]]\nrankings=0.0,1.5,1.5\nwinner=0\n";
    let record = ludii::read(&Source::new("", text)).unwrap();
    assert_eq!(record.game, Named::File("Three Men.lud".to_owned()));
    let Course::Trace { text, steps, options, .. } = &record.course else { panic!("a trace") };
    assert_eq!((steps.len(), &options[..]), (3, &["Size/3x3".to_owned()][..]));
    let lines: Vec<&str> = text.lines().skip(2).collect();
    assert_eq!(
        lines,
        [
            r#"{"p":0,"play":"3>4"}"#,
            r#"{"p":1,"play":"pass"}"#,
            r#"{"p":2,"play":"->2"}"#,
            r#"{"end":"over","plies":3,"ranking":[1.5,1.5],"winner":0}"#,
        ]
    );
}

/// Texts that nest or repeat without end take no more time than they are long, and no stack.
#[test]
fn deep_and_long_texts_are_read() {
    const MANY: usize = 100_000;
    for (format, begin, part, end) in [
        (Format::Pgn, "1. e4 ", "(", ""),
        (Format::Pgn, "1. e4 ", "(a", ")"),
        (Format::Pgn, "", "[", ""),
        (Format::Pgn, "", "[A \"b\"]", ""),
        (Format::Pgn, "", "{", ""),
        (Format::Pgn, "", "1/2 ", ""),
        (Format::Pdn, "", "x", ""),
        (Format::Pdn, "", "1x", ""),
        (Format::Sgf, "", "(;", ""),
        (Format::Sgf, "(;", "B[aa]", ")"),
        (Format::Sgf, "(;", "AB[aa:ss]", ")"),
        (Format::Sgf, "(;C", "[\\", ""),
        (Format::Json, "{\"moves\":", "[", ""),
        (Format::Json, "{\"moves\":[[\"", "(", "\"]]}"),
        (Format::Xml, "<match>", "<step><move><a>", ""),
        (Format::Xml, "<match>", "<!", ""),
        (Format::Ludii, "game=a\n", "Move=[to=1]\n", ""),
    ] {
        let text = format!("{begin}{}{end}", part.repeat(MANY));
        read(&Source::new("", text), format, Conventions::default());
    }
}

proptest! {
    /// Whatever becomes of a sample, it is read or refused with a place inside of it.
    #[test]
    fn changed_samples_are_read_or_refused(
        sample in 0..SAMPLES.len(),
        edits in proptest::collection::vec((any::<prop::sample::Index>(), "[ -~\n√é]{0,3}"), 1..8),
        cut in any::<prop::sample::Index>(),
    ) {
        let (format, text) = SAMPLES[sample];
        let mut chars: Vec<char> = text.chars().collect();
        for (place, new) in edits {
            let at = place.index(chars.len().max(1)).min(chars.len());
            let end = (at + 2).min(chars.len());
            chars.splice(at..end, new.chars());
        }
        // One in two is cut off as well.
        let end = cut.index(2 * chars.len().max(1)).min(chars.len());
        let source = Source::new("file", chars[..end].iter().collect::<String>());
        for record in read(&source, format, Conventions::default()) {
            match record {
                Ok(record) => prop_assert!(record.span.range().end <= source.text().len()),
                Err(fault) => prop_assert!(!fault.render(&source).is_empty()),
            }
        }
    }
}
