//! Tests of blame: neither copies under several names nor engines that contradict themselves make a
//! sound engine wrong.

use bench::client::{Bounds, Worker};
use bench::subject::{Local, Subject};
use bench::verify::{Effort, EngineProof, Expected, GameProof, verify};
use play::{Game, Language, Limits, Rules};
use reports::Verdict;

use crate::common::{self, verdicts};

/// The worked example with something changed, for each of these names.
fn workers(names: &[&str], script: &str) -> Vec<Box<dyn Subject>> {
    let start = |name: &&str| {
        let program = common::example(name, script);
        let mut worker = Worker::start(&program, &Bounds::default()).expect("python3 is there");
        let rules = Rules::new(Language::Bitboard, "tic-tac-toe-3x3", "tic-tac-toe-3x3");
        worker.load(&rules, &Limits::default()).expect("it plays this game");
        Box::new(worker) as Box<dyn Subject>
    };
    names.iter().map(start).collect()
}

/// Verifies workers beside a sound engine, which is the last, until the proof shows what it should.
/// However little was played, the sound one is never wrong.
fn beside_a_sound_one<'g>(
    mut subjects: Vec<Box<dyn Subject + 'g>>,
    sound: &'g dyn Game,
    shows: impl Fn(&GameProof) -> bool,
) -> GameProof {
    subjects.push(Box::new(Local::new("sound", sound)));
    common::prove(
        &Effort::quick(11, 9),
        |effort| verify(&mut subjects, &Expected::default(), effort),
        |proof| {
            let last = proof.engines.last().expect("it took part");
            assert_ne!(last.verdict, Verdict::Wrong, "{}", last.reason);
            shows(proof)
        },
    )
}

/// Three in a diagonal are overlooked, in every answer alike.
const OVERLOOKED: &str = "t.LINES = t.LINES[:-1]";

#[test]
fn copies_under_other_names_have_one_vote() {
    let sound = common::compile("bitboard", "tic-tac-toe-3x3");
    let one_vote = "python and other have one vote";
    let proof = beside_a_sound_one(workers(&["other", "python"], OVERLOOKED), &*sound, |proof| {
        verdicts(proof) == [Verdict::Disputed; 3]
            && proof.engines.iter().all(|engine| engine.reason.contains(one_vote))
    });
    for engine in &proof.engines {
        assert_eq!(engine.verdict, Verdict::Disputed, "{}: {}", engine.engine, engine.reason);
        assert!(engine.reason.contains(one_vote), "{}", engine.reason);
    }
}

/// A program that draws by itself has a vote, and so the faulty one beside it is outvoted.
#[test]
fn programs_that_draw_for_themselves_have_votes_of_their_own() {
    let sound = common::compile("bitboard", "tic-tac-toe-3x3");
    let salted = format!(
        "{OVERLOOKED}\nrun = t.run\n\
         def salt(request):\n    return run(dict(request, seed=request['seed'] ^ 12345))\n\
         t.COMMANDS['run'] = salt"
    );
    let mut subjects = workers(&["sound example"], "");
    subjects.extend(workers(&["faulty"], &salted));
    let expected = [Verdict::Ok, Verdict::Wrong, Verdict::Ok];
    let proof = beside_a_sound_one(subjects, &*sound, |proof| verdicts(proof) == expected);
    assert_eq!(verdicts(&proof), expected, "{:?}", proof.engines);
}

/// Mutants that answer the same question twice, differently, and words of the fault.
const CONTRADICTIONS: [(&str, &str); 5] = [
    (
        "walk = t.walk\ndef lie(request):\n    w = walk(request)\n    \
         if len(request['path']) == 0: w['labels'].pop(); w['prints'] and w['prints'].pop()\n    \
         return w\nt.COMMANDS['walk'] = lie",
        "`fingerprint` to depth 0 is ",
    ),
    (
        "walk = t.walk\ndef lie(request):\n    w = walk(request)\n    \
         if len(request['path']) == 4: w['labels'].pop(); w['prints'] and w['prints'].pop()\n    \
         return w\nt.COMMANDS['walk'] = lie",
        "before ply 4, `walk` says that ",
    ),
    (
        "tree = t.print_tree\nt.COMMANDS['fingerprint'] = lambda request: \
         tree(request) if request['depth'] < 2 else '0' * 16",
        "`fingerprint` to depth 2 is 0000000000000000, and ",
    ),
    (
        "perft = t.perft\nt.COMMANDS['perft'] = lambda request: [n + 1 for n in perft(request)]",
        "`perft` counts [10, 73] leaves, and `walk` shows [9, 72] actions",
    ),
    (
        "run = t.run\ndef lie(request):\n    lines, t.LINES = t.LINES, t.LINES[:1]\n    \
         found = run(request)\n    t.LINES = lines\n    return found\n\
         t.COMMANDS['run'] = lie",
        "its playouts are not random walks through its own positions",
    ),
];

#[test]
fn who_contradicts_itself_is_marked_for_that_and_has_no_vote() {
    let sound = common::compile("bitboard", "tic-tac-toe-3x3");
    for (script, words) in CONTRADICTIONS {
        // Of two lineages, as far as anybody can tell.
        let proof = beside_a_sound_one(workers(&["one", "two"], script), &*sound, |proof| {
            let wrong = |at: usize| {
                let engine = &proof.engines[at];
                engine.verdict == Verdict::Wrong && engine.reason.contains(words)
            };
            wrong(0) && wrong(1) && proof.engines[2].verdict == Verdict::Unchecked
        });
        for engine in &proof.engines[..2] {
            assert_eq!(engine.verdict, Verdict::Wrong, "{words}: {}", engine.reason);
            assert!(engine.reason.contains(words), "{words}: {}", engine.reason);
        }
        // Nobody is left who could say anything of it.
        let last = &proof.engines[2];
        assert_eq!(last.verdict, Verdict::Unchecked, "{words}: {}", last.reason);
    }
}

/// Positions that no game has.
#[test]
fn a_position_that_contradicts_itself_is_a_fault() {
    let sound = common::compile("bitboard", "tic-tac-toe-3x3");
    for (change, words) in [
        ("w['scores'] = [50, 50]", "somebody is to move, and the scores are [50, 50]"),
        ("w['turn'] = 2", "`turn` is 2; the 2 players count from 0"),
        ("w['turn'] = None", "the game is over, and there are labels"),
        ("w['prints'] = ['0' * 16]", "1 prints for 9 actions"),
    ] {
        let script = format!(
            "walk = t.walk\ndef lie(request):\n    w = walk(request)\n    {change}\n    return w\n\
             t.COMMANDS['walk'] = lie"
        );
        let proof = beside_a_sound_one(workers(&["one"], &script), &*sound, |_| true);
        let EngineProof { verdict, reason, .. } = &proof.engines[0];
        assert_eq!(*verdict, Verdict::Wrong, "{change}: {reason}");
        assert!(reason.contains(words), "{change}: {reason}");
    }
}
