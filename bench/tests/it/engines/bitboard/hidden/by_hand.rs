//! Games played by hand: what chance does is given, and what each player perceives is what the
//! rules say.

use play::{Chance, Game, Player, Position, Scores, Script, Turn, settle};

use crate::engines::bitboard::common::game;

/// A game under way.
struct Table<'a>(Box<dyn Position + 'a>);

impl<'a> Table<'a> {
    /// A game that begins with these outcomes of chance.
    fn new(game: &'a dyn Game, outcomes: &[u32]) -> Table<'a> {
        Table(game.open(&mut Script::new(outcomes.iter().copied())))
    }

    /// The last percepts of a player, in one line.
    fn seen(&self, player: u8) -> String {
        self.0.percepts().of(Player(player)).join(", ")
    }

    fn labels(&self) -> String {
        let mut labels = self.0.labels();
        labels.sort();
        labels.join(", ")
    }

    /// Plays an action that chance answers with these outcomes, and says what the first player
    /// perceives.
    fn with(&mut self, outcomes: &[u32], label: &str) -> String {
        let action = self.0.labels().iter().position(|other| other == label);
        let action = action.unwrap_or_else(|| panic!("{label} in\n{}", self.0.draw()));
        let mut script = Script::new(outcomes.iter().copied());
        self.0.play(action, &mut script).unwrap();
        assert_eq!(script.outcomes().count(), outcomes.len(), "chance was asked as often as told");
        settle(&mut *self.0, &mut NoChance);
        self.seen(0)
    }

    /// Plays an action that leaves nothing to chance.
    fn play(&mut self, label: &str) -> String {
        self.with(&[], label)
    }

    /// Plays the choices of both players and says what each perceives.
    fn turn(&mut self, first: &str, second: &str) -> [String; 2] {
        assert_eq!(self.play(first), "", "who chose first perceives nothing yet");
        assert_eq!(self.seen(1), "", "nor does the other");
        self.play(second);
        [self.seen(0), self.seen(1)]
    }

    fn payoff(&self) -> Option<i32> {
        self.0.scores().map(|scores| scores.get(Player(0)))
    }
}

/// Chance where there is none.
struct NoChance;

impl Chance for NoChance {
    fn below(&mut self, _: u32) -> u32 {
        panic!("chance has no say here")
    }
}

/// The draws that lay out a cave of `n` x `n` squares: five squares a draw, then the wumpus and the
/// gold.
fn cave(n: u32, pits: &str, wumpus: &str, gold: &str) -> Vec<u32> {
    let number = |name: &str| {
        let name = name.as_bytes();
        u32::from(name[0] - b'a') + n * u32::from(name[1] - b'1') - 1
    };
    let mut draws = vec![0; (n * n - 1).div_ceil(5) as usize];
    for pit in pits.split_whitespace().map(number) {
        draws[pit as usize / 5] += 4 * 5u32.pow(pit % 5);
    }
    draws.extend([number(wumpus), number(gold)]);
    draws
}

#[test]
fn wumpus_world_is_left_with_the_gold() {
    let game = game("wumpus-4x4");
    let mut table = Table::new(&*game, &cave(4, "c1", "a3", "b2"));
    assert_eq!(table.seen(0), "");
    assert_eq!(table.labels(), "climb, forward, grab, left, right, shoot");
    for (act, seen) in [
        ("right", ""),
        ("forward", "bump"),
        ("grab", ""),
        ("left", ""),
        ("left", ""),
        ("forward", "stench"),
        ("shoot", "scream, stench"),
        ("right", "stench"),
        ("forward", "glitter"),
        ("grab", ""),
        ("right", ""),
        ("forward", "breeze"),
        ("right", "breeze"),
    ] {
        assert_eq!(table.play(act), seen, "{act}");
    }
    assert_eq!(table.labels(), "forward, grab, left, right", "no arrow, and not at a1");
    assert_eq!(table.play("forward"), "");
    assert_eq!(table.labels(), "climb, forward, grab, left, right");
    assert_eq!(table.payoff(), None);
    assert_eq!(table.play("climb"), "out");
    assert_eq!(table.payoff(), Some(1000 - 15 - 10));
}

#[test]
fn wumpus_world_ends_by_death_by_climbing_and_by_the_limit() {
    let game = game("wumpus-4x4");
    let start = || Table::new(&*game, &cave(4, "c1 d4", "a3", "d4"));

    let mut table = start();
    assert_eq!(table.play("forward"), "breeze");
    assert_eq!(table.play("forward"), "dead");
    assert_eq!(table.payoff(), Some(-1002));

    let mut table = start();
    assert_eq!((table.play("left"), table.play("forward")), (String::new(), "stench".to_owned()));
    assert_eq!(table.play("forward"), "dead");
    assert_eq!(table.payoff(), Some(-1003));

    // A dead wumpus still smells, in its own square too, and does not bite.
    let mut table = start();
    table.play("left");
    assert_eq!(table.play("shoot"), "scream", "the arrow flies on to the wall");
    assert_eq!(table.play("forward"), "stench");
    assert_eq!(table.play("forward"), "stench");
    assert_eq!(table.payoff(), None);

    let mut table = start();
    assert_eq!(table.play("shoot"), "", "a miss is not heard");
    assert_eq!(table.play("climb"), "out");
    assert_eq!(table.payoff(), Some(-12));

    let mut table = start();
    table.play("forward");
    for _ in 0..98 {
        assert_eq!(table.play("left"), "breeze");
    }
    assert_eq!(table.play("grab"), "", "nothing at the limit");
    assert_eq!(table.payoff(), Some(-100));
}

#[test]
fn caves_of_every_size_have_their_corners() {
    for n in 2..=8 {
        let game = game(&format!("wumpus-{n}x{n}"));
        let far = format!("{}{n}", char::from(b'a' + n as u8 - 1));
        let mut table = Table::new(&*game, &cave(n, "a2", &far, &far));
        assert_eq!(table.seen(0), "breeze");
        for _ in 2..n {
            assert_eq!(table.play("forward"), "", "{n}");
        }
        let corner = if n == 2 { "stench" } else { "" };
        assert_eq!(table.play("forward"), corner, "{n}");
        assert_eq!(table.play("forward"), if n == 2 { "bump, stench" } else { "bump" }, "{n}");
        table.play("left");
        let scream = if n == 2 { "scream, stench" } else { "scream" };
        assert_eq!(table.play("shoot"), scream, "{n}");
        for _ in 2..n {
            table.play("forward");
        }
        // In the smallest cave the pit is beside the corner.
        let breeze = if n == 2 { "breeze, " } else { "" };
        assert_eq!(table.play("forward"), format!("{breeze}glitter, stench"), "{n}");
        assert_eq!(table.play("grab"), format!("{breeze}stench"), "{n}");
    }
}

#[test]
fn the_printed_cave_is_won_by_gold_and_by_a_dead_wumpus_in_any_order() {
    let game = game("wumpus-ludii");
    let play = |acts: &[(&str, &str)]| {
        let mut table = Table::new(&*game, &[]);
        assert_eq!(table.seen(0), "");
        assert_eq!(table.labels(), "a1a2, a1b1, shoot a4, shoot d1");
        for &(act, seen) in acts {
            assert_eq!(table.payoff(), None, "before {act}");
            assert_eq!(table.play(act), seen, "{act}");
        }
        (table.payoff(), table.labels())
    };
    let in_hand = "breeze, gold, stench";
    let won = Some(100);
    let ended = |payoff| (payoff, String::new());
    let way = [("a1a2", "stench"), ("shoot a4", "scream"), ("a2b2", ""), ("b2b3", in_hand)];
    assert_eq!(play(&way), ended(won));
    let way = [("a1b1", "breeze"), ("b1b2", ""), ("b2b3", in_hand), ("shoot a3", "scream")];
    assert_eq!(play(&way), ended(won));
    assert_eq!(play(&[("a1b1", "breeze"), ("b1c1", "pit")]), ended(Some(0)));
    assert_eq!(play(&[("a1a2", "stench"), ("a2a3", "eaten")]), ended(Some(0)));
    assert_eq!(play(&[("shoot d1", "thunk")]), (None, "a1a2, a1b1".to_owned()));
    let round = [("a1a2", "stench"), ("a2b2", ""), ("b2c2", "breeze"), ("c2d2", "")];
    assert_eq!(
        play(&[&round[..], &[("d2d3", "breeze"), ("d3d4", "pit")]].concat()),
        ended(Some(0))
    );
    // The dead wumpus smells, its square is safe, and gold is found once.
    let way = [
        ("shoot a4", "scream"),
        ("a1a2", "stench"),
        ("a2a3", ""),
        ("a3a4", "stench"),
        ("a4b4", ""),
    ];
    assert_eq!(play(&way).1, "b4a4, b4b3, b4c4");
    let way = [
        ("a1b1", "breeze"),
        ("b1b2", ""),
        ("b2b3", in_hand),
        ("b3b2", ""),
        ("b2b3", "breeze, stench"),
    ];
    assert_eq!(play(&way).0, None);
}

/// The draws that put the player, the wumpus, two pits and two flocks of bats into these rooms:
/// numbers among the rooms that are still free.
fn rooms(rooms: [u32; 6]) -> Vec<u32> {
    let number = |(i, room): (usize, &u32)| {
        room - 1 - rooms[..i].iter().filter(|r| *r < room).count() as u32
    };
    rooms.iter().enumerate().map(number).collect()
}

#[test]
fn the_wumpus_is_hunted() {
    let game = game("hunt-the-wumpus");
    let start = || Table::new(&*game, &rooms([1, 10, 3, 4, 5, 6]));
    let mut table = start();
    assert_eq!(table.seen(0), "room 1, wings");
    let labels = table.0.labels();
    assert_eq!(labels.len(), 96, "three moves, and 3, 6, 12, 24 and 48 shots");
    for legal in ["move 2", "move 5", "move 8", "shoot 2", "shoot 8 7 17", "shoot 2 3 4 5 1"] {
        assert!(labels.iter().any(|label| label == legal), "{legal}");
    }
    for illegal in ["move 3", "shoot 2 1", "shoot 2 3 2", "shoot 2 4", "shoot 1"] {
        assert!(labels.iter().all(|label| label != illegal), "{illegal}");
    }
    assert_eq!(table.play("move 2"), "breeze, room 2, stench");
    assert_eq!(table.with(&[3], "shoot 3"), "breeze, missed, room 2, stench", "it stays");
    assert_eq!(table.play("shoot 1 8 9 10"), "hit");
    assert_eq!(table.payoff(), Some(100));

    let mut table = start();
    assert_eq!(table.play("shoot 2 3 4 5 1"), "shot");
    assert_eq!(table.payoff(), Some(0));

    // The wumpus goes 10, 11, 12, 11, 12 while five arrows miss.
    let mut table = start();
    for way in [2, 1, 1, 1] {
        assert_eq!(table.with(&[way], "shoot 8"), "missed, room 1, wings");
    }
    assert_eq!(table.with(&[3], "shoot 8"), "empty");
    assert_eq!(table.payoff(), Some(0));

    // It comes to the player: eaten, also by the last arrow.
    let mut table = start();
    assert_eq!(table.with(&[0], "shoot 8"), "missed, room 1, stench, wings", "it goes to 2");
    assert_eq!(table.with(&[0], "shoot 8"), "eaten");
    assert_eq!(table.payoff(), Some(0));
}

#[test]
fn rooms_are_entered_with_all_that_is_in_them() {
    let game = game("hunt-the-wumpus");
    let start = || Table::new(&*game, &rooms([1, 10, 3, 4, 5, 6]));
    // Bats carry to rooms without bats: 1, 2, 3, 4, 7, 8, 9, 10, ...
    let mut table = start();
    assert_eq!(table.with(&[0], "move 5"), "carried, room 1, wings");
    assert_eq!(table.with(&[2], "move 5"), "fell");
    let mut table = start();
    assert_eq!(table.with(&[7, 0], "move 5"), "bumped, carried, room 10, stench", "it went to 2");
    let mut table = start();
    assert_eq!(table.with(&[7, 3], "move 5"), "eaten");

    let start = || Table::new(&*game, &rooms([1, 2, 3, 4, 9, 14]));
    assert_eq!(start().seen(0), "room 1, stench");
    assert_eq!(start().with(&[2], "move 2"), "breeze, bumped, room 2, stench");
    assert_eq!(start().with(&[3], "move 2"), "eaten");
    // It went into a pit, which does not harm it.
    assert_eq!(start().with(&[1], "move 2"), "breeze, bumped, room 2, stench");
    let mut table = start();
    assert_eq!(table.play("move 8"), "room 8, wings");
    assert_eq!(table.payoff(), None);

    // The wumpus comes to a room of bats: 10, then 9. Who enters bumps into it and is carried away.
    let mut table = start();
    assert_eq!(table.with(&[2], "shoot 5"), "missed, room 1", "it goes to 10");
    assert_eq!(table.with(&[1], "shoot 5"), "missed, room 1", "to 9");
    assert_eq!(table.play("move 8"), "room 8, stench, wings");
    assert_eq!(table.with(&[1, 0], "move 9"), "bumped, carried, room 1", "it went to 10");
}

/// The actions of a living hunter with an arrow.
const ALL: &str = "east, north, shoot east, shoot north, shoot south, shoot west, south, west";

#[test]
fn hunters_talk_and_win_together() {
    let game = game("wumpus-hunt");
    // Three files, four ranks, one pit; of b1, c1, a2, b2, c2, a3, ... the wumpus in a3, the pit in
    // c1.
    let start = || Table::new(&*game, &[0, 1, 0, 5, 1]);
    let mut table = start();
    assert_eq!((table.seen(0).as_str(), table.seen(1).as_str()), ("", ""));
    assert_eq!(table.labels(), ALL);
    assert_eq!(
        table.turn("north", "west"),
        ["other bump, stench", "bump, other north, other stench"]
    );
    let seen = table.turn("shoot north", "east");
    assert_eq!(seen, ["other breeze, other east, scream", "breeze, scream"]);
    assert_eq!(table.0.scores(), Some(Scores::two(100, 100)));

    // Who steps where the wumpus is shot lives; shots are not told of.
    let mut table = start();
    assert_eq!(table.turn("north", "north"), ["other north, other stench, stench"; 2]);
    assert_eq!(table.turn("shoot north", "north"), ["other north, scream", "scream"]);
    assert_eq!(table.0.scores(), Some(Scores::two(100, 100)));
}

#[test]
fn hunters_die_and_wait() {
    let game = game("wumpus-hunt");
    let start = || Table::new(&*game, &[0, 1, 0, 5, 1]);
    let mut table = start();
    table.turn("north", "south");
    let seen = table.turn("north", "east");
    assert_eq!(seen, ["dead, other breeze, other east", "breeze, silence"]);
    assert_eq!(table.0.turn(), Turn::Move(Player(1)), "the first one's turn is forced");
    table.play("west");
    assert_eq!([table.seen(0), table.seen(1)], ["other west", ""]);
    table.play("shoot south");
    assert_eq!(table.0.scores(), Some(Scores::two(0, 0)), "no arrow is left");

    // The second one dies: what the first one does is a whole turn.
    let mut table = start();
    assert_eq!(
        table.turn("west", "east"),
        ["bump, other breeze, other east", "breeze, other bump"]
    );
    assert_eq!(table.turn("north", "east"), ["silence, stench", "dead, other north, other stench"]);
    assert_eq!(table.play("shoot north"), "scream");
    assert_eq!(table.seen(1), "scream", "the dead hear it");
    assert_eq!(table.0.scores(), Some(Scores::two(100, 100)));

    // Both die at once.
    let mut table = start();
    table.turn("north", "east");
    assert_eq!(table.turn("north", "east"), ["dead, silence"; 2]);
    assert_eq!(table.0.scores(), Some(Scores::two(0, 0)));

    // Fifty turns, and the walls of a cave of three files.
    let mut table = start();
    for _ in 0..49 {
        assert_eq!(table.turn("south", "west"), ["bump, other bump"; 2]);
    }
    assert_eq!(table.payoff(), None);
    table.turn("south", "west");
    assert_eq!(table.payoff(), Some(0));
    let mut table = start();
    for step in ["north", "east", "east", "east"] {
        table.turn(step, "south");
    }
    assert_eq!(
        [table.seen(0), table.seen(1)],
        ["breeze, bump, other bump", "bump, other breeze, other bump"]
    );
    assert_eq!(table.turn("shoot east", "south"), ["breeze, other bump", "bump, other breeze"]);
    assert_eq!(table.labels(), "east, north, south, west", "the arrow is spent");
    assert_eq!(table.turn("north", "shoot west")[1], "other north");
    assert_eq!(table.payoff(), Some(0), "both arrows are spent");
}

#[test]
fn a_phantom_player_is_told_of_his_own_attempts_only() {
    let game = game("phantom-tic-tac-toe");
    let mut table = Table::new(&*game, &[]);
    assert_eq!((table.play("b2"), table.seen(1)), ("placed".into(), "moved".into()));
    assert_eq!(table.labels(), "a1, a2, a3, b1, b2, b3, c1, c2, c3", "b2 may be free");
    assert_eq!((table.play("b2"), table.seen(1)), (String::new(), "taken".into()));
    assert_eq!(table.0.turn(), Turn::Move(Player(1)));
    assert_eq!(table.labels(), "a1, a2, a3, b1, b3, c1, c2, c3", "now he knows");
    assert_eq!((table.play("a1"), table.seen(1)), ("moved".into(), "placed".into()));
    assert_eq!((table.play("a1"), table.seen(1)), ("taken".into(), String::new()));
    assert_eq!((table.play("b1"), table.seen(1)), ("placed".into(), "moved".into()));
    assert_eq!((table.play("c3"), table.seen(1)), ("moved".into(), "placed".into()));
    assert_eq!((table.play("b3"), table.seen(1)), ("over, placed".into(), "moved, over".into()));
    assert_eq!(table.0.scores(), Some(Scores::FIRST));
}

#[test]
fn poker_is_played_for_what_was_put_in() {
    let game = game("leduc-poker");
    // A jack against a king; later of the jack, two queens and the other king the first one is
    // open.
    let mut table = Table::new(&*game, &[0, 4]);
    assert_eq!((table.seen(0), table.seen(1)), ("jack".into(), "king".into()));
    assert_eq!(table.labels(), "call, raise");
    assert_eq!((table.play("raise"), table.seen(1)), ("raise".into(), "raise".into()));
    assert_eq!(table.labels(), "call, fold, raise");
    table.play("raise");
    assert_eq!(table.labels(), "call, fold", "two raises a round");
    assert_eq!(table.with(&[0], "call"), "call, open jack");
    assert_eq!(table.seen(1), "call, open jack");
    for act in ["call", "raise", "raise"] {
        assert_eq!(table.play(act), act);
    }
    assert_eq!(table.play("call"), "call");
    assert_eq!(table.0.scores(), Some(Scores::two(13, -13)), "a pair");

    let mut table = Table::new(&*game, &[0, 4]);
    table.play("raise");
    table.play("fold");
    assert_eq!(table.0.scores(), Some(Scores::two(1, -1)));
    let mut table = Table::new(&*game, &[0, 4]);
    for act in ["raise", "raise", "fold"] {
        table.play(act);
    }
    assert_eq!(table.0.scores(), Some(Scores::two(-3, 3)));
    let mut table = Table::new(&*game, &[0, 4]);
    table.play("call");
    assert_eq!(table.with(&[1], "call"), "call, open queen");
    table.play("call");
    table.play("call");
    assert_eq!(table.0.scores(), Some(Scores::two(-1, 1)), "the king is higher");
    // Equal ranks.
    let mut table = Table::new(&*game, &[0, 0]);
    table.play("call");
    assert_eq!(table.with(&[3], "call"), "call, open king");
    table.play("call");
    table.play("call");
    assert_eq!(table.0.scores(), Some(Scores::two(0, 0)));
}

#[test]
fn liars_are_called() {
    let game = game("liars-dice");
    let play = |said: &[&str]| {
        let mut table = Table::new(&*game, &[3, 5]);
        assert_eq!((table.seen(0), table.seen(1)), ("die 4".into(), "die 6".into()));
        for &said in said {
            assert_eq!((table.play(said), table.seen(1)), (said.into(), said.into()));
        }
        (table.labels(), table.payoff())
    };
    let higher = "2x1, 2x2, 2x3, 2x4, 2x5, 2x6, liar";
    assert_eq!(play(&["1x6"]), (higher.into(), None));
    assert_eq!(play(&["1x6", "2x6"]), ("liar".into(), None));
    assert_eq!(play(&["1x4", "2x4", "liar"]).1, Some(-1), "a four and a wild six");
    assert_eq!(play(&["1x4", "2x5", "liar"]).1, Some(1));
    assert_eq!(play(&["1x1", "liar"]).1, Some(1), "the six is a one");
    assert_eq!(play(&["2x6", "liar"]).1, Some(-1));
}

#[test]
fn cards_of_goofspiel_are_not_shown() {
    let game = game("goofspiel-5");
    let play = |rounds: &[(&str, &str)]| {
        let mut table = Table::new(&*game, &[]);
        let seen: Vec<[String; 2]> =
            rounds.iter().map(|(first, second)| table.turn(first, second)).collect();
        (seen, table.payoff())
    };
    assert_eq!(play(&[("5", "1")]), play(&[("4", "3")]), "won is all that is told");
    let rounds = [("5", "1"), ("1", "5"), ("3", "3"), ("4", "2"), ("2", "4")];
    let (seen, payoff) = play(&rounds);
    assert_eq!(
        seen,
        [["won", "lost"], ["lost", "won"], ["tied", "tied"], ["won", "lost"], ["lost", "won"]]
    );
    assert_eq!(payoff, Some(5 - 4 + 2 - 1));
}

#[test]
fn rows_of_mastermind_are_answered() {
    let game = game("mastermind-4x6");
    // 1 1 2 2 is the code 0 0 1 1 to base six.
    let mut table = Table::new(&*game, &[7]);
    let mut row = |pegs: [&str; 4]| {
        for peg in &pegs[..3] {
            assert_eq!(table.play(peg), "");
        }
        let answer = table.play(pegs[3]);
        (answer, table.payoff())
    };
    let answer = |black: u32, white: u32| format!("black {black}, white {white}");
    assert_eq!(row(["2", "2", "1", "1"]), (answer(0, 4), None));
    assert_eq!(row(["1", "2", "3", "4"]), (answer(1, 1), None));
    assert_eq!(row(["1", "1", "1", "1"]), (answer(2, 0), None));
    assert_eq!(row(["3", "2", "2", "2"]), (answer(2, 0), None));
    assert_eq!(row(["6", "5", "4", "3"]), (answer(0, 0), None));
    assert_eq!(row(["1", "1", "2", "2"]), (answer(4, 0), Some(11 - 6)));
    let mut table = Table::new(&*game, &[7]);
    for ply in 1..=40 {
        assert_eq!(table.payoff(), None);
        assert_eq!(table.play("6"), if ply % 4 == 0 { answer(0, 0) } else { String::new() });
    }
    assert_eq!(table.payoff(), Some(0));
}
