//! Tests of percepts: notes, hidden sites, and that playouts keep nothing of them.

use ludeme::{LudemeEngine, front};
use play::kit::{Effort, check};
use play::{
    Chance, Engine, Game, Job, Limits, Method, NoChance, Player, Position, Rng, Script, Turn, Via,
    settle,
};

use super::common::compiled;
use super::files::{descriptions, shared};

/// A game that is played by hand, with what chance does.
pub(crate) struct Table<'g> {
    pub(crate) position: Box<dyn Position + 'g>,
    chance: Script,
    players: u8,
}

impl<'g> Table<'g> {
    /// Opens a game; chance gives these outcomes, then zeros.
    pub(crate) fn open(game: &'g dyn Game, outcomes: &[u32]) -> Table<'g> {
        let mut chance = Script::new(outcomes.iter().copied());
        let mut position = game.open(&mut chance);
        settle(&mut *position, &mut chance);
        Table { position, chance, players: game.facts().players }
    }

    /// Plays what has this label, forced passes after it included, with these outcomes of chance.
    pub(crate) fn after(&mut self, label: &str, outcomes: &[u32]) {
        self.chance = Script::new(outcomes.iter().copied());
        let labels = self.position.labels();
        let number = labels.iter().position(|l| l == label);
        let number = number.unwrap_or_else(|| panic!("no {label} among {labels:?}"));
        self.position.play(number, &mut self.chance).unwrap();
        settle(&mut *self.position, &mut self.chance);
    }

    /// Plays what has this label; what each player perceives of it, players behind bars.
    pub(crate) fn play(&mut self, label: &str) -> String {
        self.after(label, &[]);
        self.perceived()
    }

    /// The last percepts of each player.
    pub(crate) fn perceived(&self) -> String {
        let all = self.position.percepts().all(self.players);
        all.iter().map(|texts| texts.join(", ")).collect::<Vec<_>>().join(" | ")
    }

    /// The payoffs of a game that is over.
    pub(crate) fn payoffs(&self) -> Vec<i32> {
        self.position.scores().expect("the game is over").iter().collect()
    }
}

/// Chance that is drawn.
struct Drawn(Rng);

impl Chance for Drawn {
    fn below(&mut self, n: u32) -> u32 {
        self.0.below(n)
    }
}

/// A game for so many players on four squares in a row: whoever moves takes one, with this effect.
fn taking(players: u32, effect: &str, start: &str) -> Box<dyn Game> {
    let text = format!(
        "(game \"Taking\" (players {players})
            (equipment {{ (board (rectangle 1 4)) (hand Each) (piece \"Disc\" Each) }})
            (rules (start {{ {start} }})
                (play (move Add (to (sites Empty)) (then {effect})))
                (end (if (is Full) (result Mover Win)))))"
    );
    compiled("taking.lud", &text)
}

/// The least that makes a game one of hidden information.
const HIDES: &str = "(set Hidden (sites Board) to:All)";

#[test]
fn notes_tell_whom_they_name() {
    let effect = "(and {
        (note \"all\") (note \"each\" to:Each) (note \"mover\" to:Mover) (note \"next\" to:Next)
        (note \"second\" to:P2) (note \"third\" to:(player 3)) (note \"others\" to:NonMover)
        (note \"nobody\" to:(player 7)) (if (= (last To) 3) (note \"fourth\" to:P1))
        (note player:Mover \"speaks\" to:P1) (note (last To) to:P2) (note (is Full) to:P2) })";
    let game = taking(3, effect, HIDES);
    let mut table = Table::open(&*game, &[]);
    assert_eq!(
        table.play("b1"),
        "all, each, mover, player 1 speaks | \
         1, all, each, false, next, others, second | all, each, others, third"
    );
    assert_eq!(
        table.play("d1"),
        "all, each, fourth, others, player 2 speaks | \
         3, all, each, false, mover, second | all, each, next, others, third"
    );
}

#[test]
fn notes_are_told_in_the_order_of_the_rules() {
    let effect = "(and { (note \"wind\") (note \"air\" to:P1) (note (last To)) (note \"air\")
        (note \"bats\") })";
    let game = taking(2, effect, HIDES);
    let mut table = Table::open(&*game, &[]);
    table.after("d1", &[]);
    let told = table.position.percepts().all_as_told(2);
    assert_eq!(told[0], ["wind", "air", "3", "bats"]);
    assert_eq!(told[1], ["wind", "3", "air", "bats"]);
    assert_eq!(table.perceived(), "3, air, bats, wind | 3, air, bats, wind");
}

#[test]
fn notes_come_in_the_order_of_effects_and_only_where_their_conditions_hold() {
    // What is told is worked out before what stands beside it is carried out, and after what it
    // follows.
    let effect = "(and
        (and (set Var \"X\" (last To)) (note (var \"X\")))
        (set Var \"Y\" 7 (then (if (= (var \"X\") 2) (note (+ (var \"X\") (var \"Y\")))))))";
    let game = taking(1, effect, "");
    assert!(game.facts().hidden, "a player alone who is told something does not see the board");
    let mut table = Table::open(&*game, &[]);
    assert_eq!(table.play("d1").split(", ").count(), 1);
    assert_eq!(table.play("c1"), "3, 9", "the number before, then the sum after");
    assert_eq!(table.play("b1"), "2");
}

#[test]
fn a_game_is_hidden_where_something_is_hidden_or_a_player_alone_is_told() {
    let note = "(note \"mine\" to:Next)";
    assert!(!taking(2, note, "").facts().hidden, "notes say what everybody sees");
    assert!(taking(2, note, HIDES).facts().hidden);
    assert!(taking(1, "(note \"mine\")", "").facts().hidden);
    assert!(!taking(1, "(set Var 1)", "").facts().hidden);
    let game = taking(2, note, "");
    assert_eq!(Table::open(&*game, &[]).play("a1"), " | ");
}

#[test]
fn players_see_the_sites_that_changed_in_their_view() {
    // Discs are hidden from the second player wholly, from the third in kind only.
    let effect = "(and {
        (set Hidden at:(last To) to:P2)
        (set Hidden What at:(last To) to:P3)
        (if (= (last To) 3) (and
            (set Hidden (sites Board) False to:P2)
            (set Hidden What (sites Board) False to:(player 3)))) })";
    let start = "(place \"Disc2\" (handSite P2)) (place \"Disc3\" 1) (set Hidden Who at:1 to:P1)";
    let game = taking(3, effect, start);
    let mut table = Table::open(&*game, &[]);
    assert_eq!(
        table.perceived(),
        "b1 disc, hand2 disc2 | b1 disc3, hand2 disc2 | b1 disc3, hand2 disc2"
    );
    assert_eq!(table.play("a1"), "a1 disc1 |  | a1 hidden");
    assert_eq!(table.play("c1"), "c1 disc2 |  | c1 hidden");
    assert_eq!(
        table.play("d1"),
        "d1 disc3 | a1 disc1, c1 disc2, d1 disc3 | a1 disc1, c1 disc2, d1 disc3"
    );
}

#[test]
fn what_is_hidden_of_a_piece_goes_with_it() {
    let text = r#"(game "Walk" (players 2)
        (equipment { (board (rectangle 1 4))
            (piece "King" Each (move Step (to if:(is Empty (to))))) })
        (rules (start { (place "King1" 0) (place "King2" 3)
                (set Hidden What at:0 to:P2) (set Hidden at:3 to:P1) })
            (play (forEach Piece)) (end (if (no Moves Next) (result Mover Win)))))"#;
    let game = compiled("walk.lud", text);
    let mut table = Table::open(&*game, &[]);
    assert_eq!(table.perceived(), "a1 king1 | a1 hidden, d1 king2");
    assert_eq!(table.play("a1b1"), "a1 empty, b1 king1 | a1 empty, b1 hidden");
    // A copy perceives the same, and is independent.
    let mut copy = table.position.copy();
    assert_eq!(table.play("d1c1"), " | c1 king2, d1 empty");
    copy.play(0, &mut NoChance).unwrap();
    assert_eq!(copy.percepts(), table.position.percepts());
    assert_eq!(table.play("b1a1"), "a1 king1, b1 empty | a1 hidden, b1 empty");
}

#[test]
fn forced_passes_belong_to_the_ply_before_them() {
    let text = r#"(game "Forced" (players 1)
        (equipment { (board (rectangle 1 4)) (piece "Disc" P1) })
        (rules (play
            (if (is Even (count Moves))
                (move Pass (then (note "begin")))
                (move Add (to (sites Empty)) (then (note (last To))))))
            (end (if (is Full) (payoffs {(payoff P1 -7)})))))"#;
    let game = compiled("forced.lud", text);
    let mut table = Table::open(&*game, &[]);
    assert_eq!(table.perceived(), "begin");
    assert_eq!(table.play("b1"), "1, begin");
    assert_eq!(table.play("a1"), "0, begin");
}

#[test]
fn playouts_with_and_without_notes_are_the_same() {
    let job = Job { seed: 5, first: 0, count: 300, cap: 1000 };
    let plain = taking(2, "(if (is Line 2) (moveAgain))", "");
    let told = "(and { (if (is Line 2) (moveAgain)) (note \"taken\" to:Mover) (note (last To)) \
                (set Hidden at:(last To) to:Next) })";
    let told = taking(2, told, HIDES);
    assert!(told.facts().hidden && !plain.facts().hidden);
    for via in [Via::Fast, Via::Reference] {
        assert_eq!(plain.run(&job, via), told.run(&job, via), "{via:?}");
    }
    // So are those from a position that has been played to.
    let (mut a, mut b) = (plain.open(&mut NoChance), told.open(&mut NoChance));
    a.play(1, &mut NoChance).unwrap();
    b.play(1, &mut NoChance).unwrap();
    let before = b.percepts().clone();
    for id in 0..20 {
        assert_eq!(a.playout(&mut Rng::stream(3, id), 9), b.playout(&mut Rng::stream(3, id), 9));
    }
    assert_eq!(*b.percepts(), before);
}

/// What is told or hidden by chance is drawn where nobody perceives it, too: playouts of the same
/// seed are the same, whether positions list their actions or not.
#[test]
fn percepts_by_chance_are_drawn_where_nobody_listens() {
    let then = "(set Var \"X\" (value Random (range 0 9)))";
    for effect in [
        "(set Hidden What (sites Random (sites Occupied by:All)) False to:P1)",
        "(set Hidden What at:(value Random (range 0 3)) to:P1)",
        "(note (value Random (range 0 9)))",
        "(note \"even\" to:(player (value Random (range 1 2))))",
    ] {
        let followed = format!("(and {effect} {then})");
        for effect in [effect, &followed] {
            let game = taking(1, effect, HIDES);
            let report = check(&*game, &Effort { playouts: 400, ..Effort::default() });
            assert_eq!(report.faults, [""; 0], "{effect}");
        }
    }
}

#[test]
fn payoffs_are_numbers_of_any_sign_on_every_path() {
    let rules = |side: u32, pays: &str, effect: &str| {
        let text = format!(
            "(game \"Pays\" (players 2)
                (equipment {{ (board (square {side})) (piece \"Disc\" Each) }})
                (rules (play (move Add (to (sites Empty)) {effect}))
                    (end (if (is Line 3) (payoffs {{ {pays} }})))))"
        );
        compiled("pays.lud", &text)
    };
    let constant = "(payoff Mover -1000) (payoff Next 7.5)";
    let scored = "(payoff P1 (- (toFloat (score P1)) 100)) (payoff P2 (* -3 (toFloat (score P2))))";
    let score = "(then (addScore Mover (last To)))";
    let job = Job { seed: 2, first: 0, count: 400, cap: 25 };
    // Of the first player 0 + 1 + 2, of the second 3 + 4; then 0 + 1 + 8 and 3 + 4 + 5; on the
    // larger board 0 + 1 + 2 and 5 + 6, then 0 + 1 + 12 and 5 + 6 + 7.
    for (game, method, first, second) in [
        (rules(3, constant, ""), Method::Tabled, [-1000, 8], [8, -1000]),
        (rules(5, constant, ""), Method::Counted, [-1000, 8], [8, -1000]),
        (rules(3, scored, score), Method::Tabled, [3 - 100, -21], [9 - 100, -36]),
        (rules(5, scored, score), Method::Counted, [3 - 100, -33], [13 - 100, -54]),
    ] {
        assert_eq!(game.facts().fast.method, method);
        let tally = game.run(&job, Via::Fast);
        assert_eq!(tally, game.run(&job, Via::Reference), "{:?}", game.facts().fast);
        let report = check(&*game, &Effort { seed: 1, walks: 4, playouts: 200, cap: 25 });
        assert!(report.faults.is_empty(), "{:?}", report.faults);
        let mut table = Table::open(&*game, &[]);
        ["a1", "a2", "b1", "b2", "c1"].iter().for_each(|label| table.after(label, &[]));
        assert_eq!(table.payoffs(), first);
        let mut table = Table::open(&*game, &[]);
        ["a1", "a2", "b1", "b2", "c3", "c2"].iter().for_each(|label| table.after(label, &[]));
        assert_eq!(table.payoffs(), second);
    }
}

/// The expression that begins with these words, up to the bracket that closes it.
fn expression<'t>(text: &'t str, begin: &str) -> &'t str {
    let start = text.find(begin).unwrap_or_else(|| panic!("no {begin}"));
    let mut depth = 0;
    for (at, c) in text[start..].char_indices() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth == 0 {
            return &text[start..=start + at];
        }
    }
    panic!("{begin} does not end");
}

#[test]
fn wumpus_world_as_published_tells_what_its_notes_say() {
    let Some(seeds) = shared("seeds") else { return };
    let seeds = std::fs::read_dir(seeds).unwrap().flatten();
    let mut seeds = seeds.map(|entry| entry.path());
    let path =
        seeds.find(|p| p.file_name().is_some_and(|n| n.to_string_lossy().starts_with("000")));
    let text = std::fs::read_to_string(path.expect("the text")).unwrap();
    let defines =
        ["IsNextToPit", "IsNextToWumpus", "AtGold", "AtPit", "AtWumpus", "ArrowPath", "ArrowLogic"];
    let defines = defines.map(|name| expression(&text, &format!("(define \"{name}\"")));
    let human = expression(&text, "(piece \"Human\" P1\n");
    let equipment =
        expression(&text, "(equipment\n{").replace("// ... human piece defined here ...", human);
    let rules = format!(
        "{}\n(game \"Wumpus World\" {} {equipment} (rules {} {} {}))",
        defines.join("\n"),
        expression(&text, "(players 1)"),
        expression(&text, "(start\n"),
        expression(&text, "(play\n(or"),
        expression(&text, "(end {\n"),
    );
    let game = compiled("wumpus.lud", &rules);
    let facts = game.facts();
    assert!(facts.hidden && !facts.chance && facts.players == 1);
    let report = check(&*game, &Effort { seed: 1, walks: 5, playouts: 100, cap: 1000 });
    assert!(report.faults.is_empty(), "{:?}", report.faults);
    // Up beside the wumpus, and a shot at it; then to the gold.
    let mut table = Table::open(&*game, &[]);
    assert_eq!(table.perceived(), "");
    let stench = table.play("a1a2");
    assert!(stench.contains("stench") && !stench.contains("breeze"), "{stench}");
    let yell = table.play("hand1a4");
    assert!(yell.contains("dies"), "{yell}");
    assert_eq!(table.play("a2b2"), "");
    let found = table.play("b2b3");
    assert!(
        found.contains("gold") && found.contains("breeze") && found.contains("stench"),
        "{found}"
    );
    assert_eq!(table.payoffs(), [100]);
    // Into the pit; into the wumpus, after a shot at a wall.
    let mut table = Table::open(&*game, &[]);
    let breeze = table.play("a1b1");
    assert!(breeze.contains("breeze") && !breeze.contains("stench"), "{breeze}");
    let pit = table.play("b1c1");
    assert!(pit.contains("pit and die"), "{pit}");
    assert_eq!(table.payoffs(), [0]);
    let mut table = Table::open(&*game, &[]);
    let wall = table.play("hand1d1");
    assert!(wall.contains("wall"), "{wall}");
    table.play("a1a2");
    assert!(table.play("a2a3").contains("eaten"));
    assert_eq!(table.payoffs(), [0]);
}

/// Of the public descriptions some hide something, and more have notes: in how many games players
/// do not see everything depends on how notes are read.
#[test]
fn public_descriptions_are_hidden_where_they_hide_something() {
    let Some(corpus) = shared("corpus/lud") else { return };
    let (mut hiding, mut noting, mut hidden, mut read) = (0, 0, 0, 0);
    for rules in descriptions(&corpus) {
        let text = rules.source.text();
        let (hides, notes) = (text.contains("(set Hidden"), text.contains("(note "));
        hiding += usize::from(hides);
        noting += usize::from(notes && !hides);
        if !hides && !notes {
            continue;
        }
        if let Ok(compiled) = LudemeEngine.compile(&rules, &Limits::default()) {
            read += 1;
            let facts = compiled.game.facts();
            // With the options that hold by default; some hide by another one alone.
            let hides = front::expand_to_text(&rules).0.contains("(set Hidden");
            assert_eq!(facts.hidden, hides, "{}", rules.source.name());
            hidden += usize::from(facts.hidden);
            perceives(&*compiled.game);
        }
    }
    // All that have notes and hide nothing are for several players, who see the board.
    assert_eq!((hiding, noting), (10, 7));
    assert!(hidden >= 6 && read >= 9, "{hidden} of {read}");
}

/// Walks through a game at random: what is perceived are texts, and positions stay in step.
fn perceives(game: &dyn Game) {
    let mut rng = Rng::stream(1, 1);
    let mut chance = Drawn(Rng::stream(1, 2));
    let mut position = game.open(&mut chance);
    for _ in 0..30 {
        let Turn::Move(_) = position.turn() else { break };
        let number = rng.below(position.actions() as u32) as usize;
        position.play(number, &mut chance).unwrap();
        for player in 0..game.facts().players {
            let percepts = position.percepts().of(Player(player));
            assert!(percepts.iter().all(|p| !p.is_empty()), "{percepts:?}");
            assert!(game.facts().hidden || percepts.is_empty());
        }
    }
}
