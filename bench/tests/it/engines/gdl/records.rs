//! Replaying records: what agrees, what differs and where, and records that are no records.

use gdl::ProverEngine;
use play::{Engine, Language, Limits, Replay, ReplayError, Rules};

/// Two steps; the goal is the number of the door taken first, and `random` chooses too.
const DOORS: &str = "
(role r) (role random) (init start) (door 1) (door 2)
(<= (legal r (open ?d)) (true start) (door ?d))
(<= (legal r wait) (not (true start)))
(legal random rain) (legal random shine)
(<= (next (went ?d)) (does r (open ?d)))
(<= (next (went ?d)) (true (went ?d)))
(<= (next dry) (does random shine))
(<= terminal (true (went ?d)) (true dry))
(<= (goal r 10) (true (went 1)))
(<= (goal r 20) (true (went 2)))
";

/// The hash is that of `rain shine`.
const RECORD: &str = r##"{"sheet":"doors.kif","roles":["r","random"],"trials":2}
{"trial":1}
{"n":[2,2],"legal":[["(open 1)","(open 2)"],["rain","shine"]],"does":["(open 2)","rain"]}
{"n":[1,2],"legal":[["wait"],"#6b3a6860a604cdc8"],"does":["wait","shine"]}
{"end":"over","depth":2,"goals":[20,-1]}
{"trial":2}
{"n":[2,2],"legal":[["(open 1)","(open 2)"],["rain","shine"]],"does":["(open 1)","rain"]}
{"end":"cut","depth":1,"goals":[-1,-1]}
"##;

fn replay(record: &str) -> Result<Replay, ReplayError> {
    let rules = Rules::new(Language::Kif, "doors.kif", DOORS);
    ProverEngine.replay(&rules, record, &Limits::default())
}

#[test]
fn a_true_record_agrees() {
    let replay = replay(RECORD).unwrap();
    assert!(replay.agrees(), "{replay:?}");
    assert_eq!((replay.trials, replay.agreed, replay.plies), (2, 2, 3));
}

#[test]
fn every_falsehood_is_found_where_it_stands() {
    for (from, to, words) in [
        (r#""(open 2)"],["rain"#, r#""(open 3)"],["rain"#, "trial 1, ply 0, legal actions"),
        ("6b3a", "6b3b", "trial 1, ply 1, legal actions: expected 2 of"),
        (r#""n":[1,2]"#, r#""n":[2,2]"#, "trial 1, ply 1, legal actions"),
        ("[20,-1]", "[10,-1]", "trial 1, ply 2, goals: expected 10, found [\"20\"] of role 1"),
        ("\"cut\"", "\"over\"", "trial 2, ply 1, end: expected the game is over"),
        (
            "\"over\"",
            "\"cut\"",
            "trial 1, ply 2, end: expected the game goes on, found the game is",
        ),
    ] {
        let text = RECORD.replacen(from, to, 1);
        assert_ne!(text, RECORD, "{from} is in the record");
        let replay = replay(&text).unwrap();
        let difference = replay.difference.expect(words).to_string();
        assert!(difference.starts_with(words), "{difference}");
        assert_eq!((replay.trials, replay.agreed), (2, 1));
    }
}

#[test]
fn what_is_no_record_is_refused_with_its_line() {
    for (text, words) in [
        ("{}\n{\"n\":[1]}", "line 2 of the record: a step before"),
        ("{}\n{\"trial\":1}\n{\"n\":[2,2]}", "line 3 of the record: no `legal`"),
        ("{}\n{\"trial\":1}\n{\"end\":\"lost\"}", "line 3 of the record: `end` is neither"),
        ("{}\n{\"trial\":1}\nnonsense", "line 3 of the record: "),
    ] {
        match replay(text) {
            Err(ReplayError::Malformed(message)) => {
                assert!(message.starts_with(words), "{message}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
    let nothing = replay(r#"{"error":"out of time"}"#).unwrap();
    assert!(!nothing.agrees());
    assert_eq!(nothing.remark.as_deref(), Some("the recorder got nowhere: out of time"));
    assert!(replay("").unwrap().remark.is_some());
}
