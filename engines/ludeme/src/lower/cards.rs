//! Cards and dominoes: how they are dealt, and the numbers on them.
//!
//! No recorded game uses them, and the specification says little more than their names. If it is
//! silent, the plainest reading is taken, which the comments here state.

use crate::board::Direction;
use crate::front::{Arg, Call, Label, Name};
use crate::ir::{
    Bool, CompositeKind, Deal, Fold, Int, Iter, Layer, LeafKind, Moves, PipsMatch, Place, Reach,
    Region, StartRule, Stock,
};
use crate::world::{BAG, Card, ContainerKind, TRUMP, World};

use super::places::need;
use super::{Lower, Lowered, Problem};

/// True if the equipment has dominoes.
pub(super) fn has_dominoes(world: &World) -> bool {
    world.components.iter().any(|component| component.pips.is_some())
}

impl<'c> Lower<'c> {
    /// The rules of the set-up that put the cards of each deck in an order drawn by lot.
    pub(super) fn shuffled_decks(&self) -> Vec<StartRule> {
        let decks = self.world.containers.iter().filter(|c| c.kind == ContainerKind::Deck);
        let firsts = self.world.cards.windows(2).enumerate();
        // A deck begins at the first card of the first suit.
        let begins = firsts.filter(|(_, two)| two[1].suit == 1 && two[0].suit != 1);
        let mut begins: Vec<usize> = begins.map(|(index, _)| index + 1).collect();
        begins.push(self.world.cards.len());
        let shuffle = |(deck, cards): (&crate::world::Container, &[usize])| StartRule::Shuffle {
            pieces: (cards[0]..cards[1]).map(|card| (card as u16, Int::Const(1))).collect(),
            site: Int::Const(deck.first as i32),
            state: None,
            value: None,
        };
        decks.zip(begins.windows(2)).map(shuffle).collect()
    }

    /// The rules of the set-up that make all dominoes available.
    pub(super) fn full_bag(&mut self) -> Vec<StartRule> {
        let dominoes = self.world.components.iter().enumerate().filter(|(_, c)| c.pips.is_some());
        let dominoes: Vec<i32> = dominoes.map(|(number, _)| number as i32).collect();
        if dominoes.is_empty() {
            return Vec::new();
        }
        let list = self.rules.names.list(Some(BAG));
        let remember = |number| StartRule::Remember {
            list,
            values: Place::Site(Int::Const(number)),
            unique: false,
        };
        dominoes.into_iter().map(remember).collect()
    }

    /// The sites of the hand of each player; some player must have one.
    fn hands(&self, call: &Call) -> Lowered<Box<[Box<[u16]>]>> {
        let hand = |player: usize| -> Box<[u16]> {
            let is_hand = |c: &&crate::world::Container| {
                c.kind == ContainerKind::Hand && usize::from(c.owner) == player
            };
            let hand = self.world.containers.iter().find(is_hand);
            hand.map_or(Box::default(), |c| (c.first..c.first + c.size).map(|s| s as u16).collect())
        };
        let hands: Box<[Box<[u16]>]> = (1..=self.world.players).map(hand).collect();
        if hands.iter().all(|hand| hand.is_empty()) {
            let text = "no player has a hand for this";
            return Err(Problem::Invalid(call.place.error("no-hand", text)));
        }
        Ok(hands)
    }

    /// The supply to deal from: the cards of the first deck, or the dominoes.
    fn stock(&mut self, call: &Call, dominoes: bool) -> Lowered<Stock> {
        let deck = self.world.containers.iter().find(|c| c.kind == ContainerKind::Deck);
        match deck.map(|deck| deck.first as u16) {
            _ if dominoes && has_dominoes(&self.world) => {
                Ok(Stock::Bag(self.rules.names.list(Some(BAG))))
            }
            Some(site) if !dominoes => Ok(Stock::Deck(site)),
            _ => {
                let what = if dominoes { "dominoes" } else { "deck" };
                let text = format!("the equipment has no {what} for this");
                Err(Problem::Invalid(call.place.error("nothing-to-deal", text)))
            }
        }
    }

    /// `(deal ..)`: one card or domino to each player unless more are asked for, beginning with the
    /// first player.
    pub(super) fn deal(&mut self, call: &'c Call) -> Lowered<Deal> {
        Ok(Deal {
            stock: self.stock(call, call.name() == Name::DealDominoes)?,
            hands: self.hands(call)?,
            count: Some(self.int_or(call, Label::Count, Int::Const(1))?),
            first: self.int_or(call, Label::BeginWith, Int::Const(1))?,
            alone: false,
        })
    }

    /// `(split Deck)`: all cards, as evenly as they go.
    pub(super) fn split(&mut self, call: &'c Call) -> Lowered<Deal> {
        let stock = self.stock(call, false)?;
        Ok(Deal {
            stock,
            hands: self.hands(call)?,
            count: None,
            first: Int::Const(1),
            alone: false,
        })
    }

    /// `(take Domino)`: the mover draws a domino.
    pub(super) fn take_domino(&mut self, call: &'c Call) -> Lowered<Deal> {
        Ok(Deal {
            stock: self.stock(call, true)?,
            hands: self.hands(call)?,
            count: Some(Int::Const(1)),
            first: Int::Mover,
            alone: true,
        })
    }

    /// `(playCard)`: any card of the mover's hand goes to the mover's place on the board, which has
    /// one place for each player in order.
    pub(super) fn play_card(&mut self, call: &'c Call) -> Lowered<Moves> {
        if self.world.topology.sites() < self.world.players {
            let text = "the board has no place for each player";
            return Err(Problem::Invalid(call.place.error("no-place-for-cards", text)));
        }
        let nobody = std::iter::once(Box::<[u16]>::default());
        let hands: Vec<Box<[u16]>> = nobody.chain(self.hands(call)?).collect();
        let sets = hands.into_iter().map(|hand| self.tables.set(hand.into())).collect();
        let place = Int::Fold(Fold::Sum, Box::new([Int::Mover, Int::Const(-1)]));
        let card = self.leaf(LeafKind::FromTo {
            from: Box::new(Place::Site(Int::Iter(Iter::Site))),
            from_condition: None,
            to: Box::new(Place::Site(place)),
            condition: None,
            count: None,
            stack: false,
            apply: None,
            from_level: Some(Int::Iter(Iter::Level)),
            to_level: None,
            copy: false,
        })?;
        let at = Int::Iter(Iter::Site);
        let every_card = CompositeKind::ForEachLevel { at, from_top: true, moves: card };
        Ok(Moves::ForEachSite {
            region: Box::new(Region::ByPlayer(Box::new(Int::Mover), sets)),
            moves: Box::new(every_card.into()),
            otherwise: Box::new(Moves::None),
        })
    }

    /// The variable with the suit that is trump.
    pub(super) fn trump(&mut self) -> usize {
        self.rules.names.var(Some(TRUMP))
    }

    /// `(set TrumpSuit ..)`.
    pub(super) fn set_trump(&mut self, call: &'c Call) -> Lowered<CompositeKind> {
        let suits = self.place(need(call, Label::Suit)?)?;
        Ok(CompositeKind::SetTrump { var: self.trump(), suits })
    }

    /// `(card Rank ..)` and its kin, of the card on top if no level is named; -1 for pieces that
    /// are no cards.
    pub(super) fn card(&mut self, call: &'c Call) -> Lowered<Int> {
        let says = |card: &Card| match call.name() {
            Name::CardSuit => card.suit,
            Name::CardTrumpRank => card.trump_rank,
            Name::CardTrumpValue => card.trump_value,
            _ => card.rank,
        };
        let table = self.world.cards.iter().map(says).collect();
        let at = Box::new(self.int_at(call, Label::At)?);
        let level = match call.find(Label::Level).map(|arg: &Arg| self.int(arg)) {
            Some(level) => level?,
            None => Int::TopLevel(at.clone()),
        };
        let what =
            Int::At { layer: Layer::What, at, level: Some(Box::new(level)), reach: Reach::All };
        Ok(Int::Table(Box::new((table, what))))
    }

    /// `(is PipsMatch ..)`: of the domino on the site of the last move, if no other site is named.
    pub(super) fn pips_match(&mut self, call: &'c Call) -> Lowered<Bool> {
        let at = self.int_or(call, Label::At, Int::LastTo)?;
        Ok(Bool::PipsMatch(Box::new(PipsMatch {
            at,
            walks: self.domino_walks(),
            pips: self.world.components.iter().map(|component| component.pips).collect(),
            near: self.steps_in(Direction::Orthogonal),
        })))
    }
}
