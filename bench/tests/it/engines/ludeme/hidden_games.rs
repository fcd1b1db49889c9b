//! The games of hidden information of the catalogue, played by hand: positions, percepts and
//! payoffs as their rules say.

use play::kit::{Effort, check};
use play::{Player, Turn};

use super::common::catalogue_game;
use super::hidden::Table;

/// Plays these labels after another, and says what was perceived of each.
fn line(table: &mut Table<'_>, labels: &str) -> Vec<String> {
    labels.split(' ').map(|label| table.play(label)).collect()
}

/// The percepts of two players who perceive the same.
fn both(text: &str) -> String {
    format!("{text} | {text}")
}

#[test]
fn they_keep_the_contract() {
    for id in [
        "wumpus-ludii",
        "phantom-tic-tac-toe",
        "kuhn-poker",
        "wumpus-4x4",
        "liars-dice",
        "mastermind-4x6",
        "goofspiel-5",
        "leduc-poker",
        "hunt-the-wumpus",
        "wumpus-hunt",
        "wumpus-hunt-gold",
        "wumpus-hunt-solo",
    ] {
        let game = catalogue_game(id);
        assert!(game.facts().hidden, "{id}");
        let report = check(&*game, &Effort { seed: 7, walks: 3, playouts: 40, cap: 120 });
        assert!(report.faults.is_empty(), "{id}: {:?}", report.faults);
        assert!(report.plies > 3, "{id}");
    }
}

#[test]
fn the_wumpus_of_the_printed_cave() {
    let game = catalogue_game("wumpus-ludii");
    let mut table = Table::open(&*game, &[]);
    assert_eq!(table.perceived(), "");
    assert_eq!(table.position.actions(), 4, "two steps, two shots");
    let perceived = line(&mut table, "a1a2 a2b2 b2b3 b3b2 b2b3 hand1a3");
    assert_eq!(perceived, ["stench", "", "breeze, gold, stench", "", "breeze, stench", "scream"]);
    assert_eq!(table.payoffs(), [100]);
    // The other way round, through the room of the dead wumpus.
    let mut table = Table::open(&*game, &[]);
    let perceived = line(&mut table, "hand1a4 a1a2 a2a3 a3b3");
    assert_eq!(perceived, ["scream", "stench", "", "breeze, gold, stench"]);
    assert_eq!(table.payoffs(), [100]);
    let mut table = Table::open(&*game, &[]);
    assert_eq!(line(&mut table, "hand1d1 a1b1"), ["thunk", "breeze"]);
    assert_eq!(table.position.actions(), 3, "no arrow");
    assert_eq!(table.play("b1c1"), "pit");
    assert_eq!(table.payoffs(), [0]);
    let mut table = Table::open(&*game, &[]);
    assert_eq!(line(&mut table, "a1a2 a2a3"), ["stench", "eaten"]);
    assert_eq!(table.payoffs(), [0]);
}

#[test]
fn phantom_tic_tac_toe() {
    let game = catalogue_game("phantom-tic-tac-toe");
    let mut table = Table::open(&*game, &[]);
    assert_eq!(line(&mut table, "a1 a1"), ["placed | moved", " | taken"]);
    assert_eq!(table.position.turn(), Turn::Move(Player(1)));
    assert_eq!(table.position.actions(), 8, "what he has run into he knows");
    assert_eq!(
        line(&mut table, "b2 b2 b1 b3 c1"),
        [
            "moved | placed",
            "taken | ",
            "placed | moved",
            "moved | placed",
            "over, placed | moved, over"
        ]
    );
    assert_eq!(table.payoffs(), [100, 0]);
    let mut table = Table::open(&*game, &[]);
    let perceived = line(&mut table, "a1 b2 c3 b1 b3 a3 c1 c2 a2");
    assert_eq!(perceived[8], "over, placed | moved, over");
    assert_eq!(table.payoffs(), [50, 50]);
}

#[test]
fn kuhn_poker() {
    let game = catalogue_game("kuhn-poker");
    let names = ["jack", "queen", "king"];
    for (first, second) in [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)] {
        let deal = [first, if second > first { second - 1 } else { second }];
        let won = if first > second { 1 } else { -1 };
        for (says, told, payoff) in [
            ("a1 a1", "check check", won),
            ("a1 b1 c1", "check bet fold", -1),
            ("a1 b1 d1", "check bet call", 2 * won),
            ("b1 c1", "bet fold", 1),
            ("b1 d1", "bet call", 2 * won),
        ] {
            let mut table = Table::open(&*game, &deal);
            let (own, other) = (names[first as usize], names[second as usize]);
            assert_eq!(table.perceived(), format!("{own} | {other}"));
            let told: Vec<String> = told.split(' ').map(both).collect();
            assert_eq!(line(&mut table, says), told);
            assert_eq!(table.payoffs(), [payoff, -payoff], "{own} {other} {says}");
        }
    }
}

#[test]
fn leduc_poker() {
    let game = catalogue_game("leduc-poker");
    // A king and a jack of the first suit; of the other four the last is the second king.
    let mut table = Table::open(&*game, &[4, 0]);
    assert_eq!(table.perceived(), "king | jack");
    assert_eq!(table.position.labels(), ["a1", "b1"], "nothing is missing: no fold");
    assert_eq!(line(&mut table, "b1 b1"), [both("raise"), both("raise")]);
    assert_eq!(table.position.labels(), ["a1", "c1"], "two raises a round");
    table.after("a1", &[3]);
    assert_eq!(table.perceived(), both("call, open king"));
    assert_eq!(table.position.turn(), Turn::Move(Player(0)));
    let perceived = line(&mut table, "a1 b1 b1 a1");
    assert_eq!(perceived, ["call", "raise", "raise", "call"].map(both));
    assert_eq!(table.payoffs(), [13, -13]);
    // Two jacks draw; a pair of the second player's beats a king.
    let mut table = Table::open(&*game, &[0, 0]);
    assert_eq!(table.perceived(), "jack | jack");
    line(&mut table, "a1 a1 a1 a1");
    assert_eq!(table.payoffs(), [0, 0]);
    let mut table = Table::open(&*game, &[5, 1]);
    table.after("a1", &[]);
    table.after("a1", &[1]);
    assert_eq!(table.perceived(), both("call, open queen"));
    line(&mut table, "b1 a1");
    assert_eq!(table.payoffs(), [5, -5], "neither has a pair, and king beats jack");
    let mut table = Table::open(&*game, &[5, 1]);
    table.after("b1", &[]);
    table.after("a1", &[0]);
    assert_eq!(table.perceived(), both("call, open jack"));
    line(&mut table, "a1 a1");
    assert_eq!(table.payoffs(), [-3, 3], "a pair of jacks");
    for (says, payoff) in [("b1 c1", 1), ("a1 b1 c1", -1), ("b1 b1 c1", -3)] {
        let mut table = Table::open(&*game, &[4, 0]);
        line(&mut table, says);
        assert_eq!(table.payoffs(), [payoff, -payoff], "{says}");
    }
}

#[test]
fn liars_dice() {
    let game = catalogue_game("liars-dice");
    let mut table = Table::open(&*game, &[3, 1]);
    assert_eq!(table.perceived(), "die 4 | die 2");
    assert_eq!(table.position.actions(), 12, "nobody to doubt yet");
    assert_eq!(line(&mut table, "d1 m1"), ["1x4", "liar"].map(both));
    assert_eq!(table.payoffs(), [1, -1]);
    // Six is wild: with a one it makes two ones, but no two threes.
    for (bid, told, payoff) in
        [("g1", "2x1", 1), ("i1", "2x3", -1), ("l1", "2x6", -1), ("c1", "1x3", 1)]
    {
        let mut table = Table::open(&*game, &[5, 0]);
        assert_eq!(line(&mut table, bid), [both(told)]);
        assert_eq!(line(&mut table, "m1"), [both("liar")]);
        assert_eq!(table.payoffs(), [payoff, -payoff], "{told}");
    }
    // The second player's bid, doubted by the first.
    let mut table = Table::open(&*game, &[0, 0]);
    line(&mut table, "a1 b1");
    assert_eq!(table.position.actions(), 11, "ten higher bids, and doubt");
    line(&mut table, "m1");
    assert_eq!(table.payoffs(), [1, -1]);
}

#[test]
fn mastermind() {
    let game = catalogue_game("mastermind-4x6");
    let code = [0, 0, 1, 2];
    let mut table = Table::open(&*game, &code);
    assert_eq!(table.perceived(), "");
    let perceived = line(&mut table, "a1 b1 a1 d1 a1 a1 b1 c1");
    assert_eq!(perceived, ["", "", "", "black 1, white 2", "", "", "", "black 4, white 0"]);
    assert_eq!(table.payoffs(), [9]);
    let mut table = Table::open(&*game, &code);
    for _ in 0..9 {
        assert_eq!(line(&mut table, "f1 f1 f1 f1")[3], "black 0, white 0");
    }
    let mut last = Table::open(&*game, &code);
    (0..9).for_each(|_| drop(line(&mut last, "c1 c1 a1 a1")));
    assert_eq!(last.perceived(), "black 0, white 3");
    line(&mut last, "a1 a1 b1 c1");
    assert_eq!(last.payoffs(), [1], "found in the last row");
    line(&mut table, "a1 a1 b1 b1");
    assert_eq!((table.perceived().as_str(), table.payoffs()), ("black 3, white 0", vec![0]));
}

#[test]
fn goofspiel() {
    let game = catalogue_game("goofspiel-5");
    assert!(game.facts().simultaneous && !game.facts().chance);
    let mut table = Table::open(&*game, &[]);
    let perceived = line(&mut table, "a1 b2 b1 c2 c1 d2 d1 e2 e1 a2");
    let lost = "lost | won";
    assert_eq!(
        perceived,
        [" | ", lost, " | ", lost, " | ", lost, " | ", lost, " | ", "won | lost"]
    );
    assert_eq!(table.payoffs(), [-13, 13]);
    let mut table = Table::open(&*game, &[]);
    let perceived = line(&mut table, "e1 e2 d1 a2");
    assert_eq!(perceived, [" | ", "tied | tied", " | ", "won | lost"]);
    line(&mut table, "c1 d2 a1 c2 b1 b2");
    assert_eq!(table.payoffs(), [4 - 3 - 2, -(4 - 3 - 2)]);
}

#[test]
fn the_wumpus_of_textbooks() {
    let game = catalogue_game("wumpus-4x4");
    // The wumpus on a2, gold on b1, a pit on c1.
    let mut cave = vec![3, 0];
    cave.extend([1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
    let [forward, left, right, grab, shoot, climb] =
        ["hand1.1", "hand1.2", "hand1.3", "hand1.4", "hand1.5", "hand1.6"];
    let mut table = Table::open(&*game, &cave);
    assert_eq!(table.perceived(), "stench");
    let plies = [forward, grab, left, left, forward, right, shoot];
    let perceived = line(&mut table, &plies.join(" "));
    assert_eq!(
        perceived,
        ["breeze, glitter", "breeze", "breeze", "breeze", "stench", "stench", "scream, stench"]
    );
    assert_eq!(table.position.actions(), 5, "no arrow");
    assert_eq!(table.play(climb), "out");
    assert_eq!(table.payoffs(), [1000 - 8 - 10]);
    let mut table = Table::open(&*game, &cave);
    assert_eq!(line(&mut table, &[left, left, forward].join(" "))[2], "bump, stench");
    assert_eq!(line(&mut table, &[grab, shoot, right, forward].join(" "))[3], "dead");
    assert_eq!(table.payoffs(), [-7 - 10 - 1000], "eaten");
    let mut table = Table::open(&*game, &cave);
    assert_eq!(line(&mut table, &[forward, forward].join(" "))[1], "dead");
    assert_eq!(table.payoffs(), [-1002], "in the pit");
    let mut table = Table::open(&*game, &cave);
    (0..99).for_each(|_| assert_eq!(table.play(left), "stench"));
    assert_eq!(table.play(left), "");
    assert_eq!(table.payoffs(), [-100]);
}

#[test]
fn hunt_the_wumpus() {
    let game = catalogue_game("hunt-the-wumpus");
    // Pits in rooms 1 and 2, bats in 3 and 4, the wumpus in 5, the player in 6: tunnels to 5, 7,
    // 15.
    let open = || Table::open(&*game, &[0; 6]);
    assert_eq!(open().perceived(), "room 6, stench");
    assert_eq!(open().position.actions(), 96);
    let played = |label: &str, outcomes: &[u32]| {
        let mut table = open();
        table.after(label, outcomes);
        table
    };
    let ended = |label: &str, outcomes: &[u32], told: &str, payoff: i32| {
        let table = played(label, outcomes);
        assert_eq!((table.perceived().as_str(), table.payoffs()), (told, vec![payoff]), "{label}");
    };
    ended("hand1.4", &[], "hit", 100);
    // Through 7, 17, 16 and 15 back to 6; and through 15, 14, 4 and 5, where the arrow stops.
    ended("hand1.53", &[], "shot", 0);
    let (room_15, room_14, room_4, room_5) = (2, 0, 0, 1);
    let number = room_15 + 3 * (8 + room_14 + room_4 * 2 + room_5 * 4);
    ended(&format!("hand1.{}", number + 1), &[], "hit", 100);
    // A miss: the wumpus goes to 1, 4 or 6, or stays.
    ended("hand1.5", &[3], "eaten", 0);
    assert_eq!(played("hand1.5", &[2]).perceived(), "missed, room 6, stench");
    assert_eq!(played("hand1.5", &[0]).perceived(), "missed, room 6");
    let mut table = open();
    (0..5).for_each(|_| table.after("hand1.5", &[2]));
    assert_eq!((table.perceived().as_str(), table.payoffs()), ("empty", vec![0]));
    // Into its room: it stays, or goes to 1.
    ended("hand1.1", &[2], "eaten", 0);
    let mut table = played("hand1.1", &[0]);
    assert_eq!(table.perceived(), "breeze, bumped, room 5, stench, wings");
    // From there into room 4, and carried to 20; to the other bats, and on to 20; into a pit; to
    // the wumpus in 1, who goes to 2 and leaves the pit, or stays.
    for (outcomes, told) in [
        (&[19][..], "carried, room 20"),
        (&[2, 19], "carried, room 20"),
        (&[1], "fell"),
        (&[0, 1], "fell"),
        (&[0, 0], "eaten"),
    ] {
        let mut copy = played("hand1.1", &[0]);
        copy.after("hand1.2", outcomes);
        assert_eq!(copy.perceived(), told, "{outcomes:?}");
    }
    // After it into room 1, from where it goes on to 2: there is the pit.
    table.after("hand1.1", &[1]);
    assert_eq!(table.perceived(), "fell");
}

#[test]
fn two_hunters() {
    let game = catalogue_game("wumpus-hunt");
    // A cave of 4x4, the wumpus on a2, a pit on b1.
    let cave = [1, 1, 3, 0, 0];
    let open = || Table::open(&*game, &cave);
    let mut table = open();
    assert_eq!(table.perceived(), both("breeze, stench"));
    assert_eq!(
        line(&mut table, "hand1.6 hand2.4"),
        [
            " | ",
            "breeze, other breeze, other bump, other stench, stench | \
         breeze, bump, other breeze, other stench, stench"
        ]
    );
    assert_eq!(table.position.actions(), 4, "no arrow");
    // Who steps to the wumpus lives if it is shot in the same turn.
    assert_eq!(
        line(&mut table, "hand1.1 hand2.5")[1],
        "other breeze, scream | breeze, other north, scream"
    );
    assert_eq!(table.payoffs(), [100, 100]);
    let mut table = open();
    assert_eq!(line(&mut table, "hand1.2 hand2.1")[1], both("dead, silence"));
    assert_eq!(table.payoffs(), [0, 0]);
    // One falls, the other goes on alone.
    let mut table = open();
    assert_eq!(
        line(&mut table, "hand1.2 hand2.4")[1],
        "dead, other breeze, other bump, other stench | breeze, bump, silence, stench"
    );
    assert_eq!(table.position.turn(), Turn::Move(Player(1)));
    assert_eq!(table.play("hand2.5"), "other breeze, scream | breeze, scream");
    assert_eq!(table.payoffs(), [100, 100]);
    // Both arrows spent; and fifty turns of nothing.
    let mut table = open();
    line(&mut table, "hand1.6 hand2.8");
    assert_eq!(table.payoffs(), [0, 0]);
    let mut table = open();
    (0..50).for_each(|_| drop(line(&mut table, "hand1.4 hand2.3")));
    assert_eq!(table.payoffs(), [0, 0]);
}

#[test]
fn the_cave_of_the_hunters_has_walls_where_it_ends() {
    // Three long and four broad, the wumpus on c4, the pit on c3: three steps to the east are two.
    let game = catalogue_game("wumpus-hunt");
    let mut table = Table::open(&*game, &[0, 1, 10, 0, 7]);
    let perceived =
        line(&mut table, "hand1.2 hand2.1 hand1.2 hand2.1 hand1.2 hand2.1 hand1.3 hand2.1");
    assert_eq!(perceived[1], "other north | other east");
    assert_eq!(perceived[5], "bump, other north | other bump");
    assert_eq!(perceived[7], "bump, other bump | bump, other bump");
}

#[test]
fn a_hunter_alone() {
    let game = catalogue_game("wumpus-hunt-solo");
    assert!(!game.facts().simultaneous);
    // A cave of 4x4, the wumpus on a2, a pit on b1.
    let open = || Table::open(&*game, &[1, 1, 0, 3, 0]);
    let mut table = open();
    assert_eq!(table.perceived(), "breeze, stench");
    let here = "breeze, stench";
    let bumped = "breeze, bump, stench";
    assert_eq!(line(&mut table, "hand1.7 hand1.4 hand1.3"), [here, bumped, bumped]);
    assert_eq!(table.position.actions(), 8, "one arrow is left");
    assert_eq!(table.play("hand1.5"), "breeze, scream");
    assert_eq!(table.payoffs(), [100]);
    for (labels, told) in
        [("hand1.1", "dead"), ("hand1.2", "dead"), ("hand1.6 hand1.7", "breeze, stench")]
    {
        let mut table = open();
        assert_eq!(line(&mut table, labels).last().unwrap(), told);
        assert_eq!(table.payoffs(), [0], "{labels}");
    }
    let mut table = open();
    (0..50).for_each(|_| drop(line(&mut table, "hand1.4")));
    assert_eq!(table.payoffs(), [0]);
}

#[test]
fn gold_is_brought_back() {
    let game = catalogue_game("wumpus-hunt-gold");
    // A cave of 4x4, the wumpus on a2, the gold on b1, a pit on c1.
    let open = || Table::open(&*game, &[1, 1, 3, 0, 0, 0]);
    let mut table = open();
    assert_eq!(table.perceived(), both("stench"));
    // Both enter its square, and the first one takes it.
    assert_eq!(
        line(&mut table, "hand1.2 hand2.2")[1],
        "breeze, gold, other breeze, other east | breeze, other breeze, other east, other gold"
    );
    let perceived = line(&mut table, "hand1.7 hand2.4");
    assert_eq!(perceived[1], "breeze, other stench, other west | other breeze, stench");
    // The wumpus is shot, and the game goes on: it smells no more, and its square is safe.
    let perceived = line(&mut table, "hand1.3 hand2.5");
    assert_eq!(perceived[1], "breeze, bump, scream | other breeze, other bump, scream");
    assert_eq!(table.position.actions(), 4, "no arrow");
    let perceived = line(&mut table, "hand1.3 hand2.1");
    assert_eq!(perceived[1], "breeze, bump, other north | other breeze, other bump");
    line(&mut table, "hand1.4 hand2.3");
    assert_eq!(table.payoffs(), [100, 100]);
    // Where the other falls while it is brought back, nobody wins.
    let mut table = open();
    line(&mut table, "hand1.2 hand2.4 hand1.4 hand2.1");
    assert_eq!(table.perceived(), "silence, stench | dead, other stench, other west");
    assert_eq!(table.payoffs(), [0, 0]);
    let mut table = open();
    (0..50).for_each(|_| drop(line(&mut table, "hand1.4 hand2.3")));
    assert_eq!(table.payoffs(), [0, 0]);
}
