use play::{Adapted, Chance, Facts, Game, Mechanics, Percepts, Player, Scores, Turn};

const CARDS: [&str; 3] = ["jack", "queen", "king"];

/// Kuhn poker, by the rules in `games/catalogue/kuhn-poker`.
pub(crate) struct Kuhn(Facts);

impl Kuhn {
    pub(crate) fn boxed() -> Box<dyn Game> {
        let facts = Facts { players: 2, chance: true, hidden: true, ..Facts::default() };
        Adapted::boxed(Kuhn(facts))
    }
}

#[derive(Clone)]
pub(crate) struct Deal {
    cards: [usize; 2],
    /// The actions so far; `true` is a bet or a call.
    said: Vec<bool>,
}

impl Mechanics for Kuhn {
    type State = Deal;
    type Action = bool;

    fn facts(&self) -> &Facts {
        &self.0
    }

    fn initial<C: Chance + ?Sized>(&self, chance: &mut C) -> Deal {
        let first = chance.below(3) as usize;
        let second = (first + 1 + chance.below(2) as usize) % 3;
        Deal { cards: [first, second], said: Vec::new() }
    }

    fn expand(&self, deal: &mut Deal, legal: &mut Vec<bool>) -> Turn {
        if matches!(deal.said[..], [true, _] | [false, false] | [_, _, _]) {
            return Turn::Over;
        }
        legal.extend([false, true]);
        Turn::Move(Player((deal.said.len() % 2) as u8))
    }

    fn apply<C: Chance + ?Sized>(&self, deal: &mut Deal, action: bool, _: &mut C) {
        deal.said.push(action);
    }

    fn apply_perceived<C: Chance + ?Sized>(
        &self,
        deal: &mut Deal,
        action: bool,
        _: &mut C,
        percepts: &mut Percepts,
    ) {
        percepts.tell_all(2, &self.label(deal, action));
        deal.said.push(action);
    }

    fn start_percepts(&self, deal: &Deal, percepts: &mut Percepts) {
        for (player, &card) in (0..).zip(&deal.cards) {
            percepts.tell(Player(player), CARDS[card]);
        }
    }

    fn scores(&self, deal: &Deal) -> Scores {
        let higher = if deal.cards[0] > deal.cards[1] { 1 } else { -1 };
        let first = match deal.said[..] {
            [false, false] => higher,
            [.., true, true] => 2 * higher,
            [true, false] => 1,
            _ => -1,
        };
        Scores::two(first, -first)
    }

    fn label(&self, deal: &Deal, action: bool) -> String {
        let after_bet = deal.said.last() == Some(&true);
        match (after_bet, action) {
            (false, false) => "check",
            (false, true) => "bet",
            (true, false) => "fold",
            (true, true) => "call",
        }
        .to_owned()
    }

    fn draw(&self, deal: &Deal) -> String {
        format!("{deal:?}", deal = (&deal.cards, &deal.said))
    }
}
