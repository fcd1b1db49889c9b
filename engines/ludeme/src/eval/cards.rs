//! Cards, dominoes, and which suit is trump.

use super::Eval;
use super::visitors::MoveVisitor;
use crate::buffer::Buffer;
use crate::ir::{Deal, PipsMatch, Place, Stock};
use crate::moves::{Act, Move, Sort};
use crate::set::Set;

impl Eval<'_> {
    /// The actions of handing out cards or dominoes. Each goes to the first empty site of a hand;
    /// where there is none, cards go onto the first site and dominoes stay where they are.
    pub(crate) fn dealt(&mut self, deal: &Deal) -> Buffer<Act> {
        let mut acts = Buffer::new();
        let players = deal.hands.len();
        if players == 0 {
            return acts;
        }
        let rounds = deal.count.as_ref().map_or(i32::MAX, |count| self.int(count));
        let first = self.int(&deal.first).clamp(1, players as i32) as usize - 1;
        let mut left: Vec<i32> = match deal.stock {
            Stock::Deck(site) => vec![0; self.state.height(usize::from(site))],
            Stock::Bag(list) => self.state.remembered()[list].clone(),
        };
        let mut free: Set = self.empty();
        // Of dominoes the number is that of all players together.
        let is_total = matches!(deal.stock, Stock::Bag(_)) && !deal.alone;
        let total = if is_total { rounds } else { i32::MAX };
        let mut dealt = 0;
        for _ in 0..rounds {
            let before = left.len();
            let turns = if deal.alone { 1 } else { players };
            for turn in 0..turns.min((total - dealt).max(0) as usize) {
                dealt += 1;
                let hand = &deal.hands[(first + turn) % players];
                let empty = hand.iter().copied().find(|&site| free.contains(usize::from(site)));
                let to = match deal.stock {
                    Stock::Deck(_) => empty.or(hand.first().copied()),
                    Stock::Bag(_) => empty,
                };
                let Some(to) = to.filter(|_| !left.is_empty()) else { continue };
                free.remove(usize::from(to));
                match deal.stock {
                    Stock::Deck(from) => {
                        left.pop();
                        acts.push(Act::MoveTop { from, to, keep: false });
                    }
                    Stock::Bag(list) => {
                        let value = left.swap_remove(self.below(left.len() as u32) as usize);
                        acts.push(Act::Forget { list, value });
                        acts.push(Act::Add { site: to, what: value as u16, state: None });
                    }
                }
            }
            if left.len() == before {
                break;
            }
        }
        acts
    }

    /// A move for each suit that can become trump.
    pub(super) fn set_trump(
        &mut self,
        var: usize,
        suits: &Place,
        out: &mut dyn MoveVisitor,
    ) -> bool {
        self.numbers(suits).into_iter().any(|value| {
            let made = Move::new(-1, -1, Buffer::one(Act::SetVar { var, value }));
            out.take_move(self, Move { sort: Sort::Trump, piece: value as i16, ..made })
        })
    }

    /// True if a domino shows the same as the others wherever it touches any.
    pub(super) fn pips_match(&mut self, pips: &PipsMatch) -> bool {
        let board = self.game.world.topology.sites();
        let Some(at) = self.site(&pips.at).filter(|&at| at < board) else { return false };
        // By cell the first cell of the domino on it, and what the half there shows.
        let mut shown: Vec<Option<(usize, i32)>> = vec![None; board];
        for site in self.game.board.clone().without(&self.empty()).iter() {
            let Some((a, b)) = pips.pips.get(self.state.what(site)).copied().flatten() else {
                continue;
            };
            let lies = usize::try_from(self.state.extra(site, None).state).ok();
            let Some(&walk) = lies.and_then(|lies| pips.walks.get(lies)) else { continue };
            let Some(cells) = self.game.ray(walk).of(site).next() else { continue };
            let half = cells.len() / 2;
            shown[site] = Some((site, a));
            for (number, &cell) in cells.iter().enumerate() {
                shown[usize::from(cell)] = Some((site, if number < half { a } else { b }));
            }
        }
        let Some((own, _)) = shown[at] else { return false };
        (0..board).all(|cell| match shown[cell] {
            Some((domino, value)) if domino == own => {
                self.game.jump(pips.near).of(cell).iter().all(|&near| {
                    let other = shown.get(usize::from(near)).copied().flatten();
                    other.is_none_or(|(domino, shows)| domino == own || shows == value)
                })
            }
            _ => true,
        })
    }
}
