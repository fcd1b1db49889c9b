//! Faults of encodings and of positions in lock-step that the check finds.

mod by_sites;
mod in_rows;

use std::hash::Hash;

use super::*;
use crate::adapted::Adapted;
use crate::bounds::Bounds;
use crate::chance::Chance;
use crate::game::Facts;
use crate::lockstep::Views;
use crate::mechanics::Mechanics;
use crate::percepts::Percepts;
use crate::position::MAX_FORCED_PASSES;
use crate::scores::Scores;

/// The faults of an encoding that a test builds in.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    Nothing,
    CodesExchanged,
    NoCode,
    LookedUp,
    BytesLeftOut,
    TwoAlike,
    ExchangedLater,
    LeftOut {
        open: bool,
    },
    /// No fault: codes are found by keys of labels.
    Keyed,
    /// No fault either: by themselves two labels are one.
    KeyedAlike,
    KeysExchangedLater,
}

impl Fault {
    /// True if actions have keys and no codes.
    fn is_keyed(self) -> bool {
        matches!(self, Fault::Keyed | Fault::KeyedAlike | Fault::KeysExchangedLater)
    }
}

/// Nim with one heap of seven: take one or two, who takes the last wins.
struct Nim(Facts, Fault);

impl Mechanics for Nim {
    type State = (u8, u8);
    type Action = u8;

    fn facts(&self) -> &Facts {
        &self.0
    }

    fn initial<C: Chance + ?Sized>(&self, _: &mut C) -> (u8, u8) {
        (7, 0)
    }

    fn expand(&self, state: &mut (u8, u8), legal: &mut Vec<u8>) -> Turn {
        if state.0 == 0 {
            return Turn::Over;
        }
        legal.extend(1..=state.0.min(2));
        Turn::Move(Player(state.1))
    }

    fn apply<C: Chance + ?Sized>(&self, state: &mut (u8, u8), action: u8, _: &mut C) {
        *state = (state.0 - action, 1 - state.1);
    }

    fn scores(&self, state: &(u8, u8)) -> Scores {
        Scores::win(Player(1 - state.1))
    }

    fn label(&self, _: &(u8, u8), action: u8) -> String {
        format!("take{action}")
    }

    fn draw(&self, state: &(u8, u8)) -> String {
        format!("{} left", state.0)
    }

    fn encoding(&self) -> Option<Encoding> {
        let mut actions = vec!["take1".to_owned(), "take2".to_owned()];
        match self.1 {
            Fault::TwoAlike => "take1".clone_into(&mut actions[1]),
            Fault::LeftOut { .. } => actions.truncate(1),
            _ => {}
        }
        Some(Encoding {
            sites: (1..=7).map(|i| format!("token{i}")).collect(),
            kinds: vec!["token".to_owned()],
            actions,
            open: self.1 == Fault::LeftOut { open: true },
            ..Encoding::default()
        })
    }

    fn code(&self, state: &(u8, u8), action: u8) -> u32 {
        match self.1 {
            Fault::CodesExchanged => u32::from(2 - action),
            Fault::NoCode => 7,
            Fault::LookedUp | Fault::LeftOut { .. } => u32::MAX,
            keyed if keyed.is_keyed() => u32::MAX,
            Fault::ExchangedLater if state.0 == 5 => u32::from(2 - action),
            _ => u32::from(action) - 1,
        }
    }

    fn label_keys(&self, state: &(u8, u8), legal: &[u8], keys: &mut Vec<u64>) -> bool {
        let are_exchanged = self.1 == Fault::KeysExchangedLater && state.0 == 5;
        let key = |&action: &u8| u64::from(if are_exchanged { 3 - action } else { action });
        keys.extend(legal.iter().map(key));
        self.1.is_keyed()
    }

    fn plain_label(&self, state: &(u8, u8), action: u8) -> String {
        let is_alike = self.1 == Fault::KeyedAlike;
        self.label(state, if is_alike { 1 } else { action })
    }

    fn planes(&self, state: &(u8, u8), planes: &mut [u8]) {
        let written = if self.1 == Fault::BytesLeftOut { 6 } else { 7 };
        for (i, byte) in (0..written).zip(planes) {
            *byte = u8::from(i < state.0);
        }
    }
}

fn faults(fault: Fault) -> Vec<String> {
    let game = Adapted::new(Nim(Facts { players: 2, ..Facts::default() }, fault));
    let mut report = Report::default();
    check(&game, &Effort::default(), &mut report);
    report.faults
}

#[test]
fn faults_of_an_encoding_are_found() {
    assert_eq!(faults(Fault::Nothing), Vec::<String>::new());
    assert_eq!(faults(Fault::LookedUp), Vec::<String>::new());
    assert_eq!(faults(Fault::LeftOut { open: true }), Vec::<String>::new());
    assert_eq!(faults(Fault::Keyed), Vec::<String>::new());
    assert_eq!(faults(Fault::KeyedAlike), Vec::<String>::new());
    for (fault, words) in [
        (Fault::CodesExchanged, "`take1` has code 1, which stands for Some(\"take2\")"),
        (Fault::NoCode, "which stands for None"),
        (Fault::BytesLeftOut, "a byte of the planes is not written"),
        (Fault::TwoAlike, "two actions of the encoding share a label"),
        (Fault::ExchangedLater, "`take1` has code 1"),
        (Fault::LeftOut { open: false }, "a position is given up"),
        (Fault::KeysExchangedLater, "in lock-step, "),
    ] {
        let found = faults(fault);
        assert!(found.iter().any(|f| f.contains(words)), "{words}: {found:?}");
    }
}

/// A game in which the player who plays on has so many forced passes before the next choice.
/// What lies on the board tells an odd number of them from an even one.
struct Passing(Facts, u32);

impl Mechanics for Passing {
    type State = u32;
    type Action = u8;

    fn facts(&self) -> &Facts {
        &self.0
    }

    fn initial<C: Chance + ?Sized>(&self, _: &mut C) -> u32 {
        0
    }

    fn expand(&self, passes: &mut u32, legal: &mut Vec<u8>) -> Turn {
        match *passes {
            u32::MAX => return Turn::Over,
            0 => legal.extend([0, 1]),
            passes if passes > self.1 => legal.extend([1, 2]),
            _ => legal.push(3),
        }
        Turn::Move(Player(0))
    }

    fn apply<C: Chance + ?Sized>(&self, passes: &mut u32, action: u8, _: &mut C) {
        *passes = if action == 1 { u32::MAX } else { *passes + 1 };
    }

    fn scores(&self, _: &u32) -> Scores {
        Scores::win(Player(0))
    }

    fn label(&self, _: &u32, action: u8) -> String {
        ["on", "end", "further", "pass"][usize::from(action)].to_owned()
    }

    fn is_pass(&self, _: &u32, action: u8) -> bool {
        action == 3
    }

    fn draw(&self, passes: &u32) -> String {
        format!("{passes} passes")
    }

    fn encoding(&self) -> Option<Encoding> {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        Some(Encoding {
            sites: names(&["a1"]),
            kinds: names(&["odd"]),
            actions: names(&["on", "end", "further", "pass"]),
            ..Encoding::default()
        })
    }

    fn planes(&self, passes: &u32, planes: &mut [u8]) {
        planes[0] = (*passes % 2) as u8;
    }
}

#[test]
fn passes_without_end_are_no_fault_and_given_up_in_one_place() {
    for (passes, progress) in [
        (3, Progress::Going),
        (MAX_FORCED_PASSES, Progress::Going),
        (MAX_FORCED_PASSES + 1, Progress::Capped),
        (u32::MAX - 1, Progress::Capped),
    ] {
        let facts = Facts { players: 2, ..Facts::default() };
        let game = Adapted::new(Passing(facts, passes));
        for cap in [1, 5] {
            let effort = Effort { playouts: 8, cap, ..Effort::default() };
            let report = crate::kit::check(&game, &effort);
            assert_eq!(report.faults, Vec::<String>::new(), "{passes}, cap {cap}");
        }
        let job = LockstepJob { seed: 1, first: 0, count: 1, stride: 1, cap: 9 };
        let mut lockstep = game.lockstep(&job).expect("there is an encoding");
        let mut buffers = Buffers::new(&game.encoding().expect("there is"), 2, 1, 9);
        lockstep.restart(&mut buffers.views());
        lockstep.step(&[0], false, &mut buffers.views()).expect("it is legal");
        assert_eq!(buffers.progress[0], progress as u8, "{passes}");
        let mut position = game.open(&mut Rng::stream(1, 0));
        position.play(0, &mut Rng::stream(1, 0)).expect("it is legal");
        assert_eq!(
            settle(&mut *position, &mut Rng::stream(1, 0)),
            progress == Progress::Going,
            "{passes}"
        );
        let leaves = crate::tree::perft(&*game.open(&mut Rng::stream(1, 0)), 2, 1 << 20, false);
        let second = if progress == Progress::Going { 2 } else { 0 };
        assert_eq!(leaves, Some(vec![2, second]), "{passes}");
    }
}

/// Each player draws a hidden coin, which only that player perceives, and bets or folds; a bet
/// is heard by both. The flags leave one percept out of the encoding, and say so.
struct Coins(Facts, bool, bool);

impl Mechanics for Coins {
    type State = ([u32; 2], u8);
    type Action = u8;

    fn facts(&self) -> &Facts {
        &self.0
    }

    fn initial<C: Chance + ?Sized>(&self, chance: &mut C) -> ([u32; 2], u8) {
        ([chance.below(2), chance.below(2)], 0)
    }

    fn expand(&self, state: &mut ([u32; 2], u8), legal: &mut Vec<u8>) -> Turn {
        if state.1 == 4 {
            return Turn::Over;
        }
        legal.extend([0, 1]);
        Turn::Move(Player(state.1 % 2))
    }

    fn apply<C: Chance + ?Sized>(&self, state: &mut ([u32; 2], u8), _: u8, _: &mut C) {
        state.1 += 1;
    }

    fn apply_perceived<C: Chance + ?Sized>(
        &self,
        state: &mut ([u32; 2], u8),
        action: u8,
        chance: &mut C,
        percepts: &mut Percepts,
    ) {
        self.apply(state, action, chance);
        if action == 1 {
            percepts.tell_all(2, "bet");
        }
    }

    fn start_percepts(&self, state: &([u32; 2], u8), percepts: &mut Percepts) {
        for (player, coin) in (0..).zip(state.0) {
            percepts.tell(Player(player), ["tails", "heads"][coin as usize]);
        }
    }

    fn scores(&self, state: &([u32; 2], u8)) -> Scores {
        Scores::win(Player(u8::from(state.0[0] < state.0[1])))
    }

    fn label(&self, _: &([u32; 2], u8), action: u8) -> String {
        ["fold", "bet"][usize::from(action)].to_owned()
    }

    fn draw(&self, state: &([u32; 2], u8)) -> String {
        format!("{state:?}")
    }

    fn bounds(&self) -> Option<Bounds> {
        Some(Bounds::SMALL)
    }

    fn key(&self, state: &([u32; 2], u8)) -> impl Hash + Eq + use<> {
        *state
    }

    fn encoding(&self) -> Option<Encoding> {
        let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        let percepts = if self.1 { &["bet", "heads"][..] } else { &["bet", "heads", "tails"] };
        let encoding = Encoding::perceived(names(&["bet", "fold"]), names(percepts));
        Some(Encoding { open: self.2, ..encoding })
    }
}

fn coins(leaves_out: bool, open: bool) -> Adapted<Coins> {
    let facts = Facts { players: 2, chance: true, hidden: true, ..Facts::default() };
    Adapted::new(Coins(facts, leaves_out, open))
}

/// A position in which somebody perceived what is no site is given up, and nothing is shown of it.
#[test]
fn positions_with_unknown_percepts_are_given_up() {
    let game = coins(true, true);
    let mut report = Report::default();
    check(&game, &Effort::default(), &mut report);
    assert_eq!(report.faults, [""; 0]);
    let job = LockstepJob { seed: 1, first: 0, count: 16, stride: 16, cap: 10 };
    let mut lockstep = game.lockstep(&job).expect("there is an encoding");
    let mut buffers = Buffers::new(&game.encoding().expect("it has one"), 2, 16, 9);
    let mut views = buffers.views();
    lockstep.restart(&mut views);
    let mut given_up = 0;
    for i in 0..16 {
        let mut rng = Rng::stream(1, i as u64);
        let has_tails = rng.below(2) * rng.below(2) == 0;
        let expected = if has_tails { Progress::Uncoded } else { Progress::Going };
        assert_eq!(views.progress[i], expected as u8, "position {i}");
        let codes = game.open(&mut Rng::stream(1, i as u64)).codes().map(|codes| codes.len());
        assert_eq!(codes, Some(if has_tails { 0 } else { 2 }), "position {i}");
        given_up += u32::from(has_tails);
    }
    assert!(0 < given_up && given_up < 16);
}

#[test]
fn players_of_hidden_games_see_what_they_perceived_and_nothing_else() {
    for (leaves_out, fault) in [(false, None), (true, Some("`tails` is perceived"))] {
        let mut report = Report::default();
        check(&coins(leaves_out, false), &Effort::default(), &mut report);
        assert_eq!(report.faults.len(), usize::from(fault.is_some()), "{:?}", report.faults);
        assert!(report.faults.iter().zip(fault).all(|(f, words)| f.contains(words)));
    }
    let game = coins(false, false);
    let job = LockstepJob { seed: 1, first: 0, count: 8, stride: 8, cap: 10 };
    let mut lockstep = game.lockstep(&job).expect("there is an encoding");
    assert_eq!(lockstep.method(), Method::Tabled);
    let encoding = game.encoding().expect("it has one");
    let mut buffers = Buffers::new(&encoding, 2, 8, 9);
    let mut views = buffers.views();
    lockstep.restart(&mut views);
    let mut own = [[0; 2]; 8];
    for (i, own) in own.iter_mut().enumerate() {
        let (state, mut rng) = (&mut [0; 2], Rng::stream(1, i as u64));
        state.iter_mut().for_each(|coin| *coin = rng.below(2));
        *own = *state;
    }
    let coin = |views: &Views<'_>, i: usize, plane: usize| {
        let row = &views.planes[10 * i + 5 * plane..10 * i + 5 * plane + 5];
        (row[0] == 1, row[1..3].to_vec(), row[3..].to_vec())
    };
    for (i, own) in own.iter().enumerate() {
        let heads = u8::from(own[0] == 1);
        assert_eq!(
            coin(&views, i, 0),
            (false, vec![heads, 1 - heads], vec![0, 0]),
            "the first sees its coin"
        );
    }
    // The first bets; the second hears it, and sees its own coin besides.
    lockstep.step(&[0; 8], false, &mut views).expect("it is legal");
    for (i, own) in own.iter().enumerate() {
        let heads = u8::from(own[1] == 1);
        assert_eq!(coin(&views, i, 0), (true, vec![heads, 1 - heads], vec![0, 0]));
        assert_eq!(coin(&views, i, 1), (false, vec![0, 0], vec![0, 0]));
    }
    // The second folds, which nobody perceives: the first knows its coin from before, and the
    // bet.
    lockstep.step(&[1; 8], false, &mut views).expect("it is legal");
    for (i, own) in own.iter().enumerate() {
        let heads = u8::from(own[0] == 1);
        assert_eq!(coin(&views, i, 0), (true, vec![0, 0], vec![1, 0]));
        assert_eq!(coin(&views, i, 1), (false, vec![heads, 1 - heads], vec![0, 0]));
    }
}

#[test]
fn positions_that_end_begin_anew_with_the_next_playout() {
    let game = Adapted::new(Nim(Facts { players: 2, ..Facts::default() }, Fault::Nothing));
    let job = LockstepJob { seed: 5, first: 0, count: 3, stride: 3, cap: 10 };
    let mut lockstep = game.lockstep(&job).expect("there is an encoding");
    let encoding = game.encoding().expect("it has one");
    let mut buffers = Buffers::new(&encoding, 2, 3, 9);
    let mut views = buffers.views();
    lockstep.restart(&mut views);
    // Plies and scores of each playout, in the order of its position.
    let mut ended = vec![Vec::new(); 3];
    let mut plies = [0; 3];
    let mut actions = [0; 3];
    while ended.iter().any(|all| all.len() < 4) {
        lockstep.draw(&mut actions);
        lockstep.step(&actions, true, &mut views).expect("they are legal");
        for i in 0..3 {
            plies[i] += 1;
            if views.progress[i] == Progress::Over as u8 {
                let scores: Vec<i32> = views.scores[2 * i..2 * i + 2].to_vec();
                ended[i].push((std::mem::take(&mut plies[i]), scores));
                assert_eq!(views.mask[2 * i..2 * i + 2], [1, 1], "of the new start");
                assert_eq!(views.turns[i], 0);
            }
        }
    }
    for (i, all) in ended.iter().enumerate() {
        for (round, (plies, scores)) in all.iter().enumerate() {
            let id = (i + 3 * round) as u64;
            let end = crate::reference::playout(
                &Nim(Facts::default(), Fault::Nothing),
                &mut Rng::stream(5, id),
                10,
                &mut Vec::new(),
            );
            let crate::Ending::Over(expected) = end.ending else { panic!("it ends") };
            assert_eq!((*plies, scores.clone()), (end.plies, expected.iter().collect()), "{id}");
        }
    }
}
