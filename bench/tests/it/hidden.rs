//! Games of hidden information: engines that play the same game tell the same players the same.

use bench::subject::{Local, Subject};
use bench::verify::{Effort, Expected, verify};
use play::{Adapted, Chance, Facts, Game, Mechanics, Percepts, Player, Scores, Turn};
use reports::Verdict;

use crate::common;

/// The wrong percept of an engine.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Fault {
    None,
    /// The second player is told what only the first should know.
    WrongRole,
    /// One secret in five is told wrong.
    Rarely,
    /// Nothing is told of what the players say.
    Silence,
}

/// Chance draws a number, of which the first player is told whether it is odd. Then both guess in
/// turn, each twice, and hear each other.
struct Peek {
    facts: Facts,
    /// The number of numbers: few enough for all of them to be in the fingerprint, or too many.
    numbers: u32,
    fault: Fault,
}

fn peek(numbers: u32, fault: Fault) -> Box<dyn Game> {
    let facts = Facts { players: 2, chance: numbers > 1, hidden: true, ..Facts::default() };
    Adapted::boxed(Peek { facts, numbers, fault })
}

#[derive(Clone)]
struct State {
    secret: u32,
    said: Vec<u8>,
}

impl Mechanics for Peek {
    type State = State;
    type Action = u8;

    fn facts(&self) -> &Facts {
        &self.facts
    }

    fn initial<C: Chance + ?Sized>(&self, chance: &mut C) -> State {
        State { secret: chance.below(self.numbers), said: Vec::new() }
    }

    fn expand(&self, state: &mut State, legal: &mut Vec<u8>) -> Turn {
        if state.said.len() == 4 {
            return Turn::Over;
        }
        legal.extend([0, 1]);
        Turn::Move(Player(state.said.len() as u8 % 2))
    }

    fn apply<C: Chance + ?Sized>(&self, state: &mut State, action: u8, _: &mut C) {
        state.said.push(action);
    }

    fn start_percepts(&self, state: &State, percepts: &mut Percepts) {
        let wrong = self.fault == Fault::Rarely && state.secret.is_multiple_of(5);
        let odd = (state.secret % 2 == 1) != wrong;
        let role = Player(u8::from(self.fault == Fault::WrongRole));
        percepts.tell(role, if odd { "odd" } else { "even" });
    }

    fn apply_perceived<C: Chance + ?Sized>(
        &self,
        state: &mut State,
        action: u8,
        chance: &mut C,
        percepts: &mut Percepts,
    ) {
        self.apply(state, action, chance);
        if self.fault != Fault::Silence {
            percepts.tell_all(2, if action == 0 { "even" } else { "odd" });
        }
    }

    fn scores(&self, state: &State) -> Scores {
        let right = |player: usize| {
            let guesses = state.said.iter().skip(player).step_by(2);
            guesses.filter(|&&said| u32::from(said) == state.secret % 2).count() as i32
        };
        Scores::two(right(0) - right(1), right(1) - right(0))
    }

    fn label(&self, _: &State, action: u8) -> String {
        ["even", "odd"][usize::from(action)].to_owned()
    }

    fn draw(&self, state: &State) -> String {
        format!("{} {:?}", state.secret, state.said)
    }
}

/// Without chance walks show it, with some chance fingerprints, with much of it distributions.
#[test]
fn who_is_told_what_is_part_of_the_proof() {
    for numbers in [1, 40, 4000] {
        for fault in [Fault::None, Fault::WrongRole, Fault::Rarely, Fault::Silence] {
            let games = [Fault::None, Fault::None, fault].map(|fault| peek(numbers, fault));
            let mut subjects: Vec<Box<dyn Subject + '_>> = ["a", "b", "c"]
                .iter()
                .zip(&games)
                .map(|(name, game)| Box::new(Local::new(*name, &**game)) as Box<dyn Subject + '_>)
                .collect();
            let last = if fault == Fault::None { Verdict::Ok } else { Verdict::Wrong };
            let expected = [Verdict::Ok, Verdict::Ok, last];
            let proof = common::prove(
                &Effort::quick(11, 100),
                |effort| verify(&mut subjects, &Expected::default(), effort),
                |proof| {
                    let found = common::verdicts(proof);
                    // However little was played, no sound engine is ever blamed.
                    assert!(
                        !found[..2].contains(&Verdict::Wrong),
                        "{numbers} {fault:?}: {found:?}"
                    );
                    found == expected
                },
            );
            assert_eq!(common::verdicts(&proof), expected, "{numbers} {fault:?}");
        }
    }
}
