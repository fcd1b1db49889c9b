use play::{Adapted, Chance, Facts, Game, Mechanics, Percepts, Player, Scores, Turn};

/// Player 2 creeps along a ring of three squares, unperceived, until it stops (it must after three
/// creeps); then with probability 1/3 player 1 gets a `clue`, but not if player 2 stands where it
/// began. Player 1 guesses the square, 100 if right.
///
/// Player 2 at random creeps 0, 1, 2 or 3 times with probabilities 1/2, 1/4, 1/8, 1/8, so it is in
/// square 0, 1 or 2 with 5/8, 1/4, 1/8: without a clue 15/21, 4/21, 2/21, with one 0, 2/3, 1/3.
pub(crate) struct Creep(Facts);

impl Creep {
    pub(crate) fn boxed() -> Box<dyn Game> {
        let facts = Facts { players: 2, chance: true, hidden: true, ..Facts::default() };
        Adapted::boxed(Creep(facts))
    }
}

#[derive(Clone, Default)]
pub(crate) struct Ring {
    creeps: u8,
    stopped: bool,
    guess: Option<u8>,
}

impl Mechanics for Creep {
    type State = Ring;
    type Action = u8;

    fn facts(&self) -> &Facts {
        &self.0
    }

    fn initial<C: Chance + ?Sized>(&self, _: &mut C) -> Ring {
        Ring::default()
    }

    fn expand(&self, ring: &mut Ring, legal: &mut Vec<u8>) -> Turn {
        if ring.guess.is_some() {
            return Turn::Over;
        }
        if ring.stopped {
            legal.extend([0, 1, 2]);
            return Turn::Move(Player(0));
        }
        legal.push(3);
        if ring.creeps < 3 {
            legal.push(4);
        }
        Turn::Move(Player(1))
    }

    fn apply<C: Chance + ?Sized>(&self, ring: &mut Ring, action: u8, chance: &mut C) {
        self.apply_perceived(ring, action, chance, &mut Percepts::default());
    }

    fn apply_perceived<C: Chance + ?Sized>(
        &self,
        ring: &mut Ring,
        action: u8,
        chance: &mut C,
        percepts: &mut Percepts,
    ) {
        match action {
            3 => {
                ring.stopped = true;
                percepts.tell(Player(0), "stopped");
                if chance.below(3) == 0 && !ring.creeps.is_multiple_of(3) {
                    percepts.tell(Player(0), "clue");
                }
            }
            4 => ring.creeps += 1,
            guess => ring.guess = Some(guess),
        }
    }

    fn scores(&self, ring: &Ring) -> Scores {
        let right = ring.guess == Some(ring.creeps % 3);
        Scores::two(if right { 100 } else { 0 }, 0)
    }

    fn label(&self, _: &Ring, action: u8) -> String {
        match action {
            3 => "stop".to_owned(),
            4 => "creep".to_owned(),
            guess => guess.to_string(),
        }
    }

    fn draw(&self, ring: &Ring) -> String {
        format!("{} creeps, stopped: {}", ring.creeps, ring.stopped)
    }
}
